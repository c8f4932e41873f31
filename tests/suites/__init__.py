"""scikit-learn's own tests, run with our estimators in the place of theirs."""
