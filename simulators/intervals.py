"""Allen's interval algebra: the thirteen ways in which two events can lie in time, and what follows from them.

Source: J. F. Allen, "Maintaining knowledge about temporal intervals", Communications of the ACM 26 (1983).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from math import comb
from random import Random
from typing import Literal, TypeAlias, get_args

Relation = Literal[
    "before",
    "meets",
    "overlaps",
    "starts",
    "during",
    "finishes",
    "equals",
    "finished_by",
    "contains",
    "started_by",
    "overlapped_by",
    "met_by",
    "after",
]
RELATIONS: tuple[Relation, ...] = get_args(Relation)
"""Go through sets of relations in this order: the order of a set of strings changes from run to run."""

Scenario: TypeAlias = tuple[tuple[Relation, ...], ...]
"""A square matrix: in row i and column j stands the one relation that event i has to event j."""

Network: TypeAlias = tuple[tuple[frozenset[Relation], ...], ...]
"""A square matrix: in row i and column j stand the relations that event i may have to event j."""

MINIMUM_EVENTS = 3
MAXIMUM_EVENTS = 6


@dataclass(frozen=True, slots=True)
class Interval:
    """The time from `start` up to `end`, in frames or any other whole unit; two that meet share that moment."""

    start: int
    end: int

    def __post_init__(self) -> None:
        if self.start >= self.end:
            raise ValueError(f"an interval ends after it starts: {self.start} to {self.end} does not")


_PICTURES: Mapping[Relation, tuple[Interval, Interval]] = {
    "before": (Interval(0, 1), Interval(2, 3)),
    "meets": (Interval(0, 1), Interval(1, 2)),
    "overlaps": (Interval(0, 2), Interval(1, 3)),
    "starts": (Interval(0, 1), Interval(0, 2)),
    "during": (Interval(1, 2), Interval(0, 3)),
    "finishes": (Interval(1, 2), Interval(0, 2)),
    "equals": (Interval(0, 1), Interval(0, 1)),
    "finished_by": (Interval(0, 2), Interval(1, 2)),
    "contains": (Interval(0, 3), Interval(1, 2)),
    "started_by": (Interval(0, 2), Interval(0, 1)),
    "overlapped_by": (Interval(1, 3), Interval(0, 2)),
    "met_by": (Interval(1, 2), Interval(0, 1)),
    "after": (Interval(2, 3), Interval(0, 1)),
}
"""What each relation means, as its smallest example. All else here is worked out from these."""

_BY_ORDER: Mapping[tuple[int, int, int, int], Relation] = {
    (a.start, a.end, b.start, b.end): name for name, (a, b) in _PICTURES.items()
}


def relation(a: Interval, b: Interval) -> Relation:
    """The one relation that `a` has to `b`, read "a <relation> b"."""
    endpoints = (a.start, a.end, b.start, b.end)
    moments = sorted(set(endpoints))
    first, second, third, fourth = map(moments.index, endpoints)
    return _BY_ORDER[first, second, third, fourth]


def mirrored(interval: Interval, total: int) -> Interval:
    """The interval as it lies when a video of length `total` plays backwards."""
    return Interval(total - interval.end, total - interval.start)


CONVERSE: Mapping[Relation, Relation] = {name: relation(b, a) for name, (a, b) in _PICTURES.items()}
_REVERSED: Mapping[Relation, Relation] = {
    name: relation(mirrored(a, 0), mirrored(b, 0)) for name, (a, b) in _PICTURES.items()
}


def converse(name: Relation) -> Relation:
    """What b has to a where a has `name` to b: the two events change roles and the video stays as it is.

    before ↔ after, starts ↔ started_by, during ↔ contains.
    """
    return CONVERSE[name]


def reversed_in_time(name: Relation) -> Relation:
    """What a has to b once the video plays backwards: the events keep their roles, starts and ends change places.

    before ↔ after, starts ↔ finishes, started_by ↔ finished_by; during, contains and equals stay.
    """
    return _REVERSED[name]


@cache
def _compositions() -> Mapping[tuple[Relation, Relation], frozenset[Relation]]:
    """All 169 compositions. Three intervals have six endpoints, so six moments show every order they can be in."""
    intervals = [Interval(start, end) for end in range(6) for start in range(end)]
    held = [[relation(a, b) for b in intervals] for a in intervals]
    found: dict[tuple[Relation, Relation], set[Relation]] = {
        (first, second): set() for first, second in product(RELATIONS, RELATIONS)
    }
    for a, b, c in product(range(len(intervals)), repeat=3):
        found[held[a][b], held[b][c]].add(held[a][c])
    return {pair: frozenset(relations) for pair, relations in found.items()}


def compose(first: Relation, second: Relation) -> frozenset[Relation]:
    """Every relation that a can have to c where a has `first` to b and b has `second` to c."""
    return _compositions()[first, second]


@cache
def neighbours(name: Relation) -> tuple[Relation, ...]:
    """The relations one shift of one endpoint away, in the order of `RELATIONS`; the relation itself is not among them.

    A shift takes an endpoint onto another or off it. These are the A-neighbours of C. Freksa, "Temporal reasoning
    based on semi-intervals", Artificial Intelligence 54 (1992): three of the four endpoints stay.
    """
    return tuple(other for other in RELATIONS if other in _shifted_off(name) or name in _shifted_off(other))


def _shifted_off(name: Relation) -> set[Relation]:
    """The relations that follow when one endpoint leaves another; onto another is the same shift seen from there."""
    # Moments two apart: a step of one leaves an endpoint and never arrives at another.
    endpoints = [2 * moment for interval in _PICTURES[name] for moment in (interval.start, interval.end)]
    found = set()
    for moving, step in product(range(4), (-1, 1)):
        a_start, a_end, b_start, b_end = (moment + step * (i == moving) for i, moment in enumerate(endpoints))
        found.add(relation(Interval(a_start, a_end), Interval(b_start, b_end)))
    return found - {name}


@cache
def distance(first: Relation, second: Relation) -> int:
    """The fewest shifts of one endpoint that lead from `first` to `second`, through the relations between them."""
    reached, steps = {first}, 0
    while second not in reached:
        reached.update([near for name in reached for near in neighbours(name)])
        steps += 1
    return steps


def sample_intervals(relation: Relation, random: Random, total: int, minimum_gap: int) -> tuple[Interval, Interval]:
    """Intervals a and b where a has `relation` to b, each endpoint strictly between 0 and `total`.

    Endpoints that differ lie at least `minimum_gap` (1 or more) apart, and as far from 0 and from `total`. All such
    pairs are equally likely. Raises ValueError where there is none: `total` must be three to five gaps.
    """
    a, b = _PICTURES[relation]
    moments = _sample_moments(1 + max(a.end, b.end), random, total, minimum_gap)
    return Interval(moments[a.start], moments[a.end]), Interval(moments[b.start], moments[b.end])


def sample_network(events: int, random: Random, total: int, minimum_gap: int) -> tuple[tuple[Interval, ...], Scenario]:
    """`events` intervals (3 to 6) and all their relations, with gaps as in `sample_intervals`.

    All consistent scenarios are equally likely, whatever `total` is, and so are the places of the moments within one.
    Raises ValueError where `total` has no room for all endpoints to differ: 2 × `events` + 1 gaps.
    """
    if not MINIMUM_EVENTS <= events <= MAXIMUM_EVENTS:
        raise ValueError(f"a network has {MINIMUM_EVENTS} to {MAXIMUM_EVENTS} events, not {events}")
    _check_room(2 * events, total, minimum_gap)
    waiting, running = list(range(events)), list[int]()
    starts, ends = [0] * events, [0] * events
    moment = 0
    while waiting or running:
        starting, ending = _sample_step(len(waiting), len(running), random)
        started, ended = random.sample(waiting, starting), random.sample(running, ending)
        for event in started:
            starts[event] = moment
        for event in ended:
            ends[event] = moment
        waiting = [event for event in waiting if event not in started]
        running = [event for event in running if event not in ended] + started
        moment += 1
    moments = _sample_moments(moment, random, total, minimum_gap)
    intervals = tuple(Interval(moments[start], moments[end]) for start, end in zip(starts, ends, strict=True))
    return intervals, scenario_of(intervals)


@cache
def _orders(waiting: int, running: int) -> int:
    """In how many orders `waiting` events can still start and end and `running` events end, some at the same moment."""
    if not waiting and not running:
        return 1
    return sum(ways for _, ways in _steps(waiting, running))


def _steps(waiting: int, running: int) -> list[tuple[tuple[int, int], int]]:
    """How many events may start and how many end at the next moment, each with the number of orders that begin so."""
    return [
        (
            (starting, ending),
            comb(waiting, starting) * comb(running, ending) * _orders(waiting - starting, running + starting - ending),
        )
        for starting, ending in product(range(waiting + 1), range(running + 1))
        if starting or ending
    ]


def _sample_step(waiting: int, running: int, random: Random) -> tuple[int, int]:
    """How many events start and how many end at the next moment, such that in the end all orders are equally likely."""
    left = random.randrange(_orders(waiting, running))
    for step, ways in _steps(waiting, running):
        if left < ways:
            return step
        left -= ways
    raise AssertionError("the steps add up to the orders")


def _check_room(moments: int, total: int, minimum_gap: int) -> None:
    """Raises ValueError where so many moments cannot keep their distance from each other, from 0 and from `total`."""
    if minimum_gap < 1:
        raise ValueError(f"the minimum gap is at least 1, not {minimum_gap}")
    if total < (moments + 1) * minimum_gap:
        raise ValueError(
            f"{moments} moments that lie {minimum_gap} apart, and as far from both ends, "
            f"need a total of {(moments + 1) * minimum_gap} or more, not {total}"
        )


def _sample_moments(count: int, random: Random, total: int, minimum_gap: int) -> list[int]:
    """`count` moments in order, at least `minimum_gap` from each other, from 0 and from `total`; uniform over all."""
    _check_room(count, total, minimum_gap)
    # Taking the surplus of each gap away turns the choice into one of `count` different numbers, a uniform subset.
    surplus = minimum_gap - 1
    chosen = sorted(random.sample(range(1, total - (count + 1) * surplus), count))
    return [moment + (index + 1) * surplus for index, moment in enumerate(chosen)]


def scenario_of(intervals: Sequence[Interval]) -> Scenario:
    """All pairwise relations of the intervals."""
    return tuple(tuple(relation(a, b) for b in intervals) for a in intervals)


def network_of(relations: Scenario) -> Network:
    """The network that allows this scenario and no other."""
    return tuple(tuple(frozenset((name,)) for name in row) for row in relations)


def path_consistency(network: Network) -> Network | None:
    """The network without the relations that no third event leaves room for; None where it is inconsistent.

    No solution is lost. None proves that there is no solution; a network that is left need not have one once it has
    four events or more, unless it says one relation for each pair. Raises ValueError where the matrix is not square.
    """
    events = range(_size(network))
    allowed = {
        (i, j): network[i][j] & {CONVERSE[name] for name in network[j][i]} & ({"equals"} if i == j else set(RELATIONS))
        for i, j in product(events, repeat=2)
    }
    changed = True
    while changed:
        changed = False
        for i, k, j in product(events, repeat=3):
            kept = allowed[i, j] & _compose_sets(allowed[i, k], allowed[k, j])
            if kept != allowed[i, j]:
                allowed[i, j], allowed[j, i] = kept, frozenset(CONVERSE[name] for name in kept)
                changed = True
    if not all(allowed.values()):
        return None
    return tuple(tuple(allowed[i, j] for j in events) for i in events)


def _compose_sets(first: frozenset[Relation], second: frozenset[Relation]) -> frozenset[Relation]:
    return frozenset[Relation]().union(*(compose(r, s) for r, s in product(first, second)))


def is_consistent_scenario(relations: Scenario) -> bool:
    """Whether there are intervals with exactly these relations. Raises ValueError where the matrix is not square.

    Where each pair has one relation, every three events being possible is enough: R. E. Valdés-Pérez, "The
    satisfiability of temporal constraint networks", AAAI (1987).
    """
    events = range(_size(relations))
    # "equals" is in a composition only of a relation with its converse, so i, k, i compares the matrix's two halves.
    return all(relations[i][i] == "equals" for i in events) and all(
        relations[i][j] in compose(relations[i][k], relations[k][j]) for i, k, j in product(events, repeat=3)
    )


def _size(matrix: Sequence[Sequence[object]]) -> int:
    """The number of events. Raises ValueError where the rows are not as long as there are rows."""
    if any(len(row) != len(matrix) for row in matrix):
        raise ValueError(f"expected {len(matrix)} relations in each row, one for each event")
    return len(matrix)
