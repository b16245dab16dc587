"""The command line of every family: options made from its settings, a progress bar, and a table of what was made."""

import argparse
import os
import sys
from pathlib import Path
from typing import Any, Literal, NoReturn, get_args, get_origin

from pydantic import ValidationError
from pydantic.fields import FieldInfo

from generators.errors import BAD_INPUT, InputError, run_command
from generators.family import Family, family, family_names
from generators.randomness import MAXIMUM_SEED, fresh_seed
from generators.settings import ClipSettings, Limits

MAXIMUM_COUNT = 10_000_000
MAXIMUM_WORKERS = 256
ROWS_SHOWN = 10


class OneLineParser(argparse.ArgumentParser):
    """Says what was wrong in one line, without the usage above it."""

    def error(self, message: str) -> NoReturn:
        print(f"{self.prog}: error: {message} (see --help)", file=sys.stderr)  # noqa: T201
        sys.exit(BAD_INPUT)


def whole_number(low: int, high: int) -> Any:
    """The type of an option that takes a whole number from `low` to `high`."""

    def read(text: str) -> int:
        if not text.isascii() or not text.strip().lstrip("-+").isdigit() or not low <= int(text[:60]) <= high:
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from {low} to {high}")
        return int(text)

    return read


def limits_of(field: FieldInfo) -> str:
    """A setting's limits in words, from its type's constraints."""
    low = high = None
    for constraint in field.metadata:
        if isinstance(constraint, Limits):
            low, high = constraint
        low = getattr(constraint, "ge", low)
        high = getattr(constraint, "le", high)
    return f", from {low:g} to {high:g}" if low is not None and high is not None else ""


def parser_of(kind: Family) -> argparse.ArgumentParser:
    """The options of a family's command: one for each of its settings, and those that every set has."""
    parser = OneLineParser(
        prog=f"python -m generators.{kind.name}",
        description=f"{kind.summary} Makes a dataset: videos, questions with certain answers, and a contact sheet an "
        "item. The same seed gives the same set; the same command after an interruption goes on where it stopped.",
    )
    settings = parser.add_argument_group("what is shown and asked")
    for name, field in kind.settings.model_fields.items():
        default = field.default
        shown = "all" if name == "skills" else str(default)
        settings.add_argument(
            f"--{name.replace('_', '-')}",
            metavar="|".join(get_args(field.annotation)) if get_origin(field.annotation) is Literal else name.upper(),
            help=f"{field.description}{limits_of(field)} (default: {shown})".replace("%", "%%"),
        )
    dataset = parser.add_argument_group("the dataset")
    dataset.add_argument(
        "--count",
        type=whole_number(1, MAXIMUM_COUNT),
        default=1,
        metavar="N",
        help="how many plans; with --reveal both each makes two items (default: 1)",
    )
    dataset.add_argument(
        "--seed",
        type=whole_number(0, MAXIMUM_SEED - 1),
        metavar="SEED",
        help="root seed, a whole number from 0 (default: a fresh random one, or that of the set in --out)",
    )
    dataset.add_argument(
        "--out", type=Path, metavar="DIR", help=f"folder of the dataset (default: out/{kind.name}-SEED)"
    )
    dataset.add_argument(
        "--workers",
        type=whole_number(1, MAXIMUM_WORKERS),
        metavar="N",
        help=f"processes that draw and encode, from 1 to {MAXIMUM_WORKERS}; the result does not depend on it "
        "(default: one a core)",
    )
    dataset.add_argument(
        "--renderer",
        choices=("auto", "cpu"),
        default="auto",
        help="what draws the frames: auto takes the best there is, cpu the built-in painter (default: auto)",
    )
    dataset.add_argument("--no-sheet", action="store_true", help="write no contact sheets")
    return parser


def read_settings(kind: Family, options: argparse.Namespace) -> ClipSettings:
    """The family's settings from the options that were given. Raises InputError naming the first bad one."""
    given = {name: getattr(options, name) for name in kind.settings.model_fields if getattr(options, name) is not None}
    try:
        return kind.settings.model_validate_strings(given)
    except ValidationError as error:
        problem = error.errors(include_url=False)[0]
        name = str(problem["loc"][0])
        what = problem["msg"].removeprefix("Value error, ").removeprefix("Input ")
        option = f"--{name.replace('_', '-')}"
        raise InputError(f"{option} {given.get(name, '')}: {what} (see --help)") from None


def main(arguments: list[str]) -> NoReturn:
    """Run `generators FAMILY OPTIONS…` and leave with its exit code."""
    names = family_names()
    if not arguments or arguments[0] in ("-h", "--help"):
        usage = f"usage: python -m generators {{{','.join(names)}}} ..."
        print(f"{usage}\n\nMakes a dataset; python -m generators FAMILY --help lists a family's options.")  # noqa: T201
        sys.exit(0 if arguments else BAD_INPUT)
    name = f"generators.{arguments[0]}" if arguments[0] in names else "generators"
    sys.exit(run_command(name, lambda: _generate(arguments[0], arguments[1:])))


def _generate(name: str, arguments: list[str]) -> int:
    kind = family(name)
    options = parser_of(kind).parse_args(arguments)
    settings = read_settings(kind, options)

    from generators.dataset import Request, prepare, write_dataset

    seed = options.seed
    if options.out is None and seed is None:
        seed = fresh_seed()
    folder = options.out or Path("out") / f"{name}-{seed}"
    twins = settings.twins() if hasattr(settings, "twins") else 1
    request = prepare(
        folder, Request(name, settings, options.count * twins, -1 if seed is None else seed, not options.no_sheet)
    )
    workers = min(options.workers or os.cpu_count() or 1, request.count)

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
    console.print(
        f"{folder}: {request.count} items, root seed {request.root_seed}, renderer {request.renderer}",
        highlight=False,
        soft_wrap=True,
    )
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, disable=not console.is_terminal) as bar:
        task = bar.add_task(name, total=request.count)
        write_dataset(folder, request, workers, lambda finished: bar.update(task, completed=finished))
    _show(folder, request.count)
    return 0


def _show(folder: Path, count: int) -> None:
    """Print the table of what was made: items, questions, keys and files."""
    from itertools import islice

    from rich.console import Console
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
    console = Console() if sys.stdout.isatty() else Console(width=160)
    console.print(table)
    if count > ROWS_SHOWN:
        console.print(f"… and {count - ROWS_SHOWN} more items in {folder / 'items.jsonl'}", highlight=False)
