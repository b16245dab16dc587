"""Allen's algebra against his definitions, written out again here, on all intervals between a few small integers."""

import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import combinations, pairwise, product
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulators.intervals import (
    CONVERSE,
    RELATIONS,
    Interval,
    Network,
    Relation,
    Scenario,
    compose,
    converse,
    distance,
    is_consistent_scenario,
    mirrored,
    neighbours,
    network_of,
    path_consistency,
    relation,
    reversed_in_time,
    sample_intervals,
    sample_network,
    scenario_of,
)

# a lasts from s to e and b from t to f.
DEFINITIONS: dict[Relation, Callable[[int, int, int, int], bool]] = {
    "before": lambda s, e, t, f: e < t,
    "meets": lambda s, e, t, f: e == t,
    "overlaps": lambda s, e, t, f: s < t < e < f,
    "starts": lambda s, e, t, f: s == t and e < f,
    "during": lambda s, e, t, f: t < s and e < f,
    "finishes": lambda s, e, t, f: e == f and s > t,
    "equals": lambda s, e, t, f: s == t and e == f,
    "finished_by": lambda s, e, t, f: e == f and s < t,
    "contains": lambda s, e, t, f: s < t and f < e,
    "started_by": lambda s, e, t, f: s == t and e > f,
    "overlapped_by": lambda s, e, t, f: t < s < f < e,
    "met_by": lambda s, e, t, f: s == f,
    "after": lambda s, e, t, f: s > f,
}
Pair = tuple[int, int]

INTERVALS = st.tuples(st.integers(-50, 50), st.integers(1, 20)).map(lambda pair: Interval(pair[0], sum(pair)))
NARROW = st.tuples(st.integers(0, 4), st.integers(1, 4)).map(lambda pair: Interval(pair[0], sum(pair)))
ANY = st.one_of(INTERVALS, NARROW)
NAMES = st.sampled_from(RELATIONS)
RANDOMS = st.integers(0, 2**32).map(Random)
SETS = st.one_of(
    st.frozensets(NAMES, min_size=1, max_size=4),
    st.just(frozenset(RELATIONS)),
)


def pairs(last: int) -> list[Pair]:
    return list(combinations(range(last + 1), 2))


@cache
def defined(a: Pair, b: Pair) -> Relation:
    """The one relation whose definition holds."""
    (name,) = (name for name, holds in DEFINITIONS.items() if holds(*a, *b))
    return name


@cache
def slow_compositions() -> dict[tuple[Relation, Relation], set[Relation]]:
    found: dict[tuple[Relation, Relation], set[Relation]] = {(r, s): set() for r in RELATIONS for s in RELATIONS}
    for a, b, c in product(pairs(6), repeat=3):
        found[defined(a, b), defined(b, c)].add(defined(a, c))
    return found


@cache
def all_triples() -> frozenset[Scenario]:
    """Every scenario of three events: six moments are enough for three intervals."""
    return frozenset(tuple(tuple(defined(a, b) for b in three) for a in three) for three in product(pairs(5), repeat=3))


def has_intervals(relations: Scenario) -> bool:
    """Place one interval after the other between as many moments as there are endpoints, going back where none fits."""
    size = len(relations)

    def place(placed: list[Pair]) -> bool:
        here = len(placed)
        return here == size or any(
            all(
                defined(pair, other) == relations[here][i] and defined(other, pair) == relations[i][here]
                for i, other in enumerate([*placed, pair])
            )
            and place([*placed, pair])
            for pair in pairs(2 * size - 1)
        )

    return place([])


def slow_path_consistency(network: Network) -> Network | None:
    """Strike out one relation at a time for as long as some third event, or the row of the other, forbids it."""
    size = range(len(network))
    allowed = [[set(relations) for relations in row] for row in network]
    for i in size:
        allowed[i][i] &= {"equals"}

    def forbidden(i: int, j: int, name: Relation) -> bool:
        swapped = any(defined(a, b) == name and defined(b, a) in allowed[j][i] for a, b in product(pairs(3), repeat=2))
        return not swapped or any(
            not any(name in slow_compositions()[r, s] for r in allowed[i][k] for s in allowed[k][j]) for k in size
        )

    while struck := [
        (i, j, name) for i, j in product(size, repeat=2) for name in allowed[i][j] if forbidden(i, j, name)
    ]:
        for i, j, name in struck:
            allowed[i][j].discard(name)
    if not all(all(row) for row in allowed):
        return None
    return tuple(tuple(frozenset(relations) for relations in row) for row in allowed)


@st.composite
def networks(draw: st.DrawFn, low: int, high: int) -> Network:
    """Sets of relations above the diagonal, their converses below it."""
    size = draw(st.integers(low, high))
    above = {(i, j): draw(SETS) for i, j in combinations(range(size), 2)}
    return tuple(
        tuple(
            frozenset({"equals"}) if i == j else above.get((i, j)) or frozenset(CONVERSE[r] for r in above[j, i])
            for j in range(size)
        )
        for i in range(size)
    )


def whole_network(size: int) -> Network:
    return ((frozenset(RELATIONS),) * size,) * size


def with_pair(relations: Scenario, i: int, j: int, name: Relation) -> Scenario:
    """The scenario with event i and event j related by `name` instead."""
    changed = {(i, j): name, (j, i): CONVERSE[name]}
    size = range(len(relations))
    return tuple(tuple(changed.get((row, column), relations[row][column]) for column in size) for row in size)


@pytest.mark.parametrize(("start", "end"), [(3, 3), (4, 3), (0, -1)])
def test_an_interval_lasts(start: int, end: int) -> None:
    with pytest.raises(ValueError, match=f"{start} to {end} does not"):
        Interval(start, end)


def test_there_are_thirteen_relations_in_allens_order() -> None:
    assert tuple(DEFINITIONS) == RELATIONS
    assert [CONVERSE[name] for name in RELATIONS] == list(reversed(RELATIONS))


def test_relations_converses_and_reversals_of_all_small_pairs() -> None:
    for a, b in product(pairs(6), repeat=2):
        name = relation(Interval(*a), Interval(*b))
        assert name == defined(a, b)
        assert converse(name) == CONVERSE[name] == defined(b, a)
        assert reversed_in_time(name) == defined((6 - a[1], 6 - a[0]), (6 - b[1], 6 - b[0]))
    assert {defined(a, b) for a, b in product(pairs(6), repeat=2)} == set(RELATIONS)


@given(ANY, ANY)
def test_exactly_one_relation_holds(a: Interval, b: Interval) -> None:
    holding = [name for name, holds in DEFINITIONS.items() if holds(a.start, a.end, b.start, b.end)]
    assert holding == [relation(a, b)]
    assert relation(b, a) == converse(relation(a, b))


@given(ANY, ANY, st.integers(-100, 100))
def test_a_reversed_relation_is_that_of_the_mirrored_intervals(a: Interval, b: Interval, total: int) -> None:
    assert relation(mirrored(a, total), mirrored(b, total)) == reversed_in_time(relation(a, b))
    assert mirrored(mirrored(a, total), total) == a


@pytest.mark.parametrize("name", RELATIONS)
def test_converse_and_reversal_are_involutions_that_commute(name: Relation) -> None:
    assert converse(converse(name)) == name
    assert reversed_in_time(reversed_in_time(name)) == name
    assert converse(reversed_in_time(name)) == reversed_in_time(converse(name))


def test_reversals_known_by_hand() -> None:
    assert reversed_in_time("before") == "after"
    assert reversed_in_time("meets") == "met_by"
    assert reversed_in_time("overlaps") == "overlapped_by"
    assert reversed_in_time("starts") == "finishes"
    assert reversed_in_time("started_by") == "finished_by"
    assert [name for name in RELATIONS if reversed_in_time(name) == name] == ["during", "equals", "contains"]


def test_all_169_compositions() -> None:
    assert {(r, s): compose(r, s) for r in RELATIONS for s in RELATIONS} == slow_compositions()
    # A known sum over Allen's table: of the 13³ triples, 409 are consistent.
    assert sum(len(compose(r, s)) for r in RELATIONS for s in RELATIONS) == 409


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("before", "before", "before"),
        ("before", "after", " ".join(RELATIONS)),
        ("before", "during", "before overlaps meets during starts"),
        ("before", "contains", "before"),
        ("after", "during", "after overlapped_by met_by during finishes"),
        ("during", "before", "before"),
        ("during", "contains", " ".join(RELATIONS)),
        ("contains", "during", "overlaps overlapped_by during contains equals starts started_by finishes finished_by"),
        ("overlaps", "overlaps", "before overlaps meets"),
        ("overlaps", "overlapped_by", "overlaps overlapped_by during contains equals "
         "starts started_by finishes finished_by"),
        ("overlaps", "during", "overlaps during starts"),
        ("meets", "meets", "before"),
        ("meets", "met_by", "finishes finished_by equals"),
        ("meets", "during", "overlaps during starts"),
        ("met_by", "meets", "starts started_by equals"),
        ("starts", "finishes", "during"),
        ("starts", "started_by", "starts started_by equals"),
        ("finishes", "starts", "during"),
        ("finishes", "contains", "after overlapped_by met_by contains started_by"),
    ],
)  # fmt: skip
def test_entries_of_allens_table(first: Relation, second: Relation, expected: str) -> None:
    assert compose(first, second) == set(expected.split())


@pytest.mark.parametrize("name", RELATIONS)
def test_equals_changes_nothing_in_a_composition(name: Relation) -> None:
    assert compose("equals", name) == compose(name, "equals") == {name}
    assert [other for other in RELATIONS if "equals" in compose(name, other)] == [converse(name)]


@given(ANY, ANY, ANY)
def test_a_composition_holds_the_relation_of_any_three_intervals(a: Interval, b: Interval, c: Interval) -> None:
    assert relation(a, c) in compose(relation(a, b), relation(b, c))


def test_compositions_under_converse_and_reversal() -> None:
    for r, s in product(RELATIONS, repeat=2):
        assert {converse(name) for name in compose(r, s)} == compose(converse(s), converse(r))
        assert {reversed_in_time(name) for name in compose(r, s)} == compose(reversed_in_time(r), reversed_in_time(s))


@cache
def slow_neighbours() -> dict[Relation, set[Relation]]:
    """Move one endpoint by one. Where intervals are two long or more, it crosses no other endpoint on its way."""
    found: dict[Relation, set[Relation]] = {name: set() for name in RELATIONS}
    long = [pair for pair in pairs(10) if pair[1] - pair[0] >= 2]
    for a, b in product(long, repeat=2):
        for moved in ((a[0] - 1, a[1]), (a[0] + 1, a[1]), (a[0], a[1] - 1), (a[0], a[1] + 1)):
            found[defined(a, b)].add(defined(moved, b))
            found[defined(b, a)].add(defined(b, moved))
    return {name: others - {name} for name, others in found.items()}


@pytest.mark.parametrize("name", RELATIONS)
def test_neighbours_are_one_small_step_of_one_endpoint_away(name: Relation) -> None:
    assert set(neighbours(name)) == slow_neighbours()[name]
    assert list(neighbours(name)) == [other for other in RELATIONS if other in neighbours(name)]
    for other in neighbours(name):
        assert name in neighbours(other)
        assert converse(other) in neighbours(converse(name))
        assert reversed_in_time(other) in neighbours(reversed_in_time(name))


def test_neighbours_known_by_hand() -> None:
    assert neighbours("before") == ("meets",)
    assert neighbours("overlaps") == ("meets", "starts", "finished_by")
    assert neighbours("during") == ("starts", "finishes")
    assert neighbours("equals") == ("starts", "finishes", "finished_by", "started_by")


def test_distances_are_those_of_the_shortest_paths() -> None:
    # Floyd and Warshall on the neighbours found by brute force.
    shortest = {
        (r, s): 0 if r == s else 1 if s in slow_neighbours()[r] else len(RELATIONS)
        for r, s in product(RELATIONS, repeat=2)
    }
    for k, r, s in product(RELATIONS, repeat=3):
        shortest[r, s] = min(shortest[r, s], shortest[r, k] + shortest[k, s])
    assert {(r, s): distance(r, s) for r in RELATIONS for s in RELATIONS} == shortest
    assert distance("before", "after") == 8
    assert distance("during", "contains") == 4


def assert_gaps(intervals: tuple[Interval, ...], total: int, minimum_gap: int) -> None:
    moments = sorted({0, total, *(moment for interval in intervals for moment in (interval.start, interval.end))})
    assert moments[0] == 0
    assert moments[-1] == total
    assert all(later - earlier >= minimum_gap for earlier, later in pairwise(moments))
    assert all(0 < interval.start < interval.end < total for interval in intervals)


def moments_of(name: Relation) -> int:
    """How many different moments the endpoints of such a pair are."""
    return next(len({*a, *b}) for a, b in product(pairs(6), repeat=2) if defined(a, b) == name)


@given(NAMES, RANDOMS, st.integers(1, 9), st.integers(0, 40))
def test_sampled_intervals_honour_relation_and_gap(name: Relation, random: Random, gap: int, room: int) -> None:
    total = (moments_of(name) + 1) * gap + room
    a, b = sample_intervals(name, random, total, gap)
    assert relation(a, b) == name
    assert_gaps((a, b), total, gap)


@given(NAMES, RANDOMS, st.integers(1, 9))
def test_intervals_that_do_not_fit_are_refused(name: Relation, random: Random, gap: int) -> None:
    needed = (moments_of(name) + 1) * gap
    with pytest.raises(ValueError, match=f"need a total of {needed} or more, not {needed - 1}"):
        sample_intervals(name, random, needed - 1, gap)


@pytest.mark.parametrize("name", RELATIONS)
@pytest.mark.parametrize(("total", "gap"), [(7, 1), (12, 2)])
def test_all_intervals_that_fit_are_equally_likely(name: Relation, total: int, gap: int) -> None:
    expected = {
        (a, b)
        for a, b in product(pairs(total - gap), repeat=2)
        if defined(a, b) == name
        and all(y - x >= gap for x, y in pairwise(sorted({0, total, *a, *b})))
        and min(*a, *b) > 0
    }
    random = Random(1983)
    draws = 200 * len(expected)
    counts: Counter[tuple[Pair, Pair]] = Counter()
    for _ in range(draws):
        a, b = sample_intervals(name, random, total, gap)
        counts[(a.start, a.end), (b.start, b.end)] += 1
    assert set(counts) == expected
    assert all(abs(count - 200) < 75 for count in counts.values())


@given(st.integers(3, 6), RANDOMS, st.integers(1, 9), st.integers(0, 40))
def test_a_sampled_network_is_what_its_intervals_say(events: int, random: Random, gap: int, room: int) -> None:
    total = (2 * events + 1) * gap + room
    intervals, relations = sample_network(events, random, total, gap)
    assert len(intervals) == events
    assert relations == scenario_of(intervals)
    assert_gaps(intervals, total, gap)
    assert is_consistent_scenario(relations)
    assert path_consistency(network_of(relations)) == network_of(relations)


@pytest.mark.parametrize("total", [7, 30])
def test_all_scenarios_of_three_events_are_equally_likely(total: int) -> None:
    assert len(all_triples()) == 409
    random = Random(1992)
    counts = Counter(sample_network(3, random, total, 1)[1] for _ in range(409 * 20))
    assert set(counts) == all_triples()
    # Chi-squared with 408 degrees of freedom: 550 is five standard deviations above its mean.
    assert sum((count - 20) ** 2 / 20 for count in counts.values()) < 550


@pytest.mark.parametrize("events", [2, 7, 0, -1])
def test_a_network_has_three_to_six_events(events: int) -> None:
    with pytest.raises(ValueError, match="3 to 6 events"):
        sample_network(events, Random(0), 1000, 1)


def test_networks_and_gaps_that_cannot_be_are_refused() -> None:
    with pytest.raises(ValueError, match="need a total of 36 or more, not 35"):
        sample_network(4, Random(0), 35, 4)
    with pytest.raises(ValueError, match="gap is at least 1, not 0"):
        sample_network(4, Random(0), 35, 0)
    with pytest.raises(ValueError, match="gap is at least 1, not -1"):
        sample_intervals("before", Random(0), 35, -1)


def test_samples_depend_on_the_generator_and_on_nothing_else() -> None:
    program = (
        "from random import Random; from simulators.intervals import sample_intervals, sample_network; r = Random(7); "
        "print([sample_network(n, r, 200, 5) for n in (3, 4, 5, 6)], sample_intervals('overlaps', r, 90, 4))"
    )
    printed = {
        subprocess.run(
            [sys.executable, "-c", program],
            cwd=Path(__file__).parents[2],
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "2")
    }
    assert len(printed) == 1


def test_three_events_are_consistent_where_some_intervals_say_so() -> None:
    consistent = 0
    for r, s, t in product(RELATIONS, repeat=3):
        relations: Scenario = (
            ("equals", r, t),
            (CONVERSE[r], "equals", s),
            (CONVERSE[t], CONVERSE[s], "equals"),
        )
        assert is_consistent_scenario(relations) == (relations in all_triples())
        consistent += is_consistent_scenario(relations)
    assert consistent == 409


@given(st.integers(0, 2**32), st.tuples(st.integers(0, 3), st.integers(0, 3)), NAMES)
def test_four_events_are_consistent_where_some_intervals_say_so(seed: int, at: Pair, name: Relation) -> None:
    i, j = at if at[0] != at[1] else (0, 1)
    relations = with_pair(sample_network(4, Random(seed), 9, 1)[1], i, j, name)
    assert is_consistent_scenario(relations) == has_intervals(relations)
    assert (path_consistency(network_of(relations)) is not None) == has_intervals(relations)


@pytest.mark.parametrize(
    "relations",
    [
        (("equals", "before"), ("before", "equals")),
        (("during", "before"), ("after", "equals")),
        (("before",),),
        (("equals", "equals"), ("equals", "before")),
    ],
)
def test_what_an_event_has_to_itself_and_what_its_partner_has_must_fit(relations: Scenario) -> None:
    assert not is_consistent_scenario(relations)
    assert path_consistency(network_of(relations)) is None


@given(networks(3, 3))
def test_three_events_keep_exactly_the_relations_that_some_intervals_have(network: Network) -> None:
    solutions = [
        triple for triple in all_triples() if all(triple[i][j] in network[i][j] for i in range(3) for j in range(3))
    ]
    expected = tuple(tuple(frozenset(triple[i][j] for triple in solutions) for j in range(3)) for i in range(3))
    assert path_consistency(network) == (expected if solutions else None)


@given(networks(1, 4))
def test_path_consistency_is_what_striking_out_one_by_one_leaves(network: Network) -> None:
    tightened = path_consistency(network)
    assert tightened == slow_path_consistency(network)
    if tightened is not None:
        assert path_consistency(tightened) == tightened


@given(networks(2, 3))
def test_a_matrix_need_not_be_filled_in_on_both_sides(network: Network) -> None:
    everything = frozenset(RELATIONS)
    half = tuple(
        tuple(everything if i >= j else relations for j, relations in enumerate(row)) for i, row in enumerate(network)
    )
    assert path_consistency(half) == path_consistency(network)


@given(st.integers(3, 6), st.integers(0, 2**32), st.data())
def test_no_solution_is_lost(events: int, seed: int, data: st.DataObject) -> None:
    _, relations = sample_network(events, Random(seed), 50, 2)
    loosened = tuple(tuple(frozenset({name}) | data.draw(SETS) for name in row) for row in relations)
    tightened = path_consistency(loosened)
    assert tightened is not None
    for i, j in product(range(events), repeat=2):
        assert relations[i][j] in tightened[i][j] <= loosened[i][j]


def test_path_consistency_known_by_hand() -> None:
    # The kettle whistles during breakfast, breakfast meets the walk, and nothing is said of the kettle and the walk.
    unknown = whole_network(3)
    told: Network = (
        (unknown[0][0], frozenset({"during"}), unknown[0][2]),
        (unknown[1][0], unknown[1][1], frozenset({"meets"})),
        unknown[2],
    )
    tightened = path_consistency(told)
    assert tightened is not None
    assert tightened[0][2] == {"before"}
    assert [set(relations) for relations in tightened[2]] == [{"after"}, {"met_by"}, {"equals"}]


def test_a_circle_of_befores_is_inconsistent() -> None:
    before, unknown = frozenset[Relation]({"before"}), frozenset(RELATIONS)
    circle = ((unknown, before, unknown), (unknown, unknown, before), (before, unknown, unknown))
    assert path_consistency(circle) is None


def test_a_path_consistent_network_of_four_events_may_have_no_solution() -> None:
    # A and B touch and each starts or finishes D, so D is the two together and lies, as they do, within C; yet C and D
    # are to overlap. Any three of them can be placed.
    touch, edge = frozenset[Relation]({"meets", "met_by"}), frozenset[Relation]({"starts", "finishes"})
    during, overlap = frozenset[Relation]({"during"}), frozenset[Relation]({"overlaps", "overlapped_by"})
    unknown = frozenset(RELATIONS)
    tightened = path_consistency(
        (
            (unknown, touch, during, edge),
            (unknown, unknown, during, edge),
            (unknown, unknown, unknown, overlap),
            (unknown, unknown, unknown, unknown),
        )
    )
    assert tightened is not None
    assert tightened[0] == (frozenset({"equals"}), touch, during, edge)
    above = list(combinations(range(4), 2))
    for names in product(*(tightened[i][j] for i, j in above)):
        relations = scenario_of([Interval(0, 1)] * 4)
        for (i, j), name in zip(above, names, strict=True):
            relations = with_pair(relations, i, j, name)
        assert not is_consistent_scenario(relations)


@pytest.mark.parametrize("size", [0, 1, 2, 6])
def test_a_network_that_says_nothing_keeps_all(size: int) -> None:
    tightened = path_consistency(whole_network(size))
    assert tightened is not None
    for i, j in product(range(size), repeat=2):
        assert tightened[i][j] == frozenset({"equals"} if i == j else RELATIONS)


def test_matrices_that_are_not_square_are_refused() -> None:
    with pytest.raises(ValueError, match="expected 2 relations in each row"):
        is_consistent_scenario((("equals", "before"), ("after",)))
    with pytest.raises(ValueError, match="expected 1 relations in each row"):
        path_consistency((whole_network(2)[0],))
