internal import Delivery
internal import GRDB
internal import WaypostSchema

/// What the log is told of notifications as they are sent and end.
extension StoreTransaction {
    /// Notes that notifications have come into a final state; what has been in one stays as it is, and what the log does not
    /// have is passed over.
    ///
    /// - Parameters:
    ///   - sequences: their sequences.
    ///   - namespaceID: their namespace.
    ///   - state: the state.
    ///   - moment: when that was; `nil` where nobody knows, which is when they came.
    ///   - attempts: when and how often they were sent since that was noted.
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

    /// Adds when and how often notifications were sent.
    mutating func note(_ attempts: [Int: DeliveryAttempts], in namespace: Namespace) throws {
        guard keepsLog, let namespaceID = try number(of: namespace) else { return }
        for (attempts, sequences) in Dictionary(grouping: attempts.keys, by: { attempts[$0] }) {
            try execute(Self.attemptsSQL, [namespaceID, Self.list(sequences)] + Self.columns(of: attempts))
        }
    }

    /// Returns numbers as the database takes any count of them in one argument.
    static func list(_ numbers: [Int]) -> String {
        "[\(numbers.map(String.init).joined(separator: ","))]"
    }

    private static func columns(of attempts: DeliveryAttempts?) -> StatementArguments {
        [attempts?.first.rawValue, attempts?.last.rawValue, attempts?.count ?? 0]
    }

    /// Words of attempts may come in another order than the attempts.
    private static let setAttempts = """
        first_sent = coalesce(min(first_sent, ?3), first_sent, ?3),
        last_sent = coalesce(max(last_sent, ?4), last_sent, ?4), attempts = attempts + ?5
        """

    private static let namesThem = "namespace = ?1 AND sequence IN (SELECT value FROM json_each(?2))"

    private static let attemptsSQL = "UPDATE log SET \(setAttempts) WHERE \(namesThem)"

    private static let endSQL = """
        UPDATE log SET \(setAttempts), state = ?6, ended = coalesce(?7, (
            SELECT created FROM log_batch WHERE log_batch.namespace = log.namespace AND log_batch.number = log.batch
        ))
        WHERE \(namesThem) AND ended IS NULL
        """
}
