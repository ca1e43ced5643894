#include "tensors/label_search.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/letter_cases.h"
#include "simd/text/find_bytes.h"

namespace greenkgc::tensors {
namespace {

using Characters = std::vector<std::vector<std::string>>;

constexpr std::size_t kBetweenChecks = std::size_t{4} << 20;  // bytes scanned, a millisecond or so
constexpr std::size_t kSampled = std::size_t{64} << 10;       // bytes, to see which are rare

// Labels in the table's order that have the first characters in common, `bytes` of them.
struct Range {
  std::size_t begin;
  std::size_t end;
  std::size_t characters;
  std::size_t bytes;
};

Range narrowed(const LabelTable& labels, const Range& range, std::string_view next) {
  const auto order = labels.in_order();
  const auto at = [&](std::size_t place) { return order.begin() + static_cast<std::ptrdiff_t>(place); };
  const auto part = [&](std::uint32_t id) {
    const std::string_view label = labels.label(id);
    return label.substr(std::min(range.bytes, label.size()), next.size());
  };
  const auto begin =
      std::lower_bound(at(range.begin), at(range.end), next,
                       [&](std::uint32_t id, std::string_view text) { return part(id) < text; });
  const auto end = std::upper_bound(begin, at(range.end), next,
                                    [&](std::string_view text, std::uint32_t id) { return text < part(id); });
  return {static_cast<std::size_t>(begin - order.begin()), static_cast<std::size_t>(end - order.begin()),
          range.characters + 1, range.bytes + next.size()};
}

// All labels' bytes, one after another.
std::string_view all_bytes(const LabelTable& labels) {
  const std::string_view first = labels.label(0);
  const std::string_view last = labels.label(labels.size() - 1);
  return {first.data(), static_cast<std::size_t>(last.data() + last.size() - first.data())};
}

// The label that this byte belongs to.
std::uint32_t label_at(const LabelTable& labels, const char* byte) {
  std::uint32_t begin = 0;
  std::uint32_t end = labels.size();
  while (end - begin > 1) {
    const std::uint32_t middle = begin + (end - begin) / 2;
    (labels.label(middle).data() <= byte ? begin : end) = middle;
  }
  return begin;
}

// Bytes of the text at its beginning, or nothing.
std::optional<std::size_t> length_of_match(std::string_view text, const Characters& characters) {
  std::size_t at = 0;
  for (const auto& cases : characters) {
    const auto same = std::find_if(cases.begin(), cases.end(), [&](const std::string& bytes) {
      return text.substr(at).starts_with(bytes);
    });
    if (same == cases.end()) return std::nullopt;
    at += same->size();
  }
  return at;
}

// Tests that hold wherever the characters stand: of bytes at a fixed distance from the first that have one or
// two values. None if there are no such bytes.
std::vector<simd::ByteTest> byte_tests(const Characters& characters) {
  std::vector<simd::ByteTest> tests;
  std::size_t offset = 0;
  for (const auto& cases : characters) {
    const std::size_t length = cases.front().size();
    if (std::any_of(cases.begin(), cases.end(), [&](const auto& bytes) { return bytes.size() != length; }))
      break;
    for (std::size_t i = 0; i < length; ++i) {
      const auto byte = [&](const std::string& bytes) { return static_cast<std::uint8_t>(bytes[i]); };
      const simd::ByteTest test{offset + i, byte(cases.front()), byte(cases.back())};
      if (std::all_of(cases.begin(), cases.end(), [&](const std::string& bytes) {
            return byte(bytes) == test.either || byte(bytes) == test.other;
          }))
        tests.push_back(test);
    }
    offset += length;
  }
  return tests;
}

// The two tests that hold least often, rarest first; the same one twice if there is one only.
std::array<simd::ByteTest, 2> rarest(std::vector<simd::ByteTest> tests, std::string_view bytes) {
  std::array<std::uint32_t, 256> counts = {};
  for (const char byte : bytes.substr(0, kSampled)) ++counts[static_cast<std::uint8_t>(byte)];
  std::stable_sort(tests.begin(), tests.end(), [&](const simd::ByteTest& a, const simd::ByteTest& b) {
    return counts[a.either] + counts[a.other] < counts[b.either] + counts[b.other];
  });
  return {tests.front(), tests[std::min<std::size_t>(1, tests.size() - 1)]};
}

// One scan for a text that is not empty.
class Scan {
 public:
  Scan(const LabelTable& labels, const Characters& characters, std::size_t limit)
      : labels_(labels), characters_(characters), limit_(limit), bytes_(all_bytes(labels)) {
    const std::vector<simd::ByteTest> tests = byte_tests(characters);
    tested_ = !tests.empty();
    if (tested_) tests_ = rarest(tests, bytes_);
    for (const simd::ByteTest& test : tests_) longest_offset_ = std::max(longest_offset_, test.offset);
  }

  LabelHits run(const Context& context) && {
    std::size_t at = 0;
    while (at < bytes_.size() && !hits_.truncated) {
      context.check_cancelled();
      const std::size_t stop = std::min(bytes_.size(), at + kBetweenChecks);
      while (at < stop && !hits_.truncated) at = step(at, stop);
    }
    return std::move(hits_);
  }

 private:
  // Looks at the next place where the text may stand, and returns where to go on.
  std::size_t step(std::size_t at, std::size_t stop) {
    const std::size_t place = next_place(at, stop);
    if (place == simd::kNowhere) return stop;
    const auto length = length_of_match(bytes_.substr(place), characters_);
    if (!length) return place + 1;
    const std::uint32_t id = label_at(labels_, bytes_.data() + place);
    const std::string_view label = labels_.label(id);
    const auto label_end = static_cast<std::size_t>(label.data() + label.size() - bytes_.data());
    if (place + *length > label_end) return place + 1;
    if (hits_.ids.size() == limit_) {
      hits_.truncated = true;
    } else {
      hits_.ids.push_back(id);
    }
    return label_end;
  }

  std::size_t next_place(std::size_t at, std::size_t stop) const {
    if (!tested_) return at;
    if (bytes_.size() <= longest_offset_) return simd::kNowhere;
    const std::size_t end = std::min(stop, bytes_.size() - longest_offset_);
    return at >= end ? simd::kNowhere : simd::find_bytes(bytes_, at, end, tests_[0], tests_[1]);
  }

  const LabelTable& labels_;
  const Characters& characters_;
  const std::size_t limit_;
  const std::string_view bytes_;
  bool tested_ = false;
  std::array<simd::ByteTest, 2> tests_ = {};
  std::size_t longest_offset_ = 0;
  LabelHits hits_;
};

// For the empty text.
LabelHits first_ids(const LabelTable& labels, std::size_t limit) {
  LabelHits hits{.truncated = labels.size() > limit};
  for (std::uint32_t id = 0; id < std::min<std::size_t>(limit, labels.size()); ++id) hits.ids.push_back(id);
  return hits;
}

}  // namespace

LabelHits labels_that_begin(const LabelTable& labels, std::string_view text, std::size_t limit,
                            const Context& context) {
  const Characters characters = letter_cases(text);
  const auto order = labels.in_order();
  LabelHits hits;
  std::vector<Range> ranges = {{0, order.size(), 0, 0}};  // the last comes next
  while (!ranges.empty() && !hits.truncated) {
    context.check_cancelled();
    const Range range = ranges.back();
    ranges.pop_back();
    if (range.characters == characters.size()) {
      const std::size_t taken = std::min(range.end - range.begin, limit - hits.ids.size());
      const auto ids = order.subspan(range.begin, taken);
      hits.ids.insert(hits.ids.end(), ids.begin(), ids.end());
      hits.truncated = taken < range.end - range.begin;
      continue;
    }
    const auto& cases = characters[range.characters];
    for (auto next = cases.rbegin(); next != cases.rend(); ++next) {
      const Range narrow = narrowed(labels, range, *next);
      if (narrow.begin < narrow.end) ranges.push_back(narrow);
    }
  }
  return hits;
}

LabelHits labels_that_contain(const LabelTable& labels, std::string_view text, std::size_t limit,
                              const Context& context) {
  if (labels.size() == 0 || text.empty()) return first_ids(labels, limit);
  return Scan(labels, letter_cases(text), limit).run(context);
}

}  // namespace greenkgc::tensors
