"""Causal contingency: which of two contacts set something off, and whether a contact did, told from timing alone.

A cause is followed at once; where there is a pause of stillness, nothing was caused. Every contact ends a motion that
began at rest, so the frames of what happens can stand behind one contact or another: both clips have the same ones.
"""

import sys
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from math import asin, ceil, cos, degrees, pi, radians, sin
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
)
from generators.settings import RealRange, real_range
from generators.stage import COLOURS, INK, LOOKS, PAPER, Stage, shade, some_colours
from simulators.motion import ConstantAcceleration, ConstantSpeed, FrictionSlide, Piece, smooth

# ---------------------------------------------------------------------------------------------------- settings


class CausalContingencySettings(PairSettings):
    contrast: real_range(0.2, 4.0) = Field(  # type: ignore[valid-type]
        RealRange(0.5, 1.0), description="seconds of pause behind a contact that is not the cause"
    )


REST_SECONDS = 0.5
"""How long all is still at least at either end of a clip."""
TOLERANCE = 0.3
"""Seconds by which an answer may be off."""
LONGEST = 20_000

Clock: TypeAlias = tuple[int, int, int]
"""How far the left, the right and the third thing are in their own motions, in frames; 0 is at rest."""

STILL: Clock = (0, 0, 0)

# ---------------------------------------------------------------------------------------------------- timing


def pause_of(settings: CausalContingencySettings, random: Random) -> int:
    return max(1, round(draw_real(settings.contrast, random) * settings.fps))


def moving_frames(room: int, pause: int, counts: float, random: Random) -> int:
    """Frames for motion out of `room`, so that stillness is left by which the first effect can come early or late.

    Between its two times lie the pause and, where it follows the one or the other contact, the share of the motion that
    `counts`; the farther apart they are, the more stillness is left.
    """
    wished = room * random.uniform(0.5, 0.75) * (1 - 0.75 * counts)
    return max(0, int(min(wished, (room - pause) / (1 + counts))))


def lead_in(spare: int, apart: int, random: Random) -> int:
    """Frames of stillness, out of those to spare, before the first contact.

    In steps of what lies between the two times of the first effect, so that the late time of one pair is the early one
    of another: when it comes does not tell what caused it.
    """
    steps = spare // apart
    return random.randint(0, steps) * apart + random.randint(0, spare - steps * apart)


# ---------------------------------------------------------------------------------------------------- motions


def positions(piece: Piece, frames: int) -> list[Fraction]:
    return [piece.position(frame) for frame in range(frames)]


def stroke(frames: int) -> list[Fraction]:
    """How far something is drawn away, 0 to 1, in each frame: slowly away, then back ever faster until it hits.

    It hits in the frame behind the last of these, where whatever it sets off begins.
    """
    away = frames - max(2, frames * 3 // 10)
    back = frames - away
    fall = ConstantAcceleration(back, 0, Fraction(-2, back * back), 1)
    return [smooth(frame, away) for frame in range(away)] + positions(fall, back)


def rise_and_fall(frames: int) -> list[Fraction]:
    """How far something is out, 0 to 1: out in a fifth of the frames, from the very first on, and back in two."""
    out = max(1, frames // 5)
    back = max(1, frames * 2 // 5)
    leaves = [Fraction(frame + 1, out) for frame in range(out)]
    returns = [Fraction(back - frame, back + 1) for frame in range(back)]
    return [*leaves, *[Fraction(1)] * (frames - out - back), *returns]


# ---------------------------------------------------------------------------------------------------- drawing


def _plain(stage: Stage, width: float, height: float, colour: Colour, radius: float = 0.0) -> Sprite:
    w, h = stage.even(width), stage.even(height)
    return Sprite(w, h, (Rectangle(0, 0, w, h, colour, radius * stage.unit),))


def _box(stage: Stage, width: float, height: float, colour: Colour, radius: float = 0.0) -> Sprite:
    w, h = stage.even(width), stage.even(height)
    rim, corner = max(1, round(0.5 * stage.unit)), radius * stage.unit
    return Sprite(
        w,
        h,
        (
            Rectangle(0, 0, w, h, shade(colour, 0.65), corner),
            Rectangle(rim, rim, w - 2 * rim, h - 2 * rim, colour, max(0.0, corner - rim)),
        ),
    )


def _ball(stage: Stage, units: float, colour: Colour) -> Sprite:
    side = stage.even(units)
    rim = max(1, side // 14)
    return Sprite(
        side,
        side,
        (
            Ellipse(0, 0, side, side, shade(colour, 0.6)),
            Ellipse(rim, rim, side - 2 * rim, side - 2 * rim, colour),
            Ellipse(side * 0.24, side * 0.2, side * 0.2, side * 0.2, shade(colour, 1.8)),
        ),
    )


# ---------------------------------------------------------------------------------------------------- which of two

OTHER = {"left": "right", "right": "left"}


class WhichOfTwo(Script):
    """Two contacts, one from each side in turn; behind one of them, at once, something happens in the middle.

    It happens once, or behind the other contact as well, but there after a pause.
    """

    CONTACT: ClassVar[str]
    """What a contact is called, with its {colour}."""
    MAKES: ClassVar[str]
    """What a contact makes happen, behind "Does … make"."""
    HAPPENS: ClassVar[str]
    """What happens in the middle, as a sentence."""
    BEGINS: ClassVar[str]
    """How it begins, as a sentence."""
    WORD: ClassVar[str]
    """The word for it in an order of events."""

    look: int = Field(ge=0, lt=len(LOOKS))
    colours: Annotated[list[str], Len(2, 2)]
    """Of what is on the left and on the right."""
    first: str = Field(pattern="^(left|right)$")
    """Which side touches first."""
    cause: str = Field(pattern="^(left|right)$")
    """Whose contact is followed at once."""
    is_twice: bool
    """Whether it happens behind the other contact as well, after the pause."""
    rests: Annotated[list[Annotated[int, Field(ge=1, le=LONGEST)]], Len(2, 3)]
    """Frames of stillness before the first contact, twice also before the second begins, and at the end."""
    stroke: int = Field(ge=5, le=LONGEST)
    """Frames from when a side begins to move until it touches."""
    effect: int = Field(ge=4, le=LONGEST)
    """Frames of what happens in the middle."""
    pause: int = Field(ge=1, le=LONGEST)
    """Frames of stillness behind the contact that is not the cause."""

    @model_validator(mode="after")
    def _holds(self) -> Self:
        if len({*self.colours}) != 2 or not {*self.colours} <= {*COLOURS}:
            raise ValueError("two colours that differ and have names")
        if len(self.rests) != (3 if self.is_twice else 2):
            raise ValueError("a rest at either end and, where it happens twice, one between")
        if not self.is_twice and self.rests[1] < self.pause:
            raise ValueError("the rest at the end is at least as long as the pause, or it would tell the cause")
        if self.frames != 2 * self.stroke + self.effects * self.effect + sum(self.rests) + self.pause:
            raise ValueError("two contacts, stillness and what happens make up the clip")
        return self

    @property
    def effects(self) -> int:
        return 2 if self.is_twice else 1

    @classmethod
    def draw(cls, settings: CausalContingencySettings, streams: Streams, turn: int) -> tuple[Self, Self]:
        random = streams("plan")
        pause = pause_of(settings, random)
        rest = max(1, round(REST_SECONDS * settings.fps))
        frames = round(draw_real(settings.seconds, random) * settings.fps)
        likes = random.random() < 0.5
        statics: dict[str, Any] = {
            "fps": settings.fps,
            "frames": frames,
            "look": random.randrange(len(LOOKS)),
            "colours": some_colours(random, 2),
            "first": random.choice(["left", "right"]),
            "pause": pause,
        }
        longest = 0
        # Where there is no room for a lead-in that varies, motion takes all.
        for varies, is_twice in ((True, likes), (True, not likes), (False, likes), (False, not likes)):
            rests = [rest, rest, rest] if is_twice else [rest, max(rest, pause)]
            room = frames - pause - sum(rests)
            part = random.uniform(0.22, 0.28) if is_twice else random.uniform(0.31, 0.36)
            moving = moving_frames(room, pause, 0 if is_twice else part, random) if varies else room
            touch = round(moving * part)
            effect = moving // 2 - touch if is_twice else moving - 2 * touch
            longest = max(longest, min(touch, effect))
            if has_room(min(touch, effect), settings):
                break
        else:
            raise no_room(longest)
        spare = room - 2 * touch - (2 if is_twice else 1) * effect
        lead = lead_in(spare, pause + (0 if is_twice else touch), random)
        rests[0] += lead
        if is_twice:
            rests[1] += random.randint(0, spare - lead)
        rests[-1] += frames - pause - 2 * touch - (2 if is_twice else 1) * effect - sum(rests)
        fields = statics | {"is_twice": is_twice, "rests": rests, "stroke": touch, "effect": effect}
        return cls(**fields, cause="left"), cls(**fields, cause="right")

    def shown(self) -> str:
        raise NotImplementedError(self)

    def pictures(self, stage: Stage, atlas: AtlasBuilder) -> Callable[[Clock], list[Placement]]:
        raise NotImplementedError(self)

    def words(self) -> Words:
        left, right = (self.CONTACT.format(colour=colour) for colour in self.colours)
        if self.is_twice:
            rule = (
                f"Twice in the video, once after each contact, {self.HAPPENS}. The contact that sets this off is "
                "followed by it at once, without any pause; the other contact is followed by a pause in which nothing "
                "moves, and then it happens by itself."
            )
        else:
            rule = (
                f"Once in the video, {self.HAPPENS}. The contact that sets this off is followed by it at once, without "
                "any pause; the other contact is followed by a pause in which nothing moves."
            )
        return Words(
            context=f"{self.shown()} {rule}",
            stem=f"Which contact makes {self.MAKES}?",
            options=(left, right),
            claims=(f"Does {left} make {self.MAKES}?", f"Does {right} make {self.MAKES}?"),
        )

    def answer(self) -> int:
        return 0 if self.cause == "left" else 1

    def open_question(self) -> Open:
        if self.is_twice:
            start = next(start for part, start, _ in self.parts() if part == "middle")
            return when(f"{self.BEGINS} for the first time", start, self.pause, self.fps)
        left, right = self.colours
        names = {"left": left, "right": right, "middle": self.WORD}
        contacts = [f"{colour} ({self.CONTACT.format(colour=colour)})" for colour in self.colours]
        return Open(
            kind="sequence",
            question=f"In which order do these happen: {contacts[0]}, {contacts[1]} and {self.WORD} ({self.BEGINS})? "
            "Write the three words in their order, with commas between.",
            form=f"{example('word, word, word')}, with the words in their places.",
            key=[names[part] for part, _, _ in self.parts()],
        )

    def contrast(self) -> float:
        return self.pause / self.fps

    def difference(self) -> str:
        if self.is_twice:
            return f"a pause of {self.pause} frames is behind the one or the other contact"
        return "what happens follows the one or the other contact"

    def parts(self) -> list[tuple[str, int, int]]:
        """What happens in order, each with its first frame and its end."""
        parts, at = [], self.rests[0]
        for side in (self.first, OTHER[self.first]):
            if side != self.first:
                at += self.rests[1] if self.is_twice else self.pause
            parts.append((side, at, at + self.stroke))
            at += self.stroke
            if side != self.cause and self.is_twice:
                at += self.pause
            if side == self.cause or self.is_twice:
                parts.append(("middle", at, at + self.effect))
                at += self.effect
        return parts

    def clocks(self) -> list[Clock]:
        listed = [STILL] * self.frames
        for part, start, end in self.parts():
            for frame in range(end - start):
                # The middle counts from 1: it is there in its very first frame.
                listed[start + frame] = {
                    "left": (frame, 0, 0),
                    "right": (0, frame, 0),
                    "middle": (0, 0, frame + 1),
                }[part]
        return listed

    def scene(self, settings: CausalContingencySettings) -> Scene:
        near = min(self.effect, self.pause)
        return composed(
            self,
            settings,
            self.look,
            self.clocks(),
            self.pictures,
            spans=tuple((start, end) for _, start, end in self.parts()),
            # What follows a contact must be seen before the pause behind the other one would be over.
            seen=tuple(half for part, _, end in self.parts() if part != "middle" for half in halves(end, near)),
        )


def has_room(shortest: int, settings: CausalContingencySettings) -> bool:
    """Whether the shortest motion has frames enough to be followed."""
    return shortest >= max(5, settings.fps * 0.4)


def no_room(shortest: int) -> InputError:
    return InputError(
        f"the pause leaves {max(0, shortest)} frames for what happens: raise --seconds or --fps, or lower --contrast"
    )


def halves(first: int, frames: int) -> tuple[tuple[int, int], ...]:
    """Both halves of what follows a contact: a frame in each shows that all is still there, or that it is not."""
    middle = first + max(1, frames // 2)
    return ((first, middle), (middle, first + frames)) if frames > 1 else ((first, middle),)


def when(happens: str, frame: int, pause: int, fps: int) -> Open:
    # Half of the pause at most, so that no answer fits both clips; 0.5 seconds is before anything has happened.
    tolerance = min(TOLERANCE, round(pause / fps / 2, 2))
    return Open(
        kind="seconds",
        question=f"At how many seconds from the start of the video is it that {happens}? (The answer counts as right "
        f"within {tolerance:g} seconds.)",
        form=f"{example('0.5')}.",
        key=round(frame / fps, 3),
        tolerance=tolerance,
    )


def named(colour: str) -> str:
    """The colour's name behind its article."""
    return f"an {colour}" if colour == "orange" else f"a {colour}"


def composed(
    clip: Script,
    settings: CausalContingencySettings,
    look: int,
    clocks: list[Clock],
    pictures: Callable[[Stage, AtlasBuilder], Callable[[Clock], list[Placement]]],
    spans: tuple[tuple[int, int], ...],
    seen: tuple[tuple[int, int], ...],
) -> Scene:
    """The scene in which frame i shows what `pictures` gives for clock i."""
    atlas = AtlasBuilder()
    at = cache(pictures(Stage(settings.resolution), atlas))
    return Scene(
        width=settings.resolution.width,
        height=settings.resolution.height,
        fps=clip.fps,
        frames=clip.frames,
        background=LOOKS[look][0],
        sprites=atlas.sprites,
        placements=lambda frame: at(clocks[frame]),
        spans=spans,
        seen=seen,
    )


class Lamp(WhichOfTwo):
    """Two balls that touch a post from both sides roll off and back in turn; a lamp on the post lights up."""

    NAME: ClassVar[str] = "lamp"
    CONTACT: ClassVar[str] = "the hit by the {colour} ball"
    MAKES: ClassVar[str] = "the lamp light up"
    HAPPENS: ClassVar[str] = "the lamp lights up for a while"
    BEGINS: ClassVar[str] = "the lamp lights up"
    WORD: ClassVar[str] = "lamp"

    def shown(self) -> str:
        left, right = self.colours
        return (
            f"The video shows a post with a lamp on top, {named(left)} ball on its left and {named(right)} ball on its "
            "right. In turn each ball rolls away from the post, rolls back and hits it."
        )

    def pictures(self, stage: Stage, atlas: AtlasBuilder) -> Callable[[Clock], list[Placement]]:
        _, dark = LOOKS[self.look]
        u = stage.unit
        ground, post = atlas.add(_plain(stage, 98, 3, dark)), atlas.add(_box(stage, 12, 38, shade(dark, 1.5), 1.5))
        balls = [atlas.add(_ball(stage, 13, COLOURS[colour])) for colour in self.colours]
        side = stage.even(18)

        def lamp(glass: Colour, rim: Colour) -> int:
            return atlas.add(
                Sprite(
                    side,
                    side,
                    (
                        Rectangle(side / 2 - 4 * u, side - 4 * u, 8 * u, 4 * u, INK, u),
                        Ellipse(u, 0, side - 2 * u, side - 2 * u, rim),
                        Ellipse(1.8 * u, 0.8 * u, side - 3.6 * u, side - 3.6 * u, glass),
                    ),
                )
            )

        dull, bright = lamp((150, 152, 156), (90, 92, 96)), lamp((255, 236, 96), (214, 150, 20))
        wide = stage.even(46)
        beams: list[Shape] = []
        for number in range(9):
            angle = pi * (number - 4) / 6.2
            ends = [(wide / 2 + sin(angle) * r * u, wide / 2 - cos(angle) * r * u) for r in (12.5, 20)]
            beams.append(Line(tuple(ends), max(1.0, 1.6 * u), (230, 160, 20)))
        rays = atlas.add(Sprite(wide, wide, tuple(beams)))
        fixed = [Placement(ground, *stage.point(50, 83.5)), Placement(post, *stage.point(50, 63))]
        away = stroke(self.stroke)
        top = stage.point(50, 36)

        def at(clock: Clock) -> list[Placement]:
            left, right, lit = clock
            return [
                *fixed,
                *([Placement(rays, *top)] if lit else []),
                Placement(bright if lit else dull, *top),
                Placement(balls[0], *stage.point(37.5 - 29 * float(away[left]), 75.5)),
                Placement(balls[1], *stage.point(62.5 + 29 * float(away[right]), 75.5)),
            ]

        return at


class Gate(WhichOfTwo):
    """Two weights that lie on buttons are lifted and dropped in turn; a gate between them opens."""

    NAME: ClassVar[str] = "gate"
    CONTACT: ClassVar[str] = "the fall of the {colour} weight"
    MAKES: ClassVar[str] = "the gate open"
    HAPPENS: ClassVar[str] = "the gate opens and closes again"
    BEGINS: ClassVar[str] = "the gate begins to open"
    WORD: ClassVar[str] = "gate"

    def shown(self) -> str:
        left, right = self.colours
        return (
            f"The video shows a gate between two buttons, {named(left)} weight that lies on the left button and "
            f"{named(right)} weight that lies on the right one. In turn each weight is lifted by its rope and drops "
            "back onto its button."
        )

    def pictures(self, stage: Stage, atlas: AtlasBuilder) -> Callable[[Clock], list[Placement]]:
        _, dark = LOOKS[self.look]
        u = stage.unit
        stone = shade(dark, 1.6)
        ground = atlas.add(_plain(stage, 98, 4, dark))
        pillar, beam = atlas.add(_box(stage, 6, 66, stone, 0.5)), atlas.add(_box(stage, 42, 26, stone, 1))
        ceiling, button = atlas.add(_plain(stage, 98, 3, dark)), atlas.add(_box(stage, 17, 3.5, (72, 70, 74), 1))
        width, height = stage.even(30), stage.even(42)
        bars: list[Shape] = [
            Rectangle((1 + 5.2 * number) * u, 0, 2 * u, height - 2 * u, (108, 72, 40)) for number in range(6)
        ]
        bars += [
            Polygon(
                (
                    ((1 + 5.2 * number) * u, height - 2 * u),
                    ((3 + 5.2 * number) * u, height - 2 * u),
                    ((2 + 5.2 * number) * u, height),
                ),
                (108, 72, 40),
            )
            for number in range(6)
        ]
        bars += [Rectangle(0, (4 + 11 * number) * u, width, 2.2 * u, (132, 92, 54)) for number in range(4)]
        grid = atlas.add(Sprite(width, height, tuple(bars)))
        w, h = stage.even(16), stage.even(14)
        weights = []
        for colour in map(COLOURS.__getitem__, self.colours):
            weights.append(
                atlas.add(
                    Sprite(
                        w,
                        h,
                        (
                            Rectangle(w / 2 - 3 * u, 0, 6 * u, 5 * u, INK, 2 * u),
                            Polygon(((3 * u, 3 * u), (w - 3 * u, 3 * u), (w, h), (0, h)), shade(colour, 0.65)),
                            Polygon(
                                ((3.6 * u, 3.8 * u), (w - 3.6 * u, 3.8 * u), (w - u, h - 0.8 * u), (u, h - 0.8 * u)),
                                colour,
                            ),
                        ),
                    )
                )
            )
        rope = atlas.add(_plain(stage, 1, 80, INK))
        columns = (14.0, 86.0)
        behind = [Placement(ground, *stage.point(50, 92))]
        behind += [Placement(button, *stage.point(x, 88.5)) for x in columns]
        before = [
            *(Placement(pillar, *stage.point(x, 57)) for x in (32, 68)),
            Placement(beam, *stage.point(50, 31)),
            Placement(ceiling, *stage.point(50, 3)),
        ]
        away, opened = stroke(self.stroke), [Fraction(0), *rise_and_fall(self.effect)]

        def at(clock: Clock) -> list[Placement]:
            *sides, gate = clock
            hung = [stage.point(x, 80 - 30 * float(away[side])) for x, side in zip(columns, sides, strict=True)]
            return [
                *behind,
                Placement(grid, *stage.point(50, 69 - 25 * float(opened[gate]))),
                # The ropes run up behind the top of the picture.
                *(Placement(rope, x, y - stage.length(44)) for x, y in hung),
                *(Placement(weight, x, y) for weight, (x, y) in zip(weights, hung, strict=True)),
                *before,
            ]

        return at


class Dominoes(WhichOfTwo):
    """Two rows of dominoes that lie against a bell's foot stand up and fall in turn; the bell rings."""

    NAME: ClassVar[str] = "dominoes"
    CONTACT: ClassVar[str] = "the fall of the {colour} dominoes"
    MAKES: ClassVar[str] = "the bell ring"
    HAPPENS: ClassVar[str] = "the bell rings, swaying and sending out waves"
    BEGINS: ClassVar[str] = "the bell begins to ring"
    WORD: ClassVar[str] = "bell"
    ROW: ClassVar[int] = 4
    THICK: ClassVar[float] = 3.0
    TALL: ClassVar[float] = 18.0
    PITCH: ClassVar[float] = 8.0
    """From one domino to the next."""
    REACH: ClassVar[float] = 14.185
    """From the one at the bell to the bell's foot, across which it leans in the end."""
    STEP: ClassVar[int] = 4
    """A domino leans by a whole number of so many degrees, which keeps the pictures of it few."""

    def shown(self) -> str:
        left, right = self.colours
        return (
            f"The video shows a bell between a row of {left} dominoes on its left and a row of {right} dominoes on its "
            "right, all tipped over towards it. In turn each row rises until all of its dominoes stand, and topples "
            "again, one domino pushing over the next, until the last one hits the bell's foot, which is the row's "
            "contact."
        )

    def lean(self, raised: Fraction) -> list[int]:
        """How many degrees each domino of a row leans, the outermost first, where so much of the row's fall is undone.

        One domino at a time falls freely until it reaches the next, or the bell's foot; those behind it lean on it.
        """
        free = degrees(asin((self.PITCH - self.THICK) / self.TALL))
        last = degrees(asin(self.REACH / self.TALL))
        fallen = (1 - float(raised)) * (free * (self.ROW - 1) + last)
        leader = min(self.ROW - 1, int(fallen / free))
        leans = [0] * self.ROW
        leans[leader] = self._stepped(min(last, fallen - leader * free))
        for number in reversed(range(leader)):
            ahead = radians(leans[number + 1])
            leans[number] = self._stepped(
                leans[number + 1] + degrees(asin((self.PITCH * cos(ahead) - self.THICK) / self.TALL))
            )
        return leans

    def _stepped(self, leans: float) -> int:
        # Rounded towards upright, so that none reaches into the one that it leans on.
        return self.STEP * int(leans / self.STEP + 1e-6)

    def pictures(self, stage: Stage, atlas: AtlasBuilder) -> Callable[[Clock], list[Placement]]:
        _, dark = LOOKS[self.look]
        u = stage.unit
        ground, foot = atlas.add(_plain(stage, 98, 3, dark)), atlas.add(_box(stage, 7, 24, shade(dark, 1.4), 1))
        # The bell hangs in a frame on its foot.
        shelf, upright = (
            atlas.add(_box(stage, 36, 3, shade(dark, 1.2))),
            atlas.add(_box(stage, 3, 36, shade(dark, 1.2))),
        )
        hook = atlas.add(_plain(stage, 6, 5, INK))
        tiles = [atlas.add(_box(stage, self.THICK, self.TALL, COLOURS[colour], 0.8)) for colour in self.colours]
        side = stage.even(24)
        brass: Colour = (214, 166, 46)
        bell = atlas.add(
            Sprite(
                side,
                side,
                (
                    Rectangle(side / 2 - 1.5 * u, 0, 3 * u, 4 * u, INK),
                    Ellipse(side / 2 - 3 * u, side - 7 * u, 6 * u, 6 * u, INK),
                    Rectangle(4.5 * u, 2 * u, side - 9 * u, 17 * u, shade(brass, 0.7), 7 * u),
                    Rectangle(5.2 * u, 2.7 * u, side - 10.4 * u, 15 * u, brass, 6.4 * u),
                    Rectangle(2 * u, 15.5 * u, side - 4 * u, 4.5 * u, shade(brass, 0.7), 2 * u),
                    Rectangle(2.7 * u, 16 * u, side - 5.4 * u, 3.2 * u, brass, 1.6 * u),
                ),
            )
        )
        waves = []
        for outward in (-1, 1):
            w, h = stage.even(7), stage.even(24)
            bow = [radians(turned) for turned in range(-40, 41, 10)]
            points = [(w / 2 + outward * (14 * u * cos(a) - 12.4 * u), h / 2 + 15 * u * sin(a)) for a in bow]
            waves.append((outward, atlas.add(Sprite(w, h, (Line(tuple(points), max(1.0, 1.3 * u), INK),)))))
        fixed = [
            Placement(ground, *stage.point(50, 87.5)),
            Placement(foot, *stage.point(50, 74)),
            Placement(hook, *stage.point(50, 30)),
            *(Placement(upright, *stage.point(x, 43)) for x in (33.5, 66.5)),
            *(Placement(shelf, *stage.point(50, y)) for y in (26.5, 61.5)),
        ]
        row = stroke(self.stroke)
        swing = max(2, self.fps // 3)
        # Each domino tips over its lower inner corner; the last one's tip comes to the edge of the foot.
        places = [46.5 - self.REACH - self.PITCH * number for number in reversed(range(self.ROW))]

        def tipped(turn: int, foot_x: float, leans: int) -> tuple[float, float, float]:
            tilt = radians(leans)
            along, up = self.THICK / 2, self.TALL / 2
            x = foot_x + sin(tilt) * up - cos(tilt) * along
            return x if turn > 0 else 100 - x, 86 - cos(tilt) * up - sin(tilt) * along, float(turn * leans)

        def at(clock: Clock) -> list[Placement]:
            left, right, ringing = clock
            placed = []
            for tile, turn, frame in zip(tiles, (1, -1), (left, right), strict=True):
                for foot_x, leans in zip(places, self.lean(row[frame]), strict=True):
                    x, y, angle = tipped(turn, foot_x, leans)
                    placed.append(Placement(tile, *stage.point(x, y), angle=angle))
            sway = 0.0
            around = []
            if ringing:
                sway = 2.2 * (1 if (ringing - 1) // max(1, swing // 2) % 2 == 0 else -1)
                reach = 3 * ((ringing - 1) % swing) / swing
                around = [
                    Placement(wave, *stage.point(50 + outward * (22 + 4 * (number + reach)), 44))
                    for outward, wave in waves
                    for number in range(2)
                ]
            return [*fixed, *placed, *around, Placement(bell, *stage.point(50 + sway, 44))]

        return at


# ---------------------------------------------------------------------------------------------------- by itself or not


class JackInTheBox(Script):
    """A ball on a string hits a box; a figure pops out at once, or after a pause and so by itself."""

    NAME: ClassVar[str] = "jack_in_the_box"

    look: int = Field(ge=0, lt=len(LOOKS))
    colours: Annotated[list[str], Len(2, 2)]
    """Of the ball and of the box."""
    side: str = Field(pattern="^(left|right)$")
    rests: Annotated[list[Annotated[int, Field(ge=1, le=LONGEST)]], Len(2, 2)]
    """Frames of stillness at the start and at the end."""
    stroke: int = Field(ge=5, le=LONGEST)
    effect: int = Field(ge=4, le=LONGEST)
    pause: int = Field(ge=1, le=LONGEST)
    """Frames of stillness, between the hit and the figure or behind it."""
    is_caused: bool

    @model_validator(mode="after")
    def _holds(self) -> Self:
        if len({*self.colours}) != 2 or not {*self.colours} <= {*COLOURS}:
            raise ValueError("two colours that differ and have names")
        if self.frames != sum(self.rests) + self.stroke + self.effect + self.pause:
            raise ValueError("rests, a hit, a pause and what happens make up the clip")
        return self

    @classmethod
    def draw(cls, settings: CausalContingencySettings, streams: Streams, turn: int) -> tuple[Self, Self]:
        random = streams("plan")
        pause = pause_of(settings, random)
        rest = max(1, round(REST_SECONDS * settings.fps))
        frames = round(draw_real(settings.seconds, random) * settings.fps)
        room = frames - 2 * rest - pause
        part = random.uniform(0.42, 0.55)
        for moving in (moving_frames(room, pause, 0, random), room):
            touch = round(moving * part)
            effect = moving - touch
            if has_room(min(effect, touch), settings):
                break
        else:
            raise no_room(min(effect, touch))
        lead = rest + lead_in(room - moving, pause, random)
        fields: dict[str, Any] = {
            "fps": settings.fps,
            "frames": frames,
            "look": random.randrange(len(LOOKS)),
            "colours": some_colours(random, 2),
            "side": random.choice(["left", "right"]),
            "rests": [lead, frames - lead - touch - effect - pause],
            "stroke": touch,
            "effect": effect,
            "pause": pause,
        }
        return cls(**fields, is_caused=True), cls(**fields, is_caused=False)

    def words(self) -> Words:
        ball, box = self.colours
        return Words(
            context=f"The video shows {named(ball)} ball that hangs on a string beside {named(box)} box. The ball is "
            f"drawn away to the {self.side}, swings back and hits the box, and a figure pops out of the box and sinks "
            "back. If the hit sets the figure off, it comes out at once, without any pause; if there is a pause in "
            "which nothing moves between the hit and the figure, it comes out by itself.",
            stem="What makes the figure pop out?",
            options=("the hit by the ball", "nothing, it comes by itself"),
            claims=(
                "Does the hit by the ball make the figure pop out?",
                "Does the figure pop out of the box by itself?",
            ),
        )

    def answer(self) -> int:
        return 0 if self.is_caused else 1

    @property
    def pops(self) -> int:
        """The first frame that shows the figure."""
        return self.rests[0] + self.stroke + (0 if self.is_caused else self.pause)

    def open_question(self) -> Open:
        return when("the figure begins to come out", self.pops, self.pause, self.fps)

    def contrast(self) -> float:
        return self.pause / self.fps

    def difference(self) -> str:
        return f"a pause of {self.pause} frames stands before or behind what happens"

    def scene(self, settings: CausalContingencySettings) -> Scene:
        clocks = [STILL] * self.frames
        start, hit = self.rests[0], self.rests[0] + self.stroke
        clocks[start:hit] = [(frame, 0, 0) for frame in range(self.stroke)]
        clocks[self.pops : self.pops + self.effect] = [(0, 0, frame + 1) for frame in range(self.effect)]
        return composed(
            self,
            settings,
            self.look,
            clocks,
            self.pictures,
            spans=((start, hit), (self.pops, self.pops + self.effect)),
            seen=halves(hit, min(self.pause, self.effect)),
        )

    def pictures(self, stage: Stage, atlas: AtlasBuilder) -> Callable[[Clock], list[Placement]]:
        _, dark = LOOKS[self.look]
        u = stage.unit
        turn = 1 if self.side == "left" else -1
        colour = COLOURS[self.colours[1]]

        def across(x: float) -> float:
            return x if turn > 0 else 100 - x

        ground, ball = atlas.add(_plain(stage, 98, 3, dark)), atlas.add(_ball(stage, 13, COLOURS[self.colours[0]]))
        w, h = stage.even(32), stage.even(32)
        box = atlas.add(
            Sprite(
                w,
                h,
                (
                    Rectangle(0, 0, w, h, shade(colour, 0.65), u),
                    Rectangle(u, u, w - 2 * u, h - 2 * u, colour, u),
                    Polygon(((w / 2, 8 * u), (w - 8 * u, h / 2), (w / 2, h - 8 * u), (8 * u, h / 2)), PAPER),
                    Polygon(
                        ((w / 2, 11 * u), (w - 11 * u, h / 2), (w / 2, h - 11 * u), (11 * u, h / 2)),
                        shade(colour, 0.65),
                    ),
                ),
            )
        )
        width, height = stage.even(18), stage.even(27)
        skin: Colour = (240, 200, 160)
        figure = atlas.add(
            Sprite(
                width,
                height,
                (
                    Polygon(((width / 2, 0), (width - 3 * u, 11 * u), (3 * u, 11 * u)), (70, 60, 120)),
                    Ellipse(width / 2 - 2.2 * u, 0, 4.4 * u, 4.4 * u, (206, 60, 60)),
                    Ellipse(1.5 * u, 9 * u, width - 3 * u, 15 * u, shade(skin, 0.75)),
                    Ellipse(2.1 * u, 9.6 * u, width - 4.2 * u, 13.8 * u, skin),
                    Ellipse(5.2 * u, 14 * u, 2 * u, 2.4 * u, INK),
                    Ellipse(width - 7.2 * u, 14 * u, 2 * u, 2.4 * u, INK),
                    Ellipse(width / 2 - 1.3 * u, 16.2 * u, 2.6 * u, 2.6 * u, (206, 60, 60)),
                    Rectangle(width / 2 - 3 * u, 19.8 * u, 6 * u, 1.3 * u, INK, 0.6 * u),
                    Rectangle(width / 2 - 6 * u, 23.5 * u, 12 * u, 3 * u, (70, 60, 120), 1.4 * u),
                ),
            )
        )
        lid, inner = atlas.add(_box(stage, 33, 3, shade(colour, 0.85), 0.5)), atlas.add(_plain(stage, 29, 3, INK))
        coil = atlas.add(_plain(stage, 9, 1.4, shade(dark, 0.8), 0.7))
        long = 46.0
        string, hook = atlas.add(_plain(stage, 0.8, long, INK)), atlas.add(_box(stage, 8, 4, dark, 1))
        pivot_x, pivot_y, box_x = 36.0, 20.0, 58.5
        beam = atlas.add(_plain(stage, 98, 3, shade(dark, 1.3)))
        fixed = [Placement(beam, *stage.point(50, 15)), Placement(ground, *stage.point(50, 91.5))]
        front = [Placement(box, *stage.point(across(box_x), 74)), Placement(hook, *stage.point(across(pivot_x), 17))]
        away, out = stroke(self.stroke), [Fraction(0), *rise_and_fall(self.effect)]

        def at(clock: Clock) -> list[Placement]:
            swung, _, shown = clock
            # In steps of three degrees, away from the box.
            angle = 3 * round(11 * away[swung])
            lean = radians(angle)
            top = 72 - 26 * float(out[shown])
            inside = [
                Placement(coil, *stage.point(across(box_x), top + 13.5 + 4 * number))
                for number in range(7)
                if shown and top + 13.5 + 4 * number < 88
            ]
            if shown:
                inside.insert(0, Placement(inner, *stage.point(across(box_x), 57)))
                inside.append(Placement(figure, *stage.point(across(box_x), top)))
            # The lid turns about the box's far upper edge, ahead of the figure, in steps of fifteen degrees.
            lifted = 15 * ceil(min(Fraction(7), 18 * out[shown]))
            hinge, half = (box_x + 16, 56.5), radians(lifted)
            cover = stage.point(across(hinge[0] - 16 * cos(half)), hinge[1] - 16 * sin(half))

            def hung(length: float) -> tuple[float, float]:
                return stage.point(across(pivot_x - length * sin(lean)), pivot_y + length * cos(lean))

            return [
                *fixed,
                *inside,
                *front,
                Placement(lid, *cover, angle=float(turn * lifted)),
                Placement(string, *hung(long / 2), angle=float(turn * angle)),
                Placement(ball, *hung(long + 5.5)),
            ]

        return at


# ---------------------------------------------------------------------------------------------------- launching


class Launch(Script):
    """A ball stops as it touches another, which rolls off; later it comes back and the first one rolls off in turn.

    At one of the two contacts the ball that is touched starts at once, at the other after a pause. A. Michotte, "The
    perception of causality" (1946), found that only the first is seen as a push.
    """

    NAME: ClassVar[str] = "launch"

    look: int = Field(ge=0, lt=len(LOOKS))
    colours: Annotated[list[str], Len(2, 2)]
    """Of the ball that rolls first and of the other."""
    starts: str = Field(pattern="^(left|right)$")
    rests: Annotated[list[Annotated[int, Field(ge=1, le=LONGEST)]], Len(3, 3)]
    """Frames of stillness at the start, while the balls lie apart, and at the end."""
    roll: int = Field(ge=3, le=LONGEST)
    """Frames in which a ball rolls up to the other."""
    leave: int = Field(ge=3, le=LONGEST)
    """Frames in which a ball rolls off until it rests."""
    pause: int = Field(ge=1, le=LONGEST)
    """Frames in which the balls lie still together, at the contact that sets nothing off."""
    is_first: bool
    """Whether the first contact sets the other ball off."""

    @model_validator(mode="after")
    def _holds(self) -> Self:
        if len({*self.colours}) != 2 or not {*self.colours} <= {*COLOURS}:
            raise ValueError("two colours that differ and have names")
        if self.frames != sum(self.rests) + 2 * self.roll + 2 * self.leave + self.pause:
            raise ValueError("rests, rolls and a pause make up the clip")
        return self

    @classmethod
    def draw(cls, settings: CausalContingencySettings, streams: Streams, turn: int) -> tuple[Self, Self]:
        random = streams("plan")
        pause = pause_of(settings, random)
        rest = max(1, round(REST_SECONDS * settings.fps))
        frames = round(draw_real(settings.seconds, random) * settings.fps)
        room = frames - 3 * rest - pause
        part = random.uniform(0.36, 0.46)
        for moving in (moving_frames(room, pause, 0, random), room):
            roll = round(moving / 2 * part)
            leave = moving // 2 - roll
            if has_room(min(roll, leave), settings):
                break
        else:
            raise no_room(min(roll, leave))
        spare = room - 2 * (roll + leave)
        lead = lead_in(spare, pause, random)
        between = random.randint(0, spare - lead)
        fields: dict[str, Any] = {
            "fps": settings.fps,
            "frames": frames,
            "look": random.randrange(len(LOOKS)),
            "colours": some_colours(random, 2),
            "starts": random.choice(["left", "right"]),
            "rests": [rest + lead, rest + between, rest + spare - lead - between],
            "roll": roll,
            "leave": leave,
            "pause": pause,
        }
        return cls(**fields, is_first=True), cls(**fields, is_first=False)

    def words(self) -> Words:
        one, two = self.colours
        return Words(
            context=f"The video shows {named(one)} ball on the {self.starts} and {named(two)} ball in the middle. The "
            f"{one} ball rolls up to the {two} one and stops as it touches it: the first contact. Then the {two} ball "
            f"rolls off. Later the {two} ball rolls back and stops as it touches the {one} one: the second contact. "
            f"Then the {one} ball rolls off. The contact that sets the touched ball off is followed by its start at "
            "once, without any pause; at the other contact both balls lie still for a while, and then the touched one "
            "rolls off by itself.",
            stem="Which contact sets the touched ball off?",
            options=("the first contact", "the second contact"),
            claims=(
                "Does the first contact set the touched ball off?",
                "Does the second contact set the touched ball off?",
            ),
        )

    def answer(self) -> int:
        return 0 if self.is_first else 1

    def open_question(self) -> Open:
        happens = f"the {self.colours[1]} ball begins to roll off for the first time"
        return when(happens, self.parts()[1][0], self.pause, self.fps)

    def contrast(self) -> float:
        return self.pause / self.fps

    def difference(self) -> str:
        return f"a pause of {self.pause} frames is at the one or at the other contact"

    def parts(self) -> tuple[tuple[int, int], ...]:
        """The frames of the four rolls."""
        touch = self.rests[0] + self.roll
        off = touch + (0 if self.is_first else self.pause)
        back = off + self.leave + self.rests[1]
        again = back + self.roll
        away = again + (self.pause if self.is_first else 0)
        return (self.rests[0], touch), (off, off + self.leave), (back, again), (away, away + self.leave)

    def scene(self, settings: CausalContingencySettings) -> Scene:
        come, off, back, away = self.parts()
        # Clocks of both balls, from home to the middle and from the middle out: the second ball mirrors the first.
        clocks = [STILL] * self.frames
        for frame in range(self.frames):
            if frame < off[0]:
                one = min(self.roll, max(0, frame - come[0])), 0
            elif frame < back[0]:
                one = self.roll, min(self.leave, frame - off[0])
            elif frame < away[0]:
                one = self.roll, self.leave + min(self.roll, frame - back[0])
            elif frame < away[1]:
                one = self.roll + frame - away[0], 0
            else:
                one = 0, 0
            clocks[frame] = (*one, 0)
        near = min(self.pause, self.leave)
        return composed(
            self,
            settings,
            self.look,
            clocks,
            self.pictures,
            spans=self.parts(),
            seen=halves(come[1], near) + halves(back[1], near),
        )

    def pictures(self, stage: Stage, atlas: AtlasBuilder) -> Callable[[Clock], list[Placement]]:
        _, dark = LOOKS[self.look]
        side = 15.0
        rail, line = (
            atlas.add(_box(stage, 98, 24, shade(dark, 1.5), 3)),
            atlas.add(_plain(stage, 94, 18, shade(dark, 2.2), 2)),
        )
        balls = [atlas.add(_ball(stage, side, COLOURS[colour])) for colour in self.colours]
        fixed = [Placement(rail, *stage.point(50, 50)), Placement(line, *stage.point(50, 50))]
        way = 31
        come = positions(ConstantSpeed(self.roll, Fraction(way, self.roll)), self.roll + 1)
        leave = positions(FrictionSlide.from_distance(way, self.leave), self.leave + 1)

        def at(clock: Clock) -> list[Placement]:
            one, two, _ = clock
            # The one begins away from the middle and rolls up to it, then off again; the other the other way round.
            first = way - come[one] if one <= self.roll else leave[one - self.roll]
            second = leave[two] if two <= self.leave else way - come[two - self.leave]
            places = 42.5 - float(first), 57.5 + float(second)
            if self.starts == "right":
                places = 100 - places[0], 100 - places[1]
            return [
                *fixed,
                *(Placement(ball, *stage.point(x, 50)) for ball, x in zip(balls, places, strict=True)),
            ]

        return at


FAMILY = pair_family(
    name="causal_contingency",
    version=1,
    summary="Pairs that differ in cause alone: which contact set something off, and did a contact do so or chance.",
    settings=CausalContingencySettings,
    scripts=(Lamp, Launch, Gate, JackInTheBox, Dominoes),
)

if __name__ == "__main__":
    from generators.command import main

    main(["causal_contingency", *sys.argv[1:]])
