"""Datasets without pixels: items and manifest as the generator makes them, and clips that name no file."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from evaluate.asking import Asked, every_question
from evaluate.models.readers import Reader
from generators.dataset import ITEMS
from generators.family import family
from generators.manifest import MANIFEST, Request
from generators.sampling import Part
from verifier.scoring import Judgement, judge

MakeSet = Callable[..., Path]
Judge = Callable[[Reader, Path], list[tuple[Asked, Judgement]]]


@pytest.fixture(scope="session")
def make_set(tmp_path_factory: pytest.TempPathFactory) -> MakeSet:
    """`make_set(count, seed=7, **settings)`: the folder of a Number dataset; the settings are options' texts."""

    def make(count: int, seed: int = 7, **settings: str) -> Path:
        chosen = family("number").settings.model_validate_strings({"resolution": "192", "fps": "4", **settings})
        part = Part("number", chosen, count)
        request = Request((replace(part, plans=count // part.twins),), seed)
        folder = tmp_path_factory.mktemp("set")
        (folder / MANIFEST).write_text(request.manifest().to_text())
        with (folder / ITEMS).open("w", encoding="utf-8") as file:
            for item in request.make_items():
                file.write(item.to_line() + "\n")
        return folder

    return make


@pytest.fixture(scope="session")
def small_set(make_set: MakeSet) -> Path:
    """Twelve items over sizes 2 to 4, twins, 72 questions."""
    return make_set(12, size="2..4", ops="3..14", reveal="both")


@pytest.fixture(scope="session")
def judged() -> Judge:
    """`judged(model, dataset)`: every question with the judgement of the model's reply."""

    def answer(model: Reader, dataset: Path) -> list[tuple[Asked, Judgement]]:
        return [
            (asked, judge(asked.item, asked.question, asked.clip, model.reply(asked)))
            for asked in every_question(dataset)
        ]

    return answer
