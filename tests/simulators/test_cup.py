"""The Cup world against a second implementation on a map from names to coins, and against brute force."""

import random
from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulators.contract import IllegalOperation, NoPlan, Refusal, replay
from simulators.cup import WORLD, Cups, Swap, legal_operations, optimal_plan, read_cups, transition, write_cups

MATRICES = st.integers(2, 5).flatmap(
    lambda size: st.lists(st.lists(st.sampled_from([0, 1]), min_size=size, max_size=size), min_size=size, max_size=size)
)
CELLS = st.builds("{}{}".format, st.sampled_from("abcde"), st.integers(1, 5))
SWAPS = st.builds("({}, {})".format, CELLS, CELLS)


def slow_swap(cups: dict[str, int], operation: str) -> dict[str, int] | None:
    """From the English: the two named cups change places with what is under them; None where that cannot be."""
    first, second = operation.strip("()").split(", ")
    if first == second or first not in cups or second not in cups:
        return None
    return {cell: cups[{first: second, second: first}.get(cell, cell)] for cell in cups}


def to_names(matrix: list[list[int]]) -> dict[str, int]:
    return {
        "abcdefghij"[row] + str(column + 1): coin
        for row, coins in enumerate(matrix)
        for column, coin in enumerate(coins)
    }


def cups_of(coins: tuple[int, ...]) -> Cups:
    size = int(len(coins) ** 0.5)
    return Cups(tuple(coins[row * size : (row + 1) * size] for row in range(size)))


def distances(start: tuple[int, ...]) -> dict[tuple[int, ...], int]:
    """The fewest swaps to every arrangement of the same coins, by breadth-first search."""
    found = {start: 0}
    frontier = [start]
    while frontier:
        following = []
        for coins in frontier:
            for first, second in combinations(range(len(coins)), 2):
                swapped = list(coins)
                swapped[first], swapped[second] = coins[second], coins[first]
                if tuple(swapped) not in found:
                    found[tuple(swapped)] = found[coins] + 1
                    following.append(tuple(swapped))
        frontier = following
    return found


def test_contents_travel_with_the_cups() -> None:
    #     1 2 3          1 2 3
    #  a  o . .       a  . . .
    #  b  . . o   →   b  . . o     (a1, c2): any distance, both contents travel
    #  c  . . .       c  . o .
    start = read_cups([[1, 0, 0], [0, 0, 1], [0, 0, 0]])
    after = transition(start, WORLD.read_operation("(a1, c2)"))
    assert write_cups(after) == [[0, 0, 0], [0, 0, 1], [0, 1, 0]]
    assert transition(start, WORLD.read_operation("(c2, a1)")) == after
    assert transition(start, WORLD.read_operation("(a1, b3)")) == start  # a coin for a coin


@pytest.mark.parametrize("text", ["(a1, a1)", "(b3, b9)", "(j10, a1)", "(a4, a1)", "(d1, a1)"])
def test_a_cup_that_is_not_there_and_one_cup_alone_are_illegal(text: str) -> None:
    with pytest.raises(Refusal, match=r"no cup at|with itself"):
        transition(read_cups([[1, 0, 0], [0, 0, 1], [0, 0, 0]]), WORLD.read_operation(text))


@settings(deadline=None)
@given(MATRICES, st.lists(SWAPS, max_size=8))
def test_plans_do_what_the_second_implementation_says(matrix: list[list[int]], plan: list[str]) -> None:
    expected, illegal = [to_names(matrix)], None
    for index, operation in enumerate(plan):
        following = slow_swap(expected[-1], operation)
        if following is None:
            illegal = index
            break
        expected.append(following)
    start, operations = WORLD.read_state(matrix), [WORLD.read_operation(text) for text in plan]
    trace = replay(WORLD, start, operations[:illegal])
    assert [to_names(WORLD.write_state(state)) for state in trace.states] == expected
    assert replay(WORLD, start, operations[:illegal]) == trace
    if illegal is not None:
        with pytest.raises(IllegalOperation) as caught:
            replay(WORLD, start, operations)
        assert (caught.value.index, caught.value.operation) == (illegal, plan[illegal])


def test_every_swap_on_every_2x2_board() -> None:
    names = ("a1", "a2", "b1", "b2", "a3", "c1")
    for coins in product((0, 1), repeat=4):
        cups = cups_of(coins)
        legal = {frozenset((swap.first, swap.second)) for swap in legal_operations(cups)}
        assert len(legal) == len(legal_operations(cups)) == 6
        for first, second in product(names, repeat=2):
            swap = WORLD.read_operation(f"({first}, {second})")
            expected = slow_swap(to_names(write_cups(cups)), f"({first}, {second})")
            assert (frozenset((swap.first, swap.second)) in legal) == (expected is not None)
            if expected is None:
                with pytest.raises(Refusal):
                    transition(cups, swap)
            else:
                assert to_names(write_cups(transition(cups, swap))) == expected


@settings(deadline=None)
@given(MATRICES)
def test_a_swap_undoes_itself_and_json_round_trips(matrix: list[list[int]]) -> None:
    start = WORLD.read_state(matrix)
    assert WORLD.write_state(start) == matrix
    assert WORLD.read_goal(WORLD.write_goal(WORLD.goal_of(start))) == start
    for swap in legal_operations(start):
        assert WORLD.read_operation(WORLD.write_operation(swap)) == swap
        assert transition(transition(start, swap), swap) == start
        assert transition(transition(start, swap), Swap(swap.second, swap.first)) == start


def assert_optimal(start: Cups, goal: Cups, length: int | None) -> None:
    if length is None:
        with pytest.raises(NoPlan):
            optimal_plan(start, goal)
        return
    plan = optimal_plan(start, goal)
    assert replay(WORLD, start, plan).end == goal
    assert len(plan) == length


def test_the_planner_is_optimal_between_all_2x2_boards() -> None:
    for start in product((0, 1), repeat=4):
        shortest = distances(start)
        for goal in product((0, 1), repeat=4):
            assert_optimal(cups_of(start), cups_of(goal), shortest.get(goal))


def test_the_planner_is_optimal_between_3x3_boards() -> None:
    generator = random.Random(3)
    for coins in range(10):
        start = [1] * coins + [0] * (9 - coins)
        generator.shuffle(start)
        shortest = distances(tuple(start))
        for goal in generator.sample(sorted(shortest), min(len(shortest), 60)):
            assert_optimal(cups_of(tuple(start)), cups_of(goal), shortest[goal])
        assert_optimal(cups_of(tuple(start)), cups_of((1,) * 9), None if coins < 9 else 0)


def test_another_size_is_no_goal() -> None:
    with pytest.raises(NoPlan):
        optimal_plan(cups_of((1, 0, 0, 0)), cups_of((1, *(0,) * 8)))


@pytest.mark.parametrize(
    "value",
    [
        None,
        [[0]],
        [[0, 1], [0]],
        [[0, 2], [0, 1]],
        [[0, True], [0, 1]],
        [[0, 1.0], [0, 1]],
        {"cups": []},
        [[0] * 11] * 11,
    ],
)
def test_malformed_cups_are_refused(value: object) -> None:
    with pytest.raises(ValueError, match="expected"):
        read_cups(value)


@pytest.mark.parametrize(
    "text", ["(A1, c2)", "(a1,c2)", "a1, c2", "(a1, c11)", "(k1, a1)", "(a0, a1)", "(a1, c2, b3)", "", " (a1, c2)"]
)
def test_an_operation_has_one_spelling(text: str) -> None:
    with pytest.raises(ValueError, match="is no operation"):
        WORLD.read_operation(text)


@pytest.mark.parametrize(
    ("reply", "swaps"),
    [
        ("(b3, b2)", ["(b3, b2)"]),
        ("[('B3','B2')]", ["(b3, b2)"]),
        ("swap b3 and b2", ["(b3, b2)"]),
        ("Swap the cup at b3 with the cup at b2.", ["(b3, b2)"]),
        ("b3 <-> b2", ["(b3, b2)"]),
        ("b3 ↔ b2, a1 ↔ a2", ["(b3, b2)", "(a1, a2)"]),
        ("b3-b2; a1-a2", ["(b3, b2)", "(a1, a2)"]),
        ("swap(b3,b2)", ["(b3, b2)"]),
        ("swap(b3,b2), swap(a1,j10)", ["(b3, b2)", "(a1, j10)"]),
        ("(b3, b2), (a1, c3)", ["(b3, b2)", "(a1, c3)"]),
        ("(b3, b2)(a1, c3)", ["(b3, b2)", "(a1, c3)"]),
        ("(b3 b2) -> (a1 c3)", ["(b3, b2)", "(a1, c3)"]),
        ("(b3, b2) then (a1, c3), and then (a1, a2)", ["(b3, b2)", "(a1, c3)", "(a1, a2)"]),
        ("1. swap b3 and b2\n2. swap a1 and c3", ["(b3, b2)", "(a1, c3)"]),
        ("1. (b3, b2) 2. (a1, c3)", ["(b3, b2)", "(a1, c3)"]),
        ("swap a1 and b2 and swap c1 and c2", ["(a1, b2)", "(c1, c2)"]),
        ('[["b3", "b2"], ["a1", "c3"]]', ["(b3, b2)", "(a1, c3)"]),
        ("b3, b2", ["(b3, b2)"]),
        ("['b3', 'b2']", ["(b3, b2)"]),
        ("b3 and b2", ["(b3, b2)"]),
        ("b3 b2.", ["(b3, b2)"]),
        ("```\nb3, b2\n```", ["(b3, b2)"]),
        ("```python\n[('b3', 'b2'),\n ('a1', 'c3')]\n```", ["(b3, b2)", "(a1, c3)"]),
        ("swap b3 with b2, then a1 with c3", ["(b3, b2)", "(a1, c3)"]),
        ("1) b3 ↔ b2 2) a1 ↔ c3", ["(b3, b2)", "(a1, c3)"]),
        ("", []),
    ],
)
def test_replies(reply: str, swaps: list[str]) -> None:
    assert [WORLD.write_operation(swap) for swap in WORLD.operations_in_reply(reply)] == swaps


@pytest.mark.parametrize(
    "reply",
    [
        "b3, b2, c1",
        "b3, b2, c1, c2",
        "b3",
        "1. b3\n2. b2",
        "b3\nb2",
        "b3,\nb2",
        "b3 -> b2 -> c1",
        "b3 <-> b2 <-> c1",
        "b3-b2-c1",
        "swap b3 and b2, c1",
        "swap b3 with b2, then a1 and c3",
        "b3 with b2 with c1",
        "swap b3, b2, c1, c2",
        "swap b3",
        "(b3, b2, c1)",
        "(b3, b11)",
        "(b3, k2)",
        "(b3, b2) please",
        "move b3 to b2",
        "left",
    ],
)
def test_what_is_no_list_of_pairs_is_no_reply(reply: str) -> None:
    with pytest.raises(ValueError, match="is no operation"):
        WORLD.operations_in_reply(reply)
