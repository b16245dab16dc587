"""Frames as PyTorch tensors on CUDA: OpenGL's pixel buffers shared where cuda-core can do that, else a pinned copy.

Which of the two it was, and why, is logged by `generators.rendering.cuda` as information. Sharing has been run with a
stand-in for cuda-core alone, never on a real GPU.
"""

import importlib
import logging
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from generators.errors import InputError
from generators.rendering.renderers import Renderer
from generators.rendering.scene import Scene

if TYPE_CHECKING:
    import torch

    from generators.rendering.gpu import GpuPainter

LOG = logging.getLogger(__name__)


def require_cuda(device: str) -> None:
    """Raises InputError where frames cannot go to a device of this name."""
    if device != "cuda":
        raise InputError(f"device={device!r}: choose cpu or cuda")
    try:
        import torch
    except ImportError:
        raise InputError("device='cuda' needs PyTorch: install it with python -m pip install torch") from None
    if not torch.cuda.is_available():
        raise InputError("device='cuda': PyTorch finds no CUDA device here; use device='cpu'")


def on_cuda(
    scene: Scene, indices: Sequence[int], renderer: Renderer, drawn: Callable[[], NDArray[np.uint8]] | None = None
) -> "torch.Tensor":
    """Frames on PyTorch's current CUDA device: of the scene, or those that `drawn` makes of it in the host's memory."""
    from generators.rendering.video import render

    core, why_copied = (None, "they are averaged down on the CPU") if drawn else sharing(renderer)
    if core is not None:
        from generators.rendering.gpu import GpuPainter, open_device

        LOG.info("frames stay on the GPU: CUDA reads OpenGL's pixel buffer")
        return shared(GpuPainter(open_device(renderer.device_index), scene, planar=False), indices, core)
    LOG.info("frames are copied to CUDA from pinned memory: %s", why_copied)
    return copied(drawn() if drawn else render(scene, indices, renderer))


def sharing(renderer: Renderer) -> tuple[Any, str]:
    """The module cuda.core if it can share the renderer's buffers with PyTorch's device, else None and why not."""
    if not renderer.is_gpu:
        return None, "the cpu renderer draws in the host's memory"
    from generators.rendering.gpu import open_device

    device = open_device(renderer.device_index)
    if device.is_software:
        return None, f"{device.name} is no GPU"
    try:
        core = importlib.import_module("cuda.core")
        resource = core.GraphicsResource
    except (ImportError, AttributeError):
        return None, "no cuda-core that can share buffers is installed (python -m pip install 'cuda-core[cu13]')"
    probe = device.context.buffer(reserve=4)
    try:
        import torch

        core.Device(torch.cuda.current_device()).set_current()
        # Refused where OpenGL draws on another GPU than PyTorch's, or its driver is not NVIDIA's.
        resource.from_gl_buffer(probe.glo, flags="read_only").close()
    except Exception as error:  # cuda-core's errors have no narrower class that is public
        return None, f"CUDA cannot read a buffer of {device.name} ({error})"
    finally:
        probe.release()
    return core, ""


def copied(pictures: NDArray[np.uint8]) -> "torch.Tensor":
    """The pictures, by way of pinned memory."""
    import torch

    return torch.from_numpy(pictures).pin_memory().to("cuda", non_blocking=True)


def shared(painter: "GpuPainter", indices: Sequence[int], core: Any, device: str = "cuda") -> "torch.Tensor":
    """Frames drawn by OpenGL and gathered by CUDA, which never pass through the host. Raises GpuError."""
    import torch

    height, width = painter.scene.height, painter.scene.width
    result = torch.empty((len(indices), height, width, 3), dtype=torch.uint8, device=device)
    handle = torch.cuda.current_stream().cuda_stream
    stream = core.Stream.from_handle(handle) if handle else core.LEGACY_DEFAULT_STREAM
    done = 0
    for batch, buffer in painter.buffered(indices):
        # Mapping waits for what OpenGL was told before, and unmapping makes OpenGL wait for the gathering.
        with core.GraphicsResource.from_gl_buffer(buffer.glo, flags="read_only", stream=stream) as mapped:
            tiles = mapped_tensor(int(mapped.handle), (batch.tiles, height, width, 3))
            result[done : done + len(batch.slots)] = tiles[batch.slots]
        done += len(batch.slots)
    return result


def mapped_tensor(pointer: int, shape: tuple[int, ...]) -> "torch.Tensor":
    """CUDA's memory at a place as a tensor of bytes, without a copy."""
    import torch

    class Mapped:
        __cuda_array_interface__ = {"shape": shape, "typestr": "|u1", "data": (pointer, False), "version": 3}  # noqa: RUF012

    return torch.as_tensor(Mapped(), device="cuda")
