"""The GPU painter: the sprites of the CPU painter, placed by OpenGL without a display, many frames at once.

A batch of frames is one buffer of placements, drawn into tiles of one texture and read back through a ring of pixel
buffers, so that the GPU draws while earlier frames are encoded. Luma and chroma are blended apart, as on the CPU.
"""

import atexit
import ctypes
import importlib
import os
import re
import struct
import sys
import threading
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from math import floor
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from generators.errors import InputError
from generators.rendering.cpu import YUV_MATRIX, YUV_OFFSET
from generators.rendering.scene import Placement, Scene, Sprite
from generators.rendering.sprites import rasterise

MEAN_TOLERANCE, COMMON_TOLERANCE, COMMON_SHARE = 1.0, 4, 0.995
"""How far the two painters' frames may differ, in levels: by the first in the mean, and by the second in all but a few
of the values, of which the third says how many; over any block by what the verifier lets coding change."""

BATCH = 64
"""Frames in one submission, where the textures are high enough."""

RING = 3
"""Batches on their way back while further ones are drawn."""

ATLAS_WIDTH = 4096
SOFTWARE = ("llvmpipe", "softpipe", "swrast", "swiftshader", "software rasterizer", "basic render driver")
"""What drivers call themselves that draw on the CPU."""

LIBRARIES = (
    ("libegl", "GLCONTEXT_LINUX_LIBEGL", ("libEGL.so.1",), "libegl1"),
    ("libgl", "GLCONTEXT_LINUX_LIBGL", ("libGL.so.1", "libOpenGL.so.0"), "libgl1"),
)
"""moderngl's name of a library, the variable that replaces it, its file names, and the package of Debian and Ubuntu."""

MOST_DEVICES = 16


class GpuError(InputError):
    """The GPU cannot be used, or no longer; the message says why and what to do."""


class NoSuchDeviceError(GpuError):
    """EGL has fewer devices than that."""


# ---------------------------------------------------------------------------------------------------- contexts


def _new_context(number: int) -> Any:
    """An OpenGL context on EGL device `number`; no other place makes one. Raises GpuError."""
    if sys.platform != "linux":
        raise GpuError("the GPU renderer draws by EGL, which only Linux has: use --renderer cpu")
    try:
        moderngl = importlib.import_module("moderngl")
    except ImportError:
        raise GpuError(
            "the GPU renderer needs moderngl: install it with python -m pip install 'proofreel[gpu]'"
        ) from None
    libraries = {name: _library(variable, files, package) for name, variable, files, package in LIBRARIES}
    # So that Mesa does not write to standard error what is said in the exception below.
    os.environ.setdefault("EGL_LOG_LEVEL", "fatal")
    try:
        context = moderngl.create_context(require=330, standalone=True, backend="egl", device_index=number, **libraries)
    except Exception as error:  # glcontext raises nothing narrower
        raise _plain(error, number) from None
    context.disable_direct(GL_DITHER)
    return context


GL_DITHER = 0x0BD0


def _library(variable: str, names: Sequence[str], package: str) -> str:
    """The first of a library's file names that loads."""
    given = os.environ.get(variable)
    for name in (given,) if given else names:
        with suppress(OSError):
            ctypes.CDLL(name)
            return name
    raise GpuError(
        f"the GPU renderer needs {names[0]}, which cannot be loaded: install the package that has it "
        f"(on Debian and Ubuntu: apt install {package})"
    )


def _plain(error: Exception, number: int) -> GpuError:
    found = re.search(r"found (\d+) devices", str(error))
    if found is None:
        return GpuError(
            f"EGL cannot draw on device {number} ({error}): install the GPU's driver, or for a software one the "
            "packages libegl-mesa0 and libgl1-mesa-dri"
        )
    if int(found[1]) == 0:
        return GpuError(
            "EGL finds no driver: install the GPU's (NVIDIA's has libEGL_nvidia.so.0), or for a software one the "
            "packages libegl-mesa0 and libgl1-mesa-dri"
        )
    return NoSuchDeviceError(f"EGL has no device {number}: it finds {found[1]}, numbered from 0")


class _Open(NamedTuple):
    """The process's one context, and who may use it."""

    device: "Device"
    process: int
    thread: int


_open: _Open | None = None


def open_device(number: int | None = None) -> "Device":
    """The process's device, opened where it is not: EGL device `number`, or the first real GPU, else a software one.

    A context lives in one thread of one process: in another thread, or in a fork of a process that has one, this
    raises GpuError, as it does where nothing can be opened.
    """
    global _open
    if _open is not None:
        if _open.process != os.getpid():
            raise GpuError("a process that has used the GPU cannot be forked: start its workers with spawn")
        if _open.thread != threading.get_ident():
            raise GpuError("the GPU renderer works only in the thread that used it first")
        if number in (None, _open.device.number):
            return _open.device
        close_device()
    device = _first_device() if number is None else _device(number)
    _open = _Open(device, os.getpid(), threading.get_ident())
    return device


def _first_device() -> "Device":
    """The first device that is a real GPU, else the first that answers."""
    software: int | None = None
    problem: GpuError | None = None
    for number in range(MOST_DEVICES):
        try:
            device = _device(number)
        except GpuError as error:
            problem = problem or error
            if isinstance(error, NoSuchDeviceError):
                break
            continue
        if not device.is_software:
            return device
        # Only one context at a time, so that there is never a question which one is current.
        device.release()
        software = number if software is None else software
    if software is None:
        assert problem is not None
        raise problem
    return _device(software)


def _device(number: int) -> "Device":
    with _speaking_plainly():
        return Device(_new_context(number), number)


def close_device() -> None:
    """Release the process's context and all that belongs to it; the next use opens a new one."""
    global _open
    if _open is None or (_open.process, _open.thread) != (os.getpid(), threading.get_ident()):
        return
    device, _open = _open.device, None
    device.release()


atexit.register(close_device)


@contextmanager
def _speaking_plainly() -> Iterator[None]:
    """What OpenGL refuses, as a GpuError; the context is closed, since it may be lost."""
    try:
        yield
    except GpuError:
        close_device()
        raise
    except Exception as error:
        if type(error).__module__ != "_moderngl":
            raise
        close_device()
        raise GpuError(f"the GPU cannot draw: {error}; {ADVICE}") from None


ADVICE = "lower --resolution, use fewer --workers, or use --renderer cpu"
FAILURES = {
    "GL_OUT_OF_MEMORY": f"the GPU is out of memory: {ADVICE}",
    "GL_CONTEXT_LOST": "the GPU's driver was reset: run the same command again to go on, or use --renderer cpu",
}


class Device:
    """An OpenGL context with all that outlives a clip: programs, the atlas, and the textures that are drawn on."""

    def __init__(self, context: Any, number: int) -> None:
        self.context, self.number, self.is_open = context, number, True
        self.name = " ".join(re.sub(r"[^ -~]", " ", str(context.info["GL_RENDERER"])).split())[:LONGEST_NAME].strip()
        self.is_software = any(name in self.name.lower() for name in SOFTWARE)
        self.side: int = min(context.info["GL_MAX_TEXTURE_SIZE"], *context.info["GL_MAX_VIEWPORT_DIMS"])
        self.atlas = Atlas(context, self.side)
        self.programs = {kind: _program(context, kind) for kind in ("RGB", "LUMA", "CHROMA")}
        self.copies = {kind: _compiled(context, COPY_VERTEX, COPY_FRAGMENT, kind) for kind in ("THREE", "HALVES")}
        self.copiers = {kind: context.vertex_array(program, []) for kind, program in self.copies.items()}
        self.resting = context.framebuffer([context.texture((1, 1), 1)])
        self._canvas: Canvas | None = None
        self._instances: Any = None
        self._quads: dict[str, Any] = {}
        self.check()

    @property
    def description(self) -> str:
        """How the manifest names it; a software GL is called what it is."""
        return f"gpu (software): {self.name}" if self.is_software else f"gpu: {self.name}"

    def check(self) -> None:
        """Raises GpuError where OpenGL has an error to report."""
        error = self.context.error
        if error != "GL_NO_ERROR":
            raise GpuError(FAILURES.get(error, f"the GPU's driver reports {error}: use --renderer cpu"))

    def canvas(self, width: int, height: int, planar: bool, frames: int) -> "Canvas":
        """Textures for at least so many frames or as many as fit; those of the last clip where they will do."""
        frames = max(1, min(frames, BATCH, self.side // Canvas.rows_of(height, planar)))
        kept = self._canvas
        if kept is None or kept.form != (width, height, planar) or kept.frames < frames:
            if kept is not None:
                kept.release()
            self._canvas = None
            self._canvas = kept = Canvas(self, width, height, planar, frames)
        return kept

    def load(self, instances: NDArray[np.void]) -> None:
        """Bring placements into the buffer that the next draws read."""
        size = max(instances.nbytes, 1)
        if self._instances is None or self._instances.size < size:
            self._release_quads()
            self._instances = self.context.buffer(reserve=2 * size)
            layout = (self._instances, "4i2 1u4 1u2 1u2 /i", "box", "first", "opacity", "slot")
            self._quads = {kind: self.context.vertex_array(one, [layout]) for kind, one in self.programs.items()}
        if instances.nbytes:
            # A fresh store, so that nothing waits for the draws that still read the old one.
            self._instances.orphan()
            self._instances.write(instances)

    def draw(self, kind: str, count: int, target: Any, canvas: tuple[int, int], rows: int) -> None:
        """Blend the loaded placements into a framebuffer of tiles of `rows` rows."""
        if not count:
            return
        program = self.programs[kind]
        program["canvas"], program["rows"], program["target"] = canvas, rows, target.size
        self.atlas.texture.use(0)
        target.use()
        self.context.enable_only(BLEND)
        self.context.blend_func = ONE, ONE_MINUS_SOURCE_ALPHA
        self._quads[kind].render(TRIANGLE_STRIP, vertices=4, instances=count)

    def copy(self, kind: str, count: int, source: Any, target: Any, place: tuple[int, int, int]) -> None:
        """Write a texture's values into each tile of a framebuffer; `place` is a tile's (rows, first, end)."""
        program = self.copies[kind]
        program["tile"], program["target"] = place, target.size
        source.use(0)
        target.use()
        self.context.enable_only(0)
        self.copiers[kind].render(TRIANGLE_STRIP, vertices=4, instances=count)

    def _release_quads(self) -> None:
        for one in self._quads.values():
            one.release()
        self._quads = {}
        if self._instances is not None:
            self._instances.release()
            self._instances = None

    def release(self) -> None:
        """Release all of it; the device is of no more use."""
        self.is_open = False
        self._release_quads()
        if self._canvas is not None:
            self._canvas.release()
        owned = (*self.copiers.values(), *self.copies.values(), *self.programs.values())
        for one in (*owned, self.atlas.texture, *self.resting.color_attachments, self.resting):
            one.release()
        self.context.release()


LONGEST_NAME = 100
BLEND, TRIANGLE_STRIP, ONE, ONE_MINUS_SOURCE_ALPHA = 1, 5, 1, 0x0303
"""OpenGL's and moderngl's numbers, since moderngl is loaded only where it is used."""

# ---------------------------------------------------------------------------------------------------- what is drawn on


class Canvas:
    """Textures for a batch of frames, one below the other, and what is read back of them: `packed`, one byte a value.

    Its rows of one frame are those of `frame_and_planes`, or of RGB pixels.
    """

    def __init__(self, device: Device, width: int, height: int, planar: bool, frames: int) -> None:
        self.device, self.form, self.frames = device, (width, height, planar), frames
        self.width, self.height, self.planar = width, height, planar
        self.rows = self.rows_of(height, planar)
        self.row_bytes = width if planar else 3 * width
        context = device.context
        self._textures = [context.texture((self.row_bytes, self.rows * frames), 1)]
        self._textures.append(
            context.texture((width // 2, height // 2 * frames), 2)
            if planar
            else context.texture((width, height * frames), 4)
        )
        self.packed, self.drawn = (context.framebuffer([texture]) for texture in self._textures)
        device.check()

    @staticmethod
    def rows_of(height: int, planar: bool) -> int:
        return height * 3 // 2 if planar else height

    def draw(self, instances: NDArray[np.void], frames: int, background: Sequence[float]) -> None:
        """Draw placements, each in the tile that it names, over the background: RGB, or luma and both chromas."""
        device, size = self.device, (self.width, self.height)
        device.load(instances)
        count = len(instances)
        if self.planar:
            # Luma goes straight to where it is read back; the chromas lie side by side in another texture first.
            luma, blue, red = background
            self.packed.clear(luma, viewport=(0, 0, self.width, self.rows * frames))
            self.drawn.clear(blue, red, viewport=(0, 0, self.width // 2, self.height // 2 * frames))
            device.draw("LUMA", count, self.packed, size, self.rows)
            device.draw("CHROMA", count, self.drawn, size, self.height // 2)
        else:
            self.drawn.clear(*background, 1.0, viewport=(0, 0, self.width, self.height * frames))
            device.draw("RGB", count, self.drawn, size, self.height)

    def pack(self, frames: int) -> None:
        """Bring what is not there yet into `packed`."""
        kind, first = ("HALVES", self.height) if self.planar else ("THREE", 0)
        self.device.copy(kind, frames, self._textures[1], self.packed, (self.rows, first, self.rows))

    def read_into(self, buffer: Any, frames: int) -> None:
        """Have the first frames copied into a pixel buffer, without waiting for it."""
        area = (0, 0, self.row_bytes, self.rows * frames)
        self.packed.read_into(buffer, viewport=area, components=1, alignment=1)

    def release(self) -> None:
        # moderngl goes back to the framebuffer that was in use, which must then still be there.
        self.device.resting.use()
        for one in (self.packed, self.drawn, *self._textures):
            one.release()


class Atlas:
    """Sprites' pixels one behind the other, in reading order, in one texture that grows and is emptied when full."""

    def __init__(self, context: Any, side: int, rows: int = 512) -> None:
        self.context = context
        self.most_rows = side
        self.texture = context.texture((ATLAS_WIDTH, rows), 4)
        self.generation = 0
        """Goes up when all places are given up."""
        self._places: dict[tuple[Sprite, float, float], tuple[int, int, int]] = {}
        self._pending: list[NDArray[np.uint8]] = []
        self._written = self._used = 0

    @property
    def is_crowded(self) -> bool:
        """Whether it is half as full as it may ever be, which leaves a batch ample room."""
        return self._used > ATLAS_WIDTH * self.most_rows // 2

    def tidy(self) -> None:
        """Give up all places if it is crowded."""
        if self.is_crowded:
            self._places.clear()
            self._pending.clear()
            self._written = self._used = 0
            self.generation += 1

    def place(self, sprite: Sprite, scale: float, angle: float) -> tuple[int, int, int]:
        """(first pixel, width, height) of a sprite as the CPU painter would put it."""
        key = (sprite, scale, angle)
        place = self._places.get(key)
        if place is None:
            pixels = rasterise(sprite, scale, angle)
            height, width = pixels.shape[:2]
            place = self._places[key] = (self._used, width, height)
            self._pending.append(pixels)
            self._used += width * height
        return place

    def upload(self) -> None:
        """Bring into the texture what was placed since the last time. Raises GpuError where that is too much."""
        if not self._pending:
            return
        first, end = self._written // ATLAS_WIDTH, -(-self._used // ATLAS_WIDTH)
        if end > self.texture.height:
            self._grow(end)
        block = np.zeros((end - first) * ATLAS_WIDTH * 4, dtype=np.uint8)
        filled = 0
        for pixels in self._pending:
            block[filled : filled + pixels.size] = pixels.reshape(-1)
            filled += pixels.size
        self.texture.write(block, viewport=(0, first, ATLAS_WIDTH, end - first))
        self._pending.clear()
        self._written = self._used = end * ATLAS_WIDTH

    def _grow(self, rows: int) -> None:
        if rows > self.most_rows:
            raise GpuError(f"a frame has more different sprites than the GPU's atlas holds: {ADVICE}")
        old = self.texture
        self.texture = self.context.texture((ATLAS_WIDTH, min(self.most_rows, max(rows, 2 * old.height))), 4)
        self.texture.write(old.read(), viewport=(0, 0, ATLAS_WIDTH, old.height))
        old.release()


# ---------------------------------------------------------------------------------------------------- painting

INSTANCE = np.dtype([("box", "<i2", 4), ("first", "<u4"), ("opacity", "<u2"), ("slot", "<u2")])
RECORD = struct.Struct("<4hIHH")
"""One placement in the buffer, to numpy and to the record that is kept of it; its slot is filled in later."""

MOST_RECORDS = 100_000
_DEPTH = attrgetter("depth")


@dataclass(frozen=True, slots=True)
class Batch:
    """Frames drawn together: `slots[i]` is the tile that shows frame `indices[i]`."""

    indices: list[int]
    slots: list[int]
    tiles: int


class _Records(dict[Placement, bytes]):
    """Placements as the GPU reads them, made when first asked for."""

    def __init__(self, painter: "GpuPainter") -> None:
        self._painter = painter

    def __missing__(self, placement: Placement) -> bytes:
        record = self[placement] = self._painter.record(placement)
        return record


class GpuPainter:
    """Paints frames of one scene: as RGB, or with `planar` as Y'CbCr 4:2:0, limited range, BT.709."""

    def __init__(self, device: Device, scene: Scene, *, planar: bool) -> None:
        self.device, self.scene, self.planar = device, scene, planar
        self._background = _background(scene, planar)
        self._generation = device.atlas.generation
        self._records = _Records(self)
        self._places: dict[tuple[int, float, float], tuple[int, int, int]] = {}

    def pictures(self, indices: Iterable[int]) -> Iterator[tuple[int, NDArray[np.uint8]]]:
        """(index, picture) of each frame in the order asked for.

        A picture is (height, width, 3), or (height · 3 / 2, width) with luma, Cb and Cr one behind the other; it is the
        painter's own and good until the next is asked for. Frames that stand still are one array. Raises GpuError.
        """
        wanted = list(indices)
        under_way: deque[tuple[Batch, Any]] = deque()
        buffers: list[Any] = []
        try:
            with _speaking_plainly():
                for batch in self.batches(wanted):
                    if len(buffers) < RING:
                        buffers.append(self._new_buffer(len(wanted)))
                    else:
                        buffers.append(buffers.pop(0))
                    self.read_back(batch, buffers[-1])
                    under_way.append((batch, buffers[-1]))
                    if len(under_way) == RING:
                        yield from self._collected(*under_way.popleft())
                while under_way:
                    yield from self._collected(*under_way.popleft())
        finally:
            if self.device.is_open:
                for buffer in buffers:
                    buffer.release()

    def buffered(self, indices: Iterable[int]) -> Iterator[tuple[Batch, Any]]:
        """The frames batch by batch, each in the same pixel buffer, tile behind tile, for who reads it on the GPU.

        What is read of a batch must be read before the next is asked for. Raises GpuError.
        """
        wanted = list(indices)
        buffer: Any = None
        try:
            with _speaking_plainly():
                for batch in self.batches(wanted):
                    buffer = buffer or self._new_buffer(len(wanted))
                    self.read_back(batch, buffer)
                    yield batch, buffer
        finally:
            if buffer is not None and self.device.is_open:
                buffer.release()

    def batches(self, indices: Iterable[int]) -> "Iterator[Batch]":
        """Draw the frames, batch by batch, without reading them back; each is good until anything else is drawn."""
        wanted = list(indices)
        most = self._tiles(len(wanted))
        start = 0
        while start < len(wanted):
            self._tidy()
            records: list[bytes] = []
            slots: list[int] = []
            last: Sequence[Placement] | None = None
            for index in wanted[start:]:
                listed = self.scene.placements(index)
                if listed is not last:
                    if len(records) == most or (records and self.device.atlas.is_crowded):
                        break
                    records.append(b"".join(map(self._records.__getitem__, sorted(listed, key=_DEPTH))))
                    last = listed
                slots.append(len(records) - 1)
            batch = Batch(wanted[start : start + len(slots)], slots, len(records))
            self._draw(records, most)
            yield batch
            start += len(slots)

    def read_back(self, batch: Batch, buffer: Any) -> None:
        """Have the batch drawn last copied into a pixel buffer, without waiting for it."""
        canvas = self._canvas(batch.tiles)
        canvas.pack(batch.tiles)
        canvas.read_into(buffer, batch.tiles)
        self.device.check()

    def record(self, placement: Placement) -> bytes:
        """A placement as the GPU reads it; nothing where it cannot be seen."""
        atlas, scene = self.device.atlas, self.scene
        key = (placement.sprite, placement.scale, placement.angle)
        place = self._places.get(key)
        if place is None:
            place = self._places[key] = atlas.place(scene.sprites[placement.sprite], placement.scale, placement.angle)
        first, width, height = place
        left = floor(placement.x - width / 2 + 0.5)
        top = floor(placement.y - height / 2 + 0.5)
        opacity = round(placement.opacity * 255)
        if not opacity or left >= scene.width or top >= scene.height or left + width <= 0 or top + height <= 0:
            return b""
        return RECORD.pack(left, top, width, height, first, opacity, 0)

    def _tidy(self) -> None:
        if not self.device.is_open:
            raise GpuError("the GPU was closed while it still had frames to draw")
        atlas = self.device.atlas
        atlas.tidy()
        if atlas.generation != self._generation or len(self._records) > MOST_RECORDS:
            self._generation = atlas.generation
            self._records.clear()
            self._places.clear()

    def _draw(self, records: list[bytes], most: int) -> None:
        instances = np.frombuffer(bytearray().join(records), dtype=INSTANCE)
        counts = [len(record) // RECORD.size for record in records]
        instances["slot"] = np.repeat(np.arange(len(records), dtype=np.uint16), counts)
        self.device.atlas.upload()
        self._canvas(most).draw(instances, len(records), self._background)
        self.device.check()

    def _canvas(self, tiles: int) -> Canvas:
        return self.device.canvas(self.scene.width, self.scene.height, self.planar, tiles)

    def _tiles(self, frames: int) -> int:
        """How many frames a batch holds at most."""
        return max(1, min(frames, BATCH, self.device.side // Canvas.rows_of(self.scene.height, self.planar)))

    def _new_buffer(self, frames: int) -> Any:
        """A pixel buffer that holds any batch of so many frames."""
        values = self.scene.width * self.scene.height * 3 // (2 if self.planar else 1)
        return self.device.context.buffer(reserve=self._tiles(frames) * values)

    def _collected(self, batch: Batch, buffer: Any) -> Iterator[tuple[int, NDArray[np.uint8]]]:
        """The pictures of a batch, as soon as the GPU has copied them."""
        height, width = self.scene.height, self.scene.width
        shape = (height * 3 // 2, width) if self.planar else (height, width, 3)
        pictures = np.empty((batch.tiles, *shape), dtype=np.uint8)
        buffer.read_into(pictures, pictures.nbytes)
        views = list(pictures)
        yield from zip(batch.indices, (views[slot] for slot in batch.slots), strict=True)


def _background(scene: Scene, planar: bool) -> list[float]:
    """The ground's channels as OpenGL takes them, rounded as the CPU painter rounds them."""
    levels = np.array(scene.background, dtype=np.float64)
    if planar:
        levels = np.rint(YUV_MATRIX @ levels + YUV_OFFSET)
    return [float(level) / 255.0 for level in levels]


# ---------------------------------------------------------------------------------------------------- shaders

VERTEX = """
in ivec4 box;  // left, top, width and height in pixels of the canvas
in uint first;
in uint opacity;
in uint slot;
uniform ivec2 canvas;
uniform int rows;  // of a tile
uniform ivec2 target;
flat out ivec4 area;
flat out int start;
flat out float share;

void main() {
    // What reaches beyond the canvas is cut off here, or it would show in the next tile.
    ivec2 low = max(box.xy, 0) / STEP;
    ivec2 high = (min(box.xy + box.zw, canvas) + STEP - 1) / STEP;
    int above = int(slot) * rows;
    vec2 corner = vec2(low + ivec2(gl_VertexID & 1, gl_VertexID >> 1) * (high - low) + ivec2(0, above));
    gl_Position = vec4(corner / vec2(target) * 2.0 - 1.0, 0.0, 1.0);
    area = ivec4(box.xy + ivec2(0, above * STEP), box.zw);
    start = int(first);
    share = float(opacity) / 255.0;
}
"""

FRAGMENT = """
uniform sampler2D atlas;
uniform mat3 matrix;
uniform vec3 offset;
flat in ivec4 area;
flat in int start;
flat in float share;
out vec4 painted;

vec4 pixel(ivec2 at) {
    int place = start + at.y * area.z + at.x;
    return texelFetch(atlas, ivec2(place % ATLAS_WIDTH, place / ATLAS_WIDTH), 0) * share;
}

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy) * STEP - area.xy;
#if defined(RGB)
    painted = pixel(at);
#elif defined(LUMA)
    vec4 colour = pixel(at);
    painted = vec4((matrix * colour.rgb + offset * colour.a).x, 0.0, 0.0, colour.a);
#else
    // A chroma sample is the mean of four pixels; those beside the sprite add nothing and hide nothing.
    vec4 colour = vec4(0.0);
    for (int number = 0; number < 4; number++) {
        ivec2 one = at + ivec2(number & 1, number >> 1);
        if (all(greaterThanEqual(one, ivec2(0))) && all(lessThan(one, area.zw))) {
            colour += pixel(one) * 0.25;
        }
    }
    painted = vec4((matrix * colour.rgb + offset * colour.a).yz, 0.0, colour.a);
#endif
}
"""


def _program(context: Any, kind: str) -> Any:
    """The program that blends sprites: as RGB, as luma, or as both chromas at half the size."""
    program = _compiled(context, VERTEX, FRAGMENT, kind, f"STEP {2 if kind == 'CHROMA' else 1}")
    if kind != "RGB":
        program["matrix"].write(np.ascontiguousarray(YUV_MATRIX.T))
        program["offset"].write(YUV_OFFSET / np.float32(255.0))
    return program


def _compiled(context: Any, vertex: str, fragment: str, *definitions: str) -> Any:
    lines = [f"#define {definition}" for definition in (*definitions, f"ATLAS_WIDTH {ATLAS_WIDTH}")]
    head = "\n".join(["#version 330 core", *lines])
    return context.program(head + vertex, head + fragment)


COPY_VERTEX = """
uniform ivec3 tile;  // its rows, and the first and the end of those that are written
uniform ivec2 target;
flat out int number;

void main() {
    number = gl_InstanceID;
    float row = float(number * tile.x + ((gl_VertexID >> 1) == 0 ? tile.y : tile.z));
    gl_Position = vec4(float(gl_VertexID & 1) * 2.0 - 1.0, row / float(target.y) * 2.0 - 1.0, 0.0, 1.0);
}
"""

COPY_FRAGMENT = """
uniform sampler2D source;
uniform ivec3 tile;
uniform ivec2 target;
flat in int number;
out float value;

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy) - ivec2(0, number * tile.x + tile.y);
#if defined(THREE)
    value = texelFetch(source, ivec2(at.x / 3, at.y + number * tile.x), 0)[at.x % 3];
#else
    // Each chroma plane has half the width, so that two of its rows lie in one row of the frame.
    int lines = (tile.z - tile.y) / 2;
    int place = (at.y % lines) * target.x + at.x;
    int width = target.x / 2;
    value = texelFetch(source, ivec2(place % width, place / width + number * lines * 2), 0)[at.y / lines];
#endif
}
"""
