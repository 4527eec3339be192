internal import Foundation
package import GatewayStore
internal import JSONScanning
package import WaypostSchema

/// Batches that were answered before they were stored.
extension PostgresStore {
    /// The maximum number of remembered batches that were not stored.
    private static let maximumOutcomes = 1_000

    /// Records that a batch was answered and waits to be stored.
    package func addPendingBatch(_ id: BatchID, in namespace: Namespace) async throws(StoreError) {
        try await write { transaction in
            try transaction.connection.send(
                "INSERT INTO pending (namespace, id) VALUES ($1, $2) ON CONFLICT DO NOTHING",
                [.text(namespace.databaseText), .text(id.databaseText)]
            )
        }
    }

    /// Records that a pending batch is stored, or the outcome that kept it from being stored.
    package func endPendingBatch(
        _ id: BatchID,
        in namespace: Namespace,
        as outcome: PendingBatch?
    ) async throws(StoreError) {
        try await write { transaction in
            let key: [PostgresValue] = [.text(namespace.databaseText), .text(id.databaseText)]
            transaction.enqueue(.pendingEnded(id, in: namespace))
            guard let outcome = try outcome.flatMap(PendingOutcome.init)?.encoded() else {
                try transaction.connection.send("DELETE FROM pending WHERE namespace = $1 AND id = $2", key)
                return
            }
            try transaction.connection.send(
                """
                UPDATE pending SET outcome = $3, ended = nextval('pending_end') WHERE namespace = $1 AND id = $2
                """,
                key + [.text(StoredString.encode(outcome))]
            )
            try transaction.connection.send(
                """
                DELETE FROM pending WHERE ended <= (
                    SELECT ended FROM pending WHERE ended IS NOT NULL ORDER BY ended DESC OFFSET $1 LIMIT 1
                )
                """,
                [.integer(Self.maximumOutcomes)]
            )
        }
    }

    /// Returns the progress of a batch that was answered before it was stored.
    package func pendingBatch(_ id: BatchID, in namespace: Namespace) async throws(StoreError) -> PendingBatch? {
        try await readPool.withConnection { connection in
            let outcomes = try connection.run(
                "SELECT outcome FROM pending WHERE namespace = $1 AND id = $2",
                [.text(namespace.databaseText), .text(id.databaseText)]
            ).rows.map { $0.optionalText(0) }
            guard let outcome = outcomes.first else { return nil }
            return try outcome.map { try PendingOutcome(StoredString.decode($0)).batch } ?? .waiting
        }
    }
}

/// The outcome of a batch that was not stored, as it is written.
private struct PendingOutcome: Codable {
    private var refused: APIErrorBody?
    private var duplicate: BatchID?

    private enum CodingKeys: String, CodingKey {
        case refused
        case duplicate = "known"
    }

    /// Creates the outcome; `nil` if the batch waits.
    init?(_ batch: PendingBatch) {
        switch batch {
        case .waiting: return nil
        case .refused(let error): refused = error
        case .duplicate(let id): duplicate = id
        }
    }

    init(_ text: String) throws {
        self = try DocumentDecoder.decode(Self.self, from: text.utf8)
    }

    func encoded() throws -> String {
        String(decoding: try JSONEncoder().encode(self), as: UTF8.self)
    }

    var batch: PendingBatch {
        refused.map(PendingBatch.refused) ?? duplicate.map(PendingBatch.duplicate) ?? .waiting
    }
}
