"""Both painters against recorded pictures of every family, and of two families in every look.

`pytest tests/generators/rendering/test_golden_frames.py --record-golden` records them afresh, with the CPU painter.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import numpy as np
import pytest
from PIL import Image

from generators.family import family_names
from generators.rendering import frames
from generators.rendering.gpu import close_device
from generators.rendering.renderers import RendererChoice
from generators.settings import Look
from tests.generators.rendering.likeness import Picture, assert_like, small_item
from tests.generators.rendering.opengl import on_opengl

GOLDEN = Path(__file__).parents[2] / "golden" / "frames"
RECORD = f"run python -m pytest {Path(__file__).relative_to(Path(__file__).parents[3])} --record-golden"
SIDE = 160
LARGEST = 700_000
"""Bytes of all recorded pictures."""

IN_EVERY_LOOK = ("card", "speed")
RECORDED = [(name, "plain") for name in family_names()]
RECORDED += [(name, look) for name in IN_EVERY_LOOK for look in get_args(Look) if look != "plain"]


@pytest.fixture(scope="module", autouse=True)
def _close_at_the_end() -> Iterator[None]:
    yield
    close_device()


def picture(name: str, look: str, renderer: RendererChoice) -> Picture:
    """Two frames side by side: the first one, and one in the middle of what happens in the middle of the clip."""
    item, _ = small_item(name, look=look)
    clip = item.clips[0]
    first, end = clip.spans[len(clip.spans) // 2]
    shown: Picture = frames(item, [0, (first + end) // 2], size=SIDE, renderer=renderer)
    return np.concatenate(list(shown), axis=1)


def recorded(name: str, look: str, *, afresh: bool = False) -> Picture:
    path = GOLDEN / f"{name}-{look}.png"
    if afresh:
        GOLDEN.mkdir(exist_ok=True)
        # Several processes may record the same picture.
        unfinished = path.with_suffix(f".{os.getpid()}")
        Image.fromarray(picture(name, look, "cpu")).save(unfinished, format="PNG", optimize=True)
        unfinished.replace(path)
    assert path.exists(), f"nothing is recorded of {name} in the look {look}: {RECORD}"
    with Image.open(path) as stored:
        return np.asarray(stored.convert("RGB"))


@pytest.fixture
def afresh(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--record-golden"))


@pytest.mark.parametrize(("name", "look"), RECORDED)
def test_the_cpu_painter_shows_what_was_recorded(name: str, look: str, afresh: bool) -> None:
    expected = recorded(name, look, afresh=afresh)
    assert_like(picture(name, look, "cpu"), expected, SIDE, f"{name}, {look}: if the new picture is meant, {RECORD}")


@pytest.mark.parametrize(("name", "look"), RECORDED)
@on_opengl
def test_the_gpu_painter_shows_what_was_recorded(name: str, look: str, afresh: bool) -> None:
    expected = recorded(name, look, afresh=afresh)
    assert_like(picture(name, look, "gpu"), expected, SIDE, f"{name}, {look}: if the new picture is meant, {RECORD}")


def test_the_recordings_are_small_and_of_something() -> None:
    paths = sorted(GOLDEN.glob("*"))
    strays = [path.name for path in paths if path.name not in {f"{name}-{look}.png" for name, look in RECORDED}]
    assert not strays, "recorded pictures of nothing that there is: remove them"
    assert sum(path.stat().st_size for path in paths) <= LARGEST


def test_a_picture_that_is_missing_or_another_says_how_to_record_it() -> None:
    with pytest.raises(AssertionError, match=r"nothing is recorded of speed in the look pretty: run .*--record-golden"):
        recorded("speed", "pretty")
    with pytest.raises(AssertionError, match=r"--record-golden"):
        assert_like(recorded("speed", "plain"), recorded("speed", "dark"), SIDE, RECORD)
