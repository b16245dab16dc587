"""Named random streams: neighbours share nothing, and one more decision changes no other."""

import subprocess
import sys
from collections.abc import Sequence
from itertools import combinations, product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generators.family import family
from generators.item import Item
from generators.randomness import MAXIMUM_SEED, Streams, fresh_seed, stream
from generators.settings import SKILLS
from tests.generators.command_line import ROOT, environment
from tests.generators.making import items_of, plans_of

NUMBER = family("number")


def items(seed: int, indices: Sequence[int], **settings: Any) -> list[Item]:
    """Items of a set that has as many items as it takes to hold the last index."""
    chosen = NUMBER.settings.model_validate({"size": 4, "ops": 6} | settings)
    made = items_of(NUMBER, chosen, seed, max(indices) + 1)
    return [made[index] for index in indices]


PATHS = st.lists(st.integers(0, 3) | st.sampled_from(["a", "b", "1", "a,b", '"', ""]), max_size=3)


@given(seed=st.integers(0, 3), path=PATHS, other_seed=st.integers(0, 3), other=PATHS)
def test_a_stream_belongs_to_its_whole_path(
    seed: int, path: list[str | int], other_seed: int, other: list[str | int]
) -> None:
    same_path = (seed, path) == (other_seed, other) and all(
        type(a) is type(b) for a, b in zip(path, other, strict=True)
    )
    first = [stream(seed, *path).random() for _ in range(2)]
    assert first[0] == first[1]
    assert (stream(other_seed, *other).random() == first[0]) == same_path


def test_a_stream_is_the_same_for_ever() -> None:
    """A change here would give other items for every seed that was ever written down."""
    assert stream(0, "number", 1, 0, "operations").getrandbits(64) == 0x265A56C23640985A
    assert stream(2**64 - 1, "circle", 2, 999, "start").getrandbits(64) == 0xE43E2D4177018E62


def test_streams_do_not_depend_on_the_order_of_use() -> None:
    streams = Streams(3, "number", 1, 7)
    first = streams("start").random(), streams("operations").random()
    again = Streams(3, "number", 1, 7)
    second = again("operations").random(), again("start").random()
    assert first == second[::-1]
    assert streams("start") is not streams("start")


def test_another_attempt_draws_anew() -> None:
    draws = {Streams(3, "number", 1, 7, attempt)("start").random() for attempt in range(50)}
    assert len(draws) == 50


def test_neighbouring_seeds_and_indices_share_no_plan() -> None:
    plans = {
        (item.provenance.seed, item.provenance.index): item.clips[0].plan
        for seed in range(51)
        for item in items(seed, range(4))
    }
    assert len(plans) == 51 * 4
    for (one, first), (other, second) in combinations(plans.items(), 2):
        assert first["start"] != second["start"], (one, other)


def test_neighbouring_seeds_draw_independently() -> None:
    """Over neighbouring pairs the first operations agree as often as chance says: no offset of one seed is another."""
    made = [item.clips[0].plan["operations"] for item in items(0, range(40))]
    others = [item.clips[0].plan["operations"] for item in items(1, range(40))]
    for shift in range(-3, 4):
        agreeing = sum(made[k] == others[k + shift] for k in range(3, 37))
        assert agreeing <= 2, f"seed 1 gives seed 0's operations, {shift} items further on"


def test_zero_is_a_seed() -> None:
    zero = items(0, range(3))
    assert zero == items(0, range(3))
    assert [item.provenance.seed for item in zero] == ["0", "0", "0"]
    assert not {item.id for item in zero} & {item.id for seed in (1, 2, fresh_seed()) for item in items(seed, range(3))}


def test_fresh_seeds_differ_and_are_seeds() -> None:
    seeds = {fresh_seed() for _ in range(100)}
    assert len(seeds) == 100
    assert all(0 <= seed < MAXIMUM_SEED for seed in seeds)


def test_hash_randomisation_has_no_say() -> None:
    program = (
        "from tests.generators.test_randomness import items\n"
        "print(*(item.to_line() for item in items(9, range(6), size='2..5', ops='1..9', reveal='both')), sep='\\n')"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program],
            cwd=ROOT,
            env=environment(PYTHONHASHSEED=seed),
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "4242")
    }
    assert len(outputs) == 1
    assert len(outputs.pop().splitlines()) == 6


@pytest.mark.parametrize("reveal", ["start", "end", "both"])
def test_another_choice_of_skills_changes_neither_the_plan_nor_the_other_questions(reveal: str) -> None:
    full = items(11, range(6), reveal=reveal)
    for chosen in [*combinations(SKILLS, 1), *combinations(SKILLS, 2), SKILLS[1:]]:
        for whole, some in zip(full, items(11, range(6), reveal=reveal, skills=",".join(chosen)), strict=True):
            assert some.id == whole.id
            assert some.clips == whole.clips
            assert some.questions == [question for question in whole.questions if question.id in chosen]


@given(seed=st.integers(0, 2**64), low=st.integers(2, 4))
def test_an_item_does_not_depend_on_how_many_are_asked_for(seed: int, low: int) -> None:
    chosen = NUMBER.settings.model_validate({"size": f"2..{low}", "ops": "1..4"})
    few, many = list(plans_of(NUMBER, chosen, seed, 10)), list(plans_of(NUMBER, chosen, seed, 60))
    assert many[:10] == few


def test_items_do_not_depend_on_the_order_in_which_they_are_made() -> None:
    indices = [4, 0, 3, 1, 2]
    assert items(2, indices) == [items(2, range(5))[index] for index in indices]


def test_sizes_and_operations_of_a_range_are_all_drawn() -> None:
    made = items(6, range(80), size="2..4", ops="1..3", skills="infer_state")
    drawn = {(item.measures["size"], item.measures["operations"]) for item in made}
    assert drawn == set(product((2, 3, 4), (1, 2, 3)))
