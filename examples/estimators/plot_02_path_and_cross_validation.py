"""
How strong should the penalty be?
=================================

A path shows which features enter, and in which order; cross-validation chooses a point on it. The
one-standard-error rule takes the simplest model that cannot be told from the best one.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_diabetes

from banditcd import CVDisplay, LassoCV, PathDisplay

X, y = load_diabetes(return_X_y=True, as_frame=True)
X = (X - X.mean()) / X.std()
search = LassoCV(cv=10, store_path=True, select_alpha="1se").fit(X, y)
print(f"alpha {search.alpha_:.3g}: {', '.join(X.columns[search.coef_ != 0])}")

# %%
# The errors on the rows that were left out, with their standard errors, and the chosen penalty.

figure, axes = plt.subplots(figsize=(6, 4), layout="constrained")
CVDisplay.from_estimator(search, ax=axes)
plt.show()

# %%
# The coefficients along the path.

figure, axes = plt.subplots(figsize=(6, 4), layout="constrained")
PathDisplay.from_estimator(search, ax=axes)
plt.show()
