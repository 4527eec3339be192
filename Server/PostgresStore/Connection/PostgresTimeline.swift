/// The timeline of a database server, which grows when another server takes over.
///
/// A server that takes over may not have the last sequences that the former one assigned. Then old acknowledgements
/// could remove new notifications. So on a new timeline, all sequences continue far above those in use.
enum PostgresTimeline {
    /// The SQL expression for the current timeline: the first 8 hexadecimal digits of the name of the log's file.
    static let currentSQL = "('x' || substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8))::bit(32)::bigint"

    /// The distance by which sequences continue.
    private static let sequenceGap = 1 << 30

    /// Makes the sequences jump if the server is on a newer timeline than the database was before.
    ///
    /// Of several gateways that notice it together, one makes them jump, and the others wait for it.
    ///
    /// - Returns: the server's timeline.
    /// - Throws: `PostgresError`.
    static func advanceSequences(on connection: PostgresConnection) throws(PostgresError) -> Int {
        let row = try connection.run("SELECT \(currentSQL), timeline FROM waypost").rows.first
        guard let row else { throw .disconnected("the database has no version") }
        let (timeline, previous) = (row.integer(0), row.integer(1))
        guard timeline > previous else { return timeline }
        _ = try connection.run(
            """
            WITH moved AS (UPDATE waypost SET timeline = $1 WHERE timeline < $1 RETURNING 1)
            SELECT setval(format('%I.%I', schemaname, sequencename)::regclass, coalesce(last_value, 0) + $2)
            FROM pg_sequences, moved WHERE schemaname = current_schema()
            """,
            [.integer(timeline), .integer(sequenceGap)]
        )
        return timeline
    }
}
