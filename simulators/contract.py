"""What every world has in common: its rules as pure functions, and the one loop that replays operations."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

StateT = TypeVar("StateT")
OperationT = TypeVar("OperationT")
GoalT = TypeVar("GoalT")


class Refusal(ValueError):
    """A world's reason for not carrying out an operation; `replay` adds where it happened."""


class IllegalOperation(ValueError):
    """An operation that the rules do not allow, with the world, its index, the operation and the state it met."""

    def __init__(self, world: str, index: int, operation: str, state: Any, reason: str) -> None:
        super().__init__(f"{world}: operation {index} ({operation}) is illegal: {reason}")
        self.world = world
        self.index = index
        self.operation = operation
        self.state = state
        self.reason = reason


class NoPlan(ValueError):
    """No sequence of operations leads from the start to the goal."""


class PlanBudgetExceeded(RuntimeError):
    """The planner gave up before it had proved a plan optimal; the message says after how much work."""


@dataclass(frozen=True, slots=True)
class Trace(Generic[StateT, OperationT]):
    """What happened: `states[0]` is the start and `states[i + 1]` follows `operations[i]`."""

    states: tuple[StateT, ...]
    operations: tuple[OperationT, ...]

    @property
    def start(self) -> StateT:
        return self.states[0]

    @property
    def end(self) -> StateT:
        return self.states[-1]


def _no_limit(_operations: tuple[Any, ...]) -> None:
    """Most worlds ask nothing of a plan beyond that each of its operations is legal."""


def _itself(operation: Any) -> Any:
    """In most worlds no two operations mean the same."""
    return operation


@dataclass(frozen=True, slots=True, kw_only=True)
class World(Generic[StateT, OperationT, GoalT]):
    """The rules of one world, as pure functions on frozen states.

    `read_*` raise ValueError with a sentence for people; `transition` raises `Refusal`; `optimal_plan` raises `NoPlan`
    or `PlanBudgetExceeded`. `read_operation` accepts the one spelling that `write_operation` gives;
    `operations_in_reply` accepts every unambiguous spelling of a list of operations and nothing else in the text;
    `things_in_reply` does so for what the world's containers hold, where it has any: each thing in its one spelling.
    `plan_limits` raises `Refusal` where a proposed plan breaks a rule that concerns the plan as a whole.
    `cell_words` gives, by its spelling in lower case, what stands in a cell, where boards are written in words.
    `normal_form` is the same for operations that mean the same.
    """

    name: str
    read_state: Callable[[Any], StateT]
    write_state: Callable[[StateT], Any]
    read_goal: Callable[[Any], GoalT]
    write_goal: Callable[[GoalT], Any]
    goal_of: Callable[[StateT], GoalT]
    read_operation: Callable[[str], OperationT]
    write_operation: Callable[[OperationT], str]
    operations_in_reply: Callable[[str], tuple[OperationT, ...]]
    things_in_reply: Callable[[str], tuple[Any, ...]] | None = None
    legal_operations: Callable[[StateT], tuple[OperationT, ...]]
    transition: Callable[[StateT, OperationT], StateT]
    optimal_plan: Callable[[StateT, GoalT], tuple[OperationT, ...]]
    plan_limits: Callable[[tuple[OperationT, ...]], None] = _no_limit
    cell_words: Mapping[str, str] = field(default_factory=dict, hash=False)
    normal_form: Callable[[OperationT], OperationT] = _itself


def replay(
    world: World[StateT, OperationT, GoalT], start: StateT, operations: Iterable[OperationT]
) -> Trace[StateT, OperationT]:
    """Carry out `operations` from `start`: the only loop in the project that turns operations into states.

    Raises IllegalOperation at the first operation that the rules refuse.
    """
    carried_out = tuple(operations)
    states = [start]
    for index, operation in enumerate(carried_out):
        try:
            states.append(world.transition(states[-1], operation))
        except Refusal as refusal:
            raise IllegalOperation(
                world.name, index, world.write_operation(operation), world.write_state(states[-1]), str(refusal)
            ) from None
    return Trace(tuple(states), carried_out)
