"""Accuracies and differences against cases worked out by hand, and how often intervals and tests hold their promise."""

import random
from fractions import Fraction
from itertools import pairwise
from math import comb

import numpy
import pytest
from scipy.stats import binomtest, kstest
from statsmodels.stats.proportion import proportion_confint

from evaluate import statistics
from evaluate.statistics import (
    Accuracy,
    Difference,
    Discordance,
    accuracy,
    difference,
    discordance,
    holm,
    p_above_chance,
)


def test_nothing_asked_has_no_accuracy() -> None:
    assert accuracy([], []) == Accuracy(0, 0)


@pytest.mark.parametrize("right", range(11))
def test_wilson_intervals_are_those_of_statsmodels_and_hold_the_mean(right: int) -> None:
    figures = accuracy([True] * right + [False] * (10 - right), list(range(10)))
    assert figures.wilson == pytest.approx(proportion_confint(right, 10, method="wilson"))
    assert figures.wilson is not None and figures.mean is not None
    assert -1e-9 <= figures.wilson[0] <= figures.mean + 1e-9
    assert figures.mean - 1e-9 <= figures.wilson[1] <= 1 + 1e-9


def test_wilson_by_hand() -> None:
    # k = 8, n = 10, z = 1.959964: centre (k + z²/2) / (n + z²), half-width z/(n + z²) · sqrt(k(n-k)/n + z²/4)
    figures = accuracy([True] * 8 + [False] * 2, list(range(10)))
    assert figures.wilson == pytest.approx((0.49016, 0.94332), abs=1e-5)


def test_standard_error_by_hand() -> None:
    # Three items with 2 of 2, 1 of 2 and 0 of 2 right: residual sums 1, 0, -1 around 1/2; variance (1 + 1)/36 · 3/2.
    figures = accuracy([True, True, True, False, False, False], [0, 0, 1, 1, 2, 2])
    assert (figures.n, figures.clusters, figures.mean) == (6, 3, 0.5)
    assert figures.standard_error == pytest.approx((2 / 36 * 3 / 2) ** 0.5)
    # Student's t with two degrees of freedom: 4.303 standard errors either way, cut to what a share can be.
    assert figures.clustered == (0.0, 1.0)


def test_items_of_one_question_have_the_ordinary_standard_error() -> None:
    figures = accuracy([True] * 30 + [False] * 70, list(range(100)))
    assert figures.standard_error == pytest.approx((0.3 * 0.7 / 99) ** 0.5)
    assert figures.clustered == pytest.approx((0.3 - 1.98422 * 0.0460566, 0.3 + 1.98422 * 0.0460566), abs=1e-5)


def test_the_same_answers_again_are_no_new_evidence() -> None:
    answers, items = [True] * 30 + [False] * 70, list(range(100))
    once, thrice = accuracy(answers, items), accuracy(answers * 3, items * 3)
    assert thrice.standard_error == pytest.approx(once.standard_error)
    assert thrice.wilson is not None and once.wilson is not None
    assert thrice.wilson[1] - thrice.wilson[0] < 0.6 * (once.wilson[1] - once.wilson[0])


@pytest.mark.parametrize("right", [True, False])
def test_one_item_has_no_standard_error(right: bool) -> None:
    figures = accuracy([right, True, False], [4, 4, 4])
    assert (figures.clusters, figures.standard_error, figures.clustered) == (1, None, None)
    assert figures.wilson is not None


@pytest.mark.parametrize("answers", [[True] * 12, [False] * 12, [True, False, False] * 4])
def test_items_that_came_out_alike_have_no_spread(answers: list[bool]) -> None:
    figures = accuracy(answers, [number // 3 for number in range(12)])
    assert (figures.standard_error, figures.clustered) == (0.0, None)


def test_clustered_intervals_hold_what_they_promise_and_naive_ones_do_not() -> None:
    """Five questions a video, where half of the videos are hard and half are easy."""
    chance = random.Random(20250523)
    truth, trials, videos, questions = 0.5, 400, 40, 5
    clustered = naive = 0
    for _ in range(trials):
        skill = [chance.choice([0.15, 0.85]) for _ in range(videos)]
        answers = [chance.random() < skill[video] for video in range(videos) for _ in range(questions)]
        figures = accuracy(answers, [video for video in range(videos) for _ in range(questions)])
        assert figures.clustered is not None and figures.wilson is not None
        clustered += figures.clustered[0] <= truth <= figures.clustered[1]
        naive += figures.wilson[0] <= truth <= figures.wilson[1]
    assert 0.92 <= clustered / trials <= 0.98
    assert naive / trials <= 0.85


def test_more_agreement_within_items_means_less_certainty() -> None:
    errors = []
    for together in (1, 2, 5, 10):
        answers = [number // together % 2 == 0 for number in range(200)]
        errors.append(accuracy(answers, [number // together for number in range(200)]).standard_error or 0.0)
    assert all(less < more for less, more in pairwise(errors))


@pytest.mark.parametrize(("right", "n"), [(0, 1), (1, 1), (1, 16), (3, 20), (40, 360)])
def test_p_above_chance_is_the_binomial_tail(right: int, n: int) -> None:
    chance = Fraction(1, 16)
    tail = sum(comb(n, k) * chance**k * (1 - chance) ** (n - k) for k in range(right, n + 1))
    assert p_above_chance(right, n, 0.0625) == pytest.approx(float(tail))


def test_mcnemar_by_hand() -> None:
    # Only the first has 8 right, only the second 2: 2 · (1 + 10 + 45) / 2¹⁰, whatever both have right or wrong.
    first, second = [True] * 8 + [False] * 2 + [True, False], [False] * 8 + [True] * 2 + [True, False]
    found = discordance(first, second)
    assert (found.n, found.only_first, found.only_second) == (12, 8, 2)
    assert found.p == discordance(second, first).p == pytest.approx(112 / 1024)
    assert discordance(first, second).mean == pytest.approx(6 / 12)
    assert discordance(first, first) == Discordance(12, 0, 0, 1.0)
    assert discordance(first, second).p == pytest.approx(binomtest(2, 10, 0.5).pvalue)


def test_holm_by_hand() -> None:
    # In order of size .01·3, .03·2 and .04·1, which may not fall below the one before it.
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.5]) == [0.5]
    assert holm([]) == []


def test_a_difference_by_hand() -> None:
    # Three items in which the first leads by 1 of 2: of the 8 ways to flip them two are as far from 0.
    figures = difference([True, True] * 3, [True, False] * 3, [5, 5, 6, 6, 7, 7])
    assert (figures.n, figures.clusters, figures.mean, figures.interval) == (6, 3, 0.5, None)
    assert figures.p == pytest.approx(0.25, abs=0.02)
    swapped = difference([True, False] * 3, [True, True] * 3, [5, 5, 6, 6, 7, 7])
    assert (swapped.mean, swapped.p) == (-0.5, figures.p)
    # One item with a lead of 1 of 1 and one with none of 1: drawn again, half of them make 1/2, the rest 0 or 1.
    figures = difference([True, True], [False, True], [0, 1])
    assert (figures.mean, figures.interval, figures.p) == (0.5, (0.0, 1.0), 1.0)


def test_one_item_or_the_same_answers_show_no_difference() -> None:
    assert difference([True, True], [False, False], [3, 3]) == Difference(2, 1, 1.0, None, 1.0)
    answers = [True, False, True, True]
    assert difference(answers, answers, [0, 0, 1, 1]) == Difference(4, 2, 0.0, None, 1.0)


def test_a_difference_is_the_same_each_time_and_in_any_order() -> None:
    chance = random.Random(4)
    first, second = ([chance.random() < share for _ in range(90)] for share in (0.6, 0.5))
    items = [number // 3 for number in range(90)]
    once = difference(first, second, items)
    assert difference(first, second, items) == once
    order = chance.sample(range(90), 90)
    shuffled = difference([first[at] for at in order], [second[at] for at in order], [items[at] for at in order])
    assert shuffled == once


def two_runs(chance: numpy.random.Generator, items: int, gain: float) -> tuple[list[bool], list[bool], list[int]]:
    """Answers of two runs about items of 4 or 6 questions, of which each knows some items well and others not."""
    sizes = chance.choice([4, 6], size=items)
    places = numpy.repeat(numpy.arange(items), sizes)
    runs = [chance.choice([0.15, 0.65], size=items) + add for add in (gain, 0.0)]
    first, second = (list(map(bool, chance.random(len(places)) < skill[places])) for skill in runs)
    return first, second, places.tolist()


def test_a_difference_is_that_of_items_flipped_and_drawn_one_by_one() -> None:
    chance = numpy.random.default_rng(11)
    first, second, places = two_runs(chance, 50, 0.1)
    figures = difference(first, second, places)
    leads = numpy.bincount(places, weights=numpy.asarray(first, dtype=float) - numpy.asarray(second, dtype=float))
    sizes = numpy.bincount(places)
    flipped = chance.choice([-1, 1], size=(20_000, 50)) @ leads
    p = float((abs(flipped) >= abs(leads.sum())).mean())
    assert figures.p == pytest.approx(p, abs=4 * (p * (1 - p) * (1 / 10_000 + 1 / 20_000)) ** 0.5)
    drawn = chance.integers(50, size=(20_000, 50))
    interval = numpy.quantile(leads[drawn].sum(axis=1) / sizes[drawn].sum(axis=1), [0.025, 0.975])
    assert figures.interval == pytest.approx(interval, abs=0.006)


def test_bootstrap_intervals_hold_what_they_promise(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(statistics, "FLIPS", 1)
    monkeypatch.setattr(statistics, "RESAMPLES", 1999)
    chance, trials, gain = numpy.random.default_rng(20_250_917), 300, 0.1
    held = 0
    for trial in range(trials):
        interval = difference(*two_runs(chance, 60, gain), seed=trial).interval
        assert interval is not None
        held += interval[0] <= gain <= interval[1]
    assert 0.92 <= held / trials <= 0.98


def test_sign_flips_of_equal_runs_give_even_p_values_and_mcnemar_over_questions_does_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(statistics, "FLIPS", 1999)
    monkeypatch.setattr(statistics, "RESAMPLES", 1)
    chance, trials = numpy.random.default_rng(7), 400
    flipped, naive = [], []
    for trial in range(trials):
        first, second, places = two_runs(chance, 60, 0.0)
        flipped.append(difference(first, second, places, seed=trial).p)
        naive.append(discordance(first, second).p)
    # Not too small anywhere. Somewhat too large they may be: a difference of exactly 0, with p = 1, is not so rare.
    assert kstest(flipped, "uniform", alternative="greater").pvalue > 0.05
    for level in (0.05, 0.1, 0.5):
        share = sum(p <= level for p in flipped) / trials
        assert share == pytest.approx(level, abs=3 * (level * (1 - level) / trials) ** 0.5)
    assert sum(p <= 0.05 for p in naive) / trials > 0.1
