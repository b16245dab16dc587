"""Cup: coins under cups that all look alike, two of which swap places again and again."""

import sys
from collections.abc import Mapping, Sequence
from functools import cache
from math import cos, hypot, pi, sin
from random import Random
from typing import Annotated, Any, ClassVar, Self

from pydantic import BeforeValidator, Field, PlainSerializer, ValidationInfo, field_validator

from generators.boards import check_legible, lettered_board
from generators.family import Family, QuestionType
from generators.item import Kind, Plan
from generators.questions import (
    DRIVERS,
    EMPTY,
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
from generators.sampling import draw_from, reveal_of
from generators.settings import HiddenStateSettings, IntegerRange, Limits, integer_range, read_range
from generators.state_pairs import STATE_PAIR_QUESTIONS, partnered, state_pair
from generators.timeline import Timeline, timeline
from simulators.contract import Trace, replay
from simulators.cup import MINIMUM_SIZE, WORLD, Cups, Swap
from simulators.notation import MAXIMUM_SIZE, column_label, read_cell, row_label, write_cell

# ---------------------------------------------------------------------------------------------------- settings

COINS = Limits(1, 50)


def _read_coins(value: Any) -> IntegerRange | None:
    return None if value is None else COINS.check(read_range(value))


class CupSettings(HiddenStateSettings):
    size: integer_range(MINIMUM_SIZE, MAXIMUM_SIZE) = Field(  # type: ignore[valid-type]
        IntegerRange(3, 3), description="rows and columns of the board, a number or a range such as 2..6"
    )
    coins: Annotated[
        IntegerRange | None,
        BeforeValidator(_read_coins),
        PlainSerializer(lambda coins: None if coins is None else str(coins)),
        COINS,
    ] = Field(
        None,
        description="coins on the board, a number or a range such as 2..4, always fewer than cells; where none is "
        "given, a third of the cells",
    )

    @field_validator("coins")
    @classmethod
    def _fits(cls, coins: IntegerRange | None, info: ValidationInfo) -> IntegerRange | None:
        """At least one cup of the smallest board must stand empty."""
        size: IntegerRange | None = info.data.get("size")
        if coins is not None and size is not None and coins.low >= size.low * size.low:
            raise ValueError(
                f"a board of {size.low} × {size.low} takes at most {size.low * size.low - 1} coins, so that one cup "
                "stays empty: allow fewer coins or a larger --size"
            )
        return coins


# ---------------------------------------------------------------------------------------------------- sampling

TELLING_SHARE = 0.5
"""How often a coin's and an empty cup are chosen to swap; else it is any two cups, whatever is under them."""


def sample(settings: CupSettings, streams: Streams, index: int) -> tuple[Plan, ...]:
    """One plan: coins under cups at random and swaps after which they lie elsewhere."""
    check_legible(settings.resolution, settings.size.high, PADDING)
    size = draw_from(settings.size, streams("size"))
    operations = draw_from(settings.ops, streams("operations", "count"))
    coins = _number_of_coins(settings, size, streams("coins"))
    start = _hidden_coins(size, coins, streams("start"))
    trace = _swaps(start, operations, streams("operations"))
    return (
        {
            "start": WORLD.write_state(trace.start),
            "operations": [WORLD.write_operation(operation) for operation in trace.operations],
            "reveal": reveal_of(settings, index),
        },
    )


def _number_of_coins(settings: CupSettings, size: int, random: Random) -> int:
    cells = size * size
    if settings.coins is None:
        return round(cells / 3)
    return draw_from(IntegerRange(settings.coins.low, min(settings.coins.high, cells - 1)), random)


def _hidden_coins(size: int, coins: int, random: Random) -> Cups:
    cells = [1] * coins + [0] * (size * size - coins)
    random.shuffle(cells)
    return Cups(tuple(tuple(cells[row * size : (row + 1) * size]) for row in range(size)))


def _swaps(start: Cups, length: int, random: Random, last: Swap | None = None) -> Trace[Cups, Swap]:
    """`length` swaps that do not end where they began, none of which is the one before it again.

    `last` is the swap before the first. Such swaps always exist, since from any board at least three others are one
    swap away. A board of 10 × 10 has 4,950 legal swaps, so they are drawn and not listed.
    """
    while True:
        operations: list[Swap] = []
        cups, before = start, last
        for _ in range(length):
            swap = before
            while swap == before:
                swap = _swap(cups, random)
            assert swap is not None
            cups, before = WORLD.transition(cups, swap), swap
            operations.append(swap)
        if cups != start:
            return replay(WORLD, start, operations)


def _swap(cups: Cups, random: Random) -> Swap:
    """Two cups, the one that comes first row by row named first."""
    cells = cups.cells()
    if random.random() < TELLING_SHARE:
        one = random.choice([(row, column) for row, column in cells if cups.rows[row][column]])
        other = random.choice([(row, column) for row, column in cells if not cups.rows[row][column]])
    else:
        one, other = random.sample(cells, 2)
    return Swap(min(one, other), max(one, other))


def _swaps_on(episode: Episode, length: int, random: Random) -> Trace[Cups, Swap]:
    """Further swaps from the asked moment."""
    last = episode.trace.operations[-1] if episode.reveal == "start" and episode.trace.operations else None
    return _swaps(episode.asked, length, random, None if last is None else WORLD.normal_form(last))


# ---------------------------------------------------------------------------------------------------- scene

GROUND: Colour = (244, 241, 234)
TRAY: Colour = (52, 58, 70)
PLACE: Colour = (86, 95, 112)
COIN: Colour = (255, 209, 26)
COIN_EDGE: Colour = (122, 84, 0)
COIN_MARK: Colour = (224, 164, 0)
STILL: tuple[Colour, Colour, Colour] = (122, 178, 222), (176, 212, 240), (20, 40, 66)
MOVING: tuple[Colour, Colour, Colour] = (244, 140, 48), (255, 190, 128), (90, 38, 0)
"""A cup's colours: its side, its closed end, its outline."""

LABEL: Colour = (60, 56, 52)

# In parts of a cell's side, downwards from its top where it is a height.
PADDING = 0.24
CUP_WIDTH, CUP_CENTRE, CUP_HEIGHT = 0.60, 0.60, 0.56
COIN_WIDTH, COIN_CENTRE, COIN_HEIGHT = 0.46, 0.74, 0.25
LIFT = 0.33
BULGE = 0.45
"""How far the arcs of two cups that swap stand out on either side of the line between them: each more than half a
cup's width, so that the cups pass beside each other."""

GROWTH = 1.06
LIFTING_SHARE, LIFTING_SECONDS = 0.2, 0.4
"""The cups go up or down within this part of the reveal, and within this time; for the rest of it they are up."""


def scene(plan: Plan, settings: CupSettings) -> Scene:
    """A tray with lettered rows and numbered columns; two cups at a time swap along arcs, lifted but at the reveal."""
    episode = replay_plan(WORLD, WORDING, plan)
    trace, size = episode.trace, episode.trace.start.size
    timing = timeline(len(trace.operations), episode.reveal, settings)
    layout = lettered_board(settings.resolution, size, PADDING)
    cell = layout.cell

    def point(row: float, column: float, down: float) -> tuple[float, float]:
        """In a cell's middle from left to right, `down` from its top."""
        return layout.point(row + down - 0.5, column)

    atlas = AtlasBuilder()
    fixed = layout.placements(atlas, TRAY, LABEL, layout.rim / 2)
    place = atlas.add(_place(cell))
    cells = trace.start.cells()
    fixed += [Placement(place, *point(row, column, 0.5)) for row, column in cells]
    coin, row_of_cups = atlas.add(_coin(cell)), atlas.add(_cups(size, cell, STILL))
    cup, moving = atlas.add(_cups(1, cell, STILL)), atlas.add(_cups(1, round(cell * GROWTH), MOVING))

    # Cups that are not to be seen wait outside the picture. So every list but those of the reveal has the same things
    # at the same places, and the painter sees at once that most of them have not changed.
    outside = (-2.0 * cell, -2.0 * cell)
    resting = [
        *fixed,
        *(Placement(cup, *point(row, column, CUP_CENTRE)) for row, column in cells),
        *[Placement(moving, *outside)] * 2,
    ]

    @cache
    def lifted(part: float) -> list[Placement]:
        """The reveal, with the cups lifted by a part of their way. Nothing else in the scene knows the coins."""
        shown = trace.start if episode.reveal == "start" else trace.end
        coins = [Placement(coin, *point(row, column, COIN_CENTRE)) for row, column in cells if shown.rows[row][column]]
        middle = (size - 1) / 2
        cups = [Placement(row_of_cups, *point(row, middle, CUP_CENTRE - LIFT * part)) for row in range(size)]
        return fixed + coins + cups

    @cache
    def around(swap: int) -> list[Placement]:
        """Everything but the two cups that operation `swap` moves."""
        pair = (trace.operations[swap].first, trace.operations[swap].second)
        standing = resting[len(fixed) : -2]
        return fixed + [
            Placement(cup, *outside) if at in pair else one for at, one in zip(cells, standing, strict=True)
        ]

    @cache
    def arrived(swap: int) -> list[Placement]:
        return [*around(swap), *pair_at(swap, 1.0)]

    def pair_at(swap: int, progress: float) -> list[Placement]:
        """The two moving cups, on half ellipses around the middle between their cells, always opposite each other."""
        (row, column), (other_row, other_column) = trace.operations[swap].first, trace.operations[swap].second
        rows, columns = (other_row - row) / 2, (other_column - column) / 2
        distance = hypot(rows, columns)
        turn = pi * ease(progress)
        along, aside = cos(turn), BULGE * sin(turn) / distance
        away = (columns * aside - rows * along, -rows * aside - columns * along)
        middle = (row + rows, column + columns)
        return [
            Placement(moving, *point(middle[0] + sign * away[0], middle[1] + sign * away[1], CUP_CENTRE))
            for sign in (1, -1)
        ]

    def placements(frame: int) -> Sequence[Placement]:
        if timing.is_shown(frame):
            return lifted(_lifted_part(frame, timing, settings))
        finished, progress = timing.position(frame)
        if progress == 0.0:
            return resting
        return arrived(finished) if progress == 1.0 else [*around(finished), *pair_at(finished, progress)]

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
        # While the cups pass each other they hide where they come from and go to.
        moments=tuple(first + 3 * (end - first) // 10 for first, end in timing.spans),
    )


def _lifted_part(frame: int, timing: Timeline, settings: CupSettings) -> float:
    """How far the cups are lifted in a frame of the reveal: fully, but near the end of it that borders on the swaps."""
    shown = timing.shown_until - timing.shown_from
    lifting = min(int(shown * LIFTING_SHARE), round(LIFTING_SECONDS * settings.fps))
    from_the_swaps = timing.shown_until - frame if timing.shown_from == 0 else frame - timing.shown_from + 1
    return ease(from_the_swaps / (lifting + 1))


def _place(cell: int) -> Sprite:
    gap = max(1, cell // 40)
    return Sprite(cell, cell, (Rectangle(gap, gap, cell - 2 * gap, cell - 2 * gap, PLACE, cell * 0.06),))


def _coin(cell: int) -> Sprite:
    width, height = round(COIN_WIDTH * cell), round(COIN_HEIGHT * cell)
    edge, mark = max(1.0, cell * 0.02), height * 0.26
    return Sprite(
        width,
        height,
        (
            Ellipse(0, 0, width, height, COIN_EDGE),
            Ellipse(edge, edge, width - 2 * edge, height - 2 * edge, COIN),
            Ellipse(2 * mark, mark, width - 4 * mark, height - 2 * mark, COIN_MARK),
        ),
    )


def _cups(number: int, cell: int, colours: tuple[Colour, Colour, Colour]) -> Sprite:
    """Cups side by side, turned over: the closed end on top, narrower than the rim that they stand on."""
    width, height = round(CUP_WIDTH * cell), round(CUP_HEIGHT * cell)
    edge = max(1.0, cell * 0.018)
    rim, end = height * 0.24, height * 0.20
    """Heights of the ellipses that are the rim and the closed end, seen from above."""

    def body(left: float, inset: float, colour: Colour) -> tuple[Polygon | Ellipse, ...]:
        right, shoulder = left + width, width * 0.16 + inset
        sides = (
            (left + shoulder, end / 2),
            (right - shoulder, end / 2),
            (right - inset, height - rim / 2),
            (left + inset, height - rim / 2),
        )
        return (
            Polygon(sides, colour),
            Ellipse(left + inset, height - rim + inset, width - 2 * inset, rim - 2 * inset, colour),
            Ellipse(left + shoulder, inset, width - 2 * shoulder, end - 2 * inset, colour),
        )

    side, top, outline = colours
    inset = width * 0.16 + 2 * edge
    shapes = [
        shape
        for left in range(0, number * cell, cell)
        for shape in (
            *body(left, 0.0, outline),
            *body(left, edge, side),
            Ellipse(left + inset, 2 * edge, width - 2 * inset, end - 4 * edge, top),
        )
    ]
    return Sprite((number - 1) * cell + width, height, tuple(shapes))


# ---------------------------------------------------------------------------------------------------- questions


def rules(episode: Episode) -> str:
    """Every rule a viewer needs, and when the coins are shown."""
    size = episode.trace.start.size
    last_row, last_column = row_label(size - 1), column_label(size - 1)
    shown = (
        "Only at the start of the video are the cups lifted to show where the coins lie. Then, before the first "
        "operation, all cups are set down, and they stay on the board to the end."
        if episode.reveal == "start"
        else "During the operations all cups stand on the board. Only after the last operation, at the end of the "
        "video, are they lifted to show where the coins lie."
    )
    return (
        f"The video shows a board of {size} × {size} cells. On each cell stands a cup, upside down; all cups look "
        "alike, and under some of them lies a coin, never more than one. Rows are lettered a to "
        f"{last_row} from top to bottom and columns are numbered 1 to {last_column} from left to right; a1 is the top "
        f"left cell and a2 is the cell to the right of it. {shown}\n\n"
        "In each operation two cups, at any distance from each other, slide along two arcs and swap places; they are "
        "orange until the operation is over. What is under a cup travels with it: a coin ends in the cell in which its "
        "cup ends. An operation is written as the two cells between which the cups swap, as in (a1, b2); which of the "
        "two is named first does not matter. A cup cannot swap with itself."
    )


def _cells_with_coins(cups: Cups) -> list[str]:
    return [write_cell(row, column) for row, column in cups.cells() if cups.rows[row][column]]


WORDING = Wording(
    thing="board",
    rules=rules,
    state_question="At which cells {verb} there a coin under the cup",
    state_kind="cells",
    state_key=_cells_with_coins,
    goal_text=lambda goal: write_answer("cells", _cells_with_coins(goal)),
    how_to_write_state="List every cell with a coin once; the order of the cells does not matter.",
    state_examples="a2, b1",
    operation_examples="(a1, b2), (a2, b1)",
    plan_rule="Any list of swaps that ends with the coins in exactly these cells is right; it need not be the "
    "shortest. A swap that cannot be carried out, because a cell is not on the board or both cells are the same, makes "
    "the answer wrong.",
    further=_swaps_on,
)


class RecallCount(QuestionType):
    """How many swaps involved one cell, and which was the other cell each time?"""

    ID: ClassVar[str] = "recall_count"
    LEVEL: ClassVar[int] = 1
    KIND: ClassVar[Kind] = "cells"

    cell: str

    @classmethod
    def draw(cls, episodes: Sequence[Episode], settings: HiddenStateSettings, streams: Streams) -> Self:
        swaps = episodes[0].trace.operations
        cells = sorted({cell for swap in swaps for cell in (swap.first, swap.second)})
        return cls(cell=write_cell(*streams(cls.ID).choice(cells)))

    def check(self, episode: Episode) -> None:
        if write_cell(*read_cell(self.cell)) != self.cell or not self.key(episode):
            raise ValueError(f"no swap takes in the cup at {self.cell!r} in this plan")

    def prompt(self, episode: Episode) -> str:
        return ask(
            episode,
            f"How many swaps involved the cell {self.cell}, whichever cup stood there at the time, and which was the "
            "other cell each time?",
            f"{example('a2, b1, b1')}: one cell for every swap with {self.cell} (so three cells for three swaps), "
            "namely the other one. A cell is repeated as often as it was the other one. The order of the cells does "
            "not matter.",
        )

    def key(self, episode: Episode) -> list[str]:
        cell = read_cell(self.cell)
        others = [
            swap.second if swap.first == cell else swap.first
            for swap in episode.trace.operations
            if cell in (swap.first, swap.second)
        ]
        return [write_cell(*other) for other in sorted(others)]


class InferCoins(InferState):
    """Where are the coins at the asked moment?"""

    KIND: ClassVar[Kind] = "cells"


class CompareCoins(QuestionType):
    """Which cells hold a coin at the asked moment and held none at the other?"""

    ID: ClassVar[str] = "compare_state"
    LEVEL: ClassVar[int] = 2
    KIND: ClassVar[Kind] = "cells"

    @classmethod
    def draw(cls, episodes: Sequence[Episode], settings: HiddenStateSettings, streams: Streams) -> Self:
        return cls()

    def prompt(self, episode: Episode) -> str:
        other = "the start" if episode.reveal == "start" else "the end"
        return ask(
            episode,
            "Compare the board at the start of the video, before the first operation, with the board at the end, after "
            f"the last operation. At which cells is there a coin under the cup at {episode.short_moment} but not at "
            f"{other}?",
            f"{example('a2, b1')}. List every such cell once; the order of the cells does not matter. If there is "
            f"none, write {example(EMPTY)}.",
        )

    def key(self, episode: Episode) -> list[str]:
        revealed = episode.trace.start if episode.reveal == "start" else episode.trace.end
        before = _cells_with_coins(revealed)
        return [cell for cell in _cells_with_coins(episode.asked) if cell not in before]


class PredictCoins(PredictState):
    """Where would the coins be after further swaps from the asked moment?"""

    KIND: ClassVar[Kind] = "cells"


class BringCoins(PredictOperation):
    """Which swaps bring the coins from where they are at the asked moment to the goal?"""

    def prompt(self, episode: Episode) -> str:
        wording = episode.wording
        return ask(
            episode,
            f"Start from the board as it is at {episode.moment}. Which swaps bring the coins to exactly these cells, "
            f"with no coin in any other: {wording.goal_text(episode.world.read_goal(self.goal))}? {wording.plan_rule}",
            f"{example(wording.operation_examples)}: the swaps in order, with commas between them; or "
            f"{example(EMPTY)} if no swap is needed.",
        )


def measures(episodes: Sequence[Episode]) -> Mapping[str, int | float]:
    start = episodes[0].trace.start
    coins = sum(map(sum, start.rows))
    return hidden_state_measures(episodes[0], start.size, start.size**2) | {"coins": coins}


def episode(plan: Plan) -> Episode:
    return replay_plan(WORLD, WORDING, plan)


FAMILY = Family(
    name="cup",
    version=1,
    summary="Cups that look alike swap places two by two; the coins under some of them are shown once.",
    settings=CupSettings,
    sample=sample,
    episode=episode,
    scene=scene,
    questions=(RecallOrder, RecallCount, InferCoins, CompareCoins, PredictCoins, BringCoins, *STATE_PAIR_QUESTIONS),
    measures=measures,
    asked=asked_skills,
    drivers=DRIVERS,
    world=WORLD,
    pair=state_pair,
    partnered=partnered,
)

if __name__ == "__main__":
    from generators.command import main

    main(["cup", *sys.argv[1:]])
