"""What a user may choose: texts that are read, and refusals that say what would be right."""

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from generators.family import family
from generators.settings import SKILLS, IntegerRange, Resolution, read_range, read_resolution, read_skills

Settings = family("number").settings


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("4", IntegerRange(4, 4)),
        (4, IntegerRange(4, 4)),
        ("2..6", IntegerRange(2, 6)),
        ("2-6", IntegerRange(2, 6)),
        (" 2 .. 6 ", IntegerRange(2, 6)),
        ("3..3", IntegerRange(3, 3)),
        ("-2..6", IntegerRange(-2, 6)),
        (IntegerRange(2, 5), IntegerRange(2, 5)),
    ],
)
def test_ranges_are_read(text: Any, expected: IntegerRange) -> None:
    assert read_range(text) == expected


@pytest.mark.parametrize(
    "text", ["", "four", "4.0", "1e3", "2...6", "2..", "..6", "6..2", "٤", True, None, [2, 6], math.nan]
)
def test_what_is_no_range_is_refused(text: Any) -> None:
    with pytest.raises(ValueError, match="write"):
        read_range(text)


@given(st.integers(0, 999), st.integers(0, 999))
def test_a_range_reads_back(low: int, high: int) -> None:
    chosen = IntegerRange(min(low, high), max(low, high))
    assert read_range(str(chosen)) == chosen


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("512", (512, 512)),
        (512, (512, 512)),
        ("640x360", (640, 360)),
        ("640 × 360", (640, 360)),
        ("128", (128, 128)),
        ("2048", (2048, 2048)),
        (Resolution(640, 360), (640, 360)),
    ],
)
def test_resolutions_are_read(text: Any, expected: tuple[int, int]) -> None:
    assert read_resolution(text) == expected
    assert read_resolution(str(read_resolution(text))) == expected


@pytest.mark.parametrize("text", ["", "big", "-512", "512.0", "512x", "x512", "1x2x3", "nan", "inf", None])
def test_what_is_no_resolution_is_refused(text: Any) -> None:
    with pytest.raises(ValueError, match="write a number of pixels"):
        read_resolution(text)


@pytest.mark.parametrize("text", ["127", "510", "513", "124", "2052", "999999", "512x511", "64x512", 0])
def test_a_resolution_outside_the_limits_is_refused(text: Any) -> None:
    with pytest.raises(ValueError, match="multiple of 4 from 128 to 2048"):
        read_resolution(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("all", SKILLS),
        ("infer_state", ("infer_state",)),
        ("infer_state,recall_order", ("recall_order", "infer_state")),
        (" infer_state , infer_state ", ("infer_state",)),
        (SKILLS, SKILLS),
    ],
)
def test_skills_are_read_in_their_order(text: Any, expected: tuple[str, ...]) -> None:
    assert read_skills(text) == expected


@pytest.mark.parametrize("text", ["", ",", "guess", "infer_state,guess", "all,infer_state", "Infer_State", []])
def test_unknown_skills_are_refused(text: Any) -> None:
    with pytest.raises(ValueError, match="choose from recall_order, recall_count"):
        read_skills(text)


@pytest.mark.parametrize(
    ("name", "least", "greatest", "below", "above"),
    [
        ("size", 2, 10, 1, 11),
        ("ops", 1, 500, 0, 501),
        ("fps", 1, 120, 0, 121),
        ("seconds_per_op", 0.1, 20.0, 0.09, 20.1),
        ("reveal_seconds", 0.1, 60.0, 0.09, 60.1),
    ],
)
def test_limits(name: str, least: float, greatest: float, below: float, above: float) -> None:
    for value in (least, greatest):
        assert str(value) in str(getattr(Settings.model_validate({name: value}), name))
        Settings.model_validate_strings({name: str(value)})
    for wrong in (below, above, math.nan, math.inf, -math.inf, "", "many", None):
        with pytest.raises(ValidationError):
            Settings.model_validate({name: wrong})
        with pytest.raises(ValidationError):
            Settings.model_validate_strings({name: str(wrong)})


@pytest.mark.parametrize("value", ["1..4", "4..11", "0", "-3"])
def test_a_range_must_lie_within_the_limits(value: str) -> None:
    with pytest.raises(ValidationError, match="must be from 2 to 10"):
        Settings.model_validate({"size": value})


def test_an_unknown_setting_is_refused() -> None:
    with pytest.raises(ValidationError, match="Extra inputs"):
        Settings.model_validate({"sizes": 4})


def test_settings_are_frozen() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        setattr(Settings(), "fps", 30)  # noqa: B010


@given(
    size=st.sampled_from(["2", "2..6"]),
    ops=st.sampled_from(["1", "5..14"]),
    fps=st.integers(1, 120),
    seconds=st.floats(0.1, 20.0),
    reveal=st.sampled_from(["start", "end", "both"]),
    skills=st.sets(st.sampled_from(SKILLS), min_size=1).map(tuple),
    look=st.sampled_from(["plain", "dark", "random"]),
)
def test_settings_read_back_from_their_json(**chosen: Any) -> None:
    settings = Settings.model_validate({"seconds_per_op" if n == "seconds" else n: v for n, v in chosen.items()})
    assert Settings.model_validate(settings.to_json()) == settings
    # A plain look goes without saying, as it did before there were others.
    unsaid = {"look"} if chosen["look"] == "plain" else set()
    assert set(settings.to_json()) == set(Settings.model_fields) - unsaid


@pytest.mark.parametrize(("reveal", "twins"), [("start", 1), ("end", 1), ("both", 2)])
def test_twins(reveal: str, twins: int) -> None:
    assert Settings.model_validate({"reveal": reveal}).twins() == twins  # type: ignore[attr-defined]
