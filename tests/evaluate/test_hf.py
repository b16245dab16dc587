"""Checkpoints of five families run as any other, offline, and get exactly the frames that are recorded."""

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from evaluate.__main__ import main
from evaluate.asking import every_question
from evaluate.conditions import Viewing
from evaluate.models import Maker, ModelOptions, model_maker
from evaluate.models.hf import Checkpoint, times_in_words
from evaluate.running import Settings, run
from evaluate.store import Reply, read_replies, read_run
from generators.errors import InputError
from generators.rendering import frames
from tests.evaluate.tiny_models import FAMILIES, transformers, write_tiny_model

pytestmark = pytest.mark.filterwarnings("default")  # torch and transformers warn of themselves

TELLS_TIMES = ("qwen2_5_vl", "qwen3_vl")


@pytest.fixture(autouse=True)
def offline(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE"):
        monkeypatch.setenv(name, "1")
    monkeypatch.setenv("TOKENIZERS_PARALLELISM", "false")


@pytest.fixture(scope="module")
def checkpoints(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("checkpoints")
    return {family: write_tiny_model(family, folder / family) for family in FAMILIES}


class Spy:
    """Stands before a processor and keeps what it is given and what it makes of it."""

    def __init__(self, processor: Any) -> None:
        self.processor = processor
        self.messages: list[Any] = []
        self.options: list[dict[str, Any]] = []
        self.inputs: list[Any] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self.processor, name)

    def apply_chat_template(self, conversations: Any, **options: Any) -> Any:
        inputs = self.processor.apply_chat_template(conversations, **options)
        self.messages += conversations
        self.options += [options["processor_kwargs"]] * len(conversations)
        self.inputs.append(inputs)
        return inputs


def spied(monkeypatch: pytest.MonkeyPatch) -> list[Spy]:
    """The spies of all processors that are loaded from here on."""
    spies: list[Spy] = []
    kind = transformers().AutoProcessor
    load = kind.from_pretrained

    def from_pretrained(place: str) -> Any:
        processor = load(place)
        # Of a class with the processor's name, so that everything that goes by that goes on.
        spy: Spy = type(type(processor).__name__, (Spy,), {})(processor)
        spies.append(spy)
        return spy

    monkeypatch.setattr(kind, "from_pretrained", from_pretrained)
    return spies


def finals(folder: Path) -> list[Reply]:
    return [one for _, one in read_replies(folder)]


@pytest.mark.parametrize("family", FAMILIES)
def test_a_checkpoint_is_given_exactly_the_recorded_frames(
    small_dataset: Path,
    checkpoints: dict[str, Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    family: str,
) -> None:
    spies = spied(monkeypatch)
    command = ["run", str(small_dataset), "--model", f"hf:{checkpoints[family]}", "--frames", "6", "--frames-from"]
    command += ["render", "--max-tokens", "3", "--no-canary", "--limit", "2", "--batch", "4", "--out", str(tmp_path)]
    with pytest.raises(SystemExit) as left:
        main(command)
    printed = capsys.readouterr()
    assert left.value.code == 0, printed.err
    assert f"12 replies by {family};" in printed.out
    spy, kept = spies[0], finals(tmp_path)
    assert len(spy.messages) == len(kept) == 12
    for asked, one, messages, options in zip(
        every_question(small_dataset), kept, spy.messages, spy.options, strict=False
    ):
        video, text = messages[0]["content"]
        given = one.given
        assert given is not None and video["type"] == "video"
        pixels = video["video"]
        assert pixels.dtype == np.uint8 and pixels.shape == (6, 128, 128, 3)
        assert [hashlib.sha256(frame.tobytes()).hexdigest() for frame in pixels] == given["sha256"]
        assert (pixels == frames(asked.item, given["indices"])).all()
        assert options["do_sample_frames"] is False
        clip = asked.item.clips[0]
        assert options["video_metadata"][0]["fps"] == clip.fps
        assert any(metadata["frames_indices"] == given["indices"] for metadata in options["video_metadata"])
        assert given["times_in_prompt"] == (family not in TELLS_TIMES)
        assert text["text"].endswith(asked.prompt)
        assert ("taken at these seconds" in text["text"]) == (family not in TELLS_TIMES)
        assert one.usage is not None and one.usage["completion_tokens"] <= 3
        assert one.finish_reason in ("stop", "length") and one.reply is not None
        assert "<|im_start|>" not in one.reply
    for inputs in spy.inputs:
        assert_all_frames_are_there(inputs, 6)
    record = read_run(tmp_path)
    assert (record.model, record.settings.spec) == (family, f"hf:{checkpoints[family]}")
    assert {"torch", "transformers"} <= set(record.packages)
    assert record.settings.parameters == {"dtype": "auto", "max_tokens": 3}


def assert_all_frames_are_there(inputs: Any, number: int) -> None:
    """Among the tensors that go into the model, too."""
    if "video_grid_thw" in inputs:
        assert {int(row[0]) for row in inputs["video_grid_thw"]} == {number // 2}
    else:
        pixels = inputs["pixel_values_videos"] if "pixel_values_videos" in inputs else inputs["pixel_values"]
        videos = len(inputs["input_ids"])
        assert pixels.shape[0] * (pixels.shape[1] if pixels.ndim == 5 else 1) == videos * number


@pytest.mark.parametrize("family", FAMILIES)
def test_batches_conditions_and_pixels(
    small_dataset: Path, checkpoints: dict[str, Path], tmp_path: Path, family: str
) -> None:
    """Alone or in a batch, a reply is the same; another order of frames is another input; every condition runs."""
    path = f"hf:{checkpoints[family]}"
    one, four = (model_maker(path, ModelOptions(max_tokens=4, batch=batch)) for batch in (None, 4))
    said: dict[str, list[str | None]] = {}
    for name, maker, viewing in (
        ("one", one, Viewing(frames=4)),
        ("four", four, Viewing(frames=4)),
        ("single", one, Viewing(condition="single-centre")),
        ("shuffled", one, Viewing(condition="shuffled", frames=4)),
        ("text", one, Viewing(condition="text-only")),
        ("transcript", four, Viewing(condition="transcript")),
    ):
        outcome = run(small_dataset, maker, tmp_path / name, limit=1, settings=without_canary(viewing))
        assert (outcome.answered, outcome.failed) == (6, 0), outcome.last_error
        said[name] = [reply.reply for reply in finals(tmp_path / name)]
    assert said["one"] == said["four"]
    single = finals(tmp_path / "single")[0].given
    assert single is not None and single.get("shown_twice", False) == (family == "qwen3_vl")
    text = finals(tmp_path / "text")[0].given
    assert text is not None and text["indices"] == []


def command_of(dataset: Path, checkpoint: Path) -> list[str]:
    return ["run", str(dataset), "--model", f"hf:{checkpoint}", "--frames", "2"]


def without_canary(viewing: Viewing) -> Settings:
    return Settings(viewing=viewing, has_canary=False)


def test_the_canary_stops_a_model_of_random_weights(
    small_dataset: Path, checkpoints: dict[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        main([*command_of(small_dataset, checkpoints["internvl"]), "--max-tokens", "8", "--out", str(tmp_path)])
    printed = capsys.readouterr()
    assert left.value.code == 2
    assert "does not see what it is sent" in printed.err and printed.err.count("\n") == 1
    assert finals(tmp_path) == []
    assert len(json.loads((tmp_path / "canary.json").read_text())["number"]) == 4


def test_a_processor_that_drops_frames_stops_the_run(
    small_dataset: Path, checkpoints: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As each does that is not told otherwise."""
    maker = model_maker(f"hf:{checkpoints['qwen3_vl']}", ModelOptions(max_tokens=2))
    model = maker(small_dataset, 0)
    assert isinstance(model, Checkpoint)
    apply = model.processor.apply_chat_template

    def careless(conversations: Any, **options: Any) -> Any:
        options["processor_kwargs"] |= {"do_sample_frames": True, "fps": 1.0}
        return apply(conversations, **options)

    monkeypatch.setattr(model.processor, "apply_chat_template", careless, raising=False)
    with pytest.raises(InputError, match=r"kept \d+ of 16 frames"):
        run(small_dataset, maker, tmp_path, settings=without_canary(Viewing(frames=16)))


def test_times_in_words(small_dataset: Path) -> None:
    asked = next(every_question(small_dataset, viewing=Viewing(fps=2)))
    assert times_in_words(asked).startswith(f"The video is shown as {len(asked.times)} frames, taken at these seconds")
    assert "start: 0.00, 0.50, 1.00" in times_in_words(asked)
    alone = next(every_question(small_dataset, viewing=Viewing(condition="single-centre")))
    assert "1 frame, taken " in times_in_words(alone)


def test_the_same_checkpoint_is_loaded_once_for_a_sweep(
    small_dataset: Path, checkpoints: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spies = spied(monkeypatch)
    with pytest.raises(SystemExit) as left:
        command = [*command_of(small_dataset, checkpoints["internvl"]), "--max-tokens", "2", "--no-canary"]
        main([*command, "--limit", "1", "--condition", "full,reversed,text-only", "--out", str(tmp_path)])
    assert left.value.code == 0
    assert len(spies) == 1
    assert {path.name for path in tmp_path.iterdir()} == {"full", "reversed", "text-only"}
    full, back = (finals(tmp_path / name)[0].given for name in ("full", "reversed"))
    assert full is not None and back is not None
    assert (full["indices"], full["times"]) == (back["indices"][::-1], back["times"])
    assert full["sha256"] == back["sha256"][::-1]


@pytest.mark.parametrize(
    ("spec", "options", "complaint"),
    [
        ("./nowhere", {}, "there is no folder ./nowhere"),
        ("EMPTY", {}, "cannot be loaded: "),
        ("internvl", {"dtype": "float17"}, "torch has no such type"),
        ("internvl", {"temperature": 0.5}, "--temperature goes with openai models only"),
        ("internvl", {"base_url": "http://x"}, "--base-url goes with openai models only"),
    ],
)
def test_mistakes_are_one_line(
    small_dataset: Path,
    checkpoints: dict[str, Path],
    tmp_path: Path,
    spec: str,
    options: dict[str, Any],
    complaint: str,
) -> None:
    (tmp_path / "empty").mkdir()
    place = {"EMPTY": str(tmp_path / "empty"), "internvl": str(checkpoints["internvl"])}.get(spec, spec)
    with pytest.raises(InputError, match=complaint):
        maker: Maker = model_maker(f"hf:{place}", ModelOptions(**options))
        maker(small_dataset, 0)
