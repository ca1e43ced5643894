#include "graph/dataset.h"

namespace greenkgc {

std::string_view split_name(Split split) {
  switch (split) {
    case Split::kTrain:
      return "train";
    case Split::kValid:
      return "valid";
    case Split::kTest:
      return "test";
    case Split::kValidNegatives:
      return "valid_negatives";
    case Split::kTestNegatives:
      return "test_negatives";
    case Split::kTrainNegatives:
      return "train_negatives";
  }
  return "";
}

}  // namespace greenkgc
