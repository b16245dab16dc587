"""`human`: a person answers at the terminal, and looks at the clip there or in a window."""

import importlib
import importlib.util
import sys
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from evaluate.asking import Asked
from evaluate.conditions import Viewing
from evaluate.models.contract import Answer, Maker, Model
from generators.errors import InputError, printable

LAST_FRAME = 1.0
"""Seconds for which the last frame of a clip stands still in the window."""


@dataclass(frozen=True, slots=True)
class Human:
    """Prints the prompt and where the clip lies, or plays it, and takes the answer up to an empty line."""

    dataset: Path
    preview: bool
    name: str = "human"

    def reply(self, asked: Asked) -> Answer:
        clip, condition = asked.item.clips[asked.clip], asked.view.viewing.condition
        given: dict[str, Any] = {}
        print(f"\n— {asked.item.id}, {asked.question.id} —")  # noqa: T201
        if asked.view.viewing.has_frames:
            if self.preview:
                play(asked)
                given = {"delivery": "window"}
            else:
                print(f"Clip: {self.dataset / str(clip.file)}")  # noqa: T201
                given = {"delivery": "file", "encoding": "mp4", "sha256": clip.sha256, "indices": None, "times": None}
        print(f"{_safe(asked.prompt)}\n\nYour answer, with an empty line behind it:")  # noqa: T201
        lines: list[str] = []
        while line := self._line():
            lines.append(line)
        return Answer("\n".join(lines), given=given | {"condition": condition})

    def _line(self) -> str:
        line = sys.stdin.readline()
        if not line:
            raise KeyboardInterrupt  # The end of the input: whoever answers has gone, and can go on later.
        return line.rstrip("\r\n")


def _safe(text: str) -> str:
    return "\n".join(printable(line) for line in text.split("\n"))


def play(asked: Asked) -> None:
    """Play what is shown of the clip in a window: space plays it again, Return or closing the window goes on."""
    pygame: Any = importlib.import_module("pygame")
    frames, times = asked.frames, asked.times
    pygame.display.init()
    try:
        screen = pygame.display.set_mode((frames.shape[2], frames.shape[1]))
        pygame.display.set_caption("space: again   Return: answer")
        is_over = False
        while not is_over:
            for index, seconds in enumerate([*(after - before for before, after in pairwise(times)), LAST_FRAME]):
                surface = pygame.image.frombuffer(frames[index].tobytes(), frames.shape[2:0:-1], "RGB")
                screen.blit(surface, (0, 0))
                pygame.display.flip()
                pygame.time.wait(max(1, round(seconds * 1000)))
            is_over = not _wants_again(pygame)
    finally:
        pygame.display.quit()


def _wants_again(pygame: Any) -> bool:
    while True:
        event = pygame.event.wait()
        if event.type == pygame.QUIT:
            return False
        if event.type == pygame.KEYDOWN and event.key in (pygame.K_SPACE, pygame.K_RETURN):
            return bool(event.key == pygame.K_SPACE)


def human_maker(preview: bool) -> Maker:
    """Raises InputError where clips are to be played and pygame is not installed."""
    if preview and importlib.util.find_spec("pygame") is None:
        raise InputError("--preview plays clips with pygame, which is not installed: python -m pip install pygame")

    def check(viewing: Viewing) -> None:
        is_whole = viewing.condition == "full" and viewing.fps is None and viewing.frames is None
        if viewing.has_frames and not preview and not (is_whole and viewing.frames_from == "video"):
            raise InputError("a person is shown the clip's file as it is: to show anything else, add --preview")

    def make(dataset: Path, seed: int) -> Model:
        return Human(dataset, preview)

    return Maker(name="human", spec="human", make=make, is_person=True, check=check, parameters={"preview": preview})
