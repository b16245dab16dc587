"""File: a terminal in which shell commands make, remove, copy and move files that are listed only once.

No more than the command that is being typed and the one before it are on the screen. A whole history would answer every
question from the last frame alone; like this it takes frames from all over the clip, as in the other worlds.
"""

import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain, pairwise
from math import ceil, comb, log2, prod
from random import Random
from typing import NamedTuple, Self

from pydantic import Field

from generators.containers import (
    CompareContainer,
    ContainerWording,
    InferContainer,
    PredictContainer,
    RecallWhere,
    containers,
    reworded,
)
from generators.family import Family
from generators.item import Plan
from generators.questions import (
    DRIVERS,
    EMPTY,
    Episode,
    PredictOperation,
    RecallOrder,
    asked_skills,
    hidden_state_measures,
    replay_plan,
)
from generators.randomness import Streams
from generators.rendering.scene import AtlasBuilder, Colour, Placement, Rectangle, Scene, Sprite, Text
from generators.sampling import draw_from, reveal_of
from generators.settings import HiddenStateSettings, IntegerRange, Reveal, integer_range
from generators.state_pairs import STATE_PAIR_QUESTIONS, partnered, state_pair
from generators.timeline import timeline
from simulators.contract import Trace, replay
from simulators.file import MAXIMUM_PLANNED_COMMANDS, VERBS, WORLD, Command, Paths
from simulators.notation import MAXIMUM_CONTAINERS, write_containers

# ---------------------------------------------------------------------------------------------------- settings

MAXIMUM_FILES = 6
"""Files in one path at any moment of a sampled plan, so that all of them can be listed at once in large letters."""


class FileSettings(HiddenStateSettings):
    paths: integer_range(1, MAXIMUM_CONTAINERS) = Field(  # type: ignore[valid-type]
        IntegerRange(2, 2), description="paths (folders) that hold files, a number or a range such as 1..4"
    )
    files: integer_range(1, MAXIMUM_FILES) = Field(  # type: ignore[valid-type]
        IntegerRange(2, 4), description="files in each path at the start, a number or a range to draw from for each"
    )
    goal_distance: integer_range(1, MAXIMUM_PLANNED_COMMANDS) = Field(  # type: ignore[valid-type]
        IntegerRange(1, MAXIMUM_PLANNED_COMMANDS),
        description="commands from the asked moment to the goal of predict_operation",
    )


# ---------------------------------------------------------------------------------------------------- sampling

# fmt: off
STEMS = (
    "arc", "ash", "bay", "bee", "bus", "cab", "cow", "cup", "dew", "dog", "egg", "fig", "fox", "gym", "hat",
    "ice", "ink", "ivy", "jam", "key", "kit", "map", "mix", "mud", "nut", "oak", "orb", "pad", "pen", "pie",
    "rug", "saw", "sky", "sun", "tea", "toy", "tub", "urn", "van", "vet", "wax", "web", "zip", "zoo",
)
# fmt: on
"""Three letters each, no two of them alike in two places, so that no name is misread as another one."""

EXTENSIONS = (".txt", ".py", ".csv", ".md", ".log")
NAME_LENGTH = 7
NAMES_IN_PLAY = 9
MAXIMUM_NAMES = 3
"""Names in one sampled command."""


def sample(settings: FileSettings, streams: Streams, index: int) -> tuple[Plan, ...]:
    """One plan: some files in each path, and commands that do not leave everything as it was."""
    operations = draw_from(settings.ops, streams("operations", "count"))
    names = _names(streams("names"))
    random = streams("start")
    counts = [draw_from(settings.files, random) for _ in range(draw_from(settings.paths, streams("paths")))]
    start = Paths(tuple(tuple(sorted(random.sample(names, count))) for count in counts))
    random = streams("operations")
    while True:
        trace = _walk(start, names, operations, random)
        if trace.end != trace.start:
            break
    return (
        {
            "start": WORLD.write_state(trace.start),
            "operations": [WORLD.write_operation(operation) for operation in trace.operations],
            "reveal": reveal_of(settings, index),
        },
    )


def _names(random: Random, known: Iterable[str] = ()) -> list[str]:
    """The names `known` and, up to NAMES_IN_PLAY of all, fresh ones; each of these has a stem of its own."""
    names = sorted(known)
    stems = {re.split(r"[.-]", name)[0].lower() for name in names}
    free = [stem for stem in STEMS if stem not in stems]
    for stem in random.sample(free, max(0, NAMES_IN_PLAY - len(names))):
        names.append(stem + random.choice(EXTENSIONS))
    return names


def _names_in(episode: Episode, random: Random) -> list[str]:
    """The names that occur in a plan, filled up with fresh ones."""
    return _names(random, {name for state in episode.trace.states for path in state.paths for name in path})


def _walk(
    start: Paths, names: Sequence[str], length: int, random: Random, came_from: Paths | None = None
) -> Trace[Paths, Command]:
    """`length` legal commands, none of which undoes the one before it; `came_from` is the state before `start`."""
    states, commands = [start], list[Command]()
    while len(commands) < length:
        command = _draw_command(states[-1], names, random)
        state = WORLD.transition(states[-1], command)
        if state == came_from:
            continue
        came_from = states[-1]
        commands.append(command)
        states.append(state)
    return Trace(tuple(states), tuple(commands))


def _draw_command(state: Paths, names: Sequence[str], random: Random) -> Command:
    """A legal command; the fuller the paths, the likelier it removes files, so that they neither overflow nor drain."""
    ways: dict[str, list[tuple[Command, int]]] = {verb: [] for verb in VERBS}
    for path, held in enumerate(state.paths):
        absent = tuple(name for name in names if name not in held)
        ways["touch"].append((Command("touch", path, absent), MAXIMUM_FILES - len(held)))
        ways["rm"].append((Command("rm", path, held), len(held)))
        for target, there in enumerate(state.paths):
            movable = tuple(name for name in held if name not in there) if target != path else ()
            for verb in ("cp", "mv"):
                ways[verb].append((Command(verb, path, movable, target), MAXIMUM_FILES - len(there)))
    possible = {
        verb: [(command, limit) for command, limit in listed if command.names and limit > 0]
        for verb, listed in ways.items()
    }
    growing = sum(bool(possible[verb]) for verb in ("touch", "cp"))
    fullness = min(1.0, sum(map(len, state.paths)) / (MAXIMUM_FILES * len(state.paths)))
    weights = {"touch": 1.25 - fullness, "cp": 1.25 - fullness, "mv": 0.75, "rm": max(1, growing) * (0.25 + fullness)}
    verbs = [verb for verb in VERBS if possible[verb]]
    [verb] = random.choices(verbs, [weights[verb] for verb in verbs])
    command, limit = random.choice(possible[verb])
    count = random.randint(1, min(MAXIMUM_NAMES, limit, len(command.names)))
    return Command(verb, command.path, tuple(random.sample(command.names, count)), command.target)


# ---------------------------------------------------------------------------------------------------- scene

GROUND: Colour = (18, 22, 28)
TYPED: Colour = (240, 242, 236)
PROMPT: Colour = (110, 214, 120)
LISTED: Colour = (140, 208, 255)
CURSOR: Colour = (176, 182, 190)

MINIMUM_COLUMNS = 18
"""A path with its brace and a name behind it, the mark before them and a column for the cursor."""

EM_OF_ADVANCE = 2048 / 1233
"""The font's em square in widths of one character. Source: the font's horizontal metrics."""

TYPING_SHARE = 0.5
"""Part of an operation's motion in which its command is typed: at least half of its span is left to read it."""

MARK = 2
"""Columns before a command: the prompt and a space, or as much room where a long one goes on in the next line."""

_UNIT = re.compile(r"[^ ,]*[ ,]|[^ ,]+")
"""What a line of a command may end after."""

_PIECE = re.compile(r"[^ ,{]*[ ,{]|[^ ,{]+")
"""What is drawn as one sprite once it is typed: few of these occur over and over, and a whole line occurs once."""


class Run(NamedTuple):
    """Text of one colour that starts in one column of a line."""

    column: int
    text: str
    colour: Colour


Line = list[Run]
"""The runs of one line of the terminal."""


@dataclass(frozen=True, slots=True)
class Grid:
    """The terminal's columns and rows on the canvas; lengths in pixels. A character is `advance` wide."""

    columns: int
    rows: int
    advance: int
    line_height: int
    left: int
    top: int

    @property
    def em(self) -> float:
        """Height of the font's em square, by which a text's size goes."""
        return self.advance * EM_OF_ADVANCE


def fit(width: int, height: int, rows_needed: Callable[[int], int]) -> Grid:
    """The grid with the largest letters whose rows are as many as are needed where a line has so many columns.

    Where not even letters two pixels wide are small enough, these.
    """
    margin = max(4, round(min(width, height) * 0.03)) & -2
    for advance in range(max(2, (width - 2 * margin) // MINIMUM_COLUMNS), 1, -1):
        columns = max(1 + MARK + 1, (width - 2 * margin) // advance)
        line_height = 2 * round(0.6 * advance * EM_OF_ADVANCE)  # even: a line that scrolls keeps its chroma phase
        rows = max(1, (height - 2 * margin) // line_height)
        if rows >= rows_needed(columns):
            break
    return Grid(columns, rows, advance, line_height, margin, margin)


def flow(units: Iterable[str], columns: int) -> list[str]:
    """Lines of at most so many columns; a unit is cut only where it is longer than a line."""
    lines = [""]
    for unit in units:
        if lines[-1] and len(lines[-1] + unit.rstrip()) > columns:
            lines.append("")
        while len(unit.rstrip()) > columns:
            lines[-1], unit = unit[:columns], unit[columns:]
            lines.append("")
        lines[-1] += unit
    return [line.rstrip() for line in lines]


def command_lines(text: str, columns: int) -> list[str]:
    """A command's lines without their mark; a last column stays free for the cursor."""
    return flow(_UNIT.findall(text), columns - MARK - 1)


def _command(text: str, columns: int) -> list[Line]:
    lines = [[Run(MARK, line, TYPED)] for line in command_lines(text, columns)]
    return [[Run(0, "$", PROMPT), *lines[0]], *lines[1:]]


def listing_lines(names: Sequence[str], columns: int) -> list[str]:
    """What `ls` prints: names in columns, or nothing."""
    longest = max(map(len, names), default=0)
    return flow((name.ljust(longest) + "  " for name in names), columns) if names else []


def scene(plan: Plan, settings: FileSettings) -> Scene:
    """A terminal: a command is typed below the one before it, which then scrolls up; `ls` of every path at the reveal.

    Only the reveal looks at the files: all else follows from the commands.
    """
    replayed = episode(plan)
    trace, texts = replayed.trace, replayed.operations
    revealed = trace.start if replayed.reveal == "start" else trace.end
    width, height = settings.resolution
    timing = timeline(len(texts), replayed.reveal, settings)

    def rows_for_commands(columns: int) -> int:
        """Room for any command and the one before it; behind the last one a prompt is left."""
        needed = [len(command_lines(text, columns)) for text in texts]
        return max(map(sum, pairwise([0, *needed, 1])))

    def print_listing(columns: int) -> list[Line]:
        """What `ls` prints, below the last command where that comes before it."""
        last = texts[-1:] if replayed.reveal == "end" else []
        printed = [line for text in last for line in _command(text, columns)]
        for path, names in enumerate(revealed.paths):
            printed += _command(f"ls path{path}", columns)
            printed += [[Run(0, line, LISTED)] for line in listing_lines(names, columns)]
        return printed

    grid = fit(width, height, rows_for_commands)
    listing_grid = fit(width, height, lambda columns: len(print_listing(columns)))
    typed = [_command(text, grid.columns) for text in texts]
    printed = print_listing(listing_grid.columns)

    atlas = AtlasBuilder()
    prompt = Run(0, "$", PROMPT)
    letters = [Run(0, letter, TYPED) for letter in sorted(set("".join(texts)))]
    sprites = {
        (grid, piece, colour): atlas.add(_written(piece, colour, grid))
        for grid, lines in ((grid, [[prompt, *letters], *chain(*typed)]), (listing_grid, printed))
        for line in lines
        for _, text, colour in line
        for piece in _PIECE.findall(text)
    }
    cursor = atlas.add(_cursor(grid))

    def written(line: Line, grid: Grid, row: int) -> list[Placement]:
        """A line in pieces; one that is typed in part has no sprite of its own and is put together from letters."""
        placed = []
        for column, text, colour in line:
            for piece in _PIECE.findall(text):
                for part in (piece,) if (grid, piece, colour) in sprites else piece:
                    placed.append(_at(sprites[grid, part, colour], grid, row, column, len(part)))
                    column += len(part)
        return placed

    def screen(lines: Sequence[Line], grid: Grid) -> list[Placement]:
        return [placement for row, line in enumerate(lines) for placement in written(line, grid, row)]

    @cache
    def listing() -> list[Placement]:
        return screen(printed, listing_grid)

    @cache
    def before(operation: int) -> list[Placement]:
        """The command before one, at the top of the screen."""
        return screen(typed[operation - 1], grid) if operation else []

    @cache
    def typing(operation: int, characters: int) -> list[Placement]:
        """The screen when so many characters of a command are typed, with the cursor behind them."""
        first = len(typed[operation - 1]) if operation else 0
        placed = [*before(operation), *written([prompt], grid, first)]
        row, column = first, MARK
        for row, line in enumerate(typed[operation] if operation < len(typed) else [], first):
            text = line[-1].text[:characters]
            placed += written([Run(MARK, text, TYPED)], grid, row)
            column = MARK + len(text)
            characters -= len(text)
            if not characters:
                break
        placed.append(_at(cursor, grid, row, column, 1))
        return placed

    def characters(operation: int, progress: float) -> int:
        """How many of a command's characters are typed."""
        total = sum(len(line[-1].text) for line in typed[operation]) if operation < len(typed) else 0
        return ceil(total * min(1.0, progress / TYPING_SHARE))

    def seen(operation: int) -> tuple[int, int]:
        """The frames in which a command is on the screen as a whole: to the end of the next one's time."""
        frames = range(*timing.spans[operation])
        whole = characters(operation, 1.0)
        first = next(frame for frame in frames if characters(operation, timing.position(frame)[1]) == whole)
        return first, timing.spans[operation + 1][1] if operation + 1 < len(texts) else timing.frames

    def placements(frame: int) -> Sequence[Placement]:
        if timing.is_shown(frame):
            return listing()
        operation, progress = timing.position(frame)
        return typing(operation, characters(operation, progress))

    return Scene(
        width=width,
        height=height,
        fps=settings.fps,
        frames=timing.frames,
        background=GROUND,
        sprites=atlas.sprites,
        placements=placements,
        spans=timing.spans,
        cuts=timing.cuts,
        moments=tuple(end - 1 for _, end in timing.spans),
        seen=tuple(map(seen, range(len(texts)))),
    )


def _at(sprite: int, grid: Grid, row: int, column: int, length: int) -> Placement:
    """The placement of a sprite `length` columns wide that starts at a place of the grid."""
    x = grid.left + (column + length / 2) * grid.advance
    return Placement(sprite, x, grid.top + (row + 0.5) * grid.line_height)


def _written(text: str, colour: Colour, grid: Grid) -> Sprite:
    # Capitals are centred on the text's y; what hangs below the base line needs the room that is gained by raising it.
    width, middle = len(text) * grid.advance, grid.line_height / 2 - 0.1 * grid.em
    return Sprite(width, grid.line_height, (Text(width / 2, middle, text, grid.em, colour),))


def _cursor(grid: Grid) -> Sprite:
    width, height = grid.advance, grid.line_height
    gap = max(1, height // 10)
    return Sprite(width, height, (Rectangle(0, gap, width, height - 2 * gap, CURSOR),))


# ---------------------------------------------------------------------------------------------------- questions


def rules(episode: Episode) -> str:
    """Every rule a viewer needs, and when the files are listed."""
    names = containers(episode)
    is_one = len(names) == 1
    folders = (
        f"there is one, {names[0]}, and it holds files."
        if is_one
        else f"there are {len(names)}, {', '.join(names[:-1])} and {names[-1]}, and they hold files. Files of the same "
        "name in different paths are different files."
    )
    where = "it" if is_one else "each path"
    shown = (
        f"At the start of the video, `ls` lists the files in {where}. Then the screen is cleared, and from there on no "
        "file is listed any more."
        if episode.reveal == "start"
        else f"No file is listed until, at the end of the video, after the last operation, `ls` lists the files in "
        f"{where}."
    )
    kinds = [
        "- `touch path0/{a.txt,b.py}` makes the new files a.txt and b.py in path0. No file of these names was in path0 "
        "before.",
        "- `rm -rf path0/{a.txt,b.py}` removes the files a.txt and b.py from path0. Both were in path0 before.",
    ]
    if not is_one:
        kinds += [
            "- `cp path0/{a.txt,b.py} path1/` copies the files a.txt and b.py from path0 to path1: afterwards they are "
            "in both. Both were in path0 before, and no file of these names was in path1.",
            "- `mv path0/{a.txt,b.py} path1/` moves the files a.txt and b.py from path0 to path1: afterwards they are "
            "in path1 and no longer in path0. Both were in path0 before, and no file of these names was in path1.",
        ]
    return (
        f"The video shows a terminal. A folder is called a path here; {folders} {shown} Where `ls` prints nothing, the "
        "path is empty. `ls` is not an operation.\n\n"
        "Every other command that is typed is one operation, and all of them are carried out. The screen never shows "
        f"more of them than the one that is being typed and the one before it. There are {len(kinds)} kinds:\n"
        + "\n".join(kinds)
        + "\n"
        "Between the braces stand the names of one or more files in the path before them, with commas between the "
        "names. A command that is too long for one line of the terminal goes on in the next line. Write commands as "
        "they are written here and in the video, with the names in the same order."
    )


def write_tree(paths: Paths) -> str:
    """The files of every path as a prompt lists them: `path0: a.txt, b.py; path1: none`."""
    return "; ".join(
        f"{path}: {', '.join(map(str, names)) or EMPTY}"
        for path, names in write_containers(paths.paths, "path").items()
    )


KIND_QUESTIONS = {
    "touch": "in which path did each of them make files",
    "rm": "from which path did each of them remove files",
    "cp": "from which path did each of them copy files",
    "mv": "from which path did each of them move files",
}


@cache
def wording(is_one: bool, reveal: Reveal) -> ContainerWording:
    """The words for one path or for several; they are the same for either reveal."""
    each = "the" if is_one else "each"
    return ContainerWording(
        thing="set of files",
        rules=rules,
        state_question=f"Which files {{verb}} in {each} path",
        state_kind="items",
        state_key=WORLD.write_state,
        goal_text=write_tree,
        how_to_write_state=f"The files of {each} path are listed behind its name; {EMPTY} stands for an empty path.",
        state_examples="a.txt, b.py",
        operation_examples="touch path0/{a.txt,b.py}, rm -rf path0/{c.csv}",
        plan_rule=f"Use `touch` and `rm -rf` only, at most {MAXIMUM_PLANNED_COMMANDS} commands in all, and give no "
        f"name both to a `touch` and to an `rm -rf`{'' if is_one else ', not even in different paths'}. Any list of "
        f"commands within these limits that ends with exactly these files in {'the' if is_one else 'every'} path is "
        "right. A command that cannot be carried out, because a file that it makes is there already or one that it "
        "removes is not there, makes the answer wrong.",
        further=lambda episode, length, random: _walk(
            episode.asked, _names_in(episode, random), length, random, episode.came_from
        ),
        container="path",
        things="files",
        contents=lambda paths, part: list(WORLD.write_state(paths)[part]),
        gained=lambda paths, other, part: sorted(
            set(WORLD.write_state(paths)[part]) - set(WORLD.write_state(other)[part])
        ),
        gained_question="Which files are in {part} at {asked} but not at {other}? Files are compared by their names "
        "alone.",
        how_to_list="the names of the files with commas between them, without the path. The order does not matter.",
        list_example="a.txt, b.py",
        kind_of=lambda command: str(command.verb),
        place_of=lambda command: f"path{command.path}",
        kind_question=lambda verb: (
            f"How many `{VERBS[verb]}` commands were typed" + ("?" if is_one else f", and {KIND_QUESTIONS[verb]}?")
        ),
    )


class PredictCommands(PredictOperation):
    """Which one or two commands, `touch` or `rm -rf`, lead from the asked moment to the goal?"""

    @classmethod
    def draw(cls, episodes: Sequence[Episode], settings: HiddenStateSettings, streams: Streams) -> Self:
        random = streams(cls.ID)
        episode = episodes[0]
        asked: Paths = episode.asked
        names = _names_in(episode, random)
        ways = {
            (verb, path): {name for name in names if (name in held) == (verb == "rm")}
            for path, held in enumerate(asked.paths)
            for verb in ("touch", "rm")
        }
        possible = [way for way, fitting in ways.items() if fitting]
        count = min(len(possible), draw_from(settings.goal_distance, random))
        commands = list[Command]()
        while len(commands) < count:
            commands = []
            for verb, path in random.sample(possible, count):
                taken = {name for command in commands if command.verb != verb for name in command.names}
                if fitting := sorted(ways[verb, path] - taken):
                    chosen = random.sample(fitting, random.randint(1, min(MAXIMUM_NAMES, len(fitting))))
                    commands.append(Command(verb, path, tuple(chosen)))
        goal = replay(WORLD, asked, commands).end
        solution = [WORLD.write_operation(command) for command in WORLD.optimal_plan(asked, goal)]
        return cls(goal=WORLD.write_goal(goal), solution=solution)


def measures(episodes: Sequence[Episode]) -> Mapping[str, int | float]:
    """`size` is the number of paths; `characters` are those to read: of all commands, and of the names listed once.

    `hidden_bits` are those of putting as many of the names in play into each path as the revealed one holds.
    """
    episode = episodes[0]
    revealed: Paths = episode.trace.start if episode.reveal == "start" else episode.trace.end
    typed = sum(map(len, episode.operations))
    listed = sum(len(name) for names in revealed.paths for name in names)
    in_play = {name for state in episode.trace.states for names in state.paths for name in names}
    ways = prod(comb(len(in_play), len(names)) for names in revealed.paths)
    return hidden_state_measures(episode, len(revealed.paths), log2(ways)) | {"characters": typed + listed}


def episode(plan: Plan) -> Episode:
    return reworded(replay_plan(WORLD, wording(False, "start"), plan), wording)


FAMILY = Family(
    name="file",
    version=1,
    summary="A terminal in which commands make, remove, copy and move files that are listed only once.",
    settings=FileSettings,
    sample=sample,
    episode=episode,
    scene=scene,
    questions=(
        RecallOrder,
        RecallWhere,
        InferContainer,
        CompareContainer,
        PredictContainer,
        PredictCommands,
        *STATE_PAIR_QUESTIONS,
    ),
    measures=measures,
    asked=asked_skills,
    drivers=DRIVERS | {"size": "paths"},
    world=WORLD,
    pair=state_pair,
    partnered=partnered,
)

if __name__ == "__main__":
    from generators.command import main

    main(["file", *sys.argv[1:]])
