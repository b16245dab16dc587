"""Tests that draw with whatever OpenGL there is."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from generators.rendering.gpu import GpuError, open_device


def on_opengl(test: Callable[..., None]) -> Callable[..., None]:
    """Run the test with whatever OpenGL there is; where there is none, assert that this is said in one line."""

    @wraps(test)
    def asserting(*arguments: Any, **named: Any) -> None:
        try:
            open_device()
        except GpuError as error:
            assert "install" in str(error) or "only Linux" in str(error)
            assert "\n" not in str(error)
            return
        test(*arguments, **named)

    return asserting
