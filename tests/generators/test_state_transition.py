"""State transition: the states read off what is placed where, sprite by sprite, and the open keys told again."""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import groupby, pairwise
from math import floor
from typing import Any

import pytest

from generators.certificates import PERMUTATION, frame_digests, frame_keys
from generators.errors import InputError
from generators.item import Item
from generators.rendering.scene import Ellipse, Placement, Polygon, Rectangle, Scene
from generators.stage import COLOURS
from generators.state_transition import FAMILY, between, steps
from tests.generators.making import items_of, plans_of

SCRIPTS = ("colour", "size", "mood", "fill_level", "shape", "opacity")


@cache
def items(count: int = 48, **chosen: Any) -> tuple[Item, ...]:
    return tuple(items_of(FAMILY, FAMILY.settings.model_validate(chosen), 41, count))


def scenes(item: Item) -> list[Scene]:
    settings = FAMILY.settings.model_validate(item.provenance.settings)
    return [FAMILY.scene(clip.plan, settings) for clip in item.clips]


def frames_of(scene: Scene) -> list[tuple[Placement, ...]]:
    return [tuple(scene.placements(frame)) for frame in range(scene.frames)]


def still_looks(scene: Scene) -> list[tuple[Placement, ...]]:
    """What each of the longest pauses shows, in order: as many as the clip has changes, and one."""
    runs = [(look, len(list(group))) for look, group in groupby(frames_of(scene))]
    long = sorted((length for _, length in runs), reverse=True)[len(scene.spans)]
    return [look for look, length in runs if length >= long]


def moving(scene: Scene) -> set[int]:
    """The places in the list of placements where something changes, in a list of one length."""
    looks = frames_of(scene)
    shortest = min(map(len, looks))
    return {place for place in range(shortest) if len({look[place] for look in looks}) > 1}


def polygon(scene: Scene, sprite: int) -> tuple[tuple[float, float], ...]:
    [shape] = scene.sprites[sprite].shapes
    assert isinstance(shape, Polygon)
    return shape.points


def shape_name(points: tuple[tuple[float, float], ...]) -> str:
    """What a figure is, by how much of its box it fills, how wide the box is, and how often its edge turns inwards."""
    xs, ys = zip(*points, strict=True)
    wide, tall = max(xs) - min(xs), max(ys) - min(ys)
    area = abs(sum(a * d - c * b for (a, b), (c, d) in zip(points, points[1:] + points[:1], strict=True))) / 2
    fill = area / (wide * tall)
    if fill > 0.95:
        return "square"
    if fill > 0.7:
        return "circle"
    if fill < 0.42:
        return "star"
    if wide / tall < 0.75:
        return "diamond"
    centre = sum(ys) / len(ys) - min(ys)
    return "triangle" if centre / tall > 0.55 else "cross"


def mood_name(points: tuple[tuple[float, float], ...]) -> str:
    xs, ys = zip(*points, strict=True)
    wide, tall = max(xs) - min(xs), max(ys) - min(ys)
    if tall > 0.9 * wide:
        return "surprised"
    ends = sum(y for x, y in points if x in (min(xs), max(xs))) / sum(x in (min(xs), max(xs)) for x in xs)
    middle = [y for x, y in points if abs(x - (min(xs) + max(xs)) / 2) < wide / 20]
    lift = sum(middle) / len(middle) - ends
    if abs(lift) < wide / 20:
        return "neutral"
    return "happy" if lift > 0 else "sad"


def read(script: str, scene: Scene) -> list[Any]:
    """The states that the pauses show, in order: names, or numbers where the states are larger and smaller."""
    looks = still_looks(scene)
    if script == "colour":
        by_value = {value: name for name, value in COLOURS.items()}
        glasses = [scene.sprites[look[-1].sprite].shapes[0] for look in looks]
        assert all(look[-1].opacity == 1 for look in looks)
        return [by_value[glass.colour] for glass in glasses if isinstance(glass, Rectangle)]
    if script == "shape":
        return [shape_name(polygon(scene, look[-1].sprite)) for look in looks]
    if script == "mood":
        return [mood_name(polygon(scene, look[-1].sprite)) for look in looks]
    if script == "size":
        balls = [scene.sprites[look[0].sprite] for look in looks]
        assert all(isinstance(ball.shapes[0], Ellipse) for ball in balls)
        return [ball.width for ball in balls]
    [air] = moving(scene)
    return [-look[air].y for look in looks]


def fading(scene: Scene) -> tuple[int, int]:
    """Frames in which the thing gets fainter, and in which it gets clearer, from the first to the last."""
    standing = min(map(len, frames_of(scene)))
    levels = [look[-1].opacity if len(look) > standing else 0.0 for look in frames_of(scene)]
    lengths = []
    for sign in (-1, 1):
        changed = [index for index, (a, b) in enumerate(pairwise(levels)) if (b - a) * sign > 0]
        lengths.append(changed[-1] - changed[0] + 1)
    return lengths[0], lengths[1]


def test_every_script_is_drawn_with_three_states_and_with_more() -> None:
    plans = [item.clips[0].plan for item in items()]
    assert {plan["script"] for plan in plans} == {*SCRIPTS}
    assert {len(plan["states"]) for plan in plans if plan["script"] == "colour"} == {3, 4, 5}
    for script in ("shape", "mood"):
        assert {len(plan["states"]) for plan in plans if plan["script"] == script} == {3, 4}
    assert {plan["begins"] for plan in plans if plan["script"] == "opacity"} == {"visible", "invisible"}


@pytest.mark.parametrize("script", SCRIPTS)
def test_the_clips_are_permutations_down_to_the_pixels(script: str) -> None:
    [item] = items(1, scripts=script, resolution=128, fps=12)
    assert item.pair is not None and item.pair["certificate"] == PERMUTATION
    first, second = (frame_digests(scene) for scene in scenes(item))
    assert Counter(first) == Counter(second) and first != second


def test_a_change_played_backwards_has_the_same_poses() -> None:
    shares = [Fraction(step, 11) for step in range(12)]
    assert [between("a", "b", share) for share in shares] == [between("b", "a", 1 - share) for share in shares]
    assert all(steps(share) + steps(1 - share) == steps(Fraction(1)) for share in shares)


def test_answers_and_open_keys_can_be_read_off_the_pictures() -> None:
    for item in items():
        for clip, scene in zip(item.clips, scenes(item), strict=True):
            script: Any = FAMILY.episode(clip.plan)
            asked, words = script.open_question(), script.words()
            name = clip.plan["script"]
            if name == "opacity":
                away, back = fading(scene)
                assert script.answer() == (0 if away > back else 1)
                # The first and the last of its looks are too faint to be told from nothing, or from all of it.
                assert abs(away / scene.fps - asked.key) <= (2 + away / 40) / scene.fps
                continue
            states = read(name, scene)
            assert states[0] == states[-1]
            if name in ("size", "fill_level"):
                middle, lesser, greater = states[0], min(states), max(states)
                assert {*states} == {middle, lesser, greater} and lesser < middle < greater
                assert script.answer() == (0 if states[1] == greater else 1)
                reached = read_first(scene, name, greater)
                assert abs(reached / scene.fps - asked.key) <= 1.5 / scene.fps + 0.1
            else:
                assert states == asked.key
                assert [option.split(", then ") for option in words.options].index(states) == script.answer()
                assert [claim.endswith(f" {', '.join(states)}?") for claim in words.claims].index(
                    True
                ) == script.answer()
        assert item.questions[2].keys[0] != item.questions[2].keys[1]


def read_first(scene: Scene, script: str, value: float) -> int:
    """The first frame in which a balloon or a level is as large or high as `value`."""
    if script == "size":
        return next(
            frame for frame, look in enumerate(frames_of(scene)) if scene.sprites[look[0].sprite].width == value
        )
    [air] = moving(scene)
    return next(frame for frame, look in enumerate(frames_of(scene)) if -look[air].y == value)


def test_the_contrast_is_what_was_asked_for_and_what_is_seen() -> None:
    for item in items(24, contrast=2):
        assert item.measures["contrast"] == pytest.approx(2, rel=0.03)
    for item in items(24):
        plan, contrast = item.clips[0].plan, item.measures["contrast"]
        scene = scenes(item)[0]
        if plan["script"] == "size":
            widths = read("size", scene)
            assert max(widths) / min(widths) == pytest.approx(contrast, rel=0.04)
        elif plan["script"] in ("colour", "shape", "mood"):
            runs = [(look, len(list(group))) for look, group in groupby(frames_of(scene))]
            pauses = sorted(length for _, length in runs)[-(len(scene.spans) + 1) :]
            change = scene.spans[0][1] - scene.spans[0][0]
            # No look of a change is that of a state.
            assert plan["hold"] in pauses
            assert plan["hold"] / change == pytest.approx(contrast, abs=0.001)
    with pytest.raises(InputError, match="raise --fps or --seconds"):
        items(1, scripts="colour", contrast=5, fps=5, seconds=4)
    with pytest.raises(InputError, match="raise --fps or --seconds"):
        items(1, scripts="opacity", contrast=5, fps=4, seconds=4)


def test_a_set_of_any_contrast_can_be_made() -> None:
    for contrast in (1.1, 1.5, 5):
        for item in items(12, contrast=contrast):
            assert item.measures["contrast"] == pytest.approx(contrast, rel=0.03)


def test_frames_at_the_minimum_rate_tell_the_clips_apart() -> None:
    for item in items(24):
        stride = floor(item.clips[0].fps / item.measures["minimum_fps"] + 1e-3)
        sprites: dict[Any, int] = {}
        first, second = (frame_keys(scene, sprites) for scene in scenes(item))
        assert all(first[phase::stride] != second[phase::stride] for phase in range(stride))


def test_the_length_of_the_first_change_alone_does_not_tell_the_paces() -> None:
    settings = FAMILY.settings.model_validate({"scripts": "opacity"})
    for begins in ("visible", "invisible"):
        found = []
        for _, plans in plans_of(FAMILY, settings, 5, 400):
            for plan in plans:
                if plan["begins"] == begins:
                    episode: Any = FAMILY.episode(plan)
                    _, [(start, end), _], _ = episode.timeline()
                    found.append((end - start, episode.answer()))
        assert len(found) > 200
        right = [sum((length < cut) == bool(key) for length, key in found) / len(found) for cut, _ in found]
        assert max(max(share, 1 - share) for share in right) <= 0.78


def test_no_face_is_neutral_on_its_way_where_neutral_is_a_mood() -> None:
    for item in items(40, scripts="mood"):
        states = item.clips[0].plan["states"]
        around = [{*change} for change in pairwise([*states, states[0]])]
        assert "neutral" not in states or {"happy", "sad"} not in around
        context = FAMILY.episode(item.clips[0].plan).words().context
        assert all((f"a {mood} one" in context) == (mood in states) for mood in ("happy", "sad", "neutral"))


SHARED: list[dict[str, Any]] = [
    {"script": "phase"},
    {"look": 5},
    {"style": 2},
    {"style": True},
    {"aside": 13},
    {"aside": 0.5},
    {"rest": 0, "rests": [0, 9, 9]},
    {"rest": 10**12, "rests": [10**12, 9, 9]},
    {"rest": [9], "rests": 9},
    {"frames": 100},
    {"frames": 10**9},
]
ORDERS: list[dict[str, Any]] = [
    {"states": []},
    {"states": "red"},
    {"states": ["red", "red", "blue"]},
    {"states": [["red"], "green", "blue"]},
    {"states": ["red", "grey", "blue"]},
    {"states": ["red"] * 10_000},
    {"hold": 0},
    {"change": 10**9},
    {"change": "8"},
]
OWN: dict[str, list[dict[str, Any]]] = {
    "colour": ORDERS,
    "shape": [*ORDERS, {"colour": "grey"}, {"states": ["circle", "square", "sphere"]}],
    "mood": [*ORDERS, {"colour": 1}, {"states": ["happy", "sad", "bored"]}, {"states": ["happy", "sad", "neutral"]}],
    "size": [
        *ORDERS,
        {"extremes": [500, 400]},
        {"extremes": [500, 4000]},
        {"extremes": [500]},
        {"extremes": [0, 400]},
        {"states": ["largest", "smallest", "middle-sized"]},
    ],
    "fill_level": [*ORDERS, {"extremes": [500, 1001]}, {"extremes": [300, 300]}, {"colour": None}],
    "opacity": [{"begins": "maybe"}, {"fading": 1}, {"returning": 10**9}, {"fading": 50, "returning": 50}],
}


@pytest.mark.parametrize("script", SCRIPTS)
def test_altered_plans_are_refused(script: str) -> None:
    [item] = items(1, scripts=script)
    plan = item.clips[0].plan
    FAMILY.episode(plan)
    for change in SHARED + OWN[script]:
        with pytest.raises(ValueError, match=r"."):
            FAMILY.episode(plan | change)
    with pytest.raises(ValueError, match="make up the clip"):
        changed = {"rests": [9, 9, plan["frames"]]} if script == "opacity" else {"rest": plan["rest"] + 1}
        FAMILY.episode(plan | changed)
