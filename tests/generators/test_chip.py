"""The Chip family: plans, pictures, prompts, keys and judgements, against cups filled by hand from the English.

Nothing in `Video` and `answer` uses the project: they are what a viewer sees and reads.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generators.dataset import prepare, write_dataset
from generators.errors import InputError
from generators.family import family
from generators.item import Item, Plan, Question
from generators.manifest import Request
from generators.questions import write_reply
from generators.rendering.cpu import YUV_MATRIX
from generators.rendering.scene import Scene
from generators.rendering.video import render
from generators.sampling import Part
from generators.settings import SKILLS
from generators.sheet import contact_sheet
from tests.generators.making import items_of, plans_of
from verifier.checking import check_dataset
from verifier.scoring import judge

CHIP = family("chip")
KINDS = dict(zip(SKILLS, ("sequence", "items", "items", "items", "items", "operations"), strict=True))
ABOUT_A_CUP = ("infer_state", "compare_state", "predict_state")
VALUES = (5, 10, 20, 50, 100)
FULLEST = 8

Cups = dict[str, list[int]]


def moved(cups: Cups, operations: list[str]) -> Cups:
    """The cups after the operations, carried out by hand; an AssertionError where the rules do not allow one."""
    now = {name: list(chips) for name, chips in cups.items()}
    for text in operations:
        verb, value, preposition, cup = re.fullmatch(r"(add|remove) (\d+) (to|from) (cup\d)", text).groups()  # type: ignore[union-attr]
        assert int(value) in VALUES and cup in now and preposition == {"add": "to", "remove": "from"}[verb]
        if verb == "add":
            now[cup].append(int(value))
        else:
            assert int(value) in now[cup], text
            now[cup].remove(int(value))
    return {name: sorted(chips) for name, chips in now.items()}


def can_be(cups: Cups, operations: list[str]) -> bool:
    try:
        moved(cups, operations)
    except AssertionError:
        return False
    return True


def surplus(cups: Cups, other: Cups, cup: str) -> list[int]:
    """One of each value for every time that it is more often in the cup than in the same cup of `other`."""
    return [value for value in VALUES for _ in range(cups[cup].count(value) - other[cup].count(value))]


@dataclass(frozen=True)
class Video:
    """What a viewer sees: the chips while they are shown, at which end, and the operations."""

    shown: Cups
    shown_at: str
    operations: list[str]

    @classmethod
    def of(cls, plan: Plan) -> "Video":
        shown = plan["start"] if plan["reveal"] == "start" else moved(plan["start"], plan["operations"])
        return cls(shown, plan["reveal"], plan["operations"])

    def cups_at(self, moment: str) -> Cups:
        """The cups at the start or the end, followed chip by chip from where they were shown."""
        if self.shown_at == moment:
            return self.shown
        if self.shown_at == "start":
            return moved(self.shown, self.operations)
        back = {"add": "remove {} from {}", "remove": "add {} to {}"}
        undone = [back[verb].format(value, cup) for verb, value, _, cup in map(str.split, reversed(self.operations))]
        return moved(self.shown, undone)


def parts(prompt: str) -> tuple[str, str, str]:
    """The rules, the question and the form of the answer."""
    rules, operations, question, form = prompt.split("\n\n")
    return f"{rules} {operations}", question, form


def found(pattern: str, text: str) -> tuple[str, ...]:
    match = re.search(pattern, text)
    assert match is not None, f"{pattern!r} is not in {text!r}"
    return match.groups()


def check_rules(rules: str, video: Video) -> None:
    names = ["cup0", "cup1", "cup2", "cup3"][: len(video.shown)]
    listed = names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
    assert listed in rules and f"cup{len(names)}" not in rules
    assert "Every chip has its value written on it: 5, 10, 20, 50 or 100; a cup may hold several" in rules
    held = "in the cup" if len(names) == 1 else "in the cups"
    assert (f"Only at the start of the video, before the first operation, is it shown what is {held}:" in rules) == (
        video.shown_at == "start"
    )
    assert ("Only after the last operation, at the end of the video, is it shown" in rules) == (video.shown_at == "end")
    assert "A cup looks the same however many chips are in it, even none." in rules
    assert (
        f"one chip is either added to {'the cup or removed from it' if len(names) == 1 else 'a cup or removed'}"
        in rules
    )
    assert "with an arrow pointing down below it" in rules and "with an arrow pointing up above it" in rules
    assert "add 50 to cup0, or remove 50 from cup0" in rules


def answer(skill: str, prompt: str, video: Video) -> list[Any]:
    """The answer in the form of the key, read off the prompt's words."""
    rules, question, form = parts(prompt)
    check_rules(rules, video)
    if skill == "recall_order":
        first, last = found(
            r"operations? number (\d+)(?: to (\d+), both included)?, in the order in which they were", question
        )
        return video.operations[int(first) - 1 : int(last or first)]
    if skill == "recall_count":
        one = len(video.shown) == 1
        where = r"the cup or removed from it\?" if one else "a cup or removed from one, and at which cup"
        [value] = found(rf"times was a chip with the value (\d+) added to {where}", question)
        assert f"`Final Answer: {'cup0, cup0' if one else 'cup0, cup1, cup1'}`" in form
        assert "List names alone, without numbers." in form and ("A cup is repeated" in form) != one
        assert "Additions and removals count alike" in question
        return sorted(text.split()[3] for text in video.operations if text.split()[1] == value)
    assert "A value is repeated as often" in form and "order does not matter" in form and "`Final Answer: none`" in form
    if skill == "infer_state":
        cup, moment = found(r"Which chips are in (cup\d) at the (start|end) of the video", question)
        return video.cups_at(moment)[cup]
    if skill == "compare_state":
        cup, moment, same, other = found(
            r"Compare (cup\d) at the (start|end) of the video, .* with (cup\d) at the (start|end), ", question
        )
        assert same == cup and moment != other
        assert f"are in {cup} at the {moment} of the video beyond those that are in it at the {other}?" in question
        assert "listed once for every chip that is there more" in question
        return surplus(video.cups_at(moment), video.cups_at(other), cup)
    listed, cup = found(r"in this order: (.*)\. Which chips are in (cup\d) after the last of them\?", question)
    moment = "end" if question.startswith("After the end of the video") else "start"
    assert ("Go back to the start of the video" in question) == (moment == "start")
    return moved(video.cups_at(moment), listed.split("; "))[cup]


def start_and_goal(prompt: str, video: Video) -> tuple[str, Cups]:
    """The moment from which a prompt asks for operations, and the cups to which they must lead."""
    rules, question, _ = parts(prompt)
    check_rules(rules, video)
    moment, goal = found(r"as it is at the (start|end) of the video.* into this table: (.*)\? \(The value", question)
    assert "none stands for an empty cup" in question and "There are chips of every value to add" in question
    assert "it need not be the shortest" in question and "makes the answer wrong" in question
    cups = {}
    for part in goal.split("; "):
        name, chips = part.split(": ")
        cups[name] = [] if chips == "none" else [int(chip) for chip in chips.split(", ")]
    return moment, cups


@cache
def items() -> tuple[Item, ...]:
    """160 items over 1 to 4 cups, both reveals and 1 to 30 operations."""
    made = []
    for cups in range(1, 5):
        chosen = CHIP.settings.model_validate({"cups": cups, "chips": "1..4", "ops": "1..30", "reveal": "both"})
        made += items_of(CHIP, chosen, cups, 40)
    return tuple(made)


def asked(skill: str) -> Iterator[tuple[Item, Question, Video]]:
    for item in items():
        [question] = [question for question in item.questions if question.id == skill]
        yield item, question, Video.of(item.clips[0].plan)


def outcome(item: Item, question: Question, value: Any) -> str:
    return judge(item, question, 0, write_reply(question.kind, value)).outcome


# ---------------------------------------------------------------------------------------------------- plans


@given(
    seed=st.integers(0, 2**64),
    cups=st.integers(1, 4),
    chips=st.integers(1, 6),
    ops=st.integers(1, 120),
    reveal=st.sampled_from(["start", "end"]),
)
def test_a_plan_is_a_walk_by_the_rules(seed: int, cups: int, chips: int, ops: int, reveal: str) -> None:
    chosen = CHIP.settings.model_validate({"cups": cups, "chips": chips, "ops": ops, "reveal": reveal})
    [(_, [plan])] = plans_of(CHIP, chosen, seed, 1)
    assert set(plan) == {"start", "operations", "reveal"} and plan["reveal"] == reveal
    assert list(plan["start"]) == [f"cup{cup}" for cup in range(cups)]
    assert all(len(held) == chips and held == sorted(held) for held in plan["start"].values())
    assert len(plan["operations"]) == ops
    states = [plan["start"]]
    for text in plan["operations"]:
        states.append(moved(states[-1], [text]))
    assert all(len(held) <= FULLEST for state in states for held in state.values())
    assert all(before != after for before, after in zip(states, states[2:], strict=False)), "an operation undoes"
    assert states[0] != states[-1]


def test_a_single_cup_never_leaves_only_an_operation_that_undoes() -> None:
    """A cup filled with eight chips of one value would; long walks with one cup come there by chance."""
    chosen = CHIP.settings.model_validate({"cups": 1, "chips": 1, "ops": 120})
    for _, [plan] in plans_of(CHIP, chosen, 23, 300):
        held = plan["start"]
        for text in plan["operations"]:
            held = moved(held, [text])
            assert len(held["cup0"]) < FULLEST or len(set(held["cup0"])) > 1


def test_cups_values_and_both_operations_are_drawn() -> None:
    chosen = CHIP.settings.model_validate({"cups": "1..4", "ops": 6})
    plans = [plan for _, [plan] in plans_of(CHIP, chosen, 5, 400)]
    start = [value for plan in plans for held in plan["start"].values() for value in held]
    assert all(0.15 < start.count(value) / len(start) < 0.25 for value in VALUES)
    counts = [len(plan["start"]) for plan in plans]
    assert all(70 <= counts.count(count) <= 130 for count in (1, 2, 3, 4))
    verbs = [text.split()[0] for plan in plans for text in plan["operations"]]
    assert 0.25 < verbs.count("remove") / len(verbs) < 0.5


# ---------------------------------------------------------------------------------------------------- pictures

OPERATIONS = ["remove 50 from cup0", "add 100 to cup0", "add 5 to cup1", "remove 20 from cup1"]
HIDDEN: list[Cups] = [
    {"cup0": [50], "cup1": [20]},
    {"cup0": [50], "cup1": [5, 20]},
    {"cup0": [50, 50, 100], "cup1": [10, 20]},
    {"cup0": [5, 5, 10, 20, 50, 100, 100], "cup1": [20, 100]},
]


def scene_of(start: Cups, operations: list[str], reveal: str, **settings: Any) -> Scene:
    plan = {"start": start, "operations": operations, "reveal": reveal}
    return CHIP.scene(plan, CHIP.settings.model_validate({"resolution": 224} | settings))


@pytest.mark.parametrize("reveal", ["start", "end"])
def test_hidden_chips_leave_no_trace_outside_the_reveal(reveal: str) -> None:
    scenes = [scene_of(start, OPERATIONS, reveal, fps=12) for start in HIDDEN]
    first, end = scenes[0].spans[0][0], scenes[0].spans[-1][1]
    closed = range(first, scenes[0].frames) if reveal == "start" else range(end)
    pictures = [render(scene, closed) for scene in scenes]
    assert all((picture == pictures[0]).all() for picture in pictures)
    shown = 0 if reveal == "start" else scenes[0].frames - 1
    reveals = [render(scene, [shown]) for scene in scenes]
    assert all((one != other).any() for number, one in enumerate(reveals) for other in reveals[:number])


def windows(scene: Scene) -> list[list[int]]:
    """The frames of each operation that look like its middle one: the chip is there as a whole and at rest."""
    found = []
    for first, end in scene.spans:
        best = scene.placements((first + end) // 2)
        found.append([frame for frame in range(first, end) if scene.placements(frame) == best])
    return found


def are_seen(windows: list[list[int]], fps: int, rate: float, frames: int) -> bool:
    """Whether samples at a rate include a frame of every window, from whatever moment on: every tenth of a frame."""
    step = fps / rate
    for tenth in range(int(10 * step)):
        times = (tenth / 10 + number * step for number in range(int(frames / step) + 1))
        sampled = {int(time) for time in times}
        if not all(sampled.intersection(window) for window in windows):
            return False
    return True


@pytest.mark.parametrize("fps", [2, 5, 10, 12, 24, 25, 30])
def test_one_frame_a_second_shows_every_operation_from_whatever_moment_on(fps: int) -> None:
    scene = scene_of(HIDDEN[2], OPERATIONS, "end", fps=fps, seconds_per_op=1.5)
    assert are_seen(windows(scene), fps, 1.0, scene.frames)
    assert not are_seen(windows(scene), fps, 0.6, scene.frames)


@pytest.mark.parametrize("seconds", [0.1, 0.3, 0.5, 1.5, 4.0])
@pytest.mark.parametrize("fps", [10, 24])
def test_the_minimum_rate_is_enough_and_no_less_is(fps: int, seconds: float) -> None:
    look = {"fps": fps, "seconds_per_op": max(seconds, 2 / fps), "ops": 5}
    chosen = CHIP.settings.model_validate(look)
    [item] = items_of(CHIP, chosen, 3, 1)
    scene = CHIP.scene(item.clips[0].plan, chosen)
    rate = item.measures["minimum_fps"]
    assert are_seen(windows(scene), fps, rate, scene.frames)
    assert not are_seen(windows(scene), fps, rate * 0.9, scene.frames)


@pytest.mark.parametrize("seconds", [0.1, 0.3, 0.5, 1.5, 4.0])
@pytest.mark.parametrize("fps", [24, 60])
def test_a_chip_rests_two_thirds_of_its_operation_with_a_gap_around_it(fps: int, seconds: float) -> None:
    """So the same operation twice in a row is seen to happen twice."""
    scene = scene_of(HIDDEN[2], ["add 5 to cup0", "add 5 to cup0"], "start", fps=fps, seconds_per_op=seconds)
    for window, (first, end) in zip(windows(scene), scene.spans, strict=True):
        assert window == list(range(window[0], window[-1] + 1))
        assert 3 * len(window) >= 2 * (end - first) or end - first == 2
        assert scene.placements(first) is scene.placements(scene.frames - 1), "nothing is on its way"


@pytest.mark.parametrize("resolution", ["192", "512", "640x360", "360x640"])
@pytest.mark.parametrize("cups", [1, 2, 4])
def test_the_arrow_travels_before_the_chip_and_is_never_covered_by_it(resolution: str, cups: int) -> None:
    start = {f"cup{cup}": [100] for cup in range(cups)}
    scene = scene_of(start, ["add 100 to cup0", "remove 100 from cup0"], "start", resolution=resolution, fps=60)
    for (first, end), down in zip(scene.spans, (1, -1), strict=True):
        seen = 0
        for frame in range(first, end):
            placed = scene.placements(frame)
            if len(placed) == len(scene.placements(scene.frames - 1)):
                continue
            arrow, chip = (placed[2 * cups + number] for number in (0, 1))
            sizes = [scene.sprites[one.sprite].height for one in (arrow, chip)]
            apart = (arrow.y - chip.y) * down - sum(sizes) / 2
            rim = placed[1].y
            assert 0 < apart < sizes[0] / 2 or (down == 1 and arrow.y > rim + sizes[0]), "or the cup hides the arrow"
            seen += apart > 0
        assert 3 * seen >= 2 * (end - first)


def test_between_operations_only_cups_are_seen() -> None:
    scene = scene_of(HIDDEN[2], OPERATIONS, "start")
    still = render(scene, [scene.frames - 1])[0]
    for first, end in scene.spans:
        assert (render(scene, [first, end - 1]) == still).all()
        assert (render(scene, [(first + end) // 2])[0] != still).any()


@pytest.mark.parametrize("resolution", ["128", "224", "512", "640x360", "360x640"])
@pytest.mark.parametrize("cups", [1, 2, 3, 4])
def test_a_chip_is_quite_hidden_once_it_is_in_its_cup(resolution: str, cups: int) -> None:
    """The last frame in which the chip moves in the cup shows the closed cup."""
    start = {f"cup{cup}": [100] for cup in range(cups)}
    scene = scene_of(start, ["add 100 to cup0", "add 5 to cup0"], "start", resolution=resolution, fps=120)
    closed = scene.placements(scene.frames - 1)
    lasts = [max(frame for frame in range(*span) if scene.placements(frame) != closed) for span in scene.spans]
    one, other, still = render(scene, [*lasts, scene.frames - 1])
    assert (one == other).all(), "neither value shows through or beside the cup"
    assert (one == still).all(), "nor does the arrow"


def test_a_chip_stays_a_second_and_equal_frames_share_their_list() -> None:
    scene = scene_of(HIDDEN[2], OPERATIONS, "start", fps=24)
    for first, end in scene.spans:
        lists = [scene.placements(frame) for frame in range(first, end)]
        middle = lists[len(lists) // 2]
        assert sum(one is middle for one in lists) >= 24
        assert lists[0] is lists[-1] is scene.placements(scene.frames - 1)
    assert scene.placements(0) is scene.placements(scene.spans[0][0] - 1)


def test_one_frame_tells_an_addition_from_a_removal_and_every_value_without_its_colour() -> None:
    operations = [f"{verb} {value} {way} cup0" for value in VALUES for verb, way in (("add", "to"), ("remove", "from"))]
    scene = scene_of({"cup0": [], "cup1": [], "cup2": [], "cup3": []}, operations, "start")
    pictures = [picture @ YUV_MATRIX[0] for picture in render(scene, [(a + b) // 2 for a, b in scene.spans])]
    for number, one in enumerate(pictures):
        for other in pictures[:number]:
            assert np.abs(one - other).max() > 90


def test_every_chip_of_the_fullest_cups_is_shown() -> None:
    start = {f"cup{cup}": [5, 10, 20, 20, 50, 50, 100, 100] for cup in range(4)}
    picture = render(scene_of(start, [], "start"), [0])[0]
    for cup in start:
        for place in range(FULLEST):
            fewer = start | {cup: [*start[cup][:place], *start[cup][place + 1 :]]}
            assert (render(scene_of(fewer, [], "start"), [0])[0] != picture).any()


def test_a_canvas_too_narrow_for_the_cups_is_refused() -> None:
    chosen = CHIP.settings.model_validate({"cups": "1..4", "resolution": 188})
    with pytest.raises(
        InputError, match=r"--resolution 188: .* 4 cups .* at least 192 pixels wide: raise --resolution"
    ):
        items_of(CHIP, chosen, 1, 1)


@pytest.mark.parametrize("resolution", ["192", "640x360", "360x640", "192x2048", "2048x128"])
@pytest.mark.parametrize("cups", [1, 4])
def test_any_canvas_and_its_sheet_can_be_drawn(resolution: str, cups: int) -> None:
    chosen = CHIP.settings.model_validate(
        {"resolution": resolution, "cups": cups, "ops": 3, "fps": 4, "seconds_per_op": 0.5}
    )
    [item] = items_of(CHIP, chosen, 2, 1)
    contact_sheet(item)
    scene = CHIP.scene(item.clips[0].plan, chosen)
    pictures = render(scene, [0, scene.spans[0][0], (scene.spans[0][0] + scene.spans[0][1]) // 2])
    assert all((one != other).any() for one, other in pairwise(pictures))


# ---------------------------------------------------------------------------------------------------- questions


@pytest.mark.parametrize("skill", SKILLS)
def test_kinds_and_prompts(skill: str) -> None:
    for item, question, video in asked(skill):
        assert question.kind == KINDS[skill]
        assert question.options == (list(video.shown) if skill == "recall_count" else None)
        assert "{" not in question.prompt and "None" not in question.prompt
        check_rules(parts(question.prompt)[0], video)
        assert item.measures["size"] == len(video.shown)
        assert item.measures["operations"] == len(video.operations)


@pytest.mark.parametrize("skill", SKILLS[:-1])
def test_the_key_is_what_the_prompt_asks_for(skill: str) -> None:
    for item, question, video in asked(skill):
        assert question.keys == [answer(skill, question.prompt, video)], item.id


def test_the_solution_leads_to_a_goal_that_does_not_hold_and_nothing_shorter_does() -> None:
    for item, question, video in asked("predict_operation"):
        moment, goal = start_and_goal(question.prompt, video)
        start = video.cups_at(moment)
        [key] = question.keys
        assert moment != video.shown_at and start != goal
        assert moved(start, key) == goal
        assert 1 <= len(key) <= 6 and item.measures["solution_length"] == len(key)
        assert len(key) == sum(len(surplus(start, goal, cup)) + len(surplus(goal, start, cup)) for cup in start)


def test_further_operations_never_overfill_nor_undo() -> None:
    for item, question, video in asked("predict_state"):
        further = question.about["operations"]
        assert 3 <= len(further) <= 5
        moment = "end" if video.shown_at == "start" else "start"
        states = [moved(item.clips[0].plan["start"], video.operations[:-1])] if moment == "end" else []
        states += [moved(video.cups_at(moment), further[:place]) for place in range(len(further) + 1)]
        assert all(len(held) <= FULLEST for state in states for held in state.values())
        assert all(one != other for one, other in zip(states, states[2:], strict=False))


def test_a_compared_cup_has_something_to_list_where_any_has() -> None:
    for _, question, video in asked("compare_state"):
        if not question.keys[0]:
            start, end = video.cups_at("start"), video.cups_at("end")
            moment, other = (end, start) if video.shown_at == "start" else (start, end)
            assert not any(surplus(moment, other, cup) for cup in start)


@pytest.mark.parametrize("skill", SKILLS)
def test_the_written_key_scores(skill: str) -> None:
    for item, question, _ in asked(skill):
        judgement = judge(item, question, 0, write_reply(question.kind, question.keys[0]))
        assert judgement.outcome == "correct", (item.id, judgement)
        assert judgement.optimality_gap == (0 if skill == "predict_operation" else None)


@pytest.mark.parametrize("skill", ABOUT_A_CUP)
def test_a_multiset_scores_in_any_order_and_a_changed_one_is_wrong(skill: str) -> None:
    tried = 0
    for item, question, video in asked(skill):
        [key] = question.keys
        assert outcome(item, question, key[::-1]) == "correct"
        others = [key[1:], key[:-1], [*key, 50], sorted(set(key)), [*key, *key], *video.shown.values(), []]
        others += [[sum(key)]] if key else []
        others += [[*key[:place], 105 - value, *key[place + 1 :]] for place, value in enumerate(key)]
        for other in others:
            assert (outcome(item, question, other) == "correct") == (sorted(other) == key), (item.id, other)
            tried += sorted(other) != key
    assert tried > 600


def test_counted_cups_are_a_multiset() -> None:
    for item, question, _ in asked("recall_count"):
        [key] = question.keys
        assert key and outcome(item, question, key[::-1]) == "correct"
        assert outcome(item, question, [name.title() for name in key]) == "correct"
        assert outcome(item, question, [*key, key[0]]) == "wrong"
        assert outcome(item, question, key[1:]) == "wrong"


def test_another_order_of_operations_is_wrong() -> None:
    for item, question, _ in asked("recall_order"):
        [key] = question.keys
        for other in (key[::-1], key[1:], [*key, key[0]], [text.replace("cup0", "cup3") for text in key]):
            assert outcome(item, question, other) == ("correct" if other == key else "wrong"), (item.id, other)


def test_a_plan_scores_if_and_only_if_it_is_legal_and_leads_to_the_goal() -> None:
    outcomes = []
    for item, question, video in asked("predict_operation"):
        moment, goal = start_and_goal(question.prompt, video)
        start = video.cups_at(moment)
        [key] = question.keys
        others = [key[::-1], key[1:], key[:-1], [*key, key[0]], [*key, "add 50 to cup0"]]
        others += [["add 50 to cup0", *key, "remove 50 from cup0"], ["remove 50 from cup0", *key, "add 50 to cup0"]]
        for other in others:
            right = can_be(start, other) and moved(start, other) == goal
            assert outcome(item, question, other) == ("correct" if right else "wrong"), (item.id, other)
            outcomes.append(right)
    assert outcomes.count(True) > 300 and outcomes.count(False) > 500


def test_a_dataset_on_disk_is_sound(tmp_path: Path) -> None:
    chosen = CHIP.settings.model_validate(
        {"cups": "1..4", "ops": "3..6", "reveal": "both", "resolution": 224, "fps": 12}
    )
    write_dataset(tmp_path / "set", prepare(tmp_path / "set", Request((Part("chip", chosen, 4),), 11)), workers=1)
    assert list(check_dataset(tmp_path / "set")) == []
