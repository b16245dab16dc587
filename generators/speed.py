"""Speed: which way is faster, does it get faster, which of two is faster. Each pair has the same frames twice.

A one-way trip played backwards would change its direction as well, so the paths here read the same both ways: there
and back, or a loop.
"""

import sys
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import accumulate, pairwise
from math import cos, gcd, pi, sin
from random import Random
from typing import Annotated, Any, ClassVar, Self

from annotated_types import Len
from pydantic import Field, model_validator

from generators.errors import InputError
from generators.pairs import Open, PairSettings, Script, Words, draw_real, pair_family
from generators.questions import example
from generators.randomness import Streams
from generators.rendering.scene import AtlasBuilder, Ellipse, Placement, Rectangle, Scene, Sprite
from generators.settings import RealRange, real_range
from generators.stage import COLOURS, LOOKS, Stage, a, shade, some_colours

# ---------------------------------------------------------------------------------------------------- settings


class SpeedSettings(PairSettings):
    contrast: real_range(1.1, 6.0) = Field(  # type: ignore[valid-type]
        RealRange(1.6, 3.0), description="how many times as fast the faster side is"
    )


REST_SECONDS = 0.5
"""How long things stand still at either end of a clip, so that neither end is cut short."""

# ---------------------------------------------------------------------------------------------------- there and back


def drawn_lengths(ratio: float, room: float, random: Random) -> tuple[int, int]:
    """(short, long) in frames, `ratio` apart, together no longer than `room`.

    Both may be short or both long, so that one of them alone does not tell which of the two it is.
    """
    total = room * LEAST_SHARE ** random.random()
    short = round(total / (1 + ratio))
    return short, max(short + 1, round(short * ratio))


LEAST_SHARE = 0.17
"""The share of its room that motion takes at least."""


def shared_out(frames: int, parts: int, least: int, random: Random) -> list[int]:
    """Frames shared out at random among parts that get `least` at least, where there are so many."""
    spare = max(0, frames - parts * least)
    marks = sorted(random.randint(0, spare) for _ in range(parts - 1))
    shares = [after - before for before, after in pairwise([0, *marks, spare])]
    shares = [least + share for share in shares]
    shares[-1] += frames - sum(shares)
    return shares


def along(done: int, of: int) -> Fraction:
    """How much of a way is covered after `done` of `of` frames: even speed. Exact, so that frames can be equal."""
    return Fraction(done, of)


class ThereAndBack(Script):
    """A ball goes along a rail and back: fast out and slowly home, or the other way round, the same frames."""

    NAME: ClassVar[str] = "there_and_back"

    look: int = Field(ge=0, lt=len(LOOKS))
    colour: str
    starts: str = Field(pattern="^(left|right)$")
    rests: Annotated[list[Annotated[int, Field(ge=1)]], Len(3, 3)]
    """Frames of stillness before the way out, at the far end of the rail, and after the way back."""
    out: int = Field(ge=2)
    back: int = Field(ge=2)

    @model_validator(mode="after")
    def _holds(self) -> Self:
        if self.colour not in COLOURS or self.frames != sum(self.rests) + self.out + self.back or self.out == self.back:
            raise ValueError("the legs differ, and rests and legs make up the clip")
        return self

    @classmethod
    def draw(cls, settings: SpeedSettings, streams: Streams, turn: int) -> tuple[Self, Self]:
        random = streams("plan")
        ratio = draw_real(settings.contrast, random)
        rest = max(1, round(REST_SECONDS * settings.fps))
        frames = round(draw_real(settings.seconds, random) * settings.fps)
        short, long = drawn_lengths(ratio, frames - 3 * rest, random)
        if short < 4:
            raise InputError(f"a leg would take {max(short, 0)} frames: raise --fps or --seconds, or lower --contrast")
        fields: dict[str, Any] = {
            "fps": settings.fps,
            "frames": frames,
            "look": random.randrange(len(LOOKS)),
            "colour": some_colours(random, 1)[0],
            "starts": random.choice(["left", "right"]),
            "rests": shared_out(frames - short - long, 3, rest, random),
        }
        return cls(**fields, out=short, back=long), cls(**fields, out=long, back=short)

    @property
    def far(self) -> str:
        return "right" if self.starts == "left" else "left"

    def words(self) -> Words:
        return Words(
            context=f"The video shows {a(self.colour)} ball that goes along a rail from its {self.starts} end to its "
            f"{self.far} end, rests there, and goes back.",
            stem="On which way is the ball faster?",
            options=(f"on its way to the {self.far} end", f"on its way back to the {self.starts} end"),
            claims=(
                f"Is the ball faster on its way to the {self.far} end than on its way back?",
                f"Is the ball slower on its way to the {self.far} end than on its way back?",
            ),
        )

    def answer(self) -> int:
        return 0 if self.out < self.back else 1

    def open_question(self) -> Open:
        return Open(
            kind="seconds",
            question=f"How many seconds does the ball take for its way to the {self.far} end, from when it begins "
            "to move until it rests? (The answer counts as right within 0.3 seconds.)",
            form=f"{example('3.5')}.",
            key=round(self.out / self.fps, 3),
            tolerance=0.3,
        )

    def contrast(self) -> float:
        return max(self.out, self.back) / min(self.out, self.back)

    def difference(self) -> str:
        return f"legs of {min(self.out, self.back)} and {max(self.out, self.back)} frames change places"

    @property
    def moments(self) -> list[int]:
        """When the way out begins and ends, and the way back."""
        lead, pause, _ = self.rests
        return list(accumulate((self.out, pause, self.back), initial=lead))

    def covered(self, frame: int) -> Fraction:
        """How far from its start the ball is in a frame, from 0 to 1."""
        begin, turn, home = self.moments[:3]
        if frame < turn:
            return along(max(0, frame - begin), self.out)
        return 1 - along(min(self.back, max(0, frame - home)), self.back)

    def scene(self, settings: SpeedSettings) -> Scene:
        stage, (ground, dark) = Stage(settings.resolution), LOOKS[self.look]
        atlas = AtlasBuilder()
        radius = stage.even(6)
        rail = atlas.add(_bar(stage, 92, 3, dark))
        post = atlas.add(_bar(stage, 3, 16, dark))
        ball = atlas.add(_ball(2 * radius, self.colour))
        left, right, level = 12.0, 88.0, 50.0
        x, y = stage.point(50, level)
        fixed = [
            Placement(rail, x, y + radius + stage.length(1.5)),
            *(Placement(post, stage.point(side, level)[0], y + radius - stage.length(5)) for side in (4.5, 95.5)),
        ]
        begin, end = (left, right) if self.starts == "left" else (right, left)

        @cache
        def at(covered: Fraction) -> list[Placement]:
            where, _ = stage.point(float(begin + (end - begin) * covered), level)
            return [*fixed, Placement(ball, where, y)]

        begins, turn, home, arrives = self.moments
        return Scene(
            width=settings.resolution.width,
            height=settings.resolution.height,
            fps=self.fps,
            frames=self.frames,
            background=ground,
            sprites=atlas.sprites,
            placements=lambda frame: at(self.covered(frame)),
            spans=((begins, turn), (home, arrives)),
            # Two frames within the shorter leg tell how far the ball gets between them.
            seen=_halves(begins, turn) + _halves(home, arrives),
        )


def _halves(first: int, end: int) -> tuple[tuple[int, int], ...]:
    middle = (first + end) // 2
    return (first, middle), (middle, end)


def _bar(stage: Stage, width: float, height: float, colour: tuple[int, int, int]) -> Sprite:
    w, h = stage.even(width), stage.even(height)
    return Sprite(w, h, (Rectangle(0, 0, w, h, colour, min(w, h) / 2),))


def _ball(side: int, colour: str) -> Sprite:
    rim = max(1, side // 14)
    return Sprite(
        side,
        side,
        (
            Ellipse(0, 0, side, side, shade(COLOURS[colour], 0.6)),
            Ellipse(rim, rim, side - 2 * rim, side - 2 * rim, COLOURS[colour]),
        ),
    )


# ---------------------------------------------------------------------------------------------------- laps


class Laps(Script):
    """A lift goes up and down several times, each time faster or each time slower, which is the reverse."""

    NAME: ClassVar[str] = "laps"

    look: int = Field(ge=0, lt=len(LOOKS))
    colour: str
    rests: Annotated[list[Annotated[int, Field(ge=1)]], Len(2, 2)]
    """Frames of stillness before and after."""
    laps: Annotated[list[Annotated[int, Field(ge=2)]], Len(3, 8)]
    """Frames of half of each lap: as many up as down."""

    @model_validator(mode="after")
    def _holds(self) -> Self:
        ordered = sorted(self.laps)
        if self.colour not in COLOURS or self.frames != sum(self.rests) + 2 * sum(self.laps):
            raise ValueError("rests and laps make up the clip")
        if self.laps not in (ordered, ordered[::-1]) or len(set(ordered)) < len(ordered):
            raise ValueError("the laps get longer throughout, or shorter throughout")
        return self

    @classmethod
    def draw(cls, settings: SpeedSettings, streams: Streams, turn: int) -> tuple[Self, Self]:
        random = streams("plan")
        ratio = draw_real(settings.contrast, random)
        rest = max(1, round(REST_SECONDS * settings.fps))
        frames = round(draw_real(settings.seconds, random) * settings.fps)
        number = random.randint(3, 4)
        shares = [ratio ** (step / (number - 1)) for step in range(number)]
        room = (frames - 2 * rest) / 2
        shortest = round(room * max(LEAST_SHARE, 3.5 * number / room) ** random.random() / sum(shares))
        laps = [round(shortest * share) for share in shares]
        while sum(laps) > room:
            shortest -= 1
            laps = [round(shortest * share) for share in shares]
        if shortest < 3 or len(set(laps)) < number:
            raise InputError("laps would take too few frames to differ: raise --fps, --seconds or --contrast")
        fields: dict[str, Any] = {
            "fps": settings.fps,
            "frames": frames,
            "look": random.randrange(len(LOOKS)),
            "colour": some_colours(random, 1)[0],
            "rests": shared_out(frames - 2 * sum(laps), 2, rest, random),
        }
        return cls(**fields, laps=laps[::-1]), cls(**fields, laps=laps)

    def words(self) -> Words:
        return Words(
            context=f"The video shows a lift with {a(self.colour)} cabin that goes up and down several times, without "
            "a stop in between.",
            stem="How does the lift's speed change from each trip up and down to the next?",
            options=("it goes faster and faster", "it goes slower and slower"),
            claims=("Does the lift go faster and faster?", "Does the lift go slower and slower?"),
        )

    def answer(self) -> int:
        return 0 if self.laps[0] > self.laps[-1] else 1

    def open_question(self) -> Open:
        return Open(
            kind="seconds",
            question="How many seconds does the lift take to go up for the first time, from the bottom to the top? "
            "(The answer counts as right within 0.2 seconds.)",
            form=f"{example('2.5')}.",
            key=round(self.laps[0] / self.fps, 3),
            tolerance=0.2,
        )

    def contrast(self) -> float:
        return max(self.laps) / min(self.laps)

    def difference(self) -> str:
        return f"half trips of {', '.join(map(str, sorted(self.laps)))} frames come in this order or in the reverse"

    def scene(self, settings: SpeedSettings) -> Scene:
        stage, (ground, dark) = Stage(settings.resolution), LOOKS[self.look]
        atlas = AtlasBuilder()
        shaft = atlas.add(_bar(stage, 30, 92, shade(dark, 1.8)))
        cabin_width, cabin_height = stage.even(22), stage.even(18)
        edge = stage.length(1)
        colour = COLOURS[self.colour]
        cabin = atlas.add(
            Sprite(
                cabin_width,
                cabin_height,
                (
                    Rectangle(0, 0, cabin_width, cabin_height, shade(colour, 0.6), edge * 2),
                    Rectangle(edge, edge, cabin_width - 2 * edge, cabin_height - 2 * edge, colour, edge * 2),
                    Rectangle(cabin_width / 2 - edge / 2, edge, edge, cabin_height - 2 * edge, shade(colour, 0.6)),
                ),
            )
        )
        fixed = [Placement(shaft, *stage.point(50, 50))]
        starts = [self.rests[0] + 2 * begun for begun in accumulate(self.laps, initial=0)]
        bottom, top = 82.0, 18.0

        def height(frame: int) -> Fraction:
            for start, half in zip(starts, self.laps, strict=False):
                if start <= frame < start + 2 * half:
                    return along(half - abs(frame - start - half), half)
            return Fraction(0)

        @cache
        def at(covered: Fraction) -> list[Placement]:
            return [*fixed, Placement(cabin, *stage.point(50, float(bottom + (top - bottom) * covered)))]

        spans = tuple((start, start + 2 * half) for start, half in zip(starts, self.laps, strict=False))
        return Scene(
            width=settings.resolution.width,
            height=settings.resolution.height,
            fps=self.fps,
            frames=self.frames,
            background=ground,
            sprites=atlas.sprites,
            placements=lambda frame: at(height(frame)),
            spans=spans,
            seen=tuple(half for first, end in spans for half in _halves(first, end)),
        )


# ---------------------------------------------------------------------------------------------------- two orbits


class Orbits(Script):
    """Two balls circle, one faster than the other.

    With k and m turns in N frames, both coprime to N and N = m² - k², the pairs of places (ki, mi) modulo N are those
    of (mi, ki) in another order, since (m / k)² is 1 modulo N: the frames do not tell which ball is the faster one.
    """

    NAME: ClassVar[str] = "orbits"

    look: int = Field(ge=0, lt=len(LOOKS))
    colours: Annotated[list[str], Len(2, 2)]
    clockwise: bool
    begins: int = Field(ge=0)
    """Where both balls begin, in steps of which a turn has as many as the clip."""
    hold: int = Field(ge=1, le=12)
    """Frames for which each step is shown."""
    turns: Annotated[list[Annotated[int, Field(ge=1)]], Len(2, 2)]
    """Turns of the left and of the right ball."""

    @model_validator(mode="after")
    def _holds(self) -> Self:
        slow, fast = sorted(self.turns)
        steps = self.steps
        if self.frames != steps * self.hold + 1:
            raise ValueError("each step is held equally long, and one frame closes the turn")
        if len({*self.colours}) != 2 or not {*self.colours} <= {*COLOURS} or self.begins >= steps:
            raise ValueError("two colours, and a place to begin")
        if fast * fast - slow * slow != steps or gcd(slow, steps) != 1 or gcd(fast, steps) != 1:
            raise ValueError("the turns m and k are coprime to the clip's steps, which are m² - k²")
        return self

    @property
    def steps(self) -> int:
        return (self.frames - 1) // self.hold

    @classmethod
    def draw(cls, settings: SpeedSettings, streams: Streams, turn: int) -> tuple[Self, Self]:
        random = streams("plan")
        by_hold = [
            [
                (hold, slow, fast)
                for slow in range(1, 40)
                for fast in range(slow + 1, 60)
                if _is_in(settings.seconds, (hold * (fast * fast - slow * slow) + 1) / settings.fps)
                and _is_in(settings.contrast, round(fast / slow, 3))
                and gcd(slow, fast) == 1
                and (fast - slow) % 2
                # Slow enough to follow.
                and fast * 5 <= fast * fast - slow * slow
                and fast / (hold * (fast * fast - slow * slow)) * settings.fps <= FASTEST
            ]
            for hold in range(1, 1 + max(1, settings.fps // SLOWEST_STEPS))
        ]
        possible = random.choice([chosen for chosen in by_hold if chosen] or [[]])
        if not possible:
            raise InputError(
                f"no two orbits have a contrast of {settings.contrast} in {settings.seconds} seconds: allow more of "
                "either, or leave the script orbits out with --scripts"
            )
        hold, slow, fast = random.choice(possible)
        steps = fast * fast - slow * slow
        fields: dict[str, Any] = {
            "fps": settings.fps,
            "frames": hold * steps + 1,
            "hold": hold,
            "look": random.randrange(len(LOOKS)),
            "colours": some_colours(random, 2),
            "clockwise": random.random() < 0.5,
            "begins": random.randrange(steps),
        }
        return cls(**fields, turns=[slow, fast]), cls(**fields, turns=[fast, slow])

    def words(self) -> Words:
        left, right = self.colours
        return Words(
            context=f"The video shows {a(left)} ball on the left and {a(right)} ball on the right. Each goes round and "
            "round on a ring of its own, at a speed that does not change.",
            stem="Which ball goes round faster?",
            options=(f"the {left} ball", f"the {right} ball"),
            claims=(
                f"Does the {left} ball go round faster than the {right} ball?",
                f"Does the {right} ball go round faster than the {left} ball?",
            ),
        )

    def answer(self) -> int:
        return 0 if self.turns[0] > self.turns[1] else 1

    def open_question(self) -> Open:
        return Open(
            kind="integer",
            question=f"How many full turns does the {self.colours[0]} ball make in the whole video?",
            form=f"{example('6')}.",
            key=self.turns[0],
        )

    def contrast(self) -> float:
        return max(self.turns) / min(self.turns)

    def difference(self) -> str:
        return f"{min(self.turns)} and {max(self.turns)} turns change sides"

    def scene(self, settings: SpeedSettings) -> Scene:
        stage, (ground, dark) = Stage(settings.resolution), LOOKS[self.look]
        atlas = AtlasBuilder()
        outer, line, side = stage.even(36), stage.length(1.2), stage.even(8)
        ring = atlas.add(
            Sprite(
                outer,
                outer,
                (
                    Ellipse(0, 0, outer, outer, shade(dark, 1.8)),
                    Ellipse(line, line, outer - 2 * line, outer - 2 * line, ground),
                ),
            )
        )
        balls = [atlas.add(_ball(side, colour)) for colour in self.colours]
        centres = ((27.0, 50.0), (73.0, 50.0))
        fixed = [Placement(ring, *stage.point(*centre)) for centre in centres]
        steps, radius = self.steps, 17.4

        @cache
        def at(places: tuple[int, int]) -> list[Placement]:
            placed = []
            for ball, (x, y), place in zip(balls, centres, places, strict=True):
                angle = 2 * pi * place / steps * (1 if self.clockwise else -1)
                placed.append(Placement(ball, *stage.point(x + radius * sin(angle), y - radius * cos(angle))))
            return [*fixed, *placed]

        def placements(frame: int) -> Sequence[Placement]:
            left, right = ((self.begins + turns * (frame // self.hold)) % steps for turns in self.turns)
            return at((left, right))

        third = max(1, steps * self.hold // (3 * max(self.turns)))
        return Scene(
            width=settings.resolution.width,
            height=settings.resolution.height,
            fps=self.fps,
            frames=self.frames,
            background=ground,
            sprites=atlas.sprites,
            placements=placements,
            spans=((0, self.frames),),
            # Three frames a turn tell which way and how fast the faster ball goes.
            seen=((0, third),),
        )


FASTEST = 2.2
"""Turns a second that a person can still follow."""

SLOWEST_STEPS = 8
"""Steps a second that still look like motion. With steps that are held, fewer turns make the frames equal."""


def _is_in(allowed: RealRange, value: float) -> bool:
    return allowed.low <= value <= allowed.high


FAMILY = pair_family(
    name="speed",
    version=1,
    summary="Pairs that differ in speed alone: which way is faster, does it get faster, which of two is faster.",
    settings=SpeedSettings,
    scripts=(ThereAndBack, Laps, Orbits),
)

if __name__ == "__main__":
    from generators.command import main

    main(["speed", *sys.argv[1:]])
