"""Files that others made: looked at before they are opened, and read a bounded line at a time."""

import stat
from argparse import ArgumentTypeError
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from generators.errors import InputError

LONGEST_LINE = 64 * 2**20
"""Bytes. A line of a dataset has some thousand, one of replies seldom more than a million."""


def why_no_file(path: Path) -> str | None:
    """Why there is no file to read at `path`; None where there is one. Nothing is opened, so that nothing can hang."""
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return "is missing"
    except (OSError, ValueError) as error:
        return f"cannot be read: {getattr(error, 'strerror', None) or error}"
    return None if stat.S_ISREG(mode) else "is no regular file"


def require_file(path: Path) -> None:
    """Raises InputError where there is no file to read at `path`."""
    reason = why_no_file(path)
    if reason is not None:
        raise InputError(f"{path} {reason}")


def dataset_folder(text: str) -> Path:
    """The folder that an option of a command names; for argparse. A file in its place is told of in one line."""
    path = Path(text)
    if why_no_file(path) is None:
        raise ArgumentTypeError(f"{text} is a file: give the folder of the dataset, such as {path.parent}")
    return path


def bounded_lines(file: IO[bytes]) -> Iterator[bytes | None]:
    """The lines of a file with their ends; None in place of one that is longer than LONGEST_LINE."""
    while line := file.readline(LONGEST_LINE + 1):
        if len(line) <= LONGEST_LINE:
            yield line
            continue
        while line and not line.endswith(b"\n"):
            line = file.readline(LONGEST_LINE)
        yield None
