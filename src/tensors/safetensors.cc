#include "tensors/safetensors.h"

#include <fmt/format.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <array>
#include <bit>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/files/output_file.h"
#include "base/text.h"
#include "greenkgc/error.h"

namespace greenkgc::tensors {
namespace {

static_assert(std::endian::native == std::endian::little, "tensors are written as they are in memory");

using Json = nlohmann::json;

constexpr std::uint64_t kMaxHeaderBytes = 100'000'000;  // as the format's own library has it
constexpr std::uint64_t kAlignment = 64;
constexpr std::string_view kChecksumPrefix = "xxh3.";

struct TypeName {
  TensorType type;
  std::string_view name;
  std::uint64_t bytes;
};
constexpr std::array<TypeName, 5> kTypes = {{{TensorType::kU8, "U8", 1},
                                             {TensorType::kU16, "U16", 2},
                                             {TensorType::kU32, "U32", 4},
                                             {TensorType::kU64, "U64", 8},
                                             {TensorType::kF32, "F32", 4}}};

const TypeName& type_name(TensorType type) {
  return kTypes[static_cast<std::size_t>(type)];
}

std::string checksum(std::span<const std::byte> bytes) {
  return fmt::format("{:016x}", XXH3_64bits(bytes.data(), bytes.size()));
}

std::uint64_t aligned(std::uint64_t position) {
  return (position + kAlignment - 1) / kAlignment * kAlignment;
}

template <class Value>
Tensor tensor_of(TensorType type, std::vector<std::uint64_t> shape, std::span<const Value> values) {
  return {type, std::move(shape), std::as_bytes(values)};
}

}  // namespace

void SafetensorsWriter::add(std::string name, std::vector<std::uint64_t> shape,
                            std::span<const float> values) {
  tensors_.emplace_back(std::move(name), tensor_of(TensorType::kF32, std::move(shape), values));
}

void SafetensorsWriter::add(std::string name, std::vector<std::uint64_t> shape,
                            std::span<const std::uint64_t> values) {
  tensors_.emplace_back(std::move(name), tensor_of(TensorType::kU64, std::move(shape), values));
}

void SafetensorsWriter::add(std::string name, std::vector<std::uint64_t> shape,
                            std::span<const std::uint32_t> values) {
  tensors_.emplace_back(std::move(name), tensor_of(TensorType::kU32, std::move(shape), values));
}

void SafetensorsWriter::add(std::string name, std::vector<std::uint64_t> shape,
                            std::span<const std::uint16_t> values) {
  tensors_.emplace_back(std::move(name), tensor_of(TensorType::kU16, std::move(shape), values));
}

void SafetensorsWriter::add(std::string name, std::vector<std::uint64_t> shape,
                            std::span<const std::uint8_t> values) {
  tensors_.emplace_back(std::move(name), tensor_of(TensorType::kU8, std::move(shape), values));
}

// The format wants tensors without gaps between them: a filler of zeros is itself a tensor, called
// "padding.N".
void SafetensorsWriter::write(const std::filesystem::path& path) const {
  Json header = Json::object();
  Json metadata = Json::object();
  for (const auto& [key, value] : metadata_) metadata[key] = value;
  std::uint64_t at = 0;
  std::vector<std::uint64_t> padding;
  const auto place = [&](const std::string& name, TensorType type, const std::vector<std::uint64_t>& shape,
                         std::uint64_t size) {
    header[name] = {{"dtype", type_name(type).name}, {"shape", shape}, {"data_offsets", {at, at + size}}};
    at += size;
  };
  for (const auto& [name, tensor] : tensors_) {
    place(name, tensor.type, tensor.shape, tensor.bytes.size());
    metadata[std::string(kChecksumPrefix) + name] = checksum(tensor.bytes);
    padding.push_back(aligned(at) - at);
    if (padding.back() > 0)
      place(fmt::format("padding.{}", padding.size()), TensorType::kU8, {padding.back()}, padding.back());
  }
  header["__metadata__"] = metadata;
  std::string text = header.dump();
  text.resize(aligned(8 + text.size()) - 8, ' ');

  OutputFile file(path);
  const std::uint64_t length = text.size();
  file.write({reinterpret_cast<const char*>(&length), sizeof(length)});
  file.write(text);
  const std::string zeros(kAlignment, '\0');
  for (std::size_t i = 0; i < tensors_.size(); ++i) {
    const auto& bytes = tensors_[i].second.bytes;
    file.write({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    file.write(std::string_view(zeros).substr(0, padding[i]));
  }
  file.commit();
}

SafetensorsFile::SafetensorsFile(const std::filesystem::path& path) : name_(path.string()), file_(path) {
  const auto bytes = file_.bytes();
  std::uint64_t length = 0;
  if (bytes.size() < sizeof(length)) fail("has fewer than 8 bytes; this is not a safetensors file");
  std::memcpy(&length, bytes.data(), sizeof(length));
  if (length > kMaxHeaderBytes || length > bytes.size() - sizeof(length)) {
    fail(
        fmt::format("byte 0: declares a header of {} bytes, which is more than the file has; it is truncated "
                    "or not a safetensors file",
                    with_commas(length)));
  }
  parse_header({reinterpret_cast<const char*>(bytes.data()) + sizeof(length), length},
               sizeof(length) + length);
}

namespace {

// A list of whole numbers, or nothing.
std::optional<std::vector<std::uint64_t>> whole_numbers(const Json& json) {
  if (!json.is_array()) return std::nullopt;
  std::vector<std::uint64_t> values;
  for (const Json& value : json) {
    if (!value.is_number_unsigned()) return std::nullopt;
    values.push_back(value.get<std::uint64_t>());
  }
  return values;
}

// Bytes of a tensor of this shape, or nothing if that does not fit into 64 bits.
std::optional<std::uint64_t> byte_count(const std::vector<std::uint64_t>& shape, std::uint64_t element) {
  std::uint64_t total = element;
  for (const std::uint64_t extent : shape) {
    if (__builtin_mul_overflow(total, extent, &total)) return std::nullopt;
  }
  return total;
}

}  // namespace

void SafetensorsFile::parse_header(std::string_view header, std::uint64_t data_begin) {
  const Json json = Json::parse(header, nullptr, false);
  if (!json.is_object()) fail("byte 8: the header is not a JSON object");
  const auto data = file_.bytes().subspan(data_begin);
  for (const auto& item : json.items()) {
    const std::string& name = item.key();
    const Json& entry = item.value();
    if (name == "__metadata__") {
      if (!entry.is_object()) fail("byte 8: __metadata__ is not an object");
      for (const auto& [key, value] : entry.items()) {
        if (!value.is_string()) fail(fmt::format("byte 8: metadata {} is not a string", in_quotes(key)));
        metadata_[key] = value.get<std::string>();
      }
      continue;
    }
    const auto wrong = [&](std::string_view what) {
      fail(fmt::format("byte 8: tensor {}: {}", in_quotes(name), what));
    };
    if (!entry.is_object() || !entry.contains("dtype") || !entry.contains("shape") ||
        !entry.contains("data_offsets")) {
      wrong("needs dtype, shape and data_offsets");
    }
    const auto type = std::find_if(kTypes.begin(), kTypes.end(),
                                   [&](const TypeName& t) { return entry["dtype"] == t.name; });
    const auto shape = whole_numbers(entry["shape"]);
    const auto offsets = whole_numbers(entry["data_offsets"]);
    if (!shape || !offsets || offsets->size() != 2) wrong("shape or data_offsets are not whole numbers");
    if ((*offsets)[0] > (*offsets)[1] || (*offsets)[1] > data.size()) {
      wrong(fmt::format("is at bytes {} to {} of the data, which have {}", (*offsets)[0], (*offsets)[1],
                        data.size()));
    }
    if (type == kTypes.end()) continue;  // a type that we never use: not ours to judge
    const std::uint64_t size = (*offsets)[1] - (*offsets)[0];
    if (byte_count(*shape, type->bytes) != size) wrong("its shape does not match its bytes");
    tensors_[name] = {type->type, *shape, data.subspan((*offsets)[0], size)};
  }
}

const Tensor& SafetensorsFile::tensor(const std::string& name, TensorType type,
                                      std::size_t dimensions) const {
  const auto found = tensors_.find(name);
  if (found == tensors_.end()) fail(fmt::format("has no tensor {}", in_quotes(name)));
  const Tensor& tensor = found->second;
  if (tensor.type != type || tensor.shape.size() != dimensions) {
    fail(fmt::format("tensor {} must be {} with {}", in_quotes(name), type_name(type).name,
                     count_of(dimensions, "dimension")));
  }
  if (reinterpret_cast<std::uintptr_t>(tensor.bytes.data()) % type_name(type).bytes != 0) {
    fail(fmt::format("tensor {} is not aligned to its type", in_quotes(name)));
  }
  const auto sum = metadata_.find(std::string(kChecksumPrefix) + name);
  if (sum != metadata_.end() && sum->second != checksum(tensor.bytes)) {
    fail(fmt::format("tensor {}, bytes {} to {}: wrong checksum; the file is damaged", in_quotes(name),
                     with_commas(static_cast<std::uint64_t>(tensor.bytes.data() - file_.bytes().data())),
                     with_commas(static_cast<std::uint64_t>(tensor.bytes.data() - file_.bytes().data()) +
                                 tensor.bytes.size())));
  }
  return tensor;
}

namespace {

template <class Value>
std::span<const Value> values_of(const Tensor& tensor) {
  return {reinterpret_cast<const Value*>(tensor.bytes.data()), tensor.bytes.size() / sizeof(Value)};
}

}  // namespace

std::span<const float> SafetensorsFile::floats(const std::string& name, std::size_t dimensions) const {
  return values_of<float>(tensor(name, TensorType::kF32, dimensions));
}

std::span<const std::uint64_t> SafetensorsFile::u64s(const std::string& name) const {
  return values_of<std::uint64_t>(tensor(name, TensorType::kU64, 1));
}

std::span<const std::uint32_t> SafetensorsFile::u32s(const std::string& name) const {
  return values_of<std::uint32_t>(tensor(name, TensorType::kU32, 1));
}

std::span<const std::uint16_t> SafetensorsFile::u16s(const std::string& name) const {
  return values_of<std::uint16_t>(tensor(name, TensorType::kU16, 1));
}

std::span<const std::uint8_t> SafetensorsFile::u8s(const std::string& name, std::size_t dimensions) const {
  return values_of<std::uint8_t>(tensor(name, TensorType::kU8, dimensions));
}

std::string_view SafetensorsFile::text(const std::string& name) const {
  const auto bytes = tensor(name, TensorType::kU8, 1).bytes;
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

const std::string& SafetensorsFile::metadata_value(const std::string& key) const {
  const auto found = metadata_.find(key);
  if (found == metadata_.end())
    fail(fmt::format("has no metadata {}; it was not written by greenkgc", in_quotes(key)));
  return found->second;
}

void SafetensorsFile::fail(std::string_view what) const {
  throw Error(ErrorCode::kCorrupt, fmt::format("{}: {}", name_, what));
}

}  // namespace greenkgc::tensors
