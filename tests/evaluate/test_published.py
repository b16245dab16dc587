"""The multiple-choice sets, TimeBlind, and the command: right counts, own key errors, one line for every mistake."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from evaluate.published.__main__ import main, read_set
from evaluate.published.scoring import score

ROOT = Path(__file__).resolve().parents[2]


def leave(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[Any, str, str]:
    """(exit code, standard output, standard error) of the command."""
    with pytest.raises(SystemExit) as left:
        main([str(argument) for argument in arguments])
    printed = capsys.readouterr()
    return left.value.code, printed.out, printed.err


def write(path: Path, value: Any) -> Path:
    path.parent.mkdir(exist_ok=True, parents=True)
    path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    return path


def replies(folder: Path, *lines: Any) -> Path:
    return write(folder / "replies.jsonl", "".join(json.dumps(line) + "\n" for line in lines))


def tomato_row(answer: Any, *options: Any, clip: str = "c-1", **more: Any) -> dict[str, Any]:
    return {
        "question": "How many rings are there?",
        "options": list(options or ("2", "1", "3")),
        "answer": answer,
        "key": clip,
        "demonstration_type": "simulated",
        "variation": {"zoom": 1, "composite": 0},
    } | more


def vista_row(number: Any, answer: Any, **more: Any) -> dict[str, Any]:
    return {
        "question_id": number,
        "Type": "Objects Count",
        "Answer_Choices": ["a red kite", "a blue kite", "no kite"],
        "Answer": answer,
        "time": 130,
        "category": "Sports",
        "video_name": "v.0.mp4",
    } | more


def blind_rows(instance: int = 0, answers: str = "ynny", kind: str = "yes_no") -> list[dict[str, Any]]:
    words = {"y": "yes", "n": "no", "A": "A", "B": "B"}
    return [
        {
            "index": 4 * instance + place,
            "video_path": f"v{instance}_{place % 2}.mp4",
            "question": f"question {place // 2}?",
            "answer": words.get(answers[place], answers[place]),
            "type": kind,
        }
        for place in range(4)
    ]


def outcomes(name: str, questions: Path, lines: Path, **more: Any) -> dict[str, str]:
    result = score(read_set(name, questions, **more), lines)
    return {question: verdict.outcome for question, verdict in result.verdicts.items()}


def test_tomato_by_letter_text_and_clip_over_all_questions(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    write(folder / "count.json", {"0": tomato_row(2), "1": tomato_row(0, clip="c-2"), "2": tomato_row(1, clip="c-3")})
    write(
        folder / "direction.json",
        {str(n): tomato_row(0, "Left.", "Right.", "Not at all.", clip=f"d-{n}") for n in range(5)},
    )
    lines = replies(
        folder.parent,
        {"id": "count/0", "reply": "The answer is C."},
        {"key": "c-2", "reply": "1"},
        {"id": "direction/0", "reply": "left"},
        {"id": "direction/1", "reply": "Best Option: (A)"},
        {"id": "direction/2", "reply": "A or B"},
        {"id": "direction/3", "reply": "I'm sorry, I cannot view the video."},
        {"id": "direction/4", "reply": None},
    )
    assert outcomes("tomato", folder, lines) == {
        "count/0": "correct",
        "count/1": "wrong",
        "count/2": "missing",
        "direction/0": "correct",
        "direction/1": "correct",
        "direction/2": "unparsed",
        "direction/3": "refused",
        "direction/4": "failed",
    }
    tables = score(read_set("tomato", folder), lines).tables
    assert {name: len(group.is_right) for name, group in tables["motion type"].items()} == {"count": 3, "direction": 5}
    assert list(tables["variation"]) == ["zoom"]
    assert sum(tables["overall"]["all"].outcomes.values()) == 8


def test_tomato_key_errors_are_listed_and_cannot_be_scored_right(tmp_path: Path) -> None:
    file = write(
        tmp_path / "count.json",
        {
            "0": tomato_row(3),
            "1": tomato_row(None),
            "2": tomato_row(True),
            "3": tomato_row(0, "Left", "left. ", "Right"),
            "4": tomato_row(0, "Left", " "),
            "5": tomato_row(-1),
        },
    )
    published = read_set("tomato", file)
    assert list(published.findings) == [
        "count/0: its answer 3 is none of its 3 options (they count from 0)",
        "count/1: has no answer",
        "count/2: its answer True is none of its 3 options (they count from 0)",
        "count/3: options A and B are the same: 'left.'",
        "count/4: option B is empty",
        "count/5: its answer -1 is none of its 3 options (they count from 0)",
    ]
    lines = replies(tmp_path, {"id": "0", "reply": "C"}, {"id": "3", "reply": "B"}, {"id": "5", "reply": "C"})
    assert outcomes("tomato", file, lines) == {
        "count/0": "wrong",
        "count/1": "missing",
        "count/2": "missing",
        "count/3": "correct",  # B says the same as A
        "count/4": "missing",
        "count/5": "wrong",
    }


def test_a_number_in_several_files_is_one_clear_error(tmp_path: Path) -> None:
    for name in ("count", "rotation"):
        write(tmp_path / "data" / f"{name}.json", {"0": tomato_row(0)})
    with pytest.raises(Exception, match="'0' could be count/0 or rotation/0: name it by its id"):
        outcomes("tomato", tmp_path / "data", replies(tmp_path, {"id": "0", "reply": "A"}))


def test_videovista_groups_and_its_own_durations(tmp_path: Path) -> None:
    rows = [
        vista_row(1, 0),
        vista_row(2, 1, Type="Logic Reasoning", time=700),
        vista_row(3, 2, time="long"),
        vista_row(4, 2, time=59.5, category="Film"),
        vista_row(5, 7),
    ]
    file = write(tmp_path / "VideoVista.json", rows)
    lines = replies(
        tmp_path,
        {"id": 1, "reply": "a red kite"},
        {"question_id": "2", "reply": "B"},
        {"id": "3", "reply": "(C) no kite"},
        {"id": "4", "reply": "B"},
    )
    result = score(read_set("videovista", file), lines)
    shares = {
        table: {name: (sum(group.is_right), len(group.is_right)) for name, group in groups.items()}
        for table, groups in result.tables.items()
    }
    assert shares["ability"] == {"understanding": (2, 4), "reasoning": (1, 1)}
    assert shares["category"] == {"Sports": (3, 4), "Film": (0, 1)}
    assert shares["duration, understanding"] == {"2–5 min": (1, 2), "not said": (1, 1), "under 1 min": (0, 1)}
    assert read_set("videovista", file).findings == ("5: its answer 7 is none of its 3 options (they count from 0)",)


def test_timeblind_metrics_need_both_clips_and_both_questions(tmp_path: Path) -> None:
    rows = blind_rows(0) + blind_rows(1, "nyyn") + blind_rows(2, "ABBA", "multiple_choice")
    file = write(tmp_path / "data.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    said = ["Yes.", "No", "No", "Yes", "no", "No", "yes", "no", "A", "(B)", "The answer is B.", "a person walks"]
    lines = replies(tmp_path, *({"index": index, "reply": reply} for index, reply in enumerate(said)))
    tags = write(tmp_path / "tags.json", {"Speed": [0, 1, 2, 3, 8, 9, 10, 11], "Force": [4, 5, 6, 7]})
    result = score(read_set("timeblind", file, tags), lines)
    assert [verdict.outcome for verdict in result.verdicts.values()] == [*["correct"] * 5, "wrong"] + [
        "correct"
    ] * 5 + ["unparsed"]
    shares = {(row.metric, row.group): (sum(row.right), len(row.right)) for row in result.paired}
    assert shares["V-Acc", "all"] == (4, 6)
    assert shares["Q-Acc", "all"] == (4, 6)
    assert shares["I-Acc", "all"] == (1, 3)
    assert shares["I-Acc", "Speed"] == (1, 2)
    assert shares["V-Acc", "Force"] == (1, 2)
    group = result.tables["overall"]["all"]
    assert (sum(group.is_right), len(group.is_right), group.accuracy.clusters) == (10, 12, 3)


def test_timeblind_reads_the_options_that_its_question_lists(tmp_path: Path) -> None:
    rows = blind_rows(0, "ABBA", "multiple_choice")
    for row in rows:
        row["question"] = "Which swing is faster?\nA: the first swing\nB: the second swing"
    rows[0]["question"] = rows[1]["question"] = "Which swing is faster? A: the first swing, B: the second swing"
    file = write(tmp_path / "data.json", rows)
    lines = replies(tmp_path, *({"index": n, "reply": "the first swing"} for n in range(4)))
    assert list(outcomes("timeblind", file, lines).values()) == ["correct", "wrong", "wrong", "correct"]


def test_timeblind_key_errors(tmp_path: Path) -> None:
    rows = blind_rows(0, "yyny") + blind_rows(1) + blind_rows(2)[:3] + blind_rows(3)
    rows[4]["answer"] = None
    rows[5]["answer"] = "maybe"
    rows[11]["video_path"] = "elsewhere.mp4"
    rows[14]["question"] = rows[13]["question"] = rows[12]["question"] = rows[11]["question"]
    file = write(tmp_path / "data.json", rows)
    assert list(read_set("timeblind", file).findings) == [
        "instance 0: clip 1 has the same answer, yes, twice",
        "instance 0: question 0 has the same answer, yes, for both clips",
        "instance 1: row 4 has no answer",
        "instance 1: row 5 has the answer 'maybe', which is none to its type yes_no",
        "instance 2: has only 3 of its 4 rows",
        "instance 3: rows 12 and 14 should share a clip and do not",
        "instance 3: its two questions are the same",
    ]
    with pytest.raises(Exception, match="instance 2 lacks some of its rows 8 to 11"):
        outcomes("timeblind", file, replies(tmp_path))


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        ([{"id": "count/0", "reply": "A"}, {"key": "c-1", "reply": "A"}], "line 2: a second reply to count/0"),
        ([{"id": "count/9", "reply": "A"}], "line 1: TOMATO as read has no question 'count/9'"),
        ([{"id": True, "reply": "A"}], 'line 1: expected "id", "index" or "key"'),
        ([{"reply": "A"}], 'line 1: expected "id", "index" or "key"'),
        ([{"id": "count/0"}], 'line 1: expected "reply" as a text, or null'),
        ([{"id": "count/0", "reply": 3}], 'line 1: expected "reply" as a text, or null'),
        (["A"], "line 1: expected an object"),
    ],
)
def test_bad_replies_are_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], lines: list[Any], problem: str
) -> None:
    file = write(tmp_path / "count.json", {"0": tomato_row(0)})
    code, out, err = leave(capsys, "score", "tomato", file, replies(tmp_path, *lines))
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert problem in err


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('{"0": {"options"', "is no JSON"),
        ("", "is no JSON"),
        ("[]", "expected an object with one entry a question"),
        ("{}", "holds no questions"),
        ('{"0": 5}', "'0': expected an object"),
        ('{"0": {}}', "expected its options as a list"),
        ('{"0": {"options": "ABC", "key": "c"}}', "expected its options as a list"),
        ('{"0": {"options": [{}], "key": "c"}}', "expected every option as a text"),
        ('{"0": {"options": ["a", "b"], "answer": 0}}', 'expected "key"'),
        ('{"0": {"options": ["a", "b"], "answer": NaN, "key": "c"}}', "NaN is no JSON number"),
        ('{"0": {"options": ["a", "b"], "answer": 1e999, "key": "c"}}', "the number 1e999 is too large"),
        ('{"0": {"options": ["a", "b"], "answer": ' + "9" * 5000 + ', "key": "c"}}', "is no JSON"),
        ('{"0": 1, "0": 2}', "'0' stands twice in one object"),
        ("[" * 100_000, "is nested too deeply"),
        ("\x1b[2J\u202e", "is no JSON"),
    ],
)
@pytest.mark.parametrize("command", ["keys", "score"])
def test_malformed_files_are_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str, text: str, problem: str
) -> None:
    arguments = [command, "tomato", write(tmp_path / "count.json", text)]
    code, out, err = leave(capsys, *arguments, *([replies(tmp_path)] if command == "score" else []))
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert problem in err
    assert "Traceback" not in err


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("timeblind", '{"index": "0"}\n', 'expected "index" as a whole number'),
        ("timeblind", '{"index": 0, "video_path": "v"}\n', 'expected "question" as a text'),
        ("timeblind", '{"index": 0, "video_path": "v", "question": "q", "type": []}\n', 'expected "type" as yes_no'),
        ("timeblind", "[1]", "row 0: expected an object"),
        ("timeblind", json.dumps(blind_rows() + blind_rows()), "a second row with the index 0"),
        ("videovista", json.dumps([vista_row(1, 0), vista_row(1, 0)]), "two questions with the id '1'"),
        ("videovista", "\ufeff[{}]", "expected its options as a list"),
    ],
)
def test_malformed_rows_are_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, text: str, problem: str
) -> None:
    code, out, err = leave(capsys, "score", name, write(tmp_path / "set.json", text), replies(tmp_path))
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert problem in err


def test_files_that_are_not_there_or_are_bytes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "is missing" in leave(capsys, "keys", "tomato", tmp_path / "none.json")[2]
    assert "holds no .json file" in leave(capsys, "keys", "tomato", tmp_path)[2]
    (tmp_path / "count.json").write_bytes(b"\xff\xfe\x00")
    assert "is no UTF-8 text" in leave(capsys, "keys", "tomato", tmp_path)[2]
    file = write(tmp_path / "set.json", blind_rows())
    tags = write(tmp_path / "tags.json", {"Speed": [99]})
    assert "lists 99, which is no index" in leave(capsys, "keys", "timeblind", file, "--tags", tags)[2]
    assert "--tags goes with timeblind only" in leave(capsys, "keys", "tomato", file, "--tags", tags)[2]


def test_the_command_prints_tables_and_writes_judgements(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = write(tmp_path / "count.json", {"0": tomato_row(0), "1": tomato_row(5, clip="c-2")})
    lines = replies(tmp_path, {"key": "c-1", "reply": "A"}, {"key": "c-2", "reply": "\x1b[31m <b>A</b> \ud800"})
    out_file = tmp_path / "judged.jsonl"
    code, out, err = leave(capsys, "score", "tomato", file, lines, "--out", out_file)
    assert (code, err) == (0, "")
    assert "50.0%" in out and "9.5% – 90.5%" in out
    assert "1 errors in the set's own keys" in out and "\x1b" not in out
    judged = [json.loads(line) for line in out_file.read_text().splitlines()]
    assert [(line["id"], line["outcome"]) for line in judged] == [("count/0", "correct"), ("count/1", "unparsed")]
    assert "would overwrite" in leave(capsys, "score", "tomato", file, lines, "--out", lines)[2]
    code, out, err = leave(capsys, "keys", "tomato", file)
    assert (code, err) == (1, "")
    assert out.endswith("TOMATO: 2 questions, 1 finding\n")


def test_help_explains_the_formats() -> None:
    command = [sys.executable, "-W", "error", "-m", "evaluate.published", "--help"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
    for part in ("REPLIES.jsonl", '{"index": 0, "reply": "Yes"}', "hrd, grid, cup, file_sys, card, chip"):
        assert part in ran.stdout
