"""Reports of one or several runs over one dataset: tables on the screen, report.md, report.csv and report.png.

Minimal pairs add pairs.csv and pairs.png to them, and comparisons.csv where there are several runs.
"""

import csv
import importlib.util
import io
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from evaluate.asking import identity
from evaluate.pairs import BINS, CHANCE, PAIR_TABLES, PairFigures
from evaluate.statistics import FLIPS, RESAMPLES, SEED, Accuracy
from evaluate.store import Run, read_run
from evaluate.tallies import TABLES, Counted, Tally, compare, count
from generators.dataset import atomically
from generators.errors import InputError
from verifier.scoring import OUTCOMES

TITLES = {table: f"By {table}" for table in TABLES} | {
    "overall": "Overall",
    "operations_range": "By operations, in ranges",
}
PAIR_TITLES = {table: f"Pairs by {table}" for table in PAIR_TABLES} | {
    "overall": "Pairs",
    "contrast": "Pairs by contrast of the clips",
}
HEADINGS = ("group", "model", "accuracy", "Wilson 95 %", "SE", "n", "items", *OUTCOMES)
PAIR_HEADINGS = ("group", "model", "pairs", *CHANCE, "Wilson 95 %", "SE", "p")
NAMES = ("group", "model", "reason", "against")
PLAN_HEADINGS = ("model", "plans asked for", "right", "mean optimality gap", "failed by an illegal operation")
NOTES = (
    "n counts every question asked, whatever became of it; accuracy is correct / n.",
    "Wilson 95 %: takes the questions for independent, which questions about one video are not.",
    "SE: cluster-robust standard error by item; – where there is one item only, so that it is not defined.",
    "Optimality gap: operations beyond the shortest plan, over right plans.",
)
PAIR_NOTES = (
    "Pairs: two questions about two clips each. Acc: the share of answers that are right; V-Acc: of clips with both "
    "questions right; Q-Acc: of questions right about both clips; I-Acc: of pairs with all four right.",
    f"Chance: {', '.join(f'{name} {share:g}' for name, share in CHANCE.items())}. p: exact one-sided binomial test of "
    "I-Acc against chance, not corrected for the number of groups.",
    "In tables of pairs, Wilson 95 % is of I-Acc, and SE of Acc: cluster-robust by pair.",
)
CONTRAST_NOTE = (
    "Contrasts are in units of the category's own, and each category is cut at its own quartiles, or into single "
    f"contrasts where it has no more than {BINS}."
)
COMPARISON_NOTE = (
    f"Compared: model less against. Accuracy, by item: bootstrap 95 % of {RESAMPLES:,} resamples, and p of {FLIPS:,} "
    f"sign flips, two-sided, seed {SEED}. p (Holm): corrected for all comparisons of this report."
)
DISCORDANCE_NOTE = "I-Acc is compared by McNemar's exact test, two-sided, over the pairs that one run alone has right."
COMPARISON_HEADINGS = ("model", "against", "difference", "bootstrap 95 %", "n", "items", "p", "p (Holm)")
DISCORDANCE_HEADINGS = (
    "model",
    "against",
    "difference",
    "model alone right",
    "against alone right",
    "pairs",
    "p",
    "p (Holm)",
)
SPLITS = {
    HEADINGS: HEADINGS.index(OUTCOMES[0]),
    PAIR_HEADINGS: PAIR_HEADINGS.index("Wilson 95 %"),
    COMPARISON_HEADINGS: COMPARISON_HEADINGS.index("n"),
    DISCORDANCE_HEADINGS: DISCORDANCE_HEADINGS.index("pairs"),
}
"""Where tables are cut in two that are too wide for the screen; both parts begin with the first two columns."""

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
    """Write the report's files into `folder`; their paths."""
    from evaluate.plot import accuracy_plot, pairs_plot

    folder.mkdir(parents=True, exist_ok=True)
    labels = model_labels(counted)
    contents = {
        "report.md": markdown(counted).encode(),
        "report.csv": comma_separated(counted).encode(),
        "report.png": accuracy_plot(
            {
                label: {plain(str(skill)): tally for skill, tally in one.tallies["skill"].items()}
                for label, one in zip(labels, counted, strict=True)
            }
        ),
    }
    if counted[0].instances:
        contents["pairs.csv"] = pairs_comma_separated(counted).encode()
        contents["pairs.png"] = pairs_plot(
            {
                label: {plain(category): figures for category, figures in one.pairs["category"].items()}
                for label, one in zip(labels, counted, strict=True)
            }
        )
        if len(counted) > 1:
            contents["comparisons.csv"] = comparisons_comma_separated(counted).encode()
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
    for note in notes(counted):
        console.print(note, style="dim", highlight=False)


def _parts(headings: Row, rows: Sequence[Row], width: int) -> list[list[int]]:
    """The columns of a table; where they are too wide for the screen, those of the first and the second half apart."""
    needed = sum(max(len(row[column]) for row in [headings, *rows]) + 2 for column in range(len(headings)))
    if needed <= width or headings not in SPLITS:
        return [list(range(len(headings)))]
    first = SPLITS[headings]
    return [list(range(first)), [0, 1, *range(first, len(headings))]]


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
    if counted[0].instances:
        lines += ["", "![I-Acc of pairs by category](pairs.png)"]
    for title, headings, rows in tables(counted):
        lines += ["", f"## {title}", "", _markdown_row(headings)]
        lines.append(_markdown_row(["---" if heading in NAMES else "---:" for heading in headings]))
        lines += [_markdown_row([_escaped(cell) for cell in row]) for row in rows]
    return "\n".join([*lines, "", *(f"- {note}" for note in notes(counted)), ""])


def notes(counted: Sequence[Counted]) -> list[str]:
    """What a reader must know of the figures that are in this report."""
    has_pairs, is_compared = bool(counted[0].instances), len(counted) > 1
    return [
        *NOTES,
        *(PAIR_NOTES if has_pairs else ()),
        *((CONTRAST_NOTE,) if "contrast" in counted[0].pairs else ()),
        *((COMPARISON_NOTE,) if is_compared else ()),
        *((DISCORDANCE_NOTE,) if has_pairs and is_compared else ()),
    ]


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
    yield from _pair_tables(counted, labels)
    yield from _comparison_tables(counted, labels)
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


def _pair_tables(counted: Sequence[Counted], labels: Sequence[str]) -> Iterator[tuple[str, Row, list[Row]]]:
    """The tables of pairs; every run was asked about the same ones."""
    for table, groups in counted[0].pairs.items():
        rows = [
            (plain(group), label, *_pair_row(one.pairs[table][group]))
            for group in groups
            for label, one in zip(labels, counted, strict=True)
        ]
        yield PAIR_TITLES[table], PAIR_HEADINGS, rows


def _pair_row(figures: PairFigures) -> Row:
    return (
        str(figures.n),
        *(f"{share:.3f}" for share in (figures.answer, figures.clip, figures.question, figures.instance)),
        f"{figures.wilson[0]:.3f}–{figures.wilson[1]:.3f}",
        "–" if figures.standard_error is None else f"{figures.standard_error:.3f}",
        _p(figures.p),
    )


def _comparison_tables(counted: Sequence[Counted], labels: Sequence[str]) -> Iterator[tuple[str, Row, list[Row]]]:
    comparisons = compare(counted)
    accuracies: list[Row] = []
    instances: list[Row] = []
    for one in comparisons:
        names, found, pairs = (labels[one.first], labels[one.second]), one.accuracy, one.instances
        interval = "–" if found.interval is None else f"{found.interval[0]:+.3f} to {found.interval[1]:+.3f}"
        counts = str(found.n), str(found.clusters)
        accuracies.append((*names, f"{found.mean:+.3f}", interval, *counts, _p(found.p), _p(one.accuracy_holm)))
        if pairs is not None and one.instances_holm is not None:
            alone = str(pairs.only_first), str(pairs.only_second), str(pairs.n)
            instances.append((*names, f"{pairs.mean:+.3f}", *alone, _p(pairs.p), _p(one.instances_holm)))
    if accuracies:
        yield "Accuracy compared", COMPARISON_HEADINGS, accuracies
    if instances:
        yield "I-Acc of pairs compared", DISCORDANCE_HEADINGS, instances


def _p(p: float) -> str:
    return "<0.001" if p < 0.001 else f"{p:.3f}"


def comma_separated(counted: Sequence[Counted]) -> str:
    """The report as CSV, one row a run, table and group; a figure that is not defined is left empty."""
    return _csv(
        {"run": plain(one.name), "model": plain(one.run.model), "table": table, "group": plain(str(group))}
        | _all_figures(tally, tally.accuracy)
        for one in counted
        for table, groups in one.tallies.items()
        for group, tally in groups.items()
    )


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


def pairs_comma_separated(counted: Sequence[Counted]) -> str:
    """The figures of pairs as CSV, one row a run, table and group; a figure that is not defined is left empty."""
    return _csv(
        {"run": plain(one.name), "model": plain(one.run.model), "table": table, "group": plain(group)}
        | _all_pair_figures(figures)
        for one in counted
        for table, groups in one.pairs.items()
        for group, figures in groups.items()
    )


def _all_pair_figures(figures: PairFigures) -> dict[str, Any]:
    clustered = figures.clustered or (None, None)
    return {
        "pairs": figures.n,
        "pairs_right": figures.solved,
        "acc": figures.answer,
        "v_acc": figures.clip,
        "q_acc": figures.question,
        "i_acc": figures.instance,
        "acc_clustered_standard_error": figures.standard_error,
        "acc_clustered_low": clustered[0],
        "acc_clustered_high": clustered[1],
        "i_acc_wilson_low": figures.wilson[0],
        "i_acc_wilson_high": figures.wilson[1],
        "i_acc_chance": CHANCE["I-Acc"],
        "i_acc_p": figures.p,
    }


def comparisons_comma_separated(counted: Sequence[Counted]) -> str:
    """The comparisons of two runs each as CSV; what there is to compare of pairs is left empty without pairs."""
    rows: list[dict[str, Any]] = []
    for one in compare(counted):
        found, pairs = one.accuracy, one.instances
        low, high = found.interval or (None, None)
        first, second = counted[one.first], counted[one.second]
        rows.append(
            {
                "run": plain(first.name),
                "model": plain(first.run.model),
                "against_run": plain(second.name),
                "against_model": plain(second.run.model),
                "n": found.n,
                "clusters": found.clusters,
                "accuracy_difference": found.mean,
                "bootstrap_low": low,
                "bootstrap_high": high,
                "sign_flip_p": found.p,
                "sign_flip_p_holm": one.accuracy_holm,
                "pairs": pairs and pairs.n,
                "i_acc_difference": pairs and pairs.mean,
                "pairs_run_alone_right": pairs and pairs.only_first,
                "pairs_against_alone_right": pairs and pairs.only_second,
                "mcnemar_p": pairs and pairs.p,
                "mcnemar_p_holm": one.instances_holm,
            }
        )
    return _csv(rows)


def _csv(rows: Iterable[dict[str, Any]]) -> str:
    """Rows of the same columns under their names."""
    text = io.StringIO()
    writer: csv.DictWriter[str] | None = None
    for row in rows:
        if writer is None:
            writer = csv.DictWriter(text, list(row), lineterminator="\n")
            writer.writeheader()
        writer.writerow(row)
    return text.getvalue()


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
