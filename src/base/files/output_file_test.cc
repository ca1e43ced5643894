#include "base/files/output_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <string>
#include <thread>

#include "base/files/byte_source.h"
#include "base/random.h"
#include "greenkgc/error.h"

namespace greenkgc {
namespace {

namespace fs = std::filesystem;

std::string contents(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  EXPECT_TRUE(in) << path;
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string decompressed(const fs::path& path) {
  const auto source = open_source(path);
  std::string all;
  std::string buffer(100'000, '\0');
  while (const std::size_t got = source->read(buffer)) all.append(buffer, 0, got);
  return all;
}

std::size_t entries(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), {}));
}

template <class Write>
std::string error_of(ErrorCode code, const fs::path& path, const Write& write) {
  try {
    write();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    EXPECT_TRUE(std::string_view(error.what()).starts_with(path.string() + ": ")) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "no error";
  return "";
}

class OutputFileTest : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path folder_ =
      fs::path(testing::TempDir()) / ("output_file_" + std::to_string(::getpid()) + "_" +
                                      testing::UnitTest::GetInstance()->current_test_info()->name());
};

// Repeats itself enough for compression to matter, in pieces around the size of the buffer.
std::string sample_text(std::size_t size) {
  const CounterRandom random(2, 2);
  std::string text(size, '\0');
  for (std::size_t i = 0; i < size; ++i) text[i] = static_cast<char>('a' + random.below(4, i));
  return text;
}

TEST_F(OutputFileTest, AppearsWithCommitOnly) {
  const fs::path path = folder_ / "out.txt";
  {
    OutputFile file(path);
    EXPECT_EQ(file.path(), path);
    file.write("Nor");
    file.write("way");
    EXPECT_FALSE(fs::exists(path));
    file.commit();
    EXPECT_EQ(contents(path), "Norway");
  }
  EXPECT_EQ(contents(path), "Norway");
  EXPECT_EQ(entries(folder_), 1U);
}

TEST_F(OutputFileTest, WithoutCommitNothingIsLeftAndTheOldFileStays) {
  const fs::path path = folder_ / "out.txt";
  { OutputFile(path).write("lost"); }
  EXPECT_EQ(entries(folder_), 0U);
  write_file(path, "old");
  {
    OutputFile file(path);
    file.write(sample_text(1'000'000));
    EXPECT_EQ(contents(path), "old");
  }
  EXPECT_EQ(contents(path), "old");
  EXPECT_EQ(entries(folder_), 1U);
  write_file(path, "new");
  EXPECT_EQ(contents(path), "new");
}

TEST_F(OutputFileTest, RoundTripsPlainAndCompressed) {
  for (const char* name : {"out.txt", "out.txt.gz", "out.txt.zst"}) {
    for (const std::size_t size : {0, 1, 1000, 262'143, 262'144, 262'145, 2'000'000}) {
      SCOPED_TRACE(testing::Message() << name << " " << size);
      const fs::path path = folder_ / name;
      const std::string text = sample_text(size);
      write_file(path, text);
      EXPECT_TRUE(decompressed(path) == text);
      OutputFile file(path);
      for (std::size_t at = 0; at < size; at += 777) file.write(std::string_view(text).substr(at, 777));
      file.commit();
      EXPECT_TRUE(decompressed(path) == text);
    }
  }
}

TEST_F(OutputFileTest, CompressedByName) {
  const std::string text = sample_text(100'000);
  write_file(folder_ / "out.gz", text);
  write_file(folder_ / "out.zst", text);
  EXPECT_TRUE(contents(folder_ / "out.gz").starts_with("\x1f\x8b"));
  EXPECT_TRUE(contents(folder_ / "out.zst").starts_with("\x28\xb5\x2f\xfd"));
  EXPECT_LT(fs::file_size(folder_ / "out.gz"), 50'000U);
  EXPECT_LT(fs::file_size(folder_ / "out.zst"), 50'000U);
}

TEST_F(OutputFileTest, CompressedBytesDependOnTheTextAlone) {
  const std::string text = sample_text(600'000);
  for (const char* name : {"out.gz", "out.zst"}) {
    write_file(folder_ / name, text);
    const std::string first = contents(folder_ / name);
    write_file(folder_ / name, text);
    EXPECT_TRUE(contents(folder_ / name) == first);
  }
}

TEST_F(OutputFileTest, MissingFoldersAreMade) {
  const fs::path path = folder_ / "a" / "b" / "out.txt";
  write_file(path, "text");
  EXPECT_EQ(contents(path), "text");
}

TEST_F(OutputFileTest, NameWithoutFolderIsWrittenWhereWeAre) {
  const fs::path before = fs::current_path();
  fs::current_path(folder_);
  write_file("out.txt", "text");
  fs::current_path(before);
  EXPECT_EQ(contents(folder_ / "out.txt"), "text");
}

TEST_F(OutputFileTest, FolderIsRefused) {
  const std::string message = error_of(ErrorCode::kUsage, folder_, [&] { OutputFile file(folder_); });
  EXPECT_NE(message.find("is a folder"), std::string::npos);
}

TEST_F(OutputFileTest, FileInThePlaceOfAFolderIsRefused) {
  write_file(folder_ / "file", "text");
  error_of(ErrorCode::kIo, folder_ / "file", [&] { OutputFile file(folder_ / "file" / "out.txt"); });
}

TEST_F(OutputFileTest, NameThatIsTooLongIsRefused) {
  const fs::path path = folder_ / std::string(1000, 'x');
  error_of(ErrorCode::kIo, path, [&] { OutputFile file(path); });
}

TEST_F(OutputFileTest, FolderThatMayNotBeWrittenIsRefused) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  fs::permissions(folder_, fs::perms::owner_read | fs::perms::owner_exec);
  error_of(ErrorCode::kIo, folder_ / "out.txt", [&] { OutputFile file(folder_ / "out.txt"); });
  fs::permissions(folder_, fs::perms::owner_all);
}

TEST_F(OutputFileTest, FullDiskIsAnErrorThatNamesTheFile) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full on this system";
  const std::string message = error_of(ErrorCode::kIo, "/dev/full", [] { write_file("/dev/full", "text"); });
  EXPECT_NE(message.find("No space left on device"), std::string::npos) << message;
  error_of(ErrorCode::kIo, "/dev/full", [] { write_file("/dev/full", sample_text(1'000'000)); });
}

// Compressed output notices too: by a link whose name ends in .gz or .zst.
TEST_F(OutputFileTest, FullDiskUnderCompression) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full on this system";
  for (const char* name : {"full.gz", "full.zst"}) {
    const fs::path path = folder_ / name;
    fs::create_symlink("/dev/full", path);
    error_of(ErrorCode::kIo, path, [&] { write_file(path, sample_text(1'000'000)); });
    EXPECT_TRUE(fs::is_symlink(path));
  }
}

TEST_F(OutputFileTest, PipeIsWrittenDirectly) {
  const fs::path path = folder_ / "pipe";
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  std::string received;
  std::thread reader([&] { received = contents(path); });
  write_file(path, "through the pipe");
  reader.join();
  EXPECT_EQ(received, "through the pipe");
  EXPECT_TRUE(fs::is_fifo(path));
}

// As /dev/stdout is when the shell has redirected it to a file: what was there stays, the name too.
TEST_F(OutputFileTest, OpenFileUnderDevIsAppendedTo) {
  const fs::path target = folder_ / "redirected.txt";
  const int fd = ::open(target.c_str(), O_WRONLY | O_CREAT, 0600);
  ASSERT_GE(fd, 0);
  ASSERT_EQ(::write(fd, "before\n", 7), 7);
  const fs::path path = "/dev/fd/" + std::to_string(fd);
  write_file(path, "after\n");
  ::close(fd);
  EXPECT_EQ(contents(target), "before\nafter\n");
  EXPECT_EQ(entries(folder_), 1U);
}

// The shell, or the caller, goes on writing to the same descriptor: nobody's bytes may be overwritten.
TEST_F(OutputFileTest, InheritedDescriptorIsSharedWithItsOwner) {
  const fs::path target = folder_ / "redirected.txt";
  const int fd = ::open(target.c_str(), O_WRONLY | O_CREAT, 0600);
  ASSERT_GE(fd, 0);
  ASSERT_EQ(::write(fd, "a\n", 2), 2);
  for (const char* names : {"/dev/fd/", "/proc/self/fd/"}) write_file(names + std::to_string(fd), "ours\n");
  const fs::path link = folder_ / "link";
  fs::create_symlink("/dev/fd/" + std::to_string(fd), link);
  write_file(link, "linked\n");
  ASSERT_EQ(::write(fd, "b\n", 2), 2);
  ::close(fd);
  EXPECT_EQ(contents(target), "a\nours\nours\nlinked\nb\n");
}

TEST_F(OutputFileTest, NamesOfDescriptors) {
  EXPECT_EQ(inherited_descriptor("/dev/stdout"), 1);
  EXPECT_EQ(inherited_descriptor("/dev/stderr"), 2);
  EXPECT_EQ(inherited_descriptor("/dev/fd/17"), 17);
  EXPECT_EQ(inherited_descriptor("/proc/self/fd/3"), 3);
  for (const char* other :
       {"/dev/fd/", "/dev/fd/1x", "/dev/fd/-1", "/dev/fd/99999999999", "/dev/null", "1", ""})
    EXPECT_EQ(inherited_descriptor(other), -1) << other;
}

TEST_F(OutputFileTest, LinkIsFollowed) {
  fs::create_directories(folder_ / "elsewhere");
  write_file(folder_ / "elsewhere" / "target.txt", "old");
  const fs::path link = folder_ / "link.txt";
  fs::create_symlink("elsewhere/target.txt", link);
  write_file(link, "new");
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_EQ(contents(folder_ / "elsewhere" / "target.txt"), "new");
  EXPECT_EQ(entries(folder_ / "elsewhere"), 1U);
}

TEST_F(OutputFileTest, LinkToNothingMakesItsTarget) {
  const fs::path link = folder_ / "link.txt";
  fs::create_symlink("target.txt", link);
  write_file(link, "new");
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_EQ(contents(folder_ / "target.txt"), "new");
}

TEST_F(OutputFileTest, PermissionsOfAnOlderFileStay) {
  const fs::path path = folder_ / "out.txt";
  write_file(path, "old");
  fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
  write_file(path, "new");
  EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(OutputFileTest, TwoAtOnceDoNotDisturbEachOther) {
  const fs::path path = folder_ / "out.txt";
  OutputFile first(path);
  OutputFile second(path);
  first.write("first");
  second.write("second");
  first.commit();
  EXPECT_EQ(contents(path), "first");
  second.commit();
  EXPECT_EQ(contents(path), "second");
}

}  // namespace
}  // namespace greenkgc
