#pragma once

#include <boost/program_options/variables_map.hpp>
#include <chrono>
#include <string>

#include "models/common/error.h"
#include "models/common/parameters.h"
#include "platform/cli/options.h"

namespace vp {

/// Calls `use` with the parsed value of an option that was given; complaints name the option.
template <typename Parse, typename Use>
void with_option(const boost::program_options::variables_map& values, const char* name, Parse parse, Use use) {
  if (!values.count(name)) return;
  const std::string text = value_of(values, name);
  try {
    use(parse(text));
  } catch (const UserError& error) {
    throw UserError("--" + std::string(name) + ": " + error.what());
  }
}

/// --timeout in seconds, zero if it is absent.
inline std::chrono::duration<double> timeout_of(const boost::program_options::variables_map& values) {
  std::chrono::duration<double> timeout{0};
  with_option(values, "timeout", parse_time, [&](Picoseconds time) {
    if (time == 0) throw UserError("0 is out of range");
    timeout = std::chrono::duration<double>(static_cast<double>(time) / 1e12);
  });
  return timeout;
}

/// --max-time, kNever if it is absent.
inline Picoseconds max_time_of(const boost::program_options::variables_map& values) {
  Picoseconds limit = kNever;
  with_option(values, "max-time", parse_time, [&](Picoseconds time) { limit = time; });
  return limit;
}

}  // namespace vp
