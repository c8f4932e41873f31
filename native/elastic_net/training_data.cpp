#include "elastic_net/training_data.hpp"

#include <cmath>
#include <stdexcept>
#include <utility>

#include "kernels/vector.hpp"

namespace banditcd::elastic_net {

TrainingData::TrainingData(std::unique_ptr<Design> design, const FitData& fit)
    : design_(std::move(design)),
      fit_(fit),
      rows_(design_->rows(), fit_.sample_weight, fit_.intercept) {}

void TrainingData::survey(Watch& watch) {
  y_.assign(fit_.y, fit_.y + design_->rows());
  y_mean_ = center(y_, 0.0, 0.0);
  std::vector<double> weighted;
  if (fit_.sample_weight) weigh(y_, weighted);
  const double* v = fit_.sample_weight ? weighted.data() : y_.data();
  null_square_ = dot(y_.data(), v, y_.size());
  facts_.resize(design_->cols());
  design_->survey(space(), v, facts_, watch);
  if (!std::isfinite(null_square_))
    throw std::overflow_error("The squares of y overflow float64; scale the data down.");
  read(static_cast<double>(design_->entries()));
}

double TrainingData::center(std::vector<double>& v, double shift, double constant) const {
  const double* s = fit_.sample_weight;
  // Twice: the first mean is rounded relative to the size of y and X w, the second relative to R.
  // What is left of the mean would be multiplied by the column means in every correlation.
  for (int repeat = 0; fit_.intercept && repeat < 2; ++repeat, shift = 0.0) {
    double sum = 0.0;
    for (std::size_t i = 0; i < v.size(); ++i) sum += (s ? s[i] : 1.0) * (v[i] + shift);
    const double mean = sum / space().total_weight;
    for (double& value : v) value += shift - mean;
    constant += mean;
  }
  return constant;
}

void TrainingData::weigh(const std::vector<double>& v, std::vector<double>& out) const {
  const double* s = fit_.sample_weight;
  out.resize(v.size());
  for (std::size_t i = 0; i < v.size(); ++i) out[i] = s ? s[i] * v[i] : v[i];
}

double TrainingData::raw_norm(Index j) const {
  return std::sqrt(facts_.square[j] + space().total_weight * facts_.mean[j] * facts_.mean[j]);
}

}  // namespace banditcd::elastic_net
