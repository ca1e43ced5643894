#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <string>

namespace greenkgc::server {

// How a piece of work ended: with a text, or with what was thrown.
struct Outcome {
  std::string text;
  std::exception_ptr error;  // null if there is a text

  // The text, or throws the error.
  std::string get() &&;
};

template <class Thrown>
Outcome failed(const Thrown& error) {
  return {.error = std::make_exception_ptr(error)};
}

// Gets the outcome, once, in any thread and with no lock held. Must not throw.
using Done = std::function<void(Outcome)>;

// A caller that waits for one outcome, while several threads may have one: the worker that finished, the
// clock whose time is over, the service that stops. The first one counts.
class Reply {
 public:
  explicit Reply(Done done) : done_(std::move(done)) {}

  // Passes the outcome on if it is the first; true if it was.
  bool settle(Outcome outcome);
  bool settled() const { return settled_; }

 private:
  std::atomic<bool> settled_{false};
  Done done_;
};

// Blocks until `start` has called its argument; for callers that have a thread to wait in.
std::string wait_for_outcome(const std::function<void(Done)>& start);

}  // namespace greenkgc::server
