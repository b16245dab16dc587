"""The report's figures as CSV, for spreadsheets and data frames."""

import csv
import io
from collections.abc import Iterable
from typing import Any

from evaluate.comparing import CountedRuns, plain
from evaluate.pairs import CHANCE, PairFigures
from evaluate.power import POINTS, items_needed
from evaluate.tallies import Counted, Tally
from verifier.scoring import OUTCOMES


def comma_separated(counted: CountedRuns) -> str:
    """The report as CSV, one row a run, table and group; a figure that is not defined is left empty."""
    return _csv(
        {**_names(one), "table": table, "group": _cell(str(group))} | all_figures(one, tally)
        for one in counted
        for table, groups in one.tallies.items()
        for group, tally in groups.items()
    )


def all_figures(one: Counted, tally: Tally) -> dict[str, Any]:
    """Every figure of a tally by name, as in report.csv and report.json."""
    figures = tally.accuracy
    wilson, clustered = figures.wilson or (None, None), figures.clustered or (None, None)
    return {
        "n": figures.n,
        "clusters": figures.clusters,
        **{outcome: tally.outcomes[outcome] for outcome in OUTCOMES},
        "accuracy": figures.mean,
        "wilson_low": wilson[0],
        "wilson_high": wilson[1],
        "clustered_standard_error": figures.standard_error,
        "clustered_low": clustered[0],
        "clustered_high": clustered[1],
        "plans": tally.plans,
        "illegal_plans": tally.illegal_plans,
        "mean_optimality_gap": tally.mean_gap,
        "below_minimum_fps": tally.below_minimum,
        "judge": None if one.judge is None else _cell(one.judge),
        "judged": None if one.judge is None else tally.judged.total(),
        "judged_correct": None if one.judge is None else tally.judged["correct"],
        "accuracy_with_judged": None if one.judge is None else tally.accuracy_with_judged,
    }


def pairs_comma_separated(counted: CountedRuns) -> str:
    """The figures of pairs as CSV, one row a run, table and group; a figure that is not defined is left empty."""
    return _csv(
        {**_names(one), "table": table, "group": _cell(group)} | all_pair_figures(figures)
        for one in counted
        for table, groups in one.pairs.items()
        for group, figures in groups.items()
    )


def all_pair_figures(figures: PairFigures) -> dict[str, Any]:
    """Every figure of pairs by name."""
    clustered = figures.clustered or (None, None)
    return {
        "pairs": figures.n,
        "pairs_right": figures.solved,
        "acc": figures.answer,
        "v_acc": figures.clip,
        "q_acc": figures.question,
        "i_acc": figures.instance,
        "acc_clustered_standard_error": figures.standard_error,
        "acc_clustered_low": clustered[0],
        "acc_clustered_high": clustered[1],
        "i_acc_wilson_low": figures.wilson[0],
        "i_acc_wilson_high": figures.wilson[1],
        "i_acc_chance": CHANCE["I-Acc"],
        "i_acc_p": figures.p,
    }


def comparisons_comma_separated(counted: CountedRuns) -> str:
    """The comparisons of two runs each as CSV; what there is to compare of pairs is left empty without pairs."""
    rows: list[dict[str, Any]] = []
    for one, spread in zip(counted.comparisons, counted.spreads, strict=True):
        found, pairs = one.accuracy, one.instances
        low, high = found.interval or (None, None)
        first, second = counted[one.first], counted[one.second]
        rows.append(
            {
                "run": _cell(first.name),
                "model": _cell(first.run.model),
                "against_run": _cell(second.name),
                "against_model": _cell(second.run.model),
                "n": found.n,
                "clusters": found.clusters,
                "accuracy_difference": found.mean,
                "bootstrap_low": low,
                "bootstrap_high": high,
                "sign_flip_p": found.p,
                "sign_flip_p_holm": one.accuracy_holm,
                "pairs": pairs and pairs.n,
                "i_acc_difference": pairs and pairs.mean,
                "pairs_run_alone_right": pairs and pairs.only_first,
                "pairs_against_alone_right": pairs and pairs.only_second,
                "mcnemar_p": pairs and pairs.p,
                "mcnemar_p_holm": one.instances_holm,
                "standard_deviation_of_run": spread and spread.first,
                "standard_deviation_of_against": spread and spread.second,
                "correlation": spread and spread.correlation,
                **{f"items_for_{points}_points": spread and items_needed(spread.lead, points) for points in POINTS},
            }
        )
    return _csv(rows)


def conditions_comma_separated(counted: CountedRuns) -> str:
    """The runs of models under several conditions as CSV, each beside the run that it is measured against."""
    rows: list[dict[str, Any]] = []
    for one in counted.conditions:
        run, figures = counted[one.place], counted[one.place].overall.accuracy
        wilson, resampled = figures.wilson or (None, None), one.bootstrap or (None, None)
        against = None if one.against is None else counted[one.against]
        interval = (one.difference and one.difference.interval) or (None, None)
        change = (one.drop and one.drop.interval) or (None, None)
        rows.append(
            {
                **_names(run),
                "condition": run.viewing.condition,
                "fps": run.viewing.fps,
                "frames": run.viewing.frames,
                "frames_from": run.viewing.frames_from,
                "n": figures.n,
                "clusters": figures.clusters,
                "accuracy": figures.mean,
                "wilson_low": wilson[0],
                "wilson_high": wilson[1],
                "bootstrap_low": resampled[0],
                "bootstrap_high": resampled[1],
                "below_minimum_fps": run.overall.below_minimum,
                "against_run": against and _cell(against.name),
                "difference": one.difference and one.difference.mean,
                "difference_low": interval[0],
                "difference_high": interval[1],
                "change": one.drop and one.drop.value,
                "change_low": change[0],
                "change_high": change[1],
                "sign_flip_p": one.difference and one.difference.p,
                "sign_flip_p_holm": one.holm,
            }
        )
    return _csv(rows)


def _names(one: Counted) -> dict[str, str]:
    return {"run": _cell(one.name), "model": _cell(one.run.model)}


def _cell(text: str) -> str:
    """`text` as one cell, with a quote in front where a spreadsheet would take it for a formula."""
    known = plain(text)
    return f"'{known}" if known.startswith(("=", "+", "-", "@")) else known


def _csv(rows: Iterable[dict[str, Any]]) -> str:
    """Rows of the same columns under their names."""
    text = io.StringIO()
    writer: csv.DictWriter[str] | None = None
    for row in rows:
        if writer is None:
            writer = csv.DictWriter(text, list(row), lineterminator="\n")
            writer.writeheader()
        writer.writerow(row)
    return text.getvalue()
