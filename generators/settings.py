"""What a user may choose: the settings of clips and of hidden-state families, with their limits."""

import re
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    ValidationError,
    ValidationInfo,
    field_validator,
)
from pydantic.fields import FieldInfo

Reveal = Literal["start", "end"]

Look = Literal["plain", "paper", "dark", "textured", "cluttered", "handheld", "noisy", "lit"]
LookChoice = Literal["plain", "paper", "dark", "textured", "cluttered", "handheld", "noisy", "lit", "random"]

SKILLS = ("recall_order", "recall_count", "infer_state", "compare_state", "predict_state", "predict_operation")


MAXIMUM_COUNT = 10_000_000
"""Plans in one part of a set."""


class IntegerRange(NamedTuple):
    """Whole numbers from `low` to `high`, both included; written `4` or `2..6`."""

    low: int
    high: int

    def __str__(self) -> str:
        return str(self.low) if self.low == self.high else f"{self.low}..{self.high}"


def read_range(value: Any) -> IntegerRange:
    """A range from `4`, `2..6`, `2-6` or a whole number. Raises ValueError otherwise."""
    if isinstance(value, IntegerRange):
        return value
    match = re.fullmatch(r"\s*(-?\d+)\s*(?:(?:\.\.|-)\s*(-?\d+)\s*)?", str(value), re.ASCII)
    if match is None or isinstance(value, bool):
        raise ValueError("write a whole number such as 4 or a range such as 2..6")
    low = int(match[1])
    high = int(match[2]) if match[2] else low
    if high < low:
        raise ValueError(f"the range {value} is empty: write the smaller number first")
    return IntegerRange(low, high)


class RealRange(NamedTuple):
    """Numbers from `low` to `high`, both included; written `2.5` or `1.5..3`."""

    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.low:g}" if self.low == self.high else f"{self.low:g}..{self.high:g}"


def read_real_range(value: Any) -> RealRange:
    """A range from `2.5`, `1.5..3` or a number. Raises ValueError otherwise."""
    if isinstance(value, RealRange):
        return value
    number = r"(\d{1,9}(?:\.\d{1,9})?)"
    match = re.fullmatch(rf"\s*{number}\s*(?:\.\.\s*{number}\s*)?", str(value), re.ASCII)
    if match is None or isinstance(value, bool):
        raise ValueError("write a number such as 2.5 or a range such as 1.5..3")
    low = float(match[1])
    high = float(match[2]) if match[2] else low
    if high < low:
        raise ValueError(f"the range {value} is empty: write the smaller number first")
    return RealRange(low, high)


class Limits(NamedTuple):
    """The least and the greatest number that a range may hold; shown in the help."""

    low: float
    high: float

    def check(self, value: Any) -> Any:
        if value.low < self.low or value.high > self.high:
            raise ValueError(f"must be from {self.low:g} to {self.high:g}")
        return value


def integer_range(low: int, high: int) -> Any:
    """The type of a setting that takes a whole number, or a range to draw from, between `low` and `high`."""
    limits = Limits(low, high)
    return Annotated[
        IntegerRange, BeforeValidator(read_range), AfterValidator(limits.check), PlainSerializer(str), limits
    ]


def real_range(low: float, high: float) -> Any:
    """The type of a setting that takes a number, or a range to draw from, between `low` and `high`."""
    limits = Limits(low, high)
    return Annotated[
        RealRange, BeforeValidator(read_real_range), AfterValidator(limits.check), PlainSerializer(str), limits
    ]


class Resolution(NamedTuple):
    """Canvas size in pixels; written `512` for a square or `640x360`."""

    width: int
    height: int

    def __str__(self) -> str:
        return str(self.width) if self.width == self.height else f"{self.width}x{self.height}"


MINIMUM_SIDE, MAXIMUM_SIDE = 128, 2048


def read_resolution(value: Any) -> Resolution:
    """A canvas size from its text. Raises ValueError where it is none or outside the limits."""
    if isinstance(value, Resolution):
        return value
    match = re.fullmatch(r"\s*(\d{1,6})(?:\s*[x×]\s*(\d{1,6}))?\s*", str(value), re.ASCII)
    if match is None:
        raise ValueError("write a number of pixels such as 512, or a width and a height such as 640x360")
    resolution = Resolution(int(match[1]), int(match[2] or match[1]))
    if not all(MINIMUM_SIDE <= side <= MAXIMUM_SIDE and side % 4 == 0 for side in resolution):
        raise ValueError(f"each side must be a multiple of 4 from {MINIMUM_SIDE} to {MAXIMUM_SIDE}")
    return resolution


def read_skills(value: Any) -> tuple[str, ...]:
    """Skills from `all` or a list with commas, in the order of SKILLS. Raises ValueError for an unknown name."""
    if not isinstance(value, str | list | tuple) or not all(isinstance(name, str) for name in value):
        raise ValueError("write skills with commas between, or all")
    names = value.split(",") if isinstance(value, str) else list(value)
    names = list(SKILLS) if [name.strip() for name in names] == ["all"] else [name.strip() for name in names]
    unknown = [name for name in names if name not in SKILLS]
    if unknown or not names:
        raise ValueError(f"unknown skill {unknown[0] if unknown else ''!r}: choose from {', '.join(SKILLS)}, or all")
    return tuple(skill for skill in SKILLS if skill in names)


class ClipSettings(BaseModel):
    """What every family lets a user choose."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    fps: Annotated[int, Field(ge=1, le=120)] = Field(24, description="frames a second")
    resolution: Annotated[Resolution, BeforeValidator(read_resolution), PlainSerializer(str)] = Field(
        Resolution(512, 512),
        description=f"canvas in pixels, N or WIDTHxHEIGHT, multiples of 4 from {MINIMUM_SIDE} to {MAXIMUM_SIDE}",
    )
    independent_frames: bool = Field(
        False, description="encode every frame by itself, so that equal frames are equal after decoding too"
    )

    look: LookChoice = Field(
        "plain",
        description="what the pictures look like, whatever is asked; random draws one an item",
    )

    def to_json(self) -> dict[str, Any]:
        """Every setting by its name, but for the plain look, so that sets made before there were looks are the same."""
        settings = self.model_dump(mode="json")
        if self.look == "plain":
            del settings["look"]
        return settings


class HiddenStateSettings(ClipSettings):
    """What the families with a hidden state add: how much happens, how fast, when the state is shown, what is asked."""

    ops: integer_range(1, 500) = Field(  # type: ignore[valid-type]
        IntegerRange(12, 12), description="operations in a clip, a number or a range such as 5..14"
    )
    reveal: Literal["start", "end", "both"] = Field(
        "start", description="when the state is shown; both makes two items of each plan, twins that stand side by side"
    )
    skills: Annotated[tuple[str, ...], BeforeValidator(read_skills), PlainSerializer(",".join)] = Field(
        SKILLS, description=f"questions to ask, with commas between: {', '.join(SKILLS)}; or all"
    )
    seconds_per_op: Annotated[float, Field(ge=0.1, le=20.0)] = Field(1.5, description="seconds an operation takes")
    goal_distance: integer_range(1, 12) = Field(  # type: ignore[valid-type]
        IntegerRange(3, 6), description="operations from the asked moment to the goal of predict_operation, as drawn"
    )
    reveal_seconds: Annotated[float, Field(ge=0.1, le=60.0)] = Field(2.0, description="seconds the state is shown")
    pairs: bool = Field(
        False,
        description="make minimal pairs: two clips with the same start whose operations differ by a swap or by one of "
        "them, and questions whose answers flip",
    )

    @field_validator("pairs")
    @classmethod
    def _show_the_start(cls, pairs: bool, info: ValidationInfo) -> bool:
        if pairs and info.data.get("reveal", "start") != "start":
            raise ValueError("a pair has one start and two ends, so its state is revealed at the start: --reveal start")
        return pairs

    def twins(self) -> int:
        """How many items are made of one plan."""
        return 2 if self.reveal == "both" else 1


def limits_of(field: FieldInfo) -> Limits | None:
    """A setting's limits, from its type's constraints."""
    low = high = None
    for constraint in field.metadata:
        if isinstance(constraint, Limits):
            return constraint
        low = getattr(constraint, "ge", low)
        high = getattr(constraint, "le", high)
    return Limits(low, high) if low is not None and high is not None else None


def first_problem(error: ValidationError, *, with_place: bool = True) -> str:
    """The first of pydantic's complaints, as "where: what" or just what."""
    problem = error.errors(include_url=False)[0]
    what = problem["msg"].removeprefix("Value error, ").removeprefix("Input ")
    if problem["type"] == "extra_forbidden":
        what = "nothing of this name is known here"
    where = ".".join(str(part) for part in problem["loc"])
    return f"{where}: {what}" if where and with_place else what
