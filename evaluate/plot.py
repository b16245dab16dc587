"""The report's figure: accuracy by skill, one colour and marker a model, with Wilson intervals."""

import io
from collections.abc import Mapping

from evaluate.tallies import Tally

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#4D4D4D", "#9A8A00")
"""Okabe and Ito's palette, which people with any colour vision can tell apart; grey and olive added."""

MARKERS = "osD^vPX*"


def accuracy_plot(models: Mapping[str, Mapping[str, Tally]]) -> bytes:
    """A PNG of the accuracy of each model (by its label) on each skill."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    skills = list(dict.fromkeys(skill for tallies in models.values() for skill in tallies))
    inches = max(4.0, 1.2 + len(skills) * max(0.85, 0.2 * len(models)))
    figure = Figure(figsize=(inches, 3.4), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    for number, (label, tallies) in enumerate(models.items()):
        offset = (number - (len(models) - 1) / 2) * min(0.16, 0.8 / len(models))
        places, means, below, above = [], [], [], []
        for place, skill in enumerate(skills):
            figures = tallies[skill].accuracy if skill in tallies else None
            if figures and figures.mean is not None and figures.wilson is not None:
                places.append(place + offset)
                means.append(figures.mean)
                # Rounding may put an end of the interval on the wrong side of a mean of 0 or 1.
                below.append(max(0.0, figures.mean - figures.wilson[0]))
                above.append(max(0.0, figures.wilson[1] - figures.mean))
        axes.errorbar(
            places,
            means,
            yerr=(below, above),
            label=label.replace("$", r"\$"),
            color=COLOURS[number % len(COLOURS)],
            marker=MARKERS[number % len(MARKERS)],
            linestyle="none",
            markersize=5,
            elinewidth=1.2,
            capsize=2.5,
            clip_on=False,
            zorder=3,
        )
    counts = sorted({len(tally.is_right) for tallies in models.values() for tally in tallies.values()})
    axes.set_xticks(range(len(skills)), [skill.replace("_", "\n").replace("$", r"\$") for skill in skills])
    axes.set_xlim(-0.5, len(skills) - 0.5)
    axes.set_ylim(-0.03, 1.03)
    axes.set_yticks([0, 0.25, 0.5, 0.75, 1])
    axes.set_ylabel("accuracy")
    shown = f"{counts[0]}" if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"
    axes.set_xlabel(f"95 % Wilson intervals, n = {shown} questions a skill", fontsize="small", color="0.35")
    axes.grid(axis="y", color="0.9", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.tick_params(axis="x", length=0)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    figure.legend(loc="outside upper center", ncols=min(len(models), 5), frameon=False, handletextpad=0.2)
    picture = io.BytesIO()
    figure.savefig(picture, format="png", dpi=200, metadata={"Software": None})
    return picture.getvalue()
