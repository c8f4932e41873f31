r"""CUDA kernels of the passes over X: one reading, sums in float64, no floating-point atomics.

Every output is written by one thread after reductions in a fixed order, so the same input gives the
same bits. ``T`` is the type X is stored in. Each kernel computes, for all columns j, :math:`\sum_i
x_{ij} v_i` and, if asked for, :math:`\sum_i s_i x_{ij}` and :math:`\sum_i s_i x_{ij}^2`.
"""

from __future__ import annotations

from functools import cache
from typing import Any

#: Columns that share one reading of v, threads of a block, and blocks of rows in C order.
COLUMNS_AT_ONCE, THREADS, ROW_CHUNKS = 4, 256, 128

SOURCE = r"""
#define LANES 32
template <int SUMS>
__device__ void block_sums(double (&part)[SUMS], double* out) {
  __shared__ double shared[SUMS][LANES];
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  for (int k = 0; k < SUMS; ++k) {
    double v = part[k];
    for (int o = 16; o; o >>= 1) v += __shfl_down_sync(~0u, v, o);
    if (!lane) shared[k][warp] = v;
  }
  __syncthreads();
  if (threadIdx.x < SUMS) {
    double v = 0.0;
    for (int w = 0; w < blockDim.x / 32; ++w) v += shared[threadIdx.x][w];
    out[threadIdx.x] = v;
  }
}

// Fortran order: a block of threads takes CW columns, so that v is read once for all of them.
template <typename T, int CW, bool MOMENTS>
__device__ void fortran_pass(const T* X, const double* v, const double* s, double* out,
                             long long n, long long d) {
  const long long first = (long long)blockIdx.x * CW;
  double part[MOMENTS ? 3 * CW : CW] = {};
  #pragma unroll 4
  for (long long i = threadIdx.x; i < n; i += blockDim.x) {
    const double r = v[i], w = MOMENTS ? (s ? s[i] : 1.0) : 0.0;
    #pragma unroll
    for (int c = 0; c < CW; ++c) {
      if (first + c >= d) continue;
      const double x = (double)X[(first + c) * n + i];
      part[c] += x * r;
      if (MOMENTS) {
        part[CW + c] += w * x;
        part[2 * CW + c] += w * x * x;
      }
    }
  }
  __shared__ double sums[3 * CW];
  block_sums(part, sums);
  __syncthreads();
  for (int k = threadIdx.x; k < (MOMENTS ? 3 * CW : CW); k += blockDim.x)
    if (first + k % CW < d) out[(long long)(k / CW) * d + first + k % CW] = sums[k];
}

// The same with 16-byte loads, for float columns that start at multiples of them.
template <int CW>
__device__ void fortran_quads(const float* X, const double* v, double* out, long long n,
                              long long d) {
  const long long first = (long long)blockIdx.x * CW;
  double part[CW] = {};
  for (long long i = threadIdx.x * 4LL; i < n; i += blockDim.x * 4LL) {
    const double r0 = v[i], r1 = v[i + 1], r2 = v[i + 2], r3 = v[i + 3];
    #pragma unroll
    for (int c = 0; c < CW; ++c) {
      if (first + c >= d) continue;
      const float4 x = *(const float4*)(X + (first + c) * n + i);
      part[c] += x.x * r0 + x.y * r1 + x.z * r2 + x.w * r3;
    }
  }
  __shared__ double sums[CW];
  block_sums(part, sums);
  __syncthreads();
  if (threadIdx.x < CW && first + threadIdx.x < d) out[first + threadIdx.x] = sums[threadIdx.x];
}

// C order: a thread owns a column within a chunk of rows; partial sums are added in a second step.
template <typename T, bool MOMENTS>
__device__ void c_pass(const T* X, const double* v, const double* s, double* out, long long n,
                       long long d, long long chunk) {
  const long long j = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (j >= d) return;
  const long long begin = blockIdx.y * chunk, end = begin + chunk < n ? begin + chunk : n;
  double a = 0.0, b = 0.0, c = 0.0;
  #pragma unroll 4
  for (long long i = begin; i < end; ++i) {
    const double x = (double)X[i * d + j];
    a += x * v[i];
    if (MOMENTS) {
      const double w = s ? s[i] : 1.0;
      b += w * x;
      c += w * x * x;
    }
  }
  double* to = out + (long long)blockIdx.y * (MOMENTS ? 3 : 1) * d;
  to[j] = a;
  if (MOMENTS) {
    to[d + j] = b;
    to[2 * d + j] = c;
  }
}

// Compressed columns: a warp per column.
template <typename T, bool MOMENTS>
__device__ void csc_pass(const T* value, const int* row, const int* start, const double* v,
                         const double* s, double* out, long long d) {
  const long long j = ((long long)blockIdx.x * blockDim.x + threadIdx.x) >> 5;
  const int lane = threadIdx.x & 31;
  if (j >= d) return;
  double part[3] = {};
  for (long long k = start[j] + lane; k < start[j + 1]; k += 32) {
    const double x = (double)value[k];
    part[0] += x * v[row[k]];
    if (MOMENTS) {
      const double w = s ? s[row[k]] : 1.0;
      part[1] += w * x;
      part[2] += w * x * x;
    }
  }
  for (int q = 0; q < (MOMENTS ? 3 : 1); ++q) {
    double sum = part[q];
    for (int o = 16; o; o >>= 1) sum += __shfl_down_sync(~0u, sum, o);
    if (!lane) out[q * d + j] = sum;
  }
}

// X w in Fortran order: a thread owns a row within a chunk of columns; parts are added afterwards.
template <typename T>
__device__ void fortran_times(const T* X, const double* w, double* out, long long n, long long d,
                              long long chunk) {
  const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const long long begin = blockIdx.y * chunk, end = begin + chunk < d ? begin + chunk : d;
  double sum = 0.0;
  #pragma unroll 4
  for (long long j = begin; j < end; ++j) sum += (double)X[j * n + i] * w[j];
  out[blockIdx.y * n + i] = sum;
}

// X w in C order and by compressed rows: a warp per row.
template <typename T>
__device__ void c_times(const T* X, const double* w, double* out, long long n, long long d) {
  const long long i = ((long long)blockIdx.x * blockDim.x + threadIdx.x) >> 5;
  if (i >= n) return;
  double sum = 0.0;
  #pragma unroll 4
  for (long long j = threadIdx.x & 31; j < d; j += 32) sum += (double)X[i * d + j] * w[j];
  for (int o = 16; o; o >>= 1) sum += __shfl_down_sync(~0u, sum, o);
  if (!(threadIdx.x & 31)) out[i] = sum;
}
template <typename T>
__device__ void csr_times(const T* value, const int* column, const int* start, const double* w,
                          double* out, long long n) {
  const long long i = ((long long)blockIdx.x * blockDim.x + threadIdx.x) >> 5;
  if (i >= n) return;
  double sum = 0.0;
  for (long long k = start[i] + (threadIdx.x & 31); k < start[i + 1]; k += 32)
    sum += (double)value[k] * w[column[k]];
  for (int o = 16; o; o >>= 1) sum += __shfl_down_sync(~0u, sum, o);
  if (!(threadIdx.x & 31)) out[i] = sum;
}

#define TIMES(NAME, T)                                                                            \
  extern "C" __global__ void times_fortran_##NAME(const T* X, const double* w, double* out,       \
                                                  long long n, long long d, long long chunk) {    \
    fortran_times(X, w, out, n, d, chunk);                                                        \
  }                                                                                               \
  extern "C" __global__ void times_c_##NAME(const T* X, const double* w, double* out,             \
                                            long long n, long long d) {                           \
    c_times(X, w, out, n, d);                                                                     \
  }                                                                                               \
  extern "C" __global__ void times_csr_##NAME(const T* value, const int* column,                  \
                                              const int* start, const double* w, double* out,     \
                                              long long n) {                                      \
    csr_times(value, column, start, w, out, n);                                                   \
  }
TIMES(float32, float)
TIMES(float64, double)

#define PASSES(NAME, T)                                                                           \
  extern "C" __global__ void fortran_##NAME(const T* X, const double* v, const double* s,         \
                                            double* out, long long n, long long d) {              \
    fortran_pass<T, 4, false>(X, v, s, out, n, d);                                                \
  }                                                                                               \
  extern "C" __global__ void fortran_moments_##NAME(const T* X, const double* v, const double* s, \
                                                    double* out, long long n, long long d) {      \
    fortran_pass<T, 4, true>(X, v, s, out, n, d);                                                 \
  }                                                                                               \
  extern "C" __global__ void c_##NAME(const T* X, const double* v, const double* s, double* out,  \
                                      long long n, long long d, long long chunk) {                \
    c_pass<T, false>(X, v, s, out, n, d, chunk);                                                  \
  }                                                                                               \
  extern "C" __global__ void c_moments_##NAME(const T* X, const double* v, const double* s,       \
                                              double* out, long long n, long long d,              \
                                              long long chunk) {                                  \
    c_pass<T, true>(X, v, s, out, n, d, chunk);                                                   \
  }                                                                                               \
  extern "C" __global__ void csc_##NAME(const T* value, const int* row, const int* start,         \
                                        const double* v, const double* s, double* out,            \
                                        long long d) {                                            \
    csc_pass<T, false>(value, row, start, v, s, out, d);                                          \
  }                                                                                               \
  extern "C" __global__ void csc_moments_##NAME(const T* value, const int* row, const int* start, \
                                                const double* v, const double* s, double* out,    \
                                                long long d) {                                    \
    csc_pass<T, true>(value, row, start, v, s, out, d);                                           \
  }
PASSES(float32, float)
PASSES(float64, double)
extern "C" __global__ void fortran_quads_float32(const float* X, const double* v, double* out,
                                                 long long n, long long d) {
  fortran_quads<4>(X, v, out, n, d);
}
"""


@cache
def kernel(name: str) -> Any:
    """Return a compiled kernel; all of them are compiled once per process."""
    return _module().get_function(name)


@cache
def _module() -> Any:
    import cupy

    return cupy.RawModule(code=SOURCE, options=("--std=c++14",))
