"""
Columns on different scales
===========================

A length in millimeters has a coefficient a thousand times smaller than the same length in meters,
and a penalty on coefficients notices: what is written in large numbers comes cheap.
``standardize=True`` penalizes as if every column had unit deviation. The coefficients still belong
to the columns as they are.
"""

import matplotlib.pyplot as plt
import numpy as np

from banditcd import lasso_path

rng = np.random.default_rng(1)
X = rng.standard_normal((200, 6))
y = X @ [1.0, 1.0, 1.0, 0.0, 0.0, 0.0] + rng.standard_normal(200)
units = np.array([1.0, 30.0, 0.03, 1.0, 30.0, 0.03])
y -= y.mean()

plain = lasso_path(X * units, y, fit_intercept=True)
fair = lasso_path(X * units, y, fit_intercept=True, standardize=True)

# %%
# The effect of a column is its coefficient times its unit; the first three are one in truth.

figure, axes = plt.subplots(1, 2, figsize=(9, 3.8), sharey=True)
names = ["unit 1", "numbers 30 times larger", "30 times smaller", *3 * ["noise"]]
for part, path, title in zip(axes, (plain, fair), ("as it is", "standardize=True"), strict=True):
    alphas, coefs = path[0], path[1]
    for name, effect in zip(names, coefs * units[:, None], strict=True):
        color = "0.75" if name == "noise" else f"C{names.index(name)}"
        part.semilogx(alphas, effect, color=color, label=name)
    part.invert_xaxis()
    part.set(xlabel="alpha (falling)", title=title)
axes[0].set_ylabel("effect")
handles, labels = axes[0].get_legend_handles_labels()
axes[0].legend(handles[:4], labels[:4])
figure.tight_layout()
plt.show()
