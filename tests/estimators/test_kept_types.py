"""What comes back has the type of what went in."""

import numpy as np
from scipy import sparse

from banditcd import Lasso, LogisticRegression

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
