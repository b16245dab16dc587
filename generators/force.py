"""Force: which of two pushes, presses, blows, pulls or gusts is the harder one, told from what it does.

Each goes out from rest and ends at rest, so the two may change places: both clips have the same frames. How far things
go follows from stated physics: a slide and a flight grow with the square of an impulse, a spring yields with the force.
"""

import sys
from collections.abc import Callable
from fractions import Fraction
from functools import cache, lru_cache
from math import cos, log, pi, radians, sin, sqrt
from random import Random
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
    Text,
)
from generators.settings import RealRange, real_range
from generators.stage import COLOURS, INK, LOOKS, PAPER, Stage, shade, some_colours
from simulators.motion import ConstantSpeed, FrictionSlide, Path, Piece, Rest, SpringPress, Throw

# ---------------------------------------------------------------------------------------------------- settings


class ForceSettings(PairSettings):
    contrast: real_range(1.1, 5.0) = Field(  # type: ignore[valid-type]
        RealRange(1.3, 1.8), description="how many times as hard the harder one is, as a ratio of forces or impulses"
    )


REST_SECONDS = 0.5
"""How long all is still at least before, between and after the two."""

# ---------------------------------------------------------------------------------------------------- any two forces

SCALE = 20
"""The highest mark of every scale; 0 is where things rest."""
LEAST = {1: 2, 2: 1}
"""The lowest mark that a force leads to, by the power with which marks grow: squares need all the room there is."""
LONGEST = 20_000
LEAST_SHARE = 0.4
"""The share of its room that motion takes at least: how long the first takes must not tell how hard it is."""

Pose: TypeAlias = tuple[Fraction, int]
"""The mark that is shown, and in what stage of its own motion the thing is that pushes, hits or blows."""


class TwoForces(Script):
    """Two forces, one after the other, and a scale that shows what each does."""

    POWER: ClassVar[int]
    """What is shown grows with this power of the force."""
    ACT: ClassVar[str]
    """What the force is called: push, press …"""
    LAW: ClassVar[str]
    """How the mark follows from the force."""
    ASKED: ClassVar[str]
    """Whose highest mark the open question asks for."""
    SIDES: ClassVar[tuple[str, ...]] = ("left", "right")

    look: int = Field(ge=0, lt=len(LOOKS))
    colour: str
    side: str = Field(pattern="^(left|right)$")
    """From where it comes, or where the scale is."""
    rests: Annotated[list[Annotated[int, Field(ge=1, le=LONGEST)]], Len(3, 3)]
    """Frames of stillness before, between and after the two."""
    marks: Annotated[list[Annotated[int, Field(ge=1, le=SCALE)]], Len(2, 2)]
    """The mark that the first force leads to, and that of the second."""

    @model_validator(mode="after")
    def _holds(self) -> Self:
        if self.colour not in COLOURS or self.marks[0] == self.marks[1]:
            raise ValueError("a colour that has a name, and two marks that differ")
        if self.frames != sum(self.rests) + sum(map(self.length, self.marks)):
            raise ValueError("three rests and what the two forces do make up the clip")
        return self

    @classmethod
    def draw(cls, settings: ForceSettings, streams: Streams, turn: int) -> tuple[Self, Self]:
        random = streams("plan")
        gentle, hard = two_marks(settings.contrast, cls.POWER, random)
        rest = max(1, round(REST_SECONDS * settings.fps))
        frames = round(draw_real(settings.seconds, random) * settings.fps)
        room = max(0, frames - 3 * rest)
        statics: dict[str, Any] = {
            "fps": settings.fps,
            "look": random.randrange(len(LOOKS)),
            "colour": some_colours(random, 1)[0],
            "side": random.choice(cls.SIDES),
        }
        # All of the room where a share of it is too short to be followed with ease.
        for share, enough in ((LEAST_SHARE ** random.random(), max(3, settings.fps // 5)), (1.0, 3)):
            fields = statics | cls.timing(gentle, hard, share * room, random)
            sketch = cls.model_construct(**fields)
            if sketch.shortest(gentle, hard) >= enough:
                break
        else:
            raise InputError(f"a {cls.ACT} would take too few frames to be seen: raise --fps or --seconds")
        moving = sketch.length(gentle) + sketch.length(hard)
        cuts = sorted(random.randint(0, max(0, frames - moving - 3 * rest)) for _ in range(2))
        fields["rests"] = [rest + cuts[0], rest + cuts[1] - cuts[0], max(rest, frames - moving - 2 * rest - cuts[1])]
        fields["frames"] = moving + sum(fields["rests"])
        return cls(**fields, marks=[gentle, hard]), cls(**fields, marks=[hard, gentle])

    # What a script of this kind says: its timing, how it moves, its words and its pictures.

    @classmethod
    def timing(cls, gentle: int, hard: int, moving: float, random: Random) -> dict[str, int]:
        """The fields that give both forces `moving` frames together."""
        raise NotImplementedError(cls)

    def length(self, mark: int) -> int:
        """Frames from when the force begins to act until all is at rest again."""
        raise NotImplementedError(self)

    def shortest(self, gentle: int, hard: int) -> int:
        """Frames of the quickest motion that must be followed."""
        raise NotImplementedError(self)

    def event(self, mark: int) -> list[Pose]:
        """What is to be seen in each of these frames."""
        raise NotImplementedError(self)

    def shown(self) -> str:
        """What the video shows."""
        raise NotImplementedError(self)

    def pictures(self, stage: Stage, atlas: AtlasBuilder) -> Callable[[Pose], list[Placement]]:
        """What is placed where in a pose."""
        raise NotImplementedError(self)

    # What all share.

    def words(self) -> Words:
        act = self.ACT
        return Words(
            context=f"{self.shown()} {self.LAW}",
            stem=f"Which of the two {act}{'es' if act.endswith(('s', 'sh')) else 's'} is harder?",
            options=(f"the first {act}", f"the second {act}"),
            claims=(
                f"Is the first {act} harder than the second one?",
                f"Is the first {act} softer than the second one?",
            ),
        )

    def answer(self) -> int:
        return 0 if self.marks[0] > self.marks[1] else 1

    def open_question(self) -> Open:
        return Open(
            kind="integer",
            question=f"Up to which mark does {self.ASKED} get by the first {self.ACT}? The scale runs from 0, where it "
            f"rests, to {SCALE}, and each line is a mark.",
            # The mark of rest, so that the example tells nothing of where either gets.
            form=f"{example('0')}.",
            key=self.marks[0],
        )

    def contrast(self) -> float:
        return force_ratio(min(self.marks), max(self.marks), self.POWER)

    def difference(self) -> str:
        return f"{self.ACT} to mark {min(self.marks)} and {self.ACT} to mark {max(self.marks)} change places"

    def spans(self) -> tuple[tuple[int, int], tuple[int, int]]:
        first, second = map(self.length, self.marks)
        start, between, _ = self.rests
        again = start + first + between
        return (start, start + first), (again, again + second)

    def scene(self, settings: ForceSettings) -> Scene:
        stage = Stage(settings.resolution)
        atlas = AtlasBuilder()
        at = cache(self.pictures(stage, atlas))
        names = ("fps", *(name for name in type(self).model_fields if name not in TwoForces.model_fields))
        timing = tuple((name, getattr(self, name)) for name in names)
        events = [_event(type(self), timing, mark) for mark in self.marks]
        before, between, after = ([(Fraction(0), 0)] * frames for frames in self.rests)
        poses = [*before, *events[0], *between, *events[1], *after]
        spans, gentle = self.spans(), min(self.marks)
        seen = []
        for (start, _), event, mark in zip(spans, events, self.marks, strict=True):
            # The harder one has been seen where it is beyond what the gentle one does, that one at half its height.
            there = [
                number
                for number, (value, _) in enumerate(event)
                if (value > gentle if mark > gentle else 2 * value > gentle)
            ]
            seen.append((start + there[0], start + there[-1] + 1))
        return Scene(
            width=settings.resolution.width,
            height=settings.resolution.height,
            fps=self.fps,
            frames=self.frames,
            background=LOOKS[self.look][0],
            sprites=atlas.sprites,
            # By its number, since a Fraction is slow to look up.
            placements=cache(lambda frame: at(poses[frame])),
            spans=spans,
            seen=tuple(seen),
        )

    @property
    def named(self) -> str:
        """The colour's name behind its article."""
        return f"an {self.colour}" if self.colour == "orange" else f"a {self.colour}"

    def across(self, x: float) -> float:
        """A place across the stage, as it is where things come from the left or, mirrored, from the right."""
        return x if self.side == "left" else 100 - x


@lru_cache(maxsize=8)
def _event(script: type[TwoForces], timing: tuple[tuple[str, Any], ...], mark: int) -> list[Pose]:
    """What is to be seen of a script with this timing: the same in both clips, and at any size."""
    return script.model_construct(**dict(timing)).event(mark)


def force_ratio(gentle: int, hard: int, power: int) -> float:
    """The ratio of two forces whose marks go with this power of them."""
    return sqrt(hard / gentle) if power == 2 else hard / gentle


def two_marks(asked: RealRange, power: int, random: Random) -> tuple[int, int]:
    """Two marks that forces of a ratio in this range lead to. Raises InputError where the scale has none."""
    ratio = draw_real(asked, random)
    marks = range(LEAST[power], SCALE + 1)
    pairs = [(gentle, hard) for hard in marks for gentle in marks if gentle < hard]
    off = {pair: abs(force_ratio(*pair, power) / ratio - 1) for pair in pairs}
    if asked.low == asked.high:
        near = [pair for pair in pairs if off[pair] < 1e-6] or [pair for pair in pairs if off[pair] < 0.02]
    else:
        near = [pair for pair in pairs if asked.low <= force_ratio(*pair, power) <= asked.high]
    if not near:
        near = [min(pairs, key=lambda pair: off[pair])]
        if off[near[0]] > 0.03:
            raise InputError(
                f"a scale of {SCALE} marks shows no two forces with a ratio of {ratio:.2f}: change --contrast, or "
                "choose other --scripts"
            )
    # In steps of the ratio from the lowest mark up, so that what is hard in one pair is gentle in the next one.
    step = power * log(ratio)
    room = max(0.0, log(SCALE / LEAST[power]) - step)
    steps = int(room / step)
    aim = log(LEAST[power]) + random.randint(0, steps) * step + random.uniform(0, room - steps * step)
    return min(near, key=lambda pair: (log(pair[0]) - aim) ** 2 + (log(pair[1]) - aim - step) ** 2)


def along(piece: Piece, frames: int) -> list[Fraction]:
    return [piece.position(frame) for frame in range(frames)]


def _root(longest: int, mark: int) -> int:
    """Frames of a motion that takes `longest` to the highest mark: as the impulse, they go with the mark's root."""
    return max(1, round(longest * sqrt(Fraction(mark, SCALE))))


# ---------------------------------------------------------------------------------------------------- what they share


def _box(stage: Stage, width: float, height: float, colour: Colour, radius: float = 0.0) -> Sprite:
    w, h = stage.even(width), stage.even(height)
    rim = max(1, round(0.5 * stage.unit))
    round_by = radius * stage.unit
    return Sprite(
        w,
        h,
        (
            Rectangle(0, 0, w, h, shade(colour, 0.65), round_by),
            Rectangle(rim, rim, w - 2 * rim, h - 2 * rim, colour, max(0.0, round_by - rim)),
        ),
    )


def _plain(stage: Stage, width: float, height: float, colour: Colour, radius: float = 0.0) -> Sprite:
    w, h = stage.even(width), stage.even(height)
    return Sprite(w, h, (Rectangle(0, 0, w, h, colour, radius * stage.unit),))


def _number(stage: Stage, mark: int) -> Sprite:
    w, h = stage.even(7), stage.even(6)
    return Sprite(w, h, (Text(w / 2, h / 2, str(mark), max(7.0, 5 * stage.unit), INK),))


def _ruler(
    stage: Stage, atlas: AtlasBuilder, place: Callable[[int], tuple[float, float]], towards: tuple[int, int]
) -> list[Placement]:
    """A straight scale: the lines of its marks begin at `place` and point one way; every fifth has a number."""
    placed = []
    for mark in range(SCALE + 1):
        x, y = place(mark)
        long = 4.5 if mark % 5 == 0 else 2.5
        thick = 0.9 if mark % 5 == 0 else 0.5
        across = towards[0] != 0
        line = atlas.add(_plain(stage, long if across else thick, thick if across else long, INK))
        placed.append(Placement(line, *stage.point(x + towards[0] * long / 2, y + towards[1] * long / 2)))
        if mark % 5 == 0:
            number = atlas.add(_number(stage, mark))
            placed.append(Placement(number, *stage.point(x + towards[0] * 9, y + towards[1] * 8.5)))
    return placed


SKIN: Colour = (226, 176, 138)


def _hand(stage: Stage, sleeve: Colour, long: float) -> Sprite:
    """A hand at a long arm that reaches down: sleeve, palm, four fingers and a thumb."""
    u = stage.unit
    w, h = stage.even(18), stage.even(long)
    top = h - 34 * u
    dark = shade(SKIN, 0.7)
    shapes: list[Shape] = [
        Rectangle(4 * u, 0, 10 * u, top + 19 * u, shade(sleeve, 0.65), u),
        Rectangle(4.6 * u, 0, 8.8 * u, top + 18.4 * u, sleeve, u),
        Rectangle(13 * u, top + 21 * u, 4.6 * u, 9 * u, dark, 2.2 * u),
        Rectangle(13.4 * u, top + 21.4 * u, 3.8 * u, 8.2 * u, SKIN, 1.9 * u),
        Rectangle(1.6 * u, top + 18 * u, 13 * u, 12 * u, dark, 3 * u),
        Rectangle(2.1 * u, top + 18.5 * u, 12 * u, 11 * u, SKIN, 3 * u),
    ]
    for finger in range(4):
        left = 1.6 + 3.25 * finger
        shapes += [
            Rectangle(left * u, top + 25 * u, 3.25 * u, 9 * u, dark, 1.5 * u),
            Rectangle((left + 0.4) * u, top + 24 * u, 2.45 * u, 9.6 * u, SKIN, 1.2 * u),
        ]
    return Sprite(w, h, tuple(shapes))


# ---------------------------------------------------------------------------------------------------- pushed puck


class PushedPuck(TwoForces):
    """A launcher pushes a puck off, which slides until friction stops it; then a string draws it back."""

    NAME: ClassVar[str] = "pushed_puck"
    POWER: ClassVar[int] = 2
    ACT: ClassVar[str] = "push"
    ASKED: ClassVar[str] = "the white line on the puck"
    LAW: ClassVar[str] = (
        "The harder the push, the farther the puck slides: a push that is twice as hard makes it slide four times as "
        "far."
    )
    REACH: ClassVar[Fraction] = Fraction(3, 5)
    """How far, in marks, the plunger stays at the puck."""

    slide: int = Field(ge=2, le=LONGEST)
    """Frames of a slide to the highest mark; with the same friction a slide takes as long as its push is hard."""
    back: int = Field(ge=2, le=LONGEST)
    """Frames in which the string draws the puck home, from wherever it is."""

    @classmethod
    def timing(cls, gentle: int, hard: int, moving: float, random: Random) -> dict[str, int]:
        share = random.uniform(0.42, 0.55)
        roots = sqrt(gentle / SCALE) + sqrt(hard / SCALE)
        return {"slide": max(2, round(share * moving / roots)), "back": max(2, round((1 - share) * moving / 2))}

    def length(self, mark: int) -> int:
        return _root(self.slide, mark) + self.back

    def shortest(self, gentle: int, hard: int) -> int:
        return min(_root(self.slide, gentle), self.back)

    def event(self, mark: int) -> list[Pose]:
        slide, home = _root(self.slide, mark), self.back
        path = Path((FrictionSlide.from_distance(mark, slide), ConstantSpeed(home, Fraction(-mark, home), mark)))
        return [(value, frame if frame < slide else 0) for frame, value in enumerate(along(path, slide + home))]

    def _plunger(self, value: Fraction, frame: int) -> Fraction:
        """How far the plunger is out: with the puck as far as it reaches, then back in while the puck slides on."""
        if frame == 0 or value <= self.REACH:
            return min(value, self.REACH) if frame else Fraction(0)
        return max(Fraction(0), self.REACH * (1 - Fraction(frame, max(1, self.fps // 2))))

    def shown(self) -> str:
        other = "right" if self.side == "left" else "left"
        return (
            f"The video shows {self.named} puck on a level floor with a scale. Twice a launcher on the {self.side} "
            f"pushes it off to the {other}: the puck slides until friction stops it, and a string draws it back."
        )

    def pictures(self, stage: Stage, atlas: AtlasBuilder) -> Callable[[Pose], list[Placement]]:
        _, dark = LOOKS[self.look]
        colour = COLOURS[self.colour]
        home, pitch, floor = 16.0, 4.0, 60.0
        w, h, stripe = stage.even(8), stage.even(8), stage.length(1)
        puck = atlas.add(
            Sprite(
                w,
                h,
                (
                    Rectangle(0, 0, w, h, shade(colour, 0.6), 2 * stage.unit),
                    Rectangle(stripe, stripe, w - 2 * stripe, h - 2 * stripe, colour, 1.5 * stage.unit),
                    Rectangle(w / 2 - stripe / 2, 0, stripe, h, PAPER),
                ),
            )
        )
        step, house = 7.0, atlas.add(_box(stage, 9, 20, dark, 1.5))
        strings = [atlas.add(_plain(stage, step * number, 0.7, INK)) for number in range(1, 14)]
        rod, head = atlas.add(_plain(stage, 5, 2, shade(dark, 1.5))), atlas.add(_plain(stage, 1.6, 6, INK, 0.5))
        ground = atlas.add(_plain(stage, 98, 2, dark))
        fixed = [
            Placement(ground, *stage.point(50, floor + 1)),
            *_ruler(stage, atlas, lambda mark: (self.across(home + pitch * mark), floor + 3), (0, 1)),
        ]
        level = floor - h / 2 / stage.unit
        launcher = Placement(house, *stage.point(self.across(5), floor - 10))

        def at(pose: Pose) -> list[Placement]:
            value, frame = pose
            where = home + pitch * float(value)
            # The string ends somewhere inside the launcher, so a few lengths are enough.
            number = next(number for number in range(1, 14) if where - step * number <= 9)
            out = pitch * float(self._plunger(value, frame))
            return [
                *fixed,
                Placement(strings[number - 1], *stage.point(self.across(where - step * number / 2), level + 2)),
                Placement(rod, *stage.point(self.across(8 + out), level)),
                Placement(head, *stage.point(self.across(11.2 + out), level)),
                launcher,
                Placement(puck, *stage.point(self.across(where), level)),
            ]

        return at


# ---------------------------------------------------------------------------------------------------- press and hold


class Held(TwoForces):
    """A force that grows, is held for a while, and goes; what yields to it is a spring."""

    POWER: ClassVar[int] = 1

    press: int = Field(ge=2, le=LONGEST)
    """Frames in which the force grows, and in which it goes."""
    hold: int = Field(ge=1, le=LONGEST)

    @classmethod
    def timing(cls, gentle: int, hard: int, moving: float, random: Random) -> dict[str, int]:
        hold = max(1, round(moving / 2 * random.uniform(0.2, 0.4)))
        return {"press": max(2, round((moving / 2 - hold) / 2)), "hold": hold}

    def length(self, mark: int) -> int:
        return 2 * self.press + self.hold

    def shortest(self, gentle: int, hard: int) -> int:
        return min(self.press, self.hold + 1)

    def event(self, mark: int) -> list[Pose]:
        # The stiffness is one mark for each unit of force.
        down = SpringPress(self.press, mark, 1)
        path = Path((down, Rest(self.hold, mark), Path((down,), backwards=True)))
        return [(value, 0) for value in along(path, self.length(mark))]


class PressedSpring(Held):
    """A hand presses a plate down on a spring."""

    NAME: ClassVar[str] = "pressed_spring"
    ACT: ClassVar[str] = "press"
    ASKED: ClassVar[str] = "the plate's pointer"
    LAW: ClassVar[str] = (
        "The harder the press, the farther the spring gives way: a press that is twice as hard pushes the plate down "
        "twice as far."
    )

    def shown(self) -> str:
        return (
            f"The video shows a hand on {self.named} plate that stands on a spring, beside a scale. Twice the hand "
            "presses the plate down, holds it there for a moment, and lets it come up again."
        )

    def pictures(self, stage: Stage, atlas: AtlasBuilder) -> Callable[[Pose], list[Placement]]:
        _, dark = LOOKS[self.look]
        colour = COLOURS[self.colour]
        # The spring stands where the scale is not; the scale is on the side that the plan names.
        axis, scale = 100 - self.across(40), 100 - self.across(70)
        outward = 1 if self.side == "right" else -1
        rest, pitch, floor, rings = 24.0, 2.7, 91.0, 8
        plate = atlas.add(_box(stage, 34, 4, colour, 1))
        pointer_width, pointer_height = stage.even(12), stage.even(3)
        tip, tail = (pointer_width, 0) if outward > 0 else (0, pointer_width)
        pointer = atlas.add(
            Sprite(
                pointer_width,
                pointer_height,
                (Polygon(((tail, 0), (tip, pointer_height / 2), (tail, pointer_height)), INK),),
            )
        )
        width, height, line = stage.even(20), stage.even(6), max(1.0, 1.1 * stage.unit)
        oval = tuple(
            (
                width / 2 + (width / 2 - line) * cos(pi * step / 12),
                height / 2 + (height / 2 - line) * sin(pi * step / 12),
            )
            for step in range(25)
        )
        ring = atlas.add(Sprite(width, height, (Line(oval, line, shade(dark, 0.8)),)))
        hand = atlas.add(_hand(stage, shade(dark, 1.6), 80))
        base = atlas.add(_box(stage, 40, 5, dark, 1))
        fixed = [
            Placement(base, *stage.point(axis, floor + 2.5)),
            *_ruler(stage, atlas, lambda mark: (scale, rest + pitch * mark), (outward, 0)),
        ]

        def at(pose: Pose) -> list[Placement]:
            top = rest + pitch * float(pose[0])
            room = floor - 2 - (top + 4)
            coils = [
                Placement(ring, *stage.point(axis, top + 4 + room * number / (rings - 1))) for number in range(rings)
            ]
            return [
                *fixed,
                *coils,
                Placement(pointer, *stage.point(scale - 6.5 * outward, top)),
                Placement(plate, *stage.point(axis, top)),
                Placement(hand, *stage.point(axis, top - 41.5)),
            ]

        return at


class SpringScale(Held):
    """A hand pulls at the hook of a spring scale, whose needle turns on a dial."""

    NAME: ClassVar[str] = "spring_scale"
    ACT: ClassVar[str] = "pull"
    ASKED: ClassVar[str] = "the needle"
    LAW: ClassVar[str] = (
        "The harder the pull, the farther the needle turns: a pull that is twice as hard turns it twice as far."
    )
    STEP: ClassVar[int] = 12
    """Degrees from one mark to the next."""

    def shown(self) -> str:
        return (
            f"The video shows {self.named} spring scale with a dial and a bar that hangs from it. Twice the bar is "
            "pulled down by a hand, held there for a moment, and let go up again."
        )

    def pictures(self, stage: Stage, atlas: AtlasBuilder) -> Callable[[Pose], list[Placement]]:
        _, dark = LOOKS[self.look]
        u, side = stage.unit, stage.even(62)
        middle, rim = side / 2, 2.5 * u
        colour = COLOURS[self.colour]
        turn = 1 if self.side == "left" else -1
        shapes: list[Shape] = [
            Ellipse(0, 0, side, side, shade(colour, 0.65)),
            Ellipse(0.5 * u, 0.5 * u, side - u, side - u, colour),
            Ellipse(rim, rim, side - 2 * rim, side - 2 * rim, PAPER),
        ]
        for mark in range(SCALE + 1):
            angle = radians(turn * (mark - SCALE / 2) * self.STEP)
            outer, thick = (21.5, 1.1) if mark % 5 == 0 else (20.5, 0.6)
            ends = [(middle + sin(angle) * reach * u, middle - cos(angle) * reach * u) for reach in (17.5, outer)]
            shapes.append(Line(tuple(ends), max(1.0, thick * u), INK))
            if mark % 5 == 0:
                # Outside the lines, where the needle never covers it.
                x, y = middle + sin(angle) * 25 * u, middle - cos(angle) * 25 * u
                shapes.append(Text(x, y, str(mark), max(7.0, 4.6 * u), INK))
        dial = atlas.add(Sprite(side, side, tuple(shapes)))
        thick, long = stage.even(3), stage.even(19)
        needle = atlas.add(Sprite(thick, long, (Polygon(((thick / 2, 0), (thick, long), (0, long)), (196, 40, 40)),)))
        hub = atlas.add(Sprite(2 * thick, 2 * thick, (Ellipse(0, 0, 2 * thick, 2 * thick, INK),)))
        beam, strap = atlas.add(_box(stage, 60, 5, dark, 1)), atlas.add(_plain(stage, 3, 10, shade(dark, 1.4)))
        rod, bar = atlas.add(_plain(stage, 2, 22, shade(dark, 0.8))), atlas.add(_box(stage, 26, 4, dark, 2))
        w, h = stage.even(16), stage.even(40)
        # The arm comes from below the picture: a wrist, and then a sleeve.
        knuckles: list[Shape] = [
            Rectangle(4.5 * u, 6 * u, 7 * u, 8 * u, shade(SKIN, 0.85)),
            Rectangle(2.8 * u, 11 * u, 10.4 * u, h - 11 * u, shade(dark, 1.1), u),
            Rectangle(3.4 * u, 11.6 * u, 9.2 * u, h - 11.6 * u, shade(dark, 1.6), u),
            Rectangle(0.5 * u, 0, 15 * u, 8.5 * u, shade(SKIN, 0.7), 2 * u),
        ]
        for finger in range(4):
            knuckles.append(Rectangle((0.9 + 3.6 * finger) * u, 0.4 * u, 3.3 * u, 7.6 * u, SKIN, 1.5 * u))
        fist = atlas.add(Sprite(w, h, tuple(knuckles)))
        back = [Placement(beam, *stage.point(50, 3.5)), Placement(strap, *stage.point(50, 9))]
        front, hub_there = Placement(dial, *stage.point(50, 40)), Placement(hub, *stage.point(50, 40))

        def at(pose: Pose) -> list[Placement]:
            # In halves of a mark, which are six degrees.
            mark = Fraction(round(pose[0] * 2), 2)
            low = 0.45 * float(pose[0])
            angle = turn * (mark - SCALE // 2) * self.STEP
            lean = radians(angle)
            tip = stage.point(50 + 9.5 * sin(lean), 40 - 9.5 * cos(lean))
            return [
                *back,
                Placement(rod, *stage.point(50, 68 + low)),
                front,
                Placement(needle, *tip, angle=float(angle)),
                hub_there,
                Placement(bar, *stage.point(50, 80 + low)),
                Placement(fist, *stage.point(50, 97.5 + low)),
            ]

        return at


# ---------------------------------------------------------------------------------------------------- wind


def _blowing_cloud(stage: Stage, colour: Colour, turn: int) -> Sprite:
    """A cloud with a face that blows: eyes shut tight, puffed cheeks, and a round mouth."""
    u = stage.unit
    w, h = stage.even(28), stage.even(25)

    def oval(x: float, y: float, wide: float, high: float, fill: Colour) -> Ellipse:
        return Ellipse((x if turn > 0 else 28 - x - wide) * u, y * u, wide * u, high * u, fill)

    def line(points: tuple[tuple[float, float], ...]) -> Line:
        return Line(tuple(((x if turn > 0 else 28 - x) * u, y * u) for x, y in points), max(1.0, 0.8 * u), INK)

    puffs = ((0.5, 9, 11, 11), (4.5, 1, 12, 12), (12, 2, 10, 10), (3, 12.7, 11, 11), (10, 13.2, 11, 10), (7, 7, 15, 13))
    rim = shade(colour, 0.8)
    return Sprite(
        w,
        h,
        (
            *(oval(x - 0.5, y - 0.5, wide + 1, high + 1, rim) for x, y, wide, high in puffs),
            *(oval(x, y, wide, high, colour) for x, y, wide, high in puffs),
            # Two eyes, shut, and between puffed cheeks a round mouth, all turned to where it blows.
            line(((11.2, 8.6), (12.4, 9.6), (13.8, 9.6), (14.8, 8.6))),
            line(((17.6, 8.6), (18.6, 9.6), (19.8, 9.6), (20.8, 8.6))),
            oval(9, 11.4, 5.4, 5.4, (238, 150, 150)),
            oval(18.2, 11.6, 3.8, 5, (238, 150, 150)),
            oval(14, 12.4, 4.6, 5.4, (196, 84, 84)),
            oval(14.9, 13.4, 2.8, 3.4, INK),
        ),
    )


class Wind(Held):
    """A cloud blows at a flower, which bends."""

    NAME: ClassVar[str] = "wind"
    ACT: ClassVar[str] = "gust"
    ASKED: ClassVar[str] = "the spike on top of the flower"
    LAW: ClassVar[str] = (
        "The harder the gust, the farther the flower bends: a gust that is twice as hard bends it twice as many marks."
    )
    BEND: ClassVar[float] = 4.5
    """Degrees that the tip of the stalk turns for each mark."""
    PARTS: ClassVar[int] = 14
    """The stalk is made of so many short parts, so that it bends without kinks."""
    PART: ClassVar[float] = 3.0

    def event(self, mark: int) -> list[Pose]:
        blowing = self.press + self.hold
        return [
            (Fraction(round(2 * value), 2) if 2 * value != 2 * mark else value, 1 + frame if frame < blowing else 0)
            for frame, (value, _) in enumerate(super().event(mark))
        ]

    def shown(self) -> str:
        return (
            f"The video shows {self.named} flower in a pot, beneath a scale. Twice a cloud on the {self.side} blows "
            "at it: the flower bends, stays bent for a moment, and comes up again."
        )

    def stalk(self, value: Fraction) -> list[tuple[float, float, float]]:
        """Where the stalk's parts begin, and the flower, each with its tilt in degrees; to the right of the pot."""
        x, y, placed = 40.0, 78.0, []
        whole = self.BEND * float(value)
        for part in range(self.PARTS):
            tilt = whole * (part + 0.5) / self.PARTS
            placed.append((x, y, tilt))
            x, y = x + self.PART * sin(radians(tilt)), y - self.PART * cos(radians(tilt))
        return [*placed, (x, y, whole)]

    def pictures(self, stage: Stage, atlas: AtlasBuilder) -> Callable[[Pose], list[Placement]]:
        _, dark = LOOKS[self.look]
        u, turn = stage.unit, 1 if self.side == "left" else -1
        part = atlas.add(_plain(stage, 2, self.PART + 2, (58, 128, 62), 1))
        spike = atlas.add(_plain(stage, 1.2, 8, INK))
        side, petal = stage.even(14), 5.2 * u
        colour = COLOURS[self.colour]
        petals: list[Shape] = []
        for number in range(6):
            angle = pi * number / 3
            x, y = side / 2 + 4.2 * u * cos(angle), side / 2 + 4.2 * u * sin(angle)
            petals.append(Ellipse(x - petal / 2, y - petal / 2, petal, petal, shade(colour, 0.85)))
            petals.append(Ellipse(x - petal * 0.4, y - petal * 0.4, petal * 0.8, petal * 0.8, colour))
        heart = (250, 236, 170) if self.colour == "yellow" else (244, 200, 60)
        petals.append(Ellipse(side / 2 - 2.4 * u, side / 2 - 2.4 * u, 4.8 * u, 4.8 * u, shade(heart, 0.7)))
        petals.append(Ellipse(side / 2 - 2 * u, side / 2 - 2 * u, 4 * u, 4 * u, heart))
        flower = atlas.add(Sprite(side, side, tuple(petals)))
        pot_width, pot_height = stage.even(20), stage.even(16)
        clay = (176, 98, 62)
        pot = atlas.add(
            Sprite(
                pot_width,
                pot_height,
                (
                    Polygon(
                        (
                            (2 * u, 3 * u),
                            (pot_width - 2 * u, 3 * u),
                            (pot_width - 5 * u, pot_height),
                            (5 * u, pot_height),
                        ),
                        clay,
                    ),
                    Rectangle(0, 0, pot_width, 4.5 * u, shade(clay, 0.75), u),
                ),
            )
        )
        cloud = atlas.add(_blowing_cloud(stage, shade(dark, 1.9), turn))
        streak, ground = atlas.add(_plain(stage, 9, 1, shade(dark, 1.5), 0.5)), atlas.add(_plain(stage, 96, 2, dark))
        fixed = [Placement(ground, *stage.point(50, 95)), Placement(cloud, *stage.point(self.across(15), 55))]
        for mark in range(SCALE + 1):
            x, y, tilt = self.stalk(Fraction(mark))[-1]
            lean = radians(tilt)
            thick, long = (1.0, 4.0) if mark % 5 == 0 else (0.6, 2.4)
            line = atlas.add(_plain(stage, thick, long, INK))
            away = 12 + long / 2
            where = stage.point(self.across(x + away * sin(lean)), y - away * cos(lean))
            fixed.append(Placement(line, *where, angle=turn * tilt))
            if mark % 5 == 0:
                number = atlas.add(_number(stage, mark))
                fixed.append(Placement(number, *stage.point(self.across(x + 19.5 * sin(lean)), y - 19.5 * cos(lean))))
        vase = Placement(pot, *stage.point(self.across(40), 86))
        cycle = max(2, self.fps)

        @cache
        def plant(value: Fraction) -> list[Placement]:
            *parts, (x, y, tilt) = self.stalk(value)
            placed = []
            for left, low, lean in parts:
                half = self.PART / 2
                middle = left + half * sin(radians(lean)), low - half * cos(radians(lean))
                angle = turn * 3.0 * round(lean / 3)
                placed.append(Placement(part, *stage.point(self.across(middle[0]), middle[1]), angle=angle))
            lean = radians(tilt)
            # It ends where the lines of the marks begin.
            tip = stage.point(self.across(x + 8.2 * sin(lean)), y - 8.2 * cos(lean))
            placed.append(Placement(spike, *tip, angle=turn * 3.0 * round(tilt / 3)))
            placed.append(Placement(flower, *stage.point(self.across(x), y)))
            return placed

        def at(pose: Pose) -> list[Placement]:
            value, blown = pose
            air = []
            for number, height in enumerate((51, 60, 65, 56) if blown else ()):
                phase = Fraction(blown, cycle) + Fraction(number, 4)
                # A streak leaves the cloud only once it blows, and is gone before it could reach the edge.
                if phase >= 1 or number == 0:
                    run = float(phase % 1)
                    faint = 0.4 if run < 0.1 or run > 0.8 else 0.8
                    air.append(Placement(streak, *stage.point(self.across(31 + 56 * run), height), opacity=faint))
            return [*fixed, *air, *plant(value), vase]

        return at


# ---------------------------------------------------------------------------------------------------- hammer


class Hammer(TwoForces):
    """A hammer strikes the foot of a tower, and a slab flies up along it and falls back."""

    NAME: ClassVar[str] = "hammer"
    POWER: ClassVar[int] = 2
    ACT: ClassVar[str] = "blow"
    ASKED: ClassVar[str] = "the white line on the slab"
    LAW: ClassVar[str] = (
        "The harder the blow, the higher the slab flies: a blow that is twice as hard sends it four times as high."
    )
    RAISED: ClassVar[int] = 10
    """Steps by which the hammer is raised at rest."""
    STEP: ClassVar[int] = 7
    """Degrees of a step."""

    flight: int = Field(ge=2, le=LONGEST)
    """Frames of a flight to the highest mark and back; a flight takes as long as its blow is hard."""
    swing: int = Field(ge=1, le=LONGEST)
    """Frames of the swing that leads to it; a swing half as fast hits half as hard."""

    @classmethod
    def timing(cls, gentle: int, hard: int, moving: float, random: Random) -> dict[str, int]:
        roots = [sqrt(mark / SCALE) for mark in (gentle, hard)]
        share = random.uniform(0.15, 0.25)
        return {
            "flight": max(2, round((1 - share) * moving / sum(roots))),
            "swing": max(1, round(share * moving / sum(1 / root for root in roots))),
        }

    def _swing(self, mark: int) -> int:
        return max(1, round(self.swing / sqrt(Fraction(mark, SCALE))))

    def length(self, mark: int) -> int:
        return self._swing(mark) + _root(self.flight, mark)

    def shortest(self, gentle: int, hard: int) -> int:
        return min(_root(self.flight, gentle) // 2, self._swing(hard) + 2)

    def event(self, mark: int) -> list[Pose]:
        swing, flight = self._swing(mark), _root(self.flight, mark)
        # Thrown so that it comes to the mark in half the flight, whatever the gravity of so many frames is.
        throw = Throw(Fraction(4 * mark, flight), 1, Fraction(8 * mark, flight**2))
        down = [(Fraction(0), round(Fraction(self.RAISED * frame, swing))) for frame in range(swing)]
        raised = [round(self.RAISED * (1 - Fraction(frame, flight))) for frame in range(flight)]
        return down + list(zip(along(throw, flight), raised, strict=True))

    def shown(self) -> str:
        return (
            f"The video shows a hammer beside a tower with a scale and {self.named} slab that can slide up it. "
            "Twice the hammer strikes the black block at the tower's foot: the slab flies up and falls back, and the "
            "hammer is raised again."
        )

    def pictures(self, stage: Stage, atlas: AtlasBuilder) -> Callable[[Pose], list[Placement]]:
        _, dark = LOOKS[self.look]
        u, colour = stage.unit, COLOURS[self.colour]
        turn = 1 if self.side == "left" else -1
        axis, bottom, pitch = 68.0, 82.0, 3.4
        tower = atlas.add(_plain(stage, 4, 78, shade(dark, 1.6)))
        foot = atlas.add(_box(stage, 56, 5, dark, 1))
        pad = atlas.add(_box(stage, 12, 4, (70, 70, 74), 1))
        w, h, stripe = stage.even(14), stage.even(5), stage.length(1)
        slab = atlas.add(
            Sprite(
                w,
                h,
                (
                    Rectangle(0, 0, w, h, shade(colour, 0.6), u),
                    Rectangle(stripe / 2, stripe / 2, w - stripe, h - stripe, colour, u),
                    Rectangle(0, h / 2 - stripe / 2, w, stripe, PAPER),
                ),
            )
        )
        bell_side = stage.even(9)
        bell = atlas.add(
            Sprite(
                bell_side,
                bell_side,
                (
                    Ellipse(0, 0, bell_side, bell_side, (150, 110, 30)),
                    Ellipse(0.6 * u, 0.6 * u, bell_side - 1.2 * u, bell_side - 1.2 * u, (226, 178, 60)),
                ),
            )
        )
        # Upright, the head on top: it turns about the foot of its handle.
        width, long = stage.even(15), stage.even(33)
        mallet = atlas.add(
            Sprite(
                width,
                long,
                (
                    Rectangle(width / 2 - 1.2 * u, 4 * u, 2.4 * u, long - 4 * u, (150, 104, 62), u),
                    Rectangle(0, 0, width, 9 * u, (92, 86, 84), 1.5 * u),
                ),
            )
        )
        outward = turn
        fixed = [
            Placement(tower, *stage.point(self.across(axis), 47)),
            Placement(bell, *stage.point(self.across(axis), 7)),
            Placement(foot, *stage.point(self.across(56), 89)),
            Placement(pad, *stage.point(self.across(39), 84.5)),
            *_ruler(stage, atlas, lambda mark: (self.across(axis + 8), bottom - pitch * mark), (outward, 0)),
        ]
        grip, reach = (10.0, 75.0), 16.5

        def at(pose: Pose) -> list[Placement]:
            value, lowered = pose
            tilt = 90 - self.STEP * (self.RAISED - lowered)
            x, y = grip[0] + reach * sin(radians(tilt)), grip[1] - reach * cos(radians(tilt))
            return [
                *fixed,
                Placement(slab, *stage.point(self.across(axis), bottom - pitch * float(value))),
                Placement(mallet, *stage.point(self.across(x), y), angle=float(turn * tilt)),
            ]

        return at


FAMILY = pair_family(
    name="force",
    version=1,
    summary="Pairs that differ in force alone: which of two pushes, presses, blows, pulls or gusts is harder.",
    settings=ForceSettings,
    scripts=(PushedPuck, PressedSpring, Hammer, SpringScale, Wind),
)

if __name__ == "__main__":
    from generators.command import main

    main(["force", *sys.argv[1:]])
