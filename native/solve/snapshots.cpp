#include "solve/snapshots.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/vector.hpp"

namespace banditcd {

// Rounding of the correlations and of <R, R_s> is far below this share of |R|^2.
constexpr double kSlack = 1e-13;

void Snapshots::resize(std::size_t rows, std::size_t places, const double* weight) {
  rows_ = rows;
  places_ = places;
  weight_ = weight;
  newest_ = kNever;
  turn_ = 0;
  residual_.assign(places, {});
  square_.assign(places, 0.0);
  beta_.assign(places, 0.0);
  error_.assign(places, 0.0);
}

double Snapshots::product(const double* a, const double* b) const {
  if (weight_ == nullptr) return dot(a, b, rows_);
  double sum = 0.0;
  for (std::size_t i = 0; i < rows_; ++i) sum += weight_[i] * a[i] * b[i];
  return sum;
}

Snapshots::Id Snapshots::remember(const double* residual, double square) {
  const std::size_t place = static_cast<std::size_t>(++newest_) % places_;
  if (place == 0) turn_ = newest_;
  residual_[place].assign(residual, residual + rows_);
  square_[place] = square;
  beta_[place] = 1.0;
  error_[place] = std::sqrt(kSlack * square);
  return newest_;
}

void Snapshots::relate(const double* residual, double square) {
  const std::size_t used = std::min<std::size_t>(static_cast<std::size_t>(newest_ + 1), places_);
  for (std::size_t place = 0; place < used; ++place) {
    const double own = square_[place];
    const double beta = own > 0.0 ? product(residual, residual_[place].data()) / own : 0.0;
    beta_[place] = beta;
    error_[place] = std::sqrt(std::max(0.0, square - beta * beta * own) +
                              kSlack * (square + beta * beta * own));
  }
}

}  // namespace banditcd
