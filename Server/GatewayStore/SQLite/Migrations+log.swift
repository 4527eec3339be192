/// The second version: the delivery log.
extension Migrations {
    /// A row of the log is small: what is the same for the whole batch is in `log_batch`.
    ///
    /// That outlives `batch` where the log is kept for longer. A device is meant by its number, which it keeps when it gets
    /// another token; `token` is where no device had it. The indexes are divided into chapters (`LogChapters`), so
    /// that a batch writes to a few pages of them, however long the log is: without, ten thousand identifiers at random
    /// touch nearly as many pages.
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
