"""What a trained reader gets of a clip to see motion with: flow and rhythm, of frames in order or shuffled."""

from collections.abc import Sequence

import numpy as np

from verifier.thumbnails import CELLS, LUMA, SCALE, Thumbnails, Values

MOMENTS = 9
"""Frames of a clip, evenly spaced, each of which a reader of single frames is tried on."""

PARTS = 12
"""Parts of a clip that the network tells apart."""

CYCLES = 24
"""The network gets the strength of so many frequencies, from one cycle a clip upwards."""


def motion(pictures: Thumbnails) -> Values:
    """What moves how in each part of a clip, and how often: flow, place, look, and the strength of every frequency.

    Flow is fitted to all cells by least squares as a shift, a turn and a growth of the picture (Lucas and Kanade 1981
    with an affine model).
    """
    luma = pictures[:, :LUMA].reshape(-1, CELLS, CELLS) / SCALE
    count = len(luma)
    part = np.arange(count) * PARTS // count
    across, down = np.meshgrid(*[np.linspace(-1, 1, CELLS)] * 2)
    slopes_down, slopes_across = np.gradient(luma, axis=(1, 2))
    change = np.diff(luma, axis=0, append=luma[-1:])
    columns = [slopes * place for slopes in (slopes_across, slopes_down) for place in (1.0, across, down)]
    design = np.stack(columns, axis=-1).reshape(count, -1, 6)
    flows = []
    for number in range(PARTS):
        rows = design[part == number].reshape(-1, 6)
        changes = change[part == number].ravel()
        scale = float((rows * rows).sum(axis=0).mean()) if len(rows) else 0.0
        solved = np.linalg.solve(rows.T @ rows + (0.01 * scale + 1e-6) * np.eye(6), -rows.T @ changes)
        # Shifts, how much it turns, how much it grows.
        flows.append([*solved, solved[4] - solved[2], solved[1] + solved[5]])
    unlike = np.abs(luma - luma.mean(axis=0))
    total = unlike.sum(axis=(1, 2)) + 1e-6
    places = np.linspace(-1, 1, CELLS)
    signals = np.column_stack(
        [
            np.abs(change).sum(axis=(1, 2)),
            total,
            (unlike.sum(axis=1) @ places) / total,
            (unlike.sum(axis=2) @ places) / total,
            pictures[:, LUMA:].reshape(count, 2, -1).mean(axis=2) / SCALE,
        ]
    )
    sizes = np.maximum(1, np.bincount(part, minlength=PARTS))
    by_part = [np.bincount(part, column, PARTS) / sizes for column in signals.T]
    waves = np.abs(np.fft.rfft(signals - signals.mean(axis=0), n=max(count, 2 * CYCLES + 2), axis=0))[1 : CYCLES + 1]
    coarse = luma.reshape(count, CELLS // 2, 2, CELLS // 2, 2).mean(axis=(2, 4)).reshape(count, -1)
    looks = [coarse.mean(axis=0), coarse.std(axis=0)]
    return np.concatenate([np.ravel(flows), *by_part, (waves / (waves.sum(axis=0) + 1e-6)).ravel(), *looks])


def reader_features(pictures: Thumbnails, shuffled: Sequence[int]) -> dict[str, Values]:
    """What the network gets of one clip: single frames (MOMENTS, any number), shuffled frames, frames in order."""
    chosen = np.linspace(0, len(pictures) - 1, MOMENTS).round().astype(np.int64)
    return {
        "moments": pictures[chosen] / SCALE,
        "shuffled motion": motion(pictures[list(shuffled)]),
        "ordered motion": motion(pictures),
    }
