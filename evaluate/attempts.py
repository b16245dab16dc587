"""Asking one question until a reply comes or it is given up, with every attempt on record; many at once."""

import queue
import secrets
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from evaluate.asking import Asked
from evaluate.conditions import is_below_minimum
from evaluate.models.contract import Answer, AttemptFailed, BatchModel, Maker, Model
from evaluate.store import Store
from generators.errors import InputError, printable

LONGEST_WAIT = 60.0
LONGEST_RETRY_AFTER = 600.0
"""Seconds that are waited between attempts at most: of our own accord, and because the endpoint says so."""

HOPELESS = 20
"""So many questions given up in a row stop a run: whatever is wrong, it is not the questions."""

LONGEST_ERROR = 500
SECONDS_TO_FINISH = 1.0
"""How long the requests under way are waited for when a run is stopped."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """How often a question is asked, over all resumptions, and how many seconds lie between the first two attempts.

    The wait doubles from attempt to attempt and is drawn between a half and the whole of that, unless the endpoint says
    how long to wait.
    """

    attempts: int = 5
    first_wait: float = 1.0

    def wait(self, failures: int, failed: AttemptFailed) -> float:
        """Seconds to wait after this many failures."""
        if not failed.waits:
            return 0.0
        if failed.retry_after:
            return min(LONGEST_RETRY_AFTER, failed.retry_after)
        return min(LONGEST_WAIT, self.first_wait * 2.0 ** (failures - 1)) * secrets.SystemRandom().uniform(0.5, 1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """Dollars for a million tokens of prompt and of reply, and how many dollars a run may cost in all."""

    price_in: float | None = None
    price_out: float | None = None
    usd: float | None = None

    def __post_init__(self) -> None:
        if (self.price_in is None) != (self.price_out is None):
            raise InputError("--price-in and --price-out go together: dollars for a million tokens of each")
        if self.usd is not None and self.price_in is None:
            raise InputError("--budget-usd needs --price-in and --price-out, in dollars for a million tokens")

    def cost(self, answer: Answer) -> float | None:
        """Dollars that a reply cost; None where no prices are known. Raises InputError where usage is not reported."""
        if self.price_in is None or self.price_out is None:
            return None
        usage = answer.usage or {}
        if not {"prompt_tokens", "completion_tokens"} <= set(usage):
            if self.usd is None:
                return None
            raise InputError("the endpoint does not say how many tokens it used, so that --budget-usd cannot be kept")
        return (usage["prompt_tokens"] * self.price_in + usage["completion_tokens"] * self.price_out) / 1e6


def _answer(said: Any) -> Answer:
    answer = Answer(said) if isinstance(said, str) else said
    if not isinstance(answer, Answer) or not isinstance(answer.text, str):
        raise AttemptFailed(f"the model gave {type(said).__name__} in place of a text", is_final=True)
    return answer


@contextmanager
def _as_failed_attempt() -> Iterator[None]:
    """Whatever a model raises, but for bad input, is an attempt that failed; so is its leaving with sys.exit()."""
    try:
        yield
    except (InputError, AttemptFailed):
        raise
    except (Exception, SystemExit) as error:
        raise AttemptFailed(f"{type(error).__name__}: {error}", waits=False) from None


@dataclass(slots=True)
class Asking:
    """Asks a model questions and stores every attempt. `settled` is told of each question that is done with."""

    model: Model
    maker: Maker
    store: Store
    keys: Callable[[Asked], str]
    patience: Patience
    budget: Budget
    settled: Callable[[Asked, bool], None]
    failed: int = 0
    answered: int = 0
    failed_in_a_row: int = 0
    last_error: str = ""
    is_over_budget: bool = False
    _stop: threading.Event = field(default_factory=threading.Event)

    def ask_all(self, questions: Iterable[Asked]) -> None:
        """Ask every question, several at once where the model can. Raises InputError where going on makes no sense."""
        if self.maker.batch > 1:
            self._in_batches(questions)
        elif self.maker.concurrency > 1:
            self._in_threads(questions)
        else:
            for asked in questions:
                if not self._affords(0):
                    self.is_over_budget = True
                    return
                self._done(asked, self.ask(asked))

    def ask(self, asked: Asked) -> bool:
        """Ask until a reply is kept (True) or the question is given up (False)."""
        before = self.store.kept.get(asked.order)
        failures = before.attempts if before else 0
        while failures < self.patience.attempts and not self._stop.is_set():
            began = time.monotonic()
            try:
                answer = self._reply(asked)
            except AttemptFailed as failed:
                if self._stop.is_set():
                    return False  # The run was stopped, and this is what became of its last requests.
                failures += 1
                self._keep_failure(asked, failed, failures, time.monotonic() - began)
                if failed.is_final or failures >= self.patience.attempts:
                    return False
                if self._stop.wait(self.patience.wait(failures, failed)):
                    return False
            else:
                self._keep(asked, answer, failures + 1, time.monotonic() - began)
                return True
        return False

    def _reply(self, asked: Asked) -> Answer:
        """Raises AttemptFailed whatever else the model raises, unless it is bad input."""
        with _as_failed_attempt():
            return _answer(self.model.reply(asked))

    def _keep(self, asked: Asked, answer: Answer, attempt: int, latency: float) -> None:
        cost = self.budget.cost(answer)
        self.store.append(
            asked,
            self.maker.name,
            answer.text,
            **self._circumstances(asked, attempt, latency, answer.given),
            finish_reason=answer.finish_reason,
            truncated=answer.is_truncated or None,
            refused=answer.is_refusal or None,
            usage=dict(answer.usage) if answer.usage is not None else None,
            cost_usd=cost,
        )

    def _keep_failure(self, asked: Asked, failed: AttemptFailed, attempt: int, latency: float) -> None:
        reason = printable(str(failed))[:LONGEST_ERROR] or "no reason was given"
        self.last_error = reason
        self.store.append(
            asked,
            self.maker.name,
            None,
            error=reason,
            final=failed.is_final or None,
            **self._circumstances(asked, attempt, latency, None),
        )

    def _circumstances(self, asked: Asked, attempt: int, latency: float, given: Any) -> dict[str, Any]:
        shown = asked.view
        record = shown.record()
        if record["indices"]:
            record |= self.maker.given
        return {
            "key": self.keys(asked),
            "attempt": attempt,
            "condition": shown.viewing.condition,
            "given": record | dict(given or {}),
            "below_minimum_fps": is_below_minimum(shown.viewing, shown.choice, asked.item, asked.clip),
            "latency": round(latency, 4),
            "time": datetime.now(UTC).isoformat(timespec="seconds"),
        }

    def _affords(self, under_way: int) -> bool:
        """Whether one more question fits into the budget, with those under way at the price of the dearest so far."""
        if self.budget.usd is None:
            return True
        if not self.store.dearest and under_way:
            return False
        spent = self.store.spent
        return spent < self.budget.usd and spent + (under_way + 1) * self.store.dearest <= self.budget.usd

    def _done(self, asked: Asked, is_answered: bool) -> None:
        self.answered += is_answered
        self.failed += not is_answered
        self.failed_in_a_row = 0 if is_answered else self.failed_in_a_row + 1
        self.settled(asked, is_answered)
        if self.failed_in_a_row >= HOPELESS:
            which = f"{HOPELESS} questions in a row" if self.answered else f"the first {HOPELESS} questions"
            raise InputError(
                f"{which} all failed, the last with: {self.last_error}; mend that, and the same command goes on, with "
                f"--attempts {self.patience.attempts + 1} or more also with those that failed"
            )

    def _in_batches(self, questions: Iterable[Asked]) -> None:
        batch: list[Asked] = []
        for asked in questions:
            batch.append(asked)
            if len(batch) == self.maker.batch:
                self._ask_batch(batch)
                batch = []
        if batch:
            self._ask_batch(batch)

    def _ask_batch(self, batch: Sequence[Asked]) -> None:
        """Ask them at once; one by one where that fails, so that one question cannot take the others with it."""
        began = time.monotonic()
        try:
            if not isinstance(self.model, BatchModel) or len(batch) == 1:
                raise AttemptFailed("asked one by one")
            with _as_failed_attempt():
                answers = [_answer(said) for said in self.model.replies(batch)]
            if len(answers) != len(batch):
                raise AttemptFailed(f"{len(answers)} replies to {len(batch)} questions")
        except AttemptFailed:
            for asked in batch:
                self._done(asked, self.ask(asked))
            return
        latency = time.monotonic() - began
        for asked, answer in zip(batch, answers, strict=True):
            before = self.store.kept.get(asked.order)
            self._keep(asked, answer, (before.attempts if before else 0) + 1, latency)
            self._done(asked, True)

    def _in_threads(self, questions: Iterable[Asked]) -> None:
        """As many questions under way as the model takes; threads that hang do not outlive the program."""
        tasks: queue.SimpleQueue[Asked | None] = queue.SimpleQueue()
        finished: queue.SimpleQueue[tuple[Asked, bool | BaseException]] = queue.SimpleQueue()

        def work() -> None:
            while (asked := tasks.get()) is not None:
                try:
                    finished.put((asked, self.ask(asked)))
                except BaseException as error:
                    finished.put((asked, error))

        threads = [threading.Thread(target=work, daemon=True) for _ in range(self.maker.concurrency)]
        for thread in threads:
            thread.start()
        under_way = 0

        def settle() -> None:
            nonlocal under_way
            asked, result = finished.get()
            under_way -= 1
            if isinstance(result, BaseException):
                raise result
            self._done(asked, result)

        try:
            for asked in questions:
                while under_way and (under_way >= len(threads) or not self._affords(under_way)):
                    settle()
                if not self._affords(under_way):
                    self.is_over_budget = True
                    break
                tasks.put(asked)
                under_way += 1
            while under_way:
                settle()
        finally:
            self._stop.set()
            for _ in threads:
                tasks.put(None)
            # Requests under way may end by themselves; those that hang are cut off when the model is closed.
            patience = time.monotonic() + SECONDS_TO_FINISH
            for thread in threads:
                thread.join(max(0.0, patience - time.monotonic()))
