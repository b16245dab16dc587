"""Accuracies against statsmodels and cases worked out by hand, and how often the intervals hold what they promise."""

import random
from itertools import pairwise

import pytest
from statsmodels.stats.proportion import proportion_confint

from evaluate.statistics import Accuracy, accuracy


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
