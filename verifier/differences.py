"""Where two JSON values differ, to the letter: 1, 1.0 and true are three values."""

from collections.abc import Iterator
from typing import Any

from generators.item import canonical_json

SHOWN = 100
"""Characters of a value that a finding shows."""


def differences(stored: Any, expected: Any, where: str = "", source: str = "computed again") -> Iterator[str]:
    """One sentence for each place where the JSON value `stored` is not what it must be; `source` says who says so."""
    match stored, expected:
        case dict(), dict() if list(stored) == list(expected):
            for name, value in stored.items():
                yield from differences(value, expected[name], f"{where}.{name}" if where else name, source)
        case list(), list() if len(stored) == len(expected):
            for index, (one, other) in enumerate(zip(stored, expected, strict=True)):
                yield from differences(one, other, f"{where}[{index}]", source)
        case _ if _text(stored) != _text(expected):
            shown, right = _shown(_text(stored), _text(expected))
            yield f"{where} is {shown}, {source} {right}"


def _text(value: Any) -> str:
    return canonical_json(value, sort_keys=False)


def _shown(*texts: str) -> list[str]:
    """Texts cut to what can be read in one line, from shortly before they part."""
    common = next((place for place, letters in enumerate(zip(*texts, strict=False)) if len({*letters}) > 1), 0)
    start = max(0, common - SHOWN // 2) if max(map(len, texts)) > SHOWN else 0
    return [
        ("…" if start else "") + text[start : start + SHOWN] + ("…" if len(text) > start + SHOWN else "")
        for text in texts
    ]
