"""The report on shortcuts as tables: probes, the same by category, the likeness of pairs, and the keys that lean."""

from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING

from verifier.leaning_keys import Lean
from verifier.principles import PAPER, Principles
from verifier.shortcuts import OVERALL, PROBES, Alike, Probe, Report, p_text

if TYPE_CHECKING:
    from rich.table import Table

SHOWN_LEANS = 8
SHOWN_LETTERS = 60

CAPTION = (
    "Acc: the share of right answers; I-Acc: of pairs with all four right. expected: their means where the keys of "
    "each item are drawn again; p: how often those did as well. A reader that tosses a coin for every answer has an "
    "I-Acc of 6.25 %, one that takes the two questions of a pair for opposites up to 50 %."
)


def tables(report: Report) -> "Iterator[Table]":
    groups = [
        list(members) for _, members in groupby(report.probes, key=lambda probe: (probe.category, probe.certificate))
    ]
    whole = [group for group in groups if group[0].category == OVERALL] or groups
    if whole:
        yield _probes(whole)
    if parts := [group for group in groups if group not in whole]:
        yield _by_category(parts)
    if report.alike:
        yield _likeness(report.alike)
    if report.principles:
        yield _principles(report.principles)
    if leans := sorted((lean for lean in report.leans if lean.p is not None), key=lambda lean: lean.p or 0.0):
        yield _leans(leans[:SHOWN_LEANS])


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{share:.1%}"


def _probes(groups: list[list[Probe]]) -> "Table":
    from rich.table import Table

    heads = ("category", "certificate", "probe", "items", "answers", "Acc", "expected", "p", "p (Holm)")
    table = Table(*heads, "I-Acc", "expected", "p", "p (Holm)", "may see", title="Probes", caption=CAPTION)
    for group in groups:
        for number, probe in enumerate(group):
            reading = probe.reading
            table.add_row(
                *((probe.category, probe.certificate) if not number else ("", "")),
                probe.probe,
                str(reading.items),
                str(reading.n),
                _percent(reading.accuracy),
                _percent(reading.expected),
                p_text(reading.p),
                p_text(probe.holm),
                _percent(reading.instance),
                _percent(reading.expected_instance),
                p_text(reading.p_instance),
                p_text(probe.holm_instance),
                _verdict(probe),
                end_section=number == len(group) - 1,
            )
    return table


def _verdict(probe: Probe) -> str:
    if probe.reading.is_decided:
        return "no difference"
    if probe.excuse is not None:
        return probe.excuse
    return "nothing: a finding" if probe.is_finding else "nothing"


def _by_category(groups: list[list[Probe]]) -> "Table":
    """Acc and I-Acc in percent by category and probe; findings have a mark."""
    from rich.table import Table

    table = Table(
        "category",
        "certificate",
        "items",
        *PROBES,
        title="By category",
        caption="Acc / I-Acc in percent; ! is a finding, = where the probe sees no difference.",
    )
    for group in groups:
        cells = dict.fromkeys(PROBES, "")
        for probe in group:
            shares = [share for share in (probe.reading.accuracy, probe.reading.instance) if share is not None]
            mark = "!" if probe.is_finding else "=" if probe.reading.is_decided else ""
            text = " / ".join(f"{share:.0%}".removesuffix("%") for share in shares)
            cells[probe.probe] = f"{text} {mark}".rstrip()
        table.add_row(group[0].category, group[0].certificate, str(group[0].reading.items), *cells.values())
    return table


def _likeness(alike: tuple[Alike, ...]) -> "Table":
    from rich.table import Table

    table = Table("category", "certificate", "pairs", title="Likeness of the clips of pairs")
    for head in ("mean difference, median", "greatest", "decoded, greatest", "shared frames, median", "least"):
        table.add_column(head, justify="right")
    for one in alike:
        differences = (one.median_difference, one.greatest_difference, one.greatest_decoded_difference)
        shares = (_percent(one.median_shared), _percent(one.least_shared))
        table.add_row(one.category, one.certificate, str(one.pairs), *map("{:.2f}".format, differences), *shares)
    return table


def _principles(found: tuple[Principles, ...]) -> "Table":
    """TOMATO's measures by task, from readers that are trained here."""
    from rich.table import Table

    paper = ", ".join(f"{name} {share:.1%}" for name, share in PAPER.items())
    table = Table(
        "task",
        "items",
        "random choice",
        "frequent choice",
        "random frame",
        "best frame",
        "shuffled",
        "ordered",
        "κ",
        "τ",
        "ρ",
        title="Three principles, measured with a small trained network",
        caption="Acc of a network with one hidden layer, cross-validated by item; frequent choice: always the letter "
        "that is right most often. κ: ordered over random frame, τ: ordered over shuffled, ρ: best over random frame, "
        f"each less 1. TOMATO's own questions (arXiv 2410.23266): {paper}.",
    )
    for one in found:
        shares = (one.random_choice, one.frequent_choice, one.random_frame, one.best_frame, one.shuffled, one.ordered)
        ratios = ("–" if ratio is None else f"{ratio:+.2f}" for ratio in (one.gain, one.sensitivity, one.disparity))
        table.add_row(one.category, str(one.items), *map(_percent, shares), *ratios)
    return table


def _leans(leans: list[Lean]) -> "Table":
    from rich.table import Table
    from rich.text import Text

    table = Table("", "what", "answer", "uses", "right", "expected", "p", "p (Holm)", title="Keys that lean most")
    for lean in leans:
        what = " ".join(lean.what.split())
        short = what if len(what) <= SHOWN_LETTERS else what[: SHOWN_LETTERS - 1] + "…"
        counts = (str(lean.uses), str(lean.right), f"{lean.expected:.1f}")
        # As Text, so that square brackets are not taken for markup.
        table.add_row(lean.kind, Text(short), lean.answer, *counts, p_text(lean.p), p_text(lean.holm))
    return table
