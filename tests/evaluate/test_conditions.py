"""Which frames each condition shows, against what it says, and that they depend on nothing but the item."""

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from evaluate.asking import Asked, every_question
from evaluate.conditions import (
    CONDITIONS,
    Choice,
    Condition,
    Viewing,
    choose,
    delivered_fps,
    is_below_minimum,
    most_informative,
    read_conditions,
    sample,
    transcript,
)
from evaluate.delivery import SEPARATE_HASHES, decoded, drawn, hashes
from generators.dataset import read_items
from generators.errors import InputError
from generators.item import Clip, Item
from generators.rendering import frames


def clip(frames: int, fps: int = 24, spans: list[tuple[int, int]] | None = None) -> Clip:
    return Clip(file=None, sha256=None, width=8, height=8, fps=fps, frames=frames, plan={}, spans=spans or [])


@pytest.fixture(scope="module")
def items(make_set: Any) -> list[Item]:
    return list(read_items(make_set(80, size="2..5", ops="3..9")))


@pytest.mark.parametrize("number", [2, 3, 7, 16, 99, 100])
def test_frames_are_evenly_spaced_with_both_ends(number: int) -> None:
    chosen = sample(Viewing(frames=number), clip(100))
    assert len(chosen) == number and (chosen[0], chosen[-1]) == (0, 99)
    steps = np.diff(chosen)
    assert steps.min() >= 1 and steps.max() - steps.min() <= 1


def test_more_frames_than_there_are_is_all_of_them_and_one_is_the_middle() -> None:
    assert sample(Viewing(frames=500), clip(100)) == tuple(range(100))
    assert sample(Viewing(), clip(3)) == (0, 1, 2)
    assert sample(Viewing(frames=1), clip(100)) == (50,)
    assert sample(Viewing(fps=100), clip(5)) == (0, 1, 2, 3, 4)


@pytest.mark.parametrize(("fps", "expected"), [(1, (0, 24, 48)), (2, (0, 12, 24, 36, 48)), (0.5, (0, 48)), (7, None)])
def test_a_frame_rate_counts_from_the_first_frame(fps: float, expected: tuple[int, ...] | None) -> None:
    chosen = sample(Viewing(fps=fps), clip(60))
    assert expected is None or chosen == expected
    assert all(abs(index / 24 - number / fps) <= 0.5 / 24 + 1e-9 for number, index in enumerate(chosen))
    assert 59 / 24 - chosen[-1] / 24 < 1 / fps


def test_a_frame_rate_and_a_number_of_frames_do_not_go_together() -> None:
    with pytest.raises(InputError, match="do not go together"):
        Viewing(fps=1, frames=2)


@pytest.mark.parametrize("condition", CONDITIONS)
def test_each_condition_shows_what_it_says(items: list[Item], condition: Condition) -> None:
    seen: list[Choice] = []
    for item in items:
        choice = choose(Viewing(condition=condition, frames=8), item, 0)
        assert choice == choose(Viewing(condition=condition, frames=8), item, 0)
        full = sample(Viewing(frames=8), item.clips[0])
        assert list(choice.slots) == sorted(choice.slots)
        assert len(choice.indices) == len(choice.slots)
        match condition:
            case "full":
                assert choice == Choice(full, full)
            case "shuffled":
                assert sorted(choice.indices) == list(full) and choice.indices != full and choice.slots == full
            case "reversed":
                assert choice == Choice(full[::-1], full)
            case "half":
                assert choice.indices in (full[:4], full[4:]) and choice.slots == choice.indices
            case "static":
                assert len(set(choice.indices)) == 1 and choice.slots == full and choice.indices[0] in full
            case "single-centre":
                assert choice.indices == (item.clips[0].frames // 2,)
            case "single-informative":
                first, end = item.clips[0].spans[0][0], item.clips[0].spans[-1][1]
                assert choice.indices == ((first + end) // 2,)
            case "single-random":
                assert len(choice.indices) == 1 and 0 <= choice.indices[0] < item.clips[0].frames
            case _:
                assert choice == Choice((), ())
        seen.append(choice)
    if condition in ("single-random", "static"):
        assert len({choice.indices[0] for choice in seen}) > 8
    if condition == "half":
        firsts = sum(choice.indices[0] == 0 for choice in seen)
        assert 20 <= firsts <= 60
    if condition == "shuffled":
        orders = Counter(tuple(np.argsort(choice.indices)) for choice in seen)
        assert max(orders.values()) <= 2


def test_a_clip_of_one_frame_can_be_shuffled(items: list[Item]) -> None:
    assert choose(Viewing(condition="shuffled", frames=1), items[0], 0).indices == (items[0].clips[0].frames // 2,)


@pytest.mark.parametrize(
    ("spans", "expected"),
    [
        ([], 50),
        ([(10, 20)], 15),
        ([(10, 20), (20, 40)], 25),
        ([(10, 20), (30, 60)], 45),
        ([(10, 50), (30, 90)], 40),
        ([(0, 100), (20, 30), (50, 90)], 70),
        ([(0, 4), (10, 14)], 2),
    ],
)
def test_the_most_informative_frame_shows_the_most_events(spans: list[tuple[int, int]], expected: int) -> None:
    assert most_informative(clip(100, spans=spans)) == expected


def test_the_delivered_frame_rate_and_the_minimum(items: list[Item]) -> None:
    item = items[0]
    shown, minimum = item.clips[0], item.measures["minimum_fps"]
    for viewing, expected in (
        (Viewing(), False),
        (Viewing(frames=2), True),
        (Viewing(frames=1), True),
        (Viewing(fps=minimum), False),
        (Viewing(fps=minimum * 0.8), True),
        (Viewing(condition="shuffled", frames=2), True),
        (Viewing(condition="static", frames=2), None),
        (Viewing(condition="single-centre"), None),
        (Viewing(condition="text-only"), None),
    ):
        assert is_below_minimum(viewing, choose(viewing, item, 0), item, 0) is expected, viewing
    assert delivered_fps(choose(Viewing(), item, 0), shown) == shown.fps
    bare = item.model_copy(update={"measures": {}})
    assert is_below_minimum(Viewing(frames=2), choose(Viewing(frames=2), bare, 0), bare, 0) is None


def test_conditions_are_read_by_name() -> None:
    assert read_conditions("full, shuffled") == ("full", "shuffled")
    for text, complaint in (("fall", "unknown condition 'fall': choose from full,"), ("half,half", "named twice")):
        with pytest.raises(InputError, match=complaint):
            read_conditions(text)


@pytest.mark.parametrize("name", ["number", "circle", "cup", "file", "card", "chip"])
@pytest.mark.parametrize("reveal", ["start", "end"])
def test_a_transcript_says_what_is_shown_and_not_what_is_hidden(name: str, reveal: str) -> None:
    from generators.family import family
    from generators.item import canonical_json
    from generators.sampling import Part, make_items

    kind = family(name)
    item = next(make_items(Part(name, kind.settings.model_validate({"reveal": reveal}), 1), 3))
    text, plan = transcript(item, 0), item.clips[0].plan
    episode = kind.episode(plan)
    shown, hidden = (
        (episode.trace.start, episode.trace.end) if reveal == "start" else (episode.trace.end, episode.trace.start)
    )
    assert all(f"{number}. {operation}\n" in text + "\n" for number, operation in enumerate(plan["operations"], 1))
    assert canonical_json(episode.wording.state_key(shown)) in text
    assert canonical_json(episode.wording.state_key(hidden)) not in text
    assert text.index("The state shown") < text.index("1. ") or reveal == "end"


def test_prompts_hold_the_transcript_under_that_condition_alone(small_dataset: Path) -> None:
    for plain, told in zip(
        every_question(small_dataset),
        every_question(small_dataset, viewing=Viewing(condition="transcript")),
        strict=True,
    ):
        assert told.prompt == f"{transcript(told.item, told.clip)}\n\n{plain.prompt}"
        assert told.frames.shape == (0, 128, 128, 3)


def first(dataset: Path, **viewing: Any) -> Asked:
    return next(every_question(dataset, viewing=Viewing(**viewing)))


def test_frames_are_decoded_or_drawn_in_the_order_asked_for(small_dataset: Path) -> None:
    asked = first(small_dataset, condition="shuffled", frames=6, frames_from="render")
    assert (asked.frames == frames(asked.item, asked.indices)).all()
    video = first(small_dataset, condition="shuffled", frames=6)
    assert video.indices == asked.indices and video.times == asked.times
    difference = np.abs(video.frames.astype(int) - asked.frames)
    assert 0 < difference.mean() < 4
    with pytest.raises(ValueError, match="read-only"):
        video.frames[0, 0, 0, 0] = 1


def test_decoded_frames_are_those_of_their_numbers(small_dataset: Path) -> None:
    item = next(read_items(small_dataset))
    total = item.clips[0].frames
    everything = decoded(small_dataset, item, 0, tuple(range(total)))
    exact = drawn(small_dataset, item, 0, tuple(range(total)))
    assert np.abs(everything.astype(int) - exact).mean(axis=(1, 2, 3)).max() < 4
    some = (total - 1, 3, 3, 0)
    assert (decoded(small_dataset, item, 0, some) == everything[list(some)]).all()


def test_the_questions_about_a_clip_share_its_frames(small_dataset: Path) -> None:
    asked = list(every_question(small_dataset, limit=1, viewing=Viewing(frames=3)))
    assert len(asked) == 6
    assert len({id(one.frames) for one in asked}) == 1
    assert len({id(one.view.images("png")) for one in asked}) == 1


def test_what_is_recorded_of_frames(small_dataset: Path) -> None:
    asked = first(small_dataset, frames=3)
    assert asked.view.record() == {"condition": "full", "indices": [], "times": []}
    pixels = asked.frames
    record = asked.view.record()
    assert record["sha256"] == hashes(pixels) and len(record["sha256"]) == 3
    assert record["times"] == [round(index / asked.item.clips[0].fps, 6) for index in asked.indices]
    assert isinstance(hashes(np.zeros((SEPARATE_HASHES + 1, 2, 2, 3), np.uint8)), str)


def test_a_question_without_a_viewing_has_no_frames(small_dataset: Path) -> None:
    with pytest.raises(LookupError, match="without a clip"):
        _ = next(every_question(small_dataset)).frames
