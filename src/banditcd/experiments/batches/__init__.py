"""What to do with budget for several coordinates per step: the question the paper ends with."""
