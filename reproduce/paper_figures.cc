#include "paper_figures.h"

namespace greenkgc {
namespace {

constexpr std::string_view kFb = "FB15k-237";
constexpr std::string_view kWn = "WN18RR";
constexpr std::string_view kYago = "YAGO3-10";

constexpr bool kCited = true;

}  // namespace

const std::vector<PaperRow>& paper_rows() {
  static const std::vector<PaperRow> rows = {
      // MRR, H@1, H@3, H@10, parameters (M), seconds
      {"table-low-dimensions", kFb, "TransE 32", 0.270, 0.177, 0.303, 0.457},
      {"table-low-dimensions", kWn, "TransE 32", 0.150, 0.009, 0.251, 0.387},
      {"table-low-dimensions", kYago, "TransE 32", 0.324, 0.221, 0.374, 0.524},
      {"table-low-dimensions", kFb, "RotatE 32", 0.290, 0.208, 0.316, 0.458},
      {"table-low-dimensions", kWn, "RotatE 32", 0.387, 0.330, 0.417, 0.491},
      {"table-low-dimensions", kYago, "RotatE 32", 0.419, 0.321, 0.475, 0.607},
      {"table-low-dimensions", kFb, "ConvKB 32", 0.232, 0.157, 0.255, 0.377, -1, -1, kCited},
      {"table-low-dimensions", kWn, "ConvKB 32", 0.346, 0.300, 0.374, 0.422, -1, -1, kCited},
      {"table-low-dimensions", kYago, "ConvKB 32", 0.311, 0.194, 0.368, 0.526, -1, -1, kCited},
      {"table-low-dimensions", kFb, "ConvE 32", 0.282, 0.201, 0.309, 0.440, -1, -1, kCited},
      {"table-low-dimensions", kWn, "ConvE 32", 0.405, 0.377, 0.412, 0.453, -1, -1, kCited},
      {"table-low-dimensions", kYago, "ConvE 32", 0.361, 0.260, 0.396, 0.559, -1, -1, kCited},
      {"table-low-dimensions", kFb, "MuRP 32", 0.323, 0.235, 0.353, 0.501, -1, -1, kCited},
      {"table-low-dimensions", kWn, "MuRP 32", 0.465, 0.420, 0.484, 0.544, -1, -1, kCited},
      {"table-low-dimensions", kYago, "MuRP 32", 0.230, 0.150, 0.247, 0.392, -1, -1, kCited},
      {"table-low-dimensions", kFb, "AttH 32", 0.324, 0.236, 0.354, 0.501, -1, -1, kCited},
      {"table-low-dimensions", kWn, "AttH 32", 0.466, 0.419, 0.484, 0.551, -1, -1, kCited},
      {"table-low-dimensions", kYago, "AttH 32", 0.397, 0.310, 0.437, 0.566, -1, -1, kCited},
      {"table-low-dimensions", kFb, "DualDE 32", 0.306, 0.216, 0.338, 0.489, -1, -1, kCited},
      {"table-low-dimensions", kWn, "DualDE 32", 0.468, 0.419, 0.486, 0.560, -1, -1, kCited},
      {"table-low-dimensions", kFb, "TransE + GreenKGC 32", 0.331, 0.251, 0.356, 0.493},
      {"table-low-dimensions", kWn, "TransE + GreenKGC 32", 0.342, 0.300, 0.365, 0.413},
      {"table-low-dimensions", kYago, "TransE + GreenKGC 32", 0.362, 0.265, 0.408, 0.537},
      {"table-low-dimensions", kFb, "RotatE + GreenKGC 32", 0.345, 0.265, 0.369, 0.507},
      {"table-low-dimensions", kWn, "RotatE + GreenKGC 32", 0.411, 0.367, 0.430, 0.491},
      {"table-low-dimensions", kYago, "RotatE + GreenKGC 32", 0.453, 0.361, 0.509, 0.629},

      {"table-baselines", kFb, "TransE 500", 0.325, 0.228, -1, -1, 7.40},
      {"table-baselines", kWn, "TransE 500", 0.223, 0.013, -1, -1, 20.50},
      {"table-baselines", kYago, "TransE 500", 0.416, 0.319, -1, -1, 61.60},
      {"table-baselines", kFb, "TransE 100", 0.274, 0.186, -1, -1, 1.48},
      {"table-baselines", kWn, "TransE 100", 0.200, 0.009, -1, -1, 4.10},
      {"table-baselines", kYago, "TransE 100", 0.377, 0.269, -1, -1, 12.32},
      {"table-baselines", kFb, "TransE + GreenKGC 100", 0.338, 0.253, -1, -1, 1.76},
      {"table-baselines", kWn, "TransE + GreenKGC 100", 0.407, 0.361, -1, -1, 4.38},
      {"table-baselines", kYago, "TransE + GreenKGC 100", 0.455, 0.358, -1, -1, 12.60},
      {"table-baselines", kFb, "RotatE 500", 0.333, 0.237, -1, -1, 14.66},
      {"table-baselines", kWn, "RotatE 500", 0.475, 0.427, -1, -1, 40.95},
      {"table-baselines", kYago, "RotatE 500", 0.478, 0.388, -1, -1, 123.20},
      {"table-baselines", kFb, "RotatE 100", 0.296, 0.207, -1, -1, 2.93},
      {"table-baselines", kWn, "RotatE 100", 0.437, 0.385, -1, -1, 8.19},
      {"table-baselines", kYago, "RotatE 100", 0.432, 0.340, -1, -1, 24.64},
      {"table-baselines", kFb, "RotatE + GreenKGC 100", 0.348, 0.266, -1, -1, 3.21},
      {"table-baselines", kWn, "RotatE + GreenKGC 100", 0.458, 0.424, -1, -1, 8.47},
      {"table-baselines", kYago, "RotatE + GreenKGC 100", 0.467, 0.378, -1, -1, 24.92},

      {"table-pruning", kFb, "without pruning", 0.318, 0.243, -1, 0.462},
      {"table-pruning", kWn, "without pruning", 0.379, 0.346, -1, 0.448},
      {"table-pruning", kFb, "random", 0.313, 0.239, -1, 0.460},
      {"table-pruning", kWn, "random", 0.375, 0.346, -1, 0.420},
      {"table-pruning", kFb, "variance", 0.315, 0.239, -1, 0.465},
      {"table-pruning", kWn, "variance", 0.381, 0.348, -1, 0.455},
      {"table-pruning", kFb, "feature importance", 0.323, 0.241, -1, 0.478},
      {"table-pruning", kWn, "feature importance", 0.385, 0.355, -1, 0.464},
      {"table-pruning", kFb, "prune low cost", 0.312, 0.236, -1, 0.460},
      {"table-pruning", kWn, "prune low cost", 0.373, 0.343, -1, 0.419},
      {"table-pruning", kFb, "prune high cost (ours)", 0.345, 0.265, -1, 0.507},
      {"table-pruning", kWn, "prune high cost (ours)", 0.411, 0.367, -1, 0.491},

      {"table-negatives", kFb, "random", 0.283, 0.197, -1, 0.452},
      {"table-negatives", kWn, "random", 0.407, 0.361, -1, 0.481},
      {"table-negatives", kFb, "ontology", 0.345, 0.265, -1, 0.507},
      {"table-negatives", kWn, "ontology", 0.403, 0.350, -1, 0.487},
      {"table-negatives", kFb, "embedding", 0.316, 0.232, -1, 0.471},
      {"table-negatives", kWn, "embedding", 0.411, 0.367, -1, 0.491},

      {"table-inference", kFb, "ConvKB 128", 0.258, 0.179, 0.283, 0.416, 1.91, 548.67, kCited},
      {"table-inference", kWn, "ConvKB 128", 0.369, 0.317, 0.399, 0.468, 5.26, 225.12, kCited},
      {"table-inference", kFb, "ConvE 128", 0.317, 0.230, 0.347, 0.493, 2.74, 235.73, kCited},
      {"table-inference", kWn, "ConvE 128", 0.427, 0.394, 0.437, 0.495, 6.09, 46.08, kCited},
      {"table-inference", kFb, "TransE + GreenKGC 128", 0.339, 0.253, 0.364, 0.503, 2.42, 205.12},
      {"table-inference", kWn, "TransE + GreenKGC 128", 0.435, 0.391, 0.461, 0.510, 5.84, 40.01},

      {"table-pruning-time", kFb, "DualDE", -1, -1, -1, -1, -1, 3 * 3600 + 30 * 60 + 50, kCited},
      {"table-pruning-time", kWn, "DualDE", -1, -1, -1, -1, -1, 1 * 3600 + 50 * 60, kCited},
      {"table-pruning-time", kYago, "DualDE", -1, -1, -1, -1, -1, 9 * 3600 + 28 * 60 + 20, kCited},
      {"table-pruning-time", kFb, "TransE 512 to 100", -1, -1, -1, -1, -1, 10 * 60 + 50},
      {"table-pruning-time", kWn, "TransE 512 to 100", -1, -1, -1, -1, -1, 6 * 60 + 2},
      {"table-pruning-time", kYago, "TransE 512 to 100", -1, -1, -1, -1, -1, 23 * 60 + 35},
  };
  return rows;
}

std::vector<PaperRow> paper_rows(std::string_view exhibit, std::string_view dataset) {
  std::vector<PaperRow> found;
  for (const PaperRow& row : paper_rows()) {
    if (row.exhibit == exhibit && row.dataset == dataset) found.push_back(row);
  }
  return found;
}

const std::vector<PaperDataset>& paper_datasets() {
  static const std::vector<PaperDataset> datasets = {
      {kWn, 40'943, 11, 86'835, 3'034, 3'134, 3, 3, 1600, 0.1, "embedding"},
      {kFb, 14'541, 237, 272'115, 17'535, 20'466, 5, 5, 1200, 0.2, "ontology"},
      {kYago, 123'143, 37, 1'079'040, 4'978, 4'982, 5, 5, 1200, 0.2, "ontology"},
      {"ogbl-wikikg2", 2'500'604, 535, 16'109'182, 429'456, 598'543, 20, 7, 2000, 0.05, "ontology"},
  };
  return datasets;
}

const std::vector<PaperCategoryRow>& paper_categories() {
  static const std::vector<PaperCategoryRow> rows = {
      {"TransE 32", {0.374, 0.417, 0.037, 0.217, 0.372, 0.023, 0.680, 0.322}, false},
      {"RotatE 32", {0.468, 0.431, 0.066, 0.229, 0.463, 0.057, 0.725, 0.336}, false},
      {"AttH 32", {0.473, 0.432, 0.071, 0.236, 0.472, 0.057, 0.728, 0.343}, kCited},
      {"TransE + GreenKGC 32", {0.478, 0.442, 0.088, 0.243, 0.477, 0.096, 0.754, 0.351}, false},
      {"RotatE + GreenKGC 32", {0.483, 0.455, 0.134, 0.245, 0.486, 0.112, 0.765, 0.353}, false},
  };
  return rows;
}

const std::vector<std::vector<std::string_view>>& paper_groups() {
  static const std::vector<std::vector<std::string_view>> groups = {
      {"_derivationally_related_form", "_also_see", "_member_meronym", "_has_part", "_verb_group",
       "_similar_to"},
      {"_hypernym", "_instance_hypernym", "_synset_domain_topic_of"},
      {"_member_of_domain_usage", "_member_of_domain_region"},
  };
  return groups;
}

const std::vector<PaperScaleRow>& paper_scale() {
  static const std::vector<PaperScaleRow> rows = {
      {"TransE 500", 1250, 0.427, 0.426}, {"RotatE 250", 1250, 0.435, 0.433},
      {"TransE 100", 250, 0.247, 0.262},  {"TransE + GreenKGC 100", 250, 0.339, 0.331},
      {"RotatE 50", 250, 0.225, 0.253},   {"RotatE + GreenKGC 50", 250, 0.341, 0.336},
  };
  return rows;
}

}  // namespace greenkgc
