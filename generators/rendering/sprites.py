"""Sprites as pixels: the one piece of code that turns shapes into antialiased, premultiplied RGBA."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from importlib.resources import files
from io import BytesIO
from math import ceil, cos, floor, radians, sin
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFilter, ImageFont

from generators.rendering.scene import Ellipse, Grain, Line, Polygon, Rectangle, Sprite, Text, flattened, moved

BLUR_REACH = 3
"""Standard deviations of a blur within which all of it lies that can be seen."""

SUPERSAMPLING = 4
"""Shapes are drawn this many times larger and averaged down, which is what makes their edges smooth."""

PLANES_FIRST, PLANES_LAST = (2, 0, 1), (1, 2, 0)
"""Orders of axes, for pixels as (planes, height, width) and back."""


@lru_cache(maxsize=256)
def font(size: int) -> ImageFont.FreeTypeFont:
    """The shipped monospaced bold font; `size` is in pixels of its em square."""
    with files("generators.rendering").joinpath("fonts/DejaVuSansMono-Bold.ttf").open("rb") as file:
        return ImageFont.truetype(BytesIO(file.read()), size, layout_engine=ImageFont.Layout.BASIC)


def rasterise(sprite: Sprite, scale: float = 1.0, angle: float = 0.0) -> NDArray[np.uint8]:
    """The sprite as premultiplied RGBA, shape (height, width, 4), turned clockwise by `angle` degrees about its centre.

    The result is shared between callers and must not be written to. In memory its four channels lie one behind the
    other, as arithmetic on whole planes is many times quicker than on one pixel's four numbers after the next's.
    """
    if not sprite.parts:
        return (_small if sprite.width * sprite.height * scale**2 <= SMALL else _large)(sprite, scale, angle)
    if scale == 1.0 and not angle and not sprite.blur:
        return _composed(sprite)
    return _large(flattened(sprite), scale, angle)


def _rasterised(sprite: Sprite, scale: float, angle: float) -> NDArray[np.uint8]:
    """The same of a sprite without parts."""
    factor = scale * SUPERSAMPLING
    margin = ceil(BLUR_REACH * sprite.blur * scale)
    sides = (max(1, round(sprite.width * scale)), max(1, round(sprite.height * scale)))
    size = ((sides[0] + 2 * margin) * SUPERSAMPLING, (sides[1] + 2 * margin) * SUPERSAMPLING)
    turn = _Turn.of(size, angle) if angle else None
    width, height = (-(-side // SUPERSAMPLING) for side in (turn.size if turn else size))
    # Premultiplied RGBA in Pillow's mode of four plain bands: it blends them alike, with no thought of opacity.
    canvas = Image.new("CMYK", (width, height))
    for shape in sprite.shapes:
        if isinstance(shape, Grain):
            canvas = _with_grain(canvas, shape)
            continue
        colour = (*shape.colour, 255)
        drawn = _enlarged(shape, factor)
        if turn is None and not sprite.blur:
            if isinstance(drawn, Rectangle) and not drawn.radius:
                _fill(canvas, drawn, colour)
            elif area := _reach(drawn, size):
                left, top, right, bottom = area
                covered = _covered(moved(drawn, -left, -top), (right - left, bottom - top))
                canvas.paste(colour, (left // SUPERSAMPLING, top // SUPERSAMPLING), covered)
            continue
        mask = _mask(moved(drawn, margin * SUPERSAMPLING, margin * SUPERSAMPLING), size)
        if sprite.blur:
            mask = mask.filter(ImageFilter.GaussianBlur(sprite.blur * factor))
        if touched := mask.getbbox():
            coverage, left, top = turn.turned(mask, touched) if turn else _reduced(mask, touched)
            canvas.paste(colour, (left, top), coverage)
    pixels = np.ascontiguousarray(np.asarray(canvas).transpose(PLANES_FIRST)).transpose(PLANES_LAST)
    pixels.setflags(write=False)
    return pixels


_large = lru_cache(maxsize=512)(_rasterised)
_small = lru_cache(maxsize=4096)(_rasterised)
"""What is kept of either size: the limbs of a person come again in many poses, and in the next item."""

SMALL = 2**14
"""Pixels of what is kept for long."""


def _composed(sprite: Sprite) -> NDArray[np.uint8]:
    """The sprite of its parts, each rasterised once for all that have it and laid over those before it."""
    planes = np.zeros((4, sprite.height, sprite.width), dtype=np.uint8)
    if sprite.shapes:
        planes[...] = rasterise(replace(sprite, parts=())).transpose(PLANES_FIRST)
    for part, x, y in sprite.parts:
        over = rasterise(part).transpose(PLANES_FIRST)
        left, top, right, bottom = _within((x, y, x + part.width, y + part.height), (0, 0, sprite.width, sprite.height))
        if left >= right or top >= bottom:
            continue
        over = over[:, top - y : bottom - y, left - x : right - x]
        below = planes[:, top:bottom, left:right]
        # below · (255 - opacity) / 255, rounded, within 16 bits.
        kept = below * (255 - over[3]).astype(np.uint16)
        kept += 128
        kept += kept >> 8
        kept >>= 8
        below[...] = kept
        below += over
    pixels = planes.transpose(PLANES_LAST)
    pixels.setflags(write=False)
    return pixels


Area = tuple[int, int, int, int]
"""Left, top, right and bottom, in pixels of a mask."""


Drawn = Rectangle | Ellipse | Polygon | Line | Text
"""Shapes with an outline; those on a mask are told in its pixels and coloured BLACK."""

BLACK = (0, 0, 0)


def _enlarged(shape: Drawn, factor: float) -> Drawn:
    """A shape as it is drawn on a mask. Pillow cuts the corners of polygons to whole pixels."""
    match shape:
        case Polygon():
            return Polygon(tuple([(int(x * factor), int(y * factor)) for x, y in shape.points]), BLACK)
        case Line():
            points = tuple([(x * factor, y * factor) for x, y in shape.points])
            return Line(points, shape.width * factor, BLACK)
        case Text():
            return Text(shape.x * factor, shape.y * factor, shape.text, shape.size * factor, BLACK)
        case Ellipse():
            return Ellipse(shape.x * factor, shape.y * factor, shape.width * factor, shape.height * factor, BLACK)
        case Rectangle():
            sides = shape.width * factor, shape.height * factor
            return Rectangle(shape.x * factor, shape.y * factor, *sides, BLACK, shape.radius * factor)


def _reach(shape: Drawn, size: tuple[int, int]) -> Area | None:
    """The area of whole output pixels that a shape may touch on a mask of this size, or None if there is none."""
    most = (0, 0, *size)
    match shape:
        case Text():
            return most
        case Rectangle() | Ellipse():
            left, top, right, bottom = _box(shape)
            more = 1.0
        case Polygon() | Line():
            across, down = zip(*shape.points, strict=True)
            left, top, right, bottom = min(across), min(down), max(across), max(down)
            more = 1 + (shape.width if isinstance(shape, Line) else 0)
    area = _within(_whole((left - more, top - more, right + more + 1, bottom + more + 1)), _whole(most))
    return area if area[0] < area[2] and area[1] < area[3] else None


def _covered(shape: Drawn, size: tuple[int, int]) -> Image.Image:
    """How much of each output pixel a shape covers on a mask of this size."""
    return (
        _small_covered(shape, size)
        if size[0] * size[1] <= SMALL * SUPERSAMPLING**2
        else _mask(shape, size).reduce(SUPERSAMPLING)
    )


@lru_cache(maxsize=4096)
def _small_covered(shape: Drawn, size: tuple[int, int]) -> Image.Image:
    """The same, kept: what differs in its colour alone is covered alike."""
    return _mask(shape, size).reduce(SUPERSAMPLING)


def _fill(canvas: Image.Image, shape: Rectangle, colour: tuple[int, ...]) -> None:
    """Paint a sharp upright rectangle: all of its inside, and its edges as far as they cover columns and rows.

    Large grounds are of this kind, and drawing them several times larger would take most of an item's time.
    """
    left, top, right, bottom = _box(shape)
    parts, cuts = [], []
    for side, first, last in ((canvas.width, left, right), (canvas.height, top, bottom)):
        line = Image.new("L", (side * SUPERSAMPLING, 1))
        ImageDraw.Draw(line).rectangle((first, 0, last, 0), fill=1)
        parts.append(np.asarray(line).reshape(side, SUPERSAMPLING).sum(axis=1, dtype=np.uint16))
        whole = np.flatnonzero(parts[-1] == SUPERSAMPLING)
        cuts.append((0, int(whole[0]), int(whole[-1]) + 1, side) if whole.size else (0, 0, 0, side))
    for column, x, end in zip(range(3), cuts[0], cuts[0][1:], strict=False):
        for row, y, low in zip(range(3), cuts[1], cuts[1][1:], strict=False):
            if (column, row) == (1, 1) and x < end and y < low:
                canvas.paste(colour, (x, y, end, low))
            elif parts[0][x:end].any() and parts[1][y:low].any():
                covered = np.multiply.outer(parts[1][y:low], parts[0][x:end]) * 255 + SUPERSAMPLING**2 // 2
                canvas.paste(colour, (x, y), Image.fromarray((covered // SUPERSAMPLING**2).astype(np.uint8)))


def _whole(area: tuple[float, float, float, float]) -> Area:
    """The smallest area of whole output pixels around one."""
    left, top = (floor(side / SUPERSAMPLING) * SUPERSAMPLING for side in area[:2])
    right, bottom = (ceil(side / SUPERSAMPLING) * SUPERSAMPLING for side in area[2:])
    return left, top, right, bottom


def _reduced(mask: Image.Image, touched: Area) -> tuple[Image.Image, int, int]:
    """A shape's coverage of output pixels where it is, and the column and row that this begins at."""
    area = _whole(touched)
    return mask.reduce(SUPERSAMPLING, area), area[0] // SUPERSAMPLING, area[1] // SUPERSAMPLING


class _Turn(NamedTuple):
    """Turning a mask by Pillow's `rotate` with `expand`, but only where its shape is: most of a hand's sprite is empty.

    `matrix` takes a point of the turned mask to where it is in the mask, `size` is the turned one's, and `offset` where
    it lies on a canvas of whole output pixels with the same centre.
    """

    matrix: tuple[float, float, float, float, float, float]
    size: tuple[int, int]
    offset: tuple[int, int]

    @classmethod
    def of(cls, size: tuple[int, int], angle: float) -> "_Turn":
        cosine, sine = round(cos(radians(angle)), 15), round(sin(radians(angle)), 15)
        (width, height), middle = size, (size[0] / 2, size[1] / 2)
        corners = [(x - middle[0], y - middle[1]) for x in (0, width) for y in (0, height)]
        across = [cosine * x - sine * y + middle[0] for x, y in corners]
        down = [sine * x + cosine * y + middle[1] for x, y in corners]
        turned = ceil(max(across)) - floor(min(across)), ceil(max(down)) - floor(min(down))
        x, y = -turned[0] / 2, -turned[1] / 2
        matrix = (cosine, sine, cosine * x + sine * y + middle[0], -sine, cosine, -sine * x + cosine * y + middle[1])
        return cls(matrix, turned, (-turned[0] % SUPERSAMPLING // 2, -turned[1] % SUPERSAMPLING // 2))

    def turned(self, mask: Image.Image, touched: Area) -> tuple[Image.Image, int, int]:
        """What `_reduced` gives of the mask turned."""
        a, b, c, d, e, f = self.matrix
        # The matrix only turns, so its inverse is itself with its sides exchanged.
        corners = [
            (a * (x - c) + d * (y - f) + self.offset[0], b * (x - c) + e * (y - f) + self.offset[1])
            for x, y in ((touched[0], touched[1]), (touched[2], touched[1]), touched[2:], (touched[0], touched[3]))
        ]
        most = _whole((0, 0, *self.size))
        left, top, right, bottom = _within(_spread(corners), most)
        whole = Image.new("L", (right - left, bottom - top))
        # Band below band, each as wide as the turned shape is there: a slanting one leaves most of its box empty.
        for upper in range(top, bottom, BAND):
            lower = min(upper + BAND, bottom)
            if not (part := _band(corners, upper - REACH, lower + REACH)):
                continue
            first, _, end, _ = _within(_spread(part), most)
            x, y = first - self.offset[0], upper - self.offset[1]
            moved = (a, b, a * x + b * y + c, d, e, d * x + e * y + f)
            size = end - first, lower - upper
            band = mask.transform(size, Image.Transform.AFFINE, moved, Image.Resampling.BICUBIC)
            whole.paste(band, (first - left, upper - top))
        return whole.reduce(SUPERSAMPLING), left // SUPERSAMPLING, top // SUPERSAMPLING


REACH = 3
"""How far around a pixel of the mask the turned one may be other than empty for it, in its pixels."""

BAND = 16 * SUPERSAMPLING
"""Height of a band that is turned at once, in pixels of a mask."""


def _spread(points: Sequence[tuple[float, float]]) -> Area:
    """The area of whole output pixels that points and what they reach are in."""
    across, down = zip(*points, strict=True)
    return _whole((min(across) - REACH, min(down) - REACH, max(across) + REACH, max(down) + REACH))


def _within(area: Area, most: Area) -> Area:
    return max(area[0], most[0]), max(area[1], most[1]), min(area[2], most[2]), min(area[3], most[3])


def _band(corners: Sequence[tuple[float, float]], top: float, bottom: float) -> list[tuple[float, float]]:
    """The corners of the part of a polygon that is between two heights, or none."""
    points = [corner for corner in corners if top <= corner[1] <= bottom]
    for (x, y), (to_x, to_y) in zip(corners, (*corners[1:], corners[0]), strict=True):
        for height in (top, bottom):
            if min(y, to_y) < height < max(y, to_y):
                points.append((x + (to_x - x) * (height - y) / (to_y - y), height))
    return points


def _with_grain(canvas: Image.Image, grain: Grain) -> Image.Image:
    """Premultiplied RGBA with film grain over it; the sum of four even draws is near enough to a normal one."""
    specks = [-(-side // grain.size) for side in reversed(canvas.size)]
    draws = np.random.Generator(np.random.PCG64(grain.seed)).integers(-128, 128, (4, *specks), dtype=np.int16)
    level = draws.sum(axis=0).astype(np.float32) * np.float32(grain.spread / 148.0)
    level = level.repeat(grain.size, axis=0).repeat(grain.size, axis=1)[: canvas.height, : canvas.width, np.newaxis]
    opacity = np.abs(level)
    speck = np.concatenate([(level > 0) * opacity] * 3 + [opacity], axis=2)
    mixed = np.asarray(canvas, dtype=np.float32) * (1.0 - opacity / np.float32(255.0)) + speck
    return Image.fromarray(np.rint(mixed).astype(np.uint8), mode="CMYK")


def _mask(shape: Drawn, size: tuple[int, int]) -> Image.Image:
    """A mask of this size on which a shape is white."""
    mask = Image.new("L", size)
    draw = ImageDraw.Draw(mask)
    match shape:
        case Rectangle():
            draw.rounded_rectangle(_box(shape), radius=shape.radius, fill=255)
        case Ellipse():
            draw.ellipse(_box(shape), fill=255)
        case Polygon():
            draw.polygon(shape.points, fill=255)
        case Line():
            draw.line(shape.points, fill=255, width=max(1, round(shape.width)), joint="curve")
        case Text():
            face = font(max(1, round(shape.size)))
            # Centred by the height of capitals, so that a row of labels shares one base line.
            left, _, right, _ = draw.textbbox((0, 0), shape.text, font=face, anchor="ls")
            _, top, _, bottom = draw.textbbox((0, 0), "H", font=face, anchor="ls")
            place = round(shape.x - (left + right) / 2), round(shape.y - (top + bottom) / 2)
            draw.text(place, shape.text, font=face, fill=255, anchor="ls")
    return mask


def _box(shape: Rectangle | Ellipse) -> tuple[float, float, float, float]:
    # Pillow's boxes include their last pixel, hence the -1.
    right, bottom = shape.x + shape.width - 1, shape.y + shape.height - 1
    return shape.x, shape.y, max(shape.x, right), max(shape.y, bottom)
