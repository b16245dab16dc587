"""A finished set in another look: the same items in other pixels, which `verifier check` finds sound."""

import json
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest

from generators.command import main
from generators.dataset import prepare, read_items, write_dataset
from generators.errors import InputError
from generators.family import family
from generators.manifest import Request, read_manifest
from generators.relook import relook_request
from generators.rendering import frames, scene_of
from generators.rendering.looks import LOOK_NAMES
from generators.sampling import Part
from generators.sets import find_set, in_look, is_set, read_set
from generators.settings import LookChoice
from tests.generators.command_line import QUICK, contents, refused, run
from verifier.checking import check_dataset
from verifier.features import sample_of
from verifier.video_checking import video_problems


def relook(folder: Path, look: str, out: Path, *more: str) -> Path:
    with pytest.raises(SystemExit) as left:
        main(["relook", str(folder), "--look", look, "--out", str(out), "--workers", "1", "--renderer", "cpu", *more])
    assert left.value.code == 0
    return out


def lines(folder: Path) -> list[dict[str, Any]]:
    """Every item but for what a look changes."""
    found = []
    for item in read_items(folder):
        line = item.to_json()
        line["provenance"]["settings"].pop("look", None)
        for clip in line["clips"]:
            del clip["sha256"]
        found.append(line)
    return found


@pytest.mark.parametrize("look", [*LOOK_NAMES[1:], "random"])
def test_a_set_in_every_look_is_the_same_set_and_sound(small_dataset: Path, look: str, tmp_path: Path) -> None:
    folder = relook(small_dataset, look, tmp_path / "set")
    assert lines(folder) == lines(small_dataset)
    assert {item.provenance.settings["look"] for item in read_items(folder)} == {look}
    [part] = read_manifest(folder).parts
    assert part.settings["look"] == look
    assert ("qp_noisy" in read_manifest(folder).encoder) == (look in ("noisy", "random"))
    before, after = (contents(one / "videos") for one in (small_dataset, folder))
    assert before.keys() == after.keys() and before != after
    assert not [str(finding) for finding in check_dataset(folder)]
    assert contents(relook(folder, "plain", tmp_path / "back")) == contents(small_dataset)


def test_a_video_in_another_look_than_its_item_says_is_found(small_dataset: Path, tmp_path: Path) -> None:
    folder = relook(small_dataset, "dark", tmp_path / "set")
    text = (folder / "items.jsonl").read_text().replace('"look":"dark"', '"look":"lit"')
    (folder / "items.jsonl").write_text(text)
    manifest = (folder / "manifest.json").read_text().replace('"look": "dark"', '"look": "lit"')
    (folder / "manifest.json").write_text(manifest)
    findings = [str(finding) for finding in check_dataset(folder)]
    assert any("does not show the plan" in finding for finding in findings)


def test_another_plan_is_found_in_a_noisy_video_too(tmp_path: Path) -> None:
    """One tile that stands elsewhere, under grain and coarse coding."""
    number = family("number")
    settings = number.settings.model_validate(
        {
            "size": 4,
            "ops": 3,
            "resolution": 256,
            "fps": 4,
            "seconds_per_op": 0.5,
            "look": "noisy",
            "skills": ["infer_state"],
        }
    )
    write_dataset(tmp_path / "set", prepare(tmp_path / "set", Request((Part("number", settings, 1),), 5)), workers=1)
    [item] = read_items(tmp_path / "set")
    [clip] = item.clips
    data = (tmp_path / "set" / str(clip.file)).read_bytes()
    assert not [*video_problems(data, clip, scene_of(item, clip))]
    start = [list(row) for row in clip.plan["start"]]
    (a, b), (c, d) = [(row, column) for row in range(4) for column in range(4) if start[row][column]][:2]
    start[a][b], start[c][d] = start[c][d], start[a][b]
    other = clip.model_copy(update={"plan": clip.plan | {"start": start}})
    [problem] = video_problems(data, clip, scene_of(item, other))
    assert "frame 0 does not show the plan" in problem


def test_a_pair_keeps_its_certificate_and_its_frames_stand_for_its_video(tmp_path: Path) -> None:
    speed = family("speed")
    settings = speed.settings.model_validate({"resolution": 128, "seconds": "4..5", "independent_frames": True})
    plain = tmp_path / "plain"
    write_dataset(plain, prepare(plain, Request((Part("speed", settings, 2),), 3, sheets=False)), workers=1)
    for look in ("noisy", "dark"):
        folder = relook(plain, look, tmp_path / look)
        assert not [str(finding) for finding in check_dataset(folder)]
        for item, was in zip(read_items(folder), read_items(plain), strict=True):
            assert item.pair == was.pair
            assert sample_of(folder, item).problems == ()
            with av.open(str(folder / str(item.clips[1].file))) as container:
                decoded = np.stack([one.to_ndarray(format="rgb24") for one in container.decode(video=0)])
            drawn = frames(item, range(item.clips[1].frames), clip=1)
            assert np.abs(decoded.astype(int) - drawn).mean() <= 12


def test_a_named_set_in_a_look_is_still_that_set(tmp_path: Path) -> None:
    parts = find_set("smoke").parts
    looks: tuple[LookChoice, ...] = ("plain", "handheld", "random")
    for look in looks:
        assert is_set("smoke", in_look(parts, look))
    assert not is_set("smoke", in_look(parts[1:], "dark"))
    with pytest.raises(SystemExit) as left:
        main(["smoke", "--look", "dark", "--seed", "3", "--workers", "1", "--no-sheet", "--out", str(tmp_path / "set")])
    assert left.value.code == 0
    manifest = read_manifest(tmp_path / "set")
    assert manifest.set == "smoke" and {part.settings["look"] for part in manifest.parts} == {"dark"}
    assert not [str(finding) for finding in check_dataset(tmp_path / "set")]


def test_a_set_of_ones_own_names_looks(tmp_path: Path) -> None:
    path = tmp_path / "set.yaml"
    path.write_text("parts:\n  - {family: number, look: paper}\n  - {family: speed, count: 2, look: random}\n")
    parts = read_set(path).parts
    assert [part.settings.look for part in parts] == ["paper", "random"]
    path.write_text("parts:\n  - family: number\n    look: pretty\n")
    with pytest.raises(InputError, match=r"line 3: look: .*'plain', 'paper'"):
        read_set(path)


def test_a_committed_set_needs_its_seed(tmp_path: Path) -> None:
    folder = tmp_path / "set"
    made = run("generators.number", *QUICK, "--commit", "--out", str(folder), "--no-sheet", where=tmp_path)
    assert made.returncode == 0, made.stderr
    with pytest.raises(InputError, match="committed seed: give it with --seed"):
        relook_request(folder, "dark")
    with pytest.raises(InputError, match="--seed 8 is not the seed"):
        relook_request(folder, "dark", 8)
    other = relook(folder, "dark", tmp_path / "dark", "--seed", "7")
    assert read_manifest(other).root_seed is None
    assert read_manifest(other).seed_sha256 == read_manifest(folder).seed_sha256
    assert not [str(finding) for finding in check_dataset(other, root_seed=7)]


def test_what_cannot_be_drawn_again_is_refused_in_one_line(small_dataset: Path, tmp_path: Path) -> None:
    for spelling in ("relook", "--relook"):
        assert "no dataset" in refused(run("generators", spelling, "nowhere", "--look", "dark", where=tmp_path))
    assert "--look" in refused(run("generators", "relook", str(small_dataset), where=tmp_path))
    same = ("generators", "relook", str(small_dataset), "--look", "dark", "--out", str(small_dataset))
    assert "choose another folder" in refused(run(*same, where=tmp_path))
    with pytest.raises(InputError, match="is not the seed"):
        relook_request(small_dataset, "dark", 1)


def test_a_set_that_its_seed_does_not_give_is_not_drawn_again(small_dataset: Path, tmp_path: Path) -> None:
    for name in ("manifest.json", "items.jsonl"):
        (tmp_path / name).write_bytes((small_dataset / name).read_bytes())
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    (tmp_path / "manifest.json").write_text(json.dumps(manifest | {"root_seed": "4"}))
    with pytest.raises(InputError, match="item 1: is not what its seed gives"):
        relook_request(tmp_path, "dark")
    (tmp_path / "items.jsonl").unlink()
    (tmp_path / "items.jsonl.part").write_bytes(b"")
    with pytest.raises(InputError, match="not complete"):
        relook_request(tmp_path, "dark")


def test_a_look_that_there_is_not_is_refused(tmp_path: Path) -> None:
    assert "'pretty'" in refused(run("generators", "smoke", "--look", "pretty", where=tmp_path))
    line = refused(run("generators.number", "--look", "pretty", where=tmp_path))
    assert "--look pretty" in line and "'cluttered'" in line


def test_going_on_in_another_look_is_refused(small_dataset: Path, tmp_path: Path) -> None:
    folder = relook(small_dataset, "dark", tmp_path / "set")
    with pytest.raises(InputError, match="made with look dark, and now look is plain"):
        prepare(folder, relook_request(folder, "plain"))
