"""Rotation: the way read again from where the marked part is in each frame, and the laws of its frames."""

from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise
from math import atan2, cos, degrees, dist, pi, sin
from typing import Any, get_args

import numpy as np
import pytest

from generators.errors import InputError
from generators.figures import SKINS
from generators.item import Item
from generators.rendering.scene import Placement, Scene
from generators.rendering.sprites import rasterise
from generators.rendering.video import render
from generators.rotation import (
    FAMILY,
    LAYOUTS,
    MARKS,
    Arm,
    BigWheel,
    Carousel,
    Clock,
    Crank,
    Globe,
    Pattern,
    Ring,
    RotationSettings,
    Spin,
    Turning,
    Windmill,
)
from generators.single_clips import Turns
from generators.stage import COLOURS
from tests.generators.making import items_of
from tests.generators.seen import colours_of

SCRIPTS = {one.NAME: one for one in (Clock, BigWheel, Windmill, Carousel, Globe, Pattern, Ring, Crank, Arm, Spin)}
VARIATIONS = [(name, variation) for name, script in SCRIPTS.items() for variation in script.VARIATIONS]


@cache
def items(script: str, count: int = 24, **more: Any) -> tuple[Item, ...]:
    return tuple(items_of(FAMILY, RotationSettings.model_validate({"scripts": script, **more}), 17, count))


def clip_of(item: Item) -> tuple[Turning, Scene]:
    plan = item.clips[0].plan
    return FAMILY.episode(plan), FAMILY.scene(plan, RotationSettings.model_validate(item.provenance.settings))


# ---------------------------------------------------------------------------------------------------- reading


def marked(scene: Scene, placed: Sequence[Placement], colour: str) -> list[Placement]:
    """The parts in the colour that is named. Of two, the first belongs to the wheel that is asked about."""
    return [one for one in placed if COLOURS[colour] in colours_of(scene.sprites[one.sprite])]


def of_pose(script: str, shown: Turning, scene: Scene, poses: list[Sequence[Placement]]) -> list[float]:
    """How far each pose is turned forwards, in degrees from anywhere, as read from what is placed where."""
    if script == "globe":
        return [of_globe(shown, scene, placed) for placed in poses]
    if script == "spin":
        points = [face(scene, placed) for placed in poses]
        return angles(points, lambda x, y: atan2(x, y))
    parts = [marked(scene, placed, shown.colour)[0] for placed in poses]
    # Against something that moves along with it where all of it slides, or the camera does.
    others = [placed[1 if script == "pattern" else 0] for placed in poses]
    points = [(one.x - other.x, one.y - other.y) for one, other in zip(parts, others, strict=True)]
    sizes = [scene.sprites[one.sprite].width for one in parts]
    nearest, farthest = (points[sizes.index(wanted(sizes))] for wanted in (max, min))
    across, down = (1 if one > other else -1 for one, other in zip(nearest, farthest, strict=True))
    if script == "carousel" or getattr(shown, "is_upright", False):
        return angles(points, lambda x, y: atan2(x, down * y))
    if script == "ring":
        return angles(points, lambda x, y: atan2(y, across * x))
    return angles(points, lambda x, y: atan2(x, -y))


def angles(points: list[tuple[float, float]], angle: Callable[[float, float], float]) -> list[float]:
    """Of places on an ellipse about its middle."""
    low, high = (tuple(wanted(axis) for axis in zip(*points, strict=True)) for wanted in (min, max))
    (left, top), (right, bottom) = low, high
    return [
        degrees(angle((2 * x - left - right) / (right - left), (2 * y - top - bottom) / (bottom - top)))
        for x, y in points
    ]


def of_globe(shown: Turning, scene: Scene, placed: Sequence[Placement]) -> float:
    """The turn at which patches at those latitudes would be seen where they are."""
    layout = LAYOUTS[shown.to_plan()["layout"]]
    ball = max(placed, key=lambda one: scene.sprites[one.sprite].width)
    radius = scene.sprites[ball.sprite].width * ball.scale / 2
    patches = placed[list(placed).index(ball) + 1 + (shown.variation == "counterfactual") :]
    seen = [((one.x - ball.x) / radius, (one.y - ball.y) / radius) for one in patches]

    def amiss(turn: int) -> float:
        ways = []
        for height, share in layout:
            angle, level = 2 * pi * (turn / 360 + share), (1 - height * height) ** 0.5
            if level * cos(angle) * cos(0.3) + height * sin(0.3) > 0:
                down = level * cos(angle) * sin(0.3) - height * cos(0.3)
                ways.append((0.9 * level * sin(angle), 0.85 * down))
        return sum(min((dist(one, way) for way in ways), default=9) for one in seen)

    return float(min(range(0, 360, 5), key=amiss))


def face(scene: Scene, placed: Sequence[Placement]) -> tuple[float, float]:
    """How far to the right of the middle of the head the face is, and how broad it is, from their pixels."""
    person = max((scene.sprites[one.sprite] for one in placed), key=lambda sprite: sprite.height)
    [skin] = colours_of(person).intersection(SKINS)
    # Below are the shoulders, and far below them the hands.
    head = rasterise(person)[: round(0.17 * person.height)]
    middle = np.flatnonzero((head[..., 3] > 127).any(axis=0)).mean()
    across = np.flatnonzero((head == (*skin, 255)).all(axis=2).any(axis=0))
    if not across.size:
        return 0.0, 0.0
    return float((across[0] + across[-1]) / 2 - middle), float(across[-1] + 1 - across[0])


def read(turned: Sequence[float]) -> str:
    """Which way something goes whose frames show these angles, one after the other."""
    steps = [(other - one + 180) % 360 - 180 for one, other in pairwise(turned)]
    steps = [step for step in steps if abs(step) > 3]
    changes = sum((one > 0) != (other > 0) for one, other in pairwise(steps))
    if changes > 1 or any(abs(step) > 100 for step in steps):
        return "neither"
    third = len(steps) // 3
    first, last = sum(steps[:third]) > 0, sum(steps[-third:]) > 0
    name = "forwards" if first else "backwards"
    return name if first == last else f"{name} first"


def by_pose(script: str, item: Item) -> tuple[Turning, list[float]]:
    shown, scene = clip_of(item)
    walk = shown.walk()
    frames = [walk.index(pose) for pose in range(shown.poses)]
    return shown, of_pose(script, shown, scene, [scene.placements(frame) for frame in frames])


# ---------------------------------------------------------------------------------------------------- laws


@pytest.mark.parametrize("script", SCRIPTS)
def test_the_answer_is_read_again_from_the_frames(script: str) -> None:
    kinds = set()
    for item in items(script):
        shown, turned = by_pose(script, item)
        assert read([turned[pose] for pose in shown.walk()]) == shown.turns, item.id
        question = item.questions[0]
        assert question.options is not None
        assert question.options["ABCDE".index(question.keys[0])] == shown.says()
        kinds.add(shown.turns)
    assert kinds == {*get_args(Turns)}


@pytest.mark.parametrize("script", SCRIPTS)
def test_few_frames_evenly_spaced_tell_the_alternatives_apart(script: str) -> None:
    for item in items(script)[:3]:
        shown, turned = by_pose(script, item)
        if script == "spin":
            # From how broad a face looks no angle is read well enough for this.
            turned = [360 * pose / shown.poses for pose in range(shown.poses)]
        longest = min(end - first for first, end in shown.seen())
        for other in shown.alternatives():
            walk = other.walk()
            for stride in {1, 2, longest // 2, longest} - {0}:
                for phase in range(stride):
                    assert read([turned[pose] for pose in walk[phase::stride]]) == other.turns, (stride, phase)


@pytest.mark.parametrize(("script", "variation"), VARIATIONS)
def test_every_variation_is_drawn_and_stays_in_the_picture(script: str, variation: str) -> None:
    for resolution in ("512", "640x360", "128"):
        for item in items(script, 2, variation=variation, resolution=resolution):
            shown, scene = clip_of(item)
            walk = shown.walk()
            for pose in range(shown.poses):
                placed = scene.placements(walk.index(pose))
                parts = marked(scene, placed, shown.colour)
                if script == "globe" and not parts:
                    continue
                part = parts[0]
                sprite = scene.sprites[part.sprite]
                width, height = sprite.width * part.scale / 2, sprite.height * part.scale / 2
                assert width - 1 <= part.x <= scene.width - width + 1, (item.id, pose)
                assert height - 1 <= part.y <= scene.height - height + 1, (item.id, pose)
            if resolution == "128":
                pictures = render(scene, [walk.index(pose) for pose in range(0, shown.poses, 5)])
                assert all(np.any(one != other) for one, other in pairwise(pictures))


@pytest.mark.parametrize("script", [name for name in SCRIPTS if name != "spin"])
def test_the_mark_that_is_named_is_seen_when_a_clip_begins(script: str) -> None:
    for item in items(script, 40):
        shown, scene = clip_of(item)
        placed = scene.placements(0)
        part = marked(scene, placed, shown.colour)[0]
        sprite = scene.sprites[part.sprite]
        assert sprite.width * part.scale > 0.03 * scene.width
        # Nothing that is painted over it covers its middle.
        for other in placed[list(placed).index(part) + 1 :]:
            width, height = (scene.sprites[other.sprite].width, scene.sprites[other.sprite].height)
            apart = (2 * abs(other.x - part.x) / width, 2 * abs(other.y - part.y) / height)
            assert max(apart) > other.scale, item.id
    for name in ("carousel", "globe"):
        plan = items(name)[0].clips[0].plan
        behind = (len(plan["jumps"]) + 1) // 2
        with pytest.raises(ValueError, match="begins where what is to be watched is seen"):
            FAMILY.episode(plan | {"start": behind})


def test_three_quarters_of_a_clip_are_motion_between_rests() -> None:
    for fps in (8, 24, 60):
        for item in items("all", 30, fps=fps):
            shown = FAMILY.episode(item.clips[0].plan)
            assert shown.laps * shown.lap >= 0.75 * shown.frames
            assert min(shown.rests) >= round(0.4 * fps)
            assert 7.9 <= shown.frames / fps <= 10.5


def test_what_is_painted_on_a_thing_tells_nothing() -> None:
    for script, field in (
        ("windmill", "points_forwards"),
        ("crank", "points_forwards"),
        ("carousel", "faces_forwards"),
    ):
        plans = [item.clips[0].plan for item in items(script, 40, variation="counterfactual")]
        steady = [plan[field] for plan in plans if plan["turns"] == "forwards"]
        assert 0 < sum(steady) < len(steady), script
    for script in ("windmill", "crank", "globe"):
        assert "need not be true" in items(script, 40, variation="counterfactual")[0].questions[0].prompt


@pytest.mark.parametrize("script", SCRIPTS)
def test_tampered_plans_are_refused(script: str) -> None:
    plan = items(script)[0].clips[0].plan
    last = len(plan["jumps"])
    for change in (
        {"turns": "sideways"},
        {"start": last + 1},
        {"start": True},
        {"laps": plan["laps"] + 1},
        {"laps": plan["laps"] + 2},
        {"lap": last},
        {"lap": 10**30},
        {"frames": plan["frames"] + 1},
        {"frames": 10**9},
        {"rests": [plan["rests"][0] + 1, plan["rests"][1]]},
        {"rests": [sum(plan["rests"])]},
        {"jumps": plan["jumps"][:-1]},
        {"jumps": sorted(plan["jumps"])},
        {"jumps": plan["jumps"] * 1000},
        {"colour": "beige"},
        {"colour": next(colour for colour in COLOURS if colour not in MARKS)},
        {"x": 7},
        {"y": 0.5},
        {"look": 99},
        {"variation": "upside down"},
        {"person": 4, "side": "top", "points_forwards": 1, "layout": 3, "slant": 0, "spread": 99, "is_mirrored": 2},
    ):
        with pytest.raises(ValueError, match=r"."):
            FAMILY.episode(plan | change)


def test_too_few_frames_are_refused_in_words() -> None:
    with pytest.raises(InputError, match=r"raise --seconds or --fps"):
        items("all", 1, fps=2)
    with pytest.raises(InputError, match=r"raise --seconds or --fps"):
        items("clock", 1, fps=4, seconds="4")
