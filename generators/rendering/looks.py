"""Looks: the same scene in other pixels. Plans, prompts and keys stay what they are.

A look is drawn from a random stream of its own, so that no other decision depends on it. What is looked for stays in
view and above everything that a look adds, but for grain, which is faint.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import pi, sin
from random import Random
from typing import Literal, get_args

from generators.randomness import stream
from generators.rendering.scene import (
    AtlasBuilder,
    Colour,
    Ellipse,
    Grain,
    Line,
    Placement,
    Polygon,
    Rectangle,
    Scene,
    Shape,
    Sprite,
    Text,
)

Look = Literal["plain", "paper", "dark", "textured", "cluttered", "handheld", "noisy", "lit"]
LOOK_NAMES: tuple[Look, ...] = get_args(Look)
LookChoice = Literal["plain", "paper", "dark", "textured", "cluttered", "handheld", "noisy", "lit", "random"]

BELOW, ABOVE = -1_000, 1_000
"""Depths of what a look puts below and above everything else."""


def look_of(choice: LookChoice, item_id: str) -> Look:
    """The look of an item: the one that was chosen, or one drawn for it."""
    return _stream(item_id).choice(LOOK_NAMES) if choice == "random" else choice


def dressed(scene: Scene, choice: LookChoice, item_id: str) -> Scene:
    """The scene in a look; both clips of a pair get the same, frame by frame."""
    look = look_of(choice, item_id)
    return DRESSES[look](scene, _stream(item_id, look)) if look != "plain" else scene


def _stream(item_id: str, *name: str) -> Random:
    return stream(0, "look", item_id, *name)


# ---------------------------------------------------------------------------------------------------- adding to a scene

Added = Callable[[int], Sequence[Placement]]


def _with(scene: Scene, atlas: AtlasBuilder, added: Added) -> Scene:
    """The scene with more placements, which may be the same object for frames in which they are the same."""
    last: tuple[Sequence[Placement], Sequence[Placement], list[Placement]] | None = None

    def placements(frame: int) -> Sequence[Placement]:
        nonlocal last
        own, more = scene.placements(frame), added(frame)
        if last is None or last[0] is not own or last[1] is not more:
            last = own, more, [*more, *own]
        return last[2]

    return replace(scene, sprites=atlas.sprites, placements=placements)


def _atlas(scene: Scene) -> AtlasBuilder:
    """A builder that holds the scene's sprites under the numbers that they have."""
    atlas = AtlasBuilder()
    for sprite in scene.sprites:
        atlas.add(sprite)
    return atlas


def _tiled(scene: Scene, tile: Sprite) -> Scene:
    """The scene on a ground of equal tiles."""
    atlas = _atlas(scene)
    number = atlas.add(tile)
    tiles = [
        Placement(number, left + tile.width / 2, top + tile.height / 2, depth=BELOW)
        for top in range(0, scene.height, tile.height)
        for left in range(0, scene.width, tile.width)
    ]
    return _with(scene, atlas, lambda frame: tiles)


def _tone(colour: Colour, change: float) -> Colour:
    """A colour with so many levels added to each part."""
    red, green, blue = (round(min(255, max(0, part + change))) for part in colour)
    return red, green, blue


TILE = 128
"""Pixels of a tile's side."""

# ---------------------------------------------------------------------------------------------------- the looks


def _paper(scene: Scene, random: Random) -> Scene:
    """A warm sheet with fibres and flecks."""
    warm = _mixed(scene.background, (246, 234, 206), 0.6)
    shapes: list[Shape] = [Rectangle(0, 0, TILE, TILE, warm)]
    for _ in range(26):
        x, y, slope = random.uniform(4, TILE - 14), random.uniform(4, TILE - 4), random.uniform(-3, 3)
        tone = _tone(warm, random.choice([-14, -9, 7]))
        shapes.append(Line(((x, y), (x + random.uniform(4, 10), y + slope)), 0.8, tone))
    return _tiled(replace(scene, background=warm), Sprite(TILE, TILE, tuple(shapes)))


def _dark(scene: Scene, random: Random) -> Scene:
    """A dark room. Things keep their colours, which have names; only what is written or drawn in ink turns light."""
    ground = _tone(scene.background, DARK_GROUND - sum(scene.background) / 3)
    return replace(scene, background=ground, sprites=tuple(map(_in_the_dark, scene.sprites)))


DARK_GROUND = 30
"""Mean level of a dark ground."""


def _in_the_dark(sprite: Sprite) -> Sprite:
    """The sprite, lighter where all of it is as dark as the ground: else it could not be seen there."""
    colours = [shape.colour for shape in sprite.shapes if not isinstance(shape, Grain)]
    if not colours or any(max(colour) > 130 or max(colour) - min(colour) > 40 for colour in colours):
        return sprite
    is_ink = all(isinstance(shape, Text | Line | Polygon) for shape in sprite.shapes)
    is_lost = max(max(colour) for colour in colours) < 62 and not any(isinstance(s, Ellipse) for s in sprite.shapes)
    lift = 150 if is_ink else 62 if is_lost else 0
    shapes = [
        shape if isinstance(shape, Grain) else replace(shape, colour=_tone(shape.colour, lift))
        for shape in sprite.shapes
    ]
    return replace(sprite, shapes=tuple(shapes))


def _textured(scene: Scene, random: Random) -> Scene:
    """A patterned ground: stripes, checks, dots or hatching, faint enough to read everything on it."""
    ground = scene.background
    tone = _tone(ground, -13 if sum(ground) > 380 else 13)
    shapes: list[Shape] = [Rectangle(0, 0, TILE, TILE, ground)]
    kind, step = random.choice(["stripes", "checks", "dots", "hatching"]), random.choice([16, 32])
    for place in range(0, TILE, step):
        if kind == "stripes":
            shapes.append(Rectangle(place, 0, step / 2, TILE, tone))
        for other in range(0, TILE, step):
            if kind == "checks" and (place + other) // step % 2:
                shapes.append(Rectangle(place, other, step, step, tone))
            elif kind == "dots":
                shapes.append(Ellipse(place + step / 4, other + step / 4, step / 2, step / 2, tone))
            elif kind == "hatching":
                shapes.append(Line(((place, other + step), (place + step, other)), 1.6, tone))
    return _tiled(scene, Sprite(TILE, TILE, tuple(shapes)))


DISTRACTORS = 7


def _cluttered(scene: Scene, random: Random) -> Scene:
    """Pale things that drift about behind everything else and take part in nothing."""
    atlas, side = _atlas(scene), min(scene.width, scene.height)
    movers: list[tuple[int, float, float, float, float, int]] = []
    for _ in range(DISTRACTORS):
        size = 2 * round(side * random.uniform(0.05, 0.11) / 2) + 2
        tone = _tone(scene.background, random.choice([-34, -26, -20]) if sum(scene.background) > 380 else 26)
        shape = random.choice([_disc, _block, _wedge])(size, tone)
        period = random.uniform(4, 9) * scene.fps
        movers.append(
            (
                atlas.add(Sprite(size, size, shape)),
                random.uniform(0, scene.width),
                random.uniform(0, scene.height),
                random.uniform(0.05, 0.3) * side,
                period,
                random.choice([0, 1]),
            )
        )

    def added(frame: int) -> list[Placement]:
        placed = []
        for sprite, x, y, reach, period, upright in movers:
            shift = round(reach * sin(2 * pi * frame / period))
            at = (round(x), round(y + shift)) if upright else (round(x + shift), round(y))
            placed.append(Placement(sprite, *at, depth=BELOW))
        return placed

    return _with(scene, atlas, added)


def _disc(size: int, colour: Colour) -> tuple[Shape, ...]:
    return (Ellipse(0, 0, size, size, colour),)


def _block(size: int, colour: Colour) -> tuple[Shape, ...]:
    return (Rectangle(0, 0, size, size, colour, size / 6),)


def _wedge(size: int, colour: Colour) -> tuple[Shape, ...]:
    return (Polygon(((size / 2, 0), (size, size), (0, size)), colour),)


@dataclass(frozen=True, slots=True)
class _Camera:
    """Where a hand-held camera looks: a drift of some per cent of the canvas, and a slow zoom in few steps."""

    reach: float
    periods: tuple[float, float, float]
    phases: tuple[float, float, float]

    def __call__(self, frame: int) -> tuple[int, int, float]:
        """(pixels right, pixels down, scale) in a frame. The view is wide enough that nothing ever leaves it."""
        right, down, zoom = (
            sin(2 * pi * (frame / period + phase)) for period, phase in zip(self.periods, self.phases, strict=True)
        )
        return round(self.reach * right), round(self.reach * down), 0.92 + 0.01 * round(1.5 * zoom)


def _handheld(scene: Scene, random: Random) -> Scene:
    """A camera that is not quite still, a little further back, so that nothing ever leaves the picture."""
    side = min(scene.width, scene.height)
    periods = tuple(random.uniform(2.5, 5.0) * scene.fps for _ in range(3))
    camera = _Camera(
        0.02 * side, (periods[0], periods[1], periods[2] * 2), (random.random(), random.random(), random.random())
    )
    middle_x, middle_y = scene.width / 2, scene.height / 2

    def placements(frame: int) -> list[Placement]:
        right, down, scale = camera(frame)
        return [
            one._replace(
                x=middle_x + (one.x - middle_x) * scale + right,
                y=middle_y + (one.y - middle_y) * scale + down,
                scale=round(one.scale * scale, 4),
            )
            for one in scene.placements(frame)
        ]

    return replace(scene, placements=placements)


GRAINS = 8
"""Different patterns of grain, which take turns at random."""


def _noisy(scene: Scene, random: Random) -> Scene:
    """Soft edges and grain that changes with every frame."""
    soft = tuple(replace(sprite, blur=0.9) for sprite in scene.sprites)
    scene = replace(scene, sprites=soft)
    atlas = _atlas(scene)
    grains = [
        atlas.add(Sprite(scene.width, scene.height, (Grain(random.getrandbits(32), GRAIN_LEVELS),)))
        for _ in range(GRAINS)
    ]
    order = [random.choice(grains) for _ in range(scene.frames)]

    def added(frame: int) -> list[Placement]:
        return [Placement(order[frame], scene.width / 2, scene.height / 2, depth=ABOVE)]

    return _with(scene, atlas, added)


GRAIN_LEVELS = 11
"""Standard deviation of the grain's opacity, out of 255."""


def _lit(scene: Scene, random: Random) -> Scene:
    """A lamp from one side: a bright patch on the ground, and a soft shadow behind everything that stands on it."""
    atlas = _atlas(scene)
    side = min(scene.width, scene.height)
    to_left, far = random.choice([-1, 1]), max(2, round(side * 0.012))
    shadows = {}
    for number, sprite in enumerate(scene.sprites):
        if sprite.width * sprite.height < 0.6 * scene.width * scene.height:
            dark = tuple(replace(shape, colour=(20, 18, 16)) for shape in sprite.shapes if not isinstance(shape, Grain))
            shadows[number] = atlas.add(replace(sprite, shapes=dark, blur=far / 2))
    pool = atlas.add(_pool(scene, to_left))
    lamp = Placement(pool, scene.width / 2, scene.height / 2, depth=BELOW)
    last: tuple[Sequence[Placement], list[Placement]] | None = None

    def placements(frame: int) -> Sequence[Placement]:
        nonlocal last
        own = scene.placements(frame)
        if last is None or last[0] is not own:
            cast = [
                one._replace(
                    sprite=shadows[one.sprite],
                    x=one.x - to_left * far,
                    y=one.y + far,
                    opacity=0.3 * one.opacity,
                    depth=BELOW + 1,
                )
                for one in own
                if one.sprite in shadows
            ]
            last = own, [lamp, *cast, *own]
        return last[1]

    return replace(scene, sprites=atlas.sprites, placements=placements)


def _pool(scene: Scene, to_left: int) -> Sprite:
    """The ground as a lamp lights it: brightest near the lamp's side, in steps too small to be seen."""
    ground, steps = scene.background, 10
    shapes: list[Shape] = [Rectangle(0, 0, scene.width, scene.height, _tone(ground, -20))]
    middle_x, middle_y = scene.width * (0.5 + 0.2 * to_left), scene.height * 0.35
    for step in range(steps):
        reach = 0.95 - 0.09 * step
        width, height = 2 * reach * scene.width, 2 * reach * scene.height
        tone = _tone(ground, -20 + 2.5 * (step + 1))
        shapes.append(Ellipse(middle_x - width / 2, middle_y - height / 2, width, height, tone))
    return Sprite(scene.width, scene.height, tuple(shapes))


def _mixed(first: Colour, second: Colour, share: float) -> Colour:
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(first, second, strict=True))
    return red, green, blue


DRESSES: dict[str, Callable[[Scene, Random], Scene]] = {
    "paper": _paper,
    "dark": _dark,
    "textured": _textured,
    "cluttered": _cluttered,
    "handheld": _handheld,
    "noisy": _noisy,
    "lit": _lit,
}
