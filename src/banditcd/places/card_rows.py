r"""The mathematics of rows on a GPU: one kernel for what would be a dozen launches.

A launch takes the host about ten microseconds, more than the card needs for the rows of most
problems. A block of threads leaves its part of every sum; the host adds the parts up in their
order, so that the same input gives the same bits.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from banditcd.places.card_kernels import kernel
from banditcd.places.rowwise import RowMaths

#: Threads of a block, and the most blocks, whose parts the host adds up.
THREADS, MOST_BLOCKS = 256, 132

SOURCE = r"""
typedef long long Size;

// Adds up K sums of the threads of a block in a fixed order, and writes its part of them.
template <int K> __device__ void leave(double (&sum)[K], double* parts) {
  __shared__ double shared[K][32];
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  for (int k = 0; k < K; ++k) {
    for (int o = 16; o; o >>= 1) sum[k] += __shfl_down_sync(~0u, sum[k], o);
    if (!lane) shared[k][warp] = sum[k];
  }
  __syncthreads();
  if (threadIdx.x >= K) return;
  double total = 0.0;
  for (int w = 0; w < blockDim.x / 32; ++w) total += shared[threadIdx.x][w];
  parts[(Size)blockIdx.x * K + threadIdx.x] = total;
}
#define ROWS(i)                                                     \
  for (Size i = (Size)blockIdx.x * blockDim.x + threadIdx.x; i < n; \
       i += (Size)gridDim.x * blockDim.x)

// The probabilities of the wrong and of the right label, each without a difference.
struct Odds {
  double wrong, right;
  __device__ Odds(double margin) {
    const double odds = exp(-fabs(margin)), less = odds / (1.0 + odds), more = 1.0 / (1.0 + odds);
    wrong = margin < 0.0 ? more : less;
    right = margin < 0.0 ? less : more;
  }
};
__device__ double softplus(double x) { return fmax(x, 0.0) + log1p(exp(-fabs(x))); }
__device__ double balanced(Odds q, double y, double balance) {
  return fmin(fmax(q.wrong - balance * y * q.wrong * q.right, 0.0), 1.0);
}
__device__ double xlogx(double p) { return p * log(fmax(p, 1e-300)); }

__global__ void squared(const double* y, const double* s, const double* z, double b, double* pull,
                        double* parts, Size n) {
  double sum[2] = {};
  ROWS(i) {
    const double r = y[i] - (z ? z[i] + b : b), p = s ? s[i] * r : r;
    pull[i] = p;
    sum[0] += r * p;
    sum[1] += p;
  }
  leave(sum, parts);
}

__global__ void points(const double* y, const double* s, const double* z, double b,
                       const double* move, double slide, double t, double* parts, Size n) {
  double sum[7] = {};
  ROWS(i) {
    const double m = y[i] * ((z[i] + b) + t * (move[i] + slide)), weight = s ? s[i] : 1.0;
    const Odds odds(m);
    const double q = odds.wrong, bend = q * odds.right;
    sum[0] += weight * softplus(-m);
    sum[1] += weight * (y[i] * q);
    sum[2] += weight * bend;
    sum[3] += weight * (m * q);
    sum[4] += weight * (y[i] * m * bend);
    sum[5] += weight * (q / fmax(odds.right, 1e-300));
    sum[6] += weight * (q * q);
  }
  leave(sum, parts);
}

__global__ void balanced_pull(const double* y, const double* s, const double* z, double b,
                              double balance, double* pull, double* parts, Size n) {
  double sum[1] = {};
  ROWS(i) {
    const double p = balanced(Odds(y[i] * (z[i] + b)), y[i], balance);
    pull[i] = y[i] * (s ? s[i] * p : p);
    sum[0] += pull[i];
  }
  leave(sum, parts);
}

__global__ void entropies(const double* y, const double* s, const double* z, double b,
                          double balance, double scale, double* parts, Size n) {
  double sum[1] = {};
  ROWS(i) {
    const double p = scale * balanced(Odds(y[i] * (z[i] + b)), y[i], balance);
    sum[0] -= (s ? s[i] : 1.0) * (xlogx(p) + xlogx(1.0 - p));
  }
  leave(sum, parts);
}

__global__ void bends(const double* y, const double* s, const double* z, double b,
                      double* curvature, double* pull, double* parts, Size n) {
  double sum[3] = {};
  ROWS(i) {
    const Odds odds(y[i] * (z[i] + b));
    const double q = odds.wrong, weight = s ? s[i] : 1.0;
    curvature[i] = weight * (q * odds.right);
    pull[i] = y[i] * (weight * q);
    sum[0] += curvature[i];
    sum[1] += pull[i];
    sum[2] += weight * (q / fmax(odds.right, 1e-12));
  }
  leave(sum, parts);
}
"""


@dataclass(frozen=True, slots=True)
class Parts:
    """Parts of sums, one row for every block of threads, on the card."""

    values: Any

    def added(self, values: Any) -> Any:
        """Return the sums from the parts on the host, a number if there is one."""
        sums = values.sum(axis=0)
        return sums if sums.size > 1 else float(sums[0])


class CardMaths(RowMaths):
    """Functions of rows by kernels."""

    def __init__(self, xp: Any) -> None:
        self._xp = xp

    def squared(self, rows: Any, z: Any, b: float) -> tuple[Any, Any]:
        """Return the pulls of the residuals, and their sums."""
        pull = self._xp.empty(rows.y.size)
        point = (self._xp.uint64(0) if z is None else z, float(b))
        return pull, self._run("squared", rows, (*point, pull), 2)

    def points(
        self, rows: Any, at: tuple[Any, float], step: tuple[Any, float], shares: Any
    ) -> tuple[Any, ...]:
        """Return the sums at the points of a step."""
        line = (at[0], float(at[1]), step[0], float(step[1]))
        return tuple(self._run("points", rows, (*line, float(t)), 7) for t in shares)

    def balanced(self, rows: Any, z: Any, b: float, balance: float) -> tuple[Any, Any]:
        """Return the balanced pulls and their sum."""
        pull = self._xp.empty(rows.y.size)
        return pull, self._run("balanced_pull", rows, (z, float(b), float(balance), pull), 1)

    def entropies(self, rows: Any, at: tuple[Any, float], balance: float, scale: float) -> Any:
        """Return the sum of the entropies."""
        point = (at[0], float(at[1]), float(balance), float(scale))
        return self._run("entropies", rows, point, 1)

    def bends(self, rows: Any, z: Any, b: float) -> tuple[Any, Any, Any]:
        """Return curvatures, pulls, and sums."""
        curvature, pull = self._xp.empty(rows.y.size), self._xp.empty(rows.y.size)
        return curvature, pull, self._run("bends", rows, (z, float(b), curvature, pull), 3)

    def _run(self, name: str, rows: Any, arguments: tuple[Any, ...], sums: int) -> Parts:
        n = rows.y.size
        blocks = max(1, min(MOST_BLOCKS, -(-n // THREADS)))
        parts = self._xp.empty((blocks, sums))
        s = self._xp.uint64(0) if rows.weight is None else rows.weight
        given = (rows.y, s, *(np.float64(a) if isinstance(a, float) else a for a in arguments))
        kernel(name, source=SOURCE)((blocks,), (THREADS,), (*given, parts, np.int64(n)))
        return Parts(parts)
