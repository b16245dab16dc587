"""Manifests that were changed: each change is found, or refused where nothing can be made of it."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from generators.errors import InputError
from generators.manifest import Request
from tests.conftest import SMALL_SEED
from tests.verifier.tampering import edit_manifest, found, parts, written


@pytest.fixture
def folder(small_dataset: Path, tmp_path: Path) -> Path:
    return shutil.copytree(small_dataset, tmp_path / "set")


MANIFEST: dict[str, tuple[Callable[[Any], Any], str]] = {
    "no family": (lambda m: m.update(family=None), 'family is null, the generator writes "number"'),
    "another family": (lambda m: m.update(family="card"), 'family is "card", the generator writes "number"'),
    "the name of another set": (lambda m: m.update(set="smoke"), "calls itself smoke, and has other parts"),
    "another version": (lambda m: m["parts"][0].update(version=99), "parts[0].version is 99"),
    "settings that are not resolved": (lambda m: m["parts"][0]["settings"].pop("fps"), "parts[0].settings is"),
    "a part too many": (lambda m: m["parts"].append(m["parts"][0]), "items is 6, the generator writes 12"),
    "more plans": (lambda m: m["parts"][0].update(plans=10**30), "items is 6, the generator writes 2000"),
    "more items": (lambda m: m.update(items=10**18), "items is 1000000000000000000, the generator writes 6"),
    "rungs without a ladder": (lambda m: m["parts"][0].update(per_rung=3), "parts[0].per_rung is 3"),
    "a condition": (lambda m: m["parts"][0].update(where="operations<3"), "does not satisfy the manifest's condition"),
    "an unknown measure": (lambda m: m["parts"][0].update(where="beauty>3"), "there is no measure 'beauty'"),
    "no seed": (lambda m: m.update(root_seed=None), "names both its root seed and the SHA-256 of one, or neither"),
    "a seed in both forms": (lambda m: m.update(seed_sha256="a" * 64), "names both its root seed"),
    "a seed out of reach": (lambda m: m.update(root_seed="9" * 5000), "a root seed that the generator does not take"),
    "a seed with zeros": (lambda m: m.update(root_seed=f"00{SMALL_SEED}"), "a root seed that the generator does not"),
    "another renderer": (lambda m: m.update(renderer="gpu"), "names the renderer gpu"),
    "another encoder": (lambda m: m["encoder"].update(qp="51"), 'encoder.qp is "51", the generator writes "18"'),
    "no packages": (lambda m: m.update(packages={}), "must name the versions of av, numpy"),
    "a package without a version": (lambda m: m["packages"].update(av="new"), "names a version that is none"),
    "no commit": (lambda m: m.update(git_commit="HEAD", git_dirty=False), "names a commit that is none"),
    "no sheets": (lambda m: m.update(sheets=False), "sheets: does not belong to a dataset"),
}


@pytest.mark.parametrize("name", MANIFEST)
def test_a_manifest_that_was_changed_is_found(name: str, folder: Path) -> None:
    change, finding = MANIFEST[name]
    edit_manifest(folder, change)
    assert finding in found(folder)


def test_a_manifest_in_another_spelling_is_found(folder: Path) -> None:
    path = folder / "manifest.json"
    path.write_text(json.dumps(json.loads(path.read_text())))
    assert found(folder) == "manifest.json: is not written in the canonical form"


def test_a_set_of_several_families_needs_a_name(tmp_path: Path) -> None:
    folder = written(tmp_path / "set", Request(parts("number", "chip"), 3, sheets=False))
    assert found(folder) == "manifest.json: is of several families and names no set"


MALFORMED: dict[str, Callable[[Any], Any]] = {
    "skills that are a number": lambda m: m["parts"][0]["settings"].update(skills=5),
    "a setting that is a text": lambda m: m["parts"][0]["settings"].update(fps="x"),
    "a condition that is none": lambda m: m["parts"][0].update(where="foo((("),
    "a condition that is true": lambda m: m["parts"][0].update(where=True),
    "a condition nested deeply": lambda m: m["parts"][0].update(where="(" * 5000 + "size" + ")" * 5000 + ">1"),
    "raised digits in a ladder": lambda m: m["parts"][0].update(ladder="operations=²..³", per_rung=1),
    "no plan a rung": lambda m: m["parts"][0].update(ladder="operations=3..4", per_rung=0),
    "fewer than none": lambda m: m["parts"][0].update(ladder="operations=3..4", per_rung=-5),
    "other plans than rungs": lambda m: m["parts"][0].update(ladder="operations=3..9", per_rung=1),
    "an unknown family": lambda m: m["parts"][0].update(family="nosuch"),
    "no parts": lambda m: m.update(parts=[]),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_a_manifest_that_makes_no_sense_is_refused(name: str, folder: Path) -> None:
    edit_manifest(folder, MALFORMED[name])
    with pytest.raises(InputError, match=r"manifest\.json"):
        found(folder)
