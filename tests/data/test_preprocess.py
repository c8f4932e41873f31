"""Every preprocessing step: what it promises, on dense and on sparse matrices."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse

from banditcd.data.dataset import Dataset, guess_task
from banditcd.data.preprocess import STEPS, apply, parse_step

BOTH = ["unit_columns", "unit_rows", "unit_variance", "scale01"]


@pytest.fixture(params=["dense", "sparse"])
def dataset(request):
    """Return ten rows with an empty column, a constant one, an empty row and negative entries."""
    rng = np.random.default_rng(0)
    X = np.where(rng.random((10, 6)) < 0.5, rng.normal(size=(10, 6)) + 0.5, 0.0)
    X[:, 2] = 0.0
    X[:, 4] = np.abs(X[:, 4])
    X[3] = 0.0
    y = np.array([1, 2, 3, 4, 5, 1, 2, 3, 4, 5.0])
    matrix = sparse.csr_matrix(X) if request.param == "sparse" else X
    return Dataset("ten", matrix, y, "multiclass")


def dense(dataset):
    return dataset.X.toarray() if dataset.is_sparse else dataset.X


def test_unit_columns(dataset):
    norms = np.linalg.norm(dense(apply(dataset, ["unit_columns"])), axis=0)
    np.testing.assert_allclose(norms, [1, 1, 0, 1, 1, 1])


def test_unit_rows(dataset):
    norms = np.linalg.norm(dense(apply(dataset, ["unit_rows"])), axis=1)
    np.testing.assert_allclose(norms, [1, 1, 1, 0, 1, 1, 1, 1, 1, 1])


def test_unit_variance(dataset):
    result = dense(apply(dataset, ["unit_variance"]))
    np.testing.assert_allclose(result.std(axis=0), [1, 1, 0, 1, 1, 1])
    np.testing.assert_array_equal(result == 0.0, dense(dataset) == 0.0)


def test_scale01(dataset):
    result = dense(apply(dataset, ["scale01"]))
    X = dense(dataset)
    width = np.ptp(X, axis=0)
    expected = (X - X.min(axis=0)) / np.where(width > 0, width, 1.0)
    np.testing.assert_allclose(result, expected, atol=1e-15)
    np.testing.assert_array_equal(result.max(axis=0), [1, 1, 0, 1, 1, 1])
    np.testing.assert_array_equal(result.min(axis=0), 0.0)


def test_scale01_of_a_full_column_drops_its_minimum():
    X = sparse.csr_matrix(np.array([[3.0, 0.0], [4.0, 0.0], [5.0, -2.0]]))
    result = apply(Dataset("three", X, np.zeros(3), "regression"), ["scale01"])
    np.testing.assert_allclose(result.X.toarray(), [[0, 1], [0.5, 1], [1, 0]])
    assert result.X.nnz == 4
    result.X.check_format(full_check=True)


def test_standardize_is_for_dense_matrices(dataset):
    if dataset.is_sparse:
        with pytest.raises(ValueError, match="would fill the sparse matrix of ten; use 'unit_var"):
            apply(dataset, ["standardize"])
        return
    dataset.X[:, 2] = 0.1  # constant, and not exact in its mean
    result = apply(dataset, ["standardize"]).X
    np.testing.assert_allclose(result.mean(axis=0), 0.0, atol=1e-15)
    np.testing.assert_allclose(result.std(axis=0), [1, 1, 0, 1, 1, 1])


def test_log1p(dataset):
    positive = apply(dataset, ["scale01"])
    np.testing.assert_allclose(dense(apply(positive, ["log1p"])), np.log1p(dense(positive)))
    lowered = replace(dataset, X=dataset.X * 0.0 - 1.0 if not dataset.is_sparse else -dataset.X * 9)
    with pytest.raises(ValueError, match="'log1p' needs entries above -1, but ten has -"):
        apply(lowered, ["log1p"])


@pytest.mark.parametrize("step", BOTH)
def test_steps_keep_storage_input_and_labels(step, dataset):
    before = dense(dataset).copy()
    if dataset.is_sparse:  # as from the cache
        dataset.X.data.flags.writeable = False
    else:
        dataset.X.flags.writeable = False
    result = apply(dataset, [step])
    assert result.is_sparse == dataset.is_sparse
    np.testing.assert_array_equal(dense(dataset), before)
    np.testing.assert_array_equal(result.y, dataset.y)
    if result.is_sparse:
        result.X.check_format(full_check=True)
        assert result.X.has_canonical_format


def test_labels(dataset):
    assert apply(dataset, ["numeric_labels"]).task == "regression"
    centered = apply(dataset, ["center_labels"])
    assert (centered.task, centered.y.mean()) == ("regression", 0.0)
    third = apply(dataset, ["binary_labels(positive=3)"])
    assert third.task == "binary"
    np.testing.assert_array_equal(third.y, np.where(dataset.y == 3, 1.0, -1.0))
    halves = apply(dataset, ["halved_classes"])  # three classes against two
    np.testing.assert_array_equal(halves.y, np.where(dataset.y >= 4, 1.0, -1.0))
    np.testing.assert_array_equal(apply(halves, ["binary_labels"]).y, halves.y)


def test_wrong_labels(dataset):
    with pytest.raises(ValueError, match=r"5 different labels; name the positive one.*positive=5"):
        apply(dataset, ["binary_labels"])
    with pytest.raises(ValueError, match="has no label 7; its labels are 1, 2, 3, 4, 5"):
        apply(dataset, ["binary_labels(positive=7)"])
    single = replace(dataset, y=np.ones(10))
    for step in ("binary_labels(positive=1)", "halved_classes"):
        with pytest.raises(ValueError, match="one label only"):
            apply(single, [step])


def test_sample_rows(dataset):
    some = apply(dataset, ["sample_rows(rows=4, seed=2)"])
    assert some.rows == len(some.y) == 4
    np.testing.assert_array_equal(
        dense(some), dense(apply(dataset, ["sample_rows(rows=4, seed=2)"]))
    )
    assert apply(dataset, ["sample_rows(rows=40)"]).rows == 10
    with pytest.raises(ValueError, match="whole number from 1 on"):
        apply(dataset, ["sample_rows(rows=0)"])


def test_steps_are_recorded_and_can_be_repeated(dataset):
    steps = ["unit_rows", "binary_labels(positive=2)", "unit_columns"]
    result = apply(apply(dataset, steps[:1]), steps[1:])
    assert result.steps == tuple(steps)
    again = apply(dataset, result.steps)
    np.testing.assert_array_equal(dense(again), dense(result))
    np.testing.assert_array_equal(again.y, result.y)


@pytest.mark.parametrize(
    ("step", "message"),
    [
        ("unit_colums", "Unknown preprocessing step 'unit_colums'. Did you mean 'unit_columns'"),
        ("unit_rows(norm=1)", "has no argument 'norm'; it has: none"),
        ("sample_rows", r"needs its argument 'rows', as in 'sample_rows\(rows=...\)'"),
        ("binary_labels(3)", "cannot be read"),
        ("binary_labels(positive=", "cannot be read"),
        ("binary_labels(positive=open('x'))", "cannot be read"),
        ("binary_labels(**{})", "cannot be read"),
    ],
)
def test_unreadable_steps_fail_before_any_work(step, message, dataset, monkeypatch):
    def fail(dataset):
        raise AssertionError("a step was taken")

    monkeypatch.setitem(STEPS, "unit_rows", fail)
    with pytest.raises(ValueError, match=message):
        apply(dataset, ["unit_rows", step])


def test_a_string_is_not_a_list_of_steps(dataset):
    with pytest.raises(TypeError, match="give a list of steps"):
        apply(dataset, "unit_rows")


def test_every_step_is_documented_and_named_after_its_function():
    for name in STEPS:
        text = name if name != "sample_rows" else "sample_rows(rows=1)"
        step, _ = parse_step(text)
        assert step.__name__ == name
        assert step.__doc__


@pytest.mark.parametrize(
    ("y", "task"),
    [
        ([0, 1, 1], "binary"),
        ([0.5, 1.5], "binary"),
        ([1, 2, 3, 3], "multiclass"),
        ([0.5, 1.5, 2], "regression"),
        (np.arange(100), "regression"),
    ],
)
def test_the_task_of_a_file_is_guessed_from_its_labels(y, task):
    assert guess_task(np.asarray(y, dtype=float)) == task
