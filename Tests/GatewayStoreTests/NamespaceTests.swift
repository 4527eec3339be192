import GatewayStore
import PushRules
import Testing
import WaypostSchema

@Suite struct NamespaceTests {
    @Test(arguments: StoreEngine.allCases)
    func sameTokenInAnotherNamespaceIsAnotherDevice(_ engine: StoreEngine) async throws {
        try await engine.runWithAnother { example, other in
            #expect(other.namespace == "other")
            #expect(try await example.store.agent(withDigest: .unknown) == other)
            try await example.take(.example("n1", collapseID: "crusty"))
            try await example.takeElsewhere(.example("n2", collapseID: "crusty"))
            #expect(try await example.inbox() == ["n1"])
            #expect(try await example.inbox(other) == ["n2"])
            #expect(try await example.sequence(of: "n2", in: other) > example.sequence(of: "n1"))
            #expect(try await example.states() == [.stored: 1])
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func changeAffectsOneNamespace(_ engine: StoreEngine) async throws {
        try await engine.runWithAnother { example, other in
            try await example.take(.example("n1"))
            try await example.takeElsewhere(.example("n2"))
            try await example.change("tablet", .standing(.unregistered, since: .noon))
            #expect(try await example.inbox().isEmpty)
            #expect(try await example.inbox(other) == ["n2"])
            #expect(try await example.store.device("tablet", in: "other")?.standing == .active)
            #expect(try await example.store.device("phone", in: "other") == nil)
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func secretOfAnotherNamespaceIsUnknown(_ engine: StoreEngine) async throws {
        try await engine.runWithAnother { example, _ async throws in
            let device = NewDevice.example("watch")
            #expect(try await example.store.register(device, in: "other", at: .noon) == .unknownSecret)
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func namespacesAreListedByName(_ engine: StoreEngine) async throws {
        try await engine.run { store in
            #expect(try await store.namespaces().isEmpty)
            let agent = try await store.join("tablet", .home, in: "b")
            _ = try await store.join("phone", .home, in: "b")
            _ = try await store.updateDevice("phone", in: "b", with: .standing(.expired, since: .noon), at: .noon)
            try await store.setClock(of: "c", to: .noon)
            _ = try await store.setStorage(.apns, for: "clowns", in: "a", at: .noon)
            _ = try await store.append(
                NewBatch(id: "batch", namespace: "d", notifications: []),
                at: .noon
            )
            let notifications = [NewNotification.example("n1"), .example("n2"), .example("n3", expiration: 0)]
            let batch = NewBatch(id: "batch", namespace: "b", notifications: notifications)
            _ = try await store.openSession(agent)
            _ = try await store.append(batch, at: .noon)
            let expected = [
                NamespaceSummary(name: "a", devices: 0, stored: 0),
                NamespaceSummary(name: "b", devices: 2, stored: 2, oldest: .noon),
                NamespaceSummary(name: "c", devices: 0, stored: 0), NamespaceSummary(name: "d", devices: 0, stored: 0),
            ]
            #expect(try await store.namespaces() == expected)
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func refusalsAndReadsCreateNoNamespace(_ engine: StoreEngine) async throws {
        try await engine.run { store in
            let stranger = NewDevice.example("watch")
            _ = try await store.register(stranger, in: "a", at: .noon)
            let batch = NewBatch(id: "batch", namespace: "a", notifications: [.example("n1")], isAtomic: true)
            _ = try await store.append(batch, at: .noon)
            let refused = NewBatch(id: "batch", namespace: "a", notifications: [.example("n1")])
            #expect(try await store.append(refused, at: .noon).refusals == [.unknownToken])
            _ = try await store.updateDevice("tablet", in: "a", with: .power(isLowPowerModeEnabled: true), at: .noon)
            _ = try await store.device("tablet", in: "a")
            _ = try await store.apps(in: "a")
            _ = try await store.batch("batch", in: "a")
            _ = try await store.batch(with: "key", in: "a", at: .noon)
            _ = try await store.readInbox(of: AgentID(namespace: "a", number: 1), after: 0, limit: 1, at: .noon)
            _ = try await store.acknowledge(AgentID(namespace: "a", number: 1), [1])
            #expect(try await store.openSession(AgentID(namespace: "a", number: 1)) == nil)
            _ = try await store.removeExpired(in: "a", at: .noon)
            #expect(try await store.reset("a").isEmpty)
            #expect(try await store.clock(of: "a") == nil)
            #expect(try await store.namespaces().isEmpty)
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func transientNotificationsEndInTheirOwnNamespace(_ engine: StoreEngine) async throws {
        try await engine.runWithAnother { example, other in
            let now = NewNotification.example("now", expiration: 0)
            let here = try await example.take(now, now, connected: [example.home])
            let there = try await example.takeElsewhere(now, connected: [other])
            try await example.store.recordOutcomes([
                TransientEnd(there.deliveries[0], .acknowledged), TransientEnd(here.deliveries[0], .dropped),
            ])
            #expect(try await example.states() == [.accepted: 1, .dropped: 1])
            #expect(try await example.store.batch("batch", in: "other")?.counts.states == [.acknowledged: 1])
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func oldestIsTheTimeOfTheFirstRemainingNotification(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            let oldest = { try await example.store.namespaces().first?.oldest }
            try await example.take(.example("late", expiration: 1), .example("n1"), as: "first", at: .seconds(50))
            try await example.take(.example("n2", to: "laptop"), .example("n3"), as: "second", at: .seconds(60))
            try await example.take(.example("n4"), as: "third", at: .seconds(40))
            #expect(try await oldest() == .seconds(50))
            try await example.acknowledge("n1")
            #expect(try await oldest() == .seconds(60))
            try await example.acknowledge("n3")
            #expect(try await oldest() == .seconds(60))
            try await example.acknowledge("n2", in: example.away)
            #expect(try await oldest() == .seconds(40))
            try await example.acknowledge("n4")
            #expect(try await oldest() == nil)
        }
    }
}
