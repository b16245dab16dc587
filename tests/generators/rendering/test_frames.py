"""`frames(item, indices)`: any frames of an item, without a video."""

import json
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generators.dataset import read_items
from generators.family import family
from generators.item import Item
from generators.rendering import frames
from tests.generators.making import items_of

NUMBER = family("number")
SETTINGS = NUMBER.settings.model_validate({"resolution": "160x128", "ops": 3, "fps": 6, "seconds_per_op": 0.5})
[ITEM] = items_of(NUMBER, SETTINGS, 2, 1)
TOTAL = ITEM.clips[0].frames
ALL = frames(ITEM, range(TOTAL))


def test_all_frames() -> None:
    assert ALL.shape == (TOTAL, 128, 160, 3)
    assert ALL.dtype == np.uint8
    assert np.ptp(ALL, axis=0).any()


@given(st.lists(st.integers(0, TOTAL - 1), max_size=12))
def test_any_frames_in_any_order_and_repeated(indices: list[int]) -> None:
    assert np.array_equal(frames(ITEM, indices), ALL[indices])


def test_indices_may_come_from_numpy_or_a_generator() -> None:
    assert np.array_equal(frames(ITEM, np.array([3, 1])), ALL[[3, 1]])
    assert np.array_equal(frames(ITEM, (index for index in (2, 2))), ALL[[2, 2]])
    assert frames(ITEM, []).shape == (0, 128, 160, 3)


def test_frames_are_the_callers_own() -> None:
    first = frames(ITEM, [0])
    first[:] = 0
    assert np.array_equal(frames(ITEM, [0]), ALL[:1])


def test_an_items_json_is_as_good_as_the_item() -> None:
    as_read: dict[str, Any] = json.loads(ITEM.to_line())
    assert np.array_equal(frames(as_read, [4]), ALL[[4]])


@pytest.mark.parametrize("index", [1.5, 2.0, "3"])
def test_a_frame_is_a_whole_number_of_any_type(index: Any) -> None:
    assert np.array_equal(frames(ITEM, np.array([4, 7], dtype=np.uint8)), ALL[[4, 7]])
    with pytest.raises(TypeError, match="integer"):
        frames(ITEM, [0, index])


@pytest.mark.parametrize("index", [-1, TOTAL, 10**9])
def test_a_frame_that_is_not_there_is_an_error(index: int) -> None:
    with pytest.raises(IndexError, match=rf"frames 0 to {TOTAL - 1}; there is no frame {index}"):
        frames(ITEM, [0, index])


@pytest.mark.parametrize("clip", [-1, 1])
def test_a_clip_that_is_not_there_is_an_error(clip: int) -> None:
    with pytest.raises(IndexError, match=f"there is no clip {clip}"):
        frames(ITEM, [0], clip=clip)


def test_frames_of_a_dataset_are_those_of_its_videos(small_dataset: Path) -> None:
    items: list[Item] = list(read_items(small_dataset))
    assert len(items) == 6
    for item in items:
        [clip] = item.clips
        with av.open(str(small_dataset / str(clip.file))) as container:
            decoded = np.stack([frame.to_ndarray(format="rgb24") for frame in container.decode(video=0)])
        drawn = frames(item, range(clip.frames))
        assert decoded.shape == drawn.shape == (clip.frames, clip.height, clip.width, 3)
        difference = np.abs(decoded.astype(int) - drawn).mean(axis=(1, 2, 3))
        assert difference.max() <= 6.0
        # Each frame of the video is its own frame of the scene: no other that looks different is nearer.
        for index in range(clip.frames):
            distances = [np.abs(decoded[index].astype(int) - other).mean() for other in drawn]
            nearest = int(np.argmin(distances))
            assert np.array_equal(drawn[nearest], drawn[index]), (item.id, index, nearest)
