// Support vector regression as classification: the error of sample k beyond epsilon is
//
//   (|y_k - x_k . w| - epsilon)+ = (y_k - epsilon - x_k . w)+ + (-y_k - epsilon + x_k . w)+,
//
// so a sample is two rows, 2 k with label +1 and goal y_k - epsilon and 2 k + 1 with label -1 and
// goal -y_k - epsilon (Smola and Schoelkopf, 2004). Both are made of one stored row, which is read
// once where both are asked for.
#pragma once
#include <memory>
#include <vector>

#include "svm/rows.hpp"

namespace banditcd::svm {

// The goals of both rows of each sample.
std::vector<double> paired_goals(const double* y, std::size_t count, double epsilon);

// Stored rows as columns of the transpose, as for make_rows; two goals for each.
std::unique_ptr<Rows> make_paired(const DenseColumns<double>& x, std::vector<double> goals,
                                  double constant);
std::unique_ptr<Rows> make_paired(const DenseColumns<float>& x, std::vector<double> goals,
                                  double constant);
std::unique_ptr<Rows> make_paired(const CscColumns<double>& x, std::vector<double> goals,
                                  double constant);
std::unique_ptr<Rows> make_paired(const CscColumns<float>& x, std::vector<double> goals,
                                  double constant);

}  // namespace banditcd::svm
