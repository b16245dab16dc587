"""VideoVista: a JSON list of `{question_id, Type, Answer_Choices, Answer, time, category, video_name, …}`.

`Answer` counts from 0 and `time` is in seconds, as the released evaluation script uses them; the question file itself
could not be looked at. A row without `question_id` goes by its place in the list.
"""

from pathlib import Path
from typing import Any

from evaluate.published.files import read_rows
from evaluate.published.options import judge_option, key_errors, option_key, read_options
from evaluate.published.questions import PublishedQuestion, PublishedSet

REASONING = (
    "Relation Reasoning-Image",
    "Relation Reasoning-Video",
    "Event Prediction",
    "Action Prediction",
    "Causal Reasoning",
    "Counterfactual Reasoning",
    "Commonsense Reasoning",
    "Logic Reasoning",
)
"""The set's 8 types of reasoning; its other 19 types are of understanding."""

MINUTES = ((1, "under 1 min"), (2, "1–2 min"), (5, "2–5 min"), (10, "5–10 min"))
LONGEST = "10 min and more"


def read_videovista(path: Path) -> PublishedSet:
    """The set in a file. Raises InputError where its form is another."""
    questions: list[PublishedQuestion] = []
    findings: list[str] = []
    for position, (where, row) in enumerate(read_rows(path)):
        number = row.get("question_id")
        name = str(number) if isinstance(number, str | int) and not isinstance(number, bool) else str(position)
        key = option_key(read_options(row.get("Answer_Choices"), where), row.get("Answer"))
        findings += [f"{name}: {error}" for error in key_errors(key, row.get("Answer"))]
        kind, video = _text(row.get("Type")), row.get("video_name")
        ability = "reasoning" if kind in REASONING else "understanding"
        groups = [("ability", ability), ("type", kind), ("category", _text(row.get("category")))]
        if ability == "understanding":  # the set's own table of durations leaves reasoning out
            groups.append(("duration, understanding", _duration(row.get("time"))))
        clip = video if isinstance(video, str) else name
        questions.append(PublishedQuestion(name, (), clip, tuple(groups), judge_option(key)))
    return PublishedSet("VideoVista", tuple(questions), tuple(findings))


def _text(value: Any) -> str:
    return value if isinstance(value, str) and value else "not said"


def _duration(seconds: Any) -> str:
    if isinstance(seconds, bool) or not isinstance(seconds, int | float):
        return "not said"
    return next((name for minutes, name in MINUTES if seconds < 60 * minutes), LONGEST)
