"""Minimal pairs: what TimeBlind's four accuracies are made of, as a whole and in groups."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from evaluate.asking import Asked
from evaluate.statistics import accuracy, p_above_chance, wilson
from generators.errors import InputError

QUESTIONS = ("first", "second")
"""The two questions of a pair. A pair may be asked others beside them, which are no part of its 2×2."""

CHANCE = {"Acc": 0.5, "V-Acc": 0.25, "Q-Acc": 0.25, "I-Acc": 0.0625}
"""What an answerer reaches who tosses a coin four times a pair."""

PAIR_TABLES = ("overall", "category", "group", "certificate", "form", "contrast")
"""What pairs are grouped by, each on its own."""

GROUPS = ("event", "attribute", "logic")
"""The groups of categories, in TimeBlind's order."""

HIDDEN_STATE = "hidden state"
"""What pairs of the worlds with a hidden state are called, which are of no category."""

BINS = 4
"""Into how many parts of about equal size the contrasts of a category are cut."""


@dataclass(frozen=True, slots=True)
class Instance:
    """A pair as one run answered it: `is_right` holds (question, clip) as first-1, first-2, second-1, second-2.

    `contrast` says by how much the clips differ, in units of the category's own; null where it is not measured.
    """

    category: str
    group: str
    certificate: str | None
    form: str
    contrast: float | None
    is_right: tuple[bool, bool, bool, bool]

    @property
    def clips(self) -> tuple[bool, bool]:
        """For each clip, whether both questions about it are right."""
        first_1, first_2, second_1, second_2 = self.is_right
        return first_1 and second_1, first_2 and second_2

    @property
    def questions(self) -> tuple[bool, bool]:
        """For each question, whether it is right about both clips."""
        first_1, first_2, second_1, second_2 = self.is_right
        return first_1 and first_2, second_1 and second_2

    @property
    def is_solved(self) -> bool:
        """Whether all four are right."""
        return all(self.is_right)


def instance_of(answers: Sequence[tuple[Asked, bool]]) -> Instance | None:
    """The 2×2 of an item, of all its questions with whether they were answered rightly; None for an item without one.

    Raises InputError where a pair lacks a part of it.
    """
    item = answers[0][0].item
    if item.pair is None:
        return None
    cells = {(asked.question.id, asked.clip): is_right for asked, is_right in answers if asked.question.id in QUESTIONS}
    if not cells:
        return None
    wanted = [(question, clip) for question in QUESTIONS for clip in range(2)]
    if sorted(cells) != sorted(wanted):
        raise InputError(
            f"{item.id} is a pair and must ask both {QUESTIONS[0]!r} and {QUESTIONS[1]!r} about each of two clips; "
            "python -m verifier check says what else is wrong"
        )
    first_1, first_2, second_1, second_2 = (cells[cell] for cell in wanted)
    certificate, contrast = item.pair.get("certificate"), item.measures.get("contrast")
    return Instance(
        category=item.category or HIDDEN_STATE,
        group=str(item.pair.get("group") or HIDDEN_STATE),
        certificate=None if certificate is None else str(certificate),
        form=" and ".join(dict.fromkeys(question.kind for question in item.questions if question.id in QUESTIONS)),
        contrast=None if contrast is None else float(contrast),
        is_right=(first_1, first_2, second_1, second_2),
    )


@dataclass(frozen=True, slots=True)
class PairFigures:
    """The four accuracies of `n` instances, and how sure the first and the last are.

    `standard_error` is that of Acc, cluster-robust by instance, with its 95 % interval `clustered`; they are None as in
    `Accuracy`. `wilson` is of I-Acc, and so is `p`: exact, one-sided, against chance.
    """

    n: int
    solved: int
    answer: float
    clip: float
    question: float
    instance: float
    standard_error: float | None
    clustered: tuple[float, float] | None
    wilson: tuple[float, float]
    p: float


def pair_figures(instances: Sequence[Instance]) -> PairFigures:
    """The figures of one instance or more."""
    n, solved = len(instances), sum(one.is_solved for one in instances)
    answers = [is_right for one in instances for is_right in one.is_right]
    answered = accuracy(answers, [number for number in range(n) for _ in range(4)])
    return PairFigures(
        n=n,
        solved=solved,
        answer=sum(answers) / (4 * n),
        clip=sum(chain.from_iterable(one.clips for one in instances)) / (2 * n),
        question=sum(chain.from_iterable(one.questions for one in instances)) / (2 * n),
        instance=solved / n,
        standard_error=answered.standard_error,
        clustered=answered.clustered,
        wilson=wilson(solved, n),
        p=p_above_chance(solved, n, CHANCE["I-Acc"]),
    )


PairTables = dict[str, dict[str, PairFigures]]
"""Figures by table and group; without pairs there are no tables."""


def pair_tables(instances: Sequence[Instance]) -> PairTables:
    """The figures of all instances and of every group of them."""
    in_order = sorted(instances, key=lambda one: GROUPS.index(one.group) if one.group in GROUPS else len(GROUPS))
    grouped: dict[str, dict[str, list[Instance]]] = {}
    for table, group, instance in chain(_groups(in_order), _contrasts(in_order)):
        grouped.setdefault(table, {}).setdefault(group, []).append(instance)
    return {
        table: {group: pair_figures(members) for group, members in grouped[table].items()}
        for table in PAIR_TABLES
        if table in grouped
    }


def _groups(instances: Sequence[Instance]) -> Iterator[tuple[str, str, Instance]]:
    """The (table, group, instance) of all tables but that of contrasts."""
    for instance in instances:
        yield "overall", "all", instance
        yield "category", instance.category, instance
        yield "group", instance.group, instance
        yield "form", instance.form, instance
        if instance.certificate is not None:
            yield "certificate", instance.certificate, instance


def _contrasts(instances: Sequence[Instance]) -> Iterator[tuple[str, str, Instance]]:
    """The (table, group, instance) of the table of contrasts: in each category, from small ones to large ones.

    Few different values stand on their own; more are cut at their quartiles, and equal ones are never parted.
    """
    import numpy

    for category in dict.fromkeys(one.category for one in instances):
        members = [(one.contrast, one) for one in instances if one.category == category and one.contrast is not None]
        contrasts = [contrast for contrast, _ in members]
        cuts = sorted(set(contrasts))
        if len(cuts) > BINS:
            cuts = [float(cut) for cut in numpy.quantile(contrasts, [part / BINS for part in range(1, BINS)])]
        bins: dict[int, list[tuple[float, Instance]]] = {}
        for contrast, instance in members:
            bins.setdefault(int(numpy.searchsorted(cuts, contrast)), []).append((contrast, instance))
        for _, inside in sorted(bins.items()):
            low, high = min(contrast for contrast, _ in inside), max(contrast for contrast, _ in inside)
            name = f"{category} {low:.4g}" if low == high else f"{category} {low:.4g}–{high:.4g}"
            for _, instance in inside:
                yield "contrast", name, instance
