"""What to make and how it was made: requests, and the manifest that a dataset keeps of one."""

import json
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, ValidationError

from generators.difficulty import read_condition, read_ladder
from generators.errors import InputError
from generators.family import family
from generators.item import Item, Record
from generators.sampling import Draft, Part, Selection, drafts, make_item
from generators.seed_file import seed_commitment
from generators.settings import first_problem

MANIFEST = "manifest.json"

PACKAGES = ("av", "numpy", "pillow", "pydantic")
"""The packages that have a say in the bytes of a set."""


class PartRecord(Record):
    """A part of a set as the manifest stores it."""

    family: str
    version: int
    plans: int = Field(ge=1)
    settings: dict[str, Any]
    where: str | None
    ladder: str | None
    per_rung: int | None


class Manifest(Record):
    """manifest.json: how the set was made. `family` is null where there are several."""

    schema_: Literal[1] = Field(alias="schema")
    family: str | None
    set: str | None
    parts: list[PartRecord] = Field(min_length=1)
    root_seed: str | None = Field(pattern=r"^[0-9]+$")
    seed_sha256: str | None = Field(pattern=r"^[0-9a-f]{64}$")
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
    """What to make: the parts of a set, its root seed (None: a fresh one), with contact sheets or not.

    With `is_committed` the manifest holds the SHA-256 of the seed in place of the seed. `renderer` is the name of what
    draws, and `device_index` the GPU's number here, which is not stored: an equal GPU draws the same.
    """

    parts: tuple[Part, ...]
    root_seed: int | None = None
    name: str | None = None
    sheets: bool = True
    renderer: str = "cpu"
    is_committed: bool = False
    device_index: int | None = None

    @property
    def items(self) -> int:
        return sum(part.items for part in self.parts)

    def make_items(self) -> Iterator[Item]:
        """The set's items in order, without files."""
        assert self.root_seed is not None
        shows_seed = not self.is_committed
        return (make_item(part, self.root_seed, draft, shows_seed=shows_seed) for part, draft in self.drafts())

    def drafts(self) -> "Iterator[tuple[Part, Draft]]":
        """(part, draft) of every item in order."""
        assert self.root_seed is not None
        first_item = first_plan = 0
        known: set[str] = set()
        for number, part in enumerate(self.parts, 1):
            made = drafts(part, self.root_seed, first_item, first_plan, known)
            while True:
                try:
                    draft = next(made, None)
                except InputError as error:
                    where = f"part {number}, {part.family}: " if len(self.parts) > 1 else ""
                    raise InputError(f"{where}{error}") from None
                if draft is None:
                    break
                yield part, draft
            first_item, first_plan = first_item + part.items, first_plan + part.plans

    def manifest(self) -> Manifest:
        from generators.rendering.looks import quantisers
        from generators.rendering.video import encoder_description

        assert self.root_seed is not None
        commit, is_dirty = _git_state()
        families = {part.family for part in self.parts}
        return Manifest(
            schema=1,
            family=families.pop() if len(families) == 1 else None,
            set=self.name,
            parts=[_record(part) for part in self.parts],
            root_seed=None if self.is_committed else str(self.root_seed),
            seed_sha256=seed_commitment(self.root_seed) if self.is_committed else None,
            items=self.items,
            sheets=self.sheets,
            generator_version=generator_version(),
            git_commit=commit,
            git_dirty=is_dirty,
            packages={name: version(name) for name in PACKAGES},
            renderer=self.renderer,
            encoder=encoder_description(quantisers(part.settings.look for part in self.parts)),
        )


def _record(part: Part) -> PartRecord:
    where, ladder = part.selection.where, part.selection.ladder
    return PartRecord(
        family=part.family,
        version=family(part.family).version,
        plans=part.plans,
        settings=part.settings.to_json(),
        where=where.text if where else None,
        ladder=str(ladder) if ladder else None,
        per_rung=ladder.per_rung if ladder else None,
    )


def read_part(record: PartRecord) -> Part:
    """The part that a manifest speaks of. Raises InputError where its settings or selection cannot be read."""
    try:
        settings = family(record.family).settings.model_validate(record.settings)
    except ValidationError as error:
        raise InputError(f"the manifest's settings of {record.family} cannot be read: {first_problem(error)}") from None
    where = read_condition(record.where) if record.where is not None else None
    ladder = read_ladder(record.ladder, record.per_rung or 1) if record.ladder is not None else None
    return Part(record.family, settings, record.plans, Selection(where, ladder))


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
