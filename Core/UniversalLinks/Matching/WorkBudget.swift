/// The work that may be spent on one URL, in steps of a few nanoseconds.
///
/// Matching is linear in the URL for each rule, but who writes a file can write many long ones.
struct WorkBudget {
    private(set) var steps: Int

    /// Whether there was not enough.
    private(set) var isExhausted = false

    /// What may be spent on one URL.
    static let steps = 30_000_000

    init(steps: Int = steps) {
        self.steps = steps
    }

    /// Spends some of it; says whether there was enough.
    mutating func spend(_ cost: Int) -> Bool {
        steps -= cost
        if steps < 0 { isExhausted = true }
        return steps >= 0
    }
}
