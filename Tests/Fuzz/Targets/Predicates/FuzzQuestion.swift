/// A question to the predicate language: the bytes of a format, and the value of `SELF`.
struct FuzzQuestion {
    /// The separator between the format and the value: a byte that never occurs in UTF-8, so both may contain any
    /// character.
    private static let separator: UInt8 = 0xFF

    let format: [UInt8]
    let value: String

    /// Creates the question that `bytes` encode.
    ///
    /// Without a separator, the value is empty.
    ///
    /// Invalid UTF-8 is repaired in the value, and left in the format for the language to refuse.
    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        let parts = bytes.split(separator: Self.separator, maxSplits: 1, omittingEmptySubsequences: false)
        format = parts.first.map(Array.init) ?? []
        value = parts.count > 1 ? String(decoding: parts[1], as: UTF8.self) : ""
    }
}

extension FuzzQuestion: CustomStringConvertible {
    /// The format and the value as Swift literals.
    var description: String {
        "format \(String(decoding: format, as: UTF8.self).debugDescription), value \(value.debugDescription)"
    }
}
