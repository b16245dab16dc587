"""Reads answers that are several things: boards, cells, names, operations."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from simulators.contract import World
from simulators.notation import counted_things, read_card, read_cell, without_list_marks, write_cell
from verifier.answers import Answer, Reading, Unparsed, excerpt, unparsed
from verifier.single_answers import NUMBER_WORDS

Things = Callable[[str], Sequence[Any]]
"""Reads a list of things of one vocabulary; raises ValueError where anything else is in the text."""

_THING_NOUN = r"(?:(?:new|more|further|other|additional) )?(?:items?|chips?|cards?|files?|coins?|cells?)"
_PLAN_NOUN = r"(?:moves?|operations?|steps?|swaps?|commands?|actions?|changes?)"
_NOTHING = re.compile(
    r"(?:the |an? |it is |it's )?(?:(?:list|plan|answer|cup|pile|path|folder|set) (?:is )?)?"
    r"(?:none(?: (?:is |are )?(?:needed|required|necessary)| of (?:them|these|those))?|n/a|do nothing"
    r"|nothing(?: needs to be done| is needed| to do)?|nil|empty"
    r"|\[\]|\(\)|\{\}|∅|(?:empty|no) (?:list|sequence|plan)"
    rf"|(?:no|zero|0)(?: further| more)? (?:{_THING_NOUN}|{_PLAN_NOUN})"
    r"(?: (?:are |is |were |was )?(?:needed|required|necessary|made|at all))?)",
    re.IGNORECASE,
)
_NO_THINGS = re.compile(r"-{1,2}|[–—]|0|zero|(?:zero|0) times", re.IGNORECASE)
_NUMERAL = r"\d{1,4}|" + "|".join(word for word in NUMBER_WORDS if word.isalpha() and word != "never")
_COUNT = re.compile(rf"({_NUMERAL})(?: (?!of\b)[a-z]+)?(?::| ?(?=\())\s*", re.IGNORECASE)
_COUNT_OF_THINGS = re.compile(
    rf"({_NUMERAL})(?:(?: (?!of\b)[a-z]+)?:"
    r"|(?: (?!of\b)[a-z]+ ?| ?(?!\([\sx×*\d]*\)))(?=\([^()]*\)\.?$))\s*",
    re.IGNORECASE,
)
_COUNT_OF_CELLS = re.compile(
    rf"(?:it (?:happened|happens|occurred) )?({_NUMERAL})(?: (?!of\b|and\b|at\b)[a-z]+)?"
    r"(?:\s*[:;,–—-]|,? at\b| ?(?=\())\s*",
    re.IGNORECASE,
)
_REMARK = re.compile(r"\s*\(([^()]{1,60})\)[.\s]*\Z")
_COUNT_REMARK = re.compile(
    rf"(?:({_NUMERAL}) (?:{_THING_NOUN}|{_PLAN_NOUN}|times(?= in total))(?: (?:in )?total)?"
    rf"|(?:in )?total:? (?:of )?({_NUMERAL})(?: (?:{_THING_NOUN}|{_PLAN_NOUN}))?|({_NUMERAL}) (?:in )?total)",
    re.IGNORECASE,
)
_TOP_TO_BOTTOM = r"(?:from )?(?:the )?top(?: card)? ?(?:to|→|-+>) ?(?:the )?bottom(?: card)?"


@cache
def spelled(name: str) -> str:
    """A pattern for a name in the spellings that a person uses: `pile 0` and `Pile0` are pile0."""
    return re.sub(r"(?<=[a-z])(?=\d)", r"[ _]?", re.escape(name), flags=re.IGNORECASE) + r"(?!\w)"


def _place(container: str | None) -> str:
    """A pattern for what holds the things: no other container may stand in its place."""
    named = rf"{spelled(container)}/?|" if container else ""
    return rf"(?:{named}(?:path|pile|cup|folder)(?!\w))"


@cache
def _lead(container: str | None) -> re.Pattern[str]:
    """Words that may stand before a list: they end in a colon or in a word such as "are"."""
    word = (
        r"(?:(?:the|there|a|an|my|one|optimal|shortest|correct|possible|required|needed|following|list|order|sequence"
        r"|moves?|steps?|operations?|actions?|plan|swaps?|commands?|solution|final|state|board|cells?|items?|chips?|cards?"
        r"|files?|of|as|follows|here|would|to|in|from|folder|names?|values?)(?!\w)"
        rf"|(?:the )?first (?:{_PLAN_NOUN} )?to (?:the )?last(?: {_PLAN_NOUN})?(?!\w)"
        rf"|{_place(container)}|\(?{_TOP_TO_BOTTOM}\)?)\s*+"
    )
    verb = r"(?:are|is|was|were|be|contains?|holds?|has)(?!\w)\s*+"
    return re.compile(rf"(?:{word}|{verb})++:\s*|(?:{word})++{verb}", re.IGNORECASE)


def _is_nothing(text: str) -> bool:
    words = re.sub(r"\s+", " ", text.strip(" \n\t.;\"'!"))
    return any(_NOTHING.fullmatch(form) for form in (words, words.strip("()[]{} ")))


def _counted(text: str, count_form: re.Pattern[str] = _COUNT, container: str | None = None) -> tuple[int | None, str]:
    """The count that opens a list ("3 times: …"), if any, and the list."""
    text = text[lead.end() :] if (lead := _lead(container).match(text)) else text
    count = count_form.match(text)
    if count is None:
        return None, text
    number = _numeral(count[1])
    if re.search(rf"[\s,;]\(?{number + 1}\s*+[.:)]\s", text):
        return None, text  # "1: …, 2: …" number the entries and count nothing
    return number, text[count.end() :]


def _numeral(word: str) -> int:
    return int(word) if word.isdigit() else NUMBER_WORDS[word.lower()]


def _without_remark(text: str, container: str | None = None) -> tuple[int | None, str]:
    """The count that a remark at the end gives, as in "(2 files)", if any, and the list before a count or a place."""
    place = _place(container)
    if remark := _REMARK.search(text):
        before = text[: remark.start()]
        if count := _COUNT_REMARK.fullmatch(remark[1]):
            return _numeral(count[1] or count[2] or count[3]), before
        if re.fullmatch(rf"(?:(?:in|from) )?(?:the )?{place}|{_TOP_TO_BOTTOM}", remark[1], re.IGNORECASE):
            return None, before
        if re.fullmatch(rf"(?:(?:the )?{place}|it) (?:is|was) empty", remark[1], re.IGNORECASE):
            return 0, before
    if container and (behind := re.search(rf"\s(?:(?:is|are|remain) )?in {place}[.\s]*\Z", text[-60:], re.IGNORECASE)):
        return None, text[: len(text) - len(behind[0])]
    return None, text


def _listed(counts: Sequence[int | None], values: list[Any]) -> Reading:
    """An answer, unless a count contradicts it."""
    for count in counts:
        if count is not None and count != len(values):
            return unparsed(f"ambiguous: the reply says {count} but lists {len(values)}")
    return Answer(values)


_OBJECT = re.compile(r"\{\s*[\"']?([A-Za-z_]+)[\"']?\s*:\s*(\[.*\])\s*\}\.?", re.DOTALL)
_OBJECT_NAME = re.compile(
    rf"(?:final_?)?(?:{_THING_NOUN}|{_PLAN_NOUN}|answers?|plan|sequence|order|list|board|grid|matrix|state|positions?)",
    re.IGNORECASE,
)
_KEY = re.compile(r"[\"']\s*:")


def _unwrapped(text: str) -> str:
    """The list in a JSON object that holds nothing else, as in `{"cells": ["a1"]}`; any other text as it is."""
    text = text.strip()
    wrapped = _OBJECT.fullmatch(text) if text.startswith("{") else None
    if wrapped and _OBJECT_NAME.fullmatch(wrapped[1]) and not _KEY.search(wrapped[2]):
        return wrapped[2]
    return text


_FEW = r"\d{1,2}|two|three|four|five|six|seven|eight|nine|ten"
_MANY = (
    rf"(?:[x×*] ?({_FEW})|\( ?[x×] ?({_FEW}) ?\)|\( ?({_FEW}) ?[x×] ?\)|\( ?({_FEW}) times ?\)|({_FEW}) times"
    r"|\( ?(once|twice|thrice) ?\)|(once|twice|thrice))"
)
_REPEATED_CELL = re.compile(rf"(?<!\w)([a-j](?:10|[1-9])) ?{_MANY}(?!\w)", re.IGNORECASE)
_TIMES_CELL = re.compile(r"(?<!\w)(\d{1,2}) ?[x×*] ?([a-j](?:10|[1-9]))(?!\w)", re.IGNORECASE)
_COUNTED_ON_BOTH_SIDES = re.compile(rf"\d ?[x×*] ?[a-j](?:10|[1-9]) ?{_MANY}", re.IGNORECASE)
_NUMBERED_CELL = re.compile(r"(?:^|(?<=[\s,;]))\(?(\d{1,2})[.):]\s+(?=[a-j]\d)", re.IGNORECASE)
_CELL_NOUN = re.compile(r"(?<!\w)(?:cells?|cups?|positions?|squares?)\s+(?=[a-j]\d)", re.IGNORECASE)
_NO_TIME = re.compile(r"(?:it )?never(?: (?:happens|happened|occurs|occurred))?[.!]*", re.IGNORECASE)


def _repeated(match: re.Match[str]) -> str:
    name, *counts = match.groups()
    return " ".join([name] * _numeral(next(count for count in counts if count)))


def read_cells(text: str) -> Reading:
    text = _unwrapped(text)
    if _NO_TIME.fullmatch(text) or _is_nothing(text):
        return Answer([])
    if re.search(r"\.\.|…", text):
        return unparsed(f"unreadable: {excerpt(text)} leaves cells out")
    if _COUNTED_ON_BOTH_SIDES.search(text):
        return unparsed(f"unreadable: {excerpt(text)} counts a cell in two ways")
    text = _TIMES_CELL.sub(lambda match: " ".join([match[2]] * int(match[1])), _REPEATED_CELL.sub(_repeated, text))
    text = _CELL_NOUN.sub("", text)
    numbers = [int(number) for number in _NUMBERED_CELL.findall(text)]
    if len(numbers) > 1 and numbers == list(range(1, len(numbers) + 1)):
        text = _NUMBERED_CELL.sub(" ", text)
    count, text = _counted(text, _COUNT_OF_CELLS)
    if _is_nothing(text) or (count is None and text.strip(" .\n").lower() in ("0", "0 times", "zero", "zero times")):
        return _listed([count], [])
    words = re.sub(r"[(){}.]", " ", without_list_marks(text))
    words = re.sub(
        r"^\s*(?:(?:it|they|happened|the|at|into|in|are|is|cells?|cups?|positions?|squares?)\b\s*)++",
        "",
        words,
        flags=re.I,
    )
    cells = []
    for word in re.split(r"[\s,;&]+(?:and\b[\s,]*)?", words.strip(" \n\t,;&")):
        try:
            cells.append(read_cell(word))
        except ValueError:
            return unparsed(f"unreadable: {excerpt(word)} is no cell")
    return _listed([count], [write_cell(*cell) for cell in sorted(cells)])


_NAMED = re.compile(
    r"(?:(?:an?|the|one|only|just) )?(?:(?:the )?(?:chips?|cards?|files?)(?: (?:are|is))? (.+)|(\d{1,18})(?: chips?)?)",
    re.IGNORECASE,
)
_NO_NAME = re.compile(
    r"[.!?:…](?:\s|$)|\||/(?:\s|$)|(?:^|\s)/|^[a-z]+/[a-z]+$|\b(?:or|not|maybe|perhaps|either|i|is|are)\b",
    re.IGNORECASE,
)
_ANY_SEPARATOR = re.compile(
    r"\s*[,;\n]\s*(?:and\b\s*)?|\s+and\s+|\s*&\s*|\s*(?:-+>|=>|→|⇒|>)\s*|\s+then\s+", re.IGNORECASE
)


def _any_name(text: str) -> int | str:
    """An int, a card in its one spelling, or a few words that are no sentence: whatever was listed."""
    text = " ".join(text.split()).strip(" \"'()[]{}")
    if re.fullmatch(r"[+-]?\d{1,18}", text):
        return int(text)
    if named := re.fullmatch(_NAMED, text):
        return _any_name(named[1] or named[2])
    try:
        return read_card(re.sub(r"^the ", "", text, flags=re.IGNORECASE))
    except ValueError:
        if not text or len(text.split()) > 4 or _NO_NAME.search(text):
            raise ValueError(f"{excerpt(text)} is no entry of a list") from None
    return text


def any_names(text: str) -> list[int | str]:
    """What a reply lists where no vocabulary is known. Raises ValueError where an entry can be no name."""
    text = re.sub(r"[\[\]{}]", " ", without_list_marks(text)).strip(" \n\t,;").removesuffix(".")
    return [_any_name(part) for part in _ANY_SEPARATOR.split(text)]


def names_in_reply(text: str, options: Sequence[str]) -> list[str]:
    """The options that a reply lists, in their spelling. Raises ValueError where anything else is in the text."""
    options = sorted(options, key=len, reverse=True)
    name = rf"(?:{'|'.join(map(spelled, options))})/?"
    named = counted_things(text, name, rf"(?:in|at|on|to|from|into)\s+(?:the\s+)?{name}", ", ".join(options))
    return [
        next(option for option in options if re.search(rf"(?:^|\s){spelled(option)}/?$", one, re.I)) for one in named
    ]


def read_list(text: str, things: Things, container: str | None = None) -> Reading:
    """What a reply lists, in its order; `container` is what holds the things, where the question names it."""
    text = _unwrapped(text)
    if container:  # path0/a.txt is a.txt in path0
        text = re.sub(rf"(?<![\w/.-])(?:\./|/)?{spelled(container)}/+(?=[\w{{])", "", text, flags=re.IGNORECASE)
    values, problem = ([], "") if _is_nothing(text) else _things(text, things)
    if values:
        return Answer(values)
    remarked, listed = _without_remark(text, container)
    gives_total = re.search(r"\btotal\b", text[len(listed) :], re.IGNORECASE) is not None
    count, text = _counted(listed.strip(), _COUNT_OF_THINGS, container)
    if _is_nothing(text) or _NO_THINGS.fullmatch(text.strip(" .\n()")):
        return _listed([count, remarked], [])
    while enclosed := re.fullmatch(r"\(([^()]*)\)\.?", text):
        text = enclosed[1]
    values, problem = _things(text, things)
    if not values:
        return unparsed(f"unreadable: {problem or 'nothing is listed'}")
    if gives_total and all(isinstance(value, int) for value in values) and remarked == sum(values):
        remarked = None  # "10, 50 (total 60)" gives the sum
    return _listed([count, remarked], values)


def _things(text: str, things: Things) -> tuple[list[Any], str]:
    """The things that a text lists; where anything else is in it, none, and what."""
    try:
        return list(things(text)), ""
    except ValueError as error:
        return [], str(error)[:200]


def read_items(text: str, things: Things, container: str | None = None) -> Reading:
    """A multiset: what a reply lists, sorted."""
    reading = read_list(text, things, container)
    if isinstance(reading, Unparsed):
        return reading
    return Answer(sorted(reading.value, key=lambda value: (isinstance(value, str), value)))


def read_operations(text: str, world: World[Any, Any, Any]) -> Reading:
    """By the world's own reader, which refuses any word that is no operation."""
    remarked, text = _without_remark(_unwrapped(text))
    text = re.sub(r"\\([{}_&%#])", r"\1", text)
    count, text = _counted(re.sub(r"[^\S\n]*\n\s*", "\n", text))
    if _is_nothing(text):
        reading = _listed([count, remarked], [])
        return Answer(()) if isinstance(reading, Answer) else reading
    try:
        operations = tuple(world.operations_in_reply(text))
    except ValueError as error:
        return unparsed(f"unreadable: {str(error)[:200]}")
    if not operations:
        return unparsed(f"unreadable: {excerpt(text)} names no operation")
    counted = _listed([count, remarked], list(operations))
    return Answer(operations) if isinstance(counted, Answer) else counted


def read_operations_in_words(text: str, world: World[Any, Any, Any]) -> Reading:
    """Operations in their one spelling, as a `sequence` lists them."""
    reading = read_operations(text, world)
    return Answer([world.write_operation(one) for one in reading.value]) if isinstance(reading, Answer) else reading


_BLANKS = ("blank", "empty", "hole", "space", "none", "null", "□")
_UNCHANGED = ("x", "×", "=", "same", "unchanged")
_HEDGED = re.compile(
    r"\?|\.\.|\b(?:or|maybe|perhaps|possibly|alternatively|might|may|could|unless|but|however|wait|actually|unsure"
    r"|uncertain|guess|wrong|incorrect|sorry|correction|transposed|mirrored|not (?:sure|certain|right|correct))\b",
    re.IGNORECASE,
)
_BOARD_LEAD_WORDS = (
    r"a|an|after|all|and|answer|are|arrangement|array|as|at|be|beginning|below|board|by|cells|change|changed|"
    r"changes|clip|configuration|contents|correct|counts|cups|current|discs|end|ending|final|follows|following|"
    r"for|format|from|given|goal|grid|here|i|in|initial|is|it|its|json|last|layout|like|list|looks|map|matrix|"
    r"moves|my|now|numbers|numpy|of|on|once|our|position|positions|puzzle|python|reads|result|resulting|row|"
    r"rows|see|shown|shows|slides|so|solution|start|starting|state|stones|swaps|table|the|then|there|therefore|"
    r"thus|these|this|tiles|to|top|bottom|left|right|values|video|was|we|were|will|with|would"
)
_BOARD_LEAD = re.compile(rf"(?:\W|_|(?<![^\W_])(?:{_BOARD_LEAD_WORDS})(?![^\W_]))*+", re.IGNORECASE)
"""Words that may stand before a board; any other could change what follows, as "transposed:" does."""
_OTHER_ORDER = re.compile(r"\bbottom to (?:the )?top\b|\bright to (?:the )?left\b", re.IGNORECASE)


def _cell_entry(word: str, words: Mapping[str, str]) -> int | str | None:
    """One entry of a board: a whole number, 0 for a blank, "x" for a cell that did not change; else None.

    Where the board is written in `words`, one of these takes the place of a number.
    """
    word = word.strip(" \t\"'").lower()
    if words:
        # What `_row_label` took for the letter of a row and `_without_header` did not.
        return words.get(word.removeprefix("row "), "x" if word in _UNCHANGED else None)
    if re.fullmatch(r"[+-]?\d{1,18}(?:\.00?)?", word):
        return int(word.partition(".")[0])
    if word in _BLANKS or (word and not word.strip("_")):
        return 0
    return "x" if word in _UNCHANGED else None


def read_board(text: str, words: Mapping[str, str]) -> Reading:
    """A matrix in brackets, a table, or rows on lines or between semicolons; all rows of one length.

    `words` are the world's `cell_words`.
    """
    text = re.sub(r"\\(?:begin|end)\s*\{[^{}]*\}(?:\{[clr|]*\})?", "", _unwrapped(text))
    if array := re.fullmatch(r"(?:np\.|numpy\.)?array\((.*)\)", text, re.DOTALL):
        text = array[1]
    text = text.replace("\\\\", ";\n").replace("&", ",").translate(str.maketrans("(){}", "[][]"))
    text = re.sub(r"(?im)^\s*(?:row\s+\w+\s*:\s*|\d{1,2}[.)]\s+|[-*•]\s+)(?=\[)", "", text)
    if "[" in text:
        return _bracketed_board(text, words)
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    while len(lines) > 1 and _is_lead(lines[0], words):
        lines = lines[1:]
    if re.search(r"\.\.|…", text):
        return unparsed("unreadable: the board is incomplete")
    if all(re.match(r"[-*•]\s", line) for line in lines):
        lines = [line[1:].strip() for line in lines]
    if len(lines) > 1 and any("|" in line for line in lines):
        lines = [line for line in lines if re.sub(r"[-:|\s+]", "", line)]
        rows = [_row_label([word.strip() for word in line.strip("|").split("|")]) for line in lines]
        return _board([[word or "_" for word in row] for row in _without_header(rows)], words)
    if len(lines) == 1 and (lead := re.match(r"[a-zA-Z\s]+:", lines[0])) and _is_lead(lead.group(), words):
        lines = [lines[0][lead.end() :]]
    lines = [line.strip(" .,") for line in re.split(r"[;/|\n]", "\n".join(lines)) if line.strip(" .,")]
    if len(lines) == 1 and "," in lines[0] and all(len(part.split()) > 1 for part in lines[0].split(",")):
        lines = lines[0].split(",")
    return _board(_without_header([_row_label(_row_words(line)) for line in lines]), words)


def _row_words(line: str) -> list[str]:
    line = re.sub(r"^(?:row\s+)?(\w{1,2})\s*:\s*", r"\1: ", line, flags=re.IGNORECASE)
    return [word for word in re.split(r"[\s,]+", line) if word]


def _row_label(words: list[str]) -> list[str]:
    """The row with its label, if it has one ("a", "a:", "1:"), in one form."""
    label = re.fullmatch(r"(?:row )?\(?([a-j])\)?:?|(?:row )?([1-9]|10):", words[0], re.IGNORECASE) if words else None
    return ["row " + (label[1] or "abcdefghij"[int(label[2]) - 1]).lower(), *words[1:]] if label else words


def _without_header(rows: list[list[str]]) -> list[list[str]]:
    """The rows without a header of column numbers and without row labels, where these are labels beyond doubt."""
    if not rows:
        return rows
    numbers = [str(column) for column in range(1, max(len(row) for row in rows) + 1)]
    body = rows[1:]
    labels = [row[0] for row in body if row]
    expected = [f"row {letter}" for letter in "abcdefghij"[: len(body)]]
    if body and labels == expected and len(labels) == len(body):
        header = [word for word in rows[0] if word and not re.fullmatch(r"[\\/#]|row", word, re.IGNORECASE)]
        if header == numbers[: len(header)] and len(header) == len(body[0]) - 1:
            return [row[1:] for row in body]
    if [row[0] for row in rows if row] == [f"row {letter}" for letter in "abcdefghij"[: len(rows)]]:
        return [row[1:] for row in rows]
    if rows[0] == numbers and len(body) == len(numbers):  # boards are square: one row too many is a header
        return body
    return rows


def _board(rows: Sequence[Sequence[str]], words: Mapping[str, str]) -> Reading:
    board = [[_cell_entry(word, words) for word in row] for row in rows]
    if not board or not board[0] or any(None in row for row in board):
        word = next((word for row in rows for word in row if _cell_entry(word, words) is None), "")
        return unparsed(f"unreadable: {excerpt(word)} is no entry of a board")
    if any(len(row) != len(board[0]) for row in board):
        return unparsed("unreadable: the rows of the board differ in length")
    return Answer(board)


def _is_lead(text: str, cell_words: Mapping[str, str]) -> bool:
    """Whether a text may stand before a board: a few words that neither name an entry nor deny what follows."""
    words = text.lower().split()
    return bool(
        len(words) <= 15
        and _BOARD_LEAD.fullmatch(text)
        and not _OTHER_ORDER.search(text)
        and not re.search(r"\d|\bnot\b|n't\b|\bnever\b|[\[\]]", text.lower())
        and any(_cell_entry(word.strip(":"), cell_words) is None for word in words)
        and (text.rstrip().endswith(":") or not any(word.strip(":,") in cell_words for word in words))
        and not re.search(r"[|;/_]" if text.rstrip().endswith(":") else r"[|;/,_]", text)
    )


_BEHIND_BOARD = re.compile(r"(?:[ \t]*+\.\s*+|[ \t,;]*+\n\s*+)[A-Z].*+|[\s,;]*+\.?\s*+", re.DOTALL)
_BETWEEN_BOARDS = re.compile(r"[\s,;.=/]*+(?:and|i\.e\.|that is)?[\s,:]*+", re.IGNORECASE)


def _bracketed_board(text: str, words: Mapping[str, str]) -> Reading:
    """Every matrix of the text, which must be one and the same; a lead may stand before it and a sentence behind."""
    boards: list[list[list[str]]] = [[]]
    depth, position = 0, 0
    nested = False
    outside: list[str] = []
    before = text[: text.index("[")].strip()
    if before and not _is_lead(before, words):
        return unparsed(f"unreadable: {excerpt(before)} stands before the board")
    for bracket in re.finditer(r"[\[\]]", text):
        between = text[position : bracket.start()]
        position = bracket.end()
        if bracket.group() == "]":
            depth -= 1
            if depth < 0:
                return unparsed("unreadable: the brackets of the board do not match")
            if between.strip(" \n\t,"):
                rows = [_row_words(row) for row in re.split(r"[;\n]", between) if row.strip(" \t,")]
                boards[-1].extend(rows)
            if depth == 0 and nested:
                boards.append([])
                nested = False
        else:
            if depth and between.strip(" \n\t,;"):
                return unparsed("unreadable: words stand between the rows of the board")
            if not depth and position > len(before) + 1 and between.strip(" \n\t,;/"):
                outside.append(between)
            if not depth and boards[-1] and between.strip(" \n\t,;/"):
                boards.append([])
            depth += 1
            nested = nested or depth > 1
            if depth > 2:
                return unparsed("unreadable: the brackets of the board are nested too deep")
    if depth:
        return unparsed("truncated: the brackets of the board never close")
    behind = text[position:]
    readings = [_board(board, words) for board in boards if board]
    if not readings:
        return unparsed("unreadable: the brackets hold no board")
    if unreadable := next((reading for reading in readings if isinstance(reading, Unparsed)), None):
        return unreadable
    if any(other != readings[0] for other in readings):
        return unparsed("ambiguous: the reply gives different boards")
    if not _BEHIND_BOARD.fullmatch(behind) or _HEDGED.search(behind):
        return unparsed(f"unreadable: {excerpt(behind)} stands behind the board")
    for part in outside:
        if not _BETWEEN_BOARDS.fullmatch(part) and not _is_lead(part.strip(" \n,;."), words):
            return unparsed(f"unreadable: {excerpt(part)} stands between two boards")
    return readings[0]
