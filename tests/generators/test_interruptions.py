"""Killed at any moment, or out of space: the same command completes the set to the same bytes; nothing is left over."""

import os
import random
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.generators.command_line import QUICK, command, contents, environment, generate, generate_here

ITEMS = 10
MAKE = ("--count", str(ITEMS))


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What an uninterrupted run makes."""
    return completed(tmp_path_factory.mktemp("original") / "set")


def completed(folder: Path) -> dict[str, str]:
    """What the folder holds after the same command."""
    generate_here(*MAKE, "--workers", "1", "--out", str(folder))
    return contents(folder)


def start(where: Path, workers: int) -> subprocess.Popen[bytes]:
    """The command, running in a process group of its own."""
    return subprocess.Popen(
        command("generators.number", *QUICK, *MAKE, "--out", "set", "--workers", str(workers)),
        cwd=where,
        env=environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def wait_for_files(process: subprocess.Popen[bytes], folder: Path, files: int) -> None:
    """Until the folder holds so many files, or the process is done."""
    while process.poll() is None and sum(path.is_file() for path in folder.rglob("*")) < files:
        time.sleep(0.001)


MOMENTS = random.Random(20)


@pytest.mark.parametrize(
    ("victim", "workers", "files"),
    [
        ("group", 1, 0),
        ("group", 2, 2),
        ("group", 1, 7),
        ("group", 3, 12),
        ("group", 2, 2 * ITEMS),
        ("parent", 2, 1),
        ("parent", 2, 5),
        ("parent", 3, 9),
        ("parent", 2, 16),
    ],
)
def test_a_killed_run_is_completed_to_the_same_bytes(
    victim: str, workers: int, files: int, original: dict[str, str], tmp_path: Path
) -> None:
    """Killed as soon as there are so many files, and a random while later."""
    process = start(tmp_path, workers)
    wait_for_files(process, tmp_path / "set", files)
    time.sleep(MOMENTS.uniform(0, 0.03))
    if process.poll() is None:
        if victim == "group":
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    process.wait()
    wait_for_the_group_to_end(process.pid)
    assert completed(tmp_path / "set") == original


def wait_for_the_group_to_end(group: int) -> None:
    """Workers die with their parent, however it dies; half a minute is far more than they need to notice."""
    patience = time.monotonic() + 30
    while running := living(group):
        assert time.monotonic() < patience, f"processes {running} outlived their parent"
        time.sleep(0.01)


def living(group: int) -> list[str]:
    """The processes of a group that have not ended, read off /proc: a zombie has ended."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, its_group = stat.read_text().rpartition(")")[2].split()[:3]
        except OSError:  # It ended while we looked.
            continue
        if int(its_group) == group and state not in "ZX":
            found.append(stat.parent.name)
    return found


def test_a_run_killed_again_and_again_is_completed_to_the_same_bytes(original: dict[str, str], tmp_path: Path) -> None:
    interrupted = 0
    for files in (3, 8, 14):
        process = start(tmp_path, workers=2)
        wait_for_files(process, tmp_path / "set", files)
        if process.poll() is None:
            interrupted += 1
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    assert interrupted >= 2
    assert not (tmp_path / "set" / "items.jsonl").exists()
    assert completed(tmp_path / "set") == original


def test_control_c_stops_in_one_line_and_loses_nothing(original: dict[str, str], tmp_path: Path) -> None:
    # Without -W error: Ctrl-C inside Pillow leaves it to the interpreter to close its file, which is no one's mistake.
    process = subprocess.Popen(
        [sys.executable, "-m", "generators.number", *QUICK, *MAKE, "--out", "set", "--workers", "2"],
        cwd=tmp_path,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    wait_for_files(process, tmp_path / "set", 6)
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate()
    assert process.returncode == 130
    assert b"Traceback" not in errors
    assert errors.splitlines()[-1].startswith(b"generators.number: interrupted; the same command goes on")
    assert completed(tmp_path / "set") == original


EVERY_STEP = '''
"""Kill the command just before its first, second, third … operation on a file of the set, and run it again each time.

Prints the name of each operation before which it was killed. Forks, so that nothing is imported twice.
"""
import contextlib, os, pathlib, signal, sys
import av, numpy, PIL.Image, PIL.PngImagePlugin, rich.console, rich.progress, rich.table
import generators.number, generators.dataset, generators.sheet, generators.rendering.video
from generators.command import main

sys.path.insert(0, "")
EVENTS = ("open", "os.mkdir", "os.rename", "os.remove", "os.truncate", "os.rmdir", "subprocess.Popen")


def run(folder, kill_before):
    """Exit status of the command in a child; kill_before counts from 1, 0 lets it live."""
    child = os.fork()
    if child:
        return os.waitpid(child, 0)[1]
    steps = 0

    def count(event, arguments):
        nonlocal steps
        if event not in EVENTS or event != "subprocess.Popen" and folder not in str(arguments[0]):
            return
        if event == "open" and not arguments[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
            return
        steps += 1
        if steps == kill_before:
            os.write(1, f"{event}\\n".encode())
            os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(count)
    with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere):
        sys.stderr = nowhere
        try:
            main(["number", *sys.argv[1:], "--workers", "1", "--out", folder])
        except SystemExit as exit:
            os._exit(exit.code)


for step in range(1, 1000):
    folder = f"killed-{step}"
    if run(folder, step) != signal.SIGKILL:
        break
    assert run(folder, 0) == 0, f"the run after the kill before step {step} failed"
'''


def test_killed_before_every_single_file_operation(tmp_path: Path) -> None:
    """Each half-made set is completed to the bytes of the last one, which was not interrupted."""
    result = subprocess.run(
        [sys.executable, "-W", "error", "-c", EVERY_STEP, *QUICK, "--count", "2"],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    steps = result.stdout.split()
    assert {"open", "os.mkdir", "os.rename"} <= set(steps) and len(steps) > 8, steps
    whole = contents(tmp_path / f"killed-{len(steps) + 1}")
    assert len(whole) == 8
    for number, step in enumerate(steps, 1):
        assert contents(tmp_path / f"killed-{number}") == whole, f"killed before step {number}, {step}"


@contextmanager
def small_disk(folder: Path, size: str) -> Iterator[bool]:
    """A file system of `size` mounted at `folder`; False where mounting is not permitted."""
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)], capture_output=True, check=False
    )
    try:
        yield mounted.returncode == 0
    finally:
        if mounted.returncode == 0:
            subprocess.run(["umount", str(folder)], check=True)


def failed_in_one_line(result: subprocess.CompletedProcess[str]) -> str:
    announced, *lines = result.stderr.splitlines()
    assert result.returncode == 2, result.stderr
    assert "items, root seed" in announced
    assert len(lines) == 1, result.stderr
    return lines[0]


@pytest.mark.parametrize(("workers", "kibibytes"), [("1", 40), ("2", 80)])
def test_a_full_disk_is_one_line_and_loses_nothing(
    workers: str, kibibytes: int, original: dict[str, str], tmp_path: Path
) -> None:
    """On a small file system; where none can be mounted, under a limit for the size of a file."""
    where = tmp_path / "disk"
    with small_disk(where, f"{kibibytes}k") as is_mounted:
        if is_mounted:
            result = generate(*MAKE, "--out", "set", "--workers", workers, where=where)
            assert "No space left on device" in failed_in_one_line(result)
            subprocess.run(["mount", "-o", "remount,size=64m", str(where)], check=True)
        else:
            limited_files(where, workers, kibibytes * 50)
        assert completed(where / "set") == original


@pytest.mark.parametrize(("workers", "size"), [("1", 2_500), ("2", 2_500), ("1", 30_000)])
def test_files_that_may_not_grow_are_one_line_and_lose_nothing(
    workers: str, size: int, original: dict[str, str], tmp_path: Path
) -> None:
    """With the lesser limit no video can be written, with the greater one not the whole list of items."""
    limited_files(tmp_path, workers, size)
    assert completed(tmp_path / "set") == original


def limited_files(where: Path, workers: str, size: int) -> None:
    """Run the command with files of no more than `size` bytes, and see that it fails as it should."""
    result = subprocess.run(
        command("generators.number", *QUICK, *MAKE, "--out", "set", "--workers", workers),
        cwd=where,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)),
    )
    assert "File too large" in failed_in_one_line(result)


def test_a_failed_run_leaves_no_half_written_files(tmp_path: Path) -> None:
    limited_files(tmp_path, "1", 2_500)
    left = [path.name for path in (tmp_path / "set").rglob("*") if path.is_file()]
    assert sorted(left) == ["items.jsonl.part", "manifest.json"]
