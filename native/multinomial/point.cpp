#include "multinomial/point.hpp"

#include <algorithm>
#include <cmath>

namespace banditcd::multinomial {
namespace {

constexpr int kSteps = 60, kHalvings = 40;
constexpr double kRounding = 4e-16;  // of all weight: an imbalance that is not looked at
constexpr double kClose = 1e-12;     // of all weight: from here on rounding may have the last word
constexpr double kPivot = 1e-14;

void add_to_rows(const std::vector<double>& step, double t, std::size_t rows, AlignedVector& z) {
  const std::size_t width = step.size();
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t k = 0; k < width; ++k) z[i * width + k] += t * step[k];
}

}  // namespace

Balance::Balance(const Problem& problem)
    : problem_(problem), wanted_(problem.class_weights()), total_(problem.total_weight()) {}

void Balance::imbalance(const AlignedVector& p, std::vector<double>& out) const {
  const std::size_t width = problem_.width();
  out.assign(width, 0.0);
  for (std::size_t i = 0; i < problem_.count(); ++i) {
    const double s = problem_.weight(i);
    for (std::size_t k = 0; k < width; ++k) out[k] += s * p[i * width + k];
  }
  for (std::size_t k = 0; k < width; ++k) out[k] -= wanted_[k];
}

// The last class is held, since only differences matter.
void Balance::solve(const AlignedVector& p, const std::vector<double>& rhs,
                    std::vector<double>& step, Watch& watch) {
  const std::size_t width = problem_.width(), size = problem_.classes() - 1;
  system_.resize(size);
  for (std::size_t k = 0; k < size; ++k) std::fill_n(system_.row(k), k + 1, 0.0);
  for (std::size_t i = 0; i < problem_.count(); ++i) {
    const double* share = p.data() + i * width;
    const double s = problem_.weight(i);
    for (std::size_t k = 0; k < size; ++k) {
      const double factor = s * share[k];
      double* row = system_.row(k);
      for (std::size_t l = 0; l < k; ++l) row[l] -= factor * share[l];
      row[k] += factor * (1.0 - share[k]);
    }
  }
  step.assign(width, 0.0);
  if (!system_.factor(kPivot, watch)) return;
  std::copy_n(rhs.begin(), size, step.begin());
  system_.solve(step.data());
  double mean = 0.0;
  for (std::size_t k = 0; k < size; ++k) mean += step[k] / static_cast<double>(size + 1);
  for (std::size_t k = 0; k <= size; ++k) step[k] -= mean;
}

double Balance::settle(AlignedVector& z, AlignedVector& p, double* b, double loss, Watch& watch) {
  const ClassKernels& kernels = class_kernels();
  std::vector<double> off, step;
  double before = kInfinity;
  for (int round = 0; round < kSteps; ++round) {
    imbalance(p, off);
    left_ = 0.0;
    for (const double value : off) left_ = std::max(left_, std::fabs(value) / total_);
    if (!(left_ > kRounding) || (left_ < kClose && left_ > 0.25 * before)) break;
    before = left_;
    solve(p, off, step, watch);
    double t = 1.0;
    for (int halving = 0; halving < kHalvings; ++halving, t *= 0.5) {
      trial_z_ = z;
      trial_p_.resize(p.size());
      add_to_rows(step, -t, problem_.count(), trial_z_);
      const double trial = kernels.softmax(problem_.rows, trial_z_.data(), trial_p_.data());
      watch.check();
      if (!(trial <= loss + kRounding * 16.0 * loss)) continue;
      loss = trial;
      z.swap(trial_z_);
      p.swap(trial_p_);
      for (std::size_t k = 0; k < step.size(); ++k) b[k] -= t * step[k];
      break;
    }
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
