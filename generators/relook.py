"""A finished set in another look: the same items, questions and keys from the same seed, in other pixels."""

from pathlib import Path

from generators.dataset import read_items
from generators.errors import InputError
from generators.family import family
from generators.item import Item
from generators.manifest import Manifest, Request, read_manifest, read_part
from generators.seed_file import seed_commitment
from generators.sets import in_look
from generators.settings import LookChoice


def relook_request(folder: Path, look: LookChoice, root_seed: int | None = None) -> Request:
    """What makes the set in `folder` again in another look.

    Raises InputError where the set is not finished, its seed is not known, or it is not what its seed gives here.
    """
    manifest = read_manifest(folder)
    parts = tuple(read_part(record) for record in manifest.parts)
    for record in manifest.parts:
        kind = family(record.family)
        if record.version != kind.version:
            raise InputError(
                f"{folder} was made by version {record.version} of the family {kind.name}, and this is version "
                f"{kind.version}: make it again first"
            )
    seed = _seed(folder, manifest, root_seed)
    request = Request(
        in_look(parts, look), seed, manifest.set, manifest.sheets, is_committed=manifest.seed_sha256 is not None
    )
    again = request.make_items()
    for number, stored in enumerate(read_items(folder), 1):
        item = next(again, None)
        if item is None or _without_look(item) != _without_look(stored):
            raise InputError(f"{folder}, item {number}: is not what its seed gives; run python -m verifier check on it")
    if next(again, None) is not None:
        raise InputError(f"{folder} has fewer items than its manifest says: run python -m verifier check on it")
    return request


def _seed(folder: Path, manifest: Manifest, root_seed: int | None) -> int:
    """The set's root seed. Raises InputError where nobody says it, or another is given."""
    if root_seed is None:
        if manifest.root_seed is None:
            raise InputError(f"{folder} was made with a committed seed: give it with --seed")
        return int(manifest.root_seed)
    if manifest.root_seed not in (None, str(root_seed)) or manifest.seed_sha256 not in (
        None,
        seed_commitment(root_seed),
    ):
        raise InputError(f"--seed {root_seed} is not the seed that {folder} was made with")
    return root_seed


def _without_look(item: Item) -> Item:
    """The item but for its look and its files."""
    clips = [clip.model_copy(update={"file": None, "sha256": None}) for clip in item.clips]
    settings = {name: value for name, value in item.provenance.settings.items() if name != "look"}
    provenance = item.provenance.model_copy(update={"settings": settings})
    return item.model_copy(update={"clips": clips, "provenance": provenance})
