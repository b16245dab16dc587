"""`python -m tests.benchmarks.renderers`: what drawing, conversion, read-back and encoding cost, for each renderer.

Part of `make bench`. All in one run, as times a frame and ratios; the bench of a software OpenGL says nothing about a
GPU, and is named.
"""

import argparse
import platform
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

from generators.errors import InputError
from generators.family import family, family_names
from generators.item import Item
from generators.rendering import frames, scene_of
from generators.rendering.cpu import Painter
from generators.rendering.gpu import Device, GpuPainter, open_device
from generators.rendering.looks import LOOK_NAMES, dressed
from generators.rendering.renderers import CPU, Renderer
from generators.rendering.scene import Scene
from generators.rendering.video import encode, frame_and_planes, open_stream, picture_type
from generators.sampling import Part, make_items
from generators.settings import LookChoice

ROUNDS, SOFTWARE_ROUNDS = 6, 2
FRAMES, SOFTWARE_FRAMES = 96, 24
"""Frames in a row from the first thing that happens on; fewer for a software OpenGL, which takes its time."""

IN_EVERY_LOOK = ("number", "speed")

MEMORY_SIDE, STREAM_SIDE, STREAM_FRAMES = 448, 224, 16
STREAM_ITEMS, STREAM_WORKERS = 48, 2


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds a frame of each step; what a step does not have is 0.

    `convert` is what drawing into Y'CbCr planes costs beyond drawing RGB: less than nothing where planes of half the
    bytes outweigh it. Read-back goes on beside drawing and encoding, so `whole` is less than the sum. `plain` is what
    `whole` is in the plain look, by the CPU painter.
    """

    family: str
    look: str
    renderer: str
    draw: float
    convert: float
    read_back: float
    encode: float
    whole: float
    plain: float

    @property
    def drawn(self) -> float:
        return self.draw + self.convert


@dataclass(frozen=True, slots=True)
class InMemory:
    """What a family gives without files, a second: frames in a row and spread over a clip, by one core, and items.

    `items` is by one core and in its own time, `streamed` by workers and by the clock on the wall.
    """

    family: str
    in_a_row: float
    spread: float
    items: float
    streamed: float


Clock = Callable[[], float]
OWN_TIME, WALL_TIME = time.process_time, time.perf_counter
"""What one thread does is measured by the processor's time, so that what else runs on a machine counts for little."""


def best(*works: Callable[[], object], rounds: int = ROUNDS, clock: Clock = OWN_TIME) -> list[float]:
    """The least seconds of each over several rounds, in which they take turns.

    Whatever else runs on a machine only ever makes a round slower; in turns, it slows none of them alone.
    """
    least = [float("inf")] * len(works)
    for number in range(1 + rounds):
        for place, work in enumerate(works):
            start = clock()
            work()
            # The first time is for what is made once: sprites, textures, the disk's caches.
            least[place] = min(least[place], clock() - start) if number else least[place]
    return least


def item_of(name: str, resolution: int) -> Item:
    """An item of the family's defaults."""
    settings = family(name).settings.model_validate({"resolution": resolution})
    return next(make_items(Part(name, settings, 1), 1))


def window(scene: Scene, count: int) -> Scene:
    """At most so many frames of the scene, from the first thing that happens on."""
    first = min(scene.spans[0][0], max(0, scene.frames - count))
    return replace(
        scene,
        frames=min(count, scene.frames),
        placements=lambda frame: scene.placements(first + frame),
        cuts=(),
    )


def painting(scene: Scene, *, planar: bool) -> Callable[[], None]:
    height, width = scene.height, scene.width
    shapes = [(height, width), (2, height // 2, width // 2)] if planar else [(height, width, 3)]
    planes = [np.empty(shape, dtype=np.uint8) for shape in shapes]

    def work() -> None:
        painter = Painter(scene, planes)
        for index in range(scene.frames):
            painter.paint(index)

    return work


def drawing(device: Device, scene: Scene, *, planar: bool) -> Callable[[], None]:
    def work() -> None:
        for _ in GpuPainter(device, scene, planar=planar).batches(range(scene.frames)):
            pass
        device.context.finish()

    return work


def drawing_and_reading(device: Device, scene: Scene) -> Callable[[], None]:
    def work() -> None:
        for _ in GpuPainter(device, scene, planar=True).pictures(range(scene.frames)):
            pass

    return work


def encoding(scene: Scene) -> Callable[[], None]:
    """Encoding frames that are ready, and nothing else."""
    ready = []
    for index in range(scene.frames):
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

    return work


def path_in(folder: str) -> Path:
    return Path(folder) / "clip.mp4"


def writing(scene: Scene, renderer: Renderer) -> Callable[[], None]:
    """Drawing and encoding a whole clip."""

    def work() -> None:
        with tempfile.TemporaryDirectory() as folder:
            encode(scene, path_in(folder), renderer=renderer)

    return work


def rendering(name: str, look: LookChoice, resolution: int, device: Device | None) -> Iterator[Cost]:
    """What each renderer costs for a family in a look, step by step."""
    item = item_of(name, resolution)
    undressed = scene_of(item, item.clips[0])
    full = dressed(undressed, look, item.id)
    scene = window(full, FRAMES)
    steps = (
        painting(scene, planar=False),
        painting(scene, planar=True),
        encoding(scene),
        writing(scene, CPU),
        writing(window(undressed, FRAMES), CPU),
    )
    rgb, planes, coded, whole, plain = (seconds / scene.frames for seconds in best(*steps))
    yield Cost(name, look, CPU.name, rgb, planes - rgb, 0.0, coded, whole, plain)
    if device is None:
        return
    scene = window(full, SOFTWARE_FRAMES if device.is_software else full.frames)
    gpu = Renderer(device.description, device.number)
    least = best(
        drawing(device, scene, planar=False),
        drawing(device, scene, planar=True),
        drawing_and_reading(device, scene),
        writing(scene, gpu),
        rounds=SOFTWARE_ROUNDS if device.is_software else ROUNDS,
        clock=WALL_TIME,
    )
    rgb, planes, read, whole = (seconds / scene.frames for seconds in least)
    yield Cost(name, look, device.description, rgb, planes - rgb, read - planes, coded, whole, plain)


def cases(names: Sequence[str]) -> Iterator[tuple[str, LookChoice]]:
    """Every family in the plain look, and a few in all others."""
    for name in names:
        yield name, "plain"
        if name in IN_EVERY_LOOK:
            yield from ((name, look) for look in LOOK_NAMES if look != "plain")


def costs_of(asked: Iterable[tuple[str, LookChoice]], resolution: int = 512) -> tuple[list[Cost], str]:
    """What the CPU painter and OpenGL cost, and which OpenGL that is, or why there is none."""
    device: Device | None = None
    try:
        device = open_device()
        note = f"{device.description}, for no GPU is at hand" if device.is_software else device.description
    except InputError as error:
        note = f"no OpenGL: {error}"
    return [cost for name, look in asked for cost in rendering(name, look, resolution, device)], note


def in_memory(name: str) -> InMemory:
    """Must run before OpenGL is used, since a process that has a context is not to be forked."""
    import torch
    from torch.utils.data import DataLoader

    from generators.torch_dataset import FreshStream

    item = item_of(name, MEMORY_SIDE)
    total = item.clips[0].frames
    row = range(min(128, total))
    spread = [round(place * (total - 1) / (STREAM_FRAMES - 1)) for place in range(STREAM_FRAMES)]
    in_a_row, apart = best(lambda: frames(item, row), lambda: frames(item, spread))
    stream = FreshStream(name, {"resolution": STREAM_SIDE}, root_seed=1, frame_count=STREAM_FRAMES)
    torch.set_num_threads(1)  # as in the workers
    alone = rate(iter(stream), OWN_TIME)
    streamed = rate(iter(DataLoader(stream, batch_size=None, num_workers=STREAM_WORKERS)), WALL_TIME)
    return InMemory(name, len(row) / in_a_row, STREAM_FRAMES / apart, alone, streamed)


def rate(samples: Iterator[object], clock: Clock) -> float:
    """Samples a second, of the quicker half."""
    for _ in range(2 * STREAM_WORKERS):
        next(samples)
    rates = []
    for _ in range(2):
        start = clock()
        for _ in range(STREAM_ITEMS // 2):
            next(samples)
        rates.append(STREAM_ITEMS // 2 / (clock() - start))
    return max(rates)


def memory_table(found: Iterable[InMemory], title: str) -> Table:
    columns = (
        f"frames/s, {MEMORY_SIDE}², in a row",
        f"{STREAM_FRAMES} spread",
        f"items/s, {STREAM_FRAMES} × {STREAM_SIDE}², a core",
        f"{STREAM_WORKERS} workers",
    )
    table = Table("family", *columns, title=f"frames without files; asked: ≥ 3,000 and ≥ 100 on two cores; {title}")
    for one in found:
        table.add_row(one.family, *(f"{value:,.0f}" for value in (one.in_a_row, one.spread, one.items, one.streamed)))
    return table


def cost_table(costs: Iterable[Cost], title: str) -> Table:
    steps = ("draw", "convert", "read-back", "encode", "whole", "drawn/s", "÷ cpu", "÷ plain", "whole ÷ encode")
    table = Table("family", "look", "renderer", *steps, title=f"µs a frame, of the core's own time for cpu; {title}")
    by_cpu = 0.0
    for cost in costs:
        by_cpu = cost.drawn if cost.renderer == CPU.name else by_cpu
        times = (cost.draw, cost.convert, cost.read_back, cost.encode, cost.whole)
        ratios = (by_cpu / cost.drawn, cost.plain / cost.whole, cost.whole / cost.encode)
        # The title has the rest of its name.
        renderer = cost.renderer.partition(":")[0]
        table.add_row(
            cost.family,
            cost.look,
            renderer,
            *(f"{1e6 * one:.0f}" for one in times),
            f"{1 / cost.drawn:,.0f}",
            *(f"{one:.2f}" for one in ratios),
        )
    return table


def looks_table(name: str, resolution: int) -> Table:
    """Whole clips a second in every look, drawn and encoded, against the plain one in the same run."""
    table = Table("look", "frames/s", "÷ plain", "painted/s", "first round", "MB a clip", title=f"looks of {name}, cpu")
    item = item_of(name, resolution)
    plain = 0.0
    for look in LOOK_NAMES:
        scene = dressed(scene_of(item, item.clips[0]), look, item.id)
        with tempfile.TemporaryDirectory() as folder:
            start = time.perf_counter()
            encode(scene, path_in(folder))
            first = time.perf_counter() - start
            size = path_in(folder).stat().st_size
        speed, painted = (scene.frames / least for least in best(writing(scene, CPU), painting(scene, planar=True)))
        plain = plain or speed
        speeds = (f"{speed:,.0f}", f"{speed / plain:.2f}", f"{painted:,.0f}", f"{scene.frames / first:,.0f}")
        table.add_row(look, *speeds, f"{size / 1e6:.2f}")
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--family", action="append", choices=family_names(), help="which families (default: all)")
    parser.add_argument("--look", action="append", choices=LOOK_NAMES, help="in which looks")
    parser.add_argument("--resolution", type=int, default=512, help="pixels of a side (default: 512)")
    parser.add_argument("--looks", action="store_true", help="only compare whole clips in all looks, on the CPU")
    options = parser.parse_args()
    names = options.family or family_names()
    console = Console(width=160)
    if options.looks:
        for name in options.family or IN_EVERY_LOOK:
            console.print(looks_table(name, options.resolution))
        return
    machine = f"{platform.machine()}, Python {platform.python_version()}, {date.today()}"
    console.print(memory_table([in_memory(name) for name in names], machine))
    asked = [(name, look) for name in names for look in options.look] if options.look else cases(names)
    costs, note = costs_of(asked, options.resolution)
    console.print(cost_table(costs, f"{options.resolution}², {machine}; {note}"))


if __name__ == "__main__":
    main()
