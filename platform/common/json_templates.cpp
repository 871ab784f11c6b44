#include "platform/common/json_templates.h"

namespace nlohmann {
template class basic_json<>;

// As the library's own.
#define VP_JSON_PARSER(KIND, INPUT)                                                                                    \
  template <>                                                                                                          \
  template <>                                                                                                          \
  KIND KIND::parse<INPUT>(std::add_rvalue_reference_t<INPUT> input, parser_callback_t callback, bool allow_exceptions, \
                          bool ignore_comments) {                                                                      \
    KIND document;                                                                                                     \
    parser(detail::input_adapter(std::forward<INPUT>(input)), std::move(callback), allow_exceptions, ignore_comments)  \
        .parse(true, document);                                                                                        \
    return document;                                                                                                   \
  }

VP_JSON_INPUTS(VP_JSON_PARSER)
}  // namespace nlohmann
