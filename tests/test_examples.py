"""Every example runs as its docstring says."""

import subprocess
import sys
from pathlib import Path

from generators.manifest import Request
from generators.sets import read_set

ROOT = Path(__file__).resolve().parent.parent


def run(name: str, argument: Path) -> str:
    command = [sys.executable, "-W", "error", "-m", f"examples.{name}", str(argument)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout


def test_every_example_is_run_here() -> None:
    names = {path.stem for path in (ROOT / "examples").glob("*.py")}
    assert names == {"make_a_set", "verify_and_score", "frames_without_files", "own_model"}


def test_a_set_is_made_and_then_verified_and_scored(tmp_path: Path) -> None:
    made = run("make_a_set", tmp_path / "set")
    assert made.count("number-") == 10
    scored = run("verify_and_score", tmp_path / "set").splitlines()
    assert scored[0] == "0 findings"
    assert "predict_operation  correct   10" in scored
    assert "infer_state        unparsed  10" in scored


def test_frames_without_files(tmp_path: Path) -> None:
    picture = tmp_path / "deep" / "frames.png"
    assert "(3, 224, 224, 3) uint8" in run("frames_without_files", picture)
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_the_set_of_ones_own_is_read() -> None:
    definition = read_set(ROOT / "examples" / "set.yaml")
    assert definition.name == "boards-and-files"
    items = list(Request(definition.parts, 1).make_items())
    assert len(items) == sum(part.items for part in definition.parts) == 8 + 8 + 4


def test_a_model_of_ones_own(small_dataset: Path, tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-W",
        "error",
        "-m",
        "evaluate",
        "run",
        str(small_dataset),
        "--out",
        str(tmp_path / "run"),
    ]
    command += ["--model", "examples/own_model.py:Stillness", "--frames", "8"]
    finished = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert "36 replies by stillness" in finished.stdout
