"""Committed seeds: what is published before an evaluation, and the file that keeps the seed until it is over."""

import hashlib
import os
from pathlib import Path

from generators.errors import InputError
from generators.randomness import MAXIMUM_SEED


def seed_commitment(root_seed: int) -> str:
    """What is published before an evaluation to hold the seed that is published after it: its SHA-256, as text."""
    return hashlib.sha256(str(root_seed).encode()).hexdigest()


def seed_file_of(folder: Path) -> Path:
    """Beside the dataset's folder, not in it, so that publishing the folder does not publish the seed."""
    whole = folder.resolve()
    return folder.with_name(whole.name + ".seed") if folder.name else whole.with_name(whole.name + ".seed")


def write_seed_file(path: Path, root_seed: int) -> bool:
    """Write the seed, readable by its owner alone; whether it was not there yet.

    Raises InputError where the file holds another one.
    """
    if path.exists():
        if read_seed_file(path) != root_seed:
            raise InputError(f"{path} holds another seed: choose another folder with --out")
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        with open(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="ascii") as file:  # noqa: PTH123
            file.write(f"{root_seed}\n")
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise
    return True


def read_seed_file(path: Path) -> int:
    """The seed that a file holds. Raises InputError where it holds none."""
    try:
        text = path.read_text(encoding="ascii").strip()
    except UnicodeDecodeError:
        text = ""
    if not (text.isascii() and text.isdigit()) or len(text) > 40 or int(text) >= MAXIMUM_SEED:
        raise InputError(f"{path} holds no seed: expected one whole number")
    return int(text)
