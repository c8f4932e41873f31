// The reports of a path: one object for Python, columns of numbers on demand.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "bind/arrays.hpp"
#include "solve/report.hpp"

namespace banditcd::bind {

class Reports {
 public:
  explicit Reports(std::vector<Report> reports) : reports_(std::move(reports)) {}
  std::size_t size() const { return reports_.size(); }
  const Report& at(std::size_t k) const { return reports_.at(k); }
  bool all_converged() const {
    for (const Report& report : reports_)
      if (report.status != Status::kConverged) return false;
    return true;
  }
  // One number of every report, by the name that a single report has for it.
  NumpyVector column(const std::string& name) const {
    const auto read = reader(name);
    auto values = std::make_unique<double[]>(reports_.size());
    for (std::size_t k = 0; k < reports_.size(); ++k) values[k] = read(reports_[k]);
    return to_numpy(std::move(values), reports_.size());
  }

 private:
  using Reader = double (*)(const Report&);
  static Reader reader(const std::string& name) {
    if (name == "intercept") return [](const Report& r) { return r.intercept; };
    if (name == "primal") return [](const Report& r) { return r.certificate.primal; };
    if (name == "gap") return [](const Report& r) { return r.certificate.gap; };
    if (name == "target") return [](const Report& r) { return r.target; };
    if (name == "passes") return [](const Report& r) { return r.passes; };
    if (name == "seconds") return [](const Report& r) { return r.seconds; };
    if (name == "iterations")
      return [](const Report& r) { return static_cast<double>(r.iterations); };
    throw std::invalid_argument("reports have no column " + name);
  }

  std::vector<Report> reports_;
};

}  // namespace banditcd::bind
