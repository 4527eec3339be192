/// What the store has counted so far: how many commits, and the last numbers that it gave out.
struct StoreCounters: Sendable, Equatable {
    /// How many transactions changed something.
    var commits = 0

    /// The last sequence of a notification.
    var sequence = 0

    /// The last number of an agent.
    var agents = 0

    /// The last number of a batch.
    var batches = 0

    /// Returns the greater of both in each place.
    func raised(to other: Self) -> Self {
        Self(
            commits: max(commits, other.commits),
            sequence: max(sequence, other.sequence),
            agents: max(agents, other.agents),
            batches: max(batches, other.batches)
        )
    }
}
