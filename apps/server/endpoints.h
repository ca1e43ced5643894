#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "server/http/http.h"
#include "server/parameters.h"
#include "server/served_model.h"
#include "server/work/question_batcher.h"
#include "server/work/reply.h"
#include "server/work/workers.h"

namespace greenkgc::server {

struct AskLimits {
  std::int64_t k = 1000;
  std::int64_t batch = 1000;
  std::int64_t answers = 100'000;
  std::int64_t queries = 5000;  // that a search for new facts asks
  std::chrono::milliseconds time{30'000};
};

// What endpoints that ask the model need. Those below pass on the text of a JSON object, HttpError for
// requests that cannot be answered, or greenkgc::Error as the library throws it. What they throw themselves
// is an HttpError, and then `done` is not called.
struct Asking {
  std::shared_ptr<const ServedModel> model;
  QuestionBatcher& batcher;
  Workers& workers;
  Workers& slow_workers;  // for what takes seconds
  const AskLimits& limits;
};

void get_model(const Asking& asking, HttpRequest& request, Done done);
void get_entities(const Asking& asking, HttpRequest& request, Done done);
void get_relations(const Asking& asking, HttpRequest& request, Done done);
void get_predict(const Asking& asking, HttpRequest& request, Done done);
void post_predict(const Asking& asking, HttpRequest& request, Done done);
void get_score(const Asking& asking, HttpRequest& request, Done done);
void post_score(const Asking& asking, HttpRequest& request, Done done);
void get_explain(const Asking& asking, HttpRequest& request, Done done);
void get_neighbors(const Asking& asking, HttpRequest& request, Done done);
void get_facts(const Asking& asking, HttpRequest& request, Done done);
void get_complete(const Asking& asking, HttpRequest& request, Done done);

}  // namespace greenkgc::server
