#pragma once

// The whole public API.
#include "greenkgc/context.h"
#include "greenkgc/dataset.h"
#include "greenkgc/decide.h"
#include "greenkgc/embed.h"
#include "greenkgc/embeddings.h"
#include "greenkgc/error.h"
#include "greenkgc/evaluate.h"
#include "greenkgc/files.h"
#include "greenkgc/generate.h"
#include "greenkgc/ids.h"
#include "greenkgc/options.h"
#include "greenkgc/prune.h"
#include "greenkgc/score.h"
#include "greenkgc/stats.h"
#include "greenkgc/train.h"
#include "greenkgc/version.h"
