#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "greenkgc/complete.h"
#include "greenkgc/model.h"
#include "shared/answer_json.h"

namespace greenkgc::server {

// A model file that was opened to be served: checked, indexed, with what is said about it.
class ServedModel {
 public:
  // Reads all of the file, facts included, so that no request finds a fault in it later. Throws as
  // Model::open does.
  ServedModel(const std::filesystem::path& path, std::uint64_t generation, const Context& context);

  const Model& model() const { return model_; }
  const Json& card() const { return card_; }

  // New facts by what was asked for, as a text; remembered, for they take seconds. Null: none are.
  std::shared_ptr<const NewFacts> remembered(const std::string& asked) const;
  void remember(const std::string& asked, std::shared_ptr<const NewFacts> found) const;

 private:
  Model model_;
  Json card_;
  mutable std::mutex mutex_;  // guards new_facts_
  mutable std::map<std::string, std::shared_ptr<const NewFacts>> new_facts_;
};

// The model that answers, which may be replaced while it does. Whoever holds the old one keeps it.
class ModelHolder {
 public:
  // A model file, or the folder of a run, which has one. Throws as ServedModel does.
  ModelHolder(std::filesystem::path path, const Context& context);

  std::shared_ptr<const ServedModel> current() const;
  // Opens the file again and puts it in the place of the current one; if it cannot be, throws, and all stays
  // as it is. One at a time.
  std::shared_ptr<const ServedModel> reload(const Context& context);

 private:
  const std::filesystem::path path_;
  std::mutex reloading_;
  mutable std::mutex mutex_;  // guards what is below
  std::uint64_t generation_ = 1;
  std::shared_ptr<const ServedModel> current_;
};

}  // namespace greenkgc::server
