"""Repetition: the counts read again from where things are, or how bright, in each frame."""

from collections import Counter
from functools import cache
from itertools import groupby, pairwise
from math import gcd
from typing import Any

import pytest

from generators.certificates import frame_digests, frame_keys
from generators.errors import InputError
from generators.item import Item
from generators.rendering.scene import Scene
from generators.repetition import FAMILY, RepetitionSettings
from tests.generators.making import items_of

SCRIPTS = ("bounces", "rounds", "flashes", "swings", "claps")


@cache
def items(script: str, count: int = 8) -> tuple[Item, ...]:
    return tuple(items_of(FAMILY, RepetitionSettings.model_validate({"scripts": script}), 31, count))


def scene_of(item: Item, clip: int) -> Scene:
    scene: Scene = FAMILY.scene(item.clips[clip].plan, RepetitionSettings.model_validate(item.provenance.settings))
    return scene


def signal(script: str, scene: Scene) -> list[float]:
    """What goes up and down with each repetition, from 0 at rest to 1."""
    values = []
    for frame in range(scene.frames):
        placed = scene.placements(frame)
        match script:
            case "flashes":
                values.append(min((one.opacity for one in placed if one.opacity < 1), default=float(len(placed) > 4)))
            case "claps":
                values.append(-abs(placed[0].x - placed[1].x))
            case "rounds":
                values.append(placed[-1].y)
            case "bounces":
                values.append(-placed[-1].y)
            case _:
                values.append(placed[-1].x)
    if script == "swings":
        # Away from the middle to the first side, and not at all while it is on the other one.
        start = values[0]
        first = next(value for value in values if value != start)
        values = [max(0.0, (value - start) * (1 if first > start else -1)) for value in values]
    low, high = min(values), max(values)
    return [(value - low) / (high - low) for value in values]


def rises(values: list[float]) -> int:
    """How often it goes from below a quarter to above three quarters."""
    is_up, count = False, 0
    for value in values:
        if not is_up and value > 0.75:
            is_up, count = True, count + 1
        elif value < 0.25:
            is_up = False
    return count


@pytest.mark.parametrize("script", SCRIPTS)
def test_the_count_is_seen_in_the_frames(script: str) -> None:
    for item in items(script):
        counts = [rises(signal(script, scene_of(item, clip))) for clip in (0, 1)]
        assert counts == item.questions[2].keys, item.id
        for clip in (0, 1):
            assert FAMILY.episode(item.clips[clip].plan).answer() == int(counts[clip] > counts[1 - clip])
            assert len(item.clips[clip].spans) == counts[clip]
        assert item.measures["contrast"] == abs(counts[0] - counts[1])
        question = item.questions[0]
        if question.kind == "choice":
            assert question.options is not None
            for clip in (0, 1):
                assert question.options[question.keys[clip] == "B"] == f"{counts[clip]} times"


@pytest.mark.parametrize("script", SCRIPTS)
def test_both_clips_have_the_same_frames(script: str) -> None:
    settings = RepetitionSettings.model_validate({"scripts": script, "resolution": 128, "seconds": 6})
    [item] = items_of(FAMILY, settings, 3, 1)
    assert item.pair is not None and item.pair["certificate"] == "permutation"
    first, second = (frame_digests(scene_of(item, clip)) for clip in (0, 1))
    assert Counter(first) == Counter(second) and first != second


def test_every_phase_is_shown_once_and_slowly_enough_to_count() -> None:
    for script in SCRIPTS:
        for item in items(script):
            for clip in item.clips:
                episode = FAMILY.episode(clip.plan)
                phases = [episode.phase(frame) for frame in range(episode.rest, episode.rest + episode.steps)]
                assert sorted(phases) == list(range(episode.steps))
                assert all(gcd(count, episode.steps) == 1 and 2 <= count <= 12 for count in episode.counts)
                assert all(end - first >= 0.65 * clip.fps for first, end in clip.spans)
                assert all(before[1] == after[0] for before, after in pairwise(clip.spans))


def test_frames_at_the_minimum_rate_and_above_come_in_two_orders() -> None:
    for script in SCRIPTS:
        item = items(script)[1]
        sprites: dict[Any, int] = {}
        first, second = (frame_keys(scene_of(item, clip), sprites) for clip in (0, 1))
        stride = int(item.clips[0].fps / item.measures["minimum_fps"] + 1e-3)
        assert stride >= 2
        for step in range(1, stride + 1):
            assert all(first[phase::step] != second[phase::step] for phase in range(step))


def test_the_lamp_is_dark_between_flashes_and_the_hands_touch_briefly() -> None:
    for script, longest in (("flashes", 1.0), ("claps", 0.4)):
        for item in items(script):
            for clip in (0, 1):
                values = signal(script, scene_of(item, clip))
                still = 0.0 if script == "flashes" else 1.0
                runs = [
                    len([*run]) / item.clips[clip].fps for is_so, run in groupby(v == still for v in values) if is_so
                ]
                between = runs[1:-1] if script == "flashes" else runs
                least = 0.13 if script == "flashes" else 0.04
                assert all(least <= run <= longest for run in between), (item.id, between)


def test_a_difference_is_a_whole_number() -> None:
    for difference in (1, 4, 8):
        settings = RepetitionSettings.model_validate({"contrast": difference})
        assert {item.measures["contrast"] for item in items_of(FAMILY, settings, 2, 4)} == {difference}
    with pytest.raises(InputError, match="whole number"):
        items_of(FAMILY, RepetitionSettings.model_validate({"contrast": "1.2..1.8"}), 2, 1)
    with pytest.raises(InputError, match="raise --seconds"):
        items_of(FAMILY, RepetitionSettings.model_validate({"contrast": 8, "seconds": 4}), 2, 1)


NASTY: tuple[Any, ...] = (None, "x", -1, 10**30, 1.5, [], {}, [3, 3], [2, 13], [10**30, 2], True)


@pytest.mark.parametrize("script", SCRIPTS)
def test_what_was_tampered_with_is_refused(script: str) -> None:
    plan = items(script)[0].clips[0].plan
    changed = [plan | {field: value} for field in plan for value in NASTY]
    # A loop of an even number of frames has no two, four … turns that visit each phase.
    changed += [plan | {"counts": [2, 3], "frames": plan["frames"] + 1 + (plan["frames"] % 2)}]
    changed += [plan | {"rest": plan["frames"]}, plan | {"colour": "mauve"}]
    for other in changed:
        with pytest.raises(ValueError, match=r"."):
            FAMILY.scene(other, RepetitionSettings())
