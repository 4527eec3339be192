internal import PredicateFormat

extension ContentPredicate {
    /// Whether the predicate holds for `text`; not, where it cannot be evaluated, be that beneath a `NOT`
    /// (`docs/targeting.md`, rule 9).
    func holds(for text: String) -> Bool {
        do {
            return try evaluate(with: text)
        } catch {
            return false
        }
    }
}
