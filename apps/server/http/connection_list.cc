#include "server/http/connection_list.h"

#include <utility>

namespace greenkgc::server {

void ConnectionList::stop_waiting(Entry& entry) {
  if (entry.place != waiting_.end()) waiting_.erase(std::exchange(entry.place, waiting_.end()));
}

void ConnectionList::end(Entry& entry) {
  stop_waiting(entry);
  if (std::exchange(entry.ending, true)) return;
  ++ending_;
  entry.connection->end_soon();
}

bool ConnectionList::has_room(std::size_t most) const {
  const std::lock_guard lock(mutex_);
  return entries_.size() - ending_ < most || !waiting_.empty();
}

bool ConnectionList::add(std::shared_ptr<Connection> connection, std::size_t most) {
  const std::lock_guard lock(mutex_);
  if (entries_.size() - ending_ >= most) {
    if (waiting_.empty()) return false;
    end(entries_.at(waiting_.front()));
  }
  const Connection* key = connection.get();
  entries_.emplace(key, Entry{std::move(connection), waiting_.insert(waiting_.end(), key)});
  return true;
}

void ConnectionList::remove(const Connection& connection) {
  std::shared_ptr<Connection> removed;  // ends after the lock
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(&connection);
  if (found == entries_.end()) return;
  stop_waiting(found->second);
  if (found->second.ending) --ending_;
  removed = std::move(found->second.connection);
  entries_.erase(found);
  removed_.notify_all();
}

void ConnectionList::set_waiting(const Connection& connection) {
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(&connection);
  if (found == entries_.end() || found->second.ending) return;
  stop_waiting(found->second);
  if (finishing_) return end(found->second);
  found->second.place = waiting_.insert(waiting_.end(), &connection);
}

void ConnectionList::set_busy(const Connection& connection) {
  const std::lock_guard lock(mutex_);
  if (const auto found = entries_.find(&connection); found != entries_.end()) stop_waiting(found->second);
}

void ConnectionList::finish() {
  const std::lock_guard lock(mutex_);
  finishing_ = true;
  while (!waiting_.empty()) end(entries_.at(waiting_.front()));
}

bool ConnectionList::finishing() const {
  const std::lock_guard lock(mutex_);
  return finishing_;
}

bool ConnectionList::wait_until_none(std::chrono::milliseconds time) {
  std::unique_lock lock(mutex_);
  return removed_.wait_for(lock, time, [&] { return entries_.empty(); });
}

void ConnectionList::end_all() {
  const std::lock_guard lock(mutex_);
  finishing_ = true;
  for (auto& [key, entry] : entries_) entry.connection->end_now();
}

std::size_t ConnectionList::count() const {
  const std::lock_guard lock(mutex_);
  return entries_.size();
}

}  // namespace greenkgc::server
