"""Imports go one way: simulators ← generators ← verifier ← evaluate; simulators stay pure. Read off syntax trees."""

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("simulators", "generators", "verifier", "evaluate")
IMPURE = ("av", "numpy", "moderngl", "pygame", "time", "os", "random.SystemRandom")


def imports(source: str) -> set[str]:
    """Each imported module and, for `from a import b`, also a.b; a relative import counts as one of `.`."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found.update(name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = "." if node.level else str(node.module)
            found.update({module, *(f"{module}.{name.name}" for name in node.names)})
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            found.update({"random.SystemRandom"} & {f"{node.value.id}.{node.attr}"})
    return found


def violations(package: str, source: str) -> set[str]:
    """What a module of `package` imports and must not."""
    to_the_right = PACKAGES[PACKAGES.index(package) + 1 :]
    wrong = {name for name in imports(source) if name.split(".")[0] in ("", "tests", "examples", *to_the_right)}
    if package == "simulators":
        wrong |= {name for name in imports(source) if name in IMPURE or name.split(".")[0] in IMPURE}
        wrong |= {
            name for name in imports(source) if name.split(".")[0] not in {*sys.stdlib_module_names, "simulators"}
        }
    return wrong


@pytest.mark.parametrize("package", PACKAGES)
def test_imports_go_one_way(package: str) -> None:
    modules = sorted((ROOT / package).rglob("*.py"))
    assert modules, f"{package} has no modules"
    assert {str(module): wrong for module in modules if (wrong := violations(package, module.read_text()))} == {}


@pytest.mark.parametrize(
    ("package", "source"),
    [
        ("simulators", "import generators.item"),
        ("simulators", "from evaluate import store"),
        ("simulators", "def late():\n    import numpy as np"),
        ("simulators", "import os.path"),
        ("simulators", "from random import SystemRandom"),
        ("simulators", "import random\nr = random.SystemRandom()"),
        ("simulators", "from . import contract"),
        ("simulators", "import scipy"),
        ("generators", "from verifier.reading import read"),
        ("verifier", "import evaluate"),
        ("evaluate", "import tests.simulators"),
    ],
)
def test_a_wrong_import_is_found(package: str, source: str) -> None:
    assert violations(package, source)


def test_a_right_import_is_not_found() -> None:
    assert violations("simulators", "import random\nfrom simulators.contract import World") == set()
    assert violations("evaluate", "import numpy\nimport verifier\nfrom generators import item") == set()
