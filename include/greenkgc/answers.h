#pragma once

#include <cstdint>

#include "greenkgc/ids.h"
#include "greenkgc/options.h"

namespace greenkgc {

// A fact with one part missing, which is what is asked for: kNoEntity or kNoRelation stands in its place.
struct Question {
  EntityId head = kNoEntity;
  RelationId relation = kNoRelation;
  EntityId tail = kNoEntity;
};

// A question's fact, completed.
struct Answer {
  Triple fact;
  float margin;        // log-odds before calibration; comparable among facts of one relation only
  double probability;  // that the fact holds, calibrated on validation data where the model says how
  bool known;          // it is one of the facts that the model holds
};

struct PredictOptions {
  std::int64_t top_k = 10;
  bool include_known = false;

  static void declare(OptionList<PredictOptions>& o) {
    o.add("top_k", &PredictOptions::top_k, "how many answers to a question; 0 is all",
          {.min = 0, .max = 1e9});
    o.add("include_known", &PredictOptions::include_known,
          "list facts that the model holds too, marked as known, instead of leaving them out");
  }
};

}  // namespace greenkgc
