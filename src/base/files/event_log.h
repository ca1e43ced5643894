#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace greenkgc {

// log.jsonl: one JSON object per line and event, each with its time. Lines are appended whole, so that a
// killed run leaves a log that can be read, and a resumed one goes on in the same file.
class EventLog {
 public:
  explicit EventLog(std::filesystem::path path) : path_(std::move(path)) {}
  // `fields` is a JSON object; what is not UTF-8 in it becomes U+FFFD. Missing parent folders are made.
  // Throws kIo.
  void add(std::string_view event, const nlohmann::ordered_json& fields) const;

 private:
  std::filesystem::path path_;
};

}  // namespace greenkgc
