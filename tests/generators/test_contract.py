"""What every family must hold, tried on each that is found by listing the folder: a new one is covered at once."""

import json
import math
import re
from functools import cache
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest

import generators
from generators.command import family_parser
from generators.errors import InputError
from generators.family import Family, family, family_names
from generators.item import Item, Kind, canonical_json, item_id
from generators.questions import write_reply
from generators.rendering import frames
from generators.sampling import state_question
from tests.generators.making import items_of
from verifier.scoring import asked, judge

FAMILIES = family_names()
COUNT = 12


def reveals(kind: Family) -> list[dict[str, Any]]:
    return [{"reveal": "start"}, {"reveal": "end"}] if "reveal" in kind.settings.model_fields else [{}]


@cache
def items(name: str) -> tuple[Item, ...]:
    """Items with the default settings, in each reveal that the family has."""
    kind = family(name)
    made = []
    for chosen in reveals(kind):
        settings = kind.settings.model_validate(chosen)
        made += items_of(kind, settings, 5, COUNT)
    return tuple(made)


def test_families_are_found_by_listing_the_folder() -> None:
    folder = Path(generators.__path__[0])
    ending = {
        path.stem
        for path in folder.glob("*.py")
        if re.search(r"^FAMILY = (Family|pair_family|single_clip_family)\($", path.read_text(), re.M)
    }
    assert sorted(ending) == FAMILIES
    assert "number" in FAMILIES


@pytest.mark.parametrize("name", FAMILIES)
def test_a_family_says_what_it_is(name: str) -> None:
    kind = family(name)
    assert kind.name == name
    assert kind.version >= 1
    assert kind.summary[0].isupper() and kind.summary.endswith(".")
    ids = [question.ID for question in kind.questions]
    assert len(ids) == len(set(ids)) > 0
    for question in kind.questions:
        assert kind.question(question.ID) is question
        assert question.LEVEL in (1, 2, 3)
        assert question.KIND in get_args(Kind)
        assert question.__doc__, f"{question.ID} has no docstring"
    with pytest.raises(InputError, match="has no question 'riddle'"):
        kind.question("riddle")


@pytest.mark.parametrize("name", FAMILIES)
def test_settings_have_defaults_and_descriptions_and_go_through_json(name: str) -> None:
    kind = family(name)
    settings = kind.settings()
    assert kind.settings.model_validate(json.loads(json.dumps(settings.to_json()))) == settings
    text = " ".join(family_parser(kind).format_help().split())
    for field, info in kind.settings.model_fields.items():
        assert info.description, f"the setting {field} has no description"
        assert f"--{field.replace('_', '-')} " in text


@pytest.mark.parametrize("name", FAMILIES)
def test_plans_go_through_json_and_replay(name: str) -> None:
    kind = family(name)
    for item in items(name):
        plans = [clip.plan for clip in item.clips]
        assert json.loads(canonical_json(plans)) == plans
        assert item.id == item_id(name, kind.version, plans)
        for plan in plans:
            assert kind.episode(plan) == kind.episode(json.loads(json.dumps(plan)))
    ids = [item.id for item in items(name)]
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize("name", FAMILIES)
def test_an_unsound_plan_is_a_value_error(name: str) -> None:
    kind = family(name)
    plan = items(name)[0].clips[0].plan
    broken: list[dict[str, Any]] = [{}, plan | {"surplus": 1}, *({**plan, field: None} for field in plan)]
    for other in broken:
        with pytest.raises(ValueError, match=r"."):
            kind.episode(other)


@pytest.mark.parametrize("name", FAMILIES)
def test_items_go_through_json(name: str) -> None:
    for item in items(name):
        assert Item.model_validate_json(item.to_line()) == item


@pytest.mark.parametrize("name", FAMILIES)
def test_an_item_is_made_the_same_again(name: str) -> None:
    kind = family(name)
    settings = kind.settings.model_validate(reveals(kind)[0])
    again = items_of(kind, settings, 5, COUNT)
    assert [item.to_line() for item in again] == [item.to_line() for item in items(name)[:COUNT]]


@pytest.mark.parametrize("name", FAMILIES)
def test_questions_are_asked_in_words_with_a_key_for_each_clip(name: str) -> None:
    kind = family(name)
    settings = kind.settings()
    for item in items(name):
        assert [question.id for question in item.questions] == list(kind.asked(settings))
        for question in item.questions:
            assert len(question.keys) == len(item.clips)
            assert len(question.prompt.split()) > 10 and question.prompt == question.prompt.strip()
            assert not re.search(r"[{}]\w*[{}]|\bNone\b|<\w+ object", question.prompt.replace("{a.txt", ""))
            assert json.loads(json.dumps(question.keys)) == question.keys
            if question.kind == "choice":
                assert question.options is not None
            if question.options is not None:
                assert len(set(question.options)) == len(question.options) > 1


@pytest.mark.parametrize("name", FAMILIES)
def test_text_and_keys_can_be_computed_again_from_the_parameters(name: str) -> None:
    """As the verifier does, from what is stored: plans and `about`, and nothing else."""
    kind = family(name)
    for line in (item.to_line() for item in items(name)):
        item = Item.model_validate_json(line)
        episodes = [kind.episode(clip.plan) for clip in item.clips]
        for question in item.questions:
            again = kind.question(question.id).model_validate(question.about)
            for episode in episodes:
                again.check(episode)
            assert state_question(again, episodes) == question


@pytest.mark.parametrize("name", FAMILIES)
def test_measures_are_finite_numbers(name: str) -> None:
    names = [set(item.measures) for item in items(name)]
    assert names[0] and all(one == names[0] for one in names)
    for item in items(name):
        assert all(math.isfinite(value) and value >= 0 for value in item.measures.values())


@pytest.mark.parametrize("name", FAMILIES)
def test_the_writers_answer_scores_correct(name: str) -> None:
    for item in items(name):
        for question, clip in asked(item):
            judgement = judge(item, question, clip, write_reply(question.kind, question.keys[clip]))
            assert judgement.outcome == "correct", (item.id, question.id, judgement)
            if question.kind == "operations":
                assert judgement.optimality_gap == 0


@pytest.mark.parametrize("name", FAMILIES)
def test_no_key_fits_all_items(name: str) -> None:
    """Else the question could be answered blindly."""
    for number, question in enumerate(items(name)[0].questions):
        keys = {canonical_json(item.questions[number].keys) for item in items(name)}
        assert len(keys) > 1, question.id


@pytest.mark.parametrize("name", FAMILIES)
def test_spans_lie_in_order_within_the_clip(name: str) -> None:
    kind = family(name)
    for item in items(name):
        for clip in item.clips:
            scene = kind.scene(clip.plan, kind.settings.model_validate(item.provenance.settings))
            assert (clip.width, clip.height) == (scene.width, scene.height)
            assert (clip.fps, clip.frames, tuple(clip.spans)) == (scene.fps, scene.frames, scene.spans)
            assert len(clip.spans) == len(clip.plan["operations"]) if "operations" in clip.plan else clip.spans
            assert all(0 <= first < end <= clip.frames for first, end in clip.spans)
            assert clip.spans == sorted(clip.spans)


@pytest.mark.parametrize("name", FAMILIES)
def test_placements_depend_on_the_frame_alone(name: str) -> None:
    kind = family(name)
    item = items(name)[0]
    settings = kind.settings.model_validate(item.provenance.settings)
    for clip in item.clips:
        scene, again = (kind.scene(clip.plan, settings) for _ in range(2))
        assert scene.sprites == again.sprites
        forwards = [list(scene.placements(frame)) for frame in range(scene.frames)]
        assert [list(again.placements(frame)) for frame in reversed(range(scene.frames))] == forwards[::-1]
        for placement in {placement for placements in forwards for placement in placements}:
            assert 0 <= placement.sprite < len(scene.sprites)
            assert 0.0 <= placement.opacity <= 1.0
            assert math.isfinite(placement.x) and math.isfinite(placement.y)


@pytest.mark.parametrize("name", FAMILIES)
def test_frames_are_drawn_and_something_happens_in_them(name: str) -> None:
    item = items(name)[0]
    for number, clip in enumerate(item.clips):
        first, end = clip.spans[0]
        pictures = frames(item, [0, first, (first + end) // 2, end - 1, clip.frames - 1], clip=number)
        assert pictures.shape == (5, clip.height, clip.width, 3)
        assert all(np.ptp(picture) > 50 for picture in pictures)
        assert any(not np.array_equal(pictures[0], other) for other in pictures[1:])


def test_an_unknown_family_is_refused_with_the_known_ones() -> None:
    with pytest.raises(InputError, match=rf"unknown family 'nonsense': choose from {', '.join(FAMILIES)}"):
        family("nonsense")
