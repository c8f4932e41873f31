"""Metadata that a cross-validated fit passes on to its splitter and its scorer."""

from __future__ import annotations

from numbers import Integral
from typing import Any

from sklearn import get_config
from sklearn.model_selection import check_cv
from sklearn.utils.metadata_routing import MetadataRouter, process_routing

from banditcd.estimators.checks.logistic import INSTALLED


def new_router(estimator: Any) -> Any:
    """Return a router of an estimator, which asks for itself first.

    Before 1.8 scikit-learn knows the owner by a name and copies it; a search over a generator of
    splits cannot be copied.
    """
    owner = estimator if INSTALLED >= (1, 8) else type(estimator).__name__
    return MetadataRouter(owner=owner).add_self_request(estimator)


def routed_splitter(cv: Any, *, classifier: bool = False) -> Any:
    """Return the splitter whose requests count.

    An iterable of splits asks for nothing, and looking at it might use it up.
    """
    asks = cv is None or isinstance(cv, Integral) or hasattr(cv, "split")
    return check_cv(cv if asks else None, classifier=classifier)


def routed(
    estimator: Any, sample_weight: Any, params: dict[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the keyword arguments of ``cv.split`` and, where there is one, of the scorer.

    With metadata routing enabled, what was requested is routed. Without it, ``groups`` goes to
    the splitter, as in scikit-learn's search estimators, and ``sample_weight`` to the scorer.
    """
    if get_config()["enable_metadata_routing"]:
        found = process_routing(estimator, "fit", sample_weight=sample_weight, **params)
        return dict(found.splitter.split), dict(found.scorer.score) if "scorer" in found else {}
    unknown = sorted(set(params) - {"groups"})
    if unknown:
        raise ValueError(
            f"fit got {', '.join(unknown)}: beside sample_weight and groups, passing metadata is "
            "only supported if enable_metadata_routing=True is set by sklearn.set_config."
        )
    return params, {} if sample_weight is None else {"sample_weight": sample_weight}


def routed_score(estimator: Any, sample_weight: Any, params: dict[str, Any]) -> dict[str, Any]:
    """Return the keyword arguments of a scorer called by ``score``."""
    given = params if sample_weight is None else {**params, "sample_weight": sample_weight}
    if get_config()["enable_metadata_routing"]:
        return dict(process_routing(estimator, "score", **given).scorer.score)
    if params:
        raise ValueError(
            f"score got {', '.join(sorted(params))}: beside sample_weight, passing metadata is "
            "only supported if enable_metadata_routing=True is set by sklearn.set_config."
        )
    return given
