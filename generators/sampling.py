"""Plans drawn at random: starts, operations, and the refusals that keep a plan worth asking about."""

from collections.abc import Iterator
from random import Random
from typing import Any, TypeVar

from generators.errors import InputError
from generators.family import Family
from generators.item import Clip as ItemClip
from generators.item import Item, Plan, Provenance, Question, item_id
from generators.randomness import Streams
from generators.settings import ClipSettings, HiddenStateSettings, IntegerRange, Reveal
from simulators.contract import Trace, World

StateT = TypeVar("StateT")
OperationT = TypeVar("OperationT")
GoalT = TypeVar("GoalT")

MAXIMUM_TRIES = 1_000
"""How many plans in a row may be ones the set already holds before we say that there are no others."""


def draw_from(choices: IntegerRange, random: Random) -> int:
    return random.randint(choices.low, choices.high)


def reveal_of(settings: HiddenStateSettings, index: int) -> Reveal:
    """When item `index` shows its state: with twins, even items at the start and odd ones at the end."""
    if settings.reveal == "both":
        return "end" if index % 2 else "start"
    return settings.reveal


def random_walk(
    world: World[StateT, OperationT, GoalT], start: StateT, length: int, random: Random, came_from: StateT | None = None
) -> Trace[StateT, OperationT]:
    """`length` legal operations, none of which undoes the one before it.

    `came_from` is the state before `start`, if the first operation must not lead back to it.
    Raises InputError where the rules leave no way on.
    """
    states, operations = [start], list[OperationT]()
    for _ in range(length):
        onward = []
        for operation in world.legal_operations(states[-1]):
            state = world.transition(states[-1], operation)
            if state != came_from:
                onward.append((operation, state))
        if not onward:
            raise InputError(f"{world.name}: after {len(operations)} operations none is left that undoes nothing")
        operation, state = random.choice(onward)
        came_from = states[-1]
        operations.append(operation)
        states.append(state)
    return Trace(tuple(states), tuple(operations))


def plans_of(
    family: Family, settings: ClipSettings, root_seed: int, count: int, first: int = 0, known: set[str] | None = None
) -> Iterator[tuple[int, tuple[Plan, ...]]]:
    """(index, plans) of items `first` to `count - 1`; no two items of a set have the same plans.

    `known` holds the ids of the items before `first` and is added to. Raises InputError where the settings allow fewer
    different plans than were asked for.
    """
    seen = set() if known is None else known
    twins = settings.twins() if isinstance(settings, HiddenStateSettings) else 1
    for index in range(first, count):
        for attempt in range(MAXIMUM_TRIES):
            streams = Streams(root_seed, family.name, family.version, index // twins, attempt)
            plans = family.sample(settings, streams, index)
            identity = item_id(family.name, family.version, list(plans))
            if identity not in seen:
                break
        else:
            raise InputError(
                f"these settings allow no more than about {len(seen)} different items and {count} were asked for: "
                "lower --count, or allow more sizes or operations"
            )
        seen.add(identity)
        yield index, plans


def make_item(family: Family, settings: ClipSettings, root_seed: int, index: int, plans: tuple[Plan, ...]) -> Item:
    """The item with everything but its files: questions, keys, measures, timing. No pixels are drawn."""
    twins = settings.twins() if isinstance(settings, HiddenStateSettings) else 1
    streams = Streams(root_seed, family.name, family.version, index // twins)
    episodes = [family.episode(plan) for plan in plans]
    drawn = [family.question(name).draw(episodes, streams) for name in family.asked(settings)]
    measures = dict(family.measures(episodes))
    for question in drawn:
        measures |= question.measures()
    scenes = [family.scene(plan, settings) for plan in plans]
    return Item(
        schema=1,
        id=item_id(family.name, family.version, list(plans)),
        family=family.name,
        version=family.version,
        category=None,
        clips=[
            ItemClip(
                file=None,
                sha256=None,
                width=scene.width,
                height=scene.height,
                fps=scene.fps,
                frames=scene.frames,
                plan=plan,
                spans=list(scene.spans),
            )
            for plan, scene in zip(plans, scenes, strict=True)
        ],
        questions=[state_question(question, episodes) for question in drawn],
        pair=None,
        measures=measures,
        provenance=Provenance(seed=str(root_seed), index=index, settings=settings.to_json()),
    )


def state_question(question: Any, episodes: list[Any]) -> Question:
    """A question's record: text and keys computed from its parameters and the episodes."""
    return Question(
        id=question.ID,
        level=question.LEVEL,
        kind=question.KIND,
        about=question.model_dump(mode="json"),
        prompt=question.prompt(episodes[0]),
        options=question.options(episodes[0]),
        keys=[question.key(episode) for episode in episodes],
    )
