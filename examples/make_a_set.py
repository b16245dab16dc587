"""Make a small dataset from Python: ten clips of 3×3 boards, each shown once with its state at the start.

Run it from the repository's root: python -m examples.make_a_set [FOLDER]
"""

import sys
from pathlib import Path

from generators.dataset import prepare, read_items, write_dataset
from generators.family import family
from generators.manifest import Request
from generators.sampling import Part


def main(folder: Path) -> None:
    settings = family("number").settings.model_validate({"size": 3, "ops": "5..8", "resolution": 256})
    request = prepare(folder, Request((Part("number", settings, plans=10),), root_seed=2026))
    # Spawned workers import this file again, so a script must start them below `if __name__ == "__main__"`.
    write_dataset(folder, request, workers=2)
    for item in read_items(folder):
        print(item.id, *(f"{question.id}={question.keys[0]}" for question in item.questions[:2]))


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "out/example"))
