#ifndef CKSWEEP_THREADS_H
#define CKSWEEP_THREADS_H
/* Names the calling thread for debuggers and /proc; longer names are cut to 15 bytes.
   pthread_setname_np needs _GNU_SOURCE, which Swift's Glibc module is built without. */
void cksweep_name_this_thread(const char *name);
#endif
