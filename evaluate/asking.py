"""What a model is asked: every question of a dataset about every clip, in the order of the dataset."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from evaluate.conditions import Viewing, transcript
from evaluate.delivery import Shown, shown_of
from generators.dataset import ITEMS, read_items
from generators.errors import InputError
from generators.item import Item, Question
from generators.manifest import read_manifest
from verifier.scoring import asked as asked_of

if TYPE_CHECKING:
    from evaluate.delivery import Frames


@dataclass(frozen=True, slots=True)
class Asked:
    """One question about one clip, in the words that the model gets, and what it is shown of the clip.

    `order` counts the questions of the dataset from 0.
    """

    item: Item
    question: Question
    clip: int
    prompt: str
    order: int = 0
    item_sha256: str = ""
    shown: Shown | None = field(default=None, compare=False, repr=False)

    @property
    def name(self) -> tuple[str, str, int]:
        """(item, question, clip): what tells it from every other one of its dataset."""
        return self.item.id, self.question.id, self.clip

    @property
    def view(self) -> Shown:
        """What the model is shown. Raises LookupError for a question that is asked without a clip."""
        if self.shown is None:
            raise LookupError("this question is asked without a clip: pass a viewing to every_question")
        return self.shown

    @property
    def frames(self) -> "Frames":
        """The frames, uint8 RGB of shape (n, height, width, 3); n is 0 where none are shown."""
        return self.view.frames

    @property
    def indices(self) -> tuple[int, ...]:
        """The frames' numbers in the clip, in the order in which they are shown."""
        return self.view.choice.indices

    @property
    def times(self) -> tuple[float, ...]:
        """Seconds from the start of the clip to tell beside the frames; they ascend in every condition."""
        return self.view.times


def every_question(
    dataset: Path, limit: int | None = None, viewing: Viewing | None = None, shard: tuple[int, int] | None = None
) -> Iterator[Asked]:
    """The questions of the first `limit` items, or of all, one at a time, as `viewing` shows their clips.

    `shard` (i, n) leaves out all items but the i-th of every n, counted from 1. Raises InputError at what cannot be
    read.
    """
    order = 0
    for number, item in enumerate(islice(read_items(dataset), limit)):
        questions = list(asked_of(item))
        order += len(questions)
        if shard is not None and number % shard[1] != shard[0] - 1:
            continue
        digest = ""
        shown: list[Shown | None] = [None] * len(item.clips)
        if viewing is not None:
            digest = hashlib.sha256(item.to_line().encode(errors="replace")).hexdigest()
            shown = [shown_of(dataset, item, clip, viewing) for clip in range(len(item.clips))]
        for place, (question, clip) in enumerate(questions, order - len(questions)):
            if len(question.keys) != len(item.clips):
                raise InputError(
                    f"{dataset / ITEMS}: {item.id}, {question.id} has {len(question.keys)} keys for "
                    f"{len(item.clips)} clips; python -m verifier check {dataset} says what else is wrong"
                )
            prompt = question.prompt
            if viewing is not None and viewing.condition == "transcript":
                prompt = f"{transcript(item, clip)}\n\n{prompt}"
            yield Asked(item, question, clip, prompt, place, digest, shown[clip])


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
