"""scikit-learn's own checks, nothing declared as an expected failure."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from banditcd import (
    ElasticNet,
    ElasticNetCV,
    GroupLasso,
    GroupLassoCV,
    GroupLogisticRegression,
    GroupLogisticRegressionCV,
    Lasso,
    LassoCV,
    LinearSVC,
    LinearSVR,
    LogisticRegression,
    LogisticRegressionCV,
    MultiTaskElasticNet,
    MultiTaskElasticNetCV,
    MultiTaskLasso,
    MultiTaskLassoCV,
    Ridge,
    RidgeClassifier,
    RidgeClassifierCV,
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
    LinearSVR(),
    LinearSVR(loss="squared_epsilon_insensitive"),
    LinearSVR(penalize_intercept=False),
    Ridge(),
    RidgeCV(),
    RidgeCV(cv=3),
    RidgeClassifier(),
    RidgeClassifierCV(),
    RidgeClassifierCV(cv=3),
    MultiTaskLasso(),
    MultiTaskElasticNet(),
    MultiTaskLassoCV(alphas=20),
    MultiTaskElasticNetCV(alphas=20),
    GroupLasso(),
    GroupLassoCV(alphas=20),
    GroupLogisticRegression(),
    # Three folds as above. With a larger C a probability in float32 is 1 where predict_log_proba is
    # below 0, as of any other logistic model here: the check compares it with the log of 1.
    GroupLogisticRegressionCV(cv=3, Cs=[0.1, 1.0]),
]

# scikit-learn < 1.8 hands pytest a generator, which pytest >= 9 warns about: a list is the same.
CHECKS = parametrize_with_checks(ESTIMATORS)


@pytest.mark.parametrize(CHECKS.args[0], list(CHECKS.args[1]), **CHECKS.kwargs)
def test_scikit_learn_checks(estimator, check):
    check(estimator)
