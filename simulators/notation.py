"""How cells, directions, cards and files are written and read: one place for axis labels, prompts, keys and replies."""

import re
from collections.abc import Iterable

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


_SEPARATOR = re.compile(r"[\s,;.|&/]+|-+>|=+>|[→⇒>]|(?:and\s+)?then\b|and\b", re.IGNORECASE)


def directions_in_reply(text: str, mover: str) -> tuple[str, ...]:
    """The directions that a reply lists, in order; `mover` names what travels, so "move the tile left" reads as left.

    Raises ValueError at the first word that is no direction.
    """
    remaining = without_list_marks(text)
    one = re.compile(
        rf"(?:(?:move|slide|shift|push|step|go)\s+)?(?:(?:the|a)\s+)?(?:{mover}\s+)?(?:to\s+the\s+)?"
        r"(left|right|up|down)(?:wards?)?(?![\w])",
        re.IGNORECASE,
    )
    found: list[str] = []
    while remaining := _skip_separators(remaining):
        match = one.match(remaining)
        if match is None:
            raise ValueError(f"{remaining.split()[0]!r} is no operation: expected left, right, up or down")
        found.append(match[1].lower())
        remaining = remaining[match.end() :]
    return tuple(found)


def _skip_separators(text: str) -> str:
    while match := _SEPARATOR.match(text):
        text = text[match.end() :]
    return text


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


_NUMBERING = re.compile(r"\(?[0-9]{1,2}[.):]\s+")


def listed_operations(text: str, operation: re.Pattern[str], expected: str) -> tuple[re.Match[str], ...]:
    """The matches of `operation` that a reply lists, in order, where only separators and numbering stand between them.

    Raises ValueError, naming what was `expected`, at the first word that is no operation.
    """
    remaining = without_list_marks(without_code_fences(text))
    found: list[re.Match[str]] = []
    while remaining := _skip_separators(remaining):
        match = operation.match(remaining)
        if match is None and (numbering := _NUMBERING.match(remaining)):
            remaining = _skip_separators(remaining[numbering.end() :])
            match = operation.match(remaining)
        if match is None:
            raise ValueError(f"{remaining[:40].strip()!r} is no operation: expected {expected}")
        found.append(match)
        remaining = remaining[match.end() :]
    return tuple(found)


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
    | dict(zip("ajqk", ("Ace", "Jack", "Queen", "King"), strict=True))
    | dict(zip(("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"), RANKS[1:10], strict=True))
)
_SUIT_SYMBOLS = dict(zip("♥♦♣♠♡♢♧♤", SUITS * 2, strict=True))
_CARD_PARTS = (
    rf"({'|'.join(sorted(_RANK_WORDS, key=len, reverse=True))})"
    rf"(?:\s+of\s+(hearts?|diamonds?|clubs?|spades?)(?![a-z])|\s*(?:of\s+)?([{''.join(_SUIT_SYMBOLS)}])\ufe0f?)"
)
CARD_SPELLING = without_groups(_CARD_PARTS)
"""A card's name inside a longer pattern that ignores case; read what it matches with `read_card`."""


def read_card(text: str) -> str:
    """A card's one name from a spelling in either case, as in `6 of hearts`, `K of Clubs` or `6♥`.

    Raises ValueError where `text` is no card's name.
    """
    match = re.fullmatch(_CARD_PARTS, text.strip(), re.IGNORECASE)
    if match is None:
        raise ValueError(f"{text.strip()!r} is not a card: write a rank and a suit, as in 6 of Hearts")
    suit = _SUIT_SYMBOLS[match[3]] if match[3] else match[2].capitalize().rstrip("s") + "s"
    return f"{_RANK_WORDS[match[1].lower()]} of {suit}"


FILE_NAME_SPELLING = r"[A-Za-z0-9_]+(?:[.-][A-Za-z0-9_]+)*"
"""A file's name, as in a.txt; case matters."""


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
