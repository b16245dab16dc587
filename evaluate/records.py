"""The report as JSON: every figure of every table, and what became of every question, for programs to read."""

import json
from dataclasses import asdict
from typing import Any

from evaluate.comma_separated import all_figures, all_pair_figures
from evaluate.comparing import CountedRuns
from evaluate.power import POINTS, items_needed, smallest_difference
from evaluate.statistics import accuracy
from evaluate.tables import notes
from evaluate.tallies import Counted

SCHEMA = 1


def as_json(counted: CountedRuns) -> str:
    """The report as one JSON object. Runs are named by their places in `runs`; what is not defined is null.

    `outcomes` of a run stand in the order of `questions`, each of which is [item, question, clip].
    """
    run = counted[0].run
    report = {
        "schema": SCHEMA,
        "dataset": {"sha256": run.dataset_sha256, "items": run.items, "items_asked": run.items_asked},
        "questions": [list(answered.name) for answered in counted[0].answered],
        "runs": [_run(counted, place) for place in range(len(counted))],
        "ranking": [{"run": place, "not_told_from": counted.level_with(place)} for place in counted.ranking],
        "comparisons": _comparisons(counted),
        "conditions": [asdict(one) for one in counted.conditions],
        "temporal": [asdict(one) for one in counted.temporal],
        "sweeps": [_with_figures(counted, asdict(one), one.place) for one in counted.sweeps],
        "frame_rates": [
            {
                "run": one.place,
                "below_minimum": asdict(one.below.accuracy),
                "others": asdict(one.others.accuracy),
                "unknown": one.unknown,
            }
            for one in counted.frame_rates
        ],
        "notes": notes(counted),
    }
    # ASCII alone, so that no reader of the text can be misled by what is in a name.
    return json.dumps(report, indent=1, allow_nan=False) + "\n"


def _run(counted: CountedRuns, place: int) -> dict[str, Any]:
    one = counted[place]
    overall = accuracy(counted.judged(place), one.overall.items) if one.judge is not None else None
    return {
        "name": one.name,
        "label": counted.labels[place],
        "model": one.run.model,
        "settings": one.run.settings.model_dump(mode="json"),
        "packages": one.run.packages,
        "cost": asdict(one.cost),
        "bootstrap": counted.intervals[place],
        "unparsed": dict(one.unparsed),
        "tables": {
            table: {str(group): all_figures(one, tally) for group, tally in groups.items()}
            for table, groups in one.tallies.items()
        },
        "pairs": {
            table: {group: all_pair_figures(figures) for group, figures in groups.items()}
            for table, groups in one.pairs.items()
        },
        "with_judge": overall and asdict(overall),
        **_outcomes(one),
    }


def _outcomes(one: Counted) -> dict[str, Any]:
    """What became of each question, and where there are any, the second reader's word and marks of low frame rates."""
    found: dict[str, Any] = {"outcomes": [answered.outcome for answered in one.answered]}
    if one.judge is not None:
        found["judged"] = [answered.judged for answered in one.answered]
    if one.overall.below_minimum:
        found["below_minimum_fps"] = [answered.is_below_minimum for answered in one.answered]
    return found


def _comparisons(counted: CountedRuns) -> list[dict[str, Any]]:
    return [
        asdict(one)
        | {
            "spread": spread and asdict(spread),
            "items_for_points": spread and {str(points): items_needed(spread.lead, points) for points in POINTS},
            "points_found_here": spread and smallest_difference(spread.lead, spread.items),
        }
        for one, spread in zip(counted.comparisons, counted.spreads, strict=True)
    ]


def _with_figures(counted: CountedRuns, known: dict[str, Any], place: int) -> dict[str, Any]:
    figures = asdict(counted[place].overall.accuracy)
    return (
        known | figures | {"bootstrap": counted.intervals[place], "below_minimum": counted[place].overall.below_minimum}
    )
