#include "svm/rows.hpp"

#include <algorithm>

namespace banditcd::svm {

void Pairs::gather(const Index* which, std::size_t count, const double* amount, bool labeled) {
  stored.ids.resize(count);
  stored.amounts.resize(count);
  std::size_t size = 0;
  for (std::size_t t = 0; t < count; ++t) {
    const Index row = which[t] / 2;
    const double own = amount == nullptr ? 0.0 : labeled ? label(which[t]) * amount[t] : amount[t];
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
    out[t] = label(which[t]) * values[at];
  }
}

Rows::Rows(std::unique_ptr<StoredRows> stored, std::unique_ptr<Pairs> pairs)
    : pairs_(std::move(pairs)), stored_(std::move(stored)) {}

Rows Rows::over(const DenseColumns<double>& x) const {
  return pairs_ ? make_paired(x, pairs_->responses, constant())
                : make_rows(x, stored_->labels, constant());
}

template <class Part>
void Rows::in_parts(const Index* which, std::size_t count, Part&& part) {
  for (std::size_t first = 0; first < count;) {
    std::size_t end = std::min(count, first + kRowsOfPart);
    if (end < count && which[end - 1] / 2 == which[end] / 2) --end;
    part(first, end - first);
    first = end;
  }
}

void Rows::margins(const Index* which, std::size_t count, const double* w, double* out,
                   Watch& watch) {
  if (!pairs_) return stored_->margins(which, count, w, out, watch);
  Pairs& p = *pairs_;
  in_parts(which, count, [&](std::size_t first, std::size_t size) {
    p.gather(which + first, size, nullptr, false);
    stored_->margins(p.stored.ids.data(), p.stored.size(), w, p.values.data(), watch);
    p.spread(which + first, size, out + first);
  });
}

void Rows::margins_and_sum(const Index* which, const double* coef, std::size_t count,
                           const double* w, double* out, double* v) {
  if (!pairs_) return stored_->margins_and_sum(which, coef, count, w, out, v);
  Pairs& p = *pairs_;
  in_parts(which, count, [&](std::size_t first, std::size_t size) {
    p.gather(which + first, size, coef + first, true);
    stored_->margins_and_sum(p.stored.ids.data(), p.stored.amounts.data(), p.stored.size(), w,
                             p.values.data(), v);
    p.spread(which + first, size, out + first);
  });
}

void Rows::accumulate(const Index* which, const double* coef, std::size_t count, double* v) {
  if (!pairs_) return stored_->accumulate(which, coef, count, v);
  const Changes& rows = pairs_->stored;
  in_parts(which, count, [&](std::size_t first, std::size_t size) {
    pairs_->gather(which + first, size, coef + first, true);
    stored_->accumulate(rows.ids.data(), rows.amounts.data(), rows.size(), v);
  });
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

}  // namespace banditcd::svm
