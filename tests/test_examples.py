"""Every example runs as its docstring says."""

import os
import subprocess
import sys
from pathlib import Path

from generators.manifest import Request
from generators.sets import read_set

ROOT = Path(__file__).resolve().parent.parent


def run(name: str, *arguments: object) -> str:
    command = [sys.executable, "-W", "error", "-m", f"examples.{name}", *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout


def test_every_example_is_run_here() -> None:
    names = {path.stem for path in (ROOT / "examples").glob("*.py")}
    assert names == {"make_a_set", "verify_and_score", "frames_without_files", "own_model", "train_on_fresh_items"}


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


def test_a_network_learns_from_fresh_items_and_needs_their_order() -> None:
    printed = run("train_on_fresh_items", "--steps", 12, "--workers", 0).splitlines()
    [in_order] = [float(line.split()[-1]) for line in printed if line.startswith("frames in order")]
    [shuffled] = [float(line.split()[-1]) for line in printed if line.startswith("frames shuffled")]
    assert in_order > 0.85
    assert 0.4 < shuffled < 0.6


def test_training_without_pytorch_is_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / "torch.py").write_text("raise ImportError(__name__)\n")
    command = [sys.executable, "-m", "examples.train_on_fresh_items"]
    hiding = os.environ | {"PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"}
    finished = subprocess.run(command, cwd=ROOT, env=hiding, capture_output=True, text=True, check=False)
    assert finished.returncode == 1
    assert finished.stderr.count("\n") == 1 and "python -m pip install torch" in finished.stderr
