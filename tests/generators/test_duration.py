"""Duration: how long things last, read again from the frames in which they are not at rest."""

from collections import Counter
from functools import cache
from itertools import groupby
from typing import Any

import pytest

from generators.certificates import frame_digests, frame_keys
from generators.duration import FAMILY, DurationSettings
from generators.errors import InputError
from generators.item import Item
from generators.rendering.scene import Scene
from tests.generators.making import items_of, plans_of

SCRIPTS = ("lamp", "shutter", "tone", "visit", "pauses")


@cache
def items(script: str, count: int = 8) -> tuple[Item, ...]:
    return tuple(items_of(FAMILY, DurationSettings.model_validate({"scripts": script}), 31, count))


def scene_of(item: Item, clip: int) -> Scene:
    scene: Scene = FAMILY.scene(item.clips[clip].plan, DurationSettings.model_validate(item.provenance.settings))
    return scene


def seen_lengths(script: str, scene: Scene) -> list[int]:
    """Frames of the two stretches: those that differ from the first frame, or, between hops, those that do not."""
    keys = frame_keys(scene, {})
    runs = [(is_still, len([*run])) for is_still, run in groupby(key == keys[0] for key in keys)]
    if script == "pauses":
        still = [length for is_still, length in runs if is_still]
        assert len(still) == 4
        return still[1:-1]
    return [length for is_still, length in runs if not is_still]


@pytest.mark.parametrize("script", SCRIPTS)
def test_the_longer_one_is_seen_in_the_frames(script: str) -> None:
    for item in items(script):
        for clip in (0, 1):
            first, second = seen_lengths(script, scene_of(item, clip))
            episode = FAMILY.episode(item.clips[clip].plan)
            assert episode.answer() == (0 if first > second else 1), item.id
            assert item.questions[2].keys[clip] == pytest.approx(first / episode.fps, abs=1e-3)
            assert item.measures["contrast"] == pytest.approx(max(first, second) / min(first, second), abs=1e-3)
            assert [end - begin for begin, end in item.clips[clip].spans] == [first, second]


@pytest.mark.parametrize("script", SCRIPTS)
def test_both_clips_have_the_same_frames(script: str) -> None:
    settings = DurationSettings.model_validate({"scripts": script, "resolution": 128, "seconds": 5})
    [item] = items_of(FAMILY, settings, 3, 1)
    assert item.pair is not None and item.pair["certificate"] == "permutation"
    first, second = (frame_digests(scene_of(item, clip)) for clip in (0, 1))
    assert Counter(first) == Counter(second) and first != second


@pytest.mark.parametrize("contrast", [1.1, 1.5, 2.0, 5.0])
def test_contrast_is_the_ratio_that_was_asked_for(contrast: float) -> None:
    for item in items_of(FAMILY, DurationSettings.model_validate({"contrast": contrast}), 4, 10):
        assert item.measures["contrast"] == pytest.approx(contrast, rel=0.02)
        if contrast in (2.0, 5.0):
            assert item.measures["contrast"] == contrast


@pytest.mark.parametrize("script", SCRIPTS)
def test_frames_at_the_minimum_rate_count_the_longer_one_more_often(script: str) -> None:
    """Not only are the two orders different: more frames fall into the longer stretch, from any phase."""
    for item in items(script)[:3]:
        stride = int(item.clips[0].fps / item.measures["minimum_fps"] + 1e-3)
        for clip in item.clips:
            for step in range(1, stride + 1):
                for phase in range(step):
                    frames = range(phase, clip.frames, step)
                    first, second = (sum(begin <= one < end for one in frames) for begin, end in clip.spans)
                    assert (first > second) == (clip.plan["lasts"][0] > clip.plan["lasts"][1])
                    assert first != second
                    assert any(clip.spans[0][1] <= one < clip.spans[1][0] for one in frames)


def test_the_first_one_alone_does_not_tell_whether_it_is_the_longer() -> None:
    """No threshold on how long the first stretch takes answers much more than half of the questions."""
    plans = [plan for _, pair in plans_of(FAMILY, DurationSettings(), 5, 200) for plan in pair]
    firsts = sorted((plan["lasts"][0] / plan["fps"], plan["lasts"][0] > plan["lasts"][1]) for plan in plans)
    right = [sum((at >= cut) == is_longer for at, is_longer in firsts) / len(firsts) for cut, _ in firsts]
    assert max(right) <= 0.76
    assert max(sum(abs(first - guess) <= 0.2 for first, _ in firsts) for guess, _ in firsts) <= 0.27 * len(firsts)


def test_settings_that_leave_no_room_say_so() -> None:
    with pytest.raises(InputError, match="raise --fps"):
        items_of(FAMILY, DurationSettings.model_validate({"seconds": 4, "contrast": 6, "fps": 4}), 1, 1)


NASTY: tuple[Any, ...] = (None, "x", -1, 10**30, 1.5, [], {}, [30, 30], [10**30, 4], True)


@pytest.mark.parametrize("script", SCRIPTS)
def test_what_was_tampered_with_is_refused(script: str) -> None:
    plan = items(script)[0].clips[0].plan
    changed = [plan | {field: value} for field in plan for value in NASTY]
    changed += [
        plan | {"rests": [plan["rests"][0] + 1, *plan["rests"][1:]]},
        plan | {"rests": plan["rests"][:2]},
        plan | {"lasts": [*plan["lasts"], 4]},
        plan | {"colour": "mauve"},
    ]
    for other in changed:
        with pytest.raises(ValueError, match=r"."):
            FAMILY.scene(other, DurationSettings())
