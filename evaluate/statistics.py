"""How sure an accuracy or a difference is: intervals and tests that know which questions share a video."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

ROUNDING = 1e-9
"""Standard errors below this are rounding errors in place of 0."""

FLIPS = 10_000
"""How often the signs of the items' differences are flipped to find out what chance alone makes of them."""

RESAMPLES = 10_000
"""How often the items are drawn again, with replacement, to find out how much a difference owes to which they are."""

SEED = 0
"""The seed of flips and resamples, so that a report made again says the same."""


@dataclass(frozen=True, slots=True)
class Accuracy:
    """The share of right answers among `n` questions about `clusters` items, and how sure it is; None: not defined.

    `wilson` takes the questions for independent. `standard_error` and its 95 % interval `clustered` do not: they take
    the items for independent. Both need two items. Where every item came out alike the standard error is 0, which says
    nothing of other items, and there is no interval.
    """

    n: int
    clusters: int
    mean: float | None = None
    wilson: tuple[float, float] | None = None
    standard_error: float | None = None
    clustered: tuple[float, float] | None = None


def accuracy(is_right: Sequence[bool], clusters: Sequence[int]) -> Accuracy:
    """The accuracy of answers that were right or not, where `clusters[i]` numbers the item that answer i is about.

    The standard error is the cluster-robust one of a regression on a constant, with the small-sample correction
    G/(G-1) for G items, and its interval is of Student's t with G-1 degrees of freedom: statsmodels' own.
    """
    n, distinct = len(is_right), len(set(clusters))
    if n == 0:
        return Accuracy(0, 0)

    import numpy
    from statsmodels.regression.linear_model import OLS

    mean, interval = sum(is_right) / n, wilson(sum(is_right), n)
    if distinct < 2:
        return Accuracy(n, distinct, mean, interval)
    values = numpy.asarray(is_right, dtype=float)
    fit = OLS(values, numpy.ones(n)).fit(cov_type="cluster", cov_kwds={"groups": numpy.asarray(clusters)}, use_t=True)
    standard_error = float(fit.bse[0])
    if standard_error < ROUNDING:
        return Accuracy(n, distinct, mean, interval, 0.0)
    low, high = fit.conf_int()[0]
    return Accuracy(n, distinct, mean, interval, standard_error, (max(0.0, float(low)), min(1.0, float(high))))


def wilson(right: int, n: int) -> tuple[float, float]:
    """The Wilson 95 % interval of a share of `n` answers that are independent of each other."""
    from statsmodels.stats.proportion import proportion_confint

    low, high = proportion_confint(right, n, method="wilson")
    return float(low), float(high)


def p_above_chance(right: int, n: int, chance: float) -> float:
    """The exact one-sided p-value of `right` of `n` independent answers where `chance` is what guessing reaches."""
    from scipy.stats import binomtest

    return float(binomtest(right, n, chance, alternative="greater").pvalue)


@dataclass(frozen=True, slots=True)
class Difference:
    """By how much the first of two runs is more often right than the second, over the same questions.

    The p-value is two-sided. There is no 95 % interval where fewer than two items, or items that all came out alike,
    say nothing of other items.
    """

    n: int
    clusters: int
    mean: float
    interval: tuple[float, float] | None
    p: float


def difference(first: Sequence[bool], second: Sequence[bool], clusters: Sequence[int], seed: int = SEED) -> Difference:
    """The difference in accuracy of two runs, where `clusters[i]` numbers the item that both answers i are about.

    Items are independent, questions about one are not. So the test flips whole items: had the two runs nothing between
    them, either could have given either's answers about any item. The interval is the percentile one of a bootstrap of
    whole items.
    """
    import numpy

    _, places = numpy.unique(numpy.asarray(clusters), return_inverse=True)
    lead = numpy.asarray(first, dtype=float) - numpy.asarray(second, dtype=float)
    sizes, leads = numpy.bincount(places), numpy.bincount(places, weights=lead)
    n, items, total = len(first), len(sizes), leads.sum()
    random = numpy.random.default_rng(seed)

    # Items with the same lead are interchangeable, so how many of them are flipped, or drawn again, is drawn at once.
    # The distribution is that of items taken one by one, and the time does not grow with their number.
    steps, alike = numpy.unique(numpy.abs(leads), return_counts=True)
    kept = random.binomial(alike, 0.5, size=(FLIPS, len(steps)))
    flipped = (2 * kept - alike) @ steps
    # The leads as they are count as one more flip, which keeps the p-value valid; they are whole, so ties are exact.
    p = (1 + int((numpy.abs(flipped) >= abs(total)).sum())) / (1 + FLIPS)

    kinds, alike = numpy.unique(numpy.column_stack([leads, sizes]), axis=0, return_counts=True)
    if len(numpy.unique(kinds[:, 0] / kinds[:, 1])) == 1:
        return Difference(n, items, float(total) / n, None, p)
    drawn = random.multinomial(items, alike / items, size=RESAMPLES)
    low, high = numpy.quantile((drawn @ kinds[:, 0]) / (drawn @ kinds[:, 1]), [0.025, 0.975])
    return Difference(n, items, float(total) / n, (float(low), float(high)), p)


@dataclass(frozen=True, slots=True)
class Discordance:
    """What only the first of two runs got right and what only the second, of `n`; McNemar's exact two-sided p-value."""

    n: int
    only_first: int
    only_second: int
    p: float

    @property
    def mean(self) -> float:
        """The difference of the two runs' shares of right ones."""
        return (self.only_first - self.only_second) / self.n


def discordance(first: Sequence[bool], second: Sequence[bool]) -> Discordance:
    """McNemar's exact test of two runs over the same instances, which must be independent of each other."""
    from statsmodels.stats.contingency_tables import mcnemar

    only_first = sum(one and not other for one, other in zip(first, second, strict=True))
    only_second = sum(other and not one for one, other in zip(first, second, strict=True))
    # The test looks at nothing but the discordant ones; what is alike stands in the table for completeness.
    table = [[sum(first) - only_first, only_first], [only_second, len(first) - sum(first) - only_second]]
    return Discordance(len(first), only_first, only_second, min(1.0, float(mcnemar(table, exact=True).pvalue)))


def holm(p_values: Sequence[float]) -> list[float]:
    """The p-values as Holm corrects them for being several, in the same order."""
    if not p_values:
        return []
    from statsmodels.stats.multitest import multipletests

    return [float(p) for p in multipletests(p_values, method="holm")[1]]


def bootstrap(is_right: Sequence[bool], clusters: Sequence[int], seed: int = SEED) -> tuple[float, float] | None:
    """The 95 % percentile interval of an accuracy, of a bootstrap of whole items; None as that of `Difference`."""
    drawn = _redrawn([is_right], clusters, seed)
    if drawn is None:
        return None
    (right,), sizes = drawn
    return _percentiles(right / sizes)


@dataclass(frozen=True, slots=True)
class Ratio:
    """The share of right answers of one run over that of another, less 1: -0.2 is a drop by 20 %.

    `value` is None where the other run has nothing right. `interval` is the 95 % percentile one of a bootstrap of whole
    items; None where it is not defined, or where the other run has nothing right in some of the resamples.
    """

    n: int
    clusters: int
    value: float | None
    interval: tuple[float, float] | None


def ratio(first: Sequence[bool], second: Sequence[bool], clusters: Sequence[int], seed: int = SEED) -> Ratio:
    """How much more often the first of two runs is right than the second, relative to the second."""
    n, items = len(first), len(set(clusters))
    if not any(second):
        return Ratio(n, items, None, None)
    value = float(sum(first) / sum(second) - 1)
    drawn = _redrawn([first, second], clusters, seed)
    if drawn is None:
        return Ratio(n, items, value, None)
    (of_first, of_second), _ = drawn
    if not of_second.all():
        return Ratio(n, items, value, None)
    return Ratio(n, items, value, _percentiles(of_first / of_second - 1))


def _redrawn(runs: Sequence[Sequence[bool]], clusters: Sequence[int], seed: int) -> tuple[Any, Any] | None:
    """(how many are right in each run, how many questions there are) in each of RESAMPLES bootstraps of whole items.

    None where there are fewer than two items, or all came out alike, so that they say nothing of other items.
    """
    import numpy

    if len(set(clusters)) < 2:
        return None
    _, places = numpy.unique(numpy.asarray(clusters), return_inverse=True)
    sums = [numpy.bincount(places, weights=numpy.asarray(is_right, dtype=float)) for is_right in runs]
    sizes = numpy.bincount(places)
    # Items that came out alike are interchangeable, so how many of them are drawn again is drawn at once.
    kinds, alike = numpy.unique(numpy.column_stack([*sums, sizes]), axis=0, return_counts=True)
    if len(numpy.unique(kinds[:, :-1] / kinds[:, -1:], axis=0)) == 1:
        return None
    drawn = numpy.random.default_rng(seed).multinomial(len(sizes), alike / len(sizes), size=RESAMPLES) @ kinds
    return drawn[:, :-1].T, drawn[:, -1]


def _percentiles(values: Any) -> tuple[float, float]:
    import numpy

    low, high = numpy.quantile(values, [0.025, 0.975])
    return float(low), float(high)
