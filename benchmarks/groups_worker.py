"""One library on problems with groups or several responses, in the library's own environment.

    python benchmarks/groups_worker.py LIBRARY FOLDER

reads ``problem_K.npz`` and writes ``LIBRARY_K.npz`` (or ``.txt`` with what went wrong) for every K
that has no answer yet.
Imports NumPy, SciPy and the library alone. The answers are coefficients and CPU seconds (the best
of a few fits) for each tolerance, from loose to tight, until the time is used up.
"""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

TOLERANCES = (1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10)
SECONDS, REPEATS = 2.0, 3
Fit = Callable[[float], Any]


def load(path: str) -> dict[str, Any]:
    """Return the problem: X, Y, sizes of the groups, alpha, model."""
    with np.load(path, allow_pickle=False) as file:
        problem: dict[str, Any] = {name: file[name] for name in file.files}
    if "data" in problem:
        parts = (problem["data"], problem["indices"], problem["indptr"])
        problem["X"] = sparse.csc_matrix(parts, shape=tuple(problem["shape"]))
    else:
        problem["X"] = np.asfortranarray(problem["X"])
    problem["model"], problem["alpha"] = str(problem["model"]), float(problem["alpha"])
    return problem


def banditcd(p: dict[str, Any]) -> Fit:
    """Return the fits of this library."""
    import banditcd as library

    width = p["width"]
    if p["model"] == "multi_task":
        kind = library.MultiTaskLasso(p["alpha"], fit_intercept=False)
    elif p["model"] == "group_lasso":
        kind = library.GroupLasso(int(width), p["alpha"], fit_intercept=False)
    else:
        C = 1.0 / (len(p["Y"]) * p["alpha"])
        kind = library.GroupLogisticRegression(int(width), C, fit_intercept=False)
    return lambda tol: kind.set_params(tol=tol).fit(p["X"], p["Y"]).coef_


def scikit_learn(p: dict[str, Any]) -> Fit:
    """Return the fits of scikit-learn's MultiTaskLasso."""
    from sklearn.linear_model import MultiTaskLasso

    kind = MultiTaskLasso(p["alpha"], fit_intercept=False, max_iter=10**6)
    return lambda tol: kind.set_params(tol=tol).fit(p["X"], p["Y"]).coef_


def celer(p: dict[str, Any]) -> Fit:
    """Return the fits of celer."""
    if p["model"] == "multi_task":  # its class calls a method that scikit-learn has no more
        from celer.homotopy import mtl_path

        Y = np.asfortranarray(p["Y"])
        return lambda tol: mtl_path(p["X"], Y, alphas=[p["alpha"]], tol=tol)[1][..., 0]
    from celer import GroupLasso

    width = int(p["width"])
    weights = np.full(p["X"].shape[1] // width, np.sqrt(float(width)))
    kind = GroupLasso(width, p["alpha"], weights=weights, fit_intercept=False)
    return lambda tol: kind.set_params(tol=tol).fit(p["X"], p["Y"]).coef_


def skglm(p: dict[str, Any]) -> Fit:
    """Return the fits of skglm."""
    import skglm as library

    groups = p["X"].shape[1] // int(p["width"])
    weights = np.full(groups, np.sqrt(float(p["width"])))
    if p["model"] == "multi_task":
        kind = library.MultiTaskLasso(p["alpha"], fit_intercept=False)
        return lambda tol: kind.set_params(tol=tol).fit(p["X"], p["Y"]).coef_
    if p["model"] == "group_lasso":
        kind = library.GroupLasso(int(p["width"]), p["alpha"], weights, fit_intercept=False)
        return lambda tol: kind.set_params(tol=tol).fit(p["X"], p["Y"]).coef_
    from skglm.datafits import LogisticGroup
    from skglm.penalties import WeightedGroupL2
    from skglm.solvers import GroupProxNewton

    indices, starts = np.arange(p["X"].shape[1]), np.arange(0, p["X"].shape[1] + 1, p["width"])
    parts = (starts.astype(np.int32), indices.astype(np.int32))

    def fit(tol: float) -> Any:
        model = library.GeneralizedLinearEstimator(
            datafit=LogisticGroup(*parts),
            penalty=WeightedGroupL2(p["alpha"], weights, *parts),
            solver=GroupProxNewton(fit_intercept=False, tol=tol),
        )
        return model.fit(p["X"], p["Y"]).coef_

    return fit


def adelie(p: dict[str, Any]) -> Fit:
    """Return the fits of adelie."""
    import adelie as library

    X = p["X"]
    starts = np.arange(0, X.shape[1], int(p["width"]))
    options: dict[str, Any] = {
        "lmda_path": np.array([p["alpha"]]),
        "intercept": False,
        "early_exit": False,
        "progress_bar": False,
    }
    Y = np.asfortranarray(p["Y"])
    if p["model"] == "multi_task":
        loss = library.glm.multigaussian(np.ascontiguousarray(Y))
        # Its mean is over rows and responses, and its penalty has the root of the responses.
        options["lmda_path"] = options["lmda_path"] / (Y.shape[1] * np.sqrt(Y.shape[1]))
    elif p["model"] == "group_lasso":
        loss = library.glm.gaussian(Y)
        options["groups"] = starts
    else:
        loss = library.glm.binomial((Y + 1.0) / 2.0)
        options["groups"] = starts

    def fit(tol: float) -> Any:
        state = library.grpnet(X, loss, tol=tol * 1e-3, **options)
        found = np.asarray(state.betas[-1].todense()).ravel()
        return found.reshape(X.shape[1], -1).T

    return fit


MODELS = {
    "banditcd": ("multi_task", "group_lasso", "group_logistic"),
    "scikit_learn": ("multi_task",),
    "celer": ("multi_task", "group_lasso"),
    "skglm": ("multi_task", "group_lasso", "group_logistic"),
    "adelie": ("multi_task", "group_lasso", "group_logistic"),
}
LIBRARIES = {f.__name__: f for f in (banditcd, scikit_learn, celer, skglm, adelie)}


def answers_of(fit: Fit) -> dict[str, Any]:
    """Fit at every tolerance."""
    fit(TOLERANCES[0])  # what is compiled or imported on first use is there
    answers: dict[str, Any] = {}
    left = SECONDS
    for k, tol in enumerate(TOLERANCES):
        times = []
        for _ in range(REPEATS):
            start = time.process_time()
            coef = fit(tol)
            times.append(time.process_time() - start)
            left -= times[-1]
            if left < 0.0:
                break
        answers[f"coef_{k}"] = np.asarray(coef, dtype=np.float64)
        answers[f"seconds_{k}"] = min(times)
        if left < 0.0:
            break
    return answers


def main(library: str, place: str) -> None:
    """Answer the problems of a folder that belong to the library."""
    warnings.simplefilter("ignore")
    for source in sorted(Path(place).glob("problem_*.npz")):
        problem = load(str(source))
        if problem["model"] not in MODELS[library]:
            continue
        target = source.with_name(source.name.replace("problem", library))
        if target.exists():
            continue
        try:
            np.savez(target, **answers_of(LIBRARIES[library](problem)))
        except Exception as error:
            target.with_suffix(".txt").write_text(f"fails: {error}"[:60], "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:3])
