"""What comes back has the type of what went in."""

import numpy as np
import pytest
from scipy import sparse
from sklearn import svm

from banditcd import Lasso, LinearSVC, LogisticRegression

rng = np.random.default_rng(0)
X = rng.normal(size=(40, 4))
WORDS = np.where(X[:, 0] > 0.0, "yes", "no")


def test_words_stay_objects_if_they_were():
    model = LogisticRegression().fit(X, WORDS.astype(object))
    assert model.classes_.dtype == model.predict(X).dtype == object
    assert LogisticRegression().fit(X, WORDS).classes_.dtype == WORDS.dtype


def test_sparse_coefficients_of_a_sparse_model():
    model = LogisticRegression(l1_ratio=1.0, C=0.1).fit(X, WORDS)
    dense = model.coef_.copy()
    assert sparse.issparse(model.sparsify().sparse_coef_)
    np.testing.assert_array_equal(model.sparse_coef_.toarray(), dense)


def test_names_of_an_earlier_fit_are_forgotten():
    model = Lasso(0.1)
    model.fit(X, X[:, 0])
    model.feature_names_in_ = np.array(["a", "b", "c", "d"], dtype=object)
    model.fit(np.asfortranarray(X[:, :3]), X[:, 0], check_input=False)
    assert not hasattr(model, "feature_names_in_")


@pytest.mark.parametrize("classes", [2, 3])
def test_no_intercept_of_a_support_vector_machine_is_a_number(classes):
    """In scikit-learn it is 0.0, however many classes there are."""
    y = np.arange(40) % classes
    model, theirs = LinearSVC(fit_intercept=False).fit(X, y), svm.LinearSVC(fit_intercept=False)
    assert type(model.intercept_) is type(theirs.fit(X, y).intercept_) is float
    np.testing.assert_array_equal(model.decision_function(X), np.squeeze(X @ model.coef_.T))
