"""Minimal pairs of the worlds with a hidden state: the same start, and operations that differ as little as can be."""

from collections.abc import Iterator, Sequence
from itertools import islice
from random import Random
from typing import Any, ClassVar, Self

from generators.certificates import certificate
from generators.family import Family
from generators.item import Plan
from generators.pairs import First, PairQuestion, Second, Words
from generators.questions import Episode
from generators.randomness import Streams
from generators.settings import HiddenStateSettings
from simulators.contract import Refusal, Trace, replay

CANDIDATES = 8
"""Of so many partners that a plan could have, the one is taken that looks most like it while the state is hidden."""


class StatePairQuestion(PairQuestion):
    """Which of two states is there at the asked moment? `states` are those of the two clips, as goals are written."""

    states: list[Any]

    @classmethod
    def draw(cls, episodes: Sequence[Episode], settings: Any, streams: Streams) -> Self:
        world = episodes[0].world
        states = [world.write_goal(world.goal_of(episode.asked)) for episode in episodes]
        # In an order that does not tell which clip is the first.
        streams("pair", "states").shuffle(states)
        return cls(**cls.drawn(settings, streams), states=states)

    def check(self, episode: Episode) -> None:
        if len(self.states) != 2:
            raise ValueError("a pair has two states")
        self.answer(episode)

    def words(self, episode: Episode) -> Words:
        wording, moment = episode.wording, episode.moment
        first, second = (wording.goal_text(episode.world.read_goal(state)) for state in self.states)
        how = f"({wording.how_to_write_state})"
        return Words(
            context=wording.rules(episode),
            stem=f"Which {wording.thing} is it at {moment}? {how}",
            options=(first, second),
            claims=(
                f"Is this the {wording.thing} at {moment}: {first}? {how}",
                f"Is this the {wording.thing} at {moment}: {second}? {how}",
            ),
        )

    def answer(self, episode: Episode) -> int:
        asked = episode.world.goal_of(episode.asked)
        return [episode.world.read_goal(state) for state in self.states].index(asked)


class FirstState(StatePairQuestion, First):
    """The first of the two."""

    ID: ClassVar[str] = First.ID
    OTHER: ClassVar[bool] = First.OTHER


class SecondState(StatePairQuestion, Second):
    """The second of the two."""

    ID: ClassVar[str] = Second.ID
    OTHER: ClassVar[bool] = Second.OTHER


STATE_PAIR_QUESTIONS = (FirstState, SecondState)


def state_pair(episodes: Sequence[Episode]) -> dict[str, Any]:
    """What differs between the two plans. Raises ValueError where it is more than a swap or one operation."""
    first, second = (episode.operations for episode in episodes)
    if len(first) != len(second) or episodes[0].trace.start != episodes[1].trace.start:
        raise ValueError("the plans of a pair have the same start and as many operations")
    places = [place for place, (a, b) in enumerate(zip(first, second, strict=True)) if a != b]
    if len(places) == 1:
        difference = f"operation {places[0] + 1} is another one"
    elif len(places) == 2 and first[places[0]] == second[places[1]] and first[places[1]] == second[places[0]]:
        difference = f"operations {places[0] + 1} and {places[1] + 1} change places"
    else:
        raise ValueError(f"the plans of a pair differ in {len(places)} operations, and not by a swap of two")
    return {"group": "hidden state", "axis": "operations", "difference": difference}


def partnered(kind: Family, settings: HiddenStateSettings, streams: Streams, plan: Plan) -> tuple[Plan, ...] | None:
    """The plan and its partner, in an order that tells nothing; None where it has none that would do.

    A partner's operations differ by a swap of two neighbours that do not commute or by one operation, it ends in
    another state, and its first and last frame are the same.
    """
    random = streams("pair", "partner")
    scene = kind.scene(plan, settings)
    best: tuple[float, Plan] | None = None
    for other in islice(_partners(kind.episode(plan), plan, random), CANDIDATES):
        scenes = (scene, kind.scene(other, settings))
        try:
            share = certificate(scenes).shared_frames
        except ValueError:
            continue
        if best is None or share > best[0]:
            best = share, other
    if best is None:
        return None
    plans = [plan, best[1]]
    streams("pair", "which first").shuffle(plans)
    return tuple(plans)


def _partners(episode: Episode, plan: Plan, random: Random) -> Iterator[Plan]:
    """Plans with two neighbouring operations swapped, in random order, then such with one operation replaced."""
    world, operations, states = episode.world, list(episode.trace.operations), episode.trace.states
    places = list(range(len(operations)))
    random.shuffle(places)
    for place in places:
        if place + 1 < len(operations):
            swapped = operations.copy()
            swapped[place : place + 2] = swapped[place + 1], swapped[place]
            yield from _if_sound(episode, plan, swapped)
    for place in places:
        others = [one for one in world.legal_operations(states[place]) if one != operations[place]]
        random.shuffle(others)
        for other in others:
            yield from _if_sound(episode, plan, [*operations[:place], other, *operations[place + 1 :]])


def _if_sound(episode: Episode, plan: Plan, operations: list[Any]) -> Iterator[Plan]:
    """The plan with these operations, where they are legal, undo nothing and lead to another state."""
    world = episode.world
    try:
        trace: Trace[Any, Any] = replay(world, episode.trace.start, operations)
    except (Refusal, ValueError):
        return
    undoes = any(before == after for before, after in zip(trace.states, trace.states[2:], strict=False))
    if undoes or world.goal_of(trace.end) == world.goal_of(episode.trace.end):
        return
    yield {**plan, "operations": [world.write_operation(operation) for operation in operations]}
