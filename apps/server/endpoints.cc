#include "server/endpoints.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "greenkgc/error.h"
#include "greenkgc/facts.h"
#include "greenkgc/search.h"

namespace greenkgc::server {
namespace {

constexpr std::size_t kAtOnce = 32;  // questions of a batch; then others have their turn
constexpr std::int64_t kMostBins = 200;
constexpr std::uint32_t kMostInHistogram = 2'000'000;  // candidates
constexpr std::int64_t kMostEvidence = 100;

AskedQuestion read_question(Parameters& parameters) {
  AskedQuestion asked{parameters.text("head"), parameters.text("relation"), parameters.text("tail")};
  const int given = asked.head.has_value() + asked.relation.has_value() + asked.tail.has_value();
  if (given != 2)
    parameters.fail(400, fmt::format("a question has two of head, relation and tail, not {}", given));
  return asked;
}

// A fact as labels.
struct AskedFact {
  std::string head;
  std::string relation;
  std::string tail;
};

AskedFact read_fact(Parameters& parameters) {
  return {parameters.needed_text("head"), parameters.needed_text("relation"), parameters.needed_text("tail")};
}

Triple fact_of(const Model& model, const AskedFact& asked) {
  return {model.entity(asked.head), model.relation(asked.relation), model.entity(asked.tail)};
}

// Counts of margins in bins of equal width from the lowest to the highest.
Json histogram_json(const std::vector<float>& margins, std::int64_t bins) {
  if (margins.empty()) return {{"low", 0}, {"high", 0}, {"counts", Json::array()}};
  const auto [low, high] = std::ranges::minmax(margins);
  const double from = static_cast<double>(low);
  const double width = static_cast<double>(high) - from;
  std::vector<std::uint64_t> counts(static_cast<std::size_t>(bins));
  for (const float margin : margins) {
    const double share = width > 0 ? (static_cast<double>(margin) - from) / width : 0;
    ++counts[std::min(counts.size() - 1, static_cast<std::size_t>(share * static_cast<double>(bins)))];
  }
  return {{"low", low}, {"high", high}, {"counts", counts}};
}

std::vector<Json> predicted(const Model& model, std::span<const Question> questions,
                            const PredictOptions& options, const Context& context) {
  const auto answers = model.predict(questions, options, context);
  std::vector<Json> results;
  for (std::size_t i = 0; i < questions.size(); ++i)
    results.push_back(answers_json(model, questions[i], answers[i],
                                   known_left_out(model, questions[i], options, context).size()));
  return results;
}

// The best answers, and the margins of all candidates, known ones too.
Json with_histogram(const Model& model, const Question& question, const PredictOptions& options,
                    std::int64_t bins, const Context& context) {
  if (model.entity_count() > kMostInHistogram)
    throw HttpError(422, "out_of_bounds",
                    fmt::format("histograms are made of at most {} candidates; this model has {}",
                                kMostInHistogram, model.entity_count()));
  Json json = predicted(model, {&question, 1}, options, context)[0];
  json["histogram"] = histogram_json(model.candidate_margins(question, context), bins);
  return json;
}

template <class Id>
std::string found_json(const Model& model, std::string_view name, const FoundLabels<Id>& found) {
  Json listed = Json::array();
  for (const Id id : found.ids) listed.push_back({{"label", model.label(id)}});
  return compact_text({{name, std::move(listed)}, {"truncated", found.truncated}});
}

struct AskedSearch {
  std::string text;
  LabelMatch match;
  std::size_t limit;
};

AskedSearch read_search(const Asking& asking, const HttpRequest& request) {
  Parameters parameters(request.parameters);
  AskedSearch search{parameters.text("q").value_or(""),
                     parameters.choice("match", {"prefix", "substring"}) == "prefix" ? LabelMatch::kPrefix
                                                                                     : LabelMatch::kSubstring,
                     static_cast<std::size_t>(parameters.number(
                         "limit", {std::min<std::int64_t>(20, asking.limits.k), 1, asking.limits.k}))};
  parameters.check_all_used();
  return search;
}

PredictOptions read_predict_options(Parameters& parameters, const AskLimits& limits) {
  return {.top_k = parameters.number("k", {std::min<std::int64_t>(10, limits.k), 1, limits.k}),
          .include_known = parameters.flag("include_known")};
}

// A batch of questions or facts. It is answered a few at a time, so that others have their turn between; once
// its first part was admitted, the others are. Workers parse the body, too: it may be long.
template <class Asked>
class Batch : public std::enable_shared_from_this<Batch<Asked>> {
 public:
  Batch(const Asking& asking, std::string body, Done done)
      : asking_(asking), limit_(asking.limits.time), body_(std::move(body)), done_(std::move(done)) {}
  virtual ~Batch() = default;

  void start() { submit(Workers::Admission::kIfThereIsRoom); }

 protected:
  // Throws HttpError for a body that breaks the rules or the limits.
  virtual std::vector<Asked> read(Parameters& body, const AskLimits& limits) = 0;
  // Answers some, of which each gets its result or its error.
  virtual std::vector<Json> answer(const Model& model, std::span<const Asked> some,
                                   const Context& context) = 0;

 private:
  void submit(Workers::Admission admission) {
    asking_.workers.submit(
        [self = this->shared_from_this()](const Context& context) {
          self->work(context);
          return std::string();
        },
        limit_, [self = this->shared_from_this()](Outcome outcome) { self->proceed(std::move(outcome)); },
        admission);
  }

  void work(const Context& context) {
    if (all_.empty()) {
      Parameters parameters(parse_body(body_), "");
      all_ = read(parameters, asking_.limits);
      body_ = {};
    }
    const std::size_t count = std::min(kAtOnce, all_.size() - begin_);
    for (const Json& json : answer(asking_.model->model(), std::span(all_).subspan(begin_, count), context))
      text_ += (text_.empty() ? "{\"results\":[" : ",") + compact_text(json);
    begin_ += count;
  }

  // After a part was answered, or the batch failed. A part whose time is over may still be at work: then this
  // touches nothing but `done_`.
  void proceed(Outcome outcome) {
    if (outcome.error) return done_(std::move(outcome));
    if (begin_ == all_.size()) return done_({.text = std::move(text_) + "]}"});
    try {
      submit(Workers::Admission::kAlways);
    } catch (...) {  // the service stops
      done_({.error = std::current_exception()});
    }
  }

  const Asking asking_;
  const TimeLimit limit_;
  std::string body_;
  std::vector<Asked> all_;
  std::size_t begin_ = 0;  // of those that are not answered yet
  std::string text_;
  const Done done_;
};

// Resolves the labels of each and has those answered whose labels the model has; the others get an error in
// their place.
template <class Asked, class Resolve, class Answer>
std::vector<Json> resolved_and_answered(std::span<const Asked> some, const Resolve& resolve,
                                        const Answer& answer) {
  std::vector<Json> results(some.size());
  std::vector<decltype(resolve(some.front()))> known;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < some.size(); ++i) {
    try {
      known.push_back(resolve(some[i]));
      places.push_back(i);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kBadInput) throw;
      results[i] = {{"error", {{"code", "unknown_label"}, {"message", error.what()}}}};
    }
  }
  if (known.empty()) return results;
  std::vector<Json> answered = answer(known);
  for (std::size_t i = 0; i < known.size(); ++i) results[places[i]] = std::move(answered[i]);
  return results;
}

Json score_json(const Model& model, const Triple& fact, const Score& score, const Context& context) {
  Json json = fact_json(model, fact);
  json["probability"] = score.probability;
  json["margin"] = score.margin;
  json["known"] = holds_fact(model, fact, context);
  return json;
}

std::vector<Json> scored(const Model& model, std::span<const Triple> facts, const Context& context) {
  const auto scores = model.score(facts, context);
  std::vector<Json> results;
  for (std::size_t i = 0; i < facts.size(); ++i)
    results.push_back(score_json(model, facts[i], scores[i], context));
  return results;
}

class QuestionBatch final : public Batch<AskedQuestion> {
 public:
  using Batch::Batch;

 private:
  std::vector<AskedQuestion> read(Parameters& body, const AskLimits& limits) override {
    const Input& questions = body.list("questions", limits.batch);
    options_ = read_predict_options(body, limits);
    body.check_all_used();
    if (static_cast<std::int64_t>(questions.size()) > limits.answers / options_.top_k)
      body.fail(422, fmt::format("{} questions times k = {} are more than {} answers", questions.size(),
                                 options_.top_k, limits.answers));
    std::vector<AskedQuestion> all;
    for (const Input& question : questions) {
      Parameters parts(question, fmt::format("questions[{}]: ", all.size()));
      all.push_back(read_question(parts));
      parts.check_all_used();
    }
    return all;
  }

  std::vector<Json> answer(const Model& model, std::span<const AskedQuestion> some,
                           const Context& context) override {
    return resolved_and_answered(
        some, [&](const AskedQuestion& asked) { return question_of(model, asked); },
        [&](const std::vector<Question>& known) { return predicted(model, known, options_, context); });
  }

  PredictOptions options_;
};

class FactBatch final : public Batch<AskedFact> {
 public:
  using Batch::Batch;

 private:
  std::vector<AskedFact> read(Parameters& body, const AskLimits& limits) override {
    const Input& facts = body.list("facts", limits.batch);
    body.check_all_used();
    std::vector<AskedFact> all;
    for (const Input& fact : facts) {
      Parameters parts(fact, fmt::format("facts[{}]: ", all.size()));
      all.push_back(read_fact(parts));
      parts.check_all_used();
    }
    return all;
  }

  std::vector<Json> answer(const Model& model, std::span<const AskedFact> some,
                           const Context& context) override {
    return resolved_and_answered(
        some, [&](const AskedFact& asked) { return fact_of(model, asked); },
        [&](const std::vector<Triple>& known) { return scored(model, known, context); });
  }
};

}  // namespace

void get_model(const Asking& asking, HttpRequest& request, Done done) {
  Parameters(request.parameters).check_all_used();
  done({.text = compact_text(asking.model->card())});
}

void get_entities(const Asking& asking, HttpRequest& request, Done done) {
  asking.workers.submit(
      [search = read_search(asking, request), served = asking.model](const Context& context) {
        const Model& model = served->model();
        return found_json(
            model, "entities",
            find_entities(model, {.text = search.text, .match = search.match, .limit = search.limit},
                          context));
      },
      asking.limits.time, std::move(done));
}

void get_relations(const Asking& asking, HttpRequest& request, Done done) {
  asking.workers.submit(
      [search = read_search(asking, request), served = asking.model](const Context& context) {
        const Model& model = served->model();
        return found_json(
            model, "relations",
            find_relations(model, {.text = search.text, .match = search.match, .limit = search.limit},
                           context));
      },
      asking.limits.time, std::move(done));
}

void get_predict(const Asking& asking, HttpRequest& request, Done done) {
  Parameters parameters(request.parameters);
  const AskedQuestion asked = read_question(parameters);
  const PredictOptions options = read_predict_options(parameters, asking.limits);
  const std::int64_t bins = parameters.number("histogram", {0, 0, kMostBins});
  parameters.check_all_used();
  if (bins == 0)
    return asking.batcher.submit(asking.model, asked, options, asking.limits.time, std::move(done));
  asking.workers.submit(
      [=, served = asking.model](const Context& context) {
        const Model& model = served->model();
        return compact_text(with_histogram(model, question_of(model, asked), options, bins, context));
      },
      asking.limits.time, std::move(done));
}

void post_predict(const Asking& asking, HttpRequest& request, Done done) {
  std::make_shared<QuestionBatch>(asking, std::move(request.body), std::move(done))->start();
}

void get_score(const Asking& asking, HttpRequest& request, Done done) {
  Parameters parameters(request.parameters);
  const AskedFact asked = read_fact(parameters);
  parameters.check_all_used();
  asking.workers.submit(
      [asked, served = asking.model](const Context& context) {
        const Triple fact = fact_of(served->model(), asked);
        return compact_text(scored(served->model(), {&fact, 1}, context)[0]);
      },
      asking.limits.time, std::move(done));
}

void post_score(const Asking& asking, HttpRequest& request, Done done) {
  std::make_shared<FactBatch>(asking, std::move(request.body), std::move(done))->start();
}

void get_explain(const Asking& asking, HttpRequest& request, Done done) {
  Parameters parameters(request.parameters);
  const AskedFact asked = read_fact(parameters);
  const auto most = static_cast<std::size_t>(parameters.number("most", {5, 0, kMostEvidence}));
  parameters.check_all_used();
  asking.workers.submit(
      [=, served = asking.model](const Context& context) {
        const Model& model = served->model();
        return compact_text(explanation_json(model, model.explain(fact_of(model, asked), most, context)));
      },
      asking.limits.time, std::move(done));
}

void get_neighbors(const Asking& asking, HttpRequest& request, Done done) {
  Parameters parameters(request.parameters);
  const std::string entity_label = parameters.needed_text("entity");
  const auto relation_label = parameters.text("relation");
  const auto k = static_cast<std::size_t>(
      parameters.number("k", {std::min<std::int64_t>(10, asking.limits.k), 1, asking.limits.k}));
  parameters.check_all_used();
  asking.workers.submit(
      [=, served = asking.model](const Context& context) {
        const Model& model = served->model();
        const EntityId entity = model.entity(entity_label);
        std::optional<RelationId> relation;
        if (relation_label) relation = model.relation(*relation_label);
        return compact_text(
            neighbors_json(model, entity, relation, model.neighbors(entity, relation, k, context)));
      },
      asking.limits.time, std::move(done));
}

void get_facts(const Asking& asking, HttpRequest& request, Done done) {
  Parameters parameters(request.parameters);
  const std::string label = parameters.needed_text("entity");
  const auto limit = static_cast<std::size_t>(
      parameters.number("limit", {std::min<std::int64_t>(100, asking.limits.k), 1, asking.limits.k}));
  parameters.check_all_used();
  asking.workers.submit(
      [=, served = asking.model](const Context& context) {
        const Model& model = served->model();
        const FactsAround around = facts_around(model, model.entity(label), limit, context);
        Json facts = Json::array();
        for (const Triple& fact : around.facts) facts.push_back(fact_json(model, fact));
        return compact_text({{"entity", label},
                             {"as_head", around.as_head},
                             {"as_tail", around.as_tail},
                             {"facts", std::move(facts)},
                             {"truncated", around.truncated()}});
      },
      asking.limits.time, std::move(done));
}

}  // namespace greenkgc::server
