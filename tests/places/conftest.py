"""The places and the double of CuPy as fixtures."""

import sys

import pytest

from banditcd.places import card
from tests.places.doubles import NumpyCalls, cupy_double
from tests.places.instances import make_place

__all__ = ["cupy", "make_place"]


@pytest.fixture
def cupy(monkeypatch):
    """A module named cupy whose arrays are NumPy's in disguise."""
    module = cupy_double()
    monkeypatch.setitem(sys.modules, "cupy", module)
    monkeypatch.setattr(card, "CupyCalls", NumpyCalls)
    return module
