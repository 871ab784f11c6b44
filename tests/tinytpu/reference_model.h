#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <vector>

namespace vp::tinytpu {

/// tinyTPU once more, written for obviousness only and straight from the specification: every cycle is stepped, every
/// event of every instruction is looked for at every edge. Shares no code with the model it judges.
class ReferenceModel {
 public:
  using Row = std::vector<std::uint8_t>;
  struct Word {
    std::uint8_t op;
    std::uint32_t length;
    std::uint64_t address;  ///< [79:40]
  };
  struct HostAccess {
    std::uint64_t edge;
    unsigned row;
    std::optional<Row> data;  ///< nothing: a read
    Row enable;
  };

  ReferenceModel(unsigned width, unsigned weight_depth, unsigned buffer_depth, unsigned fifo_depth)
      : n(width),
        fifo_depth_(fifo_depth),
        weights(weight_depth, Row(width)),
        buffer(buffer_depth, Row(width)),
        accumulators(512, std::vector<std::uint32_t>(width)),
        preload_(width, std::vector<int>(width)) {}

  bool full() const { return fifo_.size() >= fifo_depth_; }
  /// Processes the next edge; `push` and `host` happen at it. Returns the edge's number.
  std::uint64_t step(const std::optional<Word>& push, const HostAccess* host, const HostAccess* host_weights) {
    const std::uint64_t e = edge_++;
    if (host_weights) write_weights(*host_weights);
    data_events(e, host);
    control(e);
    if (push) fifo_.push_back(*push);
    return e;
  }
  static std::uint8_t activated(std::uint32_t a, unsigned code, bool is_signed);
  /// First reset edge was the one just processed.
  void reset() {
    fifo_.clear();
    input_ = pipe_ = output_ = coordinator_ = std::nullopt;
    jobs_.clear();
    for (auto& row : preload_) row.assign(n, 0);
    for (auto& t : resource_) t = 0;
    for (auto& t : busy_) t = 0;
    last_activate_ = std::nullopt;
    if (running_) counter_ = edge_ - 1 - start_;
    running_ = false;
  }

 public:
  const unsigned n;

 private:
  const unsigned fifo_depth_;

 public:
  std::vector<Row> weights, buffer;
  std::vector<std::vector<std::uint32_t>> accumulators;
  std::vector<std::uint64_t> synchronizes;
  std::vector<std::uint64_t> runtimes;
  std::vector<Row> host_reads;

 private:
  struct Job {
    std::uint64_t t;
    Word word;
    std::vector<std::uint64_t> vectors;  ///< activate: 0..L-1, or the extra ones
    unsigned code = 0;
    bool is_signed = false;
    std::map<std::uint64_t, Row> rows;                             ///< weight rows, vectors, results by k
    std::map<std::uint64_t, std::vector<std::vector<int>>> tiles;  ///< multiply: active weights by tile
    std::map<std::uint64_t, std::vector<std::uint32_t>> addends;
  };
  enum Kind { kNothing, kLoad, kMultiply, kActivate, kSynchronize };
  static Kind kind(std::uint8_t op) {
    if (op == 0xFF) return kSynchronize;
    if (op & 0x80) return kActivate;
    if (op & 0x20) return kMultiply;
    if (op & 0x08) return kLoad;
    return kNothing;
  }
  static unsigned accumulator(const Word& w, std::uint64_t k) { return ((w.address & 0xFFFF) + k) % 65536 % 512; }
  unsigned buffer_row(const Word& w, std::uint64_t k) const {
    return static_cast<unsigned>(((w.address >> 16) + k) % (1 << 24) % buffer.size());
  }

  void control(std::uint64_t c) {
    bool busy = false;
    if (coordinator_) {
      switch (kind(coordinator_->op)) {
        case kSynchronize:
          busy = c <= resource_[0] || c <= resource_[1] || c <= resource_[2];
          break;
        case kLoad:
          busy = c <= busy_[0];
          break;
        case kMultiply:
          busy = c <= busy_[1];
          break;
        case kActivate:
          busy = c <= busy_[1] || c <= busy_[2];
          break;
        case kNothing:
          break;
      }
    }
    const bool issue = coordinator_ && !busy;
    const bool fetch = !fifo_.empty() && !busy;
    const bool synchronize = issue && kind(coordinator_->op) == kSynchronize;
    if (issue) start(*coordinator_, c);
    if (synchronize) {
      if (running_) counter_ = c - start_;
      running_ = false;
      synchronizes.push_back(c);
      runtimes.push_back(counter_);
    } else if (fetch && !running_) {
      running_ = true;
      start_ = c;
    }
    if (busy) return;
    coordinator_ = output_;
    if (pipe_ && pipe_->op >= 8 && pipe_->op <= 15 && !input_) {
      output_ = std::nullopt;
    } else {
      output_ = pipe_;
      pipe_ = input_;
    }
    input_ = std::nullopt;
    if (fetch) {
      input_ = fifo_.front();
      fifo_.pop_front();
    }
  }

  void start(const Word& w, std::uint64_t t) {
    const std::uint64_t end = t + w.length;
    Job job{t, w, {}, 0, false, {}, {}, {}};
    switch (kind(w.op)) {
      case kLoad:
        busy_[0] = end + 3, resource_[0] = end + 6;
        break;
      case kMultiply:
        busy_[1] = end + 3, resource_[1] = end + n + 8;
        break;
      case kActivate:
        busy_[2] = end + 3, resource_[2] = end + n + 18;
        job.code = w.op & 15, job.is_signed = w.op & 16;
        for (std::uint64_t k = 0; k < w.length; ++k) job.vectors.push_back(k);
        extra_vectors(job);
        last_activate_ = job;
        break;
      default:
        return;
    }
    jobs_.push_back(job);
  }

  void extra_vectors(const Job& next) {
    if (!last_activate_) return;
    Job extra = *last_activate_;
    const std::uint64_t length = extra.word.length, d = next.t - extra.t;
    extra.vectors.clear();
    if (d == length + 4) extra.vectors = {length + 1, length + 2};
    if (d == length + 5) extra.vectors = {length + 2};
    if (next.code == 0) extra.code = 0;
    extra.is_signed = extra.is_signed && next.is_signed;
    jobs_.push_back(extra);
  }

  void data_events(std::uint64_t e, const HostAccess* host) {
    for (Job& job : jobs_) accumulator_reads(job, e);
    for (Job& job : jobs_) accumulator_writes(job, e);
    for (Job& job : jobs_) copy_weights(job, e);
    for (Job& job : jobs_) load_weights(job, e);
    for (Job& job : jobs_) activate_writes(job, e, host);
    if (host) {
      host_reads.push_back(buffer[host->row]);
      for (unsigned i = 0; host->data && i < n; ++i)
        if (host->enable[i]) buffer[host->row][i] = (*host->data)[i];
    }
    for (Job& job : jobs_) {
      if (kind(job.word.op) != kMultiply || e < job.t + 4 || e - job.t - 4 >= job.word.length) continue;
      const std::uint64_t k = e - job.t - 4;
      job.rows[k] = buffer[host ? host->row : buffer_row(job.word, k)];
    }
  }

  void accumulator_reads(Job& job, std::uint64_t e) {
    if (kind(job.word.op) == kActivate) {
      for (std::uint64_t k : job.vectors) {
        if (e != job.t + n + 15 + k) continue;
        Row result(n);
        for (unsigned i = 0; i < n; ++i)
          result[i] = activated(accumulators[accumulator(job.word, k)][i], job.code, job.is_signed);
        job.rows[k] = result;
      }
    }
    if (kind(job.word.op) == kMultiply && e >= job.t + n + 9 && e - job.t - n - 9 < job.word.length) {
      const std::uint64_t k = e - job.t - n - 9;
      job.addends[k] = accumulators[accumulator(job.word, k % n)];
    }
  }

  void accumulator_writes(Job& job, std::uint64_t e) {
    if (kind(job.word.op) != kMultiply || e < job.t + n + 15 || e - job.t - n - 15 >= job.word.length) return;
    const std::uint64_t k = e - job.t - n - 15;
    const bool is_signed = job.word.op & 1;
    for (unsigned c = 0; c < n; ++c) {
      std::int64_t sum = 0;
      for (unsigned i = 0; i < n; ++i) {
        const std::uint8_t x = job.rows[k][i];
        sum += (is_signed ? static_cast<std::int8_t>(x) : static_cast<int>(x)) * job.tiles[k / n][i][c];
      }
      std::uint64_t bits = static_cast<std::uint64_t>(sum);
      if (!is_signed && 17 + n < 32) bits &= (std::uint64_t{1} << (17 + n)) - 1;
      std::uint32_t result = static_cast<std::uint32_t>(bits);
      if (job.word.op & 2) result += job.addends[k][c];
      accumulators[accumulator(job.word, k % n)][c] = result;
    }
  }

  void copy_weights(Job& job, std::uint64_t e) {
    if (kind(job.word.op) != kMultiply) return;
    for (std::uint64_t j = 0; j * n < job.word.length; ++j) {
      for (unsigned i = 0; i < n; ++i) {
        if (e != job.t + 7 + j * n + i) continue;
        job.tiles[j].resize(n);
        job.tiles[j][i] = preload_[i];
      }
    }
  }

  void load_weights(Job& job, std::uint64_t e) {
    if (kind(job.word.op) != kLoad) return;
    if (e >= job.t + 4 && e - job.t - 4 < job.word.length) {
      const std::uint64_t k = e - job.t - 4;
      job.rows[k] = weights[(job.word.address + k) % (std::uint64_t{1} << 40) % weights.size()];
    }
    if (e >= job.t + 7 && e - job.t - 7 < job.word.length) {
      const std::uint64_t k = e - job.t - 7;
      for (unsigned c = 0; c < n; ++c)
        preload_[k % n][c] =
            job.word.op & 1 ? static_cast<std::int8_t>(job.rows[k][c]) : static_cast<int>(job.rows[k][c]);
    }
  }

  void activate_writes(Job& job, std::uint64_t e, const HostAccess* host) {
    if (kind(job.word.op) != kActivate) return;
    for (std::uint64_t k : job.vectors)
      if (e == job.t + n + 19 + k) buffer[host ? host->row : buffer_row(job.word, k)] = job.rows[k];
  }

  void write_weights(const HostAccess& host) {
    for (unsigned i = 0; i < n; ++i)
      if (host.enable[i]) weights[host.row][i] = (*host.data)[i];
  }

  std::uint64_t edge_ = 0;
  std::deque<Word> fifo_;
  std::optional<Word> input_, pipe_, output_, coordinator_;
  std::uint64_t busy_[3] = {}, resource_[3] = {};
  std::vector<Job> jobs_;
  std::optional<Job> last_activate_;
  std::vector<std::vector<int>> preload_;
  bool running_ = false;
  std::uint64_t start_ = 0, counter_ = 0;
};

}  // namespace vp::tinytpu
