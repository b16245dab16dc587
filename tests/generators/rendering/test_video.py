"""Clips as files: what PyAV decodes is the scene, and the container says what a browser needs to know."""

import struct
from collections.abc import Iterator
from fractions import Fraction
from itertools import groupby
from pathlib import Path

import av
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from generators.family import family
from generators.rendering import video
from generators.rendering.cpu import Painter
from generators.rendering.scene import Placement, Rectangle, Scene, Sprite
from generators.rendering.video import encode, encoder_description, frame_and_planes, render
from tests.generators.making import items_of
from tests.generators.rendering.bt709 import is_flat, rgb

NUMBER = family("number")
SETTINGS = [
    {"size": 4, "resolution": "320", "fps": 8},
    {"size": 3, "resolution": "224", "fps": 24},
    {"size": 10, "resolution": "256", "fps": 8},
    {"size": 2, "resolution": "320x180", "fps": 5, "reveal": "end"},
    {"size": 4, "resolution": "128x132", "fps": 30, "reveal": "end"},
]


class Clip:
    """A Number clip, encoded and decoded again."""

    def __init__(self, folder: Path, settings: dict[str, object]) -> None:
        chosen = NUMBER.settings.model_validate({"ops": 3, "seconds_per_op": 0.5, "reveal_seconds": 0.5} | settings)
        [self.item] = items_of(NUMBER, chosen, 11, 1)
        self.scene = NUMBER.scene(self.item.clips[0].plan, chosen)
        self.path = folder / "clip.mp4"
        encode(self.scene, self.path)
        self.planes = list(decoded(self.path))


def decoded(path: Path) -> Iterator[tuple[NDArray[np.uint8], NDArray[np.uint8]]]:
    """Luma (height, width) and chroma (2, height / 2, width / 2) of each frame."""
    with av.open(str(path)) as container:
        for frame in container.decode(video=0):
            luma, *chroma = (
                np.frombuffer(bytes(plane), np.uint8).reshape(-1, plane.line_size)[: plane.height, : plane.width]
                for plane in frame.planes
            )
            yield luma, np.stack(chroma)


@pytest.fixture(scope="module", params=SETTINGS, ids=lambda settings: str(settings["resolution"]))
def clip(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Clip:
    return Clip(tmp_path_factory.mktemp("clip"), request.param)


def test_the_stream_is_what_browsers_play(clip: Clip) -> None:
    scene = clip.scene
    with av.open(str(clip.path)) as container:
        assert len(container.streams) == 1
        stream = container.streams.video[0]
        context = stream.codec_context
        assert (context.name, context.pix_fmt) == ("h264", "yuv420p")
        assert (context.width, context.height) == (scene.width, scene.height)
        assert stream.frames == scene.frames == clip.item.clips[0].frames
        assert stream.average_rate == stream.guessed_rate == scene.fps
        assert stream.start_time == 0
        assert stream.duration is not None and stream.time_base is not None
        assert stream.duration * stream.time_base == Fraction(scene.frames, scene.fps)
        assert (context.color_primaries, context.color_trc, context.colorspace, context.color_range) == (1, 1, 1, 1)


def test_the_frame_rate_is_constant(clip: Clip) -> None:
    with av.open(str(clip.path)) as container:
        frames = list(container.decode(video=0))
    assert len(frames) == clip.scene.frames
    times = [frame.pts * frame.time_base for frame in frames if frame.pts is not None and frame.time_base is not None]
    assert times == [Fraction(index, clip.scene.fps) for index in range(clip.scene.frames)]
    assert all((frame.colorspace, frame.color_range) == (1, 1) for frame in frames)


def atoms(data: bytes, start: int = 0, end: int | None = None) -> Iterator[tuple[str, int, int]]:
    """(name, first byte of the content, end) of the MP4 boxes between two places. Source: ISO/IEC 14496-12, 4.2."""
    end = len(data) if end is None else end
    while start < end:
        size, name = struct.unpack(">I4s", data[start : start + 8])
        assert 8 <= size <= end - start
        yield name.decode("latin-1"), start + 8, start + size
        start += size


def atom(data: bytes, *path: str) -> bytes:
    """The content of a box by the names of the boxes that it lies in."""
    start, end = 0, len(data)
    for name in path:
        [(start, end)] = [(first, last) for found, first, last in atoms(data, start, end) if found == name]
        if name == "stsd":
            start += 8
        elif name == "avc1":
            start += 78
    return data[start:end]


def test_the_container_is_tagged_and_has_its_index_in_front(clip: Clip) -> None:
    data = clip.path.read_bytes()
    names = [name for name, _, _ in atoms(data)]
    assert names[0] == "ftyp"
    assert names.index("moov") < names.index("mdat")
    colour = atom(data, "moov", "trak", "mdia", "minf", "stbl", "stsd", "avc1", "colr")
    assert colour == b"nclx" + struct.pack(">HHHB", 1, 1, 1, 0)
    created, modified = struct.unpack(">II", atom(data, "moov", "mvhd")[4:12])
    assert (created, modified) == (0, 0), "a time in the file would make each run's bytes different"


def test_the_same_scene_gives_the_same_bytes(clip: Clip, tmp_path: Path) -> None:
    again = tmp_path / "another name.mp4"
    again.write_bytes(b"overwritten")
    encode(clip.scene, again)
    assert again.read_bytes() == clip.path.read_bytes()


@given(shown=st.lists(st.integers(0, 4), min_size=1, max_size=40), most=st.integers(0, 6))
def test_a_frame_is_taken_from_one_that_looks_the_same(shown: list[int], most: int) -> None:
    pictures = [[Placement(number, 0, 0)] for number in range(5)]
    sources = video._sources([pictures[number] for number in shown], most)
    kept = {source for index, source in enumerate(sources) if source < index and sources[index - 1] != source}
    assert len(kept) <= most
    for index, source in enumerate(sources):
        assert source <= index and shown[source] == shown[index] and sources[source] == source
        # Only what would not be kept is painted again.
        if source == index and shown[index] in shown[:index]:
            assert shown[index] != shown[index - 1]
            assert len({*shown}) > most or [number for number, _ in groupby(shown)].count(shown[index]) < 3


@pytest.mark.parametrize("family_name", ["rotation", "shape_trend", "magnitude"])
def test_what_is_kept_of_a_clip_does_not_change_its_bytes(
    family_name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kind = family(family_name)
    chosen = kind.settings.model_validate({"resolution": "128", "seconds": "4"})
    for number, item in enumerate(items_of(kind, chosen, 5, 4)):
        scene = kind.scene(item.clips[0].plan, chosen)
        files = []
        for most in (2**26, 3 * 128 * 128 * 3 // 2, 0):
            monkeypatch.setattr(video, "MOST_KEPT_BYTES", most)
            watched: list[int] = []
            path = tmp_path / f"{number}-{most}.mp4"
            encode(scene, path, watch=lambda index, frame, watched=watched: watched.append(index))  # type: ignore[misc]
            assert watched == [*range(scene.frames)]
            files.append(path.read_bytes())
        assert files[0] == files[1] == files[2]


def test_the_file_decodes_to_what_was_painted(clip: Clip) -> None:
    """Measured with qp 18: mean 0.1 to 0.7 levels, 99.5 % of the samples within 4, the worst within 13."""
    scene = clip.scene
    _, planes = frame_and_planes(scene.width, scene.height, scene.fps)
    painter = Painter(scene, planes)
    assert len(clip.planes) == scene.frames
    for index, found in enumerate(clip.planes):
        painter.paint(index)
        for seen, meant in zip(found, planes, strict=True):
            difference = np.abs(seen.astype(int) - meant)
            assert difference.mean() <= 1.0
            assert np.percentile(difference, 99.5) <= 5
            assert difference.max() <= 20


def test_frames_without_a_video_are_the_frames_of_the_video(clip: Clip) -> None:
    """Where the picture is flat: 99.5 % of the pixels within 6.5 of 255, all within 16; measured: 1 to 5, and 15.

    At edges 4:2:0 halves the resolution of colour, whatever the encoder does.
    """
    pictures = render(clip.scene, range(clip.scene.frames))
    for index in {0, *range(1, clip.scene.frames, 9), clip.scene.frames - 1}:
        difference = np.abs(rgb(*clip.planes[index]) - pictures[index]).mean(axis=-1)
        assert difference.mean() <= 7.0
        flat = difference[is_flat(pictures[index])]
        assert flat.size > 1_000
        assert np.percentile(flat, 99.5) <= 6.5
        assert flat.max() <= 16.0


COLOURS = [
    *((0, 0, 0), (255, 255, 255), (255, 0, 0), (0, 255, 0), (0, 0, 255)),
    *((255, 255, 0), (0, 255, 255), (255, 0, 255), (128, 128, 128), (244, 241, 234), (70, 122, 168), (250, 222, 160)),
]


def test_colours_come_back_from_the_file(tmp_path: Path) -> None:
    """Patches of pure and of used colours, decoded as any player does, are within 3 of 255 of the scene's colours."""
    sprites = tuple(Sprite(64, 64, (Rectangle(0, 0, 64, 64, colour),)) for colour in COLOURS)
    places = [(32 + 64 * (number % 4), 32 + 64 * (number // 4)) for number in range(len(COLOURS))]
    patches = [Placement(number, x, y) for number, (x, y) in enumerate(places)]
    scene = Scene(
        width=256,
        height=192,
        fps=4,
        frames=2,
        background=(0, 0, 0),
        sprites=sprites,
        placements=lambda frame: patches,
        spans=(),
    )
    encode(scene, tmp_path / "colours.mp4")
    with av.open(str(tmp_path / "colours.mp4")) as container:
        pictures = [frame.to_ndarray(format="rgb24") for frame in container.decode(video=0)]
    assert len(pictures) == 2
    for picture in pictures:
        for colour, (x, y) in zip(COLOURS, places, strict=True):
            patch = picture[y - 20 : y + 20, x - 20 : x + 20].astype(int)
            assert np.abs(patch - colour).max() <= 3, colour


def test_a_path_that_cannot_be_written_is_an_os_error(clip: Clip, tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No such file"):
        encode(clip.scene, tmp_path / "nowhere" / "clip.mp4")


def test_the_description_names_the_encoder() -> None:
    description = encoder_description()
    assert description["codec"] == "libx264"
    assert {"threads": "1", "preset": "ultrafast", "qp": "18", "pixel_format": "yuv420p"}.items() <= description.items()
