"""How cells and directions are written and read: one place for axis labels, prompts, keys and replies."""

import re

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
