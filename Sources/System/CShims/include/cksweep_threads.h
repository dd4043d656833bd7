#ifndef CKSWEEP_THREADS_H
#define CKSWEEP_THREADS_H
#include <stdint.h>

/* Names the calling thread for debuggers and /proc; longer names are cut to 15 bytes.
   pthread_setname_np needs _GNU_SOURCE, which Swift's Glibc module is built without. */
void cksweep_name_this_thread(const char *name);

/* Gives the calling thread a number that no other has. A pthread_t is used again once its thread was
   joined; a number is not. */
void cksweep_number_this_thread(uint64_t number);

/* The number of the calling thread; 0: it was given none. */
uint64_t cksweep_this_thread(void);
#endif
