"""Counts what became of every question of a run, as a whole and in groups. Nothing that was asked is left out."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from evaluate.asking import Asked, every_question
from evaluate.statistics import Accuracy, accuracy
from evaluate.store import REPLIES, Run, read_replies
from generators.errors import InputError
from verifier.scoring import Judgement, judge, missing

TABLES = ("overall", "family", "skill", "level", "reveal", "size", "operations", "operations_range")
"""What the questions are grouped by, each on its own."""

RANGES = ((1, 4), (5, 9), (10, 14), (15, 24), (25, 49), (50, None))
"""Numbers of operations that are reported together; 5–9 and 10–14 are VideoReasonBench's."""


@dataclass(slots=True)
class Tally:
    """What became of the questions of one group: outcomes, which items they were about, and how plans fared."""

    outcomes: Counter[str] = field(default_factory=Counter)
    is_right: list[bool] = field(default_factory=list)
    items: list[int] = field(default_factory=list)
    plans: int = 0
    illegal_plans: int = 0
    gaps: list[int] = field(default_factory=list)

    def add(self, asked: Asked, item: int, judgement: Judgement) -> None:
        self.outcomes[judgement.outcome] += 1
        self.is_right.append(judgement.outcome == "correct")
        self.items.append(item)
        self.plans += asked.question.kind == "operations"
        self.illegal_plans += judgement.first_illegal is not None
        if judgement.optimality_gap is not None:
            self.gaps.append(judgement.optimality_gap)

    @property
    def accuracy(self) -> Accuracy:
        return accuracy(self.is_right, self.items)

    @property
    def mean_gap(self) -> float | None:
        """How many operations more than the shortest plan a right plan has, on average; None without a right plan."""
        return sum(self.gaps) / len(self.gaps) if self.gaps else None


Group = str | int
Tallies = dict[str, dict[Group, Tally]]
"""Tally by table and group; groups stand in the order in which a reader looks for them."""


@dataclass(frozen=True, slots=True)
class Counted:
    """A run and its tallies; `unparsed` counts the reasons why replies could not be read."""

    name: str
    run: Run
    tallies: Tallies
    unparsed: Counter[str]

    @property
    def overall(self) -> Tally:
        return self.tallies["overall"]["all"]


def count(folder: Path, run: Run, dataset: Path) -> Counted:
    """Judge every reply of a run; a question without one is missing. Raises InputError at a reply to no question."""
    tallies: Tallies = {table: {} for table in TABLES}
    unparsed: Counter[str] = Counter()
    item, item_id = -1, ""
    for asked, judgement in _judgements(folder, run, dataset):
        if asked.item.id != item_id:
            item, item_id = item + 1, asked.item.id
        for table, group in _groups(asked):
            tallies[table].setdefault(group, Tally()).add(asked, item, judgement)
        if judgement.outcome == "unparsed" and judgement.reason:
            unparsed[judgement.reason.partition(":")[0]] += 1
    for table in ("level", "size", "operations", "operations_range"):
        tallies[table] = dict(sorted(tallies[table].items(), key=lambda entry: _first_number(entry[0])))
    return Counted(folder.resolve().name, run, tallies, unparsed)


def _judgements(folder: Path, run: Run, dataset: Path) -> Iterator[tuple[Asked, Judgement]]:
    """Every question with its judgement. Replies stand in the order of the questions, so both are read side by side."""
    replies = read_replies(folder)
    number, reply = next(replies, (0, None))
    for asked in every_question(dataset, run.settings.limit):
        if reply is not None and reply.model != run.model:
            raise InputError(
                f"{folder / REPLIES}, line {number}: is a reply of {reply.model} in a run of {run.model}; the file was "
                "changed, so run the model again"
            )
        if reply is not None and reply.name == asked.name:
            yield asked, judge(asked.item, asked.question, asked.clip, reply.reply)
            number, reply = next(replies, (0, None))
        else:
            yield asked, missing(asked.item, asked.question, asked.clip)
    if reply is not None:
        raise InputError(
            f"{folder / REPLIES}, line {number}: {' '.join(map(str, reply.name))} is answered twice, out of order, or "
            "no question of this dataset; the file was changed, so run the model again"
        )


def _groups(asked: Asked) -> Iterator[tuple[str, Group]]:
    """The (table, group) pairs that a question counts in."""
    yield "overall", "all"
    yield "family", asked.item.family
    yield "skill", asked.question.id
    yield "level", asked.question.level
    if isinstance(reveal := asked.item.clips[asked.clip].plan.get("reveal"), str):
        yield "reveal", reveal
    measures = asked.item.measures
    if "size" in measures:
        yield "size", int(measures["size"])
    if "operations" in measures:
        operations = int(measures["operations"])
        yield "operations", operations
        yield "operations_range", _range_of(operations)


def _range_of(operations: int) -> str:
    for low, high in RANGES:
        if high is None or operations <= high:
            return f"{low}–{high}" if high else f"{low} or more"
    raise AssertionError("the last range has no end")


def _first_number(group: Group) -> int:
    return group if isinstance(group, int) else int(group.partition("–")[0].partition(" ")[0])
