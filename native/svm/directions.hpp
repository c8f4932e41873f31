// Directions of Newton steps, d = -H^-1 g, with
//
//   H = R + scale sum over the free rows of C_i z_i z_i^T,
//
// R the identity without the coordinate of a free intercept. Free rows are those whose dual
// variables follow their margins. What is summed over them follows their changes: rows that enter
// are added, rows that leave are subtracted. The sum is a matrix that is factored (hessian.hpp), or
// its diagonal, for conjugate gradients (cg_directions.hpp).
#pragma once
#include <memory>
#include <vector>

#include "solve/limits.hpp"
#include "svm/problem.hpp"
#include "svm/strategy.hpp"

namespace banditcd::svm {

class Directions {
 public:
  explicit Directions(const Problem& problem) : problem_(problem), is_free_(problem.size(), 0) {}
  virtual ~Directions() = default;
  Directions(const Directions&) = delete;
  Directions& operator=(const Directions&) = delete;

  // Row t is free, or not, from the next update() on.
  void set(Index t, bool is_free) {
    if (is_free != (is_free_[t] != 0)) change(t, is_free);
  }
  bool is_free(Index t) const { return is_free_[t] != 0; }
  void update(Watch& watch);
  // The gap that is asked for, and the reading of entries_read() at which a direction may end
  // early.
  void aim_at(double target, double entries) {
    target_ = target;
    entries_ = entries;
  }
  // Where the search along a direction ends (segment.hpp).
  virtual double flat_slope() const { return kFlatSlope; }
  // The sum is built again in double, unless it is in double already.
  virtual void build_exactly(Watch&) {}
  // The segment [w, w + d] is searched: d may be a multiple of the step. False if H is not positive
  // definite in float64, even with a tiny diagonal added.
  virtual bool direction(double scale, const std::vector<double>& g, std::vector<double>& d,
                         Watch& watch) = 0;

 protected:
  void build(Watch& watch);
  virtual void clear() = 0;
  virtual void add(const Changes& rows, double sign, Watch& watch) = 0;

  const Problem& problem_;
  std::vector<char> is_free_;
  double target_ = 0.0, entries_ = kInfinity;

 private:
  void change(Index t, bool is_free);
  static void forget(std::vector<Index>& rows);
  void add(const std::vector<Index>& rows, double sign, Watch& watch);

  std::size_t free_ = 0;
  std::vector<Index> entering_, leaving_;  // by place in the problem
};

enum class Steps { kMatrix, kProducts };
std::unique_ptr<Directions> make_directions(const Problem& problem, Steps steps);

}  // namespace banditcd::svm
