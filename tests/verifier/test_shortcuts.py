"""Shortcuts: leaks that are planted are found, by the probe that they are for, and clean sets have no finding."""

import hashlib
import json
import random
import shutil
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from generators.dataset import prepare, read_items, write_dataset
from generators.family import family
from generators.manifest import Request
from generators.sampling import Part
from tests.verifier.tampering import edit_items
from verifier.__main__ import main
from verifier.features import (
    Asked,
    Sample,
    bag_of_frames,
    clip_features,
    sample_of,
    wording_of,
)
from verifier.leaning_keys import leaning_keys, normal_form
from verifier.probes import read_group, rows_of
from verifier.shortcuts import CONTROL, PROBES, Report, find_shortcuts, report_on
from verifier.thumbnails import PARTS, SCALE, Thumbnails

FRAMES = 24

# ---------------------------------------------------------------------------------------------------- made by hand

Leak = Callable[[list[Thumbnails], int], list[Thumbnails]]
"""Changes the pictures of both clips; the number is the alternative that is true of the first."""


def no_leak(clips: list[Thumbnails], _true: int) -> list[Thumbnails]:
    return clips


def brighter(frame: int) -> Leak:
    """One cell of one frame is a little lighter in the clip of which alternative 0 is true."""

    def change(clips: list[Thumbnails], true: int) -> list[Thumbnails]:
        clips[true][frame, 17] += 6 * SCALE
        return clips

    return change


def brighter_throughout(clips: list[Thumbnails], true: int) -> list[Thumbnails]:
    clips[true][:, 17] += 6 * SCALE
    return clips


def lighter(clips: list[Thumbnails], true: int) -> list[Thumbnails]:
    clips[true] = np.minimum(clips[true] + 2 * SCALE, 255 * SCALE)
    return clips


def one_frame_more_often(clips: list[Thumbnails], true: int) -> list[Thumbnails]:
    """The same pictures, but how often each occurs tells."""
    clips[true][5:15] = clips[true][4]
    return clips


def pair_of_pictures(source: np.random.Generator, true: int) -> list[Thumbnails]:
    """A patch that crosses a ground early or late, which is the same frames in reverse, and comes back to its place."""
    ground = source.integers(40, 200, PARTS) * SCALE
    pictures = np.tile(ground, (FRAMES, 1))
    for frame in range(1, FRAMES - 1):
        # Fast in the first half, slow in the second.
        place = 2 * frame if frame < FRAMES // 4 else FRAMES // 2 + (frame - FRAMES // 4) // 3
        pictures[frame, 3 * 16 + place % 16] = 255 * SCALE
    clips = [pictures, np.concatenate([pictures[:1], pictures[1:-1][::-1], pictures[-1:]])]
    return clips if true == 0 else clips[::-1]


def pair_sample(number: int, leak: Leak = no_leak, certificate: str = "permutation", size: int = 0) -> Sample:
    """A pair whose first clip shows alternative `true`; `size` is by how many bytes that of alternative 0 is longer."""
    source = np.random.default_rng([5, number])
    true = int(source.integers(2))
    asks, kind = int(source.integers(2)), ("yes_no", "choice")[number % 2]
    asked = []
    for question, alternative in (("first", asks), ("second", 1 - asks)):
        keys = tuple(int(alternative != shown) for shown in (true, 1 - true))
        words = ("faster at first", "slower at first")
        options = ("yes", "no") if kind == "yes_no" else (words[alternative], words[1 - alternative])
        text = f"Is it {words[alternative]}?" if kind == "yes_no" else "How does it go?"
        asked.append(Asked(question, kind, text, text, options, alternative, keys))
    pictures = leak([one.copy() for one in pair_of_pictures(source, true)], true)
    rows = [clip_features(f"item {number}", clip, its) for clip, its in enumerate(pictures)]
    features = {name: np.array([row[name] for row in rows]) for name in rows[0]}
    bytes_of_both = int(source.integers(20_000, 90_000))
    features["file"] = np.array(
        [[bytes_of_both + size * (clip == true), FRAMES, float(clip + 1)] for clip in range(2)], dtype=np.float64
    )
    return Sample(f"item {number}", "speed", certificate, "there", False, tuple(asked), features, None, (), ())


def single_sample(number: int, options: Sequence[str], right: int, picture: float = 0.0) -> Sample:
    source = np.random.default_rng([6, number])
    text = "Which way does it go?"
    asked = Asked("which", "choice", text, text, tuple(options), None, (right,))
    plain = source.normal(size=(1, 8))
    features = {reader: plain + picture for reader in PROBES.values() if reader}
    return Sample(f"item {number}", "direction", None, "direction", False, (asked,), features, None, (), ())


def found(report: Report) -> set[str]:
    """The probes that have a finding."""
    return {probe.probe for probe in report.probes if probe.is_finding}


def report_of(count: int, **chosen: Any) -> Report:
    return report_on([pair_sample(number, **chosen) for number in range(count)])


def test_a_clean_set_of_pairs_has_no_finding_and_order_tells() -> None:
    report = report_of(40)
    assert report.findings == () and report.tests > 0
    by_name = {probe.probe: probe.reading for probe in report.probes}
    for probe in ("blind", "first frame", "last frame", "bag of frames"):
        reading = by_name[probe]
        assert (reading.accuracy, reading.instance, reading.p, reading.is_decided) == (0.5, 0.0, 1.0, True)
    assert by_name[CONTROL].accuracy > 0.9 and by_name[CONTROL].p < 0.01
    assert not any(probe.is_finding for probe in report.probes if probe.probe == CONTROL)


@pytest.mark.parametrize(
    ("chosen", "probe"),
    [
        ({"leak": brighter(0)}, "first frame"),
        ({"leak": brighter(-1)}, "last frame"),
        ({"leak": brighter_throughout}, "random frame"),
        ({"leak": one_frame_more_often}, "bag of frames"),
        ({"leak": lighter}, "shuffled frames"),
        ({"size": 300}, "file"),
    ],
)
def test_a_planted_leak_is_found_by_its_probe(chosen: dict[str, Any], probe: str) -> None:
    report = report_of(40, **chosen)
    assert probe in found(report)
    line = next(finding for finding in report.findings if repr(probe) in finding)
    assert line.startswith("speed, permutation: ") and "Acc" in line and "40 items" in line
    if probe in ("first frame", "last frame", "file"):
        assert not {"blind", "random frame"} & found(report)


def test_matched_pairs_may_differ_as_they_state_but_not_in_their_ends() -> None:
    report = report_of(40, leak=one_frame_more_often, certificate="matched")
    bag = next(probe for probe in report.probes if probe.probe == "bag of frames")
    assert bag.reading.accuracy > 0.8 and bag.holm is None and report.findings == ()
    assert found(report_of(40, leak=brighter(0), certificate="matched")) == {"first frame"}


def test_a_telling_text_is_found_by_the_blind_probe_and_as_a_lean() -> None:
    samples = []
    for number in range(80):
        right = random.Random(number).randrange(4)
        options = [f"to the {side}" for side in random.Random(-number).sample(["left", "right", "top", "end"], 4)]
        options[right] += ", definitely"
        samples.append(single_sample(number, options, right))
    report = report_on(samples)
    assert "blind" in found(report)
    assert any(finding.startswith("length 'the longest option'") for finding in report.findings)


def test_a_picture_that_tells_is_found_in_single_clips_with_four_options() -> None:
    options = ["left", "right", "up", "down"]
    samples = [
        single_sample(number, options, right, picture=3.0 * right)
        for number, right in enumerate(random.Random(3).choices(range(4), k=80))
    ]
    report = report_on(samples)
    assert {"first frame", "file"} <= found(report) and "blind" not in found(report)
    reading = next(probe.reading for probe in report.probes if probe.probe == "first frame")
    assert (reading.chance, reading.instance, reading.p_instance) == (0.25, None, None)


def test_keys_that_lean_are_found_by_wording_and_letter() -> None:
    samples = []
    for number in range(60):
        asked = Asked(
            "which", "yes_no", "Does it?", f"Does the {('red', 'blue')[number % 2]} one?", ("yes", "no"), None, (0,)
        )
        samples.append(replace(single_sample(number, ["a", "b"], 0), asked=(asked,)))
    kinds = {finding.partition(" '")[0] for finding in report_on(samples).findings}
    assert {"wording", "normalised wording", "letter"} <= kinds


def test_a_pair_counts_once_where_its_keys_balance_by_construction() -> None:
    leans = list(leaning_keys([pair_sample(number) for number in range(40)]))
    assert {lean.uses for lean in leans if lean.kind == "letter"} == {20}
    assert all(lean.uses <= 40 for lean in leans)


def test_colours_sides_and_numbers_are_taken_out_of_a_wording() -> None:
    assert normal_form("Do 2 red balls go Left for 1.5 s?") == "Do NUMBER COLOUR balls go SIDE for NUMBER s?"
    assert normal_form("Is the reddish upright lift 3rd?") == "Is the reddish upright lift 3rd?"
    assert wording_of("A ball.\n\nDoes it roll?\nA. yes\n\nEnd so.") == "Does it roll?\nA. yes"


def test_a_bag_of_frames_does_not_know_their_order() -> None:
    pictures = np.random.default_rng(1).integers(0, 256 * SCALE, (200, PARTS))
    shuffled = pictures[np.random.default_rng(2).permutation(200)]
    assert bag_of_frames(pictures).tobytes() == bag_of_frames(shuffled).tobytes()
    assert clip_features("a", 0, pictures)["shuffled frames"].tobytes() == (
        clip_features("a", 0, pictures)["shuffled frames"].tobytes()
    )


@pytest.mark.parametrize("is_pair", [True, False])
def test_without_a_shortcut_p_values_are_small_as_often_as_they_should_be(is_pair: bool) -> None:
    """A binomial test would be wrong here, since the folds learn from one another."""
    options = ["a", "b", "c"]
    samples = [pair_sample(number) if is_pair else single_sample(number, options, 0) for number in range(15)]
    rows = rows_of(samples)
    small = 0
    for run in range(40):
        source = np.random.default_rng([7, run])
        blind = [replace(one, features={"x": source.normal(size=(1 + is_pair, 3))}) for one in samples]
        drawn = replace(rows, right=(rows.right + source.integers(6, size=15)[rows.items]) % rows.options)
        small += read_group(blind, drawn, "x", 1000, seed=run).p <= 0.1
    # 4 are expected; more than 12 have a chance of 1 in 10,000.
    assert 1 <= small <= 12


# ---------------------------------------------------------------------------------------------------- on disk


@pytest.fixture(scope="module")
def speed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("shortcuts") / "set", 30)


@pytest.fixture
def folder(speed: Path, tmp_path: Path) -> Path:
    return shutil.copytree(speed, tmp_path / "set")


def written(folder: Path, count: int, **chosen: Any) -> Path:
    settings = family("speed").settings.model_validate({"resolution": 128, "fps": 12, "seconds": "4..6"} | chosen)
    request = Request((Part("speed", settings, count),), 12, sheets=False)
    write_dataset(folder, prepare(folder, request), workers=1)
    return folder


def test_pairs_of_speed_are_clean_and_said_so(speed: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    written = []
    for workers in ("1", "2"):
        out = tmp_path / f"{workers}.json"
        assert main(["shortcuts", str(speed), "--workers", workers, "--out", str(out)]) == 0
        printed = capsys.readouterr()
        assert printed.err == ""
        written.append((out.read_bytes(), printed.out))
    assert written[0] == written[1]
    said = written[0][1]
    assert "bag of frames" in said and said.splitlines()[-1].endswith("no shortcut found")
    assert "'open' of 30 items is left out" in said
    report = json.loads(written[0][0])
    excuses = {probe["probe"]: probe["excuse"] for probe in report["probes"] if probe["excuse"]}
    assert excuses == {"decoded last": "coding", "decoded bag": "coding", CONTROL: "order"}
    assert report["findings"] == [] and report["certificates"] == {"permutation": 30}
    assert str(tmp_path) not in written[0][0].decode()
    bag = next(probe for probe in report["probes"] if probe["probe"] == "bag of frames")
    assert bag["reading"]["instance"] == 0.0 and bag["reading"]["accuracy"] == 0.5
    assert report["alike"][0]["greatest_difference"] == 0.0 and report["alike"][0]["least_shared"] == 1.0


def test_files_whose_size_tells_are_found(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def change(items: list[Any]) -> None:
        for item in items:
            question = item["questions"][0]
            for clip, key in zip(item["clips"], question["keys"], strict=True):
                if (key in ("yes", "A")) == (question["about"]["asks"] == 0):
                    path = folder / clip["file"]
                    path.write_bytes(path.read_bytes() + (40).to_bytes(4, "big") + b"free" + bytes(32))
                    clip["sha256"] = hashlib.sha256(path.read_bytes()).hexdigest()

    edit_items(folder, change)
    assert main(["shortcuts", str(folder), "--workers", "1"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1].endswith("1 finding") and "the probe 'file' reads the answers of 30 items" in lines[-2]


def test_a_certificate_that_the_frames_do_not_bear_out_is_found(folder: Path) -> None:
    def change(items: list[Any]) -> None:
        first, second, *rest = items
        first["clips"][1]["plan"] |= {"rests": [7, 7, 7], "out": 20, "back": first["clips"][1]["frames"] - 41}
        second["pair"]["certificate"] = "certain"
        rest[0]["clips"][1]["plan"] = rest[0]["clips"][0]["plan"]

    edit_items(folder, change)
    lines = find_shortcuts(folder).findings
    assert len(lines) == 3
    for line, said in zip(
        lines, ("claims a permutation, and ", "'certain', which is none of", "are the same"), strict=True
    ):
        assert said in line


def test_with_independent_frames_the_videos_are_looked_at(tmp_path: Path) -> None:
    folder = written(tmp_path / "set", 2, independent_frames=True)
    samples = [sample_of(folder, item) for item in read_items(folder)]
    assert all(one.problems == () and one.is_independent for one in samples)
    assert all((one.features["decoded bag"][0] == one.features["decoded bag"][1]).all() for one in samples)
    assert find_shortcuts(folder).findings == ()
    first, second = (item["clips"] for item in map(json.loads, (folder / "items.jsonl").read_text().splitlines()))
    shutil.copy(folder / second[0]["file"], folder / first[0]["file"])
    (finding,) = find_shortcuts(folder).findings
    assert "decoded frames of one video are not in the other" in finding


def test_what_cannot_be_looked_into_is_refused_in_one_line(
    folder: Path,
    small_dataset: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def said(*words: Any) -> str:
        assert main(["shortcuts", *map(str, words)]) == 2
        printed = capsys.readouterr()
        assert printed.out == "" and len(printed.err.splitlines()) == 1
        return printed.err

    assert "is no dataset" in said(tmp_path / "nowhere")
    assert "no yes/no question and none with options" in said(small_dataset, "--workers", "1")
    assert "would overwrite" in said(folder, "--out", folder / "items.jsonl")
    edit_items(folder, lambda items: items[0]["questions"][0].update(keys=["yes", "yes"]))
    assert "run python -m verifier check" in said(folder, "--workers", "2")
    (folder / "items.jsonl").rename(folder / "items.jsonl.part")
    assert "is not complete" in said(folder)
    monkeypatch.setattr("verifier.shortcuts.PACKAGES", {"nothing_of_this_name": "scikit-learn"})
    assert "python -m pip install scikit-learn" in said(folder)


def test_a_missing_video_is_refused_in_one_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    next(iter((folder / "videos").iterdir())).unlink()
    assert main(["shortcuts", str(folder), "--workers", "1"]) == 2
    assert "is missing" in capsys.readouterr().err
