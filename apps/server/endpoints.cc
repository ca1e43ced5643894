#include "server/endpoints.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "greenkgc/complete.h"
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

// With the number of the one that cannot be answered.
template <class Asked, class Resolve>
auto resolved(std::string_view name, std::size_t first, const std::vector<Asked>& asked,
              const Resolve& resolve) {
  std::vector<decltype(resolve(asked.front()))> all;
  for (std::size_t i = 0; i < asked.size(); ++i) {
    try {
      all.push_back(resolve(asked[i]));
    } catch (const Error& error) {
      throw Error(error.code(), fmt::format("{}[{}]: {}", name, first + i, error.what()));
    }
  }
  return all;
}

// Counts of margins in bins of equal width from the lowest to the highest.
Json histogram_json(const std::vector<Answer>& answers, std::int64_t bins) {
  if (answers.empty()) return {{"low", 0}, {"high", 0}, {"counts", Json::array()}};
  const auto [low, high] = std::minmax_element(
      answers.begin(), answers.end(), [](const Answer& a, const Answer& b) { return a.margin < b.margin; });
  const double from = static_cast<double>(low->margin);
  const double width = static_cast<double>(high->margin) - from;
  std::vector<std::uint64_t> counts(static_cast<std::size_t>(bins));
  for (const Answer& answer : answers) {
    const double share = width > 0 ? (static_cast<double>(answer.margin) - from) / width : 0;
    ++counts[std::min(counts.size() - 1, static_cast<std::size_t>(share * static_cast<double>(bins)))];
  }
  return {{"low", low->margin}, {"high", high->margin}, {"counts", counts}};
}

// The best answers, and the margins of all candidates, known ones too.
Json with_histogram(const Model& model, const Question& question, const PredictOptions& options,
                    std::int64_t bins, const Context& context) {
  if (model.entity_count() > kMostInHistogram)
    throw HttpError(422, "out_of_bounds",
                    fmt::format("histograms are made of at most {} candidates; this model has {}",
                                kMostInHistogram, model.entity_count()));
  const auto all = model.predict({&question, 1}, {.top_k = 0, .include_known = true}, context)[0];
  std::vector<Answer> best;
  for (const Answer& answer : all) {
    if (static_cast<std::int64_t>(best.size()) == options.top_k) break;
    if (options.include_known || !answer.known) best.push_back(answer);
  }
  Json json = answers_json(model, question, best);
  json["histogram"] = histogram_json(all, bins);
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

std::vector<Json> predicted(const Model& model, std::span<const Question> questions,
                            const PredictOptions& options, const Context& context) {
  const auto answers = model.predict(questions, options, context);
  std::vector<Json> results;
  for (std::size_t i = 0; i < questions.size(); ++i)
    results.push_back(answers_json(model, questions[i], answers[i]));
  return results;
}

std::string joined(std::string_view name, const std::vector<std::string>& parts) {
  std::string text = fmt::format("{{\"{}\":[", name);
  for (std::size_t i = 0; i < parts.size(); ++i) text += (i == 0 ? "" : ",") + parts[i];
  return text + "]}";
}

// Answers a batch a few at a time, so that others have their turn between.
template <class Asked, class Answer>
std::string in_turns(const Asking& asking, std::vector<Asked> all, const Answer& answer) {
  const auto deadline = std::chrono::steady_clock::now() + asking.limits.time;
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin < all.size(); begin += kAtOnce) {
    const std::vector<Asked> some(
        all.begin() + static_cast<std::ptrdiff_t>(begin),
        all.begin() + static_cast<std::ptrdiff_t>(std::min(all.size(), begin + kAtOnce)));
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    parts.push_back(asking.workers.run(
        [answer, begin, some, served = asking.model](const Context& context) {
          std::string text;
          for (const Json& json : answer(served->model(), begin, some, context))
            text += (text.empty() ? "" : ",") + compact_text(json);
          return text;
        },
        std::max(left, std::chrono::milliseconds(1))));
  }
  return joined("results", parts);
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

std::string new_facts_json(const Model& model, const std::string& relation, const std::vector<Answer>& facts,
                           std::int64_t k, double least) {
  Json listed = Json::array();
  for (const Answer& answer : facts) {
    if (static_cast<std::int64_t>(listed.size()) == k || answer.probability < least) break;
    listed.push_back(fact_json(model, answer.fact));
    listed.back()["probability"] = answer.probability;
    listed.back()["margin"] = answer.margin;
  }
  return compact_text({{"relation", relation}, {"facts", std::move(listed)}});
}

}  // namespace

std::string get_model(const Asking& asking, const HttpRequest& request) {
  Parameters(request.parameters).check_all_used();
  return compact_text(asking.model->card());
}

std::string get_entities(const Asking& asking, const HttpRequest& request) {
  return asking.workers.run(
      [search = read_search(asking, request), served = asking.model](const Context& context) {
        const Model& model = served->model();
        return found_json(
            model, "entities",
            find_entities(model, {.text = search.text, .match = search.match, .limit = search.limit},
                          context));
      },
      asking.limits.time);
}

std::string get_relations(const Asking& asking, const HttpRequest& request) {
  return asking.workers.run(
      [search = read_search(asking, request), served = asking.model](const Context& context) {
        const Model& model = served->model();
        return found_json(
            model, "relations",
            find_relations(model, {.text = search.text, .match = search.match, .limit = search.limit},
                           context));
      },
      asking.limits.time);
}

std::string get_predict(const Asking& asking, const HttpRequest& request) {
  Parameters parameters(request.parameters);
  const AskedQuestion asked = read_question(parameters);
  const PredictOptions options = read_predict_options(parameters, asking.limits);
  const std::int64_t bins = parameters.number("histogram", {0, 0, kMostBins});
  parameters.check_all_used();
  if (bins == 0) return asking.batcher.ask(asking.model, asked, options, asking.limits.time);
  return asking.workers.run(
      [=, served = asking.model](const Context& context) {
        const Model& model = served->model();
        return compact_text(with_histogram(model, question_of(model, asked), options, bins, context));
      },
      asking.limits.time);
}

std::string post_predict(const Asking& asking, const HttpRequest& request) {
  Parameters parameters(parse_body(request.body), "");
  const Input& questions = parameters.list("questions", asking.limits.batch);
  const PredictOptions options = read_predict_options(parameters, asking.limits);
  parameters.check_all_used();
  if (static_cast<std::int64_t>(questions.size()) > asking.limits.answers / options.top_k)
    parameters.fail(422, fmt::format("{} questions times k = {} are more than {} answers", questions.size(),
                                     options.top_k, asking.limits.answers));
  std::vector<AskedQuestion> all;
  for (const Input& question : questions) {
    Parameters parts(question, fmt::format("questions[{}]: ", all.size()));
    all.push_back(read_question(parts));
    parts.check_all_used();
  }
  return in_turns(asking, std::move(all),
                  [options](const Model& model, std::size_t first, const std::vector<AskedQuestion>& some,
                            const Context& context) {
                    const auto asked = resolved("questions", first, some, [&](const AskedQuestion& question) {
                      return question_of(model, question);
                    });
                    return predicted(model, asked, options, context);
                  });
}

std::string get_score(const Asking& asking, const HttpRequest& request) {
  Parameters parameters(request.parameters);
  const AskedFact asked = read_fact(parameters);
  parameters.check_all_used();
  return asking.workers.run(
      [asked, served = asking.model](const Context& context) {
        const Triple fact = fact_of(served->model(), asked);
        return compact_text(scored(served->model(), {&fact, 1}, context)[0]);
      },
      asking.limits.time);
}

std::string post_score(const Asking& asking, const HttpRequest& request) {
  Parameters parameters(parse_body(request.body), "");
  const Input& facts = parameters.list("facts", asking.limits.batch);
  parameters.check_all_used();
  std::vector<AskedFact> all;
  for (const Input& fact : facts) {
    Parameters parts(fact, fmt::format("facts[{}]: ", all.size()));
    all.push_back(read_fact(parts));
    parts.check_all_used();
  }
  return in_turns(
      asking, std::move(all),
      [](const Model& model, std::size_t first, const std::vector<AskedFact>& some, const Context& context) {
        const auto asked =
            resolved("facts", first, some, [&](const AskedFact& fact) { return fact_of(model, fact); });
        return scored(model, asked, context);
      });
}

std::string get_explain(const Asking& asking, const HttpRequest& request) {
  Parameters parameters(request.parameters);
  const AskedFact asked = read_fact(parameters);
  const auto most = static_cast<std::size_t>(parameters.number("most", {5, 0, kMostEvidence}));
  parameters.check_all_used();
  return asking.workers.run(
      [=, served = asking.model](const Context& context) {
        const Model& model = served->model();
        return compact_text(explanation_json(model, model.explain(fact_of(model, asked), most, context)));
      },
      asking.limits.time);
}

std::string get_neighbors(const Asking& asking, const HttpRequest& request) {
  Parameters parameters(request.parameters);
  const std::string entity_label = parameters.needed_text("entity");
  const auto relation_label = parameters.text("relation");
  const auto k = static_cast<std::size_t>(
      parameters.number("k", {std::min<std::int64_t>(10, asking.limits.k), 1, asking.limits.k}));
  parameters.check_all_used();
  return asking.workers.run(
      [=, served = asking.model](const Context& context) {
        const Model& model = served->model();
        const EntityId entity = model.entity(entity_label);
        std::optional<RelationId> relation;
        if (relation_label) relation = model.relation(*relation_label);
        return compact_text(
            neighbors_json(model, entity, relation, model.neighbors(entity, relation, k, context)));
      },
      asking.limits.time);
}

std::string get_facts(const Asking& asking, const HttpRequest& request) {
  Parameters parameters(request.parameters);
  const std::string label = parameters.needed_text("entity");
  const auto limit = static_cast<std::size_t>(
      parameters.number("limit", {std::min<std::int64_t>(100, asking.limits.k), 1, asking.limits.k}));
  parameters.check_all_used();
  return asking.workers.run(
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
      asking.limits.time);
}

std::string get_complete(const Asking& asking, const HttpRequest& request) {
  Parameters parameters(request.parameters);
  const std::string label = parameters.needed_text("relation");
  const std::int64_t k =
      parameters.number("k", {std::min<std::int64_t>(100, asking.limits.k), 1, asking.limits.k});
  const double least = parameters.share("min_probability", 0);
  parameters.check_all_used();
  if (const auto relation = asking.model->model().find_relation(label)) {
    if (const auto facts = asking.model->remembered(*relation))
      return new_facts_json(asking.model->model(), label, *facts, k, least);
  }
  return asking.slow_workers.run(
      [=, most = asking.limits.k, served = asking.model](const Context& context) {
        const Model& model = served->model();
        const RelationId relation = model.relation(label);
        ServedModel::NewFacts facts = served->remembered(relation);
        if (facts == nullptr) {
          facts = std::make_shared<const std::vector<Answer>>(
              complete(model, {.relation = {label}, .top = most}, context));
          served->remember(relation, facts);
        }
        return new_facts_json(model, label, *facts, k, least);
      },
      asking.limits.time);
}

}  // namespace greenkgc::server
