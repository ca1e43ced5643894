#pragma once

#include "evidence/family.h"

namespace greenkgc::evidence {

// Each in the file of its name.
Family first_stage_family();
Family range_family();
Family degree_family();
Family type_family();
Family link_family();
Family attribute_family();
Family near_attribute_family();
Family near_embedding_family();
Family path_family();
Family mirror_family();
Family stroll_family();
Family walk_family();

}  // namespace greenkgc::evidence
