#include "platform/sweep/point_figures.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "platform/sweep/json_scanner.h"

namespace vp {

using Json = nlohmann::ordered_json;

namespace {

/// Hears the parts of a text and picks the figures out; what stands at other places is passed over.
class Reader {
 public:
  /// wall_seconds: nullptr if the text is the tree of a run, else it is the file of a point, which holds both.
  Reader(Figures& figures, Json* wall_seconds) : figures_(figures), wall_seconds_(wall_seconds) {
    figures_.reserve(kExpected);
  }

  bool has_tree() const { return has_tree_; }

  // The events of JsonScanner. false ends the reading. Texts are copied where they are wanted, which most are not.
  bool null() { return scalar(nullptr); }
  bool boolean(bool value) { return scalar(value); }
  bool number_integer(std::int64_t value) { return scalar(value); }
  bool number_unsigned(std::uint64_t value) { return scalar(value); }
  bool number_float(double value, std::string_view) { return scalar(value); }
  bool string(std::string_view value) { return scalar(value); }
  bool key(std::string_view name) {
    name_ = name;
    return true;
  }
  bool start_object(std::size_t) {
    const Place place = place_of_object();
    places_.push_back({place, prefix_.size()});
    if (place == Place::group && depth() > tree_depth()) prefix_.append(name_) += '.';
    if (place == Place::quantity) begin_figure();
    has_tree_ |= place == Place::group;
    return true;
  }
  bool end_object() {
    if (places_.back().place == Place::quantity) {
      if (figure_.value.is_discarded()) return false;
      figures_.push_back(std::move(figure_));
    }
    prefix_.resize(places_.back().prefix);
    places_.pop_back();
    return true;
  }
  bool start_array(std::size_t) {
    if (places_.empty() || wants_object()) return false;
    places_.push_back({Place::elsewhere, prefix_.size()});
    return true;
  }
  bool end_array() {
    places_.pop_back();
    return true;
  }

 private:
  static constexpr std::size_t kExpected = 1024;  ///< figures of a machine, about
  enum class Place { file, group, groups, values, quantity, elsewhere };
  struct Level {
    Place place;
    std::size_t prefix;  ///< length of the path outside of it
  };

  std::size_t depth() const { return places_.size(); }
  /// Of the places with the tree's outermost group.
  std::size_t tree_depth() const { return wall_seconds_ ? 2 : 1; }

  /// Whether nothing but an object can stand here.
  bool wants_object() const {
    const Place place = places_.back().place;
    return place == Place::groups || place == Place::values ||
           (place == Place::group && (name_ == "values" || name_ == "groups"));
  }

  Place place_of_object() const {
    if (places_.empty()) return wall_seconds_ ? Place::file : Place::group;
    switch (places_.back().place) {
      case Place::file:
        return name_ == "statistics" ? Place::group : Place::elsewhere;
      case Place::group:
        return name_ == "values" ? Place::values : name_ == "groups" ? Place::groups : Place::elsewhere;
      case Place::groups:
        return Place::group;
      case Place::values:
        return Place::quantity;
      case Place::quantity:
      case Place::elsewhere:
        break;
    }
    return Place::elsewhere;
  }

  void begin_figure() {
    figure_ = {"", Json(Json::value_t::discarded), "", "", true};
    figure_.path.reserve(prefix_.size() + name_.size());
    figure_.path.append(prefix_).append(name_);
  }

  template <typename Value>
  bool scalar(const Value& value) {
    if (places_.empty() || wants_object()) return false;
    if (places_.back().place == Place::file && name_ == "wall_seconds") *wall_seconds_ = value;
    if (places_.back().place != Place::quantity) return true;
    if (name_ == "value") {
      figure_.value = value;
    } else if constexpr (std::is_same_v<Value, std::string_view>) {
      if (name_ == "unit") figure_.unit = value;
      if (name_ == "description" && figure_.path == kEndFigure) figure_.description = value;
    } else if constexpr (std::is_same_v<Value, bool>) {
      if (name_ == "volatile") figure_.repeats = !value;
    }
    return true;
  }

  Figures& figures_;
  Json* wall_seconds_;
  std::vector<Level> places_;  ///< from the outermost to the innermost
  std::string prefix_;         ///< of the paths of the present group
  std::string_view name_;      ///< that was read last
  Figure figure_;
  bool has_tree_ = false;
};

}  // namespace

const Figure* find_figure(const Figures& figures, const std::string& path) {
  const auto found =
      std::find_if(figures.begin(), figures.end(), [&path](const Figure& figure) { return figure.path == path; });
  return found == figures.end() ? nullptr : &*found;
}

bool read_statistics_text(const std::string& text, Figures& figures) {
  Reader reader(figures, nullptr);
  return JsonScanner(text, reader).scan();
}

bool read_point_text(const std::string& text, PointFigures& point) {
  Reader reader(point.figures, &point.wall_seconds);
  return JsonScanner(text, reader).scan() && reader.has_tree();
}

}  // namespace vp
