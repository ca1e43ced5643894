// GET /v1/complete. A search asks at most AskLimits::queries queries, most promising first, and its result is
// remembered by what was asked for, so that another number of facts or another least probability costs
// nothing. Searches about one entity take a second or two and go to the workers; others go to the slow ones.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "greenkgc/complete.h"
#include "greenkgc/error.h"
#include "server/endpoints.h"
#include "shared/answer_json.h"

namespace greenkgc::server {
namespace {

// Where no trees judge facts, nothing says which queries are promising: of pairs of an entity and a relation,
// this many are searched without a relation or an entity to narrow them down. About half a minute.
constexpr std::uint64_t kMaxPairs = 5'000'000;

struct AskedCompletion {
  std::optional<std::string> relation;
  std::optional<std::string> entity;
  std::optional<std::string> type;
  bool only_gaps;
  std::int64_t max_per_query;
  std::int64_t max_queries;
  // What of the result is shown.
  std::int64_t k;
  double min_probability;
  bool reasons;

  // What the search depends on, as a text.
  std::string key() const {
    const auto label = [](const std::optional<std::string>& text) { return text ? Json(*text) : Json(); };
    return compact_text({label(relation), label(entity), label(type), only_gaps, max_per_query, max_queries});
  }
};

AskedCompletion read_completion(Parameters& parameters, const AskLimits& limits) {
  AskedCompletion asked{
      .relation = parameters.text("relation"),
      .entity = parameters.text("entity"),
      .type = parameters.text("type"),
      .only_gaps = parameters.flag("only_gaps"),
      .max_per_query = parameters.number("max_per_query", {0, 0, limits.k}),
      .max_queries = parameters.number("max_queries", {limits.queries, 1, limits.queries}),
      .k = parameters.number("k", {std::min<std::int64_t>(100, limits.k), 1, limits.k}),
      .min_probability = parameters.share("min_probability", 0),
      .reasons = parameters.flag("reasons"),
  };
  parameters.check_all_used();
  return asked;
}

CompleteOptions options_of(const Model& model, const AskedCompletion& asked, std::int64_t most) {
  CompleteOptions options{.top = most, .only_gaps = asked.only_gaps, .max_per_query = asked.max_per_query};
  if (asked.relation) options.relation = {*asked.relation};
  if (asked.entity) options.entity = {*asked.entity};
  if (asked.type) options.type = {*asked.type};
  if (assumed_missing_share(model, options)) {
    options.max_queries = asked.max_queries;
  } else if (!asked.relation && !asked.entity &&
             std::uint64_t{model.entity_count()} * model.relation_count() > kMaxPairs) {
    throw Error(ErrorCode::kUsage,
                "a search over all relations takes too long with this model, which has no trees that judge "
                "facts; give a relation or an entity, or use `greenkgc complete`");
  }
  return options;
}

std::shared_ptr<const NewFacts> search(const ServedModel& served, const AskedCompletion& asked,
                                       std::int64_t most, const Context& context) {
  if (auto known = served.remembered(asked.key())) return known;
  const Model& model = served.model();
  auto found =
      std::make_shared<const NewFacts>(find_new_facts(model, options_of(model, asked, most), context));
  served.remember(asked.key(), found);
  return found;
}

Json facts_json(const Model& model, std::span<const Answer> answers, bool reasons, const Context& context) {
  std::vector<std::optional<Evidence>> evidence;
  if (reasons) {
    std::vector<Triple> facts;
    for (const Answer& answer : answers) facts.push_back(answer.fact);
    evidence = best_evidence(model, facts, context);
  }
  Json listed = Json::array();
  for (std::size_t i = 0; i < answers.size(); ++i) {
    Json json = fact_json(model, answers[i].fact);
    json["probability"] = answers[i].probability;
    json["margin"] = answers[i].margin;
    if (reasons) json["reason"] = evidence[i] ? Json(evidence[i]->sentence) : Json();
    listed.push_back(std::move(json));
  }
  return listed;
}

std::string completion_json(const Model& model, const AskedCompletion& asked, const NewFacts& found,
                            const Context& context) {
  const auto of_label = [](const std::optional<std::string>& text) { return text ? Json(*text) : Json(); };
  const auto enough = std::ranges::find_if(
      found.facts, [&](const Answer& answer) { return answer.probability < asked.min_probability; });
  const std::size_t count =
      std::min(static_cast<std::size_t>(enough - found.facts.begin()), static_cast<std::size_t>(asked.k));
  const auto missing_share = assumed_missing_share(model, {});
  return compact_text(
      {{"relation", of_label(asked.relation)},
       {"entity", of_label(asked.entity)},
       {"type", of_label(asked.type)},
       {"only_gaps", asked.only_gaps},
       {"missing_share", missing_share ? Json(*missing_share) : Json()},
       {"queries_left_out", found.queries_left_out},
       {"facts", facts_json(model, std::span(found.facts).first(count), asked.reasons, context)}});
}

}  // namespace

void get_complete(const Asking& asking, HttpRequest& request, Done done) {
  Parameters parameters(request.parameters);
  const AskedCompletion asked = read_completion(parameters, asking.limits);
  const bool is_quick = asked.entity.has_value() || asking.model->remembered(asked.key()) != nullptr;
  Workers& workers = is_quick ? asking.workers : asking.slow_workers;
  workers.submit(
      [asked, most = asking.limits.k, served = asking.model](const Context& context) {
        const auto found = search(*served, asked, most, context);
        return completion_json(served->model(), asked, *found, context);
      },
      asking.limits.time, std::move(done));
}

}  // namespace greenkgc::server
