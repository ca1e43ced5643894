#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/progress.h"
#include "base/text.h"
#include "graph/io/iri.h"
#include "graph/io/rdf.h"
#include "graph/io/rdf_terms.h"
#include "greenkgc/error.h"

namespace greenkgc::graph {
namespace {

constexpr std::size_t kTriplesPerStep = 4096;
constexpr std::size_t kMostPrefixes = 20;
// Namespaces that are counted; the later ones of a graph with more are written out.
constexpr std::size_t kMostNamespaces = 10'000;

enum class Place { kHead, kRelation, kTail };

// The IRI for a label that stands as one in its place, or "" for a blank node or a literal. The result lives
// as long as the label and `made`.
std::string_view iri_of(std::string_view label, Place place, std::string& made) {
  if (is_absolute_iri(label) && !label.starts_with(kOwnNamespace)) return label;
  if (place != Place::kRelation && is_blank_node(label)) return {};
  if (place == Place::kTail && is_literal(label)) return {};
  made.clear();
  append_own_iri(made, label);
  return made;
}

void refuse_empty_labels(const OutputFile& file, const Dataset& dataset, std::span<const Triple> triples) {
  const auto entity = dataset.entities.find("");
  const auto relation = dataset.relations.find("");
  if (!entity && !relation) return;
  for (std::size_t i = 0; i < triples.size(); ++i) {
    const Triple& fact = triples[i];
    if (index(fact.head) == entity || index(fact.tail) == entity || index(fact.relation) == relation) {
      throw Error(ErrorCode::kBadInput,
                  fmt::format("{}: fact {} has an empty label, which RDF cannot represent",
                              file.path().string(), with_commas(i + 1)));
    }
  }
}

struct SplitIri {
  std::string_view space;
  std::string_view local;  // empty: cannot be written with a prefix
};

// Local names are of letters, digits, _ and -, and start with a letter: those need no escapes.
SplitIri split_iri(std::string_view iri) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto is_local = [&](char c) {
    return is_letter(c) || (c >= '0' && c <= '9') || c == '_' || c == '-';
  };
  std::size_t begin = iri.size();
  while (begin > 0 && is_local(iri[begin - 1])) --begin;
  const bool named = begin < iri.size() && is_letter(iri[begin]);
  const bool separated =
      begin > 0 && (iri[begin - 1] == '/' || iri[begin - 1] == '#' || iri[begin - 1] == ':');
  if (!named || !separated) return {iri, {}};
  return {iri.substr(0, begin), iri.substr(begin)};
}

struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
};
template <class Value>
using TextMap = std::unordered_map<std::string, Value, TextHash, std::equal_to<>>;

// The prefixes ("ns1:") of the namespaces that the facts use most.
class Prefixes {
 public:
  Prefixes() = default;
  Prefixes(const Dataset& dataset, std::span<const Triple> triples) {
    std::vector<std::uint32_t> entity_uses(dataset.entities.size());
    std::vector<std::uint32_t> relation_uses(dataset.relations.size());
    for (const Triple& fact : triples) {
      ++entity_uses[index(fact.head)];
      ++entity_uses[index(fact.tail)];
      ++relation_uses[index(fact.relation)];
    }
    TextMap<std::uint64_t> uses;
    count(dataset.entities, entity_uses, Place::kTail, uses);
    count(dataset.relations, relation_uses, Place::kRelation, uses);
    choose(uses);
  }

  std::string_view find(std::string_view space) const {
    const auto found = names_.find(space);
    return found == names_.end() ? std::string_view() : found->second;
  }

  void declare(OutputFile& file) const {
    for (const std::string& space : chosen_)
      file.write(fmt::format("@prefix {} <{}> .\n", find(space), space));
    if (!chosen_.empty()) file.write("\n");
  }

 private:
  static void count(const Vocabulary& labels, const std::vector<std::uint32_t>& label_uses, Place place,
                    TextMap<std::uint64_t>& uses) {
    std::string made;
    for (std::uint32_t id = 0; id < labels.size(); ++id) {
      if (label_uses[id] == 0) continue;
      const auto [space, local] = split_iri(iri_of(labels.label(id), place, made));
      if (local.empty() || space.size() > kMaxNamespaceBytes) continue;
      if (const auto found = uses.find(space); found != uses.end()) {
        found->second += label_uses[id];
      } else if (uses.size() < kMostNamespaces) {
        uses.emplace(space, label_uses[id]);
      }
    }
  }

  void choose(const TextMap<std::uint64_t>& uses) {
    std::vector<std::pair<std::uint64_t, std::string_view>> ranked;
    for (const auto& [space, n] : uses) {
      if (n > 1) ranked.emplace_back(n, space);
    }
    std::sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) {
      return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    ranked.resize(std::min(ranked.size(), kMostPrefixes));
    for (const auto& [n, space] : ranked) {
      chosen_.emplace_back(space);
      names_.emplace(space, fmt::format("ns{}:", chosen_.size()));
    }
  }

  std::vector<std::string> chosen_;
  TextMap<std::string> names_;
};

class RdfWriting {
 public:
  RdfWriting(OutputFile& file, RdfSyntax syntax, const Dataset& dataset, std::span<const Triple> triples)
      : file_(file),
        dataset_(dataset),
        triples_(triples),
        grouped_(syntax == RdfSyntax::kTurtle || syntax == RdfSyntax::kTriG) {
    if (grouped_) prefixes_ = Prefixes(dataset, triples);
  }

  void run(const Context& context) {
    ProgressTask progress(context, fmt::format("writing {}", file_.path().string()), triples_.size(),
                          "triples");
    prefixes_.declare(file_);
    for (std::size_t begin = 0; begin < triples_.size(); begin += kTriplesPerStep) {
      const std::size_t end = std::min(triples_.size(), begin + kTriplesPerStep);
      for (std::size_t i = begin; i < end; ++i) {
        if (grouped_) {
          write_grouped(i);
        } else {
          write_line(triples_[i]);
        }
      }
      progress.advance(end - begin);
    }
    if (grouped_ && !triples_.empty()) file_.write(" .\n");
  }

 private:
  void write_line(const Triple& fact) {
    write_entity(fact.head, Place::kHead);
    file_.write(" ");
    write_relation(fact.relation);
    file_.write(" ");
    write_entity(fact.tail, Place::kTail);
    file_.write(" .\n");
  }

  // Without the end of the statement: the next fact may go on with it.
  void write_grouped(std::size_t i) {
    const Triple& fact = triples_[i];
    const bool same_head = i > 0 && triples_[i - 1].head == fact.head;
    const bool same_relation = same_head && triples_[i - 1].relation == fact.relation;
    if (same_relation) {
      file_.write(" , ");
    } else {
      if (same_head) {
        file_.write(" ;\n  ");
      } else {
        if (i > 0) file_.write(" .\n");
        write_entity(fact.head, Place::kHead);
        file_.write(" ");
      }
      write_relation(fact.relation);
      file_.write(" ");
    }
    write_entity(fact.tail, Place::kTail);
  }

  void write_relation(RelationId id) {
    write_iri(iri_of(dataset_.relations.label(index(id)), Place::kRelation, made_));
  }

  void write_entity(EntityId id, Place place) {
    const std::string_view label = dataset_.entities.label(index(id));
    const std::string_view iri = iri_of(label, place, made_);
    if (!iri.empty()) return write_iri(iri);
    if (grouped_ && label.starts_with("_:") && needs_blank_escape(label.substr(2))) {
      file_.write("_:");
      file_.write(kBlankEscape);
      return file_.write(label.substr(2));
    }
    file_.write(label);
  }

  void write_iri(std::string_view iri) {
    if (grouped_) {
      const auto [space, local] = split_iri(iri);
      if (const std::string_view prefix = prefixes_.find(space); !local.empty() && !prefix.empty()) {
        file_.write(prefix);
        return file_.write(local);
      }
    }
    file_.write("<");
    file_.write(iri);
    file_.write(">");
  }

  OutputFile& file_;
  const Dataset& dataset_;
  std::span<const Triple> triples_;
  const bool grouped_;  // Turtle and TriG
  Prefixes prefixes_;
  std::string made_;
};

}  // namespace

void write_rdf(OutputFile& file, RdfSyntax syntax, const Dataset& dataset, std::span<const Triple> triples,
               const Context& context) {
  refuse_empty_labels(file, dataset, triples);
  RdfWriting(file, syntax, dataset, triples).run(context);
}

}  // namespace greenkgc::graph
