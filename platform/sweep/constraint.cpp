#include "platform/sweep/constraint.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "models/common/error.h"
#include "models/common/parameters.h"

namespace vp {

namespace {

using Node = Constraint::Node;
using Value = Constraint::Value;
using Lookup = Constraint::Lookup;
using NodePointer = std::unique_ptr<Node>;

constexpr unsigned kDeepest = 100;  // nested parts, so that no text exhausts the stack
constexpr std::size_t kLongest = 10'000;

double number_in(const Value& value) {
  if (const double* number = std::get_if<double>(&value)) return *number;
  throw UserError("'" + std::get<std::string>(value) + "' is no number");
}

struct Literal : Node {
  explicit Literal(Value value) : value_(std::move(value)) {}
  Value value(const Lookup&) const override { return value_; }
  Value value_;
};

struct Name : Node {
  explicit Name(std::string name) : name_(std::move(name)) {}
  Value value(const Lookup& lookup) const override {
    const std::optional<std::string> text = lookup(name_);
    if (!text) throw UserError("there is no parameter '" + name_ + "'");
    if (const auto number = number_of(*text)) return *number;
    return *text;
  }
  std::string name_;
};

/// Two numbers become one.
struct Arithmetic : Node {
  using Operation = double (*)(double, double);
  Arithmetic(Operation operation, NodePointer left, NodePointer right)
      : operation_(operation), left_(std::move(left)), right_(std::move(right)) {}
  Value value(const Lookup& lookup) const override {
    const double left = number_in(left_->value(lookup)), right = number_in(right_->value(lookup));
    const double result = operation_(left, right);
    if (!std::isfinite(result)) throw UserError("a division by zero, or a number that is too large");
    return result;
  }
  Operation operation_;
  NodePointer left_, right_;
};

/// Both sides are looked at, so that a wrong name never hides behind a condition that holds.
struct Equality : Node {
  Equality(bool wanted, NodePointer left, NodePointer right)
      : wanted_(wanted), left_(std::move(left)), right_(std::move(right)) {}
  Value value(const Lookup& lookup) const override {
    return (left_->value(lookup) == right_->value(lookup)) == wanted_ ? 1.0 : 0.0;
  }
  bool wanted_;
  NodePointer left_, right_;
};

struct Unary : Node {
  using Operation = double (*)(double);
  Unary(Operation operation, NodePointer of) : operation_(operation), of_(std::move(of)) {}
  Value value(const Lookup& lookup) const override {
    const double result = operation_(number_in(of_->value(lookup)));
    if (!std::isfinite(result)) throw UserError("a logarithm of what is not positive, or a number that is too large");
    return result;
  }
  Operation operation_;
  NodePointer of_;
};

double less(double a, double b) { return a < b; }
double at_most(double a, double b) { return a <= b; }
double more(double a, double b) { return a > b; }
double at_least(double a, double b) { return a >= b; }
double add(double a, double b) { return a + b; }
double subtract(double a, double b) { return a - b; }
double multiply(double a, double b) { return a * b; }
double divide(double a, double b) { return a / b; }
double remainder(double a, double b) { return std::fmod(a, b); }
double both(double a, double b) { return a != 0 && b != 0; }
double either(double a, double b) { return a != 0 || b != 0; }
double least(double a, double b) { return std::min(a, b); }
double greatest(double a, double b) { return std::max(a, b); }
double invert(double a) { return a == 0; }
double negate(double a) { return -a; }
double logarithm(double a) { return std::log2(a); }
double round_down(double a) { return std::floor(a); }
double round_up(double a) { return std::ceil(a); }

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_of_word(char c) { return is_digit(c) || is_letter(c) || c == '.'; }

/// Recursive descent over the grammar in the header.
class Parser {
 public:
  explicit Parser(const std::string& text) : text_(text) {}

  NodePointer parse() {
    if (text_.size() > kLongest) fail("the condition is too long");
    NodePointer root = parse_or();
    skip_blanks();
    if (at_ < text_.size()) fail("something is left over");
    return root;
  }

 private:
  struct Operator {
    const char* text;
    Arithmetic::Operation operation;
  };

  [[noreturn]] void fail(const std::string& what) const {
    throw UserError(what + (at_ < text_.size() ? " at '" + text_.substr(at_, 40) + "'" : " at the end"));
  }
  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }
  bool take(const char* word) {
    skip_blanks();
    const std::string wanted = word;
    if (text_.compare(at_, wanted.size(), wanted) != 0) return false;
    at_ += wanted.size();
    return true;
  }
  void expect(const char* word) {
    if (!take(word)) fail(std::string("'") + word + "' is missing");
  }

  /// One level of operators that group to the left.
  template <std::size_t n>
  NodePointer parse_level(NodePointer (Parser::*deeper)(), const Operator (&operators)[n]) {
    NodePointer left = (this->*deeper)();
    for (;;) {
      const auto found = std::find_if(std::begin(operators), std::end(operators),
                                      [this](const Operator& one) { return take(one.text); });
      if (found == std::end(operators)) return left;
      left = deepened(std::make_unique<Arithmetic>(found->operation, std::move(left), (this->*deeper)()));
    }
  }
  /// Chains to the left are as deep as they are long when they are evaluated.
  NodePointer deepened(NodePointer node) {
    if (++chained_ > 1000) fail("the condition has too many parts");
    return node;
  }

  NodePointer parse_or() {
    if (++depth_ > kDeepest) fail("the condition is nested too deeply");
    static constexpr Operator operators[] = {{"||", either}};
    NodePointer node = parse_level(&Parser::parse_and, operators);
    --depth_;
    return node;
  }
  NodePointer parse_and() {
    static constexpr Operator operators[] = {{"&&", both}};
    return parse_level(&Parser::parse_not, operators);
  }
  NodePointer parse_not() {
    skip_blanks();
    if (text_.compare(at_, 2, "!=") == 0 || !take("!")) return parse_comparison();
    if (++depth_ > kDeepest) fail("the condition is nested too deeply");
    NodePointer node = std::make_unique<Unary>(invert, parse_not());
    --depth_;
    return node;
  }
  NodePointer parse_comparison() {
    NodePointer left = parse_sum();
    if (take("==")) return std::make_unique<Equality>(true, std::move(left), parse_sum());
    if (take("!=")) return std::make_unique<Equality>(false, std::move(left), parse_sum());
    static constexpr Operator operators[] = {{"<=", at_most}, {">=", at_least}, {"<", less}, {">", more}};
    for (const Operator& one : operators)
      if (take(one.text)) return std::make_unique<Arithmetic>(one.operation, std::move(left), parse_sum());
    return left;
  }
  NodePointer parse_sum() {
    static constexpr Operator operators[] = {{"+", add}, {"-", subtract}};
    return parse_level(&Parser::parse_product, operators);
  }
  NodePointer parse_product() {
    static constexpr Operator operators[] = {{"*", multiply}, {"/", divide}, {"%", remainder}};
    return parse_level(&Parser::parse_unary, operators);
  }
  NodePointer parse_unary() {
    if (++depth_ > kDeepest) fail("the condition is nested too deeply");
    NodePointer node = take("-") ? std::make_unique<Unary>(negate, parse_unary()) : parse_operand();
    --depth_;
    return node;
  }

  NodePointer parse_operand() {
    if (take("(")) {
      NodePointer inside = parse_or();
      expect(")");
      return inside;
    }
    skip_blanks();
    if (at_ >= text_.size()) fail("a value is missing");
    if (text_[at_] == '\'' || text_[at_] == '"') return parse_text();
    if (is_digit(text_[at_]) || text_[at_] == '.') return parse_number();
    if (!is_letter(text_[at_])) fail("a value is missing");
    const std::string word = take_word();
    if (word == "true" || word == "false") return std::make_unique<Literal>(word == "true" ? 1.0 : 0.0);
    return take("(") ? parse_call(word) : std::make_unique<Name>(word);
  }
  std::string take_word() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_of_word(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
  }
  NodePointer parse_text() {
    const std::size_t end = text_.find(text_[at_], at_ + 1);
    if (end == std::string::npos) fail("the closing quote is missing");
    const std::string text = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    if (const auto number = number_of(text)) return std::make_unique<Literal>(*number);
    return std::make_unique<Literal>(text);
  }
  NodePointer parse_number() {
    const std::size_t begin = at_;
    std::string word = take_word();
    // 1e-9 and 2e+3: the sign belongs to the exponent.
    if ((word.back() == 'e' || word.back() == 'E') && at_ + 1 < text_.size() &&
        (text_[at_] == '-' || text_[at_] == '+') && is_digit(text_[at_ + 1]) && word.compare(0, 2, "0x") != 0) {
      word += text_[at_++];
      word += take_word();
    }
    const auto number = number_of(word);
    if (!number) {
      at_ = begin;
      fail("no number");
    }
    return std::make_unique<Literal>(*number);
  }
  NodePointer parse_call(const std::string& function) {
    static constexpr std::pair<const char*, Unary::Operation> unary[] = {
        {"log2", logarithm}, {"floor", round_down}, {"ceil", round_up}};
    static constexpr Operator folding[] = {{"min", least}, {"max", greatest}};
    NodePointer value = parse_or();
    for (const auto& [name, operation] : unary)
      if (function == name) {
        expect(")");
        return std::make_unique<Unary>(operation, std::move(value));
      }
    for (const Operator& one : folding)
      if (function == one.text) {
        while (take(",")) value = deepened(std::make_unique<Arithmetic>(one.operation, std::move(value), parse_or()));
        expect(")");
        return value;
      }
    throw UserError("there is no function '" + function + "' (there are min, max, log2, floor, ceil)");
  }

  const std::string& text_;
  std::size_t at_ = 0;
  unsigned depth_ = 0;
  unsigned chained_ = 0;
};

template <typename Parse>
std::optional<double> parsed(const std::string& text, Parse parse) {
  try {
    return static_cast<double>(parse(text));
  } catch (const UserError&) {
    return std::nullopt;
  }
}

}  // namespace

std::optional<double> number_of(const std::string& text) {
  if (text == "true" || text == "false") return text == "true" ? 1.0 : 0.0;
  const char last = text.empty() ? ' ' : text.back();
  if (!is_digit(last) && !is_letter(last) && last != '.') return std::nullopt;
  if (!is_digit(text.front()) && text.front() != '.' && text.front() != '-') return std::nullopt;
  if (const auto whole = parsed(text, parse_integer)) return whole;
  if (const auto real = parsed(text, parse_real); real && std::isfinite(*real)) return real;
  if (const auto time = parsed(text, parse_time)) return time;
  return parsed(text, parse_clock_period);
}

Constraint::Constraint(const std::string& text) : text_(text) {
  try {
    root_ = Parser(text_).parse();
  } catch (const UserError& error) {
    throw UserError("'" + text_.substr(0, 80) + "': " + error.what());
  }
}

Constraint::~Constraint() = default;
Constraint::Constraint(Constraint&&) noexcept = default;
Constraint& Constraint::operator=(Constraint&&) noexcept = default;

bool Constraint::holds(const Lookup& lookup) const {
  try {
    return number_in(root_->value(lookup)) != 0;
  } catch (const UserError& error) {
    throw UserError("'" + text_.substr(0, 80) + "': " + error.what());
  }
}

}  // namespace vp
