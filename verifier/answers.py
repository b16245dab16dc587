"""What a reply comes to: an answer in the form of the key, or the reason why there is none."""

from dataclasses import dataclass
from typing import Any, TypeAlias

REASONS = ("empty", "truncated", "ambiguous", "unreadable", "refused")


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer in the form of the key; for operations a tuple of the world's operations."""

    value: Any


@dataclass(frozen=True, slots=True)
class Unparsed:
    """No answer: `reason` is a short sentence that begins with its `category`, one of REASONS."""

    reason: str
    category: str


Reading: TypeAlias = Answer | Unparsed


def unparsed(reason: str) -> Unparsed:
    """No answer, for a reason such as "ambiguous: …"."""
    return Unparsed(reason, reason.partition(":")[0])


def excerpt(text: str) -> str:
    """The beginning of a text, quoted for a message."""
    text = " ".join(text[:200].split())
    return repr(text if len(text) <= 60 else text[:57] + "…")
