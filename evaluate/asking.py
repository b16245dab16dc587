"""What a model is asked: every question of a dataset about every clip, in the order of the dataset."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from generators.dataset import ITEMS, read_items
from generators.errors import InputError
from generators.item import Item, Question
from generators.manifest import read_manifest
from verifier.scoring import asked as asked_of


@dataclass(frozen=True, slots=True)
class Asked:
    """One question about one clip, in the words that the model gets."""

    item: Item
    question: Question
    clip: int
    prompt: str

    @property
    def name(self) -> tuple[str, str, int]:
        """(item, question, clip): what tells it from every other one of its dataset."""
        return self.item.id, self.question.id, self.clip


def every_question(dataset: Path, limit: int | None = None) -> Iterator[Asked]:
    """The questions of the first `limit` items, or of all, one at a time. Raises InputError at what cannot be read."""
    for item in islice(read_items(dataset), limit):
        for question, clip in asked_of(item):
            if len(question.keys) != len(item.clips):
                raise InputError(
                    f"{dataset / ITEMS}: {item.id}, {question.id} has {len(question.keys)} keys for "
                    f"{len(item.clips)} clips; python -m verifier check {dataset} says what else is wrong"
                )
            yield Asked(item, question, clip, question.prompt)


@dataclass(frozen=True, slots=True)
class Identity:
    """Which dataset it is, wherever it lies: the SHA-256 of its items.jsonl, and how many items that lists."""

    sha256: str
    items: int


def identity(dataset: Path) -> Identity:
    """The dataset's identity. Raises InputError where the folder holds no complete dataset."""
    read_manifest(dataset)
    if next(read_items(dataset), None) is None:
        raise InputError(f"{dataset / ITEMS} lists no items: make the set again with python -m generators")
    digest, items = hashlib.sha256(), 0
    with (dataset / ITEMS).open("rb") as lines:
        for line in lines:
            digest.update(line)
            items += 1
    return Identity(digest.hexdigest(), items)
