#include "base/files/byte_source.h"

#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <fstream>
#include <string>
#include <vector>

#include "base/random.h"
#include "greenkgc/error.h"

namespace greenkgc {
namespace {

namespace fs = std::filesystem;

std::string gzip(std::string_view bytes) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string out(deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

enum class Checksum { kNo, kYes };

std::string zstd(std::string_view bytes, Checksum checksum = Checksum::kYes) {
  ZSTD_CCtx* context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, checksum == Checksum::kYes ? 1 : 0);
  std::string out(ZSTD_compressBound(bytes.size()), '\0');
  const std::size_t size = ZSTD_compress2(context, out.data(), out.size(), bytes.data(), bytes.size());
  EXPECT_FALSE(ZSTD_isError(size));
  out.resize(size);
  ZSTD_freeCCtx(context);
  return out;
}

std::string random_bytes(std::size_t n) {
  const CounterRandom random(8, 1);
  std::string bytes(n, '\0');
  for (std::size_t i = 0; i < n; ++i) bytes[i] = static_cast<char>(random.bits(i));
  return bytes;
}

std::string read_all(ByteSource& source, std::size_t buffer_size = 1000) {
  std::string all;
  std::vector<char> buffer(buffer_size);
  while (const std::size_t got = source.read(buffer)) {
    EXPECT_LE(got, buffer_size);
    all.append(buffer.data(), got);
  }
  EXPECT_EQ(source.read(buffer), 0U) << "the end stays the end";
  return all;
}

// A folder of this test's own, removed with all that is in it.
class ByteSourceTest : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path file(const std::string& name, std::string_view bytes) const {
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
    return folder_ / name;
  }

  fs::path folder_ =
      fs::path(testing::TempDir()) / ("byte_source_" + std::to_string(::getpid()) + "_" +
                                      testing::UnitTest::GetInstance()->current_test_info()->name());
};

// The message of the error that read() ends with: of this code, and starting with this name.
template <class Read>
std::string error_of(ErrorCode code, std::string_view name, const Read& read) {
  try {
    read();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    EXPECT_TRUE(std::string_view(error.what()).starts_with(name)) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "no error";
  return "";
}

std::string error_of_reading(std::string_view bytes) {
  return error_of(ErrorCode::kBadInput, "some.file", [bytes] {
    const auto source = memory_source(bytes, "some.file");
    read_all(*source);
  });
}

TEST_F(ByteSourceTest, FilesOfAllKindsWithBuffersOfAllSizes) {
  const std::string text = "Norway\tborders\tSweden\nSweden\tborders\tNorway\n" + random_bytes(5000);
  const std::string halves[] = {text.substr(0, 20), text.substr(20)};
  const std::pair<const char*, std::string> files[] = {
      {"plain", text},
      {"gz", gzip(text)},
      {"gz of three members, one empty", gzip(halves[0]) + gzip("") + gzip(halves[1])},
      {"zst", zstd(text)},
      {"zst without checksum", zstd(text, Checksum::kNo)},
      {"zst behind a frame to skip", std::string("\x5a\x2a\x4d\x18\x03\0\0\0abc", 11) + zstd(text)},
      {"zst of three frames, one empty",
       zstd(halves[0], Checksum::kNo) + zstd("") + zstd(halves[1], Checksum::kNo)},
  };
  for (const auto& [name, bytes] : files) {
    SCOPED_TRACE(name);
    const fs::path path = file(name, bytes);
    for (const std::size_t buffer : {1, 3, 4, 5, 100, 4096, 1 << 20}) {
      const auto from_file = open_source(path);
      EXPECT_TRUE(read_all(*from_file, buffer) == text) << buffer;
      EXPECT_EQ(from_file->size(), bytes.size());
      EXPECT_EQ(from_file->position(), bytes.size());
      EXPECT_EQ(from_file->name(), path.string());
      const auto from_memory = memory_source(bytes, "memory");
      EXPECT_TRUE(read_all(*from_memory, buffer) == text) << buffer;
      EXPECT_EQ(from_memory->size(), bytes.size());
    }
  }
}

// More than one buffer of compressed bytes, and highly compressed ones: much comes out of few bytes.
TEST_F(ByteSourceTest, LargeFiles) {
  for (const std::string& text : {random_bytes(700'000), std::string(3'000'000, 'x')}) {
    for (const std::string& bytes : {text, gzip(text), zstd(text), zstd(text, Checksum::kNo)}) {
      for (const std::size_t buffer : {999, 1 << 20, 8 << 20}) {
        const auto source = memory_source(bytes, "memory");
        EXPECT_TRUE(read_all(*source, buffer) == text);
      }
    }
  }
}

TEST_F(ByteSourceTest, EmptyFiles) {
  for (const std::string& bytes : {std::string(), gzip(""), zstd("")}) {
    const auto source = open_source(file("empty", bytes));
    EXPECT_EQ(read_all(*source), "");
  }
}

TEST_F(ByteSourceTest, EmptyBufferReadsNothing) {
  for (const std::string& bytes : {std::string("text"), gzip("text"), zstd("text")}) {
    const auto source = memory_source(bytes, "memory");
    EXPECT_EQ(source->read({}), 0U);
    EXPECT_EQ(read_all(*source), "text");
  }
}

TEST_F(ByteSourceTest, GzipCutOffAtEachByte) {
  const std::string whole = gzip("Norway\tborders\tSweden\n");
  EXPECT_EQ(read_all(*memory_source(whole.substr(0, 1), "some.file")), whole.substr(0, 1));  // not yet gzip
  for (std::size_t size = 2; size < whole.size(); ++size) {
    SCOPED_TRACE(size);
    const std::string message = error_of_reading(whole.substr(0, size));
    EXPECT_EQ(message, "some.file: compressed byte " + std::to_string(size) +
                           ": the gzip data are incomplete; the file was probably truncated");
  }
  const std::string two = whole + whole;
  for (std::size_t size = whole.size() + 1; size < two.size(); ++size) {
    SCOPED_TRACE(size);
    error_of_reading(two.substr(0, size));
  }
}

TEST_F(ByteSourceTest, ZstdCutOffAtEachByte) {
  for (const Checksum checksum : {Checksum::kNo, Checksum::kYes}) {
    const std::string whole = zstd("Norway\tborders\tSweden\n", checksum);
    for (std::size_t size = 0; size < 4; ++size) {  // not yet zstd
      EXPECT_EQ(read_all(*memory_source(whole.substr(0, size), "some.file")), whole.substr(0, size));
    }
    for (std::size_t size = 4; size < whole.size(); ++size) {
      SCOPED_TRACE(size);
      EXPECT_EQ(error_of_reading(whole.substr(0, size)),
                "some.file: compressed byte " + std::to_string(size) +
                    ": the zstd data are incomplete; the file was probably truncated");
    }
    const std::string two = whole + whole;
    for (std::size_t size = whole.size() + 1; size < two.size(); ++size) {
      SCOPED_TRACE(size);
      error_of_reading(two.substr(0, size));
    }
  }
}

TEST_F(ByteSourceTest, WhatCameBeforeTheCutIsStillRead) {
  const std::string text = random_bytes(2'000'000);
  for (const std::string& bytes : {gzip(text), zstd(text)}) {
    const auto source = memory_source(std::string_view(bytes).substr(0, bytes.size() - 1), "some.file");
    std::vector<char> buffer(1000);
    EXPECT_EQ(read_fully(*source, buffer), 1000U);
    EXPECT_EQ(text.compare(0, 1000, buffer.data(), 1000), 0);
    EXPECT_THROW(read_all(*source), Error);
  }
}

TEST_F(ByteSourceTest, DamagedDataAreNoticed) {
  const std::string text = random_bytes(300);
  std::string gz = gzip(text);
  gz[gz.size() - 6] ^= 1;  // its checksum
  EXPECT_NE(error_of_reading(gz).find("damaged gzip data (incorrect data check)"), std::string::npos);
  gz = gzip(text);
  gz[2] = 9;  // its method
  error_of_reading(gz);

  std::string zst = zstd(text);
  zst[zst.size() - 1] ^= 1;  // its checksum
  EXPECT_NE(error_of_reading(zst).find("damaged zstd data"), std::string::npos);
}

TEST_F(ByteSourceTest, RubbishAfterTheEndIsNoticed) {
  error_of_reading(gzip("text") + "rubbish");
  error_of_reading(zstd("text") + "rubbish");
}

TEST_F(ByteSourceTest, FilesThatCannotBeHad) {
  const fs::path absent = folder_ / "absent.txt";
  const fs::path below_file = file("file", "text") / "below.txt";
  const fs::path long_name = folder_ / std::string(1000, 'x');
  for (const fs::path& path : {absent, below_file, long_name}) {
    error_of(ErrorCode::kBadInput, path.string() + ": cannot be opened: ", [&] { open_source(path); });
  }
  error_of(ErrorCode::kBadInput, folder_.string() + ": is a folder", [&] { open_source(folder_); });
}

TEST_F(ByteSourceTest, FileThatMayNotBeRead) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may read everything";
  const fs::path path = file("secret", "text");
  fs::permissions(path, fs::perms::none);
  error_of(ErrorCode::kIo, path.string(), [&] { open_source(path); });
}

TEST_F(ByteSourceTest, PeekShowsTheFirstBytesAndLosesNone) {
  const std::string text = "abcdefghij";
  for (const std::string& bytes : {text, gzip(text), zstd(text)}) {
    for (const std::size_t peek : {0, 1, 4, 10, 11, 1000}) {
      for (const std::size_t buffer : {1, 3, 1000}) {
        PeekSource source(memory_source(bytes, "memory"), peek);
        EXPECT_EQ(source.head(), text.substr(0, peek));
        EXPECT_EQ(source.name(), "memory");
        EXPECT_EQ(read_all(source, buffer), text);
        EXPECT_EQ(source.head(), text.substr(0, peek));
      }
    }
  }
}

TEST_F(ByteSourceTest, ReadFullyStopsAtTheEnd) {
  const std::string bytes = gzip("abc") + gzip("defgh");
  const auto source = memory_source(bytes, "memory");
  std::string buffer(6, '\0');
  EXPECT_EQ(read_fully(*source, buffer), 6U);
  EXPECT_EQ(buffer, "abcdef");
  EXPECT_EQ(read_fully(*source, buffer), 2U);
  EXPECT_EQ(buffer.substr(0, 2), "gh");
  EXPECT_EQ(read_fully(*source, buffer), 0U);
}

TEST_F(ByteSourceTest, SmallFileHasALimitAfterDecompression) {
  const fs::path path = file("small.gz", gzip(std::string(1000, 'x')));
  EXPECT_EQ(read_small_file(path, 1000), std::string(1000, 'x'));
  const std::string message =
      error_of(ErrorCode::kBadInput, path.string(), [&] { read_small_file(path, 999); });
  EXPECT_NE(message.find("is larger than 999 bytes"), std::string::npos) << message;
  EXPECT_THROW(read_small_file(file("bomb.gz", gzip(std::string(50'000'000, 'x'))), 1000), Error);
}

}  // namespace
}  // namespace greenkgc
