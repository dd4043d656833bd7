#ifndef CKSWEEP_SIMDJSON_H
#define CKSWEEP_SIMDJSON_H
#include <stdint.h>
#endif
