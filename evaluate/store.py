"""Where replies are kept: a folder with run.json, which says what was run, and replies.jsonl, one reply a line.

Replies are appended in the order of the dataset's questions and never changed, so what is in the file says what is
still to be asked, and neither a run nor its resumption holds more than one item in memory.
"""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from evaluate.asking import Asked, Identity
from generators.dataset import atomically
from generators.errors import InputError
from generators.item import Record, canonical_json
from generators.settings import first_problem

RUN = "run.json"
REPLIES = "replies.jsonl"
ROWS_A_SYNC = 64
SECONDS_A_SYNC = 1.0


class RunSettings(Record):
    """How the model was run: the seed of its random choices, and how many items it was asked about (null for all)."""

    seed: str = Field(pattern=r"^[0-9]+$")
    limit: int | None = Field(ge=1)


class Run(Record):
    """run.json: which model answered which dataset."""

    schema_: Literal[1] = Field(alias="schema")
    model: str
    dataset: str
    dataset_sha256: str = Field(pattern=r"^[0-9a-f]{64}$")
    items: int = Field(ge=1)
    settings: RunSettings

    @property
    def items_asked(self) -> int:
        return min(self.items, self.settings.limit or self.items)


class Reply(BaseModel):
    """One line of replies.jsonl. `reply` is null where none came; fields that later runs add are passed over."""

    model_config = ConfigDict(frozen=True, strict=True)

    item: str
    question: str
    clip: int
    model: str
    reply: str | None

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


def read_replies(folder: Path) -> Iterator[tuple[int, Reply]]:
    """(line number, reply) of every complete line; a last line that a kill cut off is no reply.

    Raises InputError naming a line that cannot be read.
    """
    with (folder / REPLIES).open("rb") as lines:
        for number, line in enumerate(lines, 1):
            if line.endswith(b"\n"):
                yield number, _read_reply(folder, number, line)


def _read_reply(folder: Path, number: int, line: bytes) -> Reply:
    try:
        return Reply.model_validate_json(line)
    except ValidationError as error:
        raise InputError(f"{folder / REPLIES}, line {number}: {first_problem(error)}") from None


@dataclass(slots=True)
class Store:
    """The store of a run while it is being written; `open_store` gives one."""

    folder: Path
    file: IO[bytes]
    unsynced: int = 0
    synced_at: float = field(default_factory=time.monotonic)

    def begin(self, model: str, dataset: Path, known: Identity, seed: int | None, limit: int | None) -> Run:
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
            settings=RunSettings(seed=seed_text, limit=limit),
        )
        if stored:
            _refuse_other(self.folder, stored, run)
        if run != stored:
            with atomically(self.folder / RUN) as unfinished:
                unfinished.write_text(run.model_dump_json(indent=2, by_alias=True) + "\n", encoding="utf-8")
        return run

    def skip_answered(self, questions: Iterator[Asked]) -> Iterator[Asked]:
        """Take the questions that are answered from `questions`, yielding each, and drop a line that was cut off.

        Raises InputError where the stored replies are not the answers to the first questions.
        """
        length = 0
        self.file.seek(0)
        for number, line in enumerate(self.file, 1):
            if not line.endswith(b"\n"):
                break
            reply = _read_reply(self.folder, number, line)
            asked = next(questions, None)
            if asked is None or reply.name != asked.name:
                wanted = " ".join(map(str, asked.name)) if asked else "no further reply"
                raise InputError(
                    f"{self.folder / REPLIES}, line {number}: answers {' '.join(map(str, reply.name))} where {wanted} "
                    "was expected; the file was changed, so begin another run with --out"
                )
            yield asked
            length += len(line)
        self.file.truncate(length)

    def append(self, asked: Asked, model: str, reply: str | None) -> None:
        """Add a reply. It outlives a kill of this process from here on, and a power cut once it is synced."""
        item, question, clip = asked.name
        row: dict[str, Any] = {"item": item, "question": question, "clip": clip, "model": model, "reply": reply}
        self.file.write(canonical_json(row, sort_keys=False).encode(errors="replace") + b"\n")
        self.file.flush()
        self.unsynced += 1
        if self.unsynced >= ROWS_A_SYNC or time.monotonic() - self.synced_at > SECONDS_A_SYNC:
            self.sync()

    def sync(self) -> None:
        """Put what was appended on disk."""
        os.fsync(self.file.fileno())
        self.unsynced, self.synced_at = 0, time.monotonic()


def _refuse_other(folder: Path, stored: Run, asked: Run) -> None:
    """Raises InputError where going on would mix two runs. A dataset that moved is the same one."""
    for what, old, new in (
        ("model", stored.model, asked.model),
        ("dataset", f"{stored.dataset} ({stored.dataset_sha256})", f"{asked.dataset} ({asked.dataset_sha256})"),
        ("seed", stored.settings.seed, asked.settings.seed),
    ):
        if old != new and not (what == "dataset" and stored.dataset_sha256 == asked.dataset_sha256):
            raise InputError(f"{folder} holds a run with {what} {old}, not {new}: choose another folder with --out")
    if asked.items_asked < stored.items_asked:
        raise InputError(
            f"{folder} holds a run over {stored.items_asked} items: --limit can be raised but not lowered to "
            f"{asked.items_asked}; choose another folder with --out"
        )


@contextmanager
def open_store(folder: Path) -> Iterator[Store]:
    """The store in `folder`, made where there is none, for one writer at a time; synced when the block ends.

    Raises InputError where the folder holds something else or another process writes to it.
    """
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder} is a file: choose another folder with --out")
    if folder.is_dir() and not (folder / RUN).exists() and _holds_something(folder):
        raise InputError(f"{folder} is not empty and holds no run: choose another folder with --out")
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / REPLIES).open("a+b") as file:
        _lock(folder, file)
        store = Store(folder, file)
        try:
            yield store
        finally:
            store.sync()


def _holds_something(folder: Path) -> bool:
    """Whether there is more in the folder than what a run leaves that was killed before it had begun."""
    return any(
        entry.stat().st_size if entry.name == REPLIES else not entry.match(f"{RUN}.*.part")
        for entry in folder.iterdir()
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
