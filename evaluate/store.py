"""Where replies are kept: a folder with run.json, which says what was run, and replies.jsonl, one attempt a line.

Rows are appended as they come, in any order, and never changed. A row with a reply answers its question for good; a row
without one says why none came, and the question is asked again. What is in the file says what is still to be asked, and
neither a run nor its resumption holds more of a question in memory than where its row is.
"""

import hashlib
import os
import re
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from evaluate.asking import Asked, Identity
from evaluate.conditions import Condition, FramesFrom
from generators.dataset import atomically
from generators.errors import InputError
from generators.item import Record, canonical_json
from generators.settings import first_problem

RUN = "run.json"
REPLIES = "replies.jsonl"
ROWS_A_SYNC = 64
SECONDS_A_SYNC = 1.0


class RunSettings(Record):
    """How the model was run, as far as replies depend on it; `limit` is the number of items asked about, null for all.

    `spec` is the text behind --model where it says more than the model's name, and `parameters` are the model's own.
    """

    seed: str = Field(pattern=r"^[0-9]+$")
    limit: int | None = Field(ge=1)
    spec: str | None = None
    endpoint: str | None = None
    condition: Condition = "full"
    fps: float | None = None
    frames: int | None = None
    frames_from: FramesFrom = "video"
    parameters: dict[str, Any] = Field(default_factory=dict)


class Run(Record):
    """run.json: which model answered which dataset, and with which versions of what it needs."""

    schema_: Literal[1] = Field(alias="schema")
    model: str
    dataset: str
    dataset_sha256: str = Field(pattern=r"^[0-9a-f]{64}$")
    items: int = Field(ge=1)
    settings: RunSettings
    packages: dict[str, str] = Field(default_factory=dict)

    @property
    def items_asked(self) -> int:
        return min(self.items, self.settings.limit or self.items)


class Reply(BaseModel):
    """One line of replies.jsonl. `reply` is null where none came; fields that later runs add are passed over.

    `order` is the question's place in the dataset, and `key` tells under which circumstances it was asked.
    """

    model_config = ConfigDict(frozen=True, strict=True)

    item: str
    question: str
    clip: int
    model: str
    reply: str | None
    order: int | None = None
    key: str | None = None
    attempt: int = 1
    error: str | None = None
    final: bool = False
    condition: str | None = None
    finish_reason: str | None = None
    truncated: bool = False
    refused: bool = False
    below_minimum_fps: bool | None = None
    latency: float | None = None
    usage: dict[str, int] | None = None
    cost_usd: float | None = None
    given: dict[str, Any] | None = None
    time: str | None = None

    @property
    def name(self) -> tuple[str, str, int]:
        """(item, question, clip), as in `Asked`."""
        return self.item, self.question, self.clip


def read_run(folder: Path) -> Run:
    """The record of a run. Raises InputError where there is none or it cannot be read."""
    path = folder / RUN
    try:
        return Run.model_validate_json(path.read_bytes())
    except (FileNotFoundError, NotADirectoryError):
        raise InputError(f"{folder} is no run: it has no {RUN}; make one with python -m evaluate run") from None
    except ValidationError as error:
        raise InputError(f"{path} cannot be read: {first_problem(error)}") from None


class Kept(NamedTuple):
    """Where what became of a question is in the store, and what a resumption must know of it.

    `check` is a hash of the question's name and key; `line` counts from 1.
    """

    path: Path
    line: int
    offset: int
    check: int
    attempts: int
    is_answered: bool
    is_final: bool


def read_replies(folder: Path) -> Iterator[tuple[int, Reply]]:
    """(line number, reply) of what became of every question, in the order of the dataset.

    That is its answer or, where none came, its last failure. Answers beyond the first, which no run writes, come behind
    it. A last line that a kill cut off is no reply. Raises InputError naming a line that cannot be read.
    """
    kept, repeated, *_ = _index(folder)
    files: dict[Path, IO[bytes]] = {}
    with ExitStack() as stack:
        for _, one in sorted([*kept.items(), *repeated], key=lambda entry: entry[0]):
            if one.path not in files:
                files[one.path] = stack.enter_context(one.path.open("rb"))
            file = files[one.path]
            if file.tell() != one.offset:
                file.seek(one.offset)
            yield one.line, _read_reply(one.path, one.line, file.readline())


def replies_files(folder: Path) -> list[Path]:
    """The files of a run's replies: its own, and one of each shard."""
    shards = [path for path in folder.glob("replies-*-of-*.jsonl") if re.fullmatch(r"replies-\d+-of-\d+", path.stem)]
    return [path for path in (folder / REPLIES, *sorted(shards)) if path.exists()]


def _index(folder: Path) -> tuple[dict[int, Kept], list[tuple[int, Kept]], float, float]:
    """(what is kept of each question by its order, answers beyond the first, dollars spent in all and at once)."""
    kept: dict[int, Kept] = {}
    repeated: list[tuple[int, Kept]] = []
    spent = dearest = 0.0
    paths = replies_files(folder)
    if not paths:
        raise InputError(f"{folder} is no run: it has no {REPLIES}; make one with python -m evaluate run")
    for path in paths:
        with path.open("rb") as lines:
            offset = 0
            for number, line in enumerate(lines, 1):
                if not line.endswith(b"\n"):
                    break
                reply = _read_reply(path, number, line)
                spent, dearest = spent + (reply.cost_usd or 0.0), max(dearest, reply.cost_usd or 0.0)
                order = reply.order if reply.order is not None else number - 1
                one = Kept(path, number, offset, _check(reply.name, reply.key), reply.attempt, *_state(reply))
                before = kept.get(order)
                if before is None or not before.is_answered:
                    attempts = max(one.attempts, before.attempts + 1 if before else 1)
                    kept[order] = one._replace(attempts=attempts)
                elif one.is_answered:
                    repeated.append((order, one))
                offset += len(line)
    return kept, repeated, spent, dearest


def _state(reply: Reply) -> tuple[bool, bool]:
    return reply.reply is not None, reply.final


def _check(name: tuple[str, str, int], key: str | None) -> int:
    text = canonical_json([*name, key])
    return int.from_bytes(hashlib.blake2b(text.encode(errors="replace"), digest_size=8).digest(), "big")


def _read_reply(path: Path, number: int, line: bytes) -> Reply:
    try:
        return Reply.model_validate_json(line)
    except ValidationError as error:
        raise InputError(f"{path}, line {number}: {first_problem(error)}") from None


def question_key(asked: Asked, run: Run) -> str:
    """What a reply depends on, hashed: model, endpoint, parameters, item, prompt, and which frames of which source.

    The item's line names the SHA-256 of each clip's file, and every file is compared with it before it is decoded.
    """
    settings = run.settings
    parts = {
        "model": run.model,
        "spec": settings.spec,
        "endpoint": settings.endpoint,
        "seed": settings.seed,
        "parameters": settings.parameters,
        "item": asked.item_sha256,
        "prompt": hashlib.sha256(asked.prompt.encode(errors="replace")).hexdigest(),
        "condition": settings.condition,
        "frames_from": settings.frames_from,
        "frames": asked.shown.choice_sha256 if asked.shown else None,
    }
    return hashlib.sha256(canonical_json(parts).encode(errors="replace")).hexdigest()[:32]


@dataclass(slots=True)
class Store:
    """The store of a run while it is being written; `open_store` gives one. Any thread may append."""

    folder: Path
    path: Path
    file: IO[bytes]
    spent: float = 0.0
    dearest: float = 0.0
    kept: dict[int, Kept] = field(default_factory=dict)
    unsynced: int = 0
    synced_at: float = field(default_factory=time.monotonic)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def begin(
        self,
        model: str,
        dataset: Path,
        known: Identity,
        seed: int | None,
        limit: int | None,
        packages: Mapping[str, str] | None = None,
        **settings: Any,
    ) -> Run:
        """The run's record, written, or found where it was begun before; `seed` None means the stored one, else 0.

        Raises InputError where what was begun is another run.
        """
        stored = read_run(self.folder) if (self.folder / RUN).exists() else None
        seed_text = str(seed) if seed is not None else stored.settings.seed if stored else "0"
        run = Run(
            schema=1,
            model=model,
            dataset=str(dataset),
            dataset_sha256=known.sha256,
            items=known.items,
            settings=RunSettings(seed=seed_text, limit=limit, **settings),
            packages=stored.packages if stored else dict(packages or {}),
        )
        if stored:
            _refuse_other(self.folder, stored, run)
        if run != stored:
            with atomically(self.folder / RUN) as unfinished:
                unfinished.write_text(run.model_dump_json(indent=2, by_alias=True) + "\n", encoding="utf-8")
        return run

    def find_kept(self, questions: Iterable[Asked], run: Run) -> Iterator[Asked]:
        """Read what is kept, and yield each of `questions` that something is kept of; a line cut off is dropped.

        Raises InputError where a stored reply is to no question, or to one that was asked under other circumstances.
        """
        _drop_cut_off_line(self.file)
        self.kept, repeated, self.spent, self.dearest = _index(self.folder)
        for _, one in repeated:
            raise InputError(
                f"{one.path}, line {one.line}: a second answer to a question; the file was changed, or two runs "
                "overlapped: take one of the two lines away"
            )
        unknown = dict(self.kept)
        for asked in questions if self.kept else ():
            found = unknown.pop(asked.order, None)
            if found is not None and found.check not in (
                _check(asked.name, question_key(asked, run)),
                _check(asked.name, None),
            ):
                raise InputError(
                    f"{found.path}, line {found.line}: answers something else than {' '.join(map(str, asked.name))} as "
                    "it would be asked now; the file was changed, so begin another run with --out"
                )
            if found is not None:
                yield asked
        for found in unknown.values():
            raise InputError(
                f"{found.path}, line {found.line}: answers no question of this run; the file was changed, so begin "
                "another run with --out"
            )

    def append(self, asked: Asked, model: str, reply: str | None, **known: Any) -> None:
        """Add a row. It outlives a kill of this process from here on, and a power cut once it is synced.

        `known` are further fields of `Reply`; those that are None are left out.
        """
        item, question, clip = asked.name
        row: dict[str, Any] = {"item": item, "question": question, "clip": clip, "model": model, "reply": reply}
        row |= {"order": asked.order} | {name: value for name, value in known.items() if value is not None}
        line = canonical_json(row, sort_keys=False).encode(errors="replace") + b"\n"
        with self._lock:
            if self.file.closed:
                return  # A thread that outlived an interrupted run: its question is asked again.
            self.file.write(line)
            self.file.flush()
            cost = known.get("cost_usd") or 0.0
            self.spent, self.dearest = self.spent + cost, max(self.dearest, cost)
            self.unsynced += 1
            if self.unsynced >= ROWS_A_SYNC or time.monotonic() - self.synced_at > SECONDS_A_SYNC:
                self._sync()

    def close(self) -> None:
        """Put what was appended on disk; nothing is added after this."""
        with self._lock:
            self._sync()
            self.file.close()

    def _sync(self) -> None:
        os.fsync(self.file.fileno())
        self.unsynced, self.synced_at = 0, time.monotonic()


def _drop_cut_off_line(file: IO[bytes]) -> None:
    """Take away what a kill left of a last line."""
    end = length = file.seek(0, os.SEEK_END)
    while length:
        first = max(0, length - 65_536)
        file.seek(first)
        place = file.read(length - first).rfind(b"\n")
        if place >= 0:
            length = first + place + 1
            break
        length = first
    if length < end:
        file.truncate(length)
    file.seek(0, os.SEEK_END)


def _refuse_other(folder: Path, stored: Run, asked: Run) -> None:
    """Raises InputError where going on would mix two runs. A dataset that moved is the same one."""
    old_settings, new_settings = (run.settings.model_dump(exclude={"limit"}) for run in (stored, asked))
    differences = [
        ("model", stored.model, asked.model),
        ("dataset", f"{stored.dataset} ({stored.dataset_sha256})", f"{asked.dataset} ({asked.dataset_sha256})"),
    ]
    for name in old_settings:
        if name == "parameters":
            old, new = old_settings[name], new_settings[name]
            differences += [(one.replace("_", "-"), old.get(one), new.get(one)) for one in sorted(old | new)]
        else:
            differences.append((name.replace("_", "-"), old_settings[name], new_settings[name]))
    for what, old, new in differences:
        if old != new and not (what == "dataset" and stored.dataset_sha256 == asked.dataset_sha256):
            raise InputError(f"{folder} holds a run with {what} {old}, not {new}: choose another folder with --out")
    if asked.items_asked < stored.items_asked:
        raise InputError(
            f"{folder} holds a run over {stored.items_asked} items: --limit can be raised but not lowered to "
            f"{asked.items_asked}; choose another folder with --out"
        )


@contextmanager
def open_store(folder: Path, shard: tuple[int, int] | None = None) -> Iterator[Store]:
    """The store in `folder`, made where there is none, for one writer at a time; synced when the block ends.

    A shard writes to a file of its own, so that several may be at work in one folder. Raises InputError where the
    folder holds something else or another process writes to the file.
    """
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder} is a file: choose another folder with --out")
    if folder.is_dir() and not (folder / RUN).exists() and _holds_something(folder):
        raise InputError(f"{folder} is not empty and holds no run: choose another folder with --out")
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / (f"replies-{shard[0]}-of-{shard[1]}.jsonl" if shard else REPLIES)
    with path.open("a+b") as file:
        _lock(folder, file)
        store = Store(folder, path, file)
        try:
            yield store
        finally:
            store.close()


def _holds_something(folder: Path) -> bool:
    """Whether there is more in the folder than what a run leaves that was killed before it had begun."""
    files = replies_files(folder)
    return any(
        entry.stat().st_size if entry in files else not entry.match(f"{RUN}.*.part") for entry in folder.iterdir()
    )


def _lock(folder: Path, file: IO[bytes]) -> None:
    """Raises InputError where another process holds the file; the lock goes with the file's closing."""
    try:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except ImportError:  # Windows has no such locks; there a second run is the user's own care.
        pass
    except BlockingIOError:
        raise InputError(
            f"{folder} is being written by another process: wait for it, or choose another --out"
        ) from None
