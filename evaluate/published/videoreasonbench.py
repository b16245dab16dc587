"""VideoReasonBench: one JSON file a demo (hrd, grid, cup, file_sys, card, chip), or the folder of all six.

Entries are named `state<N>_op<T>_<dim>_<start|end>` and hold `question`, `answer` (null where a plan is asked for),
`dim`, `visible_time`, `num_state`, `num_operation`, `states` and what happens; `demos` says how. All of this was seen
in the released files. Replies name a question as the released predictions do, `card_state1_op5_order_state_start`.

Nothing is judged by likeness. The truth of a question is computed from its replayed demo, and the stored answer counts
only where it cannot be; a plan is right where the world's rules carry it out and it ends at the goal, so a card that
was removed does not come back. Cells are (row, column), as in the answers, though `grid` asks for "(column, row)".
"""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from evaluate.published.demo_answers import Read, read_answer
from evaluate.published.demo_questions import DIMS, PLAN, Asked, IllegalQuestion, goal, reader, truth
from evaluate.published.demos import CONTAINERS, WORLDS, Demo, read_demo
from evaluate.published.files import read_keyed
from evaluate.published.questions import PublishedQuestion, PublishedSet, Verdict, verdict
from generators.errors import InputError
from simulators.notation import ROW_LETTERS
from verifier.answers import Answer
from verifier.reading import read_reply

SIZES = {1: "small: 3×3 or 1 container", 3: "small: 3×3 or 1 container", 2: "large: 4×4 or 2", 4: "large: 4×4 or 2"}
OPERATIONS = ((5, 9), (10, 14))
INSTRUCTIONS_END = "answer the following question"

Row = dict[str, Any]
Judge = Callable[[str], Verdict]


def read_videoreasonbench(path: Path) -> PublishedSet:
    """The set in a file or folder. Raises InputError where its form is another."""
    questions: list[PublishedQuestion] = []
    findings: list[str] = []
    unchecked = digits = swapped = 0
    demos: dict[tuple[str, int, int, str], Demo | str] = {}
    for file, key, row in read_keyed(path):
        where = f"{file}, {key[:80]!r}"
        name, short = _demo_name(file, key, row, where)
        for field, known in (("dim", DIMS), ("visible_time", ("start", "end"))):
            if not isinstance(row.get(field), str) or row[field] not in known:
                raise InputError(f'{where}: expected "{field}" as one of {", ".join(known)}')
        for field in ("num_state", "num_operation"):
            if type(row.get(field)) is not int:
                raise InputError(f'{where}: expected "{field}" as a whole number')
        if not isinstance(row.get("question"), str) or not isinstance(row.get("answer"), str | None):
            raise InputError(f'{where}: expected "question" as a text and "answer" as a text or null')
        demo = _demo(name, row, demos, findings, f"{name}_{short}")
        asked = Asked(name, row["dim"], row["question"].rpartition(INSTRUCTIONS_END)[2])
        judge, errors, is_checked = _key(asked, demo, row["answer"])
        findings += [f"{name}_{short}: {error}" for error in errors]
        unchecked += not is_checked
        if name == "grid" and isinstance(row["answer"], str) and DIMS[asked.dim][1] > 1:
            digits += row["answer"].rstrip().endswith((": 0", ": 1"))
            swapped += "(column, row)" in asked.words
        # The videos that show the state at the start and at the end are of one plan, so they are one cluster.
        plan = f"{name} {row['num_state']} {row['num_operation']}"
        questions.append(PublishedQuestion(f"{name}_{short}", (short, key), plan, _groups(name, row), judge))
    if digits:
        findings.append(f"grid: {digits} answers give colours as 0 and 1, which their questions do not explain")
    if swapped:
        findings.append(f"grid: {swapped} questions ask for (column, row), and their answers give (row, column)")
    notes = (
        (f"{unchecked} questions are judged by the stored answer: their demo or their words could not be read",)
        if unchecked
        else ()
    )
    return PublishedSet("VideoReasonBench", tuple(questions), tuple(findings), notes)


def _demo_name(file: Path, key: str, row: Row, where: str) -> tuple[str, str]:
    """The demo of an entry, and the entry's name without it: from its name, its video or the file's name."""
    for name in WORLDS:
        if key.startswith(f"{name}_"):
            return name, key.removeprefix(f"{name}_")
    video = row.get("video")
    for text in (row.get("demo"), *(Path(video).parts if isinstance(video, str) else ()), file.stem):
        if isinstance(text, str) and text in WORLDS:
            return text, key
    raise InputError(f"{where}: which demo is this? Name the file after it: one of {', '.join(WORLDS)}")


def _demo(name: str, row: Row, known: dict[Any, Demo | str], findings: list[str], where: str) -> Demo | None:
    """The demo of an entry, or None and a finding; a dozen entries tell the same demo and one finding is enough."""
    told = (name, str({field: row.get(field) for field in ("moves", "commands", "actions", "coords", "states")}))
    if told not in known:
        try:
            demo: Demo | str = read_demo(name, row)
        except ValueError as error:
            demo = str(error)
        known[told] = demo
        errors = [demo] if isinstance(demo, str) else demo.errors()
        findings += [f"{where}: {error} (and the other questions about this demo)" for error in errors]
    found = known[told]
    if isinstance(found, Demo) and len(found.trace.operations) != row["num_operation"]:
        findings.append(f"{where}: has {len(found.trace.operations)} operations, not {row['num_operation']}")
    return found if isinstance(found, Demo) else None


def _key(asked: Asked, demo: Demo | None, stored: str | None) -> tuple[Judge, list[str], bool]:
    """(judge, key errors, whether the truth could be computed) of a question."""
    if asked.dim == PLAN:
        return _plan_key(asked, demo)
    errors: list[str] = []
    try:
        read = reader(asked)
    except ValueError as error:
        return _unanswerable(str(error)), [f"{error}: no reply can be right"], False
    told = _stored(read, stored, errors)
    computed = None
    try:
        computed = truth(asked, demo) if demo else None
    except IllegalQuestion as error:
        errors.append(str(error))
    except (ValueError, LookupError) as error:
        errors.append(f"cannot be checked: {error}")
    if computed is not None and told is not None and told != computed:
        shown = json.dumps(_json(asked, computed), ensure_ascii=False)
        errors.append(f"its answer {stored!r:.200} is not what its demo shows: {shown:.200}")
    right = told if computed is None else computed
    if right is None:
        return _unanswerable("neither the set's own answer nor its demo can be read"), errors, False

    def judge(reply: str) -> Verdict:
        judged = verdict(read_answer(reply, read), lambda value: bool(value == right))
        return replace(judged, value=_json(asked, judged.value))

    return judge, errors, computed is not None


def _stored(read: Read, stored: str | None, errors: list[str]) -> Any:
    """The stored answer as read, or None and an error."""
    if stored is None:
        errors.append("has no answer")
        return None
    try:
        return read(stored.strip())
    except ValueError as error:
        errors.append(f"its answer {stored!r:.100} cannot be read: {error}")
        return None


def _plan_key(asked: Asked, demo: Demo | None) -> tuple[Judge, list[str], bool]:
    if demo is None:
        return _unanswerable("its demo cannot be replayed, so that no plan can be"), [], False
    try:
        aim = goal(asked, demo)
    except (ValueError, LookupError) as error:
        return _unanswerable(f"its goal cannot be read: {error}"), [f"its goal cannot be read: {error}"], False

    def judge(reply: str) -> Verdict:
        if asked.name == "chip":  # the question's own example leaves the word out: `remove 50 cup0`
            reply = _REMOVE_WITHOUT_FROM.sub(r"\1 from \2", reply)
        reading = read_reply("operations", reply, world=demo.world)
        if not isinstance(reading, Answer):
            return verdict(reading, lambda _: False)
        judged = aim.judge(reading.value)
        written = [demo.world.write_operation(operation) for operation in reading.value]
        return Verdict("correct" if judged.is_right else "wrong", written, judged.reason)

    return judge, [error for error in [aim.error()] if error], True


_REMOVE_WITHOUT_FROM = re.compile(r"\b(remove\s+\d{1,3})\s+(cup)", re.IGNORECASE)


def _unanswerable(reason: str) -> Judge:
    """No reply can be right; it still counts among all questions."""
    return lambda reply: Verdict("wrong", reason=reason)


def _json(asked: Asked, value: Any) -> Any:
    """An answer as JSON, with cells as the set writes them."""
    match value:
        case None | str() | int():
            return value
        case (int(row), int(column)) if asked.name not in CONTAINERS and row < len(ROW_LETTERS) and row >= 0:
            return f"({ROW_LETTERS[row]},{column + (asked.name != 'grid')})"
        case tuple():
            return [_json(asked, part) for part in value]
        case frozenset():
            return sorted((_json(asked, part) for part in value), key=str)
        case _:
            return asked.world.write_operation(value)


def _groups(name: str, row: Row) -> tuple[tuple[str, str], ...]:
    """The groups of the set's own tables, and the world."""
    skill, level = DIMS[row["dim"]]
    operations: int = row["num_operation"]
    span = next((f"{low}–{high}" for low, high in OPERATIONS if low <= operations <= high), str(operations))
    return (
        ("level", str(level)),
        ("skill", skill),
        ("world", name),
        ("state shown at", row["visible_time"]),
        ("state size", SIZES.get(row["num_state"], str(row["num_state"]))),
        ("operations", span),
    )
