"""State transition: in which order something passes through its states, or at what pace it leaves one and returns.

Each clip begins and ends in the same state. Its partner is the same played backwards: the other order, or the paces of
the two changes swapped.
"""

import sys
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import pairwise
from math import cos, pi, sin, sqrt
from random import Random
from typing import Annotated, Any, ClassVar, NamedTuple, Self

from annotated_types import Len
from pydantic import Field, model_validator

from generators.errors import InputError
from generators.fine_grained_action import tolerance_between, two_lengths
from generators.pairs import Open, PairSettings, Script, Words, draw_real, pair_family
from generators.props import Props, rimmed
from generators.questions import example
from generators.randomness import Streams
from generators.rendering.scene import Colour, Ellipse, Line, Placement, Polygon, Rectangle, Scene, Shape
from generators.settings import RealRange, real_range
from generators.speed import shared_out
from generators.stage import COLOURS, INK, LOOKS, PAPER, Stage, a, shade, some_colours

# ---------------------------------------------------------------------------------------------------- settings


class StateTransitionSettings(PairSettings):
    contrast: real_range(1.1, 5.0) = Field(  # type: ignore[valid-type]
        RealRange(1.6, 3.0),
        description="how clear the states are, as a ratio: for colour, shape and mood how many times as long a state "
        "lasts as a change does, for size and fill_level how many times as large or full the one extreme is as the "
        "other, for opacity how many times as long the slow change takes",
    )


LONGEST = 20_000
STEPS = 10
"""How many looks a change passes through: enough to be smooth, few enough to be drawn quickly."""
ENDS = 0.4
"""By how much of a state the first one lasts longer than one of the others, both ends of the clip together."""

# ---------------------------------------------------------------------------------------------------- any states


class Pose(NamedTuple):
    """Between two states, the earlier name of the alphabet first: `share` is how far it is from one to the other.

    In a state itself both are that state, so a change played backwards has the very same poses.
    """

    one: str
    other: str
    share: Fraction


def between(start: str, end: str, share: Fraction) -> Pose:
    if share in (0, 1):
        state = end if share else start
        return Pose(state, state, Fraction(0))
    return Pose(start, end, share) if start < end else Pose(end, start, 1 - share)


class Transition(Script):
    """Something that changes its state, and all that its clips have in common."""

    look: int = Field(ge=0, lt=len(LOOKS))
    style: int = Field(ge=0, le=1)
    """Which of two designs it has."""
    aside: int = Field(ge=-12, le=12)
    """How far right of the middle it is, in units."""

    @model_validator(mode="after")
    def _holds(self) -> Self:
        self.check()
        if self.frames != self.length():
            raise ValueError("states and changes make up the clip")
        return self

    @classmethod
    def statics(cls, settings: StateTransitionSettings, random: Random) -> dict[str, Any]:
        return {
            "fps": settings.fps,
            "look": random.randrange(len(LOOKS)),
            "style": random.randrange(2),
            "aside": random.randint(-12, 12),
        }

    def check(self) -> None:
        """Raises ValueError where the script's own fields do not fit each other."""
        raise NotImplementedError(self)

    def length(self) -> int:
        """Frames of the whole clip."""
        raise NotImplementedError(self)

    def timeline(self) -> tuple[list[Pose], list[tuple[int, int]], list[tuple[int, int]]]:
        """The clip's poses, the frames of its changes, and those that tell in which order or at what pace."""
        raise NotImplementedError(self)

    def pictures(self, props: Props) -> Callable[[Pose], list[Placement]]:
        """What is placed where in a pose."""
        raise NotImplementedError(self)

    def scene(self, settings: StateTransitionSettings) -> Scene:
        props = Props(Stage(settings.resolution))
        at = cache(self.pictures(props))
        poses, spans, seen = self.timeline()
        return Scene(
            width=settings.resolution.width,
            height=settings.resolution.height,
            fps=self.fps,
            frames=self.frames,
            background=LOOKS[self.look][0],
            sprites=props.atlas.sprites,
            placements=lambda frame: at(poses[frame]),
            spans=tuple(spans),
            seen=tuple(seen),
        )


class Order(Transition):
    """States in a circle, from the first and back to it, one way round or the other."""

    STATES: ClassVar[tuple[str, ...]]
    FEWEST: ClassVar[int] = 3
    MOST: ClassVar[int] = 4
    THING: ClassVar[str]
    """What the thing is called, behind "the"."""
    ASKED: ClassVar[str]
    """What its states are called."""

    states: Annotated[list[str], Len(3, 5)]
    """The states in order; at the end the first one returns."""
    rest: int = Field(ge=1, le=LONGEST)
    """Frames for which the first state lasts at either end of the clip."""
    hold: int = Field(ge=1, le=LONGEST)
    """Frames for which each of the others lasts."""
    change: int = Field(ge=1, le=LONGEST)
    """Frames of a change, in none of which it is in a state."""

    def check(self) -> None:
        if len(set(self.states)) != len(self.states) or not {*self.states} <= {*self.STATES}:
            raise ValueError("each state that the script has comes once")
        if not self.FEWEST <= len(self.states) <= self.MOST:
            raise ValueError("as many states as the script has")

    def length(self) -> int:
        return 2 * self.rest + (len(self.states) - 1) * self.hold + len(self.states) * self.change

    @classmethod
    def draw(cls, settings: StateTransitionSettings, streams: Streams, turn: int) -> tuple[Self, Self]:
        random = streams("plan")
        contrast = draw_real(settings.contrast, random)
        fields = cls.statics(settings, random)
        frames = draw_real(settings.seconds, random) * settings.fps
        states = cls.some_states(random)
        fields |= cls.timing(contrast, frames, len(states), random)
        moving = len(states) * fields["change"] + (len(states) - 1) * fields["hold"]
        fields["rest"] = max(1, fields["hold"] // 3, round((frames - moving) / 2))
        if min(fields["hold"], fields["change"]) < 2:
            raise InputError(
                "a state or a change would take too few frames to be seen: raise --fps or --seconds, or lower "
                "--contrast"
            )
        fields["frames"] = 2 * fields["rest"] + moving
        return cls(**fields, states=states), cls(**fields, states=[states[0], *states[:0:-1]])

    @classmethod
    def some_states(cls, random: Random) -> list[str]:
        return random.sample(cls.STATES, random.randint(cls.FEWEST, cls.MOST))

    @classmethod
    def timing(cls, contrast: float, frames: float, number: int, random: Random) -> dict[str, Any]:
        """Frames of a state and of a change; here their ratio is the contrast."""
        rough = round(frames / (number + (number + ENDS) * contrast))
        # Of lengths that hardly differ and that fit in, that with the truest ratio.
        lengths = [(change, round(change * contrast)) for change in (rough, rough + 1, rough - 1) if change > 1]
        fitting = [one for one in lengths if number * one[0] + number * one[1] <= frames]
        change, hold = min(fitting, key=lambda one: abs(one[1] / one[0] - contrast), default=(0, 0))
        return {"change": change, "hold": hold}

    def contrast(self) -> float:
        return self.hold / self.change

    @property
    def closed(self) -> list[str]:
        """All states, the return to the first one among them."""
        return [*self.states, self.states[0]]

    @property
    def orders(self) -> tuple[list[str], list[str]]:
        """The two orders, the same two for both clips: that whose second state is the earlier one comes first."""
        first, second = self.closed, self.closed[::-1]
        return (first, second) if first[1] < second[1] else (second, first)

    def answer(self) -> int:
        return self.orders.index(self.closed)

    def timeline(self) -> tuple[list[Pose], list[tuple[int, int]], list[tuple[int, int]]]:
        poses: list[Pose] = []
        spans, seen = [], []
        for start, end in pairwise(self.closed):
            poses += [between(start, start, Fraction(0))] * (self.hold if poses else self.rest)
            first = len(poses)
            poses += [between(start, end, Fraction(frame, self.change + 1)) for frame in range(1, self.change + 1)]
            spans.append((first, len(poses)))
            if end != self.states[0]:
                seen.append((len(poses), len(poses) + self.hold))
        poses += poses[:1] * self.rest
        return poses, spans, seen

    def words(self) -> Words:
        first, second = self.orders
        return Words(
            context=self.shown(),
            stem=f"In which order do the {self.ASKED} come?",
            options=(", then ".join(first), ", then ".join(second)),
            claims=(
                f"Do the {self.ASKED} of the {self.THING} come in the order {', '.join(first)}?",
                f"Do the {self.ASKED} of the {self.THING} come in the order {', '.join(second)}?",
            ),
        )

    def shown(self) -> str:
        """What the video shows."""
        raise NotImplementedError(self)

    def open_question(self) -> Open:
        words = sorted(self.states)
        return Open(
            kind="sequence",
            question=f"Which {self.ASKED} does the {self.THING} have, one after another? List them all in order, the "
            f"one at the start first and the one at the end last. Use the words {', '.join(words)}.",
            form=f"{example(', '.join(words[:2]))}.",
            key=self.closed,
        )

    def difference(self) -> str:
        first, second = self.orders
        return f"{', '.join(first)} or {', '.join(second)}"


# ---------------------------------------------------------------------------------------------------- colour


def steps(share: Fraction) -> int:
    """The look of a share, 0 and STEPS being the states alone: shares s and 1 - s have looks that add up to STEPS."""
    low = min(share, 1 - share)
    number = max(1, int(low * STEPS + Fraction(1, 2))) if low else 0
    return number if share == low else STEPS - number


class ColourOrder(Order):
    """A lamp or a lantern fades from colour to colour."""

    NAME: ClassVar[str] = "colour"
    # Not those that others look like on the way to each other: orange, purple, brown.
    STATES: ClassVar[tuple[str, ...]] = ("blue", "green", "pink", "red", "yellow")
    MOST: ClassVar[int] = 5
    THING: ClassVar[str] = "lamp"
    ASKED: ClassVar[str] = "colours"

    def shown(self) -> str:
        start, *others = self.states
        return (
            f"The video shows a lamp that fades from one colour to the next. It is {start} at the start and at the "
            f"end, and in between it is each of these colours once, for a while: {', '.join(sorted(others))}."
        )

    def pictures(self, props: Props) -> Callable[[Pose], list[Placement]]:
        dark, x = LOOKS[self.look][1], 50 + self.aside
        (wide, tall), round_by, y = ((26, 38), 3.0, 48) if self.style else ((36, 36), 18.0, 34)

        def bulb(colour: Colour, edge: float) -> int:
            glass = Rectangle(edge, edge, wide - 2 * edge, tall - 2 * edge, colour, round_by)
            gleam = Rectangle(0.24 * wide, 0.16 * tall, 4, 0.3 * tall, shade(colour, 1.9), 2)
            return props.picture(wide, tall, glass, gleam)

        bulbs = {name: bulb(COLOURS[name], 1) for name in self.states}
        below = bulb(dark, 0)
        still = [props.put(props.box(60, 4, dark, 2), x, 92)]
        if self.style:
            cap = props.picture(40, 16, Polygon(((20, 3), (36, 16), (4, 16)), dark), Ellipse(17, 0, 6, 6, dark))
            still += [props.put(props.box(3, 38, dark), x, 79), props.put(cap, x, 20)]
            still.append(props.put(props.box(30, 4, dark, 1), x, 67))
        else:
            still += [props.put(props.box(4, 46, dark), x, 70), props.put(props.box(16, 6, dark, 2), x, 54)]
        still.append(props.put(below, x, y))

        def at(pose: Pose) -> list[Placement]:
            share = steps(pose.share)
            lit = [props.put(bulbs[pose.one], x, y)]
            if share:
                lit.append(props.put(bulbs[pose.other], x, y, opacity=share / STEPS))
            return [*still, *lit]

        return at


# ---------------------------------------------------------------------------------------------------- shape

CORNERS = 120


def _outline(name: str) -> list[tuple[float, float]]:
    """The edge of a shape as points on rays from its middle, which are evenly spaced: shapes blend ray by ray."""
    rays = [2 * pi * corner / CORNERS for corner in range(CORNERS)]

    def regular(sides: int, turned: float, size: float) -> list[float]:
        half = pi / sides
        return [size * cos(half) / cos((ray - turned) % (2 * half) - half) for ray in rays]

    match name:
        case "circle":
            lengths = [0.9] * CORNERS
        case "square":
            lengths = regular(4, pi / 4, 1.1)
        case "triangle":
            lengths = regular(3, pi / 6, 1.2)
        case "diamond":
            lengths = [1 / (abs(cos(ray)) / 0.66 + abs(sin(ray)) / 1.14) for ray in rays]
        case "star":
            # Straight edges from tip to notch, five of each.
            lengths = []
            for ray in rays:
                from_tip = abs((ray + pi / 2 + pi / 5) % (2 * pi / 5) - pi / 5)
                tip, notch = 1.16, 0.5
                lengths.append(tip * notch * sin(pi / 5) / (tip * sin(from_tip) + notch * sin(pi / 5 - from_tip)))
        case _:  # cross
            arm = 0.36
            lengths = []
            for ray in rays:
                wide, narrow = max(abs(cos(ray)), abs(sin(ray))), min(abs(cos(ray)), abs(sin(ray)))
                lengths.append(min(1.06 / wide, max(arm / narrow if narrow else 9.0, arm / wide)))
    return [(length * cos(ray), length * sin(ray)) for length, ray in zip(lengths, rays, strict=True)]


class ShapeOrder(Order):
    """A figure on a card changes from shape to shape."""

    NAME: ClassVar[str] = "shape"
    STATES: ClassVar[tuple[str, ...]] = ("circle", "cross", "diamond", "square", "star", "triangle")
    THING: ClassVar[str] = "figure"
    ASKED: ClassVar[str] = "shapes"

    colour: str

    def check(self) -> None:
        super().check()
        if self.colour not in COLOURS:
            raise ValueError("a colour that has a name")

    @classmethod
    def statics(cls, settings: StateTransitionSettings, random: Random) -> dict[str, Any]:
        return super().statics(settings, random) | {"colour": some_colours(random, 1)[0]}

    def shown(self) -> str:
        start, *others = self.states
        return (
            f"The video shows {a(self.colour)} figure that changes its shape. It is a {start} at the start and at the "
            f"end, and in between it has each of these shapes once, for a while: {', '.join(sorted(others))}."
        )

    def pictures(self, props: Props) -> Callable[[Pose], list[Placement]]:
        dark, x, side = LOOKS[self.look][1], 50 + self.aside, 43.0
        outlines = {name: _outline(name) for name in self.states}
        if self.style:
            card = props.picture(74, 74, *rimmed(Rectangle(0, 0, 74, 74, PAPER, 3), 1.2))
            still = [props.put(card, x, 48)]
        else:
            card = props.picture(76, 66, Rectangle(0, 0, 76, 66, dark, 2), Rectangle(3, 3, 70, 60, PAPER))
            legs = props.picture(70, 40, Line(((8, 0), (2, 39)), 3, dark), Line(((62, 0), (68, 39)), 3, dark))
            still = [props.put(legs, x, 78), props.put(card, x, 45)]
        y = 48 if self.style else 45

        @cache
        def figure(one: str, other: str, step: int) -> int:
            share = step / STEPS
            points = tuple(
                (side / 2 + 17.8 * (a + (c - a) * share), side / 2 + 17.8 * (b + (d - b) * share))
                for (a, b), (c, d) in zip(outlines[one], outlines[other], strict=True)
            )
            return props.picture(side, side, Polygon(points, COLOURS[self.colour]))

        # All that may come is in the atlas from the start, in an order that both clips have.
        for one, other in sorted(tuple(sorted(change)) for change in pairwise(self.closed)):
            for step in range(STEPS + 1):
                figure(one, other, step)

        def at(pose: Pose) -> list[Placement]:
            return [*still, props.put(figure(pose.one, pose.other, steps(pose.share)), x, y)]

        return at


# ---------------------------------------------------------------------------------------------------- mood

FACES: dict[str, tuple[float, float, float, float]] = {
    # How far the mouth's corners rise, how wide it is, how far open, and how high the brows are.
    "happy": (5.0, 11.0, 0.9, 1.0),
    "neutral": (0.0, 8.5, 0.7, 0.0),
    "sad": (-5.0, 9.5, 0.7, -1.2),
    "surprised": (0.0, 4.4, 5.4, 3.4),
}

MOUTHS = {
    "happy": "a happy one curves up at its ends",
    "neutral": "a neutral one is straight",
    "sad": "a sad one curves down at its ends",
    "surprised": "a surprised one is a round opening",
}


class MoodOrder(Order):
    """A face looks happy, sad, surprised or neutral, one after another."""

    NAME: ClassVar[str] = "mood"
    STATES: ClassVar[tuple[str, ...]] = tuple(FACES)
    THING: ClassVar[str] = "face"
    ASKED: ClassVar[str] = "moods"

    colour: str

    def check(self) -> None:
        super().check()
        if self.colour not in COLOURS:
            raise ValueError("a colour that has a name")

        # On its way from happy to sad a face is neutral, which must not pass for the state of that name.
        around = [{*change} for change in pairwise(self.closed)]
        if "neutral" in self.states and {"happy", "sad"} in around:
            raise ValueError("no happy next to sad where neutral is a state of its own")

    @classmethod
    def some_states(cls, random: Random) -> list[str]:
        while True:
            states = super().some_states(random)
            around = [{*change} for change in pairwise([*states, states[0]])]
            if "neutral" not in states or {"happy", "sad"} not in around:
                return states

    @classmethod
    def statics(cls, settings: StateTransitionSettings, random: Random) -> dict[str, Any]:
        light = [name for name in sorted(COLOURS) if name not in ("blue", "purple", "brown", "red")]
        return super().statics(settings, random) | {"colour": random.choice(light)}

    def shown(self) -> str:
        start, *others = self.states
        return (
            f"The video shows {a(self.colour)} face that changes its look. It is {start} at the start and at the end, "
            f"and in between it has each of these moods once, for a while: {', '.join(sorted(others))}. You can tell "
            f"by the mouth: {'; '.join(MOUTHS[mood] for mood in sorted(self.states))}."
        )

    def pictures(self, props: Props) -> Callable[[Pose], list[Placement]]:
        colour, x, y = shade(COLOURS[self.colour], 1.3), 50 + self.aside, 50.0
        dark = LOOKS[self.look][1]
        if self.style:
            face = props.disc(64, 68, colour)
            ears = [props.put(props.disc(12, 14, shade(colour, 0.9)), x, y, side) for side in (-32, 32)]
            hair = props.picture(40, 12, *(Ellipse(left, 1, 12, 11, shade(dark, 0.6)) for left in (0, 9, 18, 27)))
            extra = [props.put(hair, x, y, 0, -33, depth=1)]
        else:
            face = props.box(64, 62, colour, 10)
            ears = [props.put(props.box(6, 16, shade(colour, 0.7), 2), x, y, side) for side in (-34, 34)]
            aerial = props.picture(6, 14, Rectangle(2.2, 4, 1.6, 10, dark), Ellipse(0, 0, 6, 6, shade(dark, 0.7)))
            extra = [props.put(aerial, x, y, 0, -38)]
        white, pupil = props.disc(12, 13, PAPER), props.disc(6, 7, INK)
        brow = props.box(12, 2.2, shade(dark, 0.6), 1)
        still = [
            *extra[self.style :],
            *ears,
            props.put(face, x, y),
            *extra[: self.style],
            *(props.put(white, x, y, side, -8, depth=1) for side in (-14, 14)),
            *(props.put(pupil, x, y, side, -7.4, depth=2) for side in (-14, 14)),
        ]

        @cache
        def mouth(one: str, other: str, step: int) -> int:
            rise, wide, gape, _ = _mixed(one, other, step)
            middle = (14.0, 9.0)
            edges = []
            for side in (-1, 1):
                for part in range(13):
                    across = (part / 6 - 1) * -side
                    # Round where it is wide open, of one thickness where it is a line.
                    thick = 0.75 + gape * sqrt(max(0.0, 1 - across * across))
                    edges.append((middle[0] + wide * across, middle[1] - rise * (across**2 - 0.5) + side * thick))
            return props.picture(28, 18, Polygon(tuple(edges), shade(INK, 0.9)))

        for one, other in sorted(tuple(sorted(change)) for change in pairwise(self.closed)):
            for step in range(STEPS + 1):
                mouth(one, other, step)

        def at(pose: Pose) -> list[Placement]:
            step = steps(pose.share)
            lifted = -18.4 - _mixed(pose.one, pose.other, step)[3]
            return [
                *still,
                *(props.put(brow, x, y, side, lifted, depth=2) for side in (-14, 14)),
                props.put(mouth(pose.one, pose.other, step), x, y, 0, 15, depth=1),
            ]

        return at


def _mixed(one: str, other: str, step: int) -> tuple[float, ...]:
    return tuple(a + (b - a) * step / STEPS for a, b in zip(FACES[one], FACES[other], strict=True))


# ---------------------------------------------------------------------------------------------------- size


class Extremes(Order):
    """From the middle to one extreme, to the other one, and back to the middle."""

    FEWEST: ClassVar[int] = 3
    MOST: ClassVar[int] = 3
    CHANGES: ClassVar[tuple[str, str]]
    """What happens towards the greater extreme, and towards the lesser one."""
    HAPPENS: ClassVar[str]
    """How the question for what happens first begins."""
    STOPS: ClassVar[str]
    """What ends when the greater extreme is reached."""

    extremes: Annotated[list[Annotated[int, Field(ge=10, le=10_000)]], Len(2, 2)]
    """The lesser and the greater one, in thousandths."""

    def check(self) -> None:
        super().check()
        if self.states[0] != self.STATES[0] or self.extremes[0] >= self.extremes[1]:
            raise ValueError("it begins in the middle, and the greater extreme is greater")

    @classmethod
    def some_states(cls, random: Random) -> list[str]:
        return list(cls.STATES)

    @classmethod
    def timing(cls, contrast: float, frames: float, number: int, random: Random) -> dict[str, Any]:
        # A state lasts from half as long as a change to as long as it.
        lasting = random.uniform(0.5, 1.0)
        change = max(1, round(frames / (number + (number + ENDS) * lasting)))
        lesser = int(cls.lesser(contrast))
        return {
            "change": change,
            "hold": max(1, round(change * lasting)),
            "extremes": [lesser, max(lesser + 1, round(lesser * contrast))],
        }

    @classmethod
    def lesser(cls, contrast: float) -> float:
        """The lesser extreme, in thousandths, for a greater one that is so many times as great."""
        raise NotImplementedError(cls)

    def contrast(self) -> float:
        return self.extremes[1] / self.extremes[0]

    def height(self, pose: Pose) -> Fraction:
        """How large or full it is, in thousandths of a unit of its own."""
        lesser, greater = self.extremes
        heights = dict(zip(self.STATES, (self.middle(), Fraction(lesser), Fraction(greater)), strict=True))
        return heights[pose.one] + (heights[pose.other] - heights[pose.one]) * pose.share

    def middle(self) -> Fraction:
        return Fraction(sum(self.extremes), 2)

    def open_question(self) -> Open:
        greater = self.STATES[2]
        step = self.states.index(greater)
        frame = self.rest + step * self.change + (step - 1) * self.hold
        return Open(
            kind="seconds",
            # It grows once more only after it has been at its greatest, or not at all.
            question=f"How many seconds after the start of the video does the {self.STOPS} for the first time? (The "
            "answer counts as right within 0.4 seconds.)",
            form=f"{example('4.5')}.",
            key=round(frame / self.fps, 3),
            tolerance=0.4,
        )

    def words(self) -> Words:
        up, down = self.CHANGES
        return Words(
            context=self.shown(),
            stem=f"{self.HAPPENS} first?",
            options=(f"{up} first", f"{down} first"),
            claims=(
                f"Is the {self.THING} {self.STATES[2]} before it is {self.STATES[1]}?",
                f"Is the {self.THING} {self.STATES[1]} before it is {self.STATES[2]}?",
            ),
        )

    def answer(self) -> int:
        return 0 if self.states[1] == self.STATES[2] else 1


class SizeOrder(Extremes):
    """A balloon on a pump grows and shrinks."""

    NAME: ClassVar[str] = "size"
    STATES: ClassVar[tuple[str, ...]] = ("middle-sized", "smallest", "largest")
    THING: ClassVar[str] = "balloon"
    ASKED: ClassVar[str] = "sizes"
    CHANGES: ClassVar[tuple[str, str]] = ("it grows", "it shrinks")
    HAPPENS: ClassVar[str] = "What does the balloon do"
    STOPS: ClassVar[str] = "balloon stop growing"
    LARGEST: ClassVar[float] = 47.0

    colour: str

    def check(self) -> None:
        super().check()
        if self.colour not in COLOURS or self.extremes[1] > 1000:
            raise ValueError("a colour that has a name, and a balloon that is not too large")

    @classmethod
    def statics(cls, settings: StateTransitionSettings, random: Random) -> dict[str, Any]:
        return super().statics(settings, random) | {"colour": some_colours(random, 1)[0]}

    @classmethod
    def lesser(cls, contrast: float) -> float:
        # Not larger than it need be: 30 units for a small contrast, the most for a great one.
        return min(1000 / contrast, 620 / sqrt(contrast))

    def shown(self) -> str:
        return (
            f"The video shows {a(self.colour)} balloon on a pump. It has the same middle size at the start and at the "
            "end. In between it is once at its largest and once at its smallest."
        )

    def pictures(self, props: Props) -> Callable[[Pose], list[Placement]]:
        colour, dark, x, foot = COLOURS[self.colour], LOOKS[self.look][1], 50 + self.aside, 76.0
        if self.style:
            pump = props.picture(
                30,
                20,
                *rimmed(Rectangle(0, 9, 30, 11, shade(dark, 1.4), 2)),
                Rectangle(13, 0, 4, 10, dark, 1),
                *(Rectangle(left, 11, 1.2, 7, shade(dark, 0.8)) for left in (4, 8, 21, 25)),
            )
        else:
            pump = props.picture(
                30,
                20,
                *rimmed(Rectangle(9, 4, 12, 16, shade(dark, 1.5), 1)),
                Rectangle(13, 0, 4, 6, dark, 1),
                Ellipse(11, 8, 8, 8, PAPER),
                Line(((15, 12), (17, 9.6)), 0.7, INK),
            )
        still = [
            props.put(props.box(96, 3, dark, 1), 50, 96),
            props.put(pump, x, foot + 9),
            props.put(props.box(5, 3, shade(colour, 0.7), 1), x, foot - 1.4),
        ]
        unit = props.stage.unit

        @cache
        def balloon(half: int) -> int:
            """A balloon so many times two pixels wide."""
            wide = 2 * half / unit
            tall = 1.1 * wide
            return props.picture(
                wide,
                tall,
                Ellipse(0, 0, wide, tall, colour),
                Ellipse(0.2 * wide, 0.16 * tall, 0.16 * wide, 0.24 * tall, shade(colour, 1.8)),
            )

        def width(height: Fraction) -> int:
            return max(1, round(float(height) / 1000 * self.LARGEST * unit / 2))

        # So many widths that growing looks smooth; the three states have their own.
        lesser, greater = self.extremes
        exact = [width(Fraction(value)) for value in (lesser, self.middle(), greater)]
        grid = max(1, (exact[2] - exact[0]) // 20)
        for half in sorted({*exact, *range(exact[0], exact[2], grid)}):
            balloon(half)

        def at(pose: Pose) -> list[Placement]:
            half = width(self.height(pose))
            if half not in exact:
                half = exact[0] + (half - exact[0]) // grid * grid
            tall = 2.2 * half / unit
            return [props.put(balloon(half), x, foot, 0, -tall / 2 - 1.5), *still]

        return at


# ---------------------------------------------------------------------------------------------------- fill level


class FillOrder(Extremes):
    """The level in a tank rises and falls."""

    NAME: ClassVar[str] = "fill_level"
    STATES: ClassVar[tuple[str, ...]] = ("at its middle level", "emptiest", "fullest")
    THING: ClassVar[str] = "tank"
    ASKED: ClassVar[str] = "levels"
    CHANGES: ClassVar[tuple[str, str]] = ("its level rises", "its level falls")
    HAPPENS: ClassVar[str] = "What happens in the tank"
    STOPS: ClassVar[str] = "level in the tank stop rising"

    colour: str

    def check(self) -> None:
        super().check()
        if self.colour not in COLOURS or self.extremes[1] > 1000:
            raise ValueError("a colour that has a name, and a tank that does not run over")

    @classmethod
    def statics(cls, settings: StateTransitionSettings, random: Random) -> dict[str, Any]:
        return super().statics(settings, random) | {"colour": some_colours(random, 1)[0]}

    @classmethod
    def lesser(cls, contrast: float) -> float:
        # The middle level is the half of the tank.
        return 1000 / (1 + contrast)

    def shown(self) -> str:
        return (
            f"The video shows a tank with {self.colour} liquid, which comes and goes through a pipe. The tank is as "
            "full at the end as at the start. In between it is once at its fullest and once at its emptiest."
        )

    def pictures(self, props: Props) -> Callable[[Pose], list[Placement]]:
        ground, dark = LOOKS[self.look]
        colour, x = COLOURS[self.colour], 50 + self.aside
        wide, tall, bottom = (40.0, 60.0, 76.0) if self.style else (52.0, 46.0, 76.0)
        liquid = props.picture(wide, tall, Rectangle(0, 0, wide, tall, colour))
        # What hides the empty part reaches above the tank, where it looks like the ground.
        air = props.picture(
            wide, tall, Rectangle(0, 0, wide, tall, ground), Rectangle(0, tall - 1.2, wide, 1.2, shade(colour, 0.6))
        )
        wall = props.box(3, tall + 6, shade(dark, 1.5), 1)
        mark = props.box(5, 0.8, INK)
        metal = shade(dark, 0.7)
        # A pipe from the side of the stage, up to the tank's bottom, with flanges where its parts meet.
        pipe = props.picture(
            126,
            16,
            Rectangle(0, 9, 67, 6, metal, 1),
            Rectangle(60, 0, 7, 15, metal, 2),
            *(Rectangle(left, 8, 2.4, 8, dark, 0.6) for left in (18, 35, 52)),
            Rectangle(58, 2, 11, 2.4, dark, 0.6),
        )
        legs = props.box(4, 14, shade(dark, 1.5), 1)
        above = [
            *(props.put(wall, x, bottom, side, -tall / 2 - 1.4) for side in (-wide / 2 - 1, wide / 2 + 1)),
            props.put(props.box(wide + 5, 4, shade(dark, 1.5), 1), x, bottom, 0, 2),
            *(props.put(mark, x, bottom, -wide / 2 + 3.4, -tall * part / 4) for part in (1, 2, 3)),
            props.put(pipe, x, bottom, 0, 11.4),
            *(props.put(legs, x, bottom, side, 10.4) for side in (-wide / 2 + 1, wide / 2 - 1)),
        ]

        def at(pose: Pose) -> list[Placement]:
            level = round(float(self.height(pose)) / 1000 * tall * props.stage.unit)
            middle = props.put(liquid, x, bottom, 0, -tall / 2)
            hidden = props.put(air, x, bottom, 0, -tall / 2)
            return [middle, hidden._replace(y=hidden.y - level), *above]

        return at


# ---------------------------------------------------------------------------------------------------- opacity

LOOKS_OF_FADING = 36


class Opacity(Transition):
    """A ghost or a cloud fades away slowly and comes back quickly, or fades away quickly and comes back slowly."""

    NAME: ClassVar[str] = "opacity"
    THINGS: ClassVar[tuple[str, str]] = ("ghost", "cloud")

    begins: str = Field(pattern="^(visible|invisible)$")
    rests: Annotated[list[Annotated[int, Field(ge=1, le=LONGEST)]], Len(3, 3)]
    """Frames for which it stays as it is: at the start, in between, and at the end."""
    fading: int = Field(ge=2, le=LONGEST)
    returning: int = Field(ge=2, le=LONGEST)

    def check(self) -> None:
        if self.fading == self.returning:
            raise ValueError("the two changes differ")

    def length(self) -> int:
        return sum(self.rests) + self.fading + self.returning

    @classmethod
    def draw(cls, settings: StateTransitionSettings, streams: Streams, turn: int) -> tuple[Self, Self]:
        random = streams("plan")
        contrast = draw_real(settings.contrast, random)
        rest = max(1, round(0.5 * settings.fps))
        frames = round(draw_real(settings.seconds, random) * settings.fps)
        room = frames - 3 * rest
        lengths = two_lengths(contrast, room, settings.fps, random)
        if lengths is None:
            raise InputError("a change would take too few frames: raise --fps or --seconds, or lower --contrast")
        short, long = lengths
        fields = cls.statics(settings, random) | {
            "frames": frames,
            "begins": random.choice(["visible", "invisible"]),
            "rests": shared_out(frames - short - long, 3, rest, random),
        }
        return cls(**fields, fading=short, returning=long), cls(**fields, fading=long, returning=short)

    def timeline(self) -> tuple[list[Pose], list[tuple[int, int]], list[tuple[int, int]]]:
        there, gone = "there", "gone"
        first = (there, gone, self.fading) if self.begins == "visible" else (gone, there, self.returning)
        second = (gone, there, self.returning) if self.begins == "visible" else (there, gone, self.fading)
        poses: list[Pose] = []
        spans, seen = [], []
        for (start, end, frames), rest in zip((first, second), self.rests[:2], strict=True):
            poses += [between(start, start, Fraction(0))] * rest
            begun = len(poses)
            poses += [between(start, end, Fraction(frame, frames + 1)) for frame in range(1, frames + 1)]
            middle = (begun + len(poses)) // 2
            spans.append((begun, len(poses)))
            # Two frames within a change tell its pace.
            seen += [(begun, middle), (middle, len(poses))]
        poses += poses[:1] * self.rests[2]
        return poses, spans, seen

    @property
    def thing(self) -> str:
        return self.THINGS[self.style]

    def words(self) -> Words:
        thing = self.thing
        away_first = self.begins == "visible"
        order = (
            f"fades away until nothing of it is left, and after a moment a {thing} comes back in the same place"
            if away_first
            else "appears where nothing was and, after a moment, fades away again until nothing of it is left"
        )
        # As it happens: what comes first is named first. The former alternative is always the slow fading.
        one, one_does, other_does = "fade away", "fades away", "appears"
        paces = ("more slowly", "more quickly")
        if not away_first:
            one, one_does, other_does, paces = "appear", "appears", "fades away", paces[::-1]
        former, latter = (f"{one_does} {pace} than it {other_does}" for pace in paces)
        return Words(
            context=f"The video shows a {thing} that {order}. One of the two takes longer than the other.",
            stem=f"How does the {thing} {'fade away and appear' if away_first else 'appear and fade away'}?",
            options=(f"it {former}", f"it {latter}"),
            claims=(
                f"Does the {thing} {one} {paces[0]} than it {other_does}?",
                f"Does the {thing} {one} {paces[1]} than it {other_does}?",
            ),
        )

    def answer(self) -> int:
        return 0 if self.fading > self.returning else 1

    def open_question(self) -> Open:
        short, long = sorted((self.fading, self.returning))
        tolerance = tolerance_between(short, long, self.fps)
        return Open(
            kind="seconds",
            question=f"How many seconds does it take the {self.thing} to fade away, from when it begins to until "
            f"nothing of it is left? (The answer counts as right within {tolerance} seconds.)",
            form=f"{example('2.5')}.",
            key=round(self.fading / self.fps, 3),
            tolerance=tolerance,
        )

    def contrast(self) -> float:
        return max(self.fading, self.returning) / min(self.fading, self.returning)

    def difference(self) -> str:
        short, long = sorted((self.fading, self.returning))
        return f"changes of {short} and {long} frames change places"

    def pictures(self, props: Props) -> Callable[[Pose], list[Placement]]:
        x = 50 + self.aside
        still: list[Placement]
        if self.thing == "ghost":
            night = props.picture(
                96,
                84,
                Rectangle(0, 0, 96, 84, (44, 46, 84), 3),
                Ellipse(74, 6, 14, 14, (244, 232, 170)),
                *(Ellipse(left, top, 1.6, 1.6, PAPER) for left, top in ((9, 9), (24, 17), (44, 7), (60, 14), (86, 29))),
                Rectangle(0, 70, 96, 14, (34, 66, 52), 3),
                *(Rectangle(left, 62, 5, 14, (96, 82, 70), 1) for left in range(3, 96, 12)),
                Rectangle(0, 66, 96, 3, (96, 82, 70)),
            )
            still = [props.put(night, 50, 50)]
            body: list[Shape] = [
                Rectangle(2, 0, 30, 38, (238, 240, 248), 15),
                Polygon(
                    ((2, 22), (32, 22), (32, 44), (27, 39), (22, 44), (17, 39), (12, 44), (7, 39), (2, 44)),
                    (238, 240, 248),
                ),
                Ellipse(9, 12, 5, 7, INK),
                Ellipse(20, 12, 5, 7, INK),
                Ellipse(14, 23, 6, 7, INK),
            ]
            thing, y = props.picture(34, 44, *body), 52.0
        else:
            day = props.picture(
                96,
                84,
                Rectangle(0, 0, 96, 84, (132, 190, 232), 3),
                Polygon(((0, 66), (22, 48), (46, 66), (70, 52), (96, 66), (96, 82), (0, 82)), (92, 150, 92)),
                Rectangle(0, 66, 96, 18, (92, 150, 92), 3),
                *rimmed(Rectangle(38, 62, 14, 12, (206, 120, 90))),
                Polygon(((35, 63), (45, 55), (55, 63)), (124, 70, 60)),
            )
            still = [props.put(day, 50, 50)]
            white: Colour = (248, 250, 252)
            puffs = [
                Ellipse(*box, white) for box in ((0, 10, 20, 16), (10, 2, 20, 22), (22, 5, 18, 19), (30, 11, 16, 15))
            ]
            thing, y = props.picture(46, 28, *puffs, Rectangle(6, 15, 34, 11, white, 5)), 30.0

        def at(pose: Pose) -> list[Placement]:
            # "gone" comes before "there" in the alphabet, so the share is how much is there.
            there = pose.share if pose.one != pose.other else Fraction(pose.one == "there")
            shown = round(float(there) * LOOKS_OF_FADING) / LOOKS_OF_FADING
            return [*still, props.put(thing, x, y, opacity=shown)] if shown else still

        return at


FAMILY = pair_family(
    name="state_transition",
    version=1,
    summary="Pairs that differ in how states follow each other: in which order they come, or at what pace.",
    settings=StateTransitionSettings,
    scripts=(ColourOrder, SizeOrder, MoodOrder, FillOrder, ShapeOrder, Opacity),
)

if __name__ == "__main__":
    from generators.command import main

    main(["state_transition", *sys.argv[1:]])
