#ifndef CKSWEEP_SHIMS_H
#define CKSWEEP_SHIMS_H
/* System calls and macros that Swift does not import. No logic here. */
#include <stdint.h>
#endif
