"""Fits of data on a GPU: passes against the card's copy bandwidth, whole fits, and agreement.

    python -m benchmarks.gpu [--quick] [--draw] [--out FOLDER]

Problems are those of a factor model with 200 true features, X in float32 on the card; every fit has
an intercept and ends with a certified relative gap of 1e-6. Times are medians of the calls after
the first. Without a card nothing is run.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from banditcd import Lasso, LogisticRegression, Ridge
from banditcd.places.elastic_net import ElasticNetLoop
from banditcd.places.logistic import LogisticLoop
from banditcd.places.penalties import ColumnPenalties
from benchmarks.gpu_passes import bandwidths, make, seconds
from benchmarks.peers.machine import commit, describe

TOL = 1e-6
#: The widest of the 96 GB problem that a host of 128 GB holds beside what its solver needs.
SHAPE_ON_HOST = (60000, 120000)
#: Seconds from which on a fit on the host is not measured again.
SLOW = 3.0


def estimator_of(model: str, X: Any, y: Any, labels: Any) -> Any:
    """Return the estimator of a model and its share of the largest penalty, or its penalty."""
    from banditcd.places.card import CardPlace

    kind, _, share = model.partition("/")
    columns, n = ColumnPenalties(X.shape[1]), X.shape[0]
    if kind in ("lasso", "path"):
        largest = ElasticNetLoop(CardPlace(X, y), columns, fit_intercept=True).largest_penalty()
        return Lasso(alpha=largest / n / float(share), tol=TOL)
    if kind == "logistic":
        largest = LogisticLoop(CardPlace(X, labels), columns, fit_intercept=True).largest_penalty()
        return LogisticRegression(l1_ratio=1.0, C=float(share) / largest, tol=TOL)
    if kind == "ridge":
        return Ridge(alpha=float(share) * n, tol=TOL)
    return LogisticRegression(C=1.0 / (float(share) * n), tol=TOL)


def path(X: Any, y: Any, decades: float) -> Any:
    """Return the certificate of the last of 100 penalties, and the traffic of all of them."""
    from banditcd.places.card import CardPlace

    loop = ElasticNetLoop(CardPlace(X, y), ColumnPenalties(X.shape[1]), fit_intercept=True)
    grid = loop.largest_penalty() * np.logspace(0, -decades, 100)
    result = [loop.solve(l1, 0.0, tol=TOL) for l1 in grid][-1]
    return SimpleNamespace(
        passes=loop.place.traffic.passes,
        rounds=loop.place.traffic.rounds,
        n_iter=result.n_iter,
        gap=result.gap,
        target=result.target,
        status=result.status,
    )


def fit_once(estimator: Any, X: Any, y: Any, model: str) -> tuple[Any, float]:
    """Fit one model from scratch by ``fit``; return its certificate and the time it took."""
    start = time.perf_counter()
    if model.startswith("path"):
        found = path(X, y, float(model.partition("/")[2]))
    else:
        found = estimator.fit(X, y).certificate_
    return found, time.perf_counter() - start


def fits(cp: Any, X: Any, y: Any, models: list[str], calls_after: int = 5) -> list[dict[str, Any]]:
    """Return time, passes and gap of whole fits, after a first call."""
    from banditcd.places.card_calls import CupyCalls

    calls, out = CupyCalls(), []
    one_pass = seconds(cp, lambda: calls.passed(X, y, None, moments=False))
    labels = cp.where(y > y.mean(), 1.0, -1.0)
    for model in models:
        response = labels if model.startswith(("logistic", "l2")) else y
        estimator = estimator_of(model, X, y, labels)
        first = fit_once(estimator, X, response, model)[1]
        runs = [fit_once(estimator, X, response, model) for _ in range(calls_after)]
        certificate, median = runs[-1][0], float(np.median([spent for _, spent in runs]))
        row = {
            "X": f"{X.shape[0]} x {X.shape[1]}",
            "GB": X.nbytes / 1e9,
            "model": model,
            "first": first,
            "seconds": median,
            "pass": one_pass,
            "passes": certificate.passes,
            "seconds / (pass x passes)": median / (certificate.passes * one_pass),
            "rounds": certificate.rounds,
            "bins": certificate.n_iter,
            "gap / target": certificate.gap / certificate.target if certificate.target else 0.0,
            "status": certificate.status,
        }
        out.append(row)
        print(json.dumps(row), flush=True)
    return out


def agreement(cp: Any) -> list[dict[str, Any]]:
    """Return the largest difference from the CPU solvers on small problems of every storage."""
    import cupyx.scipy.sparse as sparse

    from banditcd.places.card import CardPlace
    from banditcd.solvers import ElasticNetSession, LogisticSession

    rng, rows = np.random.default_rng(0), []
    A = rng.standard_normal((1003, 257)) * (rng.random((1003, 257)) < 0.3)
    y = A[:, :20] @ rng.standard_normal(20) + rng.standard_normal(1003) + 2.0
    labels = np.where(y > 2.0, 1.0, -1.0)
    for name in ("F", "C", "csc", "csr"):
        for dtype in (np.float32, np.float64):
            host = A.astype(dtype)
            placed = cp.asarray(host, order=name) if name in "FC" else None
            if placed is None:
                placed = getattr(sparse, f"{name}_matrix")(cp.asarray(host))
            for session, loop_of, target in (
                (ElasticNetSession, ElasticNetLoop, y),
                (LogisticSession, LogisticLoop, labels),
            ):
                exact = session(np.asfortranarray(host), target, fit_intercept=True)
                l1 = exact.largest_penalty() / 30
                reference = exact.solve(l1, tol=1e-12)
                loop: Any = loop_of(
                    CardPlace(placed, cp.asarray(target)), ColumnPenalties(257), fit_intercept=True
                )
                results = [loop.solve(l1 * 1003, 0.0, tol=1e-10)]
                again: Any = loop_of(
                    CardPlace(placed, cp.asarray(target)), ColumnPenalties(257), fit_intercept=True
                )
                results.append(again.solve(l1 * 1003, 0.0, tol=1e-10))
                rows.append(
                    {
                        "storage": f"{name} {np.dtype(dtype)}",
                        "model": loop_of.__name__,
                        "difference": float(np.abs(results[0].coef - reference.coef).max()),
                        "status": results[0].status,
                        "same bits": bool(np.all(results[0].coef == results[1].coef)),
                    }
                )
    return rows


def processor(cp: Any, X: Any, y: Any, fitted: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return time and readings of our own CPU solver, with all threads, beside those of the card.

    ``fitted`` are the rows of the same data on the card.
    """
    host, response = cp.asnumpy(X, order="F"), cp.asnumpy(y)
    labels, out = np.where(response > response.mean(), 1.0, -1.0), []
    for row in fitted:
        kind = row["model"].partition("/")[0]
        estimator = estimator_of(row["model"], X, y, cp.asarray(labels))
        if "n_threads" in estimator.get_params():
            estimator.set_params(n_threads=os.cpu_count())
        target = labels if kind in ("logistic", "l2") else response
        certificate, spent = fit_once(estimator, host, target, row["model"])
        if spent < SLOW:
            spent = min(spent, fit_once(estimator, host, target, row["model"])[1])
        found = {
            "X": row["X"],
            "model": row["model"],
            "threads": os.cpu_count(),
            "cpu": spent,
            "cpu passes": certificate.passes,
            "card": row["seconds"],
            "card passes": row["passes"],
            "cpu / card": spent / row["seconds"],
        }
        out.append(found)
        print(json.dumps(found), flush=True)
    return out


def table(rows: list[dict[str, Any]]) -> str:
    """Return rows as a Markdown table."""
    names = list(rows[0])
    lines = ["| " + " | ".join(names) + " |", "|" + "---|" * len(names)]
    for row in rows:
        cells = [f"{v:.3g}" if isinstance(v, float) else str(v) for v in row.values()]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


HEAD = """\
# Fits on a GPU

{device}; {machine}; commit {commit}. `python -m benchmarks.gpu` measures,
`python -m benchmarks.gpu --draw` makes this page from `gpu.json`.

X (float32, factor model) is already on the card; a fit ends with a certified relative gap of 1e-6.
lasso/10 is a Lasso at a tenth of the largest penalty; it and the L1-logistic fits have an
intercept; ridge/1 and l2/1 (L2-logistic) have a penalty of 1 for every row. "first" is the first
call, "seconds" the median of the five later ones (two beyond 1 GB), "pass" the time of one reading
of X, "passes" the readings of a fit (two for a product with X and one with its transpose),
"seconds / (pass x passes)" the time in units of these readings. Bandwidths are compared with that
of a copy on the card. "difference" is the largest one from the coefficients of the solvers in
memory, "same bits" whether two fits agree exactly. "cpu" has the solver in memory with all threads
on the same data, beside the card.
"""


def page(results: dict[str, Any]) -> str:
    """Return the page of the results."""
    titles = ("agreement", "bandwidth", "fits", "cpu")
    parts = [f"## {title}\n\n{table(results[title])}" for title in titles]
    return "\n".join([HEAD.format(**results), *parts])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="no X beyond 1 GB")
    parser.add_argument("--out", type=Path, default=Path("benchmarks/results"))
    parser.add_argument("--commit", default="", help="hash of the sources, if git is not here")
    parser.add_argument("--draw", action="store_true", help="only make the page from gpu.json")
    options = parser.parse_args()
    if not options.draw:
        options.out.mkdir(parents=True, exist_ok=True)
        measure(options)
    results = json.loads((options.out / "gpu.json").read_text("utf-8"))
    (options.out / "gpu.md").write_text(page(results), "utf-8")


def measure(options: argparse.Namespace) -> None:
    """Run everything; write gpu.json."""
    try:
        import cupy as cp

        name = cp.cuda.runtime.getDeviceProperties(0)["name"].decode()
    except Exception as error:
        raise SystemExit(f"not run: {error}") from error
    parts = {"agreement": agreement(cp)}
    print(json.dumps(parts["agreement"], indent=0), flush=True)
    parts["bandwidth"] = bandwidths(cp, 20000, 10000)
    print(json.dumps(parts["bandwidth"], indent=0), flush=True)
    X, y = make(cp, 20000, 10000)
    models = ["lasso/10", "lasso/100", "path/2", "logistic/10", "logistic/100", "ridge/1", "l2/1"]
    parts["fits"] = fits(cp, X, y, models)
    compared = ("lasso/10", "lasso/100", "ridge/1", "l2/1")
    parts["cpu"] = processor(cp, X, y, [r for r in parts["fits"] if r["model"] in compared])
    del X, y
    if not options.quick:
        cp.get_default_memory_pool().free_all_blocks()
        X, y = make(cp, *SHAPE_ON_HOST)
        rows = fits(cp, X, y, ["lasso/10", "lasso/100"], calls_after=2)
        parts["cpu"] += processor(cp, X, y, rows)
        del X, y
        cp.get_default_memory_pool().free_all_blocks()
        X, y = make(cp, 200000, 120000)
        large = ["lasso/10", "lasso/100", "logistic/10", "logistic/100", "ridge/1", "l2/1"]
        parts["fits"] += rows + fits(cp, X, y, large, calls_after=2)
        del X, y
    origin = {"device": name, "machine": describe(), "commit": options.commit or commit()}
    (options.out / "gpu.json").write_text(json.dumps({**origin, **parts}, indent=1))


if __name__ == "__main__":
    main()
