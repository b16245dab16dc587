"""Number on the screen: what is hidden cannot be seen, what is asked about can."""

from itertools import combinations, pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from generators.family import family
from generators.item import Plan
from generators.rendering.scene import Placement, Scene, Text
from generators.rendering.video import render
from tests.generators.sliding_tiles import Board, Video, empty_cell, slide_all

NUMBER = family("number")
TRAY = (74, 68, 62)


def scene_of(plan: Plan, **chosen: Any) -> Scene:
    quick = {"resolution": 160, "fps": 6, "seconds_per_op": 1.0, "reveal_seconds": 0.5}
    return NUMBER.scene(plan, NUMBER.settings.model_validate(quick | chosen))


def labels(scene: Scene) -> dict[str, Placement]:
    """Where the letters and numbers beside the board stand in the first frame."""
    found = {}
    for placement in scene.placements(0):
        shapes = scene.sprites[placement.sprite].shapes
        if len(shapes) == 1 and isinstance(shapes[0], Text):
            found[shapes[0].text] = placement
    return found


def centres(scene: Scene, size: int) -> list[list[tuple[int, int]]]:
    """(x, y) of each cell's centre, by the labels: rows by their letters, columns by their numbers."""
    places = labels(scene)
    return [
        [(int(places[str(column + 1)].x), int(places["abcdefghij"[row]].y)) for column in range(size)]
        for row in range(size)
    ]


def crops(scene: Scene, frame: int, size: int) -> list[list[NDArray[np.uint8]]]:
    """The inner part of each cell of a frame."""
    [picture] = render(scene, [frame])
    places = centres(scene, size)
    half = round((places[0][1][0] - places[0][0][0]) * 0.4)
    return [[picture[y - half : y + half, x - half : x + half] for x, y in row] for row in places]


def hole(scene: Scene, frame: int, size: int) -> tuple[int, int]:
    """The one cell that shows nothing but the tray."""
    found = [
        (row, column)
        for row, line in enumerate(crops(scene, frame, size))
        for column, crop in enumerate(line)
        if (crop == TRAY).all()
    ]
    assert len(found) == 1, found
    return found[0]


@st.composite
def pairs(draw: st.DrawFn) -> tuple[Plan, Plan]:
    """Two plans with the same operations and the blank in the same place, but other numbers."""
    size = draw(st.integers(2, 4))
    numbers = draw(st.permutations(range(size * size)))
    board = [list(numbers[row * size : (row + 1) * size]) for row in range(size)]
    operations: list[str] = []
    for _ in range(draw(st.integers(1, 4))):
        legal = [way for way in ("left", "right", "up", "down") if slide_all(board, [*operations, way]) is not None]
        operations.append(draw(st.sampled_from(legal)))
    tiles = [number for number in numbers if number]
    renamed = dict(zip(tiles, draw(st.permutations(tiles).filter(lambda other: list(other) != tiles)), strict=True))
    other = [[renamed.get(number, 0) for number in row] for row in board]
    plan = {"start": board, "operations": operations, "reveal": draw(st.sampled_from(["start", "end"]))}
    return plan, plan | {"start": other}


@settings(max_examples=25)
@given(pairs())
def test_the_numbers_are_seen_in_the_reveal_and_nowhere_else(plans: tuple[Plan, Plan]) -> None:
    """Frames outside the reveal are equal pixel by pixel whatever the numbers; frames within it are not."""
    first, second = (scene_of(plan) for plan in plans)
    assert first.frames == second.frames and first.spans == second.spans
    start, end = first.spans[0][0], first.spans[-1][1]
    shown = range(start) if plans[0]["reveal"] == "start" else range(end, first.frames)
    assert len(shown) == 3
    ours, theirs = render(first, range(first.frames)), render(second, range(first.frames))
    for frame in range(first.frames):
        assert np.array_equal(ours[frame], theirs[frame]) == (frame not in shown), frame


@settings(max_examples=15)
@given(pairs())
def test_twins_show_the_same_operations(plans: tuple[Plan, Plan]) -> None:
    """The frames of the operations are equal in start- and end-reveal of a plan."""
    plan = plans[0]
    starts = scene_of(plan | {"reveal": "start"}, reveal_seconds=2.0)
    ends = scene_of(plan | {"reveal": "end"}, reveal_seconds=2.0)
    middle, other = (render(scene, range(scene.spans[0][0], scene.spans[-1][1])) for scene in (starts, ends))
    assert np.array_equal(middle, other)
    assert not np.array_equal(render(starts, [0]), render(ends, [0]))
    assert not np.array_equal(render(starts, [starts.frames - 1]), render(ends, [ends.frames - 1]))


@settings(max_examples=15)
@given(pairs())
def test_hidden_tiles_are_all_alike_and_the_hole_is_where_the_state_has_it(plans: tuple[Plan, Plan]) -> None:
    plan = plans[0]
    size, scene = len(plan["start"]), scene_of(plan)
    boards: list[Board] = [slide_all(plan["start"], plan["operations"][:n]) or [] for n in range(len(scene.spans) + 1)]
    moments = [*(first for first, _ in scene.spans), scene.spans[-1][1] - 1]
    for board, frame in zip(boards, moments, strict=True):
        assert hole(scene, frame, size) == empty_cell(board)
        backs = {
            crop.tobytes()
            for row, line in enumerate(crops(scene, frame, size))
            for column, crop in enumerate(line)
            if (row, column) != empty_cell(board)
        }
        assert len(backs) == 1
    for frame in (0, scene.frames - 1):
        assert hole(scene, frame, size) == empty_cell(boards[0 if frame == 0 else -1])


@pytest.mark.parametrize("way", ["left", "right", "up", "down"])
def test_the_tile_slides_from_its_cell_into_the_hole(way: str) -> None:
    """It moves the way the operation is named after, never back, slowly at both ends, and rests before and after."""
    plan = {"start": [[1, 2, 3], [4, 0, 5], [6, 7, 8]], "operations": [way], "reveal": "start"}
    scene = scene_of(plan, fps=30)
    [((start_row, start_column), (end_row, end_column))] = Video.of(plan).travels
    places = centres(scene, 3)
    (start_x, start_y), (end_x, end_y) = places[start_row][start_column], places[end_row][end_column]
    step = abs(end_x - start_x) + abs(end_y - start_y)
    first, end = scene.spans[0]
    travelled = []
    for frame in range(first, end):
        tile = scene.placements(frame)[-1]
        if (tile.x, tile.y) in [(float(x), float(y)) for row in places for x, y in row]:
            travelled.append(0.0 if hole(scene, frame, 3) == (1, 1) else 1.0)
        else:
            travelled.append(
                ((tile.x - start_x) * (end_x - start_x) + (tile.y - start_y) * (end_y - start_y)) / step**2
            )
    assert travelled == sorted(travelled)
    assert travelled[:5] == [0.0] * 5 and travelled[-5:] == [1.0] * 5
    moving = [where for where in travelled if 0 < where < 1]
    assert len(moving) >= 15
    assert moving[0] < 0.05 and moving[-1] > 0.95
    assert abs(moving[len(moving) // 2] - 0.5) < 0.1


@pytest.mark.parametrize(("size", "resolution"), [(2, "128"), (4, "224"), (6, "640x360"), (10, "360x640"), (10, "176")])
def test_rows_are_lettered_and_columns_numbered_beside_the_board(size: int, resolution: str) -> None:
    numbers = list(range(size * size))
    plan = {"start": [numbers[n * size : (n + 1) * size] for n in range(size)], "operations": [], "reveal": "start"}
    scene = scene_of(plan | {"operations": ["left"]}, resolution=resolution)
    places = labels(scene)
    assert set(places) == {*"abcdefghij"[:size], *map(str, range(1, size + 1))}
    rows, columns = [places[letter] for letter in "abcdefghij"[:size]], [places[str(n + 1)] for n in range(size)]
    assert [place.y for place in rows] == sorted(place.y for place in rows)
    assert [place.x for place in columns] == sorted(place.x for place in columns)
    assert len({place.x for place in rows}) == len({place.y for place in columns}) == 1
    assert rows[0].x < columns[0].x and columns[0].y < rows[0].y
    for placement in scene.placements(0):
        sprite = scene.sprites[placement.sprite]
        # A label's sprite has a margin of its own.
        reach = sprite.shapes[0].size / 2 if isinstance(sprite.shapes[0], Text) else sprite.width / 2
        assert reach <= placement.x <= scene.width - reach
        assert reach <= placement.y <= scene.height - reach
    assert hole(scene, 0, size) == (0, 0)
    # The number of each cell stands in that cell: row by row from the top.
    faces = {
        (int(place.x), int(place.y)): scene.sprites[place.sprite].shapes[-1]
        for place in scene.placements(0)
        if len(scene.sprites[place.sprite].shapes) == 4
    }
    for row, line in enumerate(centres(scene, size)):
        for column, (x, y) in enumerate(line):
            if row or column:
                near = [shape for (at_x, at_y), shape in faces.items() if (at_x, at_y) == (x, y)]
                assert [shape.text for shape in near if isinstance(shape, Text)] == [str(row * size + column)]


def test_digits_can_be_read_at_224_pixels() -> None:
    """On a 4×4 board digits are at least 12 pixels high and no two numbers look alike.

    Measured: 19 pixels; the two numbers that are most alike differ by 7 of 255 on average over the tile.
    """
    plan = {"start": [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12], [13, 14, 15, 0]], "operations": ["right"]}
    scene = scene_of(plan | {"reveal": "start"}, resolution=224)
    faces = [crop.astype(float) for line in crops(scene, 0, 4) for crop in line][:15]
    for number, face in enumerate(faces, 1):
        ink = np.abs(face - (42, 34, 28)).max(axis=-1) < 60
        rows, columns = np.nonzero(ink)
        assert rows.max() - rows.min() + 1 >= 12, number
        assert columns.max() - columns.min() + 1 >= (12 if number > 9 else 5), number
        assert 0.03 < ink.mean() < 0.5, number
    alike = {pair: np.abs(faces[pair[0]] - faces[pair[1]]).mean() for pair in combinations(range(15), 2)}
    assert min(alike.values()) > 5.0, min(alike, key=lambda pair: alike[pair])


def test_the_reveal_lasts_two_seconds_unless_asked_otherwise() -> None:
    chosen = NUMBER.settings.model_validate({"fps": 10})
    plan = {"start": [[1, 2], [3, 0]], "operations": ["right", "down"]}
    starts, ends = (NUMBER.scene(plan | {"reveal": reveal}, chosen) for reveal in ("start", "end"))
    assert starts.spans[0][0] == 20
    assert ends.frames - ends.spans[-1][1] == 20
    assert starts.spans[1] == (35, 50) and starts.frames == 60


@given(
    count=st.integers(1, 40),
    fps=st.integers(5, 60),
    seconds=st.floats(0.5, 3),
    reveal=st.sampled_from(["start", "end"]),
)
def test_spans_follow_each_other_and_last_as_long_as_asked(count: int, fps: int, seconds: float, reveal: str) -> None:
    ways = (["right", "down", "left", "up"] * 10)[:count]
    plan = {"start": [[1, 2], [3, 0]], "operations": ways, "reveal": reveal}
    scene = scene_of(plan, fps=fps, seconds_per_op=seconds)
    assert len(scene.spans) == count
    assert all(before[1] == after[0] for before, after in pairwise(scene.spans))
    assert scene.spans[0][0] > 0 and scene.spans[-1][1] < scene.frames
    assert all(abs(end - first - seconds * fps) <= 1 for first, end in scene.spans)
    assert abs(scene.spans[-1][1] - scene.spans[0][0] - count * seconds * fps) <= 1
