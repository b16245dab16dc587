"""TOMATO's principles by trained readers: they see what order alone tells, what one frame tells, and nothing else."""

from collections.abc import Callable

import numpy as np
import pytest

from verifier.features import Asked, Sample, shuffled_order
from verifier.motion import MOMENTS, reader_features
from verifier.principles import FEWEST_ITEMS, PAPER, Principles, principles
from verifier.thumbnails import CELLS, LUMA, PARTS, SCALE, Thumbnails, Values

FRAMES = 48
WAYS = ("to the left", "to the right", "up", "down")

Draw = Callable[[np.random.Generator, int], Thumbnails]


def blob(x: float, y: float) -> Values:
    down, across = np.mgrid[0:CELLS, 0:CELLS]
    return np.asarray(
        np.exp(-(((across - x) % CELLS - CELLS / 2) ** 2 + ((down - y) % CELLS - CELLS / 2) ** 2) / 6) * 150 + 40
    )


def moving(random: np.random.Generator, way: int) -> Thumbnails:
    """A patch that crosses the picture over and over; from anywhere on both axes, so that one frame tells nothing."""
    x, y = random.uniform(0, CELLS, 2)
    pictures = np.full((FRAMES, PARTS), 128 * SCALE, dtype=np.int64)
    for frame in range(FRAMES):
        step = 0.4 * frame * (-1 if way in (0, 2) else 1)
        place = (x + step, y) if way < 2 else (x, y + step)
        pictures[frame, :LUMA] = np.rint(blob(*place).ravel() * SCALE)
    return pictures


def standing(random: np.random.Generator, way: int) -> Thumbnails:
    """A patch that stands where the answer says."""
    places = [(3, 8), (12, 8), (8, 3), (8, 12)]
    x, y = places[way] + random.uniform(-1, 1, 2)
    pictures = np.full((FRAMES, PARTS), 128 * SCALE, dtype=np.int64)
    pictures[:, :LUMA] = np.rint(blob(x, y).ravel() * SCALE)
    return pictures


def noise(random: np.random.Generator, _way: int) -> Thumbnails:
    return np.asarray(random.integers(60, 200, (FRAMES, PARTS)) * SCALE)


def sample(number: int, draw: Draw, category: str = "ways") -> Sample:
    random = np.random.default_rng(number)
    right = number % len(WAYS)
    order = [(right + 1) % 4, (right + 2) % 4, (right + 3) % 4]
    order.insert(int(random.integers(4)), right)
    pictures = draw(random, right)
    features = reader_features(pictures, shuffled_order(str(number), 0, FRAMES))
    options = tuple(WAYS[way] for way in order)
    asked = Asked("choice", "choice", "Which way?", "Which way?", options, None, (order.index(right),))
    return Sample(
        id=str(number),
        category=category,
        certificate=None,
        script="made by hand",
        is_independent=False,
        asked=(asked,),
        features={name: np.array([values]) for name, values in features.items()},
        similarity=None,
        problems=(),
        left_out=(),
    )


def measured(draw: Draw, count: int = 120) -> Principles:
    [found] = principles([sample(number, draw) for number in range(count)])
    assert found.items == count and found.random_choice == 0.25
    return found


def test_what_order_alone_tells_is_read_in_order_alone() -> None:
    found = measured(moving)
    assert found.ordered > 0.85
    assert found.random_frame < 0.4 and found.gain is not None and found.gain > 1
    assert found.sensitivity is not None and found.sensitivity > 0.3


def test_what_every_frame_tells_gives_no_gain_and_no_sensitivity() -> None:
    found = measured(standing)
    assert min(found.ordered, found.shuffled, found.random_frame, found.best_frame) > 0.9
    assert all(abs(ratio) < 0.1 for ratio in (found.gain, found.sensitivity, found.disparity) if ratio is not None)


def test_of_noise_all_readers_are_at_chance() -> None:
    found = measured(noise)
    assert all(0.1 < share < 0.42 for share in (found.ordered, found.shuffled, found.random_frame))
    assert found.best_frame >= found.random_frame and 0.25 <= found.frequent_choice < 0.5


def test_several_tasks_are_measured_apart_and_together_and_small_ones_not() -> None:
    many = [sample(number, standing, "one") for number in range(40)]
    many += [sample(number, noise, "two") for number in range(24)]
    many += [sample(number, noise, "few") for number in range(FEWEST_ITEMS - 1)]
    found = {one.category: one for one in principles(many)}
    assert list(found) == ["all", "one", "two"] and found["all"].items == 64
    for name in ("random_frame", "shuffled", "ordered", "random_choice"):
        apart = [getattr(found[task], name) for task in ("one", "two")]
        assert getattr(found["all"], name) == pytest.approx((40 * apart[0] + 24 * apart[1]) / 64)
    assert principles([]) == [] and set(PAPER) == {"random choice", "frequent choice"}


def test_readers_get_frames_and_motion_of_fixed_sizes() -> None:
    for frames in (1, 2, MOMENTS, 300):
        pictures = noise(np.random.default_rng(1), 0)[[0] * frames]
        features = reader_features(pictures, range(frames))
        assert features["moments"].shape == (MOMENTS, PARTS)
        assert features["ordered motion"].shape == features["shuffled motion"].shape
        assert np.isfinite(features["ordered motion"]).all()
