#pragma once

#include <memory>
#include <string>
#include <utility>

namespace vp {

/// A text that is rarely there, in what is made and moved often: a pointer while it is not.
class Sentence {
 public:
  Sentence() = default;
  Sentence(std::string text) : text_(text.empty() ? nullptr : std::make_unique<std::string>(std::move(text))) {}
  Sentence(const char* text) : Sentence(std::string(text)) {}
  Sentence(const Sentence& other) : text_(other.text_ ? std::make_unique<std::string>(*other.text_) : nullptr) {}
  Sentence(Sentence&& other) noexcept = default;
  Sentence& operator=(Sentence other) noexcept {
    text_ = std::move(other.text_);
    return *this;
  }
  ~Sentence() = default;

  bool empty() const { return text_ == nullptr; }
  friend bool operator==(const Sentence& one, const Sentence& other) { return std::string(one) == std::string(other); }
  operator std::string() const { return text_ ? *text_ : std::string(); }

 private:
  std::unique_ptr<std::string> text_;
};

}  // namespace vp
