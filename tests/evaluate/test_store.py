"""Runs are resumed with every question answered exactly once, and never mixed."""

import json
import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from evaluate.asking import every_question
from evaluate.running import run
from evaluate.store import REPLIES, RUN, open_store, read_replies, read_run
from generators.dataset import ITEMS
from generators.errors import InputError
from generators.manifest import MANIFEST

ROOT = Path(__file__).resolve().parents[2]


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def names(folder: Path) -> list[tuple[str, str, int]]:
    return [reply.name for _, reply in read_replies(folder)]


@pytest.fixture(scope="module")
def whole_run(small_set: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("run") / "whole"
    run(small_set, "random", folder, seed=5)
    return folder


def test_a_run_keeps_one_reply_a_question_in_the_form_that_the_verifier_scores(
    small_set: Path, whole_run: Path
) -> None:
    assert names(whole_run) == [asked.name for asked in every_question(small_set)]
    row = json.loads((whole_run / REPLIES).read_text().splitlines()[0])
    assert list(row) == ["item", "question", "clip", "model", "reply", "order", "key"]
    assert json.loads((whole_run / RUN).read_text()) == {
        "schema": 1,
        "model": "random",
        "dataset": str(small_set),
        "dataset_sha256": read_run(whole_run).dataset_sha256,
        "items": 12,
        "settings": {
            "seed": "5",
            "limit": None,
            "spec": None,
            "endpoint": None,
            "condition": "full",
            "fps": None,
            "frames": None,
            "frames_from": "video",
            "parameters": {},
        },
        "packages": {},
    }


def test_cut_off_at_any_byte_a_run_is_completed_to_the_same_bytes(
    small_set: Path, whole_run: Path, tmp_path: Path
) -> None:
    replies = (whole_run / REPLIES).read_bytes()
    ends = [place + 1 for place, byte in enumerate(replies) if byte == ord("\n")]
    chosen = random.Random(1)
    cuts = [0, 1, len(replies), len(replies) - 1, *chosen.sample(range(len(replies)), 30)]
    for end in chosen.sample(ends, 4):
        cuts += [end - 1, end, min(end + 1, len(replies))]
    for cut in cuts:
        (tmp_path / RUN).write_bytes((whole_run / RUN).read_bytes())
        (tmp_path / REPLIES).write_bytes(replies[:cut])
        began: list[int] = []
        run(small_set, "random", tmp_path, progress=lambda items, kept, began=began: began.append(kept))  # type: ignore[misc]
        assert began[0] == sum(end <= cut for end in ends)
        assert contents(tmp_path) == contents(whole_run), cut


def test_what_a_power_cut_left_of_the_last_line_is_dropped(small_set: Path, whole_run: Path, tmp_path: Path) -> None:
    (tmp_path / RUN).write_bytes((whole_run / RUN).read_bytes())
    (tmp_path / REPLIES).write_bytes(b"".join((whole_run / REPLIES).read_bytes().splitlines(True)[:9]) + b"\0" * 4096)
    run(small_set, "random", tmp_path)
    assert contents(tmp_path) == contents(whole_run)


def test_killed_again_and_again_a_run_asks_every_question_once(make_set: Any, tmp_path: Path) -> None:
    dataset, folder, reference = make_set(150, size="3", reveal="both"), tmp_path / "killed", tmp_path / "whole"
    run(dataset, "static", reference)
    total = (reference / REPLIES).stat().st_size
    command = [sys.executable, "-m", "evaluate", "run", str(dataset), "--model", "static", "--out", str(folder)]
    chosen, killed, kept = random.Random(3), 0, 0
    for part in (0.0, 0.1, 0.3, 0.5, 0.8):
        process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while process.poll() is None:
            if (folder / REPLIES).exists() and (folder / REPLIES).stat().st_size > part * total:
                time.sleep(chosen.random() * 0.005)
                process.send_signal(signal.SIGKILL)
                break
        killed += process.wait() == -signal.SIGKILL
        if folder.exists():
            now = (folder / REPLIES).read_bytes()
            # Nothing that was there before the kill is lost or changed by the run that follows.
            assert (reference / REPLIES).read_bytes().startswith(now[: now.rfind(b"\n") + 1])
            assert len(now) >= kept
            kept = now.rfind(b"\n") + 1
    assert killed
    assert subprocess.run(command, cwd=ROOT, capture_output=True, check=False).returncode == 0
    assert contents(folder) == contents(reference)


def test_a_reply_outlives_the_process_as_soon_as_it_is_appended(small_set: Path, tmp_path: Path) -> None:
    for kept in range(3):
        interrupted = False

        def stop(items: int, replies: int, after: int = kept) -> None:
            if replies > after:
                raise KeyboardInterrupt

        try:
            run(small_set, "oracle", tmp_path, progress=stop)
        except KeyboardInterrupt:
            interrupted = True
        assert interrupted
        assert len(names(tmp_path)) == kept + 1


def test_a_finished_run_asks_nothing_again(small_set: Path, whole_run: Path) -> None:
    before = contents(whole_run)
    seen: list[tuple[int, int]] = []
    run(small_set, "random", whole_run, progress=lambda items, replies: seen.append((items, replies)))
    assert seen == [(12, 72)]
    assert contents(whole_run) == before


def test_a_limit_can_be_raised_but_not_lowered(small_set: Path, whole_run: Path, tmp_path: Path) -> None:
    run(small_set, "random", tmp_path, seed=5, limit=2)
    assert len(names(tmp_path)) == 12
    with pytest.raises(InputError, match="--limit can be raised but not lowered to 1"):
        run(small_set, "random", tmp_path, limit=1)
    run(small_set, "random", tmp_path, limit=3)
    assert len(names(tmp_path)) == 18
    run(small_set, "random", tmp_path)
    assert contents(tmp_path) == contents(whole_run)


def test_runs_are_not_mixed(small_set: Path, make_set: Any, whole_run: Path) -> None:
    before = contents(whole_run)
    for dataset, model, seed, complaint in (
        (small_set, "oracle", None, "model random, not oracle"),
        (small_set, "random", 6, "seed 5, not 6"),
        (make_set(12, seed=8), "random", None, "dataset"),
    ):
        with pytest.raises(InputError, match=f"holds a run with {complaint}.*--out"):
            run(dataset, model, whole_run, seed)
    assert contents(whole_run) == before


def test_a_dataset_that_moved_is_the_same_one(small_set: Path, tmp_path: Path) -> None:
    run(small_set, "oracle", tmp_path / "run", limit=1)
    moved = tmp_path / "moved"
    moved.mkdir()
    for name in (MANIFEST, ITEMS):
        (moved / name).write_bytes((small_set / name).read_bytes())
    run(moved, "oracle", tmp_path / "run")
    assert read_run(tmp_path / "run").dataset == str(moved)
    assert len(names(tmp_path / "run")) == 72


def test_one_writer_at_a_time(small_set: Path, tmp_path: Path) -> None:
    with open_store(tmp_path), pytest.raises(InputError, match="written by another process"):
        run(small_set, "oracle", tmp_path)
    run(small_set, "oracle", tmp_path, limit=1)


def test_a_folder_that_holds_something_else_is_left_alone(small_set: Path, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(InputError, match="is not empty and holds no run"):
        run(small_set, "oracle", tmp_path)
    with pytest.raises(InputError, match="is a file"):
        run(small_set, "oracle", tmp_path / "notes.txt")
    assert contents(tmp_path) == {"notes.txt": b"mine"}


@pytest.mark.parametrize("change", ["swap", "remove"])
def test_rows_may_stand_in_any_order_and_what_is_not_there_is_asked_again(
    small_set: Path, whole_run: Path, tmp_path: Path, change: str
) -> None:
    lines = (whole_run / REPLIES).read_bytes().splitlines(keepends=True)
    if change == "swap":
        lines[3], lines[40] = lines[40], lines[3]
    else:
        del lines[3]
    (tmp_path / RUN).write_bytes((whole_run / RUN).read_bytes())
    (tmp_path / REPLIES).write_bytes(b"".join(lines))
    run(small_set, "random", tmp_path)
    assert len((tmp_path / REPLIES).read_bytes().splitlines()) == 72
    assert [reply for _, reply in read_replies(tmp_path)] == [reply for _, reply in read_replies(whole_run)]


@pytest.mark.parametrize("change", ["swapped replies", "repeat", "foreign", "other key", "beyond", "scribble"])
def test_replies_that_were_changed_by_hand_are_not_added_to(
    small_set: Path, whole_run: Path, tmp_path: Path, change: str
) -> None:
    lines = (whole_run / REPLIES).read_bytes().splitlines(keepends=True)[:20]
    match change:
        case "swapped replies":
            lines[3] = re.sub(rb'"order":3', b'"order":12', lines[3])
            del lines[12]
        case "repeat":
            lines.insert(3, lines[2])
        case "other key":
            lines[3] = re.sub(rb'"key":"....', b'"key":"0000', lines[3])
        case "beyond":
            lines[3] = re.sub(rb'"order":3', b'"order":72', lines[3])
        case "foreign":
            lines[3] = lines[3].replace(b"number-", b"letter-")
        case "scribble":
            lines[3] = b"{}\n"
    (tmp_path / RUN).write_bytes((whole_run / RUN).read_bytes())
    (tmp_path / REPLIES).write_bytes(b"".join(lines))
    with pytest.raises(InputError, match=r"replies\.jsonl, line 4: "):
        run(small_set, "random", tmp_path)
    assert (tmp_path / REPLIES).read_bytes() == b"".join(lines)


def test_odd_replies_come_back_as_they_were(small_set: Path, tmp_path: Path) -> None:
    odd = ['line\nbreak\r\n"quoted" \\ back', "\u2028 \x00 \x1b[31m | ```", "", "𝔘nicode ✓"]
    questions = list(every_question(small_set))
    with open_store(tmp_path) as store:
        for asked, reply in zip(questions, [*odd, None], strict=False):
            store.append(asked, "odd\nmodel", reply)
    assert [reply.reply for _, reply in read_replies(tmp_path)] == [*odd, None]


def test_memory_does_not_grow_with_the_number_of_items(make_set: Any, tmp_path: Path) -> None:
    script = (
        "import sys, resource, pathlib; from evaluate.running import run; "
        "run(pathlib.Path(sys.argv[1]), 'oracle', pathlib.Path(sys.argv[2])); "
        "run(pathlib.Path(sys.argv[1]), 'oracle', pathlib.Path(sys.argv[2])); "
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    )
    peaks = []
    for count in (20, 600):
        arguments = [sys.executable, "-c", script, str(make_set(count)), str(tmp_path / str(count))]
        peaks.append(int(subprocess.run(arguments, cwd=ROOT, capture_output=True, check=True, text=True).stdout))
    assert peaks[1] < peaks[0] * 1.1
