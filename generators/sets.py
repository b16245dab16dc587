"""Sets of several families: those that come with Proofreel, and a user's own from a YAML or TOML file."""

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from generators.difficulty import read_condition, read_ladder
from generators.errors import InputError
from generators.family import family, family_names
from generators.pairs import GROUPS
from generators.sampling import ANY, Part, Selection, directed, make_items, with_room
from generators.settings import MAXIMUM_COUNT, LookChoice, first_problem

HIDDEN_STATE_SIZES = {
    "number": (3, 4),
    "circle": (3, 4),
    "cup": (3, 4),
    "file": (1, 2),
    "card": (1, 2),
    "chip": (1, 2),
}
"""Two sizes of each world: rows of a board, or paths, piles and cups."""


TIMEBLIND_ITEMS = 600


@dataclass(frozen=True, slots=True)
class Definition:
    """A set: its name, what it is for, and its parts."""

    name: str
    summary: str
    parts: tuple[Part, ...]

    @property
    def plans(self) -> int:
        return sum(part.plans for part in self.parts)


def videoreasonbench() -> Definition:
    """The shape of VideoReasonBench (arXiv 2505.23359): 240 clips from 120 plans, six questions each."""
    parts = [
        _part(name, size, operations, seconds_per_op=2.5)
        for name, sizes in HIDDEN_STATE_SIZES.items()
        for size in sizes
        for operations in range(5, 15)
    ]
    return Definition(
        "videoreasonbench",
        "The shape of VideoReasonBench: six worlds with a hidden state × two sizes × 5 to 14 operations × two reveals, "
        "240 clips from 120 plans with six questions each, 1,440 in all; 2.5 seconds an operation.",
        tuple(parts),
    )


def smoke() -> Definition:
    """A tiny set of every world, to see that everything works."""
    parts = [
        _part(name, sizes[0], 3, resolution=256, fps=12, seconds_per_op=1.0)
        for name, sizes in HIDDEN_STATE_SIZES.items()
    ]
    return Definition("smoke", "A tiny set: one plan of every world with a hidden state, shown twice.", tuple(parts))


def timeblind(
    count: int = TIMEBLIND_ITEMS, open_questions: bool = False, independent_frames: bool = False
) -> Definition:
    """The shape of TimeBlind (2026): pairs of eleven categories, as many of each of its three groups.

    Within a group the categories share evenly, but that the temporal relations get a multiple of 13 where they can.
    """
    parts = []
    for number, group in enumerate(dict.fromkeys(GROUPS.values())):
        names = [name for name, its_group in GROUPS.items() if its_group == group]
        size = count // 3 + (number < count % 3)
        shares = [size // len(names) + (place < size % len(names)) for place in range(len(names))]
        if "temporal_topology" in names and (place := names.index("temporal_topology")) + 1 < len(names):
            surplus = shares[place] % 13 if shares[place] >= 13 else 0
            shares[place] -= surplus
            shares[place + 1] += surplus // 2
            shares[place + 2] += surplus - surplus // 2
        settings = {"form": "both", "open_questions": open_questions, "independent_frames": independent_frames}
        parts += [
            Part(name, family(name).settings.model_validate(settings), share)
            for name, share in zip(names, shares, strict=True)
            if share
        ]
    return Definition(
        "timeblind",
        "The shape of TimeBlind: minimal pairs of eleven categories in three groups, 600 instances of two clips with "
        "two questions each, 2,400 in all, half yes/no and half with two options; --count makes more or fewer.",
        tuple(parts),
    )


def _part(name: str, size: int, operations: int, **more: Any) -> Part:
    kind = family(name)
    settings = kind.settings.model_validate({kind.drivers["size"]: size, "ops": operations, "reveal": "both", **more})
    return Part(name, settings, 1)


TOMATO_QUESTIONS = {
    "rotation": 286,
    "motion_direction": 403,
    "velocity_frequency": 210,
    "shape_trend": 223,
    "visual_cues": 70,
    "action_count": 292,
}
"""How many questions TOMATO has on each of its six tasks."""


def tomato(count: int = sum(TOMATO_QUESTIONS.values()), independent_frames: bool = False) -> Definition:
    """The shape of TOMATO (arXiv 2410.23266): single clips of six tasks, in its proportions at any size."""
    total = sum(TOMATO_QUESTIONS.values())
    shares = {name: count * number // total for name, number in TOMATO_QUESTIONS.items()}
    # What is left over goes to those that were cut down most.
    by_rest = sorted(TOMATO_QUESTIONS, key=lambda name: -(count * TOMATO_QUESTIONS[name] % total))
    for name in by_rest[: count - sum(shares.values())]:
        shares[name] += 1
    settings = {"independent_frames": independent_frames}
    return Definition(
        "tomato",
        "The shape of TOMATO: single clips of six tasks with three to seven options each, shown by people, things and "
        "plain shapes, 1,484 questions in all; --count makes more or fewer.",
        tuple(
            Part(name, family(name).settings.model_validate(settings), share) for name, share in shares.items() if share
        ),
    )


SETS: Mapping[str, Callable[[], Definition]] = {
    "videoreasonbench": videoreasonbench,
    "timeblind": timeblind,
    "tomato": tomato,
    "smoke": smoke,
}


@dataclass(frozen=True, slots=True)
class Scaled:
    """A set that is made in any size: what is counted, and which switches it has beside that."""

    make: Callable[..., Definition]
    counted: str
    switches: tuple[str, ...]


SCALED: Mapping[str, Scaled] = {
    "timeblind": Scaled(timeblind, "instances of two clips", ("open_questions", "independent_frames")),
    "tomato": Scaled(tomato, "clips with one question", ("independent_frames",)),
}


def in_look(parts: tuple[Part, ...], look: LookChoice) -> tuple[Part, ...]:
    """The same parts in another look: the same items, in other pixels."""
    return tuple(replace(part, settings=part.settings.model_copy(update={"look": look})) for part in parts)


def is_set(name: str, parts: tuple[Part, ...]) -> bool:
    """Whether the parts are those of the set with this name, in whichever size and looks."""
    plain = in_look(parts, "plain")
    if name in SCALED:
        count = min(sum(part.plans for part in parts), MAXIMUM_COUNT)
        scaled = SCALED[name]
        every = product((False, True), repeat=len(scaled.switches))
        return any(scaled.make(count, *chosen).parts == plain for chosen in every)
    return SETS[name]().parts == plain


def find_set(name: str) -> Definition:
    """The set with this name, or in this file. Raises InputError where there is neither."""
    if name in SETS:
        return SETS[name]()
    path = Path(name)
    if path.suffix in (".yaml", ".yml", ".toml"):
        return read_set(path)
    known = ", ".join([*family_names(), *SETS])
    raise InputError(f"unknown family or set {name!r}: choose from {known}, or name a .yaml or .toml file")


@dataclass(frozen=True, slots=True)
class Entry:
    """A value of a file, and the line where it stands."""

    value: Any
    line: int


def read_set(path: Path) -> Definition:
    """A user's own set. Raises InputError that names the line where something is not understood."""
    if path.exists() and not path.is_file():
        raise InputError(f"{path} is no regular file")
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is no UTF-8 text: {error}") from None
    top, parts = (_read_toml if path.suffix == ".toml" else _read_yaml)(path, text)
    for name, entry in top.items():
        if name not in ("name", "summary") or not isinstance(entry.value, str):
            raise InputError(f"{path}, line {entry.line}: expected name and summary as texts, and parts; not {name}")
    if not parts:
        raise InputError(f"{path}: has no parts: list at least one with a family and a count")
    title = top["name"].value if "name" in top else re.sub(r"[^\w-]+", "-", path.stem)[:60]
    if not re.fullmatch(r"[\w-]{1,60}", title):
        raise InputError(f"{path}, line {top['name'].line}: a name has letters, digits, - and _ only, not {title!r}")
    summary = top["summary"].value if "summary" in top else f"The set described in {path}."
    return Definition(title, summary, tuple(_read_part(path, line, part) for line, part in parts))


def _read_part(path: Path, line: int, entries: dict[str, Entry]) -> Part:
    """One part: family, count, where, ladder and per_rung, and the family's own settings by their names."""

    def text_of(name: str) -> str | None:
        entry = entries.get(name)
        if entry is not None and not isinstance(entry.value, str):
            raise InputError(f"{path}, line {entry.line}: {name} is a text, not {entry.value!r}")
        return entry.value if entry else None

    def number_of(name: str) -> int | None:
        entry = entries.get(name)
        if entry is not None and (type(entry.value) is not int or not 1 <= entry.value <= MAXIMUM_COUNT):
            raise InputError(
                f"{path}, line {entry.line}: {name} is a whole number from 1 to {MAXIMUM_COUNT}, not {entry.value!r}"
            )
        return entry.value if entry else None

    def at(name: str, read: Callable[[], Any]) -> Any:
        try:
            return read()
        except InputError as error:
            raise InputError(f"{path}, line {entries[name].line if name in entries else line}: {error}") from None

    name = text_of("family")
    if name is None:
        raise InputError(f"{path}, line {line}: this part names no family: choose from {', '.join(family_names())}")
    kind = at("family", lambda: family(name))
    condition, rungs, per_rung, count = text_of("where"), text_of("ladder"), number_of("per_rung"), number_of("count")
    if (rungs is None) != (per_rung is None) or (rungs is not None and count is not None):
        raise InputError(f"{path}, line {line}: a part has a count, or a ladder with per_rung")
    where = at("where", lambda: read_condition(condition)) if condition is not None else None
    ladder = at("ladder", lambda: read_ladder(rungs, per_rung)) if rungs is not None and per_rung is not None else None
    named = ("family", "count", "where", "ladder", "per_rung")
    settings = {key: entry.value for key, entry in entries.items() if key not in named}
    try:
        read = kind.settings.model_validate(with_room(kind, settings, Selection(where, ladder)))
    except ValidationError as error:
        wrong = str(error.errors(include_url=False)[0]["loc"][0])
        where_it_is = entries[wrong].line if wrong in entries else line
        raise InputError(f"{path}, line {where_it_is}: {wrong}: {first_problem(error, with_place=False)}") from None
    part = Part(kind.name, read, ladder.rungs * ladder.per_rung if ladder else count or 1, Selection(where, ladder))
    # A measure that there is not, or one that the settings rule out, is found with any item.
    sample = at("where" if where else "ladder", lambda: next(make_items(replace(part, plans=1, selection=ANY), 0)))
    if where is not None:
        at("where", lambda: (where.holds(sample.measures), directed(kind, read, where)))
    if ladder is not None:
        at("ladder", lambda: (ladder.condition(0).holds(sample.measures), directed(kind, read, ladder.condition(0))))
    return part


Contents = tuple[dict[str, Entry], list[tuple[int, dict[str, Entry]]]]


def _read_yaml(path: Path, text: str) -> Contents:
    import yaml

    def entries(node: Any) -> Iterator[tuple[str, int, Any]]:
        if not isinstance(node, yaml.MappingNode):
            raise InputError(f"{path}, line {node.start_mark.line + 1}: expected names with values")
        seen = set()
        for key, value in node.value:
            line = key.start_mark.line + 1
            if not isinstance(key, yaml.ScalarNode):
                raise InputError(f"{path}, line {line}: a name is a word, not a list or a table")
            if key.value in seen:
                raise InputError(f"{path}, line {line}: {key.value} stands here twice")
            seen.add(key.value)
            yield str(key.value), line, value

    def value_of(node: Any) -> Any:
        try:
            return loader.construct_object(node, deep=True)
        except (ValueError, TypeError, OverflowError) as error:
            raise InputError(f"{path}, line {node.start_mark.line + 1}: cannot be read: {error}") from None

    def plain(node: Any) -> dict[str, Entry]:
        return {name: Entry(value_of(value), line) for name, line, value in entries(node)}

    try:
        loader = yaml.SafeLoader(text)
        root = loader.get_single_node()
        if root is None:
            raise InputError(f"{path} is empty: list at least one part with a family and a count")
        top: dict[str, Entry] = {}
        parts: list[tuple[int, dict[str, Entry]]] = []
        for name, line, value in entries(root):
            if name != "parts":
                top[name] = Entry(value_of(value), line)
            elif not isinstance(value, yaml.SequenceNode):
                raise InputError(f"{path}, line {line}: parts is a list")
            else:
                parts = [(part.start_mark.line + 1, plain(part)) for part in value.value]
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = f", line {mark.line + 1}" if mark else ""
        raise InputError(f"{path}{where}: is no YAML: {error.problem}") from None
    except yaml.YAMLError as error:
        raise InputError(f"{path}: is no YAML: {error}") from None
    except RecursionError:
        raise InputError(f"{path}: is nested too deep") from None
    return top, parts


def _read_toml(path: Path, text: str) -> Contents:
    try:
        values = tomllib.loads(text)
    except ValueError as error:  # also a number that is too long
        raise InputError(f"{path}: is no TOML: {error}") from None
    except RecursionError:
        raise InputError(f"{path}: is nested too deep") from None
    parts = values.pop("parts", [])
    if not isinstance(parts, list) or not all(isinstance(part, dict) for part in parts):
        raise InputError(f"{path}: parts is a list of tables, each begun with [[parts]]")
    # tomllib forgets lines, so they are looked up: the n-th [[parts]], and the names below it.
    lines = text.splitlines()
    starts = [number for number, line in enumerate(lines, 1) if re.match(r"\s*\[\[\s*parts\s*\]\]", line)]
    starts += [len(lines)] * (len(parts) + 1 - len(starts))

    def line_of(name: str, first: int, end: int) -> int:
        spelled = re.compile(rf"""\s*["']?{re.escape(name)}["']?\s*=""")
        return next((number for number in range(first, end + 1) if spelled.match(lines[number - 1])), first)

    top = {name: Entry(value, line_of(name, 1, starts[0])) for name, value in values.items()}
    located = [
        (start, {name: Entry(value, line_of(name, start, end)) for name, value in part.items()})
        for part, start, end in zip(parts, starts, starts[1:], strict=False)
    ]
    return top, located
