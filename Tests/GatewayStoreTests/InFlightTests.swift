import GatewayStore
import PushRules
import Testing
import WaypostSchema

/// Tests of the deliveries that go to open streams immediately.
@Suite struct InFlightTests {
    private func flying(_ appended: AppendedBatch) -> [NotificationID] {
        appended.deliveries.map(\.notification.notification.id)
    }

    @Test(arguments: StoreEngine.allCases)
    func storedNotificationForAConnectedAgentIsDelivered(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            let appended = try await example.take(
                .example("n1"),
                .example("n2", to: "laptop"),
                .example("n3", to: "phone", priority: 1),
                connected: [example.home]
            )
            #expect(flying(appended) == ["n1", "n3"])
            #expect(appended.deliveries.allSatisfy { $0.agent == example.home })
            #expect(try await example.store.stored(example.home) == appended.deliveries.map(\.notification))
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func notificationHeldBackInLowPowerModeIsNotDelivered(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            try await example.change("tablet", .power(isLowPowerModeEnabled: true))
            let appended = try await example.take(
                .example("n10"),
                .example("n5", priority: 5),
                .example("n1", priority: 1),
                .example("phone's", to: "phone", priority: 1),
                connected: [example.home]
            )
            #expect(flying(appended) == ["n10", "phone's"])
            #expect(appended.countsByState == [.stored: 4])
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func refusedOrExpiredNotificationIsNotDelivered(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            let appended = try await example.take(
                .example("n1", to: "nobody"),
                .example("n2", for: "photos"),
                .example("n3", expiration: 50),
                connected: [example.home]
            )
            #expect(appended.deliveries.isEmpty)
            #expect(appended.countsByState == [.expired: 1])
        }
    }

    @Test(arguments: StoreEngine.allCases, [(StorageMode.lossless, ["n3"]), (.apns, ["n1", "n2", "n3"])])
    func notificationCollapsedByItsOwnBatchIsNotDelivered(
        _ engine: StoreEngine,
        _ expected: (mode: StorageMode, flying: [NotificationID])
    ) async throws {
        try await engine.runExample(storage: expected.mode) { example in
            let appended = try await example.take(
                .example("n1", collapseID: "c"),
                .example("n2", collapseID: "c"),
                .example("n3", collapseID: "c"),
                connected: [example.home]
            )
            #expect(flying(appended) == expected.flying)
            #expect(appended.countsByState == [.stored: 3])
        }
    }
}
