/*
 * One sweep, from the first look to the last word, as a model for Spin.
 *
 * Read `client` from `look` to `tell`: its labels are the engine's stages, in their order.
 * Everything else is what a sweep has to survive: a service whose lists lag behind its writes
 * and whose answers get lost, a second device that uploads again, a session that changes person,
 * and a process that can die between any two of its steps.
 *
 * Three claims are checked in every state that can be reached:
 *
 *   1  Where the client tells `done`, nothing is there that was there before the last look:
 *      of the approved plan, nothing from before that look began; of what came later,
 *      nothing from before the pause in front of it began.
 *   2  Nothing outside the approved plan is ever sent.
 *   3  Nothing of another person is ever deleted.
 *
 * README.md beside this file says what is assumed, what is left out, and what each macro breaks.
 * `scripts/model` checks all of it.
 */

/* Bounds: how often somebody starts the client, the second device uploads something, and the
   session changes person. */
#define STARTS  3
#define UPLOADS 2
#define CHANGES 2

/* Clean passes in a row that make a proof. */
#ifdef ONE_PASS
#define PASSES  1
#else
#define PASSES  2
#endif

/* What a person can have. A set of these is one byte. */
#define ZONE_A       1
#define ZONE_B       2
#define RECORD       4      /* in the default zone: only a query for its type lists it */
#define SUBSCRIPTION 8      /* the only thing that names the type of RECORD */
#define ZONES        (ZONE_A | ZONE_B)

#define ANN 0               /* the person whose data is to go */
#define BOB 1               /* has things with the same names */

/* The service. */
byte there;                 /* what Ann has */
byte recent;                /* changed since the last pause: a list may show it or not */
byte unlisted;              /* there, but on no list: its deletion was accepted and not done */
bit session = ANN;          /* for whom it carries out requests */

/* The journal. It survives the client. */
bool isApproved;            /* a person has seen a plan and said yes */
byte approved;              /* what that plan names */
byte meant;                 /* intent: what requests may have been sent for */
bool knowsType;             /* that RECORD's type exists */

/* For the claims and the bounds. Nobody decides by these. */
byte late;                  /* uploaded too late for the last look to have to see it */
bool isAsked = true;        /* the session has not changed since somebody asked who it is */
bool isKilled;
byte starts = 1;
byte uploads;
byte changes;

/* ---------------------------------------------------------------------------- the service */

inline maybe(item) {
    if
    :: seen = seen | (recent & (item))
    :: skip
    fi
}

/* What a list shows: everything old, and of what is recent anything. In Bob's session it is
   empty; a full one would name its owner and so be refused. */
inline list(what) {
    atomic {
        if
        :: session == ANN ->
            seen = seen | (there & ~recent & ~unlisted & (what));
            maybe(ZONE_A & (what));
            maybe(ZONE_B & (what));
            maybe(RECORD & (what));
            maybe(SUBSCRIPTION & (what))
        :: else
        fi;
        printf("lists of %d: seen so far %d\n", what, seen)
    }
}

/* What a thing itself answers (`changes/zone`, `records/lookup`): the truth. */
inline askFor(what) {
    atomic {
        if
        :: session == ANN -> seen = seen | (there & (what))
        :: else
        fi;
        printf("asked for %d by name: seen so far %d\n", what, seen)
    }
}

inline carryOut(item) {
    if
    :: session == ANN ->
        recent = recent | (there & (item));
        there = there & ~(item);
        unlisted = unlisted & ~(item)
    :: else ->
        /* The request names Ann's zone, and Bob has none of hers. Only a subscription's cannot. */
        printf("the request to delete %d is for Bob\n", item);
#ifdef OWNER_NOT_NAMED
        assert(session == ANN)                                          /* claim 3 */
#else
        assert(session == ANN || (item) != SUBSCRIPTION)                /* claim 3 */
#endif
    fi
}

/* One deletion: carried out or not, answered or not. Without an answer it is sent again. */
inline send(item) {
    assert((approved & (item)) != 0);                                   /* claim 2 */
    if
    :: true -> carryOut(item); printf("deleted %d\n", item)
    :: true -> carryOut(item); printf("deleted %d, but the answer is lost\n", item); goto delete
    :: printf("request to delete %d lost\n", item); goto delete
    :: printf("deletion of %d refused\n", item)
    :: session == ANN && (item) != SUBSCRIPTION ->
        unlisted = unlisted | (there & (item));
        printf("deletion of %d accepted, and not done\n", item)
    fi
}

/* ----------------------------------------------------------------------------- the client */

/* Who is signed in? Anybody else ends the run. */
inline askWho() {
    atomic {
        isAsked = true;
        printf("who is signed in? %d\n", session);
        if
        :: session == ANN
        :: else -> goto refused
        fi
    }
}

#ifdef PERSON_NOT_ASKED_AGAIN
#define askWhoAgain() skip
#else
#define askWhoAgain() askWho()
#endif

/* Everything that lists show: first what tells of types, then what is found by type. */
inline lookEverywhere() {
    list(ZONES);
    list(SUBSCRIPTION);
#ifdef TYPE_FORGOTTEN
    knowsType = (seen & SUBSCRIPTION) != 0;
#else
    knowsType = knowsType || (seen & SUBSCRIPTION) != 0;
#endif
    if
    :: knowsType -> list(RECORD)
    :: else
    fi
}

/* Everything that was meant to go, asked for by its name, whatever came of its step. */
inline askForWhatWasMeant() {
#ifndef ZONE_LIST_ONLY
    askFor(meant & ZONES);
#endif
    askFor(meant & RECORD)
}

proctype client() {
    byte seen;              /* what a look has found so far */
    byte steps;             /* what is to be deleted and not settled yet */
    byte item;              /* the step under way */
    byte clean;             /* clean passes in a row */

start:
    /* `plan`, `apply` and `resume` are this one path. It can end before any of its steps. */
    {
        /* What is not in the journal is forgotten. */
        atomic { seen = 0; steps = 0; item = 0; clean = 0 };

look:
        askWho();
        lookEverywhere();

plan:
        atomic { steps = seen; seen = 0 };
        if
        :: !isApproved ->   /* this was `plan`: the person looks at it, and calls `apply` */
            atomic {
                isApproved = true;
                approved = steps;
                printf("a person approves %d\n", approved);
                steps = 0;
                goto look
            }
        :: else
        fi;

clear:
        askWhoAgain();
#ifndef PLAN_NOT_COVERED
        if
        :: (steps & ~approved) != 0 -> goto refused
        :: else
        fi;
#endif

begin:
#ifndef OUTCOME_BEFORE_INTENT
        meant = approved;
#endif

next:
        if
        :: steps == 0 -> goto prove
        :: (steps & ZONE_A) != 0 -> item = ZONE_A
        :: (steps & ZONE_B) != 0 -> item = ZONE_B
        :: (steps & RECORD) != 0 -> item = RECORD
        :: (steps & SUBSCRIPTION) != 0 -> item = SUBSCRIPTION
        fi;

delete:
        atomic {
            if
            :: item == SUBSCRIPTION -> askWhoAgain()
            :: else
            fi;
            send(item)
        };

settle:
        atomic {
#ifdef OUTCOME_BEFORE_INTENT
            meant = meant | item;
#endif
            steps = steps & ~item;      /* how it ended is for the report; nothing relies on it */
            item = 0;
            goto next
        };

prove:
#ifdef PAUSE_FIRST
        goto pause;
#else
        late = 0;
#endif
pass:
        late = late & ~approved;
#ifdef PERSON_ASKED_FIRST
        askWhoAgain();
#endif
        lookEverywhere();
        askForWhatWasMeant();
#ifndef PERSON_ASKED_FIRST
        askWhoAgain();                  /* last, so that it vouches for all that was read */
#endif
        if
        :: seen != 0 -> atomic { clean = 0; seen = 0 }
        :: else -> clean++
        fi;
        if
        :: clean == PASSES -> goto tell
        :: else
        fi;
pause:
        atomic {
#ifndef LAG_BEYOND_PAUSE
            recent = 0;
#endif
            late = 0;
            printf("pause\n");
            if
            :: goto pass
            :: clean == 0 -> goto left  /* what is left does not go away by waiting */
            fi
        };

tell:
        printf("done\n");
        assert((there & ~late) == 0);                                   /* claim 1 */
        goto over
    } unless {
        atomic { isKilled -> isKilled = false; printf("killed\n") }
    };
    goto start;

left:
refused:
    atomic {
        if
        :: starts < STARTS -> starts++; goto start
        :: goto over
        fi
    };
over:
    skip
}

/* -------------------------------------------------------------------- what it has to survive */

/* The client ends between two of its steps, and somebody starts it again. */
proctype death() {
end:
    do
    :: atomic { starts < STARTS && !isKilled -> starts++; isKilled = true }
    od
}

inline upload(item) {
    there = there | item;
    recent = recent | item;
    late = late | item;
    printf("the other device uploads %d\n", item)
}

/* Another device of Ann's uploads what is not there: it was deleted, or is new. */
proctype device() {
end:
    do
    :: atomic {
            uploads < UPLOADS -> uploads++;
            if
            :: (there & ZONE_A) == 0 -> upload(ZONE_A)
            :: (there & ZONE_B) == 0 -> upload(ZONE_B)
            :: (there & RECORD) == 0 -> upload(RECORD)
            :: skip
            fi
        }
    od
}

/* The session becomes the other person's; not there and back again between two questions. */
proctype login() {
end:
    do
    :: atomic {
#ifdef THERE_AND_BACK
            changes < CHANGES -> changes++;
#else
            changes < CHANGES && isAsked -> changes++;
#endif
            isAsked = false;
            session = 1 - session;
            printf("the session is now that of %d\n", session)
        }
    od
}

/* Ann has the subscription, and any of the rest. */
init {
    atomic {
        there = SUBSCRIPTION;
        if :: there = there | ZONE_A :: skip fi;
        if :: there = there | ZONE_B :: skip fi;
        if :: there = there | RECORD :: skip fi;
        run client();
        run death();
        run device();
        run login()
    }
}
