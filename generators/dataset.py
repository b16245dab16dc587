"""Datasets on disk: written atomically, resumable after a kill, the same bytes with any number of workers."""

import hashlib
import json
import multiprocessing
import os
import signal
import subprocess
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, ValidationError

from generators.errors import InputError
from generators.family import family
from generators.item import Item, Plan, Record
from generators.randomness import fresh_seed
from generators.sampling import make_item, plans_of
from generators.settings import ClipSettings

MANIFEST = "manifest.json"
ITEMS = "items.jsonl"
VIDEOS = "videos"
SHEETS = "sheets"
UNFINISHED = ".part"
"""What ends the name of a file that is still being written; `items.jsonl.part` grows until the set is complete."""

PACKAGES = ("av", "numpy", "pillow", "pydantic")
"""The packages that have a say in the bytes of a set."""


class Manifest(Record):
    """manifest.json: how the set was made."""

    schema_: Literal[1] = Field(alias="schema")
    family: str | None
    set: str | None
    family_version: int
    settings: dict[str, Any]
    root_seed: str = Field(pattern=r"^[0-9]+$")
    items: int = Field(ge=1)
    sheets: bool
    generator_version: str
    git_commit: str | None
    git_dirty: bool | None
    packages: dict[str, str]
    renderer: str
    encoder: dict[str, str]

    def to_text(self) -> str:
        return json.dumps(self.model_dump(mode="json", by_alias=True), indent=2) + "\n"


@dataclass(frozen=True, slots=True)
class Request:
    """What to make: a family, its settings, how many items, from which root seed, with contact sheets or not."""

    family: str
    settings: ClipSettings
    count: int
    root_seed: int
    sheets: bool = True
    renderer: str = "cpu"

    def manifest(self) -> Manifest:
        from generators.rendering.video import encoder_description

        commit, is_dirty = _git_state()
        return Manifest(
            schema=1,
            family=self.family,
            set=None,
            family_version=family(self.family).version,
            settings=self.settings.to_json(),
            root_seed=str(self.root_seed),
            items=self.count,
            sheets=self.sheets,
            generator_version=generator_version(),
            git_commit=commit,
            git_dirty=is_dirty,
            packages={name: version(name) for name in PACKAGES},
            renderer=self.renderer,
            encoder=encoder_description(),
        )


def generator_version() -> str:
    """The installed version of proofreel, or "source" where it runs from a folder that was never installed."""
    try:
        return version("proofreel")
    except PackageNotFoundError:
        return "source"


@cache
def _git_state() -> tuple[str | None, bool | None]:
    """(commit, whether files differ from it) of the source's own checkout; nothing where there is none."""
    root = Path(__file__).resolve().parent.parent
    if not (root / ".git").exists():
        return None, None
    try:
        commit, status = (
            subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=True, timeout=10)  # noqa: S603, S607
            for words in (["rev-parse", "HEAD"], ["status", "--porcelain", "--untracked-files=no"])
        )
    except (OSError, subprocess.SubprocessError):
        return None, None
    return commit.stdout.strip(), bool(status.stdout.strip())


def read_manifest(folder: Path) -> Manifest:
    """The manifest of a dataset. Raises InputError where there is none or it cannot be read."""
    path = folder / MANIFEST
    try:
        return Manifest.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        raise InputError(f"{folder} is no dataset: it has no {MANIFEST}; make one with python -m generators") from None
    except ValidationError as error:
        raise InputError(f"{path} cannot be read: {first_problem(error)}") from None


def first_problem(error: ValidationError) -> str:
    """The first of pydantic's complaints as "where: what"."""
    problem = error.errors(include_url=False)[0]
    where = ".".join(str(part) for part in problem["loc"])
    return f"{where}: {problem['msg']}" if where else problem["msg"]


def read_items(folder: Path) -> Iterator[Item]:
    """The items of a complete dataset, one at a time. Raises InputError naming the line that cannot be read."""
    path = folder / ITEMS
    if not path.exists():
        unfinished = path.with_name(ITEMS + UNFINISHED).exists()
        raise InputError(
            f"{folder} is not complete: run the command that made it again to finish it"
            if unfinished
            else f"{folder} is no dataset: it has no {ITEMS}"
        )
    with path.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            try:
                yield Item.model_validate_json(line)
            except ValidationError as error:
                raise InputError(f"{path}, line {number}: {first_problem(error)}") from None


@contextmanager
def atomically(path: Path) -> Iterator[Path]:
    """A temporary path beside `path`: synced to disk and renamed into place when the block ends well, else removed."""
    # The process's number keeps a worker that outlived its killed parent from writing into our file.
    unfinished = path.with_name(f"{path.name}.{os.getpid()}{UNFINISHED}")
    try:
        yield unfinished
        with unfinished.open("rb") as file:
            os.fsync(file.fileno())
        unfinished.replace(path)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise


def write_clips(item: Item, folder: Path, *, sheet: bool) -> Item:
    """Draw and encode the item's clips (and its contact sheet); the item with its files' names and hashes."""
    from generators.rendering.video import encode

    kind = family(item.family)
    settings = kind.settings.model_validate(item.provenance.settings)
    clips = []
    for number, clip in enumerate(item.clips):
        name = item.id if len(item.clips) == 1 else f"{item.id}-{number + 1}"
        path = folder / VIDEOS / f"{name}.mp4"
        with atomically(path) as unfinished:
            encode(kind.scene(clip.plan, settings), unfinished)
            digest = hashlib.sha256(unfinished.read_bytes()).hexdigest()
        clips.append(clip.model_copy(update={"file": f"{VIDEOS}/{path.name}", "sha256": digest}))
    if sheet:
        from generators.sheet import contact_sheet

        with atomically(folder / SHEETS / f"{item.id}.png") as unfinished:
            contact_sheet(kind, item).save(unfinished, format="PNG", compress_level=1)
    return item.model_copy(update={"clips": clips})


def _work(request: Request, folder: Path, index: int, plans: tuple[Plan, ...]) -> str:
    """One worker's task: item `index` made and written; its line."""
    item = make_item(family(request.family), request.settings, request.root_seed, index, plans)
    return write_clips(item, folder, sheet=request.sheets).to_line()


def prepare(folder: Path, request: Request) -> Request:
    """Make `folder` ready for the request, or find in it the set to go on with; the request with the set's root seed.

    `request.root_seed` below zero means none was given: a stored one is taken, else a fresh one.
    Raises InputError where the folder holds something else.
    """
    path = folder / MANIFEST
    if not path.exists():
        if folder.exists() and not folder.is_dir():
            raise InputError(f"{folder} is a file: choose another folder with --out")
        if folder.is_dir() and any(not entry.match(f"{MANIFEST}.*{UNFINISHED}") for entry in folder.iterdir()):
            raise InputError(f"{folder} is not empty and holds no dataset: choose another folder with --out")
        chosen = request if request.root_seed >= 0 else _with_seed(request, fresh_seed())
        # Everything that can be refused is refused before anything is written.
        next(plans_of(family(chosen.family), chosen.settings, chosen.root_seed, 1), None)
        _try_scene(chosen)
        for name in (VIDEOS, SHEETS) if chosen.sheets else (VIDEOS,):
            (folder / name).mkdir(parents=True, exist_ok=True)
        with atomically(path) as unfinished:
            unfinished.write_text(chosen.manifest().to_text(), encoding="utf-8")
        return chosen
    stored = read_manifest(folder)
    chosen = request if request.root_seed >= 0 else _with_seed(request, int(stored.root_seed))
    _refuse_other(folder, stored, chosen.manifest())
    for name in (VIDEOS, SHEETS) if chosen.sheets else (VIDEOS,):
        (folder / name).mkdir(exist_ok=True)
    return chosen


def _with_seed(request: Request, root_seed: int) -> Request:
    return Request(request.family, request.settings, request.count, root_seed, request.sheets, request.renderer)


def _try_scene(request: Request) -> None:
    """Raises InputError where the settings make no clip, before a folder is made for it."""
    kind = family(request.family)
    for _, plans in plans_of(kind, request.settings, request.root_seed, 1):
        for plan in plans:
            kind.scene(plan, request.settings)


def _refuse_other(folder: Path, stored: Manifest, asked: Manifest) -> None:
    """Raises InputError where going on would not give the set that an uninterrupted run gives."""
    for what, old, new in [
        *((name, stored.settings.get(name), asked.settings.get(name)) for name in stored.settings | asked.settings),
        ("family", stored.family, asked.family),
        ("family version", stored.family_version, asked.family_version),
        ("seed", stored.root_seed, asked.root_seed),
        ("count", stored.items, asked.items),
        ("sheets", stored.sheets, asked.sheets),
        ("renderer", stored.renderer, asked.renderer),
        ("encoder", stored.encoder, asked.encoder),
        ("generator version", stored.generator_version, asked.generator_version),
        ("packages", stored.packages, asked.packages),
    ]:
        if old != new:
            raise InputError(
                f"{folder} holds a set made with {what} {old}, and now {what} is {new}: "
                "choose another folder with --out, or ask for what it was begun with"
            )


def finished_lines(folder: Path, count: int) -> tuple[list[str], int]:
    """(ids, length in bytes) of the items already in the unfinished list, up to the first line that is not sound.

    A kill can leave a line cut off; it and whatever stands behind it are made again.
    """
    complete, unfinished = folder / ITEMS, folder / (ITEMS + UNFINISHED)
    path = complete if complete.exists() else unfinished
    ids: list[str] = []
    length = 0
    if path.exists():
        with path.open("rb") as lines:
            for line in lines:
                if not line.endswith(b"\n") or len(ids) == count or not _is_sound(folder, line, len(ids)):
                    break
                ids.append(json.loads(line)["id"])
                length += len(line)
    if path == complete and (len(ids) < count or length < complete.stat().st_size):
        complete.replace(unfinished)
    return ids, length


def _is_sound(folder: Path, line: bytes, index: int) -> bool:
    """Whether a line is item `index` and its files are there with the content that it names."""
    try:
        item = Item.model_validate_json(line)
    except ValidationError:
        return False
    if item.provenance.index != index:
        return False
    for clip in item.clips:
        path = folder / str(clip.file)
        if not path.is_file() or hashlib.sha256(path.read_bytes()).hexdigest() != clip.sha256:
            return False
    return True


def write_dataset(
    folder: Path, request: Request, workers: int, progress: Callable[[int], None] = lambda finished: None
) -> None:
    """Write the set that `prepare` made the folder ready for, or what is missing of it.

    `progress` is told how many items are finished, those of earlier runs included. Items are appended in order, each
    after its files are on disk; the list gets its final name when the last one is in.
    """
    with _locked(folder):
        _write_missing(folder, request, workers, progress)


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Keep a second process from writing the same set. Raises InputError where one already does."""
    with (folder / MANIFEST).open("rb") as file:
        try:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except ImportError:  # Windows has no such locks; there a second run is the user's own care.
            pass
        except BlockingIOError:
            raise InputError(
                f"{folder} is being written by another process: wait for it, or choose another --out"
            ) from None
        yield


def _write_missing(folder: Path, request: Request, workers: int, progress: Callable[[int], None]) -> None:
    ids, length = finished_lines(folder, request.count)
    progress(len(ids))
    if len(ids) == request.count and (folder / ITEMS).exists():
        _remove_strays(folder)
        return
    unfinished = folder / (ITEMS + UNFINISHED)
    with unfinished.open("ab") as file:
        file.truncate(length)
        kind = family(request.family)
        plans = plans_of(kind, request.settings, request.root_seed, request.count, len(ids), set(ids))
        for finished, line in enumerate(_lines(request, folder, plans, workers), len(ids) + 1):
            file.write(line.encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())
            progress(finished)
    _remove_strays(folder)
    unfinished.replace(folder / ITEMS)
    _sync_folder(folder)


def _lines(
    request: Request, folder: Path, plans: Iterable[tuple[int, tuple[Plan, ...]]], workers: int
) -> Iterator[str]:
    """The items' lines in order, made here or by worker processes that run a few items ahead."""
    if workers == 1:
        for index, plan in plans:
            yield _work(request, folder, index, plan)
        return
    # Workers are spawned, not forked: a fork would copy whatever threads and locks this process holds. This process
    # is one of them, so that it does not sit idle while they start.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers - 1, mp_context=context, initializer=_start_worker) as pool:
        window: deque[Future[str]] = deque()
        try:
            for index, plan in plans:
                under_way = sum(not future.done() for future in window)
                if under_way < 2 * (workers - 1):
                    window.append(pool.submit(_work, request, folder, index, plan))
                else:
                    done = Future[str]()
                    done.set_result(_work(request, folder, index, plan))
                    window.append(done)
                while window and (window[0].done() or len(window) > 4 * workers):
                    yield window.popleft().result()
            while window:
                yield window.popleft().result()
        except BrokenProcessPool:
            raise InputError(
                "a worker process was killed (out of memory, perhaps): run the same command again to go on, "
                "with fewer --workers"
            ) from None
        finally:
            pool.shutdown(cancel_futures=True)


def _start_worker() -> None:
    """Leave Ctrl-C to the parent, and die with it however it dies."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:

        def follow() -> None:
            parent.join()
            os._exit(1)

        threading.Thread(target=follow, daemon=True).start()


def _remove_strays(folder: Path) -> None:
    """Remove what a kill left behind: half-written files."""
    for name in (VIDEOS, SHEETS):
        for path in (folder / name).glob(f"*{UNFINISHED}"):
            path.unlink()
    for path in folder.glob(f"{MANIFEST}.*{UNFINISHED}"):
        path.unlink()


def _sync_folder(folder: Path) -> None:
    """Put the folder's own entries on disk, so that a rename outlives a power cut."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
