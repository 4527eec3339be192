internal import TextBasics

/// An address in Messages: a phone number or an email address.
public struct Handle: StringIdentifier {
    /// The text.
    public var rawValue: String

    /// Creates an identifier from its text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}

extension Handle {
    /// The form in which handles are compared: the digits of a phone number, or an email address in lower case.
    ///
    /// A number with a country code and the same number without one are two handles, because the country is unknown
    /// here.
    package var normalized: String {
        let bytes = rawValue.utf8
        let isEmailAddress = bytes.contains {
            $0 == UInt8(ascii: "@") || $0 > 0x7F || (0x61...0x7A).contains($0 | 0x20)
        }
        guard !isEmailAddress else { return rawValue.lowercased() }
        return String(decoding: bytes.filter { !Self.punctuation.contains($0) }, as: UTF8.self)
    }

    /// Whether the handle has an `@`, or is a number as people write it, with at least two digits.
    package var isPhoneNumberOrEmailAddress: Bool {
        if rawValue.contains("@") { return true }
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        let number = normalized.utf8.drop { $0 == UInt8(ascii: "+") }
        return number.count >= 2 && number.allSatisfy(digits.contains)
    }

    /// The characters with which people group digits.
    private static let punctuation = Array(" -.()/".utf8)
}
