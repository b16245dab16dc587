"""Number: a sliding-tile puzzle whose tiles are turned over, so that only the slides and the empty cell are seen."""

import sys
from collections.abc import Mapping, Sequence
from functools import cache
from math import lgamma, log
from random import Random
from typing import ClassVar, Self

from pydantic import Field

from generators.boards import check_legible, even, lettered_board
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
from generators.rendering.scene import AtlasBuilder, Colour, Placement, Rectangle, Scene, Sprite, Text, ease
from generators.sampling import draw_from, random_walk, reveal_of
from generators.settings import HiddenStateSettings, IntegerRange, integer_range
from generators.state_pairs import STATE_PAIR_QUESTIONS, partnered, state_pair
from generators.timeline import timeline
from simulators.notation import DIRECTIONS, MAXIMUM_SIZE, column_label, row_label, write_cell
from simulators.number import MINIMUM_SIZE, WORLD, Board, source

# ---------------------------------------------------------------------------------------------------- settings


class NumberSettings(HiddenStateSettings):
    size: integer_range(MINIMUM_SIZE, MAXIMUM_SIZE) = Field(  # type: ignore[valid-type]
        IntegerRange(4, 4), description="rows and columns of the board, a number or a range such as 2..6"
    )


# ---------------------------------------------------------------------------------------------------- sampling


def sample(settings: NumberSettings, streams: Streams, index: int) -> tuple[Plan, ...]:
    """One plan: a shuffled board and a walk on it that does not end where it began, where that can be avoided."""
    check_legible(settings.resolution, settings.size.high, RIM)
    size = draw_from(settings.size, streams("size"))
    operations = draw_from(settings.ops, streams("operations", "count"))
    start = _shuffled(size, streams("start"))
    random = streams("operations")
    # Without turning back, a 2×2 board goes round and is as it was after every twelfth slide.
    always_returns = size == 2 and operations % 12 == 0
    while True:
        trace = random_walk(WORLD, start, operations, random)
        if trace.end != trace.start or always_returns:
            break
    return (
        {
            "start": WORLD.write_state(trace.start),
            "operations": [WORLD.write_operation(operation) for operation in trace.operations],
            "reveal": reveal_of(settings, index),
        },
    )


def _shuffled(size: int, random: Random) -> Board:
    numbers = list(range(size * size))
    random.shuffle(numbers)
    return Board(tuple(tuple(numbers[row * size : (row + 1) * size]) for row in range(size)))


# ---------------------------------------------------------------------------------------------------- scene

GROUND: Colour = (244, 241, 234)
TRAY: Colour = (74, 68, 62)
FACE: Colour = (250, 222, 160)
FACE_EDGE: Colour = (196, 154, 78)
DIGIT: Colour = (42, 34, 28)
BACK: Colour = (70, 122, 168)
BACK_EDGE: Colour = (38, 74, 110)
BACK_MARK: Colour = (112, 160, 200)
LABEL: Colour = (60, 56, 52)

RIM = 0.06
"""The tray's edge, in cells."""


def scene(plan: Plan, settings: NumberSettings) -> Scene:
    """A tray with lettered rows and numbered columns; tiles slide in it, face up while the state is shown."""
    episode = replay_plan(WORLD, WORDING, plan)
    trace, size = episode.trace, episode.trace.start.size
    timing = timeline(len(trace.operations), episode.reveal, settings)
    layout = lettered_board(settings.resolution, size, RIM)
    cell, centre = layout.cell, layout.point
    side = cell - 2 * max(1, cell // 40)

    atlas = AtlasBuilder()
    fixed = layout.placements(atlas, TRAY, LABEL, layout.rim * 2)
    faces = [atlas.add(_face(number, side)) for number in range(size * size)]
    back = atlas.add(_back(side))
    backs = [back] * size * size

    def tiles(state: Board, looks: Sequence[int], left_out: tuple[int, int] | None = None) -> list[Placement]:
        return [
            Placement(looks[number], *centre(row, column))
            for row, numbers in enumerate(state.rows)
            for column, number in enumerate(numbers)
            if number and (row, column) != left_out
        ]

    @cache
    def standing(finished: int, is_shown: bool) -> list[Placement]:
        return fixed + tiles(trace.states[finished], faces if is_shown else backs)

    @cache
    def around(moving: int) -> list[Placement]:
        """Everything but the tile that operation `moving` moves."""
        state = trace.states[moving]
        return fixed + tiles(state, backs, source(state, trace.operations[moving]))

    def placements(frame: int) -> Sequence[Placement]:
        finished, progress = timing.position(frame)
        if progress == 0.0 or progress == 1.0:
            return standing(finished + int(progress), timing.is_shown(frame))
        row, column = trace.states[finished].blank()
        rows, columns = DIRECTIONS[trace.operations[finished].direction]
        remaining = even(cell * (1.0 - ease(progress)))
        x, y = centre(row, column)
        return [*around(finished), Placement(back, x - columns * remaining, y - rows * remaining)]

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


def _face(number: int, side: int) -> Sprite:
    return _tile(side, FACE, FACE_EDGE, Text(side / 2, side / 2, str(number), side * 0.58, DIGIT))


def _back(side: int) -> Sprite:
    inset = round(side * 0.3)
    mark = Rectangle(inset, inset, side - 2 * inset, side - 2 * inset, BACK_MARK, side * 0.08)
    return _tile(side, BACK, BACK_EDGE, mark)


def _tile(side: int, colour: Colour, edge: Colour, mark: Rectangle | Text) -> Sprite:
    line, radius = max(1, side // 28), side * 0.1
    # The corners show the tray, so that nothing below a tile has to be blended with it.
    corners = Rectangle(0, 0, side, side, TRAY)
    outer = Rectangle(0, 0, side, side, edge, radius)
    inner = Rectangle(line, line, side - 2 * line, side - 2 * line, colour, max(0.0, radius - line))
    return Sprite(side, side, (corners, outer, inner, mark))


# ---------------------------------------------------------------------------------------------------- questions


def rules(episode: Episode) -> str:
    """Every rule a viewer needs, and when the numbers are shown."""
    size = episode.trace.start.size
    last_row, last_column = row_label(size - 1), column_label(size - 1)
    shown = (
        "The numbers are shown only at the start of the video. From then on, before the first operation, all tiles lie "
        "face down in the same places and show the same plain back."
        if episode.reveal == "start"
        else "During the operations all tiles lie face down and show the same plain back. Only after the last "
        "operation, at the end of the video, do they lie face up in the same places and show their numbers."
    )
    return (
        f"The video shows a sliding puzzle: a board of {size} × {size} cells with tiles that are numbered from 1 to "
        f"{size * size - 1}, and one empty cell. Rows are lettered a to {last_row} from top to bottom and columns are "
        f"numbered 1 to {last_column} from left to right; a1 is the top left cell and a2 is the cell to the right of "
        f"it. {shown} The empty cell can be seen all the time.\n\n"
        "In each operation one tile that lies directly above, below, left or right of the empty cell slides into it. "
        "An operation is named after the way the tile travels: left, right, up or down."
    )


WORDING = Wording(
    thing="board",
    rules=rules,
    state_question="Which number {verb} in each cell",
    state_kind="board",
    state_key=WORLD.write_state,
    goal_text=lambda goal: write_answer("board", WORLD.write_goal(goal)),
    how_to_write_state="A board is written row by row from the top, each row from left to right, with 0 for the empty "
    "cell.",
    state_examples="[[1, 2], [3, 4], [5, 0]]",
    operation_examples="up, down, up",
    plan_rule="Any list of operations that ends with exactly this board is right; it need not be the shortest. An "
    "operation that cannot be carried out, because no tile can travel that way into the empty cell, makes the answer "
    "wrong.",
    further=walk_on,
)


class RecallCount(QuestionType):
    """How many tiles travelled one way, and into which cells?"""

    ID: ClassVar[str] = "recall_count"
    LEVEL: ClassVar[int] = 1
    KIND: ClassVar[Kind] = "cells"

    direction: str

    @classmethod
    def draw(cls, episodes: Sequence[Episode], settings: HiddenStateSettings, streams: Streams) -> Self:
        return cls(direction=streams(cls.ID).choice(sorted(set(episodes[0].operations))))

    def check(self, episode: Episode) -> None:
        if self.direction not in episode.operations:
            raise ValueError(f"no tile travels {self.direction!r} in this plan")

    def prompt(self, episode: Episode) -> str:
        return ask(
            episode,
            f"How many times did a tile travel {self.direction}, and into which cell did it slide each time?",
            f"{example('a2, b1, b1')}: one cell for every time a tile travelled {self.direction} (so three cells "
            "for three times). A cell is repeated as often as it happened there. The order of the cells does not "
            "matter.",
        )

    def key(self, episode: Episode) -> list[str]:
        cells = [
            state.blank()
            for state, operation in zip(episode.trace.states, episode.trace.operations, strict=False)
            if operation.direction == self.direction
        ]
        return [write_cell(*cell) for cell in sorted(cells)]


def measures(episodes: Sequence[Episode]) -> Mapping[str, int | float]:
    size = episodes[0].trace.start.size
    return hidden_state_measures(episodes[0], size, lgamma(size * size) / log(2))


def episode(plan: Plan) -> Episode:
    return replay_plan(WORLD, WORDING, plan)


FAMILY = Family(
    name="number",
    version=1,
    summary="A sliding-tile puzzle whose numbers are shown once and then hidden while tiles slide.",
    settings=NumberSettings,
    sample=sample,
    episode=episode,
    scene=scene,
    questions=(
        RecallOrder,
        RecallCount,
        InferState,
        CompareBoards,
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

    main(["number", *sys.argv[1:]])
