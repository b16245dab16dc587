"""The frames that a model gets, decoded from the video or drawn from the plan, once a clip, and the record of them.

Nothing is decoded before a model asks for frames; once it does, those of the next clips are made while it thinks.
Whatever a model asks for is recorded with its reply.
"""

import hashlib
import os
import threading
from base64 import b64encode
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from evaluate.conditions import Choice, Viewing, choose
from generators.errors import InputError
from generators.item import Clip, Item, canonical_json

if TYPE_CHECKING:
    import numpy as np
    from av import VideoFrame
    from av.container import InputContainer
    from numpy.typing import NDArray

    from evaluate.asking import Asked

    Frames = NDArray[np.uint8]

SEPARATE_HASHES = 64
"""Up to so many frames have each its own SHA-256 in a row of the store; more have one over all of them."""

JPEG_QUALITY = 95

CLIPS_AHEAD = 8
BYTES_AHEAD = 256 * 2**20
"""How many clips at most, and how many bytes of frames, are made ready before a model asks for them."""

MOST_THREADS = 4
RECENT = 64


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
    is_asked_for: bool = False
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
    def size(self) -> int:
        """How many bytes its frames take."""
        return len(self.choice.indices) * self.of.width * self.of.height * 3

    @property
    def frames(self) -> "Frames":
        """uint8 RGB of shape (n, height, width, 3), read-only. Raises InputError where they cannot be had."""
        self.is_asked_for = True
        with self._lock:
            return self._loaded()

    def _loaded(self) -> "Frames":
        if self._frames is None:
            self._frames = self.load()
            self._frames.setflags(write=False)
        return self._frames

    def make_ready(self) -> None:
        """Get the frames and their hashes before anyone asks for them, which leaves no trace in the record."""
        with self._lock:
            self._hashes = self._hashes or hashes(self._loaded())

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
        if not self.is_asked_for:
            return given | {"indices": [], "times": []}
        with self._lock:
            if self._frames is None:
                return given | {"indices": [], "times": []}
            self._hashes = self._hashes or hashes(self._frames)
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
    import numpy as np

    if len(frames) > SEPARATE_HASHES:
        return hashlib.sha256(np.ascontiguousarray(frames).data).hexdigest()
    return [hashlib.sha256(np.ascontiguousarray(frame).data).hexdigest() for frame in frames]


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
    """Frames decoded from the clip's video, in the order asked for; what no wanted frame depends on is left out."""
    import av
    import numpy as np
    from av.video.reformatter import VideoReformatter

    known = item.clips[clip]
    places: dict[int, list[int]] = {}
    for place, index in enumerate(indices):
        places.setdefault(index, []).append(place)
    frames = np.empty((len(indices), known.height, known.width, 3), dtype=np.uint8)
    content = video_of(dataset, item, clip)
    converter = VideoReformatter()
    try:
        with av.open(BytesIO(content), "r") as container:
            for index, frame in _frames_of(container, set(places)):
                frames[places.pop(index)] = converter.reformat(frame, format="rgb24").to_ndarray()
    except (av.FFmpegError, ValueError) as error:
        raise InputError(f"{dataset / str(known.file)} cannot be decoded: {error}") from None
    if places:
        raise InputError(f"{dataset / str(known.file)} has fewer frames than {item.id} says")
    return frames


def _frames_of(container: "InputContainer", wanted: set[int]) -> "Iterator[tuple[int, VideoFrame]]":
    """The wanted frames and their numbers. From each key frame on, decoding goes no further than the last wanted one.

    That needs packets in the order of their frames, as our encoder writes them; any other file is decoded whole.
    """
    stream = container.streams.video[0]
    decoder = stream.codec_context
    # A second thread costs more than it gains here: several clips are decoded at once instead.
    decoder.thread_count = 1
    packets = [packet for packet in container.demux(stream) if packet.size]
    times = [packet.pts for packet in packets]
    keys = [number for number, packet in enumerate(packets) if packet.is_keyframe]
    is_in_order = keys[:1] == [0] and all(
        before is not None and after is not None and before < after for before, after in pairwise(times)
    )
    for first, end in pairwise([*keys, len(packets)] if is_in_order else [0, len(packets)]):
        inside = [index for index in wanted if first <= index < end]
        if not inside:
            continue
        index = first
        for packet in [*packets[first : max(inside) + 1 if is_in_order else end], None]:
            for frame in decoder.decode(packet):
                if index in wanted:
                    yield index, frame
                index += 1
        decoder.flush_buffers()


def made_ahead(questions: "Iterable[Asked]") -> "Generator[Asked, None, None]":
    """The questions; once a model has asked for frames, those of the next clips are made in threads while it is busy.

    What goes wrong in a thread goes wrong again, and is told, when a model asks for those frames; an error in reading
    the questions comes behind the questions before it.
    """
    source = iter(questions)
    waiting: deque[Asked] = deque()
    ahead: set[Shown] = set()
    # Several questions may be under way at once, and the latest of them is seldom the first to ask for its frames.
    recent: deque[Shown] = deque(maxlen=RECENT)
    error: InputError | None = None
    size, looks, is_over = 0, False, False
    pool = ThreadPoolExecutor(min(MOST_THREADS, os.cpu_count() or 1), "frames")
    try:
        while True:
            if any(shown.is_asked_for for shown in recent):
                looks = True
                recent.clear()
            while not is_over and (not waiting or (looks and len(ahead) < CLIPS_AHEAD and size < BYTES_AHEAD)):
                try:
                    asked = next(source, None)
                except InputError as raised:
                    asked, error = None, raised
                if asked is None:
                    is_over = True
                    break
                waiting.append(asked)
                shown = asked.view
                if looks and shown not in ahead and not shown.is_asked_for:
                    ahead.add(shown)
                    size += shown.size
                    if size <= BYTES_AHEAD:
                        pool.submit(shown.make_ready)
            if not waiting:
                if error is not None:
                    raise error
                return
            asked = waiting.popleft()
            if asked.view in ahead:
                ahead.remove(asked.view)
                size -= asked.view.size
            if not looks:
                recent.append(asked.view)
            yield asked
    finally:
        # A clip that is being made is no reason to wait; those behind it are not begun.
        pool.shutdown(wait=False, cancel_futures=True)


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
