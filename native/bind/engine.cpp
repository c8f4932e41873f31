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

class BoundDescent {
 public:
  BoundDescent(const BoundProblem& problem, const RuleOptions& options, const Doubles& x0)
      : owners_(problem.owners), descent_(make_descent(problem.arrays, options)) {
    set_state(x0);
  }
  void set_state(const Doubles& x) {
    require(x.shape(0) == descent_->size(), "x has the wrong length");
    descent_->set_state(x.data());
  }
  Descent& get() { return *descent_; }
  std::size_t index(std::int64_t i) const {
    if (i < 0 || static_cast<std::size_t>(i) >= descent_->size())
      throw std::out_of_range("a coordinate index is out of range");
    return static_cast<std::size_t>(i);
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
    require(x0.shape(0) == problem.arrays.A.cols, "x0 has the wrong length");
    method_ = make_accelerated(problem.arrays, name, Parameters(parameters), x0.data(), Rng(seed));
  }
  Accelerated& get() { return *method_; }

 private:
  std::vector<nb::object> owners_;
  std::unique_ptr<Accelerated> method_;
};

Rule rule_of(const std::string& name) {
  if (name == "proximal") return Rule::kProximal;
  if (name == "reference") return Rule::kReference;
  if (name == "exact") return Rule::kExact;
  if (name == "sdca_logistic") return Rule::kSdcaLogistic;
  throw std::invalid_argument("unknown rule '" + name + "'");
}

void bind_descent(nb::module_& m) {
  nb::class_<BoundDescent>(m, "Descent", "State of a run and what one step does to it.")
      .def(
          "__init__",
          [](BoundDescent* self, const BoundProblem& problem, const std::string& rule,
             bool minimizes, bool skip, Doubles x0) {
            require(problem.arrays.h != nullptr && problem.arrays.weight != nullptr &&
                        problem.arrays.penalty_arrays.p[0] != nullptr,
                    "set the matrix, loss, penalty and curvature first");
            new (self) BoundDescent(problem, RuleOptions{rule_of(rule), minimizes, skip}, x0);
          },
          "problem"_a, "rule"_a, "minimizes"_a, "skip"_a, "x0"_a)
      .def("set_state", &BoundDescent::set_state, "x"_a, "Go to x; v and w from scratch.")
      .def_prop_ro(
          "x",
          [](BoundDescent& self) {
            const auto& x = self.get().x();
            return nb::ndarray<nb::numpy, const double, nb::ndim<1>>(x.data(), {x.size()});
          },
          nb::rv_policy::reference_internal, "The current point, a live read-only view.")
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
      .def(
          "step",
          [](BoundDescent& self, std::int64_t i) {
            const Step step = self.get().step(self.index(i));
            return std::make_pair(step.decrease, step.r_after);
          },
          "i"_a, "Update one coordinate; returns (decrease, marginal decrease left).")
      .def(
          "sweep",
          [](BoundDescent& self, Ints batch) {
            const std::size_t n = batch.shape(0);
            for (std::size_t k = 0; k < n; ++k) self.index(batch.data()[k]);
            auto decrease = std::make_unique<double[]>(n), left = std::make_unique<double[]>(n);
            {
              banditcd::bind::GilReleased release;
              for (std::size_t k = 0; k < n; ++k) {
                const Step step = self.get().step(static_cast<std::size_t>(batch.data()[k]));
                decrease[k] = step.decrease;
                left[k] = step.r_after;
              }
            }
            return std::make_pair(to_numpy(std::move(decrease), n), to_numpy(std::move(left), n));
          },
          "batch"_a, "Update a batch in its order; returns (decreases, marginal decreases left).")
      .def(
          "correlation",
          [](BoundDescent& self, std::int64_t i) { return self.get().correlation(self.index(i)); },
          "i"_a, "u_i, one dot.")
      .def(
          "correlations",
          [](BoundDescent& self) {
            std::vector<double> u(self.get().size());
            {
              banditcd::bind::GilReleased release;
              self.get().correlations(u.data());
            }
            return to_numpy(u);
          },
          "All u_i, one pass.")
      .def(
          "partial_correlation",
          [](BoundDescent& self, std::int64_t i, std::size_t first, std::size_t count) {
            require(count <= self.get().column_entries(self.index(i)),
                    "more entries than the column has");
            return self.get().partial_correlation(self.index(i), first, count);
          },
          "i"_a, "first"_a, "count"_a, "Part of u_i from some stored entries.")
      .def(
          "line",
          [](BoundDescent& self, std::int64_t i, double t) {
            double slope, bend;
            self.get().line(self.index(i), t, &slope, &bend);
            return std::make_pair(slope, bend);
          },
          "i"_a, "t"_a, "First and second derivative of f(v + t a_i) in t.")
      .def(
          "move",
          [](BoundDescent& self, std::int64_t i, double target, double u) {
            self.get().move(self.index(i), target, u);
          },
          "i"_a, "target"_a, "u"_a, "Set x_i to target, where u is u_i before the move.")
      .def(
          "marginal_decrease",
          [](BoundDescent& self, std::int64_t i, double u) {
            const std::size_t k = self.index(i);
            Descent& d = self.get();
            return d.penalty().marginal_decrease(k, d.x()[k], u, d.h()[k]);
          },
          "i"_a, "u"_a, "r_i at the current x_i and the given u_i.");
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
  nb::class_<BoundAccelerated>(m, "Accelerated", "An accelerated method in progress.")
      .def(nb::init<const BoundProblem&, const std::string&, const std::map<std::string, double>&,
                    const Doubles&, std::uint64_t>(),
           "problem"_a, "name"_a, "parameters"_a, "x0"_a, "seed"_a)
      .def(
          "run",
          [](BoundAccelerated& self, std::size_t steps, double seconds) {
            return self.get().run(steps, seconds);
          },
          "steps"_a, "seconds"_a, nb::call_guard<banditcd::bind::GilReleased>(),
          "Take up to `steps` steps; returns how many were taken.")
      .def_prop_ro(
          "entries", [](BoundAccelerated& s) { return s.get().entries(); },
          "Matrix entries touched so far.")
      .def(
          "point",
          [](BoundAccelerated& self) {
            std::vector<double> x(self.get().size());
            self.get().point(x.data());
            return to_numpy(x);
          },
          "The current point.");
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
}
