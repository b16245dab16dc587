"""`python -m tests.benchmarks.renderers`: what drawing, conversion, read-back and encoding cost, for each renderer.

All in one run, as times a frame and ratios; the bench of a software OpenGL says nothing about a GPU, and is named.
"""

import argparse
import platform
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

from generators.errors import InputError
from generators.family import family, family_names
from generators.rendering.cpu import Painter
from generators.rendering.gpu import Device, GpuPainter, open_device
from generators.rendering.looks import LOOK_NAMES, dressed
from generators.rendering.renderers import CPU, Renderer
from generators.rendering.scene import Scene
from generators.rendering.video import encode, frame_and_planes, open_stream, picture_type
from generators.sampling import Part, make_items
from generators.settings import LookChoice

ROUNDS = 3
FRAMES = 240


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds a frame of each step; what a step does not have is 0.

    `convert` is what drawing into Y'CbCr planes costs beyond drawing RGB: less than nothing where planes of half the
    bytes outweigh it. Read-back goes on beside drawing and encoding, so `whole` is less than the sum.
    """

    renderer: str
    draw: float
    convert: float
    read_back: float
    encode: float
    whole: float


def best(work: Callable[[], object]) -> float:
    """The least of several rounds: whatever else runs on a machine only ever makes a round slower."""
    times = []
    work()
    for _ in range(ROUNDS):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def scene_of(name: str, resolution: int, look: LookChoice = "plain") -> Scene:
    """A scene of the family's defaults in a look."""
    kind = family(name)
    settings = kind.settings.model_validate({"resolution": resolution})
    item = next(make_items(Part(name, settings, 1), 1))
    return dressed(kind.scene(item.clips[0].plan, settings), look, item.id)


def cpu_seconds(scene: Scene, frames: range, planar: bool) -> float:
    height, width = scene.height, scene.width
    shapes = [(height, width), (2, height // 2, width // 2)] if planar else [(height, width, 3)]
    planes = [np.empty(shape, dtype=np.uint8) for shape in shapes]

    def work() -> None:
        painter = Painter(scene, planes)
        for index in frames:
            painter.paint(index)

    return best(work)


def gpu_seconds(device: Device, scene: Scene, frames: range, planar: bool, read_back: bool) -> float:
    def draw() -> None:
        for _ in GpuPainter(device, scene, planar=planar).batches(frames):
            pass
        device.context.finish()

    def draw_and_read() -> None:
        for _ in GpuPainter(device, scene, planar=planar).pictures(frames):
            pass

    return best(draw_and_read if read_back else draw)


def encode_seconds(scene: Scene, frames: range) -> float:
    """Encoding frames that are ready, and nothing else."""
    ready = []
    for index in frames:
        frame, planes = frame_and_planes(scene.width, scene.height, scene.fps)
        for _ in CPU.paint(scene, planes, [index]):
            frame.pts, frame.pict_type = index, picture_type(scene, index)
        ready.append(frame)

    def work() -> None:
        with (
            tempfile.TemporaryDirectory() as folder,
            open_stream(path_in(folder), scene.width, scene.height, scene.fps, quantiser=scene.quantiser) as (
                container,
                stream,
            ),
        ):
            for frame in ready:
                container.mux(stream.encode(frame))
            container.mux(stream.encode(None))

    return best(work)


def path_in(folder: str) -> Path:
    return Path(folder) / "clip.mp4"


def whole_seconds(scene: Scene, renderer: Renderer) -> float:
    with tempfile.TemporaryDirectory() as folder:
        return best(lambda: encode(scene, path_in(folder), renderer=renderer))


def rendering(scene: Scene, device: Device | None) -> list[Cost]:
    """What each renderer costs for a scene, step by step."""
    frames = range(min(scene.frames, FRAMES))
    count = len(frames)
    encoding = encode_seconds(scene, frames) / count
    rgb, planes = (cpu_seconds(scene, frames, planar) / count for planar in (False, True))
    costs = [Cost(CPU.name, rgb, planes - rgb, 0.0, encoding, whole_seconds(scene, CPU) / scene.frames)]
    if device is not None:
        rgb, planes = (gpu_seconds(device, scene, frames, planar, False) / count for planar in (False, True))
        read = gpu_seconds(device, scene, frames, True, True) / count
        whole = whole_seconds(scene, Renderer(device.description, device.number)) / scene.frames
        costs.append(Cost(device.description, rgb, planes - rgb, read - planes, encoding, whole))
    return costs


def looks_table(name: str, resolution: int) -> Table:
    """Whole clips a second in every look, drawn and encoded, against the plain one in the same run."""
    table = Table("look", "frames/s", "÷ plain", "painted/s", "first round", "MB a clip", title=f"looks of {name}, cpu")
    plain = 0.0
    for look in LOOK_NAMES:
        scene = scene_of(name, resolution, look)
        with tempfile.TemporaryDirectory() as folder:
            start = time.perf_counter()
            encode(scene, path_in(folder))
            first = time.perf_counter() - start
            size = path_in(folder).stat().st_size
        speed = 1 / (whole_seconds(scene, CPU) / scene.frames)
        plain = plain or speed
        frames = range(min(scene.frames, FRAMES))
        painted = len(frames) / cpu_seconds(scene, frames, planar=True)
        speeds = (f"{speed:,.0f}", f"{speed / plain:.2f}", f"{painted:,.0f}", f"{scene.frames / first:,.0f}")
        table.add_row(look, *speeds, f"{size / 1e6:.2f}")
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--family", action="append", choices=family_names(), help="which families (default: number)")
    parser.add_argument("--look", action="append", choices=LOOK_NAMES, help="in which looks (default: plain)")
    parser.add_argument("--resolution", type=int, default=512, help="pixels of a side (default: 512)")
    parser.add_argument("--looks", action="store_true", help="only compare the looks with each other, on the CPU")
    options = parser.parse_args()
    if options.looks:
        for name in options.family or ["number", "speed"]:
            Console(width=120).print(looks_table(name, options.resolution))
        return
    device: Device | None = None
    reason = ""
    try:
        device = open_device()
    except InputError as error:
        reason = f"; no OpenGL: {error}"
    title = (
        f"µs a frame at {options.resolution}², {platform.machine()}, Python {platform.python_version()}, {date.today()}"
    )
    steps = ("draw", "convert", "read-back", "encode", "whole clip", "drawn/s", "drawn ÷ cpu", "whole ÷ encode")
    table = Table("family", "look", "renderer", *steps, title=title + reason)
    asked = [(name, look) for name in options.family or ["number"] for look in options.look or ["plain"]]
    for name, look in asked:
        costs = rendering(scene_of(name, options.resolution, look), device)
        first = costs[0].draw + costs[0].convert
        for cost in costs:
            drawn = cost.draw + cost.convert
            times = (cost.draw, cost.convert, cost.read_back, cost.encode, cost.whole)
            ratios = (f"{1 / drawn:,.0f}", f"{first / drawn:.2f}", f"{cost.whole / cost.encode:.2f}")
            table.add_row(name, look, cost.renderer, *(f"{1e6 * seconds:.0f}" for seconds in times), *ratios)
    Console(width=160).print(table)


if __name__ == "__main__":
    main()
