#include "models/common/console_config.h"

#include <utility>

#include "models/common/error.h"
#include "models/common/host_console.h"
#include "models/common/link_console.h"

namespace vp {

void ConsoleConfig::declare(const ParameterGroup& g, const std::string& what_else) {
  g.custom(
      "serial", "text", "none, pty, tcp:PORT",
      "instead of these: a pseudo-terminal (pty) or a TCP port of this host, 0 for a free one; its address is printed",
      [this] { return serial; },
      [this, what_else](const std::string& text) {
        if (parse_serial_target(text).kind == SerialTarget::Kind::part)
          throw UserError("'" + text + "' is none of none, pty and tcp:PORT" +
                          (what_else.empty() ? "" : "; " + what_else));
        serial = text;
      });
  const ParameterGroup files =
      g.effective([this] { return !on_host(); }, g.full("serial") + " leads to a terminal or port of this host");
  files.text("input", input, "console input: a file, - for the standard input, empty for none");
  files.text("output", output, "console output: a file, - for the standard output, empty for none");
}

void ConsoleConfig::check(const std::string& part) const {
  if (!on_host()) return;
  for (const auto& [side, file] : {std::pair("input", input), std::pair("output", output)})
    if (!file.empty() && file != "-")
      throw UserError(part + "." + side + " is '" + file.substr(0, 80) + "', but " + part +
                      ".serial leads the line to " + serial + ": only one of them can be");
}

std::unique_ptr<HostEnd> ConsoleConfig::open(std::function<void()> arrived, const StopRequest& stop) const {
  if (on_host())
    return std::make_unique<LinkConsole>(open_host_link(target(), WithoutClient::kept), std::move(arrived), stop);
  if (has_files()) return std::make_unique<HostConsole>(input, output, std::move(arrived), &stop);
  return nullptr;
}

}  // namespace vp
