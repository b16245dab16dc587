"""Counts what became of every question of a run, as a whole and in groups, and compares runs. Nothing is left out."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, groupby
from pathlib import Path

from evaluate.asking import Asked, every_question
from evaluate.pairs import Instance, PairTables, instance_of, pair_tables
from evaluate.statistics import Accuracy, Difference, Discordance, accuracy, difference, discordance, holm
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
    """A run and its tallies; `unparsed` counts the reasons why replies could not be read.

    `instances` are the dataset's minimal pairs in order, and `pairs` their figures; both are empty without pairs.
    """

    name: str
    run: Run
    tallies: Tallies
    unparsed: Counter[str]
    instances: list[Instance]
    pairs: PairTables

    @property
    def overall(self) -> Tally:
        return self.tallies["overall"]["all"]


def count(folder: Path, run: Run, dataset: Path) -> Counted:
    """Judge every reply of a run; a question without one is missing. Raises InputError at a reply to no question."""
    tallies: Tallies = {table: {} for table in TABLES}
    unparsed: Counter[str] = Counter()
    instances: list[Instance] = []
    judgements = groupby(_judgements(folder, run, dataset), key=lambda judged: judged[0].item.id)
    for item, (_, of_item) in enumerate(judgements):
        answers: list[tuple[Asked, bool]] = []
        for asked, judgement in of_item:
            answers.append((asked, judgement.outcome == "correct"))
            for table, group in _groups(asked):
                tallies[table].setdefault(group, Tally()).add(asked, item, judgement)
            if judgement.outcome == "unparsed" and judgement.reason:
                unparsed[judgement.reason.partition(":")[0]] += 1
        if (instance := instance_of(answers)) is not None:
            instances.append(instance)
    for table in ("level", "size", "operations", "operations_range"):
        tallies[table] = dict(sorted(tallies[table].items(), key=lambda entry: _first_number(entry[0])))
    return Counted(folder.resolve().name, run, tallies, unparsed, instances, pair_tables(instances))


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two runs over the same questions, by their places in the report.

    `instances` compares the pairs that either solved; it is None without pairs. The p-values under `…_holm` are
    corrected for all the comparisons of the report.
    """

    first: int
    second: int
    accuracy: Difference
    accuracy_holm: float
    instances: Discordance | None = None
    instances_holm: float | None = None


def compare(counted: Sequence[Counted]) -> list[Comparison]:
    """Every two of several runs over the same items compared; nothing where there is one run only."""
    chosen = list(combinations(range(len(counted)), 2))
    accuracies: list[Difference] = []
    instances: list[Discordance] = []
    for first, second in ((counted[first], counted[second]) for first, second in chosen):
        accuracies.append(difference(first.overall.is_right, second.overall.is_right, first.overall.items))
        if first.instances:
            solved = ([instance.is_solved for instance in one.instances] for one in (first, second))
            instances.append(discordance(*solved))
    corrected = holm([*(one.p for one in accuracies), *(one.p for one in instances)])
    found = [
        Comparison(*runs, of_accuracy, p)
        for runs, of_accuracy, p in zip(chosen, accuracies, corrected[: len(chosen)], strict=True)
    ]
    if not instances:
        return found
    return [
        replace(one, instances=of_instances, instances_holm=p)
        for one, of_instances, p in zip(found, instances, corrected[len(chosen) :], strict=True)
    ]


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
