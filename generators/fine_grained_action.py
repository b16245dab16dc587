"""Fine-grained action: in which of two manners a hand does a thing, and in which it undoes it.

Each clip is a closed walk that begins and ends alike, out in one manner and back in the other. Its partner is the same
played backwards, in which the two manners change places; poses are such that a hand does both ways naturally.
"""

import sys
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from random import Random
from typing import Annotated, Any, ClassVar, Literal, Self, TypeAlias

from annotated_types import Len
from pydantic import Field, model_validator

from generators.errors import InputError
from generators.pairs import Open, PairSettings, Script, Words, draw_real, pair_family
from generators.props import Props, rimmed
from generators.questions import example
from generators.randomness import Streams
from generators.rendering.scene import Colour, Ellipse, Line, Placement, Polygon, Rectangle, Scene, Shape, ease
from generators.settings import RealRange, real_range
from generators.speed import shared_out
from generators.stage import COLOURS, LOOKS, PAPER, Stage, a, shade, some_colours

# ---------------------------------------------------------------------------------------------------- settings


class FineGrainedActionSettings(PairSettings):
    contrast: real_range(1.1, 5.0) = Field(  # type: ignore[valid-type]
        RealRange(1.6, 3.0),
        description="how far apart the two manners are, as a ratio: for carry_or_slide and lid how many times its own "
        "height a thing is lifted, for drawer how many times as long the slow way takes, for blind how many times as "
        "long the way in several goes takes as it would without stops, for tower how many bricks are moved at once, "
        "for wipe how many times as long the long strokes are",
    )


REST_SECONDS = 0.45
"""How long all is still at either end of a clip, and between the two ways."""
REACH_SECONDS = 0.4
"""How long a hand takes to reach for a thing and grip it."""
LONGEST = 20_000

# ---------------------------------------------------------------------------------------------------- the hand

SKINS: tuple[Colour, ...] = ((240, 196, 160), (214, 160, 120), (168, 114, 78), (116, 76, 54))

UNLIKE: dict[str, tuple[int, ...]] = {"brown": (0, 1), "orange": (0, 3), "yellow": (2, 3), "pink": (2, 3)}
"""The skins that stand out from a thing of this colour, where not all of them do."""

Towards = Literal["up", "down", "left", "right"]
DIRECTIONS: dict[Towards, tuple[int, int]] = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}


OPENING = 2.4
"""How far each finger of an open hand is from where it grips."""


class Hand:
    """A forearm, a palm, and a finger and a thumb that grip what is `gap` units wide between them."""

    def __init__(self, props: Props, skin: int, sleeve: str, towards: Towards, gap: float) -> None:
        self.props, self.gap, self.ahead = props, gap, DIRECTIONS[towards]
        tone, unit = SKINS[skin], props.stage.unit
        self.arm = self._part(110, 8, COLOURS[sleeve], 1.5)
        wrist, palm = self._part(8, 6.4, tone, 1), self._part(9, gap + 9, tone, 3.6)
        finger = self._part(9.5, 3.6, tone, 1.8)
        # One sprite of the hand for each number of pixels that its fingers may be off its middle.
        least, most = (round((gap / 2 + 1.8 + opening) * unit) for opening in (0.0, OPENING))
        self.hands = {
            aside: props.joined(
                (wrist, *self._off(-10)),
                (finger, *self._off(2.4, -aside / unit)),
                (finger, *self._off(2.4, aside / unit)),
                (palm, *self._off(-5)),
            )
            for aside in range(least, most + 1)
        }

    def _part(self, along: float, across: float, colour: Colour, radius: float) -> int:
        """A part so long in the direction in which the hand points, and so wide across it."""
        width, height = (across, along) if self.ahead[0] == 0 else (along, across)
        return self.props.box(width, height, colour, radius)

    def at(self, x: float, y: float, near: float) -> list[Placement]:
        """The hand that grips at (x, y), or on its way there: `near` runs from 0, apart and open, to 1, gripping."""
        back = 9 * (1 - min(1.0, near / 0.7))
        opening = OPENING * (1 - min(1.0, max(0.0, (near - 0.7) / 0.3)))
        hand = self.hands[round((self.gap / 2 + 1.8 + opening) * self.props.stage.unit)]
        # Parts are moved by what is rounded for the whole hand, so that they keep together.
        return [
            self.props.put(sprite, x - back * self.ahead[0], y - back * self.ahead[1], dx, dy, depth=4)
            for sprite, dx, dy in ((self.arm, *self._off(-67)), hand)
        ]

    def _off(self, along: float, beside: float = 0.0) -> tuple[float, float]:
        """How far across and down something is that is so far in the direction in which the hand points, and aside."""
        ahead = self.ahead
        return along * ahead[0] + beside * ahead[1], along * ahead[1] + beside * ahead[0]


# ---------------------------------------------------------------------------------------------------- any action

Pose: TypeAlias = tuple[float, ...]
"""Where everything is, in numbers that each script names."""
Span: TypeAlias = tuple[int, int]


class Track:
    """Poses frame by frame. `move` goes on to another pose, and says which frames that takes."""

    def __init__(self, *pose: float) -> None:
        self.pose: Pose = pose
        self.poses: list[Pose] = []

    def move(self, frames: int, *pose: float, evenly: bool = False) -> Span:
        first = len(self.poses)
        for frame in range(frames):
            # The same way back passes through the very same poses: shares that add up to `frames` are exchanged.
            done = frame if evenly else ease(frame / frames) * frames
            self.poses.append(
                tuple((old * (frames - done) + new * done) / frames for old, new in zip(self.pose, pose, strict=True))
            )
        self.pose = pose
        return first, first + frames

    def rest(self, frames: int) -> Span:
        return self.move(frames, *self.pose)


def inner(span: Span) -> Span:
    """The frames of a span that look unlike those before and behind it."""
    first, end = span
    margin = (end - first) // 8 + 1
    return (first + margin, end - margin) if end - first > 2 * margin else (first, end)


def halves(span: Span) -> tuple[Span, Span]:
    middle = (span[0] + span[1]) // 2
    return (span[0], middle), (middle, span[1])


class Act(Script):
    """What a hand does to a thing in one manner and undoes in another."""

    MANNERS: ClassVar[tuple[str, str]]
    """The two manners: `first` names the one that comes first."""

    first: str
    look: int = Field(ge=0, lt=len(LOOKS))
    colour: str
    sleeve: str
    skin: int = Field(ge=0, lt=len(SKINS))
    side: str = Field(pattern="^(left|right)$")
    """Where things begin, or from where the hand comes: pictures are mirrored for the other side."""
    rests: Annotated[list[Annotated[int, Field(ge=1, le=LONGEST)]], Len(3, 3)]
    """Frames for which all is still: at the start, between the two ways, and at the end."""

    @model_validator(mode="after")
    def _holds(self) -> Self:
        if self.first not in self.MANNERS or not {self.colour, self.sleeve} <= {*COLOURS}:
            raise ValueError("a manner that the script has, and colours that have names")
        self.check()
        if self.frames != self.length():
            raise ValueError("rests and moves make up the clip")
        return self

    @classmethod
    def draw(cls, settings: FineGrainedActionSettings, streams: Streams, turn: int) -> tuple[Self, Self]:
        random = streams("plan")
        contrast = draw_real(settings.contrast, random)
        colour, sleeve = some_colours(random, 2)
        fields: dict[str, Any] = {
            "fps": settings.fps,
            "look": random.randrange(len(LOOKS)),
            "colour": colour,
            "sleeve": sleeve,
            "skin": random.choice(UNLIKE.get(colour, range(len(SKINS)))),
            "side": random.choice(["left", "right"]),
        }
        frames = round(draw_real(settings.seconds, random) * settings.fps)
        rest = max(1, round(REST_SECONDS * settings.fps))
        fields |= {"rests": [rest] * 3} | cls.timing(contrast, settings, frames, rest, random)
        fields["frames"] = cls.model_construct(**fields).length()
        first, second = (cls(**fields, first=manner) for manner in cls.MANNERS)
        return first, second

    def answer(self) -> int:
        return self.MANNERS.index(self.first)

    @property
    def far(self) -> str:
        return "right" if self.side == "left" else "left"

    def across(self, x: float) -> float:
        """A place across the stage, mirrored where things begin on the right."""
        return x if self.side == "left" else 100 - x

    # What each script says: its own fields and how many frames they make, its walk and its pictures.

    @classmethod
    def timing(
        cls, contrast: float, settings: FineGrainedActionSettings, frames: int, rest: int, random: Random
    ) -> dict[str, Any]:
        """The script's own fields for a clip of about so many frames with rests of `rest`, or with those it gives."""
        raise NotImplementedError(cls)

    def check(self) -> None:
        """Raises ValueError where the script's own fields do not fit each other."""

    def length(self) -> int:
        """Frames of the whole clip."""
        raise NotImplementedError(self)

    def alike(self) -> tuple[int, int]:
        """How many frames both clips have in common at the start, until the hand holds the thing, and at the end."""
        raise NotImplementedError(self)

    def walk(self, track: Callable[..., Track]) -> tuple[Track, list[Span], list[Span]]:
        """The walk that begins with MANNERS[0], the frames of its two ways, and those that tell the manner."""
        raise NotImplementedError(self)

    def pictures(self, props: Props) -> Callable[[Pose], list[Placement]]:
        """What is placed where in a pose."""
        raise NotImplementedError(self)

    def played(self) -> tuple[list[Pose], list[Span], list[Span]]:
        """The clip's poses, the frames of its two ways, and those that tell the manner."""
        track, spans, seen = self.walk(Track)
        if self.first == self.MANNERS[0]:
            return track.poses, spans, seen
        # Only what lies between is played backwards: how the hand comes does not tell what it will do.
        start, end = self.alike()
        end = self.frames - end

        def mirrored(spans: list[Span]) -> list[Span]:
            return [(start + end - after, start + end - first) for first, after in reversed(spans)]

        poses = track.poses
        return poses[:start] + poses[start:end][::-1] + poses[end:], mirrored(spans), mirrored(seen)

    def scene(self, settings: FineGrainedActionSettings) -> Scene:
        props = Props(Stage(settings.resolution))
        at = cache(self.pictures(props))
        poses, spans, seen = self.played()
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


def too_few(what: str) -> InputError:
    return InputError(f"{what} would take too few frames to be seen: raise --fps or --seconds, or lower --contrast")


def two_lengths(ratio: float, room: int, fps: int, random: Random) -> tuple[int, int] | None:
    """(short, long) in frames, `ratio` apart, together no longer than `room`, or None where that cannot be.

    Both may be short or both long, over as wide a range as there is, so that one alone does not tell which it is.
    """
    most = room / (1 + ratio)
    least = max(4, min(round(0.3 * fps), int(most) - 1))
    rough = round(least * max(1.0, most / least) ** random.random())
    around = range(max(least, rough - rough // 3 - 1), rough + rough // 3 + 2)
    lengths = [(short, max(short + 1, round(short * ratio))) for short in around]
    fitting = [one for one in lengths if sum(one) <= room]
    # One of many that are near enough, so that not all clips have the few that are exact.
    near = [one for one in fitting if abs(one[1] / one[0] / ratio - 1) < 0.008]
    if near:
        return min(near, key=lambda one: abs(one[0] - rough))
    return min(fitting, key=lambda one: abs(one[1] / one[0] - ratio), default=None)


def tolerance_between(short: int, long: int, fps: int) -> float:
    """How many seconds off an answer may be: no more than half of what two lengths in frames are apart, mostly."""
    return 0.3 if (long - short) / fps >= 0.6 else 0.1


# ---------------------------------------------------------------------------------------------------- carry or slide


class Transfer(Act):
    """A thing is taken across through the air and brought back along what it stands on, or the other way round."""

    MANNERS: ClassVar[tuple[str, str]] = ("air", "ground")

    reach: int = Field(ge=1, le=LONGEST)
    lift: int = Field(ge=105, le=600)
    """How high it is lifted, in hundredths of its own height."""
    air: int = Field(ge=6, le=LONGEST)
    ground: int = Field(ge=3, le=LONGEST)
    """Frames of the way through the air and of that along the ground."""

    @classmethod
    def timing(
        cls, contrast: float, settings: FineGrainedActionSettings, frames: int, rest: int, random: Random
    ) -> dict[str, Any]:
        reach = max(2, round(REACH_SECONDS * settings.fps))
        moving = frames - 3 * rest - 2 * reach
        air = round(moving * random.uniform(0.52, 0.62))
        if moving - air < max(3, settings.fps // 3) or air < 6:
            raise too_few("a way")
        return {"reach": reach, "lift": round(100 * contrast), "air": air, "ground": moving - air}

    def length(self) -> int:
        return sum(self.rests) + 2 * self.reach + self.air + self.ground

    def alike(self) -> tuple[int, int]:
        return self.rests[0] + self.reach + 1, self.reach + self.rests[2]

    def contrast(self) -> float:
        return self.lift / 100

    def walk(self, track: Callable[..., Track]) -> tuple[Track, list[Span], list[Span]]:
        """A pose is how far across the thing is, how high, and how near the hand."""
        walk, high = track(0.0, 0.0, 0.0), self.lift / 100
        quarter = self.air // 4
        walk.rest(self.rests[0])
        walk.move(self.reach, 0, 0, 1)
        start, _ = walk.move(quarter, 0, high, 1)
        walk.move(self.air - 2 * quarter, 1, high, 1)
        _, end = walk.move(quarter, 1, 0, 1)
        walk.rest(self.rests[1])
        back = walk.move(self.ground, 0, 0, 1)
        walk.move(self.reach, 0, 0, 0)
        walk.rest(self.rests[2])
        spans = [(start, end), back]
        return walk, spans, [inner(span) for span in spans]

    def directions(self, name: str) -> Open:
        up_first, along_first = ["up", self.far, "down", self.side], [self.far, "up", self.side, "down"]
        return Open(
            kind="sequence",
            question=f"In which directions does the {name} move, one after another? Name each move with one of the "
            "words up, down, left and right, in order.",
            form=f"{example('down, left, up')}.",
            key=up_first if self.first == "air" else along_first,
        )

    def difference(self) -> str:
        return "the way through the air and the way along the ground change places"


THINGS = ("bottle", "bell", "jar")


class CarryOrSlide(Transfer):
    """A hand takes a bottle, bell or jar across a table: carries it there and slides it back, or the reverse."""

    NAME: ClassVar[str] = "carry_or_slide"

    thing: str = Field(pattern=f"^({'|'.join(THINGS)})$")

    @classmethod
    def timing(
        cls, contrast: float, settings: FineGrainedActionSettings, frames: int, rest: int, random: Random
    ) -> dict[str, Any]:
        return super().timing(contrast, settings, frames, rest, random) | {"thing": random.choice(THINGS)}

    def words(self) -> Words:
        thing, far, side = self.thing, self.far, self.side
        return Words(
            context=f"The video shows {a(self.colour)} {thing} on a table. A hand takes it to the {far} and then back "
            f"to the {side}. One of the two ways it carries the {thing} through the air, the other way it slides the "
            f"{thing} along the table.",
            stem=f"How does the hand take the {thing} to the {far}?",
            options=(f"it carries the {thing} through the air", f"it slides the {thing} along the table"),
            claims=(
                f"Does the hand carry the {thing} to the {far} and slide it back to the {side}?",
                f"Does the hand slide the {thing} to the {far} and carry it back to the {side}?",
            ),
        )

    def open_question(self) -> Open:
        return self.directions(self.thing)

    def pictures(self, props: Props) -> Callable[[Pose], list[Placement]]:
        height = min(24.0, 64 / (1 + self.lift / 100))
        neck = 0.34 * height
        wide = {"bottle": 0.46, "bell": 0.7, "jar": 0.78}[self.thing] * height + 3
        thing = props.picture(wide, height, *self._shapes(wide, height, neck))
        dark, level = LOOKS[self.look][1], 84.0
        still = [
            *(props.put(props.box(4, 16, dark), x, level + 11) for x in (14, 86)),
            props.put(props.box(94, 4, dark, 1), 50, level + 2),
            *(props.put(props.box(wide + 5, 1.6, shade(dark, 0.6), 0.8), x, level + 0.4) for x in (22, 78)),
        ]
        hand = Hand(props, self.skin, self.sleeve, "down", 5)

        def at(pose: Pose) -> list[Placement]:
            x, y = self.across(22 + 56 * pose[0]), level - height * (1 + pose[1])
            return [*still, props.put(thing, x, y, 0, height / 2, depth=1), *hand.at(x, y, pose[2])]

        return at

    def _shapes(self, wide: float, height: float, neck: float) -> list[Shape]:
        colour, middle = COLOURS[self.colour], wide / 2
        dark, body = shade(colour, 0.6), height - neck
        stem = rimmed(Rectangle(middle - 2.5, 0, 5, neck + 2, shade(colour, 0.8), 1))
        if self.thing == "bell":
            rim = height - 2
            # Narrow at the shoulders and flared at the rim, below which the clapper looks out.
            right = ((2.4, neck), (0.24 * wide, neck + 0.12 * body), (0.31 * wide, neck + 0.55 * body), (middle, rim))
            skirt = (*((middle + x, y) for x, y in right), *((middle - x, y) for x, y in reversed(right)))
            clapper = Ellipse(middle - 2, height - 4, 4, 4, shade(dark, 0.6))
            gleam = Line(((0.36 * wide, neck + 0.22 * body), (0.3 * wide, neck + 0.6 * body)), 1, shade(colour, 1.8))
            return [*stem, clapper, Polygon(skirt, colour), gleam, Rectangle(0, rim - 2, wide, 2.2, dark, 1)]
        round_by = 2.5 if self.thing == "bottle" else 1.5
        label = Rectangle(0.6, neck + 0.4 * body, wide - 1.2, 0.28 * body, PAPER if self.thing == "bottle" else dark)
        return [*stem, *rimmed(Rectangle(0, neck, wide, body, colour, round_by)), label]


# ---------------------------------------------------------------------------------------------------- lid


class Lid(Transfer):
    """The lid of a pot is lifted off and slid back on, or slid off and put back from above."""

    NAME: ClassVar[str] = "lid"

    def words(self) -> Words:
        return Words(
            context=f"The video shows {a(self.colour)} pot with a lid, and beside it a block that is as high as the "
            "pot. A hand takes the lid off the pot onto the block, and then back onto the pot. One of the two ways it "
            "lifts the lid through the air, the other way it slides the lid sideways without lifting it.",
            stem="How does the hand take the lid off the pot?",
            options=("it lifts the lid off through the air", "it slides the lid off sideways"),
            claims=(
                "Does the hand lift the lid off the pot and slide it back on?",
                "Does the hand slide the lid off the pot and lift it back on?",
            ),
        )

    def open_question(self) -> Open:
        return self.directions("lid")

    def pictures(self, props: Props) -> Callable[[Pose], list[Placement]]:
        colour, dark = COLOURS[self.colour], LOOKS[self.look][1]
        height, rim = min(11.0, 42 / (self.lift / 100)), 62.0
        knob = 0.5 * height
        lid = props.picture(
            33,
            height,
            *rimmed(Rectangle(14, 0, 5, knob + 1, shade(colour, 0.7), 1)),
            *rimmed(Rectangle(2, knob, 29, height - knob, colour, 2)),
            Rectangle(0, height - 1.8, 33, 1.8, shade(colour, 0.6), 0.9),
        )
        handle = props.box(5, 4, shade(colour, 0.7), 1.5)
        pot = props.picture(
            31,
            25,
            Rectangle(0, 0, 31, 25, shade(colour, 0.6), 3),
            Rectangle(0.6, 0.6, 29.8, 23.8, colour, 2.6),
            Rectangle(4, 5, 2.4, 14, shade(colour, 1.8), 1.2),
        )
        block = props.picture(
            31,
            25,
            *rimmed(Rectangle(0, 0, 31, 25, shade(dark, 1.7))),
            *(Line(((1, y), (30, y)), 0.5, shade(dark, 1.2)) for y in (8.5, 16.5)),
        )
        still = [
            props.put(props.box(98, 4, dark, 1), 50, rim + 27),
            *(props.put(handle, self.across(31), rim + 7, side) for side in (-17, 17)),
            props.put(pot, self.across(31), rim + 12.5),
            props.put(block, self.across(70), rim + 12.5),
        ]
        hand = Hand(props, self.skin, self.sleeve, "down", 5)

        def at(pose: Pose) -> list[Placement]:
            x, y = self.across(31 + 39 * pose[0]), rim - height * (1 + pose[1])
            return [*still, props.put(lid, x, y, 0, height / 2, depth=1), *hand.at(x, y, pose[2])]

        return at


# ---------------------------------------------------------------------------------------------------- drawer


class Drawer(Act):
    """A drawer is pulled open quickly and pushed shut slowly, or the other way round."""

    NAME: ClassVar[str] = "drawer"
    MANNERS: ClassVar[tuple[str, str]] = ("fast", "slow")

    reach: int = Field(ge=1, le=LONGEST)
    row: int = Field(ge=0, le=2)
    """How far down the drawer is."""
    fast: int = Field(ge=3, le=LONGEST)
    slow: int = Field(ge=4, le=LONGEST)

    @classmethod
    def timing(
        cls, contrast: float, settings: FineGrainedActionSettings, frames: int, rest: int, random: Random
    ) -> dict[str, Any]:
        reach = max(2, round(0.8 * REACH_SECONDS * settings.fps))
        # Little else, so that there is room for ways that are both slow.
        rest = max(1, round(0.6 * rest))
        room = frames - 3 * rest - 2 * reach
        lengths = two_lengths(contrast, room, settings.fps, random)
        if lengths is None:
            raise too_few("a way")
        fast, slow = lengths
        return {
            "reach": reach,
            "row": random.randrange(3),
            "fast": fast,
            "slow": slow,
            "rests": shared_out(frames - 2 * reach - fast - slow, 3, rest, random),
        }

    def check(self) -> None:
        if self.fast >= self.slow:
            raise ValueError("the fast way takes fewer frames than the slow one")

    def length(self) -> int:
        return sum(self.rests) + 2 * self.reach + self.fast + self.slow

    def contrast(self) -> float:
        return self.slow / self.fast

    def walk(self, track: Callable[..., Track]) -> tuple[Track, list[Span], list[Span]]:
        """A pose is how far open the drawer is, and how near the hand."""
        walk = track(0.0, 0.0)
        out, back = (self.fast, self.slow) if self.first == "fast" else (self.slow, self.fast)
        walk.rest(self.rests[0])
        walk.move(self.reach, 0, 1)
        opens = walk.move(out, 1, 1, evenly=True)
        walk.rest(self.rests[1])
        shuts = walk.move(back, 0, 1, evenly=True)
        walk.move(self.reach, 0, 0)
        walk.rest(self.rests[2])
        # Two frames within a way tell how fast it is.
        return walk, [opens, shuts], [*halves(opens), *halves(shuts)]

    def played(self) -> tuple[list[Pose], list[Span], list[Span]]:
        # An even way there has the poses of one as long back, so the two lengths change places as they are.
        track, spans, seen = self.walk(Track)
        return track.poses, spans, seen

    def words(self) -> Words:
        return Words(
            context=f"The video shows a cabinet with {a(self.colour)} drawer. A hand pulls the drawer open and, after "
            "a moment, pushes it shut. One of the two takes longer than the other.",
            stem="How does the hand move the drawer?",
            options=(
                "it pulls it open more quickly than it pushes it shut",
                "it pulls it open more slowly than it pushes it shut",
            ),
            claims=(
                "Does the hand pull the drawer open more quickly than it pushes it shut?",
                "Does the hand pull the drawer open more slowly than it pushes it shut?",
            ),
        )

    def open_question(self) -> Open:
        tolerance = tolerance_between(self.fast, self.slow, self.fps)
        return Open(
            kind="seconds",
            question="How many seconds does the hand take to pull the drawer open, from when the drawer begins to move "
            f"until it stops? (The answer counts as right within {tolerance} seconds.)",
            form=f"{example('2.5')}.",
            key=round((self.fast if self.first == "fast" else self.slow) / self.fps, 3),
            tolerance=tolerance,
        )

    def difference(self) -> str:
        return f"the way of {self.fast} frames and the way of {self.slow} frames change places"

    def pictures(self, props: Props) -> Callable[[Pose], list[Placement]]:
        colour, dark = COLOURS[self.colour], LOOKS[self.look][1]
        wood, level = shade(dark, 1.6), (36.0, 52.0, 68.0)[self.row]
        tall = 13.0
        drawer = props.picture(
            36,
            tall,
            # What is in it looks out over its side.
            Ellipse(6, 0, 8, 8, shade(dark, 0.8)),
            Rectangle(17, 0.5, 5, 9, PAPER, 0.5),
            Rectangle(24, 1, 7, 8, shade(colour, 1.8), 0.5),
            *rimmed(Rectangle(0, 4, 36, tall - 4, shade(colour, 0.9))),
        )
        front = props.box(3, tall + 2, colour, 0.6)
        knob = props.box(7, 4.6, shade(dark, 0.7), 1.4)
        panel = props.picture(
            38,
            62,
            *rimmed(Rectangle(0, 0, 38, 62, wood, 1)),
            *rimmed(Rectangle(4, 5, 30, 52, shade(wood, 0.92), 1)),
            *(Line(((6, y), (32, y)), 0.4, shade(wood, 0.8)) for y in (17, 28, 43)),
        )
        top, foot = props.box(44, 3.4, dark, 1), props.box(4, 4, dark)
        vase = props.picture(
            8,
            11,
            Line(((4, 6), (2, 0.8)), 0.7, (70, 130, 70)),
            Line(((4, 6), (6.2, 1.4)), 0.7, (70, 130, 70)),
            *rimmed(Rectangle(1.4, 4.6, 5.2, 6.4, shade(dark, 1.3), 2)),
        )
        side = self.across
        above = [
            props.put(panel, side(24), 55, depth=2),
            props.put(top, side(24), 23, depth=2),
            props.put(vase, side(18), 16, depth=2),
            *(props.put(foot, side(x), 88, depth=2) for x in (9, 39)),
        ]
        floor = props.put(props.box(98, 2.4, dark, 1), 50, 91.4)
        direction = 1 if self.side == "left" else -1
        hand = Hand(props, self.skin, self.sleeve, "left" if self.side == "left" else "right", 4.6)

        def at(pose: Pose) -> list[Placement]:
            # The front shuts flush with the cabinet.
            x = side(43 + 28 * pose[0])
            return [
                floor,
                # It reaches under its front, so that the two are one.
                props.put(drawer, x, level, -17 * direction, -0.6),
                *above,
                props.put(front, x, level, 1.5 * direction, depth=3),
                props.put(knob, x, level, 6 * direction, depth=3),
                *hand.at(x + 9 * direction, level, pose[1]),
            ]

        return at


# ---------------------------------------------------------------------------------------------------- blind


class Blind(Act):
    """A blind is lowered in a single go and raised in several with stops, or the reverse; it begins up or down."""

    NAME: ClassVar[str] = "blind"
    MANNERS: ClassVar[tuple[str, str]] = ("one_go", "several")

    begins: str = Field(pattern="^(up|down)$")
    goes: int = Field(ge=2, le=5)
    single: int = Field(ge=4, le=LONGEST)
    """Frames of the way in a single go."""
    glide: int = Field(ge=4, le=LONGEST)
    """Frames in which the blind moves on the way in several goes."""
    pauses: int = Field(ge=1, le=LONGEST)
    """Frames in which it stops between the several goes, all together."""

    @classmethod
    def timing(
        cls, contrast: float, settings: FineGrainedActionSettings, frames: int, rest: int, random: Random
    ) -> dict[str, Any]:
        # A stop and a go that can be seen.
        shortest = max(2.0, 0.25 * settings.fps)
        room = frames - 3 * rest
        least, most = shortest * max(contrast / (contrast - 1), 2 * contrast), room - 2 * shortest
        if least > most:
            raise InputError("a stop of the blind would be too short to be seen: raise --seconds, or change --contrast")
        # Either way may take longer than the other: it is the stops that tell them apart.
        several = random.uniform(*(min(most, max(least, share * room)) for share in (0.3, 0.55)))
        single = round(min(room - several, max(2 * shortest, several * 1.8 ** random.uniform(-1, 1))))
        glide = max(4, round(several / contrast))
        pauses = max(1, round(glide * (contrast - 1)))
        possible = [goes for goes in (3, 4, 5) if min(pauses / (goes - 1), glide / goes) >= shortest]
        return {
            "begins": random.choice(["up", "down"]),
            "goes": random.choice(possible or [2]),
            "single": single,
            "glide": glide,
            "pauses": pauses,
            "rests": shared_out(frames - single - glide - pauses, 3, rest, random),
        }

    def check(self) -> None:
        if self.glide < self.goes or self.pauses < self.goes - 1:
            raise ValueError("each go and each stop takes a frame")

    def length(self) -> int:
        return sum(self.rests) + self.single + self.glide + self.pauses

    def alike(self) -> tuple[int, int]:
        return self.rests[0] + 1, self.rests[2]

    def contrast(self) -> float:
        return (self.glide + self.pauses) / self.glide

    def walk(self, track: Callable[..., Track]) -> tuple[Track, list[Span], list[Span]]:
        """A pose is how far the blind is from where it began."""
        walk = track(0.0)
        walk.rest(self.rests[0])
        out = walk.move(self.single, 1, evenly=True)
        _, start = walk.rest(self.rests[1])
        stops = [self.pauses * stop // (self.goes - 1) for stop in range(self.goes)]
        marks = [self.glide * (self.goes - go) // self.goes for go in range(self.goes + 1)]
        for go, (here, there) in enumerate(pairwise(marks)):
            _, end = walk.move(here - there, there / self.glide, evenly=True)
            if go < self.goes - 1:
                walk.rest(stops[go + 1] - stops[go])
        walk.rest(self.rests[2])
        return walk, [out, (start, end)], [*halves(out), *halves((start, end))]

    def words(self) -> Words:
        ways = ("lower", "raise") if self.begins == "up" else ("raise", "lower")
        return Words(
            context=f"The video shows {a(self.colour)} blind in a window. A hand {ways[0]}s the blind all the way and, "
            f"after a moment, {ways[1]}s it again. One of the two it does in a single go, the other one in several "
            "goes, with stops in between.",
            stem=f"How does the hand {ways[0]} the blind?",
            options=("in a single go, without a stop", "in several goes, with stops"),
            claims=(
                f"Does the hand {ways[0]} the blind in a single go and {ways[1]} it in several?",
                f"Does the hand {ways[0]} the blind in several goes and {ways[1]} it in one?",
            ),
        )

    def open_question(self) -> Open:
        way, end = ("down", "bottom") if self.begins == "up" else ("up", "top")
        return Open(
            kind="integer",
            question=f"How many times does the blind stop on its way {way}, before it reaches the {end}? Do not count "
            f"the {end} itself; if it does not stop, the answer is 0.",
            form=f"{example('5')}.",
            key=0 if self.first == "one_go" else self.goes - 1,
        )

    def difference(self) -> str:
        return "the way in a single go and the way in several goes change places"

    def pictures(self, props: Props) -> Callable[[Pose], list[Placement]]:
        colour, (ground, dark) = COLOURS[self.colour], LOOKS[self.look]
        middle, top = self.across(44), 17.0
        wide, tall = 42.0, 46.0
        view = props.picture(
            wide + 6,
            tall + 6,
            Rectangle(0, 0, wide + 6, tall + 6, dark, 1),
            Rectangle(3, 3, wide, tall, (172, 208, 232)),
            Ellipse(31, 8, 9, 9, (248, 222, 120)),
            Polygon(((3, 40), (14, 27), (26, 38), (36, 30), (45, 37), (45, 49), (3, 49)), (118, 160, 110)),
            Rectangle(23, 3, 2, tall, dark),
            Rectangle(3, 25, wide, 2, dark),
        )
        cloth = props.picture(
            wide,
            tall,
            Rectangle(0, 0, wide, tall, colour),
            *(Rectangle(0, y, wide, 0.8, shade(colour, 0.8)) for y in range(4, 44, 8)),
            Rectangle(0, tall - 3, wide, 3, shade(colour, 0.6)),
        )
        tab = props.box(4, 8, shade(colour, 0.6), 1)
        # The wall above hides what is rolled up.
        wall = props.picture(wide + 10, 60, Rectangle(0, 0, wide + 10, 60, ground))
        box = props.box(wide + 12, 7, shade(dark, 1.3), 2)
        still = [props.put(view, middle, top + 23)]
        above = [props.put(wall, middle, top - 33, depth=2), props.put(box, middle, top, depth=2)]
        hand = Hand(props, self.skin, self.sleeve, "up", 4)
        up, down = top + 9, top + tall

        def at(pose: Pose) -> list[Placement]:
            share = pose[0] if self.begins == "up" else 1 - pose[0]
            y = up + (down - up) * share
            return [
                *still,
                props.put(cloth, middle, y, 0, -tall / 2, depth=1),
                props.put(tab, middle, y, 0, 3.4, depth=1),
                *above,
                *hand.at(middle, y + 7.4, 1.0),
            ]

        return at


# ---------------------------------------------------------------------------------------------------- tower


class Tower(Act):
    """A tower of toy bricks is moved across as a whole and back brick by brick, or the reverse."""

    NAME: ClassVar[str] = "tower"
    MANNERS: ClassVar[tuple[str, str]] = ("whole", "single")

    bricks: int = Field(ge=2, le=5)
    cross: int = Field(ge=2, le=LONGEST)
    """Frames from one mat to the other."""
    dip: int = Field(ge=1, le=LONGEST)
    """Frames of a way down or up."""
    grip: int = Field(ge=1, le=LONGEST)

    @classmethod
    def timing(
        cls, contrast: float, settings: FineGrainedActionSettings, frames: int, rest: int, random: Random
    ) -> dict[str, Any]:
        asked = settings.contrast
        possible = [number for number in range(2, 6) if asked.low <= number <= asked.high]
        if not possible:
            raise InputError(
                f"no whole number of bricks, 2 to 5, has a contrast of {asked}: change --contrast, or leave the "
                "script tower out with --scripts"
            )
        # A tower of two hardly is one.
        high = [number for number in possible if number > 2]
        for bricks in (random.choice(high or possible), min(high or possible), possible[0]):
            moves = bricks + 1
            # A dip takes 0.42 of a crossing and a grip 0.16; what rounding leaves goes to the crossings.
            share = (frames - 3 * rest) / (moves * (4 * 0.42 + 2 * 0.16) + 2 * bricks)
            dip, grip = max(2, round(0.42 * share)), max(1, round(0.16 * share))
            cross = round((frames - 3 * rest - moves * (4 * dip + 2 * grip)) / (2 * bricks))
            if cross >= max(3, 0.22 * settings.fps):
                return {"bricks": bricks, "cross": cross, "dip": dip, "grip": grip}
        raise too_few("moving a brick")

    def length(self) -> int:
        moves = self.bricks + 1
        return sum(self.rests) + moves * (4 * self.dip + 2 * self.grip) + 2 * self.bricks * self.cross

    def alike(self) -> tuple[int, int]:
        return self.rests[0] + self.dip + self.grip, self.grip + self.dip + self.rests[2]

    def contrast(self) -> float:
        return float(self.bricks)

    def walk(self, track: Callable[..., Track]) -> tuple[Track, list[Span], list[Span]]:
        """A pose: where the hand is, how high, how near; bricks at home, away, and in the hand."""
        number, high = self.bricks, self.bricks + 1.9
        walk = track(0.0, high, 0.0, number, 0, 0)
        spans: list[Span] = []

        def carry(here: int, there: int, load: int) -> None:
            """Take so many bricks off one tower and put them onto the other: 0 at home, 1 away."""
            towers = [int(walk.pose[3]), int(walk.pose[4])]

            def to(frames: int, x: int, y: float, near: float) -> Span:
                return walk.move(frames, x, y, near, *towers, load if is_held else 0)

            is_held = False
            start, _ = to(self.dip, here, towers[here], 0)
            to(self.grip, here, towers[here], 1)
            towers[here] -= load
            is_held = True
            to(0, here, towers[here] + load, 1)
            to(self.dip, here, high, 1)
            to(self.cross, there, high, 1)
            to(self.dip, there, towers[there] + load, 1)
            towers[there] += load
            is_held = False
            to(0, there, towers[there], 1)
            to(self.grip, there, towers[there], 0)
            _, end = to(self.dip, there, high, 0)
            spans.append((start, end))

        walk.rest(self.rests[0])
        carry(0, 1, number)
        walk.rest(self.rests[1])
        for brick in range(number):
            if brick:
                walk.move(self.cross, 1, *walk.pose[1:])
            carry(1, 0, 1)
        walk.rest(self.rests[2])
        held = 2 * self.dip + self.cross
        begins = self.dip + self.grip
        seen = [(start + begins + 1, start + begins + held) for start, _ in spans]
        return walk, spans, seen

    def words(self) -> Words:
        far, side = self.far, self.side
        return Words(
            context=f"The video shows a tower of {self.bricks} {self.colour} toy bricks that stick together. A hand "
            f"moves it from the {side} mat to the {far} mat and back. One of the two ways it moves the whole tower at "
            "once, the other way it moves it brick by brick.",
            stem=f"How does the hand move the tower to the {far} mat?",
            options=("it moves the whole tower at once", "it moves the tower brick by brick"),
            claims=(
                f"Does the hand move the tower to the {far} at once and back brick by brick?",
                f"Does the hand move the tower to the {far} brick by brick and back at once?",
            ),
        )

    def open_question(self) -> Open:
        return Open(
            kind="integer",
            question=f"How many times does the hand set something down on the {self.far} mat?",
            form=f"{example('6')}.",
            key=1 if self.first == "whole" else self.bricks,
        )

    def difference(self) -> str:
        return "the way as a whole and the way brick by brick change places"

    def pictures(self, props: Props) -> Callable[[Pose], list[Placement]]:
        colour, dark = COLOURS[self.colour], LOOKS[self.look][1]
        wide, tall, level = 13.0, 10.0 if self.bricks < 4 else 7.5, 86.0
        brick = props.picture(
            wide,
            tall + 1.4,
            *(Rectangle(x, 0, 3.4, 2, shade(colour, 0.75), 0.6) for x in (1.6, 8)),
            *rimmed(Rectangle(0, 1.4, wide, tall, colour, 0.8)),
        )
        still = [
            props.put(props.box(96, 5, dark, 1), 50, level + 4.1),
            *(props.put(props.box(24, 1.8, shade(dark, 0.6), 0.9), x, level + 0.8) for x in (24, 76)),
        ]
        hand = Hand(props, self.skin, self.sleeve, "down", wide)

        def at(pose: Pose) -> list[Placement]:
            x, top = self.across(24 + 52 * pose[0]), level - tall * pose[1]
            home, away, held = (int(count) for count in pose[3:])
            towers = [
                props.put(brick, self.across(place), level, 0, -tall * (number + 0.5) - 0.7, depth=1)
                for place, count in ((24, home), (76, away))
                for number in range(count)
            ]
            # From the lowest up, so that a brick hides the studs below it.
            load = [props.put(brick, x, top, 0, tall * (held - number - 0.5) - 0.7, depth=1) for number in range(held)]
            return [*still, *towers, *load, *hand.at(x, top, pose[2])]

        return at


# ---------------------------------------------------------------------------------------------------- wipe


class Wipe(Act):
    """A sponge wipes a board with long strokes and then with short ones, or the other way round."""

    NAME: ClassVar[str] = "wipe"
    MANNERS: ClassVar[tuple[str, str]] = ("long", "short")

    beat: int = Field(ge=2, le=LONGEST)
    """Frames of half a stroke, which takes as long for a short one as for a long one."""
    reaches: Annotated[list[Annotated[int, Field(ge=100, le=4000)]], Len(2, 2)]
    """How far a long and a short stroke reach to either side, in hundredths of a unit."""
    rounds: Annotated[list[Annotated[int, Field(ge=1, le=9)]], Len(2, 2)]
    """How often it goes to and fro with long strokes, and with short ones."""

    @classmethod
    def timing(
        cls, contrast: float, settings: FineGrainedActionSettings, frames: int, rest: int, random: Random
    ) -> dict[str, Any]:
        rounds = random.choice([[1, 2], [2, 1], [2, 3], [3, 2]])
        beat = round((frames - 3 * rest) / (4 * sum(rounds)))
        if beat < 3:
            raise too_few("a stroke")
        short = round(random.randint(2800, 3400) / contrast)
        return {"beat": beat, "reaches": [max(short + 1, round(short * contrast)), short], "rounds": rounds}

    def check(self) -> None:
        if self.reaches[0] <= self.reaches[1]:
            raise ValueError("the long strokes are longer than the short ones")

    def length(self) -> int:
        return sum(self.rests) + 4 * self.beat * sum(self.rounds)

    def contrast(self) -> float:
        return self.reaches[0] / self.reaches[1]

    def played(self) -> tuple[list[Pose], list[Span], list[Span]]:
        """A pose is how far the sponge is from the middle.

        Played backwards, strokes would begin on the other side, so here the two change places as they are.
        """
        walk = Track(0.0)
        walk.rest(self.rests[0])
        spans: list[Span] = []
        seen: list[Span] = []
        for manner, rest in zip((self.answer(), 1 - self.answer()), self.rests[1:], strict=True):
            first = len(walk.poses)
            reach = self.reaches[manner] / 100
            walk.move(self.beat, reach)
            for stroke in range(2 * self.rounds[manner] - 1):
                walk.move(2 * self.beat, reach if stroke % 2 else -reach)
            _, end = walk.move(self.beat, 0)
            walk.rest(rest)
            spans.append((first, end))
            if manner == 0:
                # A long stroke is told where it reaches beyond the short ones.
                beyond = [abs(pose[0]) > self.reaches[1] / 100 for pose in walk.poses]
                start = beyond.index(True)
                seen.append((start, beyond.index(False, start)))
        return walk.poses, spans, seen

    def words(self) -> Words:
        return Words(
            context=f"The video shows a hand that wipes a board with {a(self.colour)} sponge, to and fro at an even "
            "beat. It wipes with long strokes for a while and with short strokes for a while, and in between the "
            "sponge rests in the middle for a moment.",
            stem="With which strokes does the hand wipe first?",
            options=("with long strokes, and then with short ones", "with short strokes, and then with long ones"),
            claims=(
                "Does the hand wipe with long strokes first and with short ones after?",
                "Does the hand wipe with short strokes first and with long ones after?",
            ),
        )

    def open_question(self) -> Open:
        return Open(
            kind="integer",
            question=f"How many times does the sponge reach the {self.far} end of a stroke before it rests in the "
            "middle between the two kinds of strokes?",
            form=f"{example('5')}.",
            key=self.rounds[self.answer()],
        )

    def difference(self) -> str:
        return "the long strokes and the short strokes change places"

    def pictures(self, props: Props) -> Callable[[Pose], list[Placement]]:
        colour, dark = COLOURS[self.colour], LOOKS[self.look][1]
        board = props.picture(
            94,
            56,
            *rimmed(Rectangle(0, 0, 94, 56, shade(dark, 1.5), 1.5)),
            Rectangle(3, 3, 88, 50, (58, 76, 68) if self.skin % 2 else PAPER),
        )
        sponge = props.picture(
            19,
            10,
            *rimmed(Rectangle(0, 0, 19, 10, colour, 2)),
            *(Ellipse(x, y, 1.6, 1.4, shade(colour, 0.75)) for x, y in ((2, 2), (3, 6), (15.5, 2.4), (14.8, 6.4))),
        )
        tone = SKINS[self.skin]
        fingers = [
            shape
            for x, top in ((1, 2.4), (4, 0.8), (7, 0), (10, 1.2))
            for shape in rimmed(Rectangle(x, top, 3.2, 13, tone, 1.6), 0.45)
        ]
        hand = props.picture(
            18,
            22,
            *rimmed(Rectangle(13, 8.5, 4, 9, tone, 2), 0.45),
            *fingers,
            Rectangle(1, 9.5, 13.2, 12.5, shade(tone, 0.6), 3.4),
            Rectangle(1.45, 9, 12.3, 12.6, tone, 3.2),
        )
        arm = props.box(9, 90, COLOURS[self.sleeve], 1.5)
        still = [props.put(board, 50, 38)]
        direction = 1 if self.side == "left" else -1

        def at(pose: Pose) -> list[Placement]:
            x = 50 + direction * pose[0]
            return [
                *still,
                props.put(sponge, x, 38, depth=1),
                props.put(arm, x, 38, -1.4, 63, depth=2),
                props.put(hand, x, 38, 0, 8, depth=3),
            ]

        return at


FAMILY = pair_family(
    name="fine_grained_action",
    version=1,
    summary="Pairs that differ in the manner of an action: carried or slid, lifted or pushed, in one go or in several.",
    settings=FineGrainedActionSettings,
    scripts=(CarryOrSlide, Drawer, Lid, Blind, Tower, Wipe),
)

if __name__ == "__main__":
    from generators.command import main

    main(["fine_grained_action", *sys.argv[1:]])
