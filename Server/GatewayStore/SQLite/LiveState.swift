/// The state of a store that ends with the process: the sessions of agents, and the transient notifications that have
/// not ended.
///
/// Changes belong to a transaction: `commit` keeps those since the last one, and `rollBack` undoes them.
struct LiveState: Sendable {
    private enum UndoStep {
        case session(agent: Int, SessionEpoch?)
        case transient(sequence: Int, namespace: Int?)
    }

    /// The current sessions, by agent number.
    private var sessions: [Int: SessionEpoch] = [:]

    /// The transient notifications that have not ended: their namespaces, by sequence.
    private var transientNamespaces: [Int: Int] = [:]

    private var lastEpoch = 0
    private var undoSteps: [UndoStep] = []

    /// Whether an agent has a session.
    func hasSession(_ agent: Int) -> Bool {
        sessions[agent] != nil
    }

    /// Opens a session of an agent in place of any other.
    mutating func openSession(_ agent: Int) -> SessionEpoch {
        lastEpoch += 1
        let epoch = SessionEpoch(rawValue: lastEpoch)
        setSession(epoch, for: agent)
        return epoch
    }

    /// Closes a session; returns whether it was the current one.
    mutating func closeSession(_ agent: Int, _ epoch: SessionEpoch) -> Bool {
        guard sessions[agent] == epoch else { return false }
        setSession(nil, for: agent)
        return true
    }

    /// Adds a transient notification.
    mutating func addTransient(_ sequence: Int, in namespace: Int) {
        let previous = transientNamespaces.updateValue(namespace, forKey: sequence)
        undoSteps.append(.transient(sequence: sequence, namespace: previous))
    }

    /// Removes a transient notification that has ended; returns whether it had not ended before.
    mutating func endTransient(_ sequence: Int, in namespace: Int) -> Bool {
        guard transientNamespaces[sequence] == namespace else { return false }
        transientNamespaces[sequence] = nil
        undoSteps.append(.transient(sequence: sequence, namespace: namespace))
        return true
    }

    /// Removes the agents and the transient notifications of a namespace that is deleted.
    mutating func remove(_ agents: some Sequence<Int>, in namespace: Int) {
        for agent in agents where hasSession(agent) { setSession(nil, for: agent) }
        for (sequence, transientNamespace) in transientNamespaces where transientNamespace == namespace {
            _ = endTransient(sequence, in: namespace)
        }
    }

    private mutating func setSession(_ epoch: SessionEpoch?, for agent: Int) {
        undoSteps.append(.session(agent: agent, sessions[agent]))
        sessions[agent] = epoch
    }

    /// Keeps the changes.
    mutating func commit() {
        undoSteps.removeAll(keepingCapacity: true)
    }

    /// Undoes the changes since the last commit.
    mutating func rollBack() {
        for step in undoSteps.reversed() {
            switch step {
            case .session(let agent, let epoch): sessions[agent] = epoch
            case .transient(let sequence, let namespace): transientNamespaces[sequence] = namespace
            }
        }
        undoSteps = []
    }
}
