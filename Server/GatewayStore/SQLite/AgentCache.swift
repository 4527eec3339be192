internal import WaypostSchema

/// A cache of agents by their secrets, so that not every acknowledgement reads the database.
///
/// The reset of a namespace removes agents, and a rotation replaces a secret. A read that began before may end later:
/// its result is cached only if neither happened.
struct AgentCache: Sendable {
    private var agents: [SecretDigest: AgentID] = [:]

    /// The number of resets and rotations so far; `insert` compares it with the number at the start of a read.
    private(set) var generation = 0

    /// Returns the agent with a secret, if it is cached.
    func agent(withDigest digest: SecretDigest) -> AgentID? {
        agents[digest]
    }

    /// Caches an agent, unless a namespace was reset, or a secret replaced, since the read of `generation` began.
    mutating func insert(_ agent: AgentID, withDigest digest: SecretDigest, readIn generation: Int) {
        if generation == self.generation { agents[digest] = agent }
    }

    /// Removes a secret that was replaced.
    mutating func remove(_ digest: SecretDigest) {
        generation += 1
        agents[digest] = nil
    }

    /// Removes the agents of a namespace that was reset.
    mutating func invalidate(_ namespace: Namespace) {
        generation += 1
        agents = agents.filter { $0.value.namespace != namespace }
    }
}
