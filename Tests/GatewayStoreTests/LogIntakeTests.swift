import GatewayStore
import PushRules
import Testing
import WaypostSchema

/// Tests of the log entries of an appended batch.
@Suite struct LogIntakeTests {
    @Test(arguments: StoreEngine.allCases)
    func everyItemIsLoggedWithoutAGap(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            let notifications: [NewNotification] = [
                .example("stored"), .example("nobody's", to: "nobody"), .example("sent", expiration: 0),
                .example("dropped", to: "laptop", expiration: 0), .example("late", expiration: 50),
                .example("photo", for: "photos"),
            ]
            let batch = NewBatch(id: "batch", notifications: notifications, rejections: [.example("bad"), .example()])
            try await example.connect([example.home])
            let outcome = try await example.store.append(batch, at: .noon)
            let appended = try #require(outcome.appended)
            let log = try await example.log()
            #expect(log.map(\.sequence) == appended.logSequences.map(Array.init))
            #expect(
                log.map(\.state) == [
                    .stored, .rejected, .accepted, .dropped, .expired, .rejected, .rejected, .rejected,
                ]
            )
            #expect(log.map(\.subject.id) == notifications.map(\.id) + ["bad", nil])
            #expect(log.allSatisfy { $0.batch == "batch" && $0.createdAt == .noon && $0.attempts == nil })
            #expect(log.map { $0.endedAt == nil } == log.map { $0.state == .stored || $0.state == .accepted })
            #expect(log.compactMap(\.endedAt).allSatisfy { $0 == .noon })
            #expect(appended.countsByState == [.stored: 1, .accepted: 1, .dropped: 1, .expired: 1])
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func subjectIsTheNotificationWithoutItsPayload(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            let notification = NewNotification(
                id: "n\u{0}1",
                token: "tablet",
                topic: "clowns",
                pushType: "background",
                priority: 5,
                expiration: 900,
                collapseID: "\u{1}é",
                payload: [0x7B, 0x7D]
            )
            try await example.take(notification)
            let entry = try await example.entry("n\u{0}1")
            #expect(entry.subject == LogSubject(notification))
            #expect(entry.rejection == nil)
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func rejectionIsLoggedWithItsReason(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            try await example.change("laptop", .standing(.expired, since: .dawn))
            let refused: [NewNotification] = [
                .example("n1", to: "nobody"), .example("n2", for: "photos"), .example("n3", to: "laptop"),
            ]
            let rejected = RejectedItem(
                subject: LogSubject(id: "n4", priority: 7),
                rejection: Rejection(status: 400, reason: .badPriority, message: "7 is not one of 10, 5 and 1 \u{0}")
            )
            let withoutReason = RejectedItem(
                subject: LogSubject(id: "n5"),
                rejection: Rejection(status: 503, reason: nil, message: "injected")
            )
            let batch = NewBatch(id: "batch", notifications: refused, rejections: [rejected, withoutReason])
            _ = try await example.store.append(batch, at: .noon)
            let log = try await example.log()
            let refusals: [StoreRefusal] = [
                .unknownToken, .wrongTopic(registered: ExampleStore.topics), .expired(since: .dawn),
            ]
            let rejections = zip(refusals, refused).map { $0.rejection(of: $1) }
            #expect(log.map(\.rejection) == rejections + [rejected.rejection, withoutReason.rejection])
            #expect(log.map(\.subject) == refused.map { LogSubject($0) } + [rejected.subject, withoutReason.subject])
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func sequencesOfInboxAndLogAreTheSame(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            let appended = try await example.take(
                .example("n1", to: "nobody"),
                .example("n2"),
                .example("now", expiration: 0),
                .example("n3"),
                connected: [example.home]
            )
            for (id, delivery) in zip(["n2", "now", "n3"] as [NotificationID], appended.deliveries) {
                #expect(delivery.notification.notification.id == id)
                #expect(try await example.entry(id).sequence == delivery.notification.sequence)
            }
            #expect(try await example.sequence(of: "n3") == appended.logSequences?.upperBound)
            let next = try await example.take(.example("n4"), as: "second")
            #expect(next.logSequences?.lowerBound == (appended.logSequences?.upperBound ?? 0) + 1)
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func batchThatIsNotAcceptedLogsNothing(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            var batch = NewBatch(id: "first", notifications: [.example("n1")])
            batch.key = IdempotencyKey(key: "key", fingerprint: [1])
            _ = try await example.store.append(batch, at: .noon)
            batch.id = "again"
            #expect(try await example.store.append(batch, at: .noon).duplicate != nil)
            let whole = NewBatch(id: "whole", notifications: [.example("n2")], rejections: [.example()], isAtomic: true)
            #expect(try await example.store.append(whole, at: .noon).refusals != nil)
            #expect(try await example.log().map(\.subject.id) == ["n1"])
            let next = try await example.take(.example("n3"), as: "second")
            let first = try await example.entry("n1").sequence
            #expect(next.logSequences?.count == 1)
            #expect(try #require(next.logSequences).lowerBound > first)
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func emptyBatchLogsNothing(_ engine: StoreEngine) async throws {
        try await engine.runExample { example async throws in
            #expect(try await example.take().logSequences == nil)
            #expect(try await example.log().isEmpty)
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func notificationCollapsedByItsOwnBatchIsLoggedAsCollapsed(_ engine: StoreEngine) async throws {
        try await engine.runExample { example in
            let appended = try await example.take(
                .example("n1", collapseID: "c"),
                .example("n2", collapseID: "c"),
                connected: [example.home]
            )
            #expect(appended.deliveries.map(\.notification.notification.id) == ["n2"])
            #expect(appended.countsByState == [.stored: 2])
            #expect(try await example.end(of: "n1") == LogEnd(.collapsed, at: .noon))
            #expect(try await example.end(of: "n2") == LogEnd(.stored))
        }
    }
}
