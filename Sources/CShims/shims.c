#include "cksweep_shims.h"
