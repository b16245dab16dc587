"""The Number world against a second implementation that moves named tiles over a map, and against brute force."""

import random
from collections import deque
from functools import cache
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulators.contract import IllegalOperation, NoPlan, PlanBudgetExceeded, Refusal, replay
from simulators.notation import OPPOSITES
from simulators.number import WORLD, Board, Slide, legal_operations, optimal_plan, read_board, transition, write_board

DIRECTIONS = ("left", "right", "up", "down")
BOARDS = st.integers(2, 5).flatmap(
    lambda size: st.permutations(range(size * size)).map(
        lambda numbers: [list(numbers[row * size : (row + 1) * size]) for row in range(size)]
    )
)
PLANS = st.lists(st.sampled_from(DIRECTIONS), max_size=12)


def slow_slide(board: list[list[int]], direction: str) -> list[list[int]] | None:
    """From the English: the tile beside the blank that travels in `direction` into it; None where there is none."""
    where = {number: (row, column) for row, numbers in enumerate(board) for column, number in enumerate(numbers)}
    for number, (row, column) in where.items():
        arrives = {
            "left": (row, column - 1),
            "right": (row, column + 1),
            "up": (row - 1, column),
            "down": (row + 1, column),
        }[direction]
        if arrives == where[0]:
            where[number], where[0] = where[0], where[number]
            at = {place: number for number, place in where.items()}
            return [[at[row, column] for column in range(len(board))] for row in range(len(board))]
    return None


def board_of(numbers: tuple[int, ...]) -> Board:
    size = int(len(numbers) ** 0.5)
    return Board(tuple(numbers[row * size : (row + 1) * size] for row in range(size)))


@cache
def slide_sources(size: int) -> dict[int, list[int]]:
    """For each index of the blank, the indices of the tiles beside it."""
    return {
        blank: [
            other
            for other in range(size * size)
            if abs(other // size - blank // size) + abs(other % size - blank % size) == 1
        ]
        for blank in range(size * size)
    }


@cache
def distances(goal: tuple[int, ...]) -> dict[tuple[int, ...], int]:
    """The fewest slides between every board that can be reached and `goal`, by breadth-first search."""
    sources = slide_sources(int(len(goal) ** 0.5))
    found = {goal: 0}
    queue = deque([goal])
    while queue:
        numbers = queue.popleft()
        blank = numbers.index(0)
        for tile in sources[blank]:
            moved = list(numbers)
            moved[blank], moved[tile] = moved[tile], 0
            following = tuple(moved)
            if following not in found:
                found[following] = found[numbers] + 1
                queue.append(following)
    return found


def test_the_tile_travels_in_the_direction() -> None:
    #  1 2 3      1 2 3
    #  4 5 6  →   4 5 6     "left": the 8 travels left into the blank
    #  7 _ 8      7 8 _
    start = read_board([[1, 2, 3], [4, 5, 6], [7, 0, 8]])
    assert write_board(transition(start, Slide("left"))) == [[1, 2, 3], [4, 5, 6], [7, 8, 0]]
    assert write_board(transition(start, Slide("right"))) == [[1, 2, 3], [4, 5, 6], [0, 7, 8]]
    assert write_board(transition(start, Slide("down"))) == [[1, 2, 3], [4, 0, 6], [7, 5, 8]]
    with pytest.raises(Refusal, match="no tile beside the blank can travel up"):
        transition(start, Slide("up"))


@settings(deadline=None)
@given(BOARDS, PLANS)
def test_plans_do_what_the_second_implementation_says(board: list[list[int]], plan: list[str]) -> None:
    states, illegal = [board], None
    for index, direction in enumerate(plan):
        following = slow_slide(states[-1], direction)
        if following is None:
            illegal = index
            break
        states.append(following)
    start, operations = WORLD.read_state(board), [WORLD.read_operation(direction) for direction in plan]
    trace = replay(WORLD, start, operations[:illegal])
    assert [WORLD.write_state(state) for state in trace.states] == states
    assert replay(WORLD, start, operations[:illegal]) == trace
    if illegal is not None:
        with pytest.raises(IllegalOperation) as caught:
            replay(WORLD, start, operations)
        assert (caught.value.index, caught.value.operation) == (illegal, plan[illegal])


def test_every_slide_on_every_2x2_board() -> None:
    for numbers in permutations(range(4)):
        board = board_of(numbers)
        legal = {slide.direction for slide in legal_operations(board)}
        for direction in DIRECTIONS:
            expected = slow_slide(write_board(board), direction)
            assert (direction in legal) == (expected is not None)
            if expected is None:
                with pytest.raises(Refusal):
                    transition(board, Slide(direction))
            else:
                assert write_board(transition(board, Slide(direction))) == expected


@settings(deadline=None)
@given(BOARDS)
def test_the_opposite_slide_undoes_and_json_round_trips(board: list[list[int]]) -> None:
    start = WORLD.read_state(board)
    assert WORLD.write_state(start) == board
    assert WORLD.read_goal(WORLD.write_goal(WORLD.goal_of(start))) == start
    for slide in legal_operations(start):
        assert WORLD.read_operation(WORLD.write_operation(slide)) == slide
        after = transition(start, slide)
        assert after != start
        assert transition(after, Slide(OPPOSITES[slide.direction])) == start


def assert_optimal(start: Board, goal: Board, length: int | None) -> None:
    if length is None:
        with pytest.raises(NoPlan):
            optimal_plan(start, goal)
        return
    plan = optimal_plan(start, goal)
    assert replay(WORLD, start, plan).end == goal
    assert len(plan) == length


def test_the_planner_is_optimal_between_all_2x2_boards() -> None:
    for goal in permutations(range(4)):
        for start in permutations(range(4)):
            assert_optimal(board_of(start), board_of(goal), distances(goal).get(start))


GOAL = (1, 2, 3, 4, 5, 6, 7, 8, 0)


def test_the_planner_is_optimal_for_every_3x3_board_within_12_slides() -> None:
    near = [(start, length) for start, length in distances(GOAL).items() if length <= 12]
    assert len(near) == 1850
    for start, length in near:
        assert_optimal(board_of(start), board_of(GOAL), length)


def test_the_planner_is_optimal_for_random_3x3_boards() -> None:
    generator = random.Random(20250523)
    assert len(distances(GOAL)) == 181_440
    lengths: list[int | None] = []
    for _ in range(500):
        numbers = list(GOAL)
        generator.shuffle(numbers)
        lengths.append(distances(GOAL).get(tuple(numbers)))
        assert_optimal(board_of(tuple(numbers)), board_of(GOAL), lengths[-1])
    assert lengths.count(None) > 200
    assert max(length for length in lengths if length is not None) > 25


def test_another_size_is_no_goal() -> None:
    with pytest.raises(NoPlan):
        optimal_plan(read_board([[0, 1], [2, 3]]), board_of(GOAL))


def test_the_planner_gives_up_with_its_budget() -> None:
    far = read_board([[8, 6, 7], [2, 5, 4], [3, 0, 1]])
    assert distances(GOAL)[8, 6, 7, 2, 5, 4, 3, 0, 1] == 31
    with pytest.raises(PlanBudgetExceeded, match="after 100 positions"):
        optimal_plan(far, board_of(GOAL), node_budget=100)


@pytest.mark.parametrize(
    "value",
    [
        None,
        [],
        [[0]],
        [[0, 1], [2]],
        [[0, 1], [2, 4]],
        [[0, 1], [1, 2]],
        [[False, 1], [2, 3]],
        [[0, 1, 2], [3, 4, 5]],
        [["0", 1], [2, 3]],
        {"board": [[0, 1], [2, 3]]},
        [[0] * 11] * 11,
    ],
)
def test_malformed_boards_are_refused(value: object) -> None:
    with pytest.raises(ValueError, match="expected"):
        read_board(value)


@pytest.mark.parametrize("text", ["Left", " left", "left ", "leftward", "", "l", "left, right"])
def test_an_operation_has_one_spelling(text: str) -> None:
    with pytest.raises(ValueError, match="is no operation"):
        WORLD.read_operation(text)


@pytest.mark.parametrize(
    ("reply", "directions"),
    [
        ("left", ["left"]),
        ("['left', 'up']", ["left", "up"]),
        ("Move the tile left, then slide up.", ["left", "up"]),
        ("1. leftward\n2. down", ["left", "down"]),
        ("left → right → down", ["left", "right", "down"]),
        ("", []),
    ],
)
def test_replies(reply: str, directions: list[str]) -> None:
    assert [slide.direction for slide in WORLD.operations_in_reply(reply)] == directions


@pytest.mark.parametrize("reply", ["foo, left", "left foo", "lefty", "move the ring left", "upleft", "leftright"])
def test_other_words_are_no_reply(reply: str) -> None:
    with pytest.raises(ValueError, match="is no operation"):
        WORLD.operations_in_reply(reply)
