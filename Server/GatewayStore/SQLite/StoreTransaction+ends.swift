internal import GRDB
internal import PushRules
internal import WaypostSchema

/// Methods that record that notifications were sent, or that transient ones ended.
extension StoreTransaction {
    /// Counts transient notifications in their final states, and records these in the log.
    ///
    /// One that has ended before, even before a restart, is ignored.
    mutating func recordOutcomes(_ ends: [TransientEnd]) throws {
        for end in ends where DeliveryState.counted.contains(end.state) && end.state.isFinal {
            guard let namespaceID = try namespaceID(of: end.namespace),
                liveState.endTransient(end.sequence, in: namespaceID)
            else { continue }
            try execute(
                """
                UPDATE batch SET \(end.state.rawValue) = \(end.state.rawValue) + 1, accepted = accepted - 1
                WHERE namespace = ? AND number = ?
                """,
                [namespaceID, end.batch.rawValue]
            )
            guard keepsLog else { continue }
            try execute(
                Self.transientEndSQL,
                [end.sequence, end.attempts?.first.rawValue, end.attempts?.last.rawValue, end.attempts?.count ?? 0]
                    + [end.state.rawValue, end.time.rawValue]
            )
            try updateSegmentEnd(of: end.sequence, in: namespaceID, at: end.time.rawValue)
        }
    }

    private static let transientEndSQL = """
        UPDATE log SET \(addAttemptsSQL), state = ?5, ended = ?6 WHERE sequence = ?1 AND ended IS NULL
        """

    /// Adds the times and the number of sends to the log.
    ///
    /// SQLite must not use an index on the namespace, as it would by default: it would read all inboxes there. The `+`
    /// prevents that.
    mutating func recordAttempts(_ attempts: [Int: DeliveryAttempts], in namespace: Namespace) throws {
        guard keepsLog, let namespaceID = try namespaceID(of: namespace) else { return }
        for (attempts, sequences) in Dictionary(grouping: attempts.keys, by: { attempts[$0] }) {
            let arguments: StatementArguments = [
                Self.jsonArray(of: sequences), attempts?.first.rawValue, attempts?.last.rawValue, attempts?.count ?? 0,
                namespaceID,
            ]
            for table in LogTable.allCases {
                try execute(
                    """
                    UPDATE \(table) SET \(Self.addAttemptsSQL)
                    WHERE sequence IN (SELECT value FROM json_each(?1)) AND +namespace = ?5
                    """,
                    arguments
                )
            }
        }
    }

    /// Returns the numbers as a JSON array, so that one argument passes any count of them.
    static func jsonArray(of numbers: [Int]) -> String {
        "[\(numbers.map(String.init).joined(separator: ","))]"
    }

    /// Attempts may be recorded out of order.
    private static let addAttemptsSQL = """
        first_sent = coalesce(min(first_sent, ?2), first_sent, ?2),
        last_sent = coalesce(max(last_sent, ?3), last_sent, ?3), attempts = attempts + ?4
        """
}
