#include "graph/statistics.h"
