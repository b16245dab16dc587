"""The board that Number, Circle and Cup share: a tray of square cells with lettered rows and numbered columns."""

from dataclasses import dataclass

from generators.errors import InputError
from generators.rendering.scene import AtlasBuilder, Colour, Placement, Rectangle, Sprite, Text
from generators.settings import Resolution
from simulators.notation import column_label, row_label

MINIMUM_CELL = 14
"""Pixels of the smallest cell whose contents can be read without doubt."""


def even(length: float) -> int:
    """The even number nearest to a length: what starts on an even pixel shares no chroma sample with its neighbour."""
    return 2 * round(length / 2)


@dataclass(frozen=True, slots=True)
class LetteredBoard:
    """Where things are on the canvas, in pixels; `rim` is the tray's edge around its cells, `margin` holds a label."""

    size: int
    cell: int
    rim: int
    margin: int
    left: int
    top: int

    @property
    def tray(self) -> int:
        """The tray's side."""
        return self.cell * self.size + 2 * self.rim

    def point(self, row: float, column: float) -> tuple[float, float]:
        """The middle of a cell, or any point between cells."""
        return self.left + self.rim + (column + 0.5) * self.cell, self.top + self.rim + (row + 0.5) * self.cell

    def placements(self, atlas: AtlasBuilder, tray: Colour, label: Colour, radius: float) -> list[Placement]:
        """The tray, the rows' letters and the columns' numbers."""
        side = self.tray
        bottom = atlas.add(Sprite(side, side, (Rectangle(0, 0, side, side, tray, radius),)))
        placed = [Placement(bottom, self.left + side / 2, self.top + side / 2)]
        for line in range(self.size):
            x, y = self.point(line, line)
            placed.append(Placement(atlas.add(self._label(row_label(line), label)), self.left - self.margin / 2, y))
            placed.append(Placement(atlas.add(self._label(column_label(line), label)), x, self.top - self.margin / 2))
        return placed

    def _label(self, text: str, colour: Colour) -> Sprite:
        margin = self.margin
        return Sprite(margin, margin, (Text(margin / 2, margin / 2, text, margin * 0.62, colour),))


def lettered_board(resolution: Resolution, size: int, rim: float) -> LetteredBoard:
    """The largest board of `size` rows and columns that fits the canvas; `rim` is given in cells."""
    width, height = resolution
    side = min(width, height)
    margin = even(max(10, side * 0.075))
    cell = max(2, even((side - 1.5 * margin) / (size + 2 * rim) - 1))
    edge = even(max(2, rim * cell))
    tray = cell * size + 2 * edge
    left, top = even((width - tray + margin / 2) / 2), even((height - tray + margin / 2) / 2)
    return LetteredBoard(size, cell, edge, margin, left, top)


def check_legible(resolution: Resolution, size: int, rim: float) -> None:
    """Raises InputError where a board of this size would have cells too small to read."""
    cell = lettered_board(resolution, size, rim).cell
    if cell < MINIMUM_CELL:
        side = min(resolution)
        needed = next(more for more in range(side, 4096, 4) if _cell(more, size, rim) >= MINIMUM_CELL)
        raise InputError(
            f"a board of {size} × {size} at {side} pixels has cells of {cell} pixels, too small to read: raise "
            f"--resolution to {needed} or lower --size"
        )


def _cell(side: int, size: int, rim: float) -> int:
    return lettered_board(Resolution(side, side), size, rim).cell
