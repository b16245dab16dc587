"""TOMATO: one JSON file a motion type, `{"0": {question, options, answer, key, …}, …}`, or the folder of all six.

`answer` counts from 0, `key` names the clip, `variation` holds flags of 0 and 1; seen in the released data folder.
The numbers start again in each file, so a question's id is its file's name and number, as in `count/0`.
"""

from pathlib import Path
from typing import Any

from evaluate.published.files import read_keyed
from evaluate.published.options import judge_option, key_errors, option_key, read_options
from evaluate.published.questions import PublishedQuestion, PublishedSet
from generators.errors import InputError


def read_tomato(path: Path) -> PublishedSet:
    """The set in a file or folder. Raises InputError where its form is another."""
    questions: list[PublishedQuestion] = []
    findings: list[str] = []
    for file, number, row in read_keyed(path):
        name = f"{file.stem}/{number}"
        key = option_key(read_options(row.get("options"), f"{file}, {number!r:.80}"), row.get("answer"))
        findings += [f"{name}: {error}" for error in key_errors(key, row.get("answer"))]
        clip = row.get("key")
        if not isinstance(clip, str):
            raise InputError(f'{file}, {number!r:.80}: expected "key", the name of its clip, as a text')
        groups = (
            ("motion type", _text(row.get("motion_type"), file.stem)),
            ("demonstration type", _text(row.get("demonstration_type"), "not said")),
            *(("variation", flag) for flag in _variations(row.get("variation"))),
        )
        questions.append(PublishedQuestion(name, (number, clip), clip, groups, judge_option(key)))
    return PublishedSet("TOMATO", tuple(questions), tuple(findings))


def _text(value: Any, otherwise: str) -> str:
    return value if isinstance(value, str) and value else otherwise


def _variations(value: Any) -> list[str]:
    """The flags that are set; a clip may have several and counts in each."""
    flags = [name for name, flag in value.items() if flag == 1] if isinstance(value, dict) else []
    return flags or ["none"]
