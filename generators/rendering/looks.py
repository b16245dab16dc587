"""Looks: the same scene in other pixels. Plans, prompts and keys stay what they are.

A look is drawn from a random stream of its own, so that no other decision depends on it. What is looked for stays in
view and above everything that a look adds, but for grain, which is faint.

A certificate of a pair speaks of the plain scene. Looks in `MOVING` change with time even where the plain picture does
not, alike in both clips of a pair, so that there its frames are no permutation of each other once they are drawn.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from math import pi, sin
from random import Random
from typing import get_args

from generators.randomness import stream
from generators.rendering.scene import (
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
    flattened,
)
from generators.settings import Look, LookChoice

LOOK_NAMES: tuple[Look, ...] = get_args(Look)
MOVING: tuple[Look, ...] = ("cluttered", "handheld", "noisy")
"""Looks in which frames differ that are the same in the plain one."""

BELOW, ABOVE = -1_000, 1_000
"""Depths of what a look puts below and above everything else."""

NOISY_QUANTISER = 31
"""How coarsely the noisy look is encoded, for the blocks that a low bit rate shows."""


def look_of(choice: LookChoice, item_id: str) -> Look:
    """The look of an item: the one that was chosen, or one drawn for it."""
    return _stream(item_id).choice(LOOK_NAMES) if choice == "random" else choice


def dressed(scene: Scene, choice: LookChoice, item_id: str) -> Scene:
    """The scene in a look; both clips of a pair get the same, frame by frame."""
    look = look_of(choice, item_id)
    if look == "plain":
        return scene
    return DRESSES[look](replace(scene, sprites=tuple(map(flattened, scene.sprites))), _stream(item_id, look))


def quantisers(choices: Iterable[LookChoice]) -> dict[str, int]:
    """The quantisers, by look, of those that may occur and are not encoded as most are."""
    return {"noisy": NOISY_QUANTISER} if not {"noisy", "random"}.isdisjoint(choices) else {}


def _stream(item_id: str, *name: str) -> Random:
    return stream(0, "look", item_id, *name)


# ---------------------------------------------------------------------------------------------------- adding to a scene

Added = Callable[[int], Sequence[Placement]]


def _with(scene: Scene, sprites: Iterable[Sprite], added: Added) -> Scene:
    """The scene with more sprites, numbered after its own, and with their placements.

    `added` may return the same object for frames in which they are the same.
    """
    last: tuple[Sequence[Placement], Sequence[Placement], list[Placement]] | None = None

    def placements(frame: int) -> Sequence[Placement]:
        nonlocal last
        own, more = scene.placements(frame), added(frame)
        if last is None or last[0] is not own or last[1] is not more:
            last = own, more, [*more, *own]
        return last[2]

    return replace(scene, sprites=(*scene.sprites, *sprites), placements=placements)


def _tiled(scene: Scene, tile: Sprite) -> Scene:
    """The scene on a ground of equal tiles."""
    tiles = [
        Placement(len(scene.sprites), left + tile.width / 2, top + tile.height / 2, depth=BELOW)
        for top in range(0, scene.height, tile.height)
        for left in range(0, scene.width, tile.width)
    ]
    return _with(scene, [tile], lambda frame: tiles)


def _tone(colour: Colour, change: float) -> Colour:
    """A colour with so many levels added to each part."""
    red, green, blue = (round(min(255, max(0, part + change))) for part in colour)
    return red, green, blue


def _mixed(first: Colour, second: Colour, share: float) -> Colour:
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(first, second, strict=True))
    return red, green, blue


def _on_ground(scene: Scene, ground: Colour) -> Scene:
    """The scene on a ground of another colour, which also shows where holes are drawn in the colour of the ground."""

    def grounded(sprite: Sprite) -> Sprite:
        return replace(sprite, shapes=tuple(map(shaded, sprite.shapes)))

    def shaded(shape: Shape) -> Shape:
        return shape if isinstance(shape, Grain) or shape.colour != scene.background else replace(shape, colour=ground)

    return replace(scene, background=ground, sprites=tuple(map(grounded, scene.sprites)))


def _is_light(scene: Scene) -> bool:
    return sum(scene.background) > 380


def _tile_side(scene: Scene) -> int:
    """Pixels of a tile's side, a quarter of the canvas."""
    return max(16, min(scene.width, scene.height) // 16 * 4)


# ---------------------------------------------------------------------------------------------------- the looks


VARIANTS = 8
"""Different sheets of paper."""


def _paper(scene: Scene, random: Random) -> Scene:
    """A warm sheet with fibres and flecks; a dark ground becomes a dark sheet, on which light things stay readable."""
    side = _tile_side(scene)
    warm = _mixed(scene.background, *(((246, 234, 206), 0.6) if _is_light(scene) else ((96, 80, 58), 0.35)))
    shapes: list[Shape] = [Rectangle(0, 0, side, side, warm)]
    # One of a few sheets, as everything large that a look adds, so that painters need keep only these.
    fibres = stream(0, "look", "paper", random.randrange(VARIANTS))
    for _ in range(26):
        x, y = fibres.uniform(0.03, 0.89) * side, fibres.uniform(0.03, 0.97) * side
        length, slope = fibres.uniform(0.03, 0.08) * side, fibres.uniform(-0.024, 0.024) * side
        tone = _tone(warm, fibres.choice([-14, -9, 7]))
        shapes.append(Line(((x, y), (x + length, y + slope)), side / 160, tone))
    return _tiled(_on_ground(scene, warm), Sprite(side, side, tuple(shapes)))


def _dark(scene: Scene, random: Random) -> Scene:
    """A dark room. Things keep their colours, which have names; only what is written or drawn in ink turns light."""
    ground = _tone(scene.background, DARK_GROUND - sum(scene.background) / 3)
    scene = replace(scene, sprites=tuple(map(_in_the_dark, scene.sprites)))
    return _on_ground(scene, ground)


DARK_GROUND = 26
"""Mean level of a dark ground."""


def _in_the_dark(sprite: Sprite) -> Sprite:
    """The sprite, lighter where it is as dark as the ground: all of it where it is ink, else what lies at its bottom.

    What is made of nothing but ellipses stays: a black piece is called black.
    """
    inked = [shape for shape in sprite.shapes if not isinstance(shape, Grain)]
    if not inked or all(isinstance(shape, Ellipse) for shape in inked):
        return sprite
    is_ink = all(isinstance(shape, Text | Line | Polygon) and _is_grey(shape.colour, 130) for shape in inked)
    is_all_dark = all(_is_grey(shape.colour, 62) for shape in inked)
    lifted = [
        replace(shape, colour=_tone(shape.colour, 150 if is_ink else 62))
        if is_ink or is_all_dark or (number == 0 and _is_grey(shape.colour, 62))
        else shape
        for number, shape in enumerate(inked)
    ]
    return replace(sprite, shapes=tuple(lifted))


def _is_grey(colour: Colour, lightest: int) -> bool:
    """Whether a colour is nearly grey and no lighter than this."""
    return max(colour) <= lightest and max(colour) - min(colour) <= 40


def _textured(scene: Scene, random: Random) -> Scene:
    """A patterned ground: stripes, checks, dots or hatching, faint enough to read everything on it."""
    side, ground = _tile_side(scene), scene.background
    tone = _tone(ground, -13 if _is_light(scene) else 13)
    shapes: list[Shape] = [Rectangle(0, 0, side, side, ground)]
    kind, times = random.choice(["stripes", "checks", "dots", "hatching"]), random.choice([8, 4])
    step = side / times
    for row in range(times):
        place = row * step
        if kind == "stripes":
            shapes.append(Rectangle(place, 0, step / 2, side, tone))
        for column in range(times):
            other = column * step
            if kind == "checks" and (row + column) % 2:
                shapes.append(Rectangle(place, other, step, step, tone))
            elif kind == "dots":
                shapes.append(Ellipse(place + step / 4, other + step / 4, step / 2, step / 2, tone))
            elif kind == "hatching":
                shapes.append(Line(((place, other + step), (place + step, other)), side / 80, tone))
    return _tiled(scene, Sprite(side, side, tuple(shapes)))


DISTRACTORS = 7


def _cluttered(scene: Scene, random: Random) -> Scene:
    """Pale things that drift about behind everything else and take part in nothing."""
    side = min(scene.width, scene.height)
    sprites: list[Sprite] = []
    movers: list[tuple[float, float, float, float, int]] = []
    for _ in range(DISTRACTORS):
        size = 2 * round(side * random.uniform(0.05, 0.11) / 2) + 2
        tone = _tone(scene.background, random.choice([-34, -26, -20]) if _is_light(scene) else 26)
        sprites.append(Sprite(size, size, random.choice([_disc, _block, _wedge])(size, tone)))
        period = random.uniform(4, 9) * scene.fps
        at = random.uniform(0, scene.width), random.uniform(0, scene.height)
        movers.append((*at, random.uniform(0.05, 0.3) * side, period, random.choice([0, 1])))

    def added(frame: int) -> list[Placement]:
        placed = []
        for number, (x, y, reach, period, upright) in enumerate(movers, len(scene.sprites)):
            shift = round(reach * sin(2 * pi * frame / period))
            at = (round(x), round(y + shift)) if upright else (round(x + shift), round(y))
            placed.append(Placement(number, *at, depth=BELOW))
        return placed

    return _with(scene, sprites, added)


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
"""Different patterns of grain, the same for all items, which take turns at random."""

GRAIN_HELD = 2
"""Frames that a pattern stays: half the bytes for grain that flickers hardly less."""

GRAIN_LEVELS, GRAIN_SIZE = 14, 1 / 170
"""Standard deviation of the grain's opacity, out of 255, and a speck's side as a share of the canvas's. Finer specks
cost several times as many bytes, or are lost in coding; these take 2 MB or so for 20 seconds at 512 × 512."""


def _noisy(scene: Scene, random: Random) -> Scene:
    """Soft edges, grain that flickers, and a low bit rate."""
    side = min(scene.width, scene.height)
    soft = tuple(replace(sprite, blur=0.0018 * side) for sprite in scene.sprites)
    speck = max(1, round(GRAIN_SIZE * side))
    grains = [Sprite(scene.width, scene.height, (Grain(number, GRAIN_LEVELS, speck),)) for number in range(GRAINS)]
    first, middle = len(scene.sprites), (scene.width / 2, scene.height / 2)
    placed = [[Placement(first + number, *middle, depth=ABOVE)] for number in range(GRAINS)]
    order = [random.choice(placed) for _ in range(0, scene.frames, GRAIN_HELD)]
    soft_scene = replace(scene, sprites=soft, quantiser=NOISY_QUANTISER)
    return _with(soft_scene, grains, lambda frame: order[frame // GRAIN_HELD])


def _lit(scene: Scene, random: Random) -> Scene:
    """A lamp from one side: a bright patch on the ground, and a soft shadow beneath everything that is no writing."""
    side = min(scene.width, scene.height)
    to_left, far = random.choice([-1, 1]), max(2, round(side * 0.012))
    pool, shadows, sprites = len(scene.sprites), dict[int, int](), [_pool(scene, to_left)]
    for number, sprite in enumerate(scene.sprites):
        is_ground = sprite.width * sprite.height >= 0.6 * scene.width * scene.height
        if not is_ground and not all(isinstance(shape, Text | Line | Grain) for shape in sprite.shapes):
            shadows[number] = pool + len(sprites)
            sprites.append(_shadow(sprite, far / 2))
    lamp = Placement(pool, scene.width / 2, scene.height / 2, depth=BELOW)
    last: tuple[Sequence[Placement], list[Placement]] | None = None

    def placements(frame: int) -> Sequence[Placement]:
        nonlocal last
        own = scene.placements(frame)
        if last is None or last[0] is not own:
            lit = [lamp]
            for one in own:
                if one.sprite in shadows:
                    # Less than its share, so that it hardly shows through what is half there.
                    shadow = one._replace(sprite=shadows[one.sprite], opacity=SHADOW * one.opacity**3)
                    lit.append(shadow._replace(x=one.x - to_left * far, y=one.y + far))
                lit.append(one)
            last = own, lit
        return last[1]

    return replace(scene, sprites=(*scene.sprites, *sprites), placements=placements)


SHADOW = 0.3
"""Opacity of a shadow's middle."""


def _shadow(sprite: Sprite, blur: float) -> Sprite:
    dark = tuple(replace(shape, colour=(20, 18, 16)) for shape in sprite.shapes if not isinstance(shape, Grain))
    return replace(sprite, shapes=dark, blur=blur)


def _pool(scene: Scene, to_left: int) -> Sprite:
    """The ground as a lamp lights it: brightest near the lamp's side, in steps too small to be seen."""
    ground, steps = scene.background, 16
    shapes: list[Shape] = [Rectangle(0, 0, scene.width, scene.height, _tone(ground, -20))]
    middle_x, middle_y = scene.width * (0.5 + 0.2 * to_left), scene.height * 0.35
    for step in range(steps):
        reach = 0.95 - 0.9 * step / steps
        width, height = 2 * reach * scene.width, 2 * reach * scene.height
        tone = _tone(ground, -20 + 25 * (step + 1) / steps)
        shapes.append(Ellipse(middle_x - width / 2, middle_y - height / 2, width, height, tone))
    return Sprite(scene.width, scene.height, tuple(shapes))


DRESSES: dict[str, Callable[[Scene, Random], Scene]] = {
    "paper": _paper,
    "dark": _dark,
    "textured": _textured,
    "cluttered": _cluttered,
    "handheld": _handheld,
    "noisy": _noisy,
    "lit": _lit,
}
