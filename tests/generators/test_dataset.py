"""A dataset on disk: the same bytes however it is made, and made whole again by the command that made it."""

import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from generators.dataset import missing_work, read_items
from generators.errors import InputError
from generators.manifest import Request, read_manifest, read_part
from tests.generators.command_line import ROOT, command, contents, environment, generate, generate_here, refused

ITEMS = 8
MAKE = ("--count", str(ITEMS // 2), "--reveal", "both", "--size", "2..4")


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an uninterrupted set."""
    folder = tmp_path_factory.mktemp("original") / "set"
    generate_here(*MAKE, "--workers", "1", "--out", str(folder))
    return folder


@pytest.fixture
def copied(original: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(original, tmp_path / "set"))


def made_again(folder: Path, workers: int = 1) -> dict[str, str]:
    """What the folder holds after the same command."""
    generate_here(*MAKE, "--workers", str(workers), "--out", str(folder))
    return contents(folder)


@pytest.mark.parametrize(("workers", "hash_seed"), [("1", "1"), ("2", "0"), ("3", "4242")])
def test_workers_and_hash_seed_do_not_change_a_byte(
    workers: str, hash_seed: str, original: Path, tmp_path: Path
) -> None:
    result = generate(*MAKE, "--out", "set", "--workers", workers, where=tmp_path, PYTHONHASHSEED=hash_seed)
    assert result.returncode == 0, result.stderr
    assert contents(tmp_path / "set") == contents(original)


def test_a_longer_set_begins_like_a_shorter_one(original: Path, tmp_path: Path) -> None:
    generate_here(*MAKE, "--count", str(ITEMS), "--out", str(tmp_path / "set"))
    longer = (tmp_path / "set" / "items.jsonl").read_bytes()
    assert longer.startswith((original / "items.jsonl").read_bytes())
    assert contents(original / "videos").items() <= contents(tmp_path / "set" / "videos").items()


def test_a_list_cut_off_anywhere_is_restored(copied: Path, original: Path) -> None:
    whole = (original / "items.jsonl").read_bytes()
    line_ends = [place for place, byte in enumerate(whole) if byte == ord("\n")]
    places = {0, 1, len(whole) - 1, line_ends[0], line_ends[0] + 1, line_ends[3] + 2}
    places |= set(random.Random(5).sample(range(len(whole)), 3))
    for place in sorted(places):
        for name in ("items.jsonl", "items.jsonl.part")[: 1 + place % 2]:
            (copied / "items.jsonl").unlink()
            (copied / name).write_bytes(whole[:place])
            assert made_again(copied) == contents(original), f"cut off after {place} bytes of {name}"


def change_line(number: int, change: Callable[[str], str]) -> Callable[[Path], None]:
    def change_file(folder: Path) -> None:
        lines = (folder / "items.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
        lines[number] = change(lines[number])
        (folder / "items.jsonl").write_text("".join(lines), encoding="utf-8")

    return change_file


def without_video(folder: Path) -> None:
    sorted((folder / "videos").iterdir())[2].unlink()


def without_sheet(folder: Path) -> None:
    sorted((folder / "sheets").iterdir())[2].unlink()


def without_videos(folder: Path) -> None:
    shutil.rmtree(folder / "videos")


def flip_a_bit(folder: Path) -> None:
    video = sorted((folder / "videos").iterdir())[5]
    data = bytearray(video.read_bytes())
    data[len(data) // 2] ^= 1
    video.write_bytes(data)


def empty_video(folder: Path) -> None:
    sorted((folder / "videos").iterdir())[0].write_bytes(b"")


def no_text(folder: Path) -> None:
    data = (folder / "items.jsonl").read_bytes()
    (folder / "items.jsonl").write_bytes(b"\xff" + data[1:])


def half_written(folder: Path) -> None:
    """What a kill leaves behind."""
    (folder / "videos" / "number-000000000000.mp4.99999999.part").write_bytes(b"half")
    (folder / "sheets" / "number-000000000000.png.99999999.part").write_bytes(b"half")
    (folder / "manifest.json.99999999.part").write_bytes(b"half")


def all_but_renamed(folder: Path) -> None:
    """Killed after the last item, before the list gets its final name."""
    half_written(folder)
    (folder / "items.jsonl").rename(folder / "items.jsonl.part")


DAMAGE: dict[str, Callable[[Path], None]] = {
    "a line removed": change_line(3, lambda line: ""),
    "the last line removed": change_line(-1, lambda line: ""),
    "a line with another index": change_line(2, lambda line: line.replace('"index":2', '"index":3')),
    "a line that is no JSON": change_line(3, lambda line: "what?\n"),
    "a line with another hash": change_line(3, lambda line: line.replace('"sha256":"', '"sha256":"0')),
    "a line with an altered key": change_line(3, lambda line: line.replace('"keys":[["', '"keys":[["x","')),
    "a line with an altered prompt": change_line(3, lambda line: line.replace("sliding puzzle", "puzzle")),
    "a line with another id": change_line(3, lambda line: line.replace('"id":"number-', '"id":"number-0')),
    "a line twice": change_line(3, lambda line: line + line),
    "a line too many": change_line(-1, lambda line: line + line),
    "a line's end missing": change_line(-1, lambda line: line.rstrip("\n")),
    "a byte that is no text": no_text,
    "no list": lambda folder: (folder / "items.jsonl").unlink(),
    "a video deleted": without_video,
    "all videos deleted": without_videos,
    "a video with a flipped bit": flip_a_bit,
    "an empty video": empty_video,
    "a sheet deleted": without_sheet,
    "half-written files": half_written,
    "half-written files and no final name": all_but_renamed,
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_the_same_command_restores_a_damaged_set(damage: str, copied: Path, original: Path) -> None:
    DAMAGE[damage](copied)
    assert contents(copied) != contents(original)
    assert made_again(copied) == contents(original)


def test_a_damaged_set_is_restored_by_several_workers(copied: Path, original: Path) -> None:
    flip_a_bit(copied)
    without_video(copied)
    assert made_again(copied, workers=3) == contents(original)


def test_what_is_sound_is_kept(copied: Path) -> None:
    """Only the damaged item and those behind it in the list are looked at again; none before it is made anew."""
    times = {path.name: path.stat().st_mtime_ns for path in (copied / "videos").iterdir()}
    first = json.loads((copied / "items.jsonl").read_text().splitlines()[0])["clips"][0]["file"]
    change_line(3, lambda line: "")(copied)
    made_again(copied)
    assert (copied / first).stat().st_mtime_ns == times[Path(first).name]


def test_a_second_process_on_the_same_folder_is_refused(tmp_path: Path) -> None:
    words = ("--count", "400", "--out", "set", "--no-sheet")
    first = subprocess.Popen(
        command("generators.number", "--seed", "3", *words),
        cwd=tmp_path,
        env=environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        while not (tmp_path / "set" / "items.jsonl.part").exists():
            assert first.poll() is None
        # The first is stopped, so that it cannot finish while the second starts.
        os.killpg(first.pid, 19)
        line = refused_without_settings("--seed", "3", *words, where=tmp_path)
        assert "set is being written by another process" in line
    finally:
        os.killpg(first.pid, 9)
        first.wait()


def refused_without_settings(*options: str, where: Path) -> str:
    """As `refused`, for a command that has said which set it works on before it is refused."""
    result = subprocess.run(
        command("generators.number", *options),
        cwd=where,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    announced, _, rest = result.stderr.partition("\n")
    assert announced.startswith("set: ")
    result.stderr = rest
    return refused(result)


def test_reading_an_unfinished_set_says_so(copied: Path) -> None:
    (copied / "items.jsonl").rename(copied / "items.jsonl.part")
    with pytest.raises(InputError, match="not complete: run the command that made it again"):
        next(read_items(copied))


def test_reading_what_is_no_set_says_so(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no dataset: it has no manifest\.json"):
        read_manifest(tmp_path)
    with pytest.raises(InputError, match=r"no dataset: it has no items\.jsonl"):
        next(read_items(tmp_path))


def test_reading_a_broken_line_names_it(copied: Path) -> None:
    change_line(4, lambda line: line.replace('"level":2', '"level":"2"'))(copied)
    items = read_items(copied)
    assert [next(items).provenance.index for _ in range(4)] == [0, 1, 2, 3]
    with pytest.raises(InputError, match=r"items\.jsonl, line 5: questions\.2\.level: should be a valid integer"):
        next(items)


def test_what_is_finished_is_not_made_again(copied: Path) -> None:
    manifest = read_manifest(copied)
    parts = tuple(read_part(record) for record in manifest.parts)
    count, length, work = missing_work(copied, Request(parts, int(str(manifest.root_seed))))
    assert (count, list(work)) == (ITEMS, [])
    assert length == (copied / "items.jsonl").stat().st_size


MEMORY = """
import resource, sys
from generators.family import family
from generators.sampling import Part, make_items
settings = family("number").settings.model_validate({"size": "2..6", "ops": "5..14"})
peaks = {}
for index, item in enumerate(make_items(Part("number", settings, 1000), 1)):
    item.to_line()
    peaks[index + 1] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(peaks[100], peaks[1000])
"""


def test_memory_does_not_grow_with_the_number_of_items() -> None:
    """From 100 to 1,000 items; a list of the items alone would take some 20 MB more."""
    result = subprocess.run(
        [sys.executable, "-c", MEMORY], cwd=ROOT, env=environment(), capture_output=True, text=True, check=True
    )
    at_100, at_1000 = map(int, result.stdout.split())
    unit = 1 if sys.platform == "darwin" else 1024
    assert (at_1000 - at_100) * unit < 6_000_000
