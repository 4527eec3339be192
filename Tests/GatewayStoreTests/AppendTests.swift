import GatewayStore
import PushRules
import Testing
import WaypostSchema
import WaypostTestSupport

@Suite struct AppendTests {
    @Test(arguments: StoreEngine.allCases)
    func sequencesGrowWithinABatch(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            try await example.take(.example("n1"), .example("n2", to: "phone"), .example("n3"))
            let sequences = try await example.store.stored(example.home).map(\.sequence)
            #expect(sequences.count == 3)
            #expect(zip(sequences, sequences.dropFirst()).allSatisfy { $0 < $1 })
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func sequencesAndNumbersGrowAcrossBatchesAndAgents(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            let first = try await example.take(.example("n1"), as: "first").number
            let second = try await example.take(.example("n2", to: "laptop"), as: "second").number
            let third = try await example.take(.example("n3"), as: "third").number
            #expect(first.rawValue < second.rawValue)
            #expect(second.rawValue < third.rawValue)
            let sequences = [
                try await example.sequence(of: "n1"),
                try await example.sequence(of: "n2", in: example.away),
                try await example.sequence(of: "n3"),
            ]
            #expect(sequences == sequences.sorted())
            #expect(Set(sequences).count == 3)
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func sequenceOfARemovedNotificationIsNotUsedAgain(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            try await example.take(.example("n1"))
            let first = try await example.sequence(of: "n1")
            try await example.acknowledge("n1")
            try await example.take(.example("n2"), as: "later")
            #expect(try await example.sequence(of: "n2") > first)
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func refusalsAreInInputOrder(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            let appended = try await example.take(
                .example("n1", to: "nobody"),
                .example("n2"),
                .example("n3", for: "photos"),
                .example("n4", to: "laptop"),
                .example("n5", to: "nobody", for: "photos")
            )
            let otherTopic = StoreRefusal.wrongTopic(registered: ExampleStore.topics)
            #expect(appended.refusals == [.unknownToken, nil, otherTopic, nil, .unknownToken])
            #expect(appended.deliveries.isEmpty)
            #expect(try await example.inbox() == ["n2"])
            #expect(try await example.inbox(example.away) == ["n4"])
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func droppedOrExpiredNotificationIsNotRefused(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            let appended = try await example.take(.example("n1", expiration: 0), .example("n2", expiration: 1))
            #expect(appended.refusals == [nil, nil])
        }
    }

    @Test(
        arguments: StoreEngine.allCases,
        [
            NewNotification(
                id: "n1",
                token: "tablet",
                topic: "notes",
                pushType: "a kind of tomorrow",
                priority: 1,
                expiration: 1_999_999_999,
                collapseID: "crusty",
                payload: Array("{ \"aps\" : {} , \"emoji\":\"🤡\" }\n".utf8)
            ),
            NewNotification(id: "", token: "tablet", topic: "notes", expiration: .max, collapseID: "", payload: []),
            NewNotification(
                id: "'; DROP TABLE item; --",
                token: "tablet",
                topic: "notes",
                collapseID: "\u{0}\u{1}0\u{1}\u{FFFF}'\"%_",
                payload: Array(0...255)
            ),
        ]
    )
    func notificationIsStoredUnchanged(_ engine: StoreEngine, _ notification: NewNotification) async throws {
        try await engine.runExample { example in
            let appended = try await example.take(notification)
            let stored = try await example.store.stored(example.home)
            #expect(stored.map(\.notification) == [notification])
            #expect(stored.map(\.batch) == [appended.number])
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func namesCanBeHostile(_ engine: StoreEngine) async throws {
        var random = SeededGenerator(seed: 1)
        let names = (0..<50).map { _ in HostileName.any(&random) } + [HostileName.long(&random)]
        try await engine.runExample { example in
            for (index, name) in names.enumerated() {
                let token = DeviceToken(rawValue: "\(index) \(name)")
                let topic = Topic(rawValue: name)
                let agent = try await example.store.join(token, .home, topics: [topic])
                let notification = NewNotification.example(
                    NotificationID(rawValue: name),
                    to: token,
                    for: topic,
                    collapseID: CollapseIdentifier(rawValue: name)
                )
                let batch = BatchID(rawValue: "\(index) \(name)")
                try await example.take(notification, as: batch)
                #expect(try await example.store.stored(agent).last?.notification == notification)
                #expect(try await example.states(of: batch) == [.stored: 1])
            }
            #expect(try await example.inbox().count == names.count)
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func sameIdentifierTwiceIsTwoNotifications(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            try await example.take(.example("n1"), .example("n1"))
            #expect(try await example.inbox() == ["n1", "n1"])
            #expect(try await example.states() == [.stored: 2])
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func largeBatchIsStoredWhole(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            let tokens: [DeviceToken] = ["tablet", "phone", "laptop"]
            let notifications = (0..<3_000).map { index in
                NewNotification.example(NotificationID(rawValue: "n\(index)"), to: tokens[index % 3])
            }
            let batch = NewBatch(id: "large", notifications: notifications)
            let outcome = try await example.store.append(batch, at: .noon)
            #expect(outcome.appended?.changes.tally == Tally())
            #expect(try await example.inbox() == notifications.filter { $0.token != "laptop" }.map(\.id))
            #expect(try await example.inbox(example.away).count == 1_000)
            #expect(try await example.states(of: "large") == [.stored: 3_000])
        }
    }
}
