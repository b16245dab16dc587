"""The tables of a report: titles, headings, rows as text, and the notes that a reader needs beside them."""

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from evaluate.comparing import SIGNIFICANT, CountedRuns, plain, viewing_name
from evaluate.pairs import BINS, CHANCE, PAIR_TABLES, PairFigures
from evaluate.power import LEVEL, POINTS, POWER, items_needed, smallest_difference
from evaluate.statistics import FLIPS, RESAMPLES, SEED, accuracy
from evaluate.tallies import TABLES, Tally
from verifier.scoring import OUTCOMES

Row = tuple[str, ...]
Table: TypeAlias = tuple[str, Row, list[Row]]
"""Title, headings and rows."""

TITLES = {table: f"By {table}" for table in TABLES} | {
    "overall": "Overall",
    "operations_range": "By operations, in ranges",
}
PAIR_TITLES = {table: f"Pairs by {table}" for table in PAIR_TABLES} | {
    "overall": "Pairs",
    "contrast": "Pairs by contrast of the clips",
}
HEADINGS = ("group", "model", "accuracy", "Wilson 95 %", "SE", "n", "items", *OUTCOMES)
PAIR_HEADINGS = ("group", "model", "pairs", *CHANCE, "Wilson 95 %", "SE", "p")
NAMES = (
    "group",
    "model",
    "reason",
    "against",
    "condition",
    "measure",
    "of",
    "not told from",
    "second reader",
    "frames asked for",
)
"""Headings of columns that hold words."""

PLAN_HEADINGS = ("model", "plans asked for", "right", "mean optimality gap", "failed by an illegal operation")
COMPARISON_HEADINGS = ("model", "against", "difference", "bootstrap 95 %", "n", "items", "p", "p (Holm)")
DISCORDANCE_HEADINGS = (
    "model",
    "against",
    "difference",
    "model alone right",
    "against alone right",
    "pairs",
    "p",
    "p (Holm)",
)
RANKING_HEADINGS = ("rank", "model", "accuracy", "Wilson 95 %", "bootstrap 95 %", "n", "items", "not told from")
CONDITION_HEADINGS = (
    "condition",
    "model",
    "accuracy",
    "Wilson 95 %",
    "bootstrap 95 %",
    "n",
    "items",
    "against",
    "difference",
    "difference 95 %",
    "change",
    "change 95 %",
    "p (Holm)",
)
TEMPORAL_HEADINGS = ("measure", "model", "of", "against", "value", "bootstrap 95 %", "n", "items")
SWEEP_HEADINGS = (
    "condition",
    "model",
    "frames asked for",
    "frames shown",
    "accuracy",
    "Wilson 95 %",
    "bootstrap 95 %",
    "n",
    "items",
    "below minimum",
)
FRAME_RATE_HEADINGS = (
    "model",
    "n",
    "below minimum",
    "share",
    "accuracy",
    "of those below",
    "Wilson 95 %",
    "of the others",
    "Wilson 95 % of the others",
)
JUDGED_HEADINGS = (
    "model",
    "second reader",
    "accuracy",
    "unparsed",
    "read by it",
    "correct",
    "wrong",
    "no answer",
    "accuracy with it",
    "Wilson 95 % with it",
    "n",
    "items",
)
POWER_HEADINGS = (
    "model",
    "against",
    "SD of model",
    "SD of against",
    "correlation",
    "SD of difference",
    "items here",
    "found here",
    *(f"{points} point{'s' * (points > 1)}" for points in POINTS),
)
COST_HEADINGS = ("model", "replies", "dollars", "prompt tokens", "reply tokens", "seconds a reply")
SPLITS = {
    HEADINGS: HEADINGS.index(OUTCOMES[0]),
    PAIR_HEADINGS: PAIR_HEADINGS.index("Wilson 95 %"),
    COMPARISON_HEADINGS: COMPARISON_HEADINGS.index("n"),
    DISCORDANCE_HEADINGS: DISCORDANCE_HEADINGS.index("pairs"),
    RANKING_HEADINGS: RANKING_HEADINGS.index("not told from"),
    CONDITION_HEADINGS: CONDITION_HEADINGS.index("against"),
    TEMPORAL_HEADINGS: TEMPORAL_HEADINGS.index("value"),
    SWEEP_HEADINGS: SWEEP_HEADINGS.index("accuracy"),
    FRAME_RATE_HEADINGS: FRAME_RATE_HEADINGS.index("of those below"),
    JUDGED_HEADINGS: JUDGED_HEADINGS.index("read by it"),
    POWER_HEADINGS: POWER_HEADINGS.index("items here"),
}
"""Where tables are cut in two that are too wide for the screen; both parts begin with the first two columns."""

NOTES = (
    "n counts every question asked, whatever became of it; accuracy is correct / n.",
    "Wilson 95 %: takes the questions for independent, which questions about one video are not.",
    "SE: cluster-robust standard error by item; – where there is one item only, so that it is not defined.",
    "Optimality gap: operations beyond the shortest plan, over right plans.",
)
PAIR_NOTES = (
    "Pairs: two questions about two clips each. Acc: the share of answers that are right; V-Acc: of clips with both "
    "questions right; Q-Acc: of questions right about both clips; I-Acc: of pairs with all four right.",
    f"Chance: {', '.join(f'{name} {share:g}' for name, share in CHANCE.items())}. p: exact one-sided binomial test of "
    "I-Acc against chance, not corrected for the number of groups.",
    "In tables of pairs, Wilson 95 % is of I-Acc, and SE of Acc: cluster-robust by pair.",
)
CONTRAST_NOTE = (
    "Contrasts are in units of the category's own, and each category is cut at its own quartiles, or into single "
    f"contrasts where it has no more than {BINS}."
)
COMPARISON_NOTE = (
    f"Compared: model less against. Accuracy, by item: bootstrap 95 % of {RESAMPLES:,} resamples, and p of {FLIPS:,} "
    f"sign flips, two-sided, seed {SEED}. p (Holm): corrected for all comparisons of this report."
)
DISCORDANCE_NOTE = "I-Acc is compared by McNemar's exact test, two-sided, over the pairs that one run alone has right."
RANKING_NOTE = (
    "Ranked by accuracy, one run a model: that which shows the most. Not told from: p (Holm) of the difference is "
    f"{SIGNIFICANT:g} or more. Bootstrap 95 %: of whole items, {RESAMPLES:,} resamples, seed {SEED}."
)
POWER_NOTE = (
    f"Fresh items like these after which a paired two-sided test at {LEVEL:.0%} finds a difference of so many "
    f"percentage points in {POWER:.0%} of cases, from how the two models vary over items here (SD: standard deviation "
    "of an item's accuracy). Found here: the difference that as many items as here find."
)
CONDITION_NOTE = (
    "Conditions are measured against the model's full run of the same frames, or else of the most. Change: the "
    "accuracy over that one's, less 1; -20 % is a drop by a fifth. Intervals: bootstrap of whole items. p (Holm): sign "
    "flips by item, corrected for all conditions of this report."
)
TEMPORAL_NOTE = (
    "TOMATO's measures (arXiv 2410.23266), ratios of two accuracies less 1. κ: full over a single frame; τ: full over "
    "shuffled; ρ: the most informative single frame over a random one. Near 0 for κ or τ: the questions need no more "
    "than one frame, or no order."
)
FRAME_RATE_NOTE = (
    "† Some clips were shown at fewer frames a second than their items' minimum_fps, below which an event can fall "
    "between two frames."
)
JUDGED_NOTE = (
    "The second reader wrote down the answers of replies that ours calls unparsed. Accuracy is the strict one "
    "everywhere; only the columns with it count what it read."
)


def notes(counted: CountedRuns) -> list[str]:
    """What a reader must know of the figures that are in this report."""
    has_pairs, is_compared = bool(counted[0].instances), bool(counted.comparisons)
    return [
        *NOTES,
        *(PAIR_NOTES if has_pairs else ()),
        *((CONTRAST_NOTE,) if "contrast" in counted[0].pairs else ()),
        *((RANKING_NOTE, COMPARISON_NOTE) if is_compared else ()),
        *((DISCORDANCE_NOTE,) if has_pairs and is_compared else ()),
        *((POWER_NOTE,) if is_compared else ()),
        *((CONDITION_NOTE,) if counted.conditions else ()),
        *((TEMPORAL_NOTE,) if counted.temporal else ()),
        *((FRAME_RATE_NOTE,) if counted.frame_rates else ()),
        *((JUDGED_NOTE,) if any(one.judge is not None for one in counted) else ()),
    ]


def tables(counted: CountedRuns) -> Iterator[Table]:
    """Every table that has something in it, runs beside each other in each group."""
    labels = counted.labels
    yield from _ranking_table(counted)
    for table, title in TITLES.items():
        groups = list(dict.fromkeys(group for one in counted for group in one.tallies[table]))
        rows = [
            (plain(str(group)), label, *_figures(one.tallies[table][group]))
            for group in groups
            for label, one in zip(labels, counted, strict=True)
            if group in one.tallies[table]
        ]
        if rows:
            yield title, HEADINGS, rows
    yield from _pair_tables(counted, labels)
    yield from _comparison_tables(counted, labels)
    yield from _power_table(counted)
    yield from _condition_tables(counted)
    yield from _frame_rate_table(counted)
    yield from _judged_table(counted)
    plans: list[Row] = [
        (
            label,
            str(tally.plans),
            str(len(tally.gaps)),
            "–" if tally.mean_gap is None else f"{tally.mean_gap:.2f}",
            str(tally.illegal_plans),
        )
        for label, tally in ((label, one.overall) for label, one in zip(labels, counted, strict=True))
        if tally.plans
    ]
    if plans:
        yield "Plans", PLAN_HEADINGS, plans
    reasons: list[Row] = [
        (label, plain(reason), str(number))
        for label, one in zip(labels, counted, strict=True)
        for reason, number in sorted(one.unparsed.items())
    ]
    if reasons:
        yield "Why replies were unparsed", ("model", "reason", "replies"), reasons
    yield from _cost_table(counted)


def _figures(tally: Tally) -> Row:
    figures = tally.accuracy
    return (
        _share(figures.mean),
        _interval(figures.wilson),
        "–" if figures.standard_error is None else f"{figures.standard_error:.3f}",
        str(figures.n),
        str(figures.clusters),
        *(str(tally.outcomes[outcome]) for outcome in OUTCOMES),
    )


def _pair_tables(counted: CountedRuns, labels: Sequence[str]) -> Iterator[Table]:
    """The tables of pairs; every run was asked about the same ones."""
    for table, groups in counted[0].pairs.items():
        rows = [
            (plain(group), label, *_pair_row(one.pairs[table][group]))
            for group in groups
            for label, one in zip(labels, counted, strict=True)
        ]
        yield PAIR_TITLES[table], PAIR_HEADINGS, rows


def _pair_row(figures: PairFigures) -> Row:
    return (
        str(figures.n),
        *(f"{share:.3f}" for share in (figures.answer, figures.clip, figures.question, figures.instance)),
        _interval(figures.wilson),
        "–" if figures.standard_error is None else f"{figures.standard_error:.3f}",
        _p(figures.p),
    )


def _comparison_tables(counted: CountedRuns, labels: Sequence[str]) -> Iterator[Table]:
    accuracies: list[Row] = []
    instances: list[Row] = []
    for one in counted.comparisons:
        names, found, pairs = (labels[one.first], labels[one.second]), one.accuracy, one.instances
        interval = _signed(found.interval)
        counts = str(found.n), str(found.clusters)
        accuracies.append((*names, f"{found.mean:+.3f}", interval, *counts, _p(found.p), _p(one.accuracy_holm)))
        if pairs is not None and one.instances_holm is not None:
            alone = str(pairs.only_first), str(pairs.only_second), str(pairs.n)
            instances.append((*names, f"{pairs.mean:+.3f}", *alone, _p(pairs.p), _p(one.instances_holm)))
    if accuracies:
        yield "Accuracy compared", COMPARISON_HEADINGS, accuracies
    if instances:
        yield "I-Acc of pairs compared", DISCORDANCE_HEADINGS, instances


def _p(p: float) -> str:
    return "<0.001" if p < 0.001 else f"{p:.3f}"


def _ranking_table(counted: CountedRuns) -> Iterator[Table]:
    """The models from the best to the worst, with those that the questions do not tell from each."""
    if len(counted.contenders) < 2:
        return
    rows: list[Row] = []
    for rank, place in enumerate(counted.ranking, 1):
        figures = counted[place].overall.accuracy
        alike = ", ".join(counted.labels[other] for other in counted.ranking if other in counted.level_with(place))
        counts = str(figures.n), str(figures.clusters)
        intervals = _interval(figures.wilson), _interval(counted.intervals[place])
        rows.append((str(rank), counted.labels[place], _share(figures.mean), *intervals, *counts, alike or "–"))
    yield "Models ranked", RANKING_HEADINGS, rows


def _power_table(counted: CountedRuns) -> Iterator[Table]:
    rows: list[Row] = []
    for one, spread in zip(counted.comparisons, counted.spreads, strict=True):
        if spread is None:
            continue
        needed = (items_needed(spread.lead, points) for points in POINTS)
        found = smallest_difference(spread.lead, spread.items)
        rows.append(
            (
                counted.labels[one.first],
                counted.labels[one.second],
                f"{spread.first:.3f}",
                f"{spread.second:.3f}",
                "–" if spread.correlation is None else f"{spread.correlation:.2f}",
                f"{spread.lead:.3f}",
                str(spread.items),
                "–" if found is None else f"{found:.1f} points",
                *("–" if items is None else f"{items:,}" for items in needed),
            )
        )
    if rows:
        yield "Fresh items to tell two models apart", POWER_HEADINGS, rows


def _condition_tables(counted: CountedRuns) -> Iterator[Table]:
    """Conditions side by side, TOMATO's measures, and sweeps over frames and frame rates."""
    conditions: list[Row] = []
    for one in counted.conditions:
        run, figures = counted[one.place], counted[one.place].overall.accuracy
        row = (
            viewing_name(run) + (" †" if run.overall.below_minimum else ""),
            counted.series_label(one.place),
            _share(figures.mean),
            _interval(figures.wilson),
            _interval(one.bootstrap),
            str(figures.n),
            str(figures.clusters),
        )
        if one.against is None or one.difference is None or one.drop is None or one.holm is None:
            conditions.append((*row, *("–",) * (len(CONDITION_HEADINGS) - len(row))))
            continue
        difference = f"{one.difference.mean:+.3f}", _signed(one.difference.interval)
        change = _percent(one.drop.value), _percents(one.drop.interval)
        conditions.append((*row, viewing_name(counted[one.against]), *difference, *change, _p(one.holm)))
    if conditions:
        yield "Conditions", CONDITION_HEADINGS, conditions
    measures: list[Row] = [
        (
            f"{one.symbol}, {one.name}",
            counted.series_label(one.of),
            viewing_name(counted[one.of]),
            viewing_name(counted[one.against]),
            _percent(one.ratio.value),
            _percents(one.ratio.interval),
            str(one.ratio.n),
            str(one.ratio.clusters),
        )
        for one in counted.temporal
    ]
    if measures:
        yield "How much order and many frames matter", TEMPORAL_HEADINGS, measures
    points: list[Row] = []
    for point in counted.sweeps:
        run, overall = counted[point.place], counted[point.place].overall
        figures = overall.accuracy
        points.append(
            (
                run.viewing.condition,
                counted.series_label(point.place),
                f"{point.value:g} {point.unit}",
                "–" if point.mean_frames is None else f"{point.mean_frames:.1f}",
                _share(figures.mean),
                _interval(figures.wilson),
                _interval(counted.intervals[point.place]),
                str(figures.n),
                str(figures.clusters),
                f"{overall.below_minimum / figures.n:.1%}",
            )
        )
    if points:
        yield "Sweeps over frames and frame rates", SWEEP_HEADINGS, points


def _frame_rate_table(counted: CountedRuns) -> Iterator[Table]:
    rows: list[Row] = []
    for one in counted.frame_rates:
        overall, below, others = counted[one.place].overall.accuracy, one.below.accuracy, one.others.accuracy
        rows.append(
            (
                counted.labels[one.place],
                str(overall.n),
                str(below.n),
                f"{below.n / overall.n:.1%}",
                _share(overall.mean),
                _share(below.mean),
                _interval(below.wilson),
                _share(others.mean),
                _interval(others.wilson),
            )
        )
    if rows:
        yield "Shown at a lower frame rate than the items need", FRAME_RATE_HEADINGS, rows


def _judged_table(counted: CountedRuns) -> Iterator[Table]:
    rows: list[Row] = []
    for place, one in enumerate(counted):
        if one.judge is None:
            continue
        tally = one.overall
        figures = accuracy(counted.judged(place), tally.items)
        rows.append(
            (
                counted.labels[place],
                plain(one.judge),
                _share(tally.accuracy.mean),
                str(tally.outcomes["unparsed"]),
                str(tally.judged.total()),
                str(tally.judged["correct"]),
                str(tally.judged["wrong"]),
                str(tally.judged.total() - tally.judged["correct"] - tally.judged["wrong"]),
                _share(figures.mean),
                _interval(figures.wilson),
                str(figures.n),
                str(figures.clusters),
            )
        )
    if rows:
        yield "A second reader's word on unparsed replies", JUDGED_HEADINGS, rows


def _cost_table(counted: CountedRuns) -> Iterator[Table]:
    rows: list[Row] = []
    for label, one in zip(counted.labels, counted, strict=True):
        cost, outcomes = one.cost, one.overall.outcomes
        if (cost.dollars, cost.prompt_tokens, cost.completion_tokens, cost.mean_latency) == (None,) * 4:
            continue
        rows.append(
            (
                label,
                str(outcomes.total() - outcomes["missing"] - outcomes["failed"]),
                "–" if cost.dollars is None else f"{cost.dollars:.4f}",
                "–" if cost.prompt_tokens is None else f"{cost.prompt_tokens:,}",
                "–" if cost.completion_tokens is None else f"{cost.completion_tokens:,}",
                "–" if cost.mean_latency is None else f"{cost.mean_latency:.3g}",
            )
        )
    if rows:
        yield "What the replies cost", COST_HEADINGS, rows


def _share(share: float | None) -> str:
    return "–" if share is None else f"{share:.3f}"


def _interval(interval: tuple[float, float] | None) -> str:
    return "–" if interval is None else f"{interval[0]:.3f}–{interval[1]:.3f}"


def _signed(interval: tuple[float, float] | None) -> str:
    return "–" if interval is None else f"{interval[0]:+.3f} to {interval[1]:+.3f}"


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:+.1f} %"


def _percents(interval: tuple[float, float] | None) -> str:
    return "–" if interval is None else f"{100 * interval[0]:+.1f} to {100 * interval[1]:+.1f} %"
