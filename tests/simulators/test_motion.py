"""Motion against its closed forms, against small steps of its differential equations, and by its laws."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import cos, gcd, hypot, pi

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from simulators.motion import (
    Bounce,
    ConstantAcceleration,
    ConstantSpeed,
    Contact,
    Disc,
    FrictionSlide,
    Number,
    Path,
    Piece,
    Rest,
    SpringOscillation,
    SpringPress,
    Throw,
    Vector,
    collisions,
    coprime_steps,
    positions,
    self_inverse_step,
    smooth,
    there_and_back,
    turns,
)

F = Fraction
POSITIVE = st.fractions(F(1, 10), 10, max_denominator=20)
ANY = st.fractions(-10, 10, max_denominator=20)
UNIT = st.fractions(0, 1, max_denominator=500)
SHARE = st.fractions(F(1, 10), 1, max_denominator=10)
SIGNED = ANY.filter(bool)


def pieces(start: Fraction) -> st.SearchStrategy[Piece]:
    """Any piece that begins at `start`."""
    at = st.just(start)
    return st.one_of(
        st.builds(Rest, POSITIVE, at),
        st.builds(ConstantSpeed, POSITIVE, ANY, at),
        st.builds(ConstantAcceleration, POSITIVE, ANY, ANY, at),
        st.builds(FrictionSlide, SIGNED, POSITIVE, at),
        st.builds(SpringPress, POSITIVE, ANY, POSITIVE, at),
        st.builds(Throw, POSITIVE, POSITIVE, POSITIVE, at),
        st.builds(Bounce, POSITIVE, POSITIVE, SHARE, st.integers(0, 4), st.just(False), at),
        st.builds(
            lambda duration, amplitude, period: SpringOscillation(duration, amplitude, period, start - amplitude),
            POSITIVE,
            ANY,
            POSITIVE,
        ),
    )


@st.composite
def paths(draw: st.DrawFn) -> Path:
    chosen: list[Piece] = []
    place = draw(ANY)
    for _ in range(draw(st.integers(1, 5))):
        chosen.append(draw(pieces(place)))
        place = chosen[-1].position(chosen[-1].duration)
    return Path(tuple(chosen))


def integrate(
    position: float,
    velocity: float,
    duration: float,
    force: Callable[[float, float, float], float],
    steps: int = 20_000,
) -> tuple[float, float]:
    """Where small steps of x'' = force(t, x, x') lead, by the midpoint rule."""
    step = duration / steps
    for index in range(steps):
        time = index * step
        middle = position + velocity * step / 2
        speed = velocity + force(time, position, velocity) * step / 2
        position, velocity = position + speed * step, velocity + force(time + step / 2, middle, speed) * step
    return position, velocity


@dataclass(frozen=True)
class Equation:
    piece: Piece
    force: Callable[[float, float, float], float]


@pytest.mark.parametrize(
    "equation",
    [
        Equation(Rest(2, 5), lambda _t, _x, _v: 0),
        Equation(ConstantSpeed(3, F(7, 2), -1), lambda _t, _x, _v: 0),
        Equation(ConstantAcceleration(3, 2, F(-5, 3), 4), lambda _t, _x, _v: -5 / 3),
        Equation(FrictionSlide(-6, F(3, 2), 1), lambda _t, _x, v: -1.5 * (v > 0) + 1.5 * (v < 0)),
        Equation(SpringPress(2, 6, 3, 1), lambda t, _x, _v: 2 * (6 - 12 * t / 2) / 2**2),
        Equation(SpringOscillation(5, 3, F(7, 3), 1), lambda _t, x, _v: -((2 * pi * 3 / 7) ** 2) * (x - 1)),
        Equation(Throw(8, 2, 3, 1), lambda _t, _x, _v: -3),
    ],
    ids=lambda equation: type(equation.piece).__name__,
)
def test_small_steps_lead_to_the_same_place(equation: Equation) -> None:
    piece = equation.piece
    for share in (F(1, 3), F(9, 10), F(1)):
        t = piece.duration * share
        expected = integrate(float(piece.position(0)), float(piece.velocity(0)), float(t), equation.force)
        assert (float(piece.position(t)), float(piece.velocity(t))) == pytest.approx(expected, abs=2e-3)


def test_closed_forms() -> None:
    assert ConstantSpeed(4, F(1, 3), 2).position(3) == 3
    assert ConstantAcceleration(4, 1, 2, 5).position(3) == 5 + 3 + 9
    assert ConstantAcceleration(4, 1, 2, 5).velocity(3) == 7
    press = SpringPress(4, 6, 5)
    assert [press.position(t) for t in (0, 2, 4)] == [0, F(3, 5), F(6, 5)]
    assert press.velocity(0) == press.velocity(4) == 0
    throw = Throw(impulse=12, mass=2, gravity=4)
    assert throw.duration == 3
    assert [throw.position(t) for t in (0, F(3, 2), 3)] == [0, F(36, 8), 0]
    assert [throw.velocity(t) for t in (0, F(3, 2), 3)] == [6, 0, -6]


@given(SIGNED, POSITIVE, POSITIVE, POSITIVE, ANY)
def test_a_slide_goes_as_far_as_its_energy_lasts(
    impulse: Fraction, mass: Fraction, friction: Fraction, gravity: Fraction, start: Fraction
) -> None:
    slide = FrictionSlide.from_impulse(impulse, mass, friction, gravity, start)
    speed = impulse / mass
    assert slide.duration == abs(speed) / (friction * gravity)
    way = slide.position(slide.duration) - start
    assert friction * mass * gravity * abs(way) == mass * speed**2 / 2
    assert way * impulse > 0
    assert slide.velocity(slide.duration) == 0
    assert FrictionSlide.from_distance(way, slide.duration, start) == slide


def test_on_one_floor_four_times_as_far_takes_twice_as_long() -> None:
    near, far = FrictionSlide.from_distance(3, 2), FrictionSlide.from_distance(12, 4)
    assert near.deceleration == far.deceleration
    assert far.speed == 2 * near.speed


@given(POSITIVE, SIGNED, POSITIVE, ANY, UNIT)
def test_an_oscillation_repeats_and_mirrors_exactly(
    cycles: Fraction, amplitude: Fraction, period: Fraction, centre: Fraction, share: Fraction
) -> None:
    spring = SpringOscillation((cycles + 2) * period, amplitude, period, centre)
    t = share * cycles * period
    assert spring.position(t) == spring.position(t + period)
    assert spring.velocity(t) == spring.velocity(t + period)
    assert spring.position(t) - centre == centre - spring.position(t + period / 2)
    assert spring.position(share * period) == spring.position((1 - share) * period)
    expected = centre + float(amplitude) * cos(2 * pi * float(t / period))
    assert float(spring.position(t)) == pytest.approx(expected, abs=1e-8)
    assert [spring.position(period * F(k, 4)) - centre for k in range(4)] == [amplitude, 0, -amplitude, 0]
    energy = spring.velocity(t) ** 2 + (F(2 * pi) / period * (spring.position(t) - centre)) ** 2
    assert float(energy) == pytest.approx(float((F(2 * pi) / period * amplitude) ** 2))


def test_bounces_against_a_ball_that_falls_in_small_steps() -> None:
    bounce = Bounce(arc=2, gravity=8, restitution=F(1, 2), bounces=3, dropped=True, start=5)
    assert list(bounce.contacts) == [1, 2, F(5, 2), F(11, 4)]
    assert bounce.duration == F(11, 4)
    assert [bounce.position(t) - 5 for t in (0, 1, F(3, 2), 2, F(9, 4))] == [4, 0, 1, 0, F(1, 4)]
    height, velocity, step = 4.0, 0.0, F(1, 20_000)
    for index in range(int(bounce.duration / step)):
        if index % 500 == 0:
            assert float(bounce.position(index * step)) - 5 == pytest.approx(height, abs=5e-3)
        velocity -= 8 * float(step)
        height += velocity * float(step)
        if height < 0 and velocity < 0:
            height, velocity = -height / 2, -velocity / 2


@given(POSITIVE, POSITIVE, SHARE, st.integers(0, 5), st.booleans())
def test_each_bounce_keeps_its_share_of_the_speed(
    arc: Fraction, gravity: Fraction, restitution: Fraction, bounces: int, dropped: bool
) -> None:
    ball = Bounce(arc, gravity, restitution, bounces, dropped)
    assert len(ball.contacts) == len(ball.lengths) == bounces + 1
    assert ball.position(0) == (gravity * arc**2 / 8 if dropped else 0)
    assert ball.velocity(0) == (0 if dropped else gravity * arc / 2)
    for index, (contact, length) in enumerate(zip(ball.contacts, ball.lengths, strict=True)):
        falling = -gravity * length / 2
        assert ball.position(contact) == 0
        assert ball.position(contact - length / 2) == gravity * length**2 / 8
        assert ball.velocity(contact - length / 4) == falling / 2
        assert ball.velocity(contact) == (falling if index == bounces else -falling * restitution)


@given(ANY.flatmap(pieces), st.fractions(F(1, 50), F(49, 50), max_denominator=200))
def test_velocity_is_the_change_of_position(piece: Piece, share: Fraction) -> None:
    t, step = piece.duration * share, piece.duration / F(10**6)
    if isinstance(piece, Bounce):
        assume(all(abs(contact - t) > step for contact in piece.contacts))
    change = (piece.position(t + step) - piece.position(t - step)) / (2 * step)
    assert float(piece.velocity(t)) == pytest.approx(float(change), rel=1e-4, abs=1e-3)


@given(paths(), UNIT)
def test_a_mirrored_path_is_exactly_the_path_backwards(path: Path, share: Fraction) -> None:
    backwards, total = path.mirrored(), path.duration
    t = share * total
    assert backwards.duration == total == sum(piece.duration for piece in path.pieces)
    assert backwards.position(t) == path.position(total - t)
    assert backwards.velocity(t) == -path.velocity(total - t)
    assert backwards.mirrored() == path
    assert backwards.boundaries == tuple(total - boundary for boundary in reversed(path.boundaries))
    there_and_home = Path((path, backwards))
    assert there_and_home.position(t) == there_and_home.position(2 * total - t)


@given(paths(), UNIT)
def test_a_path_plays_each_piece_in_its_own_time(path: Path, share: Fraction) -> None:
    for piece, (begin, end) in zip(path.pieces, pairwise(path.boundaries), strict=True):
        assert end - begin == piece.duration
        assert path.velocity(begin) == piece.velocity(0)
        assert path.position(begin + share * piece.duration) == piece.position(share * piece.duration)


@given(POSITIVE, POSITIVE, UNIT)
def test_a_segment_may_be_moved_in_time(duration: Fraction, pause: Fraction, share: Fraction) -> None:
    press = SpringPress(duration, 5, 3)
    gentle, hard = Path((press, Path((press,), backwards=True))), there_and_back(7, duration, 2 * duration)
    first, second = Path((gentle, Rest(pause), hard)), Path((hard, Rest(pause), gentle))
    assert first.duration == second.duration
    for moved, begin, later in ((gentle, F(0), hard.duration + pause), (hard, gentle.duration + pause, F(0))):
        t = share * moved.duration
        assert first.position(begin + t) == second.position(later + t) == moved.position(t)


@given(SIGNED, POSITIVE, POSITIVE, ANY, UNIT)
def test_there_and_back_swaps_its_legs_when_mirrored(
    distance: Fraction, outward: Fraction, homeward: Fraction, start: Fraction, share: Fraction
) -> None:
    path = there_and_back(distance, outward, homeward, start)
    swapped = there_and_back(distance, homeward, outward, start)
    assert list(path.boundaries) == [0, outward, outward + homeward]
    assert path.position(outward) == start + distance
    assert path.position(0) == path.position(path.duration) == start
    t = share * path.duration
    assert path.mirrored().position(t) == swapped.position(t)


def test_frames_of_a_there_and_back_pair_are_a_permutation() -> None:
    slow_then_fast = there_and_back(120, 3, 1)
    times = [F(k, 24) * 4 for k in range(25)]
    clips = [[path.position(t) for t in times] for path in (slow_then_fast, slow_then_fast.mirrored())]
    assert clips[0] != clips[1]
    assert Counter(clips[0]) == Counter(clips[1])


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="piece 0 of the path ends at 6, but piece 1 starts at 5"):
        Path((ConstantSpeed(2, 3), Rest(1, 5)))
    for wrong in (lambda: Path(()), lambda: Rest(0), lambda: Rest(-1), lambda: FrictionSlide(3, -1)):
        with pytest.raises(ValueError, match="duration must be above 0"):
            wrong()
    with pytest.raises(ValueError, match="expected ints and Fractions"):
        ConstantSpeed(1, 0.5)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="restitution"):
        Bounce(1, 1, F(3, 2), 1)
    for t in (F(-1, 100), F(301, 100)):
        with pytest.raises(ValueError, match="outside the motion"):
            there_and_back(1, 1, 2).position(t)
    with pytest.raises(TypeError):
        Rest(1).position(0.5)  # type: ignore[arg-type]


@given(st.integers(1, 200), st.integers(0, 200))
def test_smooth_is_symmetric_and_rises(denominator: int, numerator: int) -> None:
    assume(numerator <= denominator)
    assert smooth(numerator, denominator) + smooth(denominator - numerator, denominator) == 1
    assert smooth(numerator, denominator) == 3 * F(numerator, denominator) ** 2 - 2 * F(numerator, denominator) ** 3
    if numerator:
        assert smooth(numerator - 1, denominator) < smooth(numerator, denominator)


@pytest.mark.parametrize("numerator", [-1, 4])
def test_smooth_is_refused_outside_its_range(numerator: int) -> None:
    with pytest.raises(ValueError, match="from 0 to 1"):
        smooth(numerator, 3)


def test_turns_visit_each_position_once_where_coprime() -> None:
    assert turns(6, 2) == [0, 2, 4, 0, 2, 4]
    assert coprime_steps(5, 2) == [0, 2, 4, 1, 3]
    for length in range(1, 40):
        for count in range(-length, 2 * length):
            visited = turns(length, count)
            assert (sorted(visited) == list(range(length))) == (gcd(length, count) == 1)
            if gcd(length, count) == 1:
                assert coprime_steps(length, count) == visited
            else:
                with pytest.raises(ValueError, match="not coprime"):
                    coprime_steps(length, count)


@given(st.integers(2, 500), st.integers(-500, 500))
def test_a_loop_closes_after_its_turns(length: int, count: int) -> None:
    visited = turns(length, count)
    assert all((after - before - count) % length == 0 for before, after in pairwise([*visited, visited[0]]))


def test_two_dials_swap_their_steps() -> None:
    for length in range(2, 120):
        steps = [step for step in range(2, length - 1) if step**2 % length == 1]
        if not steps:
            with pytest.raises(ValueError, match="no step that is its own inverse"):
                self_inverse_step(length)
            continue
        step = self_inverse_step(length)
        assert step == steps[0]
        slow, fast = turns(length, 1), coprime_steps(length, step)
        assert slow != fast
        assert set(zip(slow, fast, strict=True)) == set(zip(fast, slow, strict=True))
    assert [self_inverse_step(step**2 - 1) for step in (3, 5, 7)] == [3, 5, 7]


# Discs on a line


@st.composite
def discs_on_a_line(draw: st.DrawFn) -> list[Disc]:
    discs: list[Disc] = []
    edge = draw(ANY)
    for _ in range(draw(st.integers(1, 4))):
        radius, gap = draw(SHARE), draw(st.fractions(0, 5, max_denominator=10))
        discs.append(Disc((edge + gap + radius,), (draw(ANY),), radius, draw(POSITIVE)))
        edge += gap + 2 * radius
    return discs


def velocities(discs: list[Disc], t: Number, step: Number, walls: tuple[Vector, ...] = ()) -> list[Vector]:
    """By differences, which are exact where nothing touches from t to t + step."""
    here, there = positions(discs, t, walls), positions(discs, t + step, walls)
    return [tuple((b - a) / step for a, b in zip(x, y, strict=True)) for x, y in zip(here, there, strict=True)]


def momentum(discs: list[Disc], speeds: list[Vector], axis: int = 0) -> Number:
    return sum(disc.mass * speed[axis] for disc, speed in zip(discs, speeds, strict=True))


def energy(discs: list[Disc], speeds: list[Vector]) -> Number:
    return sum(disc.mass * part * part for disc, speed in zip(discs, speeds, strict=True) for part in speed)


def test_equal_discs_swap_their_velocities() -> None:
    discs = [Disc((0,), (3,), 1), Disc((10,), (-1,), 1)]
    assert collisions(discs, 2) == [Contact(2, 0, 1)]
    assert collisions(discs, F(199, 100)) == []
    assert positions(discs, 2) == [(6,), (8,)]
    assert positions(discs, 3) == [(5,), (11,)]


def test_a_row_of_touching_discs_passes_the_push_on() -> None:
    discs = [Disc((0,), (2,), 1), *(Disc((place,), (0,), 1) for place in (4, 6, 8))]
    assert collisions(discs, 10) == [Contact(1, 0, 1), Contact(1, 1, 2), Contact(1, 2, 3)]
    assert positions(discs, 2) == [(2,), (4,), (6,), (10,)]


def test_contacts_with_a_heavy_disc_and_a_wall_count_the_digits_of_pi() -> None:
    # G. Galperin, "Playing pool with π" (2003): 100^k times the mass gives k + 1 digits.
    for mass, expected in ((1, 3), (100, 31), (10_000, 314)):
        discs = [Disc((2,), (0,), F(1, 2)), Disc((5,), (-1,), 1, mass)]
        assert len(collisions(discs, 10**6, walls=((0, 10**7),))) == expected


@given(discs_on_a_line(), POSITIVE)
def test_collisions_on_a_line_keep_momentum_and_energy_exactly(discs: list[Disc], until: Fraction) -> None:
    contacts = collisions(discs, until)
    assert all(isinstance(contact.time, Fraction) for contact in contacts)
    moments = sorted({F(0), *(F(contact.time) for contact in contacts), until})
    start = [disc.velocity for disc in discs]
    for before, after in pairwise(moments):
        speeds = velocities(discs, before + (after - before) / 3, (after - before) / 3)
        assert momentum(discs, speeds) == momentum(discs, start)
        assert energy(discs, speeds) == energy(discs, start)
    for contact in contacts:
        places = positions(discs, contact.time)
        assert isinstance(contact.second, int)
        reach = discs[contact.first].radius + discs[contact.second].radius
        assert places[contact.second][0] - places[contact.first][0] == reach


@given(discs_on_a_line(), st.fractions(F(1, 10), 3, max_denominator=20), UNIT)
def test_collisions_on_a_line_run_backwards_exactly(discs: list[Disc], until: Fraction, share: Fraction) -> None:
    walls = ((discs[0].centre[0] - discs[0].radius - 1, discs[-1].centre[0] + discs[-1].radius + 1),)
    soon = until + F(1, 10**9)
    times = [F(contact.time) for contact in collisions(discs, soon, walls)]
    # Discs that touch at the start, or meet three at a time, part in an order that time does not respect.
    assume(len({0, *times}) == len(times) + 1 and all(time < until for time in times))
    turned = [
        Disc(place, tuple(-part for part in speed), disc.radius, disc.mass)
        for disc, place, speed in zip(
            discs, positions(discs, until, walls), velocities(discs, until, soon - until, walls), strict=True
        )
    ]
    assert positions(turned, share * until, walls) == positions(discs, until - share * until, walls)


# Discs on a plane


def crawl(discs: list[Disc], until: float, walls: tuple[Vector, ...], steps: int) -> tuple[list[object], list[Vector]]:
    """Who touches whom, and where the discs end, by small steps: whoever overlaps and approaches rebounds."""
    step = until / steps
    places = [[float(part) for part in disc.centre] for disc in discs]
    speeds = [[float(part) for part in disc.velocity] for disc in discs]
    touched: list[object] = []
    for _ in range(steps):
        for place, speed in zip(places, speeds, strict=True):
            place[0] += speed[0] * step
            place[1] += speed[1] * step
        for i, one in enumerate(discs):
            for axis, (low, high) in enumerate(walls):
                if places[i][axis] - one.radius < low and speeds[i][axis] < 0:
                    speeds[i][axis] *= -1
                    touched.append((i, "xy"[axis] + "-"))
                if places[i][axis] + one.radius > high and speeds[i][axis] > 0:
                    speeds[i][axis] *= -1
                    touched.append((i, "xy"[axis] + "+"))
            for j in range(i + 1, len(discs)):
                x, y = places[j][0] - places[i][0], places[j][1] - places[i][1]
                distance = hypot(x, y)
                x, y = x / distance, y / distance
                # In the frame of the centre of mass the speeds along the line of centres turn round.
                u, v = (speeds[k][0] * x + speeds[k][1] * y for k in (i, j))
                if distance < one.radius + discs[j].radius and v < u:
                    a, b = float(one.mass), float(discs[j].mass)
                    middle = (a * u + b * v) / (a + b)
                    for k, along in ((i, u), (j, v)):
                        speeds[k][0] += 2 * (middle - along) * x
                        speeds[k][1] += 2 * (middle - along) * y
                    touched.append((i, j))
    return touched, [tuple(place) for place in places]


PLANE = [
    Disc((20, 20), (50, 31), 8, 1),
    Disc((60, 50), (-30, -12), 10, 3),
    Disc((90, 20), (-41, 17), 6, 2),
    Disc((30, 70), (13, -37), 7, 1),
]
BOX: tuple[Vector, ...] = ((0, 110), (0, 90))


def test_discs_on_a_plane_against_small_steps() -> None:
    touched, ends = crawl(PLANE, 2.5, BOX, 50_000)
    contacts = collisions(PLANE, 2.5, BOX)
    assert [(contact.first, contact.second) for contact in contacts] == touched
    assert any(isinstance(contact.second, int) for contact in contacts)
    for place, end in zip(positions(PLANE, 2.5, BOX), ends, strict=True):
        assert place == pytest.approx(end, abs=0.5)


def test_collisions_on_a_plane_keep_momentum_and_energy() -> None:
    start = [disc.velocity for disc in PLANE]
    assert len([contact for contact in collisions(PLANE, 1.5) if isinstance(contact.second, int)]) > 0
    late = velocities(PLANE, 5.0, 1.0)
    for axis in (0, 1):
        assert momentum(PLANE, late, axis) == pytest.approx(float(momentum(PLANE, start, axis)))
    assert energy(PLANE, late) == pytest.approx(float(energy(PLANE, start)))
    for t in range(40):
        places = positions(PLANE, t / 10, BOX)
        assert places == positions(PLANE, t / 10, BOX)
        for i, (x, y) in enumerate(places):
            assert PLANE[i].radius - 1e-6 <= x <= 110 - PLANE[i].radius + 1e-6
            assert PLANE[i].radius - 1e-6 <= y <= 90 - PLANE[i].radius + 1e-6
            for j in range(i):
                reach = PLANE[i].radius + PLANE[j].radius
                assert hypot(float(x - places[j][0]), float(y - places[j][1])) >= reach - 1e-6


def test_an_oblique_hit_drawn_by_hand() -> None:
    # The second disc rests where the line of centres at contact is at 45°: each leaves at a right angle to the other.
    discs = [Disc((0, 0), (1, 0), 1), Disc((10, 2**0.5), (0, 0), 1)]
    [contact] = collisions(discs, 20)
    assert contact.time == pytest.approx(10 - 2**0.5)
    first, second = velocities(discs, 15.0, 1.0)
    assert first == pytest.approx((0.5, -0.5))
    assert second == pytest.approx((0.5, 0.5))


def test_discs_that_miss_or_do_not_fit() -> None:
    assert collisions([Disc((0, 0), (1, 0), 1), Disc((10, 3), (0, 0), 1)], 100) == []
    assert collisions([], 5) == []
    with pytest.raises(ValueError, match="overlap"):
        collisions([Disc((0,), (1,), 1), Disc((F(19, 10),), (0,), 1)], 5)
    with pytest.raises(ValueError, match="between the walls"):
        collisions([Disc((0,), (1,), 1)], 5, ((0, 10),))
    with pytest.raises(ValueError, match="jammed"):
        collisions([Disc((1,), (1,), 1)], 5, ((0, 2),))
    with pytest.raises(ValueError, match="before that"):
        positions([Disc((1,), (1,), 1)], -1)
    for centre, velocity, radius, mass in (
        ((0,), (0, 0), 1, 1),
        ((), (), 1, 1),
        ((0,), (0,), 0, 1),
        ((0,), (0,), 1, 0),
    ):
        with pytest.raises(ValueError, match="one or two coordinates"):
            Disc(centre, velocity, radius, mass)
