"""Reads answers that are one word: yes or no, an option, a whole number."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from verifier.answers import Answer, Reading, excerpt, unparsed
from verifier.markers import cleaned, without_markup


@dataclass(frozen=True, slots=True)
class Single:
    """How one-word answers of a kind are recognised at the beginning of a text."""

    head: Callable[[str, bool], tuple[Any, int] | None]
    """(value, end) of the answer that opens the text and is a word of its own; True: no sentence before it."""
    token: Callable[[str, int], Any]
    """The answer that could be meant by the word at this position, or None."""


SENTENCE_END = re.compile(r"[.!?](?=\s|$)|\n")
_LEAD = re.compile(
    r"(?:(?:so|therefore|thus|hence|well|ok|okay|sure|hmm+|then|now|finally|overall|clearly|definitely|certainly|hm"
    r"|probably|likely|most likely|maybe|perhaps|i mean|(?:final|total|count|result):"
    r"|based on (?:the|my|this|what) [a-z ]{1,40}+[,:]"
    r"|i (?:would )?(?:answer|think|believe|guess|say|choose|pick|select)"
    r"|i'd (?:say|choose|pick|select|go with)|i (?:would )?go with|i'm going with|i am going with"
    r"|my (?:final )?answer (?:is|would be)|it's|it (?:is|must be|should be|would be)|that's|that is|this is"
    r"|(?:the )?(?:correct |right |best |final )?(?:answer|option|choice|letter)(?: is)?)(?![\w'])[ ,:]*+)*+",
    re.IGNORECASE,
)
_CLAUSE_END = re.compile(r"[.,;:!?()\[\]\n/&—–→]| - |[-=]>|\b(?:or|and|but)\b", re.IGNORECASE)
_HEDGE = re.compile(
    r"\b(?:or|maybe|perhaps|possibly|alternatively|wait|actually|also|rather|correction|make that|sorry|no(?=,)|i mean"
    r"|if not|(?:might|may|could)(?: (?:also|well|as|even|just|really|still|have)){0,3} (?:be|been)"
    r"|i (?:pick|choose|select|go with))\b[^\w\n-]*+"
    r"(?:(?:it's|it is|the answer is|option|maybe|perhaps|possibly|rather)\s++)*+",
    re.IGNORECASE,
)
_POSSIBLE = re.compile(
    r"(?<!not )\b(?:(?:possible|plausible|likely)\b"
    r"|(?:cannot|can't|not) be (?:ruled out|excluded)\b|(?:may|might|could) be\b)",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    r"[\s,;.()\[\]{}–—-]*+(?:(?:but|and|only|though)\b[\s,]*+)*+"
    r"(?:if\b(?! not\b| anything\b)|unless\b|or not\b|provided\b|assuming\b)",
    re.IGNORECASE,
)
_ASKED = re.compile(r"[^.!?\n]*+\?")
_HEDGE_BEFORE = re.compile(r"^(?:no|wait|hmm+|actually|sorry|rather|then|also|even)\b[\s,]+", re.IGNORECASE)
_HEDGE_BEHIND = re.compile(r"(?<=\S)[\s,]+(?:wait|hmm+|sorry)$", re.IGNORECASE)
_REASON = r"because|since|as|due to|given|for|which|where|rather than|instead of|not|i\.e\."
_EXPLAINS = re.compile(
    rf"[\])}}]*+[ ,;.]*+(?:[(:—–]|- |\n?(?:{_REASON}|with|at|namely)(?!\w))",
    re.IGNORECASE,
)
_BOUNDARY = rf"(?=[\])}}]*+ *+(?:$|[.,;:!?(\n—–→]|- |=>|->|(?:so|{_REASON})(?!\w)))"
_FOLLOWED = re.compile(_BOUNDARY, re.IGNORECASE)


def _plain(text: str) -> str:
    """One-line form: no quotes or emphasis, single spaces, lines kept."""
    text = re.sub(r"[*~\"“”„«»_]|(?<!\w)'|'(?!\w)|(?<=\W)\\|\\(?=\W)", " ", text)
    text = re.sub(r"[^\S\n]++", " ", text)
    return re.sub(r" (?=[.,;:!?)\]}\n])", "", text).strip()


def _exact(single: Single, text: str) -> Any:
    """The answer that `text` is and holds nothing beside, or None."""
    text = text.strip(" .!?,;:")
    without_trailing = _HEDGE_BEHIND.sub("", text)
    for words in (text, without_trailing, _HEDGE_BEFORE.sub("", without_trailing)):
        words = _after_lead(words)
        found = single.head(words, True)
        if found and not words[found[1] :].strip(" .!?,;:)]}"):
            return found[0]
    return None


def _contradicted(single: Single, rest: str, value: Any) -> bool:
    """Whether what follows an answer gives another one: as a clause, behind "or" and its like, or as a sentence."""
    first, *sentences = SENTENCE_END.split(rest)
    # An explanation may list what it counted; only all of it, as in "3 (4)", is another answer.
    clauses = [first.strip(" ()[]:—–-")] if _EXPLAINS.match(rest) else _CLAUSE_END.split(first)
    listed = (_exact(single, clause) for clause in clauses if clause.strip())
    others = [*takewhile(lambda other: other is not None, listed), *(_exact(single, part) for part in sentences)]
    others += [single.token(rest, hedge.end()) for hedge in _HEDGE.finditer(rest)]
    for clause in _CLAUSE_END.split(rest):
        if _POSSIBLE.search(clause):
            others.append(single.token(re.sub(r"^\W*(?:(?:though|although|while|yet)\s+)?", "", clause, flags=re.I), 0))
    for sentence in sentences:
        sentence = sentence.strip()
        found = single.head(_after_lead(sentence), False)
        others.append(found[0] if found else None)
    return any(other is not None and other != value for other in others)


def read_single(single: Single, text: str, alone: bool) -> Reading:
    """The one-word answer that opens `text`, where nothing behind it gives another one."""
    text = _plain(text)
    opened = _after_lead(text).lstrip(" ({[-•" if single is not INTEGER else " ")
    for start in (text, opened):
        if found := single.head(start, alone):
            value, end = found
            if value is _CLASH or _contradicted(single, start[end:], value):
                return unparsed(f"ambiguous: {excerpt(text)} gives more than one answer")
            if _ASKED.match(start, end) or _CONDITION.match(start, end):
                return unparsed(f"ambiguous: {excerpt(text)} asks or makes a condition")
            return Answer(value)
    words = {single.token(text, word.start()) for word in re.finditer(r"(?<![\w'])\w", text[:2000])}
    if len(words - {None}) > 1:
        return unparsed(f"ambiguous: {excerpt(text)} holds more than one answer")
    return unparsed(f"unreadable: {excerpt(text)} does not read as one answer")


def _after_lead(text: str) -> str:
    lead = _LEAD.match(text)
    return text[lead.end() :] if lead else text


_CLASH = object()
"""Stands for a head that names two different options at once."""

_YES_NO_WORD = re.compile(r"(yes|yeah|yep|no|nope)(?![\w'-])", re.IGNORECASE)
_YES_NO_GOES_ON = re.compile(r" (?:it|the|this|that|these|those|they|he|she|there|both)(?!\w)", re.IGNORECASE)


def _yes_no_head(text: str, alone: bool) -> tuple[str, int] | None:
    word = _YES_NO_WORD.match(text)
    if word is None or not (_FOLLOWED.match(text, word.end()) or _YES_NO_GOES_ON.match(text, word.end())):
        return None
    return _yes_no_token(text, 0), word.end()


def _yes_no_token(text: str, position: int) -> Any:
    word = _YES_NO_WORD.match(text, position)
    return word and ("yes" if word[1][0] in "yY" else "no")


YES_NO = Single(_yes_no_head, _yes_no_token)

_LETTER = re.compile(r"(?P<open>[(\[{<] ?)?(?P<letter>[A-Za-z])(?(open) ?[)\]}>])(?![\w'])")
_ARTICLE = re.compile(r"(?:A|I) (?!is\b|and\b|or\b)[a-z]")
_LETTER_PRAISED = re.compile(r" (?:is|would be|seems)(?: the)? (?:correct|right|best|true)(?!\w)", re.IGNORECASE)
_LETTER_MARK = re.compile(r"[.):,\]}]*+ ?(?:[-–—:/=] )?(?=\S)")


def choice(options: Sequence[str]) -> Single:
    """Reads a letter or an option's whole text; the longest text that fits comes first."""
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[: len(options)]
    if len(letters) < len(options):
        raise ValueError(f"a choice has at most 26 options, not {len(options)}")
    plain = {letter: _plain(without_markup(cleaned(option))) for letter, option in zip(letters, options, strict=True)}
    texts = [
        (letter, re.compile(re.escape(text.rstrip(" .")) + r"(?![\w'])(?!-\w|[.,:/]\d)", re.IGNORECASE))
        for letter, text in sorted(plain.items(), key=lambda pair: -len(pair[1]))
        if text.rstrip(" .")
    ]

    numbers: dict[int, str] = {}
    if all(re.fullmatch(r"-?\d{1,18}", text) for text in plain.values()):
        numbers = {int(text): letter for letter, text in plain.items()}  # "three" and "3 times" name the option 3

    def by_text(text: str, position: int) -> tuple[str, int] | None:
        for letter, pattern in texts:
            if (fit := pattern.match(text, position)) and _FOLLOWED.match(text, fit.end()):
                return letter, fit.end()
        return None

    def by_letter(text: str) -> tuple[Any, int] | None:
        fit = _LETTER.match(text)
        if fit is None or fit["letter"].upper() not in letters:
            return None
        letter, end = fit["letter"].upper(), fit.end()
        marked = bool(fit["open"]) or text[end : end + 1] in (")", ".", ":", "", "]", "\n")
        # "a …" is an article and "I, …" a person: such letters stand alone or are marked as an option.
        marked = marked or (letter not in "AI" and text[end : end + 1] == ",")
        if not marked and (fit["letter"].islower() or letter == "I"):
            return None
        mark = _LETTER_MARK.match(text, end)
        described = by_text(text, mark.end()) if mark else None
        if described:
            return (letter if described[0] == letter else _CLASH), described[1]
        if praised := _LETTER_PRAISED.match(text, end):
            return letter, praised.end()
        return (letter, end) if _FOLLOWED.match(text, end) else None

    def head(text: str, alone: bool) -> tuple[Any, int] | None:
        lettered, described = by_letter(text), by_text(text, 0)
        if lettered and described and lettered[0] != described[0]:
            # "A: B" with the options B, A is option A in full; a lone "A" could be the letter or the text.
            return lettered if lettered[1] > described[1] else (_CLASH, described[1])
        if not (lettered or described) and numbers and (number := _BARE_NUMBER.match(text)):
            letter = numbers.get(_number_value(number))
            return (letter, number.end()) if letter else None
        return max((found for found in (lettered, described) if found), key=lambda found: found[1], default=None)

    def token(text: str, position: int) -> Any:
        for letter, pattern in texts:
            if pattern.match(text, position):
                return letter
        fit = _LETTER.match(text, position)
        return fit["letter"] if fit and fit["letter"] in letters and not _ARTICLE.match(text, position) else None

    return Single(head, token)


_UNITS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
NUMBER_WORDS = {word: number for number, word in enumerate(_UNITS)}
NUMBER_WORDS |= {word: 10 * number for number, word in enumerate(_TENS, 2)}
NUMBER_WORDS |= {f"{ten} {unit}": NUMBER_WORDS[ten] + NUMBER_WORDS[unit] for ten in _TENS for unit in _UNITS[1:10]}
NUMBER_WORDS |= {"hundred": 100, "a hundred": 100, "one hundred": 100, "once": 1, "twice": 2, "thrice": 3}
NUMBER_WORDS |= {"none": 0, "never": 0, "no times": 0}
_NUMBER = (
    r"(?:(?P<digits>[+-]?(?:\d{1,3}(?:,\d{3})++|\d{1,18}+))(?:\.00?+)?|(?P<word>"
    + "|".join(sorted((word.replace(" ", "[ -]") for word in NUMBER_WORDS), key=len, reverse=True))
    + r"))(?![\w⁄½¼¾°%]|[.,:/^]\d| ?[-–—+*/×^] ?\d| %|-\w)"
)
_AROUND = (
    r"(?:(?:about|around|approximately|roughly|exactly|precisely|only|just|(?:a )?total of|(?:in )?total,?)(?!\w) ?"
    r"|[~≈] ?)*+"
)
_STOP = (
    r"or|and|to|nor|not|never|least|most|more|less|fewer|than|between|either|neither|if|unless|over|under|every|each|per"
    r"|point|half|halves|thirds?|quarters?|hundred|thousand|million|minus|plus|times|moment|sec|seconds?|minutes?|thing|by"
    r"|could|can|might|may|should|would|is|was|are|of|at|in|out|because|since|as|so|for|which|where|instead|rather|\w+n't"
)
_ADJECTIVE = r"(?:full|complete|different|distinct|separate|total|whole)"
_BARE_NUMBER = re.compile(
    rf"{_AROUND}[(\[{{]*+{_NUMBER}[)\]}}]*+"
    rf"(?P<unit> times?\b| {_ADJECTIVE}? ?(?!(?:{_STOP}|{'|'.join(_UNITS)})\b)[a-z]+\b)?+"
    rf"(?: (?:in total|in all|total|overall|altogether))?+"
    r"(?: (?:out of|of (?:the|all)) (?:the )?\w++(?: [a-z]++)?+"
    r"| (?:in|within|during|over|across) (?:\.?\w++ ?){1,6}+)?+" + _BOUNDARY,
    re.IGNORECASE,
)
_NUMBER_TOKEN = re.compile(_NUMBER, re.IGNORECASE)
_SENTENCE_NUMBER = re.compile(rf"(?P<lead>(?:[a-z']++ ){{1,10}}?)(?P<number>{_BARE_NUMBER.pattern})", re.IGNORECASE)
_DENIED_LEAD = re.compile(
    r"\b(?:or|and|to|nor|not|never|least|most|more|less|fewer|than|between|either|neither|if|unless|over|under|every|each|"
    rf"minus|plus|\w+n't|{'|'.join(_UNITS)})\b",
    re.IGNORECASE,
)
_STATES = re.compile(
    r"(?:is|are|was|were|equals|counted|count|see|saw|observed?|makes?|made|has|have|had|completes|"
    r"(?:there|number|count|total|result)\b.*) $",
    re.IGNORECASE,
)


def _number_token(text: str, position: int) -> Any:
    fit = _NUMBER_TOKEN.match(text, position)
    return _number_value(fit) if fit else None


def _number_value(fit: "re.Match[str]") -> int:
    if fit["digits"]:
        return int(fit["digits"].replace(",", ""))
    return NUMBER_WORDS[fit["word"].lower().replace("-", " ")]


def _integer_head(text: str, alone: bool) -> tuple[int, int] | None:
    """A number with its noun; "N = 3" and "2 + 1 = 3"; and unless `alone`, a sentence such as "It bounces 3 times"."""
    if fit := _BARE_NUMBER.match(text):
        return _number_value(fit), fit.end()
    line = re.match(r"[^,;:\n]*", text[:200]).group()  # type: ignore[union-attr]
    if (equals := line.rfind("=")) >= 0 and not alone:
        start = re.compile(r"=\s*").match(text, equals).end()  # type: ignore[union-attr]
        fit = _BARE_NUMBER.match(text, start)
        return (_number_value(fit), fit.end()) if fit else None
    fit = None if alone else _SENTENCE_NUMBER.match(text)
    if fit is None or _DENIED_LEAD.search(fit["lead"]):
        return None
    counted = re.search(r"times?$|^(?:once|twice|thrice)", (fit["word"] or "") + (fit["unit"] or ""), re.IGNORECASE)
    return (_number_value(fit), fit.end()) if counted or _STATES.search(fit["lead"]) else None


INTEGER = Single(_integer_head, _number_token)
