"""What is proved of a pair of clips: the same frames in another order, or equal first and last frames.

Where both clips hold the same multiset of frames, whatever is computed of the frames without their order is the same
for both. A reader that ignores order then gives both clips one answer, and since the right answers differ it never
answers a whole instance rightly.
"""

from collections import Counter
from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple

from generators.family import QuestionType
from generators.rendering.scene import Scene, Sprite

PERMUTATION = "permutation"
MATCHED = "matched"
CERTIFICATES = (PERMUTATION, MATCHED)


PAIR_QUESTIONS = ("first", "second")
"""The ids of the two questions whose answers flip; an item may ask others as well."""


def check_pair(questions: Sequence[QuestionType], episodes: Sequence[Any]) -> None:
    """Raises ValueError where a pair's questions are not those of one pair.

    The words must be the same for both clips, and for the two pair questions the two constraints must hold: for each
    question the answer differs between the clips, and for each clip it differs between the questions.
    """
    for question in questions:
        texts = [(question.prompt(episode), question.options(episode)) for episode in episodes]
        if texts[0] != texts[1]:
            raise ValueError(f"the question {question.ID} reads differently for the two clips")
    keys = [[one.key(episode) for episode in episodes] for one in questions if one.ID in PAIR_QUESTIONS]
    if len(keys) != 2 or any(a == b for a, b in (*keys, *zip(*keys, strict=True))):
        raise ValueError("the answers of a pair do not flip between its clips and its questions")


class Certificate(NamedTuple):
    """What holds of two clips, and the share of frames that they have in common: 1 for a permutation."""

    kind: str
    shared_frames: float


def certificate(scenes: Sequence[Scene]) -> Certificate:
    """What holds of two clips: `permutation` or, failing that, `matched`.

    Told from what is placed where, which decides every pixel; `frame_digests` tells it from the pixels.
    Raises ValueError where the clips differ in form, or in their first or last frame, or are cut differently.
    """
    first, second = scenes
    forms = [(one.width, one.height, one.fps, one.frames, one.background) for one in scenes]
    if forms[0] != forms[1]:
        raise ValueError(f"the clips of a pair differ in size, frame rate, length or ground: {forms[0]}, {forms[1]}")
    if first.cuts != second.cuts:
        raise ValueError("the clips of a pair are cut at different frames, whose key frames would tell them apart")
    sprites: dict[Sprite, int] = {}
    frames = [frame_keys(scene, sprites) for scene in scenes]
    for place, name in ((0, "first"), (-1, "last")):
        if frames[0][place] != frames[1][place]:
            raise ValueError(f"the clips of a pair differ in their {name} frame")
    if frames[0] == frames[1]:
        raise ValueError("the clips of a pair are the same")
    counts = [Counter(keys) for keys in frames]
    shared = (counts[0] & counts[1]).total() / first.frames
    return Certificate(PERMUTATION if counts[0] == counts[1] else MATCHED, shared)


def frame_keys(scene: Scene, sprites: dict[Sprite, int]) -> list[Hashable]:
    """What each frame shows, as something to compare and count; `sprites` numbers the sprites of several scenes."""
    numbers = [sprites.setdefault(sprite, len(sprites)) for sprite in scene.sprites]
    known: dict[int, tuple[Any, Hashable]] = {}
    keys = []
    for frame in range(scene.frames):
        placements = scene.placements(frame)
        # Kept beside its key, so that no other list can get the same id.
        held, key = known.get(id(placements), (None, None))
        if held is not placements:
            ordered = sorted(placements, key=lambda one: one.depth)
            key = tuple((numbers[one.sprite], *one[1:6]) for one in ordered)
            known[id(placements)] = placements, key
        keys.append(key)
    return keys


def frame_digests(scene: Scene) -> list[bytes]:
    """A hash of every frame's pixels as they go to the encoder, in order."""
    from hashlib import blake2b

    from generators.rendering.cpu import Painter
    from generators.rendering.video import frame_and_planes

    _, planes = frame_and_planes(scene.width, scene.height, scene.fps)
    painter = Painter(scene, planes)
    digests: list[bytes] = []
    last: Any = None
    for index in range(scene.frames):
        placements = scene.placements(index)
        if placements is last and digests:
            digests.append(digests[-1])
            continue
        last = placements
        painter.paint(index)
        digest = blake2b(digest_size=16)
        for plane in planes:
            digest.update(plane.data)
        digests.append(digest.digest())
    return digests
