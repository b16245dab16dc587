"""Sprites as pixels: the one piece of code that turns shapes into antialiased, premultiplied RGBA."""

from dataclasses import replace
from functools import lru_cache
from importlib.resources import files
from io import BytesIO
from math import ceil

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFilter, ImageFont

from generators.rendering.scene import Ellipse, Grain, Line, Polygon, Rectangle, Sprite, Text

BLUR_REACH = 3
"""Standard deviations of a blur within which all of it lies that can be seen."""

SUPERSAMPLING = 4
"""Shapes are drawn this many times larger and averaged down, which is what makes their edges smooth."""


@lru_cache(maxsize=256)
def font(size: int) -> ImageFont.FreeTypeFont:
    """The shipped monospaced bold font; `size` is in pixels of its em square."""
    with files("generators.rendering").joinpath("fonts/DejaVuSansMono-Bold.ttf").open("rb") as file:
        return ImageFont.truetype(BytesIO(file.read()), size, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(maxsize=1024)
def rasterise(sprite: Sprite, scale: float = 1.0, angle: float = 0.0) -> NDArray[np.uint8]:
    """The sprite as premultiplied RGBA, shape (height, width, 4), turned clockwise by `angle` degrees about its centre.

    The result is shared between callers and must not be written to.
    """
    factor = scale * SUPERSAMPLING
    margin = ceil(BLUR_REACH * sprite.blur * scale)
    sides = (max(1, round(sprite.width * scale)), max(1, round(sprite.height * scale)))
    size = ((sides[0] + 2 * margin) * SUPERSAMPLING, (sides[1] + 2 * margin) * SUPERSAMPLING)
    canvas: NDArray[np.float32] | None = None
    for shape in sprite.shapes:
        if isinstance(shape, Grain):
            painted, covered = _grain(shape, (size[1] // SUPERSAMPLING, size[0] // SUPERSAMPLING))
        else:
            mask = Image.new("L", size)
            _draw(ImageDraw.Draw(mask), _moved(shape, margin / scale) if margin else shape, factor)
            if sprite.blur:
                mask = mask.filter(ImageFilter.GaussianBlur(sprite.blur * factor))
            if angle:
                mask = mask.rotate(-angle, Image.Resampling.BICUBIC, expand=True)
                mask = _padded(mask)
            covered = np.asarray(mask.reduce(SUPERSAMPLING), dtype=np.float32)[..., np.newaxis] / 255.0
            painted = covered * np.array([*shape.colour, 255.0], dtype=np.float32)
        canvas = painted if canvas is None else canvas * (1.0 - covered) + painted
    if canvas is None:
        canvas = np.zeros((size[1] // SUPERSAMPLING, size[0] // SUPERSAMPLING, 4), dtype=np.float32)
    pixels = np.rint(canvas).astype(np.uint8)
    pixels.setflags(write=False)
    return pixels


def _grain(grain: Grain, sides: tuple[int, int]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """(premultiplied RGBA, opacity) of film grain; the sum of four even draws is near enough to a normal one."""
    specks = [-(-side // grain.size) for side in sides]
    draws = np.random.Generator(np.random.PCG64(grain.seed)).integers(-128, 128, (4, *specks), dtype=np.int16)
    level = draws.sum(axis=0).astype(np.float32) * np.float32(grain.spread / 148.0)
    level = level.repeat(grain.size, axis=0).repeat(grain.size, axis=1)[: sides[0], : sides[1]]
    opacity = np.abs(level)[..., np.newaxis]
    white = (level > 0)[..., np.newaxis] * opacity
    return np.concatenate([white, white, white, opacity], axis=2), opacity / np.float32(255.0)


def _moved(
    shape: Rectangle | Ellipse | Polygon | Line | Text, by: float
) -> Rectangle | Ellipse | Polygon | Line | Text:
    """A shape moved right and down by so many pixels."""
    if isinstance(shape, Polygon | Line):
        return replace(shape, points=tuple((x + by, y + by) for x, y in shape.points))
    return replace(shape, x=shape.x + by, y=shape.y + by)


def _padded(mask: Image.Image) -> Image.Image:
    """The mask on a canvas whose sides are whole output pixels, its centre where it was."""
    width, height = (-(-side // SUPERSAMPLING) * SUPERSAMPLING for side in mask.size)
    if (width, height) == mask.size:
        return mask
    padded = Image.new("L", (width, height))
    padded.paste(mask, ((width - mask.width) // 2, (height - mask.height) // 2))
    return padded


def _draw(draw: ImageDraw.ImageDraw, shape: Rectangle | Ellipse | Polygon | Line | Text, factor: float) -> None:
    # Pillow's boxes include their last pixel, hence the -1.
    match shape:
        case Rectangle():
            box = _box(shape, factor)
            draw.rounded_rectangle(box, radius=shape.radius * factor, fill=255)
        case Ellipse():
            draw.ellipse(_box(shape, factor), fill=255)
        case Polygon():
            draw.polygon([(x * factor, y * factor) for x, y in shape.points], fill=255)
        case Line():
            points = [(x * factor, y * factor) for x, y in shape.points]
            draw.line(points, fill=255, width=max(1, round(shape.width * factor)), joint="curve")
        case Text():
            face = font(max(1, round(shape.size * factor)))
            # Centred by the height of capitals, so that a row of labels shares one base line.
            left, _, right, _ = draw.textbbox((0, 0), shape.text, font=face, anchor="ls")
            _, top, _, bottom = draw.textbbox((0, 0), "H", font=face, anchor="ls")
            x = shape.x * factor - (left + right) / 2
            y = shape.y * factor - (top + bottom) / 2
            draw.text((round(x), round(y)), shape.text, font=face, fill=255, anchor="ls")


def _box(shape: Rectangle | Ellipse, factor: float) -> tuple[float, float, float, float]:
    left, top = shape.x * factor, shape.y * factor
    right = max(left, left + shape.width * factor - 1)
    bottom = max(top, top + shape.height * factor - 1)
    return left, top, right, bottom
