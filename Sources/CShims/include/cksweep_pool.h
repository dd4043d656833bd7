#ifndef CKSWEEP_POOL_H
#define CKSWEEP_POOL_H
/* Memory for a library that asks for the same sizes again and again, on one thread. A block that is
   given back is kept for the next of its size, so that neither costs a search; large ones, and those
   above a bound, go back to the system. The functions look as nghttp2 wants them. */
#include <stddef.h>

/* NULL when there is no memory. */
void *cksweep_pool_make(void);
/* All its blocks must have been given back. */
void cksweep_pool_end(void *pool);

void *cksweep_pool_malloc(size_t size, void *pool);
void *cksweep_pool_calloc(size_t count, size_t size, void *pool);
void *cksweep_pool_realloc(void *memory, size_t size, void *pool);
void cksweep_pool_free(void *memory, void *pool);
#endif
