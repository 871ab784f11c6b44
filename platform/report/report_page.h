#pragma once

#include <string>

namespace vp {

/// The report as one HTML file that needs nothing else: no network, no other file, no library. data: JSON of
/// read_report_data().
std::string report_page(const std::string& data);

}  // namespace vp
