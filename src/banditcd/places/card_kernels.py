r"""CUDA kernels of the passes over X: one reading, sums in float64, no floating-point atomics.

Every output is written by one thread after reductions in a fixed order, so the same input gives the
same bits. ``T`` is the type X is stored in, ``V`` the number of values of one load. A pass
computes, for all columns j, :math:`\sum_i x_{ij} v_i` and, for the moments ``PLAIN`` and
``WEIGHTED``, :math:`\sum_i s_i x_{ij}` and :math:`\sum_i s_i x_{ij}^2` with s = 1 or given.

Passes are limited by the memory of the card where a load serves one multiplication. Two things are
not: float32 columns in Fortran order, whose conversions to float64 cost about as much as their
loads, and sparse columns, whose random reads of v take 32 bytes of the cache each; these hold a
part of v in the memory of the processor where the columns have enough entries to pay for it.
"""

from __future__ import annotations

from functools import cache
from typing import Any

#: Threads of a block, columns in Fortran order that share one reading of v, and chunks of rows.
THREADS, COLUMNS_AT_ONCE, ROW_CHUNKS = 256, 4, 64
#: What a pass computes beside X'v.
NONE, PLAIN, WEIGHTED = 0, 1, 2

SOURCE = r"""
#define NONE 0
#define WEIGHTED 2
typedef long long Size;
template <typename T, int V> struct alignas(sizeof(T) * V) Pack { T at[V]; };
template <typename T, int V> __device__ Pack<T, V> load(const T* from) {
  return *reinterpret_cast<const Pack<T, V>*>(from);
}

// X'v, and two moments if MOMENTS, of one column.
template <int MOMENTS> struct Sums {
  static const int kCount = MOMENTS == NONE ? 1 : 3;
  double at[kCount] = {};
  __device__ void add(double x, double v, double s) {
    at[0] += x * v;
    if (MOMENTS == NONE) return;
    const double sx = MOMENTS == WEIGHTED ? s * x : x;
    at[kCount / 2] += sx;
    at[kCount - 1] += sx * x;
  }
  __device__ void join(int lanes) {
    for (int k = 0; k < kCount; ++k)
      for (int o = lanes / 2; o; o >>= 1) at[k] += __shfl_down_sync(~0u, at[k], o, lanes);
  }
  __device__ void write(double* out, Size stride) const {
    for (int k = 0; k < kCount; ++k) out[k * stride] = at[k];
  }
};

// Fortran order: a block of threads takes CW columns, so that v is read once for all of them.
template <typename T, int CW, int V, int MOMENTS>
__global__ void fortran_pass(const T* X, const double* v, const double* s, double* out, Size n,
                             Size d) {
  const Size first = (Size)blockIdx.x * CW;
  Sums<MOMENTS> part[CW];
  #pragma unroll 2
  for (Size i = threadIdx.x * V; i < n; i += blockDim.x * V) {
    const Pack<double, V> r = load<double, V>(v + i);
    Pack<double, V> w = r;
    if (MOMENTS == WEIGHTED) w = load<double, V>(s + i);
    #pragma unroll
    for (int c = 0; c < CW; ++c) {
      if (first + c >= d) continue;
      const Pack<T, V> x = load<T, V>(X + (first + c) * n + i);
      #pragma unroll
      for (int k = 0; k < V; ++k) part[c].add((double)x.at[k], r.at[k], w.at[k]);
    }
  }
  __shared__ double shared[CW * Sums<MOMENTS>::kCount][32];
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  for (int c = 0; c < CW; ++c) {
    part[c].join(32);
    if (!lane) part[c].write(&shared[c][warp], CW * 32);
  }
  __syncthreads();
  const int k = threadIdx.x;
  if (k >= CW * Sums<MOMENTS>::kCount || first + k % CW >= d) return;
  double sum = 0.0;
  for (int w = 0; w < blockDim.x / 32; ++w) sum += shared[k][w];
  out[(k / CW) * d + first + k % CW] = sum;
}

// C order: a thread owns V columns within a chunk of rows; the chunks are added in a second step.
template <typename T, int V, int MOMENTS>
__global__ void c_pass(const T* X, const double* v, const double* s, double* out, Size n, Size d,
                       Size chunk) {
  const Size j = ((Size)blockIdx.x * blockDim.x + threadIdx.x) * V;
  if (j >= d) return;
  const Size begin = blockIdx.y * chunk, end = begin + chunk < n ? begin + chunk : n;
  Sums<MOMENTS> part[V];
  #pragma unroll 8
  for (Size i = begin; i < end; ++i) {
    const Pack<T, V> x = load<T, V>(X + i * d + j);
    const double r = v[i], w = MOMENTS == WEIGHTED ? s[i] : 0.0;
    #pragma unroll
    for (int k = 0; k < V; ++k) part[k].add((double)x.at[k], r, w);
  }
  for (int k = 0; k < V; ++k)
    part[k].write(out + (Size)blockIdx.y * Sums<MOMENTS>::kCount * d + j + k, d);
}

// Compressed lines (columns for X'v, rows for X w): G threads per line within a chunk of v, which
// the block holds in its own memory if HELD.
template <typename T, int G, bool HELD, int MOMENTS>
__global__ void lines_pass(const T* value, const int* index, const int* bounds, const double* v,
                           const double* s, double* out, Size length, Size lines, Size chunk) {
  extern __shared__ double held[];
  const Size begin = blockIdx.y * chunk;
  const double* at = v;
  if (HELD) {
    const Size here = begin + chunk < length ? chunk : length - begin;
    for (Size i = threadIdx.x; i < here; i += blockDim.x) held[i] = v[begin + i];
    __syncthreads();
    at = held - begin;
  }
  const int lane = threadIdx.x & (G - 1), groups = blockDim.x / G;
  const int* first = bounds + blockIdx.y * lines;
  for (Size turn = (Size)blockIdx.x * groups; turn < lines; turn += (Size)gridDim.x * groups) {
    const Size j = turn + threadIdx.x / G;
    Sums<MOMENTS> part;
    const int last = j < lines ? first[lines + j] : 0;
    #pragma unroll 4
    for (int k = j < lines ? first[j] + lane : 0; k < last; k += G) {
      const int i = index[k];
      part.add((double)value[k], at[i], MOMENTS == WEIGHTED ? s[i] : 0.0);
    }
    part.join(G);
    if (!lane && j < lines)
      part.write(out + (Size)blockIdx.y * Sums<MOMENTS>::kCount * lines + j, lines);
  }
}

// Where the entries of every line pass from one chunk of indices to the next.
__global__ void line_bounds(const int* index, const int* start, int* bounds, Size lines, Size chunk,
                            Size chunks) {
  const Size at = (Size)blockIdx.x * blockDim.x + threadIdx.x;
  if (at >= lines * (chunks + 1)) return;
  const Size j = at % lines, wanted = at / lines == chunks ? 1LL << 40 : (at / lines) * chunk;
  int low = start[j], high = start[j + 1];
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (index[middle] < wanted) low = middle + 1;
    else high = middle;
  }
  bounds[at] = low;
}

// Some columns less their shifts, as float64 in Fortran order; ``wanted`` has the columns and then
// the shifts. A block of threads takes a part of one column after another.
template <typename T>
__global__ void gather_dense(const T* X, const Size* wanted, Size count, double* out, Size n,
                             Size row_step, Size column_step) {
  for (Size c = blockIdx.y; c < count; c += gridDim.y) {
    const T* from = X + wanted[c] * column_step;
    const double shift = __longlong_as_double(wanted[count + c]);
    for (Size i = (Size)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
      out[c * n + i] = (double)from[i * row_step] - shift;
  }
}
template <typename T>
__global__ void gather_lines(const T* value, const int* index, const int* first, const int* last,
                             const Size* wanted, Size count, double* out, Size n) {
  for (Size c = blockIdx.y; c < count; c += gridDim.y) {
    const double shift = __longlong_as_double(wanted[count + c]);
    for (Size i = threadIdx.x; i < n; i += blockDim.x) out[c * n + i] = -shift;
    __syncthreads();
    const Size j = wanted[c];
    for (int k = first[j] + threadIdx.x; k < last[j]; k += blockDim.x)
      out[c * n + index[k]] = (double)value[k] - shift;
  }
}

// X w in Fortran order: a thread owns a row within a chunk of columns; parts are added afterwards.
template <typename T>
__global__ void fortran_times(const T* X, const double* w, double* out, Size n, Size d,
                              Size chunk) {
  const Size i = (Size)blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const Size begin = blockIdx.y * chunk, end = begin + chunk < d ? begin + chunk : d;
  double sum = 0.0;
  #pragma unroll 4
  for (Size j = begin; j < end; ++j) sum += (double)X[j * n + i] * w[j];
  out[blockIdx.y * n + i] = sum;
}

// X w in C order: a warp per row.
template <typename T>
__global__ void c_times(const T* X, const double* w, double* out, Size n, Size d) {
  const Size i = ((Size)blockIdx.x * blockDim.x + threadIdx.x) >> 5;
  if (i >= n) return;
  Sums<NONE> sum;
  #pragma unroll 4
  for (Size j = threadIdx.x & 31; j < d; j += 32) sum.add((double)X[i * d + j], w[j], 0.0);
  sum.join(32);
  if (!(threadIdx.x & 31)) out[i] = sum.at[0];
}
"""


@cache
def kernel(name: str, *arguments: Any, source: str = SOURCE) -> Any:
    """Return a kernel with its template arguments; compiled on its first use, then kept on disk."""
    import cupy

    words = [str(a).lower() if isinstance(a, bool) else str(a) for a in arguments]
    expression = f"{name}<{', '.join(words)}>" if words else name
    module = cupy.RawModule(code=source, options=("--std=c++14",), name_expressions=[expression])
    return module.get_function(expression)
