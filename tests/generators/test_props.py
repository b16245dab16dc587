"""Props: several pictures joined to one look as they do one by one."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from generators.props import Props
from generators.rendering.scene import Ellipse, Line, Placement, Polygon, Scene
from generators.rendering.video import render
from generators.settings import Resolution
from generators.stage import Stage

OFFSETS = st.floats(-12, 12)
PARTS = st.lists(st.tuples(st.integers(0, 3), OFFSETS, OFFSETS), min_size=1, max_size=5)


@settings(max_examples=60)
@given(parts=PARTS, x=st.floats(30, 70), y=st.floats(30, 70), side=st.sampled_from([96, 128, 200, 512]))
def test_joined_parts_look_as_they_do_one_by_one(
    parts: list[tuple[int, float, float]], x: float, y: float, side: int
) -> None:
    props = Props(Stage(Resolution(side, side)))
    pictures = [
        props.box(9, 4, (200, 40, 60), 1.5),
        props.disc(7, 7, (30, 90, 200)),
        # Away from the edge, where a picture by itself cuts its shapes off.
        props.picture(8, 5, Polygon(((1, 1), (7, 2), (3, 4)), (20, 160, 60))),
        props.picture(6, 6, Line(((1, 1), (5, 5)), 1.2, (10, 10, 10)), Ellipse(3, 0, 3, 3, (250, 220, 40))),
    ]
    apart = [props.put(pictures[picture], x, y, dx, dy) for picture, dx, dy in parts]
    joined, *off = props.joined(*((pictures[picture], dx, dy) for picture, dx, dy in parts))
    lists: list[list[Placement]] = [apart, [props.put(joined, x, y, *off)]]
    scene = Scene(
        width=side,
        height=side,
        fps=8,
        frames=2,
        background=(230, 230, 220),
        sprites=props.atlas.sprites,
        placements=lists.__getitem__,
        spans=(),
    )
    one_by_one, together = render(scene, [0, 1]).astype(int)
    # Each layer is rounded by itself, or all of them at once.
    assert np.abs(one_by_one - together).max() <= len(parts)
