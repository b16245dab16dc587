"""The painter: repainting what changed gives what painting afresh gives, and Y'CbCr shows what RGB shows."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from generators.rendering import cpu
from generators.rendering.cpu import Box, Painter
from generators.rendering.scene import Colour, Ellipse, Line, Placement, Polygon, Rectangle, Scene, Sprite, Text
from tests.generators.rendering.bt709 import is_flat, luma_and_chroma

COLOURS = st.tuples(*[st.integers(0, 255)] * 3)


def square(side: int, colour: Colour) -> Sprite:
    return Sprite(side, side, (Rectangle(0, 0, side, side, colour),))


SPRITES = (
    square(9, (200, 30, 30)),
    Sprite(24, 15, (Rectangle(0, 0, 24, 15, (20, 90, 160), 4.0), Rectangle(5.5, 3.25, 9, 7, (240, 240, 90)))),
    Sprite(17, 31, (Ellipse(1, 1, 15, 29, (30, 160, 60)),)),
    Sprite(40, 40, (Rectangle(0, 0, 40, 40, (255, 255, 255)), Text(20, 20, "8", 30, (0, 0, 0)))),
    Sprite(21, 20, (Polygon(((0, 0), (21, 4), (9, 20)), (120, 0, 200)),)),
    Sprite(33, 3, (Line(((2, 1), (31, 1)), 2.0, (10, 10, 10)),)),
    Sprite(1, 1, (Rectangle(0, 0, 1, 1, (0, 255, 255)),)),
    Sprite(12, 12, ()),
)
PLACEMENTS = st.builds(
    Placement,
    sprite=st.integers(0, len(SPRITES) - 1),
    x=st.floats(-30, 110) | st.integers(-30, 110).map(float),
    y=st.floats(-30, 90) | st.integers(-30, 90).map(float),
    angle=st.sampled_from([0.0, 0.0, 0.0, 90.0, -30.0, 211.5]),
    scale=st.sampled_from([1.0, 1.0, 1.0, 0.4, 1.7, 2.0]),
    opacity=st.sampled_from([1.0, 1.0, 0.5, 0.02, 0.0]),
    depth=st.integers(-1, 2),
)


@st.composite
def scenes(draw: st.DrawFn, even: bool) -> Scene:
    """A few frames, each made from the one before it by leaving out, moving, adding and reordering sprites."""
    width, height = draw(st.sampled_from([(80, 64), (76, 60)] if even else [(80, 64), (77, 51), (1, 1)]))
    listed = draw(st.lists(PLACEMENTS, max_size=6))
    lists: list[list[Placement]] = [listed]
    for _ in range(draw(st.integers(1, 4))):
        following = list(listed)
        change = draw(st.sampled_from(["same", "equal", "move", "one out", "one more", "reorder", "anew"]))
        place = draw(st.integers(0, max(0, len(listed) - 1)))
        if change == "same":
            following = listed
        elif change == "move" and listed:
            following[place] = listed[place]._replace(x=listed[place].x + draw(st.floats(-9, 9)))
        elif change == "one out" and listed:
            del following[place]
        elif change == "one more":
            following.insert(place, draw(PLACEMENTS))
        elif change == "reorder":
            following = draw(st.permutations(listed))
        elif change == "anew":
            following = draw(st.lists(PLACEMENTS, max_size=6))
        listed = following
        lists.append(listed)
    return scene_of(lists, width, height, draw(COLOURS))


def scene_of(
    lists: Sequence[Sequence[Placement]],
    width: int,
    height: int,
    background: Colour = (90, 80, 70),
    sprites: tuple[Sprite, ...] = SPRITES,
) -> Scene:
    return Scene(
        width=width,
        height=height,
        fps=8,
        frames=len(lists),
        background=background,
        sprites=sprites,
        placements=lambda frame: lists[frame],
        spans=(),
    )


Planes = tuple[NDArray[np.uint8], ...]


def blank(scene: Scene, planar: bool) -> Planes:
    """Planes full of rubbish: a painter must paint every pixel."""
    height, width = scene.height, scene.width
    shapes = [(height, width), (2, height // 2, width // 2)] if planar else [(height, width, 3)]
    return tuple(np.full(shape, 77, dtype=np.uint8) for shape in shapes)


def painted(scene: Scene, frame: int, planar: bool) -> Planes:
    """One frame painted afresh."""
    planes = blank(scene, planar)
    Painter(scene, planes).paint(frame)
    return planes


def assert_frames_are_those_painted_afresh(scene: Scene, order: Sequence[int], planar: bool) -> None:
    planes = blank(scene, planar)
    painter = Painter(scene, planes)
    for position, frame in enumerate(order):
        painter.paint(frame)
        for mine, afresh in zip(planes, painted(scene, frame, planar), strict=True):
            assert np.array_equal(mine, afresh), f"frame {frame}, painted as number {position}"


@settings(max_examples=120)
@given(scene=scenes(even=False), data=st.data())
def test_repainting_what_changed_gives_the_whole_frame_in_rgb(scene: Scene, data: st.DataObject) -> None:
    order = data.draw(st.lists(st.integers(0, scene.frames - 1), max_size=4))
    assert_frames_are_those_painted_afresh(scene, [*range(scene.frames), *order], planar=False)


@settings(max_examples=120)
@given(scene=scenes(even=True), data=st.data())
def test_repainting_what_changed_gives_the_whole_frame_in_yuv(scene: Scene, data: st.DataObject) -> None:
    order = data.draw(st.lists(st.integers(0, scene.frames - 1), max_size=4))
    assert_frames_are_those_painted_afresh(scene, [*range(scene.frames), *order], planar=True)


@pytest.mark.parametrize("planar", [False, True])
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(scene=scenes(even=True), worth=st.sampled_from([-200, 0, 300]))
def test_repainting_many_boxes_apart_gives_the_whole_frame(
    monkeypatch: pytest.MonkeyPatch, planar: bool, scene: Scene, worth: int
) -> None:
    """On a canvas as small as these one box would do for all that changed."""
    monkeypatch.setattr(cpu, "REPAINT", worth)
    assert_frames_are_those_painted_afresh(scene, [*range(scene.frames), 0], planar)


BOXES = st.builds(
    lambda left, top, width, height: Box(left, top, left + width, top + height),
    *[st.integers(-50, 500)] * 2,
    *[st.integers(1, 200)] * 2,
)


@given(boxes=st.lists(BOXES, max_size=12))
def test_merged_boxes_hold_all_boxes_at_no_greater_cost(boxes: list[Box]) -> None:
    merged = cpu._merged(boxes)
    assert all(any(one.contains(box) for one in merged) for box in boxes)
    assert len(merged) <= len(boxes)

    def cost(listed: list[Box]) -> int:
        return sum(box.area + cpu.REPAINT for box in listed)

    assert cost(merged) <= cost(boxes)


@given(opaque=st.integers(1, 14).flatmap(lambda side: st.lists(st.booleans(), min_size=side, max_size=12 * side)))
def test_the_solid_box_has_the_narrowest_margin_that_is_opaque_within(opaque: list[bool]) -> None:
    width = max(1, int(len(opaque) ** 0.5))
    alpha = np.array(opaque[: len(opaque) // width * width], dtype=np.uint8).reshape(-1, width) * np.uint8(255)
    height, possible = alpha.shape[0], min(alpha.shape) // 2
    within = [
        Box(margin, margin, width - margin, height - margin)
        for margin in range(possible)
        if (alpha[margin : height - margin, margin : width - margin] == 255).all()
    ]
    assert cpu._solid_box(alpha) == (within[0] if within and alpha[height // 2, width // 2] else Box(0, 0, 0, 0))


@settings(max_examples=80)
@given(scene=scenes(even=True))
def test_yuv_shows_what_rgb_shows(scene: Scene) -> None:
    """Luma everywhere to the rounding of each blend; chroma where the picture is flat.

    Where edges cross within one chroma sample, blending averages is not averaging blends.
    """
    for frame in range(scene.frames):
        [picture] = painted(scene, frame, planar=False)
        luma, chroma = painted(scene, frame, planar=True)
        expected_luma, expected_chroma = luma_and_chroma(picture)
        layers = 1 + len(scene.placements(frame))
        assert np.abs(luma - expected_luma).max() <= 1.0 + 0.75 * layers
        flat = is_flat(picture, reach=2)[::2, ::2]
        assert np.abs(chroma - expected_chroma)[:, flat].max(initial=0.0) <= 1.0 + 0.75 * layers
        assert np.abs(chroma - expected_chroma).mean() <= 2.0 + 0.75 * layers


@settings(max_examples=150)
@given(placement=PLACEMENTS, background=COLOURS)
def test_one_sprite_alone_has_the_right_chroma_at_its_edges_too(placement: Placement, background: Colour) -> None:
    scene = scene_of([[placement]], 80, 64, background)
    [picture] = painted(scene, 0, planar=False)
    luma, chroma = painted(scene, 0, planar=True)
    expected_luma, expected_chroma = luma_and_chroma(picture)
    assert np.abs(luma - expected_luma).max() <= 1.75
    assert np.abs(chroma - expected_chroma).max() <= 1.75


@given(scene=scenes(even=False))
def test_sprites_that_are_blended_one_by_one_give_the_picture(scene: Scene) -> None:
    """Against a compositor in floats that knows no stamps, boxes or shortcuts."""
    from generators.rendering.sprites import rasterise

    for frame in range(scene.frames):
        expected = np.empty((scene.height + 400, scene.width + 400, 3))
        expected[:] = scene.background
        for placement in sorted(scene.placements(frame), key=lambda one: one.depth):
            pixels = rasterise(scene.sprites[placement.sprite], placement.scale, placement.angle).astype(float)
            pixels *= round(placement.opacity * 255) / 255
            height, width = pixels.shape[:2]
            top = int(np.floor(placement.y - height / 2 + 0.5)) + 200
            left = int(np.floor(placement.x - width / 2 + 0.5)) + 200
            under = expected[top : top + height, left : left + width]
            under[:] = under * (1 - pixels[..., 3:] / 255) + pixels[..., :3]
        seen = expected[200 : 200 + scene.height, 200 : 200 + scene.width]
        [picture] = painted(scene, frame, planar=False)
        assert np.abs(picture - seen).max() <= 1.0 + 0.75 * len(scene.placements(frame))


@pytest.mark.parametrize("planar", [False, True])
@pytest.mark.parametrize(("x", "y"), [(-40.0, 20.0), (140.0, 20.0), (20.0, -40.0), (20.0, 140.0)])
def test_what_is_off_the_canvas_changes_nothing(planar: bool, x: float, y: float) -> None:
    scene = scene_of([[Placement(3, x, y)], []], 80, 64)
    for mine, empty in zip(painted(scene, 0, planar), painted(scene, 1, planar), strict=True):
        assert np.array_equal(mine, empty)


def test_deeper_sprites_are_painted_later_and_equal_depths_in_order() -> None:
    red, green = square(8, (255, 0, 0)), square(8, (0, 255, 0))

    def centre(*placements: Placement) -> list[int]:
        [picture] = painted(scene_of([placements], 32, 32, sprites=(red, green)), 0, planar=False)
        return list(picture[16, 16])

    assert centre(Placement(0, 16, 16), Placement(1, 16, 16)) == [0, 255, 0]
    assert centre(Placement(1, 16, 16), Placement(0, 16, 16)) == [255, 0, 0]
    assert centre(Placement(0, 16, 16, depth=1), Placement(1, 16, 16)) == [255, 0, 0]


def test_a_sprite_stands_where_it_is_placed() -> None:
    """A square of 4 pixels centred on (10, 20) covers columns 8 to 11 and rows 18 to 21; nothing is mirrored."""
    corner = Sprite(4, 4, (Rectangle(0, 0, 4, 4, (9, 9, 9)), Rectangle(0, 0, 1, 1, (250, 0, 0))))
    [picture] = painted(scene_of([[Placement(0, 10, 20)]], 40, 32, sprites=(corner,)), 0, planar=False)
    rows, columns = np.nonzero((picture != (90, 80, 70)).any(axis=-1))
    assert (rows.min(), rows.max(), columns.min(), columns.max()) == (18, 21, 8, 11)
    assert list(picture[18, 8]) == [250, 0, 0]


def test_angles_turn_clockwise() -> None:
    corner = Sprite(9, 9, (Rectangle(0, 0, 9, 9, (9, 9, 9)), Rectangle(0, 0, 4, 4, (250, 0, 0))))
    [picture] = painted(scene_of([[Placement(0, 16, 16, angle=90.0)]], 32, 32, sprites=(corner,)), 0, planar=False)
    red_rows, red_columns = np.nonzero(picture[..., 0] > 200)
    assert red_rows.mean() < 16 < red_columns.mean()


@pytest.mark.parametrize("opacity", [0.0, 0.25, 0.5, 1.0])
def test_opacity_mixes_with_what_lies_below(opacity: float) -> None:
    [picture] = painted(
        scene_of([[Placement(0, 16, 16, opacity=opacity)]], 32, 32, (0, 100, 200), (square(8, (200, 100, 0)),)),
        0,
        planar=False,
    )
    expected = np.array([200, 100, 0]) * opacity + np.array([0, 100, 200]) * (1 - opacity)
    assert np.abs(picture[16, 16] - expected).max() <= 1.0


@pytest.mark.parametrize("planar", [True, False])
def test_one_thing_over_a_crowd_that_stands_still(planar: bool) -> None:
    """The crowd is copied from planes of its own, also after it has changed and changed back."""
    crowd = [Placement(number % 5, 20.0 + 7 * number, 18.0 + 5 * (number % 3), opacity=0.7) for number in range(6)]
    changed = [*crowd[:2], *crowd[3:]]
    lists = [[*(changed if 8 <= step < 12 else crowd), Placement(1, 10.0 + 3 * step, 20.0)] for step in range(20)]
    scene = Scene(
        width=80,
        height=64,
        fps=8,
        frames=len(lists),
        background=(90, 90, 90),
        sprites=SPRITES,
        placements=lists.__getitem__,
        spans=(),
    )
    shapes = [(64, 80), (2, 32, 40)] if planar else [(64, 80, 3)]
    planes = [np.zeros(shape, dtype=np.uint8) for shape in shapes]
    painter = Painter(scene, planes)
    for index in range(len(lists)):
        painter.paint(index)
        afresh = [np.zeros(shape, dtype=np.uint8) for shape in shapes]
        Painter(scene, afresh).paint(index)
        assert all((ours == theirs).all() for ours, theirs in zip(planes, afresh, strict=True))
    assert painter._below is not None, "the crowd was large enough"
