"""`replay:FILE`: replies that were written elsewhere, taken from a file."""

import hashlib
import json
from dataclasses import dataclass, field
from pathlib import Path

from evaluate.asking import Asked, every_question
from evaluate.models.contract import AttemptFailed, Maker, Model
from generators.errors import InputError
from verifier.files import LONGEST_LINE, bounded_lines, require_file


@dataclass(slots=True)
class Replay:
    """Gives the replies of a file of lines `{"item", "question", "clip", "reply"}`; holds only where each stands.

    `warnings` says how many of the lines are to no question of the dataset.
    """

    path: Path
    name: str
    dataset: Path
    places: dict[tuple[str, str, int], int] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        offset = 0
        with self.path.open("rb") as file:
            for number, line in enumerate(bounded_lines(file), 1):
                where = f"{self.path}, line {number}"
                if line is None:
                    raise InputError(f"{where}: is longer than {LONGEST_LINE // 2**20} MiB")
                if line.strip():
                    name = _name(where, line)
                    if name in self.places:
                        raise InputError(f"{where}: a second reply to {' '.join(map(str, name))}: keep one of them")
                    self.places[name] = offset
                offset += len(line)
        strangers = dict.fromkeys(self.places)
        for asked in every_question(self.dataset):
            strangers.pop(asked.name, None)
        if strangers:
            first = " ".join(map(str, next(iter(strangers))))
            self.warnings.append(
                f"{len(strangers)} of the {len(self.places)} replies in {self.path} fit no question of {self.dataset}, "
                f"the first to {first}"
            )

    def reply(self, asked: Asked) -> str:
        if asked.name not in self.places:
            raise AttemptFailed(f"{self.path.name} holds no reply to it", is_final=True)
        with self.path.open("rb") as file:
            file.seek(self.places[asked.name])
            reply = json.loads(file.readline())["reply"]
        if reply is None:
            raise AttemptFailed(f"{self.path.name} holds a null reply to it", is_final=True)
        return str(reply)


def _name(where: str, line: bytes) -> tuple[str, str, int]:
    """(item, question, clip) of a line. Raises InputError where it is no reply."""
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{where}: is no JSON: {error}") from None
    if not isinstance(row, dict):
        raise InputError(f'{where}: expected an object such as {{"item": …, "question": …, "clip": 0, "reply": …}}')
    item, question, clip = row.get("item"), row.get("question"), row.get("clip", 0)
    if not isinstance(item, str) or not isinstance(question, str) or type(clip) is not int:
        raise InputError(f'{where}: expected "item" and "question" as texts and "clip" as a whole number')
    if "reply" not in row or not (row["reply"] is None or isinstance(row["reply"], str)):
        raise InputError(f'{where}: expected "reply" as a text, or null where no reply came')
    return item, question, clip


def replay_maker(path: Path) -> Maker:
    """Raises InputError where there is no such file. Its hash keeps replies and their corrections in runs apart."""
    require_file(path)
    name = path.stem
    try:
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from None

    def make(dataset: Path, seed: int) -> Model:
        return Replay(path, name, dataset)

    return Maker(name=name, spec=f"replay:{path}", make=make, parameters={"replies": f"sha256:{digest}"})
