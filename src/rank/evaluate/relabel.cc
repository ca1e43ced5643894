#include "rank/evaluate/relabel.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "base/files/byte_source.h"
#include "base/text.h"
#include "graph/io/line_blocks.h"
#include "greenkgc/error.h"
#include "tensors/near_labels.h"

namespace greenkgc::rank {
namespace {

bool same_labels(const tensors::LabelTable& own, const graph::Vocabulary& datas) {
  if (own.size() != datas.size()) return false;
  for (std::uint32_t id = 0; id < own.size(); ++id) {
    if (own.label(id) != datas.label(id)) return false;
  }
  return true;
}

// By id in the data.
template <class Id>
std::vector<std::optional<Id>> ids_in(const tensors::LabelTable& own, const graph::Vocabulary& datas) {
  std::vector<std::optional<Id>> ids(datas.size());
  for (std::uint32_t id = 0; id < datas.size(); ++id) {
    if (const auto found = own.find(datas.label(id))) ids[id] = Id{*found};
  }
  return ids;
}

graph::Vocabulary vocabulary_of(const tensors::LabelTable& labels) {
  graph::Vocabulary vocabulary;
  for (std::uint32_t id = 0; id < labels.size(); ++id) vocabulary.intern(labels.label(id));
  return vocabulary;
}

// Whether the line has the label as a field of its own, in any of the formats of text.
bool has_field(std::string_view line, std::string_view label) {
  constexpr std::string_view kAround = "\t,;|\"<> ";
  for (std::size_t at = line.find(label); at != std::string_view::npos; at = line.find(label, at + 1)) {
    const std::size_t end = at + label.size();
    const bool begins = at == 0 || kAround.find(line[at - 1]) != std::string_view::npos;
    const bool ends = end == line.size() || kAround.find(line[end]) != std::string_view::npos;
    if (begins && ends) return true;
  }
  return false;
}

// The label's first line; 0 where the file cannot be read again or spells the label otherwise.
std::uint64_t line_of(const std::string& file, std::string_view label) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) return 0;
  const auto source = open_source(file);
  graph::Lines lines(*source);
  for (std::string_view line; lines.next(line);) {
    if (has_field(line, label)) return lines.number();
  }
  return 0;
}

class Relabeling {
 public:
  Relabeling(const model::NamedDecisions& model, const graph::Dataset& data, const RelabelOptions& options)
      : model_(model),
        data_(data),
        options_(options),
        entities_(ids_in<EntityId>(model.entities, data.entities)),
        relations_(ids_in<RelationId>(model.relations, data.relations)) {}

  Relabeled make() && {
    out_.data.entities = vocabulary_of(model_.entities);
    out_.data.relations = vocabulary_of(model_.relations);
    out_.given_relations.assign(model_.relations.size(), kNoRelation);
    for (std::uint32_t id = 0; id < relations_.size(); ++id) {
      if (relations_[id]) out_.given_relations[index(*relations_[id])] = RelationId{id};
    }
    const std::vector<Triple> held = model_.facts.empty() ? std::vector<Triple>() : model_.facts.read();
    std::vector<Triple>& known = out_.data[Split::kTrain].triples;
    known = held;
    for (const Split split : {Split::kTrain, Split::kValid, Split::kTest}) {
      if (!data_.single_file.empty() || split == options_.split) {
        add_to_rank(split);
      } else {
        add_known(split, known);
      }
    }
    std::sort(known.begin(), known.end());
    known.erase(std::unique(known.begin(), known.end()), known.end());
    check_unknown();
    for (const Triple& fact : out_.data[Split::kTest].triples)
      out_.held += std::binary_search(held.begin(), held.end(), fact);
    return std::move(out_);
  }

 private:
  std::optional<Triple> in_model(const Triple& fact) const {
    const auto& head = entities_[index(fact.head)];
    const auto& relation = relations_[index(fact.relation)];
    const auto& tail = entities_[index(fact.tail)];
    return head && relation && tail ? std::optional(Triple{*head, *relation, *tail}) : std::nullopt;
  }

  void add_to_rank(Split split) {
    for (const Triple& fact : data_[split].triples) {
      if (const auto known = in_model(fact)) {
        out_.data[Split::kTest].triples.push_back(*known);
        continue;
      }
      // Ids are given in the order of the file, which split by us is not in: the lowest is the first.
      ++out_.skipped;
      if (!relations_[index(fact.relation)])
        first_relation_ = std::min(first_relation_, index(fact.relation));
      for (const EntityId end : {fact.head, fact.tail}) {
        if (!entities_[index(end)]) first_entity_ = std::min(first_entity_, index(end));
      }
    }
  }

  void add_known(Split split, std::vector<Triple>& known) const {
    for (const Triple& fact : data_[split].triples) {
      if (const auto own = in_model(fact)) known.push_back(*own);
    }
  }

  void check_unknown() const {
    const std::size_t left = out_.data[Split::kTest].triples.size();
    if (out_.skipped == 0 || (options_.skip_unknown && left > 0)) return;
    const UnknownLabel first = first_unknown();
    const std::string counted = fmt::format("{} of {} with labels that the model does not know",
                                            with_commas(out_.skipped), count_of(out_.skipped + left, "fact"));
    const std::string place = data_.single_file.empty() ? ""
                              : first.line == 0         ? data_.single_file + ": "
                                                : fmt::format("{} line {}: ", data_.single_file, first.line);
    throw Error(
        ErrorCode::kBadInput,
        fmt::format("{}the model has no {} {}{} ({}{})", place, first.is_entity ? "entity" : "relation",
                    in_quotes(first.label),
                    tensors::did_you_mean(first.is_entity ? model_.entities : model_.relations, first.label),
                    counted, left == 0 ? "" : "; --skip-unknown skips them"));
  }

  struct UnknownLabel {
    std::string_view label;
    bool is_entity;
    std::uint64_t line;  // 0: not known
  };

  // The one that comes first in the file, as far as lines can tell.
  UnknownLabel first_unknown() const {
    const auto unknown = [&](const graph::Vocabulary& labels, std::uint32_t id, bool is_entity) {
      const std::string_view label = labels.label(id);
      return UnknownLabel{label, is_entity, line_of(data_.single_file, label)};
    };
    if (first_relation_ == kNone) return unknown(data_.entities, first_entity_, true);
    const UnknownLabel relation = unknown(data_.relations, first_relation_, false);
    if (first_entity_ == kNone) return relation;
    const UnknownLabel entity = unknown(data_.entities, first_entity_, true);
    return relation.line < entity.line ? relation : entity;
  }

  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  const model::NamedDecisions& model_;
  const graph::Dataset& data_;
  const RelabelOptions& options_;
  const std::vector<std::optional<EntityId>> entities_;
  const std::vector<std::optional<RelationId>> relations_;
  std::uint32_t first_entity_ = kNone;  // that the model does not know
  std::uint32_t first_relation_ = kNone;
  Relabeled out_;
};

}  // namespace

bool has_labels_of(const model::NamedDecisions& model, const graph::Dataset& data) {
  return same_labels(model.entities, data.entities) && same_labels(model.relations, data.relations);
}

Relabeled in_labels_of(const model::NamedDecisions& model, const graph::Dataset& data,
                       const RelabelOptions& options) {
  return Relabeling(model, data, options).make();
}

}  // namespace greenkgc::rank
