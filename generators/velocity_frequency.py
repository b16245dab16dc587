"""Velocity and frequency: faster and faster, less and less often, fast and slow by turns, or always the same.

What moves goes round a ring of poses several times, and each time it is through with all of them, whatever its speed:
P poses in steps of v are v laps in P frames. So the speeds can come in any order, and the frames stay the same.

A second thing beside it has a course of its own: there are rings in which it goes round once with the first thing, and
others in which it does so twice or thrice. Each clip goes through equally many of them, in an order of its own.
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from itertools import combinations_with_replacement, pairwise, permutations, product
from math import ceil, cos, floor, gcd, pi, sin
from random import Random
from typing import Annotated, Any, ClassVar, Literal, Self

from annotated_types import Len
from pydantic import Field, model_validator

from generators.errors import InputError
from generators.figures import SIDES, Figure, some_build
from generators.pairs import draw_real
from generators.props import Props, rimmed
from generators.randomness import Streams, stream
from generators.rendering.scene import (
    AtlasBuilder,
    Colour,
    Ellipse,
    Line,
    Placement,
    Polygon,
    Rectangle,
    Shape,
    Sprite,
    Text,
    flattened,
)
from generators.settings import RealRange
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
from generators.stage import COLOURS, INK, LOOKS, PAPER, Stage, a, shade, some_colours
from simulators.walks import ring

# ---------------------------------------------------------------------------------------------------- paces


class VelocitySettings(SingleSettings):
    pass


Change = Literal[
    "rising",
    "falling",
    "constant",
    "fast slow fast",
    "slow fast slow",
    "fast slow fast slow",
    "slow fast slow fast",
    "none",
]

SPEED_SAYS: Mapping[Change, str] = {
    "rising": "faster and faster, step by step",
    "falling": "slower and slower, step by step",
    "constant": "at the same speed all along",
    "fast slow fast": "fast, then slow, then fast",
    "slow fast slow": "slow, then fast, then slow",
    "fast slow fast slow": "fast, slow, fast, then slow",
    "slow fast slow fast": "slow, fast, slow, then fast",
    "none": "in another way than these",
}

FREQUENCY_SAYS: Mapping[Change, str] = {
    "rising": "more and more often, step by step",
    "falling": "less and less often, step by step",
    "constant": "equally often all along",
    "fast slow fast": "quick rhythm, then slow, then quick",
    "slow fast slow": "slow rhythm, then quick, then slow",
    "fast slow fast slow": "quick rhythm, slow, quick, then slow",
    "slow fast slow fast": "slow rhythm, quick, slow, then quick",
    "none": "in another way than these",
}

ONE_WAY: tuple[Change, ...] = ("rising", "falling", "constant")
THREE: tuple[Change, ...] = ("fast slow fast", "slow fast slow")
FOUR: tuple[Change, ...] = ("fast slow fast slow", "slow fast slow fast")

Choices = tuple[tuple[Change, ...], tuple[Change, ...]]

CHOICES: tuple[Choices, ...] = (
    ((*ONE_WAY, "none"), THREE),
    (("rising", "falling", *THREE), ()),
    ((*ONE_WAY, *THREE), ()),
    ((*ONE_WAY, *THREE, "none"), FOUR),
    ((*ONE_WAY, *THREE, *FOUR), ()),
)
"""Which options a clip can have, and what may be shown where none of the other options is true."""

MOST_ROUNDS = 20
"""How often a section goes through all poses at most."""

FEWEST_POSES, MOST_POSES = 6, 400
"""Poses that the quickest lap still has, since with fewer motion looks like going backwards, and those of a ring."""

QUICKEST = 3.4
"""Laps a second that a person can still follow."""

LONGEST_END = 0.4
"""The share of the movement that the first and the last speed take at most, so that the change goes on."""

TRIES = 60
"""How often paces are drawn for a second thing and one list of options."""

MOST_BESIDE = 3
"""How often a thing that is not asked about goes round at most while the other one does so once."""

SHORTEST_ROUND, LONGEST_ROUND = 1.0, 2.4
"""Seconds in which all poses are gone through once."""

REST_SECONDS, LONGEST_REST = 0.4, 1.0
"""How long things stand still at either end of a clip."""

ASIDE = 8
"""Units by which things are off the middle at most."""

MOVING = 0.75
"""The share of a clip that motion takes at least."""

LABELS = ("FASTER", "SLOWER", "STEADY")


def is_ladder(levels: Sequence[int]) -> bool:
    """Do these speeds rise so that the steps are clearly seen, and none lasts too long?"""
    return (
        all(before == after or 4 * before <= 3 * after <= 7.5 * before for before, after in pairwise(levels))
        and levels[-1] >= 2.5 * levels[0]
        and len(set(levels)) >= 3
        and all(levels.count(level) <= 2 for level in levels)
        and all(levels.count(level) <= LONGEST_END * len(levels) for level in (levels[0], levels[-1]))
    )


@cache
def ladders(sections: int) -> tuple[tuple[int, ...], ...]:
    return tuple(one for one in combinations_with_replacement(range(1, 9), sections) if is_ladder(one))


@lru_cache(maxsize=4096)
def possible_ladders(sections: int, poses: int, fps: int, quickest: float) -> Sequence[tuple[int, ...]]:
    """The speeds that a ring of so many poses allows, so that the quickest can still be followed."""
    fastest = most_laps(poses, fps, quickest)
    return [one for one in ladders(sections) if one[-1] <= fastest and all(gcd(speed, poses) == 1 for speed in one)]


def most_laps(poses: int, fps: int, quickest: float = QUICKEST) -> float:
    """Laps in a round of so many frames that can be followed."""
    return min(poses / FEWEST_POSES, quickest * poses / fps)


@lru_cache(maxsize=1024)
def possible_paces(fps: int, frames: int, quickest: float) -> Mapping[int, Sequence[tuple[int, int]]]:
    """(rounds a section, poses of the ring) that fit into a clip, by the number of sections."""
    most = frames - 2 * max(1, round(REST_SECONDS * fps))
    found: dict[int, list[tuple[int, int]]] = {}
    # With no more stillness than is good or, where that is too little to choose from, than is allowed.
    for least in (max(MOVING * frames, frames - 2 * LONGEST_REST * fps), MOVING * frames):
        for sections, rounds in product(range(3, 7), range(1, MOST_ROUNDS + 1)):
            parts = sections * rounds
            shortest = max(ceil(least / parts), round(SHORTEST_ROUND * fps), FEWEST_POSES)
            for poses in range(shortest, min(most // parts, int(LONGEST_ROUND * fps), MOST_POSES) + 1):
                if possible_ladders(sections, poses, fps, quickest):
                    found.setdefault(sections, []).append((rounds, poses))
        if found:
            break
    return found


def drawn_frames(seconds: RealRange, fps: int, quickest: float, random: Random) -> int:
    """The length of a clip: of those asked for, the one nearest to a random one that some paces fit into."""
    drawn = round(draw_real(seconds, random) * fps)
    lengths = range(min(drawn, ceil(seconds.low * fps)), max(drawn, floor(seconds.high * fps)) + 1)
    for frames in sorted(lengths, key=lambda length: abs(length - drawn)):
        if possible_paces(fps, frames, quickest):
            return frames
    raise InputError(f"in {drawn} frames at {fps} a second no three speeds can be told apart: raise --fps or --seconds")


def possible_bounds(sections: int) -> Sequence[tuple[int, int]]:
    """Where the middle one of three parts begins and ends, so that neither of the others is too long."""
    longest = max(1, int(LONGEST_END * sections))
    ends = [(first, end) for first in range(1, longest + 1) for end in range(sections - longest, sections)]
    return [(first, end) for first, end in ends if first < end]


def has_room(choices: Choices, sections: int) -> bool:
    """Has each of four parts a section, where there are four?"""
    return sections >= 4 or not {*choices[0], *choices[1]} & {*FOUR}


def turns_of(speeds: Sequence[int]) -> tuple[bool, ...]:
    """Where it becomes quicker or slower, many changes of one kind in a row being one: what a course is told by."""
    turns: list[bool] = []
    for before, after in pairwise(speeds):
        if max(before, after) >= 1.3 * min(before, after) and turns[-1:] != [after > before]:
            turns.append(after > before)
    return tuple(turns)


@cache
def beside_orders(beside: tuple[int, ...]) -> Sequence[tuple[int, ...]]:
    return sorted({*permutations(beside)})


@cache
def possible_beside(sections: int) -> Sequence[tuple[int, ...]]:
    """How often a second thing goes round with the first one, in each of the sections, in any order."""
    return [
        (*[1] * (sections - more), *[often] * more)
        for often in range(2, MOST_BESIDE + 1)
        for more in range(1, sections // 2 + 1)
    ]


class Paced(SingleScript):
    """Something goes through a ring of poses again and again, in sections of one speed each."""

    FREQUENCY: ClassVar[bool] = False
    """Is it asked how often something happens, or how fast something moves?"""
    SHOWS: ClassVar[str]
    """What the video shows, with the colours {0} and {1}, and what counts as once."""
    STEM: ClassVar[str]
    MORE: ClassVar[Mapping[str, str]] = {}
    """What is to be said of a variation."""
    QUICKEST: ClassVar[float] = QUICKEST
    """Laps a second at most."""
    FIRST: ClassVar[Sequence[str]] = tuple(COLOURS)
    """The colours that the thing can have."""
    FROM_REST: ClassVar[bool] = False
    """Does a clip begin in pose 0, since elsewhere nothing could stand still?"""

    look: int = Field(ge=0, lt=len(LOOKS))
    colours: Annotated[list[str], Len(2, 2)]
    mirrored: bool
    """Which way round things are, or go."""
    style: int = Field(ge=0, lt=12)
    """Which shape it has, and which label."""
    aside: int = Field(ge=-ASIDE, le=ASIDE)
    """How far right of the middle everything is, in units."""
    poses: int = Field(ge=FEWEST_POSES, le=MOST_POSES)
    rounds: int = Field(ge=1, le=MOST_ROUNDS)
    """How often a section goes through all poses."""
    levels: Annotated[list[Annotated[int, Field(ge=1, le=8)]], Len(3, 6)]
    """Laps in each round of the sections, from slow to fast."""
    steady: int = Field(ge=1, le=8)
    """Laps in each round where the speed does not change: one of the levels."""
    bounds: Annotated[list[Annotated[int, Field(ge=1, le=5)]], Len(2, 2)]
    """The first section of the middle part, and the one after it, where a clip has three parts."""
    start: int = Field(ge=0)
    """The pose that a clip begins and ends with."""
    rests: Annotated[list[Annotated[int, Field(ge=1)]], Len(2, 2)]
    """Frames of stillness before and after."""
    options: Annotated[list[Change], Len(3, 7)]
    otherwise: Annotated[list[Change], Len(0, 1)]
    """What is shown where none of the other options is true, if that is an option."""
    beside: Annotated[list[Annotated[int, Field(ge=1, le=MOST_BESIDE)]], Len(0, 6)]
    """Laps of a second thing with each lap of the first, for all sections in any order; none where there is none."""
    change: Change

    @model_validator(mode="after")
    def _paces(self) -> Self:
        sections = len(self.levels)
        if not is_ladder(self.levels) or self.steady not in self.levels or sorted(self.levels) != self.levels:
            raise ValueError("the levels rise in steps that can be seen, and the steady speed is one of them")
        if FEWEST_POSES * self.levels[-1] > self.poses or any(gcd(one, self.poses) != 1 for one in self.levels):
            raise ValueError("the levels are coprime to the poses, of which the quickest lap has six or more")
        if self.start >= self.poses or (self.FROM_REST and self.start):
            raise ValueError("a clip begins with one of the poses, with the first where nothing else can rest")
        if self.frames != sum(self.rests) + sections * self.rounds * self.poses:
            raise ValueError("rests and sections make up the clip")
        if self.variation == "zoomed_in" and self.aside:
            raise ValueError("a camera that is close by looks straight at things")
        if (self.bounds[0], self.bounds[1]) not in possible_bounds(sections):
            raise ValueError("each of three parts has a section, and the first and the last have not too many")
        others = dict(CHOICES).get(tuple(self.options))
        if others is None or self.change not in self.options:
            raise ValueError("the change is one of the options, which are one of the known lists")
        if self.otherwise not in ([[one] for one in others] or [[]]):
            raise ValueError("what is shown where no other option is true is one thing, if there is that option")
        if sections < 4 and {*self.options, *self.otherwise} & {*FOUR}:
            raise ValueError("each of four parts has a section")
        if len({*self.colours}) != 2 or not {*self.colours} <= {*COLOURS} or self.colours[0] not in self.FIRST:
            raise ValueError(f"two colours, of which the first is one of {', '.join(self.FIRST)}")
        if tuple(self.beside) not in (possible_beside(sections) if self.variation == "composite" else [()]):
            raise ValueError("of two things, and only there, the second one goes round more often in some sections")
        if self.beside and not all(one.besides() for one in self.alternatives()):
            raise ValueError("a second thing has a course unlike that of the first")
        return self

    @classmethod
    def draw(cls, settings: VelocitySettings, streams: Streams, variation: Variation) -> Self:
        random = streams("plan")
        colour = random.choice(cls.FIRST)
        frames = drawn_frames(settings.seconds, settings.fps, cls.QUICKEST, random)
        shared: dict[str, Any] = {
            "fps": settings.fps,
            "variation": variation,
            "look": random.randrange(len(LOOKS)),
            "colours": [colour, *some_colours(random, 1, colour)],
            "mirrored": random.random() < 0.5,
            "style": random.randrange(12),
            "aside": 0 if variation == "zoomed_in" else random.randint(-ASIDE, ASIDE),
        }
        if variation != "composite":
            return cls(**shared, **cls._drawn_paces(settings.fps, frames, CHOICES, random), beside=[])
        for choice in random.sample([*CHOICES] * 2, 2 * len(CHOICES)):
            for _ in range(TRIES):
                # Not all paces leave room for a second thing with another course than any that the first can have.
                paces = cls._drawn_paces(settings.fps, frames, (choice,), random)
                if not paces:
                    break
                one = cls.model_construct(**shared, **paces, beside=[])
                beside = random.choice(possible_beside(len(one.levels)))
                if all(other.besides() for other in one.model_copy(update={"beside": [*beside]}).alternatives()):
                    return cls(**shared, **paces, beside=[*beside])
            frames = drawn_frames(settings.seconds, settings.fps, cls.QUICKEST, random)
        raise InputError(
            f"in {frames} frames at {settings.fps} a second there is no room for a second thing: raise --fps or "
            "--seconds, or choose another --variation"
        )

    @classmethod
    def _drawn_paces(cls, fps: int, frames: int, choices: Sequence[Choices], random: Random) -> dict[str, Any]:
        """Nothing where there is no room for these choices."""
        possible = possible_paces(fps, frames, cls.QUICKEST)
        roomy = [number for number in sorted(possible) if any(has_room(one, number) for one in choices)]
        if not roomy:
            return {}
        sections = random.choice(roomy)
        rounds, poses = random.choice(possible[sections])
        levels = random.choice(possible_ladders(sections, poses, fps, cls.QUICKEST))
        rest = max(1, round(REST_SECONDS * fps))
        spare = frames - sections * rounds * poses
        before = random.randint(rest, spare - rest)
        changes, others = random.choice([one for one in choices if has_room(one, sections)])
        return {
            "frames": frames,
            "poses": poses,
            "rounds": rounds,
            "levels": list(levels),
            "steady": random.choice(sorted({*levels})),
            "bounds": [*random.choice(possible_bounds(sections))],
            "start": 0 if cls.FROM_REST else random.randrange(poses),
            "rests": [before, spare - before],
            "options": list(changes),
            "otherwise": random.sample(others, 1) if others else [],
            "change": changes[0],
        }

    def alternatives(self) -> list[Self]:
        return [self.model_copy(update={"change": change}) for change in self.options]

    def says(self) -> str:
        return (FREQUENCY_SAYS if self.FREQUENCY else SPEED_SAYS)[self.change]

    def asked(self) -> Asked:
        shows = " ".join([self.SHOWS, *([self.MORE[self.variation]] if self.variation in self.MORE else [])])
        what, more, less = ("rhythm", "quicker", "slower") if self.FREQUENCY else ("speed", "higher", "lower")
        rule = (
            f"The {what} stays even for a second or longer; where it changes, it changes at once and clearly. What "
            f"counts is the order of these {what}s from the beginning of the movement to its end. Step by step: each "
            f"new {what} is {more} than the one before, or each is {less}."
        )
        words = [a(one) for one in self.colours]
        return Asked(f"{shows.format(*self.colours, *words)} {rule}", self.STEM.format(*self.colours))

    def speeds(self) -> list[int]:
        """Laps a round, of each section."""
        return self._speeds(self.otherwise[0] if self.change == "none" else self.change)

    def _speeds(self, change: Change) -> list[int]:
        sections, (first, end) = len(self.levels), self.bounds
        slow, fast = self.levels[0], self.levels[-1]
        if change in ONE_WAY:
            ways = {"rising": self.levels, "falling": self.levels[::-1], "constant": [self.steady] * sections}
            return ways[change]
        is_middle = [first <= number < end for number in range(sections)]
        if change in FOUR:
            # Four parts of one or two sections each.
            is_middle = [4 * number // sections % 2 == 1 for number in range(sections)]
        outer, inner = (fast, slow) if change in ("fast slow fast", "fast slow fast slow") else (slow, fast)
        return [inner if middle else outer for middle in is_middle]

    def besides(self) -> tuple[int, ...]:
        """Laps of a second thing with each lap of the first, in each section; none where it has no other course."""
        if not self.beside:
            return ()
        speeds = self.speeds()
        most = most_laps(self.poses, self.fps)
        possible = [
            order
            for order in beside_orders(tuple(self.beside))
            if all(often * speed <= most for often, speed in zip(order, speeds, strict=True))
        ]
        courses = {
            order: turns_of([often * speed for often, speed in zip(order, speeds, strict=True)]) for order in possible
        }
        possible = [order for order in possible if courses[order] != turns_of(speeds)]
        # Where it can be, one that another option would be true of.
        said = [turns_of(self._speeds(change)) for change in self.options if change != "none"]
        possible = [order for order in possible if courses[order] in said] or possible
        return possible[self.style % len(possible)] if possible else ()

    def walk(self) -> list[int]:
        """The poses of the ring of a section, after those of other rings; where a clip begins, all rings meet."""
        before, after = self.rests
        walked = [self.start] * before
        for speed, often in zip(self.speeds(), self.besides() or [1] * len(self.levels), strict=True):
            more = (often - 1) * self.poses
            once = [pose if pose == self.start else pose + more for pose in ring(self.poses, speed, self.start)]
            walked += once * self.rounds
        return [*walked, *[self.start] * after]

    def spans(self) -> tuple[tuple[int, int], ...]:
        begin, length = self.rests[0], self.rounds * self.poses
        return tuple((begin + length * number, begin + length * (number + 1)) for number in range(len(self.levels)))

    def seen(self) -> tuple[tuple[int, int], ...]:
        # Three frames in the quickest lap tell how far it gets from one to the next.
        third = max(1, self.poses // (3 * self.levels[-1]))
        return tuple((first, first + third) for first, _ in self.spans())

    def measures(self) -> Mapping[str, int | float]:
        return {"contrast": round(self.levels[-1] / self.levels[0], 3)}

    def shown(self, props: Props) -> Callable[[float], list[Placement]]:
        """What is placed where at a phase from 0 to 1 of a lap."""
        raise NotImplementedError(self)

    def second(self, props: Props) -> Callable[[float], list[Placement]]:
        """The same of a second thing, which is not asked about."""
        raise NotImplementedError(self)

    def pictures(self, settings: VelocitySettings) -> Pictures:
        props = Props(Stage(settings.resolution))
        shown, right = self.shown(props), props.stage.length(abs(self.aside)) * (1 if self.aside > 0 else -1)
        second = self.second(props) if self.beside else None

        def at(pose: int) -> list[Placement]:
            often, phase = 1 + pose // self.poses, pose % self.poses / self.poses
            placed = shown(phase)
            if second:
                begun = self.start / self.poses
                placed = [*placed, *second((begun + often * (phase - begun)) % 1)]
            return [one._replace(x=one.x + right) for one in placed] if right else placed

        return Pictures(props.atlas.sprites, at, LOOKS[self.look][0])


# ---------------------------------------------------------------------------------------------------- what they share


def up_and_down(phase: float) -> float:
    """From 0 to 1 and back at an even speed."""
    return 1 - abs(1 - 2 * phase)


def swing(phase: float) -> float:
    """From 0 to 1 and back, slowing down at either end."""
    return (1 - cos(2 * pi * phase)) / 2


def on_its_head(props: Props, shown: Callable[[float], list[Placement]]) -> Callable[[float], list[Placement]]:
    """The whole picture upside down: its sprites are drawn so, which is quicker than turning them."""
    width, height = props.stage.resolution
    upright, props.atlas = props.atlas.sprites, AtlasBuilder()
    for sprite in map(flattened, upright):
        turned = tuple(_turned(shape, sprite.width, sprite.height) for shape in sprite.shapes)
        props.atlas.add(replace(sprite, shapes=turned))
    return lambda phase: [one._replace(x=width - one.x, y=height - one.y) for one in shown(phase)]


def _turned(shape: Shape, width: int, height: int) -> Shape:
    if isinstance(shape, Rectangle | Ellipse):
        return replace(shape, x=width - shape.x - shape.width, y=height - shape.y - shape.height)
    if isinstance(shape, Polygon | Line):
        return replace(shape, points=tuple((width - x, height - y) for x, y in shape.points))
    raise TypeError(f"no {type(shape).__name__} is ever upside down")


def balloon(props: Props, colour: str, x: float) -> Callable[[float], list[Placement]]:
    """A balloon on a string, which goes up and down."""
    sprite = props.picture(
        12, 26, Line(((6, 14), (5, 20), (6.5, 26)), 0.7, INK), *rimmed(Ellipse(0, 0, 12, 15, COLOURS[colour]))
    )
    return lambda phase: [props.put(sprite, x, 46, dy=-14 * up_and_down(phase))]


BALLOON = "Beside it {3} balloon goes up and down in its own rhythm, which is not asked about."


def board(props: Props, word: str, x: float, y: float) -> Placement:
    """A board with a word on it."""
    width, height = props.stage.even(30), props.stage.even(9)
    edge = props.stage.length(0.6)
    sign = (
        Rectangle(0, 0, width, height, INK, 2 * edge),
        Rectangle(edge, edge, width - 2 * edge, height - 2 * edge, PAPER, edge),
        Text(width / 2, height / 2, word, height * 0.7, INK),
    )
    return props.put(props.atlas.add(Sprite(width, height, sign)), x, y)


LABELLED = "A board says how it moves, but what is written on it need not be true."


def loop(props: Props, corners: Sequence[tuple[float, float]], colour: Colour) -> int:
    """A closed line of a path, in a picture of 60 by 60 units."""
    return props.picture(60, 60, Line((*corners, *corners[:2]), 1.2, colour))


def circle(radius: float, sides: int = 60) -> list[tuple[float, float]]:
    """Corners of a circle, or with few sides of something else, about (30, 30)."""
    turns = [2 * pi * number / sides for number in range(sides)]
    return [(30 + radius * sin(turn), 30 - radius * cos(turn)) for turn in turns]


def along(corners: Sequence[tuple[float, float]], phase: float) -> tuple[float, float]:
    """The place on a path with equal sides."""
    place = phase % 1 * len(corners)
    before = int(place) % len(corners)
    (x, y), (then_x, then_y) = corners[before], corners[(before + 1) % len(corners)]
    part = place - int(place)
    return x + (then_x - x) * part, y + (then_y - y) * part


# ---------------------------------------------------------------------------------------------------- things


class Moon(Paced):
    """A moon goes round a planet."""

    NAME: ClassVar[str] = "moon"
    DEMONSTRATION: ClassVar[Demonstration] = "object"
    VARIATIONS: ClassVar[tuple[Variation, ...]] = ("plain", "composite", "zoomed_in", "first_person")
    SHOWS: ClassVar[str] = "The video shows {2} moon that goes round a planet again and again."
    STEM: ClassVar[str] = "How does the {0} moon go round the planet?"
    MORE: ClassVar[Mapping[str, str]] = {
        "composite": "A smaller, {1} moon goes round it as well, the other way at its own speed, which is not "
        "asked about."
    }

    def shown(self, props: Props) -> Callable[[float], list[Placement]]:
        _, dark = LOOKS[self.look]
        path = circle(24)
        sea = shade((92, 132, 170), 1.3)
        planet = props.picture(
            18,
            18,
            *rimmed(Ellipse(0, 0, 18, 18, sea)),
            Ellipse(3, 4, 7, 5, shade(dark, 1.4)),
            Ellipse(9, 9.5, 5, 5, shade(dark, 1.4)),
        )
        fixed = [props.put(loop(props, path, shade(dark, 2.2)), 50, 50), props.put(planet, 50, 50)]
        moon, sense = props.disc(8, 8, COLOURS[self.colours[0]]), -1 if self.mirrored else 1

        def at(phase: float) -> list[Placement]:
            turn = 2 * pi * phase * sense
            return [*fixed, props.put(moon, 50, 50, 24 * sin(turn), -24 * cos(turn))]

        return at

    def second(self, props: Props) -> Callable[[float], list[Placement]]:
        moon, sense = props.disc(5, 5, COLOURS[self.colours[1]]), -1 if self.mirrored else 1

        def at(phase: float) -> list[Placement]:
            turn = 2 * pi * phase * sense
            return [props.put(moon, 50, 50, -14.5 * sin(turn), 14.5 * cos(turn))]

        return at


class Lift(Paced):
    """A lift goes up and down without a stop."""

    NAME: ClassVar[str] = "lift"
    DEMONSTRATION: ClassVar[Demonstration] = "object"
    VARIATIONS: ClassVar[tuple[Variation, ...]] = VARIATIONS
    SHOWS: ClassVar[str] = "The video shows a lift with {2} cabin that goes up and down without a stop in between."
    STEM: ClassVar[str] = "How does the {0} cabin go up and down?"
    MORE: ClassVar[Mapping[str, str]] = {
        "counterfactual": LABELLED,
        "composite": "Beside it a smaller, {1} cabin goes up and down at its own speed, which is not asked about.",
    }

    def shown(self, props: Props) -> Callable[[float], list[Placement]]:
        _, dark = LOOKS[self.look]
        colour, side = COLOURS[self.colours[0]], -1 if self.mirrored else 1
        cabin = props.picture(
            16,
            14,
            *rimmed(Rectangle(0, 0, 16, 14, colour, 1)),
            Rectangle(2.5, 2.5, 5, 6, PAPER),
            Rectangle(8.5, 2.5, 5, 6, PAPER),
        )
        fixed = [
            props.put(props.box(20, 62, shade(dark, 1.8), 1), 50, 50),
            *(props.put(props.box(6, 2, dark), 50 - side * 13, y) for y in (24, 42, 60, 78)),
        ]
        if self.variation == "counterfactual":
            fixed.append(board(props, LABELS[self.style % 3], 50, 10))

        def at(phase: float) -> list[Placement]:
            return [*fixed, props.put(cabin, 50, 73, dy=-46 * up_and_down(phase))]

        return at

    def second(self, props: Props) -> Callable[[float], list[Placement]]:
        x, _, dark = 50 + 17 * (-1 if self.mirrored else 1), *LOOKS[self.look]
        cabin = props.picture(
            9, 9, *rimmed(Rectangle(0, 0, 9, 9, COLOURS[self.colours[1]], 1)), Rectangle(2.5, 2, 4, 4, PAPER)
        )
        shaft = props.put(props.box(11, 62, shade(dark, 2.2), 1), x, 50)
        return lambda phase: [shaft, props.put(cabin, x, 26, dy=48 * up_and_down(phase))]


class Pendulum(Paced):
    """A pendulum swings, or one that stands on its head."""

    NAME: ClassVar[str] = "pendulum"
    DEMONSTRATION: ClassVar[Demonstration] = "object"
    VARIATIONS: ClassVar[tuple[Variation, ...]] = ("plain", "counterfactual", "zoomed_in", "first_person")
    FREQUENCY: ClassVar[bool] = True
    SHOWS: ClassVar[str] = "The video shows a pendulum with {2} bob. It swings to and fro, always equally far."
    STEM: ClassVar[str] = "How often does the pendulum swing to and fro?"
    MORE: ClassVar[Mapping[str, str]] = {"counterfactual": "It stands on its head, with the bob above."}

    def shown(self, props: Props) -> Callable[[float], list[Placement]]:
        _, dark = LOOKS[self.look]
        bob = props.disc(12, 12, COLOURS[self.colours[0]])
        fixed = [props.put(props.box(30, 5, shade(dark, 1.2), 1), 50, 23)]
        sign = -1 if self.mirrored else 1
        swung = []
        for number in range(21):
            turn = pi / 6 * (number / 10 - 1) * sign
            across, down = 44 * sin(turn), 44 * cos(turn)
            width, middle = abs(across) + 2, (abs(across) + 2) / 2
            ends = (middle - across / 2, 0), (middle + across / 2, down)
            rod = props.picture(width, down, Line(ends, 1.4, INK))
            swung.append([*fixed, props.put(rod, 50, 25, across / 2, down / 2), props.put(bob, 50, 25, across, down)])

        def at(phase: float) -> list[Placement]:
            return swung[round(20 * swing(phase))]

        return on_its_head(props, at) if self.variation == "counterfactual" else at


class Bounces(Paced):
    """A ball bounces off the floor, or off the ceiling."""

    NAME: ClassVar[str] = "bounces"
    DEMONSTRATION: ClassVar[Demonstration] = "object"
    VARIATIONS: ClassVar[tuple[Variation, ...]] = ("plain", "counterfactual", "composite", "zoomed_in")
    FREQUENCY: ClassVar[bool] = True
    FROM_REST: ClassVar[bool] = True
    SHOWS: ClassVar[str] = "The video shows {2} ball that bounces again and again, always equally far."
    STEM: ClassVar[str] = "How often does the {0} ball bounce?"
    MORE: ClassVar[Mapping[str, str]] = {
        "counterfactual": "It bounces off the ceiling as if things fell upwards.",
        "composite": "Beside it {3} ball bounces less far and in its own rhythm, which is not asked about.",
    }

    def shown(self, props: Props) -> Callable[[float], list[Placement]]:
        _, dark = LOOKS[self.look]
        ball, side = props.disc(12, 12, COLOURS[self.colours[0]]), -1 if self.mirrored else 1
        fixed = [props.put(props.box(70, 4, shade(dark, 1.2), 1), 50, 80)]

        def at(phase: float) -> list[Placement]:
            return [*fixed, props.put(ball, 50 - 8 * side, 72, dy=-42 * 4 * phase * (1 - phase))]

        return on_its_head(props, at) if self.variation == "counterfactual" else at

    def second(self, props: Props) -> Callable[[float], list[Placement]]:
        ball, side = props.disc(12, 12, COLOURS[self.colours[1]]), -1 if self.mirrored else 1
        return lambda phase: [props.put(ball, 50 + 14 * side, 72, dy=-26 * 4 * phase * (1 - phase))]


class Lamp(Paced):
    """A lamp lights up and goes out, or a candle does as no candle can."""

    NAME: ClassVar[str] = "lamp"
    DEMONSTRATION: ClassVar[Demonstration] = "object"
    VARIATIONS: ClassVar[tuple[Variation, ...]] = ("plain", "counterfactual", "composite", "zoomed_in")
    FREQUENCY: ClassVar[bool] = True
    SHOWS: ClassVar[str] = "The video shows {2} light that goes on and off again and again."
    STEM: ClassVar[str] = "How often does the {0} light go on?"
    FIRST: ClassVar[Sequence[str]] = tuple(colour for colour in COLOURS if colour != "brown")
    MORE: ClassVar[Mapping[str, str]] = {
        "counterfactual": "It is a candle: its flame goes out and lights up again by itself.",
        "composite": BALLOON,
    }

    def shown(self, props: Props) -> Callable[[float], list[Placement]]:
        ground, dark = LOOKS[self.look]
        colour = COLOURS[self.colours[0]]
        x = 42 if self.variation == "composite" else 50
        if self.variation == "counterfactual":
            wax = props.box(10, 30, shade(colour, 1.6), 1)
            fixed = [props.put(props.box(24, 4, dark, 2), x, 79), props.put(wax, x, 62)]
            fixed.append(props.put(props.box(1.4, 5, INK), x, 45))
            flame = ((6, 0), (9.5, 6.5), (11.5, 12), (10, 17), (6, 20), (2, 17), (0.5, 12), (2.5, 6.5))
            inner = tuple((6 + (across - 6) * 0.5, 19 - (20 - down) * 0.5) for across, down in flame)
            bright = (props.picture(12, 20, Polygon(flame, colour), Polygon(inner, shade(colour, 2.5))), 37)
            lights = [[*fixed], [*fixed, props.put(bright[0], x, bright[1])]]
        else:
            fixed = [
                props.put(props.box(22, 4, dark, 1), x, 79),
                props.put(props.box(4, 30, shade(dark, 1.3)), x, 64),
                props.put(props.box(10, 5, dark, 1), x, 49),
            ]
            off = props.disc(20, 20, shade(ground, 0.55))
            halo = props.picture(30, 30, Ellipse(0, 0, 30, 30, shade(colour, 2.5)))
            lights = [
                [*fixed, props.put(off, x, 37)],
                [*fixed, props.put(halo, x, 37), props.put(props.disc(20, 20, colour), x, 37)],
            ]
        return lambda phase: lights[phase < 0.5]

    def second(self, props: Props) -> Callable[[float], list[Placement]]:
        return balloon(props, self.colours[1], 68)


class Drum(Paced):
    """A mallet beats a drum."""

    NAME: ClassVar[str] = "drum"
    DEMONSTRATION: ClassVar[Demonstration] = "object"
    VARIATIONS: ClassVar[tuple[Variation, ...]] = ("plain", "composite", "zoomed_in", "first_person")
    FREQUENCY: ClassVar[bool] = True
    SHOWS: ClassVar[str] = "The video shows a drum and a mallet with {2} head that beats it again and again."
    STEM: ClassVar[str] = "How often does the {0} mallet beat the drum?"
    MORE: ClassVar[Mapping[str, str]] = {
        "composite": "A mallet with {3} head beats it as well, in its own rhythm, which is not asked about."
    }

    def focus(self) -> tuple[float, float]:
        return 50.0, 48.0

    def shown(self, props: Props) -> Callable[[float], list[Placement]]:
        _, dark = LOOKS[self.look]
        drum = props.picture(
            40,
            26,
            *rimmed(Rectangle(0, 5, 40, 20, shade(dark, 1.5), 3)),
            *(Line(((x, 10), (x + 4, 24), (x + 8, 10)), 0.8, PAPER) for x in (0, 8, 16, 24, 32)),
            *rimmed(Ellipse(0, 0, 40, 10, PAPER)),
        )
        fixed = [props.put(drum, 50, 67)]
        beating = self._mallet(props, self.colours[0], -1 if self.mirrored else 1)
        return lambda phase: [*fixed, beating(phase)]

    def second(self, props: Props) -> Callable[[float], list[Placement]]:
        beating = self._mallet(props, self.colours[1], 1 if self.mirrored else -1)
        return lambda phase: [beating(phase)]

    def _mallet(self, props: Props, colour: str, side: int) -> Callable[[float], Placement]:
        head, end = (4, 22) if side > 0 else (18, 22), (20, 4) if side > 0 else (2, 4)
        stick = Line((head, end), 1.6, shade(COLOURS["brown"], 0.8))
        mallet = props.picture(22, 26, stick, *rimmed(Ellipse(head[0] - 4, 18, 8, 8, COLOURS[colour])))
        return lambda phase: props.put(mallet, 50 + 14 * side, 47, dy=-18 * sin(pi * phase))


# ---------------------------------------------------------------------------------------------------- shapes


class Dot(Paced):
    """A dot goes round a circle, a square or a triangle."""

    NAME: ClassVar[str] = "dot"
    DEMONSTRATION: ClassVar[Demonstration] = "simulated"
    VARIATIONS: ClassVar[tuple[Variation, ...]] = VARIATIONS
    SHOWS: ClassVar[str] = "The video shows {2} dot that goes round and round on a line."
    STEM: ClassVar[str] = "How does the {0} dot go round?"
    MORE: ClassVar[Mapping[str, str]] = {
        "counterfactual": LABELLED,
        "composite": "On a smaller line inside, {3} dot goes round the other way at its own speed, which is not asked "
        "about.",
    }

    def shown(self, props: Props) -> Callable[[float], list[Placement]]:
        _, dark = LOOKS[self.look]
        sides = (60, 4, 3)[self.style % 3]
        outer, sense = circle(25, sides), -1 if self.mirrored else 1
        fixed = [props.put(loop(props, outer, shade(dark, 2)), 50, 50)]
        dot = props.disc(8, 8, COLOURS[self.colours[0]])
        if self.variation == "counterfactual":
            fixed.append(board(props, LABELS[self.style // 4], 50, 10))

        def at(phase: float) -> list[Placement]:
            x, y = along(outer, sense * phase)
            return [*fixed, props.put(dot, 50, 50, x - 30, y - 30)]

        return at

    def second(self, props: Props) -> Callable[[float], list[Placement]]:
        sides, sense = (60, 4, 3)[self.style % 3], -1 if self.mirrored else 1
        inner = circle(13 if sides > 3 else 10, sides)
        line = props.put(loop(props, inner, shade(LOOKS[self.look][1], 2)), 50, 50)
        dot = props.disc(5, 5, COLOURS[self.colours[1]])

        def at(phase: float) -> list[Placement]:
            x, y = along(inner, -sense * phase)
            return [line, props.put(dot, 50, 50, x - 30, y - 30)]

        return at


class Pulse(Paced):
    """A square or a disc grows and shrinks."""

    NAME: ClassVar[str] = "pulse"
    DEMONSTRATION: ClassVar[Demonstration] = "simulated"
    VARIATIONS: ClassVar[tuple[Variation, ...]] = ("plain", "composite", "first_person")
    FREQUENCY: ClassVar[bool] = True
    SHOWS: ClassVar[str] = "The video shows {2} shape that grows and shrinks again and again, always equally much."
    STEM: ClassVar[str] = "How often does the {0} shape grow and shrink?"
    MORE: ClassVar[Mapping[str, str]] = {
        "composite": "Beside it {3} bar goes up and down in its own rhythm, which is not asked about."
    }

    def shown(self, props: Props) -> Callable[[float], list[Placement]]:
        make = props.box if self.style % 2 else props.disc
        colour = COLOURS[self.colours[0]]
        x, most = (40, 10) if self.variation == "composite" else (50, 12)
        sizes = [[props.put(make(10 + 3 * number, 10 + 3 * number, colour), x, 50)] for number in range(most)]
        return lambda phase: sizes[round((most - 1) * swing(phase))]

    def second(self, props: Props) -> Callable[[float], list[Placement]]:
        bar = props.box(14, 5, COLOURS[self.colours[1]])
        return lambda phase: [props.put(bar, 70, 70, dy=-40 * up_and_down(phase))]


# ---------------------------------------------------------------------------------------------------- people


SHIRTS = ("blue", "green", "purple", "red")


class Person(Paced):
    """A person in a shirt of the first colour."""

    DEMONSTRATION: ClassVar[Demonstration] = "human"
    FIRST: ClassVar[Sequence[str]] = SHIRTS
    HEIGHT: ClassVar[float] = 74.0
    FOOT: ClassVar[float] = 94.0

    def person(self, props: Props) -> Figure:
        shirt = self.colours[0]
        build = some_build(stream(0, "velocity_frequency", "person", shirt), self.HEIGHT, shirt=shirt)
        return Figure(props, build)


class Waves(Person):
    """A person waves a hand."""

    NAME: ClassVar[str] = "waves"
    VARIATIONS: ClassVar[tuple[Variation, ...]] = ("plain", "composite", "zoomed_in", "first_person")
    SHOWS: ClassVar[str] = "The video shows a person in {2} shirt who waves a hand to and fro, always equally far."
    STEM: ClassVar[str] = "How does the person wave?"
    MORE: ClassVar[Mapping[str, str]] = {"composite": BALLOON.replace("it ", "the person ")}

    def focus(self) -> tuple[float, float]:
        return 50.0, 42.0

    def shown(self, props: Props) -> Callable[[float], list[Placement]]:
        sign = -1 if self.mirrored else 1
        person, foot, (other, side) = self.person(props), (50 - 8 * sign, self.FOOT), SIDES[::sign]
        still = [*person.standing(*foot), *person.arm(other, *foot, 0, 0)]
        poses = [[*still, *person.arm(side, *foot, sign * 102, sign * fore)] for fore in range(126, 212, 6)]
        return lambda phase: poses[round(14 * up_and_down(phase))]

    def second(self, props: Props) -> Callable[[float], list[Placement]]:
        return balloon(props, self.colours[1], 50 - 30 * (-1 if self.mirrored else 1))


class Claps(Person):
    """A person claps."""

    NAME: ClassVar[str] = "claps"
    VARIATIONS: ClassVar[tuple[Variation, ...]] = ("plain", "counterfactual", "composite", "zoomed_in")
    FREQUENCY: ClassVar[bool] = True
    SHOWS: ClassVar[str] = (
        "The video shows a person in {2} shirt who claps above the head again and again: each time that the hands meet "
        "is one clap."
    )
    STEM: ClassVar[str] = "How often does the person clap?"
    MORE: ClassVar[Mapping[str, str]] = {
        "counterfactual": "The picture is upside down.",
        "composite": BALLOON.replace("it ", "the person "),
    }

    def focus(self) -> tuple[float, float]:
        return 50.0, 44.0

    def shown(self, props: Props) -> Callable[[float], list[Placement]]:
        person, foot = self.person(props), (40 if self.variation == "composite" else 50, self.FOOT)
        floor = props.put(props.box(90, 3, shade(LOOKS[self.look][1], 1.3), 1), 50, 95.5)
        still, poses = [floor, *person.standing(*foot)], []
        for number in range(8):
            # Closed at first, above the head.
            upper, fore = 156 - 6 * number, 234 - 13 * number
            left, right = person.arm("left", *foot, -upper, -fore), person.arm("right", *foot, upper, fore)
            poses.append([*still, *left, *right])

        def at(phase: float) -> list[Placement]:
            return poses[round(7 * up_and_down(phase))]

        return on_its_head(props, at) if self.variation == "counterfactual" else at

    def second(self, props: Props) -> Callable[[float], list[Placement]]:
        return balloon(props, self.colours[1], 82)


class Crank(Person):
    """A person turns a crank."""

    NAME: ClassVar[str] = "crank"
    VARIATIONS: ClassVar[tuple[Variation, ...]] = ("plain", "composite", "zoomed_in")
    SHOWS: ClassVar[str] = "The video shows a person in {2} shirt who turns a crank round and round."
    STEM: ClassVar[str] = "How does the person turn the crank?"
    MORE: ClassVar[Mapping[str, str]] = {
        "composite": "Beside the crank {3} load goes up and down by itself, at its own speed: it is not asked about."
    }

    def focus(self) -> tuple[float, float]:
        return 50.0, 50.0

    def shown(self, props: Props) -> Callable[[float], list[Placement]]:
        sign, dark = -1 if self.mirrored else 1, LOOKS[self.look][1]
        person, foot, (other, side) = self.person(props), (50 - 14 * sign, self.FOOT), SIDES[::sign]
        axle = 50 + 11 * sign
        wheel = props.picture(18, 18, Ellipse(0, 0, 18, 18, dark), Ellipse(2.4, 2.4, 13.2, 13.2, shade(dark, 2.2)))
        still = [props.put(props.box(7, 40, shade(dark, 1.6), 1), axle, 74.5), props.put(wheel, axle, 52)]
        standing = [*person.standing(*foot), *person.arm(other, *foot, 0, 0)]
        knob, hub = props.disc(3.2, 3.2, PAPER), props.disc(4, 4, INK)
        poses = []
        for number in range(18):
            turn = 2 * pi * number / 18
            angles = person.reach(side, 0, self.FOOT, 25 * sign + 7.5 * sin(turn), 52 - 7.5 * cos(turn), "out")
            x, y = person.hand_at(side, *foot, *angles)
            across, down = round(x - axle, 1), round(y - 52, 1)
            spoke = props.picture(20, 20, Line(((10, 10), (10 + across, 10 + down)), 2, INK))
            turned = [props.put(spoke, axle, 52), props.put(hub, axle, 52)]
            arm = person.arm(side, *foot, *angles)
            poses.append([*still, *turned, *standing, *arm, props.put(knob, axle, 52, across, down)])
        return lambda phase: poses[round(18 * phase) % 18]

    def second(self, props: Props) -> Callable[[float], list[Placement]]:
        x = 50 + 30 * (-1 if self.mirrored else 1)
        mast = props.put(props.box(1.6, 64, shade(LOOKS[self.look][1], 1.6)), x, 62)
        load = props.box(9, 9, COLOURS[self.colours[1]], 1)
        return lambda phase: [mast, props.put(load, x, 84, dy=-40 * up_and_down(phase))]


class Treadmill(Person):
    """A person walks on a treadmill."""

    NAME: ClassVar[str] = "treadmill"
    VARIATIONS: ClassVar[tuple[Variation, ...]] = ("plain", "counterfactual", "zoomed_in")
    HEIGHT: ClassVar[float] = 58.0
    FOOT: ClassVar[float] = 78.5
    SHOWS: ClassVar[str] = "The video shows a person in {2} shirt who walks on a treadmill without getting ahead."
    STEM: ClassVar[str] = "How does the person walk?"
    MORE: ClassVar[Mapping[str, str]] = {"counterfactual": "The picture is upside down."}
    QUICKEST: ClassVar[float] = 2.0

    def shown(self, props: Props) -> Callable[[float], list[Placement]]:
        person, dark = self.person(props), LOOKS[self.look][1]
        still = [
            props.put(props.box(50, 5, shade(dark, 1.2), 2), 50, 81),
            props.put(props.box(3, 34, shade(dark, 1.6), 1), 71, 62),
            props.put(props.box(10, 3, dark, 1), 69, 45),
        ]
        # Always to the right, since a walk has many sprites.
        poses = [[*still, *person.walking(47, self.FOOT, number, 14, "right")] for number in range(14)]

        def at(phase: float) -> list[Placement]:
            return poses[round(14 * phase) % 14]

        return on_its_head(props, at) if self.variation == "counterfactual" else at


FAMILY = single_clip_family(
    name="velocity_frequency",
    version=1,
    summary="How speed or frequency changes: more and more, less and less, by turns, or not at all.",
    settings=VelocitySettings,
    scripts=(Moon, Waves, Dot, Pendulum, Claps, Pulse, Lift, Crank, Bounces, Treadmill, Lamp, Drum),
)

if __name__ == "__main__":
    from generators.command import main

    main(["velocity_frequency", *sys.argv[1:]])
