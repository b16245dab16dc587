"""`python -m verifier check|read|score|shortcuts`: is a dataset sound, what do replies say, are answers given away?"""

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from generators.command import OneLineParser, print_table, whole_number
from generators.errors import InputError, run_command
from verifier.files import LONGEST_LINE, bounded_lines, dataset_folder, require_file

FINDINGS = 1
FINDINGS_SHOWN = 200


def parser() -> argparse.ArgumentParser:
    top = OneLineParser(
        prog="python -m verifier",
        description="Checks datasets, reads replies and scores them. Exit code 0: nothing to say against it; "
        "1: findings; 2: bad input.",
    )
    commands = top.add_subparsers(dest="command", required=True, metavar="{check,read,score,shortcuts}")
    check = commands.add_parser(
        "check",
        help="is a dataset what it says?",
        description="Replays every plan, computes every prompt, key and measure again, checks hashes, spans and frame "
        "counts, decodes every video and compares it with the plan. Lists what does not hold; exit code 1 if anything.",
    )
    check.add_argument("folder", type=dataset_folder, metavar="DIR", help="the dataset's folder")
    check.add_argument(
        "--workers", type=whole_number(1, 256), metavar="N", help="processes that check (default: one a core)"
    )
    check.add_argument(
        "--seed-file",
        type=Path,
        metavar="FILE",
        help="a file with the root seed: every item is drawn again from it and must come out the same",
    )
    read = commands.add_parser(
        "read",
        help="what do replies say?",
        description="Reads lines with kind, reply and, as the kind needs, options or world, start and goal; prints "
        "each with its value. Where lines carry expect, counts disagreements; exit code 1 if there are any. A line of "
        "kind seconds may carry a tolerance.",
    )
    read.add_argument("file", type=Path, metavar="FILE.jsonl", help="the lines to read")
    score = commands.add_parser(
        "score",
        help="are replies right?",
        description='Scores lines of {"item", "question", "clip", "reply"} against a dataset, prints a table by skill '
        "and level with outcomes counted apart, and writes one judgement a line. Questions without a reply count as "
        "missing, a null reply as failed.",
    )
    score.add_argument("folder", type=dataset_folder, metavar="DIR", help="the dataset's folder")
    score.add_argument("replies", type=Path, metavar="REPLIES.jsonl", help="the replies")
    score.add_argument(
        "--out", type=Path, metavar="FILE", help="where the judgements go (default: REPLIES.judgements.jsonl)"
    )
    shortcuts = commands.add_parser(
        "shortcuts",
        help="does a dataset give its answers away without its order?",
        description="Checks the certificates of pairs, reads the questions with trained probes that see no order "
        "(nothing, one frame, all frames in a bag or shuffled, the file from outside), cross-validated by item, and "
        "looks for keys that lean. Lists what chance explains in less than one set of a thousand; exit code 1 if "
        "anything.",
    )
    shortcuts.add_argument("folder", type=dataset_folder, metavar="DIR", help="the dataset's folder")
    shortcuts.add_argument(
        "--workers", type=whole_number(1, 256), metavar="N", help="processes that look at clips (default: one a core)"
    )
    shortcuts.add_argument("--out", type=Path, metavar="FILE.json", help="where everything found is written as JSON")
    return top


def check(options: argparse.Namespace) -> int:
    from rich.console import Console
    from rich.progress import Progress

    from generators.seed_file import read_seed_file
    from verifier.checking import check_dataset, default_workers

    console = Console(stderr=True)
    root_seed = None
    if options.seed_file is not None:
        require_file(options.seed_file)
        root_seed = read_seed_file(options.seed_file)
    found = checked = 0
    # Without a thread of its own, so that workers can be forked.
    with Progress(console=console, disable=not console.is_terminal, transient=True, auto_refresh=False) as bar:
        task = bar.add_task("checking", total=None)

        def progress(done: int, total: int) -> None:
            nonlocal checked
            checked = done
            bar.update(task, completed=done, total=total, refresh=True)

        workers = options.workers or default_workers()
        with closing(check_dataset(options.folder, workers, progress, root_seed)) as findings:
            for finding in findings:
                found += 1
                if found <= FINDINGS_SHOWN:
                    bar.stop()
                    print(finding)  # noqa: T201
    if found > FINDINGS_SHOWN:
        print(f"… and {found - FINDINGS_SHOWN} more")  # noqa: T201
    verdict = f"{found} finding{'s' if found > 1 else ''}" if found else "sound"
    print(f"{options.folder}: {checked} items checked, {verdict}")  # noqa: T201
    return FINDINGS if found else 0


def json_lines(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """(line number, object) of a JSONL file. Raises InputError naming a line that is none."""
    require_file(path)
    with path.open("rb") as file:
        for number, line in enumerate(bounded_lines(file), 1):
            if line is None:
                raise InputError(f"{path}, line {number}: is longer than {LONGEST_LINE // 2**20} MiB")
            if not line.strip():
                continue
            try:
                value = json.loads(line)
            except RecursionError:
                raise InputError(f"{path}, line {number}: is nested too deeply") from None
            except ValueError as error:
                raise InputError(f"{path}, line {number}: is no JSON: {error}") from None
            if not isinstance(value, dict):
                raise InputError(f'{path}, line {number}: expected an object such as {{"reply": …}}')
            yield number, value


def read(options: argparse.Namespace) -> int:
    disagreements = expected = 0
    for number, line in json_lines(options.file):
        try:
            said, agrees = _said(line)
            print(_printable(said))  # noqa: T201
        except RecursionError:
            raise InputError(f"{options.file}, line {number}: is nested too deeply") from None
        except (ValueError, TypeError, LookupError, AttributeError) as error:
            raise InputError(f"{options.file}, line {number}: {error}") from None
        expected += agrees is not None
        disagreements += agrees is False
    if expected:
        print(f"{expected} expectations, {disagreements} disagreements", file=sys.stderr)  # noqa: T201
    return FINDINGS if disagreements else 0


def _said(line: dict[str, Any]) -> tuple[dict[str, Any], bool | None]:
    """(the line with the value of its reply, whether that is what the line expects). Raises ValueError as read_line."""
    from generators.item import canonical_json
    from verifier.scoring import ROUNDING, is_length, is_near, read_line

    options, world = line.get("options"), line.get("world")
    if options is not None and not (isinstance(options, list) and all(isinstance(option, str) for option in options)):
        raise ValueError('"options" is no list of texts')
    if world is not None and not isinstance(world, str):
        raise ValueError('"world" is no text')
    value, reason = read_line({name: given for name, given in line.items() if name != "world" or given is not None})
    said = {**line, "value": value} | ({"reason": reason} if reason else {})
    if "expect" not in line:
        return said, None
    if line["kind"] == "seconds" and is_length(value) and is_length(line["expect"]):
        agrees = is_near(value, line["expect"], line.get("tolerance", ROUNDING))
        return {**said, "agrees": agrees}, agrees
    # As JSON, where 1, 1.0 and true are three values.
    agrees = canonical_json(value) == canonical_json(line["expect"])
    return {**said, "agrees": agrees}, agrees


def _printable(value: Any) -> str:
    """JSON of a value; half a surrogate pair, which no encoding has, is written as its escape."""
    return json.dumps(value, ensure_ascii=False).encode(errors="backslashreplace").decode()


def read_replies(path: Path) -> dict[tuple[str, str, int], str | None]:
    """Reply by (item, question, clip). Raises InputError naming the line that is malformed or says a thing twice.

    A line with an "error" is an attempt of a run that failed: it counts where no line has the question's reply.
    """
    replies: dict[tuple[str, str, int], str | None] = {}
    failed: set[tuple[str, str, int]] = set()
    for number, line in json_lines(path):
        item, question, clip, reply = line.get("item"), line.get("question"), line.get("clip", 0), line.get("reply")
        where = f"{path}, line {number}"
        if not isinstance(item, str) or not isinstance(question, str) or type(clip) is not int:
            raise InputError(f'{where}: expected "item" and "question" as texts and "clip" as a whole number')
        if "reply" not in line or not (reply is None or isinstance(reply, str)):
            raise InputError(f'{where}: expected "reply" as a text, or null where no reply came')
        place = (item, question, clip)
        if reply is None and line.get("error") is not None:
            if place not in replies:
                replies[place] = None
                failed.add(place)
            continue
        if place in replies and place not in failed:
            raise InputError(f"{where}: a second reply to {question} of {item}, clip {clip}: keep one of them")
        failed.discard(place)
        replies[place] = reply
    return replies


def score(options: argparse.Namespace) -> int:
    from generators.dataset import ITEMS, atomically, read_items
    from generators.item import canonical_json
    from verifier.item_checking import MALFORMED
    from verifier.scoring import asked, judge, missing

    replies = read_replies(options.replies)
    out = _output(options)
    if (options.folder / ITEMS).exists():
        require_file(options.folder / ITEMS)
    counts: Counter[tuple[int, str, str]] = Counter()
    gaps: list[int] = []
    # Half a surrogate pair, which UTF-8 does not have, is written as its escape, which JSON does have.
    with atomically(out) as unfinished, unfinished.open("w", encoding="utf-8", errors="backslashreplace") as file:
        for item in read_items(options.folder):
            for question, clip in asked(item):
                place = (item.id, question.id, clip)
                try:
                    judged = (
                        judge(item, question, clip, replies.pop(place))
                        if place in replies
                        else missing(item, question, clip)
                    )
                except MALFORMED as error:
                    raise InputError(
                        f"{options.folder}: {question.id} of {item.id} cannot be scored ({error}): run check on it"
                    ) from None
                counts[question.level, question.id, judged.outcome] += 1
                if judged.optimality_gap is not None:
                    gaps.append(judged.optimality_gap)
                file.write(canonical_json(judged.to_json(), sort_keys=False) + "\n")
        if replies:
            item_id, question_id, number = next(iter(replies))
            raise InputError(
                f"{options.replies}: {options.folder} has no question {question_id} of {item_id}, clip {number} "
                f"({len(replies)} such replies): score them against the dataset they were made for"
            )
    _show(counts, gaps)
    print(f"judgements: {out}")  # noqa: T201
    return 0


def _output(options: argparse.Namespace) -> Path:
    """Where the judgements go. Raises InputError where they would overwrite what they are made from."""
    given = options.out or options.replies.with_suffix(".judgements.jsonl")
    return _free_to_write(given, [options.replies], options.folder)


def _free_to_write(given: Path, sources: list[Path], folder: Path) -> Path:
    """The path in full. Raises InputError where it is a file of the dataset in `folder`, or one of `sources`."""
    from generators.dataset import ITEMS, SHEETS, VIDEOS
    from generators.manifest import MANIFEST

    out = Path(os.path.realpath(given))
    for path in [*sources, *(folder / name for name in (ITEMS, MANIFEST, VIDEOS, SHEETS))]:
        if out.is_relative_to(os.path.realpath(path)):
            raise InputError(f"--out {given} would overwrite {path}: choose another file")
    if out.exists():
        require_file(out)
    elif not out.parent.is_dir():
        raise InputError(f"--out {given}: there is no folder {out.parent}")
    return out


def _show(counts: "Counter[tuple[int, str, str]]", gaps: list[int]) -> None:
    """Print the table by skill and level, outcomes counted apart."""
    from rich.table import Table

    from verifier.scoring import OUTCOMES

    table = Table("level", "question", "asked", *OUTCOMES, "accuracy")

    def row(level: str, name: str, chosen: Counter[str], **style: Any) -> None:
        total = chosen.total()
        accuracy = f"{chosen['correct'] / total:.1%}" if total else "–"
        table.add_row(level, name, str(total), *(str(chosen[outcome]) for outcome in OUTCOMES), accuracy, **style)

    def sum_of(level: int | None, name: str | None) -> "Counter[str]":
        chosen: Counter[str] = Counter()
        for (its_level, its_name, outcome), count in counts.items():
            if level in (None, its_level) and name in (None, its_name):
                chosen[outcome] += count
        return chosen

    levels = sorted({level for level, _, _ in counts})
    for level in levels:
        names = list(dict.fromkeys(name for its_level, name, _ in counts if its_level == level))
        for name in names:
            row(str(level), name, sum_of(level, name))
        row(str(level), "all", sum_of(level, None), style="bold", end_section=True)
    row("all", "all", sum_of(None, None), style="bold")
    print_table(table)
    if gaps:
        print(  # noqa: T201
            f"optimality gap of {len(gaps)} right plans: {sum(gaps) / len(gaps):.2f} operations more than the shortest "
            f"on average, {max(gaps)} at most"
        )


def shortcuts(options: argparse.Namespace) -> int:
    from rich.console import Console
    from rich.progress import Progress

    from generators.dataset import atomically
    from verifier.checking import default_workers
    from verifier.shortcut_tables import tables
    from verifier.shortcuts import find_shortcuts, require_shortcut_packages

    require_shortcut_packages()
    out = None if options.out is None else _free_to_write(options.out, [], options.folder)
    console = Console(stderr=True)
    # Without a thread of its own, so that workers can be forked.
    with Progress(console=console, disable=not console.is_terminal, transient=True, auto_refresh=False) as bar:
        task = bar.add_task("looking at clips", total=None)

        def progress(what: str, done: int, total: int) -> None:
            bar.update(task, description=what, completed=done, total=total, refresh=True)

        report = find_shortcuts(options.folder, options.workers or default_workers(), progress)
    for table in tables(report):
        print_table(table)
    for note in report.notes:
        print(f"note: {note}")  # noqa: T201
    for finding in report.findings[:FINDINGS_SHOWN]:
        print(finding)  # noqa: T201
    found = len(report.findings)
    if found > FINDINGS_SHOWN:
        print(f"… and {found - FINDINGS_SHOWN} more")  # noqa: T201
    if out is not None:
        with atomically(out) as unfinished:
            text = json.dumps(report.to_json(), indent=2, ensure_ascii=False)
            unfinished.write_text(text + "\n", encoding="utf-8", errors="backslashreplace")
    verdict = f"{found} finding{'s' if found > 1 else ''}" if found else "no shortcut found"
    verdict = verdict if report.tests or found else "too few to test"
    print(f"{options.folder}: {report.items} items, {report.tests} tests, {verdict}")  # noqa: T201
    return FINDINGS if found else 0


def main(arguments: list[str] | None = None) -> int:
    options = parser().parse_args(arguments)
    commands = {"check": check, "read": read, "score": score, "shortcuts": shortcuts}
    return run_command(f"verifier {options.command}", lambda: commands[options.command](options), "interrupted")


if __name__ == "__main__":
    sys.exit(main())
