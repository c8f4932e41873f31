import contextlib
import json
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import sparse
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.multiclass import OneVsRestClassifier
from sklearn.svm import LinearSVC, LinearSVR

from banditcd.cli.linear import LinearModel, from_estimator
from banditcd.cli.model_file import read_model, write_model


def data(classes: int, seed: int = 0) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((60, 5)) * (rng.random((60, 5)) < 0.6)
    score = X @ rng.standard_normal(5) + 0.3 * rng.standard_normal(60)
    if classes == 0:
        return X, score
    edges = np.quantile(score, np.linspace(0, 1, classes + 1)[1:-1])
    return X, np.digitize(score, edges) * 3.0 - 1.0


MODELS = [
    ("lasso", LinearRegression(), 0),
    ("svr", LinearSVR(), 0),
    ("svm", LinearSVC(), 2),
    ("svm", LinearSVC(fit_intercept=False), 3),
    ("logistic", LogisticRegression(), 2),
]


@pytest.mark.parametrize("ending", [".json", ".npz", ""])
@pytest.mark.parametrize(("kind", "estimator", "classes"), MODELS)
def test_a_model_comes_back_and_predicts_as_its_estimator(
    tmp_path: Path, kind: str, estimator: Any, classes: int, ending: str
) -> None:
    X, y = data(classes)
    estimator.fit(X, y)
    names = tuple("abcde")
    written = from_estimator(kind, estimator, names, {"certificates": [{"gap": np.inf}]})
    write_model(written, tmp_path / f"model{ending}")
    model = read_model(tmp_path / f"model{ending}")
    assert (model.kind, model.feature_names, model.n_features) == (kind, names, 5)
    assert model.facts["certificates"] == [{"gap": None}]
    for form in (np.asarray, sparse.csr_matrix, sparse.csc_matrix):
        np.testing.assert_allclose(model.predict(form(X)), estimator.predict(X), rtol=1e-12)
    np.testing.assert_array_equal(model.coef.toarray(), np.atleast_2d(estimator.coef_))
    if kind == "logistic":
        np.testing.assert_allclose(model.probabilities(X), estimator.predict_proba(X), rtol=1e-9)
    measures = model.evaluate(X, y)
    assert measures["accuracy" if classes else "r2"] == pytest.approx(estimator.score(X, y))


def test_several_classes_have_the_probabilities_of_one_against_the_rest() -> None:
    X, y = data(3)
    oracle = OneVsRestClassifier(LogisticRegression()).fit(X, y)
    coef = np.vstack([one.coef_ for one in oracle.estimators_])
    intercept = np.concatenate([one.intercept_ for one in oracle.estimators_])
    model = LinearModel("logistic", sparse.csr_matrix(coef), intercept, oracle.classes_)
    np.testing.assert_allclose(model.probabilities(X), oracle.predict_proba(X), rtol=1e-9)
    np.testing.assert_array_equal(model.predict(X), oracle.predict(X))


def valid(tmp_path: Path, name: str = "m.json") -> Path:
    X, y = data(2)
    write_model(from_estimator("svm", LinearSVC().fit(X, y), (), {}), tmp_path / name)
    return tmp_path / name


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": "other"}, '"format"'),
        ({"version": 3}, "version 3 and this banditcd reads versions 1 and 2"),
        ({"model": "forest"}, "'forest'"),
        ({"n_features": 3}, "outside 0..2"),
        ({"n_features": 5.5}, "whole number"),
        ({"classes": None}, "do not fit a svm model"),
        ({"classes": [1.0, 1.0]}, "ascending"),
        ({"classes": [1.0, 2.0, 3.0]}, "3 row"),
        ({"intercept": [1.0, 2.0]}, "1 row"),
        ({"intercept": [None]}, "not finite"),
        ({"feature_names": ["a"]}, "1 feature_names and 5 features"),
        ({"coef": [{"indices": [0], "values": [1.0, 2.0]}]}, "as many values as indices"),
        ({"coef": [{"indices": [1, 0], "values": [1.0, 2.0]}]}, "ascend"),
        ({"coef": [{"indices": [-1], "values": [1.0]}]}, "outside"),
        ({"coef": [{"indices": [0.5], "values": [1.0]}]}, "whole numbers"),
        ({"coef": [{"indices": [0], "values": [1e999]}]}, "not finite"),
        ({"coef": [{"values": [1.0]}]}, "it has no 'indices'"),
        ({"coef": []}, "1 row"),
    ],
)
def test_what_is_no_model_is_explained(
    tmp_path: Path, change: dict[str, Any], message: str
) -> None:
    file = valid(tmp_path)
    file.write_text(json.dumps({**json.loads(file.read_text("utf-8")), **change}))
    with pytest.raises(ValueError, match="is not a model that this version can read") as caught:
        read_model(file)
    assert message in str(caught.value)


def test_what_is_left_out_is_named(tmp_path: Path) -> None:
    for left_out in ("coef", "intercept", "n_features", "classes"):
        file = valid(tmp_path)
        header = json.loads(file.read_text("utf-8"))
        del header[left_out]
        file.write_text(json.dumps(header))
        with pytest.raises(ValueError, match=f"can read: it has no '{left_out}'"):
            read_model(file)


def test_files_of_another_kind_are_explained(tmp_path: Path) -> None:
    cases: list[tuple[str, bytes]] = [
        ("a.json", b"\xff\xfe"),
        ("b.json", b"{"),
        ("c.json", b"[]"),
        ("d.json", b"[" * 100_000),
        ("e.npz", b"PK no"),
        ("f.npz", pickle.dumps([1])),
    ]
    for name, content in cases:
        (tmp_path / name).write_bytes(content)
        with pytest.raises(ValueError, match="is not a model that this version can read"):
            read_model(tmp_path / name)
    with pytest.raises(FileNotFoundError, match="There is no model file"):
        read_model(tmp_path / "absent.json")


def test_objects_in_an_array_file_are_never_run(tmp_path: Path) -> None:
    ran = tmp_path / "ran"

    class Trap:
        def __reduce__(self) -> tuple[Any, ...]:
            return (Path.touch, (ran,))

    with np.load(valid(tmp_path, "m.npz")) as file:
        arrays = {name: file[name] for name in file.files}
    np.savez(tmp_path / "trap.npz", **{**arrays, "header": np.array(Trap(), dtype=object)})
    with pytest.raises(ValueError, match="is not a model"):
        read_model(tmp_path / "trap.npz")
    assert not ran.exists()


@pytest.mark.parametrize("suffix", [".json", ".npz"])
def test_flipped_bytes_end_in_a_sentence(tmp_path: Path, suffix: str) -> None:
    X, y = data(0)
    path = tmp_path / f"model{suffix}"
    write_model(from_estimator("lasso", LinearRegression().fit(X, y), tuple("abcde"), {}), path)
    whole = path.read_bytes()
    for seed in range(200):
        rng = np.random.default_rng(seed)
        content = bytearray(whole)
        for _ in range(1 + seed % 3):
            content[int(rng.integers(len(content)))] ^= int(rng.integers(1, 256))
        path.write_bytes(content)
        with contextlib.suppress(ValueError):  # a sentence; anything else fails the test
            assert np.isfinite(read_model(path).coef.data).all()


def test_a_multinomial_model_says_so_and_older_files_are_one_against_the_rest(tmp_path):
    coef = sparse.csr_matrix(np.array([[1.0], [0.0], [-1.0]]))
    model = LinearModel("logistic", coef, np.zeros(3), np.arange(3.0), multinomial=True)
    X = np.array([[0.5], [-2.0]])
    file = tmp_path / "model.json"
    write_model(model, file)
    again = read_model(file)
    assert again.multinomial
    scores = np.exp(X * [[1.0, 0.0, -1.0]])
    expected = scores / scores.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(again.probabilities(X), expected)
    header = json.loads(file.read_text())
    del header["multi_class"]
    file.write_text(json.dumps(header))
    assert not read_model(file).multinomial
    header["multi_class"] = "crammer"
    file.write_text(json.dumps(header))
    with pytest.raises(ValueError, match="multi_class is 'crammer'"):
        read_model(file)
