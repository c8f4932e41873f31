#pragma once
#include <cstddef>
#include <cstdlib>
#include <new>
#include <type_traits>

namespace banditcd {

// A growing array of plain numbers whose memory can be handed over without a copy. Unlike
// std::vector it grows with realloc, which moves large blocks by remapping pages.
template <class T>
class Buffer {
  static_assert(std::is_trivially_copyable_v<T>, "Buffer moves its entries with realloc");

 public:
  Buffer() = default;
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() { std::free(data_); }

  std::size_t size() const { return size_; }
  const T* data() const { return data_; }
  T operator[](std::size_t i) const { return data_[i]; }

  void push(T value) {
    if (size_ == capacity_) resize_memory(capacity_ < 1024 ? 1024 : 2 * capacity_);
    data_[size_++] = value;
  }

  // Hands the memory, cut to size, to the caller, who calls std::free on it. Never null.
  T* release() {
    resize_memory(size_ > 0 ? size_ : 1);
    T* memory = data_;
    data_ = nullptr;
    size_ = capacity_ = 0;
    return memory;
  }

 private:
  void resize_memory(std::size_t capacity) {
    if (capacity > static_cast<std::size_t>(-1) / sizeof(T)) throw std::bad_alloc();
    void* memory = std::realloc(data_, capacity * sizeof(T));
    if (memory == nullptr) throw std::bad_alloc();
    data_ = static_cast<T*>(memory);
    capacity_ = capacity;
  }

  T* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace banditcd
