"""Cross-validation: folds, candidates, scores and the choice among them."""
