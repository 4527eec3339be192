internal import Delivery
internal import GRDB
internal import WaypostSchema

/// Methods that record in the log that notifications were sent or ended.
extension StoreTransaction {
    /// Records that notifications reached a final state; entries with a final state, and missing entries, are ignored.
    ///
    /// - Parameters:
    ///   - sequences: the sequences of the notifications.
    ///   - namespaceID: the number of their namespace.
    ///   - state: the final state.
    ///   - moment: the time of the end; `nil` if it is unknown, which records the time of arrival.
    ///   - attempts: the times and the number of sends that are not recorded yet.
    /// - Throws: `DatabaseError`.
    func noteEnds(
        of sequences: [Int],
        in namespaceID: Int,
        as state: DeliveryState,
        at moment: Timestamp?,
        attempts: [Int: DeliveryAttempts]
    ) throws {
        guard keepsLog, !sequences.isEmpty else { return }
        for (attempts, sequences) in Dictionary(grouping: sequences, by: { attempts[$0] }) {
            try execute(
                Self.endSQL,
                [namespaceID, Self.list(sequences)] + Self.columns(of: attempts) + [state.rawValue, moment?.rawValue]
            )
        }
    }

    /// Adds the times and the number of sends to the log.
    mutating func note(_ attempts: [Int: DeliveryAttempts], in namespace: Namespace) throws {
        guard keepsLog, let namespaceID = try number(of: namespace) else { return }
        for (attempts, sequences) in Dictionary(grouping: attempts.keys, by: { attempts[$0] }) {
            try execute(Self.attemptsSQL, [namespaceID, Self.list(sequences)] + Self.columns(of: attempts))
        }
    }

    /// Returns the numbers as a JSON array, so that one argument passes any count of them.
    static func list(_ numbers: [Int]) -> String {
        "[\(numbers.map(String.init).joined(separator: ","))]"
    }

    private static func columns(of attempts: DeliveryAttempts?) -> StatementArguments {
        [attempts?.first.rawValue, attempts?.last.rawValue, attempts?.count ?? 0]
    }

    /// Attempts may be recorded out of order.
    private static let setAttempts = """
        first_sent = coalesce(min(first_sent, ?3), first_sent, ?3),
        last_sent = coalesce(max(last_sent, ?4), last_sent, ?4), attempts = attempts + ?5
        """

    private static let namesThem = "namespace = ?1 AND sequence IN (SELECT value FROM json_each(?2))"

    /// Records that a notification was acknowledged, for `noteEnd`.
    static let acknowledgedSQL = """
        UPDATE log SET \(setAttempts), state = '\(DeliveryState.acknowledged.rawValue)', ended = ?6
        WHERE namespace = ?1 AND sequence = ?2 AND ended IS NULL
        """

    private static let attemptsSQL = "UPDATE log SET \(setAttempts) WHERE \(namesThem)"

    private static let endSQL = """
        UPDATE log SET \(setAttempts), state = ?6, ended = coalesce(?7, (
            SELECT created FROM log_batch WHERE log_batch.namespace = log.namespace AND log_batch.number = log.batch
        ))
        WHERE \(namesThem) AND ended IS NULL
        """
}

extension BoundStatement {
    /// Records in the log that a notification ended, with a statement such as `StoreTransaction.acknowledgedSQL`.
    mutating func noteEnd(
        of sequence: Int,
        in namespaceID: Int,
        _ attempts: DeliveryAttempts?,
        at moment: Timestamp
    ) throws {
        bind(namespaceID)
        bind(sequence)
        bind(attempts?.first.rawValue)
        bind(attempts?.last.rawValue)
        bind(attempts?.count ?? 0)
        bind(moment.rawValue)
        try run()
    }
}
