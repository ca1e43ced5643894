#include "explanation.h"

#include "labels.h"

namespace greenkgc::python {

namespace {

using namespace pybind11::literals;

const char* kind_name(EvidenceKind kind) {
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

py::tuple fact_tuple(const Model& model, const Triple& fact) {
  return py::make_tuple(to_python(model.label(fact.head)), to_python(model.label(fact.relation)),
                        to_python(model.label(fact.tail)));
}

py::dict evidence_dict(const Model& model, const Evidence& evidence) {
  py::list facts;
  for (const Triple& fact : evidence.facts) facts.append(fact_tuple(model, fact));
  return py::dict("kind"_a = kind_name(evidence.kind), "confidence"_a = evidence.confidence,
                  "holds"_a = evidence.holds, "of"_a = evidence.of, "sampled"_a = evidence.sampled,
                  "sentence"_a = to_python(evidence.sentence), "facts"_a = facts);
}

py::dict rival_dict(const Model& model, const Rival& rival) {
  return py::dict(
      "tail"_a = to_python(model.label(rival.answer.fact.tail)), "probability"_a = rival.answer.probability,
      "margin"_a = rival.answer.margin,
      "evidence"_a = rival.evidence ? py::object(evidence_dict(model, *rival.evidence)) : py::none());
}

py::dict grounds_dict(const Model& model, const Grounds& grounds) {
  py::list evidence;
  for (const Evidence& piece : grounds.evidence) evidence.append(evidence_dict(model, piece));
  py::list rivals;
  for (const Rival& rival : grounds.rivals) rivals.append(rival_dict(model, rival));
  py::list against;
  for (const std::string& sentence : grounds.against) against.append(to_python(sentence));
  return py::dict("evidence"_a = evidence, "base_rate"_a = to_python(grounds.base_rate), "rivals"_a = rivals,
                  "against"_a = against);
}

py::dict first_stage_dict(const Model& model, const Explanation& explanation) {
  py::list dimensions;
  for (const Contribution& c : explanation.contributions)
    dimensions.append(py::make_tuple(c.dimension, c.head, c.relation, c.tail));
  py::list support;
  for (const SupportingFact& known : explanation.support)
    support.append(py::make_tuple(fact_tuple(model, known.fact), known.similarity));
  const Standing& first = explanation.first;
  const BaseParts& base = explanation.base;
  return py::dict("probability"_a = first.probability, "margin"_a = first.margin,
                  "tail_rank"_a = first.tail_rank, "head_rank"_a = first.head_rank,
                  "base"_a = py::dict("constant"_a = base.constant, "score"_a = base.score,
                                      "head_count"_a = base.head_count, "tail_count"_a = base.tail_count,
                                      "self"_a = base.self),
                  "trees_expected"_a = explanation.trees_expected, "dimensions"_a = dimensions,
                  "support"_a = support);
}

}  // namespace

py::dict explanation_dict(const Model& model, const Explanation& explanation) {
  const Answer& answer = explanation.answer;
  return py::dict(
      "probability"_a = answer.probability, "margin"_a = answer.margin, "known"_a = answer.known,
      "tail_rank"_a = explanation.tail_rank, "head_rank"_a = explanation.head_rank,
      "grounds"_a = explanation.grounds ? py::object(grounds_dict(model, *explanation.grounds)) : py::none(),
      "first_stage"_a = first_stage_dict(model, explanation));
}

}  // namespace greenkgc::python
