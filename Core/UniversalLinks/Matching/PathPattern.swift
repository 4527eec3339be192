/// A compiled path pattern.
struct PathPattern: Sendable {
    let whole: LinkPattern

    /// The pattern without the `/*` at its end.
    let folder: LinkPattern?

    /// Returns whether the pattern matches a path, which starts with one slash and has none at its end.
    func matches(_ path: Span<UInt8>, _ budget: inout WorkBudget) -> Bool {
        whole.matches(path, &budget) || folder?.matches(path, &budget) == true
    }
}
