"""Videos that were exchanged for others, each with its right SHA-256 in the list."""

import hashlib
import json
import shutil
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest
from numpy.typing import NDArray

from generators.rendering.video import CONTAINER_OPTIONS, ENCODER_OPTIONS, open_stream
from verifier.checking import check_dataset

Picture = NDArray[np.uint8]


@pytest.fixture
def folder(small_dataset: Path, tmp_path: Path) -> Path:
    return shutil.copytree(small_dataset, tmp_path / "set")


def pictures(video: Path) -> list[Picture]:
    """Every frame as yuv420p, luma above chroma."""
    with av.open(str(video), "r") as container:
        return [frame.to_ndarray().astype(np.uint8) for frame in container.decode(video=0)]


def encoded(
    video: Path,
    change: Callable[[int, Picture], Picture] = lambda index, picture: picture,
    *,
    codec: str = "libx264",
    pixels: str = "yuv420p",
    side: int = 128,
    fps: int = 4,
    tag: int = 1,
    pts: Callable[[int], int] = lambda index: index,
    last: int | None = None,
) -> None:
    """The video encoded again as the generator does, but for what is asked for."""
    frames = pictures(video)[:last]
    with av.open(str(video), "w", format="mp4", options=CONTAINER_OPTIONS) as container:
        options = dict(ENCODER_OPTIONS) if codec == "libx264" else {"qscale": "1"}
        stream: Any = container.add_stream(codec, rate=fps, options=options)
        stream.width, stream.height, stream.pix_fmt = side, side, pixels
        context = stream.codec_context
        context.color_primaries = context.color_trc = context.colorspace = tag
        context.color_range = 1
        for index, picture in enumerate(frames):
            frame = av.VideoFrame.from_ndarray(change(index, picture), format="yuv420p")
            frame = frame.reformat(width=side, height=side, format=pixels)
            frame.pts, frame.time_base = pts(index), Fraction(1, fps)
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))


def remuxed(video: Path, change: Callable[[Any, Any], Any]) -> None:
    """The same packets in a container that `change` adds something to, given the container and its stream."""
    data = video.with_suffix(".copy")
    video.rename(data)
    with (
        av.open(str(data), "r", format="mp4") as source,
        av.open(str(video), "w", format="mp4", options=CONTAINER_OPTIONS) as target,
    ):
        stream = target.add_stream_from_template(source.streams.video[0])
        late = change(target, stream)
        for packet in source.demux(source.streams.video[0]):
            if packet.dts is not None:
                packet.stream = stream
                target.mux(packet)
        if late is not None:
            late()
    data.unlink()


def with_sound(target: Any, stream: Any) -> Callable[[], None]:
    sound = target.add_stream("aac", rate=44100)

    def late() -> None:
        frame = av.AudioFrame.from_ndarray(np.zeros((1, 44100), dtype=np.float32), format="fltp", layout="mono")
        frame.rate, frame.pts = 44100, 0
        target.mux(sound.encode(frame))
        target.mux(sound.encode(None))

    return late


def frame_exchanged(index: int, other: Picture | None = None) -> Callable[[int, Picture], Picture]:
    """One frame shows the first one, which reveals the state, or `other`."""
    first: list[Picture] = []

    def change(number: int, picture: Picture) -> Picture:
        first.append(picture)
        shown = first[0] if other is None else other
        return shown if number == index else picture

    return change


def chroma_turned(_index: int, picture: Picture) -> Picture:
    return np.concatenate([picture[:128], 255 - picture[128:]])


def one_block_lighter(index: int, picture: Picture) -> Picture:
    """A square of 16 × 16 pixels in the lower right corner, a little lighter, in one frame."""
    changed = picture.copy()
    if index == 5:
        changed[112:128, 112:128] -= 16
    return changed


def appended(video: Path, data: bytes) -> None:
    video.write_bytes(video.read_bytes() + data)


def hidden_in_media(video: Path) -> None:
    """Bytes at the end of the media box, which no frame refers to."""
    data = video.read_bytes()
    start = data.rindex(b"mdat") - 4
    size = int.from_bytes(data[start : start + 4])
    assert start + size == len(data)
    video.write_bytes(data[:start] + (size + 9).to_bytes(4) + data[start + 4 :] + b"key: left")


def damaged(video: Path) -> None:
    data = bytearray(video.read_bytes())
    data[-len(data) // 4] ^= 0xFF
    video.write_bytes(data)


VIDEOS: dict[str, tuple[Callable[[Path], Any], str]] = {
    "bytes behind the end": (lambda video: appended(video, b"x" * 1000), "is no whole MP4 file"),
    "a box too many": (lambda video: appended(video, b"\0\0\0\x0cfree" + b"left"), "is no whole MP4 file"),
    "bytes among the media": (hidden_in_media, "holds 9 bytes that belong to no frame"),
    "half a file": (lambda video: video.write_bytes(video.read_bytes()[:-100]), "is no whole MP4 file"),
    "an empty file": (lambda video: video.write_bytes(b""), "cannot be decoded"),
    "a picture": (lambda video: shutil.copy(min((video.parent.parent / "sheets").iterdir()), video), "no whole MP4"),
    "a playlist": (lambda video: video.write_text("#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n"), "no whole MP4 file"),
    "a damaged byte": (damaged, ""),
    "full chroma": (lambda video: encoded(video, pixels="yuv444p"), "the pixel format is yuv444p, not yuv420p"),
    "a smaller canvas": (lambda video: encoded(video, side=64), "the width is 64, not 128"),
    "another codec": (lambda video: encoded(video, codec="mpeg4"), "the codec is mpeg4, not h264"),
    "another frame rate": (lambda video: encoded(video, fps=8), "the frame rate is 8, not 4"),
    "a frame too few": (lambda video: encoded(video, last=-1), "the number of frames is"),
    "other colours by its tags": (lambda video: encoded(video, tag=5), "the colour matrix (1 is BT.709) is 5, not 1"),
    "the reveal in one frame": (lambda video: encoded(video, frame_exchanged(6)), "frame 6 does not show the plan"),
    "one black frame": (
        lambda video: encoded(video, frame_exchanged(5, np.zeros((192, 128), np.uint8))),
        "frame 5 does not show the plan",
    ),
    "one block that is lighter": (lambda video: encoded(video, one_block_lighter), "frame 5 does not show the plan"),
    "other colours": (lambda video: encoded(video, chroma_turned), "frame 0 does not show the plan"),
    "frames out of step": (
        lambda video: encoded(video, pts=lambda index: index if index < 5 else index + 1),
        "the frame rate is",
    ),
    "sound": (lambda video: remuxed(video, with_sound), "has the streams video, audio where one video belongs"),
    "a comment": (
        lambda video: remuxed(video, lambda target, stream: target.metadata.update(comment="left, left")),
        "carries a text that the generator does not write: comment='left, left'",
    ),
    "a title": (
        lambda video: remuxed(video, lambda target, stream: target.metadata.update(title="left")),
        "carries a text that the generator does not write: title='left'",
    ),
    "a handler's name": (
        lambda video: remuxed(video, lambda target, stream: stream.metadata.update(handler_name="left")),
        "carries a text that the generator does not write: handler_name='left'",
    ),
}


@pytest.mark.parametrize("name", VIDEOS)
def test_a_video_that_was_exchanged_is_found(name: str, folder: Path) -> None:
    change, finding = VIDEOS[name]
    said = findings_after(folder, change)
    assert said and finding in said


def findings_after(folder: Path, change: Callable[[Path], Any]) -> str:
    """What is found when the first video is changed and its new hash stands in the list."""
    path = folder / "items.jsonl"
    first, *rest = path.read_text().splitlines(keepends=True)
    clip = json.loads(first)["clips"][0]
    video = folder / clip["file"]
    change(video)
    path.write_text(first.replace(clip["sha256"], hashlib.sha256(video.read_bytes()).hexdigest()) + "".join(rest))
    return "\n".join(map(str, check_dataset(folder)))


def test_the_same_pictures_encoded_again_are_no_finding(folder: Path) -> None:
    assert findings_after(folder, encoded) == ""


def test_frames_at_other_times_of_the_same_length_are_found(folder: Path) -> None:
    def change(video: Path) -> None:
        frames = pictures(video)
        with open_stream(video, 128, 128, 4) as (container, stream):
            stream.codec_context.time_base = Fraction(1, 16)
            for index, picture in enumerate(frames):
                frame = av.VideoFrame.from_ndarray(picture, format="yuv420p")
                # In quarters of a frame: only the third one comes late.
                frame.pts, frame.time_base = 4 * index + (index == 2), Fraction(1, 16)
                for packet in stream.encode(frame):
                    container.mux(packet)
            container.mux(stream.encode(None))

    assert "frame 2 is not shown at its time" in findings_after(folder, change)


def test_a_turned_picture_is_found(folder: Path) -> None:
    def turned(_target: Any, stream: Any) -> None:
        stream.set_display_rotation(90)

    assert "carries more than its picture" in findings_after(folder, lambda video: remuxed(video, turned))


def test_edges_that_are_no_whole_block_are_compared() -> None:
    from verifier.blocks import Blocks

    ground = np.zeros((36, 20), dtype=np.uint8)
    for row, column in ((35, 19), (0, 0), (33, 3), (3, 18)):
        other = ground.copy()
        other[row, column] = 255
        assert Blocks(36, 20, 16).worst_difference(ground, other) >= 255 / 256
        assert Blocks(36, 20, 16).worst_difference(other, ground) >= 255 / 256
