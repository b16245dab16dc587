"""Small datasets, changes to them, and what `check` finds then; shared by its tests."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from generators.dataset import prepare, write_dataset
from generators.family import family
from generators.manifest import Request
from generators.sampling import Part
from verifier.checking import check_dataset

QUICK = {"resolution": 128, "fps": 4, "seconds_per_op": 0.5, "reveal_seconds": 0.5, "ops": 3}


def parts(*names: str, plans: int = 1) -> tuple[Part, ...]:
    return tuple(Part(name, family(name).settings.model_validate(QUICK), plans) for name in names)


def written(folder: Path, request: Request) -> Path:
    write_dataset(folder, prepare(folder, request), workers=1)
    return folder


def found(folder: Path, **options: Any) -> str:
    return "\n".join(map(str, check_dataset(folder, **options)))


def edit_items(folder: Path, change: Callable[[list[Any]], Any]) -> None:
    """Change the list of items; each is written in the canonical form."""
    path = folder / "items.jsonl"
    items = [json.loads(line) for line in path.read_text().splitlines()]
    change(items)
    text = "".join(json.dumps(item, ensure_ascii=False, separators=(",", ":")) + "\n" for item in items)
    path.write_text(text)


def edit_manifest(folder: Path, change: Callable[[dict[str, Any]], Any]) -> None:
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text())
    change(manifest)
    path.write_text(json.dumps(manifest, indent=2) + "\n")
