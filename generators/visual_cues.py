"""Visual cues: which of several things has its turn first, third or last, comes on or goes off first, or never follows.

Every thing has a cue that begins and ends in one idle pose, so that cues can come in any order; things that are on
together are on, alone and together, for the same number of frames whichever of them was the first.
"""

import sys
from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import pairwise
from math import pi, sin
from random import Random
from typing import Annotated, Any, ClassVar, Literal, Self

from annotated_types import Len
from pydantic import Field, model_validator

from generators.errors import InputError
from generators.figures import HAIRS, SIDES, SKINS, TROUSERS, Build, Figure, Side
from generators.pairs import draw_real
from generators.props import Props, rimmed
from generators.randomness import Streams
from generators.rendering.scene import Colour, Ellipse, Line, Placement, Polygon, Rectangle, Shape, Sprite, Text, ease
from generators.settings import Resolution
from generators.single_clips import (
    VARIATIONS,
    Asked,
    Demonstration,
    Pictures,
    SingleScript,
    SingleSettings,
    Variation,
    single_clip_family,
)
from generators.stage import COLOURS, INK, LOOKS, PAPER, Stage, shade

# ---------------------------------------------------------------------------------------------------- settings


class VisualCuesSettings(SingleSettings):
    pass


PAINTS = ("blue", "green", "purple", "red", "yellow")
"""Few colours that are far apart, so that clips share their sprites."""

REST_SECONDS = 0.4, 0.9
"""How long all is still at either end of a clip."""

LEAST_CUE = 4
"""Frames that a cue takes, at least."""

LONGEST_CUE = 3.0
"""Seconds that it takes, at most: in a long clip there is more stillness between."""

SPARK_SECONDS = 0.4
"""How long the dashes of a hit are seen, where its cue is not over before."""

RINGING = 12
"""How often a second what vibrates goes over to the other side."""

BALL: Colour = (150, 150, 150)
"""Of the ball that moves as well: none of the colours that are asked about."""

NUMBERS = {2: "two", 3: "three", 4: "four", 5: "five"}
PLACES = ("first", "second", "third", "fourth")

Ask = Literal["at", "after", "before"]
"""Whether it is asked about a turn by its number, or about the one after or before that of a certain thing."""

Moves = Callable[[int, float, float], list[Placement]]
"""What there is beside what stands still, for a cue (-1: idle), the share of it that is over, and the seconds."""

# ---------------------------------------------------------------------------------------------------- cues


class Cued(SingleScript):
    """Things in a row that have cues of the same length. Pose 0 is idle, 1 + k × cue + i is moment i of cue k."""

    VARIATIONS = VARIATIONS
    NUMBERS: ClassVar[tuple[int, ...]]
    """How many things there can be."""
    SHOWS: ClassVar[str]
    """What the video shows, of things of this {number} and these colours, which are {listed}."""
    NAMED: ClassVar[str]
    """The name of one by its {colour}."""
    NUMBERED: ClassVar[str] = ""
    """Where the numbers are written that need not tell anything."""
    SPACING: ClassVar[dict[int, float]] = {2: 34, 3: 26, 4: 21, 5: 17}
    CLOSE: ClassVar[dict[int, float]] = {2: 26, 3: 20, 4: 16.6, 5: 12.6}
    """How far apart so many things are, and how far where the camera is close by."""
    HEIGHT: ClassVar[float] = 50
    """How high such a camera looks."""
    PLATE: ClassVar[float]
    """How high the plates with numbers are."""
    BELOW: ClassVar[float] = 90
    """How high a ball slides that is not asked about."""
    VISIBLE: ClassVar[tuple[float, float]] = (0, 1)
    """The share of a cue in which a look at one frame tells whose it is."""

    look: int = Field(ge=0, lt=len(LOOKS))
    colours: Annotated[list[str], Len(2, 5)]
    """Of the things, from left to right."""
    labels: Annotated[list[int], Len(2, 5)]
    """The numbers that are written on them, where there are any."""
    side: str = Field(pattern="^(left|right)$")
    """Which of two ways it is built, on which side it is done, or which end of it is asked about."""
    cue: int = Field(ge=LEAST_CUE, le=20_000)
    """Frames of a cue."""
    answer: int = Field(ge=0, le=5)
    """Which of the alternatives it is."""

    @model_validator(mode="after")
    def _row(self) -> Self:
        number = len(self.colours)
        if number not in self.NUMBERS or not {*self.colours} <= {*PAINTS} or len({*self.colours}) < number:
            raise ValueError(f"{self.NAME} has one thing of each of several of the colours {', '.join(PAINTS)}")
        if sorted(self.labels) != [*range(1, number + 1)]:
            raise ValueError("the numbers on the things count them, in any order")
        return self

    @classmethod
    def row(cls, settings: VisualCuesSettings, variation: Variation, random: Random, number: int) -> dict[str, Any]:
        """The things that stand in a row, and how they look."""
        return {
            "fps": settings.fps,
            "variation": variation,
            "look": random.randrange(len(LOOKS)),
            "colours": random.sample(PAINTS, number),
            "labels": random.sample(range(1, number + 1), number),
            "side": random.choice(["left", "right"]),
        }

    @property
    def cues(self) -> int:
        """How many different cues there are."""
        return len(self.colours)

    def turns(self) -> list[tuple[int, int]]:
        """Which cue comes when: its number and its first frame."""
        raise NotImplementedError(self)

    def laid(self, cues: Sequence[int], gaps: Sequence[int]) -> list[tuple[int, int]]:
        """These cues one after the other, each with its first frame, and with so much stillness before each."""
        firsts = [sum(gaps[: number + 1]) + number * self.cue for number in range(len(cues))]
        return list(zip(cues, firsts, strict=True))

    def active(self, cue: int) -> Sequence[int]:
        """The things that are active in a cue."""
        return () if cue < 0 else (cue,)

    def named(self, thing: int) -> str:
        return self.NAMED.format(colour=self.colours[thing], kind=self.kind)

    @property
    def kind(self) -> str:
        """What the things are, where it is not the same in all clips."""
        return ""

    def context(self) -> str:
        *others, last = self.colours
        listed = f"{', '.join(others)} and {last}"
        text = self.SHOWS.format(number=NUMBERS[len(self.colours)], kind=self.kind, listed=listed)
        if self.variation == "composite":
            text += " A grey ball slides to and fro as well, which is not asked about."
        if self.variation == "counterfactual":
            text += f" The numbers on the {self.NUMBERED} need not tell any order."
        return text

    def walk(self) -> list[int]:
        walk = [0] * self.frames
        for cue, first in self.turns():
            walk[first : first + self.cue] = range(1 + cue * self.cue, 1 + (cue + 1) * self.cue)
        return walk

    def spans(self) -> tuple[tuple[int, int], ...]:
        return tuple((first, first + self.cue) for _, first in self.turns())

    def windows(self, *shares: tuple[float, float]) -> tuple[tuple[int, int], ...]:
        """The moments of all cues in these shares of them."""
        return tuple(
            (first + max(0, round(low * self.cue)), first + max(round(low * self.cue) + 1, round(high * self.cue)))
            for _, first in self.turns()
            for low, high in shares
        )

    def seen(self) -> tuple[tuple[int, int], ...]:
        return self.windows(self.VISIBLE)

    def measures(self) -> dict[str, int | float]:
        return {"cues": len(self.turns())}

    def focus(self) -> tuple[float, float]:
        return 50, self.HEIGHT

    def camera_phase(self, pose: int, poses: int) -> float:
        """At rest where cues meet, and an eighth of a turn away in the middle of a cue."""
        if not pose:
            return 0.0
        # The same way in every cue, so that where the camera is does not tell which cue it is.
        return pi / 4 * sin(pi * ((pose - 1) % self.cue + 0.5) / self.cue) ** 2

    @property
    def spacing(self) -> float:
        return (self.CLOSE if self.variation == "zoomed_in" else self.SPACING)[len(self.colours)]

    def places(self) -> list[float]:
        """Where the things are, across the stage."""
        middle = (len(self.colours) - 1) / 2
        return [50 + (number - middle) * self.spacing for number in range(len(self.colours))]

    def things(self, props: Props) -> tuple[list[Placement], list[list[list[Placement]]]]:
        """What stands still, and of each thing what else there is at each level: 0 is idle."""
        raise NotImplementedError(self)

    def level(self, progress: float, seconds: float) -> int:
        """At which level an active thing is."""
        return 1

    def drawing(self, props: Props) -> tuple[list[Placement], Moves]:
        """What stands still, and what else there is."""
        still, things = self.things(props)

        def moves(cue: int, progress: float, seconds: float) -> list[Placement]:
            active, level = self.active(cue), self.level(progress, seconds)
            return [one for thing, levels in enumerate(things) for one in levels[level if thing in active else 0]]

        return still, moves

    def is_fresh(self, share: float) -> bool:
        """Whether the dashes of a hit are still seen when this share of its cue has gone by since."""
        return 0 <= share < max(0.4, SPARK_SECONDS * self.fps / self.cue)

    def plates(self, props: Props) -> list[Placement]:
        """The numbers that are written on the things."""
        return [
            props.put(_plate(props, label), x, self.PLATE) for x, label in zip(self.places(), self.labels, strict=True)
        ]

    def pictures(self, settings: VisualCuesSettings) -> Pictures:
        props = Props(Stage(settings.resolution))
        still, moves = self.drawing(props)
        if self.variation == "counterfactual":
            still = [*still, *self.plates(props)]
        ball = None
        if self.variation == "composite":
            groove = props.picture(64, 0.8, Rectangle(0, 0, 64, 0.8, shade(LOOKS[self.look][1], 1.3)))
            still, ball = [*still, props.put(groove, 50, self.BELOW + 3.4)], props.disc(6, 6, BALL)
        ready: list[list[Placement]] = []
        for pose in range(1 + self.cues * self.cue):
            cue, moment = divmod(pose - 1, self.cue)
            progress = (moment + 0.5) / self.cue if pose else 0.0
            placed = [*still, *moves(cue, progress, moment / self.fps if pose else 0.0)]
            if ball is not None:
                placed.append(props.put(ball, 50 + 24 * sin(2 * pi * ease(progress)), self.BELOW))
            ready.append(placed)
        return Pictures(props.atlas.sprites, ready.__getitem__, LOOKS[self.look][0])


class Order(Cued):
    """All have their turn once: which of them has the turn that is asked about?"""

    AT: ClassVar[str]
    """What is asked about a {place}."""
    NEXT: ClassVar[str] = ""
    """What is asked about the turn {beside} that of another one, by its name."""
    LEAST: ClassVar[float] = 0.7
    """Seconds from one turn to the next, at least."""

    order: Annotated[list[int], Len(3, 5)]
    """The turns; the right one changes places with that which has the turn that is asked about."""
    asks: Ask
    place: int = Field(ge=0, le=4)
    gaps: Annotated[list[Annotated[int, Field(ge=1, le=20_000)]], Len(4, 6)]
    """Frames of stillness before, between and after the turns."""

    @model_validator(mode="after")
    def _orders(self) -> Self:
        if sorted(self.order) != [*range(self.cues)] or self.place >= self.cues:
            raise ValueError("everything has one turn, and one of the turns is asked about")
        if len(self.gaps) != self.cues + 1 or sum(self.gaps) + self.cues * self.cue != self.frames:
            raise ValueError(f"turns and stillness around them take {self.frames} frames")
        if self.asks != "at" and (not self.NEXT or self.cues < 4 or not 0 <= self._beside < self.cues):
            raise ValueError("the turn beside another one is asked about where there are enough of them")
        if self.answer >= self.cues or self.answer == self.anchor:
            raise ValueError("the right one is one of those that can have the turn")
        return self

    @classmethod
    def draw(cls, settings: VisualCuesSettings, streams: Streams, variation: Variation) -> Self:
        random = streams("plan")
        frames, before, after = _rests(settings, random)
        moving = frames - before - after
        possible = [
            number
            for number in cls.NUMBERS
            if moving >= cls.turns_of(number) * max(cls.LEAST * settings.fps, 6)
            and (variation != "zoomed_in" or number in cls.CLOSE)
        ]
        if not possible:
            raise _no_room(cls, moving)
        number = random.choice(possible)
        turns = cls.turns_of(number)
        cue, between = _paced(moving, turns, settings.fps, (0.62, 0.74), random)
        can_ask: list[Ask] = ["at", "at", "after", "before"] if cls.NEXT and turns >= 4 else ["at"]
        asks = random.choice(can_ask)
        place = random.randrange(1 if asks == "after" else 0, turns - 1 if asks == "before" else turns)
        order = random.sample(range(turns), turns)
        return cls(
            frames=frames,
            **cls.row(settings, variation, random, number),
            cue=cue,
            order=order,
            asks=asks,
            place=place,
            gaps=[before, *between, frames - before - sum(between) - turns * cue],
            answer=order[place],
        )

    @classmethod
    def turns_of(cls, number: int) -> int:
        """How many turns there are where there are so many things."""
        return number

    @property
    def _beside(self) -> int:
        return self.place + {"at": 0, "after": -1, "before": 1}[self.asks]

    @property
    def anchor(self) -> int | None:
        """The thing beside whose turn it is asked about."""
        return None if self.asks == "at" else self.order[self._beside]

    def alternatives(self) -> list[Self]:
        return [self.model_copy(update={"answer": cue}) for cue in range(self.cues) if cue != self.anchor]

    def says(self) -> str:
        return self.named(self.answer)

    def asked(self) -> Asked:
        if self.anchor is not None:
            stem = self.NEXT.format(beside=self.asks, colour=self.colours[self.anchor], kind=self.kind)
        else:
            place = "last" if self.place == self.cues - 1 else PLACES[self.place]
            stem = self.AT.format(place=place, kind=self.kind)
        return Asked(self.context(), stem)

    def turns(self) -> list[tuple[int, int]]:
        swap = {self.answer: self.order[self.place], self.order[self.place]: self.answer}
        return self.laid([swap.get(cue, cue) for cue in self.order], self.gaps)


class Never(Cued):
    """All have many turns, each equally often in all alternatives: which never follows one of them?"""

    NUMBERS: ClassVar[tuple[int, ...]] = (4,)
    ASKS: ClassVar[str]
    """What is asked about the one of this {colour}."""
    QUICKEST: ClassVar[float] = 0.62
    SLOWEST: ClassVar[float] = 0.95
    """Seconds from one turn to the next."""

    after: int = Field(ge=0, le=3)
    """The thing whose followers are asked about."""
    sequences: Annotated[list[Annotated[list[Annotated[int, Field(ge=0, le=3)]], Len(9, 40)]], Len(4, 4)]
    """The turns, for each thing that may be the right one."""
    gaps: Annotated[list[Annotated[int, Field(ge=1, le=20_000)]], Len(10, 41)]
    """Frames of stillness before, between and after the turns."""

    @model_validator(mode="after")
    def _follows(self) -> Self:
        if self.answer >= self.cues:
            raise ValueError("one of the four is right")
        for never, sequence in enumerate(self.sequences):
            followers = {second for first, second in pairwise(sequence) if first == self.after}
            if followers != {*range(4)} - {never}:
                raise ValueError(f"in sequence {never} all but {never} follow {self.after}")
            if Counter(sequence) != Counter(self.sequences[0]):
                raise ValueError("the sequences have the same turns")
        turns = len(self.sequences[0])
        if len(self.gaps) != turns + 1 or sum(self.gaps) + turns * self.cue != self.frames:
            raise ValueError(f"turns and stillness around them take {self.frames} frames")
        return self

    @classmethod
    def draw(cls, settings: VisualCuesSettings, streams: Streams, variation: Variation) -> Self:
        random = streams("plan")
        frames, before, after = _rests(settings, random)
        moving = frames - before - after
        # So many of the one that is asked about, and of each of the others.
        numbers = [(own, others) for others in range(2, 9) for own in range(3, others + 3)]
        periods = {pair: moving / (pair[0] + 3 * pair[1]) / settings.fps for pair in numbers}
        possible = [pair for pair in numbers if cls.QUICKEST <= periods[pair] <= cls.SLOWEST]
        if not possible:
            possible = [numbers[-1] if periods[numbers[-1]] > cls.SLOWEST else numbers[0]]
        own, others = random.choice(possible)
        turns = own + 3 * others
        if moving < turns * max(0.5 * settings.fps, 6):
            own, others, turns = 3, 2, 9
        if moving < turns * max(0.5 * settings.fps, 6):
            raise _no_room(cls, moving)
        cue, between = _paced(moving, turns, settings.fps, (0.7, 0.78), random)
        anchor = random.randrange(4)
        return cls(
            frames=frames,
            **cls.row(settings, variation, random, 4),
            cue=cue,
            after=anchor,
            sequences=[_sequence(anchor, never, own, others, random) for never in range(4)],
            gaps=[before, *between, frames - before - sum(between) - turns * cue],
            answer=0,
        )

    def alternatives(self) -> list[Self]:
        return [self.model_copy(update={"answer": never}) for never in range(self.cues)]

    def says(self) -> str:
        return self.named(self.answer)

    def asked(self) -> Asked:
        colour = self.colours[self.after]
        rule = f"The same one may come twice in a row, the {colour} one too."
        return Asked(self.context(), f"{rule} {self.ASKS.format(colour=colour)}")

    def turns(self) -> list[tuple[int, int]]:
        return self.laid(self.sequences[self.answer], self.gaps)

    def seen(self) -> tuple[tuple[int, int], ...]:
        # That one comes twice in a row is told by the stillness between.
        shown = self.windows(self.VISIBLE)
        return tuple(sorted([*shown, *((end, first) for (_, end), (first, _) in pairwise(shown))]))


class Together(Cued):
    """Things that are on alone or all at once: which is the first to come on, or the last to go off?

    The first comes on alone, the others join it, all go off, and the others come on one by one; or all come on at once,
    and later one by one. For the last to go off it is the other way round.
    """

    NUMBERS: ClassVar[tuple[int, ...]] = (2, 3)
    RULE: ClassVar[str]
    """What happens, with the words for {all} of them."""
    FIRST: ClassVar[str]
    LAST: ClassVar[str]

    end: Literal["first", "last"]
    later: Annotated[list[int], Len(2, 3)]
    """The order of those that are on alone."""
    gap: int = Field(ge=1, le=20_000)
    rests: Annotated[list[Annotated[int, Field(ge=1, le=20_000)]], Len(2, 2)]
    """Frames of stillness before and after."""

    @model_validator(mode="after")
    def _joins(self) -> Self:
        number = len(self.colours)
        if sorted(self.later) != [*range(number)] or self.answer > number:
            raise ValueError("everything is on alone once, and one of them or all at once are right")
        if sum(self.rests) + (number + 1) * self.cue + number * (number - 1) * self.gap != self.frames:
            raise ValueError(f"all that is on and the stillness around take {self.frames} frames")
        return self

    @classmethod
    def draw(cls, settings: VisualCuesSettings, streams: Streams, variation: Variation) -> Self:
        random = streams("plan")
        frames, before, after = _rests(settings, random)
        moving, number = frames - before - after, random.choice(cls.NUMBERS)
        gaps = number * (number - 1)
        share = random.uniform(0.18, 0.26)
        gap = max(1, round(share * moving / gaps))
        cue = min((moving - gaps * gap) // (number + 1), round(LONGEST_CUE * settings.fps))
        if cue < max(0.4 * settings.fps, LEAST_CUE):
            raise _no_room(cls, moving)
        gap = (moving - (number + 1) * cue) // gaps
        after = frames - before - (number + 1) * cue - gaps * gap
        return cls(
            frames=frames,
            **cls.row(settings, variation, random, number),
            cue=cue,
            end=random.choice(["first", "last"]),
            later=random.sample(range(number), number),
            gap=gap,
            rests=[before, after],
            answer=0,
        )

    @property
    def cues(self) -> int:
        return len(self.colours) + 1

    def active(self, cue: int) -> Sequence[int]:
        return range(len(self.colours)) if cue == len(self.colours) else super().active(cue)

    def alternatives(self) -> list[Self]:
        return [self.model_copy(update={"answer": answer}) for answer in range(self.cues)]

    def says(self) -> str:
        return self.named(self.answer) if self.answer < len(self.colours) else f"{self.every} at once"

    @property
    def every(self) -> str:
        return "both" if len(self.colours) == 2 else "all three"

    def asked(self) -> Asked:
        stem = self.FIRST if self.end == "first" else self.LAST
        at_once = f"{self.every.capitalize()} at once means in the same moment."
        return Asked(f"{self.context()} {self.RULE.format(all=self.every)}", f"{stem} {at_once}")

    def turns(self) -> list[tuple[int, int]]:
        number = len(self.colours)
        # In both ways there is as much stillness between.
        if self.answer < number:
            cues = [self.answer, number, *(one for one in self.later if one != self.answer)]
            gaps = [0, *[number * self.gap] * (number - 1)]
        else:
            cues, gaps = [number, *self.later], [(number - 1) * self.gap] * number
        if self.end == "last":
            cues, gaps = cues[::-1], gaps[::-1]
        return self.laid(cues, [self.rests[0], *gaps])


def _rests(settings: VisualCuesSettings, random: Random) -> tuple[int, int, int]:
    """The frames of a clip, and those of stillness before and after."""
    frames = round(draw_real(settings.seconds, random) * settings.fps)
    before, after = (max(1, round(random.uniform(*REST_SECONDS) * settings.fps)) for _ in range(2))
    return frames, before, after


def _paced(moving: int, turns: int, fps: int, share: tuple[float, float], random: Random) -> tuple[int, list[int]]:
    """How long each of so many turns is, and the gaps between them, which together take no more than `moving`.

    The turns have a share between these two of all the time.
    """
    cue = max(LEAST_CUE, min(round(random.uniform(*share) * moving / turns), round(LONGEST_CUE * fps)))
    left = moving - turns * cue - (turns - 1)
    weights = [random.uniform(0.6, 1.4) for _ in range(turns - 1)]
    return cue, [1 + int(left * weight / sum(weights)) for weight in weights]


def _no_room(script: type[Cued], moving: int) -> InputError:
    return InputError(f"{moving} moving frames are too few for the turns of {script.NAME}: raise --seconds or --fps")


def _sequence(anchor: int, never: int, own: int, others: int, random: Random) -> list[int]:
    """Turns of four things, `own` of the anchor and `others` of each other one, in which all but one follow it."""
    rest = [one for one in range(4) if one != anchor]
    followers = [one for one in rest if one != never]
    random.shuffle(followers)
    blocks = [[anchor, one] for one in followers]
    if never != anchor:
        blocks[0].insert(0, anchor)
    while sum(block.count(anchor) for block in blocks) < own:
        blocks.append([anchor, random.choice(followers)])
    used = Counter(one for block in blocks for one in block)
    blocks += [[one] for one in rest for _ in range(others - used[one])]
    random.shuffle(blocks)
    return [one for block in blocks for one in block]


# ---------------------------------------------------------------------------------------------------- what they share


def _plate(props: Props, number: int) -> int:
    """A plate with a number."""
    side, unit = props.stage.even(5.6), props.stage.unit
    ring = [Ellipse(0, 0, side, side, INK), Ellipse(unit * 0.5, unit * 0.5, side - unit, side - unit, PAPER)]
    return props.atlas.add(Sprite(side, side, (*ring, Text(side / 2, side / 2, str(number), 4.4 * unit, INK))))


def _strip(props: Props, top: float, high: float, colour: Colour) -> Placement:
    """A strip from side to side, and beyond."""
    width = max(props.stage.resolution) / props.stage.unit + 14
    edge = Rectangle(0, 0, width, 1.2, shade(colour, 0.85))
    strip = props.picture(width, high, Rectangle(0, 0, width, high, colour), edge)
    return props.put(strip, 50, top + high / 2)


def _floor(props: Props, look: int, top: float) -> Placement:
    return _strip(props, top, 108 - top, shade(LOOKS[look][1], 2.2))


# ---------------------------------------------------------------------------------------------------- lamps


class LampRow(Cued):
    """Lamps that hang from a rail."""

    DEMONSTRATION: ClassVar[Demonstration] = "object"
    NAMED: ClassVar[str] = "the {colour} lamp"
    NUMBERED: ClassVar[str] = "lamps"
    HEIGHT: ClassVar[float] = 46
    PLATE: ClassVar[float] = 46

    def things(self, props: Props) -> tuple[list[Placement], list[list[list[Placement]]]]:
        dark = LOOKS[self.look][1]
        bulb = props.disc(6, 6, (206, 206, 202))
        lit = props.picture(6, 6, *rimmed(Ellipse(0, 0, 6, 6, (255, 226, 84))))
        halo = props.picture(14, 14, Ellipse(0, 0, 14, 14, (255, 240, 140)))
        rays = props.picture(
            12, 6, *(Line(((6 + 3.4 * dx, 0.6), (6 + 5.4 * dx, 5 - abs(dx))), 0.8, (226, 160, 20)) for dx in (-1, 0, 1))
        )
        still = [_floor(props, self.look, 82), _strip(props, 20, 3, dark)]
        levels = []
        for x, colour in zip(self.places(), self.colours, strict=True):
            paint = COLOURS[colour]
            cable = Rectangle(4.9, 0, 1.2, 20, dark)
            rim = Polygon(((3.4, 18), (7.6, 18), (11, 28), (0, 28)), shade(paint, 0.6))
            lamp = props.picture(
                11, 28, cable, rim, Polygon(((3.8, 18.6), (7.2, 18.6), (10.1, 27.4), (0.9, 27.4)), paint)
            )
            still.append(props.put(lamp, x, 37, depth=1))
            levels.append(
                [
                    [props.put(bulb, x, 52)],
                    [props.put(halo, x, 53, opacity=0.75), props.put(lit, x, 52), props.put(rays, x, 60.5)],
                ]
            )
        return still, levels

    def plates(self, props: Props) -> list[Placement]:
        return [one._replace(depth=2) for one in super().plates(props)]


class Lamps(LampRow, Order):
    NAME: ClassVar[str] = "lamps"
    NUMBERS: ClassVar[tuple[int, ...]] = (3, 4, 5)
    SHOWS: ClassVar[str] = (
        "The video shows {number} lamps with shades of different colours: {listed}. Each of them lights up once, one "
        "at a time."
    )
    AT: ClassVar[str] = "Which lamp is the {place} to light up?"
    NEXT: ClassVar[str] = "Which lamp lights up right {beside} the {colour} one?"


class LampsTogether(LampRow, Together):
    NAME: ClassVar[str] = "lamps_together"
    SHOWS: ClassVar[str] = "The video shows {number} lamps with shades of different colours: {listed}."
    RULE: ClassVar[str] = "They go on and off again, now one of them alone, now {all} together."
    FIRST: ClassVar[str] = "Which lamp is the first in the video to go on?"
    LAST: ClassVar[str] = "Which lamp is the last in the video to go off?"


# ---------------------------------------------------------------------------------------------------- alarm clocks


class AlarmClocks(Together):
    """Alarm clocks on a shelf that shake while they ring."""

    NAME: ClassVar[str] = "alarm_clocks"
    DEMONSTRATION: ClassVar[Demonstration] = "object"
    NAMED: ClassVar[str] = "the {colour} clock"
    NUMBERED: ClassVar[str] = "shelf below them"
    SHOWS: ClassVar[str] = "The video shows {number} alarm clocks of different colours: {listed}."
    RULE: ClassVar[str] = (
        "One that rings shakes, with dashes above its bells. They start and stop ringing, now one of them alone, now "
        "{all} together."
    )
    FIRST: ClassVar[str] = "Which clock is the first in the video to ring?"
    LAST: ClassVar[str] = "Which clock is the last in the video to stop ringing?"
    HEIGHT: ClassVar[float] = 54
    PLATE: ClassVar[float] = 68

    def things(self, props: Props) -> tuple[list[Placement], list[list[list[Placement]]]]:
        dark = LOOKS[self.look][1]
        marks = props.picture(
            16, 5, *(Line(((8 + 5 * dx, 4.4 - 1.4 * (not dx)), (8 + 7 * dx, 0.6)), 0.9, INK) for dx in (-1, 0, 1))
        )
        still = [_floor(props, self.look, 80), _strip(props, 64.4, 6.4, shade(dark, 1.5))]
        levels = []
        for x, colour in zip(self.places(), self.colours, strict=True):
            clock = _clock(props, COLOURS[colour])
            rings = [[props.put(clock, x, 54, shift), props.put(marks, x, 41.5)] for shift in (-0.9, 0.9)]
            levels.append([[props.put(clock, x, 54)], *rings])
        return still, levels

    def level(self, progress: float, seconds: float) -> int:
        return 1 + int(seconds * RINGING) % 2


def _clock(props: Props, paint: Colour) -> int:
    bells = [
        shape
        for left in (1.6, 10.4)
        for shape in (Ellipse(left, 1, 7, 6, shade(paint, 0.6)), Ellipse(left + 0.6, 1.6, 5.8, 4.8, paint))
    ]
    feet = [Line(((9.5 + dx * 5, 17), (9.5 + dx * 7, 20.6)), 1.4, INK) for dx in (-1, 1)]
    body: list[Shape] = [*rimmed(Ellipse(2, 3.6, 15, 15, paint)), *rimmed(Ellipse(4.4, 6, 10.2, 10.2, PAPER), 0.4)]
    hands = [Line(((9.5, 11.1), (9.5, 7.4)), 0.8, INK), Line(((9.5, 11.1), (12, 12.4)), 0.8, INK)]
    handle = Line(((7.4, 2.6), (8, 0.7), (11, 0.7), (11.6, 2.6)), 0.8, INK)
    return props.picture(19, 21, handle, *bells, *feet, *body, *hands)


# ---------------------------------------------------------------------------------------------------- strings


class Strings(Order):
    """A harp in a frame, whose strings are plucked and vibrate until they are still again."""

    NAME: ClassVar[str] = "strings"
    DEMONSTRATION: ClassVar[Demonstration] = "object"
    NUMBERS: ClassVar[tuple[int, ...]] = (3, 4, 5)
    SHOWS: ClassVar[str] = (
        "The video shows an instrument with {number} strings of different colours: {listed}. Each of them is plucked "
        "once, one at a time, and vibrates for a while."
    )
    NAMED: ClassVar[str] = "the {colour} string"
    NUMBERED: ClassVar[str] = "base below the strings"
    AT: ClassVar[str] = "Which string is the {place} to be plucked?"
    NEXT: ClassVar[str] = "Which string is plucked right {beside} the {colour} one?"
    PLATE: ClassVar[float] = 77.6
    BELOW: ClassVar[float] = 91
    SPACING: ClassVar[dict[int, float]] = {3: 18, 4: 14, 5: 12}
    CLOSE: ClassVar[dict[int, float]] = {3: 16, 4: 12.4, 5: 9.6}
    SWINGS: ClassVar[tuple[float, ...]] = (3.4, 2.4, 1.4)
    """How far a string swings to either side, from first to last."""

    def things(self, props: Props) -> tuple[list[Placement], list[list[list[Placement]]]]:
        wood, xs, high = (150, 100, 58), self.places(), 46.0
        span = xs[-1] - xs[0]
        yoke, base = props.box(span + 20, 5, wood, 2), props.box(span + 22, 10, wood, 3)
        post = props.box(3, 50, shade(wood, 0.85))
        still = [props.put(post, 50, 50, sense * (span / 2 + 8.2)) for sense in (-1, 1)]
        still += [props.put(yoke, 50, 25.4, depth=1), props.put(base, 50, 77.6, depth=1)]
        levels = []
        for x, colour in zip(xs, self.colours, strict=True):

            def string(swing: float, paint: Colour = COLOURS[colour]) -> int:
                points = tuple((4.5 + swing * sin(pi * n / 10), high * n / 10) for n in range(11))
                return props.picture(9, high, Line(points, 1.3, paint))

            swings = [0.0, *(sense * swing for swing in self.SWINGS for sense in (-1, 1))]
            levels.append([[props.put(string(swing), x, 50)] for swing in swings])
        return still, levels

    def plates(self, props: Props) -> list[Placement]:
        return [one._replace(depth=2) for one in super().plates(props)]

    def level(self, progress: float, seconds: float) -> int:
        return 1 + 2 * int(progress * len(self.SWINGS)) + int(seconds * RINGING) % 2


# ---------------------------------------------------------------------------------------------------- drums


class DrumRow(Cued):
    """Drums under a beam with a mallet over each."""

    DEMONSTRATION: ClassVar[Demonstration] = "object"
    NAMED: ClassVar[str] = "the {colour} drum"
    NUMBERED: ClassVar[str] = "drums"
    PLATE: ClassVar[float] = 70
    CLOSE: ClassVar[dict[int, float]] = {3: 20, 4: 15.8, 5: 12.2}
    VISIBLE: ClassVar[tuple[float, float]] = (0.115, 0.84)
    DOWN: ClassVar[tuple[float, float]] = (0.25, 0.65)
    """The share of a cue in which the mallet lies on the skin."""
    STEPS: ClassVar[int] = 8

    def things(self, props: Props) -> tuple[list[Placement], list[list[list[Placement]]]]:
        dark, xs = LOOKS[self.look][1], self.places()
        wide = xs[-1] - xs[0] + 20
        beam, post = props.box(wide, 6, dark, 1), props.box(3, 54, shade(dark, 1.3))
        still = [_floor(props, self.look, 76), *(props.put(post, 50, 50, sense * (wide / 2 - 3)) for sense in (-1, 1))]
        still.append(props.put(beam, 50, 27, depth=1))
        head = rimmed(Ellipse(0, 27, 6, 6, shade(INK, 2)))
        mallet = props.picture(6, 33, Rectangle(2.4, 0, 1.2, 29, shade((176, 112, 66), 0.9)), *head)
        spark = _spark(props)
        levels = []
        for x, colour in zip(xs, self.colours, strict=True):
            still.append(props.put(_drum(props, 12, 18, COLOURS[colour]), x, 69))
            hits = [[props.put(mallet, x, 33, 0, 11.5 * step / self.STEPS)] for step in range(self.STEPS + 1)]
            levels.append([*hits, *([*hit, props.put(spark, x, 57.5)] for hit in hits)])
        return still, levels

    def level(self, progress: float, seconds: float) -> int:
        first, last = self.DOWN
        step = round(self.STEPS * ease(min(progress / first, (1 - progress) / (1 - last))))
        # The dashes stay for long enough to be seen, though the mallet is up again.
        return step + (self.STEPS + 1) * self.is_fresh(progress - first)


def _spark(props: Props) -> int:
    """The dashes of a hit."""
    return props.picture(14, 5, *(Line(((7 + 4.4 * dx, 4.4), (7 + 6.4 * dx, 1)), 0.8, INK) for dx in (-1, 1)))


def _drum(props: Props, wide: float, high: float, paint: Colour) -> int:
    """A drum of this colour; the middle of its skin is 2.2 units below the top of its picture."""
    dark = shade(paint, 0.6)
    shell: list[Shape] = [Rectangle(0, 2.2, wide, high - 4.4, dark), Ellipse(0, high - 4.4, wide, 4.4, dark)]
    shell += [Rectangle(0.6, 2.2, wide - 1.2, high - 4.8, paint), Ellipse(0.6, high - 4.6, wide - 1.2, 4, paint)]
    cords = [Line(((wide / 2 + x, 4), (wide / 2 + x + 1.4, high - 1.4)), 0.5, shade(paint, 1.7)) for x in (-4, 2.4)]
    return props.picture(
        wide, high, *shell, *cords, Ellipse(0, 0, wide, 4.4, dark), Ellipse(0.7, 0.5, wide - 1.4, 3.3, PAPER)
    )


class Drums(DrumRow, Order):
    NAME: ClassVar[str] = "drums"
    NUMBERS: ClassVar[tuple[int, ...]] = (3, 4, 5)
    SHOWS: ClassVar[str] = (
        "The video shows {number} drums of different colours, {listed}, with a mallet over each. Each drum is hit "
        "once, one at a time."
    )
    AT: ClassVar[str] = "Which drum is the {place} to be hit?"
    NEXT: ClassVar[str] = "Which drum is hit right {beside} the {colour} one?"


class DrumPattern(DrumRow, Never):
    NAME: ClassVar[str] = "drum_pattern"
    SHOWS: ClassVar[str] = (
        "The video shows {number} drums of different colours, {listed}, with a mallet over each. The drums are hit "
        "several times each, one at a time."
    )
    ASKS: ClassVar[str] = "Which drum is never hit right after the {colour} drum?"


# ---------------------------------------------------------------------------------------------------- plain shapes


class Tiles(Never):
    """Four tiles that light up, in a square or in a diamond."""

    NAME: ClassVar[str] = "tiles"
    DEMONSTRATION: ClassVar[Demonstration] = "simulated"
    SHOWS: ClassVar[str] = (
        "The video shows {number} tiles of different colours: {listed}. They light up several times each, one at a "
        "time, with a white edge while they do."
    )
    NAMED: ClassVar[str] = "the {colour} tile"
    NUMBERED: ClassVar[str] = "tiles"
    ASKS: ClassVar[str] = "Which tile never lights up right after the {colour} tile?"
    BELOW: ClassVar[float] = 88
    VISIBLE: ClassVar[tuple[float, float]] = (0, 0.75)

    def level(self, progress: float, seconds: float) -> int:
        return int(progress < self.VISIBLE[1])

    def corners(self) -> list[tuple[float, float]]:
        if self.side == "left":
            return [(50 + x, 48 + y) for y in (-11, 11) for x in (-11, 11)]
        return [(50 + x, 48 + y) for x, y in ((0, -16), (-16, 0), (16, 0), (0, 16))]

    def things(self, props: Props) -> tuple[list[Placement], list[list[list[Placement]]]]:
        side = 48 if self.side == "left" else 58
        still, levels = [props.put(props.box(side, side, (58, 56, 62), 3), 50, 48)], []
        for (x, y), colour in zip(self.corners(), self.colours, strict=True):
            paint = COLOURS[colour]
            off = props.picture(17, 17, Rectangle(0, 0, 17, 17, shade(paint, 0.72), 2))
            edge = Rectangle(0, 0, 20, 20, PAPER, 3)
            lit = props.picture(20, 20, edge, Rectangle(1.8, 1.8, 16.4, 16.4, shade(paint, 1.35), 2))
            levels.append([[props.put(off, x, y)], [props.put(lit, x, y, depth=1)]])
        return still, levels

    def plates(self, props: Props) -> list[Placement]:
        places = zip(self.corners(), self.labels, strict=True)
        return [props.put(_plate(props, label), x, y, depth=2) for (x, y), label in places]


class Hops(Order):
    """Squares, discs and triangles on a line that hop up."""

    NAME: ClassVar[str] = "hops"
    DEMONSTRATION: ClassVar[Demonstration] = "simulated"
    NUMBERS: ClassVar[tuple[int, ...]] = (3, 4, 5)
    SHOWS: ClassVar[str] = (
        "The video shows {number} {kind}s of different colours on a line: {listed}. Each of them hops up once, one at "
        "a time."
    )
    NAMED: ClassVar[str] = "the {colour} {kind}"
    NUMBERED: ClassVar[str] = "ground below them"
    AT: ClassVar[str] = "Which {kind} is the {place} to hop?"
    NEXT: ClassVar[str] = "Which {kind} hops right {beside} the {colour} one?"
    PLATE: ClassVar[float] = 72
    STEPS: ClassVar[int] = 24
    HOP_SECONDS: ClassVar[float] = 0.7
    """How long a hop is, where its cue is not shorter: before and after it there is rest."""

    @property
    def kind(self) -> str:
        return "shape" if self.side == "left" else ("disc", "square", "triangle")[self.look % 3]

    @property
    def share(self) -> float:
        """The share of a cue that is a hop."""
        return min(1.0, self.HOP_SECONDS * self.fps / self.cue)

    def seen(self) -> tuple[tuple[int, int], ...]:
        return self.windows((0.5 - 0.35 * self.share, 0.5 + 0.35 * self.share))

    def things(self, props: Props) -> tuple[list[Placement], list[list[list[Placement]]]]:
        still, levels = [_floor(props, self.look, 66)], []
        for number, (x, colour) in enumerate(zip(self.places(), self.colours, strict=True)):
            paint, kind = COLOURS[colour], (self.look + number * (self.side == "left")) % 3
            if kind == 0:
                shape = props.disc(10, 10, paint)
            elif kind == 1:
                shape = props.box(10, 10, paint, 1)
            else:
                outer, inner = ((5, 0), (10, 10), (0, 10)), ((5, 1.5), (8.9, 9.3), (1.1, 9.3))
                shape = props.picture(10, 10, Polygon(outer, shade(paint, 0.6)), Polygon(inner, paint))
            levels.append([[props.put(shape, x, 61, 0, -22 * step / self.STEPS)] for step in range(self.STEPS + 1)])
        return still, levels

    def level(self, progress: float, seconds: float) -> int:
        off = (2 * progress - 1) / self.share
        return round(self.STEPS * max(0.0, 1 - off**2))


# ---------------------------------------------------------------------------------------------------- people


SHIRTS = {"blue": (0, 1), "green": (3, 0), "purple": (1, 2), "red": (4, 0), "yellow": (2, 4)}
"""The skin and the hair of the person in a shirt of each colour, so that clips share the sprites of people."""

Arm = tuple[Side, int, int]
"""An arm on a side of the picture, and its two angles."""
Drawn = tuple[list[list[Placement]], tuple[Sprite, ...], list[tuple[float, float]]]


@lru_cache(maxsize=256)
def _drawn(resolution: Resolution, build: Build, y: float, arms: tuple[Arm, ...]) -> Drawn:
    """A person in the middle of the stage: what is placed, without arms and for each pose of an arm."""
    props = Props(Stage(resolution))
    figure = Figure(props, build)
    placed = [figure.standing(50, y), *(figure.arm(side, 50, y, upper, fore) for side, upper, fore in arms)]
    return placed, props.atlas.sprites, [figure.hand_at(side, 50, y, upper, fore) for side, upper, fore in arms]


def _person(
    props: Props, build: Build, x: float, y: float, arms: Sequence[Arm]
) -> tuple[list[Placement], list[list[Placement]]]:
    """A person whose feet are there, without arms, and each pose of an arm; what they look like is worked out once."""
    placed, sprites, _ = _drawn(props.stage.resolution, build, y, tuple(arms))
    numbers, aside = (
        [props.atlas.add(sprite) for sprite in sprites],
        props.stage.point(x, y)[0] - props.stage.point(50, y)[0],
    )
    standing, *raised = ([one._replace(sprite=numbers[one.sprite], x=one.x + aside) for one in part] for part in placed)
    return standing, raised


def _in_shirt(colour: str, height: float) -> Build:
    skin, hair = SHIRTS[colour]
    return Build(height, COLOURS[colour], TROUSERS[skin % 2], SKINS[skin], HAIRS[hair])


class RaisedArms(Order):
    """People in a row; an arm goes up beside the body."""

    NAME: ClassVar[str] = "raised_arms"
    DEMONSTRATION: ClassVar[Demonstration] = "human"
    NUMBERS: ClassVar[tuple[int, ...]] = (3, 4)
    SHOWS: ClassVar[str] = (
        "The video shows {number} people in shirts of different colours: {listed}. Each of them raises an arm once and "
        "lowers it again, one person at a time."
    )
    NAMED: ClassVar[str] = "the one in the {colour} shirt"
    NUMBERED: ClassVar[str] = "shirts"
    AT: ClassVar[str] = "Who is the {place} to raise an arm?"
    NEXT: ClassVar[str] = "Who raises an arm right {beside} the one in the {colour} shirt?"
    HEIGHT: ClassVar[float] = 56
    PLATE: ClassVar[float] = 55
    VISIBLE: ClassVar[tuple[float, float]] = (0.2, 0.8)
    TALL: ClassVar[float] = 36
    FEET: ClassVar[float] = 78
    BELOW: ClassVar[float] = 91
    CLOSE: ClassVar[dict[int, float]] = {3: 19}
    ARM: ClassVar[tuple[tuple[int, int], ...]] = (
        (6, 6), (12, 48), (18, 90), (30, 126), (60, 150), (108, 168), (150, 174),
    )  # fmt: skip
    """The angles of an arm on its way up, as on the right side."""

    def focus(self) -> tuple[float, float]:
        return 48 if self.side == "left" else 52, self.HEIGHT

    def things(self, props: Props) -> tuple[list[Placement], list[list[list[Placement]]]]:
        side: Side = "left" if self.side == "left" else "right"
        other: Side = "right" if side == "left" else "left"
        sense = -1 if side == "left" else 1
        still, levels = [_floor(props, self.look, self.FEET - 4)], []
        for x, colour in zip(self.places(), self.colours, strict=True):
            arms = [(other, -6 * sense, -6 * sense), *((side, sense * up, sense * on) for up, on in self.ARM)]
            standing, (hanging, *raised) = _person(props, _in_shirt(colour, self.TALL), x, self.FEET, arms)
            still += [*standing, *hanging]
            levels.append(raised)
        return still, levels

    def level(self, progress: float, seconds: float) -> int:
        return round((len(self.ARM) - 1) * ease(min(1.0, 3.2 * min(progress, 1 - progress))))


class Flags(Order):
    """Two people raise flags three times: either is the first once, or the last to lower it, and once both are even."""

    NAME: ClassVar[str] = "flags"
    DEMONSTRATION: ClassVar[Demonstration] = "human"
    VARIATIONS = ("plain", "composite", "zoomed_in", "first_person")
    NUMBERS: ClassVar[tuple[int, ...]] = (2,)
    SHOWS: ClassVar[str] = (
        "The video shows {number} people in shirts of different colours, {listed}, who raise a flag and lower it again "
        "three times."
    )
    NAMED: ClassVar[str] = "the one in the {colour} shirt"
    AT: ClassVar[str] = ""
    LEAST: ClassVar[float] = 1.2
    HEIGHT: ClassVar[float] = 56
    CLOSE: ClassVar[dict[int, float]] = {2: 17.4}
    TALL: ClassVar[float] = 42
    FEET: ClassVar[float] = 83
    BELOW: ClassVar[float] = 92
    ARM: ClassVar[tuple[tuple[int, int], ...]] = ((18, 42), (42, 78), (72, 108), (96, 132), (120, 150), (144, 168))
    LAG: ClassVar[float] = 0.3
    """The share of a round by which one is later than the other."""
    VISIBLE: ClassVar[tuple[float, float]] = (0.12, 0.28)
    """The share of a round in which only one of two has its flag up."""

    @classmethod
    def turns_of(cls, number: int) -> int:
        return 3

    @property
    def cues(self) -> int:
        return 3

    @property
    def is_last(self) -> bool:
        """Whether it is asked about the end of a round."""
        return self.side == "right"

    def says(self) -> str:
        return self.named(self.answer) if self.answer < 2 else "both at once"

    def asked(self) -> Asked:
        ask = "the last to lower" if self.is_last else "the first to raise"
        at_once = "Both at once means in the same moment."
        return Asked(self.context(), f"The {PLACES[self.place]} time, who is {ask} the flag? {at_once}")

    def seen(self) -> tuple[tuple[int, int], ...]:
        low, high = self.VISIBLE
        alone = (1 - high, 1 - low) if self.is_last else (low, high)
        both = (0.45, 0.6) if self.is_last else (0.4, 0.55)
        every = self.windows(*sorted([alone, both]))
        down = [(first + self.cue, following) for (_, first), (_, following) in pairwise(self.turns())]
        return tuple(sorted([*every, *down]))

    def drawing(self, props: Props) -> tuple[list[Placement], Moves]:
        still = [_floor(props, self.look, self.FEET - 4)]
        wood, orange = shade((150, 104, 66), 0.8), COLOURS["orange"]
        levels: list[list[list[Placement]]] = []
        for side, sense, x, colour in zip(SIDES, (-1, 1), self.places(), self.colours, strict=True):
            other: Side = "right" if side == "left" else "left"
            arms: list[Arm] = [(side, sense * up, sense * on) for up, on in self.ARM]
            arms.append((other, -6 * sense, -6 * sense))
            build = _in_shirt(colour, self.TALL)
            standing, (*raised, hanging) = _person(props, build, x, self.FEET, arms)
            still += [*standing, *hanging]
            # The cloth is on the inner side of the pole.
            rim, cloth = (
                tuple((8.5 - sense * across, down) for across, down in points)
                for points in (((0, 0.4), (7.6, 1.2), (7.6, 7.4), (0, 7)), ((0, 1), (7, 1.7), (7, 6.8), (0, 6.4)))
            )
            pole = Rectangle(8, 0, 1, 14, wood)
            flag = props.picture(17, 14, Polygon(rim, shade(orange, 0.7)), Polygon(cloth, orange), pole)
            hands = _drawn(props.stage.resolution, build, self.FEET, tuple(arms))[2]
            # A hand is over the pole that it holds.
            levels.append(
                [
                    [props.put(flag, x - 50 + hand[0], hand[1], 0, -4.5), *arm]
                    for hand, arm in zip(hands, raised, strict=False)
                ]
            )
        top = len(self.ARM) - 1

        def moves(cue: int, progress: float, seconds: float) -> list[Placement]:
            early = 1 - progress if self.is_last else progress
            placed = []
            for thing, arm in enumerate(levels):
                # Who is not the first comes later, and where both are even they come in between.
                start = self.LAG / 2 if cue == 2 else self.LAG * (thing != cue)
                up = ease(min((early - start) / 0.13, (1 - early) / 0.13)) if cue >= 0 else 0.0
                placed += arm[round(top * up)]
            return placed

        return still, moves


class Drummer(Never):
    """A person who hits four drums with the hands."""

    NAME: ClassVar[str] = "drummer"
    DEMONSTRATION: ClassVar[Demonstration] = "human"
    SHOWS: ClassVar[str] = (
        "The video shows a person with {number} drums of different colours: {listed}. The drums are hit several times "
        "each with a hand, one at a time."
    )
    NAMED: ClassVar[str] = "the {colour} drum"
    NUMBERED: ClassVar[str] = "drums"
    ASKS: ClassVar[str] = "Which drum is never hit right after the {colour} drum?"
    HEIGHT: ClassVar[float] = 58
    PLATE: ClassVar[float] = 71
    VISIBLE: ClassVar[tuple[float, float]] = (0.06, 0.8)
    TALL: ClassVar[float] = 56
    FEET: ClassVar[float] = 88
    SKIN: ClassVar[float] = 61
    """How high the skins of the drums are."""
    ASIDE: ClassVar[tuple[float, ...]] = (-21.5, -8, 8, 21.5)
    BELOW: ClassVar[float] = 94
    STEPS: ClassVar[tuple[tuple[float, int], ...]] = (
        (0.06, 1), (0.18, 2), (0.25, 3), (0.6, 4), (0.66, 3), (0.8, 2), (0.9, 1),
    )  # fmt: skip
    """Until which share of a cue the hand is at which of its places."""

    def places(self) -> list[float]:
        return [50 + x for x in self.ASIDE]

    @classmethod
    @lru_cache(maxsize=16)
    def _arms(cls, resolution: Resolution) -> list[Arm]:
        """Both arms at rest, and then, for each drum, four poses of an arm on its way down to it."""
        figure = Figure(Props(Stage(resolution)), Build(cls.TALL, INK, INK, INK, INK))

        def reached(x: float, y: float) -> Arm:
            side = SIDES[x > 0]
            return side, *figure.reach(side, 50, cls.FEET, 50 + x, y, elbow="out")

        arms = [reached(x, cls.SKIN - 6) for x in (-14.5, 14.5)]
        for x in cls.ASIDE:
            ways = [((x + (14.5 if x > 0 else -14.5)) / 2, 9), (x, 10), (x, 5), (x, 1)]
            arms += [reached(across, cls.SKIN - up) for across, up in ways]
        return arms

    def drawing(self, props: Props) -> tuple[list[Placement], Moves]:
        xs = self.places()
        still = [_floor(props, self.look, self.FEET - 4)]
        build = Build(self.TALL, COLOURS["orange" if self.look % 2 else "pink"], TROUSERS[0], SKINS[3], HAIRS[0])
        standing, (left, right, *raised) = _person(props, build, 50, self.FEET, self._arms(props.stage.resolution))
        still += standing
        for x, colour in zip(xs, self.colours, strict=True):
            still.append(props.put(_drum(props, 12, 18, COLOURS[colour]), x, self.SKIN + 6.8))
        spark = _spark(props)
        sparks = [props.put(spark, x, self.SKIN - 3) for x in xs]

        def moves(cue: int, progress: float, seconds: float) -> list[Placement]:
            if cue < 0:
                return [*left, *right]
            step = next((step for until, step in self.STEPS if progress < until), 0)
            other, own = (right, left) if cue < 2 else (left, right)
            placed = [*other, *(raised[4 * cue + step - 1] if step else own)]
            return [*placed, sparks[cue]] if self.is_fresh(progress - self.STEPS[2][0]) else placed

        return still, moves


EVERY: tuple[type[Cued], ...] = (
    Lamps,
    LampsTogether,
    AlarmClocks,
    Strings,
    Drums,
    DrumPattern,
    RaisedArms,
    Flags,
    Drummer,
    Tiles,
    Hops,
)
SCRIPTS = {script.NAME: script for script in EVERY}

FAMILY = single_clip_family(
    name="visual_cues",
    version=1,
    summary="Which of several things has its turn first, third or last, starts first, stops last, or never follows.",
    settings=VisualCuesSettings,
    scripts=EVERY,
)

if __name__ == "__main__":
    from generators.command import main

    main(["visual_cues", *sys.argv[1:]])
