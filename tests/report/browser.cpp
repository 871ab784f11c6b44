#include "tests/report/browser.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <thread>

#include "models/common/error.h"

namespace vp {

using Json = nlohmann::json;

namespace {

constexpr int kWidth = 1280, kHeight = 1600;                                // of the window
constexpr const char* kElementKey = "element-6066-11e4-a52e-4f735466cecf";  // of the W3C standard

/// One HTTP exchange with a server on this machine; returns the body of the answer.
std::string http(int port, const std::string& method, const std::string& path, const std::string& body) {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const timeval patience{60, 0};
  ::setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (fd < 0 || ::connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
    ::close(fd);
    throw std::runtime_error("cannot reach chromedriver");
  }
  const std::string message = method + " " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" +
                              "Content-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) +
                              "\r\n\r\n" + body;
  std::size_t sent = 0;
  while (sent < message.size()) {
    const ssize_t n = ::send(fd, message.data() + sent, message.size() - sent, MSG_NOSIGNAL);
    if (n <= 0) break;
    sent += static_cast<std::size_t>(n);
  }
  std::string answer;
  char chunk[65536];
  std::size_t wanted = std::string::npos;
  while (answer.size() < wanted) {
    const ssize_t n = ::recv(fd, chunk, sizeof chunk, 0);
    if (n <= 0) break;
    answer.append(chunk, static_cast<std::size_t>(n));
    const std::size_t head = answer.find("\r\n\r\n");
    if (head == std::string::npos || wanted != std::string::npos) continue;
    const std::size_t length = answer.find("Content-Length:");
    if (length < head) wanted = head + 4 + std::stoul(answer.substr(length + 15));
  }
  ::close(fd);
  const std::size_t head = answer.find("\r\n\r\n");
  if (head == std::string::npos) throw std::runtime_error("chromedriver gave no answer");
  return answer.substr(head + 4);
}

/// The driver chooses a free port and prints it.
int printed_port(const std::string& log) {
  const std::string mark = "started successfully on port ";
  for (int i = 0; i < 1500; ++i) {
    const std::string text = TemporaryFolder::read(log);
    const std::size_t at = text.find(mark);
    if (at != std::string::npos && text.find('.', at) != std::string::npos)
      return std::stoi(text.substr(at + mark.size()));
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  throw std::runtime_error("chromedriver does not start: " + TemporaryFolder::read(log));
}

std::string from_base64(const std::string& text) {
  std::string bytes;
  unsigned bits = 0;
  int count = 0;
  for (const char c : text) {
    static const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const std::size_t value = digits.find(c);
    if (value == std::string::npos) break;
    bits = bits << 6 | static_cast<unsigned>(value);
    if ((count += 6) >= 8) bytes += static_cast<char>(bits >> (count -= 8) & 0xFF);
  }
  return bytes;
}

Json browser_options(const std::string& profile) {
  Json options;
  options["args"] = {"--headless",
                     "--no-sandbox",
                     "--disable-gpu",
                     "--disable-quic",
                     "--no-first-run",
                     "--disable-background-networking",
                     "--disable-component-update",
                     "--disable-sync",
                     "--disable-dev-shm-usage",
                     "--hide-scrollbars",
                     "--window-size=" + std::to_string(kWidth) + "," + std::to_string(kHeight),
                     "--user-data-dir=" + profile};
  Json capabilities;
  capabilities["browserName"] = "chrome";
  capabilities["goog:chromeOptions"] = options;
  capabilities["goog:loggingPrefs"] = {{"browser", "ALL"}};
  return {{"capabilities", {{"alwaysMatch", capabilities}}}};
}

}  // namespace

Browser::Browser() {
  if (const char* const shared = std::getenv("VP_SHARED_CHROMEDRIVER"))
    attach(shared);
  else
    start();
}

void Browser::start() {
  ChildSetup setup;
  setup.command = {"chromedriver", "--port=0"};
  setup.output = folder_.path("driver.log");
  try {
    driver_.emplace(setup);
  } catch (const UserError& error) {
    throw std::runtime_error(std::string("install the packages chromium and chromium-driver: ") + error.what());
  }
  port_ = printed_port(setup.output);
  session_ = request("POST", "/session", browser_options(folder_.path("profile")))["sessionId"].get<std::string>();
}

/// The first test makes the session, the others find it as a new one would be. One that has died is made anew.
void Browser::attach(const std::string& shared) {
  std::string folder = TemporaryFolder::read(shared);
  folder.resize(folder.find('\n'));
  port_ = printed_port(folder + "/driver.log");
  session_ = TemporaryFolder::read(folder + "/session");
  try {
    if (!session_.empty()) return clean();
  } catch (const std::runtime_error&) {
  }
  session_ = request("POST", "/session", browser_options(folder + "/profile"))["sessionId"].get<std::string>();
  std::ofstream(folder + "/session") << session_;
}

void Browser::clean() {
  session("POST", "/url", {{"url", "about:blank"}});
  resize(kWidth, kHeight);
  prefer_colours("");
  console();
}

Browser::~Browser() {
  try {
    if (driver_ && !session_.empty()) session("DELETE", "");
  } catch (const std::exception&) {
  }
}

Json Browser::request(const std::string& method, const std::string& path, const Json& body) {
  const Json answer = Json::parse(http(port_, method, path, body.is_null() ? "" : body.dump()));
  const Json& value = answer.at("value");
  if (value.is_object() && value.contains("error")) throw std::runtime_error(path + ": " + value.dump());
  return value;
}

Json Browser::session(const std::string& method, const std::string& path, const Json& body) {
  return request(method, "/session/" + session_ + path, body);
}

void Browser::open(const std::string& file) {
  session("POST", "/url", {{"url", "file://" + file}});
  // Charts are drawn when their places have got a size, in the first frame.
  session("POST", "/execute/async",
          {{"script", "requestAnimationFrame(() => requestAnimationFrame(() => arguments[0]()))"},
           {"args", Json::array()}});
}

void Browser::resize(int width, int height) { session("POST", "/window/rect", {{"width", width}, {"height", height}}); }

void Browser::prefer_colours(const std::string& scheme) {
  const Json feature = {{"name", "prefers-color-scheme"}, {"value", scheme}};
  session("POST", "/goog/cdp/execute",
          {{"cmd", "Emulation.setEmulatedMedia"}, {"params", {{"features", Json::array({feature})}}}});
}

Json Browser::script(const std::string& body, const Json& arguments) {
  return session("POST", "/execute/sync", {{"script", body}, {"args", arguments}});
}

std::string Browser::element(const std::string& selector) {
  return session("POST", "/element", {{"using", "css selector"}, {"value", selector}}).at(kElementKey);
}

std::string Browser::text(const std::string& selector) {
  return script("return document.querySelector(arguments[0]).textContent", {selector}).get<std::string>();
}

void Browser::keys(const std::string& selector, const std::string& keys) {
  session("POST", "/element/" + element(selector) + "/value", {{"text", keys}});
}

void Browser::click(const std::string& selector) {
  // At once: the page scrolls smoothly, and the driver would click where the element was.
  script("document.querySelector(arguments[0]).scrollIntoView({behavior: 'instant', block: 'center'})", {selector});
  session("POST", "/element/" + element(selector) + "/click", Json::object());
}

void Browser::wheel(const std::string& selector, int delta) {
  const Json origin = {{kElementKey, element(selector)}};
  const Json scroll = {{"type", "scroll"}, {"x", 0}, {"y", 0}, {"deltaX", 0}, {"deltaY", delta}, {"origin", origin}};
  const Json source = {{"type", "wheel"}, {"id", "wheel"}, {"actions", Json::array({scroll})}};
  session("POST", "/actions", {{"actions", Json::array({source})}});
}

void Browser::drag(const std::string& selector, int pixels) {
  const Json origin = {{kElementKey, element(selector)}};
  const Json actions =
      Json::array({{{"type", "pointerMove"}, {"x", 0}, {"y", 0}, {"origin", origin}},
                   {{"type", "pointerDown"}, {"button", 0}},
                   {{"type", "pointerMove"}, {"duration", 50}, {"x", pixels}, {"y", 0}, {"origin", origin}},
                   {{"type", "pointerUp"}, {"button", 0}}});
  const Json source = {{"type", "pointer"}, {"id", "mouse"}, {"actions", actions}};
  session("POST", "/actions", {{"actions", Json::array({source})}});
}

std::vector<std::string> Browser::console() {
  std::vector<std::string> lines;
  for (const Json& entry : session("POST", "/se/log", {{"type", "browser"}})) lines.push_back(entry.at("message"));
  return lines;
}

void Browser::screenshot(const std::string& file) {
  std::ofstream(file, std::ios::binary) << from_base64(session("GET", "/screenshot").get<std::string>());
}

}  // namespace vp
