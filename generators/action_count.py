"""Action count: how many times something happens, from never to twelve times.

A ring of poses is one cycle from neutral to neutral. Walked in steps of k it shows every pose once and makes k whole
cycles, whatever k is, so that only the order of frames tells the count.

Where there are two things, there are three rings: of both, of the one alone and of the other alone. Walked in steps of
u, v and w these make u + v of the one and u + w of the other (or twice u of either), so that the count of the other is
another option, and what is counted is not told by which counts there are.
"""

import sys
from collections.abc import Callable, Mapping
from functools import lru_cache
from itertools import accumulate, pairwise, product
from math import ceil, cos, inf, pi, radians, sin
from random import Random
from typing import Annotated, ClassVar, Literal, Self

from annotated_types import Len
from pydantic import Field, model_validator

from generators.errors import InputError
from generators.figures import HAIRS, SKINS, TROUSERS, UNLIKE, Build, Figure, Side
from generators.pairs import draw_real
from generators.props import Props, rimmed
from generators.randomness import Streams
from generators.rendering.scene import Colour, Ellipse, Line, Placement, Polygon, Rectangle, Shape, Sprite, Text, ease
from generators.settings import IntegerRange, RealRange, integer_range
from generators.single_clips import (
    VARIATIONS,
    Asked,
    Demonstration,
    Pictures,
    SingleScript,
    SingleSettings,
    Variation,
    single_clip_family,
)
from generators.stage import COLOURS, INK, LOOKS, PAPER, Stage, a, shade
from simulators.walks import both_ways, ring

# ---------------------------------------------------------------------------------------------------- settings

MOST = 12
"""A person can be sure of so many."""


class ActionCountSettings(SingleSettings):
    times: integer_range(0, MOST) = Field(  # type: ignore[valid-type]
        IntegerRange(0, MOST), description="how many times it happens, a number or a range such as 2..6"
    )


QUICKEST, FEWEST_FRAMES = 0.6, 8
"""Seconds and frames that a cycle has at least."""

MEETING_SECONDS, MEETING_FRAMES = 0.2, 1.5
"""What counts is to be seen for so long where cycles are slow, and in more than one frame where they are quick."""

JOINT = ((1, 1), (1, 2), (2, 1))
"""How many cycles two things make in one turn of their ring."""

SHARES = ((1, 1, 1), (2, 1, 1), (3, 2, 2), (1, 2, 2))
"""How much of a clip with two things is for both, for the one, and for the other."""

FEW = 0.25
"""The share of clips with none or one among their options, where there is a choice: there may be little to see."""

REST_SECONDS = 0.4
"""How long things stand still at either end of a clip, at least."""

SPARE_SECONDS = 0.8, 1.3
"""Seconds of a clip in which nothing moves; a little more, since the poses of a ring are prime in number."""

PAINTS = ("blue", "green", "orange", "purple", "red")
"""Few colours, so that clips share their sprites."""

Thing = tuple[list[Placement], Callable[[float], list[Placement]]]
"""What of a thing stands still, and what else there is at a phase of its cycle from 0 to 1."""

# ---------------------------------------------------------------------------------------------------- counting


class Counting(SingleScript):
    """A thing that does something several times, each time from neutral to neutral."""

    VARIATIONS = VARIATIONS
    SHOWS: ClassVar[str]
    """What the video shows, and what counts as once; {a} stands for the article and the colour."""
    ASKS: ClassVar[str]
    """What is asked, of the thing of this {colour}."""
    BESIDE: ClassVar[str] = ""
    """What the second thing does, where there are two."""
    FEWEST: ClassVar[int] = 1
    """0 where it can be unmistakable that it never happens."""
    NEVER: ClassVar[str] = ""
    """What does not count, where 0 is an option."""
    SLOTS: ClassVar[tuple[float, float]] = (28, 72)
    """Where two things are, across the stage."""
    HEIGHT: ClassVar[float] = 52
    """How high a camera looks that is close by."""

    look: int = Field(ge=0, lt=len(LOOKS))
    colours: Annotated[list[str], Len(2, 2)]
    """Of the thing that is asked about, and of what else there is."""
    side: str = Field(pattern="^(left|right)$")
    """On which side it is, or to which it goes first."""
    place: int = Field(ge=-6, le=6)
    """How far it is from the middle, in units, where it is alone."""
    sign: int = Field(ge=0, le=MOST)
    """What a sign says that need not be true."""
    times: int = Field(ge=0, le=MOST)
    options: Annotated[list[Annotated[int, Field(ge=0, le=MOST)]], Len(3, 6)]
    rings: Annotated[list[Annotated[list[Annotated[int, Field(ge=0, le=20_000)]], Len(3, 3)]], Len(1, 3)]
    """Of each ring: cycles of the thing that is asked about in one turn, those of the other thing, and poses."""
    others: Annotated[list[Annotated[int, Field(ge=1, le=MOST)]], Len(0, 6)]
    """How many times the other thing does it, with each of the options."""
    rests: Annotated[list[Annotated[int, Field(ge=1, le=20_000)]], Len(2, 2)]
    """Frames of stillness before and after."""

    @model_validator(mode="after")
    def _counts(self) -> Self:
        if not {*self.colours} <= {*PAINTS} or len({*self.colours}) < 2:
            raise ValueError(f"there are two of the colours {', '.join(PAINTS)}")
        if self.options != sorted({*self.options}) or self.times not in self.options:
            raise ValueError("the options are different numbers in order, and one of them is right")
        if self.poses != sum(poses for _, _, poses in self.rings) or not all(_is_prime(one[2]) for one in self.rings):
            raise ValueError("moving frames are those of rings, each with a prime number of poses")
        kinds = sorted((own, other) for own, other, _ in self.rings)
        if self.variation != "composite":
            if kinds != [(1, 0)] or self.others:
                raise ValueError("one thing has one ring")
            if self.options[0] < self.FEWEST or self.poses < FEWEST_FRAMES * self.options[-1]:
                raise ValueError(f"a {self.NAME} clip of {self.poses} poses cannot show the counts {self.options}")
            return self
        if kinds[:2] != [(0, 1), (1, 0)] or not {*kinds[2:]} & {*JOINT} or len(self.others) != len(self.options):
            raise ValueError("two things have three rings, and for each option there is a count of the other thing")
        for option, other in zip(self.options, self.others, strict=True):
            if option == other or other not in self.options or not self._turns_of(option, other):
                raise ValueError(f"the other thing cannot do it {other} times while this one does so {option} times")
        return self

    @property
    def poses(self) -> int:
        return self.frames - sum(self.rests)

    @classmethod
    def draw(cls, settings: ActionCountSettings, streams: Streams, variation: Variation) -> Self:
        random = streams("plan")
        wanted: IntegerRange = settings.times
        if wanted.high < cls.FEWEST:
            raise InputError(f"{cls.NAME} are never as few as {wanted.high}: raise --times, or choose other --scripts")
        fewest = max(wanted.low, cls.FEWEST)
        # Of the lengths that were asked for, those that have room for as many times as there must be.
        needed = fewest * QUICKEST + SPARE_SECONDS[1] + 8 / settings.fps
        seconds: RealRange = settings.seconds
        seconds = RealRange(max(seconds.low, min(needed, seconds.high)), seconds.high)
        frames, rest = round(draw_real(seconds, random) * settings.fps), max(1, round(REST_SECONDS * settings.fps))
        moving = frames - max(2 * rest, round(random.uniform(*SPARE_SECONDS) * settings.fps))
        drawn = cls._drawn_pair if variation == "composite" else cls._drawn_one
        if (found := drawn(moving, settings.fps, wanted, random)) is None:
            raise InputError(
                f"in {moving} moving frames {cls.NAME} leaves no choice of counts around {wanted}: change --times, or "
                "raise --seconds or --fps"
            )
        options, rings, others = found
        spare = frames - sum(poses for _, _, poses in rings)
        before = random.randint(rest, max(rest, spare - rest))
        return cls(
            fps=settings.fps,
            frames=frames,
            variation=variation,
            look=random.randrange(len(LOOKS)),
            colours=random.sample(PAINTS, 2),
            side=random.choice(["left", "right"]),
            place=random.randint(-6, 6),
            sign=random.choice(options),
            times=options[0],
            options=options,
            rings=rings,
            others=others,
            rests=[before, spare - before],
        )

    @classmethod
    def _drawn_one(cls, moving: int, fps: int, wanted: IntegerRange, random: Random) -> "Drawn | None":
        """Options, the ring, and nothing beside."""
        poses = _prime(moving)
        most = min(MOST, int(poses / _least(fps)))
        options = _drawn_options(list(range(cls.FEWEST, most + 1)), wanted, random)
        return (options, [[1, 0, poses]], []) if options else None

    @classmethod
    def _drawn_pair(cls, moving: int, fps: int, wanted: IntegerRange, random: Random) -> "Drawn | None":
        """Options, rings, and the counts of the other thing, each of which is an option, too."""
        ways = [*product(SHARES, JOINT)]
        for shares, joint in random.sample(ways, len(ways)):
            kinds = zip((joint, (1, 0), (0, 1)), shares, strict=True)
            rings = [[*kind, _prime(moving * share // sum(shares))] for kind, share in kinds]
            random.shuffle(rings)
            shown = _countable(tuple((own, other, poses) for own, other, poses in rings), _least(fps))
            possible = sorted({own for own, other in shown if own != other and other in {one for one, _ in shown}})
            options = _drawn_options(possible, wanted, random) or []
            choices = [[other for other in options if other != one and (one, other) in shown] for one in options]
            if options and all(choices):
                return options, rings, [random.choice(one) for one in choices]
        return None

    def _turns_of(self, times: int, other: int) -> tuple[int, ...] | None:
        rings = tuple((own, beside, poses) for own, beside, poses in self.rings)
        return _countable(rings, _least(self.fps)).get((times, other))

    def turns(self) -> tuple[int, ...]:
        """How often each of the rings is gone round."""
        if not self.others:
            return (self.times,)
        return self._turns_of(self.times, self.others[self.options.index(self.times)]) or ()

    def right(self, settings: ActionCountSettings, share: float) -> int:
        allowed = [
            number for number, option in enumerate(self.options) if settings.times.low <= option <= settings.times.high
        ]
        return allowed[int(share * len(allowed))]

    def alternatives(self) -> list[Self]:
        return [self.model_copy(update={"times": times}) for times in self.options]

    def says(self) -> str:
        return str(self.times)

    def asked(self) -> Asked:
        colour, other = self.colours
        parts = [self.SHOWS.format(a=a(colour), colour=colour, another=a(other))]
        if 0 in self.options and self.NEVER:
            parts.append(self.NEVER)
        if self.variation == "composite":
            parts.append(self.BESIDE.format(a=a(other), colour=colour, other=other))
            parts.append("Either may pause while the other goes on.")
        if self.variation == "counterfactual":
            parts.append(self.against())
        return Asked(" ".join(parts), self.ASKS.format(colour=colour))

    def against(self) -> str:
        """What is against what one expects, in words."""
        return "The number on the sign need not be true."

    def walk(self) -> list[int]:
        """The poses of each ring come after those of the ring before, but for the first pose: there all rings meet."""
        before, after = self.rests
        walked = [0] * before
        for turns, first, (_, _, poses) in zip(self.turns(), self._firsts(), self.rings, strict=True):
            walked += [pose and first + pose for pose in (ring(poses, turns) if turns else both_ways(poses))]
        return [*walked, *[0] * after]

    def _firsts(self) -> list[int]:
        """The number from which on the poses of each ring count."""
        return list(accumulate((poses for _, _, poses in self.rings[:-1]), initial=0))

    def phases(self, pose: int) -> tuple[float, float]:
        """How far the two things are in their cycles."""
        number = max(number for number, first in enumerate(self._firsts()) if first <= pose)
        (own, other, poses), first = self.rings[number], self._firsts()[number]
        return own * (pose - first) % poses / poses, other * (pose - first) % poses / poses

    def spans(self) -> tuple[tuple[int, int], ...]:
        """Of every cycle and, while the thing that is asked about rests, of those of the other one."""
        found = []
        for turns, first, (own, other, poses) in zip(self.turns(), self._firsts(), self.rings, strict=True):
            found += _parts(self.rests[0] + first, poses, turns * (own or other) or 2)
        return tuple(found)

    def rates(self) -> list[float]:
        """Cycles a frame, of both things in each ring, and whatever the count is."""
        return [
            turns * cycles / poses
            for one in self.alternatives()
            for turns, (own, other, poses) in zip(one.turns(), self.rings, strict=True)
            for cycles in (own, other)
            if turns * cycles
        ]

    def seen(self) -> tuple[tuple[int, int], ...]:
        # Three frames of each cycle tell one from the next.
        return tuple(_parts(self.rests[0], self.poses, ceil(3 * self.poses * max(self.rates()) - 1e-9)))

    def away(self) -> Callable[[float], float]:
        """How far from the middle of the cycle: 1 at its ends, and 0 for the share of it in which things meet.

        They do so for a fifth of a second at most but in the slowest clips, and in a frame at least in the quickest.
        """
        rates = self.rates()
        share = min(0.2, max(MEETING_FRAMES * max(rates), MEETING_SECONDS * self.fps * min(rates)))
        return lambda phase: max(0.0, abs(2 * phase - 1) - share) / (1 - share)

    def in_levels(self, number: int, draw: Callable[[float], list[Placement]]) -> Callable[[float], list[Placement]]:
        """What moves by few ready pictures: `draw` gives one for how far it is, from 0 to 1, from where things meet."""
        ready, away = [draw(level / (number - 1)) for level in range(number)], self.away()
        return lambda phase: ready[round(ease(away(phase)) * (number - 1))]

    def measures(self) -> dict[str, int | float]:
        return {"count": self.times}

    @property
    def middle(self) -> float:
        """Where the thing is that is asked about, across the stage."""
        if self.variation == "composite":
            return self.SLOTS[self.side == "right"]
        return 50.0 + self.place

    def focus(self) -> tuple[float, float]:
        return self.middle, self.HEIGHT

    def across(self, x: float) -> float:
        """A place across the stage as it is on the left side or, mirrored, on the right."""
        return x if self.side == "left" else 100 - x

    def thing(self, props: Props, x: float, colour: str, number: int) -> Thing:
        """A thing of this colour."""
        raise NotImplementedError(self)

    def behind(self, props: Props) -> list[Placement]:
        """What stands behind all things."""
        return []

    def floor(self, props: Props, y: float, colour: Colour, edge: Colour, is_above: bool = False) -> list[Placement]:
        """A floor from there down, with an edge, or from there up, to beyond the sides of the picture."""
        width, high = max(props.stage.resolution) / props.stage.unit + 14, 108 - y
        strips = (Rectangle(0, 0, width, high, colour), Rectangle(0, high - 1.2 if is_above else 0, width, 1.2, edge))
        strip = props.picture(width, high, *strips)
        return [props.put(strip, 50, 100 - y - high / 2 if is_above else y + high / 2)]

    def ground(self) -> Colour:
        return LOOKS[self.look][0]

    def pictures(self, settings: ActionCountSettings) -> Pictures:
        props = Props(Stage(settings.resolution))
        fixed = self.behind(props)
        if self.variation == "counterfactual" and type(self).against is Counting.against:
            fixed += self._sign(props)
        moving = []
        places = [self.middle, sum(self.SLOTS) - self.middle] if self.others else [self.middle]
        for number, (x, colour) in enumerate(zip(places, self.colours, strict=False)):
            still, moves = self.thing(props, x, colour, number)
            fixed += still
            moving.append(moves)

        def at(pose: int) -> list[Placement]:
            placed = list(fixed)
            for moves, phase in zip(moving, self.phases(pose), strict=False):
                placed += moves(phase)
            return placed

        return Pictures(props.atlas.sprites, at, self.ground())

    def _sign(self, props: Props) -> list[Placement]:
        """A sign in the upper corner where nothing else is."""
        stage = props.stage
        width, height = stage.even(20), stage.even(15)
        edge = Rectangle(0, 0, width, height, PAPER, 2 * stage.unit)
        number = Text(width / 2, height / 2, f"{self.sign}×", 9 * stage.unit, INK)
        board = Sprite(width, height, (*rimmed(edge, stage.length(0.8)), number))
        return [props.put(props.atlas.add(board), self.across(87), 10)]


Drawn = tuple[list[int], list[list[int]], list[int]]
"""Options, rings, and the counts of another thing."""


def _is_prime(number: int) -> bool:
    return number > 1 and all(number % divisor for divisor in range(2, int(number**0.5) + 1))


def _prime(most: int) -> int:
    """The highest prime number that is not above this one."""
    return next((number for number in range(most, 1, -1) if _is_prime(number)), 2)


def _least(fps: int) -> float:
    """The frames that a cycle has at least."""
    return max(float(FEWEST_FRAMES), QUICKEST * fps)


def _parts(first: int, frames: int, number: int) -> list[tuple[int, int]]:
    return list(pairwise(first + frames * part // number for part in range(number + 1)))


@lru_cache(maxsize=256)
def _countable(rings: tuple[tuple[int, int, int], ...], least: float) -> Mapping[tuple[int, int], tuple[int, ...]]:
    """Every two counts that can be shown by going round so many times, and the most even way to do so."""
    most = [min(MOST, int(poses / (least * max(own, other)))) for own, other, poses in rings]
    ways: dict[tuple[int, int], tuple[float, tuple[int, ...]]] = {}
    for turns in product(*(range(1, number + 1) for number in most)):
        own, other = (sum(number * one[which] for number, one in zip(turns, rings, strict=True)) for which in (0, 1))
        paces = [number * max(one[:2]) / one[2] for number, one in zip(turns, rings, strict=True)]
        way = max(paces) / min(paces), turns
        if max(own, other) <= MOST and way < ways.get((own, other), (inf, ())):
            ways[own, other] = way
    return {counts: turns for counts, (_, turns) in ways.items()}


def _drawn_options(possible: list[int], wanted: IntegerRange, random: Random) -> list[int] | None:
    """Three to six counts at even distances, within the range that is wanted or, where it is too narrow, around it.

    Wherever the right one has to lie among them, it is equally likely to be any of those. None where there are too few.
    """
    within = [count for count in possible if wanted.low <= count <= wanted.high]
    if not within:
        return None
    sizes = [size for size in (4, 5, 6) if size <= len(possible)] or [3]
    size, gap, aim = random.choice(sizes), random.choice((1, 2)), random.choice(within)
    for step in (gap, 1):
        last = (size - 1) * step
        runs = [possible[first : first + last + 1 : step] for first in range(len(possible) - last)]
        runs = [run for run in runs if {*run} <= {*within}] or [run for run in runs if aim in run]
        if runs:
            few, more = [run for run in runs if run[0] < 2], [run for run in runs if run[0] >= 2]
            return random.choice(few if few and (not more or random.random() < FEW) else more)
    return None


# ---------------------------------------------------------------------------------------------------- bouncing ball


class Bounces(Counting):
    """A ball drops from a holder and springs back into it; or it does so in a room that stands on its head."""

    NAME: ClassVar[str] = "bounces"
    DEMONSTRATION: ClassVar[Demonstration] = "object"
    SHOWS: ClassVar[str] = (
        "The video shows {a} ball that leaves a holder, bounces off the floor, and comes back to the holder. Each time "
        "it hits the floor is one bounce."
    )
    BESIDE: ClassVar[str] = "Beside it {a} ball does the same at its own pace: count the {colour} one only."
    ASKS: ClassVar[str] = "How many times does the {colour} ball bounce?"

    def against(self) -> str:
        return "The room stands on its head: its floor is above."

    def _level(self, y: float) -> float:
        """How far down it is, which is turned over where the room is."""
        return 100 - y if self.variation == "counterfactual" else y

    def behind(self, props: Props) -> list[Placement]:
        _, dark = LOOKS[self.look]
        wood = shade(dark, 1.3)
        seat = [Rectangle(0, 0, 2.4, 26, wood), Rectangle(0, 12, 14, 2.6, wood), Rectangle(11.6, 12, 2.4, 14, wood)]
        chair = props.picture(14, 26, *seat, Rectangle(0, 2, 2.4, 8, dark))
        screen = Polygon(((4, 17), (10, 17), (14, 26), (0, 26)), wood)
        lamp = props.picture(14, 26, Rectangle(6.6, 0, 0.8, 18, dark), screen)
        turned = 180.0 if self.variation == "counterfactual" else 0.0
        things = self.floor(props, 79.6, shade(dark, 1.8), dark, self.variation == "counterfactual")
        if self.variation != "composite":
            things.append(props.put(chair, self.across(88), self._level(69))._replace(angle=turned))
            things.append(props.put(lamp, self.across(12), self._level(3))._replace(angle=turned))
        return things

    def thing(self, props: Props, x: float, colour: str, number: int) -> Thing:
        size, top, floor = 12.0, 28.0, 79.5
        ball, flat = props.disc(size, size, COLOURS[colour]), props.disc(14.6, 9.2, COLOURS[colour])
        half_flat, away = props.disc(13.2, 10.8, COLOURS[colour]), self.away()
        jaw = props.box(2.4, 9, shade(LOOKS[self.look][1], 1.2), 1)
        beam = props.box(24, 2.6, shade(LOOKS[self.look][1], 1.2), 1)
        still = [props.put(jaw, x, self._level(top - 2), side * 8.2) for side in (-1, 1)]
        still.append(props.put(beam, x, self._level(top - 7.5)))

        def moves(phase: float) -> list[Placement]:
            far = away(phase)
            if far:
                return [props.put(ball, x, self._level(top + (floor - size / 2 - top) * (1 - far) ** 2))]
            # It is pressed flat, and springs up again, by way of half of that.
            is_flat = away(0.5 + 1.6 * (phase - 0.5)) == 0
            return [
                props.put(
                    *((flat, x, self._level(floor - 4.6)) if is_flat else (half_flat, x, self._level(floor - 5.4)))
                )
            ]

        return still, moves


# ---------------------------------------------------------------------------------------------------- laps


def _around(phase: float, half: float, radius: float) -> tuple[float, float, int]:
    """A point of a square track with round corners, clockwise from its top, and which of 16 ways it leads there."""
    straight, corner = 2 * (half - radius), pi * radius / 2
    quarter, way = divmod((phase % 1) * 4 * (straight + corner) + straight / 2, straight + corner)
    if way <= straight or not radius:
        x, y, turn = way - straight / 2, -half, 0.0
    else:
        turn = (way - straight) / radius
        x, y = half - radius + radius * sin(turn), radius - half - radius * cos(turn)
    for _ in range(int(quarter) % 4):
        x, y = -y, x
    return x, y, 4 * int(quarter) + round(turn / pi * 8)


class Laps(Counting):
    """Something goes round a closed track, or half round and back on either side."""

    FEWEST: ClassVar[int] = 0
    SLOTS: ClassVar[tuple[float, float]] = (50, 50)
    HALVES: ClassVar[tuple[float, float]] = (26, 15)
    """How far the track and the one inside it are from the middle."""


class CarLaps(Laps):
    """A toy car on a track with a line at its top."""

    NAME: ClassVar[str] = "car_laps"
    DEMONSTRATION: ClassVar[Demonstration] = "object"
    SHOWS: ClassVar[str] = (
        "The video shows {a} toy car on a track, from above. It begins and ends at the chequered line. One lap is all "
        "the way round from the line to the line."
    )
    NEVER: ClassVar[str] = "Where the car turns back before that, it is none."
    BESIDE: ClassVar[str] = "On the inner track {a} car drives at its own pace: count the {colour} one only."
    ASKS: ClassVar[str] = "How many laps does the {colour} car make?"

    def behind(self, props: Props) -> list[Placement]:
        ground, dark = LOOKS[self.look]
        tracks = self.HALVES[: 1 + (self.variation == "composite")]
        tone, shapes = shade(dark, 1.9), []
        for half in tracks:
            for wide, colour in ((4.4, PAPER), (3.7, tone), (-3.7, PAPER), (-4.4, shade(ground, 0.93))):
                side, radius = 2 * (half + wide), max(1.0, 10 + wide)
                shapes.append(Rectangle(31 - side / 2, 31 - side / 2, side, side, colour, radius))
        x = self.middle
        placed = [props.put(props.picture(62, 62, *shapes), x, 52)]
        squares = [
            Rectangle(column * 1.2, row * 1.2, 1.2, 1.2, INK if (row + column) % 2 else PAPER)
            for row in range(6)
            for column in range(2)
        ]
        line = props.picture(2.4, 7.2, *squares)
        return [*placed, *(props.put(line, x, 52 - half) for half in tracks)]

    def thing(self, props: Props, x: float, colour: str, number: int) -> Thing:
        half, mirrored = self.HALVES[number], self.side == "right"
        cars = [self._car(props, 22.5 * turn, COLOURS[colour]) for turn in range(16)]

        def moves(phase: float) -> list[Placement]:
            dx, dy, turn = _around(phase, half, 10)
            return [props.put(cars[(8 - turn if mirrored else turn) % 16], x, 52, -dx if mirrored else dx, dy)]

        return [], moves

    def _car(self, props: Props, heading: float, paint: Colour) -> int:
        """A car from above. Drawn at its angle: that is quicker than turning the picture of one."""
        ahead, aside = cos(radians(heading)), sin(radians(heading))

        def part(first: float, last: float, half: float, cut: float, colour: Colour) -> Polygon:
            corners = [(first, half - cut), (first + cut, half), (last - cut, half), (last, half - cut)]
            corners += [(along, -across) for along, across in reversed(corners)]
            points = (
                (5 + along * ahead - across * aside, 5 + along * aside + across * ahead) for along, across in corners
            )
            return Polygon(tuple((round(px, 3), round(py, 3)) for px, py in points), colour)

        wheels, body = part(-3.6, 3.6, 2.8, 0.4, INK), part(-4.6, 4.6, 2.2, 1, paint)
        glass, roof = part(-3, 2.2, 1.6, 0.5, shade(INK, 1.6)), part(-2.2, 0.6, 1.7, 0.4, shade(paint, 1.4))
        return props.picture(10, 10, wheels, body, glass, roof)


class DotLaps(Laps):
    """A dot on the outline of a square with a mark at its top."""

    NAME: ClassVar[str] = "dot_laps"
    DEMONSTRATION: ClassVar[Demonstration] = "simulated"
    SHOWS: ClassVar[str] = (
        "The video shows {a} dot on the outline of a square. It begins and ends at the black mark. One lap is all the "
        "way round from the mark to the mark."
    )
    NEVER: ClassVar[str] = "Where the dot turns back before that, it is none."
    BESIDE: ClassVar[str] = "On the inner square {a} dot moves at its own pace: count the {colour} one only."
    ASKS: ClassVar[str] = "How many laps does the {colour} dot make?"

    def behind(self, props: Props) -> list[Placement]:
        x, tone = self.middle, shade(LOOKS[self.look][1], 1.6)
        placed = []
        for half in self.HALVES[: 1 + (self.variation == "composite")]:
            for wide, high, dx, dy in ((2 * half, 1, 0, 1), (1, 2 * half, 1, 0)):
                bar = props.picture(wide + 1, high, Rectangle(0, 0, wide + 1, high, tone))
                if high > 1:
                    bar = props.picture(wide, high + 1, Rectangle(0, 0, wide, high + 1, tone))
                placed += [props.put(bar, x, 52, sense * half * dx, sense * half * dy) for sense in (-1, 1)]
            placed.append(props.put(props.picture(1.6, 8, Rectangle(0, 0, 1.6, 8, INK)), x, 52 - half))
        return placed

    def thing(self, props: Props, x: float, colour: str, number: int) -> Thing:
        dot, half = props.disc(6, 6, COLOURS[colour]), self.HALVES[number]
        sense = -1 if self.side == "right" else 1

        def moves(phase: float) -> list[Placement]:
            dx, dy, _ = _around(phase, half, 0)
            return [props.put(dot, x, 52, sense * dx, dy)]

        return [], moves


# ---------------------------------------------------------------------------------------------------- lighthouse


class Flashes(Counting):
    """A lighthouse by night."""

    NAME: ClassVar[str] = "flashes"
    DEMONSTRATION: ClassVar[Demonstration] = "object"
    SHOWS: ClassVar[str] = (
        "The video shows a lighthouse with {colour} stripes by night. Its lamp is dark, lights up and goes dark again: "
        "that is one flash."
    )
    BESIDE: ClassVar[str] = (
        "Beside it one with {other} stripes flashes at its own pace: count the flashes over the {colour} stripes only."
    )
    ASKS: ClassVar[str] = "How many times does the lighthouse with {colour} stripes flash?"
    HEIGHT: ClassVar[float] = 46

    def ground(self) -> Colour:
        return shade(LOOKS[self.look][1], 0.42)

    def behind(self, props: Props) -> list[Placement]:
        return self.floor(props, 88, (36, 62, 92), (70, 100, 130))

    def thing(self, props: Props, x: float, colour: str, number: int) -> Thing:
        paint = COLOURS[colour]
        shapes: list[Shape] = [Polygon(((6, 0), (14, 0), (17, 44), (3, 44)), (214, 212, 206))]
        for y in (4, 22):
            outline = ((-1, y), (1, y), (1, y + 9), (-1, y + 9))
            shapes.append(Polygon(tuple((10 + sense * (4 + 3 * down / 44), down) for sense, down in outline), paint))
        rock = Polygon(((2, 43), (18, 43), (20, 52), (0, 52)), (92, 86, 84))
        tower = props.picture(20, 52, *shapes, Rectangle(8.4, 36, 3.2, 6, INK, 1.4), rock)
        cap = props.picture(14, 7, Polygon(((7, 0), (12, 7), (2, 7)), paint))
        deck = props.picture(13, 1.8, Rectangle(0, 0, 13, 1.8, INK, 0.4))
        glass = props.picture(7, 7, Rectangle(0, 0, 7, 7, (62, 64, 70), 1))
        lit = props.picture(7, 7, Rectangle(0, 0, 7, 7, (255, 240, 170), 1))
        rings = []
        for off, part in ((0, 0.16), (5, 0.36), (10, 0.62)):
            red, green, blue = (
                round(one + (other - one) * part) for one, other in zip(self.ground(), (255, 232, 140), strict=True)
            )
            rings.append(Ellipse(off, off, 34 - 2 * off, 34 - 2 * off, (red, green, blue)))
        halo = props.picture(34, 34, *rings)
        still = [props.put(tower, x, 69), props.put(glass, x, 38.6)]
        still += [props.put(deck, x, 43, depth=1), props.put(cap, x, 31.8, depth=1)]

        def draw(dark: float) -> list[Placement]:
            bright = round(1 - dark, 3)
            if not bright:
                return []
            return [props.put(halo, x, 38.6, opacity=bright, depth=-1), props.put(lit, x, 38.6, opacity=bright)]

        # Dark for a third of the cycle, so that one flash is told from the next.
        table, away = [draw(level / 6) for level in range(7)], self.away()
        return still, lambda phase: table[round(6 * min(1.0, 1.5 * away(phase)))]


# ---------------------------------------------------------------------------------------------------- pucks


class Collisions(Counting):
    """Two pucks slide together, knock, and slide apart."""

    NAME: ClassVar[str] = "collisions"
    DEMONSTRATION: ClassVar[Demonstration] = "object"
    VARIATIONS: ClassVar[tuple[Variation, ...]] = ("plain", "counterfactual", "zoomed_in", "first_person")
    SHOWS: ClassVar[str] = (
        "The video shows {a} puck and {another} one that slide towards each other, knock together in the middle, and "
        "slide apart again. Each time they touch is one collision."
    )
    ASKS: ClassVar[str] = "How many times do the two pucks collide?"

    def behind(self, props: Props) -> list[Placement]:
        ground, dark = LOOKS[self.look]
        table = props.box(61, 36, shade(ground, 0.9), 4)
        line = props.picture(0.8, 34, Rectangle(0, 0, 0.8, 34, shade(dark, 2.2)))
        return [props.put(table, self.middle, 52), props.put(line, self.middle, 52)]

    def thing(self, props: Props, x: float, colour: str, number: int) -> Thing:
        size, pucks = 11.0, []
        for name in self.colours:
            rim, inner = rimmed(Ellipse(0, 0, size, size, COLOURS[name]))
            pucks.append(props.picture(size, size, rim, inner, Ellipse(3.2, 3.2, 4.6, 4.6, shade(COLOURS[name], 1.6))))
        sense, away = -1 if self.side == "left" else 1, self.away()

        def moves(phase: float) -> list[Placement]:
            far = size / 2 + 18 * sin(pi / 2 * away(phase))
            return [props.put(puck, x, 52, way * sense * far) for way, puck in zip((1, -1), pucks, strict=True)]

        return [], moves


# ---------------------------------------------------------------------------------------------------- press


class Presses(Counting):
    """A machine whose head comes down on a block."""

    NAME: ClassVar[str] = "presses"
    DEMONSTRATION: ClassVar[Demonstration] = "object"
    SHOWS: ClassVar[str] = (
        "The video shows a machine with {a} head that comes down on a block and goes up again. Each time it comes down "
        "on the block is one stroke."
    )
    BESIDE: ClassVar[str] = "Beside it one with {a} head works at its own pace: count the {colour} one only."
    ASKS: ClassVar[str] = "How many strokes does the {colour} head make?"
    HEIGHT: ClassVar[float] = 54

    def thing(self, props: Props, x: float, colour: str, number: int) -> Thing:
        _, dark = LOOKS[self.look]
        steel, paint = shade(dark, 1.4), COLOURS[colour]
        column, beam = props.box(3.4, 50, steel), props.box(38, 7, dark, 1)
        bed, block = props.box(38, 6, dark, 1), props.box(14, 6, shade(dark, 2))
        rod, tool = Rectangle(7, 0, 4, 36, shade(INK, 2)), Rectangle(0, 32, 18, 12, paint, 1)
        head = props.picture(18, 44, rod, *rimmed(tool))
        still = [props.put(column, x, 56, side * 16.6) for side in (-1, 1)]
        still += [props.put(bed, x, 82), props.put(block, x, 76), props.put(beam, x, 35, depth=1)]
        away = self.away()
        return still, lambda phase: [props.put(head, x, 51 - 18 * ease(away(phase)))]


# ---------------------------------------------------------------------------------------------------- plain shapes


class Bumps(Counting):
    """A square slides up to a wall and back."""

    NAME: ClassVar[str] = "bumps"
    DEMONSTRATION: ClassVar[Demonstration] = "simulated"
    SHOWS: ClassVar[str] = (
        "The video shows {a} square that slides up to a wall and back again. Each time it touches the wall is one bump."
    )
    BESIDE: ClassVar[str] = "In the other lane {a} square does the same at its own pace: count the {colour} one only."
    ASKS: ClassVar[str] = "How many times does the {colour} square bump into the wall?"
    SLOTS: ClassVar[tuple[float, float]] = (34, 70)

    def focus(self) -> tuple[float, float]:
        return 50, 50 + self.place

    def behind(self, props: Props) -> list[Placement]:
        return [props.put(props.box(5, 62, LOOKS[self.look][1]), self.across(76), 56)]

    def thing(self, props: Props, x: float, colour: str, number: int) -> Thing:
        size, lane = 12.0, props.picture(52, 0.8, Rectangle(0, 0, 52, 0.8, shade(LOOKS[self.look][1], 2)))
        square, away = props.box(size, size, COLOURS[colour]), self.away()

        def moves(phase: float) -> list[Placement]:
            way = 38 * sin(pi / 2 * away(phase))
            return [props.put(square, self.across(73.5 - size / 2 - way), x)]

        # The slots are lanes one above the other.
        return [props.put(lane, self.across(47.5), x + size / 2 + 1)], moves


class Pulses(Counting):
    """A shape that grows and shrinks."""

    NAME: ClassVar[str] = "pulses"
    DEMONSTRATION: ClassVar[Demonstration] = "simulated"
    SHOWS: ClassVar[str] = (
        "The video shows {a} shape that is small, grows large, and is small again: that is one pulse."
    )
    BESIDE: ClassVar[str] = "Beside it {a} shape pulses at its own pace: count the {colour} one only."
    ASKS: ClassVar[str] = "How many times does the {colour} shape pulse?"

    def thing(self, props: Props, x: float, colour: str, number: int) -> Thing:
        kind = (self.look + number) % 3

        def draw(small: float) -> list[Placement]:
            size, paint = 28 - 16 * small, COLOURS[colour]
            if kind == 0:
                return [props.put(props.disc(size, size, paint), x, 52)]
            if kind == 1:
                return [props.put(props.box(size, size, paint), x, 52)]
            half = size / 2
            outline = ((half, 0), (size, half), (half, size), (0, half))
            inner = tuple((half + (across - half) * 0.9, half + (down - half) * 0.9) for across, down in outline)
            diamond = props.picture(size, size, Polygon(outline, shade(paint, 0.6)), Polygon(inner, paint))
            return [props.put(diamond, x, 52)]

        return [], self.in_levels(9, draw)


# ---------------------------------------------------------------------------------------------------- people


class Person(Counting):
    """A person in a shirt of a named colour does it."""

    DEMONSTRATION: ClassVar[Demonstration] = "human"
    HEIGHT: ClassVar[float] = 52
    FEET: ClassVar[float] = 88
    TALL: ClassVar[float] = 60

    def behind(self, props: Props) -> list[Placement]:
        tone = shade(LOOKS[self.look][1], 1.8)
        return self.floor(props, self.FEET - 3, tone, shade(tone, 0.85))

    def figure(self, props: Props, colour: str, number: int, view: Literal["front", "side"] = "front") -> Figure:
        """The person in the shirt of this colour. There are few, so that clips share their sprites."""
        allowed = UNLIKE.get(colour, range(len(SKINS)))
        skin = allowed[(self.look + number) % 3]
        build = Build(self.TALL, COLOURS[colour], TROUSERS[self.look % 2], SKINS[skin], HAIRS[(1, 2, 4, 0, 0)[skin]])
        return Figure(props, build, view=view)

    def outwards(self, x: float) -> tuple[Side, int]:
        """The side of the picture to which a person's arm goes, and its sign: away from a second person."""
        is_right = x > 50 if self.variation == "composite" else self.side == "right"
        return ("right", 1) if is_right else ("left", -1)


class Claps(Person):
    NAME: ClassVar[str] = "claps"
    SHOWS: ClassVar[str] = (
        "The video shows a person in {a} shirt whose hands come together and part again. Each time they meet is one "
        "clap."
    )
    BESIDE: ClassVar[str] = "A second one, in {a} shirt, claps at another pace: count the person in {colour} only."
    ASKS: ClassVar[str] = "How many times does the person in the {colour} shirt clap?"

    def thing(self, props: Props, x: float, colour: str, number: int) -> Thing:
        person = self.figure(props, colour, number)

        def draw(away: float) -> list[Placement]:
            fore = round(222 - 96 * away)
            right = person.arm("right", x, self.FEET, 6, fore)
            return [*person.arm("left", x, self.FEET, -6, -fore), *right]

        return person.standing(x, self.FEET), self.in_levels(9, draw)


class Waves(Person):
    NAME: ClassVar[str] = "waves"
    SHOWS: ClassVar[str] = (
        "The video shows a person in {a} shirt with one hand up. Each time that this hand goes over to the head and "
        "out again is one wave."
    )
    BESIDE: ClassVar[str] = "A second one, in {a} shirt, waves at another pace: count the person in {colour} only."
    ASKS: ClassVar[str] = "How many times does the person in the {colour} shirt wave?"

    def thing(self, props: Props, x: float, colour: str, number: int) -> Thing:
        person = self.figure(props, colour, number)
        side, sense = self.outwards(x)
        still = person.standing(x, self.FEET)
        still += person.arm("left" if side == "right" else "right", x, self.FEET, -6 * sense, -6 * sense)
        return still, self.in_levels(
            8, lambda away: person.arm(side, x, self.FEET, 120 * sense, sense * round(220 - 84 * away))
        )


class Jumps(Person):
    NAME: ClassVar[str] = "jumps"
    SHOWS: ClassVar[str] = (
        "The video shows a person in {a} shirt who jumps up on the spot. Each time that both feet leave the ground and "
        "come down again is one jump."
    )
    BESIDE: ClassVar[str] = "A second one, in {a} shirt, jumps at another pace: count the person in {colour} only."
    ASKS: ClassVar[str] = "How many times does the person in the {colour} shirt jump?"
    LEVELS: ClassVar[int] = 24
    TALL: ClassVar[float] = 48
    HEIGHT: ClassVar[float] = 60

    def thing(self, props: Props, x: float, colour: str, number: int) -> Thing:
        person = self.figure(props, colour, number)

        def draw(level: int) -> list[Placement]:
            up = level / self.LEVELS
            y, arm = self.FEET - 11 * up, 12 + 12 * round(3 * up)
            arms = [*person.arm("left", x, y, -arm, -arm), *person.arm("right", x, y, arm, arm)]
            return [*person.standing(x, y), *arms]

        ready = [draw(level) for level in range(self.LEVELS + 1)]
        shadow = props.picture(20, 3, Ellipse(0, 0, 20, 3, shade(LOOKS[self.look][1], 1.3)))
        # On the ground for three tenths of the cycle, in the air as a thing that was thrown up.
        return [props.put(shadow, x, self.FEET + 0.4)], lambda phase: ready[
            round(self.LEVELS * max(0.0, 1 - ((2 * phase - 1) / 0.7) ** 2))
        ]


class Knocks(Person):
    NAME: ClassVar[str] = "knocks"
    VARIATIONS: ClassVar[tuple[Variation, ...]] = ("plain", "counterfactual", "zoomed_in", "first_person")
    SHOWS: ClassVar[str] = (
        "The video shows a person in {a} shirt at a door, both seen from the side. The fist goes to the door and back. "
        "Each time it touches the door is one knock."
    )
    ASKS: ClassVar[str] = "How many times does the person knock on the door?"

    def focus(self) -> tuple[float, float]:
        return self.middle + 6, self.HEIGHT

    def thing(self, props: Props, x: float, colour: str, number: int) -> Thing:
        person = self.figure(props, colour, number, "side")
        x -= 6
        dark = LOOKS[self.look][1]
        knob = props.picture(5, 3, Rectangle(2, 0.9, 3, 1.2, INK), Ellipse(0, 0, 3, 3, INK))
        still = [
            props.put(props.box(5, 72, shade((150, 104, 66), 1.1)), x + 23.6, self.FEET - 36),
            props.put(props.box(9, 5, dark), x + 23.6, self.FEET - 73),
            props.put(knob, x + 20, self.FEET - 25),
            *person.arm("left", x, self.FEET, -6, 6),
            *person.standing(x, self.FEET),
        ]
        return still, self.in_levels(7, lambda away: person.arm("right", x, self.FEET, 60, round(96 + 60 * away)))


class Beats(Person):
    NAME: ClassVar[str] = "drum_beats"
    SHOWS: ClassVar[str] = (
        "The video shows a person in {a} shirt who beats a drum with one hand. Each time the hand comes down on the "
        "drum is one beat."
    )
    BESIDE: ClassVar[str] = (
        "A second one, in {a} shirt, beats a drum at another pace: count the person in {colour} only."
    )
    ASKS: ClassVar[str] = "How many times does the person in the {colour} shirt beat the drum?"
    SLOTS: ClassVar[tuple[float, float]] = (38, 62)

    def focus(self) -> tuple[float, float]:
        return self.middle + 9 * self.outwards(self.middle)[1], self.HEIGHT + 6

    def thing(self, props: Props, x: float, colour: str, number: int) -> Thing:
        person = self.figure(props, colour, number)
        side, sense = self.outwards(x)
        high, wood = 26.0, (176, 112, 66)
        shell = [
            Polygon(((off, 2), (16 - off, 2), (12 - off, high - off), (4 + off, high - off)), tone)
            for off, tone in ((0.4, shade(wood, 0.65)), (1, wood))
        ]
        cords = [Line(((8 + across, 3), (8 + 0.5 * across, high)), 0.7, PAPER) for across in (-5, 0, 5)]
        skin = Ellipse(0, 0, 16, 5, INK), Ellipse(0.7, 0.5, 14.6, 3.8, PAPER)
        drum = props.picture(16, high, *shell, *cords, *skin)
        still = [*person.standing(x, self.FEET), props.put(drum, x + 20 * sense, self.FEET - high / 2 + 1)]
        still += person.arm("left" if side == "right" else "right", x, self.FEET, -6 * sense, -6 * sense)
        return still, self.in_levels(
            8, lambda away: person.arm(side, x, self.FEET, 24 * sense, sense * round(48 + 84 * away))
        )


EVERY: tuple[type[Counting], ...] = (
    Bounces,
    CarLaps,
    Flashes,
    Collisions,
    Presses,
    Claps,
    Waves,
    Jumps,
    Knocks,
    Beats,
    DotLaps,
    Bumps,
    Pulses,
)
SCRIPTS: Mapping[str, type[Counting]] = {script.NAME: script for script in EVERY}

FAMILY = single_clip_family(
    name="action_count",
    version=1,
    summary="How many times something happens: bounces, laps, flashes, claps, jumps, knocks and others, 0 to 12.",
    settings=ActionCountSettings,
    scripts=tuple(SCRIPTS.values()),
    drivers={"count": "times"},
)

if __name__ == "__main__":
    from generators.command import main

    main(["action_count", *sys.argv[1:]])
