"""The Causal contingency family: cause, pause and keys read off what moves in each frame, and tampered plans."""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import groupby, pairwise
from math import cos, floor, pi, radians, sin
from typing import Any

import pytest

from generators.certificates import frame_digests, frame_keys
from generators.errors import InputError
from generators.family import family
from generators.item import Item
from generators.rendering.scene import Placement, Scene
from generators.stage import COLOURS
from tests.generators.making import items_of, plans_of

CAUSAL = family("causal_contingency")
SCRIPTS = ("dominoes", "gate", "jack_in_the_box", "lamp", "launch")
Run = tuple[str, int, int]


@cache
def items() -> tuple[Item, ...]:
    return tuple(items_of(CAUSAL, CAUSAL.settings.model_validate({"resolution": "640x360"}), 21, 40))


def scene(item: Item, clip: int) -> Scene:
    return CAUSAL.scene(item.clips[clip].plan, CAUSAL.settings.model_validate(item.provenance.settings))


def of_colour(scene: Scene, placement: Placement, colour: str) -> bool:
    return any(getattr(shape, "colour", None) == COLOURS[colour] for shape in scene.sprites[placement.sprite].shapes)


def runs(item: Item, clip: int) -> list[Run]:
    """(what is away from where it rests, first frame, end): the first colour, the second, "other" or "still"."""
    shown, colours = scene(item, clip), item.clips[clip].plan["colours"]
    still = set(shown.placements(0))

    def away(frame: int) -> str:
        moved = set(shown.placements(frame)) ^ still
        for colour in colours:
            # The box is of the second colour and never moves.
            if any(of_colour(shown, one, colour) for one in moved):
                return str(colour)
        return "other" if moved else "still"

    listed = []
    for name, frames in groupby(range(shown.frames), key=away):
        numbers = list(frames)
        listed.append((name, numbers[0], numbers[-1] + 1))
    return listed


def test_every_script_is_drawn_once_and_twice() -> None:
    plans = [item.clips[0].plan for item in items()]
    assert {plan["script"] for plan in plans} == set(SCRIPTS)
    assert {(plan["script"], plan["is_twice"]) for plan in plans if "is_twice" in plan} == {
        (script, is_twice) for script in ("dominoes", "gate", "lamp") for is_twice in (False, True)
    }


def test_the_cause_is_what_is_followed_at_once() -> None:
    for item in items():
        plan = item.clips[0].plan
        if plan["script"] == "launch":
            continue
        for clip in (0, 1):
            found = runs(item, clip)
            follows = [(before[0], after[0]) for before, after in pairwise(found)]
            causes = [before for before, after in follows if after == "other" and before != "still"]
            answer = CAUSAL.episode(item.clips[clip].plan).answer()
            if plan["script"] == "jack_in_the_box":
                assert answer == (0 if causes else 1), item.id
            else:
                assert len(causes) == 1 and answer == plan["colours"].index(causes[0]), item.id


def test_the_pause_behind_what_is_no_cause_is_the_contrast() -> None:
    for item in items():
        plan = item.clips[0].plan
        if plan["script"] == "launch":
            continue
        asked = round(item.measures["contrast"] * plan["fps"])
        pauses = []
        for clip in (0, 1):
            found = runs(item, clip)
            for before, after in pairwise(found):
                if before[0] in plan["colours"] and after[0] == "still" and after[2] < item.clips[clip].frames:
                    follows = next(name for name, first, _ in found if first == after[2])
                    pauses.append(after[2] - after[1])
                    # What is drawn away begins so slowly that it seems to rest for a few frames more.
                    slack = 0 if follows == "other" else plan["fps"] // 3
                    assert asked <= pauses[-1] <= asked + slack, (item.id, pauses, asked)
        assert pauses


def test_a_launch_is_told_from_how_long_both_balls_lie_together() -> None:
    for item in items():
        if item.clips[0].plan["script"] != "launch":
            continue
        for clip in (0, 1):
            shown = scene(item, clip)
            places = [tuple(one.x for one in list(shown.placements(frame))[-2:]) for frame in range(shown.frames)]
            gaps = [abs(a - b) for a, b in places]
            # Times in which both touch and rest: one frame at the contact that is a cause.
            touching = [len(list(frames)) for near, frames in groupby(gaps, key=lambda gap: gap == min(gaps)) if near]
            assert len(touching) == 2
            answer = CAUSAL.episode(item.clips[clip].plan).answer()
            assert answer == (0 if touching[0] < touching[1] else 1), (item.id, touching)
            assert abs(abs(touching[0] - touching[1]) - item.clips[clip].plan["pause"]) <= 2


def test_open_keys_are_read_off_what_moves() -> None:
    kinds = set()
    for item in items():
        question = item.questions[2]
        kinds.add(question.kind)
        assert question.keys[0] != question.keys[1]
        for clip in (0, 1):
            found = runs(item, clip)
            plan = item.clips[clip].plan
            if question.kind == "sequence":
                word = {"lamp": "lamp", "gate": "gate", "dominoes": "bell"}[plan["script"]]
                order = [word if name == "other" else name for name, _, _ in found if name != "still"]
                assert question.keys[clip] == order
                continue
            if plan["script"] == "launch":
                # The second ball has rolled by its second frame.
                shown = scene(item, clip)
                second = [list(shown.placements(frame))[-1].x for frame in range(shown.frames)]
                start = next(frame for frame in range(shown.frames) if second[frame] != second[0]) - 1
            else:
                start = next(first for name, first, _ in found if name == "other")
            assert abs(start / plan["fps"] - question.keys[clip]) < 1.5 / plan["fps"], item.id
            tolerance = question.about["tolerance"]
            assert abs(question.keys[0] - question.keys[1]) > tolerance
    assert kinds == {"sequence", "seconds"}


@pytest.mark.parametrize("script", SCRIPTS)
def test_the_time_of_the_first_effect_alone_does_not_tell_the_cause(script: str) -> None:
    settings = CAUSAL.settings.model_validate({"scripts": script})
    # With once and twice apart, as the prompt says which of them is shown.
    times: dict[bool, tuple[list[float], list[float]]] = {False: ([], []), True: ([], [])}
    for _, plans in plans_of(CAUSAL, settings, 31, 300):
        effects = [first_effect(plan) for plan in plans]
        early, late = sorted(effects)
        assert early < late
        times[plans[0].get("is_twice", False)][0].append(early)
        times[plans[0].get("is_twice", False)][1].append(late)
    for early_ones, late_ones in times.values():
        if early_ones:
            everything = early_ones + late_ones
            right = max(sum(a < at for a in early_ones) + sum(b >= at for b in late_ones) for at in everything)
            assert len(early_ones) > 80 and right / len(everything) <= 0.75, right / len(everything)


def first_effect(plan: dict[str, Any]) -> float:
    """The second at which anything is first set off, or comes by itself."""
    episode = CAUSAL.episode(plan)
    if plan["script"] in ("launch", "jack_in_the_box"):
        spans = episode.scene(CAUSAL.settings.model_validate({"scripts": plan["script"]})).spans
        return float(spans[1][0] / plan["fps"])
    return float(next(start for part, start, _ in episode.parts() if part == "middle") / plan["fps"])


def test_no_domino_passes_through_another_nor_the_foot_of_the_bell() -> None:
    plan = next(item.clips[0].plan for item in items() if item.clips[0].plan["script"] == "dominoes")
    episode = CAUSAL.episode(plan)
    shown = CAUSAL.scene(plan, CAUSAL.settings.model_validate({"resolution": "1024"}))
    unit, thick, tall = 10.24, episode.THICK * 10.24, episode.TALL * 10.24
    for frame in range(shown.frames):
        for colour, turn in zip(episode.colours, (1, -1), strict=True):
            row = [one for one in shown.placements(frame) if of_colour(shown, one, colour)]
            # Corners mirrored so that all fall to the right, the outermost first.
            places = [(turn * (one.x - 512), one.y, radians(turn * one.angle)) for one in row]
            for (x, y, lean), ahead in zip(places, [*places[1:], None], strict=True):
                assert 0 <= lean < pi / 2
                tip = (
                    x + tall / 2 * sin(lean) + thick / 2 * cos(lean),
                    y - tall / 2 * cos(lean) + thick / 2 * sin(lean),
                )
                if ahead is None:
                    assert tip[0] <= -3.5 * unit + 2, (frame, tip)
                    continue
                right, low, tilt = ahead
                # How far the tip is from the middle line of the next one: at least half of its thickness.
                off = (right - tip[0]) * cos(tilt) + (low - tip[1]) * sin(tilt)
                assert off >= thick / 2 - 3, (frame, off)


@pytest.mark.parametrize("script", SCRIPTS)
def test_both_clips_are_painted_alike_but_for_their_order(script: str) -> None:
    settings = CAUSAL.settings.model_validate({"scripts": script, "resolution": 128})
    [item] = items_of(CAUSAL, settings, 4, 1)
    assert item.pair is not None and item.pair["certificate"] == "permutation"
    digests = [frame_digests(scene(item, clip)) for clip in (0, 1)]
    assert Counter(digests[0]) == Counter(digests[1]) and digests[0] != digests[1]


@pytest.mark.parametrize("script", SCRIPTS)
@pytest.mark.parametrize("contrast", ["0.25", "1", "2"])
def test_contrast_is_as_asked_for(script: str, contrast: str) -> None:
    settings = CAUSAL.settings.model_validate({"scripts": script, "contrast": contrast})
    for item in items_of(CAUSAL, settings, 6, 2):
        assert item.measures["contrast"] == float(contrast)


def test_every_rate_from_the_measured_one_on_tells_the_clips_apart() -> None:
    for item in items():
        sprites: dict[Any, int] = {}
        first, second = (frame_keys(scene(item, clip), sprites) for clip in (0, 1))
        for step in range(1, floor(item.clips[0].fps / item.measures["minimum_fps"] + 1e-3) + 1):
            assert all(first[phase::step] != second[phase::step] for phase in range(step)), (item.id, step)


def tampered() -> Iterator[dict[str, Any]]:
    for script in SCRIPTS:
        [item] = items_of(CAUSAL, CAUSAL.settings.model_validate({"scripts": script}), 9, 1)
        plan = item.clips[0].plan
        for name, value in plan.items():
            if isinstance(value, bool):
                yield from ({**plan, name: other} for other in (0, 1, "true", None))
            elif isinstance(value, int):
                yield from ({**plan, name: other} for other in (-1, 10**400, float(value), str(value), True))
                if name not in ("fps", "look"):
                    yield {**plan, name: value + 7}
            elif name in ("first", "cause", "side", "starts"):
                yield from ({**plan, name: other} for other in ("top", "left ", 3))
        if "is_twice" in plan:
            yield {**plan, "is_twice": not plan["is_twice"]}
        first, *between, last = plan["rests"]
        for rests in ([0, *between, first + last], [first, *between, last + 1], [first], [1.0, *between, last], first):
            yield {**plan, "rests": rests}
        for colours in (["red"], ["red", "red"], ["red", "mauve"], ["red", "blue", "green"], "red", [1, 2]):
            yield {**plan, "colours": colours}


def test_tampered_plans_are_refused() -> None:
    for plan in tampered():
        with pytest.raises(ValueError, match=r"."):
            CAUSAL.episode(plan)


def test_settings_that_leave_no_room_are_refused_in_one_line() -> None:
    settings = CAUSAL.settings.model_validate({"contrast": "4", "seconds": "4", "scripts": "lamp"})
    with pytest.raises(InputError, match=r"raise --seconds or --fps, or lower --contrast"):
        items_of(CAUSAL, settings, 1, 1)
