"""A person for scenes of actions: a jointed figure that waves, points, walks and turns round, of few ready sprites.

Only places change from frame to frame, never angles: the body is one sprite, and so is each pose of an arm, of a walk
or of a turn. Arms are quantised to STEP.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from math import acos, atan2, ceil, copysign, cos, degrees, dist, floor, hypot, pi, radians, remainder, sin, sqrt
from random import Random
from typing import Literal, NamedTuple

from generators.props import Props
from generators.rendering.scene import Colour, Part, Placement, Polygon, Sprite, ease
from generators.stage import COLOURS, INK, shade

STEP = 6
"""Arms are drawn at angles that are multiples of so many degrees."""

Side = Literal["left", "right"]
"""A side of the picture, not of the person."""
SIDES: tuple[Side, Side] = ("left", "right")
Bend = Literal["natural", "out", "under"]
Point = tuple[float, float]
Outline = tuple[list[Point], Colour]
"""A filled outline; places are shares of the figure's height, from a joint, y downwards."""


class Limb(NamedTuple):
    """A part of a body, or several in the order of painting; its corner is in pixels from the point on the ground."""

    sprite: Sprite
    left: int
    top: int


Limbs = dict[tuple[object, ...], Limb]
"""By name, each in pixels from its own joint."""

# ---------------------------------------------------------------------------------------------------- builds

SKINS: tuple[Colour, ...] = ((244, 204, 172), (226, 178, 140), (190, 136, 98), (144, 96, 66), (104, 68, 50))
HAIRS: tuple[Colour, ...] = ((40, 32, 30), (78, 52, 36), (128, 84, 48), (206, 166, 96), (150, 72, 40), (146, 142, 140))
TROUSERS: tuple[Colour, ...] = ((54, 62, 88), (86, 78, 68), (58, 58, 64), (70, 82, 72), (92, 100, 116))

UNLIKE: dict[str, tuple[int, ...]] = {"brown": (0, 1), "orange": (0, 3, 4), "yellow": (2, 3, 4), "pink": (2, 3, 4)}
"""The skins that stand out from a shirt of this colour, where not all of them do."""


@dataclass(frozen=True, slots=True)
class Build:
    """What a person looks like; `height` is in units, from the feet to the top of the head."""

    height: float
    shirt: Colour
    trousers: Colour
    skin: Colour
    hair: Colour
    rucksack: Colour | None = None


def some_build(random: Random, height: float, *, shirt: str = "", rucksack: bool = False) -> Build:
    """A person of this height with a shirt of a named colour, of any unless told; skin and hair stand out from it."""
    name = shirt or random.choice(sorted(COLOURS))
    skin = random.choice(UNLIKE.get(name, range(len(SKINS))))
    # Fair hair on dark skin, and hair as light as the skin, would leave no edge of the face to be seen.
    hair = random.choice(
        [tone for tone in HAIRS if abs(sum(tone) - sum(SKINS[skin])) > 110 and sum(tone) < 500 - 60 * skin]
    )
    pack = random.choice([tone for other, tone in sorted(COLOURS.items()) if other != name])
    return Build(height, COLOURS[name], random.choice(TROUSERS), SKINS[skin], hair, pack if rucksack else None)


# ---------------------------------------------------------------------------------------------------- proportions

# All in shares of the height.
HIP, HIP_ASIDE, CUFF, ANKLE = 0.47, 0.052, 0.072, 0.04
THIGH = SHIN = 0.215
SHOULDER, SHOULDER_ASIDE = 0.752, 0.122
UPPER, FORE, HAND = 0.165, 0.15, 0.046
"""Shoulder to elbow, elbow to wrist, and wrist to the middle of the hand."""
HEAD, WIDE, HIGH = 0.9, 0.079, 0.1
"""How high the middle of the head is, and half its sides."""
RIM = 0.0085
STRIDE = 0.15
"""How far before and behind the hip a foot is set down."""
FARTHER = 1.7
"""How much lighter the leg of a walk is that is farther from the viewer, so that it is told from the other."""
# fmt: off
TORSO = (
    (0.815, 0.04, 0.036), (0.805, 0.075, 0.046), (0.792, 0.112, 0.056), (0.77, 0.134, 0.064), (0.735, 0.14, 0.07),
    (0.66, 0.12, 0.074), (0.56, 0.106, 0.066), (0.46, 0.112, 0.07), (0.435, 0.106, 0.066),
)
# fmt: on
"""Height, half the width and half the depth of the trunk, from the neck down."""


class Figure:
    """A person who stands with the point between the feet at (x, y), in units; one seen from the side faces right.

    What is to lie over other parts comes later in a list. A sprite is added to the atlas when it is first needed: work
    out all placements before a scene takes the atlas's sprites.
    """

    def __init__(self, props: Props, build: Build, *, view: Literal["front", "side"] = "front", depth: int = 0) -> None:
        self.props, self.build, self.depth = props, build, depth
        self.yaw = 0.0 if view == "front" else pi / 2
        self._pixels = build.height * props.stage.unit
        self._limbs = _limbs(build, self._pixels)
        self._known: dict[tuple[Limb, ...], Placement] = {}

    @property
    def stride(self) -> float:
        """How far a walk goes in one cycle, in units, if feet are not to slide."""
        return 4 * STRIDE * self.build.height

    def standing(self, x: float, y: float) -> list[Placement]:
        """The person without arms."""
        return self._put(x, y, [*self._legs(self.yaw), *self._trunk(self.yaw)])

    def shoulder(self, side: Side, x: float, y: float) -> Point:
        """Where the shoulder is from which an arm hangs."""
        return self._units(x, y, *self._shoulder(side, self.yaw))

    def arm(self, side: Side, x: float, y: float, upper: int, fore: int, *, is_joined: bool = True) -> list[Placement]:
        """An arm: for either part 0 points straight down, 90 to the right of the picture, and 180 up.

        Joined it is one sprite, which is quicker to paint; of many poses the parts apart are quicker to make ready.
        """
        limbs = self._arm(self._shoulder(side, self.yaw), side, upper, fore)
        return self._put(x, y, limbs) if is_joined else [one for limb in limbs for one in self._put(x, y, [limb])]

    def hand_at(self, side: Side, x: float, y: float, upper: int, fore: int) -> Point:
        """Where the middle of the hand is."""
        left, top = self._shoulder(side, self.yaw)
        elbow, (across, down) = self._elbow(upper), _ahead(_quantised(fore), (FORE + HAND) * self._pixels)
        return self._units(x, y, left + elbow[0] + across, top + elbow[1] + down)

    def reach(
        self, side: Side, x: float, y: float, target_x: float, target_y: float, elbow: Bend = "natural"
    ) -> tuple[int, int]:
        """The angles of an arm whose hand is as near as can be to the target.

        The elbow is bent outwards from a hand that is low or across the body, and under one that is raised or aside;
        there it changes over at once, so what is traced across that line needs to be told which to do.
        """
        left, top = self.shoulder(side, x, y)
        sense = 1 if side == "right" else -1
        across, down = (target_x - left) * sense, target_y - top
        first, second = UPPER * self.build.height, (FORE + HAND) * self.build.height
        towards, bend, far = _triangle(across, down, first, second)
        out = -100 < degrees(towards) < 45 if elbow == "natural" else elbow == "out"
        upper = towards + (bend if out else -bend)
        fore = atan2(far * sin(towards) - first * sin(upper), far * cos(towards) - first * cos(upper))
        near = [
            [(_quantised(sense * degrees(angle)) + more) % 360 for more in (0, -STEP, STEP)] for angle in (upper, fore)
        ]
        return min(
            ((one, other) for one in near[0] for other in near[1]),
            key=lambda angles: dist(self.hand_at(side, x, y, *angles), (target_x, target_y)),
        )

    def walking(self, x: float, y: float, phase: int, of: int, facing: Side) -> list[Placement]:
        """Step `phase` of a walk in cycles of `of`, seen from the side, arms and all."""
        sense = 1 if facing == "right" else -1
        turn = 2 * pi * (phase % of) / of
        # The body is highest where one foot passes the other.
        sunk = round((0.014 + 0.006 * cos(2 * turn)) * self._pixels)
        shoulder = 0, sunk - round(SHOULDER * self._pixels)
        far, near = (
            self._arm(shoulder, facing, sense * (24 * swing + 2), sense * (34 * swing + 20))
            for swing in (cos(turn), -cos(turn))
        )
        legs = [
            *self._step(phase + of / 2, of, sense, sunk, FARTHER),
            *self._step(phase, of, sense, sunk, 1),
        ]
        return self._put(x, y, [*far, *legs, *self._trunk(sense * pi / 2, sunk), *near])

    def turned(self, x: float, y: float, turn: int, of: int) -> list[Placement]:
        """Step `turn` of `of` of a whole turn with hanging arms: from the front by way of facing right to the back."""
        yaw = 2 * pi * (turn % of) / of
        left, right = (self._arm(self._shoulder(side, yaw), side, 0, 0) for side in SIDES)
        # The arm that is farther from the viewer comes first.
        far, near = (left, right) if sin(yaw) < 0 else (right, left)
        hidden = abs(sin(yaw)) > 0.3
        body = [*self._legs(yaw), *self._trunk(yaw)]
        return self._put(x, y, [*far, *body, *near] if hidden else [*body, *far, *near])

    # Where things are, in pixels from the point on the ground.

    def _shoulder(self, side: Side, yaw: float) -> tuple[int, int]:
        aside = SHOULDER_ASIDE * cos(yaw) * (1 if side == "right" else -1)
        return round(aside * self._pixels), -round(SHOULDER * self._pixels)

    def _elbow(self, upper: float) -> tuple[int, int]:
        across, down = _ahead(_quantised(upper), UPPER * self._pixels)
        return round(across), round(down)

    def _units(self, x: float, y: float, *off: float) -> Point:
        """The place so many pixels from the ground point as it is drawn, in units."""
        stage = self.props.stage
        places = zip(stage.point(x, y), off, stage.resolution, strict=True)
        across, down = ((at + more - (side - min(stage.resolution)) / 2) / stage.unit for at, more, side in places)
        return across, down

    # Parts.

    def _part(self, joint: tuple[int, int], key: tuple[object, ...], draw: Callable[[], list[Outline]]) -> Limb:
        """What hangs on a joint, which is in pixels from the point on the ground."""
        limb = self._limbs.get(key)
        if limb is None:
            size = self._pixels
            outlines = [([(size * across, size * down) for across, down in points], tint) for points, tint in draw()]
            across, down = zip(*(point for points, _ in outlines for point in points), strict=True)
            left, top = floor(min(across)), floor(min(down))
            sides = max(1, ceil(max(across) - left)), max(1, ceil(max(down) - top))
            shapes = [Polygon(tuple([(x - left, y - top) for x, y in points]), tint) for points, tint in outlines]
            limb = self._limbs[key] = Limb(Sprite(*sides, tuple(shapes)), left, top)
        return Limb(limb.sprite, joint[0] + limb.left, joint[1] + limb.top)

    def _put(self, x: float, y: float, limbs: Sequence[Limb]) -> list[Placement]:
        """Limbs as one sprite, painted in their order; it fits closely, and has even sides, so its centre is whole."""
        key = tuple(limbs)
        if key not in self._known:
            left, top = min(limb.left for limb in limbs), min(limb.top for limb in limbs)
            right = max(limb.left + limb.sprite.width for limb in limbs)
            bottom = max(limb.top + limb.sprite.height for limb in limbs)
            width, height = (2 * ceil(side / 2) for side in (right - left, bottom - top))
            parts = tuple([Part(sprite, across - left, down - top) for sprite, across, down in limbs])
            sprite = self.props.atlas.add(Sprite(width, height, (), parts=parts))
            self._known[key] = Placement(sprite, left + width // 2, top + height // 2, depth=self.depth)
        one = self._known[key]
        across, down = self.props.stage.point(x, y)
        return [one._replace(x=across + one.x, y=down + one.y)]

    def _arm(self, joint: tuple[int, int], thumb: Side, upper: float, fore: float) -> list[Limb]:
        upper, fore = _quantised(upper), _quantised(fore)
        elbow, shirt, skin = self._elbow(upper), self.build.shirt, self.build.skin

        def draw_fore() -> list[Outline]:
            wrist, base, palm, middle, tip = (_ahead(fore, FORE + more) for more in (0, 0.012, 0.022, 0.042, 0.046))
            # The thumb of a hanging hand points to the viewer.
            aside = 0.018 * (1 - cos(radians(fore))) * (1 if thumb == "right" else -1)
            end = middle[0] + aside * cos(radians(fore)), middle[1] - aside * sin(radians(fore))
            fingers = ((base, end, 0.014), (palm, tip, 0.031))
            return [
                *((_capsule(start, stop, radius), shade(skin, 0.6)) for start, stop, radius in fingers),
                *((_capsule(start, stop, radius - 0.8 * RIM), skin) for start, stop, radius in fingers),
                *_limb((0, 0), wrist, 0.031, 0.027, shirt),
            ]

        bent = elbow[0] / self._pixels, elbow[1] / self._pixels
        below = joint[0] + elbow[0], joint[1] + elbow[1]
        return [
            self._part(joint, ("upper", upper), lambda: _limb((0, 0), bent, 0.036, 0.031, shirt, seam=True)),
            self._part(below, ("fore", thumb, fore), draw_fore),
        ]

    def _legs(self, yaw: float) -> list[Limb]:
        trousers, yaw = self.build.trousers, atan2(*_seen(yaw))
        aside = round(HIP_ASIDE * cos(yaw) * self._pixels)
        ankle, hip = -round(ANKLE * self._pixels), -round(HIP * self._pixels)
        legs: list[Limb] = []
        # The leg that is farther from the viewer comes first.
        for at in (aside, -aside) if sin(yaw) > 0 else (-aside, aside):
            legs.append(self._part((at, ankle), ("shoe", *_seen(yaw)), lambda: _shoe(yaw)))
            draw = partial(_limb, (0, 0), (0, HIP - CUFF), 0.052, 0.037, trousers)
            legs.append(self._part((at, hip), ("leg",), draw))
        return legs

    def _step(self, phase: float, of: int, sense: int, sunk: int, tone: float) -> list[Limb]:
        """A leg in a walk: on the ground for half of the cycle, going back at an even speed, and then swung forward."""
        share = phase % of / of
        swung = max(0.0, 2 * share - 1)
        forward = STRIDE * (1 - 4 * share if share < 0.5 else 2 * ease(swung) - 1)
        down = HIP - ANKLE - sunk / self._pixels - 0.05 * sin(pi * swung)
        towards, bend, _ = _triangle(forward, down, THIGH, SHIN)
        across, below = _ahead(degrees(towards + bend), THIGH * self._pixels)
        knee = round(sense * across), round(below)
        bent = knee[0] / self._pixels, knee[1] / self._pixels
        ankle = sense * forward - bent[0], down - bent[1]
        colour, hip = shade(self.build.trousers, tone), sunk - round(HIP * self._pixels)

        def draw_shin() -> list[Outline]:
            cuff = ankle[0] * (1 - (CUFF - ANKLE) / SHIN), ankle[1] * (1 - (CUFF - ANKLE) / SHIN)
            # The toes of a foot that is swung hang down.
            sine, cosine = sense * 0.5 * sin(pi * swung), cos(0.5 * sin(pi * swung))
            shoe = [
                ([(ankle[0] + cosine * a + sine * b, ankle[1] + cosine * b - sine * a) for a, b in points], tint)
                for points, tint in _shoe(sense * pi / 2, shade(INK, tone))
            ]
            return [*shoe, *_limb((0, 0), cuff, 0.044, 0.037, colour)]

        key = share, sense, tone, sunk
        thigh = self._part((0, hip), ("thigh", *key), lambda: _limb((0, 0), bent, 0.056, 0.044, colour))
        return [thigh, self._part((knee[0], hip + knee[1]), ("shin", *key), draw_shin)]

    def _trunk(self, yaw: float, sunk: int = 0) -> list[Limb]:
        """Torso, rucksack and head, so many pixels lower than when standing upright."""
        names, yaw = ["torso", "head"], atan2(*_seen(yaw))
        if self.build.rucksack is not None:
            names.insert(0 if cos(yaw) > 1e-9 else 1, "rucksack")
        draw = {"torso": _torso, "head": _head, "rucksack": _rucksack}
        return [self._part((0, sunk), (name, *_seen(yaw)), partial(draw[name], self.build, yaw)) for name in names]


@lru_cache(maxsize=64)
def _limbs(build: Build, pixels: float) -> Limbs:
    """The limbs that were drawn of people of one look and size, for all scenes that they are in."""
    return {}


# ---------------------------------------------------------------------------------------------------- outlines


def _quantised(angle: float) -> int:
    return round(angle / STEP) * STEP % 360


def _seen(yaw: float) -> tuple[float, float]:
    """What tells two turns apart that look unlike: all that may decide what is drawn of one."""
    return round(sin(yaw), 9) + 0.0, round(cos(yaw), 9) + 0.0


def _ahead(angle: float, length: float) -> Point:
    """So far from a joint at this angle."""
    return length * sin(radians(angle)), length * cos(radians(angle))


def _triangle(across: float, down: float, first: float, second: float) -> tuple[float, float, float]:
    """Two links that end there: the direction of the end from straight down, how much the first is bent from it, and
    how far off it is, no farther than they reach.
    """
    far = min(first + second - 1e-9, max(abs(second - first) + 1e-9, hypot(across, down)))
    return atan2(across, down), acos((first**2 + far**2 - second**2) / (2 * first * far)), far


def _oval(x: float, y: float, across: float, down: float, square: float = 1.0) -> list[Point]:
    """An ellipse by its centre and half its sides; below 1, `square` makes it a box with round corners."""
    turns = [2 * pi * (n + 0.5) / 40 for n in range(40)]
    return [
        (
            x + copysign(across * abs(cos(turn)) ** square, cos(turn)),
            y + copysign(down * abs(sin(turn)) ** square, sin(turn)),
        )
        for turn in turns
    ]


def _capsule(start: Point, end: Point, first: float, last: float | None = None, butt: bool = False) -> list[Point]:
    """A line with ends of these radii, round ones or, with `butt`, a cut one at the start."""
    ahead = atan2(end[1] - start[1], end[0] - start[0])
    turns = [ahead + pi * (n / 8 - 0.5) for n in range(9)]
    last = first if last is None else last
    return [
        *((end[0] + last * cos(turn), end[1] + last * sin(turn)) for turn in turns),
        *((start[0] - first * cos(turn), start[1] - first * sin(turn)) for turn in (turns[::8] if butt else turns)),
    ]


def _limb(start: Point, end: Point, first: float, last: float, colour: Colour, *, seam: bool = False) -> list[Outline]:
    """A limb with a rim, but for its start, unless it has a seam there: two that meet in a joint look like one."""
    rim = _capsule(start, end, first, last, butt=not seam)
    return [(rim, shade(colour, 0.6)), (_capsule(start, end, first - RIM, last - RIM), colour)]


def _shoe(yaw: float, colour: Colour = INK) -> list[Outline]:
    """From the ankle."""
    half, middle = hypot(0.044 * cos(yaw), 0.064 * sin(yaw)), 0.03 * sin(yaw)
    shoe = [(x, min(y, ANKLE)) for x, y in _oval(middle, ANKLE, half, 0.048)]
    heel = [(x, min(y, ANKLE)) for x, y in _oval(middle - 0.014 * sin(yaw), ANKLE, half * 0.75, 0.06)]
    return [(heel, colour), (shoe, colour), (_oval(middle, ANKLE - 0.005, half, 0.005, 0.2), shade(colour, 2.2))]


def _torso(build: Build, yaw: float) -> list[Outline]:
    """From the point on the ground."""

    def outline(inset: float) -> list[Point]:
        half = [
            (hypot(wide * cos(yaw), deep * sin(yaw)) - inset, min(-high + inset, -TORSO[-1][0] - inset))
            for high, wide, deep in TORSO
        ]
        return [*half, *((-across, down) for across, down in reversed(half))]

    shapes = [(outline(0), shade(build.shirt, 0.6)), (outline(RIM), build.shirt)]
    if build.rucksack is not None and cos(yaw) > 0.05:
        for aside in (-0.075 * cos(yaw), 0.075 * cos(yaw)):
            top, bottom = (aside + 0.03 * sin(yaw), -0.79), (aside + 0.05 * sin(yaw), -0.63)
            shapes.append((_capsule(top, bottom, 0.006 + 0.007 * cos(yaw)), shade(build.rucksack, 0.75)))
    return shapes


def _rucksack(build: Build, yaw: float) -> list[Outline]:
    """From the point on the ground."""
    colour = build.rucksack or INK
    half, middle = hypot(0.092 * cos(yaw), 0.05 * sin(yaw)), -0.095 * sin(yaw)
    shapes = [
        (_oval(middle, -0.64, half - inset, 0.14 - inset, 0.4), tint)
        for inset, tint in ((0, shade(colour, 0.6)), (RIM, colour))
    ]
    if cos(yaw) < -0.05:
        shapes.append((_oval(middle - 0.02 * sin(yaw), -0.585, -0.068 * cos(yaw), 0.055, 0.4), shade(colour, 0.75)))
    return shapes


def _head(build: Build, yaw: float) -> list[Outline]:
    """From the point on the ground: a ball whose features go round with it and vanish behind."""
    yaw = remainder(yaw, 2 * pi)
    ahead, tone = 0.012 * sin(yaw), build.skin

    def at(turn: float, y: float) -> Point:
        """The place on the ball that is turned by so much and so far below its middle."""
        around = sqrt(max(0.0, 1 - (y / HIGH) ** 2))
        return ahead + WIDE * around * sin(min(pi / 2, max(-pi / 2, turn))), y - HEAD

    def between(first: float, last: float, top: float, bottom: float) -> list[Point]:
        levels = [top + (bottom - top) * n / 10 for n in range(11)]
        return [*(at(first, y) for y in levels), *(at(last, y) for y in reversed(levels))]

    shapes = [
        (_capsule((ahead / 2, -0.84), (ahead / 2, -0.815), 0.033), shade(tone, 0.8)),
        (_oval(ahead, -HEAD, WIDE, HIGH), build.hair),
        (between(-pi / 2, pi / 2, 0.07, 0.096), shade(tone, 0.9)),
    ]
    if abs(yaw) < radians(172):
        shapes.append((between(yaw - 1.43, yaw + 1.43, -0.042, 0.096), tone))
    for turn in (remainder(yaw - 1.5, 2 * pi), remainder(yaw + 1.5, 2 * pi)):
        if cos(turn) > -0.1:
            shapes.append((_oval(*at(turn, 0.012), 0.013, 0.02), shade(tone, 0.86)))
    if cos(yaw) > -0.3:
        shapes.append((_oval(ahead + WIDE * sin(yaw), 0.022 - HEAD, 0.01, 0.013), shade(tone, 0.86)))
    for turn in (yaw - 0.42, yaw + 0.42):
        if cos(turn) > 0.12:
            shapes.append((_oval(*at(turn, 0), 0.004 + 0.0075 * cos(turn), 0.0145), INK))
    if cos(yaw) > -0.1:
        upper = [at(yaw + turn, 0.05 + 0.01 * cos(turn * 3)) for turn in (-0.5, -0.25, 0, 0.25, 0.5)]
        shapes.append(([*upper, *((across, down + 0.012) for across, down in reversed(upper))], (150, 58, 58)))
    return shapes
