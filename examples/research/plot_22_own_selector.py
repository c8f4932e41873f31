"""
Your own selector
=================

A rule is an object with two methods, and a third if it learns. It runs with every cost, stops with
the same certificate, and can be raced against the rest.
"""

import matplotlib.pyplot as plt
import numpy as np

from banditcd import minimize, problems


class Optimist:
    """Play the coordinate whose last gain, divided by its age, is largest."""

    def start(self, problem, rng):
        """Every coordinate is tried once."""
        self.gain = np.full(problem.d, np.inf)
        self.seen = np.zeros(problem.d)

    def next(self, state):
        """Return the best guess."""
        return int(np.argmax(self.gain * (1.0 + state.step - self.seen)))

    def observe(self, i, decrease, r_after):
        """Remember what the step gained."""
        self.gain[i] = decrease + 1e-12
        self.seen[i] = 1.0 + self.seen.max()


rng = np.random.default_rng(2)
X = rng.standard_normal((200, 300))
y = X[:, :10] @ rng.standard_normal(10) + 0.5 * rng.standard_normal(200)
problem = problems.Lasso(X, y, alpha=0.1)
rules = {"uniform": "uniform", "shuffled": "shuffled", "Optimist": Optimist()}
runs = {
    name: minimize(problem, rule, tol=1e-8, random_state=0, trace=20, max_epochs=300)
    for name, rule in rules.items()
}

# %%

figure, axes = plt.subplots(figsize=(6, 4))
for name, run in runs.items():
    axes.semilogy(run.trace.epoch, np.maximum(run.trace.gap, 1e-13), label=name)
axes.set(xlabel="epochs (d steps each)", ylabel="duality gap", title="A rule in eleven lines")
axes.legend()
plt.show()
