import GatewayStore
import NIOCore
import PushRules
import Testing
import WaypostSchema
import WaypostTestSupport

@testable import Gateway

/// Tests of the groups in which follow-up work is done.
@Suite struct FollowUpQueueTests {
    private static let now = Timestamp(milliseconds: 100_000)

    /// Returns a closed stream that has sent `itemCount` notifications, half of which were transient.
    private static func closing(_ agent: Int, itemCount: Int = 0) -> FollowUp.Closing {
        let ends = (0..<itemCount / 2).map(end)
        let sequences = 0..<itemCount - ends.count
        let attempts = Dictionary(uniqueKeysWithValues: sequences.map { ($0, DeliveryAttempts(at: Self.now)) })
        return FollowUp.Closing(
            agent: AgentID(namespace: .standard, number: agent),
            epoch: SessionEpoch(rawValue: agent),
            report: DeviceSessions.ClosingReport(ends: ends, attempts: attempts)
        )
    }

    private static func end(_ sequence: Int) -> TransientEnd {
        TransientEnd(sequence: sequence, batch: BatchNumber(rawValue: 1), state: .dropped, at: Self.now)
    }

    /// Returns the numbers of the agents in each group, if the store accepts all of them.
    private static func groups(of closings: [FollowUp.Closing]) -> [[Int]] {
        var queue = FollowUpQueue()
        queue.add(FollowUp(closings: closings))
        var groups: [[Int]] = []
        while let group = queue.nextGroup() {
            groups.append(group.closings.map(\.agent.number))
            queue.finishGroup(FollowUp())
        }
        return groups
    }

    @Test(
        arguments: [
            ([], []), ([0], [1]), (Array(repeating: 0, count: 70), [32, 32, 6]), ([999, 1, 1], [2, 1]),
            ([5_000, 1, 1_001, 1], [1, 1, 1, 1]), (Array(repeating: 100, count: 25), [10, 10, 5]),
        ] as [([Int], [Int])]
    )
    func groupIsLimitedBySessionsAndNotifications(_ itemCounts: [Int], _ sizes: [Int]) {
        let closings = itemCounts.enumerated().map { Self.closing($0.offset, itemCount: $0.element) }
        let groups = Self.groups(of: closings)
        #expect(groups.map(\.count) == sizes)
        #expect(groups.flatMap(\.self) == Array(itemCounts.indices))
    }

    /// The number of groups, and with it the work, grows with the number of streams and no faster.
    @Test(arguments: [1_000, 3_000, 9_000]) func groupsGrowWithTheStreams(_ count: Int) {
        let groups = Self.groups(of: (0..<count).map { Self.closing($0, itemCount: 10) })
        #expect(groups.count == (count + FollowUpQueue.maximumSessions - 1) / FollowUpQueue.maximumSessions)
    }

    @Test func otherNotificationsComeInGroupsToo() {
        var queue = FollowUpQueue()
        var followUp = FollowUp(ends: (0..<1_500).map(Self.end))
        let sent = (0..<700).map { ($0, DeliveryAttempts(at: Self.now)) }
        followUp.add(Dictionary(uniqueKeysWithValues: sent), in: "run")
        queue.add(followUp)
        var sizes: [[Int]] = []
        while let group = queue.nextGroup() {
            sizes.append([group.ends.count, group.attempts["run"]?.count ?? 0])
            queue.finishGroup(FollowUp())
        }
        #expect(sizes == [[1_000, 0], [500, 500], [0, 200]])
    }

    @Test func sessionsOfAGroupCountUntilItFinishes() {
        var queue = FollowUpQueue()
        queue.add(FollowUp(closings: (0..<40).map { Self.closing($0) }))
        let group = queue.nextGroup()
        #expect(group?.closings.count == 32)
        #expect(queue.sessionCount == 40)
        #expect(queue.closingSessions.count == 40)
        queue.finishGroup(FollowUp())
        #expect(queue.sessionCount == 8)
        #expect(Set(queue.closingSessions.keys.map(\.number)) == Set(32..<40))
        let rest = queue.removeAll()
        #expect(rest.closings.map(\.agent.number) == Array(32..<40))
        #expect(queue.sessionCount == 0)
    }

    /// Nothing else must drop these notifications: the log would lose when they ended.
    @Test func notificationsOfAGroupCountUntilItFinishes() {
        var queue = FollowUpQueue()
        queue.add(FollowUp(ends: [Self.end(100)], closings: [Self.closing(0, itemCount: 6)]))
        #expect(queue.endingSequences == [0, 1, 2, 100])
        let group = queue.nextGroup()
        #expect(group != nil)
        #expect(queue.endingSequences == [0, 1, 2, 100])
        queue.finishGroup(FollowUp())
        #expect(queue.endingSequences.isEmpty)
    }

    @Test func deviceThatHasLeftOpensNoSession() async throws {
        let services = try GatewayServices.forTests()
        let registration = DeviceRegistration(name: "iPad", topics: ["com.example.clowntown"])
        let device = try await services.devices.register(registration, in: .standard)
        await #expect(throws: GatewayError.shuttingDown) {
            _ = try await services.delivery.openSession(with: device.secret) { false }
        }
        #expect(try await services.delivery.store.store.ownSessions().isEmpty)
    }

    @Test func failureMakesTheNextGroupSmall() {
        var queue = FollowUpQueue()
        queue.add(FollowUp(closings: (0..<200).map { Self.closing($0) }))
        var sizes: [Int] = []
        while sizes.count < 9, let group = queue.nextGroup() {
            sizes.append(group.closings.count)
            queue.finishGroup(sizes.count == 2 ? group : FollowUp())
        }
        #expect(sizes == [32, 32, 1, 2, 4, 8, 16, 32, 32])
    }

    /// A store may refuse one session each time, for example because its inbox is damaged.
    @Test(arguments: Trials.seeds(20)) func sessionThatIsNeverAcceptedKeepsNoOtherFromEnding(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let count = Int.random(in: 1...300, using: &generator)
        var refused: Set<Int> = []
        for _ in 0..<Int.random(in: 0...3, using: &generator) {
            refused.insert(Int.random(in: 0..<count, using: &generator))
        }
        var queue = FollowUpQueue()
        var ended: [Int] = []
        var attemptCount = 0
        for agent in 0..<count {
            let itemCount = Int.random(in: 0...50, using: &generator)
            queue.add(FollowUp(closings: [Self.closing(agent, itemCount: itemCount)]))
        }
        while queue.sessionCount > refused.count, attemptCount < 10 * count, let group = queue.nextGroup() {
            attemptCount += 1
            let agents = group.closings.map(\.agent.number)
            let isRefused = !refused.isDisjoint(with: agents)
            if !isRefused { ended += agents }
            queue.finishGroup(isRefused ? group : FollowUp())
        }
        #expect(ended.count == count - refused.count)
        #expect(Set(ended) == Set(0..<count).subtracting(refused))
    }

    @Test func closedStreamsCountInTheHealthUntilTheyAreEnded() async throws {
        let services = try GatewayServices.forTests()
        let registration = DeviceRegistration(name: "iPad", topics: ["com.example.clowntown"])
        for number in 1...3 {
            let device = try await services.devices.register(registration, in: .standard)
            let session = try await services.delivery.openSession(with: device.secret)
            #expect(services.delivery.openStream(session, after: 0, at: .now()) { _ in })
            services.delivery.closeStream(session.agent, session.epoch)
            #expect(services.delivery.sessionBacklog == SessionBacklog(openingCount: 0, endingCount: number))
        }
    }
}
