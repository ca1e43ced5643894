// Any bytes as one file of triples, in every format. The first byte chooses the format and the number of
// threads.
#include <array>
#include <string_view>

#include "graph/io/dataset_reader.h"
#include "graph/io/format.h"
#include "greenkgc/error.h"

using namespace greenkgc;

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  constexpr std::array kFormats = {"auto", "tsv", "csv", "openke", "libkge", "nt", "ttl", "nq", "trig"};
  if (size == 0) return 0;
  const unsigned choice = data[0];
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  LoadOptions options;
  options.format = kFormats[choice % kFormats.size()];
  options.keep_literals = choice >= 128;
  graph::Dataset dataset;
  const Context context{.threads = 1 + static_cast<int>(choice / 16 % 2)};
  try {
    PeekSource source(memory_source(bytes, "input"), graph::kDetectBytes);
    graph::read_triples(source, "input", options, graph::Naming::kNewLabels, Split::kTrain, dataset, context);
  } catch (const Error&) {
    return 0;
  }
  // What was read is whole: every id has a label, no label is empty or breaks a line.
  for (const Triple& fact : dataset[Split::kTrain].triples) {
    if (index(fact.head) >= dataset.entities.size() || index(fact.tail) >= dataset.entities.size())
      __builtin_trap();
    if (index(fact.relation) >= dataset.relations.size()) __builtin_trap();
  }
  for (std::uint32_t id = 0; id < dataset.entities.size(); ++id) {
    const std::string_view label = dataset.entities.label(id);
    if (label.empty() || label.find_first_of(std::string_view("\t\n\0", 3)) != std::string_view::npos)
      __builtin_trap();
    if (dataset.entities.find(label) != id) __builtin_trap();
  }
  return 0;
}
