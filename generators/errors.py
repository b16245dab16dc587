"""The error a person can mend, and the one place where commands turn it into a line and an exit code."""

import os
import sys
from collections.abc import Callable

BAD_INPUT = 2
INTERRUPTED = 130


class InputError(Exception):
    """Bad input: the message says what was wrong, where, and what to do."""


def run_command(
    name: str, command: Callable[[], int], interrupted: str = "interrupted; the same command goes on where it stopped"
) -> int:
    """The exit code of `command`; bad input and failed files become one line on standard error and exit code 2.

    `interrupted` is what is said after Ctrl-C.
    """
    try:
        code = command()
        sys.stdout.flush()
        return code
    except InputError as error:
        message = str(error)
    except BrokenPipeError:
        # The reader of our output (head, less) has gone: nothing is left to say, and nobody to say it to.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        message = explain(error)
    except KeyboardInterrupt:
        print(f"{name}: {interrupted}", file=sys.stderr)  # noqa: T201
        return INTERRUPTED
    print(f"{name}: error: {printable(' '.join(message.split()))}", file=sys.stderr)  # noqa: T201
    return BAD_INPUT


def printable(text: str) -> str:
    """One line of text that no terminal acts on: control characters and halves of surrogate pairs as escapes."""
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)


def explain(error: OSError) -> str:
    """What the operating system refused, with the file where it is known."""
    what = error.strerror or str(error)
    where = f": {error.filename}" if error.filename else ""
    return f"{what}{where}"
