"""The interface of a model, what it may say, and how it says that no reply came."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol, runtime_checkable

from evaluate.asking import Asked
from evaluate.conditions import Viewing

Delivery = Literal["images", "video_url", "vllm-frames"]


@dataclass(frozen=True, slots=True)
class Answer:
    """A reply with what is known about it. `given` adds to the record of what the model was shown."""

    text: str
    finish_reason: str | None = None
    usage: Mapping[str, int] | None = None
    given: Mapping[str, Any] | None = None
    is_refusal: bool = False

    @property
    def is_truncated(self) -> bool:
        return self.finish_reason == "length"


class AttemptFailed(Exception):
    """No reply came, and why. `is_final`: asking again will not help; `retry_after`: seconds to wait before that.

    `waits` is false where the fault is not of the kind that time heals.
    """

    def __init__(
        self, reason: str, *, retry_after: float | None = None, is_final: bool = False, waits: bool = True
    ) -> None:
        super().__init__(reason)
        self.retry_after, self.is_final, self.waits = retry_after, is_final, waits


class Model(Protocol):
    """Anything that answers questions; `name` is what reports call it.

    `asked` has the prompt, and as `frames`, `indices` and `times` what is shown of the clip. A model that raises has
    not replied and is asked again; `InputError` stops the run.

    A model of one's own may also have `concurrency` (replies that may be asked for at once, from as many threads),
    `batch` with a method `replies(batch)`, `parameters` (what its replies depend on, which goes into run.json), and
    `close()`, called when a run ends.
    """

    @property
    def name(self) -> str: ...

    def reply(self, asked: Asked) -> str | Answer:
        """The whole reply, as the model wrote it."""


@runtime_checkable
class BatchModel(Protocol):
    """A model that answers several questions at once."""

    def replies(self, batch: Sequence[Asked]) -> Sequence[Answer]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelOptions:
    """The options of the command that only some models take; None where one was not given."""

    base_url: str | None = None
    concurrency: int | None = None
    timeout: float | None = None
    max_tokens: int | None = None
    temperature: float | None = None
    delivery: Delivery | None = None
    batch: int | None = None
    dtype: str | None = None
    device_map: str | None = None
    preview: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Maker:
    """How a model is made, and what is known of it before it is.

    `parameters` are what replies depend on beside the prompt and the frames; `packages` those whose versions are
    recorded. `check` raises InputError where the model cannot be shown clips in this way. `is_reader`: built in, looks
    at no frames; `needs_canary`: it could answer without seeing what it was sent.
    """

    name: str
    spec: str
    make: Callable[[Path, int], Model]
    endpoint: str | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)
    packages: tuple[str, ...] = ()
    concurrency: int = 1
    batch: int = 1
    is_reader: bool = False
    is_person: bool = False
    needs_canary: bool = False
    given: Mapping[str, Any] = field(default_factory=lambda: {"delivery": "array", "encoding": "rgb24"})
    check: Callable[[Viewing], None] = lambda viewing: None

    def __call__(self, dataset: Path, seed: int) -> Model:
        return self.make(dataset, seed)
