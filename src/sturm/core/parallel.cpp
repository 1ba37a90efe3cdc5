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
  for (auto now = start; !ready() && now < start + microseconds(300); now = std::chrono::steady_clock::now())
    if (now > start + microseconds(20)) std::this_thread::yield();
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
  int joined = 1;  ///< of the team, the caller included; guarded by the pool's mutex
  std::mutex failure_mutex;
  std::exception_ptr failure;

  Run take() {
    Index first = next, last = 0;
    do {
      last = std::min(count, first + std::max<Index>(1, (count - first) / (8 * team)));
    } while (first < count && !next.compare_exchange_weak(first, last));
    return {first, last};
  }

  void work(int worker) {
    inside = true;
    for (Run run = take(); run.first < run.last; run = take())
      for (Index i = run.first; i < run.last; ++i) {
        try {
          (*body)(i, worker);
        } catch (...) {
          const std::lock_guard lock(failure_mutex);
          if (!failure) failure = std::current_exception();
        }
      }
    inside = false;
  }
};

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

  void run(Loop& loop, int team) {
    const std::lock_guard one_at_a_time(run_mutex_);
    while (static_cast<int>(workers_.size()) < team - 1) workers_.emplace_back([this] { serve(); });
    loop.team = team;
    {
      const std::lock_guard lock(loop_mutex_);
      loop_ = &loop;
    }
    ++ticket_;
    ticket_.notify_all();
    loop.work(0);
    {
      const std::lock_guard lock(loop_mutex_);  // nobody joins from here on
      loop_ = nullptr;
    }
    for (int left = running_; left > 0; left = running_) {
      linger([&] { return running_ != left; });
      running_.wait(left);
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
      Loop* loop = nullptr;
      int worker = 0;
      {
        const std::lock_guard lock(loop_mutex_);
        if (loop_ && loop_->joined < loop_->team) {
          loop = loop_;
          worker = loop->joined++;
          ++running_;
        }
      }
      if (!loop) continue;
      loop->work(worker);
      --running_;
      running_.notify_all();
    }
  }

  std::mutex run_mutex_, loop_mutex_;
  Loop* loop_ = nullptr;
  std::atomic<unsigned> ticket_{0};  ///< goes up with every loop
  std::atomic<int> running_{0};      ///< workers inside the loop
  std::atomic<bool> stop_{false};
  std::vector<std::thread> workers_;
};

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

bool worth_sharing(double operations) { return !inside && threads() > 1 && operations >= 3e4; }

void parallel_for(Index count, const std::function<void(Index, int)>& body, double operations) {
  const int team = worth_sharing(operations) ? static_cast<int>(std::min<Index>(threads(), count)) : 1;
  if (team <= 1) {
    for (Index i = 0; i < count; ++i) body(i, 0);
    return;
  }
  static Pool pool;
  Loop loop;
  loop.count = count;
  loop.body = &body;
  pool.run(loop, team);
  if (loop.failure) std::rethrow_exception(loop.failure);
}

}  // namespace sturm
