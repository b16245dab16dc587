"""report.html holds what replies and names say, and obeys none of it."""

import base64
import hashlib
import json
import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from evaluate.page import cut, link, visible
from evaluate.page_parts import SCRIPT, STYLE
from evaluate.report import count_runs, print_report, write_report
from evaluate.running import run
from evaluate.store import REPLIES, RUN
from generators.dataset import ITEMS
from generators.manifest import MANIFEST, Request
from generators.sets import videoreasonbench

EVIL = [
    "</script><script>alert('owned')</script>",
    "<!--<script>",
    "]]></style><img src=x onerror=owned()>",
    "<iframe src='https://example.org'></iframe>&lt;b&gt;",
    "\x1b[2J\x1b]0;owned\x07\x9b31m",
    "abc\u202edcba\u2066\u2069\u200b\u2028\u2029\ufeff",
    "../../../../etc/passwd\x00",
    "{{7*7}} ${7*7} `code` [link](javascript:owned())",
    "Final Answer: a file of UTF-8 has no halves of pairs",
    "javascript:owned()",
]
FORBIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")
ELEMENTS = {
    *("html", "head", "meta", "title", "style", "body", "h1", "h2", "p", "code", "ul", "li", "strong", "figure", "img"),
    *("div", "table", "thead", "tbody", "tr", "th", "td", "noscript", "form", "label", "select", "input", "button"),
    *("output", "script"),
}


class Elements(HTMLParser):
    """Every element with its attributes, and the texts of scripts."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self.comments: list[str] = []
        self.inside = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        self.inside = tag
        if tag == "script":
            self.scripts.append("")

    def handle_endtag(self, tag: str) -> None:
        self.inside = ""

    def handle_data(self, data: str) -> None:
        if self.inside == "script":
            self.scripts[-1] += data

    def handle_comment(self, data: str) -> None:
        self.comments.append(data)


def parsed(path: Path) -> Elements:
    elements = Elements()
    elements.feed(path.read_text(encoding="utf-8"))
    elements.close()
    return elements


def data_of(elements: Elements) -> Any:
    return json.loads(elements.scripts[0])


def rewrite(folder: Path, reply: Callable[[int], str | None], model: str | None = None) -> None:
    rows = [json.loads(line) for line in (folder / REPLIES).read_text().splitlines()]
    known = {"model": model} if model is not None else {}
    text = "".join(json.dumps(row | {"reply": reply(number)} | known) + "\n" for number, row in enumerate(rows))
    (folder / REPLIES).write_text(text)
    if model is not None:
        record = json.loads((folder / RUN).read_text())
        (folder / RUN).write_text(json.dumps(record | {"model": model}))


def test_no_element_comes_from_a_reply_or_a_name(
    small_set: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for folder in ("tame", "wild"):
        run(small_set, "oracle", tmp_path / folder)
    name = "<img src=x onerror=owned()>|\x1b[2J\u202e</script>" + "".join(EVIL)
    huge = "<b>\u202e" * 2_500_000
    rewrite(tmp_path / "wild", lambda number: huge if number == 3 else EVIL[number % len(EVIL)], model=name)
    tame = count_runs([tmp_path / "tame"])
    write_report(tame, tmp_path / "of-tame")
    wild = count_runs([tmp_path / "wild"])
    paths = write_report(wild, tmp_path / "of-wild")
    print_report(wild)
    before, after = (parsed(tmp_path / folder / "report.html") for folder in ("of-tame", "of-wild"))
    assert {tag for tag, _ in after.found} <= ELEMENTS
    # Beside the rows of one more table, why replies were unparsed, the page is made of the same elements.
    cells = {"table", "thead", "tbody", "tr", "th", "td", "div", "h2"}
    kept = [[tag for tag, _ in elements.found if tag not in cells] for elements in (before, after)]
    assert kept[0] == kept[1]
    assert after.comments == []
    allowed = {"class", "scope", "src", "alt", "id", "name", "type", "lang", "charset", "http-equiv", "content"}
    for tag, attributes in after.found:
        assert set(attributes) <= allowed, (tag, attributes)
        assert all(not (value or "").startswith("javascript:") for value in attributes.values())
        assert tag != "img" or (attributes["src"] or "").startswith("data:image/png;base64,")
    assert after.scripts[1:] == [SCRIPT]
    assert not set(after.scripts[0]) & set("<>&")
    said = [one["said"][0].get("reply", "") for one in data_of(after)["questions"]]
    assert said[0].startswith("</script><script>alert(") and "\\u202e" in said[5]
    assert "characters are left out here" in said[3] and len(said[3].encode()) < 10_000
    for path in paths:
        if path.suffix != ".png":
            text = path.read_text(encoding="utf-8")
            assert not FORBIDDEN.search(text.replace("\n", "").replace("\t", "")), path
            assert path.suffix != ".md" or not re.search(r"(?<!\\)[<>]", text)
    assert not FORBIDDEN.search(capsys.readouterr().out.replace("\n", ""))


def test_the_page_allows_its_own_script_alone(small_set: Path, tmp_path: Path) -> None:
    run(small_set, "oracle", tmp_path / "run")
    write_report(count_runs([tmp_path / "run"]), tmp_path / "report")
    (policy,) = [
        attributes["content"] or ""
        for tag, attributes in parsed(tmp_path / "report" / "report.html").found
        if attributes.get("http-equiv") == "Content-Security-Policy"
    ]
    for part in (SCRIPT, STYLE):
        assert base64.b64encode(hashlib.sha256(part.encode()).digest()).decode() in policy
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy and "http:" not in policy
    # What the script asks the form for: a control called "item" would be hidden by the collection's own method.
    assert set(re.findall(r"form\.elements\.(\w+)", SCRIPT)) == {"run", "outcome", "question", "named"}
    assert "innerHTML" not in SCRIPT and "document.write" not in SCRIPT and "eval" not in SCRIPT


def test_the_page_shows_every_question(small_dataset: Path, tmp_path: Path) -> None:
    run(small_dataset, "one-short", tmp_path / "run")
    rows = (tmp_path / "run" / REPLIES).read_text().splitlines(keepends=True)
    (tmp_path / "run" / REPLIES).write_text("".join(rows[:-1]))
    write_report(count_runs([tmp_path / "run"]), tmp_path / "report")
    data = data_of(parsed(tmp_path / "report" / "report.html"))
    assert data["runs"] == ["one-short"]
    assert len(data["questions"]) == 36
    first = data["questions"][0]
    assert first["prompt"].strip() and first["key"]
    assert (tmp_path / "report" / first["video"]).resolve() == (
        small_dataset / "videos" / f"{first['item']}.mp4"
    ).resolve()
    assert (tmp_path / "report" / first["sheet"]).resolve().is_file()
    outcomes = [one["said"][0]["outcome"] for one in data["questions"]]
    assert outcomes[-1] == "missing" and {"correct", "wrong"} <= set(outcomes)
    wrong = next(one for one in data["questions"] if one["said"][0]["outcome"] == "wrong")
    assert wrong["said"][0]["reply"].startswith("Final Answer: ") and wrong["said"][0]["value"]


@pytest.mark.parametrize(
    "name",
    ["../outside.mp4", "/etc/hostname", "videos/../../outside.mp4", "C:\\x", "javascript:x", "https://x", "a" * 5000],
)
def test_a_clip_outside_the_dataset_is_not_linked(tmp_path: Path, name: str) -> None:
    (tmp_path / "set").mkdir()
    (tmp_path / "outside.mp4").write_text("x")
    assert link(tmp_path / "set", name, tmp_path / "report") is None


def test_links_are_relative_and_escaped(tmp_path: Path) -> None:
    (tmp_path / "a set" / "videos").mkdir(parents=True)
    (tmp_path / "a set" / "videos" / 'x"&<.mp4').write_text("x")
    found = link(tmp_path / "a set", 'videos/x"&<.mp4', tmp_path / "reports" / "one")
    assert found == "../../a%20set/videos/x%22%26%3C.mp4"


@pytest.mark.parametrize("text", ["x" * 100_000, "\u202e" * 50_000, "\U0001f9ea" * 50_000, "<\x1b" * 50_000])
def test_long_texts_are_cut_with_a_note(text: str) -> None:
    shown = cut(text, 2_000)
    assert "characters are left out here" in shown
    assert len(shown.encode()) <= 2_200
    assert cut("short\n\ttext ü 文", 2_000) == "short\n\ttext ü 文"


def test_what_cannot_be_seen_is_written_as_an_escape() -> None:
    assert visible("a\u202eb\x1b[1m\ud800\u200b\u3000c\nd") == "a\\u202eb\\x1b[1m\\ud800\\u200b c\nd"


def test_three_models_over_1440_questions_make_a_page_of_less_than_twenty_megabytes(tmp_path: Path) -> None:
    definition = videoreasonbench()
    dataset = tmp_path / "set"
    dataset.mkdir()
    request = Request(definition.parts, 5, definition.name)
    (dataset / MANIFEST).write_text(request.manifest().to_text())
    with (dataset / ITEMS).open("w", encoding="utf-8") as file:
        file.writelines(item.to_line() + "\n" for item in request.make_items())
    for name in ("random", "blind", "one-short"):
        run(dataset, name, tmp_path / name)
        rows = [json.loads(line) for line in (tmp_path / name / REPLIES).read_text().splitlines()]
        for number, row in enumerate(rows):
            row["reply"] = f"<think>{'Let me see what happens. ' * (number % 400)}</think>\n{row['reply']}"
        (tmp_path / name / REPLIES).write_text("".join(json.dumps(row) + "\n" for row in rows))
    counted = count_runs([tmp_path / name for name in ("random", "blind", "one-short")])
    write_report(counted, tmp_path / "report")
    print_report(counted)
    assert (tmp_path / "report" / "report.html").stat().st_size < 20_000_000
    data = data_of(parsed(tmp_path / "report" / "report.html"))
    assert len(data["questions"]) == 1440 and all(len(one["said"]) == 3 for one in data["questions"])
