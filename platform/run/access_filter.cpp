#include "platform/run/access_filter.h"

#include <algorithm>
#include <cctype>

#include "models/common/error.h"
#include "models/common/wording.h"

namespace vp {

namespace {

constexpr const char* kOption = "--log-access: ";

std::string capitals(std::string text) {
  for (char& letter : text) letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  return text;
}

/// "PRIORITY" and "PRIORITY[3]" mean element 3 of PRIORITY.
bool means(const std::string& wanted, const RegisterBase& reg, unsigned index) {
  return wanted == capitals(reg.name()) || wanted == capitals(reg.name(index));
}

void check_part(const std::string& part, const Outline& machine) {
  std::vector<std::string> loggable;
  bool memory = false;
  for (const Outline::Window& one : machine.windows) {
    if (!one.window.memory) loggable.push_back(one.part);
    memory |= one.window.memory && one.part == part;
  }
  if (std::find(loggable.begin(), loggable.end(), part) != loggable.end()) return;
  std::string names;
  for (const std::string& one : loggable)
    if (names.find(one) == std::string::npos) names += (names.empty() ? "" : ", ") + one;
  if (memory)
    throw UserError(kOption + part +
                    " is memory, which masters mostly reach by host pointers and not over the bus: its "
                    "log would have gaps; parts that can be logged are " +
                    names);
  const std::string guess = nearest_word(part, loggable);
  throw UserError(kOption + quoted(part) + " is no part with a window on the bus" +
                  (guess.empty() ? "; those are " + names : ": did you mean '" + guess + "'?"));
}

}  // namespace

AccessLogRequest parse_access_log(const std::string& text) {
  AccessLogRequest request;
  const std::size_t equals = std::min(text.find('='), text.size());
  request.file = text.substr(std::min(equals + 1, text.size()));
  const std::string list = text.substr(0, equals);
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    request.subjects.push_back(list.substr(begin, end - begin));
    if (request.subjects.back().empty())
      throw UserError(kOption + quoted(text) + " names no part: PART[.REGISTER][,...][=FILE], or all");
    begin = end + 1;
  }
  return request;
}

AccessFilter::AccessFilter(const AccessLogRequest& request, const Outline& machine) : writes_(request.writes) {
  for (const std::string& subject : request.subjects) {
    if (subject == "all") {
      all_ = true;
      continue;
    }
    const std::size_t dot = std::min(subject.find('.'), subject.size());
    const std::string part = subject.substr(0, dot), reg = subject.substr(std::min(dot + 1, subject.size()));
    check_part(part, machine);
    if (dot != subject.size() && reg.empty()) throw UserError(kOption + quoted(subject) + " names no register");
    subjects_.push_back({part, capitals(reg)});
  }
}

bool AccessFilter::has_whole(const std::string& part) const {
  return all_ || std::any_of(subjects_.begin(), subjects_.end(),
                             [&](const Subject& one) { return one.part == part && one.reg.empty(); });
}

bool AccessFilter::has_any(const std::string& part) const {
  return all_ || std::any_of(subjects_.begin(), subjects_.end(), [&](const Subject& one) { return one.part == part; });
}

void AccessFilter::check_registers(const std::string& part, const RegisterBank* bank) const {
  for (const Subject& subject : subjects_) {
    if (subject.part != part || subject.reg.empty()) continue;
    if (bank == nullptr) throw UserError(kOption + part + " has no registers with names");
    bool found = false;
    std::vector<std::string> names;
    for (const RegisterBase* const reg : bank->registers()) {
      names.push_back(capitals(reg->name()));
      for (unsigned i = 0; i < reg->extent().count; ++i) found = found || means(subject.reg, *reg, i);
    }
    if (found) continue;
    const std::string guess = nearest_word(subject.reg, names);
    throw UserError(
        kOption + part + " has no register " + quoted(subject.reg) +
        (guess.empty() ? " ('tinytpu-vp registers " + part + "' lists them)" : ": did you mean '" + guess + "'?"));
  }
}

bool AccessFilter::has(const std::string& part, const std::vector<RegisterPlace>& registers, bool write) const {
  if (writes_ && *writes_ != write) return false;
  if (has_whole(part)) return true;
  for (const Subject& subject : subjects_)
    for (const RegisterPlace& one : registers)
      if (subject.part == part && means(subject.reg, *one.reg, one.index)) return true;
  return false;
}

}  // namespace vp
