import LocalService
import Testing
import WaypostSchema
import WaypostTestSupport

@testable import Gateway

/// Tests of the agents that are linked to a gateway, and of those that follow them.
@Suite struct LinkedAgentsTests {
    private static let namespaces: [Namespace] = [.standard, "other"]

    private static func agent(_ number: Int) -> LinkedAgent {
        let announcement = AgentAnnouncement(control: "http://agent-\(number)", version: "1", requiresToken: false)
        return LinkedAgent(id: AgentLinkID(rawValue: "\(number)"), announcement)
    }

    /// A follower of the agents of a namespace, which applies what it reads.
    private struct Follower {
        let namespace: Namespace
        var place: Int?
        var agents: [LinkedAgent] = []

        /// Reads an update; returns the number of changes in it, or `nil` if it is the list.
        mutating func read(_ linkedAgents: LinkedAgents) -> Int? {
            let (update, next) = linkedAgents.update(after: place, in: namespace)
            place = next
            switch update {
            case .list(let list):
                agents = list
                return nil
            case .changes(let changes):
                for change in changes {
                    switch change {
                    case .linked(let agent): agents.append(agent)
                    case .left(let agent): agents.removeAll { $0 == agent }
                    }
                }
                return changes.count
            }
        }
    }

    @Test(arguments: Trials.seeds(20)) func followerHasTheListWheneverItReads(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let maximumChangeCount = Int.random(in: 0...20, using: &generator)
        var agents = LinkedAgents(maximumCount: 10, maximumChangeCount: maximumChangeCount)
        var followers = Self.namespaces.map { Follower(namespace: $0) }
        var lastNumber = 0
        for _ in 0..<1_000 {
            let namespace = Self.namespaces[Int.random(in: 0...1, using: &generator)]
            switch Int.random(in: 0..<5, using: &generator) {
            case 0, 1:
                lastNumber += 1
                let count = Self.namespaces.reduce(0) { $0 + agents.list(in: $1).count }
                let isAdded = agents.add(Self.agent(lastNumber), to: namespace)
                #expect(isAdded == (count < 10))
            case 2, 3:
                guard let leaving = agents.list(in: namespace).randomElement(using: &generator) else { continue }
                let former = agents.remove(leaving.id)
                #expect(former == namespace)
                #expect(!agents.contains(leaving.id, in: namespace))
            default:
                let index = Int.random(in: followers.indices, using: &generator)
                let changeCount = followers[index].read(agents)
                #expect(changeCount ?? 0 <= maximumChangeCount)
                #expect(followers[index].agents == agents.list(in: followers[index].namespace))
            }
        }
    }

    @Test func newFollowerGetsTheListAndThenChanges() {
        var agents = LinkedAgents()
        let first = agents.add(Self.agent(1), to: .standard)
        let start = agents.update(after: nil, in: .standard)
        #expect(first && start.update == .list([Self.agent(1)]))
        let second = agents.add(Self.agent(2), to: .standard)
        let elsewhere = agents.add(Self.agent(3), to: "other")
        let left = agents.remove("1")
        let next = agents.update(after: start.place, in: .standard)
        #expect(second && elsewhere && left == .standard)
        #expect(next.update == .changes([.linked(Self.agent(2)), .left(Self.agent(1))]))
        #expect(agents.update(after: next.place, in: .standard).update == .changes([]))
    }

    @Test func followerThatIsTooFarBehindGetsTheListAgain() {
        var agents = LinkedAgents(maximumChangeCount: 2)
        let place = agents.update(after: nil, in: .standard).place
        for number in 1...3 { _ = agents.add(Self.agent(number), to: .standard) }
        #expect(agents.update(after: place, in: .standard).update == .list((1...3).map(Self.agent)))
        let changes = (2...3).map { LinkedAgents.Change.linked(Self.agent($0)) }
        #expect(agents.update(after: place + 1, in: .standard).update == .changes(changes))
    }

    @Test func requestsThatAnAgentDoesNotReadHaveALimit() {
        var agents = LinkedAgents()
        let half = LinkedAgents.maximumUnreadSizeOfAgent / 2
        _ = agents.add(Self.agent(1), to: .standard)
        let first = [half, half, 1].map { agents.addUnreadRequest($0, of: "1") }
        #expect(first == [true, true, false])
        agents.removeUnreadRequest(half, of: "1")
        let second = [half + 1, half].map { agents.addUnreadRequest($0, of: "1") }
        #expect(second == [false, true])
        let unknown = agents.addUnreadRequest(1, of: "2")
        #expect(!unknown)
    }

    @Test func requestsThatAllAgentsDoNotReadHaveALimit() {
        var agents = LinkedAgents()
        let size = LinkedAgents.maximumUnreadSizeOfAgent
        let count = LinkedAgents.maximumUnreadSize / size
        for number in 0...count { _ = agents.add(Self.agent(number), to: .standard) }
        let outcomes = (0...count).map { agents.addUnreadRequest(size, of: AgentLinkID(rawValue: "\($0)")) }
        #expect(outcomes == Array(repeating: true, count: count) + [false])
        _ = agents.remove("0")
        let isAdded = agents.addUnreadRequest(size, of: AgentLinkID(rawValue: "\(count)"))
        #expect(isAdded)
    }

    @Test func agentThatIsNotLinkedCannotLeave() {
        var agents = LinkedAgents()
        let namespace = agents.remove("1")
        #expect(namespace == nil)
    }

    @Test(
        arguments: [
            (500, 100, nil), (501, 100, "control: it has 501 bytes; at most 500 are accepted"),
            (0, 101, "version: it has 101 bytes; at most 100 are accepted"),
        ] as [(Int, Int, String?)]
    )
    func fieldsHaveLimits(_ controlSize: Int, _ versionSize: Int, _ message: String?) {
        let announcement = AgentAnnouncement(
            control: String(repeating: "c", count: controlSize),
            version: String(repeating: "v", count: versionSize),
            requiresToken: false
        )
        var refusal: String?
        do throws(RequestError) {
            try LinkedAgents.validate(announcement)
        } catch {
            refusal = error.message
        }
        #expect(refusal == message)
    }
}
