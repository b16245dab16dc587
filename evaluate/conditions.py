"""Conditions: which frames of a clip a model is shown, in which order, and with which times beside them.

Every choice depends on the item, the clip and the condition alone, so it is the same for every model and question.
"""

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal, get_args

from generators.errors import InputError
from generators.family import family
from generators.item import Clip, Item, canonical_json
from generators.questions import Episode
from generators.randomness import stream

Condition = Literal[
    "full",
    "single-random",
    "single-centre",
    "single-informative",
    "shuffled",
    "reversed",
    "half",
    "static",
    "text-only",
    "transcript",
]
CONDITIONS: tuple[Condition, ...] = get_args(Condition)
WITHOUT_FRAMES: tuple[Condition, ...] = ("text-only", "transcript")
SINGLE: tuple[Condition, ...] = ("single-random", "single-centre", "single-informative")
MOVING: tuple[Condition, ...] = ("full", "shuffled", "reversed", "half")
"""Conditions that show a clip at a frame rate, in some order."""

ROUNDING = 1e-3
"""Share by which a frame rate may be less than the minimum, which is measured in whole frames and rounded up."""

FramesFrom = Literal["video", "render"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Viewing:
    """What a model is shown of each clip: all frames, or `fps` a second, or `frames` evenly spaced with both ends.

    `frames_from` says whether they are decoded from the video or drawn from the plan.
    """

    condition: Condition = "full"
    fps: float | None = None
    frames: int | None = None
    frames_from: FramesFrom = "video"

    def __post_init__(self) -> None:
        if self.fps is not None and self.frames is not None:
            raise InputError("--fps and --frames do not go together: give one of them")

    @property
    def has_frames(self) -> bool:
        return self.condition not in WITHOUT_FRAMES


@dataclass(frozen=True, slots=True)
class Choice:
    """`indices`: frames of the clip in the order in which they are shown.

    `slots`: the frames whose times are told beside them, which ascend even where the frames are shuffled, so that a
    time never gives the order away.
    """

    indices: tuple[int, ...]
    slots: tuple[int, ...]


def read_conditions(text: str) -> tuple[Condition, ...]:
    """The conditions that a text names, with commas between them. Raises InputError for any other text."""
    known: dict[str, Condition] = {name: name for name in CONDITIONS}
    names = [name.strip() for name in text.split(",")]
    for name in names:
        if name not in known:
            raise InputError(f"unknown condition {name!r}: choose from {', '.join(CONDITIONS)}")
    if len(set(names)) < len(names):
        raise InputError(f"--condition {text}: a condition is named twice")
    return tuple(known[name] for name in names)


def choose(viewing: Viewing, item: Item, clip: int) -> Choice:
    """Which frames of the clip are shown."""
    shown = item.clips[clip]
    random = stream(0, "condition", viewing.condition, item.id, clip)
    match viewing.condition:
        case "text-only" | "transcript":
            return Choice((), ())
        case "single-random":
            return _as_it_was((random.randrange(shown.frames),))
        case "single-centre":
            return _as_it_was((shown.frames // 2,))
        case "single-informative":
            return _as_it_was((most_informative(shown),))
    sampled = sample(viewing, shown)
    match viewing.condition:
        case "shuffled":
            order = list(sampled)
            while len(order) > 1 and tuple(order) == sampled:
                random.shuffle(order)
            return Choice(tuple(order), sampled)
        case "reversed":
            return Choice(sampled[::-1], sampled)
        case "half":
            half = (len(sampled) + 1) // 2
            return _as_it_was(sampled[:half] if random.random() < 0.5 else sampled[-half:])
        case "static":
            return Choice((random.choice(sampled),) * len(sampled), sampled)
    return _as_it_was(sampled)


def _as_it_was(indices: tuple[int, ...]) -> Choice:
    return Choice(indices, indices)


def sample(viewing: Viewing, clip: Clip) -> tuple[int, ...]:
    """The frames that the frame rate or the number of frames asks for, in order; no frame twice."""
    last = clip.frames - 1
    if viewing.frames is not None:
        if viewing.frames == 1:
            return (clip.frames // 2,)
        if viewing.frames < clip.frames:
            steps = viewing.frames - 1
            return tuple((2 * last * step + steps) // (2 * steps) for step in range(viewing.frames))
    if viewing.fps is not None and viewing.fps < clip.fps:
        step = clip.fps / viewing.fps
        chosen: list[int] = []
        while (index := int(len(chosen) * step + 0.5)) <= last:
            chosen.append(index)
        return tuple(chosen)
    return tuple(range(clip.frames))


def most_informative(clip: Clip) -> int:
    """The middle of the longest stretch in which the most events are under way; the centre where there are none."""
    edges = sorted({edge for span in clip.spans for edge in span})
    stretches: list[tuple[int, int, int]] = []
    for first, end in pairwise(edges):
        under_way = sum(start <= first and end <= stop for start, stop in clip.spans)
        if stretches and stretches[-1][0] == under_way:
            stretches[-1] = under_way, stretches[-1][1], end
        else:
            stretches.append((under_way, first, end))
    if not stretches:
        return clip.frames // 2
    _, first, end = max(stretches, key=lambda stretch: (stretch[0], stretch[2] - stretch[1], -stretch[1]))
    return min(clip.frames - 1, (first + end) // 2)


def delivered_fps(choice: Choice, clip: Clip) -> float:
    """Frames a second where the frames shown lie widest apart; 0 for a single one."""
    if len(choice.slots) < 2:
        return 0.0
    return clip.fps / max(after - before for before, after in pairwise(choice.slots))


def is_below_minimum(viewing: Viewing, choice: Choice, item: Item, clip: int) -> bool | None:
    """Whether the clip is shown at fewer frames a second than the item needs; None where that cannot be said."""
    minimum = item.measures.get("minimum_fps")
    if minimum is None or viewing.condition not in MOVING:
        return None
    return delivered_fps(choice, item.clips[clip]) < minimum * (1 - ROUNDING)


def transcript(item: Item, clip: int) -> str:
    """What the clip shows, as text: what is hidden in the video stays hidden."""
    plan = item.clips[clip].plan
    try:
        shown = family(item.family).episode(plan)
    except ValueError as error:
        raise InputError(f"{item.id}: {error}; python -m verifier check says what else is wrong") from None
    if not isinstance(shown, Episode):
        return f"In place of the video, here is what happens in it, as JSON: {canonical_json(plan)}"
    revealed = shown.trace.start if shown.reveal == "start" else shown.trace.end
    key, full = shown.wording.state_key(revealed), shown.world.write_state(revealed)
    state = f"The state shown at the {shown.reveal} of the video: {canonical_json(key)}"
    if key != full:
        state += f" (in full: {canonical_json(full)})"
    operations = [f"{number}. {text}" for number, text in enumerate(shown.operations, 1)]
    listed = "\n".join(["The operations, in order:", *operations])
    parts = [state, listed] if shown.reveal == "start" else [listed, state]
    return "\n".join(["In place of the video, here is what it shows.", *parts])


def with_condition(viewing: Viewing, condition: Condition) -> Viewing:
    """The same viewing under another condition."""
    return replace(viewing, condition=condition)
