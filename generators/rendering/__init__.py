"""Scenes, sprites, painters and files: how what happens becomes pixels."""

import operator
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Literal, overload

if TYPE_CHECKING:
    import numpy as np
    import torch
    from numpy.typing import NDArray

    from generators.item import Clip, Item
    from generators.rendering.renderers import Renderer, RendererChoice
    from generators.rendering.scene import Scene
    from generators.settings import Resolution

Size = int | tuple[int, int]
"""(height, width) in pixels; a number alone is both."""


@overload
def frames(
    item: "Item | Mapping[str, Any]",
    indices: Iterable[int],
    *,
    clip: int = 0,
    size: Size | None = None,
    device: Literal["cpu"] = "cpu",
    renderer: "RendererChoice" = "cpu",
) -> "NDArray[np.uint8]": ...


@overload
def frames(
    item: "Item | Mapping[str, Any]",
    indices: Iterable[int],
    *,
    clip: int = 0,
    size: Size | None = None,
    device: Literal["cuda"],
    renderer: "RendererChoice" = "cpu",
) -> "torch.Tensor": ...


def frames(
    item: "Item | Mapping[str, Any]",
    indices: Iterable[int],
    *,
    clip: int = 0,
    size: Size | None = None,
    device: Literal["cpu", "cuda"] = "cpu",
    renderer: "RendererChoice" = "cpu",
) -> "NDArray[np.uint8] | torch.Tensor":
    """Frames of one clip of an item, drawn without making a video.

    `item` is an Item or its JSON. Returns uint8 RGB of shape (number of indices, height, width, 3), in the order asked
    for. Raises IndexError for a frame or clip that the item does not have, TypeError for one that is no whole number.

    With `size` the scene is laid out anew for that size and drawn at it, where it can be, else at a whole multiple of
    it, or as near as there is, and Pillow averages that over areas: `drawn_at` tells at what size it is drawn. With
    `device="cuda"` the result is a tensor on PyTorch's current CUDA device: with `renderer="gpu"` and cuda-core read
    from OpenGL's own buffer, else copied from pinned memory; the logger `generators.rendering.cuda` says which and why.
    `renderer` is "cpu", "gpu", or "auto", which takes a real GPU where one answers. Raises InputError where CUDA or the
    renderer cannot be had.
    """
    known, shown = _clip(item, clip)
    wanted = [operator.index(index) for index in indices]
    for index in wanted:
        if not 0 <= index < shown.frames:
            raise IndexError(f"{known.id} has frames 0 to {shown.frames - 1}; there is no frame {index}")
    if device != "cpu":
        from generators.rendering.cuda import require_cuda

        require_cuda(device)
    from generators.rendering.renderers import choose, with_fallback

    chosen, _ = choose(renderer)
    if device == "cpu":
        return with_fallback(chosen, lambda one: _pictures(known, shown, wanted, size, one))
    return with_fallback(chosen, lambda one: _on_cuda(known, shown, wanted, size, one))


def scene_of(item: "Item", clip: "Clip", resolution: "Resolution | None" = None) -> "Scene":
    """What a clip of an item shows, in its look: the one scene that videos, frames, sheets and checks are made from.

    With a `resolution` it is laid out anew for that. Raises InputError where it is too small for what the plan shows.
    """
    from generators.family import family
    from generators.rendering.looks import dressed

    kind = family(item.family)
    settings = kind.settings.model_validate(item.provenance.settings)
    chosen = settings if resolution is None else settings.model_copy(update={"resolution": resolution})
    return dressed(kind.scene(clip.plan, chosen), settings.look, item.id)


def drawn_at(item: "Item | Mapping[str, Any]", size: Size, *, clip: int = 0) -> tuple[int, int]:
    """(height, width) at which `frames` draws a clip for `size`, to average down from where it is another."""
    scene = _scene(*_clip(item, clip), size)
    return scene.height, scene.width


def _clip(item: "Item | Mapping[str, Any]", clip: int) -> "tuple[Item, Clip]":
    import json

    from generators.item import Item

    known = item if isinstance(item, Item) else Item.model_validate_json(json.dumps(item))
    if not 0 <= clip < len(known.clips):
        raise IndexError(f"{known.id} has {len(known.clips)} clips, numbered from 0; there is no clip {clip}")
    return known, known.clips[clip]


def _scene(item: "Item", clip: "Clip", size: Size | None) -> "Scene":
    """The clip's scene, laid out anew for a size, or for one that is averaged down to it."""
    from generators.errors import InputError

    for resolution in _resolutions(size):
        try:
            scene = scene_of(item, clip, resolution)
        except InputError:
            continue  # too small or too narrow for what the plan shows
        if scene.frames == clip.frames:
            return scene
    return scene_of(item, clip)


def _resolutions(size: Size | None) -> "Iterator[Resolution]":
    """What can be drawn for a size: it or its whole multiples, the smallest first, else the next that is larger."""
    if size is None:
        return
    from generators.settings import MAXIMUM_SIDE, MINIMUM_SIDE, Resolution

    height, width = _sides(size)
    for factor in range(1, MAXIMUM_SIDE // max(height, width) + 1):
        sides = Resolution(factor * width, factor * height)
        if all(side >= MINIMUM_SIDE and side % 4 == 0 for side in sides):
            yield sides
    yield Resolution(*(max(MINIMUM_SIDE, -(-side // 4) * 4) for side in (width, height)))


def _sides(size: Size) -> tuple[int, int]:
    """(height, width) of a size. Raises InputError where it is none."""
    from generators.errors import InputError
    from generators.settings import MAXIMUM_SIDE

    sides = (size, size) if isinstance(size, int) else tuple(size)
    if len(sides) != 2 or not all(isinstance(side, int) and 1 <= side <= MAXIMUM_SIDE for side in sides):
        raise InputError(f"size={size!r}: give (height, width) in pixels, each from 1 to {MAXIMUM_SIDE}, or one number")
    return sides[0], sides[1]


def _pictures(
    item: "Item", clip: "Clip", indices: list[int], size: Size | None, renderer: "Renderer"
) -> "NDArray[np.uint8]":
    from generators.rendering.video import render

    scene = _scene(item, clip, size)
    drawn = render(scene, indices, renderer)
    return drawn if _is_drawn_at(scene, size) else _averaged(drawn, size)


def _on_cuda(item: "Item", clip: "Clip", indices: list[int], size: Size | None, renderer: "Renderer") -> "torch.Tensor":
    from generators.rendering.cuda import on_cuda

    scene = _scene(item, clip, size)
    if _is_drawn_at(scene, size):
        return on_cuda(scene, indices, renderer)
    return on_cuda(scene, indices, renderer, lambda: _pictures(item, clip, indices, size, renderer))


def _is_drawn_at(scene: "Scene", size: Size | None) -> bool:
    return size is None or (scene.height, scene.width) == _sides(size)


def _averaged(drawn: "NDArray[np.uint8]", size: Size | None) -> "NDArray[np.uint8]":
    """The pictures at a smaller size, each pixel the average over its area."""
    import numpy as np
    from PIL import Image

    assert size is not None
    height, width = _sides(size)
    averaged = np.empty((len(drawn), height, width, 3), dtype=np.uint8)
    for picture, smaller in zip(drawn, averaged, strict=True):
        smaller[...] = np.asarray(Image.fromarray(picture).resize((width, height), Image.Resampling.BOX))
    return averaged
