"""A model with two layers learns which way a belt runs; the report shows that it needs the order of the frames."""

import json
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn

from evaluate.__main__ import main
from generators.dataset import ITEMS, prepare, write_dataset
from generators.family import family
from generators.manifest import Request
from generators.rendering import frames
from generators.sampling import Part, make_items

FRAMES, PAIRS = 16, 32
RIGHT = "from left to right"

MODEL = """
import torch

from tests.evaluate.test_trained_model import RIGHT, TwoLayers, seen


class Trained:
    name = "two-layers"

    def __init__(self):
        self.network = TwoLayers()
        self.network.load_state_dict(torch.load(WEIGHTS))

    def reply(self, asked):
        with torch.no_grad():
            runs_right = bool(self.network(seen(asked.frames)[None]) > 0)
        letter = "AB"[(asked.question.options[0] == RIGHT) != runs_right]
        return f"Final Answer: {letter}"
"""


class TwoLayers(nn.Module):
    """Filters over time and space, squared and averaged, and a weight for each: motion energy."""

    def __init__(self) -> None:
        super().__init__()
        self.filters = nn.Conv3d(1, 8, (3, 3, 5), stride=(1, 2, 1))
        self.weights = nn.Linear(8, 1)

    def forward(self, clips: torch.Tensor) -> torch.Tensor:
        energy: torch.Tensor = self.filters(clips[:, None]).square().mean((2, 3, 4))
        logits: torch.Tensor = self.weights(energy).squeeze(-1)
        return logits


def seen(pixels: Any) -> torch.Tensor:
    """The frames in grey, small, without what stands still."""
    grey = torch.from_numpy(pixels[:, 2::8, 2::4].copy()).float().mean(-1) / 255
    if len(grey) == 1:
        grey = grey.expand(FRAMES, -1, -1)
    moving = grey - grey.mean(0)
    return moving / (moving.std() + 1e-6)


def part(items: int) -> Part:
    settings = {"resolution": "128", "fps": "12", "seconds": "4", "contrast": "1.6..2"}
    settings |= {"scripts": "conveyor", "form": "choice", "open_questions": "false"}
    return Part("direction", family("direction").settings.model_validate_strings(settings), items)


def train(path: Path) -> None:
    """Train on fresh pairs, and keep the weights."""
    torch.manual_seed(0)
    clips, labels = [], []
    for item in make_items(part(PAIRS), root_seed=1):
        options = item.questions[0].options
        assert options is not None
        for clip, shown in enumerate(item.clips):
            indices = [round(place * (shown.frames - 1) / (FRAMES - 1)) for place in range(FRAMES)]
            clips.append(seen(frames(item, indices, clip=clip)))
            labels.append(options["AB".index(item.questions[0].keys[clip])] == RIGHT)
    inputs, targets = torch.stack(clips), torch.tensor(labels).float()
    network = TwoLayers()
    optimiser = torch.optim.Adam(network.parameters(), 0.01)
    for _ in range(40):
        chosen = torch.randint(len(inputs), (32,))
        loss = nn.functional.binary_cross_entropy_with_logits(network(inputs[chosen]), targets[chosen])
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
    torch.save(network.state_dict(), path)


def test_it_beats_chance_and_falls_to_it_when_frames_are_shuffled(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    train(tmp_path / "weights.pt")
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
