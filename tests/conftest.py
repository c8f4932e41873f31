"""Options and fixtures that every test may use."""

import signal
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import HealthCheck, settings

from banditcd import _core

# No clock decides what a drawn input proves: a machine may be busy, or stand still while inputs are
# drawn, and both count as too slow by default. A failure says how to repeat it.
settings.register_profile(
    "banditcd", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.load_profile("banditcd")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--overwrite-goldens",
        action="store_true",
        help="record the golden traces anew instead of comparing with them",
    )


def pytest_runtest_setup() -> None:
    """Begin every test with one state of NumPy's global generator.

    Peers left at ``random_state=None`` draw from it: liblinear's epsilon-insensitive machine
    reached its 1000 iterations, and warned, in 17 of 300 draws on data of ours.
    """
    np.random.seed(0)  # noqa: NPY002 - the generator that scikit-learn falls back on


@pytest.fixture(autouse=True, scope="session")
def _interrupts() -> None:
    """Let Ctrl-C arrive: a shell's background jobs start with it ignored, their children too."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def kernels() -> Iterator[None]:
    """Let a test choose vector kernels; the widest are back in use after it."""
    yield
    _core.select_kernels("auto")


@pytest.fixture
def portable_kernels(kernels: None) -> None:
    """Run with the kernels that give the same bits on every machine."""
    _core.select_kernels("portable")
