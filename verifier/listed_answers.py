"""Reads answers that are several things: boards, cells, names, operations."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from simulators.contract import World
from simulators.notation import read_card, read_cell, without_list_marks, write_cell
from verifier.answers import Answer, Reading, Unparsed, excerpt, unparsed
from verifier.single_answers import NUMBER_WORDS

_NOTHING = re.compile(
    r"(?:the |an? |it is |it's )?(?:(?:list|plan|answer|cup|pile|path|folder|set) (?:is )?)?"
    r"(?:none|do nothing|nothing(?: needs to be done| is needed| to do)?|nil|empty"
    r"|\[\]|\(\)|\{\}|∅|(?:empty|no) (?:list|sequence|plan)"
    r"|(?:there (?:are|is|were) )?(?:no|zero|0)(?: further| more)? (?:cells?|items?|moves?|operations?|steps?|swaps?"
    r"|commands?|chips?|cards?|files?|coins?|actions?|changes?)"
    r"(?: (?:are |is |were |was )?(?:needed|required|necessary|made|at all))?)",
    re.IGNORECASE,
)
_NUMERAL = r"\d{1,4}|" + "|".join(word for word in NUMBER_WORDS if word.isalpha() and word != "never")
_COUNT = re.compile(rf"({_NUMERAL})(?: (?!of\b)[a-z]+)?(?::| ?(?=\())\s*", re.IGNORECASE)
_COUNT_OF_CELLS = re.compile(
    rf"(?:it (?:happened|happens|occurred) )?({_NUMERAL})(?: (?!of\b|and\b|at\b)[a-z]+)?"
    r"(?:\s*[:;,–—-]|,? at\b| ?(?=\())\s*",
    re.IGNORECASE,
)
_SECOND_NUMBER = re.compile(r"\n\s*+\(?2\s*+[.:)]")
_COUNT_REMARK = re.compile(
    rf"\s*\((?:{_NUMERAL}) (?:moves?|operations?|steps?|swaps?|commands?|actions?)"
    r"(?: (?:in )?total)?\)[.\s]*$",
    re.IGNORECASE,
)
_LIST_LEAD = re.compile(
    r"(?:(?:the|a|an|my|one|optimal|shortest|correct|possible|required|needed|following|list|order|sequence|moves?|steps?"
    r"|operations?|actions?|plan|swaps?|commands?|solution|final|state|board|cells?|items?|chips?|cards?|files?|of|is|are"
    r"|was|were|as|follows|here|would|be|to|in|from|top|bottom|first|last|cup[0-9]|pile[0-9]|path[0-9]|folder|pile|cup)\b\s*)++:\s*",
    re.IGNORECASE,
)


def _is_nothing(text: str) -> bool:
    return _NOTHING.fullmatch(re.sub(r"\s+", " ", text.strip(" \n\t.\"'!"))) is not None


def _counted(text: str, count_form: "re.Pattern[str]" = _COUNT) -> tuple[int | None, str]:
    """The count that opens a list ("3 times: …"), if any, and the list."""
    text = text[lead.end() :] if (lead := _LIST_LEAD.match(text)) else text
    count = count_form.match(text)
    if count is None or _SECOND_NUMBER.search(text):  # "1: …" and "2: …" number the entries and count nothing
        return None, text
    number = int(count[1]) if count[1].isdigit() else NUMBER_WORDS[count[1].lower()]
    return number, text[count.end() :]


def _listed(count: int | None, values: list[Any]) -> Reading:
    if count is not None and count != len(values):
        return unparsed(f"ambiguous: the reply says {count} but lists {len(values)}")
    return Answer(values)


def read_cells(text: str) -> Reading:
    count, text = _counted(text.strip(), _COUNT_OF_CELLS)
    if _is_nothing(text) or (count is None and text.strip(" .\n").lower() in ("0", "0 times", "zero", "zero times")):
        return _listed(count, [])
    words = re.sub(r"[(){}.]", " ", without_list_marks(text))
    words = re.sub(
        r"^\s*(?:(?:it|they|happened|the|at|in|are|is|cells?|cups?|positions?|squares?)\b\s*)++", "", words, flags=re.I
    )
    cells = []
    for word in re.split(r"[\s,;&]+(?:and\b[\s,]*)?", words.strip(" \n\t,;&")):
        try:
            cells.append(read_cell(word))
        except ValueError:
            return unparsed(f"unreadable: {excerpt(word)} is no cell")
    return _listed(count, [write_cell(*cell) for cell in sorted(cells)])


_NAMED = re.compile(
    r"(?:(?:an?|the|one|only|just) )?(?:(?:the )?(?:chips?|cards?|files?)(?: (?:are|is))? (.+)|(\d{1,18})(?: chips?)?)",
    re.IGNORECASE,
)
_NO_NAME = re.compile(r"[.!?:](?:\s|$)|\b(?:or|not|maybe|perhaps|either|i|is|are)\b", re.IGNORECASE)


def _entry(text: str, options: Sequence[str] | None) -> int | str | None:
    """One listed name: in the options' spelling where there are options; a card in its one spelling; an int."""
    text = " ".join(text.split()).strip(" \"'()[]{}")
    for option in options or ():
        if text.rstrip("/").casefold() == option.casefold():
            return option
    if options:
        return None
    if re.fullmatch(r"[+-]?\d{1,18}", text):
        return int(text)
    if chip := re.fullmatch(_NAMED, text):
        return _entry(chip[1] or chip[2], None)
    try:
        return read_card(re.sub(r"^the ", "", text, flags=re.IGNORECASE))
    except ValueError:
        # No card: a file, a colour, whatever was listed. A sentence is no name.
        return text if text and len(text.split()) <= 4 and not _NO_NAME.search(text) else None


def _entries(text: str, separators: str, options: Sequence[str] | None) -> list[int | str] | Unparsed:
    text = re.sub(r"[\[\]{}]", " ", without_list_marks(text)).strip(" \n\t,;").removesuffix(".")
    entries: list[int | str] = []
    for part in re.split(separators, text, flags=re.IGNORECASE):
        if not options and len(words := part.split()) > 1 and all(map(_FILE_NAME.fullmatch, words)):
            entries += words  # file names as ls lists them
            continue
        entry = _entry(part, options)
        if entry is None:
            return unparsed(f"unreadable: {excerpt(part)} is no entry of a list")
        entries.append(entry)
    return entries


_FILE_NAME = re.compile(r"[\w-]+\.[a-zA-Z]\w*")
_ITEM_SEPARATORS = r"\s*[,;\n]\s*(?:and\b\s*)?|\s+and\s+|\s*&\s*"


def _inside(text: str, container: str | None) -> str:
    """The text without the container's own name before what it holds: path0/a.txt is a.txt in path0."""
    return re.sub(rf"(?:\./|/)?\b{re.escape(container)}/+\s*", "", text, flags=re.IGNORECASE) if container else text


def read_items(text: str, options: Sequence[str] | None, container: str | None = None) -> Reading:
    """A multiset of names; `container` is what holds them, where the question names it."""
    count, text = _counted(_inside(text, container).strip())
    if _is_nothing(text):
        return _listed(count, [])
    entries = _entries(text, _ITEM_SEPARATORS, options)
    if isinstance(entries, Unparsed):
        return entries
    return _listed(count, sorted(entries, key=lambda entry: (isinstance(entry, str), entry)))


def read_sequence(text: str, options: Sequence[str] | None, world: World[Any, Any, Any] | None) -> Reading:
    if world is not None:
        reading = read_operations(text, world)
        return Answer([world.write_operation(one) for one in reading.value]) if isinstance(reading, Answer) else reading
    count, text = _counted(text.strip())
    if _is_nothing(text):
        return _listed(count, [])
    entries = _entries(text, _ITEM_SEPARATORS + r"|\s*(?:-+>|=>|→|⇒|>)\s*|\s+then\s+", options)
    return entries if isinstance(entries, Unparsed) else _listed(count, entries)


def read_operations(text: str, world: World[Any, Any, Any]) -> Reading:
    """By the world's own reader, which refuses any word that is no operation."""
    text = re.sub(r"\\([{}_&%#])", r"\1", _COUNT_REMARK.sub("", text.strip()))
    count, text = _counted(re.sub(r"[^\S\n]*\n\s*", "\n", text))
    if _is_nothing(text):
        return _listed(count, []) if count else Answer(())
    try:
        operations = tuple(world.operations_in_reply(text))
    except ValueError as error:
        return unparsed(f"unreadable: {str(error)[:200]}")
    if not operations:
        return unparsed(f"unreadable: {excerpt(text)} names no operation")
    counted = _listed(count, list(operations))
    return Answer(operations) if isinstance(counted, Answer) else counted


_BLANKS = ("blank", "empty", "hole", "space")
_UNCHANGED = ("x", "=", "same", "unchanged")


def _cell_entry(word: str, words: Mapping[str, str]) -> int | str | None:
    """One entry of a board: a whole number, 0 for a blank, "x" for a cell that did not change; else None.

    Where the board is written in `words`, one of these takes the place of a number.
    """
    word = word.strip(" \t\"'").lower()
    if words:
        # What `_row_label` took for the letter of a row and `_without_header` did not.
        return words.get(word.removeprefix("row "), "x" if word in _UNCHANGED else None)
    if re.fullmatch(r"[+-]?\d{1,18}", word):
        return int(word)
    if word in _BLANKS or (word and not word.strip("_")):
        return 0
    return "x" if word in _UNCHANGED else None


def read_board(text: str, words: Mapping[str, str]) -> Reading:
    """A matrix in brackets, a table, or rows on lines or between semicolons; all rows of one length.

    `words` are the world's `cell_words`.
    """
    text = re.sub(r"\\(?:begin|end)\s*\{[^{}]*\}(?:\{[clr|]*\})?", "", text.strip())
    if array := re.fullmatch(r"(?:np\.|numpy\.)?array\((.*)\)", text, re.DOTALL):
        text = array[1]
    text = text.replace("\\\\", ";\n").replace("&", ",").translate(str.maketrans("(){}", "[][]"))
    text = re.sub(r"(?im)^\s*row\s+\w+\s*:\s*(?=\[)", "", text)
    if "[" in text:
        return _bracketed_board(text, words)
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    while len(lines) > 1 and _is_lead(lines[0], words):
        lines = lines[1:]
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
    return (
        len(words) <= 15
        and not re.search(r"\d|\bnot\b|n't\b|\bnever\b|[\[\]]", text.lower())
        and any(_cell_entry(word.strip(":"), cell_words) is None for word in words)
        and (text.rstrip().endswith(":") or not any(word.strip(":,") in cell_words for word in words))
        and not re.search(r"[|;/,_]", text)
    )


def _bracketed_board(text: str, words: Mapping[str, str]) -> Reading:
    """Every matrix of the text, which must be one and the same; words may stand around it but not inside."""
    boards: list[list[list[str]]] = [[]]
    depth, position = 0, 0
    nested = False
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
            if not depth and boards[-1] and between.strip(" \n\t,;/"):
                boards.append([])
            depth += 1
            nested = nested or depth > 1
            if depth > 2:
                return unparsed("unreadable: the brackets of the board are nested too deep")
    if depth:
        return unparsed("truncated: the brackets of the board never close")
    readings = [_board(board, words) for board in boards if board]
    if not readings:
        return unparsed("unreadable: the brackets hold no board")
    if not isinstance(readings[0], Answer):
        return readings[0]
    if any(isinstance(other, Answer) and other != readings[0] for other in readings):
        return unparsed("ambiguous: the reply gives different boards")
    return readings[0]
