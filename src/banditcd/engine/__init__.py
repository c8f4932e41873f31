"""The one loop, in plain NumPy (the specification) and compiled."""

from banditcd.engine.minimize import Progress, minimize

__all__ = ["Progress", "minimize"]
