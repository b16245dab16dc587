"""Small pictures of frames, in whole numbers, so that no order of frames can show in a rounding error."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from generators.rendering.scene import Scene

Values = NDArray[np.float64]
Thumbnails = NDArray[np.int64]
"""Shape (frames, PARTS): the cells of small pictures in 256ths of a level, luma first."""

CELLS = 16
"""Cells a side of a thumbnail's luma; its two planes of chroma have half as many."""

LUMA = CELLS * CELLS
PARTS = LUMA + 2 * (CELLS // 2) ** 2
SCALE = 256


def thumbnails_of(scenes: Sequence[Scene], digests: Sequence[Sequence[bytes]]) -> list[Thumbnails]:
    """The small pictures of every clip, made once of each distinct frame: equal frames have equal ones."""
    from generators.rendering.cpu import Painter
    from generators.rendering.video import frame_and_planes

    known: dict[bytes, Thumbnails] = {}
    for scene, its_digests in zip(scenes, digests, strict=True):
        _, planes = frame_and_planes(scene.width, scene.height, scene.fps)
        painter = Painter(scene, planes)
        for index, digest in enumerate(its_digests):
            if digest not in known:
                painter.paint(index)
                known[digest] = thumbnail(*planes)
    return [np.stack([known[digest] for digest in its_digests]) for its_digests in digests]


def thumbnail(luma: NDArray[np.uint8], chroma: NDArray[np.uint8]) -> Thumbnails:
    """The small picture of one frame, of luma (height, width) and chroma (2, height / 2, width / 2)."""
    return np.concatenate([_cells(luma, CELLS), *(_cells(plane, CELLS // 2) for plane in chroma)])


def _cells(plane: NDArray[np.uint8], side: int) -> Thumbnails:
    """The means of side × side cells of a plane, flattened, in 256ths of a level."""
    rows, columns = (np.linspace(0, length, side + 1).astype(np.int64) for length in plane.shape)
    sums = np.add.reduceat(plane, columns[:-1], axis=1, dtype=np.uint32)
    sums = np.add.reduceat(sums, rows[:-1], axis=0)
    areas = np.outer(np.diff(rows), np.diff(columns))
    return np.asarray(sums.astype(np.int64) * SCALE // areas).ravel()
