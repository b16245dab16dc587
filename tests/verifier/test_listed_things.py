"""Lists of files, cards, chips, containers and operations as people write them, and near misses that are no answer."""

import time
from typing import Any

import pytest

from generators.family import family
from generators.questions import write_answer
from generators.sampling import Part, make_items
from simulators.worlds import worlds
from verifier.reading import Unparsed, read_reply
from verifier.scoring import judge


def reading_of(kind: str, reply: str, **about: Any) -> Any:
    reading = read_reply(kind, f"Final Answer: {reply}", **about)
    return "!" + reading.category if isinstance(reading, Unparsed) else reading.value


BUS_AND_CAB = ["bus.md", "cab.log"]
FILES: list[tuple[str, Any]] = [
    ("bus.md, cab.log", BUS_AND_CAB),
    ("cab.log and bus.md.", BUS_AND_CAB),
    ("bus.md cab.log", BUS_AND_CAB),
    ("bus.md  cab.log  ", BUS_AND_CAB),
    ("**bus.md**, `cab.log`", BUS_AND_CAB),
    ("['bus.md', 'cab.log']", BUS_AND_CAB),
    ("- bus.md\n- cab.log", BUS_AND_CAB),
    ("\n1. bus.md\n2. cab.log", BUS_AND_CAB),
    ("1) bus.md 2) cab.log", BUS_AND_CAB),
    ("\n```\nbus.md\ncab.log\n```", BUS_AND_CAB),
    ("Bus.md, CAB.log", BUS_AND_CAB),
    ("path0/bus.md, path0/cab.log", BUS_AND_CAB),
    ("/path0/bus.md, ./path0/cab.log", BUS_AND_CAB),
    ("path0/{bus.md,cab.log}", BUS_AND_CAB),
    ("Path0/{bus.md, cab.log}", BUS_AND_CAB),
    ("path0: bus.md, cab.log", BUS_AND_CAB),
    ("path0/: bus.md, cab.log", BUS_AND_CAB),
    ("path0 contains bus.md and cab.log", BUS_AND_CAB),
    ("The files in path0 are bus.md and cab.log.", BUS_AND_CAB),
    ("bus.md and cab.log are in path0", BUS_AND_CAB),
    ("bus.md, cab.log (2 files)", BUS_AND_CAB),
    ("bus.md, cab.log (in path0)", BUS_AND_CAB),
    ("2 files: bus.md, cab.log", BUS_AND_CAB),
    ("2 files (bus.md, cab.log)", BUS_AND_CAB),
    ("my-file.tar.gz, __init__.py", ["__init__.py", "my-file.tar.gz"]),
    ("none", []),
    ("None.", []),
    ("-", []),
    ("–", []),
    ("[]", []),
    ("{}", []),
    ("path0/{}", []),
    ("empty", []),
    ("(empty)", []),
    ("path0 is empty", []),
    ("path0/ is empty.", []),
    ("none (path0 is empty)", []),
    ("There are none", []),
    ("there are no files", []),
    ("no files", []),
    ("No new files.", []),
    ("No files are in path0", []),
    ("0", []),
    ("0 files", []),
    ("bus.md, cab.log (3 files)", "!ambiguous"),
    ("3: bus.md, cab.log", "!ambiguous"),
    ("bus.md (path0 is empty)", "!ambiguous"),
    ("path1/bus.md", "!unreadable"),
    ("path1: bus.md", "!unreadable"),
    ("path1 is empty", "!unreadable"),
    ("path0: bus.md; path1: cab.log", "!unreadable"),
    ("/home/path0/bus.md", "!unreadable"),
    ("mypath0/bus.md", "!unreadable"),
    ("bus.md or cab.log", "!unreadable"),
    ("not bus.md", "!unreadable"),
    ("bus.md, maybe cab.log", "!unreadable"),
    ("bus.md - cab.log", "!unreadable"),
    ("bus, cab", "!unreadable"),
    ("I am not sure", "!unreadable"),
    ("all of them", "!unreadable"),
    ("2", "!unreadable"),
    ("path0/", "!unreadable"),
    ("{bus,cab}.md", "!unreadable"),
    ("*.md", "!unreadable"),
]

SEVEN_AND_JACK = ["7 of Hearts", "Jack of Clubs"]
CARDS: list[tuple[str, Any]] = [
    ("7 of Hearts, Jack of Clubs", SEVEN_AND_JACK),
    ("7H, JC", SEVEN_AND_JACK),
    ("7h jc", SEVEN_AND_JACK),
    ("7 Hearts, Jack Clubs", SEVEN_AND_JACK),
    ("7♥ J♣", SEVEN_AND_JACK),
    ("7♥️, J♣️", SEVEN_AND_JACK),
    ("seven of hearts; the jack of clubs", SEVEN_AND_JACK),
    ("7 of Hearts > Jack of Clubs", SEVEN_AND_JACK),
    ("7H->JC", SEVEN_AND_JACK),
    ("7 of Hearts → Jack of Clubs", SEVEN_AND_JACK),
    ("7 of Hearts, then Jack of Clubs", SEVEN_AND_JACK),
    ("1. 7 of Hearts\n2. Jack of Clubs", SEVEN_AND_JACK),
    ("1) 7H 2) JC", SEVEN_AND_JACK),
    ("7 of Hearts (top), Jack of Clubs (bottom)", SEVEN_AND_JACK),
    ("7 of Hearts (at the top), Jack of Clubs", SEVEN_AND_JACK),
    ("Top: 7 of Hearts, Bottom: Jack of Clubs", SEVEN_AND_JACK),
    ("Top: 7 of Hearts\nBottom: Jack of Clubs", SEVEN_AND_JACK),
    ("top: 7H, middle: 2C, bottom: JC", ["7 of Hearts", "2 of Clubs", "Jack of Clubs"]),
    ("From top to bottom: 7H, JC", SEVEN_AND_JACK),
    ("pile0 (top to bottom): 7H, JC", SEVEN_AND_JACK),
    ("7H, JC (top to bottom)", SEVEN_AND_JACK),
    ("pile 0: 7H, JC", SEVEN_AND_JACK),
    ("2 cards: 7H, JC", SEVEN_AND_JACK),
    ("The cards in pile0 from top to bottom are: 7H, JC", SEVEN_AND_JACK),
    ("the Ace of Spades", ["Ace of Spades"]),
    ("7 Hearts (top)", ["7 of Hearts"]),
    ("1 of Diamonds, Deuce of Clubs", ["Ace of Diamonds", "2 of Clubs"]),
    ("2C 10H", ["2 of Clubs", "10 of Hearts"]),
    ("no cards", []),
    ("pile0 is empty", []),
    ("JC, 7H", ["Jack of Clubs", "7 of Hearts"]),
    ("7H, 7H", ["7 of Hearts", "7 of Hearts"]),
    ("bottom to top: JC, 7H", "!unreadable"),
    ("JC, 7H (bottom to top)", "!unreadable"),
    ("Bottom: Jack of Clubs, Top: 7 of Hearts", "!unreadable"),
    ("Jack of Clubs (bottom), 7 of Hearts (top)", "!unreadable"),
    ("7H (top), JC, 2C (top)", "!unreadable"),
    ("7H < JC", "!unreadable"),
    ("7H on top of JC", "!unreadable"),
    ("pile1: 7H, JC", "!unreadable"),
    ("7H, JC, pile1: 2C", "!unreadable"),
    ("3 cards: 7H, JC", "!ambiguous"),
    ("7H or JC", "!unreadable"),
    ("7, Jack", "!unreadable"),
    ("7 of Stars", "!unreadable"),
    ("11 of Hearts", "!unreadable"),
    ("a club", "!unreadable"),
    ("7. JC", "!unreadable"),
    ("the same cards", "!unreadable"),
]

CHIPS: list[tuple[str, Any]] = [
    ("5 5", [5, 5]),
    ("50, 10", [10, 50]),
    ("10 10 10 50 100", [10, 10, 10, 50, 100]),
    ("[100, 50]", [50, 100]),
    ("3x10, 50, 100", [10, 10, 10, 50, 100]),
    ("3 × 10 and 1 × 50", [10, 10, 10, 50]),
    ("10 x 3, 50", [10, 10, 10, 50]),
    ("10×3", [10, 10, 10]),
    ("10 (x3), 50", [10, 10, 10, 50]),
    ("10 (×3)", [10, 10, 10]),
    ("10 (3 times), 50 (once)", [10, 10, 10, 50]),
    ("10 (3), 50 (1)", [10, 10, 10, 50]),
    ("10: 3, 50: 1", [10, 10, 10, 50]),
    ('{"10": 3, "50": 1}', [10, 10, 10, 50]),
    ("10 three times, 50", [10, 10, 10, 50]),
    ("three 10s, one 50", [10, 10, 10, 50]),
    ("5 10s", [10] * 5),
    ("two 5s", [5, 5]),
    ("two fives and a fifty", [5, 5, 50]),
    ("five chips of 10", [10] * 5),
    ("2 chips of value 50 and 1 chip of 5", [5, 50, 50]),
    ("a 50 chip and two 20 chips", [20, 20, 50]),
    ("one 50-value chip, chip 5", [5, 50]),
    ("The chips are a 50 chip and a 5 chip", [5, 50]),
    ("10, 50 (total 60)", [10, 50]),
    ("10, 50 (total: 2 chips)", [10, 50]),
    ("10, 50 (2 chips)", [10, 50]),
    ("2: 10, 50", [10, 50]),
    ("3 (5, 5, 10)", [5, 5, 10]),
    ("5: 5, 5, 10, 20, 20", [5, 5, 10, 20, 20]),
    ("1) 5 2) 10 3) 10 4) 20 5) 50", [5, 10, 10, 20, 50]),
    ("\n1. 10\n2. 50", [10, 50]),
    ("\n- 10\n- 50", [10, 50]),
    ("cup0: 10, 50", [10, 50]),
    ("0", []),
    ("0 chips", []),
    ("no chips", []),
    ("cup0 is empty", []),
    ("-", []),
    ("5 x 10", "!unreadable"),
    ("10 x 5", "!unreadable"),
    ("10 (5)", "!unreadable"),
    ("5 10 chips", "!unreadable"),
    ("10, 50 (2)", "!unreadable"),
    ("10 (1), 10 (2)", "!unreadable"),
    ("10: 2, 50", "!unreadable"),
    ("10, 50 (total 70)", "!ambiguous"),
    ("3: 10, 50", "!ambiguous"),
    ("10, 50 (60 chips)", "!ambiguous"),
    ("cup1: 10", "!unreadable"),
    ("10 (cup1)", "!unreadable"),
    ("1: 10, 50", "!ambiguous"),
    ("5. 10", "!unreadable"),
    ("10. 50", "!unreadable"),
    ("10 - 50", "!unreadable"),
    ("10-50", "!unreadable"),
    ("-10", "!unreadable"),
    ("10 + 50 = 60", "!unreadable"),
    ("7", "!unreadable"),
    ("60", "!unreadable"),
    ("105", "!unreadable"),
    ("1050", "!unreadable"),
    ("10 or 50", "!unreadable"),
    ("about 10", "!unreadable"),
    ("10.5", "!unreadable"),
    ("10%", "!unreadable"),
]

PILES = ["pile0", "pile1"]
THRICE = ["pile0", "pile1", "pile1"]
PLACES: list[tuple[str, Any]] = [
    ("pile1, pile0, pile1", THRICE),
    ("pile 0, Pile1, PILE_1", THRICE),
    ("pile0/ pile1/ pile1/", THRICE),
    ("pile1 (2), pile0 (1)", THRICE),
    ("pile1 (2 times), pile0 (1 time)", THRICE),
    ("pile1 x2, pile0", THRICE),
    ("2x pile1, pile0", THRICE),
    ("pile1: 2, pile0: 1", THRICE),
    ('{"pile0": 1, "pile1": 2}', THRICE),
    ("pile1 twice, pile0 once", THRICE),
    ("pile1 (twice) and pile0", THRICE),
    ("twice in pile1, once in pile0", THRICE),
    ("2 in pile1 and 1 in pile0", THRICE),
    ("3 times: pile0, pile1, pile1", THRICE),
    ("3: pile0, pile1, pile1", THRICE),
    ("3 (pile0, pile1, pile1)", THRICE),
    ("pile0, pile1, pile1 (3 times in total)", THRICE),
    ("1. pile0\n2. pile1\n3. pile1", THRICE),
    ("pile0: 0, pile1: 3", ["pile1"] * 3),
    ("pile0 (2)", ["pile0"] * 2),
    ("3: pile0, pile1", "!ambiguous"),
    ("3 times: pile1 twice", "!ambiguous"),
    ("pile0, pile1 (2)", "!unreadable"),
    ("pile0 (1), pile1 (2), pile1 (3)", "!unreadable"),
    ("pile2", "!unreadable"),
    ("pile10", "!unreadable"),
    ("3", "!unreadable"),
    ("piles 0 and 1", "!unreadable"),
    ("pile0 or pile1", "!unreadable"),
    ("pile0: pile1", "!unreadable"),
    ("pile1 (pile0)", "!unreadable"),
]

OPERATIONS: list[tuple[str, str, Any]] = [
    ("chip", "2: add 5 to cup0, 3: remove 5 from cup0", ["add 5 to cup0", "remove 5 from cup0"]),
    ("chip", "2) add 5 to cup0 3) remove 5 from cup0", ["add 5 to cup0", "remove 5 from cup0"]),
    ("chip", "removed 50 from cup 0", ["remove 50 from cup0"]),
    ("number", "1) left 2) up", ["left", "up"]),
    ("number", "1: left, 2: up", ["left", "up"]),
    ("circle", "3: left, 4: up, 5: up", ["left", "up", "up"]),
    ("number", "left, up (2 moves)", ["left", "up"]),
    ("cup", "swap b3 with b2, then a1 with c3", ["(b3, b2)", "(a1, c3)"]),
    ("card", "added 4 of Spades to pile0", ["add 4 of Spades to pile0"]),
    ("card", "add 4S to pile0", ["add 4 of Spades to pile0"]),
    ("card", "add King of Clubs to pile0 (top)", ["add King of Clubs to pile0"]),
    ("file", "1. touch path0/a.txt 2. rm path1/b.py", ["touch path0/{a.txt}", "rm -rf path1/{b.py}"]),
    ("number", "left, up (3 moves)", "!ambiguous"),
    ("number", "3: left, up", "!ambiguous"),
    ("number", "left, up (illegal)", "!unreadable"),
    ("card", "add King of Clubs to pile0 (bottom)", "!unreadable"),
    ("cup", "swap b3 with b2, then a1 and c3", "!unreadable"),
]


@pytest.mark.parametrize(("reply", "expected"), FILES, ids=repr)
def test_files(reply: str, expected: Any) -> None:
    assert reading_of("items", reply, world=worlds()["file"], container="path0") == expected


@pytest.mark.parametrize(("reply", "expected"), CARDS, ids=repr)
def test_cards_from_top_to_bottom(reply: str, expected: Any) -> None:
    assert reading_of("sequence", reply, world=worlds()["card"], container="pile0", lists_things=True) == expected


@pytest.mark.parametrize(("reply", "expected"), CHIPS, ids=repr)
def test_chips(reply: str, expected: Any) -> None:
    assert reading_of("items", reply, world=worlds()["chip"], container="cup0") == expected


@pytest.mark.parametrize(("reply", "expected"), PLACES, ids=repr)
def test_places_as_often_as_it_happened_there(reply: str, expected: Any) -> None:
    assert reading_of("items", reply, options=PILES, world=worlds()["card"]) == expected


def test_the_longest_option_that_fits_is_meant() -> None:
    assert reading_of("items", "dark red, red x2", options=["red", "dark red"]) == ["dark red", "red", "red"]


@pytest.mark.parametrize(("world", "reply", "expected"), OPERATIONS, ids=repr)
def test_operations(world: str, reply: str, expected: Any) -> None:
    rules = worlds()[world]
    assert reading_of("sequence", reply, world=rules) == expected
    plan = reading_of("operations", reply, world=rules)
    assert plan == (expected if isinstance(expected, str) else tuple(map(rules.read_operation, expected)))


@pytest.mark.parametrize("name", ["file", "card", "chip"])
def test_every_key_is_judged_right_and_every_other_list_of_things_wrong(name: str) -> None:
    """Each question of a few items: its key, its key with one entry less, and words that name no thing."""
    settings = family(name).settings.model_validate({"ops": 8})
    for item in make_items(Part(name, settings, 11), 6):
        for question in item.questions:
            if question.kind not in ("items", "sequence"):
                continue
            key = question.keys[0]
            replies = {write_answer(question.kind, key): "correct", "I do not know": "unparsed", "them all": "unparsed"}
            if key:
                replies[write_answer(question.kind, key[1:])] = "wrong"
            for reply, outcome in replies.items():
                assert judge(item, question, 0, f"Final Answer: {reply}").outcome == outcome, (question.id, reply)


LONG = (
    *("5 ", "10 x ", "3x10, ", "five ", "chips of ", "a.", "a-", "a.b", "7H ", "top: ", "pile0 ", "pile0 (", "(3", "("),
    *(": ", "1: ", "1) 5 ", "and ", "then", "- ", "-", ">", "path0/", "path0/{", "in path0 ", "is ", "the ", "top to "),
    *("total ", "2 files ", " ", "\n", "- \n", "x", "1 hundred ", "the chip ", "path0 is ", "/path0", "_", "5", "a"),
)


@pytest.mark.parametrize("text", LONG, ids=repr)
def test_long_lists_are_read_quickly(text: str) -> None:
    reply = text * (19_000 // len(text))
    began = time.process_time()
    for name, container in (("file", "path0"), ("card", "pile0"), ("chip", "cup0")):
        reading_of("sequence", reply, world=worlds()[name], container=container, lists_things=True)
        reading_of("operations", reply, world=worlds()[name])
    reading_of("items", reply, options=PILES)
    assert time.process_time() - began < 3
