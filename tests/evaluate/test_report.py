"""Reports count every question that was asked, add up, and do not obey what replies say."""

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evaluate.comma_separated import comma_separated
from evaluate.plot import accuracy_plot
from evaluate.report import count_runs, markdown, print_report, write_report
from evaluate.running import run
from evaluate.store import REPLIES, RUN, open_store
from evaluate.tallies import TABLES, _range_of
from generators.errors import InputError
from verifier.scoring import OUTCOMES

MakeRun = Callable[..., Path]

EVIL = "Final Answer: | <b>x</b> |\n| --- | \x1b[2J\x1b]0;owned\x07 `code` [red]markup[/red] =cmd()\n\n# Heading"


@pytest.fixture
def make_run(small_set: Path, tmp_path: Path) -> MakeRun:
    def make(name: str, **settings: Any) -> Path:
        run(small_set, name, tmp_path / name, **settings)
        return tmp_path / name

    return make


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(text.splitlines()))


def rewrite(folder: Path, change: Callable[[int, dict[str, Any]], dict[str, Any] | None]) -> None:
    """Change the rows of a store, each by its number from 0; None takes a row away."""
    changed = [
        change(number, json.loads(line)) for number, line in enumerate((folder / REPLIES).read_bytes().splitlines())
    ]
    (folder / REPLIES).write_text("".join(json.dumps(row) + "\n" for row in changed if row is not None))


def test_every_table_of_every_run_adds_up_to_every_question(make_run: MakeRun) -> None:
    text = comma_separated(count_runs([make_run("one-short"), make_run("random")]))
    totals: dict[tuple[str, str], int] = {}
    for row in rows(text):
        assert sum(int(row[outcome]) for outcome in OUTCOMES) == int(row["n"])
        assert float(row["accuracy"]) == pytest.approx(int(row["correct"]) / int(row["n"]))
        assert float(row["wilson_low"]) <= float(row["accuracy"]) + 1e-9 <= float(row["wilson_high"]) + 2e-9
        assert int(row["clusters"]) <= int(row["n"])
        key = row["run"], row["table"]
        totals[key] = totals.get(key, 0) + int(row["n"])
    # Who shows it and with which twist is told of single clips alone.
    tables = [table for table in TABLES if table not in ("demonstration", "variation")]
    assert totals == {(name, table): 72 for name in ("one-short", "random") for table in tables}


def test_the_denominator_holds_what_is_missing(make_run: MakeRun, small_set: Path) -> None:
    folder = make_run("oracle")
    # The second and the last reply are gone, one request failed, one was refused and one was cut off in its reasoning.
    answers = {2: None, 3: "I'm sorry, but I cannot view videos.", 4: "<think>it goes left"}
    rewrite(folder, lambda n, row: None if n in (1, 71) else row | ({"reply": answers[n]} if n in answers else {}))
    overall = rows(comma_separated(count_runs([folder])))[0]
    assert overall["n"] == "72"
    assert [overall[outcome] for outcome in OUTCOMES] == ["67", "0", "1", "1", "1", "2"]
    assert float(overall["accuracy"]) == pytest.approx(67 / 72)
    assert "70 of 72 questions about 12 of 12 items answered" in markdown(count_runs([folder]))


def test_what_the_endpoint_says_of_the_end_of_a_reply_counts(make_run: MakeRun) -> None:
    """A wrong reply that was cut off is unparsed, and one that was stopped as a refusal is refused; right ones stay."""
    folder = make_run("oracle")
    ends: dict[int, dict[str, Any]] = {0: {"reply": "Final Answer: 1", "truncated": True}, 1: {"truncated": True}}
    ends |= {2: {"reply": "", "refused": True}, 3: {"reply": "Well, Final Answer:", "refused": True}}
    rewrite(folder, lambda number, row: row | ends.get(number, {}))
    overall = count_runs([folder])[0].overall
    assert overall.outcomes == {"correct": 69, "unparsed": 1, "refused": 2}


def test_an_unfinished_run_is_counted_over_all_that_it_was_to_be_asked(make_run: MakeRun) -> None:
    folder = make_run("oracle", limit=4)
    with (folder / REPLIES).open("rb+") as file:
        file.truncate(len(file.read()) // 2)
    overall = rows(comma_separated(count_runs([folder])))[0]
    assert (overall["n"], overall["clusters"]) == ("24", "4")
    assert int(overall["missing"]) >= 12
    assert "about 4 of 12 items" in markdown(count_runs([folder]))


def test_a_store_with_nothing_in_it_is_all_missing(small_set: Path, tmp_path: Path, make_run: MakeRun) -> None:
    folder = make_run("oracle")
    (folder / REPLIES).write_bytes(b"")
    counted = count_runs([folder])
    assert counted[0].overall.outcomes == {"missing": 72}
    write_report(counted, tmp_path / "report")


def test_one_item_has_no_standard_error_and_the_report_says_so(make_run: MakeRun, tmp_path: Path) -> None:
    counted = count_runs([make_run("one-short", limit=1)])
    assert write_report(counted, tmp_path / "report")
    overall = rows(comma_separated(counted))[0]
    assert (overall["clusters"], overall["clustered_standard_error"], overall["clustered_low"]) == ("1", "", "")
    assert " | – | 6 | 1 | " in markdown(counted)


@pytest.mark.parametrize("change", ["repeat", "foreign"])
def test_a_reply_to_no_question_is_named(make_run: MakeRun, change: str) -> None:
    folder = make_run("oracle")
    lines = (folder / REPLIES).read_text().splitlines(keepends=True)
    match change:
        case "repeat":
            lines.insert(5, lines[4])
        case "foreign":
            lines[5] = lines[5].replace("number-", "letter-")
    (folder / REPLIES).write_text("".join(lines))
    with pytest.raises(InputError, match=r"replies\.jsonl, line \d+: \S+ \S+ 0 is answered twice, out of order, or no"):
        count_runs([folder])


def test_what_replies_say_does_not_reach_the_report(
    make_run: MakeRun, small_set: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = make_run("oracle")
    rewrite(folder, lambda number, row: row | {"reply": EVIL})
    counted = count_runs([folder])
    write_report(counted, tmp_path / "report")
    print_report(counted)
    for text in (
        (tmp_path / "report" / "report.md").read_text(),
        (tmp_path / "report" / "report.csv").read_text(),
        capsys.readouterr().out,
    ):
        assert not any(word in text for word in ("owned", "<b>", "cmd()", "Heading", "\x1b", "markup"))
    assert "| oracle | unreadable | " in markdown(counted)


def test_a_models_name_stays_in_its_cell(make_run: MakeRun, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = make_run("oracle")
    name = json.dumps("a|b\n# c \x1b[31m $x_1$ [red]")
    for file in (RUN, REPLIES):
        text = (folder / file).read_text()
        (folder / file).write_text(
            text.replace('"model": "oracle"', f'"model": {name}').replace('"model":"oracle"', f'"model":{name}')
        )
    counted = count_runs([folder])
    lines = markdown(counted).splitlines()
    table = [line for line in lines if line.startswith("| all |")]
    assert (
        table
        == [line for line in table if line.startswith("| all | a\\|b # c  \\[31m $x_1$ \\[red\\] | 1.000 |")]
        != []
    )
    assert "# c" not in [line.strip() for line in lines]
    assert {row["model"] for row in rows(comma_separated(counted))} == {"a|b # c  [31m $x_1$ [red]"}
    write_report(counted, tmp_path / "report")
    print_report(counted)
    assert "\x1b" not in capsys.readouterr().out


def test_the_report_files(make_run: MakeRun, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    counted = count_runs([make_run(name) for name in ("oracle", "blind", "one-short")])
    paths = write_report(counted, tmp_path / "report")
    assert [path.name for path in paths] == [
        "report.md",
        "report.csv",
        "report.json",
        "report.html",
        "report.png",
        "comparisons.csv",
    ]
    assert paths[4].read_bytes().startswith(b"\x89PNG")
    text = paths[0].read_text()
    for heading in ("Overall", "By skill", "By level", "By reveal", "By size", "By operations", "Plans"):
        assert f"## {heading}\n" in text
    assert "| all | oracle | 1.000 | 0.949–1.000 | 0.000 | 72 | 12 | 72 | 0 | 0 | 0 | 0 | 0 |" in text
    assert "![Accuracy by skill](report.png)" in text
    print_report(counted)
    assert "By operations, in ranges" in capsys.readouterr().out
    before = [path.read_bytes() for path in paths]
    assert [path.read_bytes() for path in write_report(counted, tmp_path / "report")] == before


def test_groups_stand_in_the_order_of_their_numbers(make_run: MakeRun) -> None:
    groups: dict[str, list[str]] = {}
    for row in rows(comma_separated(count_runs([make_run("oracle")]))):
        groups.setdefault(row["table"], []).append(row["group"])
    for table in ("level", "size", "operations"):
        assert groups[table] == sorted(groups[table], key=int)
    assert groups["operations_range"] == [one for one in ("1–4", "5–9", "10–14") if one in groups["operations_range"]]
    assert groups["skill"] == [
        "recall_order",
        "recall_count",
        "infer_state",
        "compare_state",
        "predict_state",
        "predict_operation",
    ]


@pytest.mark.parametrize(
    ("operations", "expected"),
    [(1, "1–4"), (4, "1–4"), (5, "5–9"), (9, "5–9"), (10, "10–14"), (14, "10–14"), (15, "15–24"), (500, "50 or more")],
)
def test_ranges_of_operations(operations: int, expected: str) -> None:
    assert _range_of(operations) == expected


def test_plans_are_counted_with_their_gaps_and_illegal_operations(make_run: MakeRun) -> None:
    folder = make_run("oracle")
    wanted: list[str] = []

    def change(number: int, row: dict[str, Any]) -> dict[str, Any]:
        if row["question"] != "predict_operation":
            return row
        wanted.append(row["reply"])
        if len(wanted) == 1:  # the same plan with a slide there and back in front: two more than the shortest
            first = row["reply"].removeprefix("Final Answer: ").split(", ")[0]
            back = {"left": "right", "right": "left", "up": "down", "down": "up"}[first]
            return row | {"reply": row["reply"].replace(first, f"{first}, {back}, {first}", 1)}
        if len(wanted) == 2:
            return row | {"reply": "Final Answer: " + "left, " * 12 + "left"}
        return row

    rewrite(folder, change)
    overall = rows(comma_separated(count_runs([folder])))[0]
    assert (overall["plans"], overall["illegal_plans"]) == ("12", "1")
    assert float(overall["mean_optimality_gap"]) == pytest.approx(2 / 11)
    assert "| oracle | 12 | 11 | 0.18 | 1 |" in markdown(count_runs([folder]))


def test_two_runs_of_one_model_are_told_apart(small_set: Path, tmp_path: Path) -> None:
    folders = [tmp_path / "first", tmp_path / "second"]
    for seed, folder in enumerate(folders):
        run(small_set, "random", folder, seed=seed)
    assert count_runs(folders).labels == ["random (first)", "random (second)"]


def test_runs_over_other_datasets_are_not_reported_together(make_run: MakeRun, make_set: Any, tmp_path: Path) -> None:
    run(make_set(3, seed=9), "oracle", tmp_path / "other")
    with pytest.raises(InputError, match="report runs over one dataset together"):
        count_runs([make_run("oracle"), tmp_path / "other"])
    with pytest.raises(InputError, match="named twice"):
        count_runs([tmp_path / "other", tmp_path / "other"])


def test_a_moved_dataset_is_found_with_the_option_and_a_changed_one_is_refused(make_set: Any, tmp_path: Path) -> None:
    dataset = make_set(3, seed=9)
    run(dataset, "oracle", tmp_path / "run")
    dataset.rename(tmp_path / "moved")
    with pytest.raises(InputError, match="is not there: say where it is with --dataset"):
        count_runs([tmp_path / "run"])
    assert count_runs([tmp_path / "run"], tmp_path / "moved")[0].overall.outcomes == {"correct": 18}
    with (tmp_path / "moved" / "items.jsonl").open("rb+") as file:
        file.truncate(len(file.readline()))
    with pytest.raises(InputError, match="or was changed since"):
        count_runs([tmp_path / "run"], tmp_path / "moved")


def test_the_plot_takes_many_models_and_none_of_some_skills(make_run: MakeRun, small_set: Path, tmp_path: Path) -> None:
    with open_store(tmp_path / "empty"):
        pass
    tallies = count_runs([make_run("blind")])[0].tallies["skill"]
    named = {str(skill): tally for skill, tally in tallies.items()}
    models = {f"model {number}": named for number in range(11)} | {"other": {"infer_state": named["infer_state"]}}
    assert accuracy_plot(models).startswith(b"\x89PNG")


def test_on_a_narrow_screen_nothing_is_cut(
    make_run: MakeRun, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.setenv("COLUMNS", "80")
    print_report(count_runs([make_run("one-short"), make_run("oracle")]))
    printed = capsys.readouterr().out
    assert "…" not in printed
    assert all(word in printed for word in ("predict_operation", "Wilson 95 %", "unparsed", "missing"))


def test_runs_over_different_items_are_not_compared(small_set: Path, tmp_path: Path) -> None:
    run(small_set, "oracle", tmp_path / "all")
    run(small_set, "blind", tmp_path / "few", limit=3)
    with pytest.raises(InputError, match="different numbers of items"):
        count_runs([tmp_path / "all", tmp_path / "few"])


def test_a_reply_of_another_model_is_not_counted(small_set: Path, tmp_path: Path) -> None:
    run(small_set, "static", tmp_path / "run")
    path = tmp_path / "run" / "run.json"
    path.write_text(path.read_text().replace('"static"', '"oracle"'))
    with pytest.raises(InputError, match="line 1: is a reply of static in a run of oracle"):
        count_runs([tmp_path / "run"])
