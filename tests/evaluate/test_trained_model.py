"""A model with two layers learns which way a belt runs; the report shows that it needs the order of the frames."""

import json
from pathlib import Path

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from torch.utils.data import DataLoader

from evaluate.__main__ import main
from examples.train_on_fresh_items import BATCH, FRAMES, SETTINGS, seen, train
from generators.dataset import ITEMS, prepare, write_dataset
from generators.family import family
from generators.manifest import Request
from generators.sampling import Part
from generators.torch_dataset import FreshStream

PAIRS, STEPS = 32, 20

MODEL = """
import torch

from examples.train_on_fresh_items import RIGHT, MotionEnergy
from tests.evaluate.test_trained_model import as_seen


class Trained:
    name = "two-layers"

    def __init__(self):
        self.network = MotionEnergy()
        self.network.load_state_dict(torch.load(WEIGHTS))

    def reply(self, asked):
        with torch.no_grad():
            runs_right = bool(self.network(as_seen(asked.frames)) > 0)
        letter = "AB"[(asked.question.options[0] == RIGHT) != runs_right]
        return f"Final Answer: {letter}"
"""


def as_seen(pixels: NDArray[np.uint8]) -> torch.Tensor:
    """The frames as a batch of one; a single frame is shown all the time."""
    video = torch.from_numpy(pixels.copy()).permute(0, 3, 1, 2)
    return seen((video.expand(FRAMES, -1, -1, -1) if len(video) == 1 else video)[None])


def part(items: int) -> Part:
    return Part("direction", family("direction").settings.model_validate(SETTINGS), items)


def test_it_beats_chance_and_falls_to_it_when_frames_are_shuffled(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    stream = FreshStream("direction", SETTINGS, root_seed=1, frame_count=FRAMES, question="first")
    torch.save(train(DataLoader(stream, BATCH), STEPS).state_dict(), tmp_path / "weights.pt")
    (tmp_path / "trained.py").write_text(f"WEIGHTS = {str(tmp_path / 'weights.pt')!r}\n{MODEL}")
    dataset = tmp_path / "set"
    write_dataset(dataset, prepare(dataset, Request((part(PAIRS),), 2, sheets=False)), workers=1)
    assert len((dataset / ITEMS).read_text().splitlines()) == PAIRS

    def command(*arguments: object) -> str:
        with pytest.raises(SystemExit) as left:
            main([str(argument) for argument in arguments])
        printed = capsys.readouterr()
        assert left.value.code == 0, printed.err
        return printed.out

    model = f"{tmp_path / 'trained.py'}:Trained"
    conditions = "full,shuffled,reversed,single-centre"
    options = ["--model", model, "--frames", FRAMES, "--condition", conditions, "--out", tmp_path / "runs"]
    command("run", dataset, *options)
    printed = command("report", *(tmp_path / "runs" / name for name in conditions.split(",")), "--out", tmp_path)
    report = json.loads((tmp_path / "report.json").read_text())
    shown = {run["settings"]["condition"]: run["tables"]["overall"]["all"] for run in report["runs"]}
    assert (shown["full"]["n"], shown["full"]["clusters"]) == (4 * PAIRS, PAIRS)
    assert shown["full"]["wilson_low"] > 0.8
    assert shown["shuffled"]["clustered_low"] < 0.5 < shown["shuffled"]["clustered_high"], shown["shuffled"]
    assert shown["single-centre"]["accuracy"] == 0.5  # Nothing moves in one frame, and each pair has both answers.
    assert shown["reversed"]["wilson_high"] < 0.2
    changes = {report["runs"][one["place"]]["settings"]["condition"]: one for one in report["conditions"]}
    assert changes["shuffled"]["drop"]["interval"][1] < -0.2 and changes["shuffled"]["holm"] < 0.001
    measures = {one["symbol"]: one["ratio"] for one in report["temporal"]}
    assert measures["τ"]["interval"][0] > 0.3
    assert measures["κ"]["value"] == pytest.approx(2 * shown["full"]["accuracy"] - 1)
    assert "τ, frame order sensitivity" in printed and "two-layers, shuffled" in printed
