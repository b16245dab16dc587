"""The Chip world against a second implementation that counts chips by value, and against brute force."""

from itertools import combinations_with_replacement, product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulators.chip import VALUES, WORLD, Change, Cups, legal_operations, optimal_plan, read_cups, transition
from simulators.contract import IllegalOperation, NoPlan, Refusal, replay

STATES = st.lists(st.lists(st.sampled_from([5, 10, 20, 50, 100]), max_size=5), min_size=1, max_size=4).map(
    lambda cups: {f"cup{index}": sorted(chips) for index, chips in enumerate(cups)}
)
CHANGES = st.one_of(
    st.builds("add {} to cup{}".format, st.sampled_from([5, 10, 20, 50, 100]), st.integers(0, 4)),
    st.builds("remove {} from cup{}".format, st.sampled_from([5, 10, 20, 50, 100]), st.integers(0, 4)),
)


def slow_change(counts: dict[str, dict[str, int]], text: str) -> dict[str, dict[str, int]] | None:
    """From the English, on how many chips of each value are in each cup; None where the chip or cup is not there."""
    verb, value, _, cup = text.split()
    if cup not in counts:
        return None
    changed = counts[cup][value] + (1 if verb == "add" else -1)
    return None if changed < 0 else {**counts, cup: {**counts[cup], value: changed}}


def counts_of(value: dict[str, list[int]]) -> dict[str, dict[str, int]]:
    return {cup: {str(one): chips.count(one) for one in (5, 10, 20, 50, 100)} for cup, chips in value.items()}


def listed(counts: dict[str, dict[str, int]]) -> dict[str, Any]:
    """The state's JSON, with its values in ascending order."""
    return {
        cup: [int(one) for one, count in by_value.items() for _ in range(count)] for cup, by_value in counts.items()
    }


def distances(start: Cups, values: tuple[int, ...], capacity: int) -> dict[tuple[tuple[int, ...], ...], int]:
    """The fewest changes to all cups of at most `capacity` chips of `values`, by breadth-first search."""
    found = {start.cups: 0}
    frontier = [start.cups]
    while frontier:
        following = []
        for cups in frontier:
            for index, chips in enumerate(cups):
                more = [tuple(sorted((*chips, value))) for value in values if len(chips) < capacity]
                less = [chips[:place] + chips[place + 1 :] for place in range(len(chips))]
                for changed in more + less:
                    reached = (*cups[:index], changed, *cups[index + 1 :])
                    if reached not in found:
                        found[reached] = found[cups] + 1
                        following.append(reached)
        frontier = following
    return found


def test_chips_are_added_and_removed_by_hand() -> None:
    start = WORLD.read_state({"cup0": [5, 5, 100], "cup1": []})
    more = transition(start, WORLD.read_operation("add 20 to cup0"))
    assert WORLD.write_state(more) == {"cup0": [5, 5, 20, 100], "cup1": []}
    less = transition(more, WORLD.read_operation("remove 5 from cup0"))
    assert WORLD.write_state(less) == {"cup0": [5, 20, 100], "cup1": []}
    with pytest.raises(Refusal, match="there is no 5 in cup1"):
        transition(less, WORLD.read_operation("remove 5 from cup1"))
    with pytest.raises(Refusal, match="there is no cup2"):
        transition(less, WORLD.read_operation("add 5 to cup2"))


@settings(deadline=None)
@given(STATES, st.lists(CHANGES, max_size=10))
def test_plans_do_what_the_second_implementation_says(value: dict[str, list[int]], plan: list[str]) -> None:
    expected, illegal = [counts_of(value)], None
    for index, text in enumerate(plan):
        following = slow_change(expected[-1], text)
        if following is None:
            illegal = index
            break
        expected.append(following)
    start, operations = WORLD.read_state(value), [WORLD.read_operation(text) for text in plan]
    trace = replay(WORLD, start, operations[:illegal])
    assert [WORLD.write_state(state) for state in trace.states] == [listed(counts) for counts in expected]
    assert replay(WORLD, start, operations[:illegal]) == trace
    if illegal is not None:
        with pytest.raises(IllegalOperation) as caught:
            replay(WORLD, start, operations)
        assert (caught.value.index, caught.value.operation) == (illegal, plan[illegal])


def small_states() -> list[Cups]:
    """Two cups with at most two chips of three values each."""
    cups = [chips for count in range(3) for chips in combinations_with_replacement((5, 10, 100), count)]
    return [Cups(both) for both in product(cups, repeat=2)]


def test_legal_operations_are_exactly_the_accepted_ones_on_every_small_state() -> None:
    for start in small_states():
        accepted = set()
        for verb, value, cup in product(("add", "remove"), VALUES, range(4)):
            change = Change(verb, value, cup)
            expected = slow_change(counts_of(WORLD.write_state(start)), WORLD.write_operation(change))
            if expected is None:
                with pytest.raises(Refusal):
                    transition(start, change)
            else:
                accepted.add(change)
                assert WORLD.write_state(transition(start, change)) == listed(expected)
        assert set(legal_operations(start)) == accepted
        assert len(legal_operations(start)) == len(accepted)


@settings(deadline=None)
@given(STATES)
def test_the_inverse_undoes_and_json_round_trips(value: dict[str, list[int]]) -> None:
    start = WORLD.read_state(value)
    assert WORLD.write_state(start) == value
    assert WORLD.read_goal(WORLD.write_goal(WORLD.goal_of(start))) == start
    for change in legal_operations(start):
        assert WORLD.read_operation(WORLD.write_operation(change)) == change
        inverse = Change("remove" if change.verb == "add" else "add", change.value, change.cup)
        assert transition(transition(start, change), inverse) == start


def test_the_planner_is_optimal_between_all_small_states() -> None:
    for start in small_states():
        shortest = distances(start, (5, 10, 100), capacity=3)
        for goal in small_states():
            plan = optimal_plan(start, goal)
            assert replay(WORLD, start, plan).end == goal
            assert len(plan) == shortest[goal.cups]


def test_another_number_of_cups_is_no_goal() -> None:
    with pytest.raises(NoPlan):
        optimal_plan(Cups(((5,),)), Cups(((5,), ())))


@pytest.mark.parametrize(
    "value",
    [
        None,
        {},
        [[5]],
        {"cup1": []},
        {"pile0": []},
        {f"cup{index}": [] for index in range(5)},
        {"cup0": 5},
        {"cup0": [7]},
        {"cup0": ["5"]},
        {"cup0": [5.0]},
        {"cup0": [True]},
        {"cup0": [[5]]},
        {"cup0": [10, 5]},
    ],
)
def test_malformed_cups_are_refused(value: object) -> None:
    with pytest.raises(ValueError, match="expected"):
        read_cups(value)


@pytest.mark.parametrize(
    "text",
    [
        "add 7 to cup0",
        "add 05 to cup0",
        "Add 5 to cup0",
        "add 5 to cup 0",
        "add 5 from cup0",
        "remove 5 to cup0",
        "add 5 to cup10",
        "",
    ],
)
def test_an_operation_has_one_spelling(text: str) -> None:
    with pytest.raises(ValueError, match="is no operation"):
        WORLD.read_operation(text)


@pytest.mark.parametrize(
    ("reply", "changes"),
    [
        ("add 10 to cup0", ["add 10 to cup0"]),
        ("add chip 10 to cup0.", ["add 10 to cup0"]),
        ("Add a 10 chip to cup 0", ["add 10 to cup0"]),
        ("remove the 50 from cup0", ["remove 50 from cup0"]),
        ("add 10 into cup0", ["add 10 to cup0"]),
        ("put a chip of value 100 in the cup1, take 5 out of cup2", ["add 100 to cup1", "remove 5 from cup2"]),
        ("remove 50 from cup0; add 5 to cup9", ["remove 50 from cup0", "add 5 to cup9"]),
        ("1. remove 50 from cup0\n2. add 50-chip to cup1", ["remove 50 from cup0", "add 50 to cup1"]),
        ("1. add 20 to cup0 2. add 50 to cup1", ["add 20 to cup0", "add 50 to cup1"]),
        ('["add 5 to cup0", "add 5 to cup0"]', ["add 5 to cup0", "add 5 to cup0"]),
        ("removed 50 from cup 0, then added 5 to cup 1", ["remove 50 from cup0", "add 5 to cup1"]),
        ("", []),
    ],
)
def test_replies(reply: str, changes: list[str]) -> None:
    assert [WORLD.write_operation(change) for change in WORLD.operations_in_reply(reply)] == changes


@pytest.mark.parametrize(
    "reply",
    [
        "add $10 to cup0",
        "add 10",
        "add 7 to cup0",
        "add 105 to cup0",
        "add 1000 to cup0",
        "add 10 and 20 to cup0",
        "add 10, 20 to cup0",
        "add 2 chips of 10 to cup0",
        "add 10 from cup0",
        "add 10 to cup10",
        "add 10 to cup",
        "move 10 from cup0 to cup1",
        "add 10 to cup0 please",
        "10",
    ],
)
def test_other_words_are_no_reply(reply: str) -> None:
    with pytest.raises(ValueError, match="is no operation"):
        WORLD.operations_in_reply(reply)
