"""From the text behind --model to a model: built-in readers, endpoints, checkpoints, files of replies, people, code."""

import importlib
import importlib.util
import sys
from collections.abc import Callable, Mapping
from dataclasses import fields
from importlib import import_module
from pathlib import Path
from typing import Any

from evaluate.models.contract import Maker, Model, ModelOptions
from evaluate.models.readers import READERS
from generators.errors import InputError

KINDS = "openai:MODEL, hf:PATH_OR_ID, replay:FILE, human, or FILE.py:FACTORY"

TAKES: Mapping[str, frozenset[str]] = {
    "openai": frozenset({"base_url", "concurrency", "timeout", "max_tokens", "temperature", "delivery"}),
    "hf": frozenset({"max_tokens", "batch", "dtype", "device_map"}),
    "human": frozenset({"preview"}),
}
"""Which of the options each kind of model takes; the others take none."""


def model_maker(spec: str, options: ModelOptions | None = None) -> Maker:
    """The maker of the model that `spec` names; it makes it once and gives the same one again.

    Raises InputError for a name that no model has, and for an option that the model does not take.
    """
    chosen = options or ModelOptions()
    kind, _, rest = spec.partition(":")
    _refuse_options(spec, kind if rest or spec == "human" else "", chosen)
    if spec in READERS:
        return Maker(name=spec, spec=spec, make=READERS[spec], is_reader=True)
    if kind == "openai" and rest:
        from evaluate.models.openai import openai_maker

        return openai_maker(rest, chosen)
    if kind == "hf" and rest:
        from evaluate.models.hf import hf_maker

        return hf_maker(rest, chosen)
    if kind == "replay" and rest:
        from evaluate.models.replay import replay_maker

        return replay_maker(Path(rest))
    if spec == "human":
        from evaluate.models.human import human_maker

        return human_maker(bool(chosen.preview))
    if rest and kind not in ("openai", "hf", "replay"):
        return _own_maker(spec)
    raise InputError(f"unknown model {spec!r}: choose from {', '.join(READERS)}, {KINDS}")


def _refuse_options(spec: str, kind: str, options: ModelOptions) -> None:
    takes = TAKES.get(kind, frozenset())
    for field in fields(options):
        if getattr(options, field.name) is not None and field.name not in takes:
            kinds = " and ".join(name for name, taken in TAKES.items() if field.name in taken)
            raise InputError(f"--{field.name.replace('_', '-')} goes with {kinds} models only, not with {spec}")


def _own_maker(spec: str) -> Maker:
    """A model from a factory in a module or a file, which is called without arguments."""
    place, _, name = spec.rpartition(":")
    factory = _factory(spec, place, name)

    def make() -> Model:
        try:
            model: Any = factory()
        except InputError:
            raise
        except (Exception, SystemExit) as error:
            raise InputError(f"--model {spec}: {name}() fails: {type(error).__name__}: {error}") from None
        if not isinstance(getattr(model, "name", None), str) or not callable(getattr(model, "reply", None)):
            raise InputError(f"--model {spec}: {name}() gives no model: it needs a text `name` and a method `reply`")
        return model  # type: ignore[no-any-return]

    model = make()
    return Maker(
        name=model.name,
        spec=spec,
        make=lambda dataset, seed: model,
        concurrency=int(getattr(model, "concurrency", 1)),
        batch=int(getattr(model, "batch", 1)) if callable(getattr(model, "replies", None)) else 1,
        parameters=dict(getattr(model, "parameters", {})),
        endpoint=getattr(model, "endpoint", None),
    )


def _factory(spec: str, place: str, name: str) -> Callable[[], Any]:
    """Raises InputError where the file or module, or the factory in it, is not there or fails to load."""
    try:
        if place.endswith(".py"):
            path = Path(place)
            if not path.is_file():
                raise InputError(f"--model {spec}: there is no file {place}")
            found = importlib.util.spec_from_file_location(f"proofreel_model_{path.stem}", path)
            assert found is not None and found.loader is not None
            module = importlib.util.module_from_spec(found)
            sys.modules[found.name] = module
            found.loader.exec_module(module)
        else:
            sys.path.insert(0, str(Path.cwd()))
            try:
                module = import_module(place)
            finally:
                sys.path.remove(str(Path.cwd()))
    except InputError:
        raise
    except (Exception, SystemExit) as error:
        raise InputError(f"--model {spec}: {place} cannot be loaded: {type(error).__name__}: {error}") from None
    factory = getattr(module, name, None)
    if not callable(factory):
        raise InputError(f"--model {spec}: {place} has no factory {name}")
    return factory  # type: ignore[no-any-return]
