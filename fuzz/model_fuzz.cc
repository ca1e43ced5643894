// Any bytes as a model: whatever can be opened can be ranked with.
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "greenkgc/error.h"
#include "model/model_file.h"
#include "rank/rankers/first_stage_ranker.h"

using namespace greenkgc;

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const auto path =
      std::filesystem::temp_directory_path() / ("greenkgc-fuzz-model-" + std::to_string(::getpid()));
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  try {
    const model::NamedDecisions named = model::read_model(path);
    const graph::Query query{EntityId{0}, RelationId{0}, graph::Side::kTail};
    rank::FirstStageRanker(named.decisions).best({&query, 1}, {.k = 3}, Context{.threads = 1});
    if (const auto found = named.entities.find(named.entities.label(0));
        found && named.entities.label(*found) != named.entities.label(0))
      std::abort();
    const std::vector<Triple> facts = named.facts.read();
    for (const Triple& fact : facts) {
      if (index(fact.tail) >= named.entities.size()) std::abort();
    }
    rank::make_ranker(named, Context{.threads = 1})->best({&query, 1}, {.k = 3}, Context{.threads = 1});
  } catch (const Error&) {
  }
  std::filesystem::remove(path);
  return 0;
}
