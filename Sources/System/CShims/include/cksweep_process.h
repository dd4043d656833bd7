#ifndef CKSWEEP_PROCESS_H
#define CKSWEEP_PROCESS_H
/* What the command line needs of the system and Swift does not import, or imports awkwardly. */
#include <stdint.h>

/* Opens those of the three standard streams that are closed, to nothing: otherwise the next file or
   socket would get their number, and what is printed would go there. Call it first of all. */
void cksweep_open_standard_streams(void);

/* Blocks SIGINT and SIGTERM in this thread and those it will make, and ignores SIGPIPE. Call it
   before any other thread is there. */
void cksweep_block_signals(void);
/* Waits for SIGINT or SIGTERM; its number. */
int cksweep_wait_for_signal(void);
/* Ends the process at once, as _exit does, also where _exit does not: sanitizers put their own in its
   place, which takes its time while other threads go on. */
_Noreturn void cksweep_end_process(int status);

/* Becomes another program, found on PATH unless its name has a slash, with nothing blocked or ignored that
   this one has blocked or ignored. Returns only when that fails: the negative error number. */
int cksweep_become(char *const arguments[], char *const environment[]);

/* Columns of the terminal behind a descriptor; 0 when it is none. */
int cksweep_terminal_width(int descriptor);
/* Waits until a descriptor can be read: 1 readable or ended, 0 time is up, -1 error. */
int cksweep_wait_readable(int descriptor, int milliseconds);
/* Has the disk begin with a range of a file (SYNC_FILE_RANGE_WRITE), and waits for nothing. */
void cksweep_begin_writing(int descriptor, int64_t start, int64_t count);
/* How a byte of a file is held: by nobody, by all who share it, or by one alone. */
enum cksweep_lock { cksweep_lock_none, cksweep_lock_shared, cksweep_lock_alone };
/* Locks one byte of a file for an open file description, or lets go of it (F_OFD_SETLK), without
   waiting: 0, or the error's number; EAGAIN when another one holds it. */
int cksweep_lock_byte(int descriptor, int64_t place, enum cksweep_lock kind);
/* Whether a terminal shows what is typed, from now on; typing that nobody has read is dropped: 0, or
   the error's number. */
int cksweep_set_echo(int descriptor, int is_on);
/* Bytes free to this user on the file system of a path; -1 when it cannot be asked. */
int64_t cksweep_free_bytes(const char *path);

/* This process's environment, "NAME=VALUE" each, ended by NULL; it lives as long as the process, and
   nothing here changes it. */
const char *const *cksweep_environment(void);

/* Starts a program found on PATH in a session of its own, with signals as usual, without our streams
   and files; it lives on after this process. Its ID, or minus the error number. */
int cksweep_spawn_free(char *const arguments[], char *const environment[]);
/* Starts a program found on PATH, with signals as usual, under a keeper: a process between it and
   this one. Once the program has ended, or this process has, however that came, the keeper ends all
   that the program has started and that still runs: it asks with SIGTERM, and kills after a second.
   Then it ends with the program's status. The keeper's ID, or minus the error number; control is what
   to send signals by, and to close once the keeper has ended. */
int cksweep_spawn_kept(char *const arguments[], char *const environment[], int *control);
/* Sends a signal to the program of a keeper; to nobody once it has ended. */
void cksweep_signal_kept(int control, int number);
/* What of a start apart can fail. */
enum cksweep_apart_step {
    cksweep_apart_process = 1, /* a new process, or the program in it */
    cksweep_apart_namespaces,  /* a network and mounts of its own, and a user namespace where needed */
    cksweep_apart_mounts,      /* a file in another's place */
    cksweep_apart_network      /* its loopback interface */
};
/* Starts this program itself once more, in a network of its own, where nothing but the loopback
   interface is, and with some files of its own in place of others': mounts holds pairs of a file and
   the place that it is to be seen at, ended by NULL. It may listen on any port. Its ID, or minus the
   error number and what failed in step. */
int cksweep_spawn_apart(char *const arguments[], char *const environment[], char *const mounts[],
                        int *step);
/* Waits for a child: its exit status, or 128 and the number of the signal that ended it. */
int cksweep_wait_for_child(int child);
#endif
