"""When things happen in a clip of a hidden-state world, in frames."""

from dataclasses import dataclass
from itertools import pairwise

from generators.errors import InputError
from generators.settings import HiddenStateSettings, Reveal

STILL_SECONDS = 1.0
"""How long the masked state stands still at the end where nothing is revealed, so that neither end is cut short."""

MAXIMUM_FRAMES = 200_000


@dataclass(frozen=True, slots=True)
class Timeline:
    """`spans[i]` is `[first, end)` of operation i; the state is shown in frames `[shown_from, shown_until)`."""

    frames: int
    spans: tuple[tuple[int, int], ...]
    shown_from: int
    shown_until: int

    @property
    def cuts(self) -> tuple[int, ...]:
        """Where the picture changes at once: at the end of a reveal, or at its beginning."""
        return (self.shown_from,) if self.shown_from else (self.shown_until,)

    def is_shown(self, frame: int) -> bool:
        return self.shown_from <= frame < self.shown_until

    def position(self, frame: int) -> tuple[int, float]:
        """(operations finished, progress of the next one from 0 to 1).

        The first and the last sixth of each span are the pause between operations; the last moving frame has arrived.
        """
        if not self.spans or frame < self.spans[0][0]:
            return 0, 0.0
        if frame >= self.spans[-1][1]:
            return len(self.spans), 0.0
        low, high = 0, len(self.spans) - 1
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if self.spans[middle][0] <= frame else (low, middle - 1)
        first, end = self.spans[low]
        pause = (end - first) // 6
        moving = end - first - 2 * pause
        return low, min(1.0, max(0.0, (frame - first - pause + 1) / moving))


def timeline(operations: int, reveal: Reveal, settings: HiddenStateSettings) -> Timeline:
    """The clip's timing: the reveal at one end, a second of stillness at the other, equal spans between.

    Raises InputError where an operation would have fewer than two frames, or the clip too many.
    """
    frames_per_operation = settings.seconds_per_op * settings.fps
    shown = round(settings.reveal_seconds * settings.fps)
    if round(frames_per_operation) < 2 or shown < 1:
        raise InputError(
            f"at {settings.fps} frames a second, an operation of {settings.seconds_per_op:g} s or a reveal of "
            f"{settings.reveal_seconds:g} s has too few frames to be seen: raise --fps, --seconds-per-op or "
            "--reveal-seconds (an operation needs two frames, a reveal one)"
        )
    still = max(1, round(STILL_SECONDS * settings.fps))
    lead, tail = (shown, still) if reveal == "start" else (still, shown)
    boundaries = [lead + round(index * frames_per_operation) for index in range(operations + 1)]
    total = boundaries[-1] + tail
    if total > MAXIMUM_FRAMES:
        raise InputError(
            f"a clip would have {total:,} frames, more than {MAXIMUM_FRAMES:,}: "
            "lower --ops, --fps, --seconds-per-op or --reveal-seconds"
        )
    shown_from, shown_until = (0, lead) if reveal == "start" else (boundaries[-1], total)
    return Timeline(total, tuple(pairwise(boundaries)), shown_from, shown_until)
