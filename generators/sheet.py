"""Contact sheets: one picture an item that lets a person see at a glance what happened in its clips."""

from functools import lru_cache
from textwrap import wrap
from typing import TYPE_CHECKING, NamedTuple

from generators.item import Clip, Item
from generators.rendering.scene import Scene
from generators.settings import Resolution

if TYPE_CHECKING:
    from PIL.Image import Image

THUMBNAIL = 136
SHORTEST_SIDE = 96
"""The longer side of a thumbnail in pixels, unless the shorter one would be less than this."""

COLUMNS = 7
WIDEST = 1_000
"""Columns of a sheet, and its width in pixels where thumbnails are so wide that there must be fewer."""

MAXIMUM_THUMBNAILS = 42
EVENLY_SPACED = 14
LETTER = 7
LINE = 13
"""Width of a letter and height of a line of the captions, in pixels."""

MAXIMUM_LINES = 3
PALETTE = 128
SAMPLED = 3
GAP = 6
PAPER = (255, 255, 255)
INK = (40, 40, 40)


class Moment(NamedTuple):
    frame: int
    caption: str


def moments(clip: Clip, scene: Scene) -> list[Moment]:
    """The frames worth a thumbnail: the first, one of each operation, and the very last; else evenly spaced ones."""
    names = clip.plan.get("operations")
    if names is None:
        spaced = [round(place * (clip.frames - 1) / (EVENLY_SPACED - 1)) for place in range(EVENLY_SPACED)]
        return [Moment(frame, f"{frame / clip.fps:.1f} s") for frame in spaced]
    chosen = [Moment(0, "first frame")]
    best = scene.moments or tuple((first + end) // 2 for first, end in clip.spans)
    for number, frame in enumerate(best):
        caption = f"{number + 1} {names[number]}" if number < len(names) else str(number + 1)
        chosen.append(Moment(frame, caption))
    chosen.append(Moment(clip.frames - 1, "last frame"))
    if len(chosen) > MAXIMUM_THUMBNAILS:
        step = (len(chosen) - 1) / (MAXIMUM_THUMBNAILS - 1)
        chosen = [chosen[round(index * step)] for index in range(MAXIMUM_THUMBNAILS)]
    return chosen


def contact_sheet(item: Item) -> "Image":
    """The sheet of an item, its clips one below the other; drawn small from the scene, not scaled down from a video."""
    from PIL import Image, ImageDraw

    from generators.rendering import scene_of
    from generators.rendering.sprites import font
    from generators.rendering.video import render

    strips: list[tuple[list[Moment], list[Image.Image]]] = []
    for clip in item.clips:
        shrink = max(THUMBNAIL / max(clip.width, clip.height), SHORTEST_SIDE / min(clip.width, clip.height))
        small = Resolution(max(2, round(clip.width * shrink / 2) * 2), max(2, round(clip.height * shrink / 2) * 2))
        scene = scene_of(item, clip, small)
        chosen = moments(clip, scene)
        pixels = render(scene, [moment.frame for moment in chosen])
        strips.append((chosen, [Image.fromarray(frame) for frame in pixels]))
    width, height = strips[0][1][0].size
    columns = max(1, min(COLUMNS, WIDEST // (width + GAP), max(len(chosen) for chosen, _ in strips)))
    rows = sum(-(-len(chosen) // columns) for chosen, _ in strips)
    captions = {
        moment.caption: wrap(moment.caption, width // LETTER, max_lines=MAXIMUM_LINES, placeholder=" …")
        for chosen, _ in strips
        for moment in chosen
    }
    step = height + GAP + 2 + LINE * max(map(len, captions.values()))
    sheet = Image.new("RGB", (columns * (width + GAP) + GAP, rows * step + 2 * GAP + LINE), PAPER)
    ImageDraw.Draw(sheet).text((GAP, GAP), item.id, font=font(11), fill=INK)
    top = 2 * GAP + LINE
    for chosen, thumbnails in strips:
        for number, (moment, thumbnail) in enumerate(zip(chosen, thumbnails, strict=True)):
            left = GAP + number % columns * (width + GAP)
            at = top + number // columns * step
            sheet.paste(thumbnail, (left, at))
            for line, words in enumerate(captions[moment.caption]):
                sheet.paste(caption(words, width), (left, at + height + 2 + line * LINE))
        top += -(-len(chosen) // columns) * step
    # A palette halves both the file and the time to write it, and these are flat pictures. To choose it, every third
    # pixel of every third row will do.
    sample = sheet.resize((sheet.width // SAMPLED, sheet.height // SAMPLED), Image.Resampling.NEAREST)
    palette = sample.quantize(PALETTE, Image.Quantize.FASTOCTREE)
    return sheet.quantize(palette=palette, dither=Image.Dither.NONE)


@lru_cache(maxsize=1024)
def caption(words: str, width: int) -> "Image":
    """One line of a caption as a picture: many thumbnails have the same."""
    from PIL import Image, ImageDraw

    from generators.rendering.sprites import font

    line = Image.new("RGB", (width, LINE + GAP), PAPER)
    ImageDraw.Draw(line).text((0, 0), words, font=font(11), fill=INK)
    return line
