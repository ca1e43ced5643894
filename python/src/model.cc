#include "greenkgc/model.h"

#include <pybind11/stl.h>

#include <array>
#include <vector>

#include "bindings.h"
#include "call.h"
#include "explanation.h"
#include "greenkgc/complete.h"
#include "greenkgc/error.h"
#include "greenkgc/facts.h"
#include "keywords.h"
#include "labels.h"

namespace greenkgc::python {

namespace {

py::tuple three(py::handle fact, const char* what) {
  const bool fits =
      py::isinstance<py::sequence>(fact) && !py::isinstance<py::str>(fact) && py::len(fact) == 3;
  if (!fits) throw py::type_error(std::string(what) + " must be a sequence of head, relation and tail");
  return py::tuple(py::reinterpret_borrow<py::object>(fact));
}

Question question_of(const Model& model, py::handle asked) {
  const py::tuple parts = three(asked, "a query");
  Question question;
  if (!parts[0].is_none()) question.head = model.entity(to_label(parts[0]));
  if (!parts[1].is_none()) question.relation = model.relation(to_label(parts[1]));
  if (!parts[2].is_none()) question.tail = model.entity(to_label(parts[2]));
  return question;
}

Triple triple_of(const Model& model, py::handle fact) {
  const py::tuple parts = three(fact, "a triple");
  return {model.entity(to_label(parts[0])), model.relation(to_label(parts[1])),
          model.entity(to_label(parts[2]))};
}

// Checked as --top-k is.
std::size_t checked_k(std::int64_t k, std::int64_t least) {
  if (k < least || k > 1'000'000'000)
    throw Error(ErrorCode::kUsage,
                "k must be between " + std::to_string(least) + " and 1000000000, not " + std::to_string(k));
  return static_cast<std::size_t>(k);
}

py::str answer_label(const Model& model, const Question& question, const Answer& answer) {
  if (question.head == kNoEntity) return to_python(model.label(answer.fact.head));
  if (question.tail == kNoEntity) return to_python(model.label(answer.fact.tail));
  return to_python(model.label(answer.fact.relation));
}

py::list predict(const Model& model, const py::iterable& asked, std::int64_t k, bool include_known,
                 const Call& call) {
  std::vector<Question> questions;
  for (const py::handle question : asked) questions.push_back(question_of(model, question));
  const PredictOptions options{.top_k = static_cast<std::int64_t>(checked_k(k, 0)),
                               .include_known = include_known};
  std::vector<std::size_t> left_out(questions.size(), 0);
  const auto results = run(call, [&](const Context& context) {
    for (std::size_t i = 0; i < questions.size() && !include_known; ++i)
      left_out[i] = known_answers(model, questions[i], context).size();
    return model.predict(questions, options, context);
  });
  py::list lists;
  for (std::size_t i = 0; i < results.size(); ++i) {
    py::list answers;
    for (const Answer& answer : results[i])
      answers.append(py::make_tuple(answer_label(model, questions[i], answer), answer.probability,
                                    answer.margin, answer.known));
    lists.append(py::make_tuple(std::move(answers), left_out[i]));
  }
  return lists;
}

py::list score(const Model& model, const py::iterable& triples, const Call& call) {
  std::vector<Triple> facts;
  for (const py::handle triple : triples) facts.push_back(triple_of(model, triple));
  const auto scores = run(call, [&](const Context& context) { return model.score(facts, context); });
  py::list list;
  for (const Score& one : scores) list.append(py::make_tuple(one.probability, one.margin));
  return list;
}

py::list neighbors(const Model& model, const py::object& entity, const py::object& relation, std::int64_t k,
                   const Call& call) {
  const EntityId id = model.entity(to_label(entity));
  std::optional<RelationId> by;
  if (!relation.is_none()) by = model.relation(to_label(relation));
  const std::size_t most = checked_k(k, 1);
  const auto near = run(call, [&](const Context& context) { return model.neighbors(id, by, most, context); });
  py::list list;
  for (const Neighbor& neighbor : near)
    list.append(py::make_tuple(to_python(model.label(neighbor.entity)), neighbor.similarity));
  return list;
}

py::dict explain(const Model& model, const py::object& fact, std::int64_t k, const Call& call) {
  const Triple triple = triple_of(model, fact);
  const std::size_t most = checked_k(k, 0);
  return explanation_dict(
      model, run(call, [&](const Context& context) { return model.explain(triple, most, context); }));
}

py::list complete_model(const Model& model, const py::dict& keywords, const Call& call) {
  CompleteOptions options;
  const std::array groups = {keywords_of(options)};
  set_keywords(keywords, "complete", groups);
  const auto facts = run(call, [&](const Context& context) { return complete(model, options, context); });
  py::list list;
  for (const Answer& answer : facts)
    list.append(py::make_tuple(to_python(model.label(answer.fact.head)),
                               to_python(model.label(answer.fact.relation)),
                               to_python(model.label(answer.fact.tail)), answer.probability, answer.margin));
  return list;
}

}  // namespace

void bind_model(py::module_& module) {
  py::class_<Model>(module, "Model", "An open model file.")
      .def_static(
          "open",
          [](const py::object& path, const Call& call) {
            const std::string name = to_path(path);
            return run(call, [&](const Context&) { return Model::open(name); });
          },
          py::arg("path"), py::arg("call"))
      .def("entity_count", &Model::entity_count)
      .def("relation_count", &Model::relation_count)
      .def(
          "entity_label",
          [](const Model& model, std::uint32_t id) {
            return label_at<EntityId>(model, id, model.entity_count());
          },
          py::arg("id"))
      .def(
          "relation_label",
          [](const Model& model, std::uint32_t id) {
            return label_at<RelationId>(model, id, model.relation_count());
          },
          py::arg("id"))
      .def(
          "find_entity",
          [](const Model& model, const py::object& label) {
            return number_of(model.find_entity(to_label(label)));
          },
          py::arg("label"))
      .def(
          "find_relation",
          [](const Model& model, const py::object& label) {
            return number_of(model.find_relation(to_label(label)));
          },
          py::arg("label"))
      .def("has_facts", &Model::has_facts)
      .def("predict", &predict, py::arg("questions"), py::arg("k"), py::arg("include_known"), py::arg("call"))
      .def("score", &score, py::arg("triples"), py::arg("call"))
      .def("neighbors", &neighbors, py::arg("entity"), py::arg("relation"), py::arg("k"), py::arg("call"))
      .def("explain", &explain, py::arg("fact"), py::arg("k"), py::arg("call"))
      .def("complete", &complete_model, py::arg("keywords"), py::arg("call"));
}

}  // namespace greenkgc::python
