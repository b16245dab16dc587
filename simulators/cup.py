"""The Cup world: coins under cups on a board. Two cups swap places, and what is under them travels along."""

import re
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from simulators.contract import NoPlan, Refusal, World
from simulators.notation import (
    CELL_SPELLING,
    MAXIMUM_SIZE,
    listed_operations,
    read_cell,
    read_matrix,
    without_code_fences,
    without_list_marks,
    write_cell,
    write_swap,
)

MINIMUM_SIZE = 2


@dataclass(frozen=True, slots=True)
class Cups:
    """N rows of N cups, row 0 on top: 0 is empty, 1 hides a coin."""

    rows: tuple[tuple[int, ...], ...]

    @property
    def size(self) -> int:
        return len(self.rows)

    def cells(self) -> tuple[tuple[int, int], ...]:
        """Every (row, column), row by row."""
        return tuple((row, column) for row in range(self.size) for column in range(self.size))


@dataclass(frozen=True, slots=True)
class Swap:
    """The cups at two cells, each (row, column), swap places, at any distance; the order of the two does not matter."""

    first: tuple[int, int]
    second: tuple[int, int]


def read_cups(value: Any) -> Cups:
    """The cups from their JSON, a matrix of 0 and 1. Raises ValueError where it is none of 2×2 to 10×10."""
    rows = read_matrix(value, MINIMUM_SIZE, MAXIMUM_SIZE)
    if any(coin not in (0, 1) for row in rows for coin in row):
        raise ValueError("expected 0 for an empty cup and 1 for a coin, and no other number on the board")
    return Cups(rows)


def write_cups(cups: Cups) -> list[list[int]]:
    return [list(row) for row in cups.rows]


def read_swap(text: str) -> Swap:
    """A swap from its one spelling. Raises ValueError otherwise."""
    match = re.fullmatch(rf"\(({CELL_SPELLING}), ({CELL_SPELLING})\)", text)
    if match is None:
        raise ValueError(f"{text!r} is no operation: expected two cells as in (a1, c2)")
    return Swap(read_cell(match[1]), read_cell(match[2]))


def write_operation(swap: Swap) -> str:
    return write_swap(swap.first, swap.second)


_CUP = rf"(?:(?:the\s+)?(?:cups?|cells?)\s+)?(?:(?:at|in)\s+)?({CELL_SPELLING})"
_BETWEEN = r"\s*(?:,|&|\band\b|\bwith\b|\bfor\b|<?[-=]+>|[↔⇔⇄⇆→⇒]|\s)\s*"
_SWAP_WORD = r"(?:swap|exchange|switch)(?:\s+the)?(?:\s+contents\s+of)?\s*:?\s*"
_ONE_SWAP = re.compile(
    rf"(?:{_SWAP_WORD})?(?:cups\s+)?\(\s*{_CUP}{_BETWEEN}{_CUP}\s*\)"
    rf"|{_SWAP_WORD}{_CUP}{_BETWEEN}{_CUP}"
    rf"|{_CUP}\s*(?:<[-=]+>|[↔⇔⇄⇆-]|(?<=\s)with(?=\s))\s*{_CUP}",
    re.IGNORECASE,
)
_TWO_CELLS = re.compile(rf"\s*({CELL_SPELLING}){_BETWEEN}({CELL_SPELLING})\s*\.?\s*", re.IGNORECASE)
_QUOTES = re.compile(r"[\"'“”‘’`]")
_PAIR_IN_BRACKETS = re.compile(rf"\[(\s*{CELL_SPELLING}\s*,\s*{CELL_SPELLING}\s*)\]", re.IGNORECASE)


def swaps_in_reply(text: str) -> tuple[Swap, ...]:
    """The swaps that a reply lists. Two cells alone are one swap; in a longer list each pair must be marked as one.

    Raises ValueError where anything else is in the text.
    """
    text = without_code_fences(text).strip()
    text = _PAIR_IN_BRACKETS.sub(r"(\1)", _QUOTES.sub(" ", text))
    two = _TWO_CELLS.fullmatch(without_list_marks(text))
    if two is not None and "\n" not in text:
        return (Swap(read_cell(two[1]), read_cell(two[2])),)
    matches = listed_operations(text, _ONE_SWAP, "two cells in parentheses, as in (a1, c2)")
    pairs = [[cell for cell in match.groups() if cell is not None] for match in matches]
    return tuple(Swap(read_cell(first), read_cell(second)) for first, second in pairs)


def transition(cups: Cups, swap: Swap) -> Cups:
    """The cups after the swap. Raises Refusal where a cell is outside the board or both are the same."""
    for row, column in (swap.first, swap.second):
        if not (0 <= row < cups.size and 0 <= column < cups.size):
            raise Refusal(f"there is no cup at {write_cell(row, column)} on a board of {cups.size}×{cups.size}")
    if swap.first == swap.second:
        raise Refusal(f"the cup at {write_cell(*swap.first)} cannot swap with itself")
    (row, column), (other_row, other_column) = swap.first, swap.second
    rows = [list(row) for row in cups.rows]
    rows[row][column], rows[other_row][other_column] = rows[other_row][other_column], rows[row][column]
    return Cups(tuple(tuple(row) for row in rows))


def legal_operations(cups: Cups) -> tuple[Swap, ...]:
    """Every two cups once, the one that comes first row by row named first."""
    return tuple(Swap(first, second) for first, second in combinations(cups.cells(), 2))


def optimal_plan(start: Cups, goal: Cups) -> tuple[Swap, ...]:
    """A shortest plan: each swap puts one misplaced coin where one is missing, both taken row by row.

    No swap can do more, as it changes two cells. Raises NoPlan where the numbers of coins or cups differ.
    """
    if start.size != goal.size or sum(map(sum, start.rows)) != sum(map(sum, goal.rows)):
        raise NoPlan("cup: swaps keep the number of cups and of coins, and the goal has others")
    change = {(row, column): goal.rows[row][column] - start.rows[row][column] for row, column in start.cells()}
    misplaced = [cell for cell in start.cells() if change[cell] < 0]
    missing = [cell for cell in start.cells() if change[cell] > 0]
    return tuple(Swap(coin, empty) for coin, empty in zip(misplaced, missing, strict=True))


WORLD = World(
    name="cup",
    read_state=read_cups,
    write_state=write_cups,
    read_goal=read_cups,
    write_goal=write_cups,
    goal_of=lambda cups: cups,
    read_operation=read_swap,
    write_operation=write_operation,
    operations_in_reply=swaps_in_reply,
    legal_operations=legal_operations,
    transition=transition,
    optimal_plan=optimal_plan,
    normal_form=lambda swap: Swap(min(swap.first, swap.second), max(swap.first, swap.second)),
)
