"""Datasets that make fresh items on the fly: seeded by index, and never the same item twice."""

import json

import pytest
import torch
from torch.utils.data import DataLoader

from generators.errors import InputError
from generators.family import family
from generators.rendering import frames
from generators.sampling import Part, item_at, make_items
from generators.torch_dataset import FreshItems, FreshStream, evenly_spaced

SMALL = {"resolution": 128, "fps": 8}


def names(stream: FreshStream, workers: int = 0) -> list[str]:
    loader = DataLoader(stream, batch_size=None, num_workers=workers)
    return [json.loads(sample["item"])["id"] for sample in loader]


def test_a_sample_is_a_question_about_frames_of_a_clip() -> None:
    dataset = FreshItems("speed", SMALL, length=4, root_seed=3, frame_count=5)
    for index in range(len(dataset)):
        sample, item = dataset[index], dataset.item(index)
        assert sample["video"].shape == (5, 3, 128, 128) and sample["video"].dtype == torch.uint8
        shown = sample["frame_indices"].tolist()
        assert shown == evenly_spaced(item.clips[sample["clip"]].frames, 5)
        drawn = torch.from_numpy(frames(item, shown, clip=sample["clip"]))
        assert torch.equal(sample["video"], drawn.permute(0, 3, 1, 2))
        question = next(one for one in item.questions if one.id == sample["question"])
        assert json.loads(sample["key"]) == question.keys[sample["clip"]]
        assert sample["prompt"] == question.prompt
    assert [dataset[index]["clip"] for index in range(4)] == [0, 1, 0, 1]
    with pytest.raises(IndexError):
        dataset[4]


def test_a_seed_that_is_none_is_refused_at_once() -> None:
    for seed in (-1, 2**128):
        with pytest.raises(InputError, match=r"root_seed .* is no whole number from 0"):
            FreshStream("speed", SMALL, root_seed=seed)


def test_items_are_those_of_a_set_and_do_not_depend_on_who_asks() -> None:
    dataset = FreshItems("number", SMALL, length=6, root_seed=9, frame_count=1)
    part = Part("number", family("number").settings.model_validate(SMALL), 6)
    assert [dataset.item(index) for index in range(6)] == list(make_items(part, 9))
    assert item_at(part, 9, 4) == dataset.item(4)


def test_twins_stand_side_by_side() -> None:
    dataset = FreshItems("number", SMALL | {"reveal": "both"}, length=4, root_seed=9, frame_count=1)
    reveals = [dataset.item(index).clips[0].plan["reveal"] for index in range(4)]
    assert reveals == ["start", "end"] * 2


@pytest.mark.parametrize("workers", [0, 2])
def test_workers_ranks_and_epochs_share_no_item(workers: int) -> None:
    seen: list[str] = []
    for epoch in range(2):
        for rank in range(2):
            stream = FreshStream("number", SMALL, root_seed=5, length=6, frame_count=1, rank=rank, world_size=2)
            stream.set_epoch(epoch)
            seen += names(stream, workers)
    assert len(seen) == len(set(seen)) == 12


def test_a_batch_is_collated() -> None:
    dataset = FreshItems("speed", SMALL, length=4, root_seed=3, frame_count=2, question="first")
    [batch] = DataLoader(dataset, batch_size=4)
    assert batch["video"].shape == (4, 2, 3, 128, 128)
    assert set(batch["question"]) == {"first"} and len(batch["prompt"]) == 4


def test_an_endless_stream_goes_on() -> None:
    stream = iter(FreshStream("number", SMALL, root_seed=5, frame_count=1))
    assert len({json.loads(next(stream)["item"])["id"] for _ in range(5)}) == 5


@pytest.mark.parametrize(
    "wrong",
    [
        {"family_name": "nonsense"},
        {"settings": {"fps": 0}},
        {"question": "riddle"},
        {"length": 0},
        {"frame_count": 0},
    ],
)
def test_what_makes_no_sense_is_refused(wrong: dict[str, object]) -> None:
    chosen: dict[str, object] = {"family_name": "number", "length": 1, "root_seed": 1} | wrong
    name = chosen.pop("family_name")
    with pytest.raises(InputError):
        FreshItems(name, **chosen)  # type: ignore[arg-type]
    with pytest.raises(InputError):
        FreshStream("number", root_seed=1, rank=1)
