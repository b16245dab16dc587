"""The data model: one canonical JSON, ids that depend on what happens alone, and nothing taken that is not known."""

import hashlib
import json
import math
import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from generators.family import family
from generators.item import Item, canonical_json, item_id
from tests.generators.making import items_of

NUMBER = family("number")
PLAIN = {"size": 3, "ops": 4}


def make(seed: int = 5, **settings: Any) -> Item:
    chosen = NUMBER.settings.model_validate(PLAIN | settings)
    [item] = items_of(NUMBER, chosen, seed, 1)
    return item


ITEM = make()
JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(
    seed=st.integers(0, 2**70), size=st.integers(2, 10), ops=st.integers(1, 9), reveal=st.sampled_from(["start", "end"])
)
def test_an_item_is_the_same_after_a_round_trip(seed: int, size: int, ops: int, reveal: str) -> None:
    item = make(seed, size=size, ops=ops, reveal=reveal)
    line = item.to_line()
    again = Item.model_validate_json(line)
    assert again == item
    assert again.to_line() == line
    assert Item.model_validate_json(json.dumps(json.loads(line))).to_line() == line


def test_the_line_has_the_documented_fields_in_order() -> None:
    line = ITEM.to_line()
    value = json.loads(line)
    assert list(value) == [
        *("schema", "id", "family", "version", "category", "clips", "questions", "pair", "measures", "provenance"),
    ]
    assert list(value["clips"][0]) == ["file", "sha256", "width", "height", "fps", "frames", "plan", "spans"]
    assert list(value["questions"][0]) == ["id", "level", "kind", "about", "prompt", "options", "keys"]
    assert list(value["provenance"]) == ["seed", "index", "settings"]
    assert list(value["clips"][0]["plan"]) == ["start", "operations", "reveal"]
    assert value["schema"] == 1 and value["provenance"]["seed"] == "5"


def test_the_line_is_one_line_without_needless_characters() -> None:
    line = ITEM.to_line()
    assert "\n" not in line and "×" in line
    assert line == json.dumps(json.loads(line), ensure_ascii=False, separators=(",", ":"))


@given(st.dictionaries(st.text(), JSON_VALUES))
def test_canonical_json_depends_on_the_value_alone(value: dict[str, Any]) -> None:
    text = canonical_json(value)
    backwards = dict(reversed(value.items()))
    assert json.loads(text) == value
    assert canonical_json(backwards) == text == canonical_json(json.loads(text))


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_canonical_json_refuses_what_is_no_number(value: float) -> None:
    with pytest.raises(ValueError, match="JSON compliant"):
        canonical_json({"measure": [value]})


def test_the_id_is_the_documented_hash() -> None:
    plan = ITEM.clips[0].plan
    text = json.dumps({"plans": [plan], "version": ITEM.version}, sort_keys=True, separators=(",", ":"))
    assert ITEM.id == f"number-{hashlib.sha256(text.encode()).hexdigest()[:12]}"
    assert re.fullmatch(r"number-[0-9a-f]{12}", ITEM.id)


@pytest.mark.parametrize(
    "other",
    [
        {"resolution": 256},
        {"fps": 12},
        {"seconds_per_op": 3.0},
        {"reveal_seconds": 1.0},
        {"skills": "infer_state"},
    ],
)
def test_other_looks_and_other_questions_keep_the_id(other: dict[str, Any]) -> None:
    changed = make(**other)
    assert changed.id == ITEM.id
    assert changed != ITEM


def test_an_id_does_not_depend_on_the_order_of_a_plans_fields() -> None:
    plan = ITEM.clips[0].plan
    assert item_id("number", 1, [dict(reversed(plan.items()))]) == ITEM.id


def test_another_plan_family_or_version_changes_the_id() -> None:
    plan = ITEM.clips[0].plan
    operations = plan["operations"]
    start = [list(row) for row in plan["start"]]
    start[0][0], start[0][1] = start[0][1], start[0][0]
    ids = [
        ITEM.id,
        *(
            item_id("number", 1, [plan | {"operations": [*operations[:place], "other", *operations[place + 1 :]]}])
            for place in range(len(operations))
        ),
        item_id("number", 1, [plan | {"operations": operations[:-1]}]),
        item_id("number", 1, [plan | {"start": start}]),
        item_id("number", 1, [plan | {"reveal": "end"}]),
        item_id("number", 1, [plan, plan]),
        item_id("number", 2, [plan]),
        item_id("circle", 1, [plan]),
    ]
    assert len(set(ids)) == len(ids)


def changed(change: Callable[[dict[str, Any]], object]) -> str:
    value = ITEM.to_json()
    change(value)
    return json.dumps(value)


def set_to(value: Any, *path: str | int) -> Callable[[dict[str, Any]], None]:
    def change(item: Any) -> None:
        for name in path[:-1]:
            item = item[name]
        item[path[-1]] = value

    return change


@pytest.mark.parametrize("path", [(), ("clips", 0), ("questions", 0), ("provenance",)])
def test_an_unknown_field_is_refused(path: tuple[str | int, ...]) -> None:
    with pytest.raises(ValidationError, match="Extra inputs"):
        Item.model_validate_json(changed(set_to("value", *path, "surplus")))


FIELDS = [
    *((name,) for name in ITEM.to_json()),
    *(("clips", 0, name) for name in ITEM.to_json()["clips"][0]),
    *(("questions", 0, name) for name in ITEM.to_json()["questions"][0]),
    *(("provenance", name) for name in ITEM.to_json()["provenance"]),
]


@pytest.mark.parametrize("path", FIELDS)
def test_a_missing_field_is_refused(path: tuple[str | int, ...]) -> None:
    def remove(item: Any) -> None:
        for name in path[:-1]:
            item = item[name]
        del item[path[-1]]

    with pytest.raises(ValidationError, match="Field required"):
        Item.model_validate_json(changed(remove))


@pytest.mark.parametrize(
    ("value", "path"),
    [
        ("1", ("schema",)),
        (2, ("schema",)),
        (7, ("id",)),
        ("1", ("version",)),
        (1.5, ("version",)),
        (True, ("version",)),
        ([], ("clips",)),
        ("clip", ("clips", 0)),
        (0, ("clips", 0, "frames")),
        (-4, ("clips", 0, "width")),
        ("24", ("clips", 0, "fps")),
        ("ABC", ("clips", 0, "sha256")),
        ("g" * 64, ("clips", 0, "sha256")),
        ([[1, 2, 3]], ("clips", 0, "spans")),
        ([["1", 2]], ("clips", 0, "spans")),
        ("start", ("clips", 0, "plan")),
        ("riddle", ("questions", 0, "kind")),
        ("1", ("questions", 0, "level")),
        (None, ("questions", 0, "prompt")),
        ("a", ("questions", 0, "options")),
        ("left", ("questions", 0, "keys")),
        ("many", ("measures", "size")),
        (5, ("provenance", "seed")),
        ("-5", ("provenance", "seed")),
        ("5.0", ("provenance", "seed")),
        (-1, ("provenance", "index")),
        (math.nan, ("measures", "size")),
        (math.inf, ("measures", "size")),
    ],
)
def test_a_wrong_value_is_refused(value: Any, path: tuple[str | int, ...]) -> None:
    with pytest.raises(ValidationError):
        Item.model_validate_json(changed(set_to(value, *path)))


def test_a_plan_with_nan_has_no_id() -> None:
    with pytest.raises(ValueError, match="JSON compliant"):
        item_id("number", 1, [ITEM.clips[0].plan | {"speed": math.nan}])


@pytest.mark.parametrize("record", [ITEM, ITEM.clips[0], ITEM.questions[0], ITEM.provenance])
def test_records_are_frozen(record: Any) -> None:
    name = next(iter(type(record).model_fields))
    with pytest.raises(ValidationError, match="frozen"):
        setattr(record, name, getattr(record, name))
