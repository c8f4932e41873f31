// The solver of a pool in Gram space, for data that live elsewhere: whoever has the Gram matrix of
// some columns and their correlations with y gets the minimizer on them, without the data.
#include <nanobind/stl/tuple.h>

#include <tuple>
#include <vector>

#include "bind/arrays.hpp"
#include "bind/interrupt.hpp"
#include "bind/module.hpp"
#include "quadratic/inner.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace banditcd::bind {
namespace {

using Matrix = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// min over x of 1/2 x^T G x - q^T x + sum_j (l_j |x_j| + m_j / 2 x_j^2), lower_j <= x_j <= upper_j,
// warm-started at x, which is replaced, to a duality gap of at most target. square = |y|^2 makes
// the objective that of the data, |y - A x|^2 / 2 with G = A^T A and q = A^T y.
class PoolSolver {
 public:
  // penalty: one row (l, m, lower, upper) per coordinate. Returns primal and gap.
  std::tuple<double, double> solve(Matrix gram, Vector<double> q, Matrix penalty, double square,
                                   double target, Output x) {
    const std::size_t size = q.shape(0);
    require(gram.shape(0) == size && gram.shape(1) >= size, "pool: G must be square in q's size");
    require(penalty.shape(0) == size && penalty.shape(1) == 4, "pool: penalty must be size x 4");
    require(x.shape(0) == size, "pool: x must have q's size");
    std::vector<Penalty> g(size);
    for (std::size_t j = 0; j < size; ++j) {
      const double* p = penalty.data() + 4 * j;
      g[j] = {p[0], p[1], p[2], p[3]};
    }
    AlignedVector c(size);
    Quadratic pool;
    pool.size = size;
    pool.stride = gram.shape(1);
    pool.gram = gram.data();
    pool.q = q.data();
    pool.g = g.data();
    pool.x = x.data();
    pool.c = c.data();
    pool.square = square;
    return watched(kInfinity, [&](Watch& watch) {
      pool.recompute(watch);
      inner_.solve(pool, target, size, watch);
      Terms terms;
      const Certificate certificate = pool.certificate(terms);
      return std::make_tuple(certificate.primal, certificate.gap);
    });
  }
  std::size_t epochs() const { return inner_.epochs(); }
  std::size_t newtons() const { return inner_.newtons(); }

 private:
  InnerSolver inner_;
};

}  // namespace
}  // namespace banditcd::bind

void bind_pool(nb::module_& m) {
  using namespace banditcd::bind;
  nb::class_<PoolSolver>(m, "PoolSolver", "Solves a pool in Gram space; keeps its work space.")
      .def(nb::init<>())
      .def("solve", &PoolSolver::solve, "gram"_a, "q"_a, "penalty"_a, "square"_a, "target"_a, "x"_a,
           "Minimize on the pool from x, in place; return the primal value and the gap.")
      .def_prop_ro("epochs", &PoolSolver::epochs)
      .def_prop_ro("newtons", &PoolSolver::newtons);
}
