#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "models/common/statistics.h"

namespace vp {

// Figures of a device are a plain struct that lists its members once, with name, unit and description:
//
//     struct Figures {
//       std::uint64_t sent = 0;
//       std::optional<double> share;  // left out where there is none
//       PortFigures port;             // a struct of the same kind
//
//       template <typename List>
//       void list(List& list) const {
//         list.figure("sent", sent, "bytes", "characters sent");
//         list.figure("share", share, "%", "of all characters");
//         list.group("port", "AXI4-Lite port", port);
//       }
//     };
//
// The device returns it (`figures()`), and whoever needs a number takes the member. write_figures() puts all of them
// into a report; figure_path() tells under which name one of them stands there, from the member itself.

/// Groups whose names are known only when the figures are taken, such as links or causes: one group each.
template <typename Group>
using NamedGroups = std::vector<std::pair<std::string, Group>>;

/// The group of that name. std::out_of_range if there is none.
template <typename Group>
const Group& named(const NamedGroups<Group>& groups, const std::string& name) {
  for (const auto& [one, group] : groups)
    if (one == name) return group;
  throw std::out_of_range("no group '" + name + "'");
}

/// Writes a struct of figures into a group of the report.
class FigureWriter {
 public:
  explicit FigureWriter(Statistics& into) : into_(into) {}

  /// A whole number, a real one or a text; nothing for an optional without value. unit: as for Statistics::add.
  template <typename Value>
  void figure(std::string_view name, const Value& value, std::string_view unit, std::string_view description,
              Repeats repeats = Repeats::always) {
    if constexpr (std::is_convertible_v<Value, std::string_view>)
      into_.add(name, std::string_view(value), description, repeats);
    else if constexpr (std::is_floating_point_v<Value>)
      into_.add(name, static_cast<double>(value), unit, description, repeats);
    else
      into_.add(name, static_cast<std::uint64_t>(value), unit, description, repeats);
  }
  template <typename Value>
  void figure(std::string_view name, const std::optional<Value>& value, std::string_view unit,
              std::string_view description, Repeats repeats = Repeats::always) {
    if (value) figure(name, *value, unit, description, repeats);
  }
  /// The figures of another struct, in a group of their own.
  template <typename Group>
  void group(std::string_view name, std::string_view description, const Group& figures) {
    FigureWriter inside(into_.group(name, description));
    figures.list(inside);
  }
  template <typename Group>
  void group(std::string_view name, std::string_view description, const std::optional<Group>& figures) {
    if (figures) group(name, description, *figures);
  }
  /// A group for each of several structs, side by side with the other figures.
  template <typename Group>
  void groups(std::string_view description, const NamedGroups<Group>& all) {
    for (const auto& [name, figures] : all) group(name, description, figures);
  }

 private:
  Statistics& into_;
};

/// Adds all figures of a struct to a group of the report.
template <typename Figures>
void write_figures(const Figures& figures, Statistics& into) {
  FigureWriter writer(into);
  figures.list(writer);
}

/// Looks for the name under which a struct lists one of its own members.
template <typename Wanted>
class FigureNameFinder {
 public:
  explicit FigureNameFinder(const Wanted& member) : member_(member) {}

  template <typename Value>
  void figure(std::string_view name, const Value& value, std::string_view, std::string_view,
              Repeats = Repeats::always) {
    look_at(name, value);
  }
  template <typename Group>
  void group(std::string_view name, std::string_view, const Group& figures) {
    look_at(name, figures);
  }
  template <typename Group>
  void groups(std::string_view, const NamedGroups<Group>&) {}
  const std::string& name() const { return name_; }

 private:
  template <typename Value>
  void look_at(std::string_view name, const Value& value) {
    if constexpr (std::is_same_v<Value, Wanted>)
      if (&value == &member_) name_ = name;
  }

  const Wanted& member_;
  std::string name_;
};

/// The path of a figure below its struct's group, from members: figure_path(&Figures::port, &PortFigures::writes) is
/// "port.writes". std::logic_error for a member that its struct does not list.
template <typename Figures, typename Member, typename... Deeper>
std::string figure_path(Member Figures::*member, Deeper... deeper) {
  const Figures example{};
  FigureNameFinder<Member> finder(example.*member);
  example.list(finder);
  if (finder.name().empty()) throw std::logic_error("a struct of figures does not list one of its members");
  if constexpr (sizeof...(deeper) == 0)
    return finder.name();
  else
    return finder.name() + "." + figure_path(deeper...);
}

}  // namespace vp
