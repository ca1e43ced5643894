// Any bytes as a safetensors file, and as embeddings.
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "greenkgc/error.h"
#include "kge/embedding_file.h"

using namespace greenkgc;

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const auto path = std::filesystem::temp_directory_path() / ("greenkgc-fuzz-" + std::to_string(::getpid()));
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  try {
    kge::read_embeddings(path);
  } catch (const Error&) {
  }
  std::filesystem::remove(path);
  return 0;
}
