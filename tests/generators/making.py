"""Items and plans of one family, in memory, for tests."""

from itertools import islice

from generators.family import Family
from generators.item import Item, Plan
from generators.sampling import Part, drafts, make_items
from generators.settings import ClipSettings


def items_of(kind: Family, settings: ClipSettings, seed: int, count: int) -> list[Item]:
    """The first `count` items of a set."""
    return list(islice(make_items(Part(kind.name, settings, count), seed), count))


def plans_of(kind: Family, settings: ClipSettings, seed: int, count: int) -> list[tuple[int, tuple[Plan, ...]]]:
    """(index, plans) of the first `count` items of a set."""
    made = islice(drafts(Part(kind.name, settings, count), seed), count)
    return [(draft.index, draft.plans) for draft in made]
