import Testing
import WaypostSchema

@testable import Gateway

@Suite struct DeviceSessionsTests {
    @Test func acknowledgementsCoverWhatWasSentOnThisStreamOnly() {
        var sessions = DeviceSessions()
        let number = sessions.open("agent", after: 10) { _ in }.number
        #expect(sessions.covered("agent", upTo: 100) == nil)
        sessions.noteSent("agent", number: number, through: 15)
        #expect(sessions.covered("agent", upTo: 100) == 11...15)
        #expect(sessions.covered("agent", upTo: 12) == 11...12)
        #expect(sessions.covered("agent", upTo: 10) == nil)
        #expect(sessions.covered("another", upTo: 12) == nil)
    }

    @Test func aStreamThatWasTakenOverHasNoSay() {
        var sessions = DeviceSessions()
        let first = sessions.open("agent", after: 0) { _ in }
        #expect(first.predecessor == nil)
        let second = sessions.open("agent", after: 5) { _ in }
        #expect(second.predecessor != nil)
        sessions.noteSent("agent", number: first.number, through: 100)
        #expect(sessions.covered("agent", upTo: 100) == nil)
        let didCloseFirst = sessions.close("agent", number: first.number)
        #expect(!didCloseFirst)
        #expect(sessions.openAgents == ["agent"])
        let didCloseSecond = sessions.close("agent", number: second.number)
        #expect(didCloseSecond)
        #expect(sessions.openAgents.isEmpty)
    }

    @Test func onlyOpenStreamsAreSignalled() {
        var sessions = DeviceSessions()
        _ = sessions.open("agent", after: 0) { _ in }
        #expect(sessions.signals(of: ["agent", "another"]).count == 1)
        #expect(sessions.signals(of: []).isEmpty)
    }
}
