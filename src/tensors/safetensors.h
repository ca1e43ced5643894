#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/mapped_file.h"

namespace greenkgc::tensors {

// Files in the safetensors format: 8 bytes of header length, a JSON header with the name, type, shape and
// place of each tensor, then the tensors, little-endian. Ours are 64-byte aligned, and their metadata hold
// the XXH3 of each tensor.

enum class TensorType { kU8, kU16, kU32, kU64, kF32 };

struct Tensor {
  TensorType type;
  std::vector<std::uint64_t> shape;
  std::span<const std::byte> bytes;
};

class SafetensorsWriter {
 public:
  // The values must live until write(); names must differ.
  void add(std::string name, std::vector<std::uint64_t> shape, std::span<const float> values);
  void add(std::string name, std::vector<std::uint64_t> shape, std::span<const std::uint64_t> values);
  void add(std::string name, std::vector<std::uint64_t> shape, std::span<const std::uint32_t> values);
  void add(std::string name, std::vector<std::uint64_t> shape, std::span<const std::uint16_t> values);
  void add(std::string name, std::vector<std::uint64_t> shape, std::span<const std::uint8_t> values);
  void set_metadata(std::string key, std::string value) { metadata_[std::move(key)] = std::move(value); }

  // The file appears whole or not at all.
  void write(const std::filesystem::path& path) const;

 private:
  std::vector<std::pair<std::string, Tensor>> tensors_;
  std::map<std::string, std::string> metadata_;
};

class SafetensorsFile {
 public:
  // Opens a file without trusting it: header, types, shapes and places are checked here. Throws kCorrupt with
  // the byte.
  explicit SafetensorsFile(const std::filesystem::path& path);

  const std::string& name() const { return name_; }
  const std::map<std::string, std::string>& metadata() const { return metadata_; }
  const std::map<std::string, Tensor>& tensors() const { return tensors_; }

  // Throws kCorrupt, naming the tensor, if it is not there, or has another type or number of dimensions, or
  // (where the file has a checksum) other bytes than were written.
  const Tensor& tensor(const std::string& name, TensorType type, std::size_t dimensions) const;
  std::span<const float> floats(const std::string& name, std::size_t dimensions) const;
  std::span<const std::uint64_t> u64s(const std::string& name) const;
  std::span<const std::uint32_t> u32s(const std::string& name) const;
  std::span<const std::uint16_t> u16s(const std::string& name) const;
  std::span<const std::uint8_t> u8s(const std::string& name, std::size_t dimensions) const;
  std::string_view text(const std::string& name) const;  // of a list of bytes
  const std::string& metadata_value(const std::string& key) const;

  [[noreturn]] void fail(std::string_view what) const;  // kCorrupt: "NAME: what"

 private:
  void parse_header(std::string_view header, std::uint64_t data_begin);

  std::string name_;
  MappedFile file_;
  std::map<std::string, std::string> metadata_;
  std::map<std::string, Tensor> tensors_;
};

}  // namespace greenkgc::tensors
