"""Paths of fitted models: kept by the model, of its folds, or followed again from the data."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import is_classifier

from banditcd._typing import Floats
from banditcd.estimators.displays.searches import (
    chosen_ratio,
    fold_coefficients,
    parts_of_search,
    rules,
)
from banditcd.estimators.displays.unwrapping import feature_names, fitted_model, transformed

POINTS = 60
"""Penalties of a path over the range of a search with fewer than :data:`FEW` of them."""
FEW = 20
#: Regressions whose path is that of ``enet_path``, of one response or of several.
SPARSE = {
    f"{several}{kind}{search}"
    for several in ("", "MultiTask")
    for kind in ("Lasso", "ElasticNet")
    for search in ("", "CV")
}
SHARED = ("fit_intercept", "penalty_weights", "lower", "upper", "standardize", "class_weight")


def parts_of_path(estimator: Any, data: tuple[Any, Any], label: Any) -> dict[str, Any]:
    """Return the arguments of a ``PathDisplay``; ``data`` are X and y, or None twice."""
    model = fitted_model(estimator)
    marked = _marked(estimator, model)
    if hasattr(model, "coef_path_"):
        parts = _kept(model)
    elif data[0] is not None:
        parts = _followed(model, (transformed(estimator, data[0]), data[1]), marked)
    elif hasattr(model, "coefs_paths_"):
        parts = _of_folds(model)
    else:
        raise ValueError(
            f"{type(model).__name__} has no path to draw; give the data too, "
            "PathDisplay.from_estimator(estimator, X, y), fit a LassoCV, ElasticNetCV or "
            "LogisticRegressionCV with store_path=True, or use PathDisplay(alphas, coefs)."
        )
    if parts["coefs"].ndim == 3:
        parts["coefs"] = _rows_of(model, parts["coefs"], label)
    marked.pop("alphas", None)
    return {**parts, **marked, "feature_names": feature_names(estimator)}


def _marked(estimator: Any, model: Any) -> dict[str, Any]:
    """Return the chosen penalty, those of both rules, and all that were compared."""
    found = parts_of_search(estimator)
    found = parts_of_search(model) if found is None else found
    if found is not None:
        sign = -1.0 if found.get("score_name") is None else 1.0
        best, one_error = rules(found["alphas"], sign * found["errors"])
        return {
            "alpha": found["alpha"],
            "alpha_best": best,
            "alpha_1se": one_error,
            "alphas": found["alphas"],
        }
    if hasattr(model, "C_"):
        return {"alpha": 1.0 / float(np.ravel(model.C_)[0])}
    if hasattr(model, "C"):
        return {"alpha": 1.0 / float(model.C)}
    chosen = np.ravel(getattr(model, "alpha_", getattr(model, "alpha", np.nan)))
    marked: dict[str, Any] = {"alpha": float(chosen[0]) if chosen.size == 1 else None}
    if np.ndim(compared := getattr(model, "alphas", 0)) == 1:
        marked["alphas"] = np.asarray(compared, dtype=np.float64)
    return marked


def _kept(model: Any) -> dict[str, Any]:
    if hasattr(model, "C_path_"):
        strengths = 1.0 / model.C_path_
        return {"alphas": strengths, "coefs": model.coef_path_, "penalty_name": "1 / C"}
    return {"alphas": model.alpha_path_, "coefs": model.coef_path_}


def _of_folds(model: Any) -> dict[str, Any]:
    """Return the mean of the folds' models, from the strongest penalty on."""
    models = fold_coefficients(model, chosen_ratio(model)[1])
    order = np.argsort(model.Cs_, kind="stable")
    coefs = np.moveaxis(models.mean(axis=0)[order], 0, 2)
    return {
        "alphas": 1.0 / model.Cs_[order],
        "coefs": coefs[0] if len(coefs) == 1 else coefs,
        "penalty_name": "1 / C",
        "title": f"mean of {len(models)} folds",
    }


def _followed(model: Any, data: tuple[Any, Any], marked: dict[str, Any]) -> dict[str, Any]:
    """Follow the path of a model again, over the range of its search or an automatic one."""
    from banditcd.estimators.logistic_paths import logistic_path
    from banditcd.estimators.paths import enet_path

    (X, y), names = data, {base.__name__ for base in type(model).__mro__}
    given = model.get_params()
    options = {name: given[name] for name in SHARED if name in given}
    grid = _grid(marked.get("alphas"))
    if is_classifier(model) and names & {"LogisticRegression", "LogisticRegressionCV"}:
        ratio = _l1_ratio(model)
        wanted = 100 if grid is None else 1.0 / grid
        Cs, coefs, *_ = logistic_path(X, y, Cs=wanted, l1_ratio=ratio, **options)
        return {"alphas": 1.0 / Cs, "coefs": coefs, "penalty_name": "1 / C"}
    if "groups" in given:
        return _followed_groups(model, data, grid)
    if names & {"Ridge", "RidgeCV"}:
        return _followed_ridge(data, options, grid, marked["alpha"])
    if names & SPARSE:
        ratio = getattr(model, "l1_ratio_", given.get("l1_ratio", 1.0))
        wanted = 100 if grid is None else grid
        options["positive"] = given.get("positive", False)
        alphas, coefs, *_ = enet_path(X, y, alphas=wanted, l1_ratio=ratio, **options)
        return {"alphas": alphas, "coefs": coefs}
    raise ValueError(
        f"The path of a {type(model).__name__} is not known here; use PathDisplay(alphas, coefs)."
    )


def _followed_groups(model: Any, data: tuple[Any, Any], grid: Floats | None) -> dict[str, Any]:
    """Follow the path of a model with groups of features."""
    from banditcd.estimators.block_paths import group_lasso_path
    from banditcd.estimators.group_logistic_paths import group_logistic_path

    (X, y), given = data, model.get_params()
    words = {name: given[name] for name in ("weights", "fit_intercept")}
    if is_classifier(model):
        words["class_weight"] = given["class_weight"]
        wanted = 100 if grid is None else 1.0 / grid
        Cs, coefs, *_ = group_logistic_path(X, y, model.groups, Cs=wanted, **words)
        return {"alphas": 1.0 / Cs, "coefs": coefs, "penalty_name": "1 / C"}
    wanted = 100 if grid is None else grid
    alphas, coefs, *_ = group_lasso_path(X, y, model.groups, alphas=wanted, **words)
    return {"alphas": alphas, "coefs": coefs}


def _followed_ridge(
    data: tuple[Any, Any], options: dict[str, Any], grid: Floats | None, alpha: float | None
) -> dict[str, Any]:
    from banditcd.estimators.ridge import Ridge

    if grid is None:
        center = alpha or 1.0
        grid = np.geomspace(1e3 * center, 1e-3 * center, POINTS)
    known = {name: options[name] for name in options if name in Ridge().get_params()}
    coefs = [Ridge(alpha=float(each), **known).fit(*data).coef_ for each in grid]
    return {"alphas": grid, "coefs": np.moveaxis(np.array(coefs), 0, -1)}


def _grid(compared: Floats | None) -> Floats | None:
    """Return penalties over the range that was compared, from large to small."""
    if compared is None or not compared.max() > compared.min() > 0.0:
        return None
    if compared.size >= FEW:
        return np.sort(compared)[::-1]
    return np.geomspace(compared.max(), compared.min(), POINTS)


def _l1_ratio(model: Any) -> float:
    """Return the share of the L1 penalty, by any of the words for it."""
    if hasattr(model, "l1_ratio_") and np.ravel(model.l1_ratio_)[0] is not None:
        return float(np.ravel(model.l1_ratio_)[0])
    penalty = getattr(model, "penalty", "deprecated")
    if penalty in ("l1", "l2"):
        return 1.0 if penalty == "l1" else 0.0
    return float(getattr(model, "l1_ratio", 0.0) or 0.0)


def _rows_of(model: Any, paths: Floats, label: Any) -> Floats:
    """Return the coefficients of one class, or of one response."""
    names = model.classes_.tolist() if hasattr(model, "classes_") else list(range(len(paths)))
    places = [k for k, known in enumerate(names) if known == label]
    if not places:
        shown = ", ".join(map(repr, names[:20]))
        kind = "class" if hasattr(model, "classes_") else "response"
        raise ValueError(f"label is {label!r}; choose the {kind} to draw among {shown}.")
    return np.asarray(paths[places[0]])
