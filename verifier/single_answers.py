"""Reads answers that are one word: what all of them share, and yes or no, a whole number, a length of time."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from itertools import islice, takewhile
from typing import Any

from verifier.answers import Answer, Reading, excerpt, unparsed

_CLAUSE_END = re.compile(r"[.,;:!?()\[\]\n/&—–→]| - |[-=]>|\b(?:or|and|but)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Single:
    """How one-word answers of a kind are recognised at the beginning of a text."""

    head: Callable[[str, bool], tuple[Any, int] | None]
    """(value, end) of the answer that opens the text and is a word of its own; True: no sentence before it."""
    token: Callable[[str, int], Any]
    """The answer that could be meant by the word at this position, or None."""
    clause_end: "re.Pattern[str]" = _CLAUSE_END
    opening: str = " ({[-•"
    """Signs that may stand before the answer and are no part of it; a minus before a number is."""
    fault: Callable[[str, str, int, Any], str] | None = None
    """(what stands before, text, end, answer): why the answer that opens the text up to `end` is none, or ""."""


SENTENCE_END = re.compile(r"[.!?](?=\s|$)|\n")
_LEAD_STEP = re.compile(
    r"(?:so|therefore|thus|hence|well|ok|okay|sure|hmm+|then|now|finally|overall|clearly|definitely|certainly|hm"
    r"|probably|likely|most likely|maybe|perhaps|i mean|(?:final|total|count|result):"
    r"|based on (?:the|my|this|what) [a-z ]{1,40}+[,:]"
    r"|i (?:would )?(?:answer|think|believe|guess|say|choose|pick|select)"
    r"|i'd (?:say|choose|pick|select|go with)|i (?:would )?go with|i'm going with|i am going with"
    r"|my (?:final )?answer (?:is|would be)|it's|it (?:is|must be|should be|would be)|that's|that is|this is"
    r"|(?:the )?(?:correct |right |best |final )?(?:answer|option|choice|letter)(?: is)?)(?![\w'])[ ,:]*+",
    re.IGNORECASE,
)
_LEAD = re.compile(f"(?:{_LEAD_STEP.pattern})*+", re.IGNORECASE)
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
_HEDGE_BEFORE = re.compile(
    r"^(?:no|wait|hmm+|actually|sorry|rather|then|also|even|later(?: on)?|afterwards?|after that|next|subsequently"
    r"|followed by|plus)\b[\s,]+",
    re.IGNORECASE,
)
_HEDGE_BEHIND = re.compile(r"(?<=\S)[\s,]+(?:wait|hmm+|sorry)$", re.IGNORECASE)
_REASON = r"because|since|as|due to|given|for|which|where|rather than|instead of|not|i\.e\."
_EXPLAINS = re.compile(
    rf"[\])}}]*+[ ,;.]*+(?:[(:—–]|- |\n?(?:{_REASON}|with|at|namely)(?!\w))",
    re.IGNORECASE,
)
_BOUNDARY = rf"(?=[\])}}]*+ *+(?:$|[.,;:!?(\n—–→]|- |=>|->|(?:so|{_REASON})(?!\w)))"
FOLLOWED = re.compile(_BOUNDARY, re.IGNORECASE)


def plain(text: str) -> str:
    """One-line form: no quotes or emphasis, single spaces, lines kept."""
    text = re.sub(r"[*~\"“”„«»_]|(?<!\w)'|'(?!\w)|(?<=\W)\\|\\(?=\W)", " ", text)
    text = re.sub(r"[^\S\n]++", " ", text)
    return re.sub(r" (?=[.,;:!?)\]}\n])", "", text).strip()


def _exact(single: Single, text: str) -> Any:
    """The answer that `text` is and holds nothing beside, or None."""
    text = text.strip(" .!?,;:")
    without_trailing = _HEDGE_BEHIND.sub("", text)
    for words in (text, without_trailing, _HEDGE_BEFORE.sub("", without_trailing)):
        words = after_lead(words)
        found = single.head(words, True)
        if found and not words[found[1] :].strip(" .!?,;:)]}"):
            return found[0]
    return None


def _contradicted(single: Single, rest: str, value: Any) -> bool:
    """Whether what follows an answer gives another one: as a clause, behind "or" and its like, or as a sentence."""
    first, *sentences = SENTENCE_END.split(rest)
    # An explanation may list what it counted; only all of it, as in "3 (4)", is another answer.
    clauses = [first.strip(" ()[]:—–-")] if _EXPLAINS.match(rest) else single.clause_end.split(first)
    listed = (_exact(single, clause) for clause in clauses if clause.strip())
    others = [*takewhile(lambda other: other is not None, listed), *(_exact(single, part) for part in sentences)]
    others += [single.token(rest, hedge.end()) for hedge in _HEDGE.finditer(rest)]
    for clause in single.clause_end.split(rest):
        if _POSSIBLE.search(clause):
            others.append(single.token(re.sub(r"^\W*(?:(?:though|although|while|yet)\s+)?", "", clause, flags=re.I), 0))
    for sentence in sentences:
        sentence = sentence.strip()
        found = single.head(after_lead(sentence), False)
        others.append(found[0] if found else None)
    return any(other is not None and other != value for other in others)


def read_single(single: Single, text: str, alone: bool) -> Reading:
    """The one-word answer that opens `text`, where nothing behind it gives another one."""
    text = plain(text)
    opened = after_lead(text).lstrip(single.opening)
    for start in (*(islice(_starts(text), 12) if single.fault else (text,)), opened):
        if found := single.head(start, alone):
            value, end = found
            if value is CLASH or _contradicted(single, start[end:], value):
                return unparsed(f"ambiguous: {excerpt(text)} gives more than one answer")
            if _ASKED.match(start, end) or _CONDITION.match(start, end):
                return unparsed(f"ambiguous: {excerpt(text)} asks or makes a condition")
            if single.fault and (fault := single.fault(text.removesuffix(start), start, end, value)):
                return unparsed(f"{fault}: {excerpt(text)} does not stop at one option")
            return Answer(value)
    words = {single.token(text, word.start()) for word in re.finditer(r"(?<![\w'])\w", text[:2000])}
    if len(words - {None}) > 1:
        return unparsed(f"ambiguous: {excerpt(text)} holds more than one answer")
    return unparsed(f"unreadable: {excerpt(text)} does not read as one answer")


def after_lead(text: str) -> str:
    lead = _LEAD.match(text)
    return text[lead.end() :] if lead else text


def _starts(text: str) -> Iterator[str]:
    """The text, and what is left of it behind each of the phrases that lead in: "the letter L" is one of them."""
    yield text
    while (step := _LEAD_STEP.match(text)) and step.end():
        text = text[step.end() :]
        yield text


CLASH = object()
"""Stands for a head that names two different options at once."""

_YES_NO_WORD = re.compile(r"(yes|yeah|yep|no|nope)(?![\w'-])", re.IGNORECASE)
_YES_NO_GOES_ON = re.compile(r" (?:it|the|this|that|these|those|they|he|she|there|both)(?!\w)", re.IGNORECASE)


def _yes_no_head(text: str, alone: bool) -> tuple[str, int] | None:
    word = _YES_NO_WORD.match(text)
    if word is None or not (FOLLOWED.match(text, word.end()) or _YES_NO_GOES_ON.match(text, word.end())):
        return None
    return _yes_no_token(text, 0), word.end()


def _yes_no_token(text: str, position: int) -> Any:
    word = _YES_NO_WORD.match(text, position)
    return word and ("yes" if word[1][0] in "yY" else "no")


YES_NO = Single(_yes_no_head, _yes_no_token)

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
NUMBER = (
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
    r"|point|dozens?|scores?|gross|half|halves|thirds?|quarters?|hundred|thousand|million|minus|plus|times|moment|sec|seconds?|minutes?|thing|by"
    r"|could|can|might|may|should|would|is|was|are|of|at|in|out|because|since|as|so|for|which|where|instead|rather|\w+n't"
)
_ADJECTIVE = r"(?:full|complete|different|distinct|separate|total|whole)"
BARE_NUMBER = re.compile(
    rf"{_AROUND}[(\[{{]*+{NUMBER}[)\]}}]*+"
    rf"(?P<unit> times?\b| {_ADJECTIVE}? ?(?!(?:{_STOP}|{'|'.join(_UNITS)})\b)[a-z]+\b)?+"
    rf"(?: (?:in total|in all|total|overall|altogether))?+"
    r"(?: (?:out of|of (?:the|all)) (?:the )?\w++(?: [a-z]++)?+"
    r"| (?:in|within|during|over|across) (?:\.?\w++ ?){1,6}+)?+" + _BOUNDARY,
    re.IGNORECASE,
)
_NUMBER_TOKEN = re.compile(NUMBER, re.IGNORECASE)
_SENTENCE_NUMBER = re.compile(rf"(?P<lead>(?:[a-z']++ ){{1,10}}?)(?P<number>{BARE_NUMBER.pattern})", re.IGNORECASE)
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
    return number_value(fit) if fit else None


def number_value(fit: "re.Match[str]") -> int:
    if fit["digits"]:
        return int(fit["digits"].replace(",", ""))
    return NUMBER_WORDS[fit["word"].lower().replace("-", " ")]


def _integer_head(text: str, alone: bool) -> tuple[int, int] | None:
    """A number with its noun; "N = 3" and "2 + 1 = 3"; and unless `alone`, a sentence such as "It bounces 3 times"."""
    if fit := BARE_NUMBER.match(text):
        return number_value(fit), fit.end()
    line = re.match(r"[^,;:\n]*", text[:200]).group()  # type: ignore[union-attr]
    if (equals := line.rfind("=")) >= 0 and not alone:
        start = re.compile(r"=\s*").match(text, equals).end()  # type: ignore[union-attr]
        fit = BARE_NUMBER.match(text, start)
        return (number_value(fit), fit.end()) if fit else None
    fit = None if alone else _SENTENCE_NUMBER.match(text)
    if fit is None or _DENIED_LEAD.search(fit["lead"]):
        return None
    counted = re.search(r"times?$|^(?:once|twice|thrice)", (fit["word"] or "") + (fit["unit"] or ""), re.IGNORECASE)
    return (number_value(fit), fit.end()) if counted or _STATES.search(fit["lead"]) else None


INTEGER = Single(_integer_head, _number_token, opening=" ")


_LEADING_POINT = re.compile(r"(?<![\w.,:])\.(?=\d)")
_DECIMAL_COMMA = re.compile(r"(?<![\d,])(\d{1,9}+),(\d{1,2}+)(?!\d|[.,]\d)")


def with_points(text: str) -> str:
    """The text with .5 as 0.5 and 2,5 as 2.5. A comma before three digits may part thousands: it stays."""
    return _DECIMAL_COMMA.sub(r"\1.\2", _LEADING_POINT.sub("0.", text))


_DURATION_WORDS = {
    word: number
    for word, number in NUMBER_WORDS.items()
    if word not in ("once", "twice", "thrice", "none", "never", "no times")
} | {f"{_UNITS[hundreds]} hundred": 100 * hundreds for hundreds in range(2, 10)}
_DURATION_WORD = "|".join(sorted((word.replace(" ", "[ -]") for word in _DURATION_WORDS), key=len, reverse=True))
_DIGIT_WORD = "|".join(_UNITS[:10])
_FRACTIONS = {"½": Decimal("0.5"), "¼": Decimal("0.25"), "¾": Decimal("0.75")}
_CLOCK = re.compile(
    r"(?P<minutes>\d{1,3}):(?P<seconds>[0-5]\d(?:\.\d{1,400}+)?)(?: ?(?:minutes?|mins?)\b)?", re.IGNORECASE
)
_AMOUNT = re.compile(
    # "Half a second" and its like need their unit; so does "a second", which is also the next after the first.
    r"(?P<part>(?:(?:an?|one)[ -])?half(?:(?: of)? an?)?|(?:(?:an?|one)[ -])?quarter(?: of an?)?"
    r"|three[ -]quarters of an?)"
    r"(?=[ -](?:second|minute)\b)"
    r"|(?P<article>an?)(?= (?:minute\b|millisecond\b|second(?: long\b| and a half\b|[)\]}.! ]{0,5}+$)))"
    r"|(?:\+?(?P<digits>\d{1,3}(?:,\d{3})++(?= ?m(?:s|illi))|\d{1,18}+(?:\.\d{1,400}+)?)"
    rf"|(?P<word>{_DURATION_WORD})(?: point(?P<point>(?: (?:{_DIGIT_WORD})\b){{1,9}}+))?(?!\w))"
    r"(?: ?(?P<sign>[½¼¾])"
    r"|(?P<more>[ -]and[ -](?:(?:(?:a|one)[ -])?half|(?:a|one)[ -]quarter|three[ -]quarters))(?!\w))?+"
    r"|(?P<lone>[½¼¾])",
    re.IGNORECASE,
)
_UNIT = re.compile(
    r"(?: |-| ?[(\[] ?)?(?:(?P<milliseconds>m(?:illi)?s(?:ec(?:ond)?s?)?)"
    r"|(?P<minutes>min(?:ute)?s?|m(?= ?\d{1,2}(?:\.\d{1,9}+)? ?s))|(?P<seconds>s(?:ec(?:ond)?s?)?))(?![^\W\d])",
    re.IGNORECASE,
)
_SMALLER = {"minutes": ("seconds", 60), "seconds": ("milliseconds", 1000)}
"""The unit that may follow, and how many of it there must not be."""
_IN_SECONDS = {"minutes": Decimal(60), "seconds": Decimal(1), "milliseconds": Decimal("0.001")}
_ANOTHER_PART = re.compile(r"\.?,? ?(?:and )?", re.IGNORECASE)
_AND_A_HALF = re.compile(r" and a half(?!\w)", re.IGNORECASE)


def _amount(text: str, position: int) -> tuple[Decimal, int] | None:
    """(number, end) of a number in digits or words."""
    fit = _AMOUNT.match(text, position)
    if fit is None:
        return None
    if fit["part"]:
        return _fraction(fit["part"]), fit.end()
    if fit["article"] or fit["lone"]:
        return _FRACTIONS.get(fit["lone"], Decimal(1)), fit.end()
    if fit["digits"]:
        number = Decimal(fit["digits"].replace(",", ""))
    else:
        number = Decimal(_DURATION_WORDS[fit["word"].lower().replace("-", " ")])
    for place, word in enumerate((fit["point"] or "").split(), 1):
        number += _UNITS.index(word.lower()) * Decimal(10) ** -place
    return number + _FRACTIONS.get(fit["sign"], Decimal(0)) + _fraction(fit["more"] or ""), fit.end()


def _fraction(words: str) -> Decimal:
    words = words.lower()
    if "quarter" in words:
        return Decimal("0.75" if "three" in words else "0.25")
    return Decimal("0.5" if "half" in words else 0)


def _length_of_time(text: str, position: int) -> tuple[int | float, int, bool] | None:
    """(seconds, end, whether their unit is named) of "2.5", "2500 ms", "0:02.5" or "1 minute 3 seconds"."""
    if clock := _CLOCK.match(text, position):
        return _number(60 * Decimal(clock["minutes"]) + Decimal(clock["seconds"])), clock.end(), True
    amount = _amount(text, position)
    if amount is None:
        return None
    (number, end), unit = amount, _UNIT.match(text, amount[1])
    if unit is None:
        return _number(number), end, False
    name, end = str(unit.lastgroup), unit.end()
    seconds = number * _IN_SECONDS[name]
    if half := _AND_A_HALF.match(text, end):
        return _number(seconds + _IN_SECONDS[name] / 2), half.end(), True
    while name in _SMALLER:
        smaller, limit = _SMALLER[name]
        joint = _ANOTHER_PART.match(text, end)
        further = _amount(text, joint.end()) if joint else None
        unit = _UNIT.match(text, further[1]) if further else None
        if further is None or unit is None or unit.lastgroup != smaller or further[0] >= limit:
            break
        # "2 s, 500 ms" may be two lengths; "1 minute, 3 seconds" is one.
        if name == "seconds" and "," in text[end : unit.start()]:
            break
        seconds, name, end = seconds + further[0] * _IN_SECONDS[smaller], smaller, unit.end()
    return _number(seconds), end, True


def _number(seconds: Decimal) -> int | float:
    """As in the key: whole seconds are an int."""
    return int(seconds) if seconds == seconds.to_integral_value() else float(seconds)


_OTHER_UNIT = re.compile(
    r"\b(?:ms(?:ecs?)?|ns|(?:milli|micro|nano)\w*|min(?:ute)?s?|h(?:ou)?rs?|days?|frames?|fps|hz|met(?:er|re)s?"
    r"|[ck]?m|mm(?!:ss)|inch(?:es)?|pixels?|px|percent|degrees?|steps?|times|cycles?|turns?|beats?)\b|[%°]",
    re.IGNORECASE,
)
_OTHER_UNIT_BEHIND = re.compile(
    rf"(?: \([^()\n]{{1,60}}+\))?[\s,;:.()\[\]{{}}–—-]*+(?:(?:in|units?:?) )?(?:{_OTHER_UNIT.pattern})", re.IGNORECASE
)
_BEFORE_LENGTH = re.compile(
    r"(?:(?:about|around|approximately|approx\.?|roughly|circa|ca\.?|exactly|precisely|only|just|for|(?:a )?total of"
    r"|(?:in )?total,?|\\approx|\\sim)(?!\w) ?|[~≈] ?"
    r"|(?:the )?(?:(?:total|elapsed|estimated|approximate) )?"
    r"(?:duration|time|length|interval|delay|gap|seconds|delta t|Δ ?t|t)(?: ?[:=]| is| was) ?)*+[(\[{]*+",
    re.IGNORECASE,
)
_AFTER_NUMBER = (
    r"(?: or so| in total| in all| total| overall| altogether| approximately| roughly| in seconds| \(in seconds\))?+"
)
_AFTER_UNIT = (
    r"(?: (?:long|later|apart|of time|in (?:length|duration)))?+"
    rf"(?: (?:between|after|before|during|for|of|to|from|until|in) (?!(?:{_DURATION_WORD})\b)"
    rf"(?:(?!(?:{_REASON}|or|so|but|if|unless|than|half|seconds|minutes?|more|less|longer|shorter)\b)"
    r"[a-z][a-z'-]*+ ?){1,12}+)?+"
)
# Nor a range, a sum, a share or a date: all of what is written there is the answer.
_NO_MORE = r"(?![\w⁄°%½¼¾±]|[.,:/^]\d| ?[-–—+*/×^=≈→] ?\d| [%±]|-\w)"
_NUMBER_ENDS = re.compile(_NO_MORE + _AFTER_NUMBER + _BOUNDARY, re.IGNORECASE)
_LENGTH_ENDS = re.compile(_NO_MORE + _AFTER_NUMBER + _AFTER_UNIT + _BOUNDARY, re.IGNORECASE)
_NO_LENGTH_LEAD = re.compile(
    rf"{_DENIED_LEAD.pattern}|\b(?:at|from|until|till|after|before|within|up|almost|nearly|other)\b", re.IGNORECASE
)
_STATES_LENGTH = re.compile(r"\b(?:is|are|was|were|equals|lasts?|lasted|takes?|took|of|for|[=≈] ?) ?$", re.IGNORECASE)
_UNDECIDED = re.compile(r"\b(?:or|and|if|unless|not|between)\b", re.IGNORECASE)
_SIDE = re.compile(r"(?:[^,:;\n]|[,:](?=\d))*+")
_PLACES_IT = re.compile(r"[ ,;]*+(?:from|between|starting|beginning|ending|out of|i\.e)(?!\w)", re.IGNORECASE)


def _whole_length(text: str, position: int) -> tuple[int | float, int, bool] | None:
    """As `_length_of_time`, with the words around it and nothing beside."""
    before = _BEFORE_LENGTH.match(text, position)
    found = _length_of_time(text, before.end() if before else position)
    if found is None:
        return None
    seconds, end, named = found
    rest = (_LENGTH_ENDS if named else _NUMBER_ENDS).match(text, end)
    if rest is None or (not named and _OTHER_UNIT_BEHIND.match(text, rest.end())):
        return None
    return seconds, rest.end(), named


def _stated_length(text: str) -> tuple[int | float, int, bool] | None:
    """The length behind the last equals sign of a sentence, or in one such as "It is lit for 2.5 seconds"."""
    side = SENTENCE_END.split(_SIDE.match(text[:200]).group(), maxsplit=1)[0]  # type: ignore[union-attr]
    equals = max(side.rfind("="), side.rfind("≈"))
    if equals >= 0:
        position = equals + 1 + side[equals + 1 :].startswith(" ")
        positions, denied = [position], _UNDECIDED
    else:
        lead = re.match(r"(?:[a-z'-]++ ){1,10}+", text, re.IGNORECASE)
        positions = [space.end() for space in re.finditer(" ", lead.group())] if lead else []
        denied = _NO_LENGTH_LEAD
    for position in positions:
        if found := _whole_length(text, position):
            lead_words = text[:position]
            states = found[2] or (_STATES_LENGTH.search(lead_words) and not _OTHER_UNIT.search(lead_words))
            return found if states and not denied.search(lead_words) else None
    return None


def _seconds_head(text: str, alone: bool) -> tuple[int | float, int] | None:
    """A length of time; unless `alone`, also in a sentence. No other length in the sentence, unless it explains."""
    found = _whole_length(text, 0) or (None if alone else _stated_length(text))
    if found is None:
        return None
    seconds, end, _ = found
    if not (_EXPLAINS.match(text, end) or _PLACES_IT.match(text, end)):
        rest = SENTENCE_END.split(text[end:], maxsplit=1)[0]
        for word in re.finditer(r"(?<![\w.,:'])\w", rest):
            other = _length_of_time(rest, word.start())
            if other and other[2] and other[0] != seconds:
                return None
    return seconds, end


def _seconds_token(text: str, position: int) -> Any:
    """A number that is not the rest of another one, with or without a unit."""
    if re.search(r"\d[.:]$", text[max(0, position - 2) : position]):
        return None
    found = _length_of_time(text, position)
    return found[0] if found and not re.match(r"\w", text[found[1] : found[1] + 1]) else None


SECONDS = Single(
    _seconds_head,
    _seconds_token,
    clause_end=re.compile(r"(?<!\d)[.,:]|[.,:](?!\d)|[;!?()\[\]\n/&—–→]| - |[-=]>|\b(?:or|and|but)\b", re.IGNORECASE),
    opening=" ({[•",
)


def names_other_unit(text: str) -> bool:
    """Whether words such as "in milliseconds" make a bare number no number of seconds."""
    return _OTHER_UNIT.search(text) is not None
