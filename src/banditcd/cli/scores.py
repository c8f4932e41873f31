"""Largest coefficients of a model, and the score that a cross-validation gave it."""

from __future__ import annotations

from typing import Any

import numpy as np

from banditcd._typing import Floats
from banditcd.cli.linear import LinearModel

SHOWN = 10


def largest_coefficients(model: LinearModel, count: int = SHOWN) -> list[dict[str, Any]]:
    """Return the coefficients of largest absolute value: name, value, and class if there are many.

    Features without a name are x1, x2, ...: they count from 1.
    """
    coef = model.coef.tocoo()
    order = np.argsort(-np.abs(coef.data), kind="stable")[:count]
    found = []
    for place in order:
        j = int(coef.col[place])
        name = model.feature_names[j] if model.feature_names else f"x{j + 1}"
        entry: dict[str, Any] = {"feature": name, "value": float(coef.data[place])}
        if coef.shape[0] > 1 and model.classes is not None:
            entry["class"] = model.classes[coef.row[place]].item()
        elif coef.shape[0] > 1:
            entry["target"] = model.targets[coef.row[place]]
        found.append(entry)
    return found


def coefficient_lines(model: LinearModel, count: int = SHOWN) -> list[str]:
    """Return a table of the largest coefficients as lines."""
    entries = largest_coefficients(model, count)
    if not entries:
        return []
    total = int(model.coef.nnz)
    many = f"Largest {len(entries)} of {total:,} coefficients" if total > count else "Coefficients"
    width = min(40, max(len(entry["feature"]) for entry in entries))
    origin = "" if model.feature_names else "; x1 is the first column"
    lines = [f"{many}, in units of their columns{_meaning(model)}{origin}:"]
    for entry in entries:
        label = entry.get("class")
        of = "" if label is None else f"  (class {_text(label)})"
        of = f"  (target {entry['target']})" if "target" in entry else of
        lines.append(f"  {entry['feature']:<{width}}  {entry['value']:>12.5g}{of}")
    return lines


def _meaning(model: LinearModel) -> str:
    """Say which class positive coefficients speak for."""
    if model.classes is None or len(model.classes) != 2:
        return ""
    return f" (positive ones speak for {_text(model.classes[1].item())})"


def _text(label: Any) -> str:
    return label if isinstance(label, str) else repr(label).removesuffix(".0")


def cross_validated(search: Any, rule: str | None) -> dict[str, Any] | None:
    """Return the score of the chosen penalty over the folds, with its standard error.

    The standard error is the standard deviation of the folds (k − 1 degrees of freedom) divided by
    √k.
    """
    found = _fold_scores(search)
    if found is None:
        return None
    measure, scores = found
    folds = len(scores)
    error = float(scores.std(ddof=1) / np.sqrt(folds)) if folds > 1 else float("nan")
    return {
        "measure": measure,
        "mean": float(scores.mean()),
        "standard_error": error,
        "folds": folds,
        "rule": rule or "min",
    }


def cross_validation_words(found: dict[str, Any]) -> str:
    """Say how good the chosen penalty was on rows that were left out."""
    rule = {
        "min": "the best penalty",
        "1se": "the strongest penalty within one standard error of the best",
    }[found["rule"]]
    return (
        f"Cross-validation ({found['folds']} folds): {found['measure']} {found['mean']:.5g} ± "
        f"{found['standard_error']:.2g} (standard error), {rule}."
    )


def _fold_scores(search: Any) -> tuple[str, Floats] | None:
    """Return the measure and its value in each fold, at the chosen penalty."""
    if hasattr(search, "mse_path_"):
        alphas = np.asarray(search.alphas_)
        errors = np.asarray(search.mse_path_)
        ratios = np.ravel(getattr(search, "l1_ratio", 1.0))
        if ratios.size > 1:
            chosen = int(np.flatnonzero(ratios == search.l1_ratio_)[0])
            errors = errors.reshape(ratios.size, -1, errors.shape[-1])[chosen]
            alphas = alphas[chosen] if alphas.ndim == 2 else alphas
        errors = errors.reshape(alphas.size, -1)
        return "mean squared error", errors[int(np.argmin(np.abs(alphas - search.alpha_)))]
    if hasattr(search, "Cs_"):
        place = int(np.argmin(np.abs(search.Cs_ - float(np.ravel(search.C_)[0]))))
        scores = np.asarray(search.scores_)
        if scores.ndim == 3:
            ratio = float(np.ravel(search.l1_ratio_)[0])
            scores = scores[:, int(np.argmin(np.abs(search.l1_ratios_ - ratio)))]
        return "accuracy", scores[:, place]
    if hasattr(search, "fold_scores_"):
        alphas = np.ravel(np.asarray(search.alphas, dtype=np.float64))
        place = int(np.argmin(np.abs(alphas - search.alpha_)))
        measure = "accuracy" if hasattr(search, "classes_") else "R²"
        return measure, np.asarray(search.fold_scores_)[:, place]
    if hasattr(search, "cv_results_"):
        results, place = search.cv_results_, search.best_index_
        folds = range(search.n_splits_)
        measure = "accuracy" if hasattr(search, "classes_") else "R²"
        return measure, np.array([results[f"split{k}_test_score"][place] for k in folds])
    return None
