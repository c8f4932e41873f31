"""
Watching a bandit learn
=======================

``b_max_r`` is the rule of the paper: it keeps an estimate of what each coordinate would gain, and
mostly plays the best. Around a selector, ``Watched`` keeps every choice.
"""

import matplotlib.pyplot as plt
import numpy as np

from banditcd import minimize, problems, selectors

rng = np.random.default_rng(1)
X = rng.standard_normal((150, 60))
y = X[:, :6] @ [3.0, -2.0, 1.5, 1.0, -0.7, 0.5] + 0.3 * rng.standard_normal(150)
problem = problems.Lasso(X, y, alpha=0.05)
run = minimize(problem, selectors.Watched(selectors.make("b_max_r")), tol=1e-9, random_state=0)

# %%
# How often each coordinate was chosen, as the run goes on. The first six are real.

frames = run.picks.frames(most=30, rows=60)
table = np.zeros((60, len(frames.pool)))
table[frames.groups] = frames.rate.T[: len(frames.groups)]
figure, axes = plt.subplots(figsize=(7, 4))
shown = axes.imshow(table, aspect="auto", cmap="magma", interpolation="nearest", vmax=8)
axes.set(xlabel="time", ylabel="coordinate", title="Choices, in units of a uniform rule's")
figure.colorbar(shown)
plt.show()
