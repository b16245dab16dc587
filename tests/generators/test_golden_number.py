"""The Number family against a recording that a person can read.

A change of the recording raises the family's version in the same commit. `pytest --record-golden` writes it afresh.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from generators.family import family
from generators.item import Item
from generators.questions import write_answer
from tests.generators.making import items_of
from tests.generators.sliding_tiles import Board, slide_all

RECORDING = Path(__file__).parents[1] / "golden" / "number.txt"
NUMBER = family("number")
SEED = 2024
SETTINGS = {"size": "2..4", "ops": "2..5", "reveal": "both"}
COUNT = 8


def drawn(board: Board) -> list[str]:
    """The board as a person would draw it; a dot is the empty cell."""
    size = range(1, len(board) + 1)
    numbered = "    " + " ".join(f"{column:2}" for column in size)
    return [
        numbered,
        *(
            f"  {letter} " + " ".join(f"{number or '.':>2}" for number in row)
            for letter, row in zip("abcdefghij", board, strict=False)
        ),
    ]


def recorded(item: Item) -> Iterator[str]:
    [clip] = item.clips
    start, operations = clip.plan["start"], clip.plan["operations"]
    yield f"item {item.provenance.index}: {item.id}"
    yield f"shown at the {clip.plan['reveal']}; {clip.frames} frames of {clip.width}×{clip.height} at {clip.fps}/s"
    yield f"measures: {', '.join(f'{name} {value}' for name, value in item.measures.items())}"
    yield ""
    yield "start"
    yield from drawn(start)
    for number, (way, (first, end)) in enumerate(zip(operations, clip.spans, strict=True), 1):
        yield f"{number}. {way}, frames {first} to {end - 1}"
        yield from drawn(slide_all(start, operations[:number]) or [])
    for question in item.questions:
        yield ""
        yield f"{question.id}, level {question.level}, {question.kind}, about {question.about}"
        yield from (f"  | {line}".rstrip() for line in question.prompt.splitlines())
        yield f"  = {write_answer(question.kind, question.keys[0])}"


def recording() -> str:
    settings = NUMBER.settings.model_validate(SETTINGS)
    made = items_of(NUMBER, settings, SEED, COUNT)
    parts = ["\n".join(recorded(item)) for item in made]
    head = f"family number, version {NUMBER.version}, seed {SEED}, settings {SETTINGS}"
    return "\n\n\n".join([head, *parts]) + "\n"


def test_the_recording_still_holds(request: pytest.FixtureRequest) -> None:
    if request.config.getoption("--record-golden"):
        RECORDING.write_text(recording(), encoding="utf-8")
    assert recording() == RECORDING.read_text(encoding="utf-8"), (
        "the Number family no longer makes what was recorded: if this is meant, raise its version and run "
        "pytest --record-golden"
    )


def test_the_recording_is_of_this_version() -> None:
    assert RECORDING.read_text(encoding="utf-8").startswith(f"family number, version {NUMBER.version}, ")
