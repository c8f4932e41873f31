"""
Coefficients with bounds
========================

A mixture of spectra has amounts that are not negative. Without that knowledge the fit explains the
noise by negative amounts; with ``positive=True`` it cannot. ``lower`` and ``upper`` bound every
coefficient by a number of its own.
"""

import matplotlib.pyplot as plt
import numpy as np

from banditcd import Lasso

rng = np.random.default_rng(2)
wave = np.linspace(0.0, 1.0, 200)
centers = np.linspace(0.05, 0.95, 40)
spectra = np.exp(-0.5 * ((wave[:, None] - centers) / 0.03) ** 2)
amounts = np.zeros(40)
amounts[[5, 6, 18, 30]] = [1.0, 0.5, 0.8, 1.2]
signal = spectra @ amounts + 0.05 * rng.standard_normal(200)

free = Lasso(alpha=1e-4, fit_intercept=False).fit(spectra, signal)
kept = Lasso(alpha=1e-4, fit_intercept=False, positive=True).fit(spectra, signal)
print("smallest amounts:", free.coef_.min().round(3), kept.coef_.min().round(3))

# %%

figure, axes = plt.subplots(2, 1, figsize=(7, 5), sharex=True)
axes[0].plot(wave, signal, ".", color="0.6", label="measured")
axes[0].plot(wave, kept.predict(spectra), label="fit with amounts that are not negative")
axes[0].set_ylim(top=2.1)
axes[0].legend(loc="upper right", ncols=2)
axes[1].stem(centers, amounts, linefmt="0.8", markerfmt="ko", basefmt=" ", label="truth")
axes[1].plot(centers, free.coef_, "^", label="free")
axes[1].plot(centers, kept.coef_, "v", label="positive=True")
axes[1].axhline(0.0, color="0.5", linewidth=0.8)
axes[1].set(xlabel="wavelength", ylabel="amount")
axes[1].legend()
figure.tight_layout()
plt.show()
