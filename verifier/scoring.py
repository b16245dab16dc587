"""Is a reply right? Judgements of single replies, by reading them and, for operations, replaying them."""

import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

from generators.family import family
from generators.item import Item, Kind, Question
from generators.questions import Episode
from simulators.contract import IllegalOperation, Refusal, World, replay
from simulators.worlds import worlds
from verifier.reading import Unparsed, read_reply

Outcome = Literal["correct", "wrong", "unparsed", "refused", "failed", "missing"]
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)
"""Counted apart and never folded. The denominator is every question asked."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What became of one question about one clip.

    `value` is the answer read, in the form of the key. For operations, `first_illegal` is the index of the first one
    that could not be carried out and `optimality_gap` how many more a right plan has than the shortest.
    """

    item: str
    question: str
    clip: int
    level: int
    outcome: Outcome
    value: Any = None
    reason: str | None = None
    first_illegal: int | None = None
    optimality_gap: int | None = None

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


ROUNDING = 1e-9
"""Seconds that a length may lie beyond the tolerance: 2.8 - 2.5 is a little more than 0.3 in binary."""


@dataclass(frozen=True, slots=True)
class PlanVerdict:
    """How a proposed plan fared; `reason` says why it is wrong."""

    is_right: bool
    reason: str | None = None
    first_illegal: int | None = None


def judge_plan(world: World[Any, Any, Any], start: Any, goal: Any, operations: tuple[Any, ...]) -> PlanVerdict:
    """Whether `operations` lead from `start` to `goal` by the world's rules; any plan that does is right."""
    try:
        world.plan_limits(operations)
        end = replay(world, start, operations).end
    except Refusal as refusal:
        return PlanVerdict(False, str(refusal))
    except IllegalOperation as error:
        return PlanVerdict(False, str(error), error.index)
    if world.goal_of(end) != goal:
        return PlanVerdict(False, "the plan is legal but does not end at the goal")
    return PlanVerdict(True)


def judge(item: Item, question: Question, clip: int, reply: str | None) -> Judgement:
    """The judgement of a reply to one question about one clip; None means that no reply came."""
    kind = family(item.family)
    world = kind.world
    lists_operations = question.kind == "operations" or kind.question(question.id).LISTS_OPERATIONS
    if reply is None:
        return Judgement(item.id, question.id, clip, question.level, "failed", reason="no reply came")
    reading = read_reply(
        question.kind,
        reply,
        options=question.options,
        world=world,
        container=question.about.get("part"),
        lists_things=not lists_operations,
    )
    if isinstance(reading, Unparsed):
        outcome: Outcome = "refused" if reading.category == "refused" else "unparsed"
        return Judgement(item.id, question.id, clip, question.level, outcome, reason=reading.reason)
    if question.kind != "operations" or world is None:
        value, key = reading.value, question.keys[clip]
        if question.kind == "seconds":
            is_right = is_near(value, key, question.about["tolerance"])
        else:
            if lists_operations and world is not None:
                value, key = _normal_forms(world, value), _normal_forms(world, key)
            elif question.kind == "items":
                value, key = _in_any_case(value), _in_any_case(key)
            is_right = value == key and type(value) is type(key)
        outcome = "correct" if is_right else "wrong"
        return Judgement(item.id, question.id, clip, question.level, outcome, reading.value)
    episode: Episode = kind.episode(item.clips[clip].plan)
    verdict = judge_plan(world, episode.asked, world.read_goal(question.about["goal"]), reading.value)
    return Judgement(
        item.id,
        question.id,
        clip,
        question.level,
        "correct" if verdict.is_right else "wrong",
        [world.write_operation(operation) for operation in reading.value],
        verdict.reason,
        verdict.first_illegal,
        len(reading.value) - len(question.about["solution"]) if verdict.is_right else None,
    )


def is_near(seconds: float, key: Any, tolerance: Any) -> bool:
    """Whether a length lies within `tolerance` of the key. Raises ValueError where either is none."""
    if not is_length(key):
        raise ValueError(f"the key is {key!r}, expected a number of seconds")
    if not (is_length(tolerance) and tolerance > 0):
        raise ValueError(f'"tolerance" is {tolerance!r}, expected a number of seconds above 0')
    return bool(abs(seconds - key) <= tolerance + ROUNDING)


def is_length(value: Any) -> bool:
    """Whether a JSON value is a length of time: a finite number, not negative; true and false are no numbers."""
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= sys.float_info.max


def _normal_forms(world: World[Any, Any, Any], operations: list[str]) -> list[Any]:
    return [world.normal_form(world.read_operation(text)) for text in operations]


def _in_any_case(names: list[Any]) -> list[Any]:
    """The names of a multiset in lower case, sorted: a.txt and A.TXT are the same file."""
    return sorted((name.lower() if isinstance(name, str) else name for name in names), key=str)


def missing(item: Item, question: Question, clip: int) -> Judgement:
    """The judgement of a question that no reply was given for."""
    return Judgement(item.id, question.id, clip, question.level, "missing", reason="no reply for this question")


def asked(item: Item) -> Iterator[tuple[Question, int]]:
    """Every (question, clip) of an item: what the denominator counts."""
    for question in item.questions:
        for clip in range(len(item.clips)):
            yield question, clip


def read_line(line: dict[str, Any]) -> tuple[Any, str | None]:
    """(value, reason) of one line with a kind and a reply: the answer in the form of the key, or "unparsed" and why.

    For operations, with world, start and goal beside them, the value is "correct" or "wrong".
    Raises ValueError where the line lacks what its kind needs.
    """
    kind, reply, options = line.get("kind"), line.get("reply"), line.get("options")
    if not isinstance(kind, str) or kind not in get_args(Kind):
        raise ValueError(f'"kind" is {kind!r}, expected one of {", ".join(get_args(Kind))}')
    if not isinstance(reply, str):
        raise ValueError('"reply" is no text')
    if kind == "choice" and not (isinstance(options, list) and all(isinstance(option, str) for option in options)):
        raise ValueError('a choice needs "options", a list of texts')
    world = None
    if "world" in line:
        if line["world"] not in worlds():
            raise ValueError(f"unknown world {line['world']!r}: expected one of {', '.join(worlds())}")
        world = worlds()[line["world"]]
    if kind == "operations" and (world is None or "start" not in line or "goal" not in line):
        raise ValueError('operations need "world", "start" and "goal"')
    reading = read_reply(kind, reply, options=options, world=world)
    if isinstance(reading, Unparsed):
        return "unparsed", reading.reason
    if kind != "operations" or world is None:
        return reading.value, None
    start, goal = world.read_state(line["start"]), world.read_goal(line["goal"])
    verdict = judge_plan(world, start, goal, reading.value)
    return ("correct" if verdict.is_right else "wrong"), verdict.reason
