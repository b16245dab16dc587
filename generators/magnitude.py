"""Magnitude: which of two movements goes farther. A slight one and a broad one, from rest and back to rest.

Both take the same time, so that nothing but their extent differs, and the two may change places: both clips have the
same frames. A scale beside them makes the extent exact.
"""

import sys
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from math import cos, degrees, radians, sin
from random import Random
from typing import Annotated, Any, ClassVar, Self

from annotated_types import Len
from pydantic import Field, model_validator

from generators.errors import InputError
from generators.pairs import Open, PairSettings, Script, Words, draw_real, pair_family
from generators.questions import example
from generators.randomness import Streams
from generators.rendering.scene import (
    AtlasBuilder,
    Colour,
    Ellipse,
    Line,
    Placement,
    Polygon,
    Rectangle,
    Scene,
    Shape,
    Sprite,
    Text,
)
from generators.settings import RealRange, real_range
from generators.speed import shared_out
from generators.stage import COLOURS, INK, LOOKS, PAPER, Stage, a, shade, some_colours
from simulators.motion import Throw, smooth

# ---------------------------------------------------------------------------------------------------- settings


class MagnitudeSettings(PairSettings):
    contrast: real_range(1.1, 6.0) = Field(  # type: ignore[valid-type]
        RealRange(1.5, 3.0), description="how many times as far the broader movement goes"
    )


REST_SECONDS = 0.5
"""How long all is still, at least, before and after each movement."""

BRIEFEST = 0.55
"""The part of its room that the two movements take at least."""

SCALE = 20
"""The highest mark of every scale; 0 is where things rest."""

# ---------------------------------------------------------------------------------------------------- two movements


class TwoMovements(Script):
    """A movement out and back, twice, beside a scale."""

    NOUN: ClassVar[str]
    MORE: ClassVar[tuple[str, str]]
    """How the broad one is called beside the slight one, and the slight one beside the broad one."""
    READ: ClassVar[str]
    """What shows the mark, and how it gets there."""
    RESTS: ClassVar[str]
    """What is at rest at mark 0."""

    look: int = Field(ge=0, lt=len(LOOKS))
    colour: str
    side: str = Field(pattern="^(left|right)$")
    rests: Annotated[list[Annotated[int, Field(ge=1)]], Len(3, 3)]
    """Frames of stillness before the first movement, between the two, and after the second."""
    lasts: int = Field(ge=5)
    """Frames of each movement."""
    marks: Annotated[list[Annotated[int, Field(ge=1, le=SCALE)]], Len(2, 2)]
    """The mark that the first movement goes to, and that of the second."""

    @model_validator(mode="after")
    def _holds(self) -> Self:
        if self.colour not in COLOURS or self.marks[0] == self.marks[1]:
            raise ValueError("a colour that has a name, and two marks that differ")
        if self.frames != sum(self.rests) + 2 * self.lasts:
            raise ValueError("three rests and two movements make up the clip")
        return self

    @classmethod
    def draw(cls, settings: MagnitudeSettings, streams: Streams, turn: int) -> tuple[Self, Self]:
        random = streams("plan")
        slight, broad = two_marks(settings.contrast, random)
        rest = max(1, round(REST_SECONDS * settings.fps))
        frames = round(draw_real(settings.seconds, random) * settings.fps)
        most = (frames - 3 * rest) // 2
        if most < 8:
            raise InputError(f"a movement would take {max(0, most)} frames: raise --fps or --seconds")
        lasts = max(8, round(most * random.uniform(BRIEFEST, 1)))
        fields: dict[str, Any] = {
            "fps": settings.fps,
            "frames": frames,
            "look": random.randrange(len(LOOKS)),
            "colour": some_colours(random, 1)[0],
            "side": random.choice(["left", "right"]),
            "rests": shared_out(frames - 2 * lasts, 3, rest, random),
            "lasts": lasts,
        }
        return cls(**fields, marks=[slight, broad]), cls(**fields, marks=[broad, slight])

    def shown(self) -> str:
        """What the video shows."""
        raise NotImplementedError(self)

    def words(self) -> Words:
        noun, (more, less) = self.NOUN, self.MORE
        return Words(
            context=self.shown(),
            stem=f"Which {noun} is {more}?",
            options=(f"the first {noun}", f"the second {noun}"),
            claims=(
                f"Is the first {noun} {more} than the second one?",
                f"Is the first {noun} {less} than the second one?",
            ),
        )

    def answer(self) -> int:
        return 0 if self.marks[0] > self.marks[1] else 1

    def open_question(self) -> Open:
        return Open(
            kind="integer",
            question=f"Up to which mark does {self.READ} in the first {self.NOUN}? The scale runs from 0, where "
            f"the {self.RESTS} is at rest, to {SCALE}, and each line is a mark.",
            form=f"{example('19')}.",
            key=self.marks[0],
        )

    def contrast(self) -> float:
        return max(self.marks) / min(self.marks)

    def difference(self) -> str:
        return f"movements up to mark {min(self.marks)} and up to mark {max(self.marks)} change places"

    def shape(self) -> list[Fraction]:
        """The part of its extent that a movement is at, in each of its frames: 0 is at rest."""
        out = max(2, 2 * self.lasts // 5)
        way = [smooth(frame, out) for frame in range(1, out)]
        return [*way, *[Fraction(1)] * (self.lasts - 2 * len(way)), *way[::-1]]

    def spans(self) -> tuple[tuple[int, int], tuple[int, int]]:
        lead, between, _ = self.rests
        second = lead + self.lasts + between
        return (lead, lead + self.lasts), (second, second + self.lasts)

    def pictures(self, stage: Stage, atlas: AtlasBuilder) -> Callable[[Fraction], list[Placement]]:
        """What is placed where at a mark from 0 to SCALE."""
        raise NotImplementedError(self)

    def scene(self, settings: MagnitudeSettings) -> Scene:
        stage, atlas = Stage(settings.resolution), AtlasBuilder()
        at = cache(self.pictures(stage, atlas))
        shape, stills = self.shape(), [[Fraction(0)] * rest for rest in self.rests]
        slight, broad = sorted(self.marks)
        first, second = ([mark * part for part in shape] for mark in self.marks)
        values = [*stills[0], *first, *stills[1], *second, *stills[2]]
        # The broad one is known by a frame that is beyond what the slight one reaches, the slight one by the same part.
        there = [frame for frame, part in enumerate(shape) if broad * part > slight]
        return Scene(
            width=settings.resolution.width,
            height=settings.resolution.height,
            fps=self.fps,
            frames=self.frames,
            background=LOOKS[self.look][0],
            sprites=atlas.sprites,
            # By its number, since a Fraction is slow to look up.
            placements=cache(lambda frame: at(values[frame])),
            spans=self.spans(),
            seen=tuple((begin + there[0], begin + there[-1] + 1) for begin, _ in self.spans()),
        )

    def across(self, x: float) -> float:
        """A place across the stage as it is on the left side or, mirrored, on the right."""
        return x if self.side == "left" else 100 - x

    @property
    def turn(self) -> int:
        return 1 if self.side == "left" else -1

    @property
    def other(self) -> str:
        return "right" if self.side == "left" else "left"


def two_marks(asked: RealRange, random: Random) -> tuple[int, int]:
    """Two marks with a ratio in this range. Raises InputError where the scale has none.

    Both may be low or both high, so that one of them alone does not tell which of the two it is.
    """
    ratio, is_one = draw_real(asked, random), asked.low == asked.high
    pairs = [(slight, broad) for broad in range(2, SCALE + 1) for slight in range(1, broad)]
    off = {(slight, broad): abs(broad / slight / ratio - 1) for slight, broad in pairs}
    exact = [pair for pair in pairs if off[pair] < 1e-6] if is_one else []
    near = exact or [
        (slight, broad)
        for slight, broad in pairs
        if off[slight, broad] < (0.02 if is_one else 0.1) and (is_one or asked.low <= broad / slight <= asked.high)
    ]
    if not near:
        near = [min(pairs, key=lambda pair: off[pair])]
        if off[near[0]] > 0.03:
            raise InputError(f"a scale of {SCALE} marks has no two with a ratio of {ratio:.2f}: change --contrast")
    # One mark is little to see; high marks have more pairs, which the weights make up for.
    near = [(slight, broad) for slight, broad in near if broad - slight > 1] or near
    return random.choices(near, [1 / broad**2 for _, broad in near])[0]


# ---------------------------------------------------------------------------------------------------- what they share


def _plain(stage: Stage, width: float, height: float, colour: Colour, radius: float = 0.0) -> Sprite:
    w, h = stage.even(width), stage.even(height)
    return Sprite(w, h, (Rectangle(0, 0, w, h, colour, radius * stage.unit),))


def _box(stage: Stage, width: float, height: float, colour: Colour, radius: float = 0.0) -> Sprite:
    w, h = stage.even(width), stage.even(height)
    rim = max(1, round(0.6 * stage.unit))
    inner = Rectangle(rim, rim, w - 2 * rim, h - 2 * rim, colour, max(0.0, radius * stage.unit - rim))
    return Sprite(w, h, (Rectangle(0, 0, w, h, shade(colour, 0.6), radius * stage.unit), inner))


def _disc(stage: Stage, width: float, colour: Colour) -> Sprite:
    side = stage.even(width)
    rim = max(1, side // 12)
    inner = Ellipse(rim, rim, side - 2 * rim, side - 2 * rim, colour)
    return Sprite(side, side, (Ellipse(0, 0, side, side, shade(colour, 0.6)), inner))


def _wedge(stage: Stage, width: float, height: float, towards: tuple[int, int]) -> Sprite:
    """A pointer whose tip is at the middle of one side."""
    w, h = stage.even(width), stage.even(height)
    if towards[0]:
        tip, tail = (w, 0) if towards[0] > 0 else (0, w)
        return Sprite(w, h, (Polygon(((tail, 0), (tip, h / 2), (tail, h)), INK),))
    tip, tail = (h, 0) if towards[1] > 0 else (0, h)
    return Sprite(w, h, (Polygon(((0, tail), (w / 2, tip), (w, tail)), INK),))


def _ruler(
    stage: Stage, atlas: AtlasBuilder, place: Callable[[int], tuple[float, float]], towards: tuple[int, int]
) -> list[Placement]:
    """A straight scale: the lines of its marks begin at `place` and point `towards` a side; each fifth has a number."""
    placed = []
    for mark in range(SCALE + 1):
        x, y = place(mark)
        long, thick = (4.5, 0.9) if mark % 5 == 0 else (2.5, 0.5)
        line = atlas.add(_plain(stage, *((long, thick) if towards[0] else (thick, long)), INK))
        placed.append(Placement(line, *stage.point(x + towards[0] * long / 2, y + towards[1] * long / 2)))
        if mark % 5 == 0:
            w, h = stage.even(7), stage.even(6)
            number = Sprite(w, h, (Text(w / 2, h / 2, str(mark), max(7.0, 5 * stage.unit), INK),))
            placed.append(Placement(atlas.add(number), *stage.point(x + towards[0] * 9, y + towards[1] * 8.5)))
    return placed


def _dial(
    stage: Stage, atlas: AtlasBuilder, pin: tuple[float, float], radius: float, degrees: Callable[[int], float]
) -> list[Placement]:
    """A round scale about `pin`: a mark at each of `degrees`, clockwise from the top, beyond `radius`."""
    placed = []
    for mark in range(SCALE + 1):
        across, up = sin(radians(degrees(mark))), cos(radians(degrees(mark)))
        long, thick = (4.5, 0.9) if mark % 5 == 0 else (2.5, 0.6)
        reach = stage.even(long + 2)
        line = tuple(
            (reach / 2 + end * across * stage.unit, reach / 2 - end * up * stage.unit) for end in (-long / 2, long / 2)
        )
        stroke = atlas.add(Sprite(reach, reach, (Line(line, max(1.0, thick * stage.unit), INK),)))
        away = radius + long / 2
        placed.append(Placement(stroke, *stage.point(pin[0] + away * across, pin[1] - away * up)))
        if mark % 5 == 0:
            w, h = stage.even(7), stage.even(6)
            number = Sprite(w, h, (Text(w / 2, h / 2, str(mark), max(7.0, 4.6 * stage.unit), INK),))
            away = radius + 8.5
            placed.append(Placement(atlas.add(number), *stage.point(pin[0] + away * across, pin[1] - away * up)))
    return placed


# ---------------------------------------------------------------------------------------------------- jump


class Jump(TwoMovements):
    """A hare jumps up twice."""

    NAME: ClassVar[str] = "jump"
    NOUN: ClassVar[str] = "jump"
    MORE: ClassVar[tuple[str, str]] = ("higher", "lower")
    READ: ClassVar[str] = "the pointer on the hare's belt get"
    RESTS: ClassVar[str] = "hare"

    def shown(self) -> str:
        return (
            f"The video shows a hare with {a(self.colour)} belt beside a scale. It jumps straight up twice and lands "
            "where it was. Both jumps take the same time."
        )

    def shape(self) -> list[Fraction]:
        # It leaves the ground in the frame before the first and is back in that behind the last.
        throw = Throw(Fraction(4, self.lasts + 1), 1, Fraction(8, (self.lasts + 1) ** 2))
        return [throw.position(frame) for frame in range(1, self.lasts + 1)]

    def pictures(self, stage: Stage, atlas: AtlasBuilder) -> Callable[[Fraction], list[Placement]]:
        _, dark = LOOKS[self.look]
        axis, scale, floor, pitch = self.across(36), self.across(66), 92.0, 2.9
        hare = atlas.add(_hare(stage, COLOURS[self.colour]))
        pointer = atlas.add(_wedge(stage, 22, 2.6, (self.turn, 0)))
        ground, post = atlas.add(_plain(stage, 96, 3, dark, 1)), atlas.add(_plain(stage, 1, 62, INK))
        belt = floor - 11
        fixed = [
            Placement(ground, *stage.point(50, floor + 1.5)),
            Placement(post, *stage.point(scale, belt - 29)),
            *_ruler(stage, atlas, lambda mark: (scale, belt - pitch * mark), (self.turn, 0)),
        ]

        def at(mark: Fraction) -> list[Placement]:
            up = pitch * float(mark)
            return [
                *fixed,
                Placement(pointer, *stage.point(scale - 12.5 * self.turn, belt - up)),
                Placement(hare, *stage.point(axis, floor - 16 - up)),
            ]

        return at


def _hare(stage: Stage, belt: Colour) -> Sprite:
    u = stage.unit
    w, h = stage.even(26), stage.even(32)
    fur, inner = (168, 158, 150), (232, 190, 190)
    dark = shade(fur, 0.65)
    shapes: list[Shape] = []
    for x in (6, 14):
        shapes += [Ellipse(x * u, 0, 5.4 * u, 13 * u, dark), Ellipse((x + 1) * u, 1.4 * u, 3.2 * u, 10 * u, inner)]
    for x in (3, 14):
        shapes += [Ellipse(x * u, 27 * u, 9 * u, 5 * u, dark), Ellipse((x + 0.7) * u, 27.6 * u, 7.6 * u, 3.8 * u, fur)]
    shapes += [
        Ellipse(4 * u, 15 * u, 18 * u, 16 * u, dark),
        Ellipse(4.7 * u, 15.7 * u, 16.6 * u, 14.6 * u, fur),
        Rectangle(4.4 * u, 19.2 * u, 17.2 * u, 3.6 * u, shade(belt, 0.65), u),
        Rectangle(4.8 * u, 19.7 * u, 16.4 * u, 2.6 * u, belt, u),
        Ellipse(5.5 * u, 8 * u, 15 * u, 11 * u, dark),
        Ellipse(6.2 * u, 8.7 * u, 13.6 * u, 9.6 * u, fur),
        Ellipse(9 * u, 11.4 * u, 2 * u, 2.4 * u, INK),
        Ellipse(15 * u, 11.4 * u, 2 * u, 2.4 * u, INK),
        Ellipse(12 * u, 14.4 * u, 2 * u, 1.6 * u, (190, 96, 110)),
    ]
    return Sprite(w, h, tuple(shapes))


# ---------------------------------------------------------------------------------------------------- swing


class Swing(TwoMovements):
    """A ball on a chain is drawn aside twice."""

    NAME: ClassVar[str] = "swing"
    NOUN: ClassVar[str] = "swing"
    MORE: ClassVar[tuple[str, str]] = ("wider", "narrower")
    READ: ClassVar[str] = "the needle below the ball get"
    RESTS: ClassVar[str] = "ball"
    STEP: ClassVar[float] = 3.6
    """Degrees from one mark to the next."""

    def shown(self) -> str:
        return (
            f"The video shows {a(self.colour)} ball that hangs on a chain, with a needle below it that points at a "
            f"round scale. Twice it swings out to the {self.other}, stays there for a moment, and swings back to "
            "where it hung. Both swings take the same time."
        )

    def pictures(self, stage: Stage, atlas: AtlasBuilder) -> Callable[[Fraction], list[Placement]]:
        _, dark = LOOKS[self.look]
        axis, top, long = self.across(24), 16.0, 52.0
        ball, link = atlas.add(_disc(stage, 11, COLOURS[self.colour])), atlas.add(_disc(stage, 3, shade(dark, 1.3)))
        beam, pin = atlas.add(_plain(stage, 36, 5, dark, 1)), atlas.add(_disc(stage, 4, INK))
        needle = atlas.add(_wedge(stage, 2.4, 8, (0, -1)))
        fixed = [
            *_dial(stage, atlas, (axis, top), long + 10, lambda mark: 180 - self.turn * self.STEP * mark),
            Placement(beam, *stage.point(axis, top - 5)),
            Placement(pin, *stage.point(axis, top)),
        ]

        def at(mark: Fraction) -> list[Placement]:
            angle = radians(self.STEP * float(mark))
            across, down = self.turn * sin(angle), cos(angle)
            links = [
                Placement(link, *stage.point(axis + part * across, top + part * down))
                for part in (long * (number + 1) / 10 for number in range(8))
            ]
            tip = Placement(
                needle,
                *stage.point(axis + (long + 5.5) * across, top + (long + 5.5) * down),
                _leaning(-self.turn * angle),
            )
            return [*fixed, *links, tip, Placement(ball, *stage.point(axis + long * across, top + long * down))]

        return at


# ---------------------------------------------------------------------------------------------------- slider


class Slider(TwoMovements):
    """A knob is moved along a slot twice."""

    NAME: ClassVar[str] = "slider"
    NOUN: ClassVar[str] = "move"
    MORE: ClassVar[tuple[str, str]] = ("longer", "shorter")
    READ: ClassVar[str] = "the knob's white line get"
    RESTS: ClassVar[str] = "knob"

    def shown(self) -> str:
        return (
            f"The video shows a panel with {a(self.colour)} knob in a slot, above a scale. Twice the knob moves to the "
            f"{self.other}, stays there for a moment, and moves back to where it was. Both moves take the same time; "
            "a longer move is one that goes farther."
        )

    def pictures(self, stage: Stage, atlas: AtlasBuilder) -> Callable[[Fraction], list[Placement]]:
        _, dark = LOOKS[self.look]
        begin, pitch, level = 14.0, 3.6, 44.0
        panel = atlas.add(_box(stage, 98, 62, shade(dark, 2.2), 3))
        slot = atlas.add(_plain(stage, pitch * SCALE + 6, 5, INK, 2.5))
        w, h, line = stage.even(9), stage.even(20), stage.length(1)
        base = _box(stage, 9, 20, COLOURS[self.colour], 2)
        knob = atlas.add(Sprite(w, h, (*base.shapes, Rectangle(w / 2 - line / 2, 0, line, h, PAPER))))
        screw = atlas.add(_disc(stage, 3, shade(dark, 1.4)))
        fixed = [
            Placement(panel, *stage.point(50, 50)),
            *(Placement(screw, *stage.point(50 + x, 50 + y)) for x in (-45, 45) for y in (-27, 27)),
            Placement(slot, *stage.point(50, level)),
            *_ruler(stage, atlas, lambda mark: (self.across(begin + pitch * mark), level + 12), (0, 1)),
        ]
        return lambda mark: [*fixed, Placement(knob, *stage.point(self.across(begin + pitch * float(mark)), level))]


# ---------------------------------------------------------------------------------------------------- barrier


class Barrier(TwoMovements):
    """A barrier's arm is raised twice."""

    NAME: ClassVar[str] = "barrier"
    NOUN: ClassVar[str] = "opening"
    MORE: ClassVar[tuple[str, str]] = ("wider", "narrower")
    READ: ClassVar[str] = "the black tip of the arm get"
    RESTS: ClassVar[str] = "arm"
    STEP: ClassVar[float] = 4.0

    def shown(self) -> str:
        return (
            f"The video shows a barrier with {a(self.colour)} and white arm before a round scale. Twice the arm rises "
            "from where it lies level, stays up for a moment, and comes down. Both openings take the same time; a "
            "wider opening is one where the arm turns farther."
        )

    def pictures(self, stage: Stage, atlas: AtlasBuilder) -> Callable[[Fraction], list[Placement]]:
        _, dark = LOOKS[self.look]
        axis, height, long = self.across(18), 78.0, 57.0
        # An arm of short pieces: they may lean a little less or more than the arm, unseen.
        pieces = [atlas.add(_piece(stage, colour)) for colour in (COLOURS[self.colour], PAPER)]
        tip, hinge = atlas.add(_wedge(stage, 10, 3, (self.turn, 0))), atlas.add(_disc(stage, 10, dark))
        post, ground = atlas.add(_box(stage, 12, 20, shade(dark, 1.3), 1)), atlas.add(_plain(stage, 96, 3, dark, 1))
        fixed = [
            *_dial(stage, atlas, (axis, height), long + 5, lambda mark: self.turn * (90 - self.STEP * mark)),
            Placement(ground, *stage.point(50, 96)),
            Placement(post, *stage.point(axis, 86)),
        ]
        front = Placement(hinge, *stage.point(axis, height))

        def at(mark: Fraction) -> list[Placement]:
            angle = radians(self.STEP * float(mark))
            across, up = self.turn * cos(angle), sin(angle)
            lean, parts = _leaning(-self.turn * angle), [7 + 10 * number for number in range(5)]
            return [
                *fixed,
                *(
                    Placement(pieces[number % 2], *stage.point(axis + part * across, height - part * up), lean)
                    for number, part in enumerate(parts)
                ),
                front,
                Placement(tip, *stage.point(axis + long * across, height - long * up), lean),
            ]

        return at


def _piece(stage: Stage, colour: Colour) -> Sprite:
    w, h, rim = stage.even(10.4), stage.even(6.4), 0.7 * stage.unit
    return Sprite(w, h, (Rectangle(0, 0, w, h, INK), Rectangle(0, rim, w, h - 2 * rim, colour)))


def _leaning(angle: float) -> float:
    """An angle in steps of four degrees, so that few turned pictures are needed, clockwise."""
    return 4.0 * round(degrees(angle) / 4)


# ---------------------------------------------------------------------------------------------------- caterpillar


class Caterpillar(TwoMovements):
    """A caterpillar stretches along a branch twice."""

    NAME: ClassVar[str] = "caterpillar"
    NOUN: ClassVar[str] = "stretch"
    MORE: ClassVar[tuple[str, str]] = ("longer", "shorter")
    READ: ClassVar[str] = "the pointer under the caterpillar's head get"
    RESTS: ClassVar[str] = "caterpillar"
    RINGS: ClassVar[int] = 9

    def shown(self) -> str:
        return (
            f"The video shows {a(self.colour)} caterpillar on a branch, above a scale. Twice it stretches to the "
            f"{self.other}, holds still for a moment, and draws its head back again, while its tail stays. Both "
            "stretches take the same time; a longer stretch is one that goes farther."
        )

    def pictures(self, stage: Stage, atlas: AtlasBuilder) -> Callable[[Fraction], list[Placement]]:
        tail, begin, pitch, level = 8.0, 28.0, 3.1, 46.0
        colour = COLOURS[self.colour]
        rings = [atlas.add(_disc(stage, 12, tone)) for tone in (colour, shade(colour, 1.35))]
        head = atlas.add(_face(stage, colour, self.turn))
        branch, leaf = atlas.add(_plain(stage, 98, 4, (122, 86, 56), 2)), atlas.add(_leaf(stage))
        pointer = atlas.add(_wedge(stage, 2.6, 9, (0, 1)))
        fixed = [
            Placement(leaf, *stage.point(self.across(90), level - 14)),
            Placement(branch, *stage.point(50, level + 8)),
            *_ruler(stage, atlas, lambda mark: (self.across(begin + pitch * mark), level + 20), (0, 1)),
        ]

        def at(mark: Fraction) -> list[Placement]:
            front = begin + pitch * float(mark)
            body = [
                Placement(
                    rings[number % 2], *stage.point(self.across(tail + (front - tail) * number / self.RINGS), level)
                )
                for number in range(self.RINGS)
            ]
            return [
                *fixed,
                *body,
                Placement(pointer, *stage.point(self.across(front), level + 15)),
                Placement(head, *stage.point(self.across(front), level - 2)),
            ]

        return at


def _face(stage: Stage, colour: Colour, turn: int) -> Sprite:
    u, side = stage.unit, stage.even(18)
    eye = 10.6 if turn > 0 else 4.4

    def feeler(x: float) -> Line:
        lean = x + 1.5 * turn
        return Line(((x * u, 5 * u), (lean * u, 0.8 * u)), 0.9 * u, INK)

    return Sprite(
        side,
        side,
        (
            feeler(6.5),
            feeler(11.5),
            Ellipse(2 * u, 3.5 * u, 14 * u, 14 * u, shade(colour, 0.6)),
            Ellipse(2.8 * u, 4.3 * u, 12.4 * u, 12.4 * u, shade(colour, 0.9)),
            Ellipse(eye * u, 7 * u, 3 * u, 3.6 * u, PAPER),
            Ellipse((eye + 0.6 + 0.5 * turn) * u, 8 * u, 1.7 * u, 2 * u, INK),
        ),
    )


def _leaf(stage: Stage) -> Sprite:
    u, w, h = stage.unit, stage.even(10), stage.even(22)
    points = ((w / 2, 0), (w, h * 0.3), (w * 0.85, h * 0.6), (w / 2, h * 0.8), (w * 0.15, h * 0.6), (0, h * 0.3))
    stalk = Line(((w / 2, h * 0.1), (w / 2, h)), 0.9 * u, (58, 112, 56))
    return Sprite(w, h, (Polygon(points, (104, 158, 92)), stalk))


# ---------------------------------------------------------------------------------------------------- fountain


class Fountain(TwoMovements):
    """A jet of water rises twice and lifts a ball."""

    NAME: ClassVar[str] = "fountain"
    NOUN: ClassVar[str] = "jet"
    MORE: ClassVar[tuple[str, str]] = ("higher", "lower")
    READ: ClassVar[str] = "the pointer on the ball get"
    RESTS: ClassVar[str] = "ball"
    LENGTHS: ClassVar[int] = 8

    def shown(self) -> str:
        return (
            f"The video shows a fountain with {a(self.colour)} ball on it, beside a scale. Twice a jet of water lifts "
            "the ball, holds it up for a moment, and lets it down again. Both jets take the same time."
        )

    def pictures(self, stage: Stage, atlas: AtlasBuilder) -> Callable[[Fraction], list[Placement]]:
        _, dark = LOOKS[self.look]
        axis, scale, mouth, pitch = self.across(40), self.across(64), 78.0, 3.2
        step, size = pitch * SCALE / self.LENGTHS, 12.0
        water = (120, 178, 222)
        # The jet ends somewhere inside the stone, so a few lengths are enough.
        jets = [atlas.add(_jet(stage, step * (number + 1), water)) for number in range(self.LENGTHS)]
        ball, pointer = (
            atlas.add(_disc(stage, size, COLOURS[self.colour])),
            atlas.add(_wedge(stage, 19, 2.6, (self.turn, 0))),
        )
        stone, basin = (
            atlas.add(_box(stage, 16, step + 2, shade(dark, 1.3), 1)),
            atlas.add(_box(stage, 62, 10, dark, 3)),
        )
        pool = atlas.add(_plain(stage, 56, 3, water, 1.5))
        behind = _ruler(stage, atlas, lambda mark: (scale, mouth - size / 2 - pitch * mark), (self.turn, 0))
        before = [
            Placement(stone, *stage.point(axis, mouth + step / 2 + 1)),
            Placement(basin, *stage.point(axis, 93)),
            Placement(pool, *stage.point(axis, 90)),
        ]

        def at(mark: Fraction) -> list[Placement]:
            up = pitch * float(mark)
            number = min(self.LENGTHS - 1, int(mark * self.LENGTHS / SCALE))
            jet = Placement(jets[number], *stage.point(axis, mouth - up + step * (number + 1) / 2))
            return [
                *behind,
                jet,
                *before,
                Placement(pointer, *stage.point(scale - 11 * self.turn, mouth - size / 2 - up)),
                Placement(ball, *stage.point(axis, mouth - size / 2 - up)),
            ]

        return at


def _jet(stage: Stage, height: float, water: Colour) -> Sprite:
    u, w, h = stage.unit, stage.even(6), stage.even(height)
    return Sprite(
        w,
        h,
        (
            Rectangle(0, 0, w, h, water, u),
            Rectangle(1.2 * u, 0, 0.8 * u, h, shade(water, 2)),
            Rectangle(3.6 * u, 0, 0.8 * u, h, shade(water, 0.85)),
        ),
    )


FAMILY = pair_family(
    name="magnitude",
    version=1,
    summary="Pairs that differ in magnitude alone: which jump, swing, move, opening, stretch or jet goes farther.",
    settings=MagnitudeSettings,
    scripts=(Jump, Slider, Swing, Caterpillar, Barrier, Fountain),
)

if __name__ == "__main__":
    from generators.command import main

    main(["magnitude", *sys.argv[1:]])
