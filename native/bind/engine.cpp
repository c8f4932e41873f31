// Bindings of the engine: check indices and lengths, release the GIL, delegate.
#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>

#include <stdexcept>

#include "bind/gil.hpp"
#include "bind/module.hpp"
#include "bind/problem.hpp"
#include "engine/accelerated.hpp"
#include "engine/selector.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace banditcd::engine {
namespace {

Rule rule_of(const std::string& name) {
  if (name == "proximal") return Rule::kProximal;
  if (name == "reference") return Rule::kReference;
  if (name == "exact") return Rule::kExact;
  if (name == "sdca_logistic") return Rule::kSdcaLogistic;
  throw std::invalid_argument("unknown rule '" + name + "'");
}

// A run that keeps its arrays alive, with every index checked.
class BoundDescent {
 public:
  BoundDescent(const BoundProblem& problem, const std::string& rule, bool minimizes, bool skip,
               const Doubles& x0)
      : owners_(problem.owners) {
    require(problem.arrays.h != nullptr && problem.arrays.weight != nullptr &&
                problem.arrays.penalty_arrays.p[0] != nullptr,
            "set the matrix, loss, penalty and curvature first");
    descent_ = make_descent(problem.arrays, RuleOptions{rule_of(rule), minimizes, skip});
    set_state(x0);
  }
  Descent& get() { return *descent_; }
  std::size_t index(std::int64_t i) const {
    if (i < 0 || static_cast<std::size_t>(i) >= descent_->size())
      throw std::out_of_range("a coordinate index is out of range");
    return static_cast<std::size_t>(i);
  }

  void set_state(const Doubles& x) {
    require(x.shape(0) == descent_->size(), "x has the wrong length");
    descent_->set_state(x.data());
  }
  nb::ndarray<nb::numpy, const double, nb::ndim<1>> x() const {
    return {descent_->x().data(), {descent_->size()}};
  }
  std::pair<double, double> step(std::int64_t i) {
    const Step step = descent_->step(index(i));
    return {step.decrease, step.r_after};
  }
  auto sweep(const Ints& batch) {
    const std::size_t n = batch.shape(0);
    for (std::size_t k = 0; k < n; ++k) index(batch.data()[k]);
    auto decrease = std::make_unique<double[]>(n), left = std::make_unique<double[]>(n);
    {
      banditcd::bind::GilReleased release;
      for (std::size_t k = 0; k < n; ++k) {
        const Step step = descent_->step(static_cast<std::size_t>(batch.data()[k]));
        decrease[k] = step.decrease;
        left[k] = step.r_after;
      }
    }
    return std::make_pair(to_numpy(std::move(decrease), n), to_numpy(std::move(left), n));
  }
  double correlation(std::int64_t i) { return descent_->correlation(index(i)); }
  auto correlations() {
    std::vector<double> u(descent_->size());
    {
      banditcd::bind::GilReleased release;
      descent_->correlations(u.data());
    }
    return to_numpy(u);
  }
  double partial_correlation(std::int64_t i, std::size_t first, std::size_t count) {
    require(count <= descent_->column_entries(index(i)), "more entries than the column has");
    return descent_->partial_correlation(index(i), first, count);
  }
  std::pair<double, double> line(std::int64_t i, double t) {
    double slope, bend;
    descent_->line(index(i), t, &slope, &bend);
    return {slope, bend};
  }
  void move(std::int64_t i, double target, double u) { descent_->move(index(i), target, u); }
  double marginal_decrease(std::int64_t i, double u) {
    const std::size_t k = index(i);
    return descent_->penalty().marginal_decrease(k, descent_->x()[k], u, descent_->h()[k]);
  }

 private:
  std::vector<nb::object> owners_;
  std::unique_ptr<Descent> descent_;
};

class BoundAccelerated {
 public:
  BoundAccelerated(const BoundProblem& problem, const std::string& name,
                   const std::map<std::string, double>& parameters, const Doubles& x0,
                   std::uint64_t seed)
      : owners_(problem.owners) {
    require(x0.shape(0) == problem.arrays.cols, "x0 has the wrong length");
    method_ = make_accelerated(problem.arrays, name, Parameters(parameters), x0.data(), Rng(seed));
  }
  std::size_t run(std::size_t steps, double seconds) { return method_->run(steps, seconds); }
  auto entries() const { return method_->entries(); }
  auto point() const {
    std::vector<double> x(method_->size());
    method_->point(x.data());
    return to_numpy(x);
  }

 private:
  std::vector<nb::object> owners_;
  std::unique_ptr<Accelerated> method_;
};

void bind_descent(nb::module_& m) {
  nb::class_<BoundDescent>(m, "Descent", "State of a run and what one step does to it.")
      .def(nb::init<const BoundProblem&, const std::string&, bool, bool, const Doubles&>(),
           "problem"_a, "rule"_a, "minimizes"_a, "skip"_a, "x0"_a)
      .def("set_state", &BoundDescent::set_state, "x"_a, "Go to x; v and w from scratch.")
      .def_prop_ro("x", &BoundDescent::x, nb::rv_policy::reference_internal,
                   "The current point, a live read-only view.")
      .def_prop_ro(
          "entries", [](BoundDescent& s) { return s.get().entries(); },
          "Matrix entries touched so far.")
      .def_prop_ro(
          "moves", [](BoundDescent& s) { return s.get().moves(); },
          "Steps that changed their coordinate.")
      .def_prop_ro(
          "last_move", [](BoundDescent& s) { return s.get().last_move(); },
          "Change of the coordinate updated last.")
      .def_prop_ro(
          "last_correlation", [](BoundDescent& s) { return s.get().last_correlation(); },
          "u_i of the coordinate updated last, after its update.")
      .def("step", &BoundDescent::step, "i"_a,
           "Update one coordinate; returns (decrease, marginal decrease left).")
      .def("sweep", &BoundDescent::sweep, "batch"_a,
           "Update a batch in its order; returns (decreases, marginal decreases left).")
      .def("correlation", &BoundDescent::correlation, "i"_a, "u_i, one dot.")
      .def("correlations", &BoundDescent::correlations, "All u_i, one pass.")
      .def("partial_correlation", &BoundDescent::partial_correlation, "i"_a, "first"_a, "count"_a,
           "Part of u_i from some stored entries.")
      .def("line", &BoundDescent::line, "i"_a, "t"_a,
           "First and second derivative of f(v + t a_i) in t.")
      .def("move", &BoundDescent::move, "i"_a, "target"_a, "u"_a,
           "Set x_i to target, where u is u_i before the move.")
      .def("marginal_decrease", &BoundDescent::marginal_decrease, "i"_a, "u"_a,
           "r_i at the current x_i and the given u_i.");
}

class BoundSelector {
 public:
  BoundSelector(BoundDescent& descent, const std::string& name,
                const std::map<std::string, double>& parameters, std::uint64_t seed)
      : size_(descent.get().size()),
        selector_(make_selector(name, Parameters(parameters), descent.get(), Rng(seed))) {
    if (selector_ == nullptr)
      throw std::invalid_argument("no native selector is called '" + name + "'");
  }
  std::size_t run(BoundDescent& descent, std::size_t steps, double seconds) {
    return checked(descent).run(*selector_, steps, seconds);
  }
  std::size_t next(BoundDescent& descent) { return selector_->next(checked(descent)); }
  void observe(BoundDescent& descent, std::int64_t i, double decrease, double r_after) {
    selector_->observe(checked(descent), descent.index(i), Step{decrease, r_after});
  }

 private:
  Descent& checked(BoundDescent& descent) const {
    require(descent.get().size() == size_, "the selector was made for a run of another size");
    return descent.get();
  }
  std::size_t size_;
  std::unique_ptr<Selector> selector_;
};

void bind_selectors(nb::module_& m) {
  nb::class_<BoundSelector>(m, "Selector", "A native selector for one run.")
      .def(nb::init<BoundDescent&, const std::string&, const std::map<std::string, double>&,
                    std::uint64_t>(),
           "descent"_a, "name"_a, "parameters"_a, "seed"_a)
      .def("run", &BoundSelector::run, "descent"_a, "steps"_a, "seconds"_a,
           nb::call_guard<banditcd::bind::GilReleased>(),
           "Take up to `steps` steps; returns how many were taken when the time was up.")
      .def("next", &BoundSelector::next, "descent"_a, "Choose only, for tests.")
      .def("observe", &BoundSelector::observe, "descent"_a, "i"_a, "decrease"_a, "r_after"_a,
           "Learn only, for tests.");
}

void bind_accelerated(nb::module_& m) {
  nb::class_<BoundAccelerated>(m, "Accelerated", "An accelerated method in progress.")
      .def(nb::init<const BoundProblem&, const std::string&, const std::map<std::string, double>&,
                    const Doubles&, std::uint64_t>(),
           "problem"_a, "name"_a, "parameters"_a, "x0"_a, "seed"_a)
      .def("run", &BoundAccelerated::run, "steps"_a, "seconds"_a,
           nb::call_guard<nb::gil_scoped_release>(),
           "Take up to `steps` steps; returns how many were taken.")
      .def_prop_ro("entries", &BoundAccelerated::entries, "Matrix entries touched so far.")
      .def("point", &BoundAccelerated::point, "The current point.");
}

void bind_rng(nb::module_& m) {
  nb::class_<Rng>(m, "Rng", "The same stream as banditcd.selectors.Rng.")
      .def(nb::init<std::uint64_t>(), "seed"_a)
      .def("bits", &Rng::bits, "64 random bits.")
      .def("uniform", &Rng::uniform, "From [0, 1).")
      .def(
          "integer",
          [](Rng& rng, std::uint64_t n) {
            require(n > 0 && n < (std::uint64_t{1} << 32), "n must be in 1 .. 2**32 - 1");
            return rng.integer(n);
          },
          "n"_a, "From 0 .. n-1.")
      .def(
          "shuffle",
          [](Rng& rng, nb::ndarray<std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu> v) {
            rng.shuffle(v.data(), v.shape(0));
          },
          "values"_a, "Permute an int32 array in place.");
}

}  // namespace
}  // namespace banditcd::engine

void bind_engine(nb::module_& m) {
  banditcd::engine::bind_descent(m);
  banditcd::engine::bind_selectors(m);
  banditcd::engine::bind_accelerated(m);
  banditcd::engine::bind_rng(m);
}
