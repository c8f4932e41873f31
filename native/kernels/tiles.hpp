// Blocks of inner products, C(j, i) += sign <a_i, b_j>: the one BLAS-3 kernel of the solver.
//
// The rows a_i and b_j are contiguous along the sum, so nothing is transposed: a tile keeps
// A x B accumulators in registers and adds their lanes at the end. The Gram matrix of columns and
// the left-looking Cholesky factorization are both made of this.
#pragma once
#include <cstddef>
#include <cstdint>

namespace banditcd {

// kPoints points in terms of the same columns, for their residuals.
constexpr std::size_t kPoints = 4;
struct Points {
  const double* const* x;  // by column
  std::size_t count;       // how many columns
  const double* w;         // coefficient of column t in point b at t * kPoints + b
  const double* start;     // by row
  double shift[kPoints];
};

// A stretch of a sparse column, beside kSideBySide vectors of the rows from `first` on: entry b of
// row i is at (i - first) * kSideBySide + b.
constexpr std::size_t kSideBySide = 8;
struct SparseColumn {
  const double* value;
  const std::int32_t* row;
  std::size_t count;
  std::int32_t first = 0;
  std::size_t place(std::size_t k) const {
    return static_cast<std::size_t>(row[k] - first) * kSideBySide;
  }
};

struct TileKernel {
  std::size_t a_rows, b_rows;
  // c[j * ldc + i] += sign * <a[i], b[j]>; k is a multiple of kLane.
  void (*tile)(const double* const* a, const double* const* b, std::size_t k, double sign,
               double* c, std::size_t ldc);
  // The same in single precision, summed up in double; k is a multiple of kRoughLane.
  void (*rough)(const float* const* a, const float* const* b, std::size_t k, double sign, double* c,
                std::size_t ldc);
  // out[i] = (a[i] - mean) * scale, rounded, for k entries.
  void (*narrow)(const double* a, std::size_t k, double mean, double scale, float* out);
  // out[b * ldo + i] = start[i] + shift[b] - sum_t w_tb x_ti; k rows, a multiple of kLane.
  void (*residuals)(const Points& points, std::size_t k, double* out, std::size_t ldo);
  // r_ib -= a_i w_b for a sparse column, and u_b = sum_i a_i r_ib.
  void (*spread)(const SparseColumn& a, const double* w, double* r);
  void (*gather)(const SparseColumn& a, const double* r, double* u);
};

extern const TileKernel portable_tile;
#ifdef BANDITCD_X86
extern const TileKernel avx2_tile;
extern const TileKernel avx512_tile;
#endif
// The kernel that belongs to the vector kernels in use (kernels/vector.hpp).
const TileKernel& tile_kernel();

template <class V>
struct PackedRowsOf {
  const V* data;
  std::size_t stride, count;
};
using PackedRows = PackedRowsOf<double>;
using RoughPackedRows = PackedRowsOf<float>;
constexpr std::size_t kRoughLane = 16;
enum class Part { kAll, kDiagonal };  // kDiagonal: only tiles that meet i <= j

// c[j * ldc + i] += sign * <a_i, b_j> over k entries (k a multiple of kLane, rows zero-padded).
// kDiagonal compares i + a_first with j, for blocks of a symmetric matrix.
void add_products(const PackedRows& a, const PackedRows& b, std::size_t k, double sign, double* c,
                  std::size_t ldc, Part part = Part::kAll, std::size_t a_first = 0);
// The same from single precision, at twice the speed (k a multiple of kRoughLane).
void add_products(const RoughPackedRows& a, const RoughPackedRows& b, std::size_t k, double sign,
                  double* c, std::size_t ldc, Part part = Part::kAll, std::size_t a_first = 0);

}  // namespace banditcd
