#include <benchmark/benchmark.h>

#include <filesystem>
#include <memory>
#include <string>

#include "base/random.h"
#include "graph/vocabulary.h"
#include "tensors/label_search.h"
#include "tensors/label_tensors.h"

namespace greenkgc::tensors {
namespace {

constexpr std::uint32_t kLabels = 5'000'000;

// Two or three words of letters and a number: about 20 bytes each.
std::string some_label(std::uint32_t id) {
  const CounterRandom random(1, id);
  std::string label;
  for (std::uint64_t word = 0; word < 2 + random.below(2, 99); ++word) {
    for (std::uint64_t i = 0; i < 3 + random.below(6, 10 * word); ++i) {
      const auto letter = static_cast<char>('a' + random.below(26, 100 * (word + 1) + i));
      label += i == 0 ? static_cast<char>(letter - 'a' + 'A') : letter;
    }
    label += ' ';
  }
  return label + std::to_string(id);
}

const LabelTable& table() {
  static const LabelTable made = [] {
    graph::Vocabulary vocabulary;
    for (std::uint32_t id = 0; id < kLabels; ++id) vocabulary.intern(some_label(id));
    const LabelTensors tensors(vocabulary);
    const std::vector<std::uint32_t> order = label_order(vocabulary);
    SafetensorsWriter writer;
    tensors.add_to(writer, "x");
    writer.add("x.label_order", {order.size()}, std::span<const std::uint32_t>(order));
    const auto path = std::filesystem::temp_directory_path() / "greenkgc-label-search-bench";
    writer.write(path);
    const auto file = std::make_shared<SafetensorsFile>(path);
    std::filesystem::remove(path);  // it stays mapped
    return LabelTable(file, "x", kLabels);
  }();
  return made;
}

using Search = LabelHits (*)(const LabelTable&, std::string_view, std::size_t, const Context&);

void search(benchmark::State& state, Search how, const char* text) {
  const LabelTable& labels = table();
  std::size_t found = 0;
  for (auto _ : state) found = how(labels, text, 20, Context{}).ids.size();
  state.counters["found"] = static_cast<double>(found);
}

BENCHMARK_CAPTURE(search, prefix_common, labels_that_begin, "ab")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(search, prefix_rare, labels_that_begin, "abcdefg")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(search, substring_common, labels_that_contain, "ab")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(search, substring_rare, labels_that_contain, "qxzw")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(search, substring_nowhere, labels_that_contain, "no such thing")
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(search, substring_one_number, labels_that_contain, " 4999999")
    ->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace greenkgc::tensors
