/// The fields of an input: bytes that are divided by 0xFF, which never occurs in UTF-8.
struct SeparatedInput {
    private var fields: ArraySlice<[UInt8]>

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        fields = bytes.split(separator: 0xFF, omittingEmptySubsequences: false).map { Array($0) }[...]
    }

    /// Whether all fields were read.
    var isAtEnd: Bool {
        fields.isEmpty
    }

    /// Returns the next field, which is empty after the last one.
    mutating func next() -> [UInt8] {
        fields.popFirst() ?? []
    }

    /// Returns the next field as text, with invalid UTF-8 repaired.
    mutating func nextText() -> String {
        String(decoding: next(), as: UTF8.self)
    }

    /// Returns the next field as text; `nil` if it is empty.
    mutating func nextOptionalText() -> String? {
        let text = nextText()
        return text.isEmpty ? nil : text
    }

    /// Returns the next field as choices.
    mutating func nextChoices() -> InputChoices {
        InputChoices(bytes: next()[...])
    }
}

/// Choices that the bytes of an input make, one after another; 0 after the last byte.
struct InputChoices {
    fileprivate var bytes: ArraySlice<UInt8>

    /// Returns the next byte.
    mutating func byte() -> UInt8 {
        bytes.popFirst() ?? 0
    }

    /// Returns a number of two bytes.
    mutating func number() -> Int {
        Int(byte()) << 8 | Int(byte())
    }

    /// Returns whether the next byte is odd.
    mutating func bool() -> Bool {
        byte() & 1 == 1
    }

    /// Returns one of all cases.
    mutating func choice<Choice: CaseIterable>(_: Choice.Type) -> Choice {
        let cases = Array(Choice.allCases)
        return cases[Int(byte()) % cases.count]
    }
}
