"""Shapes and trends: the answer can be read from what is placed where, and from as few frames as the clip says."""

from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise
from math import cos, dist, pi, sin
from typing import Any

import pytest

from generators.errors import InputError
from generators.family import family
from generators.item import Item
from generators.rendering.scene import Ellipse, Line, Placement, Polygon, Scene, flattened
from generators.shape_trend import CYCLES, Drawn, Hops, Levels, Shown
from generators.stage import COLOURS
from tests.generators.making import items_of

FAMILY = family("shape_trend")
SCRIPTS = {
    "bee": ("plain", "composite", "zoomed_in", "first_person"),
    "pencil": ("plain", "counterfactual", "zoomed_in"),
    "rabbit": ("plain", "composite", "zoomed_in"),
    "thermometer": ("plain", "counterfactual", "zoomed_in"),
    "balloon": ("plain", "counterfactual", "composite", "first_person"),
    "dot": ("plain", "composite", "zoomed_in", "counterfactual"),
    "lights": ("plain", "counterfactual", "zoomed_in"),
    "bar": ("plain", "composite", "first_person"),
    "air_pen": ("plain", "counterfactual", "zoomed_in", "first_person"),
    "touch": ("plain", "counterfactual", "zoomed_in"),
    "flag": ("plain", "composite", "first_person", "zoomed_in"),
}
Place = tuple[float, float]


def made(count: int, seed: int = 4, **chosen: Any) -> list[Item]:
    return items_of(FAMILY, FAMILY.settings.model_validate({"resolution": 256, **chosen}), seed, count)


def shown(item: Item) -> Shown:
    script: Shown = FAMILY.episode(item.clips[0].plan)
    return script


def scene_of(script: Shown) -> Scene:
    return script.scene(FAMILY.settings.model_validate({"resolution": 256, "fps": script.fps}))


@pytest.mark.parametrize("name", SCRIPTS)
def test_every_script_and_every_twist_is_drawn_at_every_rate(name: str) -> None:
    for variation in SCRIPTS[name]:
        for fps in (8, 24, 60):
            for item in made(1, scripts=name, variation=variation, fps=fps):
                script = shown(item)
                assert (script.NAME, script.variation) == (name, variation)
                scene = scene_of(script)
                assert len({tuple(scene.placements(frame)) for frame in range(scene.frames)}) > 3


@pytest.mark.parametrize("name", SCRIPTS)
def test_what_is_asked_about_stays_in_the_picture(name: str) -> None:
    for variation in SCRIPTS[name]:
        for item in made(2, seed=3, scripts=name, variation=variation):
            for across, down in ((3, -3), (-3, 3)):
                script = shown(item).model_copy(update={"x": across, "y": down})
                scene = scene_of(script)
                for frame in range(0, scene.frames, 2):
                    one = asked_about(script, scene, scene.placements(frame))
                    if one is not None:
                        sprite = scene.sprites[one.sprite]
                        wide, high = sprite.width * one.scale / 2, sprite.height * one.scale / 2
                        assert wide <= one.x <= 256 - wide and high <= one.y <= 256 - high


def asked_about(script: Shown, scene: Scene, placed: Sequence[Placement]) -> Placement | None:
    """What draws, is lit or has a height, if it is to be seen."""
    sprites = [flattened(scene.sprites[one.sprite]) for one in placed]
    if isinstance(script, Drawn):
        return placed[-2 if script.variation == "composite" else -1]
    if isinstance(script, Hops):
        colour = COLOURS["pink" if script.NAME == "rabbit" else script.colour]
        last = [sprite.shapes[-1] for sprite in sprites]
        found = [isinstance(shape, Ellipse) and shape.colour == colour for shape in last]
    elif script.NAME == "flag":
        found = [isinstance(sprite.shapes[0], Line) for sprite in sprites]
    else:
        return placed[-2 if script.NAME == "bar" else -1]
    return placed[found.index(True)] if any(found) else None


# ---------------------------------------------------------------------------------------------------- shapes

TURNS = [2 * pi * part / 60 for part in range(61)]
TEMPLATES: dict[str, Sequence[Place]] = {
    "a circle": [(cos(turn), sin(turn)) for turn in TURNS],
    "a triangle": [(0, -1), (1, 1), (-1, 1), (0, -1)],
    "a square": [(-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1)],
    "a trapezoid": [(-0.36, -1), (0.36, -1), (1, 1), (-1, 1), (-0.36, -1)],
    "a diamond": [(0, -1), (1, 0), (0, 1), (-1, 0), (0, -1)],
    "a star": [(0, -1), (0.62, 1), (-1, -0.24), (1, -0.24), (-0.62, 1), (0, -1)],
    "a heart": [
        *((0, -0.6), (0.3, -0.95), (0.7, -0.95), (1, -0.5), (0.7, 0.2), (0, 1)),
        *((-0.7, 0.2), (-1, -0.5), (-0.7, -0.95), (-0.3, -0.95), (0, -0.6)),
    ],
    "a figure eight": [(sin(2 * turn), -cos(turn)) for turn in TURNS],
    "the letter L": [(-1, -1), (-1, 1), (1, 1)],
    "the letter V": [(-1, -1), (0, 1), (1, -1)],
    "the letter Z": [(-1, -1), (1, -1), (-1, 1), (1, 1)],
    "the letter U": [(-1, -1), (-1, 0.3), (-0.7, 0.8), (0, 1), (0.7, 0.8), (1, 0.3), (1, -1)],
}
"""What the shapes look like in a square from -1 to 1, drawn by hand."""


@cache
def points(shape: str) -> list[Place]:
    """Places all along a template."""
    along = []
    for (left, top), (right, bottom) in pairwise(TEMPLATES[shape]):
        number = max(1, round(dist((left, top), (right, bottom)) / 0.15))
        along += [
            (left + part / number * (right - left), top + part / number * (bottom - top)) for part in range(number)
        ]
    return [*along, TEMPLATES[shape][-1]]


def recognised(path: Sequence[Place], of: Sequence[str]) -> str:
    """The one of these shapes that the path, in any size, comes nearest to."""
    (left, right), (top, bottom) = ((min(axis), max(axis)) for axis in zip(*path, strict=True))
    inside = [(2 * (x - left) / (right - left) - 1, 2 * (y - top) / (bottom - top) - 1) for x, y in path]

    def unlike(shape: str) -> float:
        there = sum(min(dist(one, other) for other in points(shape)) for one in inside) / len(inside)
        back = sum(min(dist(one, other) for one in inside) for other in points(shape)) / len(points(shape))
        return there + back

    return min(of, key=unlike)


def read_shapes(script: Drawn, frames: Sequence[int]) -> str:
    """The answer, from the place of what draws in these frames."""
    scene = scene_of(script)

    def place(frame: int) -> Place:
        one = asked_about(script, scene, scene.placements(frame))
        assert one is not None
        return one.x, one.y

    strokes = [[place(0)] for _ in script.shapes]
    for frame in frames:
        for stroke, (first, end) in zip(strokes, scene.spans, strict=True):
            if first <= frame < end:
                stroke.append(place(frame))
    order = [recognised(stroke, script.shapes) for stroke in strokes]
    when = script.asked().stem.rsplit(". ", 1)[-1].removesuffix("?").split(" ")
    if "right" not in when:
        return order[{"first": 0, "second": 1, "third": 2, "fourth": 3, "fifth": 4, "last": -1}[when[-1]]]
    [named] = [place for place, shape in enumerate(order) if shape.endswith(" ".join(when[7:]))]
    return order[named + (1 if "after" in when else -1)]


# ---------------------------------------------------------------------------------------------------- pegs


def read_figure(script: Hops, frames: Sequence[int]) -> str:
    """The answer, from where something is seen in these frames."""
    scene = scene_of(script)
    visits = (scene.spans[-1][1] - scene.spans[0][0]) // script.visit
    by_visit: list[list[Place]] = [[] for _ in range(visits)]
    for frame in frames:
        one = asked_about(script, scene, scene.placements(frame))
        if one is not None:
            by_visit[(frame - scene.spans[0][0]) // script.visit].append((one.x, one.y))
    # A rabbit is highest in the middle of a visit: what counts is which bush is nearest.
    seen = [min(places, key=lambda place: place[1]) for places in by_visit]
    pegs = [(script.middle[0] + x, script.middle[1] + y) for x, y in script.places()]
    order = [
        min(
            range(script.pegs),
            key=lambda peg: dist(pegs[peg], (x / 2.56, y / 2.56 + (4 if script.NAME == "rabbit" else 0))),
        )
        for x, y in seen
    ]
    half = len(order) // 2
    if not {*order[:half]} & {*order[half:]}:
        return {4: "a cross", 6: "two triangles"}[script.pegs]
    number = script.pegs
    rounds = [order[first : first + number] for first in range(0, len(order), number)]
    sides = [{frozenset(side) for side in pairwise([*one, one[0]])} for one in rounds]
    if any(one != sides[0] for one in sides):
        return "no one figure"
    apart = sorted(min((one - other) % number, (other - one) % number) for one, other in map(tuple, sides[0]))
    if {*apart} == {1}:
        return {4: "a square", 5: "a pentagon", 6: "a hexagon"}[number]
    if number == 4:
        return "an hourglass" if frozenset({0, 1}) in sides[0] else "a bow tie"
    return "a star" if {*apart} == {2} else "a zigzag"


# ---------------------------------------------------------------------------------------------------- levels


def height(script: Levels, scene: Scene, frame: int) -> float:
    """How high, in pixels from below, the end of what moves is."""
    one = asked_about(script, scene, scene.placements(frame))
    assert one is not None
    size = scene.sprites[one.sprite].height * one.scale / 2
    if script.NAME == "bar":
        return size - one.y
    if script.NAME == "thermometer":
        return -one.y - size if script.variation == "counterfactual" else size - one.y
    return -one.y


def read_trend(script: Levels, frames: Sequence[int]) -> str:
    """The answer in short, from the heights in these frames."""
    scene = scene_of(script)
    begin, end = scene.spans[0][0], scene.spans[-1][1]
    heights = [height(script, scene, frame) for frame in frames if begin <= frame < end]
    whole = max(heights) - min(heights)
    steps = [other - one for one, other in pairwise(heights) if other != one]
    big = [abs(step) > 0.5 * whole for step in steps]
    small = [step for step, is_big in zip(steps, big, strict=True) if not is_big]
    turns = sum(one * other < 0 for one, other in pairwise(small))
    ups = sum(step > 0 for step in small) / max(1, len(small))
    half = len(steps) // 2
    early = [step > 0 for step, is_big in list(zip(steps, big, strict=True))[:half] if not is_big]
    late = [step > 0 for step, is_big in list(zip(steps, big, strict=True))[half:] if not is_big]
    if sum(abs(step) > 0.2 * whole for step in steps) > 0.5 * len(steps) and turns + sum(big) > 0.3 * len(steps):
        return "jumping"
    if ups > 0.95 or ups < 0.05:
        return f"{'one ' if script.is_whole else ''}{'rise' if ups > 0.5 else 'fall'}"
    if script.is_whole:
        return "one bend" if turns == 1 else "two bends"
    if turns <= 2 and sum(early) / len(early) > 0.85:
        return "rise first"
    if turns <= 2 and sum(early) / len(early) < 0.15 and sum(late) / len(late) > 0.85:
        return "fall first"
    return "wave"


SHORT = {
    "it rises slowly": "rise",
    "it falls slowly": "fall",
    "it rises and falls by turns": "wave",
    "at first slow rises": "rise first",
    "at first slow falls": "fall first",
    "it jumps about": "jumping",
    "one slow rise": "one rise",
    "one slow fall": "one fall",
    "a leap to the top": "one fall",
    "a drop to the bottom": "one rise",
    "one peak": "one bend",
    "one valley": "one bend",
    "two peaks": "two bends",
    "two valleys": "two bends",
    "no trend": "jumping",
}


def is_read(script: Shown, frames: Sequence[int]) -> bool:
    """Whether a reader of these frames finds what the clip says."""
    if isinstance(script, Drawn):
        return read_shapes(script, frames) == script.says()
    if isinstance(script, Hops):
        return script.says().startswith(read_figure(script, frames))
    assert isinstance(script, Levels)
    [short] = [short for text, short in SHORT.items() if script.says().startswith(text)]
    return read_trend(script, frames) == short


@pytest.mark.parametrize("name", SCRIPTS)
def test_the_answer_can_be_read_from_all_frames(name: str) -> None:
    for item in made(22, scripts=name, variation="plain"):
        assert is_read(shown(item), range(shown(item).frames)), item.clips[0].plan


@pytest.mark.parametrize("name", SCRIPTS)
def test_the_answer_can_be_read_at_the_least_rate(name: str) -> None:
    """From every phase, for all alternatives."""
    for item in made(4, seed=5, scripts=name, variation="plain"):
        script = shown(item)
        shortest = min(end - first for first, end in script.seen())
        for phase in {0, shortest // 2, shortest - 1}:
            for one in script.alternatives():
                assert isinstance(one, Shown)
                assert is_read(one, range(phase, one.frames, shortest)), (one, phase, shortest)


def test_an_upside_down_thermometer_and_scene_are_read_as_the_picture_has_it() -> None:
    for name in ("thermometer", "balloon"):
        for item in made(12, scripts=name, variation="counterfactual"):
            assert is_read(shown(item), range(shown(item).frames)), item.clips[0].plan


def test_each_place_and_each_kind_of_question_comes_up() -> None:
    stems = {shown(item).asked().stem for item in made(60, scripts="dot")}
    for words in ("first?", "second?", "last?", "right after the ", "right before the "):
        assert any(words in stem for stem in stems), words
    assert {shown(item).asked().stem.endswith("as a whole?") for item in made(30, scripts="bar")} == {True, False}
    assert {len(item.questions[0].options or ()) for item in made(60)} >= {3, 4, 5, 6}


def test_no_figure_comes_twice_in_a_row_where_they_change_and_a_painted_one_is_right_now_and_then() -> None:
    rights = []
    for item in made(60, scripts="lights,touch"):
        script = shown(item)
        assert isinstance(script, Hops)
        visits = script.model_copy(update={"figure": "changing"}).visits()
        rounds = [visits[first : first + script.pegs] for first in range(0, len(visits), script.pegs)]
        assert all(one != other for one, other in pairwise(rounds))
        rights.append(list(CYCLES[script.pegs])[script.painted] == script.figure)
    assert 4 <= sum(rights) <= 25


def test_at_least_half_of_every_lamp_that_is_touched_is_seen() -> None:
    for item in [*made(8, scripts="touch"), *made(8, scripts="touch", variation="zoomed_in")]:
        script = shown(item)
        assert isinstance(script, Hops)
        scene = scene_of(script)
        hidden = {}
        for frame in range(scene.frames):
            placed = scene.placements(frame)
            lamp = asked_about(script, scene, placed)
            if lamp is None or lamp in hidden:
                continue
            radius = scene.sprites[lamp.sprite].width * lamp.scale / 2
            grid = [(lamp.x + radius * x / 6, lamp.y + radius * y / 6) for x in range(-6, 7) for y in range(-6, 7)]
            disc = [point for point in grid if dist(point, (lamp.x, lamp.y)) <= radius]
            over = placed[placed.index(lamp) + 1 :]
            hidden[lamp] = sum(any(_covers(scene, one, point) for one in over) for point in disc) / len(disc)
        assert len(hidden) == script.pegs and max(hidden.values()) < 0.5, hidden


def _covers(scene: Scene, one: Placement, point: Place) -> bool:
    """Whether one of the polygons that limbs are made of is over a point."""
    sprite = scene.sprites[one.sprite]
    x, y = (point[0] - one.x) / one.scale + sprite.width / 2, (point[1] - one.y) / one.scale + sprite.height / 2
    for shape in flattened(sprite).shapes:
        if isinstance(shape, Polygon):
            sides = pairwise([*shape.points, shape.points[0]])
            crossed = [
                left + (y - top) / (bottom - top) * (right - left)
                for (left, top), (right, bottom) in sides
                if (top > y) != (bottom > y)
            ]
            if sum(x < other for other in crossed) % 2:
                return True
    return False


def _changed(plan: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {**plan, **fields}


TAMPERED: dict[str, list[Callable[[dict[str, Any]], dict[str, Any]]]] = {
    "dot": [
        lambda plan: _changed(plan, shapes=[plan["shapes"][0]] * len(plan["shapes"])),
        lambda plan: _changed(plan, shapes=plan["shapes"][:2]),
        lambda plan: _changed(plan, shapes=["a blob", *plan["shapes"][1:]]),
        lambda plan: _changed(plan, shapes=["a square", "a trapezoid", *plan["shapes"][2:]]),
        lambda plan: _changed(plan, backwards=[*plan["backwards"], True]),
        lambda plan: _changed(plan, turn=len(plan["shapes"])),
        lambda plan: _changed(plan, lap=plan["lap"] + 1),
        lambda plan: _changed(plan, lap=10**12),
        lambda plan: _changed(plan, place=-1),
        lambda plan: _changed(plan, asks="before", place=0),
        lambda plan: _changed(plan, written=9),
        lambda plan: _changed(plan, colour="teal"),
        lambda plan: _changed(plan, rests=[*plan["rests"], 1]),
    ],
    "lights": [
        lambda plan: _changed(plan, pegs=7),
        lambda plan: _changed(plan, figure="bow tie" if plan["pegs"] != 4 else "star"),
        lambda plan: _changed(plan, start=plan["pegs"]),
        lambda plan: _changed(plan, visit=1),
        lambda plan: _changed(plan, rounds=plan["rounds"] + 1),
        lambda plan: _changed(plan, is_backwards=1),
        lambda plan: _changed(plan, frames=10**9),
        lambda plan: _changed(plan, painted=3),
    ],
    "bar": [
        lambda plan: _changed(plan, trend="one peak" if not plan["is_whole"] else "wave"),
        lambda plan: _changed(plan, is_whole=not plan["is_whole"]),
        lambda plan: _changed(plan, jumps=sorted(plan["jumps"])),
        lambda plan: _changed(plan, jumps=plan["jumps"][:-1]),
        lambda plan: _changed(plan, jumps=[1] * 60),
        lambda plan: _changed(plan, rounds=3),
        lambda plan: _changed(plan, unit=0),
        lambda plan: _changed(plan, look=99),
    ],
    "touch": [lambda plan: _changed(plan, person=4), lambda plan: _changed(plan, pegs=6)],
}


@pytest.mark.parametrize("name", TAMPERED)
def test_a_tampered_plan_is_refused(name: str) -> None:
    for item in made(3, scripts=name, variation="plain"):
        for change in TAMPERED[name]:
            with pytest.raises(ValueError, match=r"."):
                FAMILY.episode(change(item.clips[0].plan))


@pytest.mark.parametrize(("name", "said"), [("dot", "three shapes"), ("rabbit", "every bush"), ("bar", "a rise")])
def test_where_frames_are_too_few_a_line_says_what_to_change(name: str, said: str) -> None:
    with pytest.raises(InputError, match=rf"^a clip is too short .*{said}.*: raise --seconds or --fps$"):
        made(1, scripts=name, seconds=4, fps=4)
