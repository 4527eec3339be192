internal import GRDB

/// The versions of the store's file; each migration creates a version from the one before.
///
/// Existing migrations must not change, because files that they created exist. To change the schema, add a migration.
enum Migrations {
    /// The ID that marks a file of the gateway (`PRAGMA application_id`): "WPST".
    static let applicationID: Int32 = 0x5750_5354

    /// The version that the migrations lead to.
    static var version: Int {
        all.count
    }

    /// The migrator that brings a file to the current version.
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        for (index, sql) in all.enumerated() {
            migrator.registerMigration("\(index + 1)") { database in
                try database.execute(sql: sql)
                try database.execute(sql: "PRAGMA user_version = \(index + 1)")
            }
        }
        return migrator
    }

    private static let all = [first, second, third, fourth, fifth, sixth, seventh, eighth, ninth, tenth]

    /// The namespace is part of every key.
    ///
    /// A table whose key has a separate index is in order of arrival: rows of inboxes are appended at the end, and only
    /// the small index is written at random places.
    private static let first = """
        CREATE TABLE store (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            commits INTEGER NOT NULL,
            sequence INTEGER NOT NULL,
            agents INTEGER NOT NULL,
            batches INTEGER NOT NULL
        ) STRICT;
        INSERT INTO store VALUES (1, 0, 0, 0, 0);

        CREATE TABLE namespace (
            number INTEGER PRIMARY KEY,
            name TEXT NOT NULL UNIQUE,
            clock INTEGER
        ) STRICT;

        CREATE TABLE agent (
            namespace INTEGER NOT NULL,
            number INTEGER NOT NULL,
            digest BLOB NOT NULL,
            PRIMARY KEY (namespace, number)
        ) STRICT, WITHOUT ROWID;
        CREATE UNIQUE INDEX agent_digest ON agent (digest, namespace);

        CREATE TABLE device (
            namespace INTEGER NOT NULL,
            number INTEGER NOT NULL,
            token TEXT NOT NULL,
            agent INTEGER NOT NULL,
            name TEXT NOT NULL,
            standing TEXT NOT NULL,
            since INTEGER NOT NULL,
            constrained INTEGER NOT NULL,
            PRIMARY KEY (namespace, number)
        ) STRICT, WITHOUT ROWID;
        CREATE UNIQUE INDEX device_token ON device (namespace, token);

        CREATE TABLE device_topic (
            namespace INTEGER NOT NULL,
            device INTEGER NOT NULL,
            topic TEXT NOT NULL,
            PRIMARY KEY (namespace, device, topic)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE app (
            namespace INTEGER NOT NULL,
            topic TEXT NOT NULL,
            storage TEXT NOT NULL,
            PRIMARY KEY (namespace, topic)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE batch (
            namespace INTEGER NOT NULL,
            number INTEGER NOT NULL,
            id TEXT NOT NULL,
            created INTEGER NOT NULL,
            settled INTEGER,
            rejected INTEGER NOT NULL,
            accepted INTEGER NOT NULL,
            stored INTEGER NOT NULL,
            acknowledged INTEGER NOT NULL,
            collapsed INTEGER NOT NULL,
            expired INTEGER NOT NULL,
            dropped INTEGER NOT NULL,
            unregistered INTEGER NOT NULL,
            record BLOB,
            PRIMARY KEY (namespace, number)
        ) STRICT, WITHOUT ROWID;
        CREATE UNIQUE INDEX batch_id ON batch (namespace, id);
        CREATE INDEX batch_in_flight ON batch (number) WHERE accepted > 0;
        CREATE INDEX batch_settled ON batch (namespace, settled, created) WHERE accepted = 0 AND stored = 0;

        CREATE TABLE idempotency (
            namespace INTEGER NOT NULL,
            key TEXT NOT NULL,
            fingerprint BLOB NOT NULL,
            batch INTEGER NOT NULL,
            created INTEGER NOT NULL,
            PRIMARY KEY (namespace, key)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX idempotency_created ON idempotency (namespace, created);

        CREATE TABLE item (
            namespace INTEGER NOT NULL,
            agent INTEGER NOT NULL,
            sequence INTEGER NOT NULL,
            batch INTEGER NOT NULL,
            device INTEGER NOT NULL,
            topic TEXT NOT NULL,
            push_type TEXT NOT NULL,
            priority INTEGER NOT NULL,
            expiration INTEGER,
            deadline INTEGER,
            collapse_id TEXT,
            slot TEXT,
            loose INTEGER,
            id TEXT NOT NULL,
            payload BLOB NOT NULL,
            PRIMARY KEY (namespace, agent, sequence)
        ) STRICT;
        CREATE UNIQUE INDEX item_slot ON item (namespace, device, topic, slot) WHERE slot IS NOT NULL;
        CREATE INDEX item_deadline ON item (namespace, deadline) WHERE deadline IS NOT NULL;
        CREATE INDEX item_loose ON item (namespace, agent) WHERE loose = 1;
        """
}

/// The second version: the delivery log.
extension Migrations {
    /// A row of the log is small: data that is the same for the whole batch is in `log_batch`.
    ///
    /// `log_batch` outlives `batch` if the log is kept longer. `device` is the number of the device, which it keeps
    /// when it gets a new token; `token` is set only if no device had the token. The indexes are divided into segments
    /// (`LogSegments`), so that a batch writes to only a few of their pages, regardless of the length of the log.
    /// Without segments, ten thousand random identifiers touch nearly as many pages.
    static let second = """
        CREATE TABLE log (
            namespace INTEGER NOT NULL,
            sequence INTEGER NOT NULL,
            batch INTEGER NOT NULL,
            state TEXT NOT NULL,
            ended INTEGER,
            device INTEGER,
            topic TEXT,
            push_type TEXT,
            priority INTEGER,
            expiration INTEGER,
            collapse_id TEXT,
            id TEXT,
            attempts INTEGER NOT NULL DEFAULT 0,
            first_sent INTEGER,
            last_sent INTEGER,
            token TEXT,
            status INTEGER,
            reason TEXT,
            message TEXT,
            PRIMARY KEY (namespace, sequence)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX log_device ON log (namespace, sequence >> 14, device) WHERE device IS NOT NULL;
        CREATE INDEX log_token ON log (namespace, sequence >> 14, token) WHERE token IS NOT NULL;
        CREATE INDEX log_id ON log (namespace, sequence >> 14, id) WHERE id IS NOT NULL;
        CREATE INDEX log_ended ON log (namespace, ended) WHERE ended IS NOT NULL;

        CREATE TABLE log_batch (
            namespace INTEGER NOT NULL,
            number INTEGER NOT NULL,
            id TEXT NOT NULL,
            created INTEGER NOT NULL,
            first INTEGER NOT NULL,
            last INTEGER NOT NULL,
            PRIMARY KEY (namespace, number)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX log_batch_created ON log_batch (namespace, created, first);

        CREATE INDEX batch_stored ON batch (namespace, number, created) WHERE stored > 0;
        """
}

/// The third version: support for providers that send to a token without a namespace.
extension Migrations {
    /// Providers do not name the namespace of a token.
    ///
    /// The findings about a notification, and the topics of a key, are JSON arrays.
    static let third = """
        ALTER TABLE log ADD COLUMN findings TEXT;
        CREATE INDEX device_home ON device (token);

        CREATE TABLE provider_key (
            namespace INTEGER NOT NULL,
            id TEXT NOT NULL,
            team TEXT NOT NULL,
            public_key TEXT NOT NULL,
            topics TEXT,
            environment TEXT,
            PRIMARY KEY (namespace, id)
        ) STRICT, WITHOUT ROWID;
        """
}

/// The fourth version: broadcast channels.
extension Migrations {
    /// `device` is the number of the device, which it keeps when it gets a new token.
    static let fourth = """
        CREATE TABLE channel (
            namespace INTEGER NOT NULL,
            id TEXT NOT NULL,
            app TEXT NOT NULL,
            environment TEXT,
            policy INTEGER NOT NULL,
            message_id TEXT,
            message_priority INTEGER,
            message_expiration INTEGER,
            message_payload BLOB,
            PRIMARY KEY (namespace, id)
        ) STRICT;

        CREATE TABLE subscription (
            namespace INTEGER NOT NULL,
            channel TEXT NOT NULL,
            device INTEGER NOT NULL,
            PRIMARY KEY (namespace, channel, device)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX subscription_device ON subscription (namespace, device);
        """
}

/// The fifth version: checksums of payloads.
extension Migrations {
    /// The checksum is the CRC-32 of the payload; notifications of earlier versions have none.
    static let fifth = "ALTER TABLE item ADD COLUMN checksum INTEGER;"
}

/// The sixth version: looking channels up.
extension Migrations {
    /// Channels are found by their identifier alone, and by their app.
    static let sixth = """
        CREATE INDEX channel_id ON channel (id);
        CREATE INDEX channel_app ON channel (namespace, app, environment);
        """
}

/// The seventh version: each notification has one row.
extension Migrations {
    /// Sequences are unique in the whole store, so they are the keys: SQLite then appends new rows without a search.
    ///
    /// A notification is in `item` while it is in an inbox, and later in `log`. `log` has no indexes, because they took
    /// more time than all the rest of an insertion. Instead, it is divided into segments of 4,096 sequences
    /// (`LogSegment`). `log_segment` has those in which a namespace has notifications, with the earliest end of those in
    /// `log`. `log_name` has the keys in a segment (`LogKeyBuckets`), and is written once the segment is complete.
    static let seventh = """
        DROP INDEX item_slot;
        DROP INDEX item_deadline;
        DROP INDEX item_loose;
        ALTER TABLE item RENAME TO former_item;
        ALTER TABLE log RENAME TO former_log;

        CREATE TABLE item (
            sequence INTEGER PRIMARY KEY,
            namespace INTEGER NOT NULL,
            agent INTEGER NOT NULL,
            batch INTEGER NOT NULL,
            device INTEGER NOT NULL,
            topic TEXT NOT NULL,
            push_type TEXT NOT NULL,
            priority INTEGER NOT NULL,
            expiration INTEGER,
            deadline INTEGER,
            collapse_id TEXT,
            slot TEXT,
            loose INTEGER,
            id TEXT NOT NULL,
            payload BLOB NOT NULL,
            checksum INTEGER,
            findings TEXT,
            attempts INTEGER NOT NULL DEFAULT 0,
            first_sent INTEGER,
            last_sent INTEGER
        ) STRICT;
        INSERT INTO item
            SELECT sequence, former_item.namespace, agent, former_item.batch, former_item.device, former_item.topic,
                former_item.push_type, former_item.priority, former_item.expiration, deadline,
                former_item.collapse_id, slot, loose, former_item.id, payload, checksum, findings,
                coalesce(attempts, 0), first_sent, last_sent
            FROM former_item LEFT JOIN former_log USING (namespace, sequence) ORDER BY sequence;
        CREATE INDEX item_agent ON item (namespace, agent);
        CREATE UNIQUE INDEX item_slot ON item (namespace, device, topic, slot) WHERE slot IS NOT NULL;
        CREATE INDEX item_deadline ON item (namespace, deadline) WHERE deadline IS NOT NULL;
        CREATE INDEX item_loose ON item (namespace, agent) WHERE loose = 1;

        CREATE TABLE log (
            sequence INTEGER PRIMARY KEY,
            namespace INTEGER NOT NULL,
            batch INTEGER NOT NULL,
            state TEXT NOT NULL,
            ended INTEGER,
            device INTEGER,
            topic TEXT,
            push_type TEXT,
            priority INTEGER,
            expiration INTEGER,
            collapse_id TEXT,
            id TEXT,
            attempts INTEGER NOT NULL DEFAULT 0,
            first_sent INTEGER,
            last_sent INTEGER,
            token TEXT,
            status INTEGER,
            reason TEXT,
            message TEXT,
            findings TEXT
        ) STRICT;
        INSERT INTO log
            SELECT sequence, namespace, batch, state, ended, device, topic, push_type, priority, expiration,
                collapse_id, id, attempts, first_sent, last_sent, token, status, reason, message, findings
            FROM former_log WHERE NOT EXISTS (SELECT 1 FROM item WHERE item.sequence = former_log.sequence)
            ORDER BY sequence;
        DROP TABLE former_item;
        DROP TABLE former_log;

        CREATE TABLE log_segment (
            namespace INTEGER NOT NULL,
            segment INTEGER NOT NULL,
            earliest_end INTEGER,
            is_indexed INTEGER NOT NULL DEFAULT 0,
            PRIMARY KEY (namespace, segment)
        ) STRICT, WITHOUT ROWID;
        INSERT INTO log_segment (namespace, segment, earliest_end)
            SELECT namespace, sequence >> 12, min(ended) FROM (
                SELECT namespace, sequence, ended FROM log UNION ALL SELECT namespace, sequence, NULL FROM item
            ) GROUP BY 1, 2;
        CREATE INDEX log_segment_end ON log_segment (namespace, earliest_end) WHERE earliest_end IS NOT NULL;
        CREATE INDEX log_segment_new ON log_segment (segment) WHERE is_indexed = 0;

        CREATE TABLE log_name (
            namespace INTEGER NOT NULL,
            segment INTEGER NOT NULL,
            bucket INTEGER NOT NULL,
            entries BLOB NOT NULL,
            PRIMARY KEY (namespace, segment, bucket)
        ) STRICT, WITHOUT ROWID;
        """
}

/// The eighth version: traces of notifications, and the devices of an agent.
extension Migrations {
    /// A notification that arrived before has no trace.
    static let eighth = """
        ALTER TABLE item ADD COLUMN traceparent TEXT;
        ALTER TABLE log ADD COLUMN traceparent TEXT;
        ALTER TABLE channel ADD COLUMN message_traceparent TEXT;
        CREATE INDEX device_agent ON device (namespace, agent);
        """
}

/// The ninth version: the environments of tokens.
extension Migrations {
    /// The environments are a JSON object; a device that registered before accepts both.
    static let ninth = """
        ALTER TABLE device ADD COLUMN environments TEXT;
        """
}

/// The tenth version: the purposes of tokens.
extension Migrations {
    /// A purpose is a JSON object; a token that was registered before has none.
    static let tenth = """
        ALTER TABLE device ADD COLUMN purpose TEXT;
        """
}
