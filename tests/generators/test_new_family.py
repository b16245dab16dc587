"""A second family is added as files alone, in a copy of the tree; one that cannot be imported stops the program."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.generators.command_line import ROOT, contents, environment

RULES = '''
"""Toy: a dial with positions 0 to 4 that is turned one step."""

from dataclasses import dataclass
from typing import Any

from simulators.contract import World


@dataclass(frozen=True, slots=True)
class Dial:
    position: int


@dataclass(frozen=True, slots=True)
class Turn:
    way: str


STEPS = {"clockwise": 1, "anticlockwise": -1}


def read_dial(value: Any) -> Dial:
    if type(value) is not int or not 0 <= value <= 4:
        raise ValueError(f"expected a position from 0 to 4, not {value!r}")
    return Dial(value)


def read_turn(text: str) -> Turn:
    if text not in STEPS:
        raise ValueError(f"{text!r} is no operation: expected clockwise or anticlockwise")
    return Turn(text)


def turned(dial: Dial, turn: Turn) -> Dial:
    return Dial((dial.position + STEPS[turn.way]) % 5)


def plan_to(dial: Dial, goal: Dial) -> tuple[Turn, ...]:
    onward = (goal.position - dial.position) % 5
    return (Turn("clockwise"),) * onward if onward <= 2 else (Turn("anticlockwise"),) * (5 - onward)


WORLD = World(
    name="toy",
    read_state=read_dial,
    write_state=lambda dial: dial.position,
    read_goal=read_dial,
    write_goal=lambda dial: dial.position,
    goal_of=lambda dial: dial,
    read_operation=read_turn,
    write_operation=lambda turn: turn.way,
    operations_in_reply=lambda text: tuple(read_turn(word) for word in text.lower().replace(",", " ").split()),
    legal_operations=lambda dial: tuple(Turn(way) for way in STEPS),
    transition=turned,
    optimal_plan=plan_to,
)
'''

FAMILY = '''
"""Toy: a hand that is turned round a dial."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from pydantic import Field

from generators.family import Family, QuestionType
from generators.item import Kind, Plan
from generators.randomness import Streams
from generators.rendering.scene import AtlasBuilder, Ellipse, Line, Placement, Scene, Sprite, ease
from generators.settings import ClipSettings
from simulators.contract import Trace, replay
from simulators.toy import WORLD


class ToySettings(ClipSettings):
    turns: int = Field(3, ge=1, le=9, description="how often the hand is turned")


@dataclass(frozen=True, slots=True)
class Episode:
    trace: Trace[Any, Any]


def sample(settings: ToySettings, streams: Streams, index: int) -> tuple[Plan, ...]:
    way = streams("way").choice(["clockwise", "anticlockwise"])
    return ({"start": streams("start").randrange(5), "operations": [way] * settings.turns},)


def episode(plan: Plan) -> Episode:
    return Episode(replay(WORLD, WORLD.read_state(plan["start"]), map(WORLD.read_operation, plan["operations"])))


def scene(plan: Plan, settings: ToySettings) -> Scene:
    trace = episode(plan).trace
    width, height = settings.resolution
    atlas = AtlasBuilder()
    dial = atlas.add(Sprite(100, 100, (Ellipse(0, 0, 100, 100, (220, 220, 220)),)))
    hand = atlas.add(Sprite(100, 100, (Line(((50, 50), (50, 10)), 4, (20, 20, 20)),)))
    step = settings.fps

    def placements(frame: int) -> Sequence[Placement]:
        number = min(frame // step, len(trace.operations) - 1)
        turn = 1 if trace.operations[number].way == "clockwise" else -1
        angle = 72.0 * (trace.states[number].position + turn * ease((frame - number * step + 1) / step))
        return [Placement(dial, width / 2, height / 2), Placement(hand, width / 2, height / 2, angle=angle)]

    return Scene(
        width=width,
        height=height,
        fps=settings.fps,
        frames=step * len(trace.operations),
        background=(250, 250, 250),
        sprites=atlas.sprites,
        placements=placements,
        spans=tuple((number * step, (number + 1) * step) for number in range(len(trace.operations))),
    )


class WhereTo(QuestionType):
    """Where does the hand point at the end?"""

    ID: ClassVar[str] = "where_to"
    LEVEL: ClassVar[int] = 2
    KIND: ClassVar[Kind] = "integer"

    @classmethod
    def draw(cls, episodes: Sequence[Episode], settings: ToySettings, streams: Streams) -> Self:
        return cls()

    def prompt(self, episode: Episode) -> str:
        return (
            "The video shows a hand on a dial with positions 0 (top) to 4, clockwise. Where does it point at the end? "
            "End your reply with one line such as `Final Answer: 3`."
        )

    def key(self, episode: Episode) -> int:
        return int(episode.trace.end.position)


FAMILY = Family(
    name="toy",
    version=1,
    summary="A hand that is turned round a dial.",
    settings=ToySettings,
    sample=sample,
    episode=episode,
    scene=scene,
    questions=(WhereTo,),
    measures=lambda episodes: {"turns": len(episodes[0].trace.operations)},
    asked=lambda settings: ("where_to",),
    world=WORLD,
)

if __name__ == "__main__":
    from generators.command import main

    main(["toy", *sys.argv[1:]])
'''


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A copy of the packages with the two toy files added."""
    for package in ("simulators", "generators", "verifier", "evaluate"):
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "simulators" / "toy.py").write_text(RULES.lstrip())
    (tmp_path / "generators" / "toy.py").write_text(FAMILY.lstrip())
    return tmp_path


def run(tree: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-W", "error", "-m", *words],
        cwd=tree,
        env=environment(PYTHONPATH=str(tree)),
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_family_added_as_files_alone_works_from_end_to_end(tree: Path) -> None:
    made: list[dict[str, str]] = []
    for spelling in (("generators.toy",), ("generators", "toy")):
        folder = f"set-{len(made)}"
        result = run(
            tree,
            *(*spelling, "--turns", "4", "--fps", "6", "--resolution", "128", "--count", "4"),
            *("--seed", "3", "--workers", str(len(made) + 1), "--out", folder),
        )
        assert result.returncode == 0, result.stderr
        made.append(contents(tree / folder))
    assert made[0] == made[1] and len(made[0]) == 12
    items = [json.loads(line) for line in (tree / "set-0" / "items.jsonl").read_text().splitlines()]
    for item in items:
        [clip], [question] = item["clips"], item["questions"]
        step = 1 if clip["plan"]["operations"][0] == "clockwise" else -1
        assert question["keys"] == [(clip["plan"]["start"] + 4 * step) % 5]
        assert (item["family"], item["measures"], clip["frames"]) == (
            "toy",
            {"turns": 4, "operations_per_second": 1.0, "minimum_fps": 1.0},
            24,
        )

    checked = run(tree, "verifier", "check", "set-0", "--workers", "1")
    assert checked.returncode == 0, checked.stdout + checked.stderr
    line = (tree / "set-0" / "items.jsonl").read_text().replace('"keys":[', '"keys":[1', 1)
    (tree / "set-0" / "items.jsonl").write_text(line)
    tampered = run(tree, "verifier", "check", "set-0", "--workers", "1")
    assert tampered.returncode == 1
    assert items[0]["id"] in tampered.stdout + tampered.stderr

    listed = run(tree, "generators", "--help")
    assert "toy" in listed.stdout and "number" in listed.stdout
    helped = run(tree, "generators", "toy", "--help")
    assert "--turns" in helped.stdout and "from 1 to 9" in helped.stdout
    refused = run(tree, "generators", "toy", "--turns", "10")
    assert refused.returncode == 2 and len(refused.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    "fault",
    ["raise RuntimeError('broken')", "import no_such_package", "def (", "FAMILY = 5"],
)
def test_a_family_that_cannot_be_imported_stops_the_program(fault: str, tree: Path) -> None:
    path = tree / "generators" / "toy.py"
    path.write_text(f"{path.read_text()}\n{fault}\n")
    for words in (("generators", "toy"), ("generators", "toy", "--help")):
        result = run(tree, *words, "--out", "set")
        assert result.returncode not in (0, 2)
        assert "toy.py" in result.stderr
        assert not (tree / "set").exists()
