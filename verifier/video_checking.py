"""Is a file a video as the generator writes them, with nothing else in it, and does every frame show the plan?"""

from collections.abc import Iterator
from fractions import Fraction
from io import BytesIO
from typing import TYPE_CHECKING, Any

from generators.item import Clip
from generators.rendering.scene import QUANTISER, Scene
from generators.rendering.video import PADDING

if TYPE_CHECKING:
    import av
    import numpy as np
    from numpy.typing import NDArray

BLOCK = 16
PICTURE_TOLERANCE = 5.0
"""Mean absolute difference in levels, over any block of 16×16 pixels of luma or 8×8 samples of chroma, that coding may
leave between scene and video. At the quantiser used the worst blocks of all families differ by 1.8 and 2.2; a tile in
a wrong place differs by 30 or more."""

COARSE_TOLERANCE = 12.0
"""The same for the noisy look, which is encoded more coarsely: of its grain coding takes up to 8.2 levels in the worst
blocks of all families at any size. A tile in a wrong place differs by as much as in the others."""

HEADER = 8
BOXES = (b"ftyp", b"moov", b"free", b"mdat", PADDING)
"""An MP4 file's top level: `free` is an empty one that FFmpeg leaves behind where it moved the index to the front, and
the last one holds the zeros that make the files of a pair equally long."""

METADATA = {
    "major_brand": "isom",
    "minor_version": "512",
    "compatible_brands": "isomiso2avc1mp41",
    "language": "und",
    "handler_name": "VideoHandler",
    "vendor_id": "[0][0][0][0]",
}
"""What FFmpeg's muxer says of every file, in one version or another."""

EXTRA_OF_FRAMES = {"SEI_UNREGISTERED"}
"""What a frame may carry beside its picture: x264's note of its options."""


def video_problems(data: bytes, clip: Clip, scene: Scene) -> Iterator[str]:
    """What is wrong with a video file; its pictures are looked at where its form is right."""
    import av

    boxes = dict(_boxes(data))
    padding = data[len(data) - boxes[PADDING] + HEADER :] if PADDING in boxes else b""
    if sum(boxes.values()) != len(data) or any(padding) or list(boxes) != [box for box in BOXES if box in boxes]:
        yield f"is no whole MP4 file of {', '.join(box.decode() for box in BOXES)} and no more"
        return
    try:
        # From memory and as MP4 alone, so that no text in it can make FFmpeg open anything else.
        with av.open(BytesIO(data), "r", format="mp4", metadata_errors="replace") as container:
            problems = [*_form_problems(container, clip)]
            if not problems:
                problems = [*_frame_problems(container, clip, scene, boxes.get(b"mdat", 0) - HEADER)]
    except (av.FFmpegError, EOFError, ValueError, OverflowError) as error:
        problems = [f"cannot be decoded: {getattr(error, 'strerror', None) or error}"]
    yield from problems


def _boxes(data: bytes) -> Iterator[tuple[bytes, int]]:
    """(kind, size in bytes) of the boxes at the file's top level, up to the first that is none or is there twice."""
    seen: set[bytes] = set()
    start = 0
    while start + HEADER <= len(data):
        size, kind = int.from_bytes(data[start : start + 4]), data[start + 4 : start + HEADER]
        if size < HEADER or kind in seen or (kind == b"free" and size > HEADER):
            return
        seen.add(kind)
        yield kind, size
        start += size


def _form_problems(container: "av.container.InputContainer", clip: Clip) -> Iterator[str]:
    """What the headers say that they should not."""
    if len(container.streams) != 1 or len(container.streams.video) != 1:
        kinds = ", ".join(stream.type for stream in container.streams)
        yield f"has the streams {kinds or 'none'} where one video belongs"
        return
    stream = container.streams.video[0]
    for name, value in (*container.metadata.items(), *stream.metadata.items()):
        if METADATA.get(name) != value:
            yield f"carries a text that the generator does not write: {name}={value[:60]!r}"
    if container.chapters():
        yield "has chapters"
    context = stream.codec_context
    square = (None, 0, 1)
    form: dict[str, tuple[Any, Any]] = {
        "codec": (context.name, "h264"),
        "pixel format": (context.pix_fmt, "yuv420p"),
        "width": (context.width, clip.width),
        "height": (context.height, clip.height),
        "frame rate": (stream.average_rate, clip.fps),
        "number of frames": (stream.frames, clip.frames),
        "duration in seconds": ((stream.duration or 0) * (stream.time_base or 0), Fraction(clip.frames, clip.fps)),
        "colour matrix (1 is BT.709)": (int(context.colorspace), 1),
        "colour primaries (1 is BT.709)": (int(context.color_primaries), 1),
        "colour transfer (1 is BT.709)": (int(context.color_trc), 1),
        "colour range (1 is limited)": (int(context.color_range), 1),
        "pixel aspect ratio": (1 if stream.sample_aspect_ratio in square else stream.sample_aspect_ratio, 1),
    }
    for name, (found, expected) in form.items():
        if found != expected:
            yield f"the {name} is {found}, not {expected}"


def _frame_problems(container: "av.container.InputContainer", clip: Clip, scene: Scene, payload: int) -> Iterator[str]:
    """The first frame that is not where and what it should be; and bytes that belong to none."""
    stream = container.streams.video[0]
    stream.thread_count = 1
    stream.codec_context.options = {"err_detect": "explode"}
    pictures = _Pictures(scene)
    ticks = 1 / (clip.fps * (stream.time_base or 1))
    count = used = 0
    for packet in container.demux(stream):
        used += packet.size
        for frame in packet.decode():
            problem = _frame_problem(frame, round(count * ticks)) or (
                pictures.problem(count, frame) if count < clip.frames else None
            )
            if problem:
                yield f"frame {count} {problem}"
                return
            count += 1
    if count != clip.frames:
        yield f"has {count} frames where {clip.frames} are named"
    elif used != payload:
        yield f"holds {payload - used} bytes that belong to no frame"


def _frame_problem(frame: "av.VideoFrame", pts: int) -> str | None:
    if frame.pts != pts:
        return "is not shown at its time"
    if frame.is_corrupt:
        return "is damaged"
    extra: Any = frame.side_data
    if any(extra[number].type.name not in EXTRA_OF_FRAMES for number in range(len(extra))):
        return "carries more than its picture"
    return None


class _Pictures:
    """The scene's frames, painted one after the other beside those of a video."""

    def __init__(self, scene: Scene) -> None:
        from generators.rendering.cpu import Painter
        from generators.rendering.video import frame_and_planes
        from verifier.blocks import Blocks

        self.scene = scene
        self.frame, self.planes = frame_and_planes(scene.width, scene.height, scene.fps)
        self.painter = Painter(scene, self.planes)
        # Both chroma planes as one, the second below the first.
        self.below = (scene.height, scene.width // 2)
        self.luma = Blocks(scene.height, scene.width, BLOCK)
        self.chroma = Blocks(*self.below, BLOCK // 2)
        self.last: tuple[Any, NDArray[np.uint8]] | None = None

    def problem(self, index: int, frame: "av.VideoFrame") -> str | None:
        """What is wrong with the picture of frame `index`, told by the worst block of the three planes."""
        import numpy as np

        height, width = self.scene.height, self.scene.width
        if (frame.format.name, frame.height, frame.width) != ("yuv420p", height, width):
            return f"is {frame.width}×{frame.height} in {frame.format.name}"
        picture = frame.to_ndarray().astype(np.uint8, copy=False)
        if self._is_unchanged(self.scene.placements(index), picture):
            return None
        self.painter.paint(index)
        luma, chroma = self.planes
        worst = max(
            self.luma.worst_difference(picture[:height], luma),
            self.chroma.worst_difference(picture[height:].reshape(self.below), chroma.reshape(self.below)),
        )
        tolerance = PICTURE_TOLERANCE if self.scene.quantiser <= QUANTISER else COARSE_TOLERANCE
        return f"does not show the plan: somewhere it differs by {worst:.0f} levels" if worst > tolerance else None

    def _is_unchanged(self, placements: Any, picture: "NDArray[np.uint8]") -> bool:
        import numpy as np

        last, self.last = self.last, (placements, picture)
        return last is not None and last[0] is placements and np.array_equal(last[1], picture)
