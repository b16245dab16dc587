"""Is a manifest one that the generator writes, and do its entries agree with each other?"""

import re
from collections.abc import Iterator
from pathlib import Path

from generators.errors import InputError
from generators.manifest import MANIFEST, PACKAGES, Manifest, PartRecord, Request, read_manifest, read_part
from generators.randomness import MAXIMUM_SEED
from generators.sampling import Part
from generators.seed_file import seed_commitment
from generators.sets import SETS, is_set
from verifier.differences import differences
from verifier.files import LONGEST_LINE, require_file
from verifier.item_checking import MALFORMED

RENDERERS = re.compile(r"cpu|gpu( \(software\))?: [!-~]([ -~]{0,98}[!-~])?")
"""The CPU painter, or a GPU by the name that its driver gives it: their pictures differ by less than coding changes."""

VERSION = re.compile(r"[0-9]+(\.[0-9A-Za-z]+)*([-+][0-9A-Za-z.]+)?")
COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")


def open_manifest(folder: Path) -> tuple[Manifest, tuple[Part, ...]]:
    """The manifest of a dataset and its parts. Raises InputError where there is none or it makes no sense."""
    path = folder / MANIFEST
    if path.is_symlink() or path.exists():
        require_file(path)
        if path.stat().st_size > LONGEST_LINE:
            raise InputError(f"{path} is no manifest: it is larger than {LONGEST_LINE // 2**20} MiB")
    manifest = read_manifest(folder)
    return manifest, tuple(_part(path, number, record) for number, record in enumerate(manifest.parts))


def _part(path: Path, number: int, record: PartRecord) -> Part:
    try:
        part = read_part(record)
        ladder = part.selection.ladder
        if ladder is not None and (ladder.per_rung < 1 or part.plans != ladder.rungs * ladder.per_rung):
            raise InputError(f"{part.plans} plans are not {ladder.per_rung} on each rung of {ladder}")
        part.selection.condition(0)
    except MALFORMED as error:
        raise InputError(f"{path}, parts[{number}]: {error}") from None
    return part


def manifest_problems(folder: Path, manifest: Manifest, parts: tuple[Part, ...]) -> Iterator[str]:
    """What is wrong with a manifest that can be read."""
    if (folder / MANIFEST).read_bytes() != manifest.to_text().encode():
        yield "is not written in the canonical form"
    yield from differences(
        manifest.model_dump(mode="json", by_alias=True),
        _rebuilt(manifest, parts).model_dump(mode="json", by_alias=True),
        source="the generator writes",
    )
    versions = [manifest.generator_version] if manifest.generator_version != "source" else []
    checks = {
        "names both its root seed and the SHA-256 of one, or neither": (manifest.root_seed is None)
        != (manifest.seed_sha256 is None),
        "names a root seed that the generator does not take": manifest.root_seed is None
        or known_seed(manifest) is not None,
        "is of several families and names no set": manifest.set is not None or manifest.family is not None,
        f"calls itself {manifest.set}, and has other parts than that set": manifest.set is None
        or manifest.set not in SETS
        or is_set(manifest.set, parts),
        f"names the renderer {manifest.renderer}: known are cpu and a gpu by its name": RENDERERS.fullmatch(
            manifest.renderer
        )
        is not None,
        f"must name the versions of {', '.join(PACKAGES)}": list(manifest.packages) == list(PACKAGES),
        "names a version that is none": all(map(VERSION.fullmatch, [*versions, *manifest.packages.values()])),
        "names a commit that is none": (manifest.git_commit is None) == (manifest.git_dirty is None)
        and (manifest.git_commit is None or COMMIT.fullmatch(manifest.git_commit) is not None),
    }
    yield from (what for what, holds in checks.items() if not holds)


def _rebuilt(manifest: Manifest, parts: tuple[Part, ...]) -> Manifest:
    """The manifest that the generator writes for these parts, but for what depends on when and where it ran."""
    again = Request(parts, 0, manifest.set, manifest.sheets, manifest.renderer).manifest()
    kept = ("root_seed", "seed_sha256", "generator_version", "git_commit", "git_dirty", "packages")
    return again.model_copy(update={name: getattr(manifest, name) for name in kept})


def known_seed(manifest: Manifest) -> int | None:
    """The root seed, where the manifest names one that the generator takes."""
    text = manifest.root_seed
    if text is None or len(text) > len(str(MAXIMUM_SEED)) or text != str(int(text)) or int(text) >= MAXIMUM_SEED:
        return None
    return int(text)


def seed_problem(manifest: Manifest, root_seed: int) -> str | None:
    """Why `root_seed` is not the set's."""
    if manifest.seed_sha256 is not None and seed_commitment(root_seed) != manifest.seed_sha256:
        return "commits to another seed than that of the seed file: its SHA-256 differs"
    if manifest.root_seed is not None and manifest.root_seed != str(root_seed):
        return f"names the seed {manifest.root_seed}, and the seed file holds another"
    return None
