"""Difficulty, measured on what was made; and conditions on measures that a request may name."""

import ast
import math
import operator
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, TypeVar

from generators.errors import InputError
from generators.rendering.scene import Scene
from generators.settings import IntegerRange, RealRange

Measures = dict[str, int | float]

RangeT = TypeVar("RangeT", IntegerRange, RealRange)

MAXIMUM_RUNGS = 1_000_000

MAXIMUM_CONDITION = 1_000
"""Characters of the longest condition; the parser's work grows with its nesting."""

COMPARISONS: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
MIRRORED = {ast.Lt: ast.Gt, ast.LtE: ast.GtE, ast.Gt: ast.Lt, ast.GtE: ast.LtE, ast.Eq: ast.Eq, ast.NotEq: ast.NotEq}


def timing_measures(scenes: Sequence[Scene]) -> Measures:
    """What the clips' timing adds: how fast operations follow each other, and the frame rate needed to see each.

    A reader that takes frames at `minimum_fps` or more, evenly spaced from anywhere, has one of every operation.
    """
    lengths = [(end - first) / scene.fps for scene in scenes for first, end in scene.spans]
    if not lengths:
        return {}
    seen = [(end - first) / scene.fps for scene in scenes for first, end in scene.seen or scene.spans]
    return {
        "operations_per_second": round(len(lengths) / sum(lengths), 4),
        "minimum_fps": math.ceil(1e4 / min(seen)) / 1e4,
    }


def operation_measures(operations: Sequence[str], states: Sequence[Any]) -> Measures:
    """How many operations there are, how many different ones, and the share that leaves the state as it was."""
    neutral = sum(before == after for before, after in pairwise(states))
    return {
        "operations": len(operations),
        "distinct_operations": len(set(operations)),
        "neutral_share": round(neutral / len(operations), 4) if operations else 0.0,
    }


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition on measures, such as `solution_length >= 6 and operations == 12`.

    It knows comparisons of measures with numbers, `and`, `or`, `not` and brackets, and nothing else: it is walked,
    never evaluated as code.
    """

    text: str
    tree: ast.expr = field(repr=False, compare=False)

    @property
    def names(self) -> list[str]:
        """The measures it speaks of, in alphabetical order."""
        return sorted({node.id for node in ast.walk(self.tree) if isinstance(node, ast.Name)})

    def holds(self, measures: Mapping[str, int | float]) -> bool:
        """Whether the measures satisfy it. Raises InputError for a measure that they lack."""
        return _holds(self.tree, measures)

    def range_of(self, name: str, allowed: RangeT) -> RangeT | None:
        """The part of a range outside which the condition cannot hold, or None where nothing is left."""
        low, high = _bounds(self.tree, name, *allowed)
        if isinstance(allowed, IntegerRange):
            low, high = math.ceil(low), math.floor(high)
        return type(allowed)(low, high) if low <= high else None


def read_condition(text: str) -> Condition:
    """The condition that a text states. Raises InputError saying what is not understood."""
    if len(text) > MAXIMUM_CONDITION:
        raise InputError(f"the condition has {len(text):,} characters, more than {MAXIMUM_CONDITION:,}")
    try:
        tree = ast.parse(text.strip(), mode="eval").body
        _accept(tree)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        what = error.msg if isinstance(error, SyntaxError) else str(error)
        raise InputError(
            f"the condition {text!r} is not understood ({what}): write comparisons such as solution_length>=6, joined "
            "by and, or, not and brackets"
        ) from None
    return Condition(text.strip(), tree)


def both(first: Condition | None, second: Condition | None) -> Condition | None:
    """The condition that both hold."""
    if first is None or second is None:
        return first or second
    return read_condition(f"({first.text}) and ({second.text})")


def _accept(node: ast.expr) -> None:
    """Raises ValueError where the tree holds anything but comparisons of measures with numbers, and, or and not."""
    match node:
        case ast.BoolOp(values=parts):
            for part in parts:
                _accept(part)
        case ast.UnaryOp(op=ast.Not(), operand=part):
            _accept(part)
        case ast.Compare(left=left, ops=ops, comparators=rest):
            sides = [left, *rest]
            if any(type(op) not in COMPARISONS for op in ops):
                raise ValueError("only ==, !=, <, <=, > and >= compare")
            for side in sides:
                _side(side)
            if not any(isinstance(side, ast.Name) for side in sides):
                raise ValueError("a comparison names no measure")
        case _:
            raise ValueError(f"{ast.unparse(node)} is no comparison")


def _side(node: ast.expr) -> str | int | float:
    """A measure's name or a number. Raises ValueError for anything else."""
    match node:
        case ast.Name(id=name):
            return name
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool) and abs(number) < math.inf:
            return number
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant() as positive):
            if not isinstance(opposite := _side(positive), str):
                return -opposite
    raise ValueError(f"{ast.unparse(node)} is neither a measure nor a number")


def _holds(node: ast.expr, measures: Mapping[str, int | float]) -> bool:
    match node:
        case ast.BoolOp(op=ast.And(), values=parts):
            return all(_holds(part, measures) for part in parts)
        case ast.BoolOp(values=parts):
            return any(_holds(part, measures) for part in parts)
        case ast.UnaryOp(operand=part):
            return not _holds(part, measures)
        case ast.Compare(left=left, ops=ops, comparators=rest):
            values = [_value(side, measures) for side in (left, *rest)]
            return all(
                COMPARISONS[type(op)](before, after) for op, before, after in zip(ops, values, values[1:], strict=False)
            )
    raise AssertionError(ast.dump(node))


def _value(node: ast.expr, measures: Mapping[str, int | float]) -> int | float:
    side = _side(node)
    if not isinstance(side, str):
        return side
    if side not in measures:
        raise InputError(f"there is no measure {side!r}: these items have {', '.join(sorted(measures))}")
    return measures[side]


def _bounds(node: ast.expr, name: str, low: float, high: float) -> tuple[float, float]:
    """Bounds on a measure that follow from the conditions joined by `and`; other parts bound nothing."""
    match node:
        case ast.BoolOp(op=ast.And(), values=parts):
            for part in parts:
                low, high = _bounds(part, name, low, high)
        case ast.BoolOp(op=ast.Or(), values=parts):
            ranges = [_bounds(part, name, low, high) for part in parts]
            possible = [bounds for bounds in ranges if bounds[0] <= bounds[1]]
            if not possible:
                return ranges[0]
            return min(bounds[0] for bounds in possible), max(bounds[1] for bounds in possible)
        case ast.Compare(left=left, ops=ops, comparators=rest):
            sides = [_side(side) for side in (left, *rest)]
            for op, before, after in zip(ops, sides, sides[1:], strict=False):
                if before == name and not isinstance(after, str):
                    low, high = _narrowed(type(op), after, low, high)
                elif after == name and not isinstance(before, str):
                    low, high = _narrowed(MIRRORED[type(op)], before, low, high)
    return low, high


def _narrowed(op: type[ast.cmpop], number: int | float, low: float, high: float) -> tuple[float, float]:
    if op is ast.Eq:
        return max(low, number), min(high, number)
    if op is ast.Lt:
        return low, min(high, math.nextafter(number, -math.inf))
    if op is ast.LtE:
        return low, min(high, number)
    if op is ast.Gt:
        return max(low, math.nextafter(number, math.inf)), high
    if op is ast.GtE:
        return max(low, number), high
    return low, high


@dataclass(frozen=True, slots=True)
class Ladder:
    """A graded set: `per_rung` plans for each value of one measure from `low` to `high` in steps of `step`.

    With a step of 1 between whole numbers a rung has one value of the measure; else it reaches a quarter of a step to
    either side, since what is drawn is measured in whole frames.
    """

    measure: str
    low: float
    high: float
    per_rung: int
    step: float = 1

    @property
    def rungs(self) -> int:
        return math.floor((self.high - self.low) / self.step + 1e-9) + 1

    def condition(self, plan_index: int) -> Condition:
        """What plan number `plan_index` must satisfy: the rungs follow each other, lowest first."""
        value = round(self.low + plan_index // self.per_rung * self.step, 9)
        if self.step == 1 and value == int(value):
            return read_condition(f"{self.measure} == {int(value)}")
        low, high = (round(value + side * self.step / 4, 9) for side in (-1, 1))
        return read_condition(f"{self.measure} >= {low:g} and {self.measure} <= {high:g}")

    def __str__(self) -> str:
        return f"{self.measure}={self.low:g}..{self.high:g}" + (f":{self.step:g}" if self.step != 1 else "")


def read_ladder(text: str, per_rung: int) -> Ladder:
    """A ladder from `measure=low..high` or `measure=low..high:step`. Raises InputError otherwise."""
    number = r"\s*([0-9]{1,9}(?:\.[0-9]{1,6})?)\s*"
    match = re.fullmatch(rf"\s*(\w+)\s*={number}\.\.{number}(?::{number})?", text, re.ASCII)
    if match is None or not match[1].isidentifier():
        raise InputError(
            f"--ladder {text}: write a measure and its range, as in solution_length=1..8, and for steps that are not 1 "
            "their size behind a colon, as in contrast=1.5..3:0.5"
        )
    low, high, step = float(match[2]), float(match[3]), float(match[4] or 1)
    if low > high:
        raise InputError(f"--ladder {text}: the range is empty: write the smaller number first")
    if step <= 0 or (high - low) / step > MAXIMUM_RUNGS:
        raise InputError(f"--ladder {text}: its step makes more than {MAXIMUM_RUNGS:,} rungs, or none")
    return Ladder(match[1], low, high, per_rung, step)


def seen_ranges(tried: Iterable[Measures], names: Sequence[str]) -> str:
    """What the measures of the items that were tried ran through, in words."""
    known = list(tried)
    parts = []
    for name in names:
        values = [measures[name] for measures in known if name in measures]
        if values:
            parts.append(f"{name} from {min(values):g} to {max(values):g}")
    return ", ".join(parts) or "nothing"
