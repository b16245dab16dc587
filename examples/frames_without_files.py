"""Frames of a fresh item as an array, without a dataset on disk: for training, or to look at one thing closely.

Run it from the repository's root: python -m examples.frames_without_files [PICTURE.png]
"""

import sys
from pathlib import Path

from PIL import Image

from generators.family import family
from generators.rendering import frames
from generators.sampling import Part, make_items


def main(picture: Path) -> None:
    settings = family("number").settings.model_validate({"size": 3, "ops": 4, "resolution": 224})
    item = next(make_items(Part("number", settings, plans=1), root_seed=7))
    first, end = item.clips[0].spans[0]
    pixels = frames(item, [0, (first + end) // 2, end - 1])
    print(item.id, item.clips[0].plan["operations"], pixels.shape, pixels.dtype)
    picture.parent.mkdir(parents=True, exist_ok=True)
    Image.fromarray(pixels.swapaxes(0, 1).reshape(pixels.shape[1], -1, 3)).save(picture)


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "out/frames.png"))
