"""What a family is, and how families are found: by listing this folder for modules that have a `FAMILY`."""

import importlib
import pkgutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, Protocol, Self

from pydantic import BaseModel, ConfigDict

import generators
from generators.errors import InputError
from generators.item import Kind, Plan
from generators.randomness import Streams
from generators.rendering.scene import Scene
from generators.settings import ClipSettings
from simulators.contract import World


class QuestionType(BaseModel):
    """A question: its fields are its parameters (`about`); its wording and its program stand side by side.

    `draw` chooses parameters for the episodes of one item; `prompt` and `key` are computed from one episode and the
    parameters alone, so that a verifier can compute them again.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    ID: ClassVar[str]
    LEVEL: ClassVar[int]
    KIND: ClassVar[Kind]
    LISTS_OPERATIONS: ClassVar[bool] = False
    """Whether a sequence lists operations of the family's world, and is read as such."""

    @property
    def kind(self) -> Kind:
        """The kind of its answer, where that depends on the parameters."""
        return self.KIND

    @classmethod
    def draw(cls, episodes: Sequence[Any], settings: Any, streams: Streams) -> Self:
        raise NotImplementedError(cls)

    def prompt(self, episode: Any) -> str:
        raise NotImplementedError(self)

    def key(self, episode: Any) -> Any:
        raise NotImplementedError(self)

    def options(self, episode: Any) -> list[str] | None:
        return None

    def measures(self) -> dict[str, int | float]:
        """What the parameters add to the item's measures."""
        return {}

    def check(self, episode: Any) -> None:
        """Raises ValueError where the parameters are not ones that this episode could be asked with."""


class AnyScene(Protocol):
    def __call__(self, plan: Plan, settings: Any) -> Scene: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """One kind of video with its questions. A new family is one new file that ends with `FAMILY = Family(...)`.

    `sample` gives the plans of one item, one a clip; `episode` replays a plan into what the questions are asked about
    (raising IllegalOperation or ValueError where the plan is not sound); `scene` describes the pictures;
    `measures` gives what is measured of the plans, and `drivers` names, by measure, the range among the settings that
    drives it. `world` is the rules that replies are replayed with, if any.

    A family whose items can be pairs says what differs between their clips (`pair`, raising ValueError where they are
    none); `category` is what its items are about. `partnered` gives a plan with a partner, where a setting asks for
    pairs of a family that makes single clips, or None where the plan has none.
    """

    name: str
    version: int
    summary: str
    settings: type[ClipSettings]
    sample: Callable[[Any, Streams, int], tuple[Plan, ...]]
    episode: Callable[[Plan], Any]
    scene: AnyScene
    questions: tuple[type[QuestionType], ...]
    measures: Callable[[Sequence[Any]], Mapping[str, int | float]]
    asked: Callable[[Any], Sequence[str]]
    drivers: Mapping[str, str] = field(default_factory=dict)
    world: World[Any, Any, Any] | None = None
    category: str | None = None
    pair: Callable[[Sequence[Any]], dict[str, Any]] | None = None
    partnered: "Callable[[Family, Any, Streams, Plan], tuple[Plan, ...] | None] | None" = None

    def question(self, question_id: str) -> type[QuestionType]:
        """The question type with this id. Raises InputError where the family has none."""
        for question in self.questions:
            if question_id == question.ID:
                return question
        raise InputError(f"the family {self.name} has no question {question_id!r}")


def family_names() -> list[str]:
    """The families' names, in alphabetical order, found without importing any of them.

    A family's file names itself in its last lines: `FAMILY = Family(`.
    """
    folder = Path(generators.__path__[0])
    names = [module.name for module in pkgutil.iter_modules([str(folder)]) if not module.ispkg]
    return sorted(name for name in names if "\nFAMILY = " in (folder / f"{name}.py").read_text(encoding="utf-8"))


@cache
def family(name: str) -> Family:
    """A family by its name. A family whose file fails to import stops the program; it is never skipped.

    Raises InputError for a name that no family has.
    """
    if name not in family_names():
        raise InputError(f"unknown family {name!r}: choose from {', '.join(family_names())}")
    found = importlib.import_module(f"generators.{name}").FAMILY
    if not isinstance(found, Family) or found.name != name:
        raise TypeError(f"generators/{name}.py must end with FAMILY = Family(name={name!r}, ...)")
    return found
