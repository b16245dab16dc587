"""VideoReasonBench's demos in the terms of our worlds, replayed by our simulators.

What the released files hold, as seen in them: `hrd` (our Number) lists the rows of its matrices from the bottom up, and
its moves are the ways the tiles travel; `grid` (Circle) gives the ring as [x, y] with y downwards, and moves as `x-1`;
`cup` gives swaps as [[row, column], [row, column]]; `file_sys` (File) begins with the command that makes the files and
has `ls` among its commands, and its `states` are named by commands, so that a command repeated is lost; `card` lists
piles from the bottom card up; `chip` lists cups in the order in which chips came.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from simulators.contract import IllegalOperation, Trace, World, replay
from simulators.notation import write_swap
from simulators.worlds import worlds

WORLDS = {"hrd": "number", "grid": "circle", "cup": "cup", "file_sys": "file", "card": "card", "chip": "chip"}
"""Our name of each demo's world."""

CONTAINERS = {"file_sys": "path", "card": "pile", "chip": "cup"}

Row = Mapping[str, Any]
MALFORMED = (ValueError, TypeError, LookupError, AttributeError, OverflowError)


@dataclass(frozen=True, slots=True)
class Demo:
    """What a video shows: the plan replayed, and the states that the file stores, as our JSON; None: not stored."""

    name: str
    world: World[Any, Any, Any]
    trace: Trace[Any, Any]
    stored: tuple[Any, ...]

    def at(self, moment: str) -> Any:
        """The state at the start or the end of the video."""
        return self.trace.start if moment == "start" else self.trace.end

    def errors(self) -> Iterator[str]:
        """Where the stored states are not what the operations make of the first."""
        if len(self.stored) != len(self.trace.states):
            yield f"stores {len(self.stored)} states for {len(self.trace.operations)} operations"
        for index, (stored, state) in enumerate(zip(self.stored, self.trace.states, strict=False)):
            if stored is not None and stored != self.world.write_state(state):
                yield f"state {index} is not what the operations before it give"
                return


def read_demo(name: str, row: Row) -> Demo:
    """The demo of a question. Raises ValueError that says why it cannot be read or replayed."""
    world = worlds()[WORLDS[name]]
    try:
        texts, stored = _PLANS[name](row)
        operations = [world.read_operation(text) for text in texts]
        trace = replay(world, world.read_state(stored[0]), operations)
    except IllegalOperation as error:
        raise ValueError(f"its demo breaks the rules: {error}") from None
    except MALFORMED as error:
        why = error.args[0] if isinstance(error, KeyError) and error.args else error
        raise ValueError(
            f"its demo cannot be read: {type(error).__name__ if not str(why) else str(why)[:200]}"
        ) from None
    return Demo(name, world, trace, tuple(stored))


Plan = tuple[list[str], list[Any]]
"""Operations in our spelling and states as our JSON; the first state is the start."""


def _number(row: Row) -> Plan:
    return list(row["moves"]), [list(reversed(_list(state))) for state in _list(row["states"])]


def _circle(row: Row) -> Plan:
    rings = [[y, x] for x, y in _list(row["coords"])]
    states = [{"board": board, "ring": ring} for board, ring in zip(_list(row["states"]), rings, strict=True)]
    return [STEPS[move] for move in _list(row["moves"])], states


STEPS = {"x-1": "left", "x+1": "right", "y-1": "up", "y+1": "down"}


def _cup(row: Row) -> Plan:
    swaps = [write_swap(_cell(first), _cell(second)) for first, second in _list(row["moves"])]
    return swaps, _list(row["states"])


def _cell(value: Any) -> tuple[int, int]:
    row, column = value
    if type(row) is not int or type(column) is not int or row < 0 or column < 0:
        raise ValueError(f"expected a cell as [row, column], not {value!r:.60}")
    return row, column


def _file(row: Row) -> Plan:
    paths: dict[str, dict[str, list[str]]] = row["states"]
    commands = [command for command in _list(row["commands"]) if command.split()[0] != "ls"]
    if len(commands) == row["num_operation"] + 1:
        commands = commands[1:]  # it makes the files of the start
    elif len(commands) != row["num_operation"]:
        raise ValueError(f"{len(commands)} commands for {row['num_operation']!r} operations")
    states: list[Any] = [{path: sorted(states["init"]) for path, states in paths.items()}]
    for index, command in enumerate(commands):
        is_lost = command in commands[index + 1 :]
        states.append(None if is_lost else {path: sorted(states[command]) for path, states in paths.items()})
    return commands, states


def _card(row: Row) -> Plan:
    return _list(row["actions"]), _contents(row, lambda pile: list(reversed(pile)))


def _chip(row: Row) -> Plan:
    return _list(row["actions"]), _contents(row, sorted)


def _contents(row: Row, ordered: Callable[[list[Any]], list[Any]]) -> list[Any]:
    containers: dict[str, list[Any]] = row["states"]
    each = zip(*(_list(states) for states in containers.values()), strict=True)
    return [{name: ordered(_list(content)) for name, content in zip(containers, state, strict=True)} for state in each]


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise ValueError(f"expected a list, not {value!r:.60}")
    return value


_PLANS: dict[str, Callable[[Row], Plan]] = {
    "hrd": _number,
    "grid": _circle,
    "cup": _cup,
    "file_sys": _file,
    "card": _card,
    "chip": _chip,
}
