// The tinyTPU as software sees it: the window, and what instructions compute, in program order. Written from the
// hardware's documentation for tests of the driver, independently of the simulated device. In place of hazards it has
// rules: a program that relies on something the hardware does not interlock is written down as a violation.
#ifndef TESTS_SW_WINDOW_MODEL_H
#define TESTS_SW_WINDOW_MODEL_H

#include <array>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace vp::test {

// What the driver sees of a device. Byte offsets in the window.
class Window {
 public:
  virtual ~Window() = default;
  // `strobes` bit i: byte i of the word is written.
  virtual void write(uint32_t offset, uint32_t word, unsigned strobes) = 0;
  virtual uint32_t read(uint32_t offset) = 0;
  // The driver waits: true when at least one synchronize has come since the last call, now or later.
  virtual bool take_interrupt() = 0;
};

class WindowModel : public Window {
 public:
  WindowModel(unsigned width, unsigned weight_depth, unsigned unified_depth);

  void write(uint32_t offset, uint32_t word, unsigned strobes) override;
  uint32_t read(uint32_t offset) override;
  bool take_interrupt() override;

  uint32_t window_size() const { return 2 * unified_offset_; }
  const std::vector<std::string>& violations() const { return violations_; }
  unsigned instructions() const { return instructions_; }

 private:
  struct Fields {
    unsigned op;
    uint32_t length;
    unsigned accumulator;  // 16 bits
    uint32_t buffer;       // 24 bits
    uint64_t weight;       // 40 bits
  };
  // Ideal issue times, as if the whole program lay in the instruction FIFO: the closest that instructions can come.
  struct Unit {
    int64_t issue = -1000000;
    int64_t length = 0;
  };

  void complete_instructions();
  void execute(const Fields& fields);
  void read_weights(const Fields& fields);
  void multiply(const Fields& fields);
  void activate(const Fields& fields);
  void synchronize();
  void load_tile(uint64_t first_row, uint32_t rows, bool is_signed);
  int64_t exact_sum(const std::vector<uint8_t>& vector, unsigned column, bool is_signed) const;
  void check_host_access();
  void violate(const std::string& what);

  using Row = std::vector<uint8_t>;
  const unsigned width_, stride_;
  uint32_t unified_offset_, instruction_offset_;
  std::vector<Row> weights_, unified_;
  std::vector<std::vector<int>> preload_;            // [row][column]
  std::vector<std::vector<uint32_t>> accumulators_;  // 512 rows
  std::vector<int64_t> accumulator_written_;         // cycle of each row's last write
  std::vector<bool> row_in_flight_;                  // unified-buffer rows written since the last synchronize
  std::array<std::deque<uint32_t>, 3> lanes_;
  Fields held_{};  // a read_weights that waits for the instruction behind it
  bool holds_ = false;
  bool running_ = false, interrupt_ = false;
  int64_t first_issue_ = 0, last_issue_ = 0;
  Unit weight_unit_, multiply_unit_, activate_unit_;
  uint32_t runtime_ = 0;
  unsigned instructions_ = 0;
  std::vector<std::string> violations_;
};

// Activation functions of the hardware on a 32-bit accumulator; `function`: 1 ReLU, 9 sigmoid, others none.
uint8_t activation(uint32_t accumulator, unsigned function, bool is_signed);

}  // namespace vp::test

#endif
