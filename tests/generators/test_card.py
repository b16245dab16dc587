"""The Card family: plans, pictures, prompts, keys and judgements, against piles moved by hand from the English.

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

CARD = family("card")
KINDS = dict(zip(SKILLS, ("sequence", "items", "sequence", "sequence", "sequence", "operations"), strict=True))
ABOUT_A_PILE = ("infer_state", "compare_state", "predict_state")
RANKS = ("Ace", "2", "3", "4", "5", "6", "7", "8", "9", "10", "Jack", "Queen", "King")
DECK = [f"{rank} of {suit}" for suit in ("Hearts", "Diamonds", "Clubs", "Spades") for rank in RANKS]
TALLEST, NEVER_SEEN = 8, 6

Piles = dict[str, list[str]]


def move(piles: Piles, gone: set[str], text: str) -> None:
    """Carry out one operation by hand; an AssertionError where the rules do not allow it."""
    verb, card, preposition, pile = re.fullmatch(r"(add|remove) (.+) (to|from) (pile\d)", text).groups()  # type: ignore[union-attr]
    assert card in DECK and pile in piles and preposition == {"add": "to", "remove": "from"}[verb]
    if verb == "add":
        assert card not in gone and not any(card in cards for cards in piles.values()), text
        piles[pile].insert(0, card)
    else:
        assert piles[pile] and piles[pile][-1] == card, text
        gone.add(piles[pile].pop())


def moved(piles: Piles, operations: list[str], gone: set[str] | None = None) -> Piles:
    now, out = {name: list(cards) for name, cards in piles.items()}, set(gone or ())
    for text in operations:
        move(now, out, text)
    return now


def can_be(piles: Piles, operations: list[str], gone: set[str]) -> bool:
    try:
        moved(piles, operations, gone)
    except AssertionError:
        return False
    return True


@dataclass(frozen=True)
class Video:
    """What a viewer sees: the piles while they are open, at which end, and the operations."""

    shown: Piles
    shown_at: str
    operations: list[str]

    @classmethod
    def of(cls, plan: Plan) -> "Video":
        shown = plan["start"] if plan["reveal"] == "start" else moved(plan["start"], plan["operations"])
        return cls(shown, plan["reveal"], plan["operations"])

    def piles_at(self, moment: str) -> Piles:
        """The piles at the start or the end, followed card by card from where they were shown."""
        if self.shown_at == moment:
            return self.shown
        if self.shown_at == "start":
            return moved(self.shown, self.operations)
        piles = {name: list(cards) for name, cards in self.shown.items()}
        for text in reversed(self.operations):
            pile = piles[text.split()[-1]]
            card = " ".join(text.split()[1:4])
            if text.startswith("add"):
                assert pile.pop(0) == card
            else:
                pile.append(card)
        return piles

    def gone_at(self, moment: str) -> set[str]:
        removed = [" ".join(text.split()[1:4]) for text in self.operations if text.startswith("remove")]
        return set(removed) if moment == "end" else set()


def parts(prompt: str) -> tuple[str, str, str]:
    """The rules, the question and the form of the answer."""
    rules, operations, question, form = prompt.split("\n\n")
    return f"{rules} {operations}", question, form


def found(pattern: str, text: str) -> tuple[str, ...]:
    match = re.search(pattern, text)
    assert match is not None, f"{pattern!r} is not in {text!r}"
    return match.groups()


def check_rules(rules: str, video: Video) -> None:
    names = ["pile0", "pile1", "pile2", "pile3"][: len(video.shown)]
    listed = names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
    assert listed in rules and f"pile{len(names)}" not in rules
    assert "from one deck of 52, so there is only one of each" in rules
    assert "from the top of the pile (marked TOP) to its bottom (marked BOTTOM)" in rules
    boxes, they = ("is the box", "is it") if len(names) == 1 else ("are the boxes", "are they")
    assert (f"Only at the start of the video {boxes} open" in rules) == (video.shown_at == "start")
    assert (f"Only after the last operation, at the end of the video, {they} opened" in rules) == (
        video.shown_at == "end"
    )
    assert "A closed box looks the same however many cards are in it, even none." in rules
    which = "added on top of the pile or removed from its bottom" if len(names) == 1 else "added on top of a pile or"
    assert which in rules
    assert "it never comes back" in rules
    assert "add 6 of Hearts to pile0, or remove 6 of Hearts from pile0" in rules


def answer(skill: str, prompt: str, video: Video) -> list[str]:
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
        where = r"the pile\?$" if one else "a pile, and (?:to|from) which pile"
        [word] = found(rf"How many times was a card (added to|removed from) {where}", question)
        assert f"`Final Answer: {'pile0, pile0' if one else 'pile0, pile1, pile1'}`" in form
        assert "List names alone, without numbers." in form and ("A pile is repeated" in form) != one
        return sorted(
            text.split()[-1] for text in video.operations if text.startswith({"added to": "add"}.get(word, "remove"))
        )
    assert "from the top of the pile to its bottom" in form and "`Final Answer: none`" in form
    if skill == "infer_state":
        pile, moment = found(r"Which cards are in (pile\d) at the (start|end) of the video", question)
        return video.piles_at(moment)[pile]
    if skill == "compare_state":
        pile, moment, same, other = found(
            r"Compare (pile\d) at the (start|end) of the video, .* with (pile\d) at the (start|end), ", question
        )
        assert same == pile and moment != other
        assert f"Which cards are in {pile} at the {moment} of the video that are not in it at the {other}?" in question
        without = video.piles_at(other)[pile]
        return [card for card in video.piles_at(moment)[pile] if card not in without]
    listed, pile = found(r"in this order: (.*)\. Which cards are in (pile\d) after the last of them\?", question)
    moment = "end" if question.startswith("After the end of the video") else "start"
    assert ("Go back to the start of the video" in question) == (moment == "start")
    return moved(video.piles_at(moment), listed.split("; "), video.gone_at(moment))[pile]


def start_and_goal(prompt: str, video: Video) -> tuple[str, Piles]:
    """The moment from which a prompt asks for operations, and the piles to which they must lead."""
    rules, question, _ = parts(prompt)
    check_rules(rules, video)
    moment, goal = found(r"as it is at the (start|end) of the video.* into this table: (.*)\? \(The cards", question)
    assert "written from its top to its bottom, and none stands for an empty pile" in question
    assert ("A card that was removed in the video cannot come back." in question) == (moment == "end")
    assert ("a card that is removed later in the video is not gone at its start" in question) == (moment == "start")
    assert "it need not be the shortest" in question and "cannot be carried out makes the answer wrong" in question
    piles = {}
    for part in goal.split("; "):
        name, cards = part.split(": ")
        piles[name] = [] if cards == "none" else cards.split(", ")
    return moment, piles


@cache
def items() -> tuple[Item, ...]:
    """160 items over 1 to 4 piles, both reveals and 1 to 30 operations."""
    made = []
    for piles in range(1, 5):
        chosen = CARD.settings.model_validate({"piles": piles, "cards": "1..4", "ops": "1..30", "reveal": "both"})
        made += items_of(CARD, chosen, piles, 40)
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
    piles=st.integers(1, 4),
    cards=st.integers(1, 6),
    ops=st.integers(1, 67),
    reveal=st.sampled_from(["start", "end"]),
)
def test_a_plan_is_a_walk_by_the_rules(seed: int, piles: int, cards: int, ops: int, reveal: str) -> None:
    chosen = CARD.settings.model_validate({"piles": piles, "cards": cards, "ops": ops, "reveal": reveal})
    [(_, [plan])] = plans_of(CARD, chosen, seed, 1)
    assert set(plan) == {"start", "operations", "reveal"} and plan["reveal"] == reveal
    assert list(plan["start"]) == [f"pile{pile}" for pile in range(piles)]
    assert all(len(pile) == cards for pile in plan["start"].values())
    assert len(plan["operations"]) == ops
    gone: set[str] = set()
    states = [moved(plan["start"], [])]
    for text in plan["operations"]:
        piles_now = moved(states[-1], [])
        move(piles_now, gone, text)
        states.append(piles_now)
    assert all(len(pile) <= TALLEST for state in states for pile in state.values())
    assert all(before != after for before, after in zip(states, states[2:], strict=False)), "an operation undoes"
    assert states[0] != states[-1]
    seen = gone.union(*states[-1].values())
    assert len(DECK) - len(seen) >= NEVER_SEEN


def test_operations_beyond_what_the_deck_serves_are_refused() -> None:
    most = {"piles": 4, "cards": 6, "ops": 67}
    [(_, [plan])] = plans_of(CARD, CARD.settings.model_validate(most), 1, 1)
    assert len(plan["operations"]) == 67
    with pytest.raises(InputError, match=r"--ops 68: .* the 52 cards of the deck last for 67 operations"):
        list(plans_of(CARD, CARD.settings.model_validate(most | {"ops": 68}), 1, 1))


def test_cards_and_piles_are_all_drawn_and_both_operations() -> None:
    chosen = CARD.settings.model_validate({"piles": "1..4", "ops": 6})
    plans = [plan for _, [plan] in plans_of(CARD, chosen, 5, 400)]
    assert {card for plan in plans for pile in plan["start"].values() for card in pile} == set(DECK)
    counts = [len(plan["start"]) for plan in plans]
    assert all(70 <= counts.count(count) <= 130 for count in (1, 2, 3, 4))
    verbs = [text.split()[0] for plan in plans for text in plan["operations"]]
    assert 0.25 < verbs.count("remove") / len(verbs) < 0.5


# ---------------------------------------------------------------------------------------------------- pictures

OPERATIONS = [
    "remove 6 of Hearts from pile0",
    "add 10 of Clubs to pile0",
    "add 2 of Spades to pile1",
    "remove King of Spades from pile1",
]
HIDDEN: list[Piles] = [
    {"pile0": ["6 of Hearts"], "pile1": ["King of Spades"]},
    {"pile0": ["6 of Hearts"], "pile1": ["3 of Hearts", "King of Spades"]},
    {"pile0": ["4 of Clubs", "9 of Diamonds", "6 of Hearts"], "pile1": ["8 of Hearts", "King of Spades"]},
    {"pile0": ["9 of Diamonds", "4 of Clubs", "6 of Hearts"], "pile1": ["8 of Hearts", "King of Spades"]},
]


def scene_of(start: Piles, operations: list[str], reveal: str, **settings: Any) -> Scene:
    plan = {"start": start, "operations": operations, "reveal": reveal}
    return CARD.scene(plan, CARD.settings.model_validate({"resolution": 224} | settings))


@pytest.mark.parametrize("reveal", ["start", "end"])
def test_hidden_cards_leave_no_trace_outside_the_reveal(reveal: str) -> None:
    scenes = [scene_of(start, OPERATIONS, reveal, fps=12) for start in HIDDEN]
    first, end = scenes[0].spans[0][0], scenes[0].spans[-1][1]
    closed = range(first, scenes[0].frames) if reveal == "start" else range(end)
    pictures = [render(scene, closed) for scene in scenes]
    assert all((picture == pictures[0]).all() for picture in pictures)
    shown = 0 if reveal == "start" else scenes[0].frames - 1
    reveals = [render(scene, [shown]) for scene in scenes]
    assert all((one != other).any() for number, one in enumerate(reveals) for other in reveals[:number])


def windows(scene: Scene) -> list[list[int]]:
    """The frames of each operation that look like its middle one: the card is there as a whole and at rest."""
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
    chosen = CARD.settings.model_validate(look)
    [item] = items_of(CARD, chosen, 3, 1)
    scene = CARD.scene(item.clips[0].plan, chosen)
    rate = item.measures["minimum_fps"]
    assert are_seen(windows(scene), fps, rate, scene.frames)
    assert not are_seen(windows(scene), fps, rate * 0.9, scene.frames)


@pytest.mark.parametrize("seconds", [0.1, 0.3, 0.5, 1.5, 4.0])
@pytest.mark.parametrize("fps", [24, 60])
def test_a_card_rests_two_thirds_of_its_operation_with_a_gap_around_it(fps: int, seconds: float) -> None:
    scene = scene_of(HIDDEN[2], OPERATIONS, "start", fps=fps, seconds_per_op=seconds)
    for window, (first, end) in zip(windows(scene), scene.spans, strict=True):
        assert window == list(range(window[0], window[-1] + 1))
        assert 3 * len(window) >= 2 * (end - first) or end - first == 2
        assert scene.placements(first) is scene.placements(scene.frames - 1), "nothing is on its way"


@pytest.mark.parametrize("resolution", ["128", "224", "512", "640x360"])
@pytest.mark.parametrize("piles", [1, 4])
def test_a_card_on_its_way_covers_no_name(resolution: str, piles: int) -> None:
    """The name is on the box's front, which the card is behind: where the boxes are, only their tops ever change."""
    start = {f"pile{pile}": [DECK[pile]] for pile in range(piles)}
    operations = [f"remove {DECK[0]} from pile0", f"add {DECK[20]} to pile0"]
    scene = scene_of(start, operations, "start", resolution=resolution)
    pictures = render(scene, range(scene.spans[0][0], scene.frames))
    box = scene.placements(scene.frames - 1)[-1]
    middle, half = round(box.y), scene.sprites[box.sprite].height // 3
    fronts = pictures[:, middle - half : middle + half]
    assert (fronts == fronts[0]).all() and np.ptp(fronts[0]) > 100


def test_between_operations_only_closed_boxes_are_seen() -> None:
    scene = scene_of(HIDDEN[2], OPERATIONS, "start")
    still = render(scene, [scene.frames - 1])[0]
    for first, end in scene.spans:
        assert (render(scene, [first, end - 1]) == still).all()
        assert (render(scene, [(first + end) // 2])[0] != still).any()


def test_a_card_stays_face_up_a_second_and_equal_frames_share_their_list() -> None:
    scene = scene_of(HIDDEN[2], OPERATIONS, "start", fps=24)
    for first, end in scene.spans:
        lists = [scene.placements(frame) for frame in range(first, end)]
        middle = lists[len(lists) // 2]
        assert sum(one is middle for one in lists) >= 24
        assert lists[0] is lists[-1] is scene.placements(scene.frames - 1)
    assert scene.placements(0) is scene.placements(scene.spans[0][0] - 1)


def luma(picture: Any) -> Any:
    return picture @ YUV_MATRIX[0]


def least_difference(pictures: list[Any]) -> float:
    """The largest difference in luma of the two pictures that are most alike."""
    return min(float(np.abs(one - other).max()) for number, one in enumerate(pictures) for other in pictures[:number])


def test_every_card_can_be_told_without_its_colour_on_its_way_and_at_the_reveal() -> None:
    pictures, open_cards = [], []
    rest = [card for card in DECK if card.startswith("6")]
    for card in DECK:
        others = [other for other in DECK if other != card and other not in rest][:28]
        start = {f"pile{pile}": others[7 * pile : 7 * pile + 7] for pile in range(4)}
        scene = scene_of(start, [f"add {card} to pile2"], "end")
        pictures.append(luma(render(scene, [(scene.spans[0][0] + scene.spans[0][1]) // 2])[0]))
        scene = scene_of(start | {"pile3": [card] + [other for other in rest if other != card]}, [], "start")
        open_cards.append(luma(render(scene, [0])[0])[:60, 168:])
    assert least_difference(pictures) > 90
    assert least_difference(open_cards) > 60


def test_a_pile_upside_down_looks_different_and_the_top_is_above() -> None:
    cards = ["5 of Hearts", "Queen of Spades", "2 of Clubs"]
    picture, reversed_one, one_more = (
        render(scene_of({"pile0": pile}, [], "start"), [0])[0] for pile in (cards, cards[::-1], [*cards, "9 of Hearts"])
    )
    assert (picture != reversed_one).any()
    changed = np.nonzero((picture != one_more).any(axis=(1, 2)))[0]
    assert changed.min() > 80, "a card more at the bottom changes nothing above it"


@pytest.mark.parametrize("resolution", ["128", "640x360", "360x640", "128x2048", "2048x128"])
@pytest.mark.parametrize("piles", [1, 4])
def test_any_canvas_and_its_sheet_can_be_drawn(resolution: str, piles: int) -> None:
    chosen = CARD.settings.model_validate(
        {"resolution": resolution, "piles": piles, "ops": 3, "fps": 4, "seconds_per_op": 0.5}
    )
    [item] = items_of(CARD, chosen, 2, 1)
    contact_sheet(item)
    scene = CARD.scene(item.clips[0].plan, chosen)
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


def test_the_solution_leads_to_a_goal_that_does_not_hold_with_cards_never_seen() -> None:
    for item, question, video in asked("predict_operation"):
        moment, goal = start_and_goal(question.prompt, video)
        start, gone = video.piles_at(moment), video.gone_at(moment)
        [key] = question.keys
        assert moment != video.shown_at and start != goal
        assert moved(start, key, gone) == goal
        assert 1 <= len(key) <= 6 and item.measures["solution_length"] == len(key)
        removed, added = (sum(text.startswith(verb) for text in key) for verb in ("remove", "add"))
        assert removed == sum(card not in goal[pile] for pile, cards in start.items() for card in cards)
        assert added == sum(card not in start[pile] for pile, cards in goal.items() for card in cards)
        seen = {card for text in video.operations for card in DECK if card in text}.union(*video.shown.values())
        assert not any(card in seen for text in key if text.startswith("add") for card in DECK if f"add {card}" in text)


def test_further_operations_never_overfill_nor_undo() -> None:
    for item, question, video in asked("predict_state"):
        further = question.about["operations"]
        assert 3 <= len(further) <= 5
        moment = "end" if video.shown_at == "start" else "start"
        before = moved(item.clips[0].plan["start"], video.operations[:-1]) if moment == "end" else None
        states = [video.piles_at(moment)]
        for place in range(len(further)):
            states.append(moved(states[0], further[: place + 1], video.gone_at(moment)))
        assert all(len(pile) <= TALLEST for state in states for pile in state.values())
        known = states if before is None else [before, *states]
        assert all(one != other for one, other in zip(known, known[2:], strict=False))


def test_a_compared_pile_has_something_to_list_and_not_all_of_it_where_any_has() -> None:
    for _, question, video in asked("compare_state"):
        start, end = video.piles_at("start"), video.piles_at("end")
        moment, other = (end, start) if video.shown_at == "start" else (start, end)
        [key] = question.keys
        if not key:
            assert all(set(moment[pile]) <= set(other[pile]) for pile in start)
        elif key == moment[question.about["part"]]:
            assert not any(
                set(moment[pile]) & set(other[pile]) and set(moment[pile]) - set(other[pile]) for pile in start
            )


def test_a_counted_kind_occurs_more_than_once_where_any_does() -> None:
    for _, question, video in asked("recall_count"):
        verbs = [text.split()[0] for text in video.operations]
        assert len(question.keys[0]) > 1 or all(verbs.count(verb) == 1 for verb in verbs)


@pytest.mark.parametrize("skill", SKILLS)
def test_the_written_key_scores(skill: str) -> None:
    for item, question, _ in asked(skill):
        judgement = judge(item, question, 0, write_reply(question.kind, question.keys[0]))
        assert judgement.outcome == "correct", (item.id, judgement)
        assert judgement.optimality_gap == (0 if skill == "predict_operation" else None)


@pytest.mark.parametrize("skill", ABOUT_A_PILE)
def test_a_reversed_or_changed_pile_is_wrong(skill: str) -> None:
    tried = 0
    for item, question, video in asked(skill):
        [key] = question.keys
        others = [key[::-1], key[1:], key[:-1], [*key, "Joker"], [*key[1:], *key[:1]], *video.shown.values(), []]
        others.append([card for card in DECK if card not in key][:1] + key)
        for other in others:
            assert (outcome(item, question, other) == "correct") == (other == key), (item.id, other)
            tried += other != key
        symbols = {"Hearts": "♥", "Diamonds": "♦", "Clubs": "♣", "Spades": "♠"}
        short = [
            f"{card.split()[0][0] if card[0].isalpha() else card.split()[0]}{symbols[card.split()[2]]}" for card in key
        ]
        assert outcome(item, question, short) == "correct"
    assert tried > 600


def test_counted_piles_are_a_multiset() -> None:
    for item, question, _ in asked("recall_count"):
        [key] = question.keys
        assert key and outcome(item, question, key[::-1]) == "correct"
        assert outcome(item, question, [name.upper() for name in key]) == "correct"
        assert outcome(item, question, [*key, key[0]]) == "wrong"
        assert outcome(item, question, key[1:]) == "wrong"


def test_another_order_of_operations_is_wrong() -> None:
    for item, question, _ in asked("recall_order"):
        [key] = question.keys
        for other in (key[::-1], key[1:], [*key, key[0]], [text.replace("pile0", "pile3") for text in key]):
            assert outcome(item, question, other) == ("correct" if other == key else "wrong"), (item.id, other)


def test_a_plan_scores_if_and_only_if_it_is_legal_and_leads_to_the_goal() -> None:
    outcomes = []
    for item, question, video in asked("predict_operation"):
        moment, goal = start_and_goal(question.prompt, video)
        start, gone = video.piles_at(moment), video.gone_at(moment)
        [key] = question.keys
        others = [key[::-1], key[1:], key[:-1], [*key[1:], key[0]], [*key, key[0]], [*key, "add 6 of Hearts to pile0"]]
        others += [[f"add {card} to pile0", *key] for card in sorted(gone)[:1]]
        for other in others:
            right = can_be(start, other, gone) and moved(start, other, gone) == goal
            assert outcome(item, question, other) == ("correct" if right else "wrong"), (item.id, other)
            outcomes.append(right)
    assert outcomes.count(True) > 20 and outcomes.count(False) > 500


def test_a_dataset_on_disk_is_sound(tmp_path: Path) -> None:
    chosen = CARD.settings.model_validate(
        {"piles": "1..4", "ops": "3..6", "reveal": "both", "resolution": 224, "fps": 12}
    )
    write_dataset(tmp_path / "set", prepare(tmp_path / "set", Request((Part("card", chosen, 4),), 11)), workers=1)
    assert list(check_dataset(tmp_path / "set")) == []
