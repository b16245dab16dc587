"""The six skills about a hidden state, and how answers are written. Words and meaning stand side by side."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from random import Random
from typing import Any, ClassVar, Self

from generators.difficulty import Measures, operation_measures
from generators.family import QuestionType
from generators.item import Kind, Plan
from generators.randomness import Streams
from generators.sampling import draw_from, random_walk
from generators.settings import HiddenStateSettings, Reveal
from simulators.contract import Trace, World, replay

EMPTY = "none"
"""The agreed word for an answer that lists nothing."""

PREFERENCE_TRIES = 30
"""How often a question is drawn again for the sake of what is preferred but, on a small board, not always possible."""

ANSWER_MARK = "Final Answer:"


@dataclass(frozen=True, slots=True)
class Wording:
    """A world's words: its rules for a viewer, and how its states are written in prompts and keys.

    `further` draws legal operations that go on from the asked moment, for the two skills that look ahead.
    """

    thing: str
    rules: Callable[["Episode"], str]
    state_question: str
    state_kind: Kind
    state_key: Callable[[Any], Any]
    goal_text: Callable[[Any], str]
    how_to_write_state: str
    state_examples: str
    operation_examples: str
    plan_rule: str
    further: "Callable[[Episode, int, Random], Trace[Any, Any]]"


@dataclass(frozen=True, slots=True)
class Episode:
    """What one clip shows: a plan replayed, the moment its state is revealed, and the world's words."""

    world: World[Any, Any, Any]
    wording: Wording
    trace: Trace[Any, Any]
    reveal: Reveal

    @property
    def asked(self) -> Any:
        """The state at the asked moment: the end that is not revealed."""
        return self.trace.end if self.reveal == "start" else self.trace.start

    @property
    def came_from(self) -> Any:
        """The state just before the asked moment, where the video shows one."""
        return self.trace.states[-2] if self.reveal == "start" and self.trace.operations else None

    @property
    def operations(self) -> list[str]:
        return [self.world.write_operation(operation) for operation in self.trace.operations]

    @property
    def moment(self) -> str:
        """The asked moment in words, behind "at"."""
        if self.reveal == "start":
            return "the end of the video, after the last operation"
        return "the start of the video, before the first operation"

    @property
    def short_moment(self) -> str:
        return "the end of the video" if self.reveal == "start" else "the start of the video"


def walk_on(episode: Episode, length: int, random: Random) -> Trace[Any, Any]:
    """`length` further operations from the asked moment, none of which undoes the one before it."""
    return random_walk(episode.world, episode.asked, length, random, came_from=episode.came_from)


def replay_plan(world: World[Any, Any, Any], wording: Wording, plan: Plan) -> Episode:
    """The episode of a hidden-state plan. Raises ValueError or IllegalOperation where the plan is not sound."""
    if set(plan) != {"start", "operations", "reveal"}:
        raise ValueError(f"a plan has start, operations and reveal, not {', '.join(sorted(plan))}")
    if plan["reveal"] not in ("start", "end"):
        raise ValueError(f"reveal is start or end, not {plan['reveal']!r}")
    if not isinstance(plan["operations"], list) or not all(isinstance(text, str) for text in plan["operations"]):
        raise ValueError("operations is a list of texts")
    operations = [world.read_operation(text) for text in plan["operations"]]
    return Episode(world, wording, replay(world, world.read_state(plan["start"]), operations), plan["reveal"])


def write_answer(kind: Kind, key: Any) -> str:
    """A key as a person would write it: what stands behind the answer mark."""
    match kind:
        case "board":
            rows = (", ".join(str(entry) for entry in row) for row in key)
            return "[" + ", ".join(f"[{row}]" for row in rows) + "]"
        case "cells" | "sequence" | "items" | "operations":
            return ", ".join(str(entry) for entry in key) or EMPTY
        case "yes_no" | "choice" | "integer":
            return str(key)
        case "seconds":
            # Never as 1e-05, and a whole number without its point: 2.5, 2.
            return str(int(key)) if key == int(key) else format(Decimal(repr(key)), "f")


def write_reply(kind: Kind, key: Any) -> str:
    """A whole reply that gives `key`, in the form that the prompts ask for."""
    return f"{ANSWER_MARK} {write_answer(kind, key)}"


def ask(episode: Episode, question: str, form: str) -> str:
    """A whole prompt: the world's rules, the question, and the form that the answer must have."""
    return "\n\n".join([episode.wording.rules(episode), question, f"End your reply with one line such as {form}"])


def example(text: str) -> str:
    """An answer line as a prompt shows it."""
    return f"`{ANSWER_MARK} {text}`"


def _numbered(first: int, last: int) -> str:
    return f"operation number {first}" if first == last else f"operations number {first} to {last}, both included"


class RecallOrder(QuestionType):
    """Which operations were carried out, from the `first` to the `last`, counted from 1?"""

    ID: ClassVar[str] = "recall_order"
    LEVEL: ClassVar[int] = 1
    KIND: ClassVar[Kind] = "sequence"
    LISTS_OPERATIONS: ClassVar[bool] = True

    first: int
    last: int

    @classmethod
    def draw(cls, episodes: Sequence[Episode], settings: HiddenStateSettings, streams: Streams) -> Self:
        random = streams(cls.ID)
        total = len(episodes[0].trace.operations)
        length = min(total, random.randint(3, 5))
        first = random.randint(1, total - length + 1)
        return cls(first=first, last=first + length - 1)

    def check(self, episode: Episode) -> None:
        if not 1 <= self.first <= self.last <= len(episode.trace.operations):
            raise ValueError(f"there are no operations {self.first} to {self.last}")

    def prompt(self, episode: Episode) -> str:
        return ask(
            episode,
            f"Count the operations from 1. Which were {_numbered(self.first, self.last)}, in the order in which they "
            "were carried out?",
            f"{example(episode.wording.operation_examples)}: the operations in order, with commas between them.",
        )

    def key(self, episode: Episode) -> list[str]:
        return episode.operations[self.first - 1 : self.last]


class InferState(QuestionType):
    """What is the state at the asked moment?"""

    ID: ClassVar[str] = "infer_state"
    LEVEL: ClassVar[int] = 2
    KIND: ClassVar[Kind] = "board"

    @classmethod
    def draw(cls, episodes: Sequence[Episode], settings: HiddenStateSettings, streams: Streams) -> Self:
        return cls()

    def prompt(self, episode: Episode) -> str:
        wording = episode.wording
        return ask(
            episode,
            f"{wording.state_question.format(verb='is')} at {episode.moment}?",
            f"{example(wording.state_examples)}. {wording.how_to_write_state}",
        )

    def key(self, episode: Episode) -> Any:
        return episode.wording.state_key(episode.asked)


class CompareBoards(QuestionType):
    """Which cells differ between start and end, and what do they hold at the asked moment?"""

    ID: ClassVar[str] = "compare_state"
    LEVEL: ClassVar[int] = 2
    KIND: ClassVar[Kind] = "board"

    @classmethod
    def draw(cls, episodes: Sequence[Episode], settings: HiddenStateSettings, streams: Streams) -> Self:
        return cls()

    def prompt(self, episode: Episode) -> str:
        wording = episode.wording
        return ask(
            episode,
            f"Compare the {wording.thing} at the start of the video, before the first operation, with the "
            f"{wording.thing} at the end, after the last operation. Which cells do not hold the same at both moments, "
            f"and what do those cells hold at {episode.short_moment}? Write the {wording.thing} as it is at "
            f"{episode.short_moment}, but put x into each cell that holds the same at the start and at the end, also "
            "where it is empty at both.",
            f"{example('[[x, 2], [x, 0], [3, x]]')}. {wording.how_to_write_state}",
        )

    def key(self, episode: Episode) -> list[list[Any]]:
        start, end, asked = (
            episode.wording.state_key(state) for state in (episode.trace.start, episode.trace.end, episode.asked)
        )
        return [
            [asked[row][column] if start[row][column] != end[row][column] else "x" for column in range(len(start))]
            for row in range(len(start))
        ]


class PredictState(QuestionType):
    """What would the state be after further operations from the asked moment?"""

    ID: ClassVar[str] = "predict_state"
    LEVEL: ClassVar[int] = 3
    KIND: ClassVar[Kind] = "board"

    operations: list[str]

    @classmethod
    def draw(cls, episodes: Sequence[Episode], settings: HiddenStateSettings, streams: Streams) -> Self:
        random = streams(cls.ID)
        episode = episodes[0]
        state_key = episode.wording.state_key
        for _ in range(PREFERENCE_TRIES):
            further = episode.wording.further(episode, random.randint(3, 5), random)
            if state_key(further.end) != state_key(episode.asked):
                break
        return cls(operations=[episode.world.write_operation(operation) for operation in further.operations])

    def check(self, episode: Episode) -> None:
        self.key(episode)

    def prompt(self, episode: Episode) -> str:
        wording = episode.wording
        listed = ", ".join(self.operations)
        if episode.reveal == "start":
            question = (
                f"After the end of the video, these further operations are carried out in this order: {listed}. "
                f"{wording.state_question.format(verb='is')} after the last of them?"
            )
        else:
            question = (
                f"Go back to the start of the video, before its first operation. Suppose that from there, in place of "
                f"the operations in the video, these are carried out in this order: {listed}. "
                f"{wording.state_question.format(verb='is')} after the last of them?"
            )
        return ask(
            episode,
            f"{question} All of them can be carried out.",
            f"{example(wording.state_examples)}. {wording.how_to_write_state}",
        )

    def key(self, episode: Episode) -> Any:
        further = [episode.world.read_operation(text) for text in self.operations]
        return episode.wording.state_key(replay(episode.world, episode.asked, further).end)


class PredictOperation(QuestionType):
    """Which operations lead from the asked moment to the goal? Any legal plan that ends there counts."""

    ID: ClassVar[str] = "predict_operation"
    LEVEL: ClassVar[int] = 3
    KIND: ClassVar[Kind] = "operations"

    goal: Any
    solution: list[str]

    @classmethod
    def draw(cls, episodes: Sequence[Episode], settings: HiddenStateSettings, streams: Streams) -> Self:
        """A goal as far away as asked for, if the board allows it, and not one that predict_state gives away."""
        random = streams(cls.ID)
        episode = episodes[0]
        world = episode.world
        predicted = PredictState.draw(episodes, settings, streams)
        given_away = world.goal_of(
            replay(world, episode.asked, [world.read_operation(text) for text in predicted.operations]).end
        )
        best: tuple[Any, tuple[Any, ...]] | None = None
        tries = 0
        while best is None or (tries < PREFERENCE_TRIES and len(best[1]) < settings.goal_distance.low):
            tries += 1
            distance = draw_from(settings.goal_distance, random)
            goal = world.goal_of(episode.wording.further(episode, distance, random).end)
            if goal == world.goal_of(episode.asked) or (goal == given_away and tries < PREFERENCE_TRIES):
                continue
            solution = world.optimal_plan(episode.asked, goal)
            if best is None or len(solution) > len(best[1]):
                best = goal, solution
        goal, solution = best
        return cls(goal=world.write_goal(goal), solution=[world.write_operation(operation) for operation in solution])

    def check(self, episode: Episode) -> None:
        world = episode.world
        goal = world.read_goal(self.goal)
        if goal == world.goal_of(episode.asked):
            raise ValueError("the goal already holds at the asked moment")
        plan = [world.read_operation(text) for text in self.solution]
        if world.goal_of(replay(world, episode.asked, plan).end) != goal:
            raise ValueError("the stored solution does not lead to the goal")
        shortest = len(world.optimal_plan(episode.asked, goal))
        if len(plan) != shortest:
            raise ValueError(f"the stored solution has {len(plan)} operations where {shortest} are enough")

    def prompt(self, episode: Episode) -> str:
        wording = episode.wording
        goal = wording.goal_text(episode.world.read_goal(self.goal))
        return ask(
            episode,
            f"Start from the {wording.thing} as it is at {episode.moment}. Which operations turn it into this "
            f"{wording.thing}: {goal}? ({wording.how_to_write_state}) {wording.plan_rule}",
            f"{example(wording.operation_examples)}: the operations in order, with commas between them; or "
            f"{example(EMPTY)} if no operation is needed.",
        )

    def key(self, episode: Episode) -> list[str]:
        return list(self.solution)

    def measures(self) -> dict[str, int | float]:
        return {"solution_length": len(self.solution)}


def asked_skills(settings: HiddenStateSettings) -> Sequence[str]:
    """The questions that a hidden-state family's settings ask for; of pairs, the two that flip and the state itself."""
    return ("first", "second", "infer_state") if settings.pairs else settings.skills


def hidden_state_measures(episode: Episode, size: int, hidden_bits: float) -> Measures:
    """The measures of a hidden-state plan: its size, its operations, and the bits that the masked pictures hide.

    `hidden_bits` is the binary logarithm of the number of states that look the same while the state is hidden.
    """
    return {"size": size, "hidden_bits": round(hidden_bits, 2)} | operation_measures(
        episode.operations, episode.trace.states
    )


DRIVERS = {"operations": "ops", "size": "size", "solution_length": "goal_distance"}
"""Which setting drives which measure in a hidden-state family."""
