"""Named random streams: each decision has its own generator, so that one more decision changes no other."""

import hashlib
import json
import random
import secrets
from dataclasses import dataclass

SEED_BITS = 64
COMMITTED_SEED_BITS = 127
"""A seed whose hash is published must be too long to be found by trying."""

MAXIMUM_SEED = 2**128


def stream(root_seed: int, *path: str | int) -> random.Random:
    """The random generator that belongs to `path`: BLAKE2b over the root seed and the whole path seeds it.

    Seeds that stand beside each other share nothing, and neither hash randomisation nor order of use matters.
    """
    name = json.dumps([root_seed, *path], ensure_ascii=True, separators=(",", ":"))
    return random.Random(int.from_bytes(hashlib.blake2b(name.encode(), digest_size=32).digest(), "big"))  # noqa: S311


def fresh_seed(bits: int = SEED_BITS) -> int:
    """A root seed that nobody can foresee."""
    return secrets.randbits(bits)


@dataclass(frozen=True, slots=True)
class Streams:
    """The streams of one item: call it with a decision's name.

    `attempt` counts plans given up because the set already held them; it belongs to the plan's streams alone.
    """

    root_seed: int
    family: str
    version: int
    index: int
    attempt: int = 0

    def __call__(self, *name: str) -> random.Random:
        again = [f"attempt {self.attempt}"] if self.attempt else []
        return stream(self.root_seed, self.family, self.version, self.index, *name, *again)
