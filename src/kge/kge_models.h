#pragma once

#include "kge/kge_model.h"

namespace greenkgc::kge {

// One per file; kge_model.cc has the table.
const KgeModel& transe();
const KgeModel& distmult();
const KgeModel& complex();
const KgeModel& rotate();

}  // namespace greenkgc::kge
