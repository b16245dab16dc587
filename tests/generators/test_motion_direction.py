"""Motion direction: the answers read again from where things are in each frame, or in few of them."""

from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from math import atan2, degrees, hypot
from typing import Any

import numpy as np
import pytest

from generators.errors import InputError
from generators.figures import SKINS
from generators.item import Item
from generators.motion_direction import (
    AHEAD,
    CLOUDS,
    FAMILY,
    TO,
    WAYS,
    Along,
    Legs,
    MotionDirectionSettings,
    Outings,
    Passing,
    Way,
)
from generators.rendering.scene import Placement, Scene
from generators.rendering.sprites import rasterise
from generators.settings import Resolution
from generators.single_clips import check_alternatives
from generators.stage import COLOURS
from tests.generators.making import items_of
from tests.generators.seen import colours_of, pixels_of

SCRIPTS: dict[str, tuple[str, ...]] = {
    "walker": ("plain", "counterfactual", "composite", "zoomed_in", "first_person"),
    "pointer": ("plain", "zoomed_in", "first_person"),
    "waver": ("plain", "zoomed_in", "first_person"),
    "vehicle": ("plain", "counterfactual", "composite", "zoomed_in", "first_person"),
    "drifting": ("plain", "counterfactual", "composite", "zoomed_in", "first_person"),
    "flight": ("plain", "composite", "zoomed_in", "first_person"),
    "scenery": ("plain", "first_person"),
    "toy": ("plain", "zoomed_in", "first_person"),
    "shape": ("plain", "counterfactual", "composite", "zoomed_in", "first_person"),
    "dot": ("plain", "composite", "zoomed_in", "first_person"),
    "token": ("plain", "zoomed_in", "first_person"),
}
Track = list[tuple[float, float]]


@cache
def items(script: str, variation: str = "all", count: int = 20, **chosen: Any) -> tuple[Item, ...]:
    settings = {"scripts": script, "variation": variation, "resolution": 128} | chosen
    return tuple(items_of(FAMILY, MotionDirectionSettings.model_validate(settings), 31, count))


def shown(item: Item) -> Any:
    return FAMILY.episode(item.clips[0].plan)


def scene_of(item: Item) -> Scene:
    scene: Scene = FAMILY.scene(item.clips[0].plan, MotionDirectionSettings.model_validate(item.provenance.settings))
    return scene


def right_text(item: Item) -> str:
    question = item.questions[0]
    assert question.options is not None
    return question.options[ord(question.keys[0]) - ord("A")]


# ---------------------------------------------------------------------------------------------------- reading a scene


def track(item: Item, scene: Scene) -> Track:
    """Where the thing is that is asked about, from its colour; a camera that sways is taken off again."""
    plan = item.clips[0].plan
    colour = COLOURS["blue" if plan.get("thing") == "rain" else plan["colours"][0]]
    path = []
    for frame in range(scene.frames):
        placed = scene.placements(frame)
        # What is first stands still: the ground, a spot, or something behind what moves.
        sway = (placed[0].x, placed[0].y) if plan["variation"] == "first_person" else (0.0, 0.0)
        if plan["script"] == "walker":
            # The line of the ground is first, and behind it a balloon, a sign or trees, where there are some.
            still = {"composite": 2, "counterfactual": 3, "first_person": 1 + len(CLOUDS)}.get(plan["variation"], 1)
            parts = [one.x for one in placed[still:]]
            path.append((sum(parts) / len(parts) - sway[0], 0.0))
        else:
            one = [one for one in placed if colour in colours_of(scene.sprites[one.sprite])][
                0 if plan["script"] == "scenery" else -1
            ]
            path.append((one.x - sway[0], one.y - sway[1]))
    return path


def nearest(across: float, down: float) -> Way:
    return WAYS[round(degrees(atan2(down, across)) / 45) % 8]


def moved(path: Track, lap: float) -> list[tuple[float, float]]:
    """The steps of a path, without those at which it comes in again."""
    steps = [(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(path) if a != b]
    return [step for step in steps if hypot(*step) < lap / 2]


def read_laps(item: Item, scene: Scene) -> str:
    episode = shown(item)
    path = track(item, scene)
    reach = max(hypot(a[0] - b[0], a[1] - b[1]) for a in path[::3] for b in path[::7])
    # A jump goes over several places; there and back in one lap takes two at a time.
    steps = [hypot(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(path) if a != b]
    far = sum(step > 3.6 * reach / episode.poses + 10 * (episode.variation == "first_person") for step in steps)
    if far > len(steps) / 3:
        return f"neither way: {'they jump' if episode.NAME == 'walker' else 'it jumps'} from place to place"
    begin, moving = episode.rests[0], episode.laps * episode.poses * episode.hold
    halves = [path[begin : begin + moving // 2], path[begin + moving // 2 : begin + moving]]
    ways = []
    for half in halves:
        steps_of_half = moved(half, reach)
        way = nearest(sum(step[0] for step in steps_of_half), sum(step[1] for step in steps_of_half))
        if episode.NAME == "scenery" and episode.variation == "first_person":
            way = WAYS[(WAYS.index(way) + 4) % 8]
        ways.append(way)
    texts = [TO[way] for way in ways]
    if getattr(episode, "relative", "") == "itself":
        texts = ["forwards" if way == episode.faces else "backwards" for way in ways]
    return f"{texts[0]} all the time" if texts[0] == texts[1] else f"first {texts[0]}, then {texts[1]}"


def hands(scene: Scene, frame: int) -> dict[int, tuple[float, float]]:
    """Where the hands are against what stands still, by the sprites of the arms, which come last."""
    first, *_, one, other = scene.placements(frame)
    found = {}
    for arm in (one, other):
        sprite = scene.sprites[arm.sprite]
        [skin] = colours_of(sprite).intersection(SKINS)
        down, across = pixels_of(sprite, skin)
        assert across.size
        found[arm.sprite] = (
            arm.x - first.x + arm.scale * float(across.mean() + 0.5 - sprite.width / 2),
            arm.y - first.y + arm.scale * float(down.mean() + 0.5 - sprite.height / 2),
        )
    return found


def read_legs(item: Item, scene: Scene) -> str:
    episode = shown(item)
    path = [(0.0, 0.0)] * scene.frames if episode.NAME == "pointer" else track(item, scene)
    first, end = episode.spans()[episode.place]
    if episode.NAME == "pointer":
        # A hand at rest is at its shoulder, and one of the two stays there.
        rest, out = hands(scene, 0), hands(scene, (first + end) // 2)
        [shoulder], [hand] = rest.keys() - out.keys(), out.keys() - rest.keys()
        return TO[nearest(out[hand][0] - rest[shoulder][0], out[hand][1] - rest[shoulder][1])]
    at = (first + end) // 2 if isinstance(episode, Outings) else first + (end - first) // 4
    return TO[nearest(path[at][0] - path[0][0], path[at][1] - path[0][1])]


@pytest.mark.parametrize("script", SCRIPTS)
def test_the_answer_is_seen_from_where_things_are(script: str) -> None:
    told = set()
    for item in (*items(script), *items(script, SCRIPTS[script][-1], 3), *items(script, SCRIPTS[script][1], 3)):
        read = read_laps if isinstance(shown(item), Passing) else read_legs
        assert read(item, scene_of(item)) == right_text(item) == shown(item).says(), item.id
        told.add(shown(item).says())
    assert len(told) >= 5


@pytest.mark.parametrize("script", SCRIPTS)
def test_every_variation_is_drawn_and_what_moves_stays_in_the_picture(script: str) -> None:
    for variation in SCRIPTS[script]:
        for size in ("128", "640x360"):
            [item] = items(script, variation, 1, resolution=size)
            assert shown(item).variation == variation
            scene = scene_of(item)
            placed = scene.placements(0)
            tops = [one.y - scene.sprites[one.sprite].height * one.scale / 2 for one in placed]
            assert any(0 < one.x < scene.width and top < scene.height for one, top in zip(placed, tops, strict=True))
            if variation == "first_person" and script != "scenery":
                # Something stands still on the ground, so that what moves is told from what the camera does.
                walk = shown(item).walk()
                moved = scene.placements(walk.index(max(walk) // 4))
                sways = {(b.x - a.x, b.y - a.y) for a, b in zip(placed[: len(CLOUDS)], moved, strict=False)}
                assert len(sways) == 1 and sways != {(0, 0)}


def head(scene: Scene, person: Placement) -> tuple[tuple[float, float], tuple[float, float]]:
    """The first and last places across and down of the head in the picture."""
    pixels = rasterise(scene.sprites[person.sprite])
    height, width = pixels.shape[:2]
    seen = pixels[: round(0.17 * height), :, 3] > 127
    across, down = (np.flatnonzero(seen.any(axis=axis)) for axis in (0, 1))
    left, top = person.x - person.scale * width / 2, person.y - person.scale * height / 2
    return (
        (left + person.scale * float(across[0]), left + person.scale * float(across[-1] + 1)),
        (top + person.scale * float(down[0]), top + person.scale * float(down[-1] + 1)),
    )


def box(scene: Scene, one: Placement) -> tuple[tuple[float, float], tuple[float, float]]:
    """The first and last places across and down of a sprite in the picture."""
    sprite = scene.sprites[one.sprite]
    wide, high = one.scale * sprite.width / 2, one.scale * sprite.height / 2
    return (one.x - wide, one.x + wide), (one.y - high, one.y + high)


@pytest.mark.parametrize("script", ["walker", "vehicle", "drifting", "shape"])
def test_a_third_of_a_thing_is_seen_wherever_it_is(script: str) -> None:
    for variation in SCRIPTS[script]:
        for size in ("128", "512", "640x360"):
            for item in items(script, variation, 4, resolution=size):
                plan, scene, episode = item.clips[0].plan, scene_of(item), shown(item)
                if plan.get("thing") == "rain":
                    continue
                walk = episode.walk()
                for pose in range(episode.poses):
                    placed = scene.placements(walk.index(pose))
                    # Of a person, the head, and of anything else what is painted last.
                    sides = (head if script == "walker" else box)(scene, placed[-1])
                    across, down = (
                        min(1.0, end / (end - first), (whole - first) / (end - first))
                        for (first, end), whole in zip(sides, (scene.width, scene.height), strict=True)
                    )
                    assert min(across, down) > 0 and across * down >= 0.31, (item.id, pose, across, down)


@pytest.mark.parametrize("script", ["walker", "vehicle", "drifting", "shape"])
def test_whoever_watches_the_second_thing_is_wrong(script: str) -> None:
    against = set()
    for item in items(script, "composite", 20):
        episode = shown(item)
        scenes = [one.scene(MotionDirectionSettings(resolution=Resolution(128, 128))) for one in episode.alternatives()]
        for one, scene in zip(episode.alternatives(), scenes, strict=True):
            number = 1 if script in ("walker", "vehicle") else 0
            path = [(placed[number].x, placed[number].y) for placed in map(scene.placements, range(scene.frames))]
            steps = [hypot(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(path) if a != b]
            lap = 128 * (2**0.5 if getattr(one, "other", "") in WAYS[1::2] else 1) + 20
            far = sum(3.6 * lap / episode.poses < step for step in steps) > len(steps) / 3
            if getattr(one, "is_against", False):
                ahead, asked = (moved(track(item, scene), lap), moved(path, lap))
                against.add(item.id)
                if one.turns == "forwards":
                    assert nearest(*map(sum, zip(*asked, strict=True))) == one.other
                    assert nearest(*map(sum, zip(*ahead, strict=True))) == one.forwards
            else:
                assert far == (one.turns != "neither"), (item.id, one.turns)
    assert bool(against) == (script in ("drifting", "shape"))


# ---------------------------------------------------------------------------------------------------- few frames


def sampled(episode: Any) -> list[list[int]]:
    """The poses of evenly spaced frames as far apart as the shortest window, from every frame of the first one."""
    windows = episode.seen()
    assert all(0 <= first < end <= episode.frames for first, end in windows) and list(windows) == sorted(windows)
    stride = min(end - first for first, end in windows)
    walk = episode.walk()
    return [walk[phase::stride] for phase in range(0, stride, max(1, stride // 7))]


def read_poses(episode: Any, poses: Sequence[int]) -> str:
    """The option that few frames tell, from their poses and nothing else of the clip."""
    if isinstance(episode, Passing):
        number = episode.poses
        steps = [(b - a + number // 2) % number - number // 2 for a, b in pairwise(poses)]
        steps = [step for step in steps if step]
        halves = [steps[: len(steps) // 2], steps[(len(steps) + 1) // 2 :]]
        # What goes on steadily makes steps of one size and one way in each half, but where it sets off, turns or stops.
        alike = max(
            sum(max(sum(abs(step - sign * size) <= 2 for step in half) for sign in (-1, 1)) for half in halves)
            for size in map(abs, steps)
        )
        if alike < len(steps) - 3:
            return "neither"
        one, other = (["forwards", "backwards"][sum(half) < 0] for half in halves)
        return one if one == other else f"{one} first"
    assert isinstance(episode, Legs)
    order: dict[int, list[int]] = {}
    for pose in poses:
        kind, step = divmod(pose - 1, episode.steps)
        if pose and (not isinstance(episode, Outings) or step + 1 > episode.NEAR * episode.steps - 1):
            order.setdefault(kind, []).append(step)
    kind, steps = list(order.items())[episode.place]
    way = WAYS[episode.kinds()[kind]]
    if isinstance(episode, Outings):
        return way
    assert len(steps) >= 3
    return way if steps[1] > steps[0] else WAYS[WAYS.index(way) + 4]


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_frame_in_each_window_tells_the_answer(script: str) -> None:
    for item in items(script, "all", 10):
        check_alternatives(shown(item))
        for one in shown(item).alternatives():
            for poses in sampled(one):
                read = read_poses(one, poses)
                assert read == (one.turns if isinstance(one, Passing) else one.answer), item.id


def test_arrows_and_worlds_that_lie_do_so_in_any_way() -> None:
    arrowed = [shown(item) for item in items("shape", "counterfactual", 60)]
    assert len({(one.arrow, one.says()) for one in arrowed}) > 20
    # It points one of the two ways that options name, and both of them whatever the answer is.
    assert all(TO[one.arrow] in one.ways for one in arrowed)
    assert len({(one.turns, one.arrow == one.forwards) for one in arrowed}) == 10
    falling = [shown(item) for item in items("drifting", "counterfactual", 20)]
    assert {one.thing for one in falling} == {"balloon", "stone", "rain"}
    assert all(isinstance(one, Along) and one.forwards == "down" for one in falling)


def test_all_eight_ways_are_asked_for() -> None:
    for script in ("flight", "token"):
        assert {shown(item).answer for item in items(script, "all", 40)} == {*AHEAD}, script
    assert {shown(item).forwards for item in items("shape", "plain", 20)} == {
        "right",
        "down",
        "lower right",
        "upper right",
    }


# ---------------------------------------------------------------------------------------------------- refusing

NASTY: tuple[Any, ...] = (None, "x", -1, 0, 10**30, 1.5, [], {}, ["red", "red"], [1] * 40, float("nan"), True)


@pytest.mark.parametrize("script", SCRIPTS)
def test_what_was_tampered_with_is_refused(script: str) -> None:
    plan = items(script)[0].clips[0].plan
    changed = [plan | {field: value} for field in plan for value in NASTY if value != plan[field]]
    changed += [plan | {"frames": plan["frames"] + 1}, plan | {"variation": "counterfactual_"}, plan | {"hold": 10**6}]
    changed += [plan | {"colours": ["red", "mauve"]}, plan | {"rests": [*plan["rests"], 1]}]
    if "ways" in plan:
        changed += [plan | {"ways": [plan["ways"][0]] * len(plan["ways"])}, plan | {"place": len(plan["ways"])}]
    else:
        changed += [plan | {"jumps": plan["jumps"][:-1]}, plan | {"laps": 3}, plan | {"jumps": plan["jumps"][:1] * 30}]
    harmless = {"person", "skin", "look", "place", "aside", "upright", "hold", "dwell", "start"}
    for other in changed:
        field = next(name for name in plan if plan[name] is not other[name])
        if field in harmless and type(other[field]) is type(plan[field]) and other[field] in (0, 1, True, -1):
            continue
        with pytest.raises(ValueError, match=r"."):
            FAMILY.scene(other, MotionDirectionSettings())


@pytest.mark.parametrize("script", SCRIPTS)
def test_few_frames_are_refused_and_others_are_enough(script: str) -> None:
    with pytest.raises(InputError, match="raise --seconds or --fps"):
        items(script, "all", 1, fps=1, seconds=4)
    for fps, seconds in ((8, 8), (60, 9.2), (24, 60), (12, 6)):
        for item in items(script, "plain", 2, fps=fps, seconds=seconds):
            episode = shown(item)
            begin, end = episode.spans()[0][0], episode.spans()[-1][1]
            assert end - begin >= 0.7 * episode.frames, (fps, seconds)
            assert begin >= 0.4 * fps - 1 and episode.frames - end >= 0.4 * fps - 1


def test_placements_are_whole_pixels() -> None:
    for script in SCRIPTS:
        scene = scene_of(items(script, "plain", 1)[0])
        placed = [one for frame in range(0, scene.frames, 7) for one in scene.placements(frame)]
        assert all(one.x == round(one.x) and one.y == round(one.y) for one in placed)
