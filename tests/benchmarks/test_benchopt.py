"""The solver files for benchopt run inside benchopt, on simulated data, to the optimum."""

import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from sklearn.linear_model import Lasso, LogisticRegression

from tests.deadlines import HUNG

FOLDER = Path(__file__).parents[2] / "benchopt"
pytestmark = pytest.mark.skipif(
    find_spec("benchopt.benchmark") is None if find_spec("benchopt") else True,
    reason="benchopt is not installed (pip install benchopt)",
)

OBJECTIVE = """
import numpy as np
from benchopt import BaseObjective

class Objective(BaseObjective):
    name = "L1"
    parameters = {"fit_intercept": [False, INTERCEPTS], "classes": [CLASSES]}

    def set_data(self, X, y):
        self.X, self.y = X, y
        slope = y / 2 if self.classes else y - self.fit_intercept * y.mean()
        self.lmbd = 0.1 * abs(X.T @ slope).max()

    def get_objective(self):
        facts = dict(X=self.X, y=self.y, lmbd=self.lmbd)
        return facts if self.classes else dict(facts, fit_intercept=self.fit_intercept)

    def evaluate_result(self, beta):
        d = self.X.shape[1]
        z = self.X @ beta[:d] + (beta[d] if self.fit_intercept else 0.0)
        loss = np.logaddexp(0, -self.y * z).sum() if self.classes else ((self.y - z) ** 2).sum() / 2
        np.save(f"found-{self.fit_intercept}.npy", beta)
        return dict(value=loss + self.lmbd * abs(beta[:d]).sum())

    def get_one_result(self):
        return dict(beta=np.zeros(self.X.shape[1] + self.fit_intercept))
"""

DATASET = """
from benchopt import BaseDataset
from benchopt.datasets import make_correlated_data

class Dataset(BaseDataset):
    name = "simulated"

    def get_data(self):
        X, y, _ = make_correlated_data(50, 80, rho=0.5, random_state=0)
        return dict(X=X, y=DATA)
"""


def simulated() -> tuple[np.ndarray, np.ndarray]:
    from benchopt.datasets import make_correlated_data

    X, y, _ = make_correlated_data(50, 80, rho=0.5, random_state=0)
    return X, y


def run(folder: Path, name: str, labels: str) -> None:
    """Make a benchmark of this name with our solver in it, and let benchopt run it."""
    (folder / "datasets").mkdir(parents=True)
    shutil.copytree(FOLDER / name / "solvers", folder / "solvers")
    classes = "sign" in labels
    text = OBJECTIVE.replace("CLASSES", str(classes)).replace("INTERCEPTS", str(not classes))
    (folder / "objective.py").write_text(text, "utf-8")
    (folder / "datasets" / "simulated.py").write_text(DATASET.replace("DATA)", f"{labels})"))
    words = [
        "run",
        str(folder),
        "-s",
        "banditcd",
        "-n",
        "30",
        "-r",
        "1",
        "--no-plot",
        "--no-cache",
        "--no-html",
    ]
    done = subprocess.run(
        [sys.executable, "-m", "benchopt", *words],
        cwd=folder,
        env={**os.environ, "PYTHONWARNINGS": "ignore"},
        capture_output=True,
        text=True,
        timeout=HUNG,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_lasso_is_solved_with_and_without_an_intercept(tmp_path: Path) -> None:
    run(tmp_path / "benchmark_lasso", "benchmark_lasso", "y")
    X, y = simulated()
    for intercept in (False, True):
        largest = abs(X.T @ (y - intercept * y.mean())).max()
        oracle = Lasso(alpha=0.1 * largest / 50, fit_intercept=intercept, tol=1e-12).fit(X, y)
        beta = np.load(tmp_path / "benchmark_lasso" / f"found-{intercept}.npy")
        np.testing.assert_allclose(beta[:80], oracle.coef_, atol=1e-5)


def test_logistic_regression_is_solved(tmp_path: Path) -> None:
    run(tmp_path / "benchmark_logreg_l1", "benchmark_logreg_l1", "__import__('numpy').sign(y)")
    X, y = simulated()
    y = np.sign(y)
    penalty = 0.05 * abs(X.T @ y).max()
    oracle = LogisticRegression(
        C=1.0 / penalty, l1_ratio=1.0, fit_intercept=False, solver="saga", tol=1e-9, max_iter=10**5
    ).fit(X, y)
    beta = np.load(tmp_path / "benchmark_logreg_l1" / "found-False.npy")
    np.testing.assert_allclose(beta, oracle.coef_[0], atol=1e-4)
