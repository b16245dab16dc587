"""Magnitude: how far things go, read again from where they are, with the drawn scale as the ruler."""

import cmath
from collections import Counter
from functools import cache
from math import degrees, hypot
from typing import Any

import pytest

from generators.certificates import frame_digests, frame_keys
from generators.errors import InputError
from generators.item import Item
from generators.magnitude import FAMILY, SCALE, MagnitudeSettings
from generators.rendering.scene import Placement, Scene, Text
from tests.generators.making import items_of, plans_of

SCRIPTS = ("jump", "slider", "swing", "caterpillar", "barrier", "fountain")


@cache
def items(script: str, count: int = 8) -> tuple[Item, ...]:
    return tuple(items_of(FAMILY, MagnitudeSettings.model_validate({"scripts": script}), 31, count))


def scene_of(item: Item, clip: int) -> Scene:
    scene: Scene = FAMILY.scene(item.clips[clip].plan, MagnitudeSettings.model_validate(item.provenance.settings))
    return scene


def farthest(scene: Scene) -> list[float]:
    """How far what moves farthest gets from where it rests, in pixels, in each of the two movements."""
    rest = scene.placements(0)

    def away(frame: int) -> float:
        placed = scene.placements(frame)
        return max(hypot(one.x - other.x, one.y - other.y) for one, other in zip(placed, rest, strict=True))

    return [max(away(frame) for frame in range(*span)) for span in scene.spans]


def pitch(scene: Scene) -> float:
    """Pixels from the straight scale's number 0 to its number 20, over 20."""
    numbers: dict[str, Placement] = {}
    for one in scene.placements(0):
        for shape in scene.sprites[one.sprite].shapes:
            if isinstance(shape, Text):
                numbers[shape.text] = one
    first, last = numbers["0"], numbers[str(SCALE)]
    return hypot(first.x - last.x, first.y - last.y) / SCALE


@pytest.mark.parametrize("script", SCRIPTS)
def test_the_farther_one_is_seen_from_where_things_are(script: str) -> None:
    for item in items(script):
        for clip in (0, 1):
            scene = scene_of(item, clip)
            first, second = farthest(scene)
            assert FAMILY.episode(item.clips[clip].plan).answer() == (0 if first > second else 1), item.id
            assert item.measures["contrast"] == pytest.approx(
                max(item.questions[2].keys) / min(item.questions[2].keys), abs=1e-3
            )
            if script in ("swing", "barrier"):
                # A chord of the turn: wider is farther, and the two keys stand to each other as the turns do.
                continue
            assert first / pitch(scene) == pytest.approx(item.questions[2].keys[clip], abs=0.2)
            assert second / pitch(scene) == pytest.approx(item.questions[2].keys[1 - clip], abs=0.2)


def centre(points: list[complex]) -> complex:
    """The middle of the circle through three points."""
    a, b, c = points
    w = (c - a) / (b - a)
    return (b - a) * (w - abs(w) ** 2) / (2j * w.imag) + a


@pytest.mark.parametrize("script", ["swing", "barrier"])
def test_what_turns_comes_to_lie_at_its_mark(script: str) -> None:
    """The angle by which the tip turns, about the middle of the circle on which it is seen to move, in marks."""
    for item in items(script)[:6]:
        for clip in (0, 1):
            # Where things are is rounded to whole pixels, so the largest picture tells it best.
            scene: Scene = FAMILY.scene(item.clips[clip].plan, MagnitudeSettings.model_validate({"resolution": 2048}))
            middles = [(begin + end) // 2 for begin, end in scene.spans]
            # The last one of those that move is at the end of the chain or of the arm.
            placed, still = scene.placements(middles[0]), scene.placements(0)
            tip = max(number for number, one in enumerate(placed) if one != still[number])
            paths = [
                [complex(scene.placements(frame)[tip].x, scene.placements(frame)[tip].y) for frame in range(*span)]
                for span in scene.spans
            ]
            rest = complex(scene.placements(0)[tip].x, scene.placements(0)[tip].y)
            ends = [max(path, key=lambda place: abs(place - rest)) for path in paths]
            wide = max(range(2), key=lambda one: abs(ends[one] - rest))
            between = min(paths[wide], key=lambda place: abs(abs(place - rest) - abs(place - ends[wide])))
            pin = centre([rest, between, ends[wide]])
            turned = [abs(degrees(cmath.phase((end - pin) / (rest - pin)))) for end in ends]
            step = {"swing": 3.6, "barrier": 4.0}[script]
            keys = item.questions[2].keys
            assert turned[0] / step == pytest.approx(keys[clip], rel=0.03, abs=0.2)
            assert turned[1] / step == pytest.approx(keys[1 - clip], rel=0.03, abs=0.2)


@pytest.mark.parametrize("script", SCRIPTS)
def test_both_clips_have_the_same_frames(script: str) -> None:
    settings = MagnitudeSettings.model_validate({"scripts": script, "resolution": 128, "seconds": 5})
    [item] = items_of(FAMILY, settings, 3, 1)
    assert item.pair is not None and item.pair["certificate"] == "permutation"
    first, second = (frame_digests(scene_of(item, clip)) for clip in (0, 1))
    assert Counter(first) == Counter(second) and first != second
    assert item.clips[0].spans == item.clips[1].spans


@pytest.mark.parametrize("contrast", [1.1, 1.5, 2.0, 4.0])
def test_contrast_is_the_ratio_that_was_asked_for(contrast: float) -> None:
    for item in items_of(FAMILY, MagnitudeSettings.model_validate({"contrast": contrast}), 4, 12):
        assert item.measures["contrast"] == pytest.approx(contrast, rel=0.03)
        if contrast in (1.5, 2.0, 4.0):
            assert item.measures["contrast"] == contrast


def test_frames_at_the_minimum_rate_show_the_farther_one_beyond_the_other() -> None:
    for script in SCRIPTS:
        item = items(script)[0]
        stride = int(item.clips[0].fps / item.measures["minimum_fps"] + 1e-3)
        slight, broad = sorted(item.clips[0].plan["marks"])
        for clip in item.clips:
            shape = FAMILY.episode(clip.plan).shape()
            farther = clip.plan["marks"].index(broad)
            begin = clip.spans[farther][0]
            for phase in range(stride):
                sampled = [frame - begin for frame in range(phase, clip.frames, stride)]
                assert any(0 <= one < len(shape) and broad * shape[one] > slight for one in sampled)
        sprites: dict[Any, int] = {}
        first, second = (frame_keys(scene_of(item, clip), sprites) for clip in (0, 1))
        assert all(first[phase::stride] != second[phase::stride] for phase in range(stride))


def test_the_first_one_alone_does_not_tell_whether_it_is_the_broader() -> None:
    """No threshold on the first mark answers much more than half of the questions, and no mark is the key of many."""
    plans = [plan for _, pair in plans_of(FAMILY, MagnitudeSettings(), 5, 200) for plan in pair]
    firsts = [(plan["marks"][0], plan["marks"][0] > plan["marks"][1]) for plan in plans]
    right = [sum((mark >= cut) == is_broader for mark, is_broader in firsts) for cut in range(SCALE + 2)]
    assert max(right) <= 0.76 * len(firsts)
    assert Counter(mark for mark, _ in firsts).most_common(1)[0][1] <= 0.2 * len(firsts)


def test_settings_that_leave_no_room_say_so() -> None:
    with pytest.raises(InputError, match="raise --fps"):
        items_of(FAMILY, MagnitudeSettings.model_validate({"seconds": 4, "fps": 4}), 1, 1)


NASTY: tuple[Any, ...] = (None, "x", -1, 10**30, 1.5, [], {}, [7, 7], [21, 3], [0, 3], True)


@pytest.mark.parametrize("script", SCRIPTS)
def test_what_was_tampered_with_is_refused(script: str) -> None:
    plan = items(script)[0].clips[0].plan
    changed = [plan | {field: value} for field in plan for value in NASTY]
    changed += [
        plan | {"rests": [plan["rests"][0] + 1, *plan["rests"][1:]]},
        plan | {"rests": plan["rests"][:2]},
        plan | {"lasts": plan["lasts"] + 1},
        plan | {"colour": "mauve"},
    ]
    for other in changed:
        with pytest.raises(ValueError, match=r"."):
            FAMILY.scene(other, MagnitudeSettings())
