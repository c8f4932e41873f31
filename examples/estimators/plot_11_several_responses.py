"""
One set of features for several responses
=========================================

Three signals depend on the same few features. Fitted one by one, each picks its own; together they
agree.
"""

import matplotlib.pyplot as plt
import numpy as np

from banditcd import Lasso, MultiTaskLasso

rng = np.random.default_rng(5)
truth = np.zeros((60, 3))
truth[[4, 20, 21, 47]] = rng.standard_normal((4, 3)) + 0.5
X = rng.standard_normal((80, 60))
Y = X @ truth + rng.standard_normal((80, 3))

apart = Lasso(alpha=0.2).fit(X, Y).coef_.T
together = MultiTaskLasso(alpha=0.35).fit(X, Y).coef_.T

# %%

figure, axes = plt.subplots(1, 3, figsize=(7, 5), sharey=True)
named = {"truth": truth, "Lasso": apart, "MultiTaskLasso": together}
for panel, (name, coef) in zip(axes, named.items(), strict=True):
    panel.imshow(coef != 0.0, cmap="Greys", aspect="auto", interpolation="nearest")
    rows = np.count_nonzero(coef.any(axis=1))
    panel.set(title=f"{name}\n{rows} features", xlabel="response", xticks=range(3))
axes[0].set(ylabel="feature")
figure.tight_layout()
plt.show()
