/// A question to the predicate language: the bytes of a format, and the value that `SELF` stands for.
struct FuzzQuestion {
    /// What parts the format from the value: a byte that no UTF-8 has, so that either may hold any character.
    private static let separator: UInt8 = 0xFF

    let format: [UInt8]
    let value: String

    init(_ format: String, _ value: String) {
        self.format = Array(format.utf8)
        self.value = value
    }

    /// Creates the question that `bytes` spells; without a separator the value is empty.
    ///
    /// What is no UTF-8 in the value is mended, and in the format left for the language to refuse.
    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        let parts = bytes.split(separator: Self.separator, maxSplits: 1, omittingEmptySubsequences: false)
        format = parts.first.map(Array.init) ?? []
        value = parts.count > 1 ? String(decoding: parts[1], as: UTF8.self) : ""
    }

    /// The question as libFuzzer has it.
    var bytes: [UInt8] {
        format + [Self.separator] + value.utf8
    }
}

extension FuzzQuestion: CustomStringConvertible {
    /// The format and the value as literals of Swift.
    var description: String {
        "format \(String(decoding: format, as: UTF8.self).debugDescription), value \(value.debugDescription)"
    }
}
