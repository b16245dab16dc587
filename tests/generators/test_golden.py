"""Every family against a recording that a person can read.

A change of a recording raises the family's version in the same commit. `pytest --record-golden` writes them afresh.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from generators.family import Family, family, family_names
from generators.item import Clip, Item
from generators.questions import write_answer
from generators.settings import HiddenStateSettings
from simulators.notation import column_label, row_label
from tests.generators.making import items_of

GOLDEN = Path(__file__).parents[1] / "golden"
SEED = 2024
COUNT = 4
PAIRS = 12
SETTINGS: dict[str, dict[str, Any]] = {
    "number": {"size": "2..4"},
    "circle": {"size": "2..4"},
    "cup": {"size": "2..4"},
    "file": {"paths": "1..3"},
    "card": {"piles": "1..3"},
    "chip": {"cups": "1..3"},
}
"""What a family's recording is made with beside few operations and both reveals; nothing for a family not named."""


def drawn(state: Any) -> list[str]:
    """A state as a person would draw it: a matrix under its labels, or a line for each named part."""
    if isinstance(state, dict):
        lines = []
        for name, part in state.items():
            is_matrix = bool(part) and isinstance(part[0], list)
            lines += drawn(part) if is_matrix else [f"  {name}: {', '.join(map(str, part)) or '–'}"]
        return lines
    numbered = "    " + " ".join(f"{column_label(column):>2}" for column in range(len(state)))
    return [
        numbered,
        *(f"  {row_label(row)} " + " ".join(f"{entry:>2}" for entry in line) for row, line in enumerate(state)),
    ]


def recorded(kind: Family, item: Item) -> Iterator[str]:
    yield f"item {item.provenance.index}: {item.id}"
    yield f"measures: {', '.join(f'{name} {value}' for name, value in item.measures.items())}"
    if item.pair:
        yield f"pair: {', '.join(f'{name} {value}' for name, value in item.pair.items())}"
    for clip in item.clips:
        yield ""
        yield from (recorded_pair_clip if item.category else recorded_walk)(kind, clip)
    for question in item.questions:
        yield ""
        yield f"{question.id}, level {question.level}, {question.kind}, about {question.about}"
        yield from (f"  | {line}".rstrip() for line in question.prompt.splitlines())
        yield f"  = {' | '.join(write_answer(question.kind, key) for key in question.keys)}"


def recorded_pair_clip(kind: Family, clip: Clip) -> Iterator[str]:
    """What happens in one clip of a pair."""
    yield f"{clip.frames} frames of {clip.width}×{clip.height} at {clip.fps}/s, spans {clip.spans}"
    yield from (f"  {name}: {value}" for name, value in clip.plan.items())


def recorded_walk(kind: Family, clip: Clip) -> Iterator[str]:
    """What happens in one clip of a world with a hidden state."""
    episode = kind.episode(clip.plan)
    yield f"shown at the {clip.plan['reveal']}; {clip.frames} frames of {clip.width}×{clip.height} at {clip.fps}/s"
    yield "start"
    states = [episode.world.write_state(state) for state in episode.trace.states]
    yield from drawn(states[0])
    for number, (operation, state, span) in enumerate(zip(episode.operations, states[1:], clip.spans, strict=True), 1):
        yield f"{number}. {operation}, frames {span[0]} to {span[1] - 1}"
        yield from drawn(state)


def recording(name: str) -> str:
    kind = family(name)
    is_hidden = issubclass(kind.settings, HiddenStateSettings)
    chosen = ({"ops": "2..5", "reveal": "both"} if is_hidden else {}) | SETTINGS.get(name, {})
    # Every script of a family of pairs, in both forms.
    made = items_of(kind, kind.settings.model_validate(chosen), SEED, COUNT if is_hidden else PAIRS)
    head = f"family {name}, version {kind.version}, seed {SEED}, settings {chosen}"
    return "\n\n\n".join([head, *("\n".join(recorded(kind, item)) for item in made)]) + "\n"


@pytest.mark.parametrize("name", family_names())
def test_the_recording_still_holds(name: str, request: pytest.FixtureRequest) -> None:
    path = GOLDEN / f"{name}.txt"
    if request.config.getoption("--record-golden"):
        path.write_text(recording(name), encoding="utf-8")
    assert recording(name) == path.read_text(encoding="utf-8"), (
        f"the family {name} no longer makes what was recorded: if this is meant, raise its version and run "
        "pytest --record-golden"
    )


@pytest.mark.parametrize("name", family_names())
def test_the_recording_is_of_this_version(name: str) -> None:
    text = (GOLDEN / f"{name}.txt").read_text(encoding="utf-8")
    assert text.startswith(f"family {name}, version {family(name).version}, ")
