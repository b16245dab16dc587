"""Sprites as pixels: antialiased coverage is the shape's area, and what is drawn stands where it should."""

import pickle
from dataclasses import replace
from math import hypot, pi

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from PIL import Image

from generators.rendering.scene import (
    AtlasBuilder,
    Colour,
    Ellipse,
    Grain,
    Line,
    Part,
    Polygon,
    Rectangle,
    Shape,
    Sprite,
    Text,
    ease,
    flattened,
)
from generators.rendering.sprites import _enlarged, _mask, rasterise

INK: Colour = (200, 100, 50)
SIDE = 64
LENGTHS = st.floats(6, 40)
COLOURS = st.tuples(*[st.integers(0, 255)] * 3)


def coverage(shape: Shape, scale: float = 1.0, angle: float = 0.0) -> float:
    """Covered pixels, in all."""
    return float(rasterise(Sprite(SIDE, SIDE, (shape,)), scale, angle)[..., 3].sum()) / 255.0


@given(x=st.floats(0, 20), y=st.floats(0, 20), width=LENGTHS, height=LENGTHS)
def test_a_rectangle_covers_its_area(x: float, y: float, width: float, height: float) -> None:
    assert coverage(Rectangle(x, y, width, height, INK)) == pytest.approx(
        width * height, abs=0.25 * (width + height) + 0.5
    )


@given(x=st.integers(0, 80), y=st.integers(0, 80), width=st.integers(1, 160), height=st.integers(1, 160))
def test_a_rectangle_on_quarter_pixels_covers_exactly_its_area(x: int, y: int, width: int, height: int) -> None:
    exact = width * height / 16
    assert coverage(Rectangle(x / 4, y / 4, width / 4, height / 4, INK)) == pytest.approx(exact, rel=0.01, abs=0.3)


@given(width=LENGTHS, height=LENGTHS, radius=st.floats(0.5, 10))
def test_rounded_corners_take_their_part_away(width: float, height: float, radius: float) -> None:
    radius = min(radius, width / 2, height / 2)
    area = width * height - (4 - pi) * radius**2
    assert coverage(Rectangle(8, 8, width, height, INK, radius)) == pytest.approx(area, abs=0.25 * (width + height))


@given(width=LENGTHS, height=LENGTHS)
def test_an_ellipse_covers_its_area(width: float, height: float) -> None:
    area = pi / 4 * width * height
    assert coverage(Ellipse(8, 8, width, height, INK)) == pytest.approx(area, abs=0.25 * (width + height))


@given(points=st.tuples(*[st.tuples(st.floats(2, 60), st.floats(2, 60))] * 3))
def test_a_polygon_covers_its_area(points: tuple[tuple[float, float], ...]) -> None:
    (ax, ay), (bx, by), (cx, cy) = points
    area = abs((bx - ax) * (cy - ay) - (cx - ax) * (by - ay)) / 2
    outline = hypot(bx - ax, by - ay) + hypot(cx - bx, cy - by) + hypot(ax - cx, ay - cy)
    assert coverage(Polygon(points, INK)) == pytest.approx(area, abs=0.3 * outline + 1)


@given(length=st.floats(10, 50), width=st.floats(1, 6))
def test_a_line_covers_its_area(length: float, width: float) -> None:
    line = Line(((6, 32), (6 + length, 32)), width, INK)
    assert coverage(line) == pytest.approx(length * width, abs=0.3 * (length + width))


SHAPES = (
    Rectangle(12, 20, 30, 22, INK, 3),
    Ellipse(14, 10, 30, 40, INK),
    Polygon(((10, 12), (50, 20), (30, 55)), INK),
    Text(32, 32, "8", 40, INK),
)


@pytest.mark.parametrize("shape", SHAPES)
@given(angle=st.floats(-360, 360))
def test_turning_keeps_the_area(shape: Shape, angle: float) -> None:
    assert coverage(shape, angle=angle) == pytest.approx(coverage(shape), rel=0.02)


@pytest.mark.parametrize("shape", SHAPES)
@given(scale=st.sampled_from([0.5, 0.75, 1.5, 2.0, 2.5]))
def test_scaling_scales_the_area(shape: Shape, scale: float) -> None:
    assert coverage(shape, scale) == pytest.approx(scale**2 * coverage(shape), rel=0.06)


@pytest.mark.parametrize("angle", [0.0, 17.0, 90.0])
def test_pixels_are_premultiplied_and_keep_the_colour(angle: float) -> None:
    for shape in SHAPES:
        pixels = rasterise(Sprite(SIDE, SIDE, (shape,)), 1.0, angle).astype(float)
        assert np.abs(pixels[..., :3] - pixels[..., 3:] / 255 * INK).max() <= 1.0


def plainly(sprite: Sprite, scale: float, angle: float) -> NDArray[np.uint8]:
    """The same pixels the plain way: every shape's whole mask drawn, turned by Pillow and blended pixel by pixel."""
    factor = 4 * scale
    size = (4 * max(1, round(sprite.width * scale)), 4 * max(1, round(sprite.height * scale)))
    empty = Image.new("L", size).rotate(-angle, expand=True)
    sides = -(-empty.width // 4) * 4, -(-empty.height // 4) * 4
    canvas = np.zeros((sides[1] // 4, sides[0] // 4, 4))
    for shape in sprite.shapes:
        assert not isinstance(shape, Grain)
        mask, padded = _mask(_enlarged(shape, factor), size), Image.new("L", sides)
        turned = mask.rotate(-angle, Image.Resampling.BICUBIC, expand=True)
        padded.paste(turned, ((sides[0] - turned.width) // 2, (sides[1] - turned.height) // 2))
        covered = np.asarray(padded.reduce(4), dtype=float)[..., np.newaxis] / 255
        canvas = canvas * (1 - covered) + covered * np.array([*shape.colour, 255])
    return np.rint(canvas).astype(np.uint8)


SIDES = st.integers(-8, 60)
PIECES = st.lists(
    st.builds(Rectangle, SIDES, SIDES, LENGTHS, LENGTHS, COLOURS, st.sampled_from([0.0, 3.0]))
    | st.builds(Ellipse, SIDES, SIDES, LENGTHS, LENGTHS, COLOURS)
    | st.builds(Line, st.tuples(*[st.tuples(SIDES, SIDES)] * 3), st.floats(1, 8), COLOURS)
    | st.builds(Polygon, st.tuples(*[st.tuples(SIDES, SIDES)] * 3), COLOURS),
    min_size=1,
    max_size=4,
)


@given(
    shapes=PIECES,
    width=st.integers(1, 90),
    height=st.integers(1, 60),
    scale=st.sampled_from([1.0, 0.4, 1.7]),
    angle=st.sampled_from([0.0, 0.0, 90.0, 180.0, -45.0]) | st.floats(-400, 400),
)
def test_only_looking_where_a_shape_is_gives_the_whole_picture(
    shapes: list[Shape], width: int, height: int, scale: float, angle: float
) -> None:
    sprite = Sprite(width, height, tuple(shapes))
    pixels, expected = rasterise(sprite, scale, angle), plainly(sprite, scale, angle)
    assert pixels.shape == expected.shape
    assert np.abs(pixels.astype(int) - expected).max() <= 1


LEAVES = st.builds(Sprite, st.integers(1, 40), st.integers(1, 40), PIECES.map(tuple))
PARTS = st.lists(st.builds(Part, LEAVES, st.integers(-9, 40), st.integers(-9, 40)), max_size=3).map(tuple)
NESTED = st.builds(Sprite, st.integers(1, 60), st.integers(1, 60), PIECES.map(tuple), st.just(0.0), PARTS)


@given(
    sprite=NESTED | st.builds(Sprite, st.integers(1, 60), st.integers(1, 60), st.just(()), st.just(0.0), PARTS),
    nested=st.none() | st.tuples(NESTED, st.integers(-9, 40), st.integers(-9, 40)),
)
def test_parts_are_shapes_within_their_box(sprite: Sprite, nested: tuple[Sprite, int, int] | None) -> None:
    """Of which one by itself cuts its shapes off at its sides: another picture where they reach beyond them."""
    if nested:
        sprite = replace(sprite, parts=(*sprite.parts, Part(*nested)))
    canvas = np.moveaxis(rasterise(replace(sprite, parts=())), -1, 0).astype(float)
    layers = 1
    for part, x, y in sprite.parts:
        # On a paper so wide that no part reaches beyond it.
        paper = np.zeros((4, 120, 120))
        paper[:, 10 + y : 10 + y + part.height, 10 + x : 10 + x + part.width] = np.moveaxis(rasterise(part), -1, 0)
        over = paper[:, 10 : 10 + sprite.height, 10 : 10 + sprite.width]
        canvas = over + canvas * (1 - over[3] / 255)
        layers += 1
    pixels = rasterise(sprite)
    assert not pixels.flags.writeable and pixels.shape == (sprite.height, sprite.width, 4)
    assert np.abs(np.moveaxis(pixels, -1, 0) - canvas).max() <= layers


@pytest.mark.parametrize("scale", [1.0, 1.5])
def test_a_sprite_of_parts_is_that_of_all_their_shapes(scale: float) -> None:
    disc, box = Ellipse(1, 1, 10, 14, INK), Rectangle(2.5, 1, 9, 6, (20, 60, 200), 2.0)
    arm = Sprite(16, 18, (disc, box))
    hand = Sprite(30, 24, (), parts=(Part(arm, 1, 2), Part(arm, 8, 5)))
    whole = Sprite(40, 44, (Rectangle(0, 20, 40, 3, INK),), parts=(Part(hand, 4, 6), Part(arm, 20, 21)))
    flat = flattened(whole)
    assert len(flat.shapes) == 7 and not flat.parts and flattened(flat) is flat
    assert flat.shapes[1] == Ellipse(6, 9, 10, 14, INK) and flat.shapes[6].x == 22.5  # type: ignore[union-attr]
    assert np.abs(rasterise(whole, scale).astype(int) - rasterise(flat, scale)).max() <= 3


def test_equal_sprites_are_equal_in_another_process() -> None:
    sprite = Sprite(9, 9, (Text(4, 4, "a", 6, INK),), parts=(Part(Sprite(4, 4, ()), 1, 1),))
    copied = pickle.loads(pickle.dumps(sprite))
    assert copied == sprite and hash(copied) == hash(sprite) and copied is not sprite
    # Texts have another hash there, so none may travel.
    assert b"_hash" not in pickle.dumps(sprite) and sprite.__reduce__()[1] == (9, 9, sprite.shapes, 0.0, sprite.parts)


def test_a_later_shape_lies_on_top() -> None:
    pixels = rasterise(Sprite(8, 8, (Rectangle(0, 0, 8, 8, INK), Rectangle(2, 2, 4, 4, (1, 2, 3)))))
    assert list(pixels[4, 4]) == [1, 2, 3, 255]
    assert list(pixels[0, 0]) == [*INK, 255]


def test_an_edge_through_a_pixel_covers_a_part_of_it() -> None:
    pixels = rasterise(Sprite(8, 8, (Rectangle(2.5, 2, 4, 4, INK),)))
    assert list(pixels[3, 1:8, 3]) == [0, 128, 255, 255, 255, 128, 0]


def test_a_sprite_without_shapes_is_transparent() -> None:
    assert rasterise(Sprite(5, 7, ())).shape == (7, 5, 4)
    assert not rasterise(Sprite(5, 7, ())).any()


def test_shared_pixels_cannot_be_written_to() -> None:
    with pytest.raises(ValueError, match="read-only"):
        rasterise(Sprite(8, 8, (Rectangle(0, 0, 8, 8, INK),)))[0, 0] = 0


@pytest.mark.parametrize("text", ["1", "7", "8", "15", "99", "a", "g", "10"])
def test_text_is_centred_between_the_sides_and_on_the_height_of_capitals(text: str) -> None:
    pixels = rasterise(Sprite(SIDE, SIDE, (Text(32, 32, text, 36, INK),)))
    rows, columns = np.nonzero(pixels[..., 3] > 100)
    if text.isdigit():
        assert abs((rows.min() + rows.max() + 1) / 2 - 32) <= 1.5
    assert abs((columns.min() + columns.max() + 1) / 2 - 32) <= 3.5
    assert rows.max() - rows.min() > 12


def test_equal_sprites_share_a_place_in_the_atlas() -> None:
    atlas = AtlasBuilder()
    first, other, again = (atlas.add(Sprite(4, 4, (Rectangle(0, 0, side, 4, INK),))) for side in (4, 3, 4))
    assert (first, other, again) == (0, 1, 0)
    assert len(atlas.sprites) == 2


@given(st.floats(-1, 2))
def test_easing_is_smooth_symmetric_and_stays_between_its_ends(progress: float) -> None:
    assert 0.0 <= ease(progress) <= 1.0
    assert ease(progress) + ease(1 - progress) == pytest.approx(1.0)
    assert (ease(0.0), ease(0.5), ease(1.0)) == (0.0, 0.5, 1.0)
    assert ease(0.01) < 0.001
