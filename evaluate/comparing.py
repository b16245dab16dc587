"""Runs over the same questions compared: models with each other, and the conditions of one model side by side."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from statistics import fmean

from evaluate.conditions import SINGLE
from evaluate.power import Spread, spread
from evaluate.statistics import Difference, Discordance, Ratio, bootstrap, difference, discordance, holm, ratio
from evaluate.tallies import Counted, Tally
from generators.item import canonical_json

SIGNIFICANT = 0.05
LONGEST_NAME = 80


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two runs over the same questions, by their places in the report.

    `instances` compares the pairs that either solved; it is None without pairs. The p-values under `…_holm` are
    corrected for all the comparisons of models in the report.
    """

    first: int
    second: int
    accuracy: Difference
    accuracy_holm: float
    instances: Discordance | None = None
    instances_holm: float | None = None


@dataclass(frozen=True, slots=True)
class ConditionFigures:
    """A run under one condition beside the run of the same model that it is measured against; None for that one itself.

    `drop` is what it has over what that one has, less 1. `holm` is the p-value of the difference, corrected for all
    conditions of the report.
    """

    place: int
    against: int | None
    bootstrap: tuple[float, float] | None
    difference: Difference | None = None
    drop: Ratio | None = None
    holm: float | None = None


@dataclass(frozen=True, slots=True)
class Temporal:
    """One of TOMATO's three measures (arXiv 2410.23266, section 3) for one model, from two of its runs.

    Each is a ratio of accuracies less 1:

    - κ, multi-frame gain: all frames over a single frame. Near 0: one frame was enough.
    - τ, frame order sensitivity: all frames in order over the same frames shuffled. Near 0: order does not matter.
    - ρ, frame information disparity: the best single frame over a random one. High: one moment holds the answer.

    The paper's best frame is picked by people; ours is the most informative one by the item's spans, or the centre.
    """

    name: str
    symbol: str
    of: int
    against: int
    ratio: Ratio


@dataclass(frozen=True, slots=True)
class SweepPoint:
    """One run of a sweep: a model under one condition with so many `frames` a clip, or frames a second (`fps`)."""

    place: int
    series: int
    unit: str
    value: float
    mean_frames: float | None


@dataclass(frozen=True, slots=True)
class FrameRates:
    """The questions of a run by whether their clips were shown at the frame rate that they need.

    `unknown` counts those of which that cannot be said. Without the marked ones the accuracy is that of all others.
    """

    place: int
    below: Tally
    others: Tally
    unknown: int


class CountedRuns(tuple[Counted, ...]):
    """Runs over one dataset, counted, with all that follows from comparing them, each worked out once."""

    @cached_property
    def series(self) -> list[list[int]]:
        """The places of the runs of one model each: of the same name, endpoint, parameters and seed."""
        found: dict[str, list[int]] = {}
        for place, one in enumerate(self):
            settings = one.run.settings
            known = [one.run.model, settings.spec, settings.endpoint, settings.parameters, settings.seed]
            found.setdefault(canonical_json(known), []).append(place)
        return list(found.values())

    @cached_property
    def labels(self) -> list[str]:
        """What to call each run: its model, with condition or the run's own name where several runs are of one model.

        A dagger marks the runs that showed clips at a lower frame rate than they need.
        """
        models = Counter(one.run.model for one in self)
        viewings = Counter((one.run.model, viewing_name(one)) for one in self)
        labels = []
        for one in self:
            viewing = viewing_name(one)
            known = one.run.model
            if models[one.run.model] > 1:
                is_told_apart = all(viewings[name] == 1 for name in viewings if name[0] == one.run.model)
                known += f", {viewing}" if is_told_apart else f" ({one.name})"
            labels.append(_shortened(plain(known)))
        again = Counter(labels)
        labels = [label if again[label] == 1 else f"{label} {number}" for number, label in enumerate(labels, 1)]
        return [label + (" †" if one.overall.below_minimum else "") for label, one in zip(labels, self, strict=True)]

    @cached_property
    def series_labels(self) -> list[str]:
        """What to call each model, whatever it was shown."""
        names = [_shortened(plain(self[series[0]].run.model)) for series in self.series]
        again = Counter(names)
        return [name if again[name] == 1 else f"{name} {number}" for number, name in enumerate(names, 1)]

    @cached_property
    def contenders(self) -> list[int]:
        """The runs that stand for their models: those of each that show the most; all where none shows full clips."""
        full = [place for place, one in enumerate(self) if one.viewing.condition == "full"]
        chosen = []
        for series in self.series:
            shown = [place for place in series if place in full]
            most = max((_extent(self[place]) for place in shown), default=None)
            chosen += [place for place in shown if _extent(self[place]) == most]
        return sorted(chosen) or list(range(len(self)))

    @cached_property
    def comparisons(self) -> list[Comparison]:
        """Every two of the contenders compared."""
        return compare(self, self.contenders)

    @cached_property
    def ranking(self) -> list[int]:
        """The contenders, from the highest accuracy to the lowest."""
        return sorted(self.contenders, key=lambda place: (-(self[place].overall.accuracy.mean or 0.0), place))

    @cached_property
    def intervals(self) -> list[tuple[float, float] | None]:
        """The cluster-bootstrap interval of each run's accuracy."""
        return [bootstrap(one.overall.is_right, one.overall.items) for one in self]

    def level_with(self, place: int) -> list[int]:
        """The contenders whose accuracy cannot be told from that of this one, at 5 % after Holm's correction."""
        return [
            one.second if one.first == place else one.first
            for one in self.comparisons
            if place in (one.first, one.second) and one.accuracy_holm >= SIGNIFICANT
        ]

    def reference(self, place: int) -> int | None:
        """The full run that a run of the same model is measured against: of the same frames, or else of the most.

        None where there is none, and for that run itself.
        """
        one = self[place]
        series = next(series for series in self.series if place in series)
        full = [other for other in series if self[other].viewing.condition == "full"]
        if one.viewing.condition != "full" and one.viewing.condition not in SINGLE and one.viewing.has_frames:
            alike = [other for other in full if replace(one.viewing, condition="full") == self[other].viewing]
            if alike:
                return alike[0]
        best = max(full, key=lambda other: (_extent(self[other]), -other), default=None)
        return best if best != place else None

    def series_label(self, place: int) -> str:
        """What to call the model of a run."""
        number = next(number for number, series in enumerate(self.series) if place in series)
        return self.series_labels[number]

    @cached_property
    def conditions(self) -> list[ConditionFigures]:
        """Every model's runs under several conditions, full ones first, each against its reference."""
        found: list[ConditionFigures] = []
        for series in self.series:
            if len({self[place].viewing for place in series}) < 2:
                continue
            for place in sorted(series, key=lambda place: (self[place].viewing.condition != "full", place)):
                against = self.reference(place)
                if against is None:
                    found.append(ConditionFigures(place, None, self.intervals[place]))
                    continue
                one, other = self[place].overall, self[against].overall
                found.append(
                    ConditionFigures(
                        place,
                        against,
                        self.intervals[place],
                        difference(one.is_right, other.is_right, one.items),
                        ratio(one.is_right, other.is_right, one.items),
                    )
                )
        corrected = iter(holm([one.difference.p for one in found if one.difference is not None]))
        return [replace(one, holm=next(corrected)) if one.difference is not None else one for one in found]

    @cached_property
    def temporal(self) -> list[Temporal]:
        """TOMATO's measures, for every model that was run under the conditions that they need."""
        return [
            Temporal(name, symbol, of, against, ratio(one.is_right, other.is_right, one.items))
            for series in self.series
            for name, symbol, of, against in self._temporal_pairs(series)
            for one, other in [(self[of].overall, self[against].overall)]
        ]

    def _temporal_pairs(self, series: Sequence[int]) -> Iterator[tuple[str, str, int, int]]:
        def first(*conditions: str) -> int | None:
            places = (place for name in conditions for place in series if self[place].viewing.condition == name)
            return next(places, None)

        best, drawn, shuffled = first("single-informative", "single-centre"), first("single-random"), first("shuffled")
        for single in dict.fromkeys(place for place in (best, drawn) if place is not None):
            if (full := self.reference(single)) is not None:
                yield "multi-frame gain", "κ", full, single
        for place in series:
            full = self.reference(place)
            if shuffled is not None and self[place].viewing.condition == "shuffled" and full is not None:
                yield "frame order sensitivity", "τ", full, place
        if best is not None and drawn is not None:
            yield "frame information disparity", "ρ", best, drawn

    @cached_property
    def sweeps(self) -> list[SweepPoint]:
        """Runs of one model and condition that differ in the number of frames or the frame rate, in rising order."""
        found: list[SweepPoint] = []
        for number, series in enumerate(self.series):
            for unit in ("frames", "fps"):
                for condition in dict.fromkeys(self[place].viewing.condition for place in series):
                    points = [
                        SweepPoint(place, number, unit, float(value), _mean_frames(self[place]))
                        for place in series
                        if self[place].viewing.condition == condition
                        and (value := getattr(self[place].viewing, unit)) is not None
                    ]
                    if len({point.value for point in points}) > 1:
                        found += sorted(points, key=lambda point: (point.value, point.place))
        return found

    @cached_property
    def spreads(self) -> list[Spread | None]:
        """How the two models of each comparison vary over items, in the order of `comparisons`."""
        pairs = ((self[one.first].overall, self[one.second].overall) for one in self.comparisons)
        return [spread(first.is_right, second.is_right, first.items) for first, second in pairs]

    @cached_property
    def frame_rates(self) -> list[FrameRates]:
        """The runs that showed some clips at a lower frame rate than they need."""
        found = []
        for place, one in enumerate(self):
            if not one.overall.below_minimum:
                continue
            parts = {True: Tally(), False: Tally()}
            for answered, item in zip(one.answered, one.overall.items, strict=True):
                part = parts[answered.is_below_minimum is True]
                part.outcomes[answered.outcome] += 1
                part.is_right.append(answered.outcome == "correct")
                part.items.append(item)
            unknown = sum(answered.is_below_minimum is None for answered in one.answered)
            found.append(FrameRates(place, parts[True], parts[False], unknown))
        return found

    def judged(self, place: int) -> list[bool]:
        """For each question of a run whether it is right, or right by the second reader's word."""
        return [one.outcome == "correct" or one.judged == "correct" for one in self[place].answered]


def compare(counted: Sequence[Counted], places: Sequence[int] | None = None) -> list[Comparison]:
    """Every two of several runs over the same items compared; nothing where there is one run only."""
    chosen = list(combinations(range(len(counted)) if places is None else places, 2))
    accuracies: list[Difference] = []
    instances: list[Discordance] = []
    for first, second in ((counted[first], counted[second]) for first, second in chosen):
        accuracies.append(difference(first.overall.is_right, second.overall.is_right, first.overall.items))
        if first.instances:
            solved = ([instance.is_solved for instance in one.instances] for one in (first, second))
            instances.append(discordance(*solved))
    corrected = holm([*(one.p for one in accuracies), *(one.p for one in instances)])
    found = [
        Comparison(*runs, of_accuracy, p)
        for runs, of_accuracy, p in zip(chosen, accuracies, corrected[: len(chosen)], strict=True)
    ]
    if not instances:
        return found
    return [
        replace(one, instances=of_instances, instances_holm=p)
        for one, of_instances, p in zip(found, instances, corrected[len(chosen) :], strict=True)
    ]


def viewing_name(one: Counted) -> str:
    """The condition of a run, with the frames or the frame rate asked for."""
    viewing = one.viewing
    parts: list[str] = [viewing.condition]
    if viewing.has_frames and viewing.condition not in SINGLE:
        if viewing.frames is not None:
            parts.append(f"{viewing.frames} frame{'s' * (viewing.frames != 1)}")
        if viewing.fps is not None:
            parts.append(f"{viewing.fps:g} fps")
    if viewing.has_frames and viewing.frames_from == "render":
        parts.append("drawn")
    return ", ".join(parts)


def _extent(one: Counted) -> tuple[bool, float, float]:
    """How much a run shows: all frames are the most, then a frame rate, then a number of frames."""
    viewing = one.viewing
    return viewing.fps is None and viewing.frames is None, viewing.fps or 0.0, float(viewing.frames or 0)


def _mean_frames(one: Counted) -> float | None:
    numbers = [answered.frames for answered in one.answered if answered.frames]
    return fmean(numbers) if numbers else None


def _shortened(name: str) -> str:
    return name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1] + "…"


def plain(text: str) -> str:
    """`text` on one line, without anything that a terminal or a table would obey."""
    return "".join(character if character.isprintable() else " " for character in text)
