// From names and arrays to the right template: the only place where loss meets storage.
#pragma once
#include <cstdint>
#include <memory>
#include <string>

#include "engine/accelerated.hpp"
#include "engine/descent.hpp"
#include "kernels/any_columns.hpp"

namespace banditcd::engine {

struct ProblemArrays {
  AnyColumns A;
  std::size_t rows = 0, cols = 0;  // of A
  const double* signs = nullptr;   // of its columns
  std::string loss;                // "quadratic", "logistic" or "thresholded"
  const double *weight = nullptr, *target = nullptr;
  std::string penalty;
  PenaltyArrays penalty_arrays{};
  const double* h = nullptr;
};

// These throw std::invalid_argument for an unknown name.
std::unique_ptr<Descent> make_descent(const ProblemArrays& problem, const RuleOptions& options);
std::unique_ptr<Accelerated> make_accelerated(const ProblemArrays& problem, const std::string& name,
                                              const Parameters& parameters, const double* x0,
                                              Rng rng);

}  // namespace banditcd::engine
