import GatewayStore
import Testing
import WaypostSchema

/// Tests of an agent that gets another secret.
@Suite struct SecretRotationTests {
    @Test(arguments: StoreEngine.allCases)
    func agentKeepsItsNotificationsAndDevices(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            try await example.take(.example("n1"), connected: [example.home])
            // The earlier secret may be in a cache.
            #expect(try await example.store.agent(withDigest: .home) == example.home)
            let outcome = try await example.store.rotateSecret(from: .home, to: .unknown, in: .standard)
            #expect(outcome == .rotated)
            #expect(try await example.store.agent(withDigest: .home) == nil)
            #expect(try await example.store.agent(withDigest: .unknown) == example.home)
            #expect(try await example.inbox() == ["n1"])
            #expect(try await example.store.join("watch", .unknown) == example.home)
            try await example.acknowledge("n1")
            try await example.disconnect()
            #expect(try await example.inbox().isEmpty)
        }
    }

    /// The answer to the first request may be lost.
    @Test(arguments: StoreEngine.allCases) func repeatedRotationChangesNothing(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            for _ in 0..<2 {
                let outcome = try await example.store.rotateSecret(from: .home, to: .unknown, in: .standard)
                #expect(outcome == .rotated)
                #expect(try await example.store.agent(withDigest: .unknown) == example.home)
            }
            let outcome = try await example.store.rotateSecret(from: .unknown, to: .unknown, in: .standard)
            #expect(outcome == .rotated)
            #expect(try await example.store.agent(withDigest: .unknown) == example.home)
        }
    }

    struct Refusal: CustomTestStringConvertible {
        var old: SecretDigest
        var new: SecretDigest
        var namespace = Namespace.standard
        var outcome: SecretRotationOutcome
        var testDescription: String { "\(outcome) in \(namespace)" }
    }

    static let refusals = [
        Refusal(old: .home, new: .away, outcome: .secretTaken),
        Refusal(old: .unknown, new: SecretDigest(bytes: Array(repeating: 4, count: 32)), outcome: .unknownSecret),
        Refusal(old: .home, new: .unknown, namespace: "other", outcome: .unknownSecret),
    ]

    @Test(arguments: StoreEngine.allCases, refusals)
    func refusedRotationChangesNothing(_ engine: StoreEngine, _ refusal: Refusal) async throws {
        try await engine.runExample { example in
            let outcome = try await example.store.rotateSecret(
                from: refusal.old,
                to: refusal.new,
                in: refusal.namespace
            )
            #expect(outcome == refusal.outcome)
            #expect(try await example.store.agent(withDigest: .home) == example.home)
            #expect(try await example.store.agent(withDigest: .away) == example.away)
            #expect(try await example.store.agent(withDigest: .unknown) == nil)
        }
    }
}
