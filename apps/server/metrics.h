#pragma once

#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace greenkgc::server {

// What is counted for Prometheus. Calls may come from several threads.
class Metrics {
 public:
  // Endpoints by name; requests for anything else count as "other".
  explicit Metrics(const std::vector<std::string>& endpoints);

  void count(const std::string& endpoint, int status, double seconds);
  void count_reload(bool succeeded);

  // Values that are asked for when the text is.
  struct Now {
    std::size_t connections = 0;
    std::size_t waiting = 0;
    bool ready = false;
    std::uint64_t generation = 0;
    std::uint64_t entities = 0;
    std::uint64_t relations = 0;
    std::uint64_t facts = 0;
    std::uint64_t log_lines_left_out = 0;
  };
  // In Prometheus's text format, version 0.0.4.
  std::string text(const Now& now);

 private:
  prometheus::Registry registry_;
  prometheus::Family<prometheus::Counter>& requests_;
  std::map<std::string, prometheus::Histogram*> seconds_;
  prometheus::Family<prometheus::Counter>& reloads_;
  prometheus::Gauge& connections_;
  prometheus::Gauge& waiting_;
  prometheus::Gauge& ready_;
  prometheus::Gauge& generation_;
  prometheus::Gauge& entities_;
  prometheus::Gauge& relations_;
  prometheus::Gauge& facts_;
  prometheus::Gauge& left_out_;
};

}  // namespace greenkgc::server
