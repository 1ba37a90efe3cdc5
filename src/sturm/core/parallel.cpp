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

std::atomic<int> requested{0};
thread_local bool inside = false;

/// Waits a moment for `ready` before the caller goes to sleep: a thread that sleeps between short loops wakes too late
/// for them, often on the processor of the one that woke it. After the first microseconds it gives way to other
/// programs meanwhile.
template <class Ready>
void linger(const Ready& ready) {
  using std::chrono::microseconds;
  const auto start = std::chrono::steady_clock::now();
  for (auto now = start; now < start + microseconds(300); now = std::chrono::steady_clock::now()) {
    for (int i = 0; i < 64; ++i)  // the clock takes longer to ask
      if (ready()) return;
    if (now > start + microseconds(50)) std::this_thread::yield();
  }
}

/// One call of parallel_for. Indices are handed out in runs, since neighbours often read neighbouring memory; the runs
/// become shorter towards the end, down to one, so that all workers are done at the same time.
struct Loop {
  struct Run {
    Index first, last;
  };
  Index count = 0;
  const std::function<void(Index, int)>* body = nullptr;
  std::atomic<Index> next{0};
  int team = 1;
  int joined = 1;               ///< of the team, the caller included; guarded by the pool's mutex
  std::atomic<int> running{0};  ///< helpers at work
  std::mutex failure_mutex;
  std::exception_ptr failure;

  bool open() const { return joined < team && next < count; }

  Run take() {
    Index first = next, last = 0;
    do {
      last = std::min(count, first + std::max<Index>(1, (count - first) / (8 * team)));
    } while (first < count && !next.compare_exchange_weak(first, last));
    return {first, last};
  }

  void work(int worker) {
    const bool before = std::exchange(inside, true);
    for (Run run = take(); run.first < run.last; run = take())
      for (Index i = run.first; i < run.last; ++i) {
        try {
          (*body)(i, worker);
        } catch (...) {
          const std::lock_guard lock(failure_mutex);
          if (!failure) failure = std::current_exception();
        }
      }
    inside = before;
  }
};

/// Loops of several callers, and loops inside loops, are open at the same time. A worker joins the newest that has work
/// left: that of a loop inside a loop, whose caller the others wait for. Whoever has called a loop works on that one
/// alone, so that what a thread holds for itself meets no other loop's.
class Pool {
 public:
  Pool() = default;
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;
  ~Pool() {
    stop_ = true;
    ++ticket_;
    ticket_.notify_all();
    for (std::thread& t : workers_) t.join();
  }

  /// Whether anybody is free to help.
  bool idle() const { return busy_ + 1 < threads(); }

  void run(Loop& loop, int team) {
    loop.team = team;
    {
      const std::lock_guard lock(mutex_);
      while (static_cast<int>(workers_.size()) < threads() - 1) workers_.emplace_back([this] { serve(); });
      loops_.push_back(&loop);
    }
    ++ticket_;
    ticket_.notify_all();
    loop.work(0);
    {
      const std::lock_guard lock(mutex_);  // nobody joins from here on
      std::erase(loops_, &loop);
    }
    while (loop.running > 0) {
      const unsigned seen = ended_;
      if (loop.running == 0) break;
      linger([&] { return loop.running == 0; });
      if (loop.running > 0) ended_.wait(seen);
    }
  }

 private:
  void serve() {
    unsigned seen = 0;
    while (true) {
      linger([&] { return ticket_ != seen; });
      ticket_.wait(seen);
      seen = ticket_;
      if (stop_) return;
      while (help()) {
      }
    }
  }

  /// Works on some open loop; false where there is none.
  bool help() {
    Loop* loop = nullptr;
    int worker = 0;
    {
      const std::lock_guard lock(mutex_);
      if (busy_ + 1 >= threads()) return false;  // there may be more workers than are wanted now
      const auto found = std::find_if(loops_.rbegin(), loops_.rend(), [](const Loop* l) { return l->open(); });
      if (found == loops_.rend()) return false;
      loop = *found;
      worker = loop->joined++;
      ++loop->running;
      ++busy_;
    }
    loop->work(worker);
    --busy_;
    --loop->running;  // from here on the loop may be gone
    ++ended_;
    ended_.notify_all();
    return true;
  }

  std::mutex mutex_;
  std::vector<Loop*> loops_;         ///< open ones, the newest last
  std::atomic<unsigned> ticket_{0};  ///< goes up with every loop
  std::atomic<unsigned> ended_{0};   ///< goes up when a worker leaves one
  std::atomic<int> busy_{0};         ///< workers inside a loop
  std::atomic<bool> stop_{false};
  std::vector<std::thread> workers_;
};

Pool& pool() {
  static Pool one;
  return one;
}

int default_threads() {
  const char* wish = std::getenv("OMP_NUM_THREADS");  // what people set to keep a program in bounds
  const int count = wish ? std::atoi(wish) : 0;
  return count > 0 ? count : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

}  // namespace

int threads() {
  static const int usual = default_threads();  // asked once: the system answers by reading files
  return requested > 0 ? requested.load() : usual;
}

void set_threads(int count) {
  if (count < 1) throw UsageError("--threads must be at least 1, not " + std::to_string(count));
  requested = count;
}

bool worth_sharing(double operations) {
  constexpr double least = 3e4, least_inside = 1e6;  // inside another loop helpers come late
  if (threads() == 1 || operations < least) return false;
  return !inside || (operations >= least_inside && pool().idle());
}

void parallel_for(Index count, const std::function<void(Index, int)>& body, double operations) {
  const int team = count > 1 && worth_sharing(operations) ? static_cast<int>(std::min<Index>(threads(), count)) : 1;
  if (team <= 1) {
    for (Index i = 0; i < count; ++i) body(i, 0);
    return;
  }
  Loop loop;
  loop.count = count;
  loop.body = &body;
  pool().run(loop, team);
  if (loop.failure) std::rethrow_exception(loop.failure);
}

}  // namespace sturm
