#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "server/http.h"
#include "server/parameters.h"
#include "server/question_batcher.h"
#include "server/served_model.h"
#include "server/workers.h"

namespace greenkgc::server {

struct AskLimits {
  std::int64_t k = 1000;
  std::int64_t batch = 1000;
  std::int64_t answers = 100'000;
  std::chrono::milliseconds time{30'000};
};

// What endpoints that ask the model need. Those below answer with the text of a JSON object; they throw
// HttpError for requests that cannot be answered, and greenkgc::Error as the library does.
struct Asking {
  std::shared_ptr<const ServedModel> model;
  QuestionBatcher& batcher;
  Workers& workers;
  Workers& slow_workers;  // for what takes seconds
  const AskLimits& limits;
};

std::string get_model(const Asking& asking, const HttpRequest& request);
std::string get_entities(const Asking& asking, const HttpRequest& request);
std::string get_relations(const Asking& asking, const HttpRequest& request);
std::string get_predict(const Asking& asking, const HttpRequest& request);
std::string post_predict(const Asking& asking, const HttpRequest& request);
std::string get_score(const Asking& asking, const HttpRequest& request);
std::string post_score(const Asking& asking, const HttpRequest& request);
std::string get_explain(const Asking& asking, const HttpRequest& request);
std::string get_neighbors(const Asking& asking, const HttpRequest& request);
std::string get_facts(const Asking& asking, const HttpRequest& request);
std::string get_complete(const Asking& asking, const HttpRequest& request);

}  // namespace greenkgc::server
