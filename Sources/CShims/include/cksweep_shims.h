#ifndef CKSWEEP_SHIMS_H
#define CKSWEEP_SHIMS_H
/* System calls and macros that Swift does not import. No logic here, beside the pool. */
#include "cksweep_pool.h"
#include <stdint.h>
#endif
