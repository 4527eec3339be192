extension FuzzTarget {
    /// The targets that call modules of `Server`.
    static let server = [frames]
}
