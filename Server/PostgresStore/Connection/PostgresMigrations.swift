/// The versions of the schema; each script creates a version from the one before.
///
/// Existing scripts must not change, because databases that they created exist. To change the schema, add a script.
enum PostgresMigrations {
    /// The version that the scripts lead to.
    static var version: Int {
        all.count
    }

    /// The key of the advisory lock under which one gateway at a time changes the schema: "WPST".
    private static let lockKey = 0x5750_5354

    /// Creates the schema, or brings an older one to the current version.
    ///
    /// - Throws: `PostgresOpeningError.foreign` or `.unsupportedVersion`, and nothing is changed; `PostgresError`.
    static func run(on connection: PostgresConnection, at address: PostgresAddress) throws {
        try connection.runScript("BEGIN; SELECT pg_advisory_xact_lock(\(lockKey));")
        do {
            let currentVersion = try version(of: connection, at: address)
            for script in all.dropFirst(currentVersion) { try connection.runScript(script) }
            if currentVersion < version { try connection.runScript("UPDATE waypost SET version = \(version)") }
            try connection.runScript("COMMIT")
        } catch {
            try? connection.runScript("ROLLBACK")
            throw error
        }
    }

    /// Returns the version of the schema; 0 if the database is empty.
    private static func version(of connection: PostgresConnection, at address: PostgresAddress) throws -> Int {
        let tables = try connection.run(
            "SELECT to_regclass('waypost') IS NOT NULL, count(*) FROM pg_class WHERE relnamespace = current_schema()::regnamespace"
        )
        guard let row = tables.rows.first, row.integer(1) > 0 else { return 0 }
        guard row.boolean(0) else { throw PostgresOpeningError.foreign(database: address.description) }
        let versions = try connection.run("SELECT version FROM waypost").rows.map { $0.integer(0) }
        let currentVersion = versions.first ?? 0
        guard currentVersion <= version else {
            throw PostgresOpeningError.unsupportedVersion(
                database: address.description,
                version: currentVersion,
                supported: version
            )
        }
        return currentVersion
    }

    private static let all = [first, second, third, fourth, fifth]

    /// A notification has one row: in `item` while it is in an inbox, in `flight` while it is transient and has not
    /// ended, and then in `log`.
    ///
    /// Each row of `lane` is a handle. The counts of a batch are sums over handles, so that gateways do not wait for
    /// each other. A session belongs to a gateway; `late` is the last sequence that another gateway has put into the
    /// inbox, until the session's gateway has sent it. A transient notification belongs to the gateway whose stream has
    /// it or must read it. `timeline` is the timeline of the server at the last connection.
    private static let first = """
        CREATE TABLE waypost (version bigint NOT NULL, timeline bigint NOT NULL);
        INSERT INTO waypost VALUES (0, \(PostgresTimeline.currentSQL));

        CREATE TABLE gateway (
            number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            beats bigint NOT NULL DEFAULT 0,
            address text,
            joined timestamptz NOT NULL DEFAULT now()
        );

        CREATE TABLE lane (
            number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            gateway bigint NOT NULL,
            commits bigint NOT NULL DEFAULT 0
        );

        CREATE TABLE namespace (
            number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            name text NOT NULL UNIQUE,
            clock bigint
        );

        CREATE TABLE agent (
            number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            namespace bigint NOT NULL,
            digest bytea NOT NULL,
            UNIQUE (digest, namespace)
        );
        CREATE INDEX ON agent (namespace);

        CREATE TABLE session (
            agent bigint PRIMARY KEY,
            namespace bigint NOT NULL,
            gateway bigint NOT NULL,
            epoch bigint NOT NULL,
            late bigint
        );
        CREATE INDEX ON session (gateway);
        CREATE SEQUENCE session_epoch;

        CREATE SEQUENCE device_number;
        CREATE TABLE device (
            number bigint PRIMARY KEY,
            namespace bigint NOT NULL,
            token text NOT NULL,
            agent bigint NOT NULL,
            name text NOT NULL,
            standing text NOT NULL,
            since bigint NOT NULL,
            is_constrained boolean NOT NULL,
            topics text[] NOT NULL,
            UNIQUE (namespace, token)
        );
        CREATE INDEX ON device (token);

        CREATE TABLE app (
            namespace bigint NOT NULL,
            topic text NOT NULL,
            storage text NOT NULL,
            PRIMARY KEY (namespace, topic)
        );

        CREATE TABLE batch (
            number bigint PRIMARY KEY,
            namespace bigint NOT NULL,
            id text NOT NULL,
            created bigint NOT NULL,
            settled bigint,
            rejected bigint NOT NULL,
            record bytea,
            UNIQUE (namespace, id)
        );
        CREATE INDEX ON batch (namespace, created) WHERE settled IS NULL;
        CREATE INDEX ON batch (namespace, settled) WHERE settled IS NOT NULL;
        CREATE SEQUENCE batch_number;

        CREATE TABLE tally (
            batch bigint NOT NULL,
            lane bigint NOT NULL,
            accepted bigint NOT NULL,
            stored bigint NOT NULL,
            acknowledged bigint NOT NULL,
            collapsed bigint NOT NULL,
            expired bigint NOT NULL,
            dropped bigint NOT NULL,
            unregistered bigint NOT NULL,
            PRIMARY KEY (batch, lane)
        );

        CREATE TABLE idempotency (
            namespace bigint NOT NULL,
            key text NOT NULL,
            fingerprint bytea NOT NULL,
            batch bigint NOT NULL,
            created bigint NOT NULL,
            PRIMARY KEY (namespace, key)
        );
        CREATE INDEX ON idempotency (namespace, created);

        CREATE SEQUENCE notification_sequence;
        CREATE TABLE item (
            sequence bigint PRIMARY KEY,
            namespace bigint NOT NULL,
            agent bigint NOT NULL,
            batch bigint NOT NULL,
            device bigint NOT NULL,
            topic text NOT NULL,
            push_type text NOT NULL,
            priority bigint NOT NULL,
            expiration bigint,
            deadline bigint,
            collapse_id text,
            slot text,
            is_loose boolean NOT NULL,
            id text NOT NULL,
            payload bytea NOT NULL,
            findings text,
            attempts bigint NOT NULL DEFAULT 0,
            first_sent bigint,
            last_sent bigint
        );
        CREATE INDEX item_agent ON item (agent, sequence);
        CREATE INDEX item_id ON item (namespace, id);
        CREATE UNIQUE INDEX item_slot ON item (device, topic, slot) WHERE slot IS NOT NULL;
        CREATE INDEX item_deadline ON item (namespace, deadline) WHERE deadline IS NOT NULL;
        CREATE INDEX item_loose ON item (agent) WHERE is_loose;
        CREATE INDEX item_device ON item (device, sequence);

        CREATE TABLE flight (
            sequence bigint PRIMARY KEY,
            namespace bigint NOT NULL,
            agent bigint NOT NULL,
            batch bigint NOT NULL,
            device bigint NOT NULL,
            topic text NOT NULL,
            push_type text NOT NULL,
            priority bigint NOT NULL,
            collapse_id text,
            id text NOT NULL,
            payload bytea NOT NULL,
            gateway bigint NOT NULL,
            is_unread boolean NOT NULL
        );
        CREATE INDEX flight_agent ON flight (agent, sequence);

        CREATE TABLE log (
            sequence bigint PRIMARY KEY,
            namespace bigint NOT NULL,
            batch bigint NOT NULL,
            state text NOT NULL,
            ended bigint,
            device bigint,
            topic text,
            push_type text,
            priority bigint,
            expiration bigint,
            collapse_id text,
            id text,
            attempts bigint NOT NULL DEFAULT 0,
            first_sent bigint,
            last_sent bigint,
            token text,
            status bigint,
            reason text,
            message text,
            findings text
        );
        CREATE INDEX log_id ON log (namespace, id) WHERE id IS NOT NULL;
        CREATE INDEX log_device ON log (device, sequence) WHERE device IS NOT NULL;
        CREATE INDEX log_token ON log (namespace, token, sequence) WHERE token IS NOT NULL;
        CREATE INDEX log_ended ON log (namespace, ended) WHERE ended IS NOT NULL;

        CREATE TABLE log_batch (
            number bigint PRIMARY KEY,
            namespace bigint NOT NULL,
            id text NOT NULL,
            created bigint NOT NULL,
            first bigint NOT NULL,
            last bigint NOT NULL
        );
        CREATE INDEX ON log_batch (namespace, created, first);

        CREATE TABLE provider_key (
            namespace bigint NOT NULL,
            id text NOT NULL,
            team text NOT NULL,
            public_key text NOT NULL,
            topics text,
            environment text,
            PRIMARY KEY (namespace, id)
        );

        CREATE TABLE channel (
            namespace bigint NOT NULL,
            id text NOT NULL,
            app text NOT NULL,
            environment text,
            policy bigint NOT NULL,
            message_id text,
            message_priority bigint,
            message_expiration bigint,
            message_payload bytea,
            PRIMARY KEY (namespace, id)
        );
        CREATE INDEX ON channel (id);
        CREATE INDEX ON channel (namespace, app, environment);

        CREATE TABLE subscription (
            namespace bigint NOT NULL,
            channel text NOT NULL,
            device bigint NOT NULL,
            PRIMARY KEY (namespace, channel, device)
        );
        CREATE INDEX ON subscription (device);

        CREATE TABLE pending (
            namespace text NOT NULL,
            id text NOT NULL,
            outcome text,
            ended bigint,
            PRIMARY KEY (namespace, id)
        );
        CREATE INDEX ON pending (ended) WHERE ended IS NOT NULL;
        CREATE SEQUENCE pending_end;

        CREATE TABLE fault (
            number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            namespace text NOT NULL,
            id text NOT NULL,
            token text NOT NULL,
            fault text NOT NULL,
            remaining bigint
        );
        CREATE INDEX ON fault (token, number);

        -- Draws contiguous sequences, and returns the first. The block is marked with a shared lock until its
        -- transaction ends, so that readers of the log do not pass entries that are not visible yet.
        CREATE FUNCTION take(amount bigint) RETURNS bigint LANGUAGE plpgsql AS $$
        DECLARE
            start bigint;
        BEGIN
            PERFORM pg_advisory_lock(1463898196, 1);
            start := nextval('notification_sequence');
            IF amount > 1 THEN
                PERFORM setval('notification_sequence', start + amount - 1);
            END IF;
            PERFORM pg_advisory_xact_lock_shared((1::bigint << 62) | start);
            PERFORM pg_advisory_unlock(1463898196, 1);
            RETURN start;
        END
        $$;

        -- Returns the last sequence below which every entry of the log is visible.
        CREATE FUNCTION horizon() RETURNS bigint LANGUAGE plpgsql AS $$
        DECLARE
            last bigint;
        BEGIN
            PERFORM pg_advisory_lock_shared(1463898196, 1);
            SELECT CASE WHEN is_called THEN last_value ELSE 0 END INTO last FROM notification_sequence;
            SELECT least(last, min(((classid::bigint << 32) | objid::bigint) & ~(1::bigint << 62)) - 1) INTO last
            FROM pg_locks
            WHERE locktype = 'advisory' AND objsubid = 1 AND classid::bigint & (1 << 30) <> 0
                AND database = (SELECT oid FROM pg_database WHERE datname = current_database());
            PERFORM pg_advisory_unlock_shared(1463898196, 1);
            RETURN last;
        END
        $$;
        """

    /// The traces of notifications, and the devices of an agent.
    ///
    /// The expression of the indexes is the trace identifier in a `traceparent`.
    private static let second = """
        -- In the order in which other gateways lock them, so that none waits for this one while it waits for them.
        LOCK TABLE device, item, flight, log, channel IN ACCESS EXCLUSIVE MODE;
        ALTER TABLE item ADD COLUMN traceparent text;
        ALTER TABLE flight ADD COLUMN traceparent text;
        ALTER TABLE log ADD COLUMN traceparent text;
        ALTER TABLE channel ADD COLUMN message_traceparent text;
        CREATE INDEX item_trace ON item (namespace, substr(traceparent, 4, 32), sequence) WHERE traceparent IS NOT NULL;
        CREATE INDEX log_trace ON log (namespace, substr(traceparent, 4, 32), sequence) WHERE traceparent IS NOT NULL;
        CREATE INDEX device_agent ON device (agent);
        """

    /// The environments of tokens, as a JSON object; a device that registered before accepts both.
    private static let third = """
        ALTER TABLE device ADD COLUMN environments text;
        """

    /// The purposes of tokens, each a JSON object; a token that was registered before has none.
    private static let fourth = """
        ALTER TABLE device ADD COLUMN purpose text;
        """

    /// Faults without a token, which are for every device of their namespace, and the requests that a fault has seen.
    private static let fifth = """
        ALTER TABLE fault ALTER COLUMN token DROP NOT NULL;
        ALTER TABLE fault ADD COLUMN seen bigint NOT NULL DEFAULT 0;
        CREATE INDEX fault_for_all ON fault (namespace, number) WHERE token IS NULL;
        """
}
