"""Metadata that a cross-validated fit passes on to its splitter and its scorer."""

from __future__ import annotations

from numbers import Integral
from typing import Any

from sklearn import get_config
from sklearn.model_selection import check_cv
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing

from banditcd.estimators.checks.logistic import INSTALLED


def routed_splitter(cv: Any, *, classifier: bool = False) -> Any:
    """Return the splitter whose requests count.

    An iterable of splits asks for nothing, and looking at it might use it up.
    """
    asks = cv is None or isinstance(cv, Integral) or hasattr(cv, "split")
    return check_cv(cv if asks else None, classifier=classifier)


def search_router(
    estimator: Any, scorer: Any = None, *, classifier: bool = False, callers: Any = ("fit",)
) -> Any:
    """Return the routing of a search: to its fit, the splitter and, where it has one, the scorer.

    ``callers`` are the methods that score.
    """
    splitter = routed_splitter(estimator.cv, classifier=classifier)
    split, score = MethodMapping().add(caller="fit", callee="split"), MethodMapping()
    router = MetadataRouter(owner=_owner(estimator)).add_self_request(estimator)
    router.add(splitter=splitter, method_mapping=split)
    if scorer is None:
        return router
    for caller in callers:
        score.add(caller=caller, callee="score")
    return router.add(scorer=scorer, method_mapping=score)


def _owner(estimator: Any) -> Any:
    """Return the owner of a router: before scikit-learn 1.8 a name.

    It is copied there, and a search over a generator of splits cannot be copied.
    """
    return estimator if INSTALLED >= (1, 8) else type(estimator).__name__


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
            f"{type(estimator).__name__}.fit got {', '.join(unknown)}: beside sample_weight and "
            "groups, passing metadata is only supported if enable_metadata_routing=True is set by "
            "sklearn.set_config."
        )
    return params, {} if sample_weight is None else {"sample_weight": sample_weight}


def routed_score(estimator: Any, sample_weight: Any, params: dict[str, Any]) -> dict[str, Any]:
    """Return the keyword arguments of a scorer called by ``score``."""
    given = params if sample_weight is None else {**params, "sample_weight": sample_weight}
    if get_config()["enable_metadata_routing"]:
        return dict(process_routing(estimator, "score", **given).scorer.score)
    if params:
        raise ValueError(
            f"{type(estimator).__name__}.score got {', '.join(sorted(params))}: beside "
            "sample_weight, passing metadata is only supported if enable_metadata_routing=True is "
            "set by sklearn.set_config."
        )
    return given
