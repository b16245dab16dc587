"""Hypothesis strategies for a user's own tests: plans and items of any family, shrinking towards small ones.

Needs the package hypothesis, which Proofreel itself does not.
"""

from typing import Any

from hypothesis import strategies as st

from generators.family import family, family_names
from generators.item import Item
from generators.randomness import MAXIMUM_SEED
from generators.sampling import Part, make_items


def families() -> st.SearchStrategy[str]:
    """The name of any family."""
    return st.sampled_from(family_names())


@st.composite
def items(draw: st.DrawFn, /, name: str | None = None, **settings: Any) -> Item:
    """An item without files of the family `name`, or of any; `settings` are the family's, such as `size=3`.

    Where `ops` is not given it is drawn from 1 to 12, and the reveal is drawn too.
    """
    chosen = draw(families()) if name is None else name
    kind = family(chosen)
    drawn = dict(settings)
    if "ops" in kind.settings.model_fields:
        drawn.setdefault("ops", draw(st.integers(1, 12)))
    if "reveal" in kind.settings.model_fields:
        drawn.setdefault("reveal", draw(st.sampled_from(["start", "end"])))
    seed = draw(st.integers(0, MAXIMUM_SEED - 1))
    return next(make_items(Part(chosen, kind.settings.model_validate(drawn), 1), seed))
