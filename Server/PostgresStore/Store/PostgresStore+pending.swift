internal import Foundation
package import GatewayStore
internal import JSONScanning
package import WaypostSchema

/// Batches that were answered before they were stored.
extension PostgresStore {
    /// The maximum number of remembered batches that were not stored.
    private static let outcomesKept = 1_000

    /// Records that a batch was answered and waits to be stored.
    package func addPending(_ id: BatchID, in namespace: Namespace) async throws(StoreError) {
        try await perform { transaction in
            try transaction.connection.send(
                "INSERT INTO pending (namespace, id) VALUES ($1, $2) ON CONFLICT DO NOTHING",
                [.text(namespace.stored), .text(id.stored)]
            )
        }
    }

    /// Records that a pending batch is stored, or the outcome that kept it from being stored.
    package func endPending(
        _ id: BatchID,
        in namespace: Namespace,
        as outcome: PendingBatch?
    ) async throws(StoreError) {
        try await perform { transaction in
            let key: [PostgresValue] = [.text(namespace.stored), .text(id.stored)]
            transaction.notify(.pendingEnded(id, in: namespace))
            guard let outcome = try outcome.flatMap(PendingOutcome.init)?.encoded() else {
                try transaction.connection.send("DELETE FROM pending WHERE namespace = $1 AND id = $2", key)
                return
            }
            try transaction.connection.send(
                """
                UPDATE pending SET outcome = $3, ended = nextval('pending_end') WHERE namespace = $1 AND id = $2
                """,
                key + [.text(StoredText.encode(outcome))]
            )
            try transaction.connection.send(
                """
                DELETE FROM pending WHERE ended <= (
                    SELECT ended FROM pending WHERE ended IS NOT NULL ORDER BY ended DESC OFFSET $1 LIMIT 1
                )
                """,
                [.integer(Self.outcomesKept)]
            )
        }
    }

    /// Returns the progress of a batch that was answered before it was stored.
    package func pending(_ id: BatchID, in namespace: Namespace) async throws(StoreError) -> PendingBatch? {
        try await readers.read { connection in
            let found = try connection.run(
                "SELECT outcome FROM pending WHERE namespace = $1 AND id = $2",
                [.text(namespace.stored), .text(id.stored)]
            ).rows.map { $0.optionalText(0) }
            guard let outcome = found.first else { return nil }
            return try outcome.map { try PendingOutcome(StoredText.decode($0)).batch } ?? .waiting
        }
    }
}

/// The outcome of a batch that was not stored, as it is written.
private struct PendingOutcome: Codable {
    private var refused: APIErrorBody?
    private var known: BatchID?

    /// Creates the outcome; `nil` if the batch waits.
    init?(_ batch: PendingBatch) {
        switch batch {
        case .waiting: return nil
        case .refused(let error): refused = error
        case .known(let id): known = id
        }
    }

    init(_ text: String) throws {
        self = try DocumentDecoder.decode(Self.self, from: text.utf8)
    }

    func encoded() throws -> String {
        String(decoding: try JSONEncoder().encode(self), as: UTF8.self)
    }

    var batch: PendingBatch {
        refused.map(PendingBatch.refused) ?? known.map(PendingBatch.known) ?? .waiting
    }
}
