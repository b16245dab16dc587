"""VideoReasonBench's questions as programs on the replayed demo: what is asked, how it is answered, and what is true.

What a question asks stands only in its words. Where these are other than the templates that were published with the
set, nothing is computed, and the stored answer is all there is.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from evaluate.published import demo_answers as answers
from evaluate.published.demos import CONTAINERS, STEPS, WORLDS, Demo
from simulators.circle import Position
from simulators.contract import IllegalOperation, NoPlan, PlanBudgetExceeded, Refusal, World, replay
from simulators.notation import read_card, read_cell
from simulators.number import source
from simulators.worlds import worlds
from verifier.scoring import PlanVerdict

DIMS = {
    "order_operation": ("recall_order", 1),
    "counting_operation": ("recall_count", 1),
    "order_state": ("infer_state", 2),
    "counting_state": ("infer_state", 2),
    "comparison_state": ("compare_state", 2),
    "prediction_state": ("predict_state", 3),
    "prediction_operation": ("predict_operation", 3),
}
"""The skill and level of each `dim`."""

PLAN = "prediction_operation"
COLOURS = {"black": 1, "white": 0, "1": 1, "0": 0}
COINS = {"coin": 1, "empty": 0, "nothing": 0, "1": 1, "0": 0}
PLANNER_NODES = 20_000
"""How far a goal is looked for before its reachability is left open."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question: its demo's name, its `dim`, and its words without the part that all questions of a demo share."""

    name: str
    dim: str
    words: str

    @property
    def world(self) -> World[Any, Any, Any]:
        return worlds()[WORLDS[self.name]]

    def find(self, pattern: str) -> str:
        """What the first group of the pattern matches. Raises ValueError where the words are other ones."""
        match = re.search(pattern, self.words)
        if match is None:
            raise ValueError("its words are none that are known")
        return match[1]

    @property
    def span(self) -> tuple[int, int]:
        """The first and last number of the operations asked for."""
        match = re.search(r"the (\d+)(?:st|nd|rd|th)(?: to (?:the )?(\d+)(?:st|nd|rd|th))?", self.words)
        if match is None:
            raise ValueError("its words are none that are known")
        return int(match[1]), int(match[2] or match[1])

    @property
    def moment(self) -> str:
        """Start or end, where exactly one of them is asked about."""
        return self.find(r"(?i)at the (start|end) of the video")

    @property
    def container(self) -> int:
        """The number of the pile, cup or path asked about, the last one that is named outside of commands."""
        named = re.findall(rf"`{CONTAINERS[self.name]}(\d)/?`", self.words)
        if not named:
            raise ValueError("its words are none that are known")
        return int(named[-1])

    @property
    def extension(self) -> str:
        """The extension of the files asked about, or nothing for all files."""
        match = re.search(r"(?:different|how many|which) `(\.\w+)` files", self.words)
        return match[1] if match else ""


def reader(asked: Asked) -> answers.Read:
    """Reads the text of an answer to this question."""
    world, name, dim = asked.world, asked.name, asked.dim
    is_state = DIMS[dim][1] > 1
    if dim == "order_operation":
        first = asked.span[0]
        if name == "grid":
            return answers.by_kind("sequence", world)
        one = {
            "hrd": answers.moved_square,
            "card": answers.placed_card,
            "chip": answers.placed_chip,
        }.get(name) or answers.one_operation(world)
        return answers.numbered(first, one)
    match name:
        case "hrd" | "grid":
            first_column = 0 if name == "grid" else 1
            if is_state:
                return answers.cell_contents(COLOURS if name == "grid" else None, first_column)
            return answers.counted_cells(first_column)
        case "cup" if dim == "counting_operation":
            return answers.without_numbers(answers.numbered(1, answers.cells_of_a_swap))
        case "cup":
            return answers.cell_contents(COINS, 1) if dim == "comparison_state" else answers.cells(1)
        case "chip" if dim == "comparison_state":
            return answers.higher_moment
    place = f"{CONTAINERS[name]}{asked.container}" if is_state and "`" in asked.words else None
    in_order = name == "card" and dim in ("order_state", "prediction_state")
    read = answers.by_kind("sequence" if in_order else "items", world, place, things=True)
    return answers.files(read) if name == "file_sys" else read


def truth(asked: Asked, demo: Demo) -> Any:
    """The answer in the form that `reader` gives. Raises ValueError where the words are none that are known."""
    return _TRUTHS[asked.name, asked.dim.partition("_")[2] == "state"](asked, demo)


def _directions(text: str) -> list[str]:
    words = [word.strip().removesuffix("ward") for word in text.split(",")]
    if any(word not in STEPS.values() for word in words):
        raise ValueError("its words are none that are known")
    return words


def _further(asked: Asked, demo: Demo) -> Any:
    """The state after the operations that the question adds. Raises ValueError where the rules do not allow one."""
    if asked.name in ("hrd", "grid"):
        texts = _directions(asked.find(r"moves are executed: `([^`]*)`"))
    elif asked.name == "cup":
        texts = re.findall(r"\([^()]*\)", asked.find(r"executed in order: `([^`]*)`"))
    elif asked.name == "file_sys":
        texts = [text.strip() for text in asked.find(r"we run the command `([^`]*)`").split("&")]
    else:
        texts = [text.strip() for text in asked.find(r"actions in order: `([^`]*)`").split(",")]
    operations = [demo.world.read_operation(text) for text in texts]
    try:
        return replay(demo.world, demo.at(asked.moment), operations).end
    except IllegalOperation as error:
        raise IllegalQuestion(f"it adds operations that break the rules: {error}") from None


class IllegalQuestion(ValueError):
    """A question that supposes what the rules do not allow."""


def _state_asked(asked: Asked, demo: Demo) -> Any:
    return _further(asked, demo) if asked.dim == "prediction_state" else demo.at(asked.moment)


def _contents(asked: Asked, demo: Demo, rows: Callable[[Any], Any]) -> frozenset[tuple[answers.Cell, Any]]:
    """The cells of a board and what is in them; to compare_state, those cells only that start and end differ in."""
    board, start, end = (rows(state) for state in (_state_asked(asked, demo), demo.trace.start, demo.trace.end))
    return frozenset(
        ((row, column), value)
        for row, values in enumerate(board)
        for column, value in enumerate(values)
        if asked.dim != "comparison_state" or start[row][column] != end[row][column]
    )


def _number_operations(asked: Asked, demo: Demo) -> Any:
    steps = list(zip(demo.trace.states, demo.trace.operations, strict=False))
    squares = [(source(state, slide), slide.direction) for state, slide in steps]
    if asked.dim == "order_operation":
        return _by_number(asked, squares)
    wanted = asked.find(r"the ['‘`](left|right|up|down)(?:ward)?['’`] move")
    return tuple(sorted(cell for cell, direction in squares if direction == wanted))


def _circle_operations(asked: Asked, demo: Demo) -> Any:
    if asked.dim == "order_operation":
        return tuple(step.direction for _, step in _by_number(asked, demo.trace.operations))
    wanted = asked.find(r"direction ['‘`](left|right|up|down)(?:ward)?['’`]")
    steps = zip(demo.trace.states, demo.trace.operations, strict=False)
    return tuple(sorted(state.ring for state, step in steps if step.direction == wanted))


def _cup_operations(asked: Asked, demo: Demo) -> Any:
    if asked.dim == "order_operation":
        return _by_number(asked, [demo.world.normal_form(swap) for swap in demo.trace.operations])
    row = read_cell(asked.find(r"row ['‘`]([a-j])['’`]") + "1")[0]
    touched = [
        frozenset(cell for cell in (swap.first, swap.second) if cell[0] == row) for swap in demo.trace.operations
    ]
    return tuple(cells for cells in touched if cells)


def _cup_state(asked: Asked, demo: Demo) -> Any:
    contents = _contents(asked, demo, lambda cups: cups.rows)
    return contents if asked.dim == "comparison_state" else frozenset(cell for cell, coin in contents if coin)


def _file_operations(asked: Asked, demo: Demo) -> Any:
    verb = re.search(r"`?\b(touch|rm|cp|mv)(?: -rf?)?`? commands", asked.words)
    commands = [one for one in demo.trace.operations if verb is None or one.verb == verb[1]]
    if asked.dim == "order_operation":
        return _by_number(asked, [demo.world.normal_form(command) for command in commands])
    asked.find(r"(How many different)")
    names = (name for command in commands for name in command.names)
    return _files(name for name in names if name.endswith(asked.extension))


def _file_state(asked: Asked, demo: Demo) -> Any:
    if asked.dim != "comparison_state":
        names = _state_asked(asked, demo).paths[asked.container]
        return _files(name for name in names if name.endswith(asked.extension))
    after = re.search(r"After the command `([^`]*)` was executed.* in `path(\d)/?`.* not in `path(\d)/?`", asked.words)
    if after is None:
        place, (one, other) = asked.container, _two_moments(asked, demo)
        return _files(one.paths[place]) - _files(other.paths[place])
    command = demo.world.read_operation(after[1])
    if demo.trace.operations.count(command) != 1:
        raise ValueError("the command it names was not carried out once")
    paths = demo.trace.states[demo.trace.operations.index(command) + 1].paths
    return _files(paths[int(after[2])]) - _files(paths[int(after[3])])


def _files(names: Iterable[str]) -> frozenset[str]:
    """Names as the verifier reads them: case is ignored."""
    return frozenset(name.lower() for name in names)


def _changes(asked: Asked, demo: Demo, thing: Callable[[Any], tuple[Any, int]]) -> Any:
    """The cards or chips that were added or removed: by their number, or all of those of one pile or cup."""
    verb = asked.find(r"(?:being|were) (add|remove)(?:ed|d) ")
    changes = [thing(change) for change in demo.trace.operations if change.verb == verb]
    if asked.dim == "order_operation":
        return _by_number(asked, changes)
    return tuple(sorted(value for value, place in changes if place == asked.container))


def _card_state(asked: Asked, demo: Demo) -> Any:
    place = asked.container
    if asked.dim == "comparison_state":
        one, other = _two_moments(asked, demo)
        return tuple(sorted(set(one.piles.piles[place]) - set(other.piles.piles[place])))
    return tuple(_state_asked(asked, demo).piles.piles[place])


def _chip_state(asked: Asked, demo: Demo) -> Any:
    place = asked.container
    if asked.dim != "comparison_state":
        return tuple(sorted(_state_asked(asked, demo).cups[place]))
    start, end = (sum(state.cups[place]) for state in (demo.trace.start, demo.trace.end))
    if start == end:
        raise IllegalQuestion("it asks when the value is higher, and it is the same at both moments")
    return ("start" if start > end else "end"), abs(start - end)


def _two_moments(asked: Asked, demo: Demo) -> tuple[Any, Any]:
    """The state at the moment when things were there, and at the one when they were not."""
    there = asked.find(r"at the (start|end) of the video, but were not there at the (?:start|end)")
    return demo.at(there), demo.at("end" if there == "start" else "start")


def _by_number(asked: Asked, values: Any) -> tuple[tuple[int, Any], ...]:
    first, last = asked.span
    if not 1 <= first <= last <= len(values):
        raise IllegalQuestion(f"it asks for numbers {first} to {last} of {len(values)}")
    return tuple((number, values[number - 1]) for number in range(first, last + 1))


_TRUTHS: dict[tuple[str, bool], Callable[[Asked, Demo], Any]] = {
    ("hrd", False): _number_operations,
    ("hrd", True): lambda asked, demo: _contents(asked, demo, lambda board: board.rows),
    ("grid", False): _circle_operations,
    ("grid", True): lambda asked, demo: _contents(asked, demo, lambda position: position.pieces.rows),
    ("cup", False): _cup_operations,
    ("cup", True): _cup_state,
    ("file_sys", False): _file_operations,
    ("file_sys", True): _file_state,
    ("card", False): lambda asked, demo: _changes(asked, demo, lambda change: (change.card, change.pile)),
    ("card", True): _card_state,
    ("chip", False): lambda asked, demo: _changes(asked, demo, lambda change: (change.value, change.cup)),
    ("chip", True): _chip_state,
}


@dataclass(frozen=True, slots=True)
class Goal:
    """What a plan must lead to. Only one pile, cup or path is asked for, and the others may be as they like."""

    demo: Demo
    start: Any
    whole: Any
    """The goal with all else as it is at the start, in the world's terms."""
    container: int | None = None

    def part(self, state: Any) -> Any:
        """What is compared of a state."""
        goal = self.demo.world.goal_of(state) if state is not self.whole else state
        if self.container is None:
            return goal
        contents = next(getattr(goal, name) for name in ("piles", "cups", "paths") if hasattr(goal, name))
        return contents[self.container]

    def judge(self, operations: tuple[Any, ...]) -> PlanVerdict:
        """Whether the operations are legal and end at the goal, by the world's rules; any that do are right."""
        world = self.demo.world
        try:
            world.plan_limits(operations)
            end = replay(world, self.start, operations).end
        except Refusal as refusal:
            return PlanVerdict(False, str(refusal))
        except IllegalOperation as error:
            return PlanVerdict(False, str(error), error.index)
        if self.part(end) != self.part(self.whole):
            return PlanVerdict(False, "the plan is legal but does not end at the goal")
        return PlanVerdict(True)

    def error(self) -> str | None:
        """Why the question is none, where it is none: the goal holds already or no plan leads to it."""
        if self.part(self.start) == self.part(self.whole):
            return "its goal holds already"
        planner: Any = self.demo.world.optimal_plan
        try:
            if self.demo.name in ("hrd", "grid"):
                planner(self.start, self.whole, PLANNER_NODES)
            else:
                planner(self.start, self.whole)
        except NoPlan as error:
            return f"no plan leads to its goal: {error}"
        except PlanBudgetExceeded:
            return None
        return None


def goal(asked: Asked, demo: Demo) -> Goal:
    """The goal that the question sets. Raises ValueError where its words are none that are known."""
    start, world = demo.at(asked.moment), demo.world
    match asked.name:
        case "hrd" | "grid":
            text = asked.find(r"desired (?:number )?arrangement[^:`]*: `([^`]*)`")
            cells = dict(reader(Asked(asked.name, "order_state", ""))(text))
            return Goal(
                demo,
                start,
                world.read_goal(_board(cells, demo) if asked.name == "hrd" else {"board": _board(cells, demo)}),
            )
        case "cup":
            coins = answers.cells(1)(asked.find(r"desired distribution of coins: `([^`]*)`"))
            size = start.size
            rows = [[int((row, column) in coins) for column in range(size)] for row in range(size)]
            if len(coins) != sum(map(sum, rows)):
                raise ValueError("its goal names cells outside the board")
            return Goal(demo, start, world.read_goal(rows))
    kind = CONTAINERS[asked.name]
    container = int(asked.find(rf"ensure that\s+`{kind}(\d)/?` contains exactly"))
    names = [name.strip() for name in asked.find(r"contains exactly the following [^:`]*: `([^`]*)`").split(",")]
    names = [name for name in names if name]
    contents: Any = names
    if asked.name == "card":
        contents = [read_card(name) for name in names]
    elif asked.name == "chip":
        contents = sorted(int(name) for name in names)
    else:
        contents = sorted(names)
    whole = world.write_goal(world.goal_of(start))
    if f"{kind}{container}" not in whole:
        raise ValueError(f"its goal is about {kind}{container}, which is not there")
    return Goal(demo, start, world.read_goal({**whole, f"{kind}{container}": contents}), container)


def _board(cells: dict[answers.Cell, int], demo: Demo) -> list[list[int]]:
    """A matrix of what is in every cell. Raises ValueError where a cell is missing or outside."""
    first = demo.trace.start
    size = (first.pieces if isinstance(first, Position) else first).size
    if set(cells) != {(row, column) for row in range(size) for column in range(size)}:
        raise ValueError("its goal does not name every cell of the board once")
    return [[cells[row, column] for column in range(size)] for row in range(size)]
