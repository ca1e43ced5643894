#include "shared/answer_json.h"

namespace greenkgc::server {
namespace {

std::string_view kind_name(EvidenceKind kind) {
  switch (kind) {
    case EvidenceKind::kPath:
      return "path";
    case EvidenceKind::kAttribute:
      return "attribute";
    case EvidenceKind::kMirror:
      return "mirror";
  }
  return "";
}

Json sides_json(const Contribution& contribution) {
  return {{"head", contribution.head}, {"relation", contribution.relation}, {"tail", contribution.tail}};
}

Json evidence_json(const Model& model, const Evidence& evidence) {
  Json facts = Json::array();
  for (const Triple& fact : evidence.facts) facts.push_back(fact_json(model, fact));
  return {{"kind", kind_name(evidence.kind)}, {"confidence", evidence.confidence},
          {"holds", evidence.holds},          {"of", evidence.of},
          {"sampled", evidence.sampled},      {"sentence", evidence.sentence},
          {"facts", std::move(facts)}};
}

Json grounds_json(const Model& model, const Grounds& grounds) {
  Json evidence = Json::array();
  for (const Evidence& piece : grounds.evidence) evidence.push_back(evidence_json(model, piece));
  Json rivals = Json::array();
  for (const Rival& rival : grounds.rivals)
    rivals.push_back({{"tail", model.label(rival.answer.fact.tail)},
                      {"probability", rival.answer.probability},
                      {"margin", rival.answer.margin},
                      {"evidence", rival.evidence ? evidence_json(model, *rival.evidence) : Json()}});
  return {{"evidence", std::move(evidence)},
          {"base_rate", grounds.base_rate},
          {"rivals", std::move(rivals)},
          {"against", grounds.against}};
}

// What the first stage's margin is made of.
Json parts_json(const Model& model, const Explanation& explanation) {
  Json dimensions = Json::array();
  for (const Contribution& contribution : explanation.contributions) {
    Json entry = {{"dimension", contribution.dimension}, {"total", contribution.total()}};
    entry.update(sides_json(contribution));
    dimensions.push_back(entry);
  }
  Json support = Json::array();
  for (const SupportingFact& known : explanation.support) {
    support.push_back(fact_json(model, known.fact));
    support.back()["cosine"] = known.similarity;
  }
  const BaseParts& base = explanation.base;
  return {{"base",
           {{"constant", base.constant},
            {"score", base.score},
            {"head_count", base.head_count},
            {"tail_count", base.tail_count},
            {"self", base.self}}},
          {"trees_expected", explanation.trees_expected},
          {"sides", sides_json(sum_of(explanation.contributions))},
          {"dimensions", dimensions},
          {"support", support}};
}

Json first_stage_json(const Model& model, const Explanation& explanation) {
  const Standing& first = explanation.first;
  Json json = {{"probability", first.probability},
               {"margin", first.margin},
               {"tail_rank", first.tail_rank},
               {"head_rank", first.head_rank}};
  json.update(parts_json(model, explanation));
  return json;
}

}  // namespace

Contribution sum_of(std::span<const Contribution> contributions) {
  Contribution sum;
  for (const Contribution& contribution : contributions) {
    sum.head += contribution.head;
    sum.relation += contribution.relation;
    sum.tail += contribution.tail;
  }
  return sum;
}

std::string_view answer_label(const Model& model, const Question& question, const Answer& answer) {
  if (question.head == kNoEntity) return model.label(answer.fact.head);
  if (question.tail == kNoEntity) return model.label(answer.fact.tail);
  return model.label(answer.fact.relation);
}

Json fact_json(const Model& model, const Triple& fact) {
  return {{"head", model.label(fact.head)},
          {"relation", model.label(fact.relation)},
          {"tail", model.label(fact.tail)}};
}

std::vector<Triple> known_left_out(const Model& model, const Question& question,
                                   const PredictOptions& options, const Context& context) {
  return options.include_known ? std::vector<Triple>() : known_answers(model, question, context);
}

Json answers_json(const Model& model, const Question& question, std::span<const Answer> answers,
                  std::uint64_t known_left_out) {
  const auto label = [&](auto id, auto none) { return id == none ? Json(nullptr) : Json(model.label(id)); };
  Json listed = Json::array();
  for (const Answer& answer : answers)
    listed.push_back({{"answer", answer_label(model, question, answer)},
                      {"probability", answer.probability},
                      {"margin", answer.margin},
                      {"known", answer.known}});
  return {{"head", label(question.head, kNoEntity)},
          {"relation", label(question.relation, kNoRelation)},
          {"tail", label(question.tail, kNoEntity)},
          {"answers", std::move(listed)},
          {"known_left_out", known_left_out}};
}

Json explanation_json(const Model& model, const Explanation& explanation) {
  const Answer& answer = explanation.answer;
  Json json = fact_json(model, answer.fact);
  json["probability"] = answer.probability;
  json["margin"] = answer.margin;
  json["known"] = answer.known;
  json["tail_rank"] = explanation.tail_rank;
  json["head_rank"] = explanation.head_rank;
  if (explanation.grounds) {
    json.update(grounds_json(model, *explanation.grounds));
    json["first_stage"] = first_stage_json(model, explanation);
  } else {
    json.update(parts_json(model, explanation));
  }
  return json;
}

Json neighbors_json(const Model& model, EntityId entity, std::optional<RelationId> relation,
                    std::span<const Neighbor> neighbors) {
  Json listed = Json::array();
  for (const Neighbor& neighbor : neighbors)
    listed.push_back({{"entity", model.label(neighbor.entity)}, {"cosine", neighbor.similarity}});
  return {{"entity", model.label(entity)},
          {"relation", relation ? Json(model.label(*relation)) : Json(nullptr)},
          {"neighbors", std::move(listed)}};
}

std::string compact_text(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace greenkgc::server
