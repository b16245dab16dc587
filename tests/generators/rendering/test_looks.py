"""Looks change pixels and nothing else, and what is asked about can be seen in every one of them."""

import json
from dataclasses import replace
from functools import cache
from itertools import pairwise
from math import cos, radians, sin
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from generators.errors import InputError
from generators.family import family, family_names
from generators.item import Item
from generators.rendering import frames, scene_of
from generators.rendering.looks import ABOVE, BELOW, LOOK_NAMES, MOVING, dressed, look_of, quantisers
from generators.rendering.scene import QUANTISER, Grain, Placement, Scene, Text
from generators.rendering.video import encode, encoder_description, render
from generators.settings import Look
from tests.generators.making import items_of

CLEAR, CHANGED, SEEN = 60, 40, 0.45
"""Levels by which a pixel changes clearly in the plain look and in another, and the share of the former that must be
seen to change: a darker room and a camera further back take some."""

DRESSED = LOOK_NAMES[1:]


@cache
def sample(name: str, look: str = "plain") -> Item:
    """An item of a family, small where it can be."""
    kind = family(name)
    for resolution in ("192", "256", "384"):
        try:
            return items_of(kind, kind.settings.model_validate({"resolution": resolution, "look": look}), 5, 1)[0]
        except InputError:
            continue
    raise AssertionError(name)


def without_look(item: Item) -> dict[str, object]:
    described = item.to_json()
    described["provenance"]["settings"].pop("look", None)
    return described


@pytest.mark.parametrize("name", family_names())
def test_a_look_changes_nothing_but_pixels(name: str) -> None:
    plain = sample(name)
    for look in ("dark", "noisy", "random"):
        other = sample(name, look)
        assert other.provenance.settings["look"] == look
        assert without_look(other) == without_look(plain)
    shown = scene_of(plain, plain.clips[0])
    for look in DRESSED:
        scene = dressed(shown, look, plain.id)
        assert (scene.width, scene.height, scene.fps, scene.frames) == (
            shown.width,
            shown.height,
            shown.fps,
            shown.frames,
        )
        assert (scene.spans, scene.cuts, scene.moments, scene.seen) == (
            shown.spans,
            shown.cuts,
            shown.moments,
            shown.seen,
        )


def test_the_plain_look_is_the_scene_itself_and_goes_without_saying() -> None:
    item = sample("number")
    kind = family("number")
    settings = kind.settings.model_validate(item.provenance.settings)
    assert "look" not in item.provenance.settings and settings.look == "plain"
    bare = kind.scene(item.clips[0].plan, settings)
    assert dressed(bare, "plain", item.id) is bare
    assert np.array_equal(frames(item, [0, 40]), render(bare, [0, 40]))
    assert "look" not in items_of(kind, kind.settings(), 1, 1)[0].provenance.settings


@pytest.mark.parametrize("look", DRESSED)
def test_a_look_shows_and_is_drawn_from_the_items_id_alone(look: Look) -> None:
    plain, item = sample("speed"), sample("speed", look)
    indices = [0, 30, 31]
    once = frames(item, indices)
    assert np.array_equal(once, frames(json.loads(item.to_line()), indices))
    assert not np.array_equal(once, frames(plain, indices))
    assert np.array_equal(once[[2, 0]], frames(item, [31, 0]))
    kind = family("speed")
    settings = kind.settings.model_validate(plain.provenance.settings)
    assert np.array_equal(once, render(dressed(kind.scene(plain.clips[0].plan, settings), look, plain.id), indices))


@pytest.mark.parametrize("look", DRESSED)
def test_both_clips_of_a_pair_are_dressed_alike_frame_by_frame(look: Look) -> None:
    """Their first and last frames stay equal; where the look stands still, equal frames stay equal anywhere."""
    item = sample("speed", look)
    last = item.clips[0].frames - 1
    first, second = (frames(item, [0, last], clip=clip) for clip in (0, 1))
    assert np.array_equal(first, second)
    if look in MOVING:
        return
    hashes = [
        sorted(hash(frame.tobytes()) for frame in frames(item, range(last + 1), clip=clip, size=128)) for clip in (0, 1)
    ]
    assert hashes[0] == hashes[1]


def test_random_draws_every_look_and_always_the_same_for_an_item() -> None:
    drawn = [look_of("random", f"number-{number:012x}") for number in range(400)]
    assert set(drawn) == set(LOOK_NAMES)
    assert min(map(drawn.count, LOOK_NAMES)) >= 25
    assert drawn == [look_of("random", f"number-{number:012x}") for number in range(400)]
    item = sample("number", "random")
    look = look_of("random", item.id)
    plain = sample("number")
    settings = family("number").settings.model_validate(plain.provenance.settings)
    scene = dressed(family("number").scene(plain.clips[0].plan, settings), look, item.id)
    assert np.array_equal(frames(item, [5]), render(scene, [5]))


def box(scene: Scene, one: Placement) -> tuple[float, float, float, float]:
    """(left, top, right, bottom) of a placement, turned and scaled."""
    sprite, angle = scene.sprites[one.sprite], radians(one.angle)
    width = (abs(cos(angle)) * sprite.width + abs(sin(angle)) * sprite.height) * one.scale
    height = (abs(sin(angle)) * sprite.width + abs(cos(angle)) * sprite.height) * one.scale
    return one.x - width / 2, one.y - height / 2, one.x + width / 2, one.y + height / 2


def beyond(scene: Scene, one: Placement) -> float:
    """Pixels by which a placement reaches over the canvas's edge."""
    left, top, right, bottom = box(scene, one)
    return max(0.0, -left, -top, right - scene.width, bottom - scene.height)


@pytest.mark.parametrize("name", family_names())
def test_a_hand_held_camera_loses_nothing(name: str) -> None:
    item = sample(name)
    plain = scene_of(item, item.clips[0])
    held = dressed(plain, "handheld", item.id)
    for index in range(0, plain.frames, 5):
        for was, becomes in zip(plain.placements(index), held.placements(index), strict=True):
            assert beyond(held, becomes) <= beyond(plain, was)


@pytest.mark.parametrize("name", family_names())
def test_what_a_look_adds_lies_below_everything_but_grain(name: str) -> None:
    item = sample(name)
    plain = scene_of(item, item.clips[0])
    for look in DRESSED:
        scene = dressed(plain, look, item.id)
        added = [one for one in scene.placements(7) if one.sprite >= len(plain.sprites)]
        for one in added:
            is_grain = any(isinstance(shape, Grain) for shape in scene.sprites[one.sprite].shapes)
            # Shadows lie right below what casts them, and are faint.
            assert one.depth == (ABOVE if is_grain else BELOW) or (look == "lit" and one.opacity <= 0.3)
        kept = [one for one in scene.placements(7) if one.sprite < len(plain.sprites)]
        assert [one.sprite for one in kept] == [one.sprite for one in plain.placements(7)]
        assert all(BELOW < one.depth < ABOVE for one in kept)


Picture = NDArray[np.int16]


def still(scene: Scene, index: int, look: Look, item_id: str) -> Picture:
    """Frame `index` of the plain scene in the first moment of a look, so that only what happens tells two apart."""
    placed = scene.placements(index)
    held = dressed(replace(scene, placements=lambda frame: placed), look, item_id)
    picture: Picture = render(held, [0])[0].astype(np.int16)
    return picture


def clearly(one: Picture, other: Picture, levels: int) -> int:
    return int((np.abs(one - other).max(axis=2) >= levels).sum())


@pytest.mark.parametrize("name", family_names())
def test_what_happens_can_be_seen_in_every_look(name: str) -> None:
    """Of the pixels that change clearly between moments of the plain clip, enough change in every look."""
    item = sample(name)
    scene = scene_of(item, item.clips[0])
    first, end = scene.spans[len(scene.spans) // 2]
    moments = sorted({0, first, (first + end) // 2, end - 1, scene.frames - 1})
    plain = [still(scene, index, "plain", item.id) for index in moments]
    changes = [clearly(*pictures, CLEAR) for pictures in pairwise(plain)]
    assert max(changes) >= 20
    for look in DRESSED:
        pictures = [still(scene, index, look, item.id) for index in moments]
        for before, after, change in zip(pictures, pictures[1:], changes, strict=False):
            assert clearly(before, after, CHANGED) >= SEEN * change - 10, look


WRITTEN = [
    name
    for name in family_names()
    if any(
        isinstance(shape, Text)
        for sprite in scene_of(sample(name), sample(name).clips[0]).sprites
        for shape in sprite.shapes
    )
]


def with_and_without_writing(scene: Scene, index: int) -> tuple[Picture, Picture]:
    bare = tuple(
        replace(sprite, shapes=tuple(shape for shape in sprite.shapes if not isinstance(shape, Text)))
        for sprite in scene.sprites
    )
    one, other = (render(its, [index])[0].astype(np.int16) for its in (scene, replace(scene, sprites=bare)))
    return one, other


@pytest.mark.parametrize("name", WRITTEN)
def test_what_is_written_can_be_read_in_every_look(name: str) -> None:
    """Writing differs from what lies behind it by as much as in the plain look, or nearly."""
    item = sample(name)
    scene = scene_of(item, item.clips[0])
    first, end = scene.spans[0]
    moments = (0, (first + end) // 2)
    plain = [clearly(*with_and_without_writing(scene, index), 100) for index in moments]
    assert max(plain) >= 20
    for look in DRESSED:
        shown = dressed(scene, look, item.id)
        for index, pixels in zip(moments, plain, strict=True):
            assert clearly(*with_and_without_writing(shown, index), 75) >= SEEN * pixels, (look, index)


CONTRAST, CORE_CONTRAST = 3.0, 4.5
"""What WCAG 2.2 asks of large or bold writing, and of any writing: held by most of its pixels, edges included, and by
those in its middle."""


def luminance(pixels: Picture) -> NDArray[np.float64]:
    """Relative luminance as WCAG 2.2 defines it, with the 0.05 that it adds."""
    share = pixels / 255
    linear = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    brightness: NDArray[np.float64] = linear @ np.array([0.2126, 0.7152, 0.0722]) + 0.05
    return brightness


@pytest.mark.parametrize("look", LOOK_NAMES)
@pytest.mark.parametrize("name", WRITTEN)
def test_writing_stands_out_from_what_lies_behind_it(name: str, look: Look) -> None:
    item = sample(name)
    scene = dressed(scene_of(item, item.clips[0]), look, item.id)
    one, other = with_and_without_writing(scene, 0)
    written = np.abs(one - other).max(axis=2) >= CLEAR
    light, dark = luminance(one[written]), luminance(other[written])
    ratios = np.maximum(light, dark) / np.minimum(light, dark)
    assert np.median(ratios) >= CONTRAST
    assert np.percentile(ratios, 90) >= CORE_CONTRAST


SMALLEST_WRITING, SMALLEST_SCALE = 512 / 32, 0.9
"""Pixels of the em square in clips of the usual size, and how much of it a look may leave."""


@pytest.mark.parametrize("name", WRITTEN)
def test_writing_is_large_enough_in_every_look(name: str) -> None:
    kind = family(name)
    for item in items_of(kind, kind.settings(), 5, 4):
        plain = scene_of(item, item.clips[0])
        first, end = plain.spans[0]
        sizes = {}
        for look in LOOK_NAMES:
            scene = dressed(plain, look, item.id)
            sizes[look] = [
                shape.size * one.scale
                for index in (0, (first + end) // 2, plain.frames - 1)
                for one in scene.placements(index)
                for shape in scene.sprites[one.sprite].shapes
                if isinstance(shape, Text) and one.sprite < len(plain.sprites)
            ]
        for look, found in sizes.items():
            assert min(found, default=SMALLEST_WRITING) >= SMALLEST_WRITING, look
            assert all(a >= SMALLEST_SCALE * b for a, b in zip(found, sizes["plain"], strict=True)), look


def test_distractors_are_pale() -> None:
    for name in ("speed", "card", "file"):
        item = sample(name)
        plain = scene_of(item, item.clips[0])
        scene = dressed(plain, "cluttered", item.id)
        for sprite in scene.sprites[len(plain.sprites) :]:
            [shape] = sprite.shapes
            assert not isinstance(shape, Grain)
            differences = [abs(a - b) for a, b in zip(shape.colour, plain.background, strict=True)]
            assert 15 <= max(differences) <= 40


def test_a_noisy_clip_is_no_larger_than_it_need_be(tmp_path: Path) -> None:
    item = items_of(family("number"), family("number").settings.model_validate({"look": "noisy"}), 5, 1)[0]
    scene = scene_of(item, item.clips[0])
    encode(scene, tmp_path / "clip.mp4")
    assert 200_000 < (tmp_path / "clip.mp4").stat().st_size < 3_000_000


def test_the_manifest_says_how_a_noisy_look_is_encoded() -> None:
    assert encoder_description(quantisers(["plain", "dark"])) == encoder_description()
    noisy = encoder_description(quantisers(["plain", "random"]))
    assert noisy == encoder_description(quantisers(["noisy"]))
    assert noisy["qp"] == str(QUANTISER) and int(noisy["qp_noisy"]) > QUANTISER + 8
