#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>

namespace vp {

/// A condition on the parameters of a point, such as `tpu.matrix_width * 8 <= 256 && dram0.preset != 'fixed'`.
///
///     or      = and { "||" and }
///     and     = not { "&&" not }
///     not     = "!" not | comparison
///     compare = sum [ ("<" | "<=" | ">" | ">=" | "==" | "!=") sum ]
///     sum     = product { ("+" | "-") product }
///     product = unary { ("*" | "/" | "%") unary }
///     unary   = "-" unary | number [unit] | 'text' | "text" | name | function "(" or { "," or } ")" | "(" or ")"
///
/// Functions: min, max (of two or more), log2, floor, ceil. Numbers are real; units are those of parameters: ps, ns,
/// us, ms, s (picoseconds), Hz, kHz, MHz, GHz (the period in picoseconds, as parameters that are clocks have it), KiB,
/// MiB, GiB. A name is a parameter's; its value is a number if its text is one, else text, which can only be compared
/// with == and !=. true and false are the numbers 1 and 0.
class Constraint {
 public:
  /// The text of a parameter's value, nothing if there is no such parameter.
  using Lookup = std::function<std::optional<std::string>(const std::string& name)>;
  using Value = std::variant<double, std::string>;

  /// Throws UserError, which quotes the place.
  explicit Constraint(const std::string& text);
  ~Constraint();
  Constraint(Constraint&&) noexcept;
  Constraint& operator=(Constraint&&) noexcept;

  /// Whether the point may be run. Throws UserError: an unknown name, text where a number belongs.
  bool holds(const Lookup& lookup) const;
  const std::string& text() const { return text_; }

  /// A part of the condition.
  class Node {
   public:
    virtual ~Node() = default;
    virtual Value value(const Lookup& lookup) const = 0;
  };

 private:
  std::string text_;
  std::unique_ptr<Node> root_;
};

/// The number that a parameter's text stands for, in its base unit (bytes, picoseconds; a frequency is its period), or
/// nothing if it is text.
std::optional<double> number_of(const std::string& text);

}  // namespace vp
