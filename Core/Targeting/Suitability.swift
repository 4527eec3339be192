/// The suitability of a scene for content.
///
/// *prefers* counts even if *can* is false, because the platform's own state-restoration sample relies on it
/// (`docs/targeting.md`, rule 1), unless the rules require the narrower reading.
enum Suitability: Int, Sendable {
    case unable = 0
    case can = 1
    case prefers = 2

    init(can: Bool, prefers: Bool, rules: SelectionRules) {
        if prefers, !rules.prefersOnlyAmongCapable {
            self = .prefers
        } else {
            self = can ? (prefers ? .prefers : .can) : .unable
        }
    }
}
