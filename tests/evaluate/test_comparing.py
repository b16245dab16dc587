"""Conditions side by side, measures of time, sweeps, ranks and power, against figures by hand and by simulation."""

import csv
import io
import json
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy
import pytest
from scipy.stats import ttest_1samp
from statsmodels.stats.power import TTestPower

from evaluate import statistics
from evaluate.asking import every_question
from evaluate.comma_separated import comma_separated, conditions_comma_separated
from evaluate.conditions import Condition
from evaluate.judge import JUDGED
from evaluate.power import items_needed, smallest_difference, spread
from evaluate.report import count_runs, markdown, print_report, write_report
from evaluate.running import run
from evaluate.statistics import accuracy, bootstrap, difference, ratio, wilson
from evaluate.store import REPLIES, RUN
from evaluate.tables import tables

MakeRun = Callable[..., Path]

SETS: dict[str, dict[str, Any]] = {
    "full": {},
    "shuffled": {"condition": "shuffled"},
    "centre": {"condition": "single-centre"},
    "informative": {"condition": "single-informative"},
    "drawn": {"condition": "single-random"},
    "text": {"condition": "text-only"},
}


@pytest.fixture
def make_run(small_set: Path, tmp_path: Path) -> MakeRun:
    """`make_run(name, right, model, **settings)`: a run that has the first `right` questions right, shown as said."""

    def make(
        name: str, right: int | Sequence[bool], model: str = "m", below: int = 0, frames: int = 4, **settings: Any
    ) -> Path:
        folder = tmp_path / name
        run(small_set, "oracle", folder)
        record = json.loads((folder / RUN).read_text())
        record["model"] = model
        record["settings"] |= settings
        (folder / RUN).write_text(json.dumps(record))
        rows = []
        for number, line in enumerate((folder / REPLIES).read_text().splitlines()):
            row = json.loads(line) | {"model": model, "given": {"indices": list(range(frames))}}
            is_right = number < right if isinstance(right, int) else right[number]
            row |= {} if is_right else {"reply": "no idea"}
            row |= {"below_minimum_fps": number < below} if below else {}
            rows.append(json.dumps(row) + "\n")
        (folder / REPLIES).write_text("".join(rows))
        return folder

    return make


def table(counted: Any, title: str) -> list[dict[str, str]]:
    """The rows of a table by its headings."""
    for name, headings, rows in tables(counted):
        if name == title:
            return [dict(zip(headings, row, strict=True)) for row in rows]
    return []


# ------------------------------------------------------------------------------------------------- conditions


def test_conditions_stand_side_by_side(make_run: MakeRun, tmp_path: Path) -> None:
    right = {"full": 60, "shuffled": 40, "centre": 30, "informative": 36, "drawn": 24, "text": 12}
    folders = [make_run(name, right[name], **settings) for name, settings in SETS.items()]
    counted = count_runs([*folders, make_run("other", 50, model="other")])
    assert counted.labels[:3] == ["m, full", "m, shuffled", "m, single-centre"]
    assert counted.labels[-1] == "other"
    assert counted.contenders == [0, 6]
    rows = {row["condition"]: row for row in table(counted, "Conditions")}
    assert list(rows) == ["full", "shuffled", "single-centre", "single-informative", "single-random", "text-only"]
    assert (rows["full"]["against"], rows["full"]["change"]) == ("–", "–")
    assert (rows["shuffled"]["difference"], rows["shuffled"]["change"]) == ("-0.278", "-33.3 %")
    assert (rows["text-only"]["against"], rows["text-only"]["change"]) == ("full", "-80.0 %")
    measures = {
        (row["measure"], row["against"]): row for row in table(counted, "How much order and many frames matter")
    }
    values = {name: row["value"] for name, row in measures.items()}
    assert values == {
        ("κ, multi-frame gain", "single-informative"): "+66.7 %",
        ("κ, multi-frame gain", "single-random"): "+150.0 %",
        ("τ, frame order sensitivity", "shuffled"): "+50.0 %",
        ("ρ, frame information disparity", "single-random"): "+50.0 %",
    }
    paths = write_report(counted, tmp_path / "report")
    names = {path.name for path in paths}
    assert names >= {"conditions.csv", "conditions.png", "report.html", "report.json", "comparisons.csv"}
    (first, second, *_) = csv.DictReader(io.StringIO(conditions_comma_separated(counted)))
    assert (first["condition"], first["against_run"], first["change"]) == ("full", "", "")
    assert float(second["change"]) == pytest.approx(40 / 60 - 1)
    assert float(second["change_low"]) < float(second["change"]) < float(second["change_high"])
    assert "![Accuracy by condition](conditions.png)" in markdown(counted)


def test_each_condition_is_measured_against_the_full_run_of_the_same_frames(make_run: MakeRun) -> None:
    folders = [
        make_run("all", 70),
        make_run("eight", 50, frames=8),
        make_run("shuffled-8", 40, condition="shuffled", frames=8),
        make_run("static", 30, condition="static", frames_from="render"),
        make_run("seed", 60, seed="3"),
    ]
    for name, settings in (("eight", {"frames": 8}), ("shuffled-8", {"frames": 8})):
        record = json.loads((folders[0].parent / name / RUN).read_text())
        record["settings"] |= settings
        (folders[0].parent / name / RUN).write_text(json.dumps(record))
    counted = count_runs(folders)
    assert [counted.reference(place) for place in range(5)] == [None, 0, 1, 0, None]
    assert counted.series == [[0, 1, 2, 3], [4]]
    assert counted.contenders == [0, 4]


def test_sweeps_over_frames_and_frame_rates(make_run: MakeRun, tmp_path: Path) -> None:
    folders = []
    for number, right in ((16, 60), (4, 30), (8, 45)):
        folders.append(make_run(f"frames-{number}", right, frames=number))
        record = json.loads((folders[-1] / RUN).read_text())
        record["settings"]["frames"] = number
        (folders[-1] / RUN).write_text(json.dumps(record))
    folders += [
        make_run(f"fps-{fps}", right, fps=fps, below=below) for fps, right, below in ((1.0, 20, 36), (4.0, 50, 0))
    ]
    counted = count_runs(folders)
    assert [(point.unit, point.value, point.place) for point in counted.sweeps] == [
        ("frames", 4, 1),
        ("frames", 8, 2),
        ("frames", 16, 0),
        ("fps", 1, 3),
        ("fps", 4, 4),
    ]
    rows = table(counted, "Sweeps over frames and frame rates")
    assert [(row["frames asked for"], row["frames shown"], row["below minimum"]) for row in rows] == [
        ("4 frames", "4.0", "0.0%"),
        ("8 frames", "8.0", "0.0%"),
        ("16 frames", "16.0", "0.0%"),
        ("1 fps", "4.0", "50.0%"),
        ("4 fps", "4.0", "0.0%"),
    ]
    assert counted.contenders == [4]
    write_report(counted, tmp_path / "report")
    assert (tmp_path / "report" / "sweeps.png").read_bytes().startswith(b"\x89PNG")


def test_runs_below_the_minimum_frame_rate_are_marked(make_run: MakeRun, capsys: pytest.CaptureFixture[str]) -> None:
    # The first 36 of 72 questions were shown too slowly, and of those 18 are right, of the others all.
    answers = [number % 2 == 0 or number >= 36 for number in range(72)]
    counted = count_runs([make_run("slow", answers, below=36), make_run("other", 72, model="other")])
    assert counted.labels == ["m †", "other"]
    (row,) = table(counted, "Shown at a lower frame rate than the items need")
    assert (row["below minimum"], row["share"], row["accuracy"]) == ("36", "50.0%", "0.750")
    assert (row["of those below"], row["of the others"]) == ("0.500", "1.000")
    low, high = wilson(18, 36)
    assert row["Wilson 95 %"] == f"{low:.3f}–{high:.3f}"
    assert "36 below the frame rate they need" in markdown(counted)
    print_report(counted)
    assert "† Some clips were shown at fewer frames" in " ".join(capsys.readouterr().out.split())


def test_a_second_readers_word_stands_beside_the_strict_score(make_run: MakeRun, small_set: Path) -> None:
    import hashlib

    folder = make_run("run", 60)
    before = count_runs([folder])[0].overall
    digest = hashlib.sha256(b"no idea").hexdigest()
    lines = []
    for asked in list(every_question(small_set))[58:70]:
        said = {60: "correct", 61: "correct", 62: "wrong"}.get(asked.order, "unparsed")
        known = dict(zip(("item", "question", "clip"), asked.name, strict=True))
        lines.append(known | {"judge": "second", "reply_sha256": digest, "strict": "x", "answer": "x", "outcome": said})
    lines.append(lines[-1] | {"reply_sha256": "0" * 64, "outcome": "correct"})
    (folder / JUDGED).write_text("".join(json.dumps(line) + "\n" for line in lines))
    counted = count_runs([folder])
    after = counted[0].overall
    assert (after.outcomes, after.is_right) == (before.outcomes, before.is_right)
    assert after.judged == {"correct": 2, "wrong": 1, "unparsed": 7}
    (row,) = table(counted, "A second reader's word on unparsed replies")
    assert (row["accuracy"], row["accuracy with it"], row["read by it"]) == ("0.833", "0.861", "10")
    first = next(csv.DictReader(io.StringIO(comma_separated(counted))))
    assert (float(first["accuracy"]), float(first["accuracy_with_judged"])) == pytest.approx((60 / 72, 62 / 72))
    assert first["judge"] == "second"


def test_models_are_ranked_with_what_cannot_be_told_apart(make_run: MakeRun) -> None:
    alike = [number % 6 != 0 for number in range(72)]
    folders = [
        make_run("worst", 6, model="worst"),
        make_run("good", alike, model="good"),
        make_run("best", 62, model="best"),
    ]
    counted = count_runs(folders)
    rows = table(counted, "Models ranked")
    assert [(row["rank"], row["model"], row["not told from"]) for row in rows] == [
        ("1", "best", "good"),
        ("2", "good", "best"),
        ("3", "worst", "–"),
    ]


def test_the_report_as_json_holds_everything(make_run: MakeRun, tmp_path: Path) -> None:
    counted = count_runs(
        [make_run("a", 60), make_run("b", 40, model="b\u202e<b>"), make_run("c", 30, condition="shuffled")]
    )
    write_report(counted, tmp_path / "report")
    text = (tmp_path / "report" / "report.json").read_text()
    assert text.isascii()
    found = json.loads(text)
    assert [one["model"] for one in found["runs"]] == ["m", "b\u202e<b>", "m"]
    assert found["runs"][0]["tables"]["overall"]["all"]["n"] == 72
    assert found["runs"][0]["tables"]["overall"]["all"]["clusters"] == 12
    assert len(found["questions"]) == len(found["runs"][1]["outcomes"]) == 72
    assert found["conditions"][1]["drop"]["value"] == pytest.approx(-0.5)
    assert found["temporal"][0]["symbol"] == "τ"
    assert set(found["comparisons"][0]["items_for_points"]) == {"1", "2", "5", "10"}


# ------------------------------------------------------------------------------------------------- statistics


def cluster_answers(
    chance: numpy.random.Generator, items: int, truths: Sequence[float], common: float = 0.2
) -> tuple[list[list[bool]], list[int]]:
    """Answers of several models about items of five questions, some of which are easier for all of them."""
    places = numpy.repeat(numpy.arange(items), 5)
    easier = chance.choice([-common, common], size=items)[places]
    return [list(map(bool, chance.random(len(places)) < truth + easier)) for truth in truths], places.tolist()


def test_intervals_cover_the_truth_as_often_as_they_say(monkeypatch: pytest.MonkeyPatch) -> None:
    """1,500 simulated reports of 150 items; with that many a true 95 % shows as 93.9 to 96.1 % in 19 of 20 cases."""
    monkeypatch.setattr(statistics, "RESAMPLES", 999)
    monkeypatch.setattr(statistics, "FLIPS", 1)
    chance, trials = numpy.random.default_rng(20_261_114), 1500
    truth, other = 0.6, 0.45
    held = {"bootstrap": 0, "difference": 0, "ratio": 0, "wilson": 0, "clustered": 0}
    for trial in range(trials):
        (first, second), places = cluster_answers(chance, 150, (truth, other))
        intervals = {
            "bootstrap": (bootstrap(first, places, seed=trial), truth),
            "difference": (difference(first, second, places, seed=trial).interval, truth - other),
            "ratio": (ratio(second, first, places, seed=trial).interval, other / truth - 1),
            # One question an item: these are independent.
            "wilson": (wilson(sum(first[::5]), 150), truth),
        }
        if trial < 600:  # A regression takes its time.
            intervals["clustered"] = accuracy(first, places).clustered, truth
        for name, (interval, value) in intervals.items():
            assert interval is not None
            held[name] += interval[0] <= value <= interval[1]
    shares = {name: number / (600 if name == "clustered" else trials) for name, number in held.items()}
    assert all(0.93 <= share <= 0.97 for share in shares.values()), shares


def test_a_bootstrap_is_that_of_items_drawn_one_by_one() -> None:
    chance = numpy.random.default_rng(5)
    (first, second), places = cluster_answers(chance, 40, (0.6, 0.4))
    sums = [numpy.bincount(places, weights=numpy.asarray(one, dtype=float)) for one in (first, second)]
    drawn = chance.integers(40, size=(20_000, 40))
    expected = numpy.quantile(sums[0][drawn].sum(axis=1) / 200, [0.025, 0.975])
    assert bootstrap(first, places) == pytest.approx(expected, abs=0.012)
    expected = numpy.quantile(sums[0][drawn].sum(axis=1) / sums[1][drawn].sum(axis=1) - 1, [0.025, 0.975])
    found = ratio(first, second, places)
    assert found.interval == pytest.approx(expected, abs=0.03)
    assert found.value == pytest.approx(sum(first) / sum(second) - 1)


def test_a_ratio_that_is_not_defined_is_none() -> None:
    assert ratio([True, False], [False, False], [0, 1]).value is None
    assert ratio([True, True], [True, True], [0, 0]).interval is None
    assert ratio([True, True, True], [True, False, False], [0, 1, 2]).interval is None
    assert bootstrap([True, True], [0, 1]) is None
    assert bootstrap([True, False], [3, 3]) is None


def test_the_spread_by_hand_and_in_numpys_words() -> None:
    chance = numpy.random.default_rng(8)
    (first, second), places = cluster_answers(chance, 60, (0.6, 0.5))
    found = spread(first, second, places)
    assert found is not None and found.correlation is not None
    one, other = (numpy.asarray(answers, dtype=float).reshape(60, 5).mean(axis=1) for answers in (first, second))
    assert (found.first, found.second) == pytest.approx((one.std(ddof=1), other.std(ddof=1)))
    assert found.correlation == pytest.approx(numpy.corrcoef(one, other)[0, 1])
    assert found.lead == pytest.approx((one - other).std(ddof=1))
    crossed = found.first**2 + found.second**2 - 2 * found.correlation * found.first * found.second
    assert found.lead == pytest.approx(crossed**0.5)
    assert spread([True], [False], [0]) is None


@pytest.mark.parametrize(("lead", "points"), [(0.5, 5), (0.3, 2), (0.7, 10), (0.4, 1)])
def test_items_needed_are_those_of_statsmodels(lead: float, points: float) -> None:
    expected = TTestPower().solve_power(effect_size=points / 100 / lead, power=0.8, alpha=0.05)
    found = items_needed(lead, points)
    assert found is not None and found == math.ceil(expected)
    assert smallest_difference(lead, found) == pytest.approx(points, rel=0.02)
    assert items_needed(0.0, points) is None and smallest_difference(lead, 3) is None


def test_so_many_items_find_the_difference_in_four_of_five_cases() -> None:
    chance = numpy.random.default_rng(31)
    (first, second), places = cluster_answers(chance, 4000, (0.6, 0.5))
    at_hand = spread(first, second, places)
    assert at_hand is not None
    needed = items_needed(at_hand.lead, 10)
    assert needed is not None and 60 < needed < 200
    found = 0
    for _ in range(1500):
        (one, other), _ = cluster_answers(chance, needed, (0.6, 0.5))
        leads = numpy.asarray(one, dtype=float) - numpy.asarray(other, dtype=float)
        found += bool(ttest_1samp(leads.reshape(needed, 5).mean(axis=1), 0.0).pvalue < 0.05)
    assert found / 1500 == pytest.approx(0.8, abs=0.035)
    # The test that reports use, on fewer of them, since it takes its time.
    flipped = 0
    for _ in range(120):
        (one, other), places = cluster_answers(chance, needed, (0.6, 0.5))
        flipped += difference(one, other, places).p < 0.05
    assert flipped / 120 == pytest.approx(0.8, abs=0.12)


def test_a_report_on_many_conditions_takes_seconds(make_run: MakeRun, tmp_path: Path) -> None:
    conditions: list[Condition] = ["full", "shuffled", "reversed", "half", "static", "single-random", "text-only"]
    folders = [
        make_run(f"{model}-{condition}", 70 - 5 * number, model=model, condition=condition)
        for model in ("a", "b", "c")
        for number, condition in enumerate(conditions)
    ]
    began = perf_counter()
    write_report(count_runs(folders), tmp_path / "report")
    assert perf_counter() - began < 20
