"""Fine-grained action: the manner of each way read off what is placed where, and the open keys counted again."""

from collections import Counter
from functools import cache
from itertools import groupby, pairwise
from math import floor
from typing import Any

import pytest

from generators.certificates import PERMUTATION, frame_digests, frame_keys
from generators.errors import InputError
from generators.fine_grained_action import FAMILY
from generators.item import Item
from generators.rendering.scene import Placement, Scene
from tests.generators.making import items_of, plans_of

SCRIPTS = ("carry_or_slide", "drawer", "lid", "blind", "tower", "wipe")


@cache
def items(count: int = 48, **chosen: Any) -> tuple[Item, ...]:
    return tuple(items_of(FAMILY, FAMILY.settings.model_validate(chosen), 31, count))


def scenes(item: Item) -> list[Scene]:
    settings = FAMILY.settings.model_validate(item.provenance.settings)
    return [FAMILY.scene(clip.plan, settings) for clip in item.clips]


def shown(scene: Scene, depth: int) -> list[list[Placement]]:
    """What is at a depth in each frame."""
    return [[one for one in scene.placements(frame) if one.depth == depth] for frame in range(scene.frames)]


def path(scene: Scene, depth: int) -> list[tuple[float, float]]:
    """Where the first thing at a depth is in each frame."""
    return [(placed[0].x, placed[0].y) for placed in shown(scene, depth)]


def direction(before: tuple[float, float], after: tuple[float, float]) -> str:
    dx, dy = after[0] - before[0], after[1] - before[1]
    assert not (dx and dy), "things move upright or level"
    return ("right" if dx > 0 else "left") if dx else ("down" if dy > 0 else "up")


def ways(values: list[float]) -> tuple[list[float], list[float]]:
    """The part of a walk out from its start to the far end, and the part from there back."""
    start = values[0]
    far = max(values, key=lambda value: abs(value - start))
    at_far = [index for index, value in enumerate(values) if value == far]
    return values[: at_far[0] + 1], values[at_far[-1] :]


def moving_frames(values: list[float]) -> int:
    changed = [index for index in range(1, len(values)) if values[index] != values[index - 1]]
    return changed[-1] - changed[0] + 1


def stops(values: list[float], shortest: int) -> int:
    """How often it stands still for as long, other than at either end."""
    runs = [(value, len(list(group))) for value, group in groupby(values)]
    return sum(length >= shortest for _, length in runs[1:-1])


def read(item: Item, clip: int, scene: Scene) -> tuple[int, Any]:
    """Which alternative is true of a clip, and the key of its open question, from the pictures alone."""
    fps = scene.fps
    match item.clips[clip].plan["script"]:
        case "carry_or_slide" | "lid":
            places = path(scene, 1)
            moves = [direction(a, b) for a, b in pairwise(places) if a != b]
            order = [move for move, _ in groupby(moves)]
            return (0 if order[0] == "up" else 1), order
        case "drawer":
            out, back = ways([x for x, _ in path(scene, 3)])
            lengths = moving_frames(out), moving_frames(back)
            return (0 if lengths[0] < lengths[1] else 1), round(lengths[0] / fps, 3)
        case "blind":
            out, back = ways([y for _, y in path(scene, 1)])
            # Rounded to pixels, what moves slowly stands still for a frame or two.
            counts = stops(out, fps // 5), stops(back, fps // 5)
            assert min(counts) == 0 < max(counts)
            return (0 if counts[0] == 0 else 1), counts[0]
        case "tower":
            bricks = shown(scene, 1)
            home = bricks[0][0].x
            away = max((one.x for placed in bricks for one in placed), key=lambda x: abs(x - home))
            # How many bricks are at the far mat, on it or above it; a brick that is set down stays while the hand goes.
            counts_there = [count for count, _ in groupby(sum(one.x == away for one in placed) for placed in bricks)]
            filled = counts_there[: counts_there.index(len(bricks[0])) + 1]
            return (0 if len(filled) == 2 else 1), len(filled) - 1
        case _:
            xs = [x for x, _ in path(scene, 1)]
            middle = xs[0]
            rests = [
                (start, start + length)
                for start, length, value in runs(xs)
                if value == middle and length >= 0.3 * fps and start
            ]
            first = xs[: rests[0][0]]
            second = xs[rests[0][1] :]
            reach = [max(abs(x - middle) for x in part) for part in (first, second)]
            far_side = max if item.clips[clip].plan["side"] == "left" else min
            end = far_side(first)
            count = len([1 for value, _ in groupby(first) if value == end])
            return (0 if reach[0] > reach[1] else 1), count


def runs(values: list[float]) -> list[tuple[int, int, float]]:
    found, start = [], 0
    for value, group in groupby(values):
        length = len(list(group))
        found.append((start, length, value))
        start += length
    return found


def best_threshold(found: list[tuple[int, int]]) -> float:
    """How many of (length, answer) the best single cut of the length gets right."""
    cuts = {length for length, _ in found}
    right = [sum((length < cut) == bool(answer) for length, answer in found) / len(found) for cut in cuts]
    return max(max(share, 1 - share) for share in right)


def test_every_script_is_drawn_in_both_manners() -> None:
    drawn = Counter((item.clips[0].plan["script"], item.clips[0].plan["first"]) for item in items())
    assert {script for script, _ in drawn} == {*SCRIPTS}
    assert len(drawn) == 2 * len(SCRIPTS)
    assert {plan["thing"] for item in items() if "thing" in (plan := item.clips[0].plan)} == {"bottle", "bell", "jar"}


@pytest.mark.parametrize("script", SCRIPTS)
def test_the_clips_are_permutations_down_to_the_pixels(script: str) -> None:
    [item] = items(1, scripts=script, resolution=128, fps=12)
    assert item.pair is not None and item.pair["certificate"] == PERMUTATION
    first, second = (frame_digests(scene) for scene in scenes(item))
    assert Counter(first) == Counter(second) and first != second


def test_the_manner_and_the_open_key_can_be_read_off_the_pictures() -> None:
    for item in items():
        for number, scene in enumerate(scenes(item)):
            answer, key = read(item, number, scene)
            script: Any = FAMILY.episode(item.clips[number].plan)
            assert answer == script.answer()
            asked = script.open_question()
            if asked.kind == "seconds":
                assert abs(key - asked.key) <= 2.5 / scene.fps
            else:
                assert key == asked.key, (item.clips[number].plan, key)
        keys = item.questions[2].keys
        assert keys[0] != keys[1]


def test_the_contrast_is_what_was_asked_for_and_what_is_seen() -> None:
    for item in items(24, contrast=2):
        assert item.measures["contrast"] == pytest.approx(2, rel=0.01)
    for item in items(24):
        plan, [scene, _] = item.clips[0].plan, scenes(item)
        contrast = item.measures["contrast"]
        if plan["script"] in ("carry_or_slide", "lid"):
            ys = [y for _, y in path(scene, 1)]
            sprite = next(one.sprite for one in scene.placements(0) if one.depth == 1)
            height = scene.sprites[sprite].height
            assert max(ys) - min(ys) == pytest.approx(contrast * height, abs=contrast + 2)
        elif plan["script"] == "wipe":
            xs = [x for x, _ in path(scene, 1)]
            (first, end), (start, last) = scene.spans
            reaches = sorted(max(xs[a:b]) - min(xs[a:b]) for a, b in ((first, end), (start, last)))
            assert reaches[1] / reaches[0] == pytest.approx(contrast, rel=0.04)
    with pytest.raises(InputError, match="no whole number of bricks"):
        items(1, scripts="tower", contrast=2.5)
    with pytest.raises(InputError, match="raise --fps or --seconds"):
        items(1, scripts="drawer", contrast=5, fps=4, seconds=4)


def test_a_set_of_any_contrast_can_be_made() -> None:
    for contrast in (1.1, 1.5, 5):
        assert len(items(12, contrast=contrast)) == 12


def test_frames_at_the_minimum_rate_tell_the_clips_apart() -> None:
    for item in items(24):
        stride = floor(item.clips[0].fps / item.measures["minimum_fps"] + 1e-3)
        sprites: dict[Any, int] = {}
        first, second = (frame_keys(scene, sprites) for scene in scenes(item))
        assert all(first[phase::stride] != second[phase::stride] for phase in range(stride))


def first_lengths(script: str) -> list[tuple[int, int]]:
    """(frames of the first event, answer) of both clips of many pairs."""
    settings = FAMILY.settings.model_validate({"scripts": script})
    found = []
    for _, plans in plans_of(FAMILY, settings, 5, 400):
        for plan in plans:
            episode: Any = FAMILY.episode(plan)
            _, [(start, end), _], _ = episode.played()
            found.append((end - start, episode.answer()))
    return found


@pytest.mark.parametrize("script", ["drawer", "blind"])
def test_the_length_of_the_first_event_alone_does_not_tell(script: str) -> None:
    assert best_threshold(first_lengths(script)) <= 0.78


def test_the_hand_comes_alike_in_both_clips() -> None:
    for item in items():
        sprites: dict[Any, int] = {}
        pair = scenes(item)
        # All until the first thing other than the hand moves, and all after the last one did.
        first, second = (frame_keys(scene, sprites) for scene in pair)
        start = min(scene.spans[0][0] for scene in pair)
        end = max(scene.spans[-1][1] for scene in pair)
        if item.clips[0].plan["script"] == "tower":
            # A move of a tower begins with the hand's way down and ends with its way up.
            start, end = (start + item.clips[0].plan["dip"], end - item.clips[0].plan["dip"])
        assert 0 < start < end < len(first)
        assert first[: start + 1] == second[: start + 1] and first[end:] == second[end:]


SHARED: list[dict[str, Any]] = [
    {"script": "juggle"},
    {"first": "sideways"},
    {"first": 0},
    {"colour": "grey"},
    {"sleeve": 3},
    {"skin": 4},
    {"skin": True},
    {"look": -1},
    {"side": "top"},
    {"rests": [0, 9, 9]},
    {"rests": [9, 9]},
    {"rests": [10**12, 9, 9]},
    {"rests": 9},
    {"frames": 100},
    {"frames": 10**9},
]
OWN: dict[str, list[dict[str, Any]]] = {
    "carry_or_slide": [{"lift": 100}, {"lift": 10**9}, {"air": 3}, {"ground": -4}, {"thing": "cow"}, {"reach": "9"}],
    "drawer": [{"row": 3}, {"fast": 10**6}, {"slow": 5}, {"fast": 2.5}],
    "lid": [{"lift": 0}, {"air": [9]}, {"thing": "jar"}],
    "blind": [{"begins": "open"}, {"goes": 1}, {"goes": 60}, {"pauses": 0}, {"glide": 4}, {"single": 3}],
    "tower": [{"bricks": 1}, {"bricks": 6}, {"cross": 1}, {"dip": 0}, {"grip": None}],
    "wipe": [
        {"reaches": [300, 3000]},
        {"reaches": [3000]},
        {"reaches": [10**9, 300]},
        {"rounds": [0, 2]},
        {"rounds": [2, 10**7]},
        {"beat": 1},
    ],
}


@pytest.mark.parametrize("script", SCRIPTS)
def test_altered_plans_are_refused(script: str) -> None:
    [item] = items(1, scripts=script)
    plan = item.clips[0].plan
    FAMILY.episode(plan)
    for change in SHARED + OWN[script]:
        with pytest.raises(ValueError, match=r"."):
            FAMILY.episode(plan | change)
    # Frames that are taken from one part and given to another are another plan, not an unsound one; added ones are.
    with pytest.raises(ValueError, match="make up the clip"):
        FAMILY.episode(plan | {"rests": [plan["rests"][0] + 1, *plan["rests"][1:]]})
