"""Half way round on either side and back."""

import pytest

from simulators.walks import both_ways, distance


@pytest.mark.parametrize("poses", [5, 6, 11, 12, 197])
@pytest.mark.parametrize("start", [0, 3])
def test_both_ways_holds_every_pose_once_and_never_gets_round(poses: int, start: int) -> None:
    walk = both_ways(poses, start)
    assert sorted(walk) == list(range(poses)) and walk[0] == start
    steps = [(after - before) % poses for before, after in zip(walk, [*walk[1:], start], strict=True)]
    assert all(distance(poses, 0, step) <= 2 for step in steps)
    signed = [step if step <= poses // 2 else step - poses for step in steps]
    reached = [sum(signed[:number]) for number in range(poses + 1)]
    assert reached[-1] == 0 and max(reached) == poses // 2 and min(reached) == -((poses - 1) // 2)


def test_too_small_a_ring_is_refused() -> None:
    with pytest.raises(ValueError, match="both sides"):
        both_ways(4)
