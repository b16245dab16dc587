"""Repetition: how often a thing happens. The same frames of one loop, gone through k times or m times.

A loop of N phases is gone through k times in N steps by k phases a step. Where k and N are coprime every phase is
shown exactly once, and so it is for m: both clips have the same frames, and a closing frame where they began.
"""

import sys
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from math import ceil, cos, floor, gcd, pi, sin
from typing import Annotated, Any, ClassVar, Self

from annotated_types import Len
from pydantic import Field, model_validator

from generators.errors import InputError
from generators.pairs import Open, PairSettings, Script, Words, pair_family
from generators.questions import example
from generators.randomness import Streams
from generators.rendering.scene import (
    AtlasBuilder,
    Colour,
    Ellipse,
    Line,
    Placement,
    Rectangle,
    Scene,
    Shape,
    Sprite,
)
from generators.settings import RealRange, real_range
from generators.stage import COLOURS, INK, LOOKS, PAPER, Stage, a, shade, some_colours
from simulators.motion import smooth

# ---------------------------------------------------------------------------------------------------- settings


class RepetitionSettings(PairSettings):
    contrast: real_range(1.0, 8.0) = Field(  # type: ignore[valid-type]
        RealRange(1.0, 3.0), description="difference between the two counts, a whole number"
    )


REST_SECONDS = 0.5
"""How long things stand still at either end of a clip."""

FEWEST, MOST = 2, 12
"""Counts that a person can be sure of."""

QUICKEST = 0.7
"""Seconds that a repetition takes at least."""

SLOWEST = 3.0
"""Seconds that a repetition takes at most, where the counts allow."""

# ---------------------------------------------------------------------------------------------------- loops


class Loop(Script):
    """A thing that is done several times, from rest to rest."""

    THING: ClassVar[str]
    """What the claims are about, with {colour}."""
    DOES: ClassVar[str]
    """What it does, with {side}, as in "how many times does the ball bounce"."""
    AUXILIARY: ClassVar[str] = "does"
    WITHOUT: ClassVar[str] = ""
    """A colour that would be hard to see."""

    look: int = Field(ge=0, lt=len(LOOKS))
    colour: str
    rest: int = Field(ge=1)
    counts: Annotated[list[Annotated[int, Field(ge=FEWEST, le=MOST)]], Len(2, 2)]
    """How often it is done in this clip, and how often in the other one."""
    side: str = Field(pattern="^(left|right)$")
    """On which side things stand, or to which they go first."""

    @model_validator(mode="after")
    def _holds(self) -> Self:
        if self.colour not in COLOURS or self.colour == self.WITHOUT or self.counts[0] == self.counts[1]:
            raise ValueError("a colour that has a name, and two counts that differ")
        if self.steps < 4 * max(self.counts) or any(gcd(count, self.steps) != 1 for count in self.counts):
            raise ValueError("the counts are coprime to the frames of the loop, which are four a turn and more")
        return self

    @property
    def steps(self) -> int:
        """N: the phases of the loop, and the frames in which it is gone through."""
        return self.frames - 1 - 2 * self.rest

    @classmethod
    def draw(cls, settings: RepetitionSettings, streams: Streams, turn: int) -> tuple[Self, Self]:
        random = streams("plan")
        low, high = ceil(settings.contrast.low), floor(settings.contrast.high)
        if low > high:
            raise InputError(
                f"a difference of counts is a whole number: {settings.contrast} holds none; change --contrast"
            )
        rest = max(1, round(REST_SECONDS * settings.fps))
        # Of the lengths that were asked for, those that have room for as many times as there must be.
        shortest, longest = settings.seconds.low, settings.seconds.high
        needed = (FEWEST + low) * QUICKEST + (2 * rest + 2) / settings.fps
        seconds = random.uniform(max(shortest, min(longest, needed)), longest)
        wanted = round(seconds * settings.fps) - 2 * rest - 1
        most = min(MOST, floor(wanted / (QUICKEST * settings.fps)), wanted // 6)
        if most - low < FEWEST:
            raise InputError(
                f"{FEWEST} and {FEWEST + low} times would be too quick to count: raise --seconds or --fps, or lower "
                "--contrast"
            )
        more = random.randint(low, min(high, most - FEWEST))
        fewest = max(FEWEST, ceil(wanted / (settings.fps * SLOWEST)) - more)
        few = random.randint(min(fewest, most - more), most - more)
        many = few + more
        # Of the lengths near the one that was drawn, the nearest that both counts are coprime to.
        steps = next(
            steps
            for off in range(few * many + 1)
            for steps in (wanted - off, wanted + off)
            if steps >= many * max(4, QUICKEST * settings.fps) and gcd(steps, few * many) == 1
        )
        fields: dict[str, Any] = {
            "fps": settings.fps,
            "frames": steps + 1 + 2 * rest,
            "look": random.randrange(len(LOOKS)),
            "colour": some_colours(random, 1, cls.WITHOUT)[0],
            "rest": rest,
            "side": random.choice(["left", "right"]),
        }
        return cls(**fields, counts=[few, many]), cls(**fields, counts=[many, few])

    def done(self) -> str:
        return f"{self.THING} {self.DOES}".format(colour=self.colour, side=self.side)

    def shown(self) -> str:
        """What the video shows, and what counts as once."""
        raise NotImplementedError(self)

    def words(self) -> Words:
        few, many = sorted(self.counts)
        done = self.done()
        return Words(
            context=self.shown(),
            stem=f"How many times {self.AUXILIARY} {done}?",
            options=(f"{few} times", f"{many} times"),
            claims=(
                f"{self.AUXILIARY.capitalize()} {done} exactly {few} times?",
                f"{self.AUXILIARY.capitalize()} {done} exactly {many} times?",
            ),
        )

    def answer(self) -> int:
        return 0 if self.counts[0] < self.counts[1] else 1

    def open_question(self) -> Open:
        return Open(
            kind="integer",
            question=f"How many times {self.AUXILIARY} {self.done()} in the whole video?",
            form=f"{example('15')}.",
            key=self.counts[0],
        )

    def contrast(self) -> float:
        return float(abs(self.counts[0] - self.counts[1]))

    def difference(self) -> str:
        few, many = sorted(self.counts)
        return f"a loop of {self.steps} frames is gone through {few} or {many} times"

    def phase(self, frame: int) -> int:
        """Where in the loop it is, in `steps` parts."""
        return self.counts[0] * min(self.steps, max(0, frame - self.rest)) % self.steps

    def pictures(self, stage: Stage, atlas: AtlasBuilder) -> Callable[[Fraction], list[Placement]]:
        """What is placed where at a phase from 0 to 1; 0 is at rest."""
        raise NotImplementedError(self)

    def across(self, x: float) -> float:
        """A place across the stage as it is on the left side or, mirrored, on the right."""
        return x if self.side == "left" else 100 - x

    def scene(self, settings: RepetitionSettings) -> Scene:
        stage, atlas = Stage(settings.resolution), AtlasBuilder()
        placed = self.pictures(stage, atlas)
        at = cache(lambda phase: placed(Fraction(phase, self.steps)))
        end = self.rest + self.steps
        return Scene(
            width=settings.resolution.width,
            height=settings.resolution.height,
            fps=self.fps,
            frames=self.frames,
            background=LOOKS[self.look][0],
            sprites=atlas.sprites,
            placements=lambda frame: at(self.phase(frame)),
            spans=tuple(
                (self.rest + self.steps * turn // self.counts[0], self.rest + self.steps * (turn + 1) // self.counts[0])
                for turn in range(self.counts[0])
            ),
            # Three frames of each repetition tell one from the next.
            seen=((self.rest, min(end, self.rest + max(1, self.steps // (3 * max(self.counts))))),),
        )


# ---------------------------------------------------------------------------------------------------- what they share


def _plain(stage: Stage, width: float, height: float, colour: Colour, radius: float = 0.0) -> Sprite:
    w, h = stage.even(width), stage.even(height)
    return Sprite(w, h, (Rectangle(0, 0, w, h, colour, radius * stage.unit),))


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


# ---------------------------------------------------------------------------------------------------- bouncing ball


class Bounces(Loop):
    """A ball jumps off a block and falls back on it."""

    NAME: ClassVar[str] = "bounces"
    THING: ClassVar[str] = "the {colour} ball"
    DOES: ClassVar[str] = "rise from the block"

    def shown(self) -> str:
        return (
            f"The video shows {a(self.colour)} ball on a block. It rises from the block and falls back on it, several "
            "times in a row, always to the same height."
        )

    def pictures(self, stage: Stage, atlas: AtlasBuilder) -> Callable[[Fraction], list[Placement]]:
        _, dark = LOOKS[self.look]
        size, height, floor = 13.0, 62.0, 84.0
        ball = atlas.add(_disc(stage, size, COLOURS[self.colour]))
        block, top = atlas.add(_plain(stage, 34, 14, shade(dark, 1.2), 1)), atlas.add(_plain(stage, 38, 4, dark, 1))
        ground = atlas.add(_plain(stage, 96, 2, dark, 1))
        axis = self.across(38)
        fixed = [
            Placement(ground, *stage.point(50, 97)),
            Placement(block, *stage.point(axis, floor + 6)),
            Placement(top, *stage.point(axis, floor + 2)),
        ]

        def at(phase: Fraction) -> list[Placement]:
            # It lies on the block for a tenth of the loop, so that a frame shows it there each time.
            flown = min(Fraction(1), max(Fraction(0), Fraction(10, 9) * (phase - Fraction(1, 20))))
            up = height * float(4 * flown * (1 - flown))
            return [*fixed, Placement(ball, *stage.point(axis, floor - size / 2 - up))]

        return at


# ---------------------------------------------------------------------------------------------------- rounds


class Rounds(Loop):
    """A ball goes round a ring, from a gate at the top."""

    NAME: ClassVar[str] = "rounds"
    THING: ClassVar[str] = "the {colour} ball"
    DOES: ClassVar[str] = "go round the ring"

    def shown(self) -> str:
        return (
            f"The video shows {a(self.colour)} ball on a ring with a gate at the top. The ball begins at the gate, "
            "goes round and round, and stops at the gate. From the gate to the gate is once round the ring."
        )

    def pictures(self, stage: Stage, atlas: AtlasBuilder) -> Callable[[Fraction], list[Placement]]:
        _, dark = LOOKS[self.look]
        radius, band, turn = 34.0, 10.0, 1 if self.side == "right" else -1
        layers = []
        for width, colour in ((band, shade(dark, 1.3)), (band - 1.6, shade(dark, 2))):
            outer, inner = stage.even(2 * radius + width), stage.even(2 * radius - width)
            hole = Ellipse((outer - inner) / 2, (outer - inner) / 2, inner, inner, LOOKS[self.look][0])
            layers.append(atlas.add(Sprite(outer, outer, (Ellipse(0, 0, outer, outer, colour), hole))))
        ball = atlas.add(_disc(stage, 9, COLOURS[self.colour]))
        gate, post = atlas.add(_plain(stage, 2.4, band, PAPER)), atlas.add(_plain(stage, 3.4, 6, INK, 1))
        fixed = [
            *(Placement(layer, *stage.point(50, 52)) for layer in layers),
            Placement(gate, *stage.point(50, 52 - radius)),
            *(Placement(post, *stage.point(50, 52 - radius + side * (band / 2 + 3.5))) for side in (-1, 1)),
        ]

        def at(phase: Fraction) -> list[Placement]:
            angle = 2 * pi * float(phase)
            where = stage.point(50 + turn * radius * sin(angle), 52 - radius * cos(angle))
            return [*fixed, Placement(ball, *where)]

        return at


# ---------------------------------------------------------------------------------------------------- pendulum


class Swings(Loop):
    """A ball on a chain swings to both sides."""

    NAME: ClassVar[str] = "swings"
    THING: ClassVar[str] = "the {colour} ball"
    DOES: ClassVar[str] = "swing out to the {side}"

    def shown(self) -> str:
        other = "right" if self.side == "left" else "left"
        return (
            f"The video shows {a(self.colour)} ball on a chain. From rest it swings out to the {self.side}, then out "
            f"to the {other}, and so on, until it hangs at rest again."
        )

    def pictures(self, stage: Stage, atlas: AtlasBuilder) -> Callable[[Fraction], list[Placement]]:
        _, dark = LOOKS[self.look]
        turn = 1 if self.side == "right" else -1
        ball, link = atlas.add(_disc(stage, 16, COLOURS[self.colour])), atlas.add(_disc(stage, 3, shade(dark, 1.3)))
        beam, pin = atlas.add(_plain(stage, 60, 5, dark, 1)), atlas.add(_disc(stage, 5, INK))
        long, widest = 60.0, pi / 5
        fixed = [Placement(beam, *stage.point(50, 12)), Placement(pin, *stage.point(50, 17))]

        def at(phase: Fraction) -> list[Placement]:
            angle = turn * widest * sin(2 * pi * float(phase))
            across, down = sin(angle), cos(angle)
            links = [
                Placement(link, *stage.point(50 + part * across, 17 + part * down))
                for part in (long * (number + 1) / 10 for number in range(8))
            ]
            return [*fixed, *links, Placement(ball, *stage.point(50 + long * across, 17 + long * down))]

        return at


# ---------------------------------------------------------------------------------------------------- lamp


class Flashes(Loop):
    """A lamp grows bright and dark again."""

    NAME: ClassVar[str] = "flashes"
    THING: ClassVar[str] = "the lamp"
    DOES: ClassVar[str] = "light up"
    WITHOUT: ClassVar[str] = "brown"
    LEVELS: ClassVar[int] = 24

    def shown(self) -> str:
        return (
            f"The video shows a dark lamp on a post. It lights up {self.colour} and goes dark again, several times in "
            "a row, always equally bright."
        )

    def pictures(self, stage: Stage, atlas: AtlasBuilder) -> Callable[[Fraction], list[Placement]]:
        ground, dark = LOOKS[self.look]
        colour = COLOURS[self.colour]
        halo, glass = atlas.add(_halo(stage, 52, colour, ground)), atlas.add(_disc(stage, 26, (70, 68, 70)))
        bulb, post = atlas.add(_disc(stage, 26, shade(colour, 1.4))), atlas.add(_plain(stage, 5, 50, dark))
        cap, foot = atlas.add(_plain(stage, 16, 5, INK, 1)), atlas.add(_plain(stage, 34, 4, dark, 1))
        axis = self.across(42)
        fixed = [
            Placement(post, *stage.point(axis, 72)),
            Placement(foot, *stage.point(axis, 95)),
            Placement(cap, *stage.point(axis, 52)),
        ]

        def at(phase: Fraction) -> list[Placement]:
            # Dark for a quarter of the loop, so that one flash is told from the next; bright for a while at its middle.
            lit = Fraction(10, 3) * (min(phase, 1 - phase) - Fraction(1, 8))
            level = round(self.LEVELS * smooth(max(Fraction(0), min(Fraction(1), lit)), 1))
            unlit = Placement(glass, *stage.point(axis, 38))
            if not level:
                return [*fixed, unlit]
            bright = level / self.LEVELS
            shining = Placement(bulb, *stage.point(axis, 38), opacity=bright)
            return [Placement(halo, *stage.point(axis, 38), opacity=bright), *fixed, unlit, shining]

        return at


def _halo(stage: Stage, width: float, colour: Colour, ground: Colour) -> Sprite:
    """Rings that grow fainter outwards."""
    side = stage.even(width)
    rings: list[Shape] = []
    for step in range(4):
        inset = side * step / 12
        tint = tuple(round(one + (other - one) * (step + 1) / 7) for one, other in zip(ground, colour, strict=True))
        rings.append(Ellipse(inset, inset, side - 2 * inset, side - 2 * inset, (tint[0], tint[1], tint[2])))
    return Sprite(side, side, tuple(rings))


# ---------------------------------------------------------------------------------------------------- clapping hands


class Claps(Loop):
    """Two hands come together and part."""

    NAME: ClassVar[str] = "claps"
    THING: ClassVar[str] = "the hands"
    DOES: ClassVar[str] = "clap"
    AUXILIARY: ClassVar[str] = "do"

    def shown(self) -> str:
        return (
            f"The video shows a pair of hands with {self.colour} sleeves, held apart. They come together and part "
            "again several times in a row: each time that they meet is one clap."
        )

    def pictures(self, stage: Stage, atlas: AtlasBuilder) -> Callable[[Fraction], list[Placement]]:
        left, right = (atlas.add(_hand(stage, COLOURS[self.colour], mirrored)) for mirrored in (False, True))
        table = atlas.add(_plain(stage, 96, 5, LOOKS[self.look][1], 1))
        fixed = [Placement(table, *stage.point(50, 90))]
        half, apart = 9.0, 24.0 if self.side == "left" else 28.0

        def at(phase: Fraction) -> list[Placement]:
            # They come together ever faster, touch for a twelfth of the loop, and part the same way.
            closed = min(Fraction(1), Fraction(24, 11) * min(phase, 1 - phase))
            away = half + apart * float(1 - closed**2)
            return [
                Placement(left, *stage.point(50 - away, 58)),
                Placement(right, *stage.point(50 + away, 58)),
                *fixed,
            ]

        return at


SKIN: Colour = (226, 176, 138)


def _hand(stage: Stage, sleeve: Colour, is_right: bool) -> Sprite:
    """An upright hand, its palm towards the other one, with its fingers behind one another and the thumb in front."""
    u = stage.unit
    w, h = stage.even(18), stage.even(60)
    dark = shade(SKIN, 0.6)

    def box(x: float, y: float, width: float, height: float, colour: Colour, radius: float) -> list[Shape]:
        left = 18 - x - width if is_right else x
        edge, inner = (left * w / 18, width * w / 18), ((left + 0.6) * w / 18, (width - 1.2) * w / 18)
        return [
            Rectangle(edge[0], y * u, edge[1], height * u, shade(colour, 0.6), radius * u),
            Rectangle(inner[0], (y + 0.6) * u, inner[1], (height - 1.2) * u, colour, max(0, radius - 0.6) * u),
        ]

    thumb = tuple(((18 - x if is_right else x) * w / 18, y * u) for x, y in ((7.5, 39), (10.5, 33), (15, 26.5)))
    shapes: list[Shape] = []
    for x, top in ((1.6, 9), (5.4, 3), (9.4, 0), (13.4, 2.5)):
        shapes += box(x, top, 4.6, 34 - top, SKIN, 2.2)
    shapes += box(1.6, 23, 16.4, 22, SKIN, 4)
    # The palm goes on into the fingers: no line between them.
    shapes.append(Rectangle((0.6 if is_right else 2.2) * w / 18, 22 * u, 15.2 * w / 18, 5 * u, SKIN))
    shapes += [Line(thumb, 5.2 * u, dark), Line(thumb, 4 * u, shade(SKIN, 1.2))]
    shapes += box(3, 41, 14, 19, sleeve, 1)
    return Sprite(w, h, tuple(shapes))


FAMILY = pair_family(
    name="repetition",
    version=1,
    summary="Pairs that differ in repetition alone: how often a thing bounces, goes round, swings, lights up or claps.",
    settings=RepetitionSettings,
    scripts=(Bounces, Rounds, Flashes, Swings, Claps),
)

if __name__ == "__main__":
    from generators.command import main

    main(["repetition", *sys.argv[1:]])
