"""The frames that a model gets, decoded from the video or drawn from the plan, once a clip, and the record of them.

Nothing is decoded before a model asks for it, and whatever a model does ask for is recorded with its reply.
"""

import hashlib
import threading
from base64 import b64encode
from collections.abc import Callable
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from evaluate.conditions import Choice, Viewing, choose
from generators.errors import InputError
from generators.item import Clip, Item, canonical_json

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Frames = NDArray[np.uint8]

SEPARATE_HASHES = 64
"""Up to so many frames have each its own SHA-256 in a row of the store; more have one over all of them."""

JPEG_QUALITY = 95


@dataclass(slots=True, eq=False)
class Shown:
    """What is shown of one clip, made when it is first asked for and shared by all questions about the clip."""

    item: Item
    clip: int
    viewing: Viewing
    choice: Choice
    load: "Callable[[], Frames]"
    dataset: Path
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _frames: "Frames | None" = None
    _hashes: list[str] | str | None = None
    _images: dict[str, list[str]] = field(default_factory=dict)
    _choice_sha256: str = ""

    @property
    def of(self) -> Clip:
        return self.item.clips[self.clip]

    @property
    def choice_sha256(self) -> str:
        """A hash of which frames are shown, and with which times."""
        if not self._choice_sha256:
            text = canonical_json([self.choice.indices, self.choice.slots])
            self._choice_sha256 = hashlib.sha256(text.encode()).hexdigest()
        return self._choice_sha256

    @property
    def times(self) -> tuple[float, ...]:
        """Seconds from the start of the clip that are told beside the frames; they ascend in every condition."""
        return tuple(slot / self.of.fps for slot in self.choice.slots)

    @property
    def frames(self) -> "Frames":
        """uint8 RGB of shape (n, height, width, 3), read-only. Raises InputError where they cannot be had."""
        with self._lock:
            if self._frames is None:
                self._frames = self.load()
                self._frames.setflags(write=False)
            return self._frames

    def images(self, encoding: Literal["png", "jpeg"]) -> list[str]:
        """Every frame as the base64 text of a PNG or JPEG file."""
        frames = self.frames
        with self._lock:
            if encoding not in self._images:
                made: dict[int, str] = {}
                for index, frame in zip(self.choice.indices, frames, strict=True):
                    if index not in made:
                        made[index] = _encoded(frame, encoding)
                self._images[encoding] = [made[index] for index in self.choice.indices]
            return self._images[encoding]

    def record(self) -> dict[str, Any]:
        """What of the clip was given to the model: no frames where it asked for none."""
        given: dict[str, Any] = {"condition": self.viewing.condition}
        if self._frames is None:
            return given | {"indices": [], "times": []}
        if self._hashes is None:
            self._hashes = hashes(self._frames)
        height, width = self._frames.shape[1:3]
        return given | {
            "indices": list(self.choice.indices),
            "times": [round(time, 6) for time in self.times],
            "sha256": self._hashes,
            "width": int(width),
            "height": int(height),
            "frames_from": self.viewing.frames_from,
        }


def shown_of(dataset: Path, item: Item, clip: int, viewing: Viewing) -> Shown:
    """What is shown of a clip; nothing is decoded or drawn yet."""
    choice = choose(viewing, item, clip)
    if not viewing.has_frames:
        return Shown(item, clip, viewing, choice, lambda: _nothing(item.clips[clip]), dataset)
    source = drawn if viewing.frames_from == "render" else decoded
    return Shown(item, clip, viewing, choice, lambda: source(dataset, item, clip, choice.indices), dataset)


def hashes(frames: "Frames") -> list[str] | str:
    """SHA-256 of each frame's RGB bytes, or of all together where they are many."""
    if len(frames) > SEPARATE_HASHES:
        return hashlib.sha256(frames.tobytes()).hexdigest()
    return [hashlib.sha256(frame.tobytes()).hexdigest() for frame in frames]


def video_of(dataset: Path, item: Item, clip: int) -> bytes:
    """The clip's file. Raises InputError where it is missing or is not the one that the dataset names."""
    name, sha256 = item.clips[clip].file, item.clips[clip].sha256
    if name is None:
        raise InputError(f"{item.id} was made without videos: draw its frames with --frames-from render")
    path = dataset / name
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path} cannot be read ({error.strerror}): restore it, or use --frames-from render") from None
    if sha256 is not None and hashlib.sha256(content).hexdigest() != sha256:
        raise InputError(f"{path} is not the video that {item.id} names: python -m verifier check {dataset} says more")
    return content


def decoded(dataset: Path, item: Item, clip: int, indices: tuple[int, ...]) -> "Frames":
    """Frames decoded from the clip's video, in the order asked for."""
    import av
    import numpy as np

    known = item.clips[clip]
    places: dict[int, list[int]] = {}
    for place, index in enumerate(indices):
        places.setdefault(index, []).append(place)
    frames = np.empty((len(indices), known.height, known.width, 3), dtype=np.uint8)
    content = video_of(dataset, item, clip)
    left = len(places)
    try:
        with av.open(BytesIO(content), "r") as container:
            for index, frame in enumerate(container.decode(video=0)):
                if index in places:
                    frames[places[index]] = frame.to_ndarray(format="rgb24")
                    left -= 1
                    if not left:
                        break
    except (av.FFmpegError, ValueError) as error:
        raise InputError(f"{dataset / str(known.file)} cannot be decoded: {error}") from None
    if left:
        raise InputError(f"{dataset / str(known.file)} has fewer frames than {item.id} says")
    return frames


def drawn(dataset: Path, item: Item, clip: int, indices: tuple[int, ...]) -> "Frames":
    """Frames drawn from the plan, exact, in the order asked for."""
    from generators.rendering import frames

    try:
        return frames(item, indices, clip=clip)
    except (IndexError, ValueError) as error:
        raise InputError(f"{item.id} cannot be drawn: {error}; python -m verifier check says more") from None


def _nothing(clip: Clip) -> "Frames":
    import numpy as np

    return np.empty((0, clip.height, clip.width, 3), dtype=np.uint8)


def _encoded(frame: "NDArray[np.uint8]", encoding: Literal["png", "jpeg"]) -> str:
    from PIL import Image

    file = BytesIO()
    if encoding == "png":
        Image.fromarray(frame).save(file, format="PNG", compress_level=1)
    else:
        Image.fromarray(frame).save(file, format="JPEG", quality=JPEG_QUALITY, subsampling=0)
    return b64encode(file.getvalue()).decode("ascii")
