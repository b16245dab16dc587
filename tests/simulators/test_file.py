"""The File world against a second implementation that keeps a set of full paths, and against brute force."""

from itertools import chain, combinations, product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulators.contract import IllegalOperation, NoPlan, Refusal, replay
from simulators.file import WORLD, Command, Paths, legal_operations, optimal_plan, read_paths, transition, write_paths

NAMES = ("a.txt", "b.py", "c.csv")
STATES = st.lists(st.sets(st.sampled_from(NAMES)), min_size=1, max_size=4).map(
    lambda paths: {f"path{index}": sorted(names) for index, names in enumerate(paths)}
)
COMMANDS = st.builds(
    lambda verb, path, names, target: (
        f"{verb} path{path}/{{{','.join(names)}}}" + (f" path{target}/" if verb in ("cp", "mv") else "")
    ),
    st.sampled_from(["touch", "rm -rf", "cp", "mv"]),
    st.integers(0, 4),
    st.lists(st.sampled_from(NAMES), max_size=3),
    st.integers(0, 4),
)


def slow_command(tree: set[str], text: str) -> set[str] | None:
    """From the English, with full paths as strings and a folder written as itself; None where a rule is broken."""
    words = text.removesuffix("/").replace("rm -rf", "rm").split(" ")
    folder, listed = words[1].rstrip("}").split("/{")
    names = [name for name in listed.split(",") if name]
    here = [f"{folder}/{name}" for name in names]
    if not names or sorted(set(names)) != sorted(names) or folder not in tree:
        return None
    if words[0] == "touch":
        return None if any(file in tree for file in here) else {*tree, *here}
    if not all(file in tree for file in here):
        return None
    if words[0] == "rm":
        return {file for file in tree if file not in here}
    target = words[2]
    there = [f"{target}/{name}" for name in names]
    if target not in tree or any(file in tree for file in there):
        return None
    return {file for file in tree if words[0] == "cp" or file not in here} | set(there)


def tree_of(value: dict[str, list[str]]) -> set[str]:
    return {*value, *(f"{folder}/{name}" for folder, names in value.items() for name in names)}


def paths_of(*paths: tuple[str, ...]) -> Paths:
    return Paths(paths)


def subsets(names: tuple[str, ...]) -> list[tuple[str, ...]]:
    return list(chain.from_iterable(combinations(names, count) for count in range(len(names) + 1)))


def test_each_command_by_hand() -> None:
    start = read_paths({"path0": ["a.txt", "c.csv"], "path1": ["b.py"]})

    def after(text: str) -> dict[str, Any]:
        return write_paths(transition(start, WORLD.read_operation(text)))

    assert after("touch path0/{b.py}") == {"path0": ["a.txt", "b.py", "c.csv"], "path1": ["b.py"]}
    assert after("touch path1/{z.md,a.txt}") == {"path0": ["a.txt", "c.csv"], "path1": ["a.txt", "b.py", "z.md"]}
    assert after("rm -rf path0/{c.csv,a.txt}") == {"path0": [], "path1": ["b.py"]}
    assert after("cp path0/{a.txt} path1/") == {"path0": ["a.txt", "c.csv"], "path1": ["a.txt", "b.py"]}
    assert after("mv path0/{a.txt} path1/") == {"path0": ["c.csv"], "path1": ["a.txt", "b.py"]}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("touch path0/{a.txt}", "a.txt is in path0 already"),
        ("touch path0/{b.py,a.txt}", "a.txt is in path0 already"),
        ("rm -rf path0/{z.py}", "there is no z.py in path0"),
        ("rm -rf path2/{a.txt}", "there is no path2"),
        ("rm -rf path0/{a.txt,a.txt}", "must not name a file twice"),
        ("touch path0/{}", "must name at least one file"),
        ("cp path0/{b.py} path1/", "there is no b.py in path0"),
        ("cp path0/{c.csv} path1/", "c.csv is in path1 already"),
        ("mv path0/{c.csv} path1/", "c.csv is in path1 already"),
        ("cp path0/{a.txt} path9/", "there is no path9"),
        ("cp path0/{a.txt} path0/", "the path they are in"),
        ("mv path0/{a.txt} path0/", "the path they are in"),
    ],
)
def test_each_rule_by_hand(text: str, reason: str) -> None:
    start = read_paths({"path0": ["a.txt", "c.csv"], "path1": ["c.csv"]})
    command = WORLD.read_operation(text)
    assert WORLD.write_operation(command) == text
    with pytest.raises(Refusal, match=reason):
        transition(start, command)


@settings(deadline=None, max_examples=300)
@given(STATES, st.lists(COMMANDS, max_size=6))
def test_plans_do_what_the_second_implementation_says(value: dict[str, list[str]], plan: list[str]) -> None:
    expected, illegal = [tree_of(value)], None
    for index, text in enumerate(plan):
        following = slow_command(expected[-1], text)
        if following is None:
            illegal = index
            break
        expected.append(following)
    start, operations = WORLD.read_state(value), [WORLD.read_operation(text) for text in plan]
    trace = replay(WORLD, start, operations[:illegal])
    assert [tree_of(WORLD.write_state(state)) for state in trace.states] == expected
    assert replay(WORLD, start, operations[:illegal]) == trace
    if illegal is not None:
        with pytest.raises(IllegalOperation) as caught:
            replay(WORLD, start, operations)
        assert (caught.value.index, caught.value.operation) == (illegal, plan[illegal])


def test_every_command_on_every_small_state() -> None:
    """One name at a time over two paths and two names: legal_operations are the legal ones on names that are there."""
    pool = NAMES[:2]
    commands = [
        Command(verb, path, (name,), target)
        for verb, path, name in product(("touch", "rm", "cp", "mv"), (0, 1, 2), pool)
        for target in ((0, 1, 2) if verb in ("cp", "mv") else (None,))
    ]
    for first, second in product(subsets(pool), repeat=2):
        start = paths_of(first, second)
        legal = legal_operations(start)
        assert len(set(legal)) == len(legal)
        accepted = set()
        for command in commands:
            expected = slow_command(
                tree_of({"path0": list(first), "path1": list(second)}), WORLD.write_operation(command)
            )
            if expected is None:
                with pytest.raises(Refusal):
                    transition(start, command)
            else:
                accepted.add(command)
                assert tree_of(WORLD.write_state(transition(start, command))) == expected
        known = {*first, *second}
        assert set(legal) == {command for command in accepted if command.names[0] in known}


@settings(deadline=None)
@given(STATES)
def test_removing_undoes_touching_and_json_round_trips(value: dict[str, list[str]]) -> None:
    start = WORLD.read_state(value)
    assert WORLD.write_state(start) == value
    assert WORLD.read_goal(WORLD.write_goal(WORLD.goal_of(start))) == start
    for command in legal_operations(start):
        assert WORLD.read_operation(WORLD.write_operation(command)) == command
        after = transition(start, command)
        if command.verb == "touch":
            assert transition(after, Command("rm", command.path, command.names)) == start
        elif command.verb == "rm":
            assert transition(after, Command("touch", command.path, command.names)) == start
        elif command.verb == "mv":
            assert transition(after, Command("mv", command.target or 0, command.names, command.path)) == start
        else:
            assert transition(after, Command("rm", command.target or 0, command.names)) == start


def reachable_within_limits(start: Paths, pool: tuple[str, ...]) -> dict[frozenset[str], int]:
    """The fewest commands to every state that at most two commands on disjoint names of `pool` reach, by trying all."""
    texts = {
        f"{verb} path{path}/{{{','.join(names)}}}": (verb, set(names))
        for verb in ("touch", "rm -rf")
        for path in range(len(start.paths))
        for names in subsets(pool)
        if names
    }
    value = {f"path{index}": list(names) for index, names in enumerate(start.paths)}
    found = {frozenset(tree_of(value)): 0}
    for first, (verb, names) in texts.items():
        once = slow_command(tree_of(value), first)
        if once is None:
            continue
        if found.setdefault(frozenset(once), 1) != 0:
            found[frozenset(once)] = 1
        for second, (other_verb, other_names) in texts.items():
            twice = slow_command(once, second)
            if twice is not None and (verb == other_verb or not names & other_names):
                found.setdefault(frozenset(twice), 2)
    return found


@pytest.mark.parametrize(("pool", "count"), [(NAMES, 1), (NAMES[:2], 2), (NAMES[:1], 3)])
def test_the_planner_is_optimal_between_all_small_states(pool: tuple[str, ...], count: int) -> None:
    states = [paths_of(*paths) for paths in product(subsets(pool), repeat=count)]
    without_plan = 0
    for start in states:
        shortest = reachable_within_limits(start, pool)
        for goal in states:
            length = shortest.get(frozenset(tree_of(WORLD.write_goal(goal))))
            if length is None:
                without_plan += 1
                with pytest.raises(NoPlan):
                    optimal_plan(start, goal)
                continue
            plan = optimal_plan(start, goal)
            assert replay(WORLD, start, plan).end == goal
            assert len(plan) == length
            WORLD.plan_limits(plan)
    assert (without_plan > 0) == (count > 1)


def test_another_number_of_paths_is_no_goal() -> None:
    with pytest.raises(NoPlan):
        optimal_plan(paths_of(()), paths_of((), ()))


@pytest.mark.parametrize(
    ("plan", "reason"),
    [
        (["cp path0/{a.txt} path1/"], "only touch and rm -rf"),
        (["mv path0/{a.txt} path1/"], "only touch and rm -rf"),
        (["touch path0/{x.py}", "touch path0/{y.py}", "touch path0/{z.py}"], "at most 2 commands"),
        (["rm -rf path0/{a.txt,b.py}", "touch path1/{b.py}"], "b.py must not be both"),
    ],
)
def test_plan_limits(plan: list[str], reason: str) -> None:
    with pytest.raises(Refusal, match=reason):
        WORLD.plan_limits(tuple(WORLD.read_operation(text) for text in plan))


def test_plan_limits_allow_two_commands_of_one_kind() -> None:
    for plan in ([], ["touch path0/{b.py}", "touch path1/{b.py}"], ["rm -rf path0/{a.txt}", "touch path0/{b.py}"]):
        WORLD.plan_limits(tuple(WORLD.read_operation(text) for text in plan))


@pytest.mark.parametrize(
    "value",
    [
        None,
        {},
        [["a.txt"]],
        {"path1": []},
        {"path0": [], "path2": []},
        {"pile0": []},
        {f"path{index}": [] for index in range(5)},
        {"path0": "a.txt"},
        {"path0": ["b.py", "a.txt"]},
        {"path0": ["a.txt", "a.txt"]},
        {"path0": [1]},
        {"path0": [True]},
        {"path0": [""]},
        {"path0": ["a b.txt"]},
        {"path0": ["a/b.txt"]},
        {"path0": ["{a,b}"]},
    ],
)
def test_malformed_paths_are_refused(value: object) -> None:
    with pytest.raises(ValueError, match="expected"):
        read_paths(value)


@pytest.mark.parametrize(
    "text",
    [
        "touch path0/a.txt",
        "rm path0/{a.txt}",
        "touch path0/{a.txt, b.py}",
        "touch path10/{a.txt}",
        "touch path0/{a.txt,}",
        "touch path0/{a.txt} path1/",
        "cp path0/{a.txt}",
        "cp path0/{a.txt} path1",
        "ls path0/",
        "touch  path0/{a.txt}",
        "Touch path0/{a.txt}",
        "",
    ],
)
def test_an_operation_has_one_spelling(text: str) -> None:
    with pytest.raises(ValueError, match=r"is no operation|is not a file's name"):
        WORLD.read_operation(text)


@pytest.mark.parametrize(
    ("reply", "commands"),
    [
        ("rm -rf path0/{c.csv} & touch path0/{b.py}", ["rm -rf path0/{c.csv}", "touch path0/{b.py}"]),
        ("touch path0/b.py && rm path0/c.csv", ["touch path0/{b.py}", "rm -rf path0/{c.csv}"]),
        ("```bash\nrm -rf path0/{c.csv}\ntouch path0/{b.py}\n```", ["rm -rf path0/{c.csv}", "touch path0/{b.py}"]),
        ("`rm -f path0/c.csv`; `touch path0/b.py`", ["rm -rf path0/{c.csv}", "touch path0/{b.py}"]),
        ("rm -r path0/{c.csv, a.txt}", ["rm -rf path0/{c.csv,a.txt}"]),
        ("rm -r -f path0/c.csv", ["rm -rf path0/{c.csv}"]),
        ("rm path0/a.txt path0/b.txt", ["rm -rf path0/{a.txt,b.txt}"]),
        ("touch path0/a.txt path0/{b.txt,c.txt}", ["touch path0/{a.txt,b.txt,c.txt}"]),
        ("$ touch ./path0/b.py\n$ rm /path0/c.csv", ["touch path0/{b.py}", "rm -rf path0/{c.csv}"]),
        ("touch path0/b.py, rm path0/c.csv.", ["touch path0/{b.py}", "rm -rf path0/{c.csv}"]),
        ("1. touch path0/b.py\n2. rm path0/c.csv", ["touch path0/{b.py}", "rm -rf path0/{c.csv}"]),
        ("['touch path0/{b.py}', 'rm -rf path0/{c.csv}']", ["touch path0/{b.py}", "rm -rf path0/{c.csv}"]),
        ("cp path0/{a.txt} path1", ["cp path0/{a.txt} path1/"]),
        ("mv path0/a.txt path0/b.txt path1/", ["mv path0/{a.txt,b.txt} path1/"]),
        ("cp path0/a.txt path1/a.txt", ["cp path0/{a.txt} path1/"]),
        (r"rm -rf path0/\{c.csv\}", ["rm -rf path0/{c.csv}"]),
        ("touch path0/README.md and then touch path7/a.txt", ["touch path0/{README.md}", "touch path7/{a.txt}"]),
        ("rm -rf path0/{}", ["rm -rf path0/{}"]),
        ("", []),
    ],
)
def test_replies(reply: str, commands: list[str]) -> None:
    assert [WORLD.write_operation(command) for command in WORLD.operations_in_reply(reply)] == commands


@pytest.mark.parametrize(
    "reply",
    [
        "touch b.py",
        "touch path0/",
        "touch path0",
        "rm -rf path0/*",
        "rm path0/a.txt path1/b.txt",
        "rm path0/a.txt b.txt",
        "cd path0 && rm a.txt",
        "mkdir path0/a.txt",
        "ls path0/",
        "cp path0/a.txt",
        "cp path0/a.txt path1/b.txt",
        "cp path0/ path1/",
        "touch path10/a.txt",
        "touch path0/{a.txt,}",
        "touch path0/{a.txt b.py}",
        "touch path0/{a.txt}.bak",
        "touch path0/a.txt please",
        "create path0/a.txt",
    ],
)
def test_other_shell_is_no_reply(reply: str) -> None:
    with pytest.raises(ValueError, match=r"is no operation|is not a file's name"):
        WORLD.operations_in_reply(reply)
