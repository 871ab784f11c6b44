#include "models/cpu/csrs.h"

#include <algorithm>

namespace vp::cpu {
namespace {

std::vector<NamedCsr> make_list() {
  std::vector<NamedCsr> list = {
#define X(name, number) {#name, number},
      VP_CPU_CSRS(X)
#undef X
  };
#define X(name, first, from, to, there, suffix) \
  for (unsigned i = from; i <= (to); ++i) list.push_back({#name + std::to_string(i) + #suffix, (first) + i - (from)});
  VP_CPU_CSR_ARRAYS(X)
#undef X
  std::sort(list.begin(), list.end(), [](const NamedCsr& a, const NamedCsr& b) { return a.number < b.number; });
  return list;
}

}  // namespace

const std::vector<NamedCsr>& known_csrs() {
  static const std::vector<NamedCsr> list = make_list();
  return list;
}

std::string csr_name(unsigned number) {
  const auto& list = known_csrs();
  const auto found = std::lower_bound(list.begin(), list.end(), number,
                                      [](const NamedCsr& csr, unsigned wanted) { return csr.number < wanted; });
  return found != list.end() && found->number == number ? found->name : "";
}

}  // namespace vp::cpu
