"""Every question's key against an answer read off its prompt; right answers score, mirrored ones do not."""

from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import Any

import pytest

from generators.family import family
from generators.item import Item, Question
from generators.questions import write_answer, write_reply
from generators.settings import SKILLS
from tests.generators.making import items_of
from tests.generators.sliding_tiles import (
    WAYS,
    Asked,
    Video,
    answer,
    check_rules,
    fewest_slides,
    slide_all,
    start_and_goal,
)
from verifier.reading import Answer, read_reply
from verifier.scoring import judge

NUMBER = family("number")
LEVELS = dict(zip(SKILLS, (1, 1, 2, 2, 3, 3), strict=True))
KINDS = dict(zip(SKILLS, ("sequence", "cells", "board", "board", "board", "operations"), strict=True))
OPPOSITE = {"left": "right", "right": "left", "up": "down", "down": "up"}


@cache
def items() -> tuple[Item, ...]:
    """360 items over all sizes, both reveals and 1 to 40 operations."""
    made = []
    for size in range(2, 11):
        chosen = NUMBER.settings.model_validate({"size": size, "ops": "1..40", "reveal": "both"})
        made += items_of(NUMBER, chosen, size, 40)
    return tuple(made)


def asked(skill: str) -> Iterator[tuple[Item, Question, Video]]:
    for item in items():
        [question] = [question for question in item.questions if question.id == skill]
        yield item, question, Video.of(item.clips[0].plan)


def outcome(item: Item, question: Question, answer: Any) -> str:
    return judge(item, question, 0, write_reply(question.kind, answer)).outcome


@pytest.mark.parametrize("skill", SKILLS)
def test_level_kind_and_prompt(skill: str) -> None:
    for _, question, video in asked(skill):
        assert (question.level, question.kind, question.options) == (LEVELS[skill], KINDS[skill], None)
        check_rules(Asked.of(question.prompt).rules, video)
        assert "{" not in question.prompt and "None" not in question.prompt
        assert len(question.keys) == 1


@pytest.mark.parametrize("skill", SKILLS[:-1])
def test_the_key_is_what_the_prompt_asks_for(skill: str) -> None:
    for item, question, video in asked(skill):
        assert question.keys == [answer(skill, question.prompt, video)], item.id


def test_the_solution_is_legal_and_no_plan_is_shorter() -> None:
    for item, question, video in asked("predict_operation"):
        start, goal = start_and_goal(question.prompt, video)
        [key] = question.keys
        assert start != goal, "the goal holds already"
        assert slide_all(start, key) == goal, item.id
        assert fewest_slides(start, goal, len(key) - 1) is None, f"{item.id}: fewer slides than {key} are enough"
        assert question.about == {"goal": goal, "solution": key}
        assert item.measures["solution_length"] == len(key)
        assert 3 <= len(key) <= 6


def test_the_further_operations_can_be_carried_out_and_undo_nothing() -> None:
    for item, question, _ in asked("predict_state"):
        plan, further = item.clips[0].plan, question.about["operations"]
        assert 3 <= len(further) <= 5
        shown = [*plan["operations"], *further] if plan["reveal"] == "start" else further
        assert slide_all(plan["start"], shown) is not None
        assert all(OPPOSITE[one] != other for one, other in pairwise(shown))


def test_the_asked_operations_are_three_to_five_in_the_video() -> None:
    for item, question, _ in asked("recall_order"):
        total, first, last = len(item.clips[0].plan["operations"]), question.about["first"], question.about["last"]
        assert 1 <= first <= last <= total
        assert min(3, total) <= last - first + 1 <= 5


def test_the_counted_direction_occurs_and_all_directions_are_asked() -> None:
    directions = [question.about["direction"] for _, question, _ in asked("recall_count")]
    assert set(directions) == set(WAYS)
    assert all(question.keys[0] for _, question, _ in asked("recall_count"))


@pytest.mark.parametrize("skill", SKILLS)
def test_the_written_key_reads_back_and_scores(skill: str) -> None:
    for item, question, _ in asked(skill):
        [key] = question.keys
        reading = read_reply(question.kind, write_reply(question.kind, key), world=NUMBER.world)
        assert isinstance(reading, Answer), (item.id, reading)
        if skill != "predict_operation":
            assert reading.value == key
        judgement = judge(item, question, 0, write_reply(question.kind, key))
        assert judgement.outcome == "correct", (item.id, judgement)
        assert judgement.optimality_gap == (0 if skill == "predict_operation" else None)


@pytest.mark.parametrize("skill", SKILLS)
def test_the_examples_in_the_prompt_are_answers_of_its_kind(skill: str) -> None:
    for _, question, _ in list(asked(skill))[::10]:
        examples = Asked.of(question.prompt).examples
        assert len(examples) == (2 if skill == "predict_operation" else 1)
        for example in examples:
            reading = read_reply(question.kind, example, world=NUMBER.world)
            assert isinstance(reading, Answer), (example, reading)
            value = [one.direction for one in reading.value] if question.kind == "operations" else reading.value
            assert write_reply(question.kind, value) == example


def mirrored(board: list[list[Any]]) -> Iterator[list[list[Any]]]:
    """The board transposed, turned, flipped, and with its rows or two of its cells exchanged."""
    yield [list(line) for line in zip(*board, strict=True)]
    yield [line[::-1] for line in board[::-1]]
    yield [line[::-1] for line in board]
    yield board[::-1]
    yield [list(line) for line in zip(*board[::-1], strict=True)]
    yield [*board[1:], board[0]]
    yield [[*board[0][1:], board[0][0]], *board[1:]]


@pytest.mark.parametrize("skill", ["infer_state", "compare_state", "predict_state"])
def test_a_mirrored_board_is_wrong(skill: str) -> None:
    tried = 0
    for item, question, _ in asked(skill):
        [key] = question.keys
        for other in mirrored(key):
            assert outcome(item, question, other) == ("correct" if other == key else "wrong"), (item.id, other)
            tried += other != key
    assert tried > 1_500


@pytest.mark.parametrize("skill", ["infer_state", "compare_state", "predict_state"])
def test_the_board_at_the_other_end_is_wrong(skill: str) -> None:
    for item, question, video in asked(skill):
        shown = video.shown
        assert outcome(item, question, shown) == ("correct" if shown == question.keys[0] else "wrong")


def test_another_sequence_is_wrong() -> None:
    tried = 0
    for item, question, _ in asked("recall_order"):
        [key] = question.keys
        others = [
            key[::-1],
            [OPPOSITE[way] for way in key],
            [*key[1:], key[0]],
            [*key, key[-1]],
            [*key[:-1], *key[-2:][::-1]] if len(key) > 1 else [OPPOSITE[key[0]]],
        ]
        if len(key) > 1:
            others.append(key[:-1])
        for other in others:
            assert outcome(item, question, other) == ("correct" if other == key else "wrong"), (item.id, other)
            tried += other != key
    assert tried > 1_500


def test_other_cells_are_wrong_and_their_order_does_not_matter() -> None:
    tried = 0
    for item, question, _ in asked("recall_count"):
        [key] = question.keys
        assert outcome(item, question, key[::-1]) == "correct"
        transposed = ["abcdefghij"[int(cell[1:]) - 1] + str("abcdefghij".index(cell[0]) + 1) for cell in key]
        for other in (transposed, key[:-1], [*key, key[0]], sorted(set(key))):
            expected = "correct" if sorted(other) == sorted(key) else "wrong"
            assert outcome(item, question, other) == expected, (item.id, other)
            tried += expected == "wrong"
    assert tried > 900


def test_a_plan_scores_if_and_only_if_it_leads_to_the_goal() -> None:
    outcomes = []
    for item, question, video in asked("predict_operation"):
        start, goal = start_and_goal(question.prompt, video)
        [key] = question.keys
        back_and_forth = next([way, OPPOSITE[way]] for way in WAYS if slide_all(start, [way]) is not None)
        others = [
            *([*key[:place], OPPOSITE[key[place]], *key[place + 1 :]] for place in range(len(key))),
            key[::-1],
            [OPPOSITE[way] for way in key],
            key[:-1],
            [*key, key[-1]],
            [],
            [*back_and_forth, *key],
        ]
        for other in others:
            leads_there = slide_all(start, other) == goal
            judgement = judge(item, question, 0, write_reply("operations", other))
            assert judgement.outcome == ("correct" if leads_there else "wrong"), (item.id, other)
            assert judgement.optimality_gap == (len(other) - len(key) if leads_there else None)
            legal = next((n for n in range(len(other)) if slide_all(start, other[: n + 1]) is None), None)
            assert judgement.first_illegal == legal
            outcomes.append(judgement.outcome)
    assert outcomes.count("correct") >= len(items())
    assert outcomes.count("wrong") > 5 * len(items())


@pytest.mark.parametrize(
    ("kind", "key", "text"),
    [
        ("board", [[1, 2], ["x", 0]], "[[1, 2], [x, 0]]"),
        ("cells", ["a1", "b10"], "a1, b10"),
        ("cells", [], "none"),
        ("sequence", ["left", "up"], "left, up"),
        ("operations", [], "none"),
        ("items", ["a.txt", "b.py"], "a.txt, b.py"),
        ("integer", 0, "0"),
        ("yes_no", "no", "no"),
        ("choice", "B", "B"),
    ],
)
def test_answers_are_written_as_people_write_them(kind: Any, key: Any, text: str) -> None:
    assert write_answer(kind, key) == text
    assert write_reply(kind, key) == f"Final Answer: {text}"


@pytest.mark.parametrize(
    ("skill", "about"),
    [
        ("recall_order", {"first": 0, "last": 2}),
        ("recall_order", {"first": 2, "last": 1}),
        ("recall_order", {"first": 1, "last": 99}),
        ("recall_count", {"direction": "sideways"}),
        ("predict_state", {"operations": ["left", "left", "left"]}),
        ("predict_state", {"operations": ["jump"]}),
        ("predict_operation", {"goal": [[1, 2], [3, 0]], "solution": []}),
        ("predict_operation", {"goal": [[1, 0], [3, 2]], "solution": ["up"]}),
        ("predict_operation", {"goal": [[1, 0], [3, 2]], "solution": ["down", "up", "down"]}),
        ("predict_operation", {"goal": [[2, 1], [3, 0]], "solution": ["down"]}),
        ("predict_operation", {"goal": [[1, 1], [3, 0]], "solution": ["down"]}),
    ],
)
def test_parameters_that_cannot_be_asked_are_refused(skill: str, about: dict[str, Any]) -> None:
    plan = {"start": [[0, 1], [3, 2]], "operations": ["left", "up"], "reveal": "start"}
    episode = NUMBER.episode(plan)
    with pytest.raises(ValueError, match=r"."):
        NUMBER.question(skill).model_validate(about).check(episode)


def test_the_counterpart_of_those_parameters_can_be_asked() -> None:
    episode = NUMBER.episode({"start": [[0, 1], [3, 2]], "operations": ["left", "up"], "reveal": "start"})
    assert episode.world.write_state(episode.asked) == [[1, 2], [3, 0]]
    NUMBER.question("recall_order").model_validate({"first": 1, "last": 2}).check(episode)
    NUMBER.question("recall_count").model_validate({"direction": "up"}).check(episode)
    NUMBER.question("predict_state").model_validate({"operations": ["right", "down", "left"]}).check(episode)
    NUMBER.question("predict_operation").model_validate({"goal": [[1, 0], [3, 2]], "solution": ["down"]}).check(episode)
