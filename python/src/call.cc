#include "call.h"

#include <pthread.h>

#include <chrono>
#include <condition_variable>
#include <csignal>
#include <exception>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "greenkgc/error.h"
#include "labels.h"

namespace greenkgc::python {

namespace {

constexpr int kMostThreads = 1024;  // as the command has it
constexpr auto kTick = std::chrono::milliseconds(50);

// What the library's threads say, until the calling thread takes it.
class Relay final : public ProgressSink {
 public:
  struct Message {
    LogLevel level;
    std::string text;
  };
  struct News {
    std::vector<Message> messages;
    bool running = false;
    std::string task;
    std::string unit;
    std::uint64_t total = 0;
    std::uint64_t done = 0;
  };

  void begin(std::string_view task, std::uint64_t total, std::string_view unit) override {
    const std::scoped_lock lock(mutex_);
    news_.running = true;
    news_.task = task;
    news_.unit = unit;
    news_.total = total;
    news_.done = 0;
  }
  void update(std::uint64_t done) override {
    const std::scoped_lock lock(mutex_);
    news_.done = done;
  }
  void end() override {
    const std::scoped_lock lock(mutex_);
    news_.running = false;
  }
  void say(LogLevel level, std::string_view message) {
    const std::scoped_lock lock(mutex_);
    news_.messages.push_back({level, std::string(message)});
  }
  void finish() {
    const std::scoped_lock lock(mutex_);
    finished_ = true;
    changed_.notify_all();
  }

  bool wait_finished(std::chrono::milliseconds most) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, most, [&] { return finished_; });
  }
  News take() {
    const std::scoped_lock lock(mutex_);
    News news = news_;
    news_.messages.clear();
    return news;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  News news_;
  bool finished_ = false;
};

// For its scope this thread, and those that it starts, take no signals: a handler without SA_RESTART, as
// Python's are, would interrupt what they read and write.
class SignalsElsewhere {
 public:
  SignalsElsewhere() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsElsewhere() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsElsewhere(const SignalsElsewhere&) = delete;
  SignalsElsewhere& operator=(const SignalsElsewhere&) = delete;

 private:
  sigset_t before_;
};

const char* level_name(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug:
      return "debug";
    case LogLevel::kInfo:
      return "info";
    case LogLevel::kWarning:
      return "warning";
  }
  return "info";
}

void tell(const py::object& watch, const Relay::News& news) {
  if (watch.is_none()) return;
  for (const Relay::Message& message : news.messages)
    watch.attr("log")(level_name(message.level), to_python(message.text));
  if (news.running) {
    watch.attr("progress")(to_python(news.task), news.done, news.total, news.unit);
  } else {
    watch.attr("idle")();
  }
}

void attend(const py::object& watch, Relay& relay) {
  tell(watch, relay.take());
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
}

// What the work threw, or null.
class Worker {
 public:
  Worker(const Context& context, const std::function<void(const Context&)>& work, Relay& relay) {
    const SignalsElsewhere elsewhere;
    thread_ = std::thread([this, &context, &work, &relay] {
      try {
        work(context);
      } catch (...) {
        failure_ = std::current_exception();
      }
      relay.finish();
    });
  }
  std::exception_ptr join() {
    thread_.join();
    return failure_;
  }

 private:
  std::exception_ptr failure_;
  std::thread thread_;
};

}  // namespace

void run_watched(const Call& call, const std::function<void(const Context&)>& work) {
  Relay relay;
  std::atomic<bool> cancel{false};
  const Context context{.threads = call.threads,
                        .seed = call.seed,
                        .progress = &relay,
                        .log = [&](LogLevel level, std::string_view message) { relay.say(level, message); },
                        .cancel = &cancel};
  std::exception_ptr raised;   // by Python
  std::exception_ptr failure;  // by the work
  {
    const py::gil_scoped_release released;
    Worker worker(context, work, relay);
    while (!relay.wait_finished(kTick)) {
      if (cancel) continue;
      const py::gil_scoped_acquire held;
      try {
        attend(call.watch, relay);
      } catch (...) {
        raised = std::current_exception();
        cancel = true;
      }
    }
    failure = worker.join();
  }
  if (raised) std::rethrow_exception(raised);
  tell(call.watch, relay.take());
  if (failure) std::rethrow_exception(failure);
}

void bind_call(py::module_& module) {
  py::class_<Call>(module, "Call", "How the library is called: threads, seed, and the receiver of progress.")
      .def(py::init([](int threads, std::uint64_t seed, py::object watch) {
             if (threads < 0 || threads > kMostThreads)
               throw Error(ErrorCode::kUsage, "threads must be between 0 and " +
                                                  std::to_string(kMostThreads) + ", not " +
                                                  std::to_string(threads));
             return Call{threads, seed, std::move(watch)};
           }),
           py::arg("threads"), py::arg("seed"), py::arg("watch"));
}

}  // namespace greenkgc::python
