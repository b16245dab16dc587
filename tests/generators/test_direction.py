"""Direction: the answers read again from where things are in each frame."""

from collections import Counter
from functools import cache
from itertools import pairwise
from math import hypot
from typing import Any

import pytest

from generators.certificates import frame_digests
from generators.direction import FAMILY, DirectionSettings
from generators.errors import InputError
from generators.item import Item
from generators.rendering.scene import Ellipse, Placement, Rectangle, Scene
from generators.stage import COLOURS
from tests.generators.making import items_of

SCRIPTS = ("circuit", "conveyor", "first_side", "wheel", "beads", "figure_of_eight")


@cache
def items(script: str, count: int = 8) -> tuple[Item, ...]:
    return tuple(items_of(FAMILY, DirectionSettings.model_validate({"scripts": script}), 31, count))


def scene_of(item: Item, clip: int) -> Scene:
    scene: Scene = FAMILY.scene(item.clips[clip].plan, DirectionSettings.model_validate(item.provenance.settings))
    return scene


def tracks(scene: Scene) -> dict[str, list[tuple[float, float]]]:
    """Where each thing of a named colour is in each frame, for those that move."""
    names = {value: name for name, value in COLOURS.items()}
    paths: dict[str, list[tuple[float, float]]] = {}
    for frame in range(scene.frames):
        for one in scene.placements(frame):
            shapes = scene.sprites[one.sprite].shapes
            inner = shapes[1] if len(shapes) > 1 else None
            if isinstance(inner, Rectangle | Ellipse) and inner.colour in names:
                paths.setdefault(names[inner.colour], []).append((one.x, one.y))
    return paths


def moving(scene: Scene) -> dict[str, list[tuple[float, float]]]:
    return {name: path for name, path in tracks(scene).items() if len({*path}) > 1}


def turning(points: list[tuple[float, float]], x: float, y: float) -> float:
    """The area swept about (x, y): above 0 where it goes clockwise, as y grows downwards."""
    return sum((a[0] - x) * (b[1] - y) - (b[0] - x) * (a[1] - y) for a, b in pairwise(points))


def steady(values: list[float]) -> float:
    """Which way values go, however they jump back once in a while."""
    return sum((b > a) - (b < a) for a, b in pairwise(values))


def seen_way(script: str, scene: Scene) -> int:
    """0 where things go clockwise, to the right, downwards, or first to the right or to the top."""
    paths = moving(scene)
    middle = scene.width / 2
    path = next(iter(paths.values()))
    if script in ("circuit", "wheel"):
        return 0 if turning(path, middle, middle) > 0 else 1
    if script == "figure_of_eight":
        right = [(x, y) for x, y in path if x > middle + 1]
        return 0 if turning(right, middle * 1.3, middle) > 0 else 1
    if script == "conveyor":
        return 0 if steady([x for x, _ in path]) > 0 else 1
    if script == "beads":
        return 0 if steady([y for _, y in path]) > 0 else 1
    first = next(place for place in path if place != path[0])
    return 0 if first[0] > middle or first[1] < middle else 1


def passes(script: str, middle: float, a: tuple[float, float], b: tuple[float, float]) -> bool:
    """Whether something that goes from a to b passes its mark there, and does not wrap around."""
    if script == "wheel":
        return max(a[1], b[1]) < middle and (a[0] < middle) != (b[0] < middle)
    axis = 0 if script == "conveyor" else 1
    return abs(a[axis] - b[axis]) < middle / 2 and (a[axis] < middle) != (b[axis] < middle)


@pytest.mark.parametrize("script", SCRIPTS)
def test_the_way_is_seen_from_where_things_are(script: str) -> None:
    for item in items(script):
        for clip in (0, 1):
            episode = FAMILY.episode(item.clips[clip].plan)
            assert seen_way(script, scene_of(item, clip)) == episode.answer(), item.id


@pytest.mark.parametrize("script", SCRIPTS)
def test_the_open_key_is_seen_from_where_things_are(script: str) -> None:
    for item in items(script)[:4]:
        question = item.questions[2]
        for clip in (0, 1):
            scene = scene_of(item, clip)
            paths, key = moving(scene), question.keys[clip]
            middle = scene.width / 2
            if script == "first_side":
                [path] = paths.values()
                upright = item.clips[clip].plan["upright"]
                along = [y if upright else -x for x, y in path]
                first = next(frame for frame, value in enumerate(along) if value <= min(along) + 1)
                assert abs(first / scene.fps - key) < 0.15
                continue
            if script in ("circuit", "figure_of_eight"):
                [ball] = paths.values()
                tiles = {name: path[0] for name, path in tracks(scene).items() if name not in paths}
                when = {
                    name: min(
                        frame
                        for frame, place in enumerate(ball)
                        if hypot(place[0] - tile[0], place[1] - tile[1]) < item.clips[clip].plan["size"] * 0.02 + 9
                    )
                    for name, tile in tiles.items()
                }
            else:
                when = {
                    name: next(
                        frame
                        for frame in range(1, scene.frames)
                        if passes(script, middle, *path[frame - 1 : frame + 1])
                    )
                    for name, path in paths.items()
                }
            assert sorted(when, key=lambda name: when[name]) == key, item.id


def test_the_list_of_colours_is_the_answer_to_neither_clip() -> None:
    for script in SCRIPTS:
        for item in items(script):
            question = item.questions[2]
            if question.kind == "sequence":
                [listed] = [line for line in question.prompt.split("\n") if "Give each colour once: " in line]
                names = listed.split("once: ")[1].rstrip(".").split(", ")
                assert sorted(names) == sorted(question.keys[0]) and names not in question.keys


def test_what_rests_is_wholly_hidden_or_plain_to_see() -> None:
    """Of a crate or bead at the end of its way at least a quarter shows in the first frame, or nothing."""
    for script in ("conveyor", "beads"):
        for item in items(script):
            scene, plan = scene_of(item, 0), item.clips[0].plan
            placed = scene.placements(0)
            axis = 0 if script == "conveyor" else 1
            ends = [place[axis] for place in ((one.x, one.y) for one in placed[-2:])]
            cover = scene.sprites[placed[-1].sprite]
            half = (cover.width, cover.height)[axis] / 2
            for path in moving(scene).values():
                size = plan["size"] / 10 * scene.width / 100
                shows = min(abs(path[0][axis] - end) + size / 2 - half for end in ends)
                assert shows <= 0.5 or shows >= size / 4 - 1, item.id


@pytest.mark.parametrize("script", SCRIPTS)
def test_both_clips_have_the_same_frames(script: str) -> None:
    settings = DirectionSettings.model_validate({"scripts": script, "resolution": 128, "seconds": 5, "contrast": 2.5})
    [item] = items_of(FAMILY, settings, 3, 1)
    assert item.pair is not None and item.pair["certificate"] == "permutation"
    first, second = (frame_digests(scene_of(item, clip)) for clip in (0, 1))
    assert Counter(first) == Counter(second) and first != second
    assert first == second[::-1]


@pytest.mark.parametrize("contrast", [1.2, 2.0, 3.5])
def test_contrast_is_how_many_sizes_it_goes_in_a_second(contrast: float) -> None:
    for script in SCRIPTS:
        [item] = items_of(FAMILY, DirectionSettings.model_validate({"scripts": script, "contrast": contrast}), 1, 1)
        assert item.measures["contrast"] == pytest.approx(contrast, rel=0.01)
        scene = scene_of(item, 0)
        path = next(iter(moving(scene).values()))
        # What wraps around, or turns at an end, is left out: the middle one of all steps is the speed.
        steps = sorted(hypot(b[0] - a[0], b[1] - a[1]) for a, b in zip(path, path[8:], strict=False))
        speed = steps[len(steps) // 2] / 8 * scene.fps / (item.clips[0].plan["size"] / 10 * scene.width / 100)
        assert speed == pytest.approx(contrast, rel=0.12), script


NASTY: tuple[Any, ...] = (None, "x", -1, 10**30, 1.5, [], {}, ["red", "red"], float("nan"))


@pytest.mark.parametrize("script", SCRIPTS)
def test_what_was_tampered_with_is_refused(script: str) -> None:
    plan = items(script)[0].clips[0].plan
    changed = [plan | {field: value} for field in plan for value in NASTY]
    changed += [plan | {"rest": plan["frames"]}, plan | {"begins": plan["frames"]}, plan | {"turns": 10**9}]
    changed += [plan | {"colours": plan["colours"] * 2}, plan | {"colours": ["mauve"] * len(plan["colours"])}]
    for other in changed:
        with pytest.raises(ValueError, match=r"."):
            FAMILY.scene(other, DirectionSettings())


def test_settings_that_leave_no_room_say_so() -> None:
    with pytest.raises(InputError, match="raise --fps"):
        items_of(FAMILY, DirectionSettings.model_validate({"seconds": 4, "contrast": 0.8, "fps": 1}), 1, 1)


def test_placements_are_whole_pixels() -> None:
    for script in SCRIPTS:
        scene = scene_of(items(script)[0], 0)
        placed: list[Placement] = [one for frame in range(0, scene.frames, 7) for one in scene.placements(frame)]
        assert all(one.x == round(one.x) and one.y == round(one.y) for one in placed)
