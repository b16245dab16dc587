"""The jointed figure: hands are drawn where it says, angles are those it promises, and cycles close."""

from collections.abc import Sequence
from math import dist
from random import Random
from typing import Literal

import numpy as np
import pytest
from numpy.typing import NDArray

from generators.figures import SIDES, STEP, Build, Figure, Side, some_build
from generators.props import Props
from generators.rendering.scene import Placement
from generators.rendering.sprites import rasterise
from generators.settings import Resolution
from generators.stage import Stage

RESOLUTIONS = [Resolution(128, 128), Resolution(160, 160), Resolution(512, 512), Resolution(640, 360)]
SKIN = (250, 10, 10)
BUILD = Build(70, shirt=(10, 10, 250), trousers=(10, 250, 10), skin=SKIN, hair=(0, 0, 0), rucksack=(10, 250, 250))


def figure(
    resolution: Resolution = RESOLUTIONS[2], view: Literal["front", "side"] = "front", build: Build = BUILD
) -> Figure:
    return Figure(Props(Stage(resolution)), build, view=view)


def painted(person: Figure, placements: Sequence[Placement]) -> NDArray[np.float64]:
    """(height, width, 4): what is placed, painted in order on a transparent canvas."""
    width, height = person.props.stage.resolution
    margin = height // 2
    canvas = np.zeros((height + 2 * margin, width + 2 * margin, 4))
    for one in placements:
        pixels = rasterise(person.props.atlas.sprites[one.sprite]).astype(np.float64)
        left, top = one.x - pixels.shape[1] / 2, one.y - pixels.shape[0] / 2
        assert (left, top, one.angle, one.scale) == (int(left), int(top), 0, 1), "on whole pixels, and never turned"
        there = canvas[margin + int(top) :, margin + int(left) :][: pixels.shape[0], : pixels.shape[1]]
        there[:] = pixels + there * (1 - pixels[..., 3:] / 255)
    return canvas[margin:-margin, margin:-margin]


def middle_of_skin(person: Figure, placements: Sequence[Placement]) -> tuple[float, float]:
    """The centre of what is more red than any other colour, in units."""
    red, green, blue, _ = np.moveaxis(painted(person, placements), 2, 0)
    down, across = np.nonzero((red > 60) & (green < 0.5 * red) & (blue < 0.5 * red))
    stage = person.props.stage
    width, height = stage.resolution
    side = min(width, height)
    return (
        float((across.mean() + 0.5 - (width - side) / 2) / stage.unit),
        float((down.mean() + 0.5 - (height - side) / 2) / stage.unit),
    )


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("angles", [(0, 0), (60, 150), (210, 96), (306, 306)])
def test_an_arm_looks_the_same_joined_or_apart(side: Side, angles: tuple[int, int]) -> None:
    person = figure()
    joined, apart = (person.arm(side, 50, 90, *angles, is_joined=one) for one in (True, False))
    assert (len(joined), len(apart)) == (1, 2)
    # Rounded once or twice.
    assert np.abs(painted(person, joined) - painted(person, apart)).max() <= 2


@pytest.mark.parametrize("resolution", RESOLUTIONS, ids=str)
@pytest.mark.parametrize("side", SIDES)
def test_the_hand_is_drawn_where_it_is_said_to_be(resolution: Resolution, side: Side) -> None:
    person = figure(resolution)
    for upper, fore in [(0, 0), (90, 90), (180, 180), (270, 270), (40, 160), (315, 200), (123, 77)]:
        where = middle_of_skin(person, person.arm(side, 50, 80, upper, fore))
        assert dist(where, person.hand_at(side, 50, 80, upper, fore)) < 0.5 + 0.5 / person.props.stage.unit


@pytest.mark.parametrize(("angle", "across", "down"), [(0, 0, 1), (90, 1, 0), (180, 0, -1), (270, -1, 0)])
def test_angles_go_from_straight_down_by_way_of_the_right(angle: int, across: int, down: int) -> None:
    person = figure()
    for side in SIDES:
        (x, y), hand = person.shoulder(side, 50, 95), person.hand_at(side, 50, 95, angle, angle)
        length = dist((x, y), hand)
        assert 20 < length < 30
        assert hand == pytest.approx((x + length * across, y + length * down), abs=0.2)
    assert person.shoulder("left", 50, 95)[0] < 50 < person.shoulder("right", 50, 95)[0]


@pytest.mark.parametrize("height", [40, 70, 85])
def test_reach_puts_the_hand_at_what_can_be_reached(height: float) -> None:
    person = figure(build=some_build(Random(1), height))
    for side, elbow in [("left", "natural"), ("right", "natural"), ("left", "out"), ("right", "under")]:
        x, y = person.shoulder(side, 50, 95)  # type: ignore[arg-type]
        for across in np.linspace(-0.34, 0.34, 9) * height:
            for down in np.linspace(-0.34, 0.34, 9) * height:
                if 0.06 * height < np.hypot(across, down) < 0.345 * height:
                    angles = person.reach(side, 50, 95, x + across, y + down, elbow)  # type: ignore[arg-type]
                    assert all(angle % STEP == 0 and 0 <= angle < 360 for angle in angles)
                    assert dist(person.hand_at(side, 50, 95, *angles), (x + across, y + down)) < 2  # type: ignore[arg-type]


def test_the_elbow_is_bent_outwards_from_a_low_hand() -> None:
    person = figure()
    assert 0 < person.reach("right", 50, 95, 54, 55)[0] < 180 < person.reach("left", 50, 95, 46, 55)[0]


def test_a_stretched_arm_takes_no_more_than_sixty_sprites_in_a_whole_turn() -> None:
    person = figure()
    arms = [person.arm("right", 50 + angle / 7, 95, angle, angle) for angle in range(720)]
    assert {len(arm) for arm in arms} == {1}
    assert len({arm[0].sprite for arm in arms}) == len(person.props.atlas.sprites) == 60


def test_a_pose_looks_the_same_wherever_the_figure_stands() -> None:
    person = figure(RESOLUTIONS[0])
    for place in (50.0, 50.3, 61.77):
        placed = person.standing(place, 90) + person.arm("right", place, 90, 100, 160)
        offsets = [(one.sprite, one.x - placed[0].x, one.y - placed[0].y) for one in placed]
        if place == 50.0:
            expected = offsets
        assert offsets == expected


def test_a_walk_closes_and_is_mirrored_for_the_other_way() -> None:
    person = figure(RESOLUTIONS[1])
    assert person.walking(50, 95, 0, 12, "right") == person.walking(50, 95, 12, 12, "right")
    assert len({tuple(person.walking(50, 95, phase, 12, "right")) for phase in range(12)}) == 12
    for phase in range(0, 12, 3):
        right, left = (painted(person, person.walking(50, 95, phase, 12, facing)) for facing in SIDES[::-1])
        assert np.abs(right - left[:, ::-1]).mean() < 1.0
        assert np.abs(right - left).mean() > 2.0
        assert np.flatnonzero(right[..., 3].any(axis=1))[-1] == pytest.approx(95 * 1.6, abs=2), "a foot on the ground"


def test_a_turn_shows_the_side_the_back_and_the_other_side() -> None:
    person = figure(RESOLUTIONS[1])
    views = [painted(person, person.turned(50, 95, turn, 12)) for turn in range(12)]
    for turn in range(12):
        assert np.abs(views[turn] - views[-turn][:, ::-1]).mean() < 1.5, "the mirror of the same turn the other way"
        assert min(np.abs(views[turn] - other).mean() for n, other in enumerate(views) if n != turn) > 1.0
    front, side, back = ((view[..., 3] > 0).any(axis=0).sum() for view in (views[0], views[3], views[6]))
    assert abs(int(front) - int(back)) <= 4 and side < 0.8 * front
    rucksack, skin = (
        [np.all(np.abs(view[..., :3] - colour) < 3, axis=2).sum() for view in views]
        for colour in ((10, 250, 250), SKIN)
    )
    assert rucksack[0] < 0.1 * rucksack[6]
    assert skin[6] < 0.4 * skin[0]
    assert person.turned(50, 95, 12, 12) == person.turned(50, 95, 0, 12)


def test_people_differ() -> None:
    builds = {some_build(Random(seed), 70) for seed in range(60)}
    assert len(builds) > 50 and len({build.skin for build in builds}) == 5
    assert all(build.rucksack is None for build in builds)
    assert some_build(Random(1), 70, shirt="green", rucksack=True).rucksack is not None
