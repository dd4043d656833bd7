import PostgreSQL

/// The tables, as steps from one version to the next. A step that was released is never changed.
package enum QueueSchema {
    /// Raised by the functions below.
    static let fenced = SQLState("CKF01")
    static let declaredDead = SQLState("CKF02")
    static let wrongVersion = SQLState("CKF03")

    /// The version of this program.
    package static var version: Int64 { Int64(steps.count) }

    /// Held while the schema is changed.
    static let lock = Statement("SELECT pg_advisory_xact_lock(7001)")

    static let beginning = [
        lock,
        Statement("CREATE TABLE IF NOT EXISTS meta (key text PRIMARY KEY, value bigint NOT NULL)"),
        Statement("INSERT INTO meta VALUES ('version', 0) ON CONFLICT DO NOTHING"),
    ]

    static let steps: [[String]] = [[workers, requests, ready, held, open, notes, buckets] + rules]

    private static let workers = """
        CREATE TABLE workers (
            id bytea PRIMARY KEY CHECK (octet_length(id) = 16),
            seen timestamptz NOT NULL,
            is_dead boolean NOT NULL DEFAULT false
        ) WITH (fillfactor = 50)
        """

    private static let requests = """
        CREATE TABLE requests (
            id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            person bytea NOT NULL CHECK (octet_length(person) = 32),
            content bytea NOT NULL CHECK (octet_length(content) = 32),
            sealed bytea CHECK (octet_length(sealed) <= 70000),
            received timestamptz NOT NULL,
            due timestamptz NOT NULL,
            not_before timestamptz NOT NULL DEFAULT '-infinity',
            state smallint NOT NULL DEFAULT 0 CHECK (state BETWEEN 0 AND 4),
            attempt bigint NOT NULL DEFAULT 0,
            fence bigint NOT NULL DEFAULT 0,
            holder bytea,
            status smallint,
            ended timestamptz,
            evidence bytea CHECK (octet_length(evidence) <= 4000000),
            CHECK ((state = 1) = (holder IS NOT NULL)),
            CHECK ((state = 2) = (evidence IS NOT NULL)),
            CHECK ((state IN (2, 4)) = (ended IS NOT NULL)),
            CHECK ((state IN (2, 4)) = (sealed IS NULL))
        ) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01)
        """

    private static let ready = "CREATE INDEX requests_ready ON requests (due, id) WHERE state = 0"

    /// Nobody is touched by two at once, whatever the statements above this do.
    private static let held =
        "CREATE UNIQUE INDEX requests_held ON requests (person) WHERE state = 1"

    /// The same request for the same person stands in the queue once.
    private static let open = """
        CREATE UNIQUE INDEX requests_open ON requests (person, content) WHERE state IN (0, 1, 3)
        """

    private static let notes = """
        CREATE TABLE notes (
            request bigint NOT NULL,
            number bigint NOT NULL CHECK (number > 0),
            fence bigint NOT NULL,
            at timestamptz NOT NULL,
            sealed bytea NOT NULL CHECK (octet_length(sealed) <= 70000),
            PRIMARY KEY (request, number)
        )
        """

    private static let buckets = """
        CREATE TABLE buckets (
            key bytea PRIMARY KEY,
            tokens double precision NOT NULL,
            at timestamptz NOT NULL,
            closed_until timestamptz NOT NULL DEFAULT '-infinity'
        ) WITH (fillfactor = 10)
        """

    private static let rules = [
        """
        CREATE FUNCTION alive(the_worker bytea, the_version bigint) RETURNS void
        LANGUAGE plpgsql AS $$
        BEGIN
            IF NOT EXISTS (SELECT FROM meta WHERE key = 'version' AND value = the_version) THEN
                RAISE EXCEPTION 'wrong version' USING ERRCODE = 'CKF03';
            END IF;
            UPDATE workers SET seen = clock_timestamp() WHERE id = the_worker AND NOT is_dead;
            IF NOT FOUND THEN
                RAISE EXCEPTION 'declared dead' USING ERRCODE = 'CKF02';
            END IF;
        END $$
        """,
        """
        CREATE FUNCTION hold(the_request bigint, the_worker bytea, the_fence bigint) RETURNS void
        LANGUAGE plpgsql AS $$
        BEGIN
            PERFORM FROM requests
            WHERE id = the_request AND state = 1 AND holder = the_worker AND fence = the_fence
            FOR UPDATE;
            IF NOT FOUND THEN
                RAISE EXCEPTION 'fenced' USING ERRCODE = 'CKF01';
            END IF;
        END $$
        """,
        """
        CREATE FUNCTION take(
            the_key bytea, wanted bigint, rate double precision, cap double precision
        ) RETURNS bigint LANGUAGE plpgsql AS $$
        DECLARE
            bucket buckets;
            moment timestamptz;
            available double precision;
            granted bigint;
        BEGIN
            INSERT INTO buckets (key, tokens, at) VALUES (the_key, cap, clock_timestamp())
            ON CONFLICT DO NOTHING;
            SELECT * INTO STRICT bucket FROM buckets WHERE key = the_key FOR UPDATE;
            moment := greatest(clock_timestamp(), bucket.at);
            IF bucket.closed_until > moment THEN RETURN 0; END IF;
            available := least(
                cap, bucket.tokens + rate * extract(epoch FROM moment - bucket.at));
            granted := least(wanted, floor(available))::bigint;
            UPDATE buckets SET tokens = available - granted, at = moment WHERE key = the_key;
            RETURN granted;
        END $$
        """,
    ]
}
