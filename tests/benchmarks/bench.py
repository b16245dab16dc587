"""`make bench`: what generating costs, as ratios taken in one run, since these machines are noisy.

Prints a table and writes bench.json. Nothing here is asserted; the targets stand beside the figures.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path

import av
import numpy as np
from rich.console import Console
from rich.table import Table

from generators.dataset import prepare, write_dataset
from generators.family import family, family_names
from generators.item import Item
from generators.manifest import Request
from generators.rendering import frames
from generators.rendering.cpu import Painter
from generators.rendering.scene import Scene
from generators.rendering.video import frame_and_planes, open_stream, picture_type
from generators.sampling import Part, make_items
from generators.settings import ClipSettings

CLIPS = 20
FEW_CLIPS = 6
ROUNDS = 4
MATPLOTLIB_FRAMES = 60
FAMILY = family("number")
SETTINGS = FAMILY.settings()
"""The main job: 4×4, 12 operations, 512×512, 24 frames a second."""


@dataclass(frozen=True, slots=True)
class Figures:
    """One line of the table: what, how much, and what the project asks for."""

    name: str
    value: float
    target: str
    note: str


def items(count: int, seed: int = 1, name: str = FAMILY.name) -> list[Item]:
    return list(make_items(Part(name, settings_of(name), count), seed))


def settings_of(name: str) -> ClipSettings:
    """A family's defaults, which are those of the main job: 12 operations, 512×512, 24 frames a second."""
    return family(name).settings()


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def best(work: Callable[[], object], rounds: int) -> float:
    return min(seconds(work) for _ in range(rounds))


def scenes_of(item: Item) -> list[Scene]:
    return [family(item.family).scene(clip.plan, settings_of(item.family)) for clip in item.clips]


def generate(workers: int, seed: int, name: str = FAMILY.name, clips: int = CLIPS) -> tuple[float, int]:
    """(seconds, frames) of a whole set: sampling, questions, drawing, encoding, hashing, contact sheets, syncing."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "set"

        def work() -> None:
            write_dataset(path, prepare(path, Request((Part(name, settings_of(name), clips),), seed)), workers)

        taken = seconds(work)
        lines = (path / "items.jsonl").read_text(encoding="utf-8").splitlines()
        return taken, sum(clip["frames"] for line in lines for clip in json.loads(line)["clips"])


def ready_frames(scene: Scene) -> list[av.VideoFrame]:
    """Every frame of a scene as a finished yuv420p frame in memory."""
    ready = []
    _, planes = frame_and_planes(scene.width, scene.height, scene.fps)
    painter = Painter(scene, planes)
    for index in range(scene.frames):
        painter.paint(index)
        frame, copies = frame_and_planes(scene.width, scene.height, scene.fps)
        for copy, plane in zip(copies, planes, strict=True):
            copy[...] = plane
        frame.pts, frame.pict_type = index, picture_type(scene, index)
        ready.append(frame)
    return ready


def encode_ready(ready: list[av.VideoFrame], path: Path, fps: int) -> None:
    with open_stream(path, ready[0].width, ready[0].height, fps) as (container, stream):
        for frame in ready:
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))


def bare_encoder(seed: int, name: str = FAMILY.name, clips: int = CLIPS) -> tuple[float, int]:
    """(seconds, frames) of encoding the same clips from frames that are ready, and nothing else."""
    taken, count = 0.0, 0
    with tempfile.TemporaryDirectory() as folder:
        for scene in (scene for item in items(clips, seed, name) for scene in scenes_of(item)):
            ready = ready_frames(scene)
            taken += seconds(lambda ready=ready: encode_ready(ready, Path(folder) / "clip.mp4", SETTINGS.fps))  # type: ignore[misc]
            count += len(ready)
    return taken, count


def draw_only(seed: int) -> float:
    """Frames a second of painting into Y'CbCr planes, without encoding."""
    scenes = [scene for item in items(4, seed) for scene in scenes_of(item)]
    _, planes = frame_and_planes(scenes[0].width, scenes[0].height, scenes[0].fps)

    def work() -> None:
        for scene in scenes:
            painter = Painter(scene, planes)
            for index in range(scene.frames):
                painter.paint(index)

    work()
    return sum(scene.frames for scene in scenes) / best(work, ROUNDS)


def matplotlib_baseline(item: Item) -> float:
    """Frames a second of the obvious way: clear the axes, draw every tile again, hand the pixels to the encoder."""
    # Imported here, since spawned workers import this file again and would be charged for it.
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.patches import FancyBboxPatch, Rectangle

    plan = item.clips[0].plan
    episode = FAMILY.episode(plan)
    figure = Figure(figsize=(5.12, 5.12), dpi=100)
    canvas = FigureCanvasAgg(figure)
    axes = figure.add_axes((0, 0, 1, 1))

    def draw(index: int) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
        first, end = item.clips[0].spans[0]
        board = episode.trace.states[0 if index < first else min(1 + (index - first) // (end - first), 12)]
        axes.clear()
        axes.set_xlim(-0.6, 4.2)
        axes.set_ylim(4.2, -0.6)
        axes.axis("off")
        axes.add_patch(Rectangle((0, 0), 4, 4, color="#4a443e"))
        for row, numbers in enumerate(board.rows):
            axes.text(-0.3, row + 0.5, "abcd"[row], ha="center", va="center", weight="bold")
            axes.text(row + 0.5, -0.3, str(row + 1), ha="center", va="center", weight="bold")
            for column, number in enumerate(numbers):
                if number:
                    corner = (column + 0.05, row + 0.05)
                    axes.add_patch(FancyBboxPatch(corner, 0.9, 0.9, boxstyle="round,pad=0,rounding_size=0.1"))
                    axes.text(column + 0.5, row + 0.5, str(number), ha="center", va="center", size=30)
        canvas.draw()  # type: ignore[no-untyped-call]
        return np.ascontiguousarray(np.asarray(canvas.buffer_rgba())[..., :3])  # type: ignore[no-untyped-call]

    def work() -> None:
        with (
            tempfile.TemporaryDirectory() as folder,
            open_stream(Path(folder) / "clip.mp4", 512, 512, SETTINGS.fps) as (container, stream),
        ):
            for index in range(MATPLOTLIB_FRAMES):
                frame = av.VideoFrame.from_ndarray(draw(index * 8), format="rgb24")
                frame.pts = index
                container.mux(stream.encode(frame))
            container.mux(stream.encode(None))

    return MATPLOTLIB_FRAMES / seconds(work)


def peak_memory(count: int) -> int:
    """Peak resident memory in KiB of a process that makes `count` items without pixels and keeps none.

    Read from /proc, since getrusage reports the parent's peak where that was higher.
    """
    code = (
        "import re\n"
        "from generators.family import family\n"
        "from generators.sampling import Part, make_items\n"
        f"for item in make_items(Part('number', family('number').settings(), {count}), 1):\n"
        "    item.to_line()\n"
        "print(re.search(r'VmHWM:\\s*(\\d+)', open('/proc/self/status').read())[1])"
    )
    return int(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout)


def generate_vs_encoder(name: str) -> Figures:
    """The ratio of another family, over fewer clips."""
    generate(1, 99, name, 1)
    speeds, bare_speeds = [], []
    for seed in range(1, ROUNDS + 1):
        taken, count = generate(1, seed, name, FEW_CLIPS)
        bare, bare_count = bare_encoder(seed, name, FEW_CLIPS)
        speeds.append(count / taken)
        bare_speeds.append(bare_count / bare)
    note = f"{max(speeds):.0f} frames/s of {max(bare_speeds):.0f}"
    return Figures(f"{name}_vs_encoder", max(speeds) / max(bare_speeds), "≥ 0.70", note)


def measure() -> list[Figures]:
    generated, bare, two = [], [], []
    generate(1, 99)  # once unmeasured: imports, sprites and the disk's caches
    for seed in range(1, ROUNDS + 1):
        taken, count = generate(1, seed)
        generated.append(count / taken)
        taken, count = bare_encoder(seed)
        bare.append(count / taken)
        taken, count = generate(2, seed)
        two.append(count / taken)
    item = items(1)[0]
    indices = range(0, item.clips[0].frames, item.clips[0].frames // 16)[:16]
    frames(item, indices)
    by_hand = matplotlib_baseline(item)
    rgb = len(indices) / best(lambda: frames(item, indices), 20)
    without_pixels = 300 / seconds(lambda: items(300))
    help_command = [sys.executable, "-m", "generators.number", "--help"]
    help_seconds = best(lambda: subprocess.run(help_command, capture_output=True, check=True), 5)
    few, many = peak_memory(100), peak_memory(1_000)
    # The best of several rounds on either side: whatever else runs on a machine only ever makes a round slower.
    ratio, speed_up = max(generated) / max(bare), max(two) / max(generated)
    return [
        Figures("generate_vs_encoder", ratio, "≥ 0.80", f"{max(generated):.0f} frames/s of {max(bare):.0f}"),
        Figures("two_workers", speed_up, "≥ 1.7", f"{max(two):.0f} frames/s on {os.cpu_count()} cores"),
        Figures("generate_vs_matplotlib", max(generated) / by_hand, "≥ 40", f"of {by_hand:.1f} frames/s"),
        *(generate_vs_encoder(name) for name in family_names() if name != FAMILY.name),
        Figures("draw_frames_per_s", draw_only(1), "", "painting alone; conversion is part of it"),
        Figures("frames_rgb_per_s", rgb, "≥ 2,000", "frames() of 16 frames"),
        Figures("items_per_s", without_pixels, "≥ 300", "sampling, planning, questions"),
        Figures("memory_growth_mib", (many - few) / 1024, "≈ 0", f"100 to 1,000 items, {many / 1024:.0f} MiB in all"),
        Figures("help_seconds", help_seconds, "< 0.6", "python -m generators.number --help"),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("bench.json"), help="where the figures go")
    options = parser.parse_args()
    figures = measure()
    machine = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}, PyAV {av.__version__}"
    table = Table(
        "figure", "measured", "asked", "", title=f"{machine}, {date.today()}; renderer: cpu, encoder: libx264"
    )
    for figure in figures:
        table.add_row(figure.name, f"{figure.value:,.2f}", figure.target, figure.note)
    Console(width=120).print(table)
    # Imported here, as matplotlib is. OpenGL comes last, since a process that has a context is not to be forked.
    from tests.benchmarks.renderers import cases, cost_table, costs_of, in_memory, memory_table

    remembered = [in_memory(name) for name in family_names()]
    Console(width=120).print(memory_table(remembered, str(date.today())))
    costs, note = costs_of(cases(family_names()))
    Console(width=160).print(cost_table(costs, f"512², {machine}; {note}"))
    record = {
        "machine": machine,
        "date": str(date.today()),
        "figures": [asdict(one) for one in figures],
        "in_memory": [asdict(one) for one in remembered],
        "renderers": [asdict(one) for one in costs],
    }
    options.out.write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
