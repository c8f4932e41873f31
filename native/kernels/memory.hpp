// Memory for wide loads: aligned, never initialized twice, grown without copying.
#pragma once
#include <cstddef>
#include <memory>
#include <new>
#include <vector>

namespace banditcd {

constexpr std::size_t kAlignment = 64;

// Doubles on a cache-line boundary. reserve() forgets the old contents: callers that keep them
// copy.
class AlignedBuffer {
 public:
  double* data() { return data_.get(); }
  const double* data() const { return data_.get(); }
  std::size_t size() const { return size_; }

  void reserve(std::size_t size) {
    if (size <= size_) return;
    data_.reset(
        static_cast<double*>(::operator new(size * sizeof(double), std::align_val_t(kAlignment))));
    size_ = size;
  }
  void swap(AlignedBuffer& other) {
    data_.swap(other.data_);
    std::swap(size_, other.size_);
  }

 private:
  struct Free {
    void operator()(double* p) const { ::operator delete(p, std::align_val_t(kAlignment)); }
  };
  std::unique_ptr<double, Free> data_;
  std::size_t size_ = 0;
};

// The same for vectors that grow: wide loads that cross cache lines take twice as long.
template <class T>
struct AlignedAllocator {
  using value_type = T;
  AlignedAllocator() = default;
  template <class U>
  AlignedAllocator(const AlignedAllocator<U>&) {}
  T* allocate(std::size_t size) {
    return static_cast<T*>(::operator new(size * sizeof(T), std::align_val_t(kAlignment)));
  }
  void deallocate(T* p, std::size_t) { ::operator delete(p, std::align_val_t(kAlignment)); }
  friend bool operator==(const AlignedAllocator&, const AlignedAllocator&) { return true; }
  friend bool operator!=(const AlignedAllocator&, const AlignedAllocator&) { return false; }
};
using AlignedVector = std::vector<double, AlignedAllocator<double>>;

// Empties a vector and gives its memory back.
template <class T>
void release(std::vector<T>& values) {
  std::vector<T>().swap(values);
}

// Rows of packed blocks are padded to this many doubles, so that kernels have no tails.
constexpr std::size_t kLane = 8;
inline std::size_t padded(std::size_t n) { return (n + kLane - 1) / kLane * kLane; }

}  // namespace banditcd
