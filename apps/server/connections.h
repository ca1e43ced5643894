#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <map>
#include <mutex>

namespace greenkgc::server {

// Which connections there are, and which of them wait for their client. All calls may come from several
// threads. A connection that is to end reads what had come in before, and then the end; descriptors are
// closed by `remove` alone, so that none is touched after its number went to another.
class Connections {
 public:
  // True if the connection may stay. If there are `most` already, the one that has waited for its client for
  // longest is to end for it; false if none of them waits.
  bool add(int descriptor, std::size_t most);
  void remove(int descriptor);  // closes it

  void set_waiting(int descriptor);  // for its client, from now on
  void set_busy(int descriptor);

  // From now on, connections that wait are to end, and so are those that begin to.
  void finish();
  bool finishing() const;
  bool wait_until_none(std::chrono::milliseconds time);
  void end_all();  // busy ones too, without a response
  std::size_t count() const;

 private:
  struct State {
    bool waiting = true;
    bool ending = false;
    std::chrono::steady_clock::time_point since;
  };
  static void end(int descriptor, State& state);

  mutable std::mutex mutex_;
  std::condition_variable removed_;
  std::map<int, State> states_;
  bool finishing_ = false;
};

}  // namespace greenkgc::server
