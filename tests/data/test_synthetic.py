"""Generated sets: shape, density, seeds, and labels that say what they are."""

import numpy as np
import pytest

from banditcd.data.synthetic import NAMES, synthetic

SMALL = {"tall": (400, 30), "wide": (40, 300), "gene": (30, 400), "text": (300, 800)}


def dense(X):
    return X if isinstance(X, np.ndarray) else X.toarray()


@pytest.fixture(scope="module")
def stand_ins():
    """Generate both stand-ins once."""
    return {name: synthetic(name) for name in ("aloi", "protein")}


@pytest.mark.parametrize(
    ("name", "shape", "density", "classes"),
    [("aloi", (108_000, 128), 0.24, 1000), ("protein", (17_766, 357), 0.29, 3)],
)
def test_stand_ins_have_the_shape_of_the_real_set(name, shape, density, classes, stand_ins):
    dataset = stand_ins[name]
    assert dataset.X.shape == shape
    assert dataset.is_sparse
    assert dataset.density == pytest.approx(density, abs=0.01)
    np.testing.assert_array_equal(dataset.classes, np.arange(classes))
    assert (dataset.task, dataset.stand_in) == ("multiclass", True)
    assert dataset.name == dataset.title == f"{name} (stand-in)"
    assert "not its data" in dataset.source


@pytest.mark.parametrize("name", ["aloi", "protein"])
def test_stand_ins_have_a_decaying_full_spectrum(name, stand_ins):
    X = stand_ins[name].X[::7]
    gram = (X.T @ X).toarray()
    spectrum = np.linalg.eigvalsh(gram)[::-1] / np.trace(gram)
    assert 0.05 < spectrum[0] < 0.6  # one strong common direction, as nonnegative data have
    assert spectrum[10] < 0.4 * spectrum[1]
    assert spectrum[len(spectrum) // 2] > 1e-5  # but no low-rank matrix


def test_protein_rows_share_windows_with_their_neighbors(stand_ins):
    X = stand_ins["protein"].X[:20].toarray()
    np.testing.assert_array_equal(X[1:, : 16 * 21], X[:-1, 21:])
    assert X[0, 20] == 1.0  # before the start of the chain


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("task", ["regression", "binary"])
def test_designs_follow_their_options_and_seed(name, task):
    rows, columns = SMALL[name]
    options = {"rows": rows, "columns": columns, "task": task}
    first = synthetic(name, seed=3, **options)
    again = synthetic(name, seed=3, **options)
    other = synthetic(name, seed=4, **options)
    assert first.X.shape == (rows, columns)
    np.testing.assert_array_equal(dense(first.X), dense(again.X))
    np.testing.assert_array_equal(first.y, again.y)
    assert not np.array_equal(dense(first.X), dense(other.X))
    assert (first.task, first.stand_in, first.source) == (task, False, "generated")
    if task == "binary":
        np.testing.assert_array_equal(first.classes, [-1.0, 1.0])


def test_autoregressive_columns_have_the_promised_correlation():
    X = synthetic("tall", rows=40_000, columns=6, rho=0.7).X
    expected = 0.7 ** np.abs(np.subtract.outer(np.arange(6), np.arange(6)))
    np.testing.assert_allclose(np.corrcoef(X.T), expected, atol=0.02)


def test_text_rows_are_unit_sparse_and_power_law():
    X = synthetic("text", rows=2000, columns=5000).X
    X.check_format(full_check=True)
    assert X.has_canonical_format
    np.testing.assert_allclose(np.sqrt(X.multiply(X).sum(axis=1)), 1.0)
    often = np.sort(np.bincount(X.indices, minlength=5000))[::-1]
    assert often[0] > 20 * often[500] > 0


def test_scattered_entries_fill_the_columns_evenly():
    X = synthetic("scattered", rows=4000, columns=300, density=0.02).X
    X.check_format(full_check=True)
    assert X.has_canonical_format
    often = np.bincount(X.indices, minlength=300)
    assert 0.5 * often.mean() < often.min() <= often.max() < 2.0 * often.mean()
    assert X.nnz / (4000 * 300) == pytest.approx(0.02, rel=0.05)


def test_gene_columns_are_standardized_and_correlated():
    X = synthetic("gene", rows=100, columns=500).X
    np.testing.assert_allclose(X.mean(axis=0), 0.0, atol=1e-12)
    np.testing.assert_allclose(X.std(axis=0), 1.0)
    assert np.linalg.eigvalsh(X @ X.T)[-1] > 5 * X.size / 100


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("tal", {}, "Unknown synthetic data set 'tal'. Did you mean 'tall'"),
        ("tall", {"rhoo": 1}, "has no option 'rhoo'; it has: rows, columns, rho, task"),
        ("aloi", {"rows": 5}, "has no option 'rows'; it has: none"),
        ("tall", {"rho": 1.0}, "rho is 1.0; it must be between -1 and 1"),
        ("tall", {"rows": 1}, "rows is 1; it must be a whole number from 2 on"),
        ("tall", {"rows": 2.5}, "rows is 2.5; it must be"),
        ("text", {"words": -1.0}, "words"),
        ("scattered", {"density": 0.0}, "density"),
        ("wide", {"task": "multiclass"}, "must be 'regression' or 'binary'"),
        ("wide", {"seed": -1}, "seed is -1"),
    ],
)
def test_wrong_options_are_refused(name, options, message):
    with pytest.raises(ValueError, match=message):
        synthetic(name, **options)


def test_names_are_complete():
    assert set(NAMES) == {"aloi", "protein", "tall", "wide", "gene", "text", "scattered"}
