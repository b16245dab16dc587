"""Reads answers that are one option of several: its letter or its text."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from verifier.markers import cleaned, without_markup
from verifier.single_answers import (
    BARE_NUMBER,
    CLASH,
    FOLLOWED,
    NUMBER,
    SENTENCE_END,
    Single,
    after_lead,
    number_value,
    plain,
)

_LETTER = re.compile(r"(?P<open>[(\[{<] ?)?(?P<letter>[A-Za-z])(?(open) ?[)\]}>])(?![\w'])")
_ARTICLE = re.compile(r"(?:A|I) (?!is\b|and\b|or\b)[a-z]")
_LETTER_PRAISED = re.compile(r" (?:is|would be|seems)(?: the)? (?:correct|right|best|true)(?!\w)", re.IGNORECASE)
_LETTER_MARK = re.compile(r"[.):,\]}]*+ ?(?:[-–—:/=] )?(?=\S)")


_LEADING_ARTICLE = re.compile(r"^(?:the|an?) +(?=\S)", re.IGNORECASE)


def choice(options: Sequence[str]) -> Single:
    """Reads a letter or an option's whole text; the longest text that fits comes first."""
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[: len(options)]
    if len(letters) < len(options):
        raise ValueError(f"a choice has at most 26 options, not {len(options)}")
    written = {
        letter: plain(with_places(without_markup(cleaned(option)))).rstrip(" .")
        for letter, option in zip(letters, options, strict=True)
    }
    squeezed = Counter(re.sub(r"[-\s,]", "", text).casefold() for text in written.values())
    bare = Counter(_LEADING_ARTICLE.sub("", text).casefold() for text in written.values())

    def article(text: str) -> str:
        """How an option may begin: with its own article, another or none, where that leaves it unlike all others."""
        rest = _LEADING_ARTICLE.sub("", text)
        return r"(?:(?:the|an?) )?" if len(rest) > 2 and rest != text and bare[rest.casefold()] == 1 else ""

    def body(text: str) -> str:
        return _LEADING_ARTICLE.sub("", text) if article(text) else text

    texts = [
        (
            letter,
            re.compile(
                article(text)
                + (
                    _written(body(text))
                    if squeezed[re.sub(r"[-\s,]", "", text).casefold()] == 1
                    else re.escape(body(text))
                )
                + r"(?![\w'])(?!-\w|[.,:/]\d)",
                re.IGNORECASE,
            ),
        )
        for letter, text in sorted(written.items(), key=lambda pair: -len(pair[1]))
        if text
    ]

    numbers: dict[int, str] = {}
    if all(re.fullmatch(r"-?\d{1,18}", text) for text in written.values()):
        numbers = {int(text): letter for letter, text in written.items()}  # "three" and "3 times" name the option 3

    def by_text(text: str, position: int) -> tuple[str, int] | None:
        for letter, pattern in texts:
            if (fit := pattern.match(text, position)) and FOLLOWED.match(text, fit.end()):
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
        if described and by_text(text, 0) == described:
            # "A star": the article of an option's text.
            return None
        if described:
            return (letter if described[0] == letter else CLASH), described[1]
        if praised := _LETTER_PRAISED.match(text, end):
            return letter, praised.end()
        return (letter, end) if FOLLOWED.match(text, end) else None

    def head(text: str, alone: bool) -> tuple[Any, int] | None:
        lettered, described = by_letter(text), by_text(text, 0)
        if lettered and described and lettered[0] != described[0]:
            # "A: B" with the options B, A is option A in full; a lone "A" could be the letter or the text.
            return lettered if lettered[1] > described[1] else (CLASH, described[1])
        if not (lettered or described) and numbers and (number := BARE_NUMBER.match(text)):
            letter = None if _SEVERAL.search(number["unit"] or "") else numbers.get(number_value(number))
            return (letter, number.end()) if letter else None
        return max((found for found in (lettered, described) if found), key=lambda found: found[1], default=None)

    def token(text: str, position: int) -> Any:
        for letter, pattern in texts:
            if pattern.match(text, position):
                return letter
        fit = _LETTER.match(text, position)
        return fit["letter"] if fit and fit["letter"] in letters and not _ARTICLE.match(text, position) else None

    def others_named(text: str, chosen: str) -> list[tuple[int, str]]:
        """(place, letter) of the other options in the text; those that the chosen one holds are none."""
        consumed = bytearray(len(text))
        named: list[tuple[int, str]] = []
        for letter, pattern in texts:
            held = letter == chosen or pattern.search(written[chosen])
            for fit in pattern.finditer(text):
                start, end = fit.span()
                if any(consumed[start:end]) or _INSIDE_WORD.search(text[max(0, start - 2) : start]):
                    continue
                consumed[start:end] = b"\1" * (end - start)
                if not held:
                    named.append((start, letter))
        return sorted(named)

    def names_another(explanation: str, chosen: str) -> bool:
        """Whether an explanation names another option, unless as what it is not; a lone word may mean less."""
        return any(
            " " in written[letter] and not _DENIED.search(explanation[max(0, start - 20) : start])
            for start, letter in others_named(explanation, chosen)
        )

    vocabulary = {word for text in written.values() for word in re.findall(r"\w+", text.casefold())}

    def goes_on(sentence: str, chosen: str) -> bool:
        """Whether a further sentence or line adds to the answer: "Then up.", "Up."."""
        words = set(re.findall(r"\w+", sentence.casefold())) - {"the", "a", "an", "and", "then", "it", "is", "to"}
        own = set(re.findall(r"\w+", written[chosen].casefold()))
        if value_again(sentence.strip(" .!,;:()[]"), chosen):
            return False
        return _GOES_ON.match(sentence) is not None or bool(words and words <= vocabulary and not words <= own)

    def value_again(text: str, chosen: str) -> bool:
        found = head(text, True) or head(after_lead(text), True)
        return found is not None and found[0] == chosen

    def fault(before: str, text: str, end: int, chosen: str) -> str:
        """As `Single.fault`: an option's text is the whole answer, or what follows it is an explanation."""
        lettered = by_letter(text)
        mark = _LETTER_MARK.match(text, _LETTER.match(text).end()) if lettered else None  # type: ignore[union-attr]
        if lettered and lettered[1] != end:
            lettered = None
        if not lettered and place_clashes(before, text, chosen):
            return "ambiguous"
        if not lettered and before.endswith("-") and text[:1].isdigit():
            return "unreadable"
        rest = text[end:]
        if lettered and not (mark and by_text(text, mark.end())):
            sentence = SENTENCE_END.split(rest, maxsplit=1)[0]
            named = others_named(sentence, chosen)
            return "ambiguous" if named and _JOINT.fullmatch(sentence[: named[0][0]]) else ""
        line, _, further = rest.partition("\n")
        if not line.strip() and not further:
            return ""
        position = 0
        while again := same_again(rest, position, chosen):
            position = again
        if sure := _SURE.match(rest, position):
            position = sure.end()
        explained = _SEPARATE.match(rest, position) or (lettered and _ASIDE.match(rest, position))
        if not explained:
            return "ambiguous" if others_named(rest, chosen) or other_letter(rest, chosen) else "unreadable"
        if names_another(line[min(position, len(line)) :], chosen):
            return "ambiguous"
        reason, *sentences = SENTENCE_END.split(rest[position:])
        sentences += re.findall(r";(.*)", reason)
        for part in sentences:
            part = part.strip()
            named = others_named(part, chosen)
            if named and _JOINT.fullmatch(part[: named[0][0]]):
                return "ambiguous"
            if goes_on(part, chosen):
                return "ambiguous" if named else "unreadable"
        return ""

    def other_letter(rest: str, chosen: str) -> bool:
        named = _LETTER_AGAIN.match(rest)
        return named is not None and named["letter"] in letters and named["letter"] != chosen

    def same_again(rest: str, position: int, chosen: str) -> int | None:
        """Where the same answer ends that follows an answer, as in "moves right (B)" or "three (3)"."""
        named = _LETTER_AGAIN.match(rest, position)
        if named and named["letter"].upper() == chosen:
            return named.end()
        start = _AGAIN.match(rest, position)
        if start and start.end() > position:
            words = rest[start.end() :]
            found = head(words, True)
            if found and found[0] == chosen and not by_letter(words):
                closed = re.compile(r"[)\]]*+").match(words, found[1])
                return start.end() + (closed.end() if closed else found[1])
        return None

    def place_clashes(before: str, text: str, chosen: str) -> bool:
        """Whether a number may be the place of another option than the one whose text it is: "Option 2", "2)"."""
        number = re.match(rf"[(\[]*+{NUMBER}", text, re.IGNORECASE)
        if number is None or not re.fullmatch(r"-?\d+", written[chosen]):
            return False
        place = number_value(number)
        is_place = text[0] in "([" or _PLACE_BEFORE.search(before) or text[number.end() :][:1] in (")", "]")
        return bool(is_place) and 1 <= place <= len(letters) and letters[place - 1] != chosen

    return Single(head, token, fault=fault)


_SEVERAL = re.compile(r"\b(?:pairs?|couples?|trios?|triples?|doubles?)\b", re.IGNORECASE)
_HELD_TOGETHER = re.compile(r"(\w+)|([-,\s]+)|(.)", re.DOTALL)
_INSIDE_WORD = re.compile(r"(?:[\w']|\w-)$")
_DENIED = re.compile(
    r"(?:\bnot|n't|\brather than|\binstead of|\bneither|\bnor)(?: (?:a|an|the|in|going|moving))? $", re.I
)
_GOES_ON = re.compile(
    r"\W*(?:and|or|but|then|later|afterwards?|after|next|followed|also|plus|finally|subsequently|alternatively|maybe"
    r"|perhaps|possibly|wait|actually|however|although|though|except|unless|until|before)(?!\w)",
    re.IGNORECASE,
)
_JOINT = re.compile(
    r"(?:\W|\b(?:and|or|but|then|later|on|afterwards?|after|that|next|followed|by|also|plus|finally|subsequently|at|last"
    r"|maybe|perhaps|possibly|wait|actually|slightly|it|is|the|end|option)\b)*+",
    re.IGNORECASE,
)
_SEPARATE = re.compile(
    r"[)\]}]*+(?:[\s,;:]*+$|\s*+[.!]+[)\]}]*+(?=\s|$)|[ )\]}]*+\n"
    r"|[ ,;:(\[–—-]*+(?:because|since|due to|given|rather than|instead of"
    r"|as(?! (?:well|far|if|though|much|soon|long|fast|often)\b)"
    r"|not(?! (?:only|just|merely|simply|quite|exactly|always|all|sure|certain|clear|entirely|completely|strictly)\b))"
    r"(?!\w))",
    re.IGNORECASE,
)
_SURE = re.compile(
    r"[ ,(]++(?:i (?:think|believe|guess|would say)|i'd say|(?:most )?(?:probably|likely)|clearly|definitely|certainly"
    r"|overall|in total)\)?+(?= *+(?:$|[.!\n]))",
    re.IGNORECASE,
)
_ASIDE = re.compile(rf"[)\]}}]*+ *+(?:[(:—–]|- )(?!{_GOES_ON.pattern})", re.IGNORECASE)
_LETTER_AGAIN = re.compile(
    r"[ ,;:.]*+(?:[-–—=]>? |→ ?)?+"
    r"(?:(?:which is|that is|that's|i\.e\.,?|so|thus|therefore|hence)(?: it is| it's)? )?+"
    r"(?:\(?(?:the )?(?:correct )?(?:(?i:answer|option|choice|letter))(?: is)?:? )?+"
    r"(?P<open>[(\[{])?(?P<letter>(?(open)[A-Za-z]|[A-Z]))(?(open)[)\]}])\)?+(?= *+(?:$|[.,;:!?\n)]))"
)
_AGAIN = re.compile(r"[ ,;:]*+(?:= |[(\[] ?|i\.e\.,? )")
_PLACE_BEFORE = re.compile(r"(?:\b(?:option|choice|answer)(?: is)?[ :]*+|[(\[] ?)$", re.IGNORECASE)


def _written(text: str) -> str:
    """A pattern of an option's text, however its hyphens and commas are written; none beside a digit may change."""
    pattern = ""
    for part in _HELD_TOGETHER.finditer(text):
        word, gap = part[1], part[2]
        beside = text[max(0, part.start() - 1) : part.start()] + text[part.end() : part.end() + 1]
        if word and word.isalpha():
            pattern += "-?".join(map(re.escape, word))
        elif gap and beside.isalpha() and len(beside) == 2 and " - " not in gap:
            pattern += "[- ]?" if gap == "-" else "(?:,? |,|-)"
        else:
            pattern += re.escape(part.group())
    return pattern


def with_places(text: str) -> str:
    """The text with #2 and No. 2 as "option 2"."""
    return re.sub(r"(?<!\w)(?:#|no\. ?)(?=\d)", "option ", text, flags=re.IGNORECASE)
