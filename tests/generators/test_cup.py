"""The Cup family: keys read off the prompts by a second simulation, what must stay hidden, and what is seen."""

import re
import time
from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise, product
from math import hypot
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generators.boards import lettered_board
from generators.family import family
from generators.item import Item, Plan, Question
from generators.questions import write_reply
from generators.randomness import Streams
from generators.rendering.scene import Scene
from generators.rendering.video import render
from generators.settings import SKILLS
from simulators.contract import IllegalOperation
from tests.generators.command_line import refused, run
from tests.generators.making import items_of
from verifier.reading import Answer, read_reply
from verifier.scoring import judge

CUP = family("cup")
SMALL = {"resolution": 192, "fps": 8, "seconds_per_op": 1.0, "reveal_seconds": 1.0}
Pair = tuple[str, str]


def name(row: int, column: int) -> str:
    return f"{'abcdefghij'[row]}{column + 1}"


def place(cell: str) -> tuple[int, int]:
    return "abcdefghij".index(cell[0]), int(cell[1:]) - 1


def pairs(texts: list[str]) -> list[Pair]:
    return [(text[1:-1].split(", ")[0], text[1:-1].split(", ")[1]) for text in texts]


def carry_out(coins: set[str], swaps: list[Pair]) -> list[set[str]]:
    """From the English of the prompt: the cells with coins before and after each swap."""
    moments = [coins]
    for one, other in swaps:
        assert one != other
        goes = {one: other, other: one}
        moments.append({goes.get(cell, cell) for cell in moments[-1]})
    return moments


def moments_of(plan: Plan) -> list[set[str]]:
    size = range(len(plan["start"]))
    coins = {name(row, column) for row, column in product(size, size) if plan["start"][row][column]}
    return carry_out(coins, pairs(plan["operations"]))


def in_order(cells: Any) -> list[str]:
    return sorted(cells, key=place)


def make(count: int = 1, seed: int = 1, **settings: Any) -> list[Item]:
    chosen = CUP.settings.model_validate(settings)
    return items_of(CUP, chosen, seed, count)


@cache
def items() -> tuple[Item, ...]:
    """Items of all sizes, both reveals and 1 to 25 operations."""
    return tuple(
        item
        for size in range(2, 11)
        for item in make(16, size, size=size, ops="2..25", coins="1..50", reveal="both", **SMALL)
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
        size = len(plan["start"])
        for question in item.questions:
            prompt = question.prompt
            assert f"a board of {size} × {size} cells" in prompt
            assert f"Rows are lettered a to {'abcdefghij'[size - 1]} from top to bottom" in prompt
            assert f"columns are numbered 1 to {size} from left to right; a1 is the top left cell" in prompt
            assert ("Only at the start of the video are the cups lifted" in prompt) == (plan["reveal"] == "start")
            assert ("Only after the last operation, at the end of the video" in prompt) == (plan["reveal"] == "end")
            assert "two cups, at any distance from each other" in prompt
            assert "What is under a cup travels with it: a coin ends in the cell in which its cup ends" in prompt
            assert "which of the two is named first does not matter. A cup cannot swap with itself." in prompt
            assert "{" not in prompt and "None" not in prompt and "[" not in prompt
        goal = item.questions[-1].prompt
        assert "Any list of swaps that ends with the coins in exactly these cells is right" in goal
        assert "it need not be the shortest" in goal
        assert "a cell is not on the board or both cells are the same, makes the answer wrong" in goal


def answer(question: Question, plan: Plan) -> Any:
    """The answer that the prompt's own words ask for."""
    moments, prompt = moments_of(plan), question.prompt
    then = {"start": moments[0], "end": moments[-1]}
    if question.id == "recall_order":
        first, last = found(r"operations? number (\d+)(?: to (\d+), both included)?, in the order", prompt)
        return plan["operations"][int(first) - 1 : int(last or first)]
    if question.id == "recall_count":
        [cell] = found(r"How many swaps involved the cell (\w+), whichever", prompt)
        return in_order(other for pair in pairs(plan["operations"]) for one, other in (pair, pair[::-1]) if one == cell)
    if question.id == "infer_state":
        [when] = found(r"At which cells is there a coin under the cup at the (start|end) of the video", prompt)
        return in_order(then[when])
    if question.id == "compare_state":
        when, other = found(r"under the cup at the (start|end) of the video but not at the (start|end)\?", prompt)
        assert when != other
        return in_order(then[when] - then[other])
    assert question.id == "predict_state"
    [listed] = found(r"carried out in this order: (.+?)\. At which cells is there a coin under the cup after", prompt)
    from_start = "Go back to the start of the video, before its first operation" in prompt
    assert from_start != ("After the end of the video" in prompt)
    swaps = re.findall(r"\((\w+), (\w+)\)", listed)
    assert 3 <= len(swaps) <= 5
    return in_order(carry_out(then["start" if from_start else "end"], swaps)[-1])


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


def test_the_solution_brings_the_coins_to_the_goal_and_none_is_shorter() -> None:
    for item, question in asked("predict_operation"):
        when, listed = found(r"board as it is at the (start|end) of the video.* in any other: (.+?)\?", question.prompt)
        goal = set(listed.split(", "))
        then = moments_of(item.clips[0].plan)[0 if when == "start" else -1]
        [key] = question.keys
        assert then != goal and len(then) == len(goal)
        assert carry_out(then, pairs(key))[-1] == goal
        # A swap brings no more than one coin to where it should be.
        assert len(key) == len(goal - then) == item.measures["solution_length"]


def outcome(item: Item, question: Question, value: Any) -> str:
    return judge(item, question, 0, write_reply(question.kind, value)).outcome


@pytest.mark.parametrize("skill", SKILLS)
def test_the_written_key_scores(skill: str) -> None:
    for item, question in asked(skill):
        judgement = judge(item, question, 0, write_reply(question.kind, question.keys[0]))
        assert judgement.outcome == "correct", (item.id, judgement)
        assert judgement.optimality_gap == (0 if skill == "predict_operation" else None)


CHANGES: dict[str, Callable[[int, int, int], str]] = {
    "transposed": lambda row, column, size: name(column, row),
    "left and right": lambda row, column, size: name(row, size - 1 - column),
    "top and bottom": lambda row, column, size: name(size - 1 - row, column),
    "the next cell": lambda row, column, size: name(row, (column + 1) % size),
}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("skill", ["recall_count", "infer_state", "compare_state", "predict_state"])
def test_other_cells_are_wrong(skill: str, change: str) -> None:
    wrong = 0
    for item, question in asked(skill):
        size = len(item.clips[0].plan["start"])
        changed = in_order(CHANGES[change](*place(cell), size) for cell in question.keys[0])
        expected = "correct" if changed == question.keys[0] else "wrong"
        assert outcome(item, question, changed) == expected, item.id
        wrong += expected == "wrong"
    assert wrong > len(items()) // 2


@pytest.mark.parametrize("skill", ["infer_state", "predict_state"])
def test_the_empty_cups_and_a_part_of_the_coins_are_wrong(skill: str) -> None:
    for item, question in asked(skill):
        size = range(len(item.clips[0].plan["start"]))
        [key] = question.keys
        empty = [name(row, column) for row, column in product(size, size) if name(row, column) not in key]
        assert key and empty
        for other in (empty, key[1:], [*key, empty[0]], []):
            assert outcome(item, question, other) == "wrong"
        assert outcome(item, question, key[::-1]) == "correct"


def test_the_order_of_a_pair_does_not_matter_and_the_order_of_pairs_does() -> None:
    for item, question in asked("recall_order"):
        [key] = question.keys
        turned = [f"({other}, {one})" for one, other in pairs(key)]
        assert outcome(item, question, turned) == "correct"
        assert outcome(item, question, [text.upper() for text in key]) == "correct"
        assert outcome(item, question, key[::-1]) == ("correct" if key == key[::-1] else "wrong")
        transposed = [f"({name(*place(one)[::-1])}, {name(*place(other)[::-1])})" for one, other in pairs(key)]
        same = [set(pair) for pair in pairs(transposed)] == [set(pair) for pair in pairs(key)]
        assert outcome(item, question, transposed) == ("correct" if same else "wrong")


def test_longer_plans_are_right_and_impossible_swaps_wrong() -> None:
    for item, question in asked("predict_operation"):
        [key] = question.keys
        judgement = judge(item, question, 0, write_reply("operations", ["(a1, b2)", "(b2, a1)", *key]))
        assert (judgement.outcome, judgement.optimality_gap) == ("correct", 2)
        size = len(item.clips[0].plan["start"])
        for illegal in ["(a1, a1)", *(["(a1, j10)"] if size < 10 else [])]:
            judgement = judge(item, question, 0, write_reply("operations", [*key, illegal]))
            assert (judgement.outcome, judgement.first_illegal) == ("wrong", len(key))
        assert outcome(item, question, []) == outcome(item, question, key[1:]) == "wrong"


def test_the_examples_in_the_prompts_are_answers_of_their_kind() -> None:
    for item in items()[::20]:
        for question in item.questions:
            examples = re.findall(r"`(Final Answer: [^`]+)`", question.prompt)
            assert examples
            for example in examples:
                assert isinstance(read_reply(question.kind, example, world=CUP.world), Answer), example


# ---------------------------------------------------------------------------------------------------- sampling


@given(seed=st.integers(0, 2**64), size=st.integers(2, 10), ops=st.integers(1, 60), coins=st.integers(1, 50))
def test_plans_move_coins_and_repeat_no_pair_at_once(seed: int, size: int, ops: int, coins: int) -> None:
    coins = min(coins, size * size - 1)
    chosen = CUP.settings.model_validate({"size": size, "ops": ops, "coins": coins})
    [plan] = CUP.sample(chosen, Streams(seed, "cup", 1, 0), 0)
    moments = moments_of(plan)
    assert len(plan["operations"]) == ops and len(moments[0]) == coins
    assert moments[0] != moments[-1]
    for one, other in pairwise(plan["operations"]):
        assert one != other
    for one_cell, other_cell in pairs(plan["operations"]):
        assert place(one_cell) < place(other_cell)


def test_further_swaps_do_not_undo_the_last_that_was_seen() -> None:
    for item, question in asked("predict_state"):
        plan, further = item.clips[0].plan, question.about["operations"]
        shown = [*plan["operations"][-1:], *further] if plan["reveal"] == "start" else further
        assert all(one != other for one, other in pairwise(shown))


def test_a_good_share_of_swaps_moves_coins_even_where_there_are_few() -> None:
    for size, coins in ((3, 3), (10, 1), (10, 50), (2, 3)):
        changing = total = 0
        for item in make(25, 4, size=size, coins=coins, ops=20, **SMALL):
            moments = moments_of(item.clips[0].plan)
            changing += sum(one != other for one, other in pairwise(moments))
            total += 20
        assert 0.4 < changing / total < 0.9, (size, coins, changing / total)


def test_a_third_of_the_cups_hide_a_coin_where_nothing_is_said() -> None:
    for size in range(2, 11):
        [item] = make(1, 1, size=size, **SMALL)
        assert item.measures["coins"] == round(size * size / 3)


def test_a_range_of_coins_is_drawn_and_never_fills_the_board() -> None:
    drawn = {
        (item.measures["size"], item.measures["coins"])
        for item in make(150, 2, size="2..3", coins="3..50", ops=3, **SMALL)
    }
    assert drawn == {(2, 3)} | {(3, coins) for coins in range(3, 9)}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--size", "2", "--coins", "4"), "--coins 4: a board of 2 × 2 takes at most 3 coins"),
        (("--size", "3..5", "--coins", "9..12"), "--coins 9..12: a board of 3 × 3 takes at most 8 coins"),
        (("--coins", "51"), "--coins 51: must be from 1 to 50"),
        (("--coins", "0"), "--coins 0: must be from 1 to 50"),
        (("--coins", "few"), "--coins few: write a whole number such as 4 or a range such as 2..6"),
    ],
)
def test_coins_that_do_not_fit_are_refused(options: tuple[str, ...], message: str, tmp_path: Any) -> None:
    assert message in refused(run("generators.cup", *options, where=tmp_path))


def test_settings_with_and_without_coins_survive_a_round_trip() -> None:
    for coins in (None, "3", "2..5"):
        chosen = CUP.settings.model_validate({"coins": coins})
        assert chosen.to_json()["coins"] == coins
        assert CUP.settings.model_validate(chosen.to_json()) == chosen


def test_large_boards_are_sampled_quickly() -> None:
    began = time.process_time()
    make(20, 1, size=10, ops=100)
    assert time.process_time() - began < 4


def test_a_plan_that_swaps_a_cup_with_itself_is_refused() -> None:
    plan = {"start": [[1, 0], [0, 0]], "operations": ["(a1, b1)", "(a1, a1)"], "reveal": "start"}
    with pytest.raises(IllegalOperation, match=r"operation 1 .* cannot swap with itself"):
        CUP.episode(plan)


# ---------------------------------------------------------------------------------------------------- pictures

GOLD = np.array([255, 209, 26])
ORANGE = np.array([244, 140, 48])
BLUE = np.array([122, 178, 222])
Picture = np.ndarray[Any, np.dtype[np.uint8]]


def pictures(plan: Plan, **settings: Any) -> Picture:
    scene = CUP.scene(plan, CUP.settings.model_validate(SMALL | settings))
    return render(scene, range(scene.frames))


def near(picture: Picture, colour: Any) -> "np.ndarray[Any, np.dtype[np.bool_]]":
    close: np.ndarray[Any, np.dtype[np.bool_]] = np.abs(picture.astype(int) - colour).sum(axis=-1) < 60
    return close


def drawn_in(scene: Scene, colour: Any) -> set[int]:
    """The sprites that have a shape of this colour."""
    return {
        index
        for index, sprite in enumerate(scene.sprites)
        if any(getattr(shape, "colour", None) == tuple(colour.tolist()) for shape in sprite.shapes)
    }


@pytest.mark.parametrize("reveal", ["start", "end"])
@pytest.mark.parametrize("size", [2, 3, 5, 10])
def test_nothing_outside_the_reveal_tells_where_the_coins_are(size: int, reveal: str) -> None:
    """The same swaps with coins where there were none, and none where there were some: the same frames."""
    [item] = make(1, 8, size=size, ops=7, **SMALL)
    plan = item.clips[0].plan | {"reveal": reveal}
    other = plan | {"start": [[1 - coin for coin in row] for row in plan["start"]]}
    one, two = pictures(plan), pictures(other)
    hidden = slice(8, None) if reveal == "start" else slice(0, -8)
    shown = slice(0, 8) if reveal == "start" else slice(-8, None)
    assert np.array_equal(one[hidden], two[hidden])
    assert not near(one[hidden], GOLD).any()
    assert not any(np.array_equal(first, second) for first, second in zip(one[shown], two[shown], strict=True))


@pytest.mark.parametrize("reveal", ["start", "end"])
def test_cups_at_rest_all_look_alike(reveal: str) -> None:
    """All frames between operations are the same, and one part of the picture repeats in every cell."""
    [item] = make(1, 8, size=4, ops=6, reveal=reveal, **SMALL)
    clip = item.clips[0]
    shots = pictures(clip.plan)
    still = [shots[first] for first, _ in clip.spans]
    assert all(np.array_equal(one, still[0]) for one in still)
    board = lettered_board(CUP.settings.model_validate(SMALL).resolution, 4, 0.24)
    cell, corner = board.cell, board.top + board.rim
    assert board.left == board.top
    places = [
        still[0][corner + row * cell :, corner + column * cell :][: cell - 2, : cell - 2]
        for row, column in product(range(4), repeat=2)
    ]
    assert all(np.array_equal(one, places[0]) for one in places)


@pytest.mark.parametrize("fps", [4, 10, 24, 60])
@pytest.mark.parametrize("seconds", [0.3, 1.0, 2.0, 6.0])
@pytest.mark.parametrize("reveal", ["start", "end"])
def test_the_cups_are_fully_lifted_for_most_of_the_reveal(reveal: str, seconds: float, fps: int) -> None:
    settings = CUP.settings.model_validate({"reveal_seconds": seconds, "fps": fps, "reveal": reveal})
    plan = {"start": [[1, 0], [0, 0]], "operations": ["(a1, b1)"], "reveal": reveal}
    scene = CUP.scene(plan, settings)
    shown = round(seconds * fps)
    lists = [scene.placements(frame) for frame in range(scene.frames)]
    reveal_lists = lists[:shown] if reveal == "start" else lists[: -shown - 1 : -1]
    lifted = [listed is reveal_lists[0] for listed in reveal_lists]
    full = sum(lifted)
    assert lifted == [True] * full + [False] * (shown - full)
    assert full >= 0.75 * shown
    # Every frame of the reveal shows coins; no other does.
    coins = drawn_in(scene, GOLD)
    assert [any(one.sprite in coins for one in listed) for listed in lists].count(True) == shown


def test_the_reveal_shows_the_coins_in_their_cells() -> None:
    for reveal, index in (("start", 0), ("end", -1)):
        [item] = make(1, 6, size=4, ops=5, reveal=reveal, **SMALL | {"resolution": 256})
        gold = near(pictures(item.clips[0].plan, resolution=256)[index], GOLD)
        margin, cell = 0.075 * 256, (1 - 1.5 * 0.075) * 256 / 4.48
        corner = margin + 0.24 * cell
        seen = set()
        for row, column in product(range(4), repeat=2):
            rows, columns = (slice(int(corner + k * cell), int(corner + (k + 1) * cell)) for k in (row, column))
            if gold[rows, columns].sum() > 20:
                seen.add(name(row, column))
        assert seen == moments_of(item.clips[0].plan)[index]
        assert gold.sum() > 20 * len(seen)


def movers(plan: Plan, settings: Any) -> Iterator[tuple[int, list[tuple[float, float]]]]:
    """(frame, centres in cells of the two orange cups) of every frame that shows some."""
    scene = CUP.scene(plan, settings)
    orange, blue = drawn_in(scene, ORANGE), drawn_in(scene, BLUE)
    cups = sorted((one.y, one.x) for one in scene.placements(scene.spans[0][0]) if one.sprite in blue)
    (top, left), size = cups[0], len(plan["start"])
    side = (cups[-1][1] - left) / (size - 1)
    for frame in range(scene.frames):
        pair = [one for one in scene.placements(frame) if one.sprite in orange and one.x > 0]
        if pair:
            assert len(pair) == 2
            yield frame, [((one.y - top) / side, (one.x - left) / side) for one in pair]


@pytest.mark.parametrize("size", [2, 3, 6, 10])
def test_moving_cups_go_from_cell_to_cell_without_touching_and_stay_in_the_picture(size: int) -> None:
    """Cups that are 0.64 wide and 0.6 high pass each other at a distance of 0.9, whatever cells they swap."""
    cells = [name(row, column) for row, column in product(range(size), repeat=2)]
    swaps = [(one, other) for one in cells[:: max(1, size - 3)] for other in cells if one != other]
    settings = CUP.settings.model_validate({"fps": 12})
    start = [[int(cell == (0, 0)) for cell in product([row], range(size))] for row in range(size)]
    plan: Plan = {"start": start, "operations": [f"({one}, {other})" for one, other in swaps][:300], "reveal": "start"}
    spans = CUP.scene(plan, settings).spans
    seen: dict[int, list[list[tuple[float, float]]]] = {}
    number = 0
    for frame, centres in movers(plan, settings):
        while frame >= spans[number][1]:
            number += 1
        assert spans[number][0] <= frame
        seen.setdefault(number, []).append(centres)
        (row, column), (other_row, other_column) = centres
        assert hypot(row - other_row, column - other_column) > 0.89
        assert abs(row - other_row) > 0.6 or abs(column - other_column) > 0.6
        assert all(-0.75 < way < size - 0.25 for centre in centres for way in centre)
    assert len(seen) == len(plan["operations"])
    for number, path in seen.items():
        one, other = (place(cell) for cell in swaps[number])
        assert path[-1] == [pytest.approx(other, abs=0.01), pytest.approx(one, abs=0.01)]
        assert path[0][0] == pytest.approx(one, abs=0.35 + 0.1 * size)
        # Smooth: no jump of more than a fifth of the way.
        longest = max(hypot(a[0][0] - b[0][0], a[0][1] - b[0][1]) for a, b in pairwise(path))
        assert longest < 0.25 * (hypot(one[0] - other[0], one[1] - other[1]) + 1)


def test_the_two_cups_of_a_swap_stay_marked_to_its_end_and_none_is_marked_at_its_start() -> None:
    [item] = make(1, 3, size=3, ops=5, **SMALL | {"resolution": 256})
    clip = item.clips[0]
    shots = pictures(clip.plan, resolution=256)
    margin, cell = 0.075 * 256, (1 - 1.5 * 0.075) * 256 / 3.48
    corner = margin + 0.24 * cell
    for (first, end), pair in zip(clip.spans, pairs(clip.plan["operations"]), strict=True):
        assert not near(shots[first], ORANGE).any()
        orange = near(shots[end - 1], ORANGE)
        for row, column in product(range(3), repeat=2):
            rows, columns = (slice(int(corner + k * cell), int(corner + (k + 1) * cell)) for k in (row, column))
            assert (orange[rows, columns].sum() > 100) == (name(row, column) in pair)
    assert not near(shots[-1], ORANGE).any()


def test_frames_that_look_alike_are_one_list() -> None:
    [item] = make(1, 5, ops=6)
    scene = CUP.scene(item.clips[0].plan, CUP.settings())
    lists = [scene.placements(frame) for frame in range(scene.frames)]
    assert len({id(listed) for listed in lists[:39]}) == 1
    moving = sum(end - first - 2 * ((end - first) // 6) - 1 for first, end in scene.spans)
    assert len({id(listed) for listed in lists}) <= 1 + 9 + 1 + len(scene.spans) + moving
