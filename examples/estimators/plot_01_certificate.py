"""
A Lasso and its certificate
===========================

Swap the import and keep the code: ``banditcd.Lasso`` takes scikit-learn's words. What is new is
``certificate_``: a proved bound of how far the objective is from its minimum.
"""

import matplotlib.pyplot as plt
import numpy as np

from banditcd import Lasso

rng = np.random.default_rng(0)
X = rng.standard_normal((200, 2000)) + rng.standard_normal((200, 1))
y = X[:, :20] @ rng.standard_normal(20) + rng.standard_normal(200)
model = Lasso(alpha=0.05).fit(X, y)
print(model.certificate_)

# %%
# A smaller ``tol`` asks for a smaller gap. The gap is what it says: the objective of a fit differs
# from the best one by less.

tolerances = np.logspace(-1, -12, 12)
fits = [Lasso(alpha=0.05, tol=tol).fit(X, y) for tol in tolerances]
best = min(fit.certificate_.primal for fit in fits)
true = [max(fit.certificate_.primal - best, 1e-13) for fit in fits]
proved = [max(fit.certificate_.gap, 1e-13) for fit in fits]

figure, axes = plt.subplots(figsize=(6, 4))
axes.loglog(tolerances, proved, "o-", label="duality gap (proved)")
axes.loglog(tolerances, true, "s-", label="distance from the best objective")
axes.invert_xaxis()
axes.set(xlabel="tol", ylabel="units of the objective", title="The certificate bounds the distance")
axes.legend()
plt.show()
