#include "tensors/table_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstring>
#include <vector>

#include "base/files/byte_source.h"
#include "base/text.h"
#include "graph/io/format.h"
#include "greenkgc/error.h"
#include "tensors/npy.h"
#include "tensors/safetensors.h"
#include "tensors/word2vec.h"

namespace greenkgc::tensors {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string& name, std::string_view what) {
  throw Error(ErrorCode::kBadInput, fmt::format("{}: {}", name, what));
}

// A length of less than 4 GB, then JSON.
bool looks_like_safetensors(std::string_view head) {
  return head.size() > 8 && head[8] == '{' && head.substr(4, 4) == std::string_view("\0\0\0\0", 4);
}

TableKind kind_of_name(const fs::path& path) {
  const fs::path ending = graph::without_compression(path).extension();
  if (ending == ".npy") return TableKind::kNpy;
  if (ending == ".safetensors") return TableKind::kSafetensors;
  if (ending == ".vec" || ending == ".w2v") return TableKind::kWord2vec;
  return TableKind::kNone;
}

TableFile read_tensor(const fs::path& path, const std::string& tensor) {
  const SafetensorsFile file(path);
  const auto found = file.tensors().find(tensor);
  if (found == file.tensors().end() || found->second.type != TensorType::kF32 ||
      found->second.shape.size() != 2) {
    std::vector<std::string> names;
    for (const auto& [name, other] : file.tensors()) {
      if (other.type == TensorType::kF32 && other.shape.size() == 2) names.push_back(in_quotes(name));
    }
    refuse(file.name(),
           fmt::format("has no float32 tensor {} with two dimensions; it has {}; choose with --entity-tensor "
                       "and --relation-tensor",
                       in_quotes(tensor),
                       names.empty() ? "no such tensor at all" : fmt::format("{}", fmt::join(names, ", "))));
  }
  const Tensor& stored = found->second;
  TableFile read{.name = fmt::format("{}, tensor {}", file.name(), in_quotes(tensor)),
                 .table = {.rows = stored.shape[0], .columns = stored.shape[1], .values = {}},
                 .labels = std::nullopt,
                 .note = "safetensors"};
  if (stored.bytes.empty()) refuse(read.name, "is empty");
  read.table.values.resize(stored.bytes.size() / sizeof(float));
  std::memcpy(read.table.values.data(), stored.bytes.data(), stored.bytes.size());  // may not be aligned
  return read;
}

}  // namespace

TableKind table_kind(const fs::path& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error))
    return fs::exists(path, error) ? TableKind::kNone : kind_of_name(path);
  const PeekSource source(open_source(path), 4096);
  const std::string_view head = source.head();
  if (head.starts_with(kNpyMagic)) return TableKind::kNpy;
  if (head.starts_with("PK\x03\x04") || head.starts_with(std::string_view("\x80\x02", 2))) {
    refuse(source.name(),
           "is an npz, PyTorch or pickle archive, which cannot be read; save each table with numpy.save as "
           ".npy");
  }
  if (looks_like_safetensors(head)) return TableKind::kSafetensors;
  if (looks_like_word2vec(head)) return TableKind::kWord2vec;
  return kind_of_name(path);
}

TableFile read_table(const fs::path& path, const std::string& tensor, const Context& context) {
  TableFile read;
  const TableKind kind = table_kind(path);
  if (kind == TableKind::kSafetensors) {
    read = read_tensor(path, tensor);
  } else {
    const auto source = open_source(path);
    read.name = source->name();
    if (kind == TableKind::kNpy) {
      read.table = read_npy(*source, context);
      read.note = "numpy array";
    } else if (kind == TableKind::kWord2vec) {
      LabelledTable labelled = read_word2vec(*source, context);
      read.table = std::move(labelled.table);
      read.labels = std::move(labelled.labels);
      read.note = "word2vec text";
    } else {
      refuse(read.name, "is not a table of numbers; use .npy, .safetensors or word2vec text");
    }
  }
  read.note = fmt::format("{}: {}, {} of {}", read.name, read.note, count_of(read.table.rows, "row"),
                          count_of(read.table.columns, "number"));
  return read;
}

}  // namespace greenkgc::tensors
