"""Conditions mean what they say, never run as code, and direct the sampling; ladders are graded."""

import operator
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generators.difficulty import Ladder, both, read_condition, read_ladder, timing_measures
from generators.errors import InputError
from generators.family import family
from generators.rendering.scene import Scene
from generators.sampling import Part, Selection, make_items
from generators.settings import IntegerRange

OPERATORS = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
COMPARISONS = st.tuples(st.sampled_from("ab"), st.sampled_from(sorted(OPERATORS)), st.integers(-3, 12))
TREES: st.SearchStrategy[Any] = st.recursive(
    COMPARISONS,
    lambda inner: st.one_of(st.tuples(st.just("not"), inner), st.tuples(st.sampled_from(["and", "or"]), inner, inner)),
    max_leaves=6,
)


def written(tree: Any) -> str:
    match tree:
        case ("not", inner):
            return f"not ({written(inner)})"
        case ("and" | "or" as word, left, right):
            return f"({written(left)}) {word} ({written(right)})"
        case (name, comparison, number):
            return f"{name} {comparison} {number}"
    raise AssertionError(tree)


def meant(tree: Any, measures: dict[str, int]) -> bool:
    match tree:
        case ("not", inner):
            return not meant(inner, measures)
        case ("and", left, right):
            return meant(left, measures) and meant(right, measures)
        case ("or", left, right):
            return meant(left, measures) or meant(right, measures)
        case (name, comparison, number):
            return bool(OPERATORS[comparison](measures[name], number))
    raise AssertionError(tree)


@given(TREES, st.integers(0, 9), st.integers(0, 9))
def test_a_condition_holds_when_it_says_so(tree: Any, a: int, b: int) -> None:
    assert read_condition(written(tree)).holds({"a": a, "b": b}) == meant(tree, {"a": a, "b": b})


@given(TREES)
def test_a_range_leaves_out_nothing_that_could_satisfy(tree: Any) -> None:
    condition = read_condition(written(tree))
    possible = condition.range_of("a", IntegerRange(0, 9))
    for a in range(10):
        if possible is None or not possible.low <= a <= possible.high:
            assert not any(condition.holds({"a": a, "b": b}) for b in range(-5, 15))


def test_chains_and_mirrored_comparisons_bound_a_measure() -> None:
    assert read_condition("3 <= a < 7 and b > 1").range_of("a", IntegerRange(0, 100)) == (3, 6)
    assert read_condition("7 > a").range_of("a", IntegerRange(0, 100)) == (0, 6)
    assert read_condition("a == 2.5").range_of("a", IntegerRange(0, 100)) is None
    assert read_condition("a == 2 or a == 5").range_of("a", IntegerRange(0, 100)) == (2, 5)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "size",
        "size >= ",
        "__import__('os').system('true')",
        "size.bit_length() > 1",
        "size > 'a'",
        "size in (1, 2)",
        "3 > 2",
        "size = 4",
        "size > 3; size < 9",
        "lambda: size > 3",
        "size > True",
        "size > 3 if size else size < 2",
        "(" * 300 + "size > 1" + ")" * 300,
        "size > 1 and " * 200 + "size > 1",
    ],
)
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="condition"):
        read_condition(text)


def test_both_conditions_must_hold() -> None:
    joined = both(read_condition("a > 1 or b > 1"), read_condition("a < 3"))
    assert joined is not None
    assert [joined.holds({"a": a, "b": 2}) for a in (0, 2, 3)] == [True, True, False]
    assert both(None, None) is None


def number_part(plans: int, selection: Selection, **settings: Any) -> Part:
    return Part("number", family("number").settings.model_validate(settings), plans, selection)


def test_items_satisfy_what_was_asked_for() -> None:
    where = read_condition("solution_length >= 6 and operations == 9 and size != 3")
    part = number_part(8, Selection(where), size="2..5", ops="5..14", goal_distance="3..12", reveal="both")
    items = list(make_items(part, 4))
    assert len(items) == 16
    for item in items:
        assert item.measures["solution_length"] >= 6
        assert item.measures["operations"] == 9
        assert item.measures["size"] != 3
    for start, end in zip(items[::2], items[1::2], strict=True):
        assert start.clips[0].plan["operations"] == end.clips[0].plan["operations"]


def test_item_k_of_a_selection_does_not_depend_on_how_many_are_asked_for() -> None:
    selection = Selection(read_condition("solution_length == 4"))
    few, many = (list(make_items(number_part(count, selection, size=3, goal_distance="1..8"), 9)) for count in (3, 12))
    assert many[:3] == few


def test_what_cannot_be_found_is_said_with_what_was_tried() -> None:
    selection = Selection(read_condition("solution_length >= 7"))
    with pytest.raises(InputError, match=r"solution_length from \d to [1-6]"):
        list(make_items(number_part(1, selection, size=2, goal_distance="1..12"), 0))


def test_a_range_that_leaves_nothing_is_refused_at_once() -> None:
    with pytest.raises(InputError, match="operations == 3 cannot hold with --ops 5"):
        list(make_items(number_part(1, Selection(read_condition("operations == 3")), ops=5), 0))


def test_an_unknown_measure_is_named() -> None:
    with pytest.raises(InputError, match="no measure 'colour'"):
        list(make_items(number_part(1, Selection(read_condition("colour == 3"))), 0))


def test_a_ladder_has_as_many_items_on_every_rung() -> None:
    ladder = read_ladder("solution_length=1..5", 3)
    part = number_part(ladder.rungs * ladder.per_rung, Selection(ladder=ladder), size=3, goal_distance="1..5")
    lengths = [item.measures["solution_length"] for item in make_items(part, 2)]
    assert lengths == sorted(lengths)
    assert Counter(lengths) == dict.fromkeys(range(1, 6), 3)


@pytest.mark.parametrize("text", ["", "size", "size=3", "size=5..2", "size=a..b", "1..2", "si ze=1..2", "size=-1..2"])
def test_a_ladder_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="--ladder"):
        read_ladder(text, 1)


def test_a_ladder_is_written_as_it_is_read() -> None:
    assert read_ladder(str(Ladder("size", 2, 4, 5)), 5) == Ladder("size", 2, 4, 5)


def test_the_minimum_frame_rate_is_enough_and_no_less_is() -> None:
    """Evenly spaced frames from any phase: at the measure's rate each span holds one; a tenth slower some hold none."""
    spans = ((10, 22), (22, 30), (30, 45))
    scene = Scene(
        width=8, height=8, fps=20, frames=60, background=(0, 0, 0), sprites=(), placements=lambda frame: [], spans=spans
    )
    rate = timing_measures([scene])["minimum_fps"]

    def sees_all(rate: float) -> bool:
        times = [[phase / rate / 50 + n / rate for n in range(200)] for phase in range(50)]
        return all(any(first / 20 <= time < end / 20 for time in moments) for moments in times for first, end in spans)

    assert sees_all(rate)
    assert not sees_all(rate * 0.9)
