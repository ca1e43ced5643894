#include "server/metrics.h"

#include <prometheus/text_serializer.h>

namespace greenkgc::server {
namespace {

using prometheus::BuildCounter;
using prometheus::BuildGauge;
using prometheus::BuildHistogram;

const prometheus::Histogram::BucketBoundaries kSeconds = {0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05,
                                                          0.1,    0.25,  0.5,    1,     2.5,  5,     10};

prometheus::Gauge& gauge(prometheus::Registry& registry, const std::string& name, const std::string& help) {
  return BuildGauge().Name(name).Help(help).Register(registry).Add({});
}

}  // namespace

Metrics::Metrics(const std::vector<std::string>& endpoints)
    : requests_(BuildCounter()
                    .Name("greenkgc_http_requests_total")
                    .Help("Requests that were answered, by endpoint and status.")
                    .Register(registry_)),
      reloads_(BuildCounter()
                   .Name("greenkgc_model_reloads_total")
                   .Help("Attempts to replace the model, by result.")
                   .Register(registry_)),
      connections_(gauge(registry_, "greenkgc_connections", "Connections that are open.")),
      waiting_(gauge(registry_, "greenkgc_waiting_requests", "Requests that wait for a thread.")),
      ready_(gauge(registry_, "greenkgc_ready", "1 if /readyz says so.")),
      generation_(gauge(registry_, "greenkgc_model_generation",
                        "1 for the model of the start, one more with each reload.")),
      entities_(gauge(registry_, "greenkgc_model_entities", "Entities of the model.")),
      relations_(gauge(registry_, "greenkgc_model_relations", "Relations of the model.")),
      facts_(gauge(registry_, "greenkgc_model_facts", "Facts that the model holds.")),
      left_out_(gauge(registry_, "greenkgc_access_log_lines_left_out",
                      "Lines of the access log that could not be written.")) {
  auto& seconds = BuildHistogram()
                      .Name("greenkgc_http_request_seconds")
                      .Help("From the first byte of a request to the last of its response.")
                      .Register(registry_);
  for (const std::string& endpoint : endpoints)
    seconds_[endpoint] = &seconds.Add({{"endpoint", endpoint}}, kSeconds);
  seconds_["other"] = &seconds.Add({{"endpoint", "other"}}, kSeconds);
  for (const char* result : {"done", "failed"}) reloads_.Add({{"result", result}});
}

void Metrics::count(const std::string& endpoint, int status, double seconds) {
  const auto found = seconds_.find(endpoint);
  const std::string& name = found == seconds_.end() ? "other" : endpoint;
  requests_.Add({{"endpoint", name}, {"status", std::to_string(status)}}).Increment();
  seconds_.at(name)->Observe(seconds);
}

void Metrics::count_reload(bool succeeded) {
  reloads_.Add({{"result", succeeded ? "done" : "failed"}}).Increment();
}

std::string Metrics::text(const Now& now) {
  connections_.Set(static_cast<double>(now.connections));
  waiting_.Set(static_cast<double>(now.waiting));
  ready_.Set(now.ready ? 1 : 0);
  generation_.Set(static_cast<double>(now.generation));
  entities_.Set(static_cast<double>(now.entities));
  relations_.Set(static_cast<double>(now.relations));
  facts_.Set(static_cast<double>(now.facts));
  left_out_.Set(static_cast<double>(now.log_lines_left_out));
  return prometheus::TextSerializer().Serialize(registry_.Collect());
}

}  // namespace greenkgc::server
