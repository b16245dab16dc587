"""Chip: opaque cups; chips with a value drop into them or leave them, seen on their way and hidden inside."""

import math
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from random import Random
from typing import Any

from pydantic import Field

from generators.containers import (
    CompareContainer,
    ContainerWording,
    InferContainer,
    PredictContainer,
    RecallWhere,
    passages,
    reworded,
)
from generators.errors import InputError
from generators.family import Family
from generators.item import Plan
from generators.questions import (
    DRIVERS,
    Episode,
    PredictOperation,
    RecallOrder,
    asked_skills,
    hidden_state_measures,
    replay_plan,
    write_answer,
)
from generators.randomness import Streams
from generators.rendering.scene import (
    AtlasBuilder,
    Colour,
    Ellipse,
    Placement,
    Polygon,
    Rectangle,
    Scene,
    Shape,
    Sprite,
    Text,
    ease,
)
from generators.sampling import draw_from, reveal_of
from generators.settings import HiddenStateSettings, IntegerRange, Reveal, integer_range
from generators.state_pairs import STATE_PAIR_QUESTIONS, partnered, state_pair
from generators.timeline import timeline
from simulators.chip import VALUES, WORLD, Change, Cups, transition
from simulators.contract import Trace
from simulators.notation import MAXIMUM_CONTAINERS

# ---------------------------------------------------------------------------------------------------- settings

MAXIMUM_CHIPS = 8
"""Chips in a cup at any time: as many as stay readable above their cup on a canvas of 224 pixels."""

MAXIMUM_START = 6

MINIMUM_PLACES = 4
"""Places for chips in a bubble; there are more, and they are smaller, where a cup has more chips."""

MINIMUM_COLUMN = 48
"""Pixels of the canvas's width for each cup: with fewer, the numbers on the chips of a full cup cannot be read."""


class ChipSettings(HiddenStateSettings):
    cups: integer_range(1, MAXIMUM_CONTAINERS) = Field(  # type: ignore[valid-type]
        IntegerRange(2, 2), description="cups on the table, a number or a range such as 1..4"
    )
    chips: integer_range(1, MAXIMUM_START) = Field(  # type: ignore[valid-type]
        IntegerRange(1, 3),
        description=f"chips in each cup at the start (a cup never has more than {MAXIMUM_CHIPS}), a number or a range",
    )


def _check_canvas(settings: ChipSettings) -> None:
    """Raises InputError where the canvas is too narrow for the cups."""
    needed = settings.cups.high * MINIMUM_COLUMN
    if settings.resolution.width < needed:
        raise InputError(
            f"--resolution {settings.resolution}: the values of chips in {settings.cups.high} cups side by side can be "
            f"read only on a canvas at least {needed} pixels wide: raise --resolution or lower --cups"
        )


# ---------------------------------------------------------------------------------------------------- sampling


def sample(settings: ChipSettings, streams: Streams, index: int) -> tuple[Plan, ...]:
    """One plan: cups with chips drawn at random, and a walk that does not end where it began."""
    _check_canvas(settings)
    cups = draw_from(settings.cups, streams("cups"))
    operations = draw_from(settings.ops, streams("operations", "count"))
    random = streams("start")
    sizes = [draw_from(settings.chips, random) for _ in range(cups)]
    start = Cups(tuple(tuple(sorted(random.choices(VALUES, k=size))) for size in sizes))
    random = streams("operations")
    while True:
        trace = walk(start, operations, random)
        if trace.end != trace.start:
            break
    return (
        {
            "start": WORLD.write_state(trace.start),
            "operations": [WORLD.write_operation(operation) for operation in trace.operations],
            "reveal": reveal_of(settings, index),
        },
    )


def walk(start: Cups, length: int, random: Random, came_from: Cups | None = None) -> Trace[Cups, Change]:
    """`length` legal operations, none of which undoes the one before it and none of which overfills a cup.

    Where both can be, three in five are additions, so that cups last. A way on is always left: an empty cup takes any
    value, and a full one holds another value than the one it took last.
    """
    states, operations = [start], list[Change]()
    for _ in range(length):
        state = states[-1]
        kinds: dict[str, list[Change]] = {"add": [], "remove": []}
        for change in WORLD.legal_operations(state):
            after = transition(state, change)
            if after != came_from and not _is_overfull(after.cups[change.cup]):
                kinds[change.verb].append(change)
        verbs = [verb for verb in ("add", "add", "add", "remove", "remove") if kinds[verb]]
        change = random.choice(kinds[random.choice(verbs)])
        came_from = state
        operations.append(change)
        states.append(transition(state, change))
    return Trace(tuple(states), tuple(operations))


def _is_overfull(chips: tuple[int, ...]) -> bool:
    """Whether a cup holds too many chips, or is full of one value, where only undoing might be left."""
    return len(chips) > MAXIMUM_CHIPS or (len(chips) == MAXIMUM_CHIPS and len(set(chips)) == 1)


def further(episode: Episode, length: int, random: Random) -> Trace[Cups, Change]:
    """Operations that go on from the asked moment."""
    return walk(episode.asked, length, random, episode.came_from)


# ---------------------------------------------------------------------------------------------------- scene

GROUND: Colour = (238, 236, 230)
CUP: Colour = (110, 98, 132)
CUP_EDGE: Colour = (62, 54, 80)
CUP_BAND: Colour = (138, 126, 160)
CUP_INSIDE: Colour = (48, 42, 62)
BUBBLE: Colour = (255, 255, 255)
BUBBLE_EDGE: Colour = (150, 146, 158)
ARROW: Colour = (62, 54, 80)
LABEL: Colour = (52, 46, 66)
DARK: Colour = (24, 24, 30)
LIGHT: Colour = (255, 255, 255)

CHIPS: dict[int, tuple[Colour, Colour]] = {
    5: ((196, 78, 0), LIGHT),
    10: ((96, 184, 234), DARK),
    20: ((0, 124, 92), LIGHT),
    50: ((244, 220, 60), DARK),
    100: ((42, 42, 52), LIGHT),
}
"""Each value's colour and the colour of its number, after the palette of Okabe and Ito: apart for every eye."""

MOUTH = 0.2
"""The height of a cup's opening as a share of its width."""


def scene(plan: Plan, settings: ChipSettings) -> Scene:
    """Cups side by side; a chip drops in or rises out beside an arrow. Bubbles above the cups show the state."""
    replayed = episode(plan)
    trace = replayed.trace
    shown: Cups = trace.start if replayed.reveal == "start" else trace.end
    count = len(shown.cups)
    width, height = settings.resolution
    timing = timeline(len(trace.operations), replayed.reveal, settings)

    column = min(width / count, height * 0.8)
    stage = min(height, round(column * 4.5))
    top = (height - stage) / 2
    label = max(4.0, min(stage * 0.06, column * 0.28))
    cup_bottom = top + stage - label * 1.6
    cup_width = max(4, round(min(column * 0.92, stage * 0.4)))
    cup_height = max(4, round(min(cup_width * 1.1, stage * 0.36)))
    rim = cup_bottom - cup_height
    lip = rim - cup_width * MOUTH / 2
    chip = max(2, round(min(cup_width * 0.8, cup_height * 0.84, (lip - top) / 1.9)))
    arrow = max(2, round(chip * 0.3))
    inside = rim + cup_height * 0.53

    def middle(cup: int) -> float:
        return width / 2 + (cup - (count - 1) / 2) * column

    atlas = AtlasBuilder()
    mouth = atlas.add(_mouth(cup_width))
    body = atlas.add(_body(cup_width, cup_height))
    behind, before = list[Placement](), list[Placement]()
    for cup in range(count):
        behind.append(Placement(atlas.add(_caption(f"cup{cup}", label)), middle(cup), top + stage - label * 0.85))
        behind.append(Placement(mouth, middle(cup), rim))
        before.append(Placement(body, middle(cup), rim + cup_height / 2))
    closed = behind + before

    def opened() -> list[Placement]:
        """A bubble above each cup with every chip that is in it."""
        most = max(MINIMUM_PLACES, *map(len, shown.cups))
        margin, tail, padding = stage * 0.02, chip * 0.2, column * 0.03
        space_across = max(1.0, column * 0.96 - 2 * padding)
        space_down = max(1.0, lip - top - margin - tail - 2 * padding)
        columns = max(
            range(1, most + 1), key=lambda across: min(space_across / across, space_down / -(-most // across))
        )
        rows = -(-most // columns)
        slot = min(space_across / columns, space_down / rows)
        size = max(2, round(slot * 0.95))
        bubble_width = max(8, round(max(slot * columns, min(space_across, label * 3.2)) + 2 * padding))
        bubble_height = max(8, round(slot * rows + 2 * padding))
        bubble = _bubble(bubble_width, bubble_height, max(2, round(tail)), min(slot * 0.3, bubble_height * 0.2))
        centre = lip - bubble.height + bubble_height / 2
        listed = list(closed)
        for cup, chips in enumerate(shown.cups):
            listed.append(Placement(atlas.add(bubble), middle(cup), lip - bubble.height / 2))
            if not chips:
                listed.append(Placement(atlas.add(_caption("empty", bubble_width / 3.6)), middle(cup), centre))
            used = -(-len(chips) // columns)
            for place, value in enumerate(chips):
                row, across = divmod(place, columns)
                x = middle(cup) + (across - (min(columns, len(chips)) - 1) / 2) * slot
                listed.append(Placement(atlas.add(_chip(value, size)), x, centre + (row - (used - 1) / 2) * slot))
        return listed

    open_cups = opened()
    chips = [atlas.add(_chip(change.value, chip)) for change in trace.operations]
    signs = {verb: atlas.add(_arrow(chip, arrow, is_down=verb == "add")) for verb in ("add", "remove")}
    apart = chip / 2 + arrow * 0.75
    together = (top + lip) / 2  # the middle of the chip and its arrow while the chip rests
    rest_of = {"add": together - arrow * 0.6, "remove": together + arrow * 0.6}
    ways = passages(timing)

    def during(operation: int, y: float) -> list[Placement]:
        """The chip at a height, with its arrow before it on its way: it goes into the cup first, and stays there."""
        change = trace.operations[operation]
        x = middle(change.cup)
        ahead = min(y + apart, inside) if change.verb == "add" else y - apart
        return [*behind, Placement(signs[change.verb], x, ahead), Placement(chips[operation], x, y), *before]

    @cache
    def resting(operation: int) -> list[Placement]:
        return during(operation, rest_of[trace.operations[operation].verb])

    def placements(frame: int) -> Sequence[Placement]:
        if timing.is_shown(frame):
            return open_cups
        operation, _ = timing.position(frame)
        progress = ways[operation].progress(frame) if operation < len(ways) else 0.0
        if progress == 0.0:
            return closed
        if progress == 1.0:
            return resting(operation)
        verb, outside = trace.operations[operation].verb, -chip / 2 - apart
        rest = rest_of[verb]
        start, end = (outside, inside) if verb == "add" else (inside, outside)
        if progress < 1.0:
            return during(operation, start + (rest - start) * ease(progress))
        return during(operation, rest + (end - rest) * ease(progress - 1.0))

    return Scene(
        width=width,
        height=height,
        fps=settings.fps,
        frames=timing.frames,
        background=GROUND,
        sprites=atlas.sprites,
        placements=placements,
        spans=timing.spans,
        cuts=timing.cuts,
        moments=tuple(way.rests for way in ways),
        seen=tuple((way.rests, way.goes) for way in ways),
    )


def _caption(text: str, size: float) -> Sprite:
    width, height = math.ceil(size * 0.62 * len(text)) + 2, math.ceil(size * 1.1) + 2
    return Sprite(width, height, (Text(width / 2, height / 2, text, size, LABEL),))


def _mouth(width: int) -> Sprite:
    """The opening of a cup, which lies behind the chip that passes through it."""
    height, line = max(2, round(width * MOUTH)), max(1, width // 40)
    return Sprite(
        width,
        height,
        (
            Ellipse(0, 0, width, height, CUP_EDGE),
            Ellipse(line, line, width - 2 * line, height - 2 * line, CUP_INSIDE),
        ),
    )


def _body(width: int, height: int) -> Sprite:
    """A cup from its rim down, in front of what is inside: the near half of the rim is its upper edge.

    The rim's ellipse is centred on the sprite's upper edge.
    """
    depth, line = width * MOUTH / 2, max(1, width // 40)

    def outline(inset: float, from_share: float = 0.0, to_share: float = 1.0) -> tuple[tuple[float, float], ...]:
        """The cup's front between two shares of its height."""

        def arc(share: float) -> list[tuple[float, float]]:
            half = width / 2 * (1 - 0.24 * share) - inset
            level = share * (height - depth * 0.8)
            bend = depth * (1 - 0.2 * share)
            turns = [math.pi * step / 24 for step in range(25)]
            return [(width / 2 - half * math.cos(turn), level + bend * math.sin(turn)) for turn in turns]

        lower = [(x, y - (inset if to_share == 1.0 else 0.0)) for x, y in arc(to_share)]
        return (*arc(from_share), *reversed(lower))

    return Sprite(
        width,
        height,
        (
            Polygon(outline(0), CUP_EDGE),
            Polygon(outline(line, from_share=line / height), CUP),
            Polygon(outline(line, 0.2, 0.32), CUP_BAND),
        ),
    )


def _chip(value: int, size: int) -> Sprite:
    """A round chip of its value's colour with notches in its rim and its number across."""
    colour, ink = CHIPS[value]
    line, centre = max(1, size // 30), size / 2
    shapes: list[Shape] = [
        Ellipse(0, 0, size, size, DARK),
        Ellipse(line, line, size - 2 * line, size - 2 * line, colour),
    ]
    for notch in range(6):
        points = []
        for reach, turn in ((0.49, -0.14), (0.49, 0.14), (0.41, 0.12), (0.41, -0.12)):
            angle = math.tau * notch / 6 + turn
            points.append((centre + size * reach * math.sin(angle), centre + size * reach * math.cos(angle)))
        shapes.append(Polygon(tuple(points), ink))
    text = str(value)
    shapes.append(Text(centre, centre, text, size * {1: 0.7, 2: 0.6, 3: 0.46}[len(text)], ink))
    return Sprite(size, size, tuple(shapes))


def _arrow(width: int, height: int, *, is_down: bool) -> Sprite:
    half = width * 0.22
    flat, point = (0.0, float(height)) if is_down else (float(height), 0.0)
    return Sprite(
        width, height, (Polygon(((width / 2 - half, flat), (width / 2 + half, flat), (width / 2, point)), ARROW),)
    )


def _bubble(width: int, height: int, tail: int, radius: float) -> Sprite:
    """A speech bubble whose tail points at the cup below it."""
    line, half = max(1, width // 80), width * 0.09
    tip = width / 2, float(height + tail)
    return Sprite(
        width,
        height + tail,
        (
            Rectangle(0, 0, width, height, BUBBLE_EDGE, radius),
            Polygon(((width / 2 - half, height - line), (width / 2 + half, height - line), tip), BUBBLE_EDGE),
            Rectangle(line, line, width - 2 * line, height - 2 * line, BUBBLE, max(0.0, radius - line)),
            Polygon(
                (
                    (width / 2 - half + line, height - 2.0 * line),
                    (width / 2 + half - line, height - 2.0 * line),
                    (tip[0], tip[1] - 2.0 * line),
                ),
                BUBBLE,
            ),
        ),
    )


# ---------------------------------------------------------------------------------------------------- questions


def rules(episode: Episode) -> str:
    """Every rule a viewer needs, and when the chips are shown."""
    names = [f"cup{cup}" for cup in range(len(episode.trace.start.cups))]
    if len(names) == 1:
        cups, held, above = "an opaque cup, cup0, that holds", "in the cup", "the cup"
        which = "added to the cup or removed from it"
    else:
        cups = f"{len(names)} opaque cups, {', '.join(names[:-1])} and {names[-1]}, that hold"
        held, above, which = "in the cups", "each cup", "added to a cup or removed from one"
    cup = "the cup" if len(names) == 1 else "its cup"
    shown = (
        f"Only at the start of the video, before the first operation, is it shown what is {held}: a bubble above "
        f"{above} holds all its chips. From there on they are hidden."
        if episode.reveal == "start"
        else f"During the operations it is hidden what is {held}. Only after the last operation, at the end of the "
        f"video, is it shown: then a bubble above {above} holds all its chips."
    )
    return (
        f"The video shows a table with {cups} round chips. Every chip has its value written on it: "
        f"{', '.join(map(str, VALUES[:-1]))} or {VALUES[-1]}; a cup may hold several chips of one value. {shown} A cup "
        "looks the same however many chips are in it, even none.\n\n"
        f"In each operation one chip is either {which}. A chip that is added comes from above and drops into {cup}, "
        f"with an arrow pointing down below it. A chip that is removed rises out of {cup} and leaves upwards, with an "
        "arrow pointing up above it. An operation is named after what happens, the value and the cup, as in: add 50 to "
        "cup0, or remove 50 from cup0."
    )


def _contents(cups: Cups, cup: str) -> list[Any]:
    return list(cups.cups[int(cup.removeprefix("cup"))])


def _gained(cups: Cups, other: Cups, cup: str) -> list[Any]:
    return sorted((Counter(_contents(cups, cup)) - Counter(_contents(other, cup))).elements())


def _goal_text(goal: Cups) -> str:
    return "; ".join(f"{cup}: {write_answer('items', chips)}" for cup, chips in WORLD.write_goal(goal).items())


@cache
def wording(is_one: bool, reveal: Reveal) -> ContainerWording:
    """The words for one cup or for several; they are the same for either reveal."""
    return ContainerWording(
        thing="table",
        rules=rules,
        state_question="Which chips {verb} in the cup" if is_one else "Which chips {verb} in each cup",
        state_kind="items",
        state_key=WORLD.write_state,
        goal_text=_goal_text,
        how_to_write_state=f"The value of every chip in {'the' if is_one else 'a'} cup is written, as often as it is "
        "there and in any order, and none stands for an empty cup.",
        state_examples="cup0: 5, 50, 50",
        operation_examples="add 50 to cup0, remove 5 from cup0",
        plan_rule=f"Any list of operations that ends with exactly these chips in the {'cup' if is_one else 'cups'} is "
        "right; it need not be the shortest. There are chips of every value to add. An operation that cannot be "
        f"carried out, because the chip to remove is not in {'the' if is_one else 'that'} cup, makes the answer wrong.",
        further=further,
        container="cup",
        things="chips",
        contents=_contents,
        gained=_gained,
        gained_question="Which chips are in {part} at {asked} beyond those that are in it at {other}? Only their "
        "values matter: a value that is there more often at {asked} than at {other} is listed once for every chip that "
        "is there more, and a value that is there as often or less often is left out.",
        how_to_list="the value of every such chip, with commas between them. A value is repeated as often as there are "
        "such chips with it. The order does not matter.",
        list_example="5, 50, 50",
        kind_of=lambda change: str(change.value),
        place_of=lambda change: f"cup{change.cup}",
        kind_question=lambda value: (
            f"How many times was a chip with the value {value} "
            + (
                "added to the cup or removed from it?"
                if is_one
                else "added to a cup or removed from one, and at which cup did that happen each time?"
            )
            + " Additions and removals count alike."
        ),
    )


def measures(episodes: Sequence[Episode]) -> Mapping[str, int | float]:
    """`hidden_bits` are those of filling each cup with as many chips as the revealed one holds, of any values."""
    episode = episodes[0]
    revealed = episode.trace.start if episode.reveal == "start" else episode.trace.end
    values = len(VALUES)
    ways = math.prod(math.comb(len(cup) + values - 1, values - 1) for cup in revealed.cups)
    return hidden_state_measures(episode, len(revealed.cups), math.log2(ways))


def episode(plan: Plan) -> Episode:
    return reworded(replay_plan(WORLD, wording(False, "start"), plan), wording)


FAMILY = Family(
    name="chip",
    version=1,
    summary="Opaque cups whose chips are shown once and then hidden while chips are added and removed.",
    settings=ChipSettings,
    sample=sample,
    episode=episode,
    scene=scene,
    questions=(
        RecallOrder,
        RecallWhere,
        InferContainer,
        CompareContainer,
        PredictContainer,
        PredictOperation,
        *STATE_PAIR_QUESTIONS,
    ),
    measures=measures,
    asked=asked_skills,
    drivers=DRIVERS | {"size": "cups"},
    world=WORLD,
    pair=state_pair,
    partnered=partnered,
)

if __name__ == "__main__":
    from generators.command import main

    main(["chip", *sys.argv[1:]])
