"""How sure an accuracy is: Wilson intervals, and standard errors that know which questions share a video."""

from collections.abc import Sequence
from dataclasses import dataclass

ROUNDING = 1e-9
"""Standard errors below this are rounding errors in place of 0."""


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
    from statsmodels.stats.proportion import proportion_confint

    low, high = proportion_confint(sum(is_right), n, method="wilson")
    mean, wilson = sum(is_right) / n, (float(low), float(high))
    if distinct < 2:
        return Accuracy(n, distinct, mean, wilson)
    values = numpy.asarray(is_right, dtype=float)
    fit = OLS(values, numpy.ones(n)).fit(cov_type="cluster", cov_kwds={"groups": numpy.asarray(clusters)}, use_t=True)
    standard_error = float(fit.bse[0])
    if standard_error < ROUNDING:
        return Accuracy(n, distinct, mean, wilson, 0.0)
    low, high = fit.conf_int()[0]
    return Accuracy(n, distinct, mean, wilson, standard_error, (max(0.0, float(low)), min(1.0, float(high))))
