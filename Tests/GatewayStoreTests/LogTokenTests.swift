import GatewayStore
import Testing
import WaypostSchema

/// Tests of log queries for a token, which can belong to different devices over time.
@Suite struct LogTokenTests {
    @Test(arguments: StoreEngine.allCases)
    func logFollowsADeviceToItsNewToken(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            try await example.take(.example("n1"), .example("other", to: "laptop"), .example("n2", for: "photos"))
            try await example.change("tablet", .rotation(to: "watch"))
            #expect(try await example.logged(LogQuery(token: "watch")) == ["n1", "n2"])
            #expect(try await example.entry("n2").subject.token == "watch")
            #expect(try await example.logged(LogQuery(token: "tablet")).isEmpty)
            // Notifications that are sent to the old token from now on stay with it.
            try await example.take(.example("gone", to: "tablet"), .example("new", to: "watch"), as: "new")
            #expect(try await example.logged(LogQuery(token: "tablet")) == ["gone"])
            #expect(try await example.entry("gone").subject.token == "tablet")
            #expect(try await example.logged(LogQuery(token: "watch", limit: 1)) == ["new"])
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func notificationToAnUnknownTokenIsFoundByThatToken(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            let batch = NewBatch(
                id: "batch",
                notifications: [.example("n1", to: "watch"), .example("n2")],
                rejections: [.example("n3", to: "watch"), .example("n4", to: "tablet")]
            )
            _ = try await example.store.append(batch, at: .noon)
            #expect(try await example.logged(LogQuery(token: "watch")) == ["n1", "n3"])
            #expect(try await example.logged(LogQuery(token: "tablet")) == ["n2", "n4"])
            _ = try await example.store.join("watch", .home)
            try await example.take(.example("n5", to: "watch"), as: "second")
            #expect(try await example.logged(LogQuery(token: "watch")) == ["n1", "n3", "n5"])
            #expect(try await example.logged(LogQuery(token: "watch", limit: 2)) == ["n3", "n5"])
            #expect(try await example.logged(LogQuery(token: "watch", start: .after(0), limit: 2)) == ["n1", "n3"])
            // Notifications from before the device's registration do not follow it.
            try await example.change("watch", .rotation(to: "clock"))
            #expect(try await example.logged(LogQuery(token: "watch")) == ["n1", "n3"])
            #expect(try await example.logged(LogQuery(token: "clock")) == ["n5"])
        }
    }
}
