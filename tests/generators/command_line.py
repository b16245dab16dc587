"""Runs the project's commands as a person does, and tells what a dataset's folder holds."""

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from generators.command import main

ROOT = Path(__file__).resolve().parents[2]

QUICK = (
    *("--resolution", "128", "--fps", "4", "--seconds-per-op", "0.5", "--reveal-seconds", "0.5"),
    *("--ops", "3", "--size", "3", "--seed", "7"),
)
"""Settings of clips that are made in milliseconds."""


def environment(**variables: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "200", **variables}


def command(*words: str) -> list[str]:
    """`python -m WORDS`, where every warning is an error."""
    return [sys.executable, "-W", "error", "-m", *words]


def run(*words: str, where: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(*words), cwd=where, env=environment(**variables), capture_output=True, text=True, check=False
    )


def generate(*options: str, where: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """`python -m generators.number` with quick settings and `options`; options given later win."""
    return run("generators.number", *QUICK, *options, where=where, **variables)


def contents(folder: Path) -> dict[str, str]:
    """SHA-256 of every file by its name; of a folder, "folder".

    The manifest counts without the state of the source's own checkout, which may be edited while the tests run.
    """
    found = {}
    for path in sorted(folder.rglob("*")):
        data = path.read_bytes() if path.is_file() else b""
        if path.name == "manifest.json":
            kept = {name: value for name, value in json.loads(data).items() if not name.startswith("git_")}
            data = json.dumps(kept).encode()
        found[str(path.relative_to(folder))] = hashlib.sha256(data).hexdigest() if path.is_file() else "folder"
    return found


def refused(result: subprocess.CompletedProcess[str]) -> str:
    """The one line on standard error of a command that refused its input with exit code 2; asserts that it is so."""
    assert result.returncode == 2, result.stdout + result.stderr
    lines = result.stderr.splitlines()
    assert len(lines) == 1, result.stderr
    assert "Traceback" not in result.stderr and result.stdout == ""
    assert len(lines[0]) < 500
    return lines[0]


def generate_here(*options: str) -> None:
    """As `generate`, but in this process, which is quicker; asserts that it succeeds."""
    with pytest.raises(SystemExit) as left:
        main(["number", *QUICK, *options])
    assert left.value.code == 0
