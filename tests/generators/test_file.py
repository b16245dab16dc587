"""The File family: plans, pictures, prompts, keys and judgements, against a shell written here from the English.

Nothing in `shell`, `Terminal` and `answer` uses the project's rules: they are what a viewer sees and reads.
"""

import re
from collections.abc import Iterator
from itertools import chain, combinations, pairwise
from math import ceil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generators.dataset import prepare, write_dataset
from generators.family import family
from generators.file import STEMS
from generators.item import Item, Plan, Question
from generators.manifest import Request
from generators.questions import write_reply
from generators.rendering.scene import Scene, Text
from generators.rendering.video import render
from generators.sampling import Part
from generators.settings import SKILLS
from tests.generators.making import items_of
from verifier.checking import check_dataset
from verifier.scoring import judge

FILE = family("file")
FULLEST = 6
Folders = dict[str, set[str]]
MAKE_ITEM = {"paths": st.integers(1, 4), "reveal": st.sampled_from(["start", "end"]), "seed": st.integers(0, 2**64)}


def make(seed: int = 1, index: int = 0, **chosen: Any) -> Item:
    options = FILE.settings.model_validate(chosen)
    return items_of(FILE, options, seed, index + 1)[index]


def plan_of(item: Item) -> Plan:
    return item.clips[0].plan


def scene_of(plan: Plan, **chosen: Any) -> Scene:
    return FILE.scene(plan, FILE.settings.model_validate(chosen))


def shell(before: Folders, command: str) -> Folders:
    """The folders after one command; an AssertionError where the prompt's rules do not allow it."""
    match = re.fullmatch(r"(touch|rm -rf|cp|mv) (path\d)/\{([\w.,-]+)\}(?: (path\d)/)?", command)
    assert match is not None, command
    verb, path, listed, target = match.groups()
    names = listed.split(",")
    after = {folder: set(files) for folder, files in before.items()}
    assert len(set(names)) == len(names) > 0
    assert (target is not None) == (verb in ("cp", "mv"))
    for name in names:
        if verb == "touch":
            assert name not in before[path]
            after[path].add(name)
            continue
        assert name in before[path]
        if verb in ("rm -rf", "mv"):
            after[path].remove(name)
        if target is not None:
            assert target != path and name not in before[target]
            after[target].add(name)
    return after


def run(before: Folders, commands: list[str]) -> list[Folders]:
    """Every moment's folders, from the first on."""
    moments = [before]
    for command in commands:
        moments.append(shell(moments[-1], command))
    return moments


def folders(value: dict[str, list[str]]) -> Folders:
    return {path: set(names) for path, names in value.items()}


def moments_of(plan: Plan) -> list[Folders]:
    return run(folders(plan["start"]), plan["operations"])


def answer(plan: Plan, question: Question) -> Any:
    """The answer of someone who watched the video and read the prompt."""
    moments, commands, about = moments_of(plan), plan["operations"], question.about
    asked, revealed = (moments[-1], moments[0]) if plan["reveal"] == "start" else (moments[0], moments[-1])
    match question.id:
        case "recall_order":
            return commands[about["first"] - 1 : about["last"]]
        case "recall_count":
            written = "rm -rf" if about["operation_kind"] == "rm" else about["operation_kind"]
            assert f"How many `{written}` commands" in question.prompt
            return sorted(re.findall(r"path\d", command)[0] for command in commands if command.startswith(written))
        case "infer_state":
            return sorted(asked[about["part"]])
        case "compare_state":
            return sorted(asked[about["part"]] - revealed[about["part"]])
        case "predict_state":
            return sorted(run(asked, about["operations"])[-1][about["part"]])
    raise AssertionError(question.id)


def questions(item: Item) -> dict[str, Question]:
    return {question.id: question for question in item.questions}


# ---------------------------------------------------------------------------------------------------- plans


def test_no_two_names_can_be_taken_for_each_other() -> None:
    assert len(set(STEMS)) == len(STEMS) >= 40
    for one, other in combinations(STEMS, 2):
        assert sum(letter != opposite for letter, opposite in zip(one, other, strict=True)) >= 2
    assert all(re.fullmatch("[a-km-z]{3}", stem) for stem in STEMS), "lower case, no l that looks like 1"


@given(
    seed=st.integers(0, 2**64),
    paths=st.integers(1, 4),
    files=st.sampled_from(["1", "1..6", "2..4", "6"]),
    ops=st.integers(1, 30),
)
def test_plans_keep_the_laws_of_sampling(seed: int, paths: int, files: str, ops: int) -> None:
    item = make(seed, paths=paths, files=files, ops=ops)
    plan = plan_of(item)
    moments = moments_of(plan)
    low, high = int(files[0]), int(files[-1])
    assert list(plan["start"]) == [f"path{number}" for number in range(paths)]
    assert all(low <= len(names) <= high and names == sorted(names) for names in plan["start"].values())
    assert len(plan["operations"]) == ops
    assert moments[0] != moments[-1]
    assert all(before != after for before, after in pairwise(moments))
    assert all(first != third for first, third in zip(moments, moments[2:], strict=False)), "nothing is undone at once"
    assert all(len(files) <= FULLEST for moment in moments for files in moment.values())
    names = {name for moment in moments for files in moment.values() for name in files}
    stems = [name.split(".")[0] for name in names]
    assert len(set(stems)) == len(stems) and set(stems) <= set(STEMS)
    assert all(1 <= command.count(",") + 1 <= 3 for command in plan["operations"])
    if paths == 1:
        assert all(command.startswith(("touch", "rm -rf")) for command in plan["operations"])


def test_every_command_occurs_and_paths_neither_drain_nor_fill_up() -> None:
    plans = [plan_of(make(seed, paths=3, ops=20)) for seed in range(20)]
    verbs = [command.split()[0] for plan in plans for command in plan["operations"]]
    assert all(verbs.count(verb) >= 0.1 * len(verbs) for verb in ("touch", "rm", "cp", "mv"))
    sizes = [len(files) for plan in plans for moment in moments_of(plan) for files in moment.values()]
    assert 2 <= sum(sizes) / len(sizes) <= 4
    assert sizes.count(0) < 0.2 * len(sizes)


def test_a_name_may_be_in_several_paths() -> None:
    starts = [plan_of(make(seed, paths=3))["start"] for seed in range(10)]
    assert sum(len(set(chain(*start.values()))) < sum(map(len, start.values())) for start in starts) >= 5


def test_twins_differ_in_the_reveal_alone() -> None:
    one, other = (make(reveal="both", index=index) for index in (0, 1))
    assert plan_of(one) | {"reveal": "end"} == plan_of(other)
    assert plan_of(one)["reveal"] == "start"


# ---------------------------------------------------------------------------------------------------- pictures


class Terminal:
    """What stands on the screen in a frame, read off the letters that are placed there."""

    def __init__(self, scene: Scene, frame: int) -> None:
        self.letters: dict[int, dict[int, str]] = {}
        for placement in scene.placements(frame):
            sprite = scene.sprites[placement.sprite]
            left, top = placement.x - sprite.width / 2, placement.y - sprite.height / 2
            assert left >= 0 and top >= 0, "cut off"
            assert left + sprite.width <= scene.width and top + sprite.height <= scene.height, "cut off"
            assert (placement.scale, placement.angle, placement.opacity) == (1, 0, 1)
            for shape in sprite.shapes:
                if isinstance(shape, Text):
                    self.advance = sprite.width // len(shape.text)
                    for number, letter in enumerate(shape.text):
                        place = round(left) + number * self.advance
                        line = self.letters.setdefault(round(top), {})
                        assert letter == " " or line.setdefault(place, letter) == letter, "one letter over another"

    def lines(self) -> list[list[str]]:
        """Each line as its words: letters that stand side by side."""
        found = []
        for _, line in sorted(self.letters.items()):
            places = sorted(line)
            gaps = [after - before for before, after in pairwise(places)]
            words = line[places[0]]
            for place, gap in zip(places[1:], gaps, strict=True):
                words += (" " if gap > self.advance else "") + line[place]
            found.append(words.split())
        return found

    def commands(self) -> list[str]:
        """What was typed behind each prompt, without spaces, since a line may end at one."""
        typed: list[str] = []
        for words in self.lines():
            if words[0] == "$":
                typed.append("".join(words[1:]))
            else:
                typed[-1] += "".join(words)
        return typed

    def listing(self) -> dict[str, list[str]]:
        """What `ls` printed for each path."""
        found: dict[str, list[str]] = {}
        path = None
        for words in self.lines():
            if words[:2] == ["$", "ls"]:
                path = words[2]
                found[path] = []
            elif path is not None:
                found[path] += words
        return found


def shown(scene: Scene, plan: Plan) -> range:
    """The frames of the reveal."""
    if plan["reveal"] == "start":
        return range(scene.spans[0][0])
    return range(scene.spans[-1][1], scene.frames)


def hidden(scene: Scene, plan: Plan) -> Iterator[int]:
    return (frame for frame in range(scene.frames) if frame not in shown(scene, plan))


LOOKS = [
    {},
    {"resolution": 224},
    {"resolution": "640x360"},
    {"resolution": 128, "fps": 4, "seconds_per_op": 0.5},
    {"resolution": "128x512", "fps": 10, "seconds_per_op": 0.3},
    {"fps": 5, "seconds_per_op": 1.0},
]


@pytest.mark.parametrize("look", LOOKS, ids=str)
@pytest.mark.parametrize("paths", [1, 2, 4])
@pytest.mark.parametrize("reveal", ["start", "end"])
def test_every_command_is_typed_and_stays_to_be_read(look: dict[str, Any], paths: int, reveal: str) -> None:
    item = make(3, paths=paths, files="2..6", reveal=reveal, **look)
    plan, scene = plan_of(item), scene_of(plan_of(item), **look)
    wanted = [command.replace(" ", "") for command in plan["operations"]]
    assert [list(span) for span in scene.spans] == [list(span) for span in item.clips[0].spans]
    for number, (first, end) in enumerate(scene.spans):
        screens = [Terminal(scene, frame).commands() for frame in range(first, end)]
        whole = [screen[-1] == wanted[number] for screen in screens]
        typed = [len(screen[-1]) for screen in screens]
        assert typed == sorted(typed) and whole == sorted(whole)
        assert whole.count(True) >= 0.5 * len(whole), "half of its time is left to read it"
        for screen in screens:
            *earlier, current = screen
            assert wanted[number].startswith(current)
            assert earlier == wanted[max(0, number - 1) : number], "the one before it can still be read, no other"
    for frame in range(scene.spans[-1][1], scene.frames):
        last, *others = Terminal(scene, frame).commands()
        assert last == wanted[-1]
        if reveal == "start":
            assert others == [""]
        else:
            assert [other[:7] for other in others] == [f"lspath{path}" for path in range(paths)]


def are_seen(windows: list[list[int]], fps: int, rate: float, frames: int) -> bool:
    """Whether samples at a rate include a frame of every window, from whatever moment on: every tenth of a frame."""
    step = fps / rate
    for tenth in range(int(10 * step)):
        times = (tenth / 10 + number * step for number in range(int(frames / step) + 1))
        sampled = {int(time) for time in times}
        if not all(sampled.intersection(window) for window in windows):
            return False
    return True


@pytest.mark.parametrize(
    "look", [{}, {"seconds_per_op": 0.5, "fps": 10}, {"seconds_per_op": 1.0, "fps": 25}, {"seconds_per_op": 6}], ids=str
)
@pytest.mark.parametrize("reveal", ["start", "end"])
def test_at_the_minimum_rate_every_command_is_seen_whole_from_whatever_moment_on(
    look: dict[str, Any], reveal: str
) -> None:
    item = make(7, reveal=reveal, ops=6, **look)
    plan, scene = plan_of(item), scene_of(plan_of(item), **look)
    screens = [Terminal(scene, frame).commands() for frame in range(scene.frames)]
    wanted = [command.replace(" ", "") for command in plan["operations"]]
    assert len(set(wanted)) == len(wanted), "each can be found by its words"
    windows = [[frame for frame, screen in enumerate(screens) if command in screen] for command in wanted]
    assert are_seen(windows, scene.fps, item.measures["minimum_fps"], scene.frames)
    assert not are_seen(windows, scene.fps, item.measures["minimum_fps"] * 0.9, scene.frames)


@pytest.mark.parametrize("paths", [1, 2, 3, 4])
def test_letters_are_typed_one_after_the_other(paths: int) -> None:
    plan = plan_of(make(paths=paths))
    scene = scene_of(plan)
    for number, (first, end) in enumerate(scene.spans):
        lengths = [len(Terminal(scene, frame).commands()[-1]) for frame in range(first, end)]
        assert lengths[0] == 0
        assert max(after - before for before, after in pairwise(lengths)) <= ceil(len(plan["operations"][number]) / 10)


@pytest.mark.parametrize("resolution", [128, 224, 512, "640x360", "2048x128"])
@pytest.mark.parametrize("reveal", ["start", "end"])
def test_ls_lists_every_path_at_the_reveal_and_nowhere_else(resolution: str, reveal: str) -> None:
    for paths in range(1, 5):
        plan = plan_of(make(5, paths=paths, files="1..6", reveal=reveal))
        scene = scene_of(plan, resolution=resolution)
        revealed = moments_of(plan)[0 if reveal == "start" else -1]
        for frame in shown(scene, plan):
            listing = Terminal(scene, frame).listing()
            assert listing == {path: sorted(names) for path, names in revealed.items()}
        assert all(not Terminal(scene, frame).listing() for frame in hidden(scene, plan))


def test_an_empty_path_is_listed_as_nothing() -> None:
    plan = {"start": {"path0": [], "path1": ["a.txt"]}, "operations": ["touch path0/{b.py}"], "reveal": "start"}
    assert Terminal(scene_of(plan), 0).listing() == {"path0": [], "path1": ["a.txt"]}


@pytest.mark.parametrize("reveal", ["start", "end"])
@pytest.mark.parametrize("paths", [1, 3])
def test_nothing_outside_the_reveal_shows_the_files(paths: int, reveal: str) -> None:
    plan = plan_of(make(11, paths=paths, ops=5, files="1..6", reveal=reveal))
    names = ["elm.txt", "fir.md", "longer-name.tar.gz", "w1.py", "w2.py", "w3.py", "w4.py"]
    start = {path: sorted([*held, *names[number:]]) for number, (path, held) in enumerate(plan["start"].items())}
    other = plan | {"start": start}
    look: dict[str, Any] = {"resolution": 256, "fps": 8}
    scenes = [scene_of(one, **look) for one in (plan, other)]
    frames = list(hidden(scenes[0], plan))
    assert len(frames) > 50
    one, two = (render(scene, frames) for scene in scenes)
    assert np.array_equal(one, two)
    revealing = [render(scene, shown(scene, plan)) for scene in scenes]
    assert not any(np.array_equal(one, two) for one, two in zip(*revealing, strict=True))
    assert Terminal(scenes[1], shown(scenes[1], plan)[0]).listing() == {
        path: sorted(names) for path, names in moments_of(other)[0 if reveal == "start" else -1].items()
    }


def test_long_names_and_long_commands_are_shown_whole() -> None:
    long = "a-very-long-name-of-a-file.with-many-parts.tar.gz"
    many = ",".join(f"file{number}.txt" for number in range(40))
    commands = [f"cp path0/{{{long},b.py}} path1/", f"touch path1/{{{many}}}", f"rm -rf path0/{{{long}}}"]
    for reveal in ("start", "end"):
        plan = {"start": {"path0": [long, "b.py"], "path1": []}, "operations": commands, "reveal": reveal}
        for resolution in (256, "640x360"):
            scene = scene_of(plan, resolution=resolution)
            for command, (_, end) in zip(commands, scene.spans, strict=True):
                assert Terminal(scene, end - 1).commands()[-1] == command.replace(" ", "")
            for path, names in moments_of(plan)[0 if reveal == "start" else -1].items():
                listed = Terminal(scene, shown(scene, plan)[0]).listing()[path]
                assert "".join(listed) == "".join(sorted(names))


@pytest.mark.parametrize("length", range(1, 40))
def test_the_cursor_stays_on_the_screen(length: int) -> None:
    plan = {"start": {"path0": []}, "operations": [f"touch path0/{{{'n' * length}}}"], "reveal": "end"}
    scene = scene_of(plan)
    assert Terminal(scene, scene.spans[0][1] - 1).commands() == [plan["operations"][0].replace(" ", "")]  # type: ignore[index]


def test_letters_and_pieces_put_the_same_pixels_on_the_screen() -> None:
    """A piece that is typed in part is put together from letters: nothing may jump when it is complete."""
    plan = {"start": {"path0": []}, "operations": ["touch path0/{g}"], "reveal": "end"}
    scene = scene_of(plan, fps=120)
    [(first, end)] = scene.spans
    pictures = render(scene, range(first, end)).astype(int)
    ground = pictures[0, -1, -1]
    for before, after in pairwise(pictures):
        changed = np.abs(before - after).max(axis=2) > 2
        columns = np.flatnonzero(changed.any(axis=0))
        assert len(columns) == 0 or columns[-1] - columns[0] < 4 * 26, "only by the cursor"
    assert (ground < 40).all()


def test_what_stands_still_is_the_same_list() -> None:
    plan = plan_of(make())
    scene = scene_of(plan)
    different = sum(scene.placements(one) is not scene.placements(two) for one, two in pairwise(range(scene.frames)))
    assert different <= len(plan["operations"]) * 14
    for _, end in scene.spans:
        assert scene.placements(end - 1) is scene.placements(end - 12)
    assert len({id(scene.placements(frame)) for frame in shown(scene, plan)}) == 1


def test_letters_are_large_enough() -> None:
    """Of a listing, and of commands, whose letters are the same however many paths there are."""
    for resolution, listed, typed in ((512, 29, 43), (224, 13, 18), ("640x360", 23, 28), (128, 6.5, 9.5)):
        for paths in (1, 4):
            scene = scene_of(plan_of(make(paths=paths)), resolution=resolution)
            sizes = [shape.size for sprite in scene.sprites for shape in sprite.shapes if isinstance(shape, Text)]
            assert min(sizes) >= listed
            letters = [scene.sprites[one.sprite].shapes[0] for one in scene.placements(scene.spans[0][1] - 1)[:-1]]
            assert min(letter.size for letter in letters if isinstance(letter, Text)) >= typed


# ---------------------------------------------------------------------------------------------------- questions


@given(**MAKE_ITEM, ops=st.integers(1, 15))
def test_keys_are_what_a_shell_gives(seed: int, paths: int, reveal: str, ops: int) -> None:
    item = make(seed, paths=paths, files="1..6", reveal=reveal, ops=ops)
    assert [question.id for question in item.questions] == list(SKILLS)
    for question in item.questions:
        if question.id == "predict_operation":
            moments = moments_of(plan_of(item))
            asked = moments[-1 if reveal == "start" else 0]
            goal = folders(question.about["goal"])
            assert run(asked, question.keys[0])[-1] == goal != asked
            assert 1 <= len(question.keys[0]) <= 2
            made, removed = (
                set(chain(*(re.findall(r"\{(.*)\}", key)[0].split(",") for key in question.keys[0] if verb in key)))
                for verb in ("touch", "rm -rf")
            )
            assert not made & removed
        else:
            assert question.keys == [answer(plan_of(item), question)]


@given(**MAKE_ITEM)
def test_right_answers_are_right_and_wrong_ones_wrong(seed: int, paths: int, reveal: str) -> None:
    item = make(seed, paths=paths, reveal=reveal)

    def outcome(question: Question, key: Any) -> str:
        return judge(item, question, 0, write_reply(question.kind, key)).outcome

    for question in item.questions:
        key = question.keys[0]
        assert outcome(question, key) == "correct"
        wrong: list[Any] = []
        match question.id:
            case "recall_order":
                other = key[0].replace("path0", "path9").replace("path1", "path0")
                wrong = [key[::-1], key[:-1], [*key, key[0]], [other, *key[1:]]]
            case "recall_count":
                wrong = [key[:-1], [*key, key[0]]]
            case "infer_state" | "compare_state" | "predict_state":
                wrong = [[*key, "elm.txt"], *([key[:-1]] if key else [])]
                assert outcome(question, key[::-1]) == "correct"
            case "predict_operation":
                wrong = [key[:-1], [*key, "touch path0/{elm.txt}"], [*key, *key]]
                assert outcome(question, key[::-1]) == "correct"
        for value in wrong:
            assert value == key or outcome(question, value) != "correct", (question.id, value)


@pytest.mark.parametrize(
    ("reply", "outcome"),
    [
        ("touch path0/{c.csv}, rm -rf path1/{b.py}", "correct"),
        ("rm -rf path1/b.py && touch path0/c.csv", "correct"),
        ("touch path0/{c.csv}", "wrong"),
        ("touch path0/{c.csv}, mv path1/{b.py} path0/", "wrong"),
        ("touch path0/{c.csv}, rm -rf path1/{b.py}, touch path0/{d.md}", "wrong"),
        ("touch path0/{c.csv}, rm -rf path1/{b.py,c.csv}", "wrong"),
        ("touch path0/{a.txt,c.csv}, rm -rf path1/{b.py}", "wrong"),
        ("none", "wrong"),
    ],
)
def test_any_allowed_plan_that_ends_at_the_goal_is_right(reply: str, outcome: str) -> None:
    plan = {
        "start": {"path0": ["a.txt"], "path1": []},
        "operations": ["touch path1/{b.py}"],
        "reveal": "start",
    }
    kind = FILE.question("predict_operation")
    about = {
        "goal": {"path0": ["a.txt", "c.csv"], "path1": []},
        "solution": ["touch path0/{c.csv}", "rm -rf path1/{b.py}"],
    }
    asked = kind.model_validate(about)
    episode = FILE.episode(plan)
    item = make(1, paths=2)
    clip = item.clips[0].model_copy(update={"plan": plan})
    question = questions(item)["predict_operation"].model_copy(
        update={"about": about, "keys": [asked.key(episode)], "prompt": asked.prompt(episode)}
    )
    item = item.model_copy(update={"clips": [clip], "questions": [question]})
    assert "this set of files: path0: a.txt, c.csv; path1: none?" in question.prompt
    assert judge(item, question, 0, f"Final Answer: {reply}").outcome == outcome


def test_predict_operation_needs_one_command_or_two() -> None:
    lengths = [make(seed).measures["solution_length"] for seed in range(30)]
    assert set(lengths) == {1, 2}


@pytest.mark.parametrize("reveal", ["start", "end"])
@pytest.mark.parametrize("paths", [1, 2, 4])
def test_a_prompt_holds_every_rule(paths: int, reveal: str) -> None:
    item = make(2, paths=paths, reveal=reveal)
    for question in item.questions:
        text = question.prompt
        commands = ["touch", "rm -rf", *(["cp", "mv"] if paths > 1 else [])]
        for verb in commands:
            assert f"- `{verb} path0/{{a.txt,b.py}}" in text
        assert (f"There are {len(commands)} kinds" in text) and ("- `mv" in text) == (paths > 1)
        assert "No file of these names was in path0 before" in text and "Both were in path0 before" in text
        assert ("no file of these names was in path1" in text) == (paths > 1)
        assert "`ls` is not an operation" in text and "Where `ls` prints nothing, the path is empty" in text
        assert ("Then the screen is cleared" in text) == (reveal == "start")
        assert ("after the last operation, `ls` lists" in text) == (reveal == "end")
        assert "goes on in the next line" in text and "End your reply with one line such as `Final Answer: " in text
        assert f"path{paths - 1}" in text and f"path{max(2, paths)}" not in text.split("kinds:")[0]
    asked = questions(item)
    assert "Files are compared by their names alone" in asked["compare_state"].prompt
    goal = asked["predict_operation"].prompt
    assert "`touch` and `rm -rf` only, at most 2 commands" in goal and "no name both to a `touch`" in goal
    assert ("not even in different paths" in goal) == (paths > 1)
    assert "cannot be carried out" in goal and "makes the answer wrong" in goal
    count = asked["recall_count"].prompt
    assert ("from which path" in count or "in which path" in count) == (paths > 1)
    assert f"`Final Answer: {'path0, path1, path1' if paths > 1 else 'path0, path0'}`" in count
    assert "List names alone, without numbers." in count
    assert ("each path" in goal.split("kinds:")[1]) == (paths > 1)


def test_measures() -> None:
    item = make(4, paths=3, ops=7)
    plan = plan_of(item)
    listed = "".join(chain(*plan["start"].values()))
    assert item.measures["size"] == 3 and item.measures["operations"] == 7
    assert item.measures["characters"] == sum(map(len, plan["operations"])) + len(listed)


# ---------------------------------------------------------------------------------------------------- as a whole


@settings(max_examples=3)
@given(seed=st.integers(0, 2**32))
def test_a_dataset_is_sound(seed: int, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder: Path = tmp_path_factory.mktemp("file") / "set"
    chosen = {"paths": "1..4", "files": "1..6", "ops": "1..6", "reveal": "both"}
    quick = {"resolution": 128, "fps": 6, "seconds_per_op": 0.5, "reveal_seconds": 0.5}
    request = prepare(folder, Request((Part("file", FILE.settings.model_validate(chosen | quick), 6),), seed))
    write_dataset(folder, request, workers=1)
    assert list(check_dataset(folder)) == []
