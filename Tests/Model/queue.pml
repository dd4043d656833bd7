/*
 * An erasure queue: many workers, one database, and requests to erase people's data, as a model
 * for Spin.
 *
 * Read `worker` from `end_claim` to `settle`: its labels are the steps of one run, in their order.
 * Everything else is what they have to survive: a worker can die, or be paused for any time,
 * between any two of its steps; heartbeats and their answers are late or lost; a request that was
 * sent is carried out later, or never, whether its sender still lives or not.
 *
 * Four claims are checked in every state that can be reached:
 *
 *   1  Nobody is forgotten: wherever all comes to rest, each request is settled, with evidence and
 *      with nothing left of the person, or parked for an operator to see.
 *   2  Only the word of the present holder is taken: nothing that the database accepts comes from
 *      somebody whose place another one has taken.
 *   3  Nobody is touched by two at once: who decides to send is the present holder, and still is
 *      when the service carries the request out, unless its process was paused in between.
 *   4  What the service carries out was written down before it was sent.
 *
 * README.md beside this file says what is assumed, what is left out, and what each macro breaks.
 * `scripts/model` checks all of it.
 */

#define WORKERS  3
#define PEOPLE   2

/* How often a request is claimed before it is parked. Each death costs one. */
#ifndef ATTEMPTS
#define ATTEMPTS 2
#endif

/* Ages of a lease, in steps of time: its holder sends nothing more at STOP, and another one may
   take over at EXPIRED. A request that was sent is answered or given up within one step. */
#define STOP     1
#define EXPIRED  2

#define NOBODY   WORKERS    /* holds what a dead worker held: no heartbeat comes for it */
#define later(age) ((age) < EXPIRED -> (age) + 1 : EXPIRED)

mtype = { ready, leased, settled, parked };

/* The database. */
mtype state[PEOPLE] = ready;
byte holder[PEOPLE] = NOBODY;
byte attempt[PEOPLE];       /* claims so far; also tells one holder from the next, for the claims */
byte fence[PEOPLE];         /* raised at each claim; every word has to carry it */
bool intent[PEOPLE];        /* what may have been sent is written down */
bool evidence[PEOPLE];
byte age[WORKERS];          /* since the worker's last heartbeat, by the database's clock */
bool isDead[WORKERS];       /* declared dead: its heartbeats are refused */

/* The service. */
bool there[PEOPLE] = true;  /* what the person has */
bool isUnderWay[WORKERS];   /* a request of that worker */
byte whose[WORKERS];        /* whom it is for */
byte sentAt[WORKERS];       /* the attempt in which it was sent */
byte steps[WORKERS];        /* how long it is under way */

/* The workers, as far as time and heartbeats touch them. */
bool isIdle[WORKERS] = true;
byte own[WORKERS];          /* since the last heartbeat that was answered, by the worker's clock */
bool isAboutToSend[WORKERS];
bool isLate[WORKERS];       /* it was paused between its last look at the clock and its sending */

/* What must never be. */
bool isForgotten;
bool isOvertaken;
bool isShared;
bool isUnwritten;

/* ------------------------------------------------------------------------------- one worker */

/* Idle workers are all alike, so that it is enough when the first of them claims. */
#define isFree(w) (isIdle[w] && !isUnderWay[w])
#define isFirst(w) (isFree(w) && (w == 0 || !isFree(0)) && (w <= 1 || !isFree(1)))

/* Whether the database takes a word; `settle` asks in its own way. */
#define isAccepted (state[p] == leased && fence[p] == mine)
#ifdef LEASE_NOT_CHECKED
#define isAcceptedLast (state[p] == leased)
#else
#define isAcceptedLast isAccepted
#endif

inline word() {
    isOvertaken = turn != attempt[p];
    assert(!isOvertaken)                                                /* claim 2 */
}

/* Whatever the worker knew is gone; its lease is nobody's now, and runs out. It starts again under
   a new name. */
inline forget() {
    if
    :: state[p] == leased && holder[p] == w && turn == attempt[p] -> holder[p] = NOBODY
    :: else
    fi;
    p = 0; mine = 0; turn = 0;
    age[w] = 0; own[w] = 0;
    isDead[w] = false; isAboutToSend[w] = false;
    isIdle[w] = true
}

/* A worker can die before each of its steps. */
#define orDie true -> printf("worker %d dies\n", w); goto over

proctype worker(byte w) {
    byte p;                 /* the person */
    byte mine;              /* the fence of the claim */
    byte turn;              /* the attempt of the claim; nobody decides by it */

end_claim:
    atomic {
        isFirst(w) && (state[0] == ready || state[1] == ready) ->
        if
        :: state[0] == ready -> p = 0
        :: state[1] == ready -> p = 1   /* the other one may be locked at this moment */
        fi;
        state[p] = leased;
        holder[p] = w;
        attempt[p]++;
#ifndef CLAIM_WITHOUT_FENCE
        fence[p]++;
#endif
        mine = fence[p]; turn = attempt[p];
        isIdle[w] = false;
        printf("worker %d claims person %d, fence %d\n", w, p, mine);
look:
        printf("worker %d looks: %d there of person %d\n", w, there[p], p);
        if
        :: there[p]
        :: else -> goto settle
        fi
    };
#ifndef SEND_BEFORE_INTENT
intend:
    atomic {
        if
        :: isAccepted -> word(); intent[p] = true; printf("worker %d writes its intent\n", w)
        :: !isAccepted -> goto over
        :: orDie
        fi
    };
#endif
decide:
    atomic {
        if
#ifndef NO_SELF_STOP
        :: own[w] >= STOP -> printf("worker %d stops itself\n", w); goto over
        :: own[w] < STOP
#else
        :: true
#endif
        :: orDie
        fi;
        isShared = turn != attempt[p];
        assert(!isShared);                                              /* claim 3 */
        isAboutToSend[w] = true; isLate[w] = false
    };
send:
    atomic {
        if
        :: isAboutToSend[w] = false;
            isUnderWay[w] = true; whose[w] = p; sentAt[w] = turn; steps[w] = 0;
            printf("worker %d sends for person %d\n", w, p)
        :: orDie
        fi
    };
note:
    atomic {
        if
        :: !isUnderWay[w] && isAccepted -> word(); intent[p] = true; goto look
        :: !isUnderWay[w] && !isAccepted -> goto over
        :: orDie
        fi
    };
settle:
    atomic {
        if
        :: isAcceptedLast ->
            word();
            state[p] = settled;
            holder[p] = NOBODY;
#ifndef EVIDENCE_AFTER
            evidence[p] = true;
#endif
            printf("worker %d settles person %d\n", w, p)
        :: !isAcceptedLast -> goto over
        :: orDie
        fi
    };
#ifdef EVIDENCE_AFTER
    atomic {
        if
        :: evidence[p] = true
        :: orDie
        fi
    };
#endif
over:
    atomic { forget(); goto end_claim }
}

/* ------------------------------------------------------------------- what they have to survive */

/* Time passes for a lease; heartbeats are taken, and answered at some time or never. Each worker's
   time goes on by itself: nothing compares the time of two. */
proctype time(byte w) {
end:
    do
    :: atomic {     /* a request under way is given up before a second step of time */
            !isIdle[w] && (age[w] < EXPIRED || own[w] < EXPIRED) &&
            !(isUnderWay[w] && steps[w] == 1 && !isLate[w]) ->
            age[w] = later(age[w]);
            own[w] = later(own[w]);
            if
            :: isUnderWay[w] && !isLate[w] -> steps[w]++
            :: else
            fi;
            isLate[w] = isLate[w] || isAboutToSend[w];
            printf("time: lease of %d is %d old, %d by its own clock\n", w, age[w], own[w])
        }
    :: atomic {     /* the database takes a heartbeat, unless it has declared the worker dead */
            !isIdle[w] && age[w] > 0 ->
            if
            :: isDead[w] -> own[w] = EXPIRED; age[w] = EXPIRED
            :: else -> age[w] = 0; printf("heartbeat of %d\n", w)
            fi
        }
#ifdef HEARTBEAT_FORGOTTEN
    :: atomic {     /* the server was killed, and the heartbeat that it had answered was not on disk */
            !isIdle[w] && age[w] < EXPIRED ->
            age[w] = EXPIRED;
            printf("the database forgets the heartbeat of %d\n", w)
        }
#endif
    :: atomic {     /* its answer comes, now or later; the worker counts from when it sent it */
            age[w] < own[w] && !isDead[w] ->
#ifdef AGE_FROM_ANSWER
            own[w] = 0
#else
            own[w] = age[w]
#endif
        }
    od
}

/* Whether a request may still be under way that was sent in time for the lease that is nobody's. */
#define isSentFor(w, q) \
    (isUnderWay[w] && whose[w] == q && sentAt[w] == attempt[q] && !isLate[w])
#define isRunOut(q) \
    ((holder[q] == NOBODY && !isSentFor(0, q) && !isSentFor(1, q) && !isSentFor(2, q)) || \
     (holder[q] != NOBODY && age[holder[q]] == EXPIRED))

/* Any worker gives back what the dead hold. */
proctype reaper(byte q) {
end:
#ifndef NO_REAP
    do
    :: atomic {
#ifdef WRONG_CLOCK
            state[q] == leased ->       /* by a clock of its own, which says anything */
#else
            state[q] == leased && isRunOut(q) ->
#endif
            if
            :: holder[q] != NOBODY -> isDead[holder[q]] = true
            :: else
            fi;
            holder[q] = NOBODY;
            if
            :: attempt[q] == ATTEMPTS -> state[q] = parked
            :: else -> state[q] = ready
            fi;
            printf("person %d is taken from the dead\n", q)
        }
    od
#else
    false
#endif
}

/* The service carries a request out, or it is lost. */
proctype service() {
    byte w;
end:
    do
    :: atomic {
            if
            :: isUnderWay[0] -> w = 0
            :: isUnderWay[1] -> w = 1
            :: isUnderWay[2] -> w = 2
            fi;
            if
            ::
#ifdef PAUSE_COUNTS
                isShared = sentAt[w] != attempt[whose[w]];
#else
                isShared = !isLate[w] && sentAt[w] != attempt[whose[w]];
#endif
                assert(!isShared);                                      /* claim 3 */
                isUnwritten = !intent[whose[w]];
                assert(!isUnwritten);                                   /* claim 4 */
                there[whose[w]] = false;
                printf("the service deletes what person %d has\n", whose[w])
            :: printf("the request of %d is lost\n", w)
            fi;
            isUnderWay[w] = false; isLate[w] = false;
            whose[w] = 0; sentAt[w] = 0; steps[w] = 0; w = 0
        }
    od
}

#define isFine(q) (state[q] == parked || (state[q] == settled && evidence[q] && !there[q]))

/* All has come to rest. */
proctype rest() {
    atomic {
        timeout ->
        isForgotten = !isFine(0) || !isFine(1);
        assert(!isForgotten)                                            /* claim 1 */
    }
}

init {
    atomic {
        run worker(0); run worker(1); run worker(2);
        run time(0); run time(1); run time(2);
        run reaper(0); run reaper(1);
        run service();
        run rest()
    }
}
