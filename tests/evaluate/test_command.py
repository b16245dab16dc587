"""The command line: what it says, what it writes, and one line for every mistake."""

import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import evaluate
from evaluate.__main__ import main
from evaluate.running import run
from evaluate.store import REPLIES, RUN

ROOT = Path(__file__).resolve().parents[2]


def leave(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[Any, str, str]:
    """(exit code, standard output, standard error) of the command."""
    with pytest.raises(SystemExit) as left:
        main([str(argument) for argument in arguments])
    printed = capsys.readouterr()
    return left.value.code, printed.out, printed.err


def test_evaluate_is_ours() -> None:
    assert Path(evaluate.__file__).resolve() == ROOT / "evaluate" / "__init__.py"


def test_run_and_report_as_a_person_would(
    small_set: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    runs = []
    for model in ("oracle", "random", "blind", "static", "one-short"):
        folder = Path("runs") / f"{model}-{small_set.name}"
        code, out, err = leave(capsys, "run", small_set, "--model", model)
        assert (code, err) == (0, "")
        assert out.startswith(f"{folder}: 72 replies by {model}")
        runs.append(folder)
    code, out, err = leave(capsys, "report", *runs)
    assert (code, err) == (0, "")
    assert all(model in out for model in ("oracle", "random", "blind", "static", "one-short"))
    assert {path.name for path in runs[0].iterdir()} == {
        RUN,
        REPLIES,
        *(f"report.{kind}" for kind in ("md", "csv", "json", "html", "png")),
        "comparisons.csv",
    }
    code, out, err = leave(capsys, "report", runs[1], "--out", "elsewhere/report")
    assert (code, err) == (0, "")
    assert len(list(Path("elsewhere/report").iterdir())) == 5


def test_the_verifier_scores_a_runs_replies(small_set: Path, tmp_path: Path) -> None:
    for arguments in (
        ["evaluate", "run", small_set, "--model", "oracle", "--out", tmp_path / "run"],
        ["verifier", "score", small_set, tmp_path / "run" / REPLIES, "--out", tmp_path / "judgements.jsonl"],
    ):
        command = [sys.executable, "-W", "error", "-m", *map(str, arguments)]
        finished = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        assert (finished.returncode, finished.stderr) == (0, ""), finished
    judgements = [json.loads(line) for line in (tmp_path / "judgements.jsonl").read_text().splitlines()]
    assert [one["outcome"] for one in judgements] == ["correct"] * 72


def test_the_verifier_passes_over_attempts_that_failed(small_set: Path, tmp_path: Path) -> None:
    run(small_set, "oracle", tmp_path / "run")
    rows = [json.loads(line) for line in (tmp_path / "run" / REPLIES).read_text().splitlines()]
    failed = [row | {"reply": None, "error": "http 503: busy", "attempt": 1} for row in rows[:4]]
    # Questions 0 to 2 failed and were answered later, the second one twice over; question 3 only ever failed.
    lines = [*failed, failed[1], *rows[:3], *rows[4:]]
    (tmp_path / "replies.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    arguments = ["verifier", "score", small_set, tmp_path / "replies.jsonl", "--out", tmp_path / "judgements.jsonl"]
    command = [sys.executable, "-W", "error", "-m", *map(str, arguments)]
    finished = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (finished.returncode, finished.stderr) == (0, "")
    judgements = [json.loads(line) for line in (tmp_path / "judgements.jsonl").read_text().splitlines()]
    assert [one["outcome"] for one in judgements] == ["correct"] * 3 + ["failed"] + ["correct"] * 68
    (tmp_path / "replies.jsonl").write_text("".join(json.dumps(line) + "\n" for line in [*lines, rows[0]]))
    finished = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert finished.returncode == 2 and "line 77: a second reply to" in finished.stderr


def test_help_loads_nothing_heavy_and_gives_examples() -> None:
    script = (
        "import sys; from evaluate.__main__ import parser; print(parser().format_help());"
        "heavy = {'av', 'numpy', 'scipy', 'statsmodels', 'matplotlib', 'pandas'} & set(sys.modules);"
        "assert not heavy, heavy"
    )
    subprocess.run([sys.executable, "-W", "error", "-c", script], cwd=ROOT, check=True, capture_output=True)
    finished = subprocess.run(
        [sys.executable, "-m", "evaluate", "run", "--help"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert "python -m evaluate run out/number-7 --model oracle" in finished.stdout


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["run", "SET", "--model", "gpt", "--out", "NEW"], "unknown model 'gpt': choose from oracle, random, blind,"),
        (["run", "NOWHERE", "--model", "oracle", "--out", "NEW"], "is no dataset: it has no manifest.json"),
        (["run", "ITEMS", "--model", "oracle", "--out", "NEW"], "is a file: give the folder of the dataset, such as"),
        (["run", "SET", "--model", "oracle", "--out", "OTHER"], "holds a run with dataset"),
        (["run", "OTHER SET", "--model", "blind", "--out", "OTHER"], "holds a run with model oracle, not blind"),
        (["run", "SET", "--model", "oracle", "--out", "CORRUPTED"], "run.json cannot be read: "),
        (["run", "SET", "--model", "oracle", "--out", "/dev/null/run"], "/dev/null"),
        (["run", "SET", "--model", "oracle", "--limit", "0"], "argument --limit: '0' is not a whole number from 1"),
        (["run", "SET", "--model", "random", "--seed", "nan"], "argument --seed: 'nan' is not a whole number from 0"),
        (["run", "SET"], "the following arguments are required: --model"),
        (["run", "CUT OFF", "--model", "oracle", "--out", "NEW"], "items.jsonl, line 2: "),
        (["run", "UNFINISHED", "--model", "blind", "--out", "NEW"], "is not complete: run the command that made it"),
        (["report", "NOWHERE"], "is no run: it has no run.json"),
        (["report", "SET"], "is no run: it has no run.json"),
        (["report", "CORRUPTED"], "run.json cannot be read: "),
        (["report", "OTHER", "--dataset", "SET"], "is not the dataset that"),
        (["report", "OTHER", "--out", "/dev/null/report"], "/dev/null"),
        (["report"], "the following arguments are required: RUN"),
        ([], "the following arguments are required: run|report"),
    ],
)
def test_a_mistake_is_one_line_and_exit_code_2(
    small_set: Path,
    make_set: Any,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    complaint: str,
) -> None:
    other_set, cut_off, unfinished = make_set(2, seed=21), make_set(3, seed=22), make_set(1, seed=23)
    items = (cut_off / "items.jsonl").read_bytes()
    (cut_off / "items.jsonl").write_bytes(items[: len(items) // 2])
    (unfinished / "items.jsonl").rename(unfinished / "items.jsonl.part")
    leave(capsys, "run", other_set, "--model", "oracle", "--out", tmp_path / "other")
    (tmp_path / "corrupted").mkdir()
    (tmp_path / "corrupted" / RUN).write_text('{"schema": 1, "model": ')
    (tmp_path / "corrupted" / REPLIES).write_text("")
    paths = {
        "SET": small_set,
        "ITEMS": small_set / "items.jsonl",
        "OTHER SET": other_set,
        "CUT OFF": cut_off,
        "UNFINISHED": unfinished,
        "OTHER": tmp_path / "other",
        "CORRUPTED": tmp_path / "corrupted",
        "NOWHERE": tmp_path / "nowhere",
        "NEW": tmp_path / "new",
    }
    code, out, err = leave(capsys, *(paths.get(argument, argument) for argument in arguments))
    assert (code, out) == (2, "")
    assert complaint in err
    assert err.count("\n") == 1
    assert "Traceback" not in err


def test_a_mistaken_run_leaves_no_folder_behind(
    small_set: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    leave(capsys, "run", small_set, "--model", "gpt", "--out", tmp_path / "run")
    leave(capsys, "run", tmp_path / "nowhere", "--model", "oracle", "--out", tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_without_the_reports_packages_one_line_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "statsmodels" else find(name))
    code, out, err = leave(capsys, "report", tmp_path)
    assert (code, out) == (2, "")
    assert err == (
        "evaluate: error: a report needs statsmodels, which is not installed: python -m pip install statsmodels\n"
    )
