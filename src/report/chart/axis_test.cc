#include "report/chart/axis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace greenkgc::report {
namespace {

std::vector<std::string> texts(const Axis& axis) {
  std::vector<std::string> out;
  for (const Tick& tick : axis.ticks()) out.push_back(tick.text);
  return out;
}

TEST(Axis, TicksAreRoundNumbersAroundTheData) {
  EXPECT_THAT(texts(Axis(0.03, 0.97, Scale::kLinear)),
              testing::ElementsAre("0.0", "0.2", "0.4", "0.6", "0.8", "1.0"));
  EXPECT_THAT(texts(Axis(0.661, 0.684, Scale::kLinear)),
              testing::ElementsAre("0.660", "0.665", "0.670", "0.675", "0.680", "0.685"));
  EXPECT_THAT(texts(Axis(-300, 1700, Scale::kLinear)),
              testing::ElementsAre("-500", "0", "500", "1,000", "1,500", "2,000"));
}

TEST(Axis, DataEndWhereTheyEndIfAsked) {
  const Axis axis(12, 97, Scale::kLinear, false);
  EXPECT_THAT(texts(axis), testing::ElementsAre("20", "40", "60", "80"));
  EXPECT_EQ(axis.place(12), 0);
  EXPECT_EQ(axis.place(97), 1);
}

TEST(Axis, LogTicksArePowersOfTen) {
  const Axis axis(3, 2e6, Scale::kLog);
  EXPECT_THAT(texts(axis), testing::ElementsAre("1", "100", "10,000", "1 M"));
  EXPECT_DOUBLE_EQ(axis.place(1), 0);
  EXPECT_DOUBLE_EQ(axis.place(1e7), 1);
  EXPECT_NEAR(axis.place(std::sqrt(1e7)), 0.5, 1e-12);
  EXPECT_THAT(texts(Axis(8, 256, Scale::kLog, false)), testing::ElementsAre("10", "20", "50", "100", "200"));
}

TEST(Axis, EqualEndsAreMovedApart) {
  for (const Scale scale : {Scale::kLinear, Scale::kLog}) {
    for (const double value : {0.0, 5.0, 1e-12, 1e12}) {
      const Axis axis(value, value, scale);
      EXPECT_TRUE(std::isfinite(axis.place(value == 0 && scale == Scale::kLog ? 1 : value)));
      EXPECT_FALSE(axis.ticks().empty()) << value;
    }
  }
}

TEST(Axis, NumbersThatAreNoneDoNoHarm) {
  const double nan = std::nan("");
  const double infinity = INFINITY;
  for (const Scale scale : {Scale::kLinear, Scale::kLog}) {
    for (const auto& [low, high] : {std::pair{nan, nan},
                                    {infinity, -infinity},
                                    {-1.0, infinity},
                                    {0.0, nan},
                                    {1e300, 1e308},
                                    {-1.7e308, 1.7e308}}) {
      const Axis axis(low, high, scale);
      EXPECT_LT(axis.ticks().size(), 30U);
      EXPECT_FALSE(axis.shows(nan));
      EXPECT_FALSE(axis.shows(infinity));
    }
    EXPECT_EQ(Axis(1, 2, scale).shows(-1), scale == Scale::kLinear);
  }
}

}  // namespace
}  // namespace greenkgc::report
