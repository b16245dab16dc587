"""`python -m evaluate.published score|keys SET QUESTIONS …`: a published set's scores, and its own key errors."""

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from generators.command import OneLineParser, print_table
from generators.errors import BAD_INPUT, InputError, printable, run_command

if TYPE_CHECKING:
    from evaluate.published.questions import PublishedSet
    from evaluate.published.scoring import Score

FINDINGS = 1
SETS = ("videoreasonbench", "timeblind", "tomato", "videovista")

FORMATS = """SET and QUESTIONS, the files as they were released:
  videoreasonbench  questions/NAME.json, or the folder of all six: hrd, grid, cup, file_sys, card, chip
  timeblind         data.jsonl; --tags tags.json adds its categories
  tomato            data/NAME.json, or the folder of all six: count, direction, rotation, …
  videovista        VideoVista.json

REPLIES.jsonl, one line a question, the reply as the model gave it, or null where none came:
  {"id": "card_state1_op5_order_state_start", "reply": "Final Answer: 7 of Spades, 8 of Clubs"}    videoreasonbench
  {"index": 0, "reply": "Yes"}                                                                     timeblind
  {"id": "count/0", "reply": "C"}  or the clip's name, {"key": "0209-03", "reply": "C"}            tomato
  {"id": "1", "reply": "(B)"}      the question_id, or the place in the list where there is none   videovista
Names may be given as "id", "index", "key" or "question_id". Where they could be several questions, use the id.

Every question of QUESTIONS counts; one without a reply is missing and not right. Options may be chosen by their letter
or their text. VideoReasonBench is judged by replaying its demos: any legal plan that reaches the goal is right.

examples:
  python -m evaluate.published score tomato TOMATO/data replies.jsonl
  python -m evaluate.published keys videoreasonbench video_reason_bench/questions"""


def parser() -> argparse.ArgumentParser:
    top = OneLineParser(
        prog="python -m evaluate.published",
        description="Scores replies to four published test sets, and lists the errors in the sets' own keys. Exit code "
        "0: done; 1: keys found errors; 2: bad input.",
        epilog=FORMATS,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = top.add_subparsers(dest="command", required=True, metavar="score|keys")
    score = commands.add_parser(
        "score",
        help="are replies right?",
        description="Judges replies to a published set; prints tables by the set's own groups, outcomes counted apart.",
        epilog=FORMATS,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    keys = commands.add_parser(
        "keys",
        help="are the set's own keys right?",
        description="Lists what is wrong with a published set's keys; exit code 1 if anything is.",
        epilog=FORMATS,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    for command in (score, keys):
        command.add_argument("set", choices=SETS, metavar="SET", help=", ".join(SETS))
        command.add_argument("questions", type=Path, metavar="QUESTIONS", help="the set's question file or folder")
        command.add_argument("--tags", type=Path, metavar="FILE", help="TimeBlind's categories, tags.json")
    score.add_argument("replies", type=Path, metavar="REPLIES.jsonl", help="the replies")
    score.add_argument("--out", type=Path, metavar="FILE", help="write one judgement a line here as well")
    return top


def read_set(name: str, path: Path, tags: Path | None = None) -> "PublishedSet":
    """A published set from its files. Raises InputError where they are not in its form."""
    from evaluate.published.timeblind import read_timeblind
    from evaluate.published.tomato import read_tomato
    from evaluate.published.videoreasonbench import read_videoreasonbench
    from evaluate.published.videovista import read_videovista

    if name == "timeblind":
        published = read_timeblind(path, tags)
    elif tags is not None:
        raise InputError("--tags goes with timeblind only")
    else:
        readers = {
            "videoreasonbench": read_videoreasonbench,
            "tomato": read_tomato,
            "videovista": read_videovista,
        }
        published = readers[name](path)
    if not published.questions:
        raise InputError(f"{path}: holds no questions")
    return published


def keys(options: argparse.Namespace) -> int:
    published = read_set(options.set, options.questions, options.tags)
    for line in (*published.findings, *published.notes):
        print(printable(line))  # noqa: T201
    count = len(published.findings)
    verdict = f"{count} finding{'s' if count > 1 else ''}" if count else "no key errors found"
    print(f"{published.name}: {len(published.questions)} questions, {verdict}")  # noqa: T201
    return FINDINGS if count else 0


def score(options: argparse.Namespace) -> int:
    from evaluate.published import scoring
    from evaluate.report import require_report_packages
    from generators.dataset import atomically
    from generators.item import canonical_json

    require_report_packages()
    if options.out is not None:
        _refuse_overwriting(options)
    published = read_set(options.set, options.questions, options.tags)
    result = scoring.score(published, options.replies)
    if options.out is not None:
        # Half a surrogate pair, which UTF-8 does not have, is written as its escape, which JSON does have.
        with atomically(options.out) as unfinished:
            text = "".join(canonical_json(line, sort_keys=False) + "\n" for line in scoring.lines(result))
            unfinished.write_text(text, encoding="utf-8", errors="backslashreplace")
    _show(published, result)
    return 0


def _refuse_overwriting(options: argparse.Namespace) -> None:
    out = Path(os.path.realpath(options.out))
    for kept in (options.questions, options.replies, options.tags):
        if kept is not None and out.is_relative_to(os.path.realpath(kept)):
            raise InputError(f"--out {options.out} would overwrite {kept}: choose another file")


def _show(published: "PublishedSet", result: "Score") -> None:
    """Print the tables, and what a reader of them must know."""
    from rich.table import Table
    from rich.text import Text

    from evaluate.published.scoring import mean_of
    from verifier.scoring import OUTCOMES

    for title, groups in result.tables.items():
        table = Table(title, "accuracy", "Wilson 95 %", "SE", "n", "clusters", *OUTCOMES)
        for name, group in groups.items():
            accuracy = group.accuracy
            table.add_row(
                Text(printable(name)),
                _percent(accuracy.mean),
                _interval(accuracy.wilson),
                _percent(accuracy.standard_error),
                str(accuracy.n),
                str(accuracy.clusters),
                *(str(group.outcomes[outcome]) for outcome in OUTCOMES),
            )
        print_table(table)
    if result.paired:
        table = Table("metric", "group", "share", "Wilson 95 %", "n")
        for row in result.paired:
            share = mean_of(row)
            cells = (_percent(share.mean), _interval(share.wilson), str(share.n))
            table.add_row(row.metric, Text(printable(row.group)), *cells)
        print_table(table)
    for note in published.notes:
        print(printable(note))  # noqa: T201
    if published.findings:
        print(f"{len(published.findings)} errors in the set's own keys: the command keys lists them")  # noqa: T201


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{share:.1%}"


def _interval(bounds: tuple[float, float] | None) -> str:
    return "–" if bounds is None else f"{bounds[0]:.1%} – {bounds[1]:.1%}"


def main(arguments: list[str]) -> NoReturn:
    """Run a command and leave with its exit code."""
    options = parser().parse_args(arguments)
    commands: dict[str, Any] = {"score": score, "keys": keys}
    sys.exit(
        run_command(f"evaluate.published {options.command}", lambda: commands[options.command](options), "interrupted")
    )


if __name__ == "__main__":
    if len(sys.argv) == 1:
        parser().print_help()
        sys.exit(BAD_INPUT)
    main(sys.argv[1:])
