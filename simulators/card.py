"""The Card world: one deck, one to four piles. Cards are added on top and leave from the bottom, never to come back."""

import re
from dataclasses import dataclass
from typing import Any

from simulators.contract import NoPlan, Refusal, World
from simulators.notation import (
    CARD_SPELLING,
    DECK,
    listed_operations,
    listed_things,
    read_card,
    read_containers,
    write_containers,
)


@dataclass(frozen=True, slots=True)
class Piles:
    """What lies in pile0, pile1 …, each from top to bottom. A goal is this much."""

    piles: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Table:
    """The piles and, sorted, the cards that were removed, which cannot be seen any more; none is removed at a start."""

    piles: Piles
    removed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Change:
    """`verb` (add or remove) takes one card to the top, or from the bottom, of one pile."""

    verb: str
    card: str
    pile: int


def read_piles(value: Any) -> Piles:
    """The piles from their JSON, `{"pile0": [top … bottom], …}`. Raises ValueError otherwise."""
    contents = read_containers(value, "pile")
    for pile, cards in enumerate(contents):
        for card in cards:
            if card not in DECK:
                raise ValueError(f"expected cards as in 6 of Hearts in pile{pile}, not {card!r}")
    every_card = [str(card) for pile in contents for card in pile]
    if len(set(every_card)) != len(every_card):
        twice = next(card for card in every_card if every_card.count(card) > 1)
        raise ValueError(f"expected each card of the deck once, but there are two {twice}")
    return Piles(tuple(tuple(str(card) for card in pile) for pile in contents))


def write_piles(piles: Piles) -> dict[str, list[object]]:
    return write_containers(piles.piles, "pile")


def read_table(value: Any) -> Table:
    """A start from the JSON of its piles: no card was removed before. Raises ValueError otherwise."""
    return Table(read_piles(value))


def write_table(table: Table) -> dict[str, list[object]]:
    """The JSON of the piles; the removed cards follow from the start and the operations."""
    return write_piles(table.piles)


def read_change(text: str) -> Change:
    """A change from its one spelling. Raises ValueError otherwise."""
    match = re.fullmatch(r"(?:(add) (.+) to|(remove) (.+) from) pile([0-9])", text)
    if match is None or (match[2] or match[4]) not in DECK:
        raise ValueError(
            f"{text!r} is no operation: expected add 6 of Hearts to pile0 or remove 6 of Hearts from pile0"
        )
    return Change(match[1] or match[3], match[2] or match[4], int(match[5]))


def write_change(change: Change) -> str:
    return f"{change.verb} {change.card} {'to' if change.verb == 'add' else 'from'} pile{change.pile}"


_CARD = rf"(?:(?:the|a|an)\s+)?(?:card\s+)?({CARD_SPELLING})(?:\s+card)?"
_PILE = r"(?:the\s+)?pile[\s_]*([0-9])(?![0-9])"
_ONE_CHANGE = re.compile(
    rf"(?:(?:add(?:ed)?|put|placed?)\s+{_CARD}\s+(?:on\s*to|into|to|on|in)\s+(?:(?:the\s+)?top\s+of\s+)?{_PILE}"
    rf"(?:\s*\((?:(?:on|at)\s+)?(?:the\s+)?top\))?"
    rf"|(?:removed?|take|took)\s+{_CARD}\s+from\s+(?:(?:the\s+)?bottom\s+of\s+)?{_PILE}"
    rf"(?:\s*\((?:(?:from|at)\s+)?(?:the\s+)?bottom\))?)",
    re.IGNORECASE,
)


def changes_in_reply(text: str) -> tuple[Change, ...]:
    """The changes that a reply lists. Raises ValueError where anything else is in the text."""
    matches = listed_operations(text, _ONE_CHANGE, "add 6 of Hearts to pile0 or remove 6 of Hearts from pile0")
    return tuple(
        Change("add" if match[1] else "remove", read_card(match[1] or match[3]), int(match[2] or match[4]))
        for match in matches
    )


_PLACE = r"(?:(?:at|on)\s+)?(?:the\s+)?(top|middle|bottom)(?:\s+card)?(?:\s+of\s+(?:the\s+)?pile\s*[0-9]?)?"
_LISTED_CARD = rf"(?:{_PLACE}\s*[:=]\s*)?{_CARD}(?:\s*\({_PLACE}\))?"


def cards_in_reply(text: str) -> tuple[str, ...]:
    """The cards that a reply lists, from top to bottom.

    Raises ValueError where anything else is in the text, or where a card is said to lie where it is not listed.
    """
    matches = listed_things(text, _LISTED_CARD, "cards as in 6 of Hearts, King of Clubs")
    last = len(matches) - 1
    for index, match in enumerate(matches):
        possible = {"top": index == 0, "middle": 0 < index < last, "bottom": index == last}
        for place in (match[1], match[3]):
            if place and not possible[place.lower()]:
                raise ValueError(f"{match[0]!r} is not listed where it lies: expected the cards from top to bottom")
    return tuple(read_card(match[2]) for match in matches)


def transition(table: Table, change: Change) -> Table:
    """The table after the change. Raises Refusal where the card is not there to add or not at the pile's bottom."""
    piles = list(table.piles.piles)
    if change.pile >= len(piles):
        raise Refusal(f"there is no pile{change.pile}")
    pile = piles[change.pile]
    if change.verb == "add":
        if change.card in table.removed:
            raise Refusal(f"the {change.card} was removed and does not come back")
        if any(change.card in cards for cards in piles):
            raise Refusal(f"the {change.card} is in a pile already, and the deck has only one")
        piles[change.pile] = (change.card, *pile)
        return Table(Piles(tuple(piles)), table.removed)
    if pile[-1:] != (change.card,):
        raise Refusal(f"the {change.card} is not at the bottom of pile{change.pile}")
    piles[change.pile] = pile[:-1]
    return Table(Piles(tuple(piles)), tuple(sorted((*table.removed, change.card))))


def legal_operations(table: Table) -> tuple[Change, ...]:
    piles = table.piles.piles
    used = {*table.removed, *(card for pile in piles for card in pile)}
    unused = [card for card in DECK if card not in used]
    changes: list[Change] = []
    for index, pile in enumerate(piles):
        changes += [Change("add", card, index) for card in unused]
        changes += [Change("remove", card, index) for card in pile[-1:]]
    return tuple(changes)


def optimal_plan(table: Table, goal: Piles) -> tuple[Change, ...]:
    """A shortest plan, pile by pile: the top part that the goal has at its bottom stays, the rest of the pile leaves.

    Each card that stays stays in its place, so the card now on top, where the goal has it, says how many stay. All
    others of the goal must be added, and only cards that were in no pile and were never removed can be: NoPlan.
    """
    piles = table.piles.piles
    if len(piles) != len(goal.piles):
        raise NoPlan(f"card: changes keep the number of piles, and the goal has {len(goal.piles)}")
    used = {*table.removed, *(card for pile in piles for card in pile)}
    changes: list[Change] = []
    for index, (before, after) in enumerate(zip(piles, goal.piles, strict=True)):
        kept = len(after) - after.index(before[0]) if before and before[0] in after else 0
        new = after[: len(after) - kept]
        if before[:kept] != after[len(new) :]:
            raise NoPlan(f"card: the cards of pile{index} cannot be brought into the order of the goal")
        for card in new:
            if card in used:
                raise NoPlan(f"card: the goal needs the {card} in pile{index}, which cannot be added any more")
        changes += [Change("remove", card, index) for card in reversed(before[kept:])]
        changes += [Change("add", card, index) for card in reversed(new)]
    return tuple(changes)


WORLD = World(
    name="card",
    read_state=read_table,
    write_state=write_table,
    read_goal=read_piles,
    write_goal=write_piles,
    goal_of=lambda table: table.piles,
    read_operation=read_change,
    write_operation=write_change,
    operations_in_reply=changes_in_reply,
    things_in_reply=cards_in_reply,
    legal_operations=legal_operations,
    transition=transition,
    optimal_plan=optimal_plan,
)
