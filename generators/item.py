"""The data model of a dataset: items, clips and questions as strict, frozen records with one canonical JSON."""

import hashlib
import json
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Kind = Literal["yes_no", "choice", "integer", "seconds", "board", "cells", "sequence", "items", "operations"]
Plan = dict[str, Any]
"""What happens in one clip, in full and as JSON: the truth that everything else is computed from."""


class Record(BaseModel):
    """A frozen record that takes no field it does not know and converts nothing silently."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", strict=True, allow_inf_nan=False, ser_json_inf_nan="constants"
    )


class Clip(Record):
    """One video: its file and what is in it. `file` and `sha256` are null where it was never written to disk."""

    file: str | None
    sha256: str | None = Field(pattern=r"^[0-9a-f]{64}$")
    width: int = Field(gt=0)
    height: int = Field(gt=0)
    fps: int = Field(gt=0)
    frames: int = Field(gt=0)
    plan: Plan
    spans: list[tuple[int, int]]


class Question(Record):
    """One question: wording, parameters, and a key for each clip."""

    id: str
    level: int
    kind: Kind
    about: dict[str, Any]
    prompt: str
    options: list[str] | None
    keys: list[Any]


class Provenance(Record):
    """Where an item came from. The seed is a receipt: nothing is computed from it any more.

    It is null while a set's seed is committed to and not yet published.
    """

    seed: str | None = Field(pattern=r"^[0-9]+$")
    index: int = Field(ge=0)
    settings: dict[str, Any]


class Item(Record):
    """One line of items.jsonl."""

    schema_: Literal[1] = Field(alias="schema")
    id: str
    family: str
    version: int
    category: str | None
    clips: list[Clip] = Field(min_length=1)
    questions: list[Question]
    pair: dict[str, Any] | None
    measures: dict[str, int | float]
    provenance: Provenance

    def to_json(self) -> dict[str, Any]:
        return self.model_dump(mode="json", by_alias=True)

    def to_line(self) -> str:
        """The item's line in items.jsonl, without the line's end."""
        return canonical_json(self.to_json(), sort_keys=False)


def canonical_json(value: Any, *, sort_keys: bool = True) -> str:
    """JSON without spaces, not escaped beyond need: the same value always gives the same text."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"), sort_keys=sort_keys)


def item_id(family: str, version: int, plans: list[Plan]) -> str:
    """`<family>-<12 hex of SHA-256>` over the plans and the family's version: looks and wordings keep it."""
    digest = hashlib.sha256(canonical_json({"plans": plans, "version": version}).encode()).hexdigest()
    return f"{family}-{digest[:12]}"
