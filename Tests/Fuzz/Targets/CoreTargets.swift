extension FuzzTarget {
    /// The targets that call modules of `Core`.
    static let core = [predicates, json, items, inflate, urls, patterns, associations]
}
