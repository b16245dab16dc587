"""The Number world: a sliding-tile puzzle. The tile beside the blank slides into it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from simulators.contract import NoPlan, PlanBudgetExceeded, Refusal, World
from simulators.notation import DIRECTIONS, MAXIMUM_SIZE, OPPOSITES, directions_in_reply, read_matrix

MINIMUM_SIZE = 2
NODE_BUDGET = 2_000_000
"""How many positions the planner looks at before it gives up: some ten seconds of work."""


@dataclass(frozen=True, slots=True)
class Board:
    """N rows of N different numbers 0 … N²-1, row 0 on top; 0 is the blank."""

    rows: tuple[tuple[int, ...], ...]

    @property
    def size(self) -> int:
        return len(self.rows)

    def blank(self) -> tuple[int, int]:
        """(row, column) of the blank."""
        return next((row, numbers.index(0)) for row, numbers in enumerate(self.rows) if 0 in numbers)


@dataclass(frozen=True, slots=True)
class Slide:
    """One tile slides into the blank; `direction` is the way the tile travels."""

    direction: str


SLIDES = tuple(Slide(direction) for direction in DIRECTIONS)


def read_board(value: Any) -> Board:
    """A board from its JSON, a matrix. Raises ValueError where it is no board of 2×2 to 10×10."""
    rows = read_matrix(value, MINIMUM_SIZE, MAXIMUM_SIZE)
    if sorted(number for row in rows for number in row) != list(range(len(rows) ** 2)):
        raise ValueError(f"expected each number from 0 to {len(rows) ** 2 - 1} once, with 0 for the blank")
    return Board(rows)


def write_board(board: Board) -> list[list[int]]:
    return [list(row) for row in board.rows]


def read_slide(text: str) -> Slide:
    """A slide from its one spelling. Raises ValueError otherwise."""
    if text not in DIRECTIONS:
        raise ValueError(f"{text!r} is no operation: expected left, right, up or down")
    return Slide(text)


def slides_in_reply(text: str) -> tuple[Slide, ...]:
    return tuple(Slide(direction) for direction in directions_in_reply(text, mover="tile"))


def source(board: Board, slide: Slide) -> tuple[int, int]:
    """(row, column) of the tile that the slide moves. Raises Refusal where there is none."""
    row, column = board.blank()
    rows, columns = DIRECTIONS[slide.direction]
    row, column = row - rows, column - columns
    if not (0 <= row < board.size and 0 <= column < board.size):
        raise Refusal(f"no tile beside the blank can travel {slide.direction}")
    return row, column


def transition(board: Board, slide: Slide) -> Board:
    """The board after the slide. Raises Refusal where no tile can travel that way."""
    tile_row, tile_column = source(board, slide)
    blank_row, blank_column = board.blank()
    rows = [list(row) for row in board.rows]
    rows[blank_row][blank_column], rows[tile_row][tile_column] = rows[tile_row][tile_column], 0
    return Board(tuple(tuple(row) for row in rows))


def legal_operations(board: Board) -> tuple[Slide, ...]:
    row, column = board.blank()
    return tuple(
        slide
        for slide in SLIDES
        if 0 <= row - DIRECTIONS[slide.direction][0] < board.size
        and 0 <= column - DIRECTIONS[slide.direction][1] < board.size
    )


def is_reachable(start: Board, goal: Board) -> bool:
    """Whether slides lead from `start` to `goal`: the permutation's parity must be that of the blank's distance.

    Source: W. W. Johnson and W. E. Story, "Notes on the '15' puzzle", American Journal of Mathematics 2 (1879).
    """
    if start.size != goal.size:
        return False
    place = {number: index for index, number in enumerate(number for row in goal.rows for number in row)}
    permutation = [place[number] for row in start.rows for number in row]
    transpositions = 0
    for index in range(len(permutation)):
        while permutation[index] != index:
            target = permutation[index]
            permutation[index], permutation[target] = permutation[target], target
            transpositions += 1
    (row, column), (goal_row, goal_column) = start.blank(), goal.blank()
    return transpositions % 2 == (abs(row - goal_row) + abs(column - goal_column)) % 2


def optimal_plan(start: Board, goal: Board, node_budget: int = NODE_BUDGET) -> tuple[Slide, ...]:
    """A shortest plan, by iterative-deepening A* with Manhattan distance plus linear conflict.

    Raises NoPlan where the goal cannot be reached and PlanBudgetExceeded after `node_budget` positions.
    Sources: R. E. Korf, "Depth-first iterative-deepening" (1985); O. Hansson, A. Mayer and M. Yung, "Criticizing
    solutions to relaxed models yields powerful admissible heuristics" (1992).
    """
    if not is_reachable(start, goal):
        raise NoPlan("number: no slides lead from this board to that goal")
    search = _Search(start, goal, node_budget)
    bound = search.estimate
    while True:
        path: list[str] = []
        next_bound = search.descend(path, bound, "")
        if next_bound is None:
            return tuple(Slide(direction) for direction in path)
        bound = next_bound


class _Search:
    """One search's board, heuristic and remaining budget; slides are made and taken back in place."""

    def __init__(self, start: Board, goal: Board, node_budget: int) -> None:
        self.size = start.size
        self.cells = [number for row in start.rows for number in row]
        self.blank = self.cells.index(0)
        self.goal = {number: divmod(i, self.size) for i, number in enumerate(n for row in goal.rows for n in row)}
        self.node_budget = node_budget
        self.nodes = 0
        self.conflicts: dict[tuple[bool, int, tuple[int, ...]], int] = {}
        self.estimate = sum(self._distance(number, index) for index, number in enumerate(self.cells)) + sum(
            self._conflict(along_row, line) for along_row in (True, False) for line in range(self.size)
        )

    def _distance(self, number: int, index: int) -> int:
        if number == 0:
            return 0
        row, column = divmod(index, self.size)
        goal_row, goal_column = self.goal[number]
        return abs(row - goal_row) + abs(column - goal_column)

    def _conflict(self, along_row: bool, line: int) -> int:
        """Two moves for each tile that must step out of its goal line to let the others of that line pass."""
        size = self.size
        numbers = tuple(self.cells[line * size : (line + 1) * size] if along_row else self.cells[line::size])
        known = self.conflicts.get((along_row, line, numbers))
        if known is None:
            axis = 0 if along_row else 1
            places = [self.goal[n][1 - axis] for n in numbers if n and self.goal[n][axis] == line]
            known = 2 * (len(places) - _longest_increasing(places))
            self.conflicts[along_row, line, numbers] = known
        return known

    def _slides(self) -> Iterator[tuple[str, int]]:
        row, column = divmod(self.blank, self.size)
        for direction, (rows, columns) in DIRECTIONS.items():
            if 0 <= row - rows < self.size and 0 <= column - columns < self.size:
                yield direction, (row - rows) * self.size + column - columns

    def descend(self, path: list[str], bound: int, came_by: str) -> int | None:
        """Search below the present board; None when the goal is reached, else the least estimate over `bound`."""
        total = len(path) + self.estimate
        if total > bound:
            return total
        if self.estimate == 0:
            return None
        self.nodes += 1
        if self.nodes > self.node_budget:
            raise PlanBudgetExceeded(
                f"number: no plan proved optimal after {self.node_budget:,} positions; the goal is too far away"
            )
        least: int | None = None
        for direction, tile in self._slides():
            if came_by and direction == OPPOSITES[came_by]:
                continue
            blank, estimate = self.blank, self.estimate
            self._slide(tile)
            path.append(direction)
            over = self.descend(path, bound, direction)
            if over is None:
                return None
            path.pop()
            self.cells[tile], self.cells[blank] = self.cells[blank], 0
            self.blank, self.estimate = blank, estimate
            least = over if least is None else min(least, over)
        return bound + 1 if least is None else least

    def _slide(self, tile: int) -> None:
        """Move the tile at index `tile` into the blank and bring the estimate up to date.

        A horizontal slide leaves the order within the row as it was, so only two columns' conflicts change.
        """
        blank, number, size = self.blank, self.cells[tile], self.size
        vertical = (tile - blank) % size == 0
        lines = (tile // size, blank // size) if vertical else (tile % size, blank % size)
        before = self._distance(number, tile) + sum(self._conflict(vertical, line) for line in lines)
        self.cells[blank], self.cells[tile] = number, 0
        self.blank = tile
        after = self._distance(number, blank) + sum(self._conflict(vertical, line) for line in lines)
        self.estimate += after - before


def _longest_increasing(places: list[int]) -> int:
    """Length of the longest increasing subsequence; lines hold at most ten tiles."""
    best: list[int] = []
    for index, place in enumerate(places):
        best.append(1 + max((best[j] for j in range(index) if places[j] < place), default=0))
    return max(best, default=0)


WORLD = World(
    name="number",
    read_state=read_board,
    write_state=write_board,
    read_goal=read_board,
    write_goal=write_board,
    goal_of=lambda board: board,
    read_operation=read_slide,
    write_operation=lambda slide: slide.direction,
    operations_in_reply=slides_in_reply,
    legal_operations=legal_operations,
    transition=transition,
    optimal_plan=optimal_plan,
)
