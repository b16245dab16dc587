"""Temporal topology: how two events lie in time, one of Allen's thirteen relations.

Each pair has the same frames twice: what a frame shows depends on which of the two events is going on, and where
something moves, on how far it is within its event. Played backwards, before turns into after, meets into met by,
overlaps into overlapped by, starts into finishes, and started by into finished by. "During" shows one event alone,
both, and the one alone again; in another order, the same frames show "starts" or "finishes". `equals` alone has no
such partner: its frames show both events or none, and so does any order of them. Its pairs are `matched`: one event
ends, or begins, at another moment.
"""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import accumulate, pairwise
from math import cos, pi, sin
from random import Random
from typing import Annotated, Any, ClassVar, Literal, Self

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
from generators.stage import COLOURS, INK, LOOKS, PAPER, Stage, a, shade, some_colours
from simulators.intervals import RELATIONS, Interval, Relation, relation

# ---------------------------------------------------------------------------------------------------- settings


class TopologySettings(PairSettings):
    contrast: real_range(0.1, 3.0) = Field(  # type: ignore[valid-type]
        RealRange(0.4, 1.0), description="seconds between the closest two moments at which something begins or ends"
    )


REST_SECONDS = 0.5
"""How long nothing goes on at either end of a clip, at least."""

# ---------------------------------------------------------------------------------------------------- the relations

PARTNERS: dict[Relation, tuple[Relation, ...]] = {
    "before": ("after",),
    "meets": ("met_by",),
    "overlaps": ("overlapped_by",),
    "starts": ("finishes",),
    "during": ("finishes", "starts"),
    "finishes": ("starts",),
    "equals": ("starts", "finishes", "started_by", "finished_by"),
    "finished_by": ("started_by",),
    "contains": ("finished_by", "started_by"),
    "started_by": ("finished_by",),
    "overlapped_by": ("overlaps",),
    "met_by": ("meets",),
    "after": ("before",),
}
"""What the other clip shows where one shows the first: the same frames in another order, but for `equals`."""

_STATES: dict[Relation, tuple[str, ...]] = {
    "before": ("A", "", "B"),
    "meets": ("A", "B"),
    "overlaps": ("A", "AB", "B"),
    "starts": ("AB", "B"),
    "during": ("B", "AB", "B"),
    "finishes": ("B", "AB"),
    "equals": ("AB", "AB"),
    "finished_by": ("A", "AB"),
    "contains": ("A", "AB", "A"),
    "started_by": ("AB", "A"),
    "overlapped_by": ("B", "AB", "A"),
    "met_by": ("B", "A"),
    "after": ("B", "", "A"),
}
"""Which events go on, one segment after the other."""

NESTED: tuple[Relation, ...] = ("during", "contains")
WHOLE: tuple[Relation, ...] = (*NESTED, "equals")
"""Where an event lies in another one, or lasts longer in the other clip, by a telling segment."""


def states(shown: Relation, partner: Relation) -> tuple[str, ...]:
    """Which events go on in each segment; beside during and contains, the long event alone takes two segments."""
    own = _STATES[shown]
    if partner in NESTED:
        return (*own, own[1]) if own[0] == "AB" else (own[0], *own)
    return own


def exchanged(shown: Relation, partner: Relation, segments: Sequence[int]) -> list[int]:
    """The partner's segments: the same lengths, each with the same events, in the partner's order."""
    if "equals" in (shown, partner):
        return list(segments)
    if shown in NESTED or partner in NESTED:
        first, second, third = segments
        edge = partner if shown in NESTED else shown
        return [second, first, third] if _STATES[edge][0] == "AB" else [first, third, second]
    return list(segments[::-1])


def telling(shown: Relation, partner: Relation) -> tuple[int, ...]:
    """The segments of which one may be the shortest: those without which the relation would be another."""
    own = states(shown, partner)
    if shown in NESTED:
        return (0,) if _STATES[partner][0] == "AB" else (2,)
    if partner in NESTED or shown in ("before", "after"):
        return (1,)
    if shown == "equals":
        own = states(partner, shown)
    if "AB" in own and len(own) == 2:
        return (1 - own.index("AB"),)
    return tuple(range(len(own)))


SENTENCES: dict[Relation, str] = {
    "before": "{a} ends before {b} begins, with a pause in between",
    "meets": "{a} ends at the very moment at which {b} begins",
    "overlaps": "{a} begins first and ends first, and for a while the two overlap",
    "starts": "both begin together, and {a} ends before {b} ends",
    "during": "{a} begins after {b} begins, and {a} ends before {b} ends",
    "finishes": "{a} begins after {b} begins, and both end together",
    "equals": "both begin together, and both end together",
    "finished_by": "{b} begins after {a} begins, and both end together",
    "contains": "{b} begins after {a} begins, and {b} ends before {a} ends",
    "started_by": "both begin together, and {b} ends before {a} ends",
    "overlapped_by": "{b} begins first and ends first, and for a while the two overlap",
    "met_by": "{b} ends at the very moment at which {a} begins",
    "after": "{b} ends before {a} begins, with a pause in between",
}
"""What each relation means; of two events exactly one of these sentences is true."""

# ---------------------------------------------------------------------------------------------------- two events

OPPOSITE = {"left": "right", "right": "left", "top": "bottom", "bottom": "top"}

Actor = Callable[[int], Sequence[Placement]]
"""What a thing looks like in each pose. It rests in pose 0."""


class TwoEvents(Script):
    """Two things of one kind, each of which does something once; a subclass says what they are and draws them."""

    THING: ClassVar[str]
    DOES: ClassVar[str]
    """What each does: "is lit"."""
    STYLES: ClassVar[int] = 1
    SHORTEST: ClassVar[int] = 2
    """Frames that any segment must have."""

    look: int = Field(ge=0, lt=len(LOOKS))
    style: int = Field(ge=0, lt=8)
    size: int = Field(ge=30, le=46)
    side: Literal["left", "right", "top", "bottom"]
    """Where the first thing is; the second is opposite."""
    colours: Annotated[list[str], Len(2, 2)]
    relation: Relation
    """What the first event has to the second one."""
    partner: Relation
    """What it has in the other clip."""
    before: int = Field(ge=1, le=20_000)
    """Frames before anything begins."""
    segments: Annotated[list[Annotated[int, Field(ge=1, le=20_000)]], Len(2, 3)]
    """Frames of each segment in which the same events go on."""

    @model_validator(mode="after")
    def _holds(self) -> Self:
        if self.style >= self.STYLES:
            raise ValueError(f"there are {self.STYLES} styles of {self.THING}")
        if len({*self.colours}) != 2 or not {*self.colours} <= {*COLOURS}:
            raise ValueError("two things have two colours")
        if self.partner not in PARTNERS[self.relation] and self.relation not in PARTNERS[self.partner]:
            raise ValueError(f"{self.relation} and {self.partner} make no pair")
        if len(self.segments) != len(states(self.relation, self.partner)):
            raise ValueError(f"{self.relation} beside {self.partner} has other segments")
        if self.before + sum(self.segments) >= self.frames:
            raise ValueError("events and rests make up the clip")
        if relation(*self.events) != self.relation:
            raise ValueError(f"the events do not have the relation {self.relation}")
        return self

    @property
    def moments(self) -> list[int]:
        """The frames at which the segments begin, and the end of the last."""
        return list(accumulate(self.segments, initial=self.before))

    @property
    def events(self) -> tuple[Interval, Interval]:
        moments, going_on = self.moments, states(self.relation, self.partner)
        found = []
        for event in "AB":
            places = [place for place, state in enumerate(going_on) if event in state]
            found.append(Interval(moments[places[0]], moments[places[-1] + 1]))
        return found[0], found[1]

    @classmethod
    def draw(cls, settings: TopologySettings, streams: Streams, turn: int) -> tuple[Self, Self]:
        random = streams("plan")
        # 13 has no factor in common with the number of scripts or forms, so each relation meets all of them.
        shown = RELATIONS[streams.index % len(RELATIONS)]
        partner = random.choice(PARTNERS[shown])
        shortest = round(draw_real(settings.contrast, random) * settings.fps)
        rest = max(1, round(REST_SECONDS * settings.fps))
        number = len(states(shown, partner))
        frames = round(draw_real(settings.seconds, random) * settings.fps)
        needed = number * shortest + 2 * rest
        if frames < needed <= settings.seconds.high * settings.fps:
            frames = needed
        if frames < needed:
            raise InputError(
                f"moments {settings.contrast} seconds apart leave no room in {settings.seconds} seconds: raise "
                "--seconds or lower --contrast"
            )
        if shortest < cls.SHORTEST:
            raise InputError(
                f"the {cls.NAME} cannot show a time of {shortest} frames: raise --contrast or --fps, or leave them "
                "out with --scripts"
            )
        total = min(frames - 2 * rest, max(number * shortest, round(frames * random.uniform(0.45, 0.75))))
        place = random.choice(telling(shown, partner))
        segments = _lengths(number, place, shortest, total, shown in WHOLE, random)
        fields: dict[str, Any] = {
            "fps": settings.fps,
            "frames": frames,
            "look": random.randrange(len(LOOKS)),
            "style": random.randrange(cls.STYLES),
            "size": random.randint(36, 46),
            "side": random.choice(sorted(OPPOSITE)),
            "colours": some_colours(random, 2),
            "before": random.randint(rest, frames - rest - sum(segments)),
        }
        drawn = cls(
            **fields,
            relation=shown,
            partner=partner,
            segments=segments,
            **cls.manner(settings, shown, partner, segments, random),
        )
        return drawn, drawn.other()

    @classmethod
    def manner(
        cls, settings: TopologySettings, shown: Relation, partner: Relation, segments: Sequence[int], random: Random
    ) -> dict[str, Any]:
        """What the plan needs beside: how things move, where they move."""
        return {}

    def other(self) -> Self:
        """The pair's other clip."""
        changes = {
            "relation": self.partner,
            "partner": self.relation,
            "segments": exchanged(self.relation, self.partner, self.segments),
        }
        return type(self).model_validate(self.model_dump() | changes)

    @property
    def pair(self) -> tuple[Relation, Relation]:
        """The relations of both clips, in the same order for both."""
        first, second = sorted((self.relation, self.partner), key=RELATIONS.index)
        return first, second

    def sentence(self, name: Relation) -> str:
        first, second = self.colours
        return SENTENCES[name].format(a=first, b=second)

    def words(self) -> Words:
        (first, second), side = self.colours, self.side
        places = {place: f"{'on the' if place in ('left', 'right') else 'at the'} {place}" for place in OPPOSITE}
        options = self.sentence(self.pair[0]), self.sentence(self.pair[1])
        shows, first_does, second_does = (
            f"{a(first)} {self.THING} {places[side]} and {a(second)} {self.THING} {places[OPPOSITE[side]]}",
            *(f"the {colour} {self.THING} {self.DOES}" for colour in self.colours),
        )
        return Words(
            context=f"The video shows {shows}. Each {self.DOES} during one stretch of time. Let us say "
            f'"{first}" for the time in which {first_does}, and "{second}" for the time in which {second_does}. '
            "Beginnings and ends that are not at the same moment lie at least "
            f"{100 * min(self.segments) // self.fps / 100:g} seconds apart.",
            stem=f"How are the times {first} and {second} related?",
            options=options,
            claims=(f"Is it true that {options[0]}?", f"Is it true that {options[1]}?"),
        )

    def answer(self) -> int:
        return self.pair.index(self.relation)

    def open_question(self) -> Open:
        first, second = self.colours
        return Open(
            kind="choice",
            question=f"Which of these sentences is true of {first} and {second}?",
            form=f"{example('E')}, with the letter of the sentence.",
            key=chr(ord("A") + RELATIONS.index(self.relation)),
            options=tuple(self.sentence(name) for name in RELATIONS),
        )

    def contrast(self) -> float:
        return min(self.segments) / self.fps

    def difference(self) -> str:
        first, second = (name.replace("_", " ") for name in self.pair)
        return f"the relation of the first event to the second is {first} or {second}"

    # What a frame shows.

    def pose(self, event: int, done: int) -> int:
        """How a thing looks `done` frames after its event began; the same if the event is played backwards."""
        return 1

    def actor(self, atlas: AtlasBuilder, spot: "Spot", colour: Colour) -> Actor:
        raise NotImplementedError(self)

    def seen(self) -> tuple[tuple[int, int], ...]:
        """The state must be seen in every segment."""
        return tuple(pairwise(self.moments))

    def scene(self, settings: TopologySettings) -> Scene:
        stage, (ground, _) = Stage(settings.resolution), LOOKS[self.look]
        atlas = AtlasBuilder()
        centres = {"left": (26.0, 50.0), "right": (74.0, 50.0), "top": (50.0, 26.0), "bottom": (50.0, 74.0)}
        actors = [
            self.actor(atlas, Spot(stage, *centres[side], self.size), COLOURS[colour])
            for side, colour in zip((self.side, OPPOSITE[self.side]), self.colours, strict=True)
        ]
        events = self.events

        @cache
        def at(poses: tuple[int, ...]) -> list[Placement]:
            return [placed for actor, pose in zip(actors, poses, strict=True) for placed in actor(pose)]

        def placements(frame: int) -> list[Placement]:
            return at(
                tuple(
                    self.pose(number, frame - event.start) if event.start <= frame < event.end else 0
                    for number, event in enumerate(events)
                )
            )

        return Scene(
            width=settings.resolution.width,
            height=settings.resolution.height,
            fps=self.fps,
            frames=self.frames,
            background=ground,
            sprites=atlas.sprites,
            placements=placements,
            spans=tuple(sorted((event.start, event.end) for event in events)),
            seen=self.seen(),
        )


def _lengths(number: int, place: int, shortest: int, total: int, is_whole: bool, random: Random) -> list[int]:
    """So many segments of `total` frames together, the one at `place` the shortest."""
    if is_whole:
        # The events are a whole number of shortest segments, so that what moves can go to and fro so often in each.
        total -= total % shortest
    weights = [0.0 if other == place else random.uniform(0.3, 1.0) for other in range(number)]
    surplus = total - number * shortest
    lengths = [shortest + int(surplus * weight / sum(weights)) for weight in weights]
    lengths[(place + 1) % number] += total - sum(lengths)
    return lengths


# ---------------------------------------------------------------------------------------------------- drawing


@dataclass(frozen=True, slots=True)
class Spot:
    """A square of the stage, `size` units wide, measured in hundredths from its centre."""

    stage: Stage
    x: float
    y: float
    size: int

    @property
    def unit(self) -> float:
        """Pixels of a hundredth."""
        return self.stage.unit * self.size / 100

    def point(self, x: float, y: float) -> tuple[float, float]:
        return self.stage.point(self.x + x * self.size / 100, self.y + y * self.size / 100)

    def sprite(self, width: float, height: float, *shapes: Shape) -> Sprite:
        """A picture so many hundredths wide and high, of shapes in hundredths from its top left corner."""
        across, down = (max(2, 2 * round(side * self.unit / 2)) for side in (width, height))
        return Sprite(across, down, tuple(_scaled(shape, self.unit) for shape in shapes))


def _scaled(shape: Shape, factor: float) -> Shape:
    match shape:
        case Polygon():
            return replace(shape, points=tuple((x * factor, y * factor) for x, y in shape.points))
        case Line():
            points = tuple((x * factor, y * factor) for x, y in shape.points)
            return replace(shape, points=points, width=max(1.0, shape.width * factor))
        case Rectangle():
            sides = {name: getattr(shape, name) * factor for name in ("x", "y", "width", "height", "radius")}
            return replace(shape, **sides)
        case Ellipse():
            return replace(shape, **{name: getattr(shape, name) * factor for name in ("x", "y", "width", "height")})
        case _:
            raise TypeError(shape)


GREY: Colour = (122, 118, 114)
LIGHT: Colour = (255, 214, 66)
GLOW: Colour = (255, 232, 140)
WATER: Colour = (96, 174, 222)
GLASS: Colour = (196, 216, 226)


# ---------------------------------------------------------------------------------------------------- lamps


class Lamps(TwoEvents):
    """Hanging lamps, table lamps or signals that are lit."""

    NAME: ClassVar[str] = "lamps"
    THING: ClassVar[str] = "lamp"
    DOES: ClassVar[str] = "is lit"
    STYLES: ClassVar[int] = 3

    def actor(self, atlas: AtlasBuilder, spot: Spot, colour: Colour) -> Actor:
        draw = (_hanging_lamp, _table_lamp, _signal)[self.style]
        pictures = [atlas.add(spot.sprite(100, 100, *draw(colour, is_lit))) for is_lit in (False, True)]
        at = spot.point(0, 0)
        return lambda pose: (Placement(pictures[pose], *at),)


def _hanging_lamp(colour: Colour, is_lit: bool) -> list[Shape]:
    cone = [Polygon(((30, 50), (70, 50), (96, 98), (4, 98)), GLOW)] if is_lit else []
    return [
        *cone,
        Rectangle(48, 2, 4, 22, INK),
        Ellipse(38, 42, 24, 24, LIGHT if is_lit else GREY),
        Polygon(((40, 22), (60, 22), (78, 54), (22, 54)), colour),
        Rectangle(22, 52, 56, 4, shade(colour, 0.6)),
    ]


def _table_lamp(colour: Colour, is_lit: bool) -> list[Shape]:
    glow = [Ellipse(2, 0, 96, 62, GLOW)] if is_lit else []
    bulb = LIGHT if is_lit else GREY
    return [
        *glow,
        Rectangle(46, 50, 8, 42, shade(colour, 0.6)),
        Rectangle(28, 88, 44, 10, shade(colour, 0.6), 4),
        Ellipse(38, 44, 24, 18, bulb),
        Polygon(((36, 12), (64, 12), (82, 52), (18, 52)), colour),
    ]


def _signal(colour: Colour, is_lit: bool) -> list[Shape]:
    rays = [Line(_ray(50, 50, 34, 48, turn / 12), 4, LIGHT) for turn in range(12)] if is_lit else []
    return [
        *rays,
        Ellipse(20, 20, 60, 60, shade(colour, 0.6)),
        Ellipse(24, 24, 52, 52, colour),
        Ellipse(32, 32, 36, 36, LIGHT if is_lit else GREY),
    ]


def _ray(x: float, y: float, inner: float, outer: float, turned: float) -> tuple[tuple[float, float], ...]:
    across, down = sin(2 * pi * turned), -cos(2 * pi * turned)
    return tuple((x + radius * across, y + radius * down) for radius in (inner, outer))


# ---------------------------------------------------------------------------------------------------- moving things

TRIP_SECONDS = (0.6, 1.2)
"""How long going there and back once takes, where the lengths of the events allow."""


Rate = Annotated[list[Annotated[int, Field(ge=1, le=20_000)]], Len(2, 2)]


class Moving(TwoEvents):
    """Things that go back and forth during their events, a whole number of times, which reads the same both ways."""

    POSES: ClassVar[int]
    """The pose that is farthest."""
    NEAREST: ClassVar[int] = 0
    """The pose nearest to rest in which a moving thing can be."""
    SHORTEST: ClassVar[int] = 3

    rates: Annotated[list[Rate], Len(2, 2)]
    """How often each thing goes there and back, and in how many frames."""

    @model_validator(mode="after")
    def _moves(self) -> Self:
        for (trips, frames), event in zip(self.rates, self.events, strict=True):
            if frames < self.SHORTEST * trips:
                raise ValueError("the things go there and back in too few frames")
            if (event.end - event.start) * trips % frames:
                raise ValueError("a thing does not come to rest where it was")
        if (pair := {*self.pair}) & {*NESTED}:
            # Then the frames in which both events go on are the same wherever the short one lies.
            trips, frames = self.rates[1 if "during" in pair else 0]
            if self.segments[telling(self.relation, self.partner)[0]] * trips % frames:
                raise ValueError("the shorter event is moved by less than a whole trip within the longer one")
        return self

    @classmethod
    def manner(
        cls, settings: TopologySettings, shown: Relation, partner: Relation, segments: Sequence[int], random: Random
    ) -> dict[str, Any]:
        rates = []
        for event in "AB":
            length = sum(part for part, state in zip(segments, states(shown, partner), strict=True) if event in state)
            unit = segments[telling(shown, partner)[0]]
            if shown not in WHOLE or length % unit:
                unit = length
            wished = round(unit / (random.uniform(*TRIP_SECONDS) * settings.fps))
            rates.append([max(1, min(wished, unit // cls.SHORTEST)), unit])
        return {"rates": rates}

    def pose(self, event: int, done: int) -> int:
        # Measured in the middle of a frame, so that the same frames are found from the end.
        trips, frames = self.rates[event]
        gone = Fraction((2 * done + 1) * trips, 2 * frames) % 1
        return self.NEAREST + round((self.POSES - self.NEAREST) * 2 * min(gone, 1 - gone))


class Shuttling(Moving):
    """Moving things that look at rest in a single frame: two frames tell that they move."""

    def seen(self) -> tuple[tuple[int, int], ...]:
        halves = [
            half
            for first, end in pairwise(self.moments)
            for half in ((first, (first + end) // 2), ((first + end) // 2, end))
        ]
        trips = [
            (event.start, event.start + max(1, frames // (2 * trips)))
            for event, (trips, frames) in zip(self.events, self.rates, strict=True)
        ]
        return (*halves, *trips)


class Speakers(Moving):
    """Loudspeakers whose sound is drawn as waves that swell and fade."""

    NAME: ClassVar[str] = "speakers"
    THING: ClassVar[str] = "loudspeaker"
    DOES: ClassVar[str] = "gives off sound waves"
    POSES: ClassVar[int] = 4
    NEAREST: ClassVar[int] = 2
    STYLES: ClassVar[int] = 2

    def actor(self, atlas: AtlasBuilder, spot: Spot, colour: Colour) -> Actor:
        dark = shade(colour, 0.6)
        small, large = ((42, 16, 16), (33, 44, 34)) if self.style == 0 else ((42, 68, 16), (33, 16, 34))
        cones = [
            Ellipse(x + inset, y + inset, side - 2 * inset, side - 2 * inset, tone)
            for x, y, side in (small, large)
            for inset, tone in ((0, INK), (side / 7, GREY), (side / 3, INK))
        ]
        box = atlas.add(
            spot.sprite(100, 100, Rectangle(26, 6, 48, 88, dark, 6), Rectangle(29, 9, 42, 82, colour, 4), *cones)
        )
        waves = [
            atlas.add(
                spot.sprite(
                    100,
                    100,
                    *(
                        Line(tuple((50 + sign * x, y) for x, y in _arc(24 + 6.5 * number)), 3.2, INK)
                        for number in range(level)
                        for sign in (-1, 1)
                    ),
                )
            )
            for level in range(1, self.POSES + 1)
        ]
        at = spot.point(0, 0)
        still = Placement(box, *at)
        return lambda pose: (still, Placement(waves[pose - 1], *at)) if pose else (still,)


def _arc(radius: float) -> list[tuple[float, float]]:
    """A quarter of a circle about the middle of a picture, open to the left; x counts from the middle."""
    return [(4 + radius * cos(pi * step / 20), 50 + radius * sin(pi * step / 20)) for step in range(-5, 6)]


class Wipers(Shuttling):
    """Wipers that go over a window."""

    NAME: ClassVar[str] = "wipers"
    THING: ClassVar[str] = "wiper"
    DOES: ClassVar[str] = "wipes to and fro"
    POSES: ClassVar[int] = 16
    STYLES: ClassVar[int] = 2

    def actor(self, atlas: AtlasBuilder, spot: Spot, colour: Colour) -> Actor:
        shape = 10 if self.style == 0 else 44
        window = atlas.add(
            spot.sprite(
                100,
                90,
                Rectangle(0, 0, 100, 90, shade(LOOKS[self.look][1], 1.3), shape),
                Rectangle(5, 5, 90, 80, GLASS, max(4, shape - 5)),
            )
        )
        # Of one shape, since each angle is drawn anew.
        arm = atlas.add(spot.sprite(7, 64, Rectangle(0, 0, 7, 64, colour, 3)))
        hub = atlas.add(spot.sprite(14, 14, Ellipse(0, 0, 14, 14, INK)))
        still = Placement(window, *spot.point(0, 0)), Placement(hub, *spot.point(0, 36), depth=1)

        def at(pose: int) -> Sequence[Placement]:
            angle = 6.0 * pose - 48
            turned = angle * pi / 180
            x, y = spot.point(34 * sin(turned), 36 - 34 * cos(turned))
            return (still[0], Placement(arm, x, y, angle), still[1])

        return at


class Carts(Shuttling):
    """Carts that go from one mark of their rail to the other and back."""

    NAME: ClassVar[str] = "carts"
    THING: ClassVar[str] = "cart"
    DOES: ClassVar[str] = "moves to and fro"
    POSES: ClassVar[int] = 48
    STYLES: ClassVar[int] = 2

    def actor(self, atlas: AtlasBuilder, spot: Spot, colour: Colour) -> Actor:
        dark = LOOKS[self.look][1]
        rail = atlas.add(
            spot.sprite(100, 16, Rectangle(0, 5, 100, 6, dark, 2), *(Rectangle(x, 0, 4, 16, dark) for x in (2, 94)))
        )
        load = (
            [Rectangle(6, 0, 32, 18, shade(colour, 0.75), 3)]
            if self.style == 0
            else [Ellipse(4, 0, 18, 18, INK), Ellipse(22, 0, 18, 18, GREY)]
        )
        cart = atlas.add(
            spot.sprite(
                44,
                46,
                *load,
                Polygon(((0, 14), (44, 14), (38, 36), (6, 36)), colour),
                *(Ellipse(x, 32, 14, 14, INK) for x in (6, 24)),
                *(Ellipse(x, 36, 6, 6, PAPER) for x in (10, 28)),
            )
        )
        still = Placement(rail, *spot.point(0, 25))
        return lambda pose: (still, Placement(cart, *spot.point(48.0 * pose / self.POSES - 24, -1)))


class Fountains(Moving):
    """Fountains whose jets rise and sink a little while they run."""

    NAME: ClassVar[str] = "fountains"
    THING: ClassVar[str] = "fountain"
    DOES: ClassVar[str] = "spouts water"
    POSES: ClassVar[int] = 6
    NEAREST: ClassVar[int] = 2
    STYLES: ClassVar[int] = 2

    def actor(self, atlas: AtlasBuilder, spot: Spot, colour: Colour) -> Actor:
        dark = shade(colour, 0.6)
        basin = atlas.add(
            spot.sprite(
                100,
                100,
                Rectangle(46, 62, 8, 16, dark),
                *(
                    [Polygon(((6, 76), (94, 76), (84, 98), (16, 98)), colour), Rectangle(4, 73, 92, 6, dark, 3)]
                    if self.style == 0
                    else [Rectangle(10, 74, 80, 24, colour, 4), Rectangle(6, 90, 88, 8, dark, 3)]
                ),
            )
        )
        jets = [
            atlas.add(
                spot.sprite(
                    100,
                    100,
                    *(
                        Line(tuple((50 + sign * x, y) for x, y in _jet(width, 7.5 * level)), 4, WATER)
                        for width in (14, 30)
                        for sign in (-1, 1)
                    ),
                    Line(((50, 62), (50, 64 - 9.5 * level)), 5, WATER),
                )
            )
            for level in range(1, self.POSES + 1)
        ]
        at = spot.point(0, 0)
        still = Placement(basin, *at, depth=1)
        return lambda pose: (Placement(jets[pose - 1], *at), still) if pose else (still,)


def _jet(width: float, height: float) -> list[tuple[float, float]]:
    """Half of a jet: up from the middle and down into the basin."""
    return [(width * step / 10, 62 + 1.4 * step - height * step * (10 - step) / 25) for step in range(11)]


FAMILY = pair_family(
    name="temporal_topology",
    version=1,
    summary="Pairs that differ in how two events lie in time: thirteen relations of lamps, sounds and moving things.",
    settings=TopologySettings,
    scripts=(Lamps, Speakers, Wipers, Carts, Fountains),
)

if __name__ == "__main__":
    from generators.command import main

    main(["temporal_topology", *sys.argv[1:]])
