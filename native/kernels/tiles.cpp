// Loops around the tile: blocks that fit the caches, and the portable tile.
#include "kernels/tiles.hpp"

#include <algorithm>

#include "kernels/memory.hpp"
#include "kernels/prices.hpp"
#include "kernels/vector.hpp"

namespace banditcd {
namespace {

constexpr std::size_t kPortable = 2;

// Two by two products in four lanes each: short loops that any compiler vectorizes.
template <class V>
void portable(const V* const* a, const V* const* b, std::size_t k, double sign, double* c,
              std::size_t ldc) {
  V sum[kPortable][kPortable][4] = {};
  for (std::size_t p = 0; p < k; p += 4)
    for (std::size_t j = 0; j < kPortable; ++j)
      for (std::size_t i = 0; i < kPortable; ++i)
        for (std::size_t lane = 0; lane < 4; ++lane)
          sum[j][i][lane] += a[i][p + lane] * b[j][p + lane];
  for (std::size_t j = 0; j < kPortable; ++j)
    for (std::size_t i = 0; i < kPortable; ++i) {
      const V* s = sum[j][i];
      c[j * ldc + i] += sign * static_cast<double>((s[0] + s[2]) + (s[1] + s[3]));
    }
}

void portable_narrow(const double* a, std::size_t k, double mean, double scale, float* out) {
  for (std::size_t i = 0; i < k; ++i) out[i] = static_cast<float>((a[i] - mean) * scale);
}

void portable_residuals(const Points& points, std::size_t k, double* out, std::size_t ldo) {
  for (std::size_t b = 0; b < kPoints; ++b) {
    double* r = out + b * ldo;
    for (std::size_t i = 0; i < k; ++i) r[i] = 0.0;
    for (std::size_t t = 0; t < points.count; ++t) {
      const double w = points.w[t * kPoints + b], *x = points.x[t];
      if (w == 0.0) continue;
      for (std::size_t i = 0; i < k; ++i) r[i] += w * x[i];
    }
    for (std::size_t i = 0; i < k; ++i) r[i] = points.start[i] + (points.shift[b] - r[i]);
  }
}

void portable_spread(const SparseColumn& a, const double* w, double* r) {
  for (std::size_t k = 0; k < a.count; ++k)
    for (std::size_t b = 0; b < kSideBySide; ++b) r[a.place(k) + b] -= a.value[k] * w[b];
}

void portable_gather(const SparseColumn& a, const double* r, double* u) {
  double sum[kSideBySide] = {};
  for (std::size_t k = 0; k < a.count; ++k)
    for (std::size_t b = 0; b < kSideBySide; ++b) sum[b] += a.value[k] * r[a.place(k) + b];
  std::copy_n(sum, kSideBySide, u);
}

constexpr std::size_t kMaxTile = 8;

// Pointers to rows first .. first + count; a tile at the edge repeats the last row.
template <class V>
void row_pointers(const PackedRowsOf<V>& rows, std::size_t first, std::size_t count,
                  std::size_t offset, const V** out) {
  for (std::size_t t = 0; t < count; ++t)
    out[t] = rows.data + std::min(first + t, rows.count - 1) * rows.stride + offset;
}

struct Block {
  std::size_t k_first, k_size, b_first, b_last;
};

auto tile_of(const TileKernel& kernel, const double*) { return kernel.tile; }
auto tile_of(const TileKernel& kernel, const float*) { return kernel.rough; }

template <class V>
void add_block(const TileKernel& kernel, const PackedRowsOf<V>& a, const PackedRowsOf<V>& b,
               const Block& block, double sign, double* c, std::size_t ldc, Part part,
               std::size_t a_first) {
  const V* left[kMaxTile];
  const V* right[kMaxTile];
  const auto tile = tile_of(kernel, a.data);
  for (std::size_t i = 0; i < a.count; i += kernel.a_rows) {
    row_pointers(a, i, kernel.a_rows, block.k_first, left);
    const std::size_t i_count = std::min(kernel.a_rows, a.count - i);
    for (std::size_t j = block.b_first; j < block.b_last; j += kernel.b_rows) {
      const std::size_t j_count = std::min(kernel.b_rows, block.b_last - j);
      if (part == Part::kDiagonal && i + a_first >= j + j_count) continue;
      row_pointers(b, j, kernel.b_rows, block.k_first, right);
      double* corner = c + j * ldc + i;
      if (i_count == kernel.a_rows && j_count == kernel.b_rows) {
        tile(left, right, block.k_size, sign, corner, ldc);
        continue;
      }
      double edge[kMaxTile * kMaxTile] = {};
      tile(left, right, block.k_size, sign, edge, kMaxTile);
      for (std::size_t t = 0; t < j_count; ++t)
        for (std::size_t s = 0; s < i_count; ++s) corner[t * ldc + s] += edge[t * kMaxTile + s];
    }
  }
}

template <class V>
void add_all(const PackedRowsOf<V>& a, const PackedRowsOf<V>& b, std::size_t k, double sign,
             double* c, std::size_t ldc, Part part, std::size_t a_first) {
  if (a.count == 0 || b.count == 0) return;
  const TileKernel& kernel = tile_kernel();
  constexpr std::size_t rows = kGramRows * sizeof(double) / sizeof(V);
  for (std::size_t p = 0; p < k; p += rows)
    for (std::size_t j = 0; j < b.count; j += kGramColumns)
      add_block(kernel, a, b, {p, std::min(rows, k - p), j, std::min(j + kGramColumns, b.count)},
                sign, c, ldc, part, a_first);
}

}  // namespace

const TileKernel portable_tile = {kPortable,       kPortable,       portable<double>,
                                  portable<float>, portable_narrow, portable_residuals,
                                  portable_spread, portable_gather};

const TileKernel& tile_kernel() {
#ifdef BANDITCD_X86
  if (&kernels() == &avx512_kernels) return avx512_tile;
  if (&kernels() == &avx2_kernels) return avx2_tile;
#endif
  return portable_tile;
}

void add_products(const PackedRows& a, const PackedRows& b, std::size_t k, double sign, double* c,
                  std::size_t ldc, Part part, std::size_t a_first) {
  add_all(a, b, k, sign, c, ldc, part, a_first);
}

void add_products(const RoughPackedRows& a, const RoughPackedRows& b, std::size_t k, double sign,
                  double* c, std::size_t ldc, Part part, std::size_t a_first) {
  add_all(a, b, k, sign, c, ldc, part, a_first);
}

}  // namespace banditcd
