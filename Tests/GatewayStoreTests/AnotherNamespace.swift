import GatewayStore
import Testing
import WaypostSchema

extension StoreEngine {
    /// Runs `body` on an example and on an agent of the namespace `other`, whose device also has the token `tablet`.
    func runWithAnother(
        _ body: (_ example: ExampleStore, _ other: AgentID) async throws -> Void
    ) async throws {
        try await runExample { example in
            let other = try await example.store.join("tablet", .unknown, in: "other")
            try await body(example, other)
        }
    }
}

extension ExampleStore {
    /// Appends a batch with a key to the namespace `other`.
    @discardableResult
    func takeElsewhere(
        _ notifications: NewNotification...,
        connected: Set<AgentID> = []
    ) async throws -> AppendedBatch {
        let batch = NewBatch(
            id: "batch",
            namespace: "other",
            notifications: notifications,
            key: IdempotencyKey(key: "key", fingerprint: [])
        )
        try await connect(connected)
        return try #require(try await store.append(batch, at: .noon).appended)
    }
}
