// An approximate argmax: some value within a factor sqrt(2) of the largest, O(1) per operation.
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace banditcd::engine {

// Values fall into buckets half an octave wide; the top non-empty bucket is found by a bitmap.
class BucketQueue {
 public:
  // Room for n values, to be filled by the caller; then rebuild().
  double* values(std::size_t n) {
    values_.resize(n);
    return values_.data();
  }
  void rebuild() {
    for (auto& bucket : bucket_) bucket.clear();
    bucket_.resize(kBuckets);
    for (auto& word : word_) word = 0;
    where_.assign(values_.size(), 0);
    home_.assign(values_.size(), kEmpty);
    for (std::size_t i = 0; i < values_.size(); ++i) set(i, values_[i]);
  }
  void assign(const std::vector<double>& from) {
    values_ = from;
    rebuild();
  }

  void set(std::size_t i, double value) {
    const std::int32_t target = bucket_of(value);
    const std::int32_t old = home_[i];
    if (target == old) return;
    if (old != kEmpty) remove(i, old);
    home_[i] = target;
    if (target == kEmpty) return;
    auto& bucket = bucket_[static_cast<std::size_t>(target)];
    where_[i] = bucket.size();
    bucket.push_back(i);
    word_[target / 64] |= std::uint64_t{1} << (target % 64);
  }

  bool all_zero() const { return top() == kEmpty; }

  // Some index whose value is within a factor sqrt(2) of the largest; only if not all_zero().
  std::size_t argmax() const { return bucket_[static_cast<std::size_t>(top())].back(); }

 private:
  static constexpr std::int32_t kEmpty = -1;
  static constexpr int kLowest = -1080;  // exponent of the smallest subnormal, and some
  static constexpr std::size_t kBuckets = 2 * (1024 + 1080) + 64;
  static constexpr std::size_t kWords = kBuckets / 64 + 1;

  static std::int32_t bucket_of(double value) {
    if (!(value > 0.0)) return kEmpty;
    int exponent;
    const double mantissa = std::frexp(value, &exponent);  // in [1/2, 1)
    return 2 * (exponent - kLowest) + (mantissa >= 0.70710678118654752 ? 1 : 0);
  }

  void remove(std::size_t i, std::int32_t from) {
    auto& bucket = bucket_[static_cast<std::size_t>(from)];
    const std::size_t last = bucket.back();
    bucket[where_[i]] = last;
    where_[last] = where_[i];
    bucket.pop_back();
    if (bucket.empty()) word_[from / 64] &= ~(std::uint64_t{1} << (from % 64));
  }

  std::int32_t top() const {
    for (std::size_t k = kWords; k-- > 0;) {
      std::uint64_t word = word_[k];
      if (word == 0) continue;
      std::int32_t bit = 0;
      while (word >>= 1) ++bit;
      return static_cast<std::int32_t>(64 * k) + bit;
    }
    return kEmpty;
  }

  std::vector<double> values_;
  std::vector<std::vector<std::size_t>> bucket_;
  std::vector<std::size_t> where_;
  std::vector<std::int32_t> home_;
  std::uint64_t word_[kWords] = {};
};

}  // namespace banditcd::engine
