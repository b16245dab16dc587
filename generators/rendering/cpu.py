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
from generators.rendering.sprites import PLANES_FIRST, PLANES_LAST, rasterise

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

ADDED = np.concatenate([256 * YUV_MATRIX, 256 / 255 * YUV_OFFSET.reshape(3, 1)], axis=1)
"""Premultiplied RGBA to what it adds to Y'CbCr, in 256ths."""


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
    pixels = rasterise(sprite, scale, angle).transpose(PLANES_FIRST)
    _, height, width = pixels.shape
    solid = _solid_box(pixels[3]) if opacity == 255 else Box(0, 0, 0, 0)
    share = np.float32(opacity / 255)
    if not planar:
        keeps = np.repeat(_keeps(pixels[3] * share)[..., np.newaxis], 3, axis=2)
        adds = np.ascontiguousarray(pixels[:3].transpose(PLANES_LAST)) * (256 * share)
        return Stamp(width, height, (_layer(adds, keeps),), solid)
    halves = _halved(pixels, ((phase_y, (height + phase_y) % 2), (phase_x, (width + phase_x) % 2)))
    # Sums by einsum, since a product of matrices would wake BLAS's threads, which wait for more work at full load. All
    # of a layer's planes keep equally much of the ground.
    layers = (
        _layer(np.einsum("c,cyx->yx", share * ADDED[0], pixels.astype(np.float32)), _keeps(pixels[3] * share)),
        _layer(np.einsum("pc,cyx->pyx", share * ADDED[1:], halves), _keeps(halves[3:] * share)),
    )
    # A side on an odd pixel shares its chroma samples with what lies beside it.
    inside = Box(
        solid.left + (solid.left + phase_x) % 2,
        solid.top + (solid.top + phase_y) % 2,
        solid.right - (solid.right + phase_x) % 2,
        solid.bottom - (solid.bottom + phase_y) % 2,
    )
    return Stamp(width, height, layers, inside)


def _keeps(alpha: NDArray[np.float32]) -> NDArray[np.uint16]:
    """How many 256ths of the ground stay where a stamp has this opacity out of 255. Overwrites it."""
    alpha *= np.float32(-256 / 255)
    alpha += np.float32(256.5)
    return alpha.astype(np.uint16)


def _layer(added: NDArray[np.float32], keeps: NDArray[np.uint16]) -> Layer:
    """A layer that adds so many 256ths, which are overwritten."""
    added += np.float32(128.5)
    # Held to what 16 bits can take where the ground is white.
    adds = np.minimum(added, 65535 - 255 * keeps, out=added).astype(np.uint16)
    return Layer(adds, keeps, (adds >> 8).astype(np.uint8))


def _halved(planes: NDArray[np.uint8], pad: tuple[tuple[int, int], tuple[int, int]]) -> NDArray[np.float32]:
    """Averages over 2×2 pixels of each plane, padded with nothing where it begins or ends on an odd pixel."""
    (top, bottom), (left, right) = pad
    count, height, width = planes.shape
    padded = planes
    if top or bottom or left or right:
        padded = np.zeros((count, height + top + bottom, width + left + right), dtype=np.uint8)
        padded[:, top : top + height, left : left + width] = planes
    pairs = np.add(padded[:, ::2], padded[:, 1::2], dtype=np.uint16).view(np.uint32)
    # Both halves of a pair at once: NumPy takes every second number only slowly.
    return ((pairs & 0xFFFF) + (pairs >> 16)).astype(np.float32) * np.float32(0.25)


def _solid_box(alpha: NDArray[np.uint8]) -> Box:
    """A box of full opacity around the centre, found by taking the same margin off every side."""
    height, width = alpha.shape
    if alpha[height // 2, width // 2] < 255:
        return Box(0, 0, 0, 0)
    opaque = alpha == 255
    # What is opaque within a margin is so within every wider one: the narrowest is found by halving.
    narrowest, widest = 0, min(width, height) // 2
    while narrowest < widest:
        margin = (narrowest + widest) // 2
        if opaque[margin : height - margin, margin : width - margin].all():
            widest = margin
        else:
            narrowest = margin + 1
    if widest == min(width, height) // 2:
        return Box(0, 0, 0, 0)
    return Box(widest, widest, width - widest, height - widest)


class Placed(NamedTuple):
    """A placement made ready to paint: its extent, where it hides what lies below, and its stamp's layers."""

    extent: Box
    solid: Box
    layers: tuple[Layer, ...]


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
        # What has stood still for two frames, painted once in planes of its own, to be copied from.
        self._still = 0
        self._below: Painter | None = None
        self._ordered: list[Placement] = []
        self._placed: list[Placed] = []
        # Looking a sprite up by its index spares comparing all its shapes.
        self._sizes: dict[tuple[int, float, float], tuple[int, int]] = {}
        self._stamps: dict[tuple[int, float, float, int, int, int], Stamp] = {}
        # What moves comes back to where it was, and what stands between moving things stays.
        self._known: dict[Placement, Placed] = {}

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
        placed = self._known.get(placement)
        if placed is None:
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            placed = self._known[placement] = self._made_ready(placement)
        return placed

    def _made_ready(self, placement: Placement) -> Placed:
        number, x, y, angle, scale, opacity, _ = placement
        sprite = self.scene.sprites[number]
        if angle or scale != 1.0 or sprite.blur:
            size = self._sizes.get((number, scale, angle))
            if size is None:
                height, width = rasterise(sprite, scale, angle).shape[:2]
                size = self._sizes[number, scale, angle] = width, height
            width, height = size
        else:
            width, height = sprite.width, sprite.height
        left = floor(x - width / 2 + 0.5)
        top = floor(y - height / 2 + 0.5)
        phase = (left & 1, top & 1) if self.planar else (0, 0)
        key = (number, scale, angle, round(opacity * 255), *phase)
        stamp = self._stamps.get(key)
        if stamp is None:
            stamp = self._stamps[key] = _stamp(sprite, *key[1:], self.planar)
        inner = stamp.solid
        solid = Box(left + inner.left, top + inner.top, left + inner.right, top + inner.bottom)
        return Placed(Box(left, top, left + stamp.width, top + stamp.height), solid, stamp.layers)

    def _aligned(self, box: Box) -> Box:
        """The box grown to even coordinates, so that whole chroma samples are repainted, and cut to the canvas."""
        return Box(box.left & -2, box.top & -2, (box.right + 1) & -2, (box.bottom + 1) & -2).intersection(self.canvas)

    def _repaint(self, box: Box, still: int) -> None:
        """Paint everything within the box; the first `still` placements are those that stand still."""
        left, top, right, bottom = box
        if left >= right or top >= bottom:
            return
        within: list[Placed] = []
        is_covered = False
        for one in self._placed[still:] if still else self._placed:
            extent, solid, _ = one
            if extent[0] < right and extent[2] > left and extent[1] < bottom and extent[3] > top:
                if solid[0] <= left and solid[1] <= top and solid[2] >= right and solid[3] >= bottom:
                    within, is_covered = [], True
                within.append(one)
        if still and not is_covered:
            self._copy_below(box, still)
        elif not is_covered:
            self.planes[0][top:bottom, left:right] = self.ground[0]
            if self.planar:
                self.planes[1][:, top >> 1 : bottom >> 1, left >> 1 : right >> 1] = self.ground[1]
        put = self._put_planar if self.planar else self._put
        for one in within:
            put(one, box)

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

    def _put(self, one: Placed, box: Box) -> None:
        """Paint the part of a placement that is within the box."""
        extent, solid, [layer] = one
        visible = extent.intersection(box)
        left, top, right, bottom = visible
        part: Any = WHOLE
        if visible != extent:
            part = slice(top - extent.top, bottom - extent.top), slice(left - extent.left, right - extent.left)
        _stamped(self.planes[0][top:bottom, left:right], layer, part, hides=solid.contains(visible))

    def _put_planar(self, one: Placed, box: Box) -> None:
        """The same in Y'CbCr. This is where most of a painter's time goes, hence plain comparisons."""
        (left, top, right, bottom), (solid_left, solid_top, solid_right, solid_bottom), (luma, chroma) = one
        x, y = left, top
        is_whole = True
        if left < box[0]:
            left, is_whole = box[0], False
        if top < box[1]:
            top, is_whole = box[1], False
        if right > box[2]:
            right, is_whole = box[2], False
        if bottom > box[3]:
            bottom, is_whole = box[3], False
        hides = solid_left <= left and solid_top <= top and solid_right >= right and solid_bottom >= bottom
        part: Any = WHOLE if is_whole else (slice(top - y, bottom - y), slice(left - x, right - x))
        _stamped(self.planes[0][top:bottom, left:right], luma, part, hides)
        # From full resolution to the halved planes; an odd edge shares its sample with what lies beside it.
        left, top, right, bottom = left >> 1, top >> 1, (right + 1) >> 1, (bottom + 1) >> 1
        if not is_whole:
            x, y = x >> 1, y >> 1
            part = WHOLE, slice(top - y, bottom - y), slice(left - x, right - x)
        _stamped(self.planes[1][:, top:bottom, left:right], chroma, part, hides)


def _stamped(target: Plane, layer: Layer, part: Any, hides: bool) -> None:
    """Lay a part of a layer over the target, or where it hides all that is there, copy it."""
    if hides:
        target[...] = layer.hides[part]
        return
    # target ← (target · keeps + adds) / 256, where keeps is 0 to 256 and adds carries the rounding. Arithmetic within
    # one type is quicker than NumPy's conversions on the way.
    mixed = target.astype(np.uint16)
    mixed *= layer.keeps[part]
    mixed += layer.adds[part]
    mixed >>= 8
    target[...] = mixed


WHOLE = slice(None)
MOST_KNOWN = 4_096
"""Placements that a painter remembers the pixels of."""
REPAINT = 8_000
"""A repaint that is spared is worth painting so many pixels more."""
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
        place = 0
        while place < len(merged):
            other_left, other_top, other_right, other_bottom = merged[place]
            joined_left = left if left < other_left else other_left
            joined_top = top if top < other_top else other_top
            joined_right = right if right > other_right else other_right
            joined_bottom = bottom if bottom > other_bottom else other_bottom
            other_area = (other_right - other_left) * (other_bottom - other_top)
            joined_area = (joined_right - joined_left) * (joined_bottom - joined_top)
            if joined_area <= area + other_area + REPAINT:
                left, top, right, bottom, area = joined_left, joined_top, joined_right, joined_bottom, joined_area
                del merged[place]
            else:
                place += 1
        merged.append(Box(left, top, right, bottom))
    return merged
