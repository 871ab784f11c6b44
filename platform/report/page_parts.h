#pragma once

namespace vp::page_parts {

// Sources of the page (page/), made into strings when the project is built.
extern const char* const kHtml;
extern const char* const kStyle;
extern const char* const kScript;

}  // namespace vp::page_parts
