"""scikit-learn's own checks, nothing declared as an expected failure."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from banditcd import ElasticNet, ElasticNetCV, Lasso, LassoCV

# scikit-learn < 1.8 hands pytest a generator, which pytest >= 9 warns about: a list is the same.
CHECKS = parametrize_with_checks([Lasso(), ElasticNet(), LassoCV(), ElasticNetCV()])


@pytest.mark.parametrize(CHECKS.args[0], list(CHECKS.args[1]), **CHECKS.kwargs)
def test_scikit_learn_checks(estimator, check):
    check(estimator)
