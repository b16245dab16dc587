"""Scenes as H.264 files: constant quantiser, one thread a clip, BT.709 tagged, index at the front."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from generators.rendering.cpu import Plane
from generators.rendering.renderers import CPU, Renderer
from generators.rendering.scene import QUANTISER, Placement, Scene

if TYPE_CHECKING:
    from collections.abc import Iterator

    import av
    from av.video.frame import PictureType

ENCODER = "libx264"
ENCODER_OPTIONS = {"preset": "ultrafast", "qp": str(QUANTISER), "forced-idr": "1"}
"""A constant quantiser keeps a frame's look independent of what came before; faster and smaller than a constant rate
factor at this preset. One thread a clip, because the number of threads changes the bytes."""

INDEPENDENT_OPTIONS = {"g": "1"}
"""Every frame a key frame, so that equal pictures are equal after decoding, wherever they stand."""

CONTAINER_OPTIONS = {"movflags": "+faststart+write_colr", "fflags": "+bitexact"}
BT709 = 1
LIMITED_RANGE = 1
"""Code points of ITU-T H.273 for primaries, transfer and matrix; limited range as FFmpeg numbers it."""


@contextmanager
def open_stream(
    path: Path, width: int, height: int, fps: int, *, independent_frames: bool = False, quantiser: int = QUANTISER
) -> "Iterator[tuple[av.container.OutputContainer, av.VideoStream]]":
    """An MP4 file and its one H.264 stream, set up as every clip's is."""
    import av

    options = ENCODER_OPTIONS | {"qp": str(quantiser)} | (INDEPENDENT_OPTIONS if independent_frames else {})
    with av.open(str(path), "w", format="mp4", options=CONTAINER_OPTIONS) as container:
        stream = container.add_stream(ENCODER, rate=fps, options=options)
        assert isinstance(stream, av.VideoStream)
        stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
        context = stream.codec_context
        context.thread_count = 1
        context.color_primaries = context.color_trc = context.colorspace = BT709
        context.color_range = LIMITED_RANGE
        yield container, stream


def frame_and_planes(width: int, height: int, fps: int) -> "tuple[av.VideoFrame, tuple[Plane, Plane]]":
    """A yuv420p frame and writable views of its luma (height, width) and chroma (2, height / 2, width / 2).

    Both sides must be multiples of 4, since the frame is laid over one array of height · 3 / 2 rows.
    """
    import av

    rows = np.empty((height * 3 // 2, width), dtype=np.uint8)
    frame = av.VideoFrame.from_numpy_buffer(rows, format="yuv420p")
    frame.time_base = Fraction(1, fps)
    return frame, (rows[:height], rows[height:].reshape(2, height // 2, width // 2))


def picture_type(scene: Scene, index: int) -> "PictureType":
    """A key frame where the scene cuts; elsewhere the encoder chooses."""
    from av.video.frame import PictureType

    return PictureType.I if index in scene.cuts else PictureType.NONE


def encode(
    scene: Scene,
    path: Path,
    *,
    independent_frames: bool = False,
    renderer: Renderer = CPU,
    watch: "Callable[[int, av.VideoFrame], None]" = lambda index, frame: None,
) -> None:
    """Write the scene to `path`, overwriting it. The same scene and renderer give the same bytes.

    `watch` is shown every frame on its way to the encoder, with its number; it must keep none.

    Raises OSError where the file cannot be written, and GpuError where a GPU fails.
    """
    form = (scene.width, scene.height, scene.fps)
    shown = [scene.placements(index) for index in range(scene.frames)]
    sources = _sources(shown, MOST_KEPT_BYTES * 2 // (3 * scene.width * scene.height))
    come_again = {source for index, source in enumerate(sources) if source < index and source != sources[index - 1]}
    with open_stream(path, *form, independent_frames=independent_frames, quantiser=scene.quantiser) as (
        container,
        stream,
    ):
        # x264 copies each picture on entry, so one frame is painted over and over, straight into the encoder's input.
        frame, planes = frame_and_planes(*form)
        usual = picture_type(scene, -1)
        painted = [index for index, source in enumerate(sources) if source == index]
        painting = renderer.paint(replace(scene, placements=shown.__getitem__), planes, painted)
        kept: dict[int, av.VideoFrame] = {}
        for first, end in zip(painting, [*painted[1:], scene.frames], strict=True):
            if first in come_again:
                kept[first], copies = frame_and_planes(*form)
                for copy, plane in zip(copies, planes, strict=True):
                    copy[...] = plane
            for index in range(first, end):
                showing = kept.get(sources[index], frame)
                showing.pts = index
                showing.pict_type = picture_type(scene, index) if index in scene.cuts else usual
                watch(index, showing)
                container.mux(stream.encode(showing))
        container.mux(stream.encode(None))


MOST_KEPT_BYTES = 2**26
"""Memory for pictures of a clip that come again: at 512 × 512 there is room for 170."""

WORTH_KEEPING = 3
"""Times that a picture is shown from which on a copy of it takes less time than to paint it anew."""


def _sources(shown: Sequence[Sequence[Placement]], most: int) -> list[int]:
    """The frame to take each frame's picture from: itself where it must be painted, else one that looks the same.

    Besides the frame just before, that is one of at most so many whose pictures come again and again.
    """
    runs = Counter(id(one) for one, before in zip(shown, (None, *shown), strict=False) if one is not before)
    sources: list[int] = []
    kept: dict[int, int] = {}
    for index, one in enumerate(shown):
        if index and one is shown[index - 1]:
            sources.append(sources[-1])
            continue
        if runs[id(one)] >= WORTH_KEEPING and len(kept) < most:
            kept.setdefault(id(one), index)
        sources.append(kept.get(id(one), index))
    return sources


PADDING = b"skip"
"""The kind of MP4 box that players pass over; behind a file's last box it makes the file longer and nothing else."""

BOX_HEADER = 8


def pad_to_equal_size(paths: Sequence[Path]) -> None:
    """Make files of one size of the clips of a pair, by a box of zeros behind all but the largest, if they differ.

    Fast and slow or opening and closing are coded in different numbers of bytes, which would tell them apart.
    """
    sizes = [path.stat().st_size for path in paths]
    if len(set(sizes)) == 1:
        return
    size = max(sizes) + BOX_HEADER
    for path, its_size in zip(paths, sizes, strict=True):
        missing = size - its_size
        with path.open("ab") as file:
            file.write(missing.to_bytes(4, "big") + PADDING + bytes(missing - BOX_HEADER))


def render(
    scene: Scene, indices: Iterable[int], renderer: Renderer = CPU
) -> np.ndarray[tuple[int, int, int, int], np.dtype[np.uint8]]:
    """Frames of a scene as RGB, shape (number of indices, height, width, 3), uint8, in the order asked for."""
    wanted = list(indices)
    frames = np.empty((len(wanted), scene.height, scene.width, 3), dtype=np.uint8)
    canvas = np.empty((scene.height, scene.width, 3), dtype=np.uint8)
    for position, _ in enumerate(renderer.paint(scene, (canvas,), wanted)):
        frames[position] = canvas
    return frames


def encoder_description(quantisers: Mapping[str, int] | None = None) -> dict[str, str]:
    """Which encoder writes the clips, and how; stored in the manifest.

    `quantisers` has, by the name of a look, those that are not the usual one.
    """
    others = {f"qp_{look}": str(quantiser) for look, quantiser in (quantisers or {}).items()}
    form = {"codec": ENCODER, "threads": "1", "pixel_format": "yuv420p"}
    return {**form, **ENCODER_OPTIONS, **others, **CONTAINER_OPTIONS}
