"""
Ridge: how strong a penalty?
============================

Two hundred features that resemble each other, and 100 samples: with a weak penalty the coefficients
follow the noise. ``RidgeCV`` measures every penalty by leaving out each sample once, which takes
one decomposition for all samples and penalties.
"""

import matplotlib.pyplot as plt
import numpy as np

from banditcd import Ridge, RidgeCV

rng = np.random.default_rng(0)
X = rng.standard_normal((100, 5)) @ rng.standard_normal((5, 200))
X += 0.3 * rng.standard_normal(X.shape)
y = X @ (rng.standard_normal(200) / 15.0) + rng.standard_normal(100)

alphas = np.logspace(-2, 5, 50)
search = RidgeCV(alphas=alphas, store_cv_results=True).fit(X, y)
errors = search.cv_results_.mean(axis=0)
print(f"chosen: alpha = {search.alpha_:.3g}, mean squared error {errors.min():.3g}")

# %%

paths = np.array([Ridge(alpha=alpha).fit(X, y).coef_[:20] for alpha in alphas])
figure, axes = plt.subplots(1, 2, figsize=(9, 3.8))
axes[0].semilogx(alphas, paths, color="C0", linewidth=0.8)
axes[0].set(xlabel="alpha", ylabel="coefficient", title="20 of 200 coefficients")
axes[1].semilogx(alphas, errors, color="C1")
axes[1].set(xlabel="alpha", ylabel="mean squared error", title="Each sample left out once")
for part in axes:
    part.axvline(search.alpha_, color="0.4", linestyle="--", linewidth=1.0)
axes[1].annotate("chosen", (search.alpha_, errors.max()), (5, 0), textcoords="offset points")
figure.tight_layout()
plt.show()
