#include "svm/directions.hpp"

#include "svm/cg_directions.hpp"
#include "svm/hessian.hpp"

namespace banditcd::svm {

void Directions::change(Index t, bool is_free) {
  is_free_[t] = is_free;
  const Index id = problem_.ids[t];
  Changes& other = is_free ? leaving_ : entering_;
  // A sample that changes sides keeps its part of the Hessian.
  if (problem_.paired() && other.size() > 0 && other.ids.back() == (id ^ 1))
    other.pop();
  else
    (is_free ? entering_ : leaving_).push(id, problem_.cost[t]);
}

void Directions::update(Watch& watch) {
  free_ += entering_.size();
  free_ -= leaving_.size();
  if (entering_.size() + leaving_.size() <= free_) {
    add(entering_, 1.0, watch);
    add(leaving_, -1.0, watch);
  } else {
    build(watch);
  }
  entering_.clear();
  leaving_.clear();
}

void Directions::build(Watch& watch) {
  clear();
  entering_.clear();
  for (std::size_t t = 0; t < problem_.size(); ++t)
    if (is_free_[t]) entering_.push(problem_.ids[t], problem_.cost[t]);
  add(entering_, 1.0, watch);
  entering_.clear();
}

std::unique_ptr<Directions> make_directions(const Problem& problem, Steps steps) {
  if (steps == Steps::kMatrix) return std::make_unique<Hessian>(problem);
  return std::make_unique<CgDirections>(problem);
}

}  // namespace banditcd::svm
