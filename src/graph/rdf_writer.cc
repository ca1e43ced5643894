#include "graph/rdf.h"
