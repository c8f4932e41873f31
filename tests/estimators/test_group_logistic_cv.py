"""The path and the search of logistic regression on groups, against fits one by one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import get_scorer
from sklearn.model_selection import GroupKFold, StratifiedKFold

from banditcd import (
    CVDisplay,
    GroupLogisticRegression,
    GroupLogisticRegressionCV,
    PathDisplay,
    group_logistic_path,
)
from banditcd.cli import main
from banditcd.places import kinds

rng = np.random.default_rng(3)
X = rng.standard_normal((90, 12)) + 0.3
signal = X[:, :3] @ [1.5, -1.0, 0.5] + rng.logistic(size=90)
TWO = np.where(signal > np.median(signal), "yes", "no")
THREE = np.digitize(signal, np.quantile(signal, [0.3, 0.6]))
WEIGHT = rng.integers(1, 4, 90).astype(float)
CS = [0.02, 0.1, 0.5, 2.0, 10.0]


def objectives(model, y):
    """Return the objective of each problem of a model, by its definition."""
    out = []
    positives = model.classes_[1:] if len(model.classes_) == 2 else model.classes_
    for label, w, b in zip(positives, model.coef_, model.intercept_, strict=True):
        losses = np.logaddexp(0.0, -np.where(y == label, 1.0, -1.0) * (X @ w + b))
        norms = np.linalg.norm(w.reshape(-1, 3), axis=1)
        out.append(model.C * losses.sum() + np.sqrt(3.0) * norms.sum())
    return np.array(out)


@pytest.mark.parametrize("y", [TWO, THREE], ids=["two", "three"])
@pytest.mark.parametrize("tol", [1e-3, 1e-9])
def test_points_of_a_path_are_single_fits_within_their_certificates(y, tol) -> None:
    Cs, coefs, intercepts, gaps, counts = group_logistic_path(
        X, y, 3, Cs=8, eps=1e-2, tol=tol, return_n_iter=True
    )
    rows = 1 if y is TWO else 3
    assert coefs.shape == ((12, 8) if y is TWO else (3, 12, 8))
    assert np.asarray(counts).shape == gaps.shape == intercepts.shape == (*coefs.shape[:-2], 8)
    for k, C in enumerate(Cs):
        single = GroupLogisticRegression(3, C, tol=tol).fit(X, y)
        best = objectives(single, y)
        single.coef_ = coefs[..., k].reshape(rows, 12)
        single.intercept_ = intercepts[..., k].reshape(rows)
        point, gap = objectives(single, y), gaps[..., k].reshape(rows)
        target = np.array([each.target for each in np.ravel(single.certificate_)])
        assert (gap <= target * (1.0 + 1e-9)).all()
        assert (np.abs(point - best) <= gap + single.dual_gap_ + 1e-12 * best).all()


@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["plain", "weighted"])
def test_the_smallest_useful_C(weight) -> None:
    Cs, coefs, _, _ = group_logistic_path(X, TWO, 3, Cs=4, sample_weight=weight)
    s = np.ones(90) if weight is None else weight
    positive = TWO == "yes"
    pull = X.T @ (s * (positive - np.average(positive, weights=s)))
    largest = np.linalg.norm(pull.reshape(-1, 3), axis=1).max() / np.sqrt(3.0)
    assert Cs[0] == pytest.approx(1.0 / largest)
    assert Cs[-1] == pytest.approx(1e3 / largest)
    assert not coefs[:, 0].any()
    below = group_logistic_path(X, TWO, 3, Cs=[1.001 * Cs[0], 0.5 * Cs[0]], sample_weight=weight)
    assert list(below[1].any(axis=0)) == [False, True]  # from small to large


def test_tables_of_a_path() -> None:
    path = group_logistic_path(X, TWO, 3, Cs=6, class_weight="balanced", weights=[2, 1, 1, np.inf])
    table = path.table()
    assert table.features[0] == 0
    assert (table.explained[1:] > table.explained[:-1]).all()
    assert not path.coefs[9:].any()
    assert (table.gaps <= 1e-4).all()
    plain = group_logistic_path(
        sparse.csr_matrix(X), TWO, 3, Cs=path.penalties, fit_intercept=False
    )
    assert not plain.intercepts.any()


def part(weight, rows):
    return None if weight is None else weight[rows]


@pytest.mark.parametrize("scoring", [None, "neg_log_loss"])
@pytest.mark.parametrize("y", [TWO, THREE], ids=["two", "three"])
@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["plain", "weighted"])
def test_the_choice_is_that_of_fits_one_by_one(scoring, y, weight) -> None:
    options = {"groups": 3, "tol": 1e-10, "class_weight": {y[0]: 2.0}}
    model = GroupLogisticRegressionCV(**options, Cs=CS[::-1], cv=4, scoring=scoring)
    model.fit(X, y, sample_weight=weight)
    scorer, scores = get_scorer(scoring or "accuracy"), np.empty((4, len(CS)))
    for k, (train, test) in enumerate(StratifiedKFold(4).split(X, y)):
        for j, C in enumerate(CS):
            fit = GroupLogisticRegression(C=C, **options)
            fit.fit(X[train], y[train], sample_weight=part(weight, train))
            scores[k, j] = scorer(fit, X[test], y[test], sample_weight=part(weight, test))
    np.testing.assert_array_equal(model.Cs_, CS)
    np.testing.assert_allclose(model.scores_, scores, rtol=1e-6)
    assert int(np.argmax(scores.mean(axis=0))) == CS.index(model.C_)
    refit = GroupLogisticRegression(C=model.C_, **options).fit(X, y, sample_weight=weight)
    np.testing.assert_array_equal(model.coef_, refit.coef_)
    np.testing.assert_array_equal(model.intercept_, refit.intercept_)
    assert all(certificate.converged for certificate in np.ravel(model.certificate_))
    assert model.n_iter_.shape == model.dual_gap_.shape == (len(model.coef_),)
    expected = scorer(refit, X, y, sample_weight=weight)
    assert model.score(X, y, sample_weight=weight) == pytest.approx(expected)


def test_an_automatic_grid_is_that_of_the_path() -> None:
    model = GroupLogisticRegressionCV(3, Cs=7, eps=0.05, cv=3).fit(X, THREE)
    np.testing.assert_array_equal(model.Cs_, group_logistic_path(X, THREE, 3, Cs=7, eps=0.05)[0])
    assert model.scores_.shape == (3, 7)
    assert model.coefs_paths_.shape == (3, 7, 3, 13)
    plain = GroupLogisticRegressionCV(3, Cs=2, cv=3, fit_intercept=False).fit(X, TWO)
    assert plain.coefs_paths_.shape == (3, 2, 1, 12)


def test_of_equal_scores_the_smallest_C_is_taken() -> None:
    model = GroupLogisticRegressionCV(3, Cs=CS, cv=3, scoring=lambda *_: 1.0).fit(X, TWO)
    assert CS.index(model.C_) == 0
    small = GroupLogisticRegressionCV(3, Cs=[1e-6], cv=3).fit(X, TWO)
    assert not small.coef_.any()


def test_folds_side_by_side_and_by_groups_of_samples() -> None:
    options = {"groups": 3, "Cs": 4, "cv": GroupKFold(3)}
    fits = [
        GroupLogisticRegressionCV(**options, n_jobs=jobs).fit(X, THREE, groups=np.arange(90) % 6)
        for jobs in (None, 2)
    ]
    np.testing.assert_array_equal(fits[0].scores_, fits[1].scores_)
    np.testing.assert_array_equal(fits[0].coef_, fits[1].coef_)


def test_fits_that_end_early_are_told() -> None:
    wide = rng.standard_normal((60, 120))
    labels = wide[:, 0] > 0.0
    with pytest.warns(ConvergenceWarning):
        GroupLogisticRegressionCV(3, Cs=[10.0], cv=2, max_iter=1, tol=1e-12).fit(wide, labels)
    with pytest.warns(ConvergenceWarning):
        group_logistic_path(wide, labels, 3, Cs=[10.0], max_iter=1, tol=1e-12)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ({"Cs": []}, "Cs is empty"),
        ({"Cs": [1.0, 0.0]}, r"Cs\[1\] is 0.0"),
        ({"eps": 0.0}, "eps is 0.0"),
        ({"groups": 5}, "must divide"),
        ({"tol": -1.0}, "tol is -1.0"),
    ],
)
def test_words_that_are_none(words, sentence) -> None:
    with pytest.raises(ValueError, match=sentence):
        GroupLogisticRegressionCV(**words).fit(X, TWO)
    with pytest.raises(ValueError, match=sentence):
        group_logistic_path(X, TWO, **words)


def test_what_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match=r"Unexpected parameters: C\. Known: class_weight"):
        group_logistic_path(X, TWO, 3, C=1.0)
    with pytest.raises(ValueError, match="scoring"):
        GroupLogisticRegressionCV(scoring="nothing").fit(X, TWO)
    monkeypatch.setattr(kinds, "MEMORY_SHARE", 0.0)
    mapped = np.memmap(tmp_path / "X", dtype=float, mode="w+", shape=X.shape)
    for fit in (GroupLogisticRegressionCV(3).fit, group_logistic_path):
        with pytest.raises(
            TypeError, match=r"fits data in memory only, and X is of type numpy\.memmap"
        ):
            fit(mapped, TWO)


def test_pictures() -> None:
    pytest.importorskip("matplotlib").use("Agg")
    model = GroupLogisticRegressionCV(3, Cs=5, cv=3).fit(X, TWO)
    scores = CVDisplay.from_estimator(model)
    np.testing.assert_array_equal(scores.errors, model.scores_.T)
    assert scores.alpha == pytest.approx(1.0 / model.C_)
    assert scores.ax_.get_ylabel() == "test accuracy"
    path = PathDisplay.from_estimator(model)
    assert path.coefs.shape == (12, 5)
    assert path.title == "mean of 3 folds"


def test_the_command_line_searches(tmp_path: Path, capsys) -> None:
    file = tmp_path / "data.npz"
    np.savez(file, X=X, y=(TWO == "yes").astype(float))
    words = ["fit", str(file), "--model", "grouplogistic", "--groups", "3", "--cv", "3", "--quiet"]
    assert main(words) == 0
    told = capsys.readouterr().out
    model = GroupLogisticRegressionCV(3, cv=3).fit(X, TWO)
    best = model.scores_.mean(axis=0).max()
    assert f"Group logistic regression, C = {model.C_:.6g}" in told
    assert f"Cross-validation (3 folds): accuracy {best:.5g}" in told


def test_one_standard_error_takes_the_smallest_C_within_it() -> None:
    search = GroupLogisticRegressionCV(3, Cs=12, cv=4, scoring="neg_log_loss", select_C="1se")
    search.fit(X, TWO)
    mean = search.scores_.mean(axis=0)
    limit = mean.max() - search.scores_[:, mean.argmax()].std(ddof=1) / 2.0
    assert search.C_ == search.Cs_[mean >= limit].min() < search.Cs_[mean.argmax()]
    with pytest.raises(ValueError, match="select_C is 'min'"):
        GroupLogisticRegressionCV(select_C="min").fit(X, TWO)
