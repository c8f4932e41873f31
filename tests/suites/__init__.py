"""Tests of scikit-learn, celer and skglm, run with our estimators in the place of theirs."""
