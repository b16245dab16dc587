"""Cross-event comparison: which of two comes first, which happens more often, which lasts longer, in which order.

Each pair has the same frames twice. Equal events change places in time, or two moving things exchange their rates in
a way that shows the same pairs of poses. How long something lasts is marked by events of no difference at its two
ends, so that no frame between them says whose time runs.
"""

import sys
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import accumulate
from math import ceil, gcd, lcm, pi, sin
from random import Random
from typing import Annotated, Any, ClassVar, Literal, Self

from annotated_types import Len
from pydantic import Field, model_validator

from generators.errors import InputError
from generators.pairs import Open, PairSettings, Script, Words, draw_real, pair_family
from generators.questions import example
from generators.randomness import Streams
from generators.rendering.scene import AtlasBuilder, Colour, Ellipse, Placement, Polygon, Rectangle, Scene, Shape
from generators.settings import RealRange, real_range
from generators.stage import COLOURS, INK, LOOKS, PAPER, Stage, a, shade, some_colours
from generators.temporal_topology import Spot

# ---------------------------------------------------------------------------------------------------- settings


class ComparisonSettings(PairSettings):
    contrast: real_range(1.05, 10.0) = Field(  # type: ignore[valid-type]
        RealRange(1.5, 3.0),
        description="how many times as often or as long the one is as the other; for events in order, how far apart "
        "they begin, as a multiple of their own length",
    )


REST_SECONDS = 0.5
"""How long things stand still at either end of a clip."""

Frames = Annotated[int, Field(ge=1, le=20_000)]
Which = Annotated[int, Field(ge=0, le=1)]


class Comparison(Script):
    """What the scripts share: things of one kind, told apart by their colours, the first one on the left."""

    look: int = Field(ge=0, lt=len(LOOKS))
    size: int = Field(ge=16, le=46)
    colours: Annotated[list[str], Len(2, 4)]

    @model_validator(mode="after")
    def _has_colours(self) -> Self:
        if len({*self.colours}) != len(self.colours) or not {*self.colours} <= {*COLOURS}:
            raise ValueError("each thing has a colour of its own")
        return self

    @staticmethod
    def statics(settings: ComparisonSettings, random: Random) -> dict[str, Any]:
        return {
            "fps": settings.fps,
            "look": random.randrange(len(LOOKS)),
            "size": random.randint(38, 46),
            "colours": some_colours(random, 2),
        }

    def spots(self, settings: ComparisonSettings) -> list[Spot]:
        """The places of two things, side by side."""
        stage = Stage(settings.resolution)
        return [Spot(stage, x, 50, self.size) for x in (26, 74)]

    def of_kind(self, thing: str) -> str:
        """The two things in words."""
        left, right = (f"{a(colour)} {thing}" for colour in self.colours)
        return f"{left} on the left and {right} on the right"

    def painted(self, settings: ComparisonSettings, atlas: AtlasBuilder, **more: Any) -> Scene:
        """The scene, with what all clips have filled in."""
        return Scene(
            width=settings.resolution.width,
            height=settings.resolution.height,
            fps=self.fps,
            frames=self.frames,
            background=LOOKS[self.look][0],
            sprites=atlas.sprites,
            **more,
        )


def _drawn_length(settings: ComparisonSettings, random: Random) -> tuple[int, int, int]:
    """How many frames a clip has, how many things rest at either end, and how many are left between."""
    frames = round(draw_real(settings.seconds, random) * settings.fps)
    rest = max(1, round(REST_SECONDS * settings.fps))
    return frames, rest, frames - 2 * rest


def _no_room(what: str) -> InputError:
    return InputError(f"{what}: raise --fps or --seconds, or lower --contrast")


def _in_ratio(ratio: float, wished: int, least: int, what: str) -> tuple[int, int]:
    """Whole frames as near as can be to a ratio above 1, of which the fewer ones are about as many as is wished.

    Raises InputError where so few frames are far from the ratio.
    """
    possible = range(max(least, round(0.8 * wished)), wished + 1)
    found = [(few, max(few, round(few * ratio))) for few in possible]
    if not found:
        raise _no_room(f"{what} would take {max(wished, 0)} frames")
    few, many = min(found, key=lambda pair: (round(abs(pair[1] / pair[0] / ratio - 1), 2), -pair[0]))
    if abs(many / few / ratio - 1) > 0.045:
        raise _no_room(f"{what} takes {few} frames, of which there is no {ratio:.2f}-fold")
    return few, many


def _swell(done: int, length: int) -> Fraction:
    """From 0 to 1 and back, the same from both ends: full in the middle third."""
    x = Fraction(2 * done + 1, 2 * length)
    return min(Fraction(1), 3 * min(x, 1 - x))


def _middle(first: int, length: int) -> tuple[int, int]:
    """The frames of an event in which it is plain to see."""
    return first + length // 6, first + length - length // 6


# ---------------------------------------------------------------------------------------------------- earlier


class Jumps(Comparison):
    """Two balls, or two boxes, jump once each, equally high: which is the first? The equal jumps change places."""

    NAME: ClassVar[str] = "jumps"

    thing: Literal["ball", "box"]
    height: int = Field(ge=20, le=50)
    length: int = Field(ge=3, le=20_000)
    """Frames of a jump."""
    starts: Annotated[list[Frames], Len(2, 2)]
    """When the left one and when the right one jumps."""

    @model_validator(mode="after")
    def _holds(self) -> Self:
        first, second = sorted(self.starts)
        if len(self.colours) != 2 or second - first < self.length or second + self.length >= self.frames:
            raise ValueError("two jump one after the other, within the clip")
        return self

    @classmethod
    def draw(cls, settings: ComparisonSettings, streams: Streams, turn: int) -> tuple[Self, Self]:
        random = streams("plan")
        ratio = draw_real(settings.contrast, random)
        frames, rest, room = _drawn_length(settings, random)
        wished = min(round(random.uniform(0.5, 1.0) * settings.fps), int((room - 1) / (1 + ratio)))
        length, lag = _in_ratio(ratio, wished, 4, "a jump")
        first = rest + random.randint(0, room - length - lag)
        fields = cls.statics(settings, random) | {
            "frames": frames,
            "thing": random.choice(["ball", "box"]),
            "height": random.randint(25, 50),
            "length": length,
        }
        return cls(**fields, starts=[first, first + lag]), cls(**fields, starts=[first + lag, first])

    def words(self) -> Words:
        left, right = (f"the {colour} {self.thing}" for colour in self.colours)
        return Words(
            context=f"The video shows {self.of_kind(self.thing)}, each on a block. Each jumps once and comes down "
            "where it was. Both jumps are equally high and last equally long.",
            stem=f"Which {self.thing} jumps first?",
            options=(left, right),
            claims=(f"Does {left} jump before {right} does?", f"Does {right} jump before {left} does?"),
        )

    def answer(self) -> int:
        return 0 if self.starts[0] < self.starts[1] else 1

    def open_question(self) -> Open:
        return Open(
            kind="seconds",
            question=f"How many seconds after the beginning of the video does the {self.colours[0]} {self.thing} leave "
            "its block? (The answer counts as right within 0.4 seconds.)",
            form=f"{example('3.5')}.",
            key=round(self.starts[0] / self.fps, 3),
            tolerance=0.4,
        )

    def contrast(self) -> float:
        return abs(self.starts[0] - self.starts[1]) / self.length

    def difference(self) -> str:
        first, second = sorted(self.starts)
        return f"two equal jumps, at frames {first} and {second}, change places"

    def scene(self, settings: ComparisonSettings) -> Scene:
        atlas, spots = AtlasBuilder(), self.spots(settings)
        dark = LOOKS[self.look][1]
        block = atlas.add(
            spots[0].sprite(60, 30, Rectangle(0, 0, 60, 30, shade(dark, 1.4), 3), Rectangle(0, 0, 60, 7, dark, 3))
        )
        things = [
            atlas.add(spots[0].sprite(34, 34, *(_ball if self.thing == "ball" else _box)(COLOURS[colour])))
            for colour in self.colours
        ]
        fixed = [Placement(block, *spot.point(0, 45)) for spot in spots]

        @cache
        def at(heights: tuple[Fraction, Fraction]) -> list[Placement]:
            risen = [float(self.height * height) for height in heights]
            return [
                *fixed,
                *(Placement(thing, *spots[i].point(0, 13 - risen[i])) for i, thing in enumerate(things)),
            ]

        def height(start: int, frame: int) -> Fraction:
            gone = Fraction(frame - start + 1, self.length + 1)
            return 4 * gone * (1 - gone) if 0 < gone < 1 else Fraction(0)

        return self.painted(
            settings,
            atlas,
            placements=lambda frame: at((height(self.starts[0], frame), height(self.starts[1], frame))),
            spans=tuple((start, start + self.length) for start in sorted(self.starts)),
            seen=tuple(_middle(start, self.length) for start in self.starts),
        )


def _ball(colour: Colour) -> list[Shape]:
    return [Ellipse(0, 0, 34, 34, shade(colour, 0.6)), Ellipse(2, 2, 30, 30, colour)]


def _box(colour: Colour) -> list[Shape]:
    dark = shade(colour, 0.6)
    return [
        Rectangle(0, 0, 34, 34, dark, 2),
        Rectangle(2, 2, 30, 30, colour, 1),
        Polygon(((4, 2), (8, 2), (32, 26), (32, 32), (28, 32), (2, 6), (2, 2)), dark),
    ]


# ---------------------------------------------------------------------------------------------------- order


class Doors(Comparison):
    """Three or four doors open and shut, one after the other: in which order? Two of the equal events change places."""

    NAME: ClassVar[str] = "doors"

    handles: Literal["left", "right"]
    before: Frames
    length: int = Field(ge=4, le=20_000)
    """Frames in which a door opens and shuts."""
    lag: Frames
    """Frames from when one door begins to open until the next does."""
    order: Annotated[list[Annotated[int, Field(ge=0, le=3)]], Len(3, 4)]
    """The doors, counted from the left, in the order in which they open."""
    swapped: Annotated[list[Annotated[int, Field(ge=0, le=3)]], Len(2, 2)]
    """The two places in this order whose doors change places in the other clip."""

    @model_validator(mode="after")
    def _holds(self) -> Self:
        number = len(self.colours)
        if sorted(self.order) != list(range(number)):
            raise ValueError("each door opens once")
        if not self.swapped[0] < self.swapped[1] < number:
            raise ValueError("two places in the order")
        if self.lag < self.length or self.before + (number - 1) * self.lag + self.length >= self.frames:
            raise ValueError("doors open one after the other, within the clip")
        return self

    @classmethod
    def draw(cls, settings: ComparisonSettings, streams: Streams, turn: int) -> tuple[Self, Self]:
        random = streams("plan")
        ratio = draw_real(settings.contrast, random)
        frames, rest, room = _drawn_length(settings, random)
        number = random.choice([3, 4])
        if room < (1 + (number - 1) * ratio) * settings.fps / 2:
            number = 3
        most = int((room - number) / (1 + (number - 1) * ratio))
        length, lag = _in_ratio(ratio, min(round(random.uniform(0.6, 1.2) * settings.fps), most), 5, "a door")
        order = random.sample(range(number), number)
        first, second = sorted(random.sample(range(number), 2))
        fields = cls.statics(settings, random) | {
            "frames": frames,
            "size": random.randint(38, 46) * 2 // number,
            "colours": some_colours(random, number),
            "handles": random.choice(["left", "right"]),
            "before": rest + random.randint(0, room - (number - 1) * lag - length),
            "length": length,
            "lag": lag,
            "swapped": [first, second],
        }
        return cls(**fields, order=order), cls(**fields, order=_exchange(order, first, second))

    @property
    def names(self) -> list[str]:
        """The doors' colours in the order in which they open."""
        return [self.colours[door] for door in self.order]

    @property
    def orders(self) -> list[list[str]]:
        """The orders of both clips, in the same order for both."""
        return sorted([self.names, _exchange(self.names, *self.swapped)])

    def words(self) -> Words:
        first, second = (", then ".join(names) for names in self.orders)
        placed = ", ".join(self.colours)
        return Words(
            context=f"The video shows {_NUMBERS[len(self.colours)]} doors in a row, from left to right: {placed}. Each "
            "opens once and shuts again, one door after the other.",
            stem="In which order do the doors open?",
            options=(first, second),
            claims=(f"Do the doors open in the order {first}?", f"Do the doors open in the order {second}?"),
        )

    def answer(self) -> int:
        return self.orders.index(self.names)

    def open_question(self) -> Open:
        return Open(
            kind="sequence",
            question="List the colours of the doors in the order in which the doors open, with commas between them. "
            f"The colours are {', '.join(sorted(self.colours))}.",
            form=f"{example(', '.join(['colour'] * len(self.colours)))}, with the colours in their places.",
            key=self.names,
        )

    def contrast(self) -> float:
        return self.lag / self.length

    def difference(self) -> str:
        first, second = (", ".join(names) for names in self.orders)
        return f"the doors open in the order {first}, or {second}"

    def scene(self, settings: ComparisonSettings) -> Scene:
        number = len(self.colours)
        stage, atlas = Stage(settings.resolution), AtlasBuilder()
        spots = [Spot(stage, 100 * (2 * place + 1) / (2 * number), 50, self.size) for place in range(number)]
        dark = LOOKS[self.look][1]
        frame = atlas.add(
            spots[0].sprite(96, 180, Rectangle(0, 0, 96, 180, dark), Rectangle(8, 8, 80, 172, (40, 36, 44)))
        )
        leaves = [
            [
                atlas.add(spots[0].sprite(80, 172, *_leaf(COLOURS[colour], pose, self.handles)))
                for pose in range(_DOOR_POSES + 1)
            ]
            for colour in self.colours
        ]
        fixed = [Placement(frame, *spot.point(0, 0)) for spot in spots]
        starts = [self.before + self.order.index(door) * self.lag for door in range(number)]

        @cache
        def at(poses: tuple[int, ...]) -> list[Placement]:
            shown = [Placement(leaves[door][pose], *spots[door].point(0, 4)) for door, pose in enumerate(poses)]
            return [*fixed, *shown]

        def pose(start: int, frame: int) -> int:
            if not start <= frame < start + self.length:
                return 0
            return max(1, round(_DOOR_POSES * _swell(frame - start, self.length)))

        spans = tuple((start, start + self.length) for start in sorted(starts))
        return self.painted(
            settings,
            atlas,
            placements=lambda frame: at(tuple(pose(start, frame) for start in starts)),
            spans=spans,
            seen=tuple(_middle(start, self.length) for start in sorted(starts)),
        )


_NUMBERS = {3: "three", 4: "four"}
_DOOR_POSES = 8


def _exchange(names: Sequence[Any], first: int, second: int) -> list[Any]:
    changed = list(names)
    changed[first], changed[second] = changed[second], changed[first]
    return changed


def _leaf(colour: Colour, pose: int, handles: str) -> list[Shape]:
    """A door leaf that stands open the wider the higher the pose; its hinges are opposite its handle."""
    width, slant = 80 - 7.5 * pose, 1.6 * pose
    corners: list[list[tuple[float, float]]] = [
        [(0, 0), (1, slant), (1, 172 - slant), (0, 172)],
        [(0.18, 16), (0.82, 16), (0.82, 60), (0.18, 60)],
        [(0.18, 94), (0.82, 94), (0.82, 156), (0.18, 156)],
        [(0.84, 78), (0.94, 78), (0.94, 88), (0.84, 88)],
    ]
    tones = (colour, shade(colour, 0.75), shade(colour, 0.75), PAPER)
    return [
        Polygon(tuple((width * x if handles == "right" else 80 - width * x, y) for x, y in points), tone)
        for points, tone in zip(corners, tones, strict=True)
    ]


# ---------------------------------------------------------------------------------------------------- more often


class Lighthouses(Comparison):
    """Two lighthouses flash in turn, one more often: many short flashes against few long ones, as long altogether."""

    NAME: ClassVar[str] = "lighthouses"

    before: Frames
    lit: Frames
    """Frames for which each one is lit, all its flashes together."""
    dark: Frames
    """Frames between a flash and the next, of whichever."""
    order: Annotated[list[Which], Len(4, 60)]
    """Which one flashes, flash after flash: 0 is the left one."""

    @model_validator(mode="after")
    def _holds(self) -> Self:
        counts = self.counts
        if len(self.colours) != 2 or min(counts) < 2 or counts[0] == counts[1]:
            raise ValueError("two flash several times, one of them more often")
        if any(self.lit % count for count in counts):
            raise ValueError("the flashes of each are equally long")
        if self.before + 2 * self.lit + self.dark * (len(self.order) - 1) >= self.frames:
            raise ValueError("the flashes fit into the clip")
        return self

    @property
    def counts(self) -> list[int]:
        return [self.order.count(which) for which in (0, 1)]

    @property
    def flashes(self) -> list[tuple[int, int]]:
        lengths = [self.lit // self.counts[which] for which in self.order]
        starts = accumulate(lengths[:-1], lambda start, length: start + length + self.dark, initial=self.before)
        return [(start, start + length) for start, length in zip(starts, lengths, strict=True)]

    @classmethod
    def draw(cls, settings: ComparisonSettings, streams: Streams, turn: int) -> tuple[Self, Self]:
        random = streams("plan")
        frames, rest, room = _drawn_length(settings, random)
        # No flash and no pause is shorter.
        least = max(2, round(settings.fps / 4))
        low, high = settings.contrast.low * 0.97, settings.contrast.high * 1.03
        possible = [
            (few, many)
            for few in range(2, 7)
            for many in range(few + 1, 21)
            if low <= many / few <= high
            and 2 * lcm(few, many) * ceil(least * many / lcm(few, many)) + least * (few + many - 1) <= room
        ]
        if not possible:
            raise InputError(
                f"no whole numbers of flashes have a contrast of {settings.contrast} in {settings.seconds} seconds: "
                "allow more of either, or leave lighthouses out with --scripts"
            )
        # As near as can be to a ratio that is drawn evenly; of those that are near enough, few enough to follow.
        ratio = draw_real(settings.contrast, random)
        off = {counts: abs(counts[1] / counts[0] / ratio - 1) for counts in possible}
        near = [counts for counts in possible if off[counts] <= max(0.03, min(off.values()))]
        few, many = random.choice(sorted(near, key=sum)[:2])
        step = lcm(few, many)
        dark = least
        times = ceil(least * many / step)
        spare = room - dark * (few + many - 1) - 2 * step * times
        # Longer flashes where there is room for them, then longer pauses.
        times += int(random.uniform(0.2, 0.6) * spare / (2 * step))
        spare = room - dark * (few + many - 1) - 2 * step * times
        dark += int(random.uniform(0.3, 0.9) * spare / (few + many - 1))
        first, last = random.randrange(2), random.randrange(2)
        fields = cls.statics(settings, random) | {
            "frames": frames,
            "before": rest + random.randint(0, room - dark * (few + many - 1) - 2 * step * times),
            "lit": step * times,
            "dark": dark,
        }
        orders = []
        for counts in ((few, many), (many, few)):
            # The first and the last flash are the same one's in both clips.
            between = [which for which in (0, 1) for _ in range(counts[which] - (which == first) - (which == last))]
            random.shuffle(between)
            orders.append([first, *between, last])
        return cls(**fields, order=orders[0]), cls(**fields, order=orders[1])

    def words(self) -> Words:
        left, right = (f"the {colour} lighthouse" for colour in self.colours)
        return Words(
            context=f"The video shows {self.of_kind('lighthouse')}. Each flashes several times, some flashes shorter "
            "than others, and never both at once. In total, the two are lit for the same length of time.",
            stem="Which lighthouse flashes more often?",
            options=(left, right),
            claims=(f"Does {left} flash more often than {right}?", f"Does {right} flash more often than {left}?"),
        )

    def answer(self) -> int:
        return 0 if self.counts[0] > self.counts[1] else 1

    def open_question(self) -> Open:
        return Open(
            kind="integer",
            question=f"How many times does the {self.colours[0]} lighthouse flash?",
            form=f"{example('11')}.",
            key=self.counts[0],
        )

    def contrast(self) -> float:
        return max(self.counts) / min(self.counts)

    def difference(self) -> str:
        return f"{min(self.counts)} and {max(self.counts)} flashes, as long altogether, change sides"

    def scene(self, settings: ComparisonSettings) -> Scene:
        atlas, spots = AtlasBuilder(), self.spots(settings)
        towers = [
            [atlas.add(spots[0].sprite(100, 150, *_lighthouse(COLOURS[colour], is_lit))) for is_lit in (False, True)]
            for colour in self.colours
        ]
        flashes = self.flashes

        @cache
        def at(lit: int | None) -> list[Placement]:
            return [Placement(towers[i][i == lit], *spot.point(0, 0)) for i, spot in enumerate(spots)]

        which: list[int | None] = [None] * self.frames
        for (start, end), one in zip(flashes, self.order, strict=True):
            which[start:end] = [one] * (end - start)
        pauses = [(end, end + self.dark) for _, end in flashes[:-1]]
        return self.painted(
            settings,
            atlas,
            placements=lambda frame: at(which[frame]),
            spans=tuple(flashes),
            # Each flash must be seen, and each pause, which tells two flashes from one.
            seen=tuple(sorted([*flashes, *pauses])),
        )


def _lighthouse(colour: Colour, is_lit: bool) -> list[Shape]:
    light, glow = (255, 214, 66), (255, 232, 140)
    beams = [Polygon(((50, 26), (2, 4), (2, 48)), glow), Polygon(((50, 26), (98, 4), (98, 48)), glow)] if is_lit else []
    stripes = [
        Polygon(((x, y), (100 - x, y), (98 - x + 4, y + 18), (x - 2, y + 18)), tone)
        for number, tone in enumerate([colour, PAPER] * 3)
        for x, y in [(36 - 2 * number, 38 + 18 * number)]
    ]
    return [
        *beams,
        Polygon(((50, 2), (66, 14), (34, 14)), colour),
        Rectangle(38, 14, 24, 20, light if is_lit else (122, 118, 114)),
        Rectangle(32, 33, 36, 6, INK, 2),
        *stripes,
        Rectangle(14, 144, 72, 6, INK, 2),
    ]


# ---------------------------------------------------------------------------------------------------- faster


class Metronomes(Comparison):
    """Two metronomes swing, one more often. With k and m swings in N frames, the same pairs of poses come both ways.

    k and m are coprime to N, and m² - k² is a multiple of N: frame i of one clip looks like frame i · m / k of the
    other, modulo N, in which the first arm has gone m · i and the second one m² / k · i = k · i.
    """

    NAME: ClassVar[str] = "metronomes"

    begins: int = Field(ge=0, le=20_000)
    """Where both arms begin, in steps of which a swing there and back has as many as the clip has moving frames."""
    swings: Annotated[list[Annotated[int, Field(ge=1, le=1000)]], Len(2, 2)]
    """Swings there and back of the left one and of the right one."""

    @model_validator(mode="after")
    def _holds(self) -> Self:
        (slow, fast), steps = sorted(self.swings), self.frames - 1
        if len(self.colours) != 2 or self.begins >= steps:
            raise ValueError("two metronomes, and where they begin")
        if slow == fast or (fast * fast - slow * slow) % steps or gcd(slow, steps) != 1 or gcd(fast, steps) != 1:
            raise ValueError("the swings m and k are coprime to the clip's steps, which divide m² - k²")
        if 4 * fast > steps:
            raise ValueError("a swing takes four frames at least")
        return self

    @classmethod
    def draw(cls, settings: ComparisonSettings, streams: Streams, turn: int) -> tuple[Self, Self]:
        random = streams("plan")
        seconds, contrast = settings.seconds, settings.contrast
        fewest, most = (round(side * settings.fps) - 1 for side in seconds)
        possible = [
            (slow, fast, (fast * fast - slow * slow) // times)
            for fast in range(2, max(3, int(QUICKEST * seconds.high) + 1))
            for slow in range(max(1, int(fast / (contrast.high + 0.1))), int(fast / contrast.low) + 1)
            if contrast.low <= round(fast / slow, 3) <= contrast.high
            for times in range(1, (fast * fast - slow * slow) // max(1, fewest) + 1)
            if (fast * fast - slow * slow) % times == 0
        ]
        possible = [
            (slow, fast, steps)
            for slow, fast, steps in possible
            if fewest <= steps <= most
            and gcd(slow, steps) == gcd(fast, steps) == 1
            and 5 * fast <= steps
            and fast * settings.fps <= QUICKEST * steps
        ]
        if not possible:
            raise InputError(
                f"no two metronomes have a contrast of {contrast} in {seconds} seconds: allow more of either, or "
                "leave metronomes out with --scripts"
            )
        slow, fast, steps = random.choice(possible)
        fields = cls.statics(settings, random) | {"frames": steps + 1, "begins": random.randrange(steps)}
        return cls(**fields, swings=[slow, fast]), cls(**fields, swings=[fast, slow])

    def words(self) -> Words:
        left, right = (f"the {colour} metronome" for colour in self.colours)
        return Words(
            context=f"The video shows {self.of_kind('metronome')}. The arm of each swings from side to side all the "
            "time, at a rate that does not change.",
            stem="Which metronome swings more often?",
            options=(left, right),
            claims=(f"Does {left} swing more often than {right}?", f"Does {right} swing more often than {left}?"),
        )

    def answer(self) -> int:
        return 0 if self.swings[0] > self.swings[1] else 1

    def open_question(self) -> Open:
        return Open(
            kind="integer",
            question=f"How many full swings does the arm of the {self.colours[0]} metronome make in the whole video? "
            "A full swing goes to one side, to the other, and back to where it began.",
            form=f"{example('20')}.",
            key=self.swings[0],
        )

    def contrast(self) -> float:
        return max(self.swings) / min(self.swings)

    def difference(self) -> str:
        return f"{min(self.swings)} and {max(self.swings)} swings change sides"

    def scene(self, settings: ComparisonSettings) -> Scene:
        atlas, spots = AtlasBuilder(), self.spots(settings)
        bodies = [
            atlas.add(
                spots[0].sprite(
                    100,
                    150,
                    Polygon(((36, 10), (64, 10), (94, 146), (6, 146)), shade(COLOURS[colour], 0.6)),
                    Polygon(((39, 14), (61, 14), (86, 112), (14, 112)), PAPER),
                    Polygon(((14, 114), (86, 114), (92, 142), (8, 142)), COLOURS[colour]),
                )
            )
            for colour in self.colours
        ]
        # Of one shape, since each angle is drawn anew; the weight on it is a disc, which needs no turning.
        arm = atlas.add(spots[0].sprite(4, 96, Rectangle(0, 0, 4, 96, INK)))
        weight = atlas.add(spots[0].sprite(16, 16, Ellipse(0, 0, 16, 16, INK)))
        steps = self.frames - 1

        @cache
        def at(angles: tuple[int, int]) -> list[Placement]:
            placed = []
            for i, spot in enumerate(spots):
                across, up = sin(angles[i] * pi / 180), sin((90 - angles[i]) * pi / 180)
                placed += [
                    Placement(bodies[i], *spot.point(0, 0)),
                    Placement(arm, *spot.point(48 * across, 37 - 48 * up), angle=float(angles[i])),
                    Placement(weight, *spot.point(72 * across, 37 - 72 * up)),
                ]
            return placed

        @cache
        def angle(place: int) -> int:
            return 4 * round(8 * sin(2 * pi * place / steps))

        def placements(frame: int) -> list[Placement]:
            left, right = (angle((self.begins + swings * frame) % steps) for swings in self.swings)
            return at((left, right))

        third = max(1, steps // (3 * max(self.swings)))
        return self.painted(
            settings,
            atlas,
            placements=placements,
            spans=((0, self.frames),),
            # Three frames a swing tell how fast the faster arm is.
            seen=((0, third),),
        )


QUICKEST = 2.0
"""Swings there and back a second that a person can still follow."""


# ---------------------------------------------------------------------------------------------------- longer


class Moles(Comparison):
    """Two moles peek out twice each; which is away longer between? The peeks are equal; the waits change places."""

    NAME: ClassVar[str] = "moles"

    pot: bool
    """Whether they live in flower pots, not in mounds."""
    before: Frames
    length: int = Field(ge=3, le=20_000)
    """Frames of a peek."""
    order: Annotated[list[Which], Len(4, 4)]
    """Whose peek comes when: 0 is the left one's."""
    waits: Annotated[list[Frames], Len(3, 3)]
    """Frames between a peek and the next."""

    @model_validator(mode="after")
    def _holds(self) -> Self:
        if len(self.colours) != 2 or self.order not in ORDERS:
            raise ValueError("two moles peek out twice each, one of them first")
        if self.before + 4 * self.length + sum(self.waits) >= self.frames or self.away[0] == self.away[1]:
            raise ValueError("the peeks fit into the clip, and one mole is away longer")
        return self

    @property
    def starts(self) -> list[int]:
        """When each peek begins, in order."""
        steps = (wait + self.length for wait in self.waits)
        return list(accumulate(steps, initial=self.before))

    @property
    def away(self) -> list[int]:
        """Frames for which each mole is away between its peeks."""
        found = []
        for mole in (0, 1):
            first, second = (start for start, whose in zip(self.starts, self.order, strict=True) if whose == mole)
            found.append(second - first - self.length)
        return found

    @classmethod
    def draw(cls, settings: ComparisonSettings, streams: Streams, turn: int) -> tuple[Self, Self]:
        random = streams("plan")
        ratio = draw_real(settings.contrast, random)
        frames, rest, room = _drawn_length(settings, random)
        length = max(4, round(random.uniform(0.45, 0.65) * settings.fps))
        between = max(2, round(random.uniform(0.25, 0.5) * settings.fps))
        budget = round(room * random.uniform(0.8, 1.0))
        order = random.choice(ORDERS)
        # Where the moles peek in turn, the middle peek and wait belong to the times of both.
        common = between + length if order[0] != order[1] else 0
        wished = int((budget - 4 * length - between + 2 * common - 1) / (1 + ratio))
        if round(0.8 * wished) - common < 2:
            order, common = random.choice(ORDERS[:2]), 0
            wished = int((room - 4 * length - between - 1) / (1 + ratio))
        short, long = _in_ratio(ratio, wished, 3, "the shorter time away")
        if short == long:
            raise _no_room(f"the moles would both be away for {short} frames")
        total = 4 * length + between + short + long - 2 * common
        fields = cls.statics(settings, random) | {
            # A brown hat would be lost before a mound.
            "colours": some_colours(random, 2, without="brown"),
            "frames": frames,
            "pot": random.random() < 0.5,
            "before": rest + random.randint(0, room - total),
            "length": length,
            "order": order,
        }
        waits = [short - common, between, long - common]
        return cls(**fields, waits=waits), cls(**fields, waits=waits[::-1])

    def words(self) -> Words:
        left, right = (f"the mole with the {colour} hat" for colour in self.colours)
        hats = [f"{a(colour)} hat" for colour in self.colours]
        return Words(
            context=f"The video shows two {'flower pots' if self.pot else 'mounds'}, each with a mole in it. The one "
            f"on the left has {hats[0]}, the one on the right {hats[1]}. Each mole comes up twice, to peek out, and "
            "goes down again. It is away between the two: from when nothing of it can be seen any more until it shows "
            "again.",
            stem="Which mole is away longer?",
            options=(left, right),
            claims=(f"Is {left} away longer than {right}?", f"Is {right} away longer than {left}?"),
        )

    def answer(self) -> int:
        return 0 if self.away[0] > self.away[1] else 1

    def open_question(self) -> Open:
        return Open(
            kind="seconds",
            question=f"For how many seconds is the mole with the {self.colours[0]} hat away? (The answer counts as "
            "right within 0.4 seconds.)",
            form=f"{example('5.5')}.",
            key=round(self.away[0] / self.fps, 3),
            tolerance=0.4,
        )

    def contrast(self) -> float:
        return max(self.away) / min(self.away)

    def difference(self) -> str:
        return f"the moles are away for {min(self.away)} and {max(self.away)} frames, or the other way round"

    def scene(self, settings: ComparisonSettings) -> Scene:
        atlas, spots = AtlasBuilder(), self.spots(settings)
        home = atlas.add(spots[0].sprite(100, 70, *(_POT if self.pot else _MOUND)))
        moles = [atlas.add(spots[0].sprite(46, 62, *_mole(COLOURS[colour]))) for colour in self.colours]
        starts = self.starts

        @cache
        def at(mole: int, pose: int) -> list[Placement]:
            risen = [pose if i == mole else 0 for i in (0, 1)]
            return [
                *(
                    Placement(moles[i], *spot.point(0, 34 - 52.0 * risen[i] / _MOLE_POSES))
                    for i, spot in enumerate(spots)
                ),
                *(Placement(home, *spot.point(0, 36)) for spot in spots),
            ]

        def placements(frame: int) -> list[Placement]:
            for start, mole in zip(starts, self.order, strict=True):
                if start <= frame < start + self.length:
                    return at(mole, max(1, round(_MOLE_POSES * _swell(frame - start, self.length))))
            return at(0, 0)

        # Beside the peeks, frames must be close enough to tell the long time from the short one.
        apart = max(1, (max(self.away) - min(self.away)) // 2)
        return self.painted(
            settings,
            atlas,
            placements=placements,
            spans=tuple((start, start + self.length) for start in starts),
            seen=((0, apart), *(_middle(start, self.length) for start in starts)),
        )


ORDERS = ([0, 0, 1, 1], [1, 1, 0, 0], [0, 1, 0, 1], [1, 0, 1, 0])
_MOLE_POSES = 40
_POT: tuple[Shape, ...] = (
    Polygon(((8, 8), (92, 8), (80, 70), (20, 70)), (178, 96, 62)),
    Rectangle(2, 0, 96, 16, (150, 78, 50), 2),
)
_MOUND: tuple[Shape, ...] = (
    Polygon(((18, 4), (82, 4), (94, 34), (100, 70), (0, 70), (6, 34)), (110, 84, 62)),
    Rectangle(14, 0, 72, 8, (88, 66, 48), 4),
)


def _mole(hat: Colour) -> list[Shape]:
    fur, light = (92, 88, 94), (206, 190, 180)
    return [
        Rectangle(3, 14, 40, 48, fur, 18),
        Ellipse(13, 32, 20, 16, light),
        Ellipse(19, 32, 8, 7, (226, 120, 130)),
        *(Ellipse(x, 24, 6, 6, PAPER) for x in (12, 28)),
        *(Ellipse(x, 25.5, 3, 3, INK) for x in (13.5, 29.5)),
        Rectangle(12, 0, 22, 16, hat, 3),
        Rectangle(4, 13, 38, 6, shade(hat, 0.7), 3),
    ]


FAMILY = pair_family(
    name="cross_event_comparison",
    version=1,
    summary="Pairs that differ in a comparison of events: which is first, more often, longer, and in which order.",
    settings=ComparisonSettings,
    scripts=(Jumps, Doors, Lighthouses, Metronomes, Moles),
)

if __name__ == "__main__":
    from generators.command import main

    main(["cross_event_comparison", *sys.argv[1:]])
