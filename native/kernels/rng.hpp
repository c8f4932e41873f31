// xoshiro256++ seeded by splitmix64 (Blackman & Vigna, 2019): the same stream as selectors/rng.py.
#pragma once
#include <cstddef>
#include <cstdint>
#include <utility>

namespace banditcd {

class Rng {
 public:
  explicit Rng(std::uint64_t seed) {
    for (auto& word : state_) {
      seed += 0x9E3779B97F4A7C15u;
      std::uint64_t z = seed;
      z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
      z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
      word = z ^ (z >> 31);
    }
  }

  std::uint64_t bits() {
    std::uint64_t* s = state_;
    const std::uint64_t out = rotate(s[0] + s[3], 23) + s[0];
    const std::uint64_t shifted = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = rotate(s[3], 45);
    return out;
  }

  // [0, 1) with 53 bits.
  double uniform() { return static_cast<double>(bits() >> 11) * 0x1.0p-53; }

  // 0 .. n-1 by Lemire's multiply-and-reject on 32 bits; n < 2^32.
  std::size_t integer(std::size_t n) {
    const std::uint64_t range = n;
    std::uint64_t product = (bits() >> 32) * range;
    if ((product & 0xFFFFFFFFu) < range) {
      const std::uint64_t threshold = (std::uint64_t{1} << 32) % range;
      while ((product & 0xFFFFFFFFu) < threshold) product = (bits() >> 32) * range;
    }
    return static_cast<std::size_t>(product >> 32);
  }

  // Fisher-Yates, from the end.
  void shuffle(std::int32_t* values, std::size_t n) {
    for (std::size_t last = n; last-- > 1;) std::swap(values[last], values[integer(last + 1)]);
  }

 private:
  static std::uint64_t rotate(std::uint64_t v, int by) { return (v << by) | (v >> (64 - by)); }
  std::uint64_t state_[4];
};

}  // namespace banditcd
