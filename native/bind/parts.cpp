// Bindings of the solvers' parts, each for its own test against plain NumPy (_core.parts).
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "bind/gil.hpp"
#include "bind/matrices.hpp"
#include "bind/module.hpp"
#include "kernels/logistic_math.hpp"
#include "kernels/threads.hpp"
#include "kernels/tiles.hpp"
#include "logistic/stages.hpp"
#include "quadratic/line.hpp"
#include "quadratic/newton.hpp"
#include "quadratic/support_factor.hpp"
#include "solve/snapshots.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace banditcd;

namespace {

using Vector = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Matrix = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Output = nb::ndarray<double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using OutputMatrix = nb::ndarray<double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// out[j, i] = <a_i, b_j>, the product kernel on zero-padded copies.
void products(Matrix a, Matrix b, OutputMatrix out) {
  const std::size_t k = a.shape(1), lane = padded(k);
  require(b.shape(1) == k, "products: rows of a and b differ in length");
  require(out.shape(0) == b.shape(0) && out.shape(1) == a.shape(0),
          "products: out must be rows of b by rows of a");
  AlignedBuffer left, right;
  const auto pad = [&](const Matrix& from, AlignedBuffer& to) {
    to.reserve(from.shape(0) * lane + 1);
    std::fill(to.data(), to.data() + from.shape(0) * lane, 0.0);
    for (std::size_t i = 0; i < from.shape(0); ++i)
      std::copy_n(from.data() + i * k, k, to.data() + i * lane);
  };
  pad(a, left);
  pad(b, right);
  std::fill(out.data(), out.data() + out.shape(0) * out.shape(1), 0.0);
  add_products({left.data(), lane, a.shape(0)}, {right.data(), lane, b.shape(0)}, lane, 1.0,
               out.data(), a.shape(0));
}

// The same from the rows (a - mean) * scale in single precision.
void rough_products(Matrix a, Matrix b, double mean, double scale, OutputMatrix out) {
  const std::size_t k = a.shape(1), lane = (k + kRoughLane - 1) / kRoughLane * kRoughLane;
  require(b.shape(1) == k, "rough_products: rows of a and b differ in length");
  require(out.shape(0) == b.shape(0) && out.shape(1) == a.shape(0),
          "rough_products: out must be rows of b by rows of a");
  const auto narrow = [&](const Matrix& from) {
    std::vector<float, AlignedAllocator<float>> to(from.shape(0) * lane, 0.0F);
    for (std::size_t i = 0; i < from.shape(0); ++i)
      tile_kernel().narrow(from.data() + i * k, k, mean, scale, to.data() + i * lane);
    return to;
  };
  const auto left = narrow(a), right = narrow(b);
  std::fill(out.data(), out.data() + out.shape(0) * out.shape(1), 0.0);
  add_products(RoughPackedRows{left.data(), lane, a.shape(0)},
               RoughPackedRows{right.data(), lane, b.shape(0)}, lane, 1.0, out.data(), a.shape(0));
}

// out[b] = start + shift[b] - coef[b] . columns for kPoints points, the residual kernel.
void residuals(Matrix columns, Matrix coef, Vector start, Vector shift, OutputMatrix out) {
  const std::size_t count = columns.shape(0), k = columns.shape(1);
  require(k % kLane == 0 && coef.shape(0) == count && coef.shape(1) == kPoints &&
              start.shape(0) == k && shift.shape(0) == kPoints && out.shape(0) == kPoints &&
              out.shape(1) == k,
          "residuals: columns (count x k), coef (count x 4), start, shift, out (4 x k)");
  std::vector<const double*> x;
  for (std::size_t t = 0; t < count; ++t) x.push_back(columns.data() + t * k);
  Points points{x.data(), count, coef.data(), start.data(), {}};
  std::copy_n(shift.data(), kPoints, points.shift);
  tile_kernel().residuals(points, k, out.data(), k);
}

// Solves H x = b in place by the blocked Cholesky factorization; false if a pivot is too small.
bool cholesky_solve(Matrix H, Output b, double tolerance) {
  const std::size_t size = H.shape(0);
  require(H.shape(1) == size && b.shape(0) == size, "cholesky: H must be square, b match");
  Watch watch;
  Cholesky factor;
  factor.resize(size);
  for (std::size_t i = 0; i < size; ++i) std::copy_n(H.data() + i * size, i + 1, factor.row(i));
  if (!factor.factor(tolerance, watch)) return false;
  factor.solve(b.data());
  return true;
}

// Row k of x solves H x = b on the coordinates where wanted[k] is not zero, and is zero elsewhere;
// every factor comes from the one before. Returns whether all pivots were large enough.
bool support_solves(Matrix H, Vector b, Matrix wanted, OutputMatrix x) {
  const std::size_t size = H.shape(0), count = wanted.shape(0);
  require(H.shape(1) == size && b.shape(0) == size && wanted.shape(1) == size &&
              x.shape(0) == count && x.shape(1) == size,
          "support_factor: H must be square, b and the rows of wanted and x match");
  const std::vector<Penalty> g(size, Penalty{0.0, 0.0, -kInfinity, kInfinity});
  Quadratic problem;
  problem.size = problem.stride = size;
  problem.gram = H.data();
  problem.g = g.data();
  Watch watch;
  SupportFactor factor;
  for (std::size_t k = 0; k < count; ++k) {
    std::vector<std::size_t> set;
    std::vector<double> solution;
    for (std::size_t j = 0; j < size; ++j)
      if (wanted.data()[k * size + j] != 0.0) {
        set.push_back(j);
        solution.push_back(b.data()[j]);
      }
    if (!factor.factor(problem, set, 0.0, watch)) return false;
    factor.solve(solution);
    for (std::size_t t = 0; t < set.size(); ++t) x.data()[k * size + set[t]] = solution[t];
  }
  return true;
}

// A pool problem with one penalty row (l, m, lower, upper) per coordinate; x and c change in place.
struct PoolProblem {
  std::vector<Penalty> g;
  Quadratic view;

  PoolProblem(const Matrix& gram, const Vector& q, const Matrix& penalty, Output x, Output c) {
    const std::size_t size = q.shape(0);
    require(gram.shape(0) == size && gram.shape(1) == size && penalty.shape(0) == size &&
                penalty.shape(1) == 4 && x.shape(0) == size && c.shape(0) == size,
            "pool problem: gram, q, penalty (size x 4), x and c must agree in size");
    for (std::size_t j = 0; j < size; ++j) {
      const double* p = penalty.data() + 4 * j;
      g.push_back({p[0], p[1], p[2], p[3]});
    }
    view.size = view.stride = size;
    view.gram = gram.data();
    view.q = q.data();
    view.g = g.data();
    view.x = x.data();
    view.c = c.data();
    Watch watch;
    view.recompute(watch);
  }
};

std::string newton_step(Matrix gram, Vector q, Matrix penalty, Output x, Output c) {
  PoolProblem problem(gram, q, penalty, x, c);
  Watch watch;
  Newton newton;
  const char* names[] = {"exact", "progress", "optimal", "failed", "too_rough"};
  return names[static_cast<int>(newton.step(problem.view, problem.view.size, watch))];
}

// Moves a solution along its line as far as fall, at most to its end. Returns how far the line
// reaches; 0 if there is none.
double solution_line(Matrix gram, Vector q, Matrix penalty, Output x, Output c, double l1,
                     double fall) {
  PoolProblem problem(gram, q, penalty, x, c);
  Watch watch;
  SolutionLine line;
  if (!line.start(problem.view, l1, watch)) return 0.0;
  line.follow(problem.view, std::min(fall, line.reach()), watch);
  return line.reach();
}

std::pair<std::size_t, bool> sweep_once(Matrix gram, Vector q, Matrix penalty, Output x, Output c) {
  PoolProblem problem(gram, q, penalty, x, c);
  Watch watch;
  const Sweep out = sweep(problem.view, watch);
  return {out.moves, out.signs_changed};
}

// (beta, error) that relate a new residual to an old one.
std::pair<double, double> relate(Vector old_residual, Vector residual) {
  const std::size_t n = residual.shape(0);
  require(old_residual.shape(0) == n, "relate: residuals differ in length");
  const auto square = [n](const double* v) {
    double sum = 0.0;
    for (std::size_t i = 0; i < n; ++i) sum += v[i] * v[i];
    return sum;
  };
  Snapshots snapshots;
  snapshots.resize(n, 2, nullptr);
  const Snapshots::Id id = snapshots.remember(old_residual.data(), square(old_residual.data()));
  snapshots.relate(residual.data(), square(residual.data()));
  return {snapshots.beta(id), snapshots.error(id)};
}

// out[t] = t^2, each written by its own task.
void squares(std::size_t threads, Output out) {
  banditcd::bind::GilReleased release;
  banditcd::run_tasks(threads, out.shape(0), [&](std::size_t t) {
    out.data()[t] += static_cast<double>(t) * static_cast<double>(t);
  });
}

// Every task but one counts; that one throws.
std::size_t one_task_throws(std::size_t threads, std::size_t tasks, std::size_t place) {
  banditcd::bind::GilReleased release;
  std::atomic<std::size_t> done{0};
  banditcd::run_tasks(threads, tasks, [&](std::size_t t) {
    if (t == place) throw std::bad_alloc();
    ++done;
  });
  return done;
}

// The Gram matrix of all columns with row weights.
void weighted_gram(const bind::Columns& X, Vector weight, bool thinned, OutputMatrix out) {
  const std::unique_ptr<Design> design = X.design();
  const std::size_t size = design->cols(), rows = design->rows();
  require(weight.shape(0) == rows && out.shape(0) == size && out.shape(1) == size,
          "weighted_gram: weight needs one value per row, out is square in the columns");
  banditcd::bind::GilReleased release;
  Rowspace space;
  space.rows = rows;
  space.weight = weight.data();
  space.thinned = thinned;
  const std::vector<double> mean(size, 0.0);
  std::vector<Index> column(size);
  for (std::size_t j = 0; j < size; ++j) column[j] = static_cast<Index>(j);
  Watch watch;
  design->append_gram(space, mean.data(), {column.data(), 0, size, out.data(), size}, watch);
}

// 1 / (1 + exp(m)) and log(1 + exp(-m)) of every margin, by the kernels in use.
void logistic_loss(Vector margin, Output probability, Output loss) {
  const std::size_t n = margin.shape(0);
  require(probability.shape(0) == n && loss.shape(0) == n, "one place per margin is needed");
  logistic_kernels().loss(margin.data(), n, probability.data(), loss.data());
}

// sum_i KL(p_i || q_i), and sum_i KL(t q_i || q_i) with q_i = 1 / (1 + exp(m_i)).
double relative_entropy(Vector p, Vector q) {
  require(p.shape(0) == q.shape(0), "p and q need the same length");
  return logistic_kernels().relative_entropy(p.data(), q.data(), nullptr, p.shape(0));
}
double scaling_entropy(Vector margin, double t) {
  const std::vector<double> y(margin.shape(0), 1.0);
  return logistic_kernels().scaling_entropy({y.data(), nullptr, y.size()}, margin.data(), 0.0, t);
}

// Factors on the penalty asked for, stage by stage.
std::vector<double> logistic_stages(double steepness) {
  const logistic::Stages stages(steepness);
  std::vector<double> factors;
  for (int stage = stages.count(); stage > 0; --stage) factors.push_back(stages.factor(stage));
  return factors;
}

}  // namespace

void bind_parts(nb::module_& m) {
  m.def("weighted_gram", &weighted_gram, "X"_a, "weight"_a, "thinned"_a, "out"_a);
  m.def("logistic_loss", &logistic_loss, "margin"_a, "probability"_a, "loss"_a);
  m.def("relative_entropy", &relative_entropy, "p"_a, "q"_a);
  m.def("scaling_entropy", &scaling_entropy, "margin"_a, "t"_a);
  m.def("logistic_stages", &logistic_stages, "steepness"_a);
  m.def("thread_squares", &squares, "threads"_a, "out"_a);
  m.def("one_task_throws", &one_task_throws, "threads"_a, "tasks"_a, "place"_a);
  m.def("products", &products, "a"_a, "b"_a, "out"_a);
  m.def("rough_products", &rough_products, "a"_a, "b"_a, "mean"_a, "scale"_a, "out"_a);
  m.def("residuals", &residuals, "columns"_a, "coef"_a, "start"_a, "shift"_a, "out"_a);
  m.def("line", &solution_line, "gram"_a, "q"_a, "penalty"_a, "x"_a, "c"_a, "l1"_a, "fall"_a);
  m.def("cholesky", &cholesky_solve, "H"_a, "b"_a, "tolerance"_a);
  m.def("support_factor", &support_solves, "H"_a, "b"_a, "wanted"_a, "x"_a);
  m.def("sweep", &sweep_once, "gram"_a, "q"_a, "penalty"_a, "x"_a, "c"_a);
  m.def("newton", &newton_step, "gram"_a, "q"_a, "penalty"_a, "x"_a, "c"_a);
  m.def("relate", &relate, "old_residual"_a, "residual"_a);
}
