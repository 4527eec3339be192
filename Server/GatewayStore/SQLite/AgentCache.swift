internal import WaypostSchema

/// The agents that were found by their secrets, so that not every acknowledgement reads the database.
///
/// Only the reset of a namespace removes agents. A read that began before a reset may end after it, so what it found is
/// remembered only if no reset has happened in the meantime.
struct AgentCache: Sendable {
    private var agents: [SecretDigest: AgentID] = [:]

    /// The number of resets so far.
    private(set) var resets = 0

    /// Returns the agent with a secret, if it was found before.
    func agent(with digest: SecretDigest) -> AgentID? {
        agents[digest]
    }

    /// Remembers an agent that was read when there had been a number of resets.
    mutating func remember(_ agent: AgentID, with digest: SecretDigest, readAfter resets: Int) {
        if resets == self.resets { agents[digest] = agent }
    }

    /// Forgets the agents of a namespace that was reset.
    mutating func forget(_ namespace: Namespace) {
        resets += 1
        agents = agents.filter { $0.value.namespace != namespace }
    }
}
