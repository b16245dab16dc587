"""Where in a reply the answer stands: what to drop, and what the last marker introduces.

Every pattern here is possessive or bounded, so the work grows with the length of the reply and no faster.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

MARKER_SEARCH_LIMIT = 1_000_000
"""How many characters at the end of a reply are searched: whatever stands before them is no answer."""

_INVISIBLE = dict.fromkeys(
    [
        *(*range(0x09), *range(0x0E, 0x20), 0x7F, 0xAD, *range(0x200B, 0x2010), *range(0x202A, 0x202F)),
        *(*range(0x2060, 0x2065), 0xFE0E, 0xFE0F, 0xFEFF, ord("✅"), ord("✔")),
    ]
)
_LINE_ENDS = dict.fromkeys([0x0B, 0x0C, 0x0D, 0x85, 0x2028, 0x2029], "\n")
_PLAIN_FORMS = {
    ord("−"): "-",
    ord("‐"): "-",
    ord("‑"): "-",
    ord("’"): "'",
    ord("‘"): "'",
    ord("＇"): "'",
    ord("。"): ".",
    ord("、"): ",",
}
# NFKC would turn 3² into 32 and ½ into a broken 1 2; such characters stay as they are and make a number unreadable.
_NO_COMPATIBILITY = ("<super>", "<sub>", "<fraction>")

_ANSI = re.compile(r"\x1b(?:\[[0-?]*+[ -/]*+[@-~]|[@-Z\\-_])")
_REASONING = re.compile(r"<(/?)(think|thinking|reasoning)\s*+>|◁(/?)(think)▷", re.IGNORECASE)
_SPECIAL_TOKEN = re.compile(r"<\|(?!begin_of_box|end_of_box)\w{1,40}+\|>|</?s>", re.IGNORECASE)
_FENCED = re.compile(r"```[^`]*+```")
_SHELL_COMMENT = re.compile(r"(?:^|(?<=[ \t]))#[^\n]*+", re.MULTILINE)
_FENCE = re.compile(r"```[ \t]*+(?:(?:bash|shell|sh|text|txt|json|python|plaintext|markdown|latex)\b)?|`")
_EMPHASIS = re.compile(r"\*\*|(?<!\w)__(?=[A-Za-z])(?!\w*+\.\w)|(?<=[A-Za-z:.])__(?!\w|\.\w)")
_SINGLE_EMPHASIS = re.compile(
    r"(?<![\w*])\*(?=[^\s*])([^*\n]{1,300})(?<=\S)\*(?![\w*])"
    r"|(?<!\w)_(?=[A-Za-z(])([^_\n]{1,300})(?<=[\w).])_(?![\w.])"
)
_TAG = re.compile(
    r"<(/?)(b|i|u|em|strong|code|tt|kbd|samp|span|mark|small|big|pre|p|div|br|li|ul|ol|h[1-6])"
    r"(?:\s[^<>\n]{0,200}+)?/?>",
    re.IGNORECASE,
)
_BREAKING_TAGS = ("pre", "p", "div", "br", "ul", "ol", *(f"h{level}" for level in range(1, 7)))
_LATEX_MATH = re.compile(r"\$[^$\n]{1,300}\$|\\\([^$\n\\]{1,300}\\\)")
_LATEX_SUBSCRIPT = re.compile(r"(?<!\w)([A-Za-z])_(?:\{(\d{1,2})\}|(\d{1,2}))(?!\w)")
_LINE_PREFIX = re.compile(r"^[ \t]*+(?:#{1,6}(?=\s)[ \t]*+|>(?=\s)[ \t]*+)", re.MULTILINE)
_RULE = re.compile(r"^[ \t]*+(?:-{3,}|={3,}|\*{3,})[ \t]*+$", re.MULTILINE)
_LATEX_TEXT = re.compile(
    r"\\(?:text|textbf|textit|texttt|mathrm|mathbf|mathtt|operatorname)\s*+\{((?:[^{}\\]|\\[^a-zA-Z]|\{[^{}]*+\})*+)\}"
)
_LATEX_SIGN = re.compile(r"(?<!\\)\\[()\[\],;! ]|\$")

_MARKER = re.compile(
    r"(?P<opening><answer\s*+>|<\|begin_of_box\|>|\\(?:boxed|fbox)\s*+\{)"
    # "B is the final answer.": what stands before it is the answer.
    r"|(?P<behind>(?:\bis|'s|\bas)\s++(?:my|the|our)\s++"
    r"(?:(?:final|correct|right|best)\s++(?:answer|option|choice|one)|answer)(?=[.!]|\s*+\Z))"
    r"|\b(?:(?:final|correct|right|best)[\s_-]++)?+(?:answers?+|ans(?=[:=]))(?:\s++(?:to|for)\s++(?:the|this)\s++question)?+"
    r"(?:\s*+\((?P<aside>[^()\n]{1,60}+)\)(?=\s*+:))?+"
    r"(?:'s(?=\s)|[\"”'*_\s]*+(?::|=(?!=)|[-=]>|→|(?<=\s)(?:is|are|was)\b(?:\s*+:)?+))"
    r"|\b(?:correct|right|best|selected|chosen|final)\s++(?:option|choice|one)[\"”'*_\s]*+(?::|=(?!=)|→|(?<=\s)is\b(?:\s*+:)?+)"
    r"|\bfinal\s++answers?\b(?P<bare>(?=[\s*_]*+[^\s.!?,;)*_]))",
    re.IGNORECASE,
)
_CLOSING = re.compile(r"</answer\s*+>?|<\|end_of_box\|>", re.IGNORECASE)
_HEADING = re.compile(r"[\W_]*+(?:(?:so|and|my|our|the|here is|here's|this is)\s++)*+", re.IGNORECASE)
_REFERS_BACK = re.compile(r"(?:^|\b(?:that|this|it|which|above))\W*$", re.IGNORECASE)
_TURN = re.compile(r"^\s*+(?:no|yes|but|and|so)\b,?\s++(?=\S)", re.IGNORECASE)
_REFERS_AHEAD = re.compile(r"\bhere\W*$", re.IGNORECASE)
_BETWEEN_BOXES = re.compile(r"[\s,;/&$.]*+(?:(?:and|or)\b)?+[\s$]*+", re.IGNORECASE)
_ALTERNATIVE = re.compile(r"[\s$]*+(?:or\b|/)", re.IGNORECASE)
_WEAK = re.compile(
    r"\b(?:i(?:'d|'ll|\s++would|\s++will)?+\s++(?:pick|choose|select|go\s++with|say)|i(?:'m|\s++am)\s++going\s++with"
    r"|so|therefore|thus|hence|answer\s++(?:would|should|must)\s++be|must\s++be|final\s++answers?)\b[\s,:]*+",
    re.IGNORECASE,
)
_LIST_MARK = re.compile(r"(?:[-*•+]|\(?\d{1,3}[.):])\s")


@dataclass(frozen=True, slots=True)
class Passage:
    """What the last marker introduces, or the whole text where there is no marker."""

    text: str
    marked: bool
    whole: bool = False
    """The answer must be all of `text`, with no explanation as a sentence of its own ("B is the final answer")."""
    aside: str = ""
    """What stands in brackets between the marker and its colon, as in "Final Answer (in seconds): 2"."""
    fault: str = ""
    """Why there is no answer at this marker: a category and a sentence, as in `Unparsed.reason`."""


def cleaned(reply: str) -> str:
    """The reply with line ends, digits and minus signs in plain form, and no markdown, escapes or invisible signs."""
    if "\x1b" in reply:
        reply = _ANSI.sub("", reply)
    reply = reply.replace("\r\n", "\n")
    if reply.isascii():
        return reply.translate(_LINE_ENDS).translate(_INVISIBLE) if not reply.isprintable() else reply
    table: dict[int, str | None] = {}
    for character in set(reply):
        digit = unicodedata.decimal(character, None)
        if digit is not None:
            table[ord(character)] = str(digit)
        elif not unicodedata.decomposition(character).startswith(_NO_COMPATIBILITY):
            table[ord(character)] = unicodedata.normalize("NFKC", character)
    return reply.translate(table | _INVISIBLE | _LINE_ENDS | _PLAIN_FORMS)


def without_reasoning(text: str) -> str | None:
    """The text with its reasoning dropped; None where an opening tag never closes.

    A closing tag that nothing opened means that the chat template opened it: all before it was reasoning.
    """
    kept: list[str] = []
    position, opened = 0, ""
    for tag in _REASONING.finditer(text):
        closes, name = bool(tag[1] or tag[3]), (tag[2] or "◁" + tag[4]).lower()
        if opened:
            if closes and name == opened:
                opened, position = "", tag.end()
        elif closes:
            kept, position = [], tag.end()
        else:
            kept.append(text[position : tag.start()])
            opened = name
    return None if opened else "".join(kept) + text[position:]


def without_markup(text: str) -> str:
    """The text without emphasis, headings, quotes' marks, code fences and LaTeX's text commands and delimiters."""
    text = _SPECIAL_TOKEN.sub("", text)
    text = _TAG.sub(_tag_in_plain_text, _FENCED.sub(_one_block, text))
    text = _RULE.sub("", _LINE_PREFIX.sub("", _EMPHASIS.sub("", _FENCE.sub("", text))))
    text = _SINGLE_EMPHASIS.sub(r"\1\2", text)
    text = _LATEX_MATH.sub(lambda math: _LATEX_SUBSCRIPT.sub(r"\1\2\3", math.group()), text)
    for _nesting in range(3):
        if "\\" not in text:
            break
        text = _LATEX_TEXT.sub(r"\1", text)
    return _LATEX_SIGN.sub("", text)


def _one_block(fenced: "re.Match[str]") -> str:
    """A code block without blank lines and, where it is a shell's, without comments."""
    text = fenced.group()
    if re.match(r"```[ \t]*(?:bash|shell|sh)\b", text):
        text = _SHELL_COMMENT.sub("", text)
    return re.sub(r"\n\s+", "\n", text)


def _tag_in_plain_text(tag: "re.Match[str]") -> str:
    name = tag[2].lower()
    if name == "li":
        return "" if tag[1] else "\n- "
    return "\n" if name in _BREAKING_TAGS else ""


def answer_passage(text: str) -> Passage:
    """What the last marker of `text` introduces; `text` itself where it has none."""
    text = text[-MARKER_SEARCH_LIMIT:]
    stop = len(text)
    markers = list(_MARKER.finditer(text))
    for index in range(len(markers) - 1, -1, -1):
        marker = markers[index]
        if marker["opening"]:
            return _enclosed(text, stop, marker, markers[index - 1] if index else None)
        start, end = marker.span()
        skipped = ""
        if marker["behind"]:
            subject = re.split(r"[.!?;\n]", text[max(0, start - 200) : start])[-1]
            if _REFERS_BACK.search(subject):
                stop = start - len(subject)
                continue
            if not _REFERS_AHEAD.search(subject):
                return Passage(_TURN.sub("", subject), marked=True, whole=True)
            skipped = r"[\s.!]+"
        elif marker["bare"] is not None:
            line = text[max(0, start - 60) : start].rpartition("\n")[2]
            if len(line) == 60 or not _HEADING.fullmatch(line):
                continue
            skipped = r"\s*[-–—]+\s+"
        elif not marker.group().endswith(":") and text[end : end + 20].lstrip()[:1] in {".", "!", "?"}:
            continue  # "… what the answer is." introduces nothing
        after = re.sub("^" + skipped, "", _CLOSING.split(text[end:stop], maxsplit=1)[0])
        if after.count("}") > after.count("{"):
            after = after.rstrip().removesuffix("}")  # of a JSON object {"answer": …}
        if not after.strip(" \n\t:*_.\"'"):
            return Passage("", marked=True, fault="truncated: nothing follows the last marker")
        return Passage(after, marked=True, aside=marker["aside"] or "")
    return Passage(_CLOSING.sub("", text[:stop]), marked=False)


def _enclosed(text: str, stop: int, marker: "re.Match[str]", before: "re.Match[str] | None") -> Passage:
    inner, end = _inside(text, stop, marker)
    if inner is None:
        return Passage("", marked=True, fault="truncated: a box was opened and never closed")
    if not inner.strip():
        return Passage("", marked=True, fault="empty: nothing stands between the marks of the answer")
    if _ALTERNATIVE.match(text, end, stop):
        return Passage("", marked=True, fault="ambiguous: an alternative follows the marked answer")
    if before is not None and before["opening"]:
        other, other_end = _inside(text, marker.start(), before)
        if other and other != inner and _BETWEEN_BOXES.fullmatch(text, other_end, marker.start()):
            return Passage("", marked=True, fault="ambiguous: several different answers are marked side by side")
    return Passage(inner, marked=True)


def _inside(text: str, stop: int, marker: "re.Match[str]") -> tuple[str | None, int]:
    """What an opening mark encloses and where its closing mark ends; None for a LaTeX box that never closes."""
    if not marker.group().endswith("{"):
        # An answer tag left open at the end still shows the answer; a box cut off may have lost half a number.
        closing = _CLOSING.search(text, marker.end(), stop)
        return (text[marker.end() : closing.start()], closing.end()) if closing else (text[marker.end() : stop], stop)
    depth = 1
    for brace in re.finditer(r"\\.|[{}]", text[marker.end() : stop]):
        depth += {"{": 1, "}": -1}.get(brace.group(), 0)
        if depth == 0:
            return text[marker.end() : marker.end() + brace.start()], marker.end() + brace.end()
    return None, stop


def conclusions(text: str, only_final: bool) -> Iterator[tuple[str, str]]:
    """What stands before and what follows the phrases that conclude ("so …", "I pick …"), last first and not many.

    They are no markers by themselves: each counts only where what follows reads as one answer in full.
    """
    for phrase in reversed(list(_WEAK.finditer(text, max(0, len(text) - 20_000)))[-20:]):
        if not only_final or phrase.group().lower().startswith("final"):
            yield text[: phrase.start()], first_block(text[phrase.end() :])[0]


def first_block(text: str) -> tuple[str, str]:
    """The lines up to the first blank line, and the rest.

    A block that ends in a colon introduces the next one, and a numbered list goes on over blank lines.
    """
    text = re.sub(r"^[\s:*#]+(?=\S)", "", text) if not text.lstrip().startswith(("* ", "# ")) else text.lstrip()
    parts = re.split(r"\n[ \t]*+\n\s*+", text.rstrip())
    count = 1
    while count < len(parts) and (
        parts[count - 1].rstrip().endswith(":")
        or (_LIST_MARK.match(parts[count - 1].rpartition("\n")[2].lstrip()) and _LIST_MARK.match(parts[count]))
    ):
        count += 1
    return "\n".join(parts[:count]), "\n".join(parts[count:])
