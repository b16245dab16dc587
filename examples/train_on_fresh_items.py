"""Train a small network on items that are made on the fly to tell left from right motion, and see that it needs order.

Run it from the repository's root: python -m examples.train_on_fresh_items [--steps N] [--seconds S]
It needs PyTorch and takes about half a minute on a CPU.
"""

import argparse
import json
import sys
import time
from collections.abc import Iterable
from typing import Any

try:
    import torch
except ImportError:
    sys.exit("this example trains with PyTorch: install it with python -m pip install torch")
from torch import nn
from torch.utils.data import DataLoader

from generators.torch_dataset import FreshItems, FreshStream, sample_of

FRAMES, BATCH, HELD_OUT = 16, 16, 32
RIGHT = "from left to right"
BELT = {"scripts": "conveyor", "form": "choice", "open_questions": False}
"""Crates on a belt that runs one way or the other; its first question is which way."""

SETTINGS = BELT | {"resolution": 128, "fps": 12, "seconds": "4", "contrast": "1.6..2"}


class MotionEnergy(nn.Module):
    """Filters over time and space, squared and averaged, and a weight for each: motion energy."""

    def __init__(self) -> None:
        super().__init__()
        self.filters = nn.Conv3d(1, 8, (3, 3, 5), stride=(1, 2, 1))
        self.weights = nn.Linear(8, 1)

    def forward(self, clips: torch.Tensor) -> torch.Tensor:
        """The logit, for each clip, of motion to the right; `clips` are as `seen` makes them."""
        energy: torch.Tensor = self.filters(clips[:, None]).square().mean((2, 3, 4))
        logits: torch.Tensor = self.weights(energy).squeeze(-1)
        return logits


def seen(videos: torch.Tensor) -> torch.Tensor:
    """Videos (clips, frames, 3, height, width), in grey, small, without what stands still."""
    grey = videos[..., 2::8, 2::4].float().mean(2) / 255
    moving = grey - grey.mean(1, keepdim=True)
    return moving / (moving.std((1, 2, 3), keepdim=True) + 1e-6)


def runs_right(batch: dict[str, Any]) -> torch.Tensor:
    """What is to be learned, 1 or 0 for each sample: the option that the key's letter stands for."""
    pairs = zip(batch["options"], batch["key"], strict=True)
    return torch.tensor([float(json.loads(options)["AB".index(json.loads(key))] == RIGHT) for options, key in pairs])


def train(batches: Iterable[dict[str, Any]], steps: int, seconds: float = float("inf"), seed: int = 0) -> MotionEnergy:
    """A network trained on so many batches, or on as many as the time allows."""
    torch.manual_seed(seed)
    network = MotionEnergy()
    optimiser = torch.optim.Adam(network.parameters(), 0.01)
    end = time.monotonic() + seconds
    for step, batch in enumerate(batches, 1):
        loss = nn.functional.binary_cross_entropy_with_logits(network(seen(batch["video"])), runs_right(batch))
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
        if step == steps or time.monotonic() > end:
            break
    return network


def held_out(pairs: int, root_seed: int) -> dict[str, Any]:
    """Both clips of fresh pairs, as one batch; each pair has both answers, so chance is one half exactly."""
    dataset = FreshItems("direction", SETTINGS, length=pairs, root_seed=root_seed, question="first")
    items = [dataset.item(index) for index in range(pairs)]
    samples = [sample_of(item, FRAMES, clip, "first") for item in items for clip in (0, 1)]
    batch: dict[str, Any] = torch.utils.data.default_collate(samples)
    return batch


@torch.no_grad()
def accuracy(network: MotionEnergy, batch: dict[str, Any], *, shuffles: int = 0) -> float:
    """The share of right answers, with frames in order or in the mean of so many random orders."""
    random = torch.Generator().manual_seed(0)
    shares = []
    for _ in range(max(1, shuffles)):
        video = batch["video"]
        if shuffles:
            video = torch.stack([clip[torch.randperm(len(clip), generator=random)] for clip in video])
        shares.append(float(((network(seen(video)) > 0) == (runs_right(batch) > 0)).float().mean()))
    return sum(shares) / len(shares)


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=60, help=f"batches of {BATCH} to train on (default: 60)")
    parser.add_argument("--seconds", type=float, default=60, help="the longest it trains (default: 60)")
    parser.add_argument("--workers", type=int, default=2, help="processes that make items (default: 2)")
    options = parser.parse_args(arguments)
    stream = FreshStream("direction", SETTINGS, root_seed=1, frame_count=FRAMES, question="first")
    network = train(DataLoader(stream, BATCH, num_workers=options.workers), options.steps, options.seconds)
    fresh = held_out(HELD_OUT, root_seed=2)
    print(f"clips held out      {2 * HELD_OUT}, of which one in two runs to the right")
    print(f"frames in order     {accuracy(network, fresh):.3f}")
    print(f"frames shuffled     {accuracy(network, fresh, shuffles=8):.3f}")


if __name__ == "__main__":
    main(sys.argv[1:])
