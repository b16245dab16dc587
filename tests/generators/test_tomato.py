"""The set tomato: its shape, its balance, its length."""

from collections import Counter
from dataclasses import replace
from functools import cache

import pytest

from generators.errors import InputError
from generators.item import Item
from generators.manifest import Request
from generators.sets import SETS, TOMATO_QUESTIONS, is_set, tomato
from generators.single_clips import TASKS


@cache
def items() -> tuple[Item, ...]:
    """A tenth of the set."""
    return tuple(Request(tomato(150).parts, 4, "tomato").make_items())


def test_the_full_set_has_the_papers_shape() -> None:
    parts = SETS["tomato"]().parts
    assert {part.family: part.items for part in parts} == TOMATO_QUESTIONS
    assert sum(TOMATO_QUESTIONS.values()) == 1_484 and set(TOMATO_QUESTIONS) == set(TASKS)


def test_it_scales() -> None:
    for count in (1, 2, 6, 7, 100, 1_483, 3_000):
        parts = tomato(count).parts
        assert sum(part.plans for part in parts) == count and is_set("tomato", parts)
        assert is_set("tomato", tomato(count, independent_frames=True).parts)
        for part in parts:
            assert abs(part.plans - count * TOMATO_QUESTIONS[part.family] / 1_484) < 1
    assert not is_set("tomato", tomato(50).parts[1:])


def test_kinds_lengths_and_options_are_as_in_the_paper() -> None:
    made = items()
    assert len({item.id for item in made}) == len(made) == 150
    kinds = Counter(item.questions[0].about["demonstration"] for item in made)
    paper = {"human": 0.41, "object": 0.42, "simulated": 0.17}
    assert all(abs(kinds[kind] / len(made) - share) < 0.05 for kind, share in paper.items()), kinds
    seconds = [item.measures["seconds"] for item in made]
    assert 8.9 <= sum(seconds) / len(seconds) <= 9.5
    chance = sum(1 / item.measures["options"] for item in made) / len(made)
    assert 0.15 <= chance <= 0.25


def test_a_part_without_room_is_named() -> None:
    parts = tomato(12).parts
    short = replace(parts[2], settings=parts[2].settings.model_copy(update={"fps": 1}))
    with pytest.raises(InputError, match=r"^part 3, velocity_frequency: "):
        list(Request((*parts[:2], short), 1, "mine").make_items())
