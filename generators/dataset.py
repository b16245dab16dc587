"""Datasets on disk: written atomically, resumable after a kill, the same bytes with any number of workers."""

import hashlib
import importlib
import multiprocessing
import multiprocessing.context
import os
import signal
import sys
import threading
import time
import warnings
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import IO, Any

from pydantic import ValidationError

from generators.errors import InputError
from generators.family import family
from generators.item import Item
from generators.manifest import MANIFEST, Manifest, PartRecord, Request, read_manifest
from generators.randomness import fresh_seed
from generators.sampling import Draft, Part, make_item
from generators.settings import ClipSettings, first_problem

ITEMS = "items.jsonl"
VIDEOS = "videos"
SHEETS = "sheets"
UNFINISHED = ".part"
"""What ends the name of a file that is still being written; `items.jsonl.part` grows until the set is complete."""

QUICKLY_DRAFTED = 2_000
"""So many plans are drawn in a moment, to find out before anything is written whether there are enough of them."""

LOCK_PATIENCE = 2.0
"""Seconds to wait for a set that another process is writing."""


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


def clip_names(item: Item) -> list[str]:
    """The file names of an item's clips."""
    if len(item.clips) == 1:
        return [f"{item.id}.mp4"]
    return [f"{item.id}-{number}.mp4" for number in range(1, len(item.clips) + 1)]


def write_clips(
    item: Item, folder: Path, *, sheet: bool, renderer: str = "cpu", device_index: int | None = None
) -> Item:
    """Draw and encode the item's clips (and its contact sheet); the item with its files' names and hashes."""
    from generators.rendering import scene_of
    from generators.rendering.renderers import Renderer, with_fallback
    from generators.rendering.video import encode, pad_to_equal_size
    from generators.sheet import Strip, contact_sheet

    kind = family(item.family)
    settings = kind.settings.model_validate(item.provenance.settings)
    names = clip_names(item)
    with ExitStack() as stack:
        unfinished = [stack.enter_context(atomically(folder / VIDEOS / name)) for name in names]

        def write(painting: Renderer) -> list[Strip]:
            scenes = [scene_of(item, clip) for clip in item.clips]
            strips = [Strip(clip, scene) for clip, scene in zip(item.clips, scenes, strict=True)]
            for path, scene, strip in zip(unfinished, scenes, strips, strict=True):
                watch = {"watch": strip.take} if sheet else {}
                encode(scene, path, independent_frames=settings.independent_frames, renderer=painting, **watch)
            return strips

        strips = with_fallback(Renderer(renderer, device_index), write)
        pad_to_equal_size(unfinished)
        digests = [hashlib.sha256(path.read_bytes()).hexdigest() for path in unfinished]
    clips = [
        clip.model_copy(update={"file": f"{VIDEOS}/{name}", "sha256": digest})
        for name, clip, digest in zip(names, item.clips, digests, strict=True)
    ]
    if sheet:
        with atomically(folder / SHEETS / f"{item.id}.png") as picture:
            contact_sheet(item, strips).save(picture, format="PNG", compress_level=1)
    return item.model_copy(update={"clips": clips})


def _make(request: Request, part: Part, draft: Draft) -> Item:
    assert request.root_seed is not None
    return make_item(part, request.root_seed, draft, shows_seed=not request.is_committed)


def _work(request: Request, folder: Path, part: Part, draft: Draft) -> str:
    """One worker's task: an item made and written; its line."""
    item = _make(request, part, draft)
    return write_clips(
        item, folder, sheet=request.sheets, renderer=request.renderer, device_index=request.device_index
    ).to_line()


def prepare(folder: Path, request: Request) -> Request:
    """Make `folder` ready for the request, or find in it the set to go on with; the request with the set's root seed.

    Raises InputError where the folder holds something else, or the request can make nothing.
    """
    path = folder / MANIFEST
    if not path.exists():
        if folder.exists() and not folder.is_dir():
            raise InputError(f"{folder} is a file: choose another folder with --out")
        if folder.is_dir() and any(not entry.match(f"{MANIFEST}.*{UNFINISHED}") for entry in folder.iterdir()):
            raise InputError(f"{folder} is not empty and holds no dataset: choose another folder with --out")
        chosen = request if request.root_seed is not None else replace(request, root_seed=fresh_seed())
        # Everything that can be refused is refused before anything is written.
        for part, draft in replace(chosen, parts=tuple(part.sample() for part in chosen.parts)).drafts():
            for plan in draft.plans:
                family(part.family).scene(plan, part.settings)
        if chosen.items <= QUICKLY_DRAFTED and not any(part.selection.condition(0) for part in chosen.parts):
            deque(chosen.drafts(), maxlen=0)
        manifest = chosen.manifest()
        folder.mkdir(parents=True, exist_ok=True)
        # The manifest comes first: a kill leaves a folder that is empty or that says what it is for.
        with atomically(path) as unfinished:
            unfinished.write_text(manifest.to_text(), encoding="utf-8")
        _make_folders(folder, chosen)
        return chosen
    stored = read_manifest(folder)
    if request.root_seed is None and stored.root_seed is None:
        raise InputError(f"{folder} was made with a committed seed: give it with --seed to go on")
    chosen = request if request.root_seed is not None else replace(request, root_seed=int(str(stored.root_seed)))
    _refuse_other(folder, stored, chosen.manifest())
    _make_folders(folder, chosen)
    return chosen


def _make_folders(folder: Path, request: Request) -> None:
    for name in (VIDEOS, SHEETS) if request.sheets else (VIDEOS,):
        (folder / name).mkdir(parents=True, exist_ok=True)


OPTIONS = {"plans": "count", "version": "family version", "root_seed": "seed"}
"""What a user calls a field of the manifest."""


def _refuse_other(folder: Path, stored: Manifest, asked: Manifest) -> None:
    """Raises InputError where going on would not give the set that an uninterrupted run gives."""
    plain = ClipSettings.model_fields["look"].default
    differences: list[tuple[str, Any, Any]] = [("family", stored.family, asked.family), ("set", stored.set, asked.set)]
    if stored.set is not None and asked.set == stored.set:
        # What a user typed, and not how it was shared out among the parts.
        before, now = (sum(part.plans for part in one.parts) for one in (stored, asked))
        differences.append(("count", before, now))
    for old, new in zip(stored.parts, asked.parts, strict=False):
        names = sorted({*old.settings, *new.settings} - {"look"})
        differences.append(("look", *(one.settings.get("look", plain) for one in (old, new))))
        differences += [(name, old.settings.get(name), new.settings.get(name)) for name in names]
        differences += [
            (OPTIONS.get(name, name), getattr(old, name), getattr(new, name)) for name in PartRecord.model_fields
        ]
    differences += [
        (OPTIONS.get(name, name.replace("_", " ")), getattr(stored, name), getattr(asked, name))
        for name in Manifest.model_fields
        if name not in ("git_commit", "git_dirty")
    ]
    if (stored.root_seed is None) != (asked.root_seed is None):
        has = "a committed seed" if stored.root_seed is None else "a seed that is told"
        raise InputError(
            f"{folder} holds a set with {has}: go on {'with' if stored.root_seed is None else 'without'} --commit"
        )
    for what, before, now in differences:
        if before != now:
            raise InputError(
                f"{folder} holds a set made with {what} {before}, and now {what} is {now}: "
                "choose another folder with --out, or ask for what it was begun with"
            )


Work = Iterator[tuple[Part, Draft]]


def missing_work(folder: Path, request: Request) -> tuple[int, int, Work]:
    """(items finished, bytes of their lines, what is left to make) of a set in which a run may have been cut off.

    A line counts where it is, to the letter, what this request makes at its place, and its files are there with the
    content that it names; whatever stands behind the first one that does not count is made again.
    """
    complete, unfinished = folder / ITEMS, folder / (ITEMS + UNFINISHED)
    path = complete if complete.exists() else unfinished
    count = length = 0
    work = request.drafts()
    if path.exists():
        with path.open("rb") as lines:
            for part, draft in work:
                line = lines.readline()
                if not _is_finished(folder, request, part, draft, line):
                    work = chain([(part, draft)], work)
                    break
                count, length = count + 1, length + len(line)
    if path == complete and (count < request.items or length < complete.stat().st_size):
        complete.replace(unfinished)
    return count, length, work


def _is_finished(folder: Path, request: Request, part: Part, draft: Draft, line: bytes) -> bool:
    try:
        stored = Item.model_validate_json(line)
    except ValidationError:
        return False
    item = _make(request, part, draft)
    if len(stored.clips) != len(item.clips):
        return False
    named = [
        clip.model_copy(update={"file": f"{VIDEOS}/{name}", "sha256": old.sha256})
        for name, clip, old in zip(clip_names(item), item.clips, stored.clips, strict=True)
    ]
    if item.model_copy(update={"clips": named}).to_line().encode() + b"\n" != line:
        return False
    if request.sheets and not _is_whole_png(folder / SHEETS / f"{item.id}.png"):
        return False
    paths = [(folder / VIDEOS / name, clip.sha256) for name, clip in zip(clip_names(item), named, strict=True)]
    return all(path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() == sha256 for path, sha256 in paths)


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
        # Workers of a run that was just killed hold its lock for the moment that they take to notice.
        deadline = time.monotonic() + LOCK_PATIENCE
        while not _lock(file):
            if time.monotonic() > deadline:
                raise InputError(f"{folder} is being written by another process: wait for it, or choose another --out")
            time.sleep(0.05)
        yield


def _lock(file: IO[bytes]) -> bool:
    """Whether the file's lock is now ours. Windows has no such locks; there a second run is the user's own care."""
    try:
        import fcntl
    except ImportError:
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _write_missing(folder: Path, request: Request, workers: int, progress: Callable[[int], None]) -> None:
    count, length, work = missing_work(folder, request)
    progress(count)
    if count == request.items and (folder / ITEMS).exists():
        _remove_strays(folder)
        return
    unfinished = folder / (ITEMS + UNFINISHED)
    with unfinished.open("ab") as file:
        file.truncate(length)
        for finished, line in enumerate(_lines(request, folder, work, workers), count + 1):
            file.write(line.encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())
            progress(finished)
    _remove_strays(folder)
    unfinished.replace(folder / ITEMS)
    _sync_folder(folder)


def _lines(request: Request, folder: Path, work: Work, workers: int) -> Iterator[str]:
    """The items' lines in order, made here and by worker processes that run a few items ahead."""
    if workers == 1:
        for part, draft in work:
            yield _work(request, folder, part, draft)
        return
    alone = replace(request, parts=())
    # This process is one of the workers, so that it does not sit idle while the others start.
    with ProcessPoolExecutor(
        workers - 1, mp_context=worker_context(request.renderer), initializer=start_worker
    ) as pool:
        window: deque[Future[str]] = deque()
        try:
            for part, draft in work:
                under_way = sum(not future.done() for future in window)
                if under_way < 2 * (workers - 1):
                    with interrupts_held(), warnings.catch_warnings():
                        # Python warns of forks beside threads that are not its own, such as those of a BLAS library.
                        warnings.filterwarnings("ignore", "This process .* is multi-threaded", DeprecationWarning)
                        window.append(pool.submit(_work, alone, folder, part, draft))
                else:
                    done = Future[str]()
                    done.set_result(_work(alone, folder, part, draft))
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


def worker_context(renderer: str = "cpu") -> multiprocessing.context.BaseContext:
    """Forked workers start at once, with everything loaded; spawned ones take half a second.

    A fork is safe only where no other thread can hold a lock at that moment, so elsewhere workers are spawned, and
    so they are for a GPU, whose driver does not outlive a fork.
    """
    if sys.platform != "linux" or threading.active_count() > 1 or renderer != "cpu":
        return multiprocessing.get_context("spawn")
    for module in ("generators.rendering.video", "generators.sheet", "av", "PIL.Image", "PIL.ImageDraw"):
        importlib.import_module(module)
    return multiprocessing.get_context("fork")


@contextmanager
def interrupts_held() -> Iterator[None]:
    """Hold Ctrl-C back while a worker may be started, which inherits this and leaves Ctrl-C to its parent for good."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def start_worker() -> None:
    """Die with the parent, however it dies."""
    parent = multiprocessing.parent_process()
    if parent is not None:

        def follow() -> None:
            parent.join()
            os._exit(1)

        threading.Thread(target=follow, daemon=True).start()


def _is_whole_png(path: Path) -> bool:
    """Whether a file begins and ends as a PNG does; a sheet is a picture for people and has no hash."""
    try:
        content = path.read_bytes()
    except OSError:
        return False
    return content.startswith(b"\x89PNG\r\n\x1a\n") and content.endswith(b"IEND\xaeB`\x82")


def _remove_strays(folder: Path) -> None:
    """Remove what a kill left behind: half-written files."""
    if (folder / ITEMS).exists():
        (folder / (ITEMS + UNFINISHED)).unlink(missing_ok=True)
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
