"""Reads the answers that VideoReasonBench asks for and keys hold: cells with contents, operations by their number …

Every reader here takes the text of an answer and raises ValueError where anything else is in it.
"""

import re
from collections.abc import Callable
from typing import Any

from simulators.contract import World
from simulators.notation import CARD_SPELLING, ROW_LETTERS, read_card
from verifier.answers import Answer, Reading, Unparsed, excerpt, unparsed
from verifier.markers import answer_passage, cleaned, first_block, without_markup, without_reasoning
from verifier.reading import ANSWER_LIMIT, read_reply

Cell = tuple[int, int]
Read = Callable[[str], Any]

CELL = r"\(?\s*([a-j])\s*,?\s*(\d{1,2})\s*\)?(?!\w)"
_SEPARATORS = re.compile(r"(?:[\s,;.&]|\band\b)*", re.IGNORECASE)
_LEAD = re.compile(
    r"\s*(?:(?!\d|\b[a-j]\b|\bnot\b)[^:\n]){1,120}(?::|(?:(?<=\sare)|(?<=\sis)|(?<=\sat)|(?<=\sin))(?=\s))\s*",
    re.IGNORECASE,
)
"""Words before an answer, up to a colon or a verb: no cell, no number and no "not" among them."""
_NOTHING = re.compile(r"(?:none|nothing|n/a|no \w+|never|0(?: times)?)(?:\W*\bnone)?", re.IGNORECASE)
_ORDINAL = re.compile(
    r"(?:^|(?<=[\s,;.(]))(\d{1,3})"
    r"(?:(?:st|nd|rd|th)\b(?: (?:move|swap|square|command|card|chip|action|step)\b)?\)?\s*[:.–-]?|\s*:)\s*",
    re.IGNORECASE,
)
_LIST_MARK = re.compile(r"(?m)^\s*(?:[-*•+]|\d{1,2}[.)])\s+")
_COUNT = re.compile(
    r"\s*(\d{1,3})(?:\s*(?:times?|occurrences?|moves?)\b)?\s*[:;,–-]?\s*(?:at\b)?(?=\s|\(|$)\s*"
    r"|[^:\n(\d]{1,120}\b(\d{1,3}) (?:times?|occurrences?|moves?)\b(?:[^:\n\d(]{0,80}:|[^:\n\d(]{0,20}(?=\(|$))\s*",
    re.IGNORECASE,
)


def read_answer(reply: str, read: Read) -> Reading:
    """The answer that a reply gives behind its last marker, or as a whole where it has none."""
    text = without_reasoning(cleaned(reply))
    if text is None:
        return unparsed("truncated: the reasoning never closes")
    passage = answer_passage(without_markup(text))
    if passage.fault:
        return unparsed(passage.fault)
    problem = "empty: there is no answer"
    for part in dict.fromkeys((passage.text, first_block(passage.text)[0] if passage.marked else "")):
        if part.strip() and len(part) <= ANSWER_LIMIT:
            try:
                return Answer(read(part.strip()))
            except ValueError as error:
                problem = f"unreadable: {str(error)[:200]}"
    other = read_reply("cells", reply)  # which looks for a refusal
    return other if isinstance(other, Unparsed) and other.category == "refused" else unparsed(problem)


def by_kind(kind: str, world: World[Any, Any, Any], container: str | None = None, things: bool = False) -> Read:
    """The verifier's own reader of a kind as one of an answer's text: operations, or things of the world."""

    def read(text: str) -> Any:
        reading = read_reply(kind, f"Final Answer: {text}", world=world, container=container, lists_things=things)
        if isinstance(reading, Unparsed):
            raise ValueError(reading.reason.partition(": ")[2])
        return tuple(reading.value)

    return read


def files(read: Read) -> Read:
    """Of a list of files where the set writes the kind of file into the count: "2 `.csv` files: …"."""
    return lambda text: frozenset(read(re.sub(r"\s*`?\.\w{1,8}`?(?=\s+files?\b)", "", text, flags=re.IGNORECASE)))


def cell_contents(contents: dict[str, Any] | None, first_column: int) -> Read:
    """Cells and what is in them, as in `(a,1): 3`; `contents` gives the words, and None stands for whole numbers."""
    word = "|".join(map(re.escape, contents)) if contents else r"\d{1,3}"
    one = re.compile(rf"{CELL}\s*(?:[:=→-]|is\b|->)\s*(?:an?\s+|the\s+)?({word})(?!\w)(?:\s+pieces?\b)?", re.IGNORECASE)

    def read(text: str) -> frozenset[tuple[Cell, Any]]:
        found: dict[Cell, Any] = {}
        for match in _entries(text, one, "a cell and what it holds"):
            cell = _cell(match[1], match[2], first_column)
            value = contents[match[3].lower()] if contents else int(match[3])
            if found.setdefault(cell, value) != value:
                raise ValueError(f"{match[0]!r} contradicts what was said of the same cell")
        return frozenset(found.items())

    return read


def cells(first_column: int) -> Read:
    """A set of cells, as in `a2, b1`."""
    one = re.compile(CELL, re.IGNORECASE)
    return lambda text: frozenset(_cell(match[1], match[2], first_column) for match in _entries(text, one, "cells"))


def counted_cells(first_column: int) -> Read:
    """How often, and where each time, as in `2: (b,2), (c,2)`: the sorted cells, as many as counted."""
    one = re.compile(CELL, re.IGNORECASE)

    def read(text: str) -> tuple[Cell, ...]:
        count = _COUNT.match(text) or _COUNT.match(text := _LEAD.sub("", text, count=1))
        rest = text[count.end() :] if count else text
        found = sorted(_cell(match[1], match[2], first_column) for match in _entries(rest, one, "cells"))
        if count and int(count[1] or count[2]) != len(found):
            raise ValueError(f"the reply counts {count[1] or count[2]} and lists {len(found)}")
        return tuple(found)

    return read


def numbered(first: int, one: Read) -> Read:
    """What happened by its number, as in `2nd: …, 3rd: …`; without numbers, the lines are counted from `first`."""

    def read(text: str) -> tuple[tuple[int, Any], ...]:
        text = _LIST_MARK.sub("", text)
        marks = list(_ORDINAL.finditer(text))
        if not marks:
            lines = [line for line in re.split(r"[\n;]", text) if line.strip()]
            return tuple((first + index, one(line.strip(" \t,."))) for index, line in enumerate(lines))
        if text[: marks[0].start()].strip() and not _LEAD.fullmatch(text[: marks[0].start()] + " "):
            raise ValueError(f"{excerpt(text[: marks[0].start()])} stands before the first number")
        ends = [*(mark.start() for mark in marks[1:]), len(text)]
        entries = [
            (int(mark[1]), one(text[mark.end() : end].lstrip(" \t\n,;.").rstrip(" \t\n,;.(")))
            for mark, end in zip(marks, ends, strict=True)
        ]
        if len({number for number, _ in entries}) < len(entries):
            raise ValueError("two entries have the same number")
        return tuple(sorted(entries, key=lambda entry: entry[0]))

    return read


def without_numbers(read: Read) -> Read:
    """What happened in its order, whatever the numbers."""
    return lambda text: () if _NOTHING.fullmatch(text.strip(" .")) else tuple(value for _, value in read(text))


def cells_of_a_swap(text: str) -> frozenset[Cell]:
    """One or two cells, as in `b2` or `(a1,a2)`."""
    found = cells(1)(text)
    if not 1 <= len(found) <= 2:
        raise ValueError(f"{excerpt(text)} is not one cell or two")
    return frozenset(found)


def moved_square(text: str) -> tuple[Cell, str]:
    """Where a square was and which way it went, as in `(a,2) right`."""
    match = re.fullmatch(
        rf"(?:square\s+)?(?:at\s+)?{CELL}[\s,:;–→-]*(?:>\s*)?(?:was\s+)?(?:moved|moves|moving|direction:?)?\s*"
        r"(?:to the\s+)?(left|right|up|down)(?:wards?)?",
        text.strip(" ."),
        re.IGNORECASE,
    )
    if match is None:
        raise ValueError(f"{excerpt(text)} is no cell and a direction, as in (a,2) right")
    return _cell(match[1], match[2], 1), match[3].lower()


def one_operation(world: World[Any, Any, Any]) -> Read:
    """A single operation of the world, in the form that is the same for operations that mean the same."""

    def read(text: str) -> Any:
        operations = world.operations_in_reply(text)
        if len(operations) != 1:
            raise ValueError(f"{excerpt(text)} is not one operation")
        return world.normal_form(operations[0])

    return read


def placed(thing: str, container: str, read: Callable[[str], Any]) -> Read:
    """One thing and its container, as in `6 of Hearts, pile0`."""
    one = re.compile(
        rf"(?:(?:added|removed|add|remove)\s+)?(?:the\s+)?({thing})[\s,:(–-]*(?:(?:added|removed)\s+)?(?:to|from|in|into)?\s*"
        rf"(?:the\s+)?{container}\s*(\d)\)?",
        re.IGNORECASE,
    )

    def read_one(text: str) -> tuple[Any, int]:
        match = one.fullmatch(text.strip(" ."))
        if match is None:
            raise ValueError(f"{excerpt(text)} is no entry such as the question asks for")
        return read(match[1]), int(match[2])

    return read_one


placed_card = placed(CARD_SPELLING, "pile", read_card)
placed_chip = placed(r"\d{1,3}", "cup", int)


def higher_moment(text: str) -> tuple[str, int]:
    """When the value is higher and by how much, as in `start, 115`."""
    match = re.fullmatch(
        r"\{?\s*(?:at\s+)?(?:the\s+)?(start|end)\}?[\s,;:]*(?:and\s+)?(?:by\s+|difference(?:\s+of|:)?\s*)?\{?(\d{1,6})\}?",
        text.strip(" ."),
        re.IGNORECASE,
    )
    if match is None:
        raise ValueError(f"{excerpt(text)} is no moment and difference, as in start, 115")
    return match[1].lower(), int(match[2])


def _cell(letter: str, number: str, first_column: int) -> Cell:
    return ROW_LETTERS.index(letter.lower()), int(number) - first_column


def _entries(text: str, one: re.Pattern[str], expected: str) -> list[re.Match[str]]:
    """The matches of `one` that the text lists; only separators, list marks and a lead stand beside them."""
    text = _LIST_MARK.sub("", text).strip(" \n.")
    if _NOTHING.fullmatch(text) or not text:
        return []
    if one.match(text) is None:
        text = _LEAD.sub("", text, count=1).strip()
    text = text.strip("[]{} \n")
    found: list[re.Match[str]] = []
    position = 0
    while position < len(text):
        match = one.match(text, position)
        if match is None:
            raise ValueError(f"{excerpt(text[position:])} where {expected} should be")
        found.append(match)
        separators = _SEPARATORS.match(text, match.end())
        position = separators.end() if separators else match.end()
    return found
