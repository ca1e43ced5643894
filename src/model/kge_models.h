#pragma once

#include "model/kge_model.h"

namespace greenkgc::model {

// One per file; kge_model.cc has the table.
const KgeModel& transe();
const KgeModel& distmult();
const KgeModel& complex();
const KgeModel& rotate();

}  // namespace greenkgc::model
