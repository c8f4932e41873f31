#include "svm/rows.hpp"

#include <utility>

namespace banditcd::svm {

Pairs::Pairs(std::vector<double> of_rows)
    : goals(std::move(of_rows)), labels(goals.size(), 1.0), ones(goals.size() / 2, 1.0) {
  for (std::size_t i = 1; i < labels.size(); i += 2) labels[i] = -1.0;
}

void Pairs::gather(const Index* which, std::size_t count, const double* amount, bool labeled) {
  stored.ids.resize(count);
  stored.amounts.resize(count);
  std::size_t size = 0;
  for (std::size_t t = 0; t < count; ++t) {
    const Index row = which[t] / 2;
    const double own = amount == nullptr ? 0.0 : labeled ? labels[which[t]] * amount[t] : amount[t];
    if (size > 0 && stored.ids[size - 1] == row) {
      stored.amounts[size - 1] += own;
      continue;
    }
    stored.ids[size] = row;
    stored.amounts[size++] = own;
  }
  stored.ids.resize(size);
  stored.amounts.resize(size);
  values.resize(size);
}

void Pairs::spread(const Index* which, std::size_t count, double* out) const {
  std::size_t at = 0;
  for (std::size_t t = 0; t < count; ++t) {
    if (stored.ids[at] != which[t] / 2) ++at;
    out[t] = labels[which[t]] * values[at];
  }
}

Rows::Rows(std::unique_ptr<StoredRows> stored, std::unique_ptr<Pairs> pairs)
    : pairs_(std::move(pairs)), stored_(std::move(stored)) {}

Rows Rows::over(const DenseColumns<double>& x) const {
  return pairs_ ? make_paired(x, pairs_->goals, constant()) : make_rows(x, labels(), constant());
}

void Rows::squares(double* out) {
  stored_->squares(out);
  if (!pairs_) return;
  for (std::size_t i = count(); i-- > 0;) out[i] = out[i / 2];
}

void Rows::margins(const Index* which, std::size_t count, const double* w, double* out,
                   Watch& watch) {
  if (!pairs_) return stored_->margins(which, count, w, out, watch);
  Pairs& p = *pairs_;
  p.gather(which, count, nullptr, false);
  stored_->margins(p.stored.ids.data(), p.stored.size(), w, p.values.data(), watch);
  p.spread(which, count, out);
}

void Rows::margins_and_sum(const Index* which, const double* coef, std::size_t count,
                           const double* w, double* out, double* v) {
  if (!pairs_) return stored_->margins_and_sum(which, coef, count, w, out, v);
  Pairs& p = *pairs_;
  p.gather(which, count, coef, true);
  stored_->margins_and_sum(p.stored.ids.data(), p.stored.amounts.data(), p.stored.size(), w,
                           p.values.data(), v);
  p.spread(which, count, out);
}

void Rows::accumulate(const Index* which, const double* coef, std::size_t count, double* v) {
  if (!pairs_) return stored_->accumulate(which, coef, count, v);
  pairs_->gather(which, count, coef, true);
  const Changes& rows = pairs_->stored;
  stored_->accumulate(rows.ids.data(), rows.amounts.data(), rows.size(), v);
}

Outer Rows::gathered(const Outer& rows) {
  if (!pairs_) return rows;
  pairs_->gather(rows.which, rows.count, rows.weight, false);
  const Changes& once = pairs_->stored;
  return {once.ids.data(), once.amounts.data(), once.size(), rows.sign};
}

void Rows::add_outer(const Outer& rows, const Triangle& target, Watch& watch) {
  stored_->add_outer(gathered(rows), target, watch);
}

bool Rows::add_outer_roughly(const Outer& rows, const Triangle& target, Watch& watch) {
  return stored_->add_outer_roughly(gathered(rows), target, watch);
}

void Rows::add_curvature(const Outer& rows, const double* v, double* out, Watch& watch) {
  stored_->add_curvature(gathered(rows), v, out, watch);
}

void Rows::add_squares(const Outer& rows, double* out, Watch& watch) {
  stored_->add_squares(gathered(rows), out, watch);
}

// The second row of a pair is the first with the other label.
std::uint64_t Rows::where(std::size_t i) const {
  const std::uint64_t first = stored_->where(stored_of(i));
  return pairs_ && i % 2 == 1 ? first & ~std::uint64_t{1} : first;
}

std::vector<double> paired_goals(const double* y, std::size_t count, double epsilon) {
  std::vector<double> goals(2 * count);
  for (std::size_t k = 0; k < count; ++k) {
    goals[2 * k] = y[k] - epsilon;
    goals[2 * k + 1] = -y[k] - epsilon;
  }
  return goals;
}

}  // namespace banditcd::svm
