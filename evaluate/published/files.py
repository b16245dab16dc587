"""Reads question files and replies that others made: bounded, strict JSON, and one clear line for what is wrong."""

import json
from collections.abc import Iterator
from json import JSONDecodeError
from math import isfinite
from pathlib import Path
from typing import Any, NoReturn

from generators.errors import InputError
from verifier.files import LONGEST_LINE, bounded_lines, require_file

LARGEST_FILE = 256 * 2**20
"""Bytes. The largest of the four sets' question files has some ten million."""

NAMES = ("id", "index", "key", "question_id")
"""What a reply may call its question by; the first that is there counts."""


def _constant(text: str) -> NoReturn:
    raise ValueError(f"{text} is no JSON number")


def _finite(text: str) -> float:
    number = float(text)
    if not isfinite(number):
        raise ValueError(f"the number {text[:20]} is too large")
    return number


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object, in which no name may stand twice: one of the two would be lost unnoticed."""
    value = dict(pairs)
    if len(value) < len(pairs):
        seen: set[str] = set()
        twice = next(name for name, _ in pairs if name in seen or seen.add(name))  # type: ignore[func-returns-value]
        raise ValueError(f"{twice[:80]!r} stands twice in one object")
    return value


def _value(text: bytes, where: str) -> Any:
    """The JSON value of `text`. Raises InputError that says where it stops being JSON."""
    try:
        return json.loads(
            text.decode("utf-8-sig"), parse_constant=_constant, parse_float=_finite, object_pairs_hook=_object
        )
    except RecursionError:
        raise InputError(f"{where}: is nested too deeply") from None
    except UnicodeDecodeError:
        raise InputError(f"{where}: is no UTF-8 text") from None
    except JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise InputError(f"{where}: is no JSON: {error.msg} at {place}; is the file whole?") from None
    except ValueError as error:
        raise InputError(f"{where}: is no JSON: {str(error)[:200]}") from None


def read_json(path: Path) -> Any:
    """The value of a JSON file. Raises InputError where it is none."""
    require_file(path)
    if path.stat().st_size > LARGEST_FILE:
        raise InputError(f"{path}: is larger than {LARGEST_FILE // 2**20} MiB, which no question file is")
    return _value(path.read_bytes(), str(path))


def read_lines(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """(place, object) of each line of a JSONL file; blank lines are skipped. Raises InputError at any other line."""
    require_file(path)
    with path.open("rb") as file:
        for number, line in enumerate(bounded_lines(file), 1):
            where = f"{path}, line {number}"
            if line is None:
                raise InputError(f"{where}: is longer than {LONGEST_LINE // 2**20} MiB")
            if line.strip():
                value = _value(line, where)
                if not isinstance(value, dict):
                    raise InputError(f"{where}: expected an object such as {{…}}")
                yield where, value


def read_rows(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """(place, object) of each row of a JSON list or a JSONL file, whichever it is."""
    require_file(path)
    with path.open("rb") as file:
        is_list = file.read(4096).removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"[")
    if not is_list:
        yield from read_lines(path)
        return
    for position, row in enumerate(read_json(path)):
        where = f"{path}, row {position}"
        if not isinstance(row, dict):
            raise InputError(f"{where}: expected an object such as {{…}}")
        yield where, row


def read_keyed(path: Path) -> Iterator[tuple[Path, str, dict[str, Any]]]:
    """(file, key, object) of each entry of a JSON file of named objects, or of every such file in a folder."""
    files = sorted(path.glob("*.json")) if path.is_dir() else [path]
    if not files:
        raise InputError(f"{path}: holds no .json file")
    for file in files:
        entries = read_json(file)
        if not isinstance(entries, dict):
            raise InputError(f"{file}: expected an object with one entry a question")
        for key, row in entries.items():
            if not isinstance(row, dict):
                raise InputError(f"{file}, {key[:80]!r}: expected an object such as {{…}}")
            yield file, key, row


def read_replies(path: Path) -> Iterator[tuple[str, str, str | None]]:
    """(place, name of the question, reply) of each line; the reply is None where none came.

    Raises InputError at a line without a name or a reply.
    """
    for where, line in read_lines(path):
        name = next((line[field] for field in NAMES if field in line), None)
        if not isinstance(name, str | int) or isinstance(name, bool):
            raise InputError(
                f'{where}: expected "id", "index" or "key", a text or whole number that names the question'
            )
        if "reply" not in line or not isinstance(line["reply"], str | None):
            raise InputError(f'{where}: expected "reply" as a text, or null where no reply came')
        yield where, str(name), line["reply"]
