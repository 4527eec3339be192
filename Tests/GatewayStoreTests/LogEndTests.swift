import GatewayStore
import PushRules
import Testing
import WaypostSchema

/// Tests of the final states in the log.
@Suite struct LogEndTests {
    private static let later = Timestamp.seconds(150)

    /// A way in which the tablet's notification `n1` ends, with the state that is then in the log.
    enum Way: CaseIterable {
        case acknowledged, collapsed, expired, unregisteredTopic, unregisteredToken, superseded, disconnected

        var state: DeliveryState {
            switch self {
            case .acknowledged: .acknowledged
            case .collapsed, .superseded, .disconnected: .collapsed
            case .expired: .expired
            case .unregisteredTopic, .unregisteredToken: .unregistered
            }
        }

        func take(_ example: ExampleStore, at now: Timestamp) async throws {
            let store = example.store
            switch self {
            case .acknowledged:
                let sequence = try await example.sequence(of: "n1")
                _ = try await store.acknowledge(example.home, [sequence], attempts: [:], at: now)
            case .collapsed: try await example.take(.example("n3", collapseID: "c"), as: "third", at: now)
            case .expired: _ = try await store.removeExpired(in: .standard, at: now)
            case .unregisteredTopic: try await example.change("tablet", .topics(["notes"]), at: now)
            case .unregisteredToken: try await example.change("tablet", .standing(.expired, since: .dawn), at: now)
            case .superseded: _ = try await store.setStorage(.apns, for: "clowns", in: .standard, at: now)
            case .disconnected: try await example.disconnect(at: now)
            }
        }
    }

    @Test(arguments: StoreEngine.allCases, Way.allCases)
    func finalStateIsLoggedWithItsTime(_ engine: StoreEngine, _ way: Way) async throws {
        try await engine.runExample(storage: way == .disconnected ? .apns : nil) { example in
            try await example.take(
                .example("n1", expiration: 150, collapseID: "c"),
                .example("n2"),
                connected: [example.home]
            )
            try await example.take(.example("n4", to: "laptop"), as: "fourth")
            #expect(try await example.end(of: "n1") == LogEnd(.stored))
            try await way.take(example, at: Self.later)
            #expect(try await example.end(of: "n1") == LogEnd(way.state, at: Self.later))
            #expect(try await example.entry("n1").createdAt == .noon)
            #expect(try await example.end(of: "n4") == LogEnd(.stored))
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func registeringAgainForOtherTopicsIsLogged(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            try await example.take(.example("n1"), .example("n2", for: "notes"))
            _ = try await example.store.join("tablet", .home, topics: ["notes"], at: Self.later)
            #expect(try await example.end(of: "n1") == LogEnd(.unregistered, at: Self.later))
            #expect(try await example.end(of: "n2") == LogEnd(.stored))
        }
    }

    @Test(arguments: StoreEngine.allCases, [DeliveryState.acknowledged, .dropped, .unregistered])
    func endOfATransientNotificationIsLogged(_ engine: StoreEngine, _ state: DeliveryState) async throws {
        try await engine.runExample { example in
            let appended = try await example.take(
                .example("n1", expiration: 0),
                .example("n2", expiration: 0),
                connected: [example.home]
            )
            let attempts = DeliveryAttempts(at: .seconds(120))
            var end = TransientEnd(appended.deliveries[0], state)
            (end.time, end.attempts) = (Self.later, attempts)
            try await example.store.recordOutcomes([end])
            #expect(try await example.end(of: "n1") == LogEnd(state, at: Self.later))
            #expect(try await example.entry("n1").attempts == attempts)
            #expect(try await example.end(of: "n2") == LogEnd(.accepted))
            // A second end has no effect.
            end.state = .dropped
            end.time = .seconds(160)
            try await example.store.recordOutcomes([end])
            #expect(try await example.end(of: "n1") == LogEnd(state, at: Self.later))
            #expect(try await example.entry("n1").attempts == attempts)
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func endInAnotherNamespaceIsNotLogged(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            let appended = try await example.take(.example("n1", expiration: 0), connected: [example.home])
            _ = try await example.store.join("tablet", .unknown, in: "other")
            var end = TransientEnd(appended.deliveries[0], .dropped)
            end.namespace = "other"
            try await example.store.recordOutcomes([end])
            #expect(try await example.end(of: "n1") == LogEnd(.accepted))
            #expect(try await example.states() == [.accepted: 1])
        }
    }
}
