"""The Number questions answered from the English prompt alone, by a second, slow simulation of sliding tiles.

Nothing here uses the project: a `Video` is what a viewer sees, and `answer` reads the rules and the question out of the
prompt's own words.
"""

import json
import re
from collections import Counter
from dataclasses import dataclass
from typing import Any

Board = list[list[int]]
Cell = tuple[int, int]
WAYS = ("left", "right", "up", "down")


def beside(cell: Cell, way: str) -> Cell:
    """The cell that is reached from `cell` by one step; rows count downwards."""
    row, column = cell
    return {"left": (row, column - 1), "right": (row, column + 1), "up": (row - 1, column), "down": (row + 1, column)}[
        way
    ]


def empty_cell(board: Board) -> Cell:
    [cell] = [(row, column) for row, line in enumerate(board) for column, number in enumerate(line) if number == 0]
    return cell


def slide(board: Board, way: str) -> Board | None:
    """The board after a tile has travelled `way` into the empty cell; None where no tile can."""
    target = empty_cell(board)
    for row, line in enumerate(board):
        for column, number in enumerate(line):
            if beside((row, column), way) == target:
                moved = [list(line) for line in board]
                moved[row][column] = 0
                moved[target[0]][target[1]] = number
                return moved
    return None


def slide_all(board: Board, ways: list[str]) -> Board | None:
    """The board after all the slides; None where one of them cannot be carried out."""
    now: Board | None = board
    for way in ways:
        now = slide(now, way) if now is not None else None
    return now


def fewest_slides(start: Board, goal: Board, limit: int) -> int | None:
    """How many slides lead from `start` to `goal` at least, by looking at all boards; None if more than `limit`."""
    seen, front = {str(start)}, [start]
    for depth in range(limit + 1):
        if goal in front:
            return depth
        following = [board for now in front for way in WAYS if (board := slide(now, way)) is not None]
        front = []
        for board in following:
            if str(board) not in seen:
                seen.add(str(board))
                front.append(board)
    return None


@dataclass(frozen=True)
class Video:
    """What a viewer sees: the board while it is shown, at which end, and each tile's way from one cell to another."""

    shown: Board
    shown_at: str
    travels: list[tuple[Cell, Cell]]

    @classmethod
    def of(cls, plan: dict[str, Any]) -> "Video":
        board: Board = plan["start"]
        travels = []
        for way in plan["operations"]:
            after = slide(board, way)
            assert after is not None, f"no tile can travel {way}"
            travels.append((empty_cell(after), empty_cell(board)))
            board = after
        return cls(plan["start"] if plan["reveal"] == "start" else board, plan["reveal"], travels)

    @property
    def ways(self) -> list[str]:
        return [next(way for way in WAYS if beside(start, way) == end) for start, end in self.travels]

    def board_at(self, moment: str) -> Board:
        """The board at the start or the end, followed tile by tile from where it was shown, forwards or backwards."""
        tiles = {(row, column): n for row, line in enumerate(self.shown) for column, n in enumerate(line) if n}
        if self.shown_at == "start" and moment == "end":
            for start, end in self.travels:
                tiles[end] = tiles.pop(start)
        if self.shown_at == "end" and moment == "start":
            for start, end in reversed(self.travels):
                tiles[start] = tiles.pop(end)
        size = len(self.shown)
        return [[tiles.get((row, column), 0) for column in range(size)] for row in range(size)]


@dataclass(frozen=True)
class Asked:
    """A prompt taken apart: the rules, the question and the form of the answer."""

    rules: str
    question: str
    form: str

    @classmethod
    def of(cls, prompt: str) -> "Asked":
        rules, operations, question, form = prompt.split("\n\n")
        return cls(f"{rules} {operations}", question, form)

    @property
    def examples(self) -> list[str]:
        """The answer lines that the prompt shows, in the order in which it shows them."""
        return re.findall(r"`(Final Answer: [^`]+)`", self.form)

    def found(self, pattern: str) -> tuple[str, ...]:
        match = re.search(pattern, self.question)
        assert match is not None, f"{pattern!r} is not in {self.question!r}"
        return match.groups()


def check_rules(rules: str, video: Video) -> None:
    """Assert that the rules name the size, the convention of cells, the reveal and the operations as they are."""
    size = len(video.shown)
    convention = re.search(
        r"a board of (\d+) × (\d+) cells with tiles that are numbered from 1 to (\d+), and one empty cell\. Rows are "
        r"lettered a to (.) from top to bottom and columns are numbered 1 to (\d+) from left to right; a1 is the top "
        r"left cell and a2 is the cell to the right of it",
        rules,
    )
    assert convention is not None
    assert convention.groups() == (str(size), str(size), str(size**2 - 1), "abcdefghij"[size - 1], str(size))
    at_start = "The numbers are shown only at the start of the video." in rules
    at_end = "Only after the last operation, at the end of the video, do they lie face up" in rules
    assert (at_start, at_end) == (video.shown_at == "start", video.shown_at == "end")
    assert "The empty cell can be seen all the time." in rules
    assert "one tile that lies directly above, below, left or right of the empty cell slides into it" in rules
    assert "named after the way the tile travels: left, right, up or down" in rules


def answer(kind: str, prompt: str, video: Video) -> Any:
    """The answer in the form of the key, read off the prompt's words; for a plan to a goal, see `start_and_goal`."""
    asked = Asked.of(prompt)
    check_rules(asked.rules, video)
    if kind == "recall_order":
        first, last = asked.found(
            r"operations? number (\d+)(?: to (\d+), both included)?, in the order in which they were carried out"
        )
        return video.ways[int(first) - 1 : int(last or first)]
    if kind == "recall_count":
        [way] = asked.found(r"How many times did a tile travel (\w+), and into which cell did it slide each time\?")
        cells = [end for (_, end), direction in zip(video.travels, video.ways, strict=True) if direction == way]
        counted = Counter("abcdefghij"[row] + str(column + 1) for row, column in cells)
        return sorted(counted.elements(), key=lambda name: (name[0], int(name[1:])))
    if kind == "infer_state":
        [moment] = asked.found(r"Which number is in each cell at the (start|end) of the video")
        return video.board_at(moment)
    if kind == "compare_state":
        moment, again = asked.found(
            r"what do those cells hold at the (start|end) of the video\? Write the board as it is at the (start|end) of"
        )
        assert moment == again
        assert "put x into each cell that holds the same at the start and at the end" in asked.question
        start, end, wanted = video.board_at("start"), video.board_at("end"), video.board_at(moment)
        size = range(len(wanted))
        return [["x" if start[r][c] == end[r][c] else wanted[r][c] for c in size] for r in size]
    assert kind == "predict_state", kind
    from_start = "Go back to the start of the video, before its first operation" in asked.question
    from_end = asked.question.startswith("After the end of the video")
    assert from_start != from_end
    [listed] = asked.found(r"carried out in this order: ([a-z, ]+)\. Which number is in each cell after the last of")
    assert "All of them can be carried out." in asked.question
    return slide_all(video.board_at("start" if from_start else "end"), listed.split(", "))


def start_and_goal(prompt: str, video: Video) -> tuple[Board, Board]:
    """The two boards between which a prompt asks for operations."""
    asked = Asked.of(prompt)
    check_rules(asked.rules, video)
    moment, goal = asked.found(
        r"Start from the board as it is at the (start|end) of the video.*turn it into this board: (\[\[.*?\]\])\?"
    )
    assert "An operation that cannot be carried out" in asked.question and "makes the answer wrong" in asked.question
    assert "it need not be the shortest" in asked.question
    return video.board_at(moment), json.loads(goal)
