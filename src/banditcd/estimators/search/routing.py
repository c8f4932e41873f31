"""What a cross-validated fit passes to its splitter."""

from __future__ import annotations

from numbers import Integral
from typing import Any

from sklearn import get_config
from sklearn.model_selection import check_cv
from sklearn.utils.metadata_routing import process_routing


def routed_splitter(cv: Any, *, classifier: bool = False) -> Any:
    """Return the splitter whose requests count.

    An iterable of splits asks for nothing, and looking at it might use it up.
    """
    asks = cv is None or isinstance(cv, Integral) or hasattr(cv, "split")
    return check_cv(cv if asks else None, classifier=classifier)


def splitter_arguments(
    estimator: Any, sample_weight: Any, params: dict[str, Any]
) -> dict[str, Any]:
    """Return the keyword arguments of ``cv.split``.

    With metadata routing enabled, what was requested is routed. Without it, only ``groups`` may
    be given, as in scikit-learn's search estimators.
    """
    if get_config()["enable_metadata_routing"]:
        routed = process_routing(estimator, "fit", sample_weight=sample_weight, **params)
        return dict(routed.splitter.split)
    unknown = sorted(set(params) - {"groups"})
    if unknown:
        raise ValueError(
            f"fit got {', '.join(unknown)}; beside sample_weight and groups, metadata is only "
            "passed on with sklearn.set_config(enable_metadata_routing=True)."
        )
    return params
