#include "train/run/settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "greenkgc/error.h"
#include "greenkgc/prune.h"

namespace greenkgc {
namespace {

TEST(Settings, ARecordGivesTheOptionsBack) {
  PruneOptions options;
  options.groups = "7";
  options.keep_dims = 12;
  options.store = {"float32", "8-bit"};
  PruneOptions back;
  apply_record(options_as_toml(&options, option_specs<PruneOptions>()) + "new_option = 3\nno line\n", back,
               "recorded option");
  EXPECT_EQ(options_as_toml(&back, option_specs<PruneOptions>()),
            options_as_toml(&options, option_specs<PruneOptions>()));
  EXPECT_EQ(back.store, options.store);
}

TEST(Settings, ARecordWithBadValuesIsRefused) {
  PruneOptions options;
  try {
    apply_record("keep_dims = -5\n", options, "recorded option");
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("recorded option keep_dims"));
  }
}

}  // namespace
}  // namespace greenkgc
