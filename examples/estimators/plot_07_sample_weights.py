"""
Samples of unequal precision
============================

Half of the measurements come from a good instrument, half from a bad one. Weights of one over the
variance let each count for what it is worth.
"""

import matplotlib.pyplot as plt
import numpy as np

from banditcd import Ridge

rng = np.random.default_rng(3)
truth = rng.standard_normal(20)
X = rng.standard_normal((120, 20))
deviation = np.where(np.arange(120) < 60, 0.3, 5.0)

errors: dict[str, list[float]] = {"all alike": [], "weighted": [], "good ones only": []}
for _ in range(200):
    y = X @ truth + deviation * rng.standard_normal(120)
    fits = {
        "all alike": Ridge(alpha=1e-3).fit(X, y),
        "weighted": Ridge(alpha=1e-3).fit(X, y, sample_weight=1.0 / deviation**2),
        "good ones only": Ridge(alpha=1e-3).fit(X[:60], y[:60]),
    }
    for name, model in fits.items():
        errors[name].append(float(np.linalg.norm(model.coef_ - truth)))

# %%

figure, axes = plt.subplots(figsize=(6, 4))
axes.boxplot(list(errors.values()), tick_labels=list(errors))
axes.set(ylabel="distance of the coefficients from the truth", title="200 repetitions")
plt.show()
