#include "platform/report/report_page.h"

#include <stdexcept>

#include "platform/report/page_parts.h"

namespace vp {

namespace {

void replace(std::string& page, const std::string& mark, const std::string& content) {
  const std::size_t at = page.find(mark);
  if (at == std::string::npos) throw std::logic_error("report page: no place for " + mark);
  page.replace(at, mark.size(), content);
}

/// In a script element only "</" and "<!--" could end the data early; as an escape of JSON "<" can stand anywhere.
std::string embedded_json(const std::string& json) {
  std::string safe;
  safe.reserve(json.size());
  for (const char c : json) {
    if (c == '<')
      safe += "\\u003c";
    else
      safe += c;
  }
  return safe;
}

}  // namespace

std::string report_page(const std::string& data) {
  std::string page = page_parts::kHtml;
  replace(page, "/*STYLE*/", page_parts::kStyle);
  replace(page, "/*SCRIPT*/", page_parts::kScript);
  replace(page, "{\"DATA\":0}", embedded_json(data));
  return page;
}

}  // namespace vp
