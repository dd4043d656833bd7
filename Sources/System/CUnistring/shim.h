#ifndef CKSWEEP_CUNISTRING_SHIM_H
#define CKSWEEP_CUNISTRING_SHIM_H
#include <uninorm.h>

/* UNINORM_NFD is a macro over an address, which Swift does not import. The result is the caller's
   to free; NULL when there is no memory. */
static inline uint8_t *cksweep_decomposed(const uint8_t *text, size_t count, size_t *result_count) {
    return u8_normalize(UNINORM_NFD, text, count, NULL, result_count);
}
#endif
