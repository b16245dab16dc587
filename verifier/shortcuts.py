"""Does a set give its answers away to a reader that sees no order? Certificates, trained probes, leaning keys."""

import hashlib
import importlib.util
import warnings
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import asdict, dataclass, replace
from functools import partial
from math import ceil
from pathlib import Path
from statistics import median
from typing import Any

from generators.certificates import MATCHED
from generators.dataset import ITEMS, interrupts_held, read_items, start_worker, worker_context
from generators.errors import InputError, printable
from generators.item import Item
from generators.manifest import read_manifest
from generators.randomness import stream
from verifier.features import SEED, Sample, sample_of
from verifier.files import require_file
from verifier.leaning_keys import Lean, leaning_keys
from verifier.principles import FEWEST_ITEMS as FEWEST_CLIPS
from verifier.principles import Principles, principles
from verifier.probes import BATCH, FEWEST_ITEMS, FIRST_DRAWS, Reading, read_group, rows_of

ALPHA = 0.001
"""A finding is what chance alone brings about in less than this share of sets, after Holm's correction."""

CONTROL = "ordered frames"
"""A reader that may see order. It shows that the probes can learn at all, and is never a finding."""

PROBES: dict[str, str | None] = {
    "blind": None,
    "first frame": "first frame",
    "last frame": "last frame",
    "random frame": "random frame",
    "bag of frames": "bag of frames",
    "shuffled frames": "shuffled frames",
    "file": "file",
    "decoded last": "decoded last",
    "decoded bag": "decoded bag",
    CONTROL: CONTROL,
}
"""The probes and the features that they get beside the question. Frames are as painted, but for the decoded ones, which
are looked at in pairs alone."""

STATED = ("random frame", "bag of frames", "shuffled frames", "decoded bag")
"""Probes that see the stated difference of pairs that are matched only, which is reported and is no finding."""

DECODED = ("decoded last", "decoded bag")
"""Probes that see what an encoder leaves in a frame of those before it. It is far below what an eye sees; it is
reported, and is no finding unless every frame was encoded by itself."""

OVERALL = "all"
SINGLE = "single clips"
"""What stands in the place of a certificate where items have one clip."""

MOST_ROWS = 4_000
"""Claims that a probe learns from: of a group with more, some items are drawn."""

PACKAGES = {"sklearn": "scikit-learn", "scipy": "scipy", "statsmodels": "statsmodels"}


@dataclass(frozen=True, slots=True)
class Probe:
    """How one probe did on one group; the corrected p-values are None where it is no test that could be a finding.

    `excuse` says what it may see without being one, if anything.
    """

    probe: str
    category: str
    certificate: str
    reading: Reading
    excuse: str | None
    holm: float | None = None
    holm_instance: float | None = None

    @property
    def is_tested(self) -> bool:
        return self.excuse is None and not self.reading.is_decided

    @property
    def is_finding(self) -> bool:
        return any(p is not None and p < ALPHA for p in (self.holm, self.holm_instance))


def excuse(probe: str, certificate: str, members: Sequence[Sample]) -> str | None:
    """What a probe may see in such items; None where their answers must make no difference to it."""
    if probe == CONTROL:
        return "order"
    if certificate == MATCHED and probe in STATED:
        return "stated difference"
    if probe in DECODED and not all(sample.is_independent for sample in members):
        return "coding"
    return None


@dataclass(frozen=True, slots=True)
class Alike:
    """How alike the clips of pairs are that have one category and certificate."""

    category: str
    certificate: str
    pairs: int
    median_difference: float
    greatest_difference: float
    greatest_decoded_difference: float
    median_shared: float
    least_shared: float


@dataclass(frozen=True, slots=True)
class Report:
    """What was found in a set; `tests` is the number that Holm's correction is for."""

    items: int
    sha256: str
    tests: int
    probes: tuple[Probe, ...]
    leans: tuple[Lean, ...]
    alike: tuple[Alike, ...]
    certificates: dict[str, int]
    findings: tuple[str, ...]
    notes: tuple[str, ...]
    principles: tuple[Principles, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {"schema": 1, "alpha": ALPHA, **asdict(self)}


def require_shortcut_packages() -> None:
    """Raises InputError, with the command that mends it, where a package that only shortcuts needs is not installed."""
    absent = [name for module, name in PACKAGES.items() if importlib.util.find_spec(module) is None]
    if absent:
        raise InputError(
            f"shortcuts needs {', '.join(absent)}, which is not installed: python -m pip install {' '.join(absent)}"
        )


def find_shortcuts(
    folder: Path, workers: int = 1, progress: Callable[[str, int, int], None] = lambda what, done, total: None
) -> Report:
    """Look for shortcuts in the dataset in `folder`; `progress` is told what is done, how much of it, and of how much.

    Raises InputError where there is no complete dataset, or nothing in it that could be looked into.
    """
    require_shortcut_packages()
    total = read_manifest(folder).items
    if (folder / ITEMS).exists():
        require_file(folder / ITEMS)
    samples = []
    for sample in samples_of(folder, read_items(folder), workers):
        samples.append(sample)
        progress("looking at clips", len(samples), total)
    return report_on(samples, hashlib.sha256((folder / ITEMS).read_bytes()).hexdigest(), workers, progress)


def samples_of(folder: Path, items: Iterator[Item], workers: int) -> Iterator[Sample]:
    """What is read of each item, in their order, of which a few are under way at once."""
    if workers == 1:
        yield from map(partial(sample_of, folder), items)
        return
    with ProcessPoolExecutor(workers, mp_context=worker_context(), initializer=start_worker) as pool:
        window: deque[Future[Sample]] = deque()
        try:
            for item in items:
                with interrupts_held(), warnings.catch_warnings():
                    # Python warns of forks beside threads that are not its own, such as those of a BLAS library.
                    warnings.filterwarnings("ignore", "This process .* is multi-threaded", DeprecationWarning)
                    window.append(pool.submit(sample_of, folder, item))
                if len(window) > 4 * workers:
                    yield window.popleft().result()
            while window:
                yield window.popleft().result()
        except BrokenProcessPool:
            raise InputError(
                "a worker process was killed (out of memory, perhaps): run it again with fewer --workers"
            ) from None
        finally:
            pool.shutdown(cancel_futures=True)


def report_on(
    samples: Sequence[Sample],
    sha256: str = "",
    workers: int = 1,
    progress: Callable[[str, int, int], None] = lambda what, done, total: None,
) -> Report:
    """The report on what was read of a set's items. Raises InputError where no item has a question with options."""
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    read = [sample for sample in samples if sample.asked]
    if not read:
        raise InputError(
            "the set has no yes/no question and none with options, and shortcuts are looked for in no others: make "
            "pairs of it with --pairs, where its family has them"
        )
    # On cores that others use as well, threads that wait for each other take many times as long as one.
    with threadpool_limits(workers):
        return _report(samples, read, sha256, progress)


def _report(
    samples: Sequence[Sample], read: Sequence[Sample], sha256: str, progress: Callable[[str, int, int], None]
) -> Report:
    leans = list(leaning_keys(read))
    groups, notes = _groups(read)
    # Enough draws for a probe that beats all of them to stay below ALPHA after correction.
    tests = sum(lean.p is not None for lean in leans) + 2 * (len(PROBES) - 1) * len(groups)
    most_draws = ceil(tests / ALPHA / BATCH + 1) * BATCH
    probes = []
    for number, ((category, certificate), members) in enumerate(groups.items()):
        progress("reading with probes", number, len(groups))
        rows = rows_of(members)
        for probe, reader in PROBES.items():
            if reader is not None and reader not in members[0].features:
                continue
            excused = excuse(probe, certificate, members)
            draws = FIRST_DRAWS if excused else most_draws
            probes.append(Probe(probe, category, certificate, read_group(members, rows, reader, draws), excused))
    progress("reading with probes", len(groups), len(groups))
    probes, leans, tests = _corrected(probes, leans)
    left_out = Counter(question for sample in samples for question in sample.left_out)
    notes += [
        f"the question {name!r} of {count} items is left out: probes read yes/no and options, and of pairs their 2×2"
        for name, count in sorted(left_out.items())
    ]
    traces = sorted({probe.probe for probe in probes if probe.excuse == "coding" and probe.reading.p < ALPHA * 10})
    if traces:
        notes.append(
            f"the encoder leaves traces of order that the pictures do not have ({', '.join(traces)}): make the set "
            "with --independent-frames where they matter"
        )
    measured = principles(read, progress)
    if not measured and any(
        sample.certificate is None and sample.features.get("ordered motion") is not None for sample in read
    ):
        notes.append(
            f"κ, τ and ρ are left out: no task has the {FEWEST_CLIPS} clips that a network needs to learn from"
        )
    findings = [
        *(printable(f"{sample.id}: {problem}") for sample in samples for problem in sample.problems),
        *(_probe_finding(probe) for probe in probes if probe.is_finding),
        *(_lean_finding(lean) for lean in leans if lean.holm is not None and lean.holm < ALPHA),
    ]
    return Report(
        items=len(samples),
        sha256=sha256,
        tests=tests,
        probes=tuple(probes),
        leans=tuple(leans),
        alike=tuple(_alike(samples)),
        certificates=dict(sorted(Counter(_certificate(sample) for sample in samples).items())),
        findings=tuple(findings),
        notes=tuple(notes),
        principles=tuple(measured),
    )


# ---------------------------------------------------------------------------------------------------- groups


def _certificate(sample: Sample) -> str:
    return SINGLE if sample.certificate is None else sample.certificate


Groups = dict[tuple[str, str], list[Sample]]


def _groups(samples: Sequence[Sample]) -> tuple[Groups, list[str]]:
    """The items by category and certificate and all with one certificate, and notes on what is left out."""
    found: Groups = {}
    for certificate in dict.fromkeys(map(_certificate, samples)):
        members = [sample for sample in samples if _certificate(sample) == certificate]
        categories = list(dict.fromkeys(sample.category for sample in members))
        if len(categories) > 1:
            found[OVERALL, certificate] = members
        for category in categories:
            found[category, certificate] = [sample for sample in members if sample.category == category]
    groups, notes = Groups(), []
    for (category, certificate), members in found.items():
        where = f"{category}, {certificate}"
        if len(members) < FEWEST_ITEMS:
            notes.append(f"{where}: {len(members)} items are too few for probes, which need {FEWEST_ITEMS}")
            continue
        chosen = _some(members)
        if len(chosen) < len(members):
            notes.append(f"{where}: probes read {len(chosen):,} of {len(members):,} items, drawn at random")
        groups[category, certificate] = chosen
    return groups, notes


def _some(samples: list[Sample]) -> list[Sample]:
    """As many of the items, drawn at random and in their order, as have MOST_ROWS claims."""
    claims = [
        sum(len(asked.keys) * (1 if len(asked.options) == 2 else len(asked.options)) for asked in sample.asked)
        for sample in samples
    ]
    if sum(claims) <= MOST_ROWS:
        return samples
    order = list(range(len(samples)))
    stream(SEED, "probed items").shuffle(order)
    chosen, used = set[int](), 0
    for place in order:
        used += claims[place]
        if used > MOST_ROWS:
            break
        chosen.add(place)
    return [samples[place] for place in sorted(chosen)]


def _corrected(probes: list[Probe], leans: list[Lean]) -> tuple[list[Probe], list[Lean], int]:
    """Probes and leans with p-values that Holm corrected for all tests of the set, and the number of tests.

    A probe that gives both clips of every pair one answer is no test: whatever the keys are, it cannot be a finding.
    """
    from statsmodels.stats.multitest import multipletests

    tested = [probe.reading for probe in probes if probe.is_tested]
    p_values = [p for reading in tested for p in (reading.p, reading.p_instance) if p is not None]
    p_values += [lean.p for lean in leans if lean.p is not None]
    if not p_values:
        return probes, leans, 0
    corrected = iter(float(p) for p in multipletests(p_values, method="holm")[1])
    probes = [
        replace(
            probe,
            holm=next(corrected),
            holm_instance=next(corrected) if probe.reading.p_instance is not None else None,
        )
        if probe.is_tested
        else probe
        for probe in probes
    ]
    leans = [replace(lean, holm=next(corrected)) if lean.p is not None else lean for lean in leans]
    return probes, leans, len(p_values)


def p_text(p: float | None) -> str:
    return "–" if p is None else f"{p:.2g}"


def _probe_finding(probe: Probe) -> str:
    reading = probe.reading
    also = ""
    if reading.instance is not None and reading.expected_instance is not None:
        also = f" and I-Acc {reading.instance:.1%} (expected {reading.expected_instance:.1%})"
    p = min(p for p in (probe.holm, probe.holm_instance) if p is not None)
    return printable(
        f"{probe.category}, {probe.certificate}: the probe {probe.probe!r} reads the answers of {reading.items} items: "
        f"Acc {reading.accuracy:.1%} (expected {reading.expected:.1%}){also}, p {p_text(p)} after Holm"
    )


def _lean_finding(lean: Lean) -> str:
    return printable(
        f"{lean.kind} {' '.join(lean.what.split())!r}: {lean.answer} in {lean.right} of {lean.uses} items "
        f"(expected {lean.expected:.0f}), p {p_text(lean.holm)} after Holm"
    )


# ---------------------------------------------------------------------------------------------------- likeness


def _alike(samples: Sequence[Sample]) -> Iterator[Alike]:
    pairs = [sample for sample in samples if sample.similarity is not None]
    for category, certificate in sorted({(pair.category, _certificate(pair)) for pair in pairs}):
        its = [
            pair.similarity
            for pair in pairs
            if pair.similarity is not None and (pair.category, _certificate(pair)) == (category, certificate)
        ]
        differences, shared = [one.mean_difference for one in its], [one.shared_frames for one in its]
        yield Alike(
            category=category,
            certificate=certificate,
            pairs=len(its),
            median_difference=median(differences),
            greatest_difference=max(differences),
            greatest_decoded_difference=max(one.decoded_difference for one in its),
            median_shared=median(shared),
            least_shared=min(shared),
        )
