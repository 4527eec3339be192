extension FuzzTarget {
    /// The targets that call modules of `Core`.
    static let core = [predicates]
}
