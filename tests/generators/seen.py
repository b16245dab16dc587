"""What tests read off a sprite: its colours, and where one of them is."""

import numpy as np
from numpy.typing import NDArray

from generators.rendering.scene import Colour, Grain, Sprite, flattened
from generators.rendering.sprites import rasterise


def colours_of(sprite: Sprite) -> set[Colour]:
    """All colours that a sprite is painted in."""
    return {shape.colour for shape in flattened(sprite).shapes if not isinstance(shape, Grain)}


def pixels_of(sprite: Sprite, colour: Colour) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The rows and the columns of the pixels that are wholly of this colour."""
    down, across = np.nonzero((rasterise(sprite) == (*colour, 255)).all(axis=2))
    return down, across
