"""The report's figures: accuracy by skill, by condition and along sweeps, I-Acc by category; Wilson intervals.

Each model has one colour and marker.
"""

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evaluate.pairs import CHANCE, PairFigures
from evaluate.tallies import Tally

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#4D4D4D", "#9A8A00")
"""Okabe and Ito's palette, which people with any colour vision can tell apart; grey and olive added."""

MARKERS = "osD^vPX*"


@dataclass(frozen=True, slots=True)
class Point:
    """A share of `n`, with its interval."""

    n: int
    mean: float
    interval: tuple[float, float]


def accuracy_plot(models: Mapping[str, Mapping[str, Tally]]) -> bytes:
    """A PNG of the accuracy of each model (by its label) on each skill."""
    points: dict[str, dict[str, Point]] = {}
    for label, tallies in models.items():
        points[label] = {}
        for skill, figures in ((skill, tally.accuracy) for skill, tally in tallies.items()):
            if figures.mean is not None and figures.wilson is not None:
                points[label][skill] = Point(figures.n, figures.mean, figures.wilson)
    return _plot(points, "accuracy", "questions a skill")


def pairs_plot(models: Mapping[str, Mapping[str, PairFigures]]) -> bytes:
    """A PNG of the I-Acc of each model (by its label) in each category, and of what chance makes of it."""
    points = {
        label: {category: Point(one.n, one.instance, one.wilson) for category, one in figures.items()}
        for label, figures in models.items()
    }
    return _plot(points, "I-Acc", "pairs a category", CHANCE["I-Acc"])


def conditions_plot(models: Mapping[str, Mapping[str, Tally]]) -> bytes:
    """A PNG of the accuracy of each model (by its label) under each condition."""
    points: dict[str, dict[str, Point]] = {}
    for label, tallies in models.items():
        points[label] = {}
        for condition, figures in ((condition, tally.accuracy) for condition, tally in tallies.items()):
            if figures.mean is not None and figures.wilson is not None:
                in_lines = condition.replace(", ", "\n").replace("single-", "single\n")
                points[label][in_lines] = Point(figures.n, figures.mean, figures.wilson)
    return _plot(points, "accuracy", "questions a condition")


def sweeps_plot(lines: Mapping[str, Mapping[str, Sequence[tuple[float, Point]]]]) -> bytes:
    """A PNG of accuracy along sweeps: for each unit ("frames" or "fps") and label, points by their value."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(4.6 * len(lines), 3.4), layout="constrained")
    FigureCanvasAgg(figure)
    parts = figure.subplots(1, len(lines), squeeze=False)[0]
    labels = list(dict.fromkeys(label for of_unit in lines.values() for label in of_unit))
    for axes, (unit, of_unit) in zip(parts, lines.items(), strict=True):
        for label, points in of_unit.items():
            values = [value for value, _ in points]
            _draw(axes, values, [point for _, point in points], label, labels.index(label), linestyle="-")
        values = sorted({value for points in of_unit.values() for value, _ in points})
        axes.set_xscale("log", base=2)
        axes.set_xticks(values, [f"{value:g}" for value in values])
        axes.minorticks_off()
        axes.set_xlabel({"frames": "frames a clip", "fps": "frames a second"}.get(unit, unit))
        _finish(axes, "accuracy")
    drawn: dict[str, Any] = {}
    for axes in parts:
        drawn |= {name: handle for handle, name in zip(*axes.get_legend_handles_labels(), strict=True)}
    figure.legend(
        list(drawn.values()), list(drawn), loc="outside upper center", ncols=min(len(drawn), 4), frameon=False
    )
    return _png(figure)


def _plot(models: Mapping[str, Mapping[str, Point]], share: str, counted: str, chance: float | None = None) -> bytes:
    """A PNG of each model's points, group beside group."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    groups = list(dict.fromkeys(group for points in models.values() for group in points))
    inches = max(4.0, 1.2 + len(groups) * max(0.85, 0.2 * len(models)))
    figure = Figure(figsize=(inches, 3.4), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    if chance is not None:
        axes.axhline(chance, color="0.45", linewidth=1, linestyle=(0, (4, 3)), label="chance")
    for number, (label, points) in enumerate(models.items()):
        offset = (number - (len(models) - 1) / 2) * min(0.16, 0.8 / len(models))
        shown = [(place + offset, points[group]) for place, group in enumerate(groups) if group in points]
        _draw(axes, [place for place, _ in shown], [point for _, point in shown], label, number)
    counts = sorted({point.n for points in models.values() for point in points.values()})
    axes.set_xticks(range(len(groups)), [group.replace("_", "\n").replace("$", r"\$") for group in groups])
    axes.set_xlim(-0.5, len(groups) - 0.5)
    _finish(axes, share)
    n = f"{counts[0]}" if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"
    axes.set_xlabel(f"95 % Wilson intervals, n = {n} {counted}", fontsize="small", color="0.35")
    axes.tick_params(axis="x", length=0)
    figure.legend(
        loc="outside upper center", ncols=min(len(models) + (chance is not None), 5), frameon=False, handletextpad=0.2
    )
    return _png(figure)


def _draw(
    axes: Any, places: Sequence[float], points: Sequence[Point], label: str, number: int, linestyle: str = "none"
) -> None:
    """Points with their intervals, in the colour and with the marker of the model of this number."""
    axes.errorbar(
        places,
        [point.mean for point in points],
        # Rounding may put an end of the interval on the wrong side of a mean of 0 or 1.
        yerr=(
            [max(0.0, point.mean - point.interval[0]) for point in points],
            [max(0.0, point.interval[1] - point.mean) for point in points],
        ),
        label=label.replace("$", r"\$"),
        color=COLOURS[number % len(COLOURS)],
        marker=MARKERS[number % len(MARKERS)],
        linestyle=linestyle,
        linewidth=1,
        markersize=5,
        elinewidth=1.2,
        capsize=2.5,
        clip_on=False,
        zorder=3,
    )


def _finish(axes: Any, share: str) -> None:
    """The axis of shares, a grid, and no frame."""
    axes.set_ylim(-0.03, 1.03)
    axes.set_yticks([0, 0.25, 0.5, 0.75, 1])
    axes.set_ylabel(share)
    axes.grid(axis="y", color="0.9", linewidth=0.8)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def _png(figure: Any) -> bytes:
    picture = io.BytesIO()
    figure.savefig(picture, format="png", dpi=200, metadata={"Software": None})
    return picture.getvalue()
