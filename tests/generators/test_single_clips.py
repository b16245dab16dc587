"""What every family of single clips must hold: the same frames whatever the answer, even keys, kinds and twists."""

from collections import Counter
from functools import cache
from math import floor
from typing import Any

import numpy as np
import pytest

from generators import single_clips
from generators.certificates import frame_digests, frame_keys
from generators.difficulty import read_condition
from generators.errors import InputError
from generators.family import Family, family, family_names
from generators.item import Item
from generators.rendering.scene import Scene
from generators.rendering.video import render
from generators.sampling import Part, Selection, make_items
from generators.single_clips import (
    DEMONSTRATIONS,
    STRATA,
    TASKS,
    VARIATIONS,
    SingleScript,
    SingleSettings,
    check_alternatives,
)
from tests.generators.making import items_of

SINGLE_FAMILIES = [name for name in family_names() if issubclass(family(name).settings, SingleSettings)]
COUNT = STRATA


@cache
def items(name: str) -> tuple[Item, ...]:
    return tuple(items_of(family(name), family(name).settings(), 7, COUNT))


def shown(item: Item) -> SingleScript:
    script: SingleScript = family(item.family).episode(item.clips[0].plan)
    return script


def scenes(item: Item, **changes: Any) -> list[Scene]:
    """The scenes of all alternatives of an item's clip."""
    settings = family(item.family).settings.model_validate(item.provenance.settings | changes)
    return [one.scene(settings) for one in shown(item).alternatives()]


def test_every_task_has_its_family() -> None:
    assert sorted(TASKS) == SINGLE_FAMILIES


@pytest.mark.parametrize("name", SINGLE_FAMILIES)
def test_all_options_would_have_the_same_frames(name: str) -> None:
    """Told from what is placed where, for one clip of every script and twist."""
    tried = set()
    for item in items(name):
        script = shown(item)
        if (which := (script.NAME, script.variation)) in tried:
            continue
        tried.add(which)
        sprites: dict[Any, int] = {}
        keys = [frame_keys(scene, sprites) for scene in scenes(item)]
        counts = Counter(keys[0])
        assert len(counts) > 1
        for one in keys:
            assert Counter(one) == counts and one[0] == keys[0][0] and one[-1] == keys[0][-1]
        assert len({tuple(one) for one in keys}) == len(keys)


@pytest.mark.parametrize("name", SINGLE_FAMILIES)
def test_the_pixels_bear_it_out(name: str) -> None:
    kind = family(name)
    for item in items_of(kind, kind.settings.model_validate({"resolution": 128}), 8, 6):
        digests = [frame_digests(scene) for scene in scenes(item)]
        assert all(Counter(one) == Counter(digests[0]) for one in digests)
        assert len({one[0] for one in digests}) == len({one[-1] for one in digests}) == 1


@pytest.mark.parametrize("name", SINGLE_FAMILIES)
def test_a_ground_on_one_sprite_shows_what_its_parts_do(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    kind = family(name)
    chosen = kind.settings.model_validate({"resolution": "256x160", "variation": "first_person"})
    joined = 0
    for item in items_of(kind, chosen, 8, 6):
        shown = kind.episode(item.clips[0].plan)
        monkeypatch.setattr(single_clips, "MANY", 2)
        one = shown.scene(chosen)
        monkeypatch.setattr(single_clips, "MANY", 20_000)
        apart = shown.scene(chosen)
        joined += len(one.placements(0)) < len(apart.placements(0))
        indices = [round(place * (one.frames - 1) / 8) for place in range(9)]
        pixels, expected = (render(scene, indices).astype(int) for scene in (one, apart))
        # Layers are rounded one by one, or all at once.
        assert np.abs(pixels - expected).max() <= 4
    assert joined


@pytest.mark.parametrize("name", SINGLE_FAMILIES)
def test_there_is_one_question_with_three_to_seven_options_of_similar_length(name: str) -> None:
    for item in items(name):
        [question] = item.questions
        assert item.category == name and item.pair is None and question.id == "choice"
        options = question.options
        assert options is not None and 3 <= len(options) == len({*options}) <= 7
        assert options == [text for text in options if text.strip() == text and text]
        assert max(map(len, options)) <= 2 * min(map(len, options)) + 12, options
        assert question.keys == [chr(ord("A") + options.index(shown(item).says()))]
        assert f"{question.keys[0]}. {shown(item).says()}\n" in f"{question.prompt}\n"


@pytest.mark.parametrize("name", SINGLE_FAMILIES)
def test_the_options_do_not_depend_on_the_answer(name: str) -> None:
    for item in items(name)[:20]:
        script = shown(item)
        every = script.alternatives()
        for one in every:
            assert list(one.alternatives()) == list(every)
            assert one.asked() == script.asked() and one.measures().keys() == script.measures().keys()
            assert check_alternatives(one) == [other.says() for other in every]
            assert type(script).model_validate(one.model_dump()) == one


@pytest.mark.parametrize("name", SINGLE_FAMILIES)
def test_keys_kinds_and_twists_come_in_even_shares(name: str) -> None:
    made = items(name)
    places = Counter((len(item.questions[0].options or ()), item.questions[0].keys[0]) for item in made)
    for (options, _), times in places.items():
        uses = sum(number for (others, _), number in places.items() if others == options)
        assert times <= uses / options + 3 * (uses / options) ** 0.5 + 1
    kinds = Counter(shown(item).DEMONSTRATION for item in made)
    assert kinds == {kind: COUNT // 12 * share for kind, share in DEMONSTRATIONS.items()}
    twists = Counter(shown(item).variation for item in made)
    assert set(twists) <= set(VARIATIONS) and 0.3 * COUNT <= twists["plain"] <= 0.8 * COUNT


@pytest.mark.parametrize("name", SINGLE_FAMILIES)
def test_every_kind_and_every_twist_can_be_asked_for(name: str) -> None:
    kind = family(name)
    for demonstration in DEMONSTRATIONS:
        for item in items_of(kind, kind.settings.model_validate({"demonstration": demonstration}), 1, 3):
            assert item.questions[0].about["demonstration"] == demonstration
    for variation in VARIATIONS:
        for item in items_of(kind, kind.settings.model_validate({"variation": variation}), 1, 3):
            assert item.questions[0].about["variation"] == item.clips[0].plan["variation"] == variation


@pytest.mark.parametrize("name", SINGLE_FAMILIES)
def test_sampled_at_the_least_rate_no_two_options_look_alike(name: str) -> None:
    """At every phase, evenly spaced frames no further apart than the shortest window differ between the options."""
    tried = set()
    for item in items(name)[:30]:
        script = shown(item)
        if script.NAME in tried:
            continue
        tried.add(script.NAME)
        shortest = min(end - first for first, end in script.seen())
        assert floor(item.clips[0].fps / shortest) <= item.measures["minimum_fps"] <= item.clips[0].fps
        walks = [one.walk() for one in script.alternatives()]
        for phase in range(shortest):
            assert len({tuple(walk[phase::shortest]) for walk in walks}) == len(walks), (script, phase, shortest)


@pytest.mark.parametrize("name", SINGLE_FAMILIES)
def test_clips_are_as_long_as_asked_and_move_most_of_the_time(name: str) -> None:
    made = items(name)
    assert 8.7 <= sum(item.measures["seconds"] for item in made) / COUNT <= 9.7
    for item in made:
        assert 8.0 - 0.5 <= item.measures["seconds"] <= 10.4 + 0.5
        spans = item.clips[0].spans
        assert spans[-1][1] - spans[0][0] >= 0.6 * item.clips[0].frames, item.clips[0].plan


@pytest.mark.parametrize("name", SINGLE_FAMILIES)
@pytest.mark.parametrize("chosen", [{"resolution": "640x360"}, {"resolution": 128}, {"resolution": 1024, "fps": 60}])
def test_other_sizes_and_rates_work(name: str, chosen: dict[str, Any]) -> None:
    kind: Family = family(name)
    for item in items_of(kind, kind.settings.model_validate(chosen), 3, 6):
        for scene in scenes(item)[:1]:
            for frame in range(0, scene.frames, 40):
                assert all(0 <= one.sprite < len(scene.sprites) for one in scene.placements(frame))


@pytest.mark.parametrize("name", SINGLE_FAMILIES)
def test_scripts_are_chosen_by_name(name: str) -> None:
    kind = family(name)
    with pytest.raises(InputError, match=f"{name} has no script called 'juggling': choose from "):
        items_of(kind, kind.settings.model_validate({"scripts": "juggling"}), 1, 1)
    script = shown(items(name)[0])
    for item in items_of(kind, kind.settings.model_validate({"scripts": script.NAME}), 1, 4):
        assert item.clips[0].plan["script"] == script.NAME


@pytest.mark.parametrize(("name", "condition"), [("motion_direction", "options==6"), ("visual_cues", "options==5")])
def test_a_selection_finds_what_other_scripts_have(name: str, condition: str) -> None:
    kind = family(name)
    for seed in range(3):
        part = Part(name, kind.settings(), 2, Selection(read_condition(condition)))
        assert (
            len([item for item in make_items(part, seed) if f"options=={item.measures['options']}" == condition]) == 2
        )
