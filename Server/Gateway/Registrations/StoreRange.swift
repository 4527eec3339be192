/// The range of a token or secret: one of 4,096, which the first three hexadecimal digits name.
///
/// The secret of an agent and the tokens that the gateway generates for its devices have one range. So a range can have
/// a store of its own one day, with everything of its agents.
struct StoreRange: Equatable {
    /// The number of digits.
    private static let count = 3

    /// The digits, in lower case.
    let digits: String

    /// Creates the range of a token or secret; `nil` if it does not begin with three such digits.
    init?(of text: String) {
        let digits = text.prefix(Self.count)
        guard digits.count == Self.count, digits.allSatisfy({ "0123456789abcdef".contains($0) }) else { return nil }
        self.digits = String(digits)
    }

    /// Returns a text in the range, with the other digits of `text`.
    func placing(_ text: String) -> String {
        digits + text.dropFirst(Self.count)
    }
}
