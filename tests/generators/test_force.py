"""The Force family: the answer read off the placements, marks read off the drawn scale, physics, tampered plans."""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import groupby
from math import floor, hypot
from typing import Any

import pytest

from generators.certificates import frame_digests, frame_keys
from generators.errors import InputError
from generators.family import family
from generators.item import Item
from generators.rendering.scene import Placement, Scene, Text
from tests.generators.making import items_of, plans_of

FORCE = family("force")
SCRIPTS = ("hammer", "pressed_spring", "pushed_puck", "spring_scale", "wind")


@cache
def items() -> tuple[Item, ...]:
    return tuple(items_of(FORCE, FORCE.settings.model_validate({"resolution": "640x360"}), 21, 30))


def scene(item: Item, clip: int) -> Scene:
    return FORCE.scene(item.clips[clip].plan, FORCE.settings.model_validate(item.provenance.settings))


def events(scene: Scene) -> list[list[int]]:
    """The runs of frames that do not look like the first one."""
    still = list(scene.placements(0))
    runs = groupby(range(scene.frames), key=lambda frame: list(scene.placements(frame)) == still)
    return [list(frames) for is_still, frames in runs if not is_still]


def once(scene: Scene, frame: int) -> dict[int, Placement]:
    """The things that a frame shows once, by sprite."""
    placed = list(scene.placements(frame))
    counts = Counter(one.sprite for one in placed)
    return {one.sprite: one for one in placed if counts[one.sprite] == 1}


def farthest(scene: Scene, frames: list[int]) -> tuple[float, float]:
    """How far anything that never turns gets from where it rests, and how far anything turns."""
    still = once(scene, 0)
    pairs = [(still[name], one) for frame in frames for name, one in once(scene, frame).items() if name in still]
    moved = [hypot(b.x - a.x, b.y - a.y) for a, b in pairs if a.angle == b.angle == 0]
    return max(moved), max(abs(b.angle - a.angle) for a, b in pairs)


def test_every_script_is_drawn() -> None:
    assert {item.clips[0].plan["script"] for item in items()} == set(SCRIPTS)


def test_answers_are_those_read_off_what_moves() -> None:
    for item in items():
        for clip in (0, 1):
            shown = scene(item, clip)
            first, second = (farthest(shown, frames)[0] for frames in events(shown))
            assert FORCE.episode(item.clips[clip].plan).answer() == (0 if first > second else 1), item.id
            for (start, end), frames in zip(item.clips[clip].spans, events(shown), strict=True):
                # A force that grows from nothing shows after a few frames.
                assert start <= frames[0] <= start + 6 and end - 6 <= frames[-1] < end


def test_open_keys_are_the_marks_read_off_the_drawn_scale() -> None:
    for item in items():
        for clip in (0, 1):
            shown, script = scene(item, clip), item.clips[clip].plan["script"]
            moved, turned = farthest(shown, events(shown)[0])
            if script == "spring_scale":
                mark = turned / 12
            elif script == "wind":
                mark = max(tilt(shown, frame) for frame in events(shown)[0]) / 4.5
            else:
                ends = [label(shown, text) for text in ("0", "20")]
                mark = moved / (hypot(ends[1].x - ends[0].x, ends[1].y - ends[0].y) / 20)
            assert round(mark) == item.questions[2].keys[clip], (item.id, mark)


def label(scene: Scene, text: str) -> Placement:
    names = [
        name
        for name, sprite in enumerate(scene.sprites)
        if any(isinstance(shape, Text) and shape.text == text for shape in sprite.shapes)
    ]
    return next(one for one in scene.placements(0) if one.sprite in names)


def tilt(scene: Scene, frame: int) -> float:
    """How far the spike on the flower leans: it is placed just before the flower and the pot."""
    return abs(list(scene.placements(frame))[-3].angle)


def best_threshold(gentle: list[float], hard: list[float]) -> float:
    """The share of right answers of the best rule that takes all above some value for the harder ones."""
    numbers = len(gentle) + len(hard)
    return max(sum(one < at for one in gentle) + sum(one >= at for one in hard) for at in gentle + hard) / numbers


@pytest.mark.parametrize("script", SCRIPTS)
def test_the_first_event_alone_does_not_tell_whether_it_is_the_harder(script: str) -> None:
    settings = FORCE.settings.model_validate({"scripts": script})
    marks: tuple[list[float], list[float]] = [], []
    lengths: tuple[list[float], list[float]] = [], []
    ends: tuple[list[float], list[float]] = [], []
    for _, plans in plans_of(FORCE, settings, 31, 200):
        for plan in plans:
            episode = FORCE.episode(plan)
            is_harder = plan["marks"][0] > plan["marks"][1]
            (start, end), _ = episode.spans()
            marks[is_harder].append(plan["marks"][0])
            lengths[is_harder].append(end - start)
            ends[is_harder].append(end)
    assert best_threshold(*marks) <= 0.75
    assert best_threshold(*lengths) <= 0.75
    assert best_threshold(*ends) <= 0.75
    assert len({*marks[0], *marks[1]}) >= 12


def test_the_example_of_an_answer_depends_on_no_mark() -> None:
    shown = {item.questions[2].prompt.rpartition("such as ")[2] for item in items()}
    assert shown == {"`Final Answer: 0`."}


@pytest.mark.parametrize("script", SCRIPTS)
def test_both_clips_are_painted_alike_but_for_their_order(script: str) -> None:
    settings = FORCE.settings.model_validate({"scripts": script, "resolution": 128})
    [item] = items_of(FORCE, settings, 4, 1)
    assert item.pair is not None and item.pair["certificate"] == "permutation"
    digests = [frame_digests(scene(item, clip)) for clip in (0, 1)]
    assert Counter(digests[0]) == Counter(digests[1]) and digests[0] != digests[1]


@pytest.mark.parametrize("script", SCRIPTS)
@pytest.mark.parametrize("contrast", ["1.1", "2", "3", "4"])
def test_contrast_is_as_asked_for_and_whole_numbers_exactly(script: str, contrast: str) -> None:
    settings = FORCE.settings.model_validate({"scripts": script, "contrast": contrast})
    for item in items_of(FORCE, settings, 6, 2):
        off = abs(item.measures["contrast"] / float(contrast) - 1)
        assert off == 0 if float(contrast) == int(float(contrast)) else off <= 0.03


def test_slides_and_flights_go_with_the_square_of_the_force() -> None:
    for item in items():
        episode = FORCE.episode(item.clips[0].plan)
        gentle, hard = sorted(episode.marks)
        power = 2 if item.clips[0].plan["script"] in ("pushed_puck", "hammer") else 1
        assert episode.contrast() ** power == pytest.approx(hard / gentle)
        # The impulse is the speed that the thing starts with, and that is twice the way over the time.
        if item.clips[0].plan["script"] == "pushed_puck":
            steps = [next(value for value, _ in episode.event(mark) if value) for mark in (gentle, hard)]
            assert steps[1] / steps[0] == pytest.approx(episode.contrast(), rel=0.12)


def test_every_rate_from_the_measured_one_on_tells_the_clips_apart() -> None:
    for item in items():
        sprites: dict[Any, int] = {}
        first, second = (frame_keys(scene(item, clip), sprites) for clip in (0, 1))
        for step in range(1, floor(item.clips[0].fps / item.measures["minimum_fps"] + 1e-3) + 1):
            assert all(first[phase::step] != second[phase::step] for phase in range(step)), (item.id, step)


def tampered() -> Iterator[dict[str, Any]]:
    for script in SCRIPTS:
        [item] = items_of(FORCE, FORCE.settings.model_validate({"scripts": script}), 9, 1)
        plan = item.clips[0].plan
        for name, value in plan.items():
            if isinstance(value, int):
                yield from ({**plan, name: other} for other in (-1, 10**400, float(value), str(value), True))
                if name not in ("fps", "look"):
                    yield {**plan, name: value + 7}
        first, second, third = plan["rests"]
        for rests in (
            [0, first + second, third],
            [first, second],
            [first, second, third + 1],
            [1.0, 2, 3],
            first,
            "123",
        ):
            yield {**plan, "rests": rests}
        for marks in ([5, 5], [0, 5], [5, 21], [5], [5, 6, 7], [5, 10**400], [5.0, 6], ["5", "6"], None):
            yield {**plan, "marks": marks}
        yield from ({**plan, "colour": other} for other in ("mauve", "", 3))
        yield from ({**plan, "side": other} for other in ("top", "left ", 3))
        yield {**plan, "script": "puck"}


def test_tampered_plans_are_refused() -> None:
    for plan in tampered():
        with pytest.raises(ValueError, match=r"."):
            FORCE.episode(plan)


def test_settings_that_leave_no_room_are_refused_in_one_line() -> None:
    with pytest.raises(InputError, match=r"--contrast"):
        items_of(FORCE, FORCE.settings.model_validate({"contrast": "5", "scripts": "pushed_puck"}), 1, 1)
    with pytest.raises(InputError, match=r"--fps or --seconds"):
        items_of(FORCE, FORCE.settings.model_validate({"fps": 1, "scripts": "hammer"}), 1, 1)
