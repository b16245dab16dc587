"""Natural spellings of a right answer about files, each of which must score right, and near misses that must not."""

import pytest

from generators.family import family
from generators.item import Item, Question
from generators.sampling import Part, make_items
from verifier.scoring import judge


def asked(question_id: str, reveal: str = "start") -> tuple[Item, Question]:
    """A question whose key has at least two entries."""
    settings = family("file").settings.model_validate({"paths": 2, "ops": 6, "reveal": reveal})
    for item in make_items(Part("file", settings, 50), 3):
        for question in item.questions:
            if question.id == question_id and len(question.keys[0]) > 1:
                return item, question
    raise AssertionError(question_id)


def outcome(found: tuple[Item, Question], reply: str) -> str:
    return judge(*found, 0, reply).outcome


@pytest.mark.parametrize("reveal", ["start", "end"])
def test_files_may_carry_their_own_path_and_stand_as_ls_lists_them(reveal: str) -> None:
    found = asked("infer_state", reveal)
    question = found[1]
    names, part = question.keys[0], question.about["part"]
    other = "path1" if part == "path0" else "path0"
    for reply in (
        ", ".join(names),
        "  ".join(reversed(names)),
        "\n".join(f"- {name}" for name in names),
        ", ".join(f"{part}/{name}" for name in names),
        f"{part}/{{{','.join(names)}}}",
        f"`{part}/{names[0]}` and `./{part}/{names[1]}`" + "".join(f", {name}" for name in names[2:]),
    ):
        assert outcome(found, f"Final Answer: {reply}") == "correct", reply
    for reply in (
        ", ".join(names[1:]),
        ", ".join([*names, "zzz.txt"]),
        "none",
    ):
        assert outcome(found, f"Final Answer: {reply}") == "wrong", reply
    for reply in (
        ", ".join(f"{other}/{name}" for name in names),
        ", ".join(f"/home/{part}/{name}" for name in names),
        "I am not sure",
    ):
        assert outcome(found, f"Final Answer: {reply}") == "unparsed", reply


def test_files_are_the_same_in_either_case() -> None:
    found = asked("infer_state")
    assert outcome(found, "Final Answer: " + ", ".join(name.title() for name in found[1].keys[0])) == "correct"


def test_a_command_is_the_same_in_whatever_order_it_lists_its_files() -> None:
    found = asked("recall_order")
    question = found[1]
    turned = []
    for text in question.keys[0]:
        before, brace, names = text.partition("{")
        listed, end, after = names.partition("}")
        turned.append(before + brace + ",".join(reversed(listed.split(","))) + end + after)
    assert outcome(found, "Final Answer: " + ", ".join(turned)) == "correct"
    assert outcome(found, "Final Answer: " + ", ".join(reversed(question.keys[0]))) == "wrong"


def test_a_path_may_end_with_a_slash() -> None:
    found = _, question = asked("recall_count")
    assert outcome(found, "Final Answer: " + ", ".join(f"{path}/" for path in question.keys[0])) == "correct"
