"""Reports of one or several runs over one dataset: tables on the screen, report.md, report.csv and report.png."""

import csv
import importlib.util
import io
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from evaluate.asking import identity
from evaluate.statistics import Accuracy
from evaluate.store import Run, read_run
from evaluate.tallies import TABLES, Counted, Tally, count
from generators.dataset import atomically
from generators.errors import InputError
from verifier.scoring import OUTCOMES

TITLES = {table: f"By {table}" for table in TABLES} | {
    "overall": "Overall",
    "operations_range": "By operations, in ranges",
}
HEADINGS = ("group", "model", "accuracy", "Wilson 95 %", "SE", "n", "items", *OUTCOMES)
NAMES = ("group", "model", "reason")
PLAN_HEADINGS = ("model", "plans asked for", "right", "mean optimality gap", "failed by an illegal operation")
NOTES = (
    "n counts every question asked, whatever became of it; accuracy is correct / n.",
    "Wilson 95 %: takes the questions for independent, which questions about one video are not.",
    "SE: cluster-robust standard error by item; – where there is one item only, so that it is not defined.",
    "Optimality gap: operations beyond the shortest plan, over right plans.",
)

Row = tuple[str, ...]


def require_report_packages() -> None:
    """Raises InputError, with the command that mends it, where a package that only reports need is not installed."""
    absent = [name for name in ("scipy", "statsmodels", "matplotlib") if importlib.util.find_spec(name) is None]
    if absent:
        raise InputError(
            f"a report needs {', '.join(absent)}, which is not installed: python -m pip install {' '.join(absent)}"
        )


def count_runs(folders: Sequence[Path], dataset: Path | None = None) -> list[Counted]:
    """Judge and count the runs in `folders`; `dataset` says where their dataset lies now, if it was moved.

    Raises InputError where they are of different datasets or items, or their dataset is not where it was.
    """
    runs = [(folder, read_run(folder)) for folder in folders]
    if len({folder.resolve() for folder in folders}) < len(folders):
        raise InputError("a run is named twice: name each once")
    first_folder, first = runs[0]
    for folder, run in runs:
        if run.dataset_sha256 != first.dataset_sha256:
            raise InputError(
                f"{folder} answers the dataset {run.dataset} and {first_folder} another, {first.dataset}: "
                "report runs over one dataset together"
            )
        if run.settings.limit != first.settings.limit:
            raise InputError(
                f"{folder} and {first_folder} were asked about different numbers of items (--limit): "
                "report runs over the same items together"
            )
    return [count(folder, run, _dataset_of(folder, run, dataset)) for folder, run in runs]


def _dataset_of(folder: Path, run: Run, moved_to: Path | None) -> Path:
    """The run's dataset. Raises InputError where it is not there or not the one that was answered."""
    dataset = moved_to or Path(run.dataset)
    if not dataset.is_dir():
        raise InputError(f"{dataset}, the dataset of {folder}, is not there: say where it is with --dataset")
    if identity(dataset).sha256 != run.dataset_sha256:
        raise InputError(
            f"{dataset} is not the dataset that {folder} answers, or was changed since: "
            "say where that is with --dataset"
        )
    return dataset


def write_report(counted: Sequence[Counted], folder: Path) -> list[Path]:
    """Write report.md, report.csv and report.png into `folder`; their paths."""
    from evaluate.plot import accuracy_plot

    folder.mkdir(parents=True, exist_ok=True)
    labels = model_labels(counted)
    contents = {
        "report.md": markdown(counted).encode(),
        "report.csv": comma_separated(counted).encode(),
        "report.png": accuracy_plot(
            {
                label: {str(g): t for g, t in one.tallies["skill"].items()}
                for label, one in zip(labels, counted, strict=True)
            }
        ),
    }
    for name, content in contents.items():
        with atomically(folder / name) as unfinished:
            unfinished.write_bytes(content)
    return [folder / name for name in contents]


def print_report(counted: Sequence[Counted]) -> None:
    """Print the report's tables on standard output."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console()
    if not console.is_terminal:
        console = Console(width=160)
    for title, headings, rows in tables(counted):
        parts = _parts(headings, rows, console.width)
        padding = (0, 1, 0, 0) if len(parts) == 1 else 0
        for part in parts:
            table = Table(title=title, title_justify="left", box=SIMPLE_HEAD, padding=padding, pad_edge=False)
            for column in part:
                table.add_column(headings[column], justify="left" if headings[column] in NAMES else "right")
            group = ""
            for row in rows:
                cells = [row[column] for column in part]
                if headings[0] == "group":
                    cells[0], group = "" if row[0] == group else row[0], row[0]
                # As Text, so that square brackets are not taken for markup.
                table.add_row(*map(Text, cells))
            console.print(table)
    for note in NOTES:
        console.print(note, style="dim", highlight=False)


def _parts(headings: Row, rows: Sequence[Row], width: int) -> list[list[int]]:
    """The columns of a table; where they are too wide for the screen, figures and outcomes apart."""
    needed = sum(max(len(row[column]) for row in [headings, *rows]) + 2 for column in range(len(headings)))
    if needed <= width or headings != HEADINGS:
        return [list(range(len(headings)))]
    first = HEADINGS.index(OUTCOMES[0])
    return [list(range(first)), [0, 1, *range(first, len(HEADINGS))]]


def markdown(counted: Sequence[Counted]) -> str:
    """The report as Markdown."""
    run = counted[0].run
    lines = [
        "# Report",
        "",
        f"Dataset {_escaped(plain(run.dataset))}, {run.items} items, SHA-256 `{run.dataset_sha256}`.",
        "",
    ]
    for label, one in zip(model_labels(counted), counted, strict=True):
        answered = one.overall.outcomes.total() - one.overall.outcomes["missing"]
        lines.append(
            f"- **{_escaped(label)}**: {answered} of {len(one.overall.is_right)} questions about "
            f"{one.run.items_asked} of {one.run.items} items answered, seed {one.run.settings.seed}"
        )
    lines += ["", "![Accuracy by skill](report.png)"]
    for title, headings, rows in tables(counted):
        lines += ["", f"## {title}", "", _markdown_row(headings)]
        lines.append(_markdown_row(["---" if heading in NAMES else "---:" for heading in headings]))
        lines += [_markdown_row([_escaped(cell) for cell in row]) for row in rows]
    return "\n".join([*lines, "", *(f"- {note}" for note in NOTES), ""])


def _markdown_row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def tables(counted: Sequence[Counted]) -> Iterator[tuple[str, Row, list[Row]]]:
    """(title, headings, rows) of every table that has something in it, runs beside each other in each group."""
    labels = model_labels(counted)
    for table, title in TITLES.items():
        groups = list(dict.fromkeys(group for one in counted for group in one.tallies[table]))
        rows = [
            (plain(str(group)), label, *_figures(one.tallies[table][group]))
            for group in groups
            for label, one in zip(labels, counted, strict=True)
            if group in one.tallies[table]
        ]
        if rows:
            yield title, HEADINGS, rows
    plans: list[Row] = [
        (
            label,
            str(tally.plans),
            str(len(tally.gaps)),
            "–" if tally.mean_gap is None else f"{tally.mean_gap:.2f}",
            str(tally.illegal_plans),
        )
        for label, tally in ((label, one.overall) for label, one in zip(labels, counted, strict=True))
        if tally.plans
    ]
    if plans:
        yield "Plans", PLAN_HEADINGS, plans
    reasons: list[Row] = [
        (label, plain(reason), str(number))
        for label, one in zip(labels, counted, strict=True)
        for reason, number in sorted(one.unparsed.items())
    ]
    if reasons:
        yield "Why replies were unparsed", ("model", "reason", "replies"), reasons


def _figures(tally: Tally) -> Row:
    figures = tally.accuracy
    low, high = figures.wilson or (0.0, 1.0)
    return (
        f"{figures.mean:.3f}",
        f"{low:.3f}–{high:.3f}",
        "–" if figures.standard_error is None else f"{figures.standard_error:.3f}",
        str(figures.n),
        str(figures.clusters),
        *(str(tally.outcomes[outcome]) for outcome in OUTCOMES),
    )


def comma_separated(counted: Sequence[Counted]) -> str:
    """The report as CSV, one row a run, table and group; a figure that is not defined is left empty."""
    text = io.StringIO()
    writer: csv.DictWriter[str] | None = None
    for one in counted:
        for table, groups in one.tallies.items():
            for group, tally in groups.items():
                row = {
                    "run": plain(one.name),
                    "model": plain(one.run.model),
                    "table": table,
                    "group": plain(str(group)),
                }
                row |= _all_figures(tally, tally.accuracy)
                if writer is None:
                    writer = csv.DictWriter(text, list(row), lineterminator="\n")
                    writer.writeheader()
                writer.writerow(row)
    return text.getvalue()


def _all_figures(tally: Tally, figures: Accuracy) -> dict[str, Any]:
    wilson, clustered = figures.wilson or (None, None), figures.clustered or (None, None)
    return {
        "n": figures.n,
        "clusters": figures.clusters,
        **{outcome: tally.outcomes[outcome] for outcome in OUTCOMES},
        "accuracy": figures.mean,
        "wilson_low": wilson[0],
        "wilson_high": wilson[1],
        "clustered_standard_error": figures.standard_error,
        "clustered_low": clustered[0],
        "clustered_high": clustered[1],
        "plans": tally.plans,
        "illegal_plans": tally.illegal_plans,
        "mean_optimality_gap": tally.mean_gap,
    }


def model_labels(counted: Sequence[Counted]) -> list[str]:
    """What to call each run: its model, with the run's own name where several runs are of one model."""
    models = Counter(one.run.model for one in counted)
    labels = [
        plain(one.run.model if models[one.run.model] == 1 else f"{one.run.model} ({one.name})") for one in counted
    ]
    again = Counter(labels)
    return [label if again[label] == 1 else f"{label} {number}" for number, label in enumerate(labels, 1)]


def plain(text: str) -> str:
    """`text` on one line, without anything that a terminal or a table would obey."""
    return "".join(character if character.isprintable() else " " for character in text)


def _escaped(text: str) -> str:
    """`text` as one cell of a Markdown table, to be read as it stands."""
    return "".join(f"\\{character}" if character in "\\|`*<>[]" else character for character in text)
