/// The work allowed for one URL, in steps of a few nanoseconds.
///
/// Matching one rule takes time linear in the length of the URL, but a file may contain many long rules.
struct WorkBudget {
    private let totalSteps: Int

    private(set) var remainingSteps: Int

    /// Whether the budget was insufficient.
    private(set) var isExhausted = false

    /// The total budget for one URL.
    static let stepsPerURL = 30_000_000

    init(steps: Int = stepsPerURL) {
        totalSteps = steps
        remainingSteps = steps
    }

    /// The number of steps that were charged.
    var spentSteps: Int {
        totalSteps - remainingSteps
    }

    /// Charges a cost to the budget, and returns whether the budget was sufficient.
    mutating func spend(_ cost: Int) -> Bool {
        remainingSteps -= cost
        if remainingSteps < 0 { isExhausted = true }
        return remainingSteps >= 0
    }
}
