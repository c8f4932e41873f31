"""
Whole groups, or nothing
========================

Categories become columns, one for each level. The Lasso keeps single levels; the group Lasso keeps
or drops the category.
"""

import matplotlib.pyplot as plt
import numpy as np

from banditcd import GroupLasso, Lasso

rng = np.random.default_rng(4)
categories, levels = 15, 5
codes = rng.integers(0, levels, (300, categories))
X = (codes[:, :, None] == np.arange(levels)).reshape(300, -1).astype(float)
effects = np.zeros((categories, levels))
effects[[1, 6, 10]] = rng.standard_normal((3, levels))
y = X @ effects.ravel() + 0.7 * rng.standard_normal(300)

models = {
    "truth": effects.ravel(),
    "Lasso": Lasso(alpha=0.03).fit(X, y).coef_,
    "GroupLasso": GroupLasso(groups=levels, alpha=0.025).fit(X, y).coef_,
}

# %%

limit = max(np.abs(coef).max() for coef in models.values())
figure, axes = plt.subplots(1, 3, figsize=(8, 4), sharey=True)
for panel, (name, coef) in zip(axes, models.items(), strict=True):
    table = np.where(coef == 0.0, np.nan, coef).reshape(categories, levels)
    panel.imshow(table, cmap="RdBu", vmin=-limit, vmax=limit, aspect="auto")
    panel.set(title=name, xlabel="level", xticks=range(levels))
axes[0].set(ylabel="category", yticks=range(categories))
figure.suptitle("white: exactly zero")
figure.tight_layout()
plt.show()
