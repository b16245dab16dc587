"""Is a dataset what it says? Every plan replayed, every text, key and measure computed again, every file looked at."""

import hashlib
import os
import warnings
from collections import deque
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from pydantic import ValidationError

from generators.dataset import (
    ITEMS,
    SHEETS,
    UNFINISHED,
    VIDEOS,
    clip_names,
    interrupts_held,
    start_worker,
    worker_context,
)
from generators.errors import InputError, printable
from generators.item import Item
from generators.manifest import MANIFEST, Manifest, Request
from generators.rendering import scene_of
from generators.sampling import Draft, Part
from generators.settings import first_problem
from verifier.files import LONGEST_LINE, bounded_lines, require_file, why_no_file
from verifier.item_checking import MALFORMED, Place, item_problems
from verifier.manifest_checking import known_seed, manifest_problems, open_manifest, seed_problem
from verifier.sheet_checking import sheet_problems
from verifier.video_checking import video_problems


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that does not hold: where (an item, a file, a line) and what."""

    where: str
    what: str

    def __str__(self) -> str:
        return printable(f"{self.where}: {self.what}")


@dataclass(frozen=True, slots=True)
class Task:
    """One line of items.jsonl, or None for one that is too long, and what the manifest has in its place."""

    number: int
    line: bytes | None
    place: Place | None


@dataclass(frozen=True, slots=True)
class Result:
    """What was found of one line, and the files that belong to its item if it holds one."""

    number: int
    findings: list[Finding]
    files: tuple[str, ...] = ()


def check_dataset(
    folder: Path,
    workers: int = 1,
    progress: Callable[[int, int], None] = lambda done, total: None,
    root_seed: int | None = None,
) -> Generator[Finding, None, None]:
    """Everything that is wrong with the dataset in `folder`; nothing where it is sound.

    Where the seed is known, from the manifest or as `root_seed`, every item is also drawn again from it.
    Raises InputError where the folder holds no dataset at all.
    """
    manifest, parts = open_manifest(folder)
    _require_items(folder)
    problems = [*manifest_problems(folder, manifest, parts)]
    seed = known_seed(manifest) if root_seed is None else root_seed
    other_seed = seed_problem(manifest, root_seed) if root_seed is not None else None
    if other_seed is not None:
        problems, seed = [*problems, other_seed], None
    yield from (Finding(MANIFEST, problem) for problem in problems)
    # What is drawn again from a manifest that is wrong differs everywhere and says nothing.
    yield from _line_findings(folder, manifest, parts, None if problems else seed, workers, progress)


def _require_items(folder: Path) -> None:
    path = folder / ITEMS
    if not path.is_symlink() and not path.exists():
        unfinished = (folder / (ITEMS + UNFINISHED)).exists()
        raise InputError(
            f"{folder} was never finished: run the command that made it again"
            if unfinished
            else f"{folder} is no dataset: it has no {ITEMS}"
        )
    require_file(path)


def _line_findings(
    folder: Path,
    manifest: Manifest,
    parts: tuple[Part, ...],
    seed: int | None,
    workers: int,
    progress: Callable[[int, int], None],
) -> Iterator[Finding]:
    """What is wrong with the lines, with the files they name, and with files that none of them names."""
    lines = 0
    named: set[str] = set()
    draws = _Draws(manifest, parts, seed)
    with (folder / ITEMS).open("rb") as file:
        tasks = (
            Task(number, line, place)
            for (number, line), place in zip(enumerate(bounded_lines(file), 1), draws, strict=False)
        )
        for result in _in_order(partial(check_line, folder, manifest.sheets), tasks, workers):
            lines = result.number
            yield from result.findings
            if not named.isdisjoint(result.files):
                yield Finding(f"{ITEMS}, line {lines}", f"the item of {result.files[0]} stands in the list twice")
            named.update(result.files)
            progress(lines, manifest.items)
    if draws.failure is not None:
        yield Finding(MANIFEST, f"its seed does not give its items: {draws.failure}")
    if lines != manifest.items:
        yield Finding(ITEMS, f"has {lines} lines where the manifest says {manifest.items} items")
    yield from _strays(folder, manifest.sheets, named)


class _Draws:
    """Iterates over what the manifest has for each line; without end, since a list may have too many lines."""

    def __init__(self, manifest: Manifest, parts: tuple[Part, ...], root_seed: int | None) -> None:
        self.manifest, self.parts, self.root_seed = manifest, parts, root_seed
        self.failure: str | None = None

    def __iter__(self) -> Iterator[Place | None]:
        drafts = self._drafts()
        index = 0
        for part in self.parts:
            for number in range(part.items):
                draft = next(drafts, None)
                seed = self.root_seed if draft is not None else None
                yield Place(part, number // part.twins, index, self.manifest.root_seed, draft, seed)
                index += 1
        while True:
            yield None

    def _drafts(self) -> Iterator[Draft]:
        if self.root_seed is None:
            return
        try:
            yield from (draft for _, draft in Request(self.parts, self.root_seed).drafts())
        except MALFORMED as error:
            self.failure = str(error)


def check_line(folder: Path, has_sheets: bool, task: Task) -> Result:
    """What is wrong with one line and with the files of its item."""
    where = f"{ITEMS}, line {task.number}"
    if task.line is None:
        return Result(task.number, [Finding(where, f"is longer than {LONGEST_LINE // 2**20} MiB")])
    if not task.line.endswith(b"\n"):
        return Result(task.number, [Finding(where, "is cut off; run the command that made the set again")])
    try:
        item = Item.model_validate_json(task.line)
        is_canonical = item.to_line().encode() + b"\n" == task.line
    except ValidationError as error:
        return Result(task.number, [Finding(where, f"is no item: {first_problem(error)}")])
    except MALFORMED:  # NaN or an infinity, which JSON does not have
        is_canonical = False
    if not is_canonical:
        problems = ["is not written in the canonical form"]
    elif task.place is None:
        problems = ["stands behind the last item that the manifest has"]
    else:
        problems = [*item_problems(item, task.place)] or [*_file_problems(folder, item, has_sheets)]
    findings = [Finding(item.id, problem) for problem in problems]
    return Result(task.number, findings, (*_videos(item), *([_sheet(item)] if has_sheets else [])))


def _videos(item: Item) -> list[str]:
    return [f"{VIDEOS}/{name}" for name in clip_names(item)]


def _sheet(item: Item) -> str:
    return f"{SHEETS}/{item.id}.png"


def _file_problems(folder: Path, item: Item, has_sheets: bool) -> Iterator[str]:
    """What is wrong with an item's files: their names, their content, their form, and whether they show the plan."""
    sizes = set()
    for clip, name in zip(item.clips, _videos(item), strict=True):
        if clip.file != name:
            yield f"names the video {(clip.file or 'none')[:80]}, which must be {name}"
            continue
        # No video is larger than its frames are without any coding.
        data = _content(folder, name, 2 * clip.frames * clip.width * clip.height + LONGEST_LINE)
        if isinstance(data, str):
            yield f"{name} {data}"
        elif hashlib.sha256(data).hexdigest() != clip.sha256:
            yield f"{name} is not the file that was written: its SHA-256 differs"
        else:
            yield from (f"{name} {problem}" for problem in video_problems(data, clip, scene_of(item, clip)))
            sizes.add(len(data))
    if len(sizes) > 1:
        yield f"has clips of {' and '.join(f'{size:,}' for size in sorted(sizes))} bytes, which tell them apart"
    if has_sheets:
        data = _content(folder, _sheet(item), LONGEST_LINE)
        problems = [data] if isinstance(data, str) else sheet_problems(data, item)
        yield from (f"{_sheet(item)} {problem}" for problem in problems)


def _content(folder: Path, name: str, largest: int) -> bytes | str:
    """A file's content, or in words why there is none."""
    path = folder / name
    reason = why_no_file(path)
    if reason is not None:
        return reason
    if not path.resolve().is_relative_to(folder.resolve()):
        return "lies outside the dataset's folder"
    try:
        return path.read_bytes() if path.stat().st_size <= largest else f"is larger than {largest:,} bytes"
    except OSError as error:
        return f"cannot be read: {error.strerror}"


def _strays(folder: Path, has_sheets: bool, named: set[str]) -> Iterator[Finding]:
    """Files that belong to no item, and whatever else a dataset does not have."""
    folders = (VIDEOS, SHEETS) if has_sheets else (VIDEOS,)
    for entry in sorted(folder.iterdir()):
        if entry.name not in (MANIFEST, ITEMS, *folders):
            yield Finding(entry.name, "does not belong to a dataset")
    for name in folders:
        if not (folder / name).is_dir():
            yield Finding(name, "is no folder" if os.path.lexists(folder / name) else "is missing")
            continue
        for stray in sorted((folder / name).iterdir()):
            if f"{name}/{stray.name}" not in named:
                yield Finding(f"{name}/{stray.name}", "belongs to no item")


def default_workers() -> int:
    return os.cpu_count() or 1


def _in_order(check: Callable[[Task], Result], tasks: Iterator[Task], workers: int) -> Iterator[Result]:
    """The results in the order of the tasks, of which a few are under way at once."""
    if workers == 1:
        yield from map(check, tasks)
        return
    with ProcessPoolExecutor(workers, mp_context=worker_context(), initializer=start_worker) as pool:
        window: deque[Future[Result]] = deque()
        try:
            for task in tasks:
                with interrupts_held(), warnings.catch_warnings():
                    # Python warns of forks beside threads that are not its own, such as those of a BLAS library.
                    warnings.filterwarnings("ignore", "This process .* is multi-threaded", DeprecationWarning)
                    window.append(pool.submit(check, task))
                if len(window) > 4 * workers:
                    yield window.popleft().result()
            while window:
                yield window.popleft().result()
        except BrokenProcessPool:
            raise InputError(
                "a worker process was killed (out of memory, perhaps): run it again with fewer --workers"
            ) from None
        finally:
            pool.shutdown(cancel_futures=True)
