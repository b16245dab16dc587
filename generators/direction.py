"""Direction: which way round, which way along, which side first. A closed walk and the same walk played in reverse.

All that moves here is symmetric, so that no single frame tells which way it goes, and it moves at one speed.
"""

import sys
from collections.abc import Callable
from fractions import Fraction
from functools import cache, lru_cache
from itertools import permutations
from math import ceil, cos, floor, pi, sin
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
)
from generators.settings import RealRange, Resolution, real_range
from generators.stage import COLOURS, INK, LOOKS, PAPER, Stage, a, shade, some_colours

# ---------------------------------------------------------------------------------------------------- settings


class DirectionSettings(PairSettings):
    contrast: real_range(0.8, 8.0) = Field(  # type: ignore[valid-type]
        RealRange(1.6, 3.0), description="how many times its own size the thing moves in a second"
    )


REST_SECONDS = 0.5
"""How long things stand still at either end of a clip."""

FASTEST = 1.2
"""Turns a second that a person can still follow."""

WAYS = ("clockwise, as a clock's hands turn", "counter-clockwise, against a clock's hands")

# ---------------------------------------------------------------------------------------------------- closed walks


class Walk(Script):
    """Turns of a closed walk, one way or in reverse: phase 0 to 1 is one turn forwards."""

    PATH: ClassVar[float]
    """The way of one turn, in units, where the walk is as large as can be."""
    SIZES: ClassVar[tuple[int, int]] = (60, 120)
    """The smallest and the largest thing, in tenths of a unit."""
    NUMBER: ClassVar[tuple[int, int]]
    """How many colours there are, at least and at most."""
    ROOM: ClassVar[float]
    """How many sizes of the way each of the things or tiles on it needs."""
    SMALLEST: ClassVar[int] = 300
    """The smallest walk, in thousandths of the largest."""
    LARGE: ClassVar[int] = 700
    """The walk is about as large as that, where it can be."""
    RINGS: ClassVar[int] = 1
    """How many rings a turn has."""
    MOVER: ClassVar[int] = 1
    """How many of the colours are that of what moves, and no mark."""

    look: int = Field(ge=0, lt=len(LOOKS))
    colours: Annotated[list[str], Len(1, 6)]
    size: int = Field(ge=10, le=200)
    """Of what moves, in tenths of a unit of the stage."""
    reach: int = Field(ge=10, le=1000)
    """How large the walk is, in thousandths of the largest one."""
    rest: int = Field(ge=1)
    turns: int = Field(ge=1)
    begins: int = Field(ge=0)
    """The phase that the clip begins with, in frames of which one turn has `steps` divided by `turns`."""
    forwards: bool

    @model_validator(mode="after")
    def _holds(self) -> Self:
        low, high = self.NUMBER
        if not low <= len(self.colours) <= high or len({*self.colours}) != len(self.colours):
            raise ValueError(f"there are {low} to {high} different colours")
        if not {*self.colours} <= {*COLOURS}:
            raise ValueError("a colour has no name")
        if not self.SIZES[0] <= self.size <= self.SIZES[1] or self.reach < self.SMALLEST:
            raise ValueError("the thing or its way is too small or too large")
        if self.steps < 8 * self.turns or self.begins >= self.steps:
            raise ValueError("the clip has too few frames for its turns, or begins beyond one turn")
        if self.steps - self.held(self.turns, self.fps) < 4 * self.turns:
            raise ValueError("the clip has too few frames to move in")
        if not self.may_begin(self.begins, self.steps, len(self.marks)):
            raise ValueError("the clip begins where a mark is just passed")
        return self

    @property
    def steps(self) -> int:
        """Frames from when it begins to move until it rests where it began."""
        return self.frames - 1 - 2 * self.rest

    @property
    def marks(self) -> list[str]:
        """The colours whose order is asked for."""
        return self.colours[self.MOVER :]

    @classmethod
    def may_begin(cls, begins: int, steps: int, marks: int) -> bool:
        """Whether no mark is passed just when the clip begins."""
        return Fraction(2, 5) <= cls.until(0, begins, steps, marks) * marks % 1 <= Fraction(3, 5)

    @classmethod
    def held(cls, turns: int, fps: int) -> int:
        """For how many frames on its way it stands still."""
        return 0

    @classmethod
    def until(cls, mark: int, begins: int, steps: int, marks: int) -> Fraction:
        """The part of a turn forwards until a mark is passed first."""
        raise NotImplementedError(cls)

    @classmethod
    def draw(cls, settings: DirectionSettings, streams: Streams, turn: int) -> tuple[Self, Self]:
        random = streams("plan")
        speed = draw_real(settings.contrast, random)
        rest = max(1, round(REST_SECONDS * settings.fps))
        steps = round(draw_real(settings.seconds, random) * settings.fps) - 2 * rest
        sizes = speed * steps / settings.fps
        # No more things than there is room for.
        number = min(random.randint(*cls.NUMBER), max(cls.NUMBER[0], cls.MOVER + int(sizes / cls.ROOM)))
        colours = some_colours(random, number)
        possible = cls._possible(speed, steps, settings.fps, number, random)
        if not possible:
            raise InputError(
                f"{cls.NAME} has no way that is {speed:.2f} sizes a second in {steps} frames: raise --fps, or allow "
                "other --contrast, --seconds or --scripts"
            )
        # Large ones fill the picture, so small ones are drawn only where there are no others.
        large = min(cls.LARGE, max(reach for _, _, reach in possible))
        turns, size, reach = random.choice([one for one in possible if one[2] >= 0.9 * large])
        marks = len(colours) - cls.MOVER
        beginnings = [begins for begins in range(steps) if cls.may_begin(begins, steps, marks)]
        if not beginnings:
            raise InputError(f"{cls.NAME} has no place to begin among {steps} frames: raise --fps or --seconds")
        fields: dict[str, Any] = {
            "fps": settings.fps,
            "frames": steps + 1 + 2 * rest,
            "look": random.randrange(len(LOOKS)),
            "colours": colours,
            "size": size,
            "reach": reach,
            "rest": rest,
            "turns": turns,
            "begins": random.choice(beginnings),
            **cls.extras(random),
        }
        return cls(**fields, forwards=True), cls(**fields, forwards=False)

    @classmethod
    def extras(cls, random: Random) -> dict[str, Any]:
        """The fields that a script adds."""
        return {}

    @classmethod
    def _possible(cls, speed: float, steps: int, fps: int, colours: int, random: Random) -> list[tuple[int, int, int]]:
        """Turns, size and reach that make a way of so many sizes."""
        possible = []
        for turns in range(1, 1 + max(0, min(steps // 8, int(FASTEST * steps / fps)))):
            sizes = speed * (steps - cls.held(turns, fps)) / fps
            if sizes / turns < cls.ROOM * max(1, colours - cls.MOVER):
                break
            # The walk of a thing of size 1, in thousandths of the largest.
            each = 100 * sizes / (cls.PATH * turns)
            low, high = max(cls.SIZES[0], ceil(cls.SMALLEST / each)), min(cls.SIZES[1], floor(1000 / each))
            if low <= high:
                possible += [
                    (turns, size, round(size * each)) for size in (random.randint(low, high) for _ in range(6))
                ]
        return possible

    @property
    def way(self) -> float:
        """Units of one turn."""
        return self.PATH * self.reach / 1000

    def contrast(self) -> float:
        return self.way * self.turns * 10 / self.size * self.fps / (self.steps - self.held(self.turns, self.fps))

    def answer(self) -> int:
        return 0 if self.forwards else 1

    def difference(self) -> str:
        return f"{self.turns} turn{'s' * (self.turns > 1)} of one closed walk, forwards or in reverse"

    def phase(self, frame: int) -> int:
        """Where it is on its walk, in `steps` parts of a turn."""
        done = self.turns * min(self.steps, max(0, frame - self.rest))
        return (self.begins + (done if self.forwards else -done)) % self.steps

    def shown(self) -> str:
        """What the video shows."""
        raise NotImplementedError(self)

    def asked(self) -> str:
        """The open question, behind "In which order"."""
        raise NotImplementedError(self)

    def open_question(self) -> Open:
        marks = self.marks
        untils = [self.until(mark, self.begins, self.steps, len(marks)) % 1 for mark in range(len(marks))]
        order = sorted(range(len(marks)), key=lambda mark: untils[mark], reverse=not self.forwards)
        keys = [[marks[mark] for mark in one] for one in (order, order[::-1])]
        # A list that is the answer to neither clip.
        listed = next(one for one in permutations(sorted(marks)) if [*one] not in keys)
        # Colours that are in no clip, so that the example is no answer.
        others = ("white", "grey", "black", "silver", "gold", "beige")[: len(marks)]
        return Open(
            kind="sequence",
            question=f"In which order {self.asked()} Give each colour once: {', '.join(listed)}.",
            form=f"{example(', '.join(others))}.",
            key=keys[0],
        )

    def pictures(self, stage: Stage, atlas: AtlasBuilder) -> Callable[[Fraction], list[Placement]]:
        """What is placed where at a phase from 0 to 1."""
        raise NotImplementedError(self)

    def seen(self) -> tuple[tuple[int, int], ...]:
        # Three frames of each ring tell which way it goes.
        return ((self.rest, self.rest + max(1, self.steps // (3 * self.RINGS * self.turns))),)

    def scene(self, settings: DirectionSettings) -> Scene:
        # Both clips of a pair show the same pictures, in another order.
        shared = self.model_copy(update={"forwards": True})
        sprites, at = _drawn(type(self), shared.model_dump_json(), settings.resolution)
        return Scene(
            width=settings.resolution.width,
            height=settings.resolution.height,
            fps=self.fps,
            frames=self.frames,
            background=LOOKS[self.look][0],
            sprites=sprites,
            placements=lambda frame: at(self.phase(frame)),
            spans=((self.rest, self.frames - self.rest),),
            seen=self.seen(),
        )


@lru_cache(maxsize=4)
def _drawn(
    script: type[Walk], plan: str, resolution: Resolution
) -> tuple[tuple[Sprite, ...], Callable[[int], list[Placement]]]:
    """The sprites of a plan, and what is placed where at a phase in parts of a turn."""
    shown, atlas = script.model_validate_json(plan), AtlasBuilder()
    placed = shown.pictures(Stage(resolution), atlas)
    return atlas.sprites, cache(lambda phase: placed(Fraction(phase, shown.steps)))


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
    return Sprite(
        side,
        side,
        (
            Ellipse(0, 0, side, side, shade(colour, 0.6)),
            Ellipse(rim, rim, side - 2 * rim, side - 2 * rim, colour),
        ),
    )


# ---------------------------------------------------------------------------------------------------- tracks


class Track(Walk):
    """A ball on a track with four coloured tiles in it, at 1/8, 3/8, 5/8 and 7/8 of a turn."""

    NUMBER: ClassVar[tuple[int, int]] = (5, 5)
    ROOM: ClassVar[float] = 1.8
    BAND: ClassVar[float] = 1.4
    """How wide the track is, in sizes of the ball."""

    @classmethod
    def until(cls, mark: int, begins: int, steps: int, marks: int) -> Fraction:
        return Fraction(2 * mark + 1, 8) - Fraction(begins, steps)

    def asked(self) -> str:
        return f"does the {self.colours[0]} ball first roll over the four tiles?"

    def where(self, phase: Fraction) -> tuple[float, float]:
        """A point of the track, in units from the middle of the stage, where it is as large as can be."""
        raise NotImplementedError(self)

    def bed(self, stage: Stage, width: float, colour: Colour) -> Sprite:
        """The track itself, so many units wide."""
        raise NotImplementedError(self)

    def pictures(self, stage: Stage, atlas: AtlasBuilder) -> Callable[[Fraction], list[Placement]]:
        _, dark = LOOKS[self.look]
        size = self.size / 10
        paints = (((self.BAND + 0.1) * size, shade(dark, 1.3)), ((self.BAND - 0.1) * size, shade(dark, 2)))
        bed = [atlas.add(self.bed(stage, *paint)) for paint in paints]
        ball = atlas.add(_disc(stage, size, COLOURS[self.colours[0]]))
        tiles = [atlas.add(_box(stage, 0.8 * size, 0.8 * size, COLOURS[colour])) for colour in self.marks]

        def point(phase: Fraction) -> tuple[float, float]:
            x, y = self.where(phase)
            return stage.point(50 + x * self.reach / 1000, 50 + y * self.reach / 1000)

        fixed = [
            *(Placement(layer, *stage.point(50, 50)) for layer in bed),
            *(Placement(tile, *point(Fraction(2 * number + 1, 8))) for number, tile in enumerate(tiles)),
        ]
        return lambda phase: [*fixed, Placement(ball, *point(phase))]


STRAIGHT, BEND = 40.0, 20.0
"""Units of each straight of the oval and of its radius, where it is as large as can be."""


class Circuit(Track):
    """A ball rolls round an oval track."""

    NAME: ClassVar[str] = "circuit"
    PATH: ClassVar[float] = 2 * STRAIGHT + 2 * pi * BEND

    def words(self) -> Words:
        ball = f"the {self.colours[0]} ball"
        return Words(
            context=f"The video shows {a(self.colours[0])} ball on an oval track with four tiles in it, seen from "
            "above. The ball rolls along the track and ends where it began.",
            stem=f"Which way round does {ball} roll?",
            options=WAYS,
            claims=(
                f"Does {ball} roll round the track clockwise?",
                f"Does {ball} roll round the track counter-clockwise?",
            ),
        )

    def where(self, phase: Fraction) -> tuple[float, float]:
        # Clockwise from the middle of the upper straight.
        way = float(phase) * self.PATH + STRAIGHT / 2
        half, way = divmod(way, self.PATH / 2)
        if way < STRAIGHT:
            x, y = way - STRAIGHT / 2, -BEND
        else:
            angle = (way - STRAIGHT) / BEND
            x, y = STRAIGHT / 2 + BEND * sin(angle), -BEND * cos(angle)
        return (-x, -y) if half % 2 else (x, y)

    def bed(self, stage: Stage, width: float, colour: Colour) -> Sprite:
        scale = self.reach / 1000
        w, h = stage.even((STRAIGHT + 2 * BEND) * scale + width), stage.even(2 * BEND * scale + width)
        band, ground = width * stage.unit, LOOKS[self.look][0]
        hole = Rectangle(band, band, w - 2 * band, h - 2 * band, ground, h / 2 - band)
        return Sprite(w, h, (Rectangle(0, 0, w, h, colour, h / 2), hole))


class FigureOfEight(Track):
    """A ball rolls round two rings in turn, the other way round in each."""

    NAME: ClassVar[str] = "figure_of_eight"
    PATH: ClassVar[float] = 4 * pi * BEND
    ROOM: ClassVar[float] = 2.0
    SIZES: ClassVar[tuple[int, int]] = (50, 120)
    # Narrow enough that the two rings are seen to be two.
    BAND: ClassVar[float] = 0.6
    LARGE: ClassVar[int] = 1000
    RINGS: ClassVar[int] = 2

    @classmethod
    def may_begin(cls, begins: int, steps: int, marks: int) -> bool:
        # At the far end of a ring: at the crossing it could go into any part of either.
        is_far = Fraction(1, 8) < Fraction(begins, steps) % Fraction(1, 2) < Fraction(3, 8)
        return is_far and super().may_begin(begins, steps, marks)

    def words(self) -> Words:
        ball = f"the {self.colours[0]} ball"
        return Words(
            context=f"The video shows {a(self.colours[0])} ball on a track like a lying figure of eight, with two "
            "rings and four tiles, seen from above. The ball rolls round the two rings in turn, the one ring in the "
            "opposite way to the other, and ends where it began.",
            stem=f"Which way does {ball} roll round the ring on the right?",
            options=WAYS,
            claims=(
                f"Does {ball} roll round the ring on the right clockwise?",
                f"Does {ball} roll round the ring on the right counter-clockwise?",
            ),
        )

    def where(self, phase: Fraction) -> tuple[float, float]:
        # From the crossing clockwise round the right ring, then counter-clockwise round the left one.
        half, part = divmod(2 * phase % 2, 1)
        angle = 2 * pi * float(part)
        x = BEND - BEND * cos(angle)
        return (-x if half else x), -BEND * sin(angle)

    def bed(self, stage: Stage, width: float, colour: Colour) -> Sprite:
        scale = self.reach / 1000
        w, h = stage.even(4 * BEND * scale + width), stage.even(2 * BEND * scale + width)
        band, reach = width * stage.unit, scale * stage.unit
        # One stroke from the crossing round both rings and on into the first, so that it has no seam.
        ways = (self.where(Fraction(step, 144)) for step in range(148))
        return Sprite(w, h, (Line(tuple((w / 2 + x * reach, h / 2 + y * reach) for x, y in ways), band, colour),))


# ---------------------------------------------------------------------------------------------------- carriers


class Carrier(Walk):
    """Things of different colours on a loop, evenly apart, that pass a mark."""

    NUMBER: ClassVar[tuple[int, int]] = (3, 5)
    SIZES: ClassVar[tuple[int, int]] = (50, 120)
    ROOM: ClassVar[float] = 1.5
    MOVER: ClassVar[int] = 0
    MARK: ClassVar[Fraction] = Fraction(1, 2)
    """The phase at which a thing passes the mark."""

    @classmethod
    def may_begin(cls, begins: int, steps: int, marks: int) -> bool:
        # One that rests at the end of the way is then wholly hidden there.
        return Fraction(9, 20) <= cls.until(0, begins, steps, marks) * marks % 1 <= Fraction(11, 20)

    @classmethod
    def until(cls, mark: int, begins: int, steps: int, marks: int) -> Fraction:
        return cls.MARK - Fraction(begins, steps) - Fraction(mark, marks)

    def phases(self, phase: Fraction) -> list[Fraction]:
        """The phase of each thing."""
        return [(phase + Fraction(number, len(self.colours))) % 1 for number in range(len(self.colours))]


class Conveyor(Carrier):
    """A belt carries crates from one shed to the other; what goes in there comes out here again."""

    NAME: ClassVar[str] = "conveyor"
    PATH: ClassVar[float] = 82.0

    def words(self) -> Words:
        return Words(
            context="The video shows a belt between two sheds, with crates on it and a post behind it. Crates that go "
            "into one shed come out of the other one again, so that in the end all are where they began.",
            stem="Which way does the belt carry the crates?",
            options=("from left to right", "from right to left"),
            claims=(
                "Does the belt carry the crates from left to right?",
                "Does the belt carry the crates from right to left?",
            ),
        )

    def asked(self) -> str:
        return "do the crates first pass the post behind the belt?"

    def pictures(self, stage: Stage, atlas: AtlasBuilder) -> Callable[[Fraction], list[Placement]]:
        _, dark = LOOKS[self.look]
        size, way, level = self.size / 10, self.way, 56.0
        crates = [atlas.add(_crate(stage, size, COLOURS[colour])) for colour in self.colours]
        shed = atlas.add(_shed(stage, size + 4, 3 * size + 12, size, dark))
        belt, rivet = (
            atlas.add(_plain(stage, way + size, 3.4, INK, 1.7)),
            atlas.add(_plain(stage, 1.8, 1.4, PAPER, 0.7)),
        )
        post, knob = atlas.add(_plain(stage, 2, size + 26, dark)), atlas.add(_disc(stage, 5, dark))
        foot = atlas.add(_plain(stage, 2, 20, shade(dark, 1.3)))
        behind = [
            Placement(post, *stage.point(50, level - (size + 26) / 2)),
            Placement(knob, *stage.point(50, level - size - 26)),
            *(Placement(foot, *stage.point(50 + side * way / 4, level + 11)) for side in (-1, 1)),
            Placement(belt, *stage.point(50, level + 1.7)),
        ]
        rivets = 2 * len(self.colours)
        # The sheds hide a crate on its way round the end of the loop.
        before = [
            Placement(shed, *stage.point(50 + side * way / 2, level + 12 - (3 * size + 12) / 2 + size / 2))
            for side in (-1, 1)
        ]

        def at(phase: Fraction) -> list[Placement]:
            carried = [
                Placement(crate, *stage.point(50 + way * float(one - Fraction(1, 2)), level - size / 2))
                for crate, one in zip(crates, self.phases(phase), strict=True)
            ]
            # Rivets in the belt, which go along with the crates.
            carried += [
                Placement(rivet, *stage.point(50 + way * float(one - Fraction(1, 2)), level + 1.7))
                for one in ((phase + Fraction(number, rivets)) % 1 for number in range(rivets))
            ]
            return [*behind, *carried, *before]

        return at


class Beads(Carrier):
    """Beads on an upright cord that runs from one box to another."""

    NAME: ClassVar[str] = "beads"
    PATH: ClassVar[float] = 82.0

    def words(self) -> Words:
        return Words(
            context="The video shows beads on an upright cord that runs between two boxes, one at the top and one at "
            "the bottom, and a wedge that points at the cord. Beads that go into one box come out of the other one "
            "again, so that in the end all are where they began.",
            stem="Which way do the beads move?",
            options=("downwards, to the bottom", "upwards, to the top"),
            claims=("Do the beads move downwards along the cord?", "Do the beads move upwards along the cord?"),
        )

    def asked(self) -> str:
        return "do the beads first pass the wedge beside the cord?"

    def pictures(self, stage: Stage, atlas: AtlasBuilder) -> Callable[[Fraction], list[Placement]]:
        _, dark = LOOKS[self.look]
        size, way = self.size / 10, self.way
        beads = [atlas.add(_disc(stage, size, COLOURS[colour])) for colour in self.colours]
        cord = atlas.add(_plain(stage, 1.2, way + size, shade(dark, 1.5)))
        box = atlas.add(_box(stage, size + 22, size + 4, shade(dark, 1.3), 2))
        w, h = stage.even(8), stage.even(6)
        wedge = atlas.add(Sprite(w, h, (Polygon(((w, 0), (0, h / 2), (w, h)), INK),)))
        behind = [
            Placement(cord, *stage.point(50, 50)),
            Placement(wedge, *stage.point(50 + size / 2 + 6, 50)),
        ]
        before = [Placement(box, *stage.point(50, 50 + side * way / 2)) for side in (-1, 1)]

        def at(phase: Fraction) -> list[Placement]:
            carried = [
                Placement(bead, *stage.point(50, 50 + way * float(one - Fraction(1, 2))))
                for bead, one in zip(beads, self.phases(phase), strict=True)
            ]
            return [*behind, *carried, *before]

        return at


class Wheel(Carrier):
    """A big wheel turns, with cabins on its rim."""

    NAME: ClassVar[str] = "wheel"
    PATH: ClassVar[float] = 2 * pi * 35
    MARK: ClassVar[Fraction] = Fraction(0)

    def words(self) -> Words:
        return Words(
            context="The video shows a big wheel with cabins on its rim and a wedge above it that points at its "
            "highest place. The wheel turns, and in the end all cabins are where they began.",
            stem="Which way does the wheel turn?",
            options=WAYS,
            claims=("Does the wheel turn clockwise?", "Does the wheel turn counter-clockwise?"),
        )

    def asked(self) -> str:
        return "do the cabins first pass the highest place, at the wedge?"

    def pictures(self, stage: Stage, atlas: AtlasBuilder) -> Callable[[Fraction], list[Placement]]:
        _, dark = LOOKS[self.look]
        size, radius, middle = self.size / 10, 35 * self.reach / 1000, 52.0
        cabins = [atlas.add(_cabin(stage, size, COLOURS[colour])) for colour in self.colours]
        stand_width, stand_height = stage.even(26), stage.even(97 - middle)
        legs = tuple(
            Line(((stand_width / 2, stage.unit), (x, stand_height)), 1.8 * stage.unit, shade(dark, 1.2))
            for x in (stage.unit, stand_width - stage.unit)
        )
        stand = atlas.add(Sprite(stand_width, stand_height, legs))
        dot = atlas.add(_plain(stage, 1.8, 1.8, shade(dark, 1.6), 0.9))
        hub, bulb = atlas.add(_disc(stage, 7, dark)), atlas.add(_disc(stage, 3, shade(dark, 1.4)))
        w, h = stage.even(6), stage.even(4)
        wedge = atlas.add(Sprite(w, h, (Polygon(((0, 0), (w, 0), (w / 2, h)), INK),)))
        fixed = [
            # A rim of dots: what moves over it is then painted over little else.
            *(
                Placement(dot, *stage.point(50 + radius * sin(pi * step / 20), middle - radius * cos(pi * step / 20)))
                for step in range(40)
            ),
            Placement(stand, *stage.point(50, (97 + middle) / 2)),
            Placement(hub, *stage.point(50, middle)),
            Placement(wedge, *stage.point(50, middle - radius - size / 2 - 4)),
        ]

        def at(phase: Fraction) -> list[Placement]:
            placed = []
            for cabin, one in zip(cabins, self.phases(phase), strict=True):
                across, up = sin(2 * pi * float(one)), cos(2 * pi * float(one))
                # A bulb on the way to the hub stands for a spoke, and need not turn to look the same.
                bulb_at = stage.point(50 + 0.55 * radius * across, middle - 0.55 * radius * up)
                placed.append(Placement(bulb, *bulb_at))
                placed.append(Placement(cabin, *stage.point(50 + radius * across, middle - radius * up)))
            return [*fixed, *placed]

        return at


def _crate(stage: Stage, size: float, colour: Colour) -> Sprite:
    box = _box(stage, size, size, colour)
    side, bar = box.width, max(1, round(box.width / 8))
    bars: list[Shape] = [Rectangle(x, 0, bar, side, shade(colour, 0.7)) for x in (side // 4, side - side // 4 - bar)]
    return Sprite(side, side, (*box.shapes, *bars))


def _shed(stage: Stage, width: float, height: float, door: float, dark: Colour) -> Sprite:
    box = _box(stage, width, height, shade(dark, 1.2), 1)
    u = stage.unit
    top = Rectangle(0, 0, box.width, 4 * u, shade(dark, 0.8), u)
    window = Rectangle(box.width / 2 - door * u / 4, 7 * u, door * u / 2, door * u / 2, shade(dark, 2.2), u / 2)
    return Sprite(box.width, box.height, (*box.shapes, top, window))


def _cabin(stage: Stage, size: float, colour: Colour) -> Sprite:
    box = _box(stage, size, size, colour, size / 4)
    side, u = box.width, stage.unit
    pane = size * 0.3 * u
    panes = tuple(
        Rectangle(side / 2 - pane / 2 + step * side * 0.2, side * 0.25, pane * 0.9, pane, shade(colour, 3), u / 2)
        for step in (-1, 1)
    )
    return Sprite(side, side, (*box.shapes, *panes))


# ---------------------------------------------------------------------------------------------------- which side first


class FirstSide(Walk):
    """A ball goes from the middle to one end, then to the other, and back to the middle."""

    NAME: ClassVar[str] = "first_side"
    PATH: ClassVar[float] = 152.0
    NUMBER: ClassVar[tuple[int, int]] = (1, 1)
    ROOM: ClassVar[float] = 4.0
    HOLD: ClassVar[float] = 0.15
    """Seconds for which the ball touches the bar at an end."""

    upright: bool
    """Whether it moves up and down, not left and right."""

    @classmethod
    def may_begin(cls, begins: int, steps: int, marks: int) -> bool:
        return begins == 0

    @classmethod
    def held(cls, turns: int, fps: int) -> int:
        return 2 * turns * max(1, round(cls.HOLD * fps))

    @classmethod
    def extras(cls, random: Random) -> dict[str, Any]:
        return {"upright": random.random() < 0.5}

    @property
    def ends(self) -> tuple[str, str]:
        """The end that it reaches first going forwards, and the other one."""
        return ("top", "bottom") if self.upright else ("right", "left")

    def words(self) -> Words:
        ball, (one, other) = f"the {self.colours[0]} ball", self.ends
        number = {2: "twice"}.get(self.turns, f"{self.turns} times")
        again = "" if self.turns == 1 else f" It does all of this {number}."
        return Words(
            context=f"The video shows {a(self.colours[0])} ball on {'an upright' if self.upright else 'a level'} rail "
            "with a bar at either end, at rest in the middle. It goes to one end, from there to the other end, and "
            f"back to the middle.{again}",
            stem=f"To which end does {ball} go first?",
            options=(f"to the {one} end", f"to the {other} end"),
            claims=(
                f"Does {ball} go to the {one} end first?",
                f"Does {ball} go to the {other} end first?",
            ),
        )

    def open_question(self) -> Open:
        end = self.ends[0]
        arrives = self.outward if self.forwards else Fraction(1, 2) + self.outward
        return Open(
            kind="seconds",
            question=f"How many seconds after the start of the video is the ball at the {end} end for the first time? "
            "(The answer counts as right within 0.4 seconds.)",
            form=f"{example('3.5')}.",
            key=round((self.rest + float(arrives) * self.steps / self.turns) / self.fps, 3),
            tolerance=0.4,
        )

    @property
    def outward(self) -> Fraction:
        """The part of a turn that the way from the middle to an end takes."""
        return Fraction(self.steps - self.held(self.turns, self.fps), 4 * self.steps)

    def seen(self) -> tuple[tuple[int, int], ...]:
        # A frame of the first way out and back, and one of the second, tell which way was the first.
        half = self.steps // (2 * self.turns)
        return (self.rest + 1, self.rest + half), (self.rest + half + 1, self.rest + 2 * half)

    def pictures(self, stage: Stage, atlas: AtlasBuilder) -> Callable[[Fraction], list[Placement]]:
        _, dark = LOOKS[self.look]
        size, out = self.size / 10, self.way / 4
        ball = atlas.add(_disc(stage, size, COLOURS[self.colours[0]]))
        rail_long, stop_long = 2 * out + size + 4, size + 6
        if self.upright:
            rail, stop = _plain(stage, 2.4, rail_long, shade(dark, 1.4), 1.2), _box(stage, stop_long, 2.4, dark, 1)
        else:
            rail, stop = _plain(stage, rail_long, 2.4, shade(dark, 1.4), 1.2), _box(stage, 2.4, stop_long, dark, 1)
        middle = atlas.add(_disc(stage, 4, dark))

        def point(away: float) -> tuple[float, float]:
            return stage.point(50, 50 - away) if self.upright else stage.point(50 + away, 50)

        fixed = [
            Placement(atlas.add(rail), *point(0)),
            Placement(middle, *point(0)),
            *(Placement(atlas.add(stop), *point(side * (out + size / 2 + 1))) for side in (-1, 1)),
        ]

        def at(phase: Fraction) -> list[Placement]:
            # From 0 to 1, there for a while, to -1, there for a while, and back to 0.
            way = phase if phase <= Fraction(1, 4) else Fraction(1, 2) - phase if phase <= Fraction(3, 4) else phase - 1
            away = max(Fraction(-1), min(Fraction(1), way / self.outward))
            return [*fixed, Placement(ball, *point(out * float(away)))]

        return at


FAMILY = pair_family(
    name="direction",
    version=1,
    summary="Pairs that differ in direction alone: which way round, which way along, which side first.",
    settings=DirectionSettings,
    scripts=(Circuit, Conveyor, FirstSide, Wheel, Beads, FigureOfEight),
)

if __name__ == "__main__":
    from generators.command import main

    main(["direction", *sys.argv[1:]])
