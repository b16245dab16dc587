"""Turns a model's free-text reply into an answer in the form of the key, or says why it cannot.

It reads like a careful person and never guesses: no evaluation, no search for an answer inside other words, and two
different answers are none. Legality of operations is not its business.
"""

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from simulators.contract import World
from verifier.answers import REASONS, Answer, Reading, Unparsed, excerpt, unparsed
from verifier.choice_answers import choice, with_places
from verifier.listed_answers import (
    Things,
    any_names,
    names_in_reply,
    read_board,
    read_cells,
    read_items,
    read_list,
    read_operations,
    read_operations_in_words,
)
from verifier.markers import answer_passage, cleaned, conclusions, first_block, without_markup, without_reasoning
from verifier.single_answers import (
    INTEGER,
    SECONDS,
    YES_NO,
    names_other_unit,
    read_single,
    with_points,
)

__all__ = ["KINDS", "REASONS", "Answer", "Unparsed", "read_reply"]

KINDS = ("yes_no", "choice", "integer", "seconds", "board", "cells", "sequence", "items", "operations")
ONE_WORD = ("yes_no", "choice", "integer", "seconds")
"""Kinds whose answer is one word or number, which a sentence of its own may give."""
ANSWER_LIMIT = 20_000
"""Characters of the longest text that is read as one answer; an answer to any question here is far shorter."""

_BETWEEN_SENTENCES = re.compile(r"(?<=[.!?])(?=\s|$)|\n")

Reader = Callable[[str, bool], Reading]
"""Reads a text that should be one answer; True asks for the answer alone, without a sentence around it."""


def read_reply(
    kind: str,
    reply: str,
    *,
    options: Sequence[str] | None = None,
    world: World[Any, Any, Any] | None = None,
    container: str | None = None,
    lists_things: bool = False,
) -> Answer | Unparsed:
    """The answer that `reply` gives to a question of this `kind`.

    `choice` needs `options`, which for `sequence` and `items` are the names that may be listed, in their spelling;
    `operations` needs `world`, and the other kinds take one: `items` are its things, and a `sequence` lists its
    operations, or with `lists_things` its things. `container` is the name of what holds the things, where the question
    is about one. Raises ValueError where these are missing or `kind` is none of KINDS; a reply, however odd, never
    raises.
    """
    reader = _reader(kind, options, world, container, lists_things)
    text = without_reasoning(cleaned(reply))
    if text is None:
        return unparsed("truncated: the reasoning never closes")
    if not text.strip():
        return unparsed("empty: the reply holds no text outside its reasoning")
    text = without_markup(text)
    if kind == "seconds":
        text = with_points(text)
    if kind == "choice":
        text = with_places(text)
    reading = _read(kind, text, reader)
    if isinstance(reading, Unparsed) and reading.category in ("unreadable", "empty") and _REFUSAL.search(text[:2000]):
        return unparsed("refused: the model says that it cannot or will not answer")
    return reading


_REFUSAL = re.compile(
    r"\bas an ai\b|\b(?:sorry|apologi[sz]e)\b[^.\n]{0,40}\b(?:can't|cannot|can not|unable|not able|won't)\b"
    r"|\b(?:i|we)(?: can't| cannot| can not| am unable to| am not able to|'m unable to|'m not able to| won't"
    r"| do not have the ability to| don't have the ability to) (?:directly |actually )?"
    r"(?:view|watch|see|process|access|play|open|analy[sz]e|assist|help|answer|comply|provide|do that)\b",
    re.IGNORECASE,
)


def _reader(
    kind: str,
    options: Sequence[str] | None,
    world: World[Any, Any, Any] | None,
    container: str | None,
    lists_things: bool,
) -> Reader:
    if kind == "choice":
        if not options:
            raise ValueError("a choice is read against its options: pass options=[…]")
        return partial(read_single, choice(options))
    if kind == "operations":
        if world is None:
            raise ValueError("operations are read by their world: pass world=…")
        return lambda text, alone: read_operations(text, world)
    if kind == "sequence" and world is not None and not lists_things:
        return lambda text, alone: read_operations_in_words(text, world)
    if kind in ("sequence", "items"):
        read, things = read_list if kind == "sequence" else read_items, _things(options, world)
        return lambda text, alone: read(text, things, container)
    readers: dict[str, Reader] = {
        "yes_no": partial(read_single, YES_NO),
        "integer": partial(read_single, INTEGER),
        "seconds": partial(read_single, SECONDS),
        "board": lambda text, alone: read_board(text, world.cell_words if world else {}),
        "cells": lambda text, alone: read_cells(text),
    }
    if kind not in readers:
        raise ValueError(f"{kind!r} is no kind of answer: expected one of {', '.join(KINDS)}")
    return readers[kind]


def _things(options: Sequence[str] | None, world: World[Any, Any, Any] | None) -> Things:
    """What may be listed: the options where there are any, what the world knows, or any names."""
    if options:
        return partial(names_in_reply, options=options)
    return (world.things_in_reply if world else None) or any_names


def _read(kind: str, text: str, reader: Reader) -> Reading:
    """Find the passage that answers and read it. An earlier answer never stands in for a last one that fails."""

    def bounded(passage: str, alone: bool = False) -> Reading:
        if len(passage) > ANSWER_LIMIT:
            return unparsed("unreadable: the text is longer than any answer")
        return reader(passage, alone) if passage.strip() else unparsed("empty: there is no answer")

    passage = answer_passage(text)
    if passage.fault:
        return unparsed(passage.fault)
    if kind == "seconds" and names_other_unit(passage.aside):
        return unparsed(f"unreadable: the mark of the answer says {excerpt(passage.aside)}, and seconds are asked for")
    if passage.whole:
        return bounded(passage.text, True)
    if kind == "operations" and isinstance(plan := _spaced_plan(passage.text, bounded), Answer):
        return plan
    block, rest = first_block(passage.text)
    reading = bounded(block)
    is_read = isinstance(reading, Answer) and (passage.marked or not (rest or _REFUSAL.search(block[:2000])))
    if is_read and (passage.marked or kind not in ONE_WORD):
        return reading
    for before, conclusion in conclusions(passage.text, only_final=kind not in ONE_WORD):
        # What an aside in brackets concludes is not what the reply does.
        if before.count("(") <= before.count(")") and isinstance(concluded := bounded(conclusion, True), Answer):
            # An answer and nothing else before it ("A; so B") is one, too, whatever the whole reads as.
            openings = [reading, *([bounded(alone[1], True)] if (alone := _ALONE.fullmatch(before)) else [])]
            if any(isinstance(opening, Answer) and opening != concluded for opening in openings):
                return unparsed("ambiguous: the reply opens with one answer and concludes with another")
            return concluded
    return reading if passage.marked or is_read else _read_unmarked(kind, passage.text, reading, bounded)


_ALONE = re.compile(r"\W*(\w[\w-]{0,30})\W*")
"""One word or number, and no sentence."""


def _spaced_plan(text: str, bounded: Reader) -> Reading | None:
    """The plan of a text with one operation in each of its paragraphs, not all the same; None for any other text."""
    paragraphs = [part for part in re.split(r"\n[ \t]*\n", text.strip()[:ANSWER_LIMIT]) if part.strip()]
    operations: list[Any] = []
    for paragraph in paragraphs if len(text) <= ANSWER_LIMIT else []:
        reading = bounded(paragraph, True)
        if not isinstance(reading, Answer) or len(reading.value) != 1:
            return None
        operations += reading.value
    return Answer(tuple(operations)) if len(set(operations)) > 1 else None


def _read_unmarked(kind: str, text: str, reading: Reading, bounded: Reader) -> Reading:
    """A reply without markers: its first or last part must be wholly an answer, and no other part another one."""
    if len(text) > 10 * ANSWER_LIMIT:
        return unparsed("unreadable: a long text without a marker is no answer")
    paragraphs = [first_block(text)[0], *re.split(r"\n[ \t]*\n", text.strip())]
    lines = text.strip().split("\n")
    sentences = [part for part in _BETWEEN_SENTENCES.split(text) if part.strip()]
    last_parts = [paragraphs[-1]]
    if kind != "board":  # a board's last line is a row of it
        last_parts += lines[-1:]
    parts = dict.fromkeys(part.strip() for part in (*paragraphs, *lines))
    if kind in ONE_WORD:
        last_parts += sentences[-1:]
        parts |= dict.fromkeys(part.strip() for part in sentences)
    candidates = [bounded(part, True) for part in (*last_parts, paragraphs[0]) if not _REFUSAL.search(part[:2000])]
    answers = [candidate for candidate in candidates if isinstance(candidate, Answer)]
    if not answers:
        return reading if isinstance(reading, Unparsed) else unparsed(f"unreadable: {excerpt(text)} gives no answer")
    readable = ""
    for part in parts:
        if kind not in ONE_WORD and part in readable:
            continue  # a line of a list that was read as a whole
        other = bounded(part, True)
        if isinstance(other, Answer):
            readable += part + "\n\n"
            if other != answers[0]:
                return unparsed("ambiguous: different lines or sentences give different answers")
    return answers[0]
