#include "multinomial/point.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace banditcd::multinomial {
namespace {

constexpr int kSteps = 60, kHalvings = 40;
// Of the weight of wrong probabilities: an imbalance that is not looked at, and one from which on
// rounding may have the last word.
constexpr double kRounding = 4e-16, kClose = 1e-12;
constexpr double kPivot = 1e-14;
constexpr double kNearlyHeld = 1e-307;           // a probability above this is not held
constexpr std::size_t kCheckProducts = 1 << 20;  // between two looks at the watch
constexpr double kFar = 5.0;                     // of an intercept: Newton's step is no good

void add_to_rows(const std::vector<double>& step, double t, std::size_t rows, AlignedVector& z) {
  const std::size_t width = step.size();
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t k = 0; k < width; ++k) z[i * width + k] += t * step[k];
}

}  // namespace

Balance::Balance(const Problem& problem)
    : problem_(problem), total_(problem.total_weight()), shared_(problem.classes()) {}

// The others' probabilities stand for 1 - p of a row's own class: where weights differ by many
// orders, sum_i s_i p_ik and the weight of class k have no digits in common to spare.
double Balance::imbalance(const AlignedVector& p, std::vector<double>& out) const {
  const std::size_t width = problem_.width();
  out.assign(width, 0.0);
  double wrong = 0.0;
  for (std::size_t i = 0; i < problem_.count(); ++i) {
    const double s = problem_.weight(i), *share = p.data() + i * width;
    const auto label = static_cast<std::size_t>(problem_.rows.label[i]);
    double others = 0.0;
    for (std::size_t k = 0; k < width; ++k) {
      const double part = k == label ? 0.0 : s * share[k];
      out[k] += part;
      others += part;
    }
    out[label] -= others;
    wrong += others;
  }
  return wrong;
}

// The matrix is the Laplacian of a graph of the classes: from what pairs share follows its diagonal
// without cancellation. Only differences matter, and the class with the most curvature is held: the
// pivots of the others keep their digits.
void Balance::solve(const AlignedVector& p, const std::vector<double>& rhs,
                    std::vector<double>& step, Watch& watch) {
  const std::size_t classes = problem_.classes();
  find_shared(p, watch);
  std::vector<std::size_t> moving(classes);
  std::iota(moving.begin(), moving.end(), std::size_t{0});
  moving.erase(std::max_element(moving.begin(), moving.end(),
                                [&](auto a, auto b) { return shared_[a][a] < shared_[b][b]; }));
  system_.resize(moving.size());
  for (std::size_t k = 0; k < moving.size(); ++k)
    for (std::size_t l = 0; l <= k; ++l)
      system_.row(k)[l] = (k == l ? 1.0 : -1.0) * shared_[moving[k]][moving[l]];
  step.assign(problem_.width(), 0.0);
  if (!system_.factor(kPivot, watch)) return;
  std::vector<double> solution;
  for (const std::size_t k : moving) solution.push_back(rhs[k]);
  system_.solve(solution.data());
  double mean = 0.0;
  for (const double value : solution) mean += value / static_cast<double>(classes);
  std::fill_n(step.begin(), classes, -mean);
  for (std::size_t k = 0; k < moving.size(); ++k) step[moving[k]] += solution[k];
}

// sum_i s_i p_ik p_il for l < k, and their sums over l beside k on the diagonal.
void Balance::find_shared(const AlignedVector& p, Watch& watch) {
  const std::size_t classes = problem_.classes();
  const std::size_t period = kCheckProducts / (classes * classes) + 1;
  for (std::vector<double>& row : shared_) row.assign(classes, 0.0);
  for (std::size_t i = 0; i < problem_.count(); ++i) {
    const double* share = p.data() + i * problem_.width();
    for (std::size_t k = 1; k < classes; ++k) {
      const double factor = problem_.weight(i) * share[k];
      for (std::size_t l = 0; l < k; ++l) shared_[k][l] += factor * share[l];
    }
    if (i % period == 0) watch.check();
  }
  for (std::size_t k = 0; k < classes; ++k)
    for (std::size_t l = 0; l < k; ++l) {
      shared_[k][k] += shared_[k][l];
      shared_[l][l] += shared_[k][l];
    }
}

// One step of iterative scaling (Darroch and Ratcliff 1972), which lowers the loss from anywhere:
// log(sum_i s_i p_ik / the weight of class k).
void Balance::scale(const AlignedVector& p, std::vector<double>& step) const {
  const std::size_t width = problem_.width();
  const std::vector<double> wanted = problem_.class_weights();
  std::vector<double> found(width, 0.0);
  for (std::size_t i = 0; i < problem_.count(); ++i)
    for (std::size_t k = 0; k < width; ++k) found[k] += problem_.weight(i) * p[i * width + k];
  for (std::size_t k = 0; k < problem_.classes(); ++k)
    step[k] = found[k] > 0.0 && wanted[k] > 0.0 ? std::log(found[k] / wanted[k]) : 0.0;
}

bool Balance::move(const std::vector<double>& step, AlignedVector& z, AlignedVector& p, double* b,
                   double& loss, Watch& watch) {
  if (std::count(step.begin(), step.end(), 0.0) == static_cast<std::ptrdiff_t>(step.size()))
    return false;
  double t = 1.0;
  for (int halving = 0; halving < kHalvings; ++halving, t *= 0.5) {
    trial_z_ = z;
    trial_p_.resize(p.size());
    add_to_rows(step, -t, problem_.count(), trial_z_);
    const double trial = class_kernels().softmax(problem_.rows, trial_z_.data(), trial_p_.data());
    watch.check();
    if (!(trial <= loss + kRounding * 16.0 * loss)) continue;
    loss = trial;
    z.swap(trial_z_);
    p.swap(trial_p_);
    for (std::size_t k = 0; k < step.size(); ++k) b[k] -= t * step[k];
    return true;
  }
  return false;
}

double Balance::settle(AlignedVector& z, AlignedVector& p, double* b, double loss, Watch& watch) {
  std::vector<double> off, step;
  double before = kInfinity;
  for (int round = 0; round < kSteps; ++round) {
    const double wrong = imbalance(p, off);
    double largest = 0.0;
    for (const double value : off) largest = std::max(largest, std::fabs(value));
    left_ = largest / total_;
    if (!(largest > kRounding * wrong)) break;
    if (largest < kClose * wrong && largest > 0.25 * before) break;
    before = largest;
    solve(p, off, step, watch);
    if (std::any_of(step.begin(), step.end(), [](double v) { return std::fabs(v) > kFar; }))
      scale(p, step);
    if (!move(step, z, p, b, loss, watch)) break;  // another round would be the same
  }
  return loss;
}

Point::Point(const Problem& problem)
    : w(problem.cols * problem.width(), 0.0),
      z(problem.values(), 0.0),
      p(problem.values(), 0.0),
      theta(problem.values(), 0.0),
      b(problem.width(), 0.0),
      problem_(problem),
      balance_(problem) {}

void Point::set(const double* coef, const double* intercept) {
  const std::size_t d = problem_.cols, width = problem_.width();
  for (std::size_t k = 0; k < problem_.classes(); ++k) {
    for (std::size_t j = 0; j < d; ++j)
      w[j * width + k] = problem_.excluded(j) ? 0.0 : problem_.penalty.at(j).clip(coef[k * d + j]);
    b[k] = problem_.intercept ? intercept[k] : 0.0;
  }
}

void Point::set_null() {
  std::fill(w.begin(), w.end(), 0.0);
  b = problem_.null_intercepts();
}

void Point::write(double* coef, double* intercept) const {
  const std::size_t d = problem_.cols, width = problem_.width();
  for (std::size_t k = 0; k < problem_.classes(); ++k) {
    for (std::size_t j = 0; j < d; ++j) coef[k * d + j] = w[j * width + k];
    intercept[k] = b[k];
  }
}

void Point::evaluate() {
  add_to_rows(b, 1.0, problem_.count(), z);
  arrive(class_kernels().softmax(problem_.rows, z.data(), p.data()));
}

void Point::arrive(double at_loss) {
  loss = at_loss;
  find_theta();
  settled_ = !problem_.intercept;
}

bool Point::settle(Watch& watch) {
  if (settled_) return false;
  loss = balance_.settle(z, p, b.data(), loss, watch);
  find_theta();
  return settled_ = true;
}

void Point::find_theta() {
  const std::size_t width = problem_.width();
  for (std::size_t i = 0; i < problem_.count(); ++i) {
    const double s = problem_.weight(i);
    for (std::size_t k = 0; k < width; ++k) theta[i * width + k] = -s * p[i * width + k];
    // s (1 - p) without cancellation: the others' probabilities.
    double others = 0.0;
    const std::size_t label = static_cast<std::size_t>(problem_.rows.label[i]);
    for (std::size_t k = 0; k < width; ++k) others += k == label ? 0.0 : p[i * width + k];
    theta[i * width + label] = s * others;
  }
}

double Point::leftover() const {
  if (!problem_.intercept) return 0.0;
  if (!settled_ || balance_.left() > kOrthogonal) return kInfinity;
  std::vector<double> off;
  balance_.imbalance(p, off);
  double sum = 0.0;
  for (std::size_t k = 0; k < off.size(); ++k) sum += price_of_rest(off[k], b[k]);
  return sum;
}

double Point::missing(std::size_t i, std::size_t k) const {
  const std::size_t width = problem_.width();
  if (p[i * width + k] > kNearlyHeld) return 0.0;
  const double* row = z.data() + i * width;
  return std::max(0.0, *std::max_element(row, row + problem_.classes()) - row[k] - kHeld);
}

double Point::relative_entropy(const AlignedVector& q) const {
  const std::size_t width = problem_.width();
  double beyond = 0.0;
  for (std::size_t i = 0; i < problem_.count(); ++i)
    for (std::size_t k = 0; k < problem_.classes(); ++k)
      if (q[i * width + k] > 0.0 && p[i * width + k] <= kNearlyHeld)
        beyond += problem_.weight(i) * q[i * width + k] * missing(i, k);
  return class_kernels().relative_entropy(problem_.rows, q.data(), p.data()) + beyond;
}

double Point::penalty() const {
  double sum = 0.0;
  const std::size_t width = problem_.width();
  for (std::size_t j = 0; j < problem_.cols; ++j) {
    if (problem_.excluded(j)) continue;
    const Penalty g = problem_.penalty.at(j);
    double value = 0.0;
    for (std::size_t k = 0; k < problem_.classes(); ++k)
      if (w[j * width + k] != 0.0) value += g.value(w[j * width + k]);
    sum += value;
  }
  return sum;
}

std::size_t Point::support() const {
  return static_cast<std::size_t>(
      std::count_if(w.begin(), w.end(), [](double value) { return value != 0.0; }));
}

void Point::center() {
  for (std::size_t j = 0; j < problem_.cols; ++j) center_row(w.data() + j * problem_.width());
  center_intercepts();
}

void Point::center_intercepts() { center_row(b.data()); }

void Point::center_row(double* row) const {
  const std::size_t classes = problem_.classes();
  double mean = 0.0;
  for (std::size_t k = 0; k < classes; ++k) mean += row[k] / static_cast<double>(classes);
  for (std::size_t k = 0; k < classes; ++k) row[k] -= mean;
}

}  // namespace banditcd::multinomial
