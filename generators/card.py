"""Card: piles of playing cards in closed boxes; cards are added on top and leave from the bottom, face up."""

import math
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from random import Random
from typing import Any, ClassVar

from pydantic import Field

from generators.containers import CompareContainer, ContainerWording, InferContainer, PredictContainer, RecallWhere
from generators.errors import InputError
from generators.family import Family
from generators.item import Kind, Plan
from generators.questions import (
    DRIVERS,
    Episode,
    PredictOperation,
    RecallOrder,
    asked_skills,
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
    Shape,
    Sprite,
    Text,
    ease,
)
from generators.sampling import draw_from, reveal_of
from generators.settings import HiddenStateSettings, IntegerRange, integer_range
from generators.timeline import timeline
from simulators.card import WORLD, Change, Piles, Table, transition
from simulators.contract import Trace
from simulators.notation import DECK, MAXIMUM_CONTAINERS

# ---------------------------------------------------------------------------------------------------- settings

MAXIMUM_PILE = 8
"""Cards in a pile at any time: as many as stay readable one below the other on a canvas of 224 pixels."""

MAXIMUM_START = 6

MINIMUM_ROWS = 5
"""Rows in a column of open cards; there are more, and they are smaller, where a pile has more cards."""

SPARE_CARDS = 6
"""Cards of the deck that no clip uses: the questions that look ahead add up to this many that were never seen."""


class CardSettings(HiddenStateSettings):
    piles: integer_range(1, MAXIMUM_CONTAINERS) = Field(  # type: ignore[valid-type]
        IntegerRange(2, 2), description="piles on the table, a number or a range such as 1..4"
    )
    cards: integer_range(1, MAXIMUM_START) = Field(  # type: ignore[valid-type]
        IntegerRange(2, 4),
        description=f"cards in each pile at the start (a pile never has more than {MAXIMUM_PILE}), a number or a range",
    )


def _check_deck(settings: CardSettings) -> None:
    """Raises InputError where one deck may not serve the operations.

    With U unused cards and T on the table every operation lowers 2U + T by one: an addition turns an unused card into
    one on the table, and a removed card never comes back. The last step of all could only be an addition undone.
    """
    most = settings.piles.high * settings.cards.high
    limit = 2 * (len(DECK) - SPARE_CARDS - most) + most - 1
    if settings.ops.high > limit:
        raise InputError(
            f"--ops {settings.ops}: with up to {most} cards on the table at the start, the {len(DECK)} cards of the "
            f"deck last for {limit} operations, since a removed card never comes back: lower --ops, --piles or --cards"
        )


# ---------------------------------------------------------------------------------------------------- sampling


def sample(settings: CardSettings, streams: Streams, index: int) -> tuple[Plan, ...]:
    """One plan: piles from a shuffled deck, and a walk that does not end where it began."""
    _check_deck(settings)
    piles = draw_from(settings.piles, streams("piles"))
    operations = draw_from(settings.ops, streams("operations", "count"))
    random = streams("start")
    sizes = [draw_from(settings.cards, random) for _ in range(piles)]
    deck = random.sample(DECK, len(DECK))
    start = Table(Piles(tuple(tuple(deck.pop() for _ in range(size)) for size in sizes)))
    random = streams("operations")
    while True:
        trace = walk(start, operations, random, deck[SPARE_CARDS:])
        if trace.end.piles != trace.start.piles:
            break
    return (
        {
            "start": WORLD.write_state(trace.start),
            "operations": [WORLD.write_operation(operation) for operation in trace.operations],
            "reveal": reveal_of(settings, index),
        },
    )


def walk(
    start: Table, length: int, random: Random, unused: Sequence[str], came_from: Piles | None = None
) -> Trace[Table, Change]:
    """`length` legal operations that add cards of `unused` only, none of which undoes the one before it.

    Where both can be, additions are twice as likely as removals, so that piles last and cards from the start stay.
    Raises InputError where no way on is left.
    """
    deck = random.sample(unused, len(unused))
    states, operations = [start], list[Change]()
    for _ in range(length):
        table = states[-1]
        piles = table.piles.piles
        additions = [
            Change("add", card, index)
            for index, pile in enumerate(piles)
            for card in deck[-1:]
            if len(pile) < MAXIMUM_PILE
        ]
        removals = [Change("remove", card, index) for index, pile in enumerate(piles) for card in pile[-1:]]
        removals = [change for change in removals if transition(table, change).piles != came_from]
        kinds = [changes for changes in (additions, additions, removals) if changes]
        if not kinds:
            raise InputError(f"card: after {len(operations)} operations no card is left to add or to remove")
        change = random.choice(random.choice(kinds))
        if change.verb == "add":
            deck.pop()
        came_from = table.piles
        operations.append(change)
        states.append(transition(table, change))
    return Trace(tuple(states), tuple(operations))


def further(episode: Episode, length: int, random: Random) -> Trace[Table, Change]:
    """Operations that go on from the asked moment; they add only cards that are nowhere in the video."""
    end: Table = episode.trace.end
    seen = {*end.removed, *(card for pile in end.piles.piles for card in pile)}
    came_from = None if episode.came_from is None else episode.came_from.piles
    return walk(episode.asked, length, random, [card for card in DECK if card not in seen], came_from)


# ---------------------------------------------------------------------------------------------------- scene

GROUND: Colour = (46, 104, 82)
PANEL: Colour = (34, 80, 62)
PAPER: Colour = (252, 251, 246)
PAPER_EDGE: Colour = (150, 152, 146)
RED: Colour = (196, 22, 38)
BLACK: Colour = (24, 26, 32)
BOX: Colour = (44, 66, 118)
BOX_EDGE: Colour = (24, 36, 70)
BOX_MARK: Colour = (92, 120, 178)
LABEL: Colour = (246, 243, 230)

COMES_UNTIL, STAYS_UNTIL = 0.22, 0.74
"""The parts of an operation: the card comes into sight, stays face up where it can be read, and goes."""


def scene(plan: Plan, settings: CardSettings) -> Scene:
    """Closed boxes side by side; a card goes in at the top or comes out at the bottom. Open columns show the state."""
    episode = replay_plan(WORLD, WORDING, plan)
    trace = episode.trace
    shown: Piles = trace.start.piles if episode.reveal == "start" else trace.end.piles
    count = len(shown.piles)
    width, height = settings.resolution
    timing = timeline(len(trace.operations), episode.reveal, settings)

    column = min(width / count, height * 0.75)
    stage = min(height, round(column * 4.5))
    top = (height - stage) / 2
    label = max(4.0, min(stage * 0.06, column * 0.28))
    ground_line = top + stage - label * 1.5
    gap = stage * 0.02
    card_height = max(4, round(min(stage * 0.235, column * 1.1)))
    card_width = max(3, round(card_height * 0.72))
    box_width = max(4, round(min(column * 0.9, card_width * 1.24)))
    box_top = top + card_height + 2 * gap
    box_height = max(4, round(ground_line - card_height - 2 * gap - box_top))
    box_middle = box_top + box_height / 2
    above, below = top + gap + card_height / 2, ground_line - gap - card_height / 2

    def middle(pile: int) -> float:
        return width / 2 + (pile - (count - 1) / 2) * column

    atlas = AtlasBuilder()
    names = [
        Placement(atlas.add(_caption(f"pile{pile}", label)), middle(pile), top + stage - label * 0.85)
        for pile in range(count)
    ]
    box = atlas.add(_box(box_width, box_height))
    boxes = [Placement(box, middle(pile), box_middle) for pile in range(count)]
    closed = names + boxes

    @cache
    def opened() -> list[Placement]:
        """Every card of every pile in a column from its top to its bottom."""
        rows = max(MINIMUM_ROWS, *map(len, shown.piles))
        tag = max(4.0, min(stage * 0.045, column * 0.2))
        panel_top, panel_bottom = top + gap, ground_line
        slot = (panel_bottom - panel_top - 3.2 * tag) / rows
        strip_height = max(2, round(slot * 0.9))
        strip_width = max(2, round(min(column * 0.8, strip_height * 2.4)))
        panel_width = max(4, round(min(column * 0.96, max(strip_width * 1.12, tag * 4.2))))
        panel_height = max(4, round(panel_bottom - panel_top))
        panel = atlas.add(
            Sprite(panel_width, panel_height, (Rectangle(0, 0, panel_width, panel_height, PANEL, tag * 0.5),))
        )
        upper, lower, empty = (atlas.add(_caption(text, tag)) for text in ("TOP", "BOTTOM", "empty"))
        listed = list(names)
        for pile, cards in enumerate(shown.piles):
            x, first = middle(pile), panel_top + 1.6 * tag
            listed.append(Placement(panel, x, panel_top + panel_height / 2))
            if not cards:
                listed.append(Placement(empty, x, panel_top + panel_height / 2))
                continue
            listed.append(Placement(upper, x, panel_top + 0.85 * tag))
            listed.append(Placement(lower, x, first + len(cards) * slot + 0.75 * tag))
            for place, card in enumerate(cards):
                listed.append(
                    Placement(atlas.add(_strip(card, strip_width, strip_height)), x, first + (place + 0.5) * slot)
                )
        return listed

    opened()
    faces = [atlas.add(_face(change.card, card_width, card_height)) for change in trace.operations]

    def during(operation: int, y: float) -> list[Placement]:
        return [*names, Placement(faces[operation], middle(trace.operations[operation].pile), y), *boxes]

    @cache
    def staying(operation: int) -> list[Placement]:
        return during(operation, above if trace.operations[operation].verb == "add" else below)

    def placements(frame: int) -> Sequence[Placement]:
        operation, progress = timing.position(frame)
        if progress == 0.0 or progress == 1.0:
            return opened() if timing.is_shown(frame) else closed
        if COMES_UNTIL <= progress <= STAYS_UNTIL:
            return staying(operation)
        start, stay, end = (
            (-card_height / 2, above, box_middle)
            if trace.operations[operation].verb == "add"
            else (box_middle, below, height + card_height / 2)
        )
        if progress < COMES_UNTIL:
            return during(operation, start + (stay - start) * ease(progress / COMES_UNTIL))
        return during(operation, stay + (end - stay) * ease((progress - STAYS_UNTIL) / (1 - STAYS_UNTIL)))

    return Scene(
        width=width,
        height=height,
        fps=settings.fps,
        frames=timing.frames,
        background=GROUND,
        sprites=atlas.sprites,
        placements=placements,
        spans=timing.spans,
    )


def _caption(text: str, size: float) -> Sprite:
    width, height = math.ceil(size * 0.62 * len(text)) + 2, math.ceil(size * 1.1) + 2
    return Sprite(width, height, (Text(width / 2, height / 2, text, size, LABEL),))


def _box(width: int, height: int) -> Sprite:
    """A closed box with the pattern of a card's back, open at the top and at the bottom."""
    line = max(1, width // 36)
    tag = width * 0.19
    slit = width * 0.08
    shapes: list[Shape] = [
        Rectangle(0, 0, width, height, BOX_EDGE, width * 0.07),
        Rectangle(line, line, width - 2 * line, height - 2 * line, BOX, max(0.0, width * 0.07 - line)),
        Rectangle(width * 0.1, line, width * 0.8, slit, BOX_EDGE),
        Rectangle(width * 0.1, height - line - slit, width * 0.8, slit, BOX_EDGE),
        Text(width / 2, slit + line + tag * 0.75, "TOP", tag, LABEL),
        Text(width / 2, height - slit - line - tag * 0.75, "BOTTOM", tag, LABEL),
    ]
    first, last = slit + line + tag * 1.5, height - slit - line - tag * 1.5
    rows = max(1, round((last - first) / (width * 0.26)))
    high, wide = (last - first) / rows, width * 0.26
    for row in range(rows):
        for place in (-1, 0, 1):
            x, y = width / 2 + place * wide * 1.08, first + (row + 0.5) * high
            half = (wide * 0.42, high * 0.42)
            shapes.append(Polygon(((x - half[0], y), (x, y - half[1]), (x + half[0], y), (x, y + half[1])), BOX_MARK))
    return Sprite(width, height, tuple(shapes))


def _paper(width: int, height: int) -> tuple[Shape, ...]:
    line, radius = max(1, min(width, height) // 36), min(width, height) * 0.1
    return (
        Rectangle(0, 0, width, height, PAPER_EDGE, radius),
        Rectangle(line, line, width - 2 * line, height - 2 * line, PAPER, max(0.0, radius - line)),
    )


def _rank_and_suit(card: str) -> tuple[str, str, Colour]:
    rank, _, suit = card.partition(" of ")
    return rank if rank.isdigit() else rank[0], suit, RED if suit in ("Hearts", "Diamonds") else BLACK


def _face(card: str, width: int, height: int) -> Sprite:
    """A whole card: its rank above its suit."""
    rank, suit, colour = _rank_and_suit(card)
    text = Text(width / 2, height * 0.27, rank, width * 0.64, colour)
    return Sprite(
        width, height, (*_paper(width, height), text, *_suit(suit, width / 2, height * 0.72, width * 0.54, colour))
    )


def _strip(card: str, width: int, height: int) -> Sprite:
    """A card in a column of open cards: its rank beside its suit."""
    rank, suit, colour = _rank_and_suit(card)
    size = min(height * 0.88, width * 0.38)
    text = Text(width * 0.3, height / 2, rank, size, colour)
    return Sprite(
        width, height, (*_paper(width, height), text, *_suit(suit, width * 0.74, height / 2, size * 0.84, colour))
    )


HEART = tuple(
    (16 * math.sin(turn) ** 3 / 34, -(13 * math.cos(turn) - 5 * math.cos(2 * turn) - 2 * math.cos(3 * turn)
     - math.cos(4 * turn) + 2.5) / 29)
    for turn in (math.tau * step / 40 for step in range(40))
)  # fmt: skip
"""The heart curve in a unit square around the origin, y downwards."""


def _suit(suit: str, x: float, y: float, size: float, colour: Colour) -> tuple[Shape, ...]:
    """A suit's sign, about `size` wide and high, centred on (x, y)."""

    def polygon(points: Sequence[tuple[float, float]]) -> Polygon:
        return Polygon(tuple((x + size * across, y + size * down) for across, down in points), colour)

    def disc(across: float, down: float, radius: float) -> Ellipse:
        return Ellipse(
            x + size * (across - radius), y + size * (down - radius), 2 * size * radius, 2 * size * radius, colour
        )

    stem = polygon([(-0.05, 0.1), (0.05, 0.1), (0.2, 0.5), (-0.2, 0.5)])
    if suit == "Hearts":
        return (polygon(HEART),)
    if suit == "Diamonds":
        return (polygon([(0, -0.54), (0.4, 0), (0, 0.54), (-0.4, 0)]),)
    if suit == "Spades":
        return (polygon([(across, -down * 0.86 - 0.08) for across, down in HEART]), stem)
    return (disc(0, -0.27, 0.23), disc(-0.27, 0.1, 0.23), disc(0.27, 0.1, 0.23), disc(0, -0.02, 0.12), stem)


# ---------------------------------------------------------------------------------------------------- questions


def rules(episode: Episode) -> str:
    """Every rule a viewer needs, and when the cards are shown."""
    names = [f"pile{pile}" for pile in range(len(episode.trace.start.piles.piles))]
    piles = (
        "one pile of playing cards, pile0, which stands"
        if len(names) == 1
        else f"{len(names)} piles of playing cards, {', '.join(names[:-1])} and {names[-1]}, each of which stands"
    )
    laid = "laid open one below the other from the top of the pile (marked TOP) to its bottom (marked BOTTOM)"
    shown = (
        f"Only at the start of the video are the boxes open: the cards of each pile are {laid}. Before the first "
        "operation the boxes are closed, and they stay closed to the end of the video."
        if episode.reveal == "start"
        else "During the operations all boxes are closed. Only after the last operation, at the end of the video, are "
        f"they opened: then the cards of each pile are {laid}."
    )
    return (
        f"The video shows a table with {piles} upright in a box. All cards are from one deck of 52, so there is only "
        f"one of each. {shown} A closed box looks the same however many cards are in it, even none.\n\n"
        "In each operation one card is either added on top of a pile or removed from the bottom of a pile. A card that "
        "is added appears above its pile, face up, and goes into the box from above, onto the top of the pile. A card "
        "that is removed comes out below its box, face up, and leaves the table; it never comes back. An operation is "
        "named after what happens, the card and the pile, as in: add 6 of Hearts to pile0, or remove 6 of Hearts from "
        "pile0."
    )


def _contents(table: Table, pile: str) -> list[Any]:
    return list(table.piles.piles[int(pile.removeprefix("pile"))])


def _gained(table: Table, other: Table, pile: str) -> list[Any]:
    before = _contents(other, pile)
    return [card for card in _contents(table, pile) if card not in before]


def _goal_text(goal: Piles) -> str:
    return "; ".join(f"{pile}: {write_answer('sequence', cards)}" for pile, cards in WORLD.write_goal(goal).items())


WORDING = ContainerWording(
    thing="table",
    rules=rules,
    state_question="Which cards {verb} in each pile",
    state_kind="sequence",
    state_key=WORLD.write_state,
    goal_text=_goal_text,
    how_to_write_state="The cards of a pile are written from its top to its bottom, and none stands for an empty pile.",
    state_examples="pile0: 6 of Hearts, King of Clubs",
    operation_examples="add 6 of Hearts to pile0, remove King of Clubs from pile0",
    plan_rule="Any list of operations that ends with exactly these piles is right; it need not be the shortest. An "
    "operation that cannot be carried out makes the answer wrong: only a card that is in no pile and was not removed "
    "before can be added, and only the card at the bottom of a pile can be removed from it.",
    further=further,
    container="pile",
    things="cards",
    contents=_contents,
    gained=_gained,
    gained_question="Which cards are in {part} at {asked} that are not in it at {other}?",
    how_to_list="the cards in the order in which they lie, from the top of the pile to its bottom, with commas between "
    "them.",
    list_example="6 of Hearts, King of Clubs",
    kind_of=lambda change: change.verb,
    place_of=lambda change: f"pile{change.pile}",
    kind_question={
        "add": "How many times was a card added to a pile, and to which pile was it added each time?",
        "remove": "How many times was a card removed from a pile, and from which pile was it removed each time?",
    }.__getitem__,
    place_example="pile0, pile1, pile1",
)


class InferPile(InferContainer):
    """Which cards lie in one pile at the asked moment, from top to bottom?"""

    KIND: ClassVar[Kind] = "sequence"


class ComparePile(CompareContainer):
    """Which cards lie in one pile at the asked moment and not at the revealed one, from top to bottom?"""

    KIND: ClassVar[Kind] = "sequence"


class PredictPile(PredictContainer):
    """Which cards would lie in one pile after further operations, from top to bottom?"""

    KIND: ClassVar[Kind] = "sequence"


def measures(episodes: Sequence[Episode]) -> Mapping[str, int | float]:
    """`hidden_bits` are those of dealing as many cards as the revealed piles hold, in order, from the deck."""
    episode = episodes[0]
    revealed = episode.trace.start if episode.reveal == "start" else episode.trace.end
    cards = sum(map(len, revealed.piles.piles))
    return hidden_state_measures(episode, len(revealed.piles.piles), math.log2(math.perm(len(DECK), cards)))


def episode(plan: Plan) -> Episode:
    return replay_plan(WORLD, WORDING, plan)


FAMILY = Family(
    name="card",
    version=1,
    summary="Piles of playing cards, shown once and then hidden in boxes while cards are added and removed.",
    settings=CardSettings,
    sample=sample,
    episode=episode,
    scene=scene,
    questions=(RecallOrder, RecallWhere, InferPile, ComparePile, PredictPile, PredictOperation),
    measures=measures,
    asked=asked_skills,
    drivers=DRIVERS | {"size": "piles"},
    world=WORLD,
)

if __name__ == "__main__":
    from generators.command import main

    main(["card", *sys.argv[1:]])
