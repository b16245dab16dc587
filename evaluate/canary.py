"""One question whose answer is a big number in the picture, so that no run is wasted on a model that gets no frames.

Gateways drop videos and images without a word, and the model behind them answers all the same.
"""

import re
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from evaluate.asking import Asked
from evaluate.attempts import Patience
from evaluate.conditions import Choice, Viewing
from evaluate.delivery import Shown
from evaluate.models.contract import Answer, AttemptFailed, Model
from generators.dataset import atomically
from generators.errors import InputError, printable
from generators.item import Clip, Item, Provenance, Question, canonical_json
from generators.randomness import stream
from generators.rendering.scene import Placement, Scene, Sprite, Text

CANARY = "canary.json"
SIDE = 448
FRAMES = 4
FPS = 2
PROMPT = "Which number is written in the picture? Reply with its digits alone."


def require_sight(model: Model, folder: Path, patience: Patience, seed: int) -> None:
    """Ask the model for a number that it is shown. Raises InputError where its reply does not hold it."""
    number = str(stream(seed, "canary", time.time_ns()).randrange(1000, 10_000))
    with tempfile.TemporaryDirectory() as place:
        answer = _reply(model, canary(number, Path(place)), patience)
    with atomically(folder / CANARY) as unfinished:
        known = {"number": number, "reply": answer.text[:2000], "usage": dict(answer.usage or {})}
        unfinished.write_text(canonical_json(known, sort_keys=False) + "\n", encoding="utf-8", errors="replace")
    if not re.search(rf"(?<!\d){number}(?!\d)", re.sub(r"(?<=\d)[ ,.](?=\d)", "", answer.text)):
        prompt_tokens = (answer.usage or {}).get("prompt_tokens")
        counted = f" (a prompt of {prompt_tokens} tokens)" if prompt_tokens is not None else ""
        raise InputError(
            f"{model.name} was shown a frame with the number {number} and replied "
            f"{printable(answer.text[:80])!r}{counted}: it does not see what it is sent. Choose another --delivery or "
            "endpoint, or skip this check with --no-canary"
        )


def _reply(model: Model, asked: Asked, patience: Patience) -> Answer:
    failures = 0
    while True:
        try:
            said = model.reply(asked)
            return Answer(said) if isinstance(said, str) else said
        except AttemptFailed as failed:
            failures += 1
            if failed.is_final or failures >= patience.attempts:
                raise InputError(f"{model.name} does not reply to a first question: {failed}") from None
            time.sleep(patience.wait(failures, failed))


def canary(number: str, folder: Path) -> Asked:
    """A question about a clip that shows `number` all the time; its video is written into `folder`."""
    from generators.rendering.video import encode, render

    scene = _scene(number)
    encode(scene, folder / "canary.mp4")
    clip = Clip(file="canary.mp4", sha256=None, width=SIDE, height=SIDE, fps=FPS, frames=FRAMES, plan={}, spans=[])
    question = Question(id="canary", level=1, kind="integer", about={}, prompt=PROMPT, options=None, keys=[int(number)])
    item = Item(
        schema=1,
        id="canary",
        family="canary",
        version=1,
        category=None,
        clips=[clip],
        questions=[question],
        pair=None,
        measures={},
        provenance=Provenance(seed=None, index=0, settings={}),
    )
    indices = tuple(range(FRAMES))
    load: Callable[[], Any] = lambda: render(scene, indices)  # noqa: E731
    shown = Shown(item, 0, Viewing(), Choice(indices, indices), load, folder)
    return Asked(item, question, 0, PROMPT, shown=shown)


def _scene(number: str) -> Scene:
    text = Text(SIDE / 2, SIDE / 2, number, SIDE / len(number) * 1.2, (0, 0, 0))
    here = (Placement(0, SIDE / 2, SIDE / 2),)
    return Scene(
        width=SIDE,
        height=SIDE,
        fps=FPS,
        frames=FRAMES,
        background=(255, 255, 255),
        sprites=(Sprite(SIDE, SIDE, (text,)),),
        placements=lambda frame: here,
        spans=(),
    )
