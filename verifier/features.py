"""What readers that see no order get of a clip: single frames, bags of frames, and the file from outside."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from generators.certificates import CERTIFICATES, MATCHED, PAIR_QUESTIONS, PERMUTATION, frame_digests
from generators.dataset import clip_names
from generators.errors import InputError
from generators.family import family
from generators.item import Clip, Item, Question
from generators.randomness import stream
from generators.rendering import scene_of
from generators.rendering.looks import MOVING, look_of
from generators.settings import Look
from verifier.files import require_file
from verifier.item_checking import MALFORMED
from verifier.motion import reader_features
from verifier.thumbnails import CELLS, LUMA, SCALE, Thumbnails, Values, thumbnail, thumbnails_of

SEED = 0
"""The seed of random frames and shuffles, so that a second run sees the same."""

LEVELS = 32
"""Classes of brightness that a bag of frames counts."""

MOMENTS = 16
"""Parts of a clip that the reader of ordered frames tells apart."""

KEY_FRAME_BINS = 32

KINDS = ("yes_no", "choice")
"""The kinds of answer that have options; probes read no others."""

YES_OR_NO = ("yes", "no")


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as probes see it: the part that asks, its options, and for each clip the number of the right one.

    `alternative` is which of a pair's two alternatives the claim is, or the first option; None where nobody says.
    """

    id: str
    kind: str
    text: str
    wording: str
    options: tuple[str, ...]
    alternative: int | None
    keys: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Similarity:
    """How alike the two clips of a pair are if their order is left out.

    `mean_difference` is the mean absolute difference of their mean frames in levels of brightness, over small pictures,
    and `decoded_difference` that of their videos; `shared_frames` the share of frames that they have in common.
    """

    mean_difference: float
    decoded_difference: float
    shared_frames: float


@dataclass(frozen=True, slots=True)
class Sample:
    """What is left of an item for the probes: `features` has what each reader gets of each clip.

    `is_independent` says whether each frame was encoded by itself. `problems` says what its certificate claims and the
    frames do not bear out; `left_out` are questions of other kinds.
    """

    id: str
    category: str
    certificate: str | None
    script: str
    is_independent: bool
    asked: tuple[Asked, ...]
    features: dict[str, Values]
    similarity: Similarity | None
    problems: tuple[str, ...]
    left_out: tuple[str, ...]


def sample_of(folder: Path, item: Item) -> Sample:
    """Everything that is read of an item. Raises InputError where it is damaged, which `check` looks into."""
    try:
        kind = family(item.family)
        settings = kind.settings.model_validate(item.provenance.settings)
        look = look_of(settings.look, item.id)
        shown = [scene_of(item, clip) for clip in item.clips]
        asked = tuple(_asked(question, len(shown), item) for question in item.questions if _is_read(question, item))
        digests = [frame_digests(scene) for scene in shown]
        thumbnails = thumbnails_of(shown, digests)
        files = _file_features(folder, item)
        rows = [clip_features(item.id, number, pictures) for number, pictures in enumerate(thumbnails)]
        features = {name: np.array([row[name] for row in rows]) for name in rows[0]} | {"file": files}
        if item.pair is None and any(question.kind == "choice" for question in item.questions):
            orders = [shuffled_order(item.id, number, len(pictures)) for number, pictures in enumerate(thumbnails)]
            motions = [reader_features(*one) for one in zip(thumbnails, orders, strict=True)]
            features |= {name: np.array([motion[name] for motion in motions]) for name in motions[0]}
        similarity, problems = None, tuple[str, ...]()
        if item.pair is not None:
            decoded = [_decoded(folder / str(clip.file), clip) for clip in item.clips]
            features["decoded last"] = np.array([pictures[-1] / SCALE for _, pictures in decoded])
            features["decoded bag"] = np.array([bag_of_frames(pictures) for _, pictures in decoded])
            # A certificate speaks of the plain scene, whatever its pair looks like.
            plain = (
                digests if look == "plain" else [frame_digests(kind.scene(clip.plan, settings)) for clip in item.clips]
            )
            similarity = _similarity(plain, thumbnails, [pictures for _, pictures in decoded])
            problems = (*_problems(item, plain), *_problems_of_files(item, look, [its for its, _ in decoded]))
    except MALFORMED as error:
        raise InputError(f"{item.id} cannot be read ({error}): run python -m verifier check on the set") from None
    return Sample(
        id=item.id,
        category=item.category or item.family,
        certificate=None if item.pair is None else str(item.pair.get("certificate")),
        script=str(item.clips[0].plan.get("script", item.family)),
        is_independent=bool(item.provenance.settings.get("independent_frames")),
        asked=asked,
        features=features,
        similarity=similarity,
        problems=problems,
        left_out=tuple(question.id for question in item.questions if not _is_read(question, item)),
    )


# ---------------------------------------------------------------------------------------------------- questions


def _is_read(question: Question, item: Item) -> bool:
    return question.kind in KINDS and (item.pair is None or question.id in PAIR_QUESTIONS)


def _asked(question: Question, clips: int, item: Item) -> Asked:
    """Raises ValueError where its keys are not among its options, or those of a pair do not flip."""
    options = YES_OR_NO if question.kind == "yes_no" else tuple(question.options or ())
    letters = YES_OR_NO if question.kind == "yes_no" else [chr(ord("A") + place) for place in range(len(options))]
    if len(question.keys) != clips or len(options) < 2 or any(key not in letters for key in question.keys):
        raise ValueError(f"the keys of {question.id} are not among its options")
    keys = tuple(letters.index(key) for key in question.keys)
    if item.pair is not None and (clips, len(options), len(set(keys))) != (2, 2, 2):
        raise ValueError(f"the answers to {question.id} do not flip between the clips of a pair")
    alternative = question.about.get("asks")
    wording = wording_of(question.prompt)
    return Asked(
        id=question.id,
        kind=question.kind,
        text=re.sub(r"^[A-Z]\. .*$", "", wording, flags=re.MULTILINE).strip(),
        wording=wording,
        options=options,
        alternative=alternative if alternative in (0, 1) and len(options) == 2 else None,
        keys=keys,
    )


def wording_of(prompt: str) -> str:
    """The paragraphs that ask something, or the whole prompt where none has a question mark."""
    return "\n\n".join(part for part in prompt.split("\n\n") if "?" in part) or prompt


# ---------------------------------------------------------------------------------------------------- frames


def clip_features(item_id: str, clip: int, pictures: Thumbnails) -> dict[str, Values]:
    """What each reader gets of one clip."""
    shuffled = shuffled_order(item_id, clip, len(pictures))
    chosen = stream(SEED, item_id, clip, "random frame").randrange(len(pictures))
    return {
        "first frame": pictures[0] / SCALE,
        "last frame": pictures[-1] / SCALE,
        "random frame": pictures[chosen] / SCALE,
        "bag of frames": bag_of_frames(pictures),
        "shuffled frames": ordered_frames(pictures[shuffled]),
        "ordered frames": ordered_frames(pictures),
    }


def shuffled_order(item_id: str, clip: int, frames: int) -> list[int]:
    """The numbers of a clip's frames in the order in which readers of shuffled frames get them."""
    order = list(range(frames))
    stream(SEED, item_id, clip, "shuffled").shuffle(order)
    return order


def bag_of_frames(pictures: Thumbnails) -> Values:
    """Mean, deviation, least and greatest of every cell, how often each brightness occurs, and how many frames differ.

    All sums are of whole numbers, so that no order of the frames can show in a rounding error.
    """
    count = len(pictures)
    sums, squares = pictures.sum(axis=0), (pictures * pictures).sum(axis=0)
    deviations = np.sqrt(np.maximum(0, count * squares - sums * sums)) / (count * SCALE)
    levels = np.bincount(pictures[:, :LUMA].ravel() * LEVELS // (256 * SCALE), minlength=LEVELS)
    distinct = len({picture.tobytes() for picture in pictures})
    ends = (pictures.min(axis=0) / SCALE, pictures.max(axis=0) / SCALE)
    return np.concatenate([sums / (count * SCALE), deviations, *ends, levels / (count * LUMA), [distinct / count]])


def ordered_frames(pictures: Thumbnails) -> Values:
    """How much moves, where what moves is, and what the picture looks like, in each of MOMENTS parts of the clip."""
    count = len(pictures)
    frames = pictures / SCALE
    part = np.arange(count) * MOMENTS // count
    sizes = np.maximum(1, np.bincount(part, minlength=MOMENTS))

    def by_part(values: Values) -> Values:
        """Means over the parts' frames of values of shape (frames, any number), flattened."""
        return np.concatenate([np.bincount(part, column, MOMENTS) / sizes for column in values.T])

    steps = np.abs(np.diff(frames, axis=0, append=frames[-1:])).mean(axis=1)
    luma = frames[:, :LUMA].reshape(count, CELLS, CELLS)
    unlike = np.abs(luma - luma.mean(axis=0))
    total = unlike.sum(axis=(1, 2)) + 1e-6
    places = np.arange(CELLS) - (CELLS - 1) / 2
    across = (unlike.sum(axis=1) @ places) / total
    down = (unlike.sum(axis=2) @ places) / total
    coarse = luma.reshape(count, 4, CELLS // 4, 4, CELLS // 4).mean(axis=(2, 4)).reshape(count, 16)
    tints = frames[:, LUMA:].reshape(count, 2, -1).mean(axis=2)
    return by_part(np.column_stack([steps, total, across, down, coarse, tints]))


# ---------------------------------------------------------------------------------------------------- files


class FileFacts(NamedTuple):
    """What anyone can read off a video file from outside, without a look at a picture."""

    size: int
    seconds: float
    frames: int
    key_frames: tuple[int, ...]
    number: int
    """The number at the end of its name among those of its item."""


def _file_features(folder: Path, item: Item) -> Values:
    """Size, length, rate and key frames of every clip's file.

    The bytes of its pictures alone, without the padding of pairs, are no part of it: they are content, by which any
    encoder tells speeds and directions apart, and no reader of frames gets them.
    """
    rows = []
    for number, (clip, name) in enumerate(zip(item.clips, clip_names(item), strict=True)):
        if clip.file is None:
            raise InputError(f"{item.id} has no video, so its file cannot be looked at")
        facts = file_facts(folder / str(clip.file), clip, _number_of(name, number))
        pattern = np.zeros(KEY_FRAME_BINS)
        for frame in facts.key_frames:
            pattern[min(KEY_FRAME_BINS - 1, frame * KEY_FRAME_BINS // max(1, facts.frames))] += 1
        intervals = np.diff([0, *facts.key_frames, facts.frames])
        rate = facts.size / facts.seconds if facts.seconds else 0.0
        summary = [facts.size, facts.seconds, facts.frames, rate, facts.number, len(facts.key_frames)]
        rows.append(np.concatenate([summary, [intervals.max(), intervals.std()], pattern]))
    return np.array(rows, dtype=np.float64)


def _number_of(name: str, default: int) -> int:
    found = re.search(r"-(\d+)\.mp4$", name)
    return int(found[1]) if found else default


def file_facts(path: Path, clip: Clip, number: int) -> FileFacts:
    """Raises InputError where there is no video at `path`."""
    import av

    require_file(path)
    try:
        with av.open(str(path), "r", format="mp4", metadata_errors="replace") as container:
            video = container.streams.video[0]
            base = video.time_base or Fraction(1, clip.fps)
            seconds = float((video.duration or 0) * base)
            keys = [
                round(float((packet.pts or 0) * base) * clip.fps)
                for packet in container.demux(video)
                if packet.is_keyframe and packet.size
            ]
            return FileFacts(path.stat().st_size, seconds, video.frames, tuple(sorted(keys)), number)
    except (av.FFmpegError, EOFError, IndexError) as error:
        raise InputError(f"{path} is no video ({error}): run python -m verifier check on the set") from None


# ---------------------------------------------------------------------------------------------------- pairs


def _similarity(
    digests: Sequence[Sequence[bytes]], thumbnails: Sequence[Thumbnails], decoded: Sequence[Thumbnails]
) -> Similarity:
    shared = (Counter(digests[0]) & Counter(digests[1])).total() / max(map(len, digests))
    return Similarity(_mean_difference(thumbnails), _mean_difference(decoded), shared)


def _mean_difference(thumbnails: Sequence[Thumbnails]) -> float:
    first, second = (pictures[:, :LUMA].sum(axis=0) / (len(pictures) * SCALE) for pictures in thumbnails)
    return float(np.abs(first - second).mean())


def _problems(item: Item, digests: Sequence[Sequence[bytes]]) -> Iterator[str]:
    """What the painted frames say against a pair's certificate."""
    first, second = digests
    claimed = item.pair["certificate"] if item.pair and "certificate" in item.pair else None
    if claimed not in CERTIFICATES:
        yield f"has the certificate {claimed!r}, which is none of {', '.join(CERTIFICATES)}"
        return
    if len(first) != len(second):
        yield f"has clips of {len(first)} and {len(second)} frames"
    if list(first) == list(second):
        yield "has two clips that are the same"
    for place, name in ((0, "first"), (-1, "last")):
        if first[place] != second[place]:
            yield f"has clips that differ in their {name} frame"
    alone = (Counter(first) - Counter(second)).total()
    if claimed == PERMUTATION and alone:
        yield f"claims a permutation, and {alone} of {len(first)} frames of its first clip are not in its second"


def _problems_of_files(item: Item, look: Look, decoded: Sequence[Sequence[bytes]]) -> Iterator[str]:
    """What decoded frames say against the certificate, where they were encoded so that it survives decoding.

    In a look that changes with time no frame need be seen twice, so there nothing is said of permutations.
    """
    if not item.provenance.settings.get("independent_frames"):
        return
    first, second = decoded
    claimed = item.pair["certificate"] if item.pair else None
    alone = (Counter(first) - Counter(second)).total()
    if claimed == PERMUTATION and look not in MOVING and (alone or len(first) != len(second)):
        yield f"claims a permutation, and {alone} of {len(first)} decoded frames of one video are not in the other"
    if claimed == MATCHED and (first[0], first[-1]) != (second[0], second[-1]):
        yield "has videos that differ in their first or last frame once they are decoded"


def _decoded(path: Path, clip: Clip) -> tuple[list[bytes], Thumbnails]:
    """Hashes and small pictures of a video's frames. Raises InputError where it is no video as the item has it."""
    import av

    digests: list[bytes] = []
    known: dict[bytes, Thumbnails] = {}
    try:
        with av.open(str(path), "r", format="mp4", metadata_errors="replace") as container:
            container.streams.video[0].thread_count = 1
            for frame in container.decode(video=0):
                form = (frame.format.name, frame.width, frame.height)
                if form != ("yuv420p", clip.width, clip.height):
                    raise InputError(f"{path} has frames of another form: run python -m verifier check on the set")
                picture: NDArray[Any] = np.ascontiguousarray(frame.to_ndarray())
                digests.append(blake2b(picture.data, digest_size=16).digest())
                if digests[-1] not in known:
                    chroma = picture[clip.height :].reshape(2, clip.height // 2, clip.width // 2)
                    known[digests[-1]] = thumbnail(picture[: clip.height], chroma)
    except (av.FFmpegError, EOFError, IndexError) as error:
        raise InputError(f"{path} cannot be decoded ({error}): run python -m verifier check on the set") from None
    if not digests:
        raise InputError(f"{path} has no frames: run python -m verifier check on the set")
    return digests, np.stack([known[digest] for digest in digests])
