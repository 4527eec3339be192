import GatewayStore
import PushRules
import Testing
import WaypostSchema

@Suite struct ResetTests {
    @Test(arguments: StoreEngine.allCases)
    func resetDeletesEverythingInOneNamespace(_ engine: StoreEngine) async throws {
        try await engine.runWithAnother { example, other in
            let store = example.store
            try await example.take(.example("n1"))
            try await example.takeElsewhere(.example("n2"))
            try await store.setClock(of: "other", to: .noon)
            _ = try await store.setStorage(.apns, for: "clowns", in: "other", at: .noon)
            #expect(try await store.reset("other") == [other])
            #expect(try await store.device("tablet", in: "other") == nil)
            #expect(try await store.agent(withDigest: .unknown) == nil)
            #expect(try await store.apps(in: "other").isEmpty)
            #expect(try await store.batch("batch", in: "other") == nil)
            #expect(try await store.batch(with: "key", in: "other", at: .noon) == nil)
            #expect(try await store.clock(of: "other") == nil)
            #expect(try await example.inbox(other).isEmpty)
            #expect(try await store.namespaces().map(\.name) == [.standard])
            #expect(try await store.reset("other").isEmpty)
            #expect(try await example.inbox() == ["n1"])
            #expect(try await store.reset(.standard) == [example.home, example.away])
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func nothingReturnsAfterAReset(_ engine: StoreEngine) async throws {
        try await engine.runWithAnother { example, other in
            let before = try await example.takeElsewhere(
                .example("n1", collapseID: "crusty"),
                .example("now", expiration: 0),
                connected: [other]
            )
            let delivery = try #require(before.deliveries.last)
            _ = try await example.store.reset("other")
            let again = try await example.store.join("tablet", .unknown, in: "other")
            #expect(again.number > other.number)
            let after = try await example.takeElsewhere(.example("n2", collapseID: "crusty"))
            #expect(after.number.rawValue > before.number.rawValue)
            #expect(after.changes.tally == Tally())
            #expect(try await example.sequence(of: "n2", in: again) > delivery.notification.sequence)
            try await example.store.recordOutcomes([TransientEnd(delivery, .dropped)])
            #expect(try await example.store.batch("batch", in: "other")?.counts.states == [.stored: 1])
            #expect(try await example.inbox(other).isEmpty)
        }
    }
}
