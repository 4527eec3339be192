/// How much searching an evaluation may still do beyond ASCII, where finding is not linear and has to end in a moment.
///
/// A search goes through its text once for each unit of what it looks for, or of the longest character of the text: to
/// find out whether a match would split a character, the platform looks at all of it, and a character may have any number
/// of marks.
struct SearchBudget {
    /// Steps that take less than a second.
    static let ofEvaluation = 100_000_000

    /// Steps for a hint, which nobody waits for.
    static let ofHint = 1_000_000

    /// A cost that is paid as it is, as finding out what it really is would cost as much.
    private static let small = 1_000_000

    private var steps: Int

    /// The longest character of the last text that was searched, in bytes.
    private var longest: (text: UnsafePointer<UInt8>?, count: Int, character: Int)?

    init(steps: Int = Self.ofEvaluation) {
        self.steps = steps
    }

    /// Takes what a search for `part` in `text` costs.
    ///
    /// - Returns: whether there was enough.
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
