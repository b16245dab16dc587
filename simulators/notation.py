"""How cells, directions, cards and files are written and read: one place for axis labels, prompts, keys and replies."""

import re
from collections.abc import Iterable
from functools import cache

ROW_LETTERS = "abcdefghij"
MAXIMUM_SIZE = len(ROW_LETTERS)

DIRECTIONS: dict[str, tuple[int, int]] = {"left": (0, -1), "right": (0, 1), "up": (-1, 0), "down": (1, 0)}
"""Each direction's step as (rows, columns); rows count from the top."""

OPPOSITES = {"left": "right", "right": "left", "up": "down", "down": "up"}


def row_label(row: int) -> str:
    """The letter of a row counted from 0 at the top."""
    return ROW_LETTERS[row]


def column_label(column: int) -> str:
    """The number of a column counted from 0 at the left."""
    return str(column + 1)


def write_cell(row: int, column: int) -> str:
    """The name of a cell: `a1` is top left."""
    return row_label(row) + column_label(column)


def read_cell(text: str) -> tuple[int, int]:
    """(row, column) of a cell's name in either case. Raises ValueError where `text` is no cell's name."""
    match = re.fullmatch(r"([a-j])(10|[1-9])", text.strip().lower())
    if match is None:
        raise ValueError(
            f"{text.strip()!r} is not a cell: write a letter for the row and a number for the column, as in b3"
        )
    return ROW_LETTERS.index(match[1]), int(match[2]) - 1


def without_list_marks(text: str) -> str:
    """`text` with the numbers or bullets before its items, quotes and square brackets taken away."""
    text = re.sub(r"(?im)^\s*(?:[-*•+]\s+|\(?\d+[.):]\s+|(?:step|move|operation)\s*\d+\s*[.:)]\s*)", "", text)
    return re.sub(r"[\[\]\"'“”‘’`]", " ", text)


_SEPARATORS = re.compile(
    r"(?:[\s,;.]|&{1,2}+(?!&)|-++>|=++>|[→⇒>]|(?:and\s++)?(?:then|next|finally|lastly)\b|and\b)*+", re.IGNORECASE
)
_ARROWS = {"←": "left", "→": "right", "↑": "up", "↓": "down"}


def directions_in_reply(text: str, mover: str) -> tuple[str, ...]:
    """The directions that a reply lists, in order; `mover` names what travels, so "move the tile left" reads as left.

    Raises ValueError at the first word that is no direction.
    """
    one = re.compile(
        rf"(?:(?:move|slide|shift|push|step|go)\s+)?(?:(?:the|a)\s+)?(?:{mover}\s+)?(?:to\s+the\s+)?"
        r"(left|right|up|down)(?:wards?)?(?![\w])",
        re.IGNORECASE,
    )
    text = _arrows_in_words(text)
    return tuple(match[1].lower() for match in listed_operations(text, one, "left, right, up or down"))


def _arrows_in_words(text: str) -> str:
    """A list of nothing but arrows in words; as it is where an arrow could also stand between two others.

    Raises ValueError where words begin or end with an arrow, which could be a step or stand before one.
    """
    entries = without_list_marks(text).strip(" \n\t.()")
    if re.search(r"[a-z]", entries, re.IGNORECASE) and "→" in (entries[:1], entries[-1:]):
        raise ValueError(f"{entries[:40]!r} can be read in two ways: an arrow begins or ends it")
    if not entries or re.search(r"[^←→↑↓\s,;]", entries):
        return text
    listed = [entry.strip() for entry in re.split(r"[,;\n]", entries)]
    arrows = listed if len(listed) > 1 else list("".join(entries.split()))
    could_separate = len(listed) == 1 and len(arrows) > 2 and set(arrows[1::2]) == {"→"}
    if could_separate or any(arrow not in _ARROWS for arrow in arrows):
        return text
    return ", ".join(_ARROWS[arrow] for arrow in arrows)


def read_matrix(value: object, minimum: int, maximum: int) -> tuple[tuple[int, ...], ...]:
    """A square matrix of whole numbers, as tuples, with at least `minimum` and at most `maximum` rows.

    Raises ValueError otherwise.
    """
    if not isinstance(value, list | tuple) or not minimum <= len(value) <= maximum:
        raise ValueError(f"expected a square matrix with {minimum} to {maximum} rows, not {value!r}")
    for row in value:
        if not isinstance(row, list | tuple) or len(row) != len(value):
            raise ValueError(f"expected a square matrix: a row of {len(value)} whole numbers, not {row!r}")
        if any(type(number) is not int for number in row):
            raise ValueError(f"expected whole numbers in the row {row!r}")
    return tuple(tuple(row) for row in value)


_NUMBERING = re.compile(
    r"(?:(?:step|move|operation|swap|command|action|change)\s*#?)?\(?([0-9]{1,2})[.):]\s+", re.IGNORECASE
)
_INCOMPLETE = re.compile(r"\.\.(?!/)|…")


def listed_operations(text: str, operation: re.Pattern[str], expected: str) -> tuple[re.Match[str], ...]:
    """The matches of `operation` that a reply lists, in order, where only separators and numbering stand between them.

    Raises ValueError, naming what was `expected`, at the first word that is no operation.
    """
    text = re.sub(r"(?i)^\s*first(?:ly)?\b[\s,:]*", "", without_list_marks(without_code_fences(text)))
    _refuse_incomplete(text)
    found: list[re.Match[str]] = []
    position = 0
    while (position := _end(_SEPARATORS, text, position)) < len(text):
        match = operation.match(text, position)
        if match is None and (numbering := _NUMBERING.match(text, position)):
            match = operation.match(text, _end(_SEPARATORS, text, numbering.end()))
        if match is None:
            raise ValueError(f"{text[position : position + 40].strip()!r} is no operation: expected {expected}")
        found.append(match)
        position = match.end()
    return tuple(found)


def _refuse_incomplete(text: str) -> None:
    """Raises ValueError where a list leaves something out, as in `a1, b2, ...`."""
    if _INCOMPLETE.search(text):
        raise ValueError("the list is incomplete: it ends or breaks off in dots")


def _end(pattern: re.Pattern[str], text: str, position: int) -> int:
    """Where a match of `pattern` at `position` ends, or `position` itself."""
    match = pattern.match(text, position)
    return match.end() if match else position


_THING_SEPARATORS = re.compile(r"(?:[\s,;&•·]|-++>|=++>|[→⇒>]|(?:and\s++)?then(?!\w)|and(?!\w))*+", re.IGNORECASE)
_THING_ENDS = r"(?![\w/.:+%$#@)]|-(?!-*>))"
_BULLET = re.compile(r"(?m)^\s*[-*•+]\s+")
_BRACKETS = re.compile(r"[\[\]{}\"'“”‘’`]")


def listed_things(text: str, thing: str, expected: str) -> tuple[re.Match[str], ...]:
    """The matches of the pattern `thing` that a reply lists, in order; only separators stand between them.

    All or none of them may be numbered from 1. Raises ValueError, naming what was `expected`, at the first word that is
    neither.
    """
    text = _BRACKETS.sub(" ", _BULLET.sub("", text)).strip().removesuffix(".").rstrip()
    _refuse_incomplete(text)
    entry = _entry_pattern(thing)
    found: list[re.Match[str]] = []
    position, numbered = 0, 0
    while (position := _end(_THING_SEPARATORS, text, position)) < len(text):
        if (numbering := _NUMBERING.match(text, position)) and int(numbering[1]) == numbered + 1 == len(found) + 1:
            numbered, position = numbered + 1, numbering.end()
        match = entry.match(text, position)
        if match is None:
            raise ValueError(f"{text[position : position + 40].strip()!r} is none of the things asked for: {expected}")
        found.append(match)
        position = match.end()
    if numbered not in (0, len(found)):
        raise ValueError(f"only {numbered} of the {len(found)} entries are numbered")
    return tuple(found)


@cache
def _entry_pattern(thing: str) -> re.Pattern[str]:
    return re.compile(f"(?:{thing}){_THING_ENDS}", re.IGNORECASE)


_ONE_TO_TEN = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_COUNT_WORDS = dict(zip((*_ONE_TO_TEN, "once", "twice", "thrice"), (*range(1, 11), 1, 2, 3), strict=True))
_COUNT = rf"(?:[0-9]{{1,2}}|{'|'.join(_COUNT_WORDS)})"
_BEHIND = (
    rf"\s*[x×*]\s*{_COUNT}|\s*\(\s*[x×*]?\s*{_COUNT}\s*(?:[x×*]|times?)?\s*\)"
    rf"|\s*:\s*{_COUNT}|\s+{_COUNT}\s+times?|\s+(?:once|twice|thrice)"
)
_BARE = re.compile(rf"\s*(?:\(\s*(?!once|twice|thrice){_COUNT}(?:\s+times?)?\s*\)|:\s*{_COUNT})", re.IGNORECASE)


def counted_things(text: str, thing: str, many: str, expected: str) -> tuple[str, ...]:
    """The spellings of the pattern `thing` that a reply lists, each as often as the reply counts it.

    Counts are as in `3x10`, `10 (x3)`, `10 three times` and, before the pattern `many`, as in `three 10s`. Raises
    ValueError also where a count could be a thing itself, as in `5 x 10`, or be none, as in `10, 50 (2)`.
    """
    one = (
        rf"(?P<number>{_COUNT})\s+(?P<many>{many})"
        rf"|(?:(?P<before>{_COUNT})\s*[x×*]\s*)?(?P<thing>{thing})(?P<behind>{_BEHIND})?"
    )
    matches = listed_things(text, one, expected)
    names: list[str] = []
    bare: set[str] = set()
    uncounted = False
    for match in matches:
        name, counts = match["many"] or match["thing"], [match["number"], match["before"]]
        if match["behind"]:
            counts.append(re.search(_COUNT, match["behind"], re.IGNORECASE)[0])  # type: ignore[index]
        [count, *others] = [count for count in counts if count] or ["1"]
        is_bare = bool(match["behind"] and _BARE.fullmatch(match["behind"]))
        doubtful = (is_bare or match["before"]) and count != name and _entry_pattern(thing).fullmatch(count)
        if others or doubtful:
            raise ValueError(f"{match[0]!r} can be read in two ways")
        if is_bare and name.casefold() not in bare:
            bare.add(name.casefold())
        elif is_bare or not any(counts):
            uncounted = True
        names += [name] * (_COUNT_WORDS.get(count.lower()) or int(count))
    if bare and uncounted:
        raise ValueError("the numbers behind the entries are no counts: each thing would have one, and one only")
    return tuple(names)


def without_code_fences(text: str) -> str:
    """`text` with the lines that open and close a Markdown code block taken away."""
    return re.sub(r"(?im)^[ \t]*```[a-z]*[ \t]*$|```(?:bash|sh|shell|text|json|python)?", "", text)


def without_groups(pattern: str) -> str:
    """A pattern without literal parentheses, with its capturing groups made non-capturing: fit for a longer pattern."""
    return re.sub(r"\((?!\?)", "(?:", pattern)


CELL_SPELLING = r"[a-j](?:10|[1-9])(?![0-9a-zA-Z])"
"""A cell's name inside a longer pattern; read what it matches with `read_cell`."""


def write_swap(first: tuple[int, int], second: tuple[int, int]) -> str:
    """Two cells, each (row, column), as `(a1, c2)`."""
    return f"({write_cell(*first)}, {write_cell(*second)})"


MAXIMUM_CONTAINERS = 4


def read_containers(value: object, kind: str) -> tuple[tuple[object, ...], ...]:
    """The contents of `kind`0, `kind`1 … in a JSON object of one to four lists; what is in the lists stays unread.

    Raises ValueError otherwise.
    """
    wanted = f"an object with 1 to {MAXIMUM_CONTAINERS} lists named {kind}0, {kind}1 … without gaps"
    if not isinstance(value, dict) or not 1 <= len(value) <= MAXIMUM_CONTAINERS:
        raise ValueError(f"expected {wanted}, not {value!r}")
    names = [f"{kind}{index}" for index in range(len(value))]
    if set(value) != set(names):
        raise ValueError(f"expected {wanted}, not the names {', '.join(map(str, value))}")
    for name in names:
        if not isinstance(value[name], list | tuple):
            raise ValueError(f"expected a list for {name}, not {value[name]!r}")
    return tuple(tuple(value[name]) for name in names)


def write_containers(contents: Iterable[Iterable[object]], kind: str) -> dict[str, list[object]]:
    return {f"{kind}{index}": list(content) for index, content in enumerate(contents)}


RANKS = ("Ace", "2", "3", "4", "5", "6", "7", "8", "9", "10", "Jack", "Queen", "King")
SUITS = ("Hearts", "Diamonds", "Clubs", "Spades")
DECK = tuple(f"{rank} of {suit}" for suit in SUITS for rank in RANKS)
"""Every card by its one name, suit by suit; a card is its name everywhere."""

_RANK_WORDS = (
    {rank.lower(): rank for rank in RANKS}
    | {"1": "Ace", "deuce": "2", "t": "10"}
    | dict(zip("ajqk", ("Ace", "Jack", "Queen", "King"), strict=True))
    | dict(zip(_ONE_TO_TEN[1:], RANKS[1:10], strict=True))
)
_SUIT_WORDS = {suit.lower(): suit for suit in SUITS} | {suit.lower()[:-1]: suit for suit in SUITS}
_SUIT_SIGNS = dict(zip("♥♦♣♠♡♢♧♤hdcs", SUITS * 3, strict=True))
_CARD_PARTS = (
    rf"({'|'.join(sorted(_RANK_WORDS, key=len, reverse=True))})"
    rf"(?:[\s_-]+(?:of[\s_-]+|(?=[a-z]+s(?![a-z])))({'|'.join(_SUIT_WORDS)})(?![a-z])"
    r"|\s*(?:of\s+)?([♥♦♣♠♡♢♧♤])\ufe0f?|([hdcs])(?![a-z0-9]))"
)
CARD_SPELLING = without_groups(_CARD_PARTS)
"""A card's name inside a longer pattern that ignores case; read what it matches with `read_card`."""


def read_card(text: str) -> str:
    """A card's one name from a spelling in either case, as in `6 of hearts`, `K of Clubs`, `6♥` or `6h`.

    Raises ValueError where `text` is no card's name.
    """
    match = re.fullmatch(_CARD_PARTS, text.strip(), re.IGNORECASE)
    if match is None:
        raise ValueError(f"{text.strip()!r} is not a card: write a rank and a suit, as in 6 of Hearts")
    suit = _SUIT_WORDS[match[2].lower()] if match[2] else _SUIT_SIGNS[(match[3] or match[4]).lower()]
    return f"{_RANK_WORDS[match[1].lower()]} of {suit}"


FILE_NAME_SPELLING = r"[A-Za-z0-9_]+(?:[.-][A-Za-z0-9_]+)*"
"""A file's name, as in a.txt; case matters."""
FULL_FILE_NAME_SPELLING = r"[a-z0-9_]+(?:[.-][a-z0-9_]+)*\.[a-z][a-z0-9_]*"
"""A file's name with an extension, without which a reply's words could not be told from names; case is ignored."""


def write_files(path: int, names: Iterable[str]) -> str:
    """Files in one folder, in the order given: `path0/{a.txt,b.py}`."""
    return f"path{path}/{{{','.join(names)}}}"


def read_file_names(text: str) -> tuple[str, ...]:
    """The names between the braces of `{a.txt,b.py}`, in order; spaces around them do not matter.

    Raises ValueError where one of them is no file's name.
    """
    names = tuple(name.strip() for name in text.split(",")) if text.strip() else ()
    for name in names:
        if re.fullmatch(FILE_NAME_SPELLING, name) is None:
            raise ValueError(f"{name!r} is not a file's name: write one as in a.txt")
    return names
