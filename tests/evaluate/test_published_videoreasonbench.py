"""VideoReasonBench on small demos drawn by hand in the released shape, with the traps its own scorer falls into."""

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from evaluate.published.__main__ import main, read_set
from evaluate.published.questions import PublishedSet, Verdict
from evaluate.published.scoring import score

Row = dict[str, Any]

# The bottom row comes first: the board shows 1 2 3 / 4 5 6 / 7 0 8, then 7 and 4 move.
HRD: Row = {
    "num_state": 3,
    "num_operation": 2,
    "moves": ["right", "down"],
    "states": [
        [[7, 0, 8], [4, 5, 6], [1, 2, 3]],
        [[0, 7, 8], [4, 5, 6], [1, 2, 3]],
        [[4, 7, 8], [0, 5, 6], [1, 2, 3]],
    ],
}
# [x, y] from the top left, which is called (a,0): right to (a,1), down to (b,1).
GRID: Row = {
    "num_state": 3,
    "num_operation": 2,
    "moves": ["x+1", "y+1"],
    "coords": [[0, 0], [1, 0], [1, 1]],
    "states": [
        [[0, 0, 0], [0, 0, 0], [0, 0, 1]],
        [[1, 1, 1], [0, 1, 0], [0, 0, 1]],
        [[1, 0, 1], [1, 0, 1], [0, 1, 1]],
    ],
}
CUP: Row = {
    "num_state": 3,
    "num_operation": 2,
    "moves": [[[0, 0], [1, 1]], [[1, 1], [1, 2]]],
    "states": [
        [[1, 0, 0], [0, 0, 0], [0, 0, 1]],
        [[0, 0, 0], [0, 1, 0], [0, 0, 1]],
        [[0, 0, 0], [0, 0, 1], [0, 0, 1]],
    ],
}
FILE: Row = {
    "num_state": 2,
    "num_operation": 3,
    "commands": [
        "touch path0/{a.txt,b.py} path1/{c.txt}",
        "ls path0 path1",
        "touch path0/{d.txt}",
        "rm -rf path0/{d.txt,a.txt}",
        "touch path0/{d.txt}",
    ],
    # The first command is repeated, so that its first state is lost, and the last of these is no longer the end.
    "states": {
        "path0": {
            "init": ["b.py", "a.txt"],
            "touch path0/{d.txt}": ["d.txt", "b.py"],
            "rm -rf path0/{d.txt,a.txt}": ["b.py"],
        },
        "path1": {
            "init": ["c.txt"],
            "touch path0/{d.txt}": ["c.txt"],
            "rm -rf path0/{d.txt,a.txt}": ["c.txt"],
        },
    },
}
# Bottom first.
CARD: Row = {
    "num_state": 1,
    "num_operation": 2,
    "actions": ["add 3 of Clubs to pile0", "remove 7 of Spades from pile0"],
    "states": {
        "pile0": [
            ["7 of Spades", "8 of Hearts"],
            ["7 of Spades", "8 of Hearts", "3 of Clubs"],
            ["8 of Hearts", "3 of Clubs"],
        ]
    },
}
CHIP: Row = {
    "num_state": 1,
    "num_operation": 3,
    "actions": ["add 50 to cup0", "remove 20 from cup0", "add 5 to cup0"],
    "states": {"cup0": [[20, 10], [20, 10, 50], [10, 50], [10, 50, 5]]},
}

END, START = "as at the end of the video", "as at the start of the video"
HRD_END = "(a,1): 1, (a,2): 2, (a,3): 3, (b,1): 0, (b,2): 5, (b,3): 6, (c,1): 4, (c,2): 7, (c,3): 8"
HRD_GOAL = HRD_END.replace("(b,1): 0", "(b,1): 5").replace("(b,2): 5", "(b,2): 0")
GRID_START = (
    "(a,0): white\n(a,1): white\n(a,2): white\n(b,0): white\n(b,1): white\n(b,2): white\n(c,0): 0\n(c,1): 0\n(c,2): 1"
)
QUESTIONS: list[tuple[str, Row, str, str, str | None]] = [
    ("hrd", HRD, "order_operation", "Name the 1st to 2nd squares being moved.", "1st: (c,1) right\n2nd: (b,1) down"),
    ("hrd", HRD, "counting_operation", "How often was the 'downward' move performed?", "1: (b,1)"),
    ("hrd", HRD, "order_state", "What is on the board at the end of the video?", HRD_END.replace(", (", "\n(")),
    (
        "hrd",
        HRD,
        "comparison_state",
        "What differs at the start and end? Give the number at the end of the video.",
        "(b,1): 0\n(c,1): 4\n(c,2): 7",
    ),
    (
        "hrd",
        HRD,
        "prediction_state",
        f"{END}, and these moves are executed: `leftward, upward`. What then?",
        HRD_END.replace("(b,1): 0", "(b,1): 5").replace("(b,2): 5", "(b,2): 7").replace("(c,2): 7", "(c,2): 0"),
    ),
    (
        "hrd",
        HRD,
        "prediction_operation",
        f"{END}: what leads to the desired number arrangement: `{HRD_GOAL}`?",
        None,
    ),
    ("grid", GRID, "order_operation", "What are the 1st to 2nd moves?", "right, down"),
    ("grid", GRID, "counting_operation", "Given the direction `down`, how many times?", "1: (a,1)"),
    ("grid", GRID, "order_state", "Give (column, row): color at the start of the video.", GRID_START),
    (
        "grid",
        GRID,
        "comparison_state",
        "What differs at the start and end? Give the color at the end of the video.",
        "(a,0): black, (a,2): black, (b,0): black, (b,2): black, (c,1): black",
    ),
    (
        "grid",
        GRID,
        "prediction_state",
        f"{END}, and these moves are executed: `left`. What then?",
        "(a,0): 0\n(a,1): 0\n(a,2): 1\n(b,0): 0\n(b,1): 1\n(b,2): 1\n(c,0): 1\n(c,1): 1\n(c,2): 1",
    ),
    (
        "grid",
        GRID,
        "prediction_operation",
        f"{END}: what leads to the desired arrangement of pieces: `(a,0): white, (a,1): white, (a,2): black, "
        "(b,0): white, (b,1): black, (b,2): black, (c,0): black, (c,1): black, (c,2): black`?",
        None,
    ),
    ("cup", CUP, "order_operation", "What are the 1st to 2nd moves shown?", "1st: (a1, b2)\n2nd: (b2, b3)"),
    ("cup", CUP, "counting_operation", "How often were cups in the row 'b' involved?", "1st: b2\n2nd: (b2,b3)\n"),
    ("cup", CUP, "order_state", "Where are the coins at the end of the video?", "b3, c3"),
    (
        "cup",
        CUP,
        "comparison_state",
        "What differs at the start and end? Give the content at the start of the video.",
        "a1: coin, b3: empty",
    ),
    (
        "cup",
        CUP,
        "prediction_state",
        f"{START}, and these swaps are executed in order: `(a1, c1), (c3, b3)`. What then?",
        "b3, c1",
    ),
    ("cup", CUP, "prediction_operation", f"{END}: what leads to the desired distribution of coins: `a1, c3`?", None),
    (
        "file_sys",
        FILE,
        "order_operation",
        "What are the 1st to 2nd `touch` commands?",
        "1st: touch path0/{d.txt}\n2nd: touch path0/{d.txt}",
    ),
    (
        "file_sys",
        FILE,
        "counting_operation",
        "How many different `.txt` files were involved in the `rm` commands?",
        "2 `.txt` files: a.txt, d.txt",
    ),
    (
        "file_sys",
        FILE,
        "counting_state",
        "At the end of the video, how many `.txt` files remain in `path0/`?",
        "1 `.txt` files: d.txt",
    ),
    (
        "file_sys",
        FILE,
        "comparison_state",
        "What files were in `path0/` at the start of the video, but were not there at the end of the video?",
        "a.txt",
    ),
    (
        "file_sys",
        FILE,
        "prediction_state",
        f"{END}, and we run the command `mv path0/{{b.py}} path1/ & rm -rf path1/{{c.txt}}`, which are in `path1`?",
        "b.py",
    ),
    (
        "file_sys",
        FILE,
        "prediction_operation",
        f"{END}, to ensure that `path0` contains exactly the following files: `d.txt, e.py`, what is run?",
        None,
    ),
    (
        "card",
        CARD,
        "order_operation",
        "What are the 1st to 1st cards being added to any pile?",
        "1st: 3 of Clubs, pile0",
    ),
    ("card", CARD, "counting_operation", "How many cards were removed from `pile0`?", "1 cards: 7 of Spades"),
    ("card", CARD, "order_state", "At the end of the video, what is in `pile0`?", "3 of Clubs, 8 of Hearts"),
    (
        "card",
        CARD,
        "comparison_state",
        "What was in `pile0` at the end of the video, but were not there at the start of the video?",
        "3 of Clubs",
    ),
    (
        "card",
        CARD,
        "prediction_state",
        f"{END}, and we perform these actions in order: `add 2 of Clubs to pile0`. What would be in `pile0`?",
        "2 of Clubs, 3 of Clubs, 8 of Hearts",
    ),
    (
        "card",
        CARD,
        "prediction_operation",
        f"{END}, to ensure that `pile0` contains exactly the following cards from top to bottom: "
        "`Jack of Clubs, Queen of Clubs`, what is done?",
        None,
    ),
    (
        "chip",
        CHIP,
        "order_operation",
        "What are the 1st to 2nd chips being added to any cup?",
        "1st: 50, cup0\n2nd: 5, cup0",
    ),
    ("chip", CHIP, "counting_operation", "how many chips were added to `cup0`?", "2 chips: 50, 5"),
    ("chip", CHIP, "counting_state", "At the end of the video, how many chips were in `cup0`?", "3 chips: 10, 50, 5"),
    ("chip", CHIP, "comparison_state", "When is the value of chips in `cup0` higher, at start or end?", "end, 35"),
    (
        "chip",
        CHIP,
        "prediction_state",
        f"{START}, and we perform these actions in order: `remove 20 from cup0`. How many would be in `cup0`?",
        "1 chips: 10",
    ),
    (
        "chip",
        CHIP,
        "prediction_operation",
        f"{END}, to ensure that `cup0` contains exactly the following chips: `5, 50` (order does not matter), what?",
        None,
    ),
]


EMPTY_PILE = "remove 8 of Hearts from pile0, remove 3 of Clubs from pile0"


def entry(demo: Row, dim: str, words: str, answer: str | None, shown: str = "start") -> Row:
    text = (
        f"The puzzle at the end of the video. Now answer the following question:\n\n{words}\n\nGive a 'Final Answer:'"
    )
    return {"question": text, "answer": answer, "dim": dim, "visible_time": shown, **deepcopy(demo)}


def read(folder: Path, *questions: tuple[str, Row, str, str, str | None]) -> PublishedSet:
    files: dict[str, Row] = {}
    for name, demo, dim, words, answer in questions:
        key = f"state{demo['num_state']}_op{demo['num_operation']}_{dim}_start"
        files.setdefault(name, {})[key] = entry(demo, dim, words, answer)
    folder.mkdir(exist_ok=True)
    for name, rows in files.items():
        (folder / f"{name}.json").write_text(json.dumps(rows))
    return read_set("videoreasonbench", folder)


def one(name: str, dim: str) -> tuple[str, Row, str, str, str | None]:
    return next(question for question in QUESTIONS if question[0] == name and question[2] == dim)


def judge(folder: Path, question: tuple[str, Row, str, str, str | None], reply: str) -> Verdict:
    return read(folder, question).questions[0].judge(reply)


def test_hand_drawn_demos_have_no_key_errors_but_the_grids(tmp_path: Path) -> None:
    published = read(tmp_path / "q", *QUESTIONS)
    assert len(published.questions) == len(QUESTIONS) == 36
    assert list(published.findings) == [
        "grid: 2 answers give colours as 0 and 1, which their questions do not explain",
        "grid: 1 questions ask for (column, row), and their answers give (row, column)",
    ]
    assert published.notes == ()


@pytest.mark.parametrize("question", [q for q in QUESTIONS if q[4]], ids=lambda q: f"{q[0]}-{q[2]}")
def test_the_key_is_right_and_another_questions_key_is_not(
    tmp_path: Path, question: tuple[str, Row, str, str, str | None]
) -> None:
    key = question[4] or ""
    assert judge(tmp_path / "q", question, f"Here it is.\n\n**Final Answer:**\n{key}").outcome == "correct"
    assert judge(tmp_path / "q", question, f"<think>Final Answer: 9</think>Final Answer: {key}\n\nDone.").outcome == (
        "correct"
    )
    others = {q[4] for q in QUESTIONS if q[0] == question[0] and q[4]} - {key}
    for other in others:
        assert judge(tmp_path / "q", question, f"Final Answer: {other}").outcome in ("wrong", "unparsed")


@pytest.mark.parametrize(
    ("name", "plans", "wrong"),
    [
        ("hrd", ["left", "up, down, left", "down, up, left"], ["left, left, left", "none", "right"]),
        ("grid", ["left", "left, right, left, right, left"], ["down, down, left", "up"]),
        ("cup", ["(a1, b3)", "(b3, a1)", "(b3, c1), (c1, a1)"], ["(b3, b3)", "(a1, c3)", "(a1, d3)"]),
        (
            "file_sys",
            ["touch path0/{e.py} & rm -rf path0/{b.py}", "```bash\nrm path0/b.py\ntouch path0/e.py\n```"],
            ["touch path0/{d.txt,e.py} & rm -rf path0/{b.py}", "rm -rf path0/{b.py}"],
        ),
        (
            "card",
            [
                f"{EMPTY_PILE}, add Queen of Clubs to pile0, add Jack of Clubs to pile0",
                f"add Queen of Clubs to pile0, add Jack of Clubs to pile0, {EMPTY_PILE}",
            ],
            [
                # The right cards from the bottom up: right to a scorer that compares a pile with its reversed twin.
                f"{EMPTY_PILE}, add Jack of Clubs to pile0, add Queen of Clubs to pile0",
                "remove 3 of Clubs from pile0, add Queen of Clubs to pile0, add Jack of Clubs to pile0",
                EMPTY_PILE,
            ],
        ),
        (
            "chip",
            ["remove 10 from cup0", "remove 10 cup0", "add 20 to cup0, remove 20 from cup0, remove 10 from cup0"],
            ["remove 100 from cup0, remove 10 from cup0", "add 5 to cup0"],
        ),
    ],
)
def test_any_legal_plan_is_right_and_no_other(tmp_path: Path, name: str, plans: list[str], wrong: list[str]) -> None:
    question = one(name, "prediction_operation")
    for plan in plans:
        verdict = judge(tmp_path / "q", question, f"Final Answer: {plan}")
        assert (verdict.outcome, verdict.reason) == ("correct", None), plan
    for plan in wrong:
        verdict = judge(tmp_path / "q", question, f"Final Answer: {plan}")
        assert verdict.outcome == "wrong", plan
        assert verdict.reason


def test_a_plan_may_use_the_other_piles(tmp_path: Path) -> None:
    demo = deepcopy(CARD)
    demo["num_state"] = 2
    demo["states"]["pile1"] = [["King of Hearts"]] * 3
    question = ("card", demo, *one("card", "prediction_operation")[2:])
    plan = f"add 2 of Hearts to pile1, {EMPTY_PILE}, add Queen of Clubs to pile0, add Jack of Clubs to pile0"
    assert judge(tmp_path / "q", question, f"Final Answer: {plan}").outcome == "correct"


@pytest.mark.parametrize(
    ("name", "dim", "reply", "outcome"),
    [
        ("card", "order_state", "Final Answer: 8 of Hearts, 3 of Clubs", "wrong"),  # bottom to top
        ("card", "counting_operation", "Final Answer: 2 cards: 7 of Spades", "unparsed"),
        ("card", "order_operation", "Final Answer: 3 of Clubs, pile0", "correct"),
        ("card", "order_operation", "Final Answer: 2nd: 3 of Clubs, pile0", "wrong"),
        ("hrd", "order_operation", "Final Answer: 1st: (a,1) right, 2nd: (b,1) down", "wrong"),  # rows upside down
        ("hrd", "order_operation", "Final Answer:\n1. 1st: (c,1), right\n2. 2nd: b1 moved down", "correct"),
        ("hrd", "counting_operation", "Final Answer: The 'downward' move was performed 1 times: (b,1)", "correct"),
        ("hrd", "counting_operation", "Final Answer: 1", "unparsed"),
        ("hrd", "comparison_state", "Final Answer: (b,1): 0, (b,1): 4, (c,1): 4, (c,2): 7", "unparsed"),
        ("grid", "counting_operation", "Final Answer: 1: (a,2)", "wrong"),
        (
            "grid",
            "order_state",
            f"Final Answer: {GRID_START.replace(' 0', ' white').replace(': 1', ': black')}",
            "correct",
        ),
        ("cup", "order_operation", "Final Answer: 2nd: (b3, b2), 1st: (b2, a1)", "correct"),
        ("cup", "order_state", "Final Answer: The coins are at c3 and b3.", "correct"),
        ("cup", "order_state", "Final Answer: c3, b3, b3 or a1", "unparsed"),
        ("cup", "order_state", "I am sorry, but I cannot view the video.", "refused"),
        ("cup", "order_state", "<think>b3, c3", "unparsed"),
        ("cup", "order_state", "", "unparsed"),
        ("chip", "comparison_state", "Final Answer: {end}, {35}", "correct"),
        ("chip", "comparison_state", "Final Answer: start, 35", "wrong"),
        ("chip", "counting_state", "Final Answer: 3 chips: 5, 10, 50", "correct"),
        ("chip", "counting_state", "__import__('os').system('true')", "unparsed"),
        ("file_sys", "counting_state", "Final Answer: 1 file: path0/d.txt", "correct"),
        (
            "file_sys",
            "order_operation",
            "Final Answer: 1st: `touch path0/{d.txt}`, 2nd: `touch path0/d.txt`",
            "correct",
        ),
    ],
)
def test_replies_are_read_as_they_are_written(tmp_path: Path, name: str, dim: str, reply: str, outcome: str) -> None:
    assert judge(tmp_path / "q", one(name, dim), reply).outcome == outcome


def test_an_endless_reply_is_unparsed(tmp_path: Path) -> None:
    for name, dim in (("hrd", "order_state"), ("cup", "order_operation"), ("card", "order_operation")):
        for text in ("(a,1): 1, " * 100_000, "1st: " * 200_000, " " * 1_000_000, "the " * 5_000, "1 " * 9_000):
            assert judge(tmp_path / "q", one(name, dim), f"Final Answer: {text}").outcome in ("unparsed", "wrong")


def test_wrong_keys_are_found_and_the_truth_counts(tmp_path: Path) -> None:
    published = read(
        tmp_path / "q",
        ("card", CARD, *one("card", "order_state")[2:4], "8 of Hearts, 3 of Clubs"),
        ("card", CARD, *one("card", "counting_operation")[2:4], "many"),
        ("cup", CUP, *one("cup", "order_state")[2:4], None),
        ("chip", CHIP, "counting_state", "Some words of another time in `cup0`.", "3 chips: 10, 50, 5"),
        ("hrd", HRD, "prediction_state", f"{END}, and these moves are executed: `rightward`.", HRD_END),
    )
    assert sorted(published.findings) == [
        "card_state1_op2_counting_operation_start: its answer 'many' cannot be read: 'many' is none of the things "
        "asked for: cards as in 6 of Hearts, King of Clubs",
        "card_state1_op2_order_state_start: its answer '8 of Hearts, 3 of Clubs' is not what its demo shows: "
        '["3 of Clubs", "8 of Hearts"]',
        "chip_state1_op3_counting_state_start: cannot be checked: its words are none that are known",
        "cup_state3_op2_order_state_start: has no answer",
        "hrd_state3_op2_prediction_state_start: it adds operations that break the rules: number: operation 0 (right) "
        "is illegal: no tile beside the blank can travel right",
    ]
    judges = {question.id.rpartition("_start")[0]: question.judge for question in published.questions}
    assert judges["card_state1_op2_order_state"]("Final Answer: 3 of Clubs, 8 of Hearts").outcome == "correct"
    assert judges["card_state1_op2_order_state"]("Final Answer: 8 of Hearts, 3 of Clubs").outcome == "wrong"
    assert judges["cup_state3_op2_order_state"]("Final Answer: b3, c3").outcome == "correct"
    assert judges["chip_state1_op3_counting_state"]("Final Answer: 5, 10, 50").outcome == "correct"
    assert published.notes == (
        "2 questions are judged by the stored answer: their demo or their words could not be read",
    )


@pytest.mark.parametrize(
    ("name", "change", "problem"),
    [
        (
            "hrd",
            {"moves": ["left", "left", "left"]},
            "its demo breaks the rules: number: operation 1 (left) is illegal",
        ),
        ("hrd", {"moves": ["right", "jump"]}, "its demo cannot be read: 'jump' is no operation"),
        ("hrd", {"moves": ["right"]}, "stores 3 states for 1 operations"),
        ("hrd", {"states": [HRD["states"][0], HRD["states"][2], HRD["states"][1]]}, "state 1 is not what"),
        ("hrd", {"states": [row[::-1] for row in HRD["states"]]}, "its demo breaks the rules"),  # rows from the top
        ("hrd", {"states": 5}, "its demo cannot be read: expected a list, not 5"),
        ("hrd", {"states": []}, "its demo cannot be read"),
        ("hrd", {"moves": None}, "its demo cannot be read"),
        ("grid", {"coords": [[0, 0]]}, "its demo cannot be read"),
        ("grid", {"coords": [[0, 0], [1, 0], [2, 2]]}, "state 2 is not what"),
        ("cup", {"moves": [[[0, 0], [1, 1]], [[1, 1], [-1, 2]]]}, "its demo cannot be read: expected a cell"),
        ("cup", {"moves": [[[0, 0], [1, 10**30]]]}, "its demo cannot be read"),
        ("file_sys", {"commands": ["touch path0/{a.txt}", ""]}, "its demo cannot be read"),
        ("file_sys", {"states": {"path0": {}}}, "its demo cannot be read"),
        ("card", {"states": {"pile0": [["Joker"]]}}, "its demo cannot be read: expected cards"),
        ("card", {"actions": ["add 7 of Spades to pile0"] * 2}, "its demo breaks the rules: card: operation 0"),
        ("chip", {"states": {"cup0": [[20, "10"]]}}, "its demo cannot be read"),
        ("chip", {"states": {"cup0": [[True, 10]]}}, "its demo cannot be read"),
    ],
)
def test_bad_demos_are_findings_and_the_stored_answer_stands(
    tmp_path: Path, name: str, change: Row, problem: str
) -> None:
    dim = "counting_state" if name in ("chip", "file_sys") else "order_state"
    _, demo, _, words, key = one(name, dim)
    broken = {**demo, **change}
    published = read(
        tmp_path / "q", (name, broken, dim, words, key), (name, broken, *one(name, "prediction_operation")[2:])
    )
    assert any(problem in finding for finding in published.findings), published.findings
    state, plan = published.questions
    assert state.judge(f"Final Answer: {key}").outcome in ("correct", "wrong")
    if published.notes:  # the demo is lost: the stored answer is all there is, and no plan can be replayed
        assert state.judge(f"Final Answer: {key}").outcome == "correct"
        assert plan.judge("Final Answer: none").outcome == "wrong"


def test_goals_that_are_none(tmp_path: Path) -> None:
    found = read(
        tmp_path / "q",
        ("cup", CUP, "prediction_operation", f"{END}: the desired distribution of coins: `b3, c3`?", None),
        ("hrd", HRD, "prediction_operation", f"{END}: the desired number arrangement: `(a,1): 1`?", None),
        (
            "card",
            CARD,
            "prediction_operation",
            f"{END}, to ensure that `pile0` contains exactly the following cards: `7 of Spades`, what?",
            None,
        ),
        (
            "chip",
            CHIP,
            "prediction_operation",
            f"{END}, to ensure that `cup3` contains exactly the following chips: `5`, what?",
            None,
        ),
    ).findings
    assert sorted(finding.partition(": ")[2] for finding in found) == [
        "its goal cannot be read: its goal does not name every cell of the board once",
        "its goal cannot be read: its goal is about cup3, which is not there",
        "its goal holds already",
        "no plan leads to its goal: card: the goal needs the 7 of Spades in pile0, which cannot be added any more",
    ]


def test_scores_by_the_sets_own_groups(tmp_path: Path) -> None:
    published = read(tmp_path / "q", *QUESTIONS)
    lines = [
        {
            "id": f"{name}_state{demo['num_state']}_op{demo['num_operation']}_{dim}_start",
            "reply": f"Final Answer: {key}",
        }
        for name, demo, dim, _, key in QUESTIONS
        if key
    ]
    replies = tmp_path / "replies.jsonl"
    replies.write_text("".join(json.dumps(line) + "\n" for line in lines))
    tables = score(published, replies).tables
    assert {skill: (sum(g.is_right), len(g.is_right)) for skill, g in tables["skill"].items()} == {
        "recall_order": (6, 6),
        "recall_count": (6, 6),
        "infer_state": (6, 6),
        "compare_state": (6, 6),
        "predict_state": (6, 6),
        "predict_operation": (0, 6),
    }
    assert dict(tables["overall"]["all"].outcomes) == {"correct": 30, "missing": 6}
    assert set(tables["world"]) == {"hrd", "grid", "cup", "file_sys", "card", "chip"}


@pytest.mark.parametrize(
    ("name", "change", "problem"),
    [
        ("hrd", {"dim": "telepathy"}, 'expected "dim" as one of'),
        ("hrd", {"dim": ["order_state"]}, 'expected "dim" as one of'),
        ("hrd", {"visible_time": None}, 'expected "visible_time" as one of start, end'),
        ("hrd", {"num_state": "3"}, 'expected "num_state" as a whole number'),
        ("hrd", {"answer": 5}, 'expected "question" as a text and "answer" as a text or null'),
        ("questions", {}, "which demo is this?"),
    ],
)
def test_malformed_entries_are_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, change: Row, problem: str
) -> None:
    file = tmp_path / f"{name}.json"
    file.write_text(json.dumps({"state3_op2_order_state_start": entry(HRD, *one("hrd", "order_state")[2:]) | change}))
    with pytest.raises(SystemExit) as left:
        main(["keys", "videoreasonbench", str(file)])
    printed = capsys.readouterr()
    assert (left.value.code, printed.out, printed.err.count("\n")) == (2, "", 1)
    assert problem in printed.err
