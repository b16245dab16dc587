"""The Circle world: a ring walks over a board, and the piece it reaches and those beside it change colour."""

from dataclasses import dataclass
from functools import cache
from heapq import heappop, heappush
from typing import Any

from simulators.contract import NoPlan, PlanBudgetExceeded, Refusal, World
from simulators.notation import DIRECTIONS, MAXIMUM_SIZE, directions_in_reply, read_matrix

MINIMUM_SIZE = 2
NODE_BUDGET = 200_000
"""How many positions the planner looks at before it gives up: some five seconds of work and 300 MB."""


@dataclass(frozen=True, slots=True)
class Pieces:
    """N rows of N pieces, row 0 on top: 0 is white, 1 is black. A goal is this much: the ring may end anywhere."""

    rows: tuple[tuple[int, ...], ...]

    @property
    def size(self) -> int:
        return len(self.rows)


@dataclass(frozen=True, slots=True)
class Position:
    """The pieces and the ring's place as (row, column)."""

    pieces: Pieces
    ring: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Step:
    """The ring goes to the next cell in `direction`."""

    direction: str


STEPS = tuple(Step(direction) for direction in DIRECTIONS)


def read_pieces(value: Any) -> Pieces:
    """The pieces from a matrix of 0 and 1. Raises ValueError where it is no board of 2×2 to 10×10."""
    rows = read_matrix(value, MINIMUM_SIZE, MAXIMUM_SIZE)
    if any(piece not in (0, 1) for row in rows for piece in row):
        raise ValueError("expected 0 for a white piece and 1 for a black one, and no other number on the board")
    return Pieces(rows)


def read_position(value: Any) -> Position:
    """A position from its JSON, `{"board": matrix, "ring": [row, column]}`. Raises ValueError otherwise."""
    if not isinstance(value, dict) or set(value) != {"board", "ring"}:
        raise ValueError(f'expected an object with "board" and "ring", not {value!r}')
    pieces, ring = read_pieces(value["board"]), value["ring"]
    if not isinstance(ring, list | tuple) or len(ring) != 2 or any(type(number) is not int for number in ring):
        raise ValueError(f"expected the ring as [row, column], two whole numbers, not {ring!r}")
    if not all(0 <= number < pieces.size for number in ring):
        raise ValueError(f"expected the ring on the board, with row and column from 0 to {pieces.size - 1}, not {ring}")
    return Position(pieces, (ring[0], ring[1]))


def write_position(position: Position) -> dict[str, Any]:
    return {"board": [list(row) for row in position.pieces.rows], "ring": list(position.ring)}


def read_goal(value: Any) -> Pieces:
    """A goal from its JSON, `{"board": matrix}`; a ring beside it says nothing. Raises ValueError otherwise."""
    if not isinstance(value, dict) or set(value) - {"ring"} != {"board"}:
        raise ValueError(f'expected an object with "board", not {value!r}')
    return read_pieces(value["board"])


def write_goal(goal: Pieces) -> dict[str, Any]:
    return {"board": [list(row) for row in goal.rows]}


def read_step(text: str) -> Step:
    """A step from its one spelling. Raises ValueError otherwise."""
    if text not in DIRECTIONS:
        raise ValueError(f"{text!r} is no operation: expected left, right, up or down")
    return Step(text)


def steps_in_reply(text: str) -> tuple[Step, ...]:
    return tuple(Step(direction) for direction in directions_in_reply(text, mover="ring"))


def reached(position: Position, step: Step) -> tuple[int, int]:
    """(row, column) of the cell that the step leads to. Raises Refusal where there is none."""
    rows, columns = DIRECTIONS[step.direction]
    row, column = position.ring[0] + rows, position.ring[1] + columns
    if not (0 <= row < position.pieces.size and 0 <= column < position.pieces.size):
        raise Refusal(f"the ring would leave the board on its way {step.direction}")
    return row, column


def flips(size: int, cell: tuple[int, int]) -> tuple[tuple[int, int], ...]:
    """The cells that change colour when the ring reaches `cell`: it and its orthogonal neighbours on the board."""
    row, column = cell
    around = (cell, *((row + rows, column + columns) for rows, columns in DIRECTIONS.values()))
    return tuple((row, column) for row, column in around if 0 <= row < size and 0 <= column < size)


def transition(position: Position, step: Step) -> Position:
    """The position after the step. Raises Refusal where it would leave the board."""
    ring = reached(position, step)
    rows = [list(row) for row in position.pieces.rows]
    for row, column in flips(position.pieces.size, ring):
        rows[row][column] = 1 - rows[row][column]
    return Position(Pieces(tuple(tuple(row) for row in rows)), ring)


def legal_operations(position: Position) -> tuple[Step, ...]:
    row, column = position.ring
    return tuple(
        step
        for step in STEPS
        if 0 <= row + DIRECTIONS[step.direction][0] < position.pieces.size
        and 0 <= column + DIRECTIONS[step.direction][1] < position.pieces.size
    )


def optimal_plan(start: Position, goal: Pieces, node_budget: int = NODE_BUDGET) -> tuple[Step, ...]:
    """A shortest plan, by A*.

    What a walk does to the board depends only on the cells that it reaches an odd number of times. Linear algebra over
    the field of two elements gives every set of cells that would do; a walk can realise each of them (there and back
    to any cell adds that cell and the one it began on), so NoPlan is raised exactly where there is no such set.
    Raises PlanBudgetExceeded after `node_budget` positions.
    Source: K. Sutner, "Linear cellular automata and the Garden-of-Eden", The Mathematical Intelligencer 11 (1989).
    """
    size = start.pieces.size
    if size != goal.size:
        raise NoPlan(f"circle: a board of {goal.size} rows cannot come from one of {size} rows")
    before, after = ([piece for row in pieces.rows for piece in row] for pieces in (start.pieces, goal))
    differing = sum(1 << cell for cell in range(size * size) if before[cell] != after[cell])
    odd_sets = _odd_sets(_grid(size), differing)
    if not odd_sets:
        raise NoPlan("circle: no steps lead from this board to that goal")
    return _shortest_walk(_grid(size), start.ring[0] * size + start.ring[1], odd_sets, node_budget)


@dataclass(frozen=True, slots=True)
class _Grid:
    """A board's geometry; cells are numbered row by row and sets of cells are bit masks."""

    flips: tuple[int, ...]
    neighbours: tuple[tuple[tuple[str, int], ...], ...]
    discs: tuple[tuple[int, ...], ...]
    """`discs[cell][d]`: the cells at most d steps away."""
    same_colour: tuple[int, ...]
    """The cells of the same colour on a chequerboard."""


@cache
def _grid(size: int) -> _Grid:
    cells = [(row, column) for row in range(size) for column in range(size)]
    number = {cell: index for index, cell in enumerate(cells)}

    def mask(chosen: list[tuple[int, int]] | tuple[tuple[int, int], ...]) -> int:
        return sum(1 << number[cell] for cell in chosen)

    def distance(one: tuple[int, int], other: tuple[int, int]) -> int:
        return abs(one[0] - other[0]) + abs(one[1] - other[1])

    return _Grid(
        flips=tuple(mask(flips(size, cell)) for cell in cells),
        neighbours=tuple(
            tuple(
                (direction, number[row + rows, column + columns])
                for direction, (rows, columns) in DIRECTIONS.items()
                if (row + rows, column + columns) in number
            )
            for row, column in cells
        ),
        discs=tuple(
            tuple(mask([other for other in cells if distance(cell, other) <= d]) for d in range(2 * size - 1))
            for cell in cells
        ),
        same_colour=tuple(mask([other for other in cells if distance(cell, other) % 2 == 0]) for cell in cells),
    )


def _odd_sets(grid: _Grid, differing: int) -> list[int]:
    """Every set of cells that flips exactly `differing` when each is reached an odd number of times."""
    reduced: dict[int, tuple[int, int]] = {}
    """By its highest flipped cell: what a set of cells flips together, and that set."""

    def reduce(flipped: int, chosen: int) -> tuple[int, int]:
        while flipped and (known := reduced.get(flipped.bit_length())):
            flipped, chosen = flipped ^ known[0], chosen ^ known[1]
        return flipped, chosen

    without_effect = [0]
    for cell, flipped in enumerate(grid.flips):
        flipped, chosen = reduce(flipped, 1 << cell)
        if flipped:
            reduced[flipped.bit_length()] = flipped, chosen
        else:
            without_effect += [chosen ^ other for other in without_effect]
    unexplained, chosen = reduce(differing, 0)
    return [] if unexplained else [chosen ^ other for other in without_effect]


def _least_steps(grid: _Grid, cell: int, odd: int) -> int:
    """A lower bound on the steps from `cell` that reach the cells of `odd`, and no others, an odd number of times.

    The walk gets as far as the farthest of them, and it reaches the two colours of a chequerboard in turn: of k steps
    the odd ones reach the other colour and the even ones the cell's own, which fixes k modulo 4.
    """
    own = (odd & grid.same_colour[cell]).bit_count()
    other = odd.bit_count() - own
    farthest = next(distance for distance, disc in enumerate(grid.discs[cell]) if not odd & ~disc)
    steps = max(2 * own, 2 * other - 1, farthest)
    while steps // 2 % 2 != own % 2 or (steps + 1) // 2 % 2 != other % 2:
        steps += 1
    return steps


def _shortest_walk(grid: _Grid, ring: int, odd_sets: list[int], node_budget: int) -> tuple[Step, ...]:
    """A shortest walk from `ring` that reaches exactly the cells of one of `odd_sets` an odd number of times."""
    queue: list[tuple[int, int, int, int]] = []
    """(bound on the whole length, minus the length so far, the ring's cell, cells still odd)"""
    length: dict[tuple[int, int], int] = {}
    came_by: dict[tuple[int, int], tuple[tuple[int, int], str]] = {}
    for odd in odd_sets:
        length[ring, odd] = 0
        heappush(queue, (_least_steps(grid, ring, odd), 0, ring, odd))
    nodes = 0
    while True:
        _, negative_length, cell, odd = heappop(queue)
        if -negative_length > length[cell, odd]:
            continue
        if not odd:
            break
        nodes += 1
        if nodes > node_budget:
            raise PlanBudgetExceeded(
                f"circle: no plan proved optimal after {node_budget:,} positions; the goal is too far away"
            )
        for direction, reached_cell in grid.neighbours[cell]:
            following, steps = (reached_cell, odd ^ 1 << reached_cell), 1 - negative_length
            if steps < length.get(following, steps + 1):
                length[following] = steps
                came_by[following] = (cell, odd), direction
                heappush(queue, (steps + _least_steps(grid, *following), -steps, *following))
    directions: list[str] = []
    place: tuple[int, int] = (cell, odd)
    while place in came_by:
        place, direction = came_by[place]
        directions.append(direction)
    return tuple(Step(direction) for direction in reversed(directions))


WORLD = World(
    name="circle",
    read_state=read_position,
    write_state=write_position,
    read_goal=read_goal,
    write_goal=write_goal,
    goal_of=lambda position: position.pieces,
    read_operation=read_step,
    write_operation=lambda step: step.direction,
    operations_in_reply=steps_in_reply,
    legal_operations=legal_operations,
    transition=transition,
    optimal_plan=optimal_plan,
    cell_words={
        **dict.fromkeys(("black", "b", "●", "⚫"), "black"),
        **dict.fromkeys(("white", "w", "○", "⚪"), "white"),
    },
)
