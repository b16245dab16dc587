"""What the tests share: one small dataset, made once a session, and the option that records golden files afresh."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from generators.dataset import prepare, write_dataset
from generators.family import family
from generators.manifest import Request
from generators.sampling import Part

# Tests here share their cores with others: how long an example takes is no finding.
settings.register_profile("proofreel", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True)
settings.load_profile("proofreel")

SMALL_SEED = 20_240_501


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--record-golden",
        action="store_true",
        help="write the recordings in tests/golden afresh instead of comparing with them",
    )


@pytest.fixture(scope="session")
def small_dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished dataset of six Number items: three plans over sizes 2 to 4, each revealed at the start and at the end.

    Tests must not write into it.
    """
    folder = tmp_path_factory.mktemp("small") / "dataset"
    number = family("number")
    chosen = number.settings.model_validate(
        {
            "size": "2..4",
            "ops": "3..5",
            "reveal": "both",
            "resolution": 128,
            "fps": 4,
            "seconds_per_op": 0.5,
            "reveal_seconds": 0.5,
        }
    )
    request = prepare(folder, Request((Part("number", chosen, 3),), SMALL_SEED))
    write_dataset(folder, request, workers=1)
    return folder
