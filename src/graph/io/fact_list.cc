#include "graph/io/fact_list.h"

#include <fmt/format.h>

#include <array>

#include "base/files/byte_source.h"
#include "base/progress.h"
#include "base/text.h"
#include "graph/io/format.h"
#include "graph/io/line_blocks.h"
#include "graph/io/rdf.h"

namespace greenkgc::graph {
namespace {

constexpr std::uint64_t kLinesBetweenUpdates = 1 << 14;

std::array<std::string_view, 3> fields_of(std::string_view line, const Lines& lines) {
  std::array<std::string_view, 3> fields;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const std::size_t tab = line.find('\t');
    fields[i] = line.substr(0, tab);
    if (tab == std::string_view::npos) {
      if (i + 1 < fields.size())
        lines.fail(fmt::format("must be head, relation and tail, separated by tabs, but has {}",
                               count_of(i + 1, "column")));
      break;
    }
    line.remove_prefix(tab + 1);
  }
  return fields;
}

class FactListReader {
 public:
  FactListReader(const FindFact& find, const Context& context) : find_(find), context_(context) {}

  void read_lines(ByteSource& source) {
    Lines lines(source);
    ProgressTask progress(context_, "reading facts", source.size(), "bytes");
    std::string_view line;
    while (lines.next(line)) {
      if (lines.number() % kLinesBetweenUpdates == 0) progress.set(source.position());
      if (line.empty()) continue;
      const auto [head, relation, tail] = fields_of(line, lines);
      take(head, relation, tail);
    }
  }

  void read_triples(ByteSource& source, RdfSyntax syntax) {
    Dataset own;
    Facts& facts = own[Split::kTrain];
    read_rdf(source, syntax, false, own.entities, own.relations, facts, context_);
    for (const Triple& fact : facts.triples)
      take(own.entities.label(index(fact.head)), own.relations.label(index(fact.relation)),
           own.entities.label(index(fact.tail)));
  }

  std::vector<Triple> finish(const std::filesystem::path& path) {
    if (unknown_ > 0)
      context_.say(LogLevel::kWarning,
                   fmt::format("{}: {} skipped, because the graph does not have all of their labels",
                               path.string(), count_of(unknown_, "fact")));
    return std::move(facts_);
  }

 private:
  void take(std::string_view head, std::string_view relation, std::string_view tail) {
    if (const auto fact = find_(head, relation, tail)) {
      facts_.push_back(*fact);
    } else {
      ++unknown_;
    }
  }

  const FindFact& find_;
  const Context& context_;
  std::vector<Triple> facts_;
  std::uint64_t unknown_ = 0;
};

}  // namespace

std::vector<Triple> read_fact_list(const std::filesystem::path& path, const FindFact& find,
                                   const Context& context) {
  const auto source = open_source(path);
  FactListReader reader(find, context);
  std::string ending = without_compression(path).extension().string();
  if (!ending.empty()) ending.erase(0, 1);
  if (const auto syntax = rdf_syntax(ending)) {
    reader.read_triples(*source, *syntax);
  } else {
    reader.read_lines(*source);
  }
  return reader.finish(path);
}

std::vector<Triple> read_fact_list(const std::filesystem::path& path, const Dataset& graph,
                                   const Context& context) {
  const auto find = [&](std::string_view head, std::string_view relation,
                        std::string_view tail) -> std::optional<Triple> {
    const auto h = graph.entities.find(head);
    const auto r = graph.relations.find(relation);
    const auto t = graph.entities.find(tail);
    return h && r && t ? std::optional(Triple{EntityId{*h}, RelationId{*r}, EntityId{*t}}) : std::nullopt;
  };
  return read_fact_list(path, find, context);
}

}  // namespace greenkgc::graph
