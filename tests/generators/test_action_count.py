"""Action count: what the pictures show is counted again by another way, from where things are placed."""

from collections.abc import Sequence
from itertools import groupby, pairwise
from math import atan2, dist, pi, remainder
from typing import Any

import pytest

from generators.action_count import FAMILY, PAINTS, SCRIPTS, Counting, Laps
from generators.difficulty import read_condition, read_ladder
from generators.errors import InputError
from generators.item import Item
from generators.rendering.scene import Placement, Scene, Sprite
from generators.sampling import Part, Selection, make_items, with_room
from generators.single_clips import VARIATIONS
from generators.stage import COLOURS
from tests.generators.making import items_of
from tests.generators.seen import colours_of


def made(count: int = 1, seed: int = 3, **chosen: Any) -> list[Item]:
    return items_of(FAMILY, FAMILY.settings.model_validate(chosen), seed, count)


def shown(item: Item) -> Counting:
    script: Counting = FAMILY.episode(item.clips[0].plan)
    return script


def scene_of(item: Item, times: int) -> Scene:
    plan = shown(item).model_copy(update={"times": times}).to_plan()
    return FAMILY.scene(plan, FAMILY.settings.model_validate(item.provenance.settings))


def has_colour(sprite: Sprite, name: str) -> bool:
    return COLOURS[name] in colours_of(sprite)


def moving(scene: Scene, colours: Sequence[str]) -> list[list[Placement]]:
    """What moves in each frame of the thing of the first colour, where there is one of the second, too."""
    frames = [list(scene.placements(frame)) for frame in range(scene.frames)]
    always = set(frames[0]).intersection(*frames)
    moves = [[one for one in frame if one not in always] for frame in frames]
    if len(colours) == 1:
        return moves
    near, far = (
        [one for frame in frames for one in frame if has_colour(scene.sprites[one.sprite], name)] for name in colours
    )

    def is_its(one: Placement) -> bool:
        if any(has_colour(scene.sprites[one.sprite], name) for name in colours):
            return has_colour(scene.sprites[one.sprite], colours[0])
        middles = [sum(other.x for other in side) / len(side) for side in (near, far)]
        return abs(one.x - middles[0]) < abs(one.x - middles[1])

    return [[one for one in frame if is_its(one)] for frame in moves]


def laps(places: Sequence[tuple[float, float]], centre: tuple[float, float]) -> int:
    """How many times it goes round the centre on the whole."""
    turns = [atan2(y - centre[1], x - centre[0]) for x, y in places]
    return round(abs(sum(remainder(b - a, 2 * pi) for a, b in pairwise(turns))) / (2 * pi))


def counted(scene: Scene, script: Counting) -> int:
    """How often what moves is far from where it began, each time after it was near again."""
    colours = script.colours if script.variation == "composite" else script.colours[:1]
    moves = moving(scene, colours)
    if isinstance(script, Laps):
        every = [[(one.x, one.y) for one in frame] for frame in moves]
        assert {len(frame) for frame in every} == {1}
        places = [frame[0] for frame in every]
        middle = tuple((max(axis) + min(axis)) / 2 for axis in zip(*places, strict=True))
        return laps(places, (middle[0], middle[1]))

    def away(frame: list[Placement]) -> float:
        far = 0.0
        for number, one in enumerate(frame):
            width, opacity = scene.sprites[one.sprite].width * one.scale, one.opacity
            if number >= len(moves[0]):
                far += 100 * opacity
            else:
                first = moves[0][number]
                far += dist((one.x, one.y), (first.x, first.y))
                far += abs(width - scene.sprites[first.sprite].width * first.scale)
        return far

    signal = [away(frame) for frame in moves]
    number, is_far = 0, False
    for value in signal:
        if not is_far and value > 0.6 * max(signal):
            number, is_far = number + 1, True
        elif is_far and value < 0.4 * max(signal):
            is_far = False
    return number


def read(item: Item) -> None:
    """Every option of the item shows as often as it says."""
    script = shown(item)
    for times in script.options if script.times < 4 else (script.times,):
        scene = scene_of(item, times)
        assert counted(scene, script) == times, (script.NAME, script.variation, times)


@pytest.mark.parametrize("name", SCRIPTS)
def test_as_many_are_counted_as_the_clip_says(name: str) -> None:
    for item in made(20, 5, scripts=name, resolution=256, variation="plain"):
        read(item)


@pytest.mark.parametrize("name", SCRIPTS)
def test_every_twist_shows_as_many(name: str) -> None:
    for variation in SCRIPTS[name].VARIATIONS:
        # A camera that moves makes all things move.
        if variation not in ("plain", "first_person"):
            read(made(1, 6, scripts=name, resolution=256, variation=variation)[0])


def test_every_script_has_the_twists_it_can_have() -> None:
    assert all({*VARIATIONS} - {*SCRIPTS[name].VARIATIONS} <= {"composite"} for name in SCRIPTS)
    kinds = [script.DEMONSTRATION for script in SCRIPTS.values()]
    assert (kinds.count("human"), kinds.count("object"), kinds.count("simulated")) == (5, 5, 3)


def test_what_never_happens_is_asked_about_in_its_turn() -> None:
    for name in ("car_laps", "dot_laps"):
        for item in made(60, 2, scripts=name):
            assert ("turns back" in item.questions[0].prompt) == (0 in shown(item).options)
        counts = [shown(item).times for item in made(60, 2, scripts=name, times="0..3")]
        assert 4 <= counts.count(0) <= 20
    with pytest.raises(InputError, match="bounces are never as few as 0: raise --times, or choose other --scripts"):
        made(scripts="bounces", times=0)


def test_sparse_frames_at_any_phase_tell_the_count() -> None:
    """From frames no further apart than the shortest window, by the shorter way round from each to the next."""
    for item in made(40, 9):
        script = shown(item)
        stride = min(end - first for first, end in script.seen())
        for one in script.alternatives():
            walk = one.walk()
            for phase in range(stride):
                sampled = [one.phases(pose)[0] for pose in (0, *walk[phase::stride], 0)]
                assert round(sum((b - a + 0.5) % 1 - 0.5 for a, b in pairwise(sampled)), 6) == one.times


def test_there_is_most_often_something_to_see() -> None:
    every = [shown(item) for item in made(240, 4)]
    assert 0.1 <= sum(one.options[0] < 2 for one in every) / 240 <= 0.3
    assert 0.01 <= sum(one.times < 2 for one in every) / 240 <= 0.1


def test_the_count_of_a_second_thing_is_another_option() -> None:
    """Counted from the pictures, of the clip of every option."""
    differences = set()
    for name in ("bounces", "flashes", "presses", "claps", "waves", "jumps", "bumps", "pulses"):
        for item in made(1, 8, scripts=name, resolution=256, variation="composite"):
            script = shown(item)
            for times in script.options:
                scene = scene_of(item, times)
                # As if it were asked about the second thing, which is told by its colour, or by where it is.
                other = script.model_copy(update={"colours": script.colours[::-1]})
                found = counted(scene, other)
                assert found in script.options and found != times, (name, script.options, times, found)
                differences.add(found - times)
    assert len(differences) >= 3


def test_what_counts_is_seen_for_a_fifth_of_a_second_or_in_one_frame_at_least() -> None:
    for item in made(30, 3):
        script = shown(item)
        slowest = min(script.rates())
        away = script.away()
        for one in script.alternatives():
            met = [away(one.phases(pose)[0]) == 0 for pose in one.walk()]
            runs = [len([*same]) for is_met, same in groupby(met) if is_met]
            assert len(runs) == one.times or (one.times == 0 and len(runs) <= 2)
            longest = max(1.5 * max(script.rates()) / slowest, 0.2 * one.fps)
            assert all(1 <= run <= longest + 2 for run in runs), (script, runs)


def test_sentences_begin_with_a_capital() -> None:
    for item in made(60, 3):
        parts = shown(item).asked().context.split(". ")
        assert all(part[0].isupper() for part in parts), parts


def test_the_list_of_options_tells_nothing() -> None:
    """Each place in the list, as the numbers rise, is right equally often."""
    places: dict[int, list[int]] = {}
    for item in made(240, 4):
        script = shown(item)
        places.setdefault(len(script.options), []).append(script.options.index(script.times))
    for size, found in places.items():
        assert all(
            abs(found.count(place) - len(found) / size) < 3 * (len(found) / size) ** 0.5 for place in range(size)
        )


def test_the_count_can_be_chosen_by_condition_and_ladder() -> None:
    where = Selection(read_condition("count>=9"))
    settings = FAMILY.settings.model_validate(with_room(FAMILY, {}, where))
    for item in make_items(Part(FAMILY.name, settings, 12, where), 1):
        assert item.measures["count"] >= 9
    ladder = Selection(None, read_ladder("count=1..12", 2))
    settings = FAMILY.settings.model_validate(with_room(FAMILY, {}, ladder))
    items = list(make_items(Part(FAMILY.name, settings, 24, ladder), 1))
    assert [item.measures["count"] for item in items] == [1 + number // 2 for number in range(24)]
    assert all(item.questions[0].options is not None and len(item.questions[0].options) >= 4 for item in items)
    # Where there is but one that can be right, it has every place among the others.
    fives = [shown(item) for item in made(40, 1, times=5)]
    assert {script.times for script in fives} == {5}
    assert {script.options.index(5) for script in fives} >= {0, 1, 2, 3}


def test_too_few_frames_are_refused_with_what_to_change() -> None:
    for chosen in ({"fps": 2}, {"seconds": 4, "times": "9..12"}, {"fps": 8, "times": 12}):
        with pytest.raises(InputError, match=r"change --times, or raise --seconds or --fps$"):
            made(**chosen)
    for item in made(13, fps=8):
        assert item.measures["count"] <= 9


def test_a_tampered_plan_is_refused() -> None:
    plan = made(scripts="bounces")[0].clips[0].plan
    twin = made(scripts="bounces", variation="composite")[0].clips[0].plan
    broken: list[dict[str, Any]] = [
        {"times": plan["options"][-1] + 1},
        {"options": [0, 1, 2, 3], "times": 1},
        {"options": plan["options"][::-1]},
        {"options": [plan["times"]] * 4},
        {"options": list(range(1, 13)), "times": 1},
        {"frames": plan["frames"] + 1},
        {"frames": 10**9},
        {"rests": [10**12, 1]},
        {"rests": plan["rests"][:1]},
        {"rests": ["1", 2]},
        {"colours": ["red", "mauve"]},
        {"colours": ["red", "red"]},
        {"rings": [[1, 1, plan["frames"] - sum(plan["rests"])]]},
        {"rings": [[1, 0, 10**9]]},
        {"rings": plan["rings"] * 2},
        {"rings": []},
        {"others": plan["options"]},
        {"side": "above"},
        {"place": 7},
        {"sign": 13},
        {"look": True},
        {"variation": "composite"},
        {"variation": "upside"},
        {"script": "juggles"},
    ]
    for change in broken:
        with pytest.raises(ValueError, match=r"."):
            FAMILY.episode({**plan, **change})
    own, other, poses = twin["rings"][0]
    for change in (
        {"rings": [[own, other, poses + 1], *twin["rings"][1:]]},
        {"rings": [[own + 1, other + 1, poses], *twin["rings"][1:]]},
        {"rings": [twin["rings"][0]] * 3},
        {"rings": twin["rings"][:2]},
        {"others": []},
        {"others": twin["options"]},
        {"others": [12] * len(twin["options"])},
        {"others": twin["others"][:-1]},
    ):
        with pytest.raises(ValueError, match=r"."):
            FAMILY.episode({**twin, **change})
    with pytest.raises(ValueError, match="frames a second"):
        FAMILY.scene(plan, FAMILY.settings.model_validate({"fps": 30}))


def test_colours_are_few_and_have_names() -> None:
    assert {*PAINTS} <= {*COLOURS}
