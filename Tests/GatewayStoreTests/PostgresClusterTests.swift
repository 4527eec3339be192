import GatewayStore
import PostgresStore
import PushRules
import StoreTestSupport
import Testing
import WaypostSchema
import WaypostTestSupport

/// Tests of several gateways on one database: who is there, who leads, and what happens to those that have ended.
@Suite(.timeLimit(.minutes(5))) struct PostgresClusterTests {
    /// The first looks of a gateway that notices that another one has ended.
    private func outlast(_ store: PostgresStore) async throws {
        for _ in 0...MemberWatch.maximumStaleChecks { _ = try await store.sendHeartbeat(from: nil) }
        try await store.catchUp()
    }

    @Test func gatewaysKnowEachOtherAndTheFirstOneLeads() async throws {
        let gateways = try await PostgresGateways()
        _ = try await gateways.first.sendHeartbeat(from: "http://127.0.0.1:1")
        let seen = try await gateways.second.sendHeartbeat(from: "http://127.0.0.1:2")
        #expect(seen.members.map(\.address) == ["http://127.0.0.1:1", "http://127.0.0.1:2"])
        #expect(seen.members.map(\.isSelf) == [false, true])
        #expect(!seen.isSelfLeader)
        #expect(try await gateways.first.sendHeartbeat(from: nil).isSelfLeader)
    }

    @Test func nextGatewayLeadsOnceTheFirstOneHasLeft() async throws {
        let gateways = try await PostgresGateways()
        gateways.first.close()
        let members = try await gateways.second.sendHeartbeat(from: nil)
        #expect(members.members.count == 1)
        #expect(members.isSelfLeader)
    }

    @Test func gatewayThatRenewsIsNotTakenForDead() async throws {
        let gateways = try await PostgresGateways()
        for _ in 0..<3 * MemberWatch.maximumStaleChecks {
            _ = try await gateways.first.sendHeartbeat(from: nil)
            #expect(try await gateways.second.sendHeartbeat(from: nil).members.count == 2)
        }
    }

    @Test func gatewayThatStopsLosesItsSessionsAndChangesNothing() async throws {
        let gateways = try await PostgresGateways()
        let example = try await ExampleStore(in: gateways.first)
        try await example.setStorage(.apns)
        try await example.connect([example.home])
        let batch = NewBatch(
            id: "batch",
            notifications: [.example("n1"), .example("n2"), .example("now", expiration: 0)]
        )
        _ = try await gateways.second.append(batch, at: .noon)
        let lost = try #require(try await gateways.first.ownSessions()[example.home])
        try await outlast(gateways.second)
        #expect(try await gateways.first.ownSessions().isEmpty)
        #expect(try await example.states() == [.stored: 1, .collapsed: 1, .dropped: 1])
        await #expect(throws: StoreError.unavailable) {
            _ = try await gateways.first.closeSession(example.home, lost)
        }
        for await event in gateways.first.events where event == .expelled { break }
        // It is a new gateway now.
        let members = try await gateways.first.sendHeartbeat(from: nil)
        #expect(members.members.map(\.isSelf) == [false, true])
        _ = try #require(try await gateways.first.openSession(example.home))
        try await outlast(gateways.second)
        #expect(try await gateways.first.ownSessions().isEmpty)
    }

    /// A gateway that is stopped while it sends a transaction keeps its locks, and the server waits without a limit.
    @Test func connectionOfAGatewayThatStopsIsEnded() async throws {
        let gateways = try await PostgresGateways()
        let example = try await ExampleStore(in: gateways.first)
        try await example.connect([example.home])
        let (server, database) = (PostgresServer.shared, gateways.database)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                // It holds locks in place of the first gateway, whose lane has the number 1.
                let stopped = database + "&application_name=waypost%20lane%201"
                await #expect(throws: (any Error).self) {
                    try await server.run("BEGIN; SELECT 1 FROM agent FOR UPDATE; SELECT pg_sleep(600)", at: stopped)
                }
            }
            let isWaiting =
                "SELECT 1 / count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'"
            try await waitUntil("the locks are held") { (try? await server.run(isWaiting, at: database)) != nil }
            try await outlast(gateways.second)
            try await group.waitForAll()
        }
        #expect(try await gateways.second.openSession(example.home) != nil)
    }

    @Test func gatewayThatWasTakenForDeadNoticesItWithItsRenewal() async throws {
        let gateways = try await PostgresGateways()
        try await outlast(gateways.second)
        await #expect(throws: StoreError.unavailable) { _ = try await gateways.first.sendHeartbeat(from: nil) }
        #expect(try await gateways.first.sendHeartbeat(from: nil).members.count == 2)
    }

    @Test func deviceThatHasMovedKeepsItsSession() async throws {
        let gateways = try await PostgresGateways()
        let example = try await ExampleStore(in: gateways.first)
        try await example.connect([example.home])
        let now = NewBatch(id: "batch", notifications: [.example("now", expiration: 0)])
        _ = try await gateways.first.append(now, at: .noon)
        let moved = try #require(try await gateways.second.openSession(example.home))
        try await outlast(gateways.second)
        #expect(try await gateways.second.ownSessions() == [example.home: moved])
        // The former gateway had it in memory.
        #expect(try await example.states() == [.dropped: 1])
    }

    @Test func sessionThatMayHaveMissedANudgeIsReported() async throws {
        let gateways = try await PostgresGateways()
        let example = try await ExampleStore(in: gateways.first)
        try await example.connect([example.home])
        let batch = NewBatch(id: "batch", notifications: [.example("n1"), .example("n2")])
        _ = try await gateways.second.append(batch, at: .noon)
        for _ in 0..<10 { _ = try await gateways.first.sendHeartbeat(from: nil) }
        try await gateways.first.catchUp()
        let page = try await gateways.first.readInbox(of: example.home, after: 0, limit: 9, at: .noon)
        let last = try #require(page.last)
        for await event in gateways.first.events {
            guard case .behind(let sequences) = event else { continue }
            #expect(sequences == [example.home: last.sequence])
            break
        }
    }

    /// A notification that was read just now is not held yet at the first look.
    @Test func transientNotificationThatTheGatewayDoesNotHaveIsDroppedAtTheSecondLook() async throws {
        let gateways = try await PostgresGateways()
        let example = try await ExampleStore(in: gateways.first)
        try await example.connect([example.home])
        let batch = NewBatch(
            id: "batch",
            notifications: ["held", "forgotten"].map { .example($0, expiration: 0) }
        )
        let appended = try #require(try await gateways.first.append(batch, at: .noon).appended)
        let unread = NewBatch(id: "other", notifications: [.example("unread", expiration: 0)])
        _ = try await gateways.second.append(unread, at: .noon)
        let held = Set(appended.deliveries.prefix(1).map(\.notification.sequence))
        try await gateways.second.dropTransient(except: [])
        try await gateways.second.dropTransient(except: [])
        try await gateways.first.dropTransient(except: held)
        #expect(try await example.states() == [.accepted: 2])
        try await gateways.first.dropTransient(except: held)
        #expect(try await example.states() == [.accepted: 1, .dropped: 1])
        #expect(try await example.page() == ["unread"])
    }

    /// A broadcast in flight may have a topic of an app's token, so it must not end by any other change.
    @Test func otherGatewayLearnsOnlyOfChangesToTopics() async throws {
        let gateways = try await PostgresGateways()
        _ = try await ExampleStore(in: gateways.first)
        let changes: [DeviceChange] = [.power(isLowPowerModeEnabled: true), .inboxPurge(of: nil), .topics(["clowns"])]
        for change in changes {
            _ = try await gateways.first.updateDevice("tablet", in: .standard, with: change, at: .noon)
        }
        for await event in gateways.second.events {
            guard case .deviceChanged(_, _, let topics) = event else { continue }
            #expect(topics == ["clowns"])
            break
        }
    }

    @Test func acknowledgementIsProcessedByTheGatewayWithTheSession() async throws {
        let gateways = try await PostgresGateways()
        let example = try await ExampleStore(in: gateways.first)
        #expect(try await gateways.second.forward(.upTo(5), of: example.home) == 0)
        try await example.connect([example.home])
        #expect(try await gateways.first.forward(.upTo(5), of: example.home) == 0)
        async let count = gateways.second.forward(.upTo(5), of: example.home)
        for await event in gateways.first.events {
            guard case .acknowledgementForwarded(let forwarded) = event else { continue }
            #expect(forwarded.agent == example.home)
            #expect(forwarded.acknowledgement == .upTo(5))
            gateways.first.completeForwarded(forwarded, removed: 3)
            break
        }
        #expect(try await count == 3)
    }

    @Test func acknowledgementFailsIfTheOtherGatewayDoesNotAnswer() async throws {
        let gateways = try await PostgresGateways()
        let example = try await ExampleStore(in: gateways.first)
        try await example.connect([example.home])
        let (second, home) = (gateways.second, example.home)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                await #expect(throws: StoreError.unavailable) { _ = try await second.forward(.upTo(5), of: home) }
            }
            // Renewals end the wait, whenever the question comes.
            group.addTask { while !Task.isCancelled { _ = try await second.sendHeartbeat(from: nil) } }
            try await group.next()
            group.cancelAll()
        }
    }

    @Test func sequencesJumpIfAnotherServerHasTakenOver() async throws {
        let gateways = try await PostgresGateways()
        let example = try await ExampleStore(in: gateways.first)
        let before = try await example.take(.example("n1"))
        try await PostgresServer.shared.run("UPDATE waypost SET timeline = 0", at: gateways.database)
        try await PostgresServer.shared.endConnections(to: gateways.database)
        let after = try await example.take(.example("n2"), as: "second")
        let (first, second) = (try #require(before.logSequences), try #require(after.logSequences))
        #expect(second.lowerBound - first.lowerBound > 1 << 30)
        try await PostgresServer.shared.endConnections(to: gateways.database)
        let last = try #require(try await example.take(.example("n3"), as: "third").logSequences)
        #expect(last.lowerBound - second.lowerBound < 1 << 30)
    }
}

/// Tests of how gateways find out that others have ended.
@Suite struct MemberWatchTests {
    @Test func gatewayEndsIfItsBeatsStayTheSameForSeveralLooks() {
        var watch = MemberWatch()
        for look in 0..<MemberWatch.maximumStaleChecks {
            #expect(watch.endedMembers(afterRecording: [1: 7, 2: look]).isEmpty)
        }
        #expect(watch.endedMembers(afterRecording: [1: 7, 2: MemberWatch.maximumStaleChecks]) == [1: 7])
    }

    @Test func lateBeatIsEnough() {
        var watch = MemberWatch()
        for look in 0..<100 {
            #expect(watch.endedMembers(afterRecording: [1: look / (MemberWatch.maximumStaleChecks - 1)]).isEmpty)
        }
    }

    @Test func gatewayThatComesAgainIsNew() {
        var watch = MemberWatch()
        for _ in 0..<MemberWatch.maximumStaleChecks { _ = watch.endedMembers(afterRecording: [1: 0]) }
        _ = watch.endedMembers(afterRecording: [:])
        #expect(watch.endedMembers(afterRecording: [1: 0]).isEmpty)
    }
}
