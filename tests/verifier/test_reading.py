"""Replies as models write them, each with the answer that a careful person reads in it, or why there is none."""

import json
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulators.contract import IllegalOperation, replay
from simulators.worlds import worlds
from verifier.reading import KINDS, REASONS, Answer, Unparsed, read_reply

CASES_FILE = Path(__file__).parent.parent / "cases" / "replies.jsonl"
CASES = [json.loads(line) for line in CASES_FILE.read_text(encoding="utf-8").splitlines()]
DIRECTIONS = ["moves left", "moves right"]
FOUR = ["left", "right", "up", "down"]


def reading_of(kind: str, reply: str, options: list[str] | None = None, world: str | None = None) -> Any:
    """The value read, as plain data, or the category of the failure."""
    rules = worlds()[world] if world else None
    reading = read_reply(kind, reply, options=options, world=rules)
    if isinstance(reading, Unparsed):
        assert reading.category in REASONS
        assert reading.reason.startswith(reading.category)
        return "!" + reading.category
    if kind == "operations" and rules:
        return [rules.write_operation(operation) for operation in reading.value]
    return reading.value


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_labelled_replies(case: dict[str, Any]) -> None:
    rules = worlds()[case["world"]] if "world" in case else None
    reading = read_reply(case["kind"], case["reply"], options=case.get("options"), world=rules)
    got = reading.value if isinstance(reading, Answer) else "unparsed"
    if rules and isinstance(reading, Answer):
        start, goal = rules.read_state(case["start"]), rules.read_goal(case["goal"])
        try:
            rules.plan_limits(reading.value)
            got = "correct" if rules.goal_of(replay(rules, start, reading.value).end) == goal else "wrong"
        except (IllegalOperation, ValueError):
            got = "wrong"
    assert got == case["expect"]


YES_NO: list[tuple[str, str]] = [
    ("yes", "yes"),
    ("YES!", "yes"),
    ("*Yes*", "yes"),
    ("_no_", "no"),
    ("`No`", "no"),
    ("'yes'", "yes"),
    ("“No.”", "no"),
    ("(yes)", "yes"),
    ("[No]", "no"),
    ("$\\text{Yes}$", "yes"),
    ("\u200bYes\u0000", "yes"),
    ("\x1b[1mYes\x1b[0m", "yes"),
    ("Yes", "yes"),
    ("Ｎｏ", "no"),
    ("Yes, it does.", "yes"),
    ("Yes it does", "yes"),
    ("No, it slows down", "no"),
    ("No — it slows down", "no"),
    ("No because the disc is slower", "no"),
    ("Yes, no doubt about it.", "yes"),
    ("Yes, the disc does not turn.", "yes"),
    ("I think yes.", "yes"),
    ("Probably no", "no"),
    ("Yes.\n\nNo other disc moves.", "yes"),
    ("The disc speeds up.\nYes", "yes"),
    ("The disc speeds up. Yes.", "yes"),
    ("Answer: Yes.", "yes"),
    ("**Answer:** No", "no"),
    ("### Final Answer\n\nNo", "no"),
    ("**Final Answer**: Yes", "yes"),
    ("FINAL ANSWER - no", "no"),
    ("Final Answer no", "no"),
    ("The final answer is: **No**", "no"),
    ("So the answer to the question is no.", "no"),
    ("Answer = yes", "yes"),
    ('{"answer": "Yes"}', "yes"),
    ("The answer is yes, the disc speeds up", "yes"),
    ("The final answer is $\\boxed{\\text{No}}$.", "no"),
    ("\\[\\boxed{Yes}\\]", "yes"),
    ("<answer>\nNo\n</answer>", "no"),
    ("<answer>No", "no"),
    ("<ANSWER>The answer is no</ANSWER>", "no"),
    ("<answer>\\boxed{Yes}</answer>", "yes"),
    ("Yes is my final answer.", "yes"),
    ("Final Answer: No. That is my final answer.", "no"),
    ("Final Answer: No\nThis is my final answer.", "no"),
    ("Here is my final answer.\nYes", "yes"),
    ("Final Answer: Yes\n\nNo, wait.", "yes"),
    ("Answer: yes\nAnswer: no", "no"),
    ("The answer is yes... Final Answer: no", "no"),
    ("It slows down at the end, so no", "no"),
    ("I cannot view videos, but the answer is yes", "yes"),
    ("<think>No.</think>\n\nYes", "yes"),
    ("<THINK>No.</THINK>Yes", "yes"),
    ("<thinking>No</thinking>Yes", "yes"),
    ("<reasoning>Final Answer: no</reasoning>Yes", "yes"),
    ("◁think▷No◁/think▷Yes", "yes"),
    ("I lean to no.</think>Yes", "yes"),
    ("<think>a <think> b </think> c</think>Yes", "yes"),
    ("<think>Final Answer: no</think>", "!empty"),
    ("<think>a</think><think>b", "!truncated"),
    ("◁think▷Yes", "!truncated"),
    ("   \n\t", "!empty"),
    ("\u200b", "!empty"),
    ("Final Answer:", "!truncated"),
    ("It speeds up. The answer is", "!truncated"),
    ("**Final Answer:**", "!truncated"),
    ("\\boxed{Ye", "!truncated"),
    ("<answer></answer>", "!empty"),
    ("Final Answer: Yes\nExplanation: it speeds up. No other changes happen.", "yes"),
    ("Based on the video, no.", "no"),
    ("The answer's no", "no"),
    ("Final Answer (yes or no): yes", "yes"),
    ("Final Answer：Yes。", "yes"),
    ('{"final_answer": "no", "confidence": 0.9}', "no"),
    ("<answer> No </answer><|im_end|>", "no"),
    ("Yes<|end_of_box|>", "yes"),
    ("Yes<|im_end|>", "yes"),
    ("Answer:\n- Yes", "yes"),
    ("Final Answer: Yes. Final Answer: ", "!truncated"),
    ("No, sorry, yes", "!ambiguous"),
    ("Yes, but also no", "!ambiguous"),
    ("Yes -> no", "!ambiguous"),
    ("It is unclear. The answer is yes or no, depending.", "!ambiguous"),
    ("No way to tell", "!unreadable"),
    ("Final Answer: no answer", "!unreadable"),
    ("Yes and no", "!ambiguous"),
    ("Yes/No", "!ambiguous"),
    ("Yes. No wait", "!ambiguous"),
    ("Yes, or rather no", "!ambiguous"),
    ("Yes (or no)", "!ambiguous"),
    ("Yes\nNo", "!ambiguous"),
    ("\\boxed{Yes} or \\boxed{No}", "!ambiguous"),
    ("No rotation", "!unreadable"),
    ("No idea", "!unreadable"),
    ("There is no doubt", "!unreadable"),
    ("Not yes", "!unreadable"),
    ("Final Answer: maybe", "!unreadable"),
    ("The answer is yes.\nFinal Answer: unclear", "!unreadable"),
    ("I don't know what the answer is.", "!unreadable"),
    ("The answer isn't yes", "!unreadable"),
    ("Yesterday", "!unreadable"),
    ("I'm sorry, but I can't help with that.", "!refused"),
    ("I cannot view videos.", "!refused"),
    ("No, I cannot view videos.", "!refused"),
    ("I'm not able to watch videos.", "!refused"),
    ("I cannot determine it from these frames.", "!unreadable"),
    ("As an AI language model, I am unable to watch the clip.", "!refused"),
]

CHOICE: list[tuple[list[str], str, str]] = [
    (FOUR, "A red square moves to the right, so B", "B"),
    (FOUR, "The first frames suggest A, but A is wrong. The answer is B because A shows left.", "B"),
    (FOUR, "<think>Could be A... or D</think>B", "B"),
    (FOUR, "<think>Could be A or D", "!truncated"),
    (FOUR, "A and B are both possible; I choose C.", "C"),
    (FOUR, "Best Option: (A)", "A"),
    (FOUR, "**Best answer:** [C]", "C"),
    (FOUR, "The correct option is D.", "D"),
    (FOUR, "The correct choice is (b)", "B"),
    (FOUR, "B)", "B"),
    (FOUR, "[B]", "B"),
    (FOUR, "{b}", "B"),
    (FOUR, "b.", "B"),
    (FOUR, "option b", "B"),
    (FOUR, "Option (C)", "C"),
    (FOUR, "B - right", "B"),
    (FOUR, "B: right", "B"),
    (FOUR, "(B) right", "B"),
    (FOUR, "B right", "B"),
    (FOUR, "b) right", "B"),
    (FOUR, "right (B)", "B"),
    (FOUR, "RIGHT.", "B"),
    (FOUR, '"right"', "B"),
    (FOUR, "**B**: right", "B"),
    (FOUR, "B, because A shows left", "B"),
    (FOUR, "B, not A", "B"),
    (FOUR, "B (A is wrong)", "B"),
    (FOUR, "B is correct.", "B"),
    (FOUR, "A is wrong. B is correct.", "B"),
    (FOUR, "I'd go with D", "D"),
    (FOUR, "I would say C.", "C"),
    (FOUR, "My answer would be C", "C"),
    (FOUR, "It's B", "B"),
    (FOUR, "B is the final answer.", "B"),
    (FOUR, "I think B is my final answer", "B"),
    (FOUR, "The disc travels for a while.\n\nB", "B"),
    (FOUR, "B\n\nThe disc starts on the left, A.", "B"),
    (FOUR, "Final Answer: a", "A"),
    (FOUR, "Final Answer:\n\n**C**\n\nBecause D is wrong.", "C"),
    (FOUR, "\\boxed{\\textbf{(D)}}", "D"),
    (FOUR, "$\\boxed{B. \\text{ right}}$", "B"),
    (FOUR, "Ｂ", "B"),
    (FOUR, "Answer: A. Hmm, no, I pick D", "D"),
    (["yes", "no", "equal"], "no", "B"),
    (FOUR, "Final Answer: B\nA shows left.", "B"),
    (FOUR, "B\n\nThe disc travels right, so A", "!ambiguous"),
    (FOUR, "B\n\nThe disc travels right, so B", "B"),
    (FOUR, "b, because it travels right", "B"),
    (FOUR, "Selected option: B", "B"),
    (FOUR, "Ans: B", "B"),
    (FOUR, "A is the answer? No, B is the answer.", "B"),
    (FOUR, '{"answer": "B", "explanation": "A is wrong"}', "B"),
    (FOUR, "left then up", "!ambiguous"),
    (FOUR, "Answer: (A) left or (B) right", "!ambiguous"),
    (FOUR, "Answer: A is not correct", "!unreadable"),
    (FOUR, "The answer is neither A nor B", "!unreadable"),
    (["1", "2", "3"], "three", "C"),
    (["1", "2", "3"], "3 times", "C"),
    (["1", "2", "3"], "C", "C"),
    (["1", "2", "3"], "2", "B"),
    (["1", "2", "3"], "(C) 3", "C"),
    (["1", "2", "3"], "2.5", "!unreadable"),
    (["1", "2", "3"], "2 or 3", "!ambiguous"),
    (["B", "A"], "A", "!ambiguous"),
    (["B", "A"], "A: B", "A"),
    (["A disc", "a cup"], "A disc", "A"),
    (["A disc", "a cup"], "a cup", "B"),
    (["Clockwise", "Clockwise then back"], "Clockwise then back", "B"),
    (["Clockwise", "Clockwise then back"], "Clockwise then forth", "!unreadable"),
    (["left, then right", "right, then left"], "left, then right", "A"),
    ([str(n) + " discs" for n in range(9)], "I", "I"),
    ([str(n) + " discs" for n in range(9)], "I think the disc stops", "!unreadable"),
    ([str(n) + " discs" for n in range(9)], "I, personally, saw nothing", "!unreadable"),
    (DIRECTIONS, "A disc", "!unreadable"),
    (DIRECTIONS, "a disc moves right", "!unreadable"),
    (DIRECTIONS, "Final Answer: A disc moves right", "!unreadable"),
    (DIRECTIONS, "Not A", "!unreadable"),
    (DIRECTIONS, "The answer is not A", "!unreadable"),
    (DIRECTIONS, "Not sure", "!unreadable"),
    (DIRECTIONS, "Z", "!unreadable"),
    (DIRECTIONS, "Final Answer: C", "!unreadable"),
    (DIRECTIONS, "Bravo", "!unreadable"),
    (DIRECTIONS, "A: moves right", "!ambiguous"),
    (DIRECTIONS, "A or B", "!ambiguous"),
    (DIRECTIONS, "A/B", "!ambiguous"),
    (DIRECTIONS, "A, B", "!ambiguous"),
    (DIRECTIONS, "A. Actually B", "!ambiguous"),
    (DIRECTIONS, "Either A or B", "!ambiguous"),
    (DIRECTIONS, "A\nB", "!ambiguous"),
    (DIRECTIONS, "A: moves left\nB: moves right", "!ambiguous"),
    (DIRECTIONS, "Answer: B\nFinal Answer: it is hard to say", "!unreadable"),
    (DIRECTIONS, "I'm sorry, but I can't view the video.", "!refused"),
]

INTEGER: list[tuple[str, int | str]] = [
    ("0", 0),
    ("+3", 3),
    ("−2", -2),
    ("３", 3),
    ("٣", 3),
    ("𝟑", 3),
    ("03", 3),
    ("3.", 3),
    ("3.0", 3),
    ("1,234", 1234),
    ("**3**", 3),
    ("[3]", 3),
    ("(3)", 3),
    ("$3$", 3),
    ("three", 3),
    ("Twenty-one", 21),
    ("twenty one", 21),
    ("ninety-nine times", 99),
    ("a hundred", 100),
    ("once", 1),
    ("Twice.", 2),
    ("thrice", 3),
    ("None", 0),
    ("no times", 0),
    ("zero", 0),
    ("3 (three)", 3),
    ("three (3)", 3),
    ("N = 3", 3),
    ("2 + 1 = 3", 3),
    ("about 3", 3),
    ("exactly 3 times", 3),
    ("3 bounces", 3),
    ("3 full turns", 3),
    ("It bounces 3 times", 3),
    ("It bounces twice.", 2),
    ("There are three bounces", 3),
    ("There are 3.", 3),
    ("The number of bounces is 3.", 3),
    ("I counted 4 bounces", 4),
    ("3 out of 5", 3),
    ("3 of the 5 discs", 3),
    ("3 times in 4 seconds", 3),
    ("3, since 2 come from the left and 1 from the right", 3),
    ("3: at 1 s, 2 s and 4 s", 3),
    ("3 (frames 10, 20 and 30)", 3),
    ("It bounces at 1, 2 and 4 s.\n3", 3),
    ("Two from the left, two from the right, so 4", 4),
    ("The answer is 3.", 3),
    ("The answer is 3 because it bounces at 1, 2 and 4 s", 3),
    ("Final Answer: 3\n\nIt may also be 4.", 3),
    ("\\boxed{3}", 3),
    ("\\boxed{3\\text{ times}}", 3),
    ("It is \\boxed{2}, no: \\boxed{3}", 3),
    ("3 is my final answer.", 3),
    ("Final Answer: 3\nIt bounces at 1, 2 and 4 s.", 3),
    ("3 instead of 4", 3),
    ("3, not 4", 3),
    ("Total: 3", 3),
    ("Two left. One right. So in total 3.", 3),
    ("3.000", "!unreadable"),
    (">3", "!unreadable"),
    ("3 or more", "!unreadable"),
    ("up to 3", "!unreadable"),
    ("1e3", "!unreadable"),
    ("Answer: frame 3", "!unreadable"),
    ("Answer: 3 (maybe 4)", "!ambiguous"),
    ("The red disc bounces 3 times and the blue disc 2 times.", "!ambiguous"),
    ("at least 3", "!unreadable"),
    ("more than 3", "!unreadable"),
    ("not 3", "!unreadable"),
    ("3.5", "!unreadable"),
    ("3,5", "!unreadable"),
    ("1,23", "!unreadable"),
    ("3²", "!unreadable"),
    ("½", "!unreadable"),
    ("3½", "!unreadable"),
    ("3/4", "!unreadable"),
    ("3:30", "!unreadable"),
    ("3%", "!unreadable"),
    ("3-4", "!unreadable"),
    ("3–4", "!unreadable"),
    ("three and a half", "!unreadable"),
    ("3rd", "!unreadable"),
    ("disc 3", "!unreadable"),
    ("It stops in lane 2", "!unreadable"),
    ("Many times", "!unreadable"),
    ("One moment, please", "!unreadable"),
    ("9" * 5000, "!unreadable"),
    ("3 or 4", "!ambiguous"),
    ("3 (4)", "!ambiguous"),
    ("3, 4", "!ambiguous"),
    ("3. No wait, 4.", "!ambiguous"),
    ("3, maybe 4", "!ambiguous"),
    ("3 and 4", "!ambiguous"),
    ("between 3 and 4", "!ambiguous"),
    ("2 left and 3 right", "!ambiguous"),
    ("3 to 4", "!ambiguous"),
    ("3\n4", "!ambiguous"),
    ("\\boxed{3}, \\boxed{4}", "!ambiguous"),
    ("3\nFinal Answer: I lost count", "!unreadable"),
]

BOARD_CASES: list[tuple[str, Any]] = [
    ("[[1, 2], [3, 0]]", [[1, 2], [3, 0]]),
    ("[[1,2],\n [3,0]]", [[1, 2], [3, 0]]),
    ("[1, 2]\n[3, 0]", [[1, 2], [3, 0]]),
    ("[1 2]\n[3 0]", [[1, 2], [3, 0]]),
    ("[[1 2]\n [3 0]]", [[1, 2], [3, 0]]),
    ("[1 2; 3 0]", [[1, 2], [3, 0]]),
    ("((1, 2), (3, 0))", [[1, 2], [3, 0]]),
    ("np.array([[1, 2], [3, 0]])", [[1, 2], [3, 0]]),
    ("[['1', '2'], ['3', '_']]", [[1, 2], [3, 0]]),
    ('[["x", 2], ["X", "same"]]', [["x", 2], ["x", "x"]]),
    ("1 2\n3 0", [[1, 2], [3, 0]]),
    ("1, 2\n3, 0", [[1, 2], [3, 0]]),
    ("1\t2\n3\t_", [[1, 2], [3, 0]]),
    ("1 2\n3 blank", [[1, 2], [3, 0]]),
    ("1 2; 3 0", [[1, 2], [3, 0]]),
    ("1 2 / 3 0", [[1, 2], [3, 0]]),
    ("1 2, 3 0", [[1, 2], [3, 0]]),
    ("= 2\n3 =", [["x", 2], [3, "x"]]),
    ("```\n1 2\n3 0\n```", [[1, 2], [3, 0]]),
    ("```json\n[[1, 2], [3, 0]]\n```", [[1, 2], [3, 0]]),
    ("| 1 | 2 |\n|---|---|\n| 3 | 0 |", [[1, 2], [3, 0]]),
    ("|   | 1 | 2 |\n|---|---|---|\n| a | 4 | 2 |\n| b | 3 |  |", [[4, 2], [3, 0]]),
    ("| 1 | 2 |\n|---|---|\n| 3 | 0 |\n| 1 | 2 |", [[3, 0], [1, 2]]),
    ("  1 2\na 3 0\nb 1 2", [[3, 0], [1, 2]]),
    ("a: 1 2\nb: 3 0", [[1, 2], [3, 0]]),
    ("Row 1: 1 2\nRow 2: 3 0", [[1, 2], [3, 0]]),
    ("row a: 1 2\nrow b: 3 0", [[1, 2], [3, 0]]),
    ("The final board is:\n1 2\n3 0", [[1, 2], [3, 0]]),
    ("Final Answer: The final board is:\n\n1 2\n3 0\n\nThe blank is last.", [[1, 2], [3, 0]]),
    ("The tiles move.\n\n[[1, 2], [3, 0]]", [[1, 2], [3, 0]]),
    ("Final Answer: [[1, 2], [3, 0]]. The blank is last.", [[1, 2], [3, 0]]),
    ("\\boxed{\\begin{bmatrix} 1 & 2 \\\\ 3 & 0 \\end{bmatrix}}", [[1, 2], [3, 0]]),
    ("<answer>[[1, 2], [3, 0]]</answer>", [[1, 2], [3, 0]]),
    ("[[1, 2], [3, 0]] or [[1, 2], [0, 3]]", "!ambiguous"),
    ("[[1, 2], [0, 3]]\n\n[[1, 2], [3, 0]]", "!ambiguous"),
    ("Row 1: [1, 2]\nRow 2: [3, 0]", [[1, 2], [3, 0]]),
    ("{{1, 2}, {3, 0}}", [[1, 2], [3, 0]]),
    ("Start: [[1, 2], [0, 3]] End: [[1, 2], [3, 0]]", "!ambiguous"),
    ("1 2\n\n3 0", "!ambiguous"),
    ("[[1, 2], [3", "!truncated"),
    ("[[1, 2], [3]]", "!unreadable"),
    ("1 2\n3", "!unreadable"),
    ("1 2\n3 q", "!unreadable"),
    ("[[1, 2], [3, 0.5]]", "!unreadable"),
    ("not [[1, 2], [3, 0]]", "!unreadable"),
    ("The board is solved", "!unreadable"),
    ("__import__('os')", "!unreadable"),
]

LISTS: list[tuple[str, str, Any]] = [
    ("cells", "b3, b2", ["b2", "b3"]),
    ("cells", "['B3', 'b2']", ["b2", "b3"]),
    ("cells", "b3 and b2", ["b2", "b3"]),
    ("cells", "b3, b2, and a10.", ["a10", "b2", "b3"]),
    ("cells", "(b3), (b2)", ["b2", "b3"]),
    ("cells", "- b3\n- a10\n- a9", ["a9", "a10", "b3"]),
    ("cells", "1. b3\n\n2. b2", ["b2", "b3"]),
    ("cells", "3: b2, c1, c1", ["b2", "c1", "c1"]),
    ("cells", "3 times: b2, c1, c1", ["b2", "c1", "c1"]),
    ("cells", "three moves: b2, c1 and c1", ["b2", "c1", "c1"]),
    ("cells", "Final Answer: **b2**, **c1**", ["b2", "c1"]),
    ("cells", "None", []),
    ("cells", "No cells.", []),
    ("cells", "[]", []),
    ("cells", "0 times: none", []),
    ("cells", "\\boxed{b2, c1}", ["b2", "c1"]),
    ("cells", "3 (b2, c1, c1)", ["b2", "c1", "c1"]),
    ("cells", "It happened 2 times, at b2 and c1.", ["b2", "c1"]),
    ("cells", "2, b2, c1", ["b2", "c1"]),
    ("cells", "zero", []),
    ("cells", "b2 or c1", "!unreadable"),
    ("cells", "3: b2, c1", "!ambiguous"),
    ("cells", "b2, c1, z9", "!unreadable"),
    ("cells", "b2, c1 maybe", "!unreadable"),
    ("cells", "b11", "!unreadable"),
    ("sequence", "red, green, blue", ["red", "green", "blue"]),
    ("sequence", "['red', 'green']", ["red", "green"]),
    ("sequence", "1. red\n2. green", ["red", "green"]),
    ("sequence", "Final Answer:\n1. red\n\n2. green", ["red", "green"]),
    ("sequence", "red -> green → blue", ["red", "green", "blue"]),
    ("sequence", "6 of hearts, KING of clubs", ["6 of Hearts", "King of Clubs"]),
    ("sequence", "none", []),
    ("items", "6 of Hearts, King of Clubs", ["6 of Hearts", "King of Clubs"]),
    ("items", "the 6 of hearts and the 2 of Clubs", ["2 of Clubs", "6 of Hearts"]),
    ("items", "50, 5 and 50", [5, 50, 50]),
    ("items", "[50, 5]", [5, 50]),
    ("items", "b.py; a.txt", ["a.txt", "b.py"]),
    ("items", "{b.py, a.txt}", ["a.txt", "b.py"]),
    ("items", "`b.py`\n`a.txt`", ["a.txt", "b.py"]),
    ("items", "The chips are a 50 chip and a 5 chip", [5, 50]),
    ("items", "6♥, K♠", ["6 of Hearts", "King of Spades"]),
    ("items", "2 files: a.txt, b.py", ["a.txt", "b.py"]),
    ("items", "5 or 10", "!unreadable"),
    ("items", "no files", []),
    ("items", "[]", []),
    ("items", "The cup is empty", []),
    ("items", "I have seen many a chip. There were some.", "!unreadable"),
]

PLANS: list[tuple[str, str, str, Any]] = [
    ("operations", "number", "left, up", ["left", "up"]),
    ("operations", "number", "Final Answer:\n1. left\n2. up", ["left", "up"]),
    ("operations", "number", "Final Answer:\n1. left\n\n2. up\n\nDone.", ["left", "up"]),
    ("operations", "number", "1: left\n2: up", ["left", "up"]),
    ("operations", "number", "Step 1: left\nStep 2: up", ["left", "up"]),
    ("operations", "number", "The moves are:\n\nleft, up", ["left", "up"]),
    ("operations", "number", "Final Answer: left → up (2 moves)", ["left", "up"]),
    ("operations", "number", "Final Answer: **left**, **up**", ["left", "up"]),
    ("operations", "number", "\\boxed{\\text{left, up}}", ["left", "up"]),
    ("operations", "number", '{"answer": ["left", "up"]}', ["left", "up"]),
    ("operations", "number", "No moves are needed.", []),
    ("operations", "number", "Final Answer: no operations needed", []),
    ("operations", "number", "Final Answer: nothing", []),
    ("operations", "number", "[]", []),
    ("operations", "number", "None", []),
    ("operations", "number", "Final Answer: 3 moves: left, up", "!ambiguous"),
    ("operations", "number", "\\boxed{left}, \\boxed{up}", "!ambiguous"),
    ("operations", "number", "left or up", "!unreadable"),
    ("operations", "number", "...", "!unreadable"),
    ("operations", "number", "Final Answer: left, then jump", "!unreadable"),
    ("sequence", "number", "left, UP, then down", ["left", "up", "down"]),
    ("operations", "cup", "2 swaps: (b3, b2), (a1, c3)", ["(b3, b2)", "(a1, c3)"]),
    ("operations", "cup", '{"answer": "(b3, b2)"}', ["(b3, b2)"]),
    ("operations", "file", "\\boxed{\\text{rm -rf path0/\\{c.csv\\}}}", ["rm -rf path0/{c.csv}"]),
    ("operations", "file", "\\boxed{rm -rf path0/{c.csv}}", ["rm -rf path0/{c.csv}"]),
    ("operations", "file", "touch path0/__init__.py", ["touch path0/{__init__.py}"]),
    ("operations", "file", "**touch path0/{b.py}**", ["touch path0/{b.py}"]),
    (
        "operations",
        "file",
        "```\nrm path0/{c.csv}\n\ntouch path0/{b.py}\n```",
        ["rm -rf path0/{c.csv}", "touch path0/{b.py}"],
    ),
    (
        "operations",
        "file",
        "rm path0/{c.csv}\n\ntouch path0/{b.py}",
        ["rm -rf path0/{c.csv}", "touch path0/{b.py}"],
    ),
    ("operations", "card", "Add the 6 of hearts to pile0.", ["add 6 of Hearts to pile0"]),
    ("operations", "card", "Do nothing", []),
    ("sequence", "number", "none", []),
    ("sequence", "number", "left, sideways", "!unreadable"),
]

LABELLED = (
    [("yes_no", None, None, reply, expected) for reply, expected in YES_NO]
    + [("choice", options, None, reply, expected) for options, reply, expected in CHOICE]
    + [("integer", None, None, reply, expected) for reply, expected in INTEGER]
    + [("board", None, None, reply, expected) for reply, expected in BOARD_CASES]
    + [(kind, None, None, reply, expected) for kind, reply, expected in LISTS]
    + [(kind, None, world, reply, expected) for kind, world, reply, expected in PLANS]
)


@pytest.mark.parametrize(
    ("kind", "options", "world", "reply", "expected"), LABELLED, ids=lambda value: repr(value)[:40] if value else "-"
)
def test_reads_like_a_careful_person(
    kind: str, options: list[str] | None, world: str | None, reply: str, expected: Any
) -> None:
    assert reading_of(kind, reply, options, world) == expected


def test_listed_names_take_the_spelling_of_the_options() -> None:
    assert reading_of("sequence", "red, BLUE", ["Red", "Blue"]) == ["Red", "Blue"]
    assert reading_of("items", "red, green", ["Red", "Blue"]) == "!unreadable"


@pytest.mark.parametrize(("kind", "missing"), [("choice", "options"), ("operations", "world"), ("colour", "kind")])
def test_a_question_without_what_its_kind_needs_is_the_callers_mistake(kind: str, missing: str) -> None:
    with pytest.raises(ValueError, match=missing):
        read_reply(kind, "A")


# Laws

MARKERS = [
    "{}",
    "Final Answer: {}",
    "**Final Answer:** {}",
    "**Final Answer**\n\n{}",
    "### FINAL ANSWER\n{}",
    "Final answer is {}",
    "The answer is {}",
    "Let me see.\n\nAnswer: {}\n\nThat is what I saw.",
    "<answer>{}</answer>",
    "<answer>\n{}",
    "\\boxed{{{}}}",
    "$\\boxed{{\\text{{{}}}}}$",
    "<|begin_of_box|>{}<|end_of_box|>",
    "The answer is <|begin_of_box|>{}<|end_of_box|>.",
    "```\n{}\n```",
]
CELL_NAMES = [row + str(column) for row in "abcdefghij" for column in range(1, 11)]
CARDS = [f"{rank} of {suit}" for rank in ("Ace", 2, 6, 10, "King") for suit in ("Hearts", "Clubs")]
BOARDS = st.integers(2, 10).flatmap(
    lambda size: st.lists(
        st.lists(st.one_of(st.integers(0, 99), st.just("x")), min_size=size, max_size=size),
        min_size=size,
        max_size=size,
    )
)
WRITTEN: st.SearchStrategy[tuple[str, Any, str]] = st.one_of(
    st.sampled_from(["yes", "no"]).map(lambda key: ("yes_no", key, key.title())),
    st.sampled_from("ABCD").flatmap(
        lambda key: st.sampled_from(
            ["{0}", "({0})", "{0}.", "{0}. {1}", "({0}) {1}", "{1}", "**{0}**", "{0}: {1}"]
        ).map(lambda form: ("choice", key, form.format(key, FOUR["ABCD".index(key)])))
    ),
    st.integers(-(10**9), 10**9).flatmap(
        lambda key: st.sampled_from(["{}", "{:,}", "{} times", "**{}**", "{}.0"]).map(
            lambda form: ("integer", key, form.format(key))
        )
    ),
    BOARDS.flatmap(
        lambda key: st.sampled_from(
            [json.dumps(key), "\n".join(" ".join(map(str, row)) for row in key), "\n".join(map(str, key))]
        ).map(lambda text: ("board", key, text))
    ),
    st.lists(st.sampled_from(CELL_NAMES), max_size=12).flatmap(
        lambda cells: st.sampled_from([", ", " and ", "\n", " "]).map(
            lambda separator: (
                "cells",
                sorted(cells, key=lambda cell: (cell[0], int(cell[1:]))),
                separator.join(cells) or "none",
            )
        )
    ),
    st.lists(st.sampled_from(CARDS), max_size=6).map(lambda key: ("sequence", key, ", ".join(key) or "none")),
    st.lists(st.sampled_from(CARDS), max_size=6).map(lambda key: ("items", sorted(key), "\n".join(key) or "none")),
    st.lists(st.sampled_from(FOUR), max_size=9).map(lambda key: ("operations", key, ", ".join(key) or "none")),
)


def read_any(kind: str, reply: str) -> Any:
    return reading_of(kind, reply, FOUR if kind == "choice" else None, "number" if kind == "operations" else None)


@given(WRITTEN, st.sampled_from(MARKERS))
def test_what_a_person_would_write_is_read_back_behind_every_marker(written: tuple[str, Any, str], marker: str) -> None:
    kind, key, text = written
    assert read_any(kind, marker.format(text)) == key


FRAGMENTS = st.lists(
    st.one_of(
        st.sampled_from(
            [
                *("<think>", "</think>", "Final Answer", ":", "**", "\\boxed{", "}", "the answer is ", "<answer>", "A"),
                *("yes", "no", " or ", "3", "three", ", ", ".", "\n", "\n\n", "[", "]", "(", "so ", "left", "|", "`"),
                *("is my final answer.", "wait", "\\text{", "◁think▷", "-", "=", "<|begin_of_box|>", "'", "1. ", "I "),
                *("b3", "row a: ", "\\", "&", ";", "/", "x", "_", "of", "Hearts", "none", "not ", "½", "9" * 20),
            ]
        ),
        st.text(max_size=5),
    ),
    max_size=30,
).map("".join)


@settings(max_examples=300)
@given(st.sampled_from(KINDS), st.one_of(FRAGMENTS, st.text()))
def test_no_reply_raises(kind: str, reply: str) -> None:
    read_any(kind, reply)


@given(st.sampled_from(KINDS), FRAGMENTS, FRAGMENTS, st.sampled_from(["think", "thinking", "reasoning"]))
def test_reasoning_never_changes_the_reading(kind: str, thought: str, reply: str, tag: str) -> None:
    thought = thought.replace("</", "")
    assert read_any(kind, f"<{tag}>{thought}</{tag}>{reply}") == read_any(kind, reply)


PATHOLOGICAL = [
    "<think>",
    "</think>",
    "<think></think>",
    "the answer is ",
    "Final Answer: ",
    "Final Answer\n",
    "\\boxed{",
    "\\text{",
    "\\text{{",
    "<answer>",
    "<|begin_of_box|>",
    "(",
    "[",
    "[]",
    "[[",
    "{",
    " ",
    "\n",
    "\n\n",
    "\n \n",
    "so ",
    "so so",
    "I pick ",
    "it is ",
    "That is my final answer. ",
    "A is the answer. ",
    "answer" + " " * 20,
    "- \n",
    "1. a1\n\n",
    "left, ",
    "b3 ",
    "3 ",
    "3 times ",
    "one hundred ",
    "a a ",
    "or ",
    "| ",
    "|\n",
    "`",
    "```\n",
    "**",
    "__",
    "= ",
    "1 = ",
    "no\n",
    "B\n",
    "yes or ",
    "\x1b[",
    "\x1b[0",
    "<",
    "\\",
    "é",
]


@pytest.mark.parametrize("text", PATHOLOGICAL, ids=repr)
def test_long_replies_are_read_quickly(text: str) -> None:
    """100,000 repetitions with and without a marker behind; and as the answer itself, for every kind."""
    for kind, reply in [
        *(("integer", text * 100_000 + end) for end in ("", "\nAnswer: 3")),
        *((kind, start + text * (19_000 // len(text))) for kind in KINDS for start in ("", "Final Answer:")),
    ]:
        began = time.process_time()
        read_any(kind, reply)
        assert time.process_time() - began < 3, kind


def test_ten_megabytes_are_read_in_seconds() -> None:
    for line in ("The disc moves to the left and stops at {}.\n", "{}\n"):
        reply = "".join(line.format(number) for number in range(10_000_000 // len(line)))[:10_000_000]
        began = time.process_time()
        assert reading_of("integer", reply + "\nFinal Answer: 3") == 3
        assert reading_of("integer", reply).startswith("!")
        assert time.process_time() - began < 8
