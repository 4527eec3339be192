/// How well a scene suits content.
///
/// *prefers* counts even where *can* does not hold, as the platform's own state-restoration sample relies on
/// (`docs/targeting.md`, rule 1), unless the narrower reading is asked for.
enum Suitability: Int, Sendable, Comparable {
    case unable = 0
    case can = 1
    case prefers = 2

    init(can: @autoclosure () -> Bool, prefers: Bool, _ rules: SelectionRules) {
        if prefers, !rules.prefersOnlyAmongCapable {
            self = .prefers
        } else {
            let can = can()
            self = can ? (prefers ? .prefers : .can) : .unable
        }
    }

    /// The next better suitability; `nil` for the best.
    var next: Self? {
        Self(rawValue: rawValue + 1)
    }

    static func < (left: Self, right: Self) -> Bool {
        left.rawValue < right.rawValue
    }
}

extension CompiledConditions {
    /// Returns how well a scene with these conditions suits `text` if it is at least `needed`; `nil` if it is not.
    ///
    /// *can* is not evaluated where *prefers* already tells that the scene does not suit well enough.
    func suitability(for text: String, atLeast needed: Suitability, _ rules: SelectionRules) -> Suitability? {
        let prefers = prefers.holds(for: text)
        guard prefers || needed <= .can else { return nil }
        let suitability = Suitability(can: can.holds(for: text), prefers: prefers, rules)
        return suitability >= needed ? suitability : nil
    }
}
