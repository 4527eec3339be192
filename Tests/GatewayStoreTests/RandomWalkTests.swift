import GatewayStore
import Testing
import WaypostSchema

/// Whatever happens to records, these hold after each step, and they answer as the oracle does.
@Suite struct RandomWalkTests {
    private struct Slot: Hashable {
        var token: DeviceToken
        var topic: Topic
        var collapseID: CollapseIdentifier
    }

    private static let seeds: [UInt64] = [1, 2, 3, 4]
    private static let steps = 800
    private static let agents = Set(RecordsWalk.agents.values)

    @discardableResult
    private func walk(seed: UInt64, _ check: (inout RecordsWalk) throws -> Void) throws -> RecordsWalk {
        var walk = RecordsWalk(seed: seed)
        for _ in 0..<Self.steps {
            try walk.step()
            try check(&walk)
        }
        return walk
    }

    @Test(arguments: seeds)
    func inboxesHoldWhatTheOracleHolds(seed: UInt64) throws {
        try walk(seed: seed) { walk in
            for agent in Self.agents {
                let (stored, expected) = (walk.records.stored(agent), walk.oracle.inbox(agent))
                try #require(stored.map(\.notification) == expected.map(\.notification), walk.comment)
                try #require(stored.map(\.sequence) == expected.compactMap(\.sequence), walk.comment)
            }
        }
    }

    @Test(arguments: seeds)
    func sequencesGrowAlongEachInboxAndAreUnique(seed: UInt64) throws {
        try walk(seed: seed) { walk in
            let inboxes = Self.agents.map { walk.records.stored($0).map(\.sequence) }
            for inbox in inboxes {
                try #require(zip(inbox, inbox.dropFirst()).allSatisfy { $0 < $1 }, walk.comment)
            }
            try #require(Set(inboxes.joined()).count == inboxes.joined().count, walk.comment)
        }
    }

    @Test(arguments: seeds)
    func nothingThatIsAcknowledgedComesBack(seed: UInt64) throws {
        try walk(seed: seed) { walk in
            let sequences = Self.agents.flatMap { walk.records.stored($0).map(\.sequence) }
            try #require(walk.oracle.acknowledged.isDisjoint(with: sequences), walk.comment)
        }
    }

    @Test(arguments: seeds)
    func slotHoldsOneNotificationAtMost(seed: UInt64) throws {
        try walk(seed: seed) { walk in
            let slots = Self.agents.flatMap { walk.records.stored($0).map(\.notification) }.compactMap { notification in
                notification.collapseID.map {
                    Slot(token: notification.token, topic: notification.topic, collapseID: $0)
                }
            }
            try #require(Set(slots).count == slots.count, walk.comment)
        }
    }

    @Test(arguments: seeds)
    func acceptedItemIsInOneState(seed: UInt64) throws {
        var open: Set<BatchID> = []
        try walk(seed: seed) { walk in
            // The others did not change: nothing of them is left to change.
            open.formUnion(walk.oracle.openBatches)
            for batch in open { try expectSum(of: batch, in: &walk) }
            open = walk.oracle.openBatches
        }
    }

    @Test(arguments: seeds)
    func everyBatchEndsAsTheOracleSays(seed: UInt64) throws {
        var last = try walk(seed: seed) { _ in }
        try #require(last.oracle.batches.count > 200)
        let states = last.oracle.batches.values.reduce(into: Set()) { $0.formUnion($1.states.keys) }
        #expect(states.isSuperset(of: [.acknowledged, .collapsed, .expired, .dropped]))
        for batch in last.oracle.batches.keys { try expectSum(of: batch, in: &last) }
    }

    private func expectSum(of batch: BatchID, in walk: inout RecordsWalk) throws {
        let status = walk.records.status(of: batch, at: .dawn)
        try #require(status == walk.oracle.status(of: batch), walk.comment)
        let counts = status?.states.values.map(\.self) ?? []
        try #require(counts.reduce(0, +) == status?.accepted && !counts.contains(0), walk.comment)
    }
}
