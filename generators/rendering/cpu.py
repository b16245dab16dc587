"""The CPU painter: keeps the frame in planes and repaints only what changed since the frame before."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import floor
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from generators.rendering.scene import Colour, Placement, Scene, Sprite
from generators.rendering.sprites import rasterise

Plane = NDArray[np.uint8]

YUV_OFFSET = np.array([16.0, 128.0, 128.0], dtype=np.float32)
YUV_MATRIX = np.array(
    [
        [0.2126 * 219 / 255, 0.7152 * 219 / 255, 0.0722 * 219 / 255],
        [-0.2126 / 1.8556 * 224 / 255, -0.7152 / 1.8556 * 224 / 255, 0.9278 / 1.8556 * 224 / 255],
        [0.7874 / 1.5748 * 224 / 255, -0.7152 / 1.5748 * 224 / 255, -0.0722 / 1.5748 * 224 / 255],
    ],
    dtype=np.float32,
)
"""RGB to limited-range Y'CbCr. Source: ITU-R BT.709-6, sections 3 and 4."""


class Box(NamedTuple):
    """Pixels `left` ≤ x < `right`, `top` ≤ y < `bottom`."""

    left: int
    top: int
    right: int
    bottom: int

    def intersection(self, other: "Box") -> "Box":
        return Box(
            max(self.left, other.left),
            max(self.top, other.top),
            min(self.right, other.right),
            min(self.bottom, other.bottom),
        )

    def union(self, other: "Box") -> "Box":
        return Box(
            min(self.left, other.left),
            min(self.top, other.top),
            max(self.right, other.right),
            max(self.bottom, other.bottom),
        )

    def contains(self, other: "Box") -> bool:
        return (
            self.left <= other.left
            and self.top <= other.top
            and self.right >= other.right
            and self.bottom >= other.bottom
        )

    @property
    def area(self) -> int:
        return max(0, self.right - self.left) * max(0, self.bottom - self.top)


@dataclass(frozen=True, slots=True)
class Layer:
    """A stamp's part in one plane: what it adds and what it keeps of the ground.

    `adds` is premultiplied, in 256ths with one half for rounding, `keeps` runs from 0 to 256: the painter multiplies,
    adds and shifts, all within 16 bits.
    """

    adds: NDArray[np.uint16]
    keeps: NDArray[np.uint16]
    hides: NDArray[np.uint8]
    """What stands there where nothing is kept: a plain copy is enough."""


@dataclass(frozen=True, slots=True)
class Stamp:
    """A sprite made ready for one format, chroma phase and opacity.

    `solid` is a box inside the sprite, from its top left corner, where it hides everything below it.
    """

    width: int
    height: int
    layers: tuple[Layer, ...]
    solid: Box


@lru_cache(maxsize=1024)
def _stamp(sprite: Sprite, scale: float, angle: float, opacity: int, phase_x: int, phase_y: int, planar: bool) -> Stamp:
    """The stamp of a sprite. `planar` chooses Y'CbCr 4:2:0, else RGB.

    `phase_x` and `phase_y` tell whether the sprite starts on an odd column or row, which decides how its pixels pair
    up in the halved planes.
    """
    pixels = rasterise(sprite, scale, angle).astype(np.float32) * np.float32(opacity / 255.0)
    height, width = pixels.shape[:2]
    solid = _solid_box(pixels[..., 3])
    if not planar:
        keeps = np.repeat(255.0 - pixels[..., 3:], 3, axis=2)
        return Stamp(width, height, (_layer(pixels[..., :3], keeps),), solid)
    alpha = pixels[..., 3]
    components = pixels[..., :3] @ YUV_MATRIX.T + alpha[..., np.newaxis] * (YUV_OFFSET / 255.0)
    luma, *chroma = np.moveaxis(components, -1, 0)
    pad = ((phase_y, (height + phase_y) % 2), (phase_x, (width + phase_x) % 2))
    halved_alpha, blue, red = (_halved(plane, pad) for plane in (alpha, *chroma))
    layers = (
        _layer(luma, 255.0 - alpha),
        _layer(np.stack([blue, red]), np.stack([255.0 - halved_alpha] * 2)),
    )
    # A side on an odd pixel shares its chroma samples with what lies beside it.
    inside = Box(
        solid.left + (solid.left + phase_x) % 2,
        solid.top + (solid.top + phase_y) % 2,
        solid.right - (solid.right + phase_x) % 2,
        solid.bottom - (solid.bottom + phase_y) % 2,
    )
    return Stamp(width, height, layers, inside)


def _layer(adds: NDArray[np.float32], keeps: NDArray[np.float32]) -> Layer:
    whole = np.rint(keeps * (256 / 255))
    # Held to what 16 bits can take where the ground is white.
    added = np.minimum(np.rint(adds * 256) + 128, 65535 - 255 * whole)
    return Layer(added.astype(np.uint16), whole.astype(np.uint16), (added // 256).astype(np.uint8))


def _halved(plane: NDArray[np.float32], pad: tuple[tuple[int, int], tuple[int, int]]) -> NDArray[np.float32]:
    """Averages over 2×2 pixels of the plane, padded with nothing where it begins or ends on an odd pixel."""
    (top, bottom), (left, right) = pad
    height, width = plane.shape[0] + top + bottom, plane.shape[1] + left + right
    padded = np.zeros((height, width), dtype=np.float32)
    padded[top : height - bottom, left : width - right] = plane
    quarters = padded[::2] + padded[1::2]
    halves: NDArray[np.float32] = (quarters[:, ::2] + quarters[:, 1::2]) * np.float32(0.25)
    return halves


def _solid_box(alpha: NDArray[np.float32]) -> Box:
    """A box of full opacity around the centre, found by taking the same margin off every side."""
    height, width = alpha.shape
    opaque = alpha >= 254.5
    if not opaque[height // 2, width // 2]:
        return Box(0, 0, 0, 0)
    for margin in range(min(width, height) // 2):
        if opaque[margin : height - margin, margin : width - margin].all():
            return Box(margin, margin, width - margin, height - margin)
    return Box(0, 0, 0, 0)


class Placed(NamedTuple):
    """A placement made ready to paint: its top left pixel, its extent, and where it hides what lies below."""

    left: int
    top: int
    extent: Box
    solid: Box
    stamp: Stamp


class Painter:
    """Paints any frame of a scene into `planes`, in place.

    `planes` are either one array (height, width, 3) for RGB, or two for Y'CbCr 4:2:0, limited range, BT.709: luma
    (height, width), and both chroma planes as one (2, height / 2, width / 2), which halves the number of array calls.
    """

    def __init__(self, scene: Scene, planes: Sequence[Plane]) -> None:
        self.scene = scene
        self.planes = tuple(planes)
        self.planar = len(self.planes) == 2
        self.canvas = Box(0, 0, scene.width, scene.height)
        self.ground = _ground(scene.background, self.planar)
        self._listed: Sequence[Placement] | None = None
        # What has stood still for two frames, painted once in planes of its own, to be copied from where it is crowded.
        self._still = 0
        self._below: Painter | None = None
        self._ordered: list[Placement] = []
        self._placed: list[Placed] = []
        self._stamps: dict[tuple[int, float, float, int, int, int], Stamp] = {}
        # One scratch array for all blending; a blend's product needs 16 bits.
        self._scratch = np.empty(scene.width * scene.height * (1 if self.planar else 3), dtype=np.uint16)

    def paint(self, frame: int) -> None:
        """Bring the planes from the frame painted last to `frame`; frames may come in any order."""
        listed = self.scene.placements(frame)
        if listed is not self._listed:
            self._show(sorted(listed, key=_DEPTH))
            self._listed = listed

    def _show(self, ordered: list[Placement]) -> None:
        """Bring the planes to what these placements show, painted in this order."""
        first, last = _unequal_part(self._ordered, ordered)
        placed = [
            *self._placed[:first],
            *map(self._place, ordered[first : len(ordered) - last]),
            *self._placed[len(self._placed) - last :],
        ]
        boxes = self._changed(ordered, placed, first, last) if self._placed else [self.canvas]
        is_still = first == self._still
        self._still, self._ordered, self._placed = first, ordered, placed
        for box in boxes:
            self._repaint(self._aligned(box), first if is_still else 0)

    def _changed(self, ordered: list[Placement], placed: list[Placed], first: int, last: int) -> list[Box]:
        """Boxes that hold every pixel which the new list of placements shows differently from the old."""
        old, new = self._placed[first : len(self._placed) - last], placed[first : len(placed) - last]
        if len(old) != len(new):
            return _merged([one.extent for one in (*old, *new)])
        # Lists of one length differ place by place: what is the same at the same place has not changed.
        changed = []
        for before, after, was, becomes in zip(self._ordered[first:], ordered[first:], old, new, strict=False):
            if before != after:
                changed += [was.extent, becomes.extent]
        return _merged(changed)

    def _place(self, placement: Placement) -> Placed:
        sprite = self.scene.sprites[placement.sprite]
        if placement.angle or placement.scale != 1.0 or sprite.blur:
            height, width = rasterise(sprite, placement.scale, placement.angle).shape[:2]
        else:
            width, height = sprite.width, sprite.height
        left = floor(placement.x - width / 2 + 0.5)
        top = floor(placement.y - height / 2 + 0.5)
        phase = (left & 1, top & 1) if self.planar else (0, 0)
        key = (placement.sprite, placement.scale, placement.angle, round(placement.opacity * 255), *phase)
        stamp = self._stamps.get(key)
        if stamp is None:
            stamp = self._stamps[key] = _stamp(sprite, *key[1:], self.planar)
        inner = stamp.solid
        solid = Box(left + inner.left, top + inner.top, left + inner.right, top + inner.bottom)
        return Placed(left, top, Box(left, top, left + stamp.width, top + stamp.height), solid, stamp)

    def _aligned(self, box: Box) -> Box:
        """The box grown to even coordinates, so that whole chroma samples are repainted, and cut to the canvas."""
        return Box(box.left & -2, box.top & -2, (box.right + 1) & -2, (box.bottom + 1) & -2).intersection(self.canvas)

    def _repaint(self, box: Box, still: int) -> None:
        """Paint everything within the box; the first `still` placements are those that stand still."""
        if box.area == 0:
            return
        left, top, right, bottom = box
        within: list[Placed] = []
        of_these_still = 0
        is_covered = False
        for number, one in enumerate(self._placed):
            extent = one.extent
            if extent.left < right and extent.right > left and extent.top < bottom and extent.bottom > top:
                if one.solid.contains(box):
                    within, of_these_still, is_covered = [], 0, True
                within.append(one)
                of_these_still += number < still
        if of_these_still >= CROWD:
            self._copy_below(box, still)
            within = within[of_these_still:]
        elif not is_covered:
            self.planes[0][top:bottom, left:right] = self.ground[0]
            if self.planar:
                self.planes[1][:, top >> 1 : bottom >> 1, left >> 1 : right >> 1] = self.ground[1]
        for one in within:
            self._put(one, one.extent.intersection(box))

    def _copy_below(self, box: Box, still: int) -> None:
        if self._below is None:
            self._below = Painter(self.scene, [np.empty_like(plane) for plane in self.planes])
        if self._below._ordered[:still] != self._ordered[:still] or len(self._below._ordered) != still:
            self._below._show(self._ordered[:still])
        left, top, right, bottom = box
        for plane, source in zip(self.planes, self._below.planes, strict=True):
            if plane is self.planes[0]:
                plane[top:bottom, left:right] = source[top:bottom, left:right]
            else:
                halves = (WHOLE, slice(top >> 1, bottom >> 1), slice(left >> 1, right >> 1))
                plane[halves] = source[halves]

    def _put(self, one: Placed, visible: Box) -> None:
        covers = one.solid.contains(visible)
        is_whole = visible == one.extent
        left, top, right, bottom = visible
        x, y = one.left, one.top
        for plane, layer in zip(self.planes, one.stamp.layers, strict=True):
            if plane.ndim == 3 and self.planar:
                # From full resolution to the halved planes; an odd edge shares its sample with what lies beside it.
                left, top, right, bottom = left >> 1, top >> 1, (right + 1) >> 1, (bottom + 1) >> 1
                x, y = x >> 1, y >> 1
                target = plane[:, top:bottom, left:right]
                source: Any = WHOLE if is_whole else (WHOLE, slice(top - y, bottom - y), slice(left - x, right - x))
            else:
                target = plane[top:bottom, left:right]
                source = WHOLE if is_whole else (slice(top - y, bottom - y), slice(left - x, right - x))
            if covers:
                target[...] = layer.hides[source]
                continue
            # target ← (target · keeps + adds) / 256, where keeps is 0 to 256 and adds carries the rounding.
            scratch = self._scratch[: target.size].reshape(target.shape)
            np.multiply(target, layer.keeps[source], out=scratch)
            scratch += layer.adds[source]
            np.right_shift(scratch, 8, out=target, casting="unsafe")


WHOLE = slice(None)
CROWD = 3
"""From so many still placements on, a copy of them is quicker than painting them."""
_DEPTH = attrgetter("depth")


def _unequal_part(old: list[Placement], new: list[Placement]) -> tuple[int, int]:
    """(length of the common beginning, length of the common end) of two lists."""
    shorter = min(len(old), len(new))
    first = 0
    while first < shorter and (old[first] is new[first] or old[first] == new[first]):
        first += 1
    last = 0
    while last < shorter - first and (old[-1 - last] is new[-1 - last] or old[-1 - last] == new[-1 - last]):
        last += 1
    return first, last


def _ground(colour: Colour, planar: bool) -> tuple[NDArray[np.uint8], ...]:
    rgb = np.array(colour, dtype=np.float64)
    if not planar:
        return (rgb.astype(np.uint8),)
    luma, *chroma = np.rint(YUV_MATRIX @ rgb + YUV_OFFSET).astype(np.uint8)
    return np.array(luma), np.array(chroma).reshape(2, 1, 1)


def _merged(boxes: list[Box]) -> list[Box]:
    """Boxes joined where one repaint of both costs no more than two apart."""
    merged: list[Box] = []
    for box in boxes:
        left, top, right, bottom = box
        area = (right - left) * (bottom - top)
        for other in list(merged):
            joined_left, joined_top = min(left, other.left), min(top, other.top)
            joined_right, joined_bottom = max(right, other.right), max(bottom, other.bottom)
            joined_area = (joined_right - joined_left) * (joined_bottom - joined_top)
            if joined_area <= 1.25 * (area + other.area):
                merged.remove(other)
                left, top, right, bottom = joined_left, joined_top, joined_right, joined_bottom
                area = joined_area
        merged.append(Box(left, top, right, bottom))
    return merged
