#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <unordered_map>

namespace greenkgc::server {

// A connection as the list below sees it. Both calls may come from any thread, and return at once.
class Connection {
 public:
  virtual ~Connection() = default;
  // Takes a request that has come in already, but waits for no more.
  virtual void end_soon() = 0;
  // Closes without a response.
  virtual void end_now() = 0;
};

// Which connections there are, and which of them wait for their client. Owns them until they are removed.
// Calls may come from several threads; each takes constant time.
class ConnectionList {
 public:
  // Whether one more may come: there are fewer than `most`, or one of them waits.
  bool has_room(std::size_t most) const;
  // The connection waits for its client. If there are `most` already, the one that has waited for longest is
  // to end for it; false if none of them waits.
  bool add(std::shared_ptr<Connection> connection, std::size_t most);
  void remove(const Connection& connection);

  void set_waiting(const Connection& connection);  // for its client, from now on
  void set_busy(const Connection& connection);

  // From now on, connections that wait are to end, and so are those that begin to.
  void finish();
  bool finishing() const;
  bool wait_until_none(std::chrono::milliseconds time);
  void end_all();  // busy ones too
  std::size_t count() const;

 private:
  struct Entry {
    std::shared_ptr<Connection> connection;
    std::list<const Connection*>::iterator place;  // in waiting_, or its end
    bool ending = false;
  };
  void end(Entry& entry);
  void stop_waiting(Entry& entry);

  mutable std::mutex mutex_;  // guards what is below
  std::condition_variable removed_;
  std::unordered_map<const Connection*, Entry> entries_;
  std::list<const Connection*> waiting_;  // the longest silent one first; none that is ending
  std::size_t ending_ = 0;
  bool finishing_ = false;
};

}  // namespace greenkgc::server
