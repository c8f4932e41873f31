"""
A rare class
============

One sample in twenty is ill. A model that minimizes the loss of all samples hardly ever says so;
``class_weight="balanced"`` counts each class as if it were as frequent as the other. More of the
ill are found, and more of the healthy are sent to a second test.
"""

import matplotlib.pyplot as plt
import numpy as np

from banditcd import LogisticRegression

rng = np.random.default_rng(0)
ill = rng.random(2000) < 0.05
X = rng.standard_normal((2000, 2)) + 1.3 * ill[:, None]

models = {"all samples alike": None, 'class_weight="balanced"': "balanced"}
fits = {name: LogisticRegression(class_weight=w).fit(X, ill) for name, w in models.items()}
for name, model in fits.items():
    said = model.predict(X)
    print(f"{name}: finds {said[ill].mean():.0%} of the ill, alarms {said[~ill].mean():.0%} others")

# %%

figure, axes = plt.subplots(figsize=(6.5, 4.5))
axes.plot(*X[~ill].T, ".", color="0.8", markersize=3, label="healthy")
axes.plot(*X[ill].T, "x", color="C3", markersize=5, label="ill")
ends = np.array([-3.5, 4.5])
for (name, model), style in zip(fits.items(), ("-", "--"), strict=True):
    (slope, rise), (offset,) = model.coef_[0], model.intercept_
    axes.plot(ends, -(offset + slope * ends) / rise, style, color="C0", label=name)
axes.set(xlim=(-3.5, 4.5), ylim=(-3.5, 4.5), xlabel="first test", ylabel="second test")
axes.legend(loc="lower left")
plt.show()
