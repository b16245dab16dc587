"""The set timeblind: its shape, its balance, and that a model which ignores order cannot win."""

from collections import Counter
from functools import cache

from generators.family import family
from generators.item import Item
from generators.manifest import Request
from generators.pairs import GROUPS
from generators.sets import SCALED, SETS, is_set, timeblind
from simulators.intervals import RELATIONS
from tests.generators.making import items_of


@cache
def items() -> tuple[Item, ...]:
    """A fifth of the set."""
    return tuple(Request(timeblind(120).parts, 4, "timeblind").make_items())


def test_the_full_set_has_the_papers_shape() -> None:
    parts = SETS["timeblind"]().parts
    groups: Counter[str] = Counter()
    for part in parts:
        groups[GROUPS[part.family]] += part.items
    assert groups == {"event": 200, "attribute": 200, "logic": 200}
    assert {part.family for part in parts} == set(GROUPS)
    # Two questions of two clips each.
    assert sum(4 * part.items for part in parts) == 2_400
    topology = next(part for part in parts if part.family == "temporal_topology")
    assert topology.items % len(RELATIONS) == 0


def test_it_scales() -> None:
    for count in (1, 2, 3, 11, 50, 599, 1_201):
        parts = timeblind(count).parts
        assert sum(part.plans for part in parts) == count
        assert is_set("timeblind", parts)
        assert is_set("timeblind", timeblind(count, open_questions=True).parts)
    assert not is_set("timeblind", timeblind(50).parts[1:])
    assert set(SCALED) <= set(SETS)


def test_forms_and_groups_are_in_equal_shares_and_lengths_as_in_the_paper() -> None:
    made = items()
    assert len({item.id for item in made}) == len(made) == 120
    forms = Counter(question.kind for item in made for question in item.questions)
    assert forms == {"yes_no": 120, "choice": 120}
    assert Counter(item.pair["group"] for item in made if item.pair) == {"event": 40, "attribute": 40, "logic": 40}
    seconds = [item.measures["seconds"] for item in made]
    assert 8.0 <= sum(seconds) / len(seconds) <= 9.0
    for item in made:
        assert item.category == item.family
        assert len(item.clips) == 2 and item.clips[0].frames == item.clips[1].frames


def test_nearly_all_pairs_are_permutations_in_at_least_eight_categories_all() -> None:
    by_category: dict[str, set[str]] = {}
    for item in items():
        assert item.pair is not None
        by_category.setdefault(item.family, set()).add(item.pair["certificate"])
    assert sum(found == {"permutation"} for found in by_category.values()) >= 8
    assert all("permutation" in found for found in by_category.values())


def test_all_thirteen_relations_are_asked_about_equally_often() -> None:
    """Item k is about relation k modulo 13, which one of its clips shows; the other shows a partner of it."""
    kind = family("temporal_topology")
    made = items_of(kind, kind.settings(), 4, 2 * len(RELATIONS))
    for item in made:
        shown = {clip.plan["relation"] for clip in item.clips}
        assert RELATIONS[item.provenance.index % len(RELATIONS)] in shown and len(shown) == 2
    assert {clip.plan["relation"] for item in made for clip in item.clips} == set(RELATIONS)
