"""Runs a model on a dataset: asks what has not been answered yet and keeps every reply."""

from collections.abc import Callable
from pathlib import Path

from evaluate.asking import every_question, identity
from evaluate.models import model_maker
from evaluate.store import Run, open_store


def run(
    dataset: Path,
    model_name: str,
    out: Path,
    seed: int | None = None,
    limit: int | None = None,
    progress: Callable[[int, int], None] = lambda items, replies: None,
) -> Run:
    """Ask the model every question of the first `limit` items (or all) and store its replies in `out`.

    `progress` is told how many items are begun and how many replies are kept, those of earlier runs included.
    Raises InputError where the dataset cannot be read, no model has this name, or `out` holds another run.
    """
    make = model_maker(model_name)
    known = identity(dataset)
    with open_store(out) as store:
        record = store.begin(model_name, dataset, known, seed, limit)
        questions = every_question(dataset, record.settings.limit)
        items, replies, item_id = 0, 0, ""
        for asked in store.skip_answered(questions):
            items, replies, item_id = items + (asked.item.id != item_id), replies + 1, asked.item.id
        progress(items, replies)
        model = make(dataset, int(record.settings.seed))
        for asked in questions:
            store.append(asked, model.name, model.reply(asked))
            items, replies, item_id = items + (asked.item.id != item_id), replies + 1, asked.item.id
            progress(items, replies)
    return record
