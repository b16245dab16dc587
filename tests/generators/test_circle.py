"""The Circle family: keys read off the prompts by a second simulation, what must stay hidden, and what is seen."""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from itertools import pairwise, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generators.circle import CompareColours
from generators.family import family
from generators.item import Item, Plan, Question
from generators.questions import write_reply
from generators.randomness import Streams
from generators.rendering.video import render
from generators.settings import SKILLS
from tests.generators.making import items_of
from verifier.reading import Answer, read_reply
from verifier.scoring import judge

CIRCLE = family("circle")
WAYS = {"left": (0, -1), "right": (0, 1), "up": (-1, 0), "down": (1, 0)}
SMALL = {"resolution": 192, "fps": 8, "seconds_per_op": 1.0, "reveal_seconds": 0.5}

Cells = dict[str, str]


class OffBoard(Exception):
    pass


def name(row: int, column: int) -> str:
    """A cell's name; one step off the board, a name that no cell has."""
    return f"{'abcdefghijk'[row] if row >= 0 else '-'}{column + 1}"


def carry_out(discs: Cells, ring: str, ways: list[str]) -> list[tuple[Cells, str]]:
    """From the English of the prompt: the discs and the ring's cell before and after each step. Raises OffBoard."""
    moments = [(discs, ring)]
    for way in ways:
        row, column = "abcdefghij".index(ring[0]) + WAYS[way][0], int(ring[1:]) - 1 + WAYS[way][1]
        ring = name(row, column)
        if ring not in discs:
            raise OffBoard(f"the ring would go {way} from {moments[-1][1]}")
        beside = {name(row + rows, column + columns) for rows, columns in WAYS.values()}
        discs = {
            cell: {"black": "white", "white": "black"}[colour] if cell in beside | {ring} else colour
            for cell, colour in discs.items()
        }
        moments.append((discs, ring))
    return moments


def moments_of(plan: Plan) -> list[tuple[Cells, str]]:
    board = plan["start"]["board"]
    discs = {
        name(row, column): "black" if piece else "white"
        for row, pieces in enumerate(board)
        for column, piece in enumerate(pieces)
    }
    return carry_out(discs, name(*plan["start"]["ring"]), plan["operations"])


def as_board(discs: Cells) -> list[list[str]]:
    size = round(len(discs) ** 0.5)
    return [[discs[name(row, column)] for column in range(size)] for row in range(size)]


def make(count: int = 1, seed: int = 1, **settings: Any) -> list[Item]:
    chosen = CIRCLE.settings.model_validate(settings)
    return items_of(CIRCLE, chosen, seed, count)


@cache
def items() -> tuple[Item, ...]:
    """Items of all sizes, both reveals and 1 to 25 operations."""
    return tuple(
        item for size in range(2, 11) for item in make(16, size, size=size, ops="1..25", reveal="both", **SMALL)
    )


def asked(skill: str) -> Iterator[tuple[Item, Question]]:
    for item in items():
        yield item, next(question for question in item.questions if question.id == skill)


def found(pattern: str, text: str) -> tuple[str, ...]:
    match = re.search(pattern, text)
    assert match is not None, f"{pattern!r} is not in {text!r}"
    return match.groups()


def test_the_prompt_states_every_rule() -> None:
    for item in items():
        plan = item.clips[0].plan
        size = len(plan["start"]["board"])
        for question in item.questions:
            prompt = question.prompt
            assert f"a board of {size} × {size} cells" in prompt
            assert f"Rows are lettered a to {'abcdefghij'[size - 1]} from top to bottom" in prompt
            assert f"columns are numbered 1 to {size} from left to right; a1 is the top left cell" in prompt
            assert ("shown only at the start of the video" in prompt) == (plan["reveal"] == "start")
            assert ("Only after the last operation, at the end of the video" in prompt) == (plan["reveal"] == "end")
            assert "named after the way the ring moves: left, right, up or down" in prompt
            assert "the discs directly above, below, left and right of it, as far as these lie on the board" in prompt
            assert "a black disc becomes white and a white disc becomes black" in prompt
            assert "Diagonal neighbours and all other discs keep their colours" in prompt
            assert "Nothing changes colour before the first operation" in prompt
            assert "{" not in prompt and "None" not in prompt and not re.search(r"\[\[[01]", prompt)
        goal = item.questions[-1].prompt
        assert "the ring may end anywhere" in goal and "it need not be the shortest" in goal
        assert "because the ring would leave the board, makes the answer wrong" in goal


def answer(question: Question, plan: Plan) -> Any:
    """The answer that the prompt's own words ask for."""
    moments, prompt = moments_of(plan), question.prompt
    start, end = moments[0], moments[-1]
    if question.id == "recall_order":
        first, last = found(r"operations? number (\d+)(?: to (\d+), both included)?, in the order", prompt)
        return plan["operations"][int(first) - 1 : int(last or first)]
    if question.id == "recall_count":
        [way] = found(r"How many times did the ring move (\w+), and into which cell did it move each time\?", prompt)
        reached = [ring for (_, ring), did in zip(moments[1:], plan["operations"], strict=True) if did == way]
        return sorted(reached, key=lambda cell: (cell[0], int(cell[1:])))
    if question.id == "infer_state":
        [when] = found(r"Which colour is the disc in each cell at the (start|end) of the video", prompt)
        return as_board(start[0] if when == "start" else end[0])
    if question.id == "compare_state":
        when, again = found(
            r"have at the (start|end) of the video\? Write the board as it is at the (start|end) of the video, but put "
            r"x in place of each disc that has the same colour at the start and at the end",
            prompt,
        )
        assert when == again
        then = start[0] if when == "start" else end[0]
        return as_board({cell: "x" if start[0][cell] == end[0][cell] else then[cell] for cell in then})
    assert question.id == "predict_state"
    [listed] = found(r"carried out in this order: ([a-z, ]+)\. Which colour is the disc in each cell after the", prompt)
    from_start = "Go back to the start of the video, before its first operation" in prompt
    assert from_start != ("After the end of the video" in prompt)
    return as_board(carry_out(*(start if from_start else end), listed.split(", "))[-1][0])


@pytest.mark.parametrize("skill", SKILLS[:-1])
def test_the_key_is_what_the_prompt_asks_for(skill: str) -> None:
    for item, question in asked(skill):
        assert question.keys == [answer(question, item.clips[0].plan)], item.id


@pytest.mark.parametrize("skill", SKILLS)
def test_the_asked_moment_is_the_one_that_is_not_shown(skill: str) -> None:
    for item, question in asked(skill):
        if question.level == 2:
            other = "start" if item.clips[0].plan["reveal"] == "end" else "end"
            assert f"at the {other} of the video" in question.prompt.split("\n\n")[2]


def test_the_solution_leads_to_the_colours_of_the_goal_and_none_is_shorter() -> None:
    for item, question in asked("predict_operation"):
        when, goal = found(
            r"board as it is at the (start|end) of the video.* into this board: (\[\[.*?\]\])\?", question.prompt
        )
        colours = json.loads(re.sub(r"(\w+)", r'"\1"', goal))
        moments = moments_of(item.clips[0].plan)
        then = moments[0 if when == "start" else -1]
        [key] = question.keys
        assert as_board(then[0]) != colours
        assert as_board(carry_out(*then, key)[-1][0]) == colours
        assert item.measures["solution_length"] == len(key) <= 6
        for length in range(len(key) if len(key) <= 4 else 0):
            for ways in product(WAYS, repeat=length):
                with suppress(OffBoard):
                    assert as_board(carry_out(*then, list(ways))[-1][0]) != colours, item.id


def outcome(item: Item, question: Question, value: Any) -> str:
    return judge(item, question, 0, write_reply(question.kind, value)).outcome


@pytest.mark.parametrize("skill", SKILLS)
def test_the_written_key_scores(skill: str) -> None:
    for item, question in asked(skill):
        judgement = judge(item, question, 0, write_reply(question.kind, question.keys[0]))
        assert judgement.outcome == "correct", (item.id, judgement)
        assert judgement.optimality_gap == (0 if skill == "predict_operation" else None)


OTHER = {"black": "white", "white": "black", "x": "x"}
CHANGES: dict[str, Callable[[list[list[str]]], list[list[str]]]] = {
    "transposed": lambda board: [list(row) for row in zip(*board, strict=True)],
    "left and right": lambda board: [row[::-1] for row in board],
    "top and bottom": lambda board: board[::-1],
    "turned": lambda board: [list(row) for row in zip(*board[::-1], strict=True)],
    "colours exchanged": lambda board: [[OTHER[colour] for colour in row] for row in board],
    "one disc": lambda board: [[OTHER[board[0][0]] if board[0][0] != "x" else "black", *board[0][1:]], *board[1:]],
}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("skill", ["infer_state", "compare_state", "predict_state"])
def test_another_board_is_wrong(skill: str, change: str) -> None:
    wrong = 0
    for item, question in asked(skill):
        changed = CHANGES[change](question.keys[0])
        expected = "correct" if changed == question.keys[0] else "wrong"
        assert outcome(item, question, changed) == expected, item.id
        wrong += expected == "wrong"
    assert wrong > len(items()) // 2


def test_colours_are_words_and_no_numbers() -> None:
    for item, question in asked("infer_state"):
        [key] = question.keys
        assert {colour for row in key for colour in row} <= {"black", "white"}
        zeros_and_ones = [[int(colour == "black") for colour in row] for row in key]
        assert outcome(item, question, zeros_and_ones) == "unparsed"
        for black, white in (("B", "W"), ("b", "w"), ("Black", "White"), ("●", "○"), ("⚫", "⚪")):
            rows = [[black if colour == "black" else white for colour in row] for row in key]
            assert outcome(item, question, rows) == "correct", (black, white)
            lines = "Final Answer:\n" + "\n".join(" ".join(row) for row in rows)
            assert judge(item, question, 0, lines).outcome == "correct", lines
            labelled = "Final Answer:\n" + "\n".join(
                f"{'abcdefghij'[n]}: {' '.join(row)}" for n, row in enumerate(rows)
            )
            assert judge(item, question, 0, labelled).outcome == "correct", labelled


def test_a_goal_reached_by_a_longer_way_is_right_and_an_illegal_step_is_named() -> None:
    for item, question in asked("predict_operation"):
        [key] = question.keys
        there_and_back = None
        moments = moments_of(item.clips[0].plan)
        then = moments[0 if item.clips[0].plan["reveal"] == "end" else -1]
        for way, back in (("left", "right"), ("up", "down"), ("right", "left"), ("down", "up")):
            # Twice there and back reaches both cells an even number of times.
            try:
                carry_out(*then, longer := [way, back, way, back, *key])
                there_and_back = longer
            except OffBoard:
                judgement = judge(item, question, 0, write_reply("operations", [way, *key]))
                assert (judgement.outcome, judgement.first_illegal) == ("wrong", 0)
        assert there_and_back is not None
        judgement = judge(item, question, 0, write_reply("operations", there_and_back))
        assert (judgement.outcome, judgement.optimality_gap) == ("correct", 4)
        assert outcome(item, question, []) == "wrong"


def test_the_examples_in_the_prompts_are_answers_of_their_kind() -> None:
    for item in items()[::20]:
        for question in item.questions:
            examples = re.findall(r"`(Final Answer: [^`]+)`", question.prompt)
            assert examples
            for example in examples:
                assert isinstance(read_reply(question.kind, example, world=CIRCLE.world), Answer), example


@given(seed=st.integers(0, 2**64), size=st.integers(2, 10), ops=st.integers(1, 60))
def test_plans_show_both_colours_and_do_not_end_where_they_began(seed: int, size: int, ops: int) -> None:
    chosen = CIRCLE.settings.model_validate({"size": size, "ops": ops})
    [plan] = CIRCLE.sample(chosen, Streams(seed, "circle", 1, 0), 0)
    moments = moments_of(plan)
    assert len(plan["operations"]) == ops
    assert set(moments[0][0].values()) == {"black", "white"}
    assert moments[0][0] != moments[-1][0]
    episode = CIRCLE.episode(plan)
    assert any(colour != "x" for row in CompareColours().key(episode) for colour in row)


def test_starts_directions_and_rings_are_all_drawn() -> None:
    plans = [item.clips[0].plan for item in make(150, 3, size=2, ops=4, **SMALL)]
    assert {way for plan in plans for way in plan["operations"]} == set(WAYS)
    assert {tuple(plan["start"]["ring"]) for plan in plans} == set(product(range(2), repeat=2))
    assert len({str(plan["start"]["board"]) for plan in plans}) == 2**4 - 2


# ---------------------------------------------------------------------------------------------------- pictures

RING = np.array([235, 104, 10])


def pictures(plan: Plan, **settings: Any) -> "np.ndarray[Any, np.dtype[np.uint8]]":
    scene = CIRCLE.scene(plan, CIRCLE.settings.model_validate(SMALL | settings))
    return render(scene, range(scene.frames))


@pytest.mark.parametrize("reveal", ["start", "end"])
@pytest.mark.parametrize("size", [2, 3, 5, 10])
def test_nothing_outside_the_reveal_tells_the_colours(size: int, reveal: str) -> None:
    """Boards as different as can be give the same frames, pixel by pixel, but at the reveal."""
    [item] = make(1, 8, size=size, ops=7, **SMALL)
    plan = item.clips[0].plan | {"reveal": reveal}
    exchanged = [[1 - piece for piece in row] for row in plan["start"]["board"]]
    other = plan | {"start": plan["start"] | {"board": exchanged}}
    one, two = pictures(plan), pictures(other)
    hidden = slice(4, None) if reveal == "start" else slice(0, -4)
    shown = slice(0, 4) if reveal == "start" else slice(-4, None)
    assert np.array_equal(one[hidden], two[hidden])
    assert not any(np.array_equal(first, second) for first, second in zip(one[shown], two[shown], strict=True))


def ring_cell(picture: "np.ndarray[Any, np.dtype[np.uint8]]", size: int) -> str:
    """The cell in which the orange pixels of a picture have their middle."""
    orange = np.abs(picture.astype(int) - RING).sum(axis=2) < 60
    rows, columns = np.nonzero(orange)
    assert len(rows) > 20, "no ring can be seen"
    # The board fills the picture but for the labels on two sides and half as much on the others.
    margin, side = 0.075, 1 - 1.5 * 0.075
    row, column = ((values.mean() / picture.shape[0] - margin) / side * size for values in (rows, columns))
    return name(int(row), int(column))


@pytest.mark.parametrize("reveal", ["start", "end"])
@pytest.mark.parametrize("size", [2, 4, 7, 10])
def test_the_ring_is_seen_in_every_frame_and_stands_where_it_should(size: int, reveal: str) -> None:
    [item] = make(1, 5, size=size, ops=9, reveal=reveal, **SMALL | {"resolution": 256})
    clip = item.clips[0]
    shots = pictures(clip.plan, resolution=256)
    rings = [ring for _, ring in moments_of(clip.plan)]
    assert ring_cell(shots[0], size) == rings[0] and ring_cell(shots[-1], size) == rings[-1]
    for number, (first, end) in enumerate(clip.spans):
        assert ring_cell(shots[first], size) == rings[number]
        assert ring_cell(shots[end - 1], size) == rings[number + 1]
        assert {ring_cell(shot, size) for shot in shots[first:end]} == {rings[number], rings[number + 1]}


def test_the_reveal_shows_the_colours_in_their_cells() -> None:
    for reveal, index in (("start", 0), ("end", -1)):
        [item] = make(1, 6, size=4, ops=3, reveal=reveal, **SMALL | {"resolution": 256})
        discs, _ = moments_of(item.clips[0].plan)[index]
        picture = pictures(item.clips[0].plan, resolution=256)[index].astype(int)
        margin, cell = 0.075 * 256, (1 - 1.5 * 0.075) * 256 / 4
        for row, column in product(range(4), repeat=2):
            pixel = picture[int(margin + (row + 0.5) * cell), int(margin + (column + 0.5) * cell)]
            assert pixel.max() < 60 if discs[name(row, column)] == "black" else pixel.min() > 220


def test_frames_that_look_alike_are_one_list() -> None:
    [item] = make(1, 5, ops=6)
    scene = CIRCLE.scene(item.clips[0].plan, CIRCLE.settings())
    lists = [scene.placements(frame) for frame in range(scene.frames)]
    moving = sum(end - first - 2 * ((end - first) // 6) - 1 for first, end in scene.spans)
    assert len({id(listed) for listed in lists}) <= moving + 1 + 16
    assert all(one is two for one, two in pairwise(lists[:41]))
