import GatewayStore
import Testing
import WaypostSchema

@Suite struct ExpirationTests {
    @Test(
        arguments: StoreEngine.allCases,
        [
            (1, .expired), (99, .expired), (100, .expired), (101, .stored), (.max, .stored), (nil, .stored),
        ] as [(Int?, DeliveryState)]
    )
    func expiredNotificationIsNotStored(
        _ engine: StoreEngine,
        _ expected: (expiration: Int?, state: DeliveryState)
    ) async throws {
        try await engine.runExample { example in
            let appended = try await example.take(.example("n1", expiration: expected.expiration))
            #expect(try await example.states() == [expected.state: 1])
            let isStored = expected.state == .stored
            #expect(try await example.inbox() == (isStored ? ["n1"] : []))
            let tally = isStored ? Tally() : Tally(batches: [appended.number])
            #expect(appended.changes.tally == tally)
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func connectedDeviceDoesNotReceiveExpiredNotifications(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            let appended = try await example.take(.example("n1", expiration: 99), connected: [example.home])
            #expect(appended.deliveries.isEmpty)
            #expect(try await example.inbox().isEmpty)
            #expect(try await example.states() == [.expired: 1])
        }
    }

    @Test(
        arguments: StoreEngine.allCases,
        [(100_000, false), (199_999, false), (200_000, true), (200_001, true)]
    )
    func expiredNotificationIsNotReadAndIsSwept(
        _ engine: StoreEngine,
        _ expected: (milliseconds: Int, isExpired: Bool)
    ) async throws {
        try await engine.runExample { example in
            let taken = try await example.take(
                .example("brief", expiration: 200),
                .example("lasting", expiration: 300),
                .example("eternal")
            )
            let now = Timestamp(milliseconds: expected.milliseconds)
            let left: [NotificationID] = (expected.isExpired ? [] : ["brief"]) + ["lasting", "eternal"]
            #expect(try await example.page(at: now) == left)
            #expect(try await example.states() == [.stored: 3])
            let changes = try await example.store.removeExpired(in: .standard, at: now)
            let tally = expected.isExpired ? Tally(removedByState: [.expired: 1], batches: [taken.number]) : Tally()
            #expect(changes.tally == tally)
            #expect(try await example.states() == (expected.isExpired ? [.stored: 2, .expired: 1] : [.stored: 3]))
            #expect(try await example.inbox() == left)
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func everyInboxIsSwept(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            try await example.take(.example("n1", expiration: 200), .example("n2", to: "laptop", expiration: 200))
            let changes = try await example.expire(at: 200)
            #expect(Set(changes.removals.map(\.agent)) == [example.home, example.away])
            #expect(try await example.states() == [.expired: 2])
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func expirationIsReportedOnce(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            try await example.take(.example("n1", expiration: 200))
            #expect(try await example.expire(at: 200).removals.count == 1)
            #expect(try await example.expire(at: 200) == StoreChanges())
            #expect(try await example.states() == [.expired: 1])
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func sweptNotificationCannotBeAcknowledged(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            try await example.take(.example("n1", expiration: 200))
            let sequence = try await example.sequence(of: "n1")
            try await example.expire(at: 200)
            #expect(try await example.store.acknowledge(example.home, [sequence]) == StoreChanges())
            #expect(try await example.states() == [.expired: 1])
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func notificationsExpireOneAfterTheOther(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            try await example.take(
                .example("n1", expiration: 400),
                .example("n2", to: "laptop", expiration: 200),
                .example("n3"),
                .example("n4", expiration: 300)
            )
            var expired: [Int] = []
            for seconds in [150, 200, 250, 300, 350, 400, 1_000_000] {
                expired.append(try await example.expire(at: seconds).removals.count)
            }
            #expect(expired == [0, 1, 0, 1, 0, 1, 0])
            #expect(try await example.inbox() == ["n3"])
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func laterNotificationCanExpireFirst(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            try await example.take(.example("n1", expiration: 300))
            try await example.take(.example("n2", to: "laptop", expiration: 200), as: "later")
            try await example.expire(at: 200)
            try await example.take(.example("n3", expiration: 250), as: "last")
            try await example.expire(at: 250)
            #expect(try await example.states(of: "later") == [.expired: 1])
            #expect(try await example.states(of: "last") == [.expired: 1])
            #expect(try await example.inbox() == ["n1"])
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func acknowledgedNotificationDoesNotExpire(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            try await example.take(.example("n1", expiration: 200), .example("n2", expiration: 200))
            try await example.acknowledge("n1")
            #expect(try await example.expire(at: 200).removals.count == 1)
            #expect(try await example.states() == [.acknowledged: 1, .expired: 1])
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func slotIsFreeAfterItsNotificationExpires(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            try await example.take(.example("old", expiration: 200, collapseID: "crusty"), as: "old")
            try await example.expire(at: 200)
            let appended = try await example.take(.example("new", collapseID: "crusty"), at: .seconds(200))
            #expect(appended.changes.tally == Tally())
            #expect(try await example.states(of: "old") == [.expired: 1])
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func manyNotificationsExpireAtOnce(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            let notifications = (0..<2_500).map { index in
                NewNotification.example(NotificationID(rawValue: "n\(index)"), expiration: 200 + index / 2_400)
            }
            let batch = NewBatch(id: "batch", notifications: notifications)
            _ = try await example.store.append(batch, at: .noon)
            let changes = try await example.expire(at: 200)
            #expect(Set(changes.removals.map(\.sequence)).count == 2_400)
            #expect(try await example.states() == [.expired: 2_400, .stored: 100])
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func namespacesAreSweptSeparately(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            try await example.take(.example("n1", expiration: 200))
            #expect(try await example.store.removeExpired(in: "other", at: .seconds(200)) == StoreChanges())
            #expect(try await example.states() == [.stored: 1])
        }
    }
}
