#ifndef CTOOLRUNNER_H
#define CTOOLRUNNER_H

/* Starts a program found on PATH with these descriptors as its standard streams (-1: /dev/null) and
   no other, in `folder` unless that is NULL. The child's ID, or a negative error number. */
int ctoolrunner_spawn(char *const arguments[], char *const environment[], const char *folder,
    const int streams[3]);

/* Waits for a child's exit status; 128 and the signal's number when one ended it. One that runs for
   longer than this is killed. */
int ctoolrunner_wait(int child, int seconds);

/* Waits until a child has ended, and leaves it unreaped. */
void ctoolrunner_wait_for_end(int child);

#endif
