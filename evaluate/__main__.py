"""`python -m evaluate run DIR --model NAME` and `python -m evaluate report RUN…`."""

import argparse
import math
import re
import sys
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from generators.command import OneLineParser, whole_number
from generators.errors import BAD_INPUT, InputError, printable, run_command
from generators.randomness import MAXIMUM_SEED
from generators.settings import MAXIMUM_COUNT
from verifier.files import dataset_folder

if TYPE_CHECKING:
    from evaluate.conditions import Viewing
    from evaluate.models import Maker
    from evaluate.models.openai import Endpoint

STOPPED = 1
"""Exit code of a run that its budget stopped, or that no question was answered in."""

RUN_EXAMPLES = """examples:
  python -m evaluate run out/number-7 --model oracle
  python -m evaluate run out/number-7 --model random --seed 3 --out runs/random-3
  python -m evaluate run out/number-7 --model openai:gpt-4.1 --frames 32 --price-in 2 --price-out 8 --budget-usd 5
  python -m evaluate run out/number-7 --model openai:qwen --base-url http://localhost:8000/v1 --fps 2
  python -m evaluate run out/number-7 --model hf:Qwen/Qwen3-VL-2B-Instruct --frames 16 --condition full,shuffled
  python -m evaluate run out/number-7 --model my_model.py:MyModel --frames 16

models:
  openai:MODEL     any endpoint that speaks OpenAI's chat completions (--base-url); the key is taken from OPENAI_API_KEY
  hf:PATH_OR_ID    a checkpoint run here, through transformers
  replay:FILE      replies from a file of lines {"item", "question", "clip", "reply"}
  human            a person at this terminal
  FILE.py:FACTORY  your own, or MODULE:FACTORY: what the factory gives has a `name` and a method `reply(asked)`, which
                   returns the reply; asked.prompt, asked.frames (uint8, n × height × width × 3) and asked.times are
                   what there is to go by

built-in readers, which read the items in place of looking at frames:
  oracle      writes every key as a person would: 1.0, or the reader of replies is wrong
  random      a well-formed answer drawn evenly: what guessing is worth
  blind       the commonest key of each question: what the set gives away without a video
  static      takes nothing to have happened: what one frame is worth
  one-short   misses one operation: what almost seeing everything is worth

conditions (--condition):
  full                full clips, all frames or those of --fps or --frames
  single-random       one frame, drawn by item
  single-centre       the frame in the middle
  single-informative  one frame, in the middle of the longest stretch in which the most events are under way
  shuffled, reversed  the frames in another order, beside times that ascend as ever
  half                the first or the second half of the frames, drawn by item
  static              one of the frames, drawn by item, as often as there were frames
  text-only           no frames at all
  transcript          no frames, but the plan as text: what is left when seeing is taken out

Every attempt is kept, one a line, in RUN/replies.jsonl, with what the model was shown. The same command after an
interruption asks what is left, and asks again where no reply came. Exit code 0: every question is answered or given up;
1: stopped at --budget-usd, or not one was answered; 2: bad input."""

REPORT_EXAMPLES = """examples:
  python -m evaluate report runs/oracle-number-7
  python -m evaluate report runs/*-number-7 --out report

what is written:
  report.html      one page that needs nothing but itself: figures, tables that sort, and every question with its clip,
                   prompt, key, reply and judgement
  report.md        the tables, for reading
  report.csv       every figure by run, table and group; report.json: all there is, with what became of every question
  report.png       accuracy by skill
  pairs.csv        of minimal pairs: Acc, V-Acc, Q-Acc, I-Acc; pairs.png: I-Acc by category
  comparisons.csv  of several models: paired tests, and how many fresh items would tell them apart
  conditions.csv   of a model under several conditions: accuracy beside that of full clips; conditions.png, sweeps.png

Runs of one model under several conditions are found by their run.json and shown side by side, with TOMATO's multi-frame
gain, frame order sensitivity and frame information disparity. † marks runs that showed clips at a lower frame rate than
their items need. What a second reader (run --judge) read stands in columns of its own."""


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
    _add_run_options(run)
    report = commands.add_parser(
        "report",
        help="count and compare the replies of runs over one dataset",
        description="Judges every reply of one or several runs over one dataset; prints its tables and writes them.",
        epilog=REPORT_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    report.add_argument("runs", type=Path, nargs="+", metavar="RUN", help="folder of a run")
    report.add_argument("--dataset", type=Path, metavar="DIR", help="where the dataset is, if it was moved")
    report.add_argument("--out", type=Path, metavar="DIR", help="where to write the report (default: the first RUN)")
    return top


def _add_run_options(run: argparse.ArgumentParser) -> None:
    run.add_argument("dataset", type=dataset_folder, metavar="DIR", help="folder of the dataset")
    run.add_argument(
        "--model",
        required=True,
        metavar="NAME",
        help="openai:MODEL, hf:PATH_OR_ID, replay:FILE, human, FILE.py:FACTORY, or a built-in reader: oracle, random, "
        "blind, static, one-short",
    )
    run.add_argument(
        "--out",
        type=Path,
        metavar="RUN",
        help="folder of the run; of several conditions, each has a folder of its own in it (default: runs/NAME-DIR, "
        "with -CONDITION behind it where that is not full)",
    )
    run.add_argument(
        "--seed",
        type=whole_number(0, MAXIMUM_SEED - 1),
        metavar="SEED",
        help="seed of the model's random choices (default: 0, or that of the run in --out)",
    )
    group = run.add_argument_group("what is asked")
    group.add_argument(
        "--limit",
        type=whole_number(1, MAXIMUM_COUNT),
        metavar="N",
        help="ask about the first N items only; a later run into the same folder may raise it (default: all)",
    )
    group.add_argument(
        "--shard",
        type=_shard,
        metavar="I/N",
        help="ask about the I-th of every N items only; N processes may fill one RUN, each with a file of its own",
    )
    group = run.add_argument_group("what is shown")
    group.add_argument("--condition", metavar="NAME,…", help="one or several of the conditions below (default: full)")
    group.add_argument("--fps", type=_positive, metavar="X", help="frames a second, from the first frame on")
    group.add_argument(
        "--frames",
        type=whole_number(1, MAXIMUM_COUNT),
        metavar="N",
        help="N frames, evenly spaced, with the first and the last (default: all; openai: needs this or --fps)",
    )
    group.add_argument(
        "--frames-from",
        choices=("video", "render"),
        default="video",
        help="decode the video, or draw the frames from the plan, exact (default: video)",
    )
    group = run.add_argument_group("how patiently, and at what cost")
    group.add_argument(
        "--attempts",
        type=whole_number(1, 100),
        default=5,
        metavar="N",
        help="how often a question is asked until a reply comes, over all resumptions (default: 5)",
    )
    group.add_argument("--price-in", type=_not_negative, metavar="USD", help="price of a million tokens of prompt")
    group.add_argument("--price-out", type=_not_negative, metavar="USD", help="price of a million tokens of reply")
    group.add_argument(
        "--budget-usd",
        type=_positive,
        metavar="USD",
        help="stop before the replies of a run cost more; what --judge costs is not counted",
    )
    group.add_argument(
        "--no-canary",
        action="store_true",
        help="do not first ask openai: and hf: models for the number in a picture; that stops a run that shows nothing",
    )
    group = run.add_argument_group("openai: models")
    group.add_argument("--base-url", metavar="URL", help="address of the endpoint, such as http://localhost:8000/v1")
    group.add_argument(
        "--delivery",
        choices=("images", "video_url", "vllm-frames"),
        help="images: a PNG for each frame with its time, which every endpoint takes; vllm-frames: one video of "
        "exactly these frames, for vLLM; video_url: the clip's file, of which the endpoint takes what it likes "
        "(default: images)",
    )
    group.add_argument(
        "--concurrency", type=whole_number(1, 1024), metavar="N", help="requests under way at once (default: 8)"
    )
    group.add_argument("--timeout", type=_positive, metavar="SECONDS", help="for one whole reply (default: 600)")
    group.add_argument(
        "--temperature", type=_not_negative, metavar="T", help="of the sampling (default: the endpoint's own)"
    )
    group.add_argument(
        "--max-tokens",
        type=whole_number(1, 10_000_000),
        metavar="N",
        help="longest reply, for openai: and hf: models (default: the endpoint's own; hf: 2048)",
    )
    group = run.add_argument_group("hf: models")
    group.add_argument("--batch", type=whole_number(1, 1024), metavar="N", help="questions at once (default: 1)")
    group.add_argument("--dtype", metavar="NAME", help="bfloat16, float16 or float32 (default: auto, the checkpoint's)")
    group.add_argument("--device-map", metavar="MAP", help="such as auto; needs accelerate (default: one device)")
    group = run.add_argument_group("human")
    group.add_argument("--preview", action="store_true", default=None, help="play the clip in a window, with pygame")
    group = run.add_argument_group("a second reader")
    group.add_argument(
        "--judge",
        metavar="openai:MODEL",
        help="let a model write down the answers of replies that are unparsed; kept in RUN/judged.jsonl, beside the "
        "strict score and never in it",
    )
    group.add_argument(
        "--judge-base-url", metavar="URL", help="address of the judge's endpoint (default: that of --base-url)"
    )


def _positive(text: str) -> float:
    return _number(text, "a number above 0", lambda value: value > 0)


def _not_negative(text: str) -> float:
    return _number(text, "a number from 0", lambda value: value >= 0)


def _number(text: str, what: str, is_right: Callable[[float], bool]) -> float:
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not (math.isfinite(value) and is_right(value)):
        raise argparse.ArgumentTypeError(f"{text!r} is not {what}")
    return value


def _shard(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"([0-9]{1,6})/([0-9]{1,6})", text.strip())
    if found is None or not 1 <= int(found[1]) <= int(found[2]):
        raise argparse.ArgumentTypeError(f"{text!r} is not I/N, such as 2/4")
    return int(found[1]), int(found[2])


def main(arguments: list[str]) -> NoReturn:
    """Run a command and leave with its exit code."""
    options = parser().parse_args(arguments)
    command = _run if options.command == "run" else _report
    sys.exit(run_command("evaluate", lambda: command(options)))


def _run(options: argparse.Namespace) -> int:
    from evaluate.conditions import Viewing, read_conditions, with_condition
    from evaluate.models import ModelOptions, model_maker

    known = {field.name: getattr(options, field.name) for field in fields(ModelOptions)}
    if options.judge is not None and not options.model.startswith("openai:"):
        known |= {"base_url": None}
    maker = model_maker(options.model, ModelOptions(**known))
    judge = _judge_endpoint(options)
    conditions = read_conditions(options.condition or "full")
    viewing = Viewing(fps=options.fps, frames=options.frames, frames_from=options.frames_from)
    for condition in conditions:
        maker.check(with_condition(viewing, condition))
    code = 0
    for condition in conditions:
        out = _folder(options, maker.name, condition, len(conditions))
        code |= _run_one(options, maker, with_condition(viewing, condition), out, judge)
    return code


def _folder(options: argparse.Namespace, name: str, condition: str, conditions: int) -> Path:
    """Where the run under one condition goes."""
    if options.out is not None:
        return Path(options.out / condition if conditions > 1 else options.out)
    safe = re.sub(r"[^\w.+-]+", "-", name).strip(".-") or "model"
    suffix = f"-{condition}" if condition != "full" else ""
    return Path("runs") / f"{safe}-{options.dataset.resolve().name}{suffix}"


def _judge_endpoint(options: argparse.Namespace) -> "Endpoint | None":
    from evaluate.models.openai import endpoint

    if options.judge is None:
        if options.judge_base_url is not None:
            raise InputError("--judge-base-url goes with --judge openai:MODEL")
        return None
    kind, _, model = options.judge.partition(":")
    if kind != "openai" or not model:
        raise InputError(f"--judge {options.judge}: expected openai:MODEL")
    return endpoint(model, options.judge_base_url or options.base_url, options.timeout)


def _run_one(
    options: argparse.Namespace, maker: "Maker", viewing: "Viewing", out: Path, judge: "Endpoint | None"
) -> int:
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    from evaluate.attempts import Budget, Patience
    from evaluate.judge import judge_run
    from evaluate.running import Settings, run
    from generators.manifest import read_manifest

    items = read_manifest(options.dataset).items
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[unit]}"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    console = Console(stderr=True)
    patience = Patience(attempts=options.attempts)
    named = printable(maker.name) + (f", {viewing.condition}" if options.condition else "")
    with Progress(*columns, console=console, disable=maker.is_person or not console.is_terminal) as bar:
        task = bar.add_task(escape(named), total=min(items, options.limit or items), unit="items")

        def warn(message: str) -> None:
            bar.stop()
            print(f"evaluate: warning: {printable(message)}", file=sys.stderr)  # noqa: T201
            bar.start()

        settings = Settings(
            viewing=viewing,
            shard=options.shard,
            patience=patience,
            budget=Budget(price_in=options.price_in, price_out=options.price_out, usd=options.budget_usd),
            has_canary=not options.no_canary,
            warn=warn,
        )
        outcome = run(
            options.dataset,
            maker,
            out,
            options.seed,
            options.limit,
            lambda begun, kept: bar.update(task, completed=begun),
            settings,
        )
        judged = 0
        if judge is not None:
            second = bar.add_task("judge", total=None, unit="unparsed replies")
            judged = judge_run(
                out,
                options.dataset,
                judge,
                patience,
                options.concurrency or 8,
                lambda count: bar.update(second, completed=count),
            )
    more = f", {outcome.failed} failures" if outcome.failed else ""
    more += f", ${outcome.spent:.4f}" if options.price_in is not None else ""
    more += f", {judged} judged" if judge is not None else ""
    print(  # noqa: T201
        f"{out}: {outcome.answered} replies by {printable(maker.name)}{more}; "
        f"python -m evaluate report {out} counts them"
    )
    if outcome.failed:
        why = "" if outcome.answered else "no question was answered; "
        why += f"the last failure: {printable(outcome.last_error)}; " if outcome.last_error else ""
        print(f"evaluate: {why}--attempts {options.attempts + 1} or more asks again what failed", file=sys.stderr)  # noqa: T201
    if outcome.is_over_budget:
        print(  # noqa: T201
            f"evaluate: stopped at --budget-usd {options.budget_usd:g}; the same command with more goes on",
            file=sys.stderr,
        )
    return STOPPED if outcome.is_over_budget or (outcome.failed and not outcome.answered) else 0


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
