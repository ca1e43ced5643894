#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "graph/identity.h"

namespace greenkgc {

// run.json in a run folder: which stages have begun, from what, and which are finished. It is written before
// a stage begins and after it ends, so that after a crash it never says more than is true.
class RunRecord {
 public:
  // Without `resume`, or without a file, an empty record. Throws kCorrupt for a file that is none of ours.
  RunRecord(std::filesystem::path path, bool resume);

  // Whether the stage ended, was made from the same, and its file is still what it wrote.
  bool finished(const std::string& stage, const graph::Identity& identity,
                const std::filesystem::path& output) const;
  // Whether it began, from the same, and did not end.
  bool interrupted(const std::string& stage, const graph::Identity& identity) const;

  void begin(const std::string& stage, const graph::Identity& identity);
  void finish(const std::string& stage, const std::filesystem::path& output, double seconds);
  void forget(const std::string& stage);  // as if it had never begun
  double seconds(const std::string& stage) const { return stages_.at(stage).seconds; }

 private:
  struct Stage {
    graph::Identity identity;
    bool finished = false;
    std::string output_hash;
    double seconds = 0;
  };
  void read();
  void write() const;

  std::filesystem::path path_;
  std::map<std::string, Stage> stages_;
};

}  // namespace greenkgc
