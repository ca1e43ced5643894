#include "train/negatives/negatives.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "base/random.h"
#include "base/text.h"
#include "greenkgc/error.h"
#include "greenkgc/options.h"

namespace greenkgc::decide {
namespace {

constexpr std::uint32_t kRandomStream = 0x64656311;
constexpr int kPlaceShift = 24;  // counters of two queries do not meet
// Draws per answer that is wanted. Where fewer than one in three are unknown, answers may remain too few.
constexpr std::size_t kTries = 16;

template <class EntityAt>
std::size_t draw_by_rejection(std::uint64_t n, const EntityAt& entity_at, std::span<const EntityId> known,
                              const CounterRandom& random, std::uint64_t place, std::span<EntityId> out) {
  std::size_t count = 0;
  const std::uint64_t tries = std::min<std::uint64_t>(kTries * out.size(), std::uint64_t{1} << kPlaceShift);
  for (std::uint64_t t = 0; t < tries && count < out.size() && n > 0; ++t) {
    const EntityId entity = entity_at(random.below(n, (place << kPlaceShift) + t));
    if (!std::binary_search(known.begin(), known.end(), entity)) out[count++] = entity;
  }
  return count;
}

class Mixture : public NegativeSampler {
 public:
  struct Part {
    std::unique_ptr<NegativeSampler> sampler;
    double weight;
  };
  explicit Mixture(std::vector<Part> parts) : parts_(std::move(parts)) {}

  std::unique_ptr<NegativeDrawer> drawer() const override { return std::make_unique<Drawer>(parts_); }

 private:
  class Drawer : public NegativeDrawer {
   public:
    explicit Drawer(const std::vector<Part>& parts) {
      double total = 0;
      for (const Part& part : parts) total += part.weight;
      double sum = 0;
      for (const Part& part : parts) {
        sum += part.weight / total;
        upper_.push_back(sum);
        drawers_.push_back(part.sampler->drawer());
      }
    }
    // Each kind has its share of the places; shares that are no whole number are rounded at their sums.
    std::size_t draw(const NegativeQuery& query, std::span<EntityId> out) override {
      std::size_t count = 0;
      std::size_t begin = 0;
      for (std::size_t i = 0; i < drawers_.size(); ++i) {
        const auto end = static_cast<std::size_t>(std::lround(upper_[i] * static_cast<double>(out.size())));
        count += drawers_[i]->draw(query, out.subspan(count, end - begin));
        begin = end;
      }
      return count;
    }

   private:
    std::vector<double> upper_;  // sums of shares
    std::vector<std::unique_ptr<NegativeDrawer>> drawers_;
  };

  std::vector<Part> parts_;
};

using MakeSampler = std::unique_ptr<NegativeSampler> (*)(const NegativeSource&, const NegativeOptions&);

struct NegativeKind {
  std::string name;
  MakeSampler make;
};

const std::vector<NegativeKind>& kinds() {
  static const std::vector<NegativeKind> all = {
      {"random", [](const NegativeSource& source,
                    const NegativeOptions&) { return random_negatives(source, kRandomStream); }},
      {"ontology",
       [](const NegativeSource& source, const NegativeOptions& options) {
         return ontology_negatives(source, options.leave_out);
       }},
      {"embedding",
       [](const NegativeSource& source, const NegativeOptions& options) {
         return embedding_negatives(source, options.pool_factor);
       }},
  };
  return all;
}

const NegativeKind& kind_named(std::string_view name) {
  std::vector<std::string> names;
  for (const NegativeKind& kind : kinds()) {
    if (kind.name == name) return kind;
    names.push_back(kind.name);
  }
  const std::string nearest = nearest_name(name, names);
  throw Error(ErrorCode::kUsage,
              fmt::format("there is no kind of negatives {}; {}", in_quotes(name),
                          nearest.empty() ? fmt::format("the kinds are {}", fmt::join(names, ", "))
                                          : fmt::format("did you mean {}?", nearest)));
}

double weight_of(std::string_view text, std::string_view part) {
  double weight = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), weight);
  if (error != std::errc{} || end != text.data() + text.size() || !(weight > 0) || !std::isfinite(weight))
    throw Error(ErrorCode::kUsage, fmt::format("the weight in {} is not a number above 0", in_quotes(part)));
  return weight;
}

}  // namespace

std::size_t draw_unknown(std::span<const EntityId> list, std::span<const EntityId> known, std::uint64_t seed,
                         std::uint32_t stream, std::uint64_t place, std::span<EntityId> out) {
  const CounterRandom random(seed, stream);
  return draw_by_rejection(
      list.size(), [&](std::uint64_t i) { return list[i]; }, known, random, place, out);
}

std::size_t draw_unknown(std::uint32_t entity_count, std::span<const EntityId> known, std::uint64_t seed,
                         std::uint32_t stream, std::uint64_t place, std::span<EntityId> out) {
  const CounterRandom random(seed, stream);
  return draw_by_rejection(
      entity_count, [](std::uint64_t i) { return EntityId{static_cast<std::uint32_t>(i)}; }, known, random,
      place, out);
}

std::vector<NegativePart> parse_negatives(std::string_view description) {
  std::vector<NegativePart> parts;
  for (std::size_t begin = 0; begin <= description.size();) {
    const std::size_t end = std::min(description.find(',', begin), description.size());
    const std::string_view part = description.substr(begin, end - begin);
    const std::size_t colon = part.find(':');
    const NegativeKind& kind = kind_named(part.substr(0, colon));
    const double weight = colon == std::string_view::npos ? 1 : weight_of(part.substr(colon + 1), part);
    parts.push_back({kind.name, weight});
    begin = end + 1;
  }
  return parts;
}

std::unique_ptr<NegativeSampler> negative_sampler(std::string_view description, const NegativeSource& source,
                                                  const NegativeOptions& options) {
  std::vector<Mixture::Part> parts;
  for (const NegativePart& part : parse_negatives(description))
    parts.push_back({kind_named(part.name).make(source, options), part.weight});
  if (parts.size() == 1) return std::move(parts.front().sampler);
  return std::make_unique<Mixture>(std::move(parts));
}

}  // namespace greenkgc::decide
