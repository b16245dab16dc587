"""Trained readers that see no order, cross-validated by item, and how likely chance alone is to make them as good.

One model, fixed in advance: kernel ridge over (clip, question) with the product of a kernel of clips and a kernel of
claims, so that it learns how what is seen bears on what is asked. The kernel of clips is linear, which finds a single
telling pixel, and of Gauss, which compares with near neighbours; pairs are also compared within the pair, where nothing
but the pair's difference is left. Its answers are linear in the labels it learned from. So the labels can be drawn
again a million times and the whole cross-validation repeated, which makes the p-values exact: answers of folds that
learned from one another are not independent, and a binomial test of them finds what is not there.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from verifier.features import Asked, Sample
from verifier.thumbnails import Values

FOLDS = 5
RIDGE = 0.1
"""The penalty, as a share of the kernel's mean diagonal."""

FEWEST_ITEMS = 2 * FOLDS
"""A group of fewer items has too little to learn from."""

MOST_WORDS = 2_000
DECIMALS = 9
"""Scores are compared to so many decimals: beyond them are rounding errors, which differ between machines."""

BATCH = 1_000
"""Drawn labellings that are judged at once."""

FIRST_DRAWS = 1_000
ENOUGH = 20
"""No more labellings are drawn once so many did as well as the true one: then it is no finding."""

SEED = 0

Whole = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Rows:
    """The questions of some items, one for each clip, laid out as rows of claims to score.

    A question with two options is one row, whose sign decides; one with more has a row for each option. `starts` says
    where each question's rows begin, `options` how many it has, `right` which is the right one.
    """

    items: Whole
    """The number of its item, by question, in order."""
    clips: Whole
    """The number of its clip in the group, by row."""
    starts: Whole
    options: Whole
    right: Whole
    claims: Values
    """The kernel of claims, rows × rows."""
    texts: list[tuple[Any, ...]]
    """What a row's claim says; rows with the same clip features and the same text get one score."""

    @property
    def is_two_way(self) -> bool:
        return bool((self.options == 2).all())


@dataclass(frozen=True, slots=True)
class Reading:
    """How a probe did on a group. `instance` is the share of pairs of which it got all answers right.

    `expected` and `expected_instance` are what labels drawn at random gave, `p` and `p_instance` how often those did at
    least as well, in `draws` drawings. They are 1 where no answer depends on the labels: `is_decided`.
    """

    items: int
    n: int
    accuracy: float
    chance: float
    expected: float
    p: float
    instance: float | None
    expected_instance: float | None
    p_instance: float | None
    draws: int
    is_decided: bool


# ---------------------------------------------------------------------------------------------------- rows


def rows_of(samples: Sequence[Sample]) -> Rows:
    """The rows of a group's items."""
    items, clips, starts, options, right = [], [], [], [], []
    texts: list[tuple[Any, ...]] = []
    claimed: list[tuple[Sample, Asked, int]] = []
    first_clip = 0
    for number, sample in enumerate(samples):
        for asked in sample.asked:
            for clip, key in enumerate(asked.keys):
                items.append(number)
                starts.append(len(texts))
                options.append(len(asked.options))
                right.append(key)
                for option in range(1 if len(asked.options) == 2 else len(asked.options)):
                    clips.append(first_clip + clip)
                    texts.append((sample.script, asked.kind, asked.id, asked.text, asked.options, option))
                    claimed.append((sample, asked, option))
        first_clip += len(sample.asked[0].keys)
    return Rows(
        items=np.array(items),
        clips=np.array(clips),
        starts=np.array(starts),
        options=np.array(options),
        right=np.array(right),
        claims=_claims_kernel(claimed),
        texts=texts,
    )


def _claims_kernel(claimed: Sequence[tuple[Sample, Asked, int]]) -> Values:
    """Claims that are alike: in words, in which alternative of the pair they claim, in their place among the options.

    Of two options a row says how the first differs from the second, of more how its option differs from their mean;
    so swapping two options turns a claim into its opposite.
    """
    words = _words(claimed)
    scripts = np.unique([sample.script for sample, _, _ in claimed], return_inverse=True)[1]
    is_same_script = (scripts[:, np.newaxis] == scripts) / 2 + 0.5
    alternatives = np.array([0 if asked.alternative is None else 1 - 2 * asked.alternative for _, asked, _ in claimed])
    places = _places([(asked.kind, len(asked.options), option) for _, asked, option in claimed])
    asked_as = np.unique([f"{asked.kind} {asked.id}" for _, asked, _ in claimed], return_inverse=True)[1]
    kernels = [
        words @ words.T * is_same_script,
        np.outer(alternatives, alternatives) * is_same_script,
        places @ places.T * ((asked_as[:, np.newaxis] == asked_as) / 2 + 0.5),
    ]
    return np.asarray(np.mean([_scaled(kernel) for kernel in kernels], axis=0))


def _places(claimed: Sequence[tuple[str, int, int]]) -> Values:
    """What tells a claim by its place alone: that it is "yes", or which letter it has."""
    names = sorted({(kind, options) for kind, options, _ in claimed})
    width = max(options for _, options, _ in claimed)
    places = np.zeros((len(claimed), len(names), width))
    for row, (kind, options, option) in enumerate(claimed):
        mine = places[row, names.index((kind, options))]
        mine[:options] = -1 / options
        mine[option] += 1
    return places.reshape(len(claimed), -1)


def _words(claimed: Sequence[tuple[Sample, Asked, int]]) -> Values:
    """Words and pairs of words of each claim, TF-IDF, less what all claims have in common; rows of length 1 or 0."""
    from sklearn.feature_extraction.text import TfidfVectorizer  # type: ignore[import-untyped]

    written: dict[str, int] = {}

    def number(text: str) -> int:
        return written.setdefault(text, len(written))

    statements = [
        [number(asked.text)]
        if asked.kind == "yes_no"
        else [number(f"{asked.text} {other}") for other in (asked.options[option], *asked.options)]
        for _, asked, option in claimed
    ]
    vectorizer = TfidfVectorizer(ngram_range=(1, 2), token_pattern=r"\S+", max_features=MOST_WORDS)  # noqa: S106
    found: Values = np.asarray(vectorizer.fit_transform(list(written)).todense())
    words = np.zeros((len(claimed), found.shape[1]))
    is_claim = np.array([asked.kind == "yes_no" for _, asked, _ in claimed])
    for row, numbers in enumerate(statements):
        words[row] = found[numbers[0]] if is_claim[row] else found[numbers[0]] - found[numbers[1:]].mean(axis=0)
    if is_claim.any():
        words[is_claim] -= words[is_claim].mean(axis=0)
    lengths = np.linalg.norm(words, axis=1, keepdims=True)
    return np.asarray(words / np.where(lengths > 1e-9, lengths, 1.0))


# ---------------------------------------------------------------------------------------------------- kernels


def _scaled(kernel: Values) -> Values:
    """The kernel with a mean diagonal of 1, or zeros where it tells nothing apart."""
    scale = kernel.diagonal().mean()
    return kernel / scale if scale > 1e-12 else np.zeros_like(kernel)


def clips_kernel(features: Sequence[Values]) -> Values:
    """Clips that look alike, of the features of each item's clips, arrays (clips, any number)."""
    from sklearn.metrics.pairwise import euclidean_distances  # type: ignore[import-untyped]
    from sklearn.preprocessing import KernelCenterer  # type: ignore[import-untyped]

    every = np.concatenate(features)
    plain = _columns(every - every.mean(axis=0))
    distances = euclidean_distances(plain, squared=True)
    apart = distances[distances > 1e-9]
    kernels = [plain @ plain.T]
    if apart.size:
        kernels.append(KernelCenterer().fit_transform(np.exp(-distances / np.median(apart))))
    within = _columns(np.concatenate([rows - rows.mean(axis=0) for rows in features]))
    kernels.append(within @ within.T)
    telling = [scaled for scaled in map(_scaled, kernels) if scaled.any()]
    return np.asarray(np.mean(telling, axis=0) if telling else np.zeros_like(distances))


def _columns(centred: Values) -> Values:
    """Columns divided by their deviation; those that are constant drop out."""
    deviations = np.sqrt((centred * centred).mean(axis=0))
    varies = deviations > 1e-6
    return np.asarray(centred[:, varies] / deviations[varies])


# ---------------------------------------------------------------------------------------------------- reading


def read_group(samples: Sequence[Sample], rows: Rows, reader: str | None, most_draws: int, seed: int = SEED) -> Reading:
    """How a probe does on a group that has FEWEST_ITEMS or more; `reader` names its features, None sees no clip."""
    looks = [clip.tobytes() for sample in samples for clip in sample.features[reader]] if reader else None
    labels = _Labels(rows, samples)
    # What is the same in an item gets the same score, to the last bit, since it is scored once.
    places: dict[tuple[int, bytes, tuple[Any, ...]], int] = {}
    where = np.array(
        [
            places.setdefault((int(item), looks[clip] if looks else b"", text), len(places))
            for item, clip, text in zip(rows.items[labels.questions], rows.clips, rows.texts, strict=True)
        ]
    )
    if _is_decided(rows, where):
        return _reading(labels, labels.judge(np.zeros((len(rows.clips), 1)), labels.shifts(None)), None, 0)
    kernel = rows.claims
    if reader:
        clips = clips_kernel([sample.features[reader] for sample in samples])
        kernel = kernel * clips[np.ix_(rows.clips, rows.clips)]
    smoother = _smoother(kernel, rows.items[labels.questions], where)
    weights = smoother @ labels.basis
    truth = labels.judge(_scores(weights, labels, labels.shifts(None))[where], labels.shifts(None))
    random = np.random.default_rng(seed)
    counts, totals = np.zeros(2, dtype=np.int64), np.zeros(2)
    draws = 0
    while draws < FIRST_DRAWS or (draws < most_draws and (counts < ENOUGH)[: 2 if labels.is_pairs else 1].any()):
        shifts = labels.shifts(random)
        judged = labels.judge(_scores(weights, labels, shifts)[where], shifts)
        counts += [(judged.right >= truth.right[0]).sum(), (judged.solved >= truth.solved[0]).sum()]
        totals += [judged.right.sum(), judged.solved.sum()]
        draws += BATCH
    return _reading(labels, truth, (counts, totals), draws)


def _is_decided(rows: Rows, where: Whole) -> bool:
    """Whether no labels can change how many answers are right: both clips of every pair get the same score.

    Then of the two answers to a question one is right and one is wrong.
    """
    if not rows.is_two_way:
        return False
    scored: dict[tuple[int, Any], list[tuple[int, int]]] = {}
    for row, item in enumerate(rows.items):
        scored.setdefault((item, rows.texts[row]), []).append((int(where[row]), int(rows.right[row])))
    return all(
        len(clips) == 2 and clips[0][0] == clips[1][0] and clips[0][1] != clips[1][1] for clips in scored.values()
    )


def _smoother(kernel: Values, items: Whole, where: Whole) -> Values:
    """The matrix that turns labels of all rows into scores of the distinct ones, each learned from other folds."""
    from sklearn.kernel_ridge import KernelRidge  # type: ignore[import-untyped]
    from sklearn.model_selection import GroupKFold  # type: ignore[import-untyped]

    smoother = np.zeros((where.max() + 1, len(items)))
    penalty = RIDGE * float(kernel.diagonal().mean())
    if penalty <= 0:
        return smoother
    first_of = np.unique(where, return_index=True)[1]
    for train, test in GroupKFold(FOLDS, shuffle=True, random_state=SEED).split(kernel, groups=items):
        model = KernelRidge(alpha=penalty, kernel="precomputed")
        model.fit(kernel[np.ix_(train, train)], np.eye(len(train)))
        scored = first_of[np.isin(first_of, test)]
        smoother[np.ix_(where[scored], train)] = model.predict(kernel[np.ix_(scored, train)])
    return smoother


def _scores(weights: Values, labels: "_Labels", shifts: Whole) -> Values:
    return np.round(weights @ labels.coefficients(shifts), DECIMALS)


@dataclass(frozen=True, slots=True)
class _Judged:
    """Answers that are right and pairs that are solved, for each labelling."""

    right: Whole
    solved: Whole


class _Labels:
    """Which options are right, as they are and drawn again.

    Without a shortcut the keys of an item could as well be shifted, all by the same number of options: for a pair this
    swaps its clips, for other items it gives any option the same chance. So labels are drawn by items, not by answers.
    """

    def __init__(self, rows: Rows, samples: Sequence[Sample]) -> None:
        self.rows, self.items = rows, len(samples)
        self.is_pairs = all(sample.certificate is not None for sample in samples)
        self.questions = np.repeat(np.arange(len(rows.starts)), np.diff([*rows.starts, len(rows.clips)]))
        self.of_item = rows.items
        self.answers = np.bincount(rows.items, minlength=len(samples))
        if rows.is_two_way:
            # A shift turns the signs of an item's labels, so its rows go in as one column.
            self.basis = np.zeros((len(rows.clips), len(samples)))
            self.basis[np.arange(len(rows.clips)), rows.items] = 1.0 - 2.0 * rows.right
        else:
            self.basis = np.eye(len(rows.clips))

    def shifts(self, random: np.random.Generator | None) -> Whole:
        """Shifts by question and labelling: of the true one alone, or BATCH drawn ones."""
        if random is None:
            return np.zeros((len(self.of_item), 1), dtype=np.int64)
        drawn = random.random((self.items, BATCH))
        return np.asarray((drawn[self.of_item] * self.rows.options[:, np.newaxis]).astype(np.int64))

    def coefficients(self, shifts: Whole) -> Values:
        """What `basis` is multiplied with to give the labels."""
        if self.rows.is_two_way:
            firsts = np.unique(self.of_item, return_index=True)[1]
            return np.asarray(1.0 - 2.0 * shifts[firsts], dtype=np.float64)
        right = self.right(shifts)[self.questions]
        options = self.rows.options[self.questions][:, np.newaxis]
        place = (np.arange(len(self.questions)) - self.rows.starts[self.questions])[:, np.newaxis]
        labels: Values = np.where(options == 2, 1.0 - 2.0 * right, (right == place) - 1.0 / options)
        return labels

    def right(self, shifts: Whole) -> Whole:
        return np.asarray((self.rows.right[:, np.newaxis] + shifts) % self.rows.options[:, np.newaxis])

    def judge(self, scores: Values, shifts: Whole) -> _Judged:
        """What is right of scores by row and labelling."""
        chosen = np.zeros_like(shifts)
        for count in np.unique(self.rows.options):
            those = np.flatnonzero(self.rows.options == count)
            starts = self.rows.starts[those]
            # One row is the first of two options against the second.
            chosen[those] = (
                scores[starts] < 0 if count == 2 else scores[starts[:, np.newaxis] + np.arange(count)].argmax(axis=1)
            )
        is_right = chosen == self.right(shifts)
        by_item = np.add.reduceat(is_right, np.unique(self.of_item, return_index=True)[1], axis=0, dtype=np.int64)
        return _Judged(by_item.sum(axis=0), (by_item == self.answers[:, np.newaxis]).sum(axis=0))


def _reading(labels: _Labels, truth: _Judged, drawn: tuple[Whole, Values] | None, draws: int) -> Reading:
    n, items = len(labels.of_item), labels.items
    right, solved = int(truth.right[0]), int(truth.solved[0])
    p, p_instance = (1.0, 1.0) if drawn is None else ((1 + int(count)) / (1 + draws) for count in drawn[0])
    expected, expected_instance = (right, solved) if drawn is None else drawn[1] / draws
    return Reading(
        items=items,
        n=n,
        accuracy=right / n,
        chance=float((1 / labels.rows.options).mean()),
        expected=float(expected) / n,
        p=p,
        instance=solved / items if labels.is_pairs else None,
        expected_instance=float(expected_instance) / items if labels.is_pairs else None,
        p_instance=p_instance if labels.is_pairs else None,
        draws=draws,
        is_decided=drawn is None,
    )
