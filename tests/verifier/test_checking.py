"""Every kind of tampering that `check` must find; sound sets, which it must find nothing in."""

import hashlib
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import verifier.files
from generators.errors import InputError
from generators.family import family
from generators.item import item_id
from generators.manifest import Request
from generators.sampling import Part
from tests.conftest import SMALL_SEED
from tests.verifier.tampering import QUICK, edit_items, edit_manifest, found, parts, written
from verifier.checking import Finding, check_dataset
from verifier.differences import differences


@pytest.fixture(scope="session")
def other_seed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same request as the small dataset's with another seed."""
    small = family("number").settings.model_validate(QUICK | {"size": "2..4", "ops": "3..5", "reveal": "both"})
    return written(tmp_path_factory.mktemp("other") / "set", Request((Part("number", small, 3),), SMALL_SEED + 1))


@pytest.fixture(scope="session")
def committed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("committed") / "set"
    return written(folder, Request(parts("chip", plans=2), 5, is_committed=True))


@pytest.fixture
def folder(small_dataset: Path, tmp_path: Path) -> Path:
    return shutil.copytree(small_dataset, tmp_path / "set")


@pytest.mark.parametrize("name", ["number", "circle", "cup", "file", "card", "chip"])
def test_a_set_of_every_family_is_sound(name: str, tmp_path: Path) -> None:
    assert found(written(tmp_path / "set", Request(parts(name, plans=2), 3))) == ""


def test_sets_with_a_selection_and_without_sheets_are_sound(tmp_path: Path) -> None:
    from generators.difficulty import read_condition, read_ladder
    from generators.sampling import Selection

    settings = family("number").settings.model_validate(QUICK | {"ops": "2..4"})
    selection = Selection(read_condition("solution_length>=1"), read_ladder("operations=2..4", 1))
    request = Request((Part("number", settings, 3, selection), *parts("cup")), 3, "mine", sheets=False)
    assert found(written(tmp_path / "set", request)) == ""


def question(item: Any, name: str) -> Any:
    return next(question for question in item["questions"] if question["id"] == name)


def floats_in(place: Any, name: Any) -> None:
    """Write a board's whole numbers as 1.0, which Python takes for the same."""
    place[name] = [[float(cell) for cell in row] for row in place[name]]


ITEMS: dict[str, tuple[Callable[[Any], Any], str]] = {
    "a float for a measure": (
        lambda i: i["measures"].update(operations=float(i["measures"]["operations"])),
        ".0, comp",
    ),
    "a measure too many": (lambda i: i["measures"].update(easy=1), "measures is "),
    "a measure too few": (lambda i: i["measures"].pop("size"), "measures is "),
    "another measure": (lambda i: i["measures"].update(size=9), "measures.size is 9, computed again"),
    "a float for a key": (lambda i: floats_in(question(i, "infer_state")["keys"], 0), ".0, computed again "),
    "true for 1": (lambda i: question(i, "infer_state")["keys"][0].__setitem__(0, [True] * 9), "keys[0][0] is [true,"),
    "another key": (lambda i: question(i, "recall_order")["keys"][0].append("up"), "questions[0].keys[0] is "),
    "no keys": (lambda i: i["questions"][0].update(keys=[]), "questions[0].keys is [], "),
    "a space in a prompt": (
        lambda i: i["questions"][0].update(prompt=i["questions"][0]["prompt"] + " "),
        "questions[0].prompt",
    ),
    "options": (lambda i: i["questions"][0].update(options=["a"]), "questions[0].options is"),
    "another level": (lambda i: i["questions"][0].update(level=3), "questions[0].level is 3"),
    "another parameter": (lambda i: i["questions"][0]["about"].update(first=1, last=1), "questions[0]"),
    "an unknown parameter": (lambda i: i["questions"][0]["about"].update(hint=1), "its parameters do not hold"),
    "a goal of floats": (lambda i: floats_in(question(i, "predict_operation")["about"], "goal"), "do not hold"),
    "an unknown question": (lambda i: i["questions"][0].update(id="guess"), "asks guess, "),
    "questions in another order": (lambda i: i["questions"].reverse(), "asks predict_operation"),
    "no question": (lambda i: i.update(questions=[]), "asks nothing"),
    "a float among the settings": (
        lambda i: i["provenance"]["settings"].update(fps=4.0),
        "settings.fps is 4.0, computed again 4",
    ),
    "another setting": (lambda i: i["provenance"]["settings"].update(reveal="end"), "provenance.settings.reveal is"),
    "another seed": (lambda i: i["provenance"].update(seed="6"), 'provenance.seed is "6", computed again'),
    "another place": (
        lambda i: i["provenance"].update(index=4),
        "names itself item 4 and stands in the place of item 0",
    ),
    "a pair": (lambda i: i.update(pair={"axis": "speed"}), 'pair is {"axis":"speed"}, computed again null'),
    "a category": (lambda i: i.update(category="speed"), 'category is "speed", computed again null'),
    "another id": (lambda i: i.update(id="number-000000000000"), 'id is "number-000000000000", computed again'),
    "another family": (lambda i: i.update(family="card"), "is of the family card where the manifest has number"),
    "a family that is a path": (lambda i: i.update(family="../x"), "is of the family ../x"),
    "another version": (lambda i: i.update(version=99), "was made by version 99"),
    "true for the schema": (lambda i: i.update(schema=True), "is not written in the canonical form"),
    "another operation": (
        lambda i: i["clips"][0]["plan"]["operations"].__setitem__(0, "fly"),
        "its plan does not hold",
    ),
    "a start of floats": (lambda i: floats_in(i["clips"][0]["plan"], "start"), "does not hold"),
    "no operations": (lambda i: i["clips"][0]["plan"].update(operations=[]), "its parameters do not hold"),
    "more in the plan": (lambda i: i["clips"][0]["plan"].update(note="x"), "its plan does not hold"),
    "another frame rate": (lambda i: i["clips"][0].update(fps=5), "clips[0].fps is 5, computed again 4"),
    "another number of frames": (lambda i: i["clips"][0].update(frames=1), "clips[0].frames is 1, computed again"),
    "another span": (
        lambda i: i["clips"][0]["spans"][0].__setitem__(0, 1),
        "clips[0].spans[0][0] is 1, computed again 2",
    ),
    "a span too many": (lambda i: i["clips"][0]["spans"].append([1, 2]), "clips[0].spans is"),
    "two clips": (lambda i: i["clips"].append(i["clips"][0]), "the answers of a pair do not flip"),
    "no file": (lambda i: i["clips"][0].update(file=None, sha256=None), "names the video none"),
    "NUL in a name": (
        lambda i: i["clips"][0].update(file="videos/\0x"),
        "names the video videos/\\x00x, which must be",
    ),
    "a long name": (lambda i: i["clips"][0].update(file="x" * 5000), "names the video xxx"),
    "a name outside": (lambda i: i["clips"][0].update(file="/etc/passwd"), "names the video /etc/passwd"),
    "another hash": (lambda i: i["clips"][0].update(sha256="0" * 64), "its SHA-256 differs"),
}


@pytest.mark.parametrize("name", ITEMS)
def test_an_item_that_was_changed_is_found(name: str, folder: Path) -> None:
    change, finding = ITEMS[name]
    edit_items(folder, lambda items: change(items[0]))
    assert finding in found(folder)


def test_what_a_plan_says_twice_is_found_even_with_an_id_of_its_own(folder: Path) -> None:
    def change(items: list[Any]) -> None:
        items[0]["clips"][0]["plan"] = plan = {**items[0]["clips"][0]["plan"], "reveal": "end"}
        items[0]["id"] = item_id("number", items[0]["version"], [plan])

    edit_items(folder, change)
    assert "do not hold" in found(folder)


def test_an_item_of_another_seed_is_found_whatever_it_says(folder: Path, other_seed: Path) -> None:
    def change(items: list[Any]) -> None:
        stranger = json.loads((other_seed / "items.jsonl").read_text().splitlines()[0])
        stranger["provenance"]["seed"] = str(SMALL_SEED)
        items[0] = stranger
        for place in ("videos/{}.mp4", "sheets/{}.png"):
            shutil.copy(other_seed / place.format(stranger["id"]), folder / place.format(stranger["id"]))

    edit_items(folder, change)
    assert 'the seed gives "number-' in found(folder)


def test_all_items_of_another_seed_are_found(folder: Path) -> None:
    edit_items(folder, lambda items: [item["provenance"].update(seed="6") for item in items])
    edit_manifest(folder, lambda manifest: manifest.update(root_seed="6"))
    assert found(folder).count('id is "number-') == 6


def test_a_committed_set_is_checked_without_its_seed_and_with_it(committed: Path, tmp_path: Path) -> None:
    assert found(committed) == ""
    assert found(committed, root_seed=5) == ""
    assert "commits to another seed" in found(committed, root_seed=6)
    folder = shutil.copytree(committed, tmp_path / "set")
    edit_items(folder, lambda items: items[1]["questions"][0]["keys"].append(1))
    assert "questions[0].keys" in found(folder)


def test_another_item_in_a_committed_set_is_found_with_the_seed(committed: Path, tmp_path: Path) -> None:
    stranger = written(tmp_path / "other", Request(parts("chip", plans=2), 6, is_committed=True))
    shutil.copy(committed / "manifest.json", stranger / "manifest.json")
    assert found(stranger) == ""
    assert found(stranger, root_seed=5).count("the seed gives") >= 2


def test_the_seed_of_another_set_is_said_to_be_one(folder: Path) -> None:
    assert f"names the seed {SMALL_SEED}" in found(folder, root_seed=1)


LINES: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "a cut-off line": (lambda lines: lines[:-9], "line 6: is cut off"),
    "a blank line": (lambda lines: b"\n" + lines, "line 1: is no item"),
    "no JSON": (lambda lines: b"\xff\xfe" + lines, "line 1: is no item"),
    "nested deeply": (lambda lines: b"[" * 100_000 + b"\n" + lines, "line 1: is no item"),
    "spaces": (lambda lines: lines.replace(b'{"schema":1', b'{"schema": 1', 1), "is not written in the canonical form"),
    "a name twice": (
        lambda lines: lines.replace(b'{"schema":1', b'{"schema":1,"schema":1', 1),
        "in the canonical form",
    ),
    "an infinity": (lambda lines: lines.replace(b'"size":', b'"size":1e999,"size":', 1), "line 1: "),
    "a line too few": (lambda lines: lines[: lines.index(b"\n") + 1], "has 1 lines where the manifest says 6 items"),
    "a line too many": (lambda lines: lines + lines[: lines.index(b"\n") + 1], "stands behind the last item"),
    "a line twice": (lambda lines: lines + lines[: lines.index(b"\n") + 1], "line 7: the item of videos/number-"),
    "no line": (lambda lines: b"", "has 0 lines"),
    "another order": (lambda lines: b"".join(reversed(lines.splitlines(True))), "names itself item 5"),
}


@pytest.mark.parametrize("name", LINES)
def test_a_list_that_was_changed_is_found(name: str, folder: Path) -> None:
    change, finding = LINES[name]
    path = folder / "items.jsonl"
    path.write_bytes(change(path.read_bytes()))
    assert finding in found(folder)


def test_a_line_too_long_to_be_one_is_found(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = folder / "items.jsonl"
    longest = max(map(len, path.read_bytes().splitlines())) + 1
    monkeypatch.setattr(verifier.files, "LONGEST_LINE", longest)
    assert found(folder) == ""
    path.write_bytes(path.read_bytes() + b"x" * (3 * longest) + b"\n")
    assert "line 7: is longer than" in found(folder)


def replaced_by(make: Callable[[Path], Any], path: Path) -> None:
    path.unlink()
    make(path)


NO_FILES: dict[str, tuple[Callable[[Path], Any], str]] = {
    "a pipe": (os.mkfifo, "is no regular file"),
    "a folder": (Path.mkdir, "is no regular file"),
    "a device": (lambda path: path.symlink_to("/dev/zero"), "is no regular file"),
    "a link to nowhere": (lambda path: path.symlink_to("nowhere"), "is missing"),
    "a link to itself": (lambda path: path.symlink_to(path.name), "cannot be read: Too many levels of symbolic links"),
}


@pytest.mark.parametrize("name", NO_FILES)
def test_what_is_no_file_is_never_opened(name: str, folder: Path) -> None:
    make, finding = NO_FILES[name]
    replaced_by(make, video := min((folder / "videos").iterdir()))
    replaced_by(make, sheet := max((folder / "sheets").iterdir()))
    said = found(folder)
    assert f"videos/{video.name} {finding}" in said and f"sheets/{sheet.name} {finding}" in said
    for file in ("items.jsonl", "manifest.json"):
        replaced_by(make, folder / file)
        with pytest.raises(InputError, match=f"{file} {finding}"):
            found(folder)


def test_a_file_outside_the_folder_is_found(folder: Path, tmp_path: Path) -> None:
    video = min((folder / "videos").iterdir())
    video.rename(tmp_path / "outside.mp4")
    video.symlink_to(tmp_path / "outside.mp4")
    assert f"videos/{video.name} lies outside the dataset's folder" in found(folder)


def with_text(path: Path) -> None:
    from PIL import Image
    from PIL.PngImagePlugin import PngInfo

    text = PngInfo()
    text.add_text("answer", "B")
    with Image.open(path) as sheet:
        sheet.load()
        sheet.save(path, pnginfo=text)


def sheets(folder: Path) -> list[Path]:
    return sorted((folder / "sheets").iterdir())


STRAYS: dict[str, tuple[Callable[[Path], Any], str]] = {
    "a file beside the list": (lambda d: (d / "answers.txt").write_text("x"), "answers.txt: does not belong"),
    "a file among the videos": (lambda d: (d / "videos/x.mp4").write_text("x"), "videos/x.mp4: belongs to no item"),
    "a folder among the videos": (lambda d: (d / "videos/sub").mkdir(), "videos/sub: belongs to no item"),
    "a file among the sheets": (lambda d: (d / "sheets/x.png").write_text("x"), "sheets/x.png: belongs to no item"),
    "no videos": (lambda d: shutil.rmtree(d / "videos"), "videos: is missing"),
    "no sheets": (lambda d: shutil.rmtree(d / "sheets"), "sheets: is missing"),
    "a sheet that is missing": (lambda d: sheets(d)[0].unlink(), ".png is missing"),
    "a sheet that is no picture": (lambda d: sheets(d)[0].write_bytes(b"x"), "is no PNG that can be read"),
    "bytes behind a sheet": (
        lambda d: sheets(d)[0].write_bytes(sheets(d)[0].read_bytes() + b"B"),
        ".png holds more than a picture",
    ),
    "a text in a sheet": (lambda d: with_text(sheets(d)[0]), ".png holds more than a picture"),
    "half a sheet": (lambda d: os.truncate(sheets(d)[0], 900), "is no PNG that can be read"),
    "the sheet of another": (lambda d: shutil.copy(sheets(d)[0], sheets(d)[1]), "sheet of its item"),
}


@pytest.mark.parametrize("name", STRAYS)
def test_files_that_are_missing_wrong_or_too_many_are_found(name: str, folder: Path) -> None:
    change, finding = STRAYS[name]
    change(folder)
    assert finding in found(folder)


def test_a_set_that_was_never_finished_is_refused(folder: Path) -> None:
    (folder / "items.jsonl").rename(folder / "items.jsonl.part")
    with pytest.raises(InputError, match="was never finished"):
        found(folder)


def test_the_hash_of_a_video_is_not_taken_on_trust(folder: Path) -> None:
    def change(items: list[Any]) -> None:
        first, second = (folder / item["clips"][0]["file"] for item in items[:2])
        second.write_bytes(first.read_bytes())
        items[1]["clips"][0]["sha256"] = hashlib.sha256(first.read_bytes()).hexdigest()

    edit_items(folder, change)
    assert "does not show the plan" in found(folder) or "number of frames" in found(folder)


def test_findings_are_one_printable_line() -> None:
    assert str(Finding("a\x1b[31m", "b\nc\ud800é")) == "a\\x1b[31m: b\\nc\\ud800é"
    assert all(len(finding) < 300 for finding in differences({"a": "x" * 10**6}, {"a": "x" * 10**6 + "y"}))


def test_values_are_told_apart_as_json_does() -> None:
    for one in (1, 1.0, True, "1", [1], None, {"a": 1, "b": 2}, {"b": 2, "a": 1}, 0, -0.0, False):
        for other in (1, 1.0, True, "1", [1], None, {"a": 1, "b": 2}, {"b": 2, "a": 1}, 0, -0.0, False):
            same = type(one) is type(other) and json.dumps(one) == json.dumps(other)
            assert (list(differences({"x": one}, {"x": other})) == []) is same


def test_findings_come_in_the_same_order_with_any_number_of_workers(folder: Path) -> None:
    edit_items(folder, lambda items: [item.update(category="x") for item in items])
    alone = list(check_dataset(folder))
    assert alone == list(check_dataset(folder, workers=2)) and len(alone) == 6
