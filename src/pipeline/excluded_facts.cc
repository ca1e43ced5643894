#include "pipeline/excluded_facts.h"

#include <fmt/format.h>

#include <array>
#include <vector>

#include "base/byte_source.h"
#include "base/progress.h"
#include "base/text.h"
#include "graph/line_blocks.h"

namespace greenkgc {
namespace {

constexpr std::uint64_t kLinesBetweenUpdates = 1 << 14;

std::array<std::string_view, 3> fields_of(std::string_view line, const graph::Lines& lines) {
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

void read_file(const Model& model, const std::string& file, std::vector<Triple>& facts,
               const Context& context) {
  const auto source = open_source(file);
  graph::Lines lines(*source);
  ProgressTask progress(context, "reading excluded facts", source->size(), "bytes");
  std::uint64_t unknown = 0;
  std::string_view line;
  while (lines.next(line)) {
    if (lines.number() % kLinesBetweenUpdates == 0) progress.set(source->position());
    if (line.empty()) continue;
    const auto [head, relation, tail] = fields_of(line, lines);
    const auto h = model.find_entity(head);
    const auto r = model.find_relation(relation);
    const auto t = model.find_entity(tail);
    if (h && r && t) {
      facts.push_back({*h, *r, *t});
    } else {
      ++unknown;
    }
  }
  if (unknown > 0)
    context.say(
        LogLevel::kWarning,
        fmt::format("{}: {} skipped because the model does not know all of their labels, so it cannot "
                    "propose them anyway",
                    file, count_of(unknown, "fact")));
}

}  // namespace

graph::KnownFacts read_excluded_facts(const Model& model, std::span<const std::string> files,
                                      const Context& context) {
  std::vector<Triple> facts;
  for (const std::string& file : files) read_file(model, file, facts, context);
  const std::array<std::span<const Triple>, 1> parts = {facts};
  return {parts, model.entity_count(), context};
}

}  // namespace greenkgc
