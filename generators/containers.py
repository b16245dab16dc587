"""Questions about worlds whose state is a few named containers: paths of files, piles of cards, cups of chips."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from generators.family import QuestionType
from generators.item import Kind
from generators.questions import EMPTY, Episode, Wording, ask, example
from generators.randomness import Streams
from generators.settings import HiddenStateSettings
from simulators.contract import replay


@dataclass(frozen=True, slots=True)
class ContainerWording(Wording):
    """What a world of containers adds to its words.

    `container` and `things` name its parts ("pile", "cards"); `contents` gives what a named container holds, in the
    order of the key; `gained` what it holds at the first state and not at the second; `how_to_list` says how such an
    answer is written; `kind_of` gives an operation's kind and `place_of` the container where it happened.
    """

    container: str
    things: str
    contents: Callable[[Any, str], list[Any]]
    gained: Callable[[Any, Any, str], list[Any]]
    gained_question: str
    how_to_list: str
    list_example: str
    kind_of: Callable[[Any], str]
    place_of: Callable[[Any], str]
    kind_question: Callable[[str], str]
    place_example: str


def containers(episode: Episode) -> list[str]:
    """The containers' names, in order."""
    return list(episode.world.write_state(episode.trace.start))


def _how_to_list(wording: ContainerWording) -> str:
    return f"{example(wording.list_example)}: {wording.how_to_list} If there are none, write {example(EMPTY)}."


class _AboutOneContainer(QuestionType):
    """A question about the container named `part`."""

    part: str

    @classmethod
    def draw(cls, episodes: Sequence[Episode], settings: HiddenStateSettings, streams: Streams) -> Self:
        return cls(part=streams(cls.ID).choice(containers(episodes[0])))

    def check(self, episode: Episode) -> None:
        if self.part not in containers(episode):
            raise ValueError(f"there is no {self.part!r} in this plan")


class InferContainer(_AboutOneContainer):
    """What does one container hold at the asked moment?"""

    ID: ClassVar[str] = "infer_state"
    LEVEL: ClassVar[int] = 2
    KIND: ClassVar[Kind] = "items"

    def prompt(self, episode: Episode) -> str:
        wording = _words(episode)
        question = f"Which {wording.things} are in {self.part} at {episode.moment}?"
        return ask(episode, question, _how_to_list(wording))

    def key(self, episode: Episode) -> list[Any]:
        return _words(episode).contents(episode.asked, self.part)


class CompareContainer(_AboutOneContainer):
    """What does one container hold at the asked moment that it does not hold at the revealed one?"""

    ID: ClassVar[str] = "compare_state"
    LEVEL: ClassVar[int] = 2
    KIND: ClassVar[Kind] = "items"

    @classmethod
    def draw(cls, episodes: Sequence[Episode], settings: HiddenStateSettings, streams: Streams) -> Self:
        """A container where there is something to list, if any has it."""
        episode = episodes[0]
        names = containers(episode)
        telling = [name for name in names if cls(part=name).key(episode)]
        return cls(part=streams(cls.ID).choice(telling or names))

    def prompt(self, episode: Episode) -> str:
        wording = _words(episode)
        other = (
            "the start, before the first operation"
            if episode.reveal == "start"
            else "the end, after the last operation"
        )
        question = (
            f"Compare {self.part} at {episode.moment}, with {self.part} at {other}. "
            + wording.gained_question.format(part=self.part, asked=episode.short_moment, other=other.split(",")[0])
        )
        return ask(episode, question, _how_to_list(wording))

    def key(self, episode: Episode) -> list[Any]:
        revealed = episode.trace.start if episode.reveal == "start" else episode.trace.end
        return _words(episode).gained(episode.asked, revealed, self.part)


class PredictContainer(_AboutOneContainer):
    """What would one container hold after further operations from the asked moment?"""

    ID: ClassVar[str] = "predict_state"
    LEVEL: ClassVar[int] = 3
    KIND: ClassVar[Kind] = "items"

    operations: list[str]

    @classmethod
    def draw(cls, episodes: Sequence[Episode], settings: HiddenStateSettings, streams: Streams) -> Self:
        """A container that the further operations change, if they change any."""
        random = streams(cls.ID)
        episode = episodes[0]
        further = episode.wording.further(episode, random.randint(3, 5), random)
        contents = _words(episode).contents
        names = containers(episode)
        changed = [name for name in names if contents(further.end, name) != contents(episode.asked, name)]
        operations = [episode.world.write_operation(operation) for operation in further.operations]
        return cls(part=random.choice(changed or names), operations=operations)

    def check(self, episode: Episode) -> None:
        if self.part not in containers(episode):
            raise ValueError(f"there is no {self.part!r} in this plan")
        self.key(episode)

    def prompt(self, episode: Episode) -> str:
        wording = _words(episode)
        listed = "; ".join(self.operations)
        when = (
            "After the end of the video, these further operations are carried out in this order"
            if episode.reveal == "start"
            else "Go back to the start of the video, before its first operation. Suppose that from there, in place of "
            "the operations in the video, these are carried out in this order"
        )
        return ask(
            episode,
            f"{when}: {listed}. Which {wording.things} are in {self.part} after the last of them? All of them can be "
            "carried out.",
            _how_to_list(wording),
        )

    def key(self, episode: Episode) -> list[Any]:
        further = [episode.world.read_operation(text) for text in self.operations]
        return _words(episode).contents(replay(episode.world, episode.asked, further).end, self.part)


class RecallWhere(QuestionType):
    """How many operations of one kind, and in which container did each happen?"""

    ID: ClassVar[str] = "recall_count"
    LEVEL: ClassVar[int] = 1
    KIND: ClassVar[Kind] = "items"

    operation_kind: str

    @classmethod
    def draw(cls, episodes: Sequence[Episode], settings: HiddenStateSettings, streams: Streams) -> Self:
        kinds = sorted({_words(episodes[0]).kind_of(operation) for operation in episodes[0].trace.operations})
        return cls(operation_kind=streams(cls.ID).choice(kinds))

    def check(self, episode: Episode) -> None:
        if not self.key(episode):
            raise ValueError(f"this plan has no operation of the kind {self.operation_kind!r}")

    def options(self, episode: Episode) -> list[str]:
        """The containers' names: what an answer may list."""
        return containers(episode)

    def prompt(self, episode: Episode) -> str:
        wording = _words(episode)
        return ask(
            episode,
            wording.kind_question(self.operation_kind),
            f"{example(wording.place_example)}: one {wording.container} for every time it happened (so three for three "
            f"times). A {wording.container} is repeated as often as it happened there. The order does not matter.",
        )

    def key(self, episode: Episode) -> list[str]:
        wording = _words(episode)
        return sorted(
            wording.place_of(operation)
            for operation in episode.trace.operations
            if wording.kind_of(operation) == self.operation_kind
        )


def _words(episode: Episode) -> ContainerWording:
    assert isinstance(episode.wording, ContainerWording)
    return episode.wording
