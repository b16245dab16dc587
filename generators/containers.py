"""What worlds of a few named containers share (paths of files, piles of cards, cups of chips): words and timing."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, NamedTuple, Self

from generators.family import QuestionType
from generators.item import Kind
from generators.questions import EMPTY, Episode, Wording, ask, example
from generators.randomness import Streams
from generators.settings import HiddenStateSettings, Reveal
from generators.timeline import Timeline
from simulators.contract import replay

# ---------------------------------------------------------------------------------------------------- timing


class Passage(NamedTuple):
    """When the thing that an operation adds or removes can be seen, by the first frame of each part.

    It comes into sight quickly, rests, goes and is gone. It rests for two thirds of its operation at least, so that
    whoever looks as often as once in that time sees every operation; and before it comes and after it is gone nothing
    is on its way, so that two equal operations in a row are two.
    """

    comes: int
    rests: int
    goes: int
    gone: int

    @classmethod
    def of(cls, span: tuple[int, int]) -> Self:
        """The passage of the operation that has these frames. The shortest ones leave no time for coming and going."""
        first, end = span
        moving = min(end - first - 1, max(1, (end - first) // 3))
        gap = min(moving, max(1, round(moving * 0.4)))
        before, coming = (gap + 1) // 2, (moving - gap) // 2
        gone = end - (gap - before)
        return cls(first + before, first + before + coming, gone - (moving - gap - coming), gone)

    def progress(self, frame: int) -> float:
        """0 where nothing is on its way, up to 1 as the thing comes, 1 while it rests, and up to 2 as it goes."""
        if not self.comes <= frame < self.gone:
            return 0.0
        if frame < self.rests:
            return (frame - self.comes + 1) / (self.rests - self.comes + 1)
        if frame < self.goes:
            return 1.0
        return 1.0 + (frame - self.goes + 1) / (self.gone - self.goes + 1)


def passages(timing: Timeline) -> tuple[Passage, ...]:
    """The passage of every operation."""
    return tuple(Passage.of(span) for span in timing.spans)


# ---------------------------------------------------------------------------------------------------- questions


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


def reworded(episode: Episode, wording: Callable[[bool, Reveal], ContainerWording]) -> Episode:
    """The episode in the words for one container or for several, and for the end at which they are revealed."""
    return replace(episode, wording=wording(len(containers(episode)) == 1, episode.reveal))


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
        """A container where there is something to list, if any has it.

        Of these, one where it is neither all that the container holds nor the answer to infer_state; or else not that.
        """
        episode = episodes[0]
        names = containers(episode)
        gained = {name: cls(part=name).key(episode) for name in names}
        telling = [name for name in names if gained[name]]
        inferred = InferContainer.draw(episodes, settings, streams).key(episode)
        other = [name for name in telling if gained[name] != inferred]
        selective = [name for name in other if gained[name] != _words(episode).contents(episode.asked, name)]
        return cls(part=streams(cls.ID).choice(selective or other or telling or names))

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
        """A kind that occurs more than once, if any does."""
        counts = Counter(_words(episodes[0]).kind_of(operation) for operation in episodes[0].trace.operations)
        repeated = sorted(kind for kind, count in counts.items() if count > 1)
        return cls(operation_kind=streams(cls.ID).choice(repeated or sorted(counts)))

    def check(self, episode: Episode) -> None:
        if not self.key(episode):
            raise ValueError(f"this plan has no operation of the kind {self.operation_kind!r}")

    def options(self, episode: Episode) -> list[str]:
        """The containers' names: what an answer may list."""
        return containers(episode)

    def prompt(self, episode: Episode) -> str:
        wording = _words(episode)
        name, *others = containers(episode)
        form = (
            f"{example(', '.join([name, others[0], others[0]]))}: one {wording.container} for every time it happened "
            f"(so three for three times). A {wording.container} is repeated as often as it happened there, and the "
            "order does not matter."
            if others
            else f"{example(f'{name}, {name}')}: the name {name} once for every time it happened (so three times for "
            "three times)."
        )
        return ask(episode, wording.kind_question(self.operation_kind), f"{form} List names alone, without numbers.")

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
