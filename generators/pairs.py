"""Minimal pairs: two clips that share everything static and differ along one axis, and questions whose answers flip.

The shape is TimeBlind's (2026): two videos × two complementary questions, which are yes/no or one stem with its two
options swapped. A family of pairs is a file with several `Script`s: each is one way to make a pair, and holds the
words, the answer and the pictures of one clip side by side.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Annotated, Any, ClassVar, Literal, Self, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, PlainSerializer

from generators.errors import InputError
from generators.family import AnyScene, Family, QuestionType
from generators.item import Kind, Plan, canonical_json
from generators.questions import example
from generators.randomness import Streams
from generators.rendering.scene import Scene
from generators.settings import ClipSettings, RealRange, real_range

GROUPS = {
    "fine_grained_action": "event",
    "state_transition": "event",
    "speed": "attribute",
    "direction": "attribute",
    "duration": "attribute",
    "repetition": "attribute",
    "force": "attribute",
    "magnitude": "attribute",
    "temporal_topology": "logic",
    "causal_contingency": "logic",
    "cross_event_comparison": "logic",
}
"""The eleven categories of pairs and the groups that they belong to."""

Form = Literal["yes_no", "choice"]
FORMS: tuple[Form, ...] = ("yes_no", "choice")

LETTERS = ("A", "B")

SCENES_KEPT = 4

# ---------------------------------------------------------------------------------------------------- settings


def read_names(value: Any) -> tuple[str, ...]:
    if not isinstance(value, str | list | tuple) or not all(isinstance(name, str) for name in value):
        raise ValueError("write names with commas between, or all")
    names = value.split(",") if isinstance(value, str) else value
    return tuple(dict.fromkeys(name.strip() for name in names))


class PairSettings(ClipSettings):
    """What the families of pairs let a user choose; each sets the contrast that its axis has."""

    seconds: real_range(4.0, 60.0) = Field(  # type: ignore[valid-type]
        RealRange(7.0, 10.0), description="length of a clip in seconds, a number or a range such as 6..9"
    )
    contrast: real_range(1.05, 10.0) = Field(  # type: ignore[valid-type]
        RealRange(1.5, 3.0), description="how far apart the two sides are, as a ratio"
    )
    form: Literal["yes_no", "choice", "both"] = Field(
        "both", description="the form of the two questions; both takes turns"
    )
    open_questions: bool = Field(True, description="ask of the same events one open question with an exact key as well")
    scripts: Annotated[tuple[str, ...], BeforeValidator(read_names), PlainSerializer(",".join)] = Field(
        ("all",), description="which ways to make a pair, with commas between; or all"
    )


# ---------------------------------------------------------------------------------------------------- scripts


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """What a pair asks, the same for both of its clips.

    `context` says what the video shows, with every rule that a viewer needs. Of two alternatives exactly one is true of
    each clip: as `claims` they are two yes/no questions, as `options` two answers to `stem`.
    """

    context: str
    stem: str
    options: tuple[str, str]
    claims: tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Open:
    """The same events asked about openly: the words are the same for both clips, the key is this clip's.

    `form` describes the answer behind "End your reply with one line such as"; `tolerance` is for kind `seconds`.
    """

    kind: Kind
    question: str
    form: str
    key: Any
    options: tuple[str, ...] | None = None
    tolerance: float | None = None


class Script(BaseModel):
    """One way to make a pair, and what happens in one clip of it: its fields are the clip's plan, in frames.

    A subclass gives `draw`, which makes both clips, and then words, answer, measure and pictures of one. Everything
    that is not on the pair's axis must be the same in both clips, the first and the last frame among it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)

    NAME: ClassVar[str]
    """What the plan calls this way to make a pair."""

    fps: int = Field(ge=1, le=120)
    frames: int = Field(ge=2, le=20_000)

    @classmethod
    def draw(cls, settings: Any, streams: Streams, turn: int) -> tuple[Self, Self]:
        """The two clips of a pair, either first. `turn` counts the pairs that this script makes in a set."""
        raise NotImplementedError(cls)

    def words(self) -> Words:
        raise NotImplementedError(self)

    def answer(self) -> int:
        """Which of the two alternatives is true of this clip: 0 or 1."""
        raise NotImplementedError(self)

    def open_question(self) -> Open:
        raise NotImplementedError(self)

    def contrast(self) -> float:
        """How far apart the two sides are, the same for both clips, as the settings' `contrast` counts it."""
        raise NotImplementedError(self)

    def difference(self) -> str:
        """What differs between the two clips, in words that hold for both."""
        raise NotImplementedError(self)

    def scene(self, settings: Any) -> Scene:
        raise NotImplementedError(self)

    def to_plan(self) -> Plan:
        return {"script": self.NAME, **self.model_dump(mode="json")}


ScriptT = TypeVar("ScriptT")


def named_scripts(name: str, by_name: Mapping[str, ScriptT], wanted: Sequence[str]) -> list[ScriptT]:
    """The scripts that a setting names, or all. Raises InputError for one that the family `name` does not have."""
    names = list(by_name) if tuple(wanted) == ("all",) else wanted
    unknown = [script for script in names if script not in by_name]
    if unknown or not names:
        raise InputError(
            f"--scripts: {name} has no script called {unknown[0] if unknown else ''!r}: choose from "
            f"{', '.join(by_name)}, or all"
        )
    return [by_name[script] for script in names]


def worked_out_once(scene: AnyScene) -> AnyScene:
    """The function, which keeps its last few scenes: what an item is measured by is painted next."""

    @lru_cache(maxsize=SCENES_KEPT)
    def built(text: str, settings: Any) -> Scene:
        return scene(json.loads(text), settings)

    def kept(plan: Plan, settings: Any) -> Scene:
        return built(canonical_json(plan), settings)

    return kept


def draw_real(allowed: RealRange, random: Random) -> float:
    return random.uniform(allowed.low, allowed.high)


# ---------------------------------------------------------------------------------------------------- questions


class PairQuestion(QuestionType):
    """One of the two questions whose answers flip between the clips, and between each other in every clip."""

    LEVEL: ClassVar[int] = 1
    KIND: ClassVar[Kind] = "yes_no"
    OTHER: ClassVar[bool]
    """Whether it is the second: it claims the other alternative, or has the options the other way round."""

    form: Form
    asks: int = Field(ge=0, le=1)
    """The alternative that this question claims, or has as its first option."""

    @classmethod
    def draw(cls, episodes: Sequence[Any], settings: Any, streams: Streams) -> Self:
        return cls(**cls.drawn(settings, streams))

    @classmethod
    def drawn(cls, settings: Any, streams: Streams) -> dict[str, Any]:
        """The parameters that every pair's questions have."""
        allowed: Form | Literal["both"] = getattr(settings, "form", "both")
        form = FORMS[streams.index % 2] if allowed == "both" else allowed
        asks = streams("pair", "asks").randrange(2)
        return {"form": form, "asks": 1 - asks if cls.OTHER else asks}

    @property
    def kind(self) -> Kind:
        return self.form

    def words(self, episode: Any) -> Words:
        words: Words = episode.words()
        return words

    def answer(self, episode: Any) -> int:
        answer: int = episode.answer()
        return answer

    def prompt(self, episode: Any) -> str:
        words = self.words(episode)
        if self.form == "yes_no":
            return "\n\n".join([words.context, words.claims[self.asks], f"End your reply with one line: {YES_OR_NO}."])
        listed = "\n".join(f"{letter}. {text}" for letter, text in zip(LETTERS, self._options(words), strict=True))
        form = f"End your reply with one line: {example('A')} or {example('B')}."
        return "\n\n".join([words.context, f"{words.stem}\n{listed}", form])

    def options(self, episode: Any) -> list[str] | None:
        return self._options(self.words(episode)) if self.form == "choice" else None

    def _options(self, words: Words) -> list[str]:
        return [words.options[self.asks], words.options[1 - self.asks]]

    def key(self, episode: Any) -> str:
        is_so = self.answer(episode) == self.asks
        if self.form == "yes_no":
            return "yes" if is_so else "no"
        return LETTERS[0] if is_so else LETTERS[1]


YES_OR_NO = f"{example('yes')} or {example('no')}"


class First(PairQuestion):
    """The first of the two."""

    ID: ClassVar[str] = "first"
    OTHER: ClassVar[bool] = False


class Second(PairQuestion):
    """The second of the two."""

    ID: ClassVar[str] = "second"
    OTHER: ClassVar[bool] = True


class OpenQuestion(QuestionType):
    """What exactly happened: a count, an order, a relation, an interval, since two-way questions hide how wrong is."""

    ID: ClassVar[str] = "open"
    LEVEL: ClassVar[int] = 2
    KIND: ClassVar[Kind] = "integer"

    form: Kind
    """The kind of the answer."""
    tolerance: float | None = Field(default=None, gt=0)

    @classmethod
    def draw(cls, episodes: Sequence[Any], settings: Any, streams: Streams) -> Self:
        asked: Open = episodes[0].open_question()
        return cls(form=asked.kind, tolerance=asked.tolerance)

    def check(self, episode: Any) -> None:
        asked: Open = episode.open_question()
        if (asked.kind, asked.tolerance) != (self.form, self.tolerance):
            raise ValueError(f"the open question is of kind {asked.kind}, not {self.form}")

    @property
    def kind(self) -> Kind:
        return self.form

    def prompt(self, episode: Any) -> str:
        asked: Open = episode.open_question()
        listed = [f"{chr(ord('A') + number)}. {text}" for number, text in enumerate(asked.options or ())]
        question = "\n".join([asked.question, *listed])
        return "\n\n".join([episode.words().context, question, f"End your reply with one line such as {asked.form}"])

    def options(self, episode: Any) -> list[str] | None:
        options = episode.open_question().options
        return list(options) if options is not None else None

    def key(self, episode: Any) -> Any:
        return episode.open_question().key


# ---------------------------------------------------------------------------------------------------- families


def pair_family(
    *, name: str, version: int, summary: str, settings: type[PairSettings], scripts: tuple[type[Script], ...]
) -> Family:
    """A family of pairs. Its scripts take turns, each with both forms of question, so that a set holds all of them."""
    by_name: Mapping[str, type[Script]] = {script.NAME: script for script in scripts}

    def sample(settings: PairSettings, streams: Streams, index: int) -> tuple[Plan, ...]:
        possible = named_scripts(name, by_name, settings.scripts)
        # Two pairs in a row are of one script, so that it meets both forms of question.
        block, within = divmod(streams.index, 2 * len(possible))
        refusals = []
        for step in range(len(possible)):
            script = possible[(within // 2 + step) % len(possible)]
            try:
                plans = [clip.to_plan() for clip in script.draw(settings, streams, 2 * block + within % 2)]
            except InputError as error:
                # The settings leave this script no room: the next one takes its turn.
                refusals.append(error)
                continue
            streams("pair", "which first").shuffle(plans)
            return tuple(plans)
        raise refusals[0]

    def episode(plan: Plan) -> Script:
        fields = dict(plan)
        script = fields.pop("script", None)
        if not isinstance(script, str) or script not in by_name:
            raise ValueError(f"a plan of {name} names one of the scripts {', '.join(by_name)}, not {script!r}")
        return by_name[script].model_validate_json(canonical_json(fields))

    def scene(plan: Plan, settings: PairSettings) -> Scene:
        shown = episode(plan)
        if shown.fps != settings.fps:
            raise ValueError(f"the plan is for {shown.fps} frames a second, not {settings.fps}")
        drawn = shown.scene(settings)
        if (drawn.fps, drawn.frames) != (shown.fps, shown.frames):
            raise ValueError(f"the scene has {drawn.frames} frames where the plan has {shown.frames}")
        return drawn

    def measures(episodes: Sequence[Script]) -> Mapping[str, int | float]:
        contrasts = {round(one.contrast(), 3) for one in episodes}
        if len(contrasts) != 1:
            raise ValueError(f"the clips of a pair have the contrasts {contrasts}, where one belongs")
        return {"contrast": contrasts.pop(), "seconds": round(episodes[0].frames / episodes[0].fps, 3)}

    def pair(episodes: Sequence[Script]) -> dict[str, Any]:
        differences = {one.difference() for one in episodes}
        if len(differences) != 1 or {type(one) for one in episodes} != {type(episodes[0])}:
            raise ValueError("the clips do not belong to one pair")
        return {"group": GROUPS[name], "axis": name.replace("_", " "), "difference": differences.pop()}

    return Family(
        name=name,
        version=version,
        summary=summary,
        settings=settings,
        sample=sample,
        episode=episode,
        scene=worked_out_once(scene),
        questions=(First, Second, OpenQuestion),
        measures=measures,
        asked=lambda settings: ("first", "second", "open") if settings.open_questions else ("first", "second"),
        drivers={"contrast": "contrast"},
        category=name,
        pair=pair,
    )
