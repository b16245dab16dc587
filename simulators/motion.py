"""Motion in closed form along a line, loops of N positions, and discs that collide.

Lengths and times are in the caller's units (pixels and seconds, say); heights count upwards. Times and positions are
ints or Fractions, so a motion played backwards or moved to another moment has the very same positions.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import accumulate, combinations, pairwise
from math import cos, gcd, inf, pi, sqrt
from typing import Any, Protocol, Self

Exact = Fraction | int
State = tuple[Fraction, Fraction]  # position and velocity
Number = Fraction | float  # a Fraction on a line, a float on a plane
Vector = tuple[Number, ...]


class Piece(Protocol):
    """One motion along a line, in its own time from 0 to `duration`; to ask outside is a ValueError.

    A piece adds its duration and formula, `state`. At a jump the velocity is that after it (backwards: before it).
    """

    __slots__: tuple[str, ...] = ()

    @property
    def duration(self) -> Exact: ...
    def state(self, time: Fraction) -> State: ...

    def __post_init__(self) -> None:
        if any(isinstance(getattr(self, name), float) for name in self.__slots__):
            raise ValueError(f"{self}: expected ints and Fractions, not floats")
        if self.duration <= 0:
            raise ValueError(f"{self}: its duration must be above 0, not {self.duration}")

    def _at(self, t: Exact) -> State:
        # With a second argument Fraction refuses floats, which would end the exactness unnoticed.
        time = Fraction(t, 1)
        if not 0 <= time <= self.duration:
            raise ValueError(f"time {t} is outside the motion, which lasts from 0 to {self.duration}")
        return self.state(time)

    def position(self, t: Exact) -> Fraction:
        return self._at(t)[0]

    def velocity(self, t: Exact) -> Fraction:
        return self._at(t)[1]


def smooth(numerator: Exact, denominator: Exact) -> Fraction:
    """The smoothstep 3x² - 2x³ of x = numerator/denominator in 0 … 1; x and 1 - x give two parts of exactly 1."""
    x = Fraction(numerator, denominator)
    if not 0 <= x <= 1:
        raise ValueError(f"smooth needs a fraction from 0 to 1, not {x}")
    return x * x * (3 - 2 * x)


@dataclass(frozen=True, slots=True)
class Rest(Piece):
    """x(t) = start."""

    duration: Exact = field()  # without field() the property of Piece would be taken for its default
    start: Exact = 0

    def state(self, _time: Fraction) -> State:
        return Fraction(self.start), Fraction(0)


@dataclass(frozen=True, slots=True)
class ConstantSpeed(Piece):
    """x(t) = start + speed · t, with speed in lengths per time."""

    duration: Exact = field()
    speed: Exact
    start: Exact = 0

    def state(self, time: Fraction) -> State:
        return self.start + self.speed * time, Fraction(self.speed)


@dataclass(frozen=True, slots=True)
class ConstantAcceleration(Piece):
    """x(t) = start + speed · t + acceleration · t² / 2, with acceleration in lengths per time squared."""

    duration: Exact = field()
    speed: Exact
    acceleration: Exact
    start: Exact = 0

    def state(self, time: Fraction) -> State:
        gained = self.acceleration * time
        return self.start + (self.speed + gained / 2) * time, self.speed + gained


@dataclass(frozen=True, slots=True)
class FrictionSlide(Piece):
    """A body pushed off at `speed` (its sign is the direction) and brought to rest by Coulomb friction.

    With the deceleration a = μg it slides v²/2a far in the time |v|/a: x(t) = start ± (|v| · t - a · t² / 2).
    """

    speed: Exact
    deceleration: Exact
    start: Exact = 0

    @classmethod
    def from_impulse(cls, impulse: Exact, mass: Exact, friction: Exact, gravity: Exact, start: Exact = 0) -> Self:
        """An impulse J gives a resting mass m the speed J/m; `friction` is the coefficient μ."""
        return cls(Fraction(impulse, mass), friction * gravity, start)

    @classmethod
    def from_distance(cls, distance: Exact, duration: Exact, start: Exact = 0) -> Self:
        """The slide that ends after `distance` and `duration`; on one floor four times as far takes twice as long."""
        speed = Fraction(2 * distance, duration)
        return cls(speed, abs(speed) / duration, start)

    @property
    def duration(self) -> Fraction:
        return abs(Fraction(self.speed)) / self.deceleration

    def state(self, time: Fraction) -> State:
        speed = self.speed * (1 - time / self.duration)
        return self.start + (self.speed + speed) / 2 * time, speed


@dataclass(frozen=True, slots=True)
class SpringPress(Piece):
    """A force that grows slowly to `force` compresses a spring by F/k: x(t) = start + F/k · smooth(t/duration).

    Quasi-static: force and spring balance at every moment, so letting go is pressing played backwards.
    """

    duration: Exact = field()
    force: Exact
    stiffness: Exact
    start: Exact = 0

    def state(self, time: Fraction) -> State:
        x, depth = time / self.duration, Fraction(self.force, self.stiffness)
        return self.start + depth * smooth(x, 1), depth * 6 * x * (1 - x) / self.duration


def _cosine(turned: Fraction) -> Fraction:
    """cos(2π · turned), rounded to 2⁻⁴⁰ lest machines differ in a last bit; its period and symmetries are exact."""
    turned = min(turned % 1, -turned % 1)
    if turned > Fraction(1, 4):
        return -_cosine(Fraction(1, 2) - turned)
    return Fraction(round(cos(2 * pi * float(turned)) * 2**40), 2**40)


@dataclass(frozen=True, slots=True)
class SpringOscillation(Piece):
    """Free undamped oscillation x(t) = centre + amplitude · cos(2πt/period), the period being 2π · √(mass/stiffness).

    The cosine is rounded, not rational, but a function of the local time alone that repeats and mirrors exactly.
    """

    duration: Exact = field()
    amplitude: Exact
    period: Exact
    centre: Exact = 0

    def state(self, time: Fraction) -> State:
        turned = time / self.period
        speed = self.amplitude * Fraction(2 * pi) / self.period
        return self.centre + self.amplitude * _cosine(turned), speed * _cosine(turned + Fraction(1, 4))


@dataclass(frozen=True, slots=True)
class Throw(Piece):
    """A body launched upwards at v = impulse/mass until it is back: x(t) = start + v · t - g · t² / 2, up to v²/2g."""

    impulse: Exact
    mass: Exact
    gravity: Exact
    start: Exact = 0

    @property
    def duration(self) -> Fraction:
        return Fraction(2 * self.impulse, self.mass * self.gravity)

    def state(self, time: Fraction) -> State:
        left = self.duration - time
        return self.start + self.gravity * time * left / 2, self.gravity * (left - time) / 2


@dataclass(frozen=True, slots=True)
class Bounce(Piece):
    """A ball on a floor: parabolas that last T = arc, e · arc, e² · arc … and rise to g · T² / 8; e is `restitution`.

    Given by a duration, since that keeps every time and height rational. It is thrown from the floor or, if `dropped`,
    let fall from the top of the first parabola; `bounces` further parabolas follow.
    """

    arc: Exact
    gravity: Exact
    restitution: Exact
    bounces: int
    dropped: bool = False
    start: Exact = 0

    def __post_init__(self) -> None:
        Piece.__post_init__(self)
        if not 0 < self.restitution <= 1:
            raise ValueError(f"{self}: expected a restitution above 0 and at most 1")

    @property
    def lengths(self) -> tuple[Fraction, ...]:
        """How long each parabola lasts, the first one in full."""
        return tuple(self.arc * Fraction(self.restitution) ** index for index in range(self.bounces + 1))

    @property
    def contacts(self) -> tuple[Fraction, ...]:
        """When each parabola ends on the floor, which is at `start`; the last is `duration`."""
        return tuple(accumulate(self.lengths, initial=Fraction(-self.arc * self.dropped, 2)))[1:]

    @property
    def duration(self) -> Fraction:
        return max(self.contacts, default=Fraction(0))

    def state(self, time: Fraction) -> State:
        index = sum(contact <= time for contact in self.contacts[:-1])
        left = self.contacts[index] - time
        gone = self.lengths[index] - left
        return self.start + self.gravity * gone * left / 2, self.gravity * (left - gone) / 2


@dataclass(frozen=True, slots=True)
class Path(Piece):
    """Pieces joined end to end, or the same played backwards; itself a piece. ValueError where two do not join."""

    pieces: tuple[Piece, ...]
    backwards: bool = False

    def __post_init__(self) -> None:
        Piece.__post_init__(self)
        for index, (before, after) in enumerate(pairwise(self.pieces)):
            end, start = before.position(before.duration), after.position(0)
            if end != start:
                raise ValueError(f"piece {index} of the path ends at {end}, but piece {index + 1} starts at {start}")

    @property
    def boundaries(self) -> tuple[Fraction, ...]:
        """0, the times at which one piece gives way to the next, and the duration of the whole."""
        durations = (Fraction(piece.duration) for piece in self.pieces[:: -1 if self.backwards else 1])
        return tuple(accumulate(durations, initial=Fraction(0)))

    @property
    def duration(self) -> Fraction:
        return self.boundaries[-1]

    def state(self, time: Fraction) -> State:
        if self.backwards:
            position, velocity = self.mirrored().state(self.duration - time)
            return position, -velocity
        index = sum(boundary <= time for boundary in self.boundaries[1:-1])
        return self.pieces[index].state(time - self.boundaries[index])

    def mirrored(self) -> "Path":
        """The same played backwards: its position at t is exactly this one's at duration - t."""
        return replace(self, backwards=not self.backwards)


def there_and_back(distance: Exact, outward: Exact, homeward: Exact, start: Exact = 0) -> Path:
    """Out by `distance` in the time `outward`, home in `homeward`, each at one speed; mirrored, the legs swap."""
    out = ConstantSpeed(outward, Fraction(distance, outward), start)
    return Path((out, ConstantSpeed(homeward, Fraction(-distance, homeward), start + distance)))


def turns(length: int, count: int) -> list[int]:
    """`count` turns of a loop of `length` positions in as many frames: each is visited once iff the two are coprime."""
    return [count * index % length for index in range(length)]


def coprime_steps(length: int, step: int) -> list[int]:
    """The positions 0, s, 2s … of a loop, each once. Raises ValueError unless length and step are coprime."""
    if length < 1 or gcd(length, step) != 1:
        raise ValueError(f"a step of {step} does not visit each position of a loop of {length}: they are not coprime")
    return turns(length, step)


def self_inverse_step(length: int) -> int:
    """The smallest s from 2 to length - 2 with s · s ≡ 1 modulo length; ValueError where there is none.

    Two dials that step by (1, s) then show jointly the same pairs as two that step by (s, 1). A loop of s² - 1 has s.
    """
    for step in range(2, length - 1):
        if step * step % length == 1:
            return step
    raise ValueError(f"a loop of {length} has no step that is its own inverse; one of s² - 1 positions has the step s")


@dataclass(frozen=True, slots=True)
class Disc:
    """A disc with one coordinate (on a line) or two (on a plane); its velocity is in lengths per time."""

    centre: Vector
    velocity: Vector
    radius: Number
    mass: Number = 1

    def __post_init__(self) -> None:
        if len(self.centre) not in (1, 2) or len(self.velocity) != len(self.centre) or min(self.radius, self.mass) <= 0:
            raise ValueError(f"{self}: expected one or two coordinates, and a radius and a mass above 0")


@dataclass(frozen=True, slots=True)
class Contact:
    """At `time` the disc with index `first` touches the one with index `second`, or a wall: "x-", "x+", "y-", "y+"."""

    time: Number
    first: int
    second: int | str


def _dot(first: Vector, second: Vector) -> Number:
    return sum(first[axis] * second[axis] for axis in range(len(first)))


def _along(start: Vector, direction: Vector, amount: Number) -> Vector:
    return tuple(start[axis] + amount * direction[axis] for axis in range(len(start)))


def _delay(first: Disc, second: Disc) -> Number:
    """How long until the two touch: |way + t · change| = both radii. Infinite where they do not, or only graze."""
    way, change = _along(second.centre, first.centre, -1), _along(second.velocity, first.velocity, -1)
    reach, approach = first.radius + second.radius, -_dot(way, change)
    excess = _dot(way, way) - reach * reach
    if excess < -reach * reach / 10**9:
        raise ValueError(f"the discs overlap: {first} and {second}")
    discriminant = approach * approach - _dot(change, change) * excess
    if approach <= 0 or discriminant <= 0:
        return inf
    # On a line the root is rational.
    root = reach * max(change[0], -change[0]) if len(way) == 1 else sqrt(discriminant)
    return excess / (approach + root)


def _rebound(first: Disc, second: Disc) -> tuple[Disc, Disc]:
    """Both after an elastic collision, which changes the velocities along the line of centres only."""
    way, change = _along(second.centre, first.centre, -1), _along(second.velocity, first.velocity, -1)
    push = 2 * _dot(way, change) / (_dot(way, way) * (first.mass + second.mass))
    velocities = _along(first.velocity, way, push * second.mass), _along(second.velocity, way, -push * first.mass)
    return replace(first, velocity=velocities[0]), replace(second, velocity=velocities[1])


def _run(discs: Sequence[Disc], until: Number, walls: Sequence[Vector]) -> tuple[list[Contact], list[Disc]]:
    number: type[Any] = Fraction if all(len(disc.centre) == 1 for disc in discs) else float
    walls = [tuple(map(number, wall)) for wall in walls]
    state = [
        Disc(tuple(map(number, d.centre)), tuple(map(number, d.velocity)), number(d.radius), number(d.mass))
        for d in discs
    ]
    contacts: list[Contact] = []
    now, until = number(0), number(until)
    if until < 0:
        raise ValueError(f"the motion starts at 0; {until} is before that")
    while len(contacts) < 10_000:
        coming: list[tuple[Number, int, int | str]] = [
            (_delay(state[i], state[j]), i, j) for i, j in combinations(range(len(state)), 2)
        ]
        for i, disc in enumerate(state):
            for axis, (low, high) in enumerate(walls):
                place, speed = disc.centre[axis], disc.velocity[axis]
                if min(place - low, high - place) < disc.radius * (10**9 - 1) / 10**9:
                    raise ValueError(f"{disc} does not fit between the walls at {low} and {high}")
                if speed > 0:
                    coming.append(((high - disc.radius - place) / speed, i, "xy"[axis] + "+"))
                elif speed < 0:
                    coming.append(((low + disc.radius - place) / speed, i, "xy"[axis] + "-"))
        # Rounding can put a contact on a plane a hair into the past.
        delay, first, second = min(coming, key=lambda event: event[0], default=(inf, 0, 0))
        step = max(number(0), min(delay, until - now))
        state = [replace(disc, centre=_along(disc.centre, disc.velocity, step)) for disc in state]
        now += step
        if delay > step:
            return contacts, state
        contacts.append(Contact(now, first, second))
        if isinstance(second, int):
            state[first], state[second] = _rebound(state[first], state[second])
        else:
            turned = [-v if name == second[0] else v for name, v in zip("xy", state[first].velocity, strict=False)]
            state[first] = replace(state[first], velocity=tuple(turned))
    raise ValueError(f"10,000 contacts before {until}: the discs are jammed, or the time is too long")


def collisions(discs: Sequence[Disc], until: Number, walls: Sequence[Vector] = ()) -> list[Contact]:
    """Every elastic contact up to and including `until`, in order; on a line exact, on a plane in floats.

    `walls` are the (low, high) of each axis. Of contacts at one moment, pairs come before walls, each in index order.
    """
    return _run(discs, until, walls)[0]


def positions(discs: Sequence[Disc], t: Number, walls: Sequence[Vector] = ()) -> list[Vector]:
    """The centres at time t."""
    return [disc.centre for disc in _run(discs, t, walls)[1]]
