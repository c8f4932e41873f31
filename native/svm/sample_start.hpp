// Weights to start from: those of smaller problems on samples of the rows.
#pragma once
#include <vector>

#include "svm/directions.hpp"

namespace banditcd::svm {

// Zero where there are too few rows for a sample.
std::vector<double> sample_start(const Problem& problem, Steps steps, Watch& watch);

}  // namespace banditcd::svm
