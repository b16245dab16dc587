"""Frames on CUDA: shared with OpenGL where that can be, else copied, and it is said which and why.

There need be no GPU here: a stand-in for cuda-core reads OpenGL's buffers, and tensors stay on the CPU.
"""

import ctypes
import logging
import sys
from collections.abc import Iterator
from types import ModuleType, SimpleNamespace
from typing import Any, Self

import numpy as np
import pytest
import torch

from generators.rendering import cuda, frames, gpu
from generators.rendering.gpu import GpuPainter, close_device, open_device
from generators.rendering.renderers import CPU, Renderer
from generators.rendering.scene import Placement
from tests.generators.rendering.likeness import small_item
from tests.generators.rendering.opengl import on_opengl
from tests.generators.rendering.test_painter import scene_of

ITEM, _ = small_item("speed")


@pytest.fixture(autouse=True)
def _close_at_the_end() -> Iterator[None]:
    yield
    close_device()


class Resource:
    """Stands in for cuda.core.GraphicsResource: maps a buffer by reading it into the host's memory."""

    buffers: dict[int, Any]
    refuses = False
    mapped = unmapped = closed = 0

    def __init__(self, name: int) -> None:
        self.name = name

    @classmethod
    def from_gl_buffer(cls, name: int, *, flags: str, stream: object = None) -> Self:
        assert flags == "read_only" and name > 0
        if cls.refuses:
            raise RuntimeError("CUDA_ERROR_INVALID_DEVICE")
        return cls(name)

    def __enter__(self) -> SimpleNamespace:
        Resource.mapped += 1
        self.content = ctypes.create_string_buffer(self.buffers[self.name].read())
        return SimpleNamespace(handle=ctypes.addressof(self.content))

    def __exit__(self, *error: object) -> None:
        Resource.unmapped += 1

    def close(self) -> None:
        Resource.closed += 1


def tensor_of_host(pointer: int, shape: tuple[int, ...]) -> torch.Tensor:
    memory = (ctypes.c_uint8 * int(np.prod(shape))).from_address(pointer)
    return torch.frombuffer(memory, dtype=torch.uint8).view(shape)


@pytest.fixture
def core(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """A stand-in for cuda.core, and a PyTorch that says it has a device."""
    module = ModuleType("cuda.core")
    kept: dict[int, Any] = {}
    vars(module)["GraphicsResource"] = type("GraphicsResource", (Resource,), {"buffers": kept})
    vars(module)["Device"] = lambda number: SimpleNamespace(set_current=lambda: None)
    vars(module)["LEGACY_DEFAULT_STREAM"] = "the default stream"
    vars(module)["Stream"] = SimpleNamespace(from_handle=lambda handle: f"stream {handle}")
    monkeypatch.setitem(sys.modules, "cuda", ModuleType("cuda"))
    monkeypatch.setitem(sys.modules, "cuda.core", module)
    read_back = GpuPainter.read_back

    def keeping(self: GpuPainter, batch: gpu.Batch, buffer: Any) -> None:
        kept[buffer.glo] = buffer
        read_back(self, batch, buffer)

    monkeypatch.setattr(GpuPainter, "read_back", keeping)
    monkeypatch.setattr(cuda, "mapped_tensor", tensor_of_host)
    monkeypatch.setattr(cuda, "copied", torch.from_numpy)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "current_device", lambda: 0)
    monkeypatch.setattr(torch.cuda, "current_stream", lambda: SimpleNamespace(cuda_stream=0))
    return module


@on_opengl
def test_shared_frames_are_those_that_are_read_back(core: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gpu, "BATCH", 3)
    lists = [[Placement(3, 10.0 + 5 * step, 32)] for step in (0, 1, 2, 2, 3, 4, 1, 0)]
    scene = scene_of([lists[0], lists[0], *lists], 80, 64)
    indices = [4, 0, 1, 4, 9, 8, 7, 2]
    painter = GpuPainter(open_device(), scene, planar=False)
    expected = [picture.copy() for _, picture in painter.pictures(indices)]
    before = Resource.mapped
    seen = cuda.shared(painter, indices, core, device="cpu")
    assert seen.dtype == torch.uint8 and np.array_equal(seen.numpy(), np.stack(expected))
    assert Resource.mapped == Resource.unmapped >= before + 2
    assert cuda.shared(painter, [], core, device="cpu").shape == (0, 64, 80, 3)
    assert open_device().context.error == "GL_NO_ERROR"


@on_opengl
def test_a_gpu_whose_buffers_cuda_reads_shares_them(
    core: ModuleType, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Whatever answers here passes for a GPU."""
    close_device()
    monkeypatch.setattr(gpu, "SOFTWARE", ())
    monkeypatch.setattr(cuda, "shared", lambda painter, indices, core: torch.zeros(len(indices), dtype=torch.uint8))
    with caplog.at_level(logging.INFO, "generators.rendering.cuda"):
        assert frames(ITEM, [0, 5], device="cuda", renderer="gpu").tolist() == [0, 0]
        assert caplog.messages == ["frames stay on the GPU: CUDA reads OpenGL's pixel buffer"]
        averaged = frames(ITEM, [0, 5], device="cuda", renderer="gpu", size=96)
    assert averaged.shape == (2, 96, 96, 3)
    assert caplog.messages[1:] == ["frames are copied to CUDA from pinned memory: they are averaged down on the CPU"]


@on_opengl
def test_a_copy_says_why_it_is_one(core: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    assert cuda.sharing(CPU) == (None, "the cpu renderer draws in the host's memory")
    monkeypatch.setattr(gpu, "SOFTWARE", (open_device().name.lower(),))
    close_device()
    renderer = Renderer("gpu: any", 0)
    assert cuda.sharing(renderer) == (None, f"{open_device(0).name} is no GPU")
    close_device()
    monkeypatch.setattr(gpu, "SOFTWARE", ())
    assert cuda.sharing(renderer) == (core, "")
    monkeypatch.setattr(core.GraphicsResource, "refuses", True)
    _, why = cuda.sharing(renderer)
    assert why.startswith("CUDA cannot read a buffer of ") and why.endswith("(CUDA_ERROR_INVALID_DEVICE)")
    monkeypatch.delattr(core, "GraphicsResource")
    _, too_old = cuda.sharing(renderer)
    monkeypatch.setitem(sys.modules, "cuda.core", None)
    _, missing = cuda.sharing(renderer)
    assert too_old == missing and "install 'cuda-core" in missing
    assert open_device().context.error == "GL_NO_ERROR"


def test_frames_of_the_cpu_painter_are_copied(core: ModuleType, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "generators.rendering.cuda"):
        seen = frames(ITEM, [3, 0], device="cuda")
    assert np.array_equal(seen.numpy(), frames(ITEM, [3, 0]))
    assert caplog.messages == [
        "frames are copied to CUDA from pinned memory: the cpu renderer draws in the host's memory"
    ]
