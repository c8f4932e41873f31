"""Several coordinates per step, for a given budget: the question the paper ends with."""
