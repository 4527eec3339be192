/// The remaining work for searches in non-ASCII text, which take more than linear time.
///
/// A search goes through its text once for each unit of the part to find, or of the longest character of the text if
/// that is longer: the platform examines the whole character to find out whether a match would split it, and a
/// character may have any number of diacritics.
struct SearchBudget {
    /// The steps for an evaluation, which take less than a second.
    static let ofEvaluation = 100_000_000

    /// The steps for a hint, which is not worth a long search.
    static let ofHint = 1_000_000

    /// A cost that is charged as estimated, because computing the exact cost would take as long.
    private static let small = 1_000_000

    private var steps: Int

    /// The longest character of the last text that was searched, in bytes.
    private var longest: (text: UnsafePointer<UInt8>?, count: Int, character: Int)?

    init(steps: Int = Self.ofEvaluation) {
        self.steps = steps
    }

    /// Charges the cost of a search for `part` in `text`.
    ///
    /// - Returns: whether the budget was sufficient.
    mutating func pay(for part: TextView, in text: TextView) -> Bool {
        let (length, partLength) = (text.bytes.count, part.bytes.count)
        var (cost, isOver) = length.multipliedReportingOverflow(by: max(length, partLength))
        if isOver || cost > Self.small {
            (cost, isOver) = length.multipliedReportingOverflow(by: max(longestCharacter(of: text), partLength))
        }
        guard !isOver, cost <= steps else { return false }
        steps -= cost
        return true
    }

    private mutating func longestCharacter(of text: TextView) -> Int {
        if let longest, longest.text == text.bytes.baseAddress, longest.count == text.bytes.count {
            return longest.character
        }
        let character = text.text.reduce(0) { max($0, $1.utf8.count) }
        longest = (text.bytes.baseAddress, text.bytes.count, character)
        return character
    }
}
