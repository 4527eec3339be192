/// The range of a token or secret: one of 4,096, which the first three hexadecimal digits name.
///
/// The secret of an agent and the tokens that the gateway generates for its devices have the same range. So each range
/// can have a store of its own one day, with all data of its agents.
struct StoreRange: Equatable {
    /// The number of digits.
    private static let count = 3

    /// The digits, in lower case.
    let digits: String

    /// Creates the range of a token or secret; `nil` if it does not begin with three such digits.
    init?(of string: String) {
        let digits = string.prefix(Self.count)
        guard digits.count == Self.count, digits.allSatisfy({ "0123456789abcdef".contains($0) }) else { return nil }
        self.digits = String(digits)
    }

    /// Returns `string` with its first digits replaced by those of the range.
    func replacingPrefix(of string: String) -> String {
        digits + string.dropFirst(Self.count)
    }
}
