// The choice among the kernels of several classes, and the portable ones.
#include "kernels/class_tiles.hpp"

#include "kernels/class_tiles_wide.hpp"
#include "kernels/vector.hpp"

namespace banditcd {
namespace {

// One number at a time: compilers make vectors of neighboring ones where they can.
struct Plain {
  using Vector = double;
  using Half = Plain;
  static constexpr std::size_t width = 1, registers = 16;
  static Vector zero() { return 0.0; }
  static Vector broadcast(double t) { return t; }
  static Vector load(const double* p) { return *p; }
  static void store(double* p, Vector v) { *p = v; }
  static Vector add(Vector a, Vector b) { return a + b; }
  static Vector fma(Vector a, Vector b, Vector c) { return a * b + c; }
};

}  // namespace

const ClassKernels portable_classes = class_kernels_of<Plain>();

const ClassKernels& class_kernels() {
#ifdef BANDITCD_X86
  if (&kernels() == &avx512_kernels) return avx512_classes;
  if (&kernels() == &avx2_kernels) return avx2_classes;
#endif
  return portable_classes;
}

}  // namespace banditcd
