"""Plans drawn at random: starts, operations, and the refusals that keep a plan worth asking about."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil, floor
from random import Random
from typing import Any, TypeVar

from generators.certificates import certificate, check_pair
from generators.difficulty import Condition, Ladder, Measures, both, seen_ranges, timing_measures
from generators.errors import InputError
from generators.family import Family, QuestionType, family
from generators.item import Clip, Item, Plan, Provenance, Question, item_id
from generators.randomness import Streams
from generators.rendering.scene import Scene
from generators.settings import ClipSettings, HiddenStateSettings, IntegerRange, RealRange, Reveal, limits_of
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


@dataclass(frozen=True, slots=True)
class Selection:
    """Which items a part of a set may hold: those that satisfy `where`, and on a ladder its rung's measure as well."""

    where: Condition | None = None
    ladder: Ladder | None = None

    def condition(self, plan_index: int) -> Condition | None:
        """What plan number `plan_index` of the part must satisfy."""
        return both(self.where, self.ladder.condition(plan_index) if self.ladder else None)


ANY = Selection()


@dataclass(frozen=True, slots=True)
class Draft:
    """An item before its questions: its index in the set, that of its plan, its plans, and how they were drawn.

    `drawn_with` are the part's settings, cut down to what its selection allows; `attempt` gave the plans.
    """

    index: int
    plan_index: int
    plans: tuple[Plan, ...]
    drawn_with: ClipSettings
    attempt: int = 0


@dataclass(frozen=True, slots=True)
class Part:
    """Items of one family with the same settings: `plans` plans, each shown once or, with both reveals, twice."""

    family: str
    settings: ClipSettings
    plans: int
    selection: Selection = ANY

    @property
    def twins(self) -> int:
        """How many items are made of one plan."""
        return self.settings.twins() if isinstance(self.settings, HiddenStateSettings) else 1

    @property
    def items(self) -> int:
        return self.plans * self.twins

    def sample(self) -> "Part":
        """A part as small as can be that fails where this one must: one plan, or one of every rung."""
        ladder = self.selection.ladder
        if ladder is None:
            return replace(self, plans=1)
        return replace(self, plans=ladder.rungs, selection=Selection(self.selection.where, replace(ladder, per_rung=1)))


def drafts(
    part: Part, root_seed: int, first_item: int = 0, first_plan: int = 0, known: set[str] | None = None
) -> Iterator[Draft]:
    """The part's items in order, before their questions.

    `known` holds the ids of the set's items so far, which are not made again, and is added to. In a set, the part's
    items are numbered from `first_item` and its plans from `first_plan`. Item k depends neither on how many are asked
    for nor on who asks, and no two have the same plans. Raises InputError where the settings or the selection allow
    too few.
    """
    kind = family(part.family)
    seen = set() if known is None else known
    for plan in range(part.plans):
        for twin, draft in enumerate(_accepted(kind, part, root_seed, plan, first_plan + plan, seen)):
            seen.add(item_id(kind.name, kind.version, list(draft.plans)))
            yield replace(draft, index=first_item + plan * part.twins + twin)


def _accepted(kind: Family, part: Part, root_seed: int, plan: int, plan_index: int, seen: set[str]) -> list[Draft]:
    """The drafts of one plan's twins: of the first attempt that is new and satisfies the selection."""
    condition = part.selection.condition(plan)
    settings = directed(kind, part.settings, condition)
    tried: list[Measures] = []
    for attempt in range(MAXIMUM_TRIES):
        streams = Streams(root_seed, kind.name, kind.version, plan_index, attempt)
        # Without a selection the questions do not depend on the attempt, only the plan does.
        sampled = [_sampled(kind, settings, streams, twin) for twin in range(part.twins)]
        group = [
            Draft(twin, plan_index, plans, settings, attempt if condition else 0)
            for twin, plans in enumerate(sampled)
            if plans
        ]
        identities = [item_id(kind.name, kind.version, list(draft.plans)) for draft in group]
        if len(group) < part.twins or any(identity in seen for identity in identities):
            continue
        if condition is None:
            return group
        measured = [make_item(part, root_seed, draft).measures for draft in group]
        if all(condition.holds(measures) for measures in measured):
            return group
        tried += measured
    if not seen and isinstance(settings, HiddenStateSettings) and settings.pairs:
        raise InputError(
            f"no plan of {kind.name} with these settings has a partner that starts alike and ends otherwise: raise "
            "--ops"
        )
    if condition is None or not tried:
        raise InputError(
            f"these settings allow no more than about {len(seen)} different items of {kind.name}, and {part.items} "
            "were asked for: lower --count, or allow more sizes or operations"
        )
    raise InputError(
        f"no item of {kind.name} with {condition.text} in {MAXIMUM_TRIES:,} tries, which had "
        f"{seen_ranges(tried, condition.names)}: loosen the condition or let the settings allow more"
    )


def _sampled(kind: Family, settings: ClipSettings, streams: Streams, twin: int) -> tuple[Plan, ...] | None:
    """The plans of one item; None where one was to have a partner and has none."""
    plans = kind.sample(settings, streams, twin)
    if kind.partnered and isinstance(settings, HiddenStateSettings) and settings.pairs:
        return kind.partnered(kind, settings, streams, plans[0])
    return plans


def directed(kind: Family, settings: ClipSettings, condition: Condition | None) -> ClipSettings:
    """The settings with the ranges that drive a measure cut down to what the condition can hold for.

    Raises InputError where a range leaves nothing.
    """
    if condition is None:
        return settings
    changes = {}
    for measure, name in kind.drivers.items():
        allowed: Any = getattr(settings, name)
        possible = condition.range_of(measure, allowed)
        if possible is None:
            option = f"--{name.replace('_', '-')}"
            raise InputError(f"{condition.text} cannot hold with {option} {allowed}: change one of them")
        changes[name] = possible
    return settings.model_copy(update=changes)


def with_room(kind: Family, given: Mapping[str, Any], selection: Selection) -> dict[str, Any]:
    """The settings that were given, and ranges for those that were not and that a selection needs wider or narrower.

    Where a selection bounds a measure, the setting that drives it makes room for it unless it was given.
    """
    settings = dict(given)
    ladder, where = selection.ladder, selection.where
    for measure, name in kind.drivers.items():
        field = kind.settings.model_fields[name]
        limits = limits_of(field)
        if name in given or limits is None:
            continue
        default: IntegerRange | RealRange = field.default
        bounds = RealRange(*limits)
        if ladder is not None and ladder.measure == measure:
            margin = 0.0 if ladder.step == 1 else ladder.step / 4
            bounds = RealRange(max(limits.low, ladder.low - margin), min(limits.high, ladder.high + margin))
        elif where is not None and measure in where.names:
            possible = where.range_of(measure, bounds)
            if possible is None:
                raise InputError(
                    f"{where.text} cannot hold: --{name.replace('_', '-')}, which drives {measure}, goes from "
                    f"{limits.low:g} to {limits.high:g}"
                )
            low, high = possible
            # An open end reaches no further than the default does, or four beyond where it must begin.
            high = min(high, max(low + 4, default.high)) if high == limits.high else high
            low = max(low, min(default.low, high)) if low == limits.low else low
            bounds = RealRange(low, high)
        else:
            continue
        if isinstance(default, IntegerRange):
            bounds = RealRange(ceil(bounds.low), floor(bounds.high))
        if bounds.low <= bounds.high:
            settings[name] = str(bounds)
    return settings


def make_item(part: Part, root_seed: int, draft: Draft, *, shows_seed: bool = True) -> Item:
    """The item with everything but its files: questions, keys, measures, timing. No pixels are drawn.

    With `shows_seed` false its provenance keeps the seed to itself, for a set whose seed is published later.
    """
    kind, settings = family(part.family), part.settings
    streams = Streams(root_seed, kind.name, kind.version, draft.plan_index, draft.attempt)
    episodes = [kind.episode(plan) for plan in draft.plans]
    questions = [kind.question(name).draw(episodes, draft.drawn_with, streams) for name in kind.asked(settings)]
    provenance = Provenance(seed=str(root_seed) if shows_seed else None, index=draft.index, settings=settings.to_json())
    return compose(kind, settings, draft.plans, episodes, questions, provenance)


def compose(
    kind: Family,
    settings: ClipSettings,
    plans: Sequence[Plan],
    episodes: Sequence[Any],
    questions: Sequence[QuestionType],
    provenance: Provenance,
) -> Item:
    """The item that follows from its plans and the parameters of its questions, without files.

    Raises ValueError where two clips are no pair.
    """
    scenes = [kind.scene(plan, settings) for plan in plans]
    pair = None
    if len(plans) == 2:
        check_pair(questions, episodes)
        pair = {**kind.pair(episodes)} if kind.pair else {}
        proved = certificate(scenes)
        pair |= {"certificate": proved.kind, "shared_frames": round(proved.shared_frames, 4)}
    elif len(plans) != 1:
        raise ValueError(f"an item has one clip, or two that are a pair, not {len(plans)}")
    return Item(
        schema=1,
        id=item_id(kind.name, kind.version, list(plans)),
        family=kind.name,
        version=kind.version,
        category=kind.category,
        clips=[
            Clip(
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
        questions=[state_question(question, episodes) for question in questions],
        pair=pair,
        measures=measure(kind, episodes, scenes, questions),
        provenance=provenance,
    )


def item_at(part: Part, root_seed: int, index: int) -> Item:
    """Item number `index` of an endless set with the part's settings, made without those before it.

    Unlike the items of a set it is not compared with any other: where the settings allow few, two may be the same.
    """
    plan, twin = divmod(index, part.twins)
    draft = _accepted(family(part.family), part, root_seed, 0, plan, set())[twin]
    return make_item(part, root_seed, replace(draft, index=index))


def make_items(part: Part, root_seed: int) -> Iterator[Item]:
    """The part's items, one at a time, without files."""
    return (make_item(part, root_seed, draft) for draft in drafts(part, root_seed))


def measure(
    kind: Family, episodes: Sequence[Any], scenes: Sequence[Scene], questions: Sequence[QuestionType]
) -> Measures:
    """Every measure of an item: its family's, its timing's and its questions'."""
    measures = dict(kind.measures(episodes)) | timing_measures(scenes)
    for question in questions:
        measures |= question.measures()
    return measures


def state_question(question: QuestionType, episodes: Sequence[Any]) -> Question:
    """A question's record: text and keys computed from its parameters and the episodes."""
    return Question(
        id=question.ID,
        level=question.LEVEL,
        kind=question.kind,
        about=question.model_dump(mode="json"),
        prompt=question.prompt(episodes[0]),
        options=question.options(episodes[0]),
        keys=[question.key(episode) for episode in episodes],
    )
