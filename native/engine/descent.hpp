// The state of a run and what one step does to it, whatever the loss and the storage.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/penalty.hpp"

namespace banditcd::engine {

class Selector;

enum class Rule { kProximal, kReference, kExact, kSdcaLogistic };

struct RuleOptions {
  Rule rule = Rule::kProximal;
  bool minimizes = false;  // the rule ends at the minimum along i, so r_i is 0 afterwards
  bool skip = false;       // StingyCD: do not compute updates that are provably zero
};

// The outcome of a step: the decrease it guaranteed and the marginal decrease it left.
struct Step {
  double decrease, r_after;
};

// The parts of an outcome that the selector uses; the others are not computed.
struct Needs {
  bool decrease = true, r_after = true;
};

class Descent {
 public:
  virtual ~Descent() = default;

  std::size_t size() const { return x_.size(); }
  const std::vector<double>& x() const { return x_; }
  const double* h() const { return h_; }
  const Penalty& penalty() const { return *penalty_; }
  std::uint64_t entries() const { return entries_; }  // matrix entries touched so far
  std::uint64_t moves() const { return moves_; }      // steps that changed their coordinate
  double last_move() const { return last_move_; }
  double last_correlation() const { return last_correlation_; }

  virtual std::size_t column_entries(std::size_t i) const = 0;
  virtual std::size_t matrix_entries() const = 0;
  virtual void set_state(const double* x) = 0;    // v and w from scratch
  virtual double correlation(std::size_t i) = 0;  // u_i = -a_i . w, one dot
  virtual void correlations(double* u) = 0;       // all u_i, one pass; u has length d
  virtual double partial_correlation(std::size_t i, std::size_t first, std::size_t count) = 0;
  // Column i of the Gram matrix A^T C A, one pass; only where f is quadratic (is_quadratic).
  virtual bool is_quadratic() const = 0;
  virtual void gram_column(std::size_t i, double* out) = 0;
  virtual void line(std::size_t i, double t, double* slope, double* bend) = 0;
  virtual Step step(std::size_t i, Needs needs = {}) = 0;         // update coordinate i by the rule
  virtual void move(std::size_t i, double target, double u) = 0;  // for a rule from outside

  // r of every coordinate, one pass; written where u was, so that a refresh fills one array.
  void marginal_decreases(double* r) {
    correlations(r);
    penalty_->marginal_decreases(x_.data(), h_, r, x_.size());
  }

  // Entries that a selector read by itself.
  void charge(std::uint64_t entries) { entries_ += entries; }

  // Up to `steps` steps: choose, update, learn. Returns early after about `seconds`.
  std::size_t run(Selector& selector, std::size_t steps, double seconds);

 protected:
  std::vector<double> x_;
  const double* h_ = nullptr;
  std::unique_ptr<Penalty> penalty_;
  std::uint64_t entries_ = 0, moves_ = 0;
  double last_move_ = 0.0, last_correlation_ = 0.0;
};

}  // namespace banditcd::engine
