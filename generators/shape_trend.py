"""Shapes and trends: which figure is drawn when nothing stays behind of it, and how a level goes up and down.

Closed paths that begin and end in one place can follow one another in any order, pegs can be visited in any order, and
a level can go through its heights in any order: whatever the answer is, it takes the same frames.
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise
from math import ceil, cos, dist, pi, sin
from random import Random
from typing import Annotated, Any, ClassVar, Literal, Self, TypeVar, get_args

from annotated_types import Len
from pydantic import Field, model_validator

from generators.errors import InputError
from generators.figures import SIDES, Build, Figure, Side, some_build
from generators.pairs import draw_real
from generators.props import Props, rimmed
from generators.randomness import Streams, stream
from generators.rendering.scene import Colour, Ellipse, Line, Placement, Polygon, Rectangle, Shape, Sprite, Text
from generators.single_clips import (
    Asked,
    Demonstration,
    Pictures,
    SingleScript,
    SingleSettings,
    Variation,
    single_clip_family,
)
from generators.stage import COLOURS, INK, LOOKS, PAPER, Stage, a, shade
from simulators.walks import distance, drawn_jumps, held, jumping


class ShapeTrendSettings(SingleSettings):
    pass


FILLED = 0.78
"""The share of a clip that is motion, at least."""

REST_SECONDS = 0.4
"""How long things stand still at either end of a clip, at least."""

LEEWAY = 3
"""Units by which a thing may stand aside of its usual place."""

MARKS = ("blue", "green", "orange", "red")
"""Colours of the part to watch: few, so that clips share pictures."""

SHIRTS = ("purple", "brown", "yellow", "pink")
"""What the few persons wear: nothing of the colours to watch."""

IN_THE_SCENE = "in the scene, not in the picture, which moves with the camera"
"""What counts where the camera moves."""

Point = tuple[float, float]
One = TypeVar("One")


class Shown(SingleScript):
    """What the plans of all scripts say."""

    SCENERY: ClassVar[bool] = False
    """Whether things stand about, by which a viewer can tell that the camera moves."""

    look: int = Field(ge=0, lt=len(LOOKS))
    colour: Literal["blue", "green", "orange", "red"]
    x: int = Field(ge=-LEEWAY, le=LEEWAY)
    y: int = Field(ge=-LEEWAY, le=LEEWAY)
    """Units to the right and down from the usual place."""
    rests: Annotated[list[Annotated[int, Field(ge=1, le=20_000)]], Len(2, 2)]
    """Frames of stillness before and after."""

    @classmethod
    def common(cls, settings: ShapeTrendSettings, variation: Variation, random: Random) -> dict[str, Any]:
        """All of these fields but the rests."""
        return {
            "fps": settings.fps,
            "variation": variation,
            "look": random.randrange(len(LOOKS)),
            "colour": random.choice(MARKS),
            "x": random.randint(-LEEWAY, LEEWAY),
            "y": random.randint(-LEEWAY, LEEWAY),
            **cls.extras(random),
        }

    @classmethod
    def extras(cls, random: Random) -> dict[str, Any]:
        """What a script draws beside."""
        return {}

    @classmethod
    def room(cls, settings: ShapeTrendSettings, random: Random) -> tuple[int, int, int]:
        """Frames of a clip, and the least and most of them that may be motion."""
        frames, rest = round(draw_real(settings.seconds, random) * settings.fps), round(REST_SECONDS * settings.fps)
        return frames, ceil(FILLED * frames), frames - 2 * max(1, rest)

    @classmethod
    def rest(cls, settings: ShapeTrendSettings, still: int, random: Random) -> list[int]:
        """So many frames of stillness, shared out before and after."""
        least = max(1, round(REST_SECONDS * settings.fps))
        begin = random.randint(least, still - least)
        return [begin, still - begin]

    @property
    def is_double(self) -> bool:
        """Whether a second thing moves as well."""
        return self.variation == "composite"

    @property
    def middle(self) -> Point:
        return 50.0 + self.x, 50.0 + self.y

    def focus(self) -> Point:
        return self.middle

    @property
    def parts(self) -> tuple[int, int, int]:
        """How many shapes, rounds or rises there are, and the frames of each and of the stillness between."""
        raise NotImplementedError(self)

    def spans(self) -> tuple[tuple[int, int], ...]:
        number, length, pause = self.parts
        begins = [self.rests[0] + one * (length + pause) for one in range(number)]
        return tuple((begin, begin + length) for begin in begins)

    def measures(self) -> dict[str, int | float]:
        number, length, pause = self.parts
        return {"parts": number, "parts_a_second": round(self.fps / (length + pause), 3)}

    def words(self) -> str:
        """What the video shows: one sentence."""
        raise NotImplementedError(self)

    def drawing(self, props: Props, dark: Colour) -> Callable[[int], list[Placement]]:
        """What is placed where in a pose; `dark` is the tone of what stands still."""
        raise NotImplementedError(self)

    def behind(self, props: Props, dark: Colour) -> list[Placement]:
        """A wall with dots, where there is no scenery."""
        dot = props.picture(3, 3, Ellipse(0, 0, 3, 3, shade(dark, 3.2)))
        return [props.put(dot, x, y) for x, y in ((10, 12), (50, 10), (90, 12), (10, 50), (90, 50), (10, 90), (90, 90))]

    def pictures(self, settings: ShapeTrendSettings) -> Pictures:
        props, (ground, dark) = Props(Stage(settings.resolution)), LOOKS[self.look]
        at = self.drawing(props, dark)
        behind = self.behind(props, dark) if self.variation == "first_person" and not self.SCENERY else []
        poses = [[*behind, *at(pose)] for pose in range(max(self.walk()) + 1)]
        return Pictures(props.atlas.sprites, poses.__getitem__, ground)


def _rotated(values: Sequence[One], turn: int) -> list[One]:
    return [*values[turn:], *values[:turn]]


# ---------------------------------------------------------------------------------------------------- paths

LETTERS: Mapping[str, tuple[Point, ...]] = {
    "the letter L": ((0, 0), (0, 0.95), (0.55, 0.95)),
    "the letter V": ((0, 0), (0.32, 0.95), (0.64, 0)),
    "the letter Z": ((0, 0), (0.6, 0), (0, 0.85), (0.6, 0.85)),
    "the letter U": (
        (0, 0),
        *((0.29 - 0.29 * cos(pi * part / 12), 0.6 + 0.32 * sin(pi * part / 12)) for part in range(13)),
        (0.58, 0),
    ),
}
"""Strokes, which are drawn and then gone back along."""

_ROUND = [2 * pi * part / 48 for part in range(48)]
OUTLINES: Mapping[str, tuple[Point, ...]] = {
    "a circle": tuple((0.48 * sin(turn), 0.48 - 0.48 * cos(turn)) for turn in _ROUND),
    "a triangle": ((0, 0), (0.55, 0.92), (-0.55, 0.92)),
    "a square": ((0, 0), (0.45, 0), (0.45, 0.9), (-0.45, 0.9), (-0.45, 0)),
    "a trapezoid": ((0, 0), (0.2, 0), (0.56, 0.75), (-0.56, 0.75), (-0.2, 0)),
    "a diamond": ((0, 0), (0.4, 0.5), (0, 1), (-0.4, 0.5)),
    "a star": tuple((0.53 * sin(4 * pi * part / 5), 0.53 - 0.53 * cos(4 * pi * part / 5)) for part in range(5)),
    "a heart": tuple(
        (
            0.5 * sin(turn) ** 3,
            0.15 - 0.031 * (13 * cos(turn) - 5 * cos(2 * turn) - 2 * cos(3 * turn) - cos(4 * turn)),
        )
        for turn in _ROUND
    ),
    "a figure eight": tuple((0.3 * sin(2 * turn), 0.5 - 0.5 * cos(turn)) for turn in _ROUND),
}
"""Closed paths: places in shares of the size, to the right and down from where each begins and ends."""

Shapes = Literal[
    "a circle", "a triangle", "a square", "a trapezoid", "a diamond", "a star", "a heart", "a figure eight",
    "the letter L", "the letter V", "the letter Z", "the letter U",
]  # fmt: skip
SHAPES: tuple[Shapes, ...] = get_args(Shapes)

ALIKE: tuple[frozenset[str], ...] = (
    frozenset({"a triangle", "the letter V"}),
    frozenset({"the letter U", "the letter V"}),
    frozenset({"a square", "a trapezoid"}),
)
"""Shapes that are not drawn in one clip, since a viewer may take one for the other."""


@cache
def _path(shape: str, steps: int, is_backwards: bool) -> tuple[Point, ...]:
    """The place of each of so many even steps along a shape, the first one where it begins and ends."""
    if shape in LETTERS:
        corners = [*LETTERS[shape], *reversed(LETTERS[shape][:-1])]
    else:
        corners = [*OUTLINES[shape], OUTLINES[shape][0]]
        first = corners[0]
        corners = [(across - first[0], down - first[1]) for across, down in corners]
    if is_backwards:
        corners.reverse()
    sides = [dist(one, other) for one, other in pairwise(corners)]
    path, side, before, whole = [], 0, 0.0, sum(sides)
    for step in range(steps):
        while side < len(sides) - 1 and before + sides[side] < whole * step / steps:
            before += sides[side]
            side += 1
        share = (whole * step / steps - before) / sides[side]
        (left, top), (right, bottom) = corners[side : side + 2]
        path.append((left + share * (right - left), top + share * (bottom - top)))
    return tuple(path)


# ---------------------------------------------------------------------------------------------------- shapes drawn

Asks = Literal["place", "after", "before"]
ASKS: tuple[Asks, ...] = ("place", "place", "after", "before")
"""What is asked, as often as it stands here."""

PLACES = ("first", "second", "third", "fourth", "fifth")


class Drawn(Shown):
    """Something draws shapes one after the other, all from one place; which comes when is asked.

    Pose 0 is the one place. The others are numbered in turn through the shapes, the first of each and so on, so that
    a camera that moves with the poses goes once to and fro during each shape.
    """

    SIZE: ClassVar[float] = 34.0
    """Units that are 1 in the paths."""
    DONE: ClassVar[str] = "drawn"
    """The verb of the question."""
    RULE: ClassVar[str] = "Nothing stays behind of a shape: only the path it takes shows it."
    WRITTEN_ON: ClassVar[str] = "sign"
    """What bears a shape's name that need not be true, if anything does."""

    shapes: Annotated[list[Shapes], Len(3, 6)]
    """Where one is named in the question, it is the first of these."""
    backwards: Annotated[list[bool], Len(3, 6)]
    """Which of them are drawn the other way round than usual."""
    turn: int = Field(ge=0, le=4)
    """The shapes come in their order, from this one on; but the one that is named in the question has its own place."""
    asks: Asks
    place: int = Field(ge=0, le=4)
    """Which place is asked about, or that of the shape which the question names."""
    lap: int = Field(ge=14, le=10_000)
    """Frames of one shape."""
    pause: int = Field(ge=1, le=10_000)
    """Frames of stillness between two."""
    written: int = Field(ge=0, le=5)
    """Which shape something says that need not be true, if anything does."""

    @model_validator(mode="after")
    def _is_drawn(self) -> Self:
        number = len(self.shapes)
        if len({*self.shapes}) < number or any(pair <= {*self.shapes} for pair in ALIKE):
            raise ValueError("shapes differ, and a viewer can tell them apart")
        if len(self.backwards) != number or self.written >= number:
            raise ValueError("every shape has its way round, and what is written is one of them")
        if self.turn >= len(self.options) or len(self.options) < 3 or self.place >= len(self.options):
            raise ValueError("there are three options or more; the turn and the place are less than their number")
        if self.asks == "before" and self.place == 0:
            raise ValueError("before the first shape there is none")
        if self.frames != sum(self.rests) + number * self.lap + (number - 1) * self.pause:
            raise ValueError("rests, shapes and pauses make up the clip")
        return self

    @classmethod
    def draw(cls, settings: ShapeTrendSettings, streams: Streams, variation: Variation) -> Self:
        random = streams("plan")
        frames, least, most = cls.room(settings, random)
        pause = max(1, round(0.3 * settings.fps))
        shortest, longest = max(14, ceil(1.3 * settings.fps)), round(2.7 * settings.fps)
        possible = [
            (number, low, high)
            for number in (3, 4, 5, 6)
            for still in [(number - 1) * pause]
            for low in [max(shortest, ceil((least - still) / number))]
            for high in [min((most - still) // number, max(longest, low) if number == 6 else longest)]
            if low <= high
        ]
        if not possible:
            raise InputError("a clip is too short for three shapes that a viewer can follow: raise --seconds or --fps")
        number, low, high = random.choice(possible)
        asks = random.choice(ASKS) if number > 3 else "place"
        if number == 6 and asks == "place":
            # Five options are enough.
            asks = random.choice(ASKS[2:])
        shapes = random.sample(SHAPES, number)
        while any(pair <= {*shapes} for pair in ALIKE) or sum(shape in LETTERS for shape in shapes) > 2:
            shapes = random.sample(SHAPES, number)
        lap = random.randint(low, high)
        motion = number * lap + (number - 1) * pause
        options = number - (asks != "place")
        return cls(
            **cls.common(settings, variation, random),
            frames=frames,
            rests=cls.rest(settings, frames - motion, random),
            shapes=shapes,
            backwards=[random.random() < 0.5 for _ in shapes],
            turn=0,
            asks=asks,
            place=random.randrange(asks == "before", options),
            lap=lap,
            pause=pause,
            written=random.randrange(number),
        )

    @property
    def options(self) -> list[Shapes]:
        return self.shapes if self.asks == "place" else self.shapes[1:]

    @property
    def order(self) -> list[Shapes]:
        """The shapes as they are drawn."""
        others = _rotated(self.options, self.turn)
        if self.asks == "place":
            return others
        return [*others[: self.place], self.shapes[0], *others[self.place :]]

    @property
    def parts(self) -> tuple[int, int, int]:
        return len(self.shapes), self.lap, self.pause

    def alternatives(self) -> list[Self]:
        return [self.model_copy(update={"turn": turn}) for turn in range(len(self.options))]

    def says(self) -> str:
        return self.order[self.place + {"place": 0, "after": 1, "before": -1}[self.asks]]

    def asked(self) -> Asked:
        last = len(self.shapes) - 1
        when = {
            "place": "last" if self.place == last else PLACES[self.place],
            "after": f"right after the {_bare(self.shapes[0])}",
            "before": f"right before the {_bare(self.shapes[0])}",
        }[self.asks]
        rules = [
            self.RULE,
            f"Each of the {('three', 'four', 'five', 'six')[last - 2]} shapes begins and ends at the same "
            "place, with a short pause there between two shapes.",
        ]
        if any(shape in LETTERS for shape in self.shapes):
            rules.append("The strokes of a letter are followed to their end and then all the way back.")
        if self.variation == "first_person":
            rules.append(f"What counts is the path {IN_THE_SCENE}.")
        if self.variation == "counterfactual":
            rules.append(f"What is written on the {self.WRITTEN_ON} need not be what is drawn at any time.")
        return Asked(self.words(), f"{' '.join(rules)} Which shape is {self.DONE} {when}?")

    def walk(self) -> list[int]:
        number, (before, after) = len(self.shapes), self.rests
        walk = [0] * before
        for place, shape in enumerate(self.order):
            walk += [0] * (self.pause if place else 0)
            walk += [step * number + self.shapes.index(shape) for step in range(1, self.lap + 1)]
        return [*walk, *[0] * after]

    def seen(self) -> tuple[tuple[int, int], ...]:
        # Fourteen frames of a shape tell it from the others.
        part = max(1, self.lap // 14)
        return tuple((first, first + part) for first, _ in self.spans())

    # What all pictures need.

    @property
    def home(self) -> Point:
        """Where the shapes begin and end."""
        return 50.0 + self.x, 32.0 + self.y

    def focus(self) -> Point:
        return self.home[0] + 2, self.home[1] + self.SIZE / 2 - 2

    def offsets(self) -> list[Point]:
        """How far, in units, the thing is off its home in each pose."""
        number, paths = len(self.shapes), []
        for shape, is_backwards in zip(self.shapes, self.backwards, strict=True):
            paths.append(_path(shape, self.lap + 1, is_backwards))
        return [
            (self.SIZE * across, self.SIZE * down)
            for pose in range((self.lap + 1) * number)
            for across, down in [paths[pose % number][pose // number]]
        ]

    def phase(self, pose: int) -> float:
        """Which share of a shape is done in a pose."""
        return pose // len(self.shapes) / (self.lap + 1)

    def sign(self, props: Props, dark: Colour) -> int:
        """A board that names one of the shapes."""
        width, height, unit = props.stage.even(36), props.stage.even(9), props.stage.unit
        shapes: list[Shape] = [
            Rectangle(0, 0, width, height, shade(dark, 1.4), 2 * unit),
            Rectangle(0.7 * unit, 0.7 * unit, width - 1.4 * unit, height - 1.4 * unit, PAPER, 1.5 * unit),
            Text(width / 2, height / 2, _bare(self.shapes[self.written]).upper(), 4.4 * unit, INK),
        ]
        return props.atlas.add(Sprite(width, height, tuple(shapes)))


def _bare(shape: str) -> str:
    """The name of a shape without its article."""
    return shape.split(" ", 1)[1]


class Dot(Drawn):
    """A dot draws shapes; another one may go to and fro."""

    NAME: ClassVar[str] = "dot"
    DEMONSTRATION: ClassVar[Demonstration] = "simulated"
    VARIATIONS: ClassVar[tuple[Variation, ...]] = ("plain", "composite", "zoomed_in", "counterfactual")

    def words(self) -> str:
        other = " The grey dot is not asked about." if self.is_double else ""
        return f"The video shows {a(self.colour)} dot that goes along one shape after the other.{other}"

    def drawing(self, props: Props, dark: Colour) -> Callable[[int], list[Placement]]:
        dot, other = props.disc(6, 6, COLOURS[self.colour]), props.disc(6, 6, shade(dark, 1.6))
        offsets, fixed = self.offsets(), []
        if self.variation == "counterfactual":
            fixed.append(props.put(self.sign(props, dark), 50, 84 + self.y))

        def at(pose: int) -> list[Placement]:
            placed = [*fixed, props.put(dot, *self.home, *offsets[pose])]
            if self.is_double:
                turn = 2 * pi * self.phase(pose)
                placed.append(props.put(other, 50, 82 + self.y, 30 * sin(turn), 5 * sin(2 * turn)))
            return placed

        return at


class Bee(Drawn):
    """A bee flies shapes over flowers; a butterfly may fly about as well."""

    NAME: ClassVar[str] = "bee"
    SCENERY: ClassVar[bool] = True
    DEMONSTRATION: ClassVar[Demonstration] = "object"
    VARIATIONS: ClassVar[tuple[Variation, ...]] = ("plain", "composite", "zoomed_in", "first_person")
    DONE: ClassVar[str] = "flown"

    def words(self) -> str:
        other = " The butterfly is not asked about." if self.is_double else ""
        return f"The video shows a bee that flies along one shape after the other above some flowers.{other}"

    def drawing(self, props: Props, dark: Colour) -> Callable[[int], list[Placement]]:
        bee = props.picture(
            9,
            8,
            Ellipse(2.6, 0, 3.2, 4.6, (176, 200, 222)),
            Ellipse(5, 0.4, 3, 4.2, (196, 216, 232)),
            Ellipse(0.4, 3, 8, 4.8, INK),
            Ellipse(0.9, 3.4, 7, 4, COLOURS["yellow"]),
            Rectangle(2.6, 3.4, 1.2, 4, INK),
            Rectangle(5, 3.4, 1.2, 4, INK),
        )
        petal, flowers = COLOURS[self.colour], []
        for across, tall in ((-30, 14), (-12, 9), (9, 12), (28, 8)):
            flower = props.picture(
                9,
                9 + tall,
                Line(((4.5, 5), (4.5, 9 + tall)), 1, COLOURS["green"]),
                *(Ellipse(2.9 + 2.6 * sin(turn), 2.9 + 2.6 * cos(turn), 3.4, 3.4, petal) for turn in _ROUND[::8]),
                Ellipse(2.9, 2.9, 3.2, 3.2, COLOURS["yellow"]),
            )
            flowers.append(props.put(flower, 50 + across, 90 - tall / 2 + self.y))
        offsets = self.offsets()
        butterfly = props.picture(
            7,
            6,
            Ellipse(0, 0, 3.4, 3.8, COLOURS["purple"]),
            Ellipse(3.6, 0, 3.4, 3.8, COLOURS["purple"]),
            Ellipse(0.6, 3, 2.8, 3, COLOURS["pink"]),
            Ellipse(3.6, 3, 2.8, 3, COLOURS["pink"]),
            Line(((3.5, 0.8), (3.5, 5.4)), 0.8, INK),
        )

        def at(pose: int) -> list[Placement]:
            placed = [*flowers, props.put(bee, *self.home, *offsets[pose])]
            if self.is_double:
                turn = 2 * pi * self.phase(pose)
                placed.append(props.put(butterfly, 50, 14 + self.y, 36 * sin(turn), 4 * sin(2 * turn)))
            return placed

        return at


class Pencil(Drawn):
    """A pencil goes over paper and leaves no trace; the paper may have a shape's name on it."""

    NAME: ClassVar[str] = "pencil"
    DEMONSTRATION: ClassVar[Demonstration] = "object"
    VARIATIONS: ClassVar[tuple[Variation, ...]] = ("plain", "counterfactual", "zoomed_in")
    WRITTEN_ON: ClassVar[str] = "paper"

    def focus(self) -> Point:
        return self.home[0] + 9, self.home[1] + 5.5

    def words(self) -> str:
        return (
            f"The video shows {a(self.colour)} pencil whose point goes along one shape after the other on a sheet of "
            "paper but leaves no line."
        )

    def drawing(self, props: Props, dark: Colour) -> Callable[[int], list[Placement]]:
        sheet, colour = props.box(60, 78, PAPER, 1), COLOURS[self.colour]
        wood, size = (222, 184, 140), 17.0
        pencil = props.picture(
            size,
            size,
            Polygon(((0.2, 16.8), (1.2, 12.4), (4.6, 15.8)), wood),
            Polygon(((0.2, 16.8), (0.6, 15.0), (2.0, 16.4)), INK),
            Polygon(((1.2, 12.4), (12.6, 1.0), (16.0, 4.4), (4.6, 15.8)), shade(colour, 0.6)),
            Polygon(((1.9, 12.8), (12.8, 1.9), (15.1, 4.2), (4.2, 15.1)), colour),
            Line(((13.4, 1.8), (15.2, 3.6)), 1.6, COLOURS["pink"]),
        )
        fixed = [props.put(sheet, 50 + self.x, 50 + self.y)]
        if self.variation == "counterfactual":
            fixed.append(props.put(self.sign(props, dark), 50 + self.x, 80 + self.y))
        offsets = self.offsets()

        def at(pose: int) -> list[Placement]:
            across, down = offsets[pose]
            return [*fixed, props.put(pencil, *self.home, across + size / 2, down - size / 2)]

        return at


class Person(Shown):
    """A person, seen as far as the hips, who does it with one hand beside the body."""

    DEMONSTRATION: ClassVar[Demonstration] = "human"
    HEIGHT: ClassVar[float] = 110.0
    # The arm reaches 0.36 of the height, and every shape lies within that.

    person: int = Field(ge=0, lt=len(SHIRTS))
    """Which of a few persons."""

    @classmethod
    def extras(cls, random: Random) -> dict[str, Any]:
        return {"person": random.randrange(len(SHIRTS))}

    @property
    def side(self) -> Side:
        """On which side of the picture it is done: some persons are left-handed."""
        return SIDES[self.person % 2]

    @property
    def sense(self) -> int:
        return 1 if self.side == "right" else -1

    @property
    def foot(self) -> Point:
        return 50.0 - 17 * self.sense + self.x, self.HEIGHT + 24 + self.y

    @property
    def other(self) -> Side:
        return SIDES[1 - self.person % 2]

    def body(self, props: Props) -> Figure:
        build = some_build(stream(self.person, "shape_trend", "person"), self.HEIGHT, shirt=SHIRTS[self.person])
        return Figure(props, build)

    def reaching(self, body: Figure, x: float, y: float) -> list[Placement]:
        """The arm whose hand is at a place, to the nearest unit."""
        foot = self.foot
        angles = _angles(self.HEIGHT, body.props.stage, self.side, round(x - foot[0]), round(y - foot[1]))
        return body.arm(self.side, *foot, *angles, is_joined=False)


@cache
def _angles(height: float, stage: Stage, side: Side, across: int, down: int) -> tuple[int, int]:
    """The angles of an arm that reaches so far from the point between the feet."""
    build = Build(height, INK, INK, INK, INK)
    return Figure(Props(stage), build).reach(side, 0, 0, across, down, "under")


class AirPen(Drawn, Person):
    """A person draws shapes in the air with a lit pen; a sign may name one of them."""

    NAME: ClassVar[str] = "air_pen"
    VARIATIONS: ClassVar[tuple[Variation, ...]] = ("plain", "counterfactual", "zoomed_in", "first_person")
    SIZE: ClassVar[float] = 23.0
    RULE: ClassVar[str] = (
        "Nothing stays behind of a shape: it is the path that the light takes beside the person, seen from the front."
    )

    def words(self) -> str:
        return f"The video shows a person who draws one shape after the other in the air with {a(self.colour)} light."

    @property
    def home(self) -> Point:
        return self.foot[0] + self.sense * 34.5 - 0.8, self.foot[1] - 98.0

    def focus(self) -> Point:
        return 50.0 + 7 * self.sense + self.x, self.home[1] + 12

    def drawing(self, props: Props, dark: Colour) -> Callable[[int], list[Placement]]:
        body = self.body(props)
        fixed = [*body.standing(*self.foot), *body.arm(self.other, *self.foot, 0, 0)]
        if self.variation == "counterfactual":
            fixed.insert(0, props.put(self.sign(props, dark), 50 + 18 * self.sense + self.x, 86 + self.y))
        # The white ring sets it off from a shirt of its colour.
        light = props.picture(
            7, 7, Ellipse(0, 0, 7, 7, PAPER), *rimmed(Ellipse(0.8, 0.8, 5.4, 5.4, COLOURS[self.colour]))
        )
        x, y = self.home
        poses = [
            [*fixed, *self.reaching(body, x + across, y + down), props.put(light, x, y, across, down)]
            for across, down in self.offsets()
        ]
        return poses.__getitem__


# ---------------------------------------------------------------------------------------------------- pegs

Figures = Literal["ring", "hourglass", "bow tie", "cross", "star", "zigzag", "triangles", "changing"]

CYCLES: Mapping[int, Mapping[str, tuple[int, ...]]] = {
    4: {"ring": (0, 1, 2, 3), "hourglass": (0, 1, 3, 2), "bow tie": (0, 3, 1, 2)},
    5: {"ring": (0, 1, 2, 3, 4), "star": (0, 2, 4, 1, 3), "zigzag": (0, 1, 4, 2, 3)},
    6: {"ring": (0, 1, 2, 3, 4, 5), "zigzag": (0, 1, 5, 2, 4, 3), "through": (0, 3, 1, 4, 2, 5)},
}
"""Orders that visit each of so many pegs once; pegs are numbered clockwise from the top, or from the top left."""

PARTS: Mapping[str, tuple[tuple[int, ...], ...]] = {
    "cross": ((0, 2), (1, 3)),
    "triangles": ((0, 2, 4), (1, 3, 5)),
}
"""Figures of two parts: one is drawn again and again, and then the other."""

FIGURES: Mapping[int, Mapping[Figures, str]] = {
    4: {
        "ring": "a square: along its four sides in turn",
        "hourglass": "an hourglass: top, bottom and both diagonals",
        "bow tie": "a bow tie: left, right and both diagonals",
        "cross": "a cross: first one diagonal, later the other",
        "changing": "no one figure: it changes from round to round",
    },
    5: {
        "ring": "a pentagon: from each one to its neighbour",
        "star": "a star: from each one to the next but one",
        "zigzag": "a zigzag: side to side, row by row, then back",
        "changing": "no one figure: it changes from round to round",
    },
    6: {
        "ring": "a hexagon: from each one to its neighbour",
        "triangles": "two triangles: first one, later the other",
        "zigzag": "a zigzag: side to side, row by row, then back",
        "changing": "no one figure: it changes from round to round",
    },
}


def _pegs(number: int, radius: float) -> list[Point]:
    """The corners of a regular figure; of four, two lie at the top."""
    if number == 4:
        side = 0.8 * radius
        return [(-side, -side), (side, -side), (side, side), (-side, side)]
    return [(radius * sin(2 * pi * one / number), -radius * cos(2 * pi * one / number)) for one in range(number)]


class Hops(Shown):
    """Pegs are visited one after the other; the lines from each to the next make a figure.

    Pose 0 is that before and after. A visit goes through the same poses of its peg whenever it is.
    """

    PEGS: ClassVar[tuple[int, ...]] = (4, 5, 6)
    NOUN: ClassVar[str]
    VISIT_SECONDS: ClassVar[tuple[float, float]] = (0.42, 0.8)
    LEAST: ClassVar[int] = 3
    """Frames of a visit, at least."""
    RADIUS: ClassVar[float] = 22.0

    pegs: int = Field(ge=4, le=6)
    figure: Figures
    start: int = Field(ge=0, le=5)
    """The peg that is visited first."""
    is_backwards: bool
    rounds: int = Field(ge=3, le=400)
    """How often each peg is visited."""
    visit: int = Field(ge=1, le=10_000)
    """Frames of one visit."""
    offset: int = Field(ge=0, le=2)
    """With which figure the rounds begin where every one is another."""
    painted: int = Field(ge=0, le=2)
    """Which figure is painted between the pegs, if one is."""

    @model_validator(mode="after")
    def _is_visited(self) -> Self:
        if self.pegs not in self.PEGS or self.figure not in FIGURES[self.pegs] or self.start >= self.pegs:
            raise ValueError(f"there are {self.PEGS} pegs, the first one visited is one of them, and so is the figure")
        if self.visit < self.LEAST:
            raise ValueError(f"a visit has {self.LEAST} frames or more")
        if self.frames != sum(self.rests) + self.rounds * self.pegs * self.visit:
            raise ValueError("rests and visits make up the clip")
        return self

    @classmethod
    def draw(cls, settings: ShapeTrendSettings, streams: Streams, variation: Variation) -> Self:
        random = streams("plan")
        frames, least, most = cls.room(settings, random)
        shortest, longest = (round(seconds * settings.fps) for seconds in cls.VISIT_SECONDS)
        possible = [
            (pegs, rounds, visit)
            for pegs in cls.PEGS
            for visit in range(max(cls.LEAST, shortest), max(cls.LEAST, longest) + 1)
            for rounds in range(max(3, ceil(least / (pegs * visit))), most // (pegs * visit) + 1)
        ]
        if not possible:
            raise InputError(f"a clip is too short to visit every {cls.NOUN} three times: raise --seconds or --fps")
        pegs = random.choice(sorted({pegs for pegs, _, _ in possible}))
        pegs, rounds, visit = random.choice([one for one in possible if one[0] == pegs])
        return cls(
            **cls.common(settings, variation, random),
            frames=frames,
            rests=cls.rest(settings, frames - rounds * pegs * visit, random),
            pegs=pegs,
            figure="ring",
            start=random.randrange(pegs),
            is_backwards=random.random() < 0.5,
            rounds=rounds,
            visit=visit,
            offset=random.randrange(3),
            painted=random.randrange(3),
        )

    @property
    def parts(self) -> tuple[int, int, int]:
        return self.rounds, self.pegs * self.visit, 0

    def alternatives(self) -> list[Self]:
        return [self.model_copy(update={"figure": figure}) for figure in FIGURES[self.pegs]]

    def says(self) -> str:
        return FIGURES[self.pegs][self.figure]

    def asked(self) -> Asked:
        painted = " The lines painted between them need not be followed." if self.variation == "counterfactual" else ""
        return Asked(
            self.words(),
            f"Think of a straight line from each {self.NOUN} to the one that comes next. Where an order repeats round "
            f"after round, the line from the last one back to the first is part of the figure.{painted} Which figure "
            "do these lines draw?",
        )

    @property
    def number(self) -> str:
        return ("four", "five", "six")[self.pegs - 4]

    def visits(self) -> list[int]:
        """The pegs in the order in which they are visited."""

        def once(order: Sequence[int]) -> list[int]:
            turned = list(reversed(order)) if self.is_backwards else list(order)
            return _rotated(turned, turned.index(self.start) if self.start in turned else 0)

        cycles = CYCLES[self.pegs]
        if self.figure in PARTS:
            parts = sorted(PARTS[self.figure], key=lambda part: self.start not in part)
            return [peg for part in parts for peg in once(part) * self.rounds]
        if self.figure == "changing":
            orders = list(cycles.values())
            return [peg for one in range(self.rounds) for peg in once(orders[(one + self.offset) % len(orders)])]
        return once(cycles[self.figure]) * self.rounds

    def walk(self) -> list[int]:
        before, after = self.rests
        poses = [1 + self.pegs * step + peg for peg in self.visits() for step in range(self.visit)]
        return [*[0] * before, *poses, *[0] * after]

    def seen(self) -> tuple[tuple[int, int], ...]:
        # A frame in the middle half of every visit tells the peg.
        half = max(1, self.visit // 2)
        return tuple(
            (middle, middle + half)
            for first, end in self.spans()
            for middle in range(first + (self.visit - half) // 2, end, self.visit)
        )

    # What all pictures need.

    def places(self) -> list[Point]:
        """Where the pegs are, from the middle."""
        return _pegs(self.pegs, self.RADIUS)

    def shown(self, pose: int) -> tuple[int, float]:
        """The peg that is visited, and how far it has come there or gone back: at most 1, and 0 at the ends."""
        step, peg = divmod(pose - 1, self.pegs)
        return peg, sin(pi * (step + 0.5) / self.visit) if pose else 0.0

    def painting(self, props: Props, dark: Colour) -> Placement:
        """Lines between the pegs."""
        order, side = list(CYCLES[self.pegs].values())[self.painted], 2 * self.RADIUS + 4
        corners = [(side / 2 + x, side / 2 + y) for x, y in self.places()]
        lines = Line(tuple(corners[peg] for peg in (*order, order[0])), 1, shade(dark, 2))
        return props.put(props.picture(side, side, lines), *self.middle)


class Lights(Hops):
    """Lamps are lit one after the other; lines of another figure may be painted between them."""

    NAME: ClassVar[str] = "lights"
    DEMONSTRATION: ClassVar[Demonstration] = "simulated"
    VARIATIONS: ClassVar[tuple[Variation, ...]] = ("plain", "counterfactual", "zoomed_in")
    NOUN: ClassVar[str] = "disc"
    VISIT_SECONDS: ClassVar[tuple[float, float]] = (0.26, 0.5)
    LEAST: ClassVar[int] = 2

    def words(self) -> str:
        return (
            f"The video shows {self.number} discs, of which one after the other turns {self.colour}, each for the same "
            "time."
        )

    def drawing(self, props: Props, dark: Colour) -> Callable[[int], list[Placement]]:
        off, on = props.disc(9, 9, shade(dark, 2.5)), props.disc(9, 9, COLOURS[self.colour])
        fixed = [self.painting(props, dark)] if self.variation == "counterfactual" else []
        places = self.places()
        fixed += [props.put(off, *self.middle, *place) for place in places]
        lit = [[*fixed, props.put(on, *self.middle, *place)] for place in places]

        def at(pose: int) -> list[Placement]:
            return lit[(pose - 1) % self.pegs] if pose else fixed

        return at


class Rabbit(Hops):
    """A rabbit looks out from behind one bush after the other; a bird may bob as well."""

    NAME: ClassVar[str] = "rabbit"
    DEMONSTRATION: ClassVar[Demonstration] = "object"
    VARIATIONS: ClassVar[tuple[Variation, ...]] = ("plain", "composite", "zoomed_in")
    NOUN: ClassVar[str] = "bush"
    RADIUS: ClassVar[float] = 20.0

    def focus(self) -> Point:
        return self.middle[0], self.middle[1] - 4

    def words(self) -> str:
        other = " The red bird on the rail is not asked about." if self.is_double else ""
        return (
            f"The video shows {self.number} bushes and a rabbit that looks out from behind one after the other; how it "
            f"gets from one to the next is not seen.{other}"
        )

    def drawing(self, props: Props, dark: Colour) -> Callable[[int], list[Placement]]:
        green = COLOURS["green"]
        leaves = ((0, 4, 7), (6, 4, 7), (2.6, 0.8, 8), (3, 3.4, 7))
        bush = props.picture(
            13,
            11,
            *(Ellipse(x, y, size, size, shade(green, 0.7)) for x, y, size in leaves),
            *(Ellipse(x + 0.6, y + 0.6, size - 1.2, size - 1.2, green) for x, y, size in leaves),
        )
        fur, rim = (176, 150, 126), (110, 90, 74)
        rabbit = props.picture(
            7,
            11,
            *(
                Ellipse(x + inset, y + inset, across - 2 * inset, down - 2 * inset, tone)
                for inset, tone in ((0.0, rim), (0.4, fur))
                for x, y, across, down in ((0.8, 0, 2.4, 6.5), (3.8, 0, 2.4, 6.5), (0.4, 4.2, 6.2, 6.4))
            ),
            Ellipse(1.7, 6.2, 1.1, 1.3, INK),
            Ellipse(4.2, 6.2, 1.1, 1.3, INK),
            Ellipse(2.9, 7.9, 1.2, 0.9, COLOURS["pink"]),
        )
        bushes = [props.put(bush, *self.middle, *place) for place in self.places()]
        fixed: list[Placement] = []
        rail, post, bird = props.box(34, 2.4, dark, 1), props.box(2.4, 10, dark, 0.5), _bird(props)
        x, y = 50.0 + self.x, 87.0 + self.y
        if self.is_double:
            fixed += [*(props.put(post, x, y, across, 4) for across in (-12, 12)), props.put(rail, x, y)]
        places = self.places()

        def at(pose: int) -> list[Placement]:
            peg, out = self.shown(pose)
            placed = list(fixed)
            if pose:
                across, down = places[peg]
                placed.append(props.put(rabbit, *self.middle, across, down - 9 * out))
            if self.is_double:
                placed.append(props.put(bird, x, y, 10 * out * (1 if peg % 2 else -1), -4))
            return [*placed, *bushes]

        return at


def _bird(props: Props) -> int:
    red = COLOURS["red"]
    return props.picture(
        9,
        6,
        Polygon(((0, 1.6), (4, 3), (3, 5)), shade(red, 0.6)),
        *rimmed(Ellipse(1.6, 1, 6, 5, red), 0.4),
        Polygon(((7.2, 2.2), (9, 3), (7.2, 3.8)), COLOURS["yellow"]),
        Ellipse(5.6, 2, 1, 1, INK),
    )


class Touch(Hops, Person):
    """A person touches lamps on a board, which light up; lines may be painted between them."""

    NAME: ClassVar[str] = "touch"
    VARIATIONS: ClassVar[tuple[Variation, ...]] = ("plain", "counterfactual", "zoomed_in")
    NOUN: ClassVar[str] = "lamp"
    PEGS: ClassVar[tuple[int, ...]] = (4, 5)
    RADIUS: ClassVar[float] = 11.0
    HEIGHT: ClassVar[float] = 98.0
    STICK: ClassVar[Point] = 7.5, 6.0
    """How far its tip is beside and above the hand that holds it, so that neither arm nor hand hides a lit lamp."""

    def words(self) -> str:
        return (
            f"The video shows a person who touches {self.number} lamps on a board with a stick, one at a time, each of "
            f"which turns {self.colour} as it is touched, and who takes the stick back to the middle each time."
        )

    @property
    def middle(self) -> Point:
        return self.foot[0] + self.sense * 35.0, self.foot[1] - 78.0

    def focus(self) -> Point:
        return 50.0 + 4 * self.sense + self.x, self.middle[1]

    def drawing(self, props: Props, dark: Colour) -> Callable[[int], list[Placement]]:
        body = self.body(props)
        board = props.box(31, 31, shade(dark, 2.6), 3)
        off, on = props.disc(6.5, 6.5, shade(dark, 1.3)), props.disc(9, 9, COLOURS[self.colour])
        fixed = [props.put(board, *self.middle)]
        if self.variation == "counterfactual":
            fixed.append(self.painting(props, dark))
        places = self.places()
        fixed += [*(props.put(off, *self.middle, *place) for place in places)]
        fixed += [*body.standing(*self.foot), *body.arm(self.other, *self.foot, 0, 0)]
        lit = [props.put(on, *self.middle, *place) for place in places]
        wide, high = self.STICK
        ends = ((0.6, high + 0.6), (wide + 0.6, 0.6)) if self.sense > 0 else ((wide + 0.6, high + 0.6), (0.6, 0.6))
        stick = props.picture(wide + 1.2, high + 1.2, Line(ends, 1.2, INK))

        def at(pose: int) -> list[Placement]:
            peg, out = self.shown(pose)
            x, y = (middle + 0.8 * out * off for middle, off in zip(self.middle, places[peg], strict=True))
            arm = [
                props.put(stick, x, y, -self.sense * wide / 2, high / 2),
                *self.reaching(body, x - self.sense * wide, y + high),
            ]
            return [*fixed, *([lit[peg]] if out > 0.7 else []), *arm]

        return at


# ---------------------------------------------------------------------------------------------------- levels

Trends = Literal[
    "rising", "falling", "wave", "rising first", "falling first", "jumping", "one rise", "one fall", "one peak",
    "two peaks",
]  # fmt: skip
AGAIN: tuple[Trends, ...] = ("rising", "falling", "wave", "rising first", "falling first", "jumping")
WHOLE: tuple[Trends, ...] = ("one rise", "one fall", "one peak", "two peaks", "jumping")
"""What goes on all the time, and what a clip does once as a whole."""

TURNED: Mapping[Trends, Trends] = {
    "rising": "falling",
    "falling": "rising",
    "rising first": "falling first",
    "falling first": "rising first",
    "one rise": "one fall",
    "one fall": "one rise",
}
"""What it is instead where it begins at the top and goes the other way."""

TRENDS: Mapping[Trends, str] = {
    "rising": "it rises slowly again and again, and drops at once",
    "falling": "it falls slowly again and again, and leaps up at once",
    "wave": "it rises and falls by turns, both equally slowly",
    "rising first": "at first slow rises with drops, later slow falls with leaps up",
    "falling first": "at first slow falls with leaps up, later slow rises with drops",
    "jumping": "it jumps about all the time, with no slow rise or fall",
}
WHOLES: Mapping[bool, Mapping[Trends, str]] = {
    False: {
        "one rise": "one slow rise to the top, and then a drop at once",
        "one fall": "a leap to the top at once, and then one slow fall",
        "one peak": "one peak: one slow rise, and then one slow fall",
        "two peaks": "two peaks: a rise, a fall, a rise and a fall",
        "jumping": "no trend: it jumps up and down all the time",
    },
    True: {
        "one fall": "one slow fall to the bottom, and then a leap at once",
        "one rise": "a drop to the bottom at once, and then one slow rise",
        "one peak": "one valley: one slow fall, and then one slow rise",
        "two peaks": "two valleys: a fall, a rise, a fall and a rise",
        "jumping": "no trend: it jumps up and down all the time",
    },
}


MOST = 48
"""Levels that there are, at most."""


class Levels(Shown):
    """Something has a height, and goes through all of its heights equally often. Pose k is the level k from below."""

    NOUN: ClassVar[str]
    """What goes up and down, of this {colour}."""

    is_whole: bool
    """Whether the clip as a whole has a trend, and not each of several rounds."""
    from_top: bool
    trend: Trends
    rounds: int = Field(ge=2, le=400)
    """Rises, or falls, where it only rises or only falls."""
    unit: int = Field(ge=1, le=1_000)
    """Frames of a level on the way up and on the way down, where it does both by turns."""
    jumps: Annotated[list[Annotated[int, Field(ge=1, lt=MOST)]], Len(5, MOST - 1)]
    """The order of the levels, counted from the first one, where there is no trend."""

    @model_validator(mode="after")
    def _has_a_trend(self) -> Self:
        if self.trend not in (WHOLE if self.is_whole else AGAIN) or self.rounds % 2:
            raise ValueError("the trend is one of those of its kind, and rounds are even in number")
        if self.is_whole and self.rounds != 2:
            raise ValueError("where the clip as a whole has a trend, it has two halves")
        if self.levels > MOST or self.frames != sum(self.rests) + 2 * self.rounds * self.unit * self.levels:
            raise ValueError(f"rests and rounds make up the clip, and there are no more than {MOST} levels")
        order = jumping(self.jumps)
        if any(distance(self.levels, one, other) < self.levels // 4 for one, other in pairwise([*order, 0])):
            raise ValueError("jumps are of a quarter of the height or more")
        return self

    @property
    def levels(self) -> int:
        return len(self.jumps) + 1

    @classmethod
    def draw(cls, settings: ShapeTrendSettings, streams: Streams, variation: Variation) -> Self:
        random = streams("plan")
        frames, least, most = cls.room(settings, random)
        possible = [
            (levels, rounds, unit, is_whole)
            for is_whole in (False, True)
            for unit in range(1, most // 24 + 1)
            for levels in range(6, MOST + 1)
            for rounds in ([2] if is_whole else range(4, most // (2 * unit * levels) + 1, 2))
            if least <= 2 * rounds * unit * levels <= most
            # A slow rise looks like one: its steps are short, and it takes longer than a second.
            and (2 * rounds if is_whole else 2) * unit <= max(4 if is_whole else 2, 0.25 * settings.fps)
            and 2 * unit * levels >= 1.2 * settings.fps
        ]
        if not possible:
            raise InputError("a clip is too short for a rise that a viewer can follow: raise --seconds or --fps")
        form = random.random() < 0.4
        possible = [one for one in possible if one[3] == form] or possible
        # With more levels it moves in finer steps.
        possible = [one for one in possible if one[0] >= 14] or possible
        levels, rounds, unit, is_whole = random.choice(possible)
        return cls(
            **cls.common(settings, variation, random),
            frames=frames,
            rests=cls.rest(settings, frames - 2 * rounds * unit * levels, random),
            is_whole=is_whole,
            from_top=random.random() < 0.5,
            trend="one peak" if is_whole else "wave",
            rounds=rounds,
            unit=unit,
            jumps=drawn_jumps(levels, levels // 4, random),
        )

    @property
    def parts(self) -> tuple[int, int, int]:
        return self.rounds, 2 * self.levels * self.unit, 0

    def alternatives(self) -> list[Self]:
        return [self.model_copy(update={"trend": trend}) for trend in (WHOLE if self.is_whole else AGAIN)]

    def says(self) -> str:
        return WHOLES[self.from_top][self.trend] if self.is_whole else TRENDS[self.trend]

    def asked(self) -> Asked:
        stem = "How does {} go up and down in the clip as a whole?" if self.is_whole else "How does {} go up and down?"
        what = f"up and down {IN_THE_SCENE if self.variation == 'first_person' else 'in the picture'}"
        return Asked(self.words(), f"What counts is {what}. {stem.format(self.NOUN.format(colour=self.colour))}")

    def walk(self) -> list[int]:
        up, each = list(range(self.levels)), 2 * self.rounds * self.unit
        down, half = up[::-1], self.rounds // 2
        rising, falling = held(up, 2 * self.unit), held(down, 2 * self.unit)
        trend = TURNED.get(self.trend, self.trend) if self.from_top else self.trend
        walk = {
            "rising": rising * self.rounds,
            "falling": falling * self.rounds,
            "wave": held([*up, *down], self.unit) * self.rounds,
            "rising first": rising * half + falling * half,
            "falling first": falling * half + rising * half,
            "jumping": held(jumping(self.jumps), each),
            "one rise": held(up, each),
            "one fall": held(down, each),
            "one peak": held([*up, *down], each // 2),
            "two peaks": held([*up, *down], each // 4) * 2,
        }[trend]
        before, after = self.rests
        walk = [*[0] * before, *walk, *[0] * after]
        return [self.levels - 1 - level for level in walk] if self.from_top else walk

    def seen(self) -> tuple[tuple[int, int], ...]:
        # Eight frames a round tell a rise from a fall and from both by turns, and each level that is jumped to is seen.
        window = max(1, min(self.levels // 4, 2 * self.rounds) * self.unit)
        return tuple((first, first + window) for first, _ in self.spans())

    def high(self, pose: int) -> float:
        """The height in a pose, from 0 to 1."""
        return pose / (self.levels - 1)


class Bar(Levels):
    """A bar grows and shrinks; another one may do so in its own way."""

    NAME: ClassVar[str] = "bar"
    NOUN: ClassVar[str] = "the {colour} bar"
    DEMONSTRATION: ClassVar[Demonstration] = "simulated"
    VARIATIONS: ClassVar[tuple[Variation, ...]] = ("plain", "composite", "first_person")

    def words(self) -> str:
        other = " beside a grey one, which is not asked about" if self.is_double else ""
        return f"The video shows {a(self.colour)} bar that stands on a base, and whose height changes{other}."

    def drawing(self, props: Props, dark: Colour) -> Callable[[int], list[Placement]]:
        base, bottom = props.box(64, 5, dark, 1), 78.0 + self.y
        x = 50.0 + self.x - 12 * self.is_double

        @cache
        def bar(height: int, is_asked: bool) -> int:
            return props.box(12, height, COLOURS[self.colour] if is_asked else shade(dark, 2))

        def stands(high: float, x: float, is_asked: bool) -> Placement:
            height = round(6 + 46 * high)
            return props.put(bar(height, is_asked), x, bottom, 0, -height / 2)

        def at(pose: int) -> list[Placement]:
            placed = [stands(self.high(pose), x, True), props.put(base, 50 + self.x, bottom + 1.5)]
            if self.is_double:
                placed.insert(0, stands(0.5 + 0.4 * sin(2 * pi * pose / self.levels), x + 24, False))
            return placed

        return at


class Thermometer(Levels):
    """A thermometer, which may hang upside down."""

    NAME: ClassVar[str] = "thermometer"
    NOUN: ClassVar[str] = "the end of the column"
    DEMONSTRATION: ClassVar[Demonstration] = "object"
    VARIATIONS: ClassVar[tuple[Variation, ...]] = ("plain", "counterfactual", "zoomed_in")

    def words(self) -> str:
        hangs = (
            " It hangs upside down: its bulb is at the top, and the column hangs down from it."
            if self.variation == "counterfactual"
            else ""
        )
        return f"The video shows a thermometer with {a(self.colour)} column, whose end moves up and down.{hangs}"

    def drawing(self, props: Props, dark: Colour) -> Callable[[int], list[Placement]]:
        colour, sense = COLOURS[self.colour], -1 if self.variation == "counterfactual" else 1
        marks = [6 + 4.0 * number for number in range(11)]
        ends = [(high if sense > 0 else 62 - high) for high in marks]
        lines = [Line(((15.2, high), (21 - number % 2 * 2, high)), 0.7, INK) for number, high in enumerate(ends)]
        bulb_at = 54.0 if sense > 0 else 8.0
        card = props.picture(
            24,
            62,
            *rimmed(Rectangle(0, 0, 24, 62, PAPER, 3)),
            Rectangle(9.2, 3.5 if sense > 0 else 8, 5.6, 50.5, shade(dark, 1.5), 2.8),
            Rectangle(10, 4.3 if sense > 0 else 8.8, 4, 49, (226, 232, 236), 2),
            *rimmed(Ellipse(12 - 5.5, bulb_at - 5.5, 11, 11, colour), 0.8),
            *lines,
        )
        x, y = self.middle
        fixed = [props.put(card, x, y)]

        @cache
        def column(length: int) -> int:
            return props.picture(3, length, Rectangle(0, 0, 3, length, colour, 1))

        def at(pose: int) -> list[Placement]:
            high = self.high(pose) if sense > 0 else 1 - self.high(pose)
            length = round(8 + 40 * high)
            return [*fixed, props.put(column(length), x, y, 0, sense * (23 - length / 2))]

        return at


class Balloon(Levels):
    """A hot-air balloon over a landscape, which may be upside down; a cloud may move as well."""

    NAME: ClassVar[str] = "balloon"
    SCENERY: ClassVar[bool] = True
    NOUN: ClassVar[str] = "the balloon"
    DEMONSTRATION: ClassVar[Demonstration] = "object"
    VARIATIONS: ClassVar[tuple[Variation, ...]] = ("plain", "counterfactual", "composite", "first_person")

    def words(self) -> str:
        more = {
            "counterfactual": " The whole scene is upside down.",
            "composite": " The cloud that moves is not asked about.",
        }.get(self.variation, "")
        return f"The video shows {a(self.colour)} balloon, whose height changes, and some trees.{more}"

    def drawing(self, props: Props, dark: Colour) -> Callable[[int], list[Placement]]:
        sense = -1 if self.variation == "counterfactual" else 1
        colour, green, brown = COLOURS[self.colour], COLOURS["green"], COLOURS["brown"]

        def picture(width: float, height: float, *shapes: Shape) -> int:
            return props.picture(width, height, *(_upside_down(one, height) if sense < 0 else one for one in shapes))

        balloon = picture(
            16,
            23,
            Line(((3, 13), (6.5, 19)), 0.5, INK),
            Line(((13, 13), (9.5, 19)), 0.5, INK),
            Rectangle(5.8, 18.5, 4.4, 4, brown, 0.6),
            *rimmed(Ellipse(0, 0, 16, 16, colour)),
            Ellipse(5, 0.6, 6, 14.8, shade(colour, 1.8)),
        )
        tree = picture(
            12,
            18,
            Rectangle(5, 9, 2.2, 9, brown),
            Ellipse(0, 0, 12, 13, shade(green, 0.6)),
            Ellipse(0.6, 0.6, 10.8, 11.8, green),
        )
        grass = picture(92, 4, Rectangle(0, 0, 92, 4, shade(green, 1.5), 2))
        cloud = picture(
            18,
            8,
            *(Ellipse(x, y, across, 8 - y, (198, 206, 216)) for x, y, across in ((0, 3, 9), (4, 0, 10), (9, 2.5, 9))),
        )
        x, y = self.middle
        fixed = [props.put(grass, 50, 50 + sense * 41 + self.y)]
        fixed += [props.put(tree, 50 + across, 50 + sense * 31 + self.y) for across in (-36, -22, 26, 38)]

        def at(pose: int) -> list[Placement]:
            placed = list(fixed)
            if self.is_double:
                placed.append(props.put(cloud, 50, 16 + self.y, 32 * sin(2 * pi * pose / self.levels)))
            return [*placed, props.put(balloon, x, y, 0, (24 if sense > 0 else 22) - 46 * self.high(pose))]

        return at


def _upside_down(shape: Shape, height: float) -> Shape:
    if isinstance(shape, Rectangle | Ellipse):
        return replace(shape, y=height - shape.y - shape.height)
    if isinstance(shape, Line):
        return replace(shape, points=tuple((x, height - y) for x, y in shape.points))
    raise TypeError(type(shape).__name__)


class Flag(Levels, Person):
    """A person raises and lowers a flag with a straight arm; the other arm may move as well."""

    NAME: ClassVar[str] = "flag"
    NOUN: ClassVar[str] = "the {colour} flag"
    VARIATIONS: ClassVar[tuple[Variation, ...]] = ("plain", "composite", "first_person", "zoomed_in")
    HEIGHT: ClassVar[float] = 64.0

    def words(self) -> str:
        other = " The other arm, which holds a ball, is not asked about." if self.is_double else ""
        return f"The video shows a person who moves {a(self.colour)} flag up and down with a straight arm.{other}"

    @property
    def foot(self) -> Point:
        return 50.0 - 5 * self.sense + self.x, 88.0 + self.y

    def focus(self) -> Point:
        return 50.0 + 5 * self.sense + self.x, 35.0 + self.y

    def drawing(self, props: Props, dark: Colour) -> Callable[[int], list[Placement]]:
        body, foot, colour = self.body(props), self.foot, COLOURS[self.colour]
        fixed = body.standing(*foot)
        ball = props.disc(6, 6, shade(INK, 2.5))
        flag = props.picture(
            12,
            12,
            Line(((6, 0.8), (6, 11)), 1.1, INK),
            Polygon(((6.3, 0.8), (6.3 + self.sense * 5.5, 3.8), (6.3, 6.8)), colour),
        )
        if not self.is_double:
            fixed += body.arm(self.other, *foot, 0, 0)

        def at(pose: int) -> list[Placement]:
            angle = self.sense * 6 * round(6 + 20 * self.high(pose))
            flag_at = body.hand_at(self.side, *foot, angle, angle)
            placed = [*fixed, props.put(flag, *flag_at, 0, -3.5), *body.arm(self.side, *foot, angle, angle)]
            if self.is_double:
                aside = -self.sense * 6 * round(14 + 8 * sin(2 * pi * pose / self.levels))
                placed += body.arm(self.other, *foot, aside, aside)
                placed.append(props.put(ball, *body.hand_at(self.other, *foot, aside, aside)))
            return placed

        return at


FAMILY = single_clip_family(
    name="shape_trend",
    version=1,
    summary="Which figure is drawn when nothing stays behind of it, or how a level goes up and down.",
    settings=ShapeTrendSettings,
    scripts=(Bee, Pencil, Rabbit, Thermometer, Balloon, Dot, Lights, Bar, AirPen, Touch, Flag),
)

if __name__ == "__main__":
    from generators.command import main

    main(["shape_trend", *sys.argv[1:]])
