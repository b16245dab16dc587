"""Walks over numbered poses that hold the same poses equally often, in another order: what only order can tell.

A ring has `poses` poses numbered from 0, of which the last lies beside the first. Each walk here begins at `start` and
holds every pose exactly once, so that walks of any kind, one after the other, are permutations of one another as long
as there are equally many of them.
"""

from collections.abc import Iterable, Sequence
from math import gcd
from random import Random


def ring(poses: int, step: int = 1, start: int = 0) -> list[int]:
    """Once through all poses in steps of `step`, forwards or (below 0) backwards: so many laps, at that speed.

    The step after the last leads back to `start`. Raises ValueError where the step has a divisor in common with
    `poses`, since it would miss some.
    """
    if poses < 1 or gcd(step, poses) != 1:
        raise ValueError(f"steps of {step} do not lead through a ring of {poses} poses")
    return [(start + step * number) % poses for number in range(poses)]


def there_and_back(poses: int, start: int = 0, step: int = 1) -> list[int]:
    """Forwards (with `step` 1) or backwards (-1) over every second pose, then back over those between.

    It never gets all the way round, and the step after the last leads back to `start`.
    """
    if poses < 1 or step not in (1, -1):
        raise ValueError(f"there and back over {poses} poses, first forwards (1) or backwards (-1), not {step}")
    out = [*range(0, poses, 2), *reversed(range(1, poses, 2))]
    return [(start + step * place) % poses for place in out]


def distance(poses: int, first: int, second: int) -> int:
    """Steps between two poses of a ring, the shorter way."""
    apart = (second - first) % poses
    return min(apart, poses - apart)


def drawn_jumps(poses: int, least: int, random: Random) -> list[int]:
    """An order of the poses 1 to `poses` - 1 that, with pose 0 before and after it, never moves by less than `least`.

    Raises ValueError where so far apart none is found.
    """
    for _ in range(1_000):
        order, left = [0], set(range(1, poses))
        while left:
            far = sorted(pose for pose in left if distance(poses, order[-1], pose) >= least)
            if not far:
                break
            order.append(random.choice(far))
            left.remove(order[-1])
        if not left and distance(poses, order[-1], 0) >= least:
            return order[1:]
    raise ValueError(f"{poses} poses have no order in which each is {least} or more from the next")


def jumping(jumps: Sequence[int], start: int = 0) -> list[int]:
    """Through all poses in the order of `jumps`, as `drawn_jumps` gives it, counted from `start`.

    Raises ValueError where `jumps` is no order of the other poses.
    """
    poses = len(jumps) + 1
    if sorted(jumps) != list(range(1, poses)):
        raise ValueError(f"jumps are an order of the poses 1 to {poses - 1}")
    return [(start + place) % poses for place in (0, *jumps)]


def held(walk: Iterable[int], frames: int) -> list[int]:
    """Each pose of the walk shown for so many frames."""
    return [pose for pose in walk for _ in range(frames)]


def both_ways(poses: int, start: int = 0) -> list[int]:
    """Half way round forwards and back, then half way round backwards and back: it never gets all the way round.

    Every second pose on the way out, those between on the way back; the step after the last leads back to `start`.
    Raises ValueError where there are not two poses and more on either side.
    """
    if poses < 5:
        raise ValueError(f"a ring of {poses} poses has no way out and back on both sides")
    forwards = there_and_back(poses // 2 + 1)
    backwards = [-1 - place for place in there_and_back(poses - len(forwards))]
    return [(start + place) % poses for place in (*forwards, *backwards)]
