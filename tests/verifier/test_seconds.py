"""Lengths of time as models write them, what is none, and how near to the key one must be."""

import json
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generators.family import family
from generators.item import Item, Question
from generators.questions import write_answer, write_reply
from generators.sampling import Part, make_items
from verifier.__main__ import main
from verifier.reading import Answer, Unparsed, read_reply
from verifier.scoring import judge

LENGTHS: dict[float, list[str]] = {
    0: ["0", "0.0", "0 s", "0:00", "zero seconds"],
    0.25: ["0.25", "¼ s", "a quarter of a second", "a quarter second"],
    0.5: [
        *(
            ".5",
            ".5 s",
            "0,5 s",
            "about .5 seconds",
            "It takes .5 s",
            "It is .5",
            "The answer is .5",
            "$.5$",
            "½",
            "½ s",
        ),
        *("half a second", "Half a second.", "a half second", "half of a second", "around half a second", "500 ms"),
        *("0.5 s (.5)", "half a second, .5 s", "five hundred milliseconds"),
    ],
    0.75: ["three quarters of a second", "¾ s"],
    1: ["1", "1.", "1.0", "1 s", "one", "one second", "a second", "about a second.", "a second long", "0:01", "00:01"],
    1.5: ["1½", "1.5 s", "one and a half seconds", "one-and-a-half seconds", "a second and a half"],
    2: ["2", "02 s", "2.0 s", "two", "two seconds", "Two seconds!", "0:02"],
    2.5: [
        *(
            "2.5",
            "2.50",
            "2.5.",
            "+2.5",
            "2,5",
            "2,5,",
            "2,5 seconds",
            "2.5 s",
            "2.5s",
            "2.5sec",
            "2.5 sec.",
            "2.5 SECONDS",
        ),
        *("about 2.5 seconds", "approximately 2.5", "~2.5 s", "≈2.5 s", "probably 2.5", "exactly 2.5 s", "for 2.5 s"),
        *("**2.5**", "*2.5 s*", "`2.5`", "$2.5\\text{ s}$", "2.5\\,\\mathrm{s}", "２.５ s", "2.5\u202fs", "[2.5]"),
        *("two and a half seconds", "two and a half", "2 and a half seconds", "two seconds and a half", "2½ seconds"),
        *("two point five seconds", "0:02.5", "0:02,5", "2500 ms", "2500ms", "2,500 ms", "2500 milliseconds"),
        *(
            "2 s 500 ms",
            "2 seconds and 500 milliseconds",
            "2.5 (s)",
            "2.5 [seconds]",
            "2.5 in seconds",
            "2.5 (two and a half) seconds",
        ),
        *('{"seconds": 2.5}', '{"duration": 2.5}', '{"answer": 2.5, "unit": "s"}', "Duration: 2.5 s", "t = 2.5 s"),
        *("It lasts 2.5 seconds.", "The light is on for about 2.5 seconds", "The duration is 2.5", "I'd say 2.5 s"),
        *("3.5 - 1.0 = 2.5 s", "5 s − 2.5 s = 2.5 s", "Δt = 3.5 − 1.0 = 2.5 s", "It takes 2.5 seconds to stop."),
        *("2.5 seconds long", "2.5 seconds in total", "2.5 seconds or so", "2.5 seconds between the two flashes"),
        *("2.5 seconds, 2.5 s", "2.5 seconds (2500 ms)", "2.5 seconds (60 frames at 24 fps)", "2.5 seconds, not 3"),
        *("2.5 seconds, from 1.0 s to 3.5 s", "2.5, because 3 would be too long", "2.5 seconds, as it starts at 1 s"),
        *("2.5 seconds. It starts at 1 s and ends at 3.5 s.", "2.5 seconds\nStart: 1.0 s\nEnd: 3.5 s"),
    ],
    30: ["30", "thirty seconds", "half a minute"],
    63: [
        *("1:03", "01:03", "1:03 minutes", "1 minute 3 seconds", "1 min 3 s", "1m3s", "1m 3s", "1 minute, 3 seconds"),
        *("one minute and three seconds", "63 seconds (1 minute 3 seconds)"),
    ],
    90: ["1.5 minutes", "a minute and a half", "1 min. 30 sec.", "one and a half minutes"],
}
AMBIGUOUS = [
    *("2-3 seconds", "2–3 s", "2 to 3 seconds", "between 2 and 3 seconds", "Between 2.0-2.5s", "from 2 to 3 s"),
    *(
        "2 s - 3 s",
        "2s–3s",
        "2 s to 3 s",
        "2...3 seconds",
        "2~3 s",
        "0:02-0:05",
        "0:02 to 0:05",
        "two to three seconds",
    ),
    *("2 seconds to 3 seconds", "two seconds to three", "2.5 - 3.0", "5 s - 2.5 s", "2 ± 0.5 s"),
    *(
        "2 or 3 seconds",
        "two or three seconds",
        "2.5 seconds or 3",
        "2.5 (or 3)",
        "2.5, maybe 3",
        "2 s / 3 s",
        "2 | 3 s",
    ),
    *("2, 3", "2,3,4", "2.5 s, 3 s", "2.5 3", "2.5 seconds (3 seconds)", "2 s, off for 3 s", "2.5 s. No, 3 s."),
    *("t1 = 1 s and t2 = 3.5 s", "The light turns on at 2 s, off at 4.5 s", "1/2 s", "1 minute 3"),
    *("2.5 s?", "2.5 s, if it stops", "2.5, but 3 is possible"),
    *("2,500", "2,500 seconds"),  # two and a half in some countries, and two thousand five hundred in others
]
NO_LENGTHS = [
    *("-2.5", "−2.5 s", "- 2.5", "(-2.5)", "-.5", "minus 2.5", "It is -2.5", "50%", "50 %", "2.5 percent"),
    *("60 frames", "60 (frames)", "60, in frames", "The number of frames is 60", "2.5 m", "2.5 metres", "2.5 m/s"),
    *(
        "2.5 hours",
        "2.5 μs",
        "2.5 times",
        "2.5x",
        "twice",
        "none",
        "never",
        "2500 (milli)",
        "2.5 (two and a half) frames",
        "2.5 seconds/frame",
    ),
    *("The answer in milliseconds is 2500", "Final Answer (in milliseconds): 2500", '{"answer": 2500, "unit": "ms"}'),
    *("1e3", "1E3", "2.5e0", "0x10", "3²", "inf", "Infinity", "nan", "9" * 19, "1.2.3 s", "2:5", "1:75", "0:00:02"),
    *("at 2 seconds", "It starts at 2 seconds", "at least 2 seconds", "more than 2 s", "less than a second", "2.5+ s"),
    *("2.5 seconds per lap", "2.5 s each", "every 2 seconds", "2.5 seconds ago", "2.5 seconds longer", "not 2.5 s"),
    *("second", "the second", "a second, shorter flash", "a few seconds", "half", "unknown", "yes", "2.5 s is wrong"),
]
MARKERS = [
    "{}",
    "Final Answer: {}",
    "**Final Answer:** {}",
    "Final answer is {}",
    "Final Answer (in seconds): {}",
    "Final Answer (mm:ss): {}",
    "<think>It may be 7 s.</think>{}",
    "It starts at 1 s.\n\nAnswer: {}\n\nThat is what I saw.",
    "<answer>{}</answer>",
    "\\boxed{{{}}}",
    "$\\boxed{{\\text{{{}}}}}$",
]


def reading_of(reply: str) -> Any:
    reading = read_reply("seconds", reply)
    return "!" + reading.category if isinstance(reading, Unparsed) else reading.value


@pytest.mark.parametrize("marker", ["{}", "Final Answer: {}"])
@pytest.mark.parametrize(
    ("reply", "seconds"), [(reply, seconds) for seconds, replies in LENGTHS.items() for reply in replies], ids=repr
)
def test_a_length_is_read_in_any_dress(reply: str, seconds: float, marker: str) -> None:
    read = reading_of(marker.format(reply))
    assert read == seconds and type(read) is type(seconds)


@pytest.mark.parametrize("marker", ["{}", "Final Answer: {}"])
@pytest.mark.parametrize("reply", AMBIGUOUS, ids=repr)
def test_two_lengths_are_none(reply: str, marker: str) -> None:
    assert reading_of(marker.format(reply)) == "!ambiguous"


@pytest.mark.parametrize("marker", ["{}", "Final Answer: {}"])
@pytest.mark.parametrize("reply", NO_LENGTHS, ids=repr)
def test_what_is_no_length_in_seconds_is_not_read(reply: str, marker: str) -> None:
    assert reading_of(marker.format(reply) if "nswer" not in reply else reply) == "!unreadable"


def test_the_last_marker_counts_and_a_refusal_is_one() -> None:
    assert reading_of("Answer: 2 s\nFinal Answer: 3 s") == 3
    assert reading_of("It is on from 1 s to 3.5 s.\n\n2.5 seconds") == 2.5
    assert reading_of("2 seconds\n\n3 seconds") == "!ambiguous"
    assert reading_of("It is on for 2 s. It is off for 3 s.") == "!ambiguous"
    assert reading_of("I cannot watch videos.") == "!refused"
    assert reading_of("Final Answer:") == "!truncated"
    assert reading_of("<think>2 seconds") == "!truncated"
    assert reading_of(" \n") == "!empty"


KEYS = st.one_of(
    st.integers(0, 10**6), st.floats(0, 10**6), st.integers(0, 10**5).map(lambda hundredths: hundredths / 100)
)


@given(KEYS, st.sampled_from(["{}", "{} s", "{}s", "{} seconds", "**{}**", "about {} sec."]), st.sampled_from(MARKERS))
def test_what_the_writer_writes_is_read_back(key: float, form: str, marker: str) -> None:
    assert reading_of(marker.format(form.format(write_answer("seconds", key)))) == key


@pytest.mark.parametrize(
    ("key", "text"),
    [(2.5, "2.5"), (2.0, "2"), (2, "2"), (0.0, "0"), (0.1, "0.1"), (1e-05, "0.00001"), (1e17, f"{10**17}")],
)
def test_a_length_is_written_without_needless_signs(key: float, text: str) -> None:
    assert write_answer("seconds", key) == text


@pytest.mark.parametrize(
    "text",
    [
        *(
            "9",
            "1,",
            "1.",
            "1:",
            ".5",
            "2.5 s ",
            "half a ",
            "one ",
            "two and a half ",
            "1 minute 3 seconds ",
            "a second ",
        ),
        *(
            "about ",
            "for ",
            "the duration is ",
            "2 = ",
            "one point one ",
            "between a ",
            "2 s, ",
            "2.5 (",
            "½",
            "in frames",
        ),
    ],
    ids=repr,
)
def test_long_replies_are_read_quickly(text: str) -> None:
    """Many repetitions, with and without a marker behind; and the longest text that is read as an answer."""
    for reply in (text * (190_000 // len(text)), text * (19_000 // len(text)), "2 s " + text * (19_000 // len(text))):
        began = time.process_time()
        assert reading_of(reply + "\nAnswer: 2.5 s") == 2.5
        reading_of(reply)
        reading_of(f"Final Answer: {reply}")
        assert time.process_time() - began < 3
    assert reading_of("9" * 1_000_000) == reading_of("0." + "9" * 1_000_000) == "!unreadable"


# Scoring


def asked(key: Any, about: dict[str, Any]) -> tuple[Item, Question]:
    """A question about a length, in the place of another one."""
    item = next(iter(make_items(Part("number", family("number").settings.model_validate({}), 1), 1)))
    made = item.questions[0].model_copy(update={"kind": "seconds", "keys": [key], "about": about, "options": None})
    return item, made


@pytest.mark.parametrize(
    ("key", "tolerance", "reply", "outcome"),
    [
        (2.5, 0.3, "2.5", "correct"),
        (2.5, 0.3, "2.8 seconds", "correct"),  # 2.8 - 2.5 is a little more than 0.3 in binary
        (2.5, 0.3, "2.2", "correct"),
        (2.5, 0.3, "2.81", "wrong"),
        (2.5, 0.3, "2.19", "wrong"),
        (2.5, 0.3, "2500 ms", "correct"),
        (2.5, 0.3, "2500", "wrong"),
        (2, 1, "3.0", "correct"),
        (0, 0.25, "0", "correct"),
        (2.5, 0.3, "2 to 3 seconds", "unparsed"),
        (2.5, 0.3, "I cannot watch videos.", "refused"),
    ],
)
def test_a_length_within_the_tolerance_is_right(key: float, tolerance: float, reply: str, outcome: str) -> None:
    judged = judge(*asked(key, {"tolerance": tolerance}), 0, f"Final Answer: {reply}")
    assert judged.outcome == outcome
    assert judged.value == (None if outcome in ("unparsed", "refused") else read(reply))


def read(reply: str) -> float:
    reading = read_reply("seconds", reply)
    assert isinstance(reading, Answer)
    return float(reading.value)


@pytest.mark.parametrize(
    ("key", "about"),
    [
        *((key, {"tolerance": 0.3}) for key in (True, "2.5", None, -1, float("inf"), float("nan"), 10**400, [2.5])),
        *((2.5, {"tolerance": tolerance}) for tolerance in (0, -0.3, True, "0.3", None, float("inf"), float("nan"))),
    ],
)
def test_a_key_or_a_tolerance_that_is_no_number_is_the_datasets_mistake(key: Any, about: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="expected a number of seconds"):
        judge(*asked(key, about), 0, "2.5")


@pytest.mark.parametrize("key", [0, 0.04, 1 / 3, 2.5, 7, 59.96])
def test_the_writers_reply_is_right_and_its_neighbours_are_not(key: float) -> None:
    question = asked(key, {"tolerance": 0.2})
    assert judge(*question, 0, write_reply("seconds", key)).outcome == "correct"
    assert judge(*question, 0, write_reply("seconds", key + 0.21)).outcome == "wrong"


@pytest.mark.parametrize(
    ("fields", "agrees"),
    [
        ({"expect": 2.5}, True),
        ({"expect": 2.6}, False),
        ({"expect": 2.6, "tolerance": 0.1}, True),
        ({"expect": 2.7, "tolerance": 0.1}, False),
        ({"expect": "unparsed"}, False),
        ({"expect": True}, False),
        ({"reply": "2.0 s", "expect": 2}, True),
        ({"reply": "2-3 s", "expect": "unparsed"}, True),
        ({"reply": "2-3 s", "expect": 2.5, "tolerance": 1}, False),
    ],
)
def test_lines_are_read_with_their_tolerance(
    fields: dict[str, Any], agrees: bool, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "lines.jsonl"
    path.write_text(json.dumps({"kind": "seconds", "reply": "2.5 s"} | fields))
    assert main(["read", str(path)]) == (0 if agrees else 1)
    assert json.loads(capsys.readouterr().out)["agrees"] is agrees


def test_a_line_with_a_tolerance_that_is_none_is_named(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "lines.jsonl"
    path.write_text(json.dumps({"kind": "seconds", "reply": "2.5 s", "expect": 2.5, "tolerance": "0.1"}))
    assert main(["read", str(path)]) == 2
    assert "\"tolerance\" is '0.1'" in capsys.readouterr().err
