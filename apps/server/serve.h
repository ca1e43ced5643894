#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <string>

#include "greenkgc/context.h"
#include "server/serve_options.h"

namespace greenkgc::server {

struct ServeRun {
  std::filesystem::path model;  // a file, or a run's folder
  std::string token;            // that requests must bring; "" if none
  std::atomic<bool>* reload_asked =
      nullptr;  // set it to true, and the model and the TLS files are read again
  std::function<void(const std::string& address)> listening;  // called once, when requests can come
};

// Answers requests until the context is cancelled; then finishes those that are under way. Uses the context's
// threads for the work. Throws as Model::open does, kUsage and kIo if it cannot listen, kUsage and kBadInput
// for TLS files that cannot be used.
void serve(const ServeRun& run, const ServeOptions& options, const Context& context);

}  // namespace greenkgc::server
