/// The state of a store that ends with the process: the sessions of agents, and the transient notifications that have
/// not ended.
///
/// Changes belong to a transaction: `commit` keeps those since the last one, and `rollBack` undoes them.
struct LiveState: Sendable {
    private enum Undo {
        case session(agent: Int, SessionEpoch?)
        case transient(sequence: Int, namespace: Int?)
    }

    /// The current sessions, by agent number.
    private var sessions: [Int: SessionEpoch] = [:]

    /// The transient notifications that have not ended: their namespaces, by sequence.
    private var transients: [Int: Int] = [:]

    private var lastEpoch = 0
    private var undo: [Undo] = []

    /// Whether an agent has a session.
    func hasSession(_ agent: Int) -> Bool {
        sessions[agent] != nil
    }

    /// Opens a session of an agent in place of any other.
    mutating func openSession(_ agent: Int) -> SessionEpoch {
        lastEpoch += 1
        let epoch = SessionEpoch(rawValue: lastEpoch)
        set(epoch, for: agent)
        return epoch
    }

    /// Closes a session; returns whether it was the current one.
    mutating func closeSession(_ agent: Int, _ epoch: SessionEpoch) -> Bool {
        guard sessions[agent] == epoch else { return false }
        set(nil, for: agent)
        return true
    }

    /// Adds a transient notification.
    mutating func addTransient(_ sequence: Int, in namespace: Int) {
        undo.append(.transient(sequence: sequence, namespace: transients.updateValue(namespace, forKey: sequence)))
    }

    /// Removes a transient notification that has ended; returns whether it had not ended before.
    mutating func endTransient(_ sequence: Int, in namespace: Int) -> Bool {
        guard transients[sequence] == namespace else { return false }
        transients[sequence] = nil
        undo.append(.transient(sequence: sequence, namespace: namespace))
        return true
    }

    /// Removes the agents and the transient notifications of a namespace that is deleted.
    mutating func remove(_ agents: some Sequence<Int>, in namespace: Int) {
        for agent in agents where hasSession(agent) { set(nil, for: agent) }
        for (sequence, home) in transients where home == namespace { _ = endTransient(sequence, in: namespace) }
    }

    private mutating func set(_ epoch: SessionEpoch?, for agent: Int) {
        undo.append(.session(agent: agent, sessions[agent]))
        sessions[agent] = epoch
    }

    /// Keeps the changes.
    mutating func commit() {
        undo.removeAll(keepingCapacity: true)
    }

    /// Undoes the changes since the last commit.
    mutating func rollBack() {
        for step in undo.reversed() {
            switch step {
            case .session(let agent, let epoch): sessions[agent] = epoch
            case .transient(let sequence, let namespace): transients[sequence] = namespace
            }
        }
        undo = []
    }
}
