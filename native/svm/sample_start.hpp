// Weights to start from: those of smaller problems on samples of the rows.
#pragma once
#include <vector>

#include "svm/problem.hpp"

namespace banditcd::svm {

// Zero where there are too few rows for a sample.
std::vector<double> sample_start(const Problem& problem, Watch& watch);

}  // namespace banditcd::svm
