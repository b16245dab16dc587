"""Circle: a ring walks over covered discs, and the disc that it reaches and those beside it change colour unseen."""

import sys
from collections.abc import Mapping, Sequence
from functools import cache
from math import cos, pi, sin
from random import Random
from typing import ClassVar, Self

from pydantic import Field

from generators.boards import check_legible, lettered_board
from generators.family import Family, QuestionType
from generators.item import Kind, Plan
from generators.questions import (
    DRIVERS,
    CompareBoards,
    Episode,
    InferState,
    PredictOperation,
    PredictState,
    RecallOrder,
    Wording,
    ask,
    asked_skills,
    example,
    hidden_state_measures,
    replay_plan,
    walk_on,
    write_answer,
)
from generators.randomness import Streams
from generators.rendering.scene import (
    AtlasBuilder,
    Colour,
    Ellipse,
    Placement,
    Polygon,
    Rectangle,
    Scene,
    Sprite,
    ease,
)
from generators.sampling import draw_from, random_walk, reveal_of
from generators.settings import HiddenStateSettings, IntegerRange, integer_range
from generators.state_pairs import STATE_PAIR_QUESTIONS, partnered, state_pair
from generators.timeline import timeline
from simulators.circle import MINIMUM_SIZE, WORLD, Pieces, Position
from simulators.notation import DIRECTIONS, MAXIMUM_SIZE, column_label, row_label, write_cell

# ---------------------------------------------------------------------------------------------------- settings


class CircleSettings(HiddenStateSettings):
    size: integer_range(MINIMUM_SIZE, MAXIMUM_SIZE) = Field(  # type: ignore[valid-type]
        IntegerRange(4, 4), description="rows and columns of the board, a number or a range such as 2..6"
    )


# ---------------------------------------------------------------------------------------------------- sampling


def sample(settings: CircleSettings, streams: Streams, index: int) -> tuple[Plan, ...]:
    """One plan: black and white discs at random and a walk of the ring after which they are not as they were."""
    check_legible(settings.resolution, settings.size.high, RIM)
    size = draw_from(settings.size, streams("size"))
    operations = draw_from(settings.ops, streams("operations", "count"))
    start = _scattered(size, streams("start"))
    random = streams("operations")
    while True:
        trace = random_walk(WORLD, start, operations, random)
        if trace.end.pieces != trace.start.pieces:
            break
    return (
        {
            "start": WORLD.write_state(trace.start),
            "operations": [WORLD.write_operation(operation) for operation in trace.operations],
            "reveal": reveal_of(settings, index),
        },
    )


def _scattered(size: int, random: Random) -> Position:
    """A board on which both colours can be seen, and the ring anywhere on it."""
    while True:
        rows = tuple(tuple(random.randrange(2) for _ in range(size)) for _ in range(size))
        if 0 < sum(map(sum, rows)) < size * size:
            return Position(Pieces(rows), (random.randrange(size), random.randrange(size)))


# ---------------------------------------------------------------------------------------------------- scene

GROUND: Colour = (244, 241, 234)
TRAY: Colour = (74, 68, 62)
CELL: Colour = (199, 190, 174)
BLACK: Colour = (20, 20, 22)
BLACK_EDGE: Colour = (0, 0, 0)
WHITE: Colour = (252, 252, 250)
WHITE_EDGE: Colour = (112, 104, 94)
COVER: Colour = (70, 122, 168)
COVER_EDGE: Colour = (38, 74, 110)
RING: Colour = (235, 104, 10)
RING_EDGE: Colour = (92, 36, 0)
LABEL: Colour = (60, 56, 52)

RIM = 0.06
"""The tray's edge, in cells."""

RING_CORNERS = 120


def scene(plan: Plan, settings: CircleSettings) -> Scene:
    """A tray with lettered rows and numbered columns; the ring goes from disc to disc, covered but at the reveal."""
    episode = replay_plan(WORLD, WORDING, plan)
    trace, size = episode.trace, episode.trace.start.pieces.size
    timing = timeline(len(trace.operations), episode.reveal, settings)
    layout = lettered_board(settings.resolution, size, RIM)
    cell, centre = layout.cell, layout.point

    atlas = AtlasBuilder()
    fixed = layout.placements(atlas, TRAY, LABEL, layout.rim * 2)
    white, black = atlas.add(_disc(cell, WHITE, WHITE_EDGE)), atlas.add(_disc(cell, BLACK, BLACK_EDGE))
    cover, ring = atlas.add(_disc(cell, COVER, COVER_EDGE)), atlas.add(_ring(cell))

    covered = fixed + [Placement(cover, *centre(row, column)) for row in range(size) for column in range(size)]

    @cache
    def shown() -> list[Placement]:
        """The board at the reveal. Nothing else in the scene knows the colours."""
        position = trace.start if episode.reveal == "start" else trace.end
        discs = [
            Placement(black if piece else white, *centre(row, column))
            for row, pieces in enumerate(position.pieces.rows)
            for column, piece in enumerate(pieces)
        ]
        return [*fixed, *discs, Placement(ring, *centre(*position.ring))]

    @cache
    def standing(cell: tuple[int, int]) -> list[Placement]:
        return [*covered, Placement(ring, *centre(*cell))]

    def placements(frame: int) -> Sequence[Placement]:
        if timing.is_shown(frame):
            return shown()
        finished, progress = timing.position(frame)
        if progress == 0.0 or progress == 1.0:
            return standing(trace.states[finished + int(progress)].ring)
        row, column = trace.states[finished].ring
        rows, columns = DIRECTIONS[trace.operations[finished].direction]
        way = ease(progress)
        return [*covered, Placement(ring, *centre(row + rows * way, column + columns * way))]

    return Scene(
        width=settings.resolution.width,
        height=settings.resolution.height,
        fps=settings.fps,
        frames=timing.frames,
        background=GROUND,
        sprites=atlas.sprites,
        placements=placements,
        spans=timing.spans,
        cuts=timing.cuts,
    )


def _disc(cell: int, colour: Colour, edge: Colour) -> Sprite:
    """A cell of the tray with a disc in it: opaque, so that it is painted by copying."""
    gap = max(1, cell // 40)
    inner = cell - 2 * gap
    radius, line = cell * 0.30, max(1.0, cell * 0.02)
    return Sprite(
        cell,
        cell,
        (
            Rectangle(0, 0, cell, cell, TRAY),
            Rectangle(gap, gap, inner, inner, CELL, cell * 0.06),
            _round(cell, radius, edge),
            _round(cell, radius - line, colour),
        ),
    )


def _round(cell: int, radius: float, colour: Colour) -> Ellipse:
    corner = cell / 2 - radius
    return Ellipse(corner, corner, 2 * radius, 2 * radius, colour)


def _ring(cell: int) -> Sprite:
    """An open ring just wider than a disc, so that the disc inside it stays in view."""
    middle, half, edge = cell * 0.39, cell * 0.05, max(1.0, cell * 0.016)
    side = 2 * round(middle + half + edge + 1)

    def between(inner: float, outer: float, colour: Colour) -> Polygon:
        """Once around on the outside and back on the inside."""
        turns = [2 * pi * step / RING_CORNERS for step in range(RING_CORNERS + 1)]
        around = [(cos(turn), sin(turn)) for turn in turns]
        path = [(outer, way) for way in around] + [(inner, way) for way in reversed(around)]
        return Polygon(tuple((side / 2 + radius * x, side / 2 + radius * y) for radius, (x, y) in path), colour)

    outline = between(middle - half - edge, middle + half + edge, RING_EDGE)
    return Sprite(side, side, (outline, between(middle - half, middle + half, RING)))


# ---------------------------------------------------------------------------------------------------- questions

COLOURS = ("white", "black")


def rules(episode: Episode) -> str:
    """Every rule a viewer needs, and when the colours are shown."""
    size = episode.trace.start.pieces.size
    last_row, last_column = row_label(size - 1), column_label(size - 1)
    shown = (
        "The colours are shown only at the start of the video. Then, before the first operation, all discs are covered "
        "in the same plain blue, and they stay covered to the end while their colours go on changing unseen."
        if episode.reveal == "start"
        else "During the operations all discs are covered in the same plain blue, and their colours change unseen. "
        "Only after the last operation, at the end of the video, are the covers taken off to show the colours."
    )
    return (
        f"The video shows a board of {size} × {size} cells. In each cell lies a disc that is either black or white, "
        f"and an orange ring stands around one of the discs. Rows are lettered a to {last_row} from top to bottom and "
        f"columns are numbered 1 to {last_column} from left to right; a1 is the top left cell and a2 is the cell to "
        f"the right of it. {shown} The ring can be seen all the time.\n\n"
        "In each operation the ring moves from its cell to the next one. An operation is named after the way the ring "
        "moves: left, right, up or down. When the ring has reached the cell, the disc there and the discs directly "
        "above, below, left and right of it, as far as these lie on the board, change colour: a black disc becomes "
        "white and a white disc becomes black. Diagonal neighbours and all other discs keep their colours. Nothing "
        "changes colour before the first operation: the cell in which the ring stands at the start of the video has "
        "not been reached by an operation. The ring cannot leave the board."
    )


def _in_words(pieces: Pieces) -> list[list[str]]:
    return [[COLOURS[piece] for piece in row] for row in pieces.rows]


WORDING = Wording(
    thing="board",
    rules=rules,
    state_question="Which colour {verb} the disc in each cell",
    state_kind="board",
    state_key=lambda position: _in_words(position.pieces),
    goal_text=lambda goal: write_answer("board", _in_words(goal)),
    how_to_write_state="A board is written row by row from the top, each row from left to right, with the word black "
    "or white for each disc; B and W are understood too.",
    state_examples="[[black, white], [white, white], [black, black]]",
    operation_examples="up, down, up",
    plan_rule="The ring goes on from the cell in which it stands at that moment. Only the colours count: the ring may "
    "end anywhere. Any list of operations that ends with exactly these colours is right; it need not be the shortest. "
    "An operation that cannot be carried out, because the ring would leave the board, makes the answer wrong.",
    further=walk_on,
)


class RecallCount(QuestionType):
    """How many steps did the ring take one way, and into which cells?"""

    ID: ClassVar[str] = "recall_count"
    LEVEL: ClassVar[int] = 1
    KIND: ClassVar[Kind] = "cells"

    direction: str

    @classmethod
    def draw(cls, episodes: Sequence[Episode], settings: HiddenStateSettings, streams: Streams) -> Self:
        return cls(direction=streams(cls.ID).choice(sorted(set(episodes[0].operations))))

    def check(self, episode: Episode) -> None:
        if self.direction not in episode.operations:
            raise ValueError(f"the ring takes no step {self.direction!r} in this plan")

    def prompt(self, episode: Episode) -> str:
        return ask(
            episode,
            f"How many times did the ring move {self.direction}, and into which cell did it move each time?",
            f"{example('a2, b1, b1')}: one cell for every time the ring moved {self.direction} (so three cells for "
            "three times). A cell is repeated as often as it happened there. The order of the cells does not matter.",
        )

    def key(self, episode: Episode) -> list[str]:
        cells = [
            state.ring
            for state, operation in zip(episode.trace.states[1:], episode.trace.operations, strict=True)
            if operation.direction == self.direction
        ]
        return [write_cell(*cell) for cell in sorted(cells)]


class CompareColours(CompareBoards):
    """Which discs differ in colour between start and end, and which colour have they at the asked moment?"""

    def prompt(self, episode: Episode) -> str:
        moment = episode.short_moment
        return ask(
            episode,
            "Compare the board at the start of the video, before the first operation, with the board at the end, after "
            "the last operation. Which discs do not have the same colour at both moments, and which colour do those "
            f"discs have at {moment}? Write the board as it is at {moment}, but put x in place of each disc that has "
            "the same colour at the start and at the end.",
            f"{example('[[x, black], [x, white], [white, x]]')}. {episode.wording.how_to_write_state}",
        )


def measures(episodes: Sequence[Episode]) -> Mapping[str, int | float]:
    size = episodes[0].trace.start.pieces.size
    return hidden_state_measures(episodes[0], size, size * size)


def episode(plan: Plan) -> Episode:
    return replay_plan(WORLD, WORDING, plan)


FAMILY = Family(
    name="circle",
    version=1,
    summary="A ring walks over a board of covered discs and flips the colours of those that it reaches.",
    settings=CircleSettings,
    sample=sample,
    episode=episode,
    scene=scene,
    questions=(
        RecallOrder,
        RecallCount,
        InferState,
        CompareColours,
        PredictState,
        PredictOperation,
        *STATE_PAIR_QUESTIONS,
    ),
    measures=measures,
    asked=asked_skills,
    drivers=DRIVERS,
    world=WORLD,
    pair=state_pair,
    partnered=partnered,
)

if __name__ == "__main__":
    from generators.command import main

    main(["circle", *sys.argv[1:]])
