#ifndef CKSWEEP_CFUZZER_H
#define CKSWEEP_CFUZZER_H
#include <stddef.h>
#include <stdint.h>
/* libFuzzer's loop, for programs with an entry point of their own. */
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*callback)(const uint8_t *data, size_t size));
#endif
