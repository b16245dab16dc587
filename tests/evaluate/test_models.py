"""Where each built-in model must stand, worked out from what it can know."""

from collections import Counter, defaultdict
from dataclasses import replace
from fractions import Fraction
from math import factorial, prod
from pathlib import Path
from time import perf_counter
from typing import Any

import pytest

from evaluate.asking import Asked, every_question
from evaluate.models import model_maker
from evaluate.models.readers import (
    LONGEST_GUESS,
    NOTHING,
    READERS,
    MisledReader,
    Oracle,
    RandomReader,
    _operations_of,
    blind,
    without_one_operation,
    without_operations,
)
from generators.dataset import ITEMS
from generators.errors import InputError
from generators.family import family
from generators.item import canonical_json
from generators.manifest import MANIFEST, Request
from generators.randomness import stream
from generators.sets import videoreasonbench
from simulators.contract import Refusal
from verifier.reading import Unparsed, read_reply

STATIC = MisledReader("static", without_operations)
ONE_SHORT = MisledReader("one-short", without_one_operation)


@pytest.fixture(scope="module")
def wide_set(make_set: Any) -> Path:
    return make_set(200, seed=11, size="2..6", ops="1..14", reveal="both")  # type: ignore[no-any-return]


def shown(asked: Asked) -> Any:
    return family(asked.item.family).episode(asked.item.clips[asked.clip].plan)


def test_the_oracle_is_right_about_everything(wide_set: Path, judged: Any) -> None:
    outcomes = Counter(judgement.outcome for _, judgement in judged(Oracle(), wide_set))
    assert outcomes == {"correct": 200 * 6}


def test_static_is_right_about_nothing_unless_the_board_came_back(wide_set: Path, judged: Any) -> None:
    came_back = 0
    for asked, judgement in judged(STATIC, wide_set):
        trace = shown(asked).trace
        returned = trace.start == trace.end
        came_back += returned
        assert (judgement.outcome == "correct") == (returned and asked.question.level > 1), (asked.name, judgement)
        if returned:
            assert asked.item.measures == asked.item.measures | {"size": 2, "operations": 12}
    assert came_back % 6 == 0


def test_static_is_right_about_a_two_by_two_board_after_twelve_slides(make_set: Any, judged: Any) -> None:
    right = Counter(
        asked.question.level
        for asked, judgement in judged(STATIC, make_set(6, size="2", ops="12"))
        if judgement.outcome == "correct"
    )
    assert right == {2: 12, 3: 12}


def test_one_short_is_right_exactly_where_the_last_operation_is_not_asked_for(wide_set: Path, judged: Any) -> None:
    seen = set()
    for asked, judgement in judged(ONE_SHORT, wide_set):
        operations = shown(asked).operations
        match asked.question.id:
            case "recall_order":
                expected = asked.question.about["last"] < len(operations)
            case "recall_count":
                expected = asked.question.about["direction"] != operations[-1]
            case _:
                expected = False
        seen.add((asked.question.id, expected))
        assert (judgement.outcome == "correct") == expected, (asked.name, judgement)
    assert len(seen) == 8


def test_one_short_misses_the_operation_next_to_the_asked_moment(small_set: Path) -> None:
    for asked in every_question(small_set):
        if asked.question.id != "infer_state":
            continue
        episode = shown(asked)
        seen = without_one_operation(episode, asked.question)
        beside = episode.trace.states[-2] if episode.reveal == "start" else episode.trace.states[1]
        assert (seen.end if episode.reveal == "start" else seen.start) == beside
        assert read_reply("board", ONE_SHORT.reply(asked)).value == episode.world.write_state(beside)  # type: ignore[union-attr]


def test_blind_stands_at_the_commonest_keys_share(make_set: Any, judged: Any) -> None:
    dataset = make_set(60, seed=3, size="2", ops="1..3")
    keys: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for asked in every_question(dataset):
        keys[asked.question.id][canonical_json(asked.question.keys[asked.clip])] += 1
    right = Counter(
        asked.question.id for asked, judgement in judged(blind(dataset), dataset) if judgement.outcome == "correct"
    )
    for question, counts in keys.items():
        commonest = max(counts.values())
        assert commonest > 1
        if question == "predict_operation":  # another plan than the stored one can be right
            assert right[question] >= commonest
        else:
            assert right[question] == commonest, question


def test_blind_takes_the_first_of_equals_and_always_answers_the_same(small_set: Path) -> None:
    first, second = blind(small_set), blind(small_set)
    assert first == second
    replies: defaultdict[str, set[str]] = defaultdict(set)
    for asked in every_question(small_set):
        replies[asked.question.id].add(first.reply(asked))
    assert all(len(different) == 1 for different in replies.values())


def test_every_reader_answers_every_world(tmp_path: Path) -> None:
    """Small worlds of files run out of operations that undo nothing, and a set of several worlds has several keys."""
    definition = videoreasonbench()
    parts = tuple(replace(part, plans=1) for part in definition.parts)
    request = Request(parts, 5)
    (tmp_path / MANIFEST).write_text(request.manifest().to_text())
    text = "".join(item.to_line() + "\n" for item in request.make_items())
    (tmp_path / ITEMS).write_text(text, encoding="utf-8")
    readers = {name: make(tmp_path, 1) for name, make in READERS.items()}
    for asked in every_question(tmp_path):
        world = shown(asked).world
        for name, reader in readers.items():
            reply = reader.reply(asked)
            assert reply.startswith("Final Answer:")
            if name in ("blind", "oracle") and asked.question.kind in ("board", "operations", "items"):
                reading = read_reply(asked.question.kind, reply, options=asked.question.options, world=world)
                assert not isinstance(reading, Unparsed), (asked.name, reading)


def chance(asked: Asked) -> Fraction:
    """The probability that an evenly drawn answer is right, as the docstring of RandomReader gives it."""
    key, size = asked.question.keys[0], int(asked.item.measures["size"])
    cells = size * size
    match asked.question.id:
        case "recall_order":
            return Fraction(1, 4 ** len(key))
        case "recall_count":
            if len(key) > LONGEST_GUESS:
                return Fraction(0)
            orders = factorial(len(key)) // prod(factorial(times) for times in Counter(key).values())
            return Fraction(orders, LONGEST_GUESS * cells ** len(key))
        case "compare_state":
            different = sum(entry != "x" for row in key for entry in row)
            return Fraction(factorial(cells - different), factorial(cells) * 2**cells)
        case "predict_operation":
            return plan_chance(asked)
        case _:
            return Fraction(1, factorial(cells))


def plan_chance(asked: Asked) -> Fraction:
    episode = shown(asked)
    goal = episode.world.read_goal(asked.question.about["goal"])
    ways, total = Counter({episode.asked: 1}), Fraction(0)
    for length in range(1, LONGEST_GUESS + 1):
        onward: Counter[Any] = Counter()
        for state, number in ways.items():
            for operation in episode.world.legal_operations(state):
                onward[episode.world.transition(state, operation)] += number
        ways = onward
        total += Fraction(ways[goal], LONGEST_GUESS * 4**length)
    return total


def test_random_stands_at_chance(make_set: Any, judged: Any) -> None:
    dataset = make_set(40, seed=5, size="2..3", ops="1..6")
    runs = 25
    right: Counter[str] = Counter()
    expected: defaultdict[str, Fraction] = defaultdict(Fraction)
    variance: defaultdict[str, Fraction] = defaultdict(Fraction)
    for seed in range(runs):
        for asked, judgement in judged(RandomReader(seed), dataset):
            assert judgement.outcome in ("correct", "wrong")
            right[asked.question.id] += judgement.outcome == "correct"
            probability = chance(asked)
            expected[asked.question.id] += probability
            variance[asked.question.id] += probability * (1 - probability)
    assert len(expected) == 6
    assert expected["recall_order"] > 30
    for question in expected:
        assert abs(right[question] - expected[question]) <= 4 * float(variance[question]) ** 0.5 + 1, question


def test_random_depends_on_the_seed_and_the_question_alone(small_set: Path) -> None:
    questions = list(every_question(small_set))
    once = [RandomReader(1).reply(asked) for asked in questions]
    assert [RandomReader(1).reply(asked) for asked in reversed(questions)][::-1] == once
    other = [RandomReader(2).reply(asked) for asked in questions]
    assert sum(one == two for one, two in zip(once, other, strict=True)) < len(once) / 4


@pytest.mark.parametrize("size", ["2", "3", "10"])
def test_random_finds_all_four_slides_on_every_board(make_set: Any, size: str) -> None:
    for asked in every_question(make_set(8, size=size, skills="infer_state", reveal="both")):
        for seed in range(5):
            assert _operations_of(asked, stream(seed, "test")) == ["down", "left", "right", "up"]


@pytest.mark.parametrize("kind", ["yes_no", "choice", "integer", "items", "cells"])
def test_random_writes_a_readable_answer_of_every_kind(small_set: Path, kind: str) -> None:
    asked = next(every_question(small_set))
    options = ["red", "green", "blue"] if kind in ("choice", "items") else None
    question = asked.question.model_copy(update={"kind": kind, "options": options, "keys": [None]})
    values = []
    for seed in range(60):
        reading = read_reply(
            kind, RandomReader(seed).reply(Asked(asked.item, question, 0, question.prompt)), options=options
        )
        assert not isinstance(reading, Unparsed), reading
        values.append(str(reading.value))
    assert len(set(values)) == {"yes_no": 2, "choice": 3, "integer": 10}.get(kind, len(set(values))) > 1


def test_a_misled_reader_says_so_where_there_is_nothing_to_work_out(make_set: Any) -> None:
    recall = [asked for asked in every_question(make_set(5)) if asked.question.level == 1]
    assert recall
    assert {STATIC.reply(asked) for asked in recall} == {NOTHING}
    stuck = 0
    for asked in every_question(make_set(20, seed=2, size="2", ops="5", skills="predict_state")):
        trace = without_operations(shown(asked), asked.question)
        world, state = shown(asked).world, trace.end
        try:
            for text in asked.question.about["operations"]:
                state = world.transition(state, world.read_operation(text))
        except Refusal:
            stuck += 1
            assert STATIC.reply(asked) == NOTHING
    assert stuck


def test_no_reader_plans_for_long_on_a_large_board(make_set: Any) -> None:
    dataset = make_set(2, size="10", ops="80", skills="predict_operation", reveal="both")
    began = perf_counter()
    for asked in every_question(dataset):
        STATIC.reply(asked)
    assert perf_counter() - began < 3


@pytest.mark.parametrize("name", READERS)
def test_every_model_answers_and_is_called_by_its_name(small_set: Path, name: str) -> None:
    model = model_maker(name)(small_set, 0)
    assert model.name == name
    assert all(str(model.reply(asked)).startswith("Final Answer: ") for asked in every_question(small_set))


def test_a_plan_that_breaks_the_rules_is_an_input_error(small_set: Path) -> None:
    asked = next(every_question(small_set))
    clip = asked.item.clips[0]
    broken = clip.model_copy(update={"plan": clip.plan | {"operations": ["up", "up", "up", "up"]}})
    item = asked.item.model_copy(update={"clips": [broken]})
    with pytest.raises(InputError, match=r"illegal.*verifier check"):
        STATIC.reply(Asked(item, asked.question, 0, asked.prompt))
