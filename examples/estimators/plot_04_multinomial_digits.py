"""
What the classes look at
========================

Logistic regression with ten classes is one model. Its coefficients are pictures: what speaks for a
digit, and what against it.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits

from banditcd import LogisticRegression

X, y = load_digits(return_X_y=True)
model = LogisticRegression(C=0.002).fit(X, y)
print(f"training accuracy {model.score(X, y):.3f}; gap {model.certificate_.gap:.2g}")

# %%

limit = np.abs(model.coef_).max()
figure, axes = plt.subplots(2, 5, figsize=(8, 4.2), layout="constrained")
for digit, panel in enumerate(axes.ravel()):
    panel.imshow(model.coef_[digit].reshape(8, 8), cmap="RdBu", vmin=-limit, vmax=limit)
    panel.set(title=str(digit), xticks=[], yticks=[])
figure.suptitle("blue speaks for the digit, red against it")
plt.show()
