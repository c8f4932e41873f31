"""The solvers behind the estimators: one problem each, solved for one penalty after another."""
