"""Single clips with one question of several options: whatever the answer is, the same frames in another order.

The tasks are TOMATO's (arXiv 2410.23266). A script draws everything but its answer; its alternatives are the clips that
the other options would be true of. All of them hold the same multiset of frames with the same first and last one, so a
reader that sees no order cannot do better than chance, and since the answer is drawn last, from the options alone,
neither can one that sees no frame.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import takewhile
from math import ceil, floor, pi, sin
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, Self, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, PlainSerializer

from generators.errors import InputError
from generators.family import Family, QuestionType
from generators.item import Kind, Plan, canonical_json
from generators.pairs import named_scripts, read_names, worked_out_once
from generators.questions import example
from generators.randomness import Streams
from generators.rendering.scene import Colour, Part, Placement, Rectangle, Scene, Sprite
from generators.settings import ClipSettings, RealRange, Resolution, real_range
from generators.stage import Stage

Demonstration = Literal["human", "object", "simulated"]
DEMONSTRATIONS: Mapping[Demonstration, int] = {"human": 5, "object": 5, "simulated": 2}
"""Who or what shows it, and in how many of every twelve clips: TOMATO has 41, 42 and 17 %."""

Variation = Literal["plain", "counterfactual", "composite", "zoomed_in", "first_person"]
VARIATIONS: tuple[Variation, ...] = get_args(Variation)

TASKS = ("rotation", "motion_direction", "velocity_frequency", "shape_trend", "visual_cues", "action_count")
"""The families of this kind, in TOMATO's order."""

STRATA = 60
"""So many turns share out what is drawn in equal parts: a number that options in twos to sixes divide."""

ZOOM, SWAY = 1.6, 5.0
"""How many times nearer a close camera is, and how many units a moving one sways to either side."""

NOTES: Mapping[str, str] = {
    "zoomed_in": "It is filmed from close by.",
    "first_person": "The camera moves as it films.",
}

# ---------------------------------------------------------------------------------------------------- settings


class SingleSettings(ClipSettings):
    """What the families of single clips let a user choose."""

    seconds: real_range(4.0, 60.0) = Field(  # type: ignore[valid-type]
        RealRange(8.0, 10.4), description="length of a clip in seconds, a number or a range such as 6..9"
    )
    demonstration: Literal["all", "human", "object", "simulated"] = Field(
        "all", description="who shows it: a person, a thing, or plain shapes; all takes turns"
    )
    variation: Literal["all", "plain", "counterfactual", "composite", "zoomed_in", "first_person"] = Field(
        "all", description="a twist to every clip, or plain; all makes half of the clips plain and shares out the rest"
    )
    scripts: Annotated[tuple[str, ...], BeforeValidator(read_names), PlainSerializer(",".join)] = Field(
        ("all",), description="which ways to show it, with commas between; or all"
    )


# ---------------------------------------------------------------------------------------------------- scripts


class Asked(NamedTuple):
    """What is asked of a clip: `context` says what the video shows with every rule that a viewer needs."""

    context: str
    stem: str


class Pictures(NamedTuple):
    """How every pose looks: the atlas, what is placed where in a pose, and the ground."""

    sprites: Sequence[Sprite]
    at: Callable[[int], list[Placement]]
    ground: Colour


class SingleScript(BaseModel):
    """One way to show a task, and what happens in one clip: its fields are the clip's plan.

    A subclass gives `draw`, which draws everything but the answer (any one will do), `alternatives`, which lists the
    clips of all options, and then the words, the walk over poses and the pictures of one clip.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)

    NAME: ClassVar[str]
    """What the plan calls this way to show it."""
    DEMONSTRATION: ClassVar[Demonstration]
    VARIATIONS: ClassVar[tuple[Variation, ...]] = ("plain",)
    """The twists that this script can have."""

    fps: int = Field(ge=1, le=120)
    frames: int = Field(ge=2, le=20_000)
    variation: Variation

    @classmethod
    def draw(cls, settings: Any, streams: Streams, variation: Variation) -> Self:
        """Everything but the answer, of which any may stand there.

        Raises InputError where the settings leave no room.
        """
        raise NotImplementedError(cls)

    def alternatives(self) -> Sequence[Self]:
        """The clips of all options, this one among them, in an order that depends on nothing but what they share."""
        raise NotImplementedError(self)

    def says(self) -> str:
        """The option that is true of this clip, in words."""
        raise NotImplementedError(self)

    def asked(self) -> Asked:
        """The words, the same for all alternatives."""
        raise NotImplementedError(self)

    def walk(self) -> Sequence[int]:
        """The pose of every frame: for all alternatives the same poses equally often, and the same at both ends."""
        raise NotImplementedError(self)

    def pictures(self, settings: Any) -> Pictures:
        """How the poses look: the same for all alternatives."""
        raise NotImplementedError(self)

    def spans(self) -> tuple[tuple[int, int], ...]:
        """`[first, end)` in frames of everything that happens, in order."""
        raise NotImplementedError(self)

    def seen(self) -> tuple[tuple[int, int], ...]:
        """Windows in frames: a viewer who gets a frame in each, evenly spaced, can tell the answer."""
        raise NotImplementedError(self)

    def focus(self) -> tuple[float, float]:
        """Where a camera that is close by looks, in units of the stage: what happens must stay in its picture."""
        return 50.0, 50.0

    def camera_phase(self, pose: int, poses: int) -> float:
        """How far round its loop a camera is that moves, in radians, in one of so many poses; at 0 it is at rest."""
        return 2 * pi * pose / poses

    def right(self, settings: Any, share: float) -> int:
        """Which of the alternatives the clip shows; `share` runs evenly from 0 to 1 over the clips of a set."""
        return int(share * len(self.alternatives()))

    def measures(self) -> Mapping[str, int | float]:
        """What this script measures of its clip beside its length and its options."""
        return {}

    def to_plan(self) -> Plan:
        return {"script": self.NAME, **self.model_dump(mode="json")}

    def scene(self, settings: Any) -> Scene:
        walk = self.walk()
        pictures = self._filmed(settings, max(walk) + 1)
        known: dict[tuple[Placement, ...], list[Placement]] = {}

        @cache
        def at(pose: int) -> list[Placement]:
            """The placements of a pose; those of poses that look the same are the same, so that they are drawn once."""
            placed = pictures.at(pose)
            return known.setdefault(tuple(placed), placed)

        return Scene(
            width=settings.resolution.width,
            height=settings.resolution.height,
            fps=self.fps,
            frames=len(walk),
            background=pictures.ground,
            sprites=tuple(pictures.sprites),
            placements=lambda frame: at(walk[frame]),
            spans=self.spans(),
            seen=self.seen(),
        )

    def _filmed(self, settings: Any, poses: int) -> Pictures:
        """How the poses look to a camera that may be close by, or move.

        Where it is depends on the pose alone, so that it tells nothing of the order of frames.
        """
        resolution: Resolution = settings.resolution
        if self.variation == "zoomed_in":
            # Drawn larger from the outset, so that all edges are as sharp as elsewhere.
            larger = Resolution(*(4 * round(ZOOM * side / 4) for side in resolution))
            pictures = self.pictures(settings.model_copy(update={"resolution": larger}))
            x, y = Stage(larger).point(*self.focus())
            off = resolution.width / 2 - x, resolution.height / 2 - y
            return pictures._replace(at=lambda pose: _shifted(pictures.at(pose), *off))
        pictures = self.pictures(settings)
        if self.variation != "first_person":
            return pictures
        # Other looks than the plain one lay things between the ground and the rest.
        held = _on_one_ground(pictures, resolution, poses) if settings.look == "plain" and poses >= MANY else pictures
        sway = SWAY * Stage(resolution).unit

        def swayed(pose: int) -> list[Placement]:
            turn = self.camera_phase(pose, poses)
            # In steps of two pixels, so that what stands still is drawn for one way of pairing its pixels only.
            return _shifted(held.at(pose), *(2 * round(sway * sin(n * turn) / 2) for n in (1, 2)))

        return held._replace(at=swayed)


def _shifted(placed: Sequence[Placement], right: float, down: float) -> list[Placement]:
    return [one._replace(x=one.x + right, y=one.y + down) for one in placed]


MANY = 80
"""Poses from which on one large sprite takes less time than the many small ones that it stands for."""


def _on_one_ground(pictures: Pictures, resolution: Resolution, poses: int) -> Pictures:
    """The same, but all that lies lowest and stands still in every pose is one sprite with the ground.

    It is wider than the canvas: where a camera moves, that is one copy a frame instead of many blends.
    """
    placed = [sorted(pictures.at(pose), key=lambda one: one.depth) for pose in range(poses)]
    still = [same[0] for same in takewhile(lambda same: len({*same}) == 1, zip(*placed, strict=False))]
    if not still or any((one.angle, one.scale, one.opacity) != (0, 1, 1) for one in still):
        return pictures
    margin = 2 * ceil(SWAY * Stage(resolution).unit / 2) + 2
    parts = []
    for one in still:
        sprite = pictures.sprites[one.sprite]
        left, top = one.x - sprite.width / 2, one.y - sprite.height / 2
        parts.append(Part(sprite, floor(left + 0.5) + margin, floor(top + 0.5) + margin))
    width, height = (side + 2 * margin for side in resolution)
    ground = Sprite(width, height, (Rectangle(0, 0, width, height, pictures.ground),), parts=tuple(parts))
    middle = resolution.width / 2, resolution.height / 2
    lowest = Placement(len(pictures.sprites), *middle, depth=still[0].depth)
    lists = [[lowest, *pose[len(still) :]] for pose in placed]
    return Pictures([*pictures.sprites, ground], lists.__getitem__, pictures.ground)


Turns = Literal["forwards", "backwards", "forwards first", "backwards first", "neither"]


class FiveWays(SingleScript):
    """Something goes one of two ways, the other, one after the other, or neither of them."""

    STEADILY: ClassVar[str] = "from beginning to end"
    NEITHER: ClassVar[str] = "it jumps about"
    """What is said of it where it goes neither way."""

    turns: Turns

    @property
    def ways(self) -> tuple[str, str]:
        """How forwards and backwards are called."""
        raise NotImplementedError(self)

    def alternatives(self) -> list[Self]:
        return [self.model_copy(update={"turns": turns}) for turns in get_args(Turns)]

    def says(self) -> str:
        one, other = self.ways
        return {
            "forwards": f"{one} {self.STEADILY}",
            "backwards": f"{other} {self.STEADILY}",
            "forwards first": f"first {one}, then {other}",
            "backwards first": f"first {other}, then {one}",
            "neither": f"neither way: {self.NEITHER}",
        }[self.turns]


def check_alternatives(shown: SingleScript) -> list[str]:
    """The texts of a clip's options. Raises ValueError where more than the order of frames tells them apart."""
    every = list(shown.alternatives())
    texts = [one.says() for one in every]
    if shown not in every or not 2 <= len(every) <= 9 or len({*texts}) < len(texts):
        raise ValueError(f"{shown.NAME}: a clip is one of two to nine alternatives that differ in words: {texts}")
    if len({one.asked() for one in every}) > 1:
        raise ValueError(f"{shown.NAME}: the words differ between the alternatives")
    walks = [list(one.walk()) for one in every]
    if any(len(walk) != shown.frames for walk in walks):
        raise ValueError(f"{shown.NAME}: a walk has not the plan's {shown.frames} frames")
    if len({tuple(walk) for walk in walks}) < len(walks) or len({(walk[0], walk[-1]) for walk in walks}) > 1:
        raise ValueError(f"{shown.NAME}: two alternatives are the same, or begin or end differently")
    counts = Counter(walks[0])
    if any(Counter(walk) != counts for walk in walks[1:]):
        raise ValueError(f"{shown.NAME}: the alternatives do not hold the same frames")
    return texts


# ---------------------------------------------------------------------------------------------------- questions


class Choice(QuestionType):
    """Which of the options is true of the clip? Who shows it and with which twist is told for reports."""

    ID: ClassVar[str] = "choice"
    LEVEL: ClassVar[int] = 1
    KIND: ClassVar[Kind] = "choice"

    order: list[int]
    """The alternatives in the order in which they are options."""
    demonstration: Demonstration
    variation: Variation
    certificate: Literal["permutation"]
    """All options would have the same frames, in another order."""

    @classmethod
    def draw(cls, episodes: Sequence[Any], settings: Any, streams: Streams) -> Self:
        shown: SingleScript = episodes[0]
        order = list(range(len(check_alternatives(shown))))
        right = list(shown.alternatives()).index(shown)
        order.remove(right)
        streams("choice", "order").shuffle(order)
        # The right option has every place equally often.
        order.insert(int(stratum(streams, "place", streams.index) * (len(order) + 1)), right)
        return cls(order=order, demonstration=shown.DEMONSTRATION, variation=shown.variation, certificate="permutation")

    def check(self, episode: Any) -> None:
        texts = check_alternatives(episode)
        if sorted(self.order) != list(range(len(texts))):
            raise ValueError(f"the options are {len(texts)} alternatives in an order, not {self.order}")
        if (self.demonstration, self.variation) != (episode.DEMONSTRATION, episode.variation):
            raise ValueError(f"the clip is {episode.DEMONSTRATION} and {episode.variation}")

    def options(self, episode: Any) -> list[str]:
        texts = [one.says() for one in episode.alternatives()]
        return [texts[number] for number in self.order]

    def prompt(self, episode: Any) -> str:
        context, stem = episode.asked()
        context = " ".join([context, *([NOTES[episode.variation]] if episode.variation in NOTES else [])])
        listed = "\n".join(f"{chr(ord('A') + place)}. {text}" for place, text in enumerate(self.options(episode)))
        form = f"End your reply with one line such as {example('B')}: the letter of the right option."
        return "\n\n".join([context, f"{stem}\n{listed}", form])

    def key(self, episode: Any) -> str:
        return chr(ord("A") + self.order.index(list(episode.alternatives()).index(episode)))


# ---------------------------------------------------------------------------------------------------- sharing out


def stratum(streams: Streams, name: str, turn: int) -> float:
    """A number from 0 to 1 for this turn, such that every STRATA turns in a row have evenly spread ones.

    Where a first draft was not wanted it is drawn anew, so that a selection finds whatever there is.
    """
    if streams.attempt:
        return streams("shared out", name).random()
    block, place = divmod(turn, STRATA)
    order = list(range(STRATA))
    Streams(streams.root_seed, streams.family, streams.version, block)("shared out", name).shuffle(order)
    return (order[place] + 0.5) / STRATA


def whose_turn(possible: Sequence[type[SingleScript]], streams: Streams) -> tuple[type[SingleScript], int]:
    """The script of an item, and how many items it made before: kinds in their shares, in each the scripts in turn."""
    of_kind = {kind: [one for one in possible if kind == one.DEMONSTRATION] for kind in DEMONSTRATIONS}
    slots = [kind for kind, share in DEMONSTRATIONS.items() if of_kind[kind] for _ in range(share)]
    if streams.attempt:
        random = streams("shared out", "kinds")
        return random.choice(of_kind[random.choice(slots)]), streams.index
    block, place = divmod(streams.index, len(slots))
    Streams(streams.root_seed, streams.family, streams.version, block)("shared out", "kinds").shuffle(slots)
    kind = slots[place]
    before = block * slots.count(kind) + slots[:place].count(kind)
    turn, number = divmod(before, len(of_kind[kind]))
    return of_kind[kind][number], turn


def _variation(script: type[SingleScript], chosen: str, streams: Streams, turn: int) -> Variation:
    """Half of the clips are plain, the others share the twists that the script has."""
    twists = [one for one in script.VARIATIONS if one != "plain"]
    if chosen != "all":
        return next(one for one in script.VARIATIONS if one == chosen)
    share = stratum(streams, f"variation {script.NAME}", turn)
    return twists[int((2 * share - 1) * len(twists))] if twists and share >= 0.5 else "plain"


# ---------------------------------------------------------------------------------------------------- families


def single_clip_family(
    *,
    name: str,
    version: int,
    summary: str,
    settings: type[SingleSettings],
    scripts: tuple[type[SingleScript], ...],
    drivers: Mapping[str, str] | None = None,
) -> Family:
    """A family of single clips, whose scripts take turns; `drivers` are those of its own measures."""
    by_name: Mapping[str, type[SingleScript]] = {script.NAME: script for script in scripts}

    def chosen(settings: SingleSettings) -> list[type[SingleScript]]:
        possible = [
            script
            for script in named_scripts(name, by_name, settings.scripts)
            if settings.demonstration in ("all", script.DEMONSTRATION)
            and (settings.variation == "all" or settings.variation in script.VARIATIONS)
        ]
        if not possible:
            raise InputError(
                f"{name} has no script that is {settings.demonstration} and {settings.variation} among "
                f"{', '.join(settings.scripts)}: allow others with --demonstration, --variation or --scripts"
            )
        return possible

    def sample(settings: SingleSettings, streams: Streams, index: int) -> tuple[Plan, ...]:
        possible = chosen(settings)
        script, turn = whose_turn(possible, streams)
        # Where the settings leave a script no room, the next one takes its turn.
        following = possible.index(script)
        refusals = []
        for one in (*possible[following:], *possible[:following]):
            try:
                drawn = one.draw(settings, streams, _variation(one, settings.variation, streams, turn))
            except InputError as error:
                refusals.append(error)
                continue
            right = drawn.right(settings, stratum(streams, f"answer {one.NAME}", turn))
            return (drawn.alternatives()[right].to_plan(),)
        raise refusals[0]

    def episode(plan: Plan) -> SingleScript:
        fields = dict(plan)
        script = fields.pop("script", None)
        if not isinstance(script, str) or script not in by_name:
            raise ValueError(f"a plan of {name} names one of the scripts {', '.join(by_name)}, not {script!r}")
        shown = by_name[script].model_validate_json(canonical_json(fields))
        if shown.variation not in shown.VARIATIONS:
            raise ValueError(f"{script} has no variation {shown.variation}")
        return shown

    def scene(plan: Plan, settings: SingleSettings) -> Scene:
        shown = episode(plan)
        if shown.fps != settings.fps:
            raise ValueError(f"the plan is for {shown.fps} frames a second, not {settings.fps}")
        return shown.scene(settings)

    def measures(episodes: Sequence[SingleScript]) -> Mapping[str, int | float]:
        (shown,) = episodes
        return {
            "seconds": round(shown.frames / shown.fps, 3),
            "options": len(shown.alternatives()),
            **shown.measures(),
        }

    return Family(
        name=name,
        version=version,
        summary=summary,
        settings=settings,
        sample=sample,
        episode=episode,
        scene=worked_out_once(scene),
        questions=(Choice,),
        measures=measures,
        asked=lambda settings: ("choice",),
        drivers=drivers or {},
        category=name,
    )
