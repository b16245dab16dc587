"""Laws of sampled plans: legal, no undoing, an end that is not the start, no plan twice, twins of one plan."""

from collections.abc import Iterator
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generators.errors import InputError
from generators.family import family
from generators.item import Item, Plan
from generators.sampling import random_walk
from simulators.contract import Refusal, World
from tests.generators.making import items_of, plans_of
from tests.generators.sliding_tiles import WAYS, slide, slide_all

NUMBER = family("number")
OPPOSITE = {"left": "right", "right": "left", "up": "down", "down": "up"}
SEEDS = st.integers(0, 2**64)


def plans(seed: int, count: int, **settings: Any) -> Iterator[Plan]:
    chosen = NUMBER.settings.model_validate(settings)
    for _, (plan,) in plans_of(NUMBER, chosen, seed, count):
        yield plan


@given(seed=SEEDS, size=st.integers(2, 10), ops=st.integers(1, 60), reveal=st.sampled_from(["start", "end"]))
def test_a_plan_is_a_walk_by_the_rules(seed: int, size: int, ops: int, reveal: str) -> None:
    [plan] = plans(seed, 1, size=size, ops=ops, reveal=reveal)
    start, operations = plan["start"], plan["operations"]
    assert set(plan) == {"start", "operations", "reveal"}
    assert plan["reveal"] == reveal
    assert len(start) == size and sorted(number for row in start for number in row) == list(range(size * size))
    assert len(operations) == ops
    end = slide_all(start, operations)
    assert end is not None, "an operation cannot be carried out"
    assert all(OPPOSITE[one] != other for one, other in pairwise(operations))
    assert (end == start) == (size == 2 and ops % 12 == 0)


@given(seed=SEEDS, ops=st.sampled_from([11, 12, 13, 24, 25, 36]))
def test_a_small_board_ends_where_it_began_only_after_every_twelfth_slide(seed: int, ops: int) -> None:
    [plan] = plans(seed, 1, size=2, ops=ops)
    assert (slide_all(plan["start"], plan["operations"]) == plan["start"]) == (ops % 12 == 0)


def test_starts_and_first_operations_are_all_drawn_alike() -> None:
    made = list(plans(3, 600, size=3, ops=1))
    corners = [plan["start"][0][0] for plan in made]
    assert set(corners) == set(range(9))
    assert all(30 <= corners.count(number) <= 110 for number in range(9))
    first = [plan["operations"][0] for plan in made]
    assert all(100 <= first.count(way) <= 200 for way in WAYS)


@pytest.mark.parametrize(("ops", "possible"), [("1", 48), ("3", 48), ("12", 48), ("1..2", 96)])
def test_every_possible_plan_can_be_made_and_none_twice(ops: str, possible: int) -> None:
    """On 2×2 there are 24 boards and two ways round."""
    made = [str(plan) for plan in plans(1, possible, size=2, ops=ops)]
    assert len(set(made)) == possible
    with pytest.raises(
        InputError, match=rf"no more than about {possible} different items of number, and {possible + 1} "
    ):
        list(plans(1, possible + 1, size=2, ops=ops))


def test_twins_of_every_possible_plan_can_be_made() -> None:
    assert len({str(plan) for plan in plans(1, 96, size=2, ops=2, reveal="both")}) == 96
    with pytest.raises(InputError, match="lower --count"):
        list(plans(1, 97, size=2, ops=2, reveal="both"))


@given(seed=SEEDS, size=st.integers(2, 6), ops=st.integers(1, 20))
def test_twins_share_start_and_operations_and_stand_side_by_side(seed: int, size: int, ops: int) -> None:
    made = list(plans(seed, 6, size=size, ops=ops, reveal="both"))
    assert [plan["reveal"] for plan in made] == ["start", "end"] * 3
    for shown_first, shown_last in zip(made[::2], made[1::2], strict=True):
        assert shown_first | {"reveal": "end"} == shown_last


@given(seed=SEEDS)
def test_a_twin_is_the_plan_that_one_reveal_alone_gives(seed: int) -> None:
    both = list(plans(seed, 6, reveal="both"))
    assert both[::2] == list(plans(seed, 3, reveal="start"))
    assert both[1::2] == list(plans(seed, 3, reveal="end"))


def test_twins_are_asked_the_same_about_what_both_show() -> None:
    chosen = NUMBER.settings.model_validate({"reveal": "both", "skills": "recall_order,recall_count"})
    made: list[Item] = items_of(NUMBER, chosen, 4, 10)
    for one, other in zip(made[::2], made[1::2], strict=True):
        assert [(q.about, q.keys) for q in one.questions] == [(q.about, q.keys) for q in other.questions]


@given(seed=SEEDS, came_from=st.sampled_from(WAYS))
def test_a_walk_does_not_lead_back_to_where_it_came_from(seed: int, came_from: str) -> None:
    world = NUMBER.world
    assert world is not None
    before = [[1, 2, 3], [4, 0, 5], [6, 7, 8]]
    start = slide(before, came_from)
    walk = random_walk(world, world.read_state(start), 1, Random(seed), came_from=world.read_state(before))
    assert world.write_state(walk.end) != before


def test_a_walk_with_no_way_on_says_so() -> None:
    def no_transition(state: int, operation: str) -> int:
        raise Refusal("never")

    assert NUMBER.world is not None
    closed: World[Any, Any, Any] = NUMBER.world.__class__(
        **{name: getattr(NUMBER.world, name) for name in NUMBER.world.__slots__}
        | {"name": "closed", "legal_operations": lambda state: (), "transition": no_transition}
    )
    with pytest.raises(InputError, match="closed: after 0 operations none is left"):
        random_walk(closed, 0, 1, Random(1))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"fps": 1, "seconds_per_op": 1.0}, "too few frames to be seen: raise --fps"),
        ({"fps": 4, "reveal_seconds": 0.1}, "too few frames to be seen: raise --fps"),
        ({"fps": 120, "ops": 500, "seconds_per_op": 20.0}, "frames, more than 200,000: lower --ops"),
    ],
)
def test_a_clip_that_nobody_can_see_is_refused(settings: dict[str, Any], message: str) -> None:
    chosen = NUMBER.settings.model_validate(settings)
    with pytest.raises(InputError, match=message):
        items_of(NUMBER, chosen, 1, 1)
