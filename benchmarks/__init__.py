"""Benchmarks: run from the root of the project, as in ``python -m benchmarks.lasso --help``."""
