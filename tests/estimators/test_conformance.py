"""scikit-learn's own checks, nothing declared as an expected failure."""

from sklearn.utils.estimator_checks import parametrize_with_checks

from banditcd import (
    ElasticNet,
    ElasticNetCV,
    Lasso,
    LassoCV,
    LinearSVC,
    LogisticRegression,
    LogisticRegressionCV,
    Ridge,
    RidgeCV,
)

ESTIMATORS = [
    Lasso(),
    ElasticNet(),
    LassoCV(),
    ElasticNetCV(),
    LogisticRegression(),
    LogisticRegression(l1_ratio=1.0),
    LogisticRegressionCV(cv=3),  # one check has classes of three samples
    LinearSVC(),
    LinearSVC(loss="hinge"),
    LinearSVC(penalize_intercept=False),
    Ridge(),
    RidgeCV(),
    RidgeCV(cv=3),
]


@parametrize_with_checks(ESTIMATORS)
def test_scikit_learn_checks(estimator, check):
    check(estimator)
