// SPDX-License-Identifier: BSD-3-Clause
// A pool of threads that sleep when there is nothing to do. OpenMP's wait by spinning, which on a machine that others
// use as well makes short loops a hundred times slower.
#include "sturm/core/parallel.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "sturm/core/error.h"

namespace sturm {
namespace {

struct Loop;
class Pool;
thread_local Loop* inside = nullptr;   ///< the innermost loop that the thread works on
thread_local Pool* current = nullptr;  ///< whose threads its loops use; null: those of the process

/// Waits a moment for `ready` before the caller goes to sleep: a thread that sleeps between short loops wakes too late
/// for them, often on the processor of the one that woke it.
template <class Ready>
void linger(const Ready& ready) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(50);
  while (std::chrono::steady_clock::now() < end)
    for (int i = 0; i < 64; ++i)  // the clock takes longer to ask
      if (ready()) return;
}

/// One call of parallel_for. Indices are handed out in runs, since neighbours often read neighbouring memory; the runs
/// become shorter towards the end, down to one, so that all workers are done at the same time.
struct Loop {
  struct Run {
    Index first, last;
  };
  Index count = 0;
  const std::function<void(Index, int)>* body = nullptr;
  Loop* const outer = inside;  ///< the one that this is inside of; null: none
  std::atomic<Index> next{0};
  int team = 1;
  bool of_long_pieces = false;
  int joined = 1;               ///< of the team, the caller included; guarded by the pool's mutex
  int invited = 0;              ///< threads that a loop of long pieces waits for; guarded by the same
  std::atomic<int> running{0};  ///< helpers at work
  std::atomic<bool> caller_waits{false};
  std::atomic<bool> failed{false};
  std::mutex failure_mutex;
  std::exception_ptr failure;

  bool open() const { return joined < team && next < count; }
  bool is_inside(const Loop& other) const {
    const Loop* l = this;
    while (l && l != &other) l = l->outer;
    return l != nullptr;
  }

  Run take() {
    Index first = next, last = 0;
    do {
      last = std::min(count, first + (of_long_pieces ? 1 : std::max<Index>(1, (count - first) / (8 * team))));
    } while (first < count && !next.compare_exchange_weak(first, last));
    return {first, last};
  }

  void work(int worker) {
    Loop* const before = std::exchange(inside, this);
    for (Run run = take(); run.first < run.last; run = take())
      for (Index i = run.first; i < run.last; ++i) {
        if (of_long_pieces && failed) continue;
        try {
          (*body)(i, worker);
        } catch (...) {
          failed = true;
          const std::lock_guard lock(failure_mutex);
          if (!failure) failure = std::current_exception();
        }
      }
    inside = before;
  }
};

/// Loops of several callers, and loops inside loops, are open at the same time. A worker takes a long piece where there
/// is one, of the oldest loop first; then it joins the newest of the short loops: that of a loop inside a loop, whose
/// caller the others wait for. Whoever has called a loop works on that one alone, so that what a thread holds for
/// itself meets no other loop's; but for loops of long pieces, whose callers hold nothing: while they wait they help
/// with short loops, and with long pieces of loops inside their own.
class Pool {
 public:
  explicit Pool(int size) : size_(size) {}
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;
  ~Pool() {
    stop_ = true;
    wake(size_);
    for (std::thread& t : workers_) t.join();
  }

  int size() const { return size_; }
  /// Threads that have nothing to do, and for which no long piece waits.
  int idle() const { return std::max(0, size_ - busy_ - invited_); }
  /// Those of them that would take a long piece of a loop inside this one.
  int idle_for(const Loop* loop) const {
    int out = size_ - busy_ - invited_ - waiting_;
    for (; loop; loop = loop->outer) out += loop->caller_waits;
    return std::max(0, out);
  }

  void run(Loop& loop, int team) {
    loop.team = team;
    const bool outermost = !inside;
    if (outermost) ++busy_;
    {
      const std::lock_guard lock(mutex_);
      while (static_cast<int>(workers_.size()) < size_ - 1) workers_.emplace_back([this] { serve(); });
      if (loop.of_long_pieces) invite(loop, team - 1);
      loops_.push_back(&loop);
    }
    wake(team - 1);
    loop.work(0);
    {
      const std::lock_guard lock(mutex_);  // nobody joins from here on
      invite(loop, 0);
      std::erase(loops_, &loop);
    }
    loop.of_long_pieces ? help_until_done(loop) : wait_for(loop);
    if (outermost) --busy_;
  }

 private:
  /// As many as there is work for: waking all of them for each short loop takes longer than the loop.
  void wake(int count) {
    ++ticket_;
    if (count >= size_ - 1)
      ticket_.notify_all();
    else
      for (int i = 0; i < count; ++i) ticket_.notify_one();
  }

  void invite(Loop& loop, int count) {
    invited_ += count - loop.invited;
    loop.invited = count;
  }

  void wait_for(const Loop& loop) {
    while (loop.running > 0) {
      const int seen = ended_;
      if (loop.running == 0) break;
      linger([&] { return loop.running == 0; });
      if (loop.running > 0) ended_.wait(seen);
    }
  }

  void help_until_done(Loop& loop) {
    --busy_;
    ++waiting_;
    loop.caller_waits = true;
    while (loop.running > 0) {
      const int seen = ticket_;
      while (loop.running > 0 && help(&loop)) {
      }
      linger([&] { return loop.running == 0 || ticket_ != seen; });
      if (loop.running > 0) ticket_.wait(seen);
    }
    loop.caller_waits = false;
    --waiting_;
    ++busy_;
  }

  void serve() {
    current = this;
    int seen = 0;
    while (true) {
      linger([&] { return ticket_ != seen; });
      ticket_.wait(seen);
      seen = ticket_;
      if (stop_) return;
      while (help(nullptr)) {
      }
    }
  }

  /// Works on some open loop; false where there is none. Whoever waits for a loop takes no long piece of others.
  bool help(const Loop* waits_for) {
    Loop* loop = nullptr;
    int worker = 0;
    {
      const std::lock_guard lock(mutex_);
      if (busy_ >= size_) return false;  // several callers share the threads of the process
      const auto longer = [&](const Loop* l) {
        return l->of_long_pieces && l->open() && (!waits_for || l->is_inside(*waits_for));
      };
      if (const auto oldest = std::ranges::find_if(loops_, longer); oldest != loops_.end()) {
        loop = *oldest;
      } else {
        const auto shorter = [](const Loop* l) { return !l->of_long_pieces && l->open(); };
        const auto newest = std::find_if(loops_.rbegin(), loops_.rend(), shorter);
        if (newest == loops_.rend()) return false;
        loop = *newest;
      }
      worker = loop->joined++;
      if (loop->invited > 0) invite(*loop, loop->invited - 1);
      ++loop->running;
      ++busy_;
    }
    loop->work(worker);
    const bool caller_helps = loop->of_long_pieces;
    --busy_;
    --loop->running;  // from here on the loop may be gone
    ++ended_;
    ended_.notify_all();
    if (caller_helps) wake(size_);  // its caller may sleep among the others
    return true;
  }

  const int size_;
  std::mutex mutex_;
  std::vector<Loop*> loops_;     ///< open ones, the newest last
  std::atomic<int> ticket_{0};   ///< goes up with every loop
  std::atomic<int> ended_{0};    ///< goes up when a worker leaves one
  std::atomic<int> busy_{0};     ///< threads inside a loop, callers included
  std::atomic<int> invited_{0};  ///< threads that open loops of long pieces wait for
  std::atomic<int> waiting_{0};  ///< callers that wait for long pieces; not busy
  std::atomic<bool> stop_{false};
  std::vector<std::thread> workers_;
};

int usual_threads() {
  const char* wish = std::getenv("OMP_NUM_THREADS");  // what people set to keep a program in bounds
  const int count = wish ? std::atoi(wish) : 0;
  return count > 0 ? std::min(count, 4096) : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

Pool& pool() {
  static Pool of_process(usual_threads());
  return current ? *current : of_process;
}

}  // namespace

int threads() { return pool().size(); }

struct UseThreads::Scope {
  explicit Scope(int count)
      : pool(count), pool_before(std::exchange(current, &pool)), inside_before(std::exchange(inside, nullptr)) {}
  ~Scope() {
    current = pool_before;
    inside = inside_before;
  }
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

  Pool pool;
  Pool* pool_before;
  Loop* inside_before;
};

UseThreads::UseThreads(int count) {
  if (count < 0)
    throw UsageError("the number of threads is 1 or more, and " + std::to_string(count) + " was asked for.");
  if (count > 0) scope_ = std::make_unique<Scope>(count);
}
UseThreads::~UseThreads() = default;

namespace {

/// Operations that are worth a helper: inside another loop they come late.
double least_of_each() { return inside ? 2e5 : 1.5e4; }

}  // namespace

bool worth_sharing(double operations) {
  if (threads() == 1 || operations < 2 * least_of_each()) return false;
  return !inside || pool().idle() > 0;
}

namespace {

void run_loop(Index count, int team, const std::function<void(Index, int)>& body, bool of_long_pieces) {
  Loop loop;
  loop.count = count;
  loop.body = &body;
  loop.of_long_pieces = of_long_pieces;
  pool().run(loop, static_cast<int>(std::min<Index>(team, count)));
  if (loop.failure) std::rethrow_exception(loop.failure);
}

}  // namespace

void parallel_for(Index count, const std::function<void(Index, int)>& body, double operations) {
  if (count > 1 && worth_sharing(operations)) {
    const double helpers = operations / least_of_each();
    run_loop(count, helpers < threads() ? static_cast<int>(helpers) : threads(), body, false);
  } else {
    for (Index i = 0; i < count; ++i) body(i, 0);
  }
}

void parallel_for_expecting_help(Index count, const std::function<void(Index, int)>& body) {
  run_loop(count, threads(), body, false);
}

void side_by_side(Index count, const std::function<void(Index)>& body) {
  if (count > 1 && threads() > 1) {
    run_loop(
        count, threads(), [&](Index i, int) { body(i); }, true);
  } else {
    for (Index i = 0; i < count; ++i) body(i);
  }
}

int free_threads() { return inside ? 1 + pool().idle_for(inside) : threads(); }

}  // namespace sturm
