#include "groups/iterate.hpp"

#include <cmath>
#include <utility>

namespace banditcd::groups {

Iterate::Iterate(Data data, Layout groups)
    : design(std::move(data.design)),
      loss(std::move(data.loss)),
      layout(std::move(groups)),
      intercept(data.intercept),
      pool(layout, loss->tasks()),
      lazy(layout),
      coef(design->cols() * loss->tasks(), 0.0) {}

void Iterate::set_penalties(double norm, double square) {
  l1 = norm;
  l2 = square;
  pool.set_penalties(l1, l2);
}

bool Iterate::in_use(std::size_t g) const {
  for (std::size_t k = 0; k < tasks(); ++k)
    for (std::size_t i = 0; i < layout.size(g); ++i)
      if (coef[k * cols() + layout.columns(g)[i]] != 0.0) return true;
  return false;
}

std::vector<double> Iterate::pool_coefficients() const {
  std::vector<double> out(pool.size() * tasks());
  for (std::size_t k = 0; k < tasks(); ++k)
    for (std::size_t i = 0; i < pool.size(); ++i)
      out[k * pool.size() + i] = coef[k * cols() + pool.column()[i]];
  return out;
}

void Iterate::predict(const std::vector<double>& x, std::vector<double>& out, Watch& watch) {
  const std::size_t n = design->rows(), size = pool.size();
  std::vector<Index> columns;
  std::vector<double> values;
  out.assign(n * tasks(), 0.0);
  for (std::size_t k = 0; k < tasks(); ++k) {
    columns.clear();
    values.clear();
    for (std::size_t i = 0; i < size; ++i) {
      if (x[k * size + i] == 0.0) continue;
      columns.push_back(pool.column()[i]);
      values.push_back(x[k * size + i]);
    }
    design->combine(columns.data(), columns.size(), values.data(), out.data() + k * n, watch);
    if (k == 0) entries_read += entries_of(*design, columns);
  }
}

void Iterate::correlate_pool(Watch& watch) {
  const std::vector<Index>& columns = pool.column();
  c.resize(columns.size() * tasks());
  design->correlate_tasks(columns.data(), columns.size(), loss->pull().data(), tasks(), c.data(),
                          watch);
  entries_read += entries_of(*design, columns);
  fresh = true;
}

Certificate Iterate::certify(bool with_others) {
  BlockTerms terms;
  for (std::size_t t = 0; t < pool.blocks(); ++t)
    terms.add(
        pool, t, [&](std::size_t k, std::size_t i) { return coef[k * cols() + pool.column()[i]]; },
        [&](std::size_t k, std::size_t i) { return c[k * pool.size() + i]; });
  if (with_others)
    for (const Index g : lazy.evaluated())
      terms.add(g, 0.0, 0.0, lazy.norm(g), penalty_of(layout, g, l1, l2));
  return loss->certify(terms, lazy.square());
}

}  // namespace banditcd::groups
