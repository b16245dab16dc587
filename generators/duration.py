"""Duration: which of two stretches is the longer one. One actor does the same twice, long then short or the reverse.

The two stretches begin and end at rest, so they may change places: both clips have the same frames.
"""

import sys
from collections.abc import Callable, Iterable
from functools import cache
from math import cos, pi, sin
from typing import Annotated, Any, ClassVar, Self, TypeAlias

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
from generators.settings import RealRange, real_range
from generators.speed import shared_out
from generators.stage import COLOURS, INK, LOOKS, PAPER, Stage, a, shade, some_colours
from simulators.motion import smooth

# ---------------------------------------------------------------------------------------------------- settings


class DurationSettings(PairSettings):
    contrast: real_range(1.1, 6.0) = Field(  # type: ignore[valid-type]
        RealRange(1.5, 3.0), description="how many times as long the longer stretch is"
    )


REST_SECONDS = 0.5
"""How long all is still, at least, before the first stretch, between the two and after the second."""

HOP_SECONDS = (0.5, 0.9)
"""How long a hop takes."""

SHORTEST_SECONDS = 0.3
"""How long a stretch is at least, and how much longer the longer one is, where the clip has room for it."""

TURN_SECONDS = 0.35
"""How long it takes to open, to come out or to close again, which is part of the stretch."""

Pose: TypeAlias = tuple[int, int]
"""How far it is open or out, in STEPS, and which of a few pictures of the stretch is shown."""

STEPS = 60
REST: Pose = (0, 0)

# ---------------------------------------------------------------------------------------------------- two stretches


class TwoStretches(Script):
    """A thing that lasts a while, twice."""

    NOUN: ClassVar[str]
    """What lasts: "light", "opening", …"""
    FROM: ClassVar[str]
    """From when until when it is counted."""
    SIDES: ClassVar[tuple[str, ...]] = ("left", "right")

    look: int = Field(ge=0, lt=len(LOOKS))
    colour: str
    side: str = Field(pattern="^(left|right)$")
    rests: Annotated[list[Annotated[int, Field(ge=1)]], Len(3, 3)]
    """Frames of rest before the first stretch, of rest or of a hop between the two, and of rest after the second."""
    lasts: Annotated[list[Annotated[int, Field(ge=4)]], Len(2, 2)]
    """Frames of the first stretch and of the second."""

    HOPS: ClassVar[int] = 0
    """How many hops there are, with the stretches between them."""
    BACK: ClassVar[int] = 0
    """The picture of the way back."""
    WITHOUT: ClassVar[str] = ""
    """A colour that would be hard to see."""

    @model_validator(mode="after")
    def _holds(self) -> Self:
        if self.colour not in COLOURS or self.colour == self.WITHOUT or self.lasts[0] == self.lasts[1]:
            raise ValueError("a colour that has a name, and two stretches that differ")
        if self.frames != sum(self.rests) + max(0, self.HOPS - 1) * self.gap + sum(self.lasts):
            raise ValueError("rests, hops and stretches make up the clip")
        return self

    @classmethod
    def draw(cls, settings: DurationSettings, streams: Streams, turn: int) -> tuple[Self, Self]:
        random = streams("plan")
        ratio = draw_real(settings.contrast, random)
        rest = max(1, round(REST_SECONDS * settings.fps))
        hop = max(2, round(random.uniform(*HOP_SECONDS) * settings.fps))
        frames = round(draw_real(settings.seconds, random) * settings.fps)
        room = frames - (2 * rest + cls.HOPS * hop if cls.HOPS else 3 * rest)
        most = room / (1 + ratio)
        # Both may be short or both long, so that one of them alone does not tell which of the two it is.
        least = min(most, SHORTEST_SECONDS * settings.fps * max(1, 1 / (ratio - 1)))
        about = round(least * (most / least) ** random.random()) if most > 0 else 0
        # Of the lengths near the one that was drawn, the one whose multiple is nearest to a whole number of frames.
        spread = max(2, about // 8)
        nearby = [
            short
            for short in range(about - spread, about + spread + 1)
            if 4 <= short < round(short * ratio) <= room - short
        ]
        if not nearby:
            raise InputError(
                f"the shorter stretch would take {max(0, about)} frames: raise --fps or --seconds, or change --contrast"
            )
        short = min(nearby, key=lambda short: (abs(round(short * ratio) / short / ratio - 1), abs(short - about)))
        long = round(short * ratio)
        if cls.HOPS:
            lead, tail = shared_out(frames - cls.HOPS * hop - short - long, 2, rest, random)
            rests = [lead, hop, tail]
        else:
            rests = shared_out(frames - short - long, 3, rest, random)
        fields: dict[str, Any] = {
            "fps": settings.fps,
            "frames": frames,
            "look": random.randrange(len(LOOKS)),
            "colour": some_colours(random, 1, cls.WITHOUT)[0],
            "side": random.choice(cls.SIDES),
            "rests": rests,
        }
        return cls(**fields, lasts=[short, long]), cls(**fields, lasts=[long, short])

    def shown(self) -> str:
        """What the video shows, and how the two are counted."""
        raise NotImplementedError(self)

    def words(self) -> Words:
        noun = self.NOUN
        return Words(
            context=self.shown(),
            stem=f"Which {noun} lasts longer?",
            options=(f"the first {noun}", f"the second {noun}"),
            claims=(
                f"Does the first {noun} last longer than the second one?",
                f"Does the second {noun} last longer than the first one?",
            ),
        )

    def answer(self) -> int:
        return 0 if self.lasts[0] > self.lasts[1] else 1

    def open_question(self) -> Open:
        return Open(
            kind="seconds",
            question=f"How many seconds does the first {self.NOUN} last, {self.FROM}? (The answer counts as right "
            "within 0.2 seconds.)",
            form=f"{example('3.5')}.",
            key=round(self.lasts[0] / self.fps, 3),
            tolerance=0.2,
        )

    def contrast(self) -> float:
        return max(self.lasts) / min(self.lasts)

    def difference(self) -> str:
        return f"stretches of {min(self.lasts)} and {max(self.lasts)} frames change places"

    @property
    def gap(self) -> int:
        """Frames of rest, or of a hop, between the two stretches."""
        return self.rests[1]

    def stretch(self, frames: int) -> list[Pose]:
        """What is to be seen in each frame of a stretch."""
        turn = max(1, min(frames // 3, round(TURN_SECONDS * self.fps)))
        opening = [max(1, round(STEPS * smooth(frame + 1, turn + 1))) for frame in range(turn)]
        there = [(out, 0) for out in (*opening, *[STEPS] * (frames - 2 * turn))]
        return [*there, *((out, self.BACK) for out in opening[::-1])]

    def between(self) -> list[Pose]:
        """What is to be seen in each frame of a gap."""
        return [REST] * self.gap

    def poses(self) -> list[Pose]:
        """What is to be seen in each frame of the clip."""
        first, second = map(self.stretch, self.lasts)
        return [*[REST] * self.rests[0], *first, *self.between(), *second, *[REST] * self.rests[2]]

    def spans(self) -> tuple[tuple[int, int], tuple[int, int]]:
        begin = self.rests[0] + (self.gap if self.HOPS else 0)
        second = begin + self.lasts[0] + self.gap
        return (begin, begin + self.lasts[0]), (second, second + self.lasts[1])

    def pictures(self, stage: Stage, atlas: AtlasBuilder) -> Callable[[Pose], list[Placement]]:
        """What is placed where in a pose."""
        raise NotImplementedError(self)

    def scene(self, settings: DurationSettings) -> Scene:
        stage, atlas = Stage(settings.resolution), AtlasBuilder()
        at = cache(self.pictures(stage, atlas))
        poses, spans = self.poses(), self.spans()
        # One frame in the gap and two in what the longer one has more than the shorter tell which is longer.
        more = max(1, (max(self.lasts) - min(self.lasts)) // 2)
        _, end = max(spans, key=lambda span: span[1] - span[0])
        seen = sorted([(spans[0][1], spans[1][0]), (end - 2 * more, end - more), (end - more, end)])
        return Scene(
            width=settings.resolution.width,
            height=settings.resolution.height,
            fps=self.fps,
            frames=self.frames,
            background=LOOKS[self.look][0],
            sprites=atlas.sprites,
            placements=lambda frame: at(poses[frame]),
            spans=spans,
            seen=tuple(seen),
        )

    def across(self, x: float) -> float:
        """A place across the stage as it is on the left side or, mirrored, on the right."""
        return x if self.side == "left" else 100 - x


# ---------------------------------------------------------------------------------------------------- what they share


def _plain(stage: Stage, width: float, height: float, colour: Colour, radius: float = 0.0) -> Sprite:
    w, h = stage.even(width), stage.even(height)
    return Sprite(w, h, (Rectangle(0, 0, w, h, colour, radius * stage.unit),))


def _disc(stage: Stage, width: float, colour: Colour) -> Sprite:
    side = stage.even(width)
    rim = max(1, side // 12)
    inner = Ellipse(rim, rim, side - 2 * rim, side - 2 * rim, colour)
    return Sprite(side, side, (Ellipse(0, 0, side, side, shade(colour, 0.6)), inner))


# ---------------------------------------------------------------------------------------------------- lamp


class Lamp(TwoStretches):
    """A lamp is switched on twice."""

    NAME: ClassVar[str] = "lamp"
    NOUN: ClassVar[str] = "light"
    FROM: ClassVar[str] = "from when the lamp goes on until it goes off"
    WITHOUT: ClassVar[str] = "brown"

    def shown(self) -> str:
        return (
            f"The video shows a table lamp that goes on twice: it shines {self.colour} for a while, goes off, shines "
            "again for a while, and goes off. Each time that it shines is one light."
        )

    def stretch(self, frames: int) -> list[Pose]:
        return [(STEPS, 0)] * frames

    def pictures(self, stage: Stage, atlas: AtlasBuilder) -> Callable[[Pose], list[Placement]]:
        ground, dark = LOOKS[self.look]
        u, colour, axis = stage.unit, COLOURS[self.colour], self.across(37)
        w, h = stage.even(34), stage.even(22)

        def shade_of(tone: Colour) -> int:
            edge = ((9 * u, 0), (w - 9 * u, 0), (w, h), (0, h))
            inner = ((9.6 * u, u), (w - 9.6 * u, u), (w - 1.4 * u, h - u), (1.4 * u, h - u))
            return atlas.add(Sprite(w, h, (Polygon(edge, shade(tone, 0.6)), Polygon(inner, tone))))

        beam_width, beam_height = stage.even(52), stage.even(30)
        beam_edge = ((9 * u, 0), (beam_width - 9 * u, 0), (beam_width, beam_height), (0, beam_height))
        pale = tuple(round((2 * one + other) / 3) for one, other in zip(ground, colour, strict=True))
        light = Sprite(beam_width, beam_height, (Polygon(beam_edge, (pale[0], pale[1], pale[2])),))
        beam, unlit, lit = atlas.add(light), shade_of((120, 116, 114)), shade_of(shade(colour, 1.15))
        stand, foot = atlas.add(_plain(stage, 3, 40, dark)), atlas.add(_plain(stage, 24, 4, dark, 2))
        table, leg = atlas.add(_plain(stage, 80, 4, shade(dark, 0.8), 1)), atlas.add(_plain(stage, 4, 18, dark))
        fixed = [
            *(Placement(leg, *stage.point(50 + side * 34, 91)) for side in (-1, 1)),
            Placement(table, *stage.point(50, 82)),
            Placement(stand, *stage.point(axis, 59)),
            Placement(foot, *stage.point(axis, 78)),
        ]

        def at(pose: Pose) -> list[Placement]:
            if not pose[0]:
                return [*fixed, Placement(unlit, *stage.point(axis, 32))]
            return [Placement(beam, *stage.point(axis, 58)), *fixed, Placement(lit, *stage.point(axis, 32))]

        return at


# ---------------------------------------------------------------------------------------------------- shutter


class Shutter(TwoStretches):
    """A shutter is drawn up from a window twice."""

    NAME: ClassVar[str] = "shutter"
    NOUN: ClassVar[str] = "opening"
    FROM: ClassVar[str] = "from when the shutter begins to rise until it is shut again"

    def shown(self) -> str:
        return (
            f"The video shows a house with {a(self.colour)} shutter before its window. Twice the shutter rises, stays "
            "up for a while, and comes down again. Each time, from when it begins to rise until it is shut again, is "
            "one opening."
        )

    def pictures(self, stage: Stage, atlas: AtlasBuilder) -> Callable[[Pose], list[Placement]]:
        _, dark = LOOKS[self.look]
        u, colour, axis = stage.unit, COLOURS[self.colour], self.across(37)
        side = stage.even(36)
        slats: list[Shape] = [Rectangle(0, 0, side, side, shade(colour, 0.6))]
        slats += [Rectangle(0, step * side / 9, side, side / 9 - 0.8 * u, colour) for step in range(9)]
        shutter = atlas.add(Sprite(side, side, tuple(slats)))
        room: list[Shape] = [
            Rectangle(0, 0, side, side, (250, 238, 196)),
            Ellipse(side * 0.32, side * 0.16, side * 0.36, side * 0.36, (92, 62, 44)),
            Rectangle(side * 0.44, side * 0.48, side * 0.12, side * 0.16, (196, 144, 108)),
            Rectangle(side * 0.22, side * 0.6, side * 0.56, side * 0.4, (88, 108, 136), side * 0.14),
            Ellipse(side * 0.35, side * 0.22, side * 0.3, side * 0.34, (222, 170, 132)),
            *(Ellipse(side * (x - 0.02), side * 0.35, side * 0.04, side * 0.05, INK) for x in (0.44, 0.56)),
            Line(((side * 0.44, side * 0.46), (side / 2, side * 0.49), (side * 0.56, side * 0.46)), 0.7 * u, INK),
        ]
        window = atlas.add(Sprite(side, side, tuple(room)))
        frame = atlas.add(_plain(stage, 41, 41, shade(dark, 0.8), 1))
        # The wall above the window hides the shutter that is up.
        plaster = shade(dark, 1.7)
        lintel, wall = atlas.add(_plain(stage, 84, 20, plaster)), atlas.add(_plain(stage, 84, 78, plaster))
        w, h = stage.even(98), stage.even(20)
        roof = atlas.add(Sprite(w, h, (Polygon(((0, h), (w * 0.14, 0), (w * 0.86, 0), (w, h)), shade(dark, 0.9)),)))
        sill = atlas.add(_plain(stage, 46, 3, dark, 1))
        door, knob = atlas.add(_plain(stage, 20, 40, shade(dark, 0.8), 1)), atlas.add(_plain(stage, 2, 2, PAPER, 1))
        behind = [
            Placement(wall, *stage.point(50, 61)),
            Placement(door, *stage.point(self.across(76), 80)),
            Placement(knob, *stage.point(self.across(69), 80)),
            Placement(frame, *stage.point(axis, 63)),
            Placement(window, *stage.point(axis, 63)),
        ]
        before = [
            Placement(lintel, *stage.point(50, 32)),
            Placement(roof, *stage.point(50, 13)),
            Placement(sill, *stage.point(axis, 84)),
        ]

        def at(pose: Pose) -> list[Placement]:
            up = 39 * pose[0] / STEPS
            return [*behind, Placement(shutter, *stage.point(axis, 63 - up)), *before]

        return at


# ---------------------------------------------------------------------------------------------------- loudspeaker


class Tone(TwoStretches):
    """A loudspeaker sounds twice: rings go out from it."""

    NAME: ClassVar[str] = "tone"
    NOUN: ClassVar[str] = "tone"
    FROM: ClassVar[str] = "from when the arcs appear until they are gone"
    PICTURES: ClassVar[int] = 12

    def shown(self) -> str:
        return (
            f"The video shows {a(self.colour)} loudspeaker that sounds two tones, with a silence between them. While a "
            "tone sounds, arcs go out from the loudspeaker; in silence there are none."
        )

    def stretch(self, frames: int) -> list[Pose]:
        # The arcs go on from where they were after a second.
        return [(STEPS, self.PICTURES * frame // max(1, self.fps) % self.PICTURES) for frame in range(frames)]

    def pictures(self, stage: Stage, atlas: AtlasBuilder) -> Callable[[Pose], list[Placement]]:
        _, dark = LOOKS[self.look]
        u, turn = stage.unit, 1 if self.side == "left" else -1
        w, h = stage.even(30), stage.even(56)
        shapes: list[Shape] = [
            Rectangle(0, 0, w, h, shade(COLOURS[self.colour], 0.6), 3 * u),
            Rectangle(u, u, w - 2 * u, h - 2 * u, COLOURS[self.colour], 2.5 * u),
        ]
        for middle, radius in ((17, 8), (38, 12)):
            for share, tone in ((1.0, INK), (0.8, shade(dark, 1.2)), (0.35, INK)):
                r = radius * share * u
                shapes.append(Ellipse(w / 2 - r, middle * u - r, 2 * r, 2 * r, tone))
        box = atlas.add(Sprite(w, h, tuple(shapes)))
        shelf = atlas.add(_plain(stage, 92, 4, dark, 1))
        fixed = [Placement(shelf, *stage.point(50, 82)), Placement(box, *stage.point(self.across(22), 52))]
        arcs = [
            [self._arc(stage, atlas, number * 15 + 15 * step / self.PICTURES, turn) for number in range(4)]
            for step in range(self.PICTURES)
        ]

        def at(pose: Pose) -> list[Placement]:
            if not pose[0]:
                return fixed
            return [*fixed, *(arc for arc in arcs[pose[1]])]

        return at

    def _arc(self, stage: Stage, atlas: AtlasBuilder, radius: float, turn: int) -> Placement:
        """A part of a circle about the loudspeaker's edge, so many units from it."""
        u, open_by = stage.unit, pi / 5
        reach = 4 + radius
        w, h = stage.even(reach * (1 - cos(open_by)) + 3), stage.even(2 * reach * sin(open_by) + 3)
        points = []
        for step in range(-8, 9):
            angle = open_by * step / 8
            x = w - 1.5 * u - reach * (1 - cos(angle)) * u
            points.append((x if turn > 0 else w - x, h / 2 + reach * sin(angle) * u))
        arc = atlas.add(Sprite(w, h, (Line(tuple(points), 1.6 * u, INK),)))
        middle = 34 + reach - w / u / 2
        return Placement(arc, *stage.point(self.across(middle), 50), opacity=1.0 if radius < 45 else 0.5)


# ---------------------------------------------------------------------------------------------------- mouse


class Visit(TwoStretches):
    """A mouse comes out of its hole twice."""

    NAME: ClassVar[str] = "visit"
    NOUN: ClassVar[str] = "visit"
    FROM: ClassVar[str] = "from when the mouse begins to come out until it is gone again"
    BACK: ClassVar[int] = 1

    def shown(self) -> str:
        return (
            f"The video shows a mouse's {self.colour} house. Twice the mouse comes out of its door on the "
            f"{self.other}, stays there for a while, and goes back in. Each time, from when it begins to come out "
            "until it is gone again, is one visit."
        )

    @property
    def other(self) -> str:
        return "right" if self.side == "left" else "left"

    def pictures(self, stage: Stage, atlas: AtlasBuilder) -> Callable[[Pose], list[Placement]]:
        _, dark = LOOKS[self.look]
        u, turn = stage.unit, 1 if self.side == "left" else -1
        mice = [atlas.add(_mouse(stage, way)) for way in (turn, -turn)]
        w, h = stage.even(56), stage.even(56)
        colour = COLOURS[self.colour]

        def box(x: float, y: float, width: float, height: float, tone: Colour, radius: float = 0.0) -> Rectangle:
            left = x if turn > 0 else 56 - x - width
            return Rectangle(left * w / 56, y * u, width * w / 56, height * u, tone, radius)

        # The doorway is at the side of the house, and what is within it is seen from the side.
        house = atlas.add(
            Sprite(
                w,
                h,
                (
                    Polygon(((0, 21 * u), (w / 2, 0), (w, 21 * u)), shade(colour, 0.6)),
                    box(2, 20, 52, 36, shade(colour, 0.6)),
                    box(3, 20, 50, 36, colour),
                    box(14, 22, 12, 10, PAPER, u),
                    box(19.5, 22, 1, 10, shade(colour, 0.6)),
                    box(40, 36, 14, 20, INK),
                    box(38, 34, 17, 2.6, shade(colour, 0.6), u),
                ),
            )
        )
        wall = atlas.add(_plain(stage, 37, 20, colour))
        ground = atlas.add(_plain(stage, 96, 3, dark, 1))
        behind = [Placement(ground, *stage.point(50, 85.5)), Placement(house, *stage.point(self.across(30), 56))]
        before = Placement(wall, *stage.point(self.across(23.5), 74))

        def at(pose: Pose) -> list[Placement]:
            # Behind the wall it is not to be seen.
            if not pose[0]:
                return behind
            x = self.across(24 + 52 * pose[0] / STEPS)
            return [*behind, Placement(mice[pose[1]], *stage.point(x, 76)), before]

        return at


def _mouse(stage: Stage, turn: int) -> Sprite:
    u = stage.unit
    w, h = stage.even(32), stage.even(17)
    grey, inner = (134, 130, 132), (226, 170, 176)

    def oval(x: float, y: float, width: float, height: float, colour: Colour) -> Ellipse:
        return Ellipse((x if turn > 0 else 32 - x - width) * w / 32, y * u, width * w / 32, height * u, colour)

    tail = tuple(((x if turn > 0 else 32 - x) * w / 32, y * u) for x, y in ((1, 8), (4, 12), (9, 13)))
    return Sprite(
        w,
        h,
        (
            Line(tail, 1.2 * u, inner),
            oval(6, 4, 18, 13, shade(grey, 0.7)),
            oval(6.6, 4.6, 16.8, 11.8, grey),
            oval(18, 6, 12, 9, shade(grey, 0.7)),
            oval(18.4, 6.4, 11.4, 8.2, grey),
            oval(17, 1, 7, 7, shade(grey, 0.7)),
            oval(18, 2, 5, 5, inner),
            oval(25, 8, 1.8, 1.8, INK),
            oval(29, 9.6, 2.2, 2.2, INK),
        ),
    )


# ---------------------------------------------------------------------------------------------------- hops


class Pauses(TwoStretches):
    """A frog hops three times on its cushion, with two pauses between the hops."""

    NAME: ClassVar[str] = "pauses"
    NOUN: ClassVar[str] = "pause"
    FROM: ClassVar[str] = "from when the frog is back on the cushion until it leaves it again"
    HOPS: ClassVar[int] = 3

    def shown(self) -> str:
        return (
            f"The video shows a frog on {a(self.colour)} cushion. It hops up three times and comes down on the cushion "
            "again. The first pause is that between the first hop and the second, the second pause is that between the "
            "second hop and the third."
        )

    def stretch(self, frames: int) -> list[Pose]:
        return [REST] * frames

    def between(self) -> list[Pose]:
        return [(max(1, height), 0) for height in self._hop()]

    def _hop(self) -> Iterable[int]:
        # A throw: even at either end it is off the cushion.
        return (round(STEPS * 4 * (i + 1) * (self.gap - i) / (self.gap + 1) ** 2) for i in range(self.gap))

    def poses(self) -> list[Pose]:
        hop, (first, second) = self.between(), map(self.stretch, self.lasts)
        return [*[REST] * self.rests[0], *hop, *first, *hop, *second, *hop, *[REST] * self.rests[2]]

    def pictures(self, stage: Stage, atlas: AtlasBuilder) -> Callable[[Pose], list[Placement]]:
        _, dark = LOOKS[self.look]
        colour, axis = COLOURS[self.colour], self.across(37)
        frog = atlas.add(_frog(stage))
        cushion = atlas.add(_plain(stage, 46, 11, shade(colour, 0.65), 5))
        top, ground = atlas.add(_plain(stage, 44, 9, colour, 4)), atlas.add(_plain(stage, 96, 3, dark, 1))
        fixed = [
            Placement(ground, *stage.point(50, 92)),
            Placement(cushion, *stage.point(axis, 85)),
            Placement(top, *stage.point(axis, 84.6)),
        ]
        return lambda pose: [*fixed, Placement(frog, *stage.point(axis, 71 - 48 * pose[0] / STEPS))]


def _frog(stage: Stage) -> Sprite:
    """A frog from the front."""
    u = stage.unit
    w, h = stage.even(30), stage.even(24)
    skin = (106, 168, 60)
    dark = shade(skin, 0.6)
    shapes: list[Shape] = []
    for x in (1, 19):
        shapes.append(Ellipse(x * u, 15 * u, 10 * u, 8 * u, dark))
    shapes += [
        Ellipse(3 * u, 4 * u, 24 * u, 19 * u, dark),
        Ellipse(3.7 * u, 4.7 * u, 22.6 * u, 17.6 * u, skin),
        Ellipse(8 * u, 13 * u, 14 * u, 9 * u, shade(skin, 1.8)),
    ]
    for x in (5, 17):
        shapes += [
            Ellipse(x * u, 0, 8 * u, 8 * u, dark),
            Ellipse((x + 0.7) * u, 0.7 * u, 6.6 * u, 6.6 * u, PAPER),
            Ellipse((x + 2.6) * u, 2.4 * u, 3 * u, 3.4 * u, INK),
        ]
    shapes.append(Line(((10 * u, 12 * u), (15 * u, 13.6 * u), (20 * u, 12 * u)), 0.9 * u, INK))
    return Sprite(w, h, tuple(shapes))


FAMILY = pair_family(
    name="duration",
    version=1,
    summary="Pairs that differ in duration alone: which light, opening, tone, visit or pause is longer.",
    settings=DurationSettings,
    scripts=(Lamp, Shutter, Tone, Visit, Pauses),
)

if __name__ == "__main__":
    from generators.command import main

    main(["duration", *sys.argv[1:]])
