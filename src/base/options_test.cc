#include "greenkgc/options.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "greenkgc/error.h"

namespace greenkgc {
namespace {

struct Sample {
  int threads = 4;
  std::uint64_t seed = 42;
  double share = 0.05;
  double weight = 1;
  bool quiet = false;
  std::string format = "auto";
  std::string out = "";
  std::vector<std::string> relations = {};

  static void declare(OptionList<Sample>& o) {
    o.add("threads", &Sample::threads, "how many", {.min = 1, .max = 1024});
    o.add("seed", &Sample::seed, "which");
    o.add("share", &Sample::share, "how much", {.min = 0, .max = 0.5});
    o.add("weight", &Sample::weight, "unlimited");
    o.add("quiet", &Sample::quiet, "no notes");
    o.add("format", &Sample::format, "what", {.choices = {"auto", "tsv", "csv", ""}});
    o.add("out", &Sample::out, "where");
    o.add("relations", &Sample::relations, "which ones", {.choices = {"a", "b", "c"}});
  }
};

const OptionSpec& spec(std::string_view name) {
  for (const OptionSpec& s : option_specs<Sample>()) {
    if (s.name == name) return s;
  }
  throw std::logic_error("the sample has no such option");
}

// The message, or "" if the value was taken.
template <class Set>
std::string refusal(Set set) {
  try {
    set();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUsage);
    return error.what();
  }
  return "";
}

std::string text_refusal(std::string_view name, std::string_view text, std::string_view where) {
  Sample sample;
  return refusal([&] { set_option_text(&sample, spec(name), text, where); });
}

std::string value_refusal(std::string_view name, const OptionValue& value) {
  Sample sample;
  return refusal([&] { set_option(&sample, spec(name), value, "here"); });
}

TEST(SetOptionText, EveryKindOfValueReachesItsField) {
  Sample sample;
  set_option_text(&sample, spec("threads"), "1024", "");
  set_option_text(&sample, spec("seed"), "9223372036854775807", "");
  set_option_text(&sample, spec("share"), "5e-1", "");
  set_option_text(&sample, spec("weight"), "-3", "");
  set_option_text(&sample, spec("quiet"), "true", "");
  set_option_text(&sample, spec("format"), "", "");
  set_option_text(&sample, spec("out"), "a=b c,d", "");
  set_option_text(&sample, spec("relations"), "a,c", "");
  EXPECT_EQ(sample.threads, 1024);
  EXPECT_EQ(sample.seed, 9223372036854775807u);
  EXPECT_EQ(sample.share, 0.5);
  EXPECT_EQ(sample.weight, -3);
  EXPECT_TRUE(sample.quiet);
  EXPECT_EQ(sample.format, "");
  EXPECT_EQ(sample.out, "a=b c,d");
  EXPECT_EQ(sample.relations, (std::vector<std::string>{"a", "c"}));
}

TEST(SetOptionText, AnEmptyTextIsAnEmptyList) {
  Sample sample{.relations = {"a"}};
  set_option_text(&sample, spec("relations"), "", "");
  EXPECT_TRUE(sample.relations.empty());
}

TEST(SetOptionText, RefusesInOneSentence) {
  EXPECT_EQ(text_refusal("threads", "0", "--threads"), "--threads must be between 1 and 1024, not 0");
  EXPECT_EQ(text_refusal("threads", "99999999999999999999", "--threads"),
            "--threads must be between 1 and 1024, not 99999999999999999999");
  EXPECT_EQ(text_refusal("threads", "2.5", "--threads"), "--threads needs a whole number, not '2.5'");
  EXPECT_EQ(text_refusal("threads", "", "--threads"), "--threads needs a whole number, not ''");
  EXPECT_EQ(text_refusal("seed", "-1", "--seed"), "--seed must be at least 0, not -1");
  EXPECT_EQ(text_refusal("share", "0.51", "--share"), "--share must be between 0 and 0.5, not 0.51");
  EXPECT_EQ(text_refusal("share", "abc", "--share"), "--share needs a number, not 'abc'");
  EXPECT_EQ(text_refusal("share", "nan", "--share"), "--share needs a number, not 'nan'");
  EXPECT_EQ(text_refusal("share", "0.1 ", "--share"), "--share needs a number, not '0.1 '");
  EXPECT_EQ(text_refusal("quiet", "yes", "--quiet"), "--quiet needs true or false, not 'yes'");
  EXPECT_EQ(text_refusal("format", "tvs", "--format"),
            "--format must be one of auto, tsv, csv, ''; not 'tvs' (did you mean tsv?)");
  EXPECT_EQ(text_refusal("format", "x\ny", "--format"),
            "--format must be one of auto, tsv, csv, ''; not 'x\\ny'");
  EXPECT_EQ(text_refusal("relations", "a,,b", "--relations"), "--relations must be one of a, b, c; not ''");
}

TEST(SetOption, AWholeNumberPassesForARealAndNothingElseIsConverted) {
  Sample sample;
  set_option(&sample, spec("weight"), std::int64_t{7}, "");
  EXPECT_EQ(sample.weight, 7);
  EXPECT_EQ(value_refusal("threads", 3.0), "here needs a whole number, not 3.0");
  EXPECT_EQ(value_refusal("threads", true), "here needs a whole number, not true");
  EXPECT_EQ(value_refusal("quiet", std::int64_t{1}), "here needs true or false, not 1");
  EXPECT_EQ(value_refusal("format", std::int64_t{1}), "here needs a string, not 1");
  EXPECT_EQ(value_refusal("relations", std::string("a")), "here needs a list of strings, not 'a'");
  EXPECT_EQ(value_refusal("out", std::vector<std::string>{"a"}), "here needs a string, not a list");
}

TEST(SetOption, RefusesWhatIsNotFinite) {
  EXPECT_EQ(value_refusal("weight", std::numeric_limits<double>::infinity()), "here must be finite, not inf");
  EXPECT_EQ(value_refusal("share", std::nan("")), "here must be finite, not nan");
}

TEST(SetOption, ARefusedValueLeavesTheOldOne) {
  Sample sample;
  EXPECT_THROW(set_option(&sample, spec("threads"), std::int64_t{5000}, ""), Error);
  EXPECT_EQ(sample.threads, 4);
}

struct Small {
  std::int16_t step = 0;
  float rate = 0;
  static void declare(OptionList<Small>& o) {
    o.add("step", &Small::step, "");
    o.add("rate", &Small::rate, "");
  }
};

TEST(OptionList, NoValueOverflowsANarrowField) {
  Small small;
  EXPECT_EQ(refusal([&] { set_option(&small, option_specs<Small>()[0], std::int64_t{40'000}, "step"); }),
            "step must be between -32768 and 32767, not 40000");
  EXPECT_THROW(set_option(&small, option_specs<Small>()[1], 1e300, "rate"), Error);
}

TEST(SetOption, ChoicesAreTakenInAnyLetterCase) {
  Sample sample;
  set_option_text(&sample, spec("format"), "TSV", "");
  set_option(&sample, spec("relations"), std::vector<std::string>{"A", "c"}, "");
  EXPECT_EQ(sample.format, "tsv");
  EXPECT_EQ(sample.relations, (std::vector<std::string>{"a", "c"}));
  set_option_text(&sample, spec("out"), "A File", "");
  EXPECT_EQ(sample.out, "A File");  // no choice
}

struct Cased {
  std::string mode = "X";
  static void declare(OptionList<Cased>& o) { o.add("mode", &Cased::mode, "", {.choices = {"X", "x"}}); }
};

TEST(SetOption, ChoicesThatDifferInCaseAloneStayApart) {
  Cased cased;
  set_option_text(&cased, option_specs<Cased>()[0], "x", "");
  EXPECT_EQ(cased.mode, "x");
}

struct Renamed {
  double rate = 0.3;
  std::int64_t k = 10;
  static void declare(OptionList<Renamed>& o) {
    o.add("rate", &Renamed::rate, "learning rate", {.min = 0}).alias("lr").alias("learning_rate");
    o.add("k", &Renamed::k, "answers").former_name("top_k");
  }
};

TEST(OptionList, AnOptionAnswersToItsAliases) {
  const auto& specs = option_specs<Renamed>();
  for (const char* name : {"rate", "lr", "learning_rate"}) {
    EXPECT_TRUE(specs[0].answers_to(name)) << name;
    EXPECT_FALSE(specs[0].was_called(name)) << name;
    EXPECT_FALSE(specs[1].answers_to(name)) << name;
  }
  EXPECT_TRUE(specs[1].answers_to("top_k"));
  EXPECT_TRUE(specs[1].was_called("top_k"));
  EXPECT_FALSE(specs[1].was_called("k"));
}

TEST(OptionsAsToml, RecordsOptionsUnderTheirOwnName) {
  const Renamed renamed{.rate = 0.5};
  EXPECT_EQ(options_as_toml(&renamed, option_specs<Renamed>()), "rate = 0.5\nk = 10\n");
}

TEST(OptionsAsToml, WritesEveryOptionInOrder) {
  Sample sample;
  sample.out = "a \"b\" \\ \n\x7F\xC3\xA9";
  sample.weight = 1e20;
  sample.relations = {"a", "b"};
  EXPECT_EQ(options_as_toml(&sample, option_specs<Sample>()),
            "threads = 4\n"
            "seed = 42\n"
            "share = 0.05\n"
            "weight = 1e+20\n"
            "quiet = false\n"
            "format = \"auto\"\n"
            "out = \"a \\\"b\\\" \\\\ \\u000A\\u007F\xC3\xA9\"\n"
            "relations = [\"a\", \"b\"]\n");
}

TEST(OptionsAsToml, ARealStaysARealWithoutAFraction) {
  const Sample sample{.share = 0, .weight = -3};
  const std::string toml = options_as_toml(&sample, option_specs<Sample>());
  EXPECT_NE(toml.find("share = 0.0\nweight = -3.0\n"), std::string::npos) << toml;
}

TEST(NearestName, FindsSlipsOfTheFinger) {
  const std::vector<std::string> names = {"entities", "relations", "triples", "threads", "seed"};
  EXPECT_EQ(nearest_name("tripels", names), "triples");
  EXPECT_EQ(nearest_name("entites", names), "entities");
  EXPECT_EQ(nearest_name("THREADS", names), "threads");
  EXPECT_EQ(nearest_name("sed", names), "seed");
  EXPECT_EQ(nearest_name("relatoins", names), "relations");
}

TEST(NearestName, FindsTheOnlyNameThatTheWordBegins) {
  EXPECT_EQ(nearest_name("symm", {"symmetric_share", "skew"}), "symmetric_share");
  EXPECT_EQ(nearest_name("inv", {"inverse_a", "inverse_b"}), "");
}

TEST(NearestName, GuessesNothingFarOff) {
  EXPECT_EQ(nearest_name("walrus", {"entities", "relations", "triples"}), "");
  EXPECT_EQ(nearest_name("ab", {"cd"}), "");
  EXPECT_EQ(nearest_name("x", {"y"}), "");
  EXPECT_EQ(nearest_name("", {"y"}), "");
  EXPECT_EQ(nearest_name(std::string(1'000'000, 'x'), {"y"}), "");
}

}  // namespace
}  // namespace greenkgc
