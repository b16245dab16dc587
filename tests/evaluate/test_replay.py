"""`replay:FILE`: replies from a file, what is said of those that fit no question, and what of corrected ones."""

import json
from pathlib import Path
from typing import Any

import pytest

from evaluate.__main__ import main
from evaluate.asking import every_question
from evaluate.models import model_maker
from evaluate.running import run
from evaluate.store import Reply, read_replies
from generators.errors import InputError


def finals(folder: Path) -> list[Reply]:
    return [one for _, one in read_replies(folder)]


def leave(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[Any, str, str]:
    with pytest.raises(SystemExit) as left:
        main([str(argument) for argument in arguments])
    printed = capsys.readouterr()
    return left.value.code, printed.out, printed.err


def test_replies_from_a_file(make_set: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    dataset = make_set(2)
    questions = list(every_question(dataset))
    lines = [
        {"item": one.item.id, "question": one.question.id, "clip": one.clip, "reply": f"said {one.order}"}
        for one in reversed(questions)
    ]
    lines[0]["reply"] = None
    del lines[1]
    path = tmp_path / "said.jsonl"
    path.write_text("\n".join(json.dumps(line) for line in lines) + "\n\n")
    code, out, err = leave(capsys, "run", dataset, "--model", f"replay:{path}", "--out", tmp_path / "run")
    assert code == 0 and "10 replies by said, 2 failures;" in out
    assert "holds a" in err
    kept = finals(tmp_path / "run")
    assert [one.reply for one in kept[:10]] == [f"said {order}" for order in range(10)]
    assert [one.error for one in kept[10:]] == [
        "said.jsonl holds no reply to it",
        "said.jsonl holds a null reply to it",
    ]


def replies_to(dataset: Path, path: Path, say: str, *more: dict[str, Any]) -> Path:
    lines = [
        {"item": one.item.id, "question": one.question.id, "clip": one.clip, "reply": f"{say} {one.order}"}
        for one in every_question(dataset)
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in [*lines, *more]))
    return path


def test_replies_to_no_question_are_told_of_once(
    make_set: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dataset = make_set(2)
    strangers = [{"item": name, "question": "infer_state", "reply": "x"} for name in ("number-\x1b[31m", "other")]
    path = replies_to(dataset, tmp_path / "said.jsonl", "said", *strangers)
    code, out, err = leave(capsys, "run", dataset, "--model", f"replay:{path}", "--limit", 1, "--out", tmp_path / "run")
    assert code == 0 and "6 replies by said;" in out
    assert err == (
        f"evaluate: warning: 2 of the 14 replies in {path} fit no question of {dataset}, the first to "
        "number-\\x1b[31m infer_state 0\n"
    )
    replies_to(dataset, path, "said")
    assert leave(capsys, "run", dataset, "--model", f"replay:{path}", "--out", tmp_path / "all")[::2] == (0, "")


def test_corrected_replies_are_a_run_of_their_own(
    make_set: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dataset = make_set(1)
    path = replies_to(dataset, tmp_path / "said.jsonl", "said")
    command = ("run", dataset, "--model", f"replay:{path}", "--out")
    for _ in range(2):
        assert leave(capsys, *command, tmp_path / "run")[0] == 0
    replies_to(dataset, path, "corrected")
    code, _, err = leave(capsys, *command, tmp_path / "run")
    assert code == 2 and "holds a run with replies sha256:" in err and err.endswith("with --out\n")
    assert leave(capsys, *command, tmp_path / "new")[0] == 0
    assert [one.reply for one in finals(tmp_path / "new")] == [f"corrected {order}" for order in range(6)]


def test_a_run_in_which_nothing_is_answered_is_a_finding(
    make_set: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dataset = make_set(1)
    path = tmp_path / "said.jsonl"
    path.write_text("")
    command = ("run", dataset, "--model", f"replay:{path}", "--out", tmp_path / "run")
    for last in ("the last failure: said.jsonl holds no reply to it; ", ""):
        code, out, err = leave(capsys, *command)
        assert code == 1 and "0 replies by said, 6 failures;" in out
        assert err == f"evaluate: no question was answered; {last}--attempts 6 or more asks again what failed\n"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('{"item": "a", "question": "b", "reply": "c"}\n' * 2, "line 2: a second reply to a b 0"),
        ("{", "line 1: is no JSON"),
        ("[]", "line 1: expected an object"),
        ('{"item": "a", "question": "b", "clip": true, "reply": "c"}', 'line 1: expected "item" and "question"'),
        ('{"item": "a", "question": "b"}', 'line 1: expected "reply" as a text'),
        ("[" * 100_000, "line 1: is no JSON"),
    ],
)
def test_a_file_of_replies_that_cannot_be_read_is_one_line(
    make_set: Any, tmp_path: Path, text: str, complaint: str
) -> None:
    path = tmp_path / "said.jsonl"
    path.write_text(text)
    with pytest.raises(InputError, match=complaint):
        run(make_set(1), f"replay:{path}", tmp_path / "run")
    with pytest.raises(InputError, match="is missing"):
        model_maker(f"replay:{tmp_path / 'absent'}")
