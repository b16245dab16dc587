"""`python -m generators.number` as a person meets it: help, refusals in one line, seeds, folders, tables."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from generators.family import family
from generators.settings import SKILLS
from tests.generators.command_line import QUICK, ROOT, contents, environment, generate, refused, run


def item_lines(folder: Path) -> list[str]:
    return (folder / "items.jsonl").read_text().splitlines()


BOTH_SPELLINGS = [("generators.number",), ("generators", "number")]


@pytest.mark.parametrize(
    ("option", "value", "reason"),
    [
        ("--size", "1", "must be from 2 to 10"),
        ("--size", "11", "must be from 2 to 10"),
        ("--size", "2..11", "must be from 2 to 10"),
        ("--size", "6..2", "write the smaller number first"),
        ("--size", "nan", "write a whole number such as 4"),
        ("--size", "4.5", "write a whole number such as 4"),
        ("--ops", "0", "must be from 1 to 500"),
        ("--ops", "-3", "must be from 1 to 500"),
        ("--ops", "1000000", "must be from 1 to 500"),
        ("--ops", "inf", "write a whole number such as 4"),
        ("--count", "0", "not a whole number from 1"),
        ("--count", "-5", "not a whole number from 1"),
        ("--count", "nan", "not a whole number from 1"),
        ("--count", "1e3", "not a whole number from 1"),
        ("--count", "9" * 90, "not a whole number from 1"),
        ("--seed", "-1", "not a whole number from 0"),
        ("--seed", "NaN", "not a whole number from 0"),
        ("--seed", str(2**128), "not a whole number from 0"),
        ("--fps", "0", "greater than or equal to 1"),
        ("--fps", "-24", "greater than or equal to 1"),
        ("--fps", "1000000000", "less than or equal to 120"),
        ("--fps", "nan", "valid integer"),
        ("--fps", "23.976", "valid integer"),
        ("--resolution", "511", "multiple of 4"),
        ("--resolution", "64", "multiple of 4 from 128"),
        ("--resolution", "100000", "multiple of 4 from 128 to 2048"),
        ("--resolution", "512x", "write a number of pixels"),
        ("--seconds-per-op", "0", "greater than or equal to 0.1"),
        ("--seconds-per-op", "-1", "greater than or equal to 0.1"),
        ("--seconds-per-op", "nan", "finite number"),
        ("--seconds-per-op", "inf", "finite number"),
        ("--seconds-per-op", "0.1", "raise --fps"),
        ("--reveal-seconds", "0.1", "raise --fps"),
        ("--reveal-seconds", "nan", "finite number"),
        ("--reveal", "never", "'start', 'end' or 'both'"),
        ("--skills", "guess", "unknown skill 'guess': choose from recall_order"),
        ("--skills", "", "choose from recall_order"),
        ("--workers", "0", "from 1 to 256"),
        ("--workers", "-2", "from 1 to 256"),
        ("--renderer", "metal", "choose from"),
        ("--device-index", "-1", "not a whole number from 0 to 255"),
        ("--sizes-of-boards", "4", "unrecognized arguments"),
    ],
)
def test_a_bad_value_is_one_line(option: str, value: str, reason: str, tmp_path: Path) -> None:
    line = refused(generate(f"{option}={value}", where=tmp_path))
    assert option in line
    assert reason in line
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("words", [(), ("nonsense",), ("number", "surplus"), ("Number",), ("../number",), ("family",)])
def test_a_missing_or_unknown_family_is_refused(words: tuple[str, ...], tmp_path: Path) -> None:
    result = run("generators", *words, where=tmp_path)
    assert result.returncode == 2
    assert "number" in result.stdout + result.stderr
    assert "Traceback" not in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_family_is_one_line_with_the_known_ones(tmp_path: Path) -> None:
    line = refused(run("generators", "nonsense", where=tmp_path))
    assert "unknown family or set 'nonsense'" in line and "number" in line


@pytest.mark.parametrize("out", ["file", "file/below", "/proc/nowhere/set", "/dev/null/set", "x" * 300])
def test_a_folder_that_cannot_be_made_is_one_line(out: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("kept")
    line = refused(generate("--out", out, where=tmp_path))
    assert out.removesuffix("/set").removesuffix("/below") in line
    assert contents(tmp_path).keys() == {"file"}
    assert (tmp_path / "file").read_text() == "kept"


@pytest.mark.parametrize("entry", ["notes.txt", "videos/mine.mp4", "items.jsonl"])
def test_a_folder_with_other_things_is_left_alone(entry: str, tmp_path: Path) -> None:
    path = tmp_path / "set" / entry
    path.parent.mkdir(parents=True)
    path.write_text("mine")
    before = contents(tmp_path)
    line = refused(generate("--out", "set", where=tmp_path))
    assert "not empty and holds no dataset" in line and "--out" in line
    assert contents(tmp_path) == before


def test_a_manifest_that_cannot_be_read_is_left_alone(tmp_path: Path) -> None:
    for text in ("", "{", '{"schema": 1}'):
        (tmp_path / "manifest.json").write_text(text)
        line = refused(generate("--out", ".", where=tmp_path))
        assert "manifest.json" in line
        assert (tmp_path / "manifest.json").read_text() == text
        assert len(list(tmp_path.iterdir())) == 1


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that holds one finished set of two items, `set`."""
    where = tmp_path_factory.mktemp("finished")
    result = generate("--count", "2", "--out", "set", "--workers", "1", where=where)
    assert result.returncode == 0, result.stderr
    return where


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (("--seed", "8"), "seed"),
        (("--count", "3"), "count"),
        (("--count", "1"), "count"),
        (("--count", "1", "--reveal", "both"), "reveal"),
        (("--size", "4"), "size"),
        (("--ops", "2..3"), "ops"),
        (("--fps", "8"), "fps"),
        (("--resolution", "132"), "resolution"),
        (("--seconds-per-op", "1"), "seconds_per_op"),
        (("--reveal-seconds", "1"), "reveal_seconds"),
        (("--skills", "infer_state"), "skills"),
        (("--no-sheet",), "sheets"),
    ],
)
def test_a_set_made_otherwise_is_left_alone(options: tuple[str, ...], named: str, finished: Path) -> None:
    before = contents(finished)
    line = refused(generate("--count", "2", "--out", "set", *options, where=finished))
    assert f"made with {named} " in line and "choose another folder with --out" in line
    assert contents(finished) == before


def test_the_same_command_again_changes_nothing(finished: Path) -> None:
    before = contents(finished)
    times = {path: path.stat().st_mtime_ns for path in finished.rglob("*.mp4")}
    result = generate("--count", "2", "--out", "set", where=finished)
    assert result.returncode == 0, result.stderr
    assert contents(finished) == before
    assert {path: path.stat().st_mtime_ns for path in finished.rglob("*.mp4")} == times


def test_a_finished_set_has_the_documented_files_and_no_others(finished: Path) -> None:
    items = [json.loads(line) for line in item_lines(finished / "set")]
    assert [item["provenance"]["index"] for item in items] == [0, 1]
    assert set(contents(finished / "set")) == {
        *("manifest.json", "items.jsonl", "videos", "sheets"),
        *(f"videos/{item['id']}.mp4" for item in items),
        *(f"sheets/{item['id']}.png" for item in items),
    }
    assert [item["clips"][0]["file"] for item in items] == [f"videos/{item['id']}.mp4" for item in items]
    assert all(item["clips"][0]["sha256"] == contents(finished / "set")[item["clips"][0]["file"]] for item in items)


def test_the_manifest_says_how_the_set_was_made(finished: Path) -> None:
    manifest = json.loads((finished / "set" / "manifest.json").read_text())
    assert manifest["schema"] == 1
    assert (manifest["family"], manifest["set"], manifest["items"], manifest["root_seed"]) == ("number", None, 2, "7")
    [part] = manifest["parts"]
    assert (part["family"], part["version"], part["plans"]) == ("number", family("number").version, 2)
    assert (part["where"], part["ladder"], part["per_rung"]) == (None, None, None)
    assert part["settings"] == {
        "fps": 4,
        "resolution": "128",
        "independent_frames": False,
        "ops": "3",
        "reveal": "start",
        "skills": ",".join(SKILLS),
        "seconds_per_op": 0.5,
        "reveal_seconds": 0.5,
        "pairs": False,
        "goal_distance": "3..6",
        "size": "3",
    }
    assert manifest["renderer"] == "cpu"
    assert manifest["encoder"]["codec"] == "libx264" and manifest["encoder"]["qp"] == "18"
    assert set(manifest["packages"]) == {"av", "numpy", "pillow", "pydantic"}
    assert {"generator_version", "git_commit", "git_dirty"} <= set(manifest)


def test_the_table_names_items_questions_keys_and_files(tmp_path: Path) -> None:
    result = generate("--count", "12", "--out", "set", "--skills", "infer_state,recall_order", where=tmp_path)
    assert result.returncode == 0, result.stderr
    items = [json.loads(line) for line in item_lines(tmp_path / "set")]
    for title in ("item", "question", "key", "file"):
        assert title in result.stdout.splitlines()[1]
    for item in items[:10]:
        assert item["id"] in result.stdout
        assert item["clips"][0]["file"] in result.stdout
        assert ", ".join(item["questions"][0]["keys"][0]) in result.stdout
        assert str(item["questions"][1]["keys"][0]) in result.stdout
        assert [question["id"] for question in item["questions"]] == ["recall_order", "infer_state"]
    assert items[10]["id"] not in result.stdout
    assert "2 more items" in result.stdout


def test_the_reader_of_the_output_may_leave_early(tmp_path: Path) -> None:
    words = " ".join([sys.executable, "-W", "error", "-m", "generators.number", *QUICK, "--out", "set"])
    result = subprocess.run(
        ["bash", "-o", "pipefail", "-c", f"{words} | true"],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    assert "Traceback" not in result.stderr and "BrokenPipe" not in result.stderr
    assert (tmp_path / "set" / "items.jsonl").exists()


def test_without_a_seed_each_run_makes_its_own_set(tmp_path: Path) -> None:
    """The seed is printed, stored, and names the folder."""
    seedless = [option for option in QUICK if option not in ("--seed", "7")]
    seeds = []
    for spelling in BOTH_SPELLINGS:
        result = run(*spelling, *seedless, where=tmp_path)
        assert result.returncode == 0, result.stderr
        [printed] = re.findall(r"root seed (\d+)", result.stderr)
        folder = tmp_path / "out" / f"number-{printed}"
        assert json.loads((folder / "manifest.json").read_text())["root_seed"] == printed
        [line] = item_lines(folder)
        assert json.loads(line)["provenance"]["seed"] == printed
        seeds.append(printed)
    assert seeds[0] != seeds[1]
    assert len(list((tmp_path / "out").iterdir())) == 2
    # The set of a fresh seed can be finished without naming it.
    before = contents(folder)
    (folder / "items.jsonl").unlink()
    result = run("generators.number", *seedless, "--out", str(folder), where=tmp_path)
    assert result.returncode == 0, result.stderr
    assert f"root seed {seeds[1]}" in result.stderr
    assert contents(folder) == before


def test_zero_is_a_seed(tmp_path: Path) -> None:
    result = generate("--seed", "0", "--no-sheet", where=tmp_path)
    assert result.returncode == 0, result.stderr
    folder = tmp_path / "out" / "number-0"
    assert json.loads((folder / "manifest.json").read_text())["root_seed"] == "0"
    [line] = item_lines(folder)
    assert json.loads(line)["provenance"]["seed"] == "0"
    assert not (folder / "sheets").exists()


def test_with_both_reveals_each_plan_makes_two_items(tmp_path: Path) -> None:
    result = generate("--count", "2", "--reveal", "both", "--out", "set", where=tmp_path)
    assert result.returncode == 0, result.stderr
    plans = [json.loads(line)["clips"][0]["plan"] for line in item_lines(tmp_path / "set")]
    assert [plan["reveal"] for plan in plans] == ["start", "end"] * 2
    assert plans[0]["start"] == plans[1]["start"] != plans[2]["start"]


LIMITS_IN_HELP = {
    "--size": "from 2 to 10",
    "--ops": "from 1 to 500",
    "--fps": "from 1 to 120",
    "--resolution": "multiples of 4 from 128 to 2048",
    "--seconds-per-op": "from 0.1 to 20",
    "--reveal-seconds": "from 0.1 to 60",
    "--reveal": "start|end|both",
    "--skills": ", ".join(SKILLS),
    "--count": "how many plans",
    "--seed": "a whole number from 0",
    "--out": "out/number-SEED",
    "--workers": "from 1 to 256",
    "--renderer": "{auto,cpu,gpu}",
    "--device-index": "from 0 to 255",
    "--no-sheet": "no contact sheets",
}


@pytest.mark.parametrize("spelling", BOTH_SPELLINGS)
def test_help_names_every_option_with_its_limits(spelling: tuple[str, ...], tmp_path: Path) -> None:
    result = run(*spelling, "--help", where=tmp_path)
    assert result.returncode == 0 and result.stderr == ""
    _, *entries = re.split(r"\n  (?=--)", result.stdout)
    described = {entry.split()[0]: " ".join(entry.split()) for entry in entries}
    for option, limits in LIMITS_IN_HELP.items():
        assert limits in described.pop(option), option
    assert all(len(text.split()) >= 4 for text in described.values())


def test_help_is_the_same_in_both_spellings(tmp_path: Path) -> None:
    assert len({run(*spelling, "--help", where=tmp_path).stdout for spelling in BOTH_SPELLINGS}) == 1


def test_the_families_are_listed(tmp_path: Path) -> None:
    result = run("generators", "--help", where=tmp_path)
    assert result.returncode == 0 and "number" in result.stdout


def loaded(program: str) -> set[str]:
    """The modules that are loaded when `program` leaves."""
    report = "import atexit, sys\natexit.register(lambda: print('loaded:', *sys.modules))\n"
    result = subprocess.run(
        [sys.executable, "-W", "error", "-c", report + program],
        cwd=ROOT,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    return set(result.stdout.rpartition("loaded:")[2].split())


HEAVY = {
    "av",
    "numpy",
    "PIL",
    "matplotlib",
    "scipy",
    "torch",
    "transformers",
    "moderngl",
    "pygame",
    "rich",
    "statsmodels",
}


def test_help_loads_nothing_heavy() -> None:
    for program in (
        "from generators.command import main\nmain(['number', '--help'])",
        "import runpy\nsys.argv[1:] = ['--help']\nrunpy.run_module('generators.number', run_name='__main__')",
    ):
        modules = loaded(program)
        assert "generators.number" in modules
        assert not modules & HEAVY


def test_importing_the_package_loads_nothing_more() -> None:
    modules = loaded("import generators")
    assert {name for name in modules if name.startswith("generators")} == {"generators"}
    assert not modules & {*HEAVY, "pydantic", "argparse"}


def test_frames_loads_its_painter_only_when_called() -> None:
    assert not loaded("from generators.rendering import frames") & HEAVY
