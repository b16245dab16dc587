"""The File world: files in one to four folders are made, removed, copied and moved by shell commands."""

import re
from dataclasses import dataclass, replace
from typing import Any

from simulators.contract import NoPlan, Refusal, World
from simulators.notation import (
    FILE_NAME_SPELLING,
    FULL_FILE_NAME_SPELLING,
    listed_operations,
    listed_things,
    read_containers,
    read_file_names,
    without_groups,
    write_containers,
    write_files,
)

MAXIMUM_PLANNED_COMMANDS = 2
VERBS = {"touch": "touch", "rm": "rm -rf", "cp": "cp", "mv": "mv"}
"""Each command's verb and how it is written."""


@dataclass(frozen=True, slots=True)
class Paths:
    """The names of the files in path0, path1 …, each path's names sorted."""

    paths: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Command:
    """`verb` (touch, rm, cp or mv) acts on `names`, in the order they are written, in one path.

    `target` is the path that cp and mv put them into, and None for touch and rm.
    """

    verb: str
    path: int
    names: tuple[str, ...]
    target: int | None = None


def read_paths(value: Any) -> Paths:
    """The paths from their JSON, `{"path0": [names, sorted], …}`. Raises ValueError otherwise."""
    contents = read_containers(value, "path")
    for path, names in enumerate(contents):
        for name in names:
            if not isinstance(name, str) or re.fullmatch(FILE_NAME_SPELLING, name) is None:
                raise ValueError(f"expected names of files as in a.txt in path{path}, not {name!r}")
        if list(names) != sorted({str(name) for name in names}):
            raise ValueError(f"expected sorted names in path{path}, each once, not {list(names)}")
    return Paths(tuple(tuple(str(name) for name in names) for names in contents))


def write_paths(paths: Paths) -> dict[str, list[object]]:
    return write_containers(paths.paths, "path")


_COMMAND = re.compile(r"(?:(touch|rm -rf) path([0-9])/\{([^{}]*)\}|(cp|mv) path([0-9])/\{([^{}]*)\} path([0-9])/)")


def read_command(text: str) -> Command:
    """A command from its one spelling. Raises ValueError otherwise."""
    match = _COMMAND.fullmatch(text)
    if match is None:
        raise ValueError(
            f"{text!r} is no operation: expected touch path0/{{a.txt}}, rm -rf path0/{{a.txt}}, "
            "cp path0/{a.txt} path1/ or mv path0/{a.txt} path1/"
        )
    verb, path, names = (match[1] or match[4]).split()[0], match[2] or match[5], match[3] or match[6] or ""
    command = Command(verb, int(path), read_file_names(names), None if match[7] is None else int(match[7]))
    if write_command(command) != text:
        raise ValueError(f"{text!r} is no operation: expected no spaces between the braces")
    return command


def write_command(command: Command) -> str:
    target = "" if command.target is None else f" path{command.target}/"
    return f"{VERBS[command.verb]} {write_files(command.path, command.names)}{target}"


_ARGUMENT = rf"(?:\./|/)?path([0-9])(?:/+(?:\{{([^{{}}]*)\}}|({FILE_NAME_SPELLING}))?|(?![/0-9]))"
_ONE_COMMAND = re.compile(
    rf"\$?\s*(touch|cp|mv|rm(?:[ \t]+-[rf]+)*)((?:[ \t]+{without_groups(_ARGUMENT)})+)", re.IGNORECASE
)


def commands_in_reply(text: str) -> tuple[Command, ...]:
    """The commands that a reply lists, as they are written here or as a shell user writes them: `rm path0/a.txt`.

    Raises ValueError where anything else is in the text or one command acts on several paths.
    """
    text = text.replace("\\{", "{").replace("\\}", "}")
    matches = listed_operations(text, _ONE_COMMAND, "touch, rm -rf, cp or mv and names as in path0/{a.txt,b.py}")
    return tuple(_command_of_shell(match) for match in matches)


def _command_of_shell(match: re.Match[str]) -> Command:
    """The command in a match of `_ONE_COMMAND`. Raises ValueError where the shell would do more than one here can."""
    verb = match[1].split()[0].lower()
    arguments: list[tuple[int, tuple[str, ...] | None]] = []
    for argument in re.finditer(_ARGUMENT, match[2], re.IGNORECASE):
        names = (argument[3],) if argument[3] else None if argument[2] is None else read_file_names(argument[2])
        arguments.append((int(argument[1]), names))
    target = None
    if verb in ("cp", "mv"):
        *arguments, (target, new_names) = arguments
        if new_names is not None and [new_names] != [names for _, names in arguments]:
            raise ValueError(
                f"{match[0].strip()!r} is no operation: expected a path to put the files into, as in path1/"
            )
    paths = {path for path, _ in arguments}
    if len(paths) != 1 or any(names is None for _, names in arguments):
        raise ValueError(f"{match[0].strip()!r} is no operation: expected names of files in one path")
    return Command(verb, paths.pop(), tuple(name for _, names in arguments for name in names or ()), target)


def files_in_reply(text: str) -> tuple[str, ...]:
    """The names of files that a reply lists, in lower case. Raises ValueError where anything else is in the text."""
    return tuple(match[0].lower() for match in listed_things(text, FULL_FILE_NAME_SPELLING, "names as in a.txt, b.py"))


def transition(paths: Paths, command: Command) -> Paths:
    """The paths after the command. Raises Refusal where a path or a name is missing, or a name is there already."""
    for path in (command.path, *(() if command.target is None else (command.target,))):
        if path >= len(paths.paths):
            raise Refusal(f"there is no path{path}")
    if not command.names:
        raise Refusal("a command must name at least one file")
    if len(set(command.names)) != len(command.names):
        raise Refusal("a command must not name a file twice")
    if command.path == command.target:
        raise Refusal("files cannot be copied or moved to the path they are in")
    for name in command.names:
        if command.verb != "touch" and name not in paths.paths[command.path]:
            raise Refusal(f"there is no {name} in path{command.path}")
        receiving = command.path if command.verb == "touch" else command.target
        if receiving is not None and name in paths.paths[receiving]:
            raise Refusal(f"{name} is in path{receiving} already")
    contents = [set(names) for names in paths.paths]
    if command.verb == "touch":
        contents[command.path].update(command.names)
    if command.verb in ("rm", "mv"):
        contents[command.path].difference_update(command.names)
    if command.target is not None:
        contents[command.target].update(command.names)
    return Paths(tuple(tuple(sorted(names)) for names in contents))


def legal_operations(paths: Paths) -> tuple[Command, ...]:
    """The legal commands on one name that is in some path now.

    These are not all: any new name may be touched, and names can be joined in one command.
    """
    known = sorted({name for names in paths.paths for name in names})
    commands: list[Command] = []
    for path, names in enumerate(paths.paths):
        commands += [Command("touch", path, (name,)) for name in known if name not in names]
        commands += [Command("rm", path, (name,)) for name in names]
        for target, present in enumerate(paths.paths):
            free = [name for name in names if name not in present]
            commands += [Command(verb, path, (name,), target) for verb in ("cp", "mv") for name in free]
    return tuple(commands)


def plan_limits(commands: tuple[Command, ...]) -> None:
    """Hold a plan to `touch` and `rm -rf`, at most two commands, and no name in both. Raises Refusal otherwise."""
    if any(command.verb not in ("touch", "rm") for command in commands):
        raise Refusal("only touch and rm -rf are allowed")
    if len(commands) > MAXIMUM_PLANNED_COMMANDS:
        raise Refusal(f"at most {MAXIMUM_PLANNED_COMMANDS} commands are allowed, not {len(commands)}")
    touched, removed = (
        {name for command in commands if command.verb == verb for name in command.names} for verb in ("touch", "rm")
    )
    if touched & removed:
        raise Refusal(f"{min(touched & removed)} must not be both touched and removed")


def optimal_plan(start: Paths, goal: Paths) -> tuple[Command, ...]:
    """The shortest plan within `plan_limits`: one command for the new names and one for the old ones of each path.

    No command can do the work of two of them. Raises NoPlan where the limits do not allow what is needed.
    """
    if len(start.paths) != len(goal.paths):
        raise NoPlan(f"file: commands keep the number of paths, and the goal has {len(goal.paths)}")
    commands: list[Command] = []
    for path, (before, after) in enumerate(zip(start.paths, goal.paths, strict=True)):
        old, new = (tuple(sorted(names)) for names in (set(before) - set(after), set(after) - set(before)))
        commands += [Command("rm", path, old)] if old else []
        commands += [Command("touch", path, new)] if new else []
    try:
        plan_limits(tuple(commands))
    except Refusal as refusal:
        raise NoPlan(f"file: no allowed plan leads to the goal: {refusal}") from None
    return tuple(commands)


WORLD = World(
    name="file",
    read_state=read_paths,
    write_state=write_paths,
    read_goal=read_paths,
    write_goal=write_paths,
    goal_of=lambda paths: paths,
    read_operation=read_command,
    write_operation=write_command,
    operations_in_reply=commands_in_reply,
    things_in_reply=files_in_reply,
    legal_operations=legal_operations,
    transition=transition,
    optimal_plan=optimal_plan,
    plan_limits=plan_limits,
    normal_form=lambda command: replace(command, names=tuple(sorted(command.names))),
)
