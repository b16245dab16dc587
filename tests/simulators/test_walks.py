"""Walks over numbered poses: every kind holds each pose once, and moves the way it is called."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulators.walks import distance, drawn_jumps, held, jumping, ring, there_and_back

POSES = st.integers(8, 120)


@given(POSES, st.integers(-12, 12), st.integers(0, 200))
def test_a_ring_holds_every_pose_once_and_makes_as_many_laps_as_its_step(poses: int, step: int, start: int) -> None:
    try:
        walk = ring(poses, step, start)
    except ValueError:
        # Brute force: the step has a divisor in common with the ring.
        assert any(poses % divisor == 0 == step % divisor for divisor in range(2, poses + 1))
        return
    assert sorted(walk) == list(range(poses)) and walk[0] == start % poses
    moved = [(after - before) % poses for before, after in zip(walk, [*walk[1:], walk[0]], strict=True)]
    assert {*moved} == {step % poses}


@given(POSES, st.integers(0, 200), st.sampled_from([1, -1]))
def test_there_and_back_turns_once_and_never_gets_round(poses: int, start: int, step: int) -> None:
    walk = there_and_back(poses, start, step)
    assert sorted(walk) == list(range(poses)) and walk[0] == start % poses
    places = [(pose - start) * step % poses for pose in walk]
    top = places.index(max(places))
    assert places[: top + 1] == sorted(places[: top + 1]) and places[top:] == sorted(places[top:], reverse=True)
    assert all(abs(after - before) <= 2 for before, after in zip(places, [*places[1:], 0], strict=True))


@given(st.integers(8, 60), st.integers(0, 2**32), st.integers(0, 100))
def test_jumps_hold_every_pose_once_and_are_wide(poses: int, seed: int, start: int) -> None:
    least = max(2, poses // 6)
    jumps = drawn_jumps(poses, least, Random(seed))
    walk = jumping(jumps, start)
    assert sorted(walk) == list(range(poses)) and walk[0] == start % poses
    assert all(distance(poses, one, other) >= least for one, other in zip(walk, [*walk[1:], walk[0]], strict=True))


def test_what_is_no_walk_is_refused() -> None:
    with pytest.raises(ValueError, match="do not lead"):
        ring(12, 4)
    with pytest.raises(ValueError, match="there and back"):
        there_and_back(9, step=2)
    with pytest.raises(ValueError, match="no order"):
        drawn_jumps(6, 3, Random(1))
    for wrong in ([1, 1, 2], [0, 1, 2], [2, 3]):
        with pytest.raises(ValueError, match="an order of the poses"):
            jumping(wrong)


def test_held_poses_are_shown_for_so_many_frames() -> None:
    assert held([3, 1], 2) == [3, 3, 1, 1]
    assert Counter(held(ring(7, 3), 4)) == dict.fromkeys(range(7), 4)
