"""The Chip world: one to four cups that hold chips. One chip at a time is added to a cup or removed from one."""

import re
from collections import Counter
from dataclasses import dataclass
from typing import Any

from simulators.contract import NoPlan, Refusal, World
from simulators.notation import counted_things, listed_operations, read_containers, write_containers

VALUES = (5, 10, 20, 50, 100)


@dataclass(frozen=True, slots=True)
class Cups:
    """The values of the chips in cup0, cup1 …, each cup's values sorted; a value may be there more than once."""

    cups: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Change:
    """`verb` (add or remove) takes one chip of `value` into or out of one cup."""

    verb: str
    value: int
    cup: int


def read_cups(value: Any) -> Cups:
    """The cups from their JSON, `{"cup0": [values, sorted], …}`. Raises ValueError otherwise."""
    contents = read_containers(value, "cup")
    cups: list[tuple[int, ...]] = []
    for cup, chips in enumerate(contents):
        for chip in chips:
            if type(chip) is not int or chip not in VALUES:
                raise ValueError(f"expected chips of {', '.join(map(str, VALUES))} in cup{cup}, not {chip!r}")
        cups.append(tuple(sorted(chip for chip in chips if isinstance(chip, int))))
        if cups[-1] != chips:
            raise ValueError(f"expected sorted values in cup{cup}, not {list(chips)}")
    return Cups(tuple(cups))


def write_cups(cups: Cups) -> dict[str, list[object]]:
    return write_containers(cups.cups, "cup")


def read_change(text: str) -> Change:
    """A change from its one spelling. Raises ValueError otherwise."""
    match = re.fullmatch(r"(?:(add) ([0-9]+) to|(remove) ([0-9]+) from) cup([0-9])", text)
    if match is None or (match[2] or match[4]) not in map(str, VALUES):
        raise ValueError(f"{text!r} is no operation: expected add 50 to cup0 or remove 50 from cup0")
    return Change(match[1] or match[3], int(match[2] or match[4]), int(match[5]))


def write_change(change: Change) -> str:
    return f"{change.verb} {change.value} {'to' if change.verb == 'add' else 'from'} cup{change.cup}"


_CHIP = (
    r"(?:(?:the|a|an|one)\s+)?(?:chip\s+(?:(?:of|with)\s+)?(?:the\s+)?(?:value\s+)?)?"
    rf"({'|'.join(map(str, reversed(VALUES)))})(?:[\s-]*chip)?"
)
_ONE_CHANGE = re.compile(
    rf"(?:(?:add(?:ed)?|put|placed?)\s+{_CHIP}\s+(?:in\s*to|to|in)|(?:removed?|take|took)\s+{_CHIP}\s+(?:from|out\s+of))\s+"
    r"(?:the\s+)?cup[\s_]*([0-9])(?![0-9])",
    re.IGNORECASE,
)


def changes_in_reply(text: str) -> tuple[Change, ...]:
    """The changes that a reply lists. Raises ValueError where anything else is in the text."""
    matches = listed_operations(text, _ONE_CHANGE, "add 50 to cup0 or remove 50 from cup0")
    return tuple(Change("add" if match[1] else "remove", int(match[1] or match[2]), int(match[3])) for match in matches)


_VALUE_WORDS = {"five": 5, "ten": 10, "twenty": 20, "twentie": 20, "fifty": 50, "fiftie": 50, "hundred": 100}
_VALUE = rf"(?:{'|'.join((*map(str, reversed(VALUES)), *_VALUE_WORDS))})"
_OF_VALUE = rf"(?:(?:of|with|worth|at)\s+)?(?:(?:the|a)\s+)?(?:value\s+)?(?:of\s+)?{_VALUE}"
_ONE_CHIP = rf"(?:(?:the|an?|one|1)\s+)?(?:{_VALUE}(?:[\s-]value)?[\s-]*chip|(?:chip\s+)?{_OF_VALUE})"
_CHIPS = rf"{_VALUE}s(?:\s+chips)?|(?<![0-9]\s){_VALUE}(?:[\s-]value)?[\s-]+chips|chips?\s+{_OF_VALUE}|of\s+{_VALUE}"


def chips_in_reply(text: str) -> tuple[int, ...]:
    """The values of the chips that a reply lists, as often as it counts each. Raises ValueError for anything else."""
    spellings = counted_things(text, _ONE_CHIP, _CHIPS, "values of chips as in 5, 50, 50")
    values = [re.findall(_VALUE, spelling.lower())[-1] for spelling in spellings]
    return tuple(_VALUE_WORDS.get(value) or int(value) for value in values)


def transition(cups: Cups, change: Change) -> Cups:
    """The cups after the change. Raises Refusal where the cup is missing or has no such chip to remove."""
    if change.cup >= len(cups.cups):
        raise Refusal(f"there is no cup{change.cup}")
    chips = list(cups.cups[change.cup])
    if change.verb == "add":
        chips.append(change.value)
    elif change.value in chips:
        chips.remove(change.value)
    else:
        raise Refusal(f"there is no {change.value} in cup{change.cup}")
    return Cups((*cups.cups[: change.cup], tuple(sorted(chips)), *cups.cups[change.cup + 1 :]))


def legal_operations(cups: Cups) -> tuple[Change, ...]:
    changes: list[Change] = []
    for cup, chips in enumerate(cups.cups):
        changes += [Change("add", value, cup) for value in VALUES]
        changes += [Change("remove", value, cup) for value in VALUES if value in chips]
    return tuple(changes)


def optimal_plan(start: Cups, goal: Cups) -> tuple[Change, ...]:
    """A shortest plan, cup by cup: what is too much leaves, then what is missing comes.

    Raises NoPlan where the goal has another number of cups.
    """
    if len(start.cups) != len(goal.cups):
        raise NoPlan(f"chip: changes keep the number of cups, and the goal has {len(goal.cups)}")
    changes: list[Change] = []
    for cup, (before, after) in enumerate(zip(start.cups, goal.cups, strict=True)):
        changes += [Change("remove", value, cup) for value in (Counter(before) - Counter(after)).elements()]
        changes += [Change("add", value, cup) for value in (Counter(after) - Counter(before)).elements()]
    return tuple(changes)


WORLD = World(
    name="chip",
    read_state=read_cups,
    write_state=write_cups,
    read_goal=read_cups,
    write_goal=write_cups,
    goal_of=lambda cups: cups,
    read_operation=read_change,
    write_operation=write_change,
    operations_in_reply=changes_in_reply,
    things_in_reply=chips_in_reply,
    legal_operations=legal_operations,
    transition=transition,
    optimal_plan=optimal_plan,
)
