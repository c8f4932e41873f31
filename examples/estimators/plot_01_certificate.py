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
# The gap is what it says: at every moment of the fit, the objective is above the best one by less.

watched = Lasso(alpha=0.05, tol=1e-12, record_history=True).fit(X, y)
history, best = watched.history_, watched.certificate_.dual
distance = np.maximum(np.asarray(history.objective) - best, 1e-14)
gap = np.maximum(np.asarray(history.gap), 1e-14)

figure, axes = plt.subplots(figsize=(6, 4))
axes.semilogy(history.epoch, gap, "o-", label="duality gap (proved)")
axes.semilogy(history.epoch, distance, "s-", label="distance from the best objective")
axes.set(xlabel="iteration", ylabel="units of the objective", title="The gap bounds the distance")
axes.legend()
plt.show()
