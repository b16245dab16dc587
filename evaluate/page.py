"""report.html: one page that needs nothing but itself, with figures, tables that sort, and every question to look at.

What models and datasets say gets into the page as data only: escaped in tables, and as JSON without angle brackets
that the page's own script puts into text nodes. The page allows no other script and loads nothing but clips and sheets.
"""

import hashlib
import json
import os
from base64 import b64encode
from collections.abc import Iterator, Mapping
from html import escape
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import Any
from unicodedata import category
from urllib.parse import quote

from evaluate.asking import Asked, every_question
from evaluate.comparing import CountedRuns, plain, viewing_name
from evaluate.conditions import Viewing
from evaluate.page_parts import SCRIPT, STYLE
from evaluate.store import Reply, read_replies
from evaluate.tables import NAMES, notes, tables
from generators.dataset import SHEETS
from generators.item import canonical_json
from generators.questions import write_answer
from verifier.scoring import OUTCOMES

MOST_ROWS = 12_000
"""Questions times runs that a page shows at most; of more, the first ones."""

BYTES_OF_REPLIES, BYTES_OF_PROMPTS = 12_000_000, 5_000_000
"""What all replies and all prompts of a page may take, shared out evenly; longer ones are cut."""

LONGEST = 6_000
"""Bytes of a reply or a prompt at most, where there are few."""

LONGEST_KEY = 600


def page(counted: CountedRuns, folder: Path, pictures: Mapping[str, bytes]) -> str:
    """The page. `folder` is where it will lie, from which clips are linked; `pictures` are PNG files by title."""
    run = counted[0].run
    title = f"Report on {plain(Path(run.dataset).name) or 'a dataset'}"
    script = f"'sha256-{b64encode(hashlib.sha256(SCRIPT.encode()).digest()).decode()}'"
    style = f"'sha256-{b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()}'"
    policy = (
        f"default-src 'none'; script-src {script}; style-src {style}; img-src data: 'self' file:; "
        "media-src 'self' file:; base-uri 'none'; form-action 'none'"
    )
    parts = [
        "<!DOCTYPE html>",
        '<html lang="en"><head><meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{escape(policy)}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(title)}</title><style>{STYLE}</style></head><body>",
        f"<h1>{escape(title)}</h1>",
        f"<p>{run.items_asked} of {run.items} items, {len(counted[0].answered)} questions. SHA-256 of the dataset: "
        f"<code>{run.dataset_sha256}</code>.</p>",
        "<ul>",
        *(f"<li>{line}</li>" for line in _runs(counted)),
        "</ul>",
        *(_picture(name, picture) for name, picture in pictures.items()),
        *_tables(counted),
        "<h2>How to read this</h2><ul>",
        *(f"<li>{escape(note)}</li>" for note in notes(counted)),
        "</ul>",
        *_questions(counted, folder),
        f"<script>{SCRIPT}</script>",
        "</body></html>",
        "",
    ]
    return "\n".join(parts)


def _runs(counted: CountedRuns) -> Iterator[str]:
    for label, one in zip(counted.labels, counted, strict=True):
        answered = one.overall.outcomes.total() - one.overall.outcomes["missing"]
        known = f"<strong>{escape(label)}</strong>: {answered} of {len(one.answered)} questions answered, "
        known += f"seed {escape(one.run.settings.seed)}"
        if one.viewing != Viewing():
            known += f", {escape(viewing_name(one))}"
        if one.overall.below_minimum:
            known += f", {one.overall.below_minimum} shown below the frame rate that they need"
        yield known


def _picture(title: str, picture: bytes) -> str:
    return f'<figure><img src="data:image/png;base64,{b64encode(picture).decode()}" alt="{escape(title)}"></figure>'


def _tables(counted: CountedRuns) -> Iterator[str]:
    for title, headings, rows in tables(counted):
        kinds = ["word" if heading in NAMES else "figure" for heading in headings]
        yield f'<h2>{escape(title)}</h2><div class="wide"><table class="sortable"><thead><tr>'
        cells = zip(kinds, headings, strict=True)
        yield "".join(f'<th class="{kind}" scope="col">{escape(heading)}</th>' for kind, heading in cells)
        yield "</tr></thead><tbody>"
        for row in rows:
            cells = zip(kinds, row, strict=True)
            yield "<tr>" + "".join(f'<td class="{kind}">{escape(cell)}</td>' for kind, cell in cells) + "</tr>"
        yield "</tbody></table></div>"


def _questions(counted: CountedRuns, folder: Path) -> Iterator[str]:
    """The part of the page that shows single questions; it is filled by the script."""
    total = len(counted[0].answered)
    shown = min(total, max(1, MOST_ROWS // len(counted)))
    yield '<h2 id="questions">Every question</h2>'
    if shown < total:
        yield f"<p>The first {shown:,} of {total:,} questions; report.json has the outcomes of all.</p>"
    yield (
        "<p>Clips and contact sheets are looked for where the dataset lay when this page was made, relative to the "
        "page.</p><noscript><p>This part needs JavaScript.</p></noscript>"
        '<form id="filter"><label>Model <select name="run"></select></label> '
        '<label>Outcome <select name="outcome"></select></label> '
        '<label>Question <select name="question"></select></label> '
        '<label>Item <input name="named" type="search"></label> '
        '<button type="button" id="back">Back</button> <button type="button" id="on">On</button> '
        '<output id="where"></output></form><div id="cards"></div>'
    )
    yield f'<script type="application/json" id="data">{_data(counted, folder, shown)}</script>'


def _data(counted: CountedRuns, folder: Path, shown: int) -> str:
    """The questions and replies as JSON that holds no character with a meaning in HTML."""
    of_reply = max(200, min(LONGEST, BYTES_OF_REPLIES // (shown * len(counted))))
    of_prompt = max(200, min(LONGEST, BYTES_OF_PROMPTS // shown))
    replies = [_Replies(read_replies(one.folder)) for one in counted]
    questions: list[dict[str, Any]] = []
    asked_first = islice(every_question(counted[0].dataset, counted[0].run.settings.limit), shown)
    for number, asked in enumerate(asked_first):
        said = [_said(counted, place, number, replies[place].to(asked), of_reply) for place in range(len(counted))]
        questions.append(_asked(asked, counted[0].dataset, folder, of_prompt) | {"said": said})
    data = {"runs": counted.labels, "outcomes": list(OUTCOMES), "questions": questions}
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    # Where angle brackets and ampersands stand in JSON they stand in texts, so that they can be written as escapes.
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _asked(asked: Asked, dataset: Path, folder: Path, longest: int) -> dict[str, Any]:
    question, clip = asked.question, asked.item.clips[asked.clip]
    try:
        key = write_answer(question.kind, question.keys[asked.clip])
    except (ValueError, TypeError, LookupError, AttributeError):
        key = canonical_json(question.keys[asked.clip])
    known: dict[str, Any] = {
        "item": visible(asked.item.id),
        "question": visible(question.id),
        "clip": asked.clip,
        "prompt": cut(question.prompt, longest),
        "key": cut(key, LONGEST_KEY),
    }
    video = None if clip.file is None else link(dataset, clip.file, folder)
    sheet = link(dataset, f"{SHEETS}/{asked.item.id}.png", folder)
    return known | ({"video": video} if video else {}) | ({"sheet": sheet} if sheet else {})


def _said(counted: CountedRuns, place: int, number: int, reply: Reply | None, longest: int) -> dict[str, Any]:
    """What became of a question in one run; what is not there is left out."""
    one = counted[place].answered[number]
    facts = []
    if one.frames is not None:
        facts.append(f"{one.frames} frame{'s' * (one.frames != 1)}")
    if one.is_below_minimum:
        facts.append("below the frame rate it needs")
    if reply is not None and reply.attempt > 1:
        facts.append(f"attempt {reply.attempt}")
    if reply is not None and reply.latency is not None:
        facts.append(f"{reply.latency:.2f} s")
    if reply is not None and reply.finish_reason is not None:
        facts.append(f"ended by {visible(reply.finish_reason)}")
    known = {
        "outcome": one.outcome,
        "value": None if one.value is None else cut(one.value, LONGEST_KEY),
        "reason": None if one.reason is None else cut(one.reason, LONGEST_KEY),
        "judged": one.judged,
        "facts": ", ".join(facts) or None,
        "reply": None if reply is None or reply.reply is None else cut(reply.reply, longest),
        "error": None if reply is None or reply.error is None else cut(reply.error, LONGEST_KEY),
    }
    return {name: value for name, value in known.items() if value is not None}


class _Replies:
    """The replies of a run in the order of the dataset, taken one by one."""

    def __init__(self, replies: Iterator[tuple[int, Reply]]) -> None:
        self.replies = replies
        self.next = next(replies, (0, None))[1]

    def to(self, asked: Asked) -> Reply | None:
        """The reply to the next question; None where there is none."""
        found = self.next
        if found is None or found.name != asked.name:
            return None
        self.next = next(self.replies, (0, None))[1]
        return found


def link(dataset: Path, name: str, folder: Path) -> str | None:
    """The address of a dataset's file relative to `folder`; None where it is not there or lies outside the dataset."""
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or any(letter in name for letter in "\\:\0"):
        return None
    try:
        if not (dataset / path).is_file():
            return None
        relative = os.path.relpath(os.path.realpath(dataset / path), os.path.realpath(folder))
    except (OSError, ValueError):  # A name that is too long; another drive on Windows.
        return None
    return "/".join(quote(part, safe="") for part in Path(relative).parts)


def cut(text: str, longest: int) -> str:
    """`text` as `visible` writes it, in at most about `longest` bytes; of what is longer, mostly the end is kept."""
    room = longest
    while True:
        shown = text
        if len(text) > room:
            head = room // 4
            tail = room - head
            gone = len(text) - room
            shown = f"{text[:head]}\n… {gone:,} characters are left out here …\n{text[-tail:]}"
        written = visible(shown)
        if room <= 50 or len(written.encode()) <= longest + 100:
            return written
        room = min(room, len(text)) // 2


def visible(text: str) -> str:
    """`text` with its lines; what a browser obeys or hides (controls, bidi, halves of surrogates) as escapes."""
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() or letter in "\n\t" else _escape(letter) for letter in text)


def _escape(letter: str) -> str:
    return " " if category(letter) == "Zs" else ascii(letter)[1:-1]
