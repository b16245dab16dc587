"""`python -m verifier` as a person meets it: exit codes, one line for what is wrong, and nothing overwritten."""

import json
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import verifier.files
from generators.questions import write_answer
from tests.conftest import SMALL_SEED
from tests.generators.command_line import command, environment, run
from verifier.__main__ import main


@pytest.fixture
def folder(small_dataset: Path, tmp_path: Path) -> Path:
    return shutil.copytree(small_dataset, tmp_path / "set")


@pytest.fixture
def replies(folder: Path, tmp_path: Path) -> Path:
    """Right replies to every question of the small dataset."""
    lines = [
        {"item": item["id"], "question": question["id"], "reply": write_answer(question["kind"], question["keys"][0])}
        for item in map(json.loads, (folder / "items.jsonl").read_text().splitlines())
        for question in item["questions"]
    ]
    return write_lines(tmp_path / "replies.jsonl", *lines)


def write_lines(path: Path, *lines: Any) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def one_line(capsys: pytest.CaptureFixture[str], *words: Any) -> str:
    """The one line on standard error of a command that is refused with exit code 2."""
    assert main([str(word) for word in words]) == 2
    printed = capsys.readouterr()
    assert printed.out == "" and len(printed.err.splitlines()) == 1, printed
    return printed.err


def test_a_sound_set_is_said_to_be_sound(folder: Path, tmp_path: Path) -> None:
    for options in ((), ("--workers", "1"), ("--workers", "3")):
        result = run("verifier", "check", "set", *options, where=tmp_path)
        assert (result.returncode, result.stdout, result.stderr) == (0, "set: 6 items checked, sound\n", "")


def test_findings_are_printed_and_counted(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "answers.txt").write_text("left")
    assert main(["check", str(folder), "--workers", "1"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines == ["answers.txt: does not belong to a dataset", f"{folder}: 6 items checked, 1 finding"]


def test_only_so_many_findings_are_printed(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("verifier.__main__.FINDINGS_SHOWN", 2)
    for number in range(5):
        (folder / f"{number}.txt").write_text("")
    assert main(["check", str(folder), "--workers", "1"]) == 1
    assert capsys.readouterr().out.splitlines()[2:] == ["… and 3 more", f"{folder}: 6 items checked, 5 findings"]


def test_a_seed_file_is_compared_with_the_set(folder: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    seed = tmp_path / "seed"
    for text, code in ((f"{SMALL_SEED}\n", 0), ("6\n", 1)):
        seed.write_text(text)
        assert main(["check", str(folder), "--workers", "1", "--seed-file", str(seed)]) == code
    capsys.readouterr()
    seed.write_text("soon")
    assert "holds no seed" in one_line(capsys, "check", folder, "--seed-file", seed)
    assert "is no regular file" in one_line(capsys, "check", folder, "--seed-file", "/dev/zero")
    assert "is missing" in one_line(capsys, "check", folder, "--seed-file", tmp_path / "nowhere")


def test_what_is_no_dataset_is_refused_in_one_line(
    folder: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "empty").mkdir()
    for where in (tmp_path / "nowhere", tmp_path / "empty", Path("/dev/zero")):
        assert "manifest.json" in one_line(capsys, "check", where)
    (folder / "items.jsonl").unlink()
    os.mkfifo(folder / "items.jsonl")
    assert "items.jsonl is no regular file" in one_line(capsys, "check", folder)


@pytest.mark.parametrize("workers", ["1", "2"])
def test_ctrl_c_says_one_line_and_leaves_no_process(workers: str, folder: Path, tmp_path: Path) -> None:
    # Many lines of one item keep it busy for as long as it takes to be interrupted.
    items = folder / "items.jsonl"
    items.write_bytes(items.read_bytes().splitlines(keepends=True)[0] * 5000)
    checking = subprocess.Popen(
        command("verifier", "check", "set", "--workers", workers),
        cwd=tmp_path,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert checking.stdout is not None
    assert checking.stdout.readline() != ""
    os.killpg(checking.pid, signal.SIGINT)
    _, errors = checking.communicate(timeout=30)
    assert (checking.returncode, errors) == (130, "verifier check: interrupted\n")
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline:
        try:
            os.killpg(checking.pid, 0)
        except ProcessLookupError:
            return
        time.sleep(0.05)
    raise AssertionError("a worker outlived the command")


def test_right_replies_score_right(folder: Path, replies: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", str(folder), str(replies)]) == 0
    judgements = replies.with_suffix(".judgements.jsonl")
    assert f"judgements: {judgements}" in capsys.readouterr().out
    assert {json.loads(line)["outcome"] for line in judgements.read_text().splitlines()} == {"correct"}


OWN_FILES = (
    "set/items.jsonl",
    "set/manifest.json",
    "set/videos/new.jsonl",
    "set/sheets/new.jsonl",
    "set/sheets/../items.jsonl",
    "link-to-items.jsonl",
    "set/videos",
    "replies.jsonl",
    "./replies.jsonl",
)


@pytest.mark.parametrize("out", OWN_FILES)
def test_judgements_never_overwrite_what_they_are_made_from(
    out: str, folder: Path, replies: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "link-to-items.jsonl").symlink_to(folder / "items.jsonl")
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert "would overwrite" in one_line(capsys, "score", folder, replies, "--out", tmp_path / out)
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize("name", ["check", "score", "shortcuts"])
def test_a_file_in_the_place_of_a_folder_is_told_of(
    name: str, folder: Path, replies: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        main([name, str(folder / "items.jsonl"), *([str(replies)] if name == "score" else [])])
    error = capsys.readouterr().err
    assert left.value.code == 2 and len(error.splitlines()) == 1
    assert f"{folder / 'items.jsonl'} is a file: give the folder of the dataset, such as {folder}" in error


def test_judgements_go_into_files_only(
    folder: Path, replies: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    os.mkfifo(tmp_path / "pipe")
    for out in (tmp_path / "pipe", tmp_path, Path("/dev/null")):
        assert "is no regular file" in one_line(capsys, "score", folder, replies, "--out", out)
    (tmp_path / "old.jsonl").write_text("old")
    (tmp_path / "link.jsonl").symlink_to("old.jsonl")
    assert main(["score", str(folder), str(replies), "--out", str(tmp_path / "link.jsonl")]) == 0
    assert (tmp_path / "link.jsonl").is_symlink() and "correct" in (tmp_path / "old.jsonl").read_text()


def test_pipes_folders_and_devices_are_not_read(
    folder: Path, replies: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path, reason in (
        (tmp_path / "pipe", "is no regular file"),
        (tmp_path, "is no regular file"),
        (Path("/dev/zero"), "is no regular file"),
        (tmp_path / "nowhere", "is missing"),
        (tmp_path / ("x" * 300), "cannot be read: File name too long"),
    ):
        assert reason in one_line(capsys, "read", path)
        assert reason in one_line(capsys, "score", folder, path)
    (folder / "items.jsonl").unlink()
    os.mkfifo(folder / "items.jsonl")
    assert "items.jsonl is no regular file" in one_line(capsys, "score", folder, replies)


def test_half_a_surrogate_pair_is_printed_and_judged(
    folder: Path, replies: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    lines = [json.loads(line) for line in replies.read_text().splitlines()]
    for line in lines:
        line["reply"] = "Final Answer: \ud800"
    write_lines(replies, *lines)
    assert main(["score", str(folder), str(replies)]) == 0
    judged = [json.loads(line) for line in replies.with_suffix(".judgements.jsonl").read_text().splitlines()]
    assert len(judged) == len(lines) and not any(judgement["outcome"] == "correct" for judgement in judged)
    capsys.readouterr()
    assert main(["read", str(write_lines(tmp_path / "read.jsonl", {"kind": "items", "reply": "\ud800 é"}))]) == 0
    assert json.loads(capsys.readouterr().out)["reply"] == "\ud800 é"
    unknown = write_lines(tmp_path / "unknown.jsonl", {"item": "\ud800", "question": "q", "reply": ""})
    assert "has no question q" in one_line(capsys, "score", folder, unknown)


REPLY: dict[str, Any] = {"kind": "choice", "reply": "A", "options": ["x", "y"]}
PLAN: dict[str, Any] = {"kind": "operations", "reply": "left", "world": "number", "start": [[1, 0], [3, 2]]}

BAD_LINES: dict[str, tuple[str, str]] = {
    "nested deeply": ("[" * 100_000, "is nested too deeply"),
    "objects nested deeply": ('{"a":' * 100_000, "is nested too deeply"),
    "no JSON": ("reply", "is no JSON"),
    "a number of 6,000 digits": ("9" * 6000, "is no JSON"),
    "a list": ("[]", "expected an object"),
    "no UTF-8": ("\udcff", "is no JSON"),
    "a list for the kind": (json.dumps(REPLY | {"kind": ["choice"]}), '"kind" is'),
    "no reply": (json.dumps(REPLY | {"reply": None}), '"reply" is no text'),
    "no options": (json.dumps(REPLY | {"options": None}), "options"),
    "a text for options": (json.dumps(REPLY | {"options": "xy"}), '"options" is no list of texts'),
    "numbers for options": (json.dumps(REPLY | {"options": [1, 2]}), '"options" is no list of texts'),
    "options of another kind": (json.dumps(REPLY | {"kind": "items", "options": {"a": 1}}), '"options" is no list'),
    "a list for the world": (json.dumps(PLAN | {"world": ["number"]}), '"world" is no text'),
    "an unknown world": (json.dumps(PLAN | {"world": "x"}), "unknown world"),
    "no world": (json.dumps(PLAN | {"world": None}), 'need "world"'),
    "no goal": (json.dumps(PLAN), 'need "world", "start" and "goal"'),
    "a goal of another kind": (json.dumps(PLAN | {"goal": {"a": 1}}), "expected a square matrix"),
    "an expectation that is no JSON": ('{"kind":"integer","reply":"3","expect":NaN}', "not JSON compliant"),
}


@pytest.mark.parametrize("name", BAD_LINES)
def test_a_line_that_cannot_be_read_is_named(name: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    text, reason = BAD_LINES[name]
    path = tmp_path / "lines.jsonl"
    good = json.dumps({"kind": "integer", "reply": "3"})
    path.write_bytes(f"{good}\n\n{text}\n".encode(errors="surrogateescape"))
    assert main(["read", str(path)]) == 2
    error = capsys.readouterr().err
    assert len(error.splitlines()) == 1 and f"{path}, line 3: " in error and reason in error, error


def test_a_line_too_long_to_be_a_reply_is_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(verifier.files, "LONGEST_LINE", 100)
    path = write_lines(tmp_path / "lines.jsonl", {"kind": "integer", "reply": "3" * 200})
    assert "line 1: is longer than" in one_line(capsys, "read", path)


def test_an_expectation_of_another_type_is_a_disagreement(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    board = {"kind": "board", "reply": "[[1, 0], [3, 2]]"}
    for expected, code in (([[1, 0], [3, 2]], 0), ([[True, False], [3, 2]], 1), ([[1.0, 0], [3, 2]], 1)):
        assert main(["read", str(write_lines(tmp_path / "lines.jsonl", board | {"expect": expected}))]) == code
        assert json.loads(capsys.readouterr().out)["agrees"] is (code == 0)


def break_plan(item: Any) -> None:
    item["clips"][0]["plan"] = {}


def break_parameters(item: Any) -> None:
    for question in item["questions"]:
        question["about"] = {}


@pytest.mark.parametrize("change", [break_plan, break_parameters])
def test_a_broken_item_is_not_scored(
    change: Callable[[Any], None], folder: Path, replies: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = folder / "items.jsonl"
    items = [json.loads(line) for line in path.read_text().splitlines()]
    change(items[0])
    write_lines(path, *items)
    assert "predict_operation" in (error := one_line(capsys, "score", folder, replies)) and "run check" in error
