"""The built-in readers, which look at no frames.

They read the items, keys included, and each answers as a reader would who saw so much and no more. Where they must
stand is known, so they measure the questions, the reader of replies, the counting.
"""

import inspect
import json
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any, Protocol

from evaluate.asking import Asked, every_question
from generators.errors import InputError
from generators.family import family
from generators.item import Kind, Question, canonical_json
from generators.questions import EMPTY, Episode, write_reply
from generators.randomness import stream
from generators.sampling import random_walk
from simulators.contract import PlanBudgetExceeded, Trace, World
from simulators.notation import MAXIMUM_SIZE, write_cell

NOTHING = write_reply("operations", [])
"""What a reader writes who has no answer."""

PLANNING_NODES = 5_000
"""How many positions a misled reader's planner looks at before it gives up: a tenth of a second on a large board."""

LONGEST_GUESS = 6
"""How many entries a guess has at most where the prompt does not say how many there are."""

WALK = 20
"""Steps after which a walk on any board has left the edge it began on, so that every direction has been legal."""


class Reader(Protocol):
    """A built-in model: it needs no frames, never fails, and says the same to the same question."""

    @property
    def name(self) -> str: ...

    def reply(self, asked: Asked) -> str: ...


@dataclass(frozen=True, slots=True)
class Oracle:
    """Knows every key and writes it as a person would. It must stand at 1, or else the reader of replies is wrong."""

    name: str = "oracle"

    def reply(self, asked: Asked) -> str:
        return write_reply(asked.question.kind, asked.question.keys[asked.clip])


@dataclass(frozen=True, slots=True)
class RandomReader:
    """Knows what the prompt says and nothing of the video: a well-formed answer, drawn evenly. It stands at chance.

    On an N×N Number board, with k operations or cells, d of the cells different, and m! for each cell named m times:
    recall_order 1/4^k; recall_count k!/(m!…)/(6 N^2k) for k up to 6, else 0; infer_state and predict_state 1/(N²)!;
    compare_state (N²-d)!/(N²)!/2^(N²); predict_operation the mean over L = 1 … 6 of the share of the 4^L lists of L
    slides that lead to the goal.
    """

    seed: int
    name: str = "random"

    def reply(self, asked: Asked) -> str:
        random = stream(self.seed, "random reader", *asked.name)
        return write_reply(asked.question.kind, self._answer(asked, random))

    def _answer(self, asked: Asked, random: Random) -> Any:
        question, key = asked.question, asked.question.keys[asked.clip]
        match question.kind:
            case "yes_no":
                return random.choice(["yes", "no"])
            case "choice":
                return chr(ord("A") + random.randrange(len(question.options or "A")))
            case "integer":
                return random.randint(0, 9)
            case "seconds":
                return random.randint(0, 100) / 10
            case "cells":
                size = int(asked.item.measures.get("size", MAXIMUM_SIZE))
                cells = [(random.randrange(size), random.randrange(size)) for _ in _guessed_number(random)]
                return [write_cell(*cell) for cell in sorted(cells)]
            case "board":
                return _guessed_board(asked, random)
            case "sequence":
                names = question.options or (_operations_of if question.level == 1 else _things_of)(asked, random)
                return [random.choice(names) for _ in key]
            case "operations":
                names = _operations_of(asked, random)
                return [random.choice(names) for _ in _guessed_number(random)]
            case "items":
                names = question.options or _things_of(asked, random)
                return [random.choice(names) for _ in _guessed_number(random)]


def _guessed_number(random: Random) -> range:
    return range(random.randint(1, LONGEST_GUESS))


def _guessed_board(asked: Asked, random: Random) -> list[list[Any]]:
    """The entries that such a board has, shuffled; where a comparison is asked for, each is x as often as not."""
    key, shown = asked.question.keys[asked.clip], _episode(asked)
    board = shown.wording.state_key(_revealed(shown)) if isinstance(shown, Episode) else key
    entries = [entry for row in board for entry in row]
    random.shuffle(entries)
    if asked.question.id == "compare_state":
        entries = [random.choice([entry, "x"]) for entry in entries]
    return [[entries.pop() for _ in row] for row in board]


def _operations_of(asked: Asked, random: Random) -> list[str]:
    """Operations that the rules speak of, found on a walk without a plan from the state that is shown."""
    shown = _episode(asked)
    if not isinstance(shown, Episode):
        return [EMPTY]
    world, states = shown.world, (_revealed(shown),)
    for steps in (WALK, WALK // 2, WALK // 4, 2):
        try:
            states = random_walk(world, states[0], steps, random).states
            break
        except InputError:  # Some worlds, such as small ones of files, run out of operations that undo nothing.
            continue
    return sorted({world.write_operation(one) for state in states for one in world.legal_operations(state)}) or [EMPTY]


def _things_of(asked: Asked, random: Random) -> list[Any]:
    """What the state that is shown holds: its cards, chips or files."""
    shown = _episode(asked)
    state = shown.world.write_state(_revealed(shown)) if isinstance(shown, Episode) else {}
    things = [thing for held in state.values() for thing in held] if isinstance(state, dict) else []
    return things or [EMPTY]


@dataclass(frozen=True, slots=True)
class Blind:
    """Knows how often each key occurs in the set, but not which video it is asked about: the commonest key, always.

    It stands at the commonest key's share of each question, which is what a constant answer is worth; with operations
    it may stand higher, since another plan than the stored one can be right. Among equals the first in order is taken.
    """

    answers: Mapping[tuple[str, str, Kind], str]
    """By family, question and kind of answer: sets mix families, and pairs ask the same question in two forms."""
    name: str = "blind"

    def reply(self, asked: Asked) -> str:
        return self.answers[asked.item.family, asked.question.id, asked.question.kind]


def blind(dataset: Path) -> Blind:
    """The blind reader of this set: one pass over it, which keeps a count of every different key."""
    counts: defaultdict[tuple[str, str, Kind], Counter[str]] = defaultdict(Counter)
    for asked in every_question(dataset):
        question = asked.question
        counts[asked.item.family, question.id, question.kind][canonical_json(question.keys[asked.clip])] += 1
    commonest = {name: min(keys, key=lambda key: (-keys[key], key)) for name, keys in counts.items()}
    return Blind({name: write_reply(name[-1], json.loads(key)) for name, key in commonest.items()})


@dataclass(frozen=True, slots=True)
class MisledReader:
    """Knows the rules and reasons without a mistake, but about another trace than the one that was shown.

    Answers are worked out by the questions' own programs; where there is nothing to work out, it says so.
    """

    name: str
    seen: Callable[[Episode, Question], Trace[Any, Any]]

    def reply(self, asked: Asked) -> str:
        shown = _episode(asked)
        if not isinstance(shown, Episode):
            return NOTHING
        try:
            key = _worked_out(asked, replace(shown, trace=self.seen(shown, asked.question)))
            return write_reply(asked.question.kind, key)
        except (ValueError, LookupError, PlanBudgetExceeded):
            return NOTHING


def without_operations(episode: Episode, question: Question) -> Trace[Any, Any]:
    """What `static` sees: the revealed state and nothing that happens to it.

    It answers recall with none and takes the revealed state for the asked one. In Number it stands at exactly 0: slides
    are one-to-one and the walk does not end where it began, so no state, and no state or plan that follows from it, is
    right by accident. (Only a 2×2 board is as it was after each twelfth slide; there, and there alone, static is right
    about all but recall.)
    """
    return Trace((_revealed(episode),), ())


def without_one_operation(episode: Episode, question: Question) -> Trace[Any, Any]:
    """What `one-short` sees: all but the last operation, or the first where the start of a video is worked out.

    In Number it stands at exactly 0 on levels 2 and 3: a slide changes the board and is one-to-one, and the blank's own
    two cells give the comparison away. On level 1 it is right wherever the last operation is not asked for.
    """
    trace = episode.trace
    if question.level == 1 or episode.reveal == "start":
        return Trace(trace.states[:-1], trace.operations[:-1])
    return Trace(trace.states[1:], trace.operations[1:])


def _episode(asked: Asked) -> Any:
    """What the clip shows. Raises InputError where the plan breaks the rules."""
    try:
        return family(asked.item.family).episode(asked.item.clips[asked.clip].plan)
    except ValueError as error:
        raise InputError(f"{asked.item.id}: {error}; python -m verifier check says what else is wrong") from None


def _revealed(episode: Episode) -> Any:
    return episode.trace.start if episode.reveal == "start" else episode.trace.end


def _worked_out(asked: Asked, episode: Episode) -> Any:
    """The key that the question would have if `episode` were what happened. Raises where it would have none."""
    question, world = asked.question, episode.world
    if question.kind == "operations":
        plan = _plan(world, episode.asked, world.read_goal(question.about["goal"]))
        return [world.write_operation(operation) for operation in plan]
    kind = family(asked.item.family).question(question.id)
    return kind.model_validate_json(canonical_json(question.about)).key(episode)


def _plan(world: World[Any, Any, Any], start: Any, goal: Any) -> tuple[Any, ...]:
    """A shortest plan, where it is found soon; planners that can search for long take a `node_budget`."""
    if "node_budget" in inspect.signature(world.optimal_plan).parameters:
        return world.optimal_plan(start, goal, node_budget=PLANNING_NODES)  # type: ignore[call-arg]
    return world.optimal_plan(start, goal)


READERS: Mapping[str, Callable[[Path, int], Reader]] = {
    "oracle": lambda dataset, seed: Oracle(),
    "random": lambda dataset, seed: RandomReader(seed),
    "blind": lambda dataset, seed: blind(dataset),
    "static": lambda dataset, seed: MisledReader("static", without_operations),
    "one-short": lambda dataset, seed: MisledReader("one-short", without_one_operation),
}
"""The maker of each reader by name; it gets the dataset's folder and the run's seed."""
