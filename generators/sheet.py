"""Contact sheets: one picture an item that lets a person see at a glance what happened in its clips."""

from collections.abc import Sequence
from functools import cache, lru_cache
from textwrap import wrap
from typing import TYPE_CHECKING, NamedTuple, cast

from generators.item import Clip, Item
from generators.rendering.scene import Scene

if TYPE_CHECKING:
    from av import VideoFrame
    from av.video.reformatter import VideoReformatter
    from PIL.Image import Image

THUMBNAIL = 136
SHORTEST_SIDE = 96
"""About how long the longer side of a thumbnail is in pixels, and the least that the shorter one may have; a clip's
sides are divided by a whole number."""

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


class Strip:
    """The thumbnails of one clip, taken from frames as they are painted for its video and averaged down."""

    def __init__(self, clip: Clip, scene: Scene) -> None:
        self.moments = moments(clip, scene)
        sides = scene.width, scene.height
        factor = max(1, min(round(max(sides) / THUMBNAIL), min(sides) // SHORTEST_SIDE))
        self._size = sides[0] // factor, sides[1] // factor
        self._taken: dict[int, Image | None] = {moment.frame: None for moment in self.moments}

    def take(self, index: int, frame: "VideoFrame") -> None:
        """Keep a small picture of frame `index` if there is to be one."""
        if self._taken.get(index, frame) is not None:
            return
        from av.video.reformatter import Colorspace, Interpolation
        from PIL import Image

        small = _reformatter().reformat(
            frame,
            *self._size,
            "rgb24",
            src_colorspace=Colorspace.ITU709,
            dst_colorspace=Colorspace.ITU709,
            interpolation=Interpolation.AREA,
            threads=1,
        )
        self._taken[index] = Image.fromarray(small.to_ndarray())

    @property
    def pictures(self) -> "list[Image]":
        """The thumbnails in the order of the moments. Raises KeyError where a frame was not shown to it."""
        pictures = [self._taken[moment.frame] for moment in self.moments]
        if None in pictures:
            raise KeyError("not all frames of the sheet were painted")
        return cast("list[Image]", pictures)


@cache
def _reformatter() -> "VideoReformatter":
    """One for all clips: what it has worked out for one size serves the next clip as well."""
    from av.video.reformatter import VideoReformatter

    return VideoReformatter()


def painted_strip(item: Item, clip: Clip) -> Strip:
    """The thumbnails of a clip whose video is not being made."""
    from generators.rendering import scene_of
    from generators.rendering.cpu import Painter
    from generators.rendering.video import frame_and_planes

    scene = scene_of(item, clip)
    strip = Strip(clip, scene)
    frame, planes = frame_and_planes(scene.width, scene.height, scene.fps)
    painter = Painter(scene, planes)
    for index in sorted({moment.frame for moment in strip.moments}):
        painter.paint(index)
        strip.take(index, frame)
    return strip


def contact_sheet(item: Item, clips: Sequence[Strip] | None = None) -> "Image":
    """The sheet of an item, its clips one below the other; they are painted unless their strips are given."""
    from PIL import Image, ImageDraw

    from generators.rendering.sprites import font

    taken = clips or [painted_strip(item, clip) for clip in item.clips]
    strips = [(strip.moments, strip.pictures) for strip in taken]
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
    for chosen, pictures in strips:
        for number, (moment, thumbnail) in enumerate(zip(chosen, pictures, strict=True)):
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
