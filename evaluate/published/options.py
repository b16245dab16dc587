"""Questions with options: the key among them, its errors, and which option a reply chose."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from evaluate.published.questions import Verdict, verdict
from generators.errors import InputError
from verifier.reading import read_reply

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True, slots=True)
class OptionKey:
    """Options and the letter of the right one, which is None where the file's own key names none of them."""

    options: tuple[str, ...]
    letter: str | None


def read_options(value: Any, where: str) -> tuple[str, ...]:
    """The options of a question. Raises InputError where they are no list of 1 to 26 texts or numbers."""
    if not isinstance(value, list) or not 1 <= len(value) <= len(LETTERS):
        raise InputError(f"{where}: expected its options as a list of 1 to {len(LETTERS)} texts")
    if any(isinstance(option, bool) or not isinstance(option, str | int | float) for option in value):
        raise InputError(f"{where}: expected every option as a text")
    return tuple(str(option) for option in value)


def option_key(options: tuple[str, ...], answer: Any) -> OptionKey:
    """The key that `answer` names: an index from 0, or a letter."""
    if isinstance(answer, str) and len(answer.strip()) == 1:
        answer = LETTERS.find(answer.strip().upper())
    if type(answer) is int and 0 <= answer < len(options):
        return OptionKey(options, LETTERS[answer])
    return OptionKey(options, None)


def key_errors(key: OptionKey, answer: Any) -> Iterator[str]:
    """What is wrong with the options and their key, one sentence for each."""
    if answer is None:
        yield "has no answer"
    elif key.letter is None:
        yield f"its answer {answer!r:.60} is none of its {len(key.options)} options (they count from 0)"
    seen: dict[str, str] = {}
    for letter, option in zip(LETTERS, key.options, strict=False):
        text = _plain(option)
        if not text:
            yield f"option {letter} is empty"
        elif text in seen:
            yield f"options {seen[text]} and {letter} are the same: {option.strip()!r:.60}"
        seen.setdefault(text, letter)
    if len(key.options) == 1:
        yield "has only one option"


def judge_option(key: OptionKey) -> Callable[[str], Verdict]:
    """Judges replies by the letter or the text of the option that they choose; equal options are one answer."""

    def judge(reply: str) -> Verdict:
        reading = read_reply("choice", reply, options=key.options)
        if key.letter is None:
            return verdict(reading, lambda _: False, "the set's own key names no option, so no reply can be right")
        right = _plain(key.options[LETTERS.index(key.letter)])
        return verdict(
            reading,
            lambda letter: letter == key.letter or bool(right and _plain(key.options[LETTERS.index(letter)]) == right),
        )

    return judge


def _plain(option: str) -> str:
    return " ".join(option.casefold().split()).rstrip(" .")
