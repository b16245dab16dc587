"""Fresh items as PyTorch datasets, made on the fly: for training and for reinforcement learning, never the same twice.

Item k is made from the root seed and k alone, so workers, ranks and epochs share no item and any run can be repeated.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import torch
from torch.utils.data import Dataset, IterableDataset, get_worker_info

from generators.errors import InputError
from generators.family import family
from generators.item import Item
from generators.randomness import MAXIMUM_SEED
from generators.rendering import frames
from generators.sampling import Part, item_at

Sample = dict[str, Any]
"""`video`: uint8 of shape (frames, 3, height, width); `frame_indices` and `frame_times` in seconds; `item` as JSON
text, `clip`, `question` (its id), `kind`, `prompt`, `options` as JSON text, and `key` as JSON text."""


def sample_of(item: Item, frame_count: int, clip: int, question: str) -> Sample:
    """One question about one clip with evenly spaced frames, both ends included, as a collatable sample."""
    from generators.item import canonical_json

    shown = item.clips[clip]
    indices = evenly_spaced(shown.frames, frame_count)
    # NumPy moves the channels in less than half the time that PyTorch takes, and in one thread.
    video = torch.from_numpy(np.ascontiguousarray(frames(item, indices, clip=clip).transpose(0, 3, 1, 2)))
    asked = next(one for one in item.questions if one.id == question)
    return {
        "video": video,
        "frame_indices": torch.tensor(indices),
        "frame_times": torch.tensor([index / shown.fps for index in indices], dtype=torch.float64),
        "item": item.to_line(),
        "clip": clip,
        "question": asked.id,
        "kind": asked.kind,
        "prompt": asked.prompt,
        "options": canonical_json(asked.options),
        "key": canonical_json(asked.keys[clip]),
    }


def evenly_spaced(total: int, count: int) -> list[int]:
    """`count` frame indices from the first to the last of `total`; one alone is the middle one."""
    if count == 1:
        return [total // 2]
    return [round(place * (total - 1) / (count - 1)) for place in range(count)]


class FreshItems(Dataset[Sample]):
    """A map-style dataset of `length` samples: sample i asks one question about one clip of item i.

    `settings` are the family's, by name; `epoch` moves on to items that no earlier epoch had. Which of an item's
    questions and clips is asked takes turns with i unless `question` names one. Raises InputError for a bad name or
    setting.
    """

    def __init__(
        self,
        family_name: str,
        settings: Mapping[str, Any] | None = None,
        *,
        length: int,
        root_seed: int,
        frame_count: int = 16,
        question: str | None = None,
        epoch: int = 0,
    ) -> None:
        from pydantic import ValidationError

        from generators.settings import first_problem

        kind = family(family_name)
        try:
            chosen = kind.settings.model_validate(dict(settings or {}))
        except ValidationError as error:
            raise InputError(f"{family_name}: {first_problem(error)}") from None
        names = list(kind.asked(chosen))
        if question is not None and question not in names:
            raise InputError(f"{family_name} asks {', '.join(names)}, not {question!r}")
        if length < 1 or frame_count < 1 or epoch < 0:
            raise InputError("a dataset has one sample and one frame or more, and epochs count from 0")
        if not 0 <= root_seed < MAXIMUM_SEED:
            raise InputError(f"root_seed {root_seed} is no whole number from 0 to {MAXIMUM_SEED - 1}")
        self.part = Part(family_name, chosen, 1)
        self.length, self.root_seed, self.frame_count, self.epoch = length, root_seed, frame_count, epoch
        self.questions = names if question is None else [question]

    def __len__(self) -> int:
        return self.length

    def set_epoch(self, epoch: int) -> None:
        """Go on to the items of another epoch, as a distributed sampler does."""
        self.epoch = epoch

    def item(self, index: int) -> Item:
        """The item behind sample `index`. Raises IndexError outside the dataset."""
        if not 0 <= index < self.length:
            raise IndexError(f"sample {index} of {self.length}")
        return item_at(self.part, self.root_seed, self.epoch * self.length + index)

    def __getitem__(self, index: int) -> Sample:
        item = self.item(index)
        turn = (self.epoch * self.length + index) // self.part.twins
        clip = turn % len(item.clips)
        question = self.questions[turn // len(item.clips) % len(self.questions)]
        return sample_of(item, self.frame_count, clip, question)


class FreshStream(IterableDataset[Sample]):
    """An iterable dataset: the samples of `FreshItems`, shared out among ranks and workers without overlap.

    With `length` None it never ends. Rank `rank` of `world_size` and worker w of W take every (world_size · W)-th
    sample.
    """

    def __init__(
        self,
        family_name: str,
        settings: Mapping[str, Any] | None = None,
        *,
        root_seed: int,
        length: int | None = None,
        frame_count: int = 16,
        question: str | None = None,
        rank: int = 0,
        world_size: int = 1,
    ) -> None:
        if not 0 <= rank < world_size:
            raise InputError(f"rank {rank} is none of {world_size}")
        self.items = FreshItems(
            family_name,
            settings,
            length=ENDLESS if length is None else length,
            root_seed=root_seed,
            frame_count=frame_count,
            question=question,
        )
        self.rank, self.world_size = rank, world_size

    def set_epoch(self, epoch: int) -> None:
        """Go on to the items of another epoch."""
        self.items.set_epoch(epoch)

    def __iter__(self) -> Iterator[Sample]:
        worker = get_worker_info()
        number, workers = (worker.id, worker.num_workers) if worker else (0, 1)
        for index in range(self.rank * workers + number, self.items.length, self.world_size * workers):
            yield self.items[index]


ENDLESS = 2**40
"""Samples of a stream that is never used up in practice."""
