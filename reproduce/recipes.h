#pragma once

#include <string>
#include <vector>

#include "exhibit.h"

namespace greenkgc {

// How an exhibit of the paper is made. One function of this kind for each; the files are by what they show.
using MakeExhibit = Exhibit (*)(const Reproducible& what, Workshop& workshop);

// data_exhibits.cc: graphs and models themselves.
Exhibit make_dataset_table(const Reproducible& what, Workshop& workshop);
Exhibit make_group_table(const Reproducible& what, Workshop& workshop);
Exhibit make_model_table(const Reproducible& what, Workshop& workshop);

// result_exhibits.cc: methods against each other.
Exhibit make_low_dimension_table(const Reproducible& what, Workshop& workshop);
Exhibit make_baseline_table(const Reproducible& what, Workshop& workshop);
Exhibit make_scale_table(const Reproducible& what, Workshop& workshop);
Exhibit make_category_table(const Reproducible& what, Workshop& workshop);
Exhibit make_inference_table(const Reproducible& what, Workshop& workshop);
Exhibit make_pruning_time_table(const Reproducible& what, Workshop& workshop);

// ablation_exhibits.cc: one choice varied.
Exhibit make_pruning_table(const Reproducible& what, Workshop& workshop);
Exhibit make_negatives_table(const Reproducible& what, Workshop& workshop);
Exhibit make_group_figure(const Reproducible& what, Workshop& workshop);
Exhibit make_parameter_figure(const Reproducible& what, Workshop& workshop);
Exhibit make_dimension_figure(const Reproducible& what, Workshop& workshop);

// inside_exhibits.cc: what goes on within a training.
Exhibit make_group_entropy_figure(const Reproducible& what, Workshop& workshop);
Exhibit make_histogram_figure(const Reproducible& what, Workshop& workshop);
Exhibit make_discriminability_figure(const Reproducible& what, Workshop& workshop);
Exhibit make_score_figure(const Reproducible& what, Workshop& workshop);
Exhibit make_training_figure(const Reproducible& what, Workshop& workshop);

// Ours under both protocols.
MeasuredRow measure(Workshop& workshop, const Artefact& artefact);
// The file that makes a method of paper_rows(): "TransE 100", "RotatE + GreenKGC 32".
Artefact made_by(Workshop& workshop, const std::string& dataset, std::string_view method);

inline constexpr std::int64_t kPaperDims = 500;  // of the embedding before pruning

}  // namespace greenkgc
