"""A scene: what to draw, in vector shapes, and where each thing is in any frame. Both painters draw from it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, TypeVar

Colour = tuple[int, int, int]
"""Red, green and blue, 0 to 255 each, in BT.709 display values."""


@dataclass(frozen=True, slots=True)
class Rectangle:
    """An upright rectangle by its top left corner, with rounded corners of `radius` pixels."""

    x: float
    y: float
    width: float
    height: float
    colour: Colour
    radius: float = 0.0


@dataclass(frozen=True, slots=True)
class Ellipse:
    """An ellipse by the top left corner of its bounding box."""

    x: float
    y: float
    width: float
    height: float
    colour: Colour


@dataclass(frozen=True, slots=True)
class Polygon:
    points: tuple[tuple[float, float], ...]
    colour: Colour


@dataclass(frozen=True, slots=True)
class Line:
    """A line through `points`, `width` pixels wide, with round joints."""

    points: tuple[tuple[float, float], ...]
    width: float
    colour: Colour


@dataclass(frozen=True, slots=True)
class Text:
    """Monospaced bold text centred on (x, y); `size` is the height of its em square in pixels."""

    x: float
    y: float
    text: str
    size: float
    colour: Colour


@dataclass(frozen=True, slots=True)
class Grain:
    """Film grain over the whole sprite: black and white specks of random opacity, drawn from `seed`.

    `spread` is the standard deviation of the opacity, out of 255, and `size` the side of a speck in pixels.
    """

    seed: int
    spread: float
    size: int = 1


Shape = Rectangle | Ellipse | Polygon | Line | Text | Grain


@dataclass(frozen=True, slots=True)
class Sprite:
    """A picture of `width` × `height` pixels: shapes painted one over the other on a transparent ground, then parts.

    With `blur`, a standard deviation in pixels, it is softened and reaches beyond its sides by three times as much.
    """

    width: int
    height: int
    shapes: tuple[Shape, ...]
    blur: float = 0.0
    parts: tuple["Part", ...] = ()
    _hash: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        # A sprite is looked up again and again, and may have hundreds of numbers.
        object.__setattr__(self, "_hash", hash((self.width, self.height, self.shapes, self.blur, self.parts)))

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> tuple[type["Sprite"], tuple[object, ...]]:
        # Texts have another hash in another process.
        return Sprite, (self.width, self.height, self.shapes, self.blur, self.parts)


class Part(NamedTuple):
    """A sprite within a larger one, with its top left corner at (x, y).

    Those of many sprites that share a part, such as the arms of a person's poses, are drawn in a fraction of the time.
    """

    sprite: Sprite
    x: int
    y: int


def flattened(sprite: Sprite) -> Sprite:
    """The same sprite of shapes alone."""
    if not sprite.parts:
        return sprite
    shapes = [moved(shape, x, y) for part, x, y in sprite.parts for shape in flattened(part).shapes]
    return replace(sprite, shapes=(*sprite.shapes, *shapes), parts=())


ShapeT = TypeVar("ShapeT", bound=Shape)


def moved(shape: ShapeT, right: float, down: float) -> ShapeT:
    """A shape so many pixels farther to the right and down. Grain is everywhere, and stays."""
    if isinstance(shape, Polygon | Line):
        return replace(shape, points=tuple([(x + right, y + down) for x, y in shape.points]))
    return shape if isinstance(shape, Grain) else replace(shape, x=shape.x + right, y=shape.y + down)


QUANTISER = 18
"""The constant quantiser of clips in most looks, at which coding is hardly seen."""


class Placement(NamedTuple):
    """One sprite in one frame: `sprite` indexes the scene's atlas, (x, y) is its centre in canvas pixels.

    `angle` is in degrees, clockwise; `opacity` runs from 0 to 1; larger depths are painted later, equal ones in order.
    """

    sprite: int
    x: float
    y: float
    angle: float = 0.0
    scale: float = 1.0
    opacity: float = 1.0
    depth: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """A whole clip: canvas, frame rate, number of frames, the atlas, and the placements of any frame.

    `quantiser` is how coarsely it is encoded, as x264's constant quantiser.

    `spans[i]` is `[first, end)` in frames of operation or event i, and `moments[i]` the frame that shows it best, where
    that is not the middle one; it can be told in the frames `seen[i]`, `[first, end)`, where those are not its span. At
    `cuts` the picture changes at once; there a video has key frames, so that nothing of
    what was shown before is left in what follows. `placements(frame)` must depend on `frame` alone;
    it may return the same object for frames that look the same, which spares the painter a comparison.
    """

    width: int
    height: int
    fps: int
    frames: int
    background: Colour
    sprites: tuple[Sprite, ...]
    placements: Callable[[int], Sequence[Placement]]
    spans: tuple[tuple[int, int], ...]
    cuts: tuple[int, ...] = ()
    moments: tuple[int, ...] = ()
    seen: tuple[tuple[int, int], ...] = ()
    quantiser: int = QUANTISER


def ease(progress: float) -> float:
    """Smoothstep: 0 to 1 with zero speed at both ends; values outside 0 to 1 are clamped."""
    progress = min(1.0, max(0.0, progress))
    return progress * progress * (3.0 - 2.0 * progress)


class AtlasBuilder:
    """Collects the sprites of a scene and gives each its index; an equal sprite gets the index it already has."""

    def __init__(self) -> None:
        self._indices: dict[Sprite, int] = {}

    def add(self, sprite: Sprite) -> int:
        return self._indices.setdefault(sprite, len(self._indices))

    @property
    def sprites(self) -> tuple[Sprite, ...]:
        return tuple(self._indices)
