"""The command line: one for every family, made from its settings, and one for sets; then a table of what was made."""

import argparse
import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NoReturn, get_args, get_origin

from pydantic import ValidationError

from generators.difficulty import read_condition, read_ladder
from generators.errors import BAD_INPUT, InputError, run_command
from generators.family import Family, family, family_names
from generators.randomness import COMMITTED_SEED_BITS, MAXIMUM_SEED, fresh_seed
from generators.sampling import with_room
from generators.settings import MAXIMUM_COUNT, ClipSettings, LookChoice, first_problem, limits_of

if TYPE_CHECKING:
    from pydantic.fields import FieldInfo
    from rich.table import Table

    from generators.manifest import Request
    from generators.sampling import Selection

MAXIMUM_WORKERS = 256
MAXIMUM_DEVICE = 255
ROWS_SHOWN = 10
RELOOK = "relook"
LOOK_CHOICES: tuple[str, ...] = get_args(LookChoice)
LOOK_HELP = "what the pictures look like; random draws one an item"
SWITCHES = {
    "open_questions": "ask of every clip one open question with an exact key as well",
    "independent_frames": "encode every frame by itself, so that equal frames are equal after decoding too; files "
    "become much larger",
}
"""What the switches of sets that are made in any size do."""
PIPED_WIDTH = 160
"""Columns of a table that goes into a file or another program, which is not cut to a terminal's width."""


class OneLineParser(argparse.ArgumentParser):
    """Says what was wrong in one line, without the usage above it; takes no abbreviated options."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options | {"allow_abbrev": False})

    def error(self, message: str) -> NoReturn:
        print(f"{self.prog}: error: {message} (see --help)", file=sys.stderr)  # noqa: T201
        sys.exit(BAD_INPUT)


def whole_number(low: int, high: int) -> Any:
    """The type of an option that takes a whole number from `low` to `high`."""

    def read(text: str) -> int:
        if not re.fullmatch(r"\s*[+-]?[0-9]{1,60}\s*", text) or not low <= int(text) <= high:
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from {low} to {high}")
        return int(text)

    return read


def add_settings(parser: argparse.ArgumentParser, kind: Family) -> None:
    """One option for each of a family's settings, with its limits and default."""
    group = parser.add_argument_group("what is shown and asked")
    for name, field in kind.settings.model_fields.items():
        option = f"--{name.replace('_', '-')}"
        if field.annotation is bool and field.default is False:
            group.add_argument(option, action="store_const", const="true", help=field.description)
            continue
        limits = limits_of(field)
        reach = f", from {limits.low:g} to {limits.high:g}" if limits else ""
        default = "all" if name in ("skills", "scripts") else str(field.default)
        default = default.lower() if field.annotation is bool else default
        group.add_argument(
            option,
            metavar=_metavar(name, field),
            help=f"{field.description}{reach} (default: {default})".replace("%", "%%"),
        )


def _metavar(name: str, field: "FieldInfo") -> str:
    if field.annotation is bool:
        return "true|false"
    return "|".join(get_args(field.annotation)) if get_origin(field.annotation) is Literal else name.upper()


def add_dataset_options(parser: argparse.ArgumentParser, name: str) -> None:
    """The options that every set has."""
    group = parser.add_argument_group("the dataset")
    group.add_argument(
        "--seed",
        type=whole_number(0, MAXIMUM_SEED - 1),
        metavar="SEED",
        help="root seed, a whole number from 0 (default: a fresh random one, or that of the set in --out)",
    )
    group.add_argument("--out", type=Path, metavar="DIR", help=f"folder of the dataset (default: out/{name}-SEED)")
    add_drawing_options(group)
    group.add_argument("--no-sheet", action="store_true", help="write no contact sheets")
    group.add_argument(
        "--commit",
        action="store_true",
        help="publish only the SHA-256 of the seed: the seed goes into a file of its own beside the folder, DIR.seed, "
        "to be published after an evaluation",
    )


def add_drawing_options(group: "argparse._ArgumentGroup") -> None:
    """What draws, and in how many processes."""
    group.add_argument(
        "--workers",
        type=whole_number(1, MAXIMUM_WORKERS),
        metavar="N",
        help=f"processes that draw and encode, from 1 to {MAXIMUM_WORKERS}; the result does not depend on it "
        "(default: one a core)",
    )
    group.add_argument(
        "--renderer",
        choices=("auto", "cpu", "gpu"),
        default="auto",
        help="what draws the frames: auto takes a GPU if there is one, else cpu, the built-in painter; a set goes on "
        "with what it was begun with (default: auto)",
    )
    group.add_argument(
        "--device-index",
        type=whole_number(0, MAXIMUM_DEVICE),
        metavar="N",
        help=f"which of EGL's devices draws, from 0 to {MAXIMUM_DEVICE} (default: the first real GPU)",
    )


def family_parser(kind: Family) -> argparse.ArgumentParser:
    """The options of a family's command."""
    parser = OneLineParser(
        prog=f"python -m generators.{kind.name}",
        description=f"{kind.summary} Makes a dataset: videos, questions with certain answers, and a contact sheet an "
        "item. The same seed gives the same set; the same command after an interruption goes on where it stopped.",
    )
    add_settings(parser, kind)
    group = parser.add_argument_group("how many, and which")
    group.add_argument(
        "--count",
        type=whole_number(1, MAXIMUM_COUNT),
        metavar="N",
        help="how many plans; with --reveal both each makes two items (default: 1)",
    )
    group.add_argument(
        "--where",
        metavar="CONDITION",
        help="only items whose measures satisfy it, such as 'solution_length>=6 and operations==12'; comparisons, and, "
        "or, not and brackets",
    )
    group.add_argument(
        "--ladder", metavar="MEASURE=LOW..HIGH", help="a graded set, such as solution_length=1..8: --per-rung of each"
    )
    group.add_argument(
        "--per-rung", type=whole_number(1, MAXIMUM_COUNT), metavar="N", help="plans on each rung of --ladder"
    )
    add_dataset_options(parser, kind.name)
    return parser


def read_settings(kind: Family, given: dict[str, Any], selection: "Selection") -> ClipSettings:
    """The family's settings from the options that were given, as text. Raises InputError naming the first bad one."""
    try:
        return kind.settings.model_validate_strings(with_room(kind, given, selection))
    except ValidationError as error:
        name = str(error.errors(include_url=False)[0]["loc"][0])
        option = f"--{name.replace('_', '-')}"
        raise InputError(
            f"{option} {given.get(name, '')}: {first_problem(error, with_place=False)} (see --help)"
        ) from None


def main(arguments: list[str]) -> NoReturn:
    """Run `generators FAMILY|SET OPTIONS…` and leave with its exit code."""
    from generators.sets import SETS

    names = family_names()
    if not arguments or arguments[0] in ("-h", "--help"):
        print(  # noqa: T201
            "usage: python -m generators FAMILY|SET|FILE ...\n"
            "       python -m generators relook DIR --look LOOK ...\n\n"
            f"families:  {', '.join(names)}\nsets:      {', '.join(SETS)}\n"
            "files:     a set of your own, in YAML or TOML\n"
            "relook:    draws a finished set again in another look\n\nMakes a dataset; each takes --help."
        )
        sys.exit(0 if arguments else BAD_INPUT)
    name, *rest = arguments
    if name in names:
        sys.exit(run_command(f"generators.{name}", lambda: _generate(*_family_request(name, rest))))
    if name in (RELOOK, f"--{RELOOK}"):
        sys.exit(run_command("generators", lambda: _generate(*_relook_request(rest))))
    sys.exit(run_command("generators", lambda: _generate(*_set_request(name, rest))))


def _family_request(name: str, arguments: list[str]) -> "tuple[Request, argparse.Namespace]":
    from generators.manifest import Request
    from generators.sampling import Part, Selection

    kind = family(name)
    options = family_parser(kind).parse_args(arguments)
    if (options.ladder is None) != (options.per_rung is None):
        raise InputError("--ladder and --per-rung go together, as in --ladder solution_length=1..8 --per-rung 20")
    if options.ladder is not None and options.count is not None:
        raise InputError("--count does not go with --ladder, which has --per-rung plans on each rung")
    ladder = read_ladder(options.ladder, options.per_rung) if options.ladder is not None else None
    where = read_condition(options.where) if options.where is not None else None
    selection = Selection(where, ladder)
    given = {name: value for name in kind.settings.model_fields if (value := getattr(options, name)) is not None}
    plans = ladder.rungs * ladder.per_rung if ladder else options.count or 1
    part = Part(name, read_settings(kind, given, selection), plans, selection)
    return Request((part,), options.seed, sheets=not options.no_sheet, is_committed=options.commit), options


def _set_request(name: str, arguments: list[str]) -> "tuple[Request, argparse.Namespace]":
    from generators.manifest import Request
    from generators.sets import SCALED, find_set, in_look

    found = find_set(name)
    parser = OneLineParser(prog=f"python -m generators {name}", description=found.summary)
    if name in SCALED:
        group = parser.add_argument_group("how many, and what is asked")
        group.add_argument(
            "--count",
            type=whole_number(1, MAXIMUM_COUNT),
            metavar="N",
            default=found.plans,
            help=f"how many {SCALED[name].counted} (default: {found.plans})",
        )
        for switch in SCALED[name].switches:
            group.add_argument(f"--{switch.replace('_', '-')}", action="store_true", help=SWITCHES[switch])
    parser.add_argument("--look", choices=LOOK_CHOICES, help=f"{LOOK_HELP} (default: what the set's parts say)")
    add_dataset_options(parser, found.name)
    options = parser.parse_args(arguments)
    if name in SCALED:
        scaled = SCALED[name]
        found = scaled.make(options.count, *(getattr(options, switch) for switch in scaled.switches))
    parts = in_look(found.parts, options.look) if options.look is not None else found.parts
    return Request(parts, options.seed, found.name, not options.no_sheet, is_committed=options.commit), options


def _relook_request(arguments: list[str]) -> "tuple[Request, argparse.Namespace]":
    """The request that made a set, in another look. Raises InputError where its items cannot be made again."""
    from generators.relook import relook_request

    parser = OneLineParser(
        prog=f"python -m generators {RELOOK}",
        description="Draws a finished set again in another look, to study what looks do to answers: the same items, "
        "questions and keys, in other pixels.",
    )
    parser.add_argument("folder", type=Path, metavar="DIR", help="folder of the finished set")
    parser.add_argument("--look", choices=LOOK_CHOICES, required=True, help=LOOK_HELP)
    parser.add_argument("--out", type=Path, metavar="DIR2", help="folder of the new set (default: DIR-LOOK)")
    parser.add_argument(
        "--seed",
        type=whole_number(0, MAXIMUM_SEED - 1),
        metavar="SEED",
        help="root seed of the set, needed where its manifest has only the seed's SHA-256",
    )
    add_drawing_options(parser.add_argument_group("drawing"))
    options = parser.parse_args(arguments)
    folder: Path = options.folder
    if options.out is None:
        options.out = folder.with_name(f"{folder.resolve().name}-{options.look}")
    if options.out.resolve() == folder.resolve():
        raise InputError(f"--out {options.out} is the set itself: choose another folder")
    return relook_request(folder, options.look, options.seed), options


def _generate(request: "Request", options: argparse.Namespace) -> int:
    from dataclasses import replace

    from generators.dataset import prepare, write_dataset
    from generators.seed_file import read_seed_file, seed_commitment, seed_file_of, write_seed_file

    request, why = _with_renderer(request, options)
    name = request.name or request.parts[0].family
    folder: Path | None = options.out
    if request.is_committed and folder is not None and request.root_seed is None and seed_file_of(folder).exists():
        request = replace(request, root_seed=read_seed_file(seed_file_of(folder)))
    if request.root_seed is None and (folder is None or (request.is_committed and not folder.exists())):
        request = replace(request, root_seed=fresh_seed(*([COMMITTED_SEED_BITS] if request.is_committed else [])))
    if folder is None:
        assert request.root_seed is not None
        shown = seed_commitment(request.root_seed)[:12] if request.is_committed else request.root_seed
        folder = Path("out") / f"{name}-{shown}"
    receipt, is_new = "", False
    if request.is_committed and request.root_seed is not None:
        # Before anything else, so that no kill can leave a set whose seed nobody knows.
        is_new = write_seed_file(seed_file_of(folder), request.root_seed)
        receipt = f"SHA-256 of its seed {seed_commitment(request.root_seed)}, the seed in {seed_file_of(folder)}"
    try:
        request = prepare(folder, request)
    except InputError:
        if is_new:
            seed_file_of(folder).unlink()
        raise
    receipt = receipt or f"root seed {request.root_seed}"
    workers = min(options.workers or os.cpu_count() or 1, request.items)

    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    console = Console(stderr=True)
    is_warning = options.renderer == "gpu" and why
    drawn_by = f"renderer {request.renderer}" + (f" ({why})" if why and not is_warning else "")
    print(f"{folder}: {request.items} items, {receipt}, {drawn_by}", file=sys.stderr)  # noqa: T201
    if is_warning:
        print(f"warning: {why}", file=sys.stderr)  # noqa: T201
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    # Without a thread of its own, so that workers can be forked.
    with Progress(*columns, console=console, disable=not console.is_terminal, auto_refresh=False) as bar:
        task = bar.add_task(name, total=request.items)
        bar.refresh()
        write_dataset(folder, request, workers, lambda finished: bar.update(task, completed=finished, refresh=True))
    _show(folder, request.items)
    return 0


def _with_renderer(request: "Request", options: argparse.Namespace) -> "tuple[Request, str]":
    """The request with what will draw it, and why; a set that the CPU painter began goes on with it."""
    from dataclasses import replace

    from generators.manifest import MANIFEST, read_manifest
    from generators.rendering.renderers import CPU, choose

    if options.renderer == "cpu" and options.device_index is not None:
        raise InputError("--device-index chooses a GPU: it does not go with --renderer cpu")
    folder: Path | None = options.out
    if options.renderer == "auto" and folder is not None and (folder / MANIFEST).is_file():
        begun_with = read_manifest(folder).renderer
        if begun_with == CPU.name:
            return replace(request, renderer=begun_with), "with which the set was begun"
    renderer, why = choose(options.renderer, options.device_index)
    return replace(request, renderer=renderer.name, device_index=renderer.device_index), why


def _show(folder: Path, count: int) -> None:
    """Print the table of what was made: items, questions, keys and files."""
    from itertools import islice

    from rich.table import Column, Table
    from rich.text import Text

    from generators.dataset import read_items
    from generators.questions import write_answer

    table = Table(*(Column(title, overflow="fold") for title in ("item", "question", "key", "file")))
    for item in islice(read_items(folder), ROWS_SHOWN):
        for number, question in enumerate(item.questions):
            key = " | ".join(write_answer(question.kind, key) for key in question.keys)
            files = "\n".join(str(folder / str(clip.file)) for clip in item.clips)
            # As Text, so that the square brackets of a board are not taken for markup.
            table.add_row(
                item.id if not number else "",
                question.id,
                Text(key),
                files if not number else "",
                end_section=number == len(item.questions) - 1,
            )
    print_table(table)
    if count > ROWS_SHOWN:
        print(f"… and {count - ROWS_SHOWN} more items in {folder / 'items.jsonl'}")  # noqa: T201


def print_table(table: "Table") -> None:
    """Print a table of rich as plain output does: a reader that has gone (head, less) is a BrokenPipeError."""
    from rich.console import Console

    console = Console() if sys.stdout.isatty() else Console(width=PIPED_WIDTH)
    with console.capture() as captured:
        console.print(table)
    print(captured.get(), end="")  # noqa: T201
