#include "platform/board/machine_picture.h"

#include <algorithm>
#include <map>
#include <ostream>
#include <sstream>

#include "platform/board/machine_table.h"

namespace vp {

namespace {

// Geometry in pixels. From the left: lane to the processor's interrupt inputs, masters, bus, targets, what is at the
// other end of their serial lines, a lane for each interrupt controller.
constexpr int kTop = 24, kRow = 58, kBox = 44;
constexpr int kHartLane = 24;
constexpr int kMasters = 52, kMasterWidth = 150;
constexpr int kBus = 262, kBusWidth = 40;
constexpr int kTargets = 362, kTargetWidth = 250;
constexpr int kPeers = 672, kPeerWidth = 130, kPeerHeight = 26;
constexpr int kLanes = 850, kLane = 70;
constexpr int kLegend = 64;

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) result += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
  return result;
}

/// "256 MiB", "256 B"
std::string size_text(std::uint64_t bytes) {
  constexpr std::pair<std::uint64_t, const char*> kUnits[] = {
      {1u << 30, " GiB"}, {1u << 20, " MiB"}, {1u << 10, " KiB"}};
  for (const auto& [unit, name] : kUnits)
    if (bytes >= unit && bytes % unit == 0) return std::to_string(bytes / unit) + name;
  return std::to_string(bytes) + " B";
}

class Picture {
 public:
  explicit Picture(const MachineSettings& machine) : machine_(machine), outline_(machine.outline()) {
    place_parts();
    for (const Outline::Controller& one : outline_.controllers) lanes_.push_back(one.part);
  }

  void draw(std::ostream& out) {
    draw_bus();
    for (std::size_t i = 0; i < masters_.size(); ++i) draw_master(*masters_[i], row(i));
    for (std::size_t i = 0; i < targets_.size(); ++i) draw_target(*targets_[i], row(i));
    draw_peers();
    draw_interrupts();
    draw_hart_lines();
    write(out);
  }

 private:
  static int row(std::size_t index) { return kTop + static_cast<int>(index) * kRow; }

  const BusWindow* window_of(const std::string& part) const {
    for (const Outline::Window& one : outline_.windows)
      if (one.part == part) return &one.window;
    return nullptr;
  }
  bool is_master(const std::string& part) const {
    return std::any_of(outline_.initiators.begin(), outline_.initiators.end(),
                       [&](const Outline::Initiator& one) { return one.part == part; });
  }

  /// Which part stands in which row: masters in their order, targets by address, then what has no window. A part at the
  /// end of another one's serial line stands beside that one.
  void place_parts() {
    std::vector<const DescribedPart*> loose;
    for (const DescribedPart& part : machine_.parts()) {
      const std::string& name = part.settings->name();
      if (!part.settings->present) continue;
      const bool wired = std::any_of(outline_.serial_wires.begin(), outline_.serial_wires.end(),
                                     [&](const auto& one) { return one.part == name && window_of(one.port); });
      if (window_of(name))
        targets_.push_back(&part);
      else if (is_master(name))
        masters_.push_back(&part);
      else if (!wired)
        loose.push_back(&part);
    }
    std::stable_sort(targets_.begin(), targets_.end(), [&](const DescribedPart* a, const DescribedPart* b) {
      return window_of(a->settings->name())->base < window_of(b->settings->name())->base;
    });
    targets_.insert(targets_.end(), loose.begin(), loose.end());
    for (std::size_t i = 0; i < masters_.size(); ++i) rows_[masters_[i]->settings->name()] = row(i);
    for (std::size_t i = 0; i < targets_.size(); ++i) rows_[targets_[i]->settings->name()] = row(i);
  }

  int height() const { return row(std::max({masters_.size(), targets_.size(), std::size_t{1}})); }
  int lane(std::size_t index) const { return kLanes + static_cast<int>(index) * kLane; }
  int width() const { return lanes_.empty() ? kLanes - 30 : lane(lanes_.size() - 1) + kLane; }

  // Shapes.
  void rectangle(int x, int y, int w, int h, const std::string& style) {
    body_ << "<rect x=\"" << x << "\" y=\"" << y << "\" width=\"" << w << "\" height=\"" << h << "\" rx=\"5\" class=\""
          << style << "\"/>\n";
  }
  void line(int x1, int y1, int x2, int y2, const std::string& style) {
    body_ << "<line x1=\"" << x1 << "\" y1=\"" << y1 << "\" x2=\"" << x2 << "\" y2=\"" << y2 << "\" class=\"" << style
          << "\"/>\n";
  }
  /// most: of pixels; a longer text is squeezed.
  void text(int x, int y, const std::string& words, const std::string& style, int most) {
    body_ << "<text x=\"" << x << "\" y=\"" << y << "\" class=\"" << style << "\"";
    if (static_cast<int>(words.size()) * (style == "name" ? 9 : 7) > most)
      body_ << " textLength=\"" << most << "\" lengthAdjust=\"spacingAndGlyphs\"";
    body_ << ">" << escaped(words) << "</text>\n";
  }
  void dot(int x, int y, const std::string& style) {
    body_ << "<circle cx=\"" << x << "\" cy=\"" << y << "\" r=\"3.5\" class=\"" << style << "\"/>\n";
  }

  /// In the middle of the longest stretch of the bus that no line crosses.
  int middle_of_label() const {
    std::vector<int> crossings = {kTop, height() - (kRow - kBox)};
    for (const std::string& part : outline_.hart_interrupts) crossings.push_back(rows_.at(part) + kHartLine);
    std::sort(crossings.begin(), crossings.end());
    std::size_t best = 1;
    for (std::size_t i = 2; i < crossings.size(); ++i)
      if (crossings[i] - crossings[i - 1] > crossings[best] - crossings[best - 1]) best = i;
    return (crossings[best] + crossings[best - 1]) / 2;
  }

  void draw_bus() {
    const int middle = middle_of_label();
    rectangle(kBus, kTop - 6, kBusWidth, height() - kTop - (kRow - kBox) + 12, "bus");
    body_ << "<text transform=\"translate(" << kBus + kBusWidth / 2 + 5 << ' ' << middle
          << ") rotate(-90)\" class=\"busname\">bus: " << escaped(bus_text(machine_.bus)) << "</text>\n";
  }

  void draw_box(const DescribedPart& part, int x, int y, int w, const std::string& style) {
    rectangle(x, y, w, kBox, style);
    text(x + 10, y + 18, part.settings->name(), "name", w * 3 / 5 - 12);
    text(x + w - 10, y + 18, part.kind->name, "kind", w * 2 / 5 - 12);
  }

  void draw_master(const DescribedPart& part, int y) {
    draw_box(part, kMasters, y, kMasterWidth, "master");
    text(kMasters + 10, y + 36, "master", "small", kMasterWidth - 20);
    line(kMasters + kMasterWidth, y + kBox / 2, kBus - 2, y + kBox / 2, "access");
  }

  void draw_target(const DescribedPart& part, int y) {
    const std::string& name = part.settings->name();
    const BusWindow* const window = window_of(name);
    const bool loadable = std::any_of(outline_.windows.begin(), outline_.windows.end(),
                                      [&](const Outline::Window& one) { return one.part == name && one.loadable; });
    const bool controller = std::find(lanes_.begin(), lanes_.end(), name) != lanes_.end();
    draw_box(part, kTargets, y, kTargetWidth, controller ? "controller" : loadable ? "memory" : "device");
    if (!window) return;
    text(kTargets + 10, y + 36, hexadecimal(window->base) + " to " + hexadecimal(window->last()), "small",
         kTargetWidth - 75);
    text(kTargets + kTargetWidth - 10, y + 36, size_text(window->size), "smallright", 60);
    line(kBus + kBusWidth, y + 16, kTargets - 2, y + 16, "access");
    if (is_master(name)) line(kTargets, y + 28, kBus + kBusWidth + 2, y + 28, "access");
  }

  void draw_peers() {
    for (const Outline::SerialPort& port : outline_.serial_ports)
      if (!port.console.empty()) draw_peer(port.part, "console of the host", "host");
    for (const Outline::SerialWire& wire : outline_.serial_wires)
      if (const DescribedPart* part = machine_.find(wire.part); part && window_of(wire.port))
        draw_peer(wire.port, wire.part + " (" + part->kind->name + ")", "device");
  }
  void draw_peer(const std::string& port, const std::string& words, const std::string& style) {
    const int y = rows_[port];
    line(kTargets + kTargetWidth, y + kPeerHeight / 2, kPeers, y + kPeerHeight / 2, "serial");
    rectangle(kPeers, y, kPeerWidth, kPeerHeight, style);
    text(kPeers + 8, y + 17, words, "small", kPeerWidth - 16);
  }

  void draw_interrupts() {
    for (std::size_t i = 0; i < lanes_.size(); ++i) {
      int top = rows_[lanes_[i]] + kInterruptLine, bottom = top;
      for (const Outline::Interrupt& one : outline_.interrupts)
        if (const Outline::Controller* to = outline_.controller_of(one.wire);
            one.wire.connected() && to && to->part == lanes_[i] && rows_.count(one.part))
          draw_interrupt(one, lane(i), top, bottom);
      const int own = rows_[lanes_[i]] + kInterruptLine;
      line(lane(i), top, lane(i), bottom, "interrupt");
      line(lane(i), own, kTargets + kTargetWidth + 2, own, "interrupt arrow");
      text(lane(i), top - 8, lanes_[i], "lane", kLane - 6);
    }
  }
  /// A line of a part to the lane of its controller, whose span grows.
  void draw_interrupt(const Outline::Interrupt& one, int x, int& top, int& bottom) {
    unsigned before = 0;  // lines of the same part that stand above
    for (const Outline::Interrupt& other : outline_.interrupts) {
      if (&other == &one) break;
      before += other.part == one.part && other.wire.connected() ? 1 : 0;
    }
    const int y = rows_[one.part] + kInterruptLine - 5 * static_cast<int>(std::min(before, 1u));
    line(kTargets + kTargetWidth, y, x, y, "interrupt");
    dot(x, y, "interruptdot");
    text(x + 7, y + 4, std::to_string(one.wire.number) + (one.trigger == Outline::Trigger::edge ? " edge" : ""),
         "number", kLane - 10);
    top = std::min(top, y);
    bottom = std::max(bottom, y);
  }

  void draw_hart_lines() {
    if (outline_.processors.empty() || outline_.hart_interrupts.empty()) return;
    const int cpu = rows_[outline_.processors.front().part] + kBox / 2;
    int bottom = cpu;
    for (const std::string& part : outline_.hart_interrupts) {
      const int y = rows_[part] + kHartLine;
      line(kBus - 4, y, kBus + kBusWidth + 4, y, "casing");
      line(kTargets + 20, rows_[part] + kBox, kTargets + 20, y, "interrupt");
      line(kTargets + 20, y, kHartLane, y, "interrupt");
      bottom = std::max(bottom, y);
    }
    line(kHartLane, bottom, kHartLane, cpu, "interrupt");
    line(kHartLane, cpu, kMasters - 2, cpu, "interrupt arrow");
  }

  void draw_legend(std::ostream& out) const {
    const int y = height() + 22;
    out << "<line x1=\"52\" y1=\"" << y << "\" x2=\"92\" y2=\"" << y << "\" class=\"access\"/><text x=\"100\" y=\""
        << y + 4 << "\" class=\"small\">access</text>\n<line x1=\"172\" y1=\"" << y << "\" x2=\"212\" y2=\"" << y
        << "\" class=\"interrupt\"/><text x=\"220\" y=\"" << y + 4
        << "\" class=\"small\">interrupt line, with the number of its input</text>\n<line x1=\"512\" y1=\"" << y
        << "\" x2=\"552\" y2=\"" << y << "\" class=\"serial\"/><text x=\"560\" y=\"" << y + 4
        << "\" class=\"small\">serial line</text>\n";
  }

  void write(std::ostream& out) const {
    const int total = height() + kLegend - 16;
    out << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << width() << "\" height=\"" << total
        << "\" viewBox=\"0 0 " << width() << ' ' << total << "\" font-family=\"sans-serif\">\n"
        << kStyle << "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
        << body_.str();
    draw_legend(out);
    out << "</svg>\n";
  }

  // Below the top of a box.
  static constexpr int kInterruptLine = 36;
  static constexpr int kHartLine = kBox + (kRow - kBox) / 2;  // between two rows, where no box is
  static constexpr const char* kStyle =
      R"(<defs>
<marker id="a" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0,0.5 L7.5,4 L0,7.5 z" fill="#37474f"/></marker>
<marker id="i" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0,0.5 L7.5,4 L0,7.5 z" fill="#d84315"/></marker>
</defs>
<style>
.master{fill:#dbe9fb;stroke:#2f6db5}.memory{fill:#dff2e1;stroke:#3b8a46}.device{fill:#f4f5f7;stroke:#78828c}
.controller{fill:#fdebd9;stroke:#c9661a}.host{fill:#fff;stroke:#8e5fb3;stroke-dasharray:4 3}.bus{fill:#455a64;stroke:none}
.name{font-size:14px;font-weight:bold;fill:#1c2429}.kind{font-size:12px;fill:#55606a;text-anchor:end}
.small{font-size:11.5px;fill:#3c464e}.smallright{font-size:11.5px;fill:#3c464e;text-anchor:end}
.busname{font-size:14px;fill:#fff;text-anchor:middle;font-weight:bold}
.lane{font-size:12px;fill:#d84315;text-anchor:middle;font-weight:bold}.number{font-size:12px;fill:#d84315}
.access{stroke:#37474f;stroke-width:1.6;marker-end:url(#a)}.serial{stroke:#8e5fb3;stroke-width:1.8}
.interrupt{stroke:#d84315;stroke-width:1.3}.arrow{marker-end:url(#i)}.interruptdot{fill:#d84315}
.casing{stroke:#fff;stroke-width:6}
</style>
)";

  const MachineSettings& machine_;
  const Outline outline_;
  std::vector<const DescribedPart*> masters_, targets_;
  std::vector<std::string> lanes_;   // interrupt controllers
  std::map<std::string, int> rows_;  // top of a part's box
  std::ostringstream body_;
};

}  // namespace

void draw_machine(const MachineSettings& machine, std::ostream& out) { Picture(machine).draw(out); }

}  // namespace vp
