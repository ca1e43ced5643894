#pragma once

#include "tensors/safetensors.h"

namespace greenkgc::features {

// How a relation's phase (RotatE) stands among a triple's variables.
enum class PhaseForm {
  kAngle,   // one variable in [-pi, pi], as in the paper's table (n_r = 1)
  kCosSin,  // two, as in the features that the paper's authors published
};

void set_phase_form(tensors::SafetensorsWriter& writer, PhaseForm form);
PhaseForm read_phase_form(const tensors::SafetensorsFile& file);  // throws kCorrupt

}  // namespace greenkgc::features
