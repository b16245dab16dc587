"""TimeBlind: rows of `{index, video_path, question, answer, type}`, as JSONL or a JSON list, four to an instance.

Within an instance (index // 4) the rows are, in order: question 0 about clip 0 and 1, question 1 about clip 0 and 1;
the released scorer takes their answers from this order and never reads `answer`, ours reads it. The rows themselves
could not be looked at: answers are read as yes or no for the type yes_no, and as A or B for multiple_choice, whose
options are taken from the question where it lists them as "A: … B: …". Categories are in the released tags.json.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from evaluate.published.files import read_json, read_rows
from evaluate.published.questions import PairedRow, PublishedQuestion, PublishedSet, Verdict, verdict
from generators.errors import InputError
from verifier.reading import read_reply

Row = dict[str, Any]

KEYS = {"yes_no": ("yes", "no"), "multiple_choice": ("A", "B")}
CLIPS, QUESTIONS = ((0, 2), (1, 3)), ((0, 1), (2, 3))
"""The places within an instance that share a clip, and those that share a question."""

_OPTIONS = re.compile(r"\bA\s?[:.)]\s*(?P<a>[^\n]+?)[\s,;]+\(?B\s?[:.)]\s*(?P<b>[^\n]+?)\s*\Z")


def read_timeblind(path: Path, tags: Path | None = None) -> PublishedSet:
    """The set in a file, with the categories in `tags`. Raises InputError where its form is another."""
    rows: dict[int, Row] = {}
    for where, row in read_rows(path):
        index = row.get("index")
        if type(index) is not int or index < 0:
            raise InputError(f'{where}: expected "index" as a whole number from 0')
        if index in rows:
            raise InputError(f"{where}: a second row with the index {index}: keep one of them")
        for field in ("video_path", "question"):
            if not isinstance(row.get(field), str):
                raise InputError(f'{where}: expected "{field}" as a text')
        if row.get("type") not in tuple(KEYS):
            raise InputError(f'{where}: expected "type" as yes_no or multiple_choice, not {row.get("type")!r:.60}')
        rows[index] = row
    categories = _read_tags(tags, rows) if tags is not None else {}
    questions = tuple(
        PublishedQuestion(
            str(index),
            (),
            # The two clips of an instance are filmed to be alike, so the instance is what is independent.
            str(index // 4),
            (("type", row["type"]), *(("category", name) for name in categories.get(index, ()))),
            _judge(row),
        )
        for index, row in sorted(rows.items())
    )
    instances = {index // 4 for index in rows}
    findings = tuple(
        f"instance {instance}: {error}"
        for instance in sorted(instances)
        for error in _instance_errors([rows.get(4 * instance + place) for place in range(4)])
    )
    groups: dict[str, list[int]] = {"all": sorted(instances)}
    for name in dict.fromkeys(name for names in categories.values() for name in names):
        groups[name] = sorted({index // 4 for index, names in categories.items() if name in names})
    return PublishedSet("TimeBlind", questions, findings, (), partial(_paired, path, groups))


def _key(row: Row) -> str | None:
    """The answer in the form of the key; None where it is none."""
    answer = row.get("answer")
    text = answer.strip().rstrip(".").casefold() if isinstance(answer, str) else ""
    return next((key for key in KEYS[row["type"]] if key.casefold() == text), None)


def _judge(row: Row) -> Callable[[str], Verdict]:
    key = _key(row)

    def judge(reply: str) -> Verdict:
        if row["type"] == "yes_no":
            reading = read_reply("yes_no", reply)
        else:
            listed = _OPTIONS.search(row["question"])
            reading = read_reply("choice", reply, options=[listed["a"], listed["b"]] if listed else ["", ""])
        return verdict(reading, lambda value: value == key, "the set's own key is no answer" if key is None else None)

    return judge


def _instance_errors(rows: Sequence[Row | None]) -> Iterator[str]:
    """What keeps the four rows of an instance from being two clips times two questions with crossed answers."""
    known = {place: row for place, row in enumerate(rows) if row is not None}
    if len(known) < 4:
        yield f"has only {len(known)} of its 4 rows"
    for row in known.values():
        if row.get("answer") is None:
            yield f"row {row['index']} has no answer"
        elif _key(row) is None:
            yield f"row {row['index']} has the answer {row['answer']!r:.60}, which is none to its type {row['type']}"
    for what, pairs, field in (("clip", CLIPS, "video_path"), ("question", QUESTIONS, "question")):
        for number, (one, other) in enumerate(pairs):
            if one not in known or other not in known:
                continue
            if known[one][field] != known[other][field]:
                yield f"rows {known[one]['index']} and {known[other]['index']} should share a {what} and do not"
            elif (key := _key(known[one])) is not None and key == _key(known[other]):
                yield f"{what} {number} has the same answer, {key}, {'twice' if what == 'clip' else 'for both clips'}"
    if len({row["type"] for row in known.values()}) > 1:
        yield "its rows are of different types"
    for what, field, (one, other) in (("clips", "video_path", (0, 1)), ("questions", "question", (0, 2))):
        if one in known and other in known and known[one][field] == known[other][field]:
            yield f"its two {what} are the same"


def _read_tags(path: Path, rows: Mapping[int, Row]) -> dict[int, list[str]]:
    """The categories of each index. Raises InputError where the file is no object of lists of the set's indices."""
    tags = read_json(path)
    if not isinstance(tags, dict) or not all(isinstance(indices, list) for indices in tags.values()):
        raise InputError(f"{path}: expected an object with a list of indices for each category")
    categories: dict[int, list[str]] = {}
    for name, indices in tags.items():
        for index in indices:
            if type(index) is not int or index not in rows:
                raise InputError(f"{path}: {name!r:.80} lists {index!r:.40}, which is no index of the set")
            if name not in categories.setdefault(index, []):
                categories[index].append(name)
    return categories


def _paired(path: Path, groups: Mapping[str, Sequence[int]], is_right: Mapping[str, bool]) -> list[PairedRow]:
    """V-Acc, Q-Acc and I-Acc: shares of clips, questions and instances about which every question is answered right.

    Raises InputError at an instance that is not whole.
    """

    def share(metric: str, group: str, parts: Sequence[Sequence[int]]) -> PairedRow:
        right = [
            all(is_right[str(4 * instance + place)] for place in part) for instance in groups[group] for part in parts
        ]
        return PairedRow(metric, group, tuple(right))

    for instance in groups["all"]:
        if any(str(4 * instance + place) not in is_right for place in range(4)):
            raise InputError(
                f"{path}: instance {instance} lacks some of its rows {4 * instance} to {4 * instance + 3}, "
                "without which I-Acc means nothing: score whole instances"
            )
    metrics = (("V-Acc", CLIPS), ("Q-Acc", QUESTIONS), ("I-Acc", ((0, 1, 2, 3),)))
    return [share(metric, group, parts) for group in groups for metric, parts in metrics]
