/// The remaining work for searches in non-ASCII text, which take more than linear time.
///
/// A search scans the text as many times as the part to find has bytes. If the longest character of the text has more
/// bytes, it scans the text once for each of those. The platform examines the whole character to find out whether a match would split it, and a character may
/// have any number of diacritics.
struct SearchBudget {
    /// The steps for an evaluation, which take less than a second.
    static let evaluationSteps = 100_000_000

    /// The steps for a hint, which is not worth a long search.
    static let hintSteps = 1_000_000

    /// The rough cost above which the exact cost is computed, which takes as long as a short search.
    private static let exactCostThreshold = 1_000_000

    private var remainingSteps: Int

    /// The last text that was searched, and the length of its longest character, in bytes.
    private var lastText: (start: UnsafePointer<UInt8>?, byteCount: Int, maximumCharacterLength: Int)?

    init(steps: Int = Self.evaluationSteps) {
        remainingSteps = steps
    }

    /// Charges the cost of a search for `part` in `text`.
    ///
    /// - Returns: whether the budget was sufficient.
    mutating func charge(searchFor part: StringView, in text: StringView) -> Bool {
        let (length, partLength) = (text.bytes.count, part.bytes.count)
        var (cost, overflows) = length.multipliedReportingOverflow(by: max(length, partLength))
        if overflows || cost > Self.exactCostThreshold {
            let factor = max(maximumCharacterLength(of: text), partLength)
            (cost, overflows) = length.multipliedReportingOverflow(by: factor)
        }
        guard !overflows, cost <= remainingSteps else { return false }
        remainingSteps -= cost
        return true
    }

    private mutating func maximumCharacterLength(of text: StringView) -> Int {
        if let lastText, lastText.start == text.bytes.baseAddress, lastText.byteCount == text.bytes.count {
            return lastText.maximumCharacterLength
        }
        let length = text.string.reduce(0) { max($0, $1.utf8.count) }
        lastText = (text.bytes.baseAddress, text.bytes.count, length)
        return length
    }
}
