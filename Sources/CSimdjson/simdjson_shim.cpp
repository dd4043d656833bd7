#include "cksweep_simdjson.h"
