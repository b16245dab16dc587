"""`python -m evaluate run DIR --model NAME` and `python -m evaluate report RUN…`."""

import argparse
import sys
from pathlib import Path
from typing import NoReturn

from generators.command import OneLineParser, whole_number
from generators.errors import BAD_INPUT, run_command
from generators.randomness import MAXIMUM_SEED
from generators.settings import MAXIMUM_COUNT

RUN_EXAMPLES = """examples:
  python -m evaluate run out/number-7 --model oracle
  python -m evaluate run out/number-7 --model random --seed 3 --out runs/random-3

models, which read the items in place of looking at frames:
  oracle      writes every key as a person would: 1.0, or the reader of replies is wrong
  random      a well-formed answer drawn evenly: what guessing is worth
  blind       the commonest key of each question: what the set gives away without a video
  static      takes nothing to have happened: what one frame is worth
  one-short   misses one operation: what almost seeing everything is worth

Replies are kept one a line in RUN/replies.jsonl. The same command after an interruption asks what is left."""

REPORT_EXAMPLES = """examples:
  python -m evaluate report runs/oracle-number-7
  python -m evaluate report runs/*-number-7 --out report"""


def parser() -> argparse.ArgumentParser:
    """The options of both commands."""
    top = OneLineParser(
        prog="python -m evaluate",
        description="Runs models on a dataset, keeps every reply, counts and reports.",
    )
    commands = top.add_subparsers(dest="command", metavar="run|report", required=True)
    run = commands.add_parser(
        "run",
        help="ask a model every question of a dataset",
        description="Asks a model every question of a dataset and keeps its replies.",
        epilog=RUN_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    run.add_argument("dataset", type=Path, metavar="DIR", help="folder of the dataset")
    run.add_argument("--model", required=True, metavar="NAME", help="oracle, random, blind, static or one-short")
    run.add_argument("--out", type=Path, metavar="RUN", help="folder of the run (default: runs/NAME-DIR)")
    run.add_argument(
        "--seed",
        type=whole_number(0, MAXIMUM_SEED - 1),
        metavar="SEED",
        help="seed of the model's random choices (default: 0, or that of the run in --out)",
    )
    run.add_argument(
        "--limit",
        type=whole_number(1, MAXIMUM_COUNT),
        metavar="N",
        help="ask about the first N items only; a later run into the same folder may raise it (default: all)",
    )
    report = commands.add_parser(
        "report",
        help="count and compare the replies of runs over one dataset",
        description="Judges every reply of one or several runs over one dataset; prints tables by skill, level, "
        "reveal, size and operations, and writes report.md, report.csv and report.png.",
        epilog=REPORT_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    report.add_argument("runs", type=Path, nargs="+", metavar="RUN", help="folder of a run")
    report.add_argument("--dataset", type=Path, metavar="DIR", help="where the dataset is, if it was moved")
    report.add_argument("--out", type=Path, metavar="DIR", help="where to write the report (default: the first RUN)")
    return top


def main(arguments: list[str]) -> NoReturn:
    """Run a command and leave with its exit code."""
    options = parser().parse_args(arguments)
    command = _run if options.command == "run" else _report
    sys.exit(run_command("evaluate", lambda: command(options)))


def _run(options: argparse.Namespace) -> int:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    from evaluate.models import model_maker
    from evaluate.running import run
    from generators.manifest import read_manifest

    model_maker(options.model)
    items = read_manifest(options.dataset).items
    out = options.out or Path("runs") / f"{options.model}-{options.dataset.resolve().name}"
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("items"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    console = Console(stderr=True)
    replies = 0
    with Progress(*columns, console=console, disable=not console.is_terminal) as bar:
        task = bar.add_task(options.model, total=min(items, options.limit or items))

        def show(begun: int, kept: int) -> None:
            nonlocal replies
            replies = kept
            bar.update(task, completed=begun)

        run(options.dataset, options.model, out, options.seed, options.limit, show)
    print(f"{out}: {replies} replies by {options.model}; python -m evaluate report {out} counts them")  # noqa: T201
    return 0


def _report(options: argparse.Namespace) -> int:
    from evaluate.report import count_runs, print_report, require_report_packages, write_report

    require_report_packages()
    counted = count_runs(options.runs, options.dataset)
    paths = write_report(counted, options.out or options.runs[0])
    print_report(counted)
    print(f"Written: {', '.join(map(str, paths))}")  # noqa: T201
    return 0


if __name__ == "__main__":
    if len(sys.argv) == 1:
        parser().print_help()
        sys.exit(BAD_INPUT)
    main(sys.argv[1:])
