"""Extreme scales of machines, gaps of selectors near interpolation, and Ctrl-C in the imports."""

from __future__ import annotations

import math
import subprocess
import sys

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

import banditcd

pytestmark = pytest.mark.filterwarnings("ignore")
RNG = np.random.default_rng(0)
X = RNG.standard_normal((30, 5))
Y = X[:, 0] + 0.1 * RNG.standard_normal(30)
FAR = [1e-250, 1e-160, 1e-152, 1e152, 1e160, 1e250]


@pytest.mark.parametrize("what", ["X", "y", "C"])
@pytest.mark.parametrize("scale", FAR)
@pytest.mark.parametrize("loss", ["hinge", "squared_hinge", "eps", "squared_eps"])
def test_machines_at_extreme_scales_are_certified_or_refused_by_name(loss, scale, what) -> None:
    """The primal value was 0 or -inf, or the target inf, with status "converged"."""
    if loss.endswith("hinge"):
        model = banditcd.LinearSVC(loss=loss, penalize_intercept=False)
        y = (Y > 0.0).astype(int)
    else:
        word = loss.replace("eps", "epsilon_insensitive")
        model, y = banditcd.LinearSVR(loss=word, penalize_intercept=False), Y
        y = scale * y if what == "y" else y
    model.set_params(C=scale if what == "C" else 1.0)
    refused = ""
    try:
        model.fit(scale * X if what == "X" else X, y)
    except ValueError as refusal:
        refused = str(refusal)
    if refused:
        assert "overflow" in refused or "float64" in refused
        return
    found = model.certificate_
    assert 0.0 < found.primal < math.inf
    assert not found.converged or found.gap <= found.target < math.inf


@pytest.mark.parametrize("y", [Y > 0.0, np.digitize(Y, [-0.5, 0.5])], ids=["two", "three"])
@pytest.mark.parametrize("l1_ratio", [0.0, 0.5, 1.0])
def test_an_objective_beyond_float64_is_refused_and_not_called_converged(l1_ratio, y) -> None:
    """An infinite gap was at most an infinite target."""
    with pytest.raises(ValueError, match="overflows float64: use a smaller C"):
        banditcd.LogisticRegression(C=1e308, l1_ratio=l1_ratio).fit(X, y)


@pytest.mark.parametrize("y", [Y > 0.0, np.digitize(Y, [-0.5, 0.5])], ids=["two", "three"])
@pytest.mark.parametrize("l1_ratio", [0.0, 1.0])
@pytest.mark.parametrize("where", ["sample_weight", "class_weight"])
def test_tiny_weights_of_classes_are_refused_and_certify_no_zero(where, l1_ratio, y) -> None:
    model = banditcd.LogisticRegression(C=1e201, l1_ratio=l1_ratio)
    weight = np.full(len(X), 1e-200) if where == "sample_weight" else None
    if weight is None:
        model.set_params(class_weight=dict.fromkeys(np.unique(y).tolist(), 1e-200))
    with pytest.raises(ValueError, match="largest weight of a sample is 1e-200"):
        model.fit(X, y, sample_weight=weight)


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("l1_ratio", [0.0, 1.0])
def test_weights_that_leave_nothing_of_the_penalty_are_named(l1_ratio, classes) -> None:
    """The sentences spoke of features without a penalty, and of columns to be scaled."""
    noise = np.random.default_rng(1).integers(0, classes, len(X))
    model = banditcd.LogisticRegression(l1_ratio=l1_ratio)
    with pytest.warns(ConvergenceWarning, match="sample weights"):
        model.fit(X, noise, sample_weight=np.full(len(X), 1e80))
    with pytest.raises(ValueError, match="a sample is 1e\\+160, too much for squares in float64"):
        model.fit(X, noise, sample_weight=np.full(len(X), 1e160))


@pytest.mark.parametrize("share", [1e-5, 1e-7, 1e-9])
@pytest.mark.parametrize("selector", ["uniform", "b_max_r"])
def test_a_selector_near_interpolation_claims_no_gap_that_cancelled(selector, share) -> None:
    """Beside a null model of 1 the objective vanishes, and with it the digits of the gap."""
    y = X @ np.arange(1.0, 6.0)
    alpha = share * float(np.abs(X.T @ y).max()) / len(y)
    model = banditcd.Lasso(alpha, selector=selector, fit_intercept=False, random_state=0, tol=1e-14)
    model.set_params(max_iter=200).fit(X, y)
    best = banditcd.Lasso(alpha, fit_intercept=False, tol=1e-15).fit(X, y)
    seen = banditcd.verify(model, X, y), banditcd.verify(best, X, y)
    away = seen[0].objective - seen[1].objective - seen[0].rounding - seen[1].rounding
    assert model.certificate_.gap >= away
    assert model.certificate_.gap > 0.0


STOPPED = """
import sys, warnings
import numpy as np
import banditcd
warnings.simplefilter("ignore")

class Stop:
    def find_spec(self, name, path=None, target=None):
        if name == sys.argv[1]:
            raise KeyboardInterrupt

X = np.random.default_rng(0).standard_normal((30, 4))
sys.meta_path.insert(0, Stop())
try:
    banditcd.Lasso(0.1).fit(X, X[:, 0])
except KeyboardInterrupt:
    print("stopped")
del sys.meta_path[0]
print(banditcd.Lasso(0.1).fit(X, X[:, 0]).certificate_.status)
"""


@pytest.mark.parametrize("name", ["scipy.ndimage._ndimage_api", "sklearn.utils.validation"])
def test_ctrl_c_between_the_imports_of_the_first_fit_does_no_harm(name) -> None:
    command = [sys.executable, "-c", STOPPED, name]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.split() in (["stopped", "converged"], ["converged"])
