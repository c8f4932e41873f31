"""
A line through data with outliers
=================================

Some of the measurements are wrong. Least squares squares these errors and follows them;
``LinearSVR`` counts them in proportion, and errors up to ``epsilon`` not at all.
"""

import matplotlib.pyplot as plt
import numpy as np

from banditcd import LinearSVR, Ridge

rng = np.random.default_rng(3)
x = np.sort(rng.uniform(0.0, 10.0, 80))
y = 2.0 + 0.5 * x + 0.3 * rng.standard_normal(80)
wrong = (x > 7.0) & (rng.random(80) < 0.45)
y[wrong] += rng.uniform(4.0, 9.0, wrong.sum())
X = x[:, None]

squares = Ridge(alpha=1e-6).fit(X, y)
robust = LinearSVR(C=10.0, epsilon=0.5, penalize_intercept=False).fit(X, y)
print(f"slopes: truth 0.5, least squares {squares.coef_[0]:.2f}, LinearSVR {robust.coef_[0]:.2f}")

# %%

figure, axes = plt.subplots(figsize=(7, 4))
axes.plot(x, y, "o", color="0.6", markersize=4, label="data")
axes.plot(x, squares.predict(X), color="C1", label="least squares")
axes.plot(x, robust.predict(X), color="C0", label="LinearSVR")
inside = robust.predict(X)
axes.fill_between(x, inside - 0.5, inside + 0.5, color="C0", alpha=0.15, label="within epsilon")
axes.set(xlabel="x", ylabel="y")
axes.legend(loc="upper left")
plt.show()
