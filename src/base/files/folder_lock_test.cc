#include "base/files/folder_lock.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "greenkgc/error.h"
#include "support/temporary_folder.h"

namespace greenkgc {
namespace {

TEST(FolderLock, IsHeldByOneAtATime) {
  const TemporaryFolder folder;
  const auto run = folder.path() / "a" / "run";
  {
    const FolderLock lock(run);
    try {
      const FolderLock second(run);
      ADD_FAILURE() << "both have it";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kUsage);
      EXPECT_THAT(error.what(), testing::HasSubstr("another greenkgc process is using"));
    }
    const FolderLock other(folder.path() / "b");
  }
  const FolderLock again(run);
}

TEST(FolderLock, RefusesAFile) {
  const TemporaryFolder folder;
  folder.write("file", "");
  EXPECT_THROW(FolderLock(folder.path() / "file"), Error);
}

}  // namespace
}  // namespace greenkgc
