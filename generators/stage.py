"""What the scenes of pairs share: a canvas in units that do not depend on its size, and colours that have names."""

from dataclasses import dataclass
from random import Random

from generators.rendering.scene import Colour
from generators.settings import Resolution

COLOURS: dict[str, Colour] = {
    "red": (206, 52, 46),
    "blue": (42, 98, 190),
    "green": (46, 146, 74),
    "yellow": (238, 190, 40),
    "purple": (126, 66, 156),
    "orange": (232, 126, 34),
    "pink": (236, 130, 168),
    "brown": (126, 82, 48),
}
"""Colours that nobody takes for one another, by the names that prompts call them."""

Look = tuple[Colour, Colour]
"""The ground and a darker tone for what stands still: table, frame, rail."""

LOOKS: tuple[Look, ...] = (
    ((244, 241, 234), (96, 88, 80)),
    ((228, 236, 242), (84, 96, 108)),
    ((236, 240, 228), (92, 100, 80)),
    ((242, 232, 232), (108, 84, 88)),
    ((232, 230, 240), (88, 84, 108)),
)

INK: Colour = (44, 40, 38)
PAPER: Colour = (252, 251, 247)


def some_colours(random: Random, number: int, without: str = "") -> list[str]:
    """The names of so many different colours, of all but one that would be hard to see where they are."""
    return random.sample([name for name in sorted(COLOURS) if name != without], number)


def a(name: str) -> str:
    """A name with the article it takes: a red, an orange."""
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


def shade(colour: Colour, factor: float) -> Colour:
    """A darker (below 1) or lighter (above 1) tone."""
    if factor <= 1:
        red, green, blue = (round(part * factor) for part in colour)
    else:
        red, green, blue = (round(255 - (255 - part) / factor) for part in colour)
    return red, green, blue


@dataclass(frozen=True, slots=True)
class Stage:
    """A square of 100 × 100 units in the middle of the canvas; the unit is a whole number of pixels or near one."""

    resolution: Resolution

    @property
    def unit(self) -> float:
        """Pixels of one unit."""
        return min(self.resolution) / 100

    def length(self, units: float) -> int:
        """A length in whole pixels, at least one."""
        return max(1, round(units * self.unit))

    def even(self, units: float) -> int:
        """A length in whole pixels that is even, at least two."""
        return max(2, 2 * round(units * self.unit / 2))

    def point(self, x: float, y: float) -> tuple[float, float]:
        """A point of the square, from its top left corner, in canvas pixels: whole ones, so that edges stay sharp."""
        left, top = ((side - min(self.resolution)) / 2 for side in self.resolution)
        return float(round(left + x * self.unit)), float(round(top + y * self.unit))
