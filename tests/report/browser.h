#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "platform/common/child_process.h"
#include "tests/platform/temporary_folder.h"

namespace vp {

/// Headless Chromium, driven over the WebDriver protocol by Debian's chromedriver (packages chromium, chromium-driver):
/// one of its own, or the one of all tests, in the folder that is named by the file $VP_SHARED_CHROMEDRIVER. Everything
/// throws std::runtime_error with what the driver said.
class Browser {
 public:
  Browser();
  ~Browser();
  Browser(const Browser&) = delete;
  Browser& operator=(const Browser&) = delete;

  void open(const std::string& file);
  void resize(int width, int height);
  /// Makes pages believe that the user prefers "light" or "dark".
  void prefer_colours(const std::string& scheme);

  /// Runs a function body in the page; its arguments are arguments[0]…, its result is what it returns.
  nlohmann::json script(const std::string& body, const nlohmann::json& arguments = nlohmann::json::array());
  /// The text of the first element that matches a CSS selector.
  std::string text(const std::string& selector);
  /// Sends keys to an element as a user would ("+" or special keys as their WebDriver code points).
  void keys(const std::string& selector, const std::string& keys);
  /// Clicks the middle of the first element that matches.
  void click(const std::string& selector);
  /// Turns the wheel over the middle of an element.
  void wheel(const std::string& selector, int delta);
  /// Drags from the middle of an element by so many pixels to the right.
  void drag(const std::string& selector, int pixels);

  /// Errors and warnings the page has written to the console since the last call.
  std::vector<std::string> console();
  /// Writes a picture of the whole window (PNG).
  void screenshot(const std::string& file);

 private:
  void start();
  void attach(const std::string& shared);
  void clean();
  nlohmann::json request(const std::string& method, const std::string& path, const nlohmann::json& body);
  nlohmann::json session(const std::string& method, const std::string& path, const nlohmann::json& body = {});
  std::string element(const std::string& selector);

  TemporaryFolder folder_;
  std::optional<ChildProcess> driver_;
  int port_ = 0;
  std::string session_;
};

}  // namespace vp
