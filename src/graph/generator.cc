#include "graph/generator.h"
