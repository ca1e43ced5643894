// Any bytes as a table of another program: npy, or word2vec text. The first byte chooses.
#include <string_view>

#include "greenkgc/error.h"
#include "tensors/npy.h"
#include "tensors/word2vec.h"

using namespace greenkgc;

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  if (size == 0) return 0;
  const auto source = [&] {
    return memory_source({reinterpret_cast<const char*>(data) + 1, size - 1}, "input");
  };
  try {
    tensors::LabelledTable read;
    if (data[0] % 2 == 0) {
      read.table = tensors::read_npy(*source(), {});
    } else {
      read = tensors::read_word2vec(*source(), {});
      if (read.labels.size() != read.table.rows) __builtin_trap();
    }
    if (read.table.values.size() != read.table.rows * read.table.columns) __builtin_trap();
  } catch (const Error&) {
  }
  return 0;
}
