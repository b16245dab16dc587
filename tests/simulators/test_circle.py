"""The Circle world against a second implementation on sets of named cells, and against brute force."""

import random
from functools import cache
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulators.circle import (
    WORLD,
    Pieces,
    Position,
    Step,
    _grid,
    _least_steps,
    legal_operations,
    optimal_plan,
    read_goal,
    read_position,
    transition,
    write_position,
)
from simulators.contract import IllegalOperation, NoPlan, PlanBudgetExceeded, Refusal, replay
from simulators.notation import OPPOSITES

DIRECTIONS = ("left", "right", "up", "down")
POSITIONS = st.integers(2, 6).flatmap(
    lambda size: st.fixed_dictionaries(
        {
            "board": st.lists(
                st.lists(st.sampled_from([0, 1]), min_size=size, max_size=size), min_size=size, max_size=size
            ),
            "ring": st.lists(st.integers(0, size - 1), min_size=2, max_size=2),
        }
    )
)
PLANS = st.lists(st.sampled_from(DIRECTIONS), max_size=12)


def named(row: int, column: int) -> str:
    return "abcdefghij"[row] + str(column + 1)


@cache
def beside(cell: str, size: int) -> dict[str, str]:
    """The cell in each direction, off a list of all names of cells of the board."""
    board = {"abcdefghij"[row] + str(column + 1) for row in range(size) for column in range(size)}
    letter, number = cell[0], int(cell[1:])
    around = {
        "left": letter + str(number - 1),
        "right": letter + str(number + 1),
        "up": chr(ord(letter) - 1) + str(number),
        "down": chr(ord(letter) + 1) + str(number),
    }
    return {direction: other for direction, other in around.items() if other in board}


Named = tuple[frozenset[str], str]
"""The black cells' names, and the ring's."""


def slow_step(position: Named, direction: str, size: int) -> Named | None:
    """From the English: the ring steps; the cell reached and its orthogonal neighbours flip. None off the board."""
    black, ring = position
    if direction not in beside(ring, size):
        return None
    ring = beside(ring, size)[direction]
    return black ^ {ring, *beside(ring, size).values()}, ring


def to_names(value: dict[str, list[list[int]] | list[int]]) -> Named:
    position = read_position(value)
    rows = position.pieces.rows
    black = frozenset(
        named(row, column) for row in range(len(rows)) for column in range(len(rows)) if rows[row][column]
    )
    return black, named(*position.ring)


def pieces_of(black: frozenset[str], size: int) -> Pieces:
    return Pieces(tuple(tuple(int(named(row, column) in black) for column in range(size)) for row in range(size)))


def distances(start: Named, size: int, limit: int = 1000) -> dict[frozenset[str], int]:
    """The fewest steps to every board within `limit` steps, wherever the ring ends, by breadth-first search."""
    seen = {start}
    found = {start[0]: 0}
    frontier = [start]
    length = 0
    while frontier and length < limit:
        length += 1
        following = []
        for position in frontier:
            for direction in beside(position[1], size):
                reached = slow_step(position, direction, size)
                if reached is not None and reached not in seen:
                    seen.add(reached)
                    found.setdefault(reached[0], length)
                    following.append(reached)
        frontier = following
    return found


def test_the_cell_reached_and_its_orthogonal_neighbours_flip() -> None:
    #  . (.) .       .  #  .
    #  .  .  .   →   # (#) #     "down": b2 is reached; a1, a3, c1, c3 are diagonal and stay
    #  .  .  .       .  #  .
    start = read_position({"board": [[0, 0, 0], [0, 0, 0], [0, 0, 0]], "ring": [0, 1]})
    middle = transition(start, Step("down"))
    assert write_position(middle) == {"board": [[0, 1, 0], [1, 1, 1], [0, 1, 0]], "ring": [1, 1]}
    #  At a border there are fewer neighbours: "left" to b1 flips a1, b1, b2, c1.
    assert write_position(transition(middle, Step("left"))) == {
        "board": [[1, 1, 0], [0, 0, 1], [1, 1, 0]],
        "ring": [1, 0],
    }


def test_the_ring_stays_on_the_board() -> None:
    start = read_position({"board": [[0, 0], [0, 0]], "ring": [0, 1]})
    assert {step.direction for step in legal_operations(start)} == {"left", "down"}
    for direction in ("up", "right"):
        with pytest.raises(Refusal, match=f"leave the board on its way {direction}"):
            transition(start, Step(direction))


@settings(deadline=None)
@given(POSITIONS, PLANS)
def test_plans_do_what_the_second_implementation_says(
    value: dict[str, list[list[int]] | list[int]], plan: list[str]
) -> None:
    size = len(value["board"])
    expected, illegal = [to_names(value)], None
    for index, direction in enumerate(plan):
        following = slow_step(expected[-1], direction, size)
        if following is None:
            illegal = index
            break
        expected.append(following)
    start, operations = WORLD.read_state(value), [WORLD.read_operation(direction) for direction in plan]
    trace = replay(WORLD, start, operations[:illegal])
    assert [to_names(WORLD.write_state(state)) for state in trace.states] == expected
    assert replay(WORLD, start, operations[:illegal]) == trace
    if illegal is not None:
        with pytest.raises(IllegalOperation) as caught:
            replay(WORLD, start, operations)
        assert (caught.value.index, caught.value.operation) == (illegal, plan[illegal])


def test_every_step_on_every_2x2_board() -> None:
    for numbers in product((0, 1), repeat=4):
        for ring in product((0, 1), (0, 1)):
            position = Position(Pieces((numbers[:2], numbers[2:])), ring)
            legal = {step.direction for step in legal_operations(position)}
            for direction in DIRECTIONS:
                expected = slow_step(to_names(write_position(position)), direction, 2)
                assert (direction in legal) == (expected is not None)
                if expected is not None:
                    assert to_names(write_position(transition(position, Step(direction)))) == expected


@settings(deadline=None)
@given(POSITIONS)
def test_there_and_back_twice_undoes_and_json_round_trips(value: dict[str, list[list[int]] | list[int]]) -> None:
    start = WORLD.read_state(value)
    assert WORLD.write_state(start) == value
    goal = WORLD.goal_of(start)
    assert WORLD.write_goal(goal) == {"board": value["board"]}
    assert WORLD.read_goal(WORLD.write_goal(goal)) == goal
    for step in legal_operations(start):
        assert WORLD.read_operation(WORLD.write_operation(step)) == step
        there_and_back = (step, Step(OPPOSITES[step.direction]))
        once = replay(WORLD, start, there_and_back)
        assert once.end.ring == start.ring
        assert once.end.pieces != start.pieces
        assert replay(WORLD, start, there_and_back * 2).end == start


def assert_optimal(start: Position, goal: Pieces, length: int) -> None:
    plan = optimal_plan(start, goal)
    assert replay(WORLD, start, plan).end.pieces == goal
    assert len(plan) == length


def test_the_planner_is_optimal_for_all_2x2_boards() -> None:
    every_board = [
        pieces_of(frozenset(chosen), 2) for chosen in product(("", "a1"), ("", "a2"), ("", "b1"), ("", "b2"))
    ]
    assert len(set(every_board)) == 16
    for pieces in every_board:
        for ring in product((0, 1), (0, 1)):
            start = Position(pieces, ring)
            shortest = distances(to_names(write_position(start)), 2)
            assert len(shortest) == 16
            for black, length in shortest.items():
                assert_optimal(start, pieces_of(black, 2), length)


@pytest.mark.parametrize(
    ("board", "ring"),
    [
        ([[0, 0, 0], [0, 0, 0], [0, 0, 0]], [0, 0]),
        ([[1, 0, 1], [0, 1, 1], [0, 0, 1]], [1, 1]),
        ([[0, 1, 1]] * 3, [2, 1]),
    ],
)
def test_the_planner_is_optimal_for_every_3x3_goal(board: list[list[int]], ring: list[int]) -> None:
    start = read_position({"board": board, "ring": ring})
    shortest = distances(to_names(write_position(start)), 3)
    assert len(shortest) == 512
    for black, length in shortest.items():
        assert_optimal(start, pieces_of(black, 3), length)


@pytest.mark.parametrize("size", [2, 3])
def test_the_bound_is_nothing_at_the_goal_and_falls_by_at_most_one_a_step(size: int) -> None:
    """Then the bound never overstates, and what A* takes from its queue first is shortest."""
    grid = _grid(size)
    for cell in range(size * size):
        assert _least_steps(grid, cell, 0) == 0
        for odd in range(2 ** (size * size)):
            for _, following in grid.neighbours[cell]:
                assert _least_steps(grid, cell, odd) <= 1 + _least_steps(grid, following, odd ^ 1 << following)


def test_on_4x4_the_planner_is_optimal_and_knows_what_cannot_be_reached() -> None:
    """Sixteen buttons of the 4×4 board do only twelve different things, so one board in sixteen can be reached."""
    start = Position(pieces_of(frozenset(), 4), (1, 2))
    shortest = distances((frozenset(), "b3"), 4)
    assert len(shortest) == 4096
    generator = random.Random(4)
    for black in generator.sample(sorted(shortest, key=sorted), 250):
        assert_optimal(start, pieces_of(black, 4), shortest[black])
    cells = [named(row, column) for row in range(4) for column in range(4)]
    unreachable = 0
    for _ in range(250):
        black = frozenset(cell for cell in cells if generator.random() < 0.5)
        if black not in shortest:
            unreachable += 1
            with pytest.raises(NoPlan):
                optimal_plan(start, pieces_of(black, 4))
    assert unreachable > 200


@pytest.mark.parametrize("size", [5, 9, 10])
def test_near_goals_on_large_boards_are_optimal(size: int) -> None:
    """Up to five steps away, against all walks of five steps; 9×9 is the size with most ways to do nothing."""
    ring = (size // 2, 1)
    start = Position(pieces_of(frozenset({"a1", "b2", "d4"}), size), ring)
    shortest = distances(to_names(write_position(start)), size, limit=5)
    for black in random.Random(size).sample(sorted(shortest, key=sorted), 60):
        assert_optimal(start, pieces_of(black, size), shortest[black])


def test_goals_eight_steps_away_on_10x10_take_few_positions() -> None:
    generator = random.Random(8)
    for _ in range(50):
        board = tuple(tuple(generator.randrange(2) for _ in range(10)) for _ in range(10))
        start = Position(Pieces(board), (generator.randrange(10), generator.randrange(10)))
        position = start
        for _ in range(8):
            position = transition(position, generator.choice(legal_operations(position)))
        plan = optimal_plan(start, position.pieces, node_budget=2000)
        assert replay(WORLD, start, plan).end.pieces == position.pieces
        assert len(plan) in (0, 4, 8)  # a walk's length modulo 4 follows from what it flips, where no set flips nothing


def test_another_size_is_no_goal() -> None:
    with pytest.raises(NoPlan):
        optimal_plan(Position(pieces_of(frozenset(), 3), (0, 0)), pieces_of(frozenset(), 2))


def test_the_planner_gives_up_with_its_budget() -> None:
    start = Position(pieces_of(frozenset(), 3), (0, 0))
    shortest = distances((frozenset(), "a1"), 3)
    farthest = max(shortest, key=lambda black: (shortest[black], sorted(black)))
    assert shortest[farthest] > 8
    with pytest.raises(PlanBudgetExceeded, match="after 5 positions"):
        optimal_plan(start, pieces_of(farthest, 3), node_budget=5)


@pytest.mark.parametrize(
    "value",
    [
        [[0, 1], [0, 1]],
        {},
        {"board": [[0, 1], [0, 1]]},
        {"ring": [0, 0]},
        {"board": [[0, 1], [0, 2]], "ring": [0, 0]},
        {"board": [[0, True], [0, 1]], "ring": [0, 0]},
        {"board": [[0, 1], [0, 1]], "ring": [0, 2]},
        {"board": [[0, 1], [0, 1]], "ring": [-1, 0]},
        {"board": [[0, 1], [0, 1]], "ring": [0, False]},
        {"board": [[0, 1], [0, 1]], "ring": [0]},
        {"board": [[0, 1], [0, 1]], "ring": "a1"},
        {"board": [[0, 1], [0, 1]], "ring": [0, 0], "more": 1},
        {"board": [[0]], "ring": [0, 0]},
    ],
)
def test_malformed_positions_are_refused(value: object) -> None:
    with pytest.raises(ValueError, match="expected"):
        read_position(value)


def test_a_goal_may_have_a_ring_and_nothing_else() -> None:
    assert read_goal({"board": [[0, 1], [0, 1]], "ring": [1, 1]}) == Pieces(((0, 1), (0, 1)))
    for value in ([[0, 1], [0, 1]], {"ring": [0, 0]}, {"board": [[0, 1], [0, 1]], "pieces": []}):
        with pytest.raises(ValueError, match='expected an object with "board"'):
            read_goal(value)


@pytest.mark.parametrize("text", ["Down", " down", "downwards", "", "step down"])
def test_an_operation_has_one_spelling(text: str) -> None:
    with pytest.raises(ValueError, match="is no operation"):
        WORLD.read_operation(text)


@pytest.mark.parametrize(
    ("reply", "directions"),
    [
        ('["down"]', ["down"]),
        ("Move the ring right, then go up.", ["right", "up"]),
        ("1) up 2", None),
        ("1) left 2) up", ["left", "up"]),
        ("b2", None),
    ],
)
def test_replies(reply: str, directions: list[str] | None) -> None:
    if directions is None:
        with pytest.raises(ValueError, match="is no operation"):
            WORLD.operations_in_reply(reply)
    else:
        assert [step.direction for step in WORLD.operations_in_reply(reply)] == directions
