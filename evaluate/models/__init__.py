"""Who answers: the interface of a model, and how the text behind --model becomes one.

A model of one's own takes ten lines: a class with `name` and `reply(asked)`, and `--model my_module.py:MyModel`.
"""

from evaluate.models.contract import Answer, AttemptFailed, Maker, Model, ModelOptions
from evaluate.models.making import model_maker

__all__ = ["Answer", "AttemptFailed", "Maker", "Model", "ModelOptions", "model_maker"]
