"""Velocity and frequency: the answer read again from where things are, or how big, in each frame."""

from functools import cache
from itertools import groupby, pairwise
from math import atan2, pi
from typing import Any

import numpy as np
import pytest

from generators.errors import InputError
from generators.item import Item
from generators.rendering import frames
from generators.rendering.scene import Placement, Scene
from generators.rendering.sprites import rasterise
from generators.stage import INK
from generators.velocity_frequency import CHOICES, FAMILY, Paced, VelocitySettings, ladders, possible_paces, turns_of
from tests.generators.making import items_of

ROUND = ("moon", "dot", "crank")
SCRIPTS = (*ROUND, "lift", "pendulum", "bounces", "lamp", "drum", "pulse", "waves", "claps", "treadmill")
VARIATIONS = ("plain", "counterfactual", "composite", "zoomed_in", "first_person")


@cache
def items(script: str) -> tuple[Item, ...]:
    settings = {"scripts": script, "resolution": 256}
    return tuple(items_of(FAMILY, VelocitySettings.model_validate(settings), 31, 24))


def shown(item: Item) -> Paced:
    script: Paced = FAMILY.episode(item.clips[0].plan)
    return script


def scene_of(item: Item) -> Scene:
    scene: Scene = FAMILY.scene(item.clips[0].plan, VelocitySettings.model_validate(item.provenance.settings))
    return scene


def watched(script: str, variation: str, placed: list[Placement]) -> tuple[Placement, Placement]:
    """What is asked about, and something that it is seen against."""
    more = variation == "composite"
    match script:
        case "moon":
            return placed[2], placed[1]
        case "dot":
            return placed[2 if variation == "counterfactual" else 1], placed[0]
        case "crank":
            return placed[-1 - 2 * more], placed[1]
        case "lift":
            return placed[6 if variation == "counterfactual" else 5], placed[0]
        case "pendulum":
            return placed[2], placed[0]
        case "waves":
            return placed[-1 - more], placed[0]
        case "claps":
            return placed[-1 - more], placed[-2 - more]
        case "treadmill":
            return placed[-1], placed[0]
    return placed[1 % len(placed)], placed[0]


def shoe(scene: Scene, person: Placement, is_upside_down: bool) -> float:
    """How far to the right of the middle of the person's sprite the nearer shoe is: the other one is paler."""
    pixels = rasterise(scene.sprites[person.sprite])
    third = len(pixels) // 3
    feet = pixels[:third] if is_upside_down else pixels[-third:]
    _, across = np.nonzero((feet == (*INK, 255)).all(axis=2))
    assert across.size > 8
    return person.scale * float(across.mean() + 0.5 - pixels.shape[1] / 2)


def laps(item: Item) -> list[float]:
    """How often it went round, or up and down, in each section."""
    script, scene = item.clips[0].plan["script"], scene_of(item)
    variation, values = item.clips[0].plan["variation"], []
    for frame in range(scene.frames):
        placed = list(scene.placements(frame))
        thing, still = watched(script, variation, placed)
        across, down = thing.x - still.x, thing.y - still.y
        match script:
            case "moon" | "dot" | "crank":
                values.append(atan2(down, across) / (2 * pi))
            case "lift" | "bounces" | "drum":
                values.append(down)
            case "pulse":
                values.append(scene.sprites[placed[0].sprite].width)
            case "lamp":
                values.append(len(placed))
            case "treadmill":
                values.append(across + shoe(scene, thing, variation == "counterfactual"))
            case _:
                values.append(across)
    if script in ROUND:
        steps = [0.0, *((after - before + 0.5) % 1 - 0.5 for before, after in pairwise(values))]
        return [abs(round(sum(steps[first + 1 : end + 1]), 1)) for first, end in scene.spans]
    low, high = min(values), max(values)
    is_up, rises = values[0] > low + 0.7 * (high - low), []
    for number, value in enumerate(values):
        if not is_up and value > low + 0.7 * (high - low):
            is_up = True
            rises.append(number)
        elif value < low + 0.3 * (high - low):
            is_up = False
    return [float(sum(first < rise <= end for rise in rises)) for first, end in scene.spans]


def course(rates: list[float]) -> str:
    """What a viewer would say of these rates."""
    if len({*rates}) == 1:
        return "same"
    if rates == sorted(rates):
        return "more"
    if rates == sorted(rates, reverse=True):
        return "less"
    assert len({*rates}) == 2
    return " ".join("fast" if rate == max(rates) else "slow" for rate, _ in groupby(rates))


SPEEDS = ("fast", "slow", "quick")


def course_of(text: str) -> str:
    """What an option says."""
    first = text.split()[0]
    if text in ("at the same speed all along", "equally often all along"):
        return "same"
    if text.endswith(", step by step"):
        return {"faster": "more", "more": "more", "slower": "less", "less": "less"}[first]
    if "," not in text:
        return "none"
    return " ".join({"quick": "fast"}.get(word, word) for word in text.replace(",", "").split() if word in SPEEDS)


@pytest.mark.parametrize("script", SCRIPTS)
def test_the_answer_is_seen_in_the_frames(script: str) -> None:
    courses = set()
    for item in items(script):
        seen = course(laps(item))
        [question] = item.questions
        assert question.options is not None
        said = [course_of(text) for text in question.options]
        right = said.index(seen) if seen in said else said.index("none")
        assert question.keys == [chr(ord("A") + right)], (item.clips[0].plan, laps(item))
        courses.add(seen)
    assert len(courses) >= 5


@pytest.mark.parametrize("script", SCRIPTS)
def test_sampled_frames_tell_how_fast_every_section_is(script: str) -> None:
    for item in items(script)[:3]:
        for one in shown(item).alternatives():
            walk, spans = one.walk(), one.spans()
            shortest = min(end - first for first, end in one.seen())
            for stride in {1, shortest}:
                for phase in range(stride):
                    sampled = range(phase, len(walk), stride)
                    rates = []
                    for first, end in spans:
                        pairs = [at for at in sampled if first <= at and at + stride < end]
                        steps = {(walk[at + stride] - walk[at]) % one.poses for at in pairs}
                        assert len(steps) == 1 and len(pairs) >= 2
                        rates.append(steps.pop() / stride)
                    said = course_of(one.says())
                    others = [course_of(other.says()) for other in one.alternatives()]
                    assert course(rates) == said or (said == "none" and course(rates) not in others)


def test_every_twist_of_every_script_is_drawn() -> None:
    drawn = set()
    for script in SCRIPTS:
        for variation in VARIATIONS:
            try:
                [item] = items_of(
                    FAMILY,
                    VelocitySettings.model_validate({"scripts": script, "variation": variation, "resolution": 128}),
                    4,
                    1,
                )
            except InputError:
                continue
            walk, poses = shown(item).walk(), shown(item).poses
            parts = [[pose % poses for pose in walk].index((walk[0] + poses // part) % poses) for part in (2, 3)]
            first, *others = frames(item, [0, *sorted(parts)])
            assert any((first != other).any() for other in others), (script, variation)
            drawn.add((script, variation))
    assert {variation for _, variation in drawn} == {*VARIATIONS} and len(drawn) >= 40


def test_no_single_section_tells_the_answer() -> None:
    """A steady speed may be any, from the slowest to the fastest, and so may the first of a speed that changes."""
    steady = set()
    for script in SCRIPTS:
        for item in items(script):
            one = shown(item)
            steady.add("slowest" if one.steady == one.levels[0] else "fastest" * (one.steady == one.levels[-1]))
            assert one.levels[-1] >= 2.5 * one.levels[0] and one.poses >= 6 * one.levels[-1]
            assert one.levels[-1] * one.fps <= 3.4 * one.poses
            for other in one.alternatives():
                speeds = other.speeds()
                assert len(speeds) == len(one.levels) and {*speeds} <= {*one.levels}
    assert steady == {"slowest", "fastest", ""}
    assert all(ladders(sections) for sections in range(3, 7)) and all(len(one) >= 4 for one, _ in CHOICES)


def test_the_speed_goes_on_changing_and_a_walk_has_no_more_than_four_steps_a_second() -> None:
    for script in SCRIPTS:
        for item in items(script):
            for one in shown(item).alternatives():
                speeds = one.speeds()
                if len({*speeds}) > 1:
                    runs = [len([*same]) for _, same in groupby(speeds)]
                    assert max(runs[0], runs[-1]) <= 0.4 * len(speeds)
                if script == "treadmill":
                    assert 2 * max(speeds) * one.fps <= 4 * one.poses


def lowest(values: list[float]) -> int:
    """How often something is as low as it gets, each time after it was high."""
    low, high = min(values), max(values)
    is_low, number = values[0] < low + 0.3 * (high - low), 0
    for value in values:
        if not is_low and value < low + 0.3 * (high - low):
            number, is_low = number + 1, True
        elif value > low + 0.7 * (high - low):
            is_low = False
    return number


def test_a_second_thing_has_another_course() -> None:
    """Read from where it is: the last thing that is placed goes up and down so often in each section."""
    elsewhere = 0
    for script in ("lift", "waves", "claps", "lamp", "pulse", "crank", "drum", "bounces"):
        settings = {"scripts": script, "resolution": 256, "variation": "composite"}
        for item in items_of(FAMILY, VelocitySettings.model_validate(settings), 5, 6):
            scene, one = scene_of(item), shown(item)
            heights = [scene.placements(frame)[-1].y for frame in range(scene.frames)]
            assert len({*heights}) >= 4
            besides = [often * speed * one.rounds for often, speed in zip(one.besides(), one.speeds(), strict=True)]
            assert abs(lowest(heights) - sum(besides)) <= 1, (script, besides)
            mine, other = turns_of(one.speeds()), turns_of(besides)
            assert mine != other and max(besides) * one.fps <= 3.4 * one.poses * one.rounds
            elsewhere += other in [turns_of(way.speeds()) for way in one.alternatives() if way.change != "none"]
    assert elsewhere >= 24, "most often another option is true of it"


@pytest.mark.parametrize("fps", [8, 12, 60])
def test_few_and_many_frames_a_second(fps: int) -> None:
    for item in items_of(FAMILY, VelocitySettings.model_validate({"fps": fps, "resolution": 128}), 6, 12):
        assert 8.0 - 0.1 <= item.measures["seconds"] <= 10.5 and item.measures["minimum_fps"] <= fps
        spans = item.clips[0].spans
        assert spans[-1][1] - spans[0][0] >= 0.75 * item.clips[0].frames
        assert all(end - first >= fps - 0.5 for first, end in spans)


@pytest.mark.parametrize("chosen", [{"fps": 6}, {"fps": 8, "seconds": 4}, {"fps": 12, "seconds": 5}])
def test_too_few_frames_are_refused(chosen: dict[str, Any]) -> None:
    with pytest.raises(
        InputError, match=r"^in \d+ frames at \d+ a second no three speeds .* raise --fps or --seconds$"
    ):
        items_of(FAMILY, VelocitySettings.model_validate(chosen), 1, 1)
    assert not possible_paces(6, 50, 3.4)


NASTY: tuple[Any, ...] = (None, "x", -9, 10**30, 1.5, [], {}, [1] * 400, [10**30, 2], True, ["rising"], [None, None])


@pytest.mark.parametrize("script", SCRIPTS)
def test_what_was_tampered_with_is_refused(script: str) -> None:
    plan = items(script)[0].clips[0].plan
    changed = [plan | {field: value} for field in plan for value in NASTY if plan[field] != value]
    changed = [one for one in changed if not (one["mirrored"] is True and plan["mirrored"] is False)]
    changed += [plan | {"frames": plan["frames"] + 1}, plan | {"poses": plan["poses"] + 1}]
    changed += [plan | {"start": plan["poses"]}, plan | {"levels": plan["levels"][::-1]}, plan | {"steady": 8}]
    changed += [plan | {"levels": [1] * len(plan["levels"])}, plan | {"bounds": plan["bounds"][::-1]}]
    changed += [plan | {"colours": ["mauve", "red"]}, plan | {"colours": ["red", "red"]}, plan | {"change": "faster"}]
    changed += [plan | {"options": plan["options"][::-1]}, plan | {"otherwise": ["rising"]}, plan | {"aside": 30}]
    changed += [plan | {"beside": [1] * len(plan["levels"])}, plan | {"beside": [2, 1, 1]}, plan | {"bounds": [1, 9]}]
    for other in changed:
        with pytest.raises(ValueError, match=r"."):
            FAMILY.episode(other)
