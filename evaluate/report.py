"""Reports of one or several runs over one dataset: tables on the screen, and files for readers, sheets and programs.

report.md, report.csv, report.json, report.html and report.png are always written; pairs.csv and pairs.png with minimal
pairs, comparisons.csv with several models, conditions.csv and conditions.png with several conditions of one model, and
sweeps.png with several frame rates or numbers of frames.
"""

import importlib.util
from collections.abc import Sequence
from pathlib import Path

from evaluate.asking import identity
from evaluate.comma_separated import (
    comma_separated,
    comparisons_comma_separated,
    conditions_comma_separated,
    pairs_comma_separated,
)
from evaluate.comparing import CountedRuns, plain, viewing_name
from evaluate.conditions import Viewing
from evaluate.page import page
from evaluate.records import as_json
from evaluate.store import Run, read_run
from evaluate.tables import NAMES, SPLITS, Row, notes, tables
from evaluate.tallies import Tally, count
from generators.dataset import atomically
from generators.errors import InputError

PICTURES = {
    "report.png": "Accuracy by skill",
    "pairs.png": "I-Acc of pairs by category",
    "conditions.png": "Accuracy by condition",
    "sweeps.png": "Accuracy along sweeps",
}
"""What the figures show, by their files."""


def require_report_packages() -> None:
    """Raises InputError, with the command that mends it, where a package that only reports need is not installed."""
    absent = [name for name in ("scipy", "statsmodels", "matplotlib") if importlib.util.find_spec(name) is None]
    if absent:
        raise InputError(
            f"a report needs {', '.join(absent)}, which is not installed: python -m pip install {' '.join(absent)}"
        )


def count_runs(folders: Sequence[Path], dataset: Path | None = None) -> CountedRuns:
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
    return CountedRuns(count(folder, run, _dataset_of(folder, run, dataset)) for folder, run in runs)


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


def write_report(counted: CountedRuns, folder: Path) -> list[Path]:
    """Write the report's files into `folder`; their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    pictures = _pictures(counted)
    contents = {
        "report.md": markdown(counted).encode(),
        "report.csv": comma_separated(counted).encode(),
        "report.json": as_json(counted).encode(),
        "report.html": page(counted, folder, {PICTURES[name]: picture for name, picture in pictures.items()}).encode(),
        "report.png": pictures["report.png"],
    }
    if counted[0].instances:
        contents |= {"pairs.csv": pairs_comma_separated(counted).encode(), "pairs.png": pictures["pairs.png"]}
    if counted.comparisons:
        contents["comparisons.csv"] = comparisons_comma_separated(counted).encode()
    if counted.conditions:
        contents["conditions.csv"] = conditions_comma_separated(counted).encode()
    contents |= {name: picture for name, picture in pictures.items() if name not in contents}
    for name, content in contents.items():
        with atomically(folder / name) as unfinished:
            unfinished.write_bytes(content)
    return [folder / name for name in contents]


def _pictures(counted: CountedRuns) -> dict[str, bytes]:
    """The figures by the names of their files; those of contenders where there are several conditions."""
    from evaluate.plot import Point, accuracy_plot, conditions_plot, pairs_plot, sweeps_plot

    shown = [(counted.labels[place], counted[place]) for place in counted.contenders]
    pictures = {
        "report.png": accuracy_plot(
            {label: {plain(str(skill)): tally for skill, tally in one.tallies["skill"].items()} for label, one in shown}
        )
    }
    if counted[0].instances:
        pictures["pairs.png"] = pairs_plot(
            {
                label: {plain(category): figures for category, figures in one.pairs["category"].items()}
                for label, one in shown
            }
        )
    if counted.conditions:
        models: dict[str, dict[str, Tally]] = {}
        for figures in counted.conditions:
            of_model = models.setdefault(counted.series_label(figures.place), {})
            of_model.setdefault(viewing_name(counted[figures.place]), counted[figures.place].overall)
        pictures["conditions.png"] = conditions_plot(models)
    lines: dict[str, dict[str, list[tuple[float, Point]]]] = {}
    for point in counted.sweeps:
        one = counted[point.place]
        label = counted.series_label(point.place)
        label += "" if one.viewing.condition == "full" else f", {one.viewing.condition}"
        accuracy = one.overall.accuracy
        if accuracy.mean is not None and accuracy.wilson is not None:
            place = point.value, Point(accuracy.n, accuracy.mean, accuracy.wilson)
            lines.setdefault(point.unit, {}).setdefault(label, []).append(place)
    if lines:
        pictures["sweeps.png"] = sweeps_plot(lines)
    return pictures


def print_report(counted: CountedRuns) -> None:
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
    for note in notes(counted):
        console.print(note, style="dim", highlight=False)


def _parts(headings: Row, rows: Sequence[Row], width: int) -> list[list[int]]:
    """The columns of a table; where they are too wide for the screen, those of the first and the second half apart."""
    needed = sum(max(len(row[column]) for row in [headings, *rows]) + 2 for column in range(len(headings)))
    if needed <= width or headings not in SPLITS:
        return [list(range(len(headings)))]
    first = SPLITS[headings]
    return [list(range(first)), [0, 1, *range(first, len(headings))]]


def markdown(counted: CountedRuns) -> str:
    """The report as Markdown."""
    run = counted[0].run
    lines = [
        "# Report",
        "",
        f"Dataset {_escaped(plain(run.dataset))}, {run.items} items, SHA-256 `{run.dataset_sha256}`.",
        "",
    ]
    for label, one in zip(counted.labels, counted, strict=True):
        answered = one.overall.outcomes.total() - one.overall.outcomes["missing"]
        lines.append(
            f"- **{_escaped(label)}**: {answered} of {len(one.overall.is_right)} questions about "
            f"{one.run.items_asked} of {one.run.items} items answered, seed {one.run.settings.seed}"
            + (f", {_escaped(viewing_name(one))}" if one.viewing != Viewing() else "")
            + (f", {one.overall.below_minimum} below the frame rate they need" if one.overall.below_minimum else "")
        )
    there = {"pairs.png": counted[0].instances, "conditions.png": counted.conditions, "sweeps.png": counted.sweeps}
    for name, title in PICTURES.items():
        if there.get(name, True):
            lines += ["", f"![{title}]({name})"]
    for title, headings, rows in tables(counted):
        lines += ["", f"## {title}", "", _markdown_row(headings)]
        lines.append(_markdown_row(["---" if heading in NAMES else "---:" for heading in headings]))
        lines += [_markdown_row([_escaped(cell) for cell in row]) for row in rows]
    return "\n".join([*lines, "", *(f"- {note}" for note in notes(counted)), ""])


def _markdown_row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _escaped(text: str) -> str:
    """`text` as one cell of a Markdown table, to be read as it stands."""
    return "".join(f"\\{character}" if character in "\\|`*<>[]" else character for character in text)
