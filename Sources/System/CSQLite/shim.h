#ifndef CKSWEEP_CSQLITE_SHIM_H
#define CKSWEEP_CSQLITE_SHIM_H
#include <sqlite3.h>

/* SQLITE_TRANSIENT is a cast macro, which Swift does not import. */
static inline int cksweep_bind_text(sqlite3_stmt *s, int i, const char *t, int n) {
    return sqlite3_bind_text(s, i, t, n, SQLITE_TRANSIENT);
}
static inline int cksweep_bind_blob(sqlite3_stmt *s, int i, const void *b, int n) {
    return n == 0 ? sqlite3_bind_zeroblob(s, i, 0) : sqlite3_bind_blob(s, i, b, n, SQLITE_TRANSIENT);
}

/* Counting every allocation takes a lock each time; nobody here asks for the count. Variadic, so
   Swift does not import it. Must come before the first database is opened. */
static inline int cksweep_sqlite_stop_counting(void) {
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}
#endif
