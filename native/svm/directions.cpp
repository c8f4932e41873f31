#include "svm/directions.hpp"

#include <algorithm>

#include "kernels/memory.hpp"
#include "svm/cg_directions.hpp"
#include "svm/hessian.hpp"

namespace banditcd::svm {

void Directions::change(Index t, bool is_free) {
  is_free_[t] = is_free;
  if (free_ == 0) return;  // the next update builds the sum of all
  std::vector<Index>& other = is_free ? leaving_ : entering_;
  // A sample that changes sides keeps its part of the Hessian.
  if (problem_.paired() && !other.empty() && other.back() == (t ^ 1))
    other.pop_back();
  else
    (is_free ? entering_ : leaving_).push_back(t);
}

void Directions::update(Watch& watch) {
  if (free_ == 0) {
    free_ = static_cast<std::size_t>(std::count(is_free_.begin(), is_free_.end(), 1));
    return build(watch);
  }
  free_ += entering_.size();
  free_ -= leaving_.size();
  if (entering_.size() + leaving_.size() <= free_) {
    add(entering_, 1.0, watch);
    add(leaving_, -1.0, watch);
  } else {
    build(watch);
  }
  forget(entering_);
  forget(leaving_);
}

// The first changes are many, and take their memory with them.
void Directions::forget(std::vector<Index>& rows) {
  rows.clear();
  if (rows.capacity() > kRowsOfPart) release(rows);
}

void Directions::build(Watch& watch) {
  clear();
  entering_.clear();
  for (std::size_t t = 0; t < problem_.size(); ++t) {
    if (!is_free_[t]) continue;
    // Neighbors are added together: they may be two sides of one sample.
    if (entering_.size() >= kRowsOfPart && (t % 2 == 0 || !is_free_[t - 1])) {
      add(entering_, 1.0, watch);
      entering_.clear();
    }
    entering_.push_back(static_cast<Index>(t));
  }
  add(entering_, 1.0, watch);
  entering_.clear();
}

void Directions::add(const std::vector<Index>& rows, double sign, Watch& watch) {
  Changes part;
  part.reserve(std::min(rows.size(), kRowsOfPart + 1));
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const auto t = static_cast<std::size_t>(rows[k]);
    if (part.full() && (t % 2 == 0 || rows[k - 1] + 1 != rows[k])) {
      add(part, sign, watch);
      part.clear();
    }
    part.push(problem_.ids[t], problem_.cost(t));
  }
  if (part.size() > 0) add(part, sign, watch);
}

std::unique_ptr<Directions> make_directions(const Problem& problem, Steps steps) {
  if (steps == Steps::kMatrix) return std::make_unique<Hessian>(problem);
  return std::make_unique<CgDirections>(problem);
}

}  // namespace banditcd::svm
