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
    return folder.with_name(folder.name + ".seed")


def write_seed_file(path: Path, root_seed: int) -> None:
    """Write the seed, readable by its owner alone. Raises InputError where the file holds another one."""
    if path.exists():
        if read_seed_file(path) != root_seed:
            raise InputError(f"{path} holds another seed: choose another folder with --out")
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="ascii") as file:  # noqa: PTH123
        file.write(f"{root_seed}\n")


def read_seed_file(path: Path) -> int:
    """The seed that a file holds. Raises InputError where it holds none."""
    try:
        text = path.read_text(encoding="ascii").strip()
    except UnicodeDecodeError:
        text = ""
    if not text.isdigit() or len(text) > 40 or int(text) >= MAXIMUM_SEED:
        raise InputError(f"{path} holds no seed: expected one whole number")
    return int(text)
