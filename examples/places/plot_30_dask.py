"""
Rows on a cluster
=================

``fit`` takes a Dask array as it is. Blocks stay with their workers; a handful of sums travels.
"""

import dask.array as da
import matplotlib.pyplot as plt
import numpy as np

from banditcd import Lasso

rng = da.random.default_rng(0)
X = rng.standard_normal((40_000, 100), chunks=(5_000, 100))
truth = np.zeros(100)
truth[:5] = [2.0, -1.5, 1.0, -0.7, 0.5]
y = X @ truth + rng.standard_normal(40_000, chunks=5_000)

model = Lasso(alpha=0.05).fit(X, y)
print(model.certificate_.rounds, "rounds,", f"{model.certificate_.bytes_moved:,}", "bytes moved")
print(f"X has {X.nbytes:,} bytes")

# %%

figure, axes = plt.subplots(figsize=(6, 3.5))
axes.stem(truth[:12], linefmt="0.8", markerfmt="ko", basefmt=" ", label="truth")
axes.plot(model.coef_[:12], "^", label="Lasso")
axes.set(xlabel="feature", ylabel="coefficient", title="The first twelve of a hundred")
axes.legend()
plt.show()
