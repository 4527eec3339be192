import Testing

@testable import GatewayStore

/// Tests of the state that ends with the process: it follows the transactions of the database.
@Suite struct LiveStateTests {
    @Test func undoneTransactionLeavesTheSessionsOfTheLastCommit() {
        var live = LiveState()
        let first = live.openSession(1)
        live.addTransient(10, in: 1)
        live.commit()
        let second = live.openSession(1)
        let closed = live.closeSession(1, second)
        _ = live.openSession(2)
        live.addTransient(11, in: 1)
        let ended = live.endTransient(10, in: 1)
        #expect(closed && ended)
        live.rollBack()
        #expect(live.hasSession(1) && !live.hasSession(2))
        let outcomes = [
            live.endTransient(10, in: 1), live.endTransient(11, in: 1), live.closeSession(1, second),
            live.closeSession(1, first),
        ]
        #expect(outcomes == [true, false, false, true])
    }

    @Test func epochOfAnUndoneSessionIsNotUsedAgain() {
        var live = LiveState()
        let undone = live.openSession(1)
        live.rollBack()
        let next = live.openSession(1)
        #expect(undone < next)
    }

    @Test func transientNotificationEndsOnceAndInItsNamespace() {
        var live = LiveState()
        live.addTransient(10, in: 1)
        let outcomes = [live.endTransient(10, in: 2), live.endTransient(10, in: 1), live.endTransient(10, in: 1)]
        #expect(outcomes == [false, true, false])
    }

    @Test func deletedNamespaceTakesItsAgentsAndNotificationsAlong() {
        var live = LiveState()
        for agent in 1...3 { _ = live.openSession(agent) }
        live.addTransient(10, in: 1)
        live.addTransient(11, in: 2)
        live.commit()
        live.remove([1, 2], in: 1)
        #expect((1...3).map(live.hasSession) == [false, false, true])
        let outcomes = [live.endTransient(10, in: 1), live.endTransient(11, in: 2)]
        #expect(outcomes == [false, true])
    }
}
