#ifndef CKSWEEP_CPOSTGRESQL_SHIM_H
#define CKSWEEP_CPOSTGRESQL_SHIM_H
#include <libpq-fe.h>

/* Fields of an error; <postgres_ext.h> has them as character constants, which Swift does not import. */
static inline const char *cksweep_pq_state(const PGresult *r) {
    return PQresultErrorField(r, PG_DIAG_SQLSTATE);
}
static inline const char *cksweep_pq_severity(const PGresult *r) {
    return PQresultErrorField(r, PG_DIAG_SEVERITY_NONLOCALIZED);
}
static inline const char *cksweep_pq_message(const PGresult *r) {
    return PQresultErrorField(r, PG_DIAG_MESSAGE_PRIMARY);
}
static inline const char *cksweep_pq_constraint(const PGresult *r) {
    return PQresultErrorField(r, PG_DIAG_CONSTRAINT_NAME);
}

/* Notices would go to standard error. */
static void cksweep_pq_ignore(void *context, const PGresult *result) {
    (void)context;
    (void)result;
}
static inline void cksweep_pq_ignore_notices(PGconn *c) {
    PQsetNoticeReceiver(c, cksweep_pq_ignore, NULL);
}
#endif
