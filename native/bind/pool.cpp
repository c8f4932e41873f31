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

// Penalties from rows (l, m, lower, upper).
std::vector<Penalty> penalties_of(const Matrix& rows, std::size_t size) {
  require(rows.shape(0) == size && rows.shape(1) == 4, "penalty must have one row of 4 per column");
  std::vector<Penalty> g(size);
  for (std::size_t j = 0; j < size; ++j) {
    const double* p = rows.data() + 4 * j;
    g[j] = {p[0], p[1], p[2], p[3]};
  }
  return g;
}

// Primal value, duality gap and dual scale of a point with coefficients w, correlations u with the
// residual, and |R|^2 = residual2; every column with w != 0 or |u| near its threshold.
std::tuple<double, double, double> certify_point(Vector<double> w, Vector<double> u, Matrix penalty,
                                                 double residual2) {
  const std::size_t size = w.shape(0);
  require(u.shape(0) == size, "certify: w and u must agree in size");
  const std::vector<Penalty> g = penalties_of(penalty, size);
  std::vector<Term> terms;
  for (std::size_t j = 0; j < size; ++j) terms.push_back({w.data()[j], u.data()[j], g[j]});
  const Certificate out = certify(terms, residual2);
  return {out.primal, out.gap, out.scale};
}

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
    require(x.shape(0) == size, "pool: x must have q's size");
    const std::vector<Penalty> g = penalties_of(penalty, size);
    AlignedVector c(size);
    Quadratic pool{size,     gram.shape(1), gram.data(), q.data(),
                   g.data(), x.data(),      c.data(),    square};
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
  m.def("certify", &certify_point, "w"_a, "u"_a, "penalty"_a, "residual2"_a,
        "Primal value, duality gap and dual scale of a point, from its correlations.");
}
