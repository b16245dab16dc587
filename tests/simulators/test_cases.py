"""Every recorded plan: each operation's spelling, the state after it, and where the first illegal operation is."""

import json
from pathlib import Path
from typing import Any

import pytest

from simulators.contract import IllegalOperation, replay
from simulators.worlds import worlds

CASES = [json.loads(line) for line in Path(__file__).parents[1].joinpath("cases/plans.jsonl").read_text().splitlines()]


def test_the_cases_cover_every_world() -> None:
    assert len(CASES) == 24
    assert {case["world"] for case in CASES} == set(worlds())


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['id']}-{case['world']}")
def test_plan(case: dict[str, Any]) -> None:
    world = worlds()[case["world"]]
    operations = [world.read_operation(text) for text in case["operations"]]
    assert [world.write_operation(operation) for operation in operations] == case["operations"]
    start = world.read_state(case["start"])
    legal = operations[: case["illegal"]]
    assert [world.write_state(state) for state in replay(world, start, legal).states] == case["states"]
    if case["illegal"] is not None:
        with pytest.raises(IllegalOperation) as caught:
            replay(world, start, operations)
        assert caught.value.world == case["world"]
        assert caught.value.index == case["illegal"]
        assert caught.value.operation == case["operations"][case["illegal"]]
        assert caught.value.state == case["states"][-1]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['id']}-{case['world']}")
def test_a_recorded_plan_reads_as_a_reply(case: dict[str, Any]) -> None:
    world = worlds()[case["world"]]
    operations = tuple(world.read_operation(text) for text in case["operations"])
    for separator in (", ", "\n", "; ", " then ", "\n- "):
        assert world.operations_in_reply(separator.join(case["operations"])) == operations
    numbered = "\n".join(f"{number}. {text}" for number, text in enumerate(case["operations"], 1))
    assert world.operations_in_reply(numbered) == operations
    assert world.operations_in_reply(json.dumps(case["operations"])) == operations
