import GatewayStore
import Testing
import WaypostSchema

@Suite struct TopicsTests {
    @Test(arguments: StoreEngine.allCases)
    func newTopicsReplaceTheEarlierOnes(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            let changed = try await example.change("tablet", .topics(["photos", "notes"]))
            #expect(changed.agent == example.home)
            #expect(changed.device.topics == ["notes", "photos"])
            #expect(changed.device.since == .dawn)
            #expect(try await example.store.device("tablet", in: .standard) == changed.device)
            #expect(try await example.refusal("tablet", "clowns") == .wrongTopic(registered: ["notes", "photos"]))
            #expect(try await example.refusal("tablet", "photos") == nil)
            #expect(try await example.refusal("phone", "clowns") == nil)
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func notificationsForARemovedTopicLeaveTheInbox(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            let taken = try await example.take(
                .example("n1"),
                .example("n2", for: "notes"),
                .example("n3", for: .messages),
                .example("n4", to: "phone")
            )
            let changes = try await example.change("tablet", .topics(["notes", "photos"])).changes
            #expect(changes.tally == Tally(removedByState: [.unregistered: 2], batches: [taken.number]))
            #expect(try await example.inbox() == ["n2", "n4"])
            #expect(try await example.states() == [.stored: 2, .unregistered: 2])
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func sameTopicsChangeNothing(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            try await example.take(.example("n1", collapseID: "crusty"))
            let changes = try await example.change("tablet", .topics(ExampleStore.topics)).changes
            #expect(changes == StoreChanges())
            try await example.take(.example("n2", collapseID: "crusty"), as: "later")
            #expect(try await example.inbox() == ["n2"])
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func topicsOfAnInvalidTokenCanBeChanged(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            try await example.change("tablet", .standing(.unregistered, since: .noon))
            let device = try await example.change("tablet", .topics(["photos"])).device
            #expect(device.standing == .unregistered)
            #expect(device.topics == ["photos"])
        }
    }
}
