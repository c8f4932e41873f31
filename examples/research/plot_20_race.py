"""
A race of selection rules
=========================

The same cost, the same update, the same kernels; only the choice of the next coordinate differs.
Work is the number of matrix entries that a rule touched, so that looking around is not free; its
unit is a pass that reads and writes every column once.
"""

import matplotlib.pyplot as plt
import numpy as np

from banditcd import minimize, problems

rng = np.random.default_rng(0)
X = rng.standard_normal((200, 1000)) + 0.7 * rng.standard_normal((200, 1))
y = X[:, :10] @ rng.standard_normal(10) + 0.5 * rng.standard_normal(200)
largest = np.abs(X.T @ y).max() / len(y)
problem = problems.Lasso(X, y, alpha=0.05 * largest)

rules = ["uniform", "shuffled", "b_max_r", "calendar", "focus"]
runs = {
    rule: minimize(problem, rule, tol=1e-8, max_epochs=400, random_state=0, trace=20)
    for rule in rules
}

# %%

figure, axes = plt.subplots(figsize=(6.5, 4))
for rule, run in runs.items():
    axes.semilogy(run.trace.work, np.maximum(run.trace.gap, 1e-12), label=rule)
axes.set(xlabel="work, in passes", ylabel="duality gap", title="Lasso, 1000 features")
axes.legend()
plt.show()
