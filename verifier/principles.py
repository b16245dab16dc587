"""TOMATO's three principles (arXiv 2410.23266, section 3) measured with readers that we train ourselves.

A small network reads clips of one task as a single frame, as shuffled frames and as frames in order. From what it gets
right, cross-validated by item, follow multi-frame gain κ, frame order sensitivity τ and frame information disparity ρ.
"""

import warnings
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from verifier.features import SEED, Sample
from verifier.motion import MOMENTS
from verifier.thumbnails import Values

PAPER = {"random choice": 0.185, "frequent choice": 0.210}
"""What the two baselines get of TOMATO's own 1,484 questions, as its authors print them."""

FOLDS, HIDDEN, PENALTY, ROUNDS = 5, 32, 1.0, 60
"""The network: one hidden layer, its weights held down so strongly, trained for so many rounds at most."""

FEWEST_ITEMS = 4 * FOLDS
"""A task with fewer items has too little to learn from."""


@dataclass(frozen=True, slots=True)
class Principles:
    """What the readers got right of one task's questions, and what follows of it; None where nothing was right."""

    category: str
    items: int
    random_choice: float
    frequent_choice: float
    random_frame: float
    best_frame: float
    shuffled: float
    ordered: float

    @property
    def gain(self) -> float | None:
        """Multi-frame gain κ: all frames in order over a single frame, less 1."""
        return _over(self.ordered, self.random_frame)

    @property
    def sensitivity(self) -> float | None:
        """Frame order sensitivity τ: frames in order over the same frames shuffled, less 1."""
        return _over(self.ordered, self.shuffled)

    @property
    def disparity(self) -> float | None:
        """Frame information disparity ρ: the best of MOMENTS single frames over a random one, less 1.

        The best one is found with the answers, so it is a little too good even where no frame tells anything.
        """
        return _over(self.best_frame, self.random_frame)


def _over(one: float, other: float) -> float | None:
    return one / other - 1 if other > 0 else None


def principles(
    samples: Sequence[Sample], progress: Callable[[str, int, int], None] = lambda what, done, total: None
) -> list[Principles]:
    """The three principles by task and, where there are several, over all; of single clips with options alone."""
    read = [sample for sample in samples if sample.certificate is None and "ordered motion" in sample.features]
    read = [sample for sample in read if any(asked.kind == "choice" for asked in sample.asked)]
    tasks = {sample.category: [one for one in read if one.category == sample.category] for sample in read}
    tasks = {category: members for category, members in tasks.items() if len(members) >= FEWEST_ITEMS}
    right: dict[str, dict[str, NDArray[np.float64]]] = {}
    for number, (category, members) in enumerate(tasks.items()):
        progress("training readers", number, len(tasks))
        right[category] = _read(members)
    found = [_measured(category, tasks[category], right[category]) for category in tasks]
    if len(found) > 1:
        every = [sample for members in tasks.values() for sample in members]
        names = next(iter(right.values()))
        joined = {name: np.concatenate([one[name] for one in right.values()], axis=1) for name in names}
        found.insert(0, _measured("all", every, joined))
    return found


def _read(members: Sequence[Sample]) -> dict[str, NDArray[np.float64]]:
    """Whether each reader is right about each item; by moment (MOMENTS, items), else (1, items)."""
    looks = {name: np.array([sample.features[name][0] for sample in members]) for name in members[0].features}
    frames = looks["moments"]
    readers = {
        "moments": [_right(frames[:, moment], members) for moment in range(MOMENTS)],
        "shuffled": [_right(looks["shuffled motion"], members)],
        "ordered": [_right(looks["ordered motion"], members)],
    }
    return {name: np.array(rows, dtype=np.float64) for name, rows in readers.items()}


def _right(features: Values, members: Sequence[Sample]) -> NDArray[np.bool_]:
    """Whether a network that learned from the other folds gives each item's right option the most of its options."""
    from sklearn.exceptions import ConvergenceWarning  # type: ignore[import-untyped]
    from sklearn.model_selection import KFold  # type: ignore[import-untyped]
    from sklearn.neural_network import MLPClassifier  # type: ignore[import-untyped]
    from sklearn.preprocessing import StandardScaler  # type: ignore[import-untyped]
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    questions = [next(asked for asked in sample.asked if asked.kind == "choice") for sample in members]
    answers = np.array([asked.options[asked.keys[0]] for asked in questions])
    is_right = np.zeros(len(members), dtype=bool)
    for train, test in KFold(FOLDS, shuffle=True, random_state=SEED).split(features):
        scaler = StandardScaler().fit(features[train])
        network = MLPClassifier((HIDDEN,), alpha=PENALTY, max_iter=ROUNDS, random_state=SEED)
        # Threads that wait for each other take many times as long as one on so little.
        with warnings.catch_warnings(), threadpool_limits(1):
            # So many rounds are enough to compare readers with.
            warnings.simplefilter("ignore", ConvergenceWarning)
            network.fit(np.clip(scaler.transform(features[train]), -5, 5), answers[train])
        likely = network.predict_proba(np.clip(scaler.transform(features[test]), -5, 5))
        column = {text: number for number, text in enumerate(network.classes_)}
        for row, item in zip(likely, test, strict=True):
            scores = [row[column[text]] if text in column else 0.0 for text in questions[item].options]
            is_right[item] = int(np.argmax(scores)) == questions[item].keys[0]
    return is_right


def _measured(category: str, members: Sequence[Sample], right: dict[str, NDArray[np.float64]]) -> Principles:
    questions = [next(asked for asked in sample.asked if asked.kind == "choice") for sample in members]
    letters = Counter(asked.keys[0] for asked in questions)
    by_moment = right["moments"].mean(axis=1)
    return Principles(
        category=category,
        items=len(members),
        random_choice=float(np.mean([1 / len(asked.options) for asked in questions])),
        frequent_choice=letters.most_common(1)[0][1] / len(questions),
        random_frame=float(by_moment.mean()),
        best_frame=float(by_moment.max()),
        shuffled=float(right["shuffled"].mean()),
        ordered=float(right["ordered"].mean()),
    )
