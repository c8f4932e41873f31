"""Coordinate descent with bandit sampling.

>>> from banditcd import minimize, problems
>>> problem = problems.Lasso(X, y, alpha=0.1)                          # doctest: +SKIP
>>> result = minimize(problem, selector="b_max_r", tol=1e-6)           # doctest: +SKIP
"""

from banditcd import problems, selectors, theory, updates
from banditcd.engine import minimize

__version__ = "0.1.0"

__all__ = ["__version__", "minimize", "problems", "selectors", "theory", "updates"]
