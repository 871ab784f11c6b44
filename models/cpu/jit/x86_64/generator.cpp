#include <cstring>
#include <new>
#include <vector>

#include "models/cpu/jit/code_memory.h"
#include "models/cpu/jit/native_code.h"
#include "models/cpu/jit/x86_64/assembler.h"

namespace vp::cpu {
namespace {

// Both are addresses only until they are used.
constexpr std::size_t kCode = std::size_t{48} << 20;
constexpr std::size_t kOften = kCode / 2;  ///< what is behind is rarely executed
// After so much code in pages of the usual size comes a large one, for which a short program need not wait.
constexpr std::size_t kBeginning = std::size_t{64} << 10;
// Data, in this order.
constexpr std::size_t kEntered = 64;  ///< a line of the host's cache
static_assert(sizeof(x86_64::Entered) <= kEntered);
constexpr std::size_t kMostBlocks = std::size_t{96} << 10;
constexpr std::size_t kLinks = kMostBlocks * sizeof(NativeLinks);
constexpr std::size_t kConstants = std::size_t{2} << 20;
constexpr std::size_t kData = kEntered + kLinks + kConstants + kMostBlocks * sizeof(NativeBlock);

/// Native code for x86-64.
template <typename Word>
class Generator final : public NativeCode {
 public:
  explicit Generator(const CpuConfig& config)
      : memory_(kCode, kOften, kData), assembler_(config, memory_, entered(), constants_) {
    if (!memory_.usable() || !memory_.writes(0, kThunks)) return;
    thunks_ = assembler_.write_thunks();
    usable_ = memory_.executes(0, kThunks);
  }
  bool usable() const { return usable_; }

  bool want(Block& block) override {
    waiting_.push_back(&block);
    return waiting_.size() == (used_.often < kLargePage ? kFewWaiting : kManyWaiting);
  }
  bool compile(const NativeMemory& memory, bool timed) override {
    const std::size_t most = waiting_.size() * x86_64::Assembler<Word>::kMostCode;
    if (used_.often < kLargePage && used_.often > kBeginning) used_.often = kLargePage;
    const x86_64::CodePlaces start = used_;
    if (start.often + most > kOften || start.rarely + most > kCode) return false;
    if (blocks_ + waiting_.size() > kMostBlocks || !constants_.room_for(2 * waiting_.size())) return false;
    if (!memory_.writes(start.often, most) || !memory_.writes(start.rarely, most)) return false;
    for (Block* const block : waiting_) {
      block->native = new (natives() + blocks_) NativeBlock{};
      block->native->block = block;
      block->native->links = new (links() + blocks_++) NativeLinks{};
    }
    for (const Block* block : waiting_)
      while (block && !block->native->entry) block = write(*block, memory, timed);
    for (Block* const block : waiting_) block->entry = block->native->entry;
    assembler_.aim_jumps();
    waiting_.clear();
    return memory_.executes(start.often, most) && memory_.executes(start.rarely, most);
  }
  bool can(const Block& block) const override { return assembler_.can(block); }
  const void* no_entry() const override { return thunks_.indirect; }
  void run(NativeFrame& frame, const void* code) override { thunks_.enter(&frame, code); }
  void clear() override {
    constants_.clear();
    used_ = {kThunks, kOften};
    blocks_ = 0;
    waiting_.clear();
  }

 private:
  static constexpr std::size_t kThunks = 4096;  ///< bytes at the start of the code
  // In the beginning, and of a large program, whose large pages take longer to protect.
  static constexpr std::size_t kFewWaiting = 16, kManyWaiting = 64;

  /// Returns the block that it goes on in, which is to be written next, or nullptr.
  const Block* write(const Block& block, const NativeMemory& memory, bool timed) {
    using Assembler = x86_64::Assembler<Word>;
    const NativeBlock* next = Assembler::always(block, *block.next);
    if (!next) next = Assembler::always(block, *block.taken);
    if (next && (next->entry || next->block == &block)) next = nullptr;
    used_ = assembler_.write_block(block, *block.native, memory, timed, used_, next);
    return next ? next->block : nullptr;
  }

  x86_64::Entered* entered() const { return reinterpret_cast<x86_64::Entered*>(memory_.data()); }
  NativeLinks* links() const { return reinterpret_cast<NativeLinks*>(memory_.data() + kEntered); }
  NativeBlock* natives() const {
    return reinterpret_cast<NativeBlock*>(memory_.data() + kEntered + kLinks + kConstants);
  }

  CodeMemory memory_;
  x86_64::Constants constants_{memory_.usable() ? memory_.data() + kEntered + kLinks : nullptr, kConstants};
  x86_64::Assembler<Word> assembler_;
  x86_64::Thunks thunks_;
  bool usable_ = false;
  x86_64::CodePlaces used_{kThunks, kOften};  ///< ends of what is written
  std::size_t blocks_ = 0;                    ///< that have data
  std::vector<Block*> waiting_;
};

template <typename Word>
std::unique_ptr<NativeCode> make_generator(const CpuConfig& config) {
  auto generator = std::make_unique<Generator<Word>>(config);
  return generator->usable() ? std::move(generator) : nullptr;
}

}  // namespace

bool NativeCode::available() { return true; }

std::unique_ptr<NativeCode> NativeCode::make(const CpuConfig& config) {
  if (config.xlen() == 32) return make_generator<std::uint32_t>(config);
  return make_generator<std::uint64_t>(config);
}

}  // namespace vp::cpu
