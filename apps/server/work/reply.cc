#include "server/work/reply.h"

#include <future>
#include <memory>
#include <utility>

namespace greenkgc::server {

std::string Outcome::get() && {
  if (error) std::rethrow_exception(error);
  return std::move(text);
}

bool Reply::settle(Outcome outcome) {
  if (settled_.exchange(true)) return false;
  // What the caller captured ends with the call, not with the work that may go on.
  const Done done = std::move(done_);
  done(std::move(outcome));
  return true;
}

std::string wait_for_outcome(const std::function<void(Done)>& start) {
  const auto result = std::make_shared<std::promise<Outcome>>();
  auto ready = result->get_future();
  start([result](Outcome outcome) { result->set_value(std::move(outcome)); });
  return ready.get().get();
}

}  // namespace greenkgc::server
