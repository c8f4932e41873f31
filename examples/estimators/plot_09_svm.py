"""
A support vector machine, and how exact it is
=============================================

scikit-learn's ``LinearSVC`` calls liblinear, which stops by a rule of its own. Both are judged here
by the same number: how far the objective is above the best one.
"""

import time
import warnings

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.ticker import NullFormatter
from sklearn.datasets import make_classification
from sklearn.svm import LinearSVC as Liblinear

from banditcd import LinearSVC

X, y = make_classification(3000, 60, n_informative=20, random_state=0, class_sep=0.5)
signs, C = np.where(y == 1, 1.0, -1.0), 1.0


def objective(model: Liblinear | LinearSVC) -> float:
    """Return the objective of a machine with the squared hinge and a penalized intercept."""
    w, b = model.coef_[0], model.intercept_[0]
    short = np.maximum(0.0, 1.0 - signs * (X @ w + b))
    return float(0.5 * (w @ w + b * b) + C * (short @ short))


best = objective(LinearSVC(C=C, tol=1e-13).fit(X, y))
curves = {}
warnings.simplefilter("ignore")  # liblinear tells that it did not reach the last ones
for name, make in (("liblinear", Liblinear), ("banditcd", LinearSVC)):
    points = []
    for tol in np.logspace(-1, -8, 8):
        start = time.perf_counter()
        model = make(C=C, tol=tol, max_iter=3000).fit(X, y)
        spent = time.perf_counter() - start
        points.append((spent, max(objective(model) / best - 1.0, 1e-15)))
    curves[name] = np.array(points)

# %%

figure, axes = plt.subplots(figsize=(6, 4))
for name, points in curves.items():
    axes.loglog(points[:, 0], points[:, 1], "o-", label=name)
axes.set(xlabel="seconds", ylabel="objective above the best, relative", title="One point per tol")
axes.xaxis.set_minor_formatter(NullFormatter())
axes.legend(loc="upper left")
plt.show()
