"""
The adaptive Lasso
==================

The Lasso shrinks large coefficients and lets small ones in that should be zero. A second fit, whose
penalties are one over the first coefficients, mends both.
"""

import matplotlib.pyplot as plt
import numpy as np

from banditcd import LassoCV

rng = np.random.default_rng(1)
truth = np.zeros(100)
truth[:8] = [3.0, -2.5, 2.0, -1.5, 1.0, -0.8, 0.6, -0.5]
X = rng.standard_normal((200, 100)) + 0.5 * rng.standard_normal((200, 1))
y = X @ truth + rng.standard_normal(200)

first = LassoCV(cv=5).fit(X, y)
weights = 1.0 / np.maximum(np.abs(first.coef_), 1e-3)
second = LassoCV(cv=5, penalty_weights=weights).fit(X, y)

# %%

figure, axes = plt.subplots(figsize=(7, 4))
axes.stem(np.arange(100), truth, linefmt="0.8", markerfmt="ko", basefmt=" ", label="truth")
for model, mark, name in ((first, "^", "Lasso"), (second, "v", "adaptive Lasso")):
    used = np.flatnonzero(model.coef_)
    axes.plot(used, model.coef_[used], mark, label=f"{name}: {len(used)} features")
axes.set(xlabel="feature", ylabel="coefficient", title="Eight features are real")
axes.legend()
plt.show()
