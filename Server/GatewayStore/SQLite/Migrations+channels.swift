/// The fourth version: broadcast channels.
extension Migrations {
    /// A device is meant by its number, which it keeps when it gets another token.
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
