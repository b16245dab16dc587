"""Visual cues: who has a turn when is read again from where things are placed, and the answer is worked out from it."""

from collections.abc import Sequence
from itertools import groupby, pairwise
from math import dist
from typing import Any

import pytest

from generators.errors import InputError
from generators.figures import SKINS
from generators.item import Item
from generators.rendering.scene import Line, Placement, Polygon, Scene, flattened
from generators.single_clips import VARIATIONS, ZOOM, Asked
from generators.stage import COLOURS, INK, shade
from generators.visual_cues import FAMILY, SCRIPTS, Cued, Flags, Never, Order, Together
from tests.generators.making import items_of

Active = frozenset[str]


def made(count: int = 1, seed: int = 3, **chosen: Any) -> list[Item]:
    return items_of(FAMILY, FAMILY.settings.model_validate(chosen), seed, count)


def shown(item: Item) -> Cued:
    script: Cued = FAMILY.episode(item.clips[0].plan)
    return script


def scene_of(item: Item, script: Cued) -> Scene:
    return FAMILY.scene(script.to_plan(), FAMILY.settings.model_validate(item.provenance.settings))


def paints(scene: Scene, one: Placement) -> list[Any]:
    return [getattr(shape, "colour", None) for shape in flattened(scene.sprites[one.sprite]).shapes]


def is_painted(scene: Scene, one: Placement, name: str) -> bool:
    return not {COLOURS[name], shade(COLOURS[name], 0.72)}.isdisjoint(paints(scene, one))


def hand(scene: Scene, one: Placement) -> tuple[float, float] | None:
    """The middle of the hand, of a picture of an arm."""
    sprite = scene.sprites[one.sprite]
    skin = [shape for shape in flattened(sprite).shapes if isinstance(shape, Polygon) and shape.colour == SKINS[3]]
    if len(skin) != 2:
        return None
    across, down = (sum(axis) / len(axis) for axis in zip(*skin[-1].points, strict=True))
    return one.x + one.scale * (across - sprite.width / 2), one.y + one.scale * (down - sprite.height / 2)


def actives(script: Cued, scene: Scene) -> list[Active]:
    """Which things are seen to be active in each frame, by the names of their colours."""
    frames = [list(scene.placements(frame)) for frame in range(scene.frames)]
    unit = min(scene.width, scene.height) / 100 * (ZOOM if script.variation == "zoomed_in" else 1)
    still = set(frames[0]).intersection(*frames)
    places = {
        name: next((one.x, one.y) for one in frames[0] if is_painted(scene, one, name)) for name in script.colours
    }
    grey = {one for frame in frames for one in frame if (150, 150, 150) in paints(scene, one)}

    def nearest(one: Placement) -> str:
        # Only tiles have neighbours above and below.
        down = 1 if script.NAME == "tiles" else 0
        return min(places, key=lambda name: dist((one.x, down * one.y), (places[name][0], down * places[name][1])))

    def of_frame(frame: list[Placement]) -> Active:
        moved = [one for one in frame if one not in still and one not in grey]
        if script.NAME in ("lamps", "lamps_together"):
            return frozenset(nearest(one) for one in moved if (255, 240, 140) in paints(scene, one))
        if script.NAME == "alarm_clocks":
            return frozenset(nearest(one) for one in moved if len(paints(scene, one)) == 3)
        if script.NAME in ("drums", "drum_pattern"):
            mallets = [one for one in moved if len(paints(scene, one)) == 3]
            top = min(one.y for one in mallets)
            return frozenset(nearest(one) for one in mallets if one.y - top > 4.5 * unit)
        if script.NAME == "tiles":
            return frozenset(nearest(one) for one in moved if scene.sprites[one.sprite].width * one.scale > 18.5 * unit)
        if script.NAME == "drummer":
            hands = [place for one in moved if (place := hand(scene, one))]
            return frozenset(name for name, (x, _) in places.items() for at in hands if abs(at[0] - x) < 2.5 * unit)
        if script.NAME == "flags":
            lows, ups = (
                sorted((one for one in every if COLOURS["orange"] in paints(scene, one)), key=lambda one: one.x)
                for every in (frames[0], frame)
            )
            pairs = zip(script.colours, lows, ups, strict=True)
            return frozenset(name for name, low, one in pairs if low.y - one.y > 12 * unit)
        if script.NAME == "hops":
            return frozenset(
                name
                for name in script.colours
                for one in moved
                if is_painted(scene, one, name) and places[name][1] - one.y > 6 * unit
            )
        fresh = {one.sprite for one in moved} - {one.sprite for one in frames[0]}
        return frozenset(
            name
            for name in script.colours
            if any(one.sprite in fresh and is_painted(scene, one, name) for one in moved)
        )

    known: dict[int, Active] = {}
    return [known.setdefault(id(scene.placements(frame)), of_frame(frames[frame])) for frame in range(scene.frames)]


def runs(states: Sequence[Active]) -> list[Active]:
    """What is active, one after the other, with stillness between."""
    return [state for state, _ in groupby(states)]


def answer(script: Cued, states: Sequence[Active]) -> str:
    """What is right, worked out from the stem of the question and what was seen."""
    stem, seen = script.asked().stem, runs(states)
    busy = [state for state in seen if state]

    def named(state: Active) -> str:
        at_once = "both at once" if len(script.colours) == 2 else "all three at once"
        return at_once if len(state) > 1 else script.named(script.colours.index(next(iter(state))))

    if isinstance(script, Flags):
        rounds = [list(group) for is_busy, group in groupby(seen, bool) if is_busy]
        assert len(rounds) == 3
        times = next(number for number, word in enumerate(("first time", "second time", "third time")) if word in stem)
        return named(rounds[times][-1 if "to lower" in stem else 0])
    if isinstance(script, Together):
        return named(busy[-1 if " off?" in stem or "stop" in stem else 0])
    asked = next((name for name in script.colours if f" the {name} " in stem), "")
    if isinstance(script, Never):
        followers = {next(iter(b)) for a, b in pairwise(busy) if a == {asked}}
        (never,) = {*script.colours} - followers
        return script.named(script.colours.index(never))
    busy = [state for state, _ in groupby(busy)]
    assert len(busy) == len(script.colours)
    if asked:
        return named(busy[busy.index(frozenset([asked])) + (1 if " after " in stem else -1)])
    return named(
        busy[{"first": 0, "second": 1, "third": 2, "fourth": 3, "last": -1}[stem.split(" to ")[0].split()[-1]]]
    )


@pytest.mark.parametrize("name", SCRIPTS)
def test_what_the_pictures_show_is_what_the_clip_says(name: str) -> None:
    variations = [one for one in SCRIPTS[name].VARIATIONS if one != "first_person"]
    for number, item in enumerate(made(20, 5, scripts=name, resolution=256, variation="plain")):
        script = shown(item)
        assert answer(script, actives(script, scene_of(item, script))) == script.says(), (number, script)
    for variation in variations[1:]:
        (item,) = made(1, 6, scripts=name, resolution=256, variation=variation)
        for one in shown(item).alternatives():
            assert answer(one, actives(one, scene_of(item, one))) == one.says(), (variation, one)


@pytest.mark.parametrize("name", SCRIPTS)
def test_sparse_frames_at_any_phase_tell_the_answer(name: str) -> None:
    for item in made(4, 9, scripts=name, resolution=256, variation="plain"):
        script = shown(item)
        stride = min(end - first for first, end in script.seen())
        for one in script.alternatives():
            states = actives(one, scene_of(item, one))
            for phase in range(stride):
                assert answer(one, states[phase::stride]) == one.says(), (one, stride, phase)


def test_kinds_and_twists() -> None:
    kinds = [script.DEMONSTRATION for script in SCRIPTS.values()]
    assert (kinds.count("human"), kinds.count("object"), kinds.count("simulated")) == (3, 6, 2)
    assert all({*VARIATIONS} - {*script.VARIATIONS} <= {"counterfactual"} for script in SCRIPTS.values())


def test_the_camera_rests_where_cues_meet_and_never_jumps() -> None:
    for item in made(22, 4, variation="first_person"):
        script = shown(item)
        walk = script.walk()
        phases = [script.camera_phase(pose, 1 + script.cues * script.cue) for pose in walk]
        assert phases[0] == phases[-1] == 0 and max(map(abs, phases)) > 0.7
        # Where it is tells how far a cue has come, and not whose it is.
        poses = 1 + script.cues * script.cue
        assert len({script.camera_phase(pose, poses) for pose in range(3, poses, script.cue)}) == 1
        assert all(abs(b - a) < 0.25 for a, b in pairwise(phases))


def test_every_way_to_ask_comes_up_and_words_do_not_depend_on_the_answer() -> None:
    stems: list[Asked] = [shown(item).asked() for item in made(120, 8)]
    text = " ".join(asked.stem for asked in stems)
    for part in ("right after", "right before", "the first", "the second", "the last", "never", "lower", "raise"):
        assert part in text
    for item in made(11, 8):
        assert len({one.asked() for one in shown(item).alternatives()}) == 1


@pytest.mark.parametrize("name", ["drums", "drum_pattern", "drummer"])
def test_the_dashes_of_a_hit_are_seen_for_three_tenths_of_a_second(name: str) -> None:
    for item in made(20, 6, scripts=name, resolution=256, variation="plain"):
        script = shown(item)
        scene = scene_of(item, script)
        for first, end in script.spans():
            shown_in = [any(is_spark(scene, one) for one in scene.placements(frame)) for frame in range(first, end)]
            assert sum(shown_in) >= 0.3 * script.fps - 1, script


def is_spark(scene: Scene, one: Placement) -> bool:
    return all(isinstance(shape, Line) and shape.colour == INK for shape in flattened(scene.sprites[one.sprite]).shapes)


def test_shapes_are_called_what_they_are() -> None:
    for item in made(40, 6, scripts="hops", resolution=256):
        script = shown(item)
        scene = scene_of(item, script)
        looks = {
            type(shape).__name__
            for one in scene.placements(0)
            for shape in flattened(scene.sprites[one.sprite]).shapes
            if getattr(shape, "colour", None) in [COLOURS[name] for name in script.colours]
        }
        names = {"Ellipse": "disc", "Rectangle": "square", "Polygon": "triangle"}
        assert script.named(0).endswith(f" {names[looks.pop()] if len(looks) == 1 else 'shape'}")


def test_too_few_frames_are_refused_with_what_to_change() -> None:
    for chosen in ({"fps": 2}, {"seconds": 4, "fps": 5}, {"seconds": 4, "scripts": "tiles"}):
        with pytest.raises(InputError, match=r"moving frames are too few for .*: raise --seconds or --fps$"):
            made(**chosen)
    for item in [*made(11, fps=8), *made(11, seconds=60), *made(11, seconds=6)]:
        assert shown(item).frames == item.clips[0].frames


def test_a_tampered_plan_is_refused() -> None:
    def refuse(name: str, *changes: dict[str, Any]) -> None:
        plan = made(scripts=name, variation="plain")[0].clips[0].plan
        assert FAMILY.episode(plan)
        common: list[dict[str, Any]] = [
            {"answer": 5},
            {"answer": True},
            {"frames": plan["frames"] + 1},
            {"frames": 10**9},
            {"cue": plan["cue"] + 1},
            {"cue": 10**12},
            {"colours": plan["colours"][:1]},
            {"colours": ["mauve", *plan["colours"][1:]]},
            {"colours": plan["colours"][:1] * len(plan["colours"])},
            {"labels": [1] * len(plan["labels"])},
            {"labels": [10**9, 1]},
            {"look": 7},
            {"side": "above"},
            {"variation": "upside"},
            {"script": "juggles"},
        ]
        for change in [*common, *changes]:
            with pytest.raises(ValueError, match=r"."):
                FAMILY.episode({**plan, **change})

    refuse(
        "lamps",
        {"order": [0, 0, 1, 2]},
        {"order": [0, 1]},
        {"place": 4, "order": [2, 1, 0]},
        {"gaps": [1, 1]},
        {"gaps": [0, 1, 1, 1]},
        {"asks": "between"},
    )
    refuse("flags", {"asks": "after"}, {"answer": 3}, {"order": [0, 1, 2, 3]}, {"variation": "counterfactual"})
    plan = made(scripts="tiles")[0].clips[0].plan
    first, *others = plan["sequences"]
    refuse(
        "tiles",
        {"sequences": [first, first, first, first]},
        {"sequences": [first[:-1], *others]},
        {"sequences": others},
        {"sequences": [[0] * 100_000, *others]},
        {"after": 4},
        {"gaps": plan["gaps"][:-1]},
    )
    refuse("alarm_clocks", {"end": "middle"}, {"later": [0, 0]}, {"gap": 0}, {"gap": 10**9}, {"rests": [1]})
    with pytest.raises(ValueError, match="frames a second"):
        FAMILY.scene(plan, FAMILY.settings.model_validate({"fps": 30}))


def test_orders_can_ask_for_everything() -> None:
    for item in made(30, 2, scripts="hops"):
        script = shown(item)
        assert isinstance(script, Order)
        assert script.anchor not in {one.answer for one in script.alternatives()}
