// The Gram matrix of sparse columns whose entries all have one value, as those of one-hot encoded
// data: a product is that value of both times the number of rows they share, which bits count.
#pragma once
#include <algorithm>
#include <vector>

#include "columns/design.hpp"
#include "kernels/bits.hpp"
#include "kernels/memory.hpp"
#include "kernels/prices.hpp"

namespace banditcd {

// A few other columns may be among them: they are unpacked, and meet the others entry by entry.
template <class T>
class BitGram {
 public:
  explicit BitGram(const CscColumns<T>& columns) : columns_(columns), kind_(columns.cols) {}

  // Nanoseconds for the products of a request, if `odd` of its columns are not constant.
  static double cost(double rows, double pairs, double entries, double odd) {
    return kBitEntry * entries + bit_kernel().cost * pairs * rows / kWordBits +
           odd * (kSparseEntry * entries + rows);
  }

  // Products of the new columns with all of them, for i <= j and rows without weights, if that
  // takes less than `other` nanoseconds. Returns the entries of X it read; 0 if it did nothing.
  std::size_t fill(const GramRequest& request, double pairs, double other, Watch& watch) {
    const double rows = static_cast<double>(columns_.rows);
    std::size_t entries = 0;
    for (std::size_t t = 0; t < request.size; ++t) entries += columns_.entries(request.column[t]);
    if (cost(rows, pairs, static_cast<double>(entries), 0.0) >= other) return 0;
    classify(request);
    const double odd = static_cast<double>(odd_.size());
    if (cost(rows, pairs, static_cast<double>(entries), odd) >= other) return 0;
    add_bits(request, watch);
    scale(request);
    add_odd(request, watch);
    return entries * (1 + odd_.size());
  }

 private:
  enum Kind : unsigned char { kUnknown, kConstant, kOdd };
  static constexpr std::size_t kBlockWords = 512, kBlockRows = kBlockWords * kWordBits;

  // Which columns of the request are odd.
  void classify(const GramRequest& request) {
    odd_.clear();
    for (std::size_t t = 0; t < request.size; ++t) {
      Kind& kind = kind_[request.column[t]];
      if (kind == kUnknown) kind = kind_of(request.column[t]);
      if (kind == kOdd) odd_.push_back(t);
    }
  }
  Kind kind_of(std::size_t j) const {
    const std::int64_t begin = columns_.start[j], end = columns_.start[j + 1];
    unsigned others = 0;
    for (std::int64_t k = begin + 1; k < end; ++k)
      others += columns_.value[k - 1] != columns_.value[k] ? 1 : 0;
    return others > 0 ? kOdd : kConstant;
  }

  // By blocks of rows: the bits of all columns stay in the second-level cache.
  void add_bits(const GramRequest& request, Watch& watch) {
    const std::size_t size = request.size, ld = request.stride;
    for (std::size_t j = request.old_size; j < size; ++j)
      std::fill(request.gram + j * ld, request.gram + j * ld + size, 0.0);
    std::vector<std::int64_t> next(size);
    for (std::size_t t = 0; t < size; ++t) next[t] = columns_.start[request.column[t]];
    for (std::size_t row = 0; row < columns_.rows; row += kBlockRows) {
      const std::size_t end = std::min(row + kBlockRows, columns_.rows);
      const std::size_t lane = kWordLane * kWordBits;
      const std::size_t words = (end - row + lane - 1) / lane * kWordLane;
      bits_.assign(size * words, 0);
      for (std::size_t t = 0; t < size; ++t)
        next[t] = set_bits(next[t], columns_.start[request.column[t] + 1], row, end,
                           bits_.data() + t * words);
      for (std::size_t j = request.old_size; j < size; j += kBitTile) {
        for (std::size_t i = 0; i < std::min(j + kBitTile, size); i += kBitTile)
          add_tile(request, i, j, words);
        watch.check();
      }
    }
  }
  std::int64_t set_bits(std::int64_t k, std::int64_t last, std::size_t row, std::size_t end,
                        Word* to) const {
    for (; k < last && static_cast<std::size_t>(columns_.row[k]) < end; ++k) {
      const std::size_t i = static_cast<std::size_t>(columns_.row[k]) - row;
      to[i / kWordBits] |= Word{1} << (i % kWordBits);
    }
    return k;
  }
  // A tile at the edge repeats the last column.
  void add_tile(const GramRequest& request, std::size_t i, std::size_t j, std::size_t words) const {
    const Word* left[kBitTile];
    const Word* right[kBitTile];
    for (std::size_t t = 0; t < kBitTile; ++t) {
      left[t] = bits_.data() + std::min(i + t, request.size - 1) * words;
      right[t] = bits_.data() + std::min(j + t, request.size - 1) * words;
    }
    double shared[kBitTile * kBitTile];
    bit_kernel().shared(left, right, words, shared);
    for (std::size_t t = 0; t < std::min(kBitTile, request.size - j); ++t)
      for (std::size_t s = 0; s < std::min(kBitTile, request.size - i); ++s)
        request.gram[(j + t) * request.stride + i + s] += shared[t * kBitTile + s];
  }

  void scale(const GramRequest& request) const {
    std::vector<double> value(request.size, 0.0);
    bool ones = true;
    for (std::size_t t = 0; t < request.size; ++t) {
      const std::size_t j = request.column[t];
      if (columns_.entries(j) > 0)
        value[t] = static_cast<double>(columns_.value[columns_.start[j]]);
      ones = ones && value[t] == 1.0;
    }
    if (ones) return;
    for (std::size_t j = request.old_size; j < request.size; ++j)
      for (std::size_t i = 0; i <= j; ++i)
        request.gram[j * request.stride + i] *= value[i] * value[j];
  }

  // What the bits say about odd columns is replaced.
  void add_odd(const GramRequest& request, Watch& watch) {
    std::vector<double> dense(odd_.empty() ? 0 : columns_.rows);
    for (const std::size_t t : odd_) {
      const std::size_t odd = request.column[t];
      columns_.each(odd, [&](std::size_t i, double a) { dense[i] = a; });
      for (std::size_t s = t < request.old_size ? request.old_size : 0; s < request.size; ++s)
        request.gram[std::max(s, t) * request.stride + std::min(s, t)] =
            columns_.dot(request.column[s], dense.data());
      columns_.each(odd, [&](std::size_t i, double) { dense[i] = 0.0; });
      watch.check();
    }
  }

  const CscColumns<T>& columns_;
  std::vector<Kind> kind_;        // by column of X
  std::vector<std::size_t> odd_;  // places in the request
  std::vector<Word, AlignedAllocator<Word>> bits_;
};

}  // namespace banditcd
