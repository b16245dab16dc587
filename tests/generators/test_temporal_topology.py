"""Temporal topology: the sentences told apart by what they say, and the relation read off what is placed where."""

import re
from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import combinations, pairwise, product
from math import floor
from typing import Any

import pytest

from generators.certificates import MATCHED, PERMUTATION, frame_digests, frame_keys
from generators.errors import InputError
from generators.family import family
from generators.item import Item, Plan
from generators.rendering.scene import Scene
from generators.temporal_topology import FAMILY, PARTNERS, SENTENCES, states
from simulators.intervals import RELATIONS, Interval, relation, reversed_in_time
from tests.generators.making import items_of, plans_of

SCRIPTS = ("lamps", "speakers", "wipers", "carts", "fountains")
Times = tuple[int, int, int, int]
"""When the first event begins and ends, and when the second does."""


@cache
def items(count: int = 40, **chosen: Any) -> tuple[Item, ...]:
    return tuple(items_of(FAMILY, FAMILY.settings.model_validate(chosen), 21, count))


def scenes(item: Item) -> list[Scene]:
    settings = FAMILY.settings.model_validate(item.provenance.settings)
    return [FAMILY.scene(clip.plan, settings) for clip in item.clips]


def is_true(sentence: str, names: tuple[str, str], times: Times) -> bool:
    """Whether a sentence is true, from its words alone, clause by clause."""
    begins = {"begins": 0, "ends": 1}
    of = {(name, point): times[2 * i + begins[point]] for i, name in enumerate(names) for point in begins}
    compare: dict[str, Callable[[int, int], bool]] = {
        "before": int.__lt__,
        "after": int.__gt__,
        "at the very moment at which": int.__eq__,
    }
    for clause in re.split(r", and |, ", sentence):
        if match := re.fullmatch(rf"(\w+) (begins|ends) ({'|'.join(compare)}) (\w+) (begins|ends)", clause):
            if not compare[match[3]](of[match[1], match[2]], of[match[4], match[5]]):
                return False
        elif match := re.fullmatch(r"both (begin|end) together", clause):
            if of[names[0], match[1] + "s"] != of[names[1], match[1] + "s"]:
                return False
        elif match := re.fullmatch(r"(\w+) begins first and ends first", clause):
            [other] = {*names} - {match[1]}
            if not all(of[match[1], point] < of[other, point] for point in begins):
                return False
        elif clause == "for a while the two overlap":
            if max(times[0], times[2]) >= min(times[1], times[3]):
                return False
        else:
            assert clause == "with a pause in between", clause
    return True


def test_exactly_one_of_the_thirteen_sentences_is_true_of_any_two_events() -> None:
    assert tuple(SENTENCES) == RELATIONS
    met = set()
    for (a, b), (c, d) in product(combinations(range(6), 2), repeat=2):
        true = [
            name
            for name, sentence in SENTENCES.items()
            if is_true(sentence.format(a="red", b="blue"), ("red", "blue"), (a, b, c, d))
        ]
        assert true == [relation(Interval(a, b), Interval(c, d))]
        met.update(true)
    assert met == {*RELATIONS}


def test_partners_show_the_same_events_for_the_same_time_in_another_order() -> None:
    for name, partners in PARTNERS.items():
        for partner in partners:
            same = sorted(states(name, partner)) == sorted(states(partner, name))
            assert same == (name != "equals")
            if name not in ("equals", "during", "contains"):
                assert partner == reversed_in_time(name)


def test_relations_are_balanced_and_meet_every_script_in_both_forms() -> None:
    drawn = plans_of(FAMILY, FAMILY.settings(), 4, 130)
    met: Counter[tuple[str, str]] = Counter()
    for index, plans in drawn:
        focal = RELATIONS[index % 13]
        assert focal in {plan["relation"] for plan in plans}
        met[focal, plans[0]["script"]] += 1
    assert set(met) == set(product(RELATIONS, SCRIPTS)) and set(met.values()) == {2}


@pytest.mark.parametrize("script", SCRIPTS)
def test_all_but_equals_are_permutations_down_to_the_pixels(script: str) -> None:
    made = items(13, scripts=script, resolution=128, fps=12)
    for item in made:
        assert item.pair is not None
        is_matched = "equals" in {clip.plan["relation"] for clip in item.clips}
        assert item.pair["certificate"] == (MATCHED if is_matched else PERMUTATION)
    for item in (made[0], made[4]):
        first, second = (frame_digests(scene) for scene in scenes(item))
        assert Counter(first) == Counter(second) and first != second


def seen_events(plan: Plan, scene: Scene) -> list[tuple[int, int]]:
    """When each of the two things looks other than at rest, from first to last, read off the placements."""
    axis = 1 if plan["side"] in ("left", "right") else 2
    middle = (scene.width if axis == 1 else scene.height) / 2
    is_low = plan["side"] in ("left", "top")
    events = []
    for low in (is_low, not is_low):
        looks = [
            tuple(one for one in scene.placements(frame) if (one[axis] < middle) == low)
            for frame in range(scene.frames)
        ]
        differ = [frame for frame, look in enumerate(looks) if look != looks[0]]
        events.append((differ[0], differ[-1] + 1))
    return events


def test_the_relation_can_be_read_off_the_pictures() -> None:
    for item in items():
        gap = item.measures["contrast"] * item.clips[0].fps
        open_question = item.questions[2]
        options = open_question.options or []
        for clip, scene, letter in zip(item.clips, scenes(item), open_question.keys, strict=True):
            # What moves looks at rest in a frame or two at its ends; moments that differ lie farther apart.
            snapped = [moment for event in seen_events(clip.plan, scene) for moment in event]
            for i, j in combinations(range(4), 2):
                if abs(snapped[i] - snapped[j]) <= 3:
                    snapped[j] = snapped[i]
                else:
                    assert abs(snapped[i] - snapped[j]) >= gap - 3
            times = (snapped[0], snapped[1], snapped[2], snapped[3])
            colours = clip.plan["colours"]
            names = (colours[0], colours[1])
            assert [is_true(option, names, times) for option in options].index(True) == "ABCDEFGHIJKLM".index(letter)
            script: Any = FAMILY.episode(clip.plan)
            words = script.words()
            assert [is_true(option, names, times) for option in words.options].index(True) == script.answer()
            assert [option in claim for option, claim in zip(words.options, words.claims, strict=True)] == [True, True]


def test_the_contrast_is_the_smallest_gap_in_seconds() -> None:
    for item in items(20, contrast=0.5):
        assert item.measures["contrast"] == 0.5
        for clip, scene in zip(item.clips, scenes(item), strict=True):
            ends = sorted({end for span in scene.spans for end in span})
            gaps = [after - before for before, after in pairwise(ends)]
            assert min(gaps) >= 12 and sum(clip.plan["segments"]) == ends[-1] - ends[0]
    with pytest.raises(InputError, match="leave no room in 4 seconds: raise --seconds or lower --contrast"):
        items(3, contrast=3, seconds=4)
    with pytest.raises(InputError, match="carts cannot show a time of 2 frames: raise --contrast"):
        items(1, contrast=0.1, scripts="carts")


def test_frames_at_the_minimum_rate_tell_the_clips_apart() -> None:
    for item in items()[:15]:
        stride = floor(item.clips[0].fps / item.measures["minimum_fps"] + 1e-3)
        sprites: dict[Any, int] = {}
        first, second = (frame_keys(scene, sprites) for scene in scenes(item))
        assert all(first[phase::stride] != second[phase::stride] for phase in range(stride))


def test_altered_plans_are_refused() -> None:
    kind = family("temporal_topology")
    changes: list[dict[str, Any]] = [
        {"script": "clocks"},
        {"colours": ["red", "red"]},
        {"colours": ["red", "grey"]},
        {"relation": "before"},
        {"relation": "sometimes"},
        {"partner": "equals"},
        {"segments": [10]},
        {"segments": [10, 10**30, 10]},
        {"segments": [0, 10, 10]},
        {"segments": "10"},
        {"before": 10**9},
        {"before": -1},
        {"frames": 20},
        {"side": "middle"},
        {"style": 7},
        {"size": 1},
        {"look": True},
        {"rates": [[0, 10], [1, 10]]},
        {"rates": [[9, 10], [1, 10]]},
        {"rates": [[1, 10]]},
        {"rates": [[7, 19_997], [7, 19_997]]},
    ]
    made = items(5, scripts="wipers")
    plan = made[4].clips[0].plan
    assert "during" in (plan["relation"], plan["partner"])
    for change in changes:
        with pytest.raises(ValueError, match=r"."):
            kind.episode(plan | change)
    with pytest.raises(ValueError, match="whole trip"):
        kind.episode(plan | {"rates": [plan["rates"][0], [1, sum(plan["segments"])]]})
