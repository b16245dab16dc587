"""Every world by name, found by listing the folder: a module here that has a `WORLD` is a world."""

import importlib
import pkgutil
from functools import cache
from typing import Any

import simulators
from simulators.contract import World


@cache
def worlds() -> dict[str, World[Any, Any, Any]]:
    """World by name, in alphabetical order. A module that fails to import stops the program."""
    names = sorted(module.name for module in pkgutil.iter_modules(simulators.__path__))
    modules = [importlib.import_module(f"simulators.{name}") for name in names]
    found = [module.WORLD for module in modules if hasattr(module, "WORLD")]
    return {world.name: world for world in found}
