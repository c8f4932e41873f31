"""The places as a fixture."""

from tests.places.instances import make_place

__all__ = ["make_place"]
