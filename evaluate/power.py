"""How many fresh items it takes to tell two models apart, from how they did on the items at hand."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

POINTS = (1, 2, 5, 10)
"""Differences in accuracy, in percentage points, for which the items are counted."""

POWER, LEVEL = 0.8, 0.05
"""The chance to find the difference, and the level of the two-sided test that finds it."""

MOST_ITEMS = 10**6
"""Above so many items the normal distribution's number is as good as any."""

FEWEST_ITEMS = 10


@dataclass(frozen=True, slots=True)
class Spread:
    """How two models vary over items: standard deviations of their accuracy on an item, and its correlation.

    `lead` is the standard deviation of the difference, √(first² + second² - 2 · correlation · first · second).
    Items count by their number of questions. `correlation` is None where one of the models does not vary.
    """

    items: int
    first: float
    second: float
    correlation: float | None
    lead: float


def spread(first: Sequence[bool], second: Sequence[bool], clusters: Sequence[int]) -> Spread | None:
    """How two runs over the same questions vary, `clusters[i]` being the item of question i; None below two items."""
    import numpy

    _, places = numpy.unique(numpy.asarray(clusters), return_inverse=True)
    sizes = numpy.bincount(places)
    items = len(sizes)
    if items < 2:
        return None

    # Of a ratio of sums, as with items of different sizes: what an item has above the mean, per question.
    def above(is_right: Sequence[bool]) -> Any:
        values = numpy.asarray(is_right, dtype=float)
        return (numpy.bincount(places, weights=values) - values.mean() * sizes) / sizes.mean()

    one, other = above(first), above(second)
    deviations = [float((values @ values / (items - 1)) ** 0.5) for values in (one, other, one - other)]
    product = deviations[0] * deviations[1]
    correlation = float(one @ other / (items - 1)) / product if product > 1e-12 else None
    return Spread(items, deviations[0], deviations[1], correlation, deviations[2])


def items_needed(lead: float, points: float, power: float = POWER, level: float = LEVEL) -> int | None:
    """Items after which a paired test finds a difference of so many percentage points with the given power.

    `lead` is the standard deviation of the difference on an item. The test is Student's, two-sided, whose power is
    statsmodels' own. None where the difference is the same on every item.
    """
    from statsmodels.stats.power import TTestPower

    if lead < 1e-9:
        return None
    test, effect = TTestPower(), points / 100 / lead
    # The normal distribution's number is a little too small, since it takes the standard deviation for known.
    needed = max(2, int((_normal_quantiles(power, level) / effect) ** 2))
    while needed < MOST_ITEMS and float(test.power(effect, needed, level)) < power:
        needed += 1
    return needed


def smallest_difference(lead: float, items: int, power: float = POWER, level: float = LEVEL) -> float | None:
    """The difference in percentage points that so many items find; None as above, and for very few items."""
    from statsmodels.stats.power import TTestPower

    if lead < 1e-9 or items < FEWEST_ITEMS:
        return None
    test = TTestPower()
    low = _normal_quantiles(power, level) / items**0.5
    high = 1.5 * low
    for _ in range(20):
        middle = (low + high) / 2
        low, high = (low, middle) if float(test.power(middle, items, level)) >= power else (middle, high)
    return float(100 * high * lead)


def _normal_quantiles(power: float, level: float) -> float:
    from scipy.stats import norm

    return float(norm.ppf(1 - level / 2) + norm.ppf(power))
