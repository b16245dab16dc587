"""Motion direction: which way something moves, as the picture has it or as the thing itself faces.

Some go along a closed way, out of the picture on one side and in again on the other; others go from the middle one way
after another. Whichever way it is, they are seen in the same places equally often.
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import accumulate, pairwise
from math import atan2, ceil, copysign, degrees, hypot, pi, sin
from random import Random
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, Self, get_args

from annotated_types import Len
from pydantic import Field, model_validator

from generators.errors import InputError
from generators.figures import HAIRS, SKINS, TROUSERS, Build, Figure, Side
from generators.pairs import draw_real
from generators.props import Props, rimmed
from generators.randomness import Streams
from generators.rendering.scene import Colour, Ellipse, Line, Placement, Polygon, Rectangle, Shape
from generators.single_clips import (
    SWAY,
    ZOOM,
    Asked,
    Demonstration,
    FiveWays,
    Pictures,
    SingleScript,
    SingleSettings,
    Turns,
    Variation,
    single_clip_family,
)
from generators.stage import COLOURS, INK, LOOKS, PAPER, Stage, a, shade, some_colours
from simulators.walks import drawn_jumps, held, jumping, ring, there_and_back


class MotionDirectionSettings(SingleSettings):
    pass


# ---------------------------------------------------------------------------------------------------- ways

Way = Literal["right", "lower right", "down", "lower left", "left", "upper left", "up", "upper right"]
WAYS: tuple[Way, ...] = get_args(Way)
"""The eight ways clockwise, so that each is opposite to the one four places on."""

AHEAD: Mapping[Way, tuple[int, int]] = dict(
    zip(WAYS, ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)), strict=True)
)
TO: Mapping[Way, str] = {
    **{way: f"to the {way}" for way in WAYS},
    "up": "straight up",
    "down": "straight down",
}
TIMES = ("first", "second", "third", "fourth", "fifth", "sixth")
OFTEN = ("Once", "Twice", "Three times", "Four times", "Five times", "Six times")


def opposite(way: Way) -> Way:
    return WAYS[(WAYS.index(way) + 4) % 8]


REST_SECONDS = 0.4
"""How long things stand still at either end of a clip, at least."""
PAUSE_SECONDS = 0.2
"""How long a thing rests in the middle before it goes the next way, at least."""
LEAST_SHARE = 0.75
"""The part of a clip in which things move, at least."""
LONGEST_STEP, SHORTEST_STEP = 0.13, 0.08
"""Seconds for which a pose is shown: short enough to look like motion, long enough to see a jump."""
BRIEFEST_LAP = 1.4
"""Seconds of a lap, at least."""
LONGEST_CLIP = 20_000
SEEN, SEEN_AT_CORNERS = 0.4, 0.6
"""The part of the sides of a thing that is in the picture where most of it is out, so that a third of it is seen."""
LANE = 13.0
"""How far from the middle two things go past one another, in units."""
CLOUDS = ((14.0, 18.0), (66.0, 26.0), (36.0, 80.0), (90.0, 72.0))
"""Where pale things are behind what moves."""

Frames = Annotated[int, Field(ge=1, le=LONGEST_CLIP)]
Colours = Annotated[list[str], Len(2, 2)]


class Moving(SingleScript):
    """Something that moves. The second colour is that of a second thing, which moves where two do."""

    look: int = Field(ge=0, lt=len(LOOKS))
    colours: Colours
    hold: int = Field(ge=1, le=2_000)
    """Frames for which each pose is shown."""

    @model_validator(mode="after")
    def _is_coloured(self) -> Self:
        if not {*self.colours} <= {*COLOURS} or len({*self.colours}) < 2:
            raise ValueError(f"things are of two of the colours {', '.join(COLOURS)}")
        return self

    @staticmethod
    def common(settings: MotionDirectionSettings, variation: Variation, random: Random) -> dict[str, Any]:
        return {
            "fps": settings.fps,
            "variation": variation,
            "look": random.randrange(len(LOOKS)),
            "colours": some_colours(random, 2),
        }

    def canvas(self, settings: MotionDirectionSettings, margin: float | None = None) -> tuple[float, float]:
        """Half the width and half the height of all that the camera ever sees, and a little more unless told."""
        if margin is None:
            margin = SWAY + 1 if self.variation == "first_person" else 0.5
        zoom = ZOOM if self.variation == "zoomed_in" else 1.0
        unit = Stage(settings.resolution).unit
        width, height = (side / unit / 2 / zoom + margin for side in settings.resolution)
        return width, height

    def lap(
        self, settings: MotionDirectionSettings, way: Way, width: float, height: float, is_seen: bool = False
    ) -> tuple[float, float]:
        """How far across and down a thing of this size goes in a lap: out of the picture, wholly, and in again.

        With `is_seen` it comes in again while a part of it is still in the picture, so that it is seen wherever it is;
        a camera that sways is at rest then.
        """
        across, down = self.canvas(settings, 0 if is_seen else None)
        right, below = AHEAD[way]
        if right and below:
            both = 2 * min(across, down) + (1 - 2 * SEEN_AT_CORNERS * is_seen) * max(width, height)
            return right * both, below * both
        out = 1 - 2 * SEEN * is_seen
        return right * (2 * across + out * width), below * (2 * down + out * height)

    def backdrop(self, props: Props, level: float | None = None) -> list[Placement]:
        """For a camera that moves, pale things that stand still: trees on the ground, where it is, or else clouds."""
        if self.variation != "first_person":
            return []
        pale = shade(LOOKS[self.look][0], 0.87)
        drawing = _cloud(pale) if level is None else _pale_tree(pale)
        sprite = drawing.on(props)
        return [props.put(sprite, x, y if level is None else level - drawing.height / 2) for x, y in CLOUDS]


def holds_of(fps: int) -> range:
    """For how many frames a pose may be shown."""
    longest = max(1, int(LONGEST_STEP * fps))
    return range(min(longest, ceil(SHORTEST_STEP * fps)), longest + 1)


# ---------------------------------------------------------------------------------------------------- laps


class Passing(Moving, FiveWays):
    """Something goes along a closed way of `poses` places, which lead out of the picture and in again."""

    VARIATIONS: ClassVar[tuple[Variation, ...]] = get_args(Variation)
    POSES: ClassVar[Sequence[int]] = range(16, 73)
    LAPS: ClassVar[Sequence[int]] = (1, *range(2, 41, 2))
    STEADILY: ClassVar[str] = "all the time"
    NEITHER: ClassVar[str] = "it jumps from place to place"

    laps: int = Field(ge=1, le=40)
    start: int = Field(ge=0)
    """The pose that a clip begins and ends with: one in the middle of the picture."""
    rests: Annotated[list[Frames], Len(2, 2)]
    """Frames of stillness before and after."""
    jumps: Annotated[list[Annotated[int, Field(ge=1)]], Len(15, 71)]
    """The order of the poses, counted from the first one, where nothing moves steadily."""

    @model_validator(mode="after")
    def _passes(self) -> Self:
        if self.poses not in self.POSES or self.laps not in self.LAPS:
            raise ValueError("so many places or so many laps are not made")
        if self.frames != sum(self.rests) + self.laps * self.poses * self.hold:
            raise ValueError("rests and laps make up the clip")
        if not 3 * self.poses <= 10 * self.start <= 7 * self.poses:
            raise ValueError("it begins in the middle of the picture")
        jumping(self.jumps)
        return self

    @property
    def poses(self) -> int:
        return len(self.jumps) + 1

    @classmethod
    def timing(cls, settings: MotionDirectionSettings, random: Random) -> dict[str, Any]:
        frames = round(draw_real(settings.seconds, random) * settings.fps)
        rest = max(1, round(REST_SECONDS * settings.fps))
        least, most = ceil(LEAST_SHARE * frames), frames - 2 * rest
        possible: dict[int, list[tuple[int, int]]] = {}
        for laps in cls.LAPS:
            for hold in holds_of(settings.fps):
                low = max(ceil(least / (laps * hold)), ceil(BRIEFEST_LAP * settings.fps / hold), cls.POSES[0])
                numbers = range(low, min(most // (laps * hold), cls.POSES[-1]) + 1)
                found = [(poses, hold) for poses in numbers if poses in cls.POSES]
                if found:
                    possible.setdefault(laps, []).extend(found)
        if not possible:
            raise InputError(f"the way has no room in {frames} frames: raise --seconds or --fps")
        laps = random.choice(list(possible)[:2])
        poses, hold = random.choice(possible[laps])
        begin = random.randint(rest, frames - laps * poses * hold - rest)
        return {
            "frames": frames,
            "turns": "forwards",
            "laps": laps,
            "start": random.randint(ceil(0.3 * poses), int(0.7 * poses)),
            "hold": hold,
            "rests": [begin, frames - laps * poses * hold - begin],
            "jumps": drawn_jumps(poses, max(2, poses // 6), random),
        }

    @classmethod
    def draw(cls, settings: MotionDirectionSettings, streams: Streams, variation: Variation) -> Self:
        random = streams("plan")
        fields = cls.common(settings, variation, random) | cls.timing(settings, random)
        return cls(**fields, **cls.extras(variation, random))

    @classmethod
    def extras(cls, variation: Variation, random: Random) -> dict[str, Any]:
        """The fields that a script adds."""
        raise NotImplementedError(cls)

    def walk(self) -> list[int]:
        poses, start, half = self.poses, self.start, self.laps // 2
        ahead, back = ring(poses, 1, start), ring(poses, -1, start)
        jumps = jumping(self.jumps, start)
        one_lap = self.laps == 1
        laps: dict[Turns, list[int]] = {
            "forwards": ahead * self.laps,
            "backwards": back * self.laps,
            "forwards first": there_and_back(poses, start, 1) if one_lap else ahead * half + back * half,
            "backwards first": there_and_back(poses, start, -1) if one_lap else back * half + ahead * half,
            "neither": jumps * self.laps,
        }
        before, after = self.rests
        return [*[start] * before, *held(laps[self.turns], self.hold), *[start] * after]

    def spans(self) -> tuple[tuple[int, int], ...]:
        begin, moving = self.rests[0], self.laps * self.poses * self.hold
        parts = max(2, self.laps)
        marks = [begin + moving * part // parts for part in range(parts + 1)]
        return tuple(pairwise(marks))

    def seen(self) -> tuple[tuple[int, int], ...]:
        # A lap there and back goes twice as fast. Frames so near to one another tell steady ways from jumps.
        window = max(1, self.poses * self.hold // (8 if self.laps == 1 else 5))
        begin, moving = self.rests[0], self.laps * self.poses * self.hold
        return tuple((begin + first, begin + first + window) for first in range(0, moving - window + 1, window))

    def along(self, pose: float) -> float:
        """How far a pose is from the middle of its way, in laps."""
        return (pose / self.poses) % 1 - 0.5

    def apart(self) -> Callable[[int], float]:
        """The same for a second thing, which goes on steadily where the first one jumps, and jumps where it does not.

        So whoever watches the wrong one gets a wrong answer. It is in the picture too when a clip begins.
        """
        turns = {pose: turn for turn, pose in enumerate(jumping(self.jumps, self.start))}
        ahead = 0.7 if 2 * self.start < self.poses else 0.3
        return lambda pose: (turns[pose] / self.poses + ahead) % 1 - 0.5


def _round(who: str, leaves: str = "leaves", comes: str = "comes") -> str:
    again = f"{'it' if who == 'one' else who} {comes} in again on the opposite side"
    return f"Where {who} {leaves} the picture, {again}, which is no jump."


class Drawing(NamedTuple):
    """A picture of this size in units, from shapes whose places count from its top left corner."""

    width: float
    height: float
    shapes: tuple[Shape, ...]

    def on(self, props: Props) -> int:
        return props.picture(self.width, self.height, *self.shapes)

    def mirrored(self) -> "Drawing":
        shapes: list[Shape] = []
        for shape in self.shapes:
            if isinstance(shape, Rectangle | Ellipse):
                shapes.append(replace(shape, x=self.width - shape.x - shape.width))
            elif isinstance(shape, Polygon | Line):
                shapes.append(replace(shape, points=tuple((self.width - x, y) for x, y in shape.points)))
        return Drawing(self.width, self.height, tuple(shapes))


def _edged(points: Sequence[tuple[float, float]], colour: Colour) -> tuple[Shape, Shape]:
    """A filled outline with a darker rim inside its edge."""
    (x, wide), (y, high) = (((min(axis) + max(axis)) / 2, max(axis) - min(axis)) for axis in zip(*points, strict=True))
    inner = tuple((x + (px - x) * (1 - 1.6 / wide), y + (py - y) * (1 - 1.6 / high)) for px, py in points)
    return Polygon(tuple(points), shade(colour, 0.6)), Polygon(inner, colour)


def _oval(x: float, y: float, width: float, height: float, colour: Colour) -> tuple[Shape, Shape]:
    return rimmed(Ellipse(x, y, width, height, colour))


def _slab(x: float, y: float, width: float, height: float, colour: Colour, radius: float = 0) -> tuple[Shape, Shape]:
    return rimmed(Rectangle(x, y, width, height, colour, radius))


class Along(Passing):
    """A thing that goes along one of four axes; where two do, the other one has a course of its own."""

    THINGS: ClassVar[tuple[str, ...]]
    UPRIGHT: ClassVar[tuple[str, ...]] = ()
    """The things of the counterfactual clips, which go up or down alone."""
    DRAWINGS: ClassVar[Mapping[str, Callable[[Colour], Drawing]]]

    thing: str
    forwards: Literal["right", "down", "lower right", "upper right"]
    other: Way
    """The way of the second thing: opposite to the first one at any time, or along another axis on a course apart."""
    aside: int = Field(ge=-14, le=14)
    """How far beside the middle of the picture its way is, in units."""

    @model_validator(mode="after")
    def _goes_along(self) -> Self:
        if self.thing not in self._things(self.variation):
            raise ValueError(f"{self.variation} clips have none of the thing {self.thing}")
        if self._is_upright(self.variation) and self.forwards != "down":
            raise ValueError(f"{self.thing} goes up or down")
        if self.other == self.forwards or (self.is_against and 0 not in AHEAD[self.forwards]):
            raise ValueError("the second thing does not go with the first one, nor against it from corner to corner")
        return self

    @classmethod
    def _things(cls, variation: Variation) -> tuple[str, ...]:
        return cls.UPRIGHT or cls.THINGS if variation == "counterfactual" else cls.THINGS

    @classmethod
    def _is_upright(cls, variation: Variation) -> bool:
        return variation == "counterfactual" and bool(cls.UPRIGHT)

    @classmethod
    def extras(cls, variation: Variation, random: Random) -> dict[str, Any]:
        thing = random.choice(cls._things(variation))
        forwards: Way = "down" if cls._is_upright(variation) else random.choice(WAYS[:3] + WAYS[7:])
        other = random.choice([way for way in WAYS if way not in (forwards, opposite(forwards))])
        if 0 in AHEAD[forwards] and random.random() < 0.5:
            other = opposite(forwards)
        return {"thing": thing, "forwards": forwards, "other": other, "aside": random.randint(-14, 14)}

    @property
    def is_against(self) -> bool:
        """Whether the second thing, where there is one, always goes the opposite way beside the first one."""
        return self.other == opposite(self.forwards)

    @property
    def lane(self) -> float:
        """How far beside the middle it goes past such a thing."""
        return copysign(LANE, self.aside)

    @property
    def ways(self) -> tuple[str, str]:
        return TO[self.forwards], TO[opposite(self.forwards)]

    @property
    def noun(self) -> str:
        return self.thing

    def shown(self) -> str:
        """What else the video shows, behind what moves."""
        return ""

    def asked(self) -> Asked:
        first, second = (f"{colour} {self.noun}" for colour in self.colours)
        if self.variation == "composite":
            moves = f"The video shows {a(first)} and {a(second)}, which move at once, each its own way. {_round('one')}"
        else:
            moves = f"The video shows {a(first)} that moves. {_round('it')}"
        return Asked(f"{moves}{self.shown()}", f"Which way does the {first} move?")

    def drawing(self, colour: Colour) -> Drawing:
        return self.DRAWINGS[self.thing](colour)

    def pictures(self, settings: MotionDirectionSettings) -> Pictures:
        props, (ground, _) = Props(Stage(settings.resolution)), LOOKS[self.look]
        drawing, still = self.drawing(COLOURS[self.colours[0]]), self.backdrop(props)
        sprite, (across, down) = drawing.on(props), self.lap(settings, self.forwards, *drawing[:2], is_seen=True)
        second, lane = self.second(props, settings, across, down), float(self.aside)
        if self.variation == "composite" and self.is_against:
            lane = self.lane
        x, y = lane * (across == 0), lane * (down == 0)

        def at(pose: int) -> list[Placement]:
            share = self.along(pose)
            # The one that is asked about lies over the other.
            return [*still, *second(pose), props.put(sprite, 50 + x, 50 + y, across * share, down * share)]

        return Pictures(props.atlas.sprites, at, ground)

    def second(
        self, props: Props, settings: MotionDirectionSettings, across: float, down: float
    ) -> Callable[[int], list[Placement]]:
        """The second thing, where there is one; the first one goes so far in a lap."""
        if self.variation != "composite":
            return lambda pose: []
        drawing = self.drawing(COLOURS[self.colours[1]])
        sprite = drawing.on(props)
        if self.is_against:
            x, y = 50 - self.lane * (across == 0), 50 - self.lane * (down == 0)
            return lambda pose: [props.put(sprite, x, y, -across * self.along(pose), -down * self.along(pose))]
        apart, (right, below) = self.apart(), self.lap(settings, self.other, *drawing[:2])
        return lambda pose: [props.put(sprite, 50, 50, right * apart(pose), below * apart(pose))]


# ---------------------------------------------------------------------------------------------------- things that drift


def _cloud(colour: Colour) -> Drawing:
    return Drawing(
        14,
        8,
        tuple(Ellipse(x, y, wide, high, colour) for x, y, wide, high in ((0, 3, 8, 5), (3, 0, 7, 8), (7, 2.4, 7, 5.6))),
    )


def _pale_tree(colour: Colour) -> Drawing:
    return Drawing(10, 18, (Rectangle(4.2, 10, 1.6, 8, colour), Ellipse(0, 0, 10, 13, colour)))


def _leaf(colour: Colour) -> Drawing:
    vein = shade(colour, 0.55)
    outline = ((2, 5.5), (4.6, 1.8), (8, 0.4), (11.6, 1.4), (16.4, 5.5), (11.6, 9.6), (8, 10.6), (4.6, 9.2))
    ribs = [Line(((x, 5.5), (x + 2.4, 5.5 + rise)), 0.5, vein) for x in (5, 8.4) for rise in (-2.8, 2.8)]
    return Drawing(18, 11, (*_edged(outline, colour), Line(((0.4, 5.5), (14, 5.5)), 0.8, vein), *ribs))


def _ball(colour: Colour) -> Drawing:
    stripe = Ellipse(4.3, 0.6, 4.4, 11.8, PAPER), Ellipse(5.3, 0.9, 2.4, 11.2, colour)
    return Drawing(13, 13, (*_oval(0, 0, 13, 13, colour), *stripe, Ellipse(2.6, 2.4, 2.2, 2, shade(colour, 2.5))))


def _balloon(colour: Colour) -> Drawing:
    string = Line(((6.5, 15), (5.6, 18), (7.4, 21), (6.5, 24.6)), 0.6, INK)
    knot = Polygon(((6.5, 14.2), (4.8, 16.8), (8.2, 16.8)), shade(colour, 0.6))
    light = Ellipse(2.8, 2.6, 2.4, 3.8, shade(colour, 2.5))
    return Drawing(13, 25, (string, knot, *_oval(0, 0, 13, 15.6, colour), light))


def _stone(colour: Colour) -> Drawing:
    outline = ((1, 7), (3.4, 1.8), (8, 0.4), (12.6, 1.6), (15.4, 6), (14.4, 10.8), (9, 12.6), (3, 11.4))
    return Drawing(16, 13, (*_edged(outline, colour), Line(((5, 3), (7.4, 6), (6.6, 8.6)), 0.6, shade(colour, 0.6))))


def _drop(colour: Colour) -> Drawing:
    (tip_rim, tip), (rim, inner) = _edged(((2.5, 0), (0.3, 4.8), (4.7, 4.8)), colour), _oval(0, 3, 5, 5, colour)
    return Drawing(5, 8, (tip_rim, rim, tip, inner))


class Drifting(Along):
    """A leaf, a ball or a balloon goes along; where world knowledge is contradicted, balloons sink and rain rises."""

    NAME: ClassVar[str] = "drifting"
    DEMONSTRATION: ClassVar[Demonstration] = "object"
    THINGS: ClassVar[tuple[str, ...]] = ("leaf", "ball", "balloon")
    UPRIGHT: ClassVar[tuple[str, ...]] = ("balloon", "stone", "rain")
    DRAWINGS: ClassVar[Mapping[str, Callable[[Colour], Drawing]]] = {
        "leaf": _leaf,
        "ball": _ball,
        "balloon": _balloon,
        "stone": _stone,
        "rain": _drop,
    }

    def shown(self) -> str:
        return (
            " Things need not rise or fall here as they do in the world." if self.variation == "counterfactual" else ""
        )

    def asked(self) -> Asked:
        if self.thing != "rain":
            return super().asked()
        return Asked(
            f"The video shows drops of rain that move, all of them together. {_round('one')}{self.shown()}",
            "Which way does the rain move?",
        )

    def pictures(self, settings: MotionDirectionSettings) -> Pictures:
        if self.thing != "rain":
            return super().pictures(settings)
        props, (ground, _) = Props(Stage(settings.resolution)), LOOKS[self.look]
        drawing = self.drawing(COLOURS["blue"])
        drop, (_, down) = drawing.on(props), self.lap(settings, "down", *drawing[:2], is_seen=True)
        wide = 2 * self.canvas(settings)[0] / 8

        def at(pose: int) -> list[Placement]:
            # Three eighths of a lap on, a drop is beside the next but two: they are spread over the picture.
            return [
                props.put(
                    drop, 50 + wide * (number - 3.5), 50, 0, down * self.along(pose + self.poses * number * 3 / 8)
                )
                for number in range(8)
            ]

        return Pictures(props.atlas.sprites, at, ground)


# ---------------------------------------------------------------------------------------------------- plain shapes


def _disc(colour: Colour) -> Drawing:
    return Drawing(12, 12, _oval(0, 0, 12, 12, colour))


def _square(colour: Colour) -> Drawing:
    return Drawing(12, 12, _slab(0, 0, 12, 12, colour))


def _diamond(colour: Colour) -> Drawing:
    return Drawing(14, 14, _edged(((7, 0), (14, 7), (7, 14), (0, 7)), colour))


def _cross(colour: Colour) -> Drawing:
    (upright, inner), (level, other) = _slab(4.5, 0, 5, 14, colour), _slab(0, 4.5, 14, 5, colour)
    return Drawing(14, 14, (upright, level, inner, other))


def _arrowed(colour: Colour, way: Way) -> Drawing:
    """A block with an arrow painted on it."""
    right, below = (part / hypot(*AHEAD[way]) for part in AHEAD[way])

    def at(ahead: float, aside: float) -> tuple[float, float]:
        return 8 + ahead * right - aside * below, 8 + ahead * below + aside * right

    arrow = Line((at(-5.4, 0), at(1, 0)), 2.4, PAPER), Polygon((at(6, 0), at(0.6, -4.2), at(0.6, 4.2)), PAPER)
    return Drawing(16, 16, (*_slab(0, 0, 16, 16, colour, 1), *arrow))


class PlainShape(Along):
    """A plain shape goes along; where an arrow is painted on it, that may lie."""

    NAME: ClassVar[str] = "shape"
    DEMONSTRATION: ClassVar[Demonstration] = "simulated"
    THINGS: ClassVar[tuple[str, ...]] = ("disc", "square", "diamond", "cross")
    DRAWINGS: ClassVar[Mapping[str, Callable[[Colour], Drawing]]] = {
        "disc": _disc,
        "square": _square,
        "diamond": _diamond,
        "cross": _cross,
    }

    arrow: Way
    """The way that the arrow points which is painted on it, where one is: one of the two that it may go."""

    @model_validator(mode="after")
    def _may_lie(self) -> Self:
        if self.arrow not in (self.forwards, opposite(self.forwards)):
            raise ValueError("the arrow points one of the ways that the block may go")
        return self

    @classmethod
    def extras(cls, variation: Variation, random: Random) -> dict[str, Any]:
        fields = super().extras(variation, random)
        return {**fields, "arrow": random.choice([fields["forwards"], opposite(fields["forwards"])])}

    @property
    def noun(self) -> str:
        return "block" if self.variation == "counterfactual" else self.thing

    def shown(self) -> str:
        if self.variation != "counterfactual":
            return ""
        return " An arrow is painted on the block. It need not point the way that the block moves."

    def drawing(self, colour: Colour) -> Drawing:
        return _arrowed(colour, self.arrow) if self.variation == "counterfactual" else super().drawing(colour)


# ---------------------------------------------------------------------------------------------------- with a front


class Facing(Passing):
    """Something with a front goes along the ground, and may go backwards."""

    ROUND: ClassVar[str] = _round("it")

    faces: Side
    relative: Literal["picture", "itself"]
    """Whether left and right are asked for, or forwards and backwards."""
    sign: Side
    """The way that an arrow on a sign points, where there is one."""

    @classmethod
    def extras(cls, variation: Variation, random: Random) -> dict[str, Any]:
        faces, sign = random.choices(get_args(Side), k=2)
        return {"faces": faces, "relative": random.choice(["picture", "itself"]), "sign": sign}

    @property
    def ways(self) -> tuple[str, str]:
        if self.relative == "itself":
            return "forwards", "backwards"
        return TO[self.faces], TO[opposite(self.faces)]

    def front(self) -> str:
        """What moves, behind "The video shows", and a sentence that tells its front."""
        raise NotImplementedError(self)

    @property
    def noun(self) -> str:
        raise NotImplementedError(self)

    def asked(self) -> Asked:
        second = {
            "composite": " A balloon moves too, which is not asked about.",
            "counterfactual": " A sign beside the way has an arrow on it, which need not point the right way.",
        }.get(self.variation, "")
        turns = f" The {self.noun} never turns round, and may go backwards."
        return Asked(
            f"The video shows {self.front()}{turns} {self.ROUND}{second}",
            f"Which way does the {self.noun} move, forwards or backwards?"
            if self.relative == "itself"
            else f"Which way does the {self.noun} move, as you see it in the picture?",
        )

    def still(self, props: Props, settings: MotionDirectionSettings, level: float) -> list[Placement]:
        """A line of ground that is longer than the picture is wide, and a sign at it, where there is one."""
        dark = shade(LOOKS[self.look][1], 1.3)
        ground = props.box(2 * self.canvas(settings)[0] + 4 * SWAY, 1.4, dark)
        placed = [props.put(ground, 50, level + 0.7), *self.backdrop(props, level)]
        if self.variation == "counterfactual":
            post, board = props.box(2, level - 14, dark), _arrowed(COLOURS[self.colours[1]], self.sign).on(props)
            placed += [props.put(post, 50, (level + 14) / 2), props.put(board, 50, 14)]
        return placed

    def balloon(self, props: Props, settings: MotionDirectionSettings) -> Callable[[int], list[Placement]]:
        """The second thing, where there is one, which goes down steadily where the first one jumps."""
        if self.variation != "composite":
            return lambda pose: []
        drawing = _balloon(COLOURS[self.colours[1]])
        sprite, (_, down), apart = drawing.on(props), self.lap(settings, "down", *drawing[:2]), self.apart()
        return lambda pose: [props.put(sprite, 50, 50, 0, down * apart(pose))]


def _wheels(*places: tuple[float, float, float]) -> tuple[Shape, ...]:
    """Wheels by their middles and widths."""
    return tuple(
        Ellipse(x - width * part / 2, y - width * part / 2, width * part, width * part, colour)
        for x, y, width in places
        for part, colour in ((1.0, INK), (0.45, (178, 178, 182)))
    )


LAMP: Colour = (255, 214, 64)
PANE: Colour = (206, 228, 240)


def _car(colour: Colour) -> Drawing:
    roof = Polygon(((5, 6.4), (8.4, 0.2), (18.6, 0.2), (23.6, 6.4)), shade(colour, 0.6))
    panes = Polygon(((7, 6.2), (9.4, 1.4), (18, 1.4), (21.6, 6.2)), PANE), Rectangle(13, 1, 1, 5, shade(colour, 0.6))
    lamps = *_slab(28, 6.4, 3.8, 3.4, PAPER, 1), Rectangle(0.4, 6.8, 1.8, 2.6, (140, 20, 20), 0.6)
    wheels = _wheels((8, 11.6, 6.4), (24, 11.6, 6.4))
    return Drawing(32, 15, (roof, *panes, *_slab(0.4, 5.8, 31.2, 6.6, colour, 2.2), *lamps, *wheels))


def _train(colour: Colour) -> Drawing:
    chimney = Rectangle(25, 0.6, 4, 6.4, INK, 0.4), Rectangle(24, 0, 6, 1.8, INK, 0.6)
    boiler = *_slab(12, 6.4, 20, 9.6, colour, 1.6), Rectangle(17, 4.4, 4, 2.6, INK, 1.2)
    cab = *_slab(1.4, 2, 11, 14, colour), Rectangle(4, 4.4, 6, 5, PANE, 0.6), Rectangle(0.4, 0.6, 13, 2, INK, 0.6)
    front = Ellipse(30.4, 8, 3.4, 3.4, LAMP), Polygon(((31, 15.4), (31, 19.6), (36, 19.6)), INK)
    wheels = _wheels((6.6, 16.4, 7), (16, 17, 5.8), (23, 17, 5.8), (29, 17.4, 5))
    return Drawing(36, 20, (*chimney, *boiler, *cab, *front, *wheels))


def _duck(colour: Colour) -> Drawing:
    body = ((0.4, 8), (4, 10.4), (13, 9.4), (19.6, 10.4), (20, 15), (16.4, 19), (7, 19.4), (2.4, 15.6))
    head, neck = _oval(11.6, 0.2, 9.6, 9.6, colour), Rectangle(13.6, 6, 6, 7, colour)
    beak = Polygon(((19.6, 3.6), (24, 5), (24, 6.2), (19.6, 7)), INK if colour == COLOURS["orange"] else (206, 110, 10))
    marks = Ellipse(16.6, 2.8, 1.8, 1.8, INK), Ellipse(5, 11.4, 8.4, 4.6, shade(colour, 0.6))
    rim, inner = _edged(body, colour)
    return Drawing(24, 20, (rim, head[0], neck, inner, head[1], beak, *marks))


def _snail(colour: Colour) -> Drawing:
    dark = (150, 128, 92)
    horns = Line(((24, 8), (24.4, 1.6)), 0.9, dark), Line(((25.6, 8.4), (27.2, 2.6)), 0.9, dark)
    body = ((0, 16.8), (5, 13), (20, 13), (22, 6.6), (27.4, 6.6), (27.6, 11.4), (25, 16.8))
    rings = *_oval(4.6, 0.6, 15, 14.4, colour), *_oval(8, 4, 8.4, 8, colour), *_oval(10.8, 6.6, 3, 3, colour)
    skin = Polygon(body, dark), Polygon(tuple((x * 0.97 + 0.5, y * 0.94 + 0.6) for x, y in body), (212, 190, 150))
    return Drawing(28, 17, (*horns, *skin, *rings, Ellipse(25.2, 8.4, 1.3, 1.3, INK)))


FRONTS: Mapping[str, tuple[Callable[[Colour], Drawing], str]] = {
    "car": (_car, "the white lamp"),
    "train": (_train, "the chimney"),
    "duck": (_duck, "the beak"),
    "snail": (_snail, "the head"),
}


class Vehicle(Facing):
    """A car, a train, a toy duck or a snail goes along the ground."""

    NAME: ClassVar[str] = "vehicle"
    DEMONSTRATION: ClassVar[Demonstration] = "object"

    thing: Literal["car", "train", "duck", "snail"]

    @classmethod
    def extras(cls, variation: Variation, random: Random) -> dict[str, Any]:
        return {**super().extras(variation, random), "thing": random.choice(sorted(FRONTS))}

    @property
    def noun(self) -> str:
        return f"{self.colours[0]} {self.thing}"

    def front(self) -> str:
        return f"{a(self.noun)}, whose front is where {FRONTS[self.thing][1]} is."

    def pictures(self, settings: MotionDirectionSettings) -> Pictures:
        props, (ground, _) = Props(Stage(settings.resolution)), LOOKS[self.look]
        drawing = FRONTS[self.thing][0](COLOURS[self.colours[0]])
        drawing = drawing if self.faces == "right" else drawing.mirrored()
        sprite, (across, _) = drawing.on(props), self.lap(settings, self.faces, *drawing[:2], is_seen=True)
        level = 66.0
        fixed = self.still(props, settings, level)
        balloon = self.balloon(props, settings)

        def at(pose: int) -> list[Placement]:
            there = props.put(sprite, 50, level - drawing.height / 2, across * self.along(pose))
            return [*fixed, *balloon(pose), there]

        return Pictures(props.atlas.sprites, at, ground)


HEIGHT = 60.0
"""How tall a person is who walks, in units."""
BUILDS: tuple[Build, ...] = tuple(
    Build(HEIGHT, COLOURS[shirt], TROUSERS[number], SKINS[skin], HAIRS[hair], COLOURS[pack] if pack else None)
    for number, (shirt, skin, hair, pack) in enumerate(
        (
            ("red", 0, 1, ""),
            ("blue", 4, 0, "orange"),
            ("green", 1, 4, ""),
            ("purple", 0, 3, "yellow"),
            ("yellow", 3, 0, ""),
        )
    )
)
"""People: few, so that clips share their pictures."""
GAIT = 12
"""The steps of a walk in each of its cycles."""


class Walker(Facing):
    """A person walks, and may walk backwards."""

    NAME: ClassVar[str] = "walker"
    DEMONSTRATION: ClassVar[Demonstration] = "human"
    POSES: ClassVar[Sequence[int]] = range(24, 73)
    ROUND: ClassVar[str] = _round("they", "leave", "come")
    NEITHER: ClassVar[str] = "they jump from place to place"

    person: int = Field(ge=0, lt=len(BUILDS))

    @classmethod
    def extras(cls, variation: Variation, random: Random) -> dict[str, Any]:
        return {**super().extras(variation, random), "person": random.randrange(len(BUILDS))}

    @property
    def noun(self) -> str:
        return "person"

    def front(self) -> str:
        return f"a person who walks, seen from the side, with the face to the {self.faces}."

    def pictures(self, settings: MotionDirectionSettings) -> Pictures:
        props, (ground, _) = Props(Stage(settings.resolution)), LOOKS[self.look]
        tall = HEIGHT / (ZOOM if self.variation == "zoomed_in" else 1.0)
        person = Figure(props, replace(BUILDS[self.person], height=tall))
        # With the feet together, a person is little wider than the neck.
        across, _ = self.lap(settings, self.faces, 0.1 * tall, tall, is_seen=True)
        # A lap is a whole number of cycles of the walk, and feet hardly slide.
        steps = GAIT * max(1, round(abs(across) / person.stride))
        fixed = self.still(props, settings, 50 + tall / 2)
        balloon = self.balloon(props, settings)
        walks = [person.walking(50, 50 + tall / 2, phase, GAIT, self.faces) for phase in range(GAIT)]
        unit = props.stage.unit

        def at(pose: int) -> list[Placement]:
            right = round(across * self.along(pose) * unit)
            walking = walks[steps * pose // self.poses % GAIT]
            return [*fixed, *balloon(pose), *(one._replace(x=one.x + right) for one in walking)]

        return Pictures(props.atlas.sprites, at, ground)


# ---------------------------------------------------------------------------------------------------- what passes by


def _tree(colour: Colour) -> Drawing:
    return Drawing(15, 25, (Rectangle(6, 14, 3, 11, COLOURS["brown"]), *_oval(0, 0, 15, 17, COLOURS["green"])))


def _fir(colour: Colour) -> Drawing:
    tiers = [Polygon(((7, top), (0.4, top + 10), (13.6, top + 10)), (34, 110, 56)) for top in (0, 6, 12)]
    return Drawing(14, 26, (Rectangle(5.8, 20, 2.4, 6, COLOURS["brown"]), *tiers))


def _house(colour: Colour) -> Drawing:
    roof, pane = Polygon(((9, 0), (0, 8.6), (18, 8.6)), (104, 70, 60)), Rectangle(4.4, 11, 3.6, 3.6, PANE)
    return Drawing(18, 20, (*_slab(2, 8, 14, 12, colour), roof, pane, Rectangle(10, 12.4, 3.6, 7.6, INK)))


def _lantern(colour: Colour) -> Drawing:
    post = Rectangle(2, 3, 1, 25, INK), Rectangle(0.6, 0, 3.8, 5, INK, 1)
    return Drawing(5, 28, (*post, Ellipse(1.2, 0.8, 2.6, 3.2, LAMP)))


def _window(colour: Colour) -> Drawing:
    curtains = [
        Polygon(((x, 1), (inner, 1), (low, 10), (x, 17)), colour) for x, inner, low in ((1, 8, 4), (21, 14, 18))
    ]
    glass = Rectangle(0, 0, 22, 18, INK, 0.6), Rectangle(1, 1, 20, 16, PANE)
    return Drawing(22, 18, (*glass, *curtains, Rectangle(10.5, 1, 1, 16, INK)))


class Scenery(Passing):
    """Trees and houses, or the windows of a tall house, pass by: of themselves, or since the viewer moves."""

    NAME: ClassVar[str] = "scenery"
    DEMONSTRATION: ClassVar[Demonstration] = "object"
    VARIATIONS: ClassVar[tuple[Variation, ...]] = ("plain", "first_person")

    upright: bool
    """Whether they pass up or down."""
    order: Annotated[list[int], Len(5, 5)]

    @model_validator(mode="after")
    def _is_in_order(self) -> Self:
        if sorted(self.order) != list(range(5)):
            raise ValueError("five things stand in an order")
        return self

    @classmethod
    def extras(cls, variation: Variation, random: Random) -> dict[str, Any]:
        return {"upright": random.random() < 0.4, "order": random.sample(range(5), 5)}

    @property
    def forwards(self) -> Way:
        """The way that they pass in forward poses, or that the viewer then moves."""
        ways: tuple[Way, Way] = ("down", "up") if self.upright else ("right", "left")
        return ways[self.variation == "first_person"]

    @property
    def ways(self) -> tuple[str, str]:
        return TO[self.forwards], TO[opposite(self.forwards)]

    def asked(self) -> Asked:
        again = "What leaves the picture comes in again on the opposite side, which is no jump."
        if self.variation != "first_person":
            what = "windows of a painted house front" if self.upright else "painted trees and houses"
            return Asked(
                f"The video shows {what} on a long belt in front of a camera. {again}",
                "Which way does the belt move?",
            )
        what = (
            "the windows of a tall house, from a lift outside it" if self.upright else "trees and houses from a train"
        )
        return Asked(
            f"The video was filmed looking out at {what}. What you see stands still, and the camera goes past it, over "
            f"and over again. {again}",
            "Which way does the camera move?",
        )

    def pictures(self, settings: MotionDirectionSettings) -> Pictures:
        props, (ground, dark) = Props(Stage(settings.resolution)), LOOKS[self.look]
        first, second = (COLOURS[colour] for colour in self.colours)
        level = 68.0
        drawings = [_tree(first), _house(first), _lantern(first), _fir(first), _house(second)]
        if self.upright:
            tints = (first, second, shade(first, 2), shade(second, 2), PAPER)
            drawings = [_window(tint) for tint in tints]
        drawings = [drawings[number] for number in self.order]
        sprites = [one.on(props) for one in drawings]
        size = max(one.height if self.upright else one.width for one in drawings)
        across, down = self.lap(settings, "down" if self.upright else "right", size, size)
        width, height = self.canvas(settings)
        fixed = []
        if self.upright:
            edge = props.box(1.4, 2 * height + 4 * SWAY, dark)
            fixed = [props.put(edge, 50 + side * 22, 50) for side in (-1, 1)]
        else:
            fixed = [props.put(props.box(2 * width + 4 * SWAY, 1.4, dark), 50, level + 0.7)]

        def at(pose: int) -> list[Placement]:
            shares = [self.along(pose + self.poses * number / 5) for number in range(5)]
            return [
                *fixed,
                *(
                    props.put(sprite, 50, 50 if self.upright else level - one.height / 2, across * share, down * share)
                    for sprite, one, share in zip(sprites, drawings, shares, strict=True)
                ),
            ]

        return Pictures(props.atlas.sprites, at, ground)


# ---------------------------------------------------------------------------------------------------- ways in turn


class Legs(Moving):
    """A thing at rest in the middle goes one way after another and is back each time; one of them is asked for."""

    KINDS: ClassVar[int] = 8
    """How many ways do not share their poses: all eight, or four where each shares them with its opposite."""
    NUMBER: ClassVar[tuple[int, int]] = (4, 6)
    """How many ways it goes in a clip, at least and at most."""
    STEPS: ClassVar[tuple[int, int]] = (4, 24)
    """How many poses a way has, at least and at most."""
    MOST: ClassVar[float] = 1.0
    """The part of the time of a way for which the thing moves, at most: it may stay at the far end."""

    ways: Annotated[list[Way], Len(2, 6)]
    """The ways in order, but that the answer is put in its place."""
    place: int = Field(ge=0, le=5)
    """Which time is asked for."""
    answer: Way
    steps: int = Field(ge=3, le=120)
    dwell: int = Field(ge=0, le=LONGEST_CLIP)
    """For how many frames more it stays at the far end."""
    rests: Annotated[list[Frames], Len(3, 7)]
    """Frames of stillness before, between and after."""

    @model_validator(mode="after")
    def _goes(self) -> Self:
        if not self.NUMBER[0] <= len(self.ways) <= self.NUMBER[1] or len({*map(self._kind, self.ways)}) < len(
            self.ways
        ):
            raise ValueError("it goes so many different ways")
        if self.place >= len(self.ways) or self.answer not in self.possible():
            raise ValueError("one of the ways that it goes is asked for")
        if not self.STEPS[0] <= self.steps <= self.STEPS[1] or (self.dwell and self.KINDS == 4):
            raise ValueError("a way has too few or too many poses, or it stays where there is no far end")
        if len(self.rests) != len(self.ways) + 1 or self.frames != sum(self.rests) + len(self.ways) * self.leg:
            raise ValueError("ways and the rests between them make up the clip")
        return self

    @classmethod
    def _kind(cls, way: Way) -> int:
        return WAYS.index(way) % cls.KINDS

    def kinds(self) -> list[int]:
        return sorted(self._kind(way) for way in self.ways)

    def possible(self) -> list[Way]:
        """The ways that may be the answer."""
        return [way for way in WAYS if self._kind(way) in self.kinds()]

    def order(self) -> list[Way]:
        """The ways as they are gone: the answer in its place, and all others in theirs."""
        others = [way for way in self.ways if self._kind(way) != self._kind(self.answer)]
        return [*others[: self.place], self.answer, *others[self.place :]]

    @classmethod
    def under_way(cls, steps: int) -> int:
        """For how many poses it is not in the middle, each time: out and back, or once through all."""
        return 2 * steps - 1 if cls.KINDS == 8 else steps

    @property
    def leg(self) -> int:
        """Frames of each time."""
        return self.under_way(self.steps) * self.hold + self.dwell

    @classmethod
    def draw(cls, settings: MotionDirectionSettings, streams: Streams, variation: Variation) -> Self:
        random = streams("plan")
        frames = round(draw_real(settings.seconds, random) * settings.fps)
        ends, between = (max(1, round(seconds * settings.fps)) for seconds in (REST_SECONDS, PAUSE_SECONDS))
        number = random.randint(*cls.NUMBER)
        # No more ways than there is time for.
        while number > cls.NUMBER[0] and (frames - 2 * ends) // number - between < 1.2 * cls.under_way(cls.STEPS[0]):
            number -= 1
        ways = [random.choice(WAYS[kind :: cls.KINDS]) for kind in random.sample(range(cls.KINDS), number)]
        rests = [ends, *[between] * (number - 1), ends]
        leg = int((frames - sum(rests)) * random.uniform(0.92, 1.0)) // number
        steps, hold = cls.timed(leg, holds_of(settings.fps), random)
        dwell = leg - cls.under_way(steps) * hold if cls.KINDS == 8 else 0
        for _ in range(frames - sum(rests) - number * (cls.under_way(steps) * hold + dwell)):
            rests[random.randrange(len(rests))] += 1
        return cls(
            **cls.common(settings, variation, random),
            **cls.extras(ways, random),
            frames=frames,
            ways=ways,
            place=random.randrange(number),
            answer=ways[0],
            steps=steps,
            hold=hold,
            dwell=dwell,
            rests=rests,
        )

    @classmethod
    def timed(cls, leg: int, holds: range, random: Random) -> tuple[int, int]:
        """Steps and hold that fill so many frames nearly. Raises InputError where there are none."""
        low, high = cls.STEPS
        if leg < cls.under_way(low):
            raise InputError(f"each way would take {max(0, leg)} frames of motion: raise --seconds or --fps")
        most = max(cls.under_way(low), int(cls.MOST * leg))
        fitting = {
            hold: max((steps for steps in range(low, high + 1) if cls.under_way(steps) * hold <= most), default=0)
            for hold in (1, *holds)
        }
        full = [hold for hold in holds if fitting[hold] and cls.under_way(fitting[hold]) * hold >= 0.8 * most]
        # Where even all poses are too few for the time, each is shown for longer.
        hold = random.choice(full) if full else 1
        return fitting[hold], hold if full else most // cls.under_way(fitting[1])

    @classmethod
    def extras(cls, ways: Sequence[Way], random: Random) -> dict[str, Any]:
        """The fields that a script adds."""
        return {}

    def alternatives(self) -> list[Self]:
        return [self.model_copy(update={"answer": way}) for way in self.possible()]

    def says(self) -> str:
        return TO[self.answer]

    def gone(self, poses: list[int], way: Way) -> list[int]:
        """A way frame by frame, through its poses."""
        raise NotImplementedError(self)

    def walk(self) -> list[int]:
        # Pose 0 is at rest, and those of the ways follow one another.
        walk = [0] * self.rests[0]
        for way, rest in zip(self.order(), self.rests[1:], strict=True):
            first = 1 + self.kinds().index(self._kind(way)) * self.steps
            walk += [*self.gone(list(range(first, first + self.steps)), way), *[0] * rest]
        return walk

    def spans(self) -> tuple[tuple[int, int], ...]:
        begins = accumulate((rest + self.leg for rest in self.rests[1:-1]), initial=self.rests[0])
        return tuple((first, first + self.leg) for first in begins)

    @property
    def time(self) -> str:
        return f"the {'last' if self.place == len(self.ways) - 1 else TIMES[self.place]} time"

    @property
    def often(self) -> str:
        return OFTEN[len(self.ways) - 1]

    def step(self, pose: int) -> tuple[Way, int]:
        """The way of a pose, or of the two the earlier one of WAYS, and the step on it; at rest step 0 of any."""
        kind, step = divmod(pose - 1, self.steps)
        return (WAYS[self.kinds()[kind]], step + 1) if pose else (WAYS[0], 0)


class Outings(Legs):
    """Out a way and back again, each time."""

    REACH: ClassVar[float] = 34.0
    """How far it goes, in units."""
    NEAR: ClassVar[float] = 1 / 3
    """The part of the poses of a way that do not show plainly which one it is."""

    def gone(self, poses: list[int], way: Way) -> list[int]:
        return [*held(poses, self.hold), *poses[-1:] * self.dwell, *held(poses[-2::-1], self.hold)]

    def seen(self) -> tuple[tuple[int, int], ...]:
        near = int(self.NEAR * self.steps) * self.hold
        return tuple((first + near, end - near) for first, end in self.spans())

    def out(self, pose: int) -> tuple[Way, float]:
        """The way of a pose, and how far out that is, from 0 to 1: slower towards the far end."""
        way, step = self.step(pose)
        return way, sin(pi / 2 * step / self.steps)

    def away(self, way: Way, share: float) -> tuple[float, float]:
        """How far to the right and below a part of a way is."""
        # Two things have a half of the picture each, and a camera that is close by sees less of it.
        room = {"composite": 0.44, "zoomed_in": 0.58}.get(self.variation, 1.0)
        right, below = AHEAD[way]
        far = self.REACH * room * share / hypot(right, below)
        return right * far, below * far


def _bee(colour: Colour) -> Drawing:
    wings = [part for x in (2.2, 7.2) for part in _oval(x, 0, 5.6, 8, (222, 232, 242))]
    bands = [Rectangle(x, top, 2, 19.4 - 2 * top, INK) for x, top in ((3.6, 6), (6.6, 5.5), (9.6, 5.8))]
    return Drawing(15, 15, (*wings, *_oval(0, 5, 15, 9.4, colour), *bands))


def _drone(colour: Colour) -> Drawing:
    arms = Line(((4, 4), (16, 16)), 1.4, INK), Line(((16, 4), (4, 16)), 1.4, INK)
    places = [(x, y) for x in (4, 16) for y in (4, 16)]
    rotors = [part for x, y in places for part in _oval(x - 4, y - 4, 8, 8, (214, 218, 222))]
    hubs = [Ellipse(x - 0.9, y - 0.9, 1.8, 1.8, INK) for x, y in places]
    return Drawing(20, 20, (*arms, *rotors, *hubs, *_slab(6.6, 6.6, 6.8, 6.8, colour, 2)))


class OfThings(Legs):
    """One of a few things goes."""

    THINGS: ClassVar[Mapping[str, Callable[[Colour], Drawing]]]

    thing: str

    @model_validator(mode="after")
    def _is_known(self) -> Self:
        if self.thing not in self.THINGS:
            raise ValueError(f"it is one of {', '.join(self.THINGS)}")
        return self

    @classmethod
    def extras(cls, ways: Sequence[Way], random: Random) -> dict[str, Any]:
        return {"thing": random.choice(sorted(cls.THINGS))}


class Sole(Outings, OfThings):
    """One thing makes outings; or two do, of which the second goes another way each time."""

    VERB: ClassVar[tuple[str, str]]
    """What it does, behind "does it" and behind "it"."""

    others: Annotated[list[Way], Len(4, 6)]
    """The ways of the second thing, for each way of the first one in the order of WAYS."""

    @model_validator(mode="after")
    def _goes_out(self) -> Self:
        if len(self.others) != len(self.ways) or any(map(str.__eq__, self.others, self.possible())):
            raise ValueError("the second thing goes another way each time")
        return self

    @classmethod
    def extras(cls, ways: Sequence[Way], random: Random) -> dict[str, Any]:
        others = [random.choice([one for one in WAYS if one != way]) for way in WAYS if way in ways]
        return {**super().extras(ways, random), "others": others}

    def asked(self) -> Asked:
        first, second = (f"{colour} {self.thing}" for colour in self.colours)
        verb, verbs = self.VERB
        shown, who = f"{a(first)} in the middle of the picture", "it"
        if self.variation == "composite":
            shown, who = f"{a(first)} and {a(second)}, side by side", "each of them, on a way of its own,"
        return Asked(
            f"The video shows {shown}. {self.often}, {who} {verbs} straight out and back again, and rests. "
            "Only the ways out count.",
            f"Which way does the {first} {verb} out {self.time}?",
        )

    def pictures(self, settings: MotionDirectionSettings) -> Pictures:
        props, (ground, dark) = Props(Stage(settings.resolution)), LOOKS[self.look]
        spot = props.disc(3, 3, shade(dark, 1.4))
        number = 2 if self.variation == "composite" else 1
        things = [self.THINGS[self.thing](COLOURS[colour]).on(props) for colour in self.colours[:number]]
        # Which side the first one is on goes with the names of the colours, so that it is either.
        sides = [50] if number == 1 else [27, 73] if self.colours[0] < self.colours[1] else [73, 27]
        turned = dict(zip(self.possible(), self.others, strict=True))
        still = [*(props.put(spot, x, 50) for x in sides), *self.backdrop(props)]

        def at(pose: int) -> list[Placement]:
            way, share = self.out(pose)
            ways = (way, turned[way] if pose else way)
            return still + [
                props.put(thing, x, 50, *self.away(one, share))
                for thing, x, one in zip(things, sides, ways, strict=False)
            ]

        return Pictures(props.atlas.sprites, at, ground)


class Flight(Sole):
    """A bee or a drone flies out and back."""

    NAME: ClassVar[str] = "flight"
    DEMONSTRATION: ClassVar[Demonstration] = "object"
    VARIATIONS: ClassVar[tuple[Variation, ...]] = ("plain", "composite", "zoomed_in", "first_person")
    THINGS: ClassVar[Mapping[str, Callable[[Colour], Drawing]]] = {"bee": _bee, "drone": _drone}
    VERB: ClassVar[tuple[str, str]] = ("fly", "flies")


class Dot(Sole):
    """A dot or a square slides out and back."""

    NAME: ClassVar[str] = "dot"
    DEMONSTRATION: ClassVar[Demonstration] = "simulated"
    VARIATIONS: ClassVar[tuple[Variation, ...]] = ("plain", "composite", "zoomed_in", "first_person")
    THINGS: ClassVar[Mapping[str, Callable[[Colour], Drawing]]] = {"dot": _disc, "square": _square}
    VERB: ClassVar[tuple[str, str]] = ("slide", "slides")


def _paddle(colour: Colour, skin: Colour) -> Drawing:
    """A hand that holds a paddle up."""
    fingers = [part for number in range(4) for part in _slab(6.2, 24.4 + 2.6 * number, 8.4, 2.8, skin, 1.2)]
    hand = *_slab(6.4, 31, 7.4, 11, skin, 2), *_slab(5.2, 24, 10, 12, skin, 3)
    return Drawing(20, 42, (*_oval(2, 0, 16, 16, colour), Rectangle(9, 15, 2.2, 22, COLOURS["brown"]), *hand, *fingers))


class Waver(Outings):
    """A hand waves a paddle one way after another."""

    NAME: ClassVar[str] = "waver"
    DEMONSTRATION: ClassVar[Demonstration] = "human"
    VARIATIONS: ClassVar[tuple[Variation, ...]] = ("plain", "zoomed_in", "first_person")
    REACH: ClassVar[float] = 26.0

    skin: int = Field(ge=0, lt=len(SKINS))

    @classmethod
    def extras(cls, ways: Sequence[Way], random: Random) -> dict[str, Any]:
        return {"skin": random.randrange(len(SKINS))}

    def focus(self) -> tuple[float, float]:
        return 50.0, 44.0

    def asked(self) -> Asked:
        paddle = f"{self.colours[0]} paddle"
        return Asked(
            f"The video shows a hand that holds {a(paddle)}. {self.often}, the hand moves it straight out and back "
            "again, and rests. Only the ways out count, as you see them in the picture.",
            f"Which way does the hand move the {paddle} out {self.time}?",
        )

    def pictures(self, settings: MotionDirectionSettings) -> Pictures:
        props, (ground, _) = Props(Stage(settings.resolution)), LOOKS[self.look]
        paddle = _paddle(COLOURS[self.colours[0]], SKINS[self.skin]).on(props)
        sleeve, still = props.box(9, 70, COLOURS[self.colours[1]], 0.8), self.backdrop(props)

        def at(pose: int) -> list[Placement]:
            away = self.away(*self.out(pose))
            # Kept together, and the arm reaches below the picture wherever the hand is.
            parts = (sleeve, 54.0), (paddle, 0.0)
            return still + [props.put(part, 50, 51, away[0], away[1] + below) for part, below in parts]

        return Pictures(props.atlas.sprites, at, ground)


class Pointer(Outings):
    """A person points one way after another, with the arm of that side."""

    NAME: ClassVar[str] = "pointer"
    DEMONSTRATION: ClassVar[Demonstration] = "human"
    VARIATIONS: ClassVar[tuple[Variation, ...]] = ("plain", "zoomed_in", "first_person")
    STEPS: ClassVar[tuple[int, int]] = (4, 5)
    MOST: ClassVar[float] = 0.75
    NEAR: ClassVar[float] = 0.6

    person: int = Field(ge=0, lt=len(BUILDS))
    side: Side
    """The arm that points up or down."""

    @classmethod
    def extras(cls, ways: Sequence[Way], random: Random) -> dict[str, Any]:
        return {"person": random.randrange(len(BUILDS)), "side": random.choice(get_args(Side))}

    def asked(self) -> Asked:
        return Asked(
            f"The video shows a person who holds both hands to the shoulders. {self.often}, the person stretches out "
            "an arm to point a way, and draws it back. Ways are meant as you see them in the picture.",
            f"Which way does the person point {self.time}?",
        )

    def pictures(self, settings: MotionDirectionSettings) -> Pictures:
        props, (ground, _) = Props(Stage(settings.resolution)), LOOKS[self.look]
        tall = 66.0 / (1.4 if self.variation == "zoomed_in" else 1.0)
        person, level = Figure(props, replace(BUILDS[self.person], height=tall)), 50 + tall / 2
        still = self.backdrop(props, level)

        def arm(side: Side, way: Way | None, share: float) -> list[Placement]:
            """An arm that is folded to the chest, or stretched out by a share of the way to pointing."""
            upper, fore = 24.0, 210.0
            if way is not None:
                # 0 is straight down, 90 to the side of the arm and 180 up.
                across, below = AHEAD[way]
                to = degrees(atan2(abs(across), below))
                upper, fore = upper + (to - upper) * share, fore + (to - fore) * share
            sense = 1 if side == "right" else -1
            return person.arm(side, 50, level, round(sense * upper), round(sense * fore))

        @cache
        def at(pose: int) -> list[Placement]:
            way, share = self.out(pose)
            sides: dict[int, Side] = {-1: "left", 0: self.side, 1: "right"}
            points = sides[AHEAD[way][0]]
            rests: Side = "left" if points == "right" else "right"
            return [*still, *person.standing(50, level), *arm(rests, None, 0), *arm(points, way, share)]

        # The atlas is whole once every pose was worked out.
        for pose in range(1 + self.steps * len(self.ways)):
            at(pose)
        return Pictures(props.atlas.sprites, at, ground)


class Passage(OfThings):
    """Out of the picture and in again on the opposite side, back to the middle, along one axis after another."""

    KINDS: ClassVar[int] = 4
    NUMBER: ClassVar[tuple[int, int]] = (2, 3)
    STEPS: ClassVar[tuple[int, int]] = (9, 60)
    VARIATIONS: ClassVar[tuple[Variation, ...]] = ("plain", "zoomed_in", "first_person")

    def gone(self, poses: list[int], way: Way) -> list[int]:
        return held(poses if way in WAYS[:4] else poses[::-1], self.hold)

    def seen(self) -> tuple[tuple[int, int], ...]:
        # Three frames each time tell which way it goes.
        third = self.leg // 3
        return tuple(
            (first + part * third, first + part * third + third) for first, _ in self.spans() for part in range(3)
        )

    def asked(self) -> Asked:
        thing = f"{self.colours[0]} {self.thing}"
        return Asked(
            f"The video shows {a(thing)} in the middle of the picture. {self.often}, it moves straight on, out of the "
            "picture and in again on the opposite side, until it is back in the middle, and rests.",
            f"Which way does the {thing} move {self.time}?",
        )

    def pictures(self, settings: MotionDirectionSettings) -> Pictures:
        props, (ground, dark) = Props(Stage(settings.resolution)), LOOKS[self.look]
        drawing = self.THINGS[self.thing](COLOURS[self.colours[0]])
        sprite, spot = drawing.on(props), props.disc(3, 3, shade(dark, 1.4))
        laps = {way: self.lap(settings, way, *drawing[:2]) for way in WAYS[:4]}
        still = [props.put(spot, 50, 50), *self.backdrop(props)]

        def at(pose: int) -> list[Placement]:
            way, step = self.step(pose)
            share = (step / (self.steps + 1) + 0.5) % 1 - 0.5
            across, down = laps[way]
            return [*still, props.put(sprite, 50, 50, across * share, down * share)]

        return Pictures(props.atlas.sprites, at, ground)


class Toy(Passage):
    """A ball, a drone or a leaf that leaves the picture and comes in again."""

    NAME: ClassVar[str] = "toy"
    DEMONSTRATION: ClassVar[Demonstration] = "object"
    THINGS: ClassVar[Mapping[str, Callable[[Colour], Drawing]]] = {"ball": _ball, "drone": _drone, "leaf": _leaf}


class Token(Passage):
    """A plain shape that leaves the picture and comes in again."""

    NAME: ClassVar[str] = "token"
    DEMONSTRATION: ClassVar[Demonstration] = "simulated"
    THINGS: ClassVar[Mapping[str, Callable[[Colour], Drawing]]] = {"disc": _disc, "cross": _cross, "diamond": _diamond}


FAMILY = single_clip_family(
    name="motion_direction",
    version=1,
    summary="Which way something moves: one of eight ways, there and back, forwards or backwards, or no way steadily.",
    settings=MotionDirectionSettings,
    scripts=(
        Walker,
        Pointer,
        Waver,
        Vehicle,
        Drifting,
        Flight,
        Scenery,
        Toy,
        PlainShape,
        Dot,
        Token,
    ),
)

if __name__ == "__main__":
    from generators.command import main

    main(["motion_direction", *sys.argv[1:]])
