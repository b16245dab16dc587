"""Things to draw in a scene, described in the units of a stage: pictures from shapes, boxes and discs with a rim."""

from dataclasses import replace

from generators.rendering.scene import (
    AtlasBuilder,
    Colour,
    Ellipse,
    Line,
    Part,
    Placement,
    Polygon,
    Rectangle,
    Shape,
    Sprite,
)
from generators.stage import Stage, shade

RIM = 0.6
"""How wide a rim is, in units."""


class Props:
    """Sprites of a stage. Sizes and places are in its units, and every edge falls on a whole pixel."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.atlas = AtlasBuilder()

    def picture(self, width: float, height: float, *shapes: Shape) -> int:
        """A sprite of this size from shapes whose places count from its top left corner."""
        sides = self.stage.even(width), self.stage.even(height)
        factors = sides[0] / width, sides[1] / height
        return self.atlas.add(Sprite(*sides, tuple(_scaled(shape, *factors) for shape in shapes)))

    def box(self, width: float, height: float, colour: Colour, radius: float = 0.0) -> int:
        return self.picture(width, height, *rimmed(Rectangle(0, 0, width, height, colour, radius)))

    def disc(self, width: float, height: float, colour: Colour) -> int:
        return self.picture(width, height, *rimmed(Ellipse(0, 0, width, height, colour)))

    def joined(self, *parts: tuple[int, float, float]) -> tuple[int, float, float]:
        """One sprite of several that keep together, each with its centre so far off a point, in the order of painting.

        And how far off the point its own centre is. To paint one takes a fraction of the time that its parts take.
        """
        sprites, unit = self.atlas.sprites, self.stage.unit
        placed = [(sprites[sprite], round(dx * unit), round(dy * unit)) for sprite, dx, dy in parts]
        left = min(x - sprite.width // 2 for sprite, x, _ in placed)
        top = min(y - sprite.height // 2 for sprite, _, y in placed)
        # Even sides, as all pictures have.
        width = -(-max(x + sprite.width // 2 - left for sprite, x, _ in placed) // 2) * 2
        height = -(-max(y + sprite.height // 2 - top for sprite, _, y in placed) // 2) * 2
        together = tuple(
            [Part(sprite, x - sprite.width // 2 - left, y - sprite.height // 2 - top) for sprite, x, y in placed]
        )
        index = self.atlas.add(Sprite(width, height, (), parts=together))
        return index, (left + width // 2) / unit, (top + height // 2) / unit

    def put(
        self, sprite: int, x: float, y: float, dx: float = 0.0, dy: float = 0.0, *, opacity: float = 1.0, depth: int = 0
    ) -> Placement:
        """The sprite with its centre (dx, dy) off (x, y): what moves as one has the same (x, y) and keeps together."""
        left, top = self.stage.point(x, y)
        unit = self.stage.unit
        return Placement(sprite, left + round(dx * unit), top + round(dy * unit), opacity=opacity, depth=depth)


def rimmed(shape: Rectangle | Ellipse, rim: float = RIM) -> tuple[Shape, Shape]:
    """The shape with a darker rim inside its edge."""
    inner = replace(shape, x=shape.x + rim, y=shape.y + rim, width=shape.width - 2 * rim, height=shape.height - 2 * rim)
    if isinstance(inner, Rectangle):
        inner = replace(inner, radius=max(0.0, inner.radius - rim))
    return replace(shape, colour=shade(shape.colour, 0.6)), inner


def _scaled(shape: Shape, across: float, down: float) -> Shape:
    if isinstance(shape, Rectangle):
        radius = shape.radius * min(across, down)
        return Rectangle(
            shape.x * across, shape.y * down, shape.width * across, shape.height * down, shape.colour, radius
        )
    if isinstance(shape, Ellipse):
        return Ellipse(shape.x * across, shape.y * down, shape.width * across, shape.height * down, shape.colour)
    if isinstance(shape, Polygon):
        return replace(shape, points=tuple((x * across, y * down) for x, y in shape.points))
    if isinstance(shape, Line):
        points = tuple((x * across, y * down) for x, y in shape.points)
        return replace(shape, points=points, width=shape.width * min(across, down))
    raise TypeError(f"pictures are made of plain shapes, not of {type(shape).__name__}")
