"""Rotation: one way, the other way, one and then the other, or no steady turn at all; flat or about an axis in depth.

Everything goes through the poses of a turn equally often, so that frames without their order tell nothing.
"""

import sys
from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise
from math import ceil, cos, pi, sin, sqrt
from random import Random
from typing import Annotated, Any, ClassVar, Self

from annotated_types import Len
from pydantic import Field, model_validator

from generators.errors import InputError
from generators.figures import SIDES, Figure, Side, some_build
from generators.pairs import draw_real
from generators.props import Props
from generators.randomness import Streams, stream
from generators.rendering.scene import Colour, Ellipse, Line, Placement, Polygon, Rectangle, Shape, Sprite, Text
from generators.single_clips import (
    Asked,
    Demonstration,
    FiveWays,
    Pictures,
    SingleSettings,
    Variation,
    single_clip_family,
)
from generators.stage import COLOURS, INK, LOOKS, PAPER, Stage, a, shade
from simulators.walks import distance, drawn_jumps, jumping, ring

# ---------------------------------------------------------------------------------------------------- turning


class RotationSettings(SingleSettings):
    pass


FILLED = 0.78
"""The share of a clip that is motion, at least."""

LONGEST_STEP, SHORTEST_STEP = 0.18, 0.07
"""Seconds for which a pose is shown: short enough to look like motion, long enough to see a jump."""

REST_SECONDS = 0.4
"""How long things stand still at either end of a clip, at least."""

LEEWAY = 6
"""Units by which a thing may stand aside of its usual place."""

MARKS = ("blue", "green", "orange", "red")
"""Colours of the part to watch: few, so that clips share the pictures of what turns."""


class Turning(FiveWays):
    """Something turns through its poses, of which pose k stands for that share of a turn forwards."""

    POSES: ClassVar[tuple[int, ...]] = (12, 18, 24, 36)

    look: int = Field(ge=0, lt=len(LOOKS))
    colour: str
    x: int = Field(ge=-LEEWAY, le=LEEWAY)
    y: int = Field(ge=-LEEWAY, le=LEEWAY)
    """Units to the right and down from the usual place."""
    start: int = Field(ge=0, lt=36)
    """The pose that a clip begins and ends with."""
    laps: int = Field(ge=2, le=400)
    """Turns that are made in all, or half of them each way."""
    lap: int = Field(ge=7, le=10_000)
    """Frames of one turn."""
    rests: Annotated[list[Annotated[int, Field(ge=1, le=20_000)]], Len(2, 2)]
    """Frames of stillness before and after."""
    jumps: Annotated[list[Annotated[int, Field(ge=1, lt=36)]], Len(7, 35)]
    """The order of the poses, counted from the first one, where nothing turns steadily."""

    @model_validator(mode="after")
    def _turns(self) -> Self:
        poses = self.poses
        if poses not in self.POSES or self.start >= poses or self.lap < poses or self.laps % 2:
            raise ValueError(
                f"a turn has {self.POSES} poses and a frame or more for each; the turns are even in number"
            )
        if self.frames != sum(self.rests) + self.laps * self.lap:
            raise ValueError("rests and turns make up the clip")
        order = jumping(self.jumps)
        if any(distance(poses, one, other) < poses // 4 for one, other in pairwise([*order, 0])):
            raise ValueError("jumps are of a quarter of a turn or more")
        if self.colour not in MARKS:
            raise ValueError(f"what is to be watched is of one of the colours {', '.join(MARKS)}")
        if not self.shows(self.start / poses):
            raise ValueError("a clip begins where what is to be watched is seen")
        return self

    @property
    def poses(self) -> int:
        return len(self.jumps) + 1

    @classmethod
    def timing(cls, settings: RotationSettings, random: Random) -> tuple[int, int, int, list[int]]:
        """Poses and frames of a turn, how many turns, and the rests before and after."""
        frames, fps = round(draw_real(settings.seconds, random) * settings.fps), settings.fps
        rest = max(1, round(REST_SECONDS * fps))
        least, most = ceil(FILLED * frames), frames - 2 * rest
        # As many turns as make them neither too quick nor too slow for one of the numbers of poses.
        possible = [
            (poses, low, high, laps)
            for laps in range(2, 2 + most // min(cls.POSES), 2)
            for poses in cls.POSES
            for low in [max(poses, ceil(least / laps), ceil(SHORTEST_STEP * poses * fps))]
            # Where a pose is a frame long, that may be longer.
            for high in [min(most // laps, max(poses if fps >= 5 else 0, int(LONGEST_STEP * poses * fps)))]
            if low <= high
        ]
        if not possible:
            raise InputError("a clip is too short for turns that a viewer can follow: raise --seconds or --fps")
        # Slow turns can be told from fewer frames.
        fewest = min(laps for *_, laps in possible)
        possible = [one for one in possible if one[3] <= fewest + 2]
        poses = random.choice(sorted({poses for poses, *_ in possible}))
        _, low, high, laps = random.choice([one for one in possible if one[0] == poses])
        lap = random.randint(low, high)
        still = frames - laps * lap
        begin = random.randint(rest, still - rest)
        return poses, lap, laps, [begin, still - begin]

    @classmethod
    def draw(cls, settings: RotationSettings, streams: Streams, variation: Variation) -> Self:
        random = streams("plan")
        poses, lap, laps, rests = cls.timing(settings, random)
        jumps = drawn_jumps(poses, poses // 4, random)
        while not 0.3 <= sum(step < poses / 2 for step in _steps(jumps)) / poses <= 0.7:
            jumps = drawn_jumps(poses, poses // 4, random)
        fields: dict[str, Any] = {
            "fps": settings.fps,
            "frames": sum(rests) + laps * lap,
            "variation": variation,
            "look": random.randrange(len(LOOKS)),
            "colour": random.choice(MARKS),
            "x": random.randint(-LEEWAY, LEEWAY),
            "y": random.randint(-LEEWAY, LEEWAY),
            "turns": "forwards",
            "start": 0,
            "laps": laps,
            "lap": lap,
            "rests": rests,
            "jumps": jumps,
        }
        drawn = cls(**fields, **cls.extras(random))
        starts = [pose for pose in range(poses) if drawn.shows(pose / poses)]
        return drawn.model_copy(update={"start": random.choice(starts)})

    @classmethod
    def extras(cls, random: Random) -> dict[str, Any]:
        """What a script draws beside."""
        return {}

    def shows(self, share: float) -> bool:
        """Whether what is to be watched is in plain view after this share of a turn: at least at 0."""
        return True

    @property
    def ways(self) -> tuple[str, str]:
        return "clockwise", "counter-clockwise"

    @property
    def rule(self) -> str:
        return "Clockwise means from the top of the picture to the right, down, and up again on the left."

    def walk(self) -> list[int]:
        poses, start, half = self.poses, self.start, self.laps // 2
        forwards, backwards = ring(poses, 1, start), ring(poses, -1, start)
        first, second = {
            "forwards": (forwards, forwards),
            "backwards": (backwards, backwards),
            "forwards first": (forwards, backwards),
            "backwards first": (backwards, forwards),
            "neither": (jumping(self.jumps, start), jumping(self.jumps[::-1], start)),
        }[self.turns]
        # Some poses are shown a frame longer than others, so that a turn may take any number of frames.
        times = [self.lap * (pose + 1) // poses - self.lap * pose // poses for pose in range(poses)]
        before, after = self.rests
        return [
            *[start] * before,
            *(pose for laps in (first * half, second * half) for pose in laps for _ in range(times[pose])),
            *[start] * after,
        ]

    def spans(self) -> tuple[tuple[int, int], ...]:
        begin, lap = self.rests[0], self.lap
        return tuple((begin + lap * number, begin + lap * (number + 1)) for number in range(self.laps))

    def seen(self) -> tuple[tuple[int, int], ...]:
        # Six frames a turn tell which way it goes, and a steady turn from jumps.
        sixth = max(1, self.lap // 6)
        return tuple((first, first + sixth) for first, _ in self.spans())

    def measures(self) -> dict[str, int | float]:
        return {"turns": self.laps, "turns_a_second": round(self.fps / self.lap, 3)}

    # What all pictures need.

    @property
    def middle(self) -> tuple[float, float]:
        """Where the middle of what turns is."""
        return 50.0 + self.x, 50.0 + self.y

    def focus(self) -> tuple[float, float]:
        return self.middle

    def rocking(self, pose: int) -> float:
        """How far, from -1 to 1, something beside it has gone that only goes to and fro."""
        return sin(2 * pi * pose / self.poses)

    def drawn(self, props: Props, at: Callable[[int], list[Placement]], ground: Colour) -> Pictures:
        """All poses, worked out at once, so that the atlas holds every sprite."""
        poses = [at(pose) for pose in range(self.poses)]
        return Pictures(props.atlas.sprites, poses.__getitem__, ground)

    def asked(self) -> Asked:
        context, stem = self.words()
        steady = "The turning may keep one way, change it once, or have no steady way at all."
        return Asked(f"{context} {steady} {self.rule}", stem)

    def words(self) -> tuple[str, str]:
        """What the video shows, and the question."""
        raise NotImplementedError(self)

    def told(self, variation: Variation, words: str) -> str:
        """The words, where the clip has this twist."""
        return words if self.variation == variation else ""


def _steps(jumps: Sequence[int]) -> list[int]:
    order = [0, *jumps, 0]
    return [(other - one) % (len(jumps) + 1) for one, other in pairwise(order)]


def _around(share: float) -> tuple[float, float]:
    """Where on a circle of radius 1 something is that has gone this share of a turn clockwise from the top."""
    return sin(2 * pi * share), -cos(2 * pi * share)


class Arrowed(Turning):
    """What turns has, as a twist, an arrow painted beside it that points one way whatever happens."""

    points_forwards: bool
    """Where the arrow points, if there is one."""

    @classmethod
    def extras(cls, random: Random) -> dict[str, Any]:
        return {**super().extras(random), "points_forwards": random.random() < 0.5}

    def said_of(self, place: str) -> str:
        """The words about the arrow, if there is one."""
        return self.told("counterfactual", f" The arrow painted on {place} need not be true.")


def bent_arrow(props: Props, clockwise: bool) -> int:
    """An arrow over the upper half of a circle."""
    width, height, reach = 18.0, 11.0, 6.0
    arc = [_around(number / 32) for number in range(-7, 8)]
    tip = (_around(0.31), _around(0.2), _around(0.24))
    head = [
        (across * far, down * far) for (across, down), far in zip(tip, (reach, reach + 2.8, reach - 2.8), strict=True)
    ]
    sense = 1 if clockwise else -1
    shapes: list[Shape] = [
        Line(tuple((width / 2 + sense * reach * x, 8 + reach * y) for x, y in arc[:-1]), 1.6, INK),
        Polygon(tuple((width / 2 + sense * x, 8 + y) for x, y in head), INK),
    ]
    return props.picture(width, height, *shapes)


def straight_arrow(props: Props, to_the_right: bool) -> int:
    width, height = 14.0, 6.0
    tip, neck, end = (13.5, 9.0, 0.8) if to_the_right else (0.5, 5.0, 13.2)
    return props.picture(
        width,
        height,
        Line(((end, 3), (neck, 3)), 1.6, INK),
        Polygon(((tip, 3), (neck, 0.4), (neck, 5.6)), INK),
    )


# ---------------------------------------------------------------------------------------------------- clock


class Clock(Turning):
    """A clock with one hand. Where its numbers run backwards, that is against what everybody knows."""

    NAME: ClassVar[str] = "clock"
    DEMONSTRATION: ClassVar[Demonstration] = "object"
    VARIATIONS: ClassVar[tuple[Variation, ...]] = ("plain", "counterfactual", "zoomed_in", "first_person")

    def words(self) -> tuple[str, str]:
        numbers = " The numbers on its face run the other way round: go by the picture, not by the numbers."
        return (
            f"The video shows a clock with a single hand, which has {a(self.colour)} knob at its end."
            + self.told("counterfactual", numbers),
            "Which way does the hand of the clock turn?",
        )

    def pictures(self, settings: RotationSettings) -> Pictures:
        props, (ground, dark) = Props(Stage(settings.resolution)), LOOKS[self.look]
        where, reach = self.middle, 15.0
        face = props.disc(60, 60, PAPER)
        knob, hub = props.disc(6, 6, COLOURS[self.colour]), props.disc(5, 5, INK)
        order = range(12, 0, -1) if self.variation == "counterfactual" else range(12)
        fixed = [props.put(face, *where)]
        for number, hour in enumerate(order):
            width, height = props.stage.even(8), props.stage.even(6)
            text = Text(width / 2, height / 2, str(hour or 12), 5.5 * props.stage.unit, dark)
            numeral = props.atlas.add(Sprite(width, height, (text,)))
            fixed.append(props.put(numeral, *where, *(25 * part for part in _around(number / 12))))

        def at(pose: int) -> list[Placement]:
            right, down = (reach * part for part in _around(pose / self.poses))
            hand = _bar(props, right, down, 2.4, INK)
            return [
                *fixed,
                props.put(hand, *where, right / 2, down / 2),
                props.put(hub, *where),
                props.put(knob, *where, 1.25 * right, 1.25 * down),
            ]

        return self.drawn(props, at, ground)


def _bar(props: Props, right: float, down: float, width: float, colour: Colour) -> int:
    """A straight bar that reaches so far to the right and down."""
    across, high = abs(right) + width + 1, abs(down) + width + 1
    ends = (across / 2 - right / 2, high / 2 - down / 2), (across / 2 + right / 2, high / 2 + down / 2)
    return props.picture(across, high, Line(ends, width, colour))


# ---------------------------------------------------------------------------------------------------- big wheel


class BigWheel(Turning):
    """A big wheel with cabins, one of another colour. A second wheel beside it may rock to and fro."""

    NAME: ClassVar[str] = "big_wheel"
    DEMONSTRATION: ClassVar[Demonstration] = "object"
    VARIATIONS: ClassVar[tuple[Variation, ...]] = ("plain", "composite", "zoomed_in", "first_person")

    side: Side
    """Which of two wheels is asked about."""

    @classmethod
    def extras(cls, random: Random) -> dict[str, Any]:
        return {"side": random.choice(SIDES)}

    def words(self) -> tuple[str, str]:
        if self.variation == "composite":
            return (
                f"The video shows two big wheels side by side. Each has three grey cabins and {a(self.colour)} one, "
                f"which stay upright. What is asked about is the wheel on the {self.side}, not the other one.",
                f"Which way does the big wheel on the {self.side} turn?",
            )
        return (
            f"The video shows a big wheel with grey cabins and {a(self.colour)} one, which stay upright.",
            "Which way does the big wheel turn?",
        )

    def pictures(self, settings: RotationSettings) -> Pictures:
        props, (ground, dark) = Props(Stage(settings.resolution)), LOOKS[self.look]
        if self.variation == "composite":
            radius, size, number, sense = 16.0, 7.0, 4, 1 if self.side == "right" else -1
            places = [(50.0 + sense * 22, 46.0 + self.y), (50.0 - sense * 22, 46.0 + self.y)]
        else:
            radius, size, number = 25.0, 9.0, 5
            places = [self.middle]
        rim = props.picture(
            2 * radius + 2,
            2 * radius + 2,
            Ellipse(0, 0, 2 * radius + 2, 2 * radius + 2, shade(dark, 1.5)),
            Ellipse(2, 2, 2 * radius - 2, 2 * radius - 2, ground),
        )
        leg = props.picture(
            24,
            radius + 16,
            Line(((12, 1), (1, radius + 15)), 2, dark),
            Line(((12, 1), (23, radius + 15)), 2, dark),
        )
        hub, others, marked = (
            props.disc(6, 6, dark),
            _cabin(props, size, GREY),
            _cabin(props, size, COLOURS[self.colour]),
        )
        fixed = [
            placed
            for place in places
            for placed in (props.put(rim, *place), props.put(leg, *place, 0, radius / 2 + 8), props.put(hub, *place))
        ]

        def at(pose: int) -> list[Placement]:
            shares = pose / self.poses, 0.16 * self.rocking(pose)
            placed = list(fixed)
            for place, share in zip(places, shares, strict=False):
                for cabin in range(number):
                    dx, dy = (radius * part for part in _around(share + cabin / number))
                    placed.append(props.put(others if cabin else marked, *place, dx, dy))
            return placed

        return self.drawn(props, at, ground)


GREY: Colour = (150, 150, 156)


def _cabin(props: Props, size: float, colour: Colour) -> int:
    inner = size - 1.2
    return props.picture(
        size,
        size,
        Rectangle(0, 0, size, size, shade(colour, 0.6), size / 4),
        Rectangle(0.6, 0.6, inner, inner, colour, size / 4 - 0.6),
        Rectangle(size * 0.2, size * 0.22, size * 0.6, size * 0.3, shade(colour, 3), 0.5),
    )


# ---------------------------------------------------------------------------------------------------- windmill


class Windmill(Arrowed):
    """A windmill, one of whose sails has a coloured end. An arrow on its tower may lie."""

    NAME: ClassVar[str] = "windmill"
    DEMONSTRATION: ClassVar[Demonstration] = "object"
    VARIATIONS: ClassVar[tuple[Variation, ...]] = ("plain", "counterfactual", "zoomed_in")
    # A quarter of a turn looks as before, but for the coloured end: few pictures show them all.
    POSES: ClassVar[tuple[int, ...]] = (12, 24, 36)

    @property
    def middle(self) -> tuple[float, float]:
        return 50.0 + self.x, 38.0 + self.y

    def words(self) -> tuple[str, str]:
        return (
            f"The video shows a windmill. One of its four sails has {a(self.colour)} disc at its end."
            + self.said_of("its tower"),
            "Which way do the sails of the windmill turn?",
        )

    def pictures(self, settings: RotationSettings) -> Pictures:
        props, (ground, dark) = Props(Stage(settings.resolution)), LOOKS[self.look]
        where = self.middle
        tower = props.picture(26, 56, Polygon(((8, 4), (18, 4), (26, 56), (0, 56)), shade(dark, 1.5)))
        cap = props.picture(14, 10, Ellipse(0, 0, 14, 20, dark))
        fixed = [props.put(tower, *where, 0, 26), props.put(cap, *where)]
        if self.variation == "counterfactual":
            fixed.append(props.put(bent_arrow(props, self.points_forwards), *where, 0, 32))
        else:
            fixed.append(props.put(props.box(6, 8, shade(dark, 0.8), 2), *where, 0, 34))
        quarter = self.poses // 4
        sails = [_sails(props, pose / self.poses) for pose in range(quarter)]
        end, hub = props.disc(6, 6, COLOURS[self.colour]), props.disc(4, 4, INK)

        def at(pose: int) -> list[Placement]:
            tip = (21.0 * part for part in _around(pose / self.poses))
            return [
                *fixed,
                props.put(sails[pose % quarter], *where),
                props.put(hub, *where),
                props.put(end, *where, *tip),
            ]

        return self.drawn(props, at, ground)


def _sails(props: Props, share: float) -> int:
    """Four sails, of which the first has gone so far clockwise from the top."""
    reach, size = 19.0, 40.0
    shapes: list[Shape] = []
    for number in range(4):
        (right, down), (aside, below) = _around(share + number / 4), _around(share + number / 4 + 0.25)
        cloth = ((6.0, 0.0), (reach, 0.0), (reach, 4.6), (6.0, 4.6))
        shapes.append(
            Polygon(tuple((20 + far * right + off * aside, 20 + far * down + off * below) for far, off in cloth), CLOTH)
        )
    for share_of_half in (share, share + 0.25):
        right, down = (reach * part for part in _around(share_of_half))
        shapes.append(Line(((20 - right, 20 - down), (20 + right, 20 + down)), 1.6, INK))
    return props.picture(size, size, *shapes)


CLOTH: Colour = (196, 182, 152)

# ---------------------------------------------------------------------------------------------------- in depth


class InDepth(Turning):
    """What turns about an upright axis: forwards, its nearest part goes to the right."""

    @property
    def ways(self) -> tuple[str, str]:
        return "to the right", "to the left"

    @property
    def rule(self) -> str:
        return "Right and left are those of the picture."


def _level(share: float) -> tuple[float, float]:
    """How far to the right and how near (1 to -1) something is on a circle about an upright axis."""
    return sin(2 * pi * share), cos(2 * pi * share)


class Carousel(InDepth):
    """A merry-go-round with seats; as a twist, with horses that may have to go backwards."""

    NAME: ClassVar[str] = "carousel"
    DEMONSTRATION: ClassVar[Demonstration] = "object"
    VARIATIONS: ClassVar[tuple[Variation, ...]] = ("plain", "counterfactual", "zoomed_in")

    faces_forwards: bool
    """Which way round the horses look, if there are any."""

    @classmethod
    def extras(cls, random: Random) -> dict[str, Any]:
        return {"faces_forwards": random.random() < 0.5}

    def shows(self, share: float) -> bool:
        return _level(share)[1] >= 0

    def words(self) -> tuple[str, str]:
        seats, heads = "round seats", ""
        if self.variation == "counterfactual":
            seats, heads = "horses", " The way their heads look need not be the way they go."
        return (
            f"The video shows a merry-go-round with {seats}, {a(self.colour)} one among white ones.{heads}",
            "Which way does the part of the merry-go-round that is nearest to you go?",
        )

    def pictures(self, settings: RotationSettings) -> Pictures:
        props, (ground, dark) = Props(Stage(settings.resolution)), LOOKS[self.look]
        where, number = self.middle, 4
        floor, rim = props.disc(58, 20, shade(dark, 2)), props.disc(60, 21, shade(dark, 1.2))
        column = props.picture(
            7, 44, Rectangle(0, 0, 7, 44, shade(dark, 1.6)), Rectangle(0, 0, 2, 44, shade(dark, 1.2))
        )
        roof = props.picture(60, 16, Polygon(((30, 0), (60, 12), (54, 16), (6, 16), (0, 12)), dark))
        behind = [props.put(rim, *where, 0, 20), props.put(floor, *where, 0, 19)]
        before = [props.put(roof, *where, 0, -22)]
        middle = props.put(column, *where, 0, -2)
        draw, lifted = (_horse, -2) if self.variation == "counterfactual" else (_seat, 0)

        @cache
        def rider(is_marked: bool, nearness: int, looks_right: bool) -> int:
            colour = COLOURS[self.colour] if is_marked else PAPER
            return draw(props, (0.72, 0.86, 1.0)[nearness], colour, looks_right)

        def placed(share: float, is_marked: bool) -> tuple[float, Placement]:
            right, near = _level(share)
            looks_right = (near >= 0) == self.faces_forwards
            sprite = rider(is_marked, min(2, int(1.5 * (near + 1))), looks_right)
            return near, props.put(sprite, *where, 23 * right, 16 + lifted + 5 * near)

        def at(pose: int) -> list[Placement]:
            riders = [placed(pose / self.poses + one / number, one == 0) for one in range(number)]
            riders.sort(key=lambda one: one[0])
            far, near = [one for depth, one in riders if depth < 0], [one for depth, one in riders if depth >= 0]
            return [*behind, *far, middle, *near, *before]

        return self.drawn(props, at, ground)


def _seat(props: Props, size: float, colour: Colour, looks_right: bool) -> int:
    """A tub."""
    return props.picture(
        11 * size,
        9 * size,
        Rectangle(0, 0, 11 * size, 9 * size, shade(colour, 0.6), 3 * size),
        Rectangle(0.6, 0.6, 11 * size - 1.2, 9 * size - 1.2, colour, 2.6 * size),
        Ellipse(0.9, 0.7, 11 * size - 1.8, 2.8 * size, shade(colour, 0.5)),
    )


def _horse(props: Props, size: float, colour: Colour, looks_right: bool) -> int:
    width, height = 15.0, 13.0

    def points(*places: tuple[float, float]) -> tuple[tuple[float, float], ...]:
        return tuple(((x if looks_right else width - x) * size, y * size) for x, y in places)

    outline = points(
        (2, 5), (9, 5), (10.6, 1), (11.4, 0), (12, 1), (15, 3.4), (14.4, 4.6), (12.2, 4.2), (11.6, 8), (11.2, 13)
    ) + points((9.8, 13), (9.4, 9.4), (5.2, 9.4), (4.8, 13), (3.4, 13), (2.6, 9), (1.6, 7.4), (0.6, 10.6), (0, 10))
    eye = points((12.1, 2), (12.8, 2), (12.8, 2.7), (12.1, 2.7))
    return props.picture(
        width * size, height * size, Polygon(outline, colour), Line((*outline, outline[0]), 0.4, INK), Polygon(eye, INK)
    )


class Globe(InDepth, Arrowed):
    """A globe with patches of land on a stand, on which an arrow may lie."""

    NAME: ClassVar[str] = "globe"
    DEMONSTRATION: ClassVar[Demonstration] = "object"
    VARIATIONS: ClassVar[tuple[Variation, ...]] = ("plain", "counterfactual", "zoomed_in", "first_person")

    layout: int = Field(ge=0, lt=3)
    """How the patches lie."""

    @classmethod
    def extras(cls, random: Random) -> dict[str, Any]:
        return {**super().extras(random), "layout": random.randrange(len(LAYOUTS))}

    def shows(self, share: float) -> bool:
        return nearness(LAYOUTS[self.layout][0], share) >= 0.5

    def words(self) -> tuple[str, str]:
        return (
            f"The video shows a globe on a stand, with {a(self.colour)} patch on it and some white ones."
            + self.said_of("its stand"),
            "Which way does the part of the globe that is nearest to you go?",
        )

    def pictures(self, settings: RotationSettings) -> Pictures:
        props, (ground, dark) = Props(Stage(settings.resolution)), LOOKS[self.look]
        where, radius = (self.middle[0], self.middle[1] - 6), 22.0
        ball = props.disc(2 * radius, 2 * radius, (140, 176, 206))
        stand, foot = props.box(4, 14, dark, 1), props.box(26, 10, shade(dark, 1.6), 3)
        pin = props.box(3, 5, dark, 1)
        fixed = [props.put(pin, *where, 0, -radius - 1), props.put(stand, *where, 0, radius + 4)]
        fixed += [props.put(foot, *where, 0, radius + 12), props.put(ball, *where)]
        if self.variation == "counterfactual":
            fixed.append(props.put(straight_arrow(props, self.points_forwards), *where, 0, radius + 12))

        @cache
        def patch(is_marked: bool, width: int) -> int:
            colour = COLOURS[self.colour] if is_marked else PAPER
            return props.picture(2.0 * width, 10, Ellipse(0, 0, 2.0 * width, 10, colour))

        def at(pose: int) -> list[Placement]:
            placed = list(fixed)
            for number, (height, share) in enumerate(LAYOUTS[self.layout]):
                if nearness((height, share), pose / self.poses) < 0.12:
                    continue
                right, near = _level(pose / self.poses + share)
                level = sqrt(1 - height * height)
                width = max(1, round(6 * abs(near)))
                down = -height * cos(TILT) + level * near * sin(TILT)
                placed.append(
                    props.put(patch(number == 0, width), *where, 0.9 * radius * level * right, 0.85 * radius * down)
                )
            return placed

        return self.drawn(props, at, ground)


LAYOUTS: tuple[tuple[tuple[float, float], ...], ...] = (
    ((0.1, 0.0), (0.55, 0.17), (-0.4, 0.3), (0.35, 0.48), (-0.15, 0.62), (0.5, 0.8)),
    ((0.3, 0.0), (-0.35, 0.14), (0.5, 0.33), (-0.1, 0.5), (0.45, 0.66), (-0.45, 0.82)),
    ((-0.1, 0.0), (0.45, 0.1), (0.15, 0.3), (-0.45, 0.45), (0.5, 0.55), (0.0, 0.76)),
)
"""Sine of the latitude and share of a turn of each patch; the first one is coloured."""
TILT = 0.3
"""By how much the globe leans towards the viewer, in radians."""


def nearness(patch: tuple[float, float], share: float) -> float:
    """How near to the viewer, from 1 to -1, a patch is after this share of a turn; below 0 it is behind."""
    height, first = patch
    return height * sin(TILT) + sqrt(1 - height * height) * _level(share + first)[1] * cos(TILT)


# ---------------------------------------------------------------------------------------------------- shapes


SLIDES = " It also shifts as a whole, which does not count."


class Pattern(Turning):
    """Dots in the shape of an L turn in the plane, and may slide to and fro meanwhile."""

    NAME: ClassVar[str] = "pattern"
    DEMONSTRATION: ClassVar[Demonstration] = "simulated"
    VARIATIONS: ClassVar[tuple[Variation, ...]] = ("plain", "composite", "zoomed_in")

    is_mirrored: bool
    spread: int = Field(ge=8, le=10)
    """Units from one dot to the next."""

    @classmethod
    def extras(cls, random: Random) -> dict[str, Any]:
        return {"is_mirrored": random.random() < 0.5, "spread": random.randint(8, 10)}

    def words(self) -> tuple[str, str]:
        slides = self.told("composite", SLIDES)
        return (
            f"The video shows a rigid pattern of dots, grey ones and {a(self.colour)} one.{slides} What is asked is "
            "how the pattern turns about itself.",
            "Which way does the pattern of dots turn?",
        )

    def pictures(self, settings: RotationSettings) -> Pictures:
        props, (ground, dark) = Props(Stage(settings.resolution)), LOOKS[self.look]
        dot, marked = props.disc(7, 7, shade(dark, 1.3)), props.disc(9, 9, COLOURS[self.colour])
        sense = -self.spread if self.is_mirrored else self.spread
        dots = [
            (across * sense, down * self.spread)
            for across, down in ((-1, -1.75), (-1, -0.5), (-1, 0.75), (0, 1.25), (1.25, 1.25))
        ]
        x, y = self.middle
        slide = 14 if self.variation == "composite" else 0

        def at(pose: int) -> list[Placement]:
            sine, up = _around(pose / self.poses)
            cosine, at_x = -up, x + slide * self.rocking(pose)
            return [
                props.put(
                    dot if number else marked, at_x, y, across * cosine - down * sine, across * sine + down * cosine
                )
                for number, (across, down) in enumerate(dots)
            ]

        return self.drawn(props, at, ground)


class Ring(Turning):
    """A ring of dots turns about an axis in depth, an upright or a level one, and may slide to and fro meanwhile."""

    NAME: ClassVar[str] = "ring"
    DEMONSTRATION: ClassVar[Demonstration] = "simulated"
    VARIATIONS: ClassVar[tuple[Variation, ...]] = ("plain", "composite", "zoomed_in", "first_person")

    is_upright: bool
    """Whether the axis is, so that the nearest part goes to the right or left, and not up or down."""
    slant: int = Field(ge=-1, le=1)
    """From which side of its plane the ring is seen: above or below it, or to the right or left of it."""

    @model_validator(mode="after")
    def _is_open(self) -> Self:
        if self.slant == 0:
            raise ValueError("a ring that is seen edge on is a line")
        return self

    @classmethod
    def extras(cls, random: Random) -> dict[str, Any]:
        return {"is_upright": random.random() < 0.5, "slant": random.choice([-1, 1])}

    @property
    def ways(self) -> tuple[str, str]:
        return ("to the right", "to the left") if self.is_upright else ("downwards", "upwards")

    @property
    def rule(self) -> str:
        return f"{'Right and left' if self.is_upright else 'Up and down'} are those of the picture."

    def words(self) -> tuple[str, str]:
        slides = self.told("composite", SLIDES)
        return (
            "The video shows a ring of dots in depth that turns about "
            f"{'an upright' if self.is_upright else 'a level'} axis: grey dots and {a(self.colour)} one. The "
            f"nearer a dot is, the larger it looks.{slides}",
            "Which way do the dots that are nearest to you go?",
        )

    def pictures(self, settings: RotationSettings) -> Pictures:
        props, (ground, dark) = Props(Stage(settings.resolution)), LOOKS[self.look]
        number, (x, y), long, short = 5, self.middle, 54.0, 20.0
        width, height = (long, short) if self.is_upright else (short, long)
        rail = props.picture(
            width,
            height,
            Ellipse(0, 0, width, height, shade(dark, 2)),
            Ellipse(1, 1, width - 2, height - 2, ground),
        )
        slide = 12 if self.variation == "composite" else 0

        @cache
        def dot(is_marked: bool, nearness: int) -> int:
            size = 4.0 + 1.5 * nearness
            return props.disc(size, size, COLOURS[self.colour] if is_marked else shade(dark, 1.5))

        def placed(share: float, is_marked: bool, aside: float) -> tuple[float, Placement]:
            along, near = _level(share)
            sprite, off = dot(is_marked, min(4, int(2.5 * (near + 1)))), 9 * self.slant * near
            dx, dy = (26 * along, off) if self.is_upright else (off, 26 * along)
            dx, dy = (dx + aside, dy) if self.is_upright else (dx, dy + aside)
            return near, props.put(sprite, x, y, dx, dy)

        def at(pose: int) -> list[Placement]:
            aside = slide * self.rocking(pose)
            dots = [placed(pose / self.poses + one / number, one == 0, aside) for one in range(number)]
            off = (aside, 0.0) if self.is_upright else (0.0, aside)
            return [props.put(rail, x, y, *off), *(one for _, one in sorted(dots, key=lambda one: one[0]))]

        return self.drawn(props, at, ground)


# ---------------------------------------------------------------------------------------------------- persons

SHIRTS = ("yellow", "purple", "pink", "brown")
"""Other colours than those of what is to be watched."""


class Personal(Turning):
    """A person does it, on one side of the picture."""

    DEMONSTRATION: ClassVar[Demonstration] = "human"
    FOOT: ClassVar[tuple[float, float]] = (50.0, 88.0)
    """The point between the feet, where nothing is moved aside."""

    person: int = Field(ge=0, lt=len(SHIRTS))
    side: Side

    @classmethod
    def extras(cls, random: Random) -> dict[str, Any]:
        return {**super().extras(random), "person": random.randrange(len(SHIRTS)), "side": random.choice(SIDES)}

    @property
    def sense(self) -> int:
        return 1 if self.side == "right" else -1

    @property
    def other_side(self) -> Side:
        return "left" if self.side == "right" else "right"

    @property
    def foot(self) -> tuple[float, float]:
        return self.FOOT[0] + self.x, self.FOOT[1] + self.y

    def figure(self, props: Props) -> Figure:
        build = some_build(stream(self.person, "rotation", "person"), 70, shirt=SHIRTS[self.person])
        return Figure(props, build)


class Crank(Personal, Arrowed):
    """A person turns a wheel by its handle. A second wheel may rock to and fro, or an arrow may lie."""

    NAME: ClassVar[str] = "crank"
    VARIATIONS: ClassVar[tuple[Variation, ...]] = ("plain", "counterfactual", "composite", "zoomed_in")

    @property
    def middle(self) -> tuple[float, float]:
        return 50 + self.sense * 16.0 + self.x, 42.0 + self.y

    def words(self) -> tuple[str, str]:
        return (
            f"The video shows a person who turns a wheel by its {self.colour} handle."
            + self.told("composite", " The other wheel is not asked about.")
            + self.said_of("the board"),
            f"Which way does the wheel with the {self.colour} handle turn?",
        )

    def pictures(self, settings: RotationSettings) -> Pictures:
        props, (ground, dark) = Props(Stage(settings.resolution)), LOOKS[self.look]
        where, reach = self.middle, 8.0
        rim, post = props.disc(22, 22, shade(dark, 1.7)), props.box(4, 40, dark, 1)
        handle, hub = props.disc(5.2, 5.2, COLOURS[self.colour]), props.disc(4, 4, INK)
        fixed = [props.put(post, *where, 0, 28), props.put(rim, *where)]
        if self.variation == "counterfactual":
            board, arrow = props.box(22, 13, PAPER, 2), bent_arrow(props, self.points_forwards)
            fixed += [props.put(board, *where, 0, 22), props.put(arrow, *where, 0, 22)]
        other, knob = (where[0] - self.sense * 44, where[1]), props.disc(4.4, 4.4, PAPER)
        if self.variation == "composite":
            fixed += [props.put(post, *other, 0, 28), props.put(rim, *other), props.put(hub, *other)]
        figure, (x, foot) = self.figure(props), (self.FOOT[0] - self.sense * 6, self.FOOT[1])
        there = x + self.x, foot + self.y
        fixed += [*figure.standing(*there), *figure.arm(self.other_side, *there, 0, 0)]
        fixed.append(props.put(hub, *where))

        def at(pose: int) -> list[Placement]:
            dx, dy = (reach * part for part in _around(pose / self.poses))
            angles = figure.reach(self.side, x, foot, 50 + self.sense * 16 + dx, 42 + dy, "under")
            placed = [*fixed, props.put(_bar(props, dx, dy, 2, INK), *where, dx / 2, dy / 2)]
            placed += [*figure.arm(self.side, *there, *angles), props.put(handle, *where, dx, dy)]
            if self.variation == "composite":
                placed.append(props.put(knob, *other, *(reach * part for part in _around(0.2 * self.rocking(pose)))))
            return placed

        return self.drawn(props, at, ground)


class Arm(Personal):
    """A person swings an outstretched arm round in circles; the other one may only swing to and fro."""

    NAME: ClassVar[str] = "arm"
    VARIATIONS: ClassVar[tuple[Variation, ...]] = ("plain", "composite", "zoomed_in", "first_person")
    # Arms are drawn at every sixth degree.
    POSES: ClassVar[tuple[int, ...]] = (12, 20, 30)

    def words(self) -> tuple[str, str]:
        other = self.told("composite", " The other arm is not asked about.")
        return (
            f"The video shows a person with {a(self.colour)} ball in one hand, who swings that arm round in circles."
            f"{other} What counts is how it looks in the picture, not to the person.",
            f"Which way does the arm with the {self.colour} ball go round?",
        )

    def focus(self) -> tuple[float, float]:
        return 50 + self.sense * 8.0 + self.x, 38.0 + self.y

    def pictures(self, settings: RotationSettings) -> Pictures:
        props, foot = Props(Stage(settings.resolution)), self.foot
        figure = self.figure(props)
        fixed, ball = figure.standing(*foot), props.disc(5.5, 5.5, COLOURS[self.colour])

        def at(pose: int) -> list[Placement]:
            around = round(180 - 360 * pose / self.poses) % 360
            raised = -self.sense * 6 * round(9 * self.rocking(pose) + 10) if self.variation == "composite" else 0
            return [
                *fixed,
                *figure.arm(self.other_side, *foot, raised, raised),
                *figure.arm(self.side, *foot, around, around),
                props.put(ball, *figure.hand_at(self.side, *foot, around, around)),
            ]

        return self.drawn(props, at, LOOKS[self.look][0])


class Spin(Personal, InDepth):
    """A person turns round on the spot."""

    NAME: ClassVar[str] = "spin"
    POSES: ClassVar[tuple[int, ...]] = (12, 18)
    FOOT: ClassVar[tuple[float, float]] = (50.0, 86.0)

    def words(self) -> tuple[str, str]:
        return (
            "The video shows a person who turns round on the spot. What is asked is which way the side of the body "
            "that is nearest to you goes: if a face that looked at you turns to the left of the picture, that is to "
            "the left.",
            "Which way does the side of the person that is nearest to you go?",
        )

    def pictures(self, settings: RotationSettings) -> Pictures:
        props = Props(Stage(settings.resolution))
        board = props.put(props.disc(30, 8, COLOURS[self.colour]), *self.foot)
        figure = self.figure(props)

        def at(pose: int) -> list[Placement]:
            return [board, *figure.turned(*self.foot, pose, self.poses)]

        return self.drawn(props, at, LOOKS[self.look][0])


FAMILY = single_clip_family(
    name="rotation",
    version=1,
    summary="Which way something turns: clockwise, counter-clockwise, one and then the other, or neither.",
    settings=RotationSettings,
    scripts=(Clock, BigWheel, Windmill, Carousel, Globe, Pattern, Ring, Crank, Arm, Spin),
)

if __name__ == "__main__":
    from generators.command import main

    main(["rotation", *sys.argv[1:]])
