"""
A matrix in a file
==================

An ``.npy`` file that is mapped from the disk is fitted like an array in memory. One that is large
compared with the memory of the machine is read in blocks, a few times in all.
"""

import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

from banditcd import LassoCV

folder = Path(tempfile.mkdtemp())
rng = np.random.default_rng(0)
mapped = np.lib.format.open_memmap(
    folder / "X.npy", mode="w+", dtype=np.float32, shape=(5000, 300), fortran_order=True
)
mapped[:] = rng.standard_normal((5000, 300))
y = mapped[:, :4] @ np.array([1.0, -1.0, 0.5, 0.5]) + rng.standard_normal(5000)

X = np.load(folder / "X.npy", mmap_mode="r")
search = LassoCV(cv=3).fit(X, y)
print(f"alpha {search.alpha_:.3g}, {(search.coef_ != 0).sum()} features")

# %%

figure, axes = plt.subplots(figsize=(6, 4))
axes.semilogx(search.alphas_, search.mse_path_.mean(axis=1))
axes.axvline(search.alpha_, color="0.5", linestyle=":")
axes.invert_xaxis()
axes.set(xlabel="alpha", ylabel="error on rows that were left out", title="A search over a file")
plt.show()
