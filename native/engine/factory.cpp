#include "engine/factory.hpp"

#include <stdexcept>

#include "engine/accelerated_of.hpp"
#include "engine/descent_of.hpp"

namespace banditcd::engine {
namespace {

template <class Loss, class F>
auto with_storage(const AnyMatrix& A, F&& f) {
  if (A.sparse)
    return A.single ? f(Loss{}, Matrix<CscColumns<float>>{A.csc32, A.signs})
                    : f(Loss{}, Matrix<CscColumns<double>>{A.csc64, A.signs});
  return A.single ? f(Loss{}, Matrix<DenseColumns<float>>{A.dense32, A.signs})
                  : f(Loss{}, Matrix<DenseColumns<double>>{A.dense64, A.signs});
}

// f(loss, matrix) with the loss and the storage of the problem as types.
template <class F>
auto with_types(const ProblemArrays& problem, F&& f) {
  if (problem.loss == "quadratic") return with_storage<QuadraticLoss>(problem.A, f);
  if (problem.loss == "logistic") return with_storage<LogisticLoss>(problem.A, f);
  if (problem.loss == "thresholded") return with_storage<ThresholdedLoss>(problem.A, f);
  throw std::invalid_argument("unknown loss '" + problem.loss + "'");
}

std::unique_ptr<Penalty> penalty_of(const ProblemArrays& problem) {
  auto penalty = make_penalty(problem.penalty, problem.penalty_arrays, problem.A.cols);
  if (penalty == nullptr) throw std::invalid_argument("unknown penalty '" + problem.penalty + "'");
  return penalty;
}

}  // namespace

std::unique_ptr<Descent> make_descent(const ProblemArrays& problem, const RuleOptions& options) {
  return with_types(problem, [&](auto loss, auto A) -> std::unique_ptr<Descent> {
    loss.weight = problem.weight;
    loss.target = problem.target;
    using Loss = decltype(loss);
    using Columns = decltype(A.columns);
    return std::make_unique<DescentOf<Loss, Columns>>(A, loss, penalty_of(problem), problem.h,
                                                      options);
  });
}

std::unique_ptr<Accelerated> make_accelerated(const ProblemArrays& problem, const std::string& name,
                                              const Parameters& parameters, const double* x0,
                                              Rng rng) {
  return with_types(problem, [&](auto loss, auto A) -> std::unique_ptr<Accelerated> {
    loss.weight = problem.weight;
    loss.target = problem.target;
    using Loss = decltype(loss);
    using Columns = decltype(A.columns);
    PairState<Loss, Columns> state{A, loss, {}, {}, {}, {}};
    if (name == "approx")
      return std::make_unique<Approx<Loss, Columns>>(std::move(state), penalty_of(problem),
                                                     problem.h, x0, parameters.at("restart"), rng);
    if (name == "nuacdm")
      return std::make_unique<Nuacdm<Loss, Columns>>(std::move(state), penalty_of(problem),
                                                     problem.h, x0, rng);
    throw std::invalid_argument("unknown accelerated method '" + name + "'");
  });
}

}  // namespace banditcd::engine
