/// The third version: what providers need that send to a token alone.
extension Migrations {
    /// Who sends to a token does not name its namespace.
    ///
    /// What is unusual about a notification, and the topics of a key, are arrays
    /// in JSON.
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
