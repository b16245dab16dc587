"""Do the keys lean? How often an answer is the right one, by wording, by letter, by an option's text and length."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from generators.stage import COLOURS
from verifier.features import Asked, Sample

FEWEST_USES = 20
"""A wording or an option that occurs less often is not tested: no answers to so few could be a finding."""


@dataclass(frozen=True, slots=True)
class Lean:
    """How often an answer is the right one where it could be: `right` of `uses`, of which chance gives `expected`."""

    kind: str
    what: str
    answer: str
    uses: int
    right: int
    expected: float
    p: float | None
    holm: float | None = None


NAMED = re.compile(
    rf"\b(?:(?P<colour>{'|'.join(COLOURS)}|white|black|gr[ae]y|cyan|magenta)|(?P<side>left|right|top|bottom|upper|lower"
    r"|up|down|(?:counter|anti)?-?clockwise)|(?P<number>\d+(?:\.\d+)?))\b",
    re.IGNORECASE,
)


def normal_form(wording: str) -> str:
    """The wording with its colours, sides and numbers taken out."""
    return NAMED.sub(lambda found: (found.lastgroup or "").upper(), wording)


def leaning_keys(samples: Sequence[Sample]) -> Iterator[Lean]:
    """How evenly keys are spread: by wording, by letter, by an option's text and by its length.

    Of a pair only the first clip counts, since the second has the other answer by construction, and of an item only
    the first use of a wording or an option, so that uses are independent of each other.
    """
    for kind, write in (("wording", _own), ("normalised wording", normal_form)):
        uses: dict[tuple[str, tuple[str, ...]], list[Asked]] = {}
        for sample in samples:
            its = {(write(asked.wording), _letters(asked)): asked for asked in reversed(sample.asked)}
            for which, asked in its.items():
                uses.setdefault(which, []).append(asked)
        # A normal form that is only one wording was tested as that.
        for (wording, letters), members in uses.items():
            if kind == "wording" or len({asked.wording for asked in members}) > 1:
                yield from _spread(kind, wording, letters, [asked.keys[0] for asked in members])
    firsts = [sample.asked[0] for sample in samples]
    by_letters = sorted(firsts, key=_letters)
    for letters, grouped in groupby(by_letters, key=_letters):
        yield from _spread("letter", f"questions with {len(letters)} options", letters, [a.keys[0] for a in grouped])
    texts: dict[str, list[tuple[bool, float]]] = {}
    lengths: list[tuple[bool, float]] = []
    for asked in (asked for asked in firsts if asked.kind == "choice"):
        for place, text in enumerate(asked.options):
            texts.setdefault(text, []).append((asked.keys[0] == place, 1 / len(asked.options)))
        longest = max(map(len, asked.options))
        if [len(text) for text in asked.options].count(longest) == 1:
            lengths.append((len(asked.options[asked.keys[0]]) == longest, 1 / len(asked.options)))
    for text, offered in texts.items():
        yield _share("option", text, "is right", offered)
    if lengths:
        yield _share("length", "the longest option", "is right", lengths)


def _own(wording: str) -> str:
    return wording


def _letters(asked: Asked) -> tuple[str, ...]:
    if asked.kind == "yes_no":
        return asked.options
    return tuple(chr(ord("A") + place) for place in range(len(asked.options)))


def _spread(kind: str, what: str, letters: Sequence[str], keys: Sequence[int]) -> Iterator[Lean]:
    """How often each key is right; of two one says it all."""
    for place, letter in enumerate(letters[: 1 if len(letters) == 2 else None]):
        yield _share(kind, what, letter, [(key == place, 1 / len(letters)) for key in keys])


def _share(kind: str, what: str, answer: str, uses: Sequence[tuple[bool, float]]) -> Lean:
    """The lean of uses that are right or not, each with its chance; two-sided, exact where all chances are one."""
    import numpy as np
    from scipy.stats import binomtest

    right = sum(is_right for is_right, _ in uses)
    chances = [chance for _, chance in uses]
    p = None
    if len(uses) >= FEWEST_USES and len(set(chances)) == 1:
        p = float(binomtest(right, len(uses), chances[0]).pvalue)
    elif len(uses) >= FEWEST_USES:
        spread = np.ones(1)
        for chance in chances:
            spread = np.convolve(spread, [1 - chance, chance])
        p = min(1.0, 2 * float(min(spread[: right + 1].sum(), spread[right:].sum())))
    return Lean(kind, what, answer, len(uses), right, sum(chances), p)
