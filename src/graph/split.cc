#include "graph/split.h"
