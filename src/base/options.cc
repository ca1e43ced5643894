#include "greenkgc/options.h"
