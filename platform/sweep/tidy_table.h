#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "platform/sweep/point_figures.h"

namespace vp {

/// A table for other programs: one line an observation, one column a variable with its unit in the name
/// ("run.simulated_time [ps]"), numbers as numbers, every line with the same columns.
class TidyTable {
 public:
  using Json = nlohmann::ordered_json;

  /// A new line; what follows goes into it.
  void begin_row() { rows_.emplace_back(); }
  /// A number or a text. unit: "" or "1" for none.
  void add(const std::string& name, const std::string& unit, Json value);
  /// The text of a parameter. Where all values of its column are numbers with like units the column has the numbers, in
  /// picoseconds (of a clock: its period) or bytes; else the texts.
  void add_parameter(const std::string& name, const std::string& text);
  /// All figures of a run in the present line, those of the group of parameters first.
  void add_figures(const Figures& figures);

  std::size_t rows() const { return rows_.size(); }
  /// Puts the lines into this order, in which columns then first appear, too.
  void order(const std::vector<std::size_t>& rows);

  /// Keeps these columns, in this order; a name may lack its unit, and may end with "*" for all that begin so. Throws
  /// UserError for a name that no column has, with the nearest one.
  void choose(const std::vector<std::string>& names);

  /// RFC 4180. A text that a spreadsheet would take for a formula (it begins with =, +, -, @, tab or return) gets an
  /// apostrophe in front.
  std::string csv() const;
  /// One JSON object a line; null where a line has no value.
  std::string json_lines() const;

 private:
  /// Column and value; of two values of one column the later one counts.
  using Row = std::vector<std::pair<std::size_t, Json>>;
  struct Column {
    std::string name;
    std::string unit;
    bool parameter = false;
    std::string key;  ///< in index_
  };
  /// A column as it is given out, its type settled.
  struct Settled {
    std::size_t index;
    std::string title;
    bool number;  ///< of a parameter: its texts stand for numbers
  };
  std::size_t column(const std::string& key, Column made);
  std::vector<Settled> settle() const;
  Json cell(const std::vector<const Json*>& dense, const Settled& column) const;
  /// Calls back with each line, its values by column.
  template <typename Use>
  void each_row(Use use) const;

  std::vector<Column> columns_;
  std::map<std::string, std::size_t> index_;
  std::vector<std::size_t> latest_;  ///< by their places in a line: columns that stood there last
  std::vector<Row> rows_;
  std::vector<std::size_t> chosen_;
  bool all_ = true;
};

}  // namespace vp
