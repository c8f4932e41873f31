"""Scores of a fitted search, ours or scikit-learn's, in one form."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import is_classifier

from banditcd._typing import Floats
from banditcd.estimators.displays.unwrapping import is_grid_search, last_step
from banditcd.estimators.search.logistic_search import scoring_word
from banditcd.estimators.search.selection import strongest_within_one_error

PENALTIES = ("alpha", "C")


def parts_of_search(estimator: Any) -> dict[str, Any] | None:
    """Return the arguments of a ``CVDisplay`` for the chosen l1_ratio; None if no scores are kept.

    Penalties are strengths: alpha, or 1 / C.
    """
    search = last_step(estimator)
    if is_grid_search(search):
        return _of_grid(search)
    if hasattr(search, "Cs_") and hasattr(search, "scores_"):
        return _of_logistic(search)
    if hasattr(search, "fold_scores_"):
        return _of_ridge(search, search.fold_scores_.T)
    if getattr(search, "cv_results_", None) is not None and search.scoring is None:
        return _of_left_out(search)
    return _of_errors(search) if hasattr(search, "mse_path_") else None


def rules(alphas: Floats, scores: Floats) -> tuple[float | None, float | None]:
    """Return the penalty of the best mean score and that of the one-standard-error rule.

    ``scores`` has a row for each penalty; penalties with a missing score are passed over.
    """
    known = np.flatnonzero(np.isfinite(scores).all(axis=1))
    if not known.size:
        return None, None
    found = scores[known].T
    best = int(np.argmax(found.mean(axis=0)))
    order = np.argsort(-alphas[known], kind="stable")
    simple = strongest_within_one_error(found, best, order)
    return float(alphas[known[best]]), float(alphas[known[simple]])


def _of_errors(search: Any) -> dict[str, Any]:
    """LassoCV, ElasticNetCV and their kin: mean squared errors."""
    alphas, errors = search.alphas_, search.mse_path_
    counts = getattr(search, "support_path_", None)
    ratios, label = np.ravel(getattr(search, "l1_ratio", 1.0)), None
    if hasattr(search, "l1_ratio_"):
        label = f"l1_ratio = {search.l1_ratio_:g}"
    if ratios.size > 1:
        chosen = int(np.flatnonzero(ratios == search.l1_ratio_)[0])
        errors = errors.reshape(ratios.size, -1, errors.shape[-1])[chosen]
        if counts is not None:
            counts = counts.reshape(ratios.size, -1, counts.shape[-1])[chosen]
        alphas = alphas[chosen] if alphas.ndim == 2 else alphas
    if hasattr(search, "coef_path_"):
        features = np.count_nonzero(search.coef_path_, axis=0)
    else:
        features = None if counts is None else np.median(counts.reshape(alphas.size, -1), axis=1)
    return {
        "alphas": alphas,
        "errors": np.reshape(errors, (alphas.size, -1)),
        "alpha": search.alpha_,
        "label": label,
        "features": features,
    }


def _of_logistic(search: Any) -> dict[str, Any]:
    """LogisticRegressionCV and its kin: scores, in the shapes of any release of scikit-learn."""
    ratio, chosen = chosen_ratio(search)
    scores = search.scores_
    if isinstance(scores, dict):
        older = np.asarray(next(iter(scores.values())))
        by_fold = older if older.ndim == 2 else older[:, :, chosen]
    else:
        by_fold = scores if scores.ndim == 2 else scores[:, chosen]
    order = np.argsort(search.Cs_, kind="stable")
    named = scoring_word(search.scoring)
    return {
        "alphas": 1.0 / search.Cs_[order],
        "errors": by_fold[:, order].T,
        "alpha": 1.0 / float(np.ravel(search.C_)[0]),
        "label": None if ratio is None else f"l1_ratio = {ratio:g}",
        "score_name": f"test {named if isinstance(named, str) else 'score'}",
        "alpha_name": "1 / C",
        "features": _features_of_logistic(search, chosen, order),
    }


def chosen_ratio(search: Any) -> tuple[Any, int]:
    """Return the chosen l1_ratio, None if the search has none, and its place among those tried."""
    if not hasattr(search, "l1_ratio_"):
        return None, 0
    ratio = np.ravel(search.l1_ratio_)[0]
    ratios = [] if search.l1_ratios_ is None else list(search.l1_ratios_)
    if ratio is None or len(ratios) < 2:
        return ratio, 0
    return ratio, int(np.argmin(np.abs(ratios - ratio)))


def fold_coefficients(search: Any, chosen: int) -> Floats:
    """Return the models of the folds without intercepts: (n_folds, n_Cs, n_rows, n_features)."""
    paths = search.coefs_paths_
    if isinstance(paths, dict):
        parts = [np.asarray(part) for part in paths.values()]
        parts = [part if part.ndim == 3 else part[:, :, chosen] for part in parts]
        models = np.stack(parts, axis=2)
    else:
        models = paths if paths.ndim == 4 else paths[:, chosen]
    return models[..., :-1] if search.fit_intercept else models


def _features_of_logistic(search: Any, chosen: int, order: Any) -> Any:
    """Return the number of features at every C in ascending order: the median of the folds.

    A path of all samples, if the search kept it, says more.
    """
    if hasattr(search, "coef_path_"):
        path = search.coef_path_
        return np.count_nonzero(path if path.ndim == 2 else path.any(axis=0), axis=0)
    used = fold_coefficients(search, chosen).any(axis=2)
    return np.median(np.count_nonzero(used, axis=2), axis=0)[order]


def _ascending(penalties: Any, scores: Floats) -> dict[str, Floats]:
    """Return penalties in ascending order, and their rows of scores."""
    alphas = np.ravel(np.asarray(penalties, dtype=np.float64))
    order = np.argsort(alphas, kind="stable")
    return {"alphas": alphas[order], "errors": scores[order]}


def _of_ridge(search: Any, scores: Floats) -> dict[str, Any]:
    """RidgeCV and RidgeClassifierCV with folds."""
    return {
        **_ascending(search.alphas, scores),
        "alpha": search.alpha_,
        "score_name": f"test {_score_word(search, search)}",
    }


def _of_left_out(search: Any) -> dict[str, Any]:
    """RidgeCV without folds: the squared error of every sample left out, averaged over targets."""
    errors = np.asarray(search.cv_results_, dtype=np.float64)
    if errors.ndim == 3:
        errors = errors.mean(axis=1)
    chosen = np.ravel(search.alpha_)
    return {
        **_ascending(search.alphas, errors.T),
        "alpha": float(chosen[0]) if np.all(chosen == chosen[0]) else None,
        "label": "leave-one-out",
    }


def _of_grid(search: Any) -> dict[str, Any]:
    """GridSearchCV and its kin: the candidates that differ from the best in their penalty only."""
    found = search.cv_results_
    place = int(np.argmin(found[f"rank_test_{_metric(search)}"]))
    best = found["params"][place]
    names = [name for name in best if name.rpartition("__")[2] in PENALTIES]
    if len(names) != 1:
        raise ValueError(
            f"The grid of this {type(search).__name__} is over {', '.join(best) or 'nothing'}; "
            "one parameter that is called alpha or C is needed to draw its scores."
        )
    rest = {name: value for name, value in best.items() if name != names[0]}
    rows = [k for k, given in enumerate(found["params"]) if {**given, **rest} == given]
    values = np.array([found["params"][k][names[0]] for k in rows], dtype=np.float64)
    is_C = names[0].rpartition("__")[2] == "C"
    scores = np.array([found[key] for key in _split_keys(search)], dtype=np.float64).T[rows]
    return {
        **_ascending(1.0 / values if is_C else values, scores),
        "alpha": float(1.0 / best[names[0]] if is_C else best[names[0]]),
        "label": ", ".join(f"{name} = {value}" for name, value in rest.items()) or None,
        "score_name": f"test {_score_word(search, search.estimator)}",
        "alpha_name": "1 / C" if is_C else "alpha",
    }


def _metric(search: Any) -> str:
    """Return the metric that chose, by the name it has in ``cv_results_``."""
    several = getattr(search, "multimetric_", False)
    return str(search.refit) if several and isinstance(search.refit, str) else "score"


def _split_keys(search: Any) -> list[str]:
    metric, found = _metric(search), search.cv_results_
    count = sum(key.startswith("split") and key.endswith(f"_test_{metric}") for key in found)
    return [f"split{k}_test_{metric}" for k in range(count)]


def _score_word(search: Any, judged: Any) -> str:
    """Return what the scores are."""
    if isinstance(search.scoring, str):
        return search.scoring
    if getattr(search, "multimetric_", False):
        return _metric(search)
    if search.scoring is not None:
        return "score"
    return "accuracy" if is_classifier(judged) else "R²"
