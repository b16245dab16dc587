"""Card: piles of playing cards in closed boxes; cards are added on top and leave from the bottom, face up."""

import math
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from random import Random
from typing import Any, ClassVar

from pydantic import Field

from generators.containers import (
    CompareContainer,
    ContainerWording,
    InferContainer,
    PredictContainer,
    RecallWhere,
    passages,
    reworded,
)
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
from generators.settings import HiddenStateSettings, IntegerRange, Reveal, integer_range
from generators.state_pairs import STATE_PAIR_QUESTIONS, partnered, state_pair
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
BOX: Colour = (150, 104, 58)
BOX_LID: Colour = (190, 146, 92)
BOX_SIDE: Colour = (108, 72, 38)
BOX_EDGE: Colour = (66, 42, 20)
SLOT: Colour = (34, 22, 12)
LABEL: Colour = (246, 243, 230)

DEPTH = 0.2
"""How far a box's lid and side recede, as a share of the width of its front."""


def scene(plan: Plan, settings: CardSettings) -> Scene:
    """Closed boxes side by side; a card goes in at the top or comes out at the bottom. Open columns show the state."""
    replayed = episode(plan)
    trace = replayed.trace
    shown: Piles = trace.start.piles if replayed.reveal == "start" else trace.end.piles
    count = len(shown.piles)
    width, height = settings.resolution
    timing = timeline(len(trace.operations), replayed.reveal, settings)

    column = min(width / count, height * 0.75)
    stage = min(height, round(column * 4.5))
    top = (height - stage) / 2
    label = max(4.0, min(stage * 0.06, column * 0.28))
    gap = stage * 0.02
    card_height = max(4, round(min(stage * 0.25, column * 1.1)))
    card_width = max(3, round(card_height * 0.72))
    front_width = max(4, round(min(column * 0.96 / (1 + DEPTH), card_width * 1.2)))
    depth = max(1, round(front_width * DEPTH))
    above, below = top + gap + card_height / 2, top + stage - gap - card_height / 2
    box_top = round(above + card_height / 2 + gap)
    box_height = max(4, round(below - card_height / 2 - gap) - box_top)
    box_middle = box_top + box_height / 2

    def middle(pile: int) -> float:
        return width / 2 + (pile - (count - 1) / 2) * column

    atlas = AtlasBuilder()
    lid = atlas.add(_lid(front_width, depth))
    lids = [Placement(lid, middle(pile), box_top + depth / 2) for pile in range(count)]
    boxes = [
        Placement(atlas.add(_box(f"pile{pile}", front_width, box_height, depth)), middle(pile), box_middle)
        for pile in range(count)
    ]
    closed = lids + boxes

    @cache
    def opened() -> list[Placement]:
        """Every card of every pile in a column from its top to its bottom."""
        rows = max(MINIMUM_ROWS, *map(len, shown.piles))
        tag = max(4.0, min(stage * 0.045, column * 0.2))
        panel_top, panel_bottom = top + gap, top + stage - label * 1.5
        slot = (panel_bottom - panel_top - 3.2 * tag) / rows
        strip_height = max(2, round(slot * 0.9))
        strip_width = max(2, round(min(column * 0.8, strip_height * 2.4)))
        panel_width = max(4, round(min(column * 0.96, max(strip_width * 1.12, tag * 4.2))))
        panel_height = max(4, round(panel_bottom - panel_top))
        panel = atlas.add(
            Sprite(panel_width, panel_height, (Rectangle(0, 0, panel_width, panel_height, PANEL, tag * 0.5),))
        )
        upper, lower, empty = (atlas.add(_caption(text, tag)) for text in ("TOP", "BOTTOM", "empty"))
        listed = list[Placement]()
        for pile, cards in enumerate(shown.piles):
            x, first = middle(pile), panel_top + 1.6 * tag
            listed.append(Placement(atlas.add(_caption(f"pile{pile}", label)), x, top + stage - label * 0.85))
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

    ways = passages(timing)

    def during(operation: int, y: float) -> list[Placement]:
        return [*lids, Placement(faces[operation], middle(trace.operations[operation].pile), y), *boxes]

    @cache
    def resting(operation: int) -> list[Placement]:
        return during(operation, above if trace.operations[operation].verb == "add" else below)

    def placements(frame: int) -> Sequence[Placement]:
        if timing.is_shown(frame):
            return opened()
        operation, _ = timing.position(frame)
        progress = ways[operation].progress(frame) if operation < len(ways) else 0.0
        if progress == 0.0:
            return closed
        if progress == 1.0:
            return resting(operation)
        start, rest, end = (
            (-card_height / 2, above, box_middle)
            if trace.operations[operation].verb == "add"
            else (box_middle, below, height + card_height / 2)
        )
        if progress < 1.0:
            return during(operation, start + (rest - start) * ease(progress))
        return during(operation, rest + (end - rest) * ease(progress - 1.0))

    return Scene(
        width=width,
        height=height,
        fps=settings.fps,
        frames=timing.frames,
        background=GROUND,
        sprites=atlas.sprites,
        placements=placements,
        spans=timing.spans,
        cuts=timing.cuts,
        moments=tuple(way.rests for way in ways),
        seen=tuple((way.rests, way.goes) for way in ways),
    )


def _caption(text: str, size: float) -> Sprite:
    width, height = math.ceil(size * 0.62 * len(text)) + 2, math.ceil(size * 1.1) + 2
    return Sprite(width, height, (Text(width / 2, height / 2, text, size, LABEL),))


def _lid(width: int, depth: int) -> Sprite:
    """The top of a box with its slot, seen from above and from the right. A card is before it and behind the front."""
    line = max(1, width // 40)

    def strip(left: float, right: float, near: float, far: float, colour: Colour) -> Polygon:
        """A part of the lid from left to right in shares of its width, and from near to far in shares of its depth."""
        corners = ((left, near), (right, near), (right, far), (left, far))
        return Polygon(tuple((width * x + depth * y, depth * (1 - y)) for x, y in corners), colour)

    inset = line / width
    return Sprite(
        width + depth,
        depth,
        (
            strip(0, 1, 0, 1, BOX_EDGE),
            strip(inset, 1 - inset, 0, 1 - line / depth, BOX_LID),
            strip(0.07, 0.93, 0.3, 0.7, SLOT),
        ),
    )


def _box(name: str, width: int, height: int, depth: int) -> Sprite:
    """The front of a box with its name, the near half of its lid, and its right side; `height` includes the lid's."""
    line = max(1, width // 40)
    slot, mark, size = depth / 2, width * 0.17, width * 0.27
    side = ((width, depth), (width + depth, 0), (width + depth, height - depth), (width, height))
    inner = ((width, depth + line), (width + depth - line, line * 1.5), (width + depth - line, height - depth))
    lid = ((slot, slot), (width + slot, slot), (width, depth), (0, depth))
    lid_inner = ((slot + line, slot), (width + slot - line, slot), (width - line, depth), (line, depth))
    slit = ((width * 0.07 + slot, slot), (width * 0.93 + slot, slot), (width * 0.93 + depth * 0.3, depth * 0.7),
            (width * 0.07 + depth * 0.3, depth * 0.7))  # fmt: skip
    return Sprite(
        width + depth,
        height,
        (
            Polygon(side, BOX_EDGE),
            Polygon((*inner, (width, height - line)), BOX_SIDE),
            Polygon(lid, BOX_EDGE),
            Polygon(lid_inner, BOX_LID),
            Polygon(slit, SLOT),
            Rectangle(0, depth, width, height - depth, BOX_EDGE),
            Rectangle(line, depth + line, width - 2 * line, height - depth - 2 * line, BOX),
            Text(width / 2, depth + line + mark * 0.8, "TOP", mark, LABEL),
            Text(width / 2, (height + depth) / 2, name, size, LABEL),
            Text(width / 2, height - line - mark * 0.8, "BOTTOM", mark, LABEL),
        ),
    )


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
    laid = "laid open one below the other from the top of the pile (marked TOP) to its bottom (marked BOTTOM)"
    at_start = episode.reveal == "start"
    if len(names) == 1:
        piles = "a pile of playing cards, pile0. It is kept in a box that has its name on it"
        shown = (
            f"Only at the start of the video is the box open: the cards of the pile are {laid}. Before the first "
            "operation the box is closed, and it stays closed to the end of the video."
            if at_start
            else "During the operations the box is closed. Only after the last operation, at the end of the video, is "
            f"it opened: then the cards of the pile are {laid}."
        )
        which = "added on top of the pile or removed from its bottom"
    else:
        piles = (
            f"{len(names)} piles of playing cards, {', '.join(names[:-1])} and {names[-1]}. Each pile is kept in a box "
            "of its own that has the pile's name on it"
        )
        shown = (
            f"Only at the start of the video are the boxes open: the cards of each pile are {laid}. Before the first "
            "operation the boxes are closed, and they stay closed to the end of the video."
            if at_start
            else "During the operations all boxes are closed. Only after the last operation, at the end of the video, "
            f"are they opened: then the cards of each pile are {laid}."
        )
        which = "added on top of a pile or removed from the bottom of a pile"
    whose = "the" if len(names) == 1 else "its"
    return (
        f"The video shows {piles}. All cards are from one deck of 52, so there is only one of each. {shown} A closed "
        "box looks the same however many cards are in it, even none.\n\n"
        f"In each operation one card is either {which}. A card that is added appears above {whose} box, face up, and "
        f"goes into it from above, onto the top of the pile. A card that is removed comes out below {whose} box, face "
        "up, and leaves downwards; it never comes back. An operation is named after what happens, the card and the "
        "pile, as in: add 6 of Hearts to pile0, or remove 6 of Hearts from pile0."
    )


def _contents(table: Table, pile: str) -> list[Any]:
    return list(table.piles.piles[int(pile.removeprefix("pile"))])


def _gained(table: Table, other: Table, pile: str) -> list[Any]:
    before = _contents(other, pile)
    return [card for card in _contents(table, pile) if card not in before]


def _goal_text(goal: Piles) -> str:
    return "; ".join(f"{pile}: {write_answer('sequence', cards)}" for pile, cards in WORLD.write_goal(goal).items())


@cache
def wording(is_one: bool, reveal: Reveal) -> ContainerWording:
    """The words for one pile or for several, shown at the start or at the end."""
    the_pile, these_piles = ("the pile", "this pile") if is_one else ("a pile", "these piles")
    past = (
        "A card that was removed in the video cannot come back."
        if reveal == "start"
        else "What happens in the video after its start does not count: a card that is removed later in the video is "
        "not gone at its start, and one that is added later is not there yet."
    )
    return ContainerWording(
        thing="table",
        rules=rules,
        state_question=f"Which cards {{verb}} in {'the' if is_one else 'each'} pile",
        state_kind="sequence",
        state_key=WORLD.write_state,
        goal_text=_goal_text,
        how_to_write_state=f"The cards of {the_pile} are written from its top to its bottom, and none stands for an "
        "empty pile.",
        state_examples="pile0: 6 of Hearts, King of Clubs",
        operation_examples="add 6 of Hearts to pile0, remove King of Clubs from pile0",
        plan_rule=f"Any list of operations that ends with exactly {these_piles} is right; it need not be the shortest. "
        f"An operation that cannot be carried out makes the answer wrong: only a card that is in no pile and was not "
        f"removed before can be added, and only the card at the bottom of {the_pile} can be removed from it. {past}",
        further=further,
        container="pile",
        things="cards",
        contents=_contents,
        gained=_gained,
        gained_question="Which cards are in {part} at {asked} that are not in it at {other}?",
        how_to_list="the cards in the order in which they lie, from the top of the pile to its bottom, with commas "
        "between them.",
        list_example="6 of Hearts, King of Clubs",
        kind_of=lambda change: change.verb,
        place_of=lambda change: f"pile{change.pile}",
        kind_question=(ONE_PILE_QUESTIONS if is_one else KIND_QUESTIONS).__getitem__,
    )


KIND_QUESTIONS = {
    "add": "How many times was a card added to a pile, and to which pile was it added each time?",
    "remove": "How many times was a card removed from a pile, and from which pile was it removed each time?",
}
ONE_PILE_QUESTIONS = {
    "add": "How many times was a card added to the pile?",
    "remove": "How many times was a card removed from the pile?",
}


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
    return reworded(replay_plan(WORLD, wording(False, "start"), plan), wording)


FAMILY = Family(
    name="card",
    version=1,
    summary="Piles of playing cards, shown once and then hidden in boxes while cards are added and removed.",
    settings=CardSettings,
    sample=sample,
    episode=episode,
    scene=scene,
    questions=(RecallOrder, RecallWhere, InferPile, ComparePile, PredictPile, PredictOperation, *STATE_PAIR_QUESTIONS),
    measures=measures,
    asked=asked_skills,
    drivers=DRIVERS | {"size": "piles"},
    world=WORLD,
    pair=state_pair,
    partnered=partnered,
)

if __name__ == "__main__":
    from generators.command import main

    main(["card", *sys.argv[1:]])
