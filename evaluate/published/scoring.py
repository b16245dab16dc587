"""Judges the replies to a published set and counts them by its own groupings, over every question of the set."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from evaluate.published.files import read_replies
from evaluate.published.questions import PairedRow, PublishedQuestion, PublishedSet, Verdict
from evaluate.statistics import Accuracy, accuracy
from generators.errors import InputError


@dataclass(slots=True)
class Group:
    """What became of the questions of one group; `videos[i]` numbers the video that answer i is about."""

    outcomes: Counter[str] = field(default_factory=Counter)
    is_right: list[bool] = field(default_factory=list)
    videos: list[int] = field(default_factory=list)

    @property
    def accuracy(self) -> Accuracy:
        return accuracy(self.is_right, self.videos)


@dataclass(frozen=True, slots=True)
class Score:
    """The verdict on every question, the groups of each table, and the metrics of pairs."""

    verdicts: dict[str, Verdict]
    tables: dict[str, dict[str, Group]]
    paired: Sequence[PairedRow]


def score(published: PublishedSet, replies: Path) -> Score:
    """Judge every reply; a question without one is missing.

    Raises InputError at a reply to no question, to several, or to one that was answered before.
    """
    questions = _by_name(published.questions)
    given: dict[str, str | None] = {}
    for where, name, reply in read_replies(replies):
        found = questions.get(name, [])
        if not found:
            raise InputError(f"{where}: {published.name} as read has no question {name!r:.80}")
        if len(found) > 1:
            raise InputError(f"{where}: {name!r:.80} could be {found[0].id} or {found[1].id}: name it by its id")
        if found[0].id in given:
            raise InputError(f"{where}: a second reply to {found[0].id}: keep one of them")
        given[found[0].id] = reply
    verdicts = {question.id: _verdict(question, given) for question in published.questions}
    tables: dict[str, dict[str, Group]] = {"overall": {"all": Group()}}
    videos: dict[str, int] = {}
    for question in published.questions:
        outcome = verdicts[question.id].outcome
        for table, name in (("overall", "all"), *question.groups):
            group = tables.setdefault(table, {}).setdefault(name, Group())
            group.outcomes[outcome] += 1
            group.is_right.append(outcome == "correct")
            group.videos.append(videos.setdefault(question.video, len(videos)))
    is_right = {name: verdict.outcome == "correct" for name, verdict in verdicts.items()}
    return Score(verdicts, tables, published.paired(is_right))


def _verdict(question: PublishedQuestion, given: dict[str, str | None]) -> Verdict:
    if question.id not in given:
        return Verdict("missing", reason="no reply for this question")
    reply = given[question.id]
    return Verdict("failed", reason="no reply came") if reply is None else question.judge(reply)


def _by_name(questions: Sequence[PublishedQuestion]) -> dict[str, list[PublishedQuestion]]:
    """Every question by each of its names. An id goes before an alias. Raises InputError at two equal ids."""
    named: dict[str, list[PublishedQuestion]] = {}
    ids: dict[str, list[PublishedQuestion]] = {}
    for question in questions:
        if question.id in ids:
            raise InputError(f"the set has two questions with the id {question.id!r:.80}: replies could be to either")
        ids[question.id] = [question]
        for alias in dict.fromkeys(question.aliases):
            named.setdefault(alias, []).append(question)
    return named | ids


def lines(result: Score) -> Iterator[dict[str, object]]:
    """One object a question, in the order of the set."""
    for name, verdict in result.verdicts.items():
        yield {"id": name, "outcome": verdict.outcome, "value": verdict.value, "reason": verdict.reason}


def mean_of(row: PairedRow) -> Accuracy:
    """The share of a paired metric; its clips, questions or instances are taken for independent."""
    return accuracy(row.right, range(len(row.right)))
