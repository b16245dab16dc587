"""What a published set comes to once it is read: questions that judge replies, and what is wrong with their keys."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from verifier.answers import Answer, Reading
from verifier.scoring import Outcome


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of one reply; `value` is the answer read and `reason` says why it does not count."""

    outcome: Outcome
    value: Any = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class PublishedQuestion:
    """One question: `aliases` are further names a reply may call it by, `groups` the (table, group) it counts in.

    Questions with the same `video` are no independent evidence.
    """

    id: str
    aliases: tuple[str, ...]
    video: str
    groups: tuple[tuple[str, str], ...]
    judge: Callable[[str], Verdict]


@dataclass(frozen=True, slots=True)
class PairedRow:
    """A metric that several questions answer together: `right[i]` says so of one clip, question or instance."""

    metric: str
    group: str
    right: tuple[bool, ...]


def _no_pairs(_is_right: Mapping[str, bool]) -> Sequence[PairedRow]:
    """Most sets count every question alone."""
    return ()


@dataclass(frozen=True, slots=True)
class PublishedSet:
    """A set as read: `findings` are its key errors in words, `notes` what a reader of the scores must know."""

    name: str
    questions: tuple[PublishedQuestion, ...]
    findings: tuple[str, ...]
    notes: tuple[str, ...] = ()
    paired: Callable[[Mapping[str, bool]], Sequence[PairedRow]] = _no_pairs


def verdict(reading: Reading, is_right: Callable[[Any], bool], why_wrong: str | None = None) -> Verdict:
    """The verdict on what was read from a reply."""
    if isinstance(reading, Answer):
        right = is_right(reading.value)
        return Verdict("correct" if right else "wrong", reading.value, None if right else why_wrong)
    return Verdict("refused" if reading.category == "refused" else "unparsed", None, reading.reason)
