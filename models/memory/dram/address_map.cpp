#include "models/memory/dram/address_map.h"

#include <algorithm>
#include <vector>

#include "models/common/error.h"

namespace vp::dram {
namespace {

unsigned log2_of(std::uint64_t value) {
  unsigned bits = 0;
  while (value >>= 1) ++bits;
  return bits;
}

std::vector<std::string> split(const std::string& mapping) {
  std::vector<std::string> fields;
  for (std::size_t i = 0; i + 2 <= mapping.size(); i += 2) fields.push_back(mapping.substr(i, 2));
  return fields;
}

}  // namespace

void check_mapping(const std::string& mapping) {
  std::vector<std::string> fields = split(mapping);
  std::sort(fields.begin(), fields.end());
  if (mapping.size() != 12 || fields != std::vector<std::string>{"ba", "bg", "ch", "co", "ra", "ro"})
    throw UserError("The address mapping '" + mapping +
                    "' is not 12 characters made of ro, ch, ra, ba, bg and co, each once (for example rochrababgco).");
}

AddressMap::AddressMap(const ChannelConfig& config)
    : offset_bits_(log2_of(config.burst_bytes())),
      groups_(config.structure.bank_groups),
      banks_per_group_(config.structure.banks_per_group) {
  check_mapping(config.address_mapping);
  Field channel;  // one channel a model: the field has no bits
  const struct {
    const char* name;
    std::uint64_t count;
    Field* field;
  } table[] = {{"ro", config.structure.rows, &row_},
               {"ch", 1, &channel},
               {"ra", config.ranks(), &rank_},
               {"ba", config.structure.banks_per_group, &bank_},
               {"bg", config.structure.bank_groups, &group_},
               {"co", config.structure.columns / config.structure.burst_length, &column_}};
  std::vector<std::string> fields = split(config.address_mapping);
  unsigned shift = 0;
  for (auto name = fields.rbegin(); name != fields.rend(); ++name)
    for (const auto& entry : table)
      if (*name == entry.name) {
        *entry.field = {shift, static_cast<unsigned>(entry.count - 1)};
        shift += log2_of(entry.count);
      }
}

}  // namespace vp::dram
