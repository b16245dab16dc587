"""Frames as they reach a model: exactly those of the file, made before they are asked for, and told of as before."""

import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest

from evaluate import delivery
from evaluate.asking import Asked, every_question
from evaluate.conditions import Viewing
from evaluate.delivery import decoded, hashes, made_ahead
from evaluate.models import Maker
from evaluate.running import Settings, run
from evaluate.store import read_replies
from generators.dataset import read_items
from generators.errors import InputError
from generators.item import Item

FRAMES = 24
SIDE = 64


def film(path: Path, **options: str) -> list[Any]:
    """A clip of a moving bar on noise; its frames as a player decodes them, one after another."""
    noise = np.random.default_rng(3).integers(0, 255, (SIDE, SIDE, 3), dtype=np.uint8)
    with av.open(str(path), "w", format="mp4") as container:
        stream = container.add_stream("libx264", rate=8, options={"qp": "24", **options})
        stream.width = stream.height = SIDE
        stream.pix_fmt = "yuv420p"
        for index in range(FRAMES):
            picture = noise.copy()
            picture[:, 2 * index : 2 * index + 8] = 10 * index
            container.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")))
        container.mux(stream.encode(None))
    with av.open(str(path)) as container:
        return [frame.to_ndarray(format="rgb24") for frame in container.decode(video=0)]


def about(item: Item, name: str) -> Item:
    """The item, about another file."""
    update = {"file": name, "sha256": None, "width": SIDE, "height": SIDE, "frames": FRAMES}
    return item.model_copy(update={"clips": [item.clips[0].model_copy(update=update)]})


@pytest.mark.parametrize(
    "options",
    [
        {"g": "250", "bf": "0"},
        {"g": "7", "bf": "0", "sc_threshold": "0"},
        {"g": "1"},
        {"g": "9", "bf": "3", "sc_threshold": "0"},
        {"g": "9", "bf": "3", "sc_threshold": "0", "x264-params": "open-gop=1"},
    ],
    ids=["one key frame", "several", "all", "frames out of order", "open groups"],
)
def test_frames_are_those_of_the_file_wherever_its_key_frames_are(
    small_dataset: Path, tmp_path: Path, options: dict[str, str]
) -> None:
    expected = film(tmp_path / "film.mp4", **options)
    item = about(next(read_items(small_dataset)), "film.mp4")
    everything = tuple(range(FRAMES))
    for wanted in (everything, everything[::-1], everything[::5], (13, 2, 13, 20), *((one,) for one in everything)):
        got = decoded(tmp_path, item, 0, wanted)
        assert all((got[place] == expected[index]).all() for place, index in enumerate(wanted)), wanted
    longer = item.model_copy(update={"clips": [item.clips[0].model_copy(update={"frames": FRAMES + 1})]})
    with pytest.raises(InputError, match="has fewer frames than"):
        decoded(tmp_path, longer, 0, (0, FRAMES))


def test_frames_of_a_cutting_clip_are_those_of_the_file(small_dataset: Path) -> None:
    for item in read_items(small_dataset):
        with av.open(str(small_dataset / str(item.clips[0].file))) as container:
            expected = [frame.to_ndarray(format="rgb24") for frame in container.decode(video=0)]
        for index, picture in enumerate(expected):
            assert (decoded(small_dataset, item, 0, (index,))[0] == picture).all()


def test_what_is_no_video_is_one_line(small_dataset: Path, tmp_path: Path) -> None:
    item = about(next(read_items(small_dataset)), "film.mp4")
    film(tmp_path / "film.mp4", g="5")
    whole = (tmp_path / "film.mp4").read_bytes()
    for content in (b"", b"no video", whole[: len(whole) // 2]):
        (tmp_path / "film.mp4").write_bytes(content)
        with pytest.raises(InputError, match=r"film\.mp4 (cannot be decoded|has fewer frames)"):
            decoded(tmp_path, item, 0, tuple(range(FRAMES)))


def test_frames_made_ahead_leave_no_trace_until_they_are_asked_for(small_dataset: Path) -> None:
    asked = next(every_question(small_dataset, viewing=Viewing(frames=3)))
    nothing = {"condition": "full", "indices": [], "times": []}
    asked.view.make_ready()
    assert asked.view.record() == nothing
    assert asked.view.record()["indices"] == []
    pixels = asked.frames
    assert asked.view.record()["sha256"] == hashes(pixels)
    assert not pixels.flags.writeable


class Looking:
    """A model that looks at the frames of the questions that `wants` names, or of all."""

    name = "looking"

    def __init__(self, wants: set[int] | None = None) -> None:
        self.wants = wants

    def reply(self, asked: Asked) -> str:
        if self.wants is None or asked.order in self.wants:
            return f"saw {asked.frames.mean():.3f}"
        return "saw nothing"


@pytest.fixture
def loads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The items whose clips were decoded, in turn."""
    made: list[str] = []

    def counted(dataset: Path, item: Item, clip: int, indices: tuple[int, ...]) -> Any:
        made.append(item.id)
        return decoded(dataset, item, clip, indices)

    monkeypatch.setattr(delivery, "decoded", counted)
    return made


def outcome(dataset: Path, out: Path, model: Looking, viewing: Viewing | None = None, **maker: Any) -> list[Any]:
    made = Maker(name=model.name, spec=model.name, make=lambda dataset, seed: model, **maker)
    run(dataset, made, out, settings=Settings(viewing=viewing or Viewing(frames=4)))
    varying = {"latency": None, "time": None}
    return [reply.model_copy(update=varying) for _, reply in read_replies(out)]


@pytest.mark.parametrize("concurrency", [1, 3])
@pytest.mark.parametrize("wants", [None, {0}, {7}, {3, 14, 30}], ids=["all", "the first", "the eighth", "some"])
def test_replies_and_records_are_the_same_with_frames_made_ahead(
    small_dataset: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, concurrency: int, wants: set[int] | None
) -> None:
    ahead = outcome(small_dataset, tmp_path / "ahead", Looking(wants), concurrency=concurrency)
    monkeypatch.setattr(delivery, "CLIPS_AHEAD", 0)
    alone = outcome(small_dataset, tmp_path / "alone", Looking(wants))
    if concurrency > 1:
        # What is recorded of a question whose clip another one is looking at depends on which comes first.
        ahead, alone = ([reply.reply for reply in replies] for replies in (ahead, alone))
    assert ahead == alone and len(ahead) == 36


def test_nothing_is_decoded_for_a_model_that_does_not_look(
    small_dataset: Path, tmp_path: Path, loads: list[str]
) -> None:
    outcome(small_dataset, tmp_path / "blind", Looking(set()))
    assert loads == []
    outcome(small_dataset, tmp_path / "looking", Looking())
    assert sorted(loads) == sorted(item.id for item in read_items(small_dataset))


@pytest.mark.parametrize(("clips", "size"), [(2, 2**30), (8, 4 * 128 * 128 * 3 * 2), (8, 1)])
def test_no_more_is_made_ahead_than_there_is_room_for(
    small_dataset: Path, monkeypatch: pytest.MonkeyPatch, loads: list[str], clips: int, size: int
) -> None:
    monkeypatch.setattr(delivery, "CLIPS_AHEAD", clips)
    monkeypatch.setattr(delivery, "BYTES_AHEAD", size)
    read: list[int] = []

    def questions() -> Iterator[Asked]:
        for asked in every_question(small_dataset, viewing=Viewing(frames=4)):
            read.append(asked.order)
            yield asked

    begun: list[str] = []
    for asked in made_ahead(questions()):
        _ = asked.frames
        if asked.item.id not in begun:
            begun.append(asked.item.id)
        # The clip that is being shown, and two more; only the first question of the last of these has been read.
        assert len(set(loads)) <= len(begun) + (2 if size > 1 else 0)
        assert read[-1] <= asked.order + 2 * 6
    assert read == list(range(36))
    assert len(set(loads)) == len(begun) == 6


def test_a_missing_file_stops_at_its_own_questions(small_dataset: Path, tmp_path: Path) -> None:
    dataset = tmp_path / "dataset"
    shutil.copytree(small_dataset, dataset)
    items = list(read_items(dataset))
    (dataset / str(items[3].clips[0].file)).unlink()
    with pytest.raises(InputError, match=rf"{items[3].clips[0].file} cannot be read"):
        outcome(dataset, tmp_path / "run", Looking())
    assert len(list(read_replies(tmp_path / "run"))) == 18


def test_an_error_in_the_items_comes_behind_the_questions_before_it(small_dataset: Path) -> None:
    def questions() -> Iterator[Asked]:
        yield from every_question(small_dataset, limit=2, viewing=Viewing(frames=4))
        raise InputError("line 3: cut off")

    seen = []
    with pytest.raises(InputError, match="line 3: cut off"):
        for asked in made_ahead(questions()):
            seen.append((asked.order, asked.frames.shape[0]))
    assert seen == [(order, 4) for order in range(12)]


def test_what_is_not_begun_is_not_made_once_a_run_is_stopped(
    small_dataset: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[str] = []
    may_end = threading.Event()

    def slow(dataset: Path, item: Item, clip: int, indices: tuple[int, ...]) -> Any:
        begun.append(item.id)
        assert len(begun) == 1 or may_end.wait(60)
        return decoded(dataset, item, clip, indices)

    monkeypatch.setattr(delivery, "decoded", slow)
    monkeypatch.setattr(delivery, "MOST_THREADS", 1)
    prepared = made_ahead(every_question(small_dataset, viewing=Viewing(frames=4)))
    _ = next(prepared).frames
    next(prepared)
    prepared.close()
    may_end.set()
    for thread in threading.enumerate():
        if thread.name.startswith("frames"):
            thread.join()
    assert len(begun) <= 2
    assert list(prepared) == []
