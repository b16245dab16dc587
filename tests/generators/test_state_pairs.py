"""Pairs of the worlds with a hidden state: one start, two plans that differ by a swap or by one operation."""

from typing import Any

import pytest

from generators.family import family
from generators.item import Item
from simulators.contract import replay
from tests.generators.making import items_of

WORLDS = ("number", "circle", "cup", "file", "card", "chip")


def made(name: str, **chosen: Any) -> list[Item]:
    kind = family(name)
    return items_of(kind, kind.settings.model_validate({"pairs": True, "ops": "3..6"} | chosen), 7, 6)


@pytest.mark.parametrize("name", WORLDS)
def test_two_plans_start_alike_and_end_otherwise(name: str) -> None:
    world = family(name).world
    assert world is not None
    for item in made(name):
        first, second = (clip.plan for clip in item.clips)
        assert first["start"] == second["start"] and first["reveal"] == second["reveal"] == "start"
        ends = [
            replay(world, world.read_state(plan["start"]), [world.read_operation(text) for text in plan["operations"]])
            for plan in (first, second)
        ]
        assert world.goal_of(ends[0].end) != world.goal_of(ends[1].end)
        differing = [
            place for place, (a, b) in enumerate(zip(first["operations"], second["operations"], strict=True)) if a != b
        ]
        assert len(differing) in (1, 2)
        if len(differing) == 2:
            place, after = differing
            assert after == place + 1
            assert first["operations"][place] == second["operations"][after]
        assert item.pair is not None and 0.5 < item.pair["shared_frames"] <= 1.0
        assert (item.pair["certificate"] == "permutation") == (item.pair["shared_frames"] == 1.0)


@pytest.mark.parametrize("name", WORLDS)
def test_the_two_questions_flip_and_the_open_one_asks_for_the_state(name: str) -> None:
    forms = set()
    for item in made(name):
        first, second, state = item.questions
        forms.add(first.kind)
        assert [first.id, second.id, state.id] == ["first", "second", "infer_state"]
        assert first.keys[0] != first.keys[1] and first.keys == second.keys[::-1]
    assert forms == {"yes_no", "choice"}


def test_pairs_show_the_start() -> None:
    with pytest.raises(ValueError, match="revealed at the start"):
        family("number").settings.model_validate({"pairs": True, "reveal": "both"})
