"""RGB to limited-range Y'CbCr 4:2:0 by the book: ITU-R BT.709-6, sections 3 and 4. Slow, in floats, for comparison."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def luma_and_chroma(rgb: NDArray[np.uint8]) -> tuple[Floats, Floats]:
    """Luma (height, width) and chroma (2, height / 2, width / 2) of a picture (height, width, 3)."""
    red, green, blue = np.moveaxis(rgb.astype(np.float64) / 255.0, -1, 0)
    luma = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    blue_difference = (blue - luma) / (2 * (1 - 0.0722))
    red_difference = (red - luma) / (2 * (1 - 0.2126))
    chroma = np.stack([mean_of_fours(blue_difference), mean_of_fours(red_difference)])
    return 16.0 + 219.0 * luma, 128.0 + 224.0 * chroma


def mean_of_fours(plane: Floats) -> Floats:
    return (plane[::2, ::2] + plane[1::2, ::2] + plane[::2, 1::2] + plane[1::2, 1::2]) / 4.0


def rgb(luma: NDArray[np.uint8], chroma: NDArray[np.uint8]) -> Floats:
    """The picture (height, width, 3) of the planes, each chroma sample spread over its four pixels."""
    brightness = (luma.astype(np.float64) - 16.0) / 219.0
    blue_difference, red_difference = (
        np.repeat(np.repeat((plane.astype(np.float64) - 128.0) / 224.0, 2, axis=0), 2, axis=1) for plane in chroma
    )
    red = brightness + red_difference * 2 * (1 - 0.2126)
    blue = brightness + blue_difference * 2 * (1 - 0.0722)
    green = (brightness - 0.2126 * red - 0.0722 * blue) / 0.7152
    pictures: Floats = np.clip(np.stack([red, green, blue], axis=-1), 0.0, 1.0) * 255.0
    return pictures


def is_flat(picture: NDArray[np.uint8], reach: int = 4) -> NDArray[np.bool_]:
    """Where nothing within `reach` pixels, up, down or to the sides, has another colour; shape (height, width)."""
    height, width = picture.shape[:2]
    flat = np.ones((height, width), dtype=bool)
    padded = np.pad(picture, ((reach, reach), (reach, reach), (0, 0)), mode="edge")
    for row in range(2 * reach + 1):
        for column in range(2 * reach + 1):
            flat &= (padded[row : row + height, column : column + width] == picture).all(axis=-1)
    return flat
