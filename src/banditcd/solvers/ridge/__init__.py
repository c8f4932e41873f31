"""Ridge regression: a Python loop over native passes, products and factors."""

from banditcd.solvers.ridge.session import RidgeSession

__all__ = ["RidgeSession"]
