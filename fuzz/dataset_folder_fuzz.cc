// Any bytes as a folder: pieces between 0xFF bytes become the files of an OpenKE, LibKGE or dictionary
// folder.
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "graph/io/dataset_reader.h"
#include "greenkgc/error.h"

using namespace greenkgc;

namespace {

// Gone at the end of the run.
struct Folder {
  std::filesystem::path path;
  Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "greenkgc-fuzz-XXXXXX").string();
    path = ::mkdtemp(pattern.data());
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  static const Folder made;
  const std::filesystem::path& folder = made.path;
  static const std::vector<std::vector<std::string>> layouts = {
      {"entity2id.txt", "relation2id.txt", "train2id.txt", "test2id.txt"},
      {"dataset.yaml", "entity_ids.del", "relation_ids.del", "train.del"},
      {"entities.dict", "relations.dict", "train.txt", "valid.txt"},
  };
  if (size == 0) return 0;
  const auto& names = layouts[data[0] % layouts.size()];
  std::string_view rest(reinterpret_cast<const char*>(data) + 1, size - 1);
  for (const std::string& name : names) {
    const std::string_view piece = rest.substr(0, rest.find('\xFF'));
    std::ofstream(folder / name, std::ios::binary) << piece;
    rest.remove_prefix(std::min(rest.size(), piece.size() + 1));
  }
  try {
    graph::read_dataset(folder.string(), {}, Context{.threads = 1});
  } catch (const Error&) {
  }
  for (const std::string& name : names) std::filesystem::remove(folder / name);
  return 0;
}
