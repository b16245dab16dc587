"""Sets: the built-in ones have the shape they promise, and a user's own file is read with the line of each mistake."""

import json
from collections import Counter
from pathlib import Path

import pytest

from generators.errors import InputError
from generators.manifest import Request, read_manifest, read_part
from generators.seed_file import read_seed_file, seed_commitment, seed_file_of, write_seed_file
from generators.sets import SETS, find_set, read_set
from tests.generators.command_line import run

YAML = """\
name: my-set
summary: Two kinds of boards.
parts:
  - family: number
    count: 2
    size: 2..3
    reveal: both
  - {family: number, ladder: "solution_length=1..3", per_rung: 2, goal_distance: 1..3, where: operations == 4, ops: 4}
"""
TOML = """\
name = "my-set"
summary = "Two kinds of boards."

[[parts]]
family = "number"
count = 2
size = "2..3"
reveal = "both"

[[parts]]
family = "number"
ladder = "solution_length=1..3"
per_rung = 2
goal_distance = "1..3"
where = "operations == 4"
ops = 4
"""


def written(folder: Path, text: str, suffix: str = ".yaml") -> Path:
    path = folder / f"set{suffix}"
    path.write_text(text, encoding="utf-8")
    return path


def test_yaml_and_toml_say_the_same(tmp_path: Path) -> None:
    from_yaml, from_toml = read_set(written(tmp_path, YAML)), read_set(written(tmp_path, TOML, ".toml"))
    assert from_yaml == from_toml
    assert [part.items for part in from_yaml.parts] == [4, 6]
    items = list(Request(from_yaml.parts, 3).make_items())
    assert [item.provenance.index for item in items] == list(range(10))
    assert [item.measures["solution_length"] for item in items[4:]] == [1, 1, 2, 2, 3, 3]
    assert len({item.id for item in items}) == 10


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("parts:\n  - family: number\n    size: 1\n", 3, "size"),
        ("parts:\n  - family: nope\n", 2, "nope"),
        ("parts:\n  - count: 3\n", 2, "no family"),
        ("parts:\n  - family: number\n    count: -3\n", 3, "count"),
        ("parts:\n  - family: number\n    count: yes\n", 3, "count"),
        ("parts:\n  - family: number\n    colour: red\n", 3, "colour"),
        ("parts:\n  - family: number\n    where: size >\n", 3, "condition"),
        ("parts:\n  - family: number\n    ladder: size=2..3\n", 2, "per_rung"),
        ("parts:\n  - family: number\n    family: number\n", 3, "twice"),
        ("parts:\n  - family: number\n   bad: [\n", 3, "YAML"),
        ("name: a/b\nparts:\n  - family: number\n", 1, "name"),
        ("colour: red\nparts:\n  - family: number\n", 1, "colour"),
        ("parts: 3\n", 1, "list"),
        ("parts:\n  - 3\n", 2, "names with values"),
    ],
)
def test_a_mistake_in_yaml_is_named_by_its_line(tmp_path: Path, text: str, line: int, what: str) -> None:
    with pytest.raises(InputError, match=rf"line {line}\b.*{what}|line {line}\b.*\n?.*{what}"):
        read_set(written(tmp_path, text))


def test_a_mistake_in_toml_is_named_by_its_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="line 7: size: must be from 2 to 10"):
        read_set(written(tmp_path, TOML.replace("2..3", "2..30", 1), ".toml"))
    with pytest.raises(InputError, match=r"line 15: the condition"):
        read_set(written(tmp_path, TOML.replace("operations == 4", "operations"), ".toml"))
    with pytest.raises(InputError, match="line 3"):
        read_set(written(tmp_path, 'name = "x"\n\n= 3\n', ".toml"))


@pytest.mark.parametrize("text", ["", "parts: []\n", "name: x\n"])
def test_a_set_without_parts_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(InputError, match="part"):
        read_set(written(tmp_path, text))


def test_an_unknown_set_is_named() -> None:
    with pytest.raises(InputError, match=r"'timebind'.*videoreasonbench"):
        find_set("timebind")


def test_videoreasonbench_has_the_papers_shape() -> None:
    parts = find_set("videoreasonbench").parts
    assert sum(part.plans for part in parts) == 120
    assert sum(part.items for part in parts) == 240
    assert Counter(part.family for part in parts) == dict.fromkeys(
        ("number", "circle", "cup", "file", "card", "chip"), 20
    )
    items = list(Request(parts, 1).make_items())
    assert len({json.dumps([clip.plan for clip in item.clips]) for item in items}) == 240
    assert sum(len(item.questions) for item in items) == 1440
    assert Counter(item.clips[0].plan["reveal"] for item in items) == {"start": 120, "end": 120}
    assert Counter(item.measures["operations"] for item in items) == dict.fromkeys(range(5, 15), 24)
    assert all(item.measures["neutral_share"] < 1 for item in items)
    assert all(item.measures["operations_per_second"] == 0.4 for item in items)


def test_every_set_can_be_made(tmp_path: Path) -> None:
    for name in SETS:
        assert find_set(name).name == name
    done = run("generators", "smoke", "--seed", "5", "--out", "smoke", "--no-sheet", where=tmp_path)
    assert done.returncode == 0, done.stderr
    manifest = read_manifest(tmp_path / "smoke")
    assert (manifest.set, manifest.family, manifest.items) == ("smoke", None, 12)
    assert [read_part(record) for record in manifest.parts] == list(find_set("smoke").parts)


def test_a_committed_seed_is_kept_apart_and_proved_later(tmp_path: Path) -> None:
    options = ["number", "--size", "2", "--ops", "3", "--resolution", "128", "--fps", "4", "--commit", "--no-sheet"]
    done = run("generators", *options, "--out", "set", where=tmp_path)
    assert done.returncode == 0, done.stderr
    seed = read_seed_file(seed_file_of(tmp_path / "set"))
    assert seed.bit_length() > 64
    assert (seed_file_of(tmp_path / "set").stat().st_mode & 0o077) == 0
    everything = b"".join(path.read_bytes() for path in (tmp_path / "set").rglob("*") if path.is_file())
    assert str(seed).encode() not in everything
    assert str(seed) not in done.stdout + done.stderr
    assert seed_commitment(seed) in done.stderr
    assert read_manifest(tmp_path / "set").seed_sha256 == seed_commitment(seed)
    again = run("generators", *options, "--out", "set", where=tmp_path)
    assert again.returncode == 0, again.stderr
    assert run("generators", *options, "--out", "set", "--seed", "3", where=tmp_path).returncode == 2
    told = [option for option in options if option != "--commit"]
    refused = run("generators", *told, "--out", "set", "--seed", str(seed), where=tmp_path)
    assert refused.returncode == 2 and "go on with --commit" in refused.stderr


def test_a_seed_file_is_never_overwritten(tmp_path: Path) -> None:
    write_seed_file(tmp_path / "a.seed", 4)
    with pytest.raises(InputError, match="another seed"):
        write_seed_file(tmp_path / "a.seed", 5)
    assert read_seed_file(tmp_path / "a.seed") == 4


@pytest.mark.parametrize("text", ["", "x", "-1", "1 2", "9" * 60, "³"])
def test_a_seed_file_without_a_seed_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.seed").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match="holds no seed"):
        read_seed_file(tmp_path / "a.seed")
