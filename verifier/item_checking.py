"""Does an item follow from its own plans and parameters, and from its set's manifest and seed?"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from generators.errors import InputError
from generators.family import Family, QuestionType, family
from generators.item import Item, Plan, Provenance, item_id
from generators.pairs import Script
from generators.questions import Episode
from generators.sampling import Draft, Part, compose, make_item
from generators.settings import first_problem
from verifier.differences import differences

MALFORMED = (ArithmeticError, AttributeError, InputError, LookupError, MemoryError, RuntimeError, TypeError, ValueError)
"""What code that expects well-formed values raises where a file holds others."""


@dataclass(frozen=True, slots=True)
class Place:
    """What the manifest has for one line: its part, the number of its plan in the part and of the item in the set.

    Where the seed is known, `draft` is what it draws there. `seed` is the one that items name, if they name one.
    """

    part: Part
    plan: int
    index: int
    seed: str | None
    draft: Draft | None = None
    root_seed: int | None = None


class Unsound(Exception):
    """An item that nothing can be computed from; the message says why."""


def item_problems(item: Item, place: Place) -> Iterator[str]:
    """What is wrong with an item's words and numbers."""
    kind = family(place.part.family)
    names = [question.id for question in item.questions]
    asked = list(kind.asked(place.part.settings))
    if item.family != kind.name:
        yield f"is of the family {item.family} where the manifest has {kind.name}"
    elif item.version != kind.version:
        yield f"was made by version {item.version} of the family {kind.name}; this is version {kind.version}"
    elif item.provenance.index != place.index:
        yield f"names itself item {item.provenance.index} and stands in the place of item {place.index}"
    elif names != asked:
        yield f"asks {', '.join(names) or 'nothing'}, and its settings say {', '.join(asked)}"
    else:
        try:
            yield from _value_problems(item, place, kind)
        except Unsound as error:
            yield str(error)


def _value_problems(item: Item, place: Place, kind: Family) -> Iterator[str]:
    from_plans = list(differences(item.to_json(), _rebuilt(item, place, kind).to_json()))
    yield from from_plans
    if from_plans:
        return
    try:
        condition = place.part.selection.condition(place.plan)
        if condition is not None and not condition.holds(item.measures):
            yield f"does not satisfy the manifest's condition {condition.text}"
        if place.draft is not None:
            yield from differences(
                item.to_json(), _redrawn(item, place, place.draft).to_json(), source="the seed gives"
            )
    except MALFORMED as error:
        yield f"cannot be compared with the manifest: {_reason(error)}"


def _rebuilt(item: Item, place: Place, kind: Family) -> Item:
    """The item as its plans and the parameters of its questions give it. Raises Unsound where they give none."""
    settings = place.part.settings
    plans = [clip.plan for clip in item.clips]
    try:
        episodes = [kind.episode(plan) for plan in plans]
        plans = [_rewritten(plan, episode) for plan, episode in zip(plans, episodes, strict=True)]
        item_id(kind.name, kind.version, plans)
    except MALFORMED as error:
        raise Unsound(f"its plan does not hold: {_reason(error)}") from None
    questions = [_asked(kind, question.id, question.about, episodes) for question in item.questions]
    try:
        provenance = Provenance(seed=place.seed, index=place.index, settings=settings.to_json())
        return _with_files(compose(kind, settings, plans, episodes, questions, provenance), item)
    except MALFORMED as error:
        raise Unsound(f"cannot be computed again: {_reason(error)}") from None


def _with_files(again: Item, item: Item) -> Item:
    """An item that was computed again, with the names and hashes of the stored one's files."""
    clips = [
        clip.model_copy(update={"file": stored.file, "sha256": stored.sha256})
        for clip, stored in zip(again.clips, item.clips, strict=True)
    ]
    return again.model_copy(update={"clips": clips})


def _rewritten(plan: Plan, episode: Any) -> Plan:
    """The plan in its one spelling."""
    if isinstance(episode, Script):
        return episode.to_plan()
    if not isinstance(episode, Episode):
        return plan
    start = episode.world.write_state(episode.trace.start)
    return {"start": start, "operations": episode.operations, "reveal": episode.reveal}


def _asked(kind: Family, question_id: str, about: dict[str, Any], episodes: Sequence[Any]) -> QuestionType:
    """The question with its parameters, which must be ones that all episodes could be asked with."""
    try:
        asked = kind.question(question_id).model_validate(about)
        for episode in episodes:
            asked.check(episode)
    except MALFORMED as error:
        raise Unsound(f"{question_id}: its parameters do not hold: {_reason(error)}") from None
    return asked


def _redrawn(item: Item, place: Place, draft: Draft) -> Item:
    """What the seed gives in the item's place, with the item's files."""
    assert place.root_seed is not None
    again = make_item(place.part, place.root_seed, draft, shows_seed=place.seed is not None)
    return again if len(again.clips) != len(item.clips) else _with_files(again, item)


def _reason(error: BaseException) -> str:
    if isinstance(error, ValidationError):
        return first_problem(error)
    if isinstance(error, InputError | ValueError):
        return str(error)
    return f"{type(error).__name__}: {error}"
