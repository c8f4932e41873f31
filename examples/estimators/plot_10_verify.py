"""
Checking another library's fit
==============================

:func:`banditcd.verify` proves how good a fitted model is, whoever fitted it. Here it looks at
scikit-learn's Lasso at several tolerances.
"""

import warnings

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_regression
from sklearn.linear_model import Lasso

from banditcd import verify

X, y = make_regression(60, 120, n_informative=20, noise=1.0, random_state=0)
X[:, 1:] += X[:, :-1]  # neighbors are alike, which is hard

warnings.simplefilter("ignore")
tolerances = np.logspace(-1, -6, 4)
verdicts = [verify(Lasso(alpha=0.5, tol=tol, max_iter=5000).fit(X, y), X, y) for tol in tolerances]
print(verdicts[1].sentence)

# %%

figure, axes = plt.subplots(figsize=(6, 4))
gaps = [verdict.gap / verdict.objective for verdict in verdicts]
axes.loglog(tolerances, np.maximum(gaps, 1e-16), "o-")
axes.invert_xaxis()
axes.set(xlabel="tol of scikit-learn", ylabel="proved gap, relative", title="What tol buys")
plt.show()
