"""Counts what became of every question of a run, as a whole and in groups. Nothing is left out."""

import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path

from evaluate.asking import Asked, every_question
from evaluate.conditions import Viewing, choose, is_below_minimum
from evaluate.judge import Judged, judgement_of, read_judged
from evaluate.pairs import Instance, PairTables, instance_of, pair_tables
from evaluate.statistics import Accuracy, accuracy
from evaluate.store import REPLIES, Reply, Run, RunSettings, read_replies
from generators.errors import InputError
from generators.item import canonical_json
from verifier.scoring import Judgement, Outcome, missing

TABLES = (
    "overall",
    "family",
    "skill",
    "level",
    "demonstration",
    "variation",
    "reveal",
    "size",
    "operations",
    "operations_range",
)
"""What the questions are grouped by, each on its own."""

RANGES = ((1, 4), (5, 9), (10, 14), (15, 24), (25, 49), (50, None))
"""Numbers of operations that are reported together; 5–9 and 10–14 are VideoReasonBench's."""

LONGEST_VALUE = 400
"""Characters of an answer, and of the reason why there is none, that are kept for the report."""


@dataclass(slots=True)
class Tally:
    """What became of the questions of one group: outcomes, which items they were about, and how plans fared.

    `judged` counts what a second reader made of replies that are unparsed; it changes no other figure.
    """

    outcomes: Counter[str] = field(default_factory=Counter)
    is_right: list[bool] = field(default_factory=list)
    items: list[int] = field(default_factory=list)
    plans: int = 0
    illegal_plans: int = 0
    gaps: list[int] = field(default_factory=list)
    judged: Counter[str] = field(default_factory=Counter)
    below_minimum: int = 0
    _accuracy: Accuracy | None = None

    def add(self, asked: Asked, item: int, judgement: Judgement, answered: "Answered") -> None:
        self.outcomes[judgement.outcome] += 1
        self.is_right.append(judgement.outcome == "correct")
        self.items.append(item)
        if answered.judged is not None:
            self.judged[answered.judged] += 1
        self.below_minimum += answered.is_below_minimum is True
        self._accuracy = None
        self.plans += asked.question.kind == "operations"
        self.illegal_plans += judgement.first_illegal is not None
        if judgement.optimality_gap is not None:
            self.gaps.append(judgement.optimality_gap)

    @property
    def accuracy(self) -> Accuracy:
        if self._accuracy is None:
            self._accuracy = accuracy(self.is_right, self.items)
        return self._accuracy

    @property
    def accuracy_with_judged(self) -> float | None:
        """The share of questions that are right, or right by the second reader's word; None without questions."""
        n = len(self.is_right)
        return (self.outcomes["correct"] + self.judged["correct"]) / n if n else None

    @property
    def mean_gap(self) -> float | None:
        """How many operations more than the shortest plan a right plan has, on average; None without a right plan."""
        return sum(self.gaps) / len(self.gaps) if self.gaps else None


Group = str | int
Tallies = dict[str, dict[Group, Tally]]
"""Tally by table and group; groups stand in the order in which a reader looks for them."""


@dataclass(frozen=True, slots=True)
class Answered:
    """What became of one question, apart from the words of the reply.

    `value` is the answer that was read, as JSON. `is_below_minimum`: whether its clip was shown at a lower frame rate
    than the item needs; None where that cannot be said. `judged` is what a second reader made of a reply that is
    unparsed.
    """

    name: tuple[str, str, int]
    outcome: Outcome
    reason: str | None = None
    value: str | None = None
    is_below_minimum: bool | None = None
    frames: int | None = None
    judged: Outcome | None = None


@dataclass(frozen=True, slots=True)
class Cost:
    """What a run's replies cost as far as it is on record: dollars, tokens, and seconds until each reply was there."""

    dollars: float | None
    prompt_tokens: int | None
    completion_tokens: int | None
    mean_latency: float | None


@dataclass(frozen=True, slots=True)
class Counted:
    """A run and its tallies; `unparsed` counts the reasons why replies could not be read.

    `answered` holds every question in the order of the dataset, and `judge` names the second reader that was asked
    last. `instances` are the dataset's minimal pairs in order, and `pairs` their figures; both are empty without pairs.
    """

    name: str
    run: Run
    folder: Path
    dataset: Path
    tallies: Tallies
    unparsed: Counter[str]
    answered: list[Answered]
    cost: Cost
    judge: str | None
    instances: list[Instance]
    pairs: PairTables

    @property
    def overall(self) -> Tally:
        return self.tallies["overall"]["all"]

    @property
    def viewing(self) -> Viewing:
        return viewing_of(self.run.settings)


def viewing_of(settings: RunSettings) -> Viewing:
    """What a run showed of each clip."""
    return Viewing(
        condition=settings.condition, fps=settings.fps, frames=settings.frames, frames_from=settings.frames_from
    )


def count(folder: Path, run: Run, dataset: Path) -> Counted:
    """Judge every reply of a run; a question without one is missing. Raises InputError at a reply to no question."""
    tallies: Tallies = {table: {} for table in TABLES}
    unparsed: Counter[str] = Counter()
    instances: list[Instance] = []
    answered: list[Answered] = []
    costs = _Costs()
    judge, second = _second_reader(folder)
    viewing = viewing_of(run.settings)
    judgements = groupby(judgements_of(folder, run, dataset), key=lambda judged: judged[0].item.id)
    for item, (_, of_item) in enumerate(judgements):
        answers: list[tuple[Asked, bool]] = []
        for asked, reply, judgement in of_item:
            answers.append((asked, judgement.outcome == "correct"))
            answered.append(_answered(asked, reply, judgement, viewing, second))
            costs.add(reply)
            for table, group in _groups(asked):
                tallies[table].setdefault(group, Tally()).add(asked, item, judgement, answered[-1])
            if judgement.outcome == "unparsed" and judgement.reason:
                unparsed[judgement.reason.partition(":")[0]] += 1
        if (instance := instance_of(answers)) is not None:
            instances.append(instance)
    for table in ("level", "size", "operations", "operations_range"):
        tallies[table] = dict(sorted(tallies[table].items(), key=lambda entry: _first_number(entry[0])))
    return Counted(
        name=folder.resolve().name,
        run=run,
        folder=folder,
        dataset=dataset,
        tallies=tallies,
        unparsed=unparsed,
        answered=answered,
        cost=costs.total(),
        judge=judge,
        instances=instances,
        pairs=pair_tables(instances),
    )


Second = dict[tuple[str, str, int, str], Judged]
"""What a second reader said, by (item, question, clip, SHA-256 of the reply)."""


def _second_reader(folder: Path) -> tuple[str | None, Second]:
    """(the second reader that was asked last, what it said); it has said nothing where no answer came from it."""
    said: dict[str, Second] = {}
    judge = None
    for one in read_judged(folder):
        judge = one.judge
        if one.error is None and one.outcome is not None:
            said.setdefault(judge, {})[one.item, one.question, one.clip, one.reply_sha256] = one
    return judge, said.get(judge or "", {})


def _answered(asked: Asked, reply: Reply | None, judgement: Judgement, viewing: Viewing, second: Second) -> Answered:
    judged: Outcome | None = None
    if second and judgement.outcome == "unparsed" and reply is not None and reply.reply:
        digest = hashlib.sha256(reply.reply.encode(errors="replace")).hexdigest()
        found = second.get((*asked.name, digest))
        judged = found.outcome if found is not None else None
    below, frames = None, None
    if reply is not None:
        below = reply.below_minimum_fps
        indices = (reply.given or {}).get("indices")
        frames = len(indices) if isinstance(indices, list) else None
    elif "minimum_fps" in asked.item.measures:
        below = is_below_minimum(viewing, choose(viewing, asked.item, asked.clip), asked.item, asked.clip)
    value = None if judgement.value is None else canonical_json(judgement.value)[:LONGEST_VALUE]
    reason = None if judgement.reason is None else judgement.reason[:LONGEST_VALUE]
    return Answered(asked.name, judgement.outcome, reason, value, below, frames, judged)


@dataclass(slots=True)
class _Costs:
    """Adds up what replies cost; a figure that no reply has is None."""

    dollars: list[float] = field(default_factory=list)
    tokens: dict[str, list[int]] = field(default_factory=dict)
    latencies: list[float] = field(default_factory=list)

    def add(self, reply: Reply | None) -> None:
        if reply is None or reply.reply is None:
            return
        if reply.cost_usd is not None:
            self.dollars.append(reply.cost_usd)
        if reply.latency is not None:
            self.latencies.append(reply.latency)
        for name, tokens in (reply.usage or {}).items():
            self.tokens.setdefault(name, []).append(tokens)

    def total(self) -> Cost:
        prompt, completion = (self.tokens.get(name) for name in ("prompt_tokens", "completion_tokens"))
        return Cost(
            dollars=sum(self.dollars) if self.dollars else None,
            prompt_tokens=sum(prompt) if prompt else None,
            completion_tokens=sum(completion) if completion else None,
            mean_latency=sum(self.latencies) / len(self.latencies) if self.latencies else None,
        )


def judgements_of(folder: Path, run: Run, dataset: Path) -> Iterator[tuple[Asked, Reply | None, Judgement]]:
    """Every question with what was replied and its judgement.

    Replies stand in the order of the questions, so both are read side by side.
    """
    replies = read_replies(folder)
    number, reply = next(replies, (0, None))
    for asked in every_question(dataset, run.settings.limit):
        if reply is not None and reply.model != run.model:
            raise InputError(
                f"{folder / REPLIES}, line {number}: is a reply of {reply.model} in a run of {run.model}; the file was "
                "changed, so run the model again"
            )
        if reply is not None and reply.name == asked.name:
            yield asked, reply, judgement_of(asked, reply)
            number, reply = next(replies, (0, None))
        else:
            yield asked, None, missing(asked.item, asked.question, asked.clip)
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
    for table in ("demonstration", "variation"):
        if isinstance(told := asked.question.about.get(table), str):
            yield table, told
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
