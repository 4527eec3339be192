/// How well a scene suits content.
///
/// *prefers* counts even where *can* does not hold, as the platform's own state-restoration sample relies on
/// (`docs/targeting.md`, rule 1), unless the narrower reading is asked for.
enum Suitability: Int, Sendable {
    case unable = 0
    case can = 1
    case prefers = 2

    init(can: Bool, prefers: Bool, _ rules: SelectionRules) {
        if prefers, !rules.prefersOnlyAmongCapable {
            self = .prefers
        } else {
            self = can ? (prefers ? .prefers : .can) : .unable
        }
    }
}
