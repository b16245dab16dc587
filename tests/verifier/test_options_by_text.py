"""Options given by their text: the whole answer is that text, or what follows cannot change it."""

import itertools
import time
from functools import cache

import pytest

from generators.family import family
from generators.sampling import Part, make_items
from verifier.reading import Unparsed, read_reply

FAMILIES = ("rotation", "motion_direction", "velocity_frequency", "shape_trend", "visual_cues", "action_count")

SPEEDS = ["fast, then slow, then fast", "fast, slow, fast, then slow", "slow, then fast, then slow", "at one speed"]
RHYTHMS = ["quick rhythm, then slow, then quick", "slow rhythm, then quick, then slow", "one rhythm all along"]
WAYS = ["to the left", "to the upper left", "to the right", "straight up"]
TURNS = [
    "clockwise from beginning to end",
    "counter-clockwise from beginning to end",
    "first clockwise, then counter-clockwise",
    "first counter-clockwise, then clockwise",
    "neither way: it jumps about",
]
TRENDS = ["at the same speed all along", "faster and faster, step by step", "in another way than these"]
JOURNEYS = ["forwards all the time", "backwards all the time"]
RISES = ["one slow rise to the top, and then a drop at once", "one leap to the top, and then a slow fall"]
FIGURES = ["a figure eight", "the letter L", "a star"]
LAMPS = ["the red lamp", "the yellow lamp", "all three at once"]
PLAIN = ["T", "U"]
COUNTS = ["1", "12", "3"]
SHUFFLED = ["2", "1", "3"]
SEVEN = ["7", "10", "3"]

CASES: list[tuple[list[str], str, str]] = [
    (SPEEDS, "fast, then slow, then fast, then slow", "!unreadable"),
    (SPEEDS, "fast, then slow, then fast and slow", "!unreadable"),
    (SPEEDS, "fast, then slow, then fast", "A"),
    (SPEEDS, "fast, slow, fast, then slow", "B"),
    (SPEEDS, "fast then slow then fast.", "A"),
    (RHYTHMS, "quick rhythm, then slow, then quick, then slow", "!unreadable"),
    (RHYTHMS, "quick rhythm, then slow, then quick", "A"),
    (WAYS, "to the left, and up", "!unreadable"),
    (WAYS, "to the left, upwards", "!unreadable"),
    (WAYS, "to the left (and up)", "!unreadable"),
    (WAYS, "to the left (up)", "!unreadable"),
    (WAYS, "to the left; up", "!unreadable"),
    (WAYS, "to the left - up", "!unreadable"),
    (WAYS, "to the left: up", "!unreadable"),
    (WAYS, "to the left. Then up.", "!unreadable"),
    (WAYS, "to the left. Up.", "!unreadable"),
    (WAYS, "to the left\nthen up", "!unreadable"),
    (WAYS, "to the left,\nup", "!unreadable"),
    (WAYS, "to the left as well as up", "!unreadable"),
    (WAYS, "to the left, not only that", "!unreadable"),
    (WAYS, "to the left for a while", "!unreadable"),
    (WAYS, "to the left, slightly to the upper left", "!ambiguous"),
    (WAYS, "to the left because it goes to the right", "!ambiguous"),
    (WAYS, "B. to the upper left, and down", "!unreadable"),
    (WAYS, "B; later to the left", "!ambiguous"),
    (WAYS, "B; later C", "!ambiguous"),
    (WAYS, "to the left (C)", "!ambiguous"),
    (WAYS, "to the left, option C", "!ambiguous"),
    (WAYS, "to the left, not to the right", "A"),
    (WAYS, "to the left, not to the right but straight up", "!ambiguous"),
    (WAYS, "to the left rather than to the upper left", "A"),
    (WAYS, "to the left, because it drifts that way", "A"),
    (WAYS, "To the left. It drifts that way.", "A"),
    (WAYS, "to the left, as the frames show", "A"),
    (WAYS, "to the left since it leaves there", "A"),
    (WAYS, "to the left (A)", "A"),
    (WAYS, "to the left, I think.", "A"),
    (WAYS, "to the left, probably up", "!unreadable"),
    (WAYS, "to the left. B is right.", "!ambiguous"),
    (WAYS, "to the left, option A", "A"),
    (WAYS, "to the left!", "A"),
    (WAYS, "It is to the left.", "A"),
    (WAYS, "The answer is to the left", "A"),
    (WAYS, "Option A: to the left", "A"),
    (WAYS, "A. to the left", "A"),
    (WAYS, "A. to the left - the disc leaves there", "A"),
    (WAYS, "(A) to the left (it leaves there)", "A"),
    (WAYS, '"to the left"', "A"),
    (TURNS, "clockwise from beginning to end, then counter-clockwise", "!unreadable"),
    (TURNS, "first clockwise, then counter-clockwise, then clockwise", "!unreadable"),
    (TURNS, "clockwise from beginning to end. Counter-clockwise.", "!unreadable"),
    (TURNS, "clockwise from beginning to end; neither way: it jumps about", "!ambiguous"),
    (TURNS, "A; neither way: it jumps about", "!ambiguous"),
    (TURNS, "counterclockwise from beginning to end", "B"),
    (TURNS, "counter clockwise from beginning to end", "B"),
    (TURNS, "first clockwise then counter-clockwise", "C"),
    (TURNS, "first counterclockwise then clockwise", "D"),
    (TURNS, "Neither way: it jumps about.", "E"),
    (["counter-clockwise", "counter clockwise", "clockwise"], "counterclockwise", "!unreadable"),
    (["counter-clockwise", "counter clockwise", "clockwise"], "counter clockwise", "B"),
    (["counterclockwise", "clockwise"], "counter-clockwise", "A"),
    (JOURNEYS, "forwards all the time, then backwards", "!unreadable"),
    (JOURNEYS, "forwards all the time, then backwards all the time", "!ambiguous"),
    (RISES, "one slow rise to the top, and then a drop at once, and then one slow rise", "!unreadable"),
    (RISES, "one slow rise to the top and then a drop at once", "A"),
    (TRENDS, "at the same speed all along, faster and faster, step by step", "!ambiguous"),
    (TRENDS, "A. at the same speed all along; faster and faster, step by step", "!ambiguous"),
    (TRENDS, "A; faster and faster, step by step", "!ambiguous"),
    (TRENDS, "at the same speed all along.\nfaster and faster, step by step", "!ambiguous"),
    (PLAIN, "T; later U", "!ambiguous"),
    (PLAIN, "T, U", "!ambiguous"),
    (PLAIN, "T", "A"),
    (SEVEN, "7; later 10", "!ambiguous"),
    (SEVEN, "7, later ten", "!ambiguous"),
    (SEVEN, "7. Later 10.", "!ambiguous"),
    (SEVEN, "7 (seven)", "A"),
    (LAMPS, "the red lamp; later the yellow lamp", "!ambiguous"),
    (LAMPS, "the red lamp. Later the yellow lamp.", "!ambiguous"),
    (LAMPS, "The red lamp", "A"),
    *[
        (FIGURES, f"a figure eight{joint}the letter L", "!ambiguous")
        for joint in ("; ", ", ", "\n", " - ", ". Then ", ": ", " or ", " and ", " (", " — ", ".\n")
    ],
    (FIGURES, "It is the letter L.", "B"),
    (FIGURES, "The answer is the letter L.", "B"),
    (FIGURES, "So it's the letter L", "B"),
    (FIGURES, "the letter L", "B"),
    (FIGURES, "The letter B", "B"),
    (COUNTS, "one dozen", "!unreadable"),
    (COUNTS, "1 dozen", "!unreadable"),
    (SHUFFLED, "2 dozen", "!unreadable"),
    (COUNTS, "1 clap, then 10 more", "!unreadable"),
    (COUNTS, "-1", "!unreadable"),
    (COUNTS, "−1", "!unreadable"),
    (COUNTS, "(-1)", "!unreadable"),
    (["-1", "1", "0"], "-1", "A"),
    (COUNTS, "1 pair", "!unreadable"),
    (COUNTS, "1 clap", "A"),
    (COUNTS, "12 times.", "B"),
    (COUNTS, "twelve", "B"),
    *[(SHUFFLED, said, "A") for said in ("2", "2.", "Answer: 2", "The answer is 2", "**2**")],
    *[
        (SHUFFLED, said, "!ambiguous")
        for said in ("Option 2", "(2)", "2)", "#2", "No. 2", "Answer 2", "[2]", "option two")
    ],
    (SHUFFLED, "Option 3", "C"),
    (SEVEN, "Option 7", "A"),
    (SEVEN, "#7", "A"),
]


def read(options: list[str], reply: str) -> str:
    reading = read_reply("choice", reply, options=options)
    return "!" + reading.category if isinstance(reading, Unparsed) else str(reading.value)


@pytest.mark.parametrize("marker", ["", "Final Answer: "])
@pytest.mark.parametrize(("options", "reply", "expected"), CASES, ids=repr)
def test_an_option_is_read_by_its_whole_text(options: list[str], reply: str, expected: str, marker: str) -> None:
    got = read(options, marker + reply)
    assert got == expected or (expected[0] == "!" and got in ("!ambiguous", "!unreadable") and not marker)


@cache
def drawn_options(name: str) -> tuple[tuple[str, ...], ...]:
    """The lists of options of some of the family's items, each once whatever its order."""
    items = make_items(Part(name, family(name).settings.model_validate({}), 12), 5)
    lists = [tuple(question.options) for item in items for question in item.questions if question.options]
    return tuple({tuple(sorted(options)): options for options in lists}.values())


@pytest.mark.parametrize("name", FAMILIES)
def test_every_option_is_read_by_its_own_text(name: str) -> None:
    for options in drawn_options(name):
        for letter, text in zip("ABCDEFGHIJ", options, strict=False):
            for form in (text, text + ".", text[:1].upper() + text[1:], text[:1].upper() + text[1:] + "."):
                assert read([*options], form) == letter, (options, form)
                assert read([*options], f"Final Answer: {form}") == letter, (options, form)


@pytest.mark.parametrize("joint", [", ", "; ", ", then ", " or ", " and ", ": ", "\n"], ids=repr)
@pytest.mark.parametrize("name", FAMILIES)
def test_two_options_are_no_answer(name: str, joint: str) -> None:
    for options in drawn_options(name):
        for one, other in itertools.permutations(options, 2):
            for marker in ("", "Final Answer: "):
                assert read([*options], marker + one + joint + other)[0] == "!", (options, one, other)


@pytest.mark.parametrize(
    "piece", ["7 ", "(7) ", "so ", "the letter ", "7. ", "7\n", "to the left, ", "not to the ", "B; "]
)
def test_long_answers_take_little_time(piece: str) -> None:
    begun = time.perf_counter()
    for options in (SEVEN, WAYS, FIGURES):
        read(options, "Final Answer: 7 " + piece * (18_000 // len(piece)))
        read(options, "Final Answer: to the left. " + piece * (18_000 // len(piece)))
    assert time.perf_counter() - begun < 10


@pytest.mark.parametrize(
    ("options", "reply", "expected"),
    [
        (LAMPS, "red lamp", "A"),
        (LAMPS, "Final Answer: a yellow lamp.", "B"),
        (FIGURES, "Star", "C"),
        (FIGURES, "A star", "C"),
        (FIGURES, "A: a star", "!ambiguous"),
        (FIGURES, "A. figure eight", "A"),
        (FIGURES, "Final Answer: letter L", "B"),
        (FIGURES, "Final Answer: L", "!unreadable"),
        (FIGURES, "figure eight; later star", "!ambiguous"),
        (["the dog", "a dog", "cat"], "dog", "!unreadable"),
        (["the dog", "a dog", "cat"], "a dog", "B"),
    ],
)
def test_an_article_may_be_left_out_where_nothing_else_is_meant(options: list[str], reply: str, expected: str) -> None:
    found = read_reply("choice", reply, options=options)
    assert ("!" + found.category if isinstance(found, Unparsed) else found.value) == expected
