// Any bytes as a file of features.
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "features/feature_file.h"
#include "greenkgc/error.h"

using namespace greenkgc;

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const auto path =
      std::filesystem::temp_directory_path() / ("greenkgc-fuzz-features-" + std::to_string(::getpid()));
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  try {
    features::read_features(path);
  } catch (const Error&) {
  }
  std::filesystem::remove(path);
  return 0;
}
