import Foundation

/// The schema that each migration creates, which must never change.
enum FrozenSchema {
    static let first = """
        CREATE TABLE store (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            commits INTEGER NOT NULL,
            sequence INTEGER NOT NULL,
            agents INTEGER NOT NULL,
            batches INTEGER NOT NULL
        ) STRICT;

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
            constrained INTEGER NOT NULL, environments TEXT, purpose TEXT,
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
        """

    static let second = """
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

    /// The additions of the third migration.
    static let third = """
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

    /// The additions of the fourth migration.
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
            message_payload BLOB, message_traceparent TEXT,
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

    /// The additions of the sixth migration.
    static let sixth = """
        CREATE INDEX channel_id ON channel (id);
        CREATE INDEX channel_app ON channel (namespace, app, environment);
        """

    /// The additions of the seventh migration, which replaces the tables of notifications and of the log.
    static let seventh = """
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
            last_sent INTEGER , traceparent TEXT) STRICT;
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
            findings TEXT , traceparent TEXT) STRICT;

        CREATE TABLE log_segment (
            namespace INTEGER NOT NULL,
            segment INTEGER NOT NULL,
            earliest_end INTEGER,
            is_indexed INTEGER NOT NULL DEFAULT 0,
            PRIMARY KEY (namespace, segment)
        ) STRICT, WITHOUT ROWID;
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

    /// The additions of the eighth migration; its columns are in the tables above.
    static let eighth = "CREATE INDEX device_agent ON device (namespace, agent);"

    /// The schema after all migrations.
    static var latest: String {
        first + second + third + fourth + sixth + seventh + eighth
    }
}
