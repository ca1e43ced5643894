#include "graph/known_facts.h"
