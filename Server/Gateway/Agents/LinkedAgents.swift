internal import DequeModule
internal import LocalService
internal import WaypostSchema

/// The agents that are linked to a gateway, as a value, with the last changes for those that follow them.
///
/// Its limits bound the memory of the agents, each list of them, the changes that a follower has not read, and the
/// requests that an agent has not read.
struct LinkedAgents: Sendable {
    /// The default maximum number of agents.
    static let maximumCount = 1_000

    /// The maximum size of the URL of a control API, in bytes: longer than a path of a socket with all its escapes.
    static let maximumControlSize = 500

    /// The maximum size of the version of an agent, in bytes.
    static let maximumVersionSize = 100

    /// The default maximum number of changes that are kept for followers.
    static let maximumChangeCount = 1_000

    /// The maximum size of the requests that an agent has not read, in bytes; one request may be larger.
    static let maximumUnreadSizeOfAgent = 2 * RelayedRequest.maximumBodySize

    /// The maximum size of the requests that all agents have not read, in bytes.
    static let maximumUnreadSize = 256 << 20

    /// A change of the agents of a namespace.
    enum Change: Sendable, Equatable {
        /// An agent has linked itself.
        case linked(LinkedAgent)

        /// An agent has left.
        case left(LinkedAgent)
    }

    /// The part of the list that a follower has not read.
    enum Update: Sendable, Equatable {
        /// All agents: the follower has read nothing yet, or the changes since then are no longer kept.
        case list([LinkedAgent])

        /// The changes, in order.
        case changes([Change])
    }

    private struct Link: Sendable {
        let namespace: Namespace
        let agent: LinkedAgent

        /// The size of the requests that the agent has not read, in bytes.
        var unreadSize = 0
    }

    private struct NamespaceChange: Sendable {
        let namespace: Namespace
        let change: Change
    }

    private let maximumCount: Int
    private let maximumChangeCount: Int
    private var links: [Link] = []

    /// The last changes of all namespaces.
    private var changes: Deque<NamespaceChange> = []

    /// The number of all changes, also of those that are no longer kept.
    private var changeCount = 0

    /// Creates a value without agents.
    init(maximumCount: Int = Self.maximumCount, maximumChangeCount: Int = Self.maximumChangeCount) {
        self.maximumCount = maximumCount
        self.maximumChangeCount = maximumChangeCount
    }

    /// Checks the sizes of the fields of an announcement.
    ///
    /// - Throws: `RequestError.malformedBody`, which names the field.
    static func validate(_ announcement: AgentAnnouncement) throws(RequestError) {
        let sizes = [
            ("control", announcement.control.utf8.count, maximumControlSize),
            ("version", announcement.version.utf8.count, maximumVersionSize),
        ]
        for (field, size, maximum) in sizes where size > maximum {
            throw .malformedBody("\(field): it has \(size) bytes; at most \(maximum) are accepted")
        }
    }

    /// Adds an agent; returns whether there was room for it.
    mutating func add(_ agent: LinkedAgent, to namespace: Namespace) -> Bool {
        guard links.count < maximumCount else { return false }
        links.append(Link(namespace: namespace, agent: agent))
        record(.linked(agent), in: namespace)
        return true
    }

    /// Removes an agent; returns its namespace, or `nil` if it is not linked.
    mutating func remove(_ id: AgentLinkID) -> Namespace? {
        guard let index = links.firstIndex(where: { $0.agent.id == id }) else { return nil }
        let link = links.remove(at: index)
        record(.left(link.agent), in: link.namespace)
        return link.namespace
    }

    /// Returns the agents of a namespace, in the order in which they linked themselves.
    func list(in namespace: Namespace) -> [LinkedAgent] {
        links.filter { $0.namespace == namespace }.map(\.agent)
    }

    /// Whether an agent is linked in a namespace.
    func contains(_ id: AgentLinkID, in namespace: Namespace) -> Bool {
        links.contains { $0.agent.id == id && $0.namespace == namespace }
    }

    /// Records that a request waits until its agent has read it.
    ///
    /// - Parameters:
    ///   - size: the size of the request in bytes.
    ///   - id: the agent.
    /// - Returns: whether there is room for the request.
    mutating func addUnreadRequest(_ size: Int, of id: AgentLinkID) -> Bool {
        guard let index = links.firstIndex(where: { $0.agent.id == id }) else { return false }
        let unreadSize = links[index].unreadSize
        let totalSize = links.reduce(0) { $0 + $1.unreadSize }
        guard unreadSize == 0 || unreadSize + size <= Self.maximumUnreadSizeOfAgent,
            totalSize + size <= Self.maximumUnreadSize
        else { return false }
        links[index].unreadSize += size
        return true
    }

    /// Records that an agent has read a request.
    mutating func removeUnreadRequest(_ size: Int, of id: AgentLinkID) {
        guard let index = links.firstIndex(where: { $0.agent.id == id }) else { return }
        links[index].unreadSize -= size
    }

    /// Returns what a follower of a namespace has not read.
    ///
    /// - Parameters:
    ///   - place: the place up to which it has read; `nil` if it has read nothing.
    ///   - namespace: the namespace.
    /// - Returns: the update, and the place up to which the follower has read with it.
    func update(after place: Int?, in namespace: Namespace) -> (update: Update, place: Int) {
        guard let place, changeCount - place <= changes.count else { return (.list(list(in: namespace)), changeCount) }
        let unread = changes.suffix(changeCount - place).filter { $0.namespace == namespace }
        return (.changes(unread.map(\.change)), changeCount)
    }

    private mutating func record(_ change: Change, in namespace: Namespace) {
        changes.append(NamespaceChange(namespace: namespace, change: change))
        changeCount += 1
        if changes.count > maximumChangeCount { changes.removeFirst() }
    }
}
