extension FuzzTarget {
    /// The targets that call the agent, its files and its pictures.
    static let agent: [FuzzTarget] = []
}
