"""Which renderer draws: the CPU painter or a GPU, as asked for, and why."""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeVar, get_args

from generators.errors import printable
from generators.rendering.cpu import Painter, Plane
from generators.rendering.scene import Scene

RendererChoice = Literal["auto", "cpu", "gpu"]
RENDERER_CHOICES: tuple[RendererChoice, ...] = get_args(RendererChoice)

ELSE_CPU = ", else cpu"
"""What ends the name of a GPU that was not asked for by name: an item that it fails at is drawn by the CPU painter."""

DEVICE_FILES = ("dri/renderD*", "nvidia[0-9]*", "dxg", "kfd", "mali*")
"""What stands in /dev on Linux where there is a GPU; looking costs nothing, asking a driver a tenth of a second."""


@dataclass(frozen=True, slots=True)
class Renderer:
    """What draws frames: its name as the manifest has it, and for a GPU the number of its device, if one is known."""

    name: str = "cpu"
    device_index: int | None = None

    @property
    def is_gpu(self) -> bool:
        return self.name != CPU.name

    def paint(self, scene: Scene, planes: Sequence[Plane], indices: Iterable[int]) -> Iterator[int]:
        """Bring `planes`, one of RGB or two of Y'CbCr, to each frame in turn; the index each time. Raises GpuError."""
        if not self.is_gpu:
            painter = Painter(scene, planes)
            for index in indices:
                painter.paint(index)
                yield index
            return
        from generators.rendering.gpu import GpuPainter, open_device

        height, planar = scene.height, len(planes) == 2
        shown: Any = None
        for index, picture in GpuPainter(open_device(self.device_index), scene, planar=planar).pictures(indices):
            if picture is not shown:
                shown = picture
                planes[0][...] = picture[:height]
                if planar:
                    planes[1][...] = picture[height:].reshape(planes[1].shape)
            yield index


CPU = Renderer()


def choose(wanted: RendererChoice, device_index: int | None = None) -> tuple[Renderer, str]:
    """The renderer and, where there is something to say, why it is this one or what to mind about it.

    `auto` takes a real GPU where one answers and the CPU painter else, and never a software GL; `gpu` takes what EGL
    offers. Raises GpuError where `gpu` cannot be had.
    """
    if wanted == "cpu":
        return CPU, ""
    if wanted == "auto" and device_index is None and not has_device_file():
        return CPU, "no GPU is present"
    from generators.rendering.gpu import GpuError, close_device, open_device

    try:
        device = open_device(device_index)
    except GpuError as error:
        if wanted == "gpu":
            raise
        return CPU, str(error)
    if wanted == "gpu":
        warning = f"{device.name} is no GPU: OpenGL is drawn by software here, which the cpu renderer outruns"
        return Renderer(device.description, device.number), warning if device.is_software else ""
    if device.is_software:
        close_device()
        return CPU, f"{device.name} is no GPU"
    return Renderer(device.description + ELSE_CPU, device.number), ""


def has_device_file(folder: Path = Path("/dev")) -> bool:
    """Whether the machine may have a GPU; elsewhere than on Linux nobody knows without asking."""
    return sys.platform != "linux" or any(True for pattern in DEVICE_FILES for _ in folder.glob(pattern))


Result = TypeVar("Result")


def with_fallback(renderer: Renderer, work: Callable[[Renderer], Result]) -> Result:
    """Do the work, or where a GPU that may be replaced fails at it, all of it again with the CPU painter.

    Never a part of it, so that frames which are compared come from one renderer.
    """
    if not renderer.name.endswith(ELSE_CPU):
        return work(renderer)
    from generators.rendering.gpu import GpuError

    try:
        return work(renderer)
    except GpuError as error:
        print(f"warning: {printable(str(error))}; the cpu renderer draws this item", file=sys.stderr)  # noqa: T201
        return work(CPU)
