"""The console command: it runs the three programs, and refuses a package `evaluate` that is not ours."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def proofreel(*words: str, before: Path | None = None) -> subprocess.CompletedProcess[str]:
    """`proofreel WORDS` with the packages in `before` found first, if there are any."""
    places = [str(before), str(ROOT)] if before else [str(ROOT)]
    command = [sys.executable, "-W", "error", "-c", "import sys, proofreel; sys.exit(proofreel.main())", *words]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(places)}
    return subprocess.run(command, cwd=ROOT.parent, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("words", [["generate", "number"], ["verify", "check"], ["evaluate", "run"]])
def test_each_program_can_be_reached(words: list[str]) -> None:
    done = proofreel(*words, "--help")
    assert done.returncode == 0, done.stderr
    assert "usage: python -m" in done.stdout


def test_another_package_of_that_name_is_refused_even_with_files_of_ours_in_it(tmp_path: Path) -> None:
    (tmp_path / "evaluate").mkdir()
    (tmp_path / "evaluate" / "__init__.py").write_text("def load(name): ...\n")
    (tmp_path / "evaluate" / "running.py").write_text("")
    done = proofreel("evaluate", "run", before=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert "is not Proofreel's" in done.stderr


def test_an_unknown_command_is_one_line() -> None:
    done = proofreel("judge")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
