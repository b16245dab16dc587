"""Scenes, sprites, painters and files: how what happens becomes pixels."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from generators.item import Item


def frames(item: "Item | Mapping[str, Any]", indices: Iterable[int], *, clip: int = 0) -> "NDArray[np.uint8]":
    """Frames of one clip of an item, drawn without making a video.

    `item` is an Item or its JSON. Returns uint8 RGB of shape (number of indices, height, width, 3), in the order asked
    for. Raises IndexError for a frame or clip that the item does not have.
    """
    import json

    from generators.family import family
    from generators.item import Item
    from generators.rendering.video import render

    known = item if isinstance(item, Item) else Item.model_validate_json(json.dumps(item))
    if not 0 <= clip < len(known.clips):
        raise IndexError(f"{known.id} has {len(known.clips)} clips, numbered from 0; there is no clip {clip}")
    wanted = [int(index) for index in indices]
    total = known.clips[clip].frames
    for index in wanted:
        if not 0 <= index < total:
            raise IndexError(f"{known.id} has frames 0 to {total - 1}; there is no frame {index}")
    kind = family(known.family)
    return render(kind.scene(known.clips[clip].plan, kind.settings.model_validate(known.provenance.settings)), wanted)
