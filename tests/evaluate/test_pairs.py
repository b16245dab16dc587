"""The figures of minimal pairs, counted by hand on invented runs, and what reports make of them."""

import csv
import io
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

import pytest
from scipy.stats import binomtest
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

from evaluate import judge as second_reader
from evaluate.asking import Asked
from evaluate.comma_separated import comma_separated, comparisons_comma_separated, pairs_comma_separated
from evaluate.comparing import compare
from evaluate.models.readers import blind
from evaluate.pairs import CHANCE, QUESTIONS, Instance, pair_figures, pair_tables
from evaluate.plot import pairs_plot
from evaluate.report import count_runs, markdown, print_report, write_report
from evaluate.running import run
from evaluate.store import REPLIES
from evaluate.tables import notes
from generators.dataset import ITEMS
from generators.errors import InputError
from generators.item import Item, Kind, Question
from generators.manifest import MANIFEST
from verifier.reading import Unparsed, read_reply
from verifier.scoring import Judgement, judge

FAMILY = "invented"
T, F = True, False
SOLVED, NOTHING = (T, T, T, T), (F, F, F, F)
FIRST_ONLY, CLIP_1_ONLY = (T, T, F, F), (T, F, T, F)
"""Right and wrong in the order first about clip 1, first about clip 2, second about clip 1, second about clip 2."""

Cells = tuple[bool, bool, bool, bool]
MakeRun = Callable[..., Path]


def invented(number: int, **changes: Any) -> Item:
    """A pair by its number; changes are `form`, `is_open` (a third question), or fields of the item."""
    form, is_open = changes.pop("form", "yes_no"), changes.pop("is_open", False)
    keys = (["yes", "no"], ["no", "yes"]) if form == "yes_no" else (["A", "B"], ["B", "A"])
    questions = [
        question(name, form, keys[at], ["slow", "fast"] if form == "choice" else None)
        for at, name in enumerate(QUESTIONS)
    ]
    if is_open:
        questions.append(question("how_many", "integer", [2, 3], None))
    clip: dict[str, Any] = {
        "file": None,
        "sha256": None,
        "width": 8,
        "height": 8,
        "fps": 4,
        "frames": 8,
        "plan": {},
        "spans": [],
    }
    return Item.model_validate(
        {
            "schema": 1,
            "id": f"{FAMILY}-{number:012x}",
            "family": FAMILY,
            "version": 1,
            "category": "speed",
            "clips": [clip, clip],
            "questions": questions,
            "pair": {
                "group": "attribute",
                "axis": "speed",
                "certificate": "permutation",
                "difference": "which is fast",
            },
            "measures": {},
            "provenance": {"seed": "7", "index": number, "settings": {}},
        }
        | changes
    )


def question(name: str, kind: Kind, keys: list[Any], options: list[str] | None) -> Question:
    return Question(id=name, level=1, kind=kind, about={}, prompt="?", options=options, keys=keys)


def judge_invented(item: Item, asked: Question, clip: int, reply: str | None) -> Judgement:
    """The family is not there to say how replies are read, and its kinds of answers do not need it to."""
    if item.family != FAMILY:
        return judge(item, asked, clip, reply)
    if reply is None:
        return Judgement(item.id, asked.id, clip, asked.level, "failed", reason="no reply came")
    reading = read_reply(asked.kind, reply, options=asked.options)
    if isinstance(reading, Unparsed):
        outcome = "refused" if reading.category == "refused" else "unparsed"
        return Judgement(item.id, asked.id, clip, asked.level, outcome, reason=reading.reason)  # type: ignore[arg-type]
    is_right = reading.value == asked.keys[clip]
    return Judgement(item.id, asked.id, clip, asked.level, "correct" if is_right else "wrong", reading.value)


@pytest.fixture(autouse=True)
def judged_without_the_family(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(second_reader, "judge", judge_invented)


@pytest.fixture
def make_run(small_set: Path, tmp_path: Path) -> MakeRun:
    """`make_run(name, items, cells)`: a run that answers item i as `cells[i]` says, and all else rightly."""

    def make(name: str, items: Sequence[Item], cells: Sequence[Cells] | None = None, mixed: bool = False) -> Path:
        dataset = tmp_path / "set"
        if not dataset.exists():
            dataset.mkdir()
            (dataset / MANIFEST).write_bytes((small_set / MANIFEST).read_bytes())
            others = (small_set / ITEMS).read_text(encoding="utf-8") if mixed else ""
            text = others + "".join(item.to_line() + "\n" for item in items)
            (dataset / ITEMS).write_text(text, encoding="utf-8")
        run(dataset, "oracle", tmp_path / name)
        answers = {item.id: one for item, one in zip(items, cells or [SOLVED] * len(items), strict=True)}

        def change(row: dict[str, Any]) -> dict[str, Any]:
            if row["item"] not in answers or row["question"] not in QUESTIONS:
                return row
            if answers[row["item"]][2 * QUESTIONS.index(row["question"]) + row["clip"]]:
                return row
            flipped = {"yes": "no", "no": "yes", "A": "B", "B": "A"}
            lead, _, answer = row["reply"].rpartition(" ")
            return row | {"reply": f"{lead} {flipped[answer]}"}

        rewrite(tmp_path / name, change)
        return tmp_path / name

    return make


def rewrite(folder: Path, change: Callable[[dict[str, Any]], dict[str, Any] | None]) -> None:
    changed = [change(json.loads(line)) for line in (folder / REPLIES).read_text(encoding="utf-8").splitlines()]
    text = "".join(json.dumps(row) + "\n" for row in changed if row is not None)
    (folder / REPLIES).write_text(text, encoding="utf-8")


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def instance(cells: Cells = SOLVED, **changes: Any) -> Instance:
    fields = {"category": "speed", "group": "attribute", "certificate": "permutation", "form": "yes_no"}
    return Instance(**(fields | {"contrast": None, "is_right": cells} | changes))


# ------------------------------------------------------------------------------------------------- the figures


def test_the_four_accuracies_by_hand(make_run: MakeRun) -> None:
    cells = [SOLVED, FIRST_ONLY, FIRST_ONLY, CLIP_1_ONLY, NOTHING]
    one = count_runs([make_run("run", [invented(number) for number in range(5)], cells)])[0]
    assert [instance.is_right for instance in one.instances] == cells
    figures = one.pairs["overall"]["all"]
    # Right answers 4 + 2 + 2 + 2 of 20; clips 2 + 0 + 0 + 1 of 10; questions 2 + 1 + 1 + 0 of 10; instances 1 of 5.
    assert (figures.answer, figures.clip, figures.question, figures.instance) == (0.5, 0.3, 0.4, 0.2)
    assert (figures.n, figures.solved) == (5, 1)
    # Sums of what lies off the mean: 2, 0, 0, 0, -2 an instance; (4 + 4) / 20² · 5/4.
    assert figures.standard_error == pytest.approx(0.025**0.5)
    assert figures.wilson == pytest.approx(proportion_confint(1, 5, method="wilson"))
    assert figures.p == pytest.approx(1 - (15 / 16) ** 5)
    assert figures.p == pytest.approx(binomtest(1, 5, 0.0625, alternative="greater").pvalue)


@pytest.mark.parametrize("form", ["yes_no", "choice"])
def test_the_oracle_stands_at_one_in_all_four(make_run: MakeRun, form: str) -> None:
    one = count_runs([make_run("run", [invented(number, form=form) for number in range(6)])])[0]
    figures = one.pairs["form"][form]
    assert (figures.answer, figures.clip, figures.question, figures.instance) == (1, 1, 1, 1)
    assert (figures.standard_error, figures.clustered) == (0.0, None)
    assert figures.p == pytest.approx(1 / 16**6)


def test_who_always_says_yes_is_half_right_and_solves_nothing(make_run: MakeRun) -> None:
    folder = make_run("run", [invented(number) for number in range(6)])
    rewrite(folder, lambda row: row | {"reply": "Final Answer: yes"})
    figures = count_runs([folder])[0].pairs["overall"]["all"]
    assert (figures.answer, figures.clip, figures.question, figures.instance, figures.p) == (0.5, 0, 0, 0, 1)


def test_who_knows_the_commonest_keys_alone_answers_each_form_in_its_own_way(make_run: MakeRun) -> None:
    items = [invented(number, form="choice" if number % 3 == 0 else "yes_no") for number in range(6)]
    make_run("oracle", items)
    reader = blind(make_run("other", items).parent / "set")
    for item in items:
        for one in item.questions:
            said = reader.reply(Asked(item, one, 0, one.prompt)).removeprefix("Final Answer: ")
            assert said in (("A", "B") if one.kind == "choice" else ("yes", "no"))


def test_who_answers_by_the_question_alone_or_by_the_clip_alone_solves_nothing() -> None:
    by_clip, by_question = pair_figures([instance(CLIP_1_ONLY)] * 3), pair_figures([instance(FIRST_ONLY)] * 3)
    assert (by_clip.clip, by_clip.question, by_clip.instance) == (0.5, 0, 0)
    assert (by_question.clip, by_question.question, by_question.instance) == (0, 0.5, 0)


def test_a_coin_stands_at_chance() -> None:
    every = [(a, b, c, d) for a in (T, F) for b in (T, F) for c in (T, F) for d in (T, F)]
    figures = pair_figures([instance(cells) for cells in every])
    assert [figures.answer, figures.clip, figures.question, figures.instance] == list(CHANCE.values())


def test_what_is_not_answered_is_not_right_and_stays_in_the_denominator(make_run: MakeRun) -> None:
    items = [invented(number) for number in range(6)]
    folder = make_run("run", items)
    replies = {
        items[1].id: "perhaps it is",
        items[2].id: "I'm sorry, but I cannot view videos.",
        items[3].id: None,
        items[4].id: "<think>it goes left",
    }

    def change(row: dict[str, Any]) -> dict[str, Any] | None:
        if row["item"] == items[5].id and row["question"] == "second":
            return None
        is_spoilt = row["item"] in replies and row["clip"] == 1 and row["question"] == "first"
        return row | {"reply": replies[row["item"]]} if is_spoilt else row

    rewrite(folder, change)
    one = count_runs([folder])[0]
    assert one.overall.outcomes == {"correct": 18, "unparsed": 2, "refused": 1, "failed": 1, "missing": 2}
    figures = one.pairs["overall"]["all"]
    assert (figures.n, figures.solved) == (6, 1)
    assert figures.answer == pytest.approx(18 / 24)
    assert figures.clip == pytest.approx((2 + 1 + 1 + 1 + 1 + 0) / 12)
    assert figures.question == pytest.approx((2 + 1 + 1 + 1 + 1 + 1) / 12)


def test_a_run_without_a_reply_solves_nothing(make_run: MakeRun) -> None:
    folder = make_run("run", [invented(number) for number in range(3)])
    (folder / REPLIES).write_bytes(b"")
    figures = count_runs([folder])[0].pairs["overall"]["all"]
    assert (figures.n, figures.answer, figures.instance, figures.p) == (3, 0, 0, 1)


def test_open_questions_count_in_the_ordinary_tables_only(make_run: MakeRun) -> None:
    folder = make_run("run", [invented(number, is_open=True) for number in range(4)])
    rewrite(folder, lambda row: row | {"reply": "Final Answer: 9"} if row["question"] == "how_many" else row)
    one = count_runs([folder])[0]
    assert one.pairs["overall"]["all"].instance == 1
    assert (len(one.overall.is_right), sum(one.overall.is_right)) == (24, 16)
    assert one.tallies["skill"]["how_many"].outcomes == {"wrong": 8}


def test_a_pair_that_is_asked_open_questions_alone_is_no_instance(make_run: MakeRun) -> None:
    items = [invented(0), invented(1, questions=[question("how_many", "integer", [2, 3], None)])]
    assert len(count_runs([make_run("run", items)])[0].instances) == 1


def test_half_a_pair_is_an_input_error(make_run: MakeRun) -> None:
    folder = make_run("run", [invented(0, questions=[question("first", "yes_no", ["yes", "no"], None)])])
    with pytest.raises(
        InputError, match=r"invented-0+ is a pair and must ask both 'first' and 'second'.*verifier check"
    ):
        count_runs([folder])


# ------------------------------------------------------------------------------------------------- the groups


def test_pairs_are_grouped_and_groups_stand_in_order(make_run: MakeRun) -> None:
    topology = {"group": "logic", "certificate": "matched"}
    items = [
        invented(0, category="temporal_topology", pair=topology),
        invented(1, category=None, pair={"group": "hidden state", "certificate": "matched"}),
        invented(2, form="choice"),
        invented(3, category="state_transition", pair={"group": "event", "certificate": "permutation"}),
        invented(4, category=None, pair={"axis": "operations"}),
        invented(5),
    ]
    cells = [NOTHING, SOLVED, SOLVED, SOLVED, NOTHING, NOTHING]
    tables = count_runs([make_run("run", items, cells)])[0].pairs
    counted = {
        table: {name: (figures.solved, figures.n) for name, figures in groups.items()}
        for table, groups in tables.items()
    }
    assert counted == {
        "overall": {"all": (3, 6)},
        "category": {
            "state_transition": (1, 1),
            "speed": (1, 2),
            "temporal_topology": (0, 1),
            "hidden state": (1, 2),
        },
        "group": {"event": (1, 1), "attribute": (1, 2), "logic": (0, 1), "hidden state": (1, 2)},
        "certificate": {"permutation": (2, 3), "matched": (1, 2)},
        "form": {"yes_no": (2, 5), "choice": (1, 1)},
    }
    assert list(counted["category"]) == ["state_transition", "speed", "temporal_topology", "hidden state"]
    assert list(counted["group"]) == ["event", "attribute", "logic", "hidden state"]


def contrasts(values: Sequence[float | None], category: str = "speed") -> dict[str, int]:
    tables = pair_tables([instance(contrast=value, category=category) for value in values])
    return {name: figures.n for name, figures in tables.get("contrast", {}).items()}


def test_few_contrasts_stand_on_their_own_and_many_are_cut_at_quartiles() -> None:
    assert contrasts([None, None]) == {}
    assert contrasts([3, 1.5, 2, 1.5, None]) == {"speed 1.5": 2, "speed 2": 1, "speed 3": 1}
    # Quartiles of 1 to 8 are 2.75, 4.5 and 6.25.
    assert contrasts([8, 7, 6, 5, 4, 3, 2, 1]) == {"speed 1–2": 2, "speed 3–4": 2, "speed 5–6": 2, "speed 7–8": 2}
    # Equal ones are never parted: quartiles 1, 1 and 3.
    assert contrasts([1, 1, 1, 1, 1, 2, 3, 4, 5]) == {"speed 1": 5, "speed 2–3": 2, "speed 4–5": 2}


def test_every_category_is_cut_by_its_own_contrasts() -> None:
    pairs = [instance(contrast=1 + number, category="speed") for number in range(8)]
    pairs += [instance(contrast=100.0 * (1 + number), category="force") for number in range(8)]
    groups = pair_tables(pairs)["contrast"]
    assert [figures.n for figures in groups.values()] == [2] * 8
    assert [*groups][:1] + [*groups][-1:] == ["speed 1–2", "force 700–800"]


@pytest.mark.parametrize("table", ["overall", "category", "group", "certificate", "form", "contrast"])
def test_every_table_adds_up_to_every_pair(table: str) -> None:
    names = ["speed", "force", "direction"]
    pairs = [
        instance((T, T, number % 2 == 0, T), category=names[number % 3], contrast=number * 0.37 % 2)
        for number in range(60)
    ]
    groups = pair_tables(pairs)[table].values()
    assert (sum(figures.n for figures in groups), sum(figures.solved for figures in groups)) == (60, 30)


# ------------------------------------------------------------------------------------------------- comparisons


def test_runs_are_compared_pair_by_pair(make_run: MakeRun) -> None:
    items = [invented(number) for number in range(12)]
    better = make_run("better", items, [SOLVED] * 10 + [NOTHING] * 2)
    worse = make_run("worse", items, [SOLVED] * 2 + [FIRST_ONLY] * 8 + [SOLVED, NOTHING])
    (one,) = compare(count_runs([better, worse]))
    assert one.instances is not None
    assert (one.instances.only_first, one.instances.only_second, one.instances.n) == (8, 1, 12)
    # 2 · (1 + 9) / 2⁹
    assert one.instances.p == pytest.approx(20 / 512)
    assert one.instances.mean == pytest.approx(7 / 12)
    assert (one.accuracy.n, one.accuracy.clusters) == (48, 12)
    assert one.accuracy.mean == pytest.approx((16 - 4) / 48)
    smaller, larger = sorted([one.instances.p, one.accuracy.p])
    assert sorted([one.instances_holm or 0, one.accuracy_holm]) == pytest.approx(
        [2 * smaller, max(2 * smaller, larger)]
    )


def test_p_values_are_corrected_over_all_comparisons_of_the_report(make_run: MakeRun) -> None:
    items = [invented(number) for number in range(12)]
    folders = [make_run(name, items, cells) for name, cells in (("a", [SOLVED] * 12), ("b", [NOTHING] * 12))]
    folders.append(make_run("c", items, [SOLVED] * 6 + [NOTHING] * 6))
    found = compare(count_runs(folders))
    assert [(one.first, one.second) for one in found] == [(0, 1), (0, 2), (1, 2)]
    instances = [one.instances for one in found]
    assert [one and (one.only_first, one.only_second) for one in instances] == [(12, 0), (6, 0), (0, 6)]
    assert [one and one.p for one in instances] == pytest.approx([2 / 4096, 2 / 64, 2 / 64])
    p_values = [one.accuracy.p for one in found] + [2 / 4096, 2 / 64, 2 / 64]
    expected = multipletests(p_values, method="holm")[1]
    assert [one.accuracy_holm for one in found] + [one.instances_holm for one in found] == pytest.approx(expected)
    # The flips find about the same p-values, so that four of the six are alike and are multiplied by 4.
    assert expected[4:] == pytest.approx(4 * 2 / 64, abs=0.02)


def test_a_run_compared_with_the_same_answers_differs_in_nothing(make_run: MakeRun) -> None:
    items = [invented(number) for number in range(5)]
    cells = [SOLVED, NOTHING, FIRST_ONLY, CLIP_1_ONLY, SOLVED]
    (one,) = compare(count_runs([make_run("a", items, cells), make_run("b", items, cells)]))
    assert one.instances is not None
    assert (one.accuracy.mean, one.accuracy.interval, one.accuracy.p) == (0, None, 1)
    assert (one.instances.only_first, one.instances.only_second, one.instances.p) == (0, 0, 1)
    assert (one.accuracy_holm, one.instances_holm) == (1, 1)


# ------------------------------------------------------------------------------------------------- the report


def test_the_files_of_a_report_on_pairs(make_run: MakeRun, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    items = [invented(number, measures={"contrast": 1.5}) for number in range(5)]
    cells = [SOLVED, FIRST_ONLY, FIRST_ONLY, CLIP_1_ONLY, NOTHING]
    counted = count_runs([make_run("weak", items, cells), make_run("strong", items)])
    paths = write_report(counted, tmp_path / "report")
    names = [f"report.{kind}" for kind in ("md", "csv", "json", "html", "png")]
    names += ["pairs.csv", "pairs.png", "comparisons.csv"]
    assert [path.name for path in paths] == names
    assert (tmp_path / "report" / "pairs.png").read_bytes().startswith(b"\x89PNG")
    text = paths[0].read_text(encoding="utf-8")
    for heading in ("Pairs", "Pairs by category", "Pairs by group", "Pairs by form", "Pairs by contrast of the clips"):
        assert f"## {heading}\n" in text
    assert "| all | oracle (weak) | 5 | 0.500 | 0.300 | 0.400 | 0.200 | 0.036–0.624 | 0.158 | 0.276 |" in text
    assert (
        "| speed 1.5 | oracle (strong) | 5 | 1.000 | 1.000 | 1.000 | 1.000 | 0.566–1.000 | 0.000 | \\<0.001 |" in text
    )
    # Four of five pairs are solved by the strong run alone: 2 / 2⁴, of two comparisons.
    assert "| oracle (weak) | oracle (strong) | -0.800 | 0 | 4 | 5 | 0.125 | 0.2" in text
    assert "![I-Acc of pairs by category](pairs.png)" in text
    assert all(note.replace("<", "\\<") in text for note in notes(counted))
    print_report(counted)
    printed = capsys.readouterr().out
    assert all(
        word in printed for word in ("Pairs by certificate", "I-Acc of pairs compared", "Chance: Acc 0.5, V-Acc")
    )
    before = [path.read_bytes() for path in paths]
    assert [path.read_bytes() for path in write_report(counted, tmp_path / "report")] == before


def test_the_rows_of_pairs_and_comparisons(make_run: MakeRun) -> None:
    items = [invented(number) for number in range(5)]
    cells = [SOLVED, FIRST_ONLY, FIRST_ONLY, CLIP_1_ONLY, NOTHING]
    counted = count_runs([make_run("weak", items, cells), make_run("strong", items)])
    found = rows(pairs_comma_separated(counted))
    tables = ["overall", "category", "group", "certificate", "form"]
    assert [(row["run"], row["table"]) for row in found] == [
        (name, table) for name in ("weak", "strong") for table in tables
    ]
    weak, strong = found[0], found[5]
    shares = {"acc": 0.5, "v_acc": 0.3, "q_acc": 0.4, "i_acc": 0.2, "i_acc_chance": 0.0625}
    assert {name: float(weak[name]) for name in shares} == shares
    assert (weak["pairs"], weak["pairs_right"]) == ("5", "1")
    assert float(weak["acc_clustered_low"]) == pytest.approx(0.5 - 2.776445 * 0.025**0.5)
    assert (strong["acc_clustered_standard_error"], strong["acc_clustered_low"]) == ("0.0", "")
    (compared,) = rows(comparisons_comma_separated(counted))
    assert (compared["run"], compared["against_run"], compared["n"], compared["clusters"]) == (
        "weak",
        "strong",
        "20",
        "5",
    )
    assert (compared["pairs"], compared["pairs_run_alone_right"], compared["pairs_against_alone_right"]) == (
        "5",
        "0",
        "4",
    )
    assert float(compared["accuracy_difference"]) == -0.5
    assert float(compared["bootstrap_low"]) < -0.5 < float(compared["bootstrap_high"])
    assert float(compared["mcnemar_p"]) == 0.125


def test_a_set_of_pairs_and_others(make_run: MakeRun, tmp_path: Path) -> None:
    counted = count_runs([make_run("run", [invented(number) for number in range(3)], mixed=True)])
    overall = rows(comma_separated(counted))[0]
    assert (overall["n"], overall["clusters"], overall["correct"]) == (str(72 + 12), "15", str(72 + 12))
    assert counted[0].pairs["overall"]["all"].n == 3
    names = [path.name for path in write_report(counted, tmp_path / "report")]
    assert names == ["report.md", "report.csv", "report.json", "report.html", "report.png", "pairs.csv", "pairs.png"]
    assert "## By reveal" in markdown(counted)


def test_a_set_without_pairs_is_reported_as_ever(small_set: Path, tmp_path: Path) -> None:
    run(small_set, "oracle", tmp_path / "run")
    counted = count_runs([tmp_path / "run"])
    names = [path.name for path in write_report(counted, tmp_path / "report")]
    assert names == ["report.md", "report.csv", "report.json", "report.html", "report.png"]
    text = markdown(counted).lower()
    assert not any(word in text for word in ("pairs", "i-acc", "compared"))


def test_names_of_categories_stay_in_their_cells(
    make_run: MakeRun, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    evil = "a|b\n# c \x1b[31m $x_1$ [red]"
    items = [invented(0, category=evil, pair={"group": evil, "certificate": evil}, measures={"contrast": 2})]
    counted = count_runs([make_run("run", items)])
    write_report(counted, tmp_path / "report")
    print_report(counted)
    assert "\x1b" not in capsys.readouterr().out
    assert "# c" not in [line.strip() for line in markdown(counted).splitlines()]
    assert {row["group"] for row in rows(pairs_comma_separated(counted))} == {
        "all",
        "a|b # c  [31m $x_1$ [red]",
        "yes_no",
        "a|b # c  [31m $x_1$ [red] 2",
    }


def test_on_a_narrow_screen_no_figure_of_pairs_is_cut(
    make_run: MakeRun, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.setenv("COLUMNS", "80")
    items = [
        invented(number, category="cross_event_comparison", measures={"contrast": 1.25 + number}) for number in range(9)
    ]
    print_report(count_runs([make_run("one", items), make_run("other", items, [NOTHING] * 9)]))
    printed = capsys.readouterr().out
    assert "…" not in printed
    assert all(word in printed for word in ("cross_event_comparison", "V-Acc", "0.701–1.000", "<0.001", "Wilson 95 %"))


def test_the_plot_takes_many_models_and_all_categories() -> None:
    names = ["speed", "fine_grained_action", "cross_event_comparison", "hidden state"]
    tables = pair_tables([instance((T, T, T, n % 3 == 0), category=names[n % 4]) for n in range(40)])
    assert pairs_plot({f"model {number}": tables["category"] for number in range(9)}).startswith(b"\x89PNG")


def test_a_report_on_three_runs_over_1440_questions_takes_seconds(make_run: MakeRun, tmp_path: Path) -> None:
    categories = ["speed", "direction", "duration", "force", "temporal_topology", "state_transition"]
    items = [
        invented(number, category=categories[number % 6], measures={"contrast": 1 + number * 0.618 % 1})
        for number in range(360)
    ]
    cells = [
        [SOLVED, FIRST_ONLY, NOTHING, CLIP_1_ONLY][number * step % 4] for step in (1, 2, 3) for number in range(360)
    ]
    folders = [make_run(f"run-{part}", items, cells[part * 360 : part * 360 + 360]) for part in range(3)]
    began = perf_counter()
    counted = count_runs(folders)
    write_report(counted, tmp_path / "report")
    print_report(counted)
    assert perf_counter() - began < 10
    assert len(counted[0].overall.is_right) == 1440
