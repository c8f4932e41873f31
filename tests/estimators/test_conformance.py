"""scikit-learn's own checks, nothing declared as an expected failure."""

from sklearn.utils.estimator_checks import parametrize_with_checks

from banditcd import ElasticNet, ElasticNetCV, Lasso, LassoCV


@parametrize_with_checks([Lasso(), ElasticNet(), LassoCV(), ElasticNetCV()])
def test_scikit_learn_checks(estimator, check):
    check(estimator)
