// Products of a matrix with one vector for each of several classes, and the softmax of its rows.
//
// The values of all classes stand side by side, in rows of `width` doubles (class_width: a multiple
// of four, zeros behind the last class), so that every entry of X that is read serves all classes
// at once, dense or sparse.
#pragma once
#include <cstddef>
#include <cstdint>

namespace banditcd {

constexpr std::size_t kClassLane = 4;
inline std::size_t class_width(std::size_t classes) {
  return (classes + kClassLane - 1) / kClassLane * kClassLane;
}

// Entry (a, t) of a dense block at data[a * outer + t * inner]: rows or columns of X.
template <class T>
struct StridedBlock {
  const T* data = nullptr;
  std::size_t outer = 0, inner = 0;
  std::size_t outers = 0, inners = 0;
};

// Entries of a sparse row, beside rows of values for all classes.
template <class T>
struct SparseRow {
  const T* value = nullptr;
  const std::int32_t* index = nullptr;
  std::size_t count = 0;
};

// Labels and weights of the rows of a softmax.
struct ClassRows {
  const std::int32_t* label = nullptr;
  const double* weight = nullptr;  // s; null means all ones
  std::size_t rows = 0, classes = 0, width = 0;
};

// The least probability of a softmax is exp(-kHeld) of the largest.
constexpr double kHeld = 708.0;

struct ClassKernels {
  // c_a += sum_t x_at w_t, for rows c_a and w_t of width doubles.
  void (*dense)(const StridedBlock<double>& x, const double* w, std::size_t width, double* c);
  void (*dense_f32)(const StridedBlock<float>& x, const double* w, std::size_t width, double* c);
  // c += sum_t x_t w_index[t]
  void (*gather)(const SparseRow<double>& x, const double* w, std::size_t width, double* c);
  void (*gather_f32)(const SparseRow<float>& x, const double* w, std::size_t width, double* c);
  // c_index[t] += x_t w
  void (*scatter)(const SparseRow<double>& x, const double* w, std::size_t width, double* c);
  void (*scatter_f32)(const SparseRow<float>& x, const double* w, std::size_t width, double* c);
  // p_i = softmax(z_i); returns sum_i s_i (logsumexp(z_i) - z_i,label). Without overflow; a
  // probability is at least exp(-kHeld) of the largest.
  double (*softmax)(const ClassRows& rows, const double* z, double* p);
  // u_i = s_i (diag(p_i) - p_i p_i^T) z_i, the curvature of the softmax times z; u may be z.
  void (*curve)(const ClassRows& rows, const double* p, const double* z, double* u);
  // sum_i s_i KL(q_i || p_i); every q_i is a distribution.
  double (*relative_entropy)(const ClassRows& rows, const double* q, const double* p);
};

// The kernels that belong to the vector kernels in use (kernels/vector.hpp).
const ClassKernels& class_kernels();

extern const ClassKernels portable_classes;
#ifdef BANDITCD_X86
extern const ClassKernels avx2_classes;
extern const ClassKernels avx512_classes;
#endif

inline void add_class_products(const StridedBlock<double>& x, const double* w, std::size_t width,
                               double* c) {
  class_kernels().dense(x, w, width, c);
}
inline void add_class_products(const StridedBlock<float>& x, const double* w, std::size_t width,
                               double* c) {
  class_kernels().dense_f32(x, w, width, c);
}
inline void gather_classes(const SparseRow<double>& x, const double* w, std::size_t width,
                           double* c) {
  class_kernels().gather(x, w, width, c);
}
inline void gather_classes(const SparseRow<float>& x, const double* w, std::size_t width,
                           double* c) {
  class_kernels().gather_f32(x, w, width, c);
}
inline void scatter_classes(const SparseRow<double>& x, const double* w, std::size_t width,
                            double* c) {
  class_kernels().scatter(x, w, width, c);
}
inline void scatter_classes(const SparseRow<float>& x, const double* w, std::size_t width,
                            double* c) {
  class_kernels().scatter_f32(x, w, width, c);
}

}  // namespace banditcd
