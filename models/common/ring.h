#pragma once

#include <cstddef>
#include <vector>

namespace vp {

/// A queue of small values that keeps its place in memory: what leaves in front makes room behind.
template <typename T>
class Ring {
 public:
  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  /// By its place in the queue, which is below size().
  T& operator[](std::size_t index) { return places_[(first_ + index) & mask()]; }
  const T& operator[](std::size_t index) const { return places_[(first_ + index) & mask()]; }
  T& front() { return places_[first_]; }
  const T& front() const { return places_[first_]; }
  T& back() { return (*this)[size_ - 1]; }

  void push_back(const T& value) {
    if (size_ == places_.size()) grow();
    places_[(first_ + size_++) & mask()] = value;
  }
  void pop_front() {
    first_ = (first_ + 1) & mask();
    --size_;
  }
  /// From front to back.
  std::vector<T> values() const {
    std::vector<T> values;
    for (std::size_t i = 0; i < size_; ++i) values.push_back((*this)[i]);
    return values;
  }
  void clear() { first_ = size_ = 0; }

 private:
  std::size_t mask() const { return places_.size() - 1; }
  void grow() {
    std::vector<T> places(places_.empty() ? 8 : 2 * places_.size());
    for (std::size_t i = 0; i < size_; ++i) places[i] = (*this)[i];
    places_.swap(places);
    first_ = 0;
  }

  std::vector<T> places_;  // a power of two of them
  std::size_t first_ = 0;
  std::size_t size_ = 0;
};

}  // namespace vp
