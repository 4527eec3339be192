extension ContentPredicate {
    /// Returns the predicate that a set of `handlesExternalEvents` stands for in SwiftUI.
    ///
    /// It holds where one of `texts` is contained in the identifier, whatever the case and the marks of the letters. `"*"`
    /// alone stands for anything; an empty set and an empty text for nothing (`View.handlesExternalEvents`).
    public static func externalEvents(matching texts: Set<String>) -> Self {
        if texts.contains("*") { return Self(value: true) }
        return any(
            of: texts.sorted().filter { !$0.isEmpty }.map { .contains($0, [.caseInsensitive, .diacriticInsensitive]) }
        )
    }
}
