"""Cross-event comparison: what comes first, more often or lasts longer, read off what is placed where."""

from collections import Counter
from functools import cache
from itertools import groupby, pairwise
from math import floor
from typing import Any

import pytest

from generators.certificates import PERMUTATION, frame_digests, frame_keys
from generators.cross_event_comparison import FAMILY
from generators.errors import InputError
from generators.item import Clip, Item
from generators.rendering.scene import Placement, Scene
from tests.generators.making import items_of

SCRIPTS = ("jumps", "doors", "lighthouses", "metronomes", "moles")
Look = tuple[Placement, ...]


@cache
def items(count: int = 30, **chosen: Any) -> tuple[Item, ...]:
    return tuple(items_of(FAMILY, FAMILY.settings.model_validate(chosen), 31, count))


def scenes(item: Item) -> list[Scene]:
    settings = FAMILY.settings.model_validate(item.provenance.settings)
    return [FAMILY.scene(clip.plan, settings) for clip in item.clips]


@pytest.mark.parametrize("script", SCRIPTS)
def test_every_pair_is_a_permutation_down_to_the_pixels(script: str) -> None:
    made = items(8, scripts=script, resolution=128)
    assert all(item.pair is not None and item.pair["certificate"] == PERMUTATION for item in made)
    assert all(clip.plan["script"] == script for item in made for clip in item.clips)
    for item in made[:2]:
        first, second = (frame_digests(scene) for scene in scenes(item))
        assert Counter(first) == Counter(second) and first != second


def test_scripts_take_turns() -> None:
    assert Counter(item.clips[0].plan["script"] for item in items()) == dict.fromkeys(SCRIPTS, 6)


def looks(clip: Clip, scene: Scene) -> list[list[Look]]:
    """What each thing looks like, frame after frame; the things stand side by side, and each keeps to its column."""
    number = len(clip.plan["colours"])
    left, side = (scene.width - min(scene.width, scene.height)) / 2, min(scene.width, scene.height)
    found: list[list[Look]] = [[] for _ in range(number)]
    for frame in range(scene.frames):
        columns: list[list[Placement]] = [[] for _ in range(number)]
        for placement in scene.placements(frame):
            columns[floor((placement.x - left) / side * number)].append(placement)
        for column, placed in zip(found, columns, strict=True):
            column.append(tuple(placed))
    return found


def events(column: list[Look]) -> list[tuple[int, int]]:
    """The stretches of frames in which a thing looks other than in the first frame."""
    found = []
    for is_at_rest, run in groupby(range(len(column)), key=lambda frame: column[frame] == column[0]):
        frames = list(run)
        if not is_at_rest:
            found.append((frames[0], frames[-1] + 1))
    return found


def half_swings(column: list[Look]) -> int:
    """How often an arm passes the upright."""
    angles = [angle for look in column for angle in (max(look, key=lambda one: abs(one.angle)).angle,) if angle]
    return sum((before < 0) != (after < 0) for before, after in pairwise(angles))


def reading(clip: Clip, scene: Scene) -> tuple[Any, Any]:
    """What a viewer finds: the answer in words as the options have it, and the answer to the open question."""
    columns, colours, script = looks(clip, scene), clip.plan["colours"], clip.plan["script"]
    if script == "metronomes":
        swings = [half_swings(column) for column in columns]
        return f"the {colours[swings.index(max(swings))]} metronome", round(swings[0] / 2)
    met = [events(column) for column in columns]
    if script == "jumps":
        starts = [runs[0][0] for runs in met]
        assert [len(runs) for runs in met] == [1, 1]
        return f"the {colours[starts.index(min(starts))]} {clip.plan['thing']}", round(starts[0] / scene.fps, 3)
    if script == "doors":
        order = [colours[door] for door in sorted(range(len(colours)), key=lambda door: met[door][0][0])]
        assert all(len(runs) == 1 for runs in met)
        return ", then ".join(order), order
    if script == "lighthouses":
        counts = [len(runs) for runs in met]
        totals = {sum(end - first for first, end in runs) for runs in met}
        assert len(totals) == 1
        return f"the {colours[counts.index(max(counts))]} lighthouse", counts[0]
    assert [len(runs) for runs in met] == [2, 2]
    away = [runs[1][0] - runs[0][1] for runs in met]
    return f"the mole with the {colours[away.index(max(away))]} hat", round(away[0] / scene.fps, 3)


def test_the_answers_can_be_read_off_the_pictures() -> None:
    for item in items():
        for number, (clip, scene) in enumerate(zip(item.clips, scenes(item), strict=True)):
            found, openly = reading(clip, scene)
            script: Any = FAMILY.episode(clip.plan)
            words = script.words()
            assert found == words.options[script.answer()]
            assert found in words.claims[script.answer()].partition(" than ")[0].partition(" before ")[0]
            assert openly == item.questions[2].keys[number]
        assert item.questions[2].keys[0] != item.questions[2].keys[1]


def test_only_the_order_and_nothing_else_differs() -> None:
    """Which thing is the first and the last to do something is the same in both clips, where that is not the axis."""
    for item in items():
        if item.clips[0].plan["script"] in ("lighthouses", "moles"):
            ends = [(clip.plan["order"][0], clip.plan["order"][-1], clip.spans[0][0]) for clip in item.clips]
            assert ends[0] == ends[1]


@pytest.mark.parametrize("contrast", [1.5, 2.0])
def test_the_contrast_is_what_was_asked_for(contrast: float) -> None:
    for item in items(20, contrast=contrast):
        assert abs(item.measures["contrast"] / contrast - 1) <= 0.03


def test_settings_without_room_are_refused() -> None:
    with pytest.raises(InputError, match=r"a jump would take 3 frames: raise --fps or --seconds, or lower --contrast"):
        items(1, scripts="jumps", contrast=10, seconds=4, fps=12)
    with pytest.raises(InputError, match=r"metronomes have a contrast of 2 in 7\.\.10 seconds: allow more of either"):
        items(1, scripts="metronomes", contrast=2)
    with pytest.raises(InputError, match=r"no whole numbers of flashes have a contrast of 1\.05"):
        items(1, scripts="lighthouses", contrast=1.05)


def test_frames_at_the_minimum_rate_tell_the_clips_apart() -> None:
    for item in items()[:20]:
        stride = floor(item.clips[0].fps / item.measures["minimum_fps"] + 1e-3)
        sprites: dict[Any, int] = {}
        first, second = (frame_keys(scene, sprites) for scene in scenes(item))
        assert all(first[phase::stride] != second[phase::stride] for phase in range(stride))


ALTERED: dict[str, list[dict[str, Any]]] = {
    "jumps": [{"starts": [5, 6]}, {"starts": [5]}, {"starts": [5, 10**9]}, {"thing": "cat"}, {"length": 0}],
    "doors": [
        {"order": [0, 0, 1]},
        {"order": [0, 1, 9]},
        {"swapped": [1, 1]},
        {"swapped": [2, 1]},
        {"swapped": [0, 3], "order": [0, 1, 2], "colours": ["red", "blue", "green"]},
        {"lag": 1},
        {"lag": 10**12},
        {"handles": "top"},
    ],
    "lighthouses": [
        {"order": [0, 1, 0, 1]},
        {"order": [0, 1, 1, 1]},
        {"order": [2, 0, 0, 1, 1]},
        {"order": []},
        {"lit": 7919},
        {"dark": 10**12},
    ],
    "metronomes": [{"swings": [7, 7]}, {"swings": [1, 2]}, {"swings": [10**30, 1]}, {"begins": 10**6}],
    "moles": [
        {"order": [0, 1, 1, 0]},
        {"order": [0, 0, 0, 1]},
        {"waits": [5, 5, 5]},
        {"waits": [5, 5]},
        {"waits": [10**9, 5, 6]},
        {"pot": 1},
    ],
}


@pytest.mark.parametrize("script", SCRIPTS)
def test_altered_plans_are_refused(script: str) -> None:
    plan = items(1, scripts=script)[0].clips[0].plan
    shared: list[dict[str, Any]] = [
        {"colours": ["red", "red"]},
        {"colours": ["red", "grey"]},
        {"colours": ["red"]},
        {"colours": ["red", "blue", "green", "pink", "brown"]},
        {"frames": 10},
        {"frames": 10**6},
        {"size": 3},
        {"look": -1},
        {"fps": 24.0},
        *({name: None} for name in plan),
    ]
    assert FAMILY.episode(plan)
    for change in shared + ALTERED[script]:
        with pytest.raises(ValueError, match=r"."):
            FAMILY.episode(plan | change)
