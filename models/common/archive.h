#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace vp {

/// Visits the state of objects by name, to save, load or compare it. A class lists its members once:
///
///     void Fifo::persist(Archive& archive) { archive("words", words_)("head", head_); }
///
/// Saving and loading happen while nothing is under way: the CPU is at an instruction boundary, no access is in the
/// bus. What is derived from other state is not listed; `if (archive.loading())` computes it anew. Settings are not
/// state; `same()` says where the layout of the state depends on one.
///
/// Members: numbers, bool, enumerations (with their last value), double, strings, arrays, vectors, deques, maps,
/// optionals, variants, pairs, random engines, objects with `persist(Archive&)`. A class that changes its list raises
/// its `static constexpr unsigned kStateVersion` (1 without one) and asks for `archive.version()`.
///
/// A state that is truncated, damaged, foreign, or of another machine is a UserError of one sentence that names the
/// place; what has been loaded before it stays loaded, so the machine must not be used any more.
class Archive {
 public:
  enum class Use { save, load, compare };

  /// For saving.
  Archive();
  /// For loading `state`, or for comparing it with the objects as they are. `state` must live as long. Throws UserError
  /// if it is no whole, undamaged state.
  Archive(Use use, const std::string& state);

  bool loading() const { return use_ == Use::load; }
  bool saving() const { return use_ == Use::save; }
  /// Version of the class whose persist() runs, as it was saved.
  unsigned version() const { return versions_.back(); }

  template <typename T>
  Archive& operator()(const char* name, T& value) {
    enter(name);
    if (!finished_) visit(value);
    frames_.pop_back();
    return *this;
  }
  /// An enumeration whose values are 0 to `last`.
  template <typename E>
  Archive& operator()(const char* name, E& value, std::common_type_t<E> last) {
    static_assert(std::is_enum_v<E>);
    auto plain = static_cast<std::uint64_t>(value);
    below(name, plain, static_cast<std::uint64_t>(last) + 1);
    if (loading()) value = static_cast<E>(plain);
    return *this;
  }
  /// A number that must be less than `limit`: an index, say.
  template <typename T>
  Archive& below(const char* name, T& value, std::uint64_t limit) {
    (*this)(name, value);
    require(static_cast<std::uint64_t>(value) < limit, name, "is out of range");
    return *this;
  }
  /// A container whose size is given by the settings and does not change.
  template <typename T>
  Archive& fixed(const char* name, std::vector<T>& values) {
    enter(name);
    if (!finished_) {
      const std::size_t size = count(values.size(), kPlain<T> ? sizeof(T) : 1);
      require(size == values.size(), "", "has another size in this machine");
      visit_elements(values.data(), values.size());
    }
    frames_.pop_back();
    return *this;
  }
  /// A vector of objects without a state of their own at first: new elements are copies of `empty`.
  template <typename T>
  Archive& copies(const char* name, std::vector<T>& values, const T& empty) {
    enter(name);
    if (!finished_) {
      const std::size_t size = count(values.size(), 1);
      if (loading()) values.clear();
      for (std::size_t i = 0; i < size && !finished_; ++i) {
        if (loading()) values.push_back(empty);
        visit_element(i, values[i]);
      }
    }
    frames_.pop_back();
    return *this;
  }
  /// A setting on which the layout of the state depends: it must be the same when the state is loaded.
  template <typename T>
  Archive& same(const char* name, const T& setting) {
    T value = setting;
    (*this)(name, value);
    require(value == setting, name, "is set differently in this machine");
    return *this;
  }
  /// Memory of a fixed size, of which only pages that are not zero are kept. Loading writes to no page that is zero and
  /// stays so: memory that the host has not provided yet stays unprovided.
  Archive& sparse(const char* name, std::uint8_t* data, std::uint64_t size);
  /// When loading: UserError "… NAME COMPLAINT" unless `condition`.
  void require(bool condition, const char* name, const char* complaint) const;

  /// What was saved.
  std::string finish();
  /// Bytes in front of the members.
  static constexpr std::size_t kHeader = 36;
  /// Writes the header for the members that follow it: for a test that changes them.
  static void seal(std::string& state);
  /// After loading: UserError if something is left over.
  void expect_end() const;
  /// After comparing: the first member that differs, with both values ("tpu.core.fifo[3].word: 5, saved 7"); empty if
  /// none does.
  const std::string& difference() const { return difference_; }

 private:
  template <typename T, typename = void>
  struct HasPersist : std::false_type {};
  template <typename T>
  struct HasPersist<T, std::void_t<decltype(std::declval<T&>().persist(std::declval<Archive&>()))>> : std::true_type {};
  template <typename T, typename = void>
  struct VersionOf : std::integral_constant<unsigned, 1> {};
  template <typename T>
  struct VersionOf<T, std::void_t<decltype(T::kStateVersion)>> : std::integral_constant<unsigned, T::kStateVersion> {};
  /// Kept in one piece. Not bool: not every byte is one.
  template <typename T>
  static constexpr bool kPlain = std::is_integral_v<T> && !std::is_same_v<T, bool>;

  template <typename T>
  void visit(T& value) {
    static_assert(!std::is_enum_v<T>, "name the last value: archive(name, value, E::last)");
    static_assert(!std::is_pointer_v<T>, "a pointer is no state");
    if constexpr (std::is_same_v<T, bool>) {
      visit_bool(value);
    } else if constexpr (std::is_arithmetic_v<T>) {
      number(&value, sizeof value,
             std::is_integral_v<T> ? std::is_signed_v<T> ? Kind::integer : Kind::natural : Kind::real);
    } else if constexpr (HasPersist<T>::value) {
      begin_object(VersionOf<T>::value);
      if (!finished_) value.persist(*this);
      end_object();
    } else {
      visit_other(value);
    }
  }
  void visit_other(std::string& value);
  template <typename T>
  void visit_other(std::atomic<T>& value) {
    T plain = value.load();
    visit(plain);
    if (loading()) value.store(plain);
  }
  template <typename T, std::size_t n>
  void visit_other(std::array<T, n>& values) {
    visit_elements(values.data(), n);
  }
  template <typename T, std::size_t n>
  void visit_other(T (&values)[n]) {
    visit_elements(&values[0], n);
  }
  template <typename T>
  void visit_other(std::vector<T>& values) {
    static_assert(!std::is_same_v<T, bool>);
    const std::size_t size = count(values.size(), kPlain<T> ? sizeof(T) : 1);
    if constexpr (kPlain<T>) {
      if (loading()) values.resize(size);
      visit_elements(values.data(), size);
    } else {
      visit_sequence(values, size);
    }
  }
  template <typename T>
  void visit_other(std::deque<T>& values) {
    visit_sequence(values, count(values.size(), 1));
  }
  template <typename K, typename V>
  void visit_other(std::map<K, V>& values) {
    std::vector<std::pair<K, V>> entries(values.begin(), values.end());
    visit_other(entries);
    if (loading()) values = std::map<K, V>(entries.begin(), entries.end());
  }
  template <typename A, typename B>
  void visit_other(std::pair<A, B>& value) {
    (*this)("first", value.first)("second", value.second);
  }
  template <typename T>
  void visit_other(std::optional<T>& value) {
    bool present = value.has_value();
    visit_bool(present);
    if (loading() && present) value.emplace();
    if (loading() && !present) value.reset();
    if (value.has_value() && !finished_) visit(*value);
  }
  template <typename... T>
  void visit_other(std::variant<T...>& value) {
    std::uint64_t index = value.index();
    number(&index, sizeof index, Kind::natural);
    require(index < sizeof...(T), "", "is out of range");
    if (loading()) choose(value, index, std::index_sequence_for<T...>{});
    if (!finished_) std::visit([this](auto& alternative) { visit(alternative); }, value);
  }
  void visit_other(std::minstd_rand& engine);
  void visit_other(std::mt19937& engine);
  void visit_other(std::mt19937_64& engine);

  template <typename... T, std::size_t... i>
  static void choose(std::variant<T...>& value, std::uint64_t index, std::index_sequence<i...>) {
    (void)((index == i && (value.template emplace<i>(), true)) || ...);
  }
  template <typename T>
  void visit_elements(T* values, std::size_t n) {
    if constexpr (kPlain<T>) {
      block(values, sizeof(T), n);
    } else {
      for (std::size_t i = 0; i < n && !finished_; ++i) visit_element(i, values[i]);
    }
  }
  template <typename Sequence>
  void visit_sequence(Sequence& values, std::size_t size) {
    if (loading()) values.clear();
    for (std::size_t i = 0; i < size && !finished_; ++i) {
      if (loading()) values.emplace_back();
      visit_element(i, values[i]);
    }
  }
  template <typename T>
  void visit_element(std::size_t i, T& value) {
    frames_.push_back({nullptr, i});
    visit(value);
    frames_.pop_back();
  }
  template <typename Engine>
  void visit_engine(Engine& engine);

  // The format: what each kind of value looks like as bytes.
  enum class Kind : std::uint8_t { natural, integer, real };
  void enter(const char* name);
  void begin_object(unsigned version);
  void end_object();
  void visit_bool(bool& value);
  void number(void* value, std::size_t size, Kind kind);
  /// The number of elements of a container; when loading, so many of at least `least` bytes can be there still.
  std::size_t count(std::size_t size, std::size_t least);
  void block(void* values, std::size_t element_size, std::size_t n);
  void save_pages(const std::uint8_t* data, std::uint64_t size);
  void load_pages(std::uint8_t* data, std::uint64_t size);
  void take_page(std::uint8_t* data, std::uint64_t page, const std::uint8_t* saved, std::uint64_t size);

  void put(const void* data, std::size_t size) { bytes_.append(static_cast<const char*>(data), size); }
  template <typename T>
  void put_value(T value) {
    put(&value, sizeof value);
  }
  /// The next `size` bytes of the state; UserError if there are not so many.
  const std::uint8_t* take(std::size_t size);
  template <typename T>
  T take_value();
  void take_tag(char tag);
  std::string path() const;
  [[noreturn]] void fail(const std::string& what) const;
  void differs(const std::string& live, const std::string& saved);

  struct Frame {
    const char* name;   // nullptr: an element
    std::size_t index;  // of the element
  };
  Use use_;
  std::string bytes_;          // saved so far
  std::string_view state_;     // loaded from, compared with
  std::size_t position_ = 0;   // in it
  std::vector<Frame> frames_;  // where we are
  std::vector<unsigned> versions_{1};
  std::string difference_;
  bool finished_ = false;  // a difference was found: nothing more is looked at
};

/// The whole state of `root` as bytes.
template <typename Root>
std::string save_state(Root& root) {
  Archive archive;
  archive("", root);
  return archive.finish();
}
/// Throws UserError for a state that is not one of such an object.
template <typename Root>
void load_state(Root& root, const std::string& state) {
  Archive archive(Archive::Use::load, state);
  archive("", root);
  archive.expect_end();
}
/// The first difference between `root` as it is and a saved state; empty if there is none.
template <typename Root>
std::string state_difference(Root& root, const std::string& state) {
  Archive archive(Archive::Use::compare, state);
  archive("", root);
  return archive.difference();
}

}  // namespace vp
