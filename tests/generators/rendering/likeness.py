"""When two pictures of one frame are alike: the tolerance that is written beside the GPU painter, and small items."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from generators.errors import InputError
from generators.family import family
from generators.item import Item
from generators.rendering.gpu import COMMON_SHARE, COMMON_TOLERANCE, MEAN_TOLERANCE
from tests.generators.making import items_of
from verifier.blocks import Blocks
from verifier.video_checking import BLOCK, PICTURE_TOLERANCE

Picture = NDArray[np.uint8]

SMALL = ("128", "192", "256", "384", "512")


def small_item(name: str, **given: object) -> tuple[Item, Any]:
    """An item of a family and its settings at the lowest of a few resolutions at which it has one."""
    kind = family(name)
    problem: Exception | None = None
    for resolution in SMALL:
        chosen = kind.settings.model_validate({"resolution": resolution, **given})
        try:
            return items_of(kind, chosen, 3, 1)[0], chosen
        except InputError as error:
            problem = error
    raise AssertionError(name) from problem


def assert_like(one: Picture, other: Picture, height: int, what: object) -> None:
    """Within the written tolerance, as a whole and block by block; rows from `height` on are chroma planes."""
    difference = np.abs(one.astype(np.int16) - other)
    assert difference.mean() <= MEAN_TOLERANCE, what
    assert (difference <= COMMON_TOLERANCE).mean() >= COMMON_SHARE, what
    flat = [picture.reshape(len(picture), -1) for picture in (one, other)]
    for rows, side in ((slice(None, height), BLOCK), (slice(height, None), BLOCK // 2)):
        a, b = flat[0][rows], flat[1][rows]
        if a.size:
            assert Blocks(a.shape[0], a.shape[1], side).worst_difference(a, b) <= PICTURE_TOLERANCE, what
