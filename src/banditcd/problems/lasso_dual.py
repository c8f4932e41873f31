"""The dual that is not there."""

from typing import Any


class LassoDual:
    """The dual of the pure Lasso is outside the class of costs of this library; say so.

    Its smooth part would be the indicator of the box |v_k| <= alpha, which is not smooth.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        raise ValueError(
            "The dual of the pure Lasso is outside the class f(Ax) + sum g_i(x_i) with a smooth f. "
            "Use problems.ElasticNetDual(X, y, alpha, l1_ratio) with l1_ratio < 1, or the primal "
            "problems.Lasso."
        )
