"""Runs a model on a dataset: asks what has not been answered yet and keeps every reply."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from itertools import chain
from pathlib import Path

from evaluate.asking import Asked, Identity, every_question, identity
from evaluate.attempts import Asking, Budget, Patience
from evaluate.canary import require_sight
from evaluate.conditions import SINGLE, Viewing, delivered_fps, is_below_minimum
from evaluate.delivery import made_ahead
from evaluate.models import Maker, model_maker
from evaluate.models.replay import Replay
from evaluate.store import Run, Store, open_store, question_key
from generators.errors import InputError


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How a run is carried out beside the model: what is shown, which share of the items, how patiently, at what cost.

    `warn` is told what a reader of its figures must know, each thing at most once a run.
    """

    viewing: Viewing = field(default_factory=Viewing)
    shard: tuple[int, int] | None = None
    patience: Patience = field(default_factory=Patience)
    budget: Budget = field(default_factory=Budget)
    has_canary: bool = True
    warn: Callable[[str], None] = lambda message: None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a run: its record, how many questions were answered and given up in all, and what it cost."""

    run: Run
    answered: int
    failed: int
    spent: float
    is_over_budget: bool = False
    last_error: str = ""


def run(
    dataset: Path,
    model: str | Maker,
    out: Path,
    seed: int | None = None,
    limit: int | None = None,
    progress: Callable[[int, int], None] = lambda items, replies: None,
    settings: Settings | None = None,
) -> Outcome:
    """Ask the model every question of the first `limit` items (or all) and store its replies in `out`.

    `progress` is told how many items are begun and how many replies are kept, those of earlier runs included.
    Raises InputError where the dataset cannot be read, no model has this name, or `out` holds another run.
    """
    how = settings or Settings()
    maker = model_maker(model) if isinstance(model, str) else model
    _check_viewing(maker, how.viewing)
    known = identity(dataset)
    with open_store(out, how.shard) as store:
        record = _begin(store, maker, dataset, known, seed, limit, how.viewing)
        limit = record.settings.limit
        items, replies, failed, item_id = 0, 0, 0, ""
        for asked in store.find_kept(every_question(dataset, limit, how.viewing), record):
            kept = store.kept[asked.order]
            items, item_id = items + (asked.item.id != item_id), asked.item.id
            replies += kept.is_answered
            failed += not kept.is_answered and _is_given_up(store, asked, how.patience)
        progress(items, replies)
        questions = _unsettled(every_question(dataset, limit, how.viewing, how.shard), store, how.patience)
        if (first := next(questions, None)) is None:
            return Outcome(record, replies, failed, store.spent)
        answers = maker(dataset, int(record.settings.seed))
        for message in answers.warnings if isinstance(answers, Replay) else ():
            how.warn(message)
        to_ask = chain([first], questions)
        begun: str | None = item_id

        def settled(asked: Asked, is_answered: bool) -> None:
            nonlocal items, replies, failed, begun
            items, begun = items + (asked.item.id != begun), asked.item.id
            replies, failed = replies + is_answered, failed + (not is_answered)
            progress(items, replies)

        if maker.is_reader:
            for asked in to_ask:
                reply = answers.reply(asked)
                assert isinstance(reply, str)
                store.append(asked, maker.name, reply, key=question_key(asked, record))
                settled(asked, True)
            return Outcome(record, replies, failed, store.spent)
        keys = partial(question_key, run=record)
        asking = Asking(answers, maker, store, keys, how.patience, how.budget, settled)
        try:
            if how.has_canary and maker.needs_canary and how.viewing.has_frames:
                require_sight(answers, out, how.patience, int(record.settings.seed))
            with closing(made_ahead(to_ask)) as prepared:
                asking.ask_all(_warning_once(prepared, how))
        finally:
            if callable(close := getattr(answers, "close", None)):
                close()
        return Outcome(record, replies, failed, store.spent, asking.is_over_budget, asking.last_error)


def _check_viewing(maker: Maker, viewing: Viewing) -> None:
    if maker.is_reader and viewing != Viewing():
        raise InputError(
            f"{maker.name} reads the items and looks at no frames: --condition, --fps, --frames and --frames-from are "
            "for models that do"
        )
    maker.check(viewing)


def _begin(
    store: Store, maker: Maker, dataset: Path, known: Identity, seed: int | None, limit: int | None, viewing: Viewing
) -> Run:
    return store.begin(
        maker.name,
        dataset,
        known,
        seed,
        limit,
        versions(("proofreel", "av", "numpy", *maker.packages)) if not maker.is_reader else None,
        spec=maker.spec if maker.spec != maker.name else None,
        endpoint=maker.endpoint,
        parameters=dict(maker.parameters),
        condition=viewing.condition,
        fps=viewing.fps,
        frames=viewing.frames,
        frames_from=viewing.frames_from,
    )


def _unsettled(questions: Iterable[Asked], store: Store, patience: Patience) -> Iterator[Asked]:
    """The questions without an answer that are not given up either."""
    for asked in questions:
        kept = store.kept.get(asked.order)
        if kept is None or not (kept.is_answered or _is_given_up(store, asked, patience)):
            yield asked


def _is_given_up(store: Store, asked: Asked, patience: Patience) -> bool:
    kept = store.kept[asked.order]
    return kept.is_final or kept.attempts >= patience.attempts


def _warning_once(questions: Iterable[Asked], how: Settings) -> Iterator[Asked]:
    """The questions, with a warning at the first clip whose frame rate is too low, or lower than what was asked for."""
    warned = warned_of_rate = False
    for asked in questions:
        shown = asked.view
        if not warned_of_rate and _is_above_clips_rate(how.viewing, shown.of.fps):
            warned_of_rate = True
            how.warn(
                f"--fps {how.viewing.fps:g} is above the {shown.of.fps} frames a second of {asked.item.id}: of such "
                "clips every frame is shown"
            )
        if not warned and is_below_minimum(how.viewing, shown.choice, asked.item, asked.clip):
            warned = True
            how.warn(
                f"{asked.item.id} is shown at {delivered_fps(shown.choice, shown.of):.2f} frames a second and needs "
                f"{asked.item.measures['minimum_fps']:.2f} to be told apart; replies to such clips are marked "
                "below_minimum_fps"
            )
        yield asked


def _is_above_clips_rate(viewing: Viewing, fps: int) -> bool:
    return viewing.fps is not None and viewing.fps > fps and viewing.has_frames and viewing.condition not in SINGLE


def versions(packages: Iterable[str]) -> dict[str, str]:
    """The installed versions of packages, those that are not installed left out."""
    found = {}
    for name in packages:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found
