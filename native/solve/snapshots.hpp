// Residuals of earlier bins, and what they still prove about correlations today.
//
// R = beta R_s + E with E orthogonal to R_s, so with c_j = <x_j, R_s> known,
//   | <x_j, R> - beta c_j | <= |x_j| |E|.
// This is a safe version of the stale estimates of the paper's bins: a column whose interval stays
// below its threshold is proven inactive without being read.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace banditcd {

class Snapshots {
 public:
  using Id = std::int64_t;  // counts up; an id is stale once its place was reused
  static constexpr Id kNever = -1;

  void resize(std::size_t rows, std::size_t places, const double* weight);
  // Remembers a residual and returns its id.
  Id remember(const double* residual, double square);
  // Relates every snapshot to the residual R (|R|^2 = square): beta and |E| for each.
  void relate(const double* residual, double square);
  bool known(Id id) const { return id >= 0 && id > newest_ - static_cast<Id>(places_); }
  // Of known ids only.
  double beta(Id id) const { return beta_[place(id)]; }
  double error(Id id) const { return error_[place(id)]; }

 private:
  double product(const double* a, const double* b) const;
  // Without a division: asked for every column of every bin.
  std::size_t place(Id id) const {
    return static_cast<std::size_t>(id >= turn_ ? id - turn_
                                                : id - turn_ + static_cast<Id>(places_));
  }

  std::size_t rows_ = 0, places_ = 0;
  const double* weight_ = nullptr;
  Id newest_ = kNever, turn_ = 0;              // turn_: the newest id at the first place
  std::vector<std::vector<double>> residual_;  // by place; each is made when it is needed
  std::vector<double> square_, beta_, error_;
};

}  // namespace banditcd
