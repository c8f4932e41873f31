#include "engine/factory.hpp"

#include <stdexcept>
#include <type_traits>

#include "engine/accelerated_of.hpp"
#include "engine/descent_of.hpp"

namespace banditcd::engine {
namespace {

template <class Loss, class F>
auto with_storage(const ProblemArrays& problem, F&& f) {
  const Loss loss{problem.weight, problem.target};
  return std::visit(
      [&](const auto& columns) {
        return f(loss, Matrix<std::decay_t<decltype(columns)>>{columns, problem.signs});
      },
      problem.A);
}

// f(loss, matrix) with the loss and the storage of the problem as types.
template <class F>
auto with_types(const ProblemArrays& problem, F&& f) {
  if (problem.loss == "quadratic") return with_storage<QuadraticLoss>(problem, f);
  if (problem.loss == "logistic") return with_storage<LogisticLoss>(problem, f);
  if (problem.loss == "thresholded") return with_storage<ThresholdedLoss>(problem, f);
  throw std::invalid_argument("unknown loss '" + problem.loss + "'");
}

std::unique_ptr<Penalty> penalty_of(const ProblemArrays& problem) {
  auto penalty = make_penalty(problem.penalty, problem.penalty_arrays, problem.cols);
  if (penalty == nullptr) throw std::invalid_argument("unknown penalty '" + problem.penalty + "'");
  return penalty;
}

}  // namespace

std::unique_ptr<Descent> make_descent(const ProblemArrays& problem, const RuleOptions& options) {
  return with_types(problem, [&](auto loss, auto A) -> std::unique_ptr<Descent> {
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
