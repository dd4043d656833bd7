#ifndef CSYNCCOUNTER_H
#define CSYNCCOUNTER_H

/* What this process syncs to the disk in some folders, and a disk that takes its time. */

/// Counts what is synced in a folder, which must be there, from now on. Gives the watch's number; ends
/// the process where there are too many.
int csynccounter_watch(const char *folder);

/// How often something in the folder was synced so far.
int csynccounter_count(int watch);

/// Lets what is synced in the folder wait from now on, until it is released; ten seconds at most.
void csynccounter_hold(int watch);
void csynccounter_release(int watch);

/// How often somebody waited for all of the ten seconds.
int csynccounter_overdue(int watch);

/// Ends a watch.
void csynccounter_end(int watch);

#endif
